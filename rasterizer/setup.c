/* Primitives of shaded vertices: viewport, clipping, culling, then edges and planes of what is left.
 *
 * A triangle that one of near, far and w cuts is drawn as a fan from the new vertex of the smallest window x,
 * then y; what user planes or several planes cut, as a fan from the vertex of the smallest clip-space x, then
 * y, as the planes see it. Values without perspective are a * w cut like the others and multiplied by the
 * vertex's 1/w, in the first kind of fan only at new vertices. [HW:H200, conformance/hardware/planes, lists
 * of cut.h and far.h] */
#include "rasterizer/setup.h"

#include "base/alloc.h"
#include "rasterizer/clip.h"

#define SEGMENT_LIMIT 0x1p31 /* lines are cut there, points left out */

static struct et_rectangle intersect(struct et_rectangle a, struct et_rectangle b)
{
    return (struct et_rectangle){ET_MAX(a.x0, b.x0), ET_MAX(a.y0, b.y0), ET_MIN(a.x1, b.x1),
                                 ET_MIN(a.y1, b.y1)};
}

/* ---- clipping ---- */

/* The half spaces in force, by control, in the order in which they cut. Returns their number. */
static unsigned clip_planes(const struct et_setup *setup, struct et_clip_plane planes[20])
{
    const struct et_raster_state *state = setup->plan->state;
    unsigned n = 0;
    for (int i = 0; i < ET_CLIP_DISTANCES; i++)
        if (setup->plan->clip_distances >> i & 1 && !(state->user_clip_cull >> i & 1))
            planes[n++] = (struct et_clip_plane){{0}, i};
    if (et_setup_cuts_near_far(state)) { /* which leave no w below 0 */
        planes[n++] = (struct et_clip_plane){{0, 0, 1, state->clip_zero_to_one ? 0 : 1}, -1};
        planes[n++] = (struct et_clip_plane){{0, 0, -1, 1}, -1};
    } else if (et_setup_cuts_w(state)) {
        planes[n++] = (struct et_clip_plane){{0, 0, 0, 1}, -1};
    }
    return n;
}

/* Those that keep a line near, after n others. Returns the number of all. */
static unsigned guard_planes(const struct et_setup *setup, struct et_clip_plane planes[20], unsigned n)
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

static bool is_far_away(const struct et_setup *setup, const float position[4])
{
    float window[3], iw;
    et_setup_project(setup, position, window, &iw);
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
    bool one_plane;          /* a single one of near, far and w cuts it */
    const float (*share)[6]; /* of the corners, as et_corner has them; NULL: they are the input's vertices */
    bool part;               /* an edge or a vertex of a triangle: the clipper gave out that */
    bool is_cut;             /* by all planes but those that keep lines near */
};

enum cut { ALL_INSIDE, ALL_OUTSIDE, CROSSES };

/* Whether a triangle that nothing but near and far planes may cut lies between them. */
static bool is_plainly_inside(const struct et_setup *setup, const struct piece *piece)
{
    const struct et_raster_state *state = setup->plan->state;
    bool inside = piece->corners == 3 && !setup->plan->clip_distances && et_setup_cuts_near_far(state);
    for (unsigned k = 0; k < 3 && inside; k++) {
        const float *const p = piece->position[k]; /* sums as et_clip_distance makes them */
        inside = (state->clip_zero_to_one ? p[2] : p[2] + p[3]) >= 0 && p[3] - p[2] >= 0 && isfinite(p[0]) &&
                 isfinite(p[1]);
    }
    return inside;
}

static enum cut classify(const struct et_setup *setup, struct piece *piece)
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
    struct et_corner corner[ET_CLIP_VERTICES];
    float position[ET_CLIP_VERTICES][4];
};

static void mix_word(const struct et_setup *setup, const struct piece *piece, struct cut_corners *made,
                     unsigned i, unsigned word, bool perspective)
{
    float value[3] = {0, 0, 0};
    for (unsigned k = 0; k < piece->corners; k++) {
        value[k] = et_float(et_setup_word(setup, piece->record[k], word));
        if (!perspective)
            value[k] *= piece->position[k][3];
    }
    const float mixed = et_clip_mix(&made->polygon, &made->polygon.vertex[i], value);
    made->record[i].word[word] = et_float_bits(perspective ? mixed : mixed * made->corner[i].iw);
}

/* Points of a cut triangle have sizes of their own. [HW:H200] */
static void mix_words(const struct et_setup *setup, const struct piece *piece, struct cut_corners *made,
                      unsigned i)
{
    const struct et_raster_plan *plan = setup->plan;
    for (unsigned n = 0; n < 2 * plan->planes; n++) {
        const struct et_raster_attribute *attribute = &plan->attribute[n / 2];
        const unsigned word = n & 1 ? attribute->back_word : attribute->word;
        if (word < ET_WORD_BARYCENTRIC || word >= ET_WORD_BARYCENTRIC + 6)
            mix_word(setup, piece, made, i, word, attribute->perspective);
    }
    if (plan->shader_point_size)
        mix_word(setup, piece, made, i, ET_WORD_POINT_SIZE, true);
}

