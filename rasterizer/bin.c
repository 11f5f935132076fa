/* Batches to tiles, tiles to threads. */
#include "rasterizer/raster.h"

#include "base/alloc.h"
#include "base/bits.h"

#include <fenv.h>
#ifdef _OPENMP
#include <omp.h>
#endif

#define PARALLEL_PIXELS 65536 /* covered boxes below this many pixels stay on the caller's thread */

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

struct grid {
    int32_t x0, y0; /* tiles */
    uint32_t width, height;
};

/* Notes the tiles that each primitive's box touches, and the grid of all. Returns the pixels in the boxes. */
static uint64_t measure(struct et_raster_batch *batch, struct grid *grid)
{
    uint32_t x0 = UINT16_MAX, y0 = UINT16_MAX, x1 = 0, y1 = 0;
    uint64_t pixels = 0;
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
    }
    *grid = (struct grid){(int32_t)x0, (int32_t)y0, x1 - x0 + 1, y1 - y0 + 1};
    return pixels;
}

/* bins[bin_start[t] .. bin_start[t + 1]) are the primitives of tile t, in order. */
static bool fill_bins(struct et_raster_batch *batch, const struct grid *grid)
{
    const size_t tiles = (size_t)grid->width * grid->height;
    const uint32_t width = grid->width, origin = (uint32_t)grid->y0 * width + (uint32_t)grid->x0;
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

static void run_tile(const struct et_raster_plan *plan, const struct et_raster_batch *batch,
                     const struct grid *grid, uint32_t index, struct et_raster_worker *worker)
{
    const int32_t x = (grid->x0 + (int32_t)(index % grid->width)) * ET_TILE_SIZE;
    const int32_t y = (grid->y0 + (int32_t)(index / grid->width)) * ET_TILE_SIZE;
    const struct et_rectangle tile = {x, y, x + ET_TILE_SIZE, y + ET_TILE_SIZE};
    const uint32_t first = batch->bin_start[index], end = batch->bin_start[index + 1];
    if (first == end || worker->error.status)
        return;
    if (et_raster_tile(plan, batch, batch->bins + first, end - first, &tile, worker, &worker->error))
        worker->error_tile = index;
}

/* Canonical order: primitive, then cell. */
static enum etalon_status run_ordered(const struct et_raster_plan *plan, const struct et_raster_batch *batch,
                                      struct et_raster_worker *worker)
{
    const struct et_rectangle all = {0, 0, INT32_MAX - 7, INT32_MAX - 3};
    return et_raster_tile(plan, batch, NULL, batch->count, &all, worker, &worker->error);
}

static enum etalon_status run_binned(const struct et_raster_plan *plan, struct et_raster_batch *batch,
                                     struct et_raster_worker *worker, unsigned workers)
{
    struct grid grid;
    if (!et_grow(&batch->tiles, &batch->tiles_capacity, batch->count, sizeof *batch->tiles))
        return et_fail(&worker->error, ETALON_NO_MEMORY, "no memory for bins");
    const uint64_t pixels = measure(batch, &grid);
    const uint32_t tiles = grid.width * grid.height;
    if (!fill_bins(batch, &grid))
        return et_fail(&worker->error, ETALON_NO_MEMORY, "no memory for bins");
    if (workers > 1 && tiles > 1 && pixels >= PARALLEL_PIXELS) {
#pragma omp parallel num_threads(workers)
        {
            fenv_t caller;
            fegetenv(&caller);
            fesetenv(FE_DFL_ENV);
            struct et_raster_worker *mine = worker;
#ifdef _OPENMP
            mine += omp_get_thread_num();
#endif
#pragma omp for schedule(dynamic)
            for (uint32_t i = 0; i < tiles; i++)
                run_tile(plan, batch, &grid, i, mine);
            fesetenv(&caller);
        }
    } else {
        for (uint32_t i = 0; i < tiles; i++)
            run_tile(plan, batch, &grid, i, worker);
    }
    return ETALON_OK;
}

enum etalon_status et_raster_run(const struct et_raster_plan *plan, struct et_raster_batch *batch,
                                 struct et_raster_worker *worker, unsigned workers,
                                 struct etalon_error *error)
{
    const struct et_raster_worker *first = NULL;
    et_raster_settle(plan, batch);
    for (size_t i = 0; i < batch->count; i++) {
        batch->primitive[i].p.planes = batch->planes + i * plan->planes;
        batch->primitive[i].p.flat = batch->flats + i * plan->flats;
    }
    if (batch->count) {
        if (plan->ordered)
            run_ordered(plan, batch, worker);
        else
            run_binned(plan, batch, worker, workers);
    }
    et_raster_batch_clear(batch);
    for (unsigned i = 0; i < workers; i++) /* of several, the first tile's */
        if (worker[i].error.status && (!first || worker[i].error_tile < first->error_tile))
            first = &worker[i];
    if (!first)
        return ETALON_OK;
    if (error && !error->status)
        *error = first->error;
    return first->error.status;
}
