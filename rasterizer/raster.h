/* From primitives of shaded vertices to pixels: clip, setup, bins, tiles, fragments, output.
 *
 * A plan holds what a draw's state resolves to. Primitives are set up into a batch in order; running the
 * batch bins them to tiles of 64x64 pixels, each of which keeps primitive order and belongs to one thread at
 * a time. Inside a tile a primitive goes cell by cell (8x4 pixels, eight quads); quads of any primitives
 * share fragment warps. */
#ifndef ET_RASTERIZER_RASTER_H
#define ET_RASTERIZER_RASTER_H

#include "isa/interp/launch.h"
#include "isa/numeric/plane-block.h"
#include "rasterizer/blend.h"
#include "rasterizer/depth.h"
#include "rasterizer/group.h"
#include "rasterizer/samples.h"
#include "rasterizer/surface.h"
#include "rasterizer/wide.h"
#include "shader/sph.h"

#define ET_TILE_SIZE 64
/* Number of the quad at pixel (x, y) in its cell of 8x4 pixels. */
#define ET_QUAD_OF_CELL(x, y) (((unsigned)(y) >> 1 & 1) * 4 + ((unsigned)(x) >> 1 & 3))
#define ET_NO_OUTPUT          0xff
#define ET_FLAT_WORDS         ((1 + ET_CORNERS) * ET_ATTRIBUTE_WORDS)

/* One interpolated attribute word: which plane of a primitive holds it. */
struct et_raster_attribute {
    uint8_t word;
    uint8_t back_word; /* read instead on back faces of two-sided lighting; else word */
    bool perspective;
};

struct et_raster_plan {
    const struct et_raster_state *state;
    bool has_fragment; /* a pixel program runs */
    bool leaves_depth; /* nothing looks at depth where it does not cut a primitive */
    bool leaves_w;     /* nothing looks at 1/w */
    bool ordered;      /* its memory effects need canonical order */
    bool kills, early; /* early: depth and stencil before the program */
    bool writes_depth;
    uint8_t output[ET_TARGETS]; /* first register of the program's output for colour i; ET_NO_OUTPUT */
    uint8_t output_mask[ET_TARGETS];
    uint8_t mask_register, depth_register; /* ET_NO_OUTPUT: not written */
    uint8_t registers;                     /* that outputs may lie in */
    struct et_fragment_layout layout;
    unsigned planes, flats;
    struct et_raster_attribute attribute[ET_ATTRIBUTE_WORDS]; /* of plane i */
    struct et_raster_attribute flat[ET_FLAT_WORDS];           /* of flat word i */
    uint8_t flat_corner[ET_FLAT_WORDS]; /* whose it is; ET_CORNERS: the provoking vertex's */
    bool plain_flats, plain_values;     /* records hold what flat words are, and what planes go through */
    bool shader_layer, shader_viewport, shader_viewport_mask,
        shader_point_size;  /* the last vertex stage writes them */
    uint8_t clip_distances; /* written and enabled */
    const struct et_sample_layout *samples;
    uint8_t position[4][ET_SAMPLES_MAX][2]; /* by pixel of a 2x2 tile, 1/16 pixel */
    bool one_position;                      /* all pixels have the same positions */
    uint8_t place[ET_SAMPLES_MAX][2]
                 [ET_LANES];    /* x, y of a lane's sample in a cell, 1/16 pixel, for coverage */
    struct et_rectangle places; /* that all of them lie in, the far sides included */
    struct et_rectangle within; /* the same of those in a pixel, from its corner */
    bool centre_only;           /* coverage is that of the pixel's centre: antialiasing is off */
    uint32_t sample_mask[4];
    bool full_mask;                     /* it hides no sample */
    bool smooth_lines, smooth_polygons; /* coverage of a pixel fades its alpha */
    uint8_t passes;
    unsigned colors;
    struct {
        uint8_t output; /* shader output that it takes */
        bool active;
        struct et_surface surface;
        struct et_blend_plan blend;
    } color[ET_TARGETS];
    uint8_t active; /* bit i: color[i] is */
    bool dual_source;
    const struct et_color_format *alpha_format; /* of the first colour target, NULL: it is null [INF] */
    unsigned alpha_comparison;                  /* 8: no alpha test */
    struct et_depth_plan depth;
    struct et_surface depth_surface;
    bool plain_depth; /* 32-bit floats alone, at the same places of every pixel: quads are tested at once */
    struct et_rectangle bounds; /* pixels that exist in every target */
    unsigned distinct, alike;   /* samples whose coverage differs: 1, or all; and samples a distinct one */
    bool plain_cells;           /* nothing but a primitive's edges and box takes samples from a cell */
    bool cells;                 /* primitives that depth does not cut go by et_fragment_cell */
    bool parts;                 /* et_raster_cover_part may cover them */
    bool cells_settled;         /* what the program gives a cell goes by et_output_cells */
    uint8_t cell_quads; /* from so many quads on, a cell that is not whole runs as one too; 9: never */
    const struct et_wide *wide;
    et_group_maker make_group;      /* NULL: triangles are set up one by one */
    bool sprite_words;              /* points replace texture coordinates */
    bool coarse;                    /* a fragment may stand for several pixels */
    bool shader_rate_table;         /* the last vertex stage picks the table of rates */
    struct et_surface rate_surface; /* address 0: none */
    uint8_t mask_bit[ET_FRAGMENT_SIZES][16],
        mask_sample[ET_FRAGMENT_SIZES][16]; /* of coarse fragments, by
   ET_FRAGMENT_SIZE: a sample's bit of masks, pixels rows first; its inverse */
};

