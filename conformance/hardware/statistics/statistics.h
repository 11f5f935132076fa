/* The draws whose statistics an H200 counted: index sequences, single primitives for the clipper, triangles
 * without an area. */
#ifndef STATISTICS_H
#define STATISTICS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Pseudo-random words: a state a sequence. */
static uint32_t statistics_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

/* ---- sequences ---- */

enum {
    STATISTICS_ARRAYS,
    STATISTICS_POOL,     /* indices below `parameter` */
    STATISTICS_DISTANCE, /* each third one repeats the one `parameter` before it, the others are fresh */
    STATISTICS_WALK,     /* indices rise slowly: from the last 2 * parameter to come */
};
enum {
    STATISTICS_PLAIN,
    STATISTICS_INSTANCE,  /* the vertex program reads the instance's number */
    STATISTICS_ATTRIBUTE, /* its attribute is an instance's */
    STATISTICS_WIDE,      /* it writes 16 vectors */
    STATISTICS_GEOMETRY,
    STATISTICS_TESSELLATION,
};
#define STATISTICS_RESTART 0xffffu
#define STATISTICS_MOST    320
#define STATISTICS_DRAWS   904

struct statistics_draw {
    uint8_t topology; /* VkPrimitiveTopology */
    uint8_t kind, program, patch;
    uint16_t parameter, count;
    uint8_t instances, restart; /* restart: about one index in so many; 0: none */
    uint8_t draws;              /* this many equal draws, each of its own part of the sequence */
    uint16_t base;
};

static struct statistics_draw statistics_draw(uint32_t number)
{
    static const uint16_t counts[] = {7, 33, 100, 205};
    static const uint16_t pools[] = {4, 12, 24, 33, 48, 80, 200};
    static const uint8_t strips[] = {2, 4, 5, 7, 9}, some[] = {0, 1, 3, 4}, patches[] = {1, 2, 3, 4, 5, 8, 16, 31, 32};
    struct statistics_draw d = {.instances = 1, .draws = 1, .patch = 3};
    uint32_t n = number;
    if (n < 80) { /* arrays */
        d.topology = (uint8_t)(n % 10);
        d.count = counts[n / 10 % 4];
        d.instances = n / 40 ? 3 : 1;
        return d;
    }
    if ((n -= 80) < 140) { /* pools */
        d.topology = (uint8_t)(n % 10);
        d.kind = STATISTICS_POOL;
        d.parameter = pools[n / 10 % 7];
        d.count = n / 70 ? 230 : 100;
        return d;
    }
    if ((n -= 140) < 320) { /* distances */
        d.topology = (uint8_t)(n % 5);
        d.kind = STATISTICS_DISTANCE;
        d.parameter = (uint16_t)(n / 5 + 1);
        d.count = 160;
        return d;
    }
    if ((n -= 320) < 120) { /* programs */
        d.program = (uint8_t)(1 + n % 5);
        d.topology = d.program == STATISTICS_TESSELLATION ? 10 : some[n / 5 % 4];
        if (d.program == STATISTICS_GEOMETRY && n / 20 % 6 >= 4)
            d.topology = (uint8_t)(n / 5 % 2 ? 6 : 8);
        d.kind = n / 20 % 2 ? STATISTICS_POOL : STATISTICS_ARRAYS;
        d.parameter = n / 40 ? 40 : 12;
        d.count = 97;
        d.instances = n / 40 % 2 ? 3 : 1;
        return d;
    }
    if ((n -= 120) < 60) { /* restart */
        d.topology = strips[n % 5];
        d.kind = STATISTICS_POOL;
        d.parameter = n / 5 % 2 ? 12 : 60;
        d.restart = (uint8_t)(4 + 5 * (n / 10 % 3));
        d.count = 150;
        d.instances = n / 30 ? 2 : 1;
        return d;
    }
    if ((n -= 60) < 60) { /* several draws, base vertex */
        d.topology = (uint8_t)(n % 5);
        d.kind = n / 5 % 3 ? STATISTICS_POOL : STATISTICS_ARRAYS;
        d.parameter = n / 5 % 3 == 1 ? 10 : 40;
        d.draws = n / 15 % 2 ? 6 : 2;
        d.count = n / 15 % 2 ? 13 : 70;
        d.base = n / 30 ? 100 : 0;
        return d;
    }
    if ((n -= 60) < 36) { /* patches */
        d.topology = 10;
        d.program = STATISTICS_TESSELLATION;
        d.patch = patches[n % 9];
        d.kind = n / 9 % 2 ? STATISTICS_POOL : STATISTICS_ARRAYS;
        d.parameter = 50;
        d.count = 200;
        d.instances = n / 18 ? 2 : 1;
        return d;
    }
    n -= 36; /* 88 walks */
    d.topology = (uint8_t)(n % 11 == 10 ? 3 : n % 11);
    d.kind = STATISTICS_WALK;
    d.parameter = (uint16_t)(2 + 3 * (n / 11));
    d.count = 300;
    return d;
}

