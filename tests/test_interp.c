/* The interpreter on hand-built IR: registers, memory, divergence a rule at a time, barriers, budgets. */
#include "support/ir_rig.h"

START_TEST(stores_what_it_computes)
{
    struct rig rig;
    rig_open(&rig);
    prologue(&rig);
    rig.bank[3] = 7;
    op3(&rig, 24, ET_IR_IMAD, 4, R(0), et_ir_const(0, 12), I(5));
    store(&rig, 32, ET_P_T, 4, 0);
    exit_at(&rig, 40, ET_P_T);
    ck_assert_int_eq(run(&rig, ET_ISA_AMPERE, 1, 70, 1), ETALON_OK);
    for (uint32_t t = 0; t < 70; t++)
        ck_assert_uint_eq(word(&rig, 4 * t), t * 7 + 5);
    ck_assert_uint_eq(word(&rig, 4 * 70), 0);
    rig_close(&rig);
}
END_TEST

/* Registers that a warp reads before it has written them are zero, whatever the warp before it left. */
START_TEST(warps_start_with_zeros)
{
    struct rig rig;
    struct et_ir *ir;
    rig_open(&rig);
    prologue(&rig);
    ir = op_at(&rig, 24, ET_P_T, ET_IR_S2R);
    ir->dst[0] = 1;
    ir->imm = ET_SR_CTAID_X;
    compare(&rig, 32, 0, ET_CMP_EQ, 1, 0);
    op3(&rig, 40, ET_IR_IADD3, 5, R(4), I(1), none); /* R4 is written below */
    op3(&rig, 48, ET_IR_MOV, 4, I(99), none, none);
    op3(&rig, 56, ET_IR_MOV, 6, I(77), none, none)->guard = 0; /* by the first block alone */
    store(&rig, 64, ET_P_T, 5, 0);
    store(&rig, 72, ET_P_T, 6, 128);
    jump(&rig, 80, 0, 96);
    op3(&rig, 88, ET_IR_IADD3, 8, R(7), I(1), none);
    op3(&rig, 96, ET_IR_MOV, 7, I(55), none, none); /* behind a branch */
    store(&rig, 104, ET_P_T, 8, 256);
    exit_at(&rig, 112, ET_P_T);
    for (unsigned pass = 0; pass < 2; pass++) {
        ck_assert_int_eq(run(&rig, ET_ISA_AMPERE, pass ? 5 : 1, 32, 1), ETALON_OK);
        for (uint32_t t = 0; t < 32; t++) {
            ck_assert_uint_eq(word(&rig, 4 * t), 1);
            ck_assert_uint_eq(word(&rig, 128 + 4 * t), pass ? 0 : 77);
            ck_assert_uint_eq(word(&rig, 256 + 4 * t), pass ? 1 : 0);
        }
    }
    rig_close(&rig);
}
END_TEST

/* Guarded stores write their lanes only; both families. */
START_TEST(guards_pick_lanes)
{
    struct rig rig;
    rig_open(&rig);
    prologue(&rig);
    compare(&rig, 24, 0, ET_CMP_LT, 0, 10);
    op3(&rig, 32, ET_IR_MOV, 4, I(1), none, none)->guard = 0;
    op3(&rig, 40, ET_IR_MOV, 4, I(2), none, none)->guard = 0 | ET_P_NOT;
    store(&rig, 48, ET_P_T, 4, 0);
    exit_at(&rig, 56, ET_P_T);
    ck_assert_int_eq(run(&rig, (enum et_isa_kind)_i, 1, 32, 1), ETALON_OK);
    for (uint32_t t = 0; t < 32; t++)
        ck_assert_uint_eq(word(&rig, 4 * t), t < 10 ? 1 : 2);
    rig_close(&rig);
}
END_TEST

/* From pc 80 on: all vote, then R4 and the vote are stored. */
static void vote_and_store(struct rig *rig)
{
    op_at(rig, 80, ET_P_T, ET_IR_VOTE)->dst[0] = 5;
    store(rig, 88, ET_P_T, 4, 0);
    store(rig, 96, ET_P_T, 5, 128);
    exit_at(rig, 104, ET_P_T);
}

