/* What the parts of setup share: corner.c places vertices in the window, setup.c clips and culls, emit.c
 * makes edges and planes of what is left. */
#ifndef ET_RASTERIZER_SETUP_H
#define ET_RASTERIZER_SETUP_H

#include "base/bits.h"
#include "rasterizer/raster.h"

#include <math.h>

#define ET_DEPTH_AND_W  2      /* planes of a primitive besides the attributes' */
#define ET_WINDOW_LIMIT 0x1p53 /* pixels: edges stay within 64 bits */

struct et_corner {
    int64_t x, y; /* 2^far/256 pixel; far is not 0 beyond ET_WINDOW_LIMIT alone */
    int far;
    float z, iw;
    const struct et_vertex_record *record;
    float share[6]; /* of the primitive's vertices: barycentric without perspective, with it */
};

/* The w that was divided by last, and 1/w; 0: none. */
struct et_divisor {
    float w, iw;
};

struct et_setup {
    const struct et_raster_plan *plan;
    struct et_raster_batch *batch;
    struct et_divisor *last;
    size_t room; /* primitives that the batch has memory for; 0: not known */
    /* What a viewport's primitives share. */
    const struct et_viewport *viewport; /* NULL: none yet */
    uint32_t viewport_index;
    struct et_rectangle clip; /* pixels */
    float low, high;          /* depth range */
    /* What all pieces of one input primitive share. */
    const struct et_raster_input *input;
    const struct et_vertex_record *provoking;
    uint32_t layer;
    bool front;
    double bias;
    bool stipple_goes_on; /* of the line that comes */
    double stipple;       /* the pattern's steps before it */
    struct etalon_error *error;
};

/* SET_VIEWPORT_CLIP_CONTROL GEOMETRY_CLIP */
enum geometry_clip { WZERO, PASSTHROUGH, FRUSTUM_XY, FRUSTUM_XYZ, WZERO_NO_Z_CULL, FRUSTUM_Z };

static inline bool et_setup_cuts_near_far(const struct et_raster_state *state)
{
    const unsigned mode = et_bits(state->clip_control, 13, 11);
    return mode == FRUSTUM_XYZ || mode == FRUSTUM_Z;
}

/* Whether w = 0 cuts where near and far planes do not. */
static inline bool et_setup_cuts_w(const struct et_raster_state *state)
{
    return et_bits(state->clip_control, 13, 11) != PASSTHROUGH;
}

/* The one viewport of a primitive without a mask of them. */
static inline unsigned et_setup_viewport(const struct et_raster_plan *plan,
                                         const struct et_raster_input *input)
{
    return plan->shader_viewport ? input->vertex[input->provoking]->word[ET_WORD_VIEWPORT] & 15 : 0;
}

/* Extents of corners, 1/256 pixel. */
struct et_extents {
    double left, top, right, bottom;
};

static inline bool et_setup_is_empty(struct et_rectangle r)
{
    return r.x0 >= r.x1 || r.y0 >= r.y1;
}

/* Window coordinates of a corner in 1/256 pixel. */
static inline double et_corner_x(const struct et_corner *c)
{
    return c->far ? ldexp((double)c->x, c->far) : (double)c->x;
}

static inline double et_corner_y(const struct et_corner *c)
{
    return c->far ? ldexp((double)c->y, c->far) : (double)c->y;
}

/* ---- setup.c ---- */

bool et_setup_is_front(const struct et_raster_state *state, double area);
bool et_setup_is_culled(const struct et_raster_state *state, bool front);
/* Resolves what primitives in a viewport share. */
void et_setup_see(struct et_setup *setup, unsigned viewport);
/* Notes the primitive that comes. */
void et_setup_take(struct et_setup *setup, const struct et_raster_input *input);
/* Clips and sets up one primitive by itself; false as emit.c's. */
bool et_setup_one(struct et_setup *setup, const struct et_raster_input *input);

/* ---- group.c ---- */

