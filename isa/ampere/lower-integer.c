/* Moves, integer and predicate instructions; the uniform datapath shares them. */
#include "isa/ampere/lower-names.h"

#include <string.h>

/* d = op(a, b, c) */
/* d = op(b): instructions whose lone source sits in slot b. */
static struct et_ir *lone(lower_t *lower, enum et_ir_op op)
{
    struct et_ir *ir = et_ampere_emit(lower, op);
    ir->dst[0] = DST('d');
    ir->src[0] = SRC('b');
    return ir;
}

/* Under .X the field that negates complements; IR calls that NEG. */
static void complements(struct et_ir *ir)
{
    unsigned i;
    for (i = 0; i < 4; i++)
        if (ir->src[i].mods & ET_NOT)
            ir->src[i].mods = (uint8_t)((ir->src[i].mods & ~ET_NOT) | ET_NEG);
}

/* Whether bit (lane modulo 4) of the mask is set. */
static void lane_of_quad(lower_t *lower, uint32_t mask, uint8_t chosen)
{
    const struct et_ir_src temp = et_ir_reg(et_ampere_temp(0));
    struct et_ir *ir = et_ampere_emit(lower, ET_IR_S2R);
    ir->dst[0] = et_ampere_temp(0);
    ir->imm = ET_SR_LANEID;
    ir = et_ampere_emit(lower, ET_IR_BFE);
    ir->dst[0] = et_ampere_temp(0);
    ir->src[0] = temp;
    ir->src[1] = et_ir_imm(2 << 8); /* two bits from bit 0 */
    ir->type = ET_U32;
    ir = et_ampere_emit(lower, ET_IR_SHL);
    ir->dst[0] = et_ampere_temp(0);
    ir->src[0] = et_ir_imm(1);
    ir->src[1] = temp;
    ir = et_ampere_emit(lower, ET_IR_LOP3);
    ir->dst[0] = et_ampere_temp(0);
    ir->pdst[0] = chosen; /* not zero */
    ir->src[0] = temp;
    ir->src[1] = et_ir_imm(mask);
    ir->imm = 0xc0;
}

static enum etalon_status mov(lower_t *lower)
{
    const bool all = !OP('m')->kind || OP('m')->value == 15;
    struct et_ir *ir;
    if (!all)
        lane_of_quad(lower, (uint32_t)OP('m')->value, et_ampere_ptemp(0));
    ir = lone(lower, all ? ET_IR_MOV : ET_IR_SEL);
    if (all)
        return ETALON_OK;
    ir->src[1] = ir->dst[0] == ET_R_NONE ? et_ir_imm(0) : et_ir_reg(ir->dst[0]);
    ir->psrc[0] = et_ampere_ptemp(0);
    return ETALON_OK;
}

static enum etalon_status p2r(lower_t *lower)
{
    struct et_ir *ir = et_ampere_emit(lower, ET_IR_P2R);
    ir->dst[0] = DST('d');
    ir->src[0] = SRC('a');
    ir->src[0].part = (uint8_t)(ET_PART_B0 + MOD(preg));
    ir->src[1] = SRC('b');
    return ETALON_OK;
}

static enum etalon_status r2p(lower_t *lower)
{
    struct et_ir *ir = et_ampere_emit(lower, ET_IR_R2P);
    ir->src[0] = SRC('a');
    ir->src[0].part = (uint8_t)(ET_PART_B0 + OP('a')->sel);
    ir->src[1] = SRC('b');
    return ETALON_OK;
}

/* UP2UR: the uniform predicates gathered bit by bit, then merged under the mask b into a's byte. */
static enum etalon_status up2ur(lower_t *lower)
{
    unsigned i, shift = 8 * MOD(preg);
    struct et_ir *ir;
    struct et_ir_src mask = SRC('b'), bits = et_ir_reg(et_ampere_temp(0));
    et_ampere_move(lower, et_ampere_temp(0), et_ir_imm(0));
    for (i = 0; i < 7; i++) {
        ir = et_ampere_emit(lower, ET_IR_SEL);
        ir->dst[0] = et_ampere_temp(1);
        ir->src[0] = et_ir_imm(1u << (i + shift));
        ir->src[1] = et_ir_imm(0);
        ir->psrc[0] = (uint8_t)(ET_P_UNIFORM + i);
        et_ampere_logic(lower, et_ampere_temp(0), bits, et_ir_reg(et_ampere_temp(1)), et_ir_imm(0), 0xfc);
    }
    et_ampere_logic(lower, et_ampere_temp(1), mask, et_ir_imm(0xff), et_ir_imm(0), 0xc0);
    ir = et_ampere_emit(lower, ET_IR_SHL);
    ir->dst[0] = et_ampere_temp(1);
    ir->src[0] = et_ir_reg(et_ampere_temp(1));
    ir->src[1] = et_ir_imm(shift);
    et_ampere_logic(lower, DST('d'), SRC('a'), bits, et_ir_reg(et_ampere_temp(1)), 0xd8);
    return ETALON_OK;
}

