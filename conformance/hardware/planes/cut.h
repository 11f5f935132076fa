/* The triangles of the clipping experiment: the same lists on silicon and in our test.
 *
 * Sixteen lists of 4096 triangles on 256x256 pixels; triangle n shades block (n & 63, n >> 6) of 4x4 pixels.
 * Each has a vertex outside of the planes that its list names and holds the block's middle. */
#ifndef PLANE_CUT_H
#define PLANE_CUT_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#define CUT_LISTS     16u
#define CUT_TRIANGLES 4096u
#define CUT_SIZE      256u

struct cut_vertex {
    float position[4], value[4], distance[2];
};

struct cut_triangle {
    struct cut_vertex vertex[3];
};

enum cut_w { CUT_ONE, CUT_POWERS, CUT_POSITIVE, CUT_SIGNED, CUT_TINY, CUT_SIMPLE };

/* Vertices outside near, far, w and a clip distance: at least and at most. */
struct cut_list {
    enum cut_w w;
    bool clamp;
    uint8_t near[2], far[2], w_out[2], distance[2];
    uint8_t distances;
};

static const struct cut_list cut_lists[CUT_LISTS] = {
    {CUT_ONE, false, {1, 1}, {0, 0}, {0, 0}, {0, 0}, 0},
    {CUT_ONE, false, {2, 2}, {0, 0}, {0, 0}, {0, 0}, 0},
    {CUT_ONE, false, {0, 0}, {1, 1}, {0, 0}, {0, 0}, 0},
    {CUT_ONE, false, {0, 0}, {2, 2}, {0, 0}, {0, 0}, 0},
    {CUT_POWERS, false, {1, 1}, {0, 0}, {0, 0}, {0, 0}, 0},
    {CUT_POSITIVE, false, {1, 2}, {0, 0}, {0, 0}, {0, 0}, 0},
    {CUT_POSITIVE, false, {0, 0}, {1, 2}, {0, 0}, {0, 0}, 0},
    {CUT_SIGNED, true, {0, 3}, {0, 3}, {1, 1}, {0, 0}, 0},
    {CUT_SIGNED, true, {0, 3}, {0, 3}, {2, 2}, {0, 0}, 0},
    {CUT_POSITIVE, false, {1, 2}, {1, 2}, {0, 0}, {0, 0}, 0},
    {CUT_SIGNED, false, {0, 3}, {0, 3}, {1, 2}, {0, 0}, 0},
    {CUT_POSITIVE, false, {0, 0}, {0, 0}, {0, 0}, {1, 2}, 1},
    {CUT_ONE, false, {0, 0}, {0, 0}, {0, 0}, {1, 2}, 1},
    {CUT_POSITIVE, false, {1, 2}, {0, 0}, {0, 0}, {1, 2}, 2},
    {CUT_TINY, true, {0, 3}, {0, 3}, {0, 3}, {0, 0}, 0},
    {CUT_SIMPLE, true, {0, 3}, {0, 3}, {1, 2}, {0, 0}, 0},
};

static uint32_t cut_next(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (uint32_t)(*state >> 20);
}

static double cut_between(uint64_t *state, double low, double high)
{
    return low + (high - low) * ((cut_next(state) & 0xffffff) / 16777216.0);
}

static double cut_some_w(uint64_t *state, enum cut_w mode, unsigned k)
{
    static const double simple[] = {-1, -0.5, 0.5, 1, 2, 1};
    const uint32_t pick = cut_next(state);
    switch (mode) {
    case CUT_ONE:
        return 1;
    case CUT_POWERS:
        return ldexp(1, (int)(pick % 4) - 1);
    case CUT_POSITIVE:
        return cut_between(state, 0.25, 4);
    case CUT_SIGNED:
        return cut_between(state, -1, 2);
    case CUT_TINY:
        return k          ? cut_between(state, 0.25, 2)
               : pick % 4 ? ldexp(pick & 64 ? -1 : 1, -15 - (int)(pick >> 8 & 31))
                          : 0;
    default:
        return simple[pick % 6];
    }
}

