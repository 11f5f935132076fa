/* Integer ops that have no vector handler. */
#include "isa/interp/ops.h"

#define EACH_LANE(value)                                                                                     \
    FOR_LANES(l, mask)                                                                                       \
    {                                                                                                        \
        d[l] = (value);                                                                                      \
    }

const struct insn *et_op_p2r(struct warp *w, const struct insn *i)
{
    HEAD;
    const unsigned shift = part_shift(i->ir->src[0].part);
    const unsigned first = i->fn ? ET_P_CC_Z : 0, count = i->fn ? 4 : 7;
    FOR_LANES(l, mask)
    {
        uint32_t bits = 0;
        for (unsigned n = 0; n < count; n++)
            bits |= (w->pred[first + n] >> l & 1) << n;
        d[l] = (a[l] & ~((b[l] & 0xff) << shift)) | (bits & b[l] & 0xff) << shift;
    }
    return i + 1;
}

const struct insn *et_op_r2p(struct warp *w, const struct insn *i)
{
    HEAD;
    const unsigned shift = part_shift(i->ir->src[0].part);
    const unsigned first = i->fn ? ET_P_CC_Z : 0, count = i->fn ? 4 : 7;
    (void)d;
    FOR_LANES(l, mask)
    {
        for (unsigned n = 0; n < count; n++)
            if (b[l] >> n & 1)
                set_predicate(w, first + n, 1u << l, (a[l] >> (shift + n) & 1) << l);
    }
    return i + 1;
}

/* Conditions of Maxwell's flags: s sign, z zero, c carry, o overflow. The signed ones are of a subtraction's
 * true sign. */
const struct insn *et_op_cctest(struct warp *w, const struct insn *i)
{
    const uint32_t mask = lanes_of(w, i);
    const uint32_t z = w->pred[ET_P_CC_Z], s = w->pred[ET_P_CC_S], c = w->pred[ET_P_CC_C],
                   o = w->pred[ET_P_CC_O];
    const uint32_t less = s ^ o;
    uint32_t r = 0;
    switch (i->fn) {
    case ET_CC_LT:
        r = less & ~z;
        break;
    case ET_CC_EQ:
        r = z & ~s;
        break;
    case ET_CC_LE:
        r = less | z;
        break;
    case ET_CC_GT:
        r = ~less & ~z;
        break;
    case ET_CC_NE:
        r = ~z;
        break;
    case ET_CC_GE:
        r = ~less;
        break;
    case ET_CC_NUM:
        r = ~(s & z);
        break;
    case ET_CC_NAN:
        r = s & z;
        break;
    case ET_CC_LTU:
        r = less;
        break;
    case ET_CC_EQU:
        r = z;
        break;
    case ET_CC_LEU:
        r = less | z;
        break;
    case ET_CC_GTU:
        r = ~less | (s & z);
        break;
    case ET_CC_NEU:
        r = ~z | s;
        break;
    case ET_CC_GEU:
        r = ~less | z;
        break;
    case ET_CC_T:
        r = ~0u;
        break;
    case ET_CC_OFF:
        r = ~o;
        break;
    case ET_CC_LO:
        r = ~c;
        break;
    case ET_CC_SFF:
        r = ~s;
        break;
    case ET_CC_LS:
        r = ~c | z;
        break;
    case ET_CC_HI:
        r = c & ~z;
        break;
    case ET_CC_SFT:
        r = s;
        break;
    case ET_CC_HS:
        r = c;
        break;
    case ET_CC_OFT:
        r = o;
        break;
    case ET_CC_RLE:
        r = s | z;
        break;
    case ET_CC_RGT:
        r = ~s & ~z;
        break;
    default:
        break;
    }
    set_predicate(w, i->q0, mask, r);
    return i + 1;
}

static void set_cc(struct warp *w, uint32_t lane, bool z, bool s, bool c, bool o)
{
    const uint32_t bit = 1u << lane;
    set_predicate(w, ET_P_CC_Z, bit, (uint32_t)z << lane);
    set_predicate(w, ET_P_CC_S, bit, (uint32_t)s << lane);
    set_predicate(w, ET_P_CC_C, bit, (uint32_t)c << lane);
    set_predicate(w, ET_P_CC_O, bit, (uint32_t)o << lane);
}

