/* The triangles of the coverage experiment: the same list on silicon and in our test. */
#ifndef COVERAGE_TRIANGLES_H
#define COVERAGE_TRIANGLES_H

#include <stdint.h>

#define COVERAGE_TRIANGLES 100000u
#define COVERAGE_BLOCK     100u /* triangles a hash */
#define COVERAGE_SIZE      64u  /* target, pixels */

/* Clip-space positions of the three vertices. */
struct coverage_triangle {
    float position[3][4];
};

struct coverage_random {
    uint64_t state;
};

static uint32_t coverage_next(struct coverage_random *random)
{
    random->state = random->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(random->state >> 32);
}

/* In low..high, steps of 2^-24 of the range. */
static float coverage_float(struct coverage_random *random, float low, float high)
{
    return low + (high - low) * ((float)(coverage_next(random) >> 8) * (1.0f / 16777216.0f));
}

static void coverage_vertex(struct coverage_triangle *triangle, int vertex, float x, float y, float w)
{
    float *p = triangle->position[vertex];
    p[0] = (x * (2.0f / (float)COVERAGE_SIZE) - 1.0f) * w;
    p[1] = (y * (2.0f / (float)COVERAGE_SIZE) - 1.0f) * w;
    p[2] = 0.5f * w;
    p[3] = w;
}

static void coverage_points(struct coverage_random *random, unsigned kind, float p[3][2])
{
    const float size = (float)COVERAGE_SIZE;
    const float cx = coverage_float(random, 0, size), cy = coverage_float(random, 0, size);
    for (int v = 0; v < 3; v++)
        for (int axis = 0; axis < 2; axis++) {
            const float centre = axis ? cy : cx;
            switch (kind) {
            case 0: /* small */
                p[v][axis] = centre + coverage_float(random, -4, 4);
                break;
            case 1: /* below a pixel */
                p[v][axis] = centre + coverage_float(random, -0.7f, 0.7f);
                break;
            case 2: /* slivers: the third vertex lies close to the first edge */
                p[v][axis] = v < 2 ? coverage_float(random, -8, size + 8)
                                   : (p[0][axis] + p[1][axis]) * 0.5f + coverage_float(random, -0.02f, 0.02f);
                break;
            case 4: /* on the grid of 1/2 pixel: edges and corners through pixel centres */
                p[v][axis] = (float)(coverage_next(random) % 129) * 0.5f;
                break;
            case 5: /* on the grid of 1/512 pixel: snapping ties */
                p[v][axis] = centre + (float)((int)(coverage_next(random) % 8192) - 4096) * (1.0f / 512.0f);
                break;
            case 6: /* far outside */
                p[v][axis] = coverage_float(random, -1, 1);
                p[v][axis] *= (float)(1u << (6 + coverage_next(random) % 14));
                break;
            default: /* large */
                p[v][axis] = coverage_float(random, -200, 264);
            }
        }
}

/* Triangle `index`; every odd one of kind 3 shares an edge with the one before it. */
static struct coverage_triangle coverage_triangle(uint32_t index)
{
    const unsigned kind = index / 2 % 8;
    struct coverage_random random = {(kind == 3 ? index / 2 : index) * UINT64_C(0x9e3779b97f4a7c15) + 7};
    struct coverage_triangle triangle;
    float p[3][2], w = 1;
    coverage_next(&random);
    coverage_points(&random, kind, p);
    if (kind == 3 && index & 1) {
        p[0][0] = coverage_float(&random, -16, (float)COVERAGE_SIZE + 16);
        p[0][1] = coverage_float(&random, -16, (float)COVERAGE_SIZE + 16);
    }
    for (int v = 0; v < 3; v++) {
        if (kind == 7) /* w other than 1 */
            w = coverage_float(&random, 0.25f, 8);
        coverage_vertex(&triangle, v, p[v][0], p[v][1], w);
    }
    return triangle;
}

/* What a covered pixel adds to its triangle's hash. mask: its covered samples. */
static uint32_t coverage_mix(uint32_t x, uint32_t y, uint32_t mask)
{
    uint32_t v = (x | y << 8 | mask << 16) + 1;
    v *= 0x9e3779b1u;
    v ^= v >> 15;
    v *= 0x85ebca77u;
    return v ^ v >> 13;
}

#endif
