/* Single, double and half precision, conversions. */
#include "isa/maxwell/lower.h"

#include "base/bits.h"

/* .FTZ, .FMZ (which flushes too), rounding, saturation of the single-precision forms. */
static void float_mods(const struct lower *l, struct et_ir *ir)
{
    const unsigned flush = mod(l, ET_MOD_ftz);
    ir->ftz = mod(l, ET_MOD_FTZ) || flush;
    if (flush == 2)
        ir->flags |= ET_F_FMZ;
    ir->round = (uint8_t)mod(l, ET_MOD_rnd);
    ir->sat = mod(l, ET_MOD_SAT);
}

static void compare_mods(const struct lower *l, struct et_ir *ir)
{
    ir->cmp = (uint8_t)mod(l, ET_MOD_cmp);
    ir->bop = (uint8_t)mod(l, ET_MOD_bop);
    ir->ftz = mod(l, ET_MOD_FTZ);
    ir->psrc[0] = et_maxwell_predicate(operand(l, 's'));
}

static void fadd(struct lower *l)
{
    struct et_ir *ir = et_maxwell_result(l, ET_IR_FADD);
    two_sources(l, ir);
    float_mods(l, ir);
    et_maxwell_cc(l, ET_F32);
}

static void fmul(struct lower *l)
{
    struct et_ir *ir = et_maxwell_result(l, ET_IR_FMUL);
    two_sources(l, ir);
    float_mods(l, ir);
    ir->fn = (uint8_t)mod(l, ET_MOD_scale);
    et_maxwell_cc(l, ET_F32);
}

static void ffma(struct lower *l)
{
    struct et_ir *ir = et_maxwell_result(l, ET_IR_FFMA);
    two_sources(l, ir);
    ir->src[2] = et_maxwell_source(l, 'c');
    float_mods(l, ir);
    et_maxwell_cc(l, ET_F32);
}

static void fmnmx(struct lower *l)
{
    struct et_ir *ir = et_maxwell_result(l, ET_IR_FMNMX);
    two_sources(l, ir);
    ir->ftz = mod(l, ET_MOD_FTZ);
    ir->psrc[0] = et_maxwell_predicate(operand(l, 's'));
    et_maxwell_cc(l, ET_F32);
}

static void set_predicates(struct lower *l, enum et_ir_op op)
{
    struct et_ir *ir = emit(l, op);
    two_sources(l, ir);
    compare_mods(l, ir);
    ir->pdst[0] = et_maxwell_predicate_dst(operand(l, 'p'));
    ir->pdst[1] = et_maxwell_predicate_dst(operand(l, 'q'));
}

static void fsetp(struct lower *l)
{
    set_predicates(l, ET_IR_FSETP);
}

static void dsetp(struct lower *l)
{
    set_predicates(l, ET_IR_DSETP);
}

static void set_register(struct lower *l, enum et_ir_op op)
{
    struct et_ir *ir = emit(l, op);
    two_sources(l, ir);
    compare_mods(l, ir);
    ir->pdst[0] = temp_predicate(l);
    et_maxwell_set_result(l, ir->pdst[0]);
}

static void fset(struct lower *l)
{
    set_register(l, ET_IR_FSETP);
}

static void dset(struct lower *l)
{
    set_register(l, ET_IR_DSETP);
}

/* d = c compared with zero ? a : b. */
static void fcmp(struct lower *l)
{
    const uint8_t chosen = temp_predicate(l);
    struct et_ir *ir = emit(l, ET_IR_FSETP);
    ir->src[0] = et_maxwell_source(l, 'c');
    ir->src[1] = et_ir_imm(0);
    ir->cmp = (uint8_t)mod(l, ET_MOD_cmp);
    ir->ftz = mod(l, ET_MOD_FTZ);
    ir->pdst[0] = chosen;
    ir = et_maxwell_result(l, ET_IR_SEL);
    two_sources(l, ir);
    ir->psrc[0] = chosen;
}

static void fchk(struct lower *l)
{
    struct et_ir *ir = emit(l, ET_IR_FCHK);
    two_sources(l, ir);
    ir->pdst[0] = et_maxwell_predicate_dst(operand(l, 'p'));
}

static void rro(struct lower *l)
{
    struct et_ir *ir = et_maxwell_result(l, ET_IR_RRO);
    ir->src[0] = et_maxwell_source(l, 'b');
    ir->fn = (uint8_t)mod(l, ET_MOD_func);
}

static void mufu(struct lower *l)
{
    struct et_ir *ir = et_maxwell_result(l, ET_IR_MUFU);
    ir->src[0] = et_maxwell_source(l, 'a');
    ir->type = ET_F32;
    ir->fn = (uint8_t)mod(l, ET_MOD_func);
    ir->sat = mod(l, ET_MOD_SAT);
}

static void fswzadd(struct lower *l)
{
    struct et_ir *ir = et_maxwell_result(l, ET_IR_FSWZADD);
    const uint32_t x = (uint32_t)operand(l, 'x')->value;
    two_sources(l, ir);
    float_mods(l, ir);
    /* PP NP PN ZP, the first lane's pair highest, as in the text [DRV: nouveau's QUADOP masks]. */
    ir->imm = (int32_t)(x >> 6 | (x >> 2 & 0x0c) | (x << 2 & 0x30) | (x & 3) << 6);
    et_maxwell_cc(l, ET_F32);
}

