/* Replaying a capture: its buffers in RAM, its address space, its channels, submit by submit. */
#ifndef ET_CAPTURE_REPLAY_H
#define ET_CAPTURE_REPLAY_H

#include "capture/capture.h"
#include "host/host.h"

struct et_replay;

/* Zero-initialised fields are defaults. */
struct et_replay_options {
    const struct et_chip *chip; /* NULL: the capture's */
    struct et_listener listener;
    int threads;
    bool keep_going; /* unsupported triggers are counted and passed over */
    bool log;
    et_skip skip;
    struct et_budget budget;
};

/* What a replay found besides pixels. */
struct et_replay_facts {
    uint64_t submits;  /* run to their end */
    uint64_t events;   /* triggers */
    uint64_t polluted; /* 16-byte granules of a CPU record that our GPU had written: the recorded program
                          acted on zeroes */
    uint64_t polluted_bo, polluted_offset, polluted_submit; /* the first of them */
    uint64_t unsupported;                                   /* triggers passed over */
};

/* Lays the buffers out in RAM, maps the first mappings, writes the first memory. The capture is borrowed. */
enum etalon_status et_replay_create(struct et_replay **replay, const struct et_capture *capture,
                                    const struct et_replay_options *options, struct etalon_error *error);
void et_replay_destroy(struct et_replay *replay);
/* Runs the next submit; *more is false after the last. An error names submit and place; RAM keeps what was
 * written. */
enum etalon_status et_replay_step(struct et_replay *replay, bool *more, struct etalon_error *error);
/* Runs what is left. */
enum etalon_status et_replay_run(struct et_replay *replay, struct etalon_error *error);

const struct et_replay_facts *et_replay_facts(const struct et_replay *replay);
struct et_device *et_replay_device(struct et_replay *replay);
struct et_pagemap *et_replay_map(struct et_replay *replay);
/* The bytes of an output as they stood after its submit (now, if that has not run); owned by the replay. */
const uint8_t *et_replay_output(const struct et_replay *replay, size_t output);
/* The bytes of a buffer object now; NULL: none. */
const uint8_t *et_replay_bo(const struct et_replay *replay, uint64_t bo);
/* A hash of all buffers' bytes. */
uint64_t et_replay_hash(const struct et_replay *replay);

#endif
