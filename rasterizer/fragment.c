/* Quads: early tests, fragment warps, late tests, output. */
#include "rasterizer/fragment.h"

#include "base/bits.h"
#include "isa/numeric/plane-quad.h"
#include "rasterizer/convert.h"

/* Depth and stencil of one pixel's samples; returns those that pass. z: depth of each sample. */
static uint32_t test_samples(const struct et_raster_plan *plan, struct et_raster_worker *worker,
                             const struct et_raster_primitive *primitive, int32_t x, int32_t y,
                             uint32_t coverage, const float *z, struct etalon_error *error)
{
    const struct et_sample_layout *layout = plan->samples;
    const struct et_sample_mode *order = et_sample_mode(layout->mode);
    const uint32_t bytes = plan->depth_surface.bytes;
    uint32_t passed = 0;
    if (primitive->p.layer >= plan->depth_surface.layers)
        return 0;
    for (unsigned s = 0; s < layout->samples; s++) {
        uint8_t texel[8], *at;
        if (!(coverage >> s & 1))
            continue;
        const uint32_t ex = ((uint32_t)x << layout->width_log2) + order->x[s];
        const uint32_t ey = ((uint32_t)y << layout->height_log2) + order->y[s];
        const uint32_t layer = primitive->p.layer + plan->state->output.depth.layer;
        const uint32_t code = et_depth_code(plan->depth.format, z[s]);
        at = et_surface_element(&plan->depth_surface, &worker->depth_window, &worker->view, ex, ey, layer,
                                false, error);
        if (!at)
            return passed;
        memcpy(texel, at, bytes);
        if (et_depth_sample(&plan->depth, primitive->p.front, code, texel))
            passed |= 1u << s;
        if (!memcmp(texel, at, bytes))
            continue;
        at = et_surface_element(&plan->depth_surface, &worker->depth_window, &worker->view, ex, ey, layer,
                                true, error);
        if (!at)
            return passed;
        memcpy(at, texel, bytes);
    }
    return passed;
}

/* Depth of each sample of a pixel from the primitive's plane. */
static void raw_depth(const struct et_raster_plan *plan, const struct et_raster_primitive *primitive,
                      int32_t x, int32_t y, float z[ET_SAMPLES_MAX])
{
    const unsigned samples = plan->samples->samples, place = (unsigned)(y & 1) * 2 + (unsigned)(x & 1);
    int32_t sx[ET_SAMPLES_MAX] = {0}, sy[ET_SAMPLES_MAX] = {0};
    for (unsigned s = 0; s < samples; s++) {
        sx[s] = x * 256 + plan->position[place][s][0] * 16;
        sy[s] = y * 256 + plan->position[place][s][1] * 16;
    }
    et_plane_evaluate(&primitive->p.z, samples, sx, sy, z);
}

static float clamped(const struct et_raster_primitive *primitive, float z)
{
    return z < primitive->min_z ? primitive->min_z : z > primitive->max_z ? primitive->max_z : z;
}

/* The same, clamped to the viewport's range. */
static void plane_depth(const struct et_raster_plan *plan, const struct et_raster_primitive *primitive,
                        int32_t x, int32_t y, float z[ET_SAMPLES_MAX])
{
    raw_depth(plan, primitive, x, y, z);
    for (unsigned s = 0; s < plan->samples->samples; s++)
        z[s] = clamped(primitive, z[s]);
}

/* Whether depth lies where the primitive is cut off. */
static bool is_cut(const struct et_raster_primitive *primitive, float z)
{
    return (primitive->cuts_below && z < primitive->min_z) || (primitive->cuts_above && z > primitive->max_z);
}

uint16_t et_fragment_cut(const struct et_raster_plan *plan, const struct et_raster_primitive *primitive,
                         int32_t x, int32_t y, uint16_t coverage)
{
    float z[ET_SAMPLES_MAX];
    if (plan->writes_depth || !(primitive->cuts_below || primitive->cuts_above))
        return coverage; /* a program's own depth is cut instead */
    raw_depth(plan, primitive, x, y, z);
    for (unsigned s = 0; s < plan->samples->samples; s++)
        if (is_cut(primitive, z[s]))
            coverage &= (uint16_t) ~(1u << s);
    return coverage;
}

