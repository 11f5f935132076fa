#include "tool/picture.h"

#include "base/alloc.h"
#include "base/bits.h"
#include "pipeline/draw.h"

#include <math.h>

enum etalon_status et_result_bytes(const struct et_replay *replay, const struct et_capture *capture,
                                   uint8_t **bytes, size_t *size, struct etalon_error *error)
{
    const struct et_capture_result *result = &capture->result;
    const uint8_t *from = et_replay_bo(replay, result->bo);
    const uint64_t rows = result->rows ? result->rows : 1;
    const uint64_t line = result->rows ? result->line_bytes : result->bytes;
    *size = rows * line;
    *bytes = from ? et_calloc(*size, 1) : NULL;
    if (!*bytes)
        return et_fail(error, ETALON_NO_MEMORY, "no memory for the result");
    for (uint64_t row = 0; row < rows; row++)
        memcpy(*bytes + row * line, from + result->bo_offset + row * result->pitch, line);
    return ETALON_OK;
}

const struct et_color_format *et_color_format_named(const char *name)
{
    const struct et_color_format *row;
    for (unsigned i = 0; (row = et_color_format_row(i)); i++)
        if (!strcmp(row->name, name))
            return row;
    return NULL;
}

/* A float with a 5-bit exponent and `mantissa` bits below it. */
static float small_float(uint64_t bits, unsigned mantissa)
{
    const unsigned exponent = bits >> mantissa & 31;
    const float fraction = (float)(bits & ((UINT64_C(1) << mantissa) - 1));
    if (exponent == 31)
        return fraction != 0 ? NAN : INFINITY;
    return exponent ? ldexpf(fraction + ldexpf(1, (int)mantissa), (int)exponent - 15 - (int)mantissa)
                    : ldexpf(fraction, -14 - (int)mantissa);
}

static uint8_t shade(float value)
{
    return (uint8_t)(!(value > 0) ? 0 : value >= 1 ? 255 : value * 255 + 0.5f);
}

static uint8_t show_channel(const struct et_color_format *format, uint64_t code, unsigned width)
{
    const uint64_t largest = width >= 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1;
    switch (format->kind) {
    case ET_COLOR_SNORM:
        return shade((float)et_sign_extend(code, width) / (float)(largest >> 1));
    case ET_COLOR_F16:
        return shade(code >> 15 ? 0 : small_float(code & 0x7fff, 10));
    case ET_COLOR_F11:
        return shade(small_float(code, width - 5));
    case ET_COLOR_F32:
        return shade(et_float((uint32_t)code));
    default:
        return (uint8_t)((code * 255 + largest / 2) / largest);
    }
}

static void show_integer(uint64_t code, uint8_t *out)
{
    const uint64_t mixed = code * UINT64_C(0x9e3779b97f4a7c15);
    out[0] = code ? (uint8_t)(64 + (mixed >> 58) * 3) : 0;
    out[1] = code ? (uint8_t)(64 + (mixed >> 50 & 63) * 3) : 0;
    out[2] = code ? (uint8_t)(64 + (mixed >> 42 & 63) * 3) : 0;
    out[3] = 255;
}

static void show_texel(const struct et_color_format *format, const uint8_t *texel, uint8_t *out)
{
    uint32_t words[4] = {0};
    uint64_t all = 0;
    memcpy(words, texel, format->bytes);
    for (unsigned c = 0; c < 4; c++) {
        const unsigned width = format->channel[c].width;
        const uint64_t code = width ? et_bits_of_words(words, format->channel[c].low, width) : 0;
        all = all * 31 + code;
        out[c] = width ? show_channel(format, code, width) : c == 3 ? 255 : 0;
    }
    if (format->kind == ET_COLOR_UINT || format->kind == ET_COLOR_SINT)
        show_integer(all, out);
}

enum etalon_status et_picture_of(struct et_picture *picture, const struct et_color_format *format,
                                 const uint8_t *texels, unsigned width, unsigned height,
                                 struct etalon_error *error)
{
    *picture = (struct et_picture){width, height, et_calloc((size_t)width * height, 4)};
    if (!picture->rgba)
        return et_fail(error, ETALON_NO_MEMORY, "no memory for a picture");
    for (size_t i = 0; i < (size_t)width * height; i++)
        show_texel(format, texels + i * format->bytes, picture->rgba + 4 * i);
    return ETALON_OK;
}

void et_surface_watch_trigger(void *context, const struct et_trigger *trigger)
{
    struct et_surface_watch *watch = context;
    watch->draws += trigger->kind == ET_TRIGGER_DRAW;
    watch->dispatches += trigger->kind == ET_TRIGGER_DISPATCH;
    watch->other += trigger->kind != ET_TRIGGER_DRAW && trigger->kind != ET_TRIGGER_DISPATCH;
    if (!trigger->draw)
        return;
    for (unsigned i = 0; i < ET_TARGETS; i++)
        if (trigger->draw->raster.output.color[i].format &&
            trigger->draw->raster.output.color[i].address == watch->address)
            watch->format = trigger->draw->raster.output.color[i].format;
}
