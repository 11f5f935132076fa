/* Packets of the hardware profile that the rules do not number, data movement in both, snapshots, allocation
 * failures. */
#include "support/pm4_world.h"
#include "support/suite.h"

#include "base/alloc.h"
#include "pm4/ops.h"

static uint32_t at(struct world *world, uint32_t offset)
{
    return *world_at(world, WORLD_BASE + offset);
}

static struct world *completes(struct world *world)
{
    ck_assert_msg(world->report.result == ETALON_PM4_IDLE, "%s", world->report.error.text);
    return world;
}

/* Every row of the tables that a profile rejects has a reason in the packet list, and every other has a
 * handler. */
START_TEST(every_packet_of_the_list)
{
    static const uint8_t rejected[] = {0x41, 0x43, 0x44, 0xB8, 0xB9, 0xBA, 0xBB, 0xBD};
    unsigned known = 0;
    for (uint32_t opcode = 0; opcode < 256; opcode++) {
        const struct et_pm4_packet *packet = et_pm4_packet_of(0xC0000000 | opcode << 8, false);
        bool refused = false;
        for (size_t i = 0; i < ET_COUNT(rejected); i++)
            refused |= rejected[i] == opcode;
        const struct et_pm4_op *op = et_pm4_ops[opcode];
        ck_assert_msg((packet && !refused) == (op != NULL), "opcode 0x%02x", opcode);
        if (!op)
            continue;
        known++;
        ck_assert_msg(op->hardware != NULL, "%s", op->name);
        ck_assert(op->hardware_length[0] >= 2);
        if (op->console)
            ck_assert(op->exact[0] || op->console_length[0] >= 2);
        if (op->exact[0])
            ck_assert_uint_eq(op->exact[0] >> 8 & 0xFF, opcode);
    }
    ck_assert_uint_gt(known, 75);
    for (uint32_t r = 1; r < 64; r++)
        ck_assert(et_pm4_sub_ops[r] && et_pm4_sub_ops[r]->hardware);
}
END_TEST

START_TEST(copy_data)
{
    struct world *world = completes(DO(HARDWARE, 0xC0016900, 0x8E, 0x77, 0xC0044000, 0x500, 0xA08E, 0, 0x10,
                                       1,                                        /* register to memory */
                                       0xC0044000, 0x10505, 0x11, 0x22, 0x18, 1, /* 64-bit immediate */
                                       0xC0044000, 0x10002, 0x18, 1, 0xA100, 0,  /* memory to two registers */
                                       0xC0044000, 0x10509, 0, 0, 0x20, 1));     /* the clock */
    ck_assert_uint_eq(at(world, 0x10), 0x77);
    ck_assert_uint_eq(at(world, 0x1C), 0x22);
    ck_assert_uint_eq(world_register(world, 0, ETALON_PM4_CONTEXT, 0x101, NULL), 0x22);
    ck_assert_uint_eq(at(world, 0x20), 1);
    world_end(world);
    FAULTS(HARDWARE, "UnsupportedSelector", 0, 0xC0044000, 0x504, 0, 0, 0x10, 1);
    FAULTS(HARDWARE, "RegisterOutOfRange", 0, 0xC0044000, 0x500, 0x1, 0, 0x10, 1);
    FAULTS(CONSOLE, "UnsupportedSelector", 0, 0xC0044000, 0x200, 0, 0, 0x10, 1);
    FAULTS(CONSOLE, "UnsupportedSelector", 0, 0xC0044000, 0x10205, 0, 0, 0x10,
           1); /* no 64-bit immediates there */
    FAULTS(CONSOLE, "MemoryFault", 0, 0xC0044000, 0x202, 0x10, 1, 0, 7);
    FAULTS(CONSOLE, "MemoryFault", 0, 0xC0044000, 0x202, 0x10, 7, 0, 1);
    world = completes(DO(CONSOLE, 0xC0044000, 0x209, 0, 0, 0x20, 1, 0xC0044000, 0x305, 9, 0, 8, 0, 0xC0044000,
                         0x203, 8, 0, 0x30, 1));
    ck_assert_uint_eq(at(world, 0x20), 1);
    ck_assert_uint_eq(at(world, 0x30), 9); /* through the GDS */
    world_end(world);
}
END_TEST

