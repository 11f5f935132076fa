/* BC6H and BC7, by the format's specification. [DOC: BPTC] */
#include "texture/compressed.h"

#include "base/bits.h"

/* Subset of each texel, two bits a texel: of two subsets, of three. */
static const uint32_t partitions[2][64] = {
    {
        0x50505050, 0x40404040, 0x54545454, 0x54505040, 0x50404000, 0x55545450, 0x55545040, 0x54504000,
        0x50400000, 0x55555450, 0x55544000, 0x54400000, 0x55555440, 0x55550000, 0x55555500, 0x55000000,
        0x55150100, 0x00004054, 0x15010000, 0x00405054, 0x00004050, 0x15050100, 0x05010000, 0x40505054,
        0x00404050, 0x05010100, 0x14141414, 0x05141450, 0x01155440, 0x00555500, 0x15014054, 0x05414150,
        0x44444444, 0x55005500, 0x11441144, 0x05055050, 0x05500550, 0x11114444, 0x41144114, 0x44111144,
        0x15055054, 0x01055040, 0x05041050, 0x05455150, 0x14414114, 0x50050550, 0x41411414, 0x00141400,
        0x00041504, 0x00105410, 0x10541000, 0x04150400, 0x50410514, 0x41051450, 0x05415014, 0x14054150,
        0x41050514, 0x41505014, 0x40011554, 0x54150140, 0x50505500, 0x00555050, 0x15151010, 0x54540404,
    },
    {
        0xaa685050, 0x6a5a5040, 0x5a5a4200, 0x5450a0a8, 0xa5a50000, 0xa0a05050, 0x5555a0a0, 0x5a5a5050,
        0xaa550000, 0xaa555500, 0xaaaa5500, 0x90909090, 0x94949494, 0xa4a4a4a4, 0xa9a59450, 0x2a0a4250,
        0xa5945040, 0x0a425054, 0xa5a5a500, 0x55a0a0a0, 0xa8a85454, 0x6a6a4040, 0xa4a45000, 0x1a1a0500,
        0x0050a4a4, 0xaaa59090, 0x14696914, 0x69691400, 0xa08585a0, 0xaa821414, 0x50a4a450, 0x6a5a0200,
        0xa9a58000, 0x5090a0a8, 0xa8a09050, 0x24242424, 0x00aa5500, 0x24924924, 0x24499224, 0x50a50a50,
        0x500aa550, 0xaaaa4444, 0x66660000, 0xa5a0a5a0, 0x50a050a0, 0x69286928, 0x44aaaa44, 0x66666600,
        0xaa444444, 0x54a854a8, 0x95809580, 0x96969600, 0xa85454a8, 0x80959580, 0xaa141414, 0x96960000,
        0xaaaa1414, 0xa05050a0, 0xa0a5a5a0, 0x96000000, 0x40804080, 0xa9a8a9a8, 0xaaaaaa44, 0x2a4a5254,
    },
};

/* The texel whose index has a bit less: second subset of two; second and third of three. */
static const uint8_t anchors[3][64] = {
    {
        15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 2,  8, 2,  2, 8,
        8,  15, 2,  8,  2,  2,  8,  8,  2,  2,  15, 15, 6,  8,  2,  8,  15, 15, 2, 8,  2, 2,
        2,  15, 15, 6,  6,  2,  6,  8,  15, 15, 2,  2,  15, 15, 15, 15, 15, 2,  2, 15,
    },
    {
        3,  3,  15, 15, 8, 3,  15, 15, 8,  8,  6, 6,  6, 5,  3, 3,  3,  3,  8,  15, 3,  3,
        6,  10, 5,  8,  8, 6,  8,  5,  15, 15, 8, 15, 3, 5,  6, 10, 8,  15, 15, 3,  15, 5,
        15, 15, 15, 15, 3, 15, 5,  5,  5,  8,  5, 10, 5, 10, 8, 13, 15, 12, 3,  3,
    },
    {
        15, 8, 8, 3,  15, 15, 3,  8,  15, 15, 15, 15, 15, 15, 15, 8,  15, 8,  15, 3,  15, 8,
        15, 8, 3, 15, 6,  10, 15, 15, 10, 8,  15, 3,  15, 10, 10, 8,  9,  10, 6,  15, 8,  15,
        3,  6, 6, 8,  15, 3,  15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 3,  15, 15, 8,
    },
};

