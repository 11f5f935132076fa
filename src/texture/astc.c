/* ASTC 2D, LDR profile, by the format's specification. [DOC: Khronos Data Format] What the profile calls an
 * error is opaque magenta. */
#include "texture/compressed.h"

#include "base/bits.h"

#define MOST_WEIGHTS 64
#define MOST_COLOURS 18

struct block {
    uint64_t low, high;
    unsigned width, height; /* texels */
};

/* `count` (0..32) bits from bit `at`; bits past 127 are 0. */
static uint32_t get(const struct block *block, unsigned at, unsigned count)
{
    uint64_t value;
    if (at >= 128 || !count)
        return 0;
    value = at >= 64 ? block->high >> (at - 64) : block->low >> at | (at ? block->high << (64 - at) : 0);
    return (uint32_t)(value & ((UINT64_C(1) << count) - 1));
}

static uint64_t reverse(uint64_t value)
{
    uint64_t reversed = 0;
    for (unsigned i = 0; i < 64; i++)
        reversed |= (value >> i & 1) << (63 - i);
    return reversed;
}

/* Quantisation levels: bits, and a trit or a quint. */
struct range {
    uint16_t levels;
    uint8_t bits;
    bool trit, quint;
};

static const struct range ranges[] = {
    {2, 1, false, false},   {3, 0, true, false},    {4, 2, false, false},  {5, 0, false, true},
    {6, 1, true, false},    {8, 3, false, false},   {10, 1, false, true},  {12, 2, true, false},
    {16, 4, false, false},  {20, 2, false, true},   {24, 3, true, false},  {32, 5, false, false},
    {40, 3, false, true},   {48, 4, true, false},   {64, 6, false, false}, {80, 4, false, true},
    {96, 5, true, false},   {128, 7, false, false}, {160, 5, false, true}, {192, 6, true, false},
    {256, 8, false, false},
};

static unsigned sequence_bits(const struct range *range, unsigned count)
{
    return count * range->bits + (range->trit ? (8 * count + 4) / 5 : 0) +
           (range->quint ? (7 * count + 2) / 3 : 0);
}

static void split_trits(unsigned t, uint8_t out[5])
{
    unsigned c;
    if ((t >> 2 & 7) == 7) {
        c = (t >> 5 & 7) << 2 | (t & 3);
        out[4] = out[3] = 2;
    } else {
        c = t & 31;
        out[4] = (t >> 5 & 3) == 3 ? 2 : t >> 7 & 1;
        out[3] = (t >> 5 & 3) == 3 ? t >> 7 & 1 : t >> 5 & 3;
    }
    if ((c & 3) == 3) {
        out[2] = 2;
        out[1] = c >> 4 & 1;
        out[0] = (uint8_t)((c >> 3 & 1) << 1 | ((c >> 2 & 1) & ~(c >> 3 & 1)));
    } else if ((c >> 2 & 3) == 3) {
        out[2] = out[1] = 2;
        out[0] = c & 3;
    } else {
        out[2] = c >> 4 & 1;
        out[1] = c >> 2 & 3;
        out[0] = (uint8_t)((c >> 1 & 1) << 1 | ((c & 1) & ~(c >> 1 & 1)));
    }
}

static void split_quints(unsigned q, uint8_t out[3])
{
    unsigned c;
    if ((q >> 1 & 3) == 3 && (q >> 5 & 3) == 0) {
        out[2] = (uint8_t)((q & 1) << 2 | ((q >> 4 & 1) & ~(q & 1)) << 1 | ((q >> 3 & 1) & ~(q & 1)));
        out[1] = out[0] = 4;
        return;
    }
    if ((q >> 1 & 3) == 3) {
        out[2] = 4;
        c = (q >> 3 & 3) << 3 | (~(q >> 5) & 3) << 1 | (q & 1);
    } else {
        out[2] = q >> 5 & 3;
        c = q & 31;
    }
    out[1] = (c & 7) == 5 ? 4 : c >> 3 & 3;
    out[0] = (c & 7) == 5 ? c >> 3 & 3 : c & 7;
}

