/* Scalar video. */
#include "isa/maxwell/lower.h"

#include "base/bits.h"

/* Type and part of a source: in the word at `pos`, two bits of part, one of size. */
static void video_part(const struct lower *l, unsigned pos, bool is_signed, uint8_t *type, uint8_t *part)
{
    const unsigned code = word_bits(l, pos, 3);
    if (code < 4) {
        *type = is_signed ? ET_S8 : ET_U8;
        *part = byte_part(code);
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

const struct et_maxwell_rule et_maxwell_video_rules[] = {
    {"VADD", vadd}, {"VABSDIFF", vabsdiff}, {"VMNMX", vmnmx}, {"VSET", vset},           {"VSHL", vshl},
    {"VSHR", vshr}, {"VMAD", vmad},         {"VSETP", vsetp}, {"VABSDIFF4", vabsdiff4},
};
const size_t et_maxwell_video_rule_count = ET_COUNT(et_maxwell_video_rules);
