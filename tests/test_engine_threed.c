/* The 3D engine: what a draw finds in its struct, instances, constants, reports, conditions. */
#include "engine/threed.h"
#include "support/engine_world.h"

#define BUFFER (WORLD_VA + 0x10000)
#define REPORT (WORLD_VA + 0x20000)

static struct {
    unsigned count;
    struct et_draw draw; /* the last */
    uint32_t first_instance[16], instances[16], value[16];
} drawn;

static void on_trigger(void *context, const struct et_trigger *trigger)
{
    (void)context;
    if (trigger->kind != ET_TRIGGER_DRAW)
        return;
    drawn.draw = *trigger->draw;
    drawn.first_instance[drawn.count & 15] = trigger->draw->first_instance;
    drawn.instances[drawn.count & 15] = trigger->draw->instance_count;
    drawn.value[drawn.count++ & 15] = trigger->value;
}

/* Draws and clears are told, not run. */
static void start(uint32_t klass)
{
    memset(&drawn, 0, sizeof drawn);
    world_start(klass == 0xc797 ? "ga102" : "gm204", klass);
    world.listener.trigger = on_trigger;
    world.environment.skip = 1u << ET_TRIGGER_DRAW | 1u << ET_TRIGGER_CLEAR;
}

static void flush(void)
{
    ck_assert_int_eq(et_engine_flush(world.engine, &world.error), ETALON_OK);
}

static void instance(uint32_t mode, uint32_t count)
{
    world_set(0x1618, 4 | mode << 26);
    world_set(0xd74, 5);
    world_set(0xd78, count);
    world_set(0x1614, 0);
}

START_TEST(instances_merge)
{
    start(0xb197);
    for (unsigned i = 0; i < 10; i++)
        instance(i > 0, 3);
    ck_assert_uint_eq(drawn.count, 0);
    flush();
    ck_assert_uint_eq(drawn.count, 1);
    ck_assert_uint_eq(drawn.instances[0], 10);
    ck_assert_uint_eq(drawn.draw.first, 5);
    ck_assert_uint_eq(drawn.draw.count, 3);
    ck_assert_uint_eq(drawn.draw.topology, 4);
    /* State between instances, another count, a first instance, an unchanged one: draws of their own. */
    instance(0, 3);
    world_set(0xd80, 1);
    instance(1, 3);
    instance(1, 4);
    instance(2, 4);
    instance(0, 4);
    flush();
    ck_assert_uint_eq(drawn.count, 6);
    static const uint32_t first[] = {0, 1, 2, 2, 0};
    for (unsigned i = 0; i < 5; i++) {
        ck_assert_uint_eq(drawn.first_instance[1 + i], first[i]);
        ck_assert_uint_eq(drawn.instances[1 + i], 1);
    }
    world_stop();
}
END_TEST

/* A draw that writes nothing first, as blits of a new context: coordinates go through in their order. */
START_TEST(reset_state)
{
    static const uint8_t identity[4] = {0, 2, 4, 6};
    start(_i ? 0xc797 : 0xb197);
    instance(0, 3);
    flush();
    for (unsigned v = 0; v < ET_COUNT(drawn.draw.raster.viewport); v++)
        ck_assert_mem_eq(drawn.draw.raster.viewport[v].swizzle, identity, sizeof identity);
    world_stop();
}
END_TEST

