/* Every component-sizes value of the headers' definition has code, and its texels decode by definition. */
#include "support/texture_world.h"
#include "base/hash.h"

#include <math.h>
#include <stdio.h>

/* NVIDIA's list of B197 and C797: value, name, block size, bytes, and what lies where from the least bit.
 * Y8_VIDEO's layout is inferred; R1's eight texels a byte are a block here. */
static const struct fact {
    uint8_t sizes;
    const char *name;
    uint8_t width, height, bytes;
    const char *layout;
} facts[] = {
    {0x01, "R32_G32_B32_A32", 1, 1, 16, "R[31:0] G[63:32] B[95:64] A[127:96]"},
    {0x02, "R32_G32_B32", 1, 1, 12, "R[31:0] G[63:32] B[95:64]"},
    {0x03, "R16_G16_B16_A16", 1, 1, 8, "R[15:0] G[31:16] B[47:32] A[63:48]"},
    {0x04, "R32_G32", 1, 1, 8, "R[31:0] G[63:32]"},
    {0x05, "R32_B24G8", 1, 1, 8, "R[31:0] G[39:32] B[63:40]"},
    {0x06, "ETC2_RGB", 4, 4, 8, ""},
    {0x07, "X8B8G8R8", 1, 1, 4, "R[7:0] G[15:8] B[23:16] X[31:24]"},
    {0x08, "A8B8G8R8", 1, 1, 4, "R[7:0] G[15:8] B[23:16] A[31:24]"},
    {0x09, "A2B10G10R10", 1, 1, 4, "R[9:0] G[19:10] B[29:20] A[31:30]"},
    {0x0a, "ETC2_RGB_PTA", 4, 4, 8, ""},
    {0x0b, "ETC2_RGBA", 4, 4, 16, ""},
    {0x0c, "R16_G16", 1, 1, 4, "R[15:0] G[31:16]"},
    {0x0d, "G8R24", 1, 1, 4, "R[23:0] G[31:24]"},
    {0x0e, "G24R8", 1, 1, 4, "R[7:0] G[31:8]"},
    {0x0f, "R32", 1, 1, 4, "R[31:0]"},
    {0x10, "BC6H_SF16", 4, 4, 16, ""},
    {0x11, "BC6H_UF16", 4, 4, 16, ""},
    {0x12, "A4B4G4R4", 1, 1, 2, "R[3:0] G[7:4] B[11:8] A[15:12]"},
    {0x13, "A5B5G5R1", 1, 1, 2, "R[0:0] G[5:1] B[10:6] A[15:11]"},
    {0x14, "A1B5G5R5", 1, 1, 2, "R[4:0] G[9:5] B[14:10] A[15:15]"},
    {0x15, "B5G6R5", 1, 1, 2, "R[4:0] G[10:5] B[15:11]"},
    {0x16, "B6G5R5", 1, 1, 2, "R[4:0] G[9:5] B[15:10]"},
    {0x17, "BC7U", 4, 4, 16, ""},
    {0x18, "G8R8", 1, 1, 2, "R[7:0] G[15:8]"},
    {0x19, "EAC", 4, 4, 8, ""},
    {0x1a, "EACX2", 4, 4, 16, ""},
    {0x1b, "R16", 1, 1, 2, "R[15:0]"},
    {0x1c, "Y8_VIDEO", 1, 1, 1, ""},
    {0x1d, "R8", 1, 1, 1, "R[7:0]"},
    {0x1e, "G4R4", 1, 1, 1, "R[3:0] G[7:4]"},
    {0x1f, "R1", 1, 1, 1, "R[0:0]"},
    {0x20, "E5B9G9R9_SHAREDEXP", 1, 1, 4, "R[8:0] G[17:9] B[26:18] E[31:27]"},
    {0x21, "BF10GF11RF11", 1, 1, 4, "R[10:0] G[21:11] B[31:22]"},
    {0x22, "G8B8G8R8", 2, 1, 4, ""},
    {0x23, "B8G8R8G8", 2, 1, 4, ""},
    {0x24, "DXT1", 4, 4, 8, ""},
    {0x25, "DXT23", 4, 4, 16, ""},
    {0x26, "DXT45", 4, 4, 16, ""},
    {0x27, "DXN1", 4, 4, 8, ""},
    {0x28, "DXN2", 4, 4, 16, ""},
    {0x29, "Z24S8", 1, 1, 4, "S[7:0] Z[31:8]"},
    {0x2a, "X8Z24", 1, 1, 4, "Z[23:0] X[31:24]"},
    {0x2b, "S8Z24", 1, 1, 4, "Z[23:0] S[31:24]"},
    {0x2c, "X4V4Z24__COV4R4V", 1, 1, 4, "Z[23:0] V[27:24] X[31:28]"},
    {0x2d, "X4V4Z24__COV8R8V", 1, 1, 4, "Z[23:0] V[27:24] X[31:28]"},
    {0x2e, "V8Z24__COV4R12V", 1, 1, 4, "Z[23:0] V[31:24]"},
    {0x2f, "ZF32", 1, 1, 4, "Z[31:0]"},
    {0x30, "ZF32_X24S8", 1, 1, 8, "Z[31:0] S[39:32] X[63:40]"},
    {0x31, "X8Z24_X20V4S8__COV4R4V", 1, 1, 8, "Z[23:0] X[31:24] S[39:32] V[43:40] X[63:44]"},
    {0x32, "X8Z24_X20V4S8__COV8R8V", 1, 1, 8, "Z[23:0] X[31:24] S[39:32] V[43:40] X[63:44]"},
    {0x33, "ZF32_X20V4X8__COV4R4V", 1, 1, 8, "Z[31:0] X[39:32] V[43:40] X[63:44]"},
    {0x34, "ZF32_X20V4X8__COV8R8V", 1, 1, 8, "Z[31:0] X[39:32] V[43:40] X[63:44]"},
    {0x35, "ZF32_X20V4S8__COV4R4V", 1, 1, 8, "Z[31:0] S[39:32] V[43:40] X[63:44]"},
    {0x36, "ZF32_X20V4S8__COV8R8V", 1, 1, 8, "Z[31:0] S[39:32] V[43:40] X[63:44]"},
    {0x37, "X8Z24_X16V8S8__COV4R12V", 1, 1, 8, "Z[23:0] X[31:24] S[39:32] V[47:40] X[63:48]"},
    {0x38, "ZF32_X16V8X8__COV4R12V", 1, 1, 8, "Z[31:0] X[39:32] V[47:40] X[63:48]"},
    {0x39, "ZF32_X16V8S8__COV4R12V", 1, 1, 8, "Z[31:0] S[39:32] V[47:40] X[63:48]"},
    {0x3a, "Z16", 1, 1, 2, "Z[15:0]"},
    {0x3b, "V8Z24__COV8R24V", 1, 1, 4, "Z[23:0] V[31:24]"},
    {0x3c, "X8Z24_X16V8S8__COV8R24V", 1, 1, 8, "Z[23:0] X[31:24] S[39:32] V[47:40] X[63:48]"},
    {0x3d, "ZF32_X16V8X8__COV8R24V", 1, 1, 8, "Z[31:0] X[39:32] V[47:40] X[63:48]"},
    {0x3e, "ZF32_X16V8S8__COV8R24V", 1, 1, 8, "Z[31:0] S[39:32] V[47:40] X[63:48]"},
    {0x40, "ASTC_2D_4X4", 4, 4, 16, ""},
    {0x41, "ASTC_2D_5X5", 5, 5, 16, ""},
    {0x42, "ASTC_2D_6X6", 6, 6, 16, ""},
    {0x44, "ASTC_2D_8X8", 8, 8, 16, ""},
    {0x45, "ASTC_2D_10X10", 10, 10, 16, ""},
    {0x46, "ASTC_2D_12X12", 12, 12, 16, ""},
    {0x50, "ASTC_2D_5X4", 5, 4, 16, ""},
    {0x51, "ASTC_2D_6X5", 6, 5, 16, ""},
    {0x52, "ASTC_2D_8X6", 8, 6, 16, ""},
    {0x53, "ASTC_2D_10X8", 10, 8, 16, ""},
    {0x54, "ASTC_2D_12X10", 12, 10, 16, ""},
    {0x55, "ASTC_2D_8X5", 8, 5, 16, ""},
    {0x56, "ASTC_2D_10X5", 10, 5, 16, ""},
    {0x57, "ASTC_2D_10X6", 10, 6, 16, ""},
};

