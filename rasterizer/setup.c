/* Primitives of shaded vertices into edges and planes.
 *
 * A vertex: iw = 1/w by the special-function unit, window = RN(RN(RN(position * scale) * iw) + offset),
 * snapped to 1/256 pixel half to even; where z is w, z / w is 1; a w below 2^-64 is 2^-64 there, -0 is
 * -2^-64. [HW:H200] Edges are exact integers with the top-left rule, up to slopes of 24 bits; triangles are
 * not clipped at the sides. A triangle that one of near, far and w cuts is drawn as a fan from the new vertex
 * of the smallest window x, then y; what user planes or several planes cut, as a fan from the vertex of the
 * smallest clip-space x, then y, as the planes see it. Values without perspective are a * w cut like the
 * others and multiplied by the vertex's 1/w, in the first kind of fan only at new vertices. [HW:H200,
 * conformance/hardware/planes, lists of cut.h and far.h] */
#include "rasterizer/raster.h"

#include "base/alloc.h"
#include "base/bits.h"
#include "isa/numeric/mufu.h"
#include "rasterizer/clip.h"

#include <math.h>
#include <stdlib.h>

#define WINDOW_LIMIT  0x1p53   /* pixels: edges stay within 64 bits */
#define SEGMENT_LIMIT 0x1p31   /* lines are cut there, points left out */
#define LEAST_W       0x1p-64f /* stands for what is less, -0 keeps its sign [HW:H200] */

struct corner {
    int64_t x, y; /* 2^far/256 pixel; far is not 0 beyond WINDOW_LIMIT alone */
    int far;
    float z, iw;
    const struct et_vertex_record *record;
    float share[6]; /* of the primitive's vertices: barycentric without perspective, with it */
};

/* The w that was divided by last, and 1/w; 0: none. */
struct divisor {
    float w, iw;
};

/* What all pieces of one input primitive share. */
struct setup {
    const struct et_raster_plan *plan;
    struct et_raster_batch *batch;
    const struct et_raster_input *input;
    const struct et_viewport *viewport;
    const struct et_vertex_record *provoking;
    struct divisor *last;
    struct et_rectangle clip; /* pixels */
    uint32_t layer, viewport_index;
    bool front;
    double bias;
    bool stipple_goes_on; /* of the line that comes */
    double stipple;       /* the pattern's steps before it */
    struct etalon_error *error;
};

enum geometry_clip { WZERO, PASSTHROUGH, FRUSTUM_XY, FRUSTUM_XYZ, WZERO_NO_Z_CULL, FRUSTUM_Z };

static struct et_rectangle intersect(struct et_rectangle a, struct et_rectangle b)
{
    return (struct et_rectangle){ET_MAX(a.x0, b.x0), ET_MAX(a.y0, b.y0), ET_MIN(a.x1, b.x1),
                                 ET_MIN(a.y1, b.y1)};
}

static bool is_empty(struct et_rectangle r)
{
    return r.x0 >= r.x1 || r.y0 >= r.y1;
}

/* ---- vertices ---- */

static void swizzle(const struct et_viewport *viewport, const uint32_t *word, float out[4])
{
    for (unsigned i = 0; i < 4; i++) {
        const float value = et_float(word[viewport->swizzle[i] >> 1 & 3]);
        out[i] = viewport->swizzle[i] & 1 ? -value : value;
    }
}

static float reciprocal(float w)
{
    return et_float(et_mufu(ET_MUFU_RCP, et_float_bits(w)));
}

static void project(const struct setup *setup, const float position[4], float window[3], float *iw)
{
    const struct et_raster_state *state = setup->plan->state;
    const bool any_w = et_bits(state->clip_control, 13, 11) == PASSTHROUGH;
    const float least = position[3] == 0 ? copysignf(LEAST_W, position[3]) : LEAST_W;
    const float w = any_w || position[3] > LEAST_W ? position[3] : least;
    if (setup->last->iw == 0 || et_float_bits(setup->last->w) != et_float_bits(w))
        *setup->last = (struct divisor){w, reciprocal(w)};
    *iw = setup->last->iw;
    for (unsigned i = 0; i < 3; i++)
        window[i] = state->viewport_transform
                        ? position[i] * setup->viewport->scale[i] * *iw + setup->viewport->offset[i]
                        : position[i];
    if (state->viewport_transform && position[2] == position[3] && position[3] > 0) /* whatever 1/w is */
        window[2] = setup->viewport->scale[2] + setup->viewport->offset[2];
    if (state->pixel_at_integer) {
        window[0] += 0.5f;
        window[1] += 0.5f;
    }
}

static double bounded(float v)
{
    return fmin(fmax(v, -0x1p128), 0x1p128); /* NaN: the lower limit */
}

static int64_t snap(double pixels, int32_t window_offset, int far)
{
    return (int64_t)rint(far ? ldexp(pixels * 256, -far) : pixels * 256) +
           ((int64_t)window_offset * 256 >> ET_MIN(far, 63));
}

static void place_corner(const struct setup *setup, const float position[4], struct corner *corner)
{
    const struct et_raster_state *state = setup->plan->state;
    float window[3];
    project(setup, position, window, &corner->iw);
    const double x = bounded(window[0]), y = bounded(window[1]), most = fmax(fabs(x), fabs(y));
    corner->far = most < WINDOW_LIMIT ? 0 : ilogb(most / WINDOW_LIMIT) + 1;
    corner->x = snap(x, state->window_offset_x, corner->far);
    corner->y = snap(y, state->window_offset_y, corner->far);
    corner->z = window[2];
}

static double corner_x(const struct corner *c)
{
    return c->far ? ldexp((double)c->x, c->far) : (double)c->x;
}

static double corner_y(const struct corner *c)
{
    return c->far ? ldexp((double)c->y, c->far) : (double)c->y;
}

/* Vertex k of a primitive that nothing cuts. */
static void make_corner(const struct setup *setup, const float position[4],
                        const struct et_vertex_record *record, unsigned k, struct corner *corner)
{
    *corner = (struct corner){.record = record};
    corner->share[k] = corner->share[3 + k] = 1;
    place_corner(setup, position, corner);
}

/* ---- output ---- */

static bool reserve(struct setup *setup)
{
    const struct et_raster_plan *plan = setup->plan;
    struct et_raster_batch *batch = setup->batch;
    const size_t need = batch->count + 1;
    if (need <= batch->capacity && need * plan->planes + 1 <= batch->planes_capacity &&
        need * plan->flats + 1 <= batch->flats_capacity)
        return true;
    if (et_grow(&batch->primitive, &batch->capacity, need, sizeof *batch->primitive) &&
        et_grow(&batch->planes, &batch->planes_capacity, need * plan->planes + 1, sizeof *batch->planes) &&
        et_grow(&batch->flats, &batch->flats_capacity, need * plan->flats + 1, sizeof *batch->flats))
        return true;
    et_fail(setup->error, ETALON_NO_MEMORY, "no memory for primitives");
    return false;
}

static unsigned source_word(const struct setup *setup, const struct et_raster_attribute *attribute)
{
    return setup->front ? attribute->word : attribute->back_word;
}

