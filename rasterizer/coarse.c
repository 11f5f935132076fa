/* Coarse fragments: Ampere's variable shading rates.
 *
 * A fragment stands for 1, 2 or 4 pixels across and down, aligned to its size; its program runs once at the
 * middle of them, and its outputs go to all their samples that are covered and pass the tests, each with its
 * own depth. Derivatives are between fragments of one size. Where samples make a pixel wide, the size shrinks
 * until the samples of all its pixels are 16 at most. Runs a sample turn coarse fragments off. [DOC:
 * VK_KHR_fragment_shading_rate; DRV: NVK's tables and limits] */
#include "rasterizer/fragment.h"

#include "base/bits.h"

enum { RATE_CULL = 0, RATE_PIXEL = 5, RATE_LAST = 11, INDEX_SIZE_LOG2 = 4 };

/* Log2 across and down of the rates from RATE_PIXEL on. */
static const uint8_t sizes[][2] = {{0, 0}, {1, 0}, {0, 1}, {1, 1}, {2, 1}, {1, 2}, {2, 2}};

/* The shapes (log2 across, down) and samples a pixel for which SET_VARIABLE_PIXEL_RATE_SAMPLE_ORDER holds the
 * bit that each sample has in masks, pixels rows first, in as many bits as it takes. NVK's words, which turn
 * the pixels around, are read so without a rest, and an H200 shows masks turned around. [HW:H200; INF: which
 * way, as no order seen is another than its inverse] */
static const uint8_t orders[][3] = {{0, 1, 1}, {0, 1, 2}, {0, 1, 4}, {0, 1, 8}, {1, 0, 1},
                                    {1, 0, 2}, {1, 0, 4}, {1, 1, 1}, {1, 1, 2}, {1, 1, 4},
                                    {1, 2, 1}, {1, 2, 2}, {2, 1, 1}, {2, 2, 1}};

static void resolve_masks(struct et_raster_plan *plan)
{
    const uint32_t *words = plan->state->rates.sample_order;
    bool written = false;
    unsigned at = 0;
    for (unsigned i = 0; i < ET_COUNT(plan->state->rates.sample_order); i++)
        written |= words[i] != 0;
    for (unsigned size = 0; size < ET_FRAGMENT_SIZES; size++)
        for (unsigned k = 0; k < 16; k++)
            plan->mask_bit[size][k] = plan->mask_sample[size][k] = (uint8_t)k;
    for (unsigned i = 0; i < ET_COUNT(orders) && written; i++) {
        const unsigned size = orders[i][0] + 3u * orders[i][1],
                       count = orders[i][2] << (orders[i][0] + orders[i][1]),
                       bits = (unsigned)__builtin_ctz(count);
        for (unsigned k = 0; k < count; k++, at += bits) {
            const unsigned bit = (unsigned)et_bits_of_words(words, at, bits);
            if (orders[i][2] != plan->samples->samples)
                continue;
            plan->mask_bit[size][k] = (uint8_t)bit;
            plan->mask_sample[size][bit] = (uint8_t)k;
        }
    }
}

enum etalon_status et_coarse_plan(struct et_raster_plan *plan, const struct et_sph *last,
                                  struct etalon_error *error)
{
    const struct et_shading_rates *rates = &plan->state->rates;
    for (unsigned table = 0; table < 16; table++) {
        if (!rates->enable[table] || plan->passes > 1 || (rates->source == 2 && table != rates->constant))
            continue;
        for (unsigned i = 0; i < 16; i++) {
            const unsigned rate = rates->rate[table][i];
            if (rate > RATE_LAST || (rate > RATE_CULL && rate < RATE_PIXEL))
                return et_fail(error, ETALON_UNSUPPORTED, "shading rate 0x%x", rate);
            plan->coarse |= rate != RATE_PIXEL;
        }
    }
    if (plan->coarse)
        resolve_masks(plan);
    plan->shader_rate_table = et_sph_has(last->output, ET_WORD_RATE_TABLE);
    plan->rate_surface.address = 0;
    return plan->coarse && rates->index.address
               ? et_surface_init(&plan->rate_surface, &rates->index, 1, error)
               : ETALON_OK;
}

