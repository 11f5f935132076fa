/* Groups of triangles, compiled once a CPU level: ET_WIDE_SETUP_LEVEL names the function. */
#include "rasterizer/group.h"

#include "isa/interp/lanes.h"
#include "isa/numeric/mufu-lanes.h"
#include "shader/sph.h"

#include <string.h>

enum { STEPS = ET_GROUP / CHUNK, HALF = CHUNK / 2 };

typedef double vd __attribute__((vector_size(CHUNK_BYTES)));
typedef int64_t vl __attribute__((vector_size(CHUNK_BYTES)));
typedef int32_t vi_half __attribute__((vector_size(CHUNK_BYTES / 2)));
typedef float vf_half __attribute__((vector_size(CHUNK_BYTES / 2)));

/* Words of positions as they lie in records, by corner and component. */
typedef uint32_t positions[3][4][ET_GROUP] __attribute__((aligned(64)));

static inline vf floats(const void *slot, unsigned k)
{
    return ((const vf *)slot)[k];
}

static inline vi ints(const int32_t *slot, unsigned k)
{
    return ((const vi *)(const void *)slot)[k];
}

/* To the nearest integers, halves to even ones; far from 0 where they are no integers of 32 bits. */
static inline vi nearest(vf value)
{
#if CHUNK_BYTES == 64
    return (vi)_mm512_cvtps_epi32((__m512)value);
#elif CHUNK_BYTES == 32
    return (vi)_mm256_cvtps_epi32((__m256)value);
#elif defined(__SSE2__)
    return (vi)_mm_cvtps_epi32((__m128)value);
#else
    vi made;
    for (unsigned l = 0; l < CHUNK; l++)
        made[l] = __builtin_fabsf(value[l]) < 0x1p30f ? (int32_t)__builtin_rintf(value[l]) : INT32_MIN;
    return made;
#endif
}

/* ---- corners */

/* The positions of four records, one component after the other. */
static inline void turn_positions(const struct et_vertex_record *a, const struct et_vertex_record *b,
                                  const struct et_vertex_record *c, const struct et_vertex_record *d,
                                  uint32_t p[4][ET_GROUP])
{
#if defined(__SSE2__)
    __m128 row[4];
    row[0] = _mm_loadu_ps((const float *)(const void *)&a->word[ET_WORD_POSITION]);
    row[1] = _mm_loadu_ps((const float *)(const void *)&b->word[ET_WORD_POSITION]);
    row[2] = _mm_loadu_ps((const float *)(const void *)&c->word[ET_WORD_POSITION]);
    row[3] = _mm_loadu_ps((const float *)(const void *)&d->word[ET_WORD_POSITION]);
    _MM_TRANSPOSE4_PS(row[0], row[1], row[2], row[3]);
    _mm_store_ps((float *)(void *)p[0], row[0]);
    _mm_store_ps((float *)(void *)p[1], row[1]);
    _mm_store_ps((float *)(void *)p[2], row[2]);
    _mm_store_ps((float *)(void *)p[3], row[3]);
#else
    for (unsigned i = 0; i < 4; i++) {
        p[i][0] = a->word[ET_WORD_POSITION + i];
        p[i][1] = b->word[ET_WORD_POSITION + i];
        p[i][2] = c->word[ET_WORD_POSITION + i];
        p[i][3] = d->word[ET_WORD_POSITION + i];
    }
#endif
}

static void gather_positions(const struct et_group *group, positions p)
{
    const unsigned last = group->lanes - 1;
    for (unsigned lane = 0; lane < ET_GROUP; lane += 4) {
        const struct et_raster_input *const a = &group->input[lane < last ? lane : last],
                                            *const b = &group->input[lane + 1 < last ? lane + 1 : last],
                                            *const c = &group->input[lane + 2 < last ? lane + 2 : last],
                                            *const d = &group->input[lane + 3 < last ? lane + 3 : last];
        for (unsigned k = 0; k < 3; k++)
            turn_positions(a->vertex[k], b->vertex[k], c->vertex[k], d->vertex[k],
                           (uint32_t(*)[ET_GROUP]) & p[k][0][lane]);
    }
}

/* What a chunk's corners have in common, corner after corner. */
struct verdict {
    vi plain;      /* near, finite, and between the near and far planes */
    vi outside[2]; /* all beyond one that cuts them off */
    vi beside[4];  /* all beyond a side of the view */
    vi below, above;
};

static inline vi is_finite(vf value)
{
    return (vi)((vu)value & 0x7fffffff) < signed_splat(0x7f800000);
}