START_TEST(draw_methods)
{
    start(0xb197);
    world_set(0x1434, (uint32_t)-7);
    world_set(0x1438, 11);
    world_set(0x17d8, 1);
    world_set(0x17dc, 20);
    world_set(0x1618, 5);
    world_set(0x17e0, 30);
    world_set(0x1614, 0);
    flush();
    ck_assert_int_eq(drawn.draw.source, ET_DRAW_INDEXED);
    ck_assert_uint_eq(drawn.draw.first, 20);
    ck_assert_uint_eq(drawn.draw.count, 30);
    ck_assert_uint_eq(drawn.draw.index_size, 1);
    ck_assert_int_eq(drawn.draw.base_vertex, -7);
    ck_assert_uint_eq(drawn.draw.base_instance, 11);
    /* One word a draw. */
    world_set(0x1214, 9 | 6 << 16 | 4u << 28);
    world_set(0x1218, 9 | 6 << 16 | 4u << 28);
    flush();
    ck_assert_int_eq(drawn.draw.source, ET_DRAW_ARRAYS);
    ck_assert_uint_eq(drawn.draw.instance_count, 2);
    ck_assert_uint_eq(drawn.draw.first, 9);
    ck_assert_uint_eq(drawn.draw.count, 6);
    static const struct {
        uint32_t method, size;
    } shorts[] = {{0x17e4, 2}, {0x17e8, 1}, {0x17ec, 0}};
    for (unsigned i = 0; i < ET_COUNT(shorts); i++) {
        world_set(shorts[i].method, 1 | 2 << 16 | 5u << 28);
        world_set(shorts[i].method + 12, 1 | 2 << 16 | 5u << 28);
        flush();
        ck_assert_uint_eq(drawn.draw.index_size, shorts[i].size);
        ck_assert_uint_eq(drawn.draw.instance_count, 2);
    }
    instance(0, 3); /* the register's index size again */
    flush();
    ck_assert_uint_eq(drawn.draw.index_size, 1);
    /* From feedback's bytes. */
    world_set(0x1318, 12);
    world_set(0x13a4, 24);
    world_set(0x1618, 0);
    world_set(0x123c, 24 + 12 * 7 + 5);
    world_set(0x1614, 0);
    flush();
    ck_assert_uint_eq(drawn.draw.count, 7);
    ck_assert_int_eq(world_method(0xd78, 3), ETALON_BAD_VALUE); /* outside BEGIN and END */
    world_set(0x1618, 4);
    ck_assert_int_eq(world_method(0x1618, 4), ETALON_BAD_VALUE);
    world_stop();
}
END_TEST

START_TEST(inline_indices)
{
    start(0xb197);
    world_set(0x1618, 4);
    world_set(0x15e8, 100);
    world_set(0x15e8, 101);
    world_set(0x15ec, 3 | 1u << 31); /* three 16-bit ones, from the odd half */
    world_set(0x15f0, 0x01020304);
    world_set(0x15f0, 0x05060708);
    world_set(0x1300, 2 | 2u << 30); /* two bytes, from the third */
    world_set(0x1304, 0xaabbccdd);
    world_set(0x1304, 0x44332211); /* no count: whole words */
    world_set(0x15f0, 0x66665555);
    world_set(0x1614, 0);
    ck_assert_uint_eq(drawn.count, 1);
    static const uint32_t want[] = {100,  101,  0x0102, 0x0708, 0x0506, 0xbb,  0xaa,
                                    0x11, 0x22, 0x33,   0x44,   0x5555, 0x6666};
    ck_assert_int_eq(drawn.draw.source, ET_DRAW_INLINE_INDICES);
    ck_assert_uint_eq(drawn.draw.count, ET_COUNT(want));
    ck_assert_mem_eq(drawn.draw.inline_index, want, sizeof want);
    world_stop();
}
END_TEST

/* Draws between one BEGIN and END are one stream of vertices: arrays, indices, inline ones, each with its
 * edge flag. */
START_TEST(draws_join)
{
    static const uint32_t list[] = {10, 11, 12, 20, 30, 31, 0xffffffff, 7, 9};
    static const uint8_t inner[] = {0, 0, 0, 1, 0, 0, 0, 0, 0}, parted[] = {0, 0, 0, 1, 1};
    start(0xb197);
    et_store32(world.ram.base + 0x100, 5 | 7 << 16);
    et_store32(world.ram.base + 0x104, 9);
    world_set(0x17c8, 0);
    world_set(0x17cc, (uint32_t)WORLD_VA + 0x100);
    world_set(0x17d0, 0);
    world_set(0x17d4, (uint32_t)WORLD_VA + 0x1ff);
    world_set(0x17d8, 1);
    world_set(0x1618, 9);
    world_set(0xd74, 10);
    world_set(0xd78, 3);
    world_set(0x15e4, 0);
    world_set(0x15e8, 20);
    world_set(0x15e4, 1);
    world_set(0xd74, 30);
    world_set(0xd78, 2);
    world_set(0x15e8, 0xffffffff);
    world_set(0x17dc, 1);
    world_set(0x17e0, 2);
    ck_assert_uint_eq(drawn.count, 0);
    world_set(0x1614, 0);
    ck_assert_uint_eq(drawn.count, 1);
    ck_assert_int_eq(drawn.draw.source, ET_DRAW_INLINE_INDICES);
    ck_assert_uint_eq(drawn.draw.topology, 9);
    ck_assert_uint_eq(drawn.draw.first_primitive, 0);
    ck_assert_uint_eq(drawn.draw.count, ET_COUNT(list));
    ck_assert_mem_eq(drawn.draw.inline_index, list, sizeof list);
    ck_assert_mem_eq(drawn.draw.inline_inner, inner, sizeof inner);
    /* The first draw may have joined earlier instances: they run, it does not. */
    instance(0, 3);
    world_set(0x1618, 4 | 1 << 26);
    world_set(0xd78, 3);
    world_set(0x15e4, 0);
    world_set(0xd78, 2);
    world_set(0x1614, 0);
    ck_assert_uint_eq(drawn.count, 3);
    ck_assert_uint_eq(drawn.instances[1], 1);
    ck_assert_uint_eq(drawn.first_instance[1], 0);
    ck_assert_uint_eq(drawn.instances[2], 1);
    ck_assert_uint_eq(drawn.first_instance[2], 1);
    ck_assert_uint_eq(drawn.draw.count, ET_COUNT(parted));
    ck_assert_mem_eq(drawn.draw.inline_inner, parted, sizeof parted);
    /* State in between parts them; primitives are counted on. */
    world_set(0x1618, 4);
    world_set(0xd78, 3);
    world_set(0xd80, 77);
    world_set(0xd78, 3);
    world_set(0x1614, 0);
    ck_assert_uint_eq(drawn.count, 5);
    ck_assert_uint_eq(drawn.draw.count, 3);
    world_stop();
}
END_TEST