/* A sequence's values: the digit above its bits. Values past the sequence's end read as zero bits. */
static void read_sequence(const struct block *block, unsigned at, const struct range *range, unsigned count,
                          uint8_t *digits, uint8_t *bits)
{
    static const uint8_t trit_parts[5] = {2, 2, 1, 2, 1}, quint_parts[3] = {3, 2, 2};
    const unsigned end = at + sequence_bits(range, count), group = range->trit ? 5 : range->quint ? 3 : 1;
    const uint8_t *parts = range->trit ? trit_parts : quint_parts;
    for (unsigned i = 0; i < count; i += group) {
        unsigned packed = 0, shift = 0;
        uint8_t split[5] = {0};
        for (unsigned k = 0; k < group; k++) {
            const unsigned room = at < end ? end - at : 0;
            const unsigned value = get(block, at, ET_MIN(range->bits, room));
            at += range->bits;
            if (i + k < count)
                bits[i + k] = (uint8_t)value;
            if (group > 1) {
                const unsigned left = at < end ? end - at : 0;
                packed |= get(block, at, ET_MIN(parts[k], left)) << shift;
                at += parts[k];
                shift += parts[k];
            }
        }
        if (range->trit)
            split_trits(packed, split);
        else if (range->quint)
            split_quints(packed, split);
        for (unsigned k = 0; k < group && i + k < count; k++)
            digits[i + k] = split[k];
    }
}

static unsigned repeat(unsigned value, unsigned bits, unsigned to)
{
    unsigned wide = 0;
    int shift = (int)to - (int)bits;
    for (; shift > -(int)bits; shift -= (int)bits)
        wide |= shift >= 0 ? value << shift : value >> -shift;
    return wide;
}

/* Where the bits above the lowest go, from the most significant place: letters b.. name bits 1.., 0 a zero.
 */
static unsigned spread(const char *places, unsigned bits)
{
    unsigned value = 0;
    for (; *places; places++)
        value = value << 1 | (*places == '0' ? 0 : bits >> (*places - 'a') & 1);
    return value;
}

static unsigned unquantize_colour(const struct range *range, unsigned digit, unsigned bits)
{
    static const char *const trits[] = {"",          "",          "b000b0bb0", "cb000cbcb",
                                        "dcb000dcb", "edcb000ed", "fedcb000f"};
    static const char *const quints[] = {"", "", "b0000bb00", "cb0000cbc", "dcb0000dc", "edcb0000e"};
    static const uint8_t trit_scale[] = {0, 204, 93, 44, 22, 11, 5}, quint_scale[] = {0, 113, 54, 26, 13, 6};
    const unsigned a = bits & 1 ? 0x1ff : 0;
    unsigned value;
    if (!range->trit && !range->quint)
        return repeat(bits, range->bits, 8);
    value = digit * (range->trit ? trit_scale : quint_scale)[range->bits] +
            spread((range->trit ? trits : quints)[range->bits], bits);
    return (a & 0x80) | (value ^ a) >> 2;
}

static unsigned unquantize_weight(const struct range *range, unsigned digit, unsigned bits)
{
    static const char *const trits[] = {"", "", "b000b0b", "cb000cb"}, *const quints[] = {"", "", "b0000b0"};
    static const uint8_t trit_scale[] = {0, 50, 23, 11}, quint_scale[] = {0, 28, 13};
    static const uint8_t thirds[] = {0, 32, 63}, fifths[] = {0, 16, 32, 47, 63};
    unsigned value;
    if (!range->trit && !range->quint) {
        value = repeat(bits, range->bits, 6);
    } else if (!range->bits) {
        value = range->trit ? thirds[digit] : fifths[digit];
    } else {
        const unsigned a = bits & 1 ? 0x7f : 0;
        value = digit * (range->trit ? trit_scale : quint_scale)[range->bits] +
                spread((range->trit ? trits : quints)[range->bits], bits);
        value = (a & 0x20) | (value ^ a) >> 2;
    }
    return value > 32 ? value + 1 : value;
}

struct mode {
    unsigned width, height; /* of the weight grid */
    bool dual;
    const struct range *range;
    unsigned weights, weight_bits;
};

