/* IR by hand: a program under construction, a mapped megabyte, a launch. */
#ifndef ET_TESTS_IR_RIG_H
#define ET_TESTS_IR_RIG_H

#include "base/bits.h"
#include "isa/interp/ops.h"
#include "isa/ir/ir.h"
#include "support/suite.h"

#include <string.h>

#define BASE UINT64_C(0x10000) /* where its RAM is mapped */

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

static inline void rig_open(struct rig *rig)
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

static inline void rig_close(struct rig *rig)
{
    et_program_destroy(rig->program);
    et_ir_program_finish(&rig->ir);
    et_pagemap_finish(&rig->map);
    et_ram_destroy(&rig->ram);
}

/* Starts the machine instruction at `pc` with one op. */
static inline struct et_ir *op_at(struct rig *rig, uint64_t pc, uint8_t guard, enum et_ir_op op)
{
    et_ir_begin(&rig->builder, pc, guard);
    return et_ir_emit(&rig->builder, op);
}

static inline struct et_ir *op3(struct rig *rig, uint64_t pc, enum et_ir_op op, unsigned d,
                                struct et_ir_src a, struct et_ir_src b, struct et_ir_src c)
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
static inline void prologue(struct rig *rig)
{
    struct et_ir *ir = op_at(rig, 0, ET_P_T, ET_IR_S2R);
    ir->dst[0] = 0;
    ir->imm = ET_SR_TID_X;
    ir = op3(rig, 8, ET_IR_LEA, 2, R(0), I((uint32_t)BASE), none);
    ir->imm = 2;
    op3(rig, 16, ET_IR_MOV, 3, I(0), none, none);
}

/* An op on global memory at R(address), R(address + 1). */
static inline struct et_ir *global_at(struct rig *rig, uint64_t pc, enum et_ir_op op, unsigned address,
                                      int offset)
{
    struct et_ir *ir = op_at(rig, pc, ET_P_T, op);
    ir->space = ET_SPACE_GLOBAL;
    ir->flags = ET_F_A64;
    ir->src[0] = R(address);
    ir->imm = offset;
    return ir;
}

static inline void store(struct rig *rig, uint64_t pc, uint8_t guard, unsigned value, int offset)
{
    struct et_ir *ir = global_at(rig, pc, ET_IR_ST, 2, offset);
    ir->guard = guard;
    ir->src[2] = R(value);
}

static inline void exit_at(struct rig *rig, uint64_t pc, uint8_t guard)
{
    op_at(rig, pc, guard, ET_IR_EXIT);
}

static inline void jump(struct rig *rig, uint64_t pc, uint8_t guard, uint64_t target)
{
    op_at(rig, pc, guard, ET_IR_JUMP)->target = target;
}

/* P = R(reg) cmp value. */
static inline void compare(struct rig *rig, uint64_t pc, unsigned p, enum et_cmp cmp, unsigned reg,
                           uint32_t value)
{
    struct et_ir *ir = op_at(rig, pc, ET_P_T, ET_IR_ISETP);
    ir->pdst[0] = (uint8_t)p;
    ir->src[0] = R(reg);
    ir->src[1] = I(value);
    ir->cmp = (uint8_t)cmp;
}

static inline enum etalon_status run(struct rig *rig, enum et_isa_kind isa, uint32_t blocks, uint32_t threads,
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

static inline uint32_t word(const struct rig *rig, uint32_t offset)
{
    return et_load32(rig->ram.base + offset);
}

#endif
