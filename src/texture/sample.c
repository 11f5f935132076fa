/* Filtered sampling: level of detail, footprint, weighted sum. This scalar path is the specification;
 * sample_fast.c holds the paths that must equal it. */
#include "texture/sample.h"

#include "base/bits.h"
#include "texture/filter.h"

#include <math.h>

#define MOST_QUADS 32

/* What is filtered: texels by slot and their weights, four a quad. */
struct footprint {
    bool point; /* a single texel, not filtered */
    unsigned quads, scale_log2;
    int weight[4 * MOST_QUADS];
    struct et_texel texel[4 * MOST_QUADS];
    float depth[4 * MOST_QUADS];
};

unsigned et_sample_dimensions(const struct et_tex_instruction *instruction)
{
    return instruction->dim == ET_TEX_1D ? 1 : instruction->dim == ET_TEX_2D ? 2 : 3;
}

bool et_sample_normalized(const struct et_tex_plan *plan)
{
    return plan->texture.normalized && !plan->sampler.unnormalized;
}

static float coordinate(const struct et_tex_request *request, unsigned d, unsigned lane)
{
    return et_float(request->lanes->coord[d][lane]);
}

/* Derivatives in texels of the view's first level: coarse ones of the quad, or the instruction's. */
static void derivatives(const struct et_tex_request *request, unsigned lane, unsigned dims, double x[3],
                        double y[3])
{
    const struct et_texture *texture = &request->plan->texture;
    const struct et_texture_level *level = &texture->level[texture->first_level];
    const uint32_t size[3] = {level->width, level->height, level->depth};
    const unsigned first = lane & ~3u;
    const bool scaled = et_sample_normalized(request->plan);
    for (unsigned d = 0; d < 3; d++) {
        float dx = 0, dy = 0;
        if (d < dims && request->instruction->lod == ET_LOD_GRADIENTS) {
            dx = et_float(request->lanes->ddx[d][lane]);
            dy = et_float(request->lanes->ddy[d][lane]);
        } else if (d < dims) {
            dx = coordinate(request, d, first + 1) - coordinate(request, d, first);
            dy = coordinate(request, d, first + 2) - coordinate(request, d, first);
        }
        x[d] = et_lod_derivative(dx, scaled ? size[d] : 1);
        y[d] = et_lod_derivative(dy, scaled ? size[d] : 1);
    }
}

static int cube_lod(const struct et_tex_request *request, unsigned lane, struct et_anisotropy *footprint)
{
    const struct et_texture *texture = &request->plan->texture;
    const uint32_t size = texture->level[texture->first_level].width;
    float lanes[3][3];
    for (unsigned k = 0; k < 3; k++)
        for (unsigned c = 0; c < 3; c++) {
            if (request->instruction->lod != ET_LOD_GRADIENTS) {
                lanes[k][c] = coordinate(request, c, (lane & ~3u) + k);
                continue;
            }
            lanes[k][c] = coordinate(request, c, lane);
            if (k)
                lanes[k][c] += et_float(k == 1 ? request->lanes->ddx[c][lane] : request->lanes->ddy[c][lane]);
        }
    if (request->plan->anisotropy > 1) {
        struct et_cube_derivatives cube;
        et_lod_derivatives_cube(lanes, size, &cube);
        et_lod_anisotropic_cube(&cube, request->plan->anisotropy, footprint);
        return footprint->lod;
    }
    return et_lod_log2(et_lod_length_cube(lanes, size));
}

static bool is_cube(const struct et_tex_request *request)
{
    return request->instruction->dim == ET_TEX_CUBE && (request->plan->texture.type == ET_TEXTURE_CUBE ||
                                                        request->plan->texture.type == ET_TEXTURE_CUBE_ARRAY);
}

static bool is_anisotropic(const struct et_tex_request *request)
{
    const unsigned lod = request->instruction->lod;
    return request->instruction->dim == ET_TEX_2D && request->plan->anisotropy > 1 && lod != ET_LOD_ZERO &&
           lod != ET_LOD_LEVEL && lod != ET_LOD_LEVEL_CLAMPED;
}

