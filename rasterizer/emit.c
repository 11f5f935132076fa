/* Triangles, lines and points of the window into edges and planes.
 *
 * Edges are exact integers with the top-left rule, up to slopes of 24 bits; triangles are not clipped at the
 * sides. [HW:H200, conformance/hardware/coverage] */
#include "rasterizer/setup.h"

#include "base/alloc.h"

#include <stdlib.h>

/* ---- output ---- */

/* How many items of so many a primitive there is memory for; `each` 0: any number. */
static size_t room_of(size_t capacity, unsigned each)
{
    return each ? capacity / each : SIZE_MAX;
}

static bool reserve(struct et_setup *setup)
{
    const struct et_raster_plan *plan = setup->plan;
    struct et_raster_batch *batch = setup->batch;
    const size_t need = batch->count + 1;
    if (need <= setup->room)
        return true;
    if (!et_grow(&batch->primitive, &batch->capacity, need, sizeof *batch->primitive) ||
        !et_grow(&batch->planes, &batch->planes_capacity, need * plan->planes + 1, sizeof *batch->planes) ||
        !et_grow(&batch->flats, &batch->flats_capacity, need * plan->flats + 1, sizeof *batch->flats) ||
        !et_planes_reserve(plan, batch)) {
        et_fail(setup->error, ETALON_NO_MEMORY, "no memory for primitives");
        return false;
    }
    setup->room = ET_MIN(batch->capacity, ET_MIN(room_of(batch->planes_capacity, plan->planes),
                                                 room_of(batch->flats_capacity, plan->flats)));
    return true;
}

static unsigned source_word(const struct et_setup *setup, const struct et_raster_attribute *attribute)
{
    return setup->front ? attribute->word : attribute->back_word;
}

/* SET_COLOR_CLAMP: the vertex stages' colours, in 0..1. NaN is 0. [DOC: ARB_color_buffer_float; DRV: nvc0] */
uint32_t et_setup_word(const struct et_setup *setup, const struct et_vertex_record *record, unsigned word)
{
    const uint32_t bits = record->word[word];
    if (!setup->plan->state->color_clamp || word < ET_WORD_FRONT_COLOR || word >= ET_WORD_BACK_COLOR + 8)
        return bits;
    return et_float_bits(fminf(fmaxf(et_float(bits), 0), 1));
}

static uint8_t rate_table(const struct et_setup *setup)
{
    const struct et_shading_rates *rates = &setup->plan->state->rates;
    if (rates->source == 1)
        return setup->plan->shader_rate_table ? setup->provoking->word[ET_WORD_RATE_TABLE] & 15 : 0;
    return rates->source == 0 ? setup->viewport_index & 15 : rates->constant;
}

/* The vertex of the input, whatever is left of it, whose flat word i is. */
static const struct et_vertex_record *flat_source(const struct et_setup *setup, unsigned i)
{
    const struct et_raster_input *const input = setup->input;
    const unsigned corner = setup->plan->flat_corner[i];
    return corner == ET_CORNERS ? setup->provoking : input->vertex[ET_MIN(corner, input->corners - 1u)];
}

struct et_raster_primitive *et_emit_start(struct et_setup *setup)
{
    const struct et_raster_plan *plan = setup->plan;
    struct et_raster_primitive *made;
    uint32_t *flat;
    if (!reserve(setup))
        return NULL;
    made = &setup->batch->primitive[setup->batch->count];
    flat = setup->batch->flats + setup->batch->count * plan->flats;
    made->p.primitive_id = setup->input->primitive_id;
    made->p.layer = setup->layer;
    made->p.viewport = setup->viewport_index;
    made->p.front = setup->front;
    made->p.point = made->is_line = made->cuts_below = made->cuts_above = false;
    made->shape = ET_SHAPE_EDGES;
    made->edges = 0;
    made->min_z = setup->low;
    made->max_z = setup->high;
    made->rate_table = plan->coarse ? rate_table(setup) : 0;
    for (unsigned i = 0; i < plan->flats && plan->plain_flats; i++)
        flat[i] = setup->provoking->word[source_word(setup, &plan->flat[i])];
    for (unsigned i = 0; i < plan->flats && !plan->plain_flats; i++)
        flat[i] = et_setup_word(setup, flat_source(setup, i), source_word(setup, &plan->flat[i]));
    return made;
}