START_TEST(dma_data)
{
    for (unsigned profile = 0; profile < 2; profile++) {
        struct world *world =
            completes(DO((enum etalon_pm4_profile)profile, 0xC0055000, 0x40300000, 0x44332211, 0, 0x21, 1,
                         7,                                                /* fill, at any alignment */
                         0xC0055000, 0x60300000, 0x21, 1, 0x31, 1, 7,      /* copy */
                         0xC0055000, 0x60200000, 0xDEAD0000, 9, 0, 0, 64,  /* nowhere: a prefetch */
                         0xC0055000, 0x40100000, 5, 0, 0x40, 0, 8,         /* fill the GDS */
                         0xC0055000, 0x20300000, 0x44, 0, 0x50, 1, 4,      /* and read it */
                         0xC0055000, 0x60300000, 0xDEAD0000, 9, 0, 0, 0)); /* no bytes */
        const uint8_t *bytes = (const uint8_t *)world_at(world, WORLD_BASE + 0x20);
        ck_assert_mem_eq(bytes + 1, "\x11\x22\x33\x44\x11\x22\x33", 7);
        ck_assert_uint_eq(bytes[0] | bytes[8], 0);
        ck_assert_mem_eq(bytes + 0x11, "\x11\x22\x33\x44\x11\x22\x33", 7);
        ck_assert_uint_eq(at(world, 0x50), 5);
        world_end(world);
        FAULTS((enum etalon_pm4_profile)profile, "MemoryFault", 0, 0xC0055000, 0x60300000, 0, 1, 0xFFFC, 1,
               8);
        FAULTS((enum etalon_pm4_profile)profile, "GdsRange", 0, 0xC0055000, 0x60100000, 0, 1, 0xFFFC, 0, 8);
    }
    FAULTS(CONSOLE, "UnsupportedSelector", 0, 0xC0055000, 0x00200000, 0, 1, 0, 1, 8);
    FAULTS(CONSOLE, "UnsupportedSelector", 0, 0xC0055000, 0x20100000, 0, 0, 8, 0, 8); /* GDS to GDS */
    FAULTS(CONSOLE, "UnsupportedSelector", 0, 0xC0055000, 0x60000000, 0, 1, 0, 1, 1 << 27 | 8);
    /* Registers, held addresses, an address in memory. */
    struct world *world =
        completes(DO(HARDWARE, 0xC0033700, 0x500, 0x60, 1, 0x77, 0xC0055000, 0, 0x60, 1, 0x28238, 0,
                     1 << 27 | 4, 0xC0055000, 0, 0x28238, 0, 0x70, 1, 1 << 26 | 4, 0xC0043700, 0x500, 0x80, 1,
                     0x90, 1, 0xC0055000, 0x60300004, 0x60, 1, 0x80, 1, 4, 0xC0055000, 0x60300000, 0x60, 1,
                     0xA0, 1, 1 << 28 | 12, 0xC0055000, 0x60300000, 0x60, 1, 0xB0, 1, 1 << 29 | 12));
    ck_assert_uint_eq(world_register(world, 0, ETALON_PM4_CONTEXT, 0x8E, NULL), 0x77);
    ck_assert_uint_eq(at(world, 0x70), 0x77);
    ck_assert_uint_eq(at(world, 0x90), 0x77);
    ck_assert_uint_eq(at(world, 0xA8), 0x77);
    ck_assert_uint_eq(at(world, 0xB0), at(world, 0x68));
    ck_assert_uint_eq(at(world, 0xB4), 0);
    world_end(world);
}
END_TEST

#define ATOMIC(op, at, value, compare) 0xC0071E00, op, at, 1, value, 0, compare, 0, 0

START_TEST(atomic_mem)
{
    static const struct {
        uint32_t op, old, value, expected;
    } cases[] = {{0x47, 5, 9, 9},          {0x4F, 5, 9, 14},
                 {0x50, 5, 9, 0xFFFFFFFC}, {0x51, 5, 0xFFFFFFFF, 0xFFFFFFFF},
                 {0x52, 5, 9, 5},          {0x53, 5, 0xFFFFFFFF, 5},
                 {0x54, 5, 9, 9},          {0x55, 6, 3, 2},
                 {0x56, 6, 3, 7},          {0x57, 6, 3, 5},
                 {0x58, 5, 9, 6},          {0x58, 9, 9, 0},
                 {0x59, 5, 9, 4},          {0x59, 0, 9, 9},
                 {0x0F, 5, 9, 14}};
    for (size_t i = 0; i < ET_COUNT(cases); i++) {
        struct world *world = world_hardware();
        *world_at(world, WORLD_BASE + 0x100) = cases[i].old;
        const uint32_t words[] = {
            ATOMIC(cases[i].op, 0x100, cases[i].value, 0), 0xC0044000, 0x506, 0, 0, 0x10, 1};
        world_submit(world, 0, words, ET_COUNT(words), NULL, 0);
        world_run(world);
        completes(world);
        ck_assert_msg(at(world, 0x100) == cases[i].expected, "0x%x: %x", cases[i].op, at(world, 0x100));
        ck_assert_uint_eq(at(world, 0x10), cases[i].op & 0x40 ? 0 : cases[i].old); /* the value returned */
        world_end(world);
    }
    /* Compare and swap: once, and looping until it holds. */
    struct world *world = world_hardware();
    SUBMIT(world, 0, ATOMIC(0x48, 0x100, 7, 1), ATOMIC(0x148, 0x100, 8, 1));
    ck_assert_int_eq(world_run(world), ETALON_PM4_BLOCKED);
    ck_assert_int_eq(world->report.wait[0].kind, ETALON_PM4_WAIT_ATOMIC);
    ck_assert_uint_eq(at(world, 0x100), 0);
    *world_at(world, WORLD_BASE + 0x100) = 1;
    ck_assert_int_eq(world_run(world), ETALON_PM4_IDLE);
    ck_assert_uint_eq(at(world, 0x100), 8);
    world_end(world);
    FAULTS(HARDWARE, "UnsupportedSelector", 0, ATOMIC(0x42, 0x100, 7, 1));
    /* 64 bits wide. */
    world = completes(DO(HARDWARE, 0xC0071E00, 0x6F, 0x100, 1, 0xFFFFFFFF, 1, 0, 0, 0, 0xC0071E00, 0x6F,
                         0x100, 1, 1, 0, 0, 0, 0));
    ck_assert_uint_eq(at(world, 0x104), 2);
    world_end(world);
}
END_TEST

