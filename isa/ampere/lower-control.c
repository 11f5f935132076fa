/* Control flow, convergence, barriers, warp-wide instructions. */
#include "isa/ampere/lower-names.h"

#include <string.h>

static enum etalon_status nothing(lower_t *lower)
{
    et_ampere_emit(lower, ET_IR_NOP);
    return ETALON_OK;
}

static uint64_t next_pc(const lower_t *lower)
{
    return lower->insn->pc + 16;
}

/* BRA.DIV and BRA.CONV: a predicate that is true when all lanes of the mask u run and their guard holds. All
 * lanes go the same way: ptxas sends them where lanes with unlike masks part, guarded by which have the first
 * one's. [INF] */
static uint8_t converged(lower_t *lower)
{
    const uint8_t guard = lower->builder->guard;
    struct et_ir *ir;
    lower->builder->guard = ET_P_T;
    ir = et_ampere_emit(lower, ET_IR_VOTE);
    ir->dst[0] = et_ampere_temp(0);
    ir->psrc[0] = guard;
    ir = et_ampere_emit(lower, ET_IR_LOP3);
    ir->dst[0] = et_ampere_temp(0);
    ir->src[0] = SRC('u');
    ir->src[1] = et_ir_reg(et_ampere_temp(0));
    ir->imm = 0x30; /* s0 & ~s1 */
    ir = et_ampere_emit(lower, ET_IR_ISETP);
    ir->src[0] = et_ir_reg(et_ampere_temp(0));
    ir->src[1] = et_ir_imm(0);
    ir->cmp = ET_CMP_EQ;
    ir->pdst[0] = et_ampere_ptemp(0);
    return et_ampere_ptemp(0);
}

/* What a branch asks beside its guard: a predicate, a uniform one (.U), the mask of .DIV and .CONV. */
static uint8_t asked(lower_t *lower)
{
    uint8_t condition = PSRC('s');
    if (OP('t')->kind)
        condition = et_ampere_both(lower, condition, PSRC('t'), 1);
    if (OP('u')->kind) {
        uint8_t all = converged(lower);
        condition = et_ampere_both(lower, condition, MOD(brac) == 3 ? all : all | ET_P_NOT, 1);
    }
    return condition;
}

/* To a place, or to a register pair or constant plus a displacement, both counted from `base`. */
static void go(lower_t *lower, uint8_t condition, uint64_t base, uint32_t flag)
{
    const int constant = OP('b')->kind, reg = constant || OP('a')->kind;
    struct et_ir *ir = et_ampere_emit(lower, reg ? ET_IR_JUMP_REG : ET_IR_JUMP);
    ir->psrc[0] = condition;
    ir->src[0] = constant ? SRC('b') : SRC('a');
    ir->target = base + (uint64_t)OP('l')->value;
    ir->flags |= flag | (reg ? ET_F_A64 : 0);
}

/* Absolute addresses count from where the code's region starts. */
static uint64_t absolute(lower_t *lower)
{
    lower->builder->absolute = true;
    return 0 - lower->builder->origin;
}

/* Divergence counters (.INC, .DEC) and, of registers, tests of the warp's convergence have no user. */
static int strange(const lower_t *lower)
{
    return MOD(incdec) || MOD(brau) > 1;
}

static enum etalon_status bra(lower_t *lower)
{
    if (strange(lower))
        return ETALON_UNSUPPORTED;
    go(lower, asked(lower), 0, 0);
    return ETALON_OK;
}

/* BRX: from the next instruction. */
static enum etalon_status brx(lower_t *lower)
{
    if (strange(lower))
        return ETALON_UNSUPPORTED;
    go(lower, PSRC('s'), next_pc(lower), 0);
    return ETALON_OK;
}

static enum etalon_status jmp(lower_t *lower)
{
    if (strange(lower))
        return ETALON_UNSUPPORTED;
    go(lower, asked(lower), absolute(lower), 0);
    return ETALON_OK;
}

