/* Floating point without a vector handler: doubles, halves, conversions and the rare forms of singles. */
#include "isa/interp/ops.h"
#include "isa/numeric/mufu.h"

static uint32_t single_of(uint32_t value, const struct insn *i, unsigned s)
{
    if (i->mods >> (4 + s) & 1)
        value &= 0x7fffffffu;
    return value ^ (i->mods >> s & 1u) << 31;
}

static uint64_t double_of(const uint32_t *slot, uint32_t lane, const struct insn *i, unsigned s)
{
    uint64_t value = pair(slot, lane);
    if (et_soft_is_nan(&et_format_f64, value)) /* passes as it is [HW:H200] */
        return value;
    if (i->mods >> (4 + s) & 1)
        value &= ~(UINT64_C(1) << 63);
    return value ^ (uint64_t)(i->mods >> s & 1u) << 63;
}

/* Whether the short sequence for s0 / s1 could go wrong: conservative, since the long one is exact too. [INF]
 */
const struct insn *et_op_fchk(struct warp *w, const struct insn *i)
{
    HEAD;
    uint32_t slow = 0;
    (void)d;
    FOR_LANES(l, mask)
    {
        const int x = (int)(a[l] >> 23 & 255), y = (int)(b[l] >> 23 & 255);
        if (x < 26 || x > 253 || y < 3 || y > 251 || x - y > 124 || x - y < -123)
            slow |= 1u << l;
    }
    set_predicate(w, i->q0, mask, slow);
    return i + 1;
}

const struct insn *et_op_fswzadd(struct warp *w, const struct insn *i)
{
    HEAD;
    FOR_LANES(l, mask)
    {
        const unsigned op = (uint32_t)i->imm >> ((l & 3) * 2) & 3;
        uint32_t x = a[l], y = b[l];
        if (op == 1)
            x ^= 0x80000000u;
        else if (op == 2)
            y ^= 0x80000000u;
        else if (op == 3)
            x = 0;
        d[l] = (uint32_t)et_soft_add(&et_format_f32, x, y, i->ir->round, i->ir->ftz);
    }
    return i + 1;
}

const struct insn *et_op_rro(struct warp *w, const struct insn *i)
{
    HEAD;
    FOR_LANES(l, mask)
    {
        d[l] = et_rro(i->fn, single_of(a[l], i, 0));
    }
    return i + 1;
}

/* FMUL and FFMA with Maxwell's scale of s0, and what no vector unit offers. */
const struct insn *et_op_f32(struct warp *w, const struct insn *i)
{
    static const int8_t powers[] = {0, -1, -2, -3, 3, 2, 1};
    const struct et_ir *ir = i->ir;
    const int power = ir->op == ET_IR_FADD || i->fn >= ET_COUNT(powers) ? 0 : powers[i->fn];
    HEAD;
    FOR_LANES(l, mask)
    {
        const uint32_t x = single_of(a[l], i, 0), y = single_of(b[l], i, 1), z = single_of(c[l], i, 2);
        const bool zero = i->flags & ET_F_FMZ && (!(x & 0x7f800000u) || !(y & 0x7f800000u));
        uint32_t r;
        if (ir->op == ET_IR_FADD)
            r = (uint32_t)et_soft_add(&et_format_f32, x, y, ir->round, ir->ftz);
        else if (ir->op == ET_IR_FMUL)
            r = zero ? 0 : (uint32_t)et_soft_mul_scaled(&et_format_f32, x, y, power, ir->round, ir->ftz);
        else
            r = (uint32_t)et_soft_fma(&et_format_f32, zero ? 0 : x, zero ? 0 : y, z, ir->round, ir->ftz);
        d[l] = ir->sat ? (uint32_t)et_soft_saturate(&et_format_f32, r) : r;
    }
    return i + 1;
}

const struct insn *et_op_mufu16(struct warp *w, const struct insn *i)
{
    HEAD;
    const unsigned shift = part_shift(i->ir->src[0].part);
    FOR_LANES(l, mask)
    {
        uint16_t x = (uint16_t)(a[l] >> shift);
        if (i->mods & 16)
            x &= 0x7fff;
        x ^= (uint16_t)((i->mods & 1) << 15);
        d[l] = et_mufu_half((enum et_mufu)i->fn, x);
    }
    return i + 1;
}