/* Level of detail before bias and clamps; fills *footprint for anisotropic requests. */
static int raw_lod(const struct et_tex_request *request, unsigned lane, struct et_anisotropy *footprint)
{
    const unsigned dims = et_sample_dimensions(request->instruction);
    const struct et_tex_plan *plan = request->plan;
    double x[3], y[3];
    *footprint = (struct et_anisotropy){0};
    switch ((enum et_tex_lod)request->instruction->lod) {
    case ET_LOD_ZERO:
        return 0;
    case ET_LOD_LEVEL:
    case ET_LOD_LEVEL_CLAMPED:
        return et_lod_fixed(et_float(request->lanes->lod[lane]));
    default:
        break;
    }
    if (is_cube(request))
        return cube_lod(request, lane, footprint);
    derivatives(request, lane, dims, x, y);
    if (is_anisotropic(request)) {
        et_lod_anisotropic(x, y, plan->anisotropy, footprint);
        return footprint->lod;
    }
    return et_lod_log2(dims == 3 ? et_lod_length3(x, y) : et_lod_length2(x, y));
}

/* The same for all lanes of a quad where its derivatives make it. */
static int quad_lod(struct et_tex_request *request, unsigned lane, struct et_anisotropy *footprint)
{
    const unsigned mode = request->instruction->lod;
    if (mode != ET_LOD_AUTO && mode != ET_LOD_BIAS && mode != ET_LOD_BIAS_CLAMPED)
        return raw_lod(request, lane, footprint);
    if (request->lod_quad != lane / 4 + 1) {
        request->lod_raw = raw_lod(request, lane, &request->lod_footprint);
        request->lod_quad = lane / 4 + 1;
    }
    *footprint = request->lod_footprint;
    return request->lod_raw;
}

struct et_sample_lod et_sample_lod(struct et_tex_request *request, unsigned lane)
{
    const struct et_tex_plan *plan = request->plan;
    const struct et_sampler *sampler = &plan->sampler;
    const unsigned mode = request->instruction->lod;
    const int last = (int)(plan->texture.last_level - plan->texture.first_level) * 256;
    struct et_sample_lod out;
    int lod = quad_lod(request, lane, &out.footprint) + sampler->bias, least = sampler->min_lod;
    if (mode == ET_LOD_BIAS || mode == ET_LOD_BIAS_CLAMPED)
        lod += et_lod_fixed(et_float(request->lanes->lod[lane]));
    out.unclamped = lod;
    if (mode == ET_LOD_BIAS_CLAMPED || mode == ET_LOD_LEVEL_CLAMPED)
        least = ET_MAX(least, et_lod_fixed(et_float(request->lanes->min_lod[lane])));
    lod = ET_MAX(ET_MIN(lod, sampler->max_lod), least);
    lod = ET_MAX(lod, plan->texture.min_lod);
    out.magnify = lod <= 0 && !out.footprint.ratio;
    out.clamped = ET_MIN(ET_MAX(lod, 0), last);
    return out;
}

/* Coordinates of one level before wrapping: index and fraction along each axis. A point has a fraction only
 * where it is to be moved. */
struct place {
    int64_t index[3];
    int fraction[3];
    bool linear;
};

static void locate(const struct et_tex_request *request, const double at[3], const uint32_t size[3],
                   unsigned dims, bool linear, bool moves, struct place *place)
{
    const bool scaled = et_sample_normalized(request->plan);
    place->linear = linear;
    for (unsigned d = 0; d < 3; d++) {
        place->index[d] = place->fraction[d] = 0;
        if (d >= dims)
            continue;
        if (linear || moves) {
            const int64_t x = linear ? et_coordinate_linear(at[d], scaled ? size[d] : 0)
                                     : et_coordinate_fine(at[d], scaled ? size[d] : 0);
            place->index[d] = x >> 8;
            place->fraction[d] = (int)(x & 255);
        } else {
            place->index[d] = et_coordinate_nearest(at[d], scaled ? size[d] : 0);
        }
    }
}

/* A texel's codes by slot, or its depth for comparisons. Index -1 on any axis: the border. */
static void take(struct et_tex_request *request, unsigned level, uint32_t layer, const int32_t index[3],
                 struct et_texel *slots, float *depth)
{
    const struct et_tex_plan *plan = request->plan;
    const struct et_texel_format *format = &plan->texture.format;
    const unsigned component = format->format->depth == 0xff ? 0 : format->format->depth;
    struct et_texel texel;
    if (index[0] < 0 || index[1] < 0 || index[2] < 0) {
        *slots = plan->border;
        *depth = plan->border_depth;
        return;
    }
    et_texels_read(&request->texels, level, layer, (uint32_t)index[0], (uint32_t)index[1], (uint32_t)index[2],
                   &texel);
    if (request->instruction->shadow)
        *depth =
            et_float(et_texel_value((enum et_texel_class)format->klass[component], texel.code[component]));
    else
        et_plan_slots(plan, &texel, slots);
}

