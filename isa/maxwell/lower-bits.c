/* Shifts, bit fields, logic, moves and predicates. */
#include "isa/maxwell/lower.h"

#include "base/bits.h"

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
    lane = et_maxwell_extracted(l, et_ir_reg(ir->dst[0]), 0, 2, false);
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
    struct et_ir *ir = et_maxwell_result(l, ET_IR_P2R);
    two_sources(l, ir);
    ir->src[0].part = byte_part(mod(l, ET_MOD_part));
    ir->fn = operand(l, 'p')->value != 0;
}

static void r2p(struct lower *l)
{
    struct et_ir *ir = emit(l, ET_IR_R2P);
    two_sources(l, ir);
    ir->src[0].part = byte_part(operand(l, 'a')->sel);
    ir->fn = operand(l, 'p')->value != 0;
}

const struct et_maxwell_rule et_maxwell_bits_rules[] = {
    {"SHL", shl},   {"SHR", shr}, {"SHF", shf},    {"BFE", bfe},     {"BFI", bfi},   {"FLO", flo},
    {"POPC", popc}, {"LOP", lop}, {"LOP32I", lop}, {"LOP3", lop3},   {"LEA", lea},   {"PRMT", prmt},
    {"SEL", sel},   {"MOV", mov}, {"MOV32I", mov}, {"PSETP", psetp}, {"PSET", pset}, {"CSETP", csetp},
    {"CSET", cset}, {"P2R", p2r}, {"R2P", r2p},
};
const size_t et_maxwell_bits_rule_count = ET_COUNT(et_maxwell_bits_rules);