START_TEST(gds_and_semaphores)
{
    struct world *world =
        completes(DO(HARDWARE, 0xC0033700, 0x300, 0x20, 0, 5, 0xC0091D00, 1 << 18, 0, 0x20, 16, 0, 0, 9, 0, 0,
                     0, 0xC0044000, 0x503, 0x20, 0, 0x10, 1, 0xC0044000, 0x507, 0, 0, 0x14, 1));
    ck_assert_uint_eq(at(world, 0x10), 14);
    ck_assert_uint_eq(at(world, 0x14), 5);
    world_end(world);
    FAULTS(HARDWARE, "GdsRange", 0, 0xC0091D00, 0, 0, 0xFFFE, 16, 0, 0, 9, 0, 0, 0);
    world = world_hardware();
    SUBMIT(world, 1, 0xC0023900, 0x100, 1, 0xE0000000, DISPATCH(1)); /* wait */
    ck_assert_int_eq(world_run(world), ETALON_PM4_BLOCKED);
    ck_assert_int_eq(world->report.wait[0].kind, ETALON_PM4_WAIT_SEMAPHORE);
    SUBMIT(world, 2, 0xC0023900, 0x100, 1, 0xC0000000, 0xC0023900, 0x100, 1, 0xC0000000); /* signal twice */
    ck_assert_int_eq(world_run(world), ETALON_PM4_IDLE);
    ck_assert_uint_eq(at(world, 0x100), 1);
    SUBMIT(world, 2, 0xC0023900, 0x100, 1, 0xC0100000, 0xC0023900, 0x100, 1, 0xC0100000); /* writes one */
    ck_assert_int_eq(world_run(world), ETALON_PM4_IDLE);
    ck_assert_uint_eq(at(world, 0x100), 1);
    world_end(world);
}
END_TEST

START_TEST(registers_on_hardware)
{
    struct world *world = world_hardware();
    *world_at(world, WORLD_BASE + 0x200) = 0x8E; /* a pair list, a run, an image, an address */
    *world_at(world, WORLD_BASE + 0x204) = 1;
    *world_at(world, WORLD_BASE + 0x208) = 0x8F;
    *world_at(world, WORLD_BASE + 0x20C) = 2;
    *world_at(world, WORLD_BASE + 0x210) = 0x200;
    *world_at(world, WORLD_BASE + 0x214) = 1;
    SUBMIT(world, 0, 0xC0039F00, 0x200, 1, 0x80000000, 2,       /* pairs */
           0xC0036300, 0x200, 1, 0x20, 2,                       /* a run into SH 0x20 */
           0xC0021100, 4, 0x200, 1, 0xC0036400, 1, 8, 0x242, 1, /* at an offset from base 4 */
           0xC0036300, 0x212, 1, 0x30, 1,                       /* at an address that memory holds */
           0xC0036100, 0, 1, 0x82, 2,              /* out of an image: registers 0x82, 0x83 at +0x208 */
           0xC0025100, 0x8E, 0xF0, 0xA5,           /* context read-modify-write */
           0xC0022100, 0xA08F, 0xFFFFFFFD, 0x100); /* the same by absolute number */
    ck_assert_int_eq(world_run(world), ETALON_PM4_IDLE);
    ck_assert_uint_eq(world_register(world, 0, ETALON_PM4_CONTEXT, 0x8E, NULL), 0xA1);
    ck_assert_uint_eq(world_register(world, 0, ETALON_PM4_CONTEXT, 0x8F, NULL), 0x100);
    ck_assert_uint_eq(world_register(world, 0, ETALON_PM4_SH, 0x21, NULL), 1);
    ck_assert_uint_eq(world_register(world, 0, ETALON_PM4_UCONFIG, 0x242, NULL), 0x8F);
    ck_assert_uint_eq(world_register(world, 0, ETALON_PM4_SH, 0x30, NULL), 0x8E);
    ck_assert_uint_eq(world_register(world, 0, ETALON_PM4_CONTEXT, 0x83, NULL), 2);
    world_end(world);
    world = completes(DO(HARDWARE, 0xC0021100, 5, 0x1000, 2, 0xC0027700, 0x40000010, 0x300, 0, 0xC0027700,
                         0x80000020, 0x300, 0, 0xC0017A00, 0x3000024D, 6));
    ck_assert_uint_eq(world_register(world, 0, ETALON_PM4_SH, 0x10, NULL), 0x02000013);
    ck_assert_uint_eq(world_register(world, 0, ETALON_PM4_SH, 0x20, NULL), 0x1300);
    ck_assert_uint_eq(world_info(world, 0).num_instances, 6);
    world_end(world);
    FAULTS(HARDWARE, "UnsupportedSelector", 0, 0xC0017800, 1, 2);
    FAULTS(HARDWARE, "RegisterOutOfRange", 0, 0xC0036100, 0, 1, 0x3FF, 2);
}
END_TEST

