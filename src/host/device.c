/* A device: channels, the scheduler, the clock, the log. */
#include "host/internal.h"

#include <time.h>

#include "base/alloc.h"
#include "pipeline/draw.h"
#include "shader/cache.h"

#define DEFAULT_WORDS (UINT64_C(1) << 32) /* of one run, all channels */

static const struct et_trigger *keep_log(struct et_device *device, const struct et_trigger *trigger)
{
    if (device->options.log &&
        et_grow(&device->log, &device->log_capacity, device->log_count + 1, sizeof *trigger)) {
        struct et_trigger *kept = &device->log[device->log_count++];
        *kept = *trigger;
        kept->registers = NULL;
        kept->draw = NULL;
        kept->error = NULL;
    }
    return trigger;
}

static void on_done(void *context, const struct et_trigger *trigger)
{
    struct et_device *device = context;
    keep_log(device, trigger);
    if (device->options.listener.done)
        device->options.listener.done(device->options.listener.context, trigger);
}

static void on_trigger(void *context, const struct et_trigger *trigger)
{
    const struct et_listener *listener = &((struct et_device *)context)->options.listener;
    listener->trigger(listener->context, trigger);
}

static void on_method(void *context, const struct et_method_event *event)
{
    const struct et_listener *listener = &((struct et_device *)context)->options.listener;
    listener->method(listener->context, event);
}

static void on_interrupt(void *context, uint32_t channel, uint32_t method)
{
    const struct et_listener *listener = &((struct et_device *)context)->options.listener;
    listener->interrupt(listener->context, channel, method);
}

static int on_cancelled(void *context)
{
    const struct et_listener *listener = &((struct et_device *)context)->options.listener;
    return listener->cancelled(listener->context);
}

enum etalon_status et_device_create(struct et_device **created, const struct et_device_options *options,
                                    struct etalon_error *error)
{
    *created = NULL;
    if (!options->chip)
        return et_fail(error, ETALON_INVALID, "a device needs a chip");
    struct et_device *device = et_calloc(1, sizeof *device);
    if (!device)
        return et_fail(error, ETALON_NO_MEMORY, "no memory for a device");
    const struct et_listener *listener = &options->listener;
    const struct et_pipeline_options pipeline = {.threads = options->threads};
    device->options = *options;
    device->listener = (struct et_listener){
        .context = device,
        .trigger = listener->trigger ? on_trigger : NULL,
        .done = on_done,
        .method = listener->method ? on_method : NULL,
        .interrupt = listener->interrupt ? on_interrupt : NULL,
        .cancelled = listener->cancelled ? on_cancelled : NULL,
    };
    device->shaders = et_shader_cache_create();
    enum etalon_status status = device->shaders ? et_pipeline_create(&device->pipeline, &pipeline, error)
                                                : et_fail(error, ETALON_NO_MEMORY, "no memory for a device");
    if (status) {
        et_device_destroy(device);
        return status;
    }
    *created = device;
    return ETALON_OK;
}

void et_device_destroy(struct et_device *device)
{
    if (!device)
        return;
    while (device->channels)
        et_channel_destroy(device->channels);
    et_pipeline_destroy(device->pipeline);
    et_shader_cache_destroy(device->shaders);
    et_free(device->log);
    et_free(device);
}

const struct et_chip *et_device_chip(const struct et_device *device)
{
    return device->options.chip;
}

void et_device_set_clock(struct et_device *device, uint64_t ns)
{
    device->clock_ns = ns;
}

uint64_t et_device_timer(struct et_device *device)
{
    uint64_t ns = device->clock_ns;
    if (device->options.host_clock) {
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        ns = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
    }
    const uint64_t units = et_chip_timer_units(device->options.chip, ns);
    return device->options.timer_divide_256 ? units & ~UINT64_C(255) : units;
}

static uint64_t read_clock(void *device)
{
    return et_device_timer(device);
}

struct et_counts et_device_executed(const struct et_device *device)
{
    return device->executed;
}

uint64_t et_device_event(const struct et_device *device)
{
    return device->event;
}

uint64_t et_device_next_event(struct et_device *device)
{
    return ++device->event;
}

uint32_t et_device_syncpoint(const struct et_device *device, uint32_t index)
{
    return index < ET_SYNCPOINTS ? device->syncpoints[index] : 0;
}

