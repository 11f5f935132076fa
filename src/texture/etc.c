/* ETC2 and EAC, by the format's specification. [DOC: Khronos Data Format] Bits are numbered in a big-endian
 * block; texels run down columns. */
#include "texture/compressed.h"

#include "base/bits.h"

static int clamp255(int value)
{
    return value < 0 ? 0 : ET_MIN(value, 255);
}

static int wide4(int value)
{
    return value << 4 | value;
}

static int wide5(int value)
{
    return value << 3 | value >> 2;
}

static int wide6(int value)
{
    return value << 2 | value >> 4;
}

static int wide7(int value)
{
    return value << 1 | value >> 6;
}

/* The two-bit index of texel (x, y). */
static unsigned index_of(const uint8_t *bytes, unsigned x, unsigned y)
{
    const unsigned i = 4 * x + y, low = (unsigned)bytes[6] << 8 | bytes[7],
                   high = (unsigned)bytes[4] << 8 | bytes[5];
    return (high >> i & 1) << 1 | (low >> i & 1);
}

/* Paints by index: index 2 is transparent black when the block isn't opaque. */
static void paint(const uint8_t *bytes, const int colours[4][3], bool opaque, struct et_texel *texels)
{
    for (unsigned y = 0; y < 4; y++)
        for (unsigned x = 0; x < 4; x++) {
            const unsigned index = index_of(bytes, x, y);
            struct et_texel *texel = &texels[4 * y + x];
            *texel = (struct et_texel){{0}};
            if (!opaque && index == 2)
                continue;
            for (unsigned c = 0; c < 3; c++)
                texel->code[c] = clamp255(colours[index][c]);
            texel->code[3] = 255;
        }
}

static const uint8_t distances[8] = {3, 6, 11, 16, 23, 32, 41, 64};

static void t_mode(const uint8_t *b, bool opaque, struct et_texel *texels)
{
    const int first[3] = {wide4((b[0] >> 1 & 12) | (b[0] & 3)), wide4(b[1] >> 4), wide4(b[1] & 15)};
    const int second[3] = {wide4(b[2] >> 4), wide4(b[2] & 15), wide4(b[3] >> 4)};
    const int distance = distances[(b[3] >> 1 & 6) | (b[3] & 1)];
    int colours[4][3];
    for (unsigned c = 0; c < 3; c++) {
        colours[0][c] = first[c];
        colours[1][c] = second[c] + distance;
        colours[2][c] = second[c];
        colours[3][c] = second[c] - distance;
    }
    paint(b, colours, opaque, texels);
}

static void h_mode(const uint8_t *b, bool opaque, struct et_texel *texels)
{
    const int first[3] = {b[0] >> 3 & 15, (b[0] << 1 & 14) | (b[1] >> 4 & 1),
                          (b[1] & 8) | (b[1] << 1 & 6) | b[2] >> 7};
    const int second[3] = {b[2] >> 3 & 15, (b[2] << 1 & 14) | b[3] >> 7, b[3] >> 3 & 15};
    const bool falling =
        (first[0] << 8 | first[1] << 4 | first[2]) >= (second[0] << 8 | second[1] << 4 | second[2]);
    const int distance = distances[(b[3] & 4) | (b[3] << 1 & 2) | falling];
    int colours[4][3];
    for (unsigned c = 0; c < 3; c++) {
        colours[0][c] = wide4(first[c]) + distance;
        colours[1][c] = wide4(first[c]) - distance;
        colours[2][c] = wide4(second[c]) + distance;
        colours[3][c] = wide4(second[c]) - distance;
    }
    paint(b, colours, opaque, texels);
}

static void planar_mode(const uint8_t *b, struct et_texel *texels)
{
    const int origin[3] = {wide6(b[0] >> 1 & 63), wide7((b[0] << 6 & 64) | (b[1] >> 1 & 63)),
                           wide6((b[1] << 5 & 32) | (b[2] & 24) | (b[2] << 1 & 6) | b[3] >> 7)};
    const int across[3] = {wide6((b[3] >> 1 & 62) | (b[3] & 1)), wide7(b[4] >> 1),
                           wide6((b[4] << 5 & 32) | b[5] >> 3)};
    const int down[3] = {wide6((b[5] << 3 & 56) | b[6] >> 5), wide7((b[6] << 2 & 124) | b[7] >> 6),
                         wide6(b[7] & 63)};
    for (int y = 0; y < 4; y++)
        for (int x = 0; x < 4; x++) {
            for (unsigned c = 0; c < 3; c++)
                texels[4 * y + x].code[c] = clamp255(
                    (x * (across[c] - origin[c]) + y * (down[c] - origin[c]) + 4 * origin[c] + 2) >> 2);
            texels[4 * y + x].code[3] = 255;
        }
}