/* Sets up the first of `count` primitives, which is a triangle, and those that can go with it; returns how
 * many. `view` is the setup's viewport's and lasts between calls; *ok as emit.c's functions. */
size_t et_setup_group(struct et_setup *setup, struct et_group_view *view, const struct et_raster_input *input,
                      size_t count, bool *ok);

/* ---- corner.c ---- */

/* A position as the viewport's swizzles turn it; word: four of them. */
void et_setup_swizzle(const struct et_viewport *viewport, const uint32_t *word, float out[4]);
/* Window x, y, z [pixels, depth] of a clip-space position, and 1 / w. */
void et_setup_project(const struct et_setup *setup, const float position[4], float window[3], float *iw);
/* Fills x, y, far and z, and iw, of the corner at a clip-space position. */
void et_setup_place(const struct et_setup *setup, const float position[4], struct et_corner *corner);
/* Corner k of a primitive that nothing cuts. */
void et_setup_corner(const struct et_setup *setup, const float position[4],
                     const struct et_vertex_record *record, unsigned k, struct et_corner *corner);

/* ---- emit.c: false where memory ends or an error is set ---- */

/* The next primitive of the batch with all that does not depend on its shape; what its shape leaves unused is
 * not set. NULL when memory is refused. */
struct et_raster_primitive *et_emit_start(struct et_setup *setup);
/* Counts it. */
void et_emit_end(struct et_setup *setup);
/* A word of a vertex as fragments see it. */
uint32_t et_setup_word(const struct et_setup *setup, const struct et_vertex_record *record, unsigned word);
/* Whether conservative raster takes the primitive as it was before its vertices were snapped. */
bool et_setup_before_snapping(const struct et_setup *setup);
/* Twice a triangle's area in square 1/256 pixel, its sign alone where a corner is far away. */
double et_setup_area(const struct et_corner c[3]);
/* The basis of a triangle's planes; false: it has no area. */
bool et_setup_basis(const struct et_setup *setup, const struct et_corner c[3], struct et_plane_basis *basis);
/* What depth bias adds to the plane of these values of z. */
double et_setup_bias(const struct et_raster_plan *plan, const struct et_plane *z, const float *value,
                     unsigned corners);
struct et_extents et_setup_extents(const struct et_corner *c, unsigned count);
/* A triangle, or, where `rectangle` is not NULL, that area under the triangle's planes. */
bool et_emit_triangle(struct et_setup *setup, const struct et_corner c[3],
                      const struct et_extents *rectangle);
/* A triangle without an area, or a segment without a length, under the provoking vertex's values. */
bool et_emit_degenerate(struct et_setup *setup, const struct et_corner *c, unsigned count);
bool et_emit_line(struct et_setup *setup, const struct et_corner c[2]);
bool et_emit_point(struct et_setup *setup, const struct et_corner *c);
/* The value of a corner that an attribute's plane goes through. */
float et_setup_value(const struct et_setup *setup, const struct et_raster_attribute *attribute,
                     const struct et_corner *corner);

/* ---- planes.c ---- */

/* The depth unit's plane, from a constant a tile of 8x8 samples. [HW:H200] */
void et_planes_depth(const struct et_setup *setup, const struct et_plane_basis *basis, const float value[3],
                     struct et_plane *z);
/* Whether triangles in a viewport may wait for their planes, and one that has an area. */
bool et_planes_viewport_is_plain(const struct et_viewport *viewport);
bool et_planes_are_plain(const struct et_setup *setup, const struct et_corner c[3]);
/* Memory for those that wait. */
bool et_planes_reserve(const struct et_raster_plan *plan, struct et_raster_batch *batch);
/* The planes of the batch's next primitive, a plain triangle or one of a group: later, or of any triangle:
 * now. */
void et_planes_add(const struct et_setup *setup, const struct et_corner c[3]);
void et_planes_add_of_group(const struct et_setup *setup, const struct et_group *group, unsigned n);
void et_planes_make(const struct et_setup *setup, const struct et_plane_basis *basis,
                    const struct et_corner c[3]);

#endif
