/* Fast path of filtered sampling, for what most requests are: 2D images of four 8-bit components, contiguous
 * in RAM, isotropic. A warp goes through each stage at once. Each lane equals et_sample_lane's result bit for
 * bit; what is out of the ordinary is left to it. */
#include "texture/filter.h"
#include "texture/sample.h"

#include "base/bits.h"

/* The widest size whose coordinates keep 21 fraction bits, and how far a coordinate may go for exact doubles:
 * the bits of 2^15. */
#define MOST_SIZE       8192
#define MOST_COORDINATE 0x47000000

/* What the stages hand on, a lane each. */
struct warp {
    uint32_t mask, odd;    /* lanes at work; lanes left over */
    double u[2][ET_LANES]; /* floor(coordinate * 2^21) */
    uint8_t first[ET_LANES], share[ET_LANES];
    uint64_t layer[ET_LANES]; /* byte offset */
    /* Of the level at hand. */
    int32_t total[ET_LANES]; /* weight, 0: not of this level */
    int32_t index[2][2][ET_LANES], fraction[2][ET_LANES];
    uint32_t offset[2][2][ET_LANES];
    uint32_t texel[4][ET_LANES];
    /* Pairs of 16-bit numbers: components 0 and 2, 1 and 3. */
    uint16_t weight[4][2 * ET_LANES];
    uint16_t sum[2][2 * ET_LANES];
};

/* floor for magnitudes below 2^51, in round-to-nearest; without a branch, so that loops of it vectorise. */
static inline double floor_of(double x)
{
    const double rounded = (x + 0x1.8p52) - 0x1.8p52;
    const uint64_t above = 0 - (et_double_bits(x - rounded + 0.0) >> 63); /* + 0: x may be -0 */
    return rounded - et_double(above & UINT64_C(0x3ff0000000000000));
}

static void take_coordinates(struct warp *warp, const struct et_tex_lanes *lanes)
{
    for (unsigned d = 0; d < 2; d++) {
        uint32_t far = 0;
        union {
            uint32_t bits[ET_LANES];
            float value[ET_LANES];
        } at;
        for (unsigned lane = 0; lane < ET_LANES; lane++) {
            const uint32_t bits = lanes->coord[d][lane];
            const uint32_t ordinary = (int32_t)(bits & 0x7fffffff) < MOST_COORDINATE ? UINT32_MAX : 0;
            at.bits[lane] = bits & ordinary;
            far |= ~ordinary;
        }
        for (unsigned lane = 0; far && lane < ET_LANES; lane++)
            warp->odd |= (uint32_t)((lanes->coord[d][lane] & 0x7fffffff) >= MOST_COORDINATE) << lane;
        for (unsigned lane = 0; lane < ET_LANES; lane++)
            warp->u[d][lane] = floor_of((double)at.value[lane] * 0x1p21);
    }
}

/* Index and fraction along one axis: (u size - 1/2) in 1/256 texel, half up; or the texel itself. */
static void locate(struct warp *warp, unsigned d, uint32_t size, bool linear)
{
    const double scale = linear ? size * 0x1p-13 : size * 0x1p-21, half = linear ? 127.5 : 0;
    double at[ET_LANES];
    for (unsigned lane = 0; lane < ET_LANES; lane++)
        at[lane] = floor_of(warp->u[d][lane] * scale - half);
    if (!linear) {
        for (unsigned lane = 0; lane < ET_LANES; lane++)
            warp->index[d][0][lane] = (int32_t)at[lane];
        memset(warp->fraction[d], 0, sizeof warp->fraction[d]);
        return;
    }
    for (unsigned lane = 0; lane < ET_LANES; lane++) {
        const double index = floor_of(at[lane] * 0x1p-8);
        at[lane] -= index * 256;
        warp->index[d][0][lane] = (int32_t)index;
    }
    for (unsigned lane = 0; lane < ET_LANES; lane++)
        warp->fraction[d][lane] = (int32_t)at[lane];
}

