/* What planes take of eight triangles, in whole numbers: edges, the vertices that differences and the
 * constant are taken from, the reference point. plane.c specifies it and tells the rules; inline for each CPU
 * level. */
#ifndef ET_NUMERIC_PLANE_CHOICE_H
#define ET_NUMERIC_PLANE_CHOICE_H

#include "isa/numeric/plane-block.h"

#include <stdlib.h>
#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#if defined(__AVX2__)
#define STEP 8
#else
#define STEP 4
#endif

typedef int32_t vi __attribute__((vector_size(4 * STEP)));
typedef float vf __attribute__((vector_size(4 * STEP)));

static inline vi choose(vi mask, vi yes, vi no)
{
#if defined(__AVX512VL__)
    return (vi)_mm256_ternarylogic_epi32((__m256i)mask, (__m256i)yes, (__m256i)no, 0xca);
#elif defined(__AVX2__)
    return (vi)_mm256_blendv_epi8((__m256i)no, (__m256i)yes, (__m256i)mask);
#else
    return (yes & mask) | (no & ~mask);
#endif
}

static inline vi larger(vi a, vi b)
{
#if defined(__AVX2__)
    return (vi)_mm256_max_epi32((__m256i)a, (__m256i)b);
#elif defined(__SSE4_1__)
    return (vi)_mm_max_epi32((__m128i)a, (__m128i)b);
#else
    return choose(a > b, a, b);
#endif
}

static inline vi smaller(vi a, vi b)
{
#if defined(__AVX2__)
    return (vi)_mm256_min_epi32((__m256i)a, (__m256i)b);
#elif defined(__SSE4_1__)
    return (vi)_mm_min_epi32((__m128i)a, (__m128i)b);
#else
    return choose(a < b, a, b);
#endif
}

static inline vi load_whole(const int32_t *from)
{
    vi value;
    memcpy(&value, from, sizeof value);
    return value;
}

static inline void store_whole(int32_t *to, vi value)
{
    memcpy(to, &value, sizeof value);
}

static inline vi magnitude(vi v)
{
    return (v ^ v >> 31) - (v >> 31);
}

/* Of numbers of up to 24 bits, not negative. */
static inline vi bit_length(vi v)
{
    const vi length = ((vi) __builtin_convertvector(v, vf) >> 23) - 126;
    return length & ~(length >> 31);
}

/* A coordinate with what the choice of the base vertex looks at. */
struct coordinate {
    vi at, magnitude, length;
};

static inline struct coordinate coordinate(const int32_t *from)
{
    const vi at = load_whole(from), m = magnitude(at);
    return (struct coordinate){at, m, bit_length(m)};
}

static inline struct coordinate choose_coordinate(vi mask, struct coordinate yes, struct coordinate no)
{
    return (struct coordinate){choose(mask, yes.at, no.at), choose(mask, yes.magnitude, no.magnitude),
                               choose(mask, yes.length, no.length)};
}

enum { SAME = -1000, BY_LENGTH = 100, EXPONENT_BIAS = 127 - 1 - 8 };

static inline vi level(struct coordinate a, struct coordinate b)
{
    const vi differing = a.magnitude ^ b.magnitude, none = {0};
    const vi by_bit = choose(differing == 0, none + SAME, bit_length(differing) - a.length);
    const vi by_sign = by_bit & ~((a.at ^ b.at) >> 31);
    return choose(a.length != b.length, larger(a.length, b.length) + BY_LENGTH, by_sign);
}

static inline vi is_preferred(struct coordinate a, struct coordinate b, vi at_level)
{
    return choose(at_level == 0, b.at >> 31, a.magnitude < b.magnitude);
}

static inline vi exponent_bits(struct coordinate a, struct coordinate b)
{
    return (a.length + EXPONENT_BIAS) ^ (b.length + EXPONENT_BIAS);
}

static inline vi is_before(struct coordinate px, struct coordinate py, struct coordinate qx,
                           struct coordinate qy)
{
    const vi across = level(px, qx), down = level(py, qy);
    const vi of_x = exponent_bits(px, qx), of_y = exponent_bits(py, qy);
    const vi fewer = (of_y < of_x) & (of_y < (of_y ^ of_x)); /* a lower highest bit */
    const vi by_y =
        choose((down == across) & (down >= BY_LENGTH), ~fewer, (down >= across) & (py.at != qy.at));
    return choose(by_y, is_preferred(py, qy, down), is_preferred(px, qx, across));
}

static inline vi is_less(vi a, vi a_next, vi b, vi b_next)
{
    return (a < b) | ((a == b) & (a_next < b_next));
}

/* What planes take of their triangles. Vertices: masks of the second and the third. */
struct chosen {
    int32_t r[2][ET_PLANE_LANES], base[2][ET_PLANE_LANES];
    int32_t x[3][ET_PLANE_LANES], y[3][ET_PLANE_LANES]; /* edges opposite the vertices; then: */
    int32_t edge_x[2][ET_PLANE_LANES],
        edge_y[2][ET_PLANE_LANES]; /* those opposite the two vertices after the reference */
    int32_t rx[ET_PLANE_LANES], ry[ET_PLANE_LANES], reach[ET_PLANE_LANES];
    int32_t dx[ET_PLANE_LANES], dy[ET_PLANE_LANES]; /* from the base vertex to the reference point */
    unsigned rows;                                  /* of products with these: below column 19 */
};

