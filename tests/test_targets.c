/* Colour and depth targets: every format of the classes' headers against its layout, by clears of each kind,
 * whose bits follow from the format's definition. [DOC] */
#include "support/draw_world.h"
#include "support/suite.h"

#include <stdlib.h>
#include <string.h>

enum { WIDTH = 24, HEIGHT = 16 };

/* The headers' lists: name, value, bytes, bits of the components. */
static const struct row {
    const char *name;
    uint8_t value, bytes;
    const char *fields;
} colors[] =
    {
        {"A16", 0x40, 2, "A[15:0]=UNORM"},
        {"AF16", 0x41, 2, "A[15:0]=FLOAT"},
        {"AF32", 0x42, 4, "A[31:0]=FLOAT"},
        {"A8R8", 0x43, 2, "R[7:0]=UNORM A[15:8]=UNORM"},
        {"R16_A16", 0x44, 4, "R[15:0]=UNORM A[31:16]=UNORM"},
        {"RF16_AF16", 0x45, 4, "R[15:0]=FLOAT A[31:16]=FLOAT"},
        {"RF32_AF32", 0x46, 8, "R[31:0]=FLOAT A[63:32]=FLOAT"},
        {"B8G8R8A8", 0x47, 4, "A[7:0]=UNORM R[15:8]=UNORM G[23:16]=UNORM B[31:24]=UNORM"},
        {"RF32_GF32_BF32_AF32", 0xc0, 16, "R[31:0]=FLOAT G[63:32]=FLOAT B[95:64]=FLOAT A[127:96]=FLOAT"},
        {"RS32_GS32_BS32_AS32", 0xc1, 16, "R[31:0]=SINT G[63:32]=SINT B[95:64]=SINT A[127:96]=SINT"},
        {"RU32_GU32_BU32_AU32", 0xc2, 16, "R[31:0]=UINT G[63:32]=UINT B[95:64]=UINT A[127:96]=UINT"},
        {"RF32_GF32_BF32_X32", 0xc3, 16, "R[31:0]=FLOAT G[63:32]=FLOAT B[95:64]=FLOAT X[127:96]=UNUSED"},
        {"RS32_GS32_BS32_X32", 0xc4, 16, "R[31:0]=SINT G[63:32]=SINT B[95:64]=SINT X[127:96]=UNUSED"},
        {"RU32_GU32_BU32_X32", 0xc5, 16, "R[31:0]=UINT G[63:32]=UINT B[95:64]=UINT X[127:96]=UNUSED"},
        {"R16_G16_B16_A16", 0xc6, 8, "R[15:0]=UNORM G[31:16]=UNORM B[47:32]=UNORM A[63:48]=UNORM"},
        {"RN16_GN16_BN16_AN16", 0xc7, 8, "R[15:0]=SNORM G[31:16]=SNORM B[47:32]=SNORM A[63:48]=SNORM"},
        {"RS16_GS16_BS16_AS16", 0xc8, 8, "R[15:0]=SINT G[31:16]=SINT B[47:32]=SINT A[63:48]=SINT"},
        {"RU16_GU16_BU16_AU16", 0xc9, 8, "R[15:0]=UINT G[31:16]=UINT B[47:32]=UINT A[63:48]=UINT"},
        {"RF16_GF16_BF16_AF16", 0xca, 8, "R[15:0]=FLOAT G[31:16]=FLOAT B[47:32]=FLOAT A[63:48]=FLOAT"},
        {"RF32_GF32", 0xcb, 8, "R[31:0]=FLOAT G[63:32]=FLOAT"},
        {"RS32_GS32", 0xcc, 8, "R[31:0]=SINT G[63:32]=SINT"},
        {"RU32_GU32", 0xcd, 8, "R[31:0]=UINT G[63:32]=UINT"},
        {"RF16_GF16_BF16_X16", 0xce, 8, "R[15:0]=FLOAT G[31:16]=FLOAT B[47:32]=FLOAT X[63:48]=UNUSED"},
        {"A8R8G8B8", 0xcf, 4, "B[7:0]=UNORM G[15:8]=UNORM R[23:16]=UNORM A[31:24]=UNORM"},
        {"A8RL8GL8BL8", 0xd0, 4, "B[7:0]=SRGB G[15:8]=SRGB R[23:16]=SRGB A[31:24]=UNORM"},
        {"A2B10G10R10", 0xd1, 4, "R[9:0]=UNORM G[19:10]=UNORM B[29:20]=UNORM A[31:30]=UNORM"},
        {"AU2BU10GU10RU10", 0xd2, 4, "R[9:0]=UINT G[19:10]=UINT B[29:20]=UINT A[31:30]=UINT"},
        {"A8B8G8R8", 0xd5, 4, "R[7:0]=UNORM G[15:8]=UNORM B[23:16]=UNORM A[31:24]=UNORM"},
        {"A8BL8GL8RL8", 0xd6, 4, "R[7:0]=SRGB G[15:8]=SRGB B[23:16]=SRGB A[31:24]=UNORM"},
        {"AN8BN8GN8RN8", 0xd7, 4, "R[7:0]=SNORM G[15:8]=SNORM B[23:16]=SNORM A[31:24]=SNORM"},
        {"AS8BS8GS8RS8", 0xd8, 4, "R[7:0]=SINT G[15:8]=SINT B[23:16]=SINT A[31:24]=SINT"},
        {"AU8BU8GU8RU8", 0xd9, 4, "R[7:0]=UINT G[15:8]=UINT B[23:16]=UINT A[31:24]=UINT"},
        {"R16_G16", 0xda, 4, "R[15:0]=UNORM G[31:16]=UNORM"},
        {"RN16_GN16", 0xdb, 4, "R[15:0]=SNORM G[31:16]=SNORM"},
        {"RS16_GS16", 0xdc, 4, "R[15:0]=SINT G[31:16]=SINT"},
        {"RU16_GU16", 0xdd, 4, "R[15:0]=UINT G[31:16]=UINT"},
        {"RF16_GF16", 0xde, 4, "R[15:0]=FLOAT G[31:16]=FLOAT"},
        {"A2R10G10B10", 0xdf, 4, "B[9:0]=UNORM G[19:10]=UNORM R[29:20]=UNORM A[31:30]=UNORM"},
        {"BF10GF11RF11", 0xe0, 4, "R[10:0]=FLOAT G[21:11]=FLOAT B[31:22]=FLOAT"},
        {"RS32", 0xe3, 4, "R[31:0]=SINT"},
        {"RU32", 0xe4, 4, "R[31:0]=UINT"},
        {"RF32", 0xe5, 4, "R[31:0]=FLOAT"},
        {"X8R8G8B8", 0xe6, 4, "B[7:0]=UNORM G[15:8]=UNORM R[23:16]=UNORM X[31:24]=UNUSED"},
        {"X8RL8GL8BL8", 0xe7, 4, "B[7:0]=SRGB G[15:8]=SRGB R[23:16]=SRGB X[31:24]=UNUSED"},
        {"R5G6B5", 0xe8, 2, "B[4:0]=UNORM G[10:5]=UNORM R[15:11]=UNORM"},
        {"A1R5G5B5", 0xe9, 2, "B[4:0]=UNORM G[9:5]=UNORM R[14:10]=UNORM A[15:15]=UNORM"},
        {"G8R8", 0xea, 2, "R[7:0]=UNORM G[15:8]=UNORM"},
        {"GN8RN8", 0xeb, 2, "R[7:0]=SNORM G[15:8]=SNORM"},
        {"GS8RS8", 0xec, 2, "R[7:0]=SINT G[15:8]=SINT"},
        {"GU8RU8", 0xed, 2, "R[7:0]=UINT G[15:8]=UINT"},
        {"R16", 0xee, 2, "R[15:0]=UNORM"},
        {"RN16", 0xef, 2, "R[15:0]=SNORM"},
        {"RS16", 0xf0, 2, "R[15:0]=SINT"},
        {"RU16", 0xf1, 2, "R[15:0]=UINT"},
        {"RF16", 0xf2, 2, "R[15:0]=FLOAT"},
        {"R8", 0xf3, 1, "R[7:0]=UNORM"},
        {"RN8", 0xf4, 1, "R[7:0]=SNORM"},
        {"RS8", 0xf5, 1, "R[7:0]=SINT"},
        {"RU8", 0xf6, 1, "R[7:0]=UINT"},
        {"A8", 0xf7, 1, "A[7:0]=UNORM"},
        {"X1R5G5B5", 0xf8, 2, "B[4:0]=UNORM G[9:5]=UNORM R[14:10]=UNORM X[15:15]=UNUSED"},
        {"X8B8G8R8", 0xf9, 4, "R[7:0]=UNORM G[15:8]=UNORM B[23:16]=UNORM X[31:24]=UNUSED"},
        {"X8BL8GL8RL8", 0xfa, 4, "R[7:0]=SRGB G[15:8]=SRGB B[23:16]=SRGB X[31:24]=UNUSED"},
        {"Z1R5G5B5", 0xfb, 2, "B[4:0]=UNORM G[9:5]=UNORM R[14:10]=UNORM Z[15:15]=WRITES_ZERO"},
        {"O1R5G5B5", 0xfc, 2, "B[4:0]=UNORM G[9:5]=UNORM R[14:10]=UNORM O[15:15]=WRITES_ONE"},
        {"Z8R8G8B8", 0xfd, 4, "B[7:0]=UNORM G[15:8]=UNORM R[23:16]=UNORM Z[31:24]=WRITES_ZERO"},
        {"O8R8G8B8", 0xfe, 4, "B[7:0]=UNORM G[15:8]=UNORM R[23:16]=UNORM O[31:24]=WRITES_ONE"},
        {"R32", 0xff, 4, "R[31:0]=UNORM"},
},
  depths[] = {
      {"ZF32", 0x0a, 4, "Z[31:0]=FLOAT"},
      {"Z16", 0x13, 2, "Z[15:0]=UNORM"},
      {"Z24S8", 0x14, 4, "S[7:0]=UINT Z[31:8]=UNORM"},
      {"X8Z24", 0x15, 4, "Z[23:0]=UNORM X[31:24]=UNUSED"},
      {"S8Z24", 0x16, 4, "Z[23:0]=UNORM S[31:24]=UINT"},
      {"S8", 0x17, 1, "S[7:0]=UINT"},
      {"V8Z24", 0x18, 4, "Z[23:0]=UNORM V[31:24]=COVERAGE"},
      {"ZF32_X24S8", 0x19, 8, "Z[31:0]=FLOAT S[39:32]=UINT X[63:40]=UNUSED"},
      {"X8Z24_X16V8S8", 0x1d, 8,
       "Z[23:0]=UNORM X[31:24]=UNUSED S[39:32]=UINT V[47:40]=COVERAGE X[63:48]=UNUSED"},
      {"ZF32_X16V8X8", 0x1e, 8, "Z[31:0]=FLOAT X[39:32]=UNUSED V[47:40]=COVERAGE X[63:48]=UNUSED"},
      {"ZF32_X16V8S8", 0x1f, 8, "Z[31:0]=FLOAT S[39:32]=UINT V[47:40]=COVERAGE X[63:48]=UNUSED"},
};

