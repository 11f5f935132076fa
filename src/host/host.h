/* The host: a device with its channels, GPFIFO entries, the pushbuffer cursor, semaphores, syncpoints, timer
 * and scheduler. Not thread-safe within a device; devices are independent. */
#ifndef ET_HOST_HOST_H
#define ET_HOST_HOST_H

#include "engine/engine.h"

#define ET_SYNCPOINTS 256u

struct et_device;
struct et_channel;
struct et_mme; /* mme/mme.h */

/* Zero-initialised fields are defaults. */
struct et_device_options {
    const struct et_chip *chip; /* required */
    struct et_listener listener;
    bool strict;       /* no presets: every subchannel needs its SET_OBJECT */
    bool closed_world; /* nobody else will write semaphores: all channels blocked is ETALON_DEADLOCK */
    bool keep_going;   /* an unsupported trigger is counted and passed over */
    bool host_clock; /* the host's monotonic clock; else the clock stands at what et_device_set_clock gave */
    bool timer_divide_256;              /* timestamps are whole multiples of 256 units */
    bool log;                           /* keep every trigger for et_device_log */
    int threads;                        /* OpenMP threads at most; 0: all */
    et_skip skip;                       /* kinds of trigger that do nothing */
    uint64_t macro_steps, submit_words; /* budgets; 0: defaults */
    struct et_budget budget;            /* of shaders */
};

enum etalon_status et_device_create(struct et_device **device, const struct et_device_options *options,
                                    struct etalon_error *error);
/* Destroys its channels too. */
void et_device_destroy(struct et_device *device);
const struct et_chip *et_device_chip(const struct et_device *device);

/* The clock in nanoseconds, when it is not the host's. */
void et_device_set_clock(struct et_device *device, uint64_t ns);
/* Now, in the chip's timer units. */
uint64_t et_device_timer(struct et_device *device);
/* The number of the last event; 0: none yet. et_device_next_event numbers one of the caller's own (an API
 * write). */
uint64_t et_device_event(const struct et_device *device);
uint64_t et_device_next_event(struct et_device *device);
/* What shaders have run so far. */
struct et_counts et_device_executed(const struct et_device *device);
/* Syncpoints: counters that wrap at 32 bits. index < ET_SYNCPOINTS, else 0 and no effect. */
uint32_t et_device_syncpoint(const struct et_device *device, uint32_t index);
void et_device_set_syncpoint(struct et_device *device, uint32_t index, uint32_t value);

/* A channel in an address space (borrowed, must outlive it). Numbers are the caller's and unique. */
enum etalon_status et_channel_create(struct et_device *device, uint32_t number, struct et_pagemap *map,
                                     struct et_channel **channel, struct etalon_error *error);
void et_channel_destroy(struct et_channel *channel);
struct et_channel *et_device_channel(struct et_device *device, uint32_t number);
uint32_t et_channel_number(const struct et_channel *channel);
/* SET_REFERENCE's count; the class on a subchannel (0: none); a register of its object (bytes), 0 without
 * one. */
uint32_t et_channel_reference(const struct et_channel *channel);
uint16_t et_channel_class(const struct et_channel *channel, unsigned subchannel);
uint32_t et_channel_register(const struct et_channel *channel, unsigned subchannel, uint32_t method);
/* The macro processor, for showing its code. */
const struct et_mme *et_channel_macros(const struct et_channel *channel);

/* Queues a segment: `dwords` words at va. The method stream continues over segments. `no_prefetch`: the words
 * may be written by work queued before (they are read when reached in either case). */
enum etalon_status et_channel_push(struct et_channel *channel, uint64_t va, uint32_t dwords, bool no_prefetch,
                                   struct etalon_error *error);
/* Queues GPFIFO entries (two little-endian words each). */
enum etalon_status et_channel_gpfifo(struct et_channel *channel, const uint32_t (*entries)[2], size_t count,
                                     struct etalon_error *error);
/* The segment that the cursor is in: address of the next word (0: idle); top-level GET, as progress is
 * reported. */
uint64_t et_channel_get(const struct et_channel *channel);
uint64_t et_channel_top_level_get(const struct et_channel *channel);
/* Forgets queued segments, a half-read method run and a fault. */
void et_channel_reset(struct et_channel *channel);

enum et_run_state { ET_IDLE, ET_BLOCKED, ET_FAULT };
struct et_run_result {
    enum et_run_state state;
    uint32_t channel; /* blocked: the first in creation order; fault: the faulting one */
    struct et_wait wait;
    uint64_t unsupported; /* triggers passed over since the device began (keep_going) */
};
/* Runs all channels, in turns, until none can go on. A fault stops the run: the channel keeps it
 * (et_channel_reset), the others can be run again. Returns the fault's status, ETALON_DEADLOCK,
 * ETALON_CANCELLED or ETALON_OK. */
enum etalon_status et_device_run(struct et_device *device, struct et_run_result *result,
                                 struct etalon_error *error);

/* Every trigger so far (option `log`), with registers and draw cleared; *count of them. */
const struct et_trigger *et_device_log(const struct et_device *device, size_t *count);
/* The first trigger that was passed over (keep_going); status ETALON_OK: none. */
const struct etalon_error *et_device_first_unsupported(const struct et_device *device);

#endif