const struct insn *et_op_setcc(struct warp *w, const struct insn *i)
{
    const uint32_t mask = lanes_of(w, i), *a = source(w, i->a);
    const bool wide = et_ir_src_words(i->ir, 0) == 2,
               is_float = i->ir->type == ET_F32 || i->ir->type == ET_F64;
    FOR_LANES(l, mask)
    {
        const uint64_t value = wide ? pair(a, l) : (uint64_t)a[l] << 32;
        const bool negative = value >> 63;
        set_cc(w, l, !(is_float ? value << 1 : value), negative, false, false);
    }
    return i + 1;
}

static uint32_t modified(uint32_t value, const struct insn *i, unsigned s)
{
    if (i->mods >> (4 + s) & 1)
        value = ~value;
    return i->mods >> s & 1 ? 0u - value : value;
}

/* A carry chain's addend: with X, NEG complements and the carry completes it; without, the plus one joins the
 * sum. */
static uint64_t chained(uint32_t value, const struct insn *i, unsigned s)
{
    if (i->mods >> s & 1)
        return (uint64_t)(uint32_t)~value + !(i->flags & ET_F_X);
    return i->mods >> (4 + s) & 1 ? (uint32_t)~value : value;
}

static int64_t chained_signed(uint32_t value, const struct insn *i, unsigned s)
{
    const int64_t x = (int32_t)value;
    if (i->mods >> s & 1)
        return i->flags & ET_F_X ? ~x : -x;
    return i->mods >> (4 + s) & 1 ? ~x : x;
}

const struct insn *et_op_iadd(struct warp *w, const struct insn *i)
{
    HEAD;
    const uint32_t carry = i->flags & ET_F_X ? w->pred[ET_P_CC_C] : 0;
    FOR_LANES(l, mask)
    {
        const uint64_t sum = chained(a[l], i, 0) + chained(b[l], i, 1) + (carry >> l & 1);
        const int64_t exact = chained_signed(a[l], i, 0) + chained_signed(b[l], i, 1) + (carry >> l & 1);
        uint32_t r = (uint32_t)sum;
        const bool overflow = exact != (int32_t)r;
        if (i->ir->sat && overflow)
            r = exact > 0 ? 0x7fffffffu : 0x80000000u;
        d[l] = r;
        if (i->flags & ET_F_CC)
            set_cc(w, l, !r, r >> 31, sum >> 32, overflow);
    }
    return i + 1;
}

const struct insn *et_op_iadd3m(struct warp *w, const struct insn *i)
{
    HEAD;
    const uint32_t carry = i->flags & ET_F_X ? w->pred[ET_P_CC_C] : 0;
    FOR_LANES(l, mask)
    {
        uint64_t sum = chained(a[l], i, 0) + chained(b[l], i, 1);
        uint32_t r;
        if (i->fn == ET_IADD3_RS)
            sum = sum >> 16; /* 33 bits go in */
        else if (i->fn == ET_IADD3_LS)
            sum = (uint32_t)(sum << 16);
        sum += chained(c[l], i, 2) + (carry >> l & 1);
        r = (uint32_t)sum;
        d[l] = r;
        if (i->flags & ET_F_CC)
            set_cc(w, l, !r, r >> 31, sum >> 32, false);
    }
    return i + 1;
}

const struct insn *et_op_imad(struct warp *w, const struct insn *i)
{
    HEAD;
    const uint32_t carry = i->flags & ET_F_X ? predicate(w, i->p0) : 0;
    uint32_t out = 0;
    FOR_LANES(l, mask)
    {
        const uint64_t sum =
            (uint64_t)(modified(a[l], i, 0) * modified(b[l], i, 1)) + chained(c[l], i, 2) + (carry >> l & 1);
        d[l] = (uint32_t)sum;
        out |= (uint32_t)(sum >> 32 != 0) << l;
    }
    set_predicate(w, i->q0, mask, out);
    return i + 1;
}