START_TEST(every_row_of_the_list_has_code)
{
    for (size_t i = 0; i < ET_COUNT(facts); i++) {
        const struct fact *fact = &facts[i];
        const struct et_format *format = et_format_find(fact->sizes);
        unsigned accepted = 0;
        ck_assert_msg(format != NULL, "0x%02x %s", fact->sizes, fact->name);
        ck_assert_str_eq(format->name, fact->name);
        ck_assert_uint_eq(format->block_width, fact->sizes == 0x1f ? 8 : fact->width);
        ck_assert_uint_eq(format->block_height, fact->height);
        ck_assert_uint_eq(format->block_bytes, fact->bytes);
        for (uint8_t type = ET_TYPE_SNORM; type <= ET_TYPE_FLOAT; type++) {
            struct et_texel_format resolved;
            const uint8_t types[4] = {type, type, type, type};
            accepted += et_texel_format_resolve(&resolved, fact->sizes, types, false, NULL) == ETALON_OK;
        }
        ck_assert_msg(accepted > 0, "%s resolves with no type", fact->name);
    }
    for (unsigned i = 0; et_format_row(i); i++) { /* and nothing else has */
        bool listed = false;
        for (size_t k = 0; k < ET_COUNT(facts); k++)
            listed = listed || facts[k].sizes == et_format_row(i)->sizes;
        ck_assert_msg(listed, "%s", et_format_row(i)->name);
    }
}
END_TEST

