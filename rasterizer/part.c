/* All cells of a part of a tile at once, where edges alone cover them: 32-bit values, in the wide unit. */
#include "rasterizer/raster.h"

#include "base/bits.h"

/* Bits of slopes, 1/256 pixel, whose steps through a tile stay in 31 bits of sixteenths, and of a constant
 * that leaves room for them. */
enum { SLOPE_BITS = 20, CONSTANT_BITS = 60 };

/* 0 where the value is one of `bits` bits and a sign. */
static inline uint64_t excess(int64_t value, unsigned bits)
{
    return ((uint64_t)value + (UINT64_C(1) << bits)) >> (bits + 1);
}

/* Whether all of the primitive's values fit. */
static inline bool fits(const struct et_raster_primitive *primitive)
{
    uint64_t beyond = 0;
    for (unsigned i = 0; i < primitive->edges; i++) {
        const struct et_edge *const edge = &primitive->edge[i];
        const int64_t low = (int64_t)edge->c, high = (int64_t)(edge->c >> 64);
        beyond |= excess(edge->a, SLOPE_BITS) | excess(edge->b, SLOPE_BITS) | excess(low, CONSTANT_BITS) |
                  (uint64_t)(high ^ low >> 63);
    }
    return !beyond;
}

/* Takes an edge that crosses the part, as a floor of its value, which has its sign; false where all of the
 * part is outside. */
static inline bool take(const struct et_edge *edge, int32_t x, int32_t y, struct et_wide_part *wide)
{
    const int64_t at = ((int64_t)edge->c + edge->a * x + edge->b * y) >> 4;
    const int64_t dx = edge->a * (wide->columns * 128), dy = edge->b * (wide->rows * 64);
    const int64_t more = (dx & ~(dx >> 63)) + (dy & ~(dy >> 63));
    if (at + more < 0)
        return false;
    wide->at[wide->edges] = (int32_t)at;
    wide->a[wide->edges] = (int32_t)edge->a;
    wide->b[wide->edges] = (int32_t)edge->b;
    wide->edges += at + dx + dy - more < 0;
    return true;
}

/* Whether the part's edges are the whole rule. */
static bool takes(const struct et_raster_plan *plan, const struct et_raster_primitive *primitive,
                  const struct et_rectangle *part)
{
    return plan->parts && primitive->shape == ET_SHAPE_EDGES &&
           !(primitive->is_line && plan->state->line_stipple) && !((part->x0 | part->y0) >> 22) &&
           fits(primitive);
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
                                .times = plan->alike,
                                .places = &plan->places};
    if (!takes(plan, primitive, part))
        return false;
    *count = 0;
    for (unsigned i = 0; i < primitive->edges; i++)
        if (!take(&primitive->edge[i], part->x0 * 256, part->y0 * 256, &wide))
            return true;
    for (unsigned i = wide.edges; i < 3; i++) /* three are quick: those of zeros hold all */
        wide.at[i] = wide.a[i] = wide.b[i] = 0;
    wide.edges = ET_MAX(wide.edges, 3u);
    *count = plan->wide->cover(&wide, covered);
    return true;
}
