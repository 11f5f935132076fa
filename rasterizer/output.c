#include "rasterizer/output.h"

#include "base/bits.h"
#include "rasterizer/convert.h"

#include <math.h>

#define ONE 0x3f800000u

static void clamp_output(uint32_t saturate, unsigned output, uint32_t color[4])
{
    const uint32_t control = saturate >> (output * 4);
    if (!(control & 1))
        return;
    for (unsigned c = 0; c < 4; c++) {
        const float value = et_float(color[c]), low = control & 2 ? -1 : 0;
        color[c] = et_float_bits(!(value > low) ? low : value > 1 ? 1 : value);
    }
}

void et_output_read(const struct et_raster_plan *plan, const uint32_t (*registers)[ET_LANES], unsigned lane,
                    unsigned output, uint32_t color[4])
{
    for (unsigned c = 0; c < 4; c++)
        color[c] = plan->output[output] != ET_NO_OUTPUT && plan->output_mask[output] >> c & 1
                       ? registers[plan->output[output] + c][lane]
                   : c == 3 ? ONE
                            : 0;
    clamp_output(plan->state->output.saturate, output, color);
}

/* The highest eight bits of v, `round` of the lowest added before the rest is cut. */
static double eight_bits(double v, double round)
{
    int exponent;
    const double mantissa = frexp(v, &exponent);
    return ldexp(trunc(mantissa * 256 + copysign(round, mantissa)), exponent - 8);
}

void et_output_fade(const struct et_raster_state *state, const struct et_fragment_queue *queue, unsigned lane,
                    uint32_t color[4])
{
    const struct et_raster_primitive *primitive = queue->primitive[lane / 4];
    if (primitive->shape != ET_SHAPE_SMOOTH)
        return;
    const double area = et_raster_smooth_area(state, primitive, queue->x[lane / 4] + (int32_t)(lane & 1),
                                              queue->y[lane / 4] + (int32_t)(lane >> 1 & 1));
    const double alpha = et_float(color[3]);
    if (primitive->is_line) /* at eight bits of each [HW:H200] */
        color[3] = area < 1
                       ? et_float_bits((float)eight_bits(eight_bits(alpha, 0) * eight_bits(area, 0.5), 0))
                       : color[3];
    else
        color[3] = et_float_bits((float)(alpha * area));
}

static uint32_t target_layer(const struct et_raster_plan *plan, unsigned i,
                             const struct et_raster_primitive *primitive)
{
    const struct et_output_state *state = &plan->state->output;
    return primitive->p.layer + state->color[state->color_select[i] & 7].layer;
}

/* ---- one lane at a time ---- */

static void write_lane(const struct et_raster_plan *plan, struct et_raster_worker *worker, unsigned i,
                       unsigned lane, uint32_t coverage, const uint32_t source[4], const uint32_t second[4],
                       struct etalon_error *error)
{
    const struct et_sample_layout *layout = plan->samples;
    const struct et_sample_mode *order = et_sample_mode(layout->mode);
    const struct et_fragment_queue *queue = &worker->queue;
    const struct et_raster_primitive *primitive = queue->primitive[lane / 4];
    const uint32_t x = (uint32_t)queue->x[lane / 4] + (lane & 1),
                   y = (uint32_t)queue->y[lane / 4] + (lane >> 1 & 1);
    for (unsigned s = 0; s < layout->samples; s++) {
        uint8_t *at;
        if (!(coverage >> s & 1))
            continue;
        at = et_surface_element(&plan->color[i].surface, &worker->color_window[i], &worker->view,
                                (x << layout->width_log2) + order->x[s],
                                (y << layout->height_log2) + order->y[s], target_layer(plan, i, primitive),
                                true, error);
        if (!at)
            return;
        et_blend_texel(&plan->color[i].blend, source, second, at);
    }
}

static void write_scalar(const struct et_raster_plan *plan, struct et_raster_worker *worker, unsigned i,
                         const uint32_t (*registers)[ET_LANES], const uint16_t coverage[ET_LANES],
                         struct etalon_error *error)
{
    for (unsigned lane = 0; lane < worker->queue.count * 4 && !error->status; lane++) {
        uint32_t source[4], second[4] = {0};
        if (!coverage[lane] || worker->queue.primitive[lane / 4]->p.layer >= plan->color[i].surface.layers)
            continue;
        et_output_read(plan, registers, lane, plan->color[i].output, source);
        if (plan->dual_source)
            et_output_read(plan, registers, lane, 1, second);
        if (plan->color[i].blend.format->kind < ET_COLOR_UINT)
            et_output_fade(plan->state, &worker->queue, lane, source);
        if (plan->state->sample.alpha_to_one)
            source[3] = second[3] = ONE;
        write_lane(plan, worker, i, lane, coverage[lane], source, second, error);
    }
}

