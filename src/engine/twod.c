/* The 2D engine, 902D: blits. [DOC: class header; DRV: note m, nvc0's captures]
 *
 * Pixel (i, j) of the destination rectangle takes the source at SRC_X0 + i * DU_DX,
 * SRC_Y0 + j * DV_DY in 32.32 fixed point, where whole numbers are texels' centres with origin
 * CENTER and their corners with CORNER. [DRV: nvc0's mirrored blits start at the last texel with CENTER,
 * its averages of four samples between two with CORNER; piglit's upsample fails through nvc0 on GM206, as
 * Mesa records, for between two centres the nearest is the next]. POINT takes the texel that holds the
 * position, BILINEAR four around it, with eight fraction bits a weight; positions outside repeat the edge.
 * [INF]. Equal formats keep their bytes. */
#include "engine/twod.h"

#include <math.h>

#include "base/alloc.h"
#include "rasterizer/blend.h"

enum {
    DST = 0x200, /* FORMAT, LAYOUT, BLOCK, DEPTH, LAYER, PITCH, WIDTH, HEIGHT, OFFSET_UPPER, OFFSET_LOWER */
    SRC = 0x230,
    CLIP_X0 = 0x280,
    CLIP_ENABLE = 0x290,
    COLOR_KEY_ENABLE = 0x29c,
    ROP = 0x2a0,
    BETA4 = 0x2a8,
    OPERATION = 0x2ac,
    PATTERN_SELECT = 0x2b4,
    PATTERN_COLOR_FORMAT = 0x2e8,
    PATTERN_COLOR0 = 0x2f0, /* and COLOR1, then the pattern's 64 bits */
    SAMPLE_MODE = 0x88c,
    DST_X0 = 0x8b0
};

enum { SRCCOPY = 3, RASTER_OP = 4, SRCCOPY_PREMULT = 5 };
enum { PATTERN_COLOR = 3, PATTERN_A8R8G8B8 = 2, FORMAT_A8R8G8B8 = 0xcf };

enum etalon_status et_twod_format_find(uint32_t value, struct et_twod_format *format,
                                       struct etalon_error *error)
{
    /* The class's own: luminance, and zero or one alpha in place of an alpha channel. */
    static const struct et_twod_format own[] = {{0xff, 4, NULL}, {0x1d, 1, NULL}, {0xfb, 2, NULL},
                                                {0xfc, 2, NULL}, {0xfd, 4, NULL}, {0xfe, 4, NULL}};
    const struct et_color_format *color = et_color_format_find(value);
    *format = (struct et_twod_format){(uint8_t)value, color ? color->bytes : 0, color};
    for (unsigned i = 0; i < ET_COUNT(own) && !color; i++)
        if (own[i].value == value)
            *format = own[i];
    return format->bytes ? ETALON_OK : et_fail(error, ETALON_UNSUPPORTED, "2D format 0x%02x", value);
}

enum etalon_status et_twod_surface_get(const struct et_engine *engine, bool source,
                                       struct et_twod_surface *surface, struct etalon_error *error)
{
    const struct et_registers *r = &engine->registers;
    const uint32_t base = source ? SRC : DST, block = et_register(r, base + 8);
    /* The source has no layer, and a cache method in its place. */
    const uint32_t layer = source ? 0 : et_register(r, base + 0x10);
    *surface = (struct et_twod_surface){
        .width = et_register(r, base + 0x18), .height = et_register(r, base + 0x1c), .layer = layer};
    const enum etalon_status status =
        et_twod_format_find(et_register(r, base) & 0xff, &surface->format, error);
    if (status)
        return status;
    surface->rows = (struct et_rows){
        .address = (uint64_t)(et_register(r, base + 0x20) & 0x1ffff) << 32 | et_register(r, base + 0x24),
        .layout = {.pitch_linear = et_register(r, base + 4) & 1,
                   .pitch = et_register(r, base + 0x14),
                   .width = surface->width * surface->format.bytes,
                   .height = surface->height,
                   .depth = et_register(r, base + 0xc),
                   .block_height_log2 = (uint8_t)et_bits(block, 6, 4),
                   .block_depth_log2 = (uint8_t)et_bits(block, 10, 8),
                   .turing_gob = engine->environment->chip->isa == ET_ISA_AMPERE},
    };
    if (surface->width > 1u << 16 || surface->height > 1u << 16)
        return et_fail(error, ETALON_BOUNDS, "a 2D surface of %u x %u", surface->width, surface->height);
    if (surface->rows.layout.block_height_log2 > 5 || surface->rows.layout.block_depth_log2 > 5)
        return et_fail(error, ETALON_BAD_VALUE, "2D block size 0x%x", block);
    return ETALON_OK;
}

