/* Floating point of all widths, conversions, tensor cores. */
#include "isa/ampere/lower-names.h"

#include <string.h>

/* d = op(a, b, c) with rounding, flush and saturation. */
/* d = op(a, b, c), with rounding, flush and saturation. */
static struct et_ir *rounded(lower_t *lower, enum et_ir_op op)
{
    struct et_ir *ir = et_ampere_abc(lower, op);
    ir->round = (uint8_t)MOD(rnd);
    ir->ftz = MOD(FTZ) || MOD(ftz);
    ir->sat = MOD(SAT) != 0;
    ir->flags |= MOD(ftz) == 2 ? ET_F_FMZ : 0;
    return ir;
}

static void compare(lower_t *lower, struct et_ir *ir)
{
    ir->cmp = (uint8_t)MOD(fcmp);
    ir->bop = (uint8_t)MOD(bop);
    ir->pdst[0] = PDST('p');
    ir->pdst[1] = PDST('q');
    ir->psrc[0] = PSRC('s');
}

static enum etalon_status fadd(lower_t *lower)
{
    rounded(lower, ET_IR_FADD);
    return ETALON_OK;
}

static enum etalon_status fmul(lower_t *lower)
{
    static const uint8_t scales[] = {ET_SCALE_1, ET_SCALE_D8, ET_SCALE_D4, ET_SCALE_D2,
                                     ET_SCALE_1, ET_SCALE_M2, ET_SCALE_M4, ET_SCALE_M8};
    struct et_ir *ir = rounded(lower, ET_IR_FMUL);
    ir->fn = scales[MOD(fscale)];
    return ETALON_OK;
}

static enum etalon_status ffma(lower_t *lower)
{
    rounded(lower, ET_IR_FFMA);
    return ETALON_OK;
}

static enum etalon_status fmnmx(lower_t *lower)
{
    struct et_ir *ir = rounded(lower, ET_IR_FMNMX);
    ir->psrc[0] = PSRC('s');
    ir->flags |= (MOD(NAN) ? ET_F_NAN : 0) | (MOD(XORSIGN) ? ET_F_XORSIGN : 0);
    return ETALON_OK;
}

static enum etalon_status fsel(lower_t *lower)
{
    struct et_ir *ir = rounded(lower, ET_IR_SEL);
    ir->type = ET_F32;
    ir->psrc[0] = PSRC('s');
    return ETALON_OK;
}

static enum etalon_status fsetp(lower_t *lower)
{
    compare(lower, rounded(lower, ET_IR_FSETP));
    return ETALON_OK;
}

/* FSET.BF: 1.0 or 0. */
static enum etalon_status fset(lower_t *lower)
{
    struct et_ir *ir = rounded(lower, ET_IR_FSETP);
    compare(lower, ir);
    ir->dst[0] = ET_R_NONE;
    ir->pdst[0] = et_ampere_ptemp(0);
    ir = et_ampere_emit(lower, ET_IR_SEL);
    ir->dst[0] = DST('d');
    ir->src[0] = et_ir_imm(0x3f800000);
    ir->src[1] = et_ir_imm(0);
    ir->psrc[0] = et_ampere_ptemp(0);
    return ETALON_OK;
}

static enum etalon_status fchk(lower_t *lower)
{
    struct et_ir *ir = rounded(lower, ET_IR_FCHK);
    ir->pdst[0] = PDST('p');
    return ETALON_OK;
}

static enum etalon_status fswzadd(lower_t *lower)
{
    struct et_ir *ir = rounded(lower, ET_IR_FSWZADD);
    ir->src[1] = SRC('c');
    memset(&ir->src[2], 0, sizeof ir->src[2]);
    /* The first lane's pair of bits is the highest, as in the text: PP PN NP ZP. */
    for (unsigned lane = 0; lane < 4; lane++) {
        static const uint8_t codes[] = {0, 2, 1, 3};
        ir->imm |= codes[OP('x')->value >> (6 - 2 * lane) & 3] << (2 * lane);
    }
    return ETALON_OK;
}

static enum etalon_status mufu(lower_t *lower)
{
    struct et_ir *ir = et_ampere_emit(lower, ET_IR_MUFU);
    ir->dst[0] = DST('d');
    ir->src[0] =
        OP('b')->kind == ET_KIND_D ? et_ir_imm((uint32_t)((uint64_t)OP('b')->value >> 32)) : SRC('b');
    ir->fn = (uint8_t)MOD(mufu);
    ir->type = ET_F32;
    if (et_ampere_bits(lower, 73, 1)) {
        ir->type = ET_F16;
        ir->src[0].part = OP('b')->sel ? ET_PART_H1 : ET_PART_H0;
    }
    return ETALON_OK;
}

