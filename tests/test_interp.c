/* The interpreter on hand-built IR: registers, memory, divergence a rule at a time, barriers, budgets. */
#include "support/suite.h"

#include "base/bits.h"
#include "isa/interp/ops.h"
#include "isa/ir/ir.h"
#include "isa/numeric/mufu.h"

#include <string.h>

#define BASE UINT64_C(0x10000)

/* A program under construction, RAM with one mapped megabyte, and a launch. */
struct rig {
    struct et_ir_program ir;
    struct et_ir_builder builder;
    struct et_ram ram;
    struct et_pagemap map;
    struct et_program *program;
    struct et_launch launch;
    struct etalon_error error;
    uint32_t bank[64];
    uint32_t result[8][ET_LANES];
};

static void rig_open(struct rig *rig)
{
    memset(rig, 0, sizeof *rig);
    rig->builder.program = &rig->ir;
    ck_assert_int_eq(et_ram_create(&rig->ram, 1 << 20, ET_RAM_TRACKED, &rig->error), ETALON_OK);
    et_pagemap_init(&rig->map, &rig->ram, 40);
    ck_assert_int_eq(et_pagemap_map(&rig->map, BASE, 1 << 20, 0, ET_READ | ET_WRITE, 0, &rig->error),
                     ETALON_OK);
    rig->launch.map = &rig->map;
    rig->launch.event = 1;
    rig->launch.stage = ET_STAGE_COMPUTE;
    rig->launch.local_bytes = 256;
    rig->launch.shared_window = UINT64_C(0x7f0000000000);
    rig->launch.local_window = UINT64_C(0x7f0001000000);
    rig->launch.window_bytes = 1 << 24;
    rig->launch.banks[0] = (struct et_bank){(const uint8_t *)rig->bank, sizeof rig->bank};
}

static void rig_close(struct rig *rig)
{
    et_program_destroy(rig->program);
    et_ir_program_finish(&rig->ir);
    et_pagemap_finish(&rig->map);
    et_ram_destroy(&rig->ram);
}

/* Starts the machine instruction at `pc` with one op. */
static struct et_ir *op_at(struct rig *rig, uint64_t pc, uint8_t guard, enum et_ir_op op)
{
    et_ir_begin(&rig->builder, pc, guard);
    return et_ir_emit(&rig->builder, op);
}

static struct et_ir *op3(struct rig *rig, uint64_t pc, enum et_ir_op op, unsigned d, struct et_ir_src a,
                         struct et_ir_src b, struct et_ir_src c)
{
    struct et_ir *ir = op_at(rig, pc, ET_P_T, op);
    ir->dst[0] = (uint16_t)d;
    ir->src[0] = a;
    ir->src[1] = b;
    ir->src[2] = c;
    return ir;
}

static const struct et_ir_src none;
#define R et_ir_reg
#define I et_ir_imm

/* R0 = thread; R2 = BASE + 4 * thread (R3 = 0). Takes pcs 0, 8, 16. */
static void prologue(struct rig *rig)
{
    struct et_ir *ir = op_at(rig, 0, ET_P_T, ET_IR_S2R);
    ir->dst[0] = 0;
    ir->imm = ET_SR_TID_X;
    ir = op3(rig, 8, ET_IR_LEA, 2, R(0), I((uint32_t)BASE), none);
    ir->imm = 2;
    op3(rig, 16, ET_IR_MOV, 3, I(0), none, none);
}

static void store(struct rig *rig, uint64_t pc, uint8_t guard, unsigned value, int offset)
{
    struct et_ir *ir = op_at(rig, pc, guard, ET_IR_ST);
    ir->space = ET_SPACE_GLOBAL;
    ir->flags = ET_F_A64;
    ir->src[0] = R(2);
    ir->src[2] = R(value);
    ir->imm = offset;
}

static void exit_at(struct rig *rig, uint64_t pc, uint8_t guard)
{
    op_at(rig, pc, guard, ET_IR_EXIT);
}

static void jump(struct rig *rig, uint64_t pc, uint8_t guard, uint64_t target)
{
    op_at(rig, pc, guard, ET_IR_JUMP)->target = target;
}

/* P = R0 cmp imm. */
static void compare(struct rig *rig, uint64_t pc, unsigned p, enum et_cmp cmp, unsigned reg, uint32_t value)
{
    struct et_ir *ir = op_at(rig, pc, ET_P_T, ET_IR_ISETP);
    ir->pdst[0] = (uint8_t)p;
    ir->src[0] = R(reg);
    ir->src[1] = I(value);
    ir->cmp = (uint8_t)cmp;
}

static enum etalon_status run(struct rig *rig, enum et_isa_kind isa, uint32_t blocks, uint32_t threads,
                              int workers)
{
    const struct et_grid grid = {{blocks, 1, 1}, {threads, 1, 1}, 1024, 0, 0, workers, false};
    if (!rig->program) {
        const enum etalon_status status = et_program_create_ir(&rig->program, isa, &rig->ir, &rig->error);
        if (status != ETALON_OK)
            return status;
    }
    rig->launch.program = rig->program;
    return et_run_grid(&rig->launch, &grid, NULL, &rig->error);
}