/* ---- double */
static void dadd(struct lower *l)
{
    struct et_ir *ir = et_maxwell_result(l, ET_IR_DADD);
    two_sources(l, ir);
    ir->round = (uint8_t)mod(l, ET_MOD_rnd);
    et_maxwell_cc(l, ET_F64);
}

static void dmul(struct lower *l)
{
    struct et_ir *ir = et_maxwell_result(l, ET_IR_DMUL);
    two_sources(l, ir);
    ir->round = (uint8_t)mod(l, ET_MOD_rnd);
    et_maxwell_cc(l, ET_F64);
}

static void dfma(struct lower *l)
{
    struct et_ir *ir = et_maxwell_result(l, ET_IR_DFMA);
    two_sources(l, ir);
    ir->src[2] = et_maxwell_source(l, 'c');
    ir->round = (uint8_t)mod(l, ET_MOD_rnd);
    et_maxwell_cc(l, ET_F64);
}

static void dmnmx(struct lower *l)
{
    struct et_ir *ir = et_maxwell_result(l, ET_IR_DMNMX);
    two_sources(l, ir);
    ir->psrc[0] = et_maxwell_predicate(operand(l, 's'));
    et_maxwell_cc(l, ET_F64);
}

/* ---- halves */
static unsigned half_part(unsigned swizzle)
{
    static const uint8_t parts[] = {ET_PART_ALL, ET_PART_F32, ET_PART_H0, ET_PART_H1};
    return parts[swizzle & 3];
}

static struct et_ir_src half_source(const struct lower *l, char slot)
{
    const struct et_operand *o = operand(l, slot);
    if (slot == 'b' && operand(l, 'h')->kind == ET_KIND_H)
        return et_ir_imm((uint32_t)operand(l, 'h')->value << 16 |
                         ((uint32_t)operand(l, 'l')->value & 0xffff));
    return with_part(et_maxwell_source(l, slot), o->kind == ET_KIND_R   ? half_part(o->sel)
                                                 : o->kind == ET_KIND_C ? ET_PART_F32
                                                                        : ET_PART_ALL);
}

static struct et_ir *half_op(struct lower *l, enum et_ir_op op)
{
    struct et_ir *ir = et_maxwell_result(l, op);
    ir->type = ET_F16;
    ir->src[0] = half_source(l, 'a');
    ir->src[1] = half_source(l, 'b');
    float_mods(l, ir);
    ir->dpart = (uint8_t)half_part(mod(l, ET_MOD_dst));
    return ir;
}

static void hadd2(struct lower *l)
{
    half_op(l, ET_IR_HADD2);
}

static void hmul2(struct lower *l)
{
    half_op(l, ET_IR_HMUL2);
}

static void hfma2(struct lower *l)
{
    struct et_ir *ir = half_op(l, ET_IR_HFMA2);
    ir->src[2] = half_source(l, 'c');
}

static void hsetp2(struct lower *l)
{
    struct et_ir *ir = emit(l, ET_IR_HSETP2);
    ir->type = ET_F16;
    ir->src[0] = half_source(l, 'a');
    ir->src[1] = half_source(l, 'b');
    compare_mods(l, ir);
    if (mod(l, ET_MOD_H_AND))
        ir->flags |= ET_F_HAND;
    ir->pdst[0] = et_maxwell_predicate_dst(operand(l, 'p'));
    ir->pdst[1] = et_maxwell_predicate_dst(operand(l, 'q'));
}

static void hset2(struct lower *l)
{
    struct et_ir *ir = et_maxwell_result(l, ET_IR_HSET2);
    ir->type = ET_F16;
    ir->src[0] = half_source(l, 'a');
    ir->src[1] = half_source(l, 'b');
    compare_mods(l, ir);
    if (mod(l, ET_MOD_BF))
        ir->flags |= ET_F_BF;
}

/* ---- conversions */
static enum et_type float_type(unsigned type)
{
    static const uint8_t types[] = {ET_F32, ET_F16, ET_F32, ET_F64};
    return (enum et_type)types[type & 3];
}

/* U8 U16 U32 U64 S8 S16 S32 S64. */
static enum et_type integer_type(unsigned type)
{
    static const uint8_t types[] = {ET_U8, ET_U16, ET_U32, ET_U64, ET_S8, ET_S16, ET_S32, ET_S64};
    return (enum et_type)types[type & 7];
}

static unsigned selector(const struct lower *l)
{
    const struct et_operand *b = operand(l, 'b');
    return b->kind == ET_KIND_R || b->kind == ET_KIND_C ? b->sel : mod(l, ET_MOD_sel) | mod(l, ET_MOD_H1);
}

static struct et_ir_src float_source(const struct lower *l, enum et_type type)
{
    const struct et_ir_src src = et_maxwell_source(l, 'b');
    return type == ET_F16 ? with_part(src, selector(l) ? ET_PART_H1 : ET_PART_H0) : src;
}

