/* Which samples of a cell a primitive covers: exact integers. */
#include "rasterizer/raster.h"

#include "base/bits.h"

#include <math.h>

#include <stdlib.h>

#define LANE_X(lane) ((int32_t)(((lane) >> 2 & 3) * 2 + ((lane)&1)))
#define LANE_Y(lane) ((int32_t)(((lane) >> 4) * 2 + ((lane) >> 1 & 1)))

/* Edge values beyond this are the same at every sample of a tile: steps there stay far below it. */
#define SAFE ((__int128)1 << 60)

/* Bits that an edge's slopes have above what steps leave room for: those of triangles cut at w = 0, whose
 * vertices lie 2^36 pixels away and more. */
static int excess_bits(const struct et_edge *edge)
{
    enum { ROOM = 44 };
    const uint64_t bits = (uint64_t)llabs(edge->a) | (uint64_t)llabs(edge->b) | 1;
    return ET_MAX(0, 64 - __builtin_clzll(bits) - ROOM);
}

void et_local_edges_make(struct et_local_edges *edges, const struct et_raster_primitive *primitive, int32_t x,
                         int32_t y)
{
    *edges = (struct et_local_edges){.primitive = primitive, .x = x, .y = y, .count = primitive->edges};
    for (unsigned i = 0; i < primitive->edges; i++) {
        const struct et_edge *edge = &primitive->edge[i];
        const int excess = excess_bits(edge);
        const __int128 at =
            (edge->c + (__int128)edge->a * ((int64_t)x * 256) + (__int128)edge->b * ((int64_t)y * 256)) >>
            excess;
        struct et_local_edge *local = &edges->edge[i];
        if (at >= SAFE || at < -SAFE)
            *local = (struct et_local_edge){at < 0 ? -1 : 0, 0, 0, true};
        else
            *local = (struct et_local_edge){(int64_t)at, (edge->a >> excess) * 256, (edge->b >> excess) * 256,
                                            llabs(edge->a) + llabs(edge->b) < 1 << 22};
    }
}

enum et_side et_local_edges_side(const struct et_local_edges *edges, int32_t x, int32_t y, int32_t w,
                                 int32_t h)
{
    enum et_side side = ET_INSIDE;
    for (unsigned i = 0; i < edges->count; i++) {
        const struct et_local_edge *edge = &edges->edge[i];
        const int64_t at = edge->at + edge->a * (x - edges->x) + edge->b * (y - edges->y);
        const int64_t dx = edge->a * w, dy = edge->b * h;
        if (at + (dx > 0 ? dx : 0) + (dy > 0 ? dy : 0) < 0)
            return ET_OUTSIDE;
        if (at + (dx < 0 ? dx : 0) + (dy < 0 ? dy : 0) < 0)
            side = ET_CROSSING;
    }
    return edges->primitive->is_line ? ET_CROSSING : side; /* it may have a diamond, a stipple */
}

/* Edges that cross a cell, from its corner: those in 32 bits, then the others. */
struct crossing {
    struct et_wide_edge small[4];
    struct et_local_edge large[4];
    unsigned smalls, larges;
};

/* False where an edge leaves all of the cell outside: its places of samples or, of shapes that other rules
 * draw, its area. */