/* ptemp n = whether the bit of src is set. */
static uint8_t bit_of(lower_t *lower, struct et_ir_src src, unsigned bit, unsigned temp)
{
    struct et_ir *ir = et_ampere_emit(lower, ET_IR_LOP3);
    ir->src[0] = src;
    ir->src[1] = et_ir_imm(1u << bit);
    ir->imm = 0xc0;
    ir->pdst[0] = et_ampere_ptemp(temp);
    return et_ampere_ptemp(temp);
}

/* UR2UP: uniform predicates from a's byte, those that the mask b names. */
static enum etalon_status ur2up(lower_t *lower)
{
    const unsigned shift = 8 * OP('a')->sel;
    for (unsigned i = 0; i < 7; i++) {
        const uint8_t value = bit_of(lower, SRC('a'), i + shift, 0), named = bit_of(lower, SRC('b'), i, 1);
        const uint8_t p = (uint8_t)(ET_P_UNIFORM + i);
        et_ampere_plop(lower, p, value, named, p, 0xe2); /* named ? value : p */
    }
    return ETALON_OK;
}

static enum etalon_status sel(lower_t *lower)
{
    struct et_ir *ir = et_ampere_abc(lower, ET_IR_SEL);
    ir->psrc[0] = PSRC('s');
    return ETALON_OK;
}

static enum etalon_status prmt(lower_t *lower)
{
    struct et_ir *ir = et_ampere_abc(lower, ET_IR_PRMT);
    ir->fn = (uint8_t)MOD(prmt);
    return ETALON_OK;
}

static enum etalon_status s2r(lower_t *lower)
{
    struct et_ir *ir = et_ampere_emit(lower, ET_IR_S2R);
    ir->dst[0] = DST('d');
    ir->imm = (int32_t)OP('x')->value;
    return ETALON_OK;
}

static enum etalon_status cs2r(lower_t *lower)
{
    struct et_ir *ir = et_ampere_emit(lower, ET_IR_CS2R);
    ir->dst[0] = DST('d');
    ir->imm = (int32_t)OP('x')->value;
    ir->type = MOD(32) ? ET_U64 : ET_U32;
    return ETALON_OK;
}

/* temp n = slot a of the first running lane; uses temp 0. */
static void first_value(lower_t *lower, unsigned temp)
{
    const struct et_ir_src lanes = et_ir_reg(et_ampere_temp(0));
    struct et_ir *ir = et_ampere_emit(lower, ET_IR_VOTE);
    ir->dst[0] = et_ampere_temp(0);
    ir = et_ampere_emit(lower, ET_IR_BREV);
    ir->dst[0] = et_ampere_temp(0);
    ir->src[0] = lanes;
    ir = et_ampere_emit(lower, ET_IR_FLO);
    ir->dst[0] = et_ampere_temp(0);
    ir->src[0] = lanes;
    ir->flags |= ET_F_SH;
    ir = et_ampere_emit(lower, ET_IR_SHFL);
    ir->fn = ET_SHFL_IDX;
    ir->dst[0] = et_ampere_temp(temp);
    ir->src[0] = SRC('a');
    ir->src[1] = lanes;
    ir->src[2] = et_ir_imm(31);
}

/* R2UR: the first active lane's value; p: lanes that hold another one, which loops over unlike values come
 * back for. */
static enum etalon_status r2ur(lower_t *lower)
{
    struct et_ir_src first = et_ir_reg(et_ampere_temp(1));
    struct et_ir *ir;
    if (et_ampere_bits(lower, 84, 1)) { /* .OR: of the running lanes' values [INF] */
        ir = et_ampere_emit(lower, ET_IR_REDUX);
        ir->fn = ET_REDUX_OR;
    } else {
        ir = et_ampere_emit(lower, ET_IR_R2UR);
    }
    ir->dst[0] = DST('d');
    ir->src[0] = SRC('a');
    if (PDST('p') == ET_P_NONE)
        return ETALON_OK;
    first_value(lower, 1);
    ir = et_ampere_emit(lower, ET_IR_ISETP);
    ir->src[0] = SRC('a');
    ir->src[1] = first;
    ir->cmp = ET_CMP_NE;
    ir->pdst[0] = PDST('p');
    return ETALON_OK;
}