/* A corner of a piece that is not cut. */
static void whole_corner(const struct et_setup *setup, const struct piece *piece, unsigned k,
                         struct et_corner *corner)
{
    et_setup_corner(setup, piece->position[k], piece->record[k], k, corner);
    if (piece->share)
        memcpy(corner->share, piece->share[k], sizeof corner->share);
}

static void mix_shares(const struct piece *piece, const struct et_clip_vertex *vertex,
                       struct et_corner *corner)
{
    memset(corner->share, 0, sizeof corner->share);
    for (unsigned k = 0; k < piece->corners; k++)
        for (unsigned n = 0; n < 3; n++) {
            const float linear = piece->share ? piece->share[k][n] : k == n,
                        perspective = piece->share ? piece->share[k][3 + n] : k == n;
            corner->share[n] += vertex->weight[k] * linear * piece->position[k][3] * corner->iw;
            corner->share[3 + n] += vertex->weight[k] * perspective;
        }
}

static void cut_corner(const struct et_setup *setup, const struct piece *piece, struct cut_corners *made,
                       unsigned i)
{
    const struct et_clip_vertex *vertex = &made->polygon.vertex[i];
    struct et_corner *corner = &made->corner[i];
    float *const position = made->position[i];
    unsigned whole = 0;
    while (whole + 1 < piece->corners && vertex->weight[whole] != 1)
        whole++;
    if (!vertex->made && piece->one_plane) {
        memcpy(position, piece->position[whole], sizeof made->position[i]);
        whole_corner(setup, piece, whole, corner);
        return;
    }
    for (unsigned n = 0; n < 4; n++) {
        const float value[3] = {piece->position[0][n], piece->position[1][n], piece->position[2][n]};
        position[n] = et_clip_mix(&made->polygon, vertex, value);
    }
    et_setup_place(setup, position, corner);
    mix_shares(piece, vertex, corner);
    made->record[i] = *piece->record[whole];
    corner->record = &made->record[i];
    mix_words(setup, piece, made, i);
}

/* Cuts a piece and makes what is left. */
static void cut_piece(const struct et_setup *setup, const struct piece *piece, struct cut_corners *made)
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
    const struct et_corner *c = &made->corner[i], *d = &made->corner[j];
    if (piece->one_plane)
        return et_corner_x(c) < et_corner_x(d) ||
               (et_corner_x(c) == et_corner_x(d) && et_corner_y(c) < et_corner_y(d));
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
static bool leaves_clipper(const struct et_setup *setup, const struct piece *piece, unsigned made)
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

static bool is_culled_by_distance(const struct et_setup *setup)
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
bool et_setup_is_front(const struct et_raster_state *state, double area)
{
    const bool counter_clockwise = (area > 0) == state->flip_y;
    return counter_clockwise == (state->front_face == 0x901);
}

bool et_setup_is_culled(const struct et_raster_state *state, bool front)
{
    if (!state->cull_enable)
        return false;
    return state->cull_face == 0x408 || (state->cull_face == 0x404) == front;
}

static bool clip_line(struct et_setup *setup, struct piece *piece)
{
    struct et_corner c[2];
    switch (classify(setup, piece)) {
    case ALL_OUTSIDE:
        return true;
    case CROSSES: {
        struct cut_corners made;
        cut_piece(setup, piece, &made);
        return !leaves_clipper(setup, piece, made.polygon.count == 2) || made.polygon.count != 2 ||
               et_emit_line(setup, made.corner);
    }
    default:
        if (!leaves_clipper(setup, piece, 1))
            return true;
        for (unsigned k = 0; k < 2; k++)
            whole_corner(setup, piece, k, &c[k]);
        return et_emit_line(setup, c);
    }
}

static bool clip_point(struct et_setup *setup, struct piece *piece)
{
    struct et_corner c;
    if (classify(setup, piece) != ALL_INSIDE)
        return true;
    if (!leaves_clipper(setup, piece, 1))
        return true;
    whole_corner(setup, piece, 0, &c);
    return et_emit_point(setup, &c);
}

/* Whether a cut triangle's vertex lies on its edge from vertex k to the next. */
static bool is_on_edge(const struct et_clip_vertex *vertex, unsigned k)
{
    return vertex->weight[(k + 2) % 3] == 0;
}

/* Whether the edge that begins at polygon vertex i is drawn: the triangle's as its flags say, all along a
 * plane. [DOC: OpenGL 4.6 compatibility profile, clipping; HW:H200 that those along a plane are drawn] */