/* SET_COLOR_CLAMP: the vertex stages' colours, in 0..1. NaN is 0. [DOC: ARB_color_buffer_float; DRV: nvc0] */
static uint32_t vertex_word(const struct setup *setup, const struct et_vertex_record *record, unsigned word)
{
    const uint32_t bits = record->word[word];
    if (!setup->plan->state->color_clamp || word < ET_WORD_FRONT_COLOR || word >= ET_WORD_BACK_COLOR + 8)
        return bits;
    return et_float_bits(fminf(fmaxf(et_float(bits), 0), 1));
}

static void depth_range(const struct setup *setup, float *low, float *high)
{
    const uint32_t control = setup->plan->state->clip_control, range = et_bits(control, 17, 16);
    const bool unit = range == 2 || (range == 0 && control & 1);
    *low = unit ? 0 : ET_MIN(setup->viewport->min_z, setup->viewport->max_z);
    *high = unit ? 1 : ET_MAX(setup->viewport->min_z, setup->viewport->max_z);
    if (range == 3) {
        *low = -INFINITY;
        *high = INFINITY;
    }
}

static uint8_t rate_table(const struct setup *setup)
{
    const struct et_shading_rates *rates = &setup->plan->state->rates;
    if (rates->source == 1)
        return setup->plan->shader_rate_table ? setup->provoking->word[ET_WORD_RATE_TABLE] & 15 : 0;
    return rates->source == 0 ? setup->viewport_index & 15 : rates->constant;
}

/* The next primitive of the batch with all that does not depend on its shape. NULL when memory is refused. */
static struct et_raster_primitive *start(struct setup *setup)
{
    const struct et_raster_plan *plan = setup->plan;
    struct et_raster_primitive *made;
    uint32_t *flat;
    if (!reserve(setup))
        return NULL;
    made = &setup->batch->primitive[setup->batch->count];
    flat = setup->batch->flats + setup->batch->count * plan->flats;
    memset(made, 0, sizeof *made);
    made->p.primitive_id = setup->input->primitive_id;
    made->p.layer = setup->layer;
    made->p.viewport = setup->viewport_index;
    made->p.front = setup->front;
    made->rate_table = plan->coarse ? rate_table(setup) : 0;
    for (unsigned i = 0; i < plan->flats; i++)
        flat[i] = vertex_word(setup, setup->provoking, source_word(setup, &plan->flat[i]));
    depth_range(setup, &made->min_z, &made->max_z);
    return made;
}

static struct et_plane *planes_of(const struct setup *setup)
{
    return setup->batch->planes + setup->batch->count * setup->plan->planes;
}

/* The pixel nearest to `value` in low..high. */
static int32_t pixel_within(double value, int32_t low, int32_t high)
{
    return value > low ? value < high ? (int32_t)value : high : low;
}

/* Bounding box of fixed-point extents, in pixels whose samples may lie inside; extents may be far beyond what
 * a pixel's number holds. */
static struct et_rectangle box_of(const struct setup *setup, double left, double top, double right,
                                  double bottom)
{
    const struct et_rectangle *const clip = &setup->clip;
    return (struct et_rectangle){pixel_within(floor(left / 256), clip->x0, clip->x1),
                                 pixel_within(floor(top / 256), clip->y0, clip->y1),
                                 pixel_within(floor(right / 256) + 1, clip->x0, clip->x1),
                                 pixel_within(floor(bottom / 256) + 1, clip->y0, clip->y1)};
}

/* Whether conservative raster takes the primitive as it was before its vertices were snapped. */
static bool before_snapping(const struct setup *setup)
{
    const uint32_t control = setup->plan->state->conservative_control;
    return setup->plan->state->conservative &&
           (setup->input->corners == 3 ? et_bits(control, 10, 8) : et_bits(control, 14, 12)) == 1;
}

/* Half the side of the square that conservative raster tests a pixel with, 1/512 pixel: negative where the
 * whole square must be covered. EXTRA_PRIM_BLOAT counts quarters of a pixel. Before snapping a vertex may be
 * anywhere about its snapped place, as far as the uncertainty region's 1/64 to 1/512 pixel. [HW:H200 for
 * 1/512] */
static int64_t bloat(const struct setup *setup)
{
    const uint32_t control = setup->plan->state->conservative_control;
    const int64_t region = before_snapping(setup) ? 8 >> et_bits(control, 17, 16) : 0;
    if (!setup->plan->state->conservative)
        return 0;
    if (control >> 4 & 1) /* COPY_INNER_TO_OUTER */
        return -256 - region;
    return 256 + 128 * (int64_t)(et_bits(control, 3, 0) & 3) + region;
}

/* How far such a square reaches beyond its pixel, 1/256 pixel. */
static double beyond_pixel(const struct setup *setup)
{
    return (double)ET_MAX(bloat(setup) - 256, 0) / 2;
}

/* box_of of a shape, and the squares around it that conservative raster meets too; those about a shape before
 * snapping are closed. */
static struct et_rectangle met_box(const struct setup *setup, double left, double top, double right,
                                   double bottom)
{
    const struct et_raster_state *state = setup->plan->state;
    const bool closed = before_snapping(setup);
    const double more = beyond_pixel(setup), first = closed ? 0.25 : 0, last = state->conservative && !closed;
    return box_of(setup, left - more - first, top - more - first, right + more - last, bottom + more - last);
}

/* A convex shape meets a square if no edge and no side of the shape's box lies between them, and holds it if
 * every edge does: moving the edges (and the box, by the caller) is exact. Ties keep the edges' rule: left
 * and top ones are inclusive, and so round down, before snapping all are [HW:H200]. `half`: 1/512 pixel. */
static void move_edges(struct et_raster_primitive *made, int64_t half, bool closed)
{
    for (unsigned i = 0; i < made->edges && half; i++) {
        struct et_edge *edge = &made->edge[i];
        const __int128 by = half * ((__int128)llabs(edge->a) + llabs(edge->b));
        const bool inclusive = closed || edge->a > 0 || (edge->a == 0 && edge->b > 0);
        edge->c += (by + !inclusive) >> 1;
    }
}

static void bloat_edges(const struct setup *setup, struct et_raster_primitive *made)
{
    move_edges(made, bloat(setup), before_snapping(setup));
}

static void finish(struct setup *setup)
{
    setup->batch->count++;
}

/* The value of a corner that an attribute's plane goes through. */
static float plane_value(const struct setup *setup, const struct et_raster_attribute *attribute,
                         const struct corner *corner)
{
    const unsigned word = source_word(setup, attribute);
    const bool color = attribute->word >= ET_WORD_FRONT_COLOR && attribute->word < ET_WORD_FRONT_COLOR + 8;
    float value;
    if (word >= ET_WORD_BARYCENTRIC && word < ET_WORD_BARYCENTRIC + 6) {
        const unsigned index = word - ET_WORD_BARYCENTRIC;
        return index >= 3 ? corner->share[index] * corner->iw : corner->share[index];
    }
    value = et_float(vertex_word(
        setup, color && setup->plan->state->flat_shade ? setup->provoking : corner->record, word));
    return attribute->perspective ? value * corner->iw : value;
}

/* ---- triangles ---- */

