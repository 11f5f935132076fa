/* Matrix multiplication across a warp.
 *
 * Fragments, for lane 4g + t and elements of e bits, 32/e = p in a register [DOC, PTX]: A register r holds
 * row g + 8 (r & 1), columns k = 4p (r >> 1) + pt ..; B register r holds column g, k = 4pr + pt ..; C and D
 * registers hold row g (then g + 8), columns 2t and 2t + 1 (halves: packed). Sparse A: of each four k's two
 * are kept, the metadata says which.
 *
 * Integers are exact, 32 bits wrapping or saturated at the end. Doubles are fused sums in order of k. Others:
 * the products of one block and the addend are aligned to the largest exponent, cut toward zero at 2^-25 of
 * it, added exactly, and cut to single (rounded to nearest for a half) [HW:H200]. */
#include "isa/interp/ops.h"

#include <string.h>

/* Raw element (row or column `line`, k) of A or B, whose registers start at slot; registers of A alternate
 * rows when it has 16 of them. k counts what is stored. */
static uint32_t element(const uint32_t *slot, unsigned bits, unsigned line, unsigned k, bool alternates)
{
    const unsigned per = 32 / bits, group = k / (4 * per), within = k % (4 * per);
    const unsigned reg = alternates ? group * 2 + line / 8 : group, lane = (line & 7) * 4 + within / per;
    const uint32_t word = slot[reg * ET_LANES + lane] >> (within % per * bits);
    return bits == 32 ? word : word & ((1u << bits) - 1);
}

static int32_t integer_element(uint32_t raw, unsigned type)
{
    switch (type) {
    case ET_S8:
        return (int8_t)raw;
    case ET_S4:
        return (int32_t)et_sign_extend(raw, 4);
    default:
        return (int32_t)raw;
    }
}

/* A copy of the operands: D may lie over them. */
struct operands {
    uint32_t a[4][ET_LANES], b[4][ET_LANES], c[4][ET_LANES], e[ET_LANES];
};

static void take(struct operands *o, const struct warp *w, const struct insn *i)
{
    for (unsigned r = 0; r < 4; r++) {
        memcpy(o->a[r], source(w, i->a) + r * ET_LANES, sizeof o->a[r]);
        memcpy(o->b[r], source(w, i->b) + r * ET_LANES, sizeof o->b[r]);
        memcpy(o->c[r], source(w, i->c) + r * ET_LANES, sizeof o->c[r]);
    }
    memcpy(o->e, source(w, i->e), sizeof o->e);
}

static uint32_t clamp_s32(int64_t value)
{
    return (uint32_t)(value > INT32_MAX ? INT32_MAX : value < INT32_MIN ? INT32_MIN : value);
}

/* The stored k's partner in a full B: sparse A keeps two of each four: elements, halves of a single, or pairs
 * of nibbles. */
static unsigned sparse_k(const struct insn *i, const struct operands *o, unsigned row, unsigned k)
{
    /* Two bits a kept thing. Of 16 bits and more, a lane's word holds eight of row g, then of row g + 8; of
     * fewer, sixteen of one row. One lane of each four, two, or all bring words. */
    const unsigned bits = et_type_bits(i->ir->type), selector = (unsigned)i->imm & 3;
    const unsigned kept = bits == 32 ? k * 2 : bits == 4 ? k / 2 : k;
    const unsigned all = et_mma_shape(i->ir->fn).k / 2 * (bits == 32 ? 2 : 1) / (bits == 4 ? 2 : 1);
    const unsigned high = row >= 8;
    unsigned lane = (row & 7) * 4, place, full;
    if (bits >= 16) {
        lane += all > 8 ? (selector & 1) * 2 + kept / 8 : selector;
        place = high * 8 + kept % 8;
    } else {
        lane += all > 16 ? kept / 16 * 2 + high : (selector & 1) * 2 + high;
        place = kept % 16;
    }
    full = kept / 2 * 4 + (o->e[lane] >> place * 2 & 3);
    return bits == 32 ? full / 2 : bits == 4 ? full * 2 + k % 2 : full;
}

static uint32_t integer_cell(const struct insn *i, const struct operands *o, unsigned row, unsigned column,
                             uint32_t addend)
{
    const struct et_ir *ir = i->ir;
    const struct et_mma_shape shape = et_mma_shape(ir->fn);
    const bool sparse = i->flags & ET_F_SPARSE;
    const unsigned bits = et_type_bits(ir->type), depth = shape.k / (sparse ? 2 : 1);
    int64_t sum = (int32_t)addend;
    for (unsigned k = 0; k < depth; k++) {
        const uint32_t x = element(o->a[0], bits, row, k, shape.m == 16),
                       y = element(o->b[0], bits, column, sparse ? sparse_k(i, o, row, k) : k, false);
        if (ir->type == ET_B1)
            sum += ir->fn2 ? x & y : x ^ y;
        else
            sum += (int64_t)integer_element(x, ir->type) * integer_element(y, ir->type2);
    }
    return ir->sat ? clamp_s32(sum) : (uint32_t)sum;
}