static bool find_crossing(const struct et_raster_plan *plan, const struct et_local_edges *edges, int32_t x,
                          int32_t y, struct crossing *crossing)
{
    static const struct et_rectangle area = {0, 0, 8 * 16, 4 * 16};
    const struct et_rectangle *const places =
        edges->primitive->shape == ET_SHAPE_EDGES ? &plan->places : &area;
    crossing->smalls = crossing->larges = 0;
    for (unsigned i = 0; i < edges->count; i++) {
        const struct et_local_edge *edge = &edges->edge[i];
        const int64_t at = edge->at + edge->a * (x - edges->x) + edge->b * (y - edges->y);
        const int64_t a = edge->a / 16, b = edge->b / 16; /* exact */
        if (at + a * (a > 0 ? places->x1 : places->x0) + b * (b > 0 ? places->y1 : places->y0) < 0)
            return false;
        if (at + a * (a > 0 ? places->x0 : places->x1) + b * (b > 0 ? places->y0 : places->y1) >= 0)
            continue;
        if (edge->small) /* a and b are multiples of 256, and a floor of the value has its sign */
            crossing->small[crossing->smalls++] =
                (struct et_wide_edge){(int32_t)(at >> 4), (int32_t)(edge->a >> 8), (int32_t)(edge->b >> 8)};
        else
            crossing->large[crossing->larges++] = (struct et_local_edge){at, edge->a, edge->b, false};
    }
    return true;
}

/* Lanes of a cell whose sample lies inside an edge from the cell's corner. */
static uint32_t inside(const struct et_local_edge *edge, const uint8_t place[2][ET_LANES])
{
    uint32_t mask = 0;
    for (unsigned lane = 0; lane < ET_LANES; lane++) /* the sixteenths are exact */
        mask |= (uint32_t)(edge->at + edge->a / 16 * place[0][lane] + edge->b / 16 * place[1][lane] >= 0)
                << lane;
    return mask;
}

/* a + b*e + c*e^2 with an infinitesimal e > 0. */
struct nudged {
    __int128 a, b, c;
};

static int sign_of(struct nudged v)
{
    const __int128 first = v.a ? v.a : v.b ? v.b : v.c;
    return (first > 0) - (first < 0);
}

static struct nudged in_diamond_direction(struct nudged x, struct nudged y, unsigned i)
{
    const int sx = i & 1 ? -1 : 1, sy = i & 2 ? -1 : 1;
    return (struct nudged){sx * x.a + sy * y.a - 128, sx * x.b + sy * y.b, sx * x.c + sy * y.c};
}

static bool in_diamond(struct nudged x, struct nudged y)
{
    for (unsigned i = 0; i < 4; i++)
        if (sign_of(in_diamond_direction(x, y, i)) >= 0)
            return false;
    return true;
}

static struct nudged difference(struct nudged p, __int128 by_p, struct nudged q, __int128 by_q)
{
    return (struct nudged){p.a * by_p - q.a * by_q, p.b * by_p - q.b * by_q, p.c * by_p - q.c * by_q};
}

/* Diamond exit: the segment, moved by an infinitesimal left and up (the minor axis most), meets the open
 * diamond |x| + |y| < 1/2 of the pixel and does not end in it. [HW:H200] */
static bool diamond_covers(const int64_t line[4], int64_t px, int64_t py)
{
    const int64_t cx = px * 256 + 128, cy = py * 256 + 128;
    const int64_t dx = line[2] - line[0], dy = line[3] - line[1];
    const bool x_major = (dx < 0 ? -dx : dx) >= (dy < 0 ? -dy : dy);
    const struct nudged x0 = {line[0] - cx, x_major ? 0 : -1, x_major ? -1 : 0};
    const struct nudged y0 = {line[1] - cy, x_major ? -1 : 0, x_major ? 0 : -1};
    const struct nudged x1 = {line[2] - cx, x0.b, x0.c}, y1 = {line[3] - cy, y0.b, y0.c};
    struct nudged enter = {0, 0, 0}, leave = {1, 0, 0}; /* parameters, over the divisors below */
    __int128 enter_by = 1, leave_by = 1;
    if (in_diamond(x1, y1))
        return false;
    if (in_diamond(x0, y0))
        return true;
    for (unsigned i = 0; i < 4; i++) {
        const struct nudged at = in_diamond_direction(x0, y0, i);
        const __int128 slope = (__int128)(i & 1 ? -dx : dx) + (i & 2 ? -dy : dy);
        if (slope == 0) {
            if (sign_of(at) >= 0)
                return false;
        } else if (slope > 0) { /* leaves at -at / slope */
            const struct nudged t = {-at.a, -at.b, -at.c};
            if (sign_of(difference(t, leave_by, leave, slope)) < 0) {
                leave = t;
                leave_by = slope;
            }
        } else if (sign_of(difference(at, enter_by, enter, -slope)) > 0) {
            enter = at;
            enter_by = -slope;
        }
    }
    return sign_of(difference(leave, enter_by, enter, leave_by)) > 0;
}

