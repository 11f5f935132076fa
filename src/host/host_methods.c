/* Host methods of B06F and C56F/C76F, below 0x100. [DOC: class headers, dev_pbdma; DRV: note a] */
#include "engine/semaphore.h"
#include "host/internal.h"

enum {
    SET_OBJECT = 0x00,
    ILLEGAL = 0x04,
    SEMAPHORE_A = 0x10,
    SEMAPHORE_C = 0x18,
    SEMAPHORE_D = 0x1c,
    NON_STALL_INTERRUPT = 0x20,
    SET_REFERENCE = 0x50,
    SEM_ADDRESS_LO = 0x5c,
    SEM_ADDRESS_HI = 0x60,
    SEM_PAYLOAD_LO = 0x64,
    SEM_PAYLOAD_HI = 0x68,
    SEM_EXECUTE = 0x6c,
    SYNCPOINT_A = 0x70,
    SYNCPOINT_B = 0x74,
    YIELD = 0x80
};

static uint32_t host_register(const struct et_channel *channel, uint32_t method)
{
    return channel->host[method / 4];
}

/* SEMAPHORED: ACQUIRE 1, RELEASE 2, ACQ_GEQ 4, ACQ_AND 8, REDUCTION 16. Greater-or-equal is taken as
 * circular: no header says. [INF] */
static enum etalon_status semaphore_d(struct et_channel *channel, uint32_t value, struct etalon_error *error)
{
    struct et_environment *environment = &channel->environment;
    const uint64_t address = (uint64_t)(host_register(channel, SEMAPHORE_A) & 0xff) << 32 |
                             (host_register(channel, SEMAPHORE_A + 4) & ~3u);
    const uint32_t payload = host_register(channel, SEMAPHORE_C);
    struct et_release release = {.address = address,
                                 .payload = payload,
                                 .payload_words = 1,
                                 .timestamp = !(value >> 24 & 1),
                                 .reduction = ET_REDUCE_NONE,
                                 .reduction_signed = !(value >> 31)};
    switch (value & 0x1f) {
    case 1:
        return et_acquire(environment, ET_ACQUIRE_EQUAL, address, payload, 4, error);
    case 2:
        return et_release_trigger(environment, NULL, &release, SEMAPHORE_D, value, error);
    case 4:
        return et_acquire(environment, ET_ACQUIRE_CIRCULAR_GEQ, address, payload, 4, error);
    case 8:
        return et_acquire(environment, ET_ACQUIRE_AND, address, payload, 4, error);
    case 16:
        release.timestamp = false;
        release.reduction = et_reduction_by_host_number(et_bits(value, 30, 27));
        if (release.reduction == ET_REDUCE_NONE)
            return et_fail(error, ETALON_BAD_VALUE, "SEMAPHORED reduction %u", et_bits(value, 30, 27));
        return et_release_trigger(environment, NULL, &release, SEMAPHORE_D, value, error);
    default:
        return et_fail(error, ETALON_BAD_VALUE, "SEMAPHORED operation 0x%x", value & 0x1f);
    }
}

