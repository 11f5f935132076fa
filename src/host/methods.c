/* Runs of methods: to the host, through shadow RAM, to the macro processor, to the engine. [DOC, DRV: notes
 * a, c, d] */
#include "host/internal.h"

enum { SHADOW_CONTROL = 0x124, SCRATCH = 0x3400, SCRATCH_END = 0x3800, CALL_END = 0x4000 };

static void tell(const struct et_channel *channel, uint32_t klass, uint32_t method, uint32_t value)
{
    const struct et_environment *environment = &channel->environment;
    const struct et_method_event event = {.channel = channel->number,
                                          .subchannel = environment->subchannel,
                                          .klass = (uint16_t)klass,
                                          .method = (uint16_t)method,
                                          .value = value,
                                          .address = environment->address,
                                          .depth = environment->in_macro};
    if (environment->listener->method)
        environment->listener->method(environment->listener->context, &event);
}

struct port {
    struct et_channel *channel;
    struct et_object *object;
};

static enum etalon_status to_object(struct et_channel *channel, struct et_object *object, uint32_t method,
                                    enum et_run_mode mode, const uint32_t *words, size_t count, size_t *done,
                                    struct etalon_error *error);

static enum etalon_status port_send(void *context, uint32_t method, uint32_t value, bool *blocked,
                                    struct etalon_error *error)
{
    const struct port *port = context;
    struct et_environment *environment = &port->channel->environment;
    const uint64_t address = environment->address;
    size_t done;
    environment->address = port->channel->call_address;
    environment->in_macro = true;
    const enum etalon_status status =
        to_object(port->channel, port->object, method, ET_RUN_CONSTANT, &value, 1, &done, error);
    environment->in_macro = false;
    environment->address = address;
    *blocked = environment->wait.blocked;
    return status;
}

static uint32_t port_state(void *context, uint32_t method)
{
    const struct port *port = context;
    if (method >= SCRATCH && method < SCRATCH_END)
        return port->channel->scratch[(method - SCRATCH) / 4];
    return method < 4 * ET_METHODS ? port->object->shadow[method / 4] : 0;
}

static bool port_cancelled(void *context)
{
    const struct port *port = context;
    const struct et_listener *listener = port->channel->environment.listener;
    return listener->cancelled && listener->cancelled(listener->context);
}

static enum etalon_status run_macro(struct et_channel *channel, struct et_object *object,
                                    struct etalon_error *error)
{
    struct port context = {channel, object};
    const struct et_mme_port port = {&context, port_send, port_state, &channel->environment.view,
                                     port_cancelled};
    bool blocked;
    channel->environment.subchannel = 0;
    for (unsigned i = 0; i < ET_SUBCHANNELS; i++)
        if (channel->bound[i] == object) {
            channel->environment.subchannel = i;
            break;
        }
    const enum etalon_status status = et_mme_run(channel->mme, &port, &blocked, error);
    channel->running = et_mme_active(channel->mme, NULL) ? object : NULL;
    channel->interrupted = status == ETALON_CANCELLED;
    return status;
}

enum etalon_status et_host_resume(struct et_channel *channel, struct etalon_error *error)
{
    return channel->running ? run_macro(channel, channel->running, error) : ETALON_OK;
}

/* CALL_MME_MACRO(i), CALL_MME_DATA(i): 0x3800 + 8 * i, and 4 on. A macro cannot call one. */
static enum etalon_status call(struct et_channel *channel, struct et_object *object, uint32_t method,
                               enum et_run_mode mode, const uint32_t *words, size_t count, size_t *done,
                               struct etalon_error *error)
{
    const unsigned macro = (method - SCRATCH_END) / 8;
    const bool data = method & 4;
    enum etalon_status status;
    *done = 0;
    if (channel->environment.in_macro)
        return et_fail(error, ETALON_MACRO, "a macro calls macro %u", macro);
    if (!data) {
        tell(channel, object->klass, method, words[0]);
        channel->call_address = channel->environment.address;
        status = et_mme_call(channel->mme, macro, words[0], error);
        *done = 1;
    } else {
        const size_t part = mode == ET_RUN_INCREASING ? 1 : count;
        for (size_t i = 0; i < part; i++) {
            tell(channel, object->klass, method, words[i]);
            channel->environment.address += 4;
        }
        channel->environment.address -= 4 * part;
        status = et_mme_data(channel->mme, macro, words, part, error);
        *done = part;
    }
    /* The rest of a run that feeds the same macro is queued before the macro goes on. */
    const bool more = !data && mode == ET_RUN_INCREASE_ONCE && count > 1;
    if (!status && !more)
        status = run_macro(channel, object, error);
    else if (!status)
        channel->running = object;
    return status;
}