/* WIDE and HI: a 64-bit product plus a 64-bit addend. Negating a factor negates the product. */
const struct insn *et_op_imad_wide(struct warp *w, const struct insn *i)
{
    HEAD;
    const bool is_signed = i->ir->type != ET_U32, high = i->ir->op == ET_IR_IMAD_HI,
               negate = (i->mods ^ i->mods >> 1) & 1;
    const uint32_t carry = i->flags & ET_F_X ? predicate(w, i->p0) : 0;
    uint32_t out = 0;
    FOR_LANES(l, mask)
    {
        uint64_t product =
            is_signed ? (uint64_t)((int64_t)(int32_t)a[l] * (int32_t)b[l]) : (uint64_t)a[l] * b[l];
        uint64_t addition = pair(c, l);
        unsigned __int128 sum;
        if (negate)
            product = 0 - product;
        if (i->mods & 4)
            addition = i->flags & ET_F_X ? ~addition : 0 - addition;
        sum = (unsigned __int128)product + addition + (carry >> l & 1);
        if (high)
            d[l] = (uint32_t)((uint64_t)sum >> 32);
        else
            set_pair64(d, l, (uint64_t)sum);
        out |= (uint32_t)(sum >> 64 != 0) << l;
    }
    set_predicate(w, i->q0, mask, out);
    return i + 1;
}

const struct insn *et_op_imul_hi(struct warp *w, const struct insn *i)
{
    HEAD;
    FOR_LANES(l, mask)
    {
        const __int128 x = i->ir->type == ET_S32 ? (int32_t)a[l] : (__int128)a[l];
        const __int128 y = i->ir->type2 == ET_S32 ? (int32_t)b[l] : (__int128)b[l];
        d[l] = (uint32_t)((x * y) >> 32);
    }
    return i + 1;
}

static int64_t part_of(uint32_t value, unsigned part, unsigned type)
{
    const bool is_signed = type == ET_S32 || type == ET_S16 || type == ET_S8 || type == ET_S64;
    switch (part) {
    case ET_PART_H0:
    case ET_PART_H1:
        value >>= part_shift(part);
        return is_signed ? (int16_t)value : (int64_t)(uint16_t)value;
    case ET_PART_B0:
    case ET_PART_B1:
    case ET_PART_B2:
    case ET_PART_B3:
        value >>= part_shift(part);
        return is_signed ? (int8_t)value : (int64_t)(uint8_t)value;
    default:
        return is_signed ? (int32_t)value : (int64_t)value;
    }
}

/* With carry or CC; the plain form has a vector handler. */
const struct insn *et_op_xmad(struct warp *w, const struct insn *i)
{
    HEAD;
    const uint32_t *whole = source(w, i->e), carry = i->flags & ET_F_X ? w->pred[ET_P_CC_C] : 0;
    FOR_LANES(l, mask)
    {
        const int64_t x = part_of(a[l], i->imm2 & 1 ? ET_PART_H1 : ET_PART_H0, i->imm2 & 2 ? ET_S16 : ET_U16);
        const int64_t y = part_of(b[l], i->imm2 & 4 ? ET_PART_H1 : ET_PART_H0, i->imm2 & 8 ? ET_S16 : ET_U16);
        uint32_t product = (uint32_t)(x * y), addition = c[l], r;
        uint64_t sum;
        if (i->flags & ET_F_PSL)
            product <<= 16;
        switch (i->fn) {
        case ET_XMAD_CLO:
            addition &= 0xffff;
            break;
        case ET_XMAD_CHI:
            addition >>= 16;
            break;
        case ET_XMAD_CBCC:
            addition += whole[l] << 16;
            break;
        case ET_XMAD_CSFU: /* undoes the unsigned reading of the cross products that are negative [HW:H200] */
            addition -= 0x10000u * (uint32_t)((x < 0 && b[l] & 0xffff) + (y < 0 && a[l] & 0xffff));
            break;
        default:
            break;
        }
        sum = (uint64_t)product + addition + (carry >> l & 1);
        r = (uint32_t)sum;
        if (i->flags & ET_F_MRG)
            r = (r & 0xffff) | whole[l] << 16;
        d[l] = r;
        if (i->flags & ET_F_CC)
            set_cc(w, l, !r, r >> 31, sum >> 32,
                   (((product ^ (uint32_t)sum) & (addition ^ (uint32_t)sum)) >> 31));
    }
    return i + 1;
}

