/* Register values to memory: the rounding of colour outputs and of formatted image stores. [HW:H200] */
#ifndef ET_TEXTURE_ENCODE_H
#define ET_TEXTURE_ENCODE_H

#include "texture/format.h"

/* value: float bits. UNORM keeps bits + 4 fraction bits, ties go down; NaN is 0. bits: 1..16. */
uint32_t et_encode_unorm(uint32_t value, unsigned bits);
/* 24 bits, as depth has them. */
uint32_t et_encode_unorm24(uint32_t value);
/* SNORM keeps bits + 3 fraction bits of the magnitude; the lowest code never occurs. */
uint32_t et_encode_snorm(uint32_t value, unsigned bits);
/* Half: toward zero, overflow to the largest finite value; NaN keeps its sign and top bits. */
uint32_t et_encode_half(uint32_t value);
/* Unsigned float of 5 exponent bits (mantissa 5 or 6): toward zero, negative is 0, NaN keeps its top bits. */
uint32_t et_encode_small_float(uint32_t value, unsigned mantissa_bits);

/* A texel from four register values in the format's component order; bytes: format->block_bytes of them.
 * False when the format can't be stored to (compressed, shared exponent, pairs, one bit). */
bool et_texel_write(const struct et_texel_format *format, const uint32_t values[4], uint8_t *bytes);

#endif