START_TEST(conditions_on_hardware)
{
    struct world *world = completes(DO(
        HARDWARE, 0xC0002300, 0x02000003, DRAW(1), 0xC0002300, 0x01000003, DRAW(2), /* device 0 is this one */
        0xC0074500, 0x113, 0x100, 1, 0, 0xFF, 0x10, 1, 9, 0xC0074500, 0x113, 0x100, 1, 1, 0xFF, 0x14, 1, 9));
    ck_assert_uint_eq(world_count(world, ET_PM4_WORK_DRAW), 1);
    ck_assert_uint_eq(at(world, 0x10), 9);
    ck_assert_uint_eq(at(world, 0x14), 0);
    world_end(world);
    FAULTS(HARDWARE, "CondExecRange", 0, 0xC0002300, 0x02000004, DRAW(1));
    FAULTS(HARDWARE, "UnsupportedSelector", 0, 0xC0074500, 0x213, 0x100, 1, 0, 0xFF, 0x10, 1, 9);
    /* Compute firmware waits for an indirect buffer's valid bit. */
    world = world_hardware();
    static uint32_t words[] = {0xC0023F00, 0x800, 1, 5};
    words[3] = 5;
    memcpy(world_at(world, WORLD_BASE + 0x800), W(DISPATCH(4)), 20);
    world_submit(world, 7, words, 4, NULL, 0);
    ck_assert_int_eq(world_run(world), ETALON_PM4_BLOCKED);
    ck_assert_int_eq(world->report.wait[0].kind, ETALON_PM4_WAIT_VALID);
    words[3] |= 1 << 23;
    ck_assert_int_eq(world_run(world), ETALON_PM4_IDLE);
    ck_assert_uint_eq(world_count(world, ET_PM4_WORK_DISPATCH), 1);
    world_end(world);
}
END_TEST

START_TEST(constant_engine_on_hardware)
{
    struct world *world = world_hardware();
    /* The draw stream launches the constant stream, then waits for it. */
    memcpy(world_at(world, WORLD_BASE + 0x800),
           W(0xC0038000, 0x100, 1, 1, 0x40, 0xC0038300, 0x40000040, 1, 0x10, 1, 0xC0028100, 0x44, 7, 8,
             0xC0031100, 2, 0x20, 1, 0, 0xC0029E00, 0x44, 2, 0),
           23 * 4);
    memcpy(world_at(world, WORLD_BASE + 0x800 + 14 * 4), W(0xC0021100, 2, 0x20, 1, 0xC0029E00, 0x44, 2, 0),
           32);
    *world_at(world, WORLD_BASE + 0x100) = 42;
    SUBMIT(world, 0, 0xC0023300, 0x800, 1, 22, 0xC0008600, 1, DRAW(1), 0xC0008500, 0);
    world_run(world);
    completes(world);
    ck_assert_uint_eq(at(world, 0x10), 42);
    ck_assert_uint_eq(at(world, 0x24), 8);
    ck_assert_uint_eq(world_info(world, 0).ce_counter, 1); /* the dump's own increment */
    ck_assert_uint_eq(world_info(world, 0).de_counter, 1);
    world_end(world);
}
END_TEST

START_TEST(native_labels)
{
    struct world *world = completes(DO(HARDWARE, 0xC0064900, 0x528, 0x42000000, 0x100, 1, 5, 6, 0x33,
                                       0xC0064900, 0x528, 0xE0000000, 0x110, 1, 5, 0, 0, 0xC0064900, 0x528,
                                       0xE0000000, 0x110, 1, 6, 0, 0, 0xC0064900, 0x528, 0x80000000, 0x120, 1,
                                       0, 0, 0, 0xC0054900, 0x528, 0x20000000, 0x130, 1, 9, 0));
    ck_assert_uint_eq(at(world, 0x104), 6);
    ck_assert_uint_eq(at(world, 0x110), 11); /* atomic add */
    ck_assert_uint_eq(at(world, 0x120), 1);
    ck_assert_uint_eq(at(world, 0x130), 9);
    ck_assert_uint_eq(world->recording.list[ET_PM4_WORK_INTERRUPT][0].as.context_id, 0x33);
    world_end(world);
    FAULTS(HARDWARE, "UnsupportedSelector", 0, 0xC0064900, 0x528, 0x45000000, 0x100, 1, 5, 6, 0);
}
END_TEST

