#include "api/api.h"

#include "base/alloc.h"
#include "base/bits.h"
#include "pipeline/draw.h"
#include "rasterizer/format.h"

const char *etalon_version(void)
{
    return PACKAGE_VERSION;
}

int etalon_chip_get(unsigned index, struct etalon_chip *chip)
{
    unsigned count;
    const struct et_chip *rows = et_chips(&count);
    if (index >= count)
        return 0;
    rows += index;
    *chip = (struct etalon_chip){.name = rows->name,
                                 .title = rows->title,
                                 .doubtful = rows->doubtful,
                                 .channel_class = rows->channel_class,
                                 .threed_class = rows->threed,
                                 .compute_class = rows->compute,
                                 .copy_class = rows->copy,
                                 .twod_class = rows->twod,
                                 .inline_class = rows->inline_to_memory,
                                 .address_bits = rows->va_bits};
    return 1;
}

static const struct et_trigger *internal(const struct etalon_trigger *trigger)
{
    return trigger->internal;
}

uint32_t etalon_trigger_register(const struct etalon_trigger *trigger, uint32_t method)
{
    const struct et_registers *registers = internal(trigger)->registers;
    return registers && method < 0x4000 ? et_register(registers, method) : 0;
}

static struct etalon_trigger public_trigger(const struct et_trigger *t)
{
    return (struct etalon_trigger){.event = t->event,
                                   .kind = (enum etalon_trigger_kind)t->kind,
                                   .channel = t->channel,
                                   .subchannel = t->subchannel,
                                   .klass = t->klass,
                                   .method = t->method,
                                   .value = t->value,
                                   .address = t->address,
                                   .target = t->target,
                                   .bytes = t->bytes,
                                   .count = {t->count[0], t->count[1], t->count[2]},
                                   .status = t->status,
                                   .internal = t};
}

static void on_trigger(void *context, const struct et_trigger *trigger)
{
    const struct etalon_callbacks *callbacks = &((struct etalon_device *)context)->callbacks;
    const struct etalon_trigger shown = public_trigger(trigger);
    if (callbacks->trigger)
        callbacks->trigger(callbacks->context, &shown);
}

static void on_done(void *context, const struct et_trigger *trigger)
{
    const struct etalon_callbacks *callbacks = &((struct etalon_device *)context)->callbacks;
    const struct etalon_trigger shown = public_trigger(trigger);
    if (callbacks->done)
        callbacks->done(callbacks->context, &shown);
}

static void on_fault(void *context, uint32_t channel, const struct etalon_error *error)
{
    const struct etalon_callbacks *callbacks = &((struct etalon_device *)context)->callbacks;
    if (callbacks->fault)
        callbacks->fault(callbacks->context, channel, error);
}

static int on_cancelled(void *context)
{
    return atomic_load_explicit(&((struct etalon_device *)context)->cancelled, memory_order_relaxed);
}

static enum etalon_status create_ram(struct etalon_device *device, const struct etalon_options *options,
                                     struct etalon_error *error)
{
    const enum et_ram_mode mode = options->ram_shared ? ET_RAM_SHARED : ET_RAM_TRACKED;
    if (options->ram_host)
        return et_ram_create_at(&device->ram, options->ram_host, options->ram_bytes, mode, error);
    if (options->ram_fd_plus_one)
        return et_ram_create_fd(&device->ram, options->ram_fd_plus_one - 1, options->ram_bytes, mode, error);
    return et_ram_create(&device->ram, options->ram_bytes, mode, error);
}

static enum etalon_status create_device(struct etalon_device *device, const struct etalon_options *options,
                                        struct etalon_error *error)
{
    const struct et_device_options inner = {.chip = options->chip ? et_chip_by_name(options->chip) : NULL,
                                            .strict = options->strict != 0,
                                            .closed_world = options->closed_world != 0,
                                            .host_clock = options->host_clock != 0,
                                            .timer_divide_256 = options->timer_divide_256 != 0,
                                            .threads = options->threads,
                                            .budget = {.instructions = options->shader_instructions},
                                            .listener = {.context = device,
                                                         .trigger = on_trigger,
                                                         .done = on_done,
                                                         .fault = on_fault,
                                                         .cancelled = on_cancelled}};
    if (!inner.chip)
        return et_fail(error, ETALON_INVALID, "no chip is called '%s'", options->chip ? options->chip : "");
    return et_device_create(&device->device, &inner, error);
}

enum etalon_status etalon_create(struct etalon_device **result, const struct etalon_options *options,
                                 struct etalon_error *error)
{
    struct etalon_device *device = et_calloc(1, sizeof *device);
    enum etalon_status status;
    *result = NULL;
    if (!device)
        return et_fail(error, ETALON_NO_MEMORY, "no memory for a device");
    device->callbacks = options->callbacks;
    status = create_ram(device, options, error);
    if (!status)
        status = create_device(device, options, error);
    if (status)
        etalon_destroy(device);
    else
        *result = device;
    return status;
}

