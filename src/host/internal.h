/* The inside of a device and of its channels. */
#ifndef ET_HOST_INTERNAL_H
#define ET_HOST_INTERNAL_H

#include "host/host.h"
#include "mme/mme.h"

#define ET_SCRATCH_WORDS 256u

/* Where a method of an object goes first; ET_METHODS entries a class. */
enum et_route { ET_ROUTE_ENGINE, ET_ROUTE_MME };

/* An object of a class in one channel, shared by the subchannels that it is bound to. */
struct et_object {
    uint16_t klass;
    struct et_engine *engine;
    uint32_t *shadow;    /* ET_METHODS words; NULL without macros */
    uint8_t shadow_mode; /* enum et_shadow_mode */
    uint8_t *route;      /* enum et_route by dword method */
    bool macros;         /* the class has them; the macro processor is the channel's */
    struct et_object *next;
};

struct et_segment {
    uint64_t va;
    uint32_t dwords;
    bool subroutine, wait;
};

/* The half-read method run: what survives the end of a segment. */
struct et_run {
    uint32_t left;            /* data words still to come */
    uint32_t method;          /* bytes, of the next word */
    uint8_t subchannel, mode; /* enum et_run_mode */
};

struct et_channel {
    struct et_device *device;
    struct et_channel *next;
    struct et_pagemap *map;
    uint32_t number;
    struct et_environment environment;
    struct et_object *objects;
    struct et_object *bound[ET_SUBCHANNELS];
    uint32_t scratch[ET_SCRATCH_WORDS];
    struct et_mme *mme;  /* one of all objects: 3D and compute share code and scratch [DRV: captures] */
    uint32_t host[0x40]; /* host methods' registers, by dword method */
    uint32_t reference;

    struct et_segment *segments; /* a queue from `head` */
    size_t capacity, head, count;
    uint32_t position; /* words of the first segment already taken */
    uint64_t top_level_get;
    struct et_run run;
    uint64_t words; /* taken since the run began; the budget */

    /* A macro that wants parameters or waits. */
    struct et_object *running;
    uint64_t call_address; /* of the macro's call */
    bool interrupted; /* it was cancelled and goes on by itself */
    bool yield, faulted;
    struct etalon_error fault;
};

struct et_device {
    struct et_device_options options;
    struct et_listener listener; /* logs, then calls the caller's */
    struct et_channel *channels; /* in creation order */
    uint64_t event, clock_ns;
    struct et_counts executed;
    uint32_t syncpoints[ET_SYNCPOINTS];
    struct et_shader_cache *shaders;
    struct et_pipeline *pipeline;
    struct et_trigger *log;
    size_t log_count, log_capacity;
};

/* Executes one method run's data on a subchannel. *done: words taken; stops early with ETALON_OK when the
 * channel blocks (environment.wait.blocked). */
enum etalon_status et_host_methods(struct et_channel *channel, unsigned subchannel, uint32_t method,
                                   enum et_run_mode mode, const uint32_t *words, size_t count, size_t *done,
                                   struct etalon_error *error);
/* Runs what engines hold back, but for one object (may be NULL). */
enum etalon_status et_host_flush(struct et_channel *channel, const struct et_object *but,
                                 struct etalon_error *error);
/* Goes on with a macro that waited. */
enum etalon_status et_host_resume(struct et_channel *channel, struct etalon_error *error);
/* One method below 0x100. */
enum etalon_status et_host_method(struct et_channel *channel, unsigned subchannel, uint32_t method,
                                  uint32_t value, struct etalon_error *error);
/* Binds a class to a subchannel, making its object when the channel has none. */
enum etalon_status et_host_bind(struct et_channel *channel, unsigned subchannel, uint32_t klass,
                                struct etalon_error *error);
/* Takes up to a window of words; ETALON_OK with environment.wait.blocked set when the channel cannot go on.
 */
enum etalon_status et_channel_step(struct et_channel *channel, struct etalon_error *error);
void et_host_objects_destroy(struct et_channel *channel);

#endif