bool et_sample_clamps(unsigned wrap)
{
    return wrap == ET_WRAP_CLAMP_OGL || wrap == ET_WRAP_MIRROR_ONCE_CLAMP_OGL;
}

/* OpenGL's CLAMP holds the coordinate itself in the image: a point is then on its texels, and a linear
 * footprint reaches half a texel into the border. [DOC: OpenGL, EXT_texture_mirror_clamp] */
static void clamp_axis(struct place *place, unsigned d, uint32_t size, bool mirrored)
{
    const int64_t half = place->linear ? 128 : 0, most = (int64_t)size * 256 - (place->linear ? 0 : 256);
    const int64_t far = INT64_C(1) << 40, index = ET_MAX(ET_MIN(place->index[d], far), -far);
    int64_t x = index * 256 + place->fraction[d] + half;
    if (mirrored && x < 0)
        x = place->linear ? -x : -256 - x;
    x = ET_MAX(ET_MIN(x, most), 0) - half;
    place->index[d] = x >> 8;
    place->fraction[d] = (int)(x & 255);
}

/* Clamping to the edge holds a linear footprint's coordinate on the centre of the outer texel. It shows where
 * levels are blended, for their weights are rounded. [HW:H200] */
static void hold_on_edge(struct place *place, unsigned d, uint32_t size)
{
    const int64_t last = (int64_t)size - 1;
    if (place->index[d] >= 0 && place->index[d] < last)
        return;
    place->index[d] = place->index[d] < 0 ? 0 : last;
    place->fraction[d] = 0;
}

/* The quads of one sample in one level, with weights that sum to `total`. */
static void add_level(struct et_tex_request *request, struct footprint *out, unsigned level, uint32_t layer,
                      const struct place *at, unsigned dims, int total)
{
    const struct et_tex_plan *plan = request->plan;
    const struct et_texture_level *in = &plan->texture.level[level];
    const uint32_t size[3] = {in->width, in->height, in->depth};
    struct place place[1] = {*at};
    int32_t index[3][2];
    int weights[8];
    for (unsigned d = 0; d < dims; d++)
        if (et_sample_clamps(plan->sampler.wrap[d]))
            clamp_axis(place, d, size[d], plan->sampler.wrap[d] == ET_WRAP_MIRROR_ONCE_CLAMP_OGL);
        else if (plan->sampler.wrap[d] == ET_WRAP_EDGE)
            hold_on_edge(place, d, size[d]);
    et_filter_weights(place->fraction[0], place->fraction[1], place->fraction[2], total, weights);
    for (unsigned d = 0; d < 3; d++)
        for (unsigned k = 0; k < 2; k++)
            index[d][k] = d < dims ? et_wrap_index(place->index[d] + k, size[d], plan->sampler.wrap[d]) : 0;
    for (unsigned z = 0; z < (dims == 3 ? 2 : 1); z++) {
        for (unsigned i = 0; i < 4; i++) {
            const int32_t texel[3] = {index[0][i & 1], index[1][i >> 1], index[2][z]};
            const unsigned n = 4 * out->quads + i;
            const bool touched = (!(i & 1) || place->fraction[0]) && (!(i >> 1) || place->fraction[1]) &&
                                 (!z || place->fraction[2]);
            out->weight[n] = weights[4 * z + i] || !touched ? weights[4 * z + i] : ET_WEIGHT_TOUCH;
            if (out->weight[n])
                take(request, level, layer, texel, &out->texel[n], &out->depth[n]);
        }
        out->quads++;
    }
}

/* The texel beyond a face's edge, on the adjoining face as if that were unfolded: centres are at odd
 * multiples of 1/size. */
