/* What the anisotropy experiment asks: the same on silicon and in our test. */
#ifndef ANISO_FOOTPRINTS_H
#define ANISO_FOOTPRINTS_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#define ANISO_SIZE   64u /* of a texture's side (of a cube's face, a volume's) */
#define ANISO_LEVELS 7u
#define ANISO_TAPS   16384u /* footprints of a set of weights */
#define ANISO_NOISE  8192u  /* of another set */

enum aniso_kind {
    ANISO_COLUMNS, /* 32 weights a footprint: of columns 16..47 of level 0, or of all of level 1 */
    ANISO_ROWS,
    ANISO_FLAT, /* one texel a footprint, here and below */
    ANISO_ARRAY,
    ANISO_CUBE,
    ANISO_VOLUME,
    ANISO_SHADOW
};

enum aniso_format {
    ANISO_RGBA8,
    ANISO_SRGB8,
    ANISO_SNORM8,
    ANISO_RGBA16,
    ANISO_RGBA16F,
    ANISO_RGBA32F,
    ANISO_D32
};

/* Directions of the footprint's major axis. */
enum aniso_axis { ANISO_HORIZONTAL, ANISO_ANY, ANISO_SKEWED };

struct aniso_set {
    const char *name;
    uint8_t kind, format, axis, most; /* most: maxAnisotropy */
    uint8_t level;                    /* of weights: the level that is not zero */
    uint8_t levels_only;              /* the texture holds each level's number */
    uint8_t linear, mip_linear;
    float bias, least, greatest;
};

static const struct aniso_set aniso_sets[] = {
    {"columns0", ANISO_COLUMNS, ANISO_RGBA32F, ANISO_HORIZONTAL, 16, 0, 0, 1, 1, 0, 0, 100},
    {"columns1", ANISO_COLUMNS, ANISO_RGBA32F, ANISO_HORIZONTAL, 16, 1, 0, 1, 1, 0, 0, 100},
    {"tilted_columns0", ANISO_COLUMNS, ANISO_RGBA32F, ANISO_ANY, 16, 0, 0, 1, 1, 0, 0, 100},
    {"tilted_columns1", ANISO_COLUMNS, ANISO_RGBA32F, ANISO_ANY, 16, 1, 0, 1, 1, 0, 0, 100},
    {"tilted_rows0", ANISO_ROWS, ANISO_RGBA32F, ANISO_ANY, 16, 0, 0, 1, 1, 0, 0, 100},
    {"tilted_rows1", ANISO_ROWS, ANISO_RGBA32F, ANISO_ANY, 16, 1, 0, 1, 1, 0, 0, 100},
    {"columns0_most2", ANISO_COLUMNS, ANISO_RGBA32F, ANISO_HORIZONTAL, 2, 0, 0, 1, 1, 0, 0, 100},
    {"columns1_most2", ANISO_COLUMNS, ANISO_RGBA32F, ANISO_HORIZONTAL, 2, 1, 0, 1, 1, 0, 0, 100},
    {"columns0_most8", ANISO_COLUMNS, ANISO_RGBA32F, ANISO_HORIZONTAL, 8, 0, 0, 1, 1, 0, 0, 100},
    {"columns1_most8", ANISO_COLUMNS, ANISO_RGBA32F, ANISO_HORIZONTAL, 8, 1, 0, 1, 1, 0, 0, 100},
    {"lod2", ANISO_FLAT, ANISO_RGBA32F, ANISO_SKEWED, 2, 0, 1, 1, 1, 0, 0, 100},
    {"lod16", ANISO_FLAT, ANISO_RGBA32F, ANISO_SKEWED, 16, 0, 1, 1, 1, 0, 0, 100},
    {"lod16_bias", ANISO_FLAT, ANISO_RGBA32F, ANISO_SKEWED, 16, 0, 1, 1, 1, 0.75f, 0, 100},
    {"rgba8_2", ANISO_FLAT, ANISO_RGBA8, ANISO_SKEWED, 2, 0, 0, 1, 1, 0, 0, 100},
    {"rgba8_4", ANISO_FLAT, ANISO_RGBA8, ANISO_SKEWED, 4, 0, 0, 1, 1, 0, 0, 100},
    {"rgba8_16", ANISO_FLAT, ANISO_RGBA8, ANISO_SKEWED, 16, 0, 0, 1, 1, 0, 0, 100},
    {"rgba8_16_bias", ANISO_FLAT, ANISO_RGBA8, ANISO_SKEWED, 16, 0, 0, 1, 1, 0.75f, 0, 100},
    {"rgba8_16_lower", ANISO_FLAT, ANISO_RGBA8, ANISO_SKEWED, 16, 0, 0, 1, 1, -1.25f, 0, 100},
    {"rgba8_16_least", ANISO_FLAT, ANISO_RGBA8, ANISO_SKEWED, 16, 0, 0, 1, 1, 0, 1.5f, 100},
    {"rgba8_16_greatest", ANISO_FLAT, ANISO_RGBA8, ANISO_SKEWED, 16, 0, 0, 1, 1, 0, 0, 0.5f},
    {"rgba8_16_point", ANISO_FLAT, ANISO_RGBA8, ANISO_SKEWED, 16, 0, 0, 0, 1, 0, 0, 100},
    {"rgba8_16_mip_point", ANISO_FLAT, ANISO_RGBA8, ANISO_SKEWED, 16, 0, 0, 1, 0, 0, 0, 100},
    {"srgb8_16", ANISO_FLAT, ANISO_SRGB8, ANISO_SKEWED, 16, 0, 0, 1, 1, 0, 0, 100},
    {"snorm8_16", ANISO_FLAT, ANISO_SNORM8, ANISO_SKEWED, 16, 0, 0, 1, 1, 0, 0, 100},
    {"rgba16_16", ANISO_FLAT, ANISO_RGBA16, ANISO_SKEWED, 16, 0, 0, 1, 1, 0, 0, 100},
    {"rgba16f_16", ANISO_FLAT, ANISO_RGBA16F, ANISO_SKEWED, 16, 0, 0, 1, 1, 0, 0, 100},
    {"rgba16f_16_mip_point", ANISO_FLAT, ANISO_RGBA16F, ANISO_SKEWED, 16, 0, 0, 1, 0, 0, 0, 100},
    {"rgba32f_16", ANISO_FLAT, ANISO_RGBA32F, ANISO_SKEWED, 16, 0, 0, 1, 1, 0, 0, 100},
    {"rgba32f_16_mip_point", ANISO_FLAT, ANISO_RGBA32F, ANISO_SKEWED, 16, 0, 0, 1, 0, 0, 0, 100},
    {"array_16", ANISO_ARRAY, ANISO_RGBA8, ANISO_SKEWED, 16, 0, 0, 1, 1, 0, 0, 100},
    {"shadow_16", ANISO_SHADOW, ANISO_D32, ANISO_SKEWED, 16, 0, 0, 1, 1, 0, 0, 100},
    {"cube_lod16", ANISO_CUBE, ANISO_RGBA32F, ANISO_ANY, 16, 0, 1, 1, 1, 0, 0, 100},
    {"cube_16", ANISO_CUBE, ANISO_RGBA8, ANISO_ANY, 16, 0, 0, 1, 1, 0, 0, 100},
    {"volume_lod16", ANISO_VOLUME, ANISO_RGBA32F, ANISO_ANY, 16, 0, 1, 1, 1, 0, 0, 100},
    {"volume_16", ANISO_VOLUME, ANISO_RGBA8, ANISO_ANY, 16, 0, 0, 1, 1, 0, 0, 100},
};