static const uint8_t interpolation[3][16] = {{0, 21, 43, 64},
                                             {0, 9, 18, 27, 37, 46, 55, 64},
                                             {0, 4, 9, 13, 17, 21, 26, 30, 34, 38, 43, 47, 51, 55, 60, 64}};

struct bits {
    uint64_t low, high;
};

static struct bits load_bits(const uint8_t *bytes)
{
    return (struct bits){et_load64(bytes), et_load64(bytes + 8)};
}

/* The next `count` (0..16) bits. */
static unsigned take(struct bits *bits, unsigned count)
{
    const unsigned value = (unsigned)(bits->low & ((1u << count) - 1));
    if (count) {
        bits->low = bits->low >> count | bits->high << (64 - count);
        bits->high >>= count;
    }
    return value;
}

static unsigned subset_of(unsigned subsets, unsigned partition, unsigned texel)
{
    return subsets == 1 ? 0 : partitions[subsets - 2][partition] >> (2 * texel) & 3;
}

static bool is_anchor(unsigned subsets, unsigned partition, unsigned texel)
{
    return texel == 0 || (subsets == 2 && texel == anchors[0][partition]) ||
           (subsets == 3 && (texel == anchors[1][partition] || texel == anchors[2][partition]));
}

static int blend(int a, int b, unsigned index_bits, unsigned index)
{
    const int weight = interpolation[index_bits - 2][index];
    return ((64 - weight) * a + weight * b + 32) >> 6;
}

struct bc7_mode {
    uint8_t subsets, partition_bits, rotation_bits, selection_bits, colour_bits, alpha_bits;
    bool own_parity, shared_parity; /* one more low bit, of each end or of a subset's two */
    uint8_t index_bits, second_bits;
};

static const struct bc7_mode bc7_modes[8] = {
    {3, 4, 0, 0, 4, 0, true, false, 3, 0},  {2, 6, 0, 0, 6, 0, false, true, 3, 0},
    {3, 6, 0, 0, 5, 0, false, false, 2, 0}, {2, 6, 0, 0, 7, 0, true, false, 2, 0},
    {1, 0, 2, 1, 5, 6, false, false, 2, 3}, {1, 0, 2, 0, 7, 8, false, false, 2, 2},
    {1, 0, 0, 0, 7, 7, true, false, 4, 0},  {2, 6, 0, 0, 5, 5, true, false, 2, 0},
};

/* Ends of all subsets as 8-bit codes. */
static void bc7_ends(struct bits *bits, const struct bc7_mode *mode, int ends[6][4])
{
    const unsigned count = 2 * mode->subsets, parity = mode->own_parity || mode->shared_parity;
    for (unsigned c = 0; c < 4; c++)
        for (unsigned e = 0; e < count; e++)
            ends[e][c] = c < 3 ? (int)take(bits, mode->colour_bits) : (int)take(bits, mode->alpha_bits);
    for (unsigned e = 0; e < count && parity; e++) {
        const int bit = mode->shared_parity && e & 1 ? ends[e - 1][0] & 1 : (int)take(bits, 1);
        for (unsigned c = 0; c < 4; c++)
            ends[e][c] = ends[e][c] << 1 | bit;
    }
    for (unsigned e = 0; e < count; e++)
        for (unsigned c = 0; c < 4; c++) {
            const unsigned width = (c < 3 ? mode->colour_bits : mode->alpha_bits) + parity;
            const int top = ends[e][c] << (8 - width);
            ends[e][c] = c == 3 && !mode->alpha_bits ? 255 : top | top >> width;
        }
}

void et_bc7_block(const uint8_t *bytes, struct et_texel *texels)
{
    struct bits bits = load_bits(bytes);
    unsigned number = 0, partition, rotation, selection, index[2][16];
    const struct bc7_mode *mode;
    int ends[6][4];
    while (number < 8 && !(bytes[0] >> number & 1))
        number++;
    if (number == 8) { /* reserved */
        memset(texels, 0, 16 * sizeof *texels);
        return;
    }
    mode = &bc7_modes[number];
    take(&bits, number + 1);
    partition = take(&bits, mode->partition_bits);
    rotation = take(&bits, mode->rotation_bits);
    selection = take(&bits, mode->selection_bits);
    bc7_ends(&bits, mode, ends);
    for (unsigned set = 0; set < (mode->second_bits ? 2 : 1); set++)
        for (unsigned i = 0; i < 16; i++)
            index[set][i] = take(&bits, (set ? mode->second_bits : mode->index_bits) -
                                            is_anchor(mode->subsets, partition, i));
    for (unsigned i = 0; i < 16; i++) {
        const unsigned subset = subset_of(mode->subsets, partition, i);
        for (unsigned c = 0; c < 4; c++) {
            const unsigned set = mode->second_bits ? (c < 3 ? selection : !selection) : 0;
            texels[i].code[c] = blend(ends[2 * subset][c], ends[2 * subset + 1][c],
                                      set ? mode->second_bits : mode->index_bits, index[set][i]);
        }
        if (rotation) {
            const int32_t swapped = texels[i].code[3];
            texels[i].code[3] = texels[i].code[rotation - 1];
            texels[i].code[rotation - 1] = swapped;
        }
    }
}

