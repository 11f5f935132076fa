/* A frozen draw, and the calls that run draws and clears.
 *
 * The 3D engine fills struct et_draw from its registers when a trigger comes; nothing here knows a class. See
 * rasterizer/state.h for what [raw NAME] means. A draw is only read, lives as long as the call, and names
 * memory by GPU address: memory is read while it runs. */
#ifndef ET_PIPELINE_DRAW_H
#define ET_PIPELINE_DRAW_H

#include "isa/interp/launch.h"
#include "pipeline/reuse.h"
#include "rasterizer/state.h"

#define ET_STREAMS     32
#define ET_ATTRIBUTES  32
#define ET_XFB_BUFFERS 4
#define ET_STAGES      6 /* enum et_stage up to ET_STAGE_FRAGMENT: the hardware's SET_PIPELINE_SHADER numbers */

struct et_draw_bank {
    uint64_t address;
    const uint8_t *data; /* not NULL: the bytes themselves, which no memory holds (root tables) */
    uint32_t size;       /* bytes */
    bool valid;
};

struct et_draw_stage {
    bool enable;
    uint64_t program;                   /* address of the program header; the code follows it */
    uint64_t region;                    /* where absolute branches count from */
    struct et_draw_bank bank[ET_BANKS]; /* the bind group that the stage uses */
};

struct et_vertex_stream {
    bool enable;
    uint64_t address;
    uint64_t limit;    /* first address past the stream; address + size, or inclusive limit + 1 */
    uint32_t stride;   /* bytes */
    bool per_instance; /* SET_VERTEX_STREAM_INSTANCE */
    uint32_t
        divisor; /* SET_VERTEX_STREAM_FREQUENCY; 0 with per_instance: always the base instance's element */
};

/* What `struct et_draw` says of the vertices. */
enum et_draw_source {
    ET_DRAW_ARRAYS,        /* vertices first .. first + count - 1 */
    ET_DRAW_INDEXED,       /* indices first .. first + count - 1 of the index buffer */
    ET_DRAW_INLINE_INDICES /* inline_index[0..count) */
};

struct et_tessellation_state {
    uint32_t parameters;      /* [raw SET_TESSELLATION_PARAMETERS] */
    float outer[4], inner[2]; /* registers' levels, where no control program runs */
};

struct et_xfb_buffer {
    bool enable;
    uint64_t address;
    uint32_t size;       /* bytes */
    uint32_t stream;     /* geometry stream */
    uint32_t components; /* words a vertex */
    uint32_t stride;     /* bytes between vertices */
    uint8_t layout[128]; /* attribute word of each component, 0xff: skipped */
};

/* Vertices times instances of one draw; more is ETALON_BUDGET [INF]. */
enum { ET_DRAW_MOST_VERTICES = 1 << 28 };

struct et_draw {
    const struct et_pagemap *map;
    uint64_t event;  /* stamps writes */
    uint64_t number; /* shown in errors */
    enum et_isa_kind isa;
    bool sph_v4; /* 128-byte program headers (C797); else 80 bytes (B197) */

    struct et_draw_stage stage[ET_STAGES];
    struct et_tex_pools pools;
    int bindless_bank; /* Maxwell SET_BINDLESS_TEXTURE; -1: none */
    uint64_t local_window, shared_window;
    uint64_t window_bytes;