/* False for reserved modes and grids that don't fit. */
static bool decode_mode(const struct block *block, struct mode *mode)
{
    const unsigned bits = get(block, 0, 11), a = bits >> 5 & 3, b = bits >> 7 & 3;
    bool high = bits >> 9 & 1;
    unsigned r;
    mode->dual = bits >> 10 & 1;
    if (bits & 3) {
        r = (bits >> 4 & 1) | (bits & 3) << 1;
        switch (bits >> 2 & 3) {
        case 0:
            mode->width = b + 4, mode->height = a + 2;
            break;
        case 1:
            mode->width = b + 8, mode->height = a + 2;
            break;
        case 2:
            mode->width = a + 2, mode->height = b + 8;
            break;
        default:
            mode->width = b & 2 ? (b & 1) + 2 : a + 2;
            mode->height = b & 2 ? a + 2 : (b & 1) + 6;
            break;
        }
    } else {
        r = (bits >> 4 & 1) | (bits >> 2 & 3) << 1;
        if (b == 0)
            mode->width = 12, mode->height = a + 2;
        else if (b == 1)
            mode->width = a + 2, mode->height = 12;
        else if (b == 2) {
            mode->width = a + 6, mode->height = (bits >> 9 & 3) + 6;
            mode->dual = high = false;
        } else if (a < 2)
            mode->width = a ? 10 : 6, mode->height = a ? 6 : 10;
        else
            return false;
    }
    if (r < 2)
        return false;
    mode->range = &ranges[r - 2 + (high ? 6 : 0)];
    mode->weights = mode->width * mode->height * (mode->dual ? 2 : 1);
    if (mode->weights > MOST_WEIGHTS || mode->width > block->width || mode->height > block->height)
        return false;
    mode->weight_bits = sequence_bits(mode->range, mode->weights);
    return mode->weight_bits >= 24 && mode->weight_bits <= 96;
}

static uint32_t hash(uint32_t p)
{
    p ^= p >> 15;
    p -= p << 17;
    p += p << 7;
    p += p << 4;
    p ^= p >> 5;
    p += p << 16;
    p ^= p >> 7;
    p ^= p >> 3;
    p ^= p << 6;
    p ^= p >> 17;
    return p;
}

static unsigned partition_of(const struct block *block, unsigned seed, unsigned count, unsigned x, unsigned y)
{
    static const uint8_t from[8] = {0, 4, 8, 12, 16, 20, 24, 28};
    const uint32_t random = hash(seed + (count - 1) * 1024);
    const unsigned by_seed = seed & 2 ? 4 : 5, by_count = count == 3 ? 6 : 5;
    const unsigned shift[2] = {seed & 1 ? by_seed : by_count, seed & 1 ? by_count : by_seed};
    unsigned s[8], sum[4], best = 0;
    if (count == 1)
        return 0;
    if (block->width * block->height < 31) {
        x *= 2;
        y *= 2;
    }
    for (unsigned i = 0; i < 8; i++) {
        s[i] = random >> from[i] & 15;
        s[i] = s[i] * s[i] >> shift[i & 1];
    }
    for (unsigned i = 0; i < 4; i++)
        sum[i] = i < count ? (s[2 * i] * x + s[2 * i + 1] * y + (random >> (14 - 4 * i))) & 63 : 0;
    for (unsigned i = 1; i < 4; i++)
        if (sum[i] > sum[best])
            best = i;
    return best;
}

static int clamp255(int value)
{
    return value < 0 ? 0 : ET_MIN(value, 255);
}

/* Moves the sign bit of an offset: base gains a bit, the offset becomes six signed bits. */
static void transfer(int *offset, int *base)
{
    *base = *base >> 1 | (*offset & 0x80);
    *offset = *offset >> 1 & 0x3f;
    if (*offset & 0x20)
        *offset -= 0x40;
}

static void set_end(int end[4], int r, int g, int b, int a)
{
    end[0] = clamp255(r);
    end[1] = clamp255(g);
    end[2] = clamp255(b);
    end[3] = clamp255(a);
}

static void contract(int end[4], int r, int g, int b, int a)
{
    set_end(end, (r + b) >> 1, (g + b) >> 1, b, a);
}