/* One component of a row's text; returns what follows it, NULL at the end. */
struct component {
    char name; /* R G B A Z S, V: coverage, X: unused, Z and O of colours: always zero, always one */
    unsigned low, width;
    const char *type;
};

static const char *next_component(const char *text, struct component *c)
{
    char *end;
    if (!*text)
        return NULL;
    c->name = text[0];
    const unsigned long high = strtoul(text + 2, &end, 10);
    c->low = (unsigned)strtoul(end + 1, &end, 10);
    c->width = (unsigned)high - c->low + 1;
    c->type = end + 2;
    text = strchr(end, ' ');
    return text ? text + 1 : "";
}

static bool is(const struct component *c, const char *type)
{
    return !strncmp(c->type, type, strlen(type));
}

/* The bits of the number one in a component. */
static uint64_t one(const struct component *c)
{
    if (is(c, "UNORM") || is(c, "SRGB"))
        return (UINT64_C(1) << c->width) - 1;
    if (is(c, "SNORM"))
        return (UINT64_C(1) << (c->width - 1)) - 1;
    if (is(c, "FLOAT"))
        return c->width == 32 ? 0x3f800000 : c->width == 16 ? 0x3c00 : UINT64_C(15) << (c->width - 5);
    return 1;
}

static void put(uint8_t *element, const struct component *c, uint64_t bits, uint64_t mask)
{
    for (unsigned i = 0; i < c->width; i++)
        if (mask >> i & 1) {
            uint8_t *byte = &element[(c->low + i) / 8];
            const unsigned bit = (c->low + i) & 7;
            *byte = (uint8_t)((*byte & ~(1u << bit)) | (bits >> i & 1) << bit);
        }
}

