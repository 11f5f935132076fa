/* Control flow, barriers, what crosses lanes, special registers. */
#include "isa/maxwell/lower.h"

#include "base/bits.h"

/* The condition-code test of control flow; an absent one is true. */
static uint8_t tested(struct lower *l)
{
    const struct et_operand *n = operand(l, 'n');
    return n->kind == ET_KIND_T ? et_maxwell_condition(l, (unsigned)n->value) : ET_P_T;
}

static uint64_t next_pc(const struct lower *l)
{
    return l->insn->pc + 8;
}

static void exits(struct lower *l)
{
    const uint8_t p = tested(l);
    emit(l, ET_IR_EXIT)->psrc[0] = p;
}

/* KIL has no predicate source: its test joins the guard. */
static void kil(struct lower *l)
{
    const uint8_t p = tested(l);
    struct et_ir *ir;
    if (p != ET_P_T) {
        const uint8_t both = temp_predicate(l);
        ir = emit(l, ET_IR_PLOP3);
        ir->guard = ET_P_T;
        ir->pdst[0] = both;
        ir->psrc[0] = p;
        ir->psrc[1] = l->builder->guard;
        ir->imm = 0xc0;
        l->builder->guard = both;
    }
    emit(l, ET_IR_KIL);
}

/* A push holds a place of the code that is known before. */
static bool no_constant_target(struct lower *l)
{
    if (operand(l, 'x')->kind != ET_KIND_NONE)
        return true;
    unsupported(l, "a stack entry for an address in a constant bank");
    return false;
}

/* Where a branch goes, in the code's own offsets. [DRV: nvc0 calls its library of divisions so] */
static uint64_t target_of(struct lower *l)
{
    const struct et_operand *x = operand(l, 'x');
    if (x->kind != ET_KIND_A)
        return (uint64_t)x->value;
    l->builder->absolute = true;
    return (uint64_t)x->value - l->builder->origin;
}

/* What a target in a register or constant counts from: JMP, JMX and JCAL from the code's start, the others
 * from the next instruction. */
static uint64_t target_base(struct lower *l, bool absolute)
{
    l->builder->absolute |= absolute;
    return absolute ? 0 - l->builder->origin : next_pc(l);
}

static void branch(struct lower *l, bool absolute)
{
    const uint8_t p = tested(l);
    const bool constant = operand(l, 'x')->kind == ET_KIND_NONE;
    struct et_ir *ir = emit(l, constant ? ET_IR_JUMP_REG : ET_IR_JUMP);
    ir->psrc[0] = p;
    if (constant)
        ir->src[0] = et_maxwell_source(l, 'b');
    ir->target = constant ? target_base(l, absolute) : target_of(l);
}

static void bra(struct lower *l)
{
    branch(l, false);
}

static void jmp(struct lower *l)
{
    branch(l, true);
}

/* To a register plus an offset, or to what a table in a constant bank holds there. */
static void jump_register(struct lower *l, bool absolute)
{
    const uint8_t p = tested(l);
    struct et_ir_src a = et_maxwell_source(l, 'a');
    struct et_ir *ir;
    uint64_t base = target_base(l, absolute);
    if (operand(l, 'b')->kind != ET_KIND_NONE) {
        ir = emit(l, ET_IR_LDC);
        ir->dst[0] = temp_registers(l, 1);
        ir->src[0] = a;
        ir->imm = (int32_t)operand(l, 'o')->value;
        ir->imm2 = (uint32_t)operand(l, 'b')->value;
        a = et_ir_reg(ir->dst[0]);
    } else {
        base += (uint64_t)operand(l, 'x')->value;
    }
    ir = emit(l, ET_IR_JUMP_REG);
    ir->psrc[0] = p;
    ir->src[0] = a;
    ir->target = base;
}

static void brx(struct lower *l)
{
    jump_register(l, false);
}

static void jmx(struct lower *l)
{
    jump_register(l, true);
}

static void calls(struct lower *l, bool absolute)
{
    const bool constant = operand(l, 'x')->kind == ET_KIND_NONE;
    struct et_ir *ir = emit(l, constant ? ET_IR_CALL_REG : ET_IR_CALL);
    if (constant)
        ir->src[0] = et_maxwell_source(l, 'b');
    ir->target = constant ? target_base(l, absolute) : target_of(l);
}

static void cal(struct lower *l)
{
    calls(l, false);
}

static void jcal(struct lower *l)
{
    calls(l, true);
}

static void push(struct lower *l, enum et_stack kind)
{
    struct et_ir *ir;
    if (!no_constant_target(l))
        return;
    ir = emit(l, ET_IR_PUSH);
    ir->fn = (uint8_t)kind;
    ir->target = (uint64_t)operand(l, 'x')->value;
}

static void pop(struct lower *l, enum et_stack kind)
{
    const uint8_t p = tested(l);
    struct et_ir *ir = emit(l, ET_IR_POP);
    ir->fn = (uint8_t)kind;
    ir->psrc[0] = p;
}

static void ssy(struct lower *l)
{
    push(l, ET_STACK_SYNC);
}

static void sync(struct lower *l)
{
    pop(l, ET_STACK_SYNC);
}

static void pbk(struct lower *l)
{
    push(l, ET_STACK_BREAK);
}

static void brk(struct lower *l)
{
    pop(l, ET_STACK_BREAK);
}

static void pcnt(struct lower *l)
{
    push(l, ET_STACK_CONTINUE);
}

static void cont(struct lower *l)
{
    pop(l, ET_STACK_CONTINUE);
}

static void pret(struct lower *l)
{
    push(l, ET_STACK_RETURN);
}

