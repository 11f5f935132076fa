/* Unit tests of what a renderer gets: snapshots, vertices, the bounding box. */
#include "ge_units.h"

#include "ge_world.h"

#include "base/alloc.h"
#include "base/bits.h"

#define ALL      UINT64_C(100000)
#define VERTICES (GE_LIST + 0x1000)
#define INDICES  (GE_LIST + 0x2000)

static struct ge_world world;
static struct etalon_ge_snapshot seen[8]; /* by value: pointers are the hook's */
static struct etalon_ge_snapshot *pinned;

static void keep(struct ge_world *at, const struct etalon_ge_snapshot *snapshot)
{
    if (at->look_count <= ET_COUNT(seen))
        seen[at->look_count - 1] = *snapshot;
}

static void pin(struct ge_world *at, const struct etalon_ge_snapshot *snapshot)
{
    (void)at;
    if (!pinned)
        pinned = etalon_ge_snapshot_pin(snapshot);
}

static void run(const uint32_t *words, size_t count)
{
    ge_world_put(&world, GE_LIST, words, count);
    etalon_ge_enqueue(world.ge, GE_LIST, 0, -1, NULL);
    etalon_ge_advance(world.ge, ALL);
}
#define RUN(...)                                                                                             \
    run((const uint32_t[]){__VA_ARGS__, GE_FINISH(0), GE_END},                                               \
        sizeof((const uint32_t[]){__VA_ARGS__, GE_FINISH(0), GE_END}) / sizeof(uint32_t))

static void layouts_of_vertices(void)
{
    /* Sizes and offsets by hand: weights, texture, colour, normal, position, each aligned to its component.
     */
    static const struct {
        uint32_t type;
        uint8_t weight, texture, color, normal, position, size, stride, index;
    } cases[] = {
        {0x180, 0, 0, 0, 0, 0, 12, 12, 0},                       /* float position */
        {0x000, 0, 0, 0, 0, 0, 3, 3, 0},                         /* no position: three bytes */
        {0x081, 0, 0, 2, 2, 2, 5, 5, 0},                         /* 8-bit texture and position */
        {0x11c | 0x800, 0, 0, 0, 4, 4, 12, 12, 1},               /* 8888, 16-bit position */
        {0x1ff, 0, 0, 8, 12, 24, 36, 36, 0},                     /* everything in float */
        {0x182 | 0x1000, 0, 0, 4, 4, 4, 16, 16, 2},              /* 16-bit texture */
        {0x180 | 0x200 | 0x8000, 0, 3, 3, 3, 4, 16, 16, 0},      /* three 8-bit weights */
        {0x100 | 0x600 | 0x1c000, 0, 32, 32, 32, 32, 40, 40, 0}, /* eight float weights */
        {0x190 | 0x40000, 0, 0, 0, 2, 4, 16, 32, 0},             /* 565, two morph targets */
        {0x0b4, 0, 0, 0, 2, 5, 8, 8, 0},                         /* 5551, 8-bit normal and position */
    };
    for (size_t i = 0; i < ET_COUNT(cases); i++) {
        struct etalon_ge_vertex_layout layout;
        etalon_ge_vertex_layout(cases[i].type, &layout);
        ck_assert_uint_eq(layout.size, cases[i].size);
        ck_assert_uint_eq(layout.stride, cases[i].stride);
        ck_assert_uint_eq(layout.index_size, cases[i].index);
        ck_assert_uint_eq(layout.weight_offset, cases[i].weight);
        ck_assert_uint_eq(layout.texture_offset, cases[i].texture);
        ck_assert_uint_eq(layout.color_offset, cases[i].color);
        ck_assert_uint_eq(layout.normal_offset, cases[i].normal);
        ck_assert_uint_eq(layout.position_offset, cases[i].position);
    }
}