static uint32_t word(const struct rig *rig, uint32_t offset)
{
    return et_load32(rig->ram.base + offset);
}

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
    op_at(&rig, 80, ET_P_T, ET_IR_VOTE)->dst[0] = 5;
    store(&rig, 88, ET_P_T, 4, 0);
    store(&rig, 96, ET_P_T, 5, 128);
    exit_at(&rig, 104, ET_P_T);
    ck_assert_int_eq(run(&rig, ET_ISA_AMPERE, 1, 32, 1), ETALON_OK);
    for (uint32_t t = 0; t < 32; t++) {
        ck_assert_uint_eq(word(&rig, 4 * t), t < 10 ? 0x3ff : ~0x3ffu);
        ck_assert_uint_eq(word(&rig, 128 + 4 * t), ~0u);
    }
    rig_close(&rig);
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
    op_at(&rig, 80, ET_P_T, ET_IR_VOTE)->dst[0] = 5;
    store(&rig, 88, ET_P_T, 4, 0);
    store(&rig, 96, ET_P_T, 5, 128);
    exit_at(&rig, 104, ET_P_T);
    ck_assert_int_eq(run(&rig, ET_ISA_MAXWELL, 1, 32, 1), ETALON_OK);
    for (uint32_t t = 0; t < 32; t++) {
        ck_assert_uint_eq(word(&rig, 4 * t), t < 10 ? 0x3ff : ~0x3ffu);
        ck_assert_uint_eq(word(&rig, 128 + 4 * t), ~0u);
    }
    rig_close(&rig);
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
    op_at(&rig, 80, ET_P_T, ET_IR_VOTE)->dst[0] = 5;
    store(&rig, 88, ET_P_T, 4, 0);
    store(&rig, 96, ET_P_T, 5, 128);
    exit_at(&rig, 104, ET_P_T);
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
    ir = op_at(&rig, 40, ET_P_T, ET_IR_ATOM); /* spin: old = CAS(lock, 0, 1) */
    ir->fn = ET_ATOM_CAS;
    ir->space = ET_SPACE_GLOBAL;
    ir->flags = ET_F_A64;
    ir->dst[0] = 4;
    ir->src[0] = R(8);
    ir->src[2] = I(0);
    ir->src[3] = I(1);
    compare(&rig, 48, 0, ET_CMP_NE, 4, 0);
    jump(&rig, 56, 0, 40);
    /* critical: counter++ without atomics */
    ir = op_at(&rig, 64, ET_P_T, ET_IR_LD);
    ir->space = ET_SPACE_GLOBAL;
    ir->flags = ET_F_A64;
    ir->dst[0] = 5;
    ir->src[0] = R(8);
    ir->imm = 4;
    op3(&rig, 72, ET_IR_IADD3, 5, R(5), I(1), none);
    ir = op_at(&rig, 80, ET_P_T, ET_IR_ST);
    ir->space = ET_SPACE_GLOBAL;
    ir->flags = ET_F_A64;
    ir->src[0] = R(8);
    ir->src[2] = R(5);
    ir->imm = 4;
    ir = op_at(&rig, 88, ET_P_T, ET_IR_ATOM); /* release */
    ir->fn = ET_ATOM_EXCHANGE;
    ir->space = ET_SPACE_GLOBAL;
    ir->flags = ET_F_A64;
    ir->src[0] = R(8);
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
    ir = op_at(&rig, 64, ET_P_T, ET_IR_LD);
    ir->space = ET_SPACE_GLOBAL;
    ir->flags = ET_F_A64 | ET_F_STRONG;
    ir->dst[0] = 4;
    ir->src[0] = R(2);
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

/* ---- graphics warps */
static enum etalon_status run_graphics(struct rig *rig, enum et_stage stage, struct et_warp_io *io)
{
    struct et_context *context = et_context_create(&rig->error);
    enum etalon_status status;
    ck_assert_ptr_nonnull(context);
    if (!rig->program)
        ck_assert_int_eq(et_program_create_ir(&rig->program, ET_ISA_AMPERE, &rig->ir, &rig->error),
                         ETALON_OK);
    rig->launch.program = rig->program;
    rig->launch.stage = stage;
    status = et_run_warp(context, &rig->launch, io, NULL, &rig->error);
    for (unsigned r = 0; r < 8; r++)
        for (unsigned l = 0; l < ET_LANES; l++)
            rig->result[r][l] = status == ETALON_OK ? io->registers[r][l] : 0;
    et_context_destroy(context);
    return status;
}

/* ALD reads the lane's record, AST writes its own; OUT copies what is stored. */
START_TEST(vertices_load_store_and_emit)
{
    static struct et_vertex_record input[ET_LANES], output[ET_LANES], emitted[ET_LANES * 2];
    static uint8_t streams[ET_LANES * 2];
    struct et_vtg_io vtg = {.input = input,
                            .inputs = ET_LANES,
                            .output = output,
                            .outputs = ET_LANES,
                            .emitted = emitted,
                            .emit_capacity = 2,
                            .emit_stream = streams};
    struct et_warp_io io = {.lanes = 0xff, .vtg = &vtg};
    struct rig rig;
    struct et_ir *ir;
    rig_open(&rig);
    for (uint32_t l = 0; l < ET_LANES; l++) {
        vtg.in_record[l] = 31 - l;
        vtg.out_record[l] = l;
        input[l].word[0x80 / 4] = 100 + l;
        input[l].word[0x84 / 4] = 200 + l;
    }
    ir = op_at(&rig, 0, ET_P_T, ET_IR_ALD);
    ir->dst[0] = 4;
    ir->words = 2;
    ir->imm = 0x80;
    ir = op_at(&rig, 8, ET_P_T, ET_IR_AST);
    ir->src[2] = R(5);
    ir->words = 1;
    ir->imm = 0x70;
    op_at(&rig, 16, ET_P_T, ET_IR_OUT)->fn = ET_OUT_EMIT;
    op_at(&rig, 24, ET_P_T, ET_IR_OUT)->fn = ET_OUT_EMIT_THEN_CUT;
    op_at(&rig, 32, ET_P_T, ET_IR_OUT)->fn = ET_OUT_EMIT; /* past the capacity: dropped */
    exit_at(&rig, 40, ET_P_T);
    ck_assert_msg(run_graphics(&rig, ET_STAGE_GEOMETRY, &io) == ETALON_OK, "%s", rig.error.text);
    for (uint32_t l = 0; l < 8; l++) {
        ck_assert_uint_eq(rig.result[4][l], 131 - l);
        ck_assert_uint_eq(output[l].word[0x70 / 4], 231 - l);
        ck_assert_uint_eq(vtg.emit_count[l], 2);
        ck_assert_uint_eq(emitted[l * 2 + 1].word[0x70 / 4], 231 - l);
        ck_assert_uint_eq(streams[l * 2], 0);
        ck_assert_uint_eq(streams[l * 2 + 1], 0x80);
    }
    ck_assert_uint_eq(output[8].word[0x70 / 4], 0);
    rig_close(&rig);
}
END_TEST