/* From one corner to another, in units of 2^(the larger `far`)/256 pixel. */
static void vector_between(const struct corner *from, const struct corner *to, int64_t *dx, int64_t *dy)
{
    const int far = ET_MAX(from->far, to->far), down_from = ET_MIN(far - from->far, 63),
              down_to = ET_MIN(far - to->far, 63);
    *dx = (to->x >> down_to) - (from->x >> down_from);
    *dy = (to->y >> down_to) - (from->y >> down_from);
}

static int64_t toward_zero(int64_t value, int places)
{
    const int shift = ET_MIN(ET_MAX(places, 0), 63);
    return value < 0 ? -(int64_t)((uint64_t)-value >> shift) : value >> shift;
}

static int bits_of(int64_t a, int64_t b)
{
    const uint64_t any = (uint64_t)llabs(a) | (uint64_t)llabs(b);
    return any ? 64 - __builtin_clzll(any) : 0;
}

/* A difference of two coordinates in units of 2^far, each cut to the places of the larger's first 25 bits. */
static int64_t cut_difference(int64_t from, int from_far, int64_t to, int to_far, int far)
{
    const int64_t p = toward_zero(from, far - from_far), q = toward_zero(to, far - to_far);
    const int places = ET_MAX(bits_of(p, q) - 25, 0);
    return (toward_zero(q, places) - toward_zero(p, places)) * ((int64_t)1 << places);
}

/* The slopes that an edge of slopes a and b is evaluated with: differences of cut coordinates, cut to the
 * places of the larger's first 24 bits; the constant stays exact. True if that changed them. [HW:H200] */
static bool cut_slopes(struct et_edge *edge, const struct corner *from, const struct corner *to,
                       bool positive)
{
    const int far = ET_MAX(from->far, to->far);
    const int64_t dx = cut_difference(from->x, from->far, to->x, to->far, far),
                  dy = cut_difference(from->y, from->far, to->y, to->far, far);
    const int places = ET_MAX(bits_of(dx, dy) - 24, 0);
    const int64_t a = toward_zero(positive ? -dy : dy, places) * ((int64_t)1 << places),
                  b = toward_zero(positive ? dx : -dx, places) * ((int64_t)1 << places);
    const bool changed = a != edge->a || b != edge->b;
    edge->a = a;
    edge->b = b;
    return changed;
}

/* True if the edge is evaluated with slopes that are not its own. */
static bool edge_between(struct et_edge *edge, const struct corner *from, const struct corner *to,
                         bool positive, bool closed)
{
    const struct corner *at = from->far <= to->far ? from : to;
    int64_t dx, dy;
    vector_between(from, to, &dx, &dy);
    if (!positive) {
        dx = -dx;
        dy = -dy;
    }
    const bool inclusive = closed || dy < 0 || (dy == 0 && dx > 0); /* left, or top */
    edge->a = -dy;
    edge->b = dx;
    edge->c = (__int128)dy * at->x - (__int128)dx * at->y;
    if (at->far && edge->c) /* too far away for any pixel to lie beyond */
        edge->c = edge->c < 0 ? -((__int128)1 << 124) : (__int128)1 << 124;
    edge->c -= inclusive ? 0 : 1;
    return bits_of(dx, dy) > 24 && cut_slopes(edge, from, to, positive);
}

/* Twice the area, its sign where a corner is far away. */
static double area_of(const struct corner c[3])
{
    const unsigned first = c[0].far <= c[1].far && c[0].far <= c[2].far ? 0 : c[1].far <= c[2].far ? 1 : 2;
    int64_t x1, y1, x2, y2;
    vector_between(&c[first], &c[(first + 1) % 3], &x1, &y1);
    vector_between(&c[first], &c[(first + 2) % 3], &x2, &y2);
    return (double)((__int128)x1 * y2 - (__int128)x2 * y1);
}

static bool make_basis(const struct setup *setup, const struct corner c[3], struct et_plane_basis *basis)
{
    const struct et_rectangle *const drawn = &setup->viewport->clip;
    struct et_plane_number x[3], y[3];
    for (unsigned k = 0; k < 3; k++) {
        x[k] = (struct et_plane_number){c[k].x, c[k].far};
        y[k] = (struct et_plane_number){c[k].y, c[k].far};
    }
    return et_plane_basis_make(basis, x, y, drawn->x0, drawn->y0, drawn->x1, drawn->y1);
}

/* Slope and constant of depth bias. A unit of the constant is half the API's, as nvc0 writes it
 * doubled [DRV]; with DEPTH_FORMAT_DEPENDENT, where NVK writes it as it is, the API's: 2^-15 of 16 bits, the
 * last place of the largest z of a float [HW:H200 for the API's unit, INF for the control's part in it]. */
static double depth_bias(const struct setup *setup, const struct et_plane *z, const struct corner *c,
                         unsigned corners)
{
    const struct et_raster_state *state = setup->plan->state;
    const struct et_depth_format *format = setup->plan->depth.format;
    double step, bias;
    if (!format)
        return 0;
    if (!format->float_depth) {
        step = format->depth_bits == 16 ? 0x1p-16 : 0x1p-24;
    } else {
        float most = 0;
        for (unsigned k = 0; k < corners; k++)
            most = fmaxf(most, fabsf(c[k].z));
        step = most > 0 && isfinite(most) ? ldexp(1, ilogbf(most) - 24) : 0;
    }
    step *= state->bias_format_dependent ? 2 : 1;
    bias = et_plane_bias(z, state->bias_slope, (double)state->bias_constant * step);
    if (state->bias_clamp > 0)
        bias = fmin(bias, state->bias_clamp);
    if (state->bias_clamp < 0)
        bias = fmax(bias, state->bias_clamp);
    return isfinite(bias) ? bias : 0;
}

/* Depth may leave the range where a corner does, and wherever it is biased or the program's: PIXEL_MIN_Z and
 * PIXEL_MAX_Z cut it off after that. [DRV: NVK's remarks] */
static void cut_depth(const struct setup *setup, struct et_raster_primitive *made, const struct corner *c,
                      unsigned count, bool biased)
{
    const struct et_depth_stencil *state = &setup->plan->state->depth_stencil;
    bool below = biased || setup->plan->writes_depth, above = below;
    for (unsigned k = 0; k < count; k++) {
        below = below || !(c[k].z >= made->min_z);
        above = above || !(c[k].z <= made->max_z);
    }
    made->cuts_below = below && !state->clamp_min;
    made->cuts_above = above && !state->clamp_max;
}

/* Extents of corners, 1/256 pixel. */
struct extents {
    double left, top, right, bottom;
};

static struct extents extents_of(const struct corner *c, unsigned count)
{
    struct extents e = {corner_x(c), corner_y(c), corner_x(c), corner_y(c)};
    for (unsigned k = 1; k < count; k++) {
        const double x = corner_x(&c[k]), y = corner_y(&c[k]);
        e = (struct extents){ET_MIN(e.left, x), ET_MIN(e.top, y), ET_MAX(e.right, x), ET_MAX(e.bottom, y)};
    }
    return e;
}

static __int128 within_edges(double v)
{
    return (__int128)fmin(fmax(v, -WINDOW_LIMIT * 256), WINDOW_LIMIT * 256);
}