/* sRGB by its definition: the 2D unit's own table is not known. [INF] */
static float srgb_decode(float code)
{
    return code <= 0.04045f ? code / 12.92f : powf((code + 0.055f) / 1.055f, 2.4f);
}

static float half_value(uint32_t half)
{
    const uint32_t exponent = half >> 10 & 31, mantissa = half & 0x3ff, sign = (half & 0x8000) << 16;
    if (!exponent)
        return et_float(sign | et_float_bits((float)mantissa * 0x1p-24f));
    return et_float(sign | (exponent == 31 ? 0x7f800000 : (exponent + 112) << 23) | mantissa << 13);
}

/* Formats of one channel, which reads as grey: R32 and R16 of floats, R16, RN16, R8, RN8. [DRV: nvc0 takes
 * them for luminance, and masks green and blue where red is meant] */
static bool reads_grey(const struct et_twod_format *format)
{
    static const uint8_t values[] = {0xe5, 0xf2, 0xee, 0xef, 0xf3, 0xf4};
    return memchr(values, format->value, sizeof values) != NULL;
}

static void decode_color(const struct et_color_format *format, const uint8_t *texel, float rgba[4])
{
    uint32_t words[4] = {0};
    memcpy(words, texel, format->bytes);
    for (unsigned c = 0; c < 4; c++) {
        const unsigned width = format->channel[c].width;
        const uint32_t code = width ? (uint32_t)et_bits_of_words(words, format->channel[c].low, width) : 0;
        const double full = (double)((UINT64_C(1) << (width ? width : 1)) - 1);
        rgba[c] = c == 3;
        if (!width)
            continue;
        switch (format->kind) {
        case ET_COLOR_SNORM:
            rgba[c] = fmaxf((float)((double)et_sign_extend(code, width) / (double)((1u << (width - 1)) - 1)),
                            -1.0f);
            break;
        case ET_COLOR_SRGB:
            rgba[c] = c < 3 ? srgb_decode((float)(code / full)) : (float)(code / full);
            break;
        case ET_COLOR_F16:
            rgba[c] = half_value(code);
            break;
        case ET_COLOR_F11:
            rgba[c] = half_value(code << (width == 11 ? 4 : 5));
            break;
        case ET_COLOR_F32:
            rgba[c] = et_float(code);
            break;
        default:
            rgba[c] = (float)(code / full);
            break;
        }
    }
}

/* Whether texels can be read as colours: not integers, and not Y32. */
static bool decodable(const struct et_twod_format *format)
{
    return format->color && format->color->kind < ET_COLOR_UINT;
}

/* Whether conversion to it is known as well: how colours become Y8 and Y16 is not. */
static bool convertible(const struct et_twod_format *format)
{
    return decodable(format) && format->value != 0xf3 && format->value != 0xee;
}

/* Whether values of one format can become the other's; a grey is its own luminance, whatever the weights. */
static bool converts(const struct et_twod_format *from, const struct et_twod_format *to)
{
    return decodable(from) && (convertible(to) || (decodable(to) && reads_grey(from)));
}

static enum etalon_status check_conversion(const struct et_twod_format *from, const struct et_twod_format *to,
                                           struct etalon_error *error)
{
    if (from->value == to->value || converts(from, to))
        return ETALON_OK;
    return et_fail(error, ETALON_UNSUPPORTED, "2D conversion from format 0x%02x to 0x%02x", from->value,
                   to->value);
}