static bool is_boundary(const struct et_setup *setup, const struct cut_corners *made, unsigned i)
{
    const struct et_clip_polygon *polygon = &made->polygon;
    const struct et_clip_vertex *from = &polygon->vertex[i], *to = &polygon->vertex[(i + 1) % polygon->count];
    for (unsigned k = 0; k < 3; k++)
        if (is_on_edge(from, k) && is_on_edge(to, k))
            return setup->input->edges >> k & 1;
    return true;
}

/* Whether the stipple pattern goes on along the line that comes; else it starts anew, whatever is left of the
 * line. */
static void go_on_with_stipple(struct et_setup *setup, bool goes_on)
{
    setup->stipple_goes_on = goes_on;
    if (!goes_on)
        setup->batch->stipple = 0;
}

/* Polygon modes other than fill: edges or vertices of what is left of the triangle, each brought within the
 * guard band on its own; `made` is NULL where nothing cut it. */
static bool outline(struct et_setup *setup, const struct piece *piece, const struct cut_corners *made,
                    bool lines)
{
    const unsigned count = made ? made->polygon.count : 3;
    bool first = true; /* the stipple pattern goes on along the edges */
    for (unsigned k = 0; k < count; k++) {
        float share[2][6] = {{0}};
        struct piece part = {.corners = lines ? 2 : 1, .share = share, .part = true, .is_cut = made};
        if (made ? !is_boundary(setup, made, k) : !(setup->input->edges >> k & 1))
            continue;
        go_on_with_stipple(setup, !first);
        first = false;
        for (unsigned n = 0; n < part.corners; n++) {
            const unsigned i = (k + n) % count;
            memcpy(part.position[n], made ? made->position[i] : piece->position[i], sizeof part.position[n]);
            part.record[n] = made ? made->corner[i].record : piece->record[i];
            if (made)
                memcpy(share[n], made->corner[i].share, sizeof share[n]);
            else
                share[n][i] = share[n][3 + i] = 1;
        }
        if (!(lines ? clip_line(setup, &part) : clip_point(setup, &part)))
            return false;
    }
    return true;
}

/* FILL_BBOX: the polygon's bounding rectangle once, under the planes of the first triangle with area. [DOC:
 * NV_fill_rectangle; INF for what is clipped] */
static bool fill_rectangle(struct et_setup *setup, const struct et_corner *c, unsigned count)
{
    const struct et_extents e = et_setup_extents(c, count);
    unsigned k = 1;
    while (k + 2 < count && et_setup_area((struct et_corner[3]){c[0], c[k], c[k + 1]}) == 0)
        k++;
    return et_emit_triangle(setup, (struct et_corner[3]){c[0], c[k], c[k + 1]}, &e);
}

/* Draws a triangle fan of corners whose first three span area; false when memory is refused. */
static bool draw_polygon(struct et_setup *setup, const struct piece *piece, const struct cut_corners *made,
                         const struct et_corner *c, unsigned count)
{
    const struct et_raster_state *state = setup->plan->state;
    double area = 0;
    for (unsigned k = 1; k + 1 < count && area == 0; k++)
        area = et_setup_area((struct et_corner[3]){c[0], c[k], c[k + 1]});
    setup->front = area != 0 && et_setup_is_front(state, area);
    if (et_setup_is_culled(state, setup->front))
        return true;
    const uint32_t mode = setup->front ? state->front_mode : state->back_mode;
    if (mode == 0x1b00 || mode == 0x1b01) {
        if (is_beside(piece, 1)) /* whatever its lines and points reach [HW:H200] */
            return true;
        struct et_plane_basis basis;
        struct et_plane z;
        const bool biased = mode == 0x1b01 ? state->bias_line : state->bias_point;
        if (biased && et_setup_basis(setup, c, &basis)) {
            const float value[3] = {c[0].z, c[1].z, c[2].z};
            et_plane_make(&basis, value, true, &z);
            setup->bias = et_setup_bias(setup->plan, &z, value, 3);
        }
        return outline(setup, piece, made, mode == 0x1b01);
    }
    if (area == 0)
        return !et_setup_before_snapping(setup) || et_emit_degenerate(setup, c, count);
    if (state->fill_via_triangle)
        return fill_rectangle(setup, c, count);
    for (unsigned k = 1; k + 1 < count; k++)
        if (!et_emit_triangle(setup, (struct et_corner[3]){c[0], c[k], c[k + 1]}, NULL))
            return false;
    return true;
}

static bool clip_triangle(struct et_setup *setup, struct piece *piece)
{
    struct et_corner c[ET_CLIP_VERTICES];
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
            et_setup_corner(setup, piece->position[k], piece->record[k], k, &c[k]);
        return draw_polygon(setup, piece, NULL, c, 3);
    }
}