/* What the vertex side says of its last stage and the pixel program; pixel may be NULL. */
struct et_raster_programs {
    const struct et_sph *last, *pixel;
    bool pixel_ordered, pixel_kills, pixel_writes_depth_or_mask, pixel_stores;
    bool pixel_leaves_z, pixel_leaves_w; /* it does not look at its position's z, at 1/w */
    bool pixel_apart;                    /* its quads may run beside others that have no pixel */
    uint32_t pixel_instructions;         /* its length */
};

enum etalon_status et_raster_plan_make(struct et_raster_plan *plan, const struct et_raster_state *state,
                                       const struct et_raster_programs *programs, struct etalon_error *error);

/* Whether lines are drawn as without multisampling: Bresenham's, or smooth ones. [DRV: NVK's remark on
 * SET_ANTI_ALIAS_ENABLE] */
bool et_raster_single_lines(const struct et_raster_state *state);

/* The pixels of an aliased line of width 1 along its longer axis. */
struct et_aliased_walk {
    bool x_major;
    int direction;      /* 1 or -1 */
    int64_t first, top; /* column (row, where it is steeper) of the first pixel, of the uppermost: if the ends
                           lie in one row, of the last */
    int64_t count;
};

enum et_shape { ET_SHAPE_EDGES, ET_SHAPE_DIAMOND, ET_SHAPE_SMOOTH };

struct et_raster_primitive {
    struct et_primitive p;
    struct et_edge edge[4];
    uint8_t edges;
    uint8_t shape; /* enum et_shape */
    bool is_line;
    int64_t line[4];             /* lines: x0 y0 x1 y1, 1/256 pixel */
    struct et_aliased_walk walk; /* aliased lines */
    double half;                 /* lines: half the width, 1/256 pixel */
    double stipple;              /* lines: steps of the stipple pattern before the start */
    struct et_rectangle box;     /* pixels that may be covered, inside all clips */
    float min_z, max_z;
    uint8_t rate_table;
    bool cuts_below,
        cuts_above; /* samples beyond min_z, max_z are not covered; else their depth is clamped */
};

/* Tiles that a box touches, both ends included. */
struct et_tiles {
    uint16_t x0, y0, x1, y1;
};

struct et_raster_batch {
    struct et_raster_primitive *primitive;
    size_t count, capacity;
    struct et_plane *planes; /* plan->planes each */
    size_t planes_capacity;
    uint32_t *flats; /* plan->flats each */
    size_t flats_capacity;
    struct et_tiles *tiles; /* one a primitive */
    uint32_t *bins, *bin_start;
    size_t tiles_capacity, bins_capacity, bin_start_capacity;
    struct et_rectangle grid; /* of tiles that the bins are of */
    uint64_t pixels, entries; /* in all boxes; of all bins */
    uint64_t clipper_invocations, clipper_primitives;
    double stipple;                         /* steps that the last line left the stipple pattern at */
    struct et_plane_block waiting;          /* triangles whose planes are not made yet, */
    bool waiting_cut;                       /* depth cuts one of them */
    struct et_plane_values *waiting_values; /* of z, 1/w and each of plan->planes */
    size_t waiting_capacity;
};

void et_raster_batch_clear(struct et_raster_batch *batch);
void et_raster_batch_finish(struct et_raster_batch *batch);
/* Clips and sets up one primitive, appending what is left of it, whose planes et_raster_settle makes at the
 * latest. */
