/* Clears: the target's own conversion of a value, masked, over a rectangle. */
#include "rasterizer/raster.h"

#include "base/bits.h"
#include "rasterizer/convert.h"
#include "texture/layout.h"

/* A masked element: bits of `mask` are replaced by those of `value`. */
struct fill {
    uint8_t value[16], mask[16];
    uint32_t bytes;
    bool whole;                /* every bit is replaced: */
    uint8_t gob[ET_GOB_BYTES]; /* by this */
};

static void set_mask(struct fill *fill, unsigned low, unsigned width)
{
    for (unsigned bit = low; bit < low + width; bit++)
        fill->mask[bit / 8] |= (uint8_t)(1u << (bit & 7));
}

static bool fill_gob(const struct et_surface *surface, struct et_surface_window *window, struct et_view *view,
                     int32_t x, int32_t y, uint32_t layer, const struct fill *fill,
                     struct etalon_error *error)
{
    uint8_t *at = et_surface_element(surface, window, view, (uint32_t)x, (uint32_t)y, layer, true, error);
    if (!at)
        return false;
    memcpy(at, fill->gob, sizeof fill->gob);
    return true;
}

static bool fill_rectangle(const struct et_surface *surface, const struct et_rectangle *r, uint32_t layer,
                           struct et_view *view, const struct fill *fill, struct etalon_error *error)
{
    struct et_surface_window window = {0};
    const int32_t across = (int32_t)(ET_GOB_WIDTH / fill->bytes);
    const bool gobs =
        fill->whole && !surface->pitch && !((surface->address | surface->layer_bytes) & (ET_GOB_BYTES - 1));
    for (int32_t y = r->y0; y < r->y1; y++)
        for (int32_t x = r->x0; x < r->x1; x++) {
            const int32_t rest = x & (across - 1);
            if (gobs && r->x1 - (x - rest) >= across && x - rest >= r->x0 && (y & ~7) >= r->y0 &&
                (y & ~7) + 8 <= r->y1) { /* inside: filled with its first row */
                if (!(y & 7) && !fill_gob(surface, &window, view, x, y, layer, fill, error))
                    return false;
                x += across - 1;
                continue;
            }
            uint8_t *at =
                et_surface_element(surface, &window, view, (uint32_t)x, (uint32_t)y, layer, true, error);
            if (!at)
                return false;
            if (fill->whole) {
                memcpy(at, fill->value, fill->bytes);
                continue;
            }
            for (uint32_t i = 0; i < fill->bytes; i++)
                at[i] = (uint8_t)((at[i] & ~fill->mask[i]) | (fill->value[i] & fill->mask[i]));
        }
    return true;
}

/* A rectangle of elements of a layer. */
struct job {
    const struct et_clear *clear;
    const struct et_surface *surface;
    struct et_rectangle rectangle;
    uint32_t layer;
    const struct fill *fill;
};

enum {
    BAND = 64,                  /* rows that one thread fills */
    PARALLEL_ELEMENTS = 1 << 16 /* fewer stay on the caller's thread */
};

/* Band number `band`, as far as its memory is there. */
static bool fill_band(const struct job *job, int32_t band, struct etalon_error *error)
{
    struct et_rectangle r = job->rectangle;
    struct et_view view;
    et_view_init(&view, job->clear->map, job->clear->event);
    r.y0 = ET_MAX(r.y0, band * BAND);
    r.y1 = ET_MIN(r.y1, (band + 1) * BAND);
    return fill_rectangle(job->surface, &r, job->layer, &view, job->fill, error);
}

/* All bands, whatever the others meet: the same for any number of threads. The first one's error is told. */
static enum etalon_status fill_bands(const struct job *job, unsigned threads, struct etalon_error *error)
{
    const struct et_rectangle *const r = &job->rectangle;
    const int32_t first = r->y0 / BAND, end = (r->y1 - 1) / BAND + 1;
    const bool parallel = threads > 1 && (int64_t)(r->x1 - r->x0) * (r->y1 - r->y0) >= PARALLEL_ELEMENTS;
    struct etalon_error met = {0};
    int32_t failed = INT32_MAX;
#pragma omp parallel for num_threads(threads) if (parallel) schedule(dynamic)
    for (int32_t band = first; band < end; band++) {
        struct etalon_error own = {0};
        if (fill_band(job, band, &own))
            continue;
#pragma omp critical(et_clear_error)
        if (band < failed) {
            failed = band;
            met = own;
        }
    }
    if (met.status && error && !error->status)
        *error = met;
    return met.status;
}

