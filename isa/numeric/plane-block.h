/* Planes of several triangles side by side: what et_plane_basis_make and et_plane_make give one by one. */
#ifndef ET_NUMERIC_PLANE_BLOCK_H
#define ET_NUMERIC_PLANE_BLOCK_H

#include "isa/numeric/plane.h"

#define ET_PLANE_LANES 8
#define ET_PLANE_NEAR  (INT64_C(1) << 23) /* corners' limit, 1/256 pixel: their differences hold 24 bits */

/* Triangles with an area, one a lane, their corners nearer to (0, 0) than ET_PLANE_NEAR, in a viewport's clip
 * rectangle that is not empty and ends within 0 and ET_PLANE_NEAR / 256 pixels. */
struct et_plane_block {
    unsigned count;                                     /* lanes in use: the first ones */
    int32_t x[3][ET_PLANE_LANES], y[3][ET_PLANE_LANES]; /* corners, 1/256 pixel */
    int32_t x0[ET_PLANE_LANES], y0[ET_PLANE_LANES], x1[ET_PLANE_LANES], y1[ET_PLANE_LANES];
};

/* A plane of each: values at the corners. */
struct et_plane_values {
    float at[3][ET_PLANE_LANES];
};

#endif