/* IADD3 and its uniform 64-bit form. */
static enum etalon_status iadd3(lower_t *lower)
{
    int extended = OP('s')->kind != ET_KIND_NONE, wide = (lower->insn->row->op & 0xff) == 0x97;
    struct et_ir *ir = et_ampere_abc(lower, ET_IR_IADD3);
    uint8_t carry0 = PSRC('s'), carry1 = PSRC('t');
    unsigned i;
    if (wide) { /* low words first; their carries go on in temporaries */
        ir->dst[0] = et_ampere_temp(0);
        ir->pdst[0] = et_ampere_ptemp(0);
        ir->pdst[1] = et_ampere_ptemp(1);
        if (extended) {
            ir->flags |= ET_F_X;
            ir->psrc[0] = carry0;
            ir->psrc[1] = carry1;
            complements(ir);
        }
        ir = et_ampere_abc(lower, ET_IR_IADD3);
        for (i = 0; i < 3; i++) {
            if (ir->src[i].kind == ET_SRC_IMM)
                ir->src[i].value = ir->src[i].high;
            else if (ir->src[i].value != ET_R_URZ)
                ir->src[i].value++;
        }
        if (ir->dst[0] != ET_R_NONE)
            ir->dst[0]++;
        extended = 1;
        carry0 = et_ampere_ptemp(0);
        carry1 = et_ampere_ptemp(1);
    }
    ir->pdst[0] = PDST('p');
    ir->pdst[1] = PDST('q');
    if (extended) {
        ir->flags |= ET_F_X;
        ir->psrc[0] = carry0;
        ir->psrc[1] = carry1;
        complements(ir);
    }
    if (wide)
        et_ampere_move(lower, DST('d'), et_ir_reg(et_ampere_temp(0)));
    return ETALON_OK;
}

/* LEA with a negated or complemented addend: shift, then add. */
static enum etalon_status lea_split(lower_t *lower, int extended)
{
    struct et_ir *ir = et_ampere_emit(lower, ET_IR_SHL);
    uint8_t mods = et_ampere_src(lower, 'a').mods;
    ir->dst[0] = et_ampere_temp(0);
    ir->src[0] = SRC('a');
    ir->src[0].mods = 0;
    ir->src[1] = et_ir_imm((uint32_t)OP('n')->value);
    ir = et_ampere_emit(lower, ET_IR_IADD3);
    ir->dst[0] = DST('d');
    ir->src[0] = et_ir_reg(et_ampere_temp(0));
    ir->src[0].mods = mods;
    ir->src[1] = SRC('b');
    ir->pdst[0] = PDST('p');
    if (extended) {
        ir->flags |= ET_F_X;
        ir->psrc[0] = PSRC('s');
        ir->psrc[1] = ET_P_T | ET_P_NOT;
        complements(ir);
    }
    return ETALON_OK;
}

static enum etalon_status lea(lower_t *lower)
{
    int extended = OP('s')->kind != ET_KIND_NONE, high = et_ampere_bits(lower, 80, 1) != 0;
    struct et_ir *ir;
    if (!high && (OP('b')->neg || OP('b')->inv))
        return lea_split(lower, extended);
    ir = et_ampere_abc(lower, high ? ET_IR_LEA_HI : ET_IR_LEA);
    ir->imm = (int32_t)OP('n')->value;
    ir->pdst[0] = PDST('p');
    if (high && et_ampere_bits(lower, 73, 1))
        ir->flags |= ET_F_SX;
    if (extended) {
        ir->flags |= ET_F_X;
        ir->psrc[0] = PSRC('s');
        complements(ir);
    }
    return ETALON_OK;
}

static enum etalon_status lop3(lower_t *lower)
{
    struct et_ir *ir = et_ampere_abc(lower, ET_IR_LOP3);
    ir->imm = (int32_t)OP('n')->value;
    if (PDST('p') == ET_P_NONE)
        return ETALON_OK;
    if (MOD(PAND)) {
        ir->pdst[0] = et_ampere_ptemp(0);
        et_ampere_plop(lower, PDST('p'), et_ampere_ptemp(0), PSRC('s'), ET_P_T, 0xc0);
    } else {
        ir->pdst[0] = PDST('p');
        ir->psrc[0] = PSRC('s') ^ ET_P_NOT;
    }
    return ETALON_OK;
}