enum etalon_status et_output_colors_scalar(const struct et_raster_plan *plan, struct et_raster_worker *worker,
                                           const uint32_t (*registers)[ET_LANES],
                                           const uint16_t coverage[ET_LANES], struct etalon_error *error)
{
    for (unsigned i = 0; i < plan->colors && !error->status; i++)
        if (plan->color[i].active)
            write_scalar(plan, worker, i, registers, coverage, error);
    return error->status;
}

/* ---- a warp at a time ---- */

/* The pixels of each lane in memory; NULL: nothing is written there. */
struct pixels {
    uint8_t *at[ET_LANES];
};

/* Pixels of sample s; more than one sample only where cells lie together. */
static bool find_pixels(const struct et_raster_plan *plan, struct et_raster_worker *worker, unsigned i,
                        const uint16_t coverage[ET_LANES], unsigned s, struct pixels *pixels,
                        struct etalon_error *error)
{
    const struct et_surface *surface = &plan->color[i].surface;
    const struct et_fragment_queue *queue = &worker->queue;
    for (unsigned quad = 0; quad < queue->count; quad++) {
        const struct et_raster_primitive *primitive = queue->primitive[quad];
        const uint32_t x = (uint32_t)queue->x[quad], y = (uint32_t)queue->y[quad];
        const uint32_t layer = target_layer(plan, i, primitive);
        const unsigned first = quad * 4;
        uint8_t *cell = NULL;
        uint32_t lanes = 0;
        for (unsigned k = 0; k < 4; k++) {
            pixels->at[first + k] = NULL;
            lanes |= (coverage[first + k] >> s & 1u) << k;
        }
        if (!lanes || primitive->p.layer >= surface->layers)
            continue;
        if (surface->cells_together) {
            cell = et_surface_cell(surface, &worker->color_window[i], &worker->view, x & ~7u, y & ~3u, layer,
                                   true, error);
            if (!cell)
                return false;
        }
        for (unsigned k = 0; k < 4; k++) {
            if (!(lanes >> k & 1))
                continue;
            pixels->at[first + k] = cell
                                        ? cell + surface->offset[s][ET_QUAD_OF_CELL(x, y) * 4 + k]
                                        : et_surface_element(surface, &worker->color_window[i], &worker->view,
                                                             x + (k & 1), y + (k >> 1), layer, true, error);
            if (!pixels->at[first + k])
                return false;
        }
    }
    return true;
}

/* Whether no two quads of the queue are the same pixels. */
static bool all_distinct(const struct et_fragment_queue *queue)
{
    bool same_primitive = true;
    for (unsigned q = 1; q < queue->count; q++)
        same_primitive &= queue->primitive[q] == queue->primitive[0];
    if (same_primitive)
        return true;
    for (unsigned q = 1; q < queue->count; q++)
        for (unsigned p = 0; p < q; p++)
            if (queue->x[p] == queue->x[q] && queue->y[p] == queue->y[q])
                return false;
    return true;
}

static struct et_wide_source wide_source(const struct et_raster_plan *plan, unsigned output,
                                         const uint32_t (*registers)[ET_LANES], unsigned step)
{
    struct et_wide_source source = {{NULL}};
    for (unsigned c = 0; c < 4; c++)
        if (plan->output_mask[output] >> c & 1)
            source.component[c] = registers[(plan->output[output] + c) * step];
    return source;
}

static uint32_t load_bytes(const uint8_t *at, unsigned bytes)
{
    return bytes == 4 ? et_load32(at) : bytes == 2 ? at[0] | (uint32_t)at[1] << 8 : at[0];
}

static void store_words(const struct et_raster_plan *plan, const struct et_raster_worker *worker, unsigned i,
                        const struct pixels *pixels, const uint32_t texel[ET_LANES])
{
    const struct et_blend_plan *blend = &plan->color[i].blend;
    const unsigned bytes = blend->format->bytes, count = worker->queue.count * 4;
    const uint32_t keep = blend->keep[0];
    for (unsigned lane = 0; lane < count; lane++) {
        uint8_t *at = pixels->at[lane];
        uint32_t word = texel[lane];
        if (!at)
            continue;
        if (keep)
            word = (word & ~keep) | (load_bytes(at, bytes) & keep);
        if (bytes == 4)
            et_store32(at, word);
        else
            memcpy(at, &word, bytes);
    }
}

