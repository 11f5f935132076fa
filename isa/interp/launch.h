/* What a caller hands the interpreter: a program, constants, a launch, and a warp's inputs; what it gets
 * back. Pure data: the interpreter knows no engine and no rasterizer. */
#ifndef ET_INTERP_LAUNCH_H
#define ET_INTERP_LAUNCH_H

#include "isa/kind.h"
#include "isa/numeric/plane.h"
#include "texture/unit.h"

#define ET_BANKS           32  /* 0..17 bound; 24..31 root tables (Ampere) */
#define ET_ATTRIBUTE_WORDS 256 /* a[] is addressed by byte 0x000..0x3ff; word = address / 4 */

enum et_stage {
    ET_STAGE_VERTEX_A,
    ET_STAGE_VERTEX,
    ET_STAGE_TESS_CONTROL,
    ET_STAGE_TESS_EVALUATION,
    ET_STAGE_GEOMETRY,
    ET_STAGE_FRAGMENT,
    ET_STAGE_COMPUTE
};

struct et_program; /* isa/interp/program.h */

/* c[n][]: contiguous for the launch; loads past `size` (bytes) give zero; NULL data: unbound, all zero. */
struct et_bank {
    const uint8_t *data;
    uint32_t size;
};

/* Budgets: what a hostile program may use before it ends in ETALON_BUDGET. */
struct et_budget {
    uint64_t instructions; /* a warp, for one run */
    uint32_t call_depth;   /* a lane */
};

/* Common to all warps of a draw's stage or of a dispatch. */
struct et_launch {
    const struct et_program *program;
    enum et_stage stage;
    const struct et_launch *before; /* runs first and leaves its registers and predicates; NULL: none */
    const struct et_pagemap *map;
    uint64_t event; /* stamps global writes */
    struct et_bank banks[ET_BANKS];
    struct et_tex_pools pools;
    int bindless_bank; /* bank of bound texture handles (Maxwell), 4 bytes an index; -1: none */
    uint64_t shared_window, local_window;   /* generic addresses: base, each spans window_bytes */
    uint64_t window_bytes;                  /* 16 MiB */
    uint32_t local_bytes;                   /* local memory a thread */
    uint32_t crs_bytes;                     /* Maxwell: call/return stack a warp; 0: the default depth */
    uint32_t sm_count, sm_id;               /* what the special registers show */
    float y_direction;                      /* SR_Y_DIRECTION: +1 or -1 */
    uint32_t threads_per_patch;             /* SR_INVOCATION_INFO and patch sizes, by stage */
    uint64_t (*clock)(void *clock_context); /* device clock in ticks; NULL: counts instructions */
    void *clock_context;
    struct et_budget budget;                /* zero fields: defaults */
    int (*cancelled)(void *cancel_context); /* polled at backward branches' yields; NULL: never */
    void *cancel_context;
};

/* Compute. */
struct et_grid {
    uint32_t grid[3], block[3];
    uint32_t shared_bytes;
    uint32_t registers, barriers;
    int threads;  /* OpenMP threads at most; 1: the caller's only */
    bool ordered; /* run blocks in index order even if the program would not need it */
};

/* A vertex record: ET_ATTRIBUTE_WORDS words, indexed by attribute address / 4. */
struct et_vertex_record {
    uint32_t word[ET_ATTRIBUTE_WORDS];
    uint32_t apart[16]; /* so that one word of many records spreads over a cache's sets */
};

/* Vertex, tessellation and geometry warps. Lane i's data are entry i of each array. */
struct et_vtg_io {
    /* ALD without a vertex index reads input[in_record[lane]]; with index register v: input[v], where v is
     * what ISBERD[n] gave: in_table[lane * table_stride + n]. Reads outside 0..inputs-1 give zero. */
    const struct et_vertex_record *input;
    uint32_t inputs;
    uint32_t in_record[ET_LANES];
    /* In place of input, of a vertex warp (columns.h): word n of lane i is columns[n * column_step + i];
     * NULL: records. */
    const uint32_t *columns;
    uint32_t column_step;
    const uint32_t *in_table;
    uint32_t table_stride;
    /* AST writes output[out_record[lane]]; ALD.O reads outputs back; AL2P-style physical addresses are the
     * same bytes. Tessellation control: one record an invocation; patch attributes (.P) go to
     * patch[patch_index[lane]]. */
    struct et_vertex_record *output;
    uint32_t outputs;
    uint32_t out_record[ET_LANES];
    bool in_a_row; /* out_record[i] is out_record[0] + i in all lanes, and there */
    struct et_vertex_record *patch;
    uint32_t patches;
    uint32_t patch_index[ET_LANES];
    uint32_t primitive_id[ET_LANES];
    uint32_t invocation_id[ET_LANES]; /* SR_INVOCATION_ID */
    uint32_t invocation_info[ET_LANES];
    /* OUT: geometry emission. Each emit copies output[out_record[lane]] into the lane's run. */
    struct et_vertex_record *emitted; /* emit_capacity records a lane */
    uint32_t emit_capacity;           /* header's maximum vertex count; more are dropped and counted */
    uint32_t emit_count[ET_LANES];    /* results */
    uint8_t *emit_stream;             /* one an emitted record: bits 1:0 stream, bit 7: a cut follows */
};

/* What setup leaves of one primitive for its fragments. */
struct et_primitive {
    struct et_plane z, w;          /* w: plane of 1/w */
    const struct et_plane *planes; /* one a plane of the draw: see et_fragment_layout */
    const uint32_t *flat;          /* one a flat word: the provoking vertex's bits */
    uint32_t primitive_id, layer, viewport;
    bool front;
    bool point; /* point sprite coordinates are planes too */
};