/* D3D's names of culling and of polygon modes set what OpenGL's do. */
START_TEST(d3d_modes)
{
    start(0xb197);
    for (uint32_t mode = 1; mode <= 3; mode++) {
        world_set(0x1308, mode);
        world_set(0x12d0, mode);
        instance(0, 3);
        flush();
        const struct et_raster_state *raster = &drawn.draw.raster;
        ck_assert_int_eq(raster->cull_enable, mode > 1);
        ck_assert_uint_eq(raster->front_mode, 0x1b00 + mode - 1);
        ck_assert_uint_eq(raster->back_mode, 0x1b00 + mode - 1);
        if (mode > 1) {
            ck_assert_uint_eq(raster->front_face, mode == 2 ? 0x901 : 0x900);
            ck_assert_uint_eq(raster->cull_face, 0x405);
        }
    }
    ck_assert_int_eq(world_method(0x1308, 4), ETALON_BAD_VALUE);
    ck_assert_int_eq(world_method(0x12d0, 0), ETALON_BAD_VALUE);
    world_stop();
}
END_TEST

START_TEST(draw_control)
{
    start(0xc797);
    world_set(0x1434, 5);
    world_set(0x264, 9);
    world_set(0x260, 5 | 1 << 9);
    world_set(0x268, 12);
    world_set(0x26c, 34);
    flush();
    ck_assert_uint_eq(drawn.draw.instance_count, 9);
    ck_assert_uint_eq(drawn.draw.first, 12);
    ck_assert_uint_eq(drawn.draw.count, 34);
    ck_assert_int_eq(drawn.draw.source, ET_DRAW_INDEXED);
    ck_assert_int_eq(drawn.draw.base_vertex, 5);
    world_set(0x260, 4 | 1 << 5 | 1 << 10); /* one instance, the next; no base vertex */
    world_set(0x270, 1);
    world_set(0x274, 2);
    flush();
    ck_assert_uint_eq(drawn.draw.instance_count, 1);
    ck_assert_uint_eq(drawn.draw.first_instance, 9);
    ck_assert_int_eq(drawn.draw.base_vertex, 0);
    ck_assert_int_eq(drawn.draw.source, ET_DRAW_ARRAYS);
    /* BEGIN that iterates. */
    world_set(0x220, 6);
    world_set(0x1618, 4 | 1u << 31);
    world_set(0xd78, 3);
    world_set(0x1614, 0);
    flush();
    ck_assert_uint_eq(drawn.draw.instance_count, 6);
    world_set(0x260, 1 << 7);
    ck_assert_int_eq(world_method(0x274, 3), ETALON_UNSUPPORTED);
    world_stop();
}
END_TEST

START_TEST(topology_override)
{
    start(0xb197);
    world_set(0x1948, 1);
    world_set(0x1970, 0x5);
    world_set(0x1618, 0);
    world_set(0xd78, 3);
    world_set(0x1614, 0);
    flush();
    ck_assert_uint_eq(drawn.draw.topology, 5);
    world_set(0x1970, 0x7777);
    world_set(0x1618, 0);
    world_set(0xd78, 3);
    world_set(0x1614, 0);
    ck_assert_int_eq(et_engine_flush(world.engine, &world.error), ETALON_BAD_VALUE);
    world_stop();
}
END_TEST

static void select_buffer(uint64_t va, uint32_t size)
{
    world_set(0x2380, size);
    world_set(0x2384, (uint32_t)(va >> 32));
    world_set(0x2388, (uint32_t)va);
}

