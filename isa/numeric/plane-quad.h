/* A plane at a quad's four pixels, and at a cell's 32: et_plane_evaluate's vector twins, inline for each CPU
 * level. */
#ifndef ET_NUMERIC_PLANE_QUAD_H
#define ET_NUMERIC_PLANE_QUAD_H

#include "base/bits.h"
#include "isa/numeric/plane.h"

#include <math.h>
#include <string.h>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

typedef double et_quad_double __attribute__((vector_size(32)));
typedef int64_t et_quad_long __attribute__((vector_size(32)));
typedef float et_quad_float __attribute__((vector_size(16)));

/* to_float of numeric/plane.c. */
static inline void et_quad_singles(const et_quad_double *sum, float out[4])
{
    const et_quad_long v = (et_quad_long)*sum, sign = v & INT64_MIN;
    const et_quad_long magnitude = v & ~((INT64_C(1) << 29) - 1) & INT64_MAX;
    const et_quad_long tiny = magnitude < INT64_C(0x3810000000000000); /* 2^-126 */
    const et_quad_long huge =                                          /* 2^128, and no NaN */
        (magnitude >= INT64_C(0x47f0000000000000)) & (magnitude <= INT64_C(0x7ff0000000000000));
    et_quad_long bits = (magnitude & ~tiny) | sign;
    bits &= ~(tiny & (v == INT64_MIN));                                    /* -0: 0 */
    bits = (bits & ~huge) | ((INT64_C(0x47efffffe0000000) | sign) & huge); /* the largest single */
    const et_quad_float value = __builtin_convertvector((et_quad_double)bits, et_quad_float);
    memcpy(out, &value, sizeof value);
}

/* Where a position's distances are from, and the constant there: the plane's own, or the depth unit's at the
 * centre of the tile. All pixels of an aligned quad or cell have the same. */
struct et_plane_origin {
    double c, unit; /* unit, plain: as a plane's */
    int32_t x, y;
    bool plain;
};

/* Whether 24 bits of a and b end above the column that they are cut at. */
static inline bool et_plane_is_plain(const struct et_plane *plane, double unit)
{
    const double least = unit * 0x1p19;
    return (plane->a == 0 || fabs(plane->a) >= least) && (plane->b == 0 || fabs(plane->b) >= least);
}

/* The last bit of a sum that a constant's exponent allows. */
static inline double et_plane_constant_unit(double c)
{
    return et_double(et_double_bits(c) & UINT64_C(0x7ff) << 52) * 0x1p-41;
}

static inline struct et_plane_origin et_plane_tile(const struct et_plane *plane, double c, int32_t x,
                                                   int32_t y)
{
    const double unit = et_plane_constant_unit(c);
    if (plane->unit > 0 && unit > plane->unit)
        return (struct et_plane_origin){c, unit, x, y, et_plane_is_plain(plane, unit)};
    return (struct et_plane_origin){c, plane->unit, x, y, plane->plain};
}

static inline struct et_plane_origin et_plane_origin(const struct et_plane *plane, int32_t x, int32_t y)
{
    if (!plane->tile_x)
        return (struct et_plane_origin){plane->c, plane->unit, plane->rx, plane->ry, plane->plain};
    const int32_t cx = (x & -plane->tile_x) + plane->tile_x / 2,
                  cy = (y & -plane->tile_y) + plane->tile_y / 2;
    double across = plane->a * (double)(cx - plane->rx), down = plane->b * (double)(cy - plane->ry);
    if (plane->tile_unit > 0) {
        across = trunc(across / plane->tile_unit) * plane->tile_unit;
        down = trunc(down / plane->tile_unit) * plane->tile_unit;
    }
    const double sum = across + down + plane->c;
    return et_plane_tile(plane, et_double(et_double_bits(sum) & ~((UINT64_C(1) << (53 - 27)) - 1)), cx, cy);
}

/* The product to a quad's centre, as the evaluator adds it. */
static inline double et_plane_step(double unit, double coefficient, int32_t distance)
{
    return floor(coefficient * distance / unit) * unit;
}

