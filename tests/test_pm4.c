/* Rules of the command processor, each test named after its rule (conformance/pm4/table.tsv). */
#include "support/pm4_world.h"
#include "support/suite.h"

/* ---- queues and submission ---- */

START_TEST(p01_queues)
{
    struct world *world = world_console();
    struct etalon_pm4_queue_info info;
    for (uint32_t queue = 1; queue < 57; queue++)
        SUBMIT(world, queue, DISPATCH(3));
    SUBMIT(world, 0, DRAW(3));
    ck_assert_int_eq(world_run(world), ETALON_PM4_IDLE);
    ck_assert_uint_eq(world_count(world, ET_PM4_WORK_DISPATCH), 56);
    ck_assert_uint_eq(world_count(world, ET_PM4_WORK_DRAW), 1);
    ck_assert_int_eq(etalon_pm4_query(world->pm4, 56, &info, NULL), ETALON_OK);
    ck_assert_int_eq(etalon_pm4_query(world->pm4, 57, &info, NULL), ETALON_INVALID);
    ck_assert_int_eq(etalon_pm4_submit_compute(world->pm4, 57, W(DISPATCH(1)), 5, NULL), ETALON_INVALID);
    world_end(world);
}
END_TEST

START_TEST(p02_handles)
{
    ck_assert_uint_eq(etalon_pm4_queue_of_handle(0x20, false), 1);
    ck_assert_uint_eq(etalon_pm4_queue_of_handle(0x57, false), 56);
    ck_assert_uint_eq(etalon_pm4_queue_of_handle(0x58, false), ETALON_PM4_NO_QUEUE);
    ck_assert_uint_eq(etalon_pm4_queue_of_handle(0x1F, false), ETALON_PM4_NO_QUEUE);
    ck_assert_uint_eq(etalon_pm4_queue_of_handle(0x1F, true), 0);
    ck_assert_uint_eq(etalon_pm4_queue_of_handle(0x20, true), 1);
}
END_TEST

START_TEST(p03_state_of_each_queue)
{
    struct world *world = world_console();
    bool written;
    ck_assert(!world_info(world, 9).used);
    SUBMIT(world, 9, 0xC0017600, 0x207, 0x40, 0xC0017900, 0x242, 4, 0xC0002F00, 7, 0xC0002A00, 1, 0xC0012600,
           0x100, 1, 0xC0018100, 0, 5, 0xC0038300, 0, 1, 0x10, 1);
    SUBMIT(world, 10, 0xC0038300, 0, 1, 0x14, 1);
    *world_at(world, WORLD_BASE + 0x14) = 77;
    ck_assert_int_eq(world_run(world), ETALON_PM4_IDLE);
    ck_assert_uint_eq(world_register(world, 9, ETALON_PM4_SH, 0x207, NULL), 0x40);
    world_register(world, 10, ETALON_PM4_SH, 0x207, &written);
    ck_assert(!written);
    world_register(world, 10, ETALON_PM4_UCONFIG, 0x242, &written);
    ck_assert(!written);
    ck_assert_uint_eq(world_info(world, 9).num_instances, 7);
    ck_assert_uint_eq(world_info(world, 10).num_instances, 1);
    ck_assert_uint_eq(world_info(world, 9).index_type, 1);
    ck_assert_uint_eq(world_info(world, 10).index_base, 0);
    ck_assert_uint_eq(*world_at(world, WORLD_BASE + 0x10), 5);
    ck_assert_uint_eq(*world_at(world, WORLD_BASE + 0x14), 0);
    world_end(world);
}
END_TEST

START_TEST(p04_two_streams)
{
    struct world *world = world_console();
    world_submit(world, 0, W(DRAW(3)), 3, W(0xC0018100, 0, 9, 0xC0038300, 0, 1, 0, 1), 8);
    ck_assert_int_eq(world_run(world), ETALON_PM4_IDLE);
    ck_assert_uint_eq(world->memory[0], 9);
    world_end(world);
}
END_TEST

START_TEST(p05_streams_are_borrowed)
{
    struct world *world = world_console();
    uint32_t words[] = {DRAW(3), DRAW(4)};
    world_submit(world, 0, words, 6, NULL, 0);
    words[1] = 30; /* before execution: seen */
    ck_assert_int_eq(world_run(world), ETALON_PM4_IDLE);
    ck_assert_uint_eq(world->recording.list[ET_PM4_WORK_DRAW][0].as.draw.count, 30);
    world_end(world);
}
END_TEST

START_TEST(p06_empty_and_null)
{
    struct world *world = world_console();
    ck_assert_int_eq(etalon_pm4_submit(world->pm4, NULL, 0, W(0xC0000000), 1, NULL), ETALON_OK);
    ck_assert_uint_eq(world_info(world, 0).submitted, 0);
    ck_assert_int_eq(etalon_pm4_submit(world->pm4, NULL, 3, NULL, 0, NULL), ETALON_INVALID);
    ck_assert_int_eq(etalon_pm4_submit(world->pm4, W(DRAW(1)), 3, NULL, 4, NULL), ETALON_INVALID);
    ck_assert_int_eq(etalon_pm4_submit_compute(world->pm4, 1, NULL, 4, NULL), ETALON_INVALID);
    ck_assert_int_eq(etalon_pm4_submit_compute(world->pm4, 1, W(DISPATCH(1)), 0, NULL), ETALON_INVALID);
    ck_assert_int_eq(world_run(world), ETALON_PM4_IDLE);
    world_end(world);
}
END_TEST

START_TEST(p07_descriptor)
{
    struct world *world = world_console();
    static const uint32_t stream[] = {DISPATCH(6), DISPATCH(7)};
    memcpy(world_at(world, WORLD_BASE + 0x800), stream, sizeof stream);
    SUBMIT(world, 4, 0x800, 1, 10, 0, 0x5533CCAA);
    ck_assert_int_eq(world_run(world), ETALON_PM4_IDLE);
    ck_assert_uint_eq(world_count(world, ET_PM4_WORK_DISPATCH), 2);
    ck_assert_uint_eq(world->recording.list[ET_PM4_WORK_DISPATCH][1].as.dispatch.groups[0], 7);
    /* A descriptor of an unmapped stream faults there, and not at submission. */
    SUBMIT(world, 4, 0xDEAD0000, 1, 10, 0, 0x5533CCAA);
    ck_assert_int_eq(world_run(world), ETALON_PM4_FAULTED);
    ck_assert_str_eq(etalon_pm4_fault_name(world->report.fault), "MemoryFault");
    world_end(world);
}
END_TEST

START_TEST(p08_fifo_in_a_queue)
{
    struct world *world = world_console();
    SUBMIT(world, 5, WAIT32(0x100, 1));
    SUBMIT(world, 5, DISPATCH(1));
    SUBMIT(world, 6, DISPATCH(3));
    ck_assert_int_eq(world_run(world), ETALON_PM4_BLOCKED);
    ck_assert_uint_eq(world_count(world, ET_PM4_WORK_DISPATCH), 1);
    ck_assert_uint_eq(world->report.waits, 1);
    ck_assert_uint_eq(world->report.wait[0].at.queue, 5);
    *world_at(world, WORLD_BASE + 0x100) = 1;
    ck_assert_int_eq(world_run(world), ETALON_PM4_IDLE);
    ck_assert_uint_eq(world_count(world, ET_PM4_WORK_DISPATCH), 2);
    world_end(world);
}
END_TEST

START_TEST(p09_rejected_after_shutdown)
{
    struct world *world = world_console();
    SUBMIT(world, 0, DRAW(1));
    ck_assert_int_eq(etalon_pm4_shutdown(world->pm4), ETALON_OK);
    ck_assert_uint_eq(world_count(world, ET_PM4_WORK_DRAW), 1);
    ck_assert_int_eq(etalon_pm4_submit(world->pm4, W(DRAW(1)), 3, NULL, 0, NULL), ETALON_INVALID);
    ck_assert_int_eq(etalon_pm4_submit_compute(world->pm4, 2, W(DISPATCH(1)), 5, NULL), ETALON_INVALID);
    ck_assert_int_eq(etalon_pm4_submit_flip(world->pm4, 1, NULL), ETALON_INVALID);
    world_end(world);
}
END_TEST

/* ---- cursor ---- */

static void put(struct world *world, uint64_t address, const uint32_t *words, uint32_t dwords)
{
    memcpy(world_at(world, address), words, (size_t)dwords * 4);
}
#define PUT(world, at, ...) put(world, WORLD_BASE + (at), W(__VA_ARGS__), N(__VA_ARGS__))

