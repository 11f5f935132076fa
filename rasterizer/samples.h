/* Multisampling: layouts of samples in memory, positions, alpha to coverage. */
#ifndef ET_RASTERIZER_SAMPLES_H
#define ET_RASTERIZER_SAMPLES_H

#include "rasterizer/state.h"
#include "texture/layout.h"

/* A pixel of a multisampled image is a block of width x height elements. [DOC, DRV: rasterizer note] */
struct et_sample_layout {
    uint8_t mode; /* [raw SET_ANTI_ALIAS SAMPLES] */
    uint8_t samples;
    uint8_t width_log2, height_log2;
    uint8_t position[ET_SAMPLES_MAX][2]; /* standard position, 1/16 pixel */
};

/* NULL where the mode is unknown or holds virtual coverage. */
const struct et_sample_layout *et_sample_layout_find(uint32_t mode);

/* Positions in 1/16 pixel for each pixel (y & 1) * 2 + (x & 1) of a 2x2 tile. Locations that are all zero
 * were never set: the standard positions. */
void et_sample_positions(const struct et_sample_state *state, const struct et_sample_layout *layout,
                         uint8_t position[4][ET_SAMPLES_MAX][2]);

/* Samples of pixel (x, y) that an 8-bit alpha covers. [HW:H200] up to 8 samples */
uint32_t et_alpha_coverage(uint32_t alpha, unsigned samples, int32_t x, int32_t y, bool dither);

#endif