/* The sequence's `count * draws` indices; those of a draw without indices stand for the vertices' numbers. */
static uint32_t statistics_indices(uint32_t number, uint16_t index[STATISTICS_MOST])
{
    const struct statistics_draw d = statistics_draw(number);
    const uint32_t count = (uint32_t)d.count * d.draws;
    uint32_t state = number * 2654435761u + 12345, fresh = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t r = statistics_random(&state);
        if (d.kind == STATISTICS_ARRAYS)
            index[i] = (uint16_t)i;
        else if (d.kind == STATISTICS_POOL)
            index[i] = (uint16_t)(r / 64 % d.parameter);
        else if (d.kind == STATISTICS_DISTANCE)
            index[i] = i % 3 == 2 && i >= d.parameter ? index[i - d.parameter] : (uint16_t)fresh++;
        else
            index[i] = (uint16_t)(i / 3 + r / 64 % (2u * d.parameter));
        if (d.restart && statistics_random(&state) / 64 % d.restart == 0)
            index[i] = STATISTICS_RESTART;
    }
    return count;
}

/* ---- single primitives ---- */

#define STATISTICS_PRIMITIVES 1536

struct statistics_primitive {
    uint8_t topology; /* VkPrimitiveTopology: points, lines, triangles */
    uint8_t cull, polygon, clamp, clockwise;
    bool distances; /* the program writes two clip distances and a cull distance: x, y, z of `distance` */
    float position[3][4], distance[3][4];
};

static float statistics_between(uint32_t *state, float low, float high)
{
    return low + (high - low) * ((float)statistics_random(state) / 16777216.0f);
}

static struct statistics_primitive statistics_primitive(uint32_t number)
{
    static const uint8_t topologies[] = {3, 1, 0, 3};
    static const float odd[] = {0.0f, -0.0f, 1e-30f, 1e-10f, -1e-10f, 1e10f};
    struct statistics_primitive p = {.topology = topologies[number % 4]};
    uint32_t state = number * 2246822519u + 777;
    const uint32_t group = number / 4 % 12, r = statistics_random(&state);
    p.cull = number / 48 % 4 == 1 ? (uint8_t)(r / 64 % 4) : 0;
    p.polygon = number / 48 % 4 == 2 ? (uint8_t)(r / 64 % 3) : 0;
    p.clamp = number / 48 % 4 == 3;
    p.distances = group == 8;
    for (int i = 0; i < 3; i++) {
        float *v = p.position[i];
        for (int k = 0; k < 2; k++)
            v[k] = statistics_between(&state, -1.2f, 1.2f);
        v[2] = statistics_between(&state, 0, 1);
        v[3] = 1;
        for (int k = 0; k < 4; k++)
            p.distance[i][k] = statistics_between(&state, -0.5f, 1);
        if (group == 1 || group == 9)
            v[2] = statistics_between(&state, -0.7f, 1.7f);
        if (group == 2 || group == 9)
            v[3] = statistics_between(&state, -1, 2);
        if (group == 3) {
            const float scale = (float)(1u << statistics_random(&state) / 64 % 24);
            v[0] *= scale;
            v[1] *= scale;
        }
        if (group == 4 && i) /* one corner twice, or three on a line */
            for (int k = 0; k < 4; k++)
                v[k] = i == 1 || number & 16 ? p.position[0][k] : p.position[0][k] * 2 - p.position[1][k];
        if (group == 5) /* all past one side, not far */
            v[number / 48 % 2] = v[number / 48 % 2] * 0.2f + (number / 96 % 2 ? 1.3f : -1.3f);
        if (group == 6) /* all far past one side */
            v[number / 48 % 2] += (number / 96 % 2 ? 1.0f : -1.0f) * (float)(1u << (4 + number / 192 * 2));
        if (group == 7 && i == (int)(number / 48 % 3))
            v[3] = odd[number / 144 % 6];
        if (group == 10) { /* far below a pixel */
            v[0] = 0.3f + v[0] * 0.001f;
            v[1] = 0.3f + v[1] * 0.001f;
        }
        if (group == 11 && i == 0) { /* no number, or none that is finite */
            static const uint32_t bits[] = {0x7fc00000, 0x7f800000, 0xff800000};
            memcpy(&v[number / 48 % 4], &bits[number / 192 % 3], 4);
        }
    }
    return p;
}

/* ---- triangles without an area ---- */

#define STATISTICS_FLAT 1536

/* Every eighth has an area; the last quarter is cut by the far plane. */
static struct statistics_primitive statistics_flat(uint32_t number)
{
    struct statistics_primitive p = {.topology = 3};
    uint32_t state = number * 2246822519u + 777;
    const uint32_t kind = number / 24 % 8;
    p.polygon = (uint8_t)(number % 3);
    p.cull = (uint8_t)(number / 3 % 4);
    p.clockwise = (uint8_t)(number / 12 % 2);
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 2; k++) /* quarters of a pixel */
            p.position[i][k] = (float)(int)(statistics_between(&state, 0, 60) * 4) / 128 - 30.0f / 32;
        p.position[i][2] = number / 192 >= 6 ? 0.25f + (float)i * 0.5f : 0.5f;
        p.position[i][3] = 1;
    }
    for (int k = 0; k < 2; k++) {
        float *a = &p.position[0][k], *b = &p.position[1][k], *c = &p.position[2][k];
        if (kind < 2)
            *b = *a;
        if (kind == 0 || kind == 3)
            *c = *a;
        if (kind == 2)
            *c = *b;
        if (kind == 4)
            *c = (*a + *b) / 2;
        if (kind == 5)
            *b = (*a + *c) / 2;
        if (kind == 6 && k == 1)
            *b = *c = *a;
    }
    return p;
}

#endif
