/* Triangles with edges through samples, or within far vertices' last bits of them: the same list on silicon
 * and in our test. Answers are laid out like triangles.h's.
 *
 * By index % 8. 0: triangle 87708 of triangles.h with a coordinate moved by some last places, and turned.
 * 1, 2: a vertex on a sample, both others 2^6 to 2^22 pixels away, or one. 3 to 6: an edge with a vertex near
 * or far on each side of a sample, which it meets (3, 5) or misses by a few last places (4, 6); 3, 4: one
 * vertex is near, 5, 6: both may be far. 7: like 3 to 6, and the next list of 7 shares its edge from the
 * other side. */
#ifndef COVERAGE_EXACT_H
#define COVERAGE_EXACT_H

#include "triangles.h"

#include <stdbool.h>

#define EXACT_TRIANGLES 24000u
#define EXACT_VIEWS     4u

/* A square target with its viewport, which is square too, and a scissor rectangle that holds the samples. */
struct exact_view {
    int size, x, y, viewport, left, top, right, bottom;
};

static const struct exact_view exact_view[EXACT_VIEWS] = {{64, 0, 0, 64, 0, 0, 64, 64},
                                                          {512, 0, 0, 512, 0, 0, 512, 512},
                                                          {512, 96, 160, 256, 96, 160, 352, 416},
                                                          {512, 0, 0, 512, 131, 77, 400, 300}};

/* 1/256 pixel. */
struct exact_point {
    int64_t x, y;
};

static int64_t exact_between(struct coverage_random *random, int64_t low, int64_t high)
{
    const uint64_t high_bits = coverage_next(random), bits = high_bits << 32 | coverage_next(random);
    return low + (int64_t)(bits % (uint64_t)(high - low + 1));
}

static int64_t exact_gcd(int64_t a, int64_t b)
{
    while (b) {
        const int64_t r = a % b;
        a = b;
        b = r;
    }
    return a;
}

/* 2^low to 2^(high + 1) pixels away in some direction. */
static struct exact_point exact_far(struct coverage_random *random, struct exact_point from, int low,
                                    int high)
{
    const int64_t reach = (int64_t)512 << exact_between(random, low, high);
    struct exact_point p;
    p.x = exact_between(random, -reach, reach);
    p.y = exact_between(random, -reach, reach);
    switch (coverage_next(random) % 8) { /* along an axis or a diagonal, at times */
    case 0:
        p.x = 0;
        break;
    case 1:
        p.y = 0;
        break;
    case 2:
        p.x = coverage_next(random) & 1 ? p.y : -p.y;
        break;
    default:
        break;
    }
    return (struct exact_point){from.x + p.x, from.y + p.y};
}

/* An edge about a sample: from sample - a*u to sample + b*u + c*v, where u x v is 1. */
static void exact_edge(struct coverage_random *random, struct exact_point sample, bool misses, bool both_far,
                       struct exact_point p[2])
{
    const int far = (int)exact_between(random, 8, 22);
    const int64_t grain = far > 14 ? (int64_t)1 << (far - 14) : 1; /* of singles there */
    struct exact_point u, v = {0, 0};
    int64_t a, b, c = 0, least;
    do {
        u.x = exact_between(random, -2048, 2048);
        u.y = exact_between(random, -2048, 2048);
        least = exact_gcd(u.x < 0 ? -u.x : u.x, u.y < 0 ? -u.y : u.y);
    } while (least == 0);
    u.x /= least;
    u.y /= least;
    /* v: u.x * v.y - u.y * v.x = 1 */
    {
        int64_t r0 = u.x, r1 = u.y, s0 = 1, s1 = 0, t0 = 0, t1 = 1;
        while (r1) {
            const int64_t q = r0 / r1, r2 = r0 - q * r1, s2 = s0 - q * s1, t2 = t0 - q * t1;
            r0 = r1, r1 = r2, s0 = s1, s1 = s2, t0 = t1, t1 = t2;
        }
        v.y = s0 * r0;
        v.x = -t0 * r0;
    }
    least = u.x * u.x > u.y * u.y ? (u.x < 0 ? -u.x : u.x) : (u.y < 0 ? -u.y : u.y);
    b = (((int64_t)256 << far) / grain / least + 1) * grain;
    b += exact_between(random, 0, b / grain / 2) * grain;
    if (misses) {
        c = exact_between(random, -8, 8) * grain;
        c *= (int64_t)1 << exact_between(random, 0, 8);
    }
    a = exact_between(random, 1, 8);
    if (both_far) {
        const int other = (int)exact_between(random, 0, far);
        const int64_t other_grain = other > 14 ? (int64_t)1 << (other - 14) : 1;
        a = (((int64_t)256 << other) / other_grain / least + 1) * other_grain;
    }
    p[0] = (struct exact_point){sample.x - a * u.x, sample.y - a * u.y};
    p[1] = (struct exact_point){sample.x + b * u.x + c * v.x, sample.y + b * u.y + c * v.y};
}