static inline vi choose_of(const vi mask[2], vi first, vi second, vi third)
{
    return choose(mask[1], third, choose(mask[0], second, first));
}

static inline vi clamp_pixel(vi fixed, vi low, vi high)
{
    return smaller(larger(fixed >> 8, low), high - 1) & ~3;
}

static inline void choose_base(const struct coordinate x[3], const struct coordinate y[3], vi base[2])
{
    const vi second = is_before(x[1], y[1], x[0], y[0]);
    base[1] =
        is_before(x[2], y[2], choose_coordinate(second, x[1], x[0]), choose_coordinate(second, y[1], y[0]));
    base[0] = second & ~base[1];
}

/* The vertex opposite the longest edge. */
static inline void choose_reference(const struct coordinate x[3], const struct coordinate y[3],
                                    const vi edge_x[3], const vi edge_y[3], const vi base[2], vi r[2])
{
    vi length[3];
    for (unsigned k = 0; k < 3; k++)
        length[k] = larger(magnitude(edge_x[k]), magnitude(edge_y[k]));
    const vi second =
        (length[1] > length[0]) | ((length[1] == length[0]) & is_less(x[1].at, y[1].at, x[0].at, y[0].at));
    const vi found = larger(length[0], length[1]), found_x = choose(second, x[1].at, x[0].at),
             found_y = choose(second, y[1].at, y[0].at);
    const vi third =
        (length[2] > found) | ((length[2] == found) & is_less(x[2].at, y[2].at, found_x, found_y));
    const vi equal = (length[0] == length[1]) & (length[0] == length[2]);
    r[0] = choose(equal, base[0], second & ~third);
    r[1] = choose(equal, base[1], third);
}

static inline void place(const struct et_plane_block *block, unsigned k, const struct coordinate x[3],
                         const struct coordinate y[3], const vi base[2], struct chosen *chosen)
{
    const vi x0 = load_whole(block->x0 + k), x1 = load_whole(block->x1 + k), y0 = load_whole(block->y0 + k),
             y1 = load_whole(block->y1 + k);
    const vi second = is_less(y[1].at, x[1].at, y[0].at, x[0].at);
    const vi top_x = choose(second, x[1].at, x[0].at), top_y = choose(second, y[1].at, y[0].at);
    const vi third = is_less(y[2].at, x[2].at, top_y, top_x);
    const vi rx = clamp_pixel(choose(third, x[2].at, top_x), x0, x1),
             ry = clamp_pixel(choose(third, y[2].at, top_y), y0, y1);
    const vi far_x = larger(x1 - rx, rx - x0), far_y = larger(y1 - ry, ry - y0);
    store_whole(chosen->rx + k, rx * 256);
    store_whole(chosen->ry + k, ry * 256);
    store_whole(chosen->reach + k, (larger(far_x, far_y) + 16) * 256);
    store_whole(chosen->dx + k, rx * 256 - choose_of(base, x[0].at, x[1].at, x[2].at));
    store_whole(chosen->dy + k, ry * 256 - choose_of(base, y[0].at, y[1].at, y[2].at));
}

static void choose_all(const struct et_plane_block *block, struct chosen *chosen)
{
    uint32_t any = 0;
    for (unsigned k = 0; k < ET_PLANE_LANES; k += STEP) {
        struct coordinate x[3], y[3];
        vi edge_x[3], edge_y[3], base[2], r[2];
        for (unsigned n = 0; n < 3; n++) {
            x[n] = coordinate(block->x[n] + k);
            y[n] = coordinate(block->y[n] + k);
        }
        for (unsigned n = 0; n < 3; n++) {
            const unsigned from = n == 2 ? 0 : n + 1, to = from == 2 ? 0 : from + 1;
            edge_x[n] = x[to].at - x[from].at;
            edge_y[n] = y[to].at - y[from].at;
            store_whole(chosen->x[n] + k, edge_x[n]);
            store_whole(chosen->y[n] + k, edge_y[n]);
        }
        choose_base(x, y, base);
        choose_reference(x, y, edge_x, edge_y, base, r);
        place(block, k, x, y, base, chosen);
        for (unsigned n = 0; n < 2; n++) {
            store_whole(chosen->base[n] + k, base[n]);
            store_whole(chosen->r[n] + k, r[n]);
            store_whole(chosen->edge_x[n] + k,
                        choose_of(r, edge_x[n + 1], edge_x[n ? 0 : 2], edge_x[n ? 1 : 0]));
            store_whole(chosen->edge_y[n] + k,
                        choose_of(r, edge_y[n + 1], edge_y[n ? 0 : 2], edge_y[n ? 1 : 0]));
        }
    }
    for (unsigned k = 0; k < ET_PLANE_LANES; k++)
        any |= (uint32_t)abs(chosen->dx[k]) | (uint32_t)abs(chosen->dy[k]);
    chosen->rows = any >> 5 ? 32 - (unsigned)__builtin_clz(any >> 5) : 0;
}

#endif
