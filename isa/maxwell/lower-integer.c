/* Integers, bits, predicates and scalar video. */
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

/* .PO is both sign bits: `pos` is the lower of the two. */
static bool plus_one(const struct lower *l, unsigned pos)
{
    return word_bits(l, pos, 2) == 3;
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

/* A 16-bit part as a whole register of its own. */
static struct et_ir_src extracted(struct lower *l, struct et_ir_src src, unsigned position, unsigned bits,
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
            src[i] = extracted(l, src[i], src[i].part == ET_PART_H1 ? 16 : 0, 16, false);
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
        a = extracted(l, a, a_size == 3 ? 16 : 0, a_size == 1 ? 24 : 16, a_signed);
    b = extracted(l, b, 0, b_size ? 16 : 24, b_signed);
    if (c_size)
        c = extracted(l, c, 0, c_size == 1 ? 24 : 16, a_signed || b_signed);
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

static enum et_type sign_type(const struct lower *l)
{
    return mod(l, ET_MOD_U32) ? ET_S32 : ET_U32; /* the bit that, when 0, prints .U32 */
}

static void two_sources(struct lower *l, struct et_ir *ir)
{
    ir->src[0] = et_maxwell_source(l, 'a');
    ir->src[1] = et_maxwell_source(l, 'b');
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

/* Comparisons are F LT EQ LE GT NE GE T in three bits. */
static enum et_cmp integer_compare(const struct lower *l)
{
    const unsigned cmp = mod(l, ET_MOD_cmp);
    return cmp == 7 ? ET_CMP_T : (enum et_cmp)cmp;
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

/* ---- shifts and bits */
static void shl(struct lower *l)
{
    struct et_ir *ir;
    if (mod(l, ET_MOD_X)) {
        unsupported(l, "a shift with carry in");
        return;
    }
    ir = et_maxwell_result(l, ET_IR_SHL);
    two_sources(l, ir);
    if (mod(l, ET_MOD_W))
        ir->flags |= ET_F_WRAP;
    et_maxwell_cc(l, ET_U32);
}

static void shr(struct lower *l)
{
    struct et_ir_src a = et_maxwell_source(l, 'a');
    struct et_ir *ir;
    if (mod(l, ET_MOD_ext)) {
        unsupported(l, "a shift with carry in");
        return;
    }
    if (mod(l, ET_MOD_BREV)) {
        ir = emit(l, ET_IR_BREV);
        ir->dst[0] = temp_registers(l, 1);
        ir->src[0] = a;
        a = et_ir_reg(ir->dst[0]);
    }
    ir = et_maxwell_result(l, ET_IR_SHR);
    ir->src[0] = a;
    ir->src[1] = et_maxwell_source(l, 'b');
    ir->type = (uint8_t)sign_type(l);
    if (mod(l, ET_MOD_W))
        ir->flags |= ET_F_WRAP;
    et_maxwell_cc(l, ET_U32);
}

/* Left shifts always give the high word, and refuse .HI [DRV]. */
static void shf(struct lower *l)
{
    static const uint8_t types[] = {ET_U32, ET_U32, ET_U64, ET_S64};
    const unsigned ext = mod(l, ET_MOD_ext);
    const bool left =
        (l->insn->word[0] >> 48 & 0xff00) == 0x5b00 || (l->insn->word[0] >> 48 & 0xff00) == 0x3600;
    struct et_ir *ir;
    if (ext & 2) {
        unsupported(l, "a shift with carry in");
        return;
    }
    if (left && ext) {
        l->status = ETALON_ILLEGAL_INSTRUCTION;
        l->refused = "a left funnel shift has no .HI";
        return;
    }
    ir = et_maxwell_result(l, ET_IR_SHF);
    two_sources(l, ir);
    ir->src[2] = et_maxwell_source(l, 'c');
    ir->type = types[mod(l, ET_MOD_lim)];
    ir->flags |= (left ? ET_F_LEFT | ET_F_HI : 0) | (ext ? ET_F_HI : 0) | (mod(l, ET_MOD_W) ? ET_F_WRAP : 0);
    et_maxwell_cc(l, ET_U32);
}

static void bfe(struct lower *l)
{
    struct et_ir *ir = et_maxwell_result(l, ET_IR_BFE);
    two_sources(l, ir);
    ir->type = (uint8_t)sign_type(l);
    if (mod(l, ET_MOD_BREV))
        ir->flags |= ET_F_BREV;
    et_maxwell_cc(l, ET_U32);
}

static void bfi(struct lower *l)
{
    struct et_ir *ir = et_maxwell_result(l, ET_IR_BFI);
    two_sources(l, ir);
    ir->src[2] = et_maxwell_source(l, 'c');
    et_maxwell_cc(l, ET_U32);
}

static void flo(struct lower *l)
{
    struct et_ir *ir = et_maxwell_result(l, ET_IR_FLO);
    ir->src[0] = et_maxwell_source(l, 'b');
    ir->type = (uint8_t)sign_type(l);
    if (mod(l, ET_MOD_SH))
        ir->flags |= ET_F_SH;
    et_maxwell_cc(l, ET_U32);
}

static void popc(struct lower *l)
{
    struct et_ir *ir = et_maxwell_result(l, ET_IR_POPC);
    ir->src[0] = et_maxwell_source(l, 'b');
}

static void move_predicate(struct lower *l, uint8_t to, uint8_t from)
{
    struct et_ir *ir = emit(l, ET_IR_PLOP3);
    ir->pdst[0] = to;
    ir->psrc[0] = from;
    ir->imm = 0xf0;
}

/* Truth table of a binary operation on s0 and s1; inversions are folded into it. */
static unsigned logic_table(unsigned logic, bool invert_a, bool invert_b)
{
    static const uint8_t tables[] = {0xc0, 0xfc, 0x3c, 0xcc}; /* AND OR XOR PASS_B */
    unsigned table = tables[logic];
    if (invert_a)
        table = (table >> 4 | table << 4) & 0xff;
    if (invert_b)
        table = (table >> 2 & 0x33) | (table & 0x33) << 2;
    return table;
}

/* The predicate result: none, true, zero, not zero. */
static void logic_predicate(struct lower *l, struct et_ir *ir)
{
    static const uint8_t tests[] = {3, 2, 1, 0};
    ir->fn = tests[mod(l, ET_MOD_pop)];
    if (operand(l, 'p')->kind == ET_KIND_P)
        ir->pdst[0] = et_maxwell_predicate_dst(operand(l, 'p'));
}

/* What zero means for CC and the predicate: of an extended operation (.X), that the lower word was zero too.
 */
static void logic_tail(struct lower *l, struct et_ir *ir)
{
    const uint8_t target =
        operand(l, 'p')->kind == ET_KIND_P ? et_maxwell_predicate_dst(operand(l, 'p')) : ET_P_NONE;
    const unsigned test = mod(l, ET_MOD_pop);
    uint8_t zero, lower;
    logic_predicate(l, ir);
    if (!mod(l, ET_MOD_X)) {
        et_maxwell_cc(l, ET_U32);
        return;
    }
    ir->fn = 1;
    ir->pdst[0] = zero = temp_predicate(l);
    lower = temp_predicate(l);
    move_predicate(l, lower, ET_P_CC_Z);
    et_maxwell_cc(l, ET_U32);
    ir = emit(l, ET_IR_PLOP3);
    ir->pdst[0] = zero;
    ir->psrc[0] = zero;
    ir->psrc[1] = lower;
    ir->imm = 0xc0;
    if (mod(l, ET_MOD_CC))
        move_predicate(l, ET_P_CC_Z, zero);
    if (target != ET_P_NONE)
        move_predicate(l, target,
                       test < 2 ? (uint8_t)(test ? ET_P_T : ET_P_T | ET_P_NOT)
                                : (uint8_t)(test == 2 ? zero : zero | ET_P_NOT));
}

static void lop(struct lower *l)
{
    const struct et_ir_src a = et_maxwell_source(l, 'a'), b = et_maxwell_source(l, 'b');
    struct et_ir *ir = et_maxwell_result(l, ET_IR_LOP3);
    ir->imm = (int32_t)logic_table(mod(l, ET_MOD_logic), a.mods & ET_NOT, b.mods & ET_NOT);
    ir->src[0] = with_mods(a, 0);
    ir->src[1] = with_mods(b, 0);
    logic_tail(l, ir);
}

static void lop3(struct lower *l)
{
    struct et_ir *ir = et_maxwell_result(l, ET_IR_LOP3);
    two_sources(l, ir);
    ir->src[2] = et_maxwell_source(l, 'c');
    ir->imm = (int32_t)operand(l, 'i')->value;
    logic_tail(l, ir);
}

static void lea_carry(struct lower *l, struct et_ir *ir)
{
    if (mod(l, ET_MOD_X)) {
        ir->flags |= ET_F_X;
        ir->psrc[0] = ET_P_CC_C;
    }
    if (mod(l, ET_MOD_CC)) {
        const uint8_t carry = ir->pdst[0] = temp_predicate(l);
        et_maxwell_cc(l, ET_U32);
        move_predicate(l, ET_P_CC_C, carry);
    }
}

static struct et_ir *move(struct lower *l, uint16_t to, struct et_ir_src from)
{
    struct et_ir *ir = emit(l, ET_IR_MOV);
    ir->dst[0] = to;
    ir->src[0] = from;
    return ir;
}

/* The predicate of LEA.HI: the 64-bit address lies in no window, but in global memory [INF: compilers branch
 * to shared atomics without it]. Its low word is a where nothing is added to that; else what counts is that
 * the high word, the result, is not zero: the windows lie below 2^32. */
static void lea_address(struct lower *l, uint8_t predicate)
{
    const uint16_t address = temp_registers(l, 2);
    const struct et_operand *b = operand(l, 'b');
    const bool known = !operand(l, 'i')->value && !et_maxwell_source(l, 'a').mods && b->kind == ET_KIND_R &&
                       b->value == ET_R_RZ;
    struct et_ir *ir;
    if (l->dst == ET_R_NONE)
        l->dst = (uint16_t)(address + 1);
    move(l, address, known ? et_maxwell_source(l, 'a') : et_ir_imm(0));
    ir = et_maxwell_result(l, ET_IR_LEA_HI);
    two_sources(l, ir);
    ir->src[2] = et_maxwell_source(l, 'c');
    ir->imm = (int32_t)operand(l, 'i')->value;
    lea_carry(l, ir);
    if (l->dst != address + 1)
        move(l, (uint16_t)(address + 1), reg_src(l->dst));
    ir = emit(l, known ? ET_IR_QSPC : ET_IR_ISETP);
    ir->pdst[0] = predicate;
    ir->src[0] = et_ir_reg(known ? address : (uint16_t)(address + 1));
    if (known) {
        ir->space = ET_SPACE_GLOBAL;
        ir->flags = ET_F_A64;
    } else {
        ir->cmp = ET_CMP_NE;
    }
}

static void lea(struct lower *l)
{
    const bool high = operand(l, 'c')->kind == ET_KIND_R;
    struct et_ir *ir;
    if (operand(l, 'p')->kind == ET_KIND_P && operand(l, 'p')->value != ET_P_T) {
        if (high)
            lea_address(l, et_maxwell_predicate_dst(operand(l, 'p')));
        else
            unsupported(l, "an address test of a low word");
        return;
    }
    ir = et_maxwell_result(l, high ? ET_IR_LEA_HI : ET_IR_LEA);
    two_sources(l, ir);
    if (high)
        ir->src[2] = et_maxwell_source(l, 'c');
    ir->imm = (int32_t)operand(l, 'i')->value;
    lea_carry(l, ir);
}

static void prmt(struct lower *l)
{
    struct et_ir *ir = et_maxwell_result(l, ET_IR_PRMT);
    two_sources(l, ir);
    ir->src[2] = et_maxwell_source(l, 'c');
    ir->fn = (uint8_t)mod(l, ET_MOD_prmt);
}

static void sel(struct lower *l)
{
    struct et_ir *ir = et_maxwell_result(l, ET_IR_SEL);
    two_sources(l, ir);
    ir->psrc[0] = et_maxwell_predicate(operand(l, 's'));
}

/* Whether bit (lane modulo 4) of the mask is set. */
static uint8_t lane_of_quad(struct lower *l, uint32_t mask)
{
    const uint8_t chosen = temp_predicate(l);
    struct et_ir_src lane;
    struct et_ir *ir = emit(l, ET_IR_S2R);
    ir->dst[0] = temp_registers(l, 1);
    ir->imm = ET_SR_LANEID;
    lane = extracted(l, et_ir_reg(ir->dst[0]), 0, 2, false);
    ir = emit(l, ET_IR_SHL);
    ir->dst[0] = temp_registers(l, 1);
    ir->src[0] = et_ir_imm(1);
    ir->src[1] = lane;
    lane = et_ir_reg(ir->dst[0]);
    ir = emit(l, ET_IR_LOP3);
    ir->dst[0] = temp_registers(l, 1);
    ir->src[0] = lane;
    ir->src[1] = et_ir_imm(mask);
    ir->imm = (int32_t)logic_table(0, false, false);
    lane = et_ir_reg(ir->dst[0]);
    ir = emit(l, ET_IR_ISETP);
    ir->src[0] = lane;
    ir->src[1] = et_ir_imm(0);
    ir->type = ET_U32;
    ir->cmp = ET_CMP_NE;
    ir->pdst[0] = chosen;
    return chosen;
}

static void mov(struct lower *l)
{
    const struct et_operand *lanes = operand(l, 'i');
    const bool all = lanes->kind != ET_KIND_U || lanes->value == 15;
    const uint8_t chosen = all ? ET_P_T : lane_of_quad(l, (uint32_t)lanes->value);
    struct et_ir *ir = et_maxwell_result(l, all ? ET_IR_MOV : ET_IR_SEL);
    ir->src[0] = et_maxwell_source(l, 'b');
    if (all)
        return;
    ir->src[1] = ir->dst[0] == ET_R_NONE ? et_ir_imm(0) : et_ir_reg(ir->dst[0]);
    ir->psrc[0] = chosen;
}

/* ---- predicates */
static bool combine(unsigned op, bool x, bool y)
{
    return op == ET_AND ? x && y : op == ET_OR ? x || y : x != y;
}

/* Table of (p0 first p1) second p2, of PLOP3's index p0 * 4 + p1 * 2 + p2; `inverted`: the first result is.
 */
static int32_t predicate_table(unsigned first, unsigned second, bool inverted)
{
    unsigned table = 0;
    for (unsigned n = 0; n < 8; n++)
        if (combine(second, combine(first, n >> 2 & 1, n >> 1 & 1) != inverted, n & 1))
            table |= 1u << n;
    return (int32_t)table;
}

static struct et_ir *combine_predicates(struct lower *l, uint8_t a, uint8_t b, unsigned first)
{
    const unsigned second = mod(l, ET_MOD_bop);
    struct et_ir *ir = emit(l, ET_IR_PLOP3);
    ir->psrc[0] = a;
    ir->psrc[1] = b;
    ir->psrc[2] = et_maxwell_predicate(operand(l, 's'));
    ir->imm = predicate_table(first, second, false);
    ir->imm2 = (uint32_t)predicate_table(first, second, true);
    return ir;
}

static void psetp(struct lower *l)
{
    struct et_ir *ir = combine_predicates(l, et_maxwell_predicate(operand(l, 'a')),
                                          et_maxwell_predicate(operand(l, 'b')), mod(l, ET_MOD_bop2));
    ir->pdst[0] = et_maxwell_predicate_dst(operand(l, 'p'));
    ir->pdst[1] = et_maxwell_predicate_dst(operand(l, 'q'));
}

static void pset(struct lower *l)
{
    const uint8_t result = temp_predicate(l);
    combine_predicates(l, et_maxwell_predicate(operand(l, 'a')), et_maxwell_predicate(operand(l, 'b')),
                       mod(l, ET_MOD_bop2))
        ->pdst[0] = result;
    et_maxwell_set_result(l, result);
}

static void csetp(struct lower *l)
{
    struct et_ir *ir = combine_predicates(l, et_maxwell_condition(l, mod(l, ET_MOD_cond)), ET_P_T, ET_AND);
    ir->pdst[0] = et_maxwell_predicate_dst(operand(l, 'p'));
    ir->pdst[1] = et_maxwell_predicate_dst(operand(l, 'q'));
}

static void cset(struct lower *l)
{
    const uint8_t result = temp_predicate(l);
    combine_predicates(l, et_maxwell_condition(l, mod(l, ET_MOD_cond)), ET_P_T, ET_AND)->pdst[0] = result;
    et_maxwell_set_result(l, result);
}

static void p2r(struct lower *l)
{
    static const uint8_t bytes[] = {ET_PART_B0, ET_PART_B1, ET_PART_B2, ET_PART_B3};
    struct et_ir *ir = et_maxwell_result(l, ET_IR_P2R);
    two_sources(l, ir);
    ir->src[0].part = bytes[mod(l, ET_MOD_part)];
    ir->fn = operand(l, 'p')->value != 0;
}

static void r2p(struct lower *l)
{
    static const uint8_t bytes[] = {ET_PART_B0, ET_PART_B1, ET_PART_B2, ET_PART_B3};
    struct et_ir *ir = emit(l, ET_IR_R2P);
    two_sources(l, ir);
    ir->src[0].part = bytes[operand(l, 'a')->sel];
    ir->fn = operand(l, 'p')->value != 0;
}

/* ---- scalar video: type and part of a source in the word at `pos` (two bits of part, one of size), sign at
 * `sign`. */
static void video_part(const struct lower *l, unsigned pos, bool is_signed, uint8_t *type, uint8_t *part)
{
    static const uint8_t bytes[] = {ET_PART_B0, ET_PART_B1, ET_PART_B2, ET_PART_B3};
    const unsigned code = word_bits(l, pos, 3);
    if (code < 4) {
        *type = is_signed ? ET_S8 : ET_U8;
        *part = bytes[code];
    } else if (code < 6) {
        *type = is_signed ? ET_S16 : ET_U16;
        *part = code & 1 ? ET_PART_H1 : ET_PART_H0;
    } else {
        *type = is_signed ? ET_S32 : ET_U32;
        *part = ET_PART_ALL;
    }
}

static struct et_ir *video(struct lower *l, enum et_ir_op op, enum et_video fn, bool b_signed)
{
    struct et_ir *ir = op == ET_IR_VIDEO ? et_maxwell_result(l, op) : emit(l, op);
    two_sources(l, ir);
    ir->fn = (uint8_t)fn;
    video_part(l, 36, word_bits(l, 48, 1), &ir->type, &ir->src[0].part);
    if (operand(l, 'b')->kind == ET_KIND_R) {
        video_part(l, 28, b_signed, &ir->type2, &ir->src[1].part);
    } else { /* a 16-bit immediate, whose sign extends when it has one */
        ir->type2 = b_signed ? ET_S16 : ET_U16;
        ir->src[1].part = ET_PART_H0;
        ir->src[1].value &= 0xffff;
    }
    return ir;
}

/* The common tail: destination sign, saturation, what is done with c. */
static void video_tail(struct lower *l, struct et_ir *ir, bool is_signed)
{
    static const uint8_t ops[] = {ET_VIDEO_MRG_16H, ET_VIDEO_MRG_16L, ET_VIDEO_MRG_8B0, ET_VIDEO_MRG_8B2,
                                  ET_VIDEO_ACC,     ET_VIDEO_MIN,     ET_VIDEO_MAX,     ET_VIDEO_NONE};
    ir->dtype = is_signed ? ET_S32 : ET_U32;
    ir->sat = mod(l, ET_MOD_SAT);
    ir->fn2 = ops[mod(l, ET_MOD_op)];
    ir->src[2] = et_maxwell_source(l, 'c');
    if (mod(l, ET_MOD_CC))
        ir->flags |= ET_F_CC;
}

static void vadd(struct lower *l)
{
    struct et_ir *ir = video(l, ET_IR_VIDEO, ET_VIDEO_ADD, word_bits(l, 49, 1));
    if (plus_one(l, 56))
        ir->flags |= ET_F_PO;
    else if (ir->src[1].mods & ET_NEG)
        ir->fn = ET_VIDEO_SUB;
    if (ir->src[0].mods & ET_NEG) { /* -a + b is b - a */
        const struct et_ir_src a = ir->src[0];
        const uint8_t type = ir->type;
        ir->fn = ET_VIDEO_SUB;
        ir->src[0] = ir->src[1];
        ir->src[1] = a;
        ir->type = ir->type2;
        ir->type2 = type;
    }
    ir->src[0].mods = ir->src[1].mods = 0;
    video_tail(l, ir, mod(l, ET_MOD_UD));
}

static void vabsdiff(struct lower *l)
{
    struct et_ir *ir = video(l, ET_IR_VIDEO, ET_VIDEO_ABSDIFF, word_bits(l, 49, 1));
    video_tail(l, ir, mod(l, ET_MOD_SD));
}

static void vmnmx(struct lower *l)
{
    struct et_ir *ir = video(l, ET_IR_VIDEO, ET_VIDEO_MNMX, word_bits(l, 49, 1));
    ir->psrc[0] = mod(l, ET_MOD_MX) ? ET_P_T | ET_P_NOT : ET_P_T;
    video_tail(l, ir, mod(l, ET_MOD_UD));
}

static void vset(struct lower *l)
{
    struct et_ir *ir = video(l, ET_IR_VIDEO, ET_VIDEO_SET, word_bits(l, 49, 1));
    ir->cmp = (uint8_t)integer_compare(l);
    video_tail(l, ir, word_bits(l, 48, 1)); /* c is compared as a is */
}

static void vshift(struct lower *l, enum et_video fn)
{
    struct et_ir *ir = video(l, ET_IR_VIDEO, fn, false);
    if (mod(l, ET_MOD_W))
        ir->flags |= ET_F_WRAP;
    video_tail(l, ir, mod(l, ET_MOD_UD));
}

static void vshl(struct lower *l)
{
    vshift(l, ET_VIDEO_SHL);
}

static void vshr(struct lower *l)
{
    vshift(l, ET_VIDEO_SHR);
}

/* The sum is signed when a source is, or something is negated. */
static void vmad(struct lower *l)
{
    static const uint8_t shifts[] = {0, 7, 15};
    struct et_ir *ir = video(l, ET_IR_VIDEO, ET_VIDEO_MAD, word_bits(l, 49, 1));
    ir->src[2] = et_maxwell_source(l, 'c');
    ir->imm = shifts[mod(l, ET_MOD_shift)];
    ir->sat = mod(l, ET_MOD_SAT);
    ir->dtype = word_bits(l, 48, 1) || word_bits(l, 49, 1) || word_bits(l, 53, 2) ? ET_S32 : ET_U32;
    if (plus_one(l, 53)) {
        ir->flags |= ET_F_PO;
        ir->dtype = word_bits(l, 48, 1) || word_bits(l, 49, 1) ? ET_S32 : ET_U32;
    }
    if (mod(l, ET_MOD_CC))
        ir->flags |= ET_F_CC;
}

static void vsetp(struct lower *l)
{
    struct et_ir *ir = video(l, ET_IR_VIDEO_SETP, ET_VIDEO_SET, word_bits(l, 49, 1));
    ir->cmp = (uint8_t)integer_compare(l);
    ir->bop = (uint8_t)mod(l, ET_MOD_bop);
    ir->psrc[0] = et_maxwell_predicate(operand(l, 's'));
    ir->pdst[0] = et_maxwell_predicate_dst(operand(l, 'p'));
    ir->pdst[1] = et_maxwell_predicate_dst(operand(l, 'q'));
}

/* The four bytes that a selector such as "4321" picks of {b:a}, as PRMT wants them. */
static uint32_t byte_selector(unsigned index, bool of_b)
{
    static const uint16_t a[] = {0x0000, 0x1111, 0x2222, 0x3333, 0x3210, 0x4321, 0x5432,
                                 0x6543, 0x3201, 0x3012, 0x0213, 0x3120, 0x1230, 0x2310};
    static const uint16_t b[] = {0x4444, 0x5555, 0x6666, 0x7777, 0x7654, 0x6543,
                                 0x5432, 0x4321, 0x4567, 0x6745, 0x5476};
    return of_b ? b[index] : a[index];
}

static struct et_ir_src selected_bytes(struct lower *l, struct et_ir_src a, struct et_ir_src b,
                                       uint32_t selector)
{
    struct et_ir *ir = emit(l, ET_IR_PRMT);
    ir->dst[0] = temp_registers(l, 1);
    ir->src[0] = a;
    ir->src[1] = et_ir_imm(selector);
    ir->src[2] = b;
    return et_ir_reg(ir->dst[0]);
}

static void vabsdiff4(struct lower *l)
{
    /* Lanes in the order Z W X Y of the field; bit n of the mask is byte n. */
    const unsigned lanes = mod(l, ET_MOD_lanes), signs = mod(l, ET_MOD_type);
    struct et_ir_src a = et_maxwell_source(l, 'a'), b = et_maxwell_source(l, 'b'), picked_a, picked_b;
    struct et_ir *ir;
    if (operand(l, 'b')->kind != ET_KIND_R)
        b = et_ir_imm(((uint32_t)operand(l, 'b')->value & 0xff) * 0x01010101u);
    picked_a = selected_bytes(l, a, b, byte_selector(operand(l, 'a')->sel, false));
    picked_b = operand(l, 'b')->kind == ET_KIND_R
                   ? selected_bytes(l, a, b, byte_selector(operand(l, 'b')->sel, true))
                   : b;
    ir = et_maxwell_result(l, ET_IR_VABSDIFF4);
    ir->src[0] = picked_a;
    ir->src[1] = picked_b;
    ir->src[2] = et_maxwell_source(l, 'c');
    ir->type = signs & 1 ? ET_S8 : ET_U8;
    ir->type2 = signs & 2 ? ET_S8 : ET_U8;
    ir->dtype = mod(l, ET_MOD_SD) ? ET_S32 : ET_U32;
    ir->sat = mod(l, ET_MOD_SAT);
    ir->fn = mod(l, ET_MOD_acc) == 1;
    ir->imm =
        (int32_t)((lanes >> 2 & 1) | (lanes >> 3 & 1) << 1 | (lanes & 1) << 2 | (lanes >> 1 & 1) << 3) ^ 15;
    et_maxwell_cc(l, ET_U32);
}

const struct et_maxwell_rule et_maxwell_integer_rules[] = {
    {"IADD", iadd},
    {"IADD32I", iadd32i},
    {"IADD3", iadd3},
    {"ISCADD", iscadd},
    {"ISCADD32I", iscadd32i},
    {"IMUL", imul},
    {"IMUL32I", imul},
    {"IMAD", imad},
    {"IMAD32I", imad32i},
    {"IMADSP", imadsp},
    {"XMAD", xmad},
    {"IMNMX", imnmx},
    {"ISETP", isetp},
    {"ISET", iset},
    {"ICMP", icmp},
    {"SHL", shl},
    {"SHR", shr},
    {"SHF", shf},
    {"BFE", bfe},
    {"BFI", bfi},
    {"FLO", flo},
    {"POPC", popc},
    {"LOP", lop},
    {"LOP32I", lop},
    {"LOP3", lop3},
    {"LEA", lea},
    {"PRMT", prmt},
    {"SEL", sel},
    {"MOV", mov},
    {"MOV32I", mov},
    {"PSETP", psetp},
    {"PSET", pset},
    {"CSETP", csetp},
    {"CSET", cset},
    {"P2R", p2r},
    {"R2P", r2p},
    {"VADD", vadd},
    {"VABSDIFF", vabsdiff},
    {"VMNMX", vmnmx},
    {"VSET", vset},
    {"VSHL", vshl},
    {"VSHR", vshr},
    {"VMAD", vmad},
    {"VSETP", vsetp},
    {"VABSDIFF4", vabsdiff4},
};
const size_t et_maxwell_integer_rule_count = ET_COUNT(et_maxwell_integer_rules);
