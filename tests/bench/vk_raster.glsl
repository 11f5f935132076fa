//@ full.vert
layout(location = 0) out vec2 place;
void main()
{
    vec2 corner = vec2((gl_VertexIndex << 1) & 2, gl_VertexIndex & 2);
    place = corner * 2.0;
    gl_Position = vec4(corner * 2.0 - 1.0, 1.0 - float(gl_InstanceIndex) / 64.0, 1.0);
}
//@ grid.vert
layout(location = 0) out vec2 place;
void main()
{
    int triangle = gl_VertexIndex / 3, k = gl_VertexIndex % 3, cell = triangle / 2;
    int corner = (triangle & 1) == 0 ? k : (k == 0 ? 1 : (k == 1 ? 3 : 2));
    place = (vec2(cell % 128, cell / 128) + vec2(corner & 1, corner >> 1)) / 128.0;
    gl_Position = vec4(place * 2.0 - 1.0, 0.5, 1.0);
}
//@ solid.frag
layout(location = 0) in vec2 place;
layout(location = 0) out vec4 color;
void main()
{
    color = vec4(place, 0.5, 0.5);
}
//@ bilinear.frag
layout(location = 0) in vec2 place;
layout(location = 0) out vec4 color;
layout(binding = 0) uniform sampler2D image;
void main()
{
    color = texture(image, place);
}
//@ fma.frag
layout(location = 0) in vec2 place;
layout(location = 0) out vec4 color;
void main()
{
    vec4 a = vec4(place, place.yx);
    for (int i = 0; i < 64; i++)
        a = fma(a, vec4(0.999, 1.001, 0.998, 1.002), vec4(0.001, -0.001, 0.002, -0.002));
    color = a;
}
//@ state.frag
layout(constant_id = 0) const float seed = 0.0;
layout(location = 0) in vec2 place;
layout(location = 0) out vec4 color;
void main()
{
    vec2 a = fract(place * (seed + 1.0) + vec2(seed * 0.125, seed * 0.25));
    float b = a.x > seed * 0.001 ? sqrt(a.y) : a.y * seed;
    color = vec4(a * b, max(b, seed * 0.002), 0.5);
}
