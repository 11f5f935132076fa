#include "texture/format.h"

#include "base/bits.h"
#include "texture/compressed.h"
#include "texture/encode.h"

#include <math.h>

#define NO_DEPTH 0xff

/* sizes, kind, block width, height and bytes, {low bits}, {widths}, depth component. [DOC] */
#define PLAIN(sizes, bytes, low, width, name)                                                                \
    {                                                                                                        \
        sizes, ET_KIND_PLAIN, 1, 1, bytes, {EXPAND low}, {EXPAND width}, NO_DEPTH, name                      \
    }
#define DEPTH(sizes, bytes, low, width, depth, name)                                                         \
    {                                                                                                        \
        sizes, ET_KIND_DEPTH, 1, 1, bytes, {EXPAND low}, {EXPAND width}, depth, name                         \
    }
#define OTHER(sizes, kind, w, h, bytes, low, width, name)                                                    \
    {                                                                                                        \
        sizes, kind, w, h, bytes, {EXPAND low}, {EXPAND width}, NO_DEPTH, name                               \
    }
#define ASTC(sizes, w, h, name)                                                                              \
    {                                                                                                        \
        sizes, ET_KIND_ASTC, w, h, 16, {0}, {8, 8, 8, 8}, NO_DEPTH, name                                     \
    }
#define EXPAND(...) __VA_ARGS__

