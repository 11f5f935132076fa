/* Rules of the command processor: waits, labels, flips, what a context keeps. */
#include "support/pm4_world.h"
#include "support/suite.h"

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

int main(void)
{
    Suite *suite = suite_create("pm4 sync");
    TCase *rules = tcase_create("rules");
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
    suite_add_tcase(suite, rules);
    return suite_run(suite);
}
