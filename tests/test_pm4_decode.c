/* Rules of the command processor: what a packet must look like, registers, predicates. */
#include "support/pm4_world.h"
#include "support/suite.h"

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
    Suite *suite = suite_create("pm4 decode");
    TCase *rules = tcase_create("rules");
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
