/* Vertices: their layout, decoding, and the bounding box test.
 *
 * A vertex is weights, texture coordinates, colour, normal and position, in this order, each aligned to its
 * component, the whole to its widest; morph targets follow each other [DRV]. */
#include "ge/ge.h"

static const uint8_t component_size[4] = {0, 1, 2, 4};
static const uint8_t color_size[8] = {0, 0, 0, 0, 2, 2, 2, 4};

/* Appends `count` components of `size` bytes; where they start. */
static uint8_t append(unsigned *at, unsigned *widest, unsigned size, unsigned count)
{
    unsigned offset;
    if (!size)
        return (uint8_t)*at;
    offset = (unsigned)et_align_up(*at, size);
    *widest = ET_MAX(*widest, size);
    *at = offset + size * count;
    return (uint8_t)offset;
}

void etalon_ge_vertex_layout(uint32_t vertex_type, struct etalon_ge_vertex_layout *layout)
{
    unsigned at = 0, widest = 1;
    memset(layout, 0, sizeof *layout);
    layout->texture_format = (uint8_t)et_bits(vertex_type, 1, 0);
    layout->color_format = (uint8_t)et_bits(vertex_type, 4, 2);
    layout->normal_format = (uint8_t)et_bits(vertex_type, 6, 5);
    layout->position_format = (uint8_t)et_bits(vertex_type, 8, 7);
    layout->weight_format = (uint8_t)et_bits(vertex_type, 10, 9);
    layout->index_size = component_size[et_bits(vertex_type, 12, 11)];
    layout->weights = layout->weight_format ? (uint8_t)(et_bits(vertex_type, 16, 14) + 1) : 0;
    layout->morphs = (uint8_t)(et_bits(vertex_type, 20, 18) + 1);
    layout->through = et_bits(vertex_type, 23, 23);

    layout->weight_offset = append(&at, &widest, component_size[layout->weight_format], layout->weights);
    layout->texture_offset = append(&at, &widest, component_size[layout->texture_format], 2);
    layout->color_offset = append(&at, &widest, color_size[layout->color_format], 1);
    layout->normal_offset = append(&at, &widest, component_size[layout->normal_format], 3);
    /* A vertex without a position has one of bytes [DRV]. */
    layout->position_offset =
        append(&at, &widest, layout->position_format ? component_size[layout->position_format] : 1, 3);
    layout->size = (uint16_t)et_align_up(at, widest);
    layout->stride = (uint16_t)(layout->size * layout->morphs);
}

float etalon_ge_matrix_float(uint32_t word)
{
    return et_float(word << 8);
}

/* Component i of a format, unscaled. */
static float component(const uint8_t *from, unsigned format, unsigned i, bool is_signed)
{
    uint16_t half;
    switch (format) {
    case 1:
        return is_signed ? (float)(int8_t)from[i] : (float)from[i];
    case 2:
        memcpy(&half, from + 2 * i, sizeof half);
        return is_signed ? (float)(int16_t)half : (float)half;
    case 3:
        return et_float(et_load32(from + 4 * i));
    default:
        return 0;
    }
}

static float scale_of(unsigned format)
{
    return format == 1 ? 1.0f / 128 : format == 2 ? 1.0f / 32768 : 1.0f;
}

/* Adds `by` times the colour at `from`. */
static void add_color(const uint8_t *from, unsigned format, float by, float color[4])
{
    static const uint8_t widths[3][4] = {{5, 6, 5, 0}, {5, 5, 5, 1}, {4, 4, 4, 4}};
    const uint8_t *width;
    uint16_t word;
    unsigned at = 0;
    if (format == 7) {
        for (int i = 0; i < 4; i++)
            color[i] += by * (float)from[i] / 255;
        return;
    }
    if (format < 4)
        return;
    width = widths[format - 4];
    memcpy(&word, from, sizeof word);
    for (int i = 0; i < 4; at += width[i++])
        color[i] +=
            by *
            (width[i] ? (float)et_bits(word, at + width[i] - 1, at) / (float)((1 << width[i]) - 1) : 1.0f);
}

static void add_target(const struct etalon_ge_vertex_layout *layout, const uint8_t *from, float by,
                       struct etalon_ge_vertex *vertex)
{
    const bool through = layout->through;
    const float uv = through ? by : by * scale_of(layout->texture_format);
    const float weight = by * scale_of(layout->weight_format);
    const float normal = by * scale_of(layout->normal_format);
    const unsigned format = layout->position_format ? layout->position_format : 1;
    const float position = through ? by : by * scale_of(format);
    for (unsigned i = 0; i < layout->weights; i++)
        vertex->weight[i] +=
            weight * component(from + layout->weight_offset, layout->weight_format, i, false);
    for (unsigned i = 0; i < 2; i++)
        vertex->texture[i] += uv * component(from + layout->texture_offset, layout->texture_format, i, false);
    add_color(from + layout->color_offset, layout->color_format, by, vertex->color);
    for (unsigned i = 0; i < 3; i++) {
        vertex->normal[i] += normal * component(from + layout->normal_offset, layout->normal_format, i, true);
        /* In through mode depth has no sign [DRV]. */
        vertex->position[i] +=
            position * component(from + layout->position_offset, format, i, !(through && i == 2));
    }
}

/* The number of vertex n of a draw, through its indices. */
static uint32_t index_of(const struct etalon_ge_snapshot *snapshot, uint32_t n)
{
    const uint8_t *indices = snapshot->indices;
    uint16_t half;
    switch (snapshot->layout.index_size) {
    case 1:
        return indices[n];
    case 2:
        memcpy(&half, indices + 2 * (size_t)n, sizeof half);
        return half;
    case 4:
        return et_load32(indices + 4 * (size_t)n);
    default:
        return n;
    }
}

