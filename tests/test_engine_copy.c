/* The copy engine and inline-to-memory. */
#include "support/engine_world.h"
#include "texture/layout.h"

#define SOURCE (WORLD_VA + 0x10000)
#define TARGET (WORLD_VA + 0x40000)
#define SEMA   (WORLD_VA + 0x80000)

static void random_bytes(uint64_t va, size_t count)
{
    uint64_t seed = 7;
    for (size_t i = 0; i < count; i++) {
        seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
        world_at(va)[i] = (uint8_t)(seed >> 56);
    }
}

static void places(uint64_t from, uint64_t to)
{
    world_set(0x400, (uint32_t)(from >> 32));
    world_set(0x404, (uint32_t)from);
    world_set(0x408, (uint32_t)(to >> 32));
    world_set(0x40c, (uint32_t)to);
}

static void size(uint32_t pitch_in, uint32_t pitch_out, uint32_t length, uint32_t lines)
{
    world_set(0x410, pitch_in);
    world_set(0x414, pitch_out);
    world_set(0x418, length);
    world_set(0x41c, lines);
}

/* A block-linear side: base 0x70c destination, 0x728 source. */
static void blocks(uint32_t base, unsigned height_log2, unsigned depth_log2, uint32_t width, uint32_t height,
                   uint32_t depth, uint32_t layer, uint32_t origin)
{
    world_set(base, height_log2 << 4 | depth_log2 << 8 | 1 << 12);
    world_set(base + 4, width);
    world_set(base + 8, height);
    world_set(base + 12, depth);
    world_set(base + 16, layer);
    world_set(base + 20, origin);
}

enum { PIPELINED = 1, PITCH_IN = 1 << 7, PITCH_OUT = 1 << 8, MULTI = 1 << 9, REMAP = 1 << 10 };

START_TEST(one_line)
{
    world_start("gm204", 0xb0b5);
    random_bytes(SOURCE, 10000);
    places(SOURCE + 3, TARGET + 5);
    size(16, 16, 9001, 7); /* pitches and line count do not matter */
    world_set(0x300, PIPELINED | PITCH_IN | PITCH_OUT);
    ck_assert_mem_eq(world_at(TARGET + 5), world_at(SOURCE + 3), 9001);
    ck_assert_uint_eq(*world_at(TARGET + 5 + 9001), 0);
    ck_assert_uint_eq(world.opened[ET_TRIGGER_COPY], 1);
    ck_assert_uint_eq(world.last.bytes, 9001);
    world_stop();
}
END_TEST

START_TEST(lines)
{
    world_start("ga102", 0xc7b5);
    random_bytes(SOURCE, 4096);
    places(SOURCE, TARGET);
    size(100, 200, 33, 9);
    world_set(0x300, PIPELINED | PITCH_IN | PITCH_OUT | MULTI);
    for (unsigned y = 0; y < 9; y++) {
        ck_assert_mem_eq(world_at(TARGET + 200 * y), world_at(SOURCE + 100 * y), 33);
        ck_assert_uint_eq(*world_at(TARGET + 200 * y + 33), 0);
    }
    world_stop();
}
END_TEST

/* Through blocks of every height and depth, with an origin and a layer, and back. */
START_TEST(block_linear)
{
    for (unsigned height = 0; height < 6; height++)
        for (unsigned depth = 0; depth < 3; depth++) {
            const struct et_layout layout = {.width = 200,
                                             .height = 50,
                                             .depth = 3,
                                             .block_height_log2 = (uint8_t)height,
                                             .block_depth_log2 = (uint8_t)depth};
            world_start("gm204", 0xb0b5);
            random_bytes(SOURCE, 8192);
            places(SOURCE, TARGET);
            size(150, 0, 131, 37);
            blocks(0x70c, height, depth, 200, 50, 3, 2, 17 | 5 << 16);
            world_set(0x300, PIPELINED | PITCH_IN | MULTI);
            for (unsigned y = 0; y < 37; y++)
                for (unsigned x = 0; x < 131; x++)
                    ck_assert_uint_eq(*world_at(TARGET + et_layout_offset(&layout, x + 17, y + 5, 2)),
                                      *world_at(SOURCE + 150 * y + x));
            places(TARGET, SOURCE + 0x8000);
            size(0, 150, 131, 37);
            blocks(0x728, height, depth, 200, 50, 3, 2, 17 | 5 << 16);
            world_set(0x300, PIPELINED | PITCH_OUT | MULTI);
            for (unsigned y = 0; y < 37; y++)
                ck_assert_mem_eq(world_at(SOURCE + 0x8000 + 150 * y), world_at(SOURCE + 150 * y), 131);
            world_stop();
        }
}
END_TEST

