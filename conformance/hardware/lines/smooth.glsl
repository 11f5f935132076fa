//@ value.vert
layout(location = 0) in vec4 p;
layout(location = 1) in vec4 c;
layout(location = 0) noperspective out float value;
void main() { gl_Position = p; value = c.x; }
//@ value.frag
layout(location = 0) noperspective in float value;
layout(location = 0) out vec4 o;
void main() { o = vec4(value, 0, 0, 1); }
//@ full.vert
void main() { gl_Position = vec4(gl_VertexIndex == 1 ? 3 : -1, gl_VertexIndex == 2 ? 3 : -1, 0, 1); }
//@ msfetch.frag
layout(push_constant) uniform C { int n; };
layout(binding = 0) uniform sampler2DMS t;
layout(location = 0) out vec4 o;
void main() { ivec2 p = ivec2(gl_FragCoord.xy); o = texelFetch(t, ivec2(p.x / n, p.y), p.x % n); }
