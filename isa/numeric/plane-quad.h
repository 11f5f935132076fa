/* A plane at a quad's four pixels, and at a cell's 32: et_plane_evaluate's vector twins, inline for each CPU
 * level. */
#ifndef ET_NUMERIC_PLANE_QUAD_H
#define ET_NUMERIC_PLANE_QUAD_H

#include "isa/numeric/plane.h"

#include <string.h>

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

/* The constant to add at (x, y), whose distances dx, dy then are; all pixels of an aligned quad or cell have
 * the same. */
static inline double et_plane_constant(const struct et_plane *plane, int32_t x, int32_t y, int32_t *dx,
                                       int32_t *dy)
{
    int32_t cx, cy;
    if (!plane->tile_x)
        return plane->c;
    const double c = et_plane_tile_constant(plane, x, y, &cx, &cy);
    *dx = x - cx;
    *dy = y - cy;
    return c;
}

/* The plane at (x, y), 1/256 pixel, and a pixel to the right, below, and both: et_plane_evaluate's bits. */
static inline void et_plane_quad(const struct et_plane *plane, int32_t x, int32_t y, float out[4])
{
    int32_t dx = x - plane->rx, dy = y - plane->ry;
    const int32_t reach = plane->reach;
    if (plane->column <= 0 && dx >= -reach && dx + 256 <= reach && dy >= -reach && dy + 256 <= reach) {
        const et_quad_double step_x = {0, 256, 0, 256}, step_y = {0, 0, 256, 256};
        const double c = et_plane_constant(plane, x, y, &dx, &dy);
        et_quad_double sum = plane->a * ((double)dx + step_x) + plane->b * ((double)dy + step_y) + c;
        sum += (et_quad_double)((et_quad_long)((et_quad_double){0} + plane->unit) & (sum < 0));
        et_quad_singles(&sum, out);
    } else {
        const int32_t xs[4] = {x, x + 256, x, x + 256}, ys[4] = {y, y, y + 256, y + 256};
        et_plane_evaluate(plane, 4, xs, ys, out);
    }
}

typedef double et_cell_double __attribute__((vector_size(64)));
typedef int64_t et_cell_long __attribute__((vector_size(64)));
typedef float et_cell_float __attribute__((vector_size(32)));

/* The plane at the 8x4 pixels from (x, y), 1/256 pixel, in lane order (quads of 2x2 pixels, four across). The
 * sums are exact, so they may be made in any order. */
static inline void et_plane_cell(const struct et_plane *plane, int32_t x, int32_t y, float out[32])
{
    int32_t dx = x - plane->rx, dy = y - plane->ry;
    const int32_t reach = plane->reach;
    const bool near = dx >= -reach && dx + 7 * 256 <= reach && dy >= -reach && dy + 3 * 256 <= reach;
    const double c = et_plane_constant(plane, x, y, &dx, &dy);
    const double base = plane->a * dx + plane->b * dy + c;
    const double across = plane->a * (7 * 256), down = plane->b * (3 * 256);
    const double low = base + (across < 0 ? across : 0) + (down < 0 ? down : 0),
                 high = base + (across > 0 ? across : 0) + (down > 0 ? down : 0);
    const et_cell_double step_x = {0, 256, 0, 256, 512, 768, 512, 768},
                         step_y = {0, 0, 256, 256, 0, 0, 256, 256};
    const bool one_tile = !plane->tile_x || (plane->tile_x >= 8 * 256 && plane->tile_y >= 4 * 256);
    if (plane->column > 0 || !near || !one_tile || !(low >= 0x1p-126 && high < 0x1p127)) {
        for (unsigned quad = 0; quad < 8; quad++)
            et_plane_quad(plane, x + (int32_t)(quad & 3) * 512, y + (int32_t)(quad >> 2) * 512,
                          out + quad * 4);
        return;
    }
    const et_cell_double first = plane->a * step_x + plane->b * step_y + base;
    for (unsigned k = 0; k < 4; k++) {
        const double more = plane->a * ((k & 1) * 1024.0) + plane->b * ((k >> 1) * 512.0);
        const et_cell_long bits = (et_cell_long)(first + more) & ~((INT64_C(1) << 29) - 1);
        const et_cell_float value = __builtin_convertvector((et_cell_double)bits, et_cell_float);
        memcpy(out + k * 8, &value, sizeof value);
    }
}

#endif