static void ret(struct lower *l)
{
    pop(l, ET_STACK_RETURN);
}

static void plongjmp(struct lower *l)
{
    push(l, ET_STACK_LONGJMP);
}

static void longjmp_(struct lower *l)
{
    pop(l, ET_STACK_LONGJMP);
}

/* DRAIN_ILLEGAL CAL PAUSE TRAP INT DRAIN: without a debugger, only traps are seen. */
static void bpt(struct lower *l)
{
    const unsigned mode = mod(l, ET_MOD_mode);
    emit(l, mode == 3 ? ET_IR_TRAP : mode == 0 ? ET_IR_ILLEGAL : ET_IR_NOP);
}

static void rtt(struct lower *l)
{
    emit(l, ET_IR_TRAP);
}

static void nothing(struct lower *l)
{
    emit(l, ET_IR_NOP);
}

static void sam(struct lower *l)
{
    emit(l, ET_IR_QUADS);
}

static void ram(struct lower *l)
{
    emit(l, ET_IR_QUADS)->fn = 1;
}

/* ---- barriers. Both operands in registers and the first RZ is what NVK emits for "barrier 0, the whole
 * block" [DRV]: its second register is whatever R0 holds. */
static void bar(struct lower *l)
{
    static const uint8_t reductions[] = {ET_BAR_RED_POPC, ET_BAR_RED_AND, ET_BAR_RED_OR, ET_BAR_SCAN};
    const unsigned mode = word_bits(l, 32, 2);
    const struct et_operand *a = operand(l, 'a'), *b = operand(l, 'b');
    const bool whole_block = (b->kind == ET_KIND_U && b->value == 0) ||
                             (a->kind == ET_KIND_R && b->kind == ET_KIND_R && a->value == ET_R_RZ);
    struct et_ir *ir = emit(l, ET_IR_BAR);
    ir->fn = mode == 0   ? ET_BAR_SYNC
             : mode == 1 ? ET_BAR_ARRIVE
             : mode == 3 ? ET_BAR_SCAN
                         : reductions[word_bits(l, 35, 2)];
    ir->src[0] = et_maxwell_source(l, 'a');
    if (!whole_block)
        ir->src[1] = et_maxwell_source(l, 'b');
    if (operand(l, 's')->kind == ET_KIND_P)
        ir->psrc[0] = et_maxwell_predicate(operand(l, 's'));
}

static void b2r(struct lower *l)
{
    struct et_ir *ir;
    switch (word_bits(l, 32, 2)) {
    case 0:
        ir = et_maxwell_result(l, ET_IR_B2R);
        ir->src[0] = et_ir_imm((uint32_t)operand(l, 'i')->value);
        break;
    case 1:
        ir = et_maxwell_result(l, ET_IR_B2R_RESULT);
        ir->pdst[0] = et_maxwell_predicate_dst(operand(l, 'p'));
        break;
    default:
        unsupported(l, "a warp's barrier state");
    }
}

/* ---- across lanes */
static void vote(struct lower *l)
{
    struct et_ir *ir;
    if ((l->insn->word[0] >> 48 & 0xfff8) == 0x50e0) {
        unsupported(l, "a vote on vertex-tessellation-geometry state");
        return;
    }
    ir = et_maxwell_result(l, ET_IR_VOTE);
    ir->fn = (uint8_t)mod(l, ET_MOD_vote);
    ir->psrc[0] = et_maxwell_predicate(operand(l, 's'));
    ir->pdst[0] = et_maxwell_predicate_dst(operand(l, 'p'));
}

static void shfl(struct lower *l)
{
    struct et_ir *ir = et_maxwell_result(l, ET_IR_SHFL);
    ir->fn = (uint8_t)mod(l, ET_MOD_shfl);
    ir->src[0] = et_maxwell_source(l, 'a');
    ir->src[1] = et_maxwell_source(l, 'b');
    ir->src[2] = et_maxwell_source(l, 'c');
    ir->pdst[0] = et_maxwell_predicate_dst(operand(l, 'p'));
}

static void s2r(struct lower *l)
{
    et_maxwell_result(l, ET_IR_S2R)->imm = (int32_t)operand(l, 'i')->value;
}

static void cs2r(struct lower *l)
{
    struct et_ir *ir = et_maxwell_result(l, ET_IR_CS2R);
    ir->imm = (int32_t)operand(l, 'i')->value;
    ir->type = ET_U32;
}

static void lepc(struct lower *l)
{
    et_maxwell_result(l, ET_IR_LEPC);
}

const struct et_maxwell_rule et_maxwell_control_rules[] = {
    {"EXIT", exits},  {"KIL", kil},           {"BRA", bra},          {"JMP", jmp},   {"BRX", brx},
    {"JMX", jmx},     {"CAL", cal},           {"JCAL", jcal},        {"SSY", ssy},   {"SYNC", sync},
    {"PBK", pbk},     {"BRK", brk},           {"PCNT", pcnt},        {"CONT", cont}, {"PRET", pret},
    {"RET", ret},     {"PLONGJMP", plongjmp}, {"LONGJMP", longjmp_}, {"BPT", bpt},   {"RTT", rtt},
    {"NOP", nothing}, {"DEPBAR", nothing},    {"SAM", sam},          {"RAM", ram},   {"BAR", bar},
    {"B2R", b2r},     {"VOTE", vote},         {"SHFL", shfl},        {"S2R", s2r},   {"CS2R", cs2r},
    {"LEPC", lepc},
};
const size_t et_maxwell_control_rule_count = ET_COUNT(et_maxwell_control_rules);