static const struct et_format formats[] = {
    PLAIN(0x01, 16, (0, 32, 64, 96), (32, 32, 32, 32), "R32_G32_B32_A32"),
    PLAIN(0x02, 12, (0, 32, 64), (32, 32, 32), "R32_G32_B32"),
    PLAIN(0x03, 8, (0, 16, 32, 48), (16, 16, 16, 16), "R16_G16_B16_A16"),
    PLAIN(0x04, 8, (0, 32), (32, 32), "R32_G32"),
    PLAIN(0x05, 8, (0, 32, 40), (32, 8, 24), "R32_B24G8"),
    OTHER(0x06, ET_KIND_ETC2_RGB, 4, 4, 8, (0), (8, 8, 8), "ETC2_RGB"),
    PLAIN(0x07, 4, (0, 8, 16), (8, 8, 8), "X8B8G8R8"),
    PLAIN(0x08, 4, (0, 8, 16, 24), (8, 8, 8, 8), "A8B8G8R8"),
    PLAIN(0x09, 4, (0, 10, 20, 30), (10, 10, 10, 2), "A2B10G10R10"),
    OTHER(0x0a, ET_KIND_ETC2_PUNCH, 4, 4, 8, (0), (8, 8, 8, 8), "ETC2_RGB_PTA"),
    OTHER(0x0b, ET_KIND_ETC2_RGBA, 4, 4, 16, (0), (8, 8, 8, 8), "ETC2_RGBA"),
    PLAIN(0x0c, 4, (0, 16), (16, 16), "R16_G16"),
    PLAIN(0x0d, 4, (0, 24), (24, 8), "G8R24"),
    PLAIN(0x0e, 4, (0, 8), (8, 24), "G24R8"),
    PLAIN(0x0f, 4, (0), (32), "R32"),
    OTHER(0x10, ET_KIND_BC6_SIGNED, 4, 4, 16, (0), (16, 16, 16), "BC6H_SF16"),
    OTHER(0x11, ET_KIND_BC6_UNSIGNED, 4, 4, 16, (0), (16, 16, 16), "BC6H_UF16"),
    PLAIN(0x12, 2, (0, 4, 8, 12), (4, 4, 4, 4), "A4B4G4R4"),
    PLAIN(0x13, 2, (0, 1, 6, 11), (1, 5, 5, 5), "A5B5G5R1"),
    PLAIN(0x14, 2, (0, 5, 10, 15), (5, 5, 5, 1), "A1B5G5R5"),
    PLAIN(0x15, 2, (0, 5, 11), (5, 6, 5), "B5G6R5"),
    PLAIN(0x16, 2, (0, 5, 10), (5, 5, 6), "B6G5R5"),
    OTHER(0x17, ET_KIND_BC7, 4, 4, 16, (0), (8, 8, 8, 8), "BC7U"),
    PLAIN(0x18, 2, (0, 8), (8, 8), "G8R8"),
    OTHER(0x19, ET_KIND_EAC1, 4, 4, 8, (0), (16), "EAC"),
    OTHER(0x1a, ET_KIND_EAC2, 4, 4, 16, (0), (16, 16), "EACX2"),
    PLAIN(0x1b, 2, (0), (16), "R16"),
    PLAIN(0x1c, 1, (0), (8), "Y8_VIDEO"), /* [INF] luma alone */
    PLAIN(0x1d, 1, (0), (8), "R8"),
    PLAIN(0x1e, 1, (0, 4), (4, 4), "G4R4"),
    OTHER(0x1f, ET_KIND_PLAIN, 8, 1, 1, (0), (1), "R1"), /* [INF] lowest bit leftmost */
    OTHER(0x20, ET_KIND_SHARED_EXPONENT, 1, 1, 4, (0, 9, 18), (9, 9, 9), "E5B9G9R9_SHAREDEXP"),
    OTHER(0x21, ET_KIND_SMALL_FLOAT, 1, 1, 4, (0, 11, 22), (11, 11, 10), "BF10GF11RF11"),
    OTHER(0x22, ET_KIND_PAIR, 2, 1, 4, (0, 8, 16), (8, 8, 8), "G8B8G8R8"),
    OTHER(0x23, ET_KIND_PAIR, 2, 1, 4, (8, 0, 24), (8, 8, 8), "B8G8R8G8"),
    OTHER(0x24, ET_KIND_BC1, 4, 4, 8, (0), (8, 8, 8, 8), "DXT1"),
    OTHER(0x25, ET_KIND_BC2, 4, 4, 16, (0), (8, 8, 8, 8), "DXT23"),
    OTHER(0x26, ET_KIND_BC3, 4, 4, 16, (0), (8, 8, 8, 8), "DXT45"),
    OTHER(0x27, ET_KIND_BC4, 4, 4, 8, (0), (16), "DXN1"),
    OTHER(0x28, ET_KIND_BC5, 4, 4, 16, (0), (16, 16), "DXN2"),
    DEPTH(0x29, 4, (0, 8), (8, 24), 1, "Z24S8"),
    DEPTH(0x2a, 4, (0), (24), 0, "X8Z24"),
    DEPTH(0x2b, 4, (0, 24), (24, 8), 0, "S8Z24"),
    DEPTH(0x2c, 4, (0, 24), (24, 4), 0, "X4V4Z24__COV4R4V"),
    DEPTH(0x2d, 4, (0, 24), (24, 4), 0, "X4V4Z24__COV8R8V"),
    DEPTH(0x2e, 4, (0, 24), (24, 8), 0, "V8Z24__COV4R12V"),
    DEPTH(0x2f, 4, (0), (32), 0, "ZF32"),
    DEPTH(0x30, 8, (0, 32), (32, 8), 0, "ZF32_X24S8"),
    DEPTH(0x31, 8, (0, 32, 40), (24, 8, 4), 0, "X8Z24_X20V4S8__COV4R4V"),
    DEPTH(0x32, 8, (0, 32, 40), (24, 8, 4), 0, "X8Z24_X20V4S8__COV8R8V"),
    DEPTH(0x33, 8, (0, 40), (32, 4), 0, "ZF32_X20V4X8__COV4R4V"),
    DEPTH(0x34, 8, (0, 40), (32, 4), 0, "ZF32_X20V4X8__COV8R8V"),
    DEPTH(0x35, 8, (0, 32, 40), (32, 8, 4), 0, "ZF32_X20V4S8__COV4R4V"),
    DEPTH(0x36, 8, (0, 32, 40), (32, 8, 4), 0, "ZF32_X20V4S8__COV8R8V"),
    DEPTH(0x37, 8, (0, 32, 40), (24, 8, 8), 0, "X8Z24_X16V8S8__COV4R12V"),
    DEPTH(0x38, 8, (0, 40), (32, 8), 0, "ZF32_X16V8X8__COV4R12V"),
    DEPTH(0x39, 8, (0, 32, 40), (32, 8, 8), 0, "ZF32_X16V8S8__COV4R12V"),
    DEPTH(0x3a, 2, (0), (16), 0, "Z16"),
    DEPTH(0x3b, 4, (0, 24), (24, 8), 0, "V8Z24__COV8R24V"),
    DEPTH(0x3c, 8, (0, 32, 40), (24, 8, 8), 0, "X8Z24_X16V8S8__COV8R24V"),
    DEPTH(0x3d, 8, (0, 40), (32, 8), 0, "ZF32_X16V8X8__COV8R24V"),
    DEPTH(0x3e, 8, (0, 32, 40), (32, 8, 8), 0, "ZF32_X16V8S8__COV8R24V"),
    ASTC(0x40, 4, 4, "ASTC_2D_4X4"),
    ASTC(0x41, 5, 5, "ASTC_2D_5X5"),
    ASTC(0x42, 6, 6, "ASTC_2D_6X6"),
    ASTC(0x44, 8, 8, "ASTC_2D_8X8"),
    ASTC(0x45, 10, 10, "ASTC_2D_10X10"),
    ASTC(0x46, 12, 12, "ASTC_2D_12X12"),
    ASTC(0x50, 5, 4, "ASTC_2D_5X4"),
    ASTC(0x51, 6, 5, "ASTC_2D_6X5"),
    ASTC(0x52, 8, 6, "ASTC_2D_8X6"),
    ASTC(0x53, 10, 8, "ASTC_2D_10X8"),
    ASTC(0x54, 12, 10, "ASTC_2D_12X10"),
    ASTC(0x55, 8, 5, "ASTC_2D_8X5"),
    ASTC(0x56, 10, 5, "ASTC_2D_10X5"),
    ASTC(0x57, 10, 6, "ASTC_2D_10X6"),
};

