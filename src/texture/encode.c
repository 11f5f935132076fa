#include "texture/encode.h"

#include "base/bits.h"

#include <math.h>

/* round-half-down(floor(x * 2^fraction) / 2^fraction * most), x in 0..1 */
static uint32_t scaled(float x, unsigned fraction, uint32_t most)
{
    const uint64_t fixed = (uint64_t)((double)x * (double)(UINT64_C(1) << fraction));
    return (uint32_t)((fixed * most + (UINT64_C(1) << (fraction - 1)) - 1) >> fraction);
}

uint32_t et_encode_unorm(uint32_t value, unsigned bits)
{
    const float x = et_float(value);
    return x > 0 ? scaled(x < 1 ? x : 1, bits + 4, (1u << bits) - 1) : 0;
}

uint32_t et_encode_unorm24(uint32_t value)
{
    const float x = et_float(value);
    return x > 0 ? ET_MIN((uint32_t)((double)(x < 1 ? x : 1) * 0x1p24 - (x > 0.5f) + 0.5), 0xffffff) : 0;
}

uint32_t et_encode_snorm(uint32_t value, unsigned bits)
{
    const float x = et_float(value), magnitude = fabsf(x);
    const uint32_t mask = (1u << bits) - 1;
    if (!(magnitude > 0))
        return 0;
    const uint32_t code = scaled(magnitude < 1 ? magnitude : 1, bits + 3, (1u << (bits - 1)) - 1);
    return (x < 0 ? 0u - code : code) & mask;
}

uint32_t et_encode_half(uint32_t value)
{
    const uint32_t sign = value >> 16 & 0x8000, magnitude = value & 0x7fffffff;
    if (magnitude > 0x7f800000) {
        const uint32_t mantissa = (value & 0x7fffff) >> 13;
        return sign | 0x7c00 | (mantissa ? mantissa : 1);
    }
    if (magnitude == 0x7f800000)
        return sign | 0x7c00;
    if (magnitude >= 0x47800000)
        return sign | 0x7bff;
    if (magnitude >= 0x38800000)
        return sign | ((magnitude - 0x38000000) >> 13);
    return sign | (uint32_t)(et_float(magnitude) * 0x1p24f);
}

uint32_t et_encode_small_float(uint32_t value, unsigned mantissa_bits)
{
    const uint32_t magnitude = value & 0x7fffffff, infinity = 31u << mantissa_bits;
    if (magnitude > 0x7f800000) {
        const uint32_t mantissa = (value & 0x7fffff) >> (23 - mantissa_bits);
        return infinity | (mantissa ? mantissa : 1);
    }
    if (value >> 31)
        return 0;
    if (magnitude == 0x7f800000)
        return infinity;
    return ET_MIN(et_encode_half(value) >> (10 - mantissa_bits), infinity - 1);
}

/* A plain component. Fewer than eight bits: the 8-bit code's top bits; the 2-bit alpha beside 10 bits: from
 * the 10-bit code's top four. [HW:H200] */
static uint32_t encode_component(const struct et_texel_format *format, unsigned c, uint32_t value)
{
    const unsigned width = format->format->width[c];
    switch ((enum et_texel_class)format->klass[c]) {
    case ET_CLASS_U8:
    case ET_CLASS_SRGB:
        return et_encode_unorm(value, 8) >> (8 - width);
    case ET_CLASS_U10:
    case ET_CLASS_U16:
        if (width == 2)
            return ((et_encode_unorm(value, 10) >> 6) * 2 + 5) / 10;
        return et_encode_unorm(value, width);
    case ET_CLASS_S8:
    case ET_CLASS_S16:
        return width > 1 ? et_encode_snorm(value, width) : 0;
    case ET_CLASS_U24:
        return et_encode_unorm24(value);
    case ET_CLASS_F16:
        return et_encode_half(value);
    case ET_CLASS_U32:
    case ET_CLASS_S32:
        return (uint32_t)et_texel_code((enum et_texel_class)format->klass[c], value) >> (32 - width);
    case ET_CLASS_INT: {
        const uint32_t mask = width == 32 ? UINT32_MAX : (1u << width) - 1;
        if (format->type[c] == ET_TYPE_SINT) { /* saturates [INF] */
            const int32_t most = (int32_t)(mask >> 1), x = (int32_t)value;
            return (uint32_t)(x > most ? most : x < -most - 1 ? -most - 1 : x) & mask;
        }
        return ET_MIN(value, mask);
    }
    default:
        return value;
    }
}

bool et_texel_write(const struct et_texel_format *format, const uint32_t values[4], uint8_t *bytes)
{
    const struct et_format *row = format->format;
    uint32_t words[4] = {0};
    if (row->kind > ET_KIND_SMALL_FLOAT || row->block_width > 1)
        return false;
    for (unsigned c = 0; c < 4; c++) {
        const unsigned width = row->width[c], low = row->low[c];
        uint64_t code;
        if (!width)
            continue;
        code = row->kind == ET_KIND_SMALL_FLOAT ? et_encode_small_float(values[c], width - 5)
                                                : encode_component(format, c, values[c]);
        code <<= low & 31;
        words[low >> 5] |= (uint32_t)code;
        if (code >> 32)
            words[(low >> 5) + 1] |= (uint32_t)(code >> 32);
    }
    memcpy(bytes, words, row->block_bytes);
    return true;
}