/* Lanes 0 to 9 and the others have voted apart, into R4, and have met before pc 80. */
static void sides_vote(struct rig *rig, enum et_isa_kind isa)
{
    vote_and_store(rig);
    ck_assert_int_eq(run(rig, isa, 1, 32, 1), ETALON_OK);
    for (uint32_t t = 0; t < 32; t++) {
        ck_assert_uint_eq(word(rig, 4 * t), t < 10 ? 0x3ff : ~0x3ffu);
        ck_assert_uint_eq(word(rig, 128 + 4 * t), ~0u);
    }
    rig_close(rig);
}

/* VOTE behind a branch counts the lanes of one side; behind BSYNC, all. */
START_TEST(volta_branches_and_meets)
{
    struct rig rig;
    struct et_ir *ir;
    rig_open(&rig);
    prologue(&rig);
    compare(&rig, 24, 0, ET_CMP_LT, 0, 10);
    ir = op_at(&rig, 32, ET_P_T, ET_IR_BSSY);
    ir->target = 80;
    jump(&rig, 40, 0, 64);
    op_at(&rig, 48, ET_P_T, ET_IR_VOTE)->dst[0] = 4; /* lanes 10.. */
    jump(&rig, 56, ET_P_T, 72);
    op_at(&rig, 64, ET_P_T, ET_IR_VOTE)->dst[0] = 4; /* lanes 0..9 */
    op_at(&rig, 72, ET_P_T, ET_IR_BSYNC);
    sides_vote(&rig, ET_ISA_AMPERE);
}
END_TEST

START_TEST(maxwell_branches_and_meets)
{
    struct rig rig;
    struct et_ir *ir;
    rig_open(&rig);
    prologue(&rig);
    compare(&rig, 24, 0, ET_CMP_LT, 0, 10);
    ir = op_at(&rig, 32, ET_P_T, ET_IR_PUSH);
    ir->fn = ET_STACK_SYNC;
    ir->target = 80;
    jump(&rig, 40, 0, 64);
    op_at(&rig, 48, ET_P_T, ET_IR_VOTE)->dst[0] = 4;
    op_at(&rig, 56, ET_P_T, ET_IR_POP);
    op_at(&rig, 64, ET_P_T, ET_IR_VOTE)->dst[0] = 4;
    op_at(&rig, 72, ET_P_T, ET_IR_POP);
    sides_vote(&rig, ET_ISA_MAXWELL);
}
END_TEST

/* A loop that lanes leave one by one, by BRK through a PBK; the count of rounds is the lane's number. */
START_TEST(maxwell_breaks_from_a_loop)
{
    struct rig rig;
    struct et_ir *ir;
    rig_open(&rig);
    prologue(&rig);
    op3(&rig, 24, ET_IR_MOV, 4, I(0), none, none);
    ir = op_at(&rig, 32, ET_P_T, ET_IR_PUSH);
    ir->fn = ET_STACK_BREAK;
    ir->target = 80;
    ir = op_at(&rig, 40, ET_P_T, ET_IR_ISETP); /* loop */
    ir->pdst[0] = 0;
    ir->src[0] = R(4);
    ir->src[1] = R(0);
    ir->cmp = ET_CMP_GE;
    op_at(&rig, 48, 0, ET_IR_POP)->fn = ET_STACK_BREAK;
    op3(&rig, 56, ET_IR_IADD3, 4, R(4), I(1), none);
    jump(&rig, 64, ET_P_T, 40);
    op_at(&rig, 72, ET_P_T, ET_IR_TRAP);
    vote_and_store(&rig);
    ck_assert_int_eq(run(&rig, ET_ISA_MAXWELL, 1, 32, 1), ETALON_OK);
    for (uint32_t t = 0; t < 32; t++) {
        ck_assert_uint_eq(word(&rig, 4 * t), t);
        ck_assert_uint_eq(word(&rig, 128 + 4 * t), ~0u);
    }
    rig_close(&rig);
}
END_TEST