START_TEST(constants)
{
    start(0xb197);
    select_buffer(BUFFER, 64);
    world_set(0x238c, 8);
    world_set(0x2390, 0x11);
    world_set(0x23cc, 0x22); /* any alias */
    const uint32_t run[] = {1, 2, 3, 4};
    size_t done;
    ck_assert_int_eq(et_engine_methods(world.engine, 0x2390, ET_RUN_CONSTANT, run, 4, &done, &world.error),
                     ETALON_OK);
    ck_assert_uint_eq(world_load(BUFFER + 8), 0x11);
    ck_assert_uint_eq(world_load(BUFFER + 12), 0x22);
    ck_assert_uint_eq(world_load(BUFFER + 28), 4);
    ck_assert_uint_eq(world.opened[ET_TRIGGER_CONSTANTS], 3);
    /* The increase-once form that begins with the offset; what lies past the size is dropped. */
    const uint32_t once[] = {56, 5, 6, 7};
    ck_assert_int_eq(
        et_engine_methods(world.engine, 0x238c, ET_RUN_INCREASE_ONCE, once, 4, &done, &world.error),
        ETALON_OK);
    ck_assert_uint_eq(done, 4);
    ck_assert_uint_eq(world_load(BUFFER + 56), 5);
    ck_assert_uint_eq(world_load(BUFFER + 60), 6);
    ck_assert_uint_eq(world_load(BUFFER + 64), 0);
    ck_assert_uint_eq(et_register(&world.engine->registers, 0x238c), 68);
    /* Bound slots keep what was selected. */
    world_set(0x2410 + 32 * 4, 1 | 3 << 4);
    select_buffer(BUFFER + 0x1000, 128);
    world_set(0x2010 + 64 * 5, 4);
    instance(0, 3);
    flush();
    ck_assert(drawn.draw.stage[5].bank[3].valid);
    ck_assert_uint_eq(drawn.draw.stage[5].bank[3].address, BUFFER);
    ck_assert_uint_eq(drawn.draw.stage[5].bank[3].size, 64);
    ck_assert_int_eq(world_method(0x2410, 1 | 18 << 4), ETALON_BOUNDS);
    world_set(0x10f4, 1 << 8);
    instance(0, 3);
    flush();
    ck_assert(!drawn.draw.stage[5].bank[3].valid);
    world_stop();
}
END_TEST

START_TEST(root_tables)
{
    start(0xc797);
    world_set(0x240 + 4 * 2, 3 << 16);
    world_set(0x504, 2 | 0x1c << 8);
    world_set(0x508, 0x1234);
    world_set(0x508, 0x5678);
    world_set(0x2010 + 64 * 5, 4);
    instance(0, 3);
    flush();
    const struct et_draw_bank *bank = drawn.draw.stage[5].bank;
    ck_assert(bank[26].valid && !bank[25].valid && !drawn.draw.stage[1].bank[26].valid);
    ck_assert_uint_eq(et_load32(bank[26].data + 0x1c), 0x1234);
    ck_assert_uint_eq(et_load32(bank[26].data + 0x20), 0x5678);
    world_stop();
}
END_TEST

static enum etalon_status report(uint64_t va, uint32_t payload, uint32_t d)
{
    world_set(0x1b00, (uint32_t)(va >> 32));
    world_set(0x1b04, (uint32_t)va);
    world_set(0x1b08, payload);
    return world_method(0x1b0c, d);
}