/* The product from there to a position: the coefficient's bits below that column have no part in it. */
static inline double et_plane_offset(double unit, double coefficient, int32_t distance)
{
    const double column = unit / 16; /* 16 units of a coefficient per pixel */
    return trunc(coefficient / column) * column * distance;
}

static inline bool et_plane_reaches(const struct et_plane *plane, int32_t x, int32_t y)
{
    const int32_t dx = x - plane->rx, dy = y - plane->ry;
    return dx >= -plane->reach && dx <= plane->reach && dy >= -plane->reach && dy <= plane->reach;
}

/* The plane at (x, y), 1/256 pixel, and a pixel to the right, below, and both: et_plane_evaluate's bits. */
static inline void et_plane_quad(const struct et_plane *plane, int32_t x, int32_t y, float out[4])
{
    if (plane->unit > 0 && et_plane_reaches(plane, x, y) && et_plane_reaches(plane, x + 256, y + 256)) {
        const struct et_plane_origin from = et_plane_origin(plane, x, y);
        et_quad_double sum;
        if (from.plain) {
            const et_quad_double step_x = {0, 256, 0, 256}, step_y = {0, 0, 256, 256};
            sum = plane->a * ((double)(x - from.x) + step_x) + plane->b * ((double)(y - from.y) + step_y) +
                  from.c;
        } else {
            const int32_t cx = (x & ~511) + 256, cy = (y & ~511) + 256;
            const double left = et_plane_offset(from.unit, plane->a, x - cx),
                         right = et_plane_offset(from.unit, plane->a, x + 256 - cx),
                         upper = et_plane_offset(from.unit, plane->b, y - cy),
                         lower = et_plane_offset(from.unit, plane->b, y + 256 - cy);
            const et_quad_double across = {left, right, left, right}, down = {upper, upper, lower, lower};
            sum = across + down +
                  (et_plane_step(from.unit, plane->a, cx - from.x) +
                   et_plane_step(from.unit, plane->b, cy - from.y) + from.c);
        }
        sum += (et_quad_double)((et_quad_long)((et_quad_double){0} + from.unit) & (sum < 0));
        et_quad_singles(&sum, out);
    } else {
        const int32_t xs[4] = {x, x + 256, x, x + 256}, ys[4] = {y, y, y + 256, y + 256};
        et_plane_evaluate(plane, 4, xs, ys, out);
    }
}

/* As many pixels of a cell as a register holds: two quads or one; where they lie from the first. */
#if defined(__AVX512F__)
#define ET_CELL_STEP 8
#define ET_CELL_STEPS_X                                                                                      \
    {                                                                                                        \
        0, 256, 0, 256, 512, 768, 512, 768                                                                   \
    }
#define ET_CELL_STEPS_Y                                                                                      \
    {                                                                                                        \
        0, 0, 256, 256, 0, 0, 256, 256                                                                       \
    }
typedef float et_cell_float __attribute__((vector_size(32)));
#else
#define ET_CELL_STEP 4
#define ET_CELL_STEPS_X                                                                                      \
    {                                                                                                        \
        0, 256, 0, 256                                                                                       \
    }
#define ET_CELL_STEPS_Y                                                                                      \
    {                                                                                                        \
        0, 0, 256, 256                                                                                       \
    }
typedef float et_cell_float __attribute__((vector_size(16)));
#endif
typedef double et_cell_double __attribute__((vector_size(8 * ET_CELL_STEP)));
typedef int64_t et_cell_long __attribute__((vector_size(8 * ET_CELL_STEP)));
#if defined(__AVX512F__)
typedef float et_cell_part __attribute__((vector_size(64))); /* what a register holds */
#elif defined(__AVX2__)
typedef float et_cell_part __attribute__((vector_size(32)));
#else
typedef float et_cell_part __attribute__((vector_size(16)));
#endif