static void wrap(struct warp *warp, unsigned d, uint32_t size, unsigned mode)
{
    int32_t *low = warp->index[d][0], *high = warp->index[d][1];
    const int32_t last = (int32_t)size - 1;
    for (unsigned lane = 0; lane < ET_LANES; lane++)
        high[lane] = low[lane] + 1;
    if (mode == ET_WRAP_REPEAT && !(size & (size - 1))) {
        for (unsigned lane = 0; lane < 2 * ET_LANES; lane++)
            low[lane] &= last; /* low and high are one array of two rows */
    } else if (mode == ET_WRAP_EDGE) {
        for (unsigned lane = 0; lane < ET_LANES; lane++) /* as hold_on_edge */
            if (low[lane] < 0 || low[lane] >= last)
                warp->fraction[d][lane] = 0;
        for (unsigned lane = 0; lane < 2 * ET_LANES; lane++) {
            const int32_t least = ET_MAX(low[lane], 0);
            low[lane] = ET_MIN(least, last);
        }
    } else {
        for (unsigned lane = 0; lane < 2 * ET_LANES; lane++) {
            low[lane] = et_wrap_index(low[lane], size, mode);
            if (low[lane] < 0) { /* the border */
                warp->odd |= 1u << lane % ET_LANES;
                low[lane] = 0;
            }
        }
    }
}

/* A texel's offset is the sum of its column's and its row's parts. */
static void address(struct warp *warp, const struct et_layout *layout)
{
    const unsigned bh = layout->block_height_log2, block = 9 + bh + layout->block_depth_log2;
    const uint32_t rows = ((layout->width + ET_GOB_WIDTH - 1) / ET_GOB_WIDTH) << block;
    const uint32_t *x = (const uint32_t *)warp->index[0][0], *y = (const uint32_t *)warp->index[1][0];
    uint32_t *column = warp->offset[0][0], *row = warp->offset[1][0];
    if (layout->pitch_linear) {
        for (unsigned i = 0; i < 2 * ET_LANES; i++) {
            column[i] = 4 * x[i];
            row[i] = y[i] * layout->pitch;
        }
        return;
    }
    for (unsigned i = 0; i < 2 * ET_LANES; i++) {
        const uint32_t b = 4 * x[i];
        column[i] = (b >> 6 << block) + et_gob_column(layout->turing_gob, b & 60);
        row[i] = (y[i] >> (3 + bh)) * rows + ((y[i] >> 3 & ((1u << bh) - 1)) << 9) +
                 et_gob_row(layout->turing_gob, y[i] & 7);
    }
}

static void load(struct warp *warp, const uint8_t *base, bool array, bool linear)
{
    for (unsigned lane = 0; lane < ET_LANES; lane++) {
        const uint8_t *from = base + (array ? warp->layer[lane] : 0);
        const uint8_t *upper = from + warp->offset[1][0][lane], *lower = from + warp->offset[1][1][lane];
        warp->texel[0][lane] = et_load32(upper + warp->offset[0][0][lane]);
        if (!linear)
            continue;
        warp->texel[1][lane] = et_load32(upper + warp->offset[0][1][lane]);
        warp->texel[2][lane] = et_load32(lower + warp->offset[0][0][lane]);
        warp->texel[3][lane] = et_load32(lower + warp->offset[0][1][lane]);
    }
}

/* The weights of et_filter_weights without a third axis, each twice for the pairs. */
static void weigh(struct warp *warp)
{
    int32_t w[4][ET_LANES];
    for (unsigned lane = 0; lane < ET_LANES; lane++) {
        const int32_t right = (warp->fraction[0][lane] * warp->total[lane] + 128) >> 8;
        const int32_t left = warp->total[lane] - right;
        w[2][lane] = (warp->fraction[1][lane] * left + 127) >> 8;
        w[3][lane] = (warp->fraction[1][lane] * right + 128) >> 8;
        w[0][lane] = left - w[2][lane];
        w[1][lane] = right - w[3][lane];
    }
    for (unsigned k = 0; k < 4; k++)
        for (unsigned lane = 0; lane < ET_LANES; lane++) {
            const uint32_t pair = (uint32_t)w[k][lane] * 0x10001u;
            memcpy(&warp->weight[k][2 * lane], &pair, sizeof pair);
        }
}

