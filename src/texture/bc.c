/* BC1 to BC5. Interpolated values are silicon's own integers, not the ideal fractions. [HW:H200] */
#include "texture/compressed.h"

#include "base/bits.h"

/* The sixteen 3-bit indices behind two end bytes. */
static uint64_t three_bit_indices(const uint8_t *bytes)
{
    return et_load64(bytes) >> 16;
}

/* Colours of a BC1 block; four: the four-colour mode whatever the order of the ends. */
static void colour_block(const uint8_t *bytes, bool four, struct et_texel *texels)
{
    const int c0 = bytes[0] | bytes[1] << 8, c1 = bytes[2] | bytes[3] << 8;
    const int r0 = c0 >> 11, r1 = c1 >> 11, b0 = c0 & 31, b1 = c1 & 31;
    const int g0 = (c0 >> 5 & 63) << 2 | (c0 >> 9 & 3), g1 = (c1 >> 5 & 63) << 2 | (c1 >> 9 & 3), d = g1 - g0;
    const uint32_t indices = et_load32(bytes + 4);
    struct et_texel palette[4] = {{{r0 << 3 | r0 >> 2, g0, b0 << 3 | b0 >> 2, 255}},
                                  {{r1 << 3 | r1 >> 2, g1, b1 << 3 | b1 >> 2, 255}}};
    if (four || c0 > c1) {
        palette[2] = (struct et_texel){
            {(2 * r0 + r1) * 22 >> 3, (256 * g0 + d / 4 + 128 + d * 80) >> 8, (2 * b0 + b1) * 22 >> 3, 255}};
        palette[3] = (struct et_texel){
            {(2 * r1 + r0) * 22 >> 3, (256 * g1 - d / 4 + 128 - d * 80) >> 8, (2 * b1 + b0) * 22 >> 3, 255}};
    } else {
        palette[2] = (struct et_texel){
            {(r0 + r1) * 33 >> 3, (256 * g0 + d / 4 + 128 + d * 128) >> 8, (b0 + b1) * 33 >> 3, 255}};
    }
    for (unsigned i = 0; i < 16; i++)
        texels[i] = palette[indices >> (2 * i) & 3];
}

void et_bc1_block(const uint8_t *bytes, struct et_texel *texels)
{
    colour_block(bytes, false, texels);
}

void et_bc2_block(const uint8_t *bytes, struct et_texel *texels)
{
    const uint64_t alpha = et_load64(bytes);
    colour_block(bytes + 8, true, texels);
    for (unsigned i = 0; i < 16; i++)
        texels[i].code[3] = (int32_t)(alpha >> (4 * i) & 15) * 17;
}

void et_bc3_block(const uint8_t *bytes, struct et_texel *texels)
{
    static const int16_t weights[2][8] = {{0, 2048, 385, 770, 1278, 1663, 0, 0},
                                          {0, 2048, 289, 578, 892, 1156, 1470, 1759}};
    const uint64_t indices = three_bit_indices(bytes);
    const int a0 = bytes[0], a1 = bytes[1], eight = a0 > a1;
    colour_block(bytes + 8, true, texels);
    for (unsigned i = 0; i < 16; i++) {
        const unsigned index = indices >> (3 * i) & 7;
        if (!eight && index >= 6)
            texels[i].code[3] = index == 6 ? 0 : 255;
        else
            texels[i].code[3] = a0 + (((a1 - a0) * weights[eight][index] + 1024) >> 11);
    }
}

static int unsigned_component(int a0, int a1, unsigned index)
{
    static const int16_t weights[2][8] = {{0, 257, 48, 96, 161, 209, 0, 0},
                                          {0, 257, 36, 72, 113, 144, 185, 221}};
    const int eight = a0 > a1, weight = weights[eight][index];
    if (!eight && index >= 6)
        return index == 6 ? 0 : 65535;
    return a0 * (257 - weight) + a1 * weight;
}

/* One more away from zero when the end nearer to the texel is at least a half. */
static int signed_component(int a0, int a1, unsigned index)
{
    static const int16_t weights[2][8] = {{0, 258, 48, 96, 162, 210, 0, 0},
                                          {0, 258, 36, 72, 114, 144, 186, 222}};
    static const uint8_t far_end[2] = {0x32, 0xd2}; /* indices nearer to a1 */
    int nearer, eight, weight;
    a0 = ET_MAX(a0, -127);
    a1 = ET_MAX(a1, -127);
    eight = a0 > a1;
    weight = weights[eight][index];
    if (!eight && index >= 6)
        return index == 6 ? -32767 : 32767;
    nearer = far_end[eight] >> index & 1 ? a1 : a0;
    return a0 * (258 - weight) + a1 * weight + (nearer >= 64) - (nearer <= -64);
}

void et_bc4_block(const uint8_t *bytes, unsigned components, bool is_signed, struct et_texel *texels)
{
    for (unsigned i = 0; i < 16; i++)
        texels[i] = (struct et_texel){{0}};
    for (unsigned c = 0; c < components; c++, bytes += 8) {
        const uint64_t indices = three_bit_indices(bytes);
        for (unsigned i = 0; i < 16; i++) {
            const unsigned index = indices >> (3 * i) & 7;
            texels[i].code[c] = is_signed ? signed_component((int8_t)bytes[0], (int8_t)bytes[1], index)
                                          : unsigned_component(bytes[0], bytes[1], index);
        }
    }
}