/* The left and the top edge are inclusive, like a triangle's; all are where it is closed. */
static void rectangle_edges(struct et_raster_primitive *made, const struct extents *e, bool closed)
{
    made->edges = 4;
    made->edge[0] = (struct et_edge){1, 0, -within_edges(e->left)};
    made->edge[1] = (struct et_edge){-1, 0, within_edges(e->right) - !closed};
    made->edge[2] = (struct et_edge){0, 1, -within_edges(e->top)};
    made->edge[3] = (struct et_edge){0, -1, within_edges(e->bottom) - !closed};
}

/* The depth unit's plane, from a constant a tile of 8x8 samples. [HW:H200] */
static void make_depth(const struct setup *setup, const struct et_plane_basis *basis, const float value[3],
                       struct et_plane *z)
{
    const struct et_sample_layout *samples = setup->plan->samples;
    et_plane_make(basis, value, true, z);
    z->tile_x >>= samples->width_log2;
    z->tile_y >>= samples->height_log2;
}

/* Leaves pixels out whose samples all lie right of or below a triangle's extents, or on that side: edges
 * whose slopes were cut may pass beyond it. [HW:H200 with one sample a pixel] */
static void leave_out_beyond(const struct et_raster_plan *plan, const struct extents *e,
                             struct et_rectangle *box)
{
    int x = 15, y = 15; /* of the first samples in a pixel, 1/16 pixel */
    for (unsigned s = 0; s < plan->samples->samples; s++)
        for (unsigned lane = 0; lane < 4; lane++) {
            x = ET_MIN(x, plan->place[s][0][lane] & 15);
            y = ET_MIN(y, plan->place[s][1][lane] & 15);
        }
    box->x1 = pixel_within(ceil((e->right - 16 * x) / 256), box->x0, box->x1);
    box->y1 = pixel_within(ceil((e->bottom - 16 * y) / 256), box->y0, box->y1);
}

/* A triangle, or, where `rectangle` is not NULL, that area under the triangle's planes. */
static bool emit_triangle(struct setup *setup, const struct corner c[3], const struct extents *rectangle)
{
    const struct et_raster_plan *plan = setup->plan;
    const bool positive = area_of(c) > 0;
    bool cut = false;
    struct et_raster_primitive *made;
    struct et_plane_basis basis;
    float value[3];
    const struct extents e = rectangle ? *rectangle : extents_of(c, 3);
    const struct et_rectangle box = met_box(setup, e.left, e.top, e.right, e.bottom);
    if (is_empty(box) || !make_basis(setup, c, &basis))
        return true;
    made = start(setup);
    if (!made)
        return false;
    made->box = box;
    made->edges = 3;
    for (unsigned k = 0; k < 3; k++)
        cut |= edge_between(&made->edge[k], &c[k], &c[k == 2 ? 0 : k + 1], positive, before_snapping(setup));
    if (cut && !rectangle && !plan->state->conservative && !plan->smooth_polygons)
        leave_out_beyond(plan, &e, &made->box);
    if (rectangle)
        rectangle_edges(made, rectangle, before_snapping(setup));
    bloat_edges(setup, made);
    if (plan->smooth_polygons && !rectangle) {
        made->shape = ET_SHAPE_SMOOTH;
        move_edges(made, 256, false);
    }
    for (unsigned k = 0; k < 3; k++)
        value[k] = c[k].z;
    make_depth(setup, &basis, value, &made->p.z);
    if (plan->state->bias_fill)
        et_plane_add(&made->p.z, depth_bias(setup, &made->p.z, c, 3));
    cut_depth(setup, made, c, 3, plan->state->bias_fill);
    for (unsigned k = 0; k < 3; k++)
        value[k] = c[k].iw;
    et_plane_make(&basis, value, false, &made->p.w);
    for (unsigned i = 0; i < plan->planes; i++) {
        for (unsigned k = 0; k < 3; k++)
            value[k] = plane_value(setup, &plan->attribute[i], &c[k]);
        et_plane_make(&basis, value, false, &planes_of(setup)[i]);
    }
    finish(setup);
    return true;
}

/* What snapping left without an area or a length, which conservative raster before snapping still draws: a
 * segment, or a point, under the provoking vertex's values. [DOC: VK_EXT_conservative_rasterization; DRV: NVK
 * tells that both are drawn; HW:H200 for triangles] */
static bool emit_degenerate(struct setup *setup, const struct corner *c, unsigned count)
{
    const struct et_raster_plan *plan = setup->plan;
    const struct et_rectangle *const drawn = &setup->viewport->clip;
    const struct extents e = extents_of(c, count);
    const struct et_rectangle box =
        met_box(setup, (double)e.left, (double)e.top, (double)e.right, (double)e.bottom);
    const struct corner *low = c, *high = c, *from = c;
    struct et_raster_primitive *made;
    struct et_plane_basis basis;
    if (plan->state->conservative_control >> 4 & 1 || is_empty(box))
        return true; /* no square lies inside */
    made = start(setup);
    if (!made)
        return false;
    for (unsigned k = 1; k < count; k++) {
        if (c[k].x < low->x || (c[k].x == low->x && c[k].y < low->y))
            low = &c[k];
        if (c[k].x > high->x || (c[k].x == high->x && c[k].y > high->y))
            high = &c[k];
        if (c[k].record == setup->provoking)
            from = &c[k];
    }
    made->box = box;
    rectangle_edges(made, &e, true);
    if (low != high) {
        made->edges = 2;
        edge_between(&made->edge[0], low, high, true, true);
        edge_between(&made->edge[1], low, high, false, true);
    }
    bloat_edges(setup, made);
    et_plane_basis_make_point(&basis, from->x, from->y, 256, drawn->x0, drawn->y0, drawn->x1, drawn->y1);
    et_plane_make(&basis, (float[3]){from->z, from->z, from->z}, true, &made->p.z);
    cut_depth(setup, made, from, 1, false);
    et_plane_make(&basis, (float[3]){from->iw, from->iw, from->iw}, false, &made->p.w);
    for (unsigned i = 0; i < plan->planes; i++) {
        const float value = plane_value(setup, &plan->attribute[i], from);
        et_plane_make(&basis, (float[3]){value, value, value}, false, &planes_of(setup)[i]);
    }
    finish(setup);
    return true;
}

/* ---- lines ---- */

/* The rectangle of a segment with half the width to each side, moved out by half of `side` in both axes. An
 * edge is inclusive if its outward normal points left, or straight up, or where the rectangle is closed.
 * [HW:H200] */
static void line_edges(struct et_raster_primitive *made, const struct corner c[2], double width, int64_t side,
                       bool closed)
{
    const int64_t dx = c[1].x - c[0].x, dy = c[1].y - c[0].y, x0 = c[0].x, y0 = c[0].y;
    const double out = (double)side * (fabs((double)dx) + fabs((double)dy)) / 2;
    const double half = width * 128 * sqrt((double)dx * (double)dx + (double)dy * (double)dy) + out;
    const bool start_in = closed || dx > 0 || (dx == 0 && dy > 0),
               low_in = closed || dy < 0 || (dy == 0 && dx > 0);
    const bool end_in = closed || !start_in, high_in = closed || !low_in;
    const __int128 length = (__int128)dx * dx + (__int128)dy * dy, more = (__int128)floor(out);
    const __int128 along = -((__int128)dx * x0 + (__int128)dy * y0); /* t = dx*x + dy*y + along */
    const __int128 across = (__int128)dy * x0 - (__int128)dx * y0;   /* s = dx*y - dy*x + across */
    made->edge[0] = (struct et_edge){dx, dy, along - !start_in + more};
    made->edge[1] = (struct et_edge){-dx, -dy, length - along - !end_in + more};
    made->edge[2] = (struct et_edge){-dy, dx, across + (__int128)(low_in ? floor(half) : ceil(half) - 1)};
    made->edge[3] = (struct et_edge){dy, -dx, (__int128)(high_in ? floor(half) : ceil(half) - 1) - across};
    made->edges = 4;
}

