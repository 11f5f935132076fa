/* Coverage of a cell, and of all cells of a tile's part. Compiled once a CPU level: ET_WIDE_LEVEL names it.
 */
#include "rasterizer/wide.h"

#include "isa/interp/lanes.h"

#include <string.h>

typedef uint8_t vb __attribute__((vector_size(CHUNK)));

static inline vi place_of(const uint8_t *place, unsigned k)
{
#if CHUNK_BYTES == 64
    return (vi)_mm512_cvtepu8_epi32(_mm_loadu_si128((const void *)(place + k * CHUNK)));
#elif CHUNK_BYTES == 32
    return (vi)_mm256_cvtepu8_epi32(_mm_loadl_epi64((const void *)(place + k * CHUNK)));
#else
    vb value;
    memcpy(&value, place + k * CHUNK, sizeof value);
    return __builtin_convertvector(value, vi);
#endif
}

uint32_t ET_WIDE_NAME(ET_WIDE_LEVEL, inside)(const struct et_wide_edge *edge, unsigned edges,
                                             const uint8_t place[2][ET_WIDE])
{
    uint32_t out = 0;
    for (unsigned k = 0; k < CHUNKS; k++) {
        const vi x = place_of(place[0], k), y = place_of(place[1], k);
        vi any = {0}; /* the sign of one is that of all together */
        for (unsigned n = 0; n < edges; n++)
            any |= edge[n].at + edge[n].a * x + edge[n].b * y;
        out |= gather_bits((vu)any) << (CHUNK * k);
    }
    return ~out;
}

/* Values at eight cells side by side. */
typedef uint32_t row __attribute__((vector_size(32)));

/* One value an edge. */
typedef uint32_t four __attribute__((vector_size(16)));
typedef int32_t fours __attribute__((vector_size(16)));
typedef int64_t longs __attribute__((vector_size(32)));
typedef uint64_t ulongs __attribute__((vector_size(32)));

/* A part's edges: at the cells of a row; what a cell's farthest places and its lanes add to that; the step to
 * the next row. */
struct part_edges {
    row at[4];
    vu step[ET_SURFACE_CELL_SAMPLES][4][CHUNKS];
    uint32_t high[4], low[4], down[4];
};

ET_ALWAYS_INLINE uint32_t row_signs(const row *values)
{
#if CHUNK_BYTES >= 32
    return (uint32_t)_mm256_movemask_ps((__m256)*values);
#else
    vu half[2];
    memcpy(half, values, sizeof half);
    return gather_bits(half[0]) | gather_bits(half[1]) << 4;
#endif
}

ET_ALWAYS_INLINE void put_four(uint32_t to[4], four value)
{
    memcpy(to, &value, sizeof value);
}

/* What the lanes of a cell add to an edge: positions in 2x2 pixels are the same in all of its quads. */
ET_ALWAYS_INLINE void start_steps(vu step[CHUNKS], const uint8_t place[2][ET_WIDE], uint32_t a, uint32_t b)
{
    step[0] = (vu)place_of(place[0], 0) * a + (vu)place_of(place[1], 0) * b;
#if CHUNK == 16
    step[1] = step[0] + b * 32;
#elif CHUNK == 8
    step[1] = step[0] + a * 64;
    step[2] = step[0] + b * 32;
    step[3] = step[1] + b * 32;
#else
    for (unsigned k = 1; k < CHUNKS; k++)
        step[k] = k < 4 ? step[k - 1] + a * 32 : step[k - 4] + b * 32;
#endif
}

/* Edges of a part in 32 bits: values at the first cell's corner, a floor of which has their sign, and steps
 * of 1/16 pixel. Steps through a tile stay in 31 bits of sixteenths; those that hold all of the part are 0.
 */
struct short_edges {
    four at, a, b;
};

/* Products of values that 32 bits hold. */
ET_ALWAYS_INLINE void times(longs *product, const longs *values, int32_t by)
{
#if CHUNK_BYTES >= 32
    *product = (longs)_mm256_mul_epi32((__m256i)*values, _mm256_set1_epi32(by));
#else
    *product = *values * by;
#endif
}

