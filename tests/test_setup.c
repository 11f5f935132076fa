/* Groups of triangles held to setup one by one: random states, and triangles on and about every plane of the
 * clip volume, without area, far away, with values that are no numbers. */
#include "rasterizer/setup.h"
#include "support/draw_world.h"
#include "support/suite.h"

#include <stdio.h>

enum { TRIANGLES = 61, STATES = 1500 };

static uint32_t pick(struct world *w, uint32_t count)
{
    return world_random(w) % count;
}

static bool one_in(struct world *w, uint32_t count)
{
    return pick(w, count) == 0;
}

/* ---- states ---- */

static struct et_rectangle random_rectangle(struct world *w)
{
    const int32_t x0 = (int32_t)pick(w, 90) - 10, y0 = (int32_t)pick(w, 90) - 10;
    return (struct et_rectangle){x0, y0, x0 + (int32_t)pick(w, 90), y0 + (int32_t)pick(w, 90)};
}

static float random_scale(struct world *w)
{
    static const float scales[] = {32, -32, 31.75f, 1, 0, 1e-3f, 3e4f, -2e5f, 1e30f, INFINITY, NAN};
    return one_in(w, 4) ? scales[pick(w, ET_COUNT(scales))]
                        : world_between(w, 8, 64) * (one_in(w, 3) ? -1 : 1);
}

static void random_viewport(struct world *w, struct et_viewport *viewport)
{
    for (unsigned i = 0; i < 3; i++) {
        viewport->scale[i] = i == 2 ? world_between(w, -1, 1) : random_scale(w);
        viewport->offset[i] = i == 2 ? world_between(w, -1, 1) : world_between(w, -20, 80);
        if (one_in(w, 40))
            viewport->scale[i] = random_scale(w);
        if (one_in(w, 40))
            viewport->offset[i] = random_scale(w);
    }
    viewport->clip = one_in(w, 4) ? random_rectangle(w) : (struct et_rectangle){0, 0, 64, 64};
    if (one_in(w, 12))
        viewport->clip = (struct et_rectangle){-5, -7, 40000, 50000};
    viewport->min_z = world_between(w, -0.5f, 1);
    viewport->max_z = world_between(w, 0, 1.5f);
    for (unsigned i = 0; i < 4; i++)
        viewport->swizzle[i] = (uint8_t)(one_in(w, 12) ? pick(w, 8) : 2 * i);
}

