/* The 2D engine. */
#include "support/engine_world.h"
#include "texture/layout.h"

#define SOURCE (WORLD_VA + 0x10000)
#define TARGET (WORLD_VA + 0x40000)

enum {
    A8R8G8B8 = 0xcf,
    A8B8G8R8 = 0xd5,
    R5G6B5 = 0xe8,
    RGBA32F = 0xc0,
    RGBA16F = 0xca,
    Y32 = 0xff,
    Y8 = 0xf3,
    RN8 = 0xf4
};

static void surface(uint32_t base, uint32_t format, uint64_t va, uint32_t pitch, uint32_t width,
                    uint32_t height)
{
    world_set(base, format);
    world_set(base + 4, 1);
    world_set(base + 0x14, pitch);
    world_set(base + 0x18, width);
    world_set(base + 0x1c, height);
    world_set(base + 0x20, (uint32_t)(va >> 32));
    world_set(base + 0x24, (uint32_t)va);
}

static void start(uint32_t from, uint32_t to)
{
    world_start("gm204", 0x902d);
    surface(0x230, from, SOURCE, 256, 16, 16);
    surface(0x200, to, TARGET, 512, 16, 16);
    world_set(0x2ac, 3);
}

static enum etalon_status blit(int32_t x, int32_t y, uint32_t width, uint32_t height, uint64_t du,
                               uint64_t dv, uint64_t u, uint64_t v)
{
    const uint32_t words[] = {(uint32_t)x,  (uint32_t)y,          width,        height,
                              (uint32_t)du, (uint32_t)(du >> 32), (uint32_t)dv, (uint32_t)(dv >> 32),
                              (uint32_t)u,  (uint32_t)(u >> 32),  (uint32_t)v,  (uint32_t)(v >> 32)};
    size_t done;
    memset(&world.error, 0, sizeof world.error);
    return et_engine_methods(world.engine, 0x8b0, ET_RUN_INCREASING, words, ET_COUNT(words), &done,
                             &world.error);
}

#define ONE (UINT64_C(1) << 32)

static void source_pixels(void)
{
    for (unsigned y = 0; y < 16; y++)
        for (unsigned x = 0; x < 16; x++)
            et_store32(world_at(SOURCE + 256 * y + 4 * x), 0x01000000 * y + 0x10000 * x + 0x1234);
}

START_TEST(equal_formats)
{
    static const uint32_t formats[] = {A8R8G8B8, A8B8G8R8, Y32};
    for (unsigned f = 0; f < ET_COUNT(formats); f++) {
        start(formats[f], formats[f]);
        source_pixels();
        ck_assert_int_eq(blit(2, 3, 5, 4, ONE, ONE, 6 * ONE, 7 * ONE), ETALON_OK);
        for (unsigned j = 0; j < 4; j++)
            ck_assert_mem_eq(world_at(TARGET + 512 * (3 + j) + 4 * 2),
                             world_at(SOURCE + 256 * (7 + j) + 4 * 6), 20);
        ck_assert_uint_eq(world_load(TARGET + 512 * 3 + 4), 0);
        ck_assert_uint_eq(world_load(TARGET + 512 * 3 + 28), 0);
        ck_assert_uint_eq(world.opened[ET_TRIGGER_BLIT], 1);
        world_stop();
    }
}
END_TEST

START_TEST(conversion)
{
    start(A8B8G8R8, RGBA32F);
    et_store32(world_at(SOURCE), 0xff804000);
    ck_assert_int_eq(blit(0, 0, 1, 1, ONE, ONE, 0, 0), ETALON_OK);
    ck_assert_uint_eq(world_load(TARGET), et_float_bits(0));
    ck_assert_uint_eq(world_load(TARGET + 4), et_float_bits(64 / 255.0f));
    ck_assert_uint_eq(world_load(TARGET + 8), et_float_bits(128 / 255.0f));
    ck_assert_uint_eq(world_load(TARGET + 12), et_float_bits(1));
    world_stop();
    start(RGBA32F, A8R8G8B8);
    const float rgba[] = {1, 0.5f, -3, 2};
    memcpy(world_at(SOURCE), rgba, sizeof rgba);
    ck_assert_int_eq(blit(0, 0, 1, 1, ONE, ONE, 0, 0), ETALON_OK);
    ck_assert_uint_eq(world_load(TARGET) & 0xffff00ff, 0xffff0000);
    world_stop();
    start(R5G6B5, A8R8G8B8);
    et_store32(world_at(SOURCE), 0xf800);
    ck_assert_int_eq(blit(0, 0, 1, 1, ONE, ONE, 0, 0), ETALON_OK);
    ck_assert_uint_eq(world_load(TARGET), 0xffff0000);
    world_stop();
    start(RGBA16F, RGBA32F);
    et_store32(world_at(SOURCE), 0x00013c00); /* 1.0, smallest denormal */
    ck_assert_int_eq(blit(0, 0, 1, 1, ONE, ONE, 0, 0), ETALON_OK);
    ck_assert_uint_eq(world_load(TARGET), et_float_bits(1));
    ck_assert_uint_eq(world_load(TARGET + 4), et_float_bits(0x1p-24f));
    world_stop();
    start(Y32, A8R8G8B8);
    ck_assert_int_eq(blit(0, 0, 1, 1, ONE, ONE, 0, 0), ETALON_UNSUPPORTED);
    world_stop();
}
END_TEST

