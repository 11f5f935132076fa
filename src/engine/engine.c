#include "engine/engine.h"

#include "base/alloc.h"
#include "engine/internal.h"

static const struct {
    uint16_t klass;
    const struct et_engine_type *type;
} types[] = {
    {0x902d, &et_twod_type},    {0xa140, &et_inline_type},  {0xb0b5, &et_copy_type},
    {0xc7b5, &et_copy_type},    {0xb197, &et_threed_type},  {0xc797, &et_threed_type},
    {0xb1c0, &et_compute_type}, {0xc7c0, &et_compute_type}, {0x906e, &et_software_type},
};

const char *et_trigger_kind_name(enum et_trigger_kind kind)
{
    static const char *const names[] = {"draw", "clear",  "dispatch",  "copy",  "blit",
                                        "fill", "inline", "constants", "report"};
    return kind < ET_TRIGGER_KINDS ? names[kind] : "unknown";
}

const struct et_engine_type *et_engine_type_of(uint32_t klass)
{
    for (unsigned i = 0; i < ET_COUNT(types); i++)
        if (types[i].klass == klass)
            return types[i].type;
    return NULL;
}

bool et_engine_is_front_end(const struct et_method *method)
{
    static const char *const prefixes[] = {"SET_OBJECT", "LOAD_MME_", "CALL_MME_", "SET_MME_", "MME_DMA_"};
    for (unsigned i = 0; i < ET_COUNT(prefixes); i++)
        if (method->effect == ET_EFFECT_ACTS && !strncmp(method->name, prefixes[i], strlen(prefixes[i])))
            return true;
    return false;
}

static et_action find_action(const struct et_action_row *rows, const char *name)
{
    for (; rows && rows->method; rows++)
        if (!strcmp(rows->method, name))
            return rows->act;
    return NULL;
}

static enum etalon_status resolve_actions(struct et_engine *engine, struct etalon_error *error)
{
    for (unsigned m = 0; m < engine->klass->method_count; m++) {
        const struct et_method *method = &engine->klass->methods[m];
        if (method->effect != ET_EFFECT_ACTS || et_engine_is_front_end(method))
            continue;
        engine->actions[m] = find_action(engine->type->actions, method->name);
        if (!engine->actions[m])
            engine->actions[m] = find_action(et_common_actions, method->name);
        if (!engine->actions[m])
            return et_fail(error, ETALON_INTERNAL, "class %s has no action for %s", engine->klass->name,
                           method->name);
    }
    return ETALON_OK;
}

enum etalon_status et_engine_create(struct et_engine **created, uint32_t klass,
                                    struct et_environment *environment, struct etalon_error *error)
{
    const struct et_engine_type *type = et_engine_type_of(klass);
    *created = NULL;
    if (!type)
        return et_fail(error, ETALON_UNKNOWN_CLASS, "class 0x%04x is not known", klass);
    struct et_engine *engine = et_calloc(1, type->size);
    if (!engine)
        return et_fail(error, ETALON_NO_MEMORY, "no memory for an object of class 0x%04x", klass);
    engine->type = type;
    engine->klass = et_class_find(klass);
    engine->environment = environment;
    engine->render_enabled = engine->render_enabled_globally = true;
    engine->actions = et_calloc(engine->klass->method_count, sizeof *engine->actions);
    et_class_index(engine->klass, engine->index);
    const struct et_method *override = et_class_method_named(engine->klass, "SET_RENDER_ENABLE_OVERRIDE");
    engine->override = override ? override->offset : 0;
    enum etalon_status status =
        engine->actions ? et_registers_init(&engine->registers, error)
                        : et_fail(error, ETALON_NO_MEMORY, "no memory for an object of class 0x%04x", klass);
    if (!status)
        status = resolve_actions(engine, error);
    if (!status && type->init)
        status = type->init(engine, error);
    if (status) {
        et_engine_destroy(engine);
        return status;
    }
    *created = engine;
    return ETALON_OK;
}

void et_engine_destroy(struct et_engine *engine)
{
    if (!engine)
        return;
    if (engine->type->finish)
        engine->type->finish(engine);
    et_registers_finish(&engine->registers);
    et_free(engine->actions);
    et_free(engine);
}

static enum etalon_status unknown(const struct et_engine *engine, uint32_t method, uint32_t value,
                                  struct etalon_error *error)
{
    return et_fail(error, ETALON_UNKNOWN_METHOD, "class %s has no method 0x%04x (value 0x%08x)",
                   engine->klass->name, method, value);
}

static enum etalon_status unsupported(const struct et_engine *engine, const struct et_method *row,
                                      uint32_t method, uint32_t value, struct etalon_error *error)
{
    char name[96];
    et_class_method_text(engine->klass, method, name, sizeof name);
    return et_fail(error, ETALON_UNSUPPORTED, "%s of class %s with 0x%x: %s", name, engine->klass->name,
                   value, row->why);
}

static void place(const struct et_engine *engine, uint32_t method, uint32_t value, struct etalon_error *error)
{
    et_at_channel(error, engine->environment->channel);
    et_at_method(error, engine->klass->number, method);
    et_at_value(error, value);
    et_at_address(error, engine->environment->address);
}

/* Counts an unsupported thing that is passed over, keeps the first, and clears the error. */
static void record_unsupported(struct et_environment *environment, struct etalon_error *error)
{
    environment->unsupported++;
    if (!environment->first_unsupported.status && error)
        environment->first_unsupported = *error;
    et_error_clear(error);
}