static void random_state(struct world *w)
{
    static const uint32_t faces[] = {0x404, 0x405, 0x408}, modes[] = {0x1b00, 0x1b01, 0x1b02};
    static const uint8_t sample_modes[] = {0, 1, 2, 3, 4};
    struct et_raster_state *raster = &w->draw.raster;
    const bool calm = one_in(w, 2);
    for (unsigned i = 0; i < ET_VIEWPORTS; i++) {
        random_viewport(w, &raster->viewport[i]);
        if (calm)
            raster->viewport[i] = (struct et_viewport){.scale = {32, 32, 1},
                                                       .offset = {32, 32, 0},
                                                       .clip = {0, 0, 64, 64},
                                                       .max_z = 1,
                                                       .swizzle = {0, 2, 4, 6}};
        raster->scissor[i] = (struct et_scissor){.enable = one_in(w, 3), .rectangle = random_rectangle(w)};
    }
    raster->viewport_transform = !one_in(w, 10);
    raster->pixel_at_integer = one_in(w, 4);
    raster->clip_zero_to_one = one_in(w, 2);
    raster->clip_control = pick(w, 4) << 16 | pick(w, 8) << 11 | pick(w, 2);
    raster->depth_stencil.clamp_min = one_in(w, 2);
    raster->depth_stencil.clamp_max = one_in(w, 2);
    raster->window_offset_x = one_in(w, 4) ? (int32_t)pick(w, 60) - 30 : one_in(w, 40) ? 9000 : 0;
    raster->window_offset_y = one_in(w, 4) ? (int32_t)pick(w, 60) - 30 : one_in(w, 40) ? -9000 : 0;
    raster->cull_enable = one_in(w, 2);
    raster->cull_face = faces[pick(w, 3)];
    raster->front_face = 0x900 + pick(w, 2);
    raster->flip_y = one_in(w, 2);
    raster->front_mode = raster->back_mode = 0x1b02;
    if (one_in(w, 20))
        raster->front_mode = modes[pick(w, 3)];
    raster->flat_shade = one_in(w, 4);
    raster->color_clamp = one_in(w, 4);
    raster->two_sided_light = one_in(w, 3);
    raster->bias_fill = one_in(w, 4);
    raster->bias_constant = world_between(w, -8, 8);
    raster->bias_slope = world_between(w, -2, 2);
    raster->conservative = one_in(w, 20);
    raster->polygon_smooth = one_in(w, 20);
    raster->fill_via_triangle = one_in(w, 20) ? 2 : 0;
    raster->layer = (uint16_t)pick(w, 5);
    raster->layer_from_shader = one_in(w, 2);
    raster->layer_by_viewport = one_in(w, 4);
    raster->user_clip_enable = one_in(w, 10) ? 3 : 0;
    raster->user_clip_cull = (uint8_t)pick(w, 4);
    raster->sample.mode = sample_modes[pick(w, ET_COUNT(sample_modes))];
    raster->sample.enable = !one_in(w, 3);
    for (unsigned i = 0; i < 16; i++)
        raster->sample.location[i] = (uint8_t)(one_in(w, 2) ? pick(w, 256) : 0x88);
    raster->surface_clip = one_in(w, 8) ? random_rectangle(w) : (struct et_rectangle){0, 0, 64, 64};
}

static void random_programs(struct world *w, struct et_sph *last, struct et_sph *pixel)
{
    static const uint8_t outputs[] = {ET_WORD_LAYER, ET_WORD_VIEWPORT, ET_WORD_CLIP_DISTANCE,
                                      ET_WORD_CLIP_DISTANCE + 1};
    *last = (struct et_sph){.bytes = 128};
    *pixel = (struct et_sph){.bytes = 128};
    for (unsigned i = 0; i < ET_COUNT(outputs); i++)
        if (one_in(w, 3))
            world_output(last, outputs[i]);
    if (one_in(w, 12))
        world_output(last, ET_WORD_VIEWPORT_MASK);
    for (unsigned i = 0; i < 6; i++) {
        pixel->interpolation[ET_WORD_GENERIC + i] = (uint8_t)pick(w, 4);
        pixel->interpolation[ET_WORD_FRONT_COLOR + i] = (uint8_t)pick(w, 4);
        pixel->interpolation[ET_WORD_BARYCENTRIC + i] = one_in(w, 3) ? ET_SPH_SCREEN_LINEAR : 0;
    }
    pixel->writes_depth = one_in(w, 8);
}

/* ---- triangles ---- */

static float special(struct world *w)
{
    static const float values[] = {0,      -0.0f, 1,      -1,       0x1p-64f, 0x1p-63f,  0x1p-65f, 0x1p-126f,
                                   1e-45f, 1e30f, -1e30f, 0x1p127f, INFINITY, -INFINITY, NAN,      1e-20f};
    return values[pick(w, ET_COUNT(values))];
}

/* A position about the view: inside, on a side, beyond it, and the odd one out. */
static void random_position(struct world *w, float p[4])
{
    p[3] = one_in(w, 3) ? 1 : world_between(w, 0.1f, 4);
    for (unsigned i = 0; i < 3; i++)
        p[i] = world_between(w, i == 2 ? 0 : -1.2f, i == 2 ? 1 : 1.2f) * p[3];
    for (unsigned i = 0; i < 2; i++)
        if (one_in(w, 3)) /* pixels' corners and centres in a viewport of 64 */
            p[i] = ((float)pick(w, 129) / 64 - 1) * p[3];
    if (one_in(w, 6))
        p[pick(w, 3)] = one_in(w, 2) ? p[3] : -p[3];
    if (one_in(w, 8))
        p[2] = one_in(w, 2) ? 0 : world_between(w, -2, 3) * p[3];
    if (one_in(w, 16))
        p[3] = -p[3];
    if (one_in(w, 16))
        p[pick(w, 4)] *= 1e4f;
    if (one_in(w, 24))
        p[pick(w, 4)] = special(w);
}

