/* Integer arithmetic and comparisons. */
#include "isa/maxwell/lower.h"

#include "base/bits.h"

/* The last addition of an instruction: d = x + y (+ 1), with .X, .CC and .SAT. */
static void add(struct lower *l, struct et_ir_src x, struct et_ir_src y, bool plus_one)
{
    struct et_ir *ir = et_maxwell_result(l, plus_one ? ET_IR_IADD3M : ET_IR_IADD);
    ir->src[0] = x;
    ir->src[1] = y;
    if (plus_one)
        ir->src[2] = et_ir_imm(1);
    if (mod(l, ET_MOD_X))
        ir->flags |= ET_F_X;
    if (mod(l, ET_MOD_CC))
        ir->flags |= ET_F_CC;
    ir->sat = mod(l, ET_MOD_SAT);
    if (plus_one && ir->sat)
        unsupported(l, "saturation of a sum plus one");
}

static void iadd(struct lower *l)
{
    add(l, et_maxwell_source(l, 'a'), et_maxwell_source(l, 'b'), plus_one(l, 48));
}

static void iadd32i(struct lower *l)
{
    add(l, et_maxwell_source(l, 'a'), et_maxwell_source(l, 'b'), plus_one(l, 55));
}

static struct et_ir_src isel_source(const struct lower *l, char slot)
{
    static const uint8_t parts[] = {ET_PART_ALL, ET_PART_H0, ET_PART_H1};
    const struct et_operand *o = operand(l, slot);
    return with_part(et_maxwell_source(l, slot), parts[o->sel]);
}

struct et_ir_src et_maxwell_extracted(struct lower *l, struct et_ir_src src, unsigned position, unsigned bits,
                                      bool is_signed)
{
    struct et_ir *ir;
    const unsigned mods = src.mods & ET_NEG;
    src.mods &= (uint8_t)~ET_NEG;
    src.part = ET_PART_ALL;
    ir = emit(l, ET_IR_BFE);
    ir->dst[0] = temp_registers(l, 1);
    ir->src[0] = src;
    ir->src[1] = et_ir_imm(position | bits << 8);
    ir->type = is_signed ? ET_S32 : ET_U32;
    return with_mods(et_ir_reg(ir->dst[0]), mods);
}

static void iadd3(struct lower *l)
{
    static const char slots[3] = {'a', 'b', 'c'};
    struct et_ir_src src[3];
    struct et_ir *ir;
    for (unsigned i = 0; i < 3; i++) {
        src[i] = isel_source(l, slots[i]);
        if (src[i].part != ET_PART_ALL)
            src[i] = et_maxwell_extracted(l, src[i], src[i].part == ET_PART_H1 ? 16 : 0, 16, false);
    }
    /* The immediate is shown unsigned, but its sign extends. */
    if (operand(l, 'b')->kind == ET_KIND_U)
        src[1].value = (uint32_t)((int32_t)(src[1].value << 12) >> 12);
    ir = et_maxwell_result(l, ET_IR_IADD3M);
    for (unsigned i = 0; i < 3; i++)
        ir->src[i] = src[i];
    ir->fn = (uint8_t)mod(l, ET_MOD_shift);
    if (mod(l, ET_MOD_X))
        ir->flags |= ET_F_X;
    if (mod(l, ET_MOD_CC))
        ir->flags |= ET_F_CC;
}

static void shifted_sum(struct lower *l, bool plus)
{
    const struct et_ir_src a = et_maxwell_source(l, 'a');
    struct et_ir *ir = emit(l, ET_IR_SHL);
    ir->dst[0] = temp_registers(l, 1);
    ir->src[0] = with_mods(a, 0);
    ir->src[1] = et_ir_imm((uint32_t)operand(l, 'i')->value);
    add(l, with_mods(et_ir_reg(ir->dst[0]), a.mods), et_maxwell_source(l, 'b'), plus);
}

static void iscadd(struct lower *l)
{
    shifted_sum(l, plus_one(l, 48));
}

static void iscadd32i(struct lower *l)
{
    shifted_sum(l, false);
}

/* Signs of the factors: U32.U32 S32.U32 U32.S32, both S32. */
static enum et_type factor_type(unsigned signs, unsigned which)
{
    return signs >> which & 1 ? ET_S32 : ET_U32;
}