static void draws_are(const struct world *world, const uint32_t *counts, size_t n)
{
    ck_assert_uint_eq(world_count(world, ET_PM4_WORK_DRAW), n);
    for (size_t i = 0; i < n; i++)
        ck_assert_uint_eq(world->recording.list[ET_PM4_WORK_DRAW][i].as.draw.count, counts[i]);
}
#define DRAWS_ARE(world, ...) draws_are(world, W(__VA_ARGS__), N(__VA_ARGS__))

START_TEST(p10_p11_finished_buffers)
{
    struct world *world = world_console();
    PUT(world, 0x800, DRAW(2), 0xC0023F00, 0xA00, 1, 0x0F200003);
    PUT(world, 0xA00, DRAW(3));
    SUBMIT(world, 0, DRAW(1), 0xC0023F00, 0x800, 1, 0x0F200007, DRAW(4));
    ck_assert_int_eq(world_run(world), ETALON_PM4_IDLE);
    DRAWS_ARE(world, 1, 2, 3, 4);
    world_end(world);
}
END_TEST

START_TEST(p12_call_and_chain)
{
    struct world *world = world_console();
    PUT(world, 0x800, DRAW(2));
    PUT(world, 0xA00, DRAW(5), 0xC0023F00, 0x800, 1, 0x0F300003, DRAW(6));
    SUBMIT(world, 0, 0xC0023F00, 0xA00, 1, 0x0F20000A, DRAW(4), 0xC0023F00, 0x800, 1, 0x0F300003, DRAW(9));
    ck_assert_int_eq(world_run(world), ETALON_PM4_IDLE);
    DRAWS_ARE(world, 5, 2, 4, 2);
    world_end(world);
}
END_TEST

#define BRANCH(mode, function, reference, then, then_n, other, other_n)                                      \
    0xC00C3F00, (mode) | (function) << 8, 0x700, 1, 0xFFFFFFFF, 0xFFFFFFFF, reference, 0, then, 1, then_n,   \
        other, 1, other_n

START_TEST(p13_branch)
{
    struct world *world = world_console();
    *world_at(world, WORLD_BASE + 0x700) = 5;
    PUT(world, 0x800, DRAW(1));
    PUT(world, 0xA00, DRAW(2));
    SUBMIT(world, 0, BRANCH(2, 3, 5, 0x800, 3, 0xA00, 3), DRAW(9)); /* taken: does not come back */
    SUBMIT(world, 0, BRANCH(2, 3, 6, 0x800, 3, 0xA00, 3), DRAW(9)); /* else */
    SUBMIT(world, 0, BRANCH(1, 3, 6, 0x800, 3, 0xA00, 3), DRAW(8)); /* mode 1 falls through */
    SUBMIT(world, 0, BRANCH(2, 3, 6, 0x800, 3, 0xA00, 0), DRAW(7)); /* else of size 0 falls through */
    ck_assert_int_eq(world_run(world), ETALON_PM4_IDLE);
    DRAWS_ARE(world, 1, 2, 8, 7);
    world_end(world);
    FAULTS(CONSOLE, "NullIndirectBuffer", 0, BRANCH(2, 3, 5, 0x800, 0, 0xA00, 3));
    FAULTS(CONSOLE, "BadField", 0, BRANCH(3, 3, 5, 0x800, 3, 0xA00, 3));
    FAULTS(CONSOLE, "BadField", 0, BRANCH(0, 3, 5, 0x800, 3, 0xA00, 3));
    FAULTS(CONSOLE, "BadCompareFunction", 0, BRANCH(1, 7, 5, 0x800, 3, 0xA00, 3));
}
END_TEST

START_TEST(p14_call_of_nothing)
{
    DRAWS(CONSOLE, 1, 0xC0023F00, 0, 0, 0x0F200000, DRAW(3));
    DRAWS(CONSOLE, 1, 0xC0023F00, 0xDEAD0000, 9, 0x0F200000, DRAW(3));
    FAULTS(CONSOLE, "NullIndirectBuffer", 3, DRAW(1), 0xC0023F00, 0, 0, 0x0F200001);
    FAULTS(CONSOLE, "NullIndirectBuffer", 0, 0xC0023F00, 3, 0, 0x0F300001);
}
END_TEST

START_TEST(p15_depth_and_budget)
{
    struct world *world = world_new(ETALON_PM4_CONSOLE);
    world->config.max_depth = 3;
    world_start(world);
    PUT(world, 0x800, 0xC0023F00, 0xA00, 1, 0x0F200004); /* second buffer calls a third */
    PUT(world, 0xA00, DRAW(1), 0x80000000);
    SUBMIT(world, 0, 0xC0023F00, 0x800, 1, 0x0F200004);
    ck_assert_int_eq(world_run(world), ETALON_PM4_IDLE);
    PUT(world, 0xA00, 0xC0023F00, 0xC00, 1, 0x0F200004); /* and that a fourth */
    SUBMIT(world, 0, 0xC0023F00, 0x800, 1, 0x0F200004);
    ck_assert_int_eq(world_run(world), ETALON_PM4_FAULTED);
    ck_assert_str_eq(etalon_pm4_fault_name(world->report.fault), "IndirectDepthExceeded");
    ck_assert_uint_eq(world->report.fault_at.depth, 3);
    ck_assert_uint_eq(world->report.fault_at.buffer, WORLD_BASE + 0xA00);
    world_end(world);

    world = world_console();
    PUT(world, 0x800, 0xC0001000, 0, 0xC0023F00, 0x800, 1, 0x0F300006); /* chains to itself */
    SUBMIT(world, 0, 0xC0023F00, 0x800, 1, 0x0F200006);
    ck_assert_int_eq(world_run(world), ETALON_PM4_FAULTED);
    ck_assert_str_eq(etalon_pm4_fault_name(world->report.fault), "IndirectLoop");
    ck_assert_uint_eq(world_info(world, 0).packets, 20000);
    world_end(world);
}
END_TEST

START_TEST(p15_two_queues_releasing_each_other_for_ever)
{
    struct world *world = world_new(ETALON_PM4_CONSOLE);
    world->config.packet_budget = 500;
    world_start(world);
    PUT(world, 0x800, WAIT32(0x100, 1), WRITE32(0x100, 0), 0xC0023F00, 0x800, 1, 0x0F300010);
    PUT(world, 0xA00, WAIT32(0x100, 0), WRITE32(0x100, 1), 0xC0023F00, 0xA00, 1, 0x0F300010);
    SUBMIT(world, 1, 0xC0023F00, 0x800, 1, 0x0F200010);
    SUBMIT(world, 2, 0xC0023F00, 0xA00, 1, 0x0F200010);
    ck_assert_int_eq(world_run(world), ETALON_PM4_FAULTED);
    ck_assert_str_eq(etalon_pm4_fault_name(world->report.fault), "IndirectLoop");
    world_end(world);
}
END_TEST

START_TEST(p16_p17_suspended_packet_is_read_again)
{
    struct world *world = world_console();
    static uint32_t words[] = {DRAW(1), WAIT32(0x100, 7), DRAW(2)};
    words[7] = 7;
    world_submit(world, 0, words, 13, NULL, 0);
    ck_assert_int_eq(world_run(world), ETALON_PM4_BLOCKED);
    ck_assert_uint_eq(world->report.wait[0].at.offset, 3);
    ck_assert_uint_eq(world->report.wait[0].seen, 0);
    words[7] = 0; /* the reference itself changes: the packet is decoded anew */
    ck_assert_int_eq(world_run(world), ETALON_PM4_IDLE);
    DRAWS_ARE(world, 1, 2);
    ck_assert_uint_eq(world_info(world, 0).packets, 3);
    world_end(world);
}
END_TEST

START_TEST(p18_cond_exec)
{
    struct world *world = world_console();
    *world_at(world, WORLD_BASE + 0x100) = 1;
    SUBMIT(world, 0, 0xC0032200, 0x100, 1, 0, 3, DRAW(1), 0xC0032200, 0x104, 1, 0, 3, DRAW(2), DRAW(3));
    ck_assert_int_eq(world_run(world), ETALON_PM4_IDLE);
    DRAWS_ARE(world, 1, 3);
    world_end(world);
    DRAWS(CONSOLE, 0, 0xC0032200, 0x100, 1, 0, 3, DRAW(1)); /* skips to the very end */
    FAULTS(CONSOLE, "CondExecRange", 0, 0xC0032200, 0x100, 1, 0, 4, DRAW(1));
    FAULTS(CONSOLE, "BadField", 0, 0xC0032200, 0x101, 1, 0, 0);
    FAULTS(CONSOLE, "BadField", 0, 0xC0032200, 0x100, 1, 1, 0);
    FAULTS(CONSOLE, "BadField", 0, 0xC0032200, 0, 0, 0, 0);
    DRAWS(HARDWARE, 1, 0xC0032200, 0x100, 1, 1 << 25, 0, DRAW(1)); /* a cache policy on hardware */
}
END_TEST