const struct insn *et_op_f64(struct warp *w, const struct insn *i)
{
    const struct et_ir *ir = i->ir;
    HEAD;
    FOR_LANES(l, mask)
    {
        const uint64_t x = double_of(a, l, i, 0), y = double_of(b, l, i, 1);
        uint64_t r;
        if (ir->op == ET_IR_DADD)
            r = et_soft_add(&et_format_f64, x, y, ir->round, false);
        else if (ir->op == ET_IR_DMUL)
            r = et_soft_mul(&et_format_f64, x, y, ir->round, false);
        else
            r = et_soft_fma(&et_format_f64, x, y, double_of(c, l, i, 2), ir->round, false);
        set_pair64(d, l, r);
    }
    return i + 1;
}

/* The lesser or greater of two values; -0 is below +0; a NaN loses unless nan_wins. */
static uint64_t extreme(const struct et_format *f, uint64_t x, uint64_t y, bool least, bool nan_wins,
                        bool ftz)
{
    const int order = et_soft_compare(f, x, y, ftz);
    if (order == 2) {
        const bool nx = et_soft_compare(f, x, x, false) == 2, ny = et_soft_compare(f, y, y, false) == 2;
        return nan_wins || (nx && ny) ? f->nan : nx ? y : x;
    }
    if (order == 0) /* zeroes of either sign */
        return least ? x | y : x & y;
    return (order < 0) == least ? x : y;
}

/* Of two NaNs the second, made quiet: what compilers build where DMNMX is gone. [INF] */
const struct insn *et_op_dmnmx(struct warp *w, const struct insn *i)
{
    HEAD;
    const uint32_t want = predicate(w, i->p0);
    FOR_LANES(l, mask)
    {
        const uint64_t x = double_of(a, l, i, 0), y = double_of(b, l, i, 1);
        const uint64_t result = extreme(&et_format_f64, x, y, want >> l & 1, false, false);
        set_pair64(d, l, result == et_format_f64.nan ? y | UINT64_C(1) << 51 : result);
    }
    return i + 1;
}

const struct insn *et_op_dsetp(struct warp *w, const struct insn *i)
{
    HEAD;
    uint32_t truth = 0;
    (void)d;
    FOR_LANES(l, mask)
    {
        const int order =
            et_soft_compare(&et_format_f64, double_of(a, l, i, 0), double_of(b, l, i, 1), false);
        truth |= (uint32_t)et_compare_holds((enum et_cmp)i->cmp, order) << l;
    }
    set_both(w, i, mask, truth);
    return i + 1;
}

/* ---- pairs of halves */
static const struct et_format *half_format(const struct et_ir *ir)
{
    return ir->type == ET_BF16 ? &et_format_bf16 : &et_format_f16;
}

/* Half h of source s, in *format: its own half, one half for both, or a single. */
static uint64_t half_source(const struct insn *i, uint32_t value, unsigned s, unsigned h,
                            const struct et_format **format)
{
    const unsigned part = i->ir->src[s].part;
    unsigned sign = 15;
    uint64_t bits;
    if (part == ET_PART_F32) {
        *format = &et_format_f32;
        bits = value;
        sign = 31;
    } else {
        const unsigned half = part == ET_PART_H0 ? 0 : part == ET_PART_H1 ? 1 : h;
        *format = half_format(i->ir);
        bits = value >> (16 * half) & 0xffff;
    }
    if (i->mods >> (4 + s) & 1)
        bits &= ~(UINT64_C(1) << sign);
    return bits ^ (uint64_t)(i->mods >> s & 1u) << sign;
}

/* The same half without its modifiers. */
static uint32_t half_of(const struct insn *i, uint32_t value, unsigned s, unsigned h)
{
    const unsigned part = i->ir->src[s].part;
    return value >> (16 * (part == ET_PART_H0 ? 0 : part == ET_PART_H1 ? 1 : h)) & 0xffff;
}

static uint32_t place_halves(unsigned dpart, uint32_t old, uint32_t low, uint32_t high)
{
    switch (dpart) {
    case ET_PART_H0:
        return (old & 0xffff0000) | low;
    case ET_PART_H1:
        return (old & 0xffff) | high << 16;
    case ET_PART_F32:
        return low;
    default:
        return high << 16 | low;
    }
}

static bool is_zero(const struct et_format *f, uint64_t value, bool ftz)
{
    return et_soft_compare(f, value, 0, ftz) == 0;
}