/* The rate's number of the square that holds pixel (x, y). */
static unsigned rate_at(const struct et_raster_plan *plan, struct et_raster_worker *worker,
                        const struct et_raster_primitive *primitive, int32_t x, int32_t y,
                        struct etalon_error *error)
{
    const struct et_shading_rates *rates = &plan->state->rates;
    const struct et_surface *surface = &plan->rate_surface;
    const uint32_t ex = (uint32_t)x >> INDEX_SIZE_LOG2, ey = (uint32_t)y >> INDEX_SIZE_LOG2;
    const uint32_t layer = rates->index.layer + primitive->p.layer;
    unsigned index = 0;
    if (!rates->enable[primitive->rate_table])
        return RATE_PIXEL;
    if (surface->address && ex < rates->index_width && ey < surface->height && layer < surface->layers) {
        const uint8_t *at =
            et_surface_element(surface, &worker->rate_window, &worker->view, ex, ey, layer, false, error);
        index = at ? *at & 15 : 0;
    }
    return rates->rate[primitive->rate_table][index];
}

/* The covered samples of the block's pixel (x, y). */
static uint16_t covered_at(const uint16_t coverage[2 * ET_LANES], unsigned x, unsigned y)
{
    return coverage[(y >> 2) * ET_LANES + ET_QUAD_OF_CELL(x, y) * 4 + (y & 1) * 2 + (x & 1)];
}

/* A coarse fragment's samples, pixels rows first, as programs see them. */
static uint16_t turned(const uint8_t bit[16], uint16_t samples)
{
    uint16_t mask = 0;
    for (unsigned k = 0; k < 16; k++)
        mask |= (uint16_t)((samples >> k & 1) << bit[k]);
    return mask;
}

/* A quad of coarse fragments from the block's pixel (x, y). */
static enum etalon_status add_quad(const struct et_raster_plan *plan, struct et_raster_worker *worker,
                                   struct et_raster_primitive *primitive, int32_t block_x, int32_t block_y,
                                   unsigned x, unsigned y, const uint8_t size[2], const uint16_t *coverage,
                                   struct etalon_error *error)
{
    const unsigned samples = plan->samples->samples, pixels = 1u << (size[0] + size[1]);
    uint16_t left[4] = {0}, shown[4] = {0}, live = 0;
    for (unsigned lane = 0; lane < 4; lane++) {
        for (unsigned p = 0; p < pixels; p++) {
            const unsigned px = x + ((lane & 1) << size[0]) + (p & ((1u << size[0]) - 1)),
                           py = y + ((lane >> 1) << size[1]) + (p >> size[0]);
            const int32_t at_x = block_x + (int32_t)px, at_y = block_y + (int32_t)py;
            uint16_t mask = covered_at(coverage, px, py);
            if (!mask)
                continue;
            mask = et_fragment_cut(plan, primitive, at_x, at_y, mask);
            shown[lane] |= (uint16_t)(mask << (p * samples));
            left[lane] |= (uint16_t)(et_fragment_test(plan, worker, primitive, at_x, at_y, mask, error)
                                     << (p * samples));
        }
        live |= left[lane];
        shown[lane] = turned(plan->mask_bit[size[0] + 3 * size[1]],
                             plan->state->depth_stencil.post_z_imask ? left[lane] : shown[lane]);
    }
    if (error->status)
        return error->status;
    if (!live || !plan->has_fragment)
        return ETALON_OK;
    return et_fragment_enqueue(plan, worker, primitive, block_x + (int32_t)x, block_y + (int32_t)y, left,
                               shown, 0, (uint8_t)(size[0] | size[1] << 4), error);
}

enum etalon_status et_fragment_block(const struct et_raster_plan *plan, struct et_raster_worker *worker,
                                     struct et_raster_primitive *primitive, int32_t x, int32_t y,
                                     const uint16_t coverage[2 * ET_LANES], struct etalon_error *error)
{
    const unsigned rate = rate_at(plan, worker, primitive, x, y, error);
    enum etalon_status status = error->status;
    if (rate == RATE_CULL || status)
        return status;
    const uint8_t size[2] = {ET_MIN(sizes[rate - RATE_PIXEL][0], 2 - plan->samples->width_log2),
                             ET_MIN(sizes[rate - RATE_PIXEL][1], 2 - plan->samples->height_log2)};
    for (unsigned quad = 0; quad < 16 && !(size[0] | size[1]) && !status; quad++)
        if (coverage[quad * 4] | coverage[quad * 4 + 1] | coverage[quad * 4 + 2] | coverage[quad * 4 + 3])
            status = et_fragment_add(plan, worker, primitive, x + (int32_t)(quad & 3) * 2,
                                     y + (int32_t)(quad >> 2) * 2, coverage + quad * 4, error);
    for (unsigned v = 0; v < 8 && (size[0] | size[1]) && !status; v += 2u << size[1])
        for (unsigned u = 0; u < 8 && !status; u += 2u << size[0])
            status = add_quad(plan, worker, primitive, x, y, u, v, size, coverage, error);
    return status;
}

