/* Hostile headers, samplers, instructions and coordinates: a result or a named error, never a crash. */
#include "support/texture_world.h"
#include "texture/sample.h"

#define ROUNDS 6000

static uint64_t state;
static unsigned long answered;

static uint32_t draw(void)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(state >> 32);
}

static bool chance(unsigned of)
{
    return draw() % of == 0;
}

/* Random bits, or a sound descriptor with a few bits flipped. */
static void draw_header(uint32_t words[8])
{
    static const uint8_t kinds[] = {0, 1, 2, 3, 4, 5, 7, 8};
    unsigned rows = 0;
    while (et_format_row(rows))
        rows++;
    world_header(words, et_format_row(draw() % rows)->sizes, 1 + draw() % 7, kinds[draw() % 8],
                 1 + draw() % (chance(8) ? 65536 : 40), 1 + draw() % (chance(8) ? 65536 : 40),
                 1 + draw() % (chance(8) ? 2048 : 6));
    world_levels(words, 1 + draw() % 8);
    for (unsigned c = 0; c < 4; c++)
        world_set(words, 21 + 3 * c, 19 + 3 * c, draw());
    world_set(words, 104, 99, draw());
    world_set(words, 150, 150, draw());
    if (chance(3))
        world_set(words, 87, 85, draw());
    if (chance(3))
        world_set(words, 235, 232, draw());
    if (chance(4))
        world_set(words, 231, 224, draw());
    for (unsigned flips = chance(2) ? 0 : draw() % 8; flips; flips--)
        words[draw() % 8] ^= 1u << draw() % 32;
    if (chance(16))
        for (unsigned i = 0; i < 8; i++)
            words[i] = draw();
}

static uint32_t draw_float(void)
{
    static const uint32_t odd[] = {0x7fc00000, 0x7f800000, 0xff800000, 0x80000000,
                                   0x00000001, 0x7f7fffff, 0xff7fffff};
    if (chance(8))
        return odd[draw() % ET_COUNT(odd)];
    return chance(4) ? draw() : et_float_bits((float)(int32_t)draw() * 0x1p-30f);
}

static void draw_lanes(struct et_tex_lanes *lanes, bool integers)
{
    for (unsigned lane = 0; lane < ET_LANES; lane++) {
        for (unsigned d = 0; d < 3; d++) {
            lanes->coord[d][lane] = integers ? (chance(4) ? draw() : draw() % 64) : draw_float();
            lanes->ddx[d][lane] = draw_float();
            lanes->ddy[d][lane] = draw_float();
            for (unsigned i = 0; i < 4; i++)
                lanes->offset[i][d][lane] = (int8_t)draw();
        }
        lanes->layer[lane] = chance(3) ? draw() : draw() % 8;
        lanes->lod[lane] = integers ? draw() % 6 : draw_float();
        lanes->min_lod[lane] = draw_float();
        lanes->compare[lane] = draw_float();
        lanes->sample[lane] = chance(4) ? draw() : draw() % 8;
    }
}

static void sample_round(struct world *world)
{
    struct et_tex_instruction instruction = {.op = (uint8_t)(draw() % 5),
                                             .dim = (uint8_t)(draw() % 4),
                                             .array = draw() & 1,
                                             .shadow = chance(4),
                                             .multisample = chance(4),
                                             .lod = (uint8_t)(draw() % 7),
                                             .offset = draw() & 1,
                                             .offsets4 = chance(4),
                                             .gather_component = (uint8_t)(draw() % 4),
                                             .query = (uint8_t)(draw() % 7)};
    static struct et_tex_lanes lanes;
    uint32_t out[4][ET_LANES], resident;
    struct etalon_error error = {0};
    enum etalon_status status;
    draw_lanes(&lanes, instruction.op == ET_TEX_FETCH || chance(16));
    status = et_tex_execute(world->unit, &world->pools, 1, 1, &instruction, &lanes, draw() | 1, out,
                            &resident, &error);
    ck_assert_int_eq(status, error.status);
    ck_assert(!status || error.text[0]);
    answered += status == ETALON_OK;
}

static void image_round(struct world *world)
{
    const struct et_image_instruction instruction = {.op = (uint8_t)(draw() % 3),
                                                     .dim = (uint8_t)(draw() % 6),
                                                     .clamp = (uint8_t)(draw() % 3),
                                                     .formatted = draw() & 1,
                                                     .components = (uint8_t)(draw() & 15),
                                                     .bytes = (uint8_t)(1 << draw() % 5),
                                                     .sign_extend = draw() & 1,
                                                     .atomic = (uint8_t)(draw() % 10),
                                                     .atomic_signed = draw() & 1,
                                                     .atomic_64 = draw() & 1};
    uint32_t coord[3][ET_LANES], data[4][ET_LANES];
    struct etalon_error error = {0};
    enum etalon_status status;
    for (unsigned lane = 0; lane < ET_LANES; lane++) {
        for (unsigned d = 0; d < 3; d++)
            coord[d][lane] = chance(4) ? draw() : draw() % 64;
        for (unsigned c = 0; c < 4; c++)
            data[c][lane] = draw();
    }
    status =
        et_image_execute(world->unit, &world->pools, 1, &instruction, coord, draw() | 1, data, NULL, &error);
    ck_assert_int_eq(status, error.status);
}