static enum etalon_status shadow_control(struct et_object *object, uint32_t value)
{
    object->shadow_mode = value & 3;
    return ETALON_OK;
}

/* One word for the macro processor's own methods. */
static enum etalon_status to_mme(struct et_channel *channel, struct et_object *object, uint32_t method,
                                 uint32_t value, struct etalon_error *error)
{
    struct port context = {channel, object};
    const struct et_mme_port port = {&context, port_send, port_state, &channel->environment.view, NULL};
    tell(channel, object->klass, method, value);
    if (method >= SCRATCH && method < SCRATCH_END) {
        channel->scratch[(method - SCRATCH) / 4] = value;
        return ETALON_OK;
    }
    switch (method) {
    case 0x114:
        et_mme_set_code_pointer(channel->mme, value);
        return ETALON_OK;
    case 0x118:
        return et_mme_load_code(channel->mme, &value, 1, error);
    case 0x11c:
        et_mme_set_start_pointer(channel->mme, value);
        return ETALON_OK;
    case 0x120:
        return et_mme_load_starts(channel->mme, &value, 1, error);
    case SHADOW_CONTROL:
        return shadow_control(object, value);
    default:
        return et_mme_memory_method(channel->mme, &port, method, value, error);
    }
}

/* Records or replays one word; returns the word that goes on. Filtered tracking is tracking: no source says
 * what the filter leaves out. */
static uint32_t shadow(struct et_object *object, uint32_t method, uint32_t value)
{
    uint32_t *kept = &object->shadow[method / 4];
    switch (object->shadow_mode) {
    case ET_SHADOW_PASSTHROUGH:
        return value;
    case ET_SHADOW_REPLAY:
        return *kept;
    default:
        *kept = value;
        return value;
    }
}

static void place(const struct et_channel *channel, uint32_t klass, uint32_t method, uint32_t value,
                  struct etalon_error *error)
{
    et_at_channel(error, channel->number);
    et_at_method(error, klass, method);
    et_at_value(error, value);
    et_at_address(error, channel->environment.address);
}

/* Words of the run that go to the engine in one piece: no macro-processor method among them. */
static size_t engine_part(const struct et_object *object, uint32_t method, enum et_run_mode mode,
                          size_t count)
{
    if (mode != ET_RUN_INCREASING)
        return count;
    size_t i = 0;
    while (i < count && method + 4 * i < 4 * ET_METHODS && object->route[method / 4 + i] == ET_ROUTE_ENGINE)
        i++;
    return i ? i : 1;
}

#define PIECE 64u

static enum etalon_status to_engine(struct et_object *object, uint32_t method, enum et_run_mode mode,
                                    const uint32_t *words, size_t count, size_t *done,
                                    struct etalon_error *error)
{
    uint32_t piece[PIECE];
    *done = 0;
    if (!object->shadow || method >= 4 * ET_METHODS ||
        (mode == ET_RUN_INCREASING && method + 4 * count > 4 * ET_METHODS))
        return et_engine_methods(object->engine, method, mode, words, count, done, error);
    if (object->shadow_mode == ET_SHADOW_REPLAY) {
        count = ET_MIN(count, (size_t)PIECE);
        for (size_t i = 0; i < count; i++)
            piece[i] = shadow(object, et_run_method(method, mode, i), words[i]);
        return et_engine_methods(object->engine, method, mode, piece, count, done, error);
    }
    if (mode == ET_RUN_INCREASING)
        for (size_t i = 0; i < count; i++)
            shadow(object, (uint32_t)(method + 4 * i), words[i]);
    else {
        shadow(object, method, words[mode == ET_RUN_CONSTANT ? count - 1 : 0]);
        if (mode == ET_RUN_INCREASE_ONCE && count > 1 && method + 4 < 4 * ET_METHODS)
            shadow(object, method + 4, words[count - 1]);
    }
    return et_engine_methods(object->engine, method, mode, words, count, done, error);
}