static enum etalon_status dadd(lower_t *lower)
{
    rounded(lower, ET_IR_DADD);
    return ETALON_OK;
}

static enum etalon_status dmul(lower_t *lower)
{
    rounded(lower, ET_IR_DMUL);
    return ETALON_OK;
}

static enum etalon_status dfma(lower_t *lower)
{
    rounded(lower, ET_IR_DFMA);
    return ETALON_OK;
}

static struct et_ir *dsetp_step(lower_t *lower, enum et_cmp cmp, char a, char b, unsigned temp)
{
    struct et_ir *ir = et_ampere_emit(lower, ET_IR_DSETP);
    ir->src[0] = SRC(a);
    ir->src[1] = SRC(b);
    ir->cmp = (uint8_t)cmp;
    ir->pdst[0] = et_ampere_ptemp(temp);
    return ir;
}

/* temp = sign of the double in slot a, its modifiers applied. */
static void sign_of(lower_t *lower, char slot, unsigned temp)
{
    struct et_ir_src high = SRC(slot);
    struct et_ir *ir;
    unsigned lut = high.mods & ET_ABS ? high.mods & ET_NEG ? 0xff : 0x00 : high.mods & ET_NEG ? 0x0f : 0xf0;
    if (high.kind == ET_SRC_IMM)
        high.value = high.high;
    else if (high.kind == ET_SRC_REG)
        high.value += high.value != ET_R_RZ && high.value != ET_R_URZ;
    else
        high.value += 4;
    high.mods = 0;
    ir = et_ampere_emit(lower, ET_IR_ISETP);
    ir->src[0] = high;
    ir->src[1] = et_ir_imm(0);
    ir->type = ET_S32;
    ir->cmp = ET_CMP_LT;
    ir->pdst[0] = et_ampere_ptemp(temp);
    et_ampere_plop(lower, et_ampere_ptemp(temp), et_ampere_ptemp(temp), ET_P_T, ET_P_T, lut);
}

/* DSETP.MIN and .MAX tell how to build the result: p when it is a (the smaller or larger, or b is a NaN and a
 * is not; of zeros the one with the right sign), q when both are NaNs. [INF] from the code that ptxas puts
 * after them. */
static enum etalon_status dsetp_minmax(lower_t *lower, int max)
{
    uint8_t s = PSRC('s');
    dsetp_step(lower, max ? ET_CMP_GT : ET_CMP_LT, 'a', 'b', 0);
    dsetp_step(lower, ET_CMP_EQ, 'a', 'b', 1);
    sign_of(lower, 'a', 2);
    et_ampere_plop(lower, et_ampere_ptemp(0), et_ampere_ptemp(0), et_ampere_ptemp(1), et_ampere_ptemp(2),
                   max ? 0xf4 : 0xf8);
    dsetp_step(lower, ET_CMP_NAN, 'a', 'a', 1);
    dsetp_step(lower, ET_CMP_NAN, 'b', 'b', 2);
    if (MOD(bop) != ET_AND)
        return ETALON_UNSUPPORTED;
    et_ampere_plop(lower, et_ampere_ptemp(0), et_ampere_ptemp(0), et_ampere_ptemp(1), et_ampere_ptemp(2),
                   0xf2);
    et_ampere_plop(lower, PDST('p'), et_ampere_ptemp(0), s, ET_P_T, 0xc0);
    et_ampere_plop(lower, PDST('q'), et_ampere_ptemp(1), et_ampere_ptemp(2), s, 0x80);
    return ETALON_OK;
}

static enum etalon_status dsetp(lower_t *lower)
{
    struct et_ir *ir;
    if (MOD(dcmp) == 0 || MOD(dcmp) == 15)
        return dsetp_minmax(lower, MOD(dcmp) == 15);
    ir = rounded(lower, ET_IR_DSETP);
    compare(lower, ir);
    ir->cmp = (uint8_t)MOD(dcmp);
    return ETALON_OK;
}

