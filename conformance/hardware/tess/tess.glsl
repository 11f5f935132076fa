//@ tess.vert
layout(location=0) in vec4 p; layout(location=1) in vec4 c;
layout(location=0) out vec4 oc;
void main(){ gl_Position=p; oc=c; }
//@ tess.tesc
layout(vertices=2) out; layout(location=0) in vec4 c[];
void main(){ gl_out[gl_InvocationID].gl_Position=gl_in[gl_InvocationID].gl_Position;
 gl_TessLevelOuter[0]=c[0].x; gl_TessLevelOuter[1]=c[0].y; gl_TessLevelOuter[2]=c[0].z; gl_TessLevelOuter[3]=c[0].w;
 gl_TessLevelInner[0]=c[1].x; gl_TessLevelInner[1]=c[1].y; }
//@ isolines_equal_spacing.tese
layout(isolines, equal_spacing, ccw) in;
layout(location=0, xfb_buffer=0, xfb_stride=12, xfb_offset=0) out vec3 o;
void main(){ gl_Position=vec4(0); o=vec3(gl_TessCoord.xy, uintBitsToFloat(uint(gl_PrimitiveID))); }
//@ isolines_equal_spacing_points.tese
layout(isolines, equal_spacing, ccw, point_mode) in;
layout(location=0, xfb_buffer=0, xfb_stride=12, xfb_offset=0) out vec3 o;
void main(){ gl_Position=vec4(0); o=vec3(gl_TessCoord.xy, uintBitsToFloat(uint(gl_PrimitiveID))); }
//@ isolines_fractional_odd_spacing.tese
layout(isolines, fractional_odd_spacing, ccw) in;
layout(location=0, xfb_buffer=0, xfb_stride=12, xfb_offset=0) out vec3 o;
void main(){ gl_Position=vec4(0); o=vec3(gl_TessCoord.xy, uintBitsToFloat(uint(gl_PrimitiveID))); }
//@ isolines_fractional_odd_spacing_points.tese
layout(isolines, fractional_odd_spacing, ccw, point_mode) in;
layout(location=0, xfb_buffer=0, xfb_stride=12, xfb_offset=0) out vec3 o;
void main(){ gl_Position=vec4(0); o=vec3(gl_TessCoord.xy, uintBitsToFloat(uint(gl_PrimitiveID))); }
//@ isolines_fractional_even_spacing.tese
layout(isolines, fractional_even_spacing, ccw) in;
layout(location=0, xfb_buffer=0, xfb_stride=12, xfb_offset=0) out vec3 o;
void main(){ gl_Position=vec4(0); o=vec3(gl_TessCoord.xy, uintBitsToFloat(uint(gl_PrimitiveID))); }
//@ isolines_fractional_even_spacing_points.tese
layout(isolines, fractional_even_spacing, ccw, point_mode) in;
layout(location=0, xfb_buffer=0, xfb_stride=12, xfb_offset=0) out vec3 o;
void main(){ gl_Position=vec4(0); o=vec3(gl_TessCoord.xy, uintBitsToFloat(uint(gl_PrimitiveID))); }
//@ triangles_equal_spacing.tese
layout(triangles, equal_spacing, ccw) in;
layout(location=0, xfb_buffer=0, xfb_stride=12, xfb_offset=0) out vec3 o;
void main(){ gl_Position=vec4(0); o=vec3(gl_TessCoord.xy, uintBitsToFloat(uint(gl_PrimitiveID))); }
//@ triangles_equal_spacing_points.tese
layout(triangles, equal_spacing, ccw, point_mode) in;
layout(location=0, xfb_buffer=0, xfb_stride=12, xfb_offset=0) out vec3 o;
void main(){ gl_Position=vec4(0); o=vec3(gl_TessCoord.xy, uintBitsToFloat(uint(gl_PrimitiveID))); }
//@ triangles_fractional_odd_spacing.tese
layout(triangles, fractional_odd_spacing, ccw) in;
layout(location=0, xfb_buffer=0, xfb_stride=12, xfb_offset=0) out vec3 o;
void main(){ gl_Position=vec4(0); o=vec3(gl_TessCoord.xy, uintBitsToFloat(uint(gl_PrimitiveID))); }
//@ triangles_fractional_odd_spacing_points.tese
layout(triangles, fractional_odd_spacing, ccw, point_mode) in;
layout(location=0, xfb_buffer=0, xfb_stride=12, xfb_offset=0) out vec3 o;
void main(){ gl_Position=vec4(0); o=vec3(gl_TessCoord.xy, uintBitsToFloat(uint(gl_PrimitiveID))); }
//@ triangles_fractional_even_spacing.tese
layout(triangles, fractional_even_spacing, ccw) in;
layout(location=0, xfb_buffer=0, xfb_stride=12, xfb_offset=0) out vec3 o;
void main(){ gl_Position=vec4(0); o=vec3(gl_TessCoord.xy, uintBitsToFloat(uint(gl_PrimitiveID))); }
//@ triangles_fractional_even_spacing_points.tese
layout(triangles, fractional_even_spacing, ccw, point_mode) in;
layout(location=0, xfb_buffer=0, xfb_stride=12, xfb_offset=0) out vec3 o;
void main(){ gl_Position=vec4(0); o=vec3(gl_TessCoord.xy, uintBitsToFloat(uint(gl_PrimitiveID))); }
//@ quads_equal_spacing.tese
layout(quads, equal_spacing, ccw) in;
layout(location=0, xfb_buffer=0, xfb_stride=12, xfb_offset=0) out vec3 o;
void main(){ gl_Position=vec4(0); o=vec3(gl_TessCoord.xy, uintBitsToFloat(uint(gl_PrimitiveID))); }
//@ quads_equal_spacing_points.tese
layout(quads, equal_spacing, ccw, point_mode) in;
layout(location=0, xfb_buffer=0, xfb_stride=12, xfb_offset=0) out vec3 o;
void main(){ gl_Position=vec4(0); o=vec3(gl_TessCoord.xy, uintBitsToFloat(uint(gl_PrimitiveID))); }
//@ quads_fractional_odd_spacing.tese
layout(quads, fractional_odd_spacing, ccw) in;
layout(location=0, xfb_buffer=0, xfb_stride=12, xfb_offset=0) out vec3 o;
void main(){ gl_Position=vec4(0); o=vec3(gl_TessCoord.xy, uintBitsToFloat(uint(gl_PrimitiveID))); }
//@ quads_fractional_odd_spacing_points.tese
layout(quads, fractional_odd_spacing, ccw, point_mode) in;
layout(location=0, xfb_buffer=0, xfb_stride=12, xfb_offset=0) out vec3 o;
void main(){ gl_Position=vec4(0); o=vec3(gl_TessCoord.xy, uintBitsToFloat(uint(gl_PrimitiveID))); }
//@ quads_fractional_even_spacing.tese
layout(quads, fractional_even_spacing, ccw) in;
layout(location=0, xfb_buffer=0, xfb_stride=12, xfb_offset=0) out vec3 o;
void main(){ gl_Position=vec4(0); o=vec3(gl_TessCoord.xy, uintBitsToFloat(uint(gl_PrimitiveID))); }
//@ quads_fractional_even_spacing_points.tese
layout(quads, fractional_even_spacing, ccw, point_mode) in;
layout(location=0, xfb_buffer=0, xfb_stride=12, xfb_offset=0) out vec3 o;
void main(){ gl_Position=vec4(0); o=vec3(gl_TessCoord.xy, uintBitsToFloat(uint(gl_PrimitiveID))); }
//@ triangles_equal_spacing_cw.tese
layout(triangles, equal_spacing, cw) in;
layout(location=0, xfb_buffer=0, xfb_stride=12, xfb_offset=0) out vec3 o;
void main(){ gl_Position=vec4(0); o=vec3(gl_TessCoord.xy, uintBitsToFloat(uint(gl_PrimitiveID))); }
//@ quads_equal_spacing_cw.tese
layout(quads, equal_spacing, cw) in;
layout(location=0, xfb_buffer=0, xfb_stride=12, xfb_offset=0) out vec3 o;
void main(){ gl_Position=vec4(0); o=vec3(gl_TessCoord.xy, uintBitsToFloat(uint(gl_PrimitiveID))); }
