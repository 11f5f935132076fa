//@ cut.vert
layout(location=0) in vec4 p; layout(location=1) in vec4 c; layout(location=2) in uint id; layout(location=3) in vec2 d;
layout(location=0) out vec4 oc; layout(location=1) noperspective out vec4 on; layout(location=2) flat out uint oid;
void main(){ gl_Position=p; oc=c; on=c; oid=id; }
//@ cut1.vert
layout(location=0) in vec4 p; layout(location=1) in vec4 c; layout(location=2) in uint id; layout(location=3) in vec2 d;
layout(location=0) out vec4 oc; layout(location=1) noperspective out vec4 on; layout(location=2) flat out uint oid;
out gl_PerVertex { vec4 gl_Position; float gl_ClipDistance[1]; };
void main(){ gl_Position=p; oc=c; on=c; oid=id; gl_ClipDistance[0]=d.x; }
//@ cut2.vert
layout(location=0) in vec4 p; layout(location=1) in vec4 c; layout(location=2) in uint id; layout(location=3) in vec2 d;
layout(location=0) out vec4 oc; layout(location=1) noperspective out vec4 on; layout(location=2) flat out uint oid;
out gl_PerVertex { vec4 gl_Position; float gl_ClipDistance[2]; };
void main(){ gl_Position=p; oc=c; on=c; oid=id; gl_ClipDistance[0]=d.x; gl_ClipDistance[1]=d.y; }
//@ block.frag
layout(location=0) in vec4 c; layout(location=1) noperspective in vec4 n; layout(location=2) flat in uint id;
layout(location=0) out vec4 o0; layout(location=1) out vec4 o1;
void main(){ o0=vec4(c.x,c.w,gl_FragCoord.zw); o1=n; uvec2 b=uvec2(gl_FragCoord.xy)>>2u; if(b.x+(b.y<<6u)!=id) discard; }
//@ whole.frag
layout(location=1) noperspective in vec4 n; layout(location=0) out vec4 o1;
void main(){ o1=n; }
//@ samples.frag
layout(location=1) noperspective sample in vec4 n; layout(location=0) out vec4 o1;
void main(){ o1=n; }
//@ full.vert
void main(){ gl_Position=vec4(gl_VertexIndex==1?3.0:-1.0, gl_VertexIndex==2?3.0:-1.0, 0.0, 1.0); }
//@ msfetch.frag
layout(push_constant) uniform PC { int n; }; layout(binding=0) uniform sampler2DMS t; layout(location=0) out vec4 o;
void main(){ ivec2 p=ivec2(gl_FragCoord.xy); o=texelFetch(t, ivec2(p.x/n,p.y), p.x%n); }