/* The first element of a pixel, inside the target. */
static int32_t elements(int32_t pixel, unsigned log2, uint32_t limit)
{
    return (int32_t)ET_MIN((int64_t)ET_MAX(pixel, 0) << log2, (int64_t)limit);
}

static enum etalon_status run(const struct et_clear *clear, const struct et_target *target, struct fill *fill,
                              unsigned threads, struct etalon_error *error)
{
    const struct et_sample_layout *samples = et_sample_layout_find(clear->sample_mode);
    const uint32_t index = et_bits(clear->surface, 25, 10);
    struct et_rectangle r = clear->rectangle;
    struct et_surface surface;
    if (!samples) {
        et_at_value(error, clear->sample_mode);
        return et_fail(error, ETALON_UNSUPPORTED, "sample mode 0x%x", clear->sample_mode);
    }
    const enum etalon_status status = et_surface_init(&surface, target, fill->bytes, error);
    if (status)
        return status;
    if (index >= surface.layers)
        return ETALON_OK;
    r.x0 = elements(r.x0, samples->width_log2, surface.width);
    r.y0 = elements(r.y0, samples->height_log2, surface.height);
    r.x1 = elements(r.x1, samples->width_log2, surface.width);
    r.y1 = elements(r.y1, samples->height_log2, surface.height);
    fill->whole = true;
    for (uint32_t i = 0; i < fill->bytes; i++)
        fill->whole &= fill->mask[i] == 0xff;
    for (uint32_t at = 0; at < ET_GOB_BYTES; at += fill->bytes)
        memcpy(fill->gob + at, fill->value, fill->bytes);
    const struct job job = {clear, &surface, r, index + target->layer, fill};
    return fill_bands(&job, threads, error);
}

static enum etalon_status clear_color(const struct et_clear *clear, unsigned threads,
                                      struct etalon_error *error)
{
    const struct et_color_format *format = et_color_format_find(clear->color.format);
    struct fill fill = {0};
    if (!format) {
        et_at_value(error, clear->color.format);
        return et_fail(error, ETALON_UNSUPPORTED, "colour target format 0x%x", clear->color.format);
    }
    et_color_encode(clear->srgb_write ? format : et_color_format_linear(format), clear->color_value,
                    fill.value);
    fill.bytes = format->bytes;
    for (unsigned c = 0; c < 4; c++)
        if (clear->surface >> (2 + c) & 1)
            set_mask(&fill, format->channel[c].low, format->channel[c].width);
    for (unsigned bit = 0; bit < 32; bit++)
        if ((format->zeros | format->ones) >> bit & 1)
            set_mask(&fill, bit, 1);
    return run(clear, &clear->color, &fill, threads, error);
}

static enum etalon_status clear_depth(const struct et_clear *clear, unsigned threads,
                                      struct etalon_error *error)
{
    const struct et_depth_format *format = et_depth_format_find(clear->depth.format);
    const bool depth = clear->surface & 1, stencil = clear->surface >> 1 & 1;
    struct fill fill = {0};
    if (!format) {
        et_at_value(error, clear->depth.format);
        return et_fail(error, ETALON_UNSUPPORTED, "depth target format 0x%x", clear->depth.format);
    }
    fill.bytes = format->bytes;
    if (depth && format->depth_bits) {
        const uint32_t code = et_depth_code(format, clear->depth_value) << format->depth_low;
        memcpy(fill.value, &code, ET_MIN(4u, fill.bytes));
        set_mask(&fill, format->depth_low, format->depth_bits);
    }
    if (stencil && format->has_stencil) {
        fill.value[format->stencil_byte] = clear->stencil_value;
        fill.mask[format->stencil_byte] = clear->stencil_mask;
    }
    return run(clear, &clear->depth, &fill, threads, error);
}

enum etalon_status et_raster_clear(const struct et_clear *clear, unsigned threads, struct etalon_error *error)
{
    enum etalon_status status = ETALON_OK;
    if (clear->surface & 0x3c && clear->color.format)
        status = clear_color(clear, threads, error);
    if (!status && clear->surface & 3 && clear->depth_enable)
        status = clear_depth(clear, threads, error);
    return status;
}