enum etalon_status et_raster_setup(const struct et_raster_plan *plan, struct et_raster_batch *batch,
                                   const struct et_raster_input *input, struct etalon_error *error);
/* The same of several, in order. */
enum etalon_status et_raster_setup_all(const struct et_raster_plan *plan, struct et_raster_batch *batch,
                                       const struct et_raster_input *input, size_t count,
                                       struct etalon_error *error);

/* Whether the plan's triangles are set up in groups, where nothing but near and far planes cuts. */
bool et_raster_has_groups(const struct et_raster_plan *plan);
/* Makes the planes that are not made yet; et_raster_run does so. */
void et_raster_settle(const struct et_raster_plan *plan, struct et_raster_batch *batch);

/* Eight quads on their way through a fragment warp. */
struct et_fragment_queue {
    unsigned count;
    struct et_raster_primitive *primitive[8];
    int32_t x[8], y[8];
    uint16_t coverage[ET_LANES]; /* what may still be written */
    uint16_t shown[ET_LANES];    /* what the program sees as covered */
    uint8_t sample[8];
    uint8_t rate[8]; /* as in et_fragment_io, by which coverage and shown go */
    bool coarse;     /* a rate is not 0 */
};

/* A primitive's part of 8x4 pixels on its way through a warp of its own: lanes of each sample. */
struct et_cell {
    struct et_raster_primitive *primitive;
    int32_t x, y;
    uint32_t shown[ET_SURFACE_CELL_SAMPLES]; /* that the program sees as covered */
    uint32_t left[ET_SURFACE_CELL_SAMPLES];  /* that may still be written */
    uint32_t any;                            /* of any sample */
    unsigned pixels;                         /* bits of any */
};

/* A thread's part in a batch. */
struct et_raster_worker {
    void *user;
    enum etalon_status (*run)(void *user, struct et_warp_io *io, struct etalon_error *error);
    struct et_view view;
    struct et_surface_window color_window[ET_TARGETS], depth_window, rate_window;
    struct et_fragment_queue queue;
    /* Runs ET_TEAM whole warps in step: see et_run_team; NULL: no program does. */
    bool (*run_team)(void *user, struct et_warp_io io[ET_TEAM]);
    unsigned parted;                 /* teams that did not stay in step */
    struct et_cell pending[ET_TEAM]; /* cells that wait to be a team; no quad is queued then */
    unsigned pending_count;
    struct et_fragment_io cell[ET_TEAM]; /* of cells; layout NULL: not filled yet */
    uint64_t ps_invocations, zpass;
    uint32_t warps;
    struct etalon_error error;
    uint32_t error_tile;
};

/* Draws the batch and empties it. Workers 0..workers-1 are used, worker 0 on the caller's thread. Call
 * et_raster_worker_reset for each before a draw. */
enum etalon_status et_raster_run(const struct et_raster_plan *plan, struct et_raster_batch *batch,
                                 struct et_raster_worker *worker, unsigned workers,
                                 struct etalon_error *error);
/* Sets primitives up and draws them, in order: by several threads where they are many. `batch`: one a worker,
 * empty before and after. */
enum etalon_status et_raster_draw(const struct et_raster_plan *plan, struct et_raster_batch *batch,
                                  const struct et_raster_input *input, size_t count,
                                  struct et_raster_worker *worker, unsigned workers,
                                  struct etalon_error *error);
void et_raster_worker_reset(struct et_raster_worker *worker, const struct et_pagemap *map, uint64_t event);

/* A primitive's edges seen from a pixel: 64-bit values that stay exact within a tile. */
struct et_local_edges {
    const struct et_raster_primitive *primitive;
    int32_t x, y; /* the pixel */
    unsigned count;
    struct et_local_edge {
        int64_t at, a, b; /* value at the pixel's corner, step a pixel */
        bool small;       /* within a cell that it crosses, sixteenths of its values are singles' integers */
    } edge[4];
};

enum et_side { ET_OUTSIDE, ET_CROSSING, ET_INSIDE };

/* Edges from pixel (x, y), good for ET_TILE_SIZE + 8 pixels to the right and downwards. */
void et_local_edges_make(struct et_local_edges *edges, const struct et_raster_primitive *primitive, int32_t x,
                         int32_t y);
/* Where the rectangle of w x h pixels from (x, y) lies; crossing where it can't be told. */
enum et_side et_local_edges_side(const struct et_local_edges *edges, int32_t x, int32_t y, int32_t w,
                                 int32_t h);