/* Sums stay below 2^16: weights sum to 256, codes to 255. */
static void accumulate(struct warp *warp, unsigned corners, bool first)
{
    for (unsigned i = 0; first && i < 2 * ET_LANES; i++)
        warp->sum[0][i] = warp->sum[1][i] = 0;
    for (unsigned k = 0; k < corners; k++) {
        uint16_t even[2 * ET_LANES], odd[2 * ET_LANES];
        for (unsigned lane = 0; lane < ET_LANES; lane++) {
            const uint32_t low = warp->texel[k][lane] & 0x00ff00ff,
                           high = warp->texel[k][lane] >> 8 & 0x00ff00ff;
            memcpy(&even[2 * lane], &low, sizeof low);
            memcpy(&odd[2 * lane], &high, sizeof high);
        }
        for (unsigned i = 0; i < 2 * ET_LANES; i++) {
            warp->sum[0][i] = (uint16_t)(warp->sum[0][i] + even[i] * warp->weight[k][i]);
            warp->sum[1][i] = (uint16_t)(warp->sum[1][i] + odd[i] * warp->weight[k][i]);
        }
    }
}

static void finish(const struct warp *warp, struct et_tex_request *request)
{
    float value[4][ET_LANES];
    for (unsigned half = 0; half < 2; half++) {
        uint32_t pair[ET_LANES];
        memcpy(pair, warp->sum[half], sizeof pair);
        for (unsigned lane = 0; lane < ET_LANES; lane++) {
            const int32_t low = (int32_t)(pair[lane] & 0xffff), high = (int32_t)(pair[lane] >> 16);
            /* (sum 257 + 128) >> 8 */
            value[half][lane] = (float)(low + ((low + 128) >> 8)) / 65535;
            value[half + 2][lane] = (float)(high + ((high + 128) >> 8)) / 65535;
        }
    }
    for (unsigned c = 0; c < 4; c++) {
        const struct et_slot *slot = &request->plan->slot[c];
        const bool constant = slot->klass == ET_CLASS_NONE;
        const float *from = value[slot->component];
        if (warp->mask == UINT32_MAX && !constant) {
            memcpy(request->out[c], from, sizeof value[0]);
            continue;
        }
        for (uint32_t mask = warp->mask; mask; mask &= mask - 1) {
            const unsigned lane = (unsigned)__builtin_ctz(mask);
            request->out[c][lane] = constant ? slot->constant : et_float_bits(from[lane]);
        }
    }
}

/* Levels of each lane; lanes that filter otherwise than the first or are anisotropic are left over. */
static bool choose_levels(struct warp *warp, struct et_tex_request *request, bool *linear)
{
    const struct et_tex_plan *plan = request->plan;
    const bool shared = request->instruction->lod == ET_LOD_AUTO || request->instruction->lod == ET_LOD_ZERO;
    struct et_sample_lod lod = {0};
    unsigned quad = UINT32_MAX;
    bool chosen = false;
    *linear = plan->sampler.magnify >= ET_FILTER_LINEAR;
    if (!plan->level_matters)
        return false;
    memset(warp->first, 0, sizeof warp->first);
    memset(warp->share, 0, sizeof warp->share);
    for (uint32_t mask = warp->mask; mask; mask &= mask - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(mask);
        if (!shared || lane / 4 != quad)
            lod = et_sample_lod(request, lane);
        quad = lane / 4;
        const bool is_linear =
            (lod.magnify ? plan->sampler.magnify : plan->sampler.minify) >= ET_FILTER_LINEAR;
        if (!chosen)
            *linear = is_linear;
        chosen = true;
        if (is_linear != *linear || lod.footprint.ratio)
            warp->odd |= 1u << lane;
        if (plan->sampler.mip == ET_MIP_LINEAR) {
            warp->first[lane] = (uint8_t)(lod.clamped >> 8);
            warp->share[lane] = (uint8_t)(lod.clamped & 255);
        } else if (plan->sampler.mip == ET_MIP_POINT) {
            warp->first[lane] = (uint8_t)((lod.clamped + 128) >> 8);
        }
    }
    return plan->sampler.mip >= ET_MIP_POINT;
}