/* ---- floating accumulation */
enum { KEPT = 25, MAX_TERMS = 17 };

struct term {
    int exponent;  /* of the leading place of the unnormalised value */
    int64_t value; /* signed, in units of 2^(exponent - 46) */
    enum { TERM_FINITE, TERM_INFINITE, TERM_NAN } kind;
};

struct unpacked {
    int exponent;
    int32_t significand; /* signed, 1.x with 23 fraction bits */
    bool infinite, nan;
};

static struct unpacked unpack_float(const struct et_format *f, uint32_t raw)
{
    const uint32_t fraction = raw & ((1u << f->fraction) - 1),
                   e = raw >> f->fraction & ((1u << f->exponent) - 1);
    const int bias = (1 << (f->exponent - 1)) - 1;
    const bool negative = raw >> (f->bits - 1) & 1;
    struct unpacked u = {0};
    if (e == (1u << f->exponent) - 1) {
        u.nan = fraction != 0;
        u.infinite = !u.nan;
        u.significand = negative ? -1 : 1;
        return u;
    }
    u.exponent = (e ? (int)e : 1) - bias;
    u.significand = (int32_t)((fraction | (e ? 1u << f->fraction : 0)) << (23 - f->fraction));
    if (negative)
        u.significand = -u.significand;
    return u;
}

static struct term product(const struct et_format *f, uint32_t x, uint32_t y)
{
    const struct unpacked a = unpack_float(f, x), b = unpack_float(f, y);
    struct term t = {.exponent = a.exponent + b.exponent};
    if (a.nan || b.nan || (a.infinite && !b.significand) || (b.infinite && !a.significand))
        t.kind = TERM_NAN;
    else if (a.infinite || b.infinite)
        t.kind = TERM_INFINITE;
    t.value = (int64_t)a.significand * b.significand;
    return t;
}

static struct term addend_term(const struct et_format *f, uint32_t raw)
{
    const struct unpacked c = unpack_float(f, raw);
    struct term t = {.exponent = c.exponent, .value = (int64_t)c.significand * (1 << 23)};
    t.kind = c.nan ? TERM_NAN : c.infinite ? TERM_INFINITE : TERM_FINITE;
    return t;
}

/* A zero's exponent may lie above the terms' largest, so that its shift has no meaning. */
static int64_t cut(int64_t value, int shift)
{
    const int64_t magnitude = value < 0 ? -value : value;
    const int64_t kept = !value || shift > 62 ? 0 : magnitude >> shift;
    return value < 0 ? -kept : kept;
}

/* The terms' sum, as a single or a half. */
static uint32_t add_terms(const struct term *terms, unsigned n, bool half)
{
    const struct et_format *to = half ? &et_format_f16 : &et_format_f32;
    int top = INT32_MIN, infinite = 0, exponent;
    int64_t sum = 0;
    uint64_t magnitude;
    for (unsigned k = 0; k < n; k++) {
        if (terms[k].kind == TERM_NAN ||
            (terms[k].kind == TERM_INFINITE && infinite && infinite != (terms[k].value < 0 ? -1 : 1)))
            return (uint32_t)to->nan;
        if (terms[k].kind == TERM_INFINITE)
            infinite = terms[k].value < 0 ? -1 : 1;
        else if (terms[k].value)
            top = ET_MAX(top, terms[k].exponent);
    }
    if (infinite)
        return half ? (infinite < 0 ? 0xfc00 : 0x7c00) : infinite < 0 ? 0xff800000u : 0x7f800000u;
    if (top == INT32_MIN)
        return 0;
    for (unsigned k = 0; k < n; k++)
        sum += cut(terms[k].value, 46 - KEPT + (top - terms[k].exponent));
    /* sum is in units of 2^(top - KEPT) */
    magnitude = (uint64_t)(sum < 0 ? -sum : sum);
    if (!magnitude)
        return 0;
    /* As a double it is exact: at most 31 bits. */
    exponent = 63 - __builtin_clzll(magnitude);
    if (!half && exponent + top - KEPT > 127) /* not the largest number, though it is cut [HW:H200] */
        return sum < 0 ? 0xff800000u : 0x7f800000u;
    return (uint32_t)et_soft_convert(&et_format_f64, to,
                                     (uint64_t)(sum < 0) << 63 |
                                         (uint64_t)(exponent + top - KEPT + 1023) << 52 |
                                         et_bits64(magnitude << (52 - exponent), 0, 52),
                                     half ? ET_RN : ET_RZ, false);
}

