/* The triangles of the plane experiment: the same lists on silicon and in our test.
 *
 * z is constant along one axis, so that the plane's constant is base value + one product gradient x distance,
 * and crosses zero in the only 4x4 block that a triangle shades: there depth shows the constant's last bits.
 * Twelve lists of 4096 triangles on 256x256 pixels; triangle n shades block (n & 63, n >> 6). */
#ifndef PLANE_CONSTANTS_H
#define PLANE_CONSTANTS_H

#include <math.h>
#include <stdint.h>

#define PLANE_LISTS     12u
#define PLANE_TRIANGLES 4096u
#define PLANE_SIZE      256u

struct plane_random {
    uint64_t state; /* starts at 88172645463325252 before list 0 and runs on through all lists */
};

/* Clip-space x, y, z; w is 1. */
struct plane_triangle {
    float position[3][3];
};

static uint32_t plane_next(struct plane_random *random)
{
    random->state ^= random->state << 13;
    random->state ^= random->state >> 7;
    random->state ^= random->state << 17;
    return (uint32_t)(random->state >> 20);
}

/* How the lists differ: the edge that the gradient runs along, the gradient's mantissa, the base value. */
enum plane_shape { PLANE_NEAR, PLANE_RIGHT, PLANE_LEFT, PLANE_DOWN };

static float plane_gradient(struct plane_random *random, unsigned list)
{
    static const float few_bits[] = {1, 1.5f, 1.25f, 1.75f, 1.125f, 1.375f, 1.625f, 1.875f};
    const unsigned bit = plane_next(random) % 24;
    float gradient;
    if (list == 0 || list == 2 || list == 7 || list == 11)
        gradient = bit == 0 ? 1.0f : 1.0f + ldexpf(1, -(int)bit);
    else if (list == 4)
        gradient = few_bits[plane_next(random) & 7];
    else
        gradient = 1.0f + (float)(plane_next(random) & 0x7fffff) / 8388608.0f;
    gradient = ldexpf(gradient, -12 - (int)(plane_next(random) % 3));
    return plane_next(random) % 4 == 0 ? -gradient : gradient;
}

static struct plane_triangle plane_triangle(struct plane_random *random, unsigned list, uint32_t n)
{
    const int block_x = (int)(n & 63) * 4, block_y = (int)(n >> 6) * 4;
    const enum plane_shape shape = list <= 1                 ? PLANE_NEAR
                                   : list == 5               ? PLANE_LEFT
                                   : list == 9 || list == 11 ? PLANE_DOWN
                                                             : PLANE_RIGHT;
    const int from = shape == PLANE_DOWN ? block_y : block_x, way = shape == PLANE_LEFT ? -1 : 1;
    const double gradient = (double)plane_gradient(random, list), height = 64;
    double length = list >= 6 ? 2048 : 1024, start, value = 0;
    struct plane_triangle triangle;
    if (list == 10)
        length = 1500 + plane_next(random) % 300000 / 256.0;
    if (list < 6) {
        const uint32_t wide = plane_next(random) % 4;
        const uint32_t step = plane_next(random) % (wide == 0 ? 512 : 32) + 1;
        start = from + 1.5 - way * (double)step / 256;
        if (list == 4)
            start = block_x;
        else if (shape == PLANE_RIGHT && plane_next(random) % 4 == 0)
            start = block_x + (double)(plane_next(random) % 64) / 16;
    } else {
        const uint32_t step = plane_next(random);
        start = from - (double)(step % (plane_next(random) % 2 ? 512 * 256 : 8192)) / 256;
        if (list == 8)
            start = floor(start);
        if (shape == PLANE_DOWN && start >= 0 && plane_next(random) % 4)
            start -= 300;
        const double pixel = from + 0.5 + plane_next(random) % 3;
        const double zero = pixel + (plane_next(random) % 256) / 256.0;
        value = (double)(float)(-gradient * (zero - start));
    }
    const float end = (float)(value + gradient * length * way);
    const int turn = (int)(plane_next(random) % 3);
    if (shape == PLANE_DOWN)
        plane_next(random);
    const double aside = (shape == PLANE_DOWN ? block_x : block_y) - 30 + (plane_next(random) % 256) / 256.0;
    const double right[3][2] = {{start, aside},
                                {start + way * length, shape == PLANE_NEAR ? aside + 8 : aside - 0.25},
                                {start, aside + height}};
    const double down[3][2] = {{aside, start}, {aside + 3, start + length}, {aside + height, start}};
    for (int k = 0; k < 3; k++) {
        const int v = (k + turn) % 3;
        const double *p = shape == PLANE_DOWN ? down[v] : right[v];
        triangle.position[k][0] = (float)(p[0] / 128 - 1);
        triangle.position[k][1] = (float)(p[1] / 128 - 1);
        triangle.position[k][2] = v == 1 ? end : (float)value;
    }
    return triangle;
}

#endif