/* A line along its longer axis: `length` columns (rows, where it is steeper) of 1/256 pixel. */
struct walk {
    const int64_t *line;
    bool x_major;
    int64_t along, across; /* where it starts */
    __int128 length, rise; /* of the shorter axis over the length */
    int direction;
};

static struct walk walk_of(const int64_t line[4])
{
    const int64_t dx = line[2] - line[0], dy = line[3] - line[1];
    const bool x_major = (dx < 0 ? -dx : dx) >= (dy < 0 ? -dy : dy);
    const int64_t major = x_major ? dx : dy, minor = x_major ? dy : dx;
    return (struct walk){.line = line,
                         .x_major = x_major,
                         .along = line[x_major ? 0 : 1],
                         .across = line[x_major ? 1 : 0],
                         .length = major < 0 ? -(__int128)major : major,
                         .rise = major < 0 ? -(__int128)minor : minor,
                         .direction = major < 0 ? -1 : 1};
}

/* How far the centre of pixel (column, row) lies from the line, across, times its length. */
static __int128 offset(const struct walk *walk, int64_t column, int64_t row)
{
    return ((__int128)row * 256 + 128 - walk->across) * walk->length -
           ((__int128)column * 256 + 128 - walk->along) * walk->rise;
}

/* The row that a line of width 1 has in a column. */
static int64_t row_of(const struct walk *walk, int64_t column)
{
    const __int128 span = 256 * walk->length, value = -offset(walk, column, 0) - 128 * walk->length;
    return (int64_t)(value / span + (value % span > 0));
}

/* Whether the diamond rule gives the line a pixel of the column. */
static bool takes_column(const struct walk *walk, int64_t column)
{
    const int64_t row = row_of(walk, column);
    for (int64_t near = row - 1; near <= row + 1; near++)
        if (diamond_covers(walk->line, walk->x_major ? column : near, walk->x_major ? near : column))
            return true;
    return false;
}

/* An aliased line covers the columns in which the diamond rule gives it a pixel; there, pixels whose centres
 * lie less than half the width from it, or as far as that to the left or above. [HW:H200] */
static bool aliased_covers(const struct et_raster_primitive *primitive, int32_t px, int32_t py)
{
    const struct walk walk = walk_of(primitive->line);
    const int64_t column = walk.x_major ? px : py, row = walk.x_major ? py : px;
    const __int128 off = offset(&walk, column, row), half = (__int128)primitive->half * walk.length;
    return walk.length && off >= -half && off < half && takes_column(&walk, column);
}

void et_raster_walk_aliased(const int64_t line[4], struct et_aliased_walk *out)
{
    const struct walk walk = walk_of(line);
    const int64_t to = walk.along + (int64_t)walk.length * walk.direction;
    *out = (struct et_aliased_walk){.x_major = walk.x_major, .direction = walk.direction};
    if (!walk.length)
        return;
    int64_t first = walk.along >> 8, last = to >> 8;
    if (!takes_column(&walk, first))
        first += walk.direction;
    if (!takes_column(&walk, last))
        last -= walk.direction;
    const bool falls = walk.x_major ? row_of(&walk, first) < row_of(&walk, last) : first < last;
    out->first = first;
    out->count = ET_MAX((last - first) * walk.direction + 1, 0);
    out->top = falls ? first : last;
}

const uint32_t et_lanes_before_column[9] = {0,          0x00050005, 0x000f000f, 0x005f005f, 0x00ff00ff,
                                            0x05ff05ff, 0x0fff0fff, 0x5fff5fff, 0xffffffff};