static uint64_t half_result(const struct insn *i, uint32_t x, uint32_t y, uint32_t z, unsigned h)
{
    const struct et_ir *ir = i->ir;
    const struct et_format *to = ir->dpart == ET_PART_F32 ? &et_format_f32 : half_format(ir), *from[3];
    uint64_t value[3], r;
    value[0] = half_source(i, x, 0, h, &from[0]);
    value[1] = half_source(i, y, 1, h, &from[1]);
    if (ir->op == ET_IR_HFMA2) {
        value[2] = half_source(i, z, 2, h, &from[2]);
    } else if (ir->op == ET_IR_HADD2) { /* s0 * 1 + s1 */
        value[2] = value[1];
        from[2] = from[1];
        value[1] = 0x3f800000;
        from[1] = &et_format_f32;
    } else { /* + -0 leaves a product as it is */
        value[2] = 0x80000000u;
        from[2] = &et_format_f32;
    }
    if (i->flags & ET_F_FMZ && ir->op != ET_IR_HADD2 &&
        (is_zero(from[0], value[0], ir->ftz) || is_zero(from[1], value[1], ir->ftz))) {
        value[0] = 0;
        value[1] = 0;
        if (ir->op == ET_IR_HMUL2)
            return 0;
    }
    r = et_soft_fma_mixed(from, value, to, ET_RN, ir->ftz);
    if (ir->sat)
        r = et_soft_saturate(to, r);
    if (i->flags & ET_F_RELU && et_soft_compare(to, r, 0, false) != 2 && r >> (to->bits - 1) & 1)
        r = 0;
    return r;
}

const struct insn *et_op_half(struct warp *w, const struct insn *i)
{
    HEAD;
    FOR_LANES(l, mask)
    {
        const uint32_t low = (uint32_t)half_result(i, a[l], b[l], c[l], 0);
        const uint32_t high = i->ir->dpart == ET_PART_F32 ? 0 : (uint32_t)half_result(i, a[l], b[l], c[l], 1);
        d[l] = place_halves(i->ir->dpart, d[l], low, high);
    }
    return i + 1;
}

const struct insn *et_op_hmnmx2(struct warp *w, const struct insn *i)
{
    const struct et_format *f = half_format(i->ir);
    const uint32_t want = predicate(w, i->p0);
    HEAD;
    FOR_LANES(l, mask)
    {
        uint32_t half[2];
        for (unsigned h = 0; h < 2; h++) {
            const struct et_format *from;
            uint64_t x = half_source(i, a[l], 0, h, &from), y = half_source(i, b[l], 1, h, &from);
            /* XORSIGN: of the operands as they were before their modifiers [HW:H200] */
            const uint32_t sign = (half_of(i, a[l], 0, h) ^ half_of(i, b[l], 1, h)) & 0x8000;
            if (i->ir->ftz) {
                x = is_zero(f, x, true) ? x & 0x8000 : x;
                y = is_zero(f, y, true) ? y & 0x8000 : y;
            }
            half[h] = (uint32_t)extreme(f, x, y, want >> l & 1, i->flags & ET_F_NAN, false);
            if (i->flags & ET_F_XORSIGN && half[h] != f->nan)
                half[h] = (half[h] & 0x7fff) | sign;
        }
        d[l] = place_halves(i->ir->dpart, d[l], half[0], half[1]);
    }
    return i + 1;
}

/* Comparison of half h as a mask of lanes. */
static uint32_t half_truth(const struct insn *i, const uint32_t *a, const uint32_t *b, uint32_t mask,
                           unsigned h)
{
    uint32_t truth = 0;
    FOR_LANES(l, mask)
    {
        const struct et_format *fx, *fy;
        uint64_t x = half_source(i, a[l], 0, h, &fx), y = half_source(i, b[l], 1, h, &fy);
        /* Singles compare as they are; halves widen exactly. */
        x = fx == &et_format_f32 ? x
                                 : et_soft_convert(fx, &et_format_f32,
                                                   i->ir->ftz && is_zero(fx, x, true) ? 0 : x, ET_RN, false);
        y = fy == &et_format_f32 ? y
                                 : et_soft_convert(fy, &et_format_f32,
                                                   i->ir->ftz && is_zero(fy, y, true) ? 0 : y, ET_RN, false);
        truth |=
            (uint32_t)et_compare_holds((enum et_cmp)i->cmp, et_soft_compare(&et_format_f32, x, y, i->ir->ftz))
            << l;
    }
    return truth;
}

