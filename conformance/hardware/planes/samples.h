/* Planes at samples away from the pixel's centre, and biased planes: the same lists on silicon and in our
 * test.
 *
 * Triangle n of a list shades the 4x4 block (n & 63, n >> 6) of 256 columns of pixels. Its plane has
 * gradients of 2^-apart of each other's size and crosses zero in the block, or near it. */
#ifndef PLANE_SAMPLES_H
#define PLANE_SAMPLES_H

#include <math.h>
#include <stdint.h>

enum samples_crossing { SAMPLES_INSIDE, SAMPLES_NEAR };

/* What a draw's list holds. Depth draws are 256x256 pixels, draws of values 256x64. */
struct samples_draw {
    uint8_t samples;
    uint8_t values; /* four noperspective values at the samples, not depth */
    uint8_t skewed; /* gradients are at least 8 times apart */
    uint8_t crossing;
    uint8_t lines; /* polygons as lines; a block holds an edge */
    float bias[3]; /* constant, slope factor, clamp */
};

static const struct samples_draw samples_draws[] = {
    {1, 0, 1, SAMPLES_INSIDE, 0, {0, 0, 0}},     {1, 0, 1, SAMPLES_NEAR, 0, {0, 0, 0}},
    {2, 0, 0, SAMPLES_INSIDE, 0, {0, 0, 0}},     {2, 0, 1, SAMPLES_INSIDE, 0, {0, 0, 0}},
    {2, 0, 1, SAMPLES_NEAR, 0, {0, 0, 0}},       {4, 0, 0, SAMPLES_INSIDE, 0, {0, 0, 0}},
    {4, 0, 1, SAMPLES_INSIDE, 0, {0, 0, 0}},     {4, 0, 1, SAMPLES_NEAR, 0, {0, 0, 0}},
    {8, 0, 0, SAMPLES_INSIDE, 0, {0, 0, 0}},     {8, 0, 1, SAMPLES_INSIDE, 0, {0, 0, 0}},
    {8, 0, 1, SAMPLES_NEAR, 0, {0, 0, 0}},       {4, 0, 0, SAMPLES_NEAR, 0, {3.7f, -2.5f, 0}},
    {1, 0, 0, SAMPLES_INSIDE, 1, {0, 0, 0}},     {1, 0, 0, SAMPLES_INSIDE, 1, {3.7f, -2.5f, 0}},
    {1, 0, 0, SAMPLES_INSIDE, 1, {0, 1.37f, 0}}, {1, 0, 0, SAMPLES_NEAR, 0, {1000, 1.37f, 0.001f}},
    {2, 1, 1, SAMPLES_INSIDE, 0, {0, 0, 0}},     {4, 1, 1, SAMPLES_INSIDE, 0, {0, 0, 0}},
    {8, 1, 1, SAMPLES_INSIDE, 0, {0, 0, 0}}};

#define SAMPLES_DRAWS           (sizeof samples_draws / sizeof *samples_draws)
#define SAMPLES_WIDTH           256u
#define SAMPLES_HEIGHT(draw)    ((draw)->values ? 64u : 256u)
#define SAMPLES_TRIANGLES(draw) (SAMPLES_WIDTH / 4 * (SAMPLES_HEIGHT(draw) / 4))

/* Clip-space x, y, w is 1; the z of depth draws is value[0]. */
struct samples_triangle {
    float position[3][2], value[4][3];
};

static uint32_t samples_next(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (uint32_t)(*state >> 20);
}

static double samples_between(uint64_t *state, double low, double high)
{
    return low + (high - low) * (samples_next(state) % 65536) / 65536.0;
}

/* The corners in pixels, the block's point (px, py) inside or on edge 0 to 1. */
static void samples_corners(const struct samples_draw *draw, uint64_t *state, double px, double py,
                            double at[3][2])
{
    const double reach = ldexp(4, (int)(samples_next(state) % 7));
    double x[3], y[3], share[3];
    do {
        double sum = 0, cx = 0, cy = 0;
        for (unsigned k = 0; k < 3; k++) {
            x[k] = samples_between(state, -reach, reach);
            y[k] = samples_between(state, -reach, reach);
            share[k] = draw->lines && k == 2 ? 0 : samples_between(state, 0.01, 1);
            sum += share[k];
        }
        for (unsigned k = 0; k < 3; k++) {
            cx += x[k] * share[k] / sum;
            cy += y[k] * share[k] / sum;
        }
        for (unsigned k = 0; k < 3; k++) {
            at[k][0] = rint((px + x[k] - cx) * 256) / 256;
            at[k][1] = rint((py + y[k] - cy) * 256) / 256;
        }
    } while (fabs((at[1][0] - at[0][0]) * (at[2][1] - at[0][1]) -
                  (at[2][0] - at[0][0]) * (at[1][1] - at[0][1])) < 8);
}

static struct samples_triangle samples_triangle(unsigned number, uint32_t n)
{
    const struct samples_draw *draw = &samples_draws[number];
    uint64_t state = UINT64_C(0x9e3779b97f4a7c15) * (number * 4096 + n + 1);
    const double height = SAMPLES_HEIGHT(draw);
    struct samples_triangle triangle;
    double at[3][2];
    for (unsigned i = 0; i < 4; i++)
        samples_next(&state);
    const double px = (n & 63) * 4 + samples_between(&state, 0.5, 3.5),
                 py = (n >> 6) * 4 + samples_between(&state, 0.5, 3.5);
    samples_corners(draw, &state, px, py, at);
    for (unsigned k = 0; k < 3; k++) {
        triangle.position[k][0] = (float)(at[k][0] * 2 / SAMPLES_WIDTH - 1);
        triangle.position[k][1] = (float)(at[k][1] * 2 / height - 1);
    }
    for (unsigned c = 0; c < 4; c++) {
        const double far = draw->crossing == SAMPLES_NEAR ? 64 : 0;
        const double zx = px + samples_between(&state, -2 - far, 2 + far),
                     zy = py + samples_between(&state, -2 - far, 2 + far);
        const int apart = (int)(draw->skewed ? 3 + samples_next(&state) % 14 : samples_next(&state) % 4);
        double across = 1 + samples_next(&state) % 8388608 / 8388608.0,
               down = 1 + samples_next(&state) % 8388608 / 8388608.0, most = 0, size;
        if (samples_next(&state) & 1)
            across = ldexp(across, -apart);
        else
            down = ldexp(down, -apart);
        if (samples_next(&state) & 1)
            across = -across;
        if (samples_next(&state) & 1)
            down = -down;
        for (unsigned k = 0; k < 3; k++)
            most = fmax(most, fabs(across * (at[k][0] - zx) + down * (at[k][1] - zy)));
        size = ldexp(samples_between(&state, 0.5, 0.999), -(int)(samples_next(&state) % 4));
        for (unsigned k = 0; k < 3; k++)
            triangle.value[c][k] =
                (float)((across * (at[k][0] - zx) + down * (at[k][1] - zy)) * (size / most));
    }
    return triangle;
}

#endif