START_TEST(reports)
{
    start(0xb197);
    world.clock = 0xabcdef0123;
    ck_assert_int_eq(report(REPORT, 77, 1 << 28), ETALON_OK);
    ck_assert_uint_eq(world_load(REPORT), 77);
    ck_assert_int_eq(report(REPORT + 16, 78, 1 << 20), ETALON_OK);
    ck_assert_uint_eq(world_load(REPORT + 16), 78);
    ck_assert_uint_eq(world_load(REPORT + 24), 0xcdef0123);
    ck_assert_uint_eq(world.interrupts, 1);
    struct et_counters *counters = &((struct et_threed *)world.engine)->results.counters;
    counters->zpass = 0x500000007;
    counters->streaming_needed[2] = 9;
    counters->streaming_succeeded[2] = 4;
    counters->vtg_primitives_out[0] = 30;
    counters->vtg_primitives_out[1] = 2;
    for (uint32_t stream = 0; stream < 2; stream++) { /* counted by stream, cleared together */
        ck_assert_int_eq(report(REPORT, 0, 2 | 0x12 << 23 | stream << 5), ETALON_OK);
        ck_assert_uint_eq(world_load(REPORT), stream ? 2 : 30);
    }
    world_set(0x1530, 0x1f);
    ck_assert_uint_eq(counters->vtg_primitives_out[1], 0);
    ck_assert_int_eq(report(REPORT, 0, 2 | 2 << 23 | 1 << 28), ETALON_OK);
    ck_assert_uint_eq(world_load(REPORT), 7);
    ck_assert_int_eq(report(REPORT, 0, 2 | 2 << 23 | 1 << 28 | 1 << 21), ETALON_OK);
    ck_assert_uint_eq(world_load(REPORT), 5);
    ck_assert_int_eq(report(REPORT, 0, 2 | 0x15 << 23), ETALON_OK);
    ck_assert_uint_eq(world_load(REPORT + 4), 5);
    /* A counter of 32 bits comes after the payload. */
    ck_assert_int_eq(report(REPORT, 0x5e9, 2 | 2 << 23), ETALON_OK);
    ck_assert_uint_eq(world_load(REPORT), 0x5e9);
    ck_assert_uint_eq(world_load(REPORT + 4), 7);
    ck_assert_uint_eq(world_load(REPORT + 8), 0xcdef0123);
    ((struct et_threed *)world.engine)->results.xfb_written[3] = 48;
    ck_assert_int_eq(report(REPORT, 0x5ea, 2 | 0x1a << 23 | 3 << 5), ETALON_OK);
    ck_assert_uint_eq(world_load(REPORT), 0x5ea);
    ck_assert_uint_eq(world_load(REPORT + 4), 48);
    ck_assert_int_eq(report(REPORT, 0, 2 | 6 << 23 | 2 << 5 | 1 << 28), ETALON_OK);
    ck_assert_uint_eq(world_load(REPORT), 5);
    et_store32(world_at(REPORT), 100);
    ck_assert_int_eq(report(REPORT, 30, 1 << 3 | 0 << 9 | 1 << 28), ETALON_OK);
    ck_assert_uint_eq(world_load(REPORT), 130);
    world_set(0x1530, 1);
    ck_assert_uint_eq(counters->zpass, 0);
    /* Acquire: a wait, or none. */
    ck_assert_int_eq(report(REPORT, 131, 1 | 1 << 16), ETALON_OK);
    ck_assert(world.environment.wait.blocked);
    ck_assert_uint_eq(world.environment.wait.seen, 130);
    et_store32(world_at(REPORT), 200);
    world.environment.wait.blocked = false;
    world_set(0x1b0c, 1 | 1 << 16);
    ck_assert(!world.environment.wait.blocked);
    ck_assert_int_eq(report(REPORT, 0, 3), ETALON_TRAP);
    ck_assert_int_eq(report(REPORT, 0, 2 | 0xa << 23), ETALON_UNSUPPORTED);
    world_stop();
}
END_TEST

START_TEST(wide_reports)
{
    start(0xc797);
    world.clock = 42;
    world_set(0x158, 0x89abcdef);
    world_set(0x15c, 0x01234567);
    world_set(0x160, (uint32_t)REPORT);
    world_set(0x164, 0);
    world_set(0x168, 2 << 13 | 1 << 27);
    ck_assert_uint_eq(world_load(REPORT), 0x89abcdef);
    ck_assert_uint_eq(world_load(REPORT + 4), 0x01234567);
    world_set(0x168, 1 << 13);
    world_set(0x160, (uint32_t)REPORT + 16);
    world_set(0x168, 0x14 << 7);
    ck_assert_uint_eq(world_load(REPORT + 16), 42);
    world_stop();
}
END_TEST

START_TEST(conditions)
{
    static const struct {
        uint32_t mode;
        uint64_t a, b;
        bool renders;
    } cases[] = {{0, 1, 1, false}, {1, 0, 0, true},  {2, 0, 0, false}, {2, UINT64_C(1) << 40, 0, true},
                 {3, 5, 5, true},  {3, 5, 6, false}, {4, 5, 5, false}, {4, 5, 6, true}};
    start(0xb197);
    for (unsigned i = 0; i < ET_COUNT(cases); i++) {
        et_store64(world_at(REPORT), cases[i].a);
        et_store64(world_at(REPORT + 16), cases[i].b);
        world_set(0x1550, 0);
        world_set(0x1554, (uint32_t)REPORT);
        world_set(0x1558, cases[i].mode);
        ck_assert_msg(et_engine_renders(world.engine) == cases[i].renders, "case %u", i);
    }
    world_set(0x1558, 0);
    world_set(0x1944, 1);
    ck_assert(et_engine_renders(world.engine));
    world_set(0x1944, 2);
    world_set(0x1558, 1);
    ck_assert(!et_engine_renders(world.engine));
    /* Constants are gated where the driver asks for it. */
    select_buffer(BUFFER, 64);
    world_set(0x30c, 1);
    world_set(0x238c, 0);
    world_set(0x2390, 5);
    ck_assert_uint_eq(world_load(BUFFER), 0);
    world_set(0x30c, 0);
    world_set(0x2390, 6);
    ck_assert_uint_eq(world_load(BUFFER + 4), 6);
    ck_assert_int_eq(world_method(0x1558, 7), ETALON_BAD_VALUE);
    world_stop();
}
END_TEST