static void random_triangle(struct world *w, struct et_vertex_record record[3])
{
    const bool small = one_in(w, 3);
    float p[3][4];
    for (unsigned k = 0; k < 3; k++) {
        for (unsigned i = 0; i < ET_ATTRIBUTE_WORDS; i++)
            record[k].word[i] = et_float_bits(world_between(w, -2, 2));
        record[k].word[ET_WORD_LAYER] = pick(w, 7);
        record[k].word[ET_WORD_VIEWPORT] = one_in(w, 12) ? pick(w, 40) : 1;
        record[k].word[ET_WORD_VIEWPORT_MASK] = pick(w, 8);
        random_position(w, p[k]);
        for (unsigned i = 0; i < 4 && small && k; i++)
            p[k][i] = i == 3 ? p[0][3] : p[0][i] + world_between(w, -0.1f, 0.1f);
    }
    if (one_in(w, 10)) /* no area, or one that snapping leaves */
        for (unsigned i = 0; i < 4; i++)
            p[2][i] = one_in(w, 2) ? p[1][i] : (p[0][i] + p[1][i]) / 2;
    for (unsigned k = 0; k < 3; k++)
        memcpy(&record[k].word[ET_WORD_POSITION], p[k], sizeof p[k]);
}

/* ---- comparison ---- */

static bool same_double(double a, double b)
{
    return et_double_bits(a) == et_double_bits(b);
}

static bool same_plane(const struct et_plane *a, const struct et_plane *b)
{
    return same_double(a->a, b->a) && same_double(a->b, b->b) && same_double(a->c, b->c) &&
           same_double(a->unit, b->unit) && a->plain == b->plain && same_double(a->tile_unit, b->tile_unit) &&
           a->tile_x == b->tile_x && a->tile_y == b->tile_y && a->rx == b->rx && a->ry == b->ry &&
           a->reach == b->reach;
}

static bool same_edges(const struct et_raster_primitive *a, const struct et_raster_primitive *b)
{
    bool same = a->edges == b->edges;
    for (unsigned i = 0; i < a->edges && same; i++)
        same = a->edge[i].a == b->edge[i].a && a->edge[i].b == b->edge[i].b && a->edge[i].c == b->edge[i].c;
    return same;
}

/* What differs; NULL: nothing does. */
static const char *difference(const struct et_raster_primitive *a, const struct et_raster_primitive *b)
{
    if (a->p.primitive_id != b->p.primitive_id || a->p.layer != b->p.layer ||
        a->p.viewport != b->p.viewport || a->p.front != b->p.front || a->p.point != b->p.point)
        return "name";
    if (a->shape != b->shape || a->is_line != b->is_line || a->rate_table != b->rate_table)
        return "kind";
    if (!same_edges(a, b))
        return "edges";
    if (memcmp(&a->box, &b->box, sizeof a->box))
        return "box";
    if (a->min_z != b->min_z || a->max_z != b->max_z || a->cuts_below != b->cuts_below ||
        a->cuts_above != b->cuts_above)
        return "depth range";
    if (!same_plane(&a->p.z, &b->p.z))
        return "depth";
    return same_plane(&a->p.w, &b->p.w) ? NULL : "1/w";
}