void et_twod_decode(const struct et_twod_format *format, const uint8_t *texel, float rgba[4])
{
    decode_color(format->color, texel, rgba);
    if (reads_grey(format))
        rgba[1] = rgba[2] = rgba[0];
}

static void encode(const struct et_twod_format *to, const float rgba[4], uint8_t *out)
{
    uint32_t bits[4];
    for (unsigned c = 0; c < 4; c++)
        bits[c] = et_float_bits(rgba[c]);
    et_color_encode(to->color, bits, out);
}

enum etalon_status et_twod_convert(const struct et_twod_format *from, const uint8_t *in,
                                   const struct et_twod_format *to, uint8_t *out, struct etalon_error *error)
{
    float rgba[4];
    const enum etalon_status status = check_conversion(from, to, error);
    if (status)
        return status;
    if (from->value == to->value) {
        memcpy(out, in, from->bytes);
        return ETALON_OK;
    }
    et_twod_decode(from, in, rgba);
    encode(to, rgba, out);
    return ETALON_OK;
}

/* The ternary operation of one byte. */
static uint8_t raster_op(uint32_t rop, uint8_t pattern, uint8_t source, uint8_t dest)
{
    uint8_t out = 0;
    for (unsigned bit = 0; bit < 8; bit++)
        out |=
            (uint8_t)((rop >> ((pattern >> bit & 1) << 2 | (source >> bit & 1) << 1 | (dest >> bit & 1)) & 1)
                      << bit);
    return out;
}

static bool needs_pattern(uint32_t rop)
{
    return rop >> 4 != (rop & 15);
}

/* The pattern's texel, where it is one colour. */
static enum etalon_status find_pattern(const struct et_engine *engine, const struct et_twod_format *to,
                                       uint8_t texel[16], struct etalon_error *error)
{
    const struct et_registers *r = &engine->registers;
    const uint32_t low = et_register(r, PATTERN_COLOR0 + 8), high = et_register(r, PATTERN_COLOR0 + 12);
    const uint32_t color = et_register(r, PATTERN_COLOR0 + (low ? 4 : 0));
    const uint32_t format = et_register(r, PATTERN_COLOR_FORMAT) & 7;
    uint8_t bytes[4];
    struct et_twod_format from;
    if ((et_register(r, PATTERN_SELECT) & 3) == PATTERN_COLOR || low != high || (low && ~low))
        return et_fail(error, ETALON_UNSUPPORTED, "a 2D pattern of several colours");
    if (format != PATTERN_A8R8G8B8)
        return et_fail(error, ETALON_UNSUPPORTED, "a 2D pattern of colour format %u", format);
    et_store32(bytes, color);
    const enum etalon_status status = et_twod_format_find(FORMAT_A8R8G8B8, &from, error);
    return status ? status : et_twod_convert(&from, bytes, to, texel, error);
}

static enum etalon_status find_operation(const struct et_engine *engine, const struct et_twod_format *to,
                                         struct et_twod_operation *found, struct etalon_error *error)
{
    const struct et_registers *r = &engine->registers;
    const uint32_t operation = et_register(r, OPERATION) & 7, beta = et_register(r, BETA4);
    *found = (struct et_twod_operation){.found = true, .rop = et_register(r, ROP) & 0xff};
    for (unsigned c = 0; c < 4; c++) /* blue, green, red, alpha upwards */
        found->scale[c] = (float)(beta >> (c == 3 ? 24 : 16 - 8 * c) & 0xff) / 255;
    if (et_register(r, COLOR_KEY_ENABLE) & 1)
        return et_fail(error, ETALON_UNSUPPORTED, "2D colour key");
    if (operation == SRCCOPY)
        return ETALON_OK;
    if (operation == RASTER_OP)
        return needs_pattern(found->rop) ? find_pattern(engine, to, found->pattern, error) : ETALON_OK;
    if (operation != SRCCOPY_PREMULT)
        return et_fail(error, ETALON_UNSUPPORTED, "2D operation %u", operation);
    if (!convertible(to))
        return et_fail(error, ETALON_UNSUPPORTED, "2D operation %u on format 0x%02x", operation, to->value);
    return ETALON_OK;
}