/* Inner loops count: few packets cannot make endless work. */
START_TEST(p15_inner_loops_are_charged)
{
    static uint32_t words[40 * 10 + 4] = {0xC0021100, 1, 0x200, 1};
    struct world *world = world_new(ETALON_PM4_HARDWARE);
    world->config.packet_budget = 1000;
    world_start(world);
    for (uint32_t i = 0; i < 40; i++)
        memcpy(words + 4 + i * 10, W(0xC0082C00, 0, 0x280, 0x280, 0, 100, 0, 0, 16, 2), 40);
    world_submit(world, 0, words, ET_COUNT(words), NULL, 0);
    ck_assert_int_eq(world_run(world), ETALON_PM4_FAULTED);
    ck_assert_str_eq(etalon_pm4_fault_name(world->report.fault), "IndirectLoop");
    ck_assert_uint_eq(world_count(world, ET_PM4_WORK_DRAW), 1000);
    world_end(world);
    /* One packet that asks for more than the whole budget does nothing. */
    FAULTS(HARDWARE, "IndirectLoop", 4, 0xC0021100, 1, 0x200, 1, 0xC0082C00, 0, 0x280, 0x280, 0, 20001, 0, 0,
           16, 2);
}
END_TEST

/* ---- draw and constant engine ---- */

START_TEST(p19_constant_engine_first)
{
    struct world *world = world_console();
    /* The draw stream copies a label that the constant stream, later in submission order, dumps first. */
    world_submit(world, 0, W(0xC0044000, 0x00100202, 0x20, 1, 0x40, 1), 6,
                 W(0xC0018100, 0, 42, 0xC0038300, 0, 1, 0x20, 1), 8);
    ck_assert_int_eq(world_run(world), ETALON_PM4_IDLE);
    ck_assert_uint_eq(*world_at(world, WORLD_BASE + 0x40), 42);
    world_end(world);
}
END_TEST

START_TEST(p20_counters_of_a_submission)
{
    struct world *world = world_console();
    world_submit(world, 0, W(0xC0001000, 0), 2, W(0xC0008400, 1, 0xC0008400, 1), 4);
    ck_assert_int_eq(world_run(world), ETALON_PM4_IDLE);
    ck_assert_uint_eq(world_info(world, 0).ce_counter, 2);
    SUBMIT(world, 0, 0xC0016900, 0x8E, 3);
    ck_assert_int_eq(world_run(world), ETALON_PM4_IDLE);
    ck_assert_uint_eq(world_info(world, 0).ce_counter, 0);
    SUBMIT(world, 0, DRAW(1)); /* register state is kept */
    ck_assert_int_eq(world_run(world), ETALON_PM4_IDLE);
    ck_assert_uint_eq(world_register(world, 0, ETALON_PM4_CONTEXT, 0x8E, NULL), 3);
    world_end(world);

    world = world_hardware(); /* where the counters live across submissions */
    world_submit(world, 0, W(0xC0001000, 0), 2, W(0xC0008400, 1), 2);
    world_submit(world, 0, W(0xC0001000, 0), 2, W(0xC0008400, 1), 2);
    ck_assert_int_eq(world_run(world), ETALON_PM4_IDLE);
    ck_assert_uint_eq(world_info(world, 0).ce_counter, 2);
    world_end(world);
}
END_TEST

START_TEST(p21_wait_on_ce)
{
    struct world *world = world_console();
    /* Without an increment, the end of the constant stream releases the wait. */
    world_submit(world, 0, W(0xC0008600, 1, DRAW(1)), 5, W(0xC0001000, 0), 2);
    ck_assert_int_eq(world_run(world), ETALON_PM4_IDLE);
    world_end(world);
    world = world_hardware(); /* where it hangs */
    world_submit(world, 0, W(0xC0008600, 1, DRAW(1)), 5, W(0xC0001000, 0), 2);
    ck_assert_int_eq(world_run(world), ETALON_PM4_BLOCKED);
    ck_assert_int_eq(world->report.wait[0].kind, ETALON_PM4_WAIT_CE_COUNTER);
    world_end(world);
    FAULTS(CONSOLE, "BadField", 0, 0xC0008600, 0);
    FAULTS(CONSOLE, "BadField", 0, 0xC0008400, 2);
    FAULTS(CONSOLE, "BadField", 0, 0xC0008500, 1);
}
END_TEST

START_TEST(p22_wait_on_de)
{
    struct world *world = world_console();
    /* CE may run ahead of DE by fewer than 2: the second wait needs DE's increment. */
    static const uint32_t constant[] = {0xC0008400, 1, 0xC0008800,      2, 0xC0008400, 1,
                                        0xC0008800, 2, WRITE32(0x80, 1)};
    static const uint32_t draw[] = {WAIT32(0x90, 1), 0xC0008600, 1, 0xC0008500, 0, DRAW(1)};
    world_submit(world, 0, draw, 14, constant, 13);
    ck_assert_int_eq(world_run(world), ETALON_PM4_BLOCKED);
    ck_assert_uint_eq(*world_at(world, WORLD_BASE + 0x80), 0);
    *world_at(world, WORLD_BASE + 0x90) = 1;
    ck_assert_int_eq(world_run(world), ETALON_PM4_IDLE);
    ck_assert_uint_eq(*world_at(world, WORLD_BASE + 0x80), 1);
    world_end(world);
    FAULTS(CONSOLE, "CounterUnderflow", 2, 0xC0008500, 0, 0xC0008800, 4);
}
END_TEST

START_TEST(p23_constant_ram)
{
    FAULTS(CONSOLE, "ConstRamRange", 0, 0xC0018100, 2, 1);
    FAULTS(CONSOLE, "ConstRamRange", 0, 0xC0018100, 0xC000, 1);
    FAULTS(CONSOLE, "ConstRamRange", 0, 0xC0028100, 0xBFFC, 1, 2);
    FAULTS(CONSOLE, "ConstRamRange", 0, 0xC0038300, 0, 0x3000, 0, 1);
    struct world *world = world_console();
    SUBMIT(world, 0, 0xC0018100, 0xBFFC, 6);
    SUBMIT(world, 0, 0xC0038300, 0xBFFC, 1, 0, 1); /* survives submissions */
    SUBMIT(world, 0, 0xC0001024, 0, 0xC0038300, 0xBFFC, 1, 4, 1);
    world->memory[1] = 9;
    ck_assert_int_eq(world_run(world), ETALON_PM4_IDLE);
    ck_assert_uint_eq(world->memory[0], 6);
    ck_assert_uint_eq(world->memory[1], 0); /* cleared by the queue's reset */
    world_end(world);
}
END_TEST

START_TEST(p24_completes_with_both)
{
    struct world *world = world_console();
    world_submit(world, 0, W(DRAW(1)), 3, W(WAIT32(0x100, 1)), 7);
    ck_assert_int_eq(world_run(world), ETALON_PM4_BLOCKED);
    ck_assert_uint_eq(world_count(world, ET_PM4_WORK_DRAW), 1);
    ck_assert_uint_eq(world_info(world, 0).completed, 0);
    ck_assert_int_eq(world->report.wait[0].at.stream, ETALON_PM4_STREAM_CONSTANT);
    world_end(world);
}
END_TEST

/* ---- scheduling ---- */

START_TEST(p25_p26_round_robin)
{
    struct world *world = world_console();
    uint32_t queue;
    for (uint32_t i = 0; i < 2; i++) {
        SUBMIT(world, 7, DISPATCH(1));
        SUBMIT(world, 0, DRAW(1));
        SUBMIT(world, 30, DISPATCH(1));
    }
    static const uint32_t order[] = {7, 30, 0, 7, 30, 0};
    for (size_t i = 0; i < ET_COUNT(order); i++) {
        ck_assert_int_eq(etalon_pm4_step(world->pm4, &queue, NULL), ETALON_PM4_IDLE);
        ck_assert_uint_eq(queue, order[i]);
    }
    etalon_pm4_step(world->pm4, &queue, NULL);
    ck_assert_uint_eq(queue, ETALON_PM4_NO_QUEUE);
    world_end(world);
}
END_TEST