/* Fields in stream order: component, end (w x of the first subset, y z of the second), bits high:low
 * (low:high: reversed), in hexadecimal. Two-bit modes, then five-bit ones by (bits 4:2, bit 0). */
struct bc6_mode {
    bool deltas;
    uint8_t partition_bits, end_bits, index_bits, delta_bits[3];
    const char *fields;
};

static const struct bc6_mode bc6_modes[18] = {
    {1,
     5,
     10,
     3,
     {5, 5, 5},
     "gy4 by4 bz4 rw9:0 gw9:0 bw9:0 rx4:0 gz4 gy3:0 gx4:0 bz0 gz3:0 bx4:0 bz1 by3:0 ry4:0 bz2 rz4:0 bz3"},
    {1,
     5,
     7,
     3,
     {6, 6, 6},
     "gy5 gz4 gz5 rw6:0 bz0 bz1 by4 gw6:0 by5 bz2 gy4 bw6:0 bz3 bz5 bz4 rx5:0 gy3:0 gx5:0 gz3:0 bx5:0 by3:0 "
     "ry5:0 rz5:0"},
    {1,
     5,
     11,
     3,
     {5, 4, 4},
     "rw9:0 gw9:0 bw9:0 rx4:0 rwa gy3:0 gx3:0 gwa bz0 gz3:0 bx3:0 bwa bz1 by3:0 ry4:0 bz2 rz4:0 bz3"},
    {0, 0, 10, 4, {10, 10, 10}, "rw9:0 gw9:0 bw9:0 rx9:0 gx9:0 bx9:0"},
    {1,
     5,
     11,
     3,
     {4, 5, 4},
     "rw9:0 gw9:0 bw9:0 rx3:0 rwa gz4 gy3:0 gx4:0 gwa gz3:0 bx3:0 bwa bz1 by3:0 ry3:0 bz0 bz2 rz3:0 gy4 bz3"},
    {1, 0, 11, 4, {9, 9, 9}, "rw9:0 gw9:0 bw9:0 rx8:0 rwa gx8:0 gwa bx8:0 bwa"},
    {1,
     5,
     11,
     3,
     {4, 4, 5},
     "rw9:0 gw9:0 bw9:0 rx3:0 rwa by4 gy3:0 gx3:0 gwa bz0 gz3:0 bx4:0 bwa by3:0 ry3:0 bz1 bz2 rz3:0 bz4 bz3"},
    {1, 0, 12, 4, {8, 8, 8}, "rw9:0 gw9:0 bw9:0 rx7:0 rwa:b gx7:0 gwa:b bx7:0 bwa:b"},
    {1,
     5,
     9,
     3,
     {5, 5, 5},
     "rw8:0 by4 gw8:0 gy4 bw8:0 bz4 rx4:0 gz4 gy3:0 gx4:0 bz0 gz3:0 bx4:0 bz1 by3:0 ry4:0 bz2 rz4:0 bz3"},
    {1, 0, 16, 4, {4, 4, 4}, "rw9:0 gw9:0 bw9:0 rx3:0 rwa:f gx3:0 gwa:f bx3:0 bwa:f"},
    {1,
     5,
     8,
     3,
     {6, 5, 5},
     "rw7:0 gz4 by4 gw7:0 bz2 gy4 bw7:0 bz3 bz4 rx5:0 gy3:0 gx4:0 bz0 gz3:0 bx4:0 bz1 by3:0 ry5:0 rz5:0"},
    {0, 0, 0, 0, {0}, ""},
    {1,
     5,
     8,
     3,
     {5, 6, 5},
     "rw7:0 bz0 by4 gw7:0 gy5 gy4 bw7:0 gz5 bz4 rx4:0 gz4 gy3:0 gx5:0 gz3:0 bx4:0 bz1 by3:0 ry4:0 bz2 rz4:0 "
     "bz3"},
    {0, 0, 0, 0, {0}, ""},
    {1,
     5,
     8,
     3,
     {5, 5, 6},
     "rw7:0 bz1 by4 gw7:0 by5 gy4 bw7:0 bz5 bz4 rx4:0 gz4 gy3:0 gx4:0 bz0 gz3:0 bx5:0 by3:0 ry4:0 bz2 rz4:0 "
     "bz3"},
    {0, 0, 0, 0, {0}, ""},
    {0,
     5,
     6,
     3,
     {6, 6, 6},
     "rw5:0 gz4 bz0 bz1 by4 gw5:0 gy5 by5 bz2 gy4 bw5:0 gz5 bz3 bz5 bz4 rx5:0 gy3:0 gx5:0 gz3:0 bx5:0 by3:0 "
     "ry5:0 rz5:0"},
    {0, 0, 0, 0, {0}, ""},
};

