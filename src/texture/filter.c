#include "texture/filter.h"

#include "base/bits.h"
#include "texture/header.h"

#include <math.h>

#define FAR (INT64_C(1) << 61)

/* Fraction bits that a normalised coordinate keeps. */
static int fraction_bits(uint32_t size)
{
    const int needed = size > 1 ? 40 - __builtin_clz(size - 1) : 8;
    return ET_MAX(needed, 21);
}

/* floor(coordinate * 2^bits); false when it lies too far out, *x being the sign. */
static bool fixed(double coordinate, int bits, int64_t *x)
{
    if (!(coordinate == coordinate))
        coordinate = 0;
    if (fabs(coordinate) >= 0x1p37) {
        *x = coordinate < 0 ? -1 : 1;
        return false;
    }
    *x = (int64_t)floor(coordinate * (double)(INT64_C(1) << bits));
    return true;
}

static int64_t clamp_far(__int128 x)
{
    return x > FAR ? FAR : x < -FAR ? -FAR : (int64_t)x;
}

int64_t et_coordinate_nearest(double coordinate, uint32_t size)
{
    int64_t x;
    const int bits = size ? fraction_bits(size) : 8;
    if (!fixed(coordinate, bits, &x))
        return x * FAR;
    return clamp_far((__int128)x * (size ? size : 1) >> bits);
}

int64_t et_coordinate_fine(double coordinate, uint32_t size)
{
    int64_t x;
    const int bits = size ? fraction_bits(size) : 8;
    if (!fixed(coordinate, bits, &x))
        return x * FAR;
    return clamp_far((__int128)x * (size ? size : 1) >> (bits - 8));
}

int64_t et_coordinate_linear(double coordinate, uint32_t size)
{
    int64_t x;
    const int bits = size ? fraction_bits(size) : 24;
    if (!fixed(coordinate, size ? bits : 20, &x))
        return x * FAR;
    if (!size)
        return clamp_far(((__int128)x * 256 - (INT64_C(128) << 20) + (1 << 19)) >> 20);
    return clamp_far(((__int128)x * size * 256 - ((__int128)128 << bits) + ((__int128)1 << (bits - 1))) >>
                     bits);
}

void et_filter_weights(int x, int y, int z, int total, int weights[8])
{
    const int back = (z * total + 127) >> 8;
    for (int k = 0; k < 2; k++, weights += 4) {
        const int slice = k ? back : total - back;
        const int right = (x * slice + 128) >> 8, left = slice - right;
        const int low_left = (y * left + 127) >> 8, low_right = (y * right + 128) >> 8;
        weights[0] = left - low_left;
        weights[1] = right - low_right;
        weights[2] = low_left;
        weights[3] = low_right;
    }
}

/* Block floating point. fraction: bits kept below 2^E; mantissa: bits of a code's mantissa; precision:
 * significant bits of a result; least: the exponent of zero and of denormals. */
struct float_class {
    int fraction, mantissa, precision, least;
};

static const struct float_class *float_class(enum et_texel_class klass)
{
    static const struct float_class half = {14, 10, 11, -14}, single = {27, 23, 24, -126},
                                    shared = {14, 9, 11, -15}, srgb = {7, 7, 11, -14};
    return klass == ET_CLASS_F16   ? &half
           : klass == ET_CLASS_F32 ? &single
           : klass == ET_CLASS_E5  ? &shared
                                   : &srgb;
}

enum special { FINITE, INFINITE, NOT_A_NUMBER };

struct unpacked {
    bool negative;
    int exponent;
    int64_t mantissa; /* value = mantissa * 2^(exponent - class mantissa bits) */
};

static enum special unpack_ieee(uint32_t bits, int mantissa_bits, int exponent_bits, bool keep_denormals,
                                struct unpacked *out)
{
    const int most = (1 << exponent_bits) - 1, bias = most >> 1;
    int e = (int)(bits >> mantissa_bits) & most;
    int64_t m = bits & ((1u << mantissa_bits) - 1);
    out->negative = bits >> (mantissa_bits + exponent_bits) & 1;
    if (e == most)
        return m ? NOT_A_NUMBER : INFINITE;
    if (e)
        m |= INT64_C(1) << mantissa_bits;
    else
        m = keep_denormals ? m : 0, e = 1;
    out->exponent = e - bias;
    out->mantissa = m;
    return FINITE;
}

