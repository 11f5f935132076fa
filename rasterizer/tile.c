/* A tile: its primitives in order, cell by cell; early depth and stencil. */
#include "rasterizer/raster.h"

#include "base/bits.h"

/* Whether an edge leaves the rectangle x..x+w, y..y+h (pixels) out, or holds all of it. */
enum side { OUTSIDE, CROSSING, INSIDE };

static enum side edge_side(const struct et_edge *edge, int32_t x, int32_t y, int32_t w, int32_t h)
{
    const __int128 at =
        edge->c + (__int128)edge->a * ((int64_t)x * 256) + (__int128)edge->b * ((int64_t)y * 256);
    const __int128 dx = (__int128)edge->a * (w * 256), dy = (__int128)edge->b * (h * 256);
    const __int128 most = at + (dx > 0 ? dx : 0) + (dy > 0 ? dy : 0);
    const __int128 least = at + (dx < 0 ? dx : 0) + (dy < 0 ? dy : 0);
    return most < 0 ? OUTSIDE : least >= 0 ? INSIDE : CROSSING;
}

static bool may_touch(const struct et_raster_primitive *primitive, int32_t x, int32_t y, int32_t w, int32_t h)
{
    for (unsigned i = 0; i < primitive->edges; i++)
        if (edge_side(&primitive->edge[i], x, y, w, h) == OUTSIDE)
            return false;
    return true;
}

static enum etalon_status draw_cell(const struct et_raster_plan *plan, struct et_raster_primitive *primitive,
                                    int32_t x, int32_t y, struct et_raster_worker *worker,
                                    struct etalon_error *error)
{
    uint16_t coverage[ET_LANES];
    const uint32_t lanes = et_raster_cover_cell(plan, primitive, x, y, coverage);
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

static enum etalon_status draw_primitive(const struct et_raster_plan *plan,
                                         struct et_raster_primitive *primitive,
                                         const struct et_rectangle *tile, struct et_raster_worker *worker,
                                         struct etalon_error *error)
{
    const int32_t x0 = ET_MAX(tile->x0, primitive->box.x0 & ~7),
                  y0 = ET_MAX(tile->y0, primitive->box.y0 & ~3);
    const int32_t x1 = ET_MIN(tile->x1, primitive->box.x1), y1 = ET_MIN(tile->y1, primitive->box.y1);
    if (x0 >= x1 || y0 >= y1 || !may_touch(primitive, x0, y0, x1 - x0, y1 - y0))
        return ETALON_OK;
    for (int32_t y = y0; y < y1; y += 4)
        for (int32_t x = x0; x < x1; x += 8) {
            enum etalon_status status;
            if (!may_touch(primitive, x, y, 8, 4))
                continue;
            status = draw_cell(plan, primitive, x, y, worker, error);
            if (status)
                return status;
        }
    return ETALON_OK;
}

enum etalon_status et_raster_tile(const struct et_raster_plan *plan, const struct et_raster_batch *batch,
                                  const uint32_t *list, size_t count, const struct et_rectangle *tile,
                                  struct et_raster_worker *worker, struct etalon_error *error)
{
    enum etalon_status status = ETALON_OK;
    for (size_t i = 0; i < count && !status; i++)
        status = draw_primitive(plan, &batch->primitive[list ? list[i] : i], tile, worker, error);
    if (!status)
        status = et_fragment_flush(plan, worker, error);
    worker->queue.count = 0;
    return status;
}
