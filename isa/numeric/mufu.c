#include "isa/numeric/mufu.h"

#include "isa/numeric/mufu-tables.h"
#include "isa/numeric/soft.h"

const struct et_mufu_row *const et_mufu_rcp_rows = mufu_rcp;

#define QUIET    0x7fffffffu
#define INFINITE 0x7f800000u
#define SIGN     0x80000000u

/* The truncated squarer of a w-bit x, in units of 2^-15: bit k's partner products j < k have weight j + k + 1
 * - 2w. */
static inline uint32_t square(uint32_t x, unsigned w)
{
    uint32_t sum = 0;
#pragma GCC unroll 7
    for (unsigned k = w - 7; k < w; k++) {
        const uint32_t row = ((x & ((1u << k) - 1)) >> (2 * w - 16 - k)) + (1u << (2 * k + 15 - 2 * w));
        sum += row & (0u - (x >> k & 1));
    }
    return sum;
}

/* c0 scaled by 2^scale, plus the rounding constant, plus c1 x, plus c2 T(x) scaled by 2^square_scale. */
static inline int64_t polynomial(const struct et_mufu_row *row, uint32_t x, unsigned w, unsigned scale,
                                 unsigned square_scale, int64_t constant)
{
    return row->c0 * (INT64_C(1) << scale) + constant + (int64_t)row->c1 * x +
           (int64_t)row->c2 * square(x, w) * (1 << square_scale);
}

/* Fraction parts; m is a 23-bit fraction. */
static int64_t rcp_part(uint32_t m)
{
    return polynomial(&mufu_rcp[m >> 16], m & 0xffff, 16, 13, 0, 2023) >> 15;
}

static int64_t rsq_part(unsigned odd, uint32_t m)
{
    return polynomial(&mufu_rsq[odd * 64 + (m >> 17)], m & 0x1ffff, 17, 14, 2, 16383) >> 16;
}

/* v * 2^-fraction_bits as a single, truncated. */
static uint32_t normalise(uint64_t v, int fraction_bits)
{
    const int high = v ? 63 - __builtin_clzll(v) : 0, exponent = 127 + high - fraction_bits;
    const uint32_t mantissa = (uint32_t)(high >= 23 ? v >> (high - 23) : v << (23 - high));
    return !v || exponent <= 0 ? 0 : (uint32_t)exponent << 23 | (mantissa & 0x7fffff);
}

static uint32_t rcp(uint32_t x)
{
    const uint32_t sign = x & SIGN, e = x >> 23 & 255, m = x & 0x7fffff;
    int64_t out;
    if (e == 255)
        return m ? QUIET : sign;
    if (!e)
        return sign | INFINITE;
    out = 0x3f000000 + rcp_part(m) + (127 - (int64_t)e) * (1 << 23);
    return out < 0x00800000 ? sign : sign | (uint32_t)out;
}

/* Exceptions shared by RSQ, SQRT and LG2: 1 and *out, or 0. */
static int exceptional(uint32_t x, uint32_t at_zero, uint32_t at_infinity, uint32_t *out)
{
    if ((x & ~SIGN) > INFINITE)
        *out = QUIET;
    else if (!(x & INFINITE))
        *out = at_zero;
    else if (x & SIGN)
        *out = QUIET;
    else if (x == INFINITE)
        *out = at_infinity;
    else
        return 0;
    return 1;
}

static uint32_t rsq(uint32_t x)
{
    const int e = (int)(x >> 23 & 255) - 127, odd = e & 1, half = (e - odd) / 2;
    const uint32_t m = x & 0x7fffff;
    uint32_t out;
    if (exceptional(x, (x & SIGN) | INFINITE, 0, &out))
        return out;
    if (!odd && !m)
        return (uint32_t)(0x3f800000 - half * (1 << 23));
    return (uint32_t)(0x3f000000 + rsq_part((unsigned)odd, m) - half * (INT64_C(1) << 23));
}

static uint32_t square_root(uint32_t x)
{
    const int e = (int)(x >> 23 & 255) - 127, odd = e & 1, half = (e - odd) / 2;
    const uint32_t m = x & 0x7fffff;
    uint32_t out;
    if (exceptional(x, x & SIGN, INFINITE, &out))
        return out;
    return (
        uint32_t)(0x3f800000 +
                  (polynomial(&mufu_sqrt[odd * 64 + (int)(m >> 17)], m & 0x1ffff, 17, 15, 1, 32767) >> 17) +
                  half * (INT64_C(1) << 23));
}

static uint32_t ex2(uint32_t x)
{
    const uint32_t sign = x >> 31, e = x >> 23 & 255, m = x & 0x7fffff;
    const uint64_t significand = m | 0x800000;
    const int shift = (int)e - 127;
    uint32_t magnitude, fraction;
    int32_t fixed;
    int64_t out;
    if (e == 255)
        return m ? QUIET : sign ? 0 : INFINITE;
    if (!e)
        return 0x3f800000;
    if (e >= 127 + 8)
        return sign ? 0 : INFINITE;
    magnitude = (uint32_t)(shift >= 0 ? significand << shift : shift > -24 ? significand >> -shift : 0);
    fixed = (int32_t)magnitude;
    if (sign) /* one's complement when there is a fraction */
        fixed = magnitude & 0x7fffff ? ~fixed : -fixed;
    fraction = (uint32_t)fixed & 0x7fffff;
    out = 0x3f800000 + (polynomial(&mufu_ex2[fraction >> 17], fraction & 0x1ffff, 17, 13, 0, 6114) >> 15) +
          (fixed >> 23) * (INT64_C(1) << 23);
    return out >= INFINITE ? INFINITE : out < 0x800000 ? 0 : (uint32_t)out;
}