static enum special unpack(enum et_texel_class klass, int32_t code, struct unpacked *out)
{
    switch (klass) {
    case ET_CLASS_F16:
        return unpack_ieee((uint32_t)code, 10, 5, true, out);
    case ET_CLASS_F32:
        return unpack_ieee((uint32_t)code, 23, 8, false, out);
    case ET_CLASS_E5:
        *out = (struct unpacked){false, (code >> 9 & 31) - 15, code & 511};
        return FINITE;
    default: { /* sRGB */
        const int shift = et_srgb_exponent[code & 255] + 9;
        const int64_t m = et_srgb_value[code & 255];
        *out = (struct unpacked){false, et_srgb_exponent[code & 255], shift >= 0 ? m >> shift : m << -shift};
        return FINITE;
    }
    }
}

#define EMPTY (-100000)

/* A sum: value * 2^(exponent - fraction - scale - guard). */
struct block {
    int64_t sum;
    int exponent, guard;
};

static int64_t align(const struct block *block, int exponent, int guard)
{
    const int shift = (exponent - guard) - (block->exponent - block->guard);
    if (block->exponent == EMPTY)
        return 0;
    if (shift >= 63)
        return block->sum < 0 ? -1 : 0;
    return shift >= 0 ? block->sum >> shift : block->sum * (INT64_C(1) << -shift);
}

/* Adds quads at the largest exponent, on a grid of exponents of four; finer weights don't make the sum finer.
 */
static struct block add_blocks(const struct block *blocks, unsigned count, unsigned scale_log2)
{
    struct block total = {0, EMPTY, 0};
    for (unsigned k = 0; k < count; k++)
        total.exponent = ET_MAX(total.exponent, blocks[k].exponent);
    if (total.exponent == EMPTY)
        return total;
    total.guard = ((total.exponent - 1) & 3) - (int)(scale_log2 - 8);
    for (unsigned k = 0; k < count; k++)
        total.sum += align(&blocks[k], total.exponent, total.guard);
    return total;
}

/* Rounds half away from zero to the class's precision. */
static uint32_t round_block(const struct float_class *class, const struct block *block, unsigned scale_log2)
{
    const int scale = block->exponent - class->fraction - (int)scale_log2 - block->guard;
    uint64_t m = block->sum < 0 ? -(uint64_t)block->sum : (uint64_t)block->sum;
    int drop;
    double value;
    if (block->exponent == EMPTY || !m)
        return 0;
    drop = 64 - __builtin_clzll(m) - class->precision;
    drop = ET_MAX(drop, (class->precision == 24 ? -149 : -24) - scale);
    if (drop > 63)
        return 0;
    if (drop > 0)
        m = (m + (UINT64_C(1) << (drop - 1))) >> drop;
    value = ldexp((double)m, drop > 0 ? scale + drop : scale);
    if (class->precision == 24)
        value = value > 3.4028234663852886e38 ? INFINITY : value < 0x1p-126 ? 0 : value;
    else if (class->mantissa == 10 && value > 65504)
        value = INFINITY;
    return et_float_bits((float)(block->sum < 0 ? -value : value));
}

/* One quad's sum at its largest exponent; specials: bits 0 +infinity, 1 -infinity, 2 NaN. */
static struct block sum_quad(enum et_texel_class klass, const struct float_class *class,
                             const struct et_texel *texels, unsigned component, const int *weights,
                             unsigned *specials)
{
    struct block block = {0, EMPTY, 0};
    struct unpacked in[4];
    bool counts[4];
    for (unsigned i = 0; i < 4; i++) {
        enum special special;
        counts[i] = false;
        if (!weights[i])
            continue;
        special = unpack(klass, texels[i].code[component], &in[i]);
        if (special != FINITE) {
            *specials |= special == NOT_A_NUMBER ? 4 : in[i].negative ? 2 : 1;
            continue;
        }
        if (weights[i] == ET_WEIGHT_TOUCH)
            continue;
        counts[i] = in[i].mantissa != 0;
        block.exponent =
            ET_MAX(block.exponent, counts[i] || klass == ET_CLASS_E5 ? in[i].exponent : class->least);
    }
    for (unsigned i = 0; i < 4; i++)
        if (counts[i]) {
            const int shift = block.exponent - in[i].exponent;
            const int64_t m = shift > 60 ? 0 : in[i].mantissa << (class->fraction - class->mantissa) >> shift;
            block.sum += (in[i].negative ? -m : m) * weights[i];
        }
    return block;
}