static void compare(const struct et_raster_plan *plan, const struct et_raster_batch *one,
                    const struct et_raster_batch *group, const char *where)
{
    if (one->clipper_invocations != group->clipper_invocations ||
        one->clipper_primitives != group->clipper_primitives)
        ck_abort_msg("%s: %llu of %llu leave the clipper, not %llu", where,
                     (unsigned long long)group->clipper_primitives,
                     (unsigned long long)group->clipper_invocations,
                     (unsigned long long)one->clipper_primitives);
    if (one->count != group->count)
        ck_abort_msg("%s: %zu primitives, not %zu", where, group->count, one->count);
    for (size_t i = 0; i < one->count; i++) {
        const char *const what = difference(&one->primitive[i], &group->primitive[i]);
        if (what)
            ck_abort_msg("%s: %s of primitive %u", where, what, one->primitive[i].p.primitive_id);
    }
    for (size_t i = 0; i < one->count * plan->planes; i++)
        if (!same_plane(&one->planes[i], &group->planes[i]))
            ck_abort_msg("%s: plane %zu of %zu", where, i % plan->planes, i / plan->planes);
    if (one->count && plan->flats)
        ck_assert_mem_eq(one->flats, group->flats, one->count * plan->flats * sizeof *one->flats);
}

static struct {
    et_group_maker make;
    size_t groups, settled, drawn;
} counted;

static void make_counted(const struct et_group_view *view, struct et_group *group)
{
    counted.make(view, group);
    counted.groups++;
    counted.settled += (size_t)__builtin_popcount(group->settled);
    counted.drawn += (size_t)__builtin_popcount(group->drawn);
}

static void set_up(struct et_raster_plan *plan, et_group_maker make, struct et_raster_batch *batch,
                   const struct et_raster_input *input)
{
    struct etalon_error error = {0};
    counted.make = make;
    plan->make_group = make ? make_counted : NULL;
    batch->clipper_invocations = batch->clipper_primitives = 0;
    et_raster_batch_clear(batch);
    ck_assert_msg(!et_raster_setup_all(plan, batch, input, TRIANGLES, &error), "%s", error.text);
    et_raster_settle(plan, batch);
}

START_TEST(groups_equal_triangles_one_by_one)
{
    struct et_vertex_record *const record = malloc(3 * TRIANGLES * sizeof *record);
    struct et_raster_input input[TRIANGLES];
    struct et_raster_batch one = {0}, group = {0};
    struct et_raster_plan plan;
    struct et_sph last, pixel;
    struct world w;
    char where[64];
    ck_assert(record);
    world_start(&w, 0xe4, 64, 64, 1, 0);
    world_seed(&w, (uint32_t)_i + 1);
    w.draw.raster.output.color[0].format = 0;
    for (unsigned s = 0; s < STATES; s++) {
        const struct et_raster_programs programs = {.last = &last, .pixel = &pixel};
        struct etalon_error error = {0};
        random_state(&w);
        random_programs(&w, &last, &pixel);
        ck_assert_msg(!et_raster_plan_make(&plan, &w.draw.raster, &programs, &error), "%s", error.text);
        for (unsigned t = 0; t < TRIANGLES; t++) {
            random_triangle(&w, record + 3 * t);
            input[t] = (struct et_raster_input){.corners = 3,
                                                .provoking = (uint8_t)pick(&w, 3),
                                                .edges = (uint8_t)pick(&w, 8),
                                                .primitive_id = t};
            for (unsigned k = 0; k < 3; k++) /* some share vertices */
                input[t].vertex[k] = record + (one_in(&w, 8) ? pick(&w, 3 * t + 3) : 3 * t + k);
        }
        set_up(&plan, NULL, &one, input);
        for (unsigned level = 0; level < et_wide_levels(); level++) {
            snprintf(where, sizeof where, "state %u, level %u", s, level);
            set_up(&plan, et_group_of(level), &group, input);
            compare(&plan, &one, &group, where);
        }
    }
    ck_assert_uint_gt(counted.groups, STATES);
    ck_assert_uint_gt(counted.settled, 8 * counted.groups);
    ck_assert_uint_gt(counted.drawn, counted.groups);
    et_raster_batch_finish(&one);
    et_raster_batch_finish(&group);
    world_finish(&w);
    free(record);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("setup");
    TCase *all = tcase_create("all");
    tcase_set_timeout(all, 120);
    tcase_add_loop_test(all, groups_equal_triangles_one_by_one, 0, 3);
    suite_add_tcase(suite, all);
    return suite_run(suite);
}
