#include <math.h>
#include "base/bits.h"
#include "support/suite.h"
#include "support/texture_world.h"
#include "texture/format.h"
#include "texture/layout.h"

/* Every byte of a level has its own offset, inside the level's size. */
START_TEST(block_linear_is_a_bijection)
{
    static const struct et_layout layouts[] = {
        {.width = 64, .height = 8, .depth = 1},
        {.width = 200, .height = 40, .depth = 1, .block_height_log2 = 2},
        {.width = 130, .height = 33, .depth = 5, .block_height_log2 = 1, .block_depth_log2 = 2},
        {.pitch_linear = true, .pitch = 96, .slice = 960, .width = 90, .height = 10, .depth = 3},
    };
    for (size_t i = 0; i < ET_COUNT(layouts); i++) {
        const struct et_layout *layout = &layouts[i];
        const uint64_t size = et_layout_size(layout);
        uint8_t *seen = calloc(1, size);
        ck_assert_ptr_nonnull(seen);
        for (uint32_t z = 0; z < layout->depth; z++)
            for (uint32_t y = 0; y < layout->height; y++)
                for (uint32_t x = 0; x < layout->width; x++) {
                    const uint64_t offset = et_layout_offset(layout, x, y, z);
                    ck_assert_uint_lt(offset, size);
                    ck_assert_uint_eq(seen[offset]++, 0);
                }
        free(seen);
    }
}
END_TEST

START_TEST(block_linear_places)
{
    const struct et_layout layout = {
        .width = 256, .height = 64, .depth = 4, .block_height_log2 = 1, .block_depth_log2 = 1};
    ck_assert_uint_eq(et_gob_offset(false, 63, 7), 511);
    ck_assert_uint_eq(et_gob_offset(false, 16, 0), 32);
    ck_assert_uint_eq(et_gob_offset(true, 16, 0), 64);
    ck_assert_uint_eq(et_gob_offset(true, 0, 2), 32);
    ck_assert_uint_eq(et_gob_offset(true, 63, 7), 511);
    ck_assert_uint_eq(et_gob_offset(false, 0, 1), 16);
    ck_assert_uint_eq(et_layout_offset(&layout, 0, 8, 0), 512);   /* down the block */
    ck_assert_uint_eq(et_layout_offset(&layout, 0, 0, 1), 1024);  /* the next slice */
    ck_assert_uint_eq(et_layout_offset(&layout, 64, 0, 0), 2048); /* the next block */
    ck_assert_uint_eq(et_layout_offset(&layout, 0, 16, 0), 8192); /* a row of four blocks */
    ck_assert_uint_eq(et_layout_offset(&layout, 0, 0, 2), 32768); /* a slab of four rows */
    ck_assert_uint_eq(et_layout_size(&layout), 65536);
}
END_TEST

static struct et_texel_format resolve(uint32_t sizes, uint8_t type, bool srgb)
{
    struct et_texel_format format = {0};
    const uint8_t types[4] = {type, type, type, type};
    ck_assert_int_eq(et_texel_format_resolve(&format, sizes, types, srgb, NULL), ETALON_OK);
    return format;
}

/* Values from the formats' definitions and from silicon's rounding. */
START_TEST(texels_decode)
{
    static const struct {
        uint8_t sizes, type;
        uint32_t words[4];
        float value[4];
    } cases[] = {
        {0x08, ET_TYPE_UNORM, {0xff8001fe}, {254 / 255.f, 1 / 255.f, 128 / 255.f, 1}},
        {0x08, ET_TYPE_SNORM, {0x7f800181}, {-1, 1 / 127.f, -1, 1}},
        {0x09, ET_TYPE_UNORM, {0x7ff003ff}, {1, 0, 1, 1 / 3.f}},
        {0x15, ET_TYPE_UNORM, {0x8410}, {132 / 255.f, 130 / 255.f, 132 / 255.f, 0}},
        {0x12, ET_TYPE_UNORM, {0x1f08}, {8 / 15.f, 0, 1, 1 / 15.f}},
        {0x13, ET_TYPE_UNORM, {0x8401}, {1, 0, 132 / 255.f, 132 / 255.f}},
        {0x03, ET_TYPE_FLOAT, {0xc0003c00, 0x7c000001}, {1, -2, 0x1p-24f, INFINITY}},
        {0x20, ET_TYPE_FLOAT, {0x80000100 | 1 << 9 | 2 << 18}, {1, 1 / 256.f, 1 / 128.f, 0}},
        {0x21, ET_TYPE_FLOAT, {0x3c0 | 0x3c0 << 11 | 0x1e0u << 22}, {1, 1, 1, 0}},
        {0x3a, 0, {0xffff}, {1, 0, 0, 0}},
        {0x2b, 0, {0x00ffffff}, {1, 0, 0, 0}},
    };
    for (size_t i = 0; i < ET_COUNT(cases); i++) {
        const struct et_texel_format format = resolve(cases[i].sizes, cases[i].type, false);
        struct et_texel texel;
        et_texel_read(&format, (const uint8_t *)cases[i].words, 0, &texel);
        for (unsigned c = 0; c < 4; c++)
            ck_assert_msg(et_texel_value(format.klass[c], texel.code[c]) == et_float_bits(cases[i].value[c]),
                          "case %zu component %u: %a, not %a", i, c,
                          et_float(et_texel_value(format.klass[c], texel.code[c])), cases[i].value[c]);
    }
}
END_TEST