START_TEST(p27_completion_unblocks_fronts)
{
    struct world *world = world_console();
    uint32_t queue;
    SUBMIT(world, 1, WAIT32(0x100, 1));
    SUBMIT(world, 2, WAIT32(0x104, 1));
    SUBMIT(world, 3, WRITE32(0x100, 1));
    ck_assert_int_eq(etalon_pm4_step(world->pm4, &queue, NULL), ETALON_PM4_BLOCKED);
    ck_assert_int_eq(etalon_pm4_step(world->pm4, &queue, NULL), ETALON_PM4_BLOCKED);
    ck_assert(world_info(world, 1).blocked && world_info(world, 2).blocked);
    ck_assert_int_eq(etalon_pm4_step(world->pm4, &queue, NULL), ETALON_PM4_IDLE);
    ck_assert_uint_eq(queue, 3);
    ck_assert(!world_info(world, 1).blocked && !world_info(world, 2).blocked);
    world_end(world);
}
END_TEST

START_TEST(p28_all_blocked_is_retried)
{
    struct world *world = world_console();
    uint32_t queue;
    SUBMIT(world, 1, WAIT32(0x100, 1));
    ck_assert_int_eq(etalon_pm4_step(world->pm4, &queue, NULL), ETALON_PM4_BLOCKED);
    *world_at(world, WORLD_BASE + 0x100) = 1;
    ck_assert_int_eq(etalon_pm4_step(world->pm4, &queue, NULL), ETALON_PM4_IDLE);
    ck_assert_uint_eq(queue, 1);
    world_end(world);
}
END_TEST

START_TEST(p29_suspend_point_resets)
{
    struct world *world = world_console();
    bool written;
    SUBMIT(world, 0, 0xC0016900, 0x8E, 3, DRAW(1));
    ck_assert_int_eq(etalon_pm4_suspend_point(world->pm4, NULL), ETALON_OK);
    SUBMIT(world, 0, DRAW(2));
    ck_assert_int_eq(world_run(world), ETALON_PM4_IDLE);
    world_register(world, 0, ETALON_PM4_CONTEXT, 0x8E, &written);
    ck_assert(!written);
    DRAWS_ARE(world, 1, 2);
    world_end(world);
}
END_TEST

/* ---- waits, labels, flips ---- */

START_TEST(p33_compare_functions)
{
    static const struct {
        uint32_t function, value, reference;
        bool passes;
    } cases[] = {{0, 5, 9, true},  {1, 4, 5, true},         {1, 5, 5, false}, {2, 5, 5, true},
                 {2, 6, 5, false}, {3, 5, 5, true},         {3, 4, 5, false}, {4, 4, 5, true},
                 {4, 5, 5, false}, {5, 5, 5, true},         {5, 4, 5, false}, {6, 6, 5, true},
                 {6, 5, 5, false}, {1, 1, 0xFFFFFFFF, true}};
    for (size_t i = 0; i < ET_COUNT(cases); i++)
        for (unsigned wide = 0; wide < 2; wide++) {
            struct world *world = world_console();
            *world_at(world, WORLD_BASE + 0x100) = cases[i].value;
            const uint32_t narrow[] = {
                0xC0053C00, 0x10 | cases[i].function, 0x103, 1 << 18 | 1, cases[i].reference, 0xFFFFFFFF, 10};
            const uint32_t broad[] = {
                0xC0079300, 0x10 | cases[i].function, 0x107, 1, cases[i].reference, 0, 0xFFFFFFFF, 0xFFFFFFFF,
                10};
            world_submit(world, 0, wide ? broad : narrow, wide ? 9 : 7, NULL, 0);
            ck_assert_int_eq(world_run(world), cases[i].passes ? ETALON_PM4_IDLE : ETALON_PM4_BLOCKED);
            world_end(world);
        }
    FAULTS(CONSOLE, "BadCompareFunction", 0, 0xC0053C00, 0x17, 0x100, 1, 0, 0, 10);
    FAULTS(CONSOLE, "UnsupportedWaitSpace", 0, 0xC0053C00, 0x03, 0x100, 1, 0, 0, 10);
    FAULTS(CONSOLE, "BadField", 0, 0xC0053C00, 0x13 | 1 << 6, 0x100, 1, 0, 0, 10);
    FAULTS(CONSOLE, "MemoryFault", 0, 0xC0053C00, 0x13, 0x100, 2, 0, 0, 10);
}
END_TEST

START_TEST(p33_mask_of_the_value_alone)
{
    struct world *world = world_console();
    *world_at(world, WORLD_BASE + 0x100) = 0x1234;
    SUBMIT(world, 1, 0xC0053C00, 0x13, 0x100, 1, 0x34, 0xFF, 10);
    SUBMIT(world, 2, 0xC0053C00, 0x13, 0x100, 1, 0x1234, 0xFF, 10); /* the reference is not masked: never */
    ck_assert_int_eq(world_run(world), ETALON_PM4_BLOCKED);
    ck_assert_uint_eq(world->report.waits, 1);
    ck_assert_uint_eq(world->report.wait[0].at.queue, 2);
    world_end(world);
}
END_TEST

START_TEST(p33_registers_on_hardware)
{
    /* Polls a register by absolute number, and the write-then-poll form. */
    DRAWS(HARDWARE, 1, 0xC0016900, 0x8E, 3, 0xC0053C00, 0x03, 0xA08E, 0, 3, 0xFF, 10, DRAW(1));
    DRAWS(HARDWARE, 1, 0xC0053C00, 0x43, 0xA08E, 0xA08E, 3, 0xFF, 10, DRAW(1));
    FAULTS(HARDWARE, "RegisterOutOfRange", 0, 0xC0053C00, 0x03, 0x1000, 0, 3, 0xFF, 10);
    struct world *world = DO(HARDWARE, 0xC0053C00, 0x03, 0xA08E, 0, 3, 0xFF, 10);
    ck_assert_int_eq(world->report.wait[0].kind, ETALON_PM4_WAIT_REGISTER);
    world_end(world);
}
END_TEST

START_TEST(p34_rewind)
{
    struct world *world = world_console();
    static uint32_t words[] = {0xC0005900, 0, DRAW(3)};
    words[1] = 0;
    world_submit(world, 0, words, 5, NULL, 0);
    ck_assert_int_eq(world_run(world), ETALON_PM4_BLOCKED);
    ck_assert_int_eq(world->report.wait[0].kind, ETALON_PM4_WAIT_REWIND);
    words[1] = 0x80000000;
    ck_assert_int_eq(world_run(world), ETALON_PM4_IDLE);
    world_end(world);
    FAULTS(CONSOLE, "BadField", 0, 0xC0005900, 0x80000001);
    DRAWS(CONSOLE, 1, 0xC0005900, 0x81000000, DRAW(1));
}
END_TEST

START_TEST(p35_write_data)
{
    static const uint32_t good[] = {0, 0x100, 0x200, 0x40000200, 0x300},
                          bad[] = {0x40000000, 0x40000100, 0x400, 0xF00};
    for (size_t i = 0; i < ET_COUNT(good); i++) {
        struct world *world = DO(CONSOLE, 0xC0043700, good[i], 0x20, 1, 7, 8);
        ck_assert_int_eq(world->report.result, ETALON_PM4_IDLE);
        ck_assert_uint_eq(*world_at(world, WORLD_BASE + 0x20), 7);
        ck_assert_uint_eq(*world_at(world, WORLD_BASE + 0x24), 8);
        world_end(world);
    }
    for (size_t i = 0; i < ET_COUNT(bad); i++)
        FAULTS(CONSOLE, "UnsupportedSelector", 0, 0xC0033700, bad[i], 0x20, 1, 7);
    DRAWS(CONSOLE, 1, 0xC0023700, 0x200, 0xDEAD0000, 9, DRAW(1)); /* no data: nothing is touched */
    struct world *world = DO(CONSOLE, 0xC0043700, 0x10200, 0x20, 1, 7, 8);
    ck_assert_uint_eq(*world_at(world, WORLD_BASE + 0x20), 8);
    ck_assert_uint_eq(*world_at(world, WORLD_BASE + 0x24), 0);
    world_end(world);
    /* Past the end of memory: nothing is written. */
    world = DO(CONSOLE, 0xC0043700, 0x200, 0xFFFC, 1, 7, 8);
    ck_assert_str_eq(etalon_pm4_fault_name(world->report.fault), "MemoryFault");
    ck_assert_uint_eq(world->memory[WORLD_WORDS - 1], 0);
    world_end(world);
}
END_TEST