static struct et_clear clear_of(struct world *w, uint32_t surface)
{
    return (struct et_clear){.map = &w->map,
                             .event = 6,
                             .surface = surface,
                             .stencil_mask = 0xff,
                             .depth_enable = true,
                             .srgb_write = true,
                             .rectangle = {3, 2, 21, 11}};
}

/* Inside the rectangle every element is `expected`, outside bytes are 0xa5. */
static void check(struct world *w, const struct et_target *target, const struct row *row,
                  const struct et_rectangle *r, uint32_t layer, const uint8_t *expected)
{
    uint8_t *rows = world_read(w, target, row->bytes, layer), outside[16];
    memset(outside, 0xa5, sizeof outside);
    for (int32_t y = 0; y < HEIGHT; y++)
        for (int32_t x = 0; x < WIDTH; x++) {
            const bool in = x >= r->x0 && x < r->x1 && y >= r->y0 && y < r->y1;
            const uint8_t *at = rows + (size_t)(y * WIDTH + x) * row->bytes;
            if (memcmp(at, in ? expected : outside, row->bytes))
                ck_abort_msg("%s layer %u element %d %d", row->name, layer, x, y);
        }
    free(rows);
}

static void reset(struct world *w, uint64_t address)
{
    memset(w->ram.base + address, 0xa5, 0x20000);
}

