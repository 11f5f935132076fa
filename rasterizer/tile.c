/* A tile: its primitives in order, cell by cell; early depth and stencil. */
#include "rasterizer/raster.h"

#include "base/bits.h"

static enum etalon_status draw_cell(const struct et_raster_plan *plan, const struct et_local_edges *edges,
                                    struct et_raster_primitive *primitive, bool whole, int32_t x, int32_t y,
                                    struct et_raster_worker *worker, struct etalon_error *error)
{
    uint16_t coverage[ET_LANES];
    if (plan->cells && !primitive->cuts_below && !primitive->cuts_above) {
        uint32_t covered[ET_SAMPLES_MAX];
        return et_raster_cover_lanes(plan, edges, whole, x, y, covered)
                   ? et_fragment_cell(plan, worker, primitive, x, y, covered, error)
                   : ETALON_OK;
    }
    const uint32_t lanes = et_raster_cover_cell(plan, edges, whole, x, y, coverage);
    for (unsigned quad = 0; quad < 8 && lanes; quad++) {
        enum etalon_status status;
        if (!(lanes >> (quad * 4) & 15))
            continue;
        status = et_fragment_add(plan, worker, primitive, x + (int32_t)(quad & 3) * 2,
                                 y + (int32_t)(quad >> 2) * 2, coverage + quad * 4, error);
        if (status)
            return status;
    }
    return ETALON_OK;
}

/* Two cells, one above the other, where fragments may be coarse. */
static enum etalon_status draw_block(const struct et_raster_plan *plan, const struct et_local_edges *edges,
                                     struct et_raster_primitive *primitive, int32_t x, int32_t y,
                                     struct et_raster_worker *worker, struct etalon_error *error)
{
    uint16_t coverage[2 * ET_LANES] = {0};
    uint32_t any = 0;
    for (int32_t n = 0; n < 2; n++) {
        const enum et_side side = et_local_edges_side(edges, x, y + 4 * n, 8, 4);
        uint16_t *const cell = coverage + n * ET_LANES;
        uint32_t lanes = 0;
        if (side != ET_OUTSIDE)
            lanes = et_raster_cover_cell(plan, edges, side == ET_INSIDE, x, y + 4 * n, cell);
        for (unsigned lane = 0; lane < ET_LANES; lane++)
            cell[lane] = lanes >> lane & 1 ? cell[lane] : 0;
        any |= lanes;
    }
    return any ? et_fragment_block(plan, worker, primitive, x, y, coverage, error) : ETALON_OK;
}

/* The part of a primitive in one tile's square, at most ET_TILE_SIZE pixels each way, cell by cell. */
static enum etalon_status draw_cells(const struct et_raster_plan *plan, struct et_raster_primitive *primitive,
                                     const struct et_rectangle *part, struct et_raster_worker *worker,
                                     struct etalon_error *error)
{
    struct et_local_edges edges;
    et_local_edges_make(&edges, primitive, part->x0, part->y0);
    const bool small = part->x1 - part->x0 <= 16 && part->y1 - part->y0 <= 8; /* its cells are few */
    const enum et_side side = small ? ET_CROSSING
                                    : et_local_edges_side(&edges, part->x0, part->y0, part->x1 - part->x0 + 8,
                                                          part->y1 - part->y0 + 4);
    if (side == ET_OUTSIDE)
        return ETALON_OK;
    if (plan->coarse) {
        enum etalon_status status = ETALON_OK;
        for (int32_t y = part->y0; y < part->y1 && !status; y += 8)
            for (int32_t x = part->x0; x < part->x1 && !status; x += 8)
                status = draw_block(plan, &edges, primitive, x, y, worker, error);
        return status;
    }
    for (int32_t y = part->y0; y < part->y1; y += 4)
        for (int32_t x = part->x0; x < part->x1; x += 8) {
            const enum etalon_status status =
                draw_cell(plan, &edges, primitive, side == ET_INSIDE, x, y, worker, error);
            if (status)
                return status;
        }
    return ETALON_OK;
}

static inline enum etalon_status draw_part(const struct et_raster_plan *plan,
                                           struct et_raster_primitive *primitive,
                                           const struct et_rectangle *part, struct et_raster_worker *worker,
                                           struct etalon_error *error)
{
    struct et_wide_covered covered[ET_WIDE_CELLS];
    unsigned count;
    if (!primitive->cuts_below && !primitive->cuts_above &&
        et_raster_cover_part(plan, primitive, part, covered, &count))
        return et_fragment_covered(plan, worker, primitive, part->x0, part->y0, covered, count, error);
    return draw_cells(plan, primitive, part, worker, error);
}

static enum etalon_status draw_primitive(const struct et_raster_plan *plan,
                                         struct et_raster_primitive *primitive,
                                         const struct et_rectangle *tile, struct et_raster_worker *worker,
                                         struct etalon_error *error)
{
    const struct et_rectangle all = {ET_MAX(tile->x0, primitive->box.x0 & ~7),
                                     ET_MAX(tile->y0, primitive->box.y0 & (plan->coarse ? ~7 : ~3)),
                                     ET_MIN(tile->x1, primitive->box.x1),
                                     ET_MIN(tile->y1, primitive->box.y1)};
    struct et_rectangle part = all;
    enum etalon_status status = ETALON_OK;
    for (; part.y0 < all.y1 && !status; part.y0 += ET_TILE_SIZE) {
        part.y1 = ET_MIN(all.y1, part.y0 + ET_TILE_SIZE);
        for (part.x0 = all.x0; part.x0 < all.x1 && !status; part.x0 += ET_TILE_SIZE) {
            part.x1 = ET_MIN(all.x1, part.x0 + ET_TILE_SIZE);
            status = draw_part(plan, primitive, &part, worker, error);
        }
    }
    return status;
}

enum etalon_status et_raster_tile(const struct et_raster_plan *plan, const struct et_raster_batch *batch,
                                  const uint32_t *list, size_t count, const struct et_rectangle *tile,
                                  struct et_raster_worker *worker, struct etalon_error *error)
{
    enum etalon_status status = ETALON_OK;
    for (size_t i = 0; i < count && !status; i++)
        status = draw_primitive(plan, &batch->primitive[list ? list[i] : i], tile, worker, error);
    return status;
}

enum etalon_status et_raster_tile_end(const struct et_raster_plan *plan, struct et_raster_worker *worker,
                                      enum etalon_status status, struct etalon_error *error)
{
    if (!status)
        status = et_fragment_flush(plan, worker, error);
    worker->queue.count = worker->pending_count = 0;
    return status;
}