#define RELEASE(select, interrupt, dst, at, hi)                                                              \
    0xC0061060, 0x504, (uint32_t)(select) << 29 | (interrupt) << 24 | (dst) << 16, at, hi, 0x55667788,       \
        0x11223344, 0x77

START_TEST(p36_labels)
{
    struct world *world =
        DO(CONSOLE, RELEASE(1, 0, 0, 0x100, 1), RELEASE(2, 2, 1, 0x110, 1), RELEASE(0, 1, 0, 0x120, 1),
           RELEASE(2, 4, 0, 0x130, 1), RELEASE(3, 3, 0, 0x140, 1), RELEASE(2, 0, 0, 0, 0));
    ck_assert_msg(world->report.result == ETALON_PM4_IDLE, "%s", world->report.error.text);
    ck_assert_uint_eq(*world_at(world, WORLD_BASE + 0x100), 0x55667788);
    ck_assert_uint_eq(*world_at(world, WORLD_BASE + 0x104), 0);
    ck_assert_uint_eq(*world_at(world, WORLD_BASE + 0x114), 0x11223344);
    ck_assert_uint_eq(*world_at(world, WORLD_BASE + 0x120), 0);
    ck_assert_uint_eq(*world_at(world, WORLD_BASE + 0x130), 0);
    ck_assert_uint_eq(*world_at(world, WORLD_BASE + 0x140), 1); /* the clock's first tick */
    ck_assert_uint_eq(world_count(world, ET_PM4_WORK_INTERRUPT), 3);
    ck_assert_uint_eq(world->recording.list[ET_PM4_WORK_INTERRUPT][0].as.context_id, 0x77);
    world_end(world);
    FAULTS(CONSOLE, "UnsupportedSelector", 0, RELEASE(2, 0, 2, 0x100, 1));
    FAULTS(CONSOLE, "UnsupportedSelector", 0, RELEASE(4, 0, 0, 0x100, 1));
    FAULTS(CONSOLE, "UnsupportedSelector", 0, RELEASE(2, 5, 0, 0x100, 1));
    FAULTS(CONSOLE, "MemoryFault", 0,
           RELEASE(2, 0, 1, 0, 0)); /* null alone, with destination L2, is an address */
}
END_TEST

START_TEST(p36_older_forms)
{
    struct world *world = DO(CONSOLE, 0xC0044700, 0x504, 0x100, 0x42000001, 5, 6, 0xC0034802, 0x62F, 0x110,
                             0x40000001, 9, 0xC0043700, 0x200, 0x300, 1, 0xAB, 0xCD, 0xC0055000, 0x60100000,
                             0x300, 1, 0x40, 0, 8, 0xC0034802, 0x62F, 0x120, 0x20000001, 0x00020010);
    ck_assert_msg(world->report.result == ETALON_PM4_IDLE, "%s", world->report.error.text);
    ck_assert_uint_eq(*world_at(world, WORLD_BASE + 0x100), 5);
    ck_assert_uint_eq(*world_at(world, WORLD_BASE + 0x104), 6);
    ck_assert_uint_eq(*world_at(world, WORLD_BASE + 0x110), 9);
    ck_assert_uint_eq(*world_at(world, WORLD_BASE + 0x120), 0xAB); /* two dwords of the GDS */
    ck_assert_uint_eq(*world_at(world, WORLD_BASE + 0x124), 0xCD);
    ck_assert_uint_eq(world_count(world, ET_PM4_WORK_INTERRUPT), 1);
    world_end(world);
}
END_TEST

struct completion {
    unsigned completed, interrupts;
};

static void on_complete(void *user, uint32_t queue, uint64_t submission, bool interrupt)
{
    struct completion *completion = (struct completion *)((struct et_pm4_recording *)user)->user;
    (void)queue, (void)submission;
    completion->completed++;
    completion->interrupts += interrupt;
}

START_TEST(p37_interrupt_at_completion)
{
    struct world *world = world_new(ETALON_PM4_CONSOLE);
    struct completion completion = {0};
    world->recording.user = &completion;
    world->config.hooks.complete = on_complete;
    world_start(world);
    SUBMIT(world, 0, DRAW(1));
    SUBMIT(world, 0, DRAW(1), RELEASE(2, 0, 0, 0x100, 1));
    SUBMIT(world, 0, DRAW(1), RELEASE(2, 3, 0, 0x100, 1));
    ck_assert_int_eq(world_run(world), ETALON_PM4_IDLE);
    ck_assert_uint_eq(completion.completed, 3);
    ck_assert_uint_eq(completion.interrupts, 3);
    SUBMIT(world, 0, RELEASE(2, 1, 0, 0x100, 1));
    SUBMIT(world, 1, RELEASE(2, 2, 0, 0x100, 1));
    SUBMIT(world, 2, RELEASE(2, 4, 0, 0x100, 1));
    ck_assert_int_eq(world_run(world), ETALON_PM4_IDLE);
    ck_assert_uint_eq(completion.completed, 6);
    ck_assert_uint_eq(completion.interrupts, 3);
    /* A release in a called buffer does not count. */
    PUT(world, 0x800, RELEASE(2, 2, 0, 0x100, 1));
    SUBMIT(world, 0, 0xC0023F00, 0x800, 1, 0x0F200008);
    ck_assert_int_eq(world_run(world), ETALON_PM4_IDLE);
    ck_assert_uint_eq(completion.interrupts, 4);
    world_end(world);
}
END_TEST

static bool flip_when_drawn(void *user, uint32_t handle, uint32_t index)
{
    (void)user;
    return handle != 3 || index != 1;
}

static void on_prepare(void *user, uint64_t request)
{
    ((struct et_pm4_recording *)user)->user = (void *)(uintptr_t)request;
}

START_TEST(p38_flips)
{
    struct world *world = world_new(ETALON_PM4_CONSOLE);
    world->config.hooks.flip_done = flip_when_drawn;
    world->config.hooks.flip_prepare = on_prepare;
    world_start(world);
    SUBMIT(world, 0, DRAW(1), 0xC004105C, 1, 0xFFFFFFFF, 2, 5, 6);
    ck_assert_int_eq(etalon_pm4_submit_flip(world->pm4, 99, NULL), ETALON_OK);
    SUBMIT(world, 0, 0xC0051018, 3, 2, 0, 0, 0, 0, DRAW(2));
    ck_assert_int_eq(world_run(world), ETALON_PM4_IDLE);
    ck_assert_uint_eq((uintptr_t)world->recording.user, 99);
    ck_assert_uint_eq(world_count(world, ET_PM4_WORK_FLIP), 1);
    ck_assert_int_eq(world->recording.list[ET_PM4_WORK_FLIP][0].as.flip.index, -1);
    ck_assert_int_eq(world->recording.list[ET_PM4_WORK_FLIP][0].as.flip.argument, INT64_C(0x600000005));
    SUBMIT(world, 0, 0xC0051018, 3, 1, 0, 0, 0, 0, DRAW(2)); /* blocks the queue, no thread */
    SUBMIT(world, 1, DISPATCH(1));
    ck_assert_int_eq(world_run(world), ETALON_PM4_BLOCKED);
    ck_assert_int_eq(world->report.wait[0].kind, ETALON_PM4_WAIT_FLIP);
    ck_assert_uint_eq(world_count(world, ET_PM4_WORK_DISPATCH), 1);
    world_end(world);
}
END_TEST

START_TEST(p39_markers)
{
    struct world *world =
        DO(CONSOLE, 0xC004105C, 1, 2, 3, 4, 0, 0xC0001000, 0x68750777, 0xC0031000, 0x68750778, 0x100, 1, 0x99,
           0xC0051000, 0x68750781, 0x104, 1, 0x98, 4, 0x38, 0xC0001000, 0x68750000, 0xC0001000, 0x68750004,
           0xC0001000, 0x6875000D, 0xC0001000, 0x68760123);
    ck_assert_msg(world->report.result == ETALON_PM4_IDLE, "%s", world->report.error.text);
    ck_assert_uint_eq(world_count(world, ET_PM4_WORK_FLIP), 4);
    ck_assert_uint_eq(world->recording.list[ET_PM4_WORK_FLIP][3].as.flip.mode, 3);
    ck_assert_uint_eq(world_count(world, ET_PM4_WORK_INTERRUPT), 1);
    ck_assert_uint_eq(*world_at(world, WORLD_BASE + 0x100), 0x99);
    ck_assert_uint_eq(*world_at(world, WORLD_BASE + 0x104), 0x98);
    world_end(world);
    FAULTS(CONSOLE, "UnknownSubOp", 0, 0xC0001000, 0x68750123);
    FAULTS(CONSOLE, "BadField", 0, 0xC0051000, 0x68750781, 0x104, 1, 0x98, 5, 0x38);
    FAULTS(CONSOLE, "LengthMismatch", 0, 0xC0001000, 0x68750778);
    DRAWS(HARDWARE, 1, 0xC0001000, 0x68750123, DRAW(1)); /* a payload means nothing to the hardware */
}
END_TEST