static struct et_ir_src integer_source(struct lower *l, enum et_type type)
{
    static const uint8_t bytes[] = {ET_PART_B0, ET_PART_B1, ET_PART_B2, ET_PART_B3};
    const struct et_ir_src src = et_maxwell_source(l, 'b');
    const unsigned sel = selector(l);
    switch (type) {
    case ET_U8:
    case ET_S8:
        return with_part(src, bytes[sel]);
    case ET_U16:
    case ET_S16:
        return with_part(src, sel ? ET_PART_H1 : ET_PART_H0);
    default:
        if (sel)
            unsupported(l, "a part of a whole register");
        return src;
    }
}

/* A 64-bit integer immediate extends its sign. */
static struct et_ir_src widened(struct et_ir_src src, enum et_type type)
{
    if (src.kind == ET_SRC_IMM && (type == ET_S64 || type == ET_U64))
        src.high = src.value >> 31 ? 0xffffffff : 0;
    return src;
}

static void f2f(struct lower *l)
{
    struct et_ir *ir = et_maxwell_result(l, ET_IR_F2F);
    unsigned rounding = mod(l, ET_MOD_rnd);
    ir->type = (uint8_t)float_type(mod(l, ET_MOD_dtype));
    ir->type2 = (uint8_t)float_type(mod(l, ET_MOD_stype));
    ir->src[0] = float_source(l, (enum et_type)ir->type2);
    ir->ftz = mod(l, ET_MOD_FTZ);
    ir->sat = mod(l, ET_MOD_SAT);
    if (ir->type != ir->type2) {
        ir->round = (uint8_t)rounding;
    } else if (rounding >= 4) { /* ROUND FLOOR CEIL TRUNC */
        ir->fn = 1;
        ir->round = (uint8_t)(rounding - 4);
    }
    et_maxwell_cc(l, (enum et_type)ir->type);
}

static void f2i(struct lower *l)
{
    struct et_ir *ir = et_maxwell_result(l, ET_IR_F2I);
    ir->type = (uint8_t)integer_type(mod(l, ET_MOD_dtype));
    ir->type2 = (uint8_t)float_type(mod(l, ET_MOD_stype));
    ir->src[0] = float_source(l, (enum et_type)ir->type2);
    ir->ftz = mod(l, ET_MOD_FTZ);
    ir->round = (uint8_t)mod(l, ET_MOD_rnd);
    if (ir->type2 != ET_F16 && selector(l))
        unsupported(l, "a part of a whole register");
    et_maxwell_cc(l, ir->type == ET_U64 || ir->type == ET_S64 ? ET_U64 : ET_U32);
}

static void i2f(struct lower *l)
{
    struct et_ir *ir = et_maxwell_result(l, ET_IR_I2F);
    ir->type = (uint8_t)float_type(mod(l, ET_MOD_dtype));
    ir->type2 = (uint8_t)integer_type(mod(l, ET_MOD_stype));
    ir->src[0] = widened(integer_source(l, (enum et_type)ir->type2), (enum et_type)ir->type2);
    ir->round = (uint8_t)mod(l, ET_MOD_rnd);
    et_maxwell_cc(l, (enum et_type)ir->type);
}

/* A byte becomes 16 bits with zeroes above them: ptxas shifts that right, or widens it, with no mask. [INF]
 */
static void i2i(struct lower *l)
{
    struct et_ir *ir = et_maxwell_result(l, ET_IR_I2I);
    ir->type = (uint8_t)integer_type(mod(l, ET_MOD_dtype));
    ir->type2 = (uint8_t)integer_type(mod(l, ET_MOD_stype));
    ir->src[0] = integer_source(l, (enum et_type)ir->type2);
    ir->sat = mod(l, ET_MOD_SAT);
    if (ir->type == ET_S16 && !ir->sat)
        ir->type = ET_U16;
    et_maxwell_cc(l, ET_U32);
}

const struct et_maxwell_rule et_maxwell_float_rules[] = {
    {"FADD", fadd},       {"FADD32I", fadd},    {"FMUL", fmul},   {"FMUL32I", fmul},    {"FFMA", ffma},
    {"FFMA32I", ffma},    {"FMNMX", fmnmx},     {"FSETP", fsetp}, {"FSET", fset},       {"FCMP", fcmp},
    {"FCHK", fchk},       {"RRO", rro},         {"MUFU", mufu},   {"FSWZADD", fswzadd}, {"DADD", dadd},
    {"DMUL", dmul},       {"DFMA", dfma},       {"DMNMX", dmnmx}, {"DSETP", dsetp},     {"DSET", dset},
    {"HADD2", hadd2},     {"HADD2_32I", hadd2}, {"HMUL2", hmul2}, {"HMUL2_32I", hmul2}, {"HFMA2", hfma2},
    {"HFMA2_32I", hfma2}, {"HSETP2", hsetp2},   {"HSET2", hset2}, {"F2F", f2f},         {"F2I", f2i},
    {"I2F", i2f},         {"I2I", i2i},
};
const size_t et_maxwell_float_rule_count = ET_COUNT(et_maxwell_float_rules);