/* LEA's shifted term: negated by ~s + 1, or complemented with X. */
static uint64_t shifted_term(uint32_t term, const struct insn *i, unsigned s)
{
    return chained(term, i, s);
}

const struct insn *et_op_lea(struct warp *w, const struct insn *i)
{
    HEAD;
    const uint32_t carry = i->flags & ET_F_X ? predicate(w, i->p0) : 0;
    const bool high = i->ir->op == ET_IR_LEA_HI;
    uint32_t out = 0;
    FOR_LANES(l, mask)
    {
        uint64_t sum;
        uint32_t term = a[l] << (i->imm & 31);
        if (high) {
            const uint32_t top = i->flags & ET_F_SX ? (uint32_t)((int32_t)a[l] >> 31) : c[l];
            const uint64_t wide = ((uint64_t)top << 32 | a[l]) << (i->imm & 31);
            term = (uint32_t)(wide >> 32);
        }
        sum = shifted_term(term, i, 0) + chained(b[l], i, 1) + (carry >> l & 1);
        d[l] = (uint32_t)sum;
        out |= (uint32_t)(sum >> 32 != 0) << l;
    }
    set_predicate(w, i->q0, mask, out);
    return i + 1;
}

static uint32_t bit_reverse(uint32_t x)
{
    x = (x >> 1 & 0x55555555) | (x & 0x55555555) << 1;
    x = (x >> 2 & 0x33333333) | (x & 0x33333333) << 2;
    x = (x >> 4 & 0x0f0f0f0f) | (x & 0x0f0f0f0f) << 4;
    return __builtin_bswap32(x);
}

/* A field past bit 31 has zeroes there, or the sign: PTX's bfe. */
static uint32_t field(uint32_t x, uint32_t position, uint32_t length, bool is_signed)
{
    const uint32_t top = ET_MIN(position + length - 1, 31u);
    uint32_t value;
    if (!length)
        return 0;
    value = position > 31 ? 0 : x >> position;
    if (length < 32)
        value &= (1u << length) - 1;
    if (is_signed && x >> top & 1) {
        const uint32_t kept = position > 31 ? 0 : ET_MIN(length, 32 - position);
        value |= kept < 32 ? ~0u << kept : 0;
    }
    return value;
}

const struct insn *et_op_bfe(struct warp *w, const struct insn *i)
{
    HEAD;
    EACH_LANE(field(i->flags & ET_F_BREV ? bit_reverse(a[l]) : a[l], b[l] & 255, b[l] >> 8 & 255,
                    i->ir->type == ET_S32));
    return i + 1;
}

const struct insn *et_op_bfi(struct warp *w, const struct insn *i)
{
    HEAD;
    FOR_LANES(l, mask)
    {
        const uint32_t position = b[l] & 255, length = b[l] >> 8 & 255;
        const uint32_t ones = length > 31 ? ~0u : (1u << length) - 1;
        d[l] = position > 31 ? c[l] : (c[l] & ~(ones << position)) | (a[l] & ones) << position;
    }
    return i + 1;
}

const struct insn *et_op_bmsk(struct warp *w, const struct insn *i)
{
    HEAD;
    const bool wrap = i->flags & ET_F_WRAP;
    FOR_LANES(l, mask)
    {
        const uint32_t position = wrap ? a[l] & 31 : a[l], width = wrap ? b[l] & 31 : b[l];
        const uint32_t ones = width > 31 ? ~0u : (1u << width) - 1;
        d[l] = position > 31 ? 0 : ones << position;
    }
    return i + 1;
}

const struct insn *et_op_brev(struct warp *w, const struct insn *i)
{
    HEAD;
    EACH_LANE(bit_reverse(modified(a[l], i, 0)));
    return i + 1;
}

const struct insn *et_op_popc(struct warp *w, const struct insn *i)
{
    HEAD;
    EACH_LANE((uint32_t)__builtin_popcount(modified(a[l], i, 0)));
    return i + 1;
}

const struct insn *et_op_flo(struct warp *w, const struct insn *i)
{
    HEAD;
    uint32_t found = 0;
    FOR_LANES(l, mask)
    {
        uint32_t x = modified(a[l], i, 0);
        if (i->ir->type == ET_S32 && x >> 31)
            x = ~x;
        if (!x) {
            d[l] = ~0u;
            continue;
        }
        found |= 1u << l;
        d[l] = i->flags & ET_F_SH ? (uint32_t)__builtin_clz(x) : 31u - (uint32_t)__builtin_clz(x);
    }
    set_predicate(w, i->q0, mask, found);
    return i + 1;
}