/* A program continues the one before it: the same records, its registers and predicates, each with its own
 * constants and length; lanes that the first ended early run the second. */
START_TEST(vertex_programs_continue)
{
    static struct et_vertex_record input[ET_LANES], output[ET_LANES];
    struct et_vtg_io vtg = {.input = input, .inputs = ET_LANES, .output = output, .outputs = ET_LANES};
    struct et_warp_io io = {.lanes = 0xff, .vtg = &vtg};
    struct rig a, b;
    struct et_ir *ir;
    rig_open(&a);
    rig_open(&b);
    a.bank[0] = 1000;
    b.bank[0] = 20000;
    for (uint32_t l = 0; l < ET_LANES; l++) {
        vtg.in_record[l] = vtg.out_record[l] = l;
        input[l].word[0x80 / 4] = l;
    }
    ir = op_at(&a, 0, ET_P_T, ET_IR_ALD);
    ir->dst[0] = 4;
    ir->words = 1;
    ir->imm = 0x80;
    ir = op3(&a, 8, ET_IR_ISETP, ET_R_NONE, R(4), I(4), none);
    ir->cmp = ET_CMP_LT;
    ir->pdst[0] = 2;
    op3(&a, 16, ET_IR_IADD3, 5, R(4), et_ir_const(0, 0), none);
    ir = op_at(&a, 24, ET_P_T, ET_IR_AST);
    ir->src[2] = R(5);
    ir->words = 1;
    ir->imm = 0x90;
    exit_at(&a, 32, 2);
    op3(&a, 40, ET_IR_IADD3, 6, R(5), I(7), none);
    exit_at(&a, 48, ET_P_T);
    op3(&b, 0, ET_IR_IADD3, 5, R(5), et_ir_const(0, 0), R(6));
    op3(&b, 8, ET_IR_IADD3, 5, R(5), I(500000), none)->guard = 2;
    ir = op_at(&b, 16, ET_P_T, ET_IR_AST);
    ir->src[2] = R(5);
    ir->words = 1;
    ir->imm = 0x70;
    op3(&b, 24, ET_IR_IADD3, 200, R(5), none, none);
    exit_at(&b, 32, ET_P_T);
    ck_assert_int_eq(et_program_create_ir(&a.program, ET_ISA_AMPERE, &a.ir, &a.error), ETALON_OK);
    a.launch.program = a.program;
    a.launch.stage = ET_STAGE_VERTEX_A;
    b.launch.before = &a.launch;
    for (unsigned again = 0; again < 2; again++) {
        memset(output, 0, sizeof output);
        ck_assert_msg(run_graphics(&b, ET_STAGE_VERTEX, &io) == ETALON_OK, "%s", b.error.text);
        for (uint32_t l = 0; l < 8; l++) {
            ck_assert_uint_eq(output[l].word[0x90 / 4], 1000 + l);
            ck_assert_uint_eq(output[l].word[0x70 / 4], 21000 + l + (l < 4 ? 500000 : 1007 + l));
        }
    }
    rig_close(&a);
    rig_close(&b);
}
END_TEST