static uint32_t test_plane(const struct et_raster_plan *plan, struct et_raster_worker *worker,
                           const struct et_raster_primitive *primitive, int32_t x, int32_t y,
                           uint32_t coverage, struct etalon_error *error)
{
    float z[ET_SAMPLES_MAX];
    if (!plan->depth.active)
        return coverage;
    plane_depth(plan, primitive, x, y, z);
    return test_samples(plan, worker, primitive, x, y, coverage, z, error);
}

/* test_plane of a quad's pixels where the plan's depth is plain. */
static void test_quad(const struct et_raster_plan *plan, struct et_raster_worker *worker,
                      const struct et_raster_primitive *primitive, int32_t x, int32_t y, uint16_t coverage[4],
                      struct etalon_error *error)
{
    const struct et_surface *surface = &plan->depth_surface;
    const uint32_t cell_x = (uint32_t)x & ~7u, cell_y = (uint32_t)y & ~3u;
    const uint32_t layer = primitive->p.layer + plan->state->output.depth.layer;
    const unsigned first = ET_QUAD_OF_CELL(x, y) * 4;
    const uint8_t *from;
    uint8_t *to = NULL;
    if (primitive->p.layer >= surface->layers) {
        memset(coverage, 0, 4 * sizeof *coverage);
        return;
    }
    from =
        et_surface_cell(surface, &worker->depth_window, &worker->view, cell_x, cell_y, layer, false, error);
    for (unsigned s = 0; s < plan->samples->samples && from; s++) {
        float z[4];
        et_plane_quad(&primitive->p.z, x * 256 + plan->position[0][s][0] * 16,
                      y * 256 + plan->position[0][s][1] * 16, z);
        for (unsigned i = 0; i < 4; i++) {
            const unsigned at = surface->offset[s][first + i];
            const uint32_t code = et_float_bits(et_depth_float(clamped(primitive, z[i])));
            const uint32_t stored = et_load32(from + at);
            if (!(coverage[i] >> s & 1))
                continue;
            if (!et_depth_holds(plan->depth.function, code, stored)) {
                coverage[i] &= (uint16_t) ~(1u << s);
                continue;
            }
            if (!plan->depth.writes_depth || code == stored)
                continue;
            if (!to)
                to = et_surface_cell(surface, &worker->depth_window, &worker->view, cell_x, cell_y, layer,
                                     true, error);
            if (!to)
                return;
            et_store32(to + at, code);
        }
    }
}

uint16_t et_fragment_test(const struct et_raster_plan *plan, struct et_raster_worker *worker,
                          const struct et_raster_primitive *primitive, int32_t x, int32_t y,
                          uint16_t coverage, struct etalon_error *error)
{
    if (!plan->early || !coverage)
        return coverage;
    coverage = (uint16_t)test_plane(plan, worker, primitive, x, y, coverage, error);
    worker->zpass += (unsigned)__builtin_popcount(coverage);
    return coverage;
}

/* Samples of run `pass` of `passes`. [HW:H200 for 4 by 2 and 8 by 4; DRV: NVK's masks for 8 by 2; INF beyond]
 */
static uint32_t samples_of_pass(unsigned samples, unsigned passes, unsigned pass)
{
    static const struct {
        uint8_t samples, passes, subset[4];
    } sets[] = {{4, 2, {0x05, 0x0a}}, {8, 2, {0xc5, 0x3a}}, {8, 4, {0x81, 0x12, 0x44, 0x28}}};
    const unsigned each = samples / passes;
    for (size_t i = 0; i < ET_COUNT(sets); i++)
        if (sets[i].samples == samples && sets[i].passes == passes)
            return sets[i].subset[pass];
    return ((1u << each) - 1) << (pass * each);
}

enum etalon_status et_fragment_enqueue(const struct et_raster_plan *plan, struct et_raster_worker *worker,
                                       struct et_raster_primitive *primitive, int32_t x, int32_t y,
                                       const uint16_t coverage[4], const uint16_t shown[4], uint8_t sample,
                                       uint8_t rate, struct etalon_error *error)
{
    struct et_fragment_queue *queue = &worker->queue;
    const enum etalon_status status = worker->pending_count ? et_cells_run(plan, worker, error) : ETALON_OK;
    if (status)
        return status;
    const unsigned at = queue->count++;
    queue->primitive[at] = primitive;
    queue->x[at] = x;
    queue->y[at] = y;
    queue->sample[at] = sample;
    queue->rate[at] = rate;
    queue->coarse = (at && queue->coarse) || rate;
    memcpy(queue->coverage + at * 4, coverage, 4 * sizeof *coverage);
    memcpy(queue->shown + at * 4, shown, 4 * sizeof *shown);
    return queue->count == 8 ? et_fragment_flush(plan, worker, error) : ETALON_OK;
}