/* CALL and RET, .REL and .ABS; the caller has put the return address in registers. */
static enum etalon_status transfer(lower_t *lower, uint32_t flag)
{
    go(lower, PSRC('s'), OP('l')->kind == ET_KIND_L ? 0 : absolute(lower), flag);
    return ETALON_OK;
}

static enum etalon_status call(lower_t *lower)
{
    return transfer(lower, ET_F_CALL);
}

static enum etalon_status ret(lower_t *lower)
{
    return transfer(lower, ET_F_RET);
}

static enum etalon_status bssy(lower_t *lower)
{
    struct et_ir *ir = et_ampere_emit(lower, ET_IR_BSSY);
    ir->psrc[0] = PSRC('s');
    ir->imm = (int32_t)OP('d')->value;
    ir->target = (uint64_t)OP('l')->value;
    return ETALON_OK;
}

static enum etalon_status barrier_register(lower_t *lower, enum et_ir_op op)
{
    struct et_ir *ir = et_ampere_emit(lower, op);
    ir->psrc[0] = PSRC('s');
    ir->imm = (int32_t)OP('d')->value;
    return ETALON_OK;
}

static enum etalon_status bsync(lower_t *lower)
{
    return barrier_register(lower, ET_IR_BSYNC);
}

static enum etalon_status break_(lower_t *lower)
{
    return barrier_register(lower, ET_IR_BREAK);
}

enum { MACTIVE = ET_BARRIER_MACTIVE, ATEXIT_PC_LO = 30 };

/* BMOV: convergence barriers; of the other names only the active mask is known, and ATEXIT_PC is a
 * debugger's. */
static enum etalon_status bmov(lower_t *lower)
{
    unsigned name = (unsigned)OP('x')->value;
    int between = OP('d')->kind == ET_KIND_B, to_mask = !OP('d')->kind || lower->insn->row->op == 0xf56;
    struct et_ir *ir;
    if (!OP('x')->kind || name >= ATEXIT_PC_LO)
        return OP('d')->kind ? ETALON_UNSUPPORTED : nothing(lower);
    if ((MOD(PQUAD) && name != MACTIVE) || (name >= 16 && name != MACTIVE))
        return ETALON_UNSUPPORTED;
    if (name == MACTIVE && !to_mask && between) { /* B d = the active lanes */
        ir = et_ampere_emit(lower, ET_IR_VOTE);
        ir->dst[0] = et_ampere_temp(0);
        ir = et_ampere_emit(lower, ET_IR_BMOV_TO);
        ir->src[0] = et_ir_reg(et_ampere_temp(0));
        ir->imm = (int32_t)OP('d')->value;
        return ETALON_OK;
    }
    if (name == MACTIVE && !to_mask) {
        ir = et_ampere_emit(lower, ET_IR_VOTE);
        ir->dst[0] = DST('d');
        return ETALON_OK;
    }
    if (!OP('d')->kind) {
        ir = et_ampere_emit(lower, ET_IR_BMOV_TO);
        ir->src[0] = SRC('b');
        ir->imm = (int32_t)name;
        ir->fn = (uint8_t)MOD(PQUAD);
        return ETALON_OK;
    }
    if (between && lower->insn->row->op == 0xf56) { /* B x = B d */
        ir = et_ampere_emit(lower, ET_IR_BMOV_FROM);
        ir->dst[0] = et_ampere_temp(0);
        ir->imm = (int32_t)OP('d')->value;
        ir = et_ampere_emit(lower, ET_IR_BMOV_TO);
        ir->src[0] = et_ir_reg(et_ampere_temp(0));
        ir->imm = (int32_t)name;
        ir->fn = (uint8_t)MOD(PQUAD);
        return ETALON_OK;
    }
    ir = et_ampere_emit(lower, ET_IR_BMOV_FROM);
    ir->dst[0] = between ? et_ampere_temp(0) : DST('d');
    ir->imm = (int32_t)name;
    ir->fn = (uint8_t)MOD(CLEAR);
    if (between) {
        ir = et_ampere_emit(lower, ET_IR_BMOV_TO);
        ir->src[0] = et_ir_reg(et_ampere_temp(0));
        ir->imm = (int32_t)OP('d')->value;
    }
    return ETALON_OK;
}