/* CAL and RET: lanes that the guard leaves out wait for the return. */
START_TEST(maxwell_calls_and_returns)
{
    struct rig rig;
    struct et_ir *ir;
    rig_open(&rig);
    prologue(&rig);
    compare(&rig, 24, 0, ET_CMP_LT, 0, 3);
    ir = op_at(&rig, 32, 0, ET_IR_CALL);
    ir->target = 64;
    op_at(&rig, 40, ET_P_T, ET_IR_VOTE)->dst[0] = 5;
    store(&rig, 48, ET_P_T, 5, 0);
    exit_at(&rig, 56, ET_P_T);
    op_at(&rig, 64, ET_P_T, ET_IR_VOTE)->dst[0] = 6;
    store(&rig, 72, ET_P_T, 6, 128);
    op_at(&rig, 80, ET_P_T, ET_IR_POP)->fn = ET_STACK_RETURN;
    ck_assert_int_eq(run(&rig, ET_ISA_MAXWELL, 1, 32, 1), ETALON_OK);
    for (uint32_t t = 0; t < 32; t++) {
        ck_assert_uint_eq(word(&rig, 4 * t), ~0u);
        ck_assert_uint_eq(word(&rig, 128 + 4 * t), t < 3 ? 7 : 0);
    }
    rig_close(&rig);
}
END_TEST

/* Volta: lane 0 takes a lock that the others spin on, one after the other: siblings progress. */
START_TEST(volta_lanes_spin_and_progress)
{
    struct rig rig;
    struct et_ir *ir;
    rig_open(&rig);
    prologue(&rig);
    op3(&rig, 24, ET_IR_MOV, 8, I((uint32_t)BASE + 4096), none, none);
    op3(&rig, 32, ET_IR_MOV, 9, I(0), none, none);
    ir = global_at(&rig, 40, ET_IR_ATOM, 8, 0); /* spin: old = CAS(lock, 0, 1) */
    ir->fn = ET_ATOM_CAS;
    ir->dst[0] = 4;
    ir->src[2] = I(0);
    ir->src[3] = I(1);
    compare(&rig, 48, 0, ET_CMP_NE, 4, 0);
    jump(&rig, 56, 0, 40);
    /* critical: counter++ without atomics */
    global_at(&rig, 64, ET_IR_LD, 8, 4)->dst[0] = 5;
    op3(&rig, 72, ET_IR_IADD3, 5, R(5), I(1), none);
    global_at(&rig, 80, ET_IR_ST, 8, 4)->src[2] = R(5);
    ir = global_at(&rig, 88, ET_IR_ATOM, 8, 0); /* release */
    ir->fn = ET_ATOM_EXCHANGE;
    ir->src[2] = I(0);
    exit_at(&rig, 96, ET_P_T);
    ck_assert_int_eq(run(&rig, ET_ISA_AMPERE, 2, 64, 1), ETALON_OK);
    ck_assert_uint_eq(word(&rig, 4100), 128);
    rig_close(&rig);
}
END_TEST

/* EXIT inside a barrier's mask: the others do not wait for the dead. */
START_TEST(volta_exit_leaves_barriers)
{
    struct rig rig;
    rig_open(&rig);
    prologue(&rig);
    compare(&rig, 24, 0, ET_CMP_LT, 0, 10);
    op_at(&rig, 32, ET_P_T, ET_IR_BSSY)->target = 64;
    jump(&rig, 40, 0, 56);
    exit_at(&rig, 48, ET_P_T);
    op_at(&rig, 56, ET_P_T, ET_IR_BSYNC);
    op_at(&rig, 64, ET_P_T, ET_IR_VOTE)->dst[0] = 4;
    store(&rig, 72, ET_P_T, 4, 0);
    exit_at(&rig, 80, ET_P_T);
    ck_assert_int_eq(run(&rig, ET_ISA_AMPERE, 1, 32, 1), ETALON_OK);
    for (uint32_t t = 0; t < 32; t++)
        ck_assert_uint_eq(word(&rig, 4 * t), t < 10 ? 0x3ff : 0);
    rig_close(&rig);
}
END_TEST