static unsigned neighbour(unsigned face, int32_t size, int32_t at[2])
{
    int32_t s = 2 * at[0] + 1 - size, t = 2 * at[1] + 1 - size, major, v[3];
    if (at[0] >= 0 && at[0] < size && at[1] >= 0 && at[1] < size)
        return face;
    if (at[0] < 0 || at[0] >= size) {
        major = size - 1 - 2 * (at[0] < 0 ? -1 - at[0] : at[0] - size);
        s = at[0] < 0 ? -size : size;
    } else {
        major = size - 1 - 2 * (at[1] < 0 ? -1 - at[1] : at[1] - size);
        t = at[1] < 0 ? -size : size;
    }
    switch (face) {
    case 0:
        v[0] = major, v[1] = -t, v[2] = -s;
        break;
    case 1:
        v[0] = -major, v[1] = -t, v[2] = s;
        break;
    case 2:
        v[0] = s, v[1] = major, v[2] = t;
        break;
    case 3:
        v[0] = s, v[1] = -major, v[2] = -t;
        break;
    case 4:
        v[0] = s, v[1] = -t, v[2] = major;
        break;
    default:
        v[0] = -s, v[1] = -t, v[2] = -major;
        break;
    }
    const float vector[3] = {(float)v[0], (float)v[1], (float)v[2]};
    float fs, ft, fm;
    face = et_cube_face(vector, &fs, &ft, &fm);
    at[0] = ET_MIN(((int32_t)fs + size) >> 1, size - 1);
    at[1] = ET_MIN(((int32_t)ft + size) >> 1, size - 1);
    return face;
}

static bool is_outside(int32_t x, int32_t size)
{
    return x < 0 || x >= size;
}

/* A cube's quad over the seams: a corner's missing texel is shared out among the other three. [HW:H200]
 * Gathered texels may lie farther out: there the second axis stays on the face. [INF] */
static void add_cube_quad(struct et_tex_request *request, struct footprint *out, unsigned level,
                          uint32_t index, unsigned face, const int32_t corner[2], const int weights[4])
{
    const int32_t size = (int32_t)request->plan->texture.level[level].width, x = corner[0], y = corner[1];
    const bool at_corner = (x == -1 || x == size - 1) && (y == -1 || y == size - 1);
    int missing = -1, *quad = &out->weight[4 * out->quads];
    int32_t at[4][3];
    unsigned faces[4];
    for (int i = 0; i < 4; i++) {
        quad[i] = weights[i];
        at[i][0] = x + (i & 1);
        at[i][1] = y + (i >> 1);
        at[i][2] = 0;
        faces[i] = face;
        if (is_outside(at[i][0], size) && is_outside(at[i][1], size)) {
            missing = at_corner ? i : -1;
            at[i][1] = ET_MAX(ET_MIN(at[i][1], size - 1), 0);
        }
        if (missing != i)
            faces[i] = neighbour(face, size, at[i]);
    }
    if (missing >= 0) {
        const int lost = weights[missing] == ET_WEIGHT_TOUCH ? 0 : weights[missing], third = (lost + 1) / 3;
        quad[missing] = 0;
        for (int k = 1; lost && k < 4; k++) {
            int *const other = &quad[missing ^ k];
            *other = (*other == ET_WEIGHT_TOUCH ? 0 : *other) + (k < 3 ? third : lost - 2 * third);
        }
    }
    for (int i = 0; i < 4; i++)
        if (quad[i])
            take(request, level, et_plan_layer(request->plan, request->instruction, index, faces[i]), at[i],
                 &out->texel[4 * out->quads + (unsigned)i], &out->depth[4 * out->quads + (unsigned)i]);
    out->quads++;
}

/* Samples of a spread footprint go no farther than the middle of the first texels beyond a face. [HW:H200] */
static void hold_near_face(struct place *place, int32_t size)
{
    for (unsigned d = 0; d < 2; d++) {
        if (place->index[d] < -1) {
            place->index[d] = -1;
            place->fraction[d] = 0;
        } else if (place->index[d] >= size) {
            place->index[d] = size - 1;
            place->fraction[d] = 256;
        }
    }
}

static void add_cube_level(struct et_tex_request *request, struct footprint *out, unsigned level,
                           uint32_t index, unsigned face, const struct place *wanted, int total)
{
    const int32_t size = (int32_t)request->plan->texture.level[level].width;
    struct place place[1] = {*wanted};
    int weights[8];
    hold_near_face(place, size);
    const int32_t corner[2] = {(int32_t)place->index[0], (int32_t)place->index[1]};
    const bool turn = place->fraction[0] == 256 && corner[1] >= 0 && corner[1] < size - 1;
    et_filter_weights(turn ? 0 : place->fraction[0], place->fraction[1], 0, total, weights);
    if (turn) { /* the right column gets what the left one of its own quad would */
        weights[1] = weights[0];
        weights[3] = weights[2];
        weights[0] = weights[2] = 0;
    }
    for (int i = 0; i < 4; i++) {
        const bool touched = (!(i & 1) || place->fraction[0]) && (!(i >> 1) || place->fraction[1]);
        weights[i] = weights[i] || !touched ? weights[i] : ET_WEIGHT_TOUCH;
    }
    add_cube_quad(request, out, level, index, face, corner, weights);
}