static enum etalon_status to_object(struct et_channel *channel, struct et_object *object, uint32_t method,
                                    enum et_run_mode mode, const uint32_t *words, size_t count, size_t *done,
                                    struct etalon_error *error)
{
    enum etalon_status status = ETALON_OK;
    *done = 0;
    if (method < 4 * ET_METHODS && object->route[method / 4] == ET_ROUTE_MME) {
        const bool is_scratch = method >= SCRATCH && method < SCRATCH_END;
        if (!object->macros && !is_scratch)
            status = et_fail(error, ETALON_UNKNOWN_METHOD, "class 0x%04x has no macros", object->klass);
        else if (method >= SCRATCH_END)
            status = call(channel, object, method, mode, words, count, done, error);
        else
            status = to_mme(channel, object, method, words[0], error);
        if (!status && !*done)
            *done = 1;
        if (status)
            place(channel, object->klass, method, words[0], error);
        return status;
    }
    size_t part = engine_part(object, method, mode, count);
    /* After the first word the run is a constant one at the next method. */
    if (mode == ET_RUN_INCREASE_ONCE && part > 1 && method / 4 + 1 < ET_METHODS &&
        object->route[method / 4 + 1] == ET_ROUTE_MME)
        part = 1;
    return to_engine(object, method, mode, words, part, done, error);
}

enum etalon_status et_host_flush(struct et_channel *channel, const struct et_object *but,
                                 struct etalon_error *error)
{
    for (struct et_object *object = channel->objects; object; object = object->next) {
        const enum etalon_status status = object == but ? ETALON_OK : et_engine_flush(object->engine, error);
        if (status)
            return status;
    }
    return ETALON_OK;
}

/* A macro that wants parameters takes nothing but its data. */
static enum etalon_status check_macro(struct et_channel *channel, const struct et_object *object,
                                      uint32_t method, struct etalon_error *error)
{
    unsigned macro;
    if (!channel->running || !et_mme_active(channel->mme, &macro))
        return ETALON_OK;
    if (object == channel->running && method == SCRATCH_END + 8 * macro + 4)
        return ETALON_OK;
    return et_fail(error, ETALON_MACRO, "method 0x%04x while macro %u wants parameters", method, macro);
}

enum etalon_status et_host_methods(struct et_channel *channel, unsigned subchannel, uint32_t method,
                                   enum et_run_mode mode, const uint32_t *words, size_t count, size_t *done,
                                   struct etalon_error *error)
{
    struct et_environment *environment = &channel->environment;
    const uint64_t base = environment->address;
    enum etalon_status status = ETALON_OK;
    size_t i = 0;
    while (i < count && !status && !environment->wait.blocked) {
        const uint32_t at = et_run_method(method, mode, i);
        const enum et_run_mode rest = mode == ET_RUN_INCREASE_ONCE && i ? ET_RUN_CONSTANT : mode;
        struct et_object *object = channel->bound[subchannel];
        size_t part = 0;
        environment->address = base + 4 * i;
        environment->subchannel = subchannel;
        status = et_host_flush(channel, at < 0x100 ? NULL : object, error);
        if (status)
            break;
        if (at < 0x100) {
            tell(channel, channel->device->options.chip->channel_class, at, words[i]);
            status = et_host_method(channel, subchannel, at, words[i], error);
            part = !status && !environment->wait.blocked;
            if (status)
                place(channel, 0, at, words[i], error);
        } else if (!object) {
            status = et_fail(error, ETALON_EMPTY_SUBCHANNEL, "method 0x%04x on subchannel %u, which is empty",
                             at, subchannel);
            place(channel, 0, at, words[i], error);
        } else {
            status = check_macro(channel, object, at, error);
            if (status)
                place(channel, object->klass, at, words[i], error);
            else
                status = to_object(channel, object, at, rest, words + i, count - i, &part, error);
        }
        i += part;
    }
    environment->address = base;
    *done = i;
    return status;
}