/* SEM_EXECUTE: ACQUIRE, RELEASE, ACQ_STRICT_GEQ, ACQ_CIRC_GEQ, ACQ_AND, ACQ_NOR, REDUCTION; 32 or 64 bits. */
static enum etalon_status sem_execute(struct et_channel *channel, uint32_t value, struct etalon_error *error)
{
    static const uint8_t acquires[] = {ET_ACQUIRE_EQUAL,        ET_ACQUIRE_EQUAL, ET_ACQUIRE_STRICT_GEQ,
                                       ET_ACQUIRE_CIRCULAR_GEQ, ET_ACQUIRE_AND,   ET_ACQUIRE_NOR};
    struct et_environment *environment = &channel->environment;
    const bool wide = value >> 24 & 1;
    const unsigned operation = value & 7;
    struct et_release release = {
        .address = (uint64_t)host_register(channel, SEM_ADDRESS_HI) << 32 |
                   (host_register(channel, SEM_ADDRESS_LO) & ~3u),
        .payload = host_register(channel, SEM_PAYLOAD_LO) |
                   (wide ? (uint64_t)host_register(channel, SEM_PAYLOAD_HI) << 32 : 0),
        .payload_words = wide ? 2 : 1,
        .timestamp = operation == 1 && (value >> 25 & 1),
        .reduction = ET_REDUCE_NONE,
        .reduction_signed = !(value >> 31),
    };
    switch (operation) {
    case 1:
        return et_release_trigger(environment, NULL, &release, SEM_EXECUTE, value, error);
    case 6:
        release.reduction = et_reduction_by_host_number(et_bits(value, 30, 27));
        if (release.reduction == ET_REDUCE_NONE ||
            (wide && (release.reduction == ET_REDUCE_INC || release.reduction == ET_REDUCE_DEC)))
            return et_fail(error, ETALON_BAD_VALUE, "SEM_EXECUTE 0x%x: reduction", value);
        return et_release_trigger(environment, NULL, &release, SEM_EXECUTE, value, error);
    case 7:
        return et_fail(error, ETALON_BAD_VALUE, "SEM_EXECUTE operation 7");
    default:
        return et_acquire(environment, (enum et_acquire)acquires[operation], release.address, release.payload,
                          wide ? 8 : 4, error);
    }
}

/* WAIT 0, INCR 1; the index lies in 19:8 (15:8 on Tegra X1, whose indices fit). A threshold wraps. [DOC:
 * C06F] */
static enum etalon_status syncpoint(struct et_channel *channel, uint32_t value, struct etalon_error *error)
{
    struct et_device *device = channel->device;
    const uint32_t index = et_bits(value, 19, 8), wanted = host_register(channel, SYNCPOINT_A);
    if (index >= ET_SYNCPOINTS)
        return et_fail(error, ETALON_BOUNDS, "syncpoint %u of %u", index, ET_SYNCPOINTS);
    if (value & 1) {
        device->syncpoints[index]++;
        return ETALON_OK;
    }
    channel->environment.wait = (struct et_wait){.blocked = (int32_t)(device->syncpoints[index] - wanted) < 0,
                                                 .syncpoint = true,
                                                 .address = index,
                                                 .wanted = wanted,
                                                 .seen = device->syncpoints[index]};
    return ETALON_OK;
}

enum etalon_status et_host_method(struct et_channel *channel, unsigned subchannel, uint32_t method,
                                  uint32_t value, struct etalon_error *error)
{
    const struct et_class *klass = et_class_find(channel->device->options.chip->channel_class);
    const struct et_method *row = et_class_method(klass, method, NULL, NULL);
    const struct et_listener *listener = channel->environment.listener;
    if (!row)
        return et_fail(error, ETALON_UNKNOWN_METHOD, "class %s has no method 0x%04x (value 0x%08x)",
                       klass->name, method, value);
    channel->host[method / 4] = value;
    if (row->effect == ET_EFFECT_UNSUPPORTED)
        return et_fail(error, ETALON_UNSUPPORTED, "%s with 0x%x: %s", row->name, value, row->why);
    if (row->effect != ET_EFFECT_ACTS)
        return ETALON_OK;
    switch (method) {
    case SET_OBJECT:
        return et_host_bind(channel, subchannel, value & 0xffff, error);
    case ILLEGAL:
        return et_fail(error, ETALON_TRAP, "the ILLEGAL method");
    case SEMAPHORE_D:
        return semaphore_d(channel, value, error);
    case NON_STALL_INTERRUPT:
        if (listener->interrupt)
            listener->interrupt(listener->context, channel->number, method);
        return ETALON_OK;
    case SET_REFERENCE:
        channel->reference = value;
        return ETALON_OK;
    case SEM_EXECUTE:
        return sem_execute(channel, value, error);
    case SYNCPOINT_B:
        return syncpoint(channel, value, error);
    default: /* YIELD: OP 0 is none */
        channel->yield = value & 3;
        return ETALON_OK;
    }
}