static bool passes(unsigned function, float reference, float texel)
{
    switch (function) {
    case 0:
        return false;
    case 1:
        return reference < texel;
    case 2:
        return reference == texel;
    case 3:
        return reference <= texel;
    case 4:
        return reference > texel;
    case 5:
        return reference != texel;
    case 6:
        return reference >= texel;
    default:
        return true;
    }
}

/* Integer depth compares against a reference clamped to 0..1, float depth does not. [HW:H200] */
static float reference(const struct et_tex_request *request, unsigned lane)
{
    const struct et_texel_format *format = &request->plan->texture.format;
    const unsigned component = format->format->depth == 0xff ? 0 : format->format->depth;
    const float value = et_float(request->lanes->compare[lane]);
    if (format->klass[component] == ET_CLASS_F32)
        return value;
    return value > 0 ? fminf(value, 1) : 0;
}

static uint32_t compared(const struct et_tex_request *request, const struct footprint *in, unsigned lane)
{
    const struct et_sampler *sampler = &request->plan->sampler;
    const float value = reference(request, lane);
    int sum = 0, least = 1, most = 0;
    for (unsigned i = 0; i < 4 * in->quads; i++)
        if (in->weight[i] && in->weight[i] != ET_WEIGHT_TOUCH) {
            const int pass = passes(sampler->function, value, in->depth[i]);
            sum += pass * in->weight[i];
            least = ET_MIN(least, pass);
            most = ET_MAX(most, pass);
        }
    if (sampler->reduction != ET_REDUCTION_NONE)
        return et_float_bits(sampler->reduction == ET_REDUCTION_MINIMUM ? (float)least : (float)most);
    return et_float_bits(ldexpf((float)sum, -(int)in->scale_log2));
}

/* The least or greatest of the texels that have weight, at the precision of a filter's answer. [HW:H200] */
static uint32_t reduced(const struct footprint *in, enum et_texel_class klass, unsigned slot, bool minimum)
{
    struct et_texel best[4] = {{{0}}};
    float most = 0;
    bool first = true;
    for (unsigned i = 0; i < 4 * in->quads; i++) {
        float value;
        if (!in->weight[i] || in->weight[i] == ET_WEIGHT_TOUCH)
            continue;
        value = et_float(et_texel_value(klass, in->texel[i].code[slot]));
        if (first || (minimum ? value < most : value > most)) {
            most = value;
            best[0] = in->texel[i];
        }
        first = false;
    }
    return et_filter(klass, best, slot, (const int[4]){256}, 1, 8);
}

static void finish(struct et_tex_request *request, const struct footprint *in, unsigned lane)
{
    const struct et_tex_plan *plan = request->plan;
    const uint32_t result = request->instruction->shadow ? compared(request, in, lane) : 0;
    for (unsigned c = 0; c < 4; c++) {
        const struct et_slot *slot = &plan->slot[c];
        const enum et_texel_class klass = (enum et_texel_class)slot->klass;
        uint32_t value;
        if (klass == ET_CLASS_NONE)
            value = slot->constant;
        else if (request->instruction->shadow)
            value = result;
        else if (in->point)
            value = et_texel_value(klass, in->texel[0].code[c]);
        else if (plan->sampler.reduction != ET_REDUCTION_NONE && klass != ET_CLASS_INT)
            value = reduced(in, klass, c, plan->sampler.reduction == ET_REDUCTION_MINIMUM);
        else
            value = et_filter(klass, in->texel, c, in->weight, in->quads, in->scale_log2);
        request->out[c][lane] = value;
    }
}

/* A sample's place, moved by 1/256 texel; a point sample is then on its texel. */
static struct place move(const struct place *place, int64_t dx, int64_t dy)
{
    const int64_t x = place->index[0] * 256 + place->fraction[0] + dx;
    const int64_t y = place->index[1] * 256 + place->fraction[1] + dy;
    const int mask = place->linear ? 255 : 0;
    return (struct place){{x >> 8, y >> 8, 0}, {(int)x & mask, (int)y & mask, 0}, place->linear};
}

