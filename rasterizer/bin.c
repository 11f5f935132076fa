/* Batches to tiles, tiles to threads. */
#include "rasterizer/raster.h"

#include "base/alloc.h"
#include "base/bits.h"

#include <fenv.h>
#ifdef _OPENMP
#include <omp.h>
#endif

#define PARALLEL_PIXELS 65536 /* covered boxes below this many pixels stay on the caller's thread */
#define PARALLEL_INPUTS 256   /* the same of primitives to set up */

/* Of batches that are drawn together: what a full one has that covers the largest target everywhere. Far more
 * is possible only beyond targets' edges, or by many primitives of one triangle, and would run for hours. */
#define MOST_BIN_ENTRIES (UINT64_C(1) << 28)

void et_raster_worker_reset(struct et_raster_worker *worker, const struct et_pagemap *map, uint64_t event)
{
    et_view_init(&worker->view, map, event);
    memset(worker->color_window, 0, sizeof worker->color_window);
    memset(&worker->depth_window, 0, sizeof worker->depth_window);
    memset(&worker->rate_window, 0, sizeof worker->rate_window);
    worker->queue.count = 0;
    worker->pending_count = worker->parted = 0;
    for (unsigned n = 0; n < ET_TEAM; n++)
        worker->cell[n].layout = NULL;
    worker->warps = 0;
    worker->ps_invocations = worker->zpass = 0;
    memset(&worker->error, 0, sizeof worker->error);
}

/* Notes the tiles that each primitive's box touches, and the grid of all. */
static void measure(struct et_raster_batch *batch)
{
    uint32_t x0 = UINT16_MAX, y0 = UINT16_MAX, x1 = 0, y1 = 0; /* of tiles, both ends included */
    uint64_t pixels = 0, entries = 0;
    for (size_t i = 0; i < batch->count; i++) {
        const struct et_rectangle *box = &batch->primitive[i].box; /* not empty, from 0 on */
        const uint32_t left = (uint32_t)box->x0 / ET_TILE_SIZE, top = (uint32_t)box->y0 / ET_TILE_SIZE,
                       right = (uint32_t)(box->x1 - 1) / ET_TILE_SIZE,
                       bottom = (uint32_t)(box->y1 - 1) / ET_TILE_SIZE;
        batch->tiles[i] = (struct et_tiles){(uint16_t)left, (uint16_t)top, (uint16_t)right, (uint16_t)bottom};
        x0 = ET_MIN(x0, left);
        y0 = ET_MIN(y0, top);
        x1 = ET_MAX(x1, right);
        y1 = ET_MAX(y1, bottom);
        pixels += (uint64_t)(box->x1 - box->x0) * (uint64_t)(box->y1 - box->y0);
        entries += (uint64_t)(right - left + 1) * (bottom - top + 1);
    }
    batch->pixels = pixels;
    batch->entries = entries;
    batch->grid = (struct et_rectangle){(int32_t)x0, (int32_t)y0, (int32_t)x1 + 1, (int32_t)y1 + 1};
}

/* bins[bin_start[t] .. bin_start[t + 1]) are the primitives of tile t of the grid, in order. */
static bool fill_bins(struct et_raster_batch *batch)
{
    const uint32_t width = (uint32_t)(batch->grid.x1 - batch->grid.x0),
                   height = (uint32_t)(batch->grid.y1 - batch->grid.y0),
                   origin = (uint32_t)batch->grid.y0 * width + (uint32_t)batch->grid.x0;
    const size_t tiles = (size_t)width * height;
    uint32_t total = 0;
    if (!et_grow(&batch->bin_start, &batch->bin_start_capacity, tiles + 2, sizeof *batch->bin_start))
        return false;
    uint32_t *const start = batch->bin_start;
    memset(start, 0, (tiles + 2) * sizeof *start);
    for (size_t i = 0; i < batch->count; i++) {
        const struct et_tiles t = batch->tiles[i];
        for (uint32_t y = t.y0; y <= t.y1; y++)
            for (uint32_t x = t.x0; x <= t.x1; x++, total++)
                start[y * width + x - origin + 2]++;
    }
    if (!et_grow(&batch->bins, &batch->bins_capacity, (size_t)total + 1, sizeof *batch->bins))
        return false;
    uint32_t *const bins = batch->bins;
    for (size_t i = 2; i < tiles + 2; i++)
        start[i] += start[i - 1];
    for (size_t i = 0; i < batch->count; i++) { /* start[t + 1] runs from the tile's first entry to its end */
        const struct et_tiles t = batch->tiles[i];
        for (uint32_t y = t.y0; y <= t.y1; y++)
            for (uint32_t x = t.x0; x <= t.x1; x++)
                bins[start[y * width + x - origin + 1]++] = (uint32_t)i;
    }
    return true;
}