const uint32_t et_lanes_before_row[5] = {0, 0x3333, 0xffff, 0x3333ffff, 0xffffffff};

static int64_t within(int64_t value, int64_t most)
{
    return value < 0 ? 0 : value > most ? most : value;
}

/* Lanes of a cell inside the primitive's box. */
static uint32_t box_lanes(const struct et_rectangle *box, int32_t x, int32_t y)
{
    if (x >= box->x0 && x + 8 <= box->x1 && y >= box->y0 && y + 4 <= box->y1)
        return 0xffffffff;
    return et_lanes_before_column[within((int64_t)box->x1 - x, 8)] &
           ~et_lanes_before_column[within((int64_t)box->x0 - x, 8)] &
           et_lanes_before_row[within((int64_t)box->y1 - y, 4)] &
           ~et_lanes_before_row[within((int64_t)box->y0 - y, 4)];
}

/* Lanes that the window clip rectangles leave. */
static uint32_t window_lanes(const struct et_raster_state *state, int32_t x, int32_t y)
{
    uint32_t in = 0;
    if (state->window_clip_type == 2)
        return 0;
    for (unsigned i = 0; i < ET_WINDOW_CLIPS; i++)
        in |= box_lanes(&state->window_clip[i], x, y);
    return state->window_clip_type == 1 ? ~in : in;
}

/* Stipple pattern: row y mod 32, byte x / 8 mod 4, bit 7 - (x mod 8). [DRV: nvc0 swaps the bytes of a pattern
 * whose most significant bit is leftmost] */
static uint32_t stipple_lanes(const struct et_raster_state *state, int32_t x, int32_t y)
{
    uint32_t mask = 0;
    for (unsigned lane = 0; lane < ET_LANES; lane++) {
        const uint32_t row = state->polygon_stipple_pattern[(y + LANE_Y(lane)) & 31];
        mask |= (row >> (((x + LANE_X(lane)) & 31) ^ 7) & 1) << lane;
    }
    return mask;
}

/* Whether a step of the stipple pattern is drawn: each bit of it lasts for a factor of steps, the lowest
 * first. [DOC: OpenGL 4.6 compatibility 14.5.2] */
static bool step_is_drawn(const struct et_raster_state *state, double step)
{
    const uint64_t steps = (uint64_t)fmin(fmax(step, 0), 0x1p50) / (state->line_stipple_factor + 1u);
    return state->line_stipple_pattern >> (steps & 15) & 1;
}

/* Line stipple: an aliased line steps from pixel to pixel, others a pixel's length, whose end belongs to the
 * step before; nothing is drawn before the first. [HW:H200] position: of each of the 2x2 tile's pixels, 1/16.
 */
static uint32_t line_stipple_lanes(const struct et_raster_state *state,
                                   const struct et_raster_primitive *primitive, int32_t x, int32_t y,
                                   const uint8_t position[4][2])
{
    const int64_t *line = primitive->line;
    const double dx = (double)(line[2] - line[0]), dy = (double)(line[3] - line[1]), length = hypot(dx, dy);
    const struct et_aliased_walk *walk = &primitive->walk;
    uint32_t mask = 0;
    for (unsigned lane = 0; lane < ET_LANES; lane++) {
        const int64_t column = x + LANE_X(lane), row = y + LANE_Y(lane);
        const double px = (double)(column * 256 + 16 * position[lane & 3][0] - line[0]);
        const double py = (double)(row * 256 + 16 * position[lane & 3][1] - line[1]);
        const double pixels = (double)(((walk->x_major ? column : row) - walk->first) * walk->direction);
        const double step = primitive->shape == ET_SHAPE_DIAMOND
                                ? primitive->stipple + pixels
                                : ceil(primitive->stipple + (px * dx + py * dy) / length / 256) - 1;
        mask |= (uint32_t)(step >= 0 && step_is_drawn(state, step)) << lane;
    }
    return mask;
}