#define ANISO_SETS ((uint32_t)(sizeof aniso_sets / sizeof aniso_sets[0]))

/* A coordinate and its derivatives. */
struct aniso_footprint {
    float at[3], dx[3], dy[3];
};

struct aniso_random {
    uint64_t state;
};

static uint32_t aniso_next(struct aniso_random *random)
{
    random->state = random->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(random->state >> 32);
}

static float aniso_float(struct aniso_random *random, float low, float high)
{
    return low + (high - low) * ((float)(aniso_next(random) >> 8) * (1.0f / 16777216.0f));
}

/* 2^x by a series in exact steps, so that every machine makes the same number. */
static float aniso_power(float x)
{
    const float whole = floorf(x);
    const double y = (double)(x - whole) * 0.69314718055994531;
    double sum = 1, term = 1;
    for (int k = 1; k < 16; k++) {
        term *= y / k;
        sum += term;
    }
    return ldexpf((float)sum, (int)whole);
}

static uint32_t aniso_footprints(const struct aniso_set *set)
{
    return set->kind <= ANISO_ROWS ? ANISO_TAPS : ANISO_NOISE;
}

static uint32_t aniso_words(const struct aniso_set *set)
{
    return set->kind <= ANISO_ROWS ? 32 : 4;
}

/* A unit vector, rational in a random t. */
static void aniso_direction(struct aniso_random *random, float out[2])
{
    const float t = aniso_float(random, -1, 1), d = 1 + t * t;
    const uint32_t turn = aniso_next(random) >> 30;
    const float c = (1 - t * t) / d, s = 2 * t / d;
    out[0] = turn == 0 ? c : turn == 1 ? -s : turn == 2 ? -c : s;
    out[1] = turn == 0 ? s : turn == 1 ? c : turn == 2 ? -s : -c;
}