static uint32_t filter_float(enum et_texel_class klass, const struct et_texel *texels, unsigned component,
                             const int *weights, unsigned quads, unsigned scale_log2)
{
    const struct float_class *class = float_class(klass);
    struct block pending[3] = {{0, EMPTY, 0}};
    unsigned specials = 0, held = 0;
    for (unsigned k = 0; k < quads; k++) {
        pending[held++] = sum_quad(klass, class, texels + 4 * k, component, weights + 4 * k, &specials);
        /* The first two, then two more at a time. */
        if ((k == 1 && held == 2) || held == 3 || (k + 1 == quads && held > 1)) {
            pending[0] = add_blocks(pending, held, scale_log2);
            held = 1;
        }
    }
    if (specials & 4 || (specials & 3) == 3)
        return klass == ET_CLASS_F32 ? 0x7fffffff : 0x7fffe000;
    if (specials)
        return specials == 2 ? 0xff800000 : 0x7f800000;
    return round_block(class, &pending[0], scale_log2);
}

static uint32_t round_u24(int64_t sum, unsigned scale_log2)
{
    if (sum <= 0)
        return 0;
    const int drop = 63 - __builtin_clzll((uint64_t)sum) - 23;
    const int64_t m = drop > 0 ? sum >> drop : sum * (INT64_C(1) << -drop);
    return et_float_bits((float)ldexp((double)(m + 1), drop - 24 - (int)scale_log2));
}

uint32_t et_filter(enum et_texel_class klass, const struct et_texel *texels, unsigned component,
                   const int *weights, unsigned quads, unsigned scale_log2)
{
    int64_t sum = 0;
    const int64_t half = INT64_C(1) << (scale_log2 - 1);
    if (klass == ET_CLASS_F16 || klass == ET_CLASS_F32 || klass == ET_CLASS_E5 || klass == ET_CLASS_SRGB)
        return filter_float(klass, texels, component, weights, quads, scale_log2);
    for (unsigned i = 0; i < 4 * quads; i++)
        if (weights[i] != ET_WEIGHT_TOUCH)
            sum += (int64_t)weights[i] * (klass == ET_CLASS_U32 ? (int64_t)(uint32_t)texels[i].code[component]
                                                                : texels[i].code[component]);
    switch (klass) {
    case ET_CLASS_U8:
        return et_float_bits((float)((sum * 257 + half) >> scale_log2) / 65535);
    case ET_CLASS_U10:
    case ET_CLASS_U16:
        return et_float_bits((float)((sum + half) >> scale_log2) / 65535);
    case ET_CLASS_S8: { /* 32767/127 of the sum, whose bits below a 256th of a code still count */
        const unsigned finer = scale_log2 - 8;
        sum = (sum * 129 + (sum >> (12 + finer)) * (INT64_C(16) << finer) + (INT64_C(64) << finer)) >>
              (7 + finer);
        return et_float_bits((float)ET_MAX(sum, -32767) / 32767);
    }
    case ET_CLASS_S16:
        sum = (sum + half) >> scale_log2;
        return et_float_bits((float)ET_MAX(sum, -32767) / 32767);
    case ET_CLASS_U24:
        return round_u24(sum, scale_log2);
    case ET_CLASS_U32:
        return et_float_bits((float)(ldexp((double)sum, -(int)scale_log2) / 4294967295.0));
    case ET_CLASS_S32:
        return et_float_bits(
            (float)(fmax(ldexp((double)sum, -(int)scale_log2), -2147483647.0) / 2147483647.0));
    default: /* integers are never filtered: the texel of the largest weight would be a guess, the first is
                not */
        return (uint32_t)texels[0].code[component];
    }
}