ET_ALWAYS_INLINE four low_words(const longs *values)
{
#if CHUNK_BYTES >= 32
    return (four)_mm256_castsi256_si128(
        _mm256_permutevar8x32_epi32((__m256i)*values, _mm256_setr_epi32(0, 2, 4, 6, 1, 3, 5, 7)));
#else
    const longs v = *values;
    return (four){(uint32_t)v[0], (uint32_t)v[1], (uint32_t)v[2], (uint32_t)v[3]};
#endif
}

ET_ALWAYS_INLINE unsigned long_signs(const longs *values)
{
#if CHUNK_BYTES >= 32
    return (unsigned)_mm256_movemask_pd((__m256d)*values);
#else
    const longs v = *values;
    return (unsigned)((v[0] < 0) | (v[1] < 0) << 1 | (v[2] < 0) << 2 | (v[3] < 0) << 3);
#endif
}

enum part_side { PART_OUTSIDE, PART_CROSSED, PART_BEYOND };

/* Beyond: what does not fit in 20 bits of slopes and 60 of a constant. */
ET_ALWAYS_INLINE enum part_side shorten(const struct et_wide_part *part, struct short_edges *edges)
{
    const struct et_edge *const edge = part->edge;
    const longs number = {0, 1, 2, 3}, counts = number < (int64_t)part->edges;
    const longs a = counts & (longs){edge[0].a, edge[1].a, edge[2].a, edge[3].a};
    const longs b = counts & (longs){edge[0].b, edge[1].b, edge[2].b, edge[3].b};
    const longs low =
        counts & (longs){(int64_t)edge[0].c, (int64_t)edge[1].c, (int64_t)edge[2].c, (int64_t)edge[3].c};
    const longs high = counts & (longs){(int64_t)(edge[0].c >> 64), (int64_t)(edge[1].c >> 64),
                                        (int64_t)(edge[2].c >> 64), (int64_t)(edge[3].c >> 64)};
    const ulongs slopes = ((ulongs)a + (1 << 20)) | ((ulongs)b + (1 << 20)),
                 constant = (ulongs)low + (UINT64_C(1) << 60);
    const ulongs beyond = slopes >> 21 | constant >> 61 | (ulongs)(high ^ (low < 0));
    const longs fits = (longs)(beyond == 0);
    longs across, down, dx, dy;
    if (long_signs(&fits) != 15)
        return PART_BEYOND;
    times(&across, &a, part->x * 256);
    times(&down, &b, part->y * 256);
    times(&dx, &a, (int32_t)part->columns * 2048);
    times(&dy, &b, (int32_t)part->rows * 1024);
    const longs at = low + across + down, more = (dx & (dx > 0)) + (dy & (dy > 0));
    const longs most = at + more, least = most + dx + dy - more - more, crossing = least < 0;
    if (long_signs(&most))
        return PART_OUTSIDE;
    const longs kept_at = (longs)((ulongs)(at & crossing) >> 4), kept_a = a & crossing, kept_b = b & crossing;
    edges->at = low_words(&kept_at);
    edges->a = low_words(&kept_a);
    edges->b = low_words(&kept_b);
    return PART_CROSSED;
}

ET_ALWAYS_INLINE void start_edges(struct part_edges *edges, const struct et_wide_part *part,
                                  const struct short_edges *from, unsigned count, unsigned samples)
{
    const struct et_rectangle *const places = part->places;
    const row across = {0, 128, 256, 384, 512, 640, 768, 896};
    const four a = from->a, b = from->b;
    const four right = a & (four)((fours)a > 0), left = a - right, lower = b & (four)((fours)b > 0),
               upper = b - lower;
    put_four(edges->high, right * (uint32_t)places->x1 + left * (uint32_t)places->x0 +
                              lower * (uint32_t)places->y1 + upper * (uint32_t)places->y0);
    put_four(edges->low, right * (uint32_t)places->x0 + left * (uint32_t)places->x1 +
                             lower * (uint32_t)places->y0 + upper * (uint32_t)places->y1);
    put_four(edges->down, b * 64);
    for (unsigned n = 0; n < count; n++) {
        edges->at[n] = across * a[n] + from->at[n];
        for (unsigned s = 0; s < samples; s++)
            start_steps(edges->step[s][n], part->place[s], a[n], b[n]);
    }
}