/* BREAK takes lanes out of a barrier: those that wait go on without them. */
START_TEST(volta_break_leaves_a_barrier)
{
    struct rig rig;
    rig_open(&rig);
    prologue(&rig);
    compare(&rig, 24, 0, ET_CMP_LT, 0, 10);
    op_at(&rig, 32, ET_P_T, ET_IR_BSSY)->target = 64;
    op_at(&rig, 40, 0, ET_IR_BREAK);
    jump(&rig, 48, 0, 88);
    op_at(&rig, 56, ET_P_T, ET_IR_BSYNC);
    op_at(&rig, 64, ET_P_T, ET_IR_VOTE)->dst[0] = 4;
    store(&rig, 72, ET_P_T, 4, 0);
    exit_at(&rig, 80, ET_P_T);
    op_at(&rig, 88, ET_P_T, ET_IR_VOTE)->dst[0] = 4;
    store(&rig, 96, ET_P_T, 4, 0);
    exit_at(&rig, 104, ET_P_T);
    ck_assert_int_eq(run(&rig, ET_ISA_AMPERE, 1, 32, 1), ETALON_OK);
    for (uint32_t t = 0; t < 32; t++)
        ck_assert_uint_eq(word(&rig, 4 * t), t < 10 ? 0x3ff : ~0x3ffu);
    rig_close(&rig);
}
END_TEST

/* WARPSYNC holds lanes of its mask together: the vote behind it sees all. */
START_TEST(volta_warpsync_waits)
{
    struct rig rig;
    rig_open(&rig);
    prologue(&rig);
    compare(&rig, 24, 0, ET_CMP_LT, 0, 10);
    jump(&rig, 32, 0, 48);
    op3(&rig, 40, ET_IR_MOV, 6, I(1), none, none);
    op_at(&rig, 48, ET_P_T, ET_IR_WARPSYNC)->src[0] = I(~0u);
    op_at(&rig, 56, ET_P_T, ET_IR_VOTE)->dst[0] = 4;
    store(&rig, 64, ET_P_T, 4, 0);
    exit_at(&rig, 72, ET_P_T);
    ck_assert_int_eq(run(&rig, ET_ISA_AMPERE, 1, 32, 1), ETALON_OK);
    for (uint32_t t = 0; t < 32; t++)
        ck_assert_uint_eq(word(&rig, 4 * t), ~0u);
    rig_close(&rig);
}
END_TEST

/* BAR.SYNC between warps: each thread reads what the last warp wrote to shared memory. */
START_TEST(blocks_wait_at_barriers)
{
    struct rig rig;
    struct et_ir *ir;
    rig_open(&rig);
    prologue(&rig);
    op3(&rig, 24, ET_IR_SHL, 4, R(0), I(2), none);
    ir = op_at(&rig, 32, ET_P_T, ET_IR_ST);
    ir->space = ET_SPACE_SHARED;
    ir->src[0] = R(4);
    ir->src[2] = R(0);
    op_at(&rig, 40, ET_P_T, ET_IR_BAR);
    op3(&rig, 48, ET_IR_LOP3, 4, R(4), I(127 * 4), none)->imm = 0x3c;
    ir = op_at(&rig, 56, ET_P_T, ET_IR_LD);
    ir->space = ET_SPACE_SHARED;
    ir->dst[0] = 5;
    ir->src[0] = R(4);
    store(&rig, 64, ET_P_T, 5, 0);
    exit_at(&rig, 72, ET_P_T);
    ck_assert_int_eq(run(&rig, (enum et_isa_kind)_i, 1, 128, 1), ETALON_OK);
    for (uint32_t t = 0; t < 128; t++)
        ck_assert_uint_eq(word(&rig, 4 * t), 127 - t);
    rig_close(&rig);
}
END_TEST

/* Block 0 spins on a word that the last block writes. */
START_TEST(blocks_that_spin_progress)
{
    struct rig rig;
    struct et_ir *ir;
    rig_open(&rig);
    ir = op_at(&rig, 0, ET_P_T, ET_IR_S2R);
    ir->dst[0] = 0;
    ir->imm = ET_SR_CTAID_X;
    op3(&rig, 8, ET_IR_MOV, 2, I((uint32_t)BASE), none, none);
    op3(&rig, 16, ET_IR_MOV, 3, I(0), none, none);
    compare(&rig, 24, 0, ET_CMP_EQ, 0, 0);
    jump(&rig, 32, 0, 64);
    compare(&rig, 40, 1, ET_CMP_EQ, 0, 39);
    store(&rig, 48, 1, 0, 0);
    exit_at(&rig, 56, ET_P_T);
    ir = global_at(&rig, 64, ET_IR_LD, 2, 0);
    ir->flags |= ET_F_STRONG;
    ir->dst[0] = 4;
    compare(&rig, 72, 0, ET_CMP_EQ, 4, 0);
    jump(&rig, 80, 0, 64);
    store(&rig, 88, ET_P_T, 4, 64);
    exit_at(&rig, 96, ET_P_T);
    ck_assert_int_eq(run(&rig, ET_ISA_AMPERE, 40, 32, 2), ETALON_OK);
    ck_assert_uint_eq(word(&rig, 64), 39);
    rig_close(&rig);
}
END_TEST