/* The list's layout against the table: components in the order of their bits, unused X skipped. Depth formats
 * call them Z, S, V; E is the shared exponent. */
START_TEST(components_lie_where_the_list_says)
{
    for (size_t i = 0; i < ET_COUNT(facts); i++) {
        const struct et_format *format = et_format_find(facts[i].sizes);
        const char *at = facts[i].layout;
        unsigned component = 0, high, low;
        char letter;
        while (sscanf(at, " %c[%u:%u]", &letter, &high, &low) == 3) {
            at = strchr(at, ']') + 1;
            if (letter == 'X' || letter == 'E')
                continue;
            if (letter == 'Z')
                ck_assert_uint_eq(format->depth, component);
            ck_assert_msg(format->low[component] == low && format->width[component] == high - low + 1,
                          "%s component %u: bits %u..%u", facts[i].name, component, low, high);
            component++;
        }
        if (facts[i].layout[0])
            ck_assert_msg(component == 4 || format->width[component] == 0, "%s", facts[i].name);
    }
}
END_TEST

/* A plain component by definition. */
static double defined(uint32_t raw, unsigned width, unsigned type)
{
    const double most = (double)((UINT64_C(1) << width) - 1);
    const int64_t value = et_sign_extend(raw, width);
    switch (type) {
    case ET_TYPE_UNORM:
        if (width == 5) /* silicon repeats the bits to eight */
            return (raw << 3 | raw >> 2) / 255.0;
        if (width == 6)
            return (raw << 2 | raw >> 4) / 255.0;
        if (width == 24) /* silicon adds one unit in the last place */
            return raw ? raw / 16777216.0 + ldexp(1, -24 - (__builtin_clz(raw) - 8)) : 0;
        return raw / most;
    case ET_TYPE_SNORM:
        if (width == 8)
            return fmax((double)value, -127) / 127;
        if (width < 16) { /* rounded to sixteen bits */
            const double positive = width > 1 ? (double)((1 << (width - 1)) - 1) : 1;
            return rint(fmax((double)value, -positive) * 32767 / positive) / 32767;
        }
        if (width == 24) /* rounded to 32 bits */
            return rint(fmax((double)value, -8388607) * 2147483647 / 8388607) / 2147483647;
        return fmax((double)value / (double)((UINT64_C(1) << (width - 1)) - 1), -1);
    default:
        return NAN;
    }
}