/* A 3x5 RGBA8 image whose texel (x, y) is (x, y, 7, 255). */
static void paint(struct world *world, const uint32_t header[8])
{
    world_bind(world, header, NULL);
    for (uint32_t y = 0; y < 5; y++)
        for (uint32_t x = 0; x < 3; x++)
            memcpy(world_texel(world, 0, 0, x, y, 0), (uint8_t[]){(uint8_t)x, (uint8_t)y, 7, 255}, 4);
}

START_TEST(fetch_reads_texels_and_zero_outside)
{
    struct world world;
    uint32_t header[8], out[4][ET_LANES];
    struct et_tex_lanes lanes = {0};
    const struct et_tex_instruction fetch = {.op = ET_TEX_FETCH, .dim = ET_TEX_2D, .lod = ET_LOD_ZERO};
    world_open(&world, 4 << 20, _i != 0);
    world_header(header, 0x08, ET_TYPE_UINT, ET_TEXTURE_2D, 3, 5, 1);
    paint(&world, header);
    for (uint32_t lane = 0; lane < ET_LANES; lane++) {
        lanes.coord[0][lane] = lane % 4 - (lane == 31); /* 3 lies outside, as does -1 */
        lanes.coord[1][lane] = lane / 4;
    }
    ck_assert_int_eq(world_run(&world, &fetch, &lanes, out), ETALON_OK);
    for (uint32_t lane = 0; lane < ET_LANES; lane++) {
        const bool inside = lanes.coord[0][lane] < 3 && lanes.coord[1][lane] < 5;
        ck_assert_uint_eq(out[0][lane], inside ? lanes.coord[0][lane] : 0);
        ck_assert_uint_eq(out[1][lane], inside ? lanes.coord[1][lane] : 0);
        ck_assert_uint_eq(out[2][lane], inside ? 7 : 0);
        ck_assert_uint_eq(out[3][lane], inside ? 255 : 0);
    }
    world_close(&world);
}
END_TEST

START_TEST(nearest_wraps)
{
    static const int32_t expected[][7] = {
        /* texel of x = -4, -1, 0, 2, 3, 5, 6 in a row of 3; -1: border */
        [ET_WRAP_REPEAT] = {2, 2, 0, 2, 0, 2, 0},
        [ET_WRAP_MIRROR] = {2, 0, 0, 2, 2, 0, 0},
        [ET_WRAP_EDGE] = {0, 0, 0, 2, 2, 2, 2},
        [ET_WRAP_BORDER] = {-1, -1, 0, 2, -1, -1, -1},
        [ET_WRAP_CLAMP_OGL] = {0, 0, 0, 2, 2, 2, 2},
        [ET_WRAP_MIRROR_ONCE_EDGE] = {2, 0, 0, 2, 2, 2, 2},
        [ET_WRAP_MIRROR_ONCE_BORDER] = {-1, 0, 0, 2, -1, -1, -1},
        [ET_WRAP_MIRROR_ONCE_CLAMP_OGL] = {2, 0, 0, 2, 2, 2, 2},
    };
    static const int32_t at[7] = {-4, -1, 0, 2, 3, 5, 6};
    struct world world;
    uint32_t header[8], sampler[8], out[4][ET_LANES];
    struct et_tex_lanes lanes = {0};
    const struct et_tex_instruction sample = {.op = ET_TEX_SAMPLE, .dim = ET_TEX_2D, .lod = ET_LOD_ZERO};
    world_open(&world, 4 << 20, false);
    world_header(header, 0x08, ET_TYPE_UINT, ET_TEXTURE_2D, 3, 5, 1);
    paint(&world, header);
    for (unsigned wrap = 0; wrap < ET_COUNT(expected); wrap++) {
        world_sampler(sampler, ET_FILTER_POINT, ET_MIP_NONE, wrap);
        sampler[4] = 99; /* border */
        world_bind(&world, header, sampler);
        for (unsigned i = 0; i < 7; i++)
            lanes.coord[0][i] = et_float_bits(((float)at[i] + 0.5f) / 3);
        ck_assert_int_eq(world_run(&world, &sample, &lanes, out), ETALON_OK);
        for (unsigned i = 0; i < 7; i++)
            ck_assert_msg((int32_t)out[0][i] == (expected[wrap][i] < 0 ? 99 : expected[wrap][i]),
                          "wrap %u at %d: %d", wrap, at[i], (int)out[0][i]);
    }
    world_close(&world);
}
END_TEST

