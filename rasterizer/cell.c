/* Cells: 8x4 pixels of one primitive that run as one fragment warp, four such warps as a team. */
#include "rasterizer/fragment.h"

#include "base/bits.h"

/* ---- early depth ---- */

/* The lanes of each sample of a cell whose depth passes, where the plan's depth is plain. */
static void test_cell(const struct et_raster_plan *plan, struct et_raster_worker *worker,
                      const struct et_raster_primitive *primitive, int32_t x, int32_t y,
                      const uint32_t *covered, uint32_t *passed, struct etalon_error *error)
{
    const struct et_surface *surface = &plan->depth_surface;
    const unsigned samples = plan->samples->samples;
    const uint32_t layer = primitive->p.layer + plan->state->output.depth.layer;
    uint32_t texel[ET_SURFACE_CELL_SAMPLES][ET_LANES] __attribute__((aligned(64)));
    uint32_t changed[ET_SURFACE_CELL_SAMPLES], any = 0;
    const uint32_t *const from[ET_SURFACE_CELL_SAMPLES] = {texel[0], texel[1], texel[2], texel[3]};
    uint8_t *cell = NULL;
    memset(passed, 0, samples * sizeof *passed);
    if (primitive->p.layer < surface->layers)
        cell = et_surface_cell(surface, &worker->depth_window, &worker->view, (uint32_t)x, (uint32_t)y, layer,
                               false, error);
    if (!cell)
        return;
    plan->wide->load(surface, cell, texel);
    for (unsigned s = 0; s < samples; s++) {
        passed[s] = plan->wide->depth(
            &primitive->p.z, x * 256 + plan->position[0][s][0] * 16, y * 256 + plan->position[0][s][1] * 16,
            primitive->min_z, primitive->max_z, plan->depth.function, covered[s], texel[s], &changed[s]);
        any |= changed[s];
    }
    if (!plan->depth.writes_depth || !any)
        return;
    cell = et_surface_cell(surface, &worker->depth_window, &worker->view, (uint32_t)x, (uint32_t)y, layer,
                           true, error);
    if (cell)
        plan->wide->store(surface, cell, changed, from);
}

/* ---- to quads ---- */

/* The lowest lane of each quad that has a lane. */
static uint32_t quads_of(uint32_t lanes)
{
    return (lanes | lanes >> 1 | lanes >> 2 | lanes >> 3) & 0x11111111;
}

/* Queues a cell's quads, after the early tests. */
static enum etalon_status queue_quads(const struct et_raster_plan *plan, struct et_raster_worker *worker,
                                      const struct et_cell *cell, struct etalon_error *error)
{
    const unsigned samples = plan->samples->samples;
    uint16_t left[ET_LANES], shown[ET_LANES];
    const uint32_t quads = quads_of(cell->any);
    plan->wide->spread(cell->left, samples, left);
    plan->wide->spread(cell->shown, samples, shown);
    for (unsigned quad = 0; quad < 8; quad++) {
        enum etalon_status status;
        if (!(quads >> (quad * 4) & 1))
            continue;
        status = et_fragment_enqueue(plan, worker, cell->primitive, cell->x + (int32_t)(quad & 3) * 2,
                                     cell->y + (int32_t)(quad >> 2) * 2, left + quad * 4, shown + quad * 4, 0,
                                     0, error);
        if (status)
            return status;
    }
    return ETALON_OK;
}

/* ---- warps ---- */

/* The inputs of the cell's warp. */
static inline struct et_fragment_io *cell_io(const struct et_raster_plan *plan,
                                             struct et_raster_worker *worker, unsigned n,
                                             const struct et_cell *cell)
{
    struct et_fragment_io *fragment = &worker->cell[n];
    if (!fragment->layout)
        *fragment = (struct et_fragment_io){.layout = &plan->layout,
                                            .cell = true,
                                            .samples = plan->samples->samples,
                                            .passes = plan->passes,
                                            .position = plan->position,
                                            .centroid_per_pass = plan->state->sample.centroid_per_pass};
    fragment->primitive[0] = &cell->primitive->p;
    fragment->x[0] = cell->x;
    fragment->y[0] = cell->y;
    fragment->shown = cell->shown;
    fragment->helpers = ~cell->any;
    fragment->row = false;
    return fragment;
}