/* Twice as large: every other pixel lies between two texels' centres, and takes the next. Half as large:
 * every other texel. Edges repeat. [HW: GM206, where upsampling by nvc0 fails piglit's test] */
START_TEST(scaling)
{
    start(A8R8G8B8, A8R8G8B8);
    source_pixels();
    ck_assert_int_eq(blit(0, 0, 8, 2, ONE / 2, ONE / 2, 4 * ONE, 5 * ONE), ETALON_OK);
    for (unsigned j = 0; j < 2; j++)
        for (unsigned i = 0; i < 8; i++)
            ck_assert_uint_eq(world_load(TARGET + 512 * j + 4 * i),
                              world_load(SOURCE + 256 * (5 + j) + 4 * (4 + (i + 1) / 2)));
    ck_assert_int_eq(blit(0, 0, 4, 1, 2 * ONE, 2 * ONE, 12 * ONE, 0), ETALON_OK);
    ck_assert_uint_eq(world_load(TARGET), world_load(SOURCE + 4 * 12));
    ck_assert_uint_eq(world_load(TARGET + 4), world_load(SOURCE + 4 * 14));
    ck_assert_uint_eq(world_load(TARGET + 12), world_load(SOURCE + 4 * 15));
    world_set(0x88c, 1); /* from texels' corners each comes twice */
    ck_assert_int_eq(blit(0, 0, 8, 1, ONE / 2, ONE, 4 * ONE, 5 * ONE), ETALON_OK);
    for (unsigned i = 0; i < 8; i++)
        ck_assert_uint_eq(world_load(TARGET + 4 * i), world_load(SOURCE + 256 * 5 + 4 * (4 + i / 2)));
    world_stop();
}
END_TEST

/* Negative steps begin at the last texel; between two centres too the next is nearest; a filtered one is
 * itself. */
START_TEST(mirrored)
{
    start(A8R8G8B8, A8R8G8B8);
    source_pixels();
    for (unsigned bilinear = 0; bilinear < 2; bilinear++) {
        world_set(0x88c, bilinear << 4);
        ck_assert_int_eq(blit(0, 0, 4, 5, 0 - ONE, 0 - ONE, 9 * ONE, 15 * ONE), ETALON_OK);
        for (unsigned j = 0; j < 5; j++)
            for (unsigned i = 0; i < 4; i++)
                ck_assert_uint_eq(world_load(TARGET + 512 * j + 4 * i),
                                  world_load(SOURCE + 256 * (15 - j) + 4 * (9 - i)));
    }
    world_set(0x88c, 0);
    ck_assert_int_eq(blit(0, 0, 8, 1, 0 - ONE / 2, ONE, 9 * ONE, 0), ETALON_OK);
    for (unsigned i = 0; i < 8; i++)
        ck_assert_uint_eq(world_load(TARGET + 4 * i), world_load(SOURCE + 4 * (9 - i / 2)));
    world_stop();
}
END_TEST

