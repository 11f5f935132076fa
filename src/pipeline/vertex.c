/* The vertex stage: fetch and shade the records that primitives wait for. */
#include "pipeline/pipeline.h"

#include "base/bits.h"

#include <fenv.h>
#ifdef _OPENMP
#include <omp.h>
#endif

#define PARALLEL_WARPS 32

static enum etalon_status shade_warp(struct et_worker *worker, size_t first, unsigned count)
{
    struct et_run *run = worker->run;
    struct et_mesh *mesh = &run->pipeline->vertices;
    struct et_vtg_io vtg = {.columns = worker->input->word[0],
                            .column_step = ET_COLUMN_STEP,
                            .inputs = count,
                            .output = mesh->record,
                            .outputs = (uint32_t)mesh->records,
                            .in_a_row = count == ET_LANES};
    struct et_warp_io io = {.lanes = count == ET_LANES ? 0xffffffff : (1u << count) - 1,
                            .warp = (uint32_t)(first / ET_LANES),
                            .vtg = &vtg};
    enum etalon_status status;
    for (unsigned i = 0; i < count; i++)
        vtg.out_record[i] = (uint32_t)(first + i);
    et_records_start(mesh->record + first, count, run->record_blocks);
    status = et_fetch(&run->fetch, &worker->view, run->pipeline->pending + first, count, worker->input, 0,
                      &worker->error);
    if (status)
        return status;
    return et_run_stage(worker, ET_STAGE_VERTEX, &io, &worker->error);
}

static void shade_range(struct et_run *run, size_t from, size_t warp, struct et_worker *worker)
{
    const size_t first = from + warp * ET_LANES;
    const unsigned count = (unsigned)ET_MIN((size_t)ET_LANES, run->pipeline->vertices.records - first);
    if (!worker->error.status)
        shade_warp(worker, first, count);
}

enum etalon_status et_run_vertices(struct et_run *run, size_t from)
{
    struct et_pipeline *pipeline = run->pipeline;
    const size_t count = pipeline->vertices.records - from, warps = et_ceil_div(count, ET_LANES);
    run->results->counters.vs_invocations += count;
    const struct et_shader *const a = run->shader[ET_STAGE_VERTEX_A];
    const bool ordered = run->shader[ET_STAGE_VERTEX]->info->ordered || (a && a->info->ordered);
    if (pipeline->workers > 1 && warps >= PARALLEL_WARPS && !ordered) {
#pragma omp parallel num_threads(pipeline->workers)
        {
            fenv_t caller;
            fegetenv(&caller);
            fesetenv(FE_DFL_ENV);
            struct et_worker *mine = pipeline->worker;
#ifdef _OPENMP
            mine += omp_get_thread_num();
#endif
#pragma omp for schedule(static)
            for (size_t warp = 0; warp < warps; warp++)
                shade_range(run, from, warp, mine);
            fesetenv(&caller);
        }
    } else {
        for (size_t warp = 0; warp < warps; warp++)
            shade_range(run, from, warp, pipeline->worker);
    }
    for (unsigned i = 0; i < pipeline->workers; i++) /* threads took the warps in order */
        if (pipeline->worker[i].error.status) {
            if (run->error && !run->error->status)
                *run->error = pipeline->worker[i].error;
            return pipeline->worker[i].error.status;
        }
    return ETALON_OK;
}
