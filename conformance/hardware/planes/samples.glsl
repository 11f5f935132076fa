//@ samples.vert
layout(location=0) in vec4 p; layout(location=1) in vec4 c; layout(location=2) in uint id;
layout(location=0) noperspective out vec4 on; layout(location=1) flat out uint oid;
void main(){ gl_Position=p; on=c; oid=id; }
//@ depth.frag
layout(location=1) flat in uint id;
void main(){ uvec2 b=uvec2(gl_FragCoord.xy)>>2u; if(b.x+(b.y<<6u)!=id) discard; }
//@ value.frag
layout(location=0) noperspective sample in vec4 n; layout(location=1) flat in uint id;
layout(location=0) out vec4 o;
void main(){ o=n; uvec2 b=uvec2(gl_FragCoord.xy)>>2u; if(b.x+(b.y<<6u)!=id) discard; }
//@ full.vert
void main(){ gl_Position=vec4(gl_VertexIndex==1?3.0:-1.0, gl_VertexIndex==2?3.0:-1.0, 0.0, 1.0); }
//@ msfetch.frag
layout(push_constant) uniform PC { int n; }; layout(binding=0) uniform sampler2DMS t; layout(location=0) out vec4 o;
void main(){ ivec2 p=ivec2(gl_FragCoord.xy); o=texelFetch(t, ivec2(p.x/n,p.y), p.x%n); }