START_TEST(other_actions)
{
    start(0xb197);
    world_set(0x2310, 0x419f78);
    ck_assert_uint_eq(world.scratch[0], 1);
    world_set(0x2c8, 17 | 1 << 20);
    ck_assert_uint_eq(world.syncpoint, 17);
    world_set(0x390 + 32 * 2, 1234);
    ck_assert_uint_eq(((struct et_threed *)world.engine)->results.xfb_written[2], 1234);
    world_set(0x104, 0);
    world_set(0x108, (uint32_t)REPORT);
    world_set(0x10c, 1);
    ck_assert_uint_eq(world.interrupts, 1);
    ck_assert_int_eq(world_method(0x19d4, 0), ETALON_UNSUPPORTED);
    world_set(0x197c, 0);
    ck_assert_int_eq(world_method(0x197c, 1), ETALON_UNSUPPORTED);
    ck_assert_ptr_nonnull(strstr(world.error.text, "SET_CLIP_ID_TEST"));
    world.environment.keep_going = true;
    world_set(0x197c, 1);
    ck_assert_uint_eq(world.environment.unsupported, 1);
    ck_assert_int_eq(world.environment.first_unsupported.method, 0x197c);
    world_stop();
}
END_TEST

static uint32_t conservative_control(void)
{
    instance(0, 3);
    flush();
    return drawn.draw.raster.conservative_control;
}

/* Conservative raster by the privileged register that the firmware writes. */
START_TEST(privileged_raster)
{
    const bool ampere = _i;
    start(ampere ? 0xc797 : 0xb197);
    world.environment.privileged_raster = 1u << 25;
    ck_assert_uint_eq(conservative_control() & 0xffff, 0);
    world.scratch[1] = 3u << 23; /* bloat alone, as NVK writes it */
    world.scratch[2] = 3u << 23;
    world_set(0x2310, 0x418800);
    ck_assert_uint_eq(conservative_control() & 0xffff, 3);
    world.scratch[1] = 1u << 23; /* before snapping, which Maxwell cannot */
    world.scratch[2] = 7u << 23;
    world_set(0x2310, 0x418800);
    ck_assert_uint_eq(conservative_control() & 0xffff, ampere ? 0x1101 : 1);
    world.scratch[1] = UINT32_MAX;
    world_set(0x2310, 0x419f78); /* another register */
    ck_assert_uint_eq(conservative_control() & 0xffff, ampere ? 0x1101 : 1);
    if (ampere) {
        world_set(0x230, 0x31102);
        ck_assert_uint_eq(conservative_control(), 0x31102);
        world_set(0x230, 0x30204);
        ck_assert_uint_eq(conservative_control(), 0x30101);
    }
    world_stop();
}
END_TEST

/* Alpha makes coverage, or one, with antialiasing; a blit that turns that off leaves the control as it was.
 */
START_TEST(alpha_to_coverage)
{
    const struct et_sample_state *sample = &drawn.draw.raster.sample;
    start(0xb197);
    for (unsigned i = 0; i < 8; i++) {
        world_set(0x153c, i & 1 ? 0x11 : 0);
        world_set(0x1534, i >> 1 & 1);
        world_set(0x16b4, i >> 2 ? 2 : 3);
        instance(0, 3);
        flush();
        ck_assert_uint_eq(sample->alpha_to_coverage, i & 1 && (i >> 1 & 1 || i >> 2));
        ck_assert_uint_eq(sample->alpha_to_one, (i & 3) == 3);
    }
    for (uint32_t i = 0; i < 8; i++) { /* so does a program's sample mask, where its use is qualified */
        world_set(0x300, i & 3);
        world_set(0x1534, i >> 2);
        instance(0, 3);
        flush();
        ck_assert_uint_eq(sample->mask_output, i & 1 && (i >> 2 || !(i & 2)));
    }
    world_stop();
}
END_TEST