static struct exact_point exact_sample(unsigned list, uint32_t index)
{
    const struct exact_view *view = &exact_view[list];
    const uint32_t seed = (index % 8 == 7 ? index & ~8u : index) + list * EXACT_TRIANGLES;
    struct coverage_random random = {seed * UINT64_C(0x9e3779b97f4a7c15) + 99};
    struct exact_point sample;
    coverage_next(&random);
    sample.x = exact_between(&random, view->left, view->right - 1) * 256 + 128;
    sample.y = exact_between(&random, view->top, view->bottom - 1) * 256 + 128;
    return index % 8 || list ? sample : (struct exact_point){7 * 256 + 128, 17 * 256 + 128};
}

static float exact_moved(float value, int64_t places)
{
    union {
        float f;
        int32_t i;
    } u = {value};
    u.i += (int32_t)places;
    return u.f;
}

static struct coverage_triangle exact_turned(struct coverage_random *random, struct coverage_triangle t)
{
    static const uint8_t order[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
    const uint8_t *by = order[coverage_next(random) % 6];
    struct coverage_triangle turned;
    for (int v = 0; v < 3; v++)
        for (int i = 0; i < 4; i++)
            turned.position[v][i] = t.position[by[v]][i];
    return turned;
}

/* From one side of the sample to the other along an axis. */
static void exact_axis(struct coverage_random *random, struct exact_point sample, struct exact_point p[2])
{
    for (unsigned i = 0; i < 2; i++) {
        const int far = (int)exact_between(random, i ? 8 : 0, 22);
        const int64_t grain = far > 14 ? (int64_t)1 << (far - 14) : 1;
        const int64_t by = exact_between(random, 1, (int64_t)256 << far) / grain * grain + grain;
        p[i] = sample;
        p[i].x += i ? by : -by;
    }
    if (coverage_next(random) & 1)
        for (unsigned i = 0; i < 2; i++)
            p[i] = (struct exact_point){sample.x, sample.y + p[i].x - sample.x};
}

static struct coverage_triangle exact_triangle(unsigned list, uint32_t index)
{
    const unsigned kind = index % 8;
    const struct exact_view *view = &exact_view[list];
    const struct exact_point sample = exact_sample(list, index);
    const uint32_t seed = (kind == 7 ? index & ~8u : index) + list * EXACT_TRIANGLES;
    struct coverage_random random = {seed * UINT64_C(0xd1342543de82ef95) + 31};
    struct coverage_triangle triangle;
    struct exact_point p[3];
    coverage_next(&random);
    if (kind == 0 && !list) {
        triangle = coverage_triangle(87708);
        for (int n = 0; n < 2 && index; n++) {
            const unsigned vertex = coverage_next(&random) % 3, axis = coverage_next(&random) & 1;
            float *moved = &triangle.position[vertex][axis];
            const int64_t places = exact_between(&random, -3, 3);
            *moved = exact_moved(*moved, places * (1 << coverage_next(&random) % 12));
        }
        return index ? exact_turned(&random, triangle) : triangle;
    }
    if (kind == 1 || kind == 2) {
        p[0] = sample;
        p[1] = exact_far(&random, sample, 5, 21);
        p[2] = kind == 1 ? exact_far(&random, sample, 5, 21) : exact_far(&random, sample, 0, 5);
    } else {
        const unsigned way = kind < 7 ? kind - 3 : coverage_next(&random) % 4;
        if (kind == 0)
            exact_axis(&random, sample, p);
        else
            exact_edge(&random, sample, way & 1, way & 2, p);
        p[2] = exact_far(&random, sample, 0, 21);
        if (kind == 7 && index & 8) /* on the edge's other side */
            p[2] = (struct exact_point){2 * sample.x - p[2].x, 2 * sample.y - p[2].y};
    }
    for (int v = 0; v < 3; v++) {
        const float half = (float)view->viewport * 128;
        triangle.position[v][0] = (float)(p[v].x - view->x * 256 - view->viewport * 128) / half;
        triangle.position[v][1] = (float)(p[v].y - view->y * 256 - view->viewport * 128) / half;
        triangle.position[v][2] = 0.5f;
        triangle.position[v][3] = 1;
    }
    return exact_turned(&random, triangle);
}

#endif