START_TEST(plain_texels_decode_by_definition)
{
    uint64_t state = 1;
    for (unsigned row = 0; et_format_row(row); row++) {
        const struct et_format *format = et_format_row(row);
        if (format->kind != ET_KIND_PLAIN && format->kind != ET_KIND_DEPTH)
            continue;
        for (uint8_t type = ET_TYPE_SNORM; type <= ET_TYPE_UINT; type++) {
            const uint8_t types[4] = {type, type, type, type};
            struct et_texel_format resolved;
            ck_assert_int_eq(et_texel_format_resolve(&resolved, format->sizes, types, false, NULL),
                             ETALON_OK);
            for (unsigned round = 0; round < 400; round++) {
                uint32_t words[4];
                struct et_texel texel;
                const unsigned x = round % format->block_width;
                for (unsigned i = 0; i < 4; i++) {
                    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
                    words[i] = round == 0 ? 0 : round == 1 ? UINT32_MAX : (uint32_t)(state >> 32);
                }
                et_texel_read(&resolved, (const uint8_t *)words, x, &texel);
                for (unsigned c = 0; c < 4; c++) {
                    const unsigned width = format->width[c];
                    unsigned as = type;
                    if (!width)
                        continue;
                    if (format->kind == ET_KIND_DEPTH)
                        as = c != format->depth ? ET_TYPE_UINT : width == 32 ? ET_TYPE_FLOAT : ET_TYPE_UNORM;
                    const uint32_t raw = (uint32_t)et_bits_of_words(
                        words, format->low[c] + (format->block_width > 1 ? x : 0), width);
                    const uint32_t value =
                        et_texel_value((enum et_texel_class)resolved.klass[c], texel.code[c]);
                    const uint32_t expected = as == ET_TYPE_UINT || as == ET_TYPE_FLOAT ? raw
                                              : as == ET_TYPE_SINT
                                                  ? (uint32_t)et_sign_extend(raw, width)
                                                  : et_float_bits((float)defined(raw, width, as));
                    ck_assert_msg(value == expected || (et_float(value) == 0 && et_float(expected) == 0),
                                  "%s type %u component %u raw 0x%x: 0x%08x, not 0x%08x", format->name, as, c,
                                  raw, value, expected);
                }
            }
        }
    }
}
END_TEST

