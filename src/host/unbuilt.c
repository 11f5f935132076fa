/* Stands for the pipeline and the shader cache until they are built: weak, so that theirs win. */
#include "base/alloc.h"
#include "base/error.h"

struct et_pipeline;
struct et_shader_cache;
struct et_view;
struct et_shader;

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

WEAK struct et_shader_cache *et_shader_cache_create(void);
WEAK struct et_shader_cache *et_shader_cache_create(void)
{
    return et_calloc(1, 1);
}

WEAK void et_shader_cache_destroy(struct et_shader_cache *cache);
WEAK void et_shader_cache_destroy(struct et_shader_cache *cache)
{
    et_free(cache);
}

WEAK enum etalon_status et_shader_cache_get_code(struct et_shader_cache *cache, struct et_view *view,
                                                 uint64_t address, int isa, const struct et_shader **shader,
                                                 struct etalon_error *error);
WEAK enum etalon_status et_shader_cache_get_code(struct et_shader_cache *cache, struct et_view *view,
                                                 uint64_t address, int isa, const struct et_shader **shader,
                                                 struct etalon_error *error)
{
    (void)cache;
    (void)view;
    (void)address;
    (void)isa;
    (void)shader;
    return et_fail(error, ETALON_UNSUPPORTED, "dispatches");
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