/* The cell as the queue's quads. */
static void queue_cell(const struct et_raster_plan *plan, struct et_raster_worker *worker,
                       const struct et_cell *cell)
{
    struct et_fragment_queue *queue = &worker->queue;
    plan->wide->spread(cell->left, plan->samples->samples, queue->coverage);
    plan->wide->spread(cell->shown, plan->samples->samples, queue->shown);
    memset(queue->sample, 0, sizeof queue->sample);
    queue->count = 8;
    queue->coarse = false;
    for (unsigned quad = 0; quad < 8; quad++) {
        queue->primitive[quad] = cell->primitive;
        queue->x[quad] = cell->x + (int32_t)(quad & 3) * 2;
        queue->y[quad] = cell->y + (int32_t)(quad >> 2) * 2;
    }
}

static enum etalon_status finish_cell(const struct et_raster_plan *plan, struct et_raster_worker *worker,
                                      const struct et_cell *cell, struct et_warp_io *io,
                                      struct etalon_error *error)
{
    uint32_t registers[ET_TARGETS * 4 + 2][ET_LANES];
    enum etalon_status status;
    worker->ps_invocations += cell->pixels;
    if (plan->cells_settled && !io->fragment->killed && io->register_step == 1)
        return et_output_cells(plan, worker, cell, 1, io->registers, error);
    if (io->register_step > 1) {
        for (unsigned n = 0; n < plan->registers; n++)
            memcpy(registers[n], io->registers[n * io->register_step], sizeof registers[n]);
        io->registers = (const uint32_t(*)[ET_LANES])registers;
    }
    queue_cell(plan, worker, cell);
    status = et_fragment_finish(plan, worker, io, cell, error);
    worker->queue.count = 0;
    return status;
}

static enum etalon_status run_cell(const struct et_raster_plan *plan, struct et_raster_worker *worker,
                                   const struct et_cell *cell, struct etalon_error *error)
{
    struct et_warp_io io = {.fragment = cell_io(plan, worker, 0, cell),
                            .lanes = quads_of(cell->any) * 15,
                            .warp = worker->warps++,
                            .register_step = 1};
    const enum etalon_status status = worker->run(worker->user, &io, error);
    return status ? status : finish_cell(plan, worker, cell, &io, error);
}

enum { PARTED_MAX = 4 }; /* teams of a draw that may part before its cells run alone */

/* Whether a team's cells are of one primitive, side by side. */
static bool is_row(const struct et_cell cell[ET_TEAM])
{
    bool row = true;
    for (int32_t n = 1; n < ET_TEAM; n++)
        row &= cell[n].primitive == cell->primitive && cell[n].y == cell->y && cell[n].x == cell->x + 8 * n;
    return row;
}

/* Every lane runs, those without a pixel too: nothing that a team's program does reaches another quad. */
static bool run_team(const struct et_raster_plan *plan, struct et_raster_worker *worker,
                     struct et_warp_io io[ET_TEAM])
{
    for (unsigned n = 0; n < ET_TEAM; n++)
        io[n] = (struct et_warp_io){.fragment = cell_io(plan, worker, n, &worker->pending[n]),
                                    .lanes = ~0u,
                                    .warp = worker->warps + n};
    worker->cell[0].row = is_row(worker->pending);
    if (!worker->run_team(worker->user, io)) {
        worker->parted++;
        return false;
    }
    worker->warps += ET_TEAM;
    return true;
}

static enum etalon_status finish_team(const struct et_raster_plan *plan, struct et_raster_worker *worker,
                                      struct et_warp_io io[ET_TEAM], struct etalon_error *error)
{
    enum etalon_status status = ETALON_OK;
    uint32_t killed = 0;
    for (unsigned n = 0; n < ET_TEAM; n++)
        killed |= io[n].fragment->killed;
    if (plan->cells_settled && !killed) {
        for (unsigned n = 0; n < ET_TEAM; n++)
            worker->ps_invocations += worker->pending[n].pixels;
        return et_output_cells(plan, worker, worker->pending, ET_TEAM, io->registers, error);
    }
    for (unsigned n = 0; n < ET_TEAM && !status; n++)
        status = finish_cell(plan, worker, &worker->pending[n], &io[n], error);
    return status;
}

