/* A draw's programs and constants as the interpreter takes them. */
#include "pipeline/pipeline.h"

#include "base/alloc.h"
#include "base/bits.h"

/* A bank that does not lie in one piece is copied for the draw. */
static enum etalon_status gather_bank(struct et_run *run, unsigned stage, unsigned index,
                                      struct et_bank *bank)
{
    const struct et_draw_bank *source = &run->draw->stage[stage].bank[index];
    struct et_view *view = &run->pipeline->worker[0].view;
    uint8_t **copy = &run->pipeline->bank_copy[stage][index];
    if (!source->valid || !source->size)
        return ETALON_OK;
    bank->size = source->size;
    bank->data = source->data;
    if (bank->data)
        return ETALON_OK;
    bank->data = et_view_pointer(view, source->address, source->size);
    if (bank->data)
        return ETALON_OK;
    if (!*copy)
        *copy = et_calloc(65536, 1);
    if (!*copy)
        return et_fail(run->error, ETALON_NO_MEMORY, "no memory for constants");
    bank->size = ET_MIN(source->size, 65536u);
    bank->data = *copy;
    return et_view_read(view, source->address, *copy, bank->size, run->error);
}

static enum etalon_status prepare_stage(struct et_run *run, unsigned stage)
{
    const struct et_draw *draw = run->draw;
    struct et_launch *launch = &run->launch[stage];
    enum etalon_status status = et_shader_cache_get(run->pipeline->cache, &run->pipeline->worker[0].view,
                                                    draw->stage[stage].program, draw->stage[stage].region,
                                                    draw->isa, draw->sph_v4, &run->shader[stage], run->error);
    if (status)
        return status;
    const struct et_sph *sph = &run->shader[stage]->sph;
    *launch = (struct et_launch){.program = run->shader[stage]->program,
                                 .stage = (enum et_stage)stage,
                                 .map = draw->map,
                                 .event = draw->event,
                                 .pools = draw->pools,
                                 .bindless_bank = draw->bindless_bank,
                                 .shared_window = draw->shared_window,
                                 .local_window = draw->local_window,
                                 .window_bytes = draw->window_bytes,
                                 .local_bytes = sph->local_low + sph->local_high,
                                 .crs_bytes = sph->crs_bytes,
                                 .sm_count = draw->sm_count,
                                 .y_direction = draw->raster.origin_lower_left ? -1.0f : 1.0f,
                                 .threads_per_patch = sph->threads,
                                 .clock = draw->clock,
                                 .clock_context = draw->clock_context,
                                 .budget = draw->budget,
                                 .cancelled = draw->cancelled,
                                 .cancel_context = draw->cancel_context};
    for (unsigned i = 0; i < ET_BANKS && !status; i++)
        status = gather_bank(run, stage, i, &launch->banks[i]);
    return status;
}

static enum etalon_status check_stage(struct et_run *run, unsigned stage)
{
    static const uint8_t expected[ET_STAGES] = {ET_SPH_VERTEX,          ET_SPH_VERTEX,   ET_SPH_TESS_CONTROL,
                                                ET_SPH_TESS_EVALUATION, ET_SPH_GEOMETRY, ET_SPH_PIXEL};
    if (run->shader[stage]->sph.shader == expected[stage])
        return ETALON_OK;
    et_at_address(run->error, run->draw->stage[stage].program);
    return et_fail(run->error, ETALON_BAD_SHADER, "program for stage %u is of shader type %u", stage,
                   run->shader[stage]->sph.shader);
}

/* Vertex program A runs before B, on the same vertices and outputs; B continues with its registers. [DRV:
 * emulators of Maxwell join both programs at A's exit] */
static void join_vertex_programs(struct et_run *run)
{
    const struct et_shader *a = run->shader[ET_STAGE_VERTEX_A];
    run->vertex = run->shader[ET_STAGE_VERTEX]->sph;
    if (!a)
        return;
    run->launch[ET_STAGE_VERTEX].before = &run->launch[ET_STAGE_VERTEX_A];
    for (unsigned w = 0; w < ET_COUNT(run->vertex.input); w++) {
        run->vertex.input[w] |= a->sph.input[w];
        run->vertex.output[w] |= a->sph.output[w];
    }
}

enum etalon_status et_run_prepare(struct et_run *run)
{
    const struct et_draw *draw = run->draw;
    enum etalon_status status = ETALON_OK;
    if (!draw->stage[ET_STAGE_VERTEX].enable)
        return et_fail(run->error, ETALON_UNSUPPORTED, "draw without a vertex program");
    for (unsigned stage = 0; stage < ET_STAGES && !status; stage++) {
        if (!draw->stage[stage].enable || (stage == ET_STAGE_FRAGMENT && !draw->raster.enable))
            continue;
        status = prepare_stage(run, stage);
        if (!status)
            status = check_stage(run, stage);
    }
    if (status)
        return status;
    join_vertex_programs(run);
    run->last = &run->vertex;
    for (unsigned stage = ET_STAGE_TESS_EVALUATION; stage < ET_STAGE_FRAGMENT; stage++)
        if (run->shader[stage])
            run->last = &run->shader[stage]->sph;
    status = et_fetch_plan_make(&run->fetch, draw, &run->vertex, run->error);
    for (unsigned i = 0; i < run->pipeline->workers && !status; i++)
        et_fetch_start(&run->fetch, run->pipeline->worker[i].input);
    return status;
}

enum etalon_status et_run_stage(struct et_worker *worker, enum et_stage stage, struct et_warp_io *io,
                                struct etalon_error *error)
{
    struct et_run *run = worker->run;
    const enum etalon_status status =
        run->pipeline->options.run(worker->context, &run->launch[stage], io, &worker->counts, error);
    if (status)
        et_at_warp(error, io->warp);
    return status;
}