static void write_wide(const struct et_raster_plan *plan, struct et_raster_worker *worker, unsigned i,
                       const uint32_t (*registers)[ET_LANES], const uint16_t coverage[ET_LANES],
                       struct etalon_error *error)
{
    const struct et_blend_plan *blend = &plan->color[i].blend;
    const struct et_wide_source source = wide_source(plan, plan->color[i].output, registers, 1);
    uint32_t texel[ET_LANES] __attribute__((aligned(64)));
    if (blend->path == ET_BLEND_WRITE)
        plan->wide->write(blend, &source, ET_LANES, texel);
    for (unsigned s = 0; s < plan->samples->samples; s++) {
        struct pixels pixels;
        if (!find_pixels(plan, worker, i, coverage, s, &pixels, error))
            return;
        if (blend->path == ET_BLEND_CODES) {
            for (unsigned lane = 0; lane < ET_LANES; lane++)
                texel[lane] = lane < worker->queue.count * 4 && pixels.at[lane]
                                  ? load_bytes(pixels.at[lane], blend->format->bytes)
                                  : 0;
            plan->wide->blend(blend, &source, texel);
        }
        store_words(plan, worker, i, &pixels, texel);
    }
}

/* ---- cells ---- */

/* Where the cell is in a target; NULL: nowhere, which may be an error. */
static uint8_t *find_cell(const struct et_raster_plan *plan, struct et_raster_worker *worker, unsigned i,
                          const struct et_cell *cell, struct etalon_error *error)
{
    const struct et_surface *surface = &plan->color[i].surface;
    if (cell->primitive->p.layer >= surface->layers)
        return NULL;
    return et_surface_cell(surface, &worker->color_window[i], &worker->view, (uint32_t)cell->x,
                           (uint32_t)cell->y, target_layer(plan, i, cell->primitive), true, error);
}

/* One cell of a target: texel[] is what to write, unless it is blended first. */
static void write_cell(const struct et_raster_plan *plan, struct et_raster_worker *worker, unsigned i,
                       const struct et_cell *cell, const struct et_wide_source *source, const uint32_t *texel,
                       struct etalon_error *error)
{
    const struct et_blend_plan *blend = &plan->color[i].blend;
    const struct et_surface *surface = &plan->color[i].surface;
    const uint32_t keep = blend->keep[0];
    uint32_t old[ET_SURFACE_CELL_SAMPLES][ET_LANES] __attribute__((aligned(64)));
    uint32_t own[ET_SURFACE_CELL_SAMPLES][ET_LANES] __attribute__((aligned(64)));
    const uint32_t *from[ET_SURFACE_CELL_SAMPLES] = {texel, texel, texel, texel};
    uint8_t *const at = find_cell(plan, worker, i, cell, error);
    if (!at)
        return;
    if (blend->reads_target)
        plan->wide->load(surface, at, old);
    for (unsigned s = 0; s < plan->samples->samples && blend->reads_target; s++) {
        if (!cell->left[s])
            continue;
        from[s] = own[s];
        memcpy(own[s], blend->path == ET_BLEND_CODES ? old[s] : texel, sizeof own[s]);
        if (blend->path == ET_BLEND_CODES)
            plan->wide->blend(blend, source, own[s]);
        for (unsigned lane = 0; lane < ET_LANES && keep; lane++)
            own[s][lane] = (own[s][lane] & ~keep) | (old[s][lane] & keep);
    }
    plan->wide->store(surface, at, cell->left, from);
}

/* write_cells where texels take the place of what was there, one a pixel. */
static void put_cells(const struct et_raster_plan *plan, struct et_raster_worker *worker, unsigned i,
                      const struct et_cell *cell, unsigned cells, const struct et_wide_source *source,
                      struct etalon_error *error)
{
    uint32_t nowhere[ET_GOB_BYTES / 4];
    struct et_wide_place place[ET_TEAM];
    unsigned found;
    for (found = 0; found < cells && !error->status; found++) {
        uint8_t *const at = find_cell(plan, worker, i, &cell[found], error);
        place[found].at = at ? at : (uint8_t *)nowhere;
        place[found].lanes = at ? cell[found].left[0] : 0;
    }
    plan->wide->put(&plan->color[i].blend, &plan->color[i].surface, source, place, found);
}

