/* The triangles of the far vertices' experiment: the same lists on silicon and in our test.
 *
 * Laid out like cut.h's lists. Lists 0 to 3: w is 1, one or two vertices 2^8 to 2^72 pixels away. Lists 4 to
 * 8: near and far planes that meet within the triangle, vertices outside of w, tiny and zero w. Lists 9 to
 * 11: vertices at z = w and z = -w and cuts there, with the viewport's depths 0.25 to 0.75 in lists 9 and 11,
 * with depth from -w to w in lists 10 and 11. */
#ifndef PLANE_FAR_H
#define PLANE_FAR_H

#include "cut.h"

#define FAR_LISTS 12u

enum {
    FAR_ONE,
    FAR_TIES,
    FAR_TWO,
    FAR_EQUALS,
    FAR_MEET,
    FAR_W_OUT,
    FAR_W_OUT2,
    FAR_TINY_CLAMP,
    FAR_TINY,
    FAR_DEPTHS,
    FAR_NEGATIVE,
    FAR_NEGATIVE_DEPTHS
};

static bool far_clamps(unsigned list)
{
    return list >= FAR_W_OUT && list <= FAR_TINY_CLAMP;
}

static bool far_is_negative(unsigned list)
{
    return list >= FAR_NEGATIVE;
}

static void far_depths(unsigned list, float depths[2])
{
    const bool part = list == FAR_DEPTHS || list == FAR_NEGATIVE_DEPTHS;
    depths[0] = part ? 0.25f : 0;
    depths[1] = part ? 0.75f : 1;
}

static double far_reach(uint64_t *state, int low, int high)
{
    return ldexp(cut_between(state, 1, 2), low + (int)(cut_next(state) % (unsigned)(high - low + 1)));
}

/* A place some pixels from (x, y), in pixels. */
static void far_place(uint64_t *state, double x, double y, double reach, bool plain, double out[2])
{
    const uint32_t pick = cut_next(state);
    double dx = cut_between(state, -1, 1), dy = cut_between(state, -1, 1);
    if (plain) {
        dx = (int)(pick % 3) - 1;
        dy = (int)(pick / 3 % 3) - 1;
    }
    out[0] = x + dx * reach;
    out[1] = y + dy * reach;
}

static void far_screen(uint64_t *state, unsigned list, double x, double y, struct cut_triangle *made)
{
    static const double near[] = {10, 40, 150, 600, 3000};
    const uint32_t pick = cut_next(state);
    const unsigned far = pick % 3, other = (far + 1 + (pick >> 8) % 2) % 3;
    const double reach = far_reach(state, 8, 72);
    double place[3][2];
    for (unsigned k = 0; k < 3; k++)
        far_place(state, x, y, near[cut_next(state) % 5], false, place[k]);
    far_place(state, x, y, reach, list == FAR_TIES && pick >> 16 & 1, place[far]);
    if (list == FAR_TWO)
        far_place(state, x, y, fmin(reach, far_reach(state, 6, 50)), false, place[other]);
    if (list == FAR_EQUALS)
        far_place(state, x, y, reach * ldexp(1, (int)(pick >> 12 & 3) - 1), false, place[other]);
    if (list == FAR_TIES) {
        const unsigned third = 3 - far - other, axis = pick >> 17 & 1;
        if (pick >> 18 & 1)
            place[other][axis] = place[third][axis];
        else if (pick >> 19 & 1)
            place[other][axis] = 2 * (axis ? y : x) - place[third][axis];
        for (unsigned k = 0; k < 3; k++)
            if (k != far && pick >> 20 & 1) {
                place[k][0] = rint(place[k][0]);
                place[k][1] = rint(place[k][1]);
            }
    }
    for (unsigned k = 0; k < 3; k++) {
        made->vertex[k].position[0] = (float)(place[k][0] / 128 - 1);
        made->vertex[k].position[1] = (float)(place[k][1] / 128 - 1);
        made->vertex[k].position[2] = (float)cut_between(state, 0, 1);
        made->vertex[k].position[3] = 1;
    }
}

/* Zero, or of any exponent down to the denormals. */
static double far_tiny(uint64_t *state)
{
    const uint32_t pick = cut_next(state);
    const double size = ldexp(pick & 1 ? 1 : cut_between(state, 1, 2), -16 - (int)(pick >> 8) % 135);
    return pick >> 1 & 7 ? (pick >> 4 & 1 ? -size : size) : 0;
}