const struct et_format *et_format_row(unsigned i)
{
    return i < ET_COUNT(formats) ? &formats[i] : NULL;
}

const struct et_format *et_format_find(uint32_t sizes)
{
    for (unsigned i = 0; i < ET_COUNT(formats); i++)
        if (formats[i].sizes == sizes)
            return &formats[i];
    return NULL;
}

/* The class of a plain component of `width` bits and type; ET_CLASS_NONE where the two do not go together. */
static enum et_texel_class plain_class(const struct et_format *format, unsigned component, unsigned type)
{
    const unsigned width = format->width[component];
    switch (type) {
    case ET_TYPE_UNORM:
    case ET_TYPE_UNORM_FP16:
        if (format->width[0] == 10)
            return width == 10 ? ET_CLASS_U10 : ET_CLASS_U16;
        return width <= 8    ? ET_CLASS_U8
               : width <= 16 ? ET_CLASS_U16
               : width == 24 ? ET_CLASS_U24
                             : ET_CLASS_U32;
    case ET_TYPE_SNORM:
    case ET_TYPE_SNORM_FP16:
        return width == 8 ? ET_CLASS_S8 : width <= 16 ? ET_CLASS_S16 : ET_CLASS_S32;
    case ET_TYPE_SINT:
    case ET_TYPE_UINT:
        return ET_CLASS_INT;
    case ET_TYPE_FLOAT:
        return width == 32 ? ET_CLASS_F32 : width == 16 ? ET_CLASS_F16 : ET_CLASS_NONE;
    default:
        return ET_CLASS_NONE;
    }
}

/* Depth is UNORM or float by width; what is beside it is an integer. */
static enum et_texel_class depth_class(const struct et_format *format, unsigned component)
{
    if (component != format->depth)
        return ET_CLASS_INT;
    return format->width[component] == 16   ? ET_CLASS_U16
           : format->width[component] == 24 ? ET_CLASS_U24
                                            : ET_CLASS_F32;
}

