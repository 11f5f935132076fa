#include "rasterizer/convert.h"

#include "base/bits.h"

#include <math.h>

/* The smallest half that encodes to sRGB code k + 1. */
static const uint16_t srgb_threshold[255] = {
    0x0800, 0x0f00, 0x1200, 0x1440, 0x1580, 0x16c0, 0x1800, 0x18a0, 0x1940, 0x19e0, 0x1a80, 0x1b40, 0x1be0,
    0x1c50, 0x1cb0, 0x1d20, 0x1d80, 0x1e00, 0x1e70, 0x1ee0, 0x1f60, 0x1ff0, 0x2040, 0x2088, 0x20d0, 0x2120,
    0x2170, 0x21c0, 0x2220, 0x2280, 0x22d0, 0x2330, 0x23a0, 0x2400, 0x2430, 0x2468, 0x24a0, 0x24d8, 0x2510,
    0x2550, 0x2590, 0x25d0, 0x2610, 0x2650, 0x2690, 0x26e0, 0x2720, 0x2770, 0x27b0, 0x2800, 0x2828, 0x2850,
    0x2878, 0x28a0, 0x28d0, 0x28f8, 0x2928, 0x2950, 0x2980, 0x29b0, 0x29e0, 0x2a10, 0x2a40, 0x2a78, 0x2aa8,
    0x2ae0, 0x2b10, 0x2b50, 0x2b80, 0x2bc0, 0x2bf0, 0x2c18, 0x2c34, 0x2c50, 0x2c70, 0x2c90, 0x2cb0, 0x2cd0,
    0x2cf0, 0x2d10, 0x2d30, 0x2d58, 0x2d78, 0x2d98, 0x2dc0, 0x2de0, 0x2e08, 0x2e2c, 0x2e50, 0x2e78, 0x2ea0,
    0x2ec8, 0x2ef0, 0x2f18, 0x2f40, 0x2f68, 0x2f90, 0x2fc0, 0x2fe8, 0x3008, 0x3020, 0x3034, 0x304c, 0x3064,
    0x3078, 0x3090, 0x30a8, 0x30c0, 0x30d8, 0x30f0, 0x3108, 0x3124, 0x313c, 0x3158, 0x3170, 0x3188, 0x31a4,
    0x31c0, 0x31d8, 0x31f4, 0x3210, 0x322c, 0x3248, 0x3264, 0x3280, 0x32a0, 0x32bc, 0x32d8, 0x32f8, 0x3318,
    0x3334, 0x3350, 0x3370, 0x3390, 0x33b0, 0x33d0, 0x33f0, 0x3408, 0x3418, 0x342a, 0x343c, 0x344c, 0x345c,
    0x346c, 0x3480, 0x3490, 0x34a2, 0x34b4, 0x34c6, 0x34d8, 0x34ec, 0x34fc, 0x3510, 0x3524, 0x3534, 0x3548,
    0x355c, 0x3570, 0x3584, 0x3594, 0x35a8, 0x35bc, 0x35d0, 0x35e8, 0x35fc, 0x3610, 0x3624, 0x3638, 0x3650,
    0x3664, 0x3678, 0x3690, 0x36a4, 0x36bc, 0x36d0, 0x36e8, 0x36fc, 0x3714, 0x372c, 0x3740, 0x3758, 0x3770,
    0x3788, 0x37a0, 0x37b8, 0x37d0, 0x37e8, 0x3800, 0x380c, 0x3818, 0x3826, 0x3832, 0x383e, 0x384c, 0x3858,
    0x3864, 0x3872, 0x387e, 0x388c, 0x3898, 0x38a6, 0x38b4, 0x38c0, 0x38ce, 0x38dc, 0x38ea, 0x38f8, 0x3904,
    0x3914, 0x3920, 0x3930, 0x393e, 0x394c, 0x395a, 0x3968, 0x3978, 0x3986, 0x3994, 0x39a4, 0x39b4, 0x39c2,
    0x39d0, 0x39e0, 0x39f0, 0x3a00, 0x3a0e, 0x3a1e, 0x3a2c, 0x3a3c, 0x3a4c, 0x3a5c, 0x3a6c, 0x3a7c, 0x3a8c,
    0x3a9e, 0x3aae, 0x3ac0, 0x3ad0, 0x3ae0, 0x3af0, 0x3b00, 0x3b14, 0x3b24, 0x3b34, 0x3b46, 0x3b58, 0x3b68,
    0x3b7a, 0x3b8c, 0x3b9c, 0x3bb0, 0x3bc0, 0x3bd4, 0x3be4, 0x3bf8,
};