static enum etalon_status warpsync(lower_t *lower)
{
    struct et_ir *ir = et_ampere_emit(lower, ET_IR_WARPSYNC);
    ir->psrc[0] = PSRC('s');
    ir->src[0] = SRC('b');
    return ETALON_OK;
}

static enum etalon_status yield(lower_t *lower)
{
    struct et_ir *ir = et_ampere_emit(lower, ET_IR_YIELD);
    ir->psrc[0] = PSRC('s');
    return ETALON_OK;
}

static enum etalon_status exit_(lower_t *lower)
{
    struct et_ir *ir = et_ampere_emit(lower, ET_IR_EXIT);
    ir->psrc[0] = PSRC('s');
    return ETALON_OK;
}

/* KILL with a condition of its own: the guard takes it in. */
static enum etalon_status kill_(lower_t *lower)
{
    if (!et_ampere_is_true(lower, 's')) {
        uint8_t guard = lower->builder->guard;
        lower->builder->guard = ET_P_T;
        lower->builder->guard = et_ampere_both(lower, guard, PSRC('s'), 0);
    }
    et_ampere_emit(lower, ET_IR_KIL);
    return ETALON_OK;
}

static enum etalon_status trap(lower_t *lower)
{
    et_ampere_emit(lower, ET_IR_TRAP);
    return ETALON_OK;
}

/* BPT: .TRAP ends the program; the others speak to a debugger. */
static enum etalon_status bpt(lower_t *lower)
{
    return MOD(bpt) == 3 ? trap(lower) : nothing(lower);
}

static enum etalon_status nanosleep_(lower_t *lower)
{
    struct et_ir *ir;
    if (!OP('b')->kind)
        return nothing(lower);
    if (!et_ampere_is_true(lower, 's'))
        lower->builder->guard = et_ampere_both(lower, lower->builder->guard, PSRC('s'), 0);
    ir = et_ampere_emit(lower, ET_IR_NANOSLEEP);
    ir->src[0] = SRC('b');
    return ETALON_OK;
}

static enum etalon_status lepc(lower_t *lower)
{
    struct et_ir *ir = et_ampere_emit(lower, ET_IR_LEPC);
    ir->dst[0] = DST('d');
    return ETALON_OK;
}

/* BAR: barrier number and thread count, immediate or register; both in one register: count << 16 | number.
 * [INF] */
static enum etalon_status bar(lower_t *lower)
{
    static const uint8_t reductions[] = {ET_BAR_RED_POPC, ET_BAR_RED_AND, ET_BAR_RED_OR};
    unsigned form = lower->insn->row->op >> 8, kind = et_ampere_bits(lower, 77, 3);
    struct et_ir_src number = SRC('n'), threads;
    struct et_ir *ir;
    memset(&threads, 0, sizeof threads);
    if (form == 5 || form == 11) {
        if (OP('c')->value)
            threads = SRC('c');
    } else {
        threads = SRC('b');
    }
    if (form == 5)
        number = SRC('b');
    if (form == 3) {
        ir = et_ampere_emit(lower, ET_IR_SHR);
        ir->dst[0] = et_ampere_temp(0);
        ir->src[0] = SRC('b');
        ir->src[1] = et_ir_imm(16);
        et_ampere_logic(lower, et_ampere_temp(0), et_ir_reg(et_ampere_temp(0)), et_ir_imm(0xfff),
                        et_ir_imm(0), 0xc0);
        et_ampere_logic(lower, et_ampere_temp(1), SRC('b'), et_ir_imm(15), et_ir_imm(0), 0xc0);
        number = et_ir_reg(et_ampere_temp(1));
        threads = et_ir_reg(et_ampere_temp(0));
    }
    ir = et_ampere_emit(lower, ET_IR_BAR);
    ir->src[0] = number;
    ir->src[1] = threads;
    ir->psrc[0] = PSRC('s');
    ir->fn = kind == 0   ? ET_BAR_SYNC
             : kind == 1 ? ET_BAR_ARRIVE
             : kind == 2 ? reductions[MOD(barred)]
             : kind == 3 ? ET_BAR_SCAN
                         : ET_BAR_SYNCALL;
    return ETALON_OK;
}