START_TEST(bilinear)
{
    start(A8R8G8B8, A8R8G8B8);
    world_set(0x88c, 1 << 4);
    et_store32(world_at(SOURCE), 0xff000000);
    et_store32(world_at(SOURCE + 4), 0xff0000ff);
    et_store32(world_at(SOURCE + 256), 0xff000000);
    et_store32(world_at(SOURCE + 260), 0xff0000ff);
    ck_assert_int_eq(blit(0, 0, 1, 1, ONE, ONE, 0, 0), ETALON_OK); /* a texel's centre: itself */
    ck_assert_uint_eq(world_load(TARGET), 0xff000000);
    ck_assert_int_eq(blit(0, 0, 1, 1, ONE, ONE, ONE / 2, 0), ETALON_OK); /* half way */
    ck_assert_uint_eq(world_load(TARGET) >> 8, 0xff0000);
    ck_assert_uint_ge(world_load(TARGET) & 0xff, 127);
    ck_assert_uint_le(world_load(TARGET) & 0xff, 128);
    world_set(0x88c, 1 << 4 | 1); /* corners; half a texel before the least number goes round, as steps do */
    et_store32(world_at(SOURCE + 60), 0xff123456);
    ck_assert_int_eq(blit(0, 0, 1, 1, ONE, ONE, INT64_MIN, ONE / 2), ETALON_OK);
    ck_assert_uint_eq(world_load(TARGET), 0xff123456);
    world_stop();
}
END_TEST

/* Luminance of one channel is filtered, and taken from another; colours do not become it. */
START_TEST(luminance)
{
    start(Y8, Y8);
    world_set(0x88c, 1 << 4 | 1);
    *world_at(SOURCE) = 10;
    *world_at(SOURCE + 1) = 30;
    *world_at(SOURCE + 256) = 50;
    *world_at(SOURCE + 257) = 70;
    ck_assert_int_eq(blit(0, 0, 1, 1, 2 * ONE, 2 * ONE, ONE, ONE), ETALON_OK);
    ck_assert_uint_eq(*world_at(TARGET), 40);
    world_stop();
    start(RN8, Y8);
    *world_at(SOURCE) = 127;
    ck_assert_int_eq(blit(0, 0, 1, 1, ONE, ONE, 0, 0), ETALON_OK);
    ck_assert_uint_eq(*world_at(TARGET), 255);
    world_stop();
    start(A8R8G8B8, Y8);
    ck_assert_int_eq(blit(0, 0, 1, 1, ONE, ONE, 0, 0), ETALON_UNSUPPORTED);
    world_stop();
}
END_TEST

START_TEST(clip_and_operation)
{
    start(A8R8G8B8, A8R8G8B8);
    source_pixels();
    world_set(0x280, 3);
    world_set(0x284, 2);
    world_set(0x288, 4);
    world_set(0x28c, 1);
    world_set(0x290, 1);
    ck_assert_int_eq(blit(0, 0, 16, 16, ONE, ONE, 0, 0), ETALON_OK);
    unsigned written = 0;
    for (unsigned y = 0; y < 16; y++)
        for (unsigned x = 0; x < 16; x++)
            written += world_load(TARGET + 512 * y + 4 * x) != 0;
    ck_assert_uint_eq(written, 4);
    ck_assert_uint_eq(world_load(TARGET + 512 * 2 + 12), world_load(SOURCE + 256 * 2 + 12));
    world_set(0x290, 0);
    /* exclusive or; partly outside the destination */
    et_store32(world_at(TARGET + 512 * 15 + 60), 0xffffffff);
    world_set(0x2ac, 4);
    world_set(0x2a0, 0x66);
    ck_assert_int_eq(blit(15, 15, 4, 4, ONE, ONE, 0, 0), ETALON_OK);
    ck_assert_uint_eq(world_load(TARGET + 512 * 15 + 60), ~world_load(SOURCE));
    ck_assert_uint_eq(world_load(TARGET + 512 * 15 + 64), 0);
    world_set(0x2a0, 0xf0); /* the pattern */
    ck_assert_int_eq(blit(0, 0, 1, 1, ONE, ONE, 0, 0), ETALON_UNSUPPORTED);
    world_set(0x2ac, 2);
    ck_assert_int_eq(blit(0, 0, 1, 1, ONE, ONE, 0, 0), ETALON_UNSUPPORTED);
    world_stop();
}
END_TEST