START_TEST(p40_context_state)
{
    struct world *world = world_console();
    bool written;
    SUBMIT(world, 0, 0xC0016900, 0x8E, 3, 0xC0011068, 1, 0, 0xC0016900, 0x8E, 4, 0xC0016900, 0x8F, 5);
    SUBMIT(world, 0, 0xC0031068, 2, 0, 0, 0); /* pop, the longer form */
    ck_assert_int_eq(world_run(world), ETALON_PM4_IDLE);
    ck_assert_uint_eq(world_register(world, 0, ETALON_PM4_CONTEXT, 0x8E, NULL), 3);
    world_register(world, 0, ETALON_PM4_CONTEXT, 0x8F, &written);
    ck_assert(!written);
    SUBMIT(world, 0, 0xC0011068, 3, 0);
    ck_assert_int_eq(world_run(world), ETALON_PM4_IDLE);
    world_register(world, 0, ETALON_PM4_CONTEXT, 0x8E, &written);
    ck_assert(!written); /* push and clear */
    SUBMIT(world, 0, 0xC0011068, 1, 0);
    ck_assert_int_eq(world_run(world), ETALON_PM4_FAULTED);
    ck_assert_str_eq(etalon_pm4_fault_name(world->report.fault), "ContextStackOverflow");
    world_end(world);
    FAULTS(CONSOLE, "ContextStackUnderflow", 0, 0xC0011068, 2, 0);
    FAULTS(CONSOLE, "BadField", 0, 0xC0011068, 4, 0);
    FAULTS(CONSOLE, "LengthMismatch", 0, 0xC0021068, 0, 0, 0);
    FAULTS(HARDWARE, "ContextStackUnderflow", 0, 0xC0001200,
           2); /* where CLEAR_STATE has the four operations */
    DRAWS(HARDWARE, 1, 0xC0001200, 1, 0xC0001200, 2, DRAW(1));
}
END_TEST

/* ---- decode and strictness ---- */

START_TEST(p41_null_entries)
{
    static const uint32_t unknown[] = {0x00, 0x14, 0x1E, 0x28, 0x41, 0x43, 0x44,
                                       0x49, 0x68, 0x80, 0x9B, 0xB8, 0xFF};
    for (size_t i = 0; i < ET_COUNT(unknown); i++)
        FAULTS(CONSOLE, "UnknownOpcode", 3, DRAW(1), 0xC0000000 | unknown[i] << 8, 0);
    static const uint32_t never[] = {0x00, 0x14, 0x41, 0x43, 0x44, 0xB8, 0xB9, 0xBA, 0xBB, 0xBD, 0xFF};
    for (size_t i = 0; i < ET_COUNT(never); i++)
        FAULTS(HARDWARE, "UnknownOpcode", 3, DRAW(1), 0xC0000000 | never[i] << 8, 0);
    static const uint32_t subs[] = {0x01, 0x05, 0x15, 0x19, 0x3F};
    for (size_t i = 0; i < ET_COUNT(subs); i++)
        FAULTS(CONSOLE, "UnknownSubOp", 3, DRAW(1), 0xC0001000 | subs[i] << 2, 0);
}
END_TEST

START_TEST(p42_truncated)
{
    struct world *world = DO(CONSOLE, DRAW(1), 0xC0012D00, 3);
    ck_assert_str_eq(etalon_pm4_fault_name(world->report.fault), "TruncatedPacket");
    ck_assert_uint_eq(world->report.fault_at.offset, 3);
    ck_assert_uint_eq(world_count(world, ET_PM4_WORK_DRAW), 1); /* work before the fault stays */
    ck_assert_int_eq(world->report.error.status, ETALON_TRUNCATED);
    ck_assert_uint_eq(world->report.error.offset, 12);
    ck_assert_uint_eq(world->report.error.channel, 0);
    world_end(world);
}
END_TEST

START_TEST(p43_types_and_fillers)
{
    DRAWS(CONSOLE, 2, 0x80000000, DRAW(1), 0x80000000, 0x80000000, DRAW(2), 0x80000000);
    DRAWS(CONSOLE, 1, 0xFFFF1000, DRAW(1), 0xFFFF1000); /* header-only no-ops */
    FAULTS(CONSOLE, "UnsupportedPacketType", 0, 0x80000001, 0);
    FAULTS(CONSOLE, "UnsupportedPacketType", 0, 0x00010A23, 1, 2);
    FAULTS(CONSOLE, "UnsupportedPacketType", 0, 0x40010A23, 1, 2);
    FAULTS(CONSOLE, "TruncatedPacket", 0, 0xC0012D00);
    DRAWS(HARDWARE, 1, 0xBFFFFFFF, DRAW(1)); /* low bits of type 2 are ignored */
    FAULTS(HARDWARE, "UnsupportedPacketType", 0, 0x0001A08E, 1, 2);
    struct world *world = world_new(ETALON_PM4_HARDWARE);
    world->config.privileged = true; /* type 0 register writes are blocked for user streams only */
    world_start(world);
    SUBMIT(world, 0, 0x0001A08E, 1, 2, 0xC0016800, 5, 6);
    ck_assert_int_eq(world_run(world), ETALON_PM4_IDLE);
    ck_assert_uint_eq(world_register(world, 0, ETALON_PM4_CONTEXT, 0x8F, NULL), 2);
    ck_assert_uint_eq(world_register(world, 0, ETALON_PM4_CONFIG, 5, NULL), 6);
    SUBMIT(world, 0, 0x00010000, 1, 2);
    ck_assert_int_eq(world_run(world), ETALON_PM4_FAULTED);
    ck_assert_str_eq(etalon_pm4_fault_name(world->report.fault), "RegisterOutOfRange");
    world_end(world);
}
END_TEST

START_TEST(p44_predicated_packets)
{
    struct world *world = world_console();
    *world_at(world, WORLD_BASE + 0x100) = 1;
    SUBMIT(world, 0, 0xC0022000, 0x30000, 0x100, 1, DRAW_IF(1), DRAW(2), 0xC0016901, 0x8E, 1, 0xC00B6901, 1,
           2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, DRAW(3));
    ck_assert_int_eq(world_run(world), ETALON_PM4_IDLE);
    DRAWS_ARE(world, 2, 3);
    world_end(world);
    /* A skipped packet's length is still checked. */
    FAULTS(CONSOLE, "LengthMismatch", 4, 0xC0022000, 0x30100, 0x100, 1, 0xC0022D01, 1, 2, 3);
    FAULTS(CONSOLE, "TruncatedPacket", 4, 0xC0022000, 0x30100, 0x100, 1, 0xC0012D01, 1);
    FAULTS(CONSOLE, "UnknownOpcode", 4, 0xC0022000, 0x30100, 0x100, 1, 0xC0000001, 1);
}
END_TEST

