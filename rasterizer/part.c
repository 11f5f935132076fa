/* All cells of a part of a tile at once, where edges alone cover them: 32-bit values, in the wide unit. */
#include "rasterizer/raster.h"

#include "base/bits.h"

bool et_raster_cover_part(const struct et_raster_plan *plan, const struct et_raster_primitive *primitive,
                          const struct et_rectangle *part, struct et_wide_covered covered[ET_WIDE_CELLS],
                          unsigned *count)
{
    const struct et_rectangle *const box = &primitive->box;
    if (!plan->parts || primitive->shape != ET_SHAPE_EDGES ||
        (primitive->is_line && plan->state->line_stipple) || (part->x0 | part->y0) >> 22)
        return false;
    const uint32_t width = (uint32_t)(part->x1 - part->x0), height = (uint32_t)(part->y1 - part->y0);
    const struct et_wide_part wide = {.edge = primitive->edge,
                                      .edges = primitive->edges,
                                      .x = part->x0,
                                      .y = part->y0,
                                      .columns = (width + 7) / 8,
                                      .rows = (height + 3) / 4,
                                      .left = ~et_lanes_before_column[ET_MAX(box->x0 - part->x0, 0)],
                                      .right = et_lanes_before_column[(width - 1) % 8 + 1],
                                      .top = ~et_lanes_before_row[ET_MAX(box->y0 - part->y0, 0)],
                                      .bottom = et_lanes_before_row[(height - 1) % 4 + 1],
                                      .place = plan->place,
                                      .samples = plan->distinct,
                                      .times = plan->alike,
                                      .places = &plan->places};
    const int cells = plan->wide->cover(&wide, covered);
    *count = (unsigned)cells;
    return cells >= 0;
}
