/* What a draw's raster state resolves to. */
#include "rasterizer/raster.h"

#include "base/bits.h"
#include "rasterizer/output.h"

enum { SHORT_PROGRAM = 64 }; /* instructions that cost a cell less than its quads cost to be queued */

static enum etalon_status unsupported(struct etalon_error *error, uint32_t value, const char *what)
{
    et_at_value(error, value);
    return et_fail(error, ETALON_UNSUPPORTED, "%s 0x%x", what, value);
}

/* Modes that nothing here is known about: named, not approximated. */
static enum etalon_status check_modes(const struct et_raster_state *state, struct etalon_error *error)
{
    static const char *const names[] = {"target-independent raster", "fill via triangle"};
    const uint32_t on[] = {state->sample.target_independent,
                           state->fill_via_triangle == 2 ? 0 : state->fill_via_triangle};
    for (size_t i = 0; i < ET_COUNT(on); i++)
        if (on[i])
            return unsupported(error, on[i], names[i]);
    return ETALON_OK;
}

bool et_raster_single_lines(const struct et_raster_state *state)
{
    return state->line_multisample_override || !state->sample.enable;
}

static void add_word(struct et_raster_plan *plan, unsigned word, uint8_t interpolation)
{
    const bool color = word >= ET_WORD_FRONT_COLOR && word < ET_WORD_FRONT_COLOR + 8;
    const struct et_raster_attribute attribute = {
        .word = (uint8_t)word,
        .back_word =
            (uint8_t)(color && plan->state->two_sided_light ? word - ET_WORD_FRONT_COLOR + ET_WORD_BACK_COLOR
                                                            : word),
        .perspective = interpolation == ET_SPH_PERSPECTIVE};
    plan->layout.flat[word] = (uint8_t)plan->flats;
    plan->flat_corner[plan->flats] = ET_CORNERS;
    plan->flat[plan->flats++] = attribute;
    if (interpolation == ET_SPH_CONSTANT)
        return;
    plan->layout.plane[word] = (uint8_t)plan->planes;
    plan->layout.perspective[word] = attribute.perspective;
    plan->attribute[plan->planes++] = attribute;
}

static void resolve_inputs(struct et_raster_plan *plan, const struct et_sph *pixel)
{
    memset(plan->layout.plane, 0xff, sizeof plan->layout.plane);
    memset(plan->layout.flat, 0xff, sizeof plan->layout.flat);
    for (unsigned word = ET_WORD_GENERIC; word < ET_WORD_FRONT_FACING; word++)
        if (pixel->interpolation[word])
            add_word(plan, word, pixel->interpolation[word]);
    for (unsigned word = ET_WORD_GENERIC; word < ET_ATTRIBUTE_WORDS; word++) {
        if (!et_sph_has(pixel->per_vertex, word))
            continue;
        plan->layout.vertex[word] = (uint16_t)(plan->flats + 1);
        for (unsigned k = 0; k < ET_CORNERS; k++) {
            plan->flat_corner[plan->flats] = (uint8_t)k;
            plan->flat[plan->flats++] =
                (struct et_raster_attribute){.word = (uint8_t)word, .back_word = (uint8_t)word};
        }
    }
}

/* What setup need not change: colours by state, barycentric coordinates. */
static void resolve_plain(struct et_raster_plan *plan)
{
    const struct et_raster_state *state = plan->state;
    bool colors = false, barycentric = false, per_vertex = false;
    for (unsigned i = 0; i < plan->flats; i++) {
        const unsigned word = plan->flat[i].word;
        colors |= word >= ET_WORD_FRONT_COLOR && word < ET_WORD_BACK_COLOR + 8;
        barycentric |= word >= ET_WORD_BARYCENTRIC && word < ET_WORD_BARYCENTRIC + 6;
        per_vertex |= plan->flat_corner[i] != ET_CORNERS;
    }
    plan->plain_flats = !(colors && state->color_clamp) && !per_vertex;
    plan->plain_values = !(colors && (state->color_clamp || state->flat_shade)) && !barycentric;
}

/* Outputs lie in registers target by target, four for each target that has any; the sample mask and depth
 * follow, both there if either is. [DRV: NAK, nv50_ir] */
static void resolve_outputs(struct et_raster_plan *plan, const struct et_sph *pixel)
{
    unsigned next = 0;
    for (unsigned i = 0; i < ET_TARGETS; i++) {
        plan->output[i] = ET_NO_OUTPUT;
        plan->output_mask[i] = pixel->color_mask[i];
        if (pixel->color_mask[i]) {
            plan->output[i] = (uint8_t)next;
            next += 4;
        }
    }
    if (!pixel->mrt_enable)
        for (unsigned i = 1; i < ET_TARGETS; i++) {
            if (plan->output[i] != ET_NO_OUTPUT)
                continue;
            plan->output[i] = plan->output[0]; /* one colour for all targets */
            plan->output_mask[i] = plan->output_mask[0];
        }
    plan->registers = (uint8_t)(next + 2);
    plan->mask_register = pixel->writes_sample_mask ? (uint8_t)next : ET_NO_OUTPUT;
    plan->depth_register = pixel->writes_depth ? (uint8_t)(next + 1) : ET_NO_OUTPUT;
}