/* write_wide of cells, in words. */
static void write_cells(const struct et_raster_plan *plan, struct et_raster_worker *worker, unsigned i,
                        const struct et_cell *cell, unsigned cells, const uint32_t (*registers)[ET_LANES],
                        struct etalon_error *error)
{
    const struct et_blend_plan *blend = &plan->color[i].blend;
    struct et_wide_source source = wide_source(plan, plan->color[i].output, registers, cells);
    uint32_t texel[ET_TEAM * ET_LANES] __attribute__((aligned(64)));
    if (blend->path == ET_BLEND_WRITE && !blend->reads_target && plan->samples->samples == 1) {
        put_cells(plan, worker, i, cell, cells, &source, error);
        return;
    }
    if (blend->path == ET_BLEND_WRITE)
        plan->wide->write(blend, &source, cells * ET_LANES, texel);
    for (unsigned n = 0; n < cells && !error->status; n++) {
        write_cell(plan, worker, i, &cell[n], &source, texel + n * ET_LANES, error);
        for (unsigned c = 0; c < 4 && blend->path == ET_BLEND_CODES; c++)
            if (source.component[c])
                source.component[c] += ET_LANES;
    }
}

/* Formats whose channels are whole 32-bit registers. */
static void write_raw(const struct et_raster_plan *plan, struct et_raster_worker *worker, unsigned i,
                      const uint32_t (*registers)[ET_LANES], const uint16_t coverage[ET_LANES],
                      struct etalon_error *error)
{
    const struct et_color_format *format = plan->color[i].blend.format;
    struct pixels pixels;
    if (!find_pixels(plan, worker, i, coverage, 0, &pixels, error))
        return;
    for (unsigned lane = 0; lane < worker->queue.count * 4; lane++) {
        uint32_t source[4];
        if (!pixels.at[lane])
            continue;
        et_output_read(plan, registers, lane, plan->color[i].output, source);
        for (unsigned c = 0; c < 4; c++)
            if (format->channel[c].width)
                et_store32(pixels.at[lane] + format->channel[c].low / 8, source[c]);
    }
}

static bool is_raw(const struct et_blend_plan *blend)
{
    const struct et_color_format *format = blend->format;
    for (unsigned c = 0; c < 4; c++)
        if (format->channel[c].width && format->channel[c].width != 32)
            return false;
    return blend->path == ET_BLEND_WRITE && !blend->reads_target;
}

static bool is_wide(const struct et_blend_plan *blend)
{
    return blend->format->kind == ET_COLOR_UNORM && blend->format->code_bits <= 10 &&
           (blend->path == ET_BLEND_WRITE || blend->path == ET_BLEND_CODES) && !blend->format->zeros;
}

static bool takes_cells(const struct et_raster_plan *plan, unsigned i)
{
    return plan->color[i].surface.cells_together && plan->color[i].blend.format->bytes == 4;
}

/* What the wide paths leave to the scalar one. */
static bool is_plain(const struct et_raster_plan *plan)
{
    return !plan->dual_source && !plan->smooth_lines && !plan->smooth_polygons &&
           !plan->state->sample.alpha_to_one && !plan->state->output.saturate;
}

bool et_output_takes_cells(const struct et_raster_plan *plan)
{
    bool takes = is_plain(plan);
    for (unsigned i = 0; i < plan->colors; i++)
        if (plan->color[i].active)
            takes &= is_wide(&plan->color[i].blend) && takes_cells(plan, i);
    return takes;
}

enum etalon_status et_output_cells(const struct et_raster_plan *plan, struct et_raster_worker *worker,
                                   const struct et_cell *cell, unsigned cells,
                                   const uint32_t (*registers)[ET_LANES], struct etalon_error *error)
{
    for (unsigned active = plan->active; active && !error->status; active &= active - 1)
        write_cells(plan, worker, (unsigned)__builtin_ctz(active), cell, cells, registers, error);
    return error->status;
}

enum etalon_status et_output_colors(const struct et_raster_plan *plan, struct et_raster_worker *worker,
                                    const uint32_t (*registers)[ET_LANES], const uint16_t coverage[ET_LANES],
                                    const struct et_cell *whole, struct etalon_error *error)
{
    const bool one = plan->samples->samples == 1;
    const bool plain = is_plain(plan);
    for (unsigned i = 0; i < plan->colors && !error->status; i++) {
        const struct et_blend_plan *blend = &plan->color[i].blend;
        if (!plan->color[i].active)
            continue;
        if (plain && one && is_raw(blend)) {
            write_raw(plan, worker, i, registers, coverage, error);
        } else if (plain && (one || plan->color[i].surface.cells_together) && is_wide(blend) &&
                   (!blend->reads_target || all_distinct(&worker->queue))) {
            if (whole && takes_cells(plan, i))
                write_cells(plan, worker, i, whole, 1, registers, error);
            else
                write_wide(plan, worker, i, registers, coverage, error);
        } else {
            write_scalar(plan, worker, i, registers, coverage, error);
        }
    }
    return error->status;
}