void et_device_set_syncpoint(struct et_device *device, uint32_t index, uint32_t value)
{
    if (index < ET_SYNCPOINTS)
        device->syncpoints[index] = value;
}

static void increment_syncpoint(void *device, uint32_t index)
{
    et_device_set_syncpoint(device, index, et_device_syncpoint(device, index) + 1);
}

enum etalon_status et_channel_create(struct et_device *device, uint32_t number, struct et_pagemap *map,
                                     struct et_channel **created, struct etalon_error *error)
{
    const struct et_device_options *options = &device->options;
    *created = NULL;
    if (et_device_channel(device, number))
        return et_fail(error, ETALON_INVALID, "channel %u exists", number);
    struct et_channel *channel = et_calloc(1, sizeof *channel), **last = &device->channels;
    if (!channel)
        return et_fail(error, ETALON_NO_MEMORY, "no memory for a channel");
    channel->device = device;
    channel->number = number;
    channel->map = map;
    channel->environment = (struct et_environment){.chip = options->chip,
                                                   .channel = number,
                                                   .event = &device->event,
                                                   .clock = read_clock,
                                                   .clock_context = device,
                                                   .listener = &device->listener,
                                                   .skip = options->skip,
                                                   .threads = options->threads,
                                                   .budget = options->budget,
                                                   .scratch = channel->scratch,
                                                   .privileged_raster = 1u << 25, /* after snapping [INF] */
                                                   .keep_going = options->keep_going,
                                                   .sync_point = increment_syncpoint,
                                                   .device = device,
                                                   .executed = &device->executed,
                                                   .shaders = device->shaders,
                                                   .pipeline = device->pipeline};
    et_view_init(&channel->environment.view, map, device->event);
    while (*last)
        last = &(*last)->next;
    *last = channel;
    channel->mme = et_mme_create(options->chip->mme, options->macro_steps, error);
    if (!channel->mme) {
        et_channel_destroy(channel);
        return ETALON_NO_MEMORY;
    }
    for (unsigned i = 0; i < ET_SUBCHANNELS && !options->strict; i++)
        if (options->chip->preset[i]) {
            const enum etalon_status status = et_host_bind(channel, i, options->chip->preset[i], error);
            if (status) {
                et_channel_destroy(channel);
                return status;
            }
        }
    *created = channel;
    return ETALON_OK;
}

void et_channel_destroy(struct et_channel *channel)
{
    if (!channel)
        return;
    for (struct et_channel **at = &channel->device->channels; *at; at = &(*at)->next)
        if (*at == channel) {
            *at = channel->next;
            break;
        }
    et_host_objects_destroy(channel);
    et_mme_destroy(channel->mme);
    et_free(channel->segments);
    et_free(channel);
}

struct et_channel *et_device_channel(struct et_device *device, uint32_t number)
{
    struct et_channel *channel = device->channels;
    while (channel && channel->number != number)
        channel = channel->next;
    return channel;
}

uint32_t et_channel_number(const struct et_channel *channel)
{
    return channel->number;
}

uint32_t et_channel_reference(const struct et_channel *channel)
{
    return channel->reference;
}

uint16_t et_channel_class(const struct et_channel *channel, unsigned subchannel)
{
    return subchannel < ET_SUBCHANNELS && channel->bound[subchannel] ? channel->bound[subchannel]->klass : 0;
}

uint32_t et_channel_register(const struct et_channel *channel, unsigned subchannel, uint32_t method)
{
    if (!et_channel_class(channel, subchannel) || method >= 4 * ET_METHODS)
        return 0;
    return et_register(&channel->bound[subchannel]->engine->registers, method);
}

void et_channel_reset(struct et_channel *channel)
{
    channel->head = channel->count = 0;
    channel->position = 0;
    channel->run.left = 0;
    if (channel->running)
        et_mme_abort(channel->mme);
    channel->running = NULL;
    for (struct et_object *object = channel->objects; object; object = object->next)
        object->engine->upload.open = false;
    channel->environment.wait = (struct et_wait){0};
    channel->environment.in_macro = channel->interrupted = false;
    channel->faulted = false;
    et_error_clear(&channel->fault);
}

static bool busy(const struct et_channel *channel)
{
    return !channel->faulted && (channel->count || (channel->running && (channel->environment.wait.blocked ||
                                                                         channel->interrupted)));
}