START_TEST(mesh_and_task)
{
    struct world *world = world_hardware();
    memcpy(world_at(world, WORLD_BASE + 0x200), W(1, 2, 3, 0, 4, 5, 6), 28);
    SUBMIT(world, 0, 0xC0021100, 1, 0x200, 1, 0xC0074C00, 0, 0x00110010, 0x80000000, 2, 0, 0, 16, 2,
           0xC0024D00, 0x00200021, 0, 2, 0xC0023000, 7, 2, 3 << 21 | 5);
    SUBMIT(world, 1, 0xC001A900, 0x300, 1, 0xC004AA00, 7, 8, 9, 0x41, 0x12, 0xC009AD00, 0x200, 1, 0x12, 0, 0,
           2, 0, 0, 16, 0x41);
    ck_assert_int_eq(world_run(world), ETALON_PM4_IDLE);
    const struct et_pm4_work *draws = world->recording.list[ET_PM4_WORK_DRAW];
    ck_assert_uint_eq(world_count(world, ET_PM4_WORK_DRAW), 4);
    ck_assert_int_eq(draws[1].as.draw.kind, ETALON_PM4_DRAW_MESH);
    ck_assert_uint_eq(draws[1].as.draw.groups[2], 6);
    ck_assert_uint_eq(draws[1].as.draw.sub_draw_location, 0x11);
    ck_assert_uint_eq(draws[3].as.draw.count, 3);
    const struct et_pm4_work *dispatches = world->recording.list[ET_PM4_WORK_DISPATCH];
    ck_assert_uint_eq(world_count(world, ET_PM4_WORK_DISPATCH), 3);
    ck_assert_uint_eq(dispatches[0].as.dispatch.control, WORLD_BASE + 0x300);
    ck_assert_uint_eq(dispatches[2].as.dispatch.groups[0], 4);
    world_end(world);
}
END_TEST

START_TEST(other_data_packets)
{
    struct world *world = world_hardware();
    uint64_t *pairs = (uint64_t *)(void *)world_at(world, WORLD_BASE + 0x400);
    for (unsigned i = 0; i < 16; i++) {
        pairs[i * 2] = UINT64_C(1) << 63;
        pairs[i * 2 + 1] = UINT64_C(1) << 63 | i;
    }
    memset(world_at(world, WORLD_BASE + 0x600), 0xFF, 64);
    memcpy(world_at(world, WORLD_BASE + 0x700), W(0x3000, 1, 500, 1), 16);
    SUBMIT(world, 0, 0xC0031F00, 0x400, 1, 0x10, 1, 0xC0085B00, 0x500, 1, 1, 0, 0x1000, 0, 0x1000, 0, 3,
           0xC0043400, 0x101, 0x20, 1, 77, 0, 0xC0043400, 0x107, 0x24, 1, 0, 0, 0xC0059A00, 0x40300000, 16, 3,
           0x600, 1, 8, 0xC0029100, 0x700, 1, 0);
    world_run(world);
    completes(world);
    ck_assert_uint_eq(at(world, 0x10), 120); /* the occlusion sum */
    ck_assert_uint_eq(at(world, 0x510), 0x3001);
    ck_assert_uint_eq(at(world, 0x20), 0);
    ck_assert_uint_eq(at(world, 0x24), 77);
    ck_assert_uint_eq(at(world, 0x604), 0);
    ck_assert_uint_eq(at(world, 0x608), 0xFFFFFFFF);
    ck_assert_uint_eq(at(world, 0x620), 0);
    ck_assert_uint_eq(at(world, 0x630), 0xFFFFFFFF);
    ck_assert_uint_eq(world_info(world, 0).index_base, WORLD_BASE + 0x3000);
    ck_assert_uint_eq(world_info(world, 0).index_type, 1);
    world_end(world);
    world = completes(DO(CONSOLE, 0xC0033700, 0x200, 0x84, 1, 5, 0xC0038E00, 8, 0x80, 1, 0));
    ck_assert_uint_eq(at(world, 0x80), 1);
    ck_assert_uint_eq(at(world, 0x84), 0);
    world_end(world);
}
END_TEST

/* ---- memory in pieces ---- */

START_TEST(buffers_across_ranges)
{
    static uint32_t low[4], high[64];
    const struct etalon_pm4_range ranges[] = {{0x2010, sizeof high, high}, {0x2000, sizeof low, low}};
    struct world *world = world_new(ETALON_PM4_CONSOLE);
    world->config.memory.ranges = ranges;
    world->config.memory.range_count = 2;
    world_start(world);
    /* A buffer, a packet and a label that begin in one piece and end in the other. */
    const uint32_t stream[] = {DRAW(1),    0xC0043700, 0x200,  0x200C, 0,      7, 8,
                               0xC0044000, 0x10202,    0x200C, 0,      0x2100, 0};
    memcpy(low, stream, 16);
    memcpy(high, stream + 4, sizeof stream - 16);
    low[3] = stream[3];
    SUBMIT(world, 0, 0xC0023F00, 0x2000, 0, 0x0F20000F);
    ck_assert_int_eq(world_run(world), ETALON_PM4_IDLE);
    ck_assert_uint_eq(world_count(world, ET_PM4_WORK_DRAW), 1);
    ck_assert_uint_eq(low[3], 7);
    ck_assert_uint_eq(high[0], 8);
    ck_assert_uint_eq(high[(0x2100 - 0x2010) / 4], 2); /* a qword's address is aligned: from 0x2008 */
    ck_assert_uint_eq(high[(0x2104 - 0x2010) / 4], 7);
    /* The end of memory within a buffer is a fault at the packet that meets it. */
    SUBMIT(world, 1, 0xC0023F00, 0x2108, 0, 0x0F200009);
    ck_assert_int_eq(world_run(world), ETALON_PM4_FAULTED);
    world_end(world);
}
END_TEST