static void limit_bounds(struct et_raster_plan *plan, const struct et_surface *surface)
{
    const int64_t width = surface->width >> plan->samples->width_log2;
    const int64_t height = surface->height >> plan->samples->height_log2;
    plan->bounds.x1 = (int32_t)ET_MIN(plan->bounds.x1, width);
    plan->bounds.y1 = (int32_t)ET_MIN(plan->bounds.y1, height);
}

static enum etalon_status resolve_target(struct et_raster_plan *plan, unsigned i, struct etalon_error *error)
{
    const struct et_output_state *output = &plan->state->output;
    const unsigned index = output->color_select[i] & 7;
    const struct et_target *target = &output->color[index];
    const struct et_color_format *format;
    enum etalon_status status;
    if (!target->format)
        return ETALON_OK;
    format = et_color_format_find(target->format);
    if (!format)
        return unsupported(error, target->format, "colour target format");
    status = et_blend_plan_make(&plan->color[i].blend, output, index, format, error);
    if (status)
        return status;
    status = et_surface_init(&plan->color[i].surface, target, format->bytes, error);
    if (status)
        return status;
    et_surface_cells(&plan->color[i].surface, plan->samples);
    limit_bounds(plan, &plan->color[i].surface);
    plan->color[i].output = (uint8_t)i;
    plan->color[i].active =
        plan->has_fragment && plan->output[i] != ET_NO_OUTPUT && output->blend[index].write_mask;
    plan->active |= (uint8_t)(plan->color[i].active << i);
    plan->dual_source |= plan->color[i].active && plan->color[i].blend.dual_source;
    if (i == 0)
        plan->alpha_format = plan->color[0].blend.format;
    return ETALON_OK;
}

static void widen(struct et_rectangle *places, int32_t x, int32_t y)
{
    *places = (struct et_rectangle){ET_MIN(places->x0, x), ET_MIN(places->y0, y), ET_MAX(places->x1, x),
                                    ET_MAX(places->y1, y)};
}

/* Where coverage looks at a cell's samples; cells start at even pixels, so lane bits are the place in 2x2. */
static void place_samples(struct et_raster_plan *plan, bool middle)
{
    plan->places = plan->within = (struct et_rectangle){INT32_MAX, INT32_MAX, 0, 0};
    for (unsigned s = 0; s < plan->samples->samples; s++)
        for (unsigned lane = 0; lane < ET_LANES; lane++) {
            const uint8_t *const at = plan->position[lane & 3][s];
            const unsigned x = ((lane >> 2 & 3) * 2 + (lane & 1)) * 16 + (middle ? 8 : at[0]),
                           y = ((lane >> 4) * 2 + (lane >> 1 & 1)) * 16 + (middle ? 8 : at[1]);
            plan->place[s][0][lane] = (uint8_t)x;
            plan->place[s][1][lane] = (uint8_t)y;
            widen(&plan->places, (int32_t)x, (int32_t)y);
            widen(&plan->within, (int32_t)x & 15, (int32_t)y & 15);
        }
}

static enum etalon_status resolve_samples(struct et_raster_plan *plan, struct etalon_error *error)
{
    const struct et_sample_state *sample = &plan->state->sample;
    plan->samples = et_sample_layout_find(sample->mode);
    if (!plan->samples)
        return unsupported(error, sample->mode, "sample mode");
    const unsigned samples = plan->samples->samples;
    et_sample_positions(sample, plan->samples, plan->position);
    plan->centre_only = !sample->enable && samples > 1;
    const bool middle = plan->centre_only || samples == 1 || plan->state->conservative;
    plan->one_position = plan->full_mask = true;
    plan->distinct = middle ? 1 : samples;
    plan->alike = samples / plan->distinct;
    place_samples(plan, middle);
    for (unsigned pixel = 0; pixel < 4; pixel++) {
        if (plan->centre_only || samples == 1)
            memset(plan->position[pixel], 8, sizeof plan->position[pixel]);
        plan->one_position &= !memcmp(plan->position[pixel], plan->position[0], 2 * samples);
        plan->sample_mask[pixel] = sample->mask[pixel] & ((1u << samples) - 1);
        plan->full_mask &= plan->sample_mask[pixel] == (1u << samples) - 1;
    }
    plan->smooth_lines = plan->state->line_antialiased && et_raster_single_lines(plan->state);
    plan->smooth_polygons = plan->state->polygon_smooth && !sample->enable;
    plan->passes = (uint8_t)ET_MIN(sample->passes ? sample->passes : 1, samples);
    return ETALON_OK;
}