enum etalon_status et_fragment_add(const struct et_raster_plan *plan, struct et_raster_worker *worker,
                                   struct et_raster_primitive *primitive, int32_t x, int32_t y,
                                   const uint16_t given[4], struct etalon_error *error)
{
    uint16_t coverage[4], left[4], live = 0;
    for (unsigned i = 0; i < 4; i++)
        coverage[i] = et_fragment_cut(plan, primitive, x + (int32_t)(i & 1), y + (int32_t)(i >> 1), given[i]);
    memcpy(left, coverage, sizeof left);
    if (plan->early && plan->plain_depth)
        test_quad(plan, worker, primitive, x, y, left, error);
    for (unsigned i = 0; i < 4; i++) {
        if (plan->early && left[i]) {
            if (plan->depth.active && !plan->plain_depth)
                left[i] = (uint16_t)test_plane(plan, worker, primitive, x + (int32_t)(i & 1),
                                               y + (int32_t)(i >> 1), left[i], error);
            worker->zpass += left[i] < 2 ? left[i] : (unsigned)__builtin_popcount(left[i]);
        }
        live |= left[i];
    }
    if (error->status)
        return error->status;
    if (!live || !plan->has_fragment)
        return ETALON_OK;
    for (unsigned pass = 0; pass < plan->passes; pass++) {
        const uint32_t subset = samples_of_pass(plan->samples->samples, plan->passes, pass);
        enum etalon_status status;
        uint16_t part[4], shown[4];
        if (!(live & subset))
            continue;
        for (unsigned i = 0; i < 4; i++) {
            part[i] = left[i] & (uint16_t)subset;
            shown[i] = plan->state->depth_stencil.post_z_imask ? part[i] : coverage[i] & (uint16_t)subset;
        }
        status = et_fragment_enqueue(plan, worker, primitive, x, y, part, shown, (uint8_t)pass, 0, error);
        if (status)
            return status;
    }
    return ETALON_OK;
}

/* What the shader's outputs take from a lane's coverage: sample mask, alpha test, alpha to coverage. */
static uint32_t late_coverage(const struct et_raster_plan *plan, const struct et_fragment_queue *queue,
                              int32_t x, int32_t y, uint32_t coverage, const uint32_t (*registers)[ET_LANES],
                              unsigned lane)
{
    const struct et_sample_state *sample = &plan->state->sample;
    const unsigned samples = plan->samples->samples;
    uint32_t color[4];
    if (plan->mask_register != ET_NO_OUTPUT && sample->mask_output)
        coverage &= registers[plan->mask_register][lane];
    if (plan->alpha_comparison > 7 && !sample->alpha_to_coverage)
        return coverage;
    et_output_read(plan, registers, lane, 0, color);
    et_output_fade(plan->state, queue, lane, color);
    if (plan->alpha_comparison <= 7 &&
        !et_compare_float(plan->alpha_comparison, et_float(color[3]), plan->state->output.alpha_reference))
        return 0;
    if (sample->alpha_to_coverage && plan->colors)
        coverage &= et_alpha_coverage(et_alpha_code(plan->alpha_format, et_float(color[3])), samples, x, y,
                                      sample->alpha_to_coverage_dither);
    return coverage;
}

static uint32_t late_tests(const struct et_raster_plan *plan, struct et_raster_worker *worker,
                           const struct et_raster_primitive *primitive, int32_t x, int32_t y,
                           uint32_t coverage, const uint32_t (*registers)[ET_LANES], unsigned lane,
                           struct etalon_error *error)
{
    const float written = plan->writes_depth ? et_float(registers[plan->depth_register][lane]) : 0;
    if (plan->writes_depth && is_cut(primitive, written))
        return 0;
    if (plan->depth.active && plan->writes_depth) {
        float z[ET_SAMPLES_MAX];
        const float value = clamped(primitive, written);
        for (unsigned s = 0; s < ET_SAMPLES_MAX; s++)
            z[s] = value;
        coverage = test_samples(plan, worker, primitive, x, y, coverage, z, error);
    } else {
        coverage = test_plane(plan, worker, primitive, x, y, coverage, error);
    }
    worker->zpass += (unsigned)__builtin_popcount(coverage);
    return coverage;
}