/* Weights of the lanes that take part in view level `level`; false: none does. Every lane's indices lie
 * inside the level, so that all are loaded: those of weight 0 add nothing. */
static bool take_part(struct warp *warp, unsigned level, bool levels)
{
    bool any = false;
    for (unsigned lane = 0; !levels && lane < ET_LANES; lane++)
        warp->total[lane] = 256;
    if (!levels)
        return true;
    for (unsigned lane = 0; lane < ET_LANES; lane++) {
        warp->total[lane] = warp->first[lane] == level        ? 256 - warp->share[lane]
                            : warp->first[lane] + 1u == level ? warp->share[lane]
                                                              : 0;
        if (!(warp->mask >> lane & 1))
            warp->total[lane] = 0;
        any = any || warp->total[lane];
    }
    return any;
}

static void add_offsets(struct warp *warp, const struct et_tex_lanes *lanes)
{
    for (unsigned d = 0; d < 2; d++)
        for (unsigned lane = 0; lane < ET_LANES; lane++)
            warp->index[d][0][lane] += lanes->offset[0][d][lane];
}

static bool applies(const struct et_tex_request *request)
{
    const struct et_tex_plan *plan = request->plan;
    const struct et_texture_level *level = &plan->texture.level[plan->texture.first_level];
    return plan->bytes && request->texels.base && request->instruction->dim == ET_TEX_2D &&
           plan->texture.type != ET_TEXTURE_3D && !request->instruction->shadow &&
           !et_sample_clamps(plan->sampler.wrap[0]) && !et_sample_clamps(plan->sampler.wrap[1]) &&
           et_sample_normalized(plan) && level->width <= MOST_SIZE && level->height <= MOST_SIZE &&
           et_layout_size(&level->layout) <= UINT32_MAX;
}

uint32_t et_sample_fast(struct et_tex_request *request)
{
    const struct et_tex_plan *plan = request->plan;
    const struct et_texture *texture = &plan->texture;
    struct warp warp;
    unsigned last = texture->last_level - texture->first_level;
    bool linear, levels, first = true;
    if (!applies(request))
        return request->mask;
    warp.mask = request->mask;
    warp.odd = 0;
    take_coordinates(&warp, request->lanes);
    levels = choose_levels(&warp, request, &linear);
    if (!levels)
        last = 0;
    warp.odd &= request->mask;
    warp.mask &= ~warp.odd;
    if (request->instruction->array)
        for (unsigned lane = 0; lane < ET_LANES; lane++)
            warp.layer[lane] = texture->layer_stride * et_plan_layer(plan, request->instruction,
                                                                     request->lanes->layer[lane] & 0xffff, 0);
    for (unsigned k = 0; k <= last && warp.mask; k++) {
        const struct et_texture_level *level = &texture->level[texture->first_level + k];
        if (!take_part(&warp, k, levels))
            continue;
        locate(&warp, 0, level->width, linear);
        locate(&warp, 1, level->height, linear);
        if (request->instruction->offset)
            add_offsets(&warp, request->lanes);
        wrap(&warp, 0, level->width, plan->sampler.wrap[0]);
        wrap(&warp, 1, level->height, plan->sampler.wrap[1]);
        address(&warp, &level->layout);
        load(&warp, request->texels.base + level->offset, request->instruction->array, linear);
        weigh(&warp);
        accumulate(&warp, linear ? 4 : 1, first);
        first = false;
    }
    warp.odd &= request->mask;
    warp.mask &= ~warp.odd;
    if (!first)
        finish(&warp, request);
    return warp.odd;
}