const struct insn *et_op_sgxt(struct warp *w, const struct insn *i)
{
    HEAD;
    FOR_LANES(l, mask)
    {
        const uint32_t n = i->flags & ET_F_WRAP ? b[l] & 31 : b[l];
        const uint32_t low = n > 31 ? a[l] : a[l] & ((1u << n) - 1);
        d[l] = i->ir->type == ET_S32 && n && n < 32 ? (uint32_t)et_sign_extend(low, n) : low;
    }
    return i + 1;
}

/* 64-bit minimum and maximum in two steps: the high words choose and say in CC what the low words need. XHI:
 * carry set when s0 was chosen, zero when they are equal; XLO then follows, or compares when equal. [INF] */
const struct insn *et_op_imnmx_x(struct warp *w, const struct insn *i)
{
    HEAD;
    const uint32_t want = predicate(w, i->p0);
    FOR_LANES(l, mask)
    {
        const bool least = want >> l & 1;
        const bool less = i->ir->type == ET_S32 ? (int32_t)a[l] < (int32_t)b[l] : a[l] < b[l];
        bool first = least ? less : !less && a[l] != b[l];
        if (i->fn != ET_IMNMX_XHI && !(w->pred[ET_P_CC_Z] >> l & 1))
            first = w->pred[ET_P_CC_C] >> l & 1;
        else if (i->fn == ET_IMNMX_XLO)
            first = least ? a[l] < b[l] : a[l] > b[l];
        if (i->flags & ET_F_CC)
            set_cc(w, l, a[l] == b[l] && (i->fn == ET_IMNMX_XHI || w->pred[ET_P_CC_Z] >> l & 1), false, first,
                   false);
        d[l] = first ? a[l] : b[l];
    }
    return i + 1;
}

const struct insn *et_op_iabs(struct warp *w, const struct insn *i)
{
    HEAD;
    EACH_LANE(a[l] >> 31 ? 0u - a[l] : a[l]);
    return i + 1;
}

const struct insn *et_op_idp(struct warp *w, const struct insn *i)
{
    HEAD;
    const unsigned first = i->ir->type, second = i->ir->type2;
    FOR_LANES(l, mask)
    {
        uint32_t sum = i->mods & 4 ? 0u - c[l] : c[l];
        if (i->fn == ET_IDP_4A) {
            for (unsigned n = 0; n < 4; n++)
                sum +=
                    (uint32_t)(part_of(a[l], ET_PART_B0 + n, first) * part_of(b[l], ET_PART_B0 + n, second));
        } else {
            const unsigned byte = i->fn == ET_IDP_2A_HI ? ET_PART_B2 : ET_PART_B0;
            for (unsigned n = 0; n < 2; n++)
                sum += (uint32_t)(part_of(a[l], ET_PART_H0 + n, first) * part_of(b[l], byte + n, second));
        }
        d[l] = sum;
    }
    return i + 1;
}

const struct insn *et_op_vabsdiff(struct warp *w, const struct insn *i)
{
    HEAD;
    uint32_t carry = 0;
    FOR_LANES(l, mask)
    {
        const int64_t x = i->ir->type == ET_S32 ? (int32_t)a[l] : (int64_t)a[l];
        const int64_t y = i->ir->type == ET_S32 ? (int32_t)b[l] : (int64_t)b[l];
        const uint64_t sum = (uint64_t)(uint32_t)(x < y ? y - x : x - y) + modified(c[l], i, 2);
        d[l] = (uint32_t)sum;
        carry |= (uint32_t)(sum >> 32) << l;
    }
    set_predicate(w, i->q0, mask, carry);
    return i + 1;
}

static int64_t clamp_to(int64_t value, bool is_signed, unsigned bits)
{
    const int64_t low = is_signed ? -(INT64_C(1) << (bits - 1)) : 0;
    const int64_t high = is_signed ? (INT64_C(1) << (bits - 1)) - 1 : (INT64_C(1) << bits) - 1;
    return value < low ? low : value > high ? high : value;
}