/* Which plane or flat word an attribute address is; the same for all primitives of a draw. */
struct et_fragment_layout {
    uint8_t plane[ET_ATTRIBUTE_WORDS];    /* index in et_primitive.planes, 0xff: none */
    uint8_t flat[ET_ATTRIBUTE_WORDS];     /* index in et_primitive.flat, 0xff: none */
    bool perspective[ET_ATTRIBUTE_WORDS]; /* the plane holds a/w */
    uint16_t vertex[ET_ATTRIBUTE_WORDS];  /* index in et_primitive.flat of the first vertex's word, before the
                                             others', plus 1; 0: none */
};

/* Number of a coarse fragment's size, from a quad's rate. */
#define ET_FRAGMENT_SIZES      9
#define ET_FRAGMENT_SIZE(rate) ((rate & 15) + 3 * (rate >> 4))

/* Fragment warps: eight quads, each of its own primitive. */
struct et_fragment_io {
    const struct et_fragment_layout *layout;
    const struct et_primitive *primitive[8]; /* NULL: quad absent */
    int32_t x[8], y[8];                      /* pixel of the quad's top left lane */
    bool cell;                   /* the quads are primitive[0]'s 8x4 pixels from (x[0], y[0]), in order: the
                                    functions below know them all */
    const uint32_t *shown;       /* of a cell: the lanes that each sample covers; NULL: coverage[] */
    bool row;                    /* of a team's first: its cells are of one primitive, side by side */
    uint32_t helpers;            /* lanes that only serve derivatives: no stores, atomics or outputs */
    uint16_t coverage[ET_LANES]; /* sample mask of each lane after the sample mask register */
    uint8_t samples;             /* samples a pixel of the target: 1, 2, 4, 8, 16 */
    uint8_t passes;              /* shader runs a pixel (per-sample shading): 1..samples */
    uint8_t sample[8]; /* when passes > 1: of lanes that cover none, the sample of this run, a quad */
    bool coarse;       /* some quad's rate is not 0: */
    uint8_t rate[8];   /* log2 of the pixels across (3:0) and down (7:4) that a lane of the quad stands for */
    /* Of coarse fragments, by ET_FRAGMENT_SIZE: which sample a bit of coverage is, pixels rows first. */
    const uint8_t (*mask_sample)[16];
    /* Sample positions in 1/16 pixel, by pixel of a 2x2 tile (a quad starts at even pixels): [4][sample]. */
    const uint8_t (*position)[16][2];
    bool centroid_per_pass;
    uint32_t killed; /* result: lanes that KIL ended */
};

/* A quad's primitive, its top left pixel, and the sample mask of a lane. */
static inline const struct et_primitive *et_quad_primitive(const struct et_fragment_io *io, unsigned quad)
{
    return io->primitive[io->cell ? 0 : quad];
}

static inline int32_t et_quad_x(const struct et_fragment_io *io, unsigned quad)
{
    return io->cell ? io->x[0] + (int32_t)(quad & 3) * 2 : io->x[quad];
}

static inline int32_t et_quad_y(const struct et_fragment_io *io, unsigned quad)
{
    return io->cell ? io->y[0] + (int32_t)(quad >> 2) * 2 : io->y[quad];
}

static inline uint32_t et_lane_coverage(const struct et_fragment_io *io, unsigned lane)
{
    uint32_t coverage = 0;
    if (!io->shown)
        return io->coverage[lane];
    for (unsigned s = 0; s < io->samples; s++)
        coverage |= (io->shown[s] >> lane & 1) << s;
    return coverage;
}

/* One warp's run. */
struct et_warp_io {
    uint32_t lanes; /* lanes that start */
    uint32_t warp;  /* number shown in errors */
    struct et_vtg_io *vtg;
    struct et_fragment_io *fragment;
    const uint32_t (
        *registers)[ET_LANES]; /* result: R0.. at exit, valid until the next run of this context */
    unsigned register_step;    /* Rn is registers[n * register_step]: 1, or what et_run_team gives */
};

/* A thread's execution context: register file, local memory, texture unit. Not shared. */
struct et_context;
struct et_context *et_context_create(struct etalon_error *error);
void et_context_destroy(struct et_context *context);

/* What a run counted; added up by the caller. */
struct et_counts {
    uint64_t instructions; /* warp instructions */
    uint64_t lane_instructions;
    uint64_t undefined_reads; /* things silicon leaves undefined that read as zero */
};
static inline void et_add_counts(struct et_counts *sum, const struct et_counts *counts)
{
    if (!sum)
        return;
    sum->instructions += counts->instructions;
    sum->lane_instructions += counts->lane_instructions;
    sum->undefined_reads += counts->undefined_reads;
}

/* Runs one graphics warp to its end. Sets and restores the FP environment. */
enum etalon_status et_run_warp(struct et_context *context, const struct et_launch *launch,
                               struct et_warp_io *io, struct et_counts *counts, struct etalon_error *error);
/* Runs ET_TEAM whole warps (every lane; of fragments, of whole cells) in step, where the program's info says
 * team. False: they would go different ways or fail, and are to run one by one; of fragments nothing was done,
 * vertices may have stored what they will store again. Registers are left to fragments alone. */
#define ET_TEAM 4
bool et_run_team(struct et_context *context, const struct et_launch *launch, struct et_warp_io io[ET_TEAM],
                 struct et_counts *counts);
/* Runs a whole grid; blocks in parallel unless the program or the grid is ordered. */
enum etalon_status et_run_grid(const struct et_launch *launch, const struct et_grid *grid,
                               struct et_counts *counts, struct etalon_error *error);

#endif