/* Two halves. */
static struct et_ir *halves(lower_t *lower, enum et_ir_op op)
{
    struct et_ir *ir = rounded(lower, op);
    ir->src[0] = et_ampere_half(lower, 'a');
    ir->src[1] = et_ampere_half(lower, 'b');
    ir->src[2] = et_ampere_half(lower, 'c');
    ir->type = ET_F16;
    if (MOD(F32))
        ir->dpart = ET_PART_F32;
    return ir;
}

/* One row's .F32 is part of its name. */
static enum etalon_status hadd2(lower_t *lower)
{
    struct et_ir *ir = halves(lower, ET_IR_HADD2);
    if (et_ampere_bits(lower, 78, 1))
        ir->dpart = ET_PART_F32;
    return ETALON_OK;
}

static enum etalon_status hmul2(lower_t *lower)
{
    halves(lower, ET_IR_HMUL2);
    return ETALON_OK;
}

/* HFMA2 and HFMA2.MMA, which computes the same. H0_NH1: b's halves change places, the new low one negated
 * before bars and sign. RELU where its predicate is true [HW:H200]. */
static enum etalon_status hfma2(lower_t *lower)
{
    int plain = (lower->insn->row->op & 0xff) == 0x35;
    const bool relu = et_ampere_bits(lower, 79, 1), chosen = relu && !et_ampere_is_true(lower, 's');
    const uint8_t guard = lower->builder->guard;
    struct et_ir *ir;
    unsigned pass;
    if (OP('b')->sel > 3) {
        struct et_ir_src b = SRC('b');
        b.mods = 0;
        et_ampere_move(lower, et_ampere_temp(0), b);
        ir = et_ampere_emit(lower, ET_IR_PRMT);
        ir->dst[0] = et_ampere_temp(0);
        ir->src[0] = et_ir_reg(et_ampere_temp(0));
        ir->src[1] = et_ir_imm(0x1032);
        et_ampere_logic(lower, et_ampere_temp(0), et_ir_reg(et_ampere_temp(0)), et_ir_imm(0x8000),
                        et_ir_imm(0), 0x3c);
    }
    if (chosen) { /* once without and once with, for the lanes that want it */
        lower->builder->guard = ET_P_T;
        et_ampere_plop(lower, et_ampere_ptemp(0), guard, PSRC('s'), ET_P_T, 0xc0);
        et_ampere_plop(lower, et_ampere_ptemp(1), guard, PSRC('s'), ET_P_T, 0x30);
    }
    for (pass = 0; pass < (chosen ? 2u : 1u); pass++) {
        lower->builder->guard = chosen ? et_ampere_ptemp(pass) : guard;
        ir = halves(lower, ET_IR_HFMA2);
        if (OP('b')->sel > 3) {
            ir->src[1].kind = ET_SRC_REG;
            ir->src[1].value = et_ampere_temp(0);
            ir->src[1].part = ET_PART_ALL;
        }
        if (!plain && et_ampere_bits(lower, 85, 1))
            ir->type = ET_BF16;
        ir->flags |= relu && !pass ? ET_F_RELU : 0;
    }
    lower->builder->guard = guard;
    return ETALON_OK;
}

static enum etalon_status hmnmx2(lower_t *lower)
{
    struct et_ir *ir = halves(lower, ET_IR_HMNMX2);
    ir->type = et_ampere_bits(lower, 85, 1) ? ET_BF16 : ET_F16;
    ir->psrc[0] = PSRC('s');
    ir->flags |= (MOD(NAN) ? ET_F_NAN : 0) | (MOD(XORSIGN) ? ET_F_XORSIGN : 0);
    return ETALON_OK;
}

static enum etalon_status hsetp2(lower_t *lower)
{
    struct et_ir *ir = halves(lower, ET_IR_HSETP2);
    compare(lower, ir);
    ir->flags |= MOD(H_AND) ? ET_F_HAND : 0;
    return ETALON_OK;
}

static enum etalon_status hset2(lower_t *lower)
{
    struct et_ir *ir = halves(lower, ET_IR_HSET2);
    ir->cmp = (uint8_t)MOD(fcmp);
    ir->bop = (uint8_t)MOD(bop);
    ir->psrc[0] = PSRC('s');
    ir->flags |= MOD(BF) ? ET_F_BF : 0;
    return ETALON_OK;
}

/* ---- conversions: widths are what the row fixes in the fields at 75 and 84 */

static uint8_t float_type(unsigned width)
{
    static const uint8_t types[] = {ET_F32, ET_F16, ET_F32, ET_F64};
    return types[width & 3];
}