const struct insn *et_op_vabsdiff4(struct warp *w, const struct insn *i)
{
    HEAD;
    uint32_t carry = 0;
    FOR_LANES(l, mask)
    {
        uint64_t sum = c[l];
        uint32_t bytes = 0;
        for (unsigned n = 0; n < 4; n++) {
            const int64_t x = part_of(a[l], ET_PART_B0 + n, i->ir->type),
                          y = part_of(b[l], ET_PART_B0 + n, i->ir->type2);
            int64_t difference = x < y ? y - x : x - y;
            if (i->ir->sat)
                difference = clamp_to(difference, i->ir->dtype == ET_S32, 8);
            if (i->imm >> n & 1) {
                bytes |= c[l] & 255u << (8 * n);
                continue;
            }
            sum += (uint32_t)difference;
            bytes |= ((uint32_t)difference & 255) << (8 * n);
        }
        d[l] = i->fn ? (uint32_t)sum : bytes;
        carry |= (i->fn ? (uint32_t)(sum >> 32) & 1 : 0) << l;
    }
    set_predicate(w, i->q0, mask, carry);
    return i + 1;
}

/* The second operation of a scalar video op. */
static uint32_t video_second(unsigned fn2, bool is_signed, uint32_t r, uint32_t c)
{
    const bool less = is_signed ? (int32_t)r < (int32_t)c : r < c;
    switch (fn2) {
    case ET_VIDEO_MRG_16H:
        return r << 16 | (c & 0xffff);
    case ET_VIDEO_MRG_16L:
        return (r & 0xffff) | (c & 0xffff0000);
    case ET_VIDEO_MRG_8B0:
        return (r & 0xff) | (c & 0xffffff00);
    case ET_VIDEO_MRG_8B2:
        return (r & 0xff) << 16 | (c & 0xff00ffff);
    case ET_VIDEO_ACC:
        return r + c;
    case ET_VIDEO_MIN:
        return less ? r : c;
    case ET_VIDEO_MAX:
        return less ? c : r;
    default:
        return r;
    }
}

/* To the width that the second operation keeps. An unsigned sum or difference is held at zero, but its carry
 * is dropped [HW:H200]. */
static __int128 video_saturate(const struct insn *i, __int128 r, bool is_signed)
{
    const unsigned fn2 = i->ir->fn2;
    const unsigned bits = fn2 == ET_VIDEO_MRG_16H || fn2 == ET_VIDEO_MRG_16L   ? 16
                          : fn2 == ET_VIDEO_MRG_8B0 || fn2 == ET_VIDEO_MRG_8B2 ? 8
                                                                               : 32;
    const __int128 low = is_signed ? -((__int128)1 << (bits - 1)) : 0;
    const __int128 high = ((__int128)1 << (bits - is_signed)) - 1;
    if (r > high && bits == 32 && !is_signed && i->fn <= ET_VIDEO_ABSDIFF)
        return r;
    if (r < 0 && !is_signed && i->fn == ET_VIDEO_MAD &&
        i->ir->imm) /* shifted down as a large one [HW:H200] */
        return high;
    return r < low ? low : r > high ? high : r;
}

static bool holds(unsigned cmp, int64_t x, int64_t y)
{
    return et_compare_holds((enum et_cmp)cmp, x < y ? -1 : x > y);
}