START_TEST(p45_exact_headers)
{
    static const uint32_t exact[] = {0xC0012D00, 0xC0042700, 0xC0033500, 0xC0032400, 0xC0032500, 0xC0082C00,
                                     0xC0083800, 0xC0011600, 0xC0021600, 0xC0002A00, 0xC0001300, 0xC0012600,
                                     0xC0002F00, 0xC0044000, 0xC0055000, 0xC0001200, 0xC0004200, 0xC0005900,
                                     0xC0055800, 0xC0061050, 0xC0061060, 0xC004105C, 0xC0051018, 0xC0001024,
                                     0xC0038300, 0xC0008400, 0xC0008500, 0xC0008600, 0xC0008800, 0xC0044700,
                                     0xC0034802, 0xC0038E00, 0xC0073A00};
    for (size_t i = 0; i < ET_COUNT(exact); i++) {
        uint32_t words[24] = {0};
        const bool no_op = (exact[i] >> 8 & 0xFF) == 0x10;
        for (unsigned form = 0; form < 3; form++) {
            /* one dword more, one less, the shader type bit (a no-op's low bits choose its sub-operation) */
            const uint32_t header = form == 0   ? exact[i] + 0x10000
                                    : form == 1 ? exact[i] - 0x10000
                                                : exact[i] ^ 2;
            if ((header >> 16 & 0x3FFF) == 0x3FFF || (no_op && form == 2) || header == 0xC0021600 ||
                header == 0xC0011600)
                continue;
            words[0] = header;
            struct world *world = world_do(ETALON_PM4_CONSOLE, words, (header >> 16 & 0x3FFF) + 2);
            ck_assert_msg(world->report.fault == ETALON_PM4_LENGTH_MISMATCH, "%08x: %s", header,
                          world->report.error.text);
            world_end(world);
        }
    }
    /* By length alone: the shader type bit is free. */
    DRAWS(CONSOLE, 1, 0xC0031502, 1, 1, 1, 0x41, 0xC0021102, 1, 0, 1, DRAW(1));
    FAULTS(CONSOLE, "LengthMismatch", 0, 0xC0041500, 1, 1, 1, 0x41, 0);
    FAULTS(CONSOLE, "LengthMismatch", 0, 0xC0033F00, 1, 1, 1, 1);
    FAULTS(CONSOLE, "LengthMismatch", 0, 0xC0065800, 0, 0, 0, 0, 0, 0, 0);
    DRAWS(HARDWARE, 1, 0xC0065800, 0, 0, 0, 0, 0, 0, 0, 0xC0021102, 1, 0, 1, 0xC0011602, 0x40, 0x41,
          0xC0012D02, 3, 2);
}
END_TEST

START_TEST(p46_field_limits)
{
    FAULTS(CONSOLE, "BadField", 0, 0xC0012D00, 3, 1);
    DRAWS(CONSOLE, 1, 0xC0012D00, 3, 0x22);
    FAULTS(CONSOLE, "BadField", 0, 0xC0042700, 9, 0, 1, 3, 2);
    FAULTS(CONSOLE, "IndexCountExceedsMax", 0, 0xC0042700, 2, 0, 1, 3, 0);
    FAULTS(CONSOLE, "IndexCountExceedsMax", 0, 0xC0033500, 2, 0, 3, 0);
    FAULTS(CONSOLE, "BadField", 0, 0xC0073A00, 3, 0, 1, 4, 0, 1, 4, 0x40);
    FAULTS(CONSOLE, "BadField", 0, 0xC0073A00, 3, 0, 1, 4, 0, 1, 5, 0x80);
    FAULTS(CONSOLE, "BadField", 0, 0xC0021100, 2, 0, 1);
    FAULTS(CONSOLE, "BadField", 0, 0xC0021104, 1, 0, 1);
    FAULTS(CONSOLE, "BadField", 0, 0xC0001200, 0x10);
    DRAWS(HARDWARE, 1, 0xC0042700, 2, 0, 1, 3, 0); /* legal: fetches past the end give 0 */
    struct world *world = DO(CONSOLE, 0xC0073A00, 6, 0x200, 1, 4, 0x300, 1, 3, 0x80);
    ck_assert_uint_eq(world->recording.list[ET_PM4_WORK_DRAW][0].as.draw.instances, 3);
    ck_assert_uint_eq(world->recording.list[ET_PM4_WORK_DRAW][0].as.draw.object_ids, WORLD_BASE + 0x300);
    world_end(world);
}
END_TEST

START_TEST(p47_register_writes)
{
    FAULTS(CONSOLE, "RegisterOutOfRange", 0, 0xC0016900, 0x400, 1);
    FAULTS(CONSOLE, "RegisterOutOfRange", 0, 0xC0027600, 0x3FF, 1, 2);
    FAULTS(CONSOLE, "RegisterOutOfRange", 0, 0xC0017900, 0x4000, 1);
    FAULTS(CONSOLE, "UnknownRegister", 0, 0xC0016900, 0x3FE, 1);
    FAULTS(CONSOLE, "LengthMismatch", 0, 0xC0006900, 0x8E);
    struct world *world =
        DO(CONSOLE, 0xC0016900, 0x7000008E, 3, /* selector bits are dropped */
           0xC0016900, 0x800003FF, 1, 0xC0016900, 0x18, 1, 0xC0016900, 0x19, 1, 0xC0017600, 0x800002FF, 1,
           0xC0017900, 0x80003FFF, 1, 0xC0027900, 0x80003FF4, 1, 2, /* pseudo offsets */
           0xC0017A00, 0x20000243, 1);
    bool written;
    ck_assert_msg(world->report.result == ETALON_PM4_IDLE, "%s", world->report.error.text);
    ck_assert_uint_eq(world_register(world, 0, ETALON_PM4_CONTEXT, 0x8E, NULL), 3);
    world_register(world, 0, ETALON_PM4_CONTEXT, 0x19, &written);
    ck_assert(!written);
    ck_assert_uint_eq(world_info(world, 0).index_type, 1);
    world_end(world);
    /* A run that leaves the table writes nothing of it. */
    world = DO(CONSOLE, 0xC0027900, 0x3FFF, 1, 2);
    world_register(world, 0, ETALON_PM4_UCONFIG, 0x3FFF, &written);
    ck_assert(!written);
    world_end(world);
    /* The hardware takes any offset of the space, and SET_SH_REG_INDEX. */
    world = DO(HARDWARE, 0xC0016900, 0x3FE, 9, 0xC0017600, 0x3FF, 8, 0xC0019B00, 0x30000007, 7);
    ck_assert_uint_eq(world_register(world, 0, ETALON_PM4_CONTEXT, 0x3FE, NULL), 9);
    ck_assert_uint_eq(world_register(world, 0, ETALON_PM4_SH, 7, NULL), 7);
    world_end(world);
    FAULTS(HARDWARE, "UnsupportedSelector", 0, 0xC0016800, 5, 6);
}
END_TEST

START_TEST(p47_pair_lists)
{
    struct world *world = world_console();
    PUT(world, 0x200, 0x8E, 3, 0xFFFFFFFF, 9, 0x5000, 9, 0x800003FF, 9, 0x8F, 4);
    PUT(world, 0x300, 0x20C, 3, 0xFFFFFFFF, 9, 0x20D, 4);
    PUT(world, 0x400, 0x242, 3, 0x80003FF5, 9);
    SUBMIT(world, 0, 0xC0039F00, 0x200, 1, 0x80000000, 5, 0xC0036300, 0x300, 1, 0x80000000, 3, 0xC0036400,
           0x400, 1, 0x80000000, 2);
    ck_assert_int_eq(world_run(world), ETALON_PM4_IDLE);
    ck_assert_uint_eq(world_register(world, 0, ETALON_PM4_CONTEXT, 0x8F, NULL), 4);
    ck_assert_uint_eq(world_register(world, 0, ETALON_PM4_SH, 0x20D, NULL), 4);
    ck_assert_uint_eq(world_register(world, 0, ETALON_PM4_UCONFIG, 0x242, NULL), 3);
    PUT(world, 0x300, 0x20C, 7, 0x400, 9);
    SUBMIT(world, 0, 0xC0036300, 0x300, 1, 0x80000000, 2);
    ck_assert_int_eq(world_run(world), ETALON_PM4_FAULTED);
    ck_assert_str_eq(etalon_pm4_fault_name(world->report.fault), "RegisterOutOfRange");
    ck_assert_uint_eq(world_register(world, 0, ETALON_PM4_SH, 0x20C, NULL),
                      3); /* nothing of the list is written */
    world_end(world);
}
END_TEST

START_TEST(p47_internal_data_is_skipped)
{
    bool written;
    struct world *world = DO(CONSOLE, 0xC0027904, 0x342, 0xC8010001, 5, 0xC0017904, 0x342, 0xC8000000,
                             0xC0017904, 0x342, 0xC6000008, 0xC0017904, 0x342, 0xC6000000);
    ck_assert_int_eq(world->report.result, ETALON_PM4_IDLE);
    world_register(world, 0, ETALON_PM4_UCONFIG, 0x342, &written);
    ck_assert(!written);
    world_end(world);
    world = DO(CONSOLE, 0xC0017904, 0x342, 0xC6000001); /* exactly these */
    world_register(world, 0, ETALON_PM4_UCONFIG, 0x342, &written);
    ck_assert(written);
    world_end(world);
}
END_TEST

