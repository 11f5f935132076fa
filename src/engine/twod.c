/* The 2D engine, 902D. [DOC: class header; DRV: note m] */
#include "engine/internal.h"

static enum etalon_status unbuilt(struct et_engine *engine, uint32_t method, unsigned i, uint32_t value,
                                  struct etalon_error *error)
{
    struct et_trigger trigger = {0};
    (void)i;
    et_trigger_open(engine->environment, engine, &trigger, ET_TRIGGER_BLIT, method, value);
    return et_trigger_close(engine->environment, &trigger, et_fail(error, ETALON_UNSUPPORTED, "2D"), error);
}

static const struct et_action_row actions[] = {
    {"PIXELS_FROM_MEMORY_SRC_Y0_INT", unbuilt},  {"RENDER_SOLID_PRIM_POINT_X_Y", unbuilt},
    {"RENDER_SOLID_PRIM_POINT_Y", unbuilt},      {"PIXELS_FROM_CPU_DATA", unbuilt},
    {"SET_PIXELS_FROM_CPU_DST_Y0_INT", unbuilt}, {NULL, NULL}};

const struct et_engine_type et_twod_type = {.size = sizeof(struct et_engine), .actions = actions};
