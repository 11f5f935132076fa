/* Filled triangles sixteen at a time: corners, culling, edges and boxes, compiled once a CPU level. What
 * corner.c, setup.c and emit.c make of one by one specifies it bit for bit. */
#ifndef ET_RASTERIZER_GROUP_H
#define ET_RASTERIZER_GROUP_H

#include "isa/interp/launch.h"
#include "isa/numeric/plane-block.h"
#include "rasterizer/state.h"

#define ET_CORNERS 3 /* of a primitive as it is drawn */
#define ET_GROUP   16

/* Coordinates of a group's corners stay below this, 1/256 pixel: slopes are exact, planes can wait. */
#define ET_GROUP_LIMIT ((int32_t)ET_PLANE_NEAR)

/* A primitive of shaded vertices. */
struct et_raster_input {
    const struct et_vertex_record *vertex[ET_CORNERS];
    uint8_t corners;   /* 1 point, 2 line, 3 triangle */
    uint8_t provoking; /* corner */
    uint8_t edges; /* triangles in line mode: bit i draws the edge from corner i to the next; lines: bit 0:
                      the stipple pattern goes on from the one before */
    uint32_t primitive_id;
};

/* What triangles in one viewport share. */
struct et_group_view {
    const struct et_viewport *viewport; /* NULL: not resolved yet */
    float scale[3], offset[3];
    uint8_t from[4];  /* component of a record's position that x y z w are */
    uint32_t flip[4]; /* 1 << 31: negated */
    bool transform;   /* by scale and offset */
    bool cuts_near_far, zero_to_one;
    bool cuts_w;                /* no w below 0 */
    float half;                 /* added to x and y, pixels */
    int32_t offset_x, offset_y; /* added when snapped, 1/256 pixel */
    struct et_rectangle clip;   /* pixels, not empty */
    struct et_rectangle within; /* first and last places of samples in a pixel, 1/256 pixel, both included */
    float low, high;            /* depth range */
    bool turns_front;           /* triangles of positive area are front faces */
    bool draws[2];              /* back faces, front faces */
};

/* Lanes are bits; arrays hold what the lanes of `drawn` have, and anything in other lanes. */
struct et_group {
    const struct et_raster_input *input; /* given: of each lane, */
    unsigned lanes;                      /* so many from the first on */
    uint32_t settled;                    /* what follows holds of them; the others are set up one by one */
    uint32_t beside;                     /* all corners past one side of the view, or cut away */
    uint32_t drawn;                      /* leave a primitive */
    uint32_t positive, front;
    uint32_t below, above; /* a corner's depth leaves the depth range */
    int32_t x[3][ET_GROUP] __attribute__((aligned(64)));
    int32_t y[3][ET_GROUP] __attribute__((aligned(64)));
    float z[3][ET_GROUP] __attribute__((aligned(64)));
    float iw[3][ET_GROUP] __attribute__((aligned(64)));
    int32_t a[3][ET_GROUP] __attribute__((aligned(64))); /* edges from corner k to the next */
    int32_t b[3][ET_GROUP] __attribute__((aligned(64)));
    double c[3][ET_GROUP] __attribute__((aligned(64)));
    int32_t box[4][ET_GROUP] __attribute__((aligned(64))); /* x0 y0 x1 y1 */
};

typedef void (*et_group_maker)(const struct et_group_view *view, struct et_group *group);
/* The CPU level's, and each one for tests: see et_wide_levels. */
et_group_maker et_group_level(void);
et_group_maker et_group_of(unsigned level);

#endif