/* A smooth line's rectangle, moved out to every pixel that it touches. */
static void smooth_edges(struct et_raster_primitive *made)
{
    made->shape = ET_SHAPE_SMOOTH;
    move_edges(made, 256, false);
}

static double line_width(const struct et_raster_state *state)
{
    const bool aliased = et_raster_single_lines(state) && !state->line_antialiased;
    const float width =
        aliased && state->aliased_line_width_enable ? state->aliased_line_width : state->line_width;
    return width > 0 ? floor(fmin(width, 2048.0) * 8) / 8 : 0;
}

/* Pixels about a line; where conservative raster is on, those whose squares meet the box of its ends, half
 * the width larger to each side [HW:H200]. */
static struct et_rectangle line_box(const struct setup *setup, const struct corner c[2], double width)
{
    const double left = (double)ET_MIN(c[0].x, c[1].x), right = (double)ET_MAX(c[0].x, c[1].x);
    const double top = (double)ET_MIN(c[0].y, c[1].y), bottom = (double)ET_MAX(c[0].y, c[1].y);
    const double about = width * 128 + (setup->plan->state->conservative ? 0 : 256);
    return met_box(setup, left - about, top - about, right + about, bottom + about);
}

/* One primitive of a line: the diamond's line itself, or the rectangle about it. */
static bool emit_segment(struct setup *setup, const struct corner c[2], double width,
                         const struct et_aliased_walk *walk)
{
    const struct et_raster_plan *plan = setup->plan;
    struct et_raster_primitive *made;
    const struct et_rectangle box = line_box(setup, c, width);
    const struct et_rectangle *const drawn = &setup->viewport->clip;
    const int64_t x[2] = {c[0].x, c[1].x}, y[2] = {c[0].y, c[1].y}, half = (int64_t)(width * 128);
    struct et_plane_basis basis;
    if (is_empty(box) ||
        !(walk ? et_plane_basis_make_aliased_line : et_plane_basis_make_line)(
            &basis, x, y, walk ? walk->top : half, drawn->x0, drawn->y0, drawn->x1, drawn->y1))
        return true;
    made = start(setup);
    if (!made)
        return false;
    made->box = box;
    made->is_line = true;
    made->stipple = setup->stipple;
    for (unsigned k = 0; k < 2; k++) {
        made->line[2 * k] = c[k].x;
        made->line[2 * k + 1] = c[k].y;
    }
    made->half = width * 128;
    if (walk) {
        made->shape = ET_SHAPE_DIAMOND;
        made->walk = *walk;
    } else
        line_edges(made, c, width, bloat(setup), before_snapping(setup));
    if (plan->smooth_lines)
        smooth_edges(made);
    make_depth(setup, &basis, (float[3]){c[0].z, c[1].z, 0}, &made->p.z);
    if (setup->bias != 0)
        et_plane_add(&made->p.z, setup->bias);
    cut_depth(setup, made, c, 2, setup->bias != 0);
    et_plane_make(&basis, (float[3]){c[0].iw, c[1].iw, 0}, false, &made->p.w);
    for (unsigned i = 0; i < plan->planes; i++) {
        const float value[3] = {plane_value(setup, &plan->attribute[i], &c[0]),
                                plane_value(setup, &plan->attribute[i], &c[1]), 0};
        et_plane_make(&basis, value, false, &planes_of(setup)[i]);
    }
    finish(setup);
    return true;
}

/* A stipple pattern goes on by an aliased line's pixels, by another's length. */
static bool emit_line(struct setup *setup, const struct corner c[2])
{
    const struct et_raster_state *state = setup->plan->state;
    const double width = line_width(state), dx = (double)(c[1].x - c[0].x), dy = (double)(c[1].y - c[0].y);
    const bool aliased = et_raster_single_lines(state) && !state->line_antialiased && !state->conservative;
    struct et_aliased_walk walk = {0};
    if (aliased)
        et_raster_walk_aliased((int64_t[4]){c[0].x, c[0].y, c[1].x, c[1].y}, &walk);
    setup->stipple = setup->stipple_goes_on ? setup->batch->stipple : 0;
    setup->batch->stipple = setup->stipple + (aliased ? (double)walk.count : hypot(dx, dy) / 256);
    if (before_snapping(setup) && dx == 0 && dy == 0)
        return emit_degenerate(setup, c, 2);
    return aliased && width == 0 ? true : emit_segment(setup, c, width, aliased ? &walk : NULL);
}

/* ---- points ---- */

/* The attribute word as a coordinate of the sprite: 0 s, 1 t, 2 r, 3 q; -1: not replaced. */
static int sprite_component(const struct et_raster_state *state, unsigned word)
{
    if (word >= ET_WORD_POINT_SPRITE && word < ET_WORD_POINT_SPRITE + 2)
        return (int)(word - ET_WORD_POINT_SPRITE);
    if (state->point_sprite && word >= ET_WORD_TEXTURE && word < ET_WORD_TEXTURE + 40 &&
        state->point_sprite_select >> (3 + (word - ET_WORD_TEXTURE) / 4) & 1)
        return (int)((word - ET_WORD_TEXTURE) & 3);
    return -1;
}

/* The values at the centre, a size to the right and a size below of the sprite's coordinate. */
static void sprite_values(const struct et_raster_state *state, int component, float value[3])
{
    const uint32_t select = state->point_sprite_select;
    const bool across = component == 0 || (component == 2 && (select & 3) == 2);
    value[0] = across || component == 1 ? 0.5f : component == 3;
    value[1] = across ? 1.5f : value[0];
    value[2] = component != 1 ? value[0] : select & 4 ? 1.5f : -0.5f;
}

static bool emit_point(struct setup *setup, const struct corner *c)
{
    const struct et_raster_plan *plan = setup->plan;
    const float asked =
        plan->shader_point_size ? et_float(c->record->word[ET_WORD_POINT_SIZE]) : plan->state->point_size;
    const double size = asked > 0 ? fmin(fmax(floor(fmin(asked, 4096.0f) * 32.0) / 32, 1), 2047.9375) : 0;
    const int64_t half = (int64_t)(size * 128);
    const struct et_rectangle *const drawn = &setup->viewport->clip;
    struct et_raster_primitive *made;
    struct et_plane_basis basis;
    const struct et_rectangle box = met_box(setup, (double)(c->x - half), (double)(c->y - half),
                                            (double)(c->x + half), (double)(c->y + half));
    if (size == 0 || is_empty(box))
        return true;
    made = start(setup);
    if (!made)
        return false;
    made->box = box;
    rectangle_edges(made, &(struct extents){c->x - half, c->y - half, c->x + half, c->y + half},
                    before_snapping(setup));
    bloat_edges(setup, made);
    made->p.point = true;
    et_plane_basis_make_point(&basis, c->x, c->y, 2 * half, drawn->x0, drawn->y0, drawn->x1, drawn->y1);
    make_depth(setup, &basis, (float[3]){c->z, c->z, c->z}, &made->p.z);
    if (setup->bias != 0)
        et_plane_add(&made->p.z, setup->bias);
    cut_depth(setup, made, c, 1, setup->bias != 0);
    et_plane_make(&basis, (float[3]){c->iw, c->iw, c->iw}, false, &made->p.w);
    for (unsigned i = 0; i < plan->planes; i++) {
        const int component = sprite_component(plan->state, plan->attribute[i].word);
        float value[3];
        if (component >= 0)
            sprite_values(plan->state, component, value);
        else
            value[0] = value[1] = value[2] = plane_value(setup, &plan->attribute[i], c);
        et_plane_make(&basis, value, false, &planes_of(setup)[i]);
    }
    finish(setup);
    return true;
}