START_TEST(color_formats)
{
    static const char names[] = "RGBA";
    const struct row *row = &colors[_i];
    const bool integer = strstr(row->fields, "INT") != NULL;
    struct etalon_error error = {0};
    struct world w;
    world_start(&w, row->value, WIDTH, HEIGHT, 1, 0);
    for (uint32_t mask = 1; mask < 16; mask++) {
        struct et_clear clear = clear_of(&w, mask << 2);
        struct component c;
        uint8_t expected[16];
        clear.color = w.draw.raster.output.color[0];
        for (unsigned i = 0; i < 4; i++)
            clear.color_value[i] = integer ? 1 : 0x3f800000;
        reset(&w, WORLD_COLOR);
        memset(expected, 0xa5, sizeof expected);
        for (const char *text = row->fields; (text = next_component(text, &c));) {
            const char *at = strchr(names, c.name);
            if (at && mask >> (at - names) & 1)
                put(expected, &c, one(&c), ~UINT64_C(0));
            else if (is(&c, "WRITES"))
                put(expected, &c, c.name == 'O' ? ~UINT64_C(0) : 0, ~UINT64_C(0));
        }
        ck_assert_msg(!et_pipeline_clear(w.pipeline, &clear, &error), "%s: %s", row->name, error.text);
        check(&w, &clear.color, row, &clear.rectangle, 0, expected);
    }
    world_finish(&w);
}
END_TEST

START_TEST(depth_formats)
{
    const struct row *row = &depths[_i];
    struct etalon_error error = {0};
    struct world w;
    world_start(&w, 0xd5, WIDTH, HEIGHT, 1, 0);
    for (uint32_t surface = 1; surface < 4; surface++)
        for (unsigned masked = 0; masked < 2; masked++) {
            struct et_clear clear = clear_of(&w, surface);
            struct component c;
            uint8_t expected[16];
            world_target(&clear.depth, WORLD_DEPTH, row->value, row->bytes, WIDTH, HEIGHT);
            clear.depth_value = masked ? 0 : 1;
            clear.stencil_value = 0x1b;
            clear.stencil_mask = masked ? 0x3c : 0xff;
            reset(&w, WORLD_DEPTH);
            memset(expected, 0xa5, sizeof expected);
            for (const char *text = row->fields; (text = next_component(text, &c));) {
                if (c.name == 'Z' && surface & 1)
                    put(expected, &c, masked ? 0 : one(&c), ~UINT64_C(0));
                if (c.name == 'S' && surface & 2)
                    put(expected, &c, 0x1b, clear.stencil_mask);
            }
            ck_assert_msg(!et_pipeline_clear(w.pipeline, &clear, &error), "%s: %s", row->name, error.text);
            check(&w, &clear.depth, row, &clear.rectangle, 0, expected);
            clear.depth_enable = false;
            reset(&w, WORLD_DEPTH);
            ck_assert(!et_pipeline_clear(w.pipeline, &clear, &error));
            check(&w, &clear.depth, row, &(struct et_rectangle){0}, 0, expected);
        }
    world_finish(&w);
}
END_TEST