bool etalon_ge_vertex(const struct etalon_ge_snapshot *snapshot, uint32_t n, struct etalon_ge_vertex *vertex)
{
    const struct etalon_ge_vertex_layout *layout = &snapshot->layout;
    const uint8_t *from;
    memset(vertex, 0, sizeof *vertex);
    if (n >= snapshot->count || !snapshot->vertices)
        return false;
    from = (const uint8_t *)snapshot->vertices +
           (size_t)(index_of(snapshot, n) - snapshot->lowest) * layout->stride;
    if (layout->morphs == 1) {
        add_target(layout, from, 1, vertex);
        return true;
    }
    for (unsigned i = 0; i < layout->morphs; i++)
        add_target(layout, from + (size_t)i * layout->size,
                   etalon_ge_matrix_float(snapshot->commands[ET_GE_MORPH_WEIGHT + i]), vertex);
    return true;
}

/* to = matrix (4 columns of 3) * (from, 1). */
static void transform(const uint32_t matrix[12], const float from[3], float to[3])
{
    for (int row = 0; row < 3; row++)
        to[row] = etalon_ge_matrix_float(matrix[row]) * from[0] +
                  etalon_ge_matrix_float(matrix[3 + row]) * from[1] +
                  etalon_ge_matrix_float(matrix[6 + row]) * from[2] + etalon_ge_matrix_float(matrix[9 + row]);
}

static void skin(const struct etalon_ge_snapshot *snapshot, const struct etalon_ge_vertex *vertex,
                 float to[3])
{
    float sum[3] = {0, 0, 0};
    if (!snapshot->layout.weights) {
        memcpy(to, vertex->position, sizeof sum);
        return;
    }
    for (unsigned i = 0; i < snapshot->layout.weights; i++) {
        float part[3];
        transform(snapshot->matrices->bone + 12 * i, vertex->position, part);
        for (int row = 0; row < 3; row++)
            sum[row] += vertex->weight[i] * part[row];
    }
    memcpy(to, sum, sizeof sum);
}

static void to_clip(const struct etalon_ge_snapshot *snapshot, const struct etalon_ge_vertex *vertex,
                    float clip[4])
{
    const struct etalon_ge_matrices *matrices = snapshot->matrices;
    float model[3], world[3], view[3];
    skin(snapshot, vertex, model);
    transform(matrices->world, model, world);
    transform(matrices->view, world, view);
    for (int row = 0; row < 4; row++)
        clip[row] = etalon_ge_matrix_float(matrices->projection[row]) * view[0] +
                    etalon_ge_matrix_float(matrices->projection[4 + row]) * view[1] +
                    etalon_ge_matrix_float(matrices->projection[8 + row]) * view[2] +
                    etalon_ge_matrix_float(matrices->projection[12 + row]);
}

/* The drawing region in screen coordinates of axis 0 (x) or 1 (y), with a pixel of slack [DRV]. */
static void drawing_region(const uint32_t *commands, int axis, float *low, float *high)
{
    const unsigned lo = axis ? 10 : 0, hi = lo + 9;
    const float offset = (float)et_bits(commands[ET_GE_SCREEN_OFFSET_X + axis], 15, 0) / 16;
    const int region = (int)et_bits(commands[ET_GE_REGION1], hi, lo) - 0x100;
    const int scissor = (int)et_bits(commands[ET_GE_SCISSOR1], hi, lo);
    const uint32_t region_end = et_bits(commands[ET_GE_REGION2], hi, lo);
    const uint32_t scissor_end = et_bits(commands[ET_GE_SCISSOR2], hi, lo);
    *low = offset + (float)ET_MAX(region, scissor) - 1;
    *high = offset + (float)ET_MIN(region_end, scissor_end) + 1;
}

/* Six planes: the drawing region's sides, then near and far; bit set: the point is beyond. */
static unsigned planes_beyond(const uint32_t *commands, const float clip[4])
{
    unsigned beyond = 0;
    for (int axis = 0; axis < 2; axis++) {
        const float scale = etalon_ge_matrix_float(commands[ET_GE_VIEWPORT + axis]);
        const float centre = etalon_ge_matrix_float(commands[ET_GE_VIEWPORT + 3 + axis]);
        const float screen = scale * clip[axis] + centre * clip[3];
        float low, high;
        drawing_region(commands, axis, &low, &high);
        beyond |= (screen - low * clip[3] < 0 ? 1u : 0u) << (2 * axis);
        beyond |= (high * clip[3] - screen < 0 ? 1u : 0u) << (2 * axis + 1);
    }
    beyond |= clip[3] + clip[2] < 0 ? 1u << 4 : 0;
    beyond |= clip[3] - clip[2] < 0 ? 1u << 5 : 0;
    return beyond;
}

bool etalon_ge_box_inside(const struct etalon_ge_snapshot *snapshot)
{
    uint32_t first = 0, last = snapshot->count;
    unsigned beyond = 0x3f;
    if (!snapshot->count)
        return false;
    if (!snapshot->vertices || snapshot->layout.through)
        return true; /* nothing to reject [INF] */
    /* Of more than 0x100 points only one run of 0x100 counts: the last but one [DRV]. */
    if (snapshot->count > 0x200) {
        first = snapshot->count - 0x200;
        last = first + 0x100;
    } else if (snapshot->count > 0x100)
        last = snapshot->count - 0x100;
    for (uint32_t n = first; n < last && beyond; n++) {
        struct etalon_ge_vertex vertex;
        float clip[4];
        etalon_ge_vertex(snapshot, n, &vertex);
        to_clip(snapshot, &vertex, clip);
        beyond &= planes_beyond(snapshot->commands, clip);
    }
    return !beyond;
}