/* Samples of a lane that its outputs are written to. */
static uint32_t final_coverage(const struct et_raster_plan *plan, struct et_raster_worker *worker,
                               unsigned lane, const uint32_t (*registers)[ET_LANES],
                               struct etalon_error *error)
{
    const struct et_fragment_queue *queue = &worker->queue;
    const unsigned quad = lane / 4;
    const int32_t x = queue->x[quad] + (int32_t)(lane & 1), y = queue->y[quad] + (int32_t)(lane >> 1 & 1);
    uint32_t coverage = queue->coverage[lane];
    if (plan->kills)
        coverage = late_coverage(plan, queue, x, y, coverage, registers, lane);
    if (coverage && !plan->early)
        coverage = late_tests(plan, worker, queue->primitive[quad], x, y, coverage, registers, lane, error);
    return coverage;
}

enum etalon_status et_fragment_finish(const struct et_raster_plan *plan, struct et_raster_worker *worker,
                                      const struct et_warp_io *io, const struct et_cell *cell,
                                      struct etalon_error *error)
{
    const struct et_fragment_queue *queue = &worker->queue;
    const struct et_fragment_io *fragment = io->fragment;
    const bool settled = plan->early && !plan->kills; /* nothing that the program gave changes coverage */
    uint16_t coverage[ET_LANES] = {0};
    enum etalon_status status = ETALON_OK;
    if (cell && settled && !fragment->killed)
        return et_output_colors(plan, worker, io->registers, queue->coverage, cell, error);
    for (unsigned lane = 0; lane < queue->count * 4 && settled; lane++)
        coverage[lane] = fragment->killed >> lane & 1 ? 0 : queue->coverage[lane];
    for (unsigned lane = 0; lane < queue->count * 4 && !status && !settled; lane++) {
        coverage[lane] = (fragment->helpers | fragment->killed) >> lane & 1
                             ? 0
                             : (uint16_t)final_coverage(plan, worker, lane, io->registers, error);
        status = error->status;
    }
    if (!status)
        status = et_output_colors(plan, worker, io->registers, coverage, NULL, error);
    return status;
}

enum etalon_status et_fragment_flush(const struct et_raster_plan *plan, struct et_raster_worker *worker,
                                     struct etalon_error *error)
{
    struct et_fragment_queue *queue = &worker->queue;
    struct et_fragment_io fragment = {.layout = &plan->layout,
                                      .samples = plan->samples->samples,
                                      .passes = plan->passes,
                                      .position = plan->position,
                                      .mask_sample = plan->mask_sample,
                                      .centroid_per_pass = plan->state->sample.centroid_per_pass};
    struct et_warp_io io = {.fragment = &fragment, .warp = worker->warps};
    enum etalon_status status = worker->pending_count ? et_cells_run(plan, worker, error) : ETALON_OK;
    if (status || !queue->count)
        return status;
    io.warp = worker->warps;
    io.lanes = queue->count == 8 ? 0xffffffff : (1u << (queue->count * 4)) - 1;
    for (unsigned quad = 0; quad < queue->count; quad++) {
        fragment.primitive[quad] = &queue->primitive[quad]->p;
        fragment.x[quad] = queue->x[quad];
        fragment.y[quad] = queue->y[quad];
        fragment.sample[quad] = queue->sample[quad];
        fragment.rate[quad] = queue->coarse ? queue->rate[quad] : 0;
    }
    fragment.coarse = queue->coarse;
    for (unsigned lane = 0; lane < queue->count * 4; lane++) {
        fragment.coverage[lane] = queue->shown[lane];
        if (!queue->coverage[lane])
            fragment.helpers |= 1u << lane;
    }
    worker->warps++;
    worker->ps_invocations += queue->count * 4 - (unsigned)__builtin_popcount(fragment.helpers);
    status = worker->run(worker->user, &io, error);
    if (!status)
        status = queue->coarse ? et_fragment_spread(plan, worker, &io, error)
                               : et_fragment_finish(plan, worker, &io, NULL, error);
    queue->count = 0;
    return status;
}