/* Named ends of bad programs. */
START_TEST(errors_have_names_and_places)
{
    struct rig rig;
    rig_open(&rig);
    jump(&rig, 0, ET_P_T, 0);
    rig.launch.budget.instructions = 100000;
    ck_assert_int_eq(run(&rig, ET_ISA_AMPERE, 1, 32, 1), ETALON_BUDGET);
    rig_close(&rig);

    rig_open(&rig);
    prologue(&rig);
    store(&rig, 24, ET_P_T, 0, 1 << 20);
    exit_at(&rig, 32, ET_P_T);
    ck_assert_int_eq(run(&rig, ET_ISA_AMPERE, 1, 32, 1), ETALON_UNMAPPED);
    ck_assert_uint_eq(rig.error.pc, 24);
    ck_assert_uint_eq(rig.error.lane, 0);
    ck_assert(rig.error.at & ETALON_AT_ADDRESS);
    ck_assert_uint_eq(rig.error.address, BASE + (1 << 20));
    ck_assert_ptr_nonnull(strstr(rig.error.text, " in ST"));
    rig_close(&rig);

    rig_open(&rig);
    prologue(&rig);
    store(&rig, 24, ET_P_T, 0, 2);
    exit_at(&rig, 32, ET_P_T);
    ck_assert_int_eq(run(&rig, ET_ISA_AMPERE, 1, 32, 1), ETALON_MISALIGNED);
    rig_close(&rig);

    rig_open(&rig);
    prologue(&rig);
    ck_assert_int_eq(run(&rig, ET_ISA_AMPERE, 1, 32, 1), ETALON_ILLEGAL_INSTRUCTION); /* past the end */
    rig_close(&rig);

    rig_open(&rig);
    op_at(&rig, 0, ET_P_T, ET_IR_POP)->fn = ET_STACK_RETURN;
    ck_assert_int_eq(run(&rig, ET_ISA_MAXWELL, 1, 32, 1), ETALON_STACK);
    rig_close(&rig);

    rig_open(&rig);
    op_at(&rig, 0, ET_P_T, ET_IR_CALL)->target = 0;
    ck_assert_int_eq(run(&rig, ET_ISA_MAXWELL, 1, 32, 1), ETALON_STACK);
    rig_close(&rig);

    /* Two lanes each wait for a barrier that the other never reaches. */
    rig_open(&rig);
    prologue(&rig);
    compare(&rig, 24, 0, ET_CMP_LT, 0, 16);
    op_at(&rig, 32, ET_P_T, ET_IR_BSSY)->target = 72;
    op_at(&rig, 40, ET_P_T, ET_IR_BSSY)->target = 72;
    rig.ir.insns[rig.ir.count - 1].imm = 1;
    jump(&rig, 48, 0, 64);
    op_at(&rig, 56, ET_P_T, ET_IR_BSYNC);
    op_at(&rig, 64, ET_P_T, ET_IR_BSYNC)->imm = 1;
    exit_at(&rig, 72, ET_P_T);
    ck_assert_int_eq(run(&rig, ET_ISA_AMPERE, 1, 32, 1), ETALON_DEADLOCK);
    rig_close(&rig);
}
END_TEST

/* ---- every op runs: with everything absent, on both families, it ends or gives a named error, and breaks
 * nothing */