/* SRCCOPY_PREMULT: channels times BETA4; its bytes 0 and 255 are all that drivers write. [DRV; INF] */
static void premultiply(const struct et_twod_format *format, const struct et_twod_operation *operation,
                        const uint8_t *in, uint8_t *out, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++, in += format->bytes, out += format->bytes) {
        float rgba[4];
        et_twod_decode(format, in, rgba);
        for (unsigned c = 0; c < 4; c++)
            rgba[c] *= operation->scale[c];
        encode(format, rgba, out);
    }
}

/* first..end-1 of a run of pixels from `x` that lie between `from` and `to`. */
static void clip_run(int64_t from, int64_t to, int64_t x, int64_t *first, int64_t *end)
{
    *first = ET_MAX(*first, from - x);
    *end = ET_MIN(*end, to - x);
}

enum etalon_status et_twod_write(struct et_engine *engine, const struct et_twod_surface *surface,
                                 struct et_twod_operation *operation, int64_t x, int64_t y,
                                 const uint8_t *texels, uint64_t count, struct etalon_error *error)
{
    const struct et_registers *r = &engine->registers;
    struct et_view *view = &engine->environment->view;
    const uint32_t bytes = surface->format.bytes, kind = et_register(r, OPERATION) & 7;
    int64_t first = 0, end = (int64_t)count;
    enum etalon_status status = ETALON_OK;
    uint8_t made[256];
    clip_run(0, surface->width, x, &first, &end);
    if (y < 0 || y >= surface->height)
        return ETALON_OK;
    if (et_register(r, CLIP_ENABLE) & 1) {
        const int64_t x0 = et_register(r, CLIP_X0), y0 = et_register(r, CLIP_X0 + 4);
        clip_run(x0, x0 + et_register(r, CLIP_X0 + 8), x, &first, &end);
        if (y < y0 || y >= y0 + et_register(r, CLIP_X0 + 12))
            return ETALON_OK;
    }
    if (first >= end)
        return ETALON_OK;
    if (kind == SRCCOPY)
        return et_rows_write(view, &surface->rows, (uint64_t)(x + first) * bytes, (uint32_t)y, surface->layer,
                             texels + first * bytes, (uint64_t)(end - first) * bytes, error);
    if (!operation->found)
        status = find_operation(engine, &surface->format, operation, error);
    for (int64_t i = first; i < end && !status;) {
        const uint64_t part = ET_MIN((uint64_t)(end - i), sizeof made / bytes), size = part * bytes;
        const uint64_t at = (uint64_t)(x + i) * bytes;
        const uint8_t *source = texels + i * bytes;
        if (kind == SRCCOPY_PREMULT)
            premultiply(&surface->format, operation, source, made, part);
        else
            status = et_rows_read(view, &surface->rows, at, (uint32_t)y, surface->layer, made, size, error);
        for (uint64_t b = 0; b < size && kind == RASTER_OP; b++)
            made[b] = raster_op(operation->rop, operation->pattern[b % bytes], source[b], made[b]);
        if (!status)
            status = et_rows_write(view, &surface->rows, at, (uint32_t)y, surface->layer, made, size, error);
        i += (int64_t)part;
    }
    return status;
}

struct blit {
    struct et_twod_surface from, to;
    struct et_twod_operation operation;
    uint32_t x, y, width, height;
    int64_t du, dv; /* 32.32 */
    int64_t u, v;
    bool bilinear;
};

static int64_t fixed(const struct et_engine *engine, uint32_t fraction)
{
    return (int64_t)((uint64_t)et_register(&engine->registers, fraction + 4) << 32 |
                     et_register(&engine->registers, fraction));
}