static void draws_are_handed_out(void)
{
    struct etalon_ge_registers registers;
    ge_world_open(&world, GE_SDK_NEW, false);
    world.look = keep;
    GE_PUT(&world, INDICES, 0x00030005, 0x00010004);
    RUN(GE_BASE08, 0x01800000 | GE_LOW(VERTICES - GE_RAM_BASE), 0x02800000 | GE_LOW(INDICES - GE_RAM_BASE),
        0x12000180, 0x04030006,          /* six triangles' vertices */
        0x12000180 | 0x1000, 0x04050003, /* three by 16-bit indices */
        0x05000304, 0x06090404);         /* patches, indexed as well */
    ck_assert_uint_eq(world.look_count, 4);
    ck_assert_int_eq(seen[0].kind, ETALON_GE_PRIM);
    ck_assert_uint_eq(seen[0].primitive, 3);
    ck_assert_uint_eq(seen[0].count, 6);
    ck_assert_uint_eq(seen[0].vertex_address, VERTICES);
    ck_assert_ptr_eq(seen[0].vertices, world.ram + (VERTICES - GE_RAM_BASE));
    ck_assert_ptr_null(seen[0].indices);
    ck_assert_uint_eq(seen[0].number, 1);
    ck_assert_uint_eq(seen[0].address, GE_LIST + 16);
    /* Behind the first draw the vertex address has moved on by six vertices. */
    ck_assert_uint_eq(seen[1].vertex_address, VERTICES + 72);
    ck_assert_uint_eq(seen[1].primitive, 5);
    ck_assert_uint_eq(seen[1].lowest, 3);
    ck_assert_uint_eq(seen[1].highest, 5);
    ck_assert_ptr_eq(seen[1].indices, world.ram + (INDICES - GE_RAM_BASE));
    ck_assert_ptr_eq(seen[1].vertices, world.ram + (VERTICES - GE_RAM_BASE) + 72 + 36);
    /* Behind an indexed one the index address has. */
    ck_assert_int_eq(seen[2].kind, ETALON_GE_BEZIER);
    ck_assert_uint_eq(seen[2].vertex_address, VERTICES + 72);
    ck_assert_uint_eq(seen[2].index_address, INDICES + 6);
    ck_assert_uint_eq(seen[2].u_count, 4);
    ck_assert_uint_eq(seen[2].v_count, 3);
    ck_assert_uint_eq(seen[2].count, 12);
    ck_assert_int_eq(seen[3].kind, ETALON_GE_SPLINE);
    ck_assert_uint_eq(seen[3].index_address, INDICES + 6 + 24);
    ck_assert_uint_eq(seen[3].u_type, 1);
    ck_assert_uint_eq(seen[3].v_type, 2);
    etalon_ge_get_registers(world.ge, &registers);
    ck_assert_uint_eq(registers.index, INDICES + 6 + 24 + 32);
    ge_world_close(&world);
}

static void addresses_move_on_without_hooks(void)
{
    struct etalon_ge_registers registers;
    ge_world_open(&world, GE_SDK_NEW, false);
    etalon_ge_destroy(world.ge);
    world.config.hooks.snapshot = NULL;
    ck_assert_int_eq(etalon_ge_create(&world.config, &world.ge, NULL), ETALON_OK);
    RUN(GE_BASE08, 0x01800000, 0x02900000, 0x12000180, 0x04030006, 0x12000980, 0x04030005, 0xc4000001,
        0xea000000);
    etalon_ge_get_registers(world.ge, &registers);
    ck_assert_uint_eq(registers.vertex, 0x08800000 + 72);
    ck_assert_uint_eq(registers.index, 0x08900000 + 5);
    ck_assert_uint_eq(world.fault_count, 0);
    ge_world_close(&world);
}