static int hex(char digit)
{
    return digit <= '9' ? digit - '0' : digit - 'a' + 10;
}

static void bc6_fields(struct bits *bits, const char *field, int ends[4][3])
{
    while (*field) {
        const unsigned c = field[0] == 'r' ? 0 : field[0] == 'g' ? 1 : 2;
        int *end = &ends[field[1] - 'w'][c];
        const int first = hex(field[2]), last = field[3] == ':' ? hex(field[4]) : first;
        field += field[3] == ':' ? 5 : 3;
        field += *field == ' ';
        if (first >= last)
            *end |= (int)take(bits, (unsigned)(first - last + 1)) << last;
        else
            for (int bit = last; bit >= first; bit--)
                *end |= (int)take(bits, 1) << bit;
    }
}

static int unquantize(int value, int width, bool is_signed)
{
    const int magnitude = value < 0 ? -value : value;
    int wide;
    if (!is_signed) {
        if (width >= 15 || !value)
            return value;
        return value == (1 << width) - 1 ? 0xffff : ((value << 15) + 0x4000) >> (width - 1);
    }
    if (width >= 16 || !value)
        return value;
    wide = magnitude >= (1 << (width - 1)) - 1 ? 0x7fff : ((magnitude << 15) + 0x4000) >> (width - 1);
    return value < 0 ? -wide : wide;
}

static int finish_half(int value, bool is_signed)
{
    if (!is_signed)
        return value * 31 / 64;
    return value < 0 ? (-value * 31 / 32) | 0x8000 : value * 31 / 32;
}

void et_bc6_block(const uint8_t *bytes, bool is_signed, struct et_texel *texels)
{
    struct bits bits = load_bits(bytes);
    const bool wide = bytes[0] & 2;
    const struct bc6_mode *mode =
        &bc6_modes[wide ? ((bytes[0] >> 1 & 0xe) | (bytes[0] & 1)) + 2 : bytes[0] & 3];
    int ends[4][3] = {{0}};
    unsigned subsets, partition;
    memset(texels, 0, 16 * sizeof *texels);
    if (!mode->end_bits) /* reserved: black */
        return;
    take(&bits, wide ? 5 : 2);
    bc6_fields(&bits, mode->fields, ends);
    subsets = mode->partition_bits ? 2 : 1;
    partition = take(&bits, mode->partition_bits);
    for (unsigned c = 0; c < 3; c++) {
        const int width = mode->end_bits, base = ends[0][c];
        for (unsigned e = 0; e < 2 * subsets; e++) {
            int value = ends[e][c];
            if (e && mode->deltas)
                value =
                    (base + (int)et_sign_extend((uint64_t)value, mode->delta_bits[c])) & ((1 << width) - 1);
            if (is_signed)
                value = (int)et_sign_extend((uint64_t)value, (unsigned)width);
            ends[e][c] = unquantize(value, width, is_signed);
        }
    }
    for (unsigned i = 0; i < 16; i++) {
        const unsigned subset = subset_of(subsets, partition, i);
        const unsigned index = take(&bits, mode->index_bits - is_anchor(subsets, partition, i));
        for (unsigned c = 0; c < 3; c++)
            texels[i].code[c] = finish_half(
                blend(ends[2 * subset][c], ends[2 * subset + 1][c], mode->index_bits, index), is_signed);
    }
}
