#include "engine/semaphore.h"

enum etalon_status et_release_write(struct et_environment *environment, const struct et_release *release,
                                    struct etalon_error *error)
{
    const unsigned bytes = release->payload_words * 4, alignment = release->timestamp ? 16 : bytes;
    uint64_t record[2] = {release->payload, 0};
    if (release->address & (alignment - 1)) {
        et_at_address(error, release->address);
        return et_fail(error, ETALON_MISALIGNED, "a semaphore of %u bytes at 0x%llx", alignment,
                       (unsigned long long)release->address);
    }
    if (release->payload_words == 1)
        record[0] &= 0xffffffff;
    if (release->reduction != ET_REDUCE_NONE) {
        uint64_t old = 0;
        const enum etalon_status status =
            et_view_read(&environment->view, release->address, &old, bytes, error);
        if (status)
            return status;
        record[0] =
            et_reduce(release->reduction, old, release->payload, bytes * 8, release->reduction_signed);
        if (!release->timestamp)
            return et_view_write(&environment->view, release->address, record, bytes, error);
    }
    if (release->timestamp)
        record[1] = environment->clock(environment->clock_context);
    return et_view_write(&environment->view, release->address, record, release->timestamp ? 16 : bytes,
                         error);
}

enum etalon_status et_release_trigger(struct et_environment *environment, const struct et_engine *engine,
                                      const struct et_release *release, uint32_t method, uint32_t value,
                                      struct etalon_error *error)
{
    struct et_trigger trigger = {.target = release->address,
                                 .bytes = release->timestamp ? 16 : release->payload_words * 4u};
    enum etalon_status status = ETALON_OK;
    if (et_trigger_open(environment, engine, &trigger, ET_TRIGGER_REPORT, method, value))
        status = et_release_write(environment, release, error);
    return et_trigger_close(environment, &trigger, status, error);
}

static bool met(enum et_acquire how, uint64_t memory, uint64_t payload, unsigned bits)
{
    switch (how) {
    case ET_ACQUIRE_EQUAL:
        return memory == payload;
    case ET_ACQUIRE_STRICT_GEQ:
        return memory >= payload;
    case ET_ACQUIRE_CIRCULAR_GEQ:
        return et_sign_extend(memory - payload, bits) >= 0;
    case ET_ACQUIRE_AND:
        return (memory & payload) != 0;
    default: /* NOR: some bit of the payload's ones is clear in neither. [DOC: dev_pbdma] (mem | payload) has
                a zero */
        return (memory | payload) != (bits == 64 ? ~UINT64_C(0) : UINT64_C(0xffffffff));
    }
}

enum etalon_status et_acquire(struct et_environment *environment, enum et_acquire how, uint64_t address,
                              uint64_t payload, unsigned bytes, struct etalon_error *error)
{
    uint64_t memory = 0;
    if (address & (bytes - 1)) {
        et_at_address(error, address);
        return et_fail(error, ETALON_MISALIGNED, "an acquire of %u bytes at 0x%llx", bytes,
                       (unsigned long long)address);
    }
    const enum etalon_status status = et_view_read(&environment->view, address, &memory, bytes, error);
    if (status)
        return status;
    environment->wait = (struct et_wait){.blocked = !met(how, memory, payload, bytes * 8),
                                         .address = address,
                                         .wanted = payload,
                                         .seen = memory};
    return ETALON_OK;
}