/* Sets of weights of the same axis ask for the same footprints. */
static struct aniso_footprint aniso_footprint(const struct aniso_set *set, uint32_t index)
{
    struct aniso_random random = {UINT64_C(0x9e3779b97f4a7c15) * (set->axis * 65536 + index + 1)};
    struct aniso_footprint f;
    float axis[2] = {1, 0}, ratio, lod, major, minor;
    memset(&f, 0, sizeof f);
    aniso_next(&random);
    ratio = aniso_float(&random, 0, 4.4f);
    lod = aniso_float(&random, -0.25f, 1);
    if (set->kind > ANISO_ROWS && aniso_next(&random) % 4 == 0)
        lod = aniso_float(&random, -2, 5);
    if (set->kind > ANISO_ROWS && aniso_next(&random) % 4 == 0)
        lod = (float)(aniso_next(&random) % 4);
    major = aniso_power(lod + ratio) / ANISO_SIZE;
    minor = aniso_power(lod) / ANISO_SIZE;
    if (set->axis != ANISO_HORIZONTAL)
        aniso_direction(&random, axis);
    if (set->kind <= ANISO_ROWS) { /* all samples stay within the columns and rows looked at */
        f.at[0] = (31.5f + (float)(aniso_next(&random) % 2048) / 4096) / ANISO_SIZE;
        f.at[1] = (31.5f + (float)(aniso_next(&random) % 2048) / 4096) / ANISO_SIZE;
    } else {
        for (int k = 0; k < 3; k++)
            f.at[k] = aniso_float(&random, set->kind == ANISO_CUBE ? -1 : 0, 1);
    }
    f.dx[0] = axis[0] * major;
    f.dx[1] = axis[1] * major;
    f.dy[0] = -axis[1] * minor;
    f.dy[1] = axis[0] * minor;
    if (set->axis == ANISO_SKEWED && aniso_next(&random) % 2) {
        const float by = aniso_float(&random, -1, 1);
        f.dy[0] += by * f.dx[0];
        f.dy[1] += by * f.dx[1];
    }
    if (set->kind == ANISO_CUBE || set->kind == ANISO_VOLUME) {
        f.dx[2] = aniso_float(&random, -1, 1) * major;
        f.dy[2] = aniso_float(&random, -1, 1) * minor;
    }
    if (aniso_next(&random) % 2) {
        float swap[3];
        memcpy(swap, f.dx, sizeof swap);
        memcpy(f.dx, f.dy, sizeof swap);
        memcpy(f.dy, swap, sizeof swap);
    }
    return f;
}

static uint32_t aniso_bytes(const struct aniso_set *set)
{
    static const uint8_t bytes[] = {4, 4, 4, 8, 8, 16, 4};
    return bytes[set->format];
}

/* One texel of texture `texture` (of eight, for weights), as bytes. */
static void aniso_texel(const struct aniso_set *set, uint32_t texture, uint32_t level, uint32_t layer,
                        uint32_t x, uint32_t y, uint32_t z, uint8_t *out)
{
    struct aniso_random random = {
        UINT64_C(0x9e3779b97f4a7c15) *
        ((((uint64_t)set->format * 8 + level) * 8 + layer) * 262144 + (z * 64 + y) * 64 + x + 1)};
    uint32_t word[4];
    float value[4];
    aniso_next(&random);
    for (int c = 0; c < 4; c++)
        word[c] = aniso_next(&random);
    switch (set->format) {
    case ANISO_RGBA8:
    case ANISO_SRGB8:
    case ANISO_SNORM8:
        memcpy(out, word, 4);
        return;
    case ANISO_RGBA16:
        memcpy(out, word, 8);
        return;
    case ANISO_RGBA16F: /* finite, 2^-6 .. 2^2, either sign in B and A */
        for (int c = 0; c < 4; c++) {
            const uint16_t half = (uint16_t)((word[c] & 0x3ff) | (9 + (word[c] >> 10) % 9) << 10 |
                                             (c > 1 ? word[c] >> 31 << 15 : 0));
            memcpy(out + 2 * c, &half, 2);
        }
        return;
    case ANISO_D32:
        value[0] = (float)(word[0] >> 8) * (1.0f / 16777216.0f);
        memcpy(out, value, 4);
        return;
    default:
        break;
    }
    for (int c = 0; c < 4; c++) {
        const uint32_t at = (set->kind == ANISO_ROWS ? y : x) - (level == 0 ? 16 : 0);
        if (set->kind <= ANISO_ROWS)
            value[c] = level == set->level && at == 4 * texture + (uint32_t)c ? 1.0f : 0.0f;
        else if (set->levels_only)
            value[c] = (float)level;
        else /* 24 bits, a third of them within 2^-12 .. 1, signs in B and A */
            value[c] = ldexpf((float)(word[c] >> 9 | 1u << 22), -23 - (int)(word[c] % 3 ? 0 : word[c] % 13)) *
                       (c > 1 && word[c] >> 31 ? -1.0f : 1.0f);
    }
    memcpy(out, value, 16);
}

#endif
