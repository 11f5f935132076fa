/* The unit's operations on small images whose answers follow from the headers' definition. */
#include "support/texture_world.h"

#include <math.h>

static float result(uint32_t out[4][ET_LANES], unsigned component, unsigned lane)
{
    return et_float(out[component][lane]);
}

/* An R32F image; texel value by caller. */
static void r32f(struct world *world, uint32_t header[8], uint32_t kind, uint32_t width, uint32_t height,
                 uint32_t depth)
{
    world_header(header, 0x0f, ET_TYPE_FLOAT, kind, width, height, depth);
    world_bind(world, header, NULL);
}

static void put(struct world *world, unsigned level, uint32_t layer, uint32_t x, uint32_t y, uint32_t z,
                float value)
{
    memcpy(world_texel(world, level, layer, x, y, z), &value, sizeof value);
}

/* Each sample of a pixel lies where the mode's order says; a fetch finds it by number. */
START_TEST(multisample_fetch_finds_each_sample)
{
    static const struct {
        uint8_t mode, samples;
    } modes[] = {{1, 2}, {2, 4}, {3, 8}, {4, 8}, {5, 2}, {6, 16}};
    for (size_t m = 0; m < ET_COUNT(modes); m++) {
        struct world world;
        uint32_t header[8], out[4][ET_LANES];
        struct et_tex_lanes lanes = {0};
        const struct et_tex_instruction fetch = {.op = ET_TEX_FETCH, .dim = ET_TEX_2D, .multisample = true};
        const struct et_sample_mode *mode = et_sample_mode(modes[m].mode);
        world_open(&world, 4 << 20, true);
        r32f(&world, header, ET_TEXTURE_2D, 5, 3, 1);
        world_set(header, 235, 232, modes[m].mode);
        world_bind(&world, header, NULL);
        ck_assert_uint_eq(mode->samples, modes[m].samples);
        for (uint32_t y = 0; y < 3; y++)
            for (uint32_t x = 0; x < 5; x++)
                for (uint32_t s = 0; s < mode->samples; s++)
                    put(&world, 0, 0, (x << mode->width_log2) + mode->x[s],
                        (y << mode->height_log2) + mode->y[s], 0, (float)(100 * y + 20 * x + s));
        for (uint32_t lane = 0; lane < ET_LANES; lane++) {
            lanes.coord[0][lane] = lane % 5;
            lanes.coord[1][lane] = lane / 5 % 3;
            lanes.sample[lane] = lane % mode->samples;
        }
        lanes.sample[31] = mode->samples; /* none such */
        ck_assert_int_eq(world_run(&world, &fetch, &lanes, out), ETALON_OK);
        for (uint32_t lane = 0; lane < 31; lane++)
            ck_assert_float_eq(result(out, 0, lane),
                               (float)(100 * (lane / 5 % 3) + 20 * (lane % 5) + lane % mode->samples));
        ck_assert_float_eq(result(out, 0, 31), 0);
        /* Without a sample's name the header's sizes count samples, whatever its mode says. */
        const struct et_tex_instruction plain = {.op = ET_TEX_FETCH, .dim = ET_TEX_2D};
        world_set(header, 143, 128, (5u << mode->width_log2) - 1);
        world_set(header, 175, 160, (3u << mode->height_log2) - 1);
        world_bind(&world, header, NULL);
        for (uint32_t lane = 0; lane < ET_LANES; lane++) {
            const uint32_t sample = lane % mode->samples;
            lanes.coord[0][lane] = (lane % 5 << mode->width_log2) + mode->x[sample];
            lanes.coord[1][lane] = (lane / 5 % 3 << mode->height_log2) + mode->y[sample];
        }
        ck_assert_int_eq(world_run(&world, &plain, &lanes, out), ETALON_OK);
        for (uint32_t lane = 0; lane < ET_LANES; lane++)
            ck_assert_float_eq(result(out, 0, lane),
                               (float)(100 * (lane / 5 % 3) + 20 * (lane % 5) + lane % mode->samples));
        world_close(&world);
    }
}
END_TEST