/* Coverage of a cell: sample masks of the 32 pixels in lane order; returns the lanes with any. `whole`: every
 * edge is known to hold all of the cell. */
uint32_t et_raster_cover_cell(const struct et_raster_plan *plan, const struct et_local_edges *edges,
                              bool whole, int32_t x, int32_t y, uint16_t coverage[ET_LANES]);
/* The same as the lanes of each sample. */
uint32_t et_raster_cover_lanes(const struct et_raster_plan *plan, const struct et_local_edges *edges,
                               bool whole, int32_t x, int32_t y, uint32_t covered[ET_SAMPLES_MAX]);

/* The cells of a part of a tile with samples that the primitive covers, row by row, at its edges: the same as
 * et_raster_cover_lanes finds in each. The part is where a square of ET_TILE_SIZE pixels meets the
 * primitive's box, but that it starts with a whole cell. False where something else than edges and box
 * counts, or they are too steep. */
bool et_raster_cover_part(const struct et_raster_plan *plan, const struct et_raster_primitive *primitive,
                          const struct et_rectangle *part, struct et_wide_covered covered[ET_WIDE_CELLS],
                          unsigned *count);
/* Lanes of a cell's first columns, and rows. */
extern const uint32_t et_lanes_before_column[9], et_lanes_before_row[5];

/* Which pixels an aliased line has; count 0 where it has no length. */
void et_raster_walk_aliased(const int64_t line[4], struct et_aliased_walk *walk);
/* Whether a smooth line, `half` its width in 1/256 pixel, covers the columns of an aliased one. */
bool et_raster_smooth_is_thin(const struct et_raster_state *state, double half);
/* The part of a pixel's area that a smooth line or polygon covers. */
double et_raster_smooth_area(const struct et_raster_state *state, const struct et_raster_primitive *primitive,
                             int32_t x, int32_t y);

/* Draws the primitives list[0..count) of the batch inside a rectangle of tiles' cells, in order; fragments
 * may wait. */
enum etalon_status et_raster_tile(const struct et_raster_plan *plan, const struct et_raster_batch *batch,
                                  const uint32_t *list, size_t count, const struct et_rectangle *tile,
                                  struct et_raster_worker *worker, struct etalon_error *error);

/* Runs those that wait, unless drawing ended in an error `status`, which is returned then. */
enum etalon_status et_raster_tile_end(const struct et_raster_plan *plan, struct et_raster_worker *worker,
                                      enum etalon_status status, struct etalon_error *error);

/* fragment.c: takes a quad with coverage, runs full warps. */
enum etalon_status et_fragment_add(const struct et_raster_plan *plan, struct et_raster_worker *worker,
                                   struct et_raster_primitive *primitive, int32_t x, int32_t y,
                                   const uint16_t coverage[4], struct etalon_error *error);
/* coarse.c: takes 8x8 pixels (coverage: two cells', the upper first) at whatever rate is theirs. */
enum etalon_status et_fragment_block(const struct et_raster_plan *plan, struct et_raster_worker *worker,
                                     struct et_raster_primitive *primitive, int32_t x, int32_t y,
                                     const uint16_t coverage[2 * ET_LANES], struct etalon_error *error);
/* Resolves the plan's rates. */
enum etalon_status et_coarse_plan(struct et_raster_plan *plan, const struct et_sph *last,
                                  struct etalon_error *error);
/* Takes a cell by the lanes of each sample that are covered, where the plan's cells and the primitive let it.
 */
enum etalon_status et_fragment_cell(const struct et_raster_plan *plan, struct et_raster_worker *worker,
                                    struct et_raster_primitive *primitive, int32_t x, int32_t y,
                                    const uint32_t covered[ET_SURFACE_CELL_SAMPLES],
                                    struct etalon_error *error);
/* The same of the cells of a part from (x, y), in order. */
enum etalon_status et_fragment_covered(const struct et_raster_plan *plan, struct et_raster_worker *worker,
                                       struct et_raster_primitive *primitive, int32_t x, int32_t y,
                                       const struct et_wide_covered *covered, unsigned count,
                                       struct etalon_error *error);
enum etalon_status et_fragment_flush(const struct et_raster_plan *plan, struct et_raster_worker *worker,
                                     struct etalon_error *error);

/* clear.c: on so many threads at most; the caller's alone where it is small. */
enum etalon_status et_raster_clear(const struct et_clear *clear, unsigned threads,
                                   struct etalon_error *error);

#endif