START_TEST(floats_decode_by_definition)
{
    struct et_texel_format half, single, small, shared;
    const uint8_t types[4] = {ET_TYPE_FLOAT, ET_TYPE_FLOAT, ET_TYPE_FLOAT, ET_TYPE_FLOAT};
    ck_assert_int_eq(et_texel_format_resolve(&half, 0x1b, types, false, NULL), ETALON_OK);
    ck_assert_int_eq(et_texel_format_resolve(&single, 0x0f, types, false, NULL), ETALON_OK);
    ck_assert_int_eq(et_texel_format_resolve(&small, 0x21, types, false, NULL), ETALON_OK);
    ck_assert_int_eq(et_texel_format_resolve(&shared, 0x20, types, false, NULL), ETALON_OK);
    for (uint32_t code = 0; code < 0x10000; code++) { /* every half */
        const int exponent = code >> 10 & 31, mantissa = code & 1023;
        const double magnitude = exponent ? ldexp(1024 + mantissa, exponent - 25) : ldexp(mantissa, -24);
        const float expected = (float)(code >> 15 ? -magnitude : magnitude);
        struct et_texel texel;
        et_texel_read(&half, (const uint8_t *)&code, 0, &texel);
        if (exponent < 31)
            ck_assert_uint_eq(et_texel_value(half.klass[0], texel.code[0]), et_float_bits(expected));
        else if (!mantissa)
            ck_assert_uint_eq(et_texel_value(half.klass[0], texel.code[0]),
                              code >> 15 ? 0xff800000 : 0x7f800000);
        if (exponent < 31 && code < 0x8000) { /* the same numbers with fewer bits */
            const uint32_t word = code >> 4 | code >> 4 << 11 | code >> 5 << 22;
            const int cut6 = mantissa >> 4, cut5 = mantissa >> 5;
            et_texel_read(&small, (const uint8_t *)&word, 0, &texel);
            ck_assert_float_eq(et_float(et_texel_value(small.klass[0], texel.code[0])),
                               (float)(exponent ? ldexp(64 + cut6, exponent - 21) : ldexp(cut6, -20)));
            ck_assert_float_eq(et_float(et_texel_value(small.klass[2], texel.code[2])),
                               (float)(exponent ? ldexp(32 + cut5, exponent - 20) : ldexp(cut5, -19)));
        }
    }
    for (uint32_t mantissa = 0; mantissa < 512; mantissa += 7)
        for (uint32_t exponent = 0; exponent < 32; exponent++) {
            const uint32_t word = mantissa | (511 - mantissa) << 9 | (mantissa ^ 85) << 18 | exponent << 27;
            struct et_texel texel;
            et_texel_read(&shared, (const uint8_t *)&word, 0, &texel);
            ck_assert_float_eq(et_float(et_texel_value(shared.klass[1], texel.code[1])),
                               ldexpf((float)(511 - mantissa), (int)exponent - 24));
            ck_assert_float_eq(et_float(et_texel_value(shared.klass[2], texel.code[2])),
                               ldexpf((float)(mantissa ^ 85), (int)exponent - 24));
        }
    for (uint32_t i = 0; i < 1000; i++) {
        const uint32_t bits = i * 4294967u;
        struct et_texel texel;
        et_texel_read(&single, (const uint8_t *)&bits, 0, &texel);
        ck_assert_uint_eq(et_texel_value(single.klass[0], texel.code[0]), bits);
    }
}
END_TEST

START_TEST(pairs_share_red_and_blue)
{
    struct et_texel_format format;
    struct et_texel texel;
    const uint8_t types[4] = {ET_TYPE_UNORM, ET_TYPE_UNORM, ET_TYPE_UNORM, ET_TYPE_UNORM},
                  bytes[4] = {10, 20, 30, 40};
    ck_assert_int_eq(et_texel_format_resolve(&format, 0x22, types, false, NULL), ETALON_OK); /* R G0 B G1 */
    for (unsigned x = 0; x < 2; x++) {
        et_texel_read(&format, bytes, x, &texel);
        ck_assert_int_eq(texel.code[0], 10);
        ck_assert_int_eq(texel.code[1], x ? 40 : 20);
        ck_assert_int_eq(texel.code[2], 30);
    }
    ck_assert_int_eq(et_texel_format_resolve(&format, 0x23, types, false, NULL), ETALON_OK); /* G0 R G1 B */
    for (unsigned x = 0; x < 2; x++) {
        et_texel_read(&format, bytes, x, &texel);
        ck_assert_int_eq(texel.code[0], 20);
        ck_assert_int_eq(texel.code[1], x ? 30 : 10);
        ck_assert_int_eq(texel.code[2], 40);
    }
}
END_TEST

/* Decoded texels of 4,096 pseudo-random blocks a format, as a hash. ETC2 and EAC agreed with Mesa 22.3's
 * decoder on such blocks, ASTC with astcenc 4.2's; BC formats are held to silicon by the replay, the hashes
 * keep them. */