static int64_t position(int64_t start, int64_t step, uint32_t i)
{
    return (int64_t)((uint64_t)start + (uint64_t)step * i);
}

static enum etalon_status prepare(const struct et_engine *engine, struct blit *blit,
                                  struct etalon_error *error)
{
    const struct et_registers *r = &engine->registers;
    const uint32_t mode = et_register(r, SAMPLE_MODE);
    enum etalon_status status = et_twod_surface_get(engine, true, &blit->from, error);
    if (!status)
        status = et_twod_surface_get(engine, false, &blit->to, error);
    if (!status)
        status = check_conversion(&blit->from.format, &blit->to.format, error);
    if (!status)
        status = find_operation(engine, &blit->to.format, &blit->operation, error);
    if (status)
        return status;
    blit->x = et_register(r, DST_X0);
    blit->y = et_register(r, DST_X0 + 4);
    blit->width = et_register(r, DST_X0 + 8);
    blit->height = et_register(r, DST_X0 + 12);
    blit->du = fixed(engine, DST_X0 + 0x10);
    blit->dv = fixed(engine, DST_X0 + 0x18);
    blit->u = fixed(engine, DST_X0 + 0x20);
    blit->v = fixed(engine, DST_X0 + 0x28);
    blit->bilinear = mode >> 4 & 1;
    if (!(mode & 1)) { /* from a texel's centre to its corner */
        blit->u = position(blit->u, INT64_C(1) << 31, 1);
        blit->v = position(blit->v, INT64_C(1) << 31, 1);
    }
    if (blit->width > 1u << 16 || blit->height > 1u << 16 || (uint64_t)blit->width * blit->height > 1u << 28)
        return et_fail(error, ETALON_BOUNDS, "a blit of %u x %u pixels", blit->width, blit->height);
    if (blit->bilinear && !converts(&blit->from.format, &blit->to.format))
        return et_fail(error, ETALON_UNSUPPORTED, "a filtered blit from 2D format 0x%02x",
                       blit->from.format.value);
    if (!blit->from.width || !blit->from.height)
        return et_fail(error, ETALON_BOUNDS, "a blit from a surface of %u x %u", blit->from.width,
                       blit->from.height);
    return ETALON_OK;
}

static uint32_t clamp(int64_t texel, uint32_t size)
{
    return texel < 0 ? 0 : texel >= size ? size - 1 : (uint32_t)texel;
}

static enum etalon_status texel(struct et_view *view, const struct et_twod_surface *from, int64_t x,
                                int64_t y, uint8_t *out, struct etalon_error *error)
{
    return et_rows_read(view, &from->rows, (uint64_t)clamp(x, from->width) * from->format.bytes,
                        clamp(y, from->height), from->layer, out, from->format.bytes, error);
}

static enum etalon_status filtered(struct et_view *view, const struct blit *blit, int64_t u, int64_t v,
                                   float rgba[4], struct etalon_error *error)
{
    const int64_t half = INT64_C(1) << 31, left = position(u, -half, 1), top = position(v, -half, 1);
    const int64_t x = left >> 32, y = top >> 32;
    const float fx = (float)(left >> 24 & 255) / 256, fy = (float)(top >> 24 & 255) / 256;
    memset(rgba, 0, 4 * sizeof *rgba);
    for (unsigned k = 0; k < 4; k++) {
        uint8_t bytes[16];
        float one[4];
        const float weight = (k & 1 ? fx : 1 - fx) * (k >> 1 ? fy : 1 - fy);
        const enum etalon_status status = texel(view, &blit->from, x + (k & 1), y + (k >> 1), bytes, error);
        if (status)
            return status;
        et_twod_decode(&blit->from.format, bytes, one);
        for (unsigned c = 0; c < 4; c++)
            rgba[c] += weight * one[c];
    }
    return ETALON_OK;
}