START_TEST(fault_inside_an_unmapped_tail)
{
    struct world *world = world_console();
    memcpy(world_at(world, WORLD_BASE + 0xFFF4), W(DRAW(1)), 12);
    SUBMIT(world, 0, 0xC0023F00, 0xFFF4, 1, 0x0F200006);
    ck_assert_int_eq(world_run(world), ETALON_PM4_FAULTED);
    ck_assert_str_eq(etalon_pm4_fault_name(world->report.fault), "MemoryFault");
    ck_assert_uint_eq(world->report.fault_at.depth, 2);
    ck_assert_uint_eq(world->report.fault_at.offset, 3);
    ck_assert_uint_eq(world_count(world, ET_PM4_WORK_DRAW), 1);
    world_end(world);
}
END_TEST

START_TEST(bad_configurations)
{
    uint32_t words[8];
    const struct etalon_pm4_range overlap[] = {{0x1000, 16, words}, {0x100C, 16, words + 4}};
    const struct etalon_pm4_range odd[] = {{0x1002, 16, words}}, null[] = {{0x1000, 16, NULL}},
                                  wrap[] = {{UINT64_MAX - 7, 16, words}};
    const struct etalon_pm4_range *const bad[] = {overlap, odd, null, wrap};
    for (size_t i = 0; i < ET_COUNT(bad); i++) {
        struct etalon_error error = {0};
        const struct etalon_pm4_config config = {.memory = {.ranges = bad[i], .range_count = i ? 1 : 2}};
        ck_assert_ptr_null(etalon_pm4_create(&config, &error));
        ck_assert_int_eq(error.status, ETALON_INVALID);
    }
    ck_assert_ptr_null(etalon_pm4_create(&(struct etalon_pm4_config){.max_depth = 17}, NULL));
    ck_assert_ptr_null(etalon_pm4_create(NULL, NULL));
    etalon_pm4_destroy(NULL);
    ck_assert_str_eq(etalon_pm4_fault_name(ETALON_PM4_FAULT_COUNT), "unknown fault");
    ck_assert_str_eq(etalon_pm4_wait_name((enum etalon_pm4_wait_kind)99), "unknown");
    ck_assert_ptr_null(etalon_pm4_space_name(ETALON_PM4_SPACES));
}
END_TEST

/* ---- snapshots ---- */

struct kept {
    struct etalon_pm4_snapshot *state[3];
    unsigned count;
};

static void keep(void *user, enum et_pm4_work_kind kind, const struct et_pm4_work *work,
                 struct etalon_pm4_snapshot *state)
{
    struct kept *kept = user;
    (void)kind, (void)work;
    kept->state[kept->count++] = etalon_pm4_snapshot_keep(state);
}

START_TEST(snapshots_are_frozen)
{
    struct world *world = world_new(ETALON_PM4_CONSOLE);
    struct kept kept = {0};
    uint32_t value;
    enum etalon_pm4_space space;
    world->recording.seen = keep;
    world->recording.user = &kept;
    world_start(world);
    SUBMIT(world, 0, 0xC0016900, 0x8E, 1, DRAW(1), DRAW(2), 0xC0016900, 0x8E, 2, 0xC0017900, 0x242, 4,
           0xC0001200, 0, 0xC0016900, 0x8F, 3, DRAW(3));
    ck_assert_int_eq(world_run(world), ETALON_PM4_IDLE);
    ck_assert_uint_eq(kept.count, 3);
    ck_assert_ptr_eq(kept.state[0], kept.state[1]); /* nothing changed between them: shared */
    world_end(world);                               /* they outlive the processor */
    ck_assert(etalon_pm4_snapshot_read_name(kept.state[0], "CB_TARGET_MASK", &value) && value == 1);
    ck_assert(!etalon_pm4_snapshot_read_name(kept.state[2], "CB_TARGET_MASK", &value)); /* cleared */
    ck_assert(etalon_pm4_snapshot_read_name(kept.state[2], "CB_SHADER_MASK", &value) && value == 3);
    ck_assert(etalon_pm4_snapshot_read_name(kept.state[2], "VGT_PRIMITIVE_TYPE", &value) && value == 4);
    ck_assert(!etalon_pm4_snapshot_read_name(kept.state[0], "NO_SUCH_REGISTER", &value));
    ck_assert(!etalon_pm4_snapshot_read(kept.state[0], ETALON_PM4_CONTEXT, 0x400, &value));
    for (unsigned i = 0; i < 3; i++)
        etalon_pm4_snapshot_release(kept.state[i]);
    ck_assert(etalon_pm4_register_find("CB_TARGET_MASK", &space, &value) && value == 0x8E);
    const char *name, *values;
    unsigned hi, lo;
    ck_assert(etalon_pm4_register_field(ETALON_PM4_UCONFIG, 0x242, 0, &name, &hi, &lo, &values));
    ck_assert_str_eq(name, "PRIM_TYPE");
    ck_assert(!etalon_pm4_register_field(ETALON_PM4_UCONFIG, 0x242, 99, &name, &hi, &lo, &values));
}
END_TEST

