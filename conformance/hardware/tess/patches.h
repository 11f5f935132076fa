/* The patches of the tessellation experiment: the same list on silicon and in our test. */
#ifndef TESS_PATCHES_H
#define TESS_PATCHES_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#define TESS_PATCHES 1024u /* of a set */
#define TESS_SETS    20u

/* domain: isolines, triangles, quads. spacing: equal, fractional odd, fractional even. */
struct tess_set {
    uint32_t domain, spacing;
    bool points, clockwise;
};

struct tess_patch {
    float outer[4], inner[2];
};

struct tess_random {
    uint64_t state;
};

/* Sets of points and of primitives in turn; the last two are clockwise. */
static struct tess_set tess_set(uint32_t set)
{
    if (set >= 18)
        return (struct tess_set){set - 17, 0, false, true};
    return (struct tess_set){set / 6, set / 2 % 3, set & 1, false};
}

static uint32_t tess_next(struct tess_random *random)
{
    random->state = random->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(random->state >> 32);
}

static float tess_unit(struct tess_random *random)
{
    return (float)(tess_next(random) >> 8) * (1.0f / 16777216.0f);
}

/* Mostly levels that draw; `odd` admits those that don't, or are out of range. */
static float tess_level(struct tess_random *random, uint32_t odd)
{
    static const float out[8] = {0, -1, 0.5f, 1e-10f, 100, INFINITY, NAN, -0.0f};
    const uint32_t kind = tess_next(random) % 4;
    if (odd && tess_next(random) % 64 == 0)
        return out[tess_next(random) % 8];
    switch (kind) {
    case 0:
        return 66 * tess_unit(random);
    case 1:
        return 8 * tess_unit(random);
    case 2:
        return (float)(1 + tess_next(random) % 64);
    default: /* next to a whole number, in steps of 1/65536 */
        return (float)(1 + tess_next(random) % 16) +
               ((float)(tess_next(random) % 33) - 16) * (1.0f / 65536.0f);
    }
}

/* Every other patch of triangles and quads is small. */
static struct tess_patch tess_patch(uint32_t set, uint32_t index)
{
    struct tess_random random = {UINT64_C(0x9e3779b97f4a7c15) * (set * 65536 + index + 1)};
    struct tess_patch patch;
    tess_next(&random);
    for (int i = 0; i < 4; i++)
        patch.outer[i] = tess_level(&random, 1);
    for (int i = 0; i < 2; i++)
        patch.inner[i] = tess_level(&random, 1);
    if (set < 6) { /* isolines: one line, but for a few */
        patch.outer[1] = tess_level(&random, 0);
        if (tess_next(&random) % 4)
            patch.outer[0] = 1;
    } else if (index & 1) {
        for (int i = 0; i < 4; i++)
            patch.outer[i] = 0.5f + 9 * tess_unit(&random);
        for (int i = 0; i < 2; i++)
            patch.inner[i] = 0.5f + 7 * tess_unit(&random);
    }
    return patch;
}

/* Folds one vertex of a patch, in 1/65536, into its hash. */
static uint32_t tess_mix(uint32_t hash, uint32_t u, uint32_t v)
{
    hash = (hash ^ u) * 0x9e3779b1u;
    hash = (hash ^ hash >> 15 ^ v) * 0x85ebca77u;
    return (hash ^ hash >> 13) + 1;
}

#endif