static uint32_t lg2(uint32_t x)
{
    const uint32_t m = x & 0x7fffff;
    uint32_t out;
    int64_t sum;
    if (exceptional(x, SIGN | INFINITE, INFINITE, &out))
        return out;
    if (x == 0x3f800000)
        return 0;
    sum = ((int64_t)(x >> 23) - 127) * (INT64_C(1) << 36) +
          (polynomial(&mufu_lg2[m >> 17], m & 0x1ffff, 17, 12, 1, 837) >> 2);
    return sum < 0 ? SIGN | normalise((uint64_t)~sum, 36) : normalise((uint64_t)sum, 36);
}

static uint32_t sine(uint32_t x, int cosine)
{
    const uint32_t sign = x >> 31, e = x >> 23 & 255;
    const uint64_t significand = (x & 0x7fffff) | 0x800000;
    const int shift = (int)e - 125;
    uint32_t turns = 0, rest; /* quarter turns with 23 fraction bits */
    unsigned quadrant, negative, folded;
    if (e == 255)
        return QUIET;
    if (e && shift >= -23 && shift <= 25)
        turns = (uint32_t)((shift < 0 ? significand >> -shift : significand << shift) & 0x1ffffff);
    quadrant = turns >> 23;
    rest = turns & 0x7fffff;
    negative = cosine ? quadrant == 1 || quadrant == 2 : (quadrant >> 1) ^ sign;
    folded = cosine ? !(quadrant & 1) : quadrant & 1;
    if (folded)
        rest ^= 0x7fffff;
    return (uint32_t)negative << 31 |
           normalise((uint64_t)polynomial(&mufu_sin[rest >> 17], rest & 0x1ffff, 17, 14, 1, 0) >> 3, 37);
}

static uint32_t rcp64h(uint32_t x)
{
    const uint32_t sign = x & SIGN, e = x >> 20 & 2047, m = x & 0xfffff;
    int64_t out;
    if (e == 2047)
        return m ? QUIET : sign;
    if (!e)
        return sign | 0x7ff00000;
    out = ((rcp_part(m << 3) + 0x800000) >> 3) - 0x100000 + 0x3fe00000 + (1023 - (int64_t)e) * (1 << 20);
    return out < 0x00100000 ? sign : sign | (uint32_t)out;
}

static uint32_t rsq64h(uint32_t x)
{
    const uint32_t sign = x & SIGN, e = x >> 20 & 2047, m = x & 0xfffff;
    const int exponent = (int)e - 1023, odd = exponent & 1, half = (exponent - odd) / 2;
    if (e == 2047 && m)
        return QUIET;
    if (!e)
        return sign | 0x7ff00000;
    if (sign)
        return QUIET;
    if (e == 2047)
        return 0;
    if (!odd && !m)
        return (uint32_t)(0x3ff00000 - half * (1 << 20));
    return (uint32_t)(0x3fe00000 + (rsq_part((unsigned)odd, m << 3) >> 3) - half * (INT64_C(1) << 20));
}

/* Identity below 2^-8, 1 from 8 up; each binade between has 2^parts rows. */
static uint32_t tanh_(uint32_t x)
{
    static const uint8_t parts[11] = {0, 0, 0, 1, 1, 2, 2, 2, 3, 4, 3};
    static const uint8_t first[11] = {0, 1, 2, 3, 5, 7, 11, 15, 19, 27, 43};
    const uint32_t sign = x & SIGN, e = x >> 23 & 255, m = x & 0x7fffff;
    unsigned binade, p;
    if (e == 255 && m)
        return QUIET;
    if (e < 119)
        return x;
    if (e >= 130)
        return sign | 0x3f800000;
    binade = e - 119;
    p = parts[binade];
    return sign | normalise((uint64_t)polynomial(&mufu_tanh[first[binade] + (m >> (23 - p))],
                                                 (m & ((1u << (23 - p)) - 1)) >> (6 - p), 17, 17, 2, 0),
                            41);
}

uint32_t et_mufu(enum et_mufu fn, uint32_t x)
{
    switch (fn) {
    case ET_MUFU_COS:
        return sine(x, 1);
    case ET_MUFU_SIN:
        return sine(x, 0);
    case ET_MUFU_EX2:
        return ex2(x);
    case ET_MUFU_LG2:
        return lg2(x);
    case ET_MUFU_RCP:
        return rcp(x);
    case ET_MUFU_RSQ:
        return rsq(x);
    case ET_MUFU_RCP64H:
        return rcp64h(x);
    case ET_MUFU_RSQ64H:
        return rsq64h(x);
    case ET_MUFU_SQRT:
        return square_root(x);
    case ET_MUFU_TANH:
        return tanh_(x);
    }
    return QUIET;
}

uint16_t et_mufu_half(enum et_mufu fn, uint16_t x)
{
    const uint32_t wide = (uint32_t)et_soft_convert(&et_format_f16, &et_format_f32, x, ET_RN, false);
    const uint32_t result = et_mufu(fn, wide);
    /* Truncated, but past the largest half it is infinite. */
    if ((result & ~SIGN) >= 0x47800000 && (result & ~SIGN) <= INFINITE)
        return (uint16_t)((result >> 16 & 0x8000) | 0x7c00);
    return (uint16_t)et_soft_convert(&et_format_f32, &et_format_f16, result, ET_RZ, false);
}

/* SINCOS: times 1 / (2 pi), truncated, without a flush, as later families' FMUL.RZ in front of MUFU. EX2: the
 * unit's own fixed-point conversion repeats it, so the value passes. */
uint32_t et_rro(unsigned fn, uint32_t x)
{
    return fn ? x : (uint32_t)et_soft_mul(&et_format_f32, x, 0x3e22f983, ET_RZ, false);
}