/* C7B5's wide origins take the place of the packed ones; the last written counts. */
START_TEST(origins)
{
    const struct et_layout layout = {.width = 512, .height = 16, .depth = 1, .turing_gob = true};
    world_start("ga102", 0xc7b5);
    world_at(SOURCE)[0] = 0x5a;
    places(SOURCE, TARGET);
    size(0, 0, 1, 1);
    blocks(0x70c, 0, 0, 512, 16, 1, 0, 1 | 1 << 16);
    world_set(0x74c, 300);
    world_set(0x750, 7);
    world_set(0x300, PIPELINED | PITCH_IN | MULTI);
    ck_assert_uint_eq(*world_at(TARGET + et_layout_offset(&layout, 300, 7, 0)), 0x5a);
    world_stop();
}
END_TEST

START_TEST(remap)
{
    world_start("gm204", 0xb0b5);
    for (unsigned i = 0; i < 32; i++)
        et_store32(world_at(SOURCE + 4 * i), i * 0x01010101 + 0x03020100);
    places(SOURCE, TARGET);
    size(0, 0, 5, 1);
    /* bytes: four components to four, swapped: z, constant A, x, constant B */
    world_set(0x700, 0xaa);
    world_set(0x704, 0xbb);
    world_set(0x708, 2 | 4 << 4 | 0 << 8 | 5 << 12 | 0 << 16 | 3 << 20 | 3 << 24);
    world_set(0x300, PIPELINED | PITCH_IN | PITCH_OUT | REMAP);
    for (unsigned i = 0; i < 5; i++)
        ck_assert_uint_eq(world_load(TARGET + 4 * i), 0xbb00aa02 + i * 0x00010001);
    /* a component left alone */
    world_set(0x708, 6 | 1 << 4 | 6 << 8 | 3 << 12 | 0 << 16 | 3 << 20 | 3 << 24);
    world_set(0x300, PIPELINED | PITCH_IN | PITCH_OUT | REMAP);
    for (unsigned i = 0; i < 5; i++)
        ck_assert_uint_eq(world_load(TARGET + 4 * i), 0x03000102 + i * 0x01010101);
    /* four bytes a component, one to two; a fill needs no source */
    places(0, TARGET);
    world_set(0x700, 0x11223344);
    world_set(0x704, 0x55667788);
    world_set(0x708, 4 | 5 << 4 | 3 << 16 | 0 << 20 | 1 << 24);
    world_set(0x300, PIPELINED | PITCH_IN | PITCH_OUT | REMAP);
    for (unsigned i = 0; i < 5; i++) {
        ck_assert_uint_eq(world_load(TARGET + 8 * i), 0x11223344);
        ck_assert_uint_eq(world_load(TARGET + 8 * i + 4), 0x55667788);
    }
    /* one source component, y asked for */
    world_set(0x708, 1 | 3 << 16 | 0 << 20 | 0 << 24);
    ck_assert_int_eq(world_method(0x300, PIPELINED | PITCH_IN | PITCH_OUT | REMAP), ETALON_BAD_VALUE);
    world_stop();
}
END_TEST

static void semaphore(uint64_t va, uint32_t payload)
{
    world_set(0x240, (uint32_t)(va >> 32));
    world_set(0x244, (uint32_t)va);
    world_set(0x248, payload);
}

START_TEST(semaphores)
{
    world_start("ga102", 0xc7b5);
    world.clock = 0x123456789;
    semaphore(SEMA, 55);
    world_set(0x300, 1 << 3);
    ck_assert_uint_eq(world_load(SEMA), 55);
    semaphore(SEMA + 16, 56);
    world_set(0x300, 2 << 3 | 1 << 5);
    ck_assert_uint_eq(world_load(SEMA + 16), 56);
    ck_assert_uint_eq(world_load(SEMA + 24), 0x23456789);
    ck_assert_uint_eq(world.interrupts, 1);
    semaphore(SEMA, 3);
    world_set(0x300, 1 << 3 | 5 << 14 | 1 << 18 | 1 << 19); /* add */
    ck_assert_uint_eq(world_load(SEMA), 58);
    world_set(0x24c, 9);
    semaphore(SEMA + 32, 8);
    world_set(0x300, 1 << 3 | 1 << 27);
    ck_assert_uint_eq(world_load(SEMA + 36), 9);
    ck_assert_int_eq(world_method(0x300, 1 << 3 | 10 << 14 | 1 << 19), ETALON_UNSUPPORTED);
    semaphore(SEMA + 2, 1);
    ck_assert_int_eq(world_method(0x300, 1 << 3), ETALON_MISALIGNED);
    world_stop();
}
END_TEST