static enum etalon_status fault(struct et_channel *channel, enum etalon_status status,
                                struct et_run_result *result, struct etalon_error *error)
{
    const struct et_listener *listener = &channel->device->options.listener;
    et_at_channel(&channel->fault, channel->number);
    /* A cancelled run can be taken up again at the next word. */
    channel->faulted = status != ETALON_CANCELLED;
    result->state = ET_FAULT;
    result->channel = channel->number;
    if (error && !error->status)
        *error = channel->fault;
    if (listener->fault)
        listener->fault(listener->context, channel->number, &channel->fault);
    return status;
}

/* Runs one channel until it is idle, waits, yields or is at fault; *moved: it took something. */
static enum etalon_status run_channel(struct et_channel *channel, bool *moved, uint64_t limit)
{
    const struct et_listener *listener = &channel->device->options.listener;
    if (channel->faulted)
        return ETALON_OK;
    et_error_clear(&channel->fault);
    channel->yield = false;
    while (busy(channel) && !channel->yield) {
        const uint64_t before = channel->words;
        const size_t segments = channel->count;
        const bool waited = channel->environment.wait.blocked;
        if (listener->cancelled && listener->cancelled(listener->context))
            return et_fail(&channel->fault, ETALON_CANCELLED, "the run was cancelled");
        const enum etalon_status status = et_channel_step(channel, &channel->fault);
        *moved = *moved || channel->words != before || channel->count != segments ||
                 (waited && !channel->environment.wait.blocked);
        if (status)
            return status;
        if (channel->environment.wait.blocked)
            return ETALON_OK;
        if (channel->words > limit)
            return et_fail(&channel->fault, ETALON_BUDGET, "more than %llu words in one run",
                           (unsigned long long)limit);
    }
    return ETALON_OK;
}

static enum etalon_status settle(struct et_device *device, struct et_run_result *result,
                                 struct etalon_error *error)
{
    for (struct et_channel *channel = device->channels; channel; channel = channel->next) {
        const struct et_wait *wait = &channel->environment.wait;
        if (!busy(channel) || !wait->blocked)
            continue;
        result->state = ET_BLOCKED;
        result->channel = channel->number;
        result->wait = *wait;
        if (!device->options.closed_world)
            return ETALON_OK;
        et_at_channel(error, channel->number);
        et_at_address(error, wait->address);
        return et_fail(error, ETALON_DEADLOCK, "channel %u waits for 0x%llx at %s0x%llx, which holds 0x%llx",
                       channel->number, (unsigned long long)wait->wanted, wait->syncpoint ? "syncpoint " : "",
                       (unsigned long long)wait->address, (unsigned long long)wait->seen);
    }
    return ETALON_OK;
}

enum etalon_status et_device_run(struct et_device *device, struct et_run_result *result,
                                 struct etalon_error *error)
{
    const uint64_t limit = device->options.submit_words ? device->options.submit_words : DEFAULT_WORDS;
    enum etalon_status status = ETALON_OK;
    bool moved = true;
    *result = (struct et_run_result){.state = ET_IDLE};
    for (struct et_channel *channel = device->channels; channel; channel = channel->next)
        channel->words = 0;
    while (moved && !status) {
        moved = false;
        for (struct et_channel *channel = device->channels; channel && !status; channel = channel->next) {
            status = run_channel(channel, &moved, limit);
            if (status)
                fault(channel, status, result, error);
        }
    }
    if (!status)
        status = settle(device, result, error);
    for (struct et_channel *channel = device->channels; channel; channel = channel->next)
        result->unsupported += channel->environment.unsupported;
    return status;
}

const struct et_trigger *et_device_log(const struct et_device *device, size_t *count)
{
    *count = device->log_count;
    return device->log;
}

const struct etalon_error *et_device_first_unsupported(const struct et_device *device)
{
    static const struct etalon_error none;
    const struct etalon_error *first = &none;
    for (const struct et_channel *channel = device->channels; channel; channel = channel->next) {
        const struct etalon_error *own = &channel->environment.first_unsupported;
        if (own->status && (!first->status || own->event < first->event))
            first = own;
    }
    return first;
}

const struct et_mme *et_channel_macros(const struct et_channel *channel)
{
    return channel->mme;
}