    /* Vertices. */
    struct et_vertex_stream stream[ET_STREAMS];
    uint32_t attribute[ET_ATTRIBUTES]; /* [raw SET_VERTEX_ATTRIBUTE_A/B] */
    uint32_t attribute_default;        /* [raw SET_ATTRIBUTE_DEFAULT] */
    enum et_draw_source source;
    uint32_t topology; /* [raw BEGIN OP], 0 points .. 0xe patches */
    uint32_t first, count;
    uint64_t index_address;
    uint64_t index_limit; /* first address past the index buffer */
    uint32_t index_size;  /* [raw SET_INDEX_BUFFER_E]: 0 one byte, 1 two, 2 four */
    const uint32_t *inline_index;
    const uint8_t
        *inline_inner; /* one an inline index: its edge flag is off; NULL: raster.edges_hidden for all */
    bool restart;      /* for this draw's source: SET_DA_PRIMITIVE_RESTART, or _VERTEX_ARRAY for arrays */
    uint32_t restart_index;
    int32_t base_vertex;     /* added to indices (and to array numbers) to address streams */
    uint32_t vertex_id_base; /* added to the vertex id that shaders see */
    uint32_t vertex_id_copy; /* [raw SET_VERTEX_ID_COPY]: bit 0 enable, 11:4 the word it is read from */
    bool vertex_id_from_array_start; /* SET_DA_OUTPUT VERTEX_ID_USES_ARRAY_START */
    uint32_t base_instance;
    uint32_t first_instance; /* instance number of the first instance: not 0 when a BEGIN continues */
    uint32_t instance_count;
    uint32_t first_primitive; /* primitive id of each instance's first primitive */
    uint32_t patch_vertices;  /* SET_PATCH SIZE */
    struct et_tessellation_state tessellation;

    /* Transform feedback. */
    bool xfb_enable; /* SET_STREAM_OUTPUT */
    struct et_xfb_buffer xfb[ET_XFB_BUFFERS];
    uint32_t raster_stream; /* SET_RASTER_INPUT */

    struct et_raster_state raster;

    /* Numbers of the chip's row. */
    struct et_reuse_limits reuse;
    uint32_t sm_count;
    struct et_budget budget;
    int (*cancelled)(void *cancel_context);
    void *cancel_context;
    uint64_t (*clock)(void *clock_context);
    void *clock_context;
};

/* The counters of SET_REPORT_SEMAPHORE. A draw adds to them; the engine owns them and decides which are
 * enabled. */
struct et_counters {
    uint64_t da_vertices, da_primitives;
    uint64_t vs_invocations;
    uint64_t ti_invocations, ts_invocations,
        ts_primitives; /* tessellation control, evaluation, primitives made */
    uint64_t gs_invocations, gs_primitives;
    uint64_t clipper_invocations, clipper_primitives;
    uint64_t ps_invocations;
    uint64_t zpass; /* samples that passed */
    /* By stream. */
    uint64_t vtg_primitives_out[ET_XFB_BUFFERS], streaming_needed[ET_XFB_BUFFERS],
        streaming_succeeded[ET_XFB_BUFFERS];
    struct et_counts shader;
};

/* What lives on between draws and is written by them. */
struct et_draw_results {
    struct et_counters counters;
    uint64_t xfb_written[ET_XFB_BUFFERS]; /* write pointer of each buffer in bytes: read, advanced */
};

/* How shaders are run: et_run_warp, or a test's own. */
typedef enum etalon_status (*et_warp_runner)(struct et_context *context, const struct et_launch *launch,
                                             struct et_warp_io *io, struct et_counts *counts,
                                             struct etalon_error *error);

struct et_pipeline_options {
    int threads;             /* OpenMP threads at most; 0: as many as OpenMP says; 1: the caller's only */
    uint32_t bin_primitives; /* primitives a batch, 1..1024; 0: the default. Results do not depend on it. */
    et_warp_runner run;      /* NULL: et_run_warp */
};

/* A device's pipeline: execution contexts, translated programs, scratch. One draw at a time. */
struct et_pipeline;
enum etalon_status et_pipeline_create(struct et_pipeline **pipeline,
                                      const struct et_pipeline_options *options, struct etalon_error *error);
void et_pipeline_destroy(struct et_pipeline *pipeline);

/* Runs a draw to its end. On an error what was written before it stays. */
enum etalon_status et_pipeline_draw(struct et_pipeline *pipeline, const struct et_draw *draw,
                                    struct et_draw_results *results, struct etalon_error *error);
/* Runs a clear: the target's conversion of the value, masked, in the rectangle, every sample. */
enum etalon_status et_pipeline_clear(struct et_pipeline *pipeline, const struct et_clear *clear,
                                     struct etalon_error *error);

#endif