/* A border's components round as a target's do, ten bits as sixteen: an H200's answers. */
START_TEST(borders_round_as_targets)
{
    static const struct {
        enum et_texel_class klass;
        float value;
        int32_t code;
    } cases[] = {{ET_CLASS_U8, 0.3f, 76},       {ET_CLASS_U8, 0.85f, 217},     {ET_CLASS_U8, 0.6f, 153},
                 {ET_CLASS_U10, 0.123f, 8061},  {ET_CLASS_U10, 0.85f, 55705},  {ET_CLASS_U16, 0.3f, 19660},
                 {ET_CLASS_S8, -0.4f, -51},     {ET_CLASS_S8, 0.85f, 108},     {ET_CLASS_F16, 0.3f, 0x34cc},
                 {ET_CLASS_F16, 0.85f, 0x3acc}, {ET_CLASS_F16, -7.25f, 0xc740}};
    for (size_t i = 0; i < ET_COUNT(cases); i++)
        ck_assert_int_eq(et_texel_code(cases[i].klass, et_float_bits(cases[i].value)), cases[i].code);
}
END_TEST

/* OpenGL's CLAMP: half the border outside, wherever. */
START_TEST(clamped_coordinates)
{
    static const float at[6] = {-1e30f, -2, 0, 0.5f, 1, 1e30f};
    static const struct {
        uint32_t wrap;
        float expected[6];
    } rows[] = {{ET_WRAP_CLAMP_OGL, {36, 36, 36, 16, 48, 48}},
                {ET_WRAP_MIRROR_ONCE_CLAMP_OGL, {48, 48, 8, 16, 48, 48}}};
    struct world world;
    uint32_t header[8], sampler[8], out[4][ET_LANES];
    struct et_tex_lanes lanes = {0};
    const struct et_tex_instruction sample = {.op = ET_TEX_SAMPLE, .dim = ET_TEX_2D, .lod = ET_LOD_ZERO};
    world_open(&world, 4 << 20, false);
    world_header(header, 0x0f, ET_TYPE_FLOAT, ET_TEXTURE_2D, 3, 1, 1);
    for (unsigned row = 0; row < ET_COUNT(rows); row++) {
        world_sampler(sampler, ET_FILTER_LINEAR, ET_MIP_NONE, rows[row].wrap);
        sampler[4] = et_float_bits(64); /* border */
        world_bind(&world, header, sampler);
        for (unsigned x = 0; x < 3; x++)
            et_store32(world_texel(&world, 0, 0, x, 0, 0), et_float_bits((float)(8 << x)));
        for (unsigned i = 0; i < 6; i++) {
            lanes.coord[0][i] = et_float_bits(at[i]);
            lanes.coord[1][i] = et_float_bits(0.5f);
        }
        ck_assert_int_eq(world_run(&world, &sample, &lanes, out), ETALON_OK);
        for (unsigned i = 0; i < 6; i++)
            ck_assert_float_eq(et_float(out[0][i]), rows[row].expected[i]);
    }
    world_close(&world);
}
END_TEST

