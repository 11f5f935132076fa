/* Inside the pipeline: a draw on its way. */
#ifndef ET_PIPELINE_PIPELINE_H
#define ET_PIPELINE_PIPELINE_H

#include "pipeline/assemble.h"
#include "pipeline/draw.h"
#include "pipeline/fetch.h"
#include "pipeline/mesh.h"
#include "rasterizer/raster.h"
#include "shader/cache.h"

struct et_run;

/* A thread's part: worker 0 is the caller's. */
struct et_worker {
    struct et_run *run;
    struct et_context *context;
    struct et_view view;
    struct et_counts counts;
    struct etalon_error error;
    struct et_columns *input; /* fetched vertices */
    struct et_vtg_io vertices[ET_TEAM];
    unsigned parted; /* vertex teams of the draw that have ended early */
};

struct et_pipeline {
    struct et_pipeline_options options;
    struct et_shader_cache *cache;
    unsigned workers;
    struct et_worker *worker;
    struct et_raster_worker *raster_worker;
    struct et_raster_plan plan;
    struct et_raster_batch *batch; /* one a worker */
    struct et_raster_input *input; /* of primitives to be drawn */
    size_t input_capacity;
    struct et_mesh vertices, tessellated, emitted; /* of the vertex, evaluation and geometry stages */
    struct et_fetch_vertex *met;                   /* what the assembler's primitives are made of */
    size_t met_count, met_capacity;
    struct et_fetch_vertex *pending; /* of the vertex mesh's records */
    size_t pending_capacity;
    struct et_vertex_record *carry; /* records that outlive a batch */
    size_t carry_capacity;
    uint8_t *bank_copy[ET_STAGES][ET_BANKS]; /* banks that are not contiguous in RAM */
    struct et_tess_scratch *tess;
    struct et_geometry_scratch *geometry;
};

/* One draw. */
struct et_run {
    struct et_pipeline *pipeline;
    const struct et_draw *draw;
    struct et_draw_results *results;
    struct etalon_error *error;
    const struct et_shader *shader[ET_STAGES]; /* NULL: stage off */
    struct et_launch launch[ET_STAGES];
    struct et_sph vertex;      /* what vertex programs A and B read and write together */
    const struct et_sph *last; /* header of the last stage before the rasterizer */
    struct et_fetch_plan fetch;
    bool rasterizes;
    uint64_t record_blocks; /* of vertex records: those that anything reads or may write */
    bool vertex_teams;      /* et_run_team takes the vertex program */
    uint32_t warps;         /* of vertex, tessellation and geometry stages */
};

/* launch.c: programs, constants. */
enum etalon_status et_run_prepare(struct et_run *run);

/* Runs one warp of a stage on a worker. */
enum etalon_status et_run_stage(struct et_worker *worker, enum et_stage stage, struct et_warp_io *io,
                                struct etalon_error *error);

/* vertex.c: shades records from..mesh->records of the vertex mesh. */
enum etalon_status et_run_vertices(struct et_run *run, size_t from);

/* tess.c, geometry.c: `in` to `out`; out is emptied first. */
enum etalon_status et_run_tessellation(struct et_run *run, const struct et_mesh *in, struct et_mesh *out);
enum etalon_status et_run_geometry(struct et_run *run, const struct et_mesh *in, struct et_mesh *out);
void et_tess_scratch_destroy(struct et_tess_scratch *scratch);
void et_geometry_scratch_destroy(struct et_geometry_scratch *scratch);

/* feedback.c: captures the primitives. */
enum etalon_status et_run_feedback(struct et_run *run, const struct et_mesh *mesh);

#endif