/* IPA's positions and flat words; killed lanes and helpers write nothing but run on; PIXLD. */
START_TEST(fragments_interpolate_and_die)
{
    static struct et_fragment_layout layout;
    static const uint32_t flat[1] = {0x12345678};
    const struct et_primitive primitive = {.flat = flat, .primitive_id = 9, .front = true};
    struct et_fragment_io fragment = {.layout = &layout,
                                      .primitive = {&primitive, &primitive},
                                      .x = {10, 20},
                                      .y = {30, 40},
                                      .helpers = 0x08,
                                      .samples = 4,
                                      .passes = 1};
    struct et_warp_io io = {.lanes = 0xff, .fragment = &fragment};
    struct rig rig;
    struct et_ir *ir;
    rig_open(&rig);
    memset(layout.plane, 0xff, sizeof layout.plane);
    memset(layout.flat, 0xff, sizeof layout.flat);
    layout.flat[0x80 / 4] = 0;
    for (unsigned l = 0; l < ET_LANES; l++)
        fragment.coverage[l] = (uint16_t)(l & 15);
    ir = op_at(&rig, 0, ET_P_T, ET_IR_IPA);
    ir->dst[0] = 0;
    ir->imm = 0x70;
    ir = op_at(&rig, 8, ET_P_T, ET_IR_IPA);
    ir->dst[0] = 1;
    ir->imm = 0x80;
    ir->fn = ET_IPA_CONSTANT;
    ir = op_at(&rig, 16, ET_P_T, ET_IR_PIXLD);
    ir->dst[0] = 4;
    ir->fn = ET_PIXLD_COVMASK;
    compare(&rig, 24, 0, ET_CMP_EQ, 4, 5);
    op_at(&rig, 32, 0, ET_IR_KIL);
    ir = op_at(&rig, 40, ET_P_T, ET_IR_S2R);
    ir->dst[0] = 5;
    ir->imm = ET_SR_THREAD_KILL;
    ir = op_at(&rig, 48, ET_P_T, ET_IR_S2R);
    ir->dst[0] = 6;
    ir->imm = ET_SR_LANEID;
    op3(&rig, 56, ET_IR_LEA, 2, R(6), I((uint32_t)BASE), none)->imm = 2;
    op3(&rig, 64, ET_IR_MOV, 3, I(0), none, none);
    op3(&rig, 72, ET_IR_MOV, 7, I(77), none, none);
    store(&rig, 80, ET_P_T, 7, 0);
    exit_at(&rig, 88, ET_P_T);
    ck_assert_msg(run_graphics(&rig, ET_STAGE_FRAGMENT, &io) == ETALON_OK, "%s", rig.error.text);
    for (uint32_t l = 0; l < 8; l++) {
        const bool gone = l == 3 || l == 5; /* a helper, a killed lane */
        ck_assert_uint_eq(rig.result[0][l], et_float_bits((float)((l < 4 ? 10 : 20) + (l & 1)) + 0.5f));
        ck_assert_uint_eq(rig.result[1][l], 0x12345678);
        ck_assert_uint_eq(rig.result[5][l], gone ? ~0u : 0);
        ck_assert_uint_eq(word(&rig, 4 * l), gone ? 0 : 77);
    }
    ck_assert_uint_eq(fragment.killed, 1u << 5);
    rig_close(&rig);
}
END_TEST

/* A program of constants, interpolation, predicates, a loop and special functions, run by four warps in step
 * and one by one: the same registers, counts and killed lanes. `way`: 0 all warps leave the loop together; 1
 * their lanes part; 2 warps part; 3 it stores, and has no such form. */
START_TEST(teams_equal_their_warps)
{
    static struct et_fragment_layout layout;
    const int way = _i;
    struct et_primitive primitive = {.front = true};
    struct et_plane planes[1];
    struct et_fragment_io fragment[2][ET_TEAM];
    struct et_warp_io team[ET_TEAM], alone;
    struct et_counts counts[2] = {{0}};
    struct rig rig;
    struct et_ir *ir;
    struct et_context *context;
    rig_open(&rig);
    memset(layout.plane, 0xff, sizeof layout.plane);
    memset(layout.flat, 0xff, sizeof layout.flat);
    layout.plane[0x80 / 4] = 0;
    et_plane_from_linear(&planes[0], 0.25, -0.5, 40, 128, 128, 1 << 20);
    primitive.planes = planes;
    rig.bank[3] = 7;
    ir = op_at(&rig, 0, ET_P_T, ET_IR_IPA);
    ir->dst[0] = 0;
    ir->imm = 0x80;
    ir = op_at(&rig, 8, ET_P_T, ET_IR_LDC);
    ir->dst[0] = 1;
    ir->imm = 12;
    ir->type = ET_U32;
    op3(&rig, 16, ET_IR_MOV, 2, I(0), none, none);
    op3(&rig, 24, ET_IR_MOV, 3, I(0x3f000000), none, none); /* read once, then overwritten */
    op3(&rig, 32, ET_IR_FFMA, 4, R(0), R(3), R(4))->ftz = true;
    op3(&rig, 40, ET_IR_MOV, 3, I(5), none, none);
    op3(&rig, 48, ET_IR_IADD3, 2, R(2), I(1), none);
    compare(&rig, 56, 0, ET_CMP_GE, 2, 9);
    ir = op_at(&rig, 64, ET_P_T, ET_IR_PLOP3); /* P1 = P0 */
    ir->pdst[0] = 1;
    ir->psrc[2] = 0;
    ir->imm = 0xaa;
    if (way == 1)
        compare(&rig, 72, 1, ET_CMP_GT, 0, et_float_bits(41));
    else
        op_at(&rig, 72, ET_P_T, ET_IR_NOP);
    if (way == 2) { /* the value of the warp's first pixel */
        ir = op3(&rig, 80, ET_IR_SHFL, 6, R(0), I(0), I(31));
        ir->fn = ET_SHFL_IDX;
        compare(&rig, 88, 1, ET_CMP_GT, 6, et_float_bits(41));
    } else {
        op3(&rig, 80, ET_IR_MUFU, 6, R(0), none, none)->fn = ET_MUFU_SQRT;
        op3(&rig, 88, ET_IR_MOV, 7, R(3), none, none)->guard = 0;
    }
    jump(&rig, 96, 1 | ET_P_NOT, 120);
    jump(&rig, 104, ET_P_T, 112);
    jump(&rig, 112, ET_P_T, 136);
    jump(&rig, 120, ET_P_T, 128); /* jumps to jumps */
    jump(&rig, 128, ET_P_T, 48);
    compare(&rig, 136, 2, ET_CMP_GT, 0, et_float_bits(41));
    op_at(&rig, 144, 2, ET_IR_KIL);
    if (way == 3)
        store(&rig, 152, ET_P_T, 7, 0);
    exit_at(&rig, 160, ET_P_T);
    ck_assert_int_eq(et_program_create_ir(&rig.program, ET_ISA_AMPERE, &rig.ir, &rig.error), ETALON_OK);
    ck_assert_int_eq(et_program_info(rig.program)->team, way != 3);
    rig.launch.program = rig.program;
    rig.launch.stage = ET_STAGE_FRAGMENT;
    context = et_context_create(&rig.error);
    for (unsigned round = 0; round < 3 && way != 3; round++) { /* the file has run it, or not */
        bool parts = way != 0;
        memset(counts, 0, sizeof counts);
        for (unsigned k = 0; k < 2; k++)
            for (unsigned n = 0; n < ET_TEAM; n++) {
                fragment[k][n] =
                    (struct et_fragment_io){.layout = &layout, .cell = true, .samples = 1, .passes = 1};
                for (unsigned quad = 0; quad < 8; quad++) {
                    fragment[k][n].primitive[quad] = &primitive;
                    fragment[k][n].x[quad] = (int32_t)(n * 8 + (quad & 3) * 2);
                    fragment[k][n].y[quad] = (int32_t)(round * 4 + (quad >> 2) * 2);
                }
                team[n] = (struct et_warp_io){.lanes = ~0u, .fragment = &fragment[0][n]};
            }
        ck_assert_int_eq(et_run_team(context, &rig.launch, team, &counts[0]), !parts);
        if (parts) {
            ck_assert_uint_eq(counts[0].instructions, 0);
            continue;
        }
        for (unsigned n = 0; n < ET_TEAM; n++) {
            uint32_t want[8][ET_LANES];
            for (unsigned r = 0; r < 8; r++)
                memcpy(want[r], team[n].registers[r * team[n].register_step], sizeof want[r]);
            alone = (struct et_warp_io){.lanes = ~0u, .fragment = &fragment[1][n]};
            ck_assert_int_eq(et_run_warp(context, &rig.launch, &alone, &counts[1], &rig.error), ETALON_OK);
            for (unsigned r = 0; r < 8; r++)
                ck_assert_msg(!memcmp(want[r], alone.registers[r * alone.register_step], sizeof want[r]),
                              "warp %u register %u", n, r);
            ck_assert_uint_eq(fragment[0][n].killed, fragment[1][n].killed);
            ck_assert_uint_eq(alone.registers[1][0], 7);
            ck_assert_uint_eq(alone.registers[2][0], 9);
            ck_assert_uint_eq(alone.registers[3][0], 5);
            ck_assert_uint_eq(alone.registers[7][0], 5);
        }
        ck_assert_uint_eq(counts[0].instructions, counts[1].instructions);
        ck_assert_uint_eq(counts[0].lane_instructions, counts[1].lane_instructions);
        ck_assert_uint_eq(counts[1].instructions, ET_TEAM * (6 + 9 * 7 + 8 * 2 + 2 + 3));
    }
    et_context_destroy(context);
    rig_close(&rig);
}
END_TEST