static enum etalon_status blit_row(struct et_view *view, const struct blit *blit, uint32_t j, uint8_t *row,
                                   struct etalon_error *error)
{
    const int64_t v = position(blit->v, blit->dv, j), one = INT64_C(1) << 32;
    const struct et_twod_format *from = &blit->from.format, *to = &blit->to.format;
    const int64_t first = blit->u >> 32;
    if (!blit->bilinear && blit->du == one && from->value == to->value && first >= 0 &&
        first + blit->width <= blit->from.width)
        return et_rows_read(view, &blit->from.rows, (uint64_t)first * from->bytes,
                            clamp(v >> 32, blit->from.height), blit->from.layer, row,
                            (uint64_t)blit->width * from->bytes, error);
    for (uint32_t i = 0; i < blit->width; i++, row += to->bytes) {
        const int64_t u = position(blit->u, blit->du, i);
        uint8_t bytes[16];
        float rgba[4];
        enum etalon_status status;
        if (blit->bilinear) {
            status = filtered(view, blit, u, v, rgba, error);
            encode(to, rgba, bytes);
            memcpy(row, bytes, to->bytes);
        } else {
            uint8_t out[16];
            status = texel(view, &blit->from, u >> 32, v >> 32, bytes, error);
            if (!status)
                status = et_twod_convert(from, bytes, to, out, error);
            if (!status)
                memcpy(row, out, to->bytes);
        }
        if (status)
            return status;
    }
    return ETALON_OK;
}

/* Rows go upwards when the destination lies below the source, so that overlapping blits read what was there.
 */
static enum etalon_status run_blit(struct et_engine *engine, const struct blit *blit,
                                   struct etalon_error *error)
{
    const struct et_listener *listener = engine->environment->listener;
    const bool upwards = blit->from.rows.address == blit->to.rows.address && blit->y > blit->v >> 32;
    struct et_twod_operation operation = blit->operation;
    uint8_t *row = et_calloc(ET_MAX(blit->width, 1u), 16);
    enum etalon_status status = ETALON_OK;
    if (!row)
        return et_fail(error, ETALON_NO_MEMORY, "no memory for a blit");
    for (uint32_t n = 0; n < blit->height && !status; n++) {
        const uint32_t j = upwards ? blit->height - 1 - n : n;
        if (!(n & 255) && listener->cancelled && listener->cancelled(listener->context))
            status = et_fail(error, ETALON_CANCELLED, "a blit was cancelled");
        if (!status)
            status = blit_row(&engine->environment->view, blit, j, row, error);
        if (!status)
            status = et_twod_write(engine, &blit->to, &operation, blit->x, (int64_t)blit->y + j, row,
                                   blit->width, error);
    }
    et_free(row);
    return status;
}

static enum etalon_status pixels_from_memory(struct et_engine *engine, uint32_t method, unsigned i,
                                             uint32_t value, struct etalon_error *error)
{
    struct blit blit = {0};
    (void)i;
    enum etalon_status status = prepare(engine, &blit, error);
    struct et_trigger trigger = {.target = blit.to.rows.address,
                                 .bytes = (uint64_t)blit.width * blit.height * blit.to.format.bytes,
                                 .count = {blit.width, blit.height, 0}};
    const bool runs = et_trigger_open(engine->environment, engine, &trigger, ET_TRIGGER_BLIT, method, value);
    if (!status && runs && et_engine_renders(engine))
        status = run_blit(engine, &blit, error);
    return et_trigger_close(engine->environment, &trigger, status, error);
}

static const struct et_action_row actions[] = {{"PIXELS_FROM_MEMORY_SRC_Y0_INT", pixels_from_memory},
                                               {"RENDER_SOLID_PRIM_MODE", et_twod_mode},
                                               {"RENDER_SOLID_PRIM_POINT_X_Y", et_twod_point_packed},
                                               {"RENDER_SOLID_PRIM_POINT_Y", et_twod_point_y},
                                               {"SET_PIXELS_FROM_CPU_DST_Y0_INT", et_twod_cpu_start},
                                               {"PIXELS_FROM_CPU_DATA", et_twod_cpu_data},
                                               {NULL, NULL}};

const struct et_engine_type et_twod_type = {.size = sizeof(struct et_twod), .actions = actions};