/* All lanes of an image instruction, which must end in `status`. */
static void image_do(struct world *world, const struct et_image_instruction *image,
                     uint32_t coord[3][ET_LANES], uint32_t data[4][ET_LANES], uint32_t *resident,
                     enum etalon_status status)
{
    struct etalon_error error = {0};
    ck_assert_int_eq(
        et_image_execute(world->unit, &world->pools, 1, image, coord, UINT32_MAX, data, resident, &error),
        status);
    if (status == ETALON_TRAP)
        ck_assert_uint_eq(error.lane, 31);
}

START_TEST(images_store_and_load)
{
    struct world world;
    uint32_t header[8], coord[3][ET_LANES] = {{0}}, data[4][ET_LANES] = {{0}}, resident = 0;
    struct et_image_instruction image = {
        .op = ET_IMAGE_STORE, .dim = ET_IMAGE_2D, .formatted = true, .components = 15};
    world_open(&world, 4 << 20, false);
    world_header(header, 0x08, ET_TYPE_UNORM, ET_TEXTURE_2D, 8, 4, 1);
    world_set(header, 21, 19, ET_SOURCE_B); /* BGRA */
    world_set(header, 27, 25, ET_SOURCE_R);
    world_bind(&world, header, NULL);
    for (uint32_t lane = 0; lane < ET_LANES; lane++) {
        coord[0][lane] = lane % 8;
        coord[1][lane] = lane / 8 + (lane == 31); /* dropped */
        data[0][lane] = et_float_bits(1);
        data[1][lane] = et_float_bits(0.5f); /* 127.5: ties go down */
        data[2][lane] = et_float_bits(NAN);
        data[3][lane] = et_float_bits((float)lane / 255);
    }
    image_do(&world, &image, coord, data, &resident, ETALON_OK);
    ck_assert_mem_eq(world_texel(&world, 0, 0, 3, 2, 0), ((uint8_t[]){0, 127, 255, 19}), 4);
    ck_assert_mem_eq(world_texel(&world, 0, 0, 7, 3, 0), ((uint8_t[]){0, 0, 0, 0}), 4);
    ck_assert_uint_eq(resident, UINT32_MAX);
    image.op = ET_IMAGE_LOAD;
    image_do(&world, &image, coord, data, NULL, ETALON_OK);
    ck_assert_uint_eq(data[0][3], et_float_bits(1));
    ck_assert_uint_eq(data[1][3], et_float_bits(127 / 255.f));
    ck_assert_uint_eq(data[3][3], et_float_bits(3 / 255.f));
    image.clamp = ET_IMAGE_TRAP;
    image_do(&world, &image, coord, data, NULL, ETALON_TRAP);
    world_close(&world);
}
END_TEST

START_TEST(images_count)
{
    struct world world;
    uint32_t header[8], coord[3][ET_LANES] = {{0}}, data[4][ET_LANES] = {{0}};
    struct et_image_instruction image = {
        .op = ET_IMAGE_ATOMIC, .dim = ET_IMAGE_2D, .formatted = true, .atomic = ET_ATOMIC_ADD};
    world_open(&world, 4 << 20, false);
    world_header(header, 0x0f, ET_TYPE_UINT, ET_TEXTURE_2D, 8, 4, 1);
    world_bind(&world, header, NULL);
    /* 32 lanes add 1, 2, 3, ... to one word. */
    for (uint32_t lane = 0; lane < ET_LANES; lane++) {
        coord[0][lane] = 5;
        coord[1][lane] = 1;
        data[0][lane] = lane + 1;
    }
    image_do(&world, &image, coord, data, NULL, ETALON_OK);
    ck_assert_uint_eq(et_load32(world_texel(&world, 0, 0, 5, 1, 0)), 32 * 33 / 2);
    ck_assert_uint_eq(data[0][31], 31 * 32 / 2); /* lanes in order */
    /* The least of 0 and -1 is as the surface declares. */
    image.atomic = ET_ATOMIC_MIN;
    image.atomic_by_format = true;
    for (unsigned type = ET_TYPE_SINT; type <= ET_TYPE_UINT; type++) {
        world_header(header, 0x0f, (enum et_texel_type)type, ET_TEXTURE_2D, 8, 4, 1);
        world_bind(&world, header, NULL);
        memset(world_texel(&world, 0, 0, 5, 1, 0), 0, 4);
        for (uint32_t lane = 0; lane < ET_LANES; lane++)
            data[0][lane] = UINT32_MAX;
        image_do(&world, &image, coord, data, NULL, ETALON_OK);
        ck_assert_uint_eq(et_load32(world_texel(&world, 0, 0, 5, 1, 0)),
                          type == ET_TYPE_SINT ? UINT32_MAX : 0);
    }
    world_close(&world);
}
END_TEST