/* Sample positions may differ in each pixel of a 2x2 tile: IPA in a run a sample, at the centroid, and PIXLD.
 */
START_TEST(sample_positions_by_pixel)
{
    static const uint8_t position[4][16][2] = {
        {{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}, {{9, 10}, {11, 12}}, {{13, 14}, {15, 0}}};
    static struct et_fragment_layout layout;
    const struct et_primitive primitive = {.front = true};
    struct et_fragment_io fragment = {
        .layout = &layout, .primitive = {&primitive}, .samples = 2, .position = position};
    struct et_warp_io io = {.lanes = 0xf, .fragment = &fragment};
    memset(layout.plane, 0xff, sizeof layout.plane);
    memset(layout.flat, 0xff, sizeof layout.flat);
    for (unsigned l = 0; l < 4; l++)
        fragment.coverage[l] = 2;
    for (unsigned passes = 1; passes <= 2; passes++) {
        struct rig rig;
        struct et_ir *ir;
        rig_open(&rig);
        fragment.passes = (uint8_t)passes;
        fragment.sample[0] = 1;
        for (unsigned i = 0; i < 2; i++) {
            ir = op_at(&rig, 8 * i, ET_P_T, ET_IR_IPA);
            ir->dst[0] = (uint8_t)i;
            ir->imm = 0x70 + 4 * i;
            ir->fn2 = ET_IPA_CENTROID;
        }
        ir = op_at(&rig, 16, ET_P_T, ET_IR_PIXLD);
        ir->dst[0] = 2;
        ir->imm = 0;
        ir->fn = ET_PIXLD_OFFSET;
        ir = op_at(&rig, 24, ET_P_T, ET_IR_PIXLD);
        ir->dst[0] = 3;
        ir->fn = ET_PIXLD_CENT_OFFSET;
        exit_at(&rig, 32, ET_P_T);
        ck_assert_msg(run_graphics(&rig, ET_STAGE_FRAGMENT, &io) == ETALON_OK, "%s", rig.error.text);
        for (uint32_t l = 0; l < 4; l++) {
            const uint8_t *first = position[l][0], *second = position[l][1];
            const float x = (float)(l & 1) + (float)second[0] / 16,
                        y = (float)(l >> 1) + (float)second[1] / 16;
            ck_assert_uint_eq(rig.result[0][l], et_float_bits(x));
            ck_assert_uint_eq(rig.result[1][l], et_float_bits(y));
            ck_assert_uint_eq(rig.result[2][l], (uint32_t)(uint16_t)((first[0] - 8) * 256) |
                                                    (uint32_t)(uint16_t)((first[1] - 8) * 256) << 16);
            ck_assert_uint_eq(rig.result[3][l], (uint32_t)(uint16_t)((second[0] - 8) * 256) |
                                                    (uint32_t)(uint16_t)((second[1] - 8) * 256) << 16);
        }
        rig_close(&rig);
    }
}
END_TEST

/* An offset's halves hold twelve bits each, (-1/8, -3/8) of a pixel here. */
START_TEST(offset_positions)
{
    static struct et_fragment_layout layout;
    const struct et_primitive primitive = {.front = true};
    struct et_fragment_io fragment = {
        .layout = &layout, .primitive = {&primitive}, .x = {10}, .y = {30}, .samples = 4, .passes = 1};
    struct et_warp_io io = {.lanes = 0xf, .fragment = &fragment};
    struct rig rig;
    rig_open(&rig);
    memset(layout.plane, 0xff, sizeof layout.plane);
    memset(layout.flat, 0xff, sizeof layout.flat);
    for (unsigned i = 0; i < 2; i++) {
        struct et_ir *ir = op_at(&rig, 8 * i, ET_P_T, ET_IR_IPA);
        ir->dst[0] = (uint8_t)i;
        ir->imm = 0x70 + 4 * i;
        ir->fn2 = ET_IPA_OFFSET;
        ir->src[2] = I(0x2a006e00);
    }
    exit_at(&rig, 16, ET_P_T);
    ck_assert_msg(run_graphics(&rig, ET_STAGE_FRAGMENT, &io) == ETALON_OK, "%s", rig.error.text);
    for (uint32_t l = 0; l < 4; l++) {
        ck_assert_uint_eq(rig.result[0][l], et_float_bits((float)(10 + (l & 1)) + 0.375f));
        ck_assert_uint_eq(rig.result[1][l], et_float_bits((float)(30 + (l >> 1)) + 0.125f));
    }
    rig_close(&rig);
}
END_TEST

static uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state ^ *state >> 15;
}

