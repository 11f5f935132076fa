//@ coverage.vert
layout(location=0) in vec4 p; layout(location=1) in vec4 c; layout(location=2) in uint id;
layout(location=0) flat out uint oid;
void main(){ gl_Position=p; oid=id; }
//@ coverage.frag
layout(location=0) flat in uint id; layout(location=0) out vec4 o;
layout(binding=0) buffer Hashes { uint h[]; };
void main(){
  uint m=uint(gl_SampleMaskIn[0]); uvec2 q=uvec2(gl_FragCoord.xy);
  uint v=(q.x|q.y<<8|m<<16)+1u; v*=0x9e3779b1u; v^=v>>15; v*=0x85ebca77u; v^=v>>13;
  atomicAdd(h[2u*id],v); atomicAdd(h[2u*id+1u],uint(bitCount(m))); o=vec4(1);
}