START_TEST(p48_instances)
{
    struct world *world = world_console();
    PUT(world, 0x200, 3, 5, 0, 0, 6, 2, 1, 9);
    SUBMIT(world, 0, 0xC0002F00, 0, DRAW(1), 0xC0021100, 1, 0x200, 1, 0xC0082C00, 0, 0x280, 0x280, 0x280, 2,
           0, 0, 16, 2, DRAW(4));
    ck_assert_int_eq(world_run(world), ETALON_PM4_IDLE);
    static const uint32_t instances[] = {1, 5, 2, 2};
    for (size_t i = 0; i < 4; i++)
        ck_assert_uint_eq(world->recording.list[ET_PM4_WORK_DRAW][i].as.draw.instances, instances[i]);
    world_end(world);
}
END_TEST

START_TEST(p49_index_clamp_and_size)
{
    static const uint32_t bytes[] = {2, 4, 1};
    for (uint32_t type = 0; type < 3; type++) {
        struct world *world = world_console();
        PUT(world, 0x200, 50, 1, 3, 7, 2);
        const uint32_t words[] = {0xC0002A00, type, 0xC0012600, 0x1000, 1,     0xC0001300, 20, 0xC0021100, 1,
                                  0x200,      1,    0xC0032500, 0,      0x280, 0x280,      0,  0xC0001300, 0,
                                  0xC0032500, 0,    0x280,      0x280,  2};
        world_submit(world, 0, words, ET_COUNT(words), NULL, 0);
        ck_assert_int_eq(world_run(world), ETALON_PM4_IDLE);
        const struct etalon_pm4_draw *draw = &world->recording.list[ET_PM4_WORK_DRAW][0].as.draw;
        ck_assert_uint_eq(draw->count, 20);
        ck_assert_uint_eq(draw->address, WORLD_BASE + 0x1000 + 3 * bytes[type]);
        ck_assert_int_eq(draw->base_vertex, 7);
        ck_assert_uint_eq(draw->first_instance, 2);
        ck_assert_uint_eq(world->recording.list[ET_PM4_WORK_DRAW][1].as.draw.count, 50); /* 0: no clamp */
        world_end(world);
    }
    FAULTS(CONSOLE, "BadIndexType", 2, 0xC0002A00, 3, 0xC0033500, 9, 0, 3, 0);
    struct world *world = world_hardware(); /* which clamps fetches, not the count */
    PUT(world, 0x200, 50, 1, 3, 7, 2);
    SUBMIT(world, 0, 0xC0001300, 20, 0xC0021100, 1, 0x200, 1, 0xC0032500, 0, 0x280, 0x280, 0);
    ck_assert_int_eq(world_run(world), ETALON_PM4_IDLE);
    ck_assert_uint_eq(world->recording.list[ET_PM4_WORK_DRAW][0].as.draw.count, 50);
    ck_assert_uint_eq(world->recording.list[ET_PM4_WORK_DRAW][0].as.draw.max_indices, 20);
    world_end(world);
}
END_TEST

START_TEST(p50_boolean_predicate)
{
    for (uint32_t value = 0; value < 2; value++)
        for (uint32_t condition = 0; condition < 2; condition++) {
            struct world *world = world_console();
            *world_at(world, WORLD_BASE + 0x104) = value; /* the high half counts too */
            const uint32_t words[] = {
                0xC0022000, 0x30000 | condition << 8, 0x10F, 1, DRAW_IF(1), 0xC0022000, 0, 0, 0, DRAW_IF(2)};
            world_submit(world, 0, words, ET_COUNT(words), NULL, 0);
            ck_assert_int_eq(world_run(world), ETALON_PM4_IDLE);
            ck_assert_uint_eq(world_count(world, ET_PM4_WORK_DRAW), condition == value ? 2 : 1);
            world_end(world);
        }
    DRAWS(CONSOLE, 0, 0xC0012000, 0x100, 0x30101, DRAW_IF(1)); /* the older form */
    FAULTS(CONSOLE, "UnsupportedPredicate", 0, 0xC0022000, 0x50000, 0x100, 1);
    DRAWS(HARDWARE, 0, 0xC0022000, 0x40100, 0x100, 1, DRAW_IF(1)); /* a 32-bit boolean */
}
END_TEST

START_TEST(p50_occlusion_predicate)
{
    struct world *world = world_console();
    static const uint32_t words[] = {0xC0022000, 0x10100, 0x400, 1, DRAW_IF(1)};
    uint64_t *pairs = (uint64_t *)(void *)world_at(world, WORLD_BASE + 0x400);
    world_submit(world, 0, words, 7, NULL, 0);
    ck_assert_int_eq(world_run(world), ETALON_PM4_BLOCKED);
    ck_assert_int_eq(world->report.wait[0].kind, ETALON_PM4_WAIT_PREDICATE);
    for (unsigned i = 0; i < 32; i++)
        pairs[i] = UINT64_C(1) << 63 | 5;
    pairs[31]++; /* one sample passed */
    ck_assert_int_eq(world_run(world), ETALON_PM4_IDLE);
    ck_assert_uint_eq(world_count(world, ET_PM4_WORK_DRAW), 1);
    pairs[31]--;
    world_submit(world, 0, words, 7, NULL, 0);
    ck_assert_int_eq(world_run(world), ETALON_PM4_IDLE);
    ck_assert_uint_eq(world_count(world, ET_PM4_WORK_DRAW), 1);
    pairs[3] = 0; /* not ready, and the hint says draw */
    SUBMIT(world, 0, 0xC0022000, 0x11100, 0x400, 1, DRAW_IF(1));
    ck_assert_int_eq(world_run(world), ETALON_PM4_IDLE);
    ck_assert_uint_eq(world_count(world, ET_PM4_WORK_DRAW), 2);
    world_end(world);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("pm4");
    TCase *rules = tcase_create("rules");
    tcase_add_test(rules, p01_queues);
    tcase_add_test(rules, p02_handles);
    tcase_add_test(rules, p03_state_of_each_queue);
    tcase_add_test(rules, p04_two_streams);
    tcase_add_test(rules, p05_streams_are_borrowed);
    tcase_add_test(rules, p06_empty_and_null);
    tcase_add_test(rules, p07_descriptor);
    tcase_add_test(rules, p08_fifo_in_a_queue);
    tcase_add_test(rules, p09_rejected_after_shutdown);
    tcase_add_test(rules, p10_p11_finished_buffers);
    tcase_add_test(rules, p12_call_and_chain);
    tcase_add_test(rules, p13_branch);
    tcase_add_test(rules, p14_call_of_nothing);
    tcase_add_test(rules, p15_depth_and_budget);
    tcase_add_test(rules, p15_inner_loops_are_charged);
    tcase_add_test(rules, p15_two_queues_releasing_each_other_for_ever);
    tcase_add_test(rules, p16_p17_suspended_packet_is_read_again);
    tcase_add_test(rules, p18_cond_exec);
    tcase_add_test(rules, p19_constant_engine_first);
    tcase_add_test(rules, p20_counters_of_a_submission);
    tcase_add_test(rules, p21_wait_on_ce);
    tcase_add_test(rules, p22_wait_on_de);
    tcase_add_test(rules, p23_constant_ram);
    tcase_add_test(rules, p24_completes_with_both);
    tcase_add_test(rules, p25_p26_round_robin);
    tcase_add_test(rules, p27_completion_unblocks_fronts);
    tcase_add_test(rules, p28_all_blocked_is_retried);
    tcase_add_test(rules, p29_suspend_point_resets);
    tcase_add_test(rules, p33_compare_functions);
    tcase_add_test(rules, p33_mask_of_the_value_alone);
    tcase_add_test(rules, p33_registers_on_hardware);
    tcase_add_test(rules, p34_rewind);
    tcase_add_test(rules, p35_write_data);
    tcase_add_test(rules, p36_labels);
    tcase_add_test(rules, p36_older_forms);
    tcase_add_test(rules, p37_interrupt_at_completion);
    tcase_add_test(rules, p38_flips);
    tcase_add_test(rules, p39_markers);
    tcase_add_test(rules, p40_context_state);
    tcase_add_test(rules, p41_null_entries);
    tcase_add_test(rules, p42_truncated);
    tcase_add_test(rules, p43_types_and_fillers);
    tcase_add_test(rules, p44_predicated_packets);
    tcase_add_test(rules, p45_exact_headers);
    tcase_add_test(rules, p46_field_limits);
    tcase_add_test(rules, p47_register_writes);
    tcase_add_test(rules, p47_pair_lists);
    tcase_add_test(rules, p47_internal_data_is_skipped);
    tcase_add_test(rules, p48_instances);
    tcase_add_test(rules, p49_index_clamp_and_size);
    tcase_add_test(rules, p50_boolean_predicate);
    tcase_add_test(rules, p50_occlusion_predicate);
    suite_add_tcase(suite, rules);
    return suite_run(suite);
}