const struct insn *et_op_hsetp2(struct warp *w, const struct insn *i)
{
    HEAD;
    const uint32_t low = half_truth(i, a, b, mask, 0), high = half_truth(i, a, b, mask, 1),
                   p = predicate(w, i->p0);
    (void)d;
    if (i->flags & ET_F_HAND) {
        set_both(w, i, mask, low & high);
    } else {
        set_predicate(w, i->q0, mask, bop_of(i->bop, low, p));
        set_predicate(w, i->q1, mask, bop_of(i->bop, high, p));
    }
    return i + 1;
}

const struct insn *et_op_hset2(struct warp *w, const struct insn *i)
{
    HEAD;
    const uint32_t p = predicate(w, i->p0);
    const uint32_t low = bop_of(i->bop, half_truth(i, a, b, mask, 0), p),
                   high = bop_of(i->bop, half_truth(i, a, b, mask, 1), p);
    const uint32_t one = !(i->flags & ET_F_BF) ? 0xffff : i->ir->type == ET_BF16 ? 0x3f80 : 0x3c00;
    /* BF of two scalars is a scalar: the upper half stays zero [HW:H200, as compilers rely on it]. */
    const bool scalar =
        i->flags & ET_F_BF && i->ir->src[0].part == ET_PART_H0 && i->ir->src[1].part == ET_PART_H0;
    FOR_LANES(l, mask)
    {
        d[l] = (low >> l & 1 ? one : 0) | (high >> l & 1 && !scalar ? one << 16 : 0);
    }
    return i + 1;
}

/* ---- conversions */
static const struct et_format *format_of(unsigned type)
{
    switch (type) {
    case ET_F16:
        return &et_format_f16;
    case ET_BF16:
        return &et_format_bf16;
    case ET_F64:
        return &et_format_f64;
    case ET_TF32:
        return &et_format_tf32;
    default:
        return &et_format_f32;
    }
}

/* Source 0 as a float of type2, modifiers applied. */
static uint64_t float_source(const struct insn *i, const uint32_t *a, uint32_t lane)
{
    const struct et_format *f = format_of(i->ir->type2);
    const bool negate = i->mods & 1, absolute = i->mods & 16;
    const uint64_t sign = UINT64_C(1) << (f->bits - 1);
    uint64_t value = f->bits == 64 ? pair(a, lane) : a[lane];
    if (f->bits == 16)
        value = value >> part_shift(i->ir->src[0].part) & 0xffff;
    if (absolute)
        value &= ~sign;
    return negate ? value ^ sign : value;
}

static void put_float(const struct et_ir *ir, uint32_t *d, uint32_t lane, uint64_t value)
{
    switch (format_of(ir->type)->bits) {
    case 64:
        set_pair64(d, lane, value);
        break;
    case 16:
        if (ir->dpart == ET_PART_H1)
            d[lane] = (d[lane] & 0xffff) | (uint32_t)value << 16;
        else
            d[lane] = (ir->dpart == ET_PART_H0 ? d[lane] & 0xffff0000 : 0) | (uint32_t)value;
        break;
    case 19:
        d[lane] = (uint32_t)value << 13;
        break;
    default:
        d[lane] = (uint32_t)value;
        break;
    }
}

const struct insn *et_op_f2f(struct warp *w, const struct insn *i)
{
    const struct et_ir *ir = i->ir;
    const struct et_format *from = format_of(ir->type2), *to = format_of(ir->type);
    HEAD;
    FOR_LANES(l, mask)
    {
        uint64_t x = float_source(i, a, l);
        if (to->bits == 19 &&
            (x & 0x7f800000) == 0x7f800000) { /* the rounding of TF32 does not mind NaN [HW:H200] */
            d[l] = (uint32_t)x & ~0x1fffu;
            continue;
        }
        if (ir->fn)
            x = et_soft_integral(from, x, ir->round, ir->ftz && from->bits == 32);
        if (from != to || !ir->fn)
            x = et_soft_convert(from, to, x, ir->round, ir->ftz);
        if (ir->sat)
            x = et_soft_saturate(to, x);
        put_float(ir, d, l, x);
    }
    return i + 1;
}