/* ---- clipping ---- */

/* The half spaces in force, by control, in the order in which they cut. Returns their number. */
static unsigned clip_planes(const struct setup *setup, struct et_clip_plane planes[20])
{
    const struct et_raster_state *state = setup->plan->state;
    const unsigned mode = et_bits(state->clip_control, 13, 11);
    unsigned n = 0;
    for (int i = 0; i < ET_CLIP_DISTANCES; i++)
        if (setup->plan->clip_distances >> i & 1 && !(state->user_clip_cull >> i & 1))
            planes[n++] = (struct et_clip_plane){{0}, i};
    if (mode == FRUSTUM_XYZ || mode == FRUSTUM_Z) { /* which leave no w below 0 */
        planes[n++] = (struct et_clip_plane){{0, 0, 1, state->clip_zero_to_one ? 0 : 1}, -1};
        planes[n++] = (struct et_clip_plane){{0, 0, -1, 1}, -1};
    } else if (mode != PASSTHROUGH) {
        planes[n++] = (struct et_clip_plane){{0, 0, 0, 1}, -1};
    }
    return n;
}

/* Those that keep a line near, after n others. Returns the number of all. */
static unsigned guard_planes(const struct setup *setup, struct et_clip_plane planes[20], unsigned n)
{
    for (unsigned axis = 0; axis < 2; axis++) {
        const double scale = fabs((double)setup->viewport->scale[axis]);
        const double guard =
            scale > 0 ? (SEGMENT_LIMIT - fabs((double)setup->viewport->offset[axis])) / scale : 1;
        planes[n] = (struct et_clip_plane){{0, 0, 0, (float)guard}, -1};
        planes[n++].p[axis] = 1;
        planes[n] = (struct et_clip_plane){{0, 0, 0, (float)guard}, -1};
        planes[n++].p[axis] = -1;
    }
    return n;
}

static bool is_far_away(const struct setup *setup, const float position[4])
{
    float window[3], iw;
    project(setup, position, window, &iw);
    return !(fabsf(window[0]) < SEGMENT_LIMIT && fabsf(window[1]) < SEGMENT_LIMIT);
}

/* A primitive in clip space and the planes that it meets. */
struct piece {
    unsigned corners;
    float position[3][4];
    const struct et_vertex_record *record[3];
    float distance[3][ET_CLIP_DISTANCES];
    struct et_clip_plane plane[20];
    unsigned planes;
    bool one_plane; /* a single one of near, far and w cuts it */
    bool part;      /* an edge or a vertex of a triangle: the clipper gave out that */
    bool is_cut;    /* by all planes but those that keep lines near */
};

enum cut { ALL_INSIDE, ALL_OUTSIDE, CROSSES };

/* Whether a triangle that nothing but near and far planes may cut lies between them. */
static bool is_plainly_inside(const struct setup *setup, const struct piece *piece)
{
    const struct et_raster_state *state = setup->plan->state;
    const unsigned mode = et_bits(state->clip_control, 13, 11);
    bool inside =
        piece->corners == 3 && !setup->plan->clip_distances && (mode == FRUSTUM_XYZ || mode == FRUSTUM_Z);
    for (unsigned k = 0; k < 3 && inside; k++) {
        const float *const p = piece->position[k]; /* sums as et_clip_distance makes them */
        inside = (state->clip_zero_to_one ? p[2] : p[2] + p[3]) >= 0 && p[3] - p[2] >= 0 && isfinite(p[0]) &&
                 isfinite(p[1]);
    }
    return inside;
}

static enum cut classify(const struct setup *setup, struct piece *piece)
{
    if (is_plainly_inside(setup, piece))
        return ALL_INSIDE;
    bool far_away = false;
    unsigned crossed = 0;
    for (unsigned k = 0; k < piece->corners && setup->plan->clip_distances; k++)
        for (unsigned i = 0; i < ET_CLIP_DISTANCES; i++)
            piece->distance[k][i] = et_float(piece->record[k]->word[ET_WORD_CLIP_DISTANCE + i]);
    piece->planes = piece->is_cut ? 0 : clip_planes(setup, piece->plane);
    for (unsigned i = 0; i < piece->planes; i++) {
        const struct et_clip_plane *plane = &piece->plane[i];
        unsigned outside = 0;
        for (unsigned k = 0; k < piece->corners; k++)
            outside += !(et_clip_distance(plane, piece->position[k], piece->distance[k]) >= 0);
        if (outside == piece->corners)
            return ALL_OUTSIDE;
        if (outside)
            crossed += plane->distance >= 0 ? 2 : 1;
    }
    for (unsigned k = 0; k < piece->corners; k++) {
        const float *const p = piece->position[k];
        if (!isfinite(p[0]) || !isfinite(p[1]) || !isfinite(p[2]) || isnan(p[3])) /* [HW:H200] */
            return ALL_OUTSIDE;
        if (piece->corners < 3)
            far_away |= piece->position[k][3] <= 0 || is_far_away(setup, piece->position[k]);
    }
    if (far_away)
        piece->planes = guard_planes(setup, piece->plane, piece->planes);
    piece->one_plane = crossed == 1;
    return crossed || far_away ? CROSSES : ALL_INSIDE;
}

/* The polygon's vertices as corners, and as records whose interpolated words are mixed. */
struct cut_corners {
    struct et_clip_polygon polygon;
    struct et_vertex_record record[ET_CLIP_VERTICES];
    struct corner corner[ET_CLIP_VERTICES];
    float position[ET_CLIP_VERTICES][4];
};

static void mix_words(const struct setup *setup, const struct piece *piece, struct cut_corners *made,
                      unsigned i)
{
    const struct et_raster_plan *plan = setup->plan;
    const struct et_clip_vertex *vertex = &made->polygon.vertex[i];
    for (unsigned n = 0; n < 2 * plan->planes; n++) {
        const struct et_raster_attribute *attribute = &plan->attribute[n / 2];
        const unsigned word = n & 1 ? attribute->back_word : attribute->word;
        float value[3] = {0, 0, 0};
        if (word >= ET_WORD_BARYCENTRIC && word < ET_WORD_BARYCENTRIC + 6)
            continue;
        for (unsigned k = 0; k < piece->corners; k++) {
            value[k] = et_float(vertex_word(setup, piece->record[k], word));
            if (!attribute->perspective)
                value[k] *= piece->position[k][3];
        }
        const float mixed = et_clip_mix(&made->polygon, vertex, value);
        made->record[i].word[word] =
            et_float_bits(attribute->perspective ? mixed : mixed * made->corner[i].iw);
    }
}