START_TEST(queries_answer_from_the_header)
{
    static const struct {
        uint32_t kind, width, height, depth, levels, lod, answer[4];
    } cases[] = {
        {ET_TEXTURE_2D, 40, 20, 1, 4, 0, {40, 20, 1, 4}},
        {ET_TEXTURE_2D, 40, 20, 1, 4, 3, {5, 2, 1, 4}},
        {ET_TEXTURE_2D, 40, 20, 1, 4, 4, {0, 0, 0, 4}},
        {ET_TEXTURE_2D_ARRAY, 9, 7, 5, 2, 1, {4, 3, 5, 2}},
        {ET_TEXTURE_3D, 9, 7, 6, 2, 1, {4, 3, 3, 2}},
        {ET_TEXTURE_1D, 9, 1, 1, 1, 0, {9, 1, 1, 1}},
        {ET_TEXTURE_1D_ARRAY, 9, 1, 5, 1, 0, {9, 5, 5, 1}},
        {ET_TEXTURE_CUBE_ARRAY, 8, 8, 3, 1, 0, {8, 8, 3, 1}},
        {ET_TEXTURE_CUBE, 8, 8, 1, 1, 0, {8, 8, 1, 1}},
    };
    struct world world;
    struct et_tex_lanes lanes = {0};
    struct et_tex_instruction query = {.op = ET_TEX_QUERY, .dim = ET_TEX_2D, .query = ET_QUERY_DIMENSION};
    uint32_t header[8], sampler[8], out[4][ET_LANES];
    world_open(&world, 4 << 20, true);
    for (size_t i = 0; i < ET_COUNT(cases); i++) {
        world_header(header, 0x0f, ET_TYPE_FLOAT, cases[i].kind, cases[i].width, cases[i].height,
                     cases[i].depth);
        world_levels(header, cases[i].levels);
        world_bind(&world, header, NULL);
        lanes.lod[3] = cases[i].lod;
        ck_assert_int_eq(world_run(&world, &query, &lanes, out), ETALON_OK);
        for (unsigned c = 0; c < 4; c++)
            ck_assert_msg(out[c][3] == cases[i].answer[c], "case %zu component %u: %u", i, c, out[c][3]);
    }
    world_header(header, 0x0f, ET_TYPE_FLOAT, ET_TEXTURE_2D, 8, 8, 1);
    world_set(header, 235, 232, 2);
    world_sampler(sampler, ET_FILTER_LINEAR, ET_MIP_LINEAR, ET_WRAP_MIRROR);
    sampler[6] = 77;
    world_bind(&world, header, sampler);
    query.query = ET_QUERY_TEXTURE_TYPE;
    ck_assert_int_eq(world_run(&world, &query, &lanes, out), ETALON_OK);
    ck_assert_uint_eq(out[2][0], 4); /* samples */
    query.query = ET_QUERY_WRAP;
    ck_assert_int_eq(world_run(&world, &query, &lanes, out), ETALON_OK);
    ck_assert_uint_eq(out[1][0], ET_WRAP_MIRROR);
    query.query = ET_QUERY_BORDER_COLOUR;
    ck_assert_int_eq(world_run(&world, &query, &lanes, out), ETALON_OK);
    ck_assert_uint_eq(out[2][0], 77);
    query.query = ET_QUERY_SAMPLER_POSITION;
    ck_assert_int_eq(world_run(&world, &query, &lanes, out), ETALON_UNSUPPORTED);
    world_close(&world);
}
END_TEST

/* A view of levels 1 to 2: its level 0 is the resource's level 1. */
START_TEST(views_count_levels_from_their_first)
{
    struct world world;
    struct et_tex_lanes lanes = {0};
    struct et_tex_instruction sample = {.op = ET_TEX_SAMPLE, .dim = ET_TEX_2D, .lod = ET_LOD_LEVEL};
    static const float lods[] = {0, 1, 5, -3, 0.4f, 0.6f}, answers[] = {1, 2, 2, 1, 1, 2};
    uint32_t header[8], sampler[8], out[4][ET_LANES];
    world_open(&world, 4 << 20, false);
    r32f(&world, header, ET_TEXTURE_2D, 16, 16, 1);
    world_levels(header, 5);
    world_bind(&world, header, NULL);
    for (unsigned level = 0; level < 5; level++)
        for (uint32_t i = 0; i < 256u >> (2 * level); i++)
            put(&world, level, 0, i % (16u >> level), i / (16u >> level), 0, (float)level);
    world_set(header, 227, 224, 1);
    world_set(header, 231, 228, 2);
    world_sampler(sampler, ET_FILTER_POINT, ET_MIP_POINT, ET_WRAP_EDGE);
    world_bind(&world, header, sampler);
    for (unsigned i = 0; i < ET_COUNT(lods); i++)
        lanes.lod[i] = et_float_bits(lods[i]);
    ck_assert_int_eq(world_run(&world, &sample, &lanes, out), ETALON_OK);
    for (unsigned i = 0; i < ET_COUNT(lods); i++)
        ck_assert_float_eq(result(out, 0, i), answers[i]);
    world_set(header, 247, 236, 2 << 8); /* the header's least level counts from the resource's first */
    world_bind(&world, header, sampler);
    ck_assert_int_eq(world_run(&world, &sample, &lanes, out), ETALON_OK);
    ck_assert_float_eq(result(out, 0, 0), 2);
    world_close(&world);
}
END_TEST