/* The two ends of an endpoint mode; false for HDR modes. */
static bool decode_ends(unsigned mode, const uint8_t *values, int ends[2][4])
{
    int v[8];
    for (unsigned i = 0; i < 2 * (mode >> 2) + 2; i++)
        v[i] = values[i];
    switch (mode) {
    case 0: /* luminance */
        set_end(ends[0], v[0], v[0], v[0], 255);
        set_end(ends[1], v[1], v[1], v[1], 255);
        return true;
    case 1: { /* luminance and offset */
        const int low = v[0] >> 2 | (v[1] & 0xc0), high = low + (v[1] & 0x3f);
        set_end(ends[0], low, low, low, 255);
        set_end(ends[1], high, high, high, 255);
        return true;
    }
    case 4: /* luminance, alpha */
        set_end(ends[0], v[0], v[0], v[0], v[2]);
        set_end(ends[1], v[1], v[1], v[1], v[3]);
        return true;
    case 5: /* the same with offsets */
        transfer(&v[1], &v[0]);
        transfer(&v[3], &v[2]);
        set_end(ends[0], v[0], v[0], v[0], v[2]);
        set_end(ends[1], v[0] + v[1], v[0] + v[1], v[0] + v[1], v[2] + v[3]);
        return true;
    case 6: /* colour and scale */
    case 10:
        set_end(ends[0], v[0] * v[3] >> 8, v[1] * v[3] >> 8, v[2] * v[3] >> 8, mode == 10 ? v[4] : 255);
        set_end(ends[1], v[0], v[1], v[2], mode == 10 ? v[5] : 255);
        return true;
    case 8: /* colour */
    case 12: {
        const int a0 = mode == 12 ? v[6] : 255, a1 = mode == 12 ? v[7] : 255;
        if (v[1] + v[3] + v[5] >= v[0] + v[2] + v[4]) {
            set_end(ends[0], v[0], v[2], v[4], a0);
            set_end(ends[1], v[1], v[3], v[5], a1);
        } else {
            contract(ends[0], v[1], v[3], v[5], a1);
            contract(ends[1], v[0], v[2], v[4], a0);
        }
        return true;
    }
    case 9: /* the same with offsets */
    case 13: {
        int a0 = 255, a1 = 255;
        for (unsigned i = 0; i < 6; i += 2)
            transfer(&v[i + 1], &v[i]);
        if (mode == 13) {
            transfer(&v[7], &v[6]);
            a0 = v[6];
            a1 = v[6] + v[7];
        }
        if (v[1] + v[3] + v[5] >= 0) {
            set_end(ends[0], v[0], v[2], v[4], a0);
            set_end(ends[1], v[0] + v[1], v[2] + v[3], v[4] + v[5], a1);
        } else {
            contract(ends[0], v[0] + v[1], v[2] + v[3], v[4] + v[5], a1);
            contract(ends[1], v[0], v[2], v[4], a0);
        }
        return true;
    }
    default:
        return false;
    }
}

/* Sixteen bits to the result: 8-bit codes for sRGB colour, else a half of value / 65536 toward zero, 65535
 * being 1.
 */
static int32_t finish(unsigned value, bool srgb)
{
    unsigned top;
    if (srgb)
        return (int32_t)(value >> 8);
    if (value == 65535)
        return 0x3c00;
    if (value < 4)
        return (int32_t)(value << 8); /* a denormal */
    top = 31 - (unsigned)__builtin_clz(value);
    return (int32_t)((top - 1) << 10 | ((top >= 10 ? value >> (top - 10) : value << (10 - top)) & 0x3ff));
}

static void fill(struct et_texel *texels, unsigned count, const int32_t code[4])
{
    for (unsigned i = 0; i < count; i++)
        memcpy(texels[i].code, code, sizeof texels[i].code);
}

static void fill_error(bool srgb, unsigned count, struct et_texel *texels)
{
    const int32_t one = finish(65535, srgb), code[4] = {one, 0, one, finish(65535, false)};
    fill(texels, count, code);
}

/* One colour for the whole block; false for HDR colours and extents that are no rectangle. */
static bool void_extent(const struct block *block, bool srgb, struct et_texel *texels)
{
    int32_t code[4];
    unsigned extent[4];
    bool all = true;
    if (get(block, 9, 1) || get(block, 10, 2) != 3)
        return false;
    for (unsigned i = 0; i < 4; i++) {
        extent[i] = get(block, 12 + 13 * i, 13);
        all = all && extent[i] == 0x1fff;
        code[i] = finish(get(block, 64 + 16 * i, 16), srgb && i < 3);
    }
    if (!all && (extent[0] >= extent[1] || extent[2] >= extent[3]))
        return false;
    fill(texels, block->width * block->height, code);
    return true;
}

struct colours {
    unsigned parts, seed;
    unsigned mode[4];
    bool hdr[4]; /* its texels are errors */
    int ends[4][2][4];
};