static enum etalon_status iabs(lower_t *lower)
{
    lone(lower, ET_IR_IABS);
    return ETALON_OK;
}

static enum etalon_status vabsdiff(lower_t *lower)
{
    struct et_ir *ir = et_ampere_abc(lower, ET_IR_VABSDIFF);
    ir->type = MOD(U32) ? ET_S32 : ET_U32;
    ir->pdst[0] = PDST('p');
    return ETALON_OK;
}

static enum etalon_status vabsdiff4(lower_t *lower)
{
    struct et_ir *ir = et_ampere_abc(lower, ET_IR_VABSDIFF4);
    ir->type = ir->type2 = MOD(U8) ? ET_S8 : ET_U8;
    ir->fn = (uint8_t)MOD(ACC);
    ir->pdst[0] = PDST('p');
    return ETALON_OK;
}

static enum etalon_status imnmx(lower_t *lower)
{
    struct et_ir *ir = et_ampere_abc(lower, ET_IR_IMNMX);
    ir->type = MOD(U32) ? ET_S32 : ET_U32;
    ir->psrc[0] = PSRC('s');
    return ETALON_OK;
}

static enum etalon_status shf(lower_t *lower)
{
    static const uint8_t types[] = {ET_S64, ET_U64, ET_S32, ET_U32};
    struct et_ir *ir = et_ampere_abc(lower, ET_IR_SHF);
    ir->type = types[MOD(shf)];
    ir->flags |= (MOD(dir) ? 0 : ET_F_LEFT) | (MOD(W) ? ET_F_WRAP : 0) | (MOD(HI) ? ET_F_HI : 0);
    return ETALON_OK;
}

static enum etalon_status sgxt(lower_t *lower)
{
    struct et_ir *ir = et_ampere_abc(lower, ET_IR_SGXT);
    ir->type = MOD(U32) ? ET_S32 : ET_U32;
    ir->flags |= MOD(W) ? ET_F_WRAP : 0;
    return ETALON_OK;
}

static enum etalon_status bmsk(lower_t *lower)
{
    struct et_ir *ir = et_ampere_abc(lower, ET_IR_BMSK);
    ir->flags |= MOD(W) ? ET_F_WRAP : 0;
    return ETALON_OK;
}

static enum etalon_status isetp(lower_t *lower)
{
    struct et_ir *ir = et_ampere_emit(lower, ET_IR_ISETP);
    ir->src[0] = SRC('a');
    ir->src[1] = SRC('b');
    ir->type = MOD(U32) ? ET_S32 : ET_U32;
    ir->cmp = (uint8_t)(MOD(icmp) == 7 ? ET_CMP_T : MOD(icmp));
    ir->bop = (uint8_t)MOD(bop);
    ir->pdst[0] = PDST('p');
    ir->pdst[1] = PDST('q');
    ir->psrc[0] = PSRC('s');
    if (OP('t')->kind) {
        ir->flags |= ET_F_X;
        ir->psrc[1] = PSRC('t');
    }
    return ETALON_OK;
}

/* A predicate input of PLOP3: a predicate, or the sign of a register. */
static uint8_t plop_input(lower_t *lower, char predicate, char source, unsigned temp)
{
    struct et_ir *ir;
    if (!OP(source)->kind)
        return PSRC(predicate);
    ir = et_ampere_emit(lower, ET_IR_ISETP);
    ir->src[0] = SRC(source);
    ir->src[1] = et_ir_imm(0);
    ir->type = ET_S32;
    ir->cmp = ET_CMP_LT;
    ir->pdst[0] = et_ampere_ptemp(temp);
    return et_ampere_ptemp(temp);
}

static enum etalon_status plop3(lower_t *lower)
{
    uint8_t p0 = plop_input(lower, 's', 'a', 0), p1 = plop_input(lower, 't', 'b', 1),
            p2 = plop_input(lower, 'r', 'c', 2);
    struct et_ir *ir = et_ampere_emit(lower, ET_IR_PLOP3);
    ir->pdst[0] = PDST('p');
    ir->pdst[1] = PDST('q');
    ir->psrc[0] = p0;
    ir->psrc[1] = p1;
    ir->psrc[2] = p2;
    ir->imm = (int32_t)OP('n')->value;
    ir->imm2 = (uint32_t)OP('o')->value;
    return ETALON_OK;
}

