#include <math.h>
#include "base/bits.h"
#include "support/suite.h"
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
    ck_assert_uint_eq(et_gob_offset(63, 7), 511);
    ck_assert_uint_eq(et_gob_offset(16, 0), 32);
    ck_assert_uint_eq(et_gob_offset(0, 1), 16);
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
        {0x08, ET_TYPE_SNORM, {0x7f800181}, {-1, 258 / 32767.f, -1, 1}},
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

int main(void)
{
    Suite *suite = suite_create("texture");
    TCase *tcase = tcase_create("formats");
    tcase_add_test(tcase, block_linear_is_a_bijection);
    tcase_add_test(tcase, block_linear_places);
    tcase_add_test(tcase, texels_decode);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