START_TEST(conditions_and_faults)
{
    world_start("gm204", 0xb0b5);
    random_bytes(SOURCE, 16);
    places(SOURCE, TARGET);
    size(0, 0, 16, 1);
    world_set(0x25c, 0); /* never */
    world_set(0x300, PIPELINED | PITCH_IN | PITCH_OUT);
    ck_assert_uint_eq(world_load(TARGET), 0);
    world_set(0x25c, 1);
    places(0x10, TARGET);
    ck_assert_int_eq(world_method(0x300, PIPELINED | PITCH_IN | PITCH_OUT), ETALON_UNMAPPED);
    ck_assert_uint_eq(world.error.klass, 0xb0b5);
    ck_assert_uint_eq(world.error.method, 0x300);
    ck_assert_uint_ne(world.error.at & ETALON_AT_EVENT, 0);
    places(SOURCE, TARGET);
    ck_assert_int_eq(world_method(0x300, PIPELINED | PITCH_IN | PITCH_OUT | 1 << 12), ETALON_UNSUPPORTED);
    world_set(0x70c, 0); /* GOBs of four rows */
    ck_assert_int_eq(world_method(0x300, PIPELINED | PITCH_IN), ETALON_UNSUPPORTED);
    size(0, 0, 0xffffffff, 0xffffffff);
    ck_assert_int_eq(world_method(0x300, PIPELINED | PITCH_IN | PITCH_OUT | MULTI), ETALON_BUDGET);
    world_stop();
}
END_TEST

static void inline_to(uint64_t va, uint32_t length, uint32_t count, uint32_t launch)
{
    world_set(0x180, length);
    world_set(0x184, count);
    world_set(0x188, (uint32_t)(va >> 32));
    world_set(0x18c, (uint32_t)va);
    world_set(0x1b0, launch);
}

/* Lines are padded to words; words come one by one and in runs of any length. */
START_TEST(inline_data)
{
    static const uint32_t classes[][2] = {{0xa140, 0}, {0xb197, 0}, {0xb1c0, 0}};
    for (unsigned c = 0; c < ET_COUNT(classes); c++)
        for (size_t piece = 1; piece < 8; piece++) {
            const uint32_t words[] = {0x33221100, 0x77665544, 0xbbaa9988, 0xffeeddcc, 0x01020304, 0x05060708};
            world_start("gm204", classes[c][0]);
            world_set(0x190, 64);
            inline_to(TARGET, 7, 3, 1 | 1 << 12);
            for (size_t at = 0; at < 6; at += piece) {
                size_t done;
                ck_assert_int_eq(et_engine_methods(world.engine, 0x1b4, ET_RUN_CONSTANT, words + at,
                                                   ET_MIN(piece, 6 - at), &done, &world.error),
                                 ETALON_OK);
            }
            ck_assert_uint_eq(world.opened[ET_TRIGGER_INLINE], 1);
            ck_assert_uint_eq(world_load(TARGET), 0x33221100);
            ck_assert_uint_eq(world_load(TARGET + 4), 0x00665544);
            ck_assert_uint_eq(world_load(TARGET + 64), 0xbbaa9988);
            ck_assert_uint_eq(world_load(TARGET + 128 + 4), 0x00060708);
            ck_assert_int_eq(world_method(0x1b4, 0), ETALON_BOUNDS);
            world_stop();
        }
}
END_TEST

START_TEST(inline_blocks_and_semaphore)
{
    const struct et_layout layout = {.width = 256, .height = 32, .depth = 2, .block_height_log2 = 1};
    world_start("gm204", 0xa140);
    world.clock = 77;
    world_set(0x194, 1 << 4);
    world_set(0x198, 256);
    world_set(0x19c, 32);
    world_set(0x1a0, 2);
    world_set(0x1a4, 1);
    world_set(0x1a8, 20);
    world_set(0x1ac, 9);
    world_set(0x1dc, 0);
    world_set(0x1e0, (uint32_t)SEMA);
    world_set(0x1e4, 123);
    inline_to(TARGET, 8, 2, 2 << 4 | 1 << 8);
    ck_assert_int_eq(world_method(0x1b0, 0), ETALON_BAD_VALUE); /* before the data has come */
    for (uint32_t i = 0; i < 4; i++)
        world_set(0x1b4, 0x10101010 * (i + 1));
    ck_assert_uint_eq(world_load(TARGET + et_layout_offset(&layout, 24, 10, 1)), 0x40404040);
    ck_assert_uint_eq(world_load(SEMA), 123);
    ck_assert_uint_eq(world_load(SEMA + 8), 77);
    ck_assert_uint_eq(world.interrupts, 1);
    /* Reduction: the largest, signed. */
    et_store32(world_at(TARGET), 0xfffffff0);
    inline_to(TARGET, 4, 1, 1 | 1 << 1 | 1 << 2 | 2 << 13);
    world_set(0x1b4, 5);
    ck_assert_uint_eq(world_load(TARGET), 5);
    world_stop();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("engine-copy");
    TCase *tcase = tcase_create("copy");
    tcase_add_test(tcase, one_line);
    tcase_add_test(tcase, lines);
    tcase_add_test(tcase, block_linear);
    tcase_add_test(tcase, origins);
    tcase_add_test(tcase, remap);
    tcase_add_test(tcase, semaphores);
    tcase_add_test(tcase, conditions_and_faults);
    tcase_add_test(tcase, inline_data);
    tcase_add_test(tcase, inline_blocks_and_semaphore);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