START_TEST(every_op_runs_or_says_why)
{
    struct rig rig;
    struct et_ir *ir;
    enum etalon_status status;
    rig_open(&rig);
    prologue(&rig);
    ir = op_at(&rig, 24, ET_P_T, (enum et_ir_op)(_i / 2));
    if (_i / 2 == ET_IR_TEX || _i / 2 == ET_IR_IMAGE)
        et_ir_emit_tex(&rig.builder, ir);
    ir->target = 40;
    op3(&rig, 32, ET_IR_MOV, 4, I(1), none, none);
    op3(&rig, 40, ET_IR_MOV, 5, I(2), none, none);
    store(&rig, 48, ET_P_T, 5, 0);
    exit_at(&rig, 56, ET_P_T);
    rig.launch.budget.instructions = 100000;
    rig.launch.budget.call_depth = 100;
    status = run(&rig, (enum et_isa_kind)(_i % 2), 1, 64, 1);
    ck_assert_msg(status == rig.error.status, "%s", et_ir_ops[_i / 2].name);
    ck_assert_msg(status == ETALON_OK || rig.error.text[0], "%s", et_ir_ops[_i / 2].name);
    if (status == ETALON_OK && _i / 2 != ET_IR_EXIT && _i / 2 != ET_IR_KIL)
        ck_assert_uint_eq(word(&rig, 4 * 63), 2);
    rig_close(&rig);
}
END_TEST

/* Integer ops that no compiled kernel of the set uses, by value. */
static const struct {
    uint16_t op;
    uint8_t type, type2, fn;
    uint32_t flags;
    int32_t imm;
    uint32_t a, b, c, want;
} rare_cases[] = {
    {ET_IR_BFI, 0, 0, 0, 0, 0, 0x5, 0x0304, 0xffffffff, 0xffffffdf},
    {ET_IR_BMSK, 0, 0, 0, 0, 0, 4, 8, 0, 0xff0},
    {ET_IR_BMSK, 0, 0, 0, ET_F_WRAP, 0, 36, 8, 0, 0xff0},
    {ET_IR_I2IP, ET_S8, ET_S32, 0, 0, 0, 300, (uint32_t)-300, 0x1234, 0x12342cd4},
    {ET_IR_F2IP, ET_U8, 0, 0, 0, 0, 0x437f0000, 0x40400000, 0, 0x0000ff03},
    {ET_IR_IMUL_HI, ET_S32, ET_U32, 0, 0, 0, 0xffffffff, 0x80000000, 0, 0xffffffff},
    {ET_IR_IMUL_HI, ET_U32, ET_U32, 0, 0, 0, 0xffffffff, 0x80000000, 0, 0x7fffffff},
    {ET_IR_IADD3M, 0, 0, ET_IADD3_RS, 0, 0, 0xffff0000, 0x00010000, 5, 0x10005},
    {ET_IR_IADD3M, 0, 0, ET_IADD3_LS, 0, 0, 1, 2, 5, 0x30005},
    {ET_IR_PRMT, 0, 0, ET_PRMT_F4E, 0, 0, 0x33221100, 1, 0x77665544, 0x44332211},
    {ET_IR_PRMT, 0, 0, ET_PRMT_B4E, 0, 0, 0x33221100, 1, 0x77665544, 0x66770011},
    {ET_IR_PRMT, 0, 0, ET_PRMT_RC16, 0, 0, 0x33221100, 1, 0, 0x33223322},
    {ET_IR_SGXT, ET_S32, 0, 0, 0, 0, 0xf8, 4, 0, 0xfffffff8},
    {ET_IR_FLO, ET_S32, 0, 0, 0, 0, 0xffffff00, 0, 0, 7},
    {ET_IR_FLO, ET_U32, 0, 0, ET_F_SH, 0, 0x100, 0, 0, 23},
    {ET_IR_FSWZADD, 0, 0, 0, 0, 0x55, 0x3f800000, 0x40000000, 0, 0x3f800000},
    {ET_IR_VABSDIFF4, ET_U8, ET_U8, 1, 0, 0, 0x01020304, 0x04030201, 10, 18},
};