static void cut_corner(const struct setup *setup, const struct piece *piece, struct cut_corners *made,
                       unsigned i)
{
    const struct et_clip_vertex *vertex = &made->polygon.vertex[i];
    struct corner *corner = &made->corner[i];
    float *const position = made->position[i];
    unsigned whole = 0;
    while (whole + 1 < piece->corners && vertex->weight[whole] != 1)
        whole++;
    if (!vertex->made && piece->one_plane) {
        memcpy(position, piece->position[whole], sizeof made->position[i]);
        make_corner(setup, position, piece->record[whole], whole, corner);
        return;
    }
    for (unsigned n = 0; n < 4; n++) {
        const float value[3] = {piece->position[0][n], piece->position[1][n], piece->position[2][n]};
        position[n] = et_clip_mix(&made->polygon, vertex, value);
    }
    place_corner(setup, position, corner);
    for (unsigned k = 0; k < 3; k++) {
        corner->share[k] = vertex->weight[k] * piece->position[k][3] * corner->iw;
        corner->share[3 + k] = vertex->weight[k];
    }
    made->record[i] = *piece->record[whole];
    corner->record = &made->record[i];
    mix_words(setup, piece, made, i);
}

/* Cuts a piece and makes what is left. */
static void cut_piece(const struct setup *setup, const struct piece *piece, struct cut_corners *made)
{
    et_clip_begin(&made->polygon, piece->corners, piece->position, piece->distance);
    made->polygon.one_plane = piece->one_plane;
    for (unsigned i = 0; i < piece->planes && made->polygon.count; i++)
        et_clip(&made->polygon, &piece->plane[i]);
    for (unsigned i = 0; i < made->polygon.count; i++)
        cut_corner(setup, piece, made, i);
}

/* Whether polygon vertex i is left of j, or above it, where the fan's start is looked for. */
static bool starts_before(const struct piece *piece, const struct cut_corners *made, unsigned i, unsigned j)
{
    const float *p = made->polygon.vertex[i].position, *q = made->polygon.vertex[j].position;
    const struct corner *c = &made->corner[i], *d = &made->corner[j];
    if (piece->one_plane)
        return corner_x(c) < corner_x(d) || (corner_x(c) == corner_x(d) && corner_y(c) < corner_y(d));
    return p[0] < q[0] || (p[0] == q[0] && p[1] < q[1]);
}

/* The vertex that a cut triangle's fan starts from. */
static unsigned fan_start(const struct piece *piece, const struct cut_corners *made)
{
    const struct et_clip_polygon *polygon = &made->polygon;
    unsigned start = polygon->count;
    for (unsigned i = 0; i < polygon->count; i++) {
        if (piece->one_plane && !polygon->vertex[i].made)
            continue;
        if (start == polygon->count || starts_before(piece, made, i, start))
            start = i;
    }
    return start % polygon->count;
}

/* ---- what the clipper counts ---- */

#define GUARD 256.0f /* of w: silicon keeps 255.8 and drops 256.3 in a viewport of 64 pixels [HW:H200] */

/* Whether all corners lie past one side of the view, `times` as wide. */
static bool is_beside(const struct piece *piece, float times)
{
    for (unsigned side = 0; side < 4; side++) {
        unsigned outside = 0;
        for (unsigned k = 0; k < piece->corners; k++) {
            const float *const p = piece->position[k];
            outside += (side & 2 ? -p[side & 1] : p[side & 1]) > times * p[3];
        }
        if (outside == piece->corners)
            return true;
    }
    return false;
}

/* What comes out of the clipper: triangles before any is culled for its facing or its size, none where a
 * filled one lies beside the view; points, lines, and triangles drawn as such, within the guard band.
 * [HW:H200]
 */
static bool leaves_clipper(const struct setup *setup, const struct piece *piece, unsigned made)
{
    const struct et_raster_state *state = setup->plan->state;
    const bool filled = piece->corners == 3 && state->front_mode == 0x1b02 && state->back_mode == 0x1b02;
    if (!piece->part && !is_beside(piece, filled ? 1.0f : GUARD))
        setup->batch->clipper_primitives += made;
    for (unsigned k = 0; k < piece->corners; k++)
        if (piece->position[k][3] == -INFINITY)
            return false;
    return true;
}

/* ---- assembly of pieces ---- */

static bool is_culled_by_distance(const struct setup *setup)
{
    const uint8_t cull = setup->plan->clip_distances & setup->plan->state->user_clip_cull;
    for (unsigned i = 0; i < 8; i++) {
        unsigned outside = 0;
        if (!(cull >> i & 1))
            continue;
        for (unsigned k = 0; k < setup->input->corners; k++)
            outside += !(et_float(setup->input->vertex[k]->word[ET_WORD_CLIP_DISTANCE + i]) >= 0);
        if (outside == setup->input->corners)
            return true;
    }
    return false;
}

/* Counter-clockwise as displayed, rows downward, where the origin's bit 4 is clear; the other way where it is
 * set. [DRV: NVK's mapping of front faces] */
static bool is_front(const struct et_raster_state *state, double area)
{
    const bool counter_clockwise = (area > 0) == state->flip_y;
    return counter_clockwise == (state->front_face == 0x901);
}

static bool is_culled(const struct et_raster_state *state, bool front)
{
    if (!state->cull_enable)
        return false;
    return state->cull_face == 0x408 || (state->cull_face == 0x404) == front;
}

static bool clip_line(struct setup *setup, struct piece *piece)
{
    struct corner c[2];
    switch (classify(setup, piece)) {
    case ALL_OUTSIDE:
        return true;
    case CROSSES: {
        struct cut_corners made;
        cut_piece(setup, piece, &made);
        return !leaves_clipper(setup, piece, made.polygon.count == 2) || made.polygon.count != 2 ||
               emit_line(setup, made.corner);
    }
    default:
        if (!leaves_clipper(setup, piece, 1))
            return true;
        for (unsigned k = 0; k < 2; k++)
            make_corner(setup, piece->position[k], piece->record[k], k, &c[k]);
        return emit_line(setup, c);
    }
}

static bool clip_point(struct setup *setup, struct piece *piece)
{
    struct corner c;
    if (classify(setup, piece) != ALL_INSIDE)
        return true;
    if (!leaves_clipper(setup, piece, 1))
        return true;
    make_corner(setup, piece->position[0], piece->record[0], 0, &c);
    return emit_point(setup, &c);
}

/* Whether a cut triangle's vertex lies on its edge from vertex k to the next. */
static bool is_on_edge(const struct et_clip_vertex *vertex, unsigned k)
{
    return vertex->weight[(k + 2) % 3] == 0;
}

/* Whether the edge that begins at polygon vertex i is drawn: the triangle's as its flags say, all along a
 * plane. [DOC: OpenGL 4.6 compatibility profile, clipping; HW:H200 that those along a plane are drawn] */
