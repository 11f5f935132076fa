#include "rasterizer/format.h"

#include "base/bits.h"

/* Unused bits (X) keep what they hold [INF]. */
static const struct et_color_format color_formats[] = {
    {0x40, 2, ET_COLOR_UNORM, 16, {{0, 0}, {0, 0}, {0, 0}, {0, 16}}, 0, 0, "A16"},
    {0x41, 2, ET_COLOR_F16, 0, {{0, 0}, {0, 0}, {0, 0}, {0, 16}}, 0, 0, "AF16"},
    {0x42, 4, ET_COLOR_F32, 0, {{0, 0}, {0, 0}, {0, 0}, {0, 32}}, 0, 0, "AF32"},
    {0x43, 2, ET_COLOR_UNORM, 8, {{0, 8}, {0, 0}, {0, 0}, {8, 8}}, 0, 0, "A8R8"},
    {0x44, 4, ET_COLOR_UNORM, 16, {{0, 16}, {0, 0}, {0, 0}, {16, 16}}, 0, 0, "R16_A16"},
    {0x45, 4, ET_COLOR_F16, 0, {{0, 16}, {0, 0}, {0, 0}, {16, 16}}, 0, 0, "RF16_AF16"},
    {0x46, 8, ET_COLOR_F32, 0, {{0, 32}, {0, 0}, {0, 0}, {32, 32}}, 0, 0, "RF32_AF32"},
    {0x47, 4, ET_COLOR_UNORM, 8, {{8, 8}, {16, 8}, {24, 8}, {0, 8}}, 0, 0, "B8G8R8A8"},
    {0xc0, 16, ET_COLOR_F32, 0, {{0, 32}, {32, 32}, {64, 32}, {96, 32}}, 0, 0, "RF32_GF32_BF32_AF32"},
    {0xc1, 16, ET_COLOR_SINT, 0, {{0, 32}, {32, 32}, {64, 32}, {96, 32}}, 0, 0, "RS32_GS32_BS32_AS32"},
    {0xc2, 16, ET_COLOR_UINT, 0, {{0, 32}, {32, 32}, {64, 32}, {96, 32}}, 0, 0, "RU32_GU32_BU32_AU32"},
    {0xc3, 16, ET_COLOR_F32, 0, {{0, 32}, {32, 32}, {64, 32}, {0, 0}}, 0, 0, "RF32_GF32_BF32_X32"},
    {0xc4, 16, ET_COLOR_SINT, 0, {{0, 32}, {32, 32}, {64, 32}, {0, 0}}, 0, 0, "RS32_GS32_BS32_X32"},
    {0xc5, 16, ET_COLOR_UINT, 0, {{0, 32}, {32, 32}, {64, 32}, {0, 0}}, 0, 0, "RU32_GU32_BU32_X32"},
    {0xc6, 8, ET_COLOR_UNORM, 16, {{0, 16}, {16, 16}, {32, 16}, {48, 16}}, 0, 0, "R16_G16_B16_A16"},
    {0xc7, 8, ET_COLOR_SNORM, 16, {{0, 16}, {16, 16}, {32, 16}, {48, 16}}, 0, 0, "RN16_GN16_BN16_AN16"},
    {0xc8, 8, ET_COLOR_SINT, 0, {{0, 16}, {16, 16}, {32, 16}, {48, 16}}, 0, 0, "RS16_GS16_BS16_AS16"},
    {0xc9, 8, ET_COLOR_UINT, 0, {{0, 16}, {16, 16}, {32, 16}, {48, 16}}, 0, 0, "RU16_GU16_BU16_AU16"},
    {0xca, 8, ET_COLOR_F16, 0, {{0, 16}, {16, 16}, {32, 16}, {48, 16}}, 0, 0, "RF16_GF16_BF16_AF16"},
    {0xcb, 8, ET_COLOR_F32, 0, {{0, 32}, {32, 32}, {0, 0}, {0, 0}}, 0, 0, "RF32_GF32"},
    {0xcc, 8, ET_COLOR_SINT, 0, {{0, 32}, {32, 32}, {0, 0}, {0, 0}}, 0, 0, "RS32_GS32"},
    {0xcd, 8, ET_COLOR_UINT, 0, {{0, 32}, {32, 32}, {0, 0}, {0, 0}}, 0, 0, "RU32_GU32"},
    {0xce, 8, ET_COLOR_F16, 0, {{0, 16}, {16, 16}, {32, 16}, {0, 0}}, 0, 0, "RF16_GF16_BF16_X16"},
    {0xcf, 4, ET_COLOR_UNORM, 8, {{16, 8}, {8, 8}, {0, 8}, {24, 8}}, 0, 0, "A8R8G8B8"},
    {0xd0, 4, ET_COLOR_SRGB, 8, {{16, 8}, {8, 8}, {0, 8}, {24, 8}}, 0, 0, "A8RL8GL8BL8"},
    {0xd1, 4, ET_COLOR_UNORM, 10, {{0, 10}, {10, 10}, {20, 10}, {30, 2}}, 0, 0, "A2B10G10R10"},
    {0xd2, 4, ET_COLOR_UINT, 0, {{0, 10}, {10, 10}, {20, 10}, {30, 2}}, 0, 0, "AU2BU10GU10RU10"},
    {0xd5, 4, ET_COLOR_UNORM, 8, {{0, 8}, {8, 8}, {16, 8}, {24, 8}}, 0, 0, "A8B8G8R8"},
    {0xd6, 4, ET_COLOR_SRGB, 8, {{0, 8}, {8, 8}, {16, 8}, {24, 8}}, 0, 0, "A8BL8GL8RL8"},
    {0xd7, 4, ET_COLOR_SNORM, 8, {{0, 8}, {8, 8}, {16, 8}, {24, 8}}, 0, 0, "AN8BN8GN8RN8"},
    {0xd8, 4, ET_COLOR_SINT, 0, {{0, 8}, {8, 8}, {16, 8}, {24, 8}}, 0, 0, "AS8BS8GS8RS8"},
    {0xd9, 4, ET_COLOR_UINT, 0, {{0, 8}, {8, 8}, {16, 8}, {24, 8}}, 0, 0, "AU8BU8GU8RU8"},
    {0xda, 4, ET_COLOR_UNORM, 16, {{0, 16}, {16, 16}, {0, 0}, {0, 0}}, 0, 0, "R16_G16"},
    {0xdb, 4, ET_COLOR_SNORM, 16, {{0, 16}, {16, 16}, {0, 0}, {0, 0}}, 0, 0, "RN16_GN16"},
    {0xdc, 4, ET_COLOR_SINT, 0, {{0, 16}, {16, 16}, {0, 0}, {0, 0}}, 0, 0, "RS16_GS16"},
    {0xdd, 4, ET_COLOR_UINT, 0, {{0, 16}, {16, 16}, {0, 0}, {0, 0}}, 0, 0, "RU16_GU16"},
    {0xde, 4, ET_COLOR_F16, 0, {{0, 16}, {16, 16}, {0, 0}, {0, 0}}, 0, 0, "RF16_GF16"},
    {0xdf, 4, ET_COLOR_UNORM, 10, {{20, 10}, {10, 10}, {0, 10}, {30, 2}}, 0, 0, "A2R10G10B10"},
    {0xe0, 4, ET_COLOR_F11, 0, {{0, 11}, {11, 11}, {22, 10}, {0, 0}}, 0, 0, "BF10GF11RF11"},
    {0xe3, 4, ET_COLOR_SINT, 0, {{0, 32}, {0, 0}, {0, 0}, {0, 0}}, 0, 0, "RS32"},
    {0xe4, 4, ET_COLOR_UINT, 0, {{0, 32}, {0, 0}, {0, 0}, {0, 0}}, 0, 0, "RU32"},
    {0xe5, 4, ET_COLOR_F32, 0, {{0, 32}, {0, 0}, {0, 0}, {0, 0}}, 0, 0, "RF32"},
    {0xe6, 4, ET_COLOR_UNORM, 8, {{16, 8}, {8, 8}, {0, 8}, {0, 0}}, 0, 0, "X8R8G8B8"},
    {0xe7, 4, ET_COLOR_SRGB, 8, {{16, 8}, {8, 8}, {0, 8}, {0, 0}}, 0, 0, "X8RL8GL8BL8"},
    {0xe8, 2, ET_COLOR_UNORM, 8, {{11, 5}, {5, 6}, {0, 5}, {0, 0}}, 0, 0, "R5G6B5"},
    {0xe9, 2, ET_COLOR_UNORM, 8, {{10, 5}, {5, 5}, {0, 5}, {15, 1}}, 0, 0, "A1R5G5B5"},
    {0xea, 2, ET_COLOR_UNORM, 8, {{0, 8}, {8, 8}, {0, 0}, {0, 0}}, 0, 0, "G8R8"},
    {0xeb, 2, ET_COLOR_SNORM, 8, {{0, 8}, {8, 8}, {0, 0}, {0, 0}}, 0, 0, "GN8RN8"},
    {0xec, 2, ET_COLOR_SINT, 0, {{0, 8}, {8, 8}, {0, 0}, {0, 0}}, 0, 0, "GS8RS8"},
    {0xed, 2, ET_COLOR_UINT, 0, {{0, 8}, {8, 8}, {0, 0}, {0, 0}}, 0, 0, "GU8RU8"},
    {0xee, 2, ET_COLOR_UNORM, 16, {{0, 16}, {0, 0}, {0, 0}, {0, 0}}, 0, 0, "R16"},
    {0xef, 2, ET_COLOR_SNORM, 16, {{0, 16}, {0, 0}, {0, 0}, {0, 0}}, 0, 0, "RN16"},
    {0xf0, 2, ET_COLOR_SINT, 0, {{0, 16}, {0, 0}, {0, 0}, {0, 0}}, 0, 0, "RS16"},
    {0xf1, 2, ET_COLOR_UINT, 0, {{0, 16}, {0, 0}, {0, 0}, {0, 0}}, 0, 0, "RU16"},
    {0xf2, 2, ET_COLOR_F16, 0, {{0, 16}, {0, 0}, {0, 0}, {0, 0}}, 0, 0, "RF16"},
    {0xf3, 1, ET_COLOR_UNORM, 8, {{0, 8}, {0, 0}, {0, 0}, {0, 0}}, 0, 0, "R8"},
    {0xf4, 1, ET_COLOR_SNORM, 8, {{0, 8}, {0, 0}, {0, 0}, {0, 0}}, 0, 0, "RN8"},
    {0xf5, 1, ET_COLOR_SINT, 0, {{0, 8}, {0, 0}, {0, 0}, {0, 0}}, 0, 0, "RS8"},
    {0xf6, 1, ET_COLOR_UINT, 0, {{0, 8}, {0, 0}, {0, 0}, {0, 0}}, 0, 0, "RU8"},
    {0xf7, 1, ET_COLOR_UNORM, 8, {{0, 0}, {0, 0}, {0, 0}, {0, 8}}, 0, 0, "A8"},
    {0xf8, 2, ET_COLOR_UNORM, 8, {{10, 5}, {5, 5}, {0, 5}, {0, 0}}, 0, 0, "X1R5G5B5"},
    {0xf9, 4, ET_COLOR_UNORM, 8, {{0, 8}, {8, 8}, {16, 8}, {0, 0}}, 0, 0, "X8B8G8R8"},
    {0xfa, 4, ET_COLOR_SRGB, 8, {{0, 8}, {8, 8}, {16, 8}, {0, 0}}, 0, 0, "X8BL8GL8RL8"},
    {0xfb, 2, ET_COLOR_UNORM, 8, {{10, 5}, {5, 5}, {0, 5}, {0, 0}}, 0x8000, 0, "Z1R5G5B5"},
    {0xfc, 2, ET_COLOR_UNORM, 8, {{10, 5}, {5, 5}, {0, 5}, {0, 0}}, 0, 0x8000, "O1R5G5B5"},
    {0xfd, 4, ET_COLOR_UNORM, 8, {{16, 8}, {8, 8}, {0, 8}, {0, 0}}, 0xff000000, 0, "Z8R8G8B8"},
    {0xfe, 4, ET_COLOR_UNORM, 8, {{16, 8}, {8, 8}, {0, 8}, {0, 0}}, 0, 0xff000000u, "O8R8G8B8"},
    {0xff, 4, ET_COLOR_UNORM32, 32, {{0, 32}, {0, 0}, {0, 0}, {0, 0}}, 0, 0, "R32"},
};