static enum et_texel_class component_class(const struct et_format *format, unsigned component, unsigned type)
{
    const bool is_signed = type == ET_TYPE_SNORM || type == ET_TYPE_SNORM_FP16;
    switch ((enum et_format_kind)format->kind) {
    case ET_KIND_PLAIN:
    case ET_KIND_PAIR:
        return plain_class(format, component, type);
    case ET_KIND_DEPTH:
        return depth_class(format, component);
    case ET_KIND_SHARED_EXPONENT:
        return ET_CLASS_E5;
    case ET_KIND_SMALL_FLOAT:
    case ET_KIND_BC6_SIGNED:
    case ET_KIND_BC6_UNSIGNED:
    case ET_KIND_ASTC:
        return ET_CLASS_F16;
    case ET_KIND_BC4:
    case ET_KIND_BC5:
    case ET_KIND_EAC1:
    case ET_KIND_EAC2:
        return is_signed ? ET_CLASS_S16 : ET_CLASS_U16;
    default:
        return ET_CLASS_U8;
    }
}

enum etalon_status et_texel_format_resolve(struct et_texel_format *resolved, uint32_t sizes,
                                           const uint8_t types[4], bool srgb, struct etalon_error *error)
{
    const struct et_format *format = et_format_find(sizes);
    if (!format)
        return et_fail(error, ETALON_BAD_VALUE, "texture component sizes 0x%x name no format", sizes);
    *resolved = (struct et_texel_format){.format = format, .integer = true};
    resolved->compressed = format->kind >= ET_KIND_BC1;
    for (unsigned c = 0; c < 4; c++) {
        enum et_texel_class klass = ET_CLASS_NONE;
        resolved->type[c] = types[c];
        if (format->width[c]) {
            klass = component_class(format, c, types[c]);
            if (klass == ET_CLASS_NONE)
                return et_fail(error, ETALON_BAD_VALUE,
                               "texture format %s has no data type %u for component %u", format->name,
                               types[c], c);
        }
        if (srgb && format->kind == ET_KIND_ASTC && c < 3)
            klass = ET_CLASS_U8;
        if (srgb && c < 3 && klass == ET_CLASS_U8) {
            klass = ET_CLASS_SRGB;
            resolved->srgb = true;
        }
        resolved->klass[c] = (uint8_t)klass;
        resolved->integer = resolved->integer && (klass == ET_CLASS_INT || klass == ET_CLASS_NONE);
    }
    return ETALON_OK;
}

/* A code of `width` bits with its bits repeated to fill `to` bits. */
static uint32_t replicate(uint32_t code, unsigned width, unsigned to)
{
    uint32_t wide = 0;
    int shift = (int)(to - width);
    for (; shift >= 0; shift -= (int)width)
        wide |= code << shift;
    return shift > -(int)width ? wide | code >> -shift : wide;
}

/* Raw bits of a component to its code. */
static int32_t widen(uint32_t raw, unsigned width, enum et_texel_class klass, unsigned type)
{
    switch (klass) {
    case ET_CLASS_U8:
    case ET_CLASS_SRGB:
        return (int32_t)(width == 8 ? raw : replicate(raw, width, 8));
    case ET_CLASS_U10:
    case ET_CLASS_U16:
        return (int32_t)(width == 16 ? raw : replicate(raw, width, 16));
    case ET_CLASS_S16:
        if (width < 16) { /* [INF] rounded to the wider scale */
            const int32_t most = (1 << (width - 1)) - 1, code = (int32_t)et_sign_extend(raw, width);
            return most ? (int32_t)lrint(ET_MAX(code, -most) * 32767.0 / most) : code * 32767;
        }
        return (int16_t)raw;
    case ET_CLASS_S8:
        return (int8_t)raw;
    case ET_CLASS_S32:
        if (width < 32) { /* [INF] rounded to the wider scale */
            const int32_t most = (1 << (width - 1)) - 1, code = (int32_t)et_sign_extend(raw, width);
            return (int32_t)lrint(ET_MAX(code, -most) * 2147483647.0 / most);
        }
        return (int32_t)raw;
    case ET_CLASS_INT:
        return type == ET_TYPE_SINT ? (int32_t)et_sign_extend(raw, width) : (int32_t)raw;
    default:
        return (int32_t)raw;
    }
}

