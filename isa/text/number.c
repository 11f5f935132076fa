/* Values of operands: fields to values and back, floating-point immediates as NVIDIA prints them. */
#include "isa/text/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned float_width(int kind)
{
    return kind == ET_KIND_D ? 64 : kind == ET_KIND_F || kind == ET_KIND_HH || kind == ET_KIND_BB ? 32 : 16;
}

static int is_float(int kind)
{
    return kind == ET_KIND_F || kind == ET_KIND_H || kind == ET_KIND_D || kind == ET_KIND_HH ||
           kind == ET_KIND_BB;
}

static int is_signed(const struct et_text_item *item)
{
    return item->kind == ET_KIND_S || item->kind == ET_KIND_L;
}

static unsigned field_width(const struct et_text_item *item)
{
    return item->kind == ET_KIND_C || item->kind == ET_KIND_CX ? item->bits.width[0] : item->bits.total;
}

/* A NaN keeps its high bits only: its text says no more. */
static int is_nan(int kind, int64_t value)
{
    uint64_t magnitude = (uint64_t)value & (~(uint64_t)0 >> (65 - float_width(kind)));
    return magnitude > (kind == ET_KIND_D   ? (uint64_t)0x7ff << 52
                        : kind == ET_KIND_F ? 0x7f800000u
                                            : 0x7c00u);
}

int64_t et_text_value(const struct et_text_item *item, uint64_t field)
{
    unsigned width = field_width(item);
    if (item->complement)
        field ^= width < 64 ? ((uint64_t)1 << width) - 1 : ~(uint64_t)0;
    if (is_float(item->kind))
        return (int64_t)(field << (float_width(item->kind) - width));
    if (is_signed(item) && width < 64 && field >> (width - 1) & 1)
        field |= ~(uint64_t)0 << width;
    return (int64_t)(field * (uint64_t)item->scale);
}

int et_text_field(const struct et_text_item *item, int64_t value, uint64_t *field)
{
    unsigned width = field_width(item);
    uint64_t raw;
    if (is_float(item->kind)) {
        unsigned drop = float_width(item->kind) - width;
        raw = (uint64_t)value >> drop;
        *field = raw;
        return raw << drop == (uint64_t)value || is_nan(item->kind, value);
    }
    if (value % item->scale)
        return 0;
    value /= item->scale;
    raw = (uint64_t)value;
    if (width < 64) {
        uint64_t mask = ((uint64_t)1 << width) - 1;
        int64_t top = value >> (width - 1);
        if (is_signed(item) ? top != 0 && top != -1 : raw > mask)
            return 0;
        raw &= mask;
        if (item->complement)
            raw ^= mask;
    }
    *field = raw;
    return 1;
}

static double half_value(unsigned bits)
{
    int exponent = bits >> 10 & 31, mantissa = bits & 1023;
    double value = exponent ? ldexp(1024 + mantissa, exponent - 25) : ldexp(mantissa, -24);
    return bits & 0x8000 ? -value : value;
}

/* The double of a finite, infinite or NaN immediate; kind of special in *special (only doubles tell
 * signalling NaNs). */
static double to_double(int kind, int64_t value, const char **special)
{
    uint32_t word = (uint32_t)value;
    float single;
    double number;
    *special = NULL;
    if (kind == ET_KIND_H) {
        unsigned exponent = word >> 10 & 31, mantissa = word & 1023;
        if (exponent == 31)
            *special = mantissa ? "QNAN" : "INF";
        return half_value(word & 0xffff);
    }
    if (kind == ET_KIND_D) {
        memcpy(&number, &value, sizeof number);
        if ((value >> 52 & 0x7ff) == 0x7ff)
            *special = (uint64_t)value << 12 ? value >> 51 & 1 ? "QNAN" : "SNAN" : "INF";
        return number;
    }
    memcpy(&single, &word, sizeof single);
    if ((word >> 23 & 0xff) == 0xff)
        *special = word << 9 ? "QNAN" : "INF";
    return *special ? 0 : single;
}

int et_text_print_float(int kind, int64_t value, char *text, size_t size)
{
    const char *special;
    double number = to_double(kind, value, &special);
    unsigned sign = (unsigned)((uint64_t)value >> (float_width(kind) - 1)) & 1;
    if (special)
        return snprintf(text, size, "%c%s ", sign ? '-' : '+', special);
    if (number == 0 && sign)
        return snprintf(text, size, "-0.0 ");
    return snprintf(text, size, fabs(number) >= 1e9 ? "%.20e" : "%.20g", number);
}

/* "+INF", "-QNAN": the payload is not printed; ptxas writes all ones for +QNAN and the quiet bit alone for
 * -QNAN. */
static size_t parse_special(int kind, const char *text, int64_t *value)
{
    static const struct {
        const char *name;
        uint16_t half;
        uint32_t single;
        uint64_t full;
    } special[] = {{"+INF", 0x7c00, 0x7f800000, (uint64_t)0x7ff0 << 48},
                   {"-INF", 0xfc00, 0xff800000, (uint64_t)0xfff0 << 48},
                   {"+QNAN", 0x7fff, 0x7fffffff, (uint64_t)0x7ff8 << 48},
                   {"-QNAN", 0xfe00, 0xffc00000, (uint64_t)0xfff8 << 48},
                   {"+SNAN", 0x7d00, 0x7fa00000, (uint64_t)0x7ff4 << 48},
                   {"-SNAN", 0xfd00, 0xffa00000, (uint64_t)0xfff4 << 48}};
    size_t i;
    for (i = 0; i < sizeof special / sizeof *special; i++)
        if (strncmp(text, special[i].name, strlen(special[i].name)) == 0) {
            *value = kind == ET_KIND_D   ? (int64_t)special[i].full
                     : kind == ET_KIND_F ? (int64_t)special[i].single
                                         : (int64_t)special[i].half;
            return strlen(special[i].name);
        }
    return 0;
}

/* Nearest half of a double; exact for what a half can hold. */
static uint32_t to_half(double number)
{
    uint32_t sign = signbit(number) ? 0x8000 : 0;
    double magnitude = fabs(number), scaled;
    int exponent;
    if (magnitude == 0)
        return sign;
    if (magnitude >= 65520)
        return sign | 0x7c00;
    frexp(magnitude, &exponent);
    exponent = exponent < -13 ? -13 : exponent;
    scaled = nearbyint(ldexp(magnitude, 11 - exponent));
    if (scaled >= 2048) {
        scaled /= 2;
        exponent++;
    }
    if (scaled < 1024)
        return sign | (uint32_t)scaled;
    return sign | (uint32_t)(exponent + 14) << 10 | ((uint32_t)scaled - 1024);
}

size_t et_text_parse_float(int kind, const char *text, int64_t *value)
{
    char *end;
    size_t special = parse_special(kind, text, value);
    double number;
    if (special)
        return special;
    if (kind == ET_KIND_F) {
        uint32_t word;
        float single = strtof(text, &end);
        memcpy(&word, &single, sizeof word);
        *value = word;
    } else {
        number = strtod(text, &end);
        if (kind == ET_KIND_H)
            *value = to_half(number);
        else
            memcpy(value, &number, sizeof number);
    }
    if (end > text && end[-1] == '.') /* it belongs to a suffix */
        end--;
    return (size_t)(end - text);
}
