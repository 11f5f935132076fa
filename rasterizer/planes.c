/* Triangles' planes. Those of plain triangles wait in a block, whose planes are made side by side when it is
 * full, or when the batch runs. */
#include "rasterizer/setup.h"

#include "base/alloc.h"

#include <stdlib.h>

static void make_depth(const struct et_raster_plan *plan, const struct et_plane_basis *basis,
                       const float value[3], struct et_plane *z)
{
    et_plane_make(basis, value, true, z);
    z->tile_x >>= plan->samples->width_log2;
    z->tile_y >>= plan->samples->height_log2;
}

void et_planes_depth(const struct et_setup *setup, const struct et_plane_basis *basis, const float value[3],
                     struct et_plane *z)
{
    make_depth(setup->plan, basis, value, z);
}

static void bias_depth(const struct et_raster_plan *plan, const float value[3], struct et_plane *z)
{
    if (plan->state->bias_fill)
        et_plane_add(z, et_setup_bias(plan, z, value, 3));
}

/* The values of a triangle's planes: depth, 1/w, each attribute's. */
enum { DEPTH, INVERSE_W, ATTRIBUTES = ET_DEPTH_AND_W };

static void values_of(const struct et_setup *setup, const struct et_corner c[3], unsigned plane,
                      float value[3])
{
    for (unsigned k = 0; k < 3; k++)
        value[k] = plane == DEPTH ? c[k].z
                   : plane == INVERSE_W
                       ? c[k].iw
                       : et_setup_value(setup, &setup->plan->attribute[plane - ATTRIBUTES], &c[k]);
}

static struct et_plane *plane_of(const struct et_raster_plan *plan, const struct et_raster_batch *batch,
                                 size_t primitive, unsigned plane)
{
    return plane == DEPTH       ? &batch->primitive[primitive].p.z
           : plane == INVERSE_W ? &batch->primitive[primitive].p.w
                                : &batch->planes[primitive * plan->planes + plane - ATTRIBUTES];
}

static void make_plane(const struct et_raster_plan *plan, const struct et_raster_batch *batch,
                       const struct et_plane_basis *basis, const float value[3], size_t primitive,
                       unsigned plane)
{
    struct et_plane *const made = plane_of(plan, batch, primitive, plane);
    if (plane != DEPTH) {
        et_plane_make(basis, value, false, made);
        return;
    }
    make_depth(plan, basis, value, made);
    bias_depth(plan, value, made);
}

void et_planes_make(const struct et_setup *setup, const struct et_plane_basis *basis,
                    const struct et_corner c[3])
{
    for (unsigned plane = 0; plane < ATTRIBUTES + setup->plan->planes; plane++) {
        float value[3];
        values_of(setup, c, plane, value);
        make_plane(setup->plan, setup->batch, basis, value, setup->batch->count, plane);
    }
}

bool et_planes_viewport_is_plain(const struct et_viewport *viewport)
{
    const struct et_rectangle *const drawn = &viewport->clip;
    return drawn->x0 >= 0 && drawn->y0 >= 0 && drawn->x1 <= ET_PLANE_NEAR / 256 &&
           drawn->y1 <= ET_PLANE_NEAR / 256;
}

bool et_planes_are_plain(const struct et_setup *setup, const struct et_corner c[3])
{
    bool plain = et_planes_viewport_is_plain(setup->viewport);
    for (unsigned k = 0; k < 3; k++)
        plain = plain && !c[k].far && llabs(c[k].x) < ET_PLANE_NEAR && llabs(c[k].y) < ET_PLANE_NEAR;
    return plain;
}

bool et_planes_reserve(const struct et_raster_plan *plan, struct et_raster_batch *batch)
{
    const size_t had = batch->waiting_capacity;
    if (!et_grow(&batch->waiting_values, &batch->waiting_capacity, plan->planes + ET_DEPTH_AND_W,
                 sizeof *batch->waiting_values))
        return false;
    /* lanes that are not in use are computed too */
    memset(batch->waiting_values + had, 0, (batch->waiting_capacity - had) * sizeof *batch->waiting_values);
    return true;
}

/* The block's next lane, for the primitive that comes, but for corners and values. */
static unsigned next_lane(const struct et_setup *setup)
{
    const struct et_rectangle *const drawn = &setup->viewport->clip;
    struct et_raster_batch *const batch = setup->batch;
    struct et_plane_block *const block = &batch->waiting;
    const unsigned lane = block->count++;
    block->x0[lane] = drawn->x0;
    block->y0[lane] = drawn->y0;
    block->x1[lane] = drawn->x1;
    block->y1[lane] = drawn->y1;
    block->index[lane] = (uint32_t)batch->count;
    batch->waiting_cut |=
        batch->primitive[batch->count].cuts_below || batch->primitive[batch->count].cuts_above;
    return lane;
}