START_TEST(hostile_descriptors)
{
    struct world world;
    state = (uint64_t)_i;
    world_open(&world, 8 << 20, _i & 1);
    /* A hole, a sparse range and read-only memory among the texels. */
    ck_assert_int_eq(et_pagemap_unmap(&world.map, WORLD_TEXELS + 0x20000, 0x10000, NULL), ETALON_OK);
    ck_assert_int_eq(et_pagemap_map_sparse(&world.map, WORLD_TEXELS + 0x50000, 0x10000, NULL), ETALON_OK);
    ck_assert_int_eq(et_pagemap_map(&world.map, WORLD_TEXELS + 0x80000, 0x10000, 0x700000, ET_READ, 0, NULL),
                     ETALON_OK);
    for (uint64_t i = WORLD_TEXELS; i < 8 << 20; i += 4)
        et_store32(world.ram.base + i, draw());
    for (unsigned round = 0; round < ROUNDS; round++) {
        uint32_t header[8], sampler[8];
        draw_header(header);
        for (unsigned i = 0; i < 8; i++)
            sampler[i] = draw();
        if (chance(2))
            world_sampler(sampler, 1 + draw() % 3, 1 + draw() % 3, draw() % 8);
        if (chance(2))
            world_set(sampler, 22, 20, draw());
        world_bind(&world, header, sampler);
        if (chance(3))
            image_round(&world);
        else
            sample_round(&world);
    }
    ck_assert_uint_gt(answered, ROUNDS / 4); /* the noise must reach the filter */
    world_close(&world);
}
END_TEST

/* The warp-wide path against the scalar one, lane by lane. */
START_TEST(fast_path_equals_the_specification)
{
    struct world world;
    unsigned long fast_lanes = 0;
    state = 1000 + (uint64_t)_i;
    world_open(&world, 8 << 20, _i & 1);
    for (uint64_t i = WORLD_TEXELS; i < 8 << 20; i += 4)
        et_store32(world.ram.base + i, draw());
    for (unsigned round = 0; round < ROUNDS / 2; round++) {
        const struct et_tex_instruction instruction = {.op = ET_TEX_SAMPLE,
                                                       .dim = ET_TEX_2D,
                                                       .array = draw() & 1,
                                                       .offset = chance(3),
                                                       .lod = (uint8_t)(draw() % 7)};
        static struct et_tex_lanes lanes;
        uint32_t header[8], sampler[8], fast[4][ET_LANES] = {{0}}, slow[4][ET_LANES] = {{0}};
        enum etalon_status status;
        world_header(header, 0x08, ET_TYPE_UNORM, instruction.array ? ET_TEXTURE_2D_ARRAY : ET_TEXTURE_2D,
                     1 + draw() % 70, 1 + draw() % 70, 1 + (instruction.array ? draw() % 5 : 0));
        world_levels(header, 1 + draw() % 6);
        world_set(header, 104, 99, draw() % 6 | (draw() % 3) << 3);
        if (chance(3)) /* a constant among the slots */
            world_set(header, 27, 25, draw() & 1 ? ET_SOURCE_ZERO : ET_SOURCE_ONE_FLOAT);
        if (chance(3))
            world_set(header, 21, 19, ET_SOURCE_A);
        world_sampler(sampler, 1 + draw() % 3, 1 + draw() % 3, 0);
        for (unsigned d = 0; d < 2; d++)
            world_set(sampler, 2 + 3 * d, 3 * d, draw());
        world_set(sampler, 37, 36, 1 + draw() % 3);
        world_set(sampler, 56, 44, draw() % 512);
        if (chance(3))
            world_set(sampler, 22, 20, draw());
        world_bind(&world, header, sampler);
        draw_lanes(&lanes, false);
        for (unsigned lane = 0; lane < ET_LANES; lane++) /* mostly derivatives of a few texels */
            for (unsigned d = 0; d < 2 && !chance(4); d++)
                lanes.coord[d][lane] = et_float_bits((float)(lane & (1u << d) ? 0.03125 : 0) +
                                                     (float)(int32_t)(draw() & 0xffff) * 0x1p-17f);
        struct et_tex_request request = {
            .instruction = &instruction, .lanes = &lanes, .mask = draw() | 1, .out = fast};
        request.plan = et_plan_find(world.unit, &world.pools, 1, 1, false, &status, NULL);
        ck_assert_ptr_nonnull(request.plan);
        et_texels_start(&request.texels, world.unit, request.plan, NULL);
        const uint32_t done = request.mask & ~et_sample_fast(&request);
        request.out = slow;
        request.lod_quad = 0;
        for (uint32_t mask = done; mask; mask &= mask - 1) {
            const unsigned lane = (unsigned)__builtin_ctz(mask);
            et_sample_lane(&request, lane);
            for (unsigned c = 0; c < 4; c++)
                ck_assert_msg(fast[c][lane] == slow[c][lane],
                              "round %u lane %u component %u: 0x%08x, not 0x%08x", round, lane, c,
                              fast[c][lane], slow[c][lane]);
        }
        fast_lanes += (unsigned)__builtin_popcount(done);
    }
    ck_assert_uint_gt(fast_lanes, ROUNDS * 2);
    world_close(&world);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("texture fuzz");
    TCase *tcase = tcase_create("fuzz");
    tcase_set_timeout(tcase, 300);
    tcase_add_loop_test(tcase, hostile_descriptors, 0, 4);
    tcase_add_loop_test(tcase, fast_path_equals_the_specification, 0, 2);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
