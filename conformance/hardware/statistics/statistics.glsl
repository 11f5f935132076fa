//@ count.vert
layout(location = 0) in vec4 in_position;
void main() { gl_Position = vec4(in_position.xy * 0.5 + float(gl_VertexIndex & 63) / 128, 0.5, 1); gl_PointSize = 1; }
//@ instance.vert
layout(location = 0) in vec4 in_position;
void main() { gl_Position = vec4(in_position.xy * 0.5 + float(gl_InstanceIndex) / 8, 0.5, 1); gl_PointSize = 1; }
//@ wide.vert
layout(location = 0) in vec4 in_position;
layout(location = 0) out vec4 v[16];
void main() { for (int i = 0; i < 16; i++) v[i] = in_position * float(gl_VertexIndex + i); gl_Position = vec4(in_position.xy * 0.5, 0.5, 1); gl_PointSize = 1; }
//@ record.vert
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
layout(location = 0) in vec4 in_position;
layout(push_constant) uniform C { uint number; };
layout(set = 0, binding = 0) buffer N { uint n[]; };
layout(set = 0, binding = 1) buffer R { uvec2 r[]; };
void main()
{
    uint w = 0;
    if (subgroupElect())
        w = atomicAdd(n[2 * number + 1], 1);
    w = subgroupBroadcastFirst(w);
    uint k = atomicAdd(n[2 * number], 1);
    if (k < 1024)
        r[number * 1024 + k] = uvec2(w << 8 | gl_SubgroupInvocationID, uint(gl_VertexIndex));
    gl_Position = vec4(in_position.xy * 0.5 + float(gl_VertexIndex & 63) / 128, 0.5, 1);
    gl_PointSize = 1;
}
//@ position.vert
layout(location = 0) in vec4 in_position;
void main() { gl_Position = in_position; gl_PointSize = 1; }
//@ distances.vert
layout(location = 0) in vec4 in_position;
layout(location = 1) in vec4 in_distance;
out float gl_ClipDistance[2];
out float gl_CullDistance[1];
void main() { gl_Position = in_position; gl_ClipDistance[0] = in_distance.x; gl_ClipDistance[1] = in_distance.y; gl_CullDistance[0] = in_distance.z; gl_PointSize = 1; }
//@ points.geom
layout(points) in;
layout(points, max_vertices = 2) out;
void main() { gl_Position = gl_in[0].gl_Position; gl_PointSize = 1; EmitVertex(); }
//@ lines.geom
layout(lines) in;
layout(line_strip, max_vertices = 2) out;
void main() { gl_Position = gl_in[0].gl_Position; EmitVertex(); gl_Position = gl_in[1].gl_Position; EmitVertex(); }
//@ adjacency.geom
layout(lines_adjacency) in;
layout(line_strip, max_vertices = 2) out;
void main() { gl_Position = gl_in[0].gl_Position; EmitVertex(); gl_Position = gl_in[3].gl_Position; EmitVertex(); }
//@ triangles.geom
layout(triangles, invocations = 3) in;
layout(triangle_strip, max_vertices = 4) out;
void main() { for (int i = 0; i < 4; i++) { gl_Position = gl_in[i % 3].gl_Position; EmitVertex(); } }
//@ ring.geom
layout(triangles_adjacency) in;
layout(triangle_strip, max_vertices = 6) out;
void main() { for (int i = 0; i < 6; i++) { gl_Position = gl_in[i].gl_Position; EmitVertex(); if (i == 2) EndPrimitive(); } }
//@ pass.tesc
layout(vertices = 3) out;
void main()
{
    gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID % gl_PatchVerticesIn].gl_Position;
    gl_TessLevelOuter[0] = 2; gl_TessLevelOuter[1] = 3; gl_TessLevelOuter[2] = 1;
    gl_TessLevelOuter[3] = 1; gl_TessLevelInner[0] = 3; gl_TessLevelInner[1] = 1;
}
//@ pass.tese
layout(triangles, equal_spacing, ccw) in;
void main() { gl_Position = gl_in[0].gl_Position * gl_TessCoord.x + gl_in[1].gl_Position * gl_TessCoord.y + gl_in[2].gl_Position * gl_TessCoord.z; }
//@ none.frag
layout(location = 0) out vec4 o;
void main() { o = vec4(1); }