/* A single of any sign and of exponents around 127 +- spread, or now and then any bits at all. */
static float some_single(uint32_t *state, unsigned spread)
{
    const uint32_t bits = next_random(state), choice = next_random(state) & 15;
    const uint32_t exponent = 127 - spread + next_random(state) % (2 * spread);
    return et_float(choice == 0 ? bits : (bits & 0x807fffff) | exponent << 23);
}

static void fill_word(uint32_t lanes[ET_LANES], uint32_t value)
{
    for (unsigned l = 0; l < ET_LANES; l++)
        lanes[l] = value;
}

static const struct insn *stop_here(struct warp *w, const struct insn *i)
{
    (void)w;
    (void)i;
    return NULL;
}

static op_fn *const *const ipa_levels[] = {
    et_interp_ipa_generic,
#if defined(ETALON_X86_LEVELS)
    et_interp_ipa_v2,
    et_interp_ipa_v3,
    et_interp_ipa_v4
#endif
};

/* What interpolate.c makes of random quads, planes and factors is what the slow IPA makes of them. */
START_TEST(interpolation_equals_its_twin)
{
    static const uint16_t words[] = {0x78, 0x7c, 0x80, 0x84, 0x88, 0x70, 0x60, 0x3fc, 0x8c};
    static uint32_t file[4 * ET_LANES] __attribute__((aligned(64))), want[ET_LANES];
    static struct et_fragment_layout layout;
    struct et_primitive primitive[3] = {{.front = true}, {.layer = 5}, {.primitive_id = 7}};
    struct et_plane planes[3][2];
    uint32_t flats[3][2], random = 5;
    const uint32_t fp = et_fp_save();
    memset(layout.plane, 0xff, sizeof layout.plane);
    memset(layout.flat, 0xff, sizeof layout.flat);
    layout.plane[0x80 / 4] = layout.flat[0x80 / 4] = 0;
    layout.plane[0x84 / 4] = layout.flat[0x84 / 4] = 1;
    layout.flat[0x88 / 4] = 1;
    layout.perspective[0x80 / 4] = true;
    for (unsigned round = 0; round < 5000; round++) {
        struct et_fragment_io fragment = {.layout = &layout, .samples = 1, .passes = 1};
        struct et_warp_io io = {.fragment = &fragment};
        struct warp w = {.file = file, .io = &io, .active = ~0u, .full = ~0u, .mode = MODE_NONE};
        struct et_ir ir = {.op = ET_IR_IPA, .sat = round & 1};
        struct insn i = {
            .ir = &ir, .d = 0, .a = 2, .b = 1, .c = 2, .guard = ET_P_T, .fn = (uint8_t)(round >> 1 & 3)};
        i.imm = words[next_random(&random) % ET_COUNT(words)];
        w.pred[ET_P_T] = next_random(&random) & 1 ? ~0u : next_random(&random);
        for (unsigned p = 0; p < 3; p++) {
            struct et_plane *const all[] = {&planes[p][0], &planes[p][1], &primitive[p].z, &primitive[p].w};
            primitive[p].planes = planes[p];
            primitive[p].flat = flats[p];
            flats[p][0] = next_random(&random);
            flats[p][1] = next_random(&random);
            for (unsigned n = 0; n < 4; n++) {
                const unsigned spread = round % 3 == 0 ? 126 : 20;
                const bool flat = next_random(&random) % 8 == 0; /* the same everywhere */
                const double a = flat ? 0 : some_single(&random, spread),
                             b = flat ? 0 : some_single(&random, spread);
                et_plane_from_linear(
                    all[n], a, b, some_single(&random, spread), (int32_t)(next_random(&random) % 4096),
                    (int32_t)(next_random(&random) % 4096), (int32_t)(next_random(&random) % 65536));
                if (next_random(&random) % 4 == 0)
                    all[n]->plain = false;
            }
        }
        for (unsigned quad = 0; quad < 8; quad++) {
            const uint32_t pick = next_random(&random) % 13;
            fragment.primitive[quad] = pick < 12 ? &primitive[pick % 3] : NULL;
            fragment.x[quad] = (int32_t)(next_random(&random) % 64) * 2;
            fragment.y[quad] = (int32_t)(next_random(&random) % 64) * 2;
        }
        fragment.cell = next_random(&random) & 1;
        for (unsigned quad = 0; quad < 8 && fragment.cell; quad++) {
            fragment.primitive[quad] = &primitive[0];
            fragment.x[quad] = fragment.x[0] + (int32_t)(quad & 3) * 2;
            fragment.y[quad] = fragment.y[0] + (int32_t)(quad >> 2) * 2;
        }
        for (unsigned l = 0; l < ET_LANES; l++)
            file[ET_LANES + l] = et_float_bits(some_single(&random, 40));
        for (size_t level = 0; level < ET_COUNT(ipa_levels) && level <= (size_t)et_interp_level(); level++) {
            fill_word(file, 0xa5a5a5a5);
            set_mode(&w, ET_RN);
            ck_assert_ptr_eq(et_op_ipa(&w, &i), &i + 1);
            memcpy(want, file, ET_LANES * sizeof *want);
            fill_word(file, 0xa5a5a5a5);
            set_mode(&w, i.fn & 1 || round & 8 ? ET_RZ | 8 : ET_RN); /* where it multiplies, the linker's */
            ck_assert_ptr_eq(ipa_levels[level][0](&w, &i), &i + 1);
            for (unsigned l = 0; l < ET_LANES; l++)
                ck_assert_msg(file[l] == want[l], "round %u level %zu word 0x%x lane %u: %08x, slow %08x",
                              round, level, i.imm, l, file[l], want[l]);
        }
    }
    et_fp_restore(fp);
}
END_TEST