static void missing_data_is_named(void)
{
    ge_world_open(&world, GE_SDK_NEW, false);
    world.look = keep;
    RUN(GE_BASE08, 0x01900000, 0x02900000, 0x12000180, 0x04030006, 0x12000980, 0x04030006, 0xb1090000,
        0xc4000008, 0xb3090200, 0xb5090200, 0xea000001, 0x04030000);
    ck_assert_uint_eq(world.look_count, 5);
    for (unsigned i = 0; i < 4; i++)
        ck_assert_int_eq(seen[i].status, ETALON_UNMAPPED);
    ck_assert_int_eq(seen[4].status, ETALON_OK);
    ck_assert_ptr_null(seen[0].vertices);
    ck_assert_ptr_null(seen[1].indices);
    ck_assert_ptr_null(seen[2].clut);
    ck_assert_ptr_null(seen[3].source.host);
    ck_assert_uint_eq(world.fault_count, 5);
    ck_assert_uint_eq(etalon_ge_fault(world.ge)->address, 0x08900000);
    ck_assert_uint_eq(etalon_ge_draw_sync(world.ge, ETALON_GE_POLL, NULL), ETALON_GE_COMPLETED);
    ge_world_close(&world);
}

static void transfers_and_colour_tables(void)
{
    ge_world_open(&world, GE_SDK_NEW, false);
    world.look = keep;
    RUN(0xb2801000, 0xb3080200, 0xb4804000, 0xb5080040, 0xeb000c02, 0xec000401, 0xee001c0f, 0xea000001,
        0xb0802010, 0xb1080000, 0xc4000010);
    ck_assert_uint_eq(world.look_count, 2);
    ck_assert_int_eq(seen[0].kind, ETALON_GE_TRANSFER);
    ck_assert_int_eq(seen[0].status, ETALON_OK);
    ck_assert_uint_eq(seen[0].bytes_per_pixel, 4);
    ck_assert_uint_eq(seen[0].width, 16);
    ck_assert_uint_eq(seen[0].height, 8);
    ck_assert_uint_eq(seen[0].source.address, 0x08801000);
    ck_assert_uint_eq(seen[0].source.stride, 512);
    ck_assert_uint_eq(seen[0].source.x, 2);
    ck_assert_uint_eq(seen[0].source.y, 3);
    ck_assert_ptr_eq(seen[0].source.host, world.ram + 0x1000 + (3 * 512 + 2) * 4);
    ck_assert_uint_eq(seen[0].destination.stride, 64);
    ck_assert_ptr_eq(seen[0].destination.host, world.ram + 0x4000 + (64 + 1) * 4);
    ck_assert_int_eq(seen[1].kind, ETALON_GE_CLUT_LOAD);
    ck_assert_uint_eq(seen[1].clut_address, 0x08802010);
    ck_assert_uint_eq(seen[1].clut_bytes, 512);
    ck_assert_ptr_eq(seen[1].clut, world.ram + 0x2010);
    ge_world_close(&world);
}

static void pinned_snapshots_stay(void)
{
    struct etalon_ge_vertex vertex;
    pinned = NULL;
    ge_world_open(&world, GE_SDK_NEW, false);
    world.look = pin;
    GE_PUT(&world, VERTICES + 24, et_float_bits(1.5f), et_float_bits(-2), et_float_bits(3));
    GE_PUT(&world, INDICES, 0x00000002);
    RUN(GE_BASE08, 0x01800000 | GE_LOW(VERTICES - GE_RAM_BASE), 0x02800000 | GE_LOW(INDICES - GE_RAM_BASE),
        0x12001180, 0x3a000000, 0x3b3f8000, 0x04000001, 0x12000000, 0x3a000000, 0x3b000000);
    ck_assert_ptr_nonnull(pinned);
    memset(world.ram, 0xee, sizeof world.ram);
    ck_assert_uint_eq(pinned->commands[0x12], 0x12001180);
    ck_assert_uint_eq(pinned->matrices->world[0], 0x3f8000);
    ck_assert(etalon_ge_vertex(pinned, 0, &vertex));
    ck_assert(vertex.position[0] == 1.5f && vertex.position[1] == -2 && vertex.position[2] == 3);
    ck_assert(!etalon_ge_vertex(pinned, 1, &vertex));
    et_alloc_fail_after(1);
    ck_assert_ptr_null(etalon_ge_snapshot_pin(pinned));
    et_alloc_fail_after(0);
    etalon_ge_snapshot_free(pinned);
    etalon_ge_snapshot_free(NULL);
    ge_world_close(&world);
}

