/* The output and depth units on 32 pixels at a time, compiled once a CPU level. The scalar paths (blend.c,
 * depth.c) specify them bit for bit. */
#ifndef ET_RASTERIZER_WIDE_H
#define ET_RASTERIZER_WIDE_H

#include "isa/numeric/plane.h"
#include "rasterizer/blend.h"

#define ET_WIDE 32

/* Registers of a shader's output, r g b a; NULL: not written, which is 0, 0, 0, 1. */
struct et_wide_source {
    const uint32_t *component[4];
};

struct et_wide {
    /* Texels of a UNORM format of up to 10 code bits in words. */
    void (*write)(const struct et_color_format *format, const struct et_wide_source *source,
                  uint32_t texel[ET_WIDE]);
    /* The same blended over what texel[] holds (path ET_BLEND_CODES, no second source). */
    void (*blend)(const struct et_blend_plan *plan, const struct et_wide_source *source,
                  uint32_t texel[ET_WIDE]);
    /* Depth of a cell's pixels from (x, y), 1/256 pixel, clamped to low..high, as a 32-bit float target's
     * codes, tested against texel[]; those that pass replace it. Returns the lanes that pass. */
    uint32_t (*depth)(const struct et_plane *plane, int32_t x, int32_t y, float low, float high,
                      unsigned function, uint32_t texel[ET_WIDE]);
};

/* The CPU level's. */
const struct et_wide *et_wide_level(void);
/* Number of levels, and each, for tests: those that run here. */
unsigned et_wide_levels(void);
const struct et_wide *et_wide_of(unsigned level);

#endif