/* What nvc0 asks for: some bits of the source by a pattern of one colour, some channels by BETA4. */
START_TEST(masked_operations)
{
    start(A8R8G8B8, A8R8G8B8);
    et_store32(world_at(SOURCE), 0x12345678);
    et_store32(world_at(TARGET), 0xabcdef90);
    world_set(0x2ac, 4);
    world_set(0x2a0, 0xca); /* the source where the pattern is set, else the destination */
    world_set(0x2e8, 2);
    world_set(0x2f0, 0);
    world_set(0x2f4, 0x00ffffff);
    world_set(0x2f8, 0xffffffff);
    ck_assert_int_eq(blit(0, 0, 1, 1, ONE, ONE, 0, 0), ETALON_UNSUPPORTED); /* of two colours */
    world_set(0x2fc, 0xffffffff);
    ck_assert_int_eq(blit(0, 0, 1, 1, ONE, ONE, 0, 0), ETALON_OK);
    ck_assert_uint_eq(world_load(TARGET), 0xab345678);
    world_set(0x2f8, 0);
    world_set(0x2fc, 0);
    ck_assert_int_eq(blit(0, 0, 1, 1, ONE, ONE, 0, 0), ETALON_OK); /* colour 0: nothing */
    ck_assert_uint_eq(world_load(TARGET), 0xab345678);
    world_set(0x2ac, 5);
    world_set(0x2a8, 0xff00ff00);
    ck_assert_int_eq(blit(0, 0, 1, 1, ONE, ONE, 0, 0), ETALON_OK);
    ck_assert_uint_eq(world_load(TARGET), 0x12005600);
    world_stop();
    start(Y8, A8R8G8B8);
    world_at(SOURCE)[0] = 0x5a;
    ck_assert_int_eq(blit(0, 0, 1, 1, ONE, ONE, 0, 0), ETALON_OK);
    ck_assert_uint_eq(world_load(TARGET), 0xff5a5a5a);
    world_set(0x2ac, 5);
    world_set(0x2a8, 0xffff0000);
    ck_assert_int_eq(blit(0, 0, 1, 1, ONE, ONE, 0, 0), ETALON_OK);
    ck_assert_uint_eq(world_load(TARGET), 0xff5a0000);
    world_stop();
    start(RN8, A8R8G8B8);
    world_at(SOURCE)[0] = 0x7f;
    ck_assert_int_eq(blit(0, 0, 1, 1, ONE, ONE, 0, 0), ETALON_OK);
    ck_assert_uint_eq(world_load(TARGET), 0xffffffff);
    world_stop();
    start(A8R8G8B8, Y8);
    ck_assert_int_eq(blit(0, 0, 1, 1, ONE, ONE, 0, 0), ETALON_UNSUPPORTED);
    world_stop();
}
END_TEST

/* Every layer of blocks of every depth. */
START_TEST(block_linear_target)
{
    const struct et_layout layout = {
        .width = 64, .height = 16, .depth = 6, .block_height_log2 = 1, .block_depth_log2 = (uint8_t)_i};
    for (uint32_t layer = 0; layer < 6; layer++) {
        start(A8R8G8B8, A8R8G8B8);
        source_pixels();
        world_set(0x204, 0);
        world_set(0x208, 1 << 4 | (uint32_t)_i << 8);
        world_set(0x20c, 6);
        world_set(0x210, layer);
        ck_assert_int_eq(blit(0, 0, 16, 16, ONE, ONE, 0, 0), ETALON_OK);
        for (uint32_t y = 0; y < 16; y++)
            for (uint32_t x = 0; x < 16; x++)
                ck_assert_uint_eq(world_load(TARGET + et_layout_offset(&layout, 4 * x, y, layer)),
                                  world_load(SOURCE + 256 * y + 4 * x));
        world_stop();
    }
}
END_TEST

/* An overlapping blit reads what was there. */
START_TEST(overlap)
{
    start(A8R8G8B8, A8R8G8B8);
    surface(0x200, A8R8G8B8, SOURCE, 256, 16, 16);
    source_pixels();
    uint32_t before[8];
    memcpy(before, world_at(SOURCE), sizeof before);
    ck_assert_int_eq(blit(1, 2, 8, 8, ONE, ONE, 0, 0), ETALON_OK);
    ck_assert_mem_eq(world_at(SOURCE + 256 * 2 + 4), before, sizeof before);
    ck_assert_uint_eq(world_load(SOURCE + 256 * 9 + 4 * 8), 0x07071234);
    world_stop();
}
END_TEST