/* 3.25 texels a pixel: level 1.7. Where levels are not blended the query tells the one that a sample takes.
 */
START_TEST(queried_levels_follow_the_mip_filter)
{
    static const uint32_t mips[3] = {ET_MIP_NONE, ET_MIP_POINT, ET_MIP_LINEAR};
    struct world world;
    struct et_tex_lanes lanes = {0};
    const struct et_tex_instruction query = {.op = ET_TEX_LOD, .dim = ET_TEX_2D, .lod = ET_LOD_AUTO};
    uint32_t header[8], sampler[8], out[4][ET_LANES];
    world_open(&world, 4 << 20, false);
    r32f(&world, header, ET_TEXTURE_2D, 16, 16, 1);
    world_levels(header, 5);
    for (unsigned lane = 0; lane < ET_LANES; lane++)
        lanes.coord[0][lane] = et_float_bits(lane & 1 ? 3.25f / 16 : 0);
    for (unsigned m = 0; m < 3; m++) {
        world_sampler(sampler, ET_FILTER_LINEAR, mips[m], ET_WRAP_EDGE);
        world_bind(&world, header, sampler);
        ck_assert_int_eq(world_run(&world, &query, &lanes, out), ETALON_OK);
        ck_assert_uint_eq(out[0][0] >> 7, 3); /* from 1.5 */
        ck_assert_uint_eq(out[1][0], mips[m] == ET_MIP_NONE ? 0 : mips[m] == ET_MIP_POINT ? 512 : out[0][0]);
    }
    world_close(&world);
}
END_TEST

START_TEST(reductions_take_the_least_and_the_greatest)
{
    static const float texels[4] = {3, -1, 8, 4};
    struct world world;
    struct et_tex_lanes lanes = {0};
    const struct et_tex_instruction sample = {.op = ET_TEX_SAMPLE, .dim = ET_TEX_2D, .lod = ET_LOD_ZERO};
    uint32_t header[8], sampler[8], out[4][ET_LANES];
    world_open(&world, 4 << 20, false);
    r32f(&world, header, ET_TEXTURE_2D, 2, 2, 1);
    for (uint32_t i = 0; i < 4; i++)
        put(&world, 0, 0, i % 2, i / 2, 0, texels[i]);
    for (unsigned lane = 0; lane < ET_LANES; lane++)
        lanes.coord[0][lane] = lanes.coord[1][lane] = et_float_bits(0.45f);
    lanes.coord[1][1] = et_float_bits(0.25f); /* the upper row alone has weight */
    for (uint32_t reduction = 1; reduction <= 2; reduction++) {
        world_sampler(sampler, ET_FILTER_LINEAR, ET_MIP_NONE, ET_WRAP_EDGE);
        world_set(sampler, 43, 42, reduction);
        world_bind(&world, header, sampler);
        ck_assert_int_eq(world_run(&world, &sample, &lanes, out), ETALON_OK);
        ck_assert_float_eq(result(out, 0, 0), reduction == 1 ? -1 : 8);
        ck_assert_float_eq(result(out, 0, 1), reduction == 1 ? -1 : 3);
    }
    world_close(&world);
}
END_TEST