/* Shading rates as NVK writes them: tables, what picks one, the surface of indices. Maxwell has none. */
START_TEST(shading_rates)
{
    const struct et_shading_rates *rates = &drawn.draw.raster.rates;
    start(0xc797);
    for (uint32_t i = 0; i < 16; i++) {
        world_set(0x2a00 + 16 * i, i != 9);
        world_set(0x2a04 + 16 * i, 0x88765555 + i);
        world_set(0x2a08 + 16 * i, 0xba9a8765);
    }
    world_set(0x2cc, 2 | 7 << 4);
    world_set(0x12a8, 1);
    world_set(0x12ac, 0x2000);
    world_set(0x12b0, 5 | 6 << 16);
    world_set(0x12b4, 4);
    world_set(0x12b8, 2);
    world_set(0x12bc, 0x80);
    world_set(0x12c0, 3 << 4);
    world_set(0x12c4, 64);
    instance(0, 3);
    flush();
    ck_assert(rates->enable[8] && !rates->enable[9]);
    ck_assert_uint_eq(rates->rate[0][0], 5);
    ck_assert_uint_eq(rates->rate[10][0], 15);
    ck_assert_uint_eq(rates->rate[3][5], 7);
    ck_assert_uint_eq(rates->rate[15][8], 5);
    ck_assert_uint_eq(rates->rate[15][15], 11);
    ck_assert_uint_eq(rates->source, 2);
    ck_assert_uint_eq(rates->constant, 7);
    ck_assert_uint_eq(rates->index.address, UINT64_C(0x100002000));
    ck_assert_uint_eq(rates->index_width, 5);
    ck_assert_uint_eq(rates->index.width, 64);
    ck_assert_uint_eq(rates->index.height, 6);
    ck_assert_uint_eq(rates->index.layers, 4);
    ck_assert_uint_eq(rates->index.layer, 2);
    ck_assert_uint_eq(rates->index.array_pitch, 0x200);
    ck_assert_uint_eq(rates->index.block_height_log2, 3);
    world_stop();
    start(0xb197);
    instance(0, 3);
    flush();
    for (unsigned i = 0; i < 16; i++)
        ck_assert(!rates->enable[i]);
    world_stop();
}
END_TEST

/* Groups that are filled only when dirty give what a whole fill gives. */
START_TEST(dirty_groups)
{
    static const uint32_t classes[] = {0xb197, 0xc797};
    uint64_t seed = 99;
    for (unsigned c = 0; c < ET_COUNT(classes); c++) {
        start(classes[c]);
        struct et_threed *threed = (struct et_threed *)world.engine;
        static struct et_draw kept;
        for (unsigned round = 0; round < 3000; round++) {
            for (unsigned i = 0; i < 1 + round % 5; i++) {
                seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
                const uint32_t offset = (uint32_t)(seed >> 40) % 0x2c00 & ~3u;
                if (world.engine->index[offset / 4])
                    ck_assert(et_register_set(&world.engine->registers, offset, (uint32_t)(seed >> 13)));
            }
            et_threed_fill(threed, false);
            kept = threed->draw;
            et_threed_fill(threed, true);
            ck_assert_msg(!memcmp(&kept, &threed->draw, sizeof kept), "round %u", round);
        }
        world_stop();
    }
}
END_TEST

START_TEST(streams_and_indices)
{
    start(0xb197);
    world_set(0x15f8, 0x100);
    world_set(0x1c00 + 16 * 3, 20 | 1 << 12);
    world_set(0x1c08 + 16 * 3, 0x5000);
    world_set(0x1f04 + 8 * 3, 0x5fff);
    world_set(0x17cc, 0x9000);
    world_set(0x17d0, 0);
    world_set(0x17d4, 0x90ff);
    instance(0, 1);
    flush();
    ck_assert_uint_eq(drawn.draw.stream[3].address, 0x5100);
    ck_assert_uint_eq(drawn.draw.stream[3].limit, 0x6100);
    ck_assert_uint_eq(drawn.draw.stream[3].stride, 20);
    ck_assert_uint_eq(drawn.draw.index_limit, 0x9100);
    world_stop();
    start(0xc797);
    world_set(0x1c00, 20 | 1 << 12);
    world_set(0x1c08, 0x5000);
    world_set(0x604, 0x300);
    world_set(0x17cc, 0x9000);
    world_set(0x23c, 0x80);
    instance(0, 1);
    flush();
    ck_assert_uint_eq(drawn.draw.stream[0].limit, 0x5300);
    ck_assert_uint_eq(drawn.draw.index_limit, 0x9080);
    world_stop();
}
END_TEST

