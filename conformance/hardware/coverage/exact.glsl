//@ exact.vert
layout(location=0) in vec4 p; layout(location=1) in vec4 c; layout(location=2) in uint id;
layout(location=0) flat out uint oid; layout(location=1) flat out vec4 oc;
void main(){ gl_Position=p; oid=id; oc=c; }
//@ exact.frag
layout(location=0) flat in uint id; layout(location=1) flat in vec4 c; layout(location=0) out vec4 o;
layout(binding=0) buffer Bits { uint b[]; };
void main(){
  if(all(equal(gl_FragCoord.xy,c.xy))) atomicOr(b[id>>5u],1u<<(id&31u));
  o=vec4(1);
}