static unsigned width_of(unsigned type)
{
    switch (type) {
    case ET_U8:
    case ET_S8:
        return 8;
    case ET_U16:
    case ET_S16:
        return 16;
    case ET_U64:
    case ET_S64:
        return 64;
    default:
        return 32;
    }
}

static bool is_signed(unsigned type)
{
    return type == ET_S8 || type == ET_S16 || type == ET_S32 || type == ET_S64;
}

const struct insn *et_op_f2i(struct warp *w, const struct insn *i)
{
    const struct et_ir *ir = i->ir;
    const struct et_format *from = format_of(ir->type2);
    const unsigned bits = width_of(ir->type);
    HEAD;
    FOR_LANES(l, mask)
    {
        const uint64_t x = float_source(i, a, l);
        uint64_t r =
            et_soft_to_int(from, x, bits, is_signed(ir->type), ir->round, ir->ftz && from->bits == 32);
        /* NaN: 0 to 32 bits and less from singles and halves, else the sign bit alone [HW:H200]. */
        if (!ir->fn && (bits == 64 || from->bits == 64) && et_soft_is_nan(from, x))
            r = UINT64_C(0xffffffffffffffff) << (bits - 1);
        if (bits == 64)
            set_pair64(d, l, r);
        else
            d[l] = (uint32_t)r;
    }
    return i + 1;
}

const struct insn *et_op_i2f(struct warp *w, const struct insn *i)
{
    const struct et_ir *ir = i->ir;
    const unsigned bits = width_of(ir->type2);
    HEAD;
    FOR_LANES(l, mask)
    {
        uint64_t x = bits == 64 ? pair(a, l) : a[l] >> part_shift(ir->src[0].part);
        bool negative;
        if (bits < 64)
            x = is_signed(ir->type2) ? (uint64_t)et_sign_extend(x, bits) : et_bits64(x, 0, bits);
        negative = is_signed(ir->type2) && x >> 63;
        if (negative)
            x = 0 - x;
        if (i->mods & 16)
            negative = false;
        if (i->mods & 1)
            negative = !negative;
        x = et_soft_from_int(format_of(ir->type), x, negative, ir->round);
        put_float(ir, d, l, ir->sat ? et_soft_saturate(format_of(ir->type), x) : x);
    }
    return i + 1;
}

static uint32_t packed_half(const struct insn *i, uint32_t value, unsigned s)
{
    const struct et_format *to = half_format(i->ir);
    uint64_t r = et_soft_convert(&et_format_f32, to, single_of(value, i, s), i->ir->round, i->ir->ftz);
    if (i->ir->sat)
        r = et_soft_saturate(to, r);
    if (i->fn && (r & 0x7fff) == ((UINT64_C(1) << to->exponent) - 1)
                                     << to->fraction) /* the largest finite one */
        r--;
    if (i->flags & ET_F_RELU && r >> 15 && et_soft_compare(to, r, 0, false) != 2)
        r = 0;
    return (uint32_t)r;
}

const struct insn *et_op_f2fp(struct warp *w, const struct insn *i)
{
    HEAD;
    FOR_LANES(l, mask)
    {
        const uint32_t low = packed_half(i, b[l], 1);
        d[l] = (i->ir->dpart == ET_PART_H0 ? c[l] : packed_half(i, a[l], 0)) << 16 | low;
    }
    return i + 1;
}

static uint32_t packed_byte(const struct insn *i, uint32_t value, unsigned s)
{
    const struct et_ir *ir = i->ir;
    const uint32_t x = single_of(value, i, s);
    if (et_soft_is_nan(&et_format_f32, x))
        return i->flags & ET_F_RELU || i->fn ? 0 : 0x80;
    if (i->flags & ET_F_RELU && x >> 31)
        return 0;
    return (uint32_t)et_soft_to_int(&et_format_f32, x, 8, ir->type == ET_S8, ir->round, ir->ftz) & 255;
}

const struct insn *et_op_f2ip(struct warp *w, const struct insn *i)
{
    HEAD;
    const unsigned above = part_shift(i->ir->src[2].part);
    FOR_LANES(l, mask)
    {
        d[l] = c[l] >> above << 16 | packed_byte(i, a[l], 0) << 8 | packed_byte(i, b[l], 1);
    }
    return i + 1;
}