/* The rectangle of a clear is the surface's, cut by what the control names. */
START_TEST(clear_rectangle)
{
    struct et_clear clear;
    start(0xb197);
    struct et_threed *threed = (struct et_threed *)world.engine;
    world_set(0xff4, 100 << 16);
    world_set(0xff8, 50 << 16);
    world_set(0xd6c, 10 | 90 << 16);
    world_set(0xd70, 5 | 45 << 16);
    world_set(0xe00, 1);
    world_set(0xe04, 20 | 200 << 16);
    world_set(0xe08, 0 | 40 << 16);
    world_set(0xc00, 0 | 30 << 16);
    world_set(0xc04, 8 | 100 << 16);
    world_set(0x10f8, 0);
    et_threed_fill_clear(threed, 0x3c, &clear);
    ck_assert_int_eq(clear.rectangle.x1, 100);
    ck_assert_int_eq(clear.rectangle.y1, 50);
    ck_assert_uint_eq(clear.stencil_mask, 0xff);
    world_set(0x139c, 0x3f);
    world_set(0x10f8, 1 | 1 << 4 | 1 << 8 | 1 << 12);
    et_threed_fill_clear(threed, 0x3c, &clear);
    ck_assert_int_eq(clear.rectangle.x0, 20);
    ck_assert_int_eq(clear.rectangle.x1, 30);
    ck_assert_int_eq(clear.rectangle.y0, 8);
    ck_assert_int_eq(clear.rectangle.y1, 40);
    ck_assert_uint_eq(clear.stencil_mask, 0x3f);
    world_set(0x19d0, 0x3c);
    ck_assert_uint_eq(world.opened[ET_TRIGGER_CLEAR], 1);
    ck_assert_int_eq(world_method(0x19d0, 0x3c | 9 << 6), ETALON_BOUNDS);
    world_stop();
}
END_TEST

/* A snapshot keeps the registers of its moment. */
START_TEST(snapshots)
{
    struct et_registers kept;
    start(0xb197);
    world_set(0xd80, 5);
    et_registers_share(&kept, &world.engine->registers);
    world_set(0xd80, 6);
    world_set(0x1e00, 7);
    ck_assert_uint_eq(et_register(&kept, 0xd80), 5);
    ck_assert_uint_ne(et_register(&kept, 0x1e00), 7);
    ck_assert_uint_eq(et_register(&world.engine->registers, 0xd80), 6);
    et_registers_finish(&kept);
    world_stop();
}
END_TEST

/* Every class gives every acting method an action, and refuses what it has not. */
START_TEST(all_classes)
{
    unsigned count;
    const struct et_class *const *classes = et_classes(&count);
    for (unsigned c = 0; c < count; c++) {
        if (!et_engine_type_of(classes[c]->number))
            continue;
        start(classes[c]->number);
        ck_assert_int_eq(world_method(0x2ff0, 0), ETALON_UNKNOWN_METHOD);
        world_stop();
    }
    struct et_engine *engine;
    start(0xb197);
    ck_assert_int_eq(et_engine_create(&engine, 0x9097, &world.environment, &world.error),
                     ETALON_UNKNOWN_CLASS);
    world_stop();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("engine-threed");
    TCase *tcase = tcase_create("threed");
    tcase_add_test(tcase, instances_merge);
    tcase_add_loop_test(tcase, reset_state, 0, 2);
    tcase_add_test(tcase, draw_methods);
    tcase_add_test(tcase, inline_indices);
    tcase_add_test(tcase, draws_join);
    tcase_add_test(tcase, d3d_modes);
    tcase_add_test(tcase, draw_control);
    tcase_add_test(tcase, topology_override);
    tcase_add_test(tcase, constants);
    tcase_add_test(tcase, root_tables);
    tcase_add_test(tcase, reports);
    tcase_add_test(tcase, wide_reports);
    tcase_add_test(tcase, conditions);
    tcase_add_test(tcase, other_actions);
    tcase_add_loop_test(tcase, privileged_raster, 0, 2);
    tcase_add_test(tcase, alpha_to_coverage);
    tcase_add_test(tcase, shading_rates);
    tcase_add_test(tcase, dirty_groups);
    tcase_add_test(tcase, streams_and_indices);
    tcase_add_test(tcase, clear_rectangle);
    tcase_add_test(tcase, snapshots);
    tcase_add_test(tcase, all_classes);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