/* RT_ARRAY_INDEX counts from the target's first layer; indices past its layers clear nothing. */
START_TEST(layers)
{
    static const struct row row = {"A8B8G8R8", 0xd5, 4, ""};
    static const uint8_t ones[4] = {0xff, 0xff, 0xff, 0xff};
    struct etalon_error error = {0};
    struct world w;
    world_start(&w, row.value, WIDTH, HEIGHT, 1, 0);
    for (uint32_t index = 0; index < 5; index++) {
        struct et_clear clear = clear_of(&w, 0x3c | index << 10);
        clear.color = w.draw.raster.output.color[0];
        clear.color.layers = 4;
        clear.color.layer = 1;
        clear.color.array_pitch = 0x1000;
        for (unsigned i = 0; i < 4; i++)
            clear.color_value[i] = 0x3f800000;
        reset(&w, WORLD_COLOR);
        ck_assert_msg(!et_pipeline_clear(w.pipeline, &clear, &error), "%s", error.text);
        for (uint32_t layer = 0; layer < 6; layer++)
            check(&w, &clear.color, &row,
                  index < 4 && layer == index + 1 ? &clear.rectangle : &(struct et_rectangle){0}, layer,
                  ones);
    }
    world_finish(&w);
}
END_TEST

/* Slices of a volume lie in blocks of several: clears of each, and draws into each, write that slice alone.
 */
START_TEST(volumes)
{
    static const float white[4] = {1, 1, 1, 1}, corner[3][2] = {{0, 0}, {WIDTH, 0}, {0, HEIGHT}};
    struct etalon_error error = {0};
    struct world w;
    world_start(&w, 0xd5, WIDTH, HEIGHT, 1, 0);
    world_programs(&w, PIXEL_COLOR, false);
    struct et_target *target = &w.draw.raster.output.color[0];
    target->volume = true;
    target->layers = 5;
    target->block_depth_log2 = (uint8_t)_i;
    for (unsigned k = 0; k < 3; k++)
        world_pixel_vertex(&w, WIDTH, HEIGHT, corner[k][0], corner[k][1], 0.5f, 1, white, 1);
    const struct et_layout layout = {.width = WIDTH * 4,
                                     .height = HEIGHT,
                                     .depth = 5,
                                     .block_height_log2 = target->block_height_log2,
                                     .block_depth_log2 = (uint8_t)_i};
    for (uint32_t slice = 0; slice < 12; slice++) {
        const bool draws = slice >= 6;
        const uint32_t index = slice % 6;
        struct et_clear clear = clear_of(&w, 0x3c | index << 10);
        clear.color = *target;
        for (unsigned i = 0; i < 4; i++)
            clear.color_value[i] = 0x3f800000;
        reset(&w, WORLD_COLOR);
        w.draw.raster.layer = (uint16_t)index;
        if (draws)
            ck_assert_msg(!world_draw(&w, &error), "%s", error.text);
        else
            ck_assert_msg(!et_pipeline_clear(w.pipeline, &clear, &error), "%s", error.text);
        for (uint32_t z = 0; z < 5; z++)
            for (int32_t y = 0; y < HEIGHT; y++)
                for (int32_t x = 0; x < WIDTH; x++) {
                    const uint8_t *at =
                        w.ram.base + WORLD_COLOR + et_layout_offset(&layout, (uint32_t)x * 4, (uint32_t)y, z);
                    const struct et_rectangle *r = &clear.rectangle;
                    const bool in = draws ? (2 * x + 1) * HEIGHT + (2 * y + 1) * WIDTH < 2 * WIDTH * HEIGHT
                                          : x >= r->x0 && x < r->x1 && y >= r->y0 && y < r->y1;
                    const bool written = in && z == index;
                    ck_assert_msg(at[0] == (written ? 0xff : 0xa5) && !memcmp(at, at + 1, 3),
                                  "slice %u at %d,%d,%u: %02x", slice, x, y, z, at[0]);
                }
    }
    world_finish(&w);
}
END_TEST