void etalon_destroy(struct etalon_device *device)
{
    if (!device)
        return;
    while (device->channels)
        etalon_channel_destroy(device->channels);
    if (device->device)
        et_device_destroy(device->device);
    while (device->spaces)
        etalon_space_destroy(device->spaces);
    et_ram_destroy(&device->ram);
    et_free(device);
}

void *etalon_ram(struct etalon_device *device, uint64_t *bytes)
{
    if (bytes)
        *bytes = device->ram.size;
    return device->ram.base;
}

void etalon_set_clock(struct etalon_device *device, uint64_t ns)
{
    et_device_set_clock(device->device, ns);
}

uint64_t etalon_event(const struct etalon_device *device)
{
    return et_device_event(device->device);
}

enum etalon_status etalon_channel_create(struct etalon_space *space, uint32_t number,
                                         struct etalon_channel **result, struct etalon_error *error)
{
    struct etalon_channel *channel = et_calloc(1, sizeof *channel);
    enum etalon_status status;
    *result = NULL;
    if (!channel)
        return et_fail(error, ETALON_NO_MEMORY, "no memory for a channel");
    status = et_channel_create(space->device->device, number, &space->map, &channel->channel, error);
    if (status) {
        et_free(channel);
        return status;
    }
    channel->space = space;
    channel->next = space->device->channels;
    space->device->channels = channel;
    *result = channel;
    return ETALON_OK;
}

void etalon_channel_destroy(struct etalon_channel *channel)
{
    struct etalon_channel **link;
    if (!channel)
        return;
    for (link = &channel->space->device->channels; *link; link = &(*link)->next)
        if (*link == channel) {
            *link = channel->next;
            break;
        }
    et_channel_destroy(channel->channel);
    et_free(channel);
}

enum etalon_status etalon_submit(struct etalon_channel *channel, const uint64_t *entries, size_t count,
                                 struct etalon_error *error)
{
    for (size_t i = 0; i < count; i++) {
        const uint32_t words[1][2] = {{(uint32_t)entries[i], (uint32_t)(entries[i] >> 32)}};
        const enum etalon_status status = et_channel_gpfifo(channel->channel, words, 1, error);
        if (status)
            return status;
    }
    return ETALON_OK;
}

enum etalon_status etalon_push(struct etalon_channel *channel, uint64_t va, uint32_t dwords,
                               struct etalon_error *error)
{
    return et_channel_push(channel->channel, va, dwords, false, error);
}

void etalon_channel_reset(struct etalon_channel *channel)
{
    et_channel_reset(channel->channel);
}

enum etalon_status etalon_run(struct etalon_device *device, struct etalon_run *run,
                              struct etalon_error *error)
{
    struct et_run_result result = {0};
    const enum etalon_status status = et_device_run(device->device, &result, error);
    if (status == ETALON_CANCELLED)
        atomic_store(&device->cancelled, 0);
    if (run)
        *run = (struct etalon_run){.state = (enum etalon_state)result.state,
                                   .channel = result.channel,
                                   .address = result.wait.address,
                                   .wanted = result.wait.wanted,
                                   .seen = result.wait.seen};
    return status;
}

void etalon_cancel(struct etalon_device *device)
{
    atomic_store(&device->cancelled, 1);
}

static struct etalon_surface surface_of(const struct et_target *target, uint32_t bytes)
{
    return (struct etalon_surface){.address = target->address,
                                   .bytes_per_texel = bytes,
                                   .width = target->pitch_linear ? target->width / bytes : target->width,
                                   .height = target->height,
                                   .depth = target->volume ? target->layers : 1,
                                   .pitch = target->pitch_linear ? target->width : 0,
                                   .block_height_log2 = target->block_height_log2,
                                   .block_depth_log2 = target->block_depth_log2};
}

int etalon_trigger_target(const struct etalon_trigger *trigger, int index, struct etalon_surface *surface,
                          uint32_t *format)
{
    const struct et_draw *draw = internal(trigger)->draw;
    const struct et_target *target;
    uint32_t bytes;
    if (!draw || index < -1 || index >= ET_TARGETS)
        return 0;
    target = index < 0 ? &draw->raster.output.depth : &draw->raster.output.color[index];
    if (!target->format || (index < 0 && !draw->raster.output.depth_enable))
        return 0;
    if (index < 0) {
        const struct et_depth_format *row = et_depth_format_find(target->format);
        bytes = row ? row->bytes : 0;
    } else {
        const struct et_color_format *row = et_color_format_find(target->format);
        bytes = row ? row->bytes : 0;
    }
    if (!bytes)
        return 0;
    *surface = surface_of(target, bytes);
    *format = target->format;
    return 1;
}
