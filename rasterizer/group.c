/* Groups of filled triangles: which draws have them, and what a group leaves to primitives, in order. A
 * triangle that a near or far plane cuts, or with a corner far from the window, is set up by itself at its
 * place. */
#include "rasterizer/setup.h"

#include "base/bits.h"

/* Whether the draw's triangles may go in groups: filled, with nothing but near, far and w to cut them. */
bool et_raster_has_groups(const struct et_raster_plan *plan)
{
    const struct et_raster_state *state = plan->state;
    const int32_t most = ET_GROUP_LIMIT / 256 / 4; /* of a window's offset */
    return plan->make_group && !plan->shader_viewport_mask && !plan->clip_distances &&
           state->front_mode == 0x1b02 && state->back_mode == 0x1b02 && !state->fill_via_triangle &&
           !state->conservative && !plan->smooth_polygons && state->window_offset_x < most &&
           state->window_offset_x > -most && state->window_offset_y < most && state->window_offset_y > -most;
}

/* What the viewport that setup looks at makes of triangles. */
static void resolve_view(const struct et_setup *setup, struct et_group_view *view)
{
    const struct et_raster_state *state = setup->plan->state;
    const struct et_viewport *viewport = setup->viewport;
    const struct et_rectangle *within = &setup->plan->within;
    *view = (struct et_group_view){
        .viewport = viewport,
        .transform = state->viewport_transform,
        .cuts_near_far = et_setup_cuts_near_far(state),
        .zero_to_one = state->clip_zero_to_one,
        .cuts_w = et_setup_cuts_w(state),
        .half = state->pixel_at_integer ? 0.5f : 0,
        .offset_x = state->window_offset_x * 256,
        .offset_y = state->window_offset_y * 256,
        .clip = setup->clip,
        .within = {within->x0 * 16, within->y0 * 16, within->x1 * 16, within->y1 * 16},
        .low = setup->low,
        .high = setup->high,
        .turns_front = et_setup_is_front(state, 1),
        .draws = {!et_setup_is_culled(state, false), !et_setup_is_culled(state, true)}};
    memcpy(view->scale, viewport->scale, sizeof view->scale);
    memcpy(view->offset, viewport->offset, sizeof view->offset);
    for (unsigned i = 0; i < 4; i++) {
        view->from[i] = viewport->swizzle[i] >> 1 & 3;
        view->flip[i] = (uint32_t)(viewport->swizzle[i] & 1) << 31;
    }
}

/* How many triangles from the first on look at the same viewport, a group at most. */
static unsigned count_lanes(const struct et_setup *setup, const struct et_raster_input *input, size_t count)
{
    const unsigned most = (unsigned)ET_MIN(count, (size_t)ET_GROUP);
    unsigned lanes = 0;
    while (lanes < most && input[lanes].corners == 3 &&
           et_setup_viewport(setup->plan, &input[lanes]) == setup->viewport_index)
        lanes++;
    return lanes;
}

static bool emit(struct et_setup *setup, const struct et_group *group, unsigned lane)
{
    const struct et_raster_plan *plan = setup->plan;
    const struct et_depth_stencil *depth = &plan->state->depth_stencil;
    const bool cuts = plan->state->bias_fill || plan->writes_depth;
    struct et_raster_primitive *made;
    setup->front = group->front >> lane & 1;
    made = et_emit_start(setup);
    if (!made)
        return false;
    made->box = (struct et_rectangle){group->box[0][lane], group->box[1][lane], group->box[2][lane],
                                      group->box[3][lane]};
    made->cuts_below = (cuts || group->below >> lane & 1) && !depth->clamp_min;
    made->cuts_above = (cuts || group->above >> lane & 1) && !depth->clamp_max;
    made->edges = 3;
#pragma GCC unroll 3
    for (unsigned k = 0; k < 3; k++)
        made->edge[k] = (struct et_edge){group->a[k][lane], group->b[k][lane], (int64_t)group->c[k][lane]};
    et_planes_add_of_group(setup, group, lane);
    et_emit_end(setup);
    return true;
}

size_t et_setup_group(struct et_setup *setup, struct et_group_view *view, const struct et_raster_input *input,
                      size_t count, bool *ok)
{
    const unsigned viewport = et_setup_viewport(setup->plan, input);
    struct et_group group;
    if (!setup->viewport || viewport != setup->viewport_index)
        et_setup_see(setup, viewport);
    if (view->viewport != setup->viewport)
        resolve_view(setup, view);
    struct et_raster_batch *const batch = setup->batch;
    if (!et_planes_viewport_is_plain(setup->viewport)) {
        *ok = et_setup_one(setup, input);
        return 1;
    }
    const unsigned lanes = count_lanes(setup, input, count);
    if (et_setup_is_empty(setup->clip)) {
        batch->clipper_invocations += lanes;
        return lanes;
    }
    group.input = input;
    group.lanes = lanes;
    setup->plan->make_group(view, &group);
    const uint32_t settled = group.settled & ((1u << lanes) - 1);
    batch->clipper_invocations += (unsigned)__builtin_popcount(settled);
    batch->clipper_primitives += (unsigned)__builtin_popcount(settled & ~group.beside);
    for (unsigned lane = 0; lane < lanes && *ok; lane++) {
        if (!(settled >> lane & 1)) {
            *ok = et_setup_one(setup, &input[lane]);
        } else if (group.drawn >> lane & 1) {
            et_setup_take(setup, &input[lane]);
            *ok = emit(setup, &group, lane);
        }
    }
    return lanes;
}
