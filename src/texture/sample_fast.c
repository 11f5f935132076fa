/* Fast paths of filtered sampling, for what most requests are: 2D images of four 8-bit components, contiguous
 * in RAM, isotropic. Each lane equals et_sample_lane's result bit for bit; what is out of the ordinary is
 * left to it. */
#include "texture/filter.h"
#include "texture/sample.h"

#include "base/bits.h"

#include <math.h>

/* A level with the constants of its addressing: an offset is the sum of a column's and a row's part. */
struct place_of {
    const uint8_t *base;
    const struct et_layout *layout;
    uint32_t width, height;
    uint64_t row_of_blocks; /* bytes */
    int bits;               /* fraction bits of coordinates */
};

static struct place_of open_level(const struct et_tex_request *request, unsigned level, uint32_t layer)
{
    const struct et_texture *texture = &request->plan->texture;
    const struct et_texture_level *in = &texture->level[level];
    const unsigned bh = in->layout.block_height_log2, bd = in->layout.block_depth_log2;
    return (struct place_of){
        .base = request->texels.base + layer * texture->layer_stride + in->offset,
        .layout = &in->layout,
        .width = in->width,
        .height = in->height,
        .row_of_blocks = (((uint64_t)in->layout.width + ET_GOB_WIDTH - 1) / ET_GOB_WIDTH) << (9 + bh + bd),
    };
}

static uint64_t column_part(const struct place_of *level, uint32_t x)
{
    const struct et_layout *layout = level->layout;
    if (layout->pitch_linear)
        return x;
    return ((uint64_t)(x / ET_GOB_WIDTH) << (9 + layout->block_height_log2 + layout->block_depth_log2)) +
           et_gob_offset(x & 63, 0);
}

static uint64_t row_part(const struct place_of *level, uint32_t y)
{
    const struct et_layout *layout = level->layout;
    const unsigned bh = layout->block_height_log2;
    if (layout->pitch_linear)
        return (uint64_t)y * layout->pitch;
    return (y >> (3 + bh)) * level->row_of_blocks + (((y / ET_GOB_HEIGHT) & ((1u << bh) - 1)) << 9) +
           et_gob_offset(0, y & 7);
}

/* The widest size whose coordinates keep 21 fraction bits, and how far a coordinate may go for 64-bit
 * products. */
#define MOST_SIZE  8192
#define MOST_TURNS 0x1p18f

/* floor(coordinate * 2^21); a NaN is no ordinary coordinate. */
static bool fixed(float coordinate, int64_t *x)
{
    const double scaled = (double)coordinate * 0x1p21;
    if (!(fabsf(coordinate) < MOST_TURNS))
        return false;
    *x = (int64_t)scaled;
    *x -= (double)*x > scaled;
    return true;
}

static int64_t linear(int64_t x, uint32_t size)
{
    return (x * (int64_t)size * 256 - (INT64_C(128) << 21) + (1 << 20)) >> 21;
}

/* Four bytes to four 16-bit parts. */
static uint64_t widen(uint32_t texel)
{
    uint64_t wide = texel;
    wide = (wide | wide << 16) & UINT64_C(0x0000ffff0000ffff);
    return (wide | wide << 8) & UINT64_C(0x00ff00ff00ff00ff);
}