static uint8_t int_type(unsigned width, unsigned sign)
{
    static const uint8_t types[] = {ET_U8, ET_U16, ET_U32, ET_U64};
    return (uint8_t)(types[width & 3] + sign);
}

static struct et_ir *convert(lower_t *lower, enum et_ir_op op)
{
    struct et_ir *ir = et_ampere_emit(lower, op);
    ir->dst[0] = DST('d');
    ir->src[0] = SRC('b');
    ir->ftz = MOD(FTZ) != 0;
    ir->round = (uint8_t)(MOD(rnd) ? MOD(rnd) : MOD(irnd));
    return ir;
}

static void half_source(lower_t *lower, struct et_ir *ir)
{
    if (ir->type2 == ET_F16)
        ir->src[0].part = OP('b')->sel ? ET_PART_H1 : ET_PART_H0;
}

static enum etalon_status f2f(lower_t *lower)
{
    struct et_ir *ir = convert(lower, ET_IR_F2F);
    ir->type = et_ampere_bits(lower, 77, 1) ? ET_BF16 : float_type(et_ampere_bits(lower, 75, 2));
    ir->type2 = float_type(et_ampere_bits(lower, 84, 2));
    half_source(lower, ir);
    return ETALON_OK;
}

static enum etalon_status frnd(lower_t *lower)
{
    struct et_ir *ir = convert(lower, ET_IR_F2F);
    ir->type = ir->type2 = float_type(et_ampere_bits(lower, 84, 2));
    ir->fn = 1;
    half_source(lower, ir);
    return ETALON_OK;
}

static enum etalon_status f2i(lower_t *lower)
{
    struct et_ir *ir = convert(lower, ET_IR_F2I);
    ir->type = int_type(et_ampere_bits(lower, 75, 2), et_ampere_bits(lower, 72, 1));
    ir->type2 = float_type(et_ampere_bits(lower, 84, 2));
    ir->fn = (uint8_t)MOD(NTZ);
    half_source(lower, ir);
    return ETALON_OK;
}

static enum etalon_status i2f(lower_t *lower)
{
    struct et_ir *ir = convert(lower, ET_IR_I2F);
    unsigned width = et_ampere_bits(lower, 84, 2), sel = OP('b')->sel;
    ir->type = float_type(et_ampere_bits(lower, 75, 2));
    ir->type2 = int_type(width, et_ampere_bits(lower, 74, 1));
    if (width == 0)
        ir->src[0].part = (uint8_t)(ET_PART_B0 + sel);
    if (width == 1)
        ir->src[0].part = sel ? ET_PART_H1 : ET_PART_H0;
    return ETALON_OK;
}

static enum etalon_status i2fp(lower_t *lower)
{
    struct et_ir *ir = convert(lower, ET_IR_I2F);
    ir->type = ET_F32;
    ir->type2 = et_ampere_bits(lower, 74, 1) ? ET_S32 : ET_U32;
    ir->round = (uint8_t)MOD(rz);
    return ETALON_OK;
}

static enum etalon_status f2fp(lower_t *lower)
{
    struct et_ir *ir = et_ampere_abc(lower, ET_IR_F2FP);
    ir->type = MOD(BF16) ? ET_BF16 : ET_F16;
    ir->type2 = ET_F32;
    ir->round = (uint8_t)MOD(rz);
    ir->flags |= MOD(RELU) ? ET_F_RELU : 0;
    if (et_ampere_bits(lower, 78, 1))
        ir->dpart = ET_PART_H0;
    ir->fn = (uint8_t)MOD(SATFINITE);
    return ETALON_OK;
}

static enum etalon_status f2ip(lower_t *lower)
{
    struct et_ir *ir = rounded(lower, ET_IR_F2IP);
    ir->fn = (uint8_t)MOD(NTZ);
    ir->flags |= MOD(RELU) ? ET_F_RELU : 0;
    ir->src[2].part = OP('c')->sel ? ET_PART_H1 : ET_PART_H0;
    ir->type = MOD(f2ip) ? ET_S8 : ET_U8;
    ir->type2 = ET_F32;
    ir->round = (uint8_t)MOD(trunc);
    return ETALON_OK;
}

/* ---- tensor cores */

static struct et_ir *mma(lower_t *lower, unsigned shape)
{
    struct et_ir *ir = et_ampere_abc(lower, ET_IR_MMA);
    ir->fn = (uint8_t)shape;
    ir->sat = MOD(SAT) != 0;
    if (OP('e')->kind) {
        ir->src[3] = SRC('e');
        ir->imm = (int32_t)OP('n')->value;
        ir->flags |= ET_F_SPARSE;
    }
    return ir;
}

