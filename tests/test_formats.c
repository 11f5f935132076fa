/* The format tables of NVIDIA's class headers, row by row, against those of the code: size, place of each
 * component, and what the largest code of each component becomes. */
#include "base/bits.h"
#include "pipeline/fetch.h"
#include "rasterizer/convert.h"
#include "rasterizer/format.h"
#include "rasterizer/blend.h"
#include "support/packed.h"
#include "texture/format.h"

#define FIELDS 9

/* A row's fields, in place; missing ones are empty. */
static void split(char *line, char *field[FIELDS])
{
    for (unsigned i = 0; i < FIELDS; i++) {
        field[i] = line;
        line += strcspn(line, ",");
        if (*line)
            *line++ = 0;
    }
}

/* Calls each row of a table of facts, but its heading. */
static void each_row(const char *name, void (*check)(char *field[FIELDS], void *), void *context)
{
    size_t size;
    char *text = packed_text(name, &size), *line = text + strcspn(text, "\n");
    while (*line && line[1]) {
        char *const row = line + 1, *const end = row + strcspn(row, "\n"), *field[FIELDS];
        const bool more = *end;
        *end = 0;
        split(row, field);
        check(field, context);
        *end = more ? '\n' : 0;
        line = end;
    }
    free(text);
}

/* The next `R[31:0]=KIND` of a layout: its letter, bits and kind; false at its end. */
static bool next_component(const char **layout, char *letter, unsigned *low, unsigned *width, char kind[16])
{
    unsigned high;
    int used = 0;
    kind[0] = 0;
    if (sscanf(*layout, " %c[%u:%u]%n", letter, &high, low, &used) != 3 || !used)
        return false;
    *width = high - *low + 1;
    *layout += used;
    if (**layout == '=' && sscanf(*layout, "=%15[A-Z_]%n", kind, &used) == 1)
        *layout += used;
    return true;
}

static int channel_of(char letter)
{
    const char *const found = letter ? strchr("RGBA", letter) : NULL;
    return found ? (int)(found - "RGBA") : -1;
}

/* ---- render targets ---- */

static bool kind_fits(const struct et_color_format *format, unsigned channel, const char *kind)
{
    switch (format->kind) {
    case ET_COLOR_UNORM:
    case ET_COLOR_UNORM32:
        return !strcmp(kind, "UNORM");
    case ET_COLOR_SNORM:
        return !strcmp(kind, "SNORM");
    case ET_COLOR_SRGB:
        return !strcmp(kind, channel < 3 ? "SRGB" : "UNORM");
    case ET_COLOR_UINT:
        return !strcmp(kind, "UINT");
    case ET_COLOR_SINT:
        return !strcmp(kind, "SINT");
    default:
        return !strcmp(kind, "FLOAT");
    }
}

static void check_color(char *field[FIELDS], void *rows)
{
    const uint32_t value = (uint32_t)strtoul(field[2], NULL, 16);
    const struct et_color_format *format = et_color_format_find(value);
    const char *layout = field[7];
    unsigned low, width, channels = 0, held = 0;
    char letter, kind[16];
    if (!value) { /* no target */
        ck_assert_ptr_null(format);
        return;
    }
    ck_assert_msg(format != NULL, "%s is missing", field[1]);
    ck_assert_str_eq(format->name, field[1]);
    ck_assert_uint_eq(format->bytes, strtoul(field[4], NULL, 10));
    while (next_component(&layout, &letter, &low, &width, kind)) {
        const int channel = channel_of(letter);
        const uint32_t bits = low < 32 ? (uint32_t)(((UINT64_C(1) << width) - 1) << low) : 0;
        if (channel >= 0) {
            ck_assert_msg(format->channel[channel].low == low && format->channel[channel].width == width &&
                              kind_fits(format, (unsigned)channel, kind),
                          "%s %c", field[1], letter);
            channels++;
        }
        ck_assert_msg(!strcmp(kind, "WRITES_ZERO") == (bits && format->zeros == bits), "%s zeros", field[1]);
        ck_assert_msg(!strcmp(kind, "WRITES_ONE") == (bits && format->ones == bits), "%s ones", field[1]);
    }
    for (unsigned c = 0; c < 4; c++)
        held += format->channel[c].width != 0;
    ck_assert_uint_eq(held, channels);
    ++*(unsigned *)rows;
}

