/* A plane equation as the rasterizer's setup makes it and IPA and the depth unit evaluate it.
 * The rules and their evidence: plane.c. */
#ifndef ET_NUMERIC_PLANE_H
#define ET_NUMERIC_PLANE_H

#include <stdint.h>

/* value(x, y) = a*(x - rx) + b*(y - ry) + c. `c` is a scaled integer because depth keeps more than 24 bits of
 * it: c = c_mantissa * 2^c_exponent. */
struct et_plane {
    float a, b;
    int32_t rx, ry; /* reference point, pixels */
    int64_t c_mantissa;
    int32_t c_exponent;
};

/* Evaluates at n positions x, y in 1/256 pixel (window coordinates; a pixel's centre is 256 * i + 128). */
void et_plane_evaluate(const struct et_plane *plane, unsigned n, const int32_t *x, const int32_t *y,
                       float *out);

#endif