static enum etalon_status hmma(lower_t *lower)
{
    static const uint8_t types[] = {ET_F16, ET_BF16, ET_TF32},
                         shapes[] = {ET_MMA_1688, ET_MMA_16816, ET_MMA_1684, ET_MMA_16832};
    struct et_ir *ir;
    if (!et_ampere_is_true(lower, 's') ||
        !et_mma_fits(shapes[MOD(shape16)], types[MOD(mmai)], OP('e')->kind != 0))
        return ETALON_UNSUPPORTED;
    ir = mma(lower, shapes[MOD(shape16)]);
    ir->type = ir->type2 = types[MOD(mmai)];
    ir->dtype = MOD(mmaf) ? ET_F32 : ET_F16;
    return ETALON_OK;
}

static enum etalon_status imma(lower_t *lower)
{
    static const uint8_t types[] = {ET_U8, ET_S8, ET_U4, ET_S4};
    static const uint8_t shapes[] = {ET_MMA_8816,  ET_MMA_8816,  ET_MMA_8832,  ET_MMA_8832,
                                     ET_MMA_16816, ET_MMA_16832, ET_MMA_16864, ET_MMA_16864};
    const bool sparse = OP('e')->kind != 0;
    const unsigned shape = sparse && MOD(ishape) == 7 ? ET_MMA_168128 : shapes[MOD(ishape)];
    struct et_ir *ir;
    if (!et_ampere_is_true(lower, 's') || !et_mma_fits(shape, types[MOD(atype)], sparse))
        return ETALON_UNSUPPORTED;
    if (sparse && MOD(ishape) == 3) /* 8864 has no user */
        return ETALON_UNSUPPORTED;
    ir = mma(lower, shape);
    ir->type = types[MOD(atype)];
    ir->type2 = types[MOD(btype)];
    ir->dtype = ET_S32;
    return ETALON_OK;
}

static enum etalon_status bmma(lower_t *lower)
{
    static const uint8_t shapes[] = {ET_MMA_88128, ET_MMA_168128, ET_MMA_168256};
    struct et_ir *ir;
    if (!et_ampere_is_true(lower, 's'))
        return ETALON_UNSUPPORTED;
    ir = mma(lower, shapes[MOD(bshape)]);
    ir->type = ir->type2 = ET_B1;
    ir->dtype = ET_S32;
    ir->fn2 = MOD(bmma) == 2;
    return ETALON_OK;
}

static enum etalon_status dmma(lower_t *lower)
{
    struct et_ir *ir;
    if (!et_ampere_is_true(lower, 's'))
        return ETALON_UNSUPPORTED;
    ir = mma(lower, ET_MMA_884);
    ir->type = ir->type2 = ir->dtype = ET_F64;
    ir->round = (uint8_t)MOD(rnd);
    return ETALON_OK;
}

static enum etalon_status movm(lower_t *lower)
{
    struct et_ir *ir;
    if (MOD(movm) != 0)
        return ETALON_UNSUPPORTED;
    ir = et_ampere_emit(lower, ET_IR_MOVM);
    ir->dst[0] = DST('d');
    ir->src[0] = SRC('a');
    return ETALON_OK;
}

const struct et_ampere_lowering et_ampere_float[] = {
    {"BMMA", bmma},   {"DADD", dadd},     {"DFMA", dfma}, {"DMMA", dmma},     {"DMUL", dmul},
    {"DSETP", dsetp}, {"F2F", f2f},       {"F2FP", f2fp}, {"F2I", f2i},       {"F2IP", f2ip},
    {"FADD", fadd},   {"FCHK", fchk},     {"FFMA", ffma}, {"FMNMX", fmnmx},   {"FMUL", fmul},
    {"FRND", frnd},   {"FSEL", fsel},     {"FSET", fset}, {"FSETP", fsetp},   {"FSWZADD", fswzadd},
    {"HADD2", hadd2}, {"HFMA2", hfma2},   {"HMMA", hmma}, {"HMNMX2", hmnmx2}, {"HMUL2", hmul2},
    {"HSET2", hset2}, {"HSETP2", hsetp2}, {"I2F", i2f},   {"I2FP", i2fp},     {"IMMA", imma},
    {"MOVM", movm},   {"MUFU", mufu},     {NULL, NULL}};