/* Sums as singles; unit: what negative ones gain. */
static inline void et_cell_singles(const et_cell_double *sum, const et_cell_double *unit, float *out)
{
    const et_cell_double gained = *sum + (et_cell_double)((et_cell_long)*unit & (*sum < 0));
    const et_cell_long bits = (et_cell_long)gained & ~((INT64_C(1) << 29) - 1);
    const et_cell_float value = __builtin_convertvector((et_cell_double)bits, et_cell_float);
    memcpy(out, &value, sizeof value);
}

/* Cells side by side from the sums of the first pixels. */
static inline void et_cell_rows(const struct et_plane *plane, const et_cell_double *first,
                                const et_cell_double *unit, unsigned cells, float *out)
{
    const et_cell_double none = {0}, right = none + plane->a * (ET_CELL_STEP * 128),
                         down = none + plane->b * 512;
    et_cell_double upper = *first, lower = upper + down;
    for (const float *const end = out + cells * 32; out < end; out += 16)
        for (unsigned k = 0; k < 16; k += 2 * ET_CELL_STEP, out += 2 * ET_CELL_STEP) {
            const et_cell_double next_upper = upper + right, next_lower = lower + right;
            et_cell_singles(&upper, unit, out);
            et_cell_singles(&lower, unit, out + 16);
            et_cell_singles(&next_upper, unit, out + ET_CELL_STEP);
            et_cell_singles(&next_lower, unit, out + ET_CELL_STEP + 16);
            upper = next_upper + right;
            lower = next_lower + right;
        }
}

/* Whether all of a rectangle of positions from (x, y) on is within reach. */
static inline bool et_plane_reaches_all(const struct et_plane *plane, int32_t x, int32_t y, int32_t width,
                                        int32_t height)
{
    const int64_t dx = (int64_t)x - plane->rx, dy = (int64_t)y - plane->ry, reach = plane->reach;
    return ((dx + reach) | (reach - width - dx) | (dy + reach) | (reach - height - dy)) >= 0;
}

/* et_plane_cells, a quad after the other. */
static __attribute__((noinline)) void et_plane_quads(const struct et_plane *plane, int32_t x, int32_t y,
                                                     unsigned cells, float *out)
{
    for (unsigned quad = 0; quad < 8 * cells; quad++)
        et_plane_quad(plane, x + (int32_t)(quad >> 3) * 2048 + (int32_t)(quad & 3) * 512,
                      y + (int32_t)(quad >> 2 & 1) * 512, out + quad * 4);
}

static inline __attribute__((always_inline)) void et_plane_slopes(const struct et_plane *plane,
                                                                  struct et_plane_origin from, int32_t x,
                                                                  int32_t y, unsigned cells, float *out)
{
    const int32_t width = (int32_t)(cells * 8 - 1) * 256;
    const double base = plane->a * (x - from.x) + plane->b * (y - from.y) + from.c;
    const double across = plane->a * width, down = plane->b * (3 * 256);
    const double low = base + (across < 0 ? across : 0) + (down < 0 ? down : 0),
                 high = base + (across > 0 ? across : 0) + (down > 0 ? down : 0);
    const et_cell_double step_x = ET_CELL_STEPS_X, step_y = ET_CELL_STEPS_Y;
    const et_cell_double left = plane->a * step_x + plane->b * step_y + base, none = {0},
                         gain = none + from.unit;
    if (!from.plain || !et_plane_reaches_all(plane, x, y, width, 3 * 256) || !(high < 0x1p127))
        et_plane_quads(plane, x, y, cells, out);
    else if (low >= 0x1p-126)
        et_cell_rows(plane, &left, &none, cells, out);
    else if (from.unit >= 0x1p-60 && low > -0x1p127) /* then no sum but 0 is too small for a single */
        et_cell_rows(plane, &left, &gain, cells, out);
    else
        et_plane_quads(plane, x, y, cells, out);
}

/* et_plane_cells of a plane with constants a tile. */
static __attribute__((noinline)) void et_plane_tiles(const struct et_plane *plane, int32_t x, int32_t y,
                                                     unsigned cells, float *out)
{
    if (cells == 1 && plane->tile_x >= 8 * 256 && plane->tile_y >= 4 * 256)
        et_plane_slopes(plane, et_plane_origin(plane, x, y), x, y, 1, out);
    else
        et_plane_quads(plane, x, y, cells, out);
}

