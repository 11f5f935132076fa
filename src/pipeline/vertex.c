/* The vertex stage: fetch and shade the records that primitives wait for. */
#include "pipeline/pipeline.h"

#include "base/bits.h"

#include <fenv.h>
#ifdef _OPENMP
#include <omp.h>
#endif

#define PARALLEL_WARPS 32
#define PARTED_MAX     4 /* teams of a draw that end early before no more are tried */

/* Makes records first..first + count - 1 ready to be shaded as the worker's warp n. */
static enum etalon_status prepare(struct et_worker *worker, size_t first, unsigned count, unsigned n,
                                  struct et_warp_io *io)
{
    struct et_run *run = worker->run;
    struct et_mesh *mesh = &run->pipeline->vertices;
    struct et_vtg_io *vtg = &worker->vertices[n];
    vtg->columns = worker->input->word[0] + n * ET_LANES;
    vtg->column_step = ET_COLUMN_STEP;
    vtg->inputs = count;
    vtg->output = mesh->record;
    vtg->outputs = (uint32_t)mesh->records;
    vtg->in_a_row = count == ET_LANES;
    for (unsigned i = 0; i < count; i++)
        vtg->out_record[i] = (uint32_t)(first + i);
    *io = (struct et_warp_io){.lanes = count == ET_LANES ? 0xffffffff : (1u << count) - 1,
                              .warp = (uint32_t)(first / ET_LANES),
                              .vtg = vtg};
    et_records_start(mesh->record + first, count, run->record_blocks);
    return et_fetch(&run->fetch, &worker->view, run->pipeline->pending + first, count, worker->input,
                    n * ET_LANES, &worker->error);
}

static enum etalon_status shade_warp(struct et_worker *worker, size_t first, unsigned count)
{
    struct et_warp_io io;
    const enum etalon_status status = prepare(worker, first, count, 0, &io);
    return status ? status : et_run_stage(worker, ET_STAGE_VERTEX, &io, &worker->error);
}

/* Whole warps in step; those that a team does not take run one by one, over what it has stored. */
static enum etalon_status shade_team(struct et_worker *worker, size_t first)
{
    struct et_warp_io io[ET_TEAM];
    enum etalon_status status = ETALON_OK;
    for (unsigned n = 0; n < ET_TEAM && !status; n++)
        status = prepare(worker, first + n * ET_LANES, ET_LANES, n, &io[n]);
    if (status || et_run_team(worker->context, &worker->run->launch[ET_STAGE_VERTEX], io, &worker->counts))
        return status;
    worker->parted++;
    for (unsigned n = 0; n < ET_TEAM && !status; n++)
        status = et_run_stage(worker, ET_STAGE_VERTEX, &io[n], &worker->error);
    return status;
}

/* Records that ET_TEAM warps or fewer shade. */
static void shade_range(struct et_run *run, size_t from, size_t team, struct et_worker *worker)
{
    const size_t first = from + team * (ET_LANES * ET_TEAM),
                 end = ET_MIN(first + ET_LANES * ET_TEAM, run->pipeline->vertices.records);
    if (run->vertex_teams && worker->parted < PARTED_MAX && end - first == ET_LANES * ET_TEAM) {
        if (!worker->error.status)
            shade_team(worker, first);
        return;
    }
    for (size_t at = first; at < end && !worker->error.status; at += ET_LANES)
        shade_warp(worker, at, (unsigned)ET_MIN((size_t)ET_LANES, end - at));
}

enum etalon_status et_run_vertices(struct et_run *run, size_t from)
{
    struct et_pipeline *pipeline = run->pipeline;
    const size_t count = pipeline->vertices.records - from, teams = et_ceil_div(count, ET_LANES * ET_TEAM);
    run->results->counters.vs_invocations += count;
    const struct et_shader *const a = run->shader[ET_STAGE_VERTEX_A];
    const bool ordered = run->shader[ET_STAGE_VERTEX]->info->ordered || (a && a->info->ordered);
    run->vertex_teams = run->shader[ET_STAGE_VERTEX]->info->team && !a && !ordered &&
                        pipeline->options.run == et_run_warp; /* another interpreter has no teams */
    if (pipeline->workers > 1 && count > (PARALLEL_WARPS - 1) * ET_LANES && !ordered) {
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
            for (size_t team = 0; team < teams; team++)
                shade_range(run, from, team, mine);
            fesetenv(&caller);
        }
    } else {
        for (size_t team = 0; team < teams; team++)
            shade_range(run, from, team, pipeline->worker);
    }
    for (unsigned i = 0; i < pipeline->workers; i++) /* threads took the teams in order */
        if (pipeline->worker[i].error.status) {
            if (run->error && !run->error->status)
                *run->error = pipeline->worker[i].error;
            return pipeline->worker[i].error.status;
        }
    return ETALON_OK;
}
