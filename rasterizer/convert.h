/* Numbers into the codes of render targets. [HW:H200] */
#ifndef ET_RASTERIZER_CONVERT_H
#define ET_RASTERIZER_CONVERT_H

#include <stdint.h>

/* float -> n-bit UNORM code (n <= 16): n + 4 fraction bits are kept, ties go down; NaN and negative give 0.
 */
uint32_t et_unorm_code(float x, unsigned n);
/* float -> 32-bit UNORM code of x as it is, ties down. [INF: the shorter codes' rule] */
uint32_t et_unorm32_code(float x);
/* float -> n-bit SNORM code: magnitude with n + 3 fraction bits, ties toward zero; never the lowest code. */
int32_t et_snorm_code(float x, unsigned n);
/* float -> half bits toward zero; finite values never become infinite. NaN keeps its sign and top payload
 * bits. */
uint32_t et_half_toward_zero(float x);
/* Linear value of an sRGB target as half bits: clamped, below 1/2 truncated, from 1/2 on rounded half up. */
uint32_t et_srgb_linear(float x);
/* Half bits in 0..1 -> sRGB colour code, alpha code. */
uint32_t et_srgb_code(uint32_t half);
uint32_t et_srgb_alpha_code(uint32_t half);
/* Half bits -> unsigned small float of 5 exponent and `mantissa` bits: negative is 0, the rest truncated. */
uint32_t et_small_float(uint32_t half, unsigned mantissa);
/* Unsigned small float -> half bits. */
static inline uint32_t et_small_float_half(uint32_t bits, unsigned mantissa)
{
    return bits << (10 - mantissa);
}

/* Depth -> codes: 16-bit as UNORM; 24-bit by its own rounding; NaN is 0, values are clamped to 0..1. */
uint32_t et_depth16_code(float z);
uint32_t et_depth24_code(float z);
/* Depth of a float target: clamped to 0..1, NaN and denormals 0. */
float et_depth_float(float z);

#endif
