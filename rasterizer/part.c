/* All cells of a part of a tile at once, where edges alone cover them: 32-bit values, in the wide unit. */
#include "rasterizer/raster.h"

#include "base/bits.h"

/* Bits of slopes, 1/256 pixel, whose steps through a tile stay in 31 bits of sixteenths, and of a constant
 * that leaves room for them. */
enum { SLOPE_BITS = 20, CONSTANT_BITS = 60 };

/* Whether the value is one of `bits` bits and a sign. */
static bool fits(int64_t value, unsigned bits)
{
    return (uint64_t)value + (UINT64_C(1) << bits) < UINT64_C(2) << bits;
}

/* Takes an edge that crosses the part, as a floor of its value, which has its sign; where the part lies. */
static enum et_side take(const struct et_edge *edge, const struct et_rectangle *part,
                         struct et_wide_part *wide)
{
    const int64_t at = ((int64_t)edge->c + edge->a * (part->x0 * 256) + edge->b * (part->y0 * 256)) >> 4;
    const int64_t dx = edge->a * (wide->columns * 128), dy = edge->b * (wide->rows * 64);
    if (at + ET_MAX(dx, 0) + ET_MAX(dy, 0) < 0)
        return ET_OUTSIDE;
    if (at + ET_MIN(dx, 0) + ET_MIN(dy, 0) >= 0)
        return ET_INSIDE;
    wide->at[wide->edges] = (int32_t)at;
    wide->a[wide->edges] = (int32_t)edge->a;
    wide->b[wide->edges++] = (int32_t)edge->b;
    return ET_CROSSING;
}

/* Whether the part's edges are the whole rule. */
static bool takes(const struct et_raster_plan *plan, const struct et_raster_primitive *primitive,
                  const struct et_rectangle *part)
{
    return plan->parts && primitive->shape == ET_SHAPE_EDGES &&
           !(primitive->is_line && plan->state->line_stipple) && fits(part->x0, 22) && fits(part->y0, 22);
}

bool et_raster_cover_part(const struct et_raster_plan *plan, const struct et_raster_primitive *primitive,
                          const struct et_rectangle *part, struct et_wide_covered covered[ET_WIDE_CELLS],
                          unsigned *count)
{
    const struct et_rectangle *const box = &primitive->box;
    const uint32_t width = (uint32_t)(part->x1 - part->x0), height = (uint32_t)(part->y1 - part->y0);
    struct et_wide_part wide = {.columns = (width + 7) / 8,
                                .rows = (height + 3) / 4,
                                .left = ~et_lanes_before_column[ET_MAX(box->x0 - part->x0, 0)],
                                .right = et_lanes_before_column[(width - 1) % 8 + 1],
                                .top = ~et_lanes_before_row[ET_MAX(box->y0 - part->y0, 0)],
                                .bottom = et_lanes_before_row[(height - 1) % 4 + 1],
                                .place = plan->place,
                                .samples = plan->distinct,
                                .places = &plan->places};
    if (!takes(plan, primitive, part))
        return false;
    *count = 0;
    for (unsigned i = 0; i < primitive->edges; i++) {
        const struct et_edge *const from = &primitive->edge[i];
        if (!fits(from->a, SLOPE_BITS) || !fits(from->b, SLOPE_BITS) || from->c != (int64_t)from->c ||
            !fits((int64_t)from->c, CONSTANT_BITS))
            return false;
        if (take(from, part, &wide) == ET_OUTSIDE)
            return true;
    }
    wide.edges = ET_MAX(wide.edges, 3u); /* three are quick: those of zeros hold all */
    *count = plan->wide->cover(&wide, covered);
    return true;
}