/* Coverage bits (V) keep what they hold: virtual coverage itself (CSAA_ENABLE) is refused. [INF] */
static const struct et_depth_format depth_formats[] = {
    {0x0a, 4, true, 0, 32, 0, false, "ZF32"},          {0x13, 2, false, 0, 16, 0, false, "Z16"},
    {0x14, 4, false, 8, 24, 0, true, "Z24S8"},         {0x15, 4, false, 0, 24, 0, false, "X8Z24"},
    {0x16, 4, false, 0, 24, 3, true, "S8Z24"},         {0x17, 1, false, 0, 0, 0, true, "S8"},
    {0x18, 4, false, 0, 24, 0, false, "V8Z24"},        {0x19, 8, true, 0, 32, 4, true, "ZF32_X24S8"},
    {0x1d, 8, false, 0, 24, 4, true, "X8Z24_X16V8S8"}, {0x1e, 8, true, 0, 32, 0, false, "ZF32_X16V8X8"},
    {0x1f, 8, true, 0, 32, 4, true, "ZF32_X16V8S8"},
};

const struct et_color_format *et_color_format_row(unsigned i)
{
    return i < ET_COUNT(color_formats) ? &color_formats[i] : NULL;
}

const struct et_color_format *et_color_format_find(uint32_t value)
{
    for (size_t i = 0; i < ET_COUNT(color_formats); i++)
        if (color_formats[i].value == value)
            return &color_formats[i];
    return NULL;
}

const struct et_color_format *et_color_format_linear(const struct et_color_format *format)
{
    static const uint8_t pairs[][2] = {{0xd0, 0xcf}, {0xd6, 0xd5}, {0xe7, 0xe6}, {0xfa, 0xf9}};
    for (size_t i = 0; i < ET_COUNT(pairs); i++)
        if (pairs[i][0] == format->value)
            return et_color_format_find(pairs[i][1]);
    return format;
}

const struct et_depth_format *et_depth_format_row(unsigned i)
{
    return i < ET_COUNT(depth_formats) ? &depth_formats[i] : NULL;
}

const struct et_depth_format *et_depth_format_find(uint32_t value)
{
    for (size_t i = 0; i < ET_COUNT(depth_formats); i++)
        if (depth_formats[i].value == value)
            return &depth_formats[i];
    return NULL;
}