/* Where a sample's texels are: a level, and of a cube with seams the face. */
struct site {
    unsigned level, dims, face;
    uint32_t layer, index; /* of the array */
    bool seams;
};

static void add_quads(struct et_tex_request *request, struct footprint *out, const struct site *site,
                      const struct place *place, int total)
{
    if (site->seams)
        add_cube_level(request, out, site->level, site->index, site->face, place, total);
    else
        add_level(request, out, site->level, site->layer, place, site->dims, total);
}

/* One sample of a spread footprint, its weights multiplied to the footprint's scale. */
static void add_sample(struct et_tex_request *request, struct footprint *out, const struct site *site,
                       const struct place *place, int total, int finer)
{
    int *weights = &out->weight[4 * out->quads];
    add_quads(request, out, site, place, total);
    for (unsigned i = 0; i < 4; i++)
        weights[i] *= weights[i] == ET_WEIGHT_TOUCH ? 1 : finer;
}

/* The many samples of an anisotropic footprint in one level, of `total` of 256 parts, in their order along
 * the axis. Running sums of the inner pairs' shares are rounded, half down on the near side and half up on
 * the far one, so that they sum exactly. Each level splits its weights at its own scale, which the
 * footprint's may be twice. stretch: the steps' length in 1/64 of a texel. [HW:H200,
 * conformance/hardware/aniso] */
static void add_samples(struct et_tex_request *request, struct footprint *out, const struct site *site,
                        const struct place *place, const struct et_anisotropy *axis, int ratio, int total,
                        int stretch)
{
    struct et_taps taps;
    int share[2 * 8], running = 0, taken[2] = {0, 0};
    if (ratio == 0) {
        const struct place at = move(place, 0, 0);
        add_sample(request, out, site, &at, total, 1 << (out->scale_log2 - 8));
        return;
    }
    et_anisotropic_taps(ratio, &taps);
    for (int k = 0; k < taps.pairs; k++) {
        running += taps.weight[k] * total;
        for (int side = 0; side < 2; side++) {
            const int sum = (running + 127 + side) >> 8;
            share[side ? taps.pairs + k : taps.pairs - 1 - k] = sum - taken[side];
            taken[side] = sum;
        }
    }
    for (int i = 0; i < 2 * taps.pairs; i++) {
        const int k = i < taps.pairs ? taps.pairs - 1 - i : i - taps.pairs, sign = i < taps.pairs ? -1 : 1;
        const int64_t dx = et_anisotropic_shift(taps.offset[k], axis->dx, stretch);
        const int64_t dy = et_anisotropic_shift(taps.offset[k], axis->dy, stretch);
        const struct place moved = move(place, sign * dx, sign * dy);
        if (share[i])
            add_sample(request, out, site, &moved, share[i], (1 << out->scale_log2) / taps.scale);
    }
}

/* Ratio of the footprint as a level sees it: in the second of two levels the minor axis, shorter than a texel
 * there, counts as one. [HW:H200] */
static int level_ratio(const struct et_anisotropy *axis, unsigned share, bool second)
{
    return second ? ET_MAX(axis->ratio + (int)share - 256, 0) : axis->ratio;
}

/* The face that a cube's vector meets; `at` gets its coordinates there, 0 to 1. */
static unsigned face_place(const struct et_tex_request *request, unsigned lane, double at[2])
{
    float vector[3], s, t, major;
    for (unsigned d = 0; d < 3; d++)
        vector[d] = coordinate(request, d, lane);
    const unsigned face = et_cube_face(vector, &s, &t, &major);
    at[0] = ((double)s + 1) / 2;
    at[1] = ((double)t + 1) / 2;
    return face;
}