/* Every allocation refused once: a named fault or a refused call, and nothing leaks (with the sanitizer). */
START_TEST(allocation_failures)
{
    static const uint32_t words[] = {
        0xC0016900, 0x8E,       1,          DRAW(1), 0xC0011068, 1,      0, 0xC0018100, 0,
        1,          0xC0055000, 0x40100000, 5,       0,          0x40,   0, 8,          0xC0039F00,
        0x200,      1,          0x80000000, 1,       0xC0023F00, 0xFFF8, 1, 0x0F200004, DRAW(2)};
    for (size_t nth = 1; nth < 60; nth++) {
        struct world *world = world_new(ETALON_PM4_CONSOLE);
        world->config.hooks =
            (struct etalon_pm4_hooks){.draw = world->config.hooks.draw, .user = &world->recording};
        *world_at(world, WORLD_BASE + 0x200) = 0x8E;
        world->memory[WORLD_WORDS - 2] = world->memory[WORLD_WORDS - 1] = 0x80000000;
        et_alloc_fail_after(nth);
        struct etalon_error error = {0};
        world->pm4 = etalon_pm4_create(&world->config, &error);
        if (world->pm4 &&
            etalon_pm4_submit(world->pm4, words, ET_COUNT(words), NULL, 0, &error) == ETALON_OK) {
            world_run(world);
            if (world->report.result == ETALON_PM4_FAULTED)
                ck_assert_msg(world->report.fault == ETALON_PM4_NO_MEMORY ||
                                  world->report.fault == ETALON_PM4_MEMORY_FAULT,
                              "%s", world->report.error.text);
        } else {
            ck_assert_int_eq(error.status, ETALON_NO_MEMORY);
        }
        et_alloc_fail_after(0);
        world_end(world);
    }
}
END_TEST

struct text {
    char all[4096];
    size_t used;
};

static void add_text(void *user, uint32_t offset, unsigned indent, const char *line)
{
    struct text *text = user;
    text->used += (size_t)snprintf(text->all + text->used, sizeof text->all - text->used, "%u:%u:%s\n",
                                   offset, indent, line);
}

START_TEST(decode_to_text)
{
    struct text text = {0};
    struct etalon_pm4_decoded decoded;
    struct etalon_error error = {0};
    const uint32_t words[] = {0xC0017900, 0x242, 4,          0xC0053C00, 0x13,       0x100, 1,          5,
                              0xFFFFFFFF, 10,    0x80000000, 0xFFFF1000, 0xC0004600, 0x40F, 0xC0021600, 0x100,
                              1,          0x41,  0x0000A08E, 7,          0xC0000100, 0};
    ck_assert_int_eq(etalon_pm4_decode(words, ET_COUNT(words), 0, false, add_text, &text, &decoded, &error),
                     ETALON_OK);
    ck_assert_uint_eq(decoded.packets, 8);
    ck_assert_uint_eq(decoded.unknown_opcodes, 1);
    ck_assert(
        strstr(text.all,
               "0:0:SET_UCONFIG_REG, 3 dwords\n2:1:uconfig 0x242 VGT_PRIMITIVE_TYPE = 00000004 PRIM_TYPE="));
    ck_assert(strstr(text.all, "4:1:00000013 "));
    ck_assert(strstr(text.all, "function=equal_to_the_reference_value"));
    ck_assert(strstr(text.all, "EVENT_WRITE, 2 dwords, VS_PARTIAL_FLUSH"));
    ck_assert(strstr(text.all, "addr_lo=0x100"));
    ck_assert(strstr(text.all, "type 0, 2 dwords\n19:1:context 0x08e CB_TARGET_MASK = 00000007"));
    ck_assert(strstr(text.all, "unknown opcode 0x01"));
    ck_assert_int_eq(etalon_pm4_decode(W(0xC0012D00, 3), 2, 0, false, NULL, NULL, NULL, &error),
                     ETALON_TRUNCATED);
    ck_assert_int_eq(etalon_pm4_decode(W(0x40000000, 3), 2, 0, false, NULL, NULL, NULL, NULL), ETALON_FORMAT);
}
END_TEST

/* ---- the quick path of register writes against the plain one ---- */

static void no_registers(void *user, uint32_t queue, enum etalon_pm4_space space, uint32_t first,
                         const uint32_t *values, uint32_t count)
{
    (void)user, (void)queue, (void)space, (void)first, (void)values, (void)count;
}

static uint32_t rolled(uint64_t *state)
{
    *state = *state * 6364136223846793005 + 1442695040888963407;
    return (uint32_t)(*state >> 33);
}

/* Writes around named and unnamed registers, the ends of the spaces, pseudo registers and those with an
 * effect. */