/* Pitch and buffer headers: 32-byte and byte addresses, rows apart by the pitch. */
START_TEST(pitch_and_buffer_headers)
{
    struct world world;
    struct et_tex_lanes lanes = {0};
    struct et_tex_instruction fetch = {.op = ET_TEX_FETCH, .dim = ET_TEX_2D, .lod = ET_LOD_ZERO};
    uint32_t header[8], out[4][ET_LANES];
    world_open(&world, 4 << 20, _i != 0);
    world_header(header, 0x0f, ET_TYPE_UINT, ET_TEXTURE_2D_NO_MIPMAP, 7, 5, 1);
    world_set(header, 87, 85, 2);
    header[1] = (uint32_t)WORLD_TEXELS + 32;
    world_set(header, 127, 96, 0);
    world_set(header, 111, 96, 96 >> 5);
    world_bind(&world, header, NULL);
    for (uint32_t y = 0; y < 5; y++)
        for (uint32_t x = 0; x < 7; x++)
            et_store32(world.ram.base + WORLD_TEXELS + 32 + 96 * y + 4 * x, 16 * y + x);
    for (uint32_t lane = 0; lane < ET_LANES; lane++) {
        lanes.coord[0][lane] = lane % 7;
        lanes.coord[1][lane] = lane / 7;
    }
    ck_assert_int_eq(world_run(&world, &fetch, &lanes, out), ETALON_OK);
    for (uint32_t lane = 0; lane < ET_LANES; lane++)
        ck_assert_uint_eq(out[0][lane], 16 * (lane / 7) + lane % 7);
    world_header(header, 0x1b, ET_TYPE_UINT, ET_TEXTURE_BUFFER, 1, 1, 1);
    world_set(header, 87, 85, 0);
    header[1] = (uint32_t)WORLD_TEXELS + 3; /* any byte */
    world_set(header, 111, 96, (70000 - 1) >> 16);
    world_set(header, 143, 128, (70000 - 1) & 0xffff);
    world_bind(&world, header, NULL);
    memset(world.ram.base + WORLD_TEXELS, 0, 2 * 70000 + 8);
    world.ram.base[WORLD_TEXELS + 3 + 2 * 69999] = 9;
    fetch.dim = ET_TEX_1D;
    lanes.coord[0][0] = 69999;
    lanes.coord[0][1] = 70000;
    ck_assert_int_eq(world_run(&world, &fetch, &lanes, out), ETALON_OK);
    ck_assert_uint_eq(out[0][0], 9);
    ck_assert_uint_eq(out[0][1], 0);
    world_close(&world);
}
END_TEST

/* Eight samples a pixel, read as an image of 4x2 texels a pixel: a header whose options ask for a footprint
 * of two wide steps resolves them, as nvc0's header does; without the options a filter sees four. */
START_TEST(header_options_resolve_eight_samples)
{
    struct world world;
    uint32_t header[8], sampler[8], out[4][ET_LANES];
    struct et_tex_lanes lanes = {0};
    const struct et_tex_instruction sample = {.op = ET_TEX_SAMPLE, .dim = ET_TEX_2D};
    world_open(&world, 4 << 20, false);
    r32f(&world, header, ET_TEXTURE_2D, 32, 16, 1);
    world_sampler(sampler, ET_FILTER_LINEAR, ET_MIP_NONE, ET_WRAP_EDGE);
    world_set(header, 191, 191, 0); /* coordinates count texels */
    world_set(header, 221, 219, 1); /* 2 to 1 */
    world_set(header, 223, 222, 2); /* CONST_TWO */
    for (uint32_t y = 0; y < 16; y++)
        for (uint32_t x = 0; x < 32; x++)
            put(&world, 0, 0, x, y, 0, (float)(x * x + 3 * x * y + 7 * y));
    for (uint32_t lane = 0; lane < ET_LANES; lane++) {
        const uint32_t px = (lane >> 2 & 3) * 2 + (lane & 1), py = (lane >> 4) * 2 + (lane >> 1 & 1);
        lanes.coord[0][lane] = et_float_bits(4 * (float)px + 2);
        lanes.coord[1][lane] = et_float_bits(2 * (float)py + 1);
    }
    for (uint32_t options = 0; options < 2; options++) {
        world_set(header, 122, 122, options);
        world_bind(&world, header, sampler);
        ck_assert_int_eq(world_run(&world, &sample, &lanes, out), ETALON_OK);
        for (uint32_t lane = 0; lane < ET_LANES; lane++) {
            const uint32_t px = (lane >> 2 & 3) * 2 + (lane & 1), py = (lane >> 4) * 2 + (lane >> 1 & 1);
            const uint32_t first = options ? 0 : 1, last = options ? 4 : 3;
            float sum = 0;
            for (uint32_t y = 2 * py; y < 2 * py + 2; y++)
                for (uint32_t x = 4 * px + first; x < 4 * px + last; x++)
                    sum += (float)(x * x + 3 * x * y + 7 * y);
            ck_assert_float_eq(result(out, 0, lane), sum / (options ? 8 : 4));
        }
    }
    world_close(&world);
}
END_TEST