static void read_small_float(const uint8_t *bytes, struct et_texel *texel)
{
    const uint32_t word = et_load32(bytes); /* the same exponent as a half, fewer mantissa bits, no sign */
    *texel = (struct et_texel){{(int32_t)((word & 0x7ff) << 4), (int32_t)((word >> 11 & 0x7ff) << 4),
                                (int32_t)(word >> 22 << 5), 0}};
}

static void read_shared_exponent(const uint8_t *bytes, struct et_texel *texel)
{
    const uint32_t word = et_load32(bytes), exponent = word >> 27 << 9;
    *texel = (struct et_texel){{(int32_t)((word & 511) | exponent), (int32_t)((word >> 9 & 511) | exponent),
                                (int32_t)((word >> 18 & 511) | exponent), 0}};
}

void et_texel_read(const struct et_texel_format *format, const uint8_t *bytes, unsigned x,
                   struct et_texel *texel)
{
    const struct et_format *row = format->format;
    uint32_t words[4] = {0};
    if (row->kind == ET_KIND_SHARED_EXPONENT) {
        read_shared_exponent(bytes, texel);
        return;
    }
    if (row->kind == ET_KIND_SMALL_FLOAT) {
        read_small_float(bytes, texel);
        return;
    }
    memcpy(words, bytes, row->block_bytes);
    for (unsigned c = 0; c < 4; c++) {
        const unsigned width = row->width[c];
        unsigned low = row->low[c];
        if (!width) {
            texel->code[c] = 0;
            continue;
        }
        if (row->kind == ET_KIND_PAIR && c == 1 && x)
            low += 16; /* the second texel's green */
        else if (row->kind == ET_KIND_PLAIN && row->block_width > 1)
            low += x;
        texel->code[c] = widen((uint32_t)et_bits_of_words(words, low, width), width, format->klass[c],
                               row->kind == ET_KIND_DEPTH ? ET_TYPE_UINT : format->type[c]);
    }
}

void et_texel_read_block(const struct et_texel_format *format, const uint8_t *bytes, struct et_texel *texels)
{
    const struct et_format *row = format->format;
    const bool is_signed = format->klass[0] == ET_CLASS_S16;
    switch ((enum et_format_kind)row->kind) {
    case ET_KIND_BC1:
        et_bc1_block(bytes, texels);
        break;
    case ET_KIND_BC2:
        et_bc2_block(bytes, texels);
        break;
    case ET_KIND_BC3:
        et_bc3_block(bytes, texels);
        break;
    case ET_KIND_BC4:
        et_bc4_block(bytes, 1, is_signed, texels);
        break;
    case ET_KIND_BC5:
        et_bc4_block(bytes, 2, is_signed, texels);
        break;
    case ET_KIND_BC6_SIGNED:
    case ET_KIND_BC6_UNSIGNED:
        et_bc6_block(bytes, row->kind == ET_KIND_BC6_SIGNED, texels);
        break;
    case ET_KIND_BC7:
        et_bc7_block(bytes, texels);
        break;
    case ET_KIND_ETC2_RGB:
    case ET_KIND_ETC2_PUNCH:
        et_etc2_block(bytes, row->kind == ET_KIND_ETC2_PUNCH, texels);
        break;
    case ET_KIND_ETC2_RGBA:
        et_etc2_block(bytes + 8, false, texels);
        et_etc2_alpha_block(bytes, texels);
        break;
    case ET_KIND_EAC1:
        et_eac_block(bytes, 1, is_signed, texels);
        break;
    case ET_KIND_EAC2:
        et_eac_block(bytes, 2, is_signed, texels);
        break;
    default:
        et_astc_block(bytes, row->block_width, row->block_height, format->srgb, texels);
        break;
    }
}