/* What a team makes of random cells is what the slow IPA makes of each. */
START_TEST(a_teams_interpolation_equals_its_twin)
{
    static const uint16_t words[] = {0x78, 0x7c, 0x80, 0x84, 0x88};
    static uint32_t file[4 * ET_TEAM * ET_LANES] __attribute__((aligned(64)));
    static uint32_t want[ET_TEAM][ET_LANES];
    static struct et_fragment_layout layout;
    static struct warp w[ET_TEAM];
    struct et_primitive primitive[2] = {{.front = true}, {.layer = 5}};
    struct et_plane planes[2][2];
    uint32_t flats[1] = {7}, random = 15;
    const uint32_t fp = et_fp_save();
    memset(layout.plane, 0xff, sizeof layout.plane);
    memset(layout.flat, 0xff, sizeof layout.flat);
    layout.plane[0x80 / 4] = 0;
    layout.plane[0x84 / 4] = 1;
    layout.flat[0x88 / 4] = 0;
    layout.perspective[0x80 / 4] = true;
    for (unsigned round = 0; round < 5000; round++) {
        struct et_fragment_io fragment[ET_TEAM];
        struct et_warp_io io[ET_TEAM];
        struct et_ir ir = {.op = ET_IR_IPA, .sat = round % 5 == 0};
        struct insn i = {.ir = &ir,
                         .d = 0,
                         .a = 2 * ET_TEAM,
                         .b = ET_TEAM,
                         .c = 2 * ET_TEAM,
                         .guard = ET_P_T,
                         .fn = (uint8_t)(round >> 1 & 3),
                         .imm = words[next_random(&random) % ET_COUNT(words)]};
        const bool row = next_random(&random) & 1;
        for (unsigned p = 0; p < 2; p++) {
            struct et_plane *const all[] = {&planes[p][0], &planes[p][1], &primitive[p].z, &primitive[p].w};
            primitive[p].planes = planes[p];
            primitive[p].flat = flats;
            for (unsigned n = 0; n < 4; n++) {
                const unsigned spread = round % 3 == 0 ? 126 : 12;
                et_plane_from_linear(all[n], some_single(&random, spread), some_single(&random, spread),
                                     some_single(&random, spread), (int32_t)(next_random(&random) % 4096),
                                     (int32_t)(next_random(&random) % 4096), 65536);
                all[n]->plain = next_random(&random) % 4 != 0;
                if (n > 1 && next_random(&random) & 1)
                    all[n]->tile_x = all[n]->tile_y = 8 * 256;
            }
        }
        for (unsigned n = 0; n < ET_TEAM; n++) {
            const struct et_primitive *const of = &primitive[row ? 0 : next_random(&random) & 1];
            fragment[n] = (struct et_fragment_io){
                .layout = &layout, .samples = 1, .passes = 1, .cell = true, .row = row};
            fragment[n].x[0] = (int32_t)(next_random(&random) % 16) * 8;
            fragment[n].y[0] = (int32_t)(next_random(&random) % 16) * 4;
            if (row && n) {
                fragment[n].x[0] = fragment[0].x[0] + (int32_t)n * 8;
                fragment[n].y[0] = fragment[0].y[0];
            }
            for (unsigned quad = 0; quad < 8; quad++) {
                fragment[n].primitive[quad] = of;
                fragment[n].x[quad] = fragment[n].x[0] + (int32_t)(quad & 3) * 2;
                fragment[n].y[quad] = fragment[n].y[0] + (int32_t)(quad >> 2) * 2;
            }
            io[n].fragment = &fragment[n];
            w[n].file = file + n * ET_LANES;
            w[n].io = &io[n];
            w[n].active = w[n].full = w[n].pred[ET_P_T] = ~0u;
        }
        for (unsigned l = 0; l < ET_TEAM * ET_LANES; l++)
            file[ET_TEAM * ET_LANES + l] = et_float_bits(some_single(&random, 40));
        for (size_t level = 0; level < ET_COUNT(ipa_levels) && level <= (size_t)et_interp_level(); level++) {
            const struct insn each[2] = {{.op = ipa_levels[level][0],
                                          .ir = &ir,
                                          .d = i.d,
                                          .a = i.a,
                                          .b = i.b,
                                          .c = i.c,
                                          .guard = i.guard,
                                          .fn = i.fn,
                                          .imm = i.imm},
                                         {.op = stop_here}};
            struct insn code[2] = {i, {.op = stop_here}};
            code[0].each = each;
            for (unsigned n = 0; n < ET_TEAM; n++) {
                set_mode(&w[n], ET_RN);
                et_op_ipa(&w[n], &i);
                memcpy(want[n], w[n].file, sizeof want[n]);
                fill_word(w[n].file, 0xa5a5a5a5);
                w[n].mode = MODE_NONE;
            }
            for (unsigned n = 0; n < ET_TEAM; n++)
                set_mode(&w[n], i.fn & 1 || round & 8 ? ET_RZ | 8 : ET_RN);
            ipa_levels[level][1](w, code);
            for (unsigned l = 0; l < ET_TEAM * ET_LANES; l++)
                ck_assert_msg(file[l] == want[l / ET_LANES][l % ET_LANES],
                              "round %u level %zu word 0x%x lane %u: %08x, slow %08x", round, level, i.imm, l,
                              file[l], want[l / ET_LANES][l % ET_LANES]);
        }
    }
    et_fp_restore(fp);
}
END_TEST

