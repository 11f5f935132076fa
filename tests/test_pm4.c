/* Rules of the command processor, each test named after its rule (conformance/pm4/table.tsv): queues, cursor,
 * engines, scheduling. */
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
    suite_add_tcase(suite, rules);
    return suite_run(suite);
}