static uint32_t float_cell(const struct insn *i, const struct operands *o, unsigned row, unsigned column,
                           uint32_t addend)
{
    const struct et_ir *ir = i->ir;
    const struct et_mma_shape shape = et_mma_shape(ir->fn);
    const bool half = ir->dtype == ET_F16, sparse = i->flags & ET_F_SPARSE;
    const struct et_format *f = ir->type == ET_F16    ? &et_format_f16
                                : ir->type == ET_BF16 ? &et_format_bf16
                                                      : &et_format_tf32;
    const unsigned bits = et_type_bits(ir->type), depth = shape.k / (sparse ? 2 : 1);
    const unsigned block = ET_MIN(depth, 16u);
    for (unsigned first = 0; first < depth; first += block) {
        struct term terms[MAX_TERMS];
        for (unsigned k = 0; k < block; k++) {
            const unsigned other = sparse ? sparse_k(i, o, row, first + k) : first + k;
            uint32_t x = element(o->a[0], bits, row, first + k, true),
                     y = element(o->b[0], bits, column, other, false);
            if (ir->type == ET_TF32) {
                x >>= 13;
                y >>= 13;
            }
            terms[k] = product(f, x, y);
        }
        terms[block] = addend_term(half ? &et_format_f16 : &et_format_f32, addend);
        addend = add_terms(terms, block + 1, half);
    }
    return addend;
}

static void double_cells(struct warp *w, const struct insn *i, const struct operands *o, uint32_t mask)
{
    uint32_t *d = file(w, i->d);
    FOR_LANES(l, mask)
    {
        const unsigned row = l >> 2;
        for (unsigned n = 0; n < 2; n++) {
            const unsigned column = (l & 3) * 2 + n;
            uint64_t sum = (uint64_t)o->c[2 * n + 1][l] << 32 | o->c[2 * n][l];
            for (unsigned k = 0; k < 4; k++)
                sum = et_soft_fma(&et_format_f64, pair(o->a[0], row * 4 + k), pair(o->b[0], column * 4 + k),
                                  sum, i->ir->round, false);
            set_pair64(d + 2 * n * ET_LANES, l, sum);
        }
    }
}

const struct insn *et_op_mma(struct warp *w, const struct insn *i)
{
    const struct et_ir *ir = i->ir;
    const struct et_mma_shape shape = et_mma_shape(ir->fn);
    const uint32_t mask = lanes_of(w, i);
    const bool is_integer = ir->dtype == ET_S32, half = ir->dtype == ET_F16;
    uint32_t *d = file(w, i->d);
    struct operands o;
    if (!shape.m)
        return et_warp_fail(w, i, -1, ETALON_UNSUPPORTED, "a matrix shape");
    take(&o, w, i);
    if (ir->dtype == ET_F64) {
        double_cells(w, i, &o, mask);
        return i + 1;
    }
    FOR_LANES(l, mask)
    {
        for (unsigned n = 0; n < (shape.m == 16 ? 4u : 2u); n++) {
            const unsigned row = (l >> 2) + 8 * (n >> 1), column = (l & 3) * 2 + (n & 1);
            const uint32_t addend = half ? o.c[n >> 1][l] >> (16 * (n & 1)) & 0xffff : o.c[n][l];
            const uint32_t r = is_integer ? integer_cell(i, &o, row, column, addend)
                                          : float_cell(i, &o, row, column, addend);
            if (half)
                d[(n >> 1) * ET_LANES + l] = n & 1 ? (d[(n >> 1) * ET_LANES + l] & 0xffff) | r << 16 : r;
            else
                d[n * ET_LANES + l] = r;
        }
    }
    return i + 1;
}

/* 8x8 halves: lane 4r + c holds row r, columns 2c and 2c + 1; the result is the transpose. */
const struct insn *et_op_movm(struct warp *w, const struct insn *i)
{
    HEAD;
    uint32_t value[ET_LANES];
    for (unsigned l = 0; l < ET_LANES; l++)
        value[l] = a[l];
    FOR_LANES(l, mask)
    {
        const unsigned row = l >> 2, column = (l & 3) * 2, shift = 16 * (row & 1);
        const uint32_t low = value[column * 4 + row / 2] >> shift & 0xffff;
        const uint32_t high = value[(column + 1) * 4 + row / 2] >> shift & 0xffff;
        d[l] = low | high << 16;
    }
    return i + 1;
}