/* Two halves, each a base colour with a table of modifiers. */
static void halves(const uint8_t *b, const int bases[2][3], bool opaque, struct et_texel *texels)
{
    static const uint8_t modifiers[8][2] = {{2, 8},   {5, 17},  {9, 29},   {13, 42},
                                            {18, 60}, {24, 80}, {33, 106}, {47, 183}};
    const unsigned tables[2] = {b[3] >> 5, b[3] >> 2 & 7};
    const bool flip = b[3] & 1;
    for (unsigned y = 0; y < 4; y++)
        for (unsigned x = 0; x < 4; x++) {
            const unsigned half = (flip ? y : x) >> 1, index = index_of(b, x, y);
            struct et_texel *texel = &texels[4 * y + x];
            int modifier = modifiers[tables[half]][index & 1];
            *texel = (struct et_texel){{0}};
            if (!opaque && index == 2)
                continue;
            if (!opaque && index == 0)
                modifier = 0;
            if (index & 2)
                modifier = -modifier;
            for (unsigned c = 0; c < 3; c++)
                texel->code[c] = clamp255(bases[half][c] + modifier);
            texel->code[3] = 255;
        }
}

void et_etc2_block(const uint8_t *b, bool punch_through, struct et_texel *texels)
{
    const bool flag = b[3] & 2, differential = punch_through || flag, opaque = !punch_through || flag;
    int bases[2][3];
    if (!differential) {
        for (unsigned c = 0; c < 3; c++) {
            bases[0][c] = wide4(b[c] >> 4);
            bases[1][c] = wide4(b[c] & 15);
        }
        halves(b, bases, true, texels);
        return;
    }
    for (unsigned c = 0; c < 3; c++) {
        const int base = b[c] >> 3, other = base + (int)et_sign_extend(b[c] & 7, 3);
        if (other < 0 || other > 31) { /* the overflow names another mode */
            if (c == 0)
                t_mode(b, opaque, texels);
            else if (c == 1)
                h_mode(b, opaque, texels);
            else
                planar_mode(b, texels);
            return;
        }
        bases[0][c] = wide5(base);
        bases[1][c] = wide5(other);
    }
    halves(b, bases, opaque, texels);
}

static const int8_t eac_modifiers[16][8] = {
    {-3, -6, -9, -15, 2, 5, 8, 14}, {-3, -7, -10, -13, 2, 6, 9, 12}, {-2, -5, -8, -13, 1, 4, 7, 12},
    {-2, -4, -6, -13, 1, 3, 5, 12}, {-3, -6, -8, -12, 2, 5, 7, 11},  {-3, -7, -9, -11, 2, 6, 8, 10},
    {-4, -7, -8, -11, 3, 6, 7, 10}, {-3, -5, -8, -11, 2, 4, 7, 10},  {-2, -6, -8, -10, 1, 5, 7, 9},
    {-2, -5, -8, -10, 1, 4, 7, 9},  {-2, -4, -8, -10, 1, 3, 7, 9},   {-2, -5, -7, -10, 1, 4, 6, 9},
    {-3, -4, -7, -10, 2, 3, 6, 9},  {-1, -2, -3, -10, 0, 1, 2, 9},   {-4, -6, -8, -9, 3, 5, 7, 8},
    {-3, -5, -7, -9, 2, 4, 6, 8},
};

/* The modifier of texel (x, y) of an EAC block. */
static int eac_modifier(const uint8_t *b, unsigned x, unsigned y)
{
    uint64_t indices = 0;
    for (unsigned i = 2; i < 8; i++)
        indices = indices << 8 | b[i];
    return eac_modifiers[b[1] & 15][indices >> (45 - 3 * (4 * x + y)) & 7];
}

void et_etc2_alpha_block(const uint8_t *bytes, struct et_texel *texels)
{
    for (unsigned y = 0; y < 4; y++)
        for (unsigned x = 0; x < 4; x++)
            texels[4 * y + x].code[3] = clamp255(bytes[0] + eac_modifier(bytes, x, y) * (bytes[1] >> 4));
}

/* Eleven bits, widened to sixteen by repeating them. */
static int eac_component(const uint8_t *b, unsigned x, unsigned y, bool is_signed)
{
    const int scale = b[1] >> 4 ? (b[1] >> 4) * 8 : 1, modifier = eac_modifier(b, x, y) * scale;
    int value;
    if (!is_signed) {
        value = b[0] * 8 + 4 + modifier;
        value = value < 0 ? 0 : ET_MIN(value, 2047);
        return value << 5 | value >> 6;
    }
    value = ET_MAX((int8_t)b[0], -127) * 8 + modifier;
    value = ET_MAX(ET_MIN(value, 1023), -1023);
    return value < 0 ? -(-value << 5 | -value >> 5) : value << 5 | value >> 5;
}

void et_eac_block(const uint8_t *bytes, unsigned components, bool is_signed, struct et_texel *texels)
{
    memset(texels, 0, 16 * sizeof *texels);
    for (unsigned c = 0; c < components; c++, bytes += 8)
        for (unsigned y = 0; y < 4; y++)
            for (unsigned x = 0; x < 4; x++)
                texels[4 * y + x].code[c] = eac_component(bytes, x, y, is_signed);
}
