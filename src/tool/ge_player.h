/* The player's insides, shared by its calls (ge_calls.c) and its clockwork (ge_scenario.c). */
#ifndef ET_TOOL_GE_PLAYER_H
#define ET_TOOL_GE_PLAYER_H

#include "tool/ge_scenario.h"

#include "etalon-ge.h"
#include "memory/ram.h"

#include <cjson/cJSON.h>

struct et_ge_label {
    const char *name;
    uint32_t value;
};

/* What a callback hook's function number stands for, from 1. */
struct et_ge_registration {
    const char *label;
};

struct et_ge_thread {
    const char *name;
    const cJSON *step; /* the one that waits, or the next */
    uint64_t token;    /* 0: does not wait */
    uint64_t woken;    /* order of waking; 0: not woken */
    long priority;     /* lower runs first; the main thread has ET_GE_MAIN_PRIORITY */
    bool ended;
};
#define ET_GE_MAIN_PRIORITY 0x20

struct et_ge_player {
    struct etalon_ge *ge;
    const struct et_ge_play *options;
    struct etalon_error *error;
    uint64_t random;
    struct et_ram ram;

    struct et_ge_label *labels;
    size_t label_count, label_capacity;
    struct et_ge_registration *registrations;
    size_t registration_count, registration_capacity;
    struct et_ge_thread *threads;
    size_t thread_count, thread_capacity;
    uint64_t wakes;

    const cJSON **events; /* of the whole scenario */
    size_t event_count, event_capacity, used, listed;
    const cJSON *waiting_steps; /* of a callback that was answered with CALLBACK_PENDING */
    size_t waiting_event;
    bool callback_waits;

    int interrupts_off, dispatch_off;
    uint64_t main_token;
    bool main_woken;
    char where[160];
};

/* The answer of a call. */
struct et_ge_answer {
    uint32_t value;
    uint64_t wait; /* token, or 0 */
    bool has_value;
};

/* Where the script is: in the main thread, in a callback, in another thread. */
enum et_ge_context { ET_GE_MAIN, ET_GE_CALLBACK, ET_GE_THREAD };

bool et_ge_failed(const struct et_ge_player *player);
/* Records a broken expectation, and a scenario that cannot be used; the first wins. */
void et_ge_broken(struct et_ge_player *player, const char *format, ...) __attribute__((format(printf, 2, 3)));
void et_ge_malformed(struct et_ge_player *player, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A number, written as one or as a string; with `labels` also a label. Negative ones are the same bits. */
uint32_t et_ge_number(struct et_ge_player *player, const cJSON *item, bool labels);
/* Member `name` of args; `missing` if there is none. */
uint32_t et_ge_argument(struct et_ge_player *player, const cJSON *args, const char *name, uint32_t missing);
void et_ge_bind(struct et_ge_player *player, const char *name, uint32_t value);
/* Sets a memory block. */
void et_ge_write_block(struct et_ge_player *player, const cJSON *block);

/* ge_calls.c: performs the step's call in `context`. */
void et_ge_call(struct et_ge_player *player, const cJSON *step, enum et_ge_context context,
                struct et_ge_answer *answer);
/* Holds an answer to the step's expectation. */
void et_ge_hold(struct et_ge_player *player, const cJSON *step, const struct et_ge_answer *answer);

/* ge_scenario.c */
void et_ge_advance_all(struct et_ge_player *player);
void et_ge_start_thread(struct et_ge_player *player, const cJSON *args);

#endif