static void far_clip_space(uint64_t *state, unsigned list, struct cut_triangle *made)
{
    for (unsigned k = 0; k < 3; k++) {
        float *position = made->vertex[k].position;
        const bool tiny = list >= FAR_TINY_CLAMP && k == 0;
        position[0] = (float)cut_between(state, -2, 2);
        position[1] = (float)cut_between(state, -2, 2);
        position[3] =
            (float)(tiny ? far_tiny(state) : cut_between(state, list >= FAR_TINY_CLAMP ? 0.25 : -1, 2));
        position[2] = (float)cut_between(state, -1, 2);
        if (list == FAR_TINY) {
            position[2] = position[3] * (float)cut_between(state, 0, 1);
            if (tiny && cut_next(state) & 1)
                position[2] = cut_next(state) & 1 ? 0 : position[3];
        }
    }
}

/* Some vertices on the planes z = w and z = -w. */
static void far_depth_planes(uint64_t *state, double x, double y, struct cut_triangle *made)
{
    for (unsigned k = 0; k < 3; k++) {
        float *position = made->vertex[k].position;
        const uint32_t pick = cut_next(state);
        double place[2];
        far_place(state, x, y, 100, false, place);
        position[3] = (float)cut_between(state, 0.25, 4);
        position[0] = (float)((place[0] / 128 - 1) * position[3]);
        position[1] = (float)((place[1] / 128 - 1) * position[3]);
        position[2] = (float)cut_between(state, -3, 3) * position[3];
        if (pick % 3 == 0)
            position[2] = pick & 64 ? position[3] : -position[3];
    }
}

/* Whether z and w are both 0 somewhere within the triangle. */
static bool far_meets(const struct cut_triangle *made)
{
    double weight[3];
    for (unsigned k = 0; k < 3; k++) {
        const float *p = made->vertex[(k + 1) % 3].position, *q = made->vertex[(k + 2) % 3].position;
        weight[k] = (double)p[2] * q[3] - (double)q[2] * p[3];
    }
    return (weight[0] > 0 && weight[1] > 0 && weight[2] > 0) ||
           (weight[0] < 0 && weight[1] < 0 && weight[2] < 0);
}

static bool far_suits(unsigned list, const struct cut_triangle *made, double x, double y)
{
    static const struct cut_list limits[FAR_LISTS] = {
        {CUT_ONE, false, {0, 3}, {0, 3}, {0, 0}, {0, 0}, 0},
        {CUT_ONE, false, {0, 3}, {0, 3}, {0, 0}, {0, 0}, 0},
        {CUT_ONE, false, {0, 3}, {0, 3}, {0, 0}, {0, 0}, 0},
        {CUT_ONE, false, {0, 3}, {0, 3}, {0, 0}, {0, 0}, 0},
        {CUT_SIGNED, false, {0, 3}, {0, 3}, {1, 2}, {0, 0}, 0},
        {CUT_SIGNED, true, {0, 3}, {0, 3}, {1, 1}, {0, 0}, 0},
        {CUT_SIGNED, true, {0, 3}, {0, 3}, {2, 2}, {0, 0}, 0},
        {CUT_TINY, true, {0, 3}, {0, 3}, {0, 3}, {0, 0}, 0},
        {CUT_TINY, false, {0, 3}, {0, 3}, {0, 3}, {0, 0}, 0},
        {CUT_POSITIVE, false, {0, 3}, {0, 3}, {0, 0}, {0, 0}, 0},
        {CUT_POSITIVE, false, {0, 3}, {0, 3}, {0, 0}, {0, 0}, 0},
        {CUT_POSITIVE, false, {0, 3}, {0, 3}, {0, 0}, {0, 0}, 0},
    };
    return cut_suits(&limits[list], made, x, y) && (list != FAR_MEET || far_meets(made));
}

/* False: no triangle was found, and none is drawn. */
static bool far_triangle(unsigned list, uint32_t n, struct cut_triangle *made)
{
    uint64_t state = (UINT64_C(0xd1342543de82ef95) * (list * CUT_TRIANGLES + n + 1)) | 1;
    const double x = (n & 63) * 4 + cut_between(&state, 1, 3),
                 y = (double)(n >> 6) * 4 + cut_between(&state, 1, 3);
    for (unsigned i = 0; i < 4000; i++) {
        if (list < FAR_MEET)
            far_screen(&state, list, x, y, made);
        else if (list >= FAR_DEPTHS)
            far_depth_planes(&state, x, y, made);
        else
            far_clip_space(&state, list, made);
        if (!far_suits(list, made, x, y))
            continue;
        for (unsigned k = 0; k < 3; k++)
            for (unsigned c = 0; c < 4; c++)
                made->vertex[k].value[c] = c == 3 && list >= FAR_MEET ? 1 : (float)cut_between(&state, -1, 1);
        return true;
    }
    return false;
}

#endif