enum etalon_status et_cells_run(const struct et_raster_plan *plan, struct et_raster_worker *worker,
                                struct etalon_error *error)
{
    struct et_warp_io io[ET_TEAM];
    const unsigned count = worker->pending_count;
    enum etalon_status status = ETALON_OK;
    worker->pending_count = 0;
    if (count == ET_TEAM && worker->run_team && worker->parted < PARTED_MAX && run_team(plan, worker, io))
        return finish_team(plan, worker, io, error);
    for (unsigned n = 0; n < count && !status; n++)
        status = run_cell(plan, worker, &worker->pending[n], error);
    return status;
}

/* The cell, next of those that wait, as a warp or as quads. */
static inline enum etalon_status take_cell(const struct et_raster_plan *plan, struct et_raster_worker *worker,
                                           struct et_cell *cell, bool whole, struct etalon_error *error)
{
    if (!whole && cell->pixels <= 4u * (plan->cell_quads - 1u) &&
        et_bit_count(quads_of(cell->any)) < plan->cell_quads) {
        const struct et_cell apart = *cell; /* what waits runs first */
        return queue_quads(plan, worker, &apart, error);
    }
    if (worker->queue.count) { /* goes first */
        const enum etalon_status status = et_fragment_flush(plan, worker, error);
        if (status)
            return status;
    }
    return ++worker->pending_count == ET_TEAM || !worker->run_team ? et_cells_run(plan, worker, error)
                                                                   : ETALON_OK;
}

enum etalon_status et_fragment_cell(const struct et_raster_plan *plan, struct et_raster_worker *worker,
                                    struct et_raster_primitive *primitive, int32_t x, int32_t y,
                                    const uint32_t covered[ET_SURFACE_CELL_SAMPLES],
                                    struct etalon_error *error)
{
    const unsigned samples = plan->samples->samples;
    struct et_cell *cell = &worker->pending[worker->pending_count];
    uint32_t every = ~0u;
    *cell = (struct et_cell){.primitive = primitive, .x = x, .y = y};
    if (plan->early && plan->plain_depth)
        test_cell(plan, worker, primitive, x, y, covered, cell->left, error);
    else
        memcpy(cell->left, covered, samples * sizeof *covered);
    for (unsigned s = 0; s < samples; s++) {
        cell->shown[s] = plan->state->depth_stencil.post_z_imask ? cell->left[s] : covered[s];
        cell->any |= cell->left[s];
        every &= cell->left[s] & covered[s];
        if (plan->early)
            worker->zpass += et_bit_count(cell->left[s]);
    }
    if (error->status || !cell->any || !plan->has_fragment)
        return error->status;
    cell->pixels = et_bit_count(cell->any);
    return take_cell(plan, worker, cell, every == ~0u, error);
}

/* The same of cells that no test looks at. */
static enum etalon_status take_covered(const struct et_raster_plan *plan, struct et_raster_worker *worker,
                                       struct et_raster_primitive *primitive, int32_t x, int32_t y,
                                       const struct et_wide_covered *covered, unsigned count,
                                       struct etalon_error *error)
{
    enum etalon_status status = ETALON_OK;
    for (const struct et_wide_covered *const end = covered + count; covered < end && !status; covered++) {
        struct et_cell *const cell = &worker->pending[worker->pending_count];
        cell->primitive = primitive;
        cell->x = x + covered->column * 8;
        cell->y = y + covered->row * 4;
        memcpy(cell->shown, covered->lanes, sizeof cell->shown);
        memcpy(cell->left, covered->lanes, sizeof cell->left);
        cell->any = covered->any;
        cell->pixels = covered->pixels;
        status = take_cell(plan, worker, cell, covered->whole, error);
    }
    return status;
}

enum etalon_status et_fragment_covered(const struct et_raster_plan *plan, struct et_raster_worker *worker,
                                       struct et_raster_primitive *primitive, int32_t x, int32_t y,
                                       const struct et_wide_covered *covered, unsigned count,
                                       struct etalon_error *error)
{
    enum etalon_status status = ETALON_OK;
    if (plan->early && plan->plain_depth) {
        for (unsigned n = 0; n < count && !status; n++)
            status = et_fragment_cell(plan, worker, primitive, x + covered[n].column * 8,
                                      y + covered[n].row * 4, covered[n].lanes, error);
        return status;
    }
    for (unsigned n = 0; n < count && plan->early; n++)
        worker->zpass += covered[n].samples;
    return plan->has_fragment ? take_covered(plan, worker, primitive, x, y, covered, count, error)
                              : ETALON_OK;
}
