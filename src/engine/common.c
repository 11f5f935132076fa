/* What means the same in every class: notifiers, conditional rendering, the front end's firmware, reports of
 * compute. [DOC: class headers; DRV: notes c and e] */
#include "engine/internal.h"
#include "engine/semaphore.h"

static uint64_t address_at(const struct et_engine *engine, uint32_t upper_method)
{
    return (uint64_t)(et_register(&engine->registers, upper_method) & 0x1ffffff) << 32 |
           et_register(&engine->registers, upper_method + 4);
}

static void interrupt(struct et_engine *engine, uint32_t method)
{
    const struct et_listener *listener = engine->environment->listener;
    if (listener->interrupt)
        listener->interrupt(listener->context, engine->environment->channel, method);
}

/* A notifier is 16 bytes: the timer, an information word, a status word that reads zero when done. [DOC] */
static enum etalon_status notify(struct et_engine *engine, uint32_t method, unsigned i, uint32_t value,
                                 struct etalon_error *error)
{
    struct et_environment *environment = engine->environment;
    struct et_trigger trigger = {.target = address_at(engine, 0x104), .bytes = 16};
    enum etalon_status status = ETALON_OK;
    (void)i;
    if (et_trigger_open(environment, engine, &trigger, ET_TRIGGER_REPORT, method, value)) {
        const uint64_t record[2] = {environment->clock(environment->clock_context), 0};
        status = et_view_write(&environment->view, trigger.target, record, sizeof record, error);
    }
    status = et_trigger_close(environment, &trigger, status, error);
    if (!status && value == 1)
        interrupt(engine, method);
    return status;
}

/* Modes: never, always, 64 bits at the address are not zero, equal to or different from the 64 bits 16 bytes
 * on. The memory is read when the mode is written. [DRV: note e] */
static enum etalon_status evaluate(struct et_engine *engine, uint64_t address, uint32_t mode, bool *enabled,
                                   struct etalon_error *error)
{
    uint64_t value[3] = {0};
    struct et_view *view = &engine->environment->view;
    enum etalon_status status = ETALON_OK;
    switch (mode) {
    case 0:
    case 1:
        *enabled = mode;
        return ETALON_OK;
    case 2:
        status = et_view_read(view, address, value, 8, error);
        *enabled = value[0] != 0;
        return status;
    case 3:
    case 4:
        status = et_view_read(view, address, value, 24, error);
        *enabled = (value[0] == value[2]) == (mode == 3);
        return status;
    default:
        return et_fail(error, ETALON_BAD_VALUE, "render enable mode %u", mode);
    }
}

static enum etalon_status render_enable(struct et_engine *engine, uint32_t method, unsigned i, uint32_t value,
                                        struct etalon_error *error)
{
    (void)i;
    return evaluate(engine, address_at(engine, method - 8), value & 7, &engine->render_enabled, error);
}

static enum etalon_status global_render_enable(struct et_engine *engine, uint32_t method, unsigned i,
                                               uint32_t value, struct etalon_error *error)
{
    (void)i;
    return evaluate(engine, address_at(engine, method - 8), value & 7, &engine->render_enabled_globally,
                    error);
}

bool et_engine_renders(const struct et_engine *engine)
{
    switch (engine->override ? et_register(&engine->registers, engine->override) & 3 : 0) {
    case 1:
        return true;
    case 2:
        return false;
    default:
        return engine->render_enabled && engine->render_enabled_globally;
    }
}

/* The firmware writes a privileged register and says so in scratch 0; drivers' macros spin on it. Scratch 1
 * and 2 are the value and the bits of it that are written. One such register counts: conservative raster's.
 * [DRV: captures; nvc0's and NVK's macros] */
static enum etalon_status falcon04(struct et_engine *engine, uint32_t method, unsigned i, uint32_t value,
                                   struct etalon_error *error)
{
    struct et_environment *environment = engine->environment;
    const uint32_t data = environment->scratch[1], mask = environment->scratch[2];
    (void)method;
    (void)i;
    (void)error;
    if (value == ET_PRIVILEGED_RASTER)
        environment->privileged_raster = (environment->privileged_raster & ~mask) | (data & mask);
    environment->scratch[0] = 1;
    return ETALON_OK;
}

const struct et_action_row et_common_actions[] = {
    {"NOTIFY", notify},
    {"SET_RENDER_ENABLE_C", render_enable},
    {"SET_GLOBAL_RENDER_ENABLE_C", global_render_enable},
    {"SET_FALCON04", falcon04},
    {"SET_REPORT_SEMAPHORE_D", et_report},
    {"REPORT_SEMAPHORE_EXECUTE", et_report_execute},
    {"LAUNCH_DMA", et_inline_launch},
    {"LOAD_INLINE_DATA", et_inline_data},
    {NULL, NULL},
};

const struct et_engine_type et_software_type = {.size = sizeof(struct et_engine)};