/* A snapshot of one vertex of `type` at the start of RAM. */
static void decode(uint32_t type, struct etalon_ge_vertex *vertex)
{
    static const uint32_t morph_weights[2] = {0x3f0000, 0x3e8000}; /* 0.5, 0.25 */
    static uint32_t commands[256];
    struct etalon_ge_snapshot snapshot = {.count = 1, .commands = commands, .vertices = world.ram};
    commands[0x2c] = morph_weights[0];
    commands[0x2d] = morph_weights[1];
    etalon_ge_vertex_layout(type, &snapshot.layout);
    ck_assert(etalon_ge_vertex(&snapshot, 0, vertex));
}

static void vertices_are_decoded(void)
{
    struct etalon_ge_vertex v;
    ge_world_open(&world, GE_SDK_NEW, false);
    /* 8-bit texture 64, 192; 4444 colour; 8-bit normal 127, -128, 1; 16-bit position. */
    memcpy(world.ram, "\x40\xc0\x84\xf1\x7f\x80\x01\0\x00\x40\x00\x80\xff\x7f", 14);
    decode(0x1 | 6 << 2 | 1 << 5 | 2 << 7, &v);
    ck_assert(v.texture[0] == 0.5f && v.texture[1] == 1.5f);
    ck_assert(v.color[0] == 4.0f / 15 && v.color[1] == 8.0f / 15 && v.color[2] == 1.0f / 15);
    ck_assert(v.color[3] == 1);
    ck_assert(v.normal[0] == 127.0f / 128 && v.normal[1] == -1 && v.normal[2] == 1.0f / 128);
    ck_assert(v.position[0] == 0.5f && v.position[1] == -1 && v.position[2] == 32767.0f / 32768);
    /* Through mode: numbers as they are, depth without a sign. */
    memcpy(world.ram, "\x10\x00\xff\xff\x02\x00\xfe\xff\xff\xff", 10);
    decode(2 | 2 << 7 | 1 << 23, &v);
    ck_assert(v.texture[0] == 16 && v.texture[1] == 65535);
    ck_assert(v.position[0] == 2 && v.position[1] == -2 && v.position[2] == 65535);
    /* 565 is opaque, 5551 has one bit of alpha. */
    memcpy(world.ram, "\x1f\xf8\0\0\0", 5);
    decode(4 << 2 | 1 << 7, &v);
    ck_assert(v.color[0] == 1 && v.color[1] == 0 && v.color[2] == 1 && v.color[3] == 1);
    decode(5 << 2 | 1 << 7, &v);
    ck_assert(v.color[0] == 1 && v.color[1] == 0 && v.color[2] == 30.0f / 31 && v.color[3] == 1);
    /* Two 16-bit weights, 8888, two morph targets blended. */
    memset(world.ram, 0, 64);
    memcpy(world.ram, "\x00\x80\x00\x40\xff\x00\x33\xff\x40\x00\x00\x00", 12);
    memcpy(world.ram + 12, "\x00\x40\x00\x00\x00\x00\x00\x00\x00\x40\x00\x00", 12);
    decode(7 << 2 | 1 << 7 | 2 << 9 | 1 << 14 | 1 << 18, &v);
    ck_assert(v.weight[0] == 0.5f + 0.125f && v.weight[1] == 0.25f);
    ck_assert(v.color[0] == 0.5f && v.color[3] == 0.5f);
    ck_assert(v.position[0] == 0.25f && v.position[1] == 0.125f && v.position[2] == 0);
    ge_world_close(&world);
}

/* ---- The bounding box ---- */