void et_sample_lane(struct et_tex_request *request, unsigned lane)
{
    const struct et_tex_plan *plan = request->plan;
    const struct et_texture *texture = &plan->texture;
    const struct et_tex_instruction *instruction = request->instruction;
    const struct et_sample_lod lod =
        plan->level_matters ? et_sample_lod(request, lane) : (struct et_sample_lod){.magnify = true};
    const unsigned filter = lod.magnify ? plan->sampler.magnify : plan->sampler.minify;
    const bool linear = filter >= ET_FILTER_LINEAR && !texture->format.integer;
    const bool seams = plan->sampler.cube_filter >= 2;
    const unsigned last = texture->last_level - texture->first_level;
    const uint32_t array_index = request->lanes->layer[lane] & 0xffff;
    unsigned dims = et_sample_dimensions(instruction), first = 0, share = 0, face = 0;
    double at[3] = {0};
    struct footprint footprint;
    if (plan->sampler.mip == ET_MIP_LINEAR) {
        first = (unsigned)lod.clamped >> 8;
        share = (unsigned)lod.clamped & 255;
    } else if (plan->sampler.mip == ET_MIP_POINT) {
        first = ((unsigned)lod.clamped + 128) >> 8;
    }
    for (unsigned d = 0; d < dims; d++)
        at[d] = coordinate(request, d, lane);
    if (is_cube(request)) {
        face = face_place(request, lane, at);
        dims = 2;
    } else if (dims == 3 && texture->type != ET_TEXTURE_3D) {
        dims = 2;
    }
    const bool spread = lod.footprint.ratio > 0 && !texture->format.integer;
    footprint.quads = 0;
    footprint.point = !linear && !share && !spread;
    /* taps of more than two octaves have finer weights */
    footprint.scale_log2 = !spread ? 8 : lod.footprint.ratio < 511 ? 9 : 10;
    for (unsigned k = 0; k < (share ? 2 : 1); k++) {
        const struct site site = {.level = texture->first_level + ET_MIN(first + k, last),
                                  .dims = dims,
                                  .face = face,
                                  .layer = et_plan_layer(plan, instruction, array_index, face),
                                  .index = array_index,
                                  .seams = is_cube(request) && seams && (linear || spread)};
        const struct et_texture_level *in = &texture->level[site.level];
        const uint32_t size[3] = {in->width, in->height, in->depth};
        const int total = (int)(k ? share : 256 - share);
        struct place place;
        locate(request, at, size, dims, linear, spread, &place);
        if (is_cube(request) && !linear && !spread)
            for (unsigned d = 0; d < 2; d++)
                place.index[d] = ET_MAX(ET_MIN(place.index[d], (int64_t)size[d] - 1), 0);
        for (unsigned d = 0; d < dims && instruction->offset; d++)
            place.index[d] += request->lanes->offset[0][d][lane];
        if (spread)
            add_samples(request, &footprint, &site, &place, &lod.footprint,
                        level_ratio(&lod.footprint, share, k == 1), total,
                        (k ? 64 : et_anisotropic_stretch((int)share)) << texture->wide_steps);
        else
            add_quads(request, &footprint, &site, &place, total);
    }
    finish(request, &footprint, lane);
}

void et_tex_sample(struct et_tex_request *request)
{
    for (uint32_t mask = et_sample_fast(request); mask; mask &= mask - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(mask);
        request->texels.sparse = false;
        et_sample_lane(request, lane);
        if (request->texels.sparse)
            request->resident &= ~(1u << lane);
    }
}

/* Two levels, 8.8, in the order of [DRV]: unclamped with the sampler's bias, signed; and what a sample would
 * take, a whole one unless levels are blended [DOC: textureQueryLod]. */
void et_tex_lod(struct et_tex_request *request)
{
    const unsigned mip = request->plan->sampler.mip;
    for (uint32_t mask = request->mask; mask; mask &= mask - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(mask);
        const struct et_sample_lod lod = et_sample_lod(request, lane);
        request->out[0][lane] = (uint32_t)ET_MAX(ET_MIN(lod.unclamped, 32767), -32768) & 0xffff;
        request->out[1][lane] = mip == ET_MIP_LINEAR  ? (uint32_t)lod.clamped
                                : mip == ET_MIP_POINT ? (uint32_t)(lod.clamped + 128) & ~255u
                                                      : 0;
        request->out[2][lane] = request->out[3][lane] = 0;
    }
}

/* A gathered texel that a cube's corner lacks: the other three, filtered. corner: the quad's first texel.
 * [HW:H200] */
