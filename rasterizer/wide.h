/* The output and depth units on 32 pixels at a time, compiled once a CPU level. The scalar paths (blend.c,
 * depth.c) specify them bit for bit. */
#ifndef ET_RASTERIZER_WIDE_H
#define ET_RASTERIZER_WIDE_H

#include "isa/numeric/plane-block.h"
#include "rasterizer/blend.h"
#include "rasterizer/surface.h"

#define ET_ALWAYS_INLINE static inline __attribute__((always_inline))

/* Names of a CPU level's functions that have a file of their own. */
#define ET_WIDE_NAME(level, name) ET_WIDE_JOIN(level, name)
#define ET_WIDE_JOIN(level, name) level##_##name

#define ET_WIDE       32
#define ET_WIDE_CELLS 128 /* of a tile */

/* Registers of a shader's output, r g b a; NULL: not written, which is 0, 0, 0, 1. */
struct et_wide_source {
    const uint32_t *component[4];
};

/* value = a*x + b*y + c >= 0 inside, x and y in 1/256 pixel. */
struct et_edge {
    int64_t a, b;
    __int128 c;
};

/* An edge from a cell's corner: value, steps of 1/16 pixel. */
struct et_wide_edge {
    int32_t at, a, b;
};

/* A cell in memory, and the lanes that are written there. */
struct et_wide_place {
    uint8_t *at;
    uint32_t lanes;
};

/* A part of a tile, and what may be covered there. */
struct et_wide_part {
    const struct et_edge *edge; /* four of them, of which so many count: */
    unsigned edges;
    int32_t x, y;                       /* pixel of the first cell's corner, below 2^22 */
    unsigned columns, rows;             /* of cells: 8 and 16 at most */
    uint32_t left, right, top, bottom;  /* lanes that count in the first and last column and row */
    const uint8_t (*place)[2][ET_WIDE]; /* of each sample in a cell, 1/16 pixel */
    unsigned samples,
        times; /* samples that have places of their own; of others that are as the first, and it */
    const struct et_rectangle *places; /* that all of them lie in, the far sides included */
};

/* A cell of the part that has something covered. */
struct et_wide_covered {
    uint8_t column, row;
    uint8_t pixels, samples; /* pixels with a sample that is covered, and those samples */
    bool whole;              /* every sample is */
    uint32_t any;
    uint32_t lanes[ET_SURFACE_CELL_SAMPLES]; /* of each sample */
};

struct et_wide {
    /* Lanes whose places x, y, 1/16 pixel, no edge has below 0; no value leaves 31 bits. */
    uint32_t (*inside)(const struct et_wide_edge *edge, unsigned edges, const uint8_t place[2][ET_WIDE]);
    /* The cells of a part with samples that no edge has below 0, row by row; returns how many. Below 0: an
     * edge has a slope beyond 20 bits, or a constant beyond 60. */
    int (*cover)(const struct et_wide_part *part, struct et_wide_covered covered[ET_WIDE_CELLS]);
    /* Texels of a UNORM format of up to 10 code bits in words, of `lanes` lanes: a multiple of ET_WIDE. */
    void (*write)(const struct et_blend_plan *plan, const struct et_wide_source *source, unsigned lanes,
                  uint32_t *texel);
    /* The same blended over what texel[] holds (path ET_BLEND_CODES, no second source). */
    void (*blend)(const struct et_blend_plan *plan, const struct et_wide_source *source,
                  uint32_t texel[ET_WIDE]);
    /* Depth of a cell's pixels from (x, y), 1/256 pixel, clamped to low..high, as a 32-bit float target's
     * codes, tested against texel[]; those of `lanes` that pass replace it. Returns the lanes that pass, and
     * which of them are other codes than before. */
    uint32_t (*depth)(const struct et_plane *plane, int32_t x, int32_t y, float low, float high,
                      unsigned function, uint32_t lanes, uint32_t texel[ET_WIDE], uint32_t *changed);
    /* Each lane's mask of samples from the lanes of each sample. */
    void (*spread)(const uint32_t *lanes, unsigned samples, uint16_t mask[ET_WIDE]);
    /* The samples of a cell of 32-bit elements: all lanes from memory, `lanes` of each into it. */
    void (*load)(const struct et_surface *surface, const uint8_t *cell, uint32_t (*texel)[ET_WIDE]);
    void (*store)(const struct et_surface *surface, uint8_t *cell, const uint32_t *lanes,
                  const uint32_t *const *texel);
    /* `write` of cells whose registers lie one after the other, right into sample 0 of a surface. */
    void (*put)(const struct et_blend_plan *plan, const struct et_surface *surface,
                const struct et_wide_source *source, const struct et_wide_place *place, unsigned cells);
    et_plane_block_fn *planes;
};

#if defined(ET_WIDE_LEVEL)
uint32_t ET_WIDE_NAME(ET_WIDE_LEVEL, inside)(const struct et_wide_edge *edge, unsigned edges,
                                             const uint8_t place[2][ET_WIDE]);
int ET_WIDE_NAME(ET_WIDE_LEVEL, cover)(const struct et_wide_part *part,
                                       struct et_wide_covered covered[ET_WIDE_CELLS]);
#endif

/* The CPU level's. */
const struct et_wide *et_wide_level(void);
/* Number of levels, and each, for tests: those that run here. */
unsigned et_wide_levels(void);
const struct et_wide *et_wide_of(unsigned level);

#endif