/* The same of one that has none. */
static __attribute__((noinline)) void et_plane_whole(const struct et_plane *plane, int32_t x, int32_t y,
                                                     unsigned cells, float *out)
{
    const struct et_plane_origin from = {plane->c, plane->unit, plane->rx, plane->ry, plane->plain};
    et_plane_slopes(plane, from, x, y, cells, out);
}

/* Sums that are normal singles or +0, as singles. */
static inline void et_cell_easy(const et_cell_double *sum, const et_cell_double *unit, float *out)
{
#if defined(__AVX512F__)
    const __m512d v = (__m512d)*sum, zero = _mm512_setzero_pd();
    const __m512d gained = _mm512_mask_add_pd(v, _mm512_cmp_pd_mask(v, zero, _CMP_LT_OQ), v, (__m512d)*unit);
    _mm256_storeu_ps(out, _mm512_cvt_roundpd_ps(gained, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC));
#elif defined(__AVX2__)
    const et_cell_double gain =
        (et_cell_double)_mm256_blendv_pd(_mm256_setzero_pd(), (__m256d)*unit, (__m256d)*sum);
    const et_cell_long bits = (et_cell_long)(*sum + gain) & ~((INT64_C(1) << 29) - 1);
    _mm_storeu_ps(out, _mm256_cvtpd_ps((__m256d)bits));
#else
    et_cell_singles(sum, unit, out);
#endif
}

/* et_plane_cells of an easy plane. */
static inline void et_plane_easy(const struct et_plane *plane, int32_t x, int32_t y, unsigned cells,
                                 float *out)
{
    const et_cell_double none = {0}, a = none + plane->a, b = none + plane->b, unit = none + plane->unit;
    const et_cell_double right = a * (ET_CELL_STEP * 128), step_x = ET_CELL_STEPS_X, step_y = ET_CELL_STEPS_Y;
    et_cell_double upper =
        a * step_x + b * step_y + (plane->a * (x - plane->rx) + plane->b * (y - plane->ry) + plane->c);
    et_cell_double lower = upper + b * 512;
    for (const float *const end = out + cells * 32; out < end; out += 16)
        for (unsigned k = 0; k < 16; k += 2 * ET_CELL_STEP, out += 2 * ET_CELL_STEP) {
            const et_cell_double next_upper = upper + right, next_lower = lower + right;
            et_cell_easy(&upper, &unit, out);
            et_cell_easy(&lower, &unit, out + 16);
            et_cell_easy(&next_upper, &unit, out + ET_CELL_STEP);
            et_cell_easy(&next_lower, &unit, out + ET_CELL_STEP + 16);
            upper = next_upper + right;
            lower = next_lower + right;
        }
}

/* The plane at the pixels of `cells` cells of 8x4 pixels, side by side from (x, y), 1/256 pixel, that meet
 * the viewport's clip rectangle: each cell's in lane order (quads of 2x2 pixels, four across). The sums are
 * exact, so they may be made in any order. */
static inline void et_plane_cells(const struct et_plane *plane, int32_t x, int32_t y, unsigned cells,
                                  float *out)
{
    if (plane->kind == ET_PLANE_EASY) {
        et_plane_easy(plane, x, y, cells, out);
    } else if (plane->kind == ET_PLANE_FLAT) {
        const float one = (float)et_double(et_double_bits(plane->c) & ~((UINT64_C(1) << 29) - 1));
        const et_cell_part all = one - (et_cell_part){0};
        for (const float *const end = out + cells * 32; out < end; out += 32)
            for (size_t n = 0; n < 32; n += sizeof all / sizeof one)
                memcpy(out + n, &all, sizeof all);
    } else if (plane->tile_x) {
        et_plane_tiles(plane, x, y, cells, out);
    } else {
        et_plane_whole(plane, x, y, cells, out);
    }
}

#endif