/* The vector RCP on every exponent and random fractions against the scalar one. */
START_TEST(reciprocals_equal_their_twin)
{
    static op_fn *const *const tables[] = {
        et_interp_alu_generic,
#if defined(ETALON_X86_LEVELS)
        et_interp_alu_v2,
        et_interp_alu_v3,
        et_interp_alu_v4
#endif
    };
    static uint32_t file[2 * ET_LANES] __attribute__((aligned(64)));
    uint32_t random = 9;
    for (size_t level = 0; level < ET_COUNT(tables) && level <= (size_t)et_interp_level(); level++)
        for (uint32_t round = 0; round < 32768; round++) {
            struct warp w = {.file = file, .active = ~0u, .full = ~0u, .mode = MODE_NONE};
            struct et_ir ir = {.op = ET_IR_MUFU};
            struct insn code[2] = {{.op = tables[level][ALU_mufu_rcp],
                                    .ir = &ir,
                                    .fn = ET_MUFU_RCP,
                                    .d = 0,
                                    .a = 1,
                                    .guard = ET_P_T},
                                   {.op = stop_here}};
            w.pred[ET_P_T] = ~0u;
            for (unsigned l = 0; l < ET_LANES; l++)
                file[ET_LANES + l] =
                    (next_random(&random) & (round & 1 ? 0x807fffff : 0x80000000)) | (round / 2 & 255) << 23;
            if (round % 8 == 7) /* all lanes alike: another path */
                fill_word(file + ET_LANES, file[ET_LANES]);
            code[0].op(&w, code);
            for (unsigned l = 0; l < ET_LANES; l++)
                ck_assert_uint_eq(file[l], et_mufu(ET_MUFU_RCP, file[ET_LANES + l]));
        }
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
START_TEST(rare_integer_ops)
{
    static const struct {
        uint16_t op;
        uint8_t type, type2, fn;
        uint32_t flags;
        int32_t imm;
        uint32_t a, b, c, want;
    } cases[] = {
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
    struct rig rig;
    struct et_ir *ir;
    rig_open(&rig);
    prologue(&rig);
    ir = op3(&rig, 24, (enum et_ir_op)cases[_i].op, 4, I(cases[_i].a), none, none);
    if (strlen(et_ir_ops[cases[_i].op].src) > 1)
        ir->src[1] = I(cases[_i].b);
    if (strlen(et_ir_ops[cases[_i].op].src) > 2)
        ir->src[2] = I(cases[_i].c);
    ir->type = cases[_i].type;
    ir->type2 = cases[_i].type2;
    ir->fn = cases[_i].fn;
    ir->flags = cases[_i].flags;
    ir->imm = cases[_i].imm;
    store(&rig, 32, ET_P_T, 4, 0);
    exit_at(&rig, 40, ET_P_T);
    ck_assert_int_eq(run(&rig, ET_ISA_AMPERE, 1, 32, 1), ETALON_OK);
    ck_assert_uint_eq(word(&rig, 0), cases[_i].want);
    rig_close(&rig);
}
END_TEST
enum { RARE_CASES = 17 };

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
    tcase_add_test(tcase, vertices_load_store_and_emit);
    tcase_add_test(tcase, vertex_programs_continue);
    tcase_add_test(tcase, fragments_interpolate_and_die);
    tcase_add_loop_test(tcase, teams_equal_their_warps, 0, 4);
    tcase_add_test(tcase, sample_positions_by_pixel);
    tcase_add_test(tcase, offset_positions);
    tcase_add_test(tcase, interpolation_equals_its_twin);
    tcase_add_test(tcase, a_teams_interpolation_equals_its_twin);
    tcase_add_test(tcase, reciprocals_equal_their_twin);
    tcase_add_loop_test(tcase, every_op_runs_or_says_why, 0, 2 * ET_IR_OP_COUNT);
    tcase_add_loop_test(tcase, rare_integer_ops, 0, RARE_CASES);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