static enum etalon_status too_many_entries(struct etalon_error *error)
{
    return et_fail(error, ETALON_BUDGET, "a batch of primitives reaches more than %llu tiles together",
                   (unsigned long long)MOST_BIN_ENTRIES);
}

/* Makes what waits in a batch, and its bins. */
static enum etalon_status prepare(const struct et_raster_plan *plan, struct et_raster_batch *batch,
                                  struct etalon_error *error)
{
    et_raster_settle(plan, batch);
    for (size_t i = 0; i < batch->count; i++) {
        batch->primitive[i].p.planes = batch->planes + i * plan->planes;
        batch->primitive[i].p.flat = batch->flats + i * plan->flats;
    }
    if (!batch->count || plan->ordered)
        return ETALON_OK;
    if (!et_grow(&batch->tiles, &batch->tiles_capacity, batch->count, sizeof *batch->tiles))
        return et_fail(error, ETALON_NO_MEMORY, "no memory for bins");
    measure(batch);
    if (batch->entries > MOST_BIN_ENTRIES)
        return too_many_entries(error);
    return fill_bins(batch) ? ETALON_OK : et_fail(error, ETALON_NO_MEMORY, "no memory for bins");
}

/* Batches whose primitives follow each other. */
struct sequence {
    const struct et_raster_plan *plan;
    const struct et_raster_batch *batch;
    unsigned batches;
    struct et_rectangle grid; /* of all: tiles */
    uint32_t tiles;
    bool parallel; /* worth several threads */
};

/* False: batches that one alone would have been refused as. */
static bool join(struct sequence *sequence)
{
    struct et_rectangle *grid = &sequence->grid;
    uint64_t pixels = 0, entries = 0;
    *grid = (struct et_rectangle){INT32_MAX, INT32_MAX, 0, 0};
    for (unsigned n = 0; n < sequence->batches; n++) {
        const struct et_raster_batch *batch = &sequence->batch[n];
        if (!batch->count)
            continue;
        pixels += batch->pixels;
        entries += batch->entries;
        *grid = (struct et_rectangle){ET_MIN(grid->x0, batch->grid.x0), ET_MIN(grid->y0, batch->grid.y0),
                                      ET_MAX(grid->x1, batch->grid.x1), ET_MAX(grid->y1, batch->grid.y1)};
    }
    sequence->tiles = grid->x1 ? (uint32_t)(grid->x1 - grid->x0) * (uint32_t)(grid->y1 - grid->y0) : 0;
    sequence->parallel = sequence->tiles > 1 && pixels >= PARALLEL_PIXELS;
    return entries <= MOST_BIN_ENTRIES;
}

/* Draws what a batch has in tile (x, y). */
static enum etalon_status run_list(const struct et_raster_plan *plan, const struct et_raster_batch *batch,
                                   int32_t x, int32_t y, struct et_raster_worker *worker)
{
    const struct et_rectangle *grid = &batch->grid;
    const struct et_rectangle tile = {x * ET_TILE_SIZE, y * ET_TILE_SIZE, (x + 1) * ET_TILE_SIZE,
                                      (y + 1) * ET_TILE_SIZE};
    if (!batch->count || x < grid->x0 || y < grid->y0 || x >= grid->x1 || y >= grid->y1)
        return ETALON_OK;
    const uint32_t *const start = &batch->bin_start[(y - grid->y0) * (grid->x1 - grid->x0) + x - grid->x0];
    if (start[0] == start[1])
        return ETALON_OK;
    return et_raster_tile(plan, batch, batch->bins + start[0], start[1] - start[0], &tile, worker,
                          &worker->error);
}

static void run_tile(const struct sequence *sequence, uint32_t index, struct et_raster_worker *worker)
{
    const uint32_t width = (uint32_t)(sequence->grid.x1 - sequence->grid.x0);
    const int32_t x = sequence->grid.x0 + (int32_t)(index % width),
                  y = sequence->grid.y0 + (int32_t)(index / width);
    enum etalon_status status = ETALON_OK;
    if (worker->error.status)
        return;
    for (unsigned n = 0; n < sequence->batches && !status; n++)
        status = run_list(sequence->plan, &sequence->batch[n], x, y, worker);
    if (et_raster_tile_end(sequence->plan, worker, status, &worker->error))
        worker->error_tile = index;
}

/* Canonical order: primitive, then cell. */
static void run_ordered(const struct et_raster_plan *plan, const struct et_raster_batch *batch,
                        struct et_raster_worker *worker)
{
    const struct et_rectangle all = {0, 0, INT32_MAX - 7, INT32_MAX - 3};
    const enum etalon_status status =
        et_raster_tile(plan, batch, NULL, batch->count, &all, worker, &worker->error);
    et_raster_tile_end(plan, worker, status, &worker->error);
}

