/* A small RAM with one texture header and one sampler, for tests of the texture unit. */
#ifndef ET_TESTS_TEXTURE_WORLD_H
#define ET_TESTS_TEXTURE_WORLD_H

#include "base/bits.h"
#include "support/suite.h"
#include "texture/encode.h"
#include "texture/plan.h"

/* Benches define their own: Check's assertions live in its tests alone. */
#ifndef WORLD_CHECK
#define WORLD_CHECK ck_assert
#endif

#define WORLD_HEADERS  UINT64_C(0x10000)
#define WORLD_SAMPLERS UINT64_C(0x11000)
#define WORLD_TEXELS   UINT64_C(0x100000)

struct world {
    struct et_ram ram;
    struct et_pagemap map;
    struct et_view view;
    struct et_tex_unit *unit;
    struct et_tex_pools pools;
};

static inline void world_open(struct world *world, uint64_t bytes, bool ampere)
{
    *world = (struct world){0};
    WORLD_CHECK(et_ram_create(&world->ram, bytes, ET_RAM_TRACKED, NULL) == ETALON_OK);
    et_pagemap_init(&world->map, &world->ram, 40);
    WORLD_CHECK(et_pagemap_map(&world->map, 0, bytes, 0, ET_READ | ET_WRITE, 0, NULL) == ETALON_OK);
    et_view_init(&world->view, &world->map, 1);
    world->unit = et_tex_unit_create(&world->view);
    WORLD_CHECK(world->unit != NULL);
    world->pools = (struct et_tex_pools){.headers = WORLD_HEADERS,
                                         .last_header = 7,
                                         .samplers = WORLD_SAMPLERS,
                                         .last_sampler = 7,
                                         .ampere = ampere,
                                         .maxwell_headers = true};
}

static inline void world_close(struct world *world)
{
    et_tex_unit_destroy(world->unit);
    et_pagemap_finish(&world->map);
    et_ram_destroy(&world->ram);
}

static inline void world_set(uint32_t words[8], unsigned hi, unsigned lo, uint32_t value)
{
    for (unsigned bit = lo; bit <= hi; bit++, value >>= 1) {
        words[bit >> 5] &= ~(1u << (bit & 31));
        words[bit >> 5] |= (value & 1) << (bit & 31);
    }
}

/* A block-linear header; sources r, g, b, a; one level. */
static inline void world_header(uint32_t words[8], uint32_t sizes, uint32_t type, uint32_t kind,
                                uint32_t width, uint32_t height, uint32_t depth)
{
    memset(words, 0, 32);
    world_set(words, 6, 0, sizes);
    for (unsigned c = 0; c < 4; c++) {
        world_set(words, 9 + 3 * c, 7 + 3 * c, type);
        world_set(words, 21 + 3 * c, 19 + 3 * c, ET_SOURCE_R + c);
    }
    words[1] = (uint32_t)WORLD_TEXELS;
    world_set(words, 87, 85, 3);
    world_set(words, 143, 128, width - 1);
    world_set(words, 154, 151, kind);
    world_set(words, 159, 157, 7);
    world_set(words, 175, 160, height - 1);
    world_set(words, 189, 176, depth - 1);
    world_set(words, 191, 191, 1);
}

static inline void world_levels(uint32_t words[8], uint32_t levels)
{
    world_set(words, 127, 124, levels - 1);
    world_set(words, 231, 228, levels - 1);
}

/* One filter for both directions; wrap for all axes; levels 0 to 15. */
static inline void world_sampler(uint32_t words[8], uint32_t filter, uint32_t mip, uint32_t wrap)
{
    memset(words, 0, 32);
    for (unsigned d = 0; d < 3; d++)
        world_set(words, 2 + 3 * d, 3 * d, wrap);
    world_set(words, 34, 32, filter);
    world_set(words, 37, 36, filter);
    world_set(words, 39, 38, mip);
    world_set(words, 41, 40, 2);
    world_set(words, 87, 76, 15 << 8);
}

static inline void world_bind(struct world *world, const uint32_t header[8], const uint32_t sampler[8])
{
    memcpy(world->ram.base + WORLD_HEADERS + 32, header, 32);
    if (sampler)
        memcpy(world->ram.base + WORLD_SAMPLERS + 32, sampler, 32);
}

static inline enum etalon_status world_run(struct world *world, const struct et_tex_instruction *instruction,
                                           const struct et_tex_lanes *lanes, uint32_t out[4][ET_LANES])
{
    struct etalon_error error = {0};
    return et_tex_execute(world->unit, &world->pools, 1, 1, instruction, lanes, UINT32_MAX, out, NULL,
                          &error);
}

/* The byte of a texel of the bound header in RAM. */
static inline uint8_t *world_texel(struct world *world, unsigned level, uint32_t layer, uint32_t x,
                                   uint32_t y, uint32_t z)
{
    struct et_texture texture;
    uint32_t words[8];
    memcpy(words, world->ram.base + WORLD_HEADERS + 32, 32);
    WORLD_CHECK(et_texture_decode(&texture, words, world->pools.ampere, NULL) == ETALON_OK);
    return world->ram.base + et_texels_address(&texture, level, layer, x, y, z);
}

#endif