static const struct {
    uint8_t sizes, type;
    bool srgb;
    uint64_t hash;
} compressed[] = {
    {0x24, 2, false, UINT64_C(0x51a05d5ba74d36a8)}, {0x25, 2, false, UINT64_C(0xa7f586957c6baba9)},
    {0x26, 2, false, UINT64_C(0x8e182dbf3fcf7daf)}, {0x27, 2, false, UINT64_C(0x3f49e1f140ade743)},
    {0x27, 1, false, UINT64_C(0x6d05ac2486e1e9a8)}, {0x28, 2, false, UINT64_C(0xd50b208c13320882)},
    {0x28, 1, false, UINT64_C(0xcbfec5130352974a)}, {0x10, 7, false, UINT64_C(0x72cb2520e2ea449f)},
    {0x11, 7, false, UINT64_C(0xb85fca4a55fd9cc7)}, {0x17, 2, false, UINT64_C(0x1e91f980d216e3b4)},
    {0x06, 2, false, UINT64_C(0x3c896062ec558d4d)}, {0x0a, 2, false, UINT64_C(0x5ff517ac341c42e8)},
    {0x0b, 2, false, UINT64_C(0x5fd9f8941377018c)}, {0x19, 2, false, UINT64_C(0xdcf2348babf087cd)},
    {0x19, 1, false, UINT64_C(0x4c017cae76eccd8b)}, {0x1a, 2, false, UINT64_C(0x6e9f6744bfac8205)},
    {0x1a, 1, false, UINT64_C(0xfd9679bba8ba7e56)}, {0x40, 2, false, UINT64_C(0x5e98ab8da30e84ac)},
    {0x40, 2, true, UINT64_C(0xd7604a4860e4fb64)},  {0x41, 2, false, UINT64_C(0x385c00461b6a9af4)},
    {0x41, 2, true, UINT64_C(0xf9982313bac64dd2)},  {0x42, 2, false, UINT64_C(0x46a61c6d4873bbe6)},
    {0x42, 2, true, UINT64_C(0xfd2939dcc2c18547)},  {0x44, 2, false, UINT64_C(0xddbd2f5cebca535d)},
    {0x44, 2, true, UINT64_C(0xb5b734c0693b12b3)},  {0x45, 2, false, UINT64_C(0x890c4a2c23df4e51)},
    {0x45, 2, true, UINT64_C(0x26e10996f7eea14a)},  {0x46, 2, false, UINT64_C(0x2c5bbff70bf6e69f)},
    {0x46, 2, true, UINT64_C(0x64132bfbfa534cf5)},  {0x50, 2, false, UINT64_C(0x996c0381bab13c8c)},
    {0x50, 2, true, UINT64_C(0xb5072ac2f416e824)},  {0x51, 2, false, UINT64_C(0x449949d727e4b541)},
    {0x51, 2, true, UINT64_C(0x9183c67a02c4fc67)},  {0x52, 2, false, UINT64_C(0x91f7531c7f045f65)},
    {0x52, 2, true, UINT64_C(0xdffe37c73657b141)},  {0x53, 2, false, UINT64_C(0x2b7d430587f6af98)},
    {0x53, 2, true, UINT64_C(0x2cd43d58cc9899ce)},  {0x54, 2, false, UINT64_C(0xbd2361ec637b3553)},
    {0x54, 2, true, UINT64_C(0x005739db1c6c7285)},  {0x55, 2, false, UINT64_C(0x1a965010ea8d711e)},
    {0x55, 2, true, UINT64_C(0x53acc5127f1abd18)},  {0x56, 2, false, UINT64_C(0xb6191b07fe6fcd00)},
    {0x56, 2, true, UINT64_C(0x98622f589c59d47d)},  {0x57, 2, false, UINT64_C(0x8c79ea10c7f51c03)},
    {0x57, 2, true, UINT64_C(0x1ce8f2a888340001)},
};

START_TEST(compressed_blocks_decode_as_before)
{
    const bool print = getenv("ETALON_TEXTURE_VERBOSE") != NULL;
    for (size_t i = 0; i < ET_COUNT(compressed); i++) {
        const uint8_t type = compressed[i].type, types[4] = {type, type, type, type};
        struct et_texel_format format;
        static struct et_texel texels[ET_BLOCK_TEXELS];
        uint64_t state = 7, hash = ET_FNV_BASIS;
        ck_assert_int_eq(
            et_texel_format_resolve(&format, compressed[i].sizes, types, compressed[i].srgb, NULL),
            ETALON_OK);
        const size_t count = (size_t)format.format->block_width * format.format->block_height;
        for (unsigned block = 0; block < 4096; block++) {
            uint32_t words[4];
            for (unsigned k = 0; k < 4; k++) {
                state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
                words[k] = (uint32_t)(state >> 32);
            }
            if (format.format->kind == ET_KIND_ASTC &&
                block & 1) /* one part, an LDR mode: else most are errors */
                words[0] = (words[0] & ~0x1f800u) | (block >> 1 & 15) << 13;
            et_texel_read_block(&format, (const uint8_t *)words, texels);
            hash = et_fnv(hash, texels, count * sizeof *texels);
        }
        if (print)
            printf("    {0x%02x, %u, %s, UINT64_C(0x%016llx)},\n", compressed[i].sizes, type,
                   compressed[i].srgb ? "true" : "false", (unsigned long long)hash);
        else
            ck_assert_msg(hash == compressed[i].hash, "%s type %u", format.format->name, type);
    }
}
END_TEST