/* Cube arrays: layer 6 n + face; the index is clamped to the last cube. */
START_TEST(cube_arrays_find_cube_and_face)
{
    static const float direction[6][3] = {{1, 0, 0},  {-1, 0, 0}, {0, 1, 0},
                                          {0, -1, 0}, {0, 0, 1},  {0, 0, -1}};
    struct world world;
    struct et_tex_lanes lanes = {0};
    const struct et_tex_instruction sample = {
        .op = ET_TEX_SAMPLE, .dim = ET_TEX_CUBE, .array = true, .lod = ET_LOD_ZERO};
    uint32_t header[8], sampler[8], out[4][ET_LANES];
    world_open(&world, 4 << 20, true);
    r32f(&world, header, ET_TEXTURE_CUBE_ARRAY, 4, 4, 3);
    for (uint32_t layer = 0; layer < 18; layer++)
        for (uint32_t i = 0; i < 16; i++)
            put(&world, 0, layer, i % 4, i / 4, 0, (float)layer);
    world_sampler(sampler, ET_FILTER_LINEAR, ET_MIP_NONE, ET_WRAP_EDGE);
    world_bind(&world, header, sampler);
    for (uint32_t lane = 0; lane < 24; lane++) {
        lanes.layer[lane] = lane / 6;
        for (unsigned d = 0; d < 3; d++)
            lanes.coord[d][lane] = et_float_bits(direction[lane % 6][d]);
    }
    ck_assert_int_eq(world_run(&world, &sample, &lanes, out), ETALON_OK);
    for (uint32_t lane = 0; lane < 24; lane++)
        ck_assert_float_eq(result(out, 0, lane), (float)(6 * ET_MIN(lane / 6, 2) + lane % 6));
    world_close(&world);
}
END_TEST

/* A store to the pool or to a texel between two requests is seen. */
START_TEST(stores_behind_the_unit_are_seen)
{
    struct world world;
    struct et_tex_lanes lanes = {0};
    const struct et_tex_instruction fetch = {.op = ET_TEX_FETCH, .dim = ET_TEX_2D, .lod = ET_LOD_ZERO};
    uint32_t header[8], out[4][ET_LANES], block[2] = {0x0000ffff, 0};
    world_open(&world, 4 << 20, false);
    world_header(header, 0x24, ET_TYPE_UNORM, ET_TEXTURE_2D, 4, 4, 1); /* decoded blocks are kept */
    world_bind(&world, header, NULL);
    memcpy(world_texel(&world, 0, 0, 0, 0, 0), block, 8);
    ck_assert_int_eq(world_run(&world, &fetch, &lanes, out), ETALON_OK);
    ck_assert_float_eq(result(out, 0, 0), 1);
    block[0] = 0xffff0000;
    memcpy(world_texel(&world, 0, 0, 0, 0, 0), block, 8);
    ck_assert_int_eq(world_run(&world, &fetch, &lanes, out), ETALON_OK);
    ck_assert_float_eq(result(out, 0, 0), 0);
    world_header(header, 0x0f, ET_TYPE_UINT, ET_TEXTURE_2D, 4, 4, 1);
    world_bind(&world, header, NULL);
    ck_assert_int_eq(world_run(&world, &fetch, &lanes, out), ETALON_OK);
    ck_assert_uint_eq(out[0][0], 0xffff0000);
    world_close(&world);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("texture unit");
    TCase *tcase = tcase_create("operations");
    tcase_add_test(tcase, multisample_fetch_finds_each_sample);
    tcase_add_test(tcase, queries_answer_from_the_header);
    tcase_add_test(tcase, views_count_levels_from_their_first);
    tcase_add_test(tcase, queried_levels_follow_the_mip_filter);
    tcase_add_test(tcase, reductions_take_the_least_and_the_greatest);
    tcase_add_loop_test(tcase, pitch_and_buffer_headers, 0, 2);
    tcase_add_test(tcase, header_options_resolve_eight_samples);
    tcase_add_test(tcase, cube_arrays_find_cube_and_face);
    tcase_add_test(tcase, stores_behind_the_unit_are_seen);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