static void settle_if_full(const struct et_setup *setup)
{
    if (setup->batch->waiting.count == ET_PLANE_LANES)
        et_raster_settle(setup->plan, setup->batch);
}

static void set_values(const struct et_setup *setup, const struct et_corner c[3], unsigned lane)
{
    for (unsigned plane = 0; plane < ATTRIBUTES + setup->plan->planes; plane++) {
        float value[3];
        values_of(setup, c, plane, value);
        for (unsigned k = 0; k < 3; k++)
            setup->batch->waiting_values[plane].at[k][lane] = value[k];
    }
}

void et_planes_add(const struct et_setup *setup, const struct et_corner c[3])
{
    struct et_plane_block *const block = &setup->batch->waiting;
    const unsigned lane = next_lane(setup);
    for (unsigned k = 0; k < 3; k++) {
        block->x[k][lane] = (int32_t)c[k].x;
        block->y[k][lane] = (int32_t)c[k].y;
    }
    set_values(setup, c, lane);
    settle_if_full(setup);
}

/* The values of a triangle of a group whose attributes are what its records hold. */
static void set_plain_values(const struct et_setup *setup, const float iw[3], unsigned lane)
{
    const struct et_raster_plan *plan = setup->plan;
    const struct et_vertex_record *const *const record = setup->input->vertex;
    struct et_plane_values *values = setup->batch->waiting_values + ATTRIBUTES;
    for (unsigned i = 0; i < plan->planes; i++, values++) {
        const struct et_raster_attribute *attribute = &plan->attribute[i];
        const unsigned word = setup->front ? attribute->word : attribute->back_word;
        const float p = et_float(record[0]->word[word]), q = et_float(record[1]->word[word]),
                    r = et_float(record[2]->word[word]);
        values->at[0][lane] = attribute->perspective ? p * iw[0] : p;
        values->at[1][lane] = attribute->perspective ? q * iw[1] : q;
        values->at[2][lane] = attribute->perspective ? r * iw[2] : r;
    }
}

/* The same where state changes some, or some are barycentric. */
static void set_other_values(const struct et_setup *setup, const float z[3], const float iw[3], unsigned lane)
{
    struct et_corner c[3];
    for (unsigned k = 0; k < 3; k++) {
        c[k] = (struct et_corner){.z = z[k], .iw = iw[k], .record = setup->input->vertex[k]};
        c[k].share[k] = c[k].share[3 + k] = 1;
    }
    set_values(setup, c, lane);
}

void et_planes_add_of_group(const struct et_setup *setup, const struct et_group *group, unsigned n)
{
    struct et_plane_block *const block = &setup->batch->waiting;
    struct et_plane_values *const values = setup->batch->waiting_values;
    const unsigned lane = next_lane(setup);
    float z[3], iw[3];
#pragma GCC unroll 3
    for (unsigned k = 0; k < 3; k++) {
        block->x[k][lane] = group->x[k][n];
        block->y[k][lane] = group->y[k][n];
        values[DEPTH].at[k][lane] = z[k] = group->z[k][n];
        values[INVERSE_W].at[k][lane] = iw[k] = group->iw[k][n];
    }
    if (setup->plan->plain_values)
        set_plain_values(setup, iw, lane);
    else
        set_other_values(setup, z, iw, lane);
    settle_if_full(setup);
}

void et_raster_settle(const struct et_raster_plan *plan, struct et_raster_batch *batch)
{
    const unsigned planes = ATTRIBUTES + plan->planes, count = batch->waiting.count;
    struct et_plane_values *const values = batch->waiting_values;
    if (!count)
        return;
    const bool depth_left = plan->leaves_depth && !batch->waiting_cut;
    for (unsigned plane = 0; plane < planes; plane++) {
        values[plane].first = plane_of(plan, batch, 0, plane);
        values[plane].step =
            plane < ATTRIBUTES ? sizeof *batch->primitive : plan->planes * sizeof *batch->planes;
        values[plane].left = plane == DEPTH ? depth_left : plane == INVERSE_W && plan->leaves_w;
        values[plane].tile_x = plane == DEPTH ? ET_PLANE_TILE >> plan->samples->width_log2 : 0;
        values[plane].tile_y = plane == DEPTH ? ET_PLANE_TILE >> plan->samples->height_log2 : 0;
    }
    plan->wide->planes(&batch->waiting, values, planes);
    for (unsigned lane = 0; lane < count && plan->state->bias_fill && !depth_left; lane++) {
        const float(*const at)[ET_PLANE_LANES] = values[DEPTH].at;
        bias_depth(plan, (float[3]){at[0][lane], at[1][lane], at[2][lane]},
                   et_plane_of(&batch->waiting, &values[DEPTH], lane));
    }
    batch->waiting.count = 0;
    batch->waiting_cut = false;
}