static unsigned thread_number(void)
{
#ifdef _OPENMP
    return (unsigned)omp_get_thread_num();
#else
    return 0;
#endif
}

static void run_binned(struct sequence *sequence, struct et_raster_worker *worker, unsigned workers)
{
    join(sequence);
    if (workers > 1 && sequence->parallel) {
#pragma omp parallel num_threads(workers)
        {
            fenv_t caller;
            fegetenv(&caller);
            fesetenv(FE_DFL_ENV);
            struct et_raster_worker *const mine = worker + thread_number();
#pragma omp for schedule(dynamic)
            for (uint32_t i = 0; i < sequence->tiles; i++)
                run_tile(sequence, i, mine);
            fesetenv(&caller);
        }
    } else {
        for (uint32_t i = 0; i < sequence->tiles; i++)
            run_tile(sequence, i, worker);
    }
}

/* The workers' first error: of several, the first tile's. */
static enum etalon_status first_error(const struct et_raster_worker *worker, unsigned workers,
                                      struct etalon_error *error)
{
    const struct et_raster_worker *first = NULL;
    for (unsigned i = 0; i < workers; i++)
        if (worker[i].error.status && (!first || worker[i].error_tile < first->error_tile))
            first = &worker[i];
    if (!first)
        return ETALON_OK;
    if (error && !error->status)
        *error = first->error;
    return first->error.status;
}

enum etalon_status et_raster_run(const struct et_raster_plan *plan, struct et_raster_batch *batch,
                                 struct et_raster_worker *worker, unsigned workers,
                                 struct etalon_error *error)
{
    struct sequence sequence = {.plan = plan, .batch = batch, .batches = 1};
    if (!prepare(plan, batch, &worker->error) && batch->count) {
        if (plan->ordered)
            run_ordered(plan, batch, worker);
        else
            run_binned(&sequence, worker, workers);
    }
    et_raster_batch_clear(batch);
    return first_error(worker, workers, error);
}

/* ---- setup by several threads ---- */

/* The part of worker n of `workers`: whole groups, one part after the other. */
static size_t part_start(size_t count, unsigned n, unsigned workers)
{
    const size_t groups = (count + ET_GROUP - 1) / ET_GROUP;
    return ET_MIN(groups * n / workers * ET_GROUP, count);
}

/* A worker sets its part up in a batch of its own; all draw the batches' tiles. */
static void draw_together(struct sequence *sequence, struct et_raster_batch *batch,
                          const struct et_raster_input *input, size_t count, struct et_raster_worker *worker,
                          unsigned workers)
{
    bool failed = false;
#pragma omp parallel num_threads(workers)
    {
        fenv_t caller;
        fegetenv(&caller);
        fesetenv(FE_DFL_ENV);
        const unsigned me = thread_number();
        struct et_raster_worker *const mine = worker + me;
#pragma omp for schedule(static, 1) reduction(|| : failed)
        for (unsigned n = 0; n < workers; n++) {
            const size_t from = part_start(count, n, workers), to = part_start(count, n + 1, workers);
            struct et_raster_worker *const its = worker + n;
            its->error_tile = 0;
            if (et_raster_setup_all(sequence->plan, &batch[n], input + from, to - from, &its->error) ||
                prepare(sequence->plan, &batch[n], &its->error))
                failed = true;
        }
#pragma omp single
        if (!failed && !join(sequence)) {
            failed = true;
            sequence->tiles = 0;
            too_many_entries(&worker->error);
        }
#pragma omp for schedule(dynamic)
        for (uint32_t i = 0; i < (sequence->parallel ? sequence->tiles : 0); i++)
            run_tile(sequence, i, mine);
        fesetenv(&caller);
    }
    for (uint32_t i = 0; i < sequence->tiles && !sequence->parallel && !failed; i++)
        run_tile(sequence, i, worker);
}

enum etalon_status et_raster_draw(const struct et_raster_plan *plan, struct et_raster_batch *batch,
                                  const struct et_raster_input *input, size_t count,
                                  struct et_raster_worker *worker, unsigned workers,
                                  struct etalon_error *error)
{
    struct sequence sequence = {.plan = plan, .batch = batch, .batches = workers};
    const bool goes_on = count && input->corners == 2 && plan->state->line_stipple; /* from line to line */
    if (workers < 2 || count < PARALLEL_INPUTS || plan->ordered || goes_on || !et_raster_has_groups(plan)) {
        const enum etalon_status status = et_raster_setup_all(plan, batch, input, count, error);
        return status ? status : et_raster_run(plan, batch, worker, workers, error);
    }
    draw_together(&sequence, batch, input, count, worker, workers);
    for (unsigned n = 0; n < workers; n++)
        et_raster_batch_clear(&batch[n]);
    return first_error(worker, workers, error);
}