static void check_depth(char *field[FIELDS], void *rows)
{
    const struct et_depth_format *format = et_depth_format_find((uint32_t)strtoul(field[2], NULL, 16));
    const char *layout = field[7];
    unsigned low, width;
    bool depth = false, stencil = false;
    char letter, kind[16];
    ck_assert_msg(format != NULL, "%s is missing", field[1]);
    ck_assert_str_eq(format->name, field[1]);
    ck_assert_uint_eq(format->bytes, strtoul(field[4], NULL, 10));
    while (next_component(&layout, &letter, &low, &width, kind)) {
        if (letter == 'Z') {
            ck_assert_msg(format->depth_low == low && format->depth_bits == width &&
                              format->float_depth == !strcmp(kind, "FLOAT"),
                          "%s depth", field[1]);
            depth = true;
        } else if (letter == 'S') {
            ck_assert_msg(format->has_stencil && format->stencil_byte == low / 8 && width == 8, "%s stencil",
                          field[1]);
            stencil = true;
        }
    }
    ck_assert_int_eq(depth, format->depth_bits != 0);
    ck_assert_int_eq(stencil, format->has_stencil != 0);
    ++*(unsigned *)rows;
}

/* ---- vertex attributes ---- */

/* What the largest code of a component reads as, by the types' definitions. */
static uint32_t largest(unsigned type, unsigned width)
{
    const uint64_t all = (UINT64_C(1) << width) - 1;
    switch (type) {
    case 1: /* SNORM: -1 / (2^(width-1) - 1), and -1 for one bit and for two */
        return et_float_bits(width > 2 ? (float)(-1 / (double)(all >> 1)) : -1.0f);
    case 2: /* UNORM */
        return 0x3f800000;
    case 3: /* SINT */
        return ~0u;
    case 4: /* UINT */
        return (uint32_t)all;
    case 5: /* USCALED */
        return et_float_bits((float)all);
    default: /* SSCALED */
        return 0xbf800000;
    }
}

static void check_attribute(char *field[FIELDS], void *rows)
{
    const uint32_t value = (uint32_t)strtoul(field[2], NULL, 16);
    const struct et_attribute_format *format = NULL;
    for (unsigned i = 0; et_attribute_format_row(i); i++)
        if (et_attribute_format_row(i)->value == value)
            format = et_attribute_format_row(i);
    ck_assert_msg(format != NULL, "%s is missing", field[1]);
    ck_assert_str_eq(format->name, field[1]);
    ck_assert_uint_eq(format->bytes, strtoul(field[4], NULL, 10));
    for (unsigned type = 1; type <= 6; type++) {
        const char *layout = field[7];
        const uint32_t one = type == 3 || type == 4 ? 1 : 0x3f800000, absent[4] = {0, 0, 0, one};
        unsigned low, width;
        char letter, kind[16];
        while (next_component(&layout, &letter, &low, &width, kind)) {
            uint8_t bytes[16] = {0};
            uint32_t out[4], seen[4] = {0};
            const int channel = channel_of(letter);
            const char *others = field[7];
            unsigned from, length;
            for (unsigned b = low; b < low + width; b++)
                bytes[b / 8] |= (uint8_t)(1 << b % 8);
            et_attribute_decode(format, type, false, bytes, out);
            memcpy(seen, absent, sizeof seen);
            while (next_component(&others, &letter, &from, &length, kind))
                if (channel_of(letter) >= 0)
                    seen[channel_of(letter)] = 0;
            if (channel >= 0)
                seen[channel] = largest(type, width);
            for (unsigned c = 0; c < 4; c++)
                ck_assert_msg(out[c] == seen[c], "%s type %u bits from %u, component %u: %08x, defined %08x",
                              field[1], type, low, c, out[c], seen[c]);
        }
    }
    ++*(unsigned *)rows;
}