struct point {
    double x, y;
};

/* Vertices that four cuts of a square leave at most: rounded, a cut may go in and out at every other one. */
enum { MOST_CORNERS = 19 };

/* Cuts a convex polygon to a*x + b*y + c >= 0. */
static unsigned cut_polygon(struct point *p, unsigned n, double a, double b, double c)
{
    struct point source[MOST_CORNERS];
    unsigned kept = 0;
    memcpy(source, p, n * sizeof *p);
    for (unsigned i = 0; i < n; i++) {
        const struct point *from = &source[i], *to = &source[i + 1 == n ? 0 : i + 1];
        const double d = a * from->x + b * from->y + c, e = a * to->x + b * to->y + c;
        if (d >= 0)
            p[kept++] = *from;
        if ((d >= 0) != (e >= 0)) {
            const double t = d / (d - e);
            p[kept++] = (struct point){from->x + t * (to->x - from->x), from->y + t * (to->y - from->y)};
        }
    }
    return kept;
}

static double polygon_area(const struct point *p, unsigned n)
{
    double area = 0;
    for (unsigned i = 0; i < n; i++) {
        const struct point *q = &p[i + 1 == n ? 0 : i + 1];
        area += (p[i].x - p->x) * (q->y - p->y) - (q->x - p->x) * (p[i].y - p->y);
    }
    return fmin(fabs(area) / 2, 1);
}

/* The part of a pixel's square inside a polygon's edges. [DOC: OpenGL 4.6 14.6.6] */
static double smooth_polygon_area(const struct et_raster_primitive *primitive, int32_t x, int32_t y)
{
    struct point p[MOST_CORNERS] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    unsigned n = 4;
    for (unsigned i = 0; i < primitive->edges && n; i++) {
        const struct et_edge *edge = &primitive->edge[i];
        const double reach = 128 * (fabs((double)edge->a) + fabs((double)edge->b)); /* it was moved out */
        const __int128 at = (__int128)edge->a * x * 256 + (__int128)edge->b * y * 256 + edge->c;
        n = cut_polygon(p, n, 256 * (double)edge->a, 256 * (double)edge->b, (double)at - reach);
    }
    return polygon_area(p, n);
}

/* ---- smooth lines ----
 *
 * Coverage is made of numbers of 5 bits. Across, a pixel's distance to an edge, cut to sixteenths, rises
 * within half a pixel to each side of it; along, that to the nearer end, cut to 1/32 pixel, from 21/32 before
 * the end on. Stipple limits the latter. The product of both is what is drawn. A line of width 2 and less
 * without stipple has no ends: it covers the columns that an aliased one has. Samples change nothing.
 * [HW:H200, conformance/hardware/lines] */
enum { FULL = 31, BEFORE_END = 21, STEP = 32 };

/* A pixel's middle as the line sees it, 1/256 pixel. */
struct seen {
    double along, left; /* from the start, to the end */
    double across;      /* to one side of it or the other */
    bool below;         /* to the right of it, or below */
};

static struct seen see(const struct et_raster_primitive *primitive, int32_t x, int32_t y)
{
    const int64_t *line = primitive->line;
    const double dx = (double)(line[2] - line[0]), dy = (double)(line[3] - line[1]), length = hypot(dx, dy),
                 px = (double)((int64_t)x * 256 + 128 - line[0]),
                 py = (double)((int64_t)y * 256 + 128 - line[1]);
    const double side = (dx * py - dy * px) / length, along = (dx * px + dy * py) / length,
                 nx = side > 0 ? -dy : dy, ny = side > 0 ? dx : -dx;
    return (struct seen){along, length - along, side, ny > 0 || (ny == 0 && nx > 0)};
}