/* Lanes of a column's cell that some edge has below 0. */
ET_ALWAYS_INLINE uint32_t below(const struct part_edges *edges, unsigned count, unsigned column, unsigned s)
{
    uint32_t out = 0;
    for (unsigned k = 0; k < CHUNKS; k++) {
        vu any = {0}; /* the sign of one is that of all together */
        for (unsigned n = 0; n < count; n++)
            any |= splat(edges->at[n][column]) + edges->step[s][n][k];
        out |= gather_bits(any) << (CHUNK * k);
    }
    return out;
}

/* A cell whose lanes outside the box are not in `kept`; false: nothing is covered. `times`: samples that are
 * like one that was looked at. */
ET_ALWAYS_INLINE bool cover_cell(const struct part_edges *edges, unsigned count, unsigned samples,
                                 unsigned times, bool crossing, uint32_t kept, unsigned x, unsigned y,
                                 struct et_wide_covered *cell)
{
    uint32_t any = 0, every = ~0u;
    unsigned sum = 0;
    for (unsigned s = 0; s < samples; s++) {
        const uint32_t lanes = kept & ~(crossing ? below(edges, count, x, s) : 0);
        cell->lanes[s] = lanes;
        any |= lanes;
        every &= lanes;
        sum += samples > 1 ? et_bit_count(lanes) : 0;
    }
    for (unsigned s = samples; s < ET_SURFACE_CELL_SAMPLES; s++)
        cell->lanes[s] = any;
    cell->any = any;
    cell->column = (uint8_t)x;
    cell->row = (uint8_t)y;
    cell->pixels = (uint8_t)et_bit_count(any);
    cell->samples = (uint8_t)(samples > 1 ? sum : cell->pixels * times);
    cell->whole = every == ~0u;
    return any != 0;
}

ET_ALWAYS_INLINE int cover_by(const struct et_wide_part *part, const struct short_edges *from, unsigned count,
                              unsigned samples, struct et_wide_covered *covered)
{
    const uint32_t columns = (2u << (part->columns - 1)) - 1, last = part->columns - 1;
    struct et_wide_covered *next = covered;
    struct part_edges edges;
    uint32_t kept = part->top;
    start_edges(&edges, part, from, count, samples);
    for (unsigned y = 0; y < part->rows; y++, kept = ~0u) {
        row out = {0}, cut = {0};
        for (unsigned n = 0; n < count; n++) {
            out |= edges.at[n] + edges.high[n];
            cut |= edges.at[n] + edges.low[n];
        }
        const uint32_t crossing = row_signs(&cut), looked = columns & ~row_signs(&out);
        if (y + 1 == part->rows)
            kept &= part->bottom;
        FOR_LANES(x, looked)
        {
            const uint32_t lanes = kept & (x ? ~0u : part->left) & (x == last ? part->right : ~0u);
            next += cover_cell(&edges, count, samples, part->times, crossing >> x & 1, lanes, x, y, next);
        }
        for (unsigned n = 0; n < count; n++)
            edges.at[n] += edges.down[n];
    }
    return (int)(next - covered);
}

int ET_WIDE_NAME(ET_WIDE_LEVEL, cover)(const struct et_wide_part *part,
                                       struct et_wide_covered covered[ET_WIDE_CELLS])
{
    struct short_edges edges;
    const enum part_side side = shorten(part, &edges);
    if (side != PART_CROSSED)
        return side == PART_OUTSIDE ? 0 : -1;
    if (part->edges <= 3 && part->samples == 1)
        return cover_by(part, &edges, 3, 1, covered);
    return cover_by(part, &edges, 4, part->samples, covered);
}
