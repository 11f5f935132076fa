/* Planes whose gradients are exact: draws of one triangle with vertices (0, 0), (1024, 0), (0, 1024) pixels.
 */
#ifndef PLANE_SKEWED_H
#define PLANE_SKEWED_H

#include "cut.h"

#define CUT_SKEWED 14u /* draws; the last two at 4 samples a pixel */

/* value = base + a * x + b * y of channel c, exactly; the vertices' values. */
static void cut_skewed(unsigned draw, unsigned c, float value[3])
{
    uint64_t state = (UINT64_C(0xd1342543de82ef95) * (draw * 4 + c + 1)) | 1;
    const int apart = (int)((draw * 4 + c) % 16);
    const bool zero = c & 1, swap = cut_next(&state) & 1;
    double big = 1 + (cut_next(&state) & 0x7fffff) / 8388608.0,
           small = 1 + (cut_next(&state) & 0x7fffff) / 8388608.0;
    double base = 0;
    if (zero && apart < 8) {
        big = rint(big * 32768) / 32768;
        small = rint(small * 32768) / 32768;
    }
    small = ldexp(small, -apart);
    if (cut_next(&state) & 1)
        big = -big;
    if (cut_next(&state) & 1)
        small = -small;
    if (zero && apart < 8) {
        const double unit = ldexp(1, 10 - 15 - apart);
        base =
            -rint((big * cut_between(&state, 64, 192) + small * cut_between(&state, 64, 192)) / unit) * unit;
    }
    value[0] = (float)base;
    value[1] = (float)(base + 1024 * (swap ? small : big));
    value[2] = (float)(base + 1024 * (swap ? big : small));
}

#endif