static struct et_plane *planes_of(const struct et_setup *setup)
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
static struct et_rectangle box_of(const struct et_setup *setup, double left, double top, double right,
                                  double bottom)
{
    const struct et_rectangle *const clip = &setup->clip;
    return (struct et_rectangle){pixel_within(floor(left / 256), clip->x0, clip->x1),
                                 pixel_within(floor(top / 256), clip->y0, clip->y1),
                                 pixel_within(floor(right / 256) + 1, clip->x0, clip->x1),
                                 pixel_within(floor(bottom / 256) + 1, clip->y0, clip->y1)};
}

/* Whether conservative raster takes the primitive as it was before its vertices were snapped. */
bool et_setup_before_snapping(const struct et_setup *setup)
{
    const uint32_t control = setup->plan->state->conservative_control;
    return setup->plan->state->conservative &&
           (setup->input->corners == 3 ? et_bits(control, 10, 8) : et_bits(control, 14, 12)) == 1;
}

/* Half the side of the square that conservative raster tests a pixel with, 1/512 pixel: negative where the
 * whole square must be covered. EXTRA_PRIM_BLOAT counts quarters of a pixel. Before snapping a vertex may be
 * anywhere about its snapped place, as far as the uncertainty region's 1/64 to 1/512 pixel. [HW:H200 for
 * 1/512] */
static int64_t bloat(const struct et_setup *setup)
{
    const uint32_t control = setup->plan->state->conservative_control;
    const int64_t region = et_setup_before_snapping(setup) ? 8 >> et_bits(control, 17, 16) : 0;
    if (!setup->plan->state->conservative)
        return 0;
    if (control >> 4 & 1) /* COPY_INNER_TO_OUTER */
        return -256 - region;
    return 256 + 128 * (int64_t)(et_bits(control, 3, 0) & 3) + region;
}

/* How far such a square reaches beyond its pixel, 1/256 pixel. */
static double beyond_pixel(const struct et_setup *setup)
{
    return (double)ET_MAX(bloat(setup) - 256, 0) / 2;
}

/* box_of of a shape, and the squares around it that conservative raster meets too; those about a shape before
 * snapping are closed. */
