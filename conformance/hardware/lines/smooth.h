/* Smooth lines, each in a cell of its own: the same lists on silicon and in our test. Cell n of a list lies
 * at (n & 31, n >> 5). */
#ifndef SMOOTH_H
#define SMOOTH_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#define SMOOTH_CELL  32
#define SMOOTH_LINES 1024
#define SMOOTH_SIZE  (SMOOTH_CELL * 32) /* of a list's picture */

enum smooth_kind {
    SMOOTH_ENDS,   /* horizontal: the right end and the height vary */
    SMOOTH_AXES,   /* along an axis, all ways */
    SMOOTH_SLOPES, /* any way */
    SMOOTH_SHORT,  /* no longer than two pixels */
};

struct smooth_list {
    uint8_t kind, samples;
    bool stippled, narrow; /* narrow: widths up to 2, else any */
};

static const struct smooth_list smooth_lists[] = {
    {SMOOTH_ENDS, 1, false, false},  {SMOOTH_AXES, 1, false, false},  {SMOOTH_SLOPES, 1, false, false},
    {SMOOTH_SLOPES, 1, false, true}, {SMOOTH_SHORT, 1, false, false}, {SMOOTH_AXES, 1, true, false},
    {SMOOTH_SLOPES, 1, true, false}, {SMOOTH_SLOPES, 1, true, true},  {SMOOTH_SLOPES, 4, false, false},
    {SMOOTH_SLOPES, 4, true, false}};

#define SMOOTH_LISTS (sizeof smooth_lists / sizeof *smooth_lists)

struct smooth_line {
    float width;
    uint16_t pattern;
    uint8_t factor;
    float position[2][2]; /* pixels of the picture, whole 1/256 */
    float value[2];
};

static uint32_t smooth_next(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (uint32_t)(*state >> 20);
}

/* Whole 1/256 from low to high. */
static float smooth_between(uint64_t *state, int low, int high)
{
    return (float)(low * 256 + (int)(smooth_next(state) % (uint32_t)((high - low) * 256 + 1))) / 256;
}

static struct smooth_line smooth_line(uint32_t list, uint32_t n)
{
    static const float widths[] = {2.125f, 2.5f, 3, 3.5f, 4, 5.25f, 8, 16};
    const struct smooth_list *l = &smooth_lists[list];
    uint64_t state = UINT64_C(0x9e3779b97f4a7c15) * (list * SMOOTH_LINES + n + 1);
    struct smooth_line line = {.width = 3.5f, .pattern = 0xffff, .factor = 1};
    float dx, dy, x, y;
    for (unsigned i = 0; i < 4; i++)
        smooth_next(&state);
    if (l->kind != SMOOTH_ENDS)
        line.width = l->narrow                 ? (float)(1 + smooth_next(&state) % 16) / 8
                     : smooth_next(&state) & 1 ? widths[smooth_next(&state) % 8]
                                               : (float)(17 + smooth_next(&state) % 64) / 8;
    if (l->stippled) {
        line.pattern = (uint16_t)smooth_next(&state);
        line.factor = (uint8_t)(1 + smooth_next(&state) % 4);
        if (smooth_next(&state) & 1)
            line.pattern = (uint16_t)(0x0f0f0f0f >> smooth_next(&state) % 8);
    }
    x = smooth_between(&state, 10, 22);
    y = smooth_between(&state, 10, 22);
    dx = smooth_between(&state, -10, 10);
    dy = smooth_between(&state, -10, 10);
    if (l->kind == SMOOTH_ENDS) {
        x = 8;
        dx = 8 + (float)(n & 63) / 64;
        y = 16 + (float)(n >> 6) / 32;
        dy = 0;
    } else if (l->kind == SMOOTH_AXES) {
        *(n & 1 ? &dx : &dy) = 0;
        if (n & 2) /* centres and borders of pixels */
            *(n & 1 ? &x : &y) = floorf(*(n & 1 ? &x : &y) * 2) / 2;
    } else if (l->kind == SMOOTH_SHORT) {
        dx /= 8;
        dy /= 8;
    } else if (n % 8 == 0)
        dy = smooth_next(&state) & 1 ? dx : -dx;
    line.position[0][0] = (float)((n & 31) * SMOOTH_CELL) + floorf(x * 256) / 256;
    line.position[0][1] = (float)((n >> 5) * SMOOTH_CELL) + floorf(y * 256) / 256;
    line.position[1][0] = line.position[0][0] + floorf(dx * 256) / 256;
    line.position[1][1] = line.position[0][1] + floorf(dy * 256) / 256;
    for (unsigned k = 0; k < 2; k++)
        line.value[k] = (float)(smooth_next(&state) & 0xffffff) / 16777216 - 0.25f;
    return line;
}

#endif