START_TEST(solid)
{
    start(A8R8G8B8, R5G6B5);
    world_set(0x584, A8R8G8B8);
    world_set(0x588, 0xff00ff00);
    world_set(0x580, 4);
    world_set(0x600, 2);
    world_set(0x604, 3);
    world_set(0x608, 5);
    ck_assert_uint_eq(world.opened[ET_TRIGGER_FILL], 0);
    world_set(0x60c, 100); /* clipped to the surface */
    ck_assert_uint_eq(world.opened[ET_TRIGGER_FILL], 1);
    unsigned written = 0;
    for (unsigned y = 0; y < 16; y++)
        for (unsigned x = 0; x < 16; x++) {
            uint16_t pixel;
            memcpy(&pixel, world_at(TARGET + 512 * y + 2 * x), 2);
            ck_assert(pixel == 0 || pixel == 0x07e0);
            written += pixel != 0;
        }
    ck_assert_uint_eq(written, 3 * 13);
    world_set(0x580, 0);
    world_set(0x5e0, 0 | 1 << 16);
    ck_assert_uint_eq(world_load(TARGET + 512), 0x07e0);
    world_set(0x580, 3);
    ck_assert_int_eq(world_method(0x5e0, 0), ETALON_UNSUPPORTED);
    world_stop();
}
END_TEST

static int cancel(void *context)
{
    (void)context;
    return 1;
}

START_TEST(cancelled_fill)
{
    start(A8R8G8B8, A8R8G8B8);
    world.listener.cancelled = cancel;
    world_set(0x584, A8R8G8B8);
    world_set(0x588, 0xff00ff00);
    world_set(0x580, 4);
    world_set(0x600, 0);
    world_set(0x604, 0);
    world_set(0x608, 16);
    ck_assert_int_eq(world_method(0x60c, 16), ETALON_CANCELLED);
    ck_assert_uint_eq(world_load(TARGET), 0);
    world_stop();
}
END_TEST

static void cpu(uint32_t width, uint32_t height, uint32_t wrap)
{
    world_set(0x810, wrap);
    world_set(0x838, width);
    world_set(0x83c, height);
    world_set(0x840, 0);
    world_set(0x844, 1);
    world_set(0x848, 0);
    world_set(0x84c, 1);
    world_set(0x854, 1);
    world_set(0x85c, 2);
}

START_TEST(from_the_cpu)
{
    start(A8R8G8B8, A8R8G8B8);
    world_set(0x800, 0);
    world_set(0x804, R5G6B5);
    cpu(3, 2, 2); /* rows of words */
    world_set(0x860, 0xf800 | 0x07e0u << 16);
    world_set(0x860, 0x001f);
    world_set(0x860, 0xffff | 0xf800u << 16);
    world_set(0x860, 0);
    ck_assert_uint_eq(world_load(TARGET + 512 * 2 + 4), 0xffff0000);
    ck_assert_uint_eq(world_load(TARGET + 512 * 2 + 12), 0xff0000ff);
    ck_assert_uint_eq(world_load(TARGET + 512 * 3 + 4), 0xffffffff);
    ck_assert_uint_eq(world_load(TARGET + 512 * 3 + 12), 0xff000000);
    ck_assert_int_eq(world_method(0x860, 0), ETALON_BOUNDS);
    /* Bits, most significant first, rows of bytes; clear bits leave the target. */
    world_set(0x800, 1);
    world_set(0x804, A8R8G8B8);
    world_set(0x80c, 0);
    world_set(0x818, 0xff112233);
    world_set(0x81c, 0);
    cpu(4, 2, 1);
    world_set(0x860, 0x80 | 0x10 << 8);
    ck_assert_uint_eq(world_load(TARGET + 512 * 2 + 4), 0xff112233);
    ck_assert_uint_eq(world_load(TARGET + 512 * 2 + 12), 0xff0000ff);
    ck_assert_uint_eq(world_load(TARGET + 512 * 3 + 16), 0xff112233);
    ck_assert_uint_eq(world.opened[ET_TRIGGER_FILL], 2);
    world_stop();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("engine-twod");
    TCase *tcase = tcase_create("twod");
    tcase_add_test(tcase, equal_formats);
    tcase_add_test(tcase, conversion);
    tcase_add_test(tcase, scaling);
    tcase_add_test(tcase, mirrored);
    tcase_add_test(tcase, bilinear);
    tcase_add_test(tcase, luminance);
    tcase_add_test(tcase, clip_and_operation);
    tcase_add_test(tcase, masked_operations);
    tcase_add_loop_test(tcase, block_linear_target, 0, 4);
    tcase_add_test(tcase, overlap);
    tcase_add_test(tcase, solid);
    tcase_add_test(tcase, cancelled_fill);
    tcase_add_test(tcase, from_the_cpu);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