/* Endpoint modes and ends; *below: the lowest bit that weights and extra mode bits use. False for errors. */
static bool read_colours(const struct block *block, const struct mode *mode, struct colours *colours,
                         unsigned *below)
{
    unsigned at = 17, values = 0, extra = 0, used = 0;
    uint8_t digits[MOST_COLOURS] = {0}, bits[MOST_COLOURS] = {0}, unquantized[MOST_COLOURS];
    const struct range *range = NULL;
    colours->parts = get(block, 11, 2) + 1;
    colours->seed = get(block, 13, 10);
    *below = 128 - mode->weight_bits;
    if (colours->parts == 1) {
        colours->mode[0] = get(block, 13, 4);
    } else {
        const unsigned selector = get(block, 23, 2);
        unsigned packed = get(block, 25, 4);
        at = 29;
        if (selector) {
            extra = 3 * colours->parts - 4;
            *below -= extra;
            packed |= get(block, *below, extra) << 4;
        }
        for (unsigned i = 0; i < colours->parts; i++)
            colours->mode[i] = !selector ? packed
                                         : (selector - 1 + (packed >> i & 1)) << 2 |
                                               (packed >> (colours->parts + 2 * i) & 3);
    }
    if (mode->dual)
        *below -= 2;
    for (unsigned i = 0; i < colours->parts; i++)
        values += 2 * (colours->mode[i] >> 2) + 2;
    if (values > MOST_COLOURS || *below < at)
        return false;
    for (unsigned i = ET_COUNT(ranges); i-- > 4 && !range;)
        if (sequence_bits(&ranges[i], values) <= *below - at)
            range = &ranges[i];
    if (!range)
        return false;
    read_sequence(block, at, range, values, digits, bits);
    for (unsigned i = 0; i < values; i++)
        unquantized[i] = (uint8_t)unquantize_colour(range, digits[i], bits[i]);
    for (unsigned i = 0; i < colours->parts; i++) {
        colours->hdr[i] = !decode_ends(colours->mode[i], unquantized + used, colours->ends[i]);
        used += 2 * (colours->mode[i] >> 2) + 2;
    }
    return true;
}

/* The weight of a texel, from the grid by its own bilinear rule. */
static unsigned infill(const struct block *block, const struct mode *mode, const uint8_t *grid,
                       unsigned planes, unsigned plane, unsigned x, unsigned y)
{
    const unsigned ds = (1024 + block->width / 2) / (block->width - 1);
    const unsigned dt = (1024 + block->height / 2) / (block->height - 1);
    const unsigned gs = (ds * x * (mode->width - 1) + 32) >> 6, gt = (dt * y * (mode->height - 1) + 32) >> 6;
    const unsigned fs = gs & 15, ft = gt & 15, at = (gs >> 4) + (gt >> 4) * mode->width;
    const unsigned w11 = (fs * ft + 8) >> 4, w[4] = {16 - fs - ft + w11, fs - w11, ft - w11, w11};
    const unsigned index[4] = {at, at + 1, at + mode->width, at + mode->width + 1};
    unsigned sum = 8;
    for (unsigned i = 0; i < 4; i++)
        if (w[i])
            sum += w[i] * grid[index[i] * planes + plane];
    return sum >> 4;
}

void et_astc_block(const uint8_t *bytes, unsigned width, unsigned height, bool srgb, struct et_texel *texels)
{
    const struct block block = {et_load64(bytes), et_load64(bytes + 8), width, height};
    const struct block reversed = {reverse(block.high), reverse(block.low), width, height};
    uint8_t digits[MOST_WEIGHTS] = {0}, bits[MOST_WEIGHTS] = {0};
    struct mode mode;
    struct colours colours;
    unsigned below, planes, selected;
    if (get(&block, 0, 9) == 0x1fc) {
        if (!void_extent(&block, srgb, texels))
            fill_error(srgb, width * height, texels);
        return;
    }
    if (!decode_mode(&block, &mode) || !read_colours(&block, &mode, &colours, &below) ||
        (mode.dual && colours.parts == 4)) {
        fill_error(srgb, width * height, texels);
        return;
    }
    planes = mode.dual ? 2 : 1;
    selected = mode.dual ? get(&block, below, 2) : 4;
    read_sequence(&reversed, 0, mode.range, mode.weights, digits, bits);
    for (unsigned i = 0; i < mode.weights; i++)
        digits[i] = (uint8_t)unquantize_weight(mode.range, digits[i], bits[i]);
    for (unsigned y = 0; y < height; y++)
        for (unsigned x = 0; x < width; x++) {
            const unsigned part = partition_of(&block, colours.seed, colours.parts, x, y);
            const unsigned first = infill(&block, &mode, digits, planes, 0, x, y);
            const unsigned second = mode.dual ? infill(&block, &mode, digits, planes, 1, x, y) : first;
            if (colours.hdr[part]) {
                fill_error(srgb, 1, &texels[y * width + x]);
                continue;
            }
            for (unsigned c = 0; c < 4; c++) {
                const unsigned weight = c == selected ? second : first;
                const unsigned a = (unsigned)colours.ends[part][0][c], b = (unsigned)colours.ends[part][1][c];
                const bool middle = srgb && c < 3;
                const unsigned wide_a = a << 8 | (middle ? 0x80 : a), wide_b = b << 8 | (middle ? 0x80 : b);
                texels[y * width + x].code[c] =
                    finish((wide_a * (64 - weight) + wide_b * weight + 32) >> 6, middle);
            }
        }
}
