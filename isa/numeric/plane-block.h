/* Planes of several triangles side by side: what et_plane_basis_make and et_plane_make give one by one. */
#ifndef ET_NUMERIC_PLANE_BLOCK_H
#define ET_NUMERIC_PLANE_BLOCK_H

#include "isa/numeric/plane.h"

#include <stddef.h>

#define ET_PLANE_LANES 8
#define ET_PLANE_NEAR  (1 << 23) /* corners' limit, 1/256 pixel: their differences hold 24 bits */

/* Triangles with an area, one a lane, their corners nearer to (0, 0) than ET_PLANE_NEAR, in a viewport's clip
 * rectangle that is not empty and lies within 0 and ET_PLANE_NEAR / 256 pixels. */
struct et_plane_block {
    unsigned count;                                     /* lanes in use: the first ones */
    int32_t x[3][ET_PLANE_LANES], y[3][ET_PLANE_LANES]; /* corners, 1/256 pixel */
    int32_t x0[ET_PLANE_LANES], y0[ET_PLANE_LANES], x1[ET_PLANE_LANES], y1[ET_PLANE_LANES];
    uint32_t index[ET_PLANE_LANES]; /* of their planes */
};

/* A plane of each: the values at its corners, and where it is made. */
struct et_plane_values {
    float at[3][ET_PLANE_LANES];
    struct et_plane *first; /* of index 0 */
    size_t step;            /* from one index to the next, bytes */
    int32_t tile_x, tile_y; /* of depth's planes; 0: none */
    bool left;              /* nothing looks at them: they are not made */
};

static inline struct et_plane *et_plane_of(const struct et_plane_block *block,
                                           const struct et_plane_values *values, unsigned lane)
{
    return (struct et_plane *)(void *)((char *)values->first + block->index[lane] * values->step);
}

/* Makes `planes` planes of each triangle. Lanes that are not in use hold triangles too, but no values. */
typedef void et_plane_block_fn(const struct et_plane_block *block, const struct et_plane_values *values,
                               unsigned planes);

#endif