/* Identity matrices; a viewport of 480 x 272 about 2048, 2048; region and scissor of that size. */
#define BOX_STATE                                                                                            \
    GE_BASE08, 0x3a000000, 0x3b3f8000, 0x3b000000, 0x3b000000, 0x3b000000, 0x3b3f8000, 0x3b000000,           \
        0x3b000000, 0x3b000000, 0x3b3f8000, 0x3b000000, 0x3b000000, 0x3b000000, 0x3c000000, 0x3d3f8000,      \
        0x3d000000, 0x3d000000, 0x3d000000, 0x3d3f8000, 0x3d000000, 0x3d000000, 0x3d000000, 0x3d3f8000,      \
        0x3d000000, 0x3d000000, 0x3d000000, 0x3e000000, 0x3f3f8000, 0x3f000000, 0x3f000000, 0x3f000000,      \
        0x3f000000, 0x3f3f8000, 0x3f000000, 0x3f000000, 0x3f000000, 0x3f000000, 0x3f3f8000, 0x3f000000,      \
        0x3f000000, 0x3f000000, 0x3f000000, 0x3f3f8000, 0x42437000, 0x43c30800, 0x45450000, 0x46450000,      \
        0x4c007100, 0x4d007780, 0x15040100, 0x16043ddf, 0xd4000000, 0xd5043ddf,                              \
        0x01800000 | (VERTICES - GE_RAM_BASE)

static void put_points(float x, float y, float z, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        GE_PUT(&world, VERTICES + 12 * i, et_float_bits(x), et_float_bits(y), et_float_bits(z));
}

static bool box(float x, float y, float z, uint32_t count)
{
    struct etalon_ge_registers registers;
    ge_world_open(&world, GE_SDK_NEW, false);
    put_points(x, y, z, count);
    RUN(BOX_STATE, 0x12000180, 0x07000000 | count);
    etalon_ge_get_registers(world.ge, &registers);
    ck_assert_uint_eq(registers.vertex, VERTICES + 12 * count);
    ge_world_close(&world);
    return registers.box_inside;
}

static void boxes_inside_and_outside(void)
{
    ck_assert(box(0, 0, 0, 8));
    ck_assert(box(0.9f, 0.9f, -0.9f, 8));
    ck_assert(!box(1.1f, 0, 0, 8));
    ck_assert(!box(-1.1f, 0, 0, 8));
    ck_assert(!box(0, 1.1f, 0, 8));
    ck_assert(!box(0, -1.1f, 0, 8));
    ck_assert(!box(0, 0, 1.1f, 8));
    ck_assert(!box(0, 0, -1.1f, 8));
    ck_assert(!box(0, 0, 0, 0));
    ck_assert(box(0, 0, 0, 1));
}

/* One point on either side of the picture: no single plane has them all beyond. */
static void boxes_around_the_picture(void)
{
    struct etalon_ge_registers registers;
    ge_world_open(&world, GE_SDK_NEW, false);
    put_points(5, 0, 0, 1);
    GE_PUT(&world, VERTICES + 12, et_float_bits(-5), 0, 0);
    RUN(BOX_STATE, 0x12000180, 0x07000002);
    etalon_ge_get_registers(world.ge, &registers);
    ck_assert(registers.box_inside);
    ge_world_close(&world);
}

/* Of more than 0x200 points only the last run of 0x100 but one counts. */
static void boxes_of_many_points(void)
{
    struct etalon_ge_registers registers;
    for (unsigned inside = 0; inside < 3; inside++) {
        ge_world_open(&world, GE_SDK_NEW, false);
        put_points(5, 0, 0, 0x300);
        GE_PUT(&world, VERTICES + 12 * 0x100 * inside, 0, 0, 0);
        RUN(BOX_STATE, 0x12000180, 0x07000300);
        etalon_ge_get_registers(world.ge, &registers);
        ck_assert(registers.box_inside == (inside == 1));
        ge_world_close(&world);
    }
}

static void bjump_uses_the_result_up(void)
{
    ge_world_open(&world, GE_SDK_NEW, false);
    put_points(0, 0, 0, 1);
    GE_PUT(&world, GE_LIST + 0x800, 0x5c000002, GE_FINISH(2), GE_END);
    /* Inside: the first BJUMP goes on, the second finds the result used up and jumps. */
    RUN(BOX_STATE, 0x12000180, 0x07000001, 0x09800800, 0x5d000001, 0x09800800, 0x5c000009);
    ck_assert_uint_eq(etalon_ge_get_command(world.ge, 0x5d), 0x5d000001);
    ck_assert_uint_eq(etalon_ge_get_command(world.ge, 0x5c), 0x5c000002);
    ge_world_close(&world);
}