START_TEST(what_is_not_bound_reads_zero_and_nonsense_is_named)
{
    struct world world;
    uint32_t header[8], out[4][ET_LANES];
    struct et_tex_lanes lanes = {0};
    struct etalon_error error = {0};
    const struct et_tex_instruction fetch = {.op = ET_TEX_FETCH, .dim = ET_TEX_2D, .lod = ET_LOD_ZERO};
    world_open(&world, 4 << 20, false);
    memset(out, 0xff, sizeof out);
    ck_assert_int_eq(world_run(&world, &fetch, &lanes, out), ETALON_OK); /* a header of zeroes */
    ck_assert_uint_eq(out[0][0] | out[3][31], 0);
    memset(out, 0xff, sizeof out);
    ck_assert_int_eq(et_tex_execute(world.unit, &world.pools, 8, 0, &fetch, &lanes, 1, out, NULL, &error),
                     ETALON_OK);
    ck_assert_uint_eq(out[2][0], 0);
    ck_assert_uint_eq(out[2][1], UINT32_MAX); /* not of the mask */
    world_header(header, 0x7e, ET_TYPE_UNORM, ET_TEXTURE_2D, 8, 4, 1);
    world_bind(&world, header, NULL);
    ck_assert_int_eq(et_tex_execute(world.unit, &world.pools, 1, 0, &fetch, &lanes, 1, out, NULL, &error),
                     ETALON_BAD_VALUE);
    ck_assert_uint_eq(error.value, 1);
    memset(&error, 0, sizeof error);
    world_header(header, 0x08, ET_TYPE_UNORM, ET_TEXTURE_2D, 8, 4, 1);
    world_set(header, 79, 64, 0x12); /* unmapped */
    world_bind(&world, header, NULL);
    ck_assert_int_eq(et_tex_execute(world.unit, &world.pools, 1, 0, &fetch, &lanes, 1, out, NULL, &error),
                     ETALON_UNMAPPED);
    world_close(&world);
}
END_TEST

START_TEST(sparse_memory_reads_zero_and_is_told)
{
    struct world world;
    uint32_t header[8], out[4][ET_LANES], resident;
    struct et_tex_lanes lanes = {0};
    const struct et_tex_instruction fetch = {.op = ET_TEX_FETCH, .dim = ET_TEX_1D, .lod = ET_LOD_ZERO};
    world_open(&world, 4 << 20, false);
    ck_assert_int_eq(et_pagemap_map_sparse(&world.map, WORLD_TEXELS + 4096, 4096, NULL), ETALON_OK);
    world_header(header, 0x0f, ET_TYPE_UINT, ET_TEXTURE_BUFFER, 2048, 1, 1);
    world_set(header, 87, 85, 0);
    world_bind(&world, header, NULL);
    memset(world.ram.base + WORLD_TEXELS, 0x11, 8192);
    lanes.coord[0][0] = 1023;
    lanes.coord[0][1] = 1024;
    ck_assert_int_eq(et_tex_execute(world.unit, &world.pools, 1, 0, &fetch, &lanes, 3, out, &resident, NULL),
                     ETALON_OK);
    ck_assert_uint_eq(resident, 1);
    ck_assert_uint_eq(out[0][0], 0x11111111);
    ck_assert_uint_eq(out[0][1], 0);
    world_close(&world);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("texture");
    TCase *tcase = tcase_create("formats");
    tcase_add_test(tcase, block_linear_is_a_bijection);
    tcase_add_test(tcase, block_linear_places);
    tcase_add_test(tcase, texels_decode);
    suite_add_tcase(suite, tcase);
    tcase = tcase_create("unit");
    tcase_add_loop_test(tcase, fetch_reads_texels_and_zero_outside, 0, 2);
    tcase_add_test(tcase, nearest_wraps);
    tcase_add_test(tcase, clamped_coordinates);
    tcase_add_test(tcase, images_store_and_load);
    tcase_add_test(tcase, images_count);
    tcase_add_test(tcase, what_is_not_bound_reads_zero_and_nonsense_is_named);
    tcase_add_test(tcase, sparse_memory_reads_zero_and_is_told);
    tcase_add_test(tcase, borders_round_as_targets);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