static struct et_rectangle met_box(const struct et_setup *setup, double left, double top, double right,
                                   double bottom)
{
    const struct et_raster_state *state = setup->plan->state;
    const bool closed = et_setup_before_snapping(setup);
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

static void bloat_edges(const struct et_setup *setup, struct et_raster_primitive *made)
{
    move_edges(made, bloat(setup), et_setup_before_snapping(setup));
}

void et_emit_end(struct et_setup *setup)
{
    setup->batch->count++;
}

/* The value of a corner that an attribute's plane goes through. */
float et_setup_value(const struct et_setup *setup, const struct et_raster_attribute *attribute,
                     const struct et_corner *corner)
{
    const unsigned word = source_word(setup, attribute);
    const bool color = attribute->word >= ET_WORD_FRONT_COLOR && attribute->word < ET_WORD_FRONT_COLOR + 8;
    float value;
    if (word >= ET_WORD_BARYCENTRIC && word < ET_WORD_BARYCENTRIC + 6) {
        const unsigned index = word - ET_WORD_BARYCENTRIC;
        return index >= 3 ? corner->share[index] * corner->iw : corner->share[index];
    }
    value = et_float(et_setup_word(
        setup, color && setup->plan->state->flat_shade ? setup->provoking : corner->record, word));
    return attribute->perspective ? value * corner->iw : value;
}

/* ---- triangles ---- */

/* From one corner to another, in units of 2^(the larger `far`)/256 pixel. */
static void vector_between(const struct et_corner *from, const struct et_corner *to, int64_t *dx, int64_t *dy)
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
static bool cut_slopes(struct et_edge *edge, const struct et_corner *from, const struct et_corner *to,
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
static bool edge_between(struct et_edge *edge, const struct et_corner *from, const struct et_corner *to,
                         bool positive, bool closed)
{
    const struct et_corner *at = from->far <= to->far ? from : to;
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
double et_setup_area(const struct et_corner c[3])
{
    const unsigned first = c[0].far <= c[1].far && c[0].far <= c[2].far ? 0 : c[1].far <= c[2].far ? 1 : 2;
    int64_t x1, y1, x2, y2;
    vector_between(&c[first], &c[(first + 1) % 3], &x1, &y1);
    vector_between(&c[first], &c[(first + 2) % 3], &x2, &y2);
    return (double)((__int128)x1 * y2 - (__int128)x2 * y1);
}

bool et_setup_basis(const struct et_setup *setup, const struct et_corner c[3], struct et_plane_basis *basis)
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
double et_setup_bias(const struct et_raster_plan *plan, const struct et_plane *z, const float *value,
                     unsigned corners)
{
    const struct et_raster_state *state = plan->state;
    const struct et_depth_format *format = plan->depth.format;
    double step, bias;
    if (!format)
        return 0;
    if (!format->float_depth) {
        step = format->depth_bits == 16 ? 0x1p-16 : 0x1p-24;
    } else {
        float most = 0;
        for (unsigned k = 0; k < corners; k++)
            most = fmaxf(most, fabsf(value[k]));
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
static void cut_depth(const struct et_setup *setup, struct et_raster_primitive *made,
                      const struct et_corner *c, unsigned count, bool biased)
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

struct et_extents et_setup_extents(const struct et_corner *c, unsigned count)
{
    struct et_extents e = {et_corner_x(c), et_corner_y(c), et_corner_x(c), et_corner_y(c)};
    for (unsigned k = 1; k < count; k++) {
        const double x = et_corner_x(&c[k]), y = et_corner_y(&c[k]);
        e = (struct et_extents){ET_MIN(e.left, x), ET_MIN(e.top, y), ET_MAX(e.right, x), ET_MAX(e.bottom, y)};
    }
    return e;
}

static __int128 within_edges(double v)
{
    return (__int128)fmin(fmax(v, -ET_WINDOW_LIMIT * 256), ET_WINDOW_LIMIT * 256);
}

/* The left and the top edge are inclusive, like a triangle's; all are where it is closed. */
static void rectangle_edges(struct et_raster_primitive *made, const struct et_extents *e, bool closed)
{
    made->edges = 4;
    made->edge[0] = (struct et_edge){1, 0, -within_edges(e->left)};
    made->edge[1] = (struct et_edge){-1, 0, within_edges(e->right) - !closed};
    made->edge[2] = (struct et_edge){0, 1, -within_edges(e->top)};
    made->edge[3] = (struct et_edge){0, -1, within_edges(e->bottom) - !closed};
}

/* Leaves pixels out whose samples all lie beside a triangle's extents, or on its right or lower side; to the
 * left and above edges whose slopes were cut may pass beyond it. [HW:H200 with one sample a pixel] */
static void leave_out_beyond(const struct et_raster_plan *plan, const struct et_extents *e, bool cut,
                             struct et_rectangle *box)
{
    const struct et_rectangle *const within = &plan->within;
    const struct et_rectangle all = *box;
    if (!cut) {
        box->x0 = pixel_within(ceil((e->left - 16 * within->x1) / 256), all.x0, all.x1);
        box->y0 = pixel_within(ceil((e->top - 16 * within->y1) / 256), all.y0, all.y1);
    }
    box->x1 = pixel_within(ceil((e->right - 16 * within->x0) / 256), all.x0, all.x1);
    box->y1 = pixel_within(ceil((e->bottom - 16 * within->y0) / 256), all.y0, all.y1);
}

/* A triangle, or, where `rectangle` is not NULL, that area under the triangle's planes. */
bool et_emit_triangle(struct et_setup *setup, const struct et_corner c[3], const struct et_extents *rectangle)
{
    const struct et_raster_plan *plan = setup->plan;
    const double area = et_setup_area(c);
    const bool closed = et_setup_before_snapping(setup);
    bool cut = false;
    struct et_raster_primitive *made;
    struct et_edge edge[3];
    struct et_plane_basis basis;
    const bool plain = et_planes_are_plain(setup, c);
    const struct et_extents e = rectangle ? *rectangle : et_setup_extents(c, 3);
    struct et_rectangle box = met_box(setup, e.left, e.top, e.right, e.bottom);
    for (unsigned k = 0; k < 3; k++)
        cut |= edge_between(&edge[k], &c[k], &c[k == 2 ? 0 : k + 1], area > 0, closed);
    if (!rectangle && !plan->state->conservative && !plan->smooth_polygons)
        leave_out_beyond(plan, &e, cut, &box);
    if (et_setup_is_empty(box) || (plain ? area == 0 : !et_setup_basis(setup, c, &basis)))
        return true;
    made = et_emit_start(setup);
    if (!made)
        return false;
    made->box = box;
    made->edges = 3;
    memcpy(made->edge, edge, sizeof edge);
    if (rectangle)
        rectangle_edges(made, rectangle, closed);
    bloat_edges(setup, made);
    if (plan->smooth_polygons && !rectangle) {
        made->shape = ET_SHAPE_SMOOTH;
        move_edges(made, 256, false);
    }
    cut_depth(setup, made, c, 3, plan->state->bias_fill);
    if (plain)
        et_planes_add(setup, c);
    else
        et_planes_make(setup, &basis, c);
    et_emit_end(setup);
    return true;
}

/* What snapping left without an area or a length, which conservative raster before snapping still draws: a
 * segment, or a point, under the provoking vertex's values. [DOC: VK_EXT_conservative_rasterization; DRV: NVK
 * tells that both are drawn; HW:H200 for triangles] */
bool et_emit_degenerate(struct et_setup *setup, const struct et_corner *c, unsigned count)
{
    const struct et_raster_plan *plan = setup->plan;
    const struct et_rectangle *const drawn = &setup->viewport->clip;
    const struct et_extents e = et_setup_extents(c, count);
    const struct et_rectangle box =
        met_box(setup, (double)e.left, (double)e.top, (double)e.right, (double)e.bottom);
    const struct et_corner *low = c, *high = c, *from = c;
    struct et_raster_primitive *made;
    struct et_plane_basis basis;
    if (plan->state->conservative_control >> 4 & 1 || et_setup_is_empty(box))
        return true; /* no square lies inside */
    made = et_emit_start(setup);
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
        const float value = et_setup_value(setup, &plan->attribute[i], from);
        et_plane_make(&basis, (float[3]){value, value, value}, false, &planes_of(setup)[i]);
    }
    et_emit_end(setup);
    return true;
}

/* ---- lines ---- */

/* The rectangle of a segment with half the width to each side, moved out by half of `side` in both axes. An
 * edge is inclusive if its outward normal points left, or straight up, or where the rectangle is closed.
 * [HW:H200] */
static void line_edges(struct et_raster_primitive *made, const struct et_corner c[2], double width,
                       int64_t side, bool closed)
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

/* A smooth line's rectangle, moved out to every pixel that it may fade into. */
static void smooth_edges(struct et_raster_primitive *made)
{
    made->shape = ET_SHAPE_SMOOTH;
    move_edges(made, 768, false);
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
static struct et_rectangle line_box(const struct et_setup *setup, const struct et_corner c[2], double width)
{
    const double left = (double)ET_MIN(c[0].x, c[1].x), right = (double)ET_MAX(c[0].x, c[1].x);
    const double top = (double)ET_MIN(c[0].y, c[1].y), bottom = (double)ET_MAX(c[0].y, c[1].y);
    const double about = width * 128 + (setup->plan->smooth_lines          ? 512
                                        : setup->plan->state->conservative ? 0
                                                                           : 256);
    return met_box(setup, left - about, top - about, right + about, bottom + about);
}

/* The basis of a line's planes. A smooth line's box is half a pixel larger than the line; a thin one's planes
 * start from its uppermost pixel along the longer axis. [HW:H200] */
static bool line_basis(const struct et_setup *setup, const struct et_corner c[2], double width,
                       const struct et_aliased_walk *walk, struct et_plane_basis *basis)
{
    const struct et_rectangle *const drawn = &setup->viewport->clip;
    const int64_t x[2] = {c[0].x, c[1].x}, y[2] = {c[0].y, c[1].y}, half = (int64_t)(width * 128);
    const bool smooth = setup->plan->smooth_lines,
               thin = smooth && et_raster_smooth_is_thin(setup->plan->state, width * 128);
    if (walk)
        return et_plane_basis_make_aliased_line(basis, x, y, walk->top, drawn->x0, drawn->y0, drawn->x1,
                                                drawn->y1);
    if (!et_plane_basis_make_line(basis, x, y, half + (smooth && !thin ? 128 : 0), drawn->x0, drawn->y0,
                                  drawn->x1, drawn->y1))
        return false;
    if (thin) {
        struct et_aliased_walk pixels;
        et_raster_walk_aliased((const int64_t[4]){c[0].x, c[0].y, c[1].x, c[1].y}, &pixels);
        et_plane_basis_start_line_at(basis, pixels.x_major, pixels.top, drawn->x0, drawn->y0, drawn->x1,
                                     drawn->y1);
    }
    return true;
}

/* One primitive of a line: the diamond's line itself, or the rectangle about it. */
static bool emit_segment(struct et_setup *setup, const struct et_corner c[2], double width,
                         const struct et_aliased_walk *walk)
{
    const struct et_raster_plan *plan = setup->plan;
    struct et_raster_primitive *made;
    const double reach = plan->smooth_lines ? fmax(width, 1) : width; /* a narrower one fades out as far */
    const struct et_rectangle box = line_box(setup, c, reach);
    struct et_plane_basis basis;
    if (et_setup_is_empty(box) || !line_basis(setup, c, reach, walk, &basis))
        return true;
    made = et_emit_start(setup);
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
    made->walk = walk ? *walk : (struct et_aliased_walk){0};
    if (walk)
        made->shape = ET_SHAPE_DIAMOND;
    else
        line_edges(made, c, reach, bloat(setup), et_setup_before_snapping(setup));
    if (plan->smooth_lines)
        smooth_edges(made);
    et_planes_depth(setup, &basis, (float[3]){c[0].z, c[1].z, 0}, &made->p.z);
    if (setup->bias != 0)
        et_plane_add(&made->p.z, setup->bias);
    cut_depth(setup, made, c, 2, setup->bias != 0);
    et_plane_make(&basis, (float[3]){c[0].iw, c[1].iw, 0}, false, &made->p.w);
    for (unsigned i = 0; i < plan->planes; i++) {
        const float value[3] = {et_setup_value(setup, &plan->attribute[i], &c[0]),
                                et_setup_value(setup, &plan->attribute[i], &c[1]), 0};
        et_plane_make(&basis, value, false, &planes_of(setup)[i]);
    }
    et_emit_end(setup);
    return true;
}

/* A stipple pattern goes on by an aliased line's pixels, by another's length. */
bool et_emit_line(struct et_setup *setup, const struct et_corner c[2])
{
    const struct et_raster_state *state = setup->plan->state;
    const double width = line_width(state), dx = (double)(c[1].x - c[0].x), dy = (double)(c[1].y - c[0].y);
    const bool aliased = et_raster_single_lines(state) && !state->line_antialiased && !state->conservative;
    struct et_aliased_walk walk = {0};
    if (aliased)
        et_raster_walk_aliased((int64_t[4]){c[0].x, c[0].y, c[1].x, c[1].y}, &walk);
    setup->stipple = setup->stipple_goes_on ? setup->batch->stipple : 0;
    setup->batch->stipple = setup->stipple + (aliased ? (double)walk.count : hypot(dx, dy) / 256);
    if (et_setup_before_snapping(setup) && dx == 0 && dy == 0)
        return et_emit_degenerate(setup, c, 2);
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

bool et_emit_point(struct et_setup *setup, const struct et_corner *c)
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
    if (size == 0 || et_setup_is_empty(box))
        return true;
    made = et_emit_start(setup);
    if (!made)
        return false;
    made->box = box;
    rectangle_edges(made, &(struct et_extents){c->x - half, c->y - half, c->x + half, c->y + half},
                    et_setup_before_snapping(setup));
    bloat_edges(setup, made);
    made->p.point = true;
    et_plane_basis_make_point(&basis, c->x, c->y, 2 * half, drawn->x0, drawn->y0, drawn->x1, drawn->y1);
    et_planes_depth(setup, &basis, (float[3]){c->z, c->z, c->z}, &made->p.z);
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
            value[0] = value[1] = value[2] = et_setup_value(setup, &plan->attribute[i], c);
        et_plane_make(&basis, value, false, &planes_of(setup)[i]);
    }
    et_emit_end(setup);
    return true;
}