static void multiply_add(lower_t *lower, enum et_ir_op op)
{
    struct et_ir *ir = et_ampere_abc(lower, op);
    ir->type = MOD(U32) ? ET_S32 : ET_U32;
    ir->pdst[0] = PDST('p');
    if (OP('s')->kind) {
        ir->flags |= ET_F_X;
        ir->psrc[0] = PSRC('s');
        complements(ir);
    }
}

static enum etalon_status imad(lower_t *lower)
{
    unsigned op = lower->insn->row->op & 0xff;
    multiply_add(lower, op == 0x25 || op == 0xa5 ? ET_IR_IMAD_WIDE : op == 0x27 ? ET_IR_IMAD_HI : ET_IR_IMAD);
    return ETALON_OK;
}

static enum etalon_status idp(lower_t *lower)
{
    struct et_ir *ir = et_ampere_abc(lower, ET_IR_IDP);
    unsigned dp = MOD(dp), pair = dp >= 4;
    ir->fn = dp >= 12 ? ET_IDP_2A_HI : pair ? ET_IDP_2A_LO : ET_IDP_4A;
    ir->type = (uint8_t)((pair ? ET_U16 : ET_U8) + (dp & 1));
    ir->type2 = (uint8_t)(ET_U8 + (dp >> 1 & 1));
    return ETALON_OK;
}

static enum etalon_status flo(lower_t *lower)
{
    struct et_ir *ir = lone(lower, ET_IR_FLO);
    ir->type = MOD(U32) ? ET_S32 : ET_U32;
    ir->flags |= MOD(SH) ? ET_F_SH : 0;
    ir->pdst[0] = PDST('p');
    return ETALON_OK;
}

static enum etalon_status brev(lower_t *lower)
{
    lone(lower, ET_IR_BREV);
    return ETALON_OK;
}

static enum etalon_status popc(lower_t *lower)
{
    lone(lower, ET_IR_POPC);
    return ETALON_OK;
}

/* I2IP: see ir/ops.h. nvdisasm gives these three their names for SM86; Hopper's are in another order
 * [HW:H200]. */
static enum etalon_status i2ip(lower_t *lower)
{
    static const uint8_t types[] = {ET_U8, ET_S8, ET_U16, ET_S16, ET_U2, ET_S2, ET_U4, ET_S4};
    enum { SAT, WRAP, SATRELU };
    struct et_ir *ir = et_ampere_abc(lower, ET_IR_I2IP);
    ir->type = types[MOD(pack)];
    ir->type2 = ET_S32;
    ir->sat = MOD(satr) != WRAP;
    ir->flags |= MOD(satr) == SATRELU ? ET_F_RELU : 0;
    if (MOD(pack) < 4 && OP('c')->sel)
        ir->src[2].part = ET_PART_H1;
    return ETALON_OK;
}

static enum etalon_status i2i(lower_t *lower)
{
    static const uint8_t types[] = {ET_U8, ET_S8, ET_U16, ET_S16};
    struct et_ir *ir = lone(lower, ET_IR_I2I);
    ir->type = types[MOD(sat8)];
    ir->type2 = ET_S32;
    ir->sat = 1;
    return ETALON_OK;
}

const struct et_ampere_lowering et_ampere_integer[] = {
    {"BMSK", bmsk},   {"BREV", brev},    {"CS2R", cs2r},   {"FLO", flo},           {"I2I", i2i},
    {"I2IP", i2ip},   {"IABS", iabs},    {"IADD3", iadd3}, {"IDP", idp},           {"IMAD", imad},
    {"IMNMX", imnmx}, {"ISETP", isetp},  {"LEA", lea},     {"LOP3", lop3},         {"MOV", mov},
    {"P2R", p2r},     {"PLOP3", plop3},  {"POPC", popc},   {"PRMT", prmt},         {"R2P", r2p},
    {"R2UR", r2ur},   {"S2R", s2r},      {"S2UR", s2r},    {"SEL", sel},           {"SGXT", sgxt},
    {"SHF", shf},     {"UBMSK", bmsk},   {"UBREV", brev},  {"UFLO", flo},          {"UIADD3", iadd3},
    {"UIMAD", imad},  {"UISETP", isetp}, {"ULEA", lea},    {"ULOP3", lop3},        {"UMOV", mov},
    {"UP2UR", up2ur}, {"UPLOP3", plop3}, {"UPOPC", popc},  {"UPRMT", prmt},        {"UR2UP", ur2up},
    {"USEL", sel},    {"USGXT", sgxt},   {"USHF", shf},    {"VABSDIFF", vabsdiff}, {"VABSDIFF4", vabsdiff4},
    {NULL, NULL}};