static uint32_t gather_missing(struct et_tex_request *request, unsigned lane, unsigned level, uint32_t index,
                               unsigned face, const int32_t corner[2], unsigned missing)
{
    const struct et_tex_instruction *instruction = request->instruction;
    const unsigned component = instruction->gather_component & 3;
    struct footprint footprint = {.scale_log2 = 8};
    int weights[4] = {0};
    weights[missing] = 256;
    add_cube_quad(request, &footprint, level, index, face, corner, weights);
    if (instruction->shadow)
        return compared(request, &footprint, lane);
    return et_filter((enum et_texel_class)request->plan->slot[component].klass, footprint.texel, component,
                     footprint.weight, 1, 8);
}

/* What a texel at an index of a face gives to a gather. */
static uint32_t gathered(struct et_tex_request *request, unsigned lane, unsigned face, const int32_t index[3])
{
    const struct et_tex_plan *plan = request->plan;
    const struct et_tex_instruction *instruction = request->instruction;
    const unsigned component = instruction->gather_component & 3;
    const struct et_slot *slot = &plan->slot[component];
    const uint32_t array_index = request->lanes->layer[lane] & 0xffff;
    struct et_texel texel = {{0}};
    float depth = 0;
    take(request, plan->texture.first_level, et_plan_layer(plan, instruction, array_index, face), index,
         &texel, &depth);
    if (slot->klass == ET_CLASS_NONE)
        return slot->constant;
    if (instruction->shadow)
        return et_float_bits(passes(plan->sampler.function, reference(request, lane), depth) ? 1 : 0);
    return et_texel_value((enum et_texel_class)slot->klass, texel.code[component]);
}

/* Texel i of the four, in the order (0,1) (1,1) (1,0) (0,0) [HW:H200], or at four offsets from the first. */
static uint32_t gather_one(struct et_tex_request *request, unsigned lane, const struct place *place,
                           unsigned face, unsigned i)
{
    static const uint8_t right[4] = {0, 1, 1, 0}, below[4] = {1, 1, 0, 0};
    const struct et_tex_plan *plan = request->plan;
    const struct et_tex_instruction *instruction = request->instruction;
    const unsigned level = plan->texture.first_level;
    const struct et_texture_level *in = &plan->texture.level[level];
    const bool own = instruction->offsets4, moved = instruction->offset || own;
    const int8_t(*offset)[ET_LANES] = request->lanes->offset[own ? i : 0];
    const int64_t x = place->index[0] + (own ? 0 : right[i]) + (moved ? offset[0][lane] : 0);
    const int64_t y = place->index[1] + (own ? 0 : below[i]) + (moved ? offset[1][lane] : 0);
    int32_t index[3] = {0};
    if (is_cube(request) && plan->sampler.cube_filter >= 2) {
        const int32_t n = (int32_t)in->width;
        index[0] = (int32_t)ET_MAX(ET_MIN(x, n), -1);
        index[1] = (int32_t)ET_MAX(ET_MIN(y, n), -1);
        if (is_outside(index[0], n) && is_outside(index[1], n) &&
            plan->slot[instruction->gather_component & 3].klass != ET_CLASS_NONE) {
            const int32_t corner[2] = {index[0] - right[i], index[1] - below[i]};
            return gather_missing(request, lane, level, request->lanes->layer[lane] & 0xffff, face, corner,
                                  right[i] + 2u * below[i]);
        }
        face = neighbour(face, n, index);
    } else {
        index[0] = et_wrap_index(x, in->width, plan->sampler.wrap[0]);
        index[1] = instruction->dim == ET_TEX_1D ? 0 : et_wrap_index(y, in->height, plan->sampler.wrap[1]);
    }
    return gathered(request, lane, face, index);
}

void et_tex_gather(struct et_tex_request *request)
{
    const struct et_texture *texture = &request->plan->texture;
    const struct et_texture_level *in = &texture->level[texture->first_level];
    const uint32_t size[3] = {in->width, in->height, in->depth};
    for (uint32_t mask = request->mask; mask; mask &= mask - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(mask);
        double at[3] = {coordinate(request, 0, lane), 0, 0};
        unsigned face = 0;
        struct place place;
        if (is_cube(request))
            face = face_place(request, lane, at);
        else if (request->instruction->dim != ET_TEX_1D)
            at[1] = coordinate(request, 1, lane);
        request->texels.sparse = false;
        locate(request, at, size, 2, true, false, &place);
        for (unsigned i = 0; i < 4; i++)
            request->out[i][lane] = gather_one(request, lane, &place, face, i);
        if (request->texels.sparse)
            request->resident &= ~(1u << lane);
    }
}