uint32_t et_half_to_float(uint32_t half)
{
    const uint32_t sign = (half & 0x8000) << 16, exponent = half >> 10 & 31, mantissa = half & 1023;
    if (exponent == 31)
        return sign | 0x7f800000 | mantissa << 13;
    if (exponent)
        return sign | (exponent + 112) << 23 | mantissa << 13;
    return sign | et_float_bits((float)mantissa * 0x1p-24f);
}

/* Unfiltered results: code over the largest code, which a filter of one texel need not give. [HW:H200] */
uint32_t et_texel_value(enum et_texel_class klass, int32_t code)
{
    const uint32_t bits = (uint32_t)code;
    switch (klass) {
    case ET_CLASS_U8:
        return et_float_bits((float)code / 255);
    case ET_CLASS_U10:
        return et_float_bits((float)(code >> 6) / 1023);
    case ET_CLASS_U16:
        return et_float_bits((float)code / 65535);
    case ET_CLASS_S8:
        return et_float_bits((float)ET_MAX(code, -127) / 127);
    case ET_CLASS_S16:
        return et_float_bits((float)ET_MAX(code, -32767) / 32767);
    case ET_CLASS_U24: /* 24 significant bits and one unit more */
        return code ? et_float_bits((float)((ldexp(code, __builtin_clz(bits) - 8) + 1) *
                                            ldexp(1, -24 - (__builtin_clz(bits) - 8))))
                    : 0;
    case ET_CLASS_U32:
        return et_float_bits((float)((double)bits / 4294967295.0));
    case ET_CLASS_S32:
        return et_float_bits((float)(ET_MAX((double)code, -2147483647.0) / 2147483647.0));
    case ET_CLASS_F16: /* unfiltered floats keep NaN payloads and denormals */
        return et_half_to_float(bits);
    case ET_CLASS_F32:
        return bits;
    case ET_CLASS_E5:
        return et_float_bits(ldexpf((float)(code & 511), (code >> 9 & 31) - 24));
    case ET_CLASS_SRGB:
        return et_float_bits((float)et_srgb_value[code & 255] * 0x1p-16f);
    default:
        return bits;
    }
}

/* x in 0..1 as a 32-bit code; NaN is 0. [INF] */
static int32_t unorm32_code(uint32_t value)
{
    const double x = et_float(value);
    return x > 0 ? (int32_t)(uint32_t)(ET_MIN(x, 1.0) * 4294967295.0 + 0.5) : 0;
}

static int32_t snorm32_code(uint32_t value)
{
    const double x = et_float(value);
    return x == x ? (int32_t)lrint(ET_MAX(ET_MIN(x, 1.0), -1.0) * 2147483647.0) : 0;
}

int32_t et_texel_code(enum et_texel_class klass, uint32_t value)
{
    switch (klass) {
    case ET_CLASS_U8:
        return (int32_t)et_encode_unorm(value, 8);
    case ET_CLASS_U10:
    case ET_CLASS_U16:
        return (int32_t)et_encode_unorm(value, 16);
    case ET_CLASS_U24:
        return (int32_t)et_encode_unorm24(value);
    case ET_CLASS_U32:
        return unorm32_code(value);
    case ET_CLASS_S8:
        return (int8_t)et_encode_snorm(value, 8);
    case ET_CLASS_S16:
        return (int16_t)et_encode_snorm(value, 16);
    case ET_CLASS_S32:
        return snorm32_code(value);
    case ET_CLASS_F16:
        return (int32_t)et_encode_half(value);
    case ET_CLASS_SRGB:
        return (int32_t)(value & 255);
    case ET_CLASS_E5: { /* the largest mantissa that the exponent allows; negative and NaN are 0 */
        const float x = et_float(value);
        int exponent;
        if (!(x > 0))
            return 0;
        if (x >= 65408)
            return 511 | 31 << 9;
        frexpf(x, &exponent);
        exponent = ET_MAX(exponent, -15);
        return (int32_t)lrintf(ET_MIN(ldexpf(x, 9 - exponent), 511)) | (exponent + 15) << 9;
    }
    default:
        return (int32_t)value;
    }
}