uint32_t et_unorm_code(float x, unsigned n)
{
    if (!(x > 0))
        return 0;
    const uint64_t kept = (uint64_t)((x < 1 ? x : 1) * (float)(1u << (n + 4)));
    return (uint32_t)((kept * ((1u << n) - 1) + (1u << (n + 3)) - 1) >> (n + 4));
}

uint32_t et_unorm32_code(float x)
{
    if (!(x > 0))
        return 0;
    const unsigned __int128 fixed = (unsigned __int128)((x < 1 ? (double)x : 1) * 0x1p60);
    return (uint32_t)((fixed * 0xffffffff + ((UINT64_C(1) << 59) - 1)) >> 60);
}

int32_t et_snorm_code(float x, unsigned n)
{
    const float size = fabsf(x);
    if (!(size > 0))
        return 0;
    const uint64_t kept = (uint64_t)((size < 1 ? size : 1) * (float)(1u << (n + 3)));
    const int32_t code = (int32_t)((kept * ((1u << (n - 1)) - 1) + (1u << (n + 2)) - 1) >> (n + 3));
    return x < 0 ? -code : code;
}

uint32_t et_half_toward_zero(float x)
{
    const uint32_t bits = et_float_bits(x), sign = bits >> 16 & 0x8000, size = bits & 0x7fffffff;
    if (size > 0x7f800000) {
        const uint32_t payload = size >> 13 & 0x3ff;
        return sign | 0x7c00 | (payload ? payload : 1);
    }
    if (size == 0x7f800000)
        return sign | 0x7c00;
    if (size >= 0x47800000)
        return sign | 0x7bff;
    if (size >= 0x38800000)
        return sign | (size - 0x38000000) >> 13;
    if (size < 0x33800000)
        return sign;
    return sign | ((size & 0x7fffff) | 0x800000) >> (126 - (size >> 23));
}

uint32_t et_srgb_linear(float x)
{
    if (!(x > 0))
        return 0;
    if (x >= 1)
        return 0x3c00;
    return et_half_toward_zero(x < 0.5f ? x : x + 0x1p-12f);
}

uint32_t et_srgb_code(uint32_t half)
{
    uint32_t low = 0, high = 255;
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        if (half >= srgb_threshold[middle])
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* 255 * f with f known to three bits: code = floor(256 f - t + 1/2), t = f rounded up to a step of its
 * exponent. */
uint32_t et_srgb_alpha_code(uint32_t half)
{
    const int exponent = (int)(half >> 10), step_log2 = ET_MAX(exponent - 15 - 2, -8);
    const uint32_t mantissa = exponent ? 0x400 | (half & 0x3ff) : half & 0x3ff;
    /* f in units of 2^-24 */
    const int64_t f = (int64_t)mantissa << (exponent ? exponent - 1 : 0), step = INT64_C(1)
                                                                                 << (24 + step_log2);
    const int64_t t = f / step * step + step, code = (256 * f - t + (1 << 23)) >> 24;
    if (!half)
        return 0;
    return (uint32_t)(code < 0 ? 0 : ET_MIN(code, 255));
}

uint32_t et_small_float(uint32_t half, unsigned mantissa)
{
    const uint32_t bits = (half & 0x7fff) >> (10 - mantissa), infinite = 31u << mantissa;
    if ((half & 0x7fff) > 0x7c00)
        return bits == infinite ? infinite | 1 : bits;
    return half & 0x8000 ? 0 : bits;
}

uint32_t et_depth16_code(float z)
{
    return et_unorm_code(z, 16);
}

uint32_t et_depth24_code(float z)
{
    if (!(z > 0))
        return 0;
    const double q = (z < 1 ? (double)z : 1) * 0x1p24;
    if (z < 0x1p-4f)
        return (uint32_t)floor(q + 0.5);
    if (z <= 0.5f)
        return (uint32_t)ceil(q - 0.5);
    return (uint32_t)q - 1; /* every float from 1/2 on is a whole code */
}

float et_depth_float(float z)
{
    if (!(z >= 0x1p-126f))
        return 0;
    return z < 1 ? z : 1;
}