/* Low or high half of a * b, in a scratch register. */
static uint16_t product(struct lower *l, struct et_ir_src a, struct et_ir_src b, bool high)
{
    const unsigned signs = mod(l, ET_MOD_type);
    struct et_ir *ir = emit(l, high ? ET_IR_IMUL_HI : ET_IR_IMAD);
    ir->dst[0] = temp_registers(l, 1);
    ir->src[0] = a;
    ir->src[1] = b;
    ir->type = (uint8_t)factor_type(signs, 0);
    ir->type2 = (uint8_t)factor_type(signs, 1);
    return ir->dst[0];
}

static void imul(struct lower *l)
{
    const bool high = mod(l, ET_MOD_HI);
    const uint16_t result = product(l, et_maxwell_source(l, 'a'), et_maxwell_source(l, 'b'), high);
    struct et_ir *ir = et_maxwell_result(l, ET_IR_MOV);
    ir->src[0] = et_ir_reg(result);
    et_maxwell_cc(l, ET_U32);
}

/* High word of the negated product: ~high, plus one when the low word is zero. */
static uint16_t negated_high(struct lower *l, uint16_t low, uint16_t high)
{
    const uint8_t carry = temp_predicate(l);
    struct et_ir *ir = emit(l, ET_IR_IADD3);
    ir->dst[0] = temp_registers(l, 1);
    ir->src[0] = with_mods(et_ir_reg(low), ET_NEG);
    ir->pdst[0] = carry;
    ir = emit(l, ET_IR_IADD3);
    ir->dst[0] = temp_registers(l, 1);
    ir->src[0] = with_mods(et_ir_reg(high), ET_NEG);
    ir->flags |= ET_F_X;
    ir->psrc[0] = carry;
    ir->psrc[1] = ET_P_T | ET_P_NOT;
    return ir->dst[0];
}

/* d = half of a * b + c; the sign of a is the product's. `po`: position of the .PO bits. */
static void multiply_add(struct lower *l, unsigned po)
{
    struct et_ir_src a = et_maxwell_source(l, 'a'), b = et_maxwell_source(l, 'b'), result;
    const unsigned negated = a.mods & ET_NEG;
    const bool high = mod(l, ET_MOD_HI);
    a.mods = 0;
    result = et_ir_reg(product(l, a, b, high));
    if (negated && high)
        result = et_ir_reg(negated_high(l, product(l, a, b, false), (uint16_t)result.value));
    else
        result.mods = (uint8_t)negated;
    add(l, result, et_maxwell_source(l, 'c'), plus_one(l, po));
}

static void imad(struct lower *l)
{
    multiply_add(l, 51);
}

static void imad32i(struct lower *l)
{
    multiply_add(l, 55);
}

/* 24- and 16-bit factors, then a 32-bit sum. */
static void imadsp(struct lower *l)
{
    const bool a_signed = word_bits(l, 48, 1), b_signed = word_bits(l, 53, 1);
    const unsigned a_size = mod(l, ET_MOD_atype), b_size = mod(l, ET_MOD_btype),
                   c_size = mod(l, ET_MOD_ctype);
    struct et_ir_src a = et_maxwell_source(l, 'a'), b = et_maxwell_source(l, 'b'),
                     c = et_maxwell_source(l, 'c');
    struct et_ir *ir;
    if (a_size)
        a = et_maxwell_extracted(l, a, a_size == 3 ? 16 : 0, a_size == 1 ? 24 : 16, a_signed);
    b = et_maxwell_extracted(l, b, 0, b_size ? 16 : 24, b_signed);
    if (c_size)
        c = et_maxwell_extracted(l, c, 0, c_size == 1 ? 24 : 16, a_signed || b_signed);
    ir = emit(l, ET_IR_IMAD);
    ir->dst[0] = temp_registers(l, 1);
    ir->src[0] = a;
    ir->src[1] = b;
    add(l, et_ir_reg(ir->dst[0]), c, false);
}

static void xmad(struct lower *l)
{
    const unsigned signs = mod(l, ET_MOD_type);
    const struct et_operand *a = operand(l, 'a'), *b = operand(l, 'b');
    struct et_ir *ir = et_maxwell_result(l, ET_IR_XMAD);
    ir->src[0] = with_part(et_maxwell_source(l, 'a'), a->sel ? ET_PART_H1 : ET_PART_H0);
    ir->src[1] = with_part(et_maxwell_source(l, 'b'), b->sel ? ET_PART_H1 : ET_PART_H0);
    ir->src[2] = et_maxwell_source(l, 'c');
    ir->src[3] = et_maxwell_source(l, 'b');
    ir->type = signs & 1 ? ET_S16 : ET_U16;
    ir->type2 = signs & 2 ? ET_S16 : ET_U16;
    ir->fn = (uint8_t)mod(l, ET_MOD_xmode);
    ir->flags |= (mod(l, ET_MOD_PSL) ? ET_F_PSL : 0) | (mod(l, ET_MOD_MRG) ? ET_F_MRG : 0) |
                 (mod(l, ET_MOD_X) ? ET_F_X : 0) | (mod(l, ET_MOD_CC) ? ET_F_CC : 0);
}