/* Distances from the planes that cut, as et_clip_distance makes them. */
static inline void meet_planes(const struct et_group_view *view, vf z, vf w, struct verdict *v)
{
    const vf zero = {0};
    if (view->cuts_near_far) {
        const vi near = (view->zero_to_one ? z : z + w) >= zero, far = w - z >= zero;
        v->plain &= near & far;
        v->outside[0] &= ~near;
        v->outside[1] &= ~far;
    } else {
        v->outside[0] &= view->cuts_w ? ~(w >= zero) : (vi)zero;
        v->outside[1] = (vi)zero;
    }
}

/* One coordinate in 1/256 pixel, 0 where it is far away. */
static inline vi snapped(const struct et_group_view *view, vf window, int32_t offset, struct verdict *v)
{
    const vi made =
        (vi)((vu)nearest((window + float_splat(view->half)) * float_splat(256)) + (uint32_t)offset);
    const vi is_near = (made > signed_splat(-ET_GROUP_LIMIT)) & (made < signed_splat(ET_GROUP_LIMIT));
    v->plain &= is_near;
    return made & is_near;
}

static inline vf placed(const struct et_group_view *view, unsigned axis, vf position, vf iw)
{
    const vf moved = position * float_splat(view->scale[axis]) * iw + float_splat(view->offset[axis]);
    return view->transform ? moved : position;
}

static inline void place_corner(const struct et_group_view *view, const positions p, unsigned k,
                                unsigned chunk, struct et_group *group, struct verdict *v)
{
    const vf x = (vf)(load(p[k][view->from[0]], chunk) ^ splat(view->flip[0])),
             y = (vf)(load(p[k][view->from[1]], chunk) ^ splat(view->flip[1])),
             z = (vf)(load(p[k][view->from[2]], chunk) ^ splat(view->flip[2])),
             w = (vf)(load(p[k][view->from[3]], chunk) ^ splat(view->flip[3]));
    const vf iw = floats(group->iw[k], chunk),
             top = float_splat(view->scale[2]) + float_splat(view->offset[2]);
    meet_planes(view, z, w, v);
    v->plain &= is_finite(x) & is_finite(y) & is_finite(z);
    v->plain &= (w > float_splat(0x1p-64f)) & (w < float_splat(0x1p125f));
    v->beside[0] &= x > w;
    v->beside[1] &= y > w;
    v->beside[2] &= -x > w;
    v->beside[3] &= -y > w;
    const vi px = snapped(view, placed(view, 0, x, iw), view->offset_x, v),
             py = snapped(view, placed(view, 1, y, iw), view->offset_y, v);
    vf depth = placed(view, 2, z, iw);
    if (view->transform)
        depth = (vf)choose((vu)(z == w), (vu)top, (vu)depth);
    v->plain &= is_finite(depth);
    v->below |= ~(depth >= float_splat(view->low));
    v->above |= ~(depth <= float_splat(view->high));
    store((uint32_t *)group->x[k], chunk, (vu)px);
    store((uint32_t *)group->y[k], chunk, (vu)py);
    store((uint32_t *)(void *)group->z[k], chunk, (vu)depth);
}

static void place_corners(const struct et_group_view *view, struct et_group *group)
{
    positions p;
    const vi none = {0}, all = ~none;
    group->settled = group->beside = group->drawn = group->below = group->above = 0;
    gather_positions(group, p);
    for (unsigned k = 0; k < 3; k++) {
        uint32_t w[ET_GROUP] __attribute__((aligned(64)));
        for (unsigned chunk = 0; chunk < STEPS; chunk++)
            store(w, chunk, load(p[k][view->from[3]], chunk) ^ splat(view->flip[3]));
        et_mufu_reciprocals(w, (uint32_t *)(void *)group->iw[k]);
    }
    for (unsigned chunk = 0; chunk < STEPS; chunk++) {
        const unsigned at = CHUNK * chunk;
        struct verdict v = {all, {all, all}, {all, all, all, all}, none, none};
        for (unsigned k = 0; k < 3; k++)
            place_corner(view, p, k, chunk, group, &v);
        const vi outside = v.outside[0] | v.outside[1];
        group->settled |= gather_bits((vu)(v.plain | outside)) << at;
        group->beside |= gather_bits((vu)(v.beside[0] | v.beside[1] | v.beside[2] | v.beside[3] | outside))
                         << at;
        group->drawn |= gather_bits((vu)(v.plain & ~outside)) << at;
        group->below |= gather_bits((vu)v.below) << at;
        group->above |= gather_bits((vu)v.above) << at;
    }
}

/* ---- edges */

static inline vd doubles(const int32_t *slot, unsigned half)
{
    vi_half value;
    memcpy(&value, slot + half * HALF, sizeof value);
    return __builtin_convertvector(value, vd);
}