/* Quads of pixels on their way to the output. */
struct spread {
    const struct et_raster_plan *plan;
    struct et_raster_worker *worker;
    uint32_t from[ET_TARGETS * 4 + 2][ET_LANES], to[ET_TARGETS * 4 + 2][ET_LANES];
    struct et_fragment_io fragment;
};

static enum etalon_status finish_spread(struct spread *s, struct etalon_error *error)
{
    const struct et_warp_io io = {
        .fragment = &s->fragment, .registers = (const uint32_t(*)[ET_LANES])s->to, .register_step = 1};
    struct et_fragment_queue *queue = &s->worker->queue;
    const enum etalon_status status =
        queue->count ? et_fragment_finish(s->plan, s->worker, &io, NULL, error) : ETALON_OK;
    s->fragment = (struct et_fragment_io){0};
    queue->count = 0;
    return status;
}

/* The quad of pixels at (x, y) of coarse quad `quad`, whose lanes have run. */
static enum etalon_status spread_quad(struct spread *s, const struct et_fragment_queue *coarse, unsigned quad,
                                      const struct et_fragment_io *ran, unsigned x, unsigned y,
                                      struct etalon_error *error)
{
    struct et_fragment_queue *queue = &s->worker->queue;
    const unsigned across = coarse->rate[quad] & 15, down = coarse->rate[quad] >> 4;
    const unsigned samples = s->plan->samples->samples, at = queue->count;
    const uint8_t *const sample_of_bit = s->plan->mask_sample[ET_FRAGMENT_SIZE(coarse->rate[quad])];
    uint16_t live = 0;
    for (unsigned n = 0; n < 4; n++) {
        const unsigned px = x + (n & 1), py = y + (n >> 1), to = at * 4 + n;
        const unsigned lane = quad * 4 + (py >> down) * 2 + (px >> across);
        const unsigned first = samples * ((py & ((1u << down) - 1)) << across | (px & ((1u << across) - 1)));
        queue->coverage[to] = (uint16_t)(coarse->coverage[lane] >> first & ((1u << samples) - 1));
        live |= queue->coverage[to];
        for (unsigned r = 0; r < s->plan->registers; r++)
            s->to[r][to] = r == s->plan->mask_register
                               ? (uint32_t)turned(sample_of_bit, (uint16_t)s->from[r][lane]) >> first
                               : s->from[r][lane];
        s->fragment.helpers |= (uint32_t)!queue->coverage[to] << to;
        s->fragment.killed |= (ran->killed >> lane & 1) << to;
    }
    if (!live) {
        s->fragment.helpers &= ~(15u << at * 4);
        s->fragment.killed &= ~(15u << at * 4);
        return ETALON_OK;
    }
    queue->primitive[at] = coarse->primitive[quad];
    queue->x[at] = coarse->x[quad] + (int32_t)x;
    queue->y[at] = coarse->y[quad] + (int32_t)y;
    queue->sample[at] = 0;
    return ++queue->count == 8 ? finish_spread(s, error) : ETALON_OK;
}

enum etalon_status et_fragment_spread(const struct et_raster_plan *plan, struct et_raster_worker *worker,
                                      const struct et_warp_io *io, struct etalon_error *error)
{
    const struct et_fragment_queue coarse = worker->queue;
    struct spread s = {.plan = plan, .worker = worker};
    enum etalon_status status = ETALON_OK;
    for (unsigned r = 0; r < plan->registers; r++)
        memcpy(s.from[r], io->registers[r], sizeof s.from[r]);
    worker->queue.count = 0;
    worker->queue.coarse = false;
    for (unsigned quad = 0; quad < coarse.count; quad++)
        for (unsigned y = 0; y < 2u << (coarse.rate[quad] >> 4); y += 2)
            for (unsigned x = 0; x < 2u << (coarse.rate[quad] & 15) && !status; x += 2)
                status = spread_quad(&s, &coarse, quad, io->fragment, x, y, error);
    return status ? status : finish_spread(&s, error);
}