/* 15 to 0, below 0 outside. `up`: pixels on a step count as nearer. */
static int level_across(const struct et_raster_primitive *primitive, const struct seen *seen, bool up)
{
    const double beyond = 16 * (fabs(seen->across) - ET_MAX(primitive->half, 128) + 128) / 256;
    const double steps = fmin(fmax(up ? ceil(beyond) - 1 : floor(beyond), 0), 16);
    return 15 - (int)steps;
}

static int five_bits(int level)
{
    return level > 0 ? level << 1 | level >> 3 : 0;
}

static int to_end(double distance)
{
    return (int)fmin(fmax(ceil(distance * STEP / 256 + BEFORE_END) - 1, 0), FULL);
}

static bool bit_is_drawn(const struct et_raster_state *state, int64_t bit)
{
    return state->line_stipple_pattern >> (bit & 15) & 1;
}

/* Stipple counts the 1/32s of a bit of the pattern from a sixteenth of a pixel before the line's start on.
 * Within 19 thirty-seconds of a pixel of a run's first one, and 10 after its last one, a run's coverage rises
 * and falls; when the count that meets a bit first is 0, or the one that leaves it, the pattern's end does
 * not come in. */
static int stippled(const struct et_raster_state *state, const struct et_raster_primitive *primitive,
                    double along)
{
    const int factor = (int)state->line_stipple_factor + 1;
    const double steps = primitive->stipple + along / 256;
    const int64_t count = (int64_t)fmin(fmax(ceil((STEP * steps - 2) / factor) - 1, -0x1p50), 0x1p50);
    const int64_t bit = count >> 5;
    const int at = (int)(count & (STEP - 1)) * factor, whole = STEP * factor;
    const bool drawn = bit_is_drawn(state, bit), after = bit_is_drawn(state, bit + 1);
    bool before = bit_is_drawn(state, bit - 1);
    if (count == -(BEFORE_END + factor - 1) / factor)
        return after ? FULL : 0;
    if (count == 11 / factor)
        before = drawn;
    if (drawn)
        return ET_MIN(before ? FULL : at + 19, after ? FULL : whole - at + 10);
    return ET_MAX(before ? 10 - at : 0, after ? at - whole + 19 : 0);
}

bool et_raster_smooth_is_thin(const struct et_raster_state *state, double half)
{
    return !state->line_stipple && half <= 256;
}

static int smooth_line(const struct et_raster_state *state, const struct et_raster_primitive *primitive,
                       int32_t x, int32_t y)
{
    const struct seen seen = see(primitive, x, y);
    if (et_raster_smooth_is_thin(state, primitive->half)) {
        const struct walk walk = walk_of(primitive->line);
        const int level = level_across(primitive, &seen, seen.below);
        return level > 0 && walk.length && takes_column(&walk, walk.x_major ? x : y) ? five_bits(level) : 0;
    }
    const int across = five_bits(level_across(primitive, &seen, seen.across > 0));
    int along = ET_MIN(to_end(seen.along), to_end(seen.left));
    if (state->line_stipple && across && along)
        along = ET_MIN(along, ET_MAX(stippled(state, primitive, seen.along), 0));
    return along ? ((along + 1) * across) >> 5 : 0;
}

double et_raster_smooth_area(const struct et_raster_state *state, const struct et_raster_primitive *primitive,
                             int32_t x, int32_t y)
{
    return primitive->is_line ? (double)smooth_line(state, primitive, x, y) / FULL
                              : smooth_polygon_area(primitive, x, y);
}

static uint32_t smooth_lanes(const struct et_raster_state *state, const struct et_raster_primitive *primitive,
                             int32_t x, int32_t y, uint32_t lanes)
{
    for (unsigned lane = 0; lane < ET_LANES; lane++)
        if (lanes >> lane & 1 &&
            !(et_raster_smooth_area(state, primitive, x + LANE_X(lane), y + LANE_Y(lane)) > 0))
            lanes &= ~(1u << lane);
    return lanes;
}