static bool is_boundary(const struct setup *setup, const struct cut_corners *made, unsigned i)
{
    const struct et_clip_polygon *polygon = &made->polygon;
    const struct et_clip_vertex *from = &polygon->vertex[i], *to = &polygon->vertex[(i + 1) % polygon->count];
    for (unsigned k = 0; k < 3; k++)
        if (is_on_edge(from, k) && is_on_edge(to, k))
            return setup->input->edges >> k & 1;
    return true;
}

/* Polygon modes other than fill: edges or vertices of what is left of the triangle, each brought within the
 * guard band on its own; `made` is NULL where nothing cut it. */
static bool outline(struct setup *setup, const struct piece *piece, const struct cut_corners *made,
                    bool lines)
{
    const unsigned count = made ? made->polygon.count : 3;
    bool first = true; /* the stipple pattern goes on along the edges */
    for (unsigned k = 0; k < count; k++) {
        struct piece part = {.corners = lines ? 2 : 1, .part = true, .is_cut = made};
        if (made ? !is_boundary(setup, made, k) : !(setup->input->edges >> k & 1))
            continue;
        setup->stipple_goes_on = !first;
        first = false;
        for (unsigned n = 0; n < part.corners; n++) {
            const unsigned i = (k + n) % count;
            memcpy(part.position[n], made ? made->position[i] : piece->position[i], sizeof part.position[n]);
            part.record[n] = made ? made->corner[i].record : piece->record[i];
        }
        if (!(lines ? clip_line(setup, &part) : clip_point(setup, &part)))
            return false;
    }
    return true;
}

/* FILL_BBOX: the polygon's bounding rectangle once, under the planes of the first triangle with area. [DOC:
 * NV_fill_rectangle; INF for what is clipped] */
static bool fill_rectangle(struct setup *setup, const struct corner *c, unsigned count)
{
    const struct extents e = extents_of(c, count);
    unsigned k = 1;
    while (k + 2 < count && area_of((struct corner[3]){c[0], c[k], c[k + 1]}) == 0)
        k++;
    return emit_triangle(setup, (struct corner[3]){c[0], c[k], c[k + 1]}, &e);
}

/* Draws a triangle fan of corners whose first three span area; false when memory is refused. */
static bool draw_polygon(struct setup *setup, const struct piece *piece, const struct cut_corners *made,
                         const struct corner *c, unsigned count)
{
    const struct et_raster_state *state = setup->plan->state;
    double area = 0;
    for (unsigned k = 1; k + 1 < count && area == 0; k++)
        area = area_of((struct corner[3]){c[0], c[k], c[k + 1]});
    setup->front = area != 0 && is_front(state, area);
    if (is_culled(state, setup->front))
        return true;
    const uint32_t mode = setup->front ? state->front_mode : state->back_mode;
    if (mode == 0x1b00 || mode == 0x1b01) {
        struct et_plane_basis basis;
        struct et_plane z;
        const bool biased = mode == 0x1b01 ? state->bias_line : state->bias_point;
        if (biased && make_basis(setup, c, &basis)) {
            et_plane_make(&basis, (float[3]){c[0].z, c[1].z, c[2].z}, true, &z);
            setup->bias = depth_bias(setup, &z, c, 3);
        }
        return outline(setup, piece, made, mode == 0x1b01);
    }
    if (area == 0)
        return !before_snapping(setup) || emit_degenerate(setup, c, count);
    if (state->fill_via_triangle)
        return fill_rectangle(setup, c, count);
    for (unsigned k = 1; k + 1 < count; k++)
        if (!emit_triangle(setup, (struct corner[3]){c[0], c[k], c[k + 1]}, NULL))
            return false;
    return true;
}

static bool clip_triangle(struct setup *setup, struct piece *piece)
{
    struct corner c[ET_CLIP_VERTICES];
    switch (classify(setup, piece)) {
    case ALL_OUTSIDE:
        return true;
    case CROSSES: {
        struct cut_corners made;
        cut_piece(setup, piece, &made);
        const unsigned count = made.polygon.count;
        if (count < 3 || !leaves_clipper(setup, piece, count - 2))
            return true;
        for (unsigned k = 0, start = fan_start(piece, &made); k < count; k++)
            c[k] = made.corner[(start + k) % count];
        return draw_polygon(setup, piece, &made, c, count);
    }
    default:
        if (!leaves_clipper(setup, piece, 1))
            return true;
        for (unsigned k = 0; k < 3; k++)
            make_corner(setup, piece->position[k], piece->record[k], k, &c[k]);
        return draw_polygon(setup, piece, NULL, c, 3);
    }
}

static enum etalon_status setup_in(const struct et_raster_plan *plan, struct et_raster_batch *batch,
                                   const struct et_raster_input *input, unsigned viewport,
                                   struct etalon_error *error)
{
    const struct et_raster_state *state = plan->state;
    struct divisor last = {0, 0};
    struct setup setup = {
        .plan = plan, .batch = batch, .input = input, .last = &last, .front = true, .error = error};
    struct piece piece = {.corners = input->corners};
    bool ok;
    setup.provoking = input->vertex[input->provoking];
    setup.stipple_goes_on = input->corners == 2 && input->edges & 1;
    setup.viewport_index = viewport;
    setup.layer = plan->shader_layer ? setup.provoking->word[ET_WORD_LAYER] : state->layer;
    if (state->layer_by_viewport)
        setup.layer += viewport;
    setup.viewport = &state->viewport[setup.viewport_index];
    setup.clip = intersect(plan->bounds, setup.viewport->clip);
    if (state->scissor[setup.viewport_index].enable)
        setup.clip = intersect(setup.clip, state->scissor[setup.viewport_index].rectangle);
    batch->clipper_invocations++;
    if (is_empty(setup.clip) || is_culled_by_distance(&setup))
        return ETALON_OK;
    for (unsigned k = 0; k < input->corners; k++) {
        piece.record[k] = input->vertex[k];
        swizzle(setup.viewport, &input->vertex[k]->word[ET_WORD_POSITION], piece.position[k]);
    }
    ok = input->corners == 3   ? clip_triangle(&setup, &piece)
         : input->corners == 2 ? clip_line(&setup, &piece)
                               : clip_point(&setup, &piece);
    if (ok)
        return ETALON_OK;
    return error && error->status ? error->status : ETALON_NO_MEMORY;
}

/* A viewport mask sends the primitive to each of its viewports, the lowest first. [DOC: NV_viewport_array2;
 * INF: the order] */
enum etalon_status et_raster_setup(const struct et_raster_plan *plan, struct et_raster_batch *batch,
                                   const struct et_raster_input *input, struct etalon_error *error)
{
    const uint32_t *const word = input->vertex[input->provoking]->word;
    enum etalon_status status = ETALON_OK;
    if (!plan->shader_viewport_mask)
        return setup_in(plan, batch, input, plan->shader_viewport ? word[ET_WORD_VIEWPORT] & 15 : 0, error);
    for (unsigned v = 0; v < ET_VIEWPORTS && !status; v++)
        if (word[ET_WORD_VIEWPORT_MASK] >> v & 1)
            status = setup_in(plan, batch, input, v, error);
    return status;
}

void et_raster_batch_finish(struct et_raster_batch *batch)
{
    et_free(batch->primitive);
    et_free(batch->planes);
    et_free(batch->flats);
    et_free(batch->bins);
    et_free(batch->bin_start);
    *batch = (struct et_raster_batch){0};
}