static void cut_make(uint64_t *state, const struct cut_list *list, double x, double y,
                     struct cut_triangle *made)
{
    const double reach[] = {10, 40, 150}, r = reach[cut_next(state) % 3];
    const bool screen = list->w < CUT_SIGNED;
    for (unsigned k = 0; k < 3; k++) {
        struct cut_vertex *v = &made->vertex[k];
        const double w = (double)(float)cut_some_w(state, list->w, k);
        double z = cut_between(state, -1, 2) * (screen ? w : 1);
        if (screen) {
            v->position[0] = (float)(((x + cut_between(state, -r, r)) / 128 - 1) * w);
            v->position[1] = (float)(((y + cut_between(state, -r, r)) / 128 - 1) * w);
        } else {
            v->position[0] = (float)cut_between(state, -2, 2);
            v->position[1] = (float)cut_between(state, -2, 2);
        }
        if (list->w == CUT_SIMPLE) {
            v->position[0] = (float)(rint(v->position[0] * 4) / 4);
            v->position[1] = (float)(rint(v->position[1] * 4) / 4);
            z = rint(z * 8) / 8;
        }
        if (!list->near[1] && z < 0)
            z = -z / 2;
        if (!list->far[1] && z > w)
            z = w / 2 * (2 - z / w);
        v->position[2] = (float)z;
        v->position[3] = (float)w;
        v->distance[0] = (float)cut_between(state, -1, 1);
        v->distance[1] = (float)cut_between(state, -1, 1);
    }
}

static bool cut_within(unsigned count, const uint8_t limits[2])
{
    return count >= limits[0] && count <= limits[1];
}

/* Whether the vertices outside are the list's and the pixel position lies in what is left. */
static bool cut_suits(const struct cut_list *list, const struct cut_triangle *made, double x, double y)
{
    double m[3][3], weight[3], iw = 0, z = 0, d[2] = {0, 0};
    unsigned near = 0, far = 0, w_out = 0, out[2] = {0, 0};
    for (unsigned k = 0; k < 3; k++) {
        const struct cut_vertex *v = &made->vertex[k];
        m[k][0] = ((double)v->position[0] + v->position[3]) * 128;
        m[k][1] = ((double)v->position[1] + v->position[3]) * 128;
        m[k][2] = v->position[3];
        near += v->position[2] < 0;
        far += v->position[2] > v->position[3];
        w_out += v->position[3] <= 0;
        out[0] += v->distance[0] < 0;
        out[1] += v->distance[1] < 0;
    }
    for (unsigned k = 0; k < 3; k++) {
        const double *p = m[(k + 1) % 3], *q = m[(k + 2) % 3];
        weight[k] =
            (p[1] * q[2] - q[1] * p[2]) * x + (q[0] * p[2] - p[0] * q[2]) * y + (p[0] * q[1] - q[0] * p[1]);
    }
    const double area = m[0][0] * (m[1][1] * m[2][2] - m[2][1] * m[1][2]) -
                        m[1][0] * (m[0][1] * m[2][2] - m[2][1] * m[0][2]) +
                        m[2][0] * (m[0][1] * m[1][2] - m[1][1] * m[0][2]);
    if (fabs(area) < 1)
        return false;
    for (unsigned k = 0; k < 3; k++) {
        weight[k] /= area;
        if (!(weight[k] > 0))
            return false;
        iw += weight[k];
        z += weight[k] * made->vertex[k].position[2];
        d[0] += weight[k] * made->vertex[k].distance[0];
        d[1] += weight[k] * made->vertex[k].distance[1];
    }
    if (!list->clamp && !(z > 0 && z < 1))
        return false;
    if ((list->distances > 0 && !(d[0] > 0)) || (list->distances > 1 && !(d[1] > 0)))
        return false;
    return iw > 0 && cut_within(near, list->near) && cut_within(far, list->far) &&
           cut_within(w_out, list->w_out) && (!list->distances || cut_within(out[0], list->distance)) &&
           (list->distances < 2 || cut_within(out[1], list->distance));
}

/* False: no triangle was found, and none is drawn. */
static bool cut_triangle(unsigned list, uint32_t n, struct cut_triangle *made)
{
    uint64_t state = (UINT64_C(0x9e3779b97f4a7c15) * (list * CUT_TRIANGLES + n + 1)) | 1;
    const double x = (n & 63) * 4 + cut_between(&state, 1, 3),
                 y = (double)(n >> 6) * 4 + cut_between(&state, 1, 3);
    for (unsigned i = 0; i < 4000; i++) {
        cut_make(&state, &cut_lists[list], x, y, made);
        if (!cut_suits(&cut_lists[list], made, x, y))
            continue;
        for (unsigned k = 0; k < 3; k++)
            for (unsigned c = 0; c < 4; c++)
                made->vertex[k].value[c] =
                    list & 1 ? (float)cut_between(&state, -1, 1) : (float)(c == 3 || c == k);
        return true;
    }
    return false;
}

#endif