/* Twice the areas, and the edges' constants: all are exact. */
static void make_constants(struct et_group *group, float area[ET_GROUP])
{
    for (unsigned half = 0; half < 2 * STEPS; half++) {
        vd x[3], y[3], dx[3], dy[3];
        for (unsigned k = 0; k < 3; k++) {
            x[k] = doubles(group->x[k], half);
            y[k] = doubles(group->y[k], half);
        }
        for (unsigned k = 0; k < 3; k++) {
            dx[k] = x[k == 2 ? 0 : k + 1] - x[k];
            dy[k] = y[k == 2 ? 0 : k + 1] - y[k];
        }
        const vd doubled = dx[2] * dy[0] - dx[0] * dy[2], zero = {0}, one = zero + 1;
        const vl turn = ~(vl)(doubled > zero) & INT64_MIN;
        const vf_half single = __builtin_convertvector(doubled, vf_half);
        memcpy(area + half * HALF, &single, sizeof single);
        for (unsigned k = 0; k < 3; k++) {
            const vd c = (vd)((vl)(dy[k] * x[k] - dx[k] * y[k]) ^ turn), across = (vd)((vl)dx[k] ^ turn),
                     down = (vd)((vl)dy[k] ^ turn);
            const vl inclusive = (vl)(down < zero) | ((vl)(down == zero) & (vl)(across > zero));
            const vd made = c - (vd)((vl)one & ~inclusive);
            memcpy(group->c[k] + half * HALF, &made, sizeof made);
        }
    }
}

static inline vi least_of(int32_t (*slot)[ET_GROUP], unsigned chunk)
{
    return lesser(lesser(ints(slot[0], chunk), ints(slot[1], chunk)), ints(slot[2], chunk));
}

static inline vi most_of(int32_t (*slot)[ET_GROUP], unsigned chunk)
{
    return greater(greater(ints(slot[0], chunk), ints(slot[1], chunk)), ints(slot[2], chunk));
}

/* Pixels from the first whose last sample is not before `value` on. */
static inline vi first_pixel(vi value, int32_t last_sample, int32_t low, int32_t high)
{
    return greater(lesser((value + (255 - last_sample)) >> 8, signed_splat(high)), signed_splat(low));
}

/* Pixels within extents; lanes that have any. */
static inline vi make_box(const struct et_group_view *view, struct et_group *group, unsigned chunk)
{
    const struct et_rectangle *const clip = &view->clip, *const within = &view->within;
    const vi x0 = first_pixel(least_of(group->x, chunk), within->x1, clip->x0, clip->x1),
             y0 = first_pixel(least_of(group->y, chunk), within->y1, clip->y0, clip->y1),
             x1 = first_pixel(most_of(group->x, chunk), within->x0, clip->x0, clip->x1),
             y1 = first_pixel(most_of(group->y, chunk), within->y0, clip->y0, clip->y1);
    store((uint32_t *)group->box[0], chunk, (vu)x0);
    store((uint32_t *)group->box[1], chunk, (vu)y0);
    store((uint32_t *)group->box[2], chunk, (vu)x1);
    store((uint32_t *)group->box[3], chunk, (vu)y1);
    return (x0 < x1) & (y0 < y1);
}

static inline void make_slopes(struct et_group *group, unsigned chunk, vi positive)
{
    for (unsigned k = 0; k < 3; k++) {
        const unsigned next = k == 2 ? 0 : k + 1;
        const vi dx = ints(group->x[next], chunk) - ints(group->x[k], chunk),
                 dy = ints(group->y[next], chunk) - ints(group->y[k], chunk);
        store((uint32_t *)group->a[k], chunk, (vu)((dy ^ positive) - positive));
        store((uint32_t *)group->b[k], chunk, (vu)((dx ^ ~positive) - ~positive));
    }
}

void ET_WIDE_SETUP_LEVEL(const struct et_group_view *view, struct et_group *group);

void ET_WIDE_SETUP_LEVEL(const struct et_group_view *view, struct et_group *group)
{
    float area[ET_GROUP] __attribute__((aligned(64)));
    const vf zero = {0};
    const vi draws_back = signed_splat(-view->draws[0]), draws_front = signed_splat(-view->draws[1]),
             turned = signed_splat(-!view->turns_front);
    place_corners(view, group);
    group->positive = group->front = 0;
    if (!group->drawn)
        return;
    make_constants(group, area);
    uint32_t kept = 0;
    for (unsigned chunk = 0; chunk < STEPS; chunk++) {
        const vf doubled = floats(area, chunk);
        const vi positive = doubled > zero, front = positive ^ turned;
        const vi drawn = (front & draws_front) | (~front & draws_back);
        make_slopes(group, chunk, positive);
        kept |= gather_bits((vu)(drawn & (doubled != zero) & make_box(view, group, chunk))) << CHUNK * chunk;
        group->positive |= gather_bits((vu)positive) << CHUNK * chunk;
        group->front |= gather_bits((vu)front) << CHUNK * chunk;
    }
    group->drawn &= kept;
}