/* Adds one level's quad, or its one texel, with weights that sum to `total`; false: a border is touched. */
static bool add(const struct et_tex_request *request, const struct place_of *level, bool is_linear, int64_t x,
                int64_t y, unsigned lane, int total, uint64_t *sum)
{
    const uint8_t *wrap = request->plan->sampler.wrap;
    const int64_t dx = request->instruction->offset ? request->lanes->offset[0][0][lane] : 0;
    const int64_t dy = request->instruction->offset ? request->lanes->offset[0][1][lane] : 0;
    if (!is_linear) {
        const int32_t i = et_wrap_index(((x * (int64_t)level->width) >> 21) + dx, level->width, wrap[0]);
        const int32_t j = et_wrap_index(((y * (int64_t)level->height) >> 21) + dy, level->height, wrap[1]);
        if (i < 0 || j < 0)
            return false;
        *sum += widen(et_load32(level->base + column_part(level, 4 * (uint32_t)i) +
                                row_part(level, (uint32_t)j))) *
                (uint64_t)total;
        return true;
    }
    const int64_t at_x = linear(x, level->width), at_y = linear(y, level->height);
    const int64_t i = (at_x >> 8) + dx, j = (at_y >> 8) + dy;
    const int32_t i0 = et_wrap_index(i, level->width, wrap[0]),
                  i1 = et_wrap_index(i + 1, level->width, wrap[0]);
    const int32_t j0 = et_wrap_index(j, level->height, wrap[1]),
                  j1 = et_wrap_index(j + 1, level->height, wrap[1]);
    const int a = (int)(at_x & 255), b = (int)(at_y & 255);
    if ((i0 | i1 | j0 | j1) < 0)
        return false;
    const uint64_t left = column_part(level, 4 * (uint32_t)i0), right = column_part(level, 4 * (uint32_t)i1);
    const uint8_t *upper = level->base + row_part(level, (uint32_t)j0);
    const uint8_t *lower = level->base + row_part(level, (uint32_t)j1);
    /* The weights of et_filter_weights without a third axis. */
    const int w_right = (a * total + 128) >> 8, w_left = total - w_right;
    const int w2 = (b * w_left + 127) >> 8, w3 = (b * w_right + 128) >> 8;
    *sum += widen(et_load32(upper + left)) * (uint64_t)(w_left - w2) +
            widen(et_load32(upper + right)) * (uint64_t)(w_right - w3) +
            widen(et_load32(lower + left)) * (uint64_t)w2 + widen(et_load32(lower + right)) * (uint64_t)w3;
    return true;
}

/* Sums of 8-bit codes with weights of 256 to the four results. */
static void finish(const struct et_tex_request *request, unsigned lane, uint64_t sum)
{
    float value[4];
    for (unsigned c = 0; c < 4; c++) {
        const uint32_t part = (uint32_t)(sum >> (16 * c)) & 0xffff;
        value[c] = (float)(int32_t)((part * 257 + 128) >> 8);
    }
    for (unsigned c = 0; c < 4; c++)
        value[c] /= 65535;
    for (unsigned c = 0; c < 4; c++) {
        const struct et_slot *slot = &request->plan->slot[c];
        request->out[c][lane] =
            slot->klass == ET_CLASS_NONE ? slot->constant : et_float_bits(value[slot->component]);
    }
}

static bool sample_lane(struct et_tex_request *request, unsigned lane)
{
    const struct et_tex_plan *plan = request->plan;
    const struct et_texture *texture = &plan->texture;
    struct et_sample_lod lod = {.magnify = true};
    unsigned first = 0, share = 0;
    uint64_t sum = 0;
    int64_t x, y;
    if (!fixed(et_float(request->lanes->coord[0][lane]), &x) ||
        !fixed(et_float(request->lanes->coord[1][lane]), &y))
        return false;
    if (plan->level_matters)
        lod = et_sample_lod(request, lane);
    const bool is_linear = (lod.magnify ? plan->sampler.magnify : plan->sampler.minify) >= ET_FILTER_LINEAR;
    if (lod.footprint.ratio && is_linear)
        return false;
    if (plan->sampler.mip == ET_MIP_LINEAR) {
        first = (unsigned)lod.clamped >> 8;
        share = (unsigned)lod.clamped & 255;
    } else if (plan->sampler.mip == ET_MIP_POINT) {
        first = ((unsigned)lod.clamped + 128) >> 8;
    }
    const uint32_t layer = et_plan_layer(plan, request->instruction, request->lanes->layer[lane] & 0xffff, 0);
    for (unsigned k = 0; k < (share ? 2 : 1); k++) {
        const unsigned number = ET_MIN(texture->first_level + first + k, texture->last_level);
        const struct place_of level = open_level(request, number, layer);
        if (!add(request, &level, is_linear, x, y, lane, (int)(k ? share : 256 - share), &sum))
            return false;
    }
    finish(request, lane, sum);
    return true;
}

uint32_t et_sample_fast(struct et_tex_request *request)
{
    const struct et_tex_plan *plan = request->plan;
    const struct et_texture_level *level = &plan->texture.level[plan->texture.first_level];
    uint32_t left = 0;
    if (!plan->bytes || !request->texels.base || request->instruction->dim != ET_TEX_2D ||
        plan->texture.type == ET_TEXTURE_3D || request->instruction->shadow || !et_sample_normalized(plan) ||
        level->width > MOST_SIZE || level->height > MOST_SIZE)
        return request->mask;
    for (uint32_t mask = request->mask; mask; mask &= mask - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(mask);
        if (!sample_lane(request, lane))
            left |= 1u << lane;
    }
    return left;
}
