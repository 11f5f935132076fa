/* What teams compute once, on random programs. */
#include "support/ir_mix.h"

enum { MIX_OPS = 40 };

/* Random ops, jumps over some, and jumps back that a counter ends. */
static void mix_program(struct rig *rig, uint32_t seed)
{
    uint32_t state = seed * 2654435761u;
    const uint32_t lanes = mix_random(&state) % 4; /* 0: no op's operands differ between lanes */
    uint64_t pc = 0;
    struct et_ir *ir = op_at(rig, pc, ET_P_T, ET_IR_S2R);
    ir->dst[0] = MIX_LANE;
    ir->imm = ET_SR_LANEID;
    for (unsigned n = 0; n < lanes; n++)
        op3(rig, pc += 8, ET_IR_IMAD, mix_random(&state) % MIX_REGISTERS, R(MIX_LANE), I(n + 3), I(n));
    for (unsigned n = 0; n < MIX_OPS; n++) {
        const uint32_t r = mix_random(&state);
        pc += 8;
        if (r % 16 == 0) { /* forward */
            jump(rig, pc, mix_predicate(&state), pc + 8 * (1 + r / 16 % 5));
        } else if (r % 16 == 1) { /* back */
            op3(rig, pc, ET_IR_IADD3, MIX_COUNTER, R(MIX_COUNTER), I(1), none);
            compare(rig, pc += 8, 6, ET_CMP_LT, MIX_COUNTER, 12);
            pc += 8;
            jump(rig, pc, 6, pc - ET_MIN(pc, 8 * (2 + r / 16 % 12)));
        } else if (r % 64 == 2) {
            exit_at(rig, pc, mix_predicate(&state));
        } else {
            mix_op(rig, pc, &state);
        }
    }
    for (unsigned n = 0; n < 6; n++) /* where the last jumps go */
        exit_at(rig, pc += 8, ET_P_T);
}

/* What is computed once for a team of warps is what each of them computes. */
START_TEST(random_programs_of_teams)
{
    enum { PROGRAMS = 200 };
    unsigned together = 0;
    for (unsigned seed = 0; seed < PROGRAMS; seed++) {
        struct et_fragment_io fragment[2] = {{.samples = 1, .passes = 1}, {.samples = 1, .passes = 1}};
        struct et_warp_io team[ET_TEAM], alone = {.lanes = ~0u, .fragment = &fragment[1]};
        struct et_counts counts[2] = {{0}};
        struct et_context *context;
        struct rig rig;
        rig_open(&rig);
        for (unsigned n = 0; n < ET_COUNT(rig.bank); n++)
            rig.bank[n] = n & 1 ? n : et_float_bits((float)n);
        mix_program(&rig, seed + 1 + PROGRAMS * (unsigned)_i);
        ck_assert_msg(et_program_create_ir(&rig.program, (enum et_isa_kind)(_i & 1), &rig.ir, &rig.error) ==
                          ETALON_OK,
                      "%u: %s", seed, rig.error.text);
        ck_assert(et_program_info(rig.program)->team);
        rig.launch.program = rig.program;
        rig.launch.stage = ET_STAGE_FRAGMENT;
        rig.launch.budget.instructions = 100000;
        context = et_context_create(&rig.error);
        for (unsigned round = 0; round < 3; round++) { /* constants change between runs */
            rig.bank[2] = round;
            for (unsigned n = 0; n < ET_TEAM; n++)
                team[n] = (struct et_warp_io){.lanes = ~0u, .fragment = &fragment[0]};
            memset(counts, 0, sizeof counts);
            if (!et_run_team(context, &rig.launch, team, &counts[0]))
                continue;
            together++;
            ck_assert_int_eq(et_run_warp(context, &rig.launch, &alone, &counts[1], &rig.error), ETALON_OK);
            for (unsigned n = 0; n < ET_TEAM; n++)
                for (unsigned r = 0; r <= MIX_LANE; r++)
                    ck_assert_msg(!memcmp(team[n].registers[r * team[n].register_step], alone.registers[r],
                                          sizeof *alone.registers),
                                  "program %u, run %u: warp %u register %u", seed, round, n, r);
            ck_assert_uint_eq(counts[0].instructions, ET_TEAM * counts[1].instructions);
        }
        et_context_destroy(context);
        rig_close(&rig);
    }
    ck_assert_uint_gt(together, PROGRAMS);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("interp-once");
    TCase *tcase = tcase_create("once");
    tcase_set_timeout(tcase, 60);
    tcase_add_loop_test(tcase, random_programs_of_teams, 0, 4);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