enum etalon_status et_raster_plan_make(struct et_raster_plan *plan, const struct et_raster_state *state,
                                       const struct et_raster_programs *programs, struct etalon_error *error)
{
    const struct et_depth_stencil *depth_stencil = &state->depth_stencil;
    enum etalon_status status;
    *plan = (struct et_raster_plan){
        .state = state, .mask_register = ET_NO_OUTPUT, .depth_register = ET_NO_OUTPUT};
    plan->bounds = state->surface_clip;
    plan->bounds.x0 = ET_MAX(plan->bounds.x0, 0);
    plan->bounds.y0 = ET_MAX(plan->bounds.y0, 0);
    status = check_modes(state, error);
    if (!status)
        status = resolve_samples(plan, error);
    if (status)
        return status;
    plan->has_fragment = programs->pixel != NULL;
    memset(plan->output, ET_NO_OUTPUT, sizeof plan->output);
    if (programs->pixel) {
        resolve_inputs(plan, programs->pixel);
        resolve_outputs(plan, programs->pixel);
    }
    resolve_plain(plan);
    for (unsigned i = 0; i < ET_MIN(state->output.color_count, (unsigned)ET_TARGETS) && !status; i++) {
        status = resolve_target(plan, i, error);
        plan->colors = i + 1;
    }
    if (!status)
        status = et_depth_plan_make(&plan->depth, depth_stencil, &state->output.depth,
                                    state->output.depth_enable, error);
    if (status)
        return status;
    if (plan->depth.active) {
        status =
            et_surface_init(&plan->depth_surface, &state->output.depth, plan->depth.format->bytes, error);
        if (status)
            return status;
        et_surface_cells(&plan->depth_surface, plan->samples);
        limit_bounds(plan, &plan->depth_surface);
        plan->plain_depth = plan->depth.depth && !plan->depth.stencil && !plan->depth.bounds &&
                            plan->depth.format->float_depth && plan->depth.format->bytes == 4 &&
                            plan->one_position && plan->depth_surface.cells_together;
    }
    plan->alpha_comparison = 8;
    if (state->output.alpha_test) {
        plan->alpha_comparison = et_comparison(state->output.alpha_function);
        if (plan->alpha_comparison > 7)
            return unsupported(error, state->output.alpha_function, "alpha function");
    }
    status = et_coarse_plan(plan, programs->last, error);
    if (status)
        return status;
    plan->shader_layer = state->layer_from_shader && et_sph_has(programs->last->output, ET_WORD_LAYER);
    plan->shader_viewport = et_sph_has(programs->last->output, ET_WORD_VIEWPORT);
    plan->shader_viewport_mask = et_sph_has(programs->last->output, ET_WORD_VIEWPORT_MASK);
    plan->shader_point_size =
        state->point_size_attribute && et_sph_has(programs->last->output, ET_WORD_POINT_SIZE);
    for (unsigned i = 0; i < 8; i++)
        if (state->user_clip_enable >> i & 1 && et_sph_has(programs->last->output, ET_WORD_CLIP_DISTANCE + i))
            plan->clip_distances |= (uint8_t)(1u << i);
    plan->writes_depth = plan->depth_register != ET_NO_OUTPUT;
    plan->kills = programs->pixel_kills || programs->pixel_writes_depth_or_mask ||
                  plan->alpha_comparison < 8 || state->sample.alpha_to_coverage || plan->writes_depth ||
                  plan->mask_register != ET_NO_OUTPUT;
    plan->early = depth_stencil->early || !plan->has_fragment || !(plan->kills || programs->pixel_stores);
    plan->ordered = programs->pixel_ordered;
    plan->leaves_depth = !plan->depth.active && (!programs->pixel || programs->pixel_leaves_z);
    plan->leaves_w = !programs->pixel || programs->pixel_leaves_w;
    plan->plain_cells = plan->full_mask && !state->window_clip_enable && !state->polygon_stipple;
    plan->wide = et_wide_level();
    plan->make_group = et_group_level();
    plan->cells = plan->passes == 1 && plan->samples->samples <= ET_SURFACE_CELL_SAMPLES &&
                  !(plan->early && plan->depth.active && !plan->plain_depth);
    plan->parts = plan->cells && plan->plain_cells && !plan->coarse;
    plan->cell_quads = !programs->pixel_apart ? 9 : programs->pixel_instructions <= SHORT_PROGRAM ? 3 : 6;
    plan->cells_settled = plan->early && !plan->kills && et_output_takes_cells(plan);
    plan->sprite_words = state->point_sprite && (state->point_sprite_select >> 3 & 0x3ff);
    return ETALON_OK;
}