static uint32_t register_stream(uint32_t *words, uint32_t room, uint64_t seed)
{
    static const uint32_t opcodes[] = {0x6900, 0x6900, 0x7600, 0x7900, 0x7900, 0x7A00};
    static const uint32_t starts[] = {0x8E,  0x10F, 0x17,  0x18,  0x0C, 0x20C,
                                      0x242, 0x243, 0x24C, 0x24D, 0x94, 0x191};
    static const uint32_t rare[] = {0x3F8,      0x3FF, 0x3FFD, 0x800003FF, 0x80003FF5,
                                    0x7000008E, 0x342, 0x4000, 0xFFFFFFFF};
    uint32_t at = 0;
    while (at + 16 < room) {
        const uint32_t n = rolled(&seed) % 5 ? 1 : rolled(&seed) % 12;
        const bool odd = rolled(&seed) % 64 == 0;
        words[at++] =
            0xC0000000 | n << 16 | opcodes[rolled(&seed) % 6] | (rolled(&seed) % 40 ? 0 : rolled(&seed) % 8);
        words[at++] =
            odd ? rare[rolled(&seed) % 9] : starts[rolled(&seed) % 12] + (n > 1 ? 0 : rolled(&seed) % 3);
        for (uint32_t i = 0; i < n; i++)
            words[at++] = rolled(&seed);
        if (rolled(&seed) % 16 == 0)
            words[at++] = 0x80000000;
    }
    return at;
}

START_TEST(quick_register_writes)
{
    static uint32_t words[2000];
    unsigned faults = 0, complete = 0;
    for (uint64_t seed = 0; seed < 600; seed++) {
        struct world *world[2];
        const uint32_t dwords = register_stream(words, 40 + (uint32_t)seed * 3, seed);
        for (unsigned i = 0; i < 2; i++) {
            world[i] = world_new(seed % 3 ? ETALON_PM4_CONSOLE : ETALON_PM4_HARDWARE);
            world[i]->config.hooks.registers = i ? no_registers : NULL; /* a hook turns the quick path off */
            world_start(world[i]);
            world_submit(world[i], 0, words, dwords, NULL, 0);
            world_run(world[i]);
        }
        ck_assert_int_eq(world[0]->report.result, world[1]->report.result);
        ck_assert_int_eq(world[0]->report.fault, world[1]->report.fault);
        ck_assert_uint_eq(world[0]->report.fault_at.offset, world[1]->report.fault_at.offset);
        faults += world[0]->report.result == ETALON_PM4_FAULTED;
        complete += world[0]->report.result == ETALON_PM4_IDLE;
        struct etalon_pm4_queue_info info[2];
        struct etalon_pm4_snapshot *state[2];
        for (unsigned i = 0; i < 2; i++)
            ck_assert_int_eq(etalon_pm4_query(world[i]->pm4, 0, &info[i], &state[i]), ETALON_OK);
        ck_assert_uint_eq(info[0].packets, info[1].packets);
        ck_assert_uint_eq(info[0].index_type, info[1].index_type);
        ck_assert_uint_eq(info[0].num_instances, info[1].num_instances);
        unsigned differences = 0;
        for (unsigned space = 0; space < ETALON_PM4_SPACES; space++)
            for (uint32_t i = 0; i < etalon_pm4_space_size((enum etalon_pm4_space)space); i++) {
                uint32_t value[2];
                const bool written =
                    etalon_pm4_snapshot_read(state[0], (enum etalon_pm4_space)space, i, &value[0]);
                differences += written != etalon_pm4_snapshot_read(state[1], (enum etalon_pm4_space)space, i,
                                                                   &value[1]) ||
                               value[0] != value[1];
            }
        ck_assert_uint_eq(differences, 0);
        for (unsigned i = 0; i < 2; i++) {
            etalon_pm4_snapshot_release(state[i]);
            world_end(world[i]);
        }
    }
    ck_assert_uint_gt(faults, 50);
    ck_assert_uint_gt(complete, 20);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("pm4 packets");
    TCase *packets = tcase_create("packets");
    tcase_set_timeout(packets, 60);
    tcase_add_test(packets, every_packet_of_the_list);
    tcase_add_test(packets, copy_data);
    tcase_add_test(packets, dma_data);
    tcase_add_test(packets, atomic_mem);
    tcase_add_test(packets, gds_and_semaphores);
    tcase_add_test(packets, registers_on_hardware);
    tcase_add_test(packets, conditions_on_hardware);
    tcase_add_test(packets, constant_engine_on_hardware);
    tcase_add_test(packets, native_labels);
    tcase_add_test(packets, mesh_and_task);
    tcase_add_test(packets, other_data_packets);
    tcase_add_test(packets, buffers_across_ranges);
    tcase_add_test(packets, fault_inside_an_unmapped_tail);
    tcase_add_test(packets, bad_configurations);
    tcase_add_test(packets, snapshots_are_frozen);
    tcase_add_test(packets, allocation_failures);
    tcase_add_test(packets, decode_to_text);
    tcase_add_test(packets, quick_register_writes);
    suite_add_tcase(suite, packets);
    return suite_run(suite);
}