/* Rectangles count pixels, targets elements; a rectangle beyond the target or without area is cut. */
START_TEST(rectangles)
{
    static const struct row row = {"R8", 0xf3, 1, ""};
    static const uint8_t one_byte[1] = {0xff};
    static const struct {
        uint32_t mode;
        struct et_rectangle pixels, elements;
    } cases[] = {
        {0, {0, 0, 1000, 1000}, {0, 0, WIDTH, HEIGHT}},
        {0, {-5, -7, 3, 4}, {0, 0, 3, 4}},
        {0, {5, 5, 5, 9}, {0}},
        {0, {9, 5, 4, 9}, {0}},
        {1, {1, 2, 3, 4}, {2, 2, 6, 4}},
        {2, {1, 2, 3, 4}, {2, 4, 6, 8}},
        {3, {1, 2, 3, 4}, {4, 4, 12, 8}},
        {4, {1, 2, 3, 4}, {4, 4, 12, 8}},
        {5, {1, 2, 3, 4}, {2, 2, 6, 4}},
        {6, {1, 2, 3, 4}, {4, 8, 12, 16}},
        {2, {0, 0, 4096, 4096}, {0, 0, WIDTH, HEIGHT}},
        {6, {INT32_MAX - 1, 0, INT32_MAX, 1}, {0}},
    };
    struct etalon_error error = {0};
    struct world w;
    world_start(&w, row.value, WIDTH, HEIGHT, 1, 0);
    for (size_t i = 0; i < ET_COUNT(cases); i++) {
        struct et_clear clear = clear_of(&w, 0x3c);
        clear.color = w.draw.raster.output.color[0];
        clear.sample_mode = cases[i].mode;
        clear.rectangle = cases[i].pixels;
        clear.color_value[0] = 0x3f800000;
        reset(&w, WORLD_COLOR);
        ck_assert_msg(!et_pipeline_clear(w.pipeline, &clear, &error), "%s", error.text);
        check(&w, &clear.color, &row, &cases[i].elements, 0, one_byte);
    }
    world_finish(&w);
}
END_TEST

/* Several threads leave the same memory and error as one, also where pages are missing. */
START_TEST(threads_clear_alike)
{
    enum { SIDE = 512, BYTES = SIDE * SIDE * 4 };
    static uint8_t alone[BYTES];
    struct world w;
    world_start(&w, 0xd5, SIDE, SIDE, 1, 0);
    ck_assert(!et_pagemap_unmap(&w.map, WORLD_COLOR + 0x41000, 0x1000, NULL));
    ck_assert(!et_pagemap_unmap(&w.map, WORLD_COLOR + 0xa3000, 0x1000, NULL));
    for (unsigned n = 0; n < 4; n++) {
        const struct et_rectangle parts[] = {{0, 0, SIDE, 60}, {3, 5, SIDE, SIDE - 9}};
        struct etalon_error error[2] = {{0}, {0}};
        struct et_clear clear = clear_of(&w, n & 1 ? 0x3c : 0x1c);
        clear.color = w.draw.raster.output.color[0];
        clear.color_value[0] = 0x3f800000;
        clear.rectangle = parts[n >> 1];
        for (unsigned threads = 1; threads <= 3; threads += 2) {
            memset(w.ram.base + WORLD_COLOR, 0xa5, BYTES);
            et_raster_clear(&clear, threads, &error[threads > 1]);
            if (threads == 1)
                memcpy(alone, w.ram.base + WORLD_COLOR, BYTES);
        }
        ck_assert(!memcmp(alone, w.ram.base + WORLD_COLOR, BYTES));
        ck_assert_int_eq(error[0].status, n >> 1 ? ETALON_UNMAPPED : ETALON_OK);
        ck_assert_int_eq(error[1].status, error[0].status);
        ck_assert_uint_eq(error[1].address, error[0].address);
    }
    world_finish(&w);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("targets");
    TCase *formats = tcase_create("formats"), *clears = tcase_create("clears");
    tcase_add_loop_test(formats, color_formats, 0, ET_COUNT(colors));
    tcase_add_loop_test(formats, depth_formats, 0, ET_COUNT(depths));
    tcase_add_test(clears, layers);
    tcase_add_loop_test(clears, volumes, 0, 4);
    tcase_add_test(clears, rectangles);
    tcase_add_test(clears, threads_clear_alike);
    suite_add_tcase(suite, formats);
    suite_add_tcase(suite, clears);
    return suite_run(suite);
}