static enum etalon_status b2r(lower_t *lower)
{
    unsigned kind = et_ampere_bits(lower, 78, 2);
    struct et_ir *ir;
    if (kind == 2)
        return ETALON_UNSUPPORTED;
    ir = et_ampere_emit(lower, kind == 1 ? ET_IR_B2R_RESULT : ET_IR_B2R);
    ir->dst[0] = DST('d');
    if (kind == 1)
        ir->pdst[0] = PDST('p');
    else
        ir->src[0] = SRC('n');
    return ETALON_OK;
}

static enum etalon_status vote(lower_t *lower)
{
    struct et_ir *ir = et_ampere_emit(lower, ET_IR_VOTE);
    ir->dst[0] = DST('d');
    ir->pdst[0] = PDST('p');
    ir->psrc[0] = PSRC('s');
    ir->fn = (uint8_t)MOD(vote);
    return ETALON_OK;
}

static enum etalon_status shfl(lower_t *lower)
{
    struct et_ir *ir = et_ampere_abc(lower, ET_IR_SHFL);
    ir->pdst[0] = PDST('p');
    ir->fn = (uint8_t)MOD(shfl);
    return ETALON_OK;
}

static enum etalon_status match(lower_t *lower)
{
    struct et_ir *ir = et_ampere_emit(lower, ET_IR_MATCH);
    ir->dst[0] = DST('d');
    ir->pdst[0] = PDST('p');
    ir->src[0] = SRC('a');
    ir->type = MOD(U64) ? ET_U64 : ET_U32;
    ir->fn = et_ampere_bits(lower, 79, 1) ? 0 : 1;
    return ETALON_OK;
}

static enum etalon_status redux(lower_t *lower)
{
    struct et_ir *ir = et_ampere_emit(lower, ET_IR_REDUX);
    ir->dst[0] = DST('d');
    ir->src[0] = SRC('a');
    ir->type = MOD(S32) ? ET_S32 : ET_U32;
    ir->fn = (uint8_t)MOD(redux);
    return ETALON_OK;
}

const struct et_ampere_lowering et_ampere_control[] = {{"B2R", b2r},
                                                       {"BAR", bar},
                                                       {"BMOV", bmov},
                                                       {"BPT", bpt},
                                                       {"BRA", bra},
                                                       {"JMP", jmp},
                                                       {"JMX", jmp},
                                                       {"JMXU", jmp},
                                                       {"BREAK", break_},
                                                       {"BRX", brx},
                                                       {"BRXU", brx},
                                                       {"BSSY", bssy},
                                                       {"BSYNC", bsync},
                                                       {"CALL", call},
                                                       {"EXIT", exit_},
                                                       {"KILL", kill_},
                                                       {"LEPC", lepc},
                                                       {"MATCH", match},
                                                       {"NANOSLEEP", nanosleep_},
                                                       {"NOP", nothing},
                                                       {"PMTRIG", nothing},
                                                       {"REDUX", redux},
                                                       {"RET", ret},
                                                       {"RTT", trap},
                                                       {"SHFL", shfl},
                                                       {"VOTE", vote},
                                                       {"VOTEU", vote},
                                                       {"WARPSYNC", warpsync},
                                                       {"YIELD", yield},
                                                       {NULL, NULL}};