static bool always_inside(void *user, const struct etalon_ge_snapshot *snapshot)
{
    (void)user;
    ck_assert_int_eq(snapshot->kind, ETALON_GE_BOUNDING_BOX);
    return true;
}

static void a_hook_may_test_the_box(void)
{
    ge_world_open(&world, GE_SDK_NEW, false);
    etalon_ge_destroy(world.ge);
    world.config.hooks.bounding_box = always_inside;
    ck_assert_int_eq(etalon_ge_create(&world.config, &world.ge, NULL), ETALON_OK);
    GE_PUT(&world, GE_LIST + 0x800, 0x5c000002, GE_FINISH(2), GE_END);
    RUN(GE_BASE08, 0x01800000, 0x12000180, 0x07000005, 0x09800800, 0x5c000001);
    ck_assert_uint_eq(etalon_ge_get_command(world.ge, 0x5c), 0x5c000001);
    RUN(GE_BASE08, 0x01800000, 0x12000180, 0x07010000, 0x09800800, 0x5c000001);
    ck_assert_uint_eq(etalon_ge_get_command(world.ge, 0x5c), 0x5c000002);
    ge_world_close(&world);
}

static void skinned_boxes(void)
{
    struct etalon_ge_registers registers;
    /* One 8-bit weight of 128 (1.0) and bone 0, which moves x by 5. */
    ge_world_open(&world, GE_SDK_NEW, false);
    GE_PUT(&world, VERTICES, 0x80, 0, 0, 0);
    RUN(BOX_STATE, 0x2a000000, 0x2b3f8000, 0x2b000000, 0x2b000000, 0x2b000000, 0x2b3f8000, 0x2b000000,
        0x2b000000, 0x2b000000, 0x2b3f8000, 0x2b40a000, 0x2b000000, 0x2b000000, 0x12000380, 0x07000001);
    etalon_ge_get_registers(world.ge, &registers);
    ck_assert(!registers.box_inside);
    ge_world_close(&world);
}

/* ---- Hooks that call back in ---- */

static void break_from_a_draw(struct ge_world *at, const struct etalon_ge_snapshot *snapshot)
{
    at->look = NULL;
    ck_assert_int_eq(etalon_ge_advance(at->ge, ALL), ETALON_GE_RE_ENTERED);
    ck_assert_uint_eq(etalon_ge_break(at->ge, 0, 0), snapshot->list);
}

static void hooks_of_draws_may_break(void)
{
    ge_world_open(&world, GE_SDK_NEW, true);
    world.look = break_from_a_draw;
    RUN(GE_BASE08, 0x01800000, 0x12000180, 0x04000001, 0x5c000001);
    ck_assert_uint_eq(etalon_ge_get_command(world.ge, 0x5c), 0x5c000000);
    ge_world_verify(&world);
    ck_assert_uint_eq(etalon_ge_continue(world.ge), 0);
    ck_assert_uint_eq(etalon_ge_get_command(world.ge, 0x5c), 0x5c000001);
    ge_world_close(&world);
}

#define UNIT(name, rules)                                                                                    \
    {                                                                                                        \
#name, rules, name                                                                                   \
    }

const struct ge_unit ge_draw_units[] = {
    UNIT(layouts_of_vertices, ""),
    UNIT(draws_are_handed_out, "R119"),
    UNIT(addresses_move_on_without_hooks, ""),
    UNIT(missing_data_is_named, ""),
    UNIT(transfers_and_colour_tables, ""),
    UNIT(pinned_snapshots_stay, ""),
    UNIT(vertices_are_decoded, ""),
    UNIT(boxes_inside_and_outside, "R120"),
    UNIT(boxes_around_the_picture, "R120"),
    UNIT(boxes_of_many_points, "R120"),
    UNIT(bjump_uses_the_result_up, "R120"),
    UNIT(a_hook_may_test_the_box, "R120"),
    UNIT(skinned_boxes, "R120"),
    UNIT(hooks_of_draws_may_break, "R71 R80"),
};
const size_t ge_draw_unit_count = ET_COUNT(ge_draw_units);