START_TEST(rare_integer_ops)
{
    struct rig rig;
    struct et_ir *ir;
    rig_open(&rig);
    prologue(&rig);
    ir = op3(&rig, 24, (enum et_ir_op)rare_cases[_i].op, 4, I(rare_cases[_i].a), none, none);
    if (strlen(et_ir_ops[rare_cases[_i].op].src) > 1)
        ir->src[1] = I(rare_cases[_i].b);
    if (strlen(et_ir_ops[rare_cases[_i].op].src) > 2)
        ir->src[2] = I(rare_cases[_i].c);
    ir->type = rare_cases[_i].type;
    ir->type2 = rare_cases[_i].type2;
    ir->fn = rare_cases[_i].fn;
    ir->flags = rare_cases[_i].flags;
    ir->imm = rare_cases[_i].imm;
    store(&rig, 32, ET_P_T, 4, 0);
    exit_at(&rig, 40, ET_P_T);
    ck_assert_int_eq(run(&rig, ET_ISA_AMPERE, 1, 32, 1), ETALON_OK);
    ck_assert_uint_eq(word(&rig, 0), rare_cases[_i].want);
    rig_close(&rig);
}
END_TEST

/* A host with odd rounding and flush: the same bits, and its state is as it was. */
START_TEST(the_hosts_fp_state_does_not_matter)
{
    struct rig rig;
    struct et_ir *ir;
    const uint32_t before = et_fp_save();
    rig_open(&rig);
    prologue(&rig);
    ir = op3(&rig, 24, ET_IR_FADD, 4, I(0x3f800000), I(0x33c00000), none); /* 1 + 0.75 ulp */
    ir->round = ET_RN;
    ir = op3(&rig, 32, ET_IR_FMUL, 5, I(0x00800000), I(0x3f000000), none); /* a denormal */
    store(&rig, 40, ET_P_T, 4, 0);
    store(&rig, 48, ET_P_T, 5, 128);
    exit_at(&rig, 56, ET_P_T);
#if defined(__x86_64__)
    et_fp_restore(before | 0xe040); /* toward zero, FTZ, DAZ */
#endif
    ck_assert_int_eq(run(&rig, ET_ISA_AMPERE, 1, 32, 1), ETALON_OK);
#if defined(__x86_64__)
    ck_assert_uint_eq(et_fp_save() & 0xe040, 0xe040);
#endif
    et_fp_restore(before);
    ck_assert_uint_eq(word(&rig, 0), 0x3f800001);
    ck_assert_uint_eq(word(&rig, 128), 0x00400000);
    rig_close(&rig);
}
END_TEST

START_TEST(the_checker_refuses)
{
    struct rig rig;
    rig_open(&rig);
    op3(&rig, 0, ET_IR_MOV, 0, I(0), I(1), none); /* MOV has one source */
    ck_assert_int_eq(run(&rig, ET_ISA_AMPERE, 1, 32, 1), ETALON_INTERNAL);
    rig_close(&rig);
    rig_open(&rig);
    op3(&rig, 0, ET_IR_MOV, ET_R_COUNT, I(0), none, none);
    ck_assert_int_eq(run(&rig, ET_ISA_AMPERE, 1, 32, 1), ETALON_INTERNAL);
    rig_close(&rig);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("interp");
    TCase *tcase = tcase_create("ir");
    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, stores_what_it_computes);
    tcase_add_test(tcase, warps_start_with_zeros);
    tcase_add_loop_test(tcase, guards_pick_lanes, 0, ET_ISA_COUNT);
    tcase_add_test(tcase, volta_branches_and_meets);
    tcase_add_test(tcase, maxwell_branches_and_meets);
    tcase_add_test(tcase, maxwell_breaks_from_a_loop);
    tcase_add_test(tcase, maxwell_calls_and_returns);
    tcase_add_test(tcase, volta_lanes_spin_and_progress);
    tcase_add_test(tcase, volta_exit_leaves_barriers);
    tcase_add_test(tcase, volta_break_leaves_a_barrier);
    tcase_add_test(tcase, volta_warpsync_waits);
    tcase_add_loop_test(tcase, blocks_wait_at_barriers, 0, ET_ISA_COUNT);
    tcase_add_test(tcase, blocks_that_spin_progress);
    tcase_add_test(tcase, errors_have_names_and_places);
    tcase_add_test(tcase, the_hosts_fp_state_does_not_matter);
    tcase_add_test(tcase, the_checker_refuses);
    tcase_add_loop_test(tcase, every_op_runs_or_says_why, 0, 2 * ET_IR_OP_COUNT);
    tcase_add_loop_test(tcase, rare_integer_ops, 0, (int)ET_COUNT(rare_cases));
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
