/* What teams compute once, on random programs. */
#include "support/ir_rig.h"

enum { MIX_REGISTERS = 10, MIX_COUNTER = 10, MIX_LANE = 11, MIX_OPS = 40 };

static uint32_t mix_random(uint32_t *state)
{
    *state = *state * 1664525 + 1013904223;
    return *state >> 8;
}

/* A register, mostly; else a constant. */
static struct et_ir_src mix_source(uint32_t *state)
{
    const uint32_t r = mix_random(state);
    return r % 8 < 5   ? R(r / 8 % MIX_REGISTERS)
           : r % 8 < 7 ? I(r & 64 ? r / 8 % 40 : et_float_bits((float)(r / 8 % 64) - 20))
                       : et_ir_const(0, r / 8 % 64 * 4);
}

static uint8_t mix_predicate(uint32_t *state)
{
    const uint32_t r = mix_random(state);
    return (uint8_t)(r % 8 < 4 ? ET_P_T : (r / 8 % 6) | (r & 4096 ? ET_P_NOT : 0));
}

static void mix_op(struct rig *rig, uint64_t pc, uint32_t *state)
{
    static const uint8_t ops[] = {
        ET_IR_MOV,  ET_IR_MOV,  ET_IR_IADD3, ET_IR_IADD3, ET_IR_IMAD,  ET_IR_LOP3,  ET_IR_LOP3,  ET_IR_SHL,
        ET_IR_SHR,  ET_IR_LEA,  ET_IR_SEL,   ET_IR_SEL,   ET_IR_IMNMX, ET_IR_ISETP, ET_IR_ISETP, ET_IR_ISETP,
        ET_IR_FADD, ET_IR_FMUL, ET_IR_FFMA,  ET_IR_FFMA,  ET_IR_FMNMX, ET_IR_FSETP, ET_IR_PLOP3, ET_IR_PLOP3,
        ET_IR_POPC, ET_IR_MUFU, ET_IR_P2R,   ET_IR_I2F,   ET_IR_XMAD};
    const enum et_ir_op op = (enum et_ir_op)ops[mix_random(state) % ET_COUNT(ops)];
    const struct et_ir_op_info *info = &et_ir_ops[op];
    struct et_ir *ir = op_at(rig, pc, mix_predicate(state), op);
    const uint32_t r = mix_random(state);
    if (info->dst[0])
        ir->dst[0] = (uint16_t)(r % (MIX_REGISTERS + 1) == MIX_REGISTERS ? ET_R_NONE : r % MIX_REGISTERS);
    for (unsigned s = 0; s < strlen(info->src); s++) {
        ir->src[s] = mix_source(state);
        if ((op == ET_IR_FADD || op == ET_IR_FFMA || op == ET_IR_IADD3) && mix_random(state) % 4 == 0)
            ir->src[s].mods = ET_NEG;
    }
    for (unsigned p = 0; p < info->pdst; p++)
        if (op != ET_IR_IMAD && op != ET_IR_LEA && mix_random(state) % 4)
            ir->pdst[p] = (uint8_t)(mix_random(state) % 6);
    for (unsigned p = 0; p < info->psrc; p++)
        if (op != ET_IR_IMAD && op != ET_IR_LEA && op != ET_IR_IADD3)
            ir->psrc[p] = mix_predicate(state);
    ir->imm = op == ET_IR_LEA ? r & 31 : op == ET_IR_LOP3 || op == ET_IR_PLOP3 ? r & 255 : 0;
    ir->imm2 = r >> 8 & 255;
    ir->cmp = r >> 16 & 7;
    ir->bop = r >> 12 & 1;
    ir->ftz = r & 1024;
    switch (op) {
    case ET_IR_ISETP:
    case ET_IR_IMNMX:
    case ET_IR_SHR:
        ir->type = r & 2048 ? ET_S32 : ET_U32;
        break;
    case ET_IR_FSETP:
        ir->cmp = r >> 16 & 15;
        break;
    case ET_IR_MUFU:
        ir->fn = ET_MUFU_RCP;
        break;
    case ET_IR_I2F:
        ir->type = ET_F32;
        ir->type2 = r & 2048 ? ET_S32 : ET_U32;
        break;
    case ET_IR_XMAD:
        ir->type = ir->type2 = ET_U16;
        ir->src[0].part = r & 2048 ? ET_PART_H0 : ET_PART_H1;
        ir->src[1].part = ET_PART_H0;
        break;
    default:
        break;
    }
}

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
