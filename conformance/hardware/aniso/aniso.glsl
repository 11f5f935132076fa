//@ taps.comp
layout(local_size_x=64) in;
layout(binding=0) uniform sampler2D t0; layout(binding=1) uniform sampler2D t1; layout(binding=2) uniform sampler2D t2;
layout(binding=3) uniform sampler2D t3; layout(binding=4) uniform sampler2D t4; layout(binding=5) uniform sampler2D t5;
layout(binding=6) uniform sampler2D t6; layout(binding=7) uniform sampler2D t7;
layout(binding=8) buffer A { float a[]; }; layout(binding=9) buffer B { vec4 b[]; };
void main(){ uint i=gl_GlobalInvocationID.x, k=9u*i; vec2 p=vec2(a[k],a[k+1u]), x=vec2(a[k+3u],a[k+4u]), y=vec2(a[k+6u],a[k+7u]);
  i*=8u;
  b[i]=textureGrad(t0,p,x,y); b[i+1u]=textureGrad(t1,p,x,y); b[i+2u]=textureGrad(t2,p,x,y); b[i+3u]=textureGrad(t3,p,x,y);
  b[i+4u]=textureGrad(t4,p,x,y); b[i+5u]=textureGrad(t5,p,x,y); b[i+6u]=textureGrad(t6,p,x,y); b[i+7u]=textureGrad(t7,p,x,y); }
//@ flat.comp
layout(local_size_x=64) in; layout(binding=0) uniform sampler2D t;
layout(binding=1) buffer A { float a[]; }; layout(binding=2) buffer B { vec4 b[]; };
void main(){ uint i=gl_GlobalInvocationID.x, k=9u*i;
  b[i]=textureGrad(t,vec2(a[k],a[k+1u]),vec2(a[k+3u],a[k+4u]),vec2(a[k+6u],a[k+7u])); }
//@ array.comp
layout(local_size_x=64) in; layout(binding=0) uniform sampler2DArray t;
layout(binding=1) buffer A { float a[]; }; layout(binding=2) buffer B { vec4 b[]; };
void main(){ uint i=gl_GlobalInvocationID.x, k=9u*i;
  b[i]=textureGrad(t,vec3(a[k],a[k+1u],1.0),vec2(a[k+3u],a[k+4u]),vec2(a[k+6u],a[k+7u])); }
//@ cube.comp
layout(local_size_x=64) in; layout(binding=0) uniform samplerCube t;
layout(binding=1) buffer A { float a[]; }; layout(binding=2) buffer B { vec4 b[]; };
void main(){ uint i=gl_GlobalInvocationID.x, k=9u*i;
  b[i]=textureGrad(t,vec3(a[k],a[k+1u],a[k+2u]),vec3(a[k+3u],a[k+4u],a[k+5u]),vec3(a[k+6u],a[k+7u],a[k+8u])); }
//@ volume.comp
layout(local_size_x=64) in; layout(binding=0) uniform sampler3D t;
layout(binding=1) buffer A { float a[]; }; layout(binding=2) buffer B { vec4 b[]; };
void main(){ uint i=gl_GlobalInvocationID.x, k=9u*i;
  b[i]=textureGrad(t,vec3(a[k],a[k+1u],a[k+2u]),vec3(a[k+3u],a[k+4u],a[k+5u]),vec3(a[k+6u],a[k+7u],a[k+8u])); }
//@ shadow.comp
layout(local_size_x=64) in; layout(binding=0) uniform sampler2DShadow t;
layout(binding=1) buffer A { float a[]; }; layout(binding=2) buffer B { vec4 b[]; };
void main(){ uint i=gl_GlobalInvocationID.x, k=9u*i;
  b[i]=vec4(textureGrad(t,vec3(a[k],a[k+1u],0.5),vec2(a[k+3u],a[k+4u]),vec2(a[k+6u],a[k+7u]))); }