static const struct {
    const char *kind;
    void (*check)(char *field[FIELDS], void *rows);
    unsigned rows;
} kinds[] = {{"color_target", check_color, 68},
             {"depth_target", check_depth, 11},
             {"vertex_attribute", check_attribute, 18}};

struct wanted {
    unsigned kind, rows;
};

static void check_kind(char *field[FIELDS], void *context)
{
    struct wanted *wanted = context;
    if (!strcmp(field[0], kinds[wanted->kind].kind))
        kinds[wanted->kind].check(field, &wanted->rows);
}

START_TEST(targets_and_attributes)
{
    struct wanted wanted = {.kind = (unsigned)_i};
    each_row("conformance/facts/formats.csv.zst", check_kind, &wanted);
    ck_assert_uint_eq(wanted.rows, kinds[_i].rows);
}
END_TEST

/* R32's rounding: ties go down, as in the shorter formats. */
START_TEST(r32_codes)
{
    static const struct {
        float value;
        uint32_t code;
    } cases[] = {{0, 0},
                 {-1, 0},
                 {1, 0xffffffff},
                 {2, 0xffffffff},
                 {0.5f, 0x7fffffff},
                 {0x1p-32f, 1},
                 {0x1p-33f, 0},
                 {0x1.8p-32f, 1},
                 {0x1.8p-31f, 3},
                 {0x1.fffffep-1f, 0xfffffeff},
                 {0.25f, 0x40000000},
                 {NAN, 0}};
    const struct et_color_format *format = et_color_format_find(0xff);
    ck_assert_ptr_nonnull(format);
    for (size_t i = 0; i < ET_COUNT(cases); i++) {
        const uint32_t source[4] = {et_float_bits(cases[i].value)};
        uint8_t out[16] = {0};
        et_color_encode(format, source, out);
        ck_assert_msg(et_load32(out) == cases[i].code, "%a: 0x%08x", (double)cases[i].value, et_load32(out));
    }
}
END_TEST

/* ---- textures ---- */

static void check_texture(char *field[FIELDS], void *rows)
{
    const struct et_format *format = et_format_find((uint32_t)strtoul(field[1], NULL, 16));
    const char *layout = field[6];
    unsigned low, width;
    char letter, kind[16];
    if (!strcmp(field[7], "not a format")) {
        ck_assert_msg(format == NULL, "%s has a row", field[0]);
        return;
    }
    ck_assert_msg(format != NULL, "%s is missing", field[0]);
    ck_assert_str_eq(format->name, field[0]);
    ++*(unsigned *)rows;
    if (!field[3][0]) /* a layout that the name does not tell */
        return;
    /* The code's block may be several of those of the table: eight texels of a bit each. */
    const double times = format->block_width / strtod(field[3], NULL);
    ck_assert_msg(format->block_height == strtoul(field[4], NULL, 10) &&
                      format->block_bytes == times * strtod(field[5], NULL) &&
                      (times == 1 || strtod(field[5], NULL) < 1),
                  "%s block", field[0]);
    while (next_component(&layout, &letter, &low, &width, kind)) {
        const int channel = letter == 'Z' ? format->depth : channel_of(letter);
        bool found = channel < 0 && letter != 'S';
        for (unsigned c = 0; c < 4; c++)
            if (channel == (int)c || (channel < 0 && letter == 'S'))
                found |= format->low[c] == low && format->width[c] == width;
        ck_assert_msg(found, "%s %c", field[0], letter);
    }
}

START_TEST(textures)
{
    unsigned rows = 0;
    each_row("conformance/facts/tic_formats.csv.zst", check_texture, &rows);
    ck_assert_uint_eq(rows, 76);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("formats");
    TCase *facts = tcase_create("facts");
    tcase_add_loop_test(facts, targets_and_attributes, 0, ET_COUNT(kinds));
    tcase_add_test(facts, r32_codes);
    tcase_add_test(facts, textures);
    suite_add_tcase(suite, facts);
    return suite_run(suite);
}
