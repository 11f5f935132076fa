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

/* The tiles that the batch's boxes touch, and the pixels in the boxes. */
static uint64_t measure(const struct et_raster_batch *batch, struct grid *grid)
{
    struct et_rectangle all = {INT32_MAX, INT32_MAX, INT32_MIN, INT32_MIN};
    uint64_t pixels = 0;
    for (size_t i = 0; i < batch->count; i++) {
        const struct et_rectangle *box = &batch->primitive[i].box;
        all.x0 = ET_MIN(all.x0, box->x0);
        all.y0 = ET_MIN(all.y0, box->y0);
        all.x1 = ET_MAX(all.x1, box->x1);
        all.y1 = ET_MAX(all.y1, box->y1);
        pixels += (uint64_t)(box->x1 - box->x0) * (uint64_t)(box->y1 - box->y0);
    }
    grid->x0 = all.x0 / ET_TILE_SIZE;
    grid->y0 = all.y0 / ET_TILE_SIZE;
    grid->width = (uint32_t)((all.x1 - 1) / ET_TILE_SIZE - grid->x0 + 1);
    grid->height = (uint32_t)((all.y1 - 1) / ET_TILE_SIZE - grid->y0 + 1);
    return pixels;
}

/* The tiles of one box, relative to the grid: x0, y0 to x1, y1, both included. */
struct tiles {
    uint32_t x0, y0, x1, y1;
};

static inline struct tiles tiles_of(const struct et_rectangle *box, const struct grid *grid)
{
    const uint32_t x = (uint32_t)grid->x0,
                   y = (uint32_t)grid->y0; /* boxes lie inside the bounds, from 0 on */
    return (struct tiles){(uint32_t)box->x0 / ET_TILE_SIZE - x, (uint32_t)box->y0 / ET_TILE_SIZE - y,
                          (uint32_t)(box->x1 - 1) / ET_TILE_SIZE - x,
                          (uint32_t)(box->y1 - 1) / ET_TILE_SIZE - y};
}

/* bins[bin_start[t] .. bin_start[t + 1]) are the primitives of tile t, in order. */
static bool fill_bins(struct et_raster_batch *batch, const struct grid *grid)
{
    const size_t tiles = (size_t)grid->width * grid->height, width = grid->width;
    size_t total = 0;
    if (!et_grow(&batch->bin_start, &batch->bin_start_capacity, tiles + 2, sizeof *batch->bin_start))
        return false;
    uint32_t *start = batch->bin_start;
    memset(start, 0, (tiles + 2) * sizeof *start);
    for (size_t i = 0; i < batch->count; i++) {
        const struct tiles t = tiles_of(&batch->primitive[i].box, grid);
        for (size_t y = t.y0; y <= t.y1; y++)
            for (size_t x = t.x0; x <= t.x1; x++, total++)
                start[y * width + x + 2]++;
    }
    if (!et_grow(&batch->bins, &batch->bins_capacity, total + 1, sizeof *batch->bins))
        return false;
    uint32_t *const bins = batch->bins;
    for (size_t i = 2; i < tiles + 2; i++)
        start[i] += start[i - 1];
    for (size_t i = 0; i < batch->count; i++) { /* start[t + 1] runs from the tile's first entry to its end */
        const struct tiles t = tiles_of(&batch->primitive[i].box, grid);
        for (size_t y = t.y0; y <= t.y1; y++)
            for (size_t x = t.x0; x <= t.x1; x++)
                bins[start[y * width + x + 1]++] = (uint32_t)i;
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