/* Silicon's sRGB decoding: a code's value has at most seven significant bits. */
START_TEST(srgb_decodes_as_silicon)
{
    static const struct {
        uint8_t code;
        float value;
    } cases[] = {
        {0, 0},  {1, 20 * 0x1p-16f}, {10, 200 * 0x1p-16f}, {128, 14144 * 0x1p-16f}, {254, 65024 * 0x1p-16f},
        {255, 1}};
    for (size_t i = 0; i < ET_COUNT(cases); i++)
        ck_assert_float_eq(et_float(et_texel_value(ET_CLASS_SRGB, cases[i].code)), cases[i].value);
    for (int code = 0; code < 256; code++) {
        const double x = code / 255.0, exact = x <= 0.04045 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4);
        ck_assert(fabs(et_float(et_texel_value(ET_CLASS_SRGB, code)) - exact) < 3.8e-3);
    }
}
END_TEST

/* Stores round as colour outputs do; ties go down. */
START_TEST(stores_round_as_silicon)
{
    static const struct {
        float x;
        uint32_t unorm8, snorm8, unorm16, half;
    } cases[] = {
        {0.5f, 127, 63, 32767, 0x3800}, {1, 255, 127, 65535, 0x3c00},        {-0.5f, 0, 0xc1, 0, 0xb800},
        {0.3f, 76, 38, 19660, 0x34cc},  {1e6f, 255, 127, 65535, 0x7bff},     {-1e6f, 0, 0x81, 0, 0xfbff},
        {NAN, 0, 0, 0, 0x7e00},         {INFINITY, 255, 127, 65535, 0x7c00}, {0x1p-25f, 0, 0, 0, 0},
        {0x1.8p-24f, 0, 0, 0, 1},
    };
    for (size_t i = 0; i < ET_COUNT(cases); i++) {
        const uint32_t bits = et_float_bits(cases[i].x);
        ck_assert_msg(
            et_encode_unorm(bits, 8) == cases[i].unorm8 && et_encode_snorm(bits, 8) == cases[i].snorm8 &&
                et_encode_unorm(bits, 16) == cases[i].unorm16 && et_encode_half(bits) == cases[i].half,
            "%g: %u %x %u %x", (double)cases[i].x, et_encode_unorm(bits, 8), et_encode_snorm(bits, 8),
            et_encode_unorm(bits, 16), et_encode_half(bits));
    }
    ck_assert_uint_eq(et_encode_small_float(et_float_bits(1), 6), 0x3c0);
    ck_assert_uint_eq(et_encode_small_float(et_float_bits(-1), 6), 0);
    ck_assert_uint_eq(et_encode_small_float(et_float_bits(1e9f), 6), 0x7bf);
    ck_assert_uint_eq(et_encode_small_float(et_float_bits(INFINITY), 5), 0x3e0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("texture formats");
    TCase *tcase = tcase_create("formats");
    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, every_row_of_the_list_has_code);
    tcase_add_test(tcase, components_lie_where_the_list_says);
    tcase_add_test(tcase, plain_texels_decode_by_definition);
    tcase_add_test(tcase, floats_decode_by_definition);
    tcase_add_test(tcase, pairs_share_red_and_blue);
    tcase_add_test(tcase, compressed_blocks_decode_as_before);
    tcase_add_test(tcase, srgb_decodes_as_silicon);
    tcase_add_test(tcase, stores_round_as_silicon);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