/* ---- primitives ---- */

static void resolve_depth_range(struct et_setup *setup)
{
    const uint32_t control = setup->plan->state->clip_control, range = et_bits(control, 17, 16);
    const bool unit = range == 2 || (range == 0 && control & 1);
    setup->low = unit ? 0 : ET_MIN(setup->viewport->min_z, setup->viewport->max_z);
    setup->high = unit ? 1 : ET_MAX(setup->viewport->min_z, setup->viewport->max_z);
    if (range == 3) {
        setup->low = -INFINITY;
        setup->high = INFINITY;
    }
}

void et_setup_see(struct et_setup *setup, unsigned viewport)
{
    const struct et_raster_state *state = setup->plan->state;
    setup->viewport_index = viewport;
    setup->viewport = &state->viewport[viewport];
    setup->clip = intersect(setup->plan->bounds, setup->viewport->clip);
    if (state->scissor[viewport].enable)
        setup->clip = intersect(setup->clip, state->scissor[viewport].rectangle);
    resolve_depth_range(setup);
}

void et_setup_take(struct et_setup *setup, const struct et_raster_input *input)
{
    const struct et_raster_plan *plan = setup->plan;
    setup->input = input;
    setup->provoking = input->vertex[input->provoking];
    setup->layer = plan->shader_layer ? setup->provoking->word[ET_WORD_LAYER] : plan->state->layer;
    if (plan->state->layer_by_viewport)
        setup->layer += setup->viewport_index;
}

static bool set_up_in(struct et_setup *setup, const struct et_raster_input *input, unsigned viewport)
{
    struct piece piece = {.corners = input->corners};
    if (!setup->viewport || viewport != setup->viewport_index)
        et_setup_see(setup, viewport);
    et_setup_take(setup, input);
    setup->front = true;
    setup->bias = setup->stipple = 0;
    go_on_with_stipple(setup, input->corners == 2 && input->edges & 1);
    setup->batch->clipper_invocations++;
    if (et_setup_is_empty(setup->clip) || is_culled_by_distance(setup))
        return true;
    for (unsigned k = 0; k < input->corners; k++) {
        piece.record[k] = input->vertex[k];
        et_setup_swizzle(setup->viewport, &input->vertex[k]->word[ET_WORD_POSITION], piece.position[k]);
    }
    return input->corners == 3   ? clip_triangle(setup, &piece)
           : input->corners == 2 ? clip_line(setup, &piece)
                                 : clip_point(setup, &piece);
}

/* A viewport mask sends the primitive to each of its viewports, the lowest first. [DOC: NV_viewport_array2;
 * INF: the order] */
bool et_setup_one(struct et_setup *setup, const struct et_raster_input *input)
{
    const uint32_t *const word = input->vertex[input->provoking]->word;
    bool ok = true;
    if (!setup->plan->shader_viewport_mask)
        return set_up_in(setup, input, et_setup_viewport(setup->plan, input));
    for (unsigned v = 0; v < ET_VIEWPORTS && ok; v++)
        if (word[ET_WORD_VIEWPORT_MASK] >> v & 1)
            ok = set_up_in(setup, input, v);
    return ok;
}

enum etalon_status et_raster_setup_all(const struct et_raster_plan *plan, struct et_raster_batch *batch,
                                       const struct et_raster_input *input, size_t count,
                                       struct etalon_error *error)
{
    struct et_divisor last = {0, 0};
    struct et_setup setup = {.plan = plan, .batch = batch, .last = &last, .error = error};
    struct et_group_view view = {.viewport = NULL};
    const bool groups = et_raster_has_groups(plan);
    bool ok = true;
    for (size_t i = 0; i < count && ok;) {
        if (groups && input[i].corners == 3)
            i += et_setup_group(&setup, &view, input + i, count - i, &ok);
        else
            ok = et_setup_one(&setup, &input[i++]);
    }
    if (ok)
        return ETALON_OK;
    return error && error->status ? error->status : ETALON_NO_MEMORY;
}

enum etalon_status et_raster_setup(const struct et_raster_plan *plan, struct et_raster_batch *batch,
                                   const struct et_raster_input *input, struct etalon_error *error)
{
    return et_raster_setup_all(plan, batch, input, 1, error);
}

void et_raster_batch_clear(struct et_raster_batch *batch)
{
    batch->count = batch->waiting.count = 0;
    batch->waiting_cut = false;
}

void et_raster_batch_finish(struct et_raster_batch *batch)
{
    et_free(batch->primitive);
    et_free(batch->planes);
    et_free(batch->flats);
    et_free(batch->tiles);
    et_free(batch->bins);
    et_free(batch->bin_start);
    et_free(batch->waiting_values);
    *batch = (struct et_raster_batch){0};
}