/* The caller may want to go on over what is not supported. */
static enum etalon_status pass_over(struct et_engine *engine, enum etalon_status status, uint32_t method,
                                    uint32_t value, struct etalon_error *error)
{
    if (status != ETALON_UNSUPPORTED || !engine->environment->keep_going)
        return status;
    place(engine, method, value, error);
    record_unsupported(engine->environment, error);
    return ETALON_OK;
}

static enum etalon_status one(struct et_engine *engine, uint32_t method, uint32_t value,
                              struct etalon_error *error)
{
    const unsigned index = method < 4 * ET_METHODS ? engine->index[method >> 2] : 0;
    if (!index)
        return unknown(engine, method, value, error);
    const struct et_method *row = &engine->klass->methods[index - 1];
    if (engine->type->flush && !engine->type->keeps_pending(engine, row, method, value)) {
        const enum etalon_status status = engine->type->flush(engine, error);
        if (status)
            return status;
    }
    if (!et_register_set(&engine->registers, method, value))
        return et_fail(error, ETALON_NO_MEMORY, "no memory for registers");
    if (row->effect == ET_EFFECT_UNSUPPORTED && !(row->has_harmless && row->harmless == value))
        return pass_over(engine, unsupported(engine, row, method, value, error), method, value, error);
    const et_action act = engine->actions[index - 1];
    if (!act)
        return ETALON_OK;
    const unsigned i = row->stride ? (method - row->offset) / row->stride : 0;
    return pass_over(engine, act(engine, method, i, value, error), method, value, error);
}

static void tell(const struct et_engine *engine, uint32_t method, uint32_t value)
{
    const struct et_environment *environment = engine->environment;
    const struct et_method_event event = {.channel = environment->channel,
                                          .subchannel = environment->subchannel,
                                          .klass = engine->klass->number,
                                          .method = (uint16_t)method,
                                          .value = value,
                                          .address = environment->address,
                                          .depth = environment->in_macro};
    environment->listener->method(environment->listener->context, &event);
}

/* Whether a run to this method is an upload: its words are told before any of them acts, so that events are
 * numbered alike with and without a listener. */
static bool is_upload(const struct et_engine *engine, uint32_t method)
{
    const unsigned index = method < 4 * ET_METHODS ? engine->index[method >> 2] : 0;
    return index && engine->type->upload && !strncmp(engine->klass->methods[index - 1].name, "LOAD_", 5);
}

enum etalon_status et_engine_methods(struct et_engine *engine, uint32_t method, enum et_run_mode mode,
                                     const uint32_t *words, size_t count, size_t *done,
                                     struct etalon_error *error)
{
    struct et_environment *environment = engine->environment;
    const uint64_t base = environment->address;
    enum etalon_status status = ETALON_OK;
    size_t i = 0, told = 0;
    while (i < count && !status && !environment->wait.blocked) {
        const uint32_t at = et_run_method(method, mode, i);
        const bool constant = mode == ET_RUN_CONSTANT || (mode == ET_RUN_INCREASE_ONCE && i);
        size_t taken = 0;
        for (const size_t until = constant && is_upload(engine, at) ? count : i + 1; told < until; told++) {
            environment->address = environment->in_macro ? base : base + 4 * told;
            if (environment->listener->method)
                tell(engine, et_run_method(method, mode, told), words[told]);
        }
        environment->address = environment->in_macro ? base : base + 4 * i;
        if (engine->type->upload && mode != ET_RUN_INCREASE_ONCE)
            taken = engine->type->upload(engine, at, mode, words + i, count - i, &status, error);
        else if (engine->type->upload && i)
            taken = engine->type->upload(engine, at, ET_RUN_CONSTANT, words + i, count - i, &status, error);
        if (!taken && !status) {
            status = one(engine, at, words[i], error);
            taken = !status && !environment->wait.blocked;
        }
        if (status)
            place(engine, at, words[i], error);
        i += taken;
    }
    environment->address = base;
    *done = i;
    return status;
}

enum etalon_status et_engine_flush(struct et_engine *engine, struct etalon_error *error)
{
    return engine->type->flush ? engine->type->flush(engine, error) : ETALON_OK;
}

bool et_trigger_open(struct et_environment *environment, const struct et_engine *engine,
                     struct et_trigger *trigger, enum et_trigger_kind kind, uint32_t method, uint32_t value)
{
    trigger->event = ++*environment->event;
    trigger->kind = kind;
    trigger->channel = environment->channel;
    trigger->subchannel = environment->subchannel;
    trigger->klass = engine ? engine->klass->number : environment->chip->channel_class;
    trigger->method = (uint16_t)method;
    trigger->value = value;
    trigger->address = environment->address;
    trigger->in_macro = environment->in_macro;
    trigger->registers = engine ? &engine->registers : NULL;
    environment->view.event = trigger->event;
    if (environment->listener->trigger)
        environment->listener->trigger(environment->listener->context, trigger);
    return !(environment->skip >> kind & 1);
}

enum etalon_status et_trigger_close(struct et_environment *environment, struct et_trigger *trigger,
                                    enum etalon_status status, struct etalon_error *error)
{
    if (status) {
        et_at_event(error, trigger->event);
        et_at_channel(error, trigger->channel);
        et_at_method(error, trigger->klass, trigger->method);
        et_at_value(error, trigger->value);
    }
    trigger->status = status;
    trigger->error = status ? error : NULL;
    if (environment->listener->done)
        environment->listener->done(environment->listener->context, trigger);
    if (status != ETALON_UNSUPPORTED || !environment->keep_going)
        return status;
    record_unsupported(environment, error);
    return ETALON_OK;
}