static uint32_t sample_lanes(const struct et_raster_plan *plan, const struct crossing *crossing,
                             unsigned sample, uint32_t lanes)
{
    const uint8_t(*const place)[ET_LANES] = plan->place[sample];
    if (crossing->smalls)
        lanes &= plan->wide->inside(crossing->small, crossing->smalls, place);
    for (unsigned i = 0; i < crossing->larges && lanes; i++)
        lanes &= inside(&crossing->large[i], place);
    return lanes;
}

static uint32_t diamond_lanes(const struct et_raster_primitive *primitive, int32_t x, int32_t y,
                              uint32_t lanes)
{
    uint32_t mask = 0;
    for (unsigned lane = 0; lane < ET_LANES; lane++)
        if (lanes >> lane & 1 && aliased_covers(primitive, x + LANE_X(lane), y + LANE_Y(lane)))
            mask |= 1u << lane;
    return mask;
}

/* Lanes whose sample s the sample mask leaves. */
static uint32_t mask_lanes(const struct et_raster_plan *plan, unsigned s)
{
    uint32_t lanes = 0;
    for (unsigned place = 0; place < 4; place++)
        lanes |= plan->sample_mask[place] >> s & 1 ? 0x11111111u << place : 0;
    return lanes;
}

uint32_t et_raster_cover_lanes(const struct et_raster_plan *plan, const struct et_local_edges *edges,
                               bool whole, int32_t x, int32_t y, uint32_t covered[ET_SAMPLES_MAX])
{
    const struct et_raster_primitive *primitive = edges->primitive;
    const unsigned samples = plan->samples->samples;
    const bool diamond = primitive->shape == ET_SHAPE_DIAMOND,
               one = plan->distinct == 1 || primitive->shape != ET_SHAPE_EDGES;
    static const uint8_t centres[4][2] = {{8, 8}, {8, 8}, {8, 8}, {8, 8}};
    const bool stippled =
        plan->state->line_stipple && primitive->is_line && primitive->shape != ET_SHAPE_SMOOTH;
    struct crossing crossing;
    uint32_t lanes = box_lanes(&primitive->box, x, y), any = 0;
    if (!whole && !find_crossing(plan, edges, x, y, &crossing))
        lanes = 0;
    if (plan->state->window_clip_enable)
        lanes &= window_lanes(plan->state, x, y);
    if (plan->state->polygon_stipple && primitive->edges == 3)
        lanes &= stipple_lanes(plan->state, x, y);
    if (stippled && one)
        lanes &= line_stipple_lanes(plan->state, primitive, x, y, centres);
    if (primitive->shape == ET_SHAPE_SMOOTH)
        lanes = smooth_lanes(plan->state, primitive, x, y, lanes);
    if (!whole && one)
        lanes = diamond ? diamond_lanes(primitive, x, y, lanes) : sample_lanes(plan, &crossing, 0, lanes);
    for (unsigned s = 0; s < samples; s++) {
        covered[s] = whole || one ? lanes : sample_lanes(plan, &crossing, s, lanes);
        if (stippled && !one)
            covered[s] &=
                line_stipple_lanes(plan->state, primitive, x, y,
                                   (const uint8_t[4][2]){{plan->position[0][s][0], plan->position[0][s][1]},
                                                         {plan->position[1][s][0], plan->position[1][s][1]},
                                                         {plan->position[2][s][0], plan->position[2][s][1]},
                                                         {plan->position[3][s][0], plan->position[3][s][1]}});
        if (!plan->full_mask)
            covered[s] &= mask_lanes(plan, s);
        any |= covered[s];
    }
    return any;
}

uint32_t et_raster_cover_cell(const struct et_raster_plan *plan, const struct et_local_edges *edges,
                              bool whole, int32_t x, int32_t y, uint16_t coverage[ET_LANES])
{
    uint32_t covered[ET_SAMPLES_MAX];
    const uint32_t any = et_raster_cover_lanes(plan, edges, whole, x, y, covered);
    if (any)
        plan->wide->spread(covered, plan->samples->samples, coverage);
    return any;
}