const struct insn *et_op_video(struct warp *w, const struct insn *i)
{
    HEAD;
    const struct et_ir *ir = i->ir;
    const bool is_signed = ir->dtype == ET_S32;
    const uint32_t want = predicate(w, i->p0);
    FOR_LANES(l, mask)
    {
        const int64_t x = part_of(a[l], ir->src[0].part, ir->type),
                      y = part_of(b[l], ir->src[1].part, ir->type2);
        const uint32_t n = i->flags & ET_F_WRAP ? (uint32_t)y & 31 : (uint32_t)(y < 0 || y > 32 ? 32 : y);
        __int128 r = 0;
        uint32_t result;
        switch (i->fn) {
        case ET_VIDEO_ADD:
            r = (__int128)x + y + (i->flags & ET_F_PO ? 1 : 0);
            break;
        case ET_VIDEO_SUB:
            r = (__int128)x - y;
            break;
        case ET_VIDEO_ABSDIFF:
            r = x < y ? (__int128)y - x : (__int128)x - y;
            break;
        case ET_VIDEO_MNMX:
            r = (x < y) == (want >> l & 1) ? x : y;
            break;
        case ET_VIDEO_SHL:
            r = et_sign_extend((uint64_t)x << n, 34);
            break;
        case ET_VIDEO_SHR:
            r = (__int128)x >> n;
            break;
        case ET_VIDEO_SET:
            r = holds(ir->cmp, x, y);
            break;
        default: {
            /* Words multiply and add as signed ones, whatever their type [HW:H200]. */
            __int128 product = (__int128)(int32_t)x * (int32_t)y;
            __int128 addition = (int32_t)c[l];
            if ((i->mods ^ i->mods >> 1) & 1)
                product = -product;
            if (i->mods & 4)
                addition = -addition;
            r = (product + addition + (i->flags & ET_F_PO ? 1 : 0)) >> i->imm;
            break;
        }
        }
        if (ir->sat)
            r = video_saturate(i, r, is_signed);
        result = (uint32_t)r;
        if (i->fn != ET_VIDEO_MAD)
            result = video_second(ir->fn2, is_signed, result, c[l]);
        d[l] = result;
        if (i->flags & ET_F_CC)
            set_cc(w, l, !result, result >> 31, false, false);
    }
    return i + 1;
}

const struct insn *et_op_video_setp(struct warp *w, const struct insn *i)
{
    HEAD;
    uint32_t truth = 0;
    (void)d;
    FOR_LANES(l, mask)
    {
        truth |= (uint32_t)holds(i->ir->cmp, part_of(a[l], i->ir->src[0].part, i->ir->type),
                                 part_of(b[l], i->ir->src[1].part, i->ir->type2))
                 << l;
    }
    set_both(w, i, mask, truth);
    return i + 1;
}

static bool type_signed(unsigned type)
{
    return type == ET_S2 || type == ET_S4 || type == ET_S8 || type == ET_S16 || type == ET_S32 ||
           type == ET_S64;
}

const struct insn *et_op_i2i(struct warp *w, const struct insn *i)
{
    HEAD;
    const struct et_ir *ir = i->ir;
    const unsigned to = et_type_bits(ir->type), from = et_type_bits(ir->type2);
    FOR_LANES(l, mask)
    {
        unsigned part = ir->src[0].part;
        int64_t x;
        if (from == 16 && part == ET_PART_ALL)
            part = ET_PART_H0;
        if (from == 8 && part == ET_PART_ALL)
            part = ET_PART_B0;
        x = part_of(a[l], part, ir->type2);
        if (i->mods & 16)
            x = x < 0 ? -x : x;
        if (i->mods & 1)
            x = -x;
        if (ir->sat)
            x = clamp_to(x, type_signed(ir->type), ET_MIN(to, 32u));
        else if (to < 32)
            x = type_signed(ir->type) ? et_sign_extend((uint64_t)x, to)
                                      : (int64_t)et_bits64((uint64_t)x, 0, to);
        d[l] = (uint32_t)x;
    }
    return i + 1;
}

static uint32_t narrowed(const struct insn *i, uint32_t value, unsigned bits)
{
    const int64_t x = part_of(value, ET_PART_ALL, i->ir->type2);
    if (!i->ir->sat)
        return (uint32_t)x;
    return (uint32_t)clamp_to(i->flags & ET_F_RELU && x < 0 ? 0 : x, type_signed(i->ir->type), bits);
}

const struct insn *et_op_i2ip(struct warp *w, const struct insn *i)
{
    HEAD;
    const struct et_ir *ir = i->ir;
    const unsigned bits = ET_MIN(et_type_bits(ir->type), 16u);
    const uint32_t ones = (1u << bits) - 1;
    const unsigned above = part_shift(ir->src[2].part);
    FOR_LANES(l, mask)
    {
        const uint32_t high = narrowed(i, a[l], bits) & ones, low = narrowed(i, b[l], bits) & ones;
        d[l] = (bits < 16 ? c[l] >> above << (2 * bits) : 0) | high << bits | low;
    }
    return i + 1;
}