static void imnmx(struct lower *l)
{
    const unsigned chain = mod(l, ET_MOD_ext);
    struct et_ir *ir = et_maxwell_result(l, chain ? ET_IR_IMNMX_X : ET_IR_IMNMX);
    two_sources(l, ir);
    ir->type = (uint8_t)sign_type(l);
    ir->psrc[0] = et_maxwell_predicate(operand(l, 's'));
    ir->fn = (uint8_t)chain;
    if (!chain)
        et_maxwell_cc(l, ET_U32);
    else if (mod(l, ET_MOD_CC))
        ir->flags |= ET_F_CC;
}

/* What the low words' subtraction left in the condition code, as .X takes it up. */
static uint8_t low_result(struct lower *l, enum et_cmp cmp)
{
    static const uint8_t conditions[] = {
        [ET_CMP_LT] = ET_CC_LO, [ET_CMP_EQ] = ET_CC_EQU, [ET_CMP_LE] = ET_CC_LS,
        [ET_CMP_GT] = ET_CC_HI, [ET_CMP_NE] = ET_CC_NEU, [ET_CMP_GE] = ET_CC_HS};
    struct et_ir *ir;
    if (cmp == ET_CMP_F || cmp == ET_CMP_T)
        return ET_P_T;
    if (cmp == ET_CMP_EQ)
        return ET_P_CC_Z;
    if (cmp == ET_CMP_NE)
        return ET_P_CC_Z | ET_P_NOT;
    ir = emit(l, ET_IR_CCTEST);
    ir->fn = conditions[cmp];
    ir->pdst[0] = temp_predicate(l);
    return ir->pdst[0];
}

static struct et_ir *compare(struct lower *l)
{
    const enum et_cmp cmp = integer_compare(l);
    const uint8_t low = mod(l, ET_MOD_X) ? low_result(l, cmp) : ET_P_T;
    struct et_ir *ir = emit(l, ET_IR_ISETP);
    two_sources(l, ir);
    ir->type = (uint8_t)sign_type(l);
    ir->cmp = (uint8_t)cmp;
    ir->bop = (uint8_t)mod(l, ET_MOD_bop);
    ir->psrc[0] = et_maxwell_predicate(operand(l, 's'));
    if (mod(l, ET_MOD_X)) {
        ir->flags |= ET_F_X;
        ir->psrc[1] = low;
    }
    return ir;
}

static void isetp(struct lower *l)
{
    struct et_ir *ir = compare(l);
    ir->pdst[0] = et_maxwell_predicate_dst(operand(l, 'p'));
    ir->pdst[1] = et_maxwell_predicate_dst(operand(l, 'q'));
}

static void iset(struct lower *l)
{
    const uint8_t result = temp_predicate(l);
    compare(l)->pdst[0] = result;
    et_maxwell_set_result(l, result);
}

/* d = c compared with zero ? a : b. */
static void icmp(struct lower *l)
{
    const uint8_t chosen = temp_predicate(l);
    struct et_ir *ir = emit(l, ET_IR_ISETP);
    ir->src[0] = et_maxwell_source(l, 'c');
    ir->src[1] = et_ir_imm(0);
    ir->type = (uint8_t)sign_type(l);
    ir->cmp = (uint8_t)integer_compare(l);
    ir->pdst[0] = chosen;
    ir = et_maxwell_result(l, ET_IR_SEL);
    two_sources(l, ir);
    ir->psrc[0] = chosen;
}

const struct et_maxwell_rule et_maxwell_integer_rules[] = {
    {"IADD", iadd}, {"IADD32I", iadd32i}, {"IADD3", iadd3}, {"ISCADD", iscadd},   {"ISCADD32I", iscadd32i},
    {"IMUL", imul}, {"IMUL32I", imul},    {"IMAD", imad},   {"IMAD32I", imad32i}, {"IMADSP", imadsp},
    {"XMAD", xmad}, {"IMNMX", imnmx},     {"ISETP", isetp}, {"ISET", iset},       {"ICMP", icmp},
};
const size_t et_maxwell_integer_rule_count = ET_COUNT(et_maxwell_integer_rules);
