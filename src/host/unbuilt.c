/* Stands for the pipeline and the shader cache until they are built: weak, so that theirs win. */
#include "base/error.h"

#include <stddef.h>

struct et_pipeline;

#define WEAK __attribute__((weak))

WEAK enum etalon_status et_pipeline_create(struct et_pipeline **pipeline, const void *options,
                                           struct etalon_error *error);
WEAK enum etalon_status et_pipeline_create(struct et_pipeline **pipeline, const void *options,
                                           struct etalon_error *error)
{
    (void)options;
    (void)error;
    *pipeline = NULL;
    return ETALON_OK;
}

WEAK void et_pipeline_destroy(struct et_pipeline *pipeline);
WEAK void et_pipeline_destroy(struct et_pipeline *pipeline)
{
    (void)pipeline;
}

WEAK enum etalon_status et_pipeline_draw(struct et_pipeline *pipeline, const void *draw, void *results,
                                         struct etalon_error *error);
WEAK enum etalon_status et_pipeline_draw(struct et_pipeline *pipeline, const void *draw, void *results,
                                         struct etalon_error *error)
{
    (void)pipeline;
    (void)draw;
    (void)results;
    return et_fail(error, ETALON_UNSUPPORTED, "draws");
}

WEAK enum etalon_status et_pipeline_clear(struct et_pipeline *pipeline, const void *clear,
                                          struct etalon_error *error);
WEAK enum etalon_status et_pipeline_clear(struct et_pipeline *pipeline, const void *clear,
                                          struct etalon_error *error)
{
    (void)pipeline;
    (void)clear;
    return et_fail(error, ETALON_UNSUPPORTED, "clears");
}

WEAK enum etalon_status et_program_create(void **program, int isa, const void *code, size_t bytes,
                                          size_t entry, struct etalon_error *error);
WEAK enum etalon_status et_program_create(void **program, int isa, const void *code, size_t bytes,
                                          size_t entry, struct etalon_error *error)
{
    (void)program;
    (void)isa;
    (void)code;
    (void)bytes;
    (void)entry;
    return et_fail(error, ETALON_UNSUPPORTED, "programs");
}

WEAK void et_program_destroy(void *program);
WEAK void et_program_destroy(void *program)
{
    (void)program;
}

WEAK const void *et_program_info(const void *program);
WEAK const void *et_program_info(const void *program)
{
    return program;
}

WEAK enum etalon_status et_run_grid(const void *launch, const void *grid, void *counts,
                                    struct etalon_error *error);
WEAK enum etalon_status et_run_grid(const void *launch, const void *grid, void *counts,
                                    struct etalon_error *error)
{
    (void)launch;
    (void)grid;
    (void)counts;
    return et_fail(error, ETALON_UNSUPPORTED, "dispatches");
}
