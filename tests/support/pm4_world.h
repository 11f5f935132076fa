/* A processor over 64 KiB of memory at 0x100000000, with a recording of what it reports. */
#ifndef ET_TESTS_PM4_WORLD_H
#define ET_TESTS_PM4_WORLD_H

#include "etalon-pm4.h"

#include "base/bits.h"
#include "tool/pm4.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#define WORLD_BASE UINT64_C(0x100000000)
enum { WORLD_WORDS = 0x4000 };

struct world {
    uint32_t memory[WORLD_WORDS];
    struct etalon_pm4_range range;
    struct etalon_pm4_config config;
    struct et_pm4_recording recording;
    struct etalon_pm4 *pm4;
    struct etalon_pm4_report report;
};

static inline struct world *world_new(enum etalon_pm4_profile profile)
{
    struct world *world = calloc(1, sizeof *world);
    ck_assert_ptr_nonnull(world);
    world->range =
        (struct etalon_pm4_range){.address = WORLD_BASE, .size = sizeof world->memory, .host = world->memory};
    world->config = (struct etalon_pm4_config){.profile = profile,
                                               .memory = {.ranges = &world->range, .range_count = 1},
                                               .hooks = et_pm4_recording_hooks(&world->recording),
                                               .packet_budget = 20000};
    return world;
}

/* Makes the processor, after what the test has changed in the configuration. */
static inline void world_start(struct world *world)
{
    struct etalon_error error = {0};
    world->pm4 = etalon_pm4_create(&world->config, &error);
    ck_assert_msg(world->pm4 != NULL, "%s", error.text);
}

static inline struct world *world_console(void)
{
    struct world *world = world_new(ETALON_PM4_CONSOLE);
    world_start(world);
    return world;
}

static inline struct world *world_hardware(void)
{
    struct world *world = world_new(ETALON_PM4_HARDWARE);
    world_start(world);
    return world;
}

static inline void world_end(struct world *world)
{
    etalon_pm4_destroy(world->pm4);
    et_pm4_recording_free(&world->recording);
    free(world);
}

static inline uint32_t *world_at(struct world *world, uint64_t address)
{
    ck_assert(address >= WORLD_BASE && address - WORLD_BASE < sizeof world->memory);
    return &world->memory[(address - WORLD_BASE) / 4];
}

static inline enum etalon_pm4_result world_run(struct world *world)
{
    return etalon_pm4_run(world->pm4, &world->report);
}

static inline void world_submit(struct world *world, uint32_t queue, const uint32_t *words, uint32_t dwords,
                                const uint32_t *constant, uint32_t constant_dwords)
{
    struct etalon_error error = {0};
    enum etalon_status status;
    if (queue)
        status = etalon_pm4_submit_compute(world->pm4, queue, words, dwords, &error);
    else
        status = etalon_pm4_submit(world->pm4, words, dwords, constant, constant_dwords, &error);
    ck_assert_msg(status == ETALON_OK, "%s", error.text);
}

static inline size_t world_count(const struct world *world, enum et_pm4_work_kind kind)
{
    return world->recording.count[kind];
}

static inline uint32_t world_register(struct world *world, uint32_t queue, enum etalon_pm4_space space,
                                      uint32_t offset, bool *written)
{
    struct etalon_pm4_queue_info info;
    struct etalon_pm4_snapshot *state = NULL;
    uint32_t value;
    ck_assert_int_eq(etalon_pm4_query(world->pm4, queue, &info, &state), ETALON_OK);
    const bool is_written = etalon_pm4_snapshot_read(state, space, offset, &value);
    if (written)
        *written = is_written;
    etalon_pm4_snapshot_release(state);
    return value;
}

static inline struct etalon_pm4_queue_info world_info(struct world *world, uint32_t queue)
{
    struct etalon_pm4_queue_info info;
    ck_assert_int_eq(etalon_pm4_query(world->pm4, queue, &info, NULL), ETALON_OK);
    return info;
}

#define W(...) ((const uint32_t[]){__VA_ARGS__})
#define N(...) (uint32_t)(sizeof(W(__VA_ARGS__)) / 4)
/* Submits constant words, which outlive the call. */
#define SUBMIT(world, queue, ...)                                                                            \
    do {                                                                                                     \
        static const uint32_t words_[] = {__VA_ARGS__};                                                      \
        world_submit(world, queue, words_, N(__VA_ARGS__), NULL, 0);                                         \
    } while (0)

static inline void world_put(struct world *world, uint64_t address, const uint32_t *words, uint32_t dwords)
{
    memcpy(world_at(world, address), words, (size_t)dwords * 4);
}
/* Stores words `at` bytes into memory. */
#define PUT(world, at, ...) world_put(world, WORLD_BASE + (at), W(__VA_ARGS__), N(__VA_ARGS__))

static inline void world_draws_are(const struct world *world, const uint32_t *counts, size_t n)
{
    ck_assert_uint_eq(world_count(world, ET_PM4_WORK_DRAW), n);
    for (size_t i = 0; i < n; i++)
        ck_assert_uint_eq(world->recording.list[ET_PM4_WORK_DRAW][i].as.draw.count, counts[i]);
}
/* The vertex counts of all draws so far. */
#define DRAWS_ARE(world, ...) world_draws_are(world, W(__VA_ARGS__), N(__VA_ARGS__))

/* Runs one graphics stream in a new processor of a profile; the world stays for looking at. */
#define DO(profile, ...) world_do(profile, W(__VA_ARGS__), N(__VA_ARGS__))
static inline struct world *world_do(enum etalon_pm4_profile profile, const uint32_t *words, uint32_t dwords)
{
    struct world *world = world_new(profile);
    world_start(world);
    /* The caller's words are borrowed for this run alone: what blocks is not resumed. */
    world_submit(world, 0, words, dwords, NULL, 0);
    world_run(world);
    return world;
}

/* A stream must fault with `name` at a dword. */
#define FAULTS(profile, name, dword, ...)                                                                    \
    do {                                                                                                     \
        struct world *w_ = DO(profile, __VA_ARGS__);                                                         \
        ck_assert_str_eq(etalon_pm4_fault_name(w_->report.fault), name);                                     \
        ck_assert_int_eq(w_->report.result, ETALON_PM4_FAULTED);                                             \
        ck_assert_uint_eq(w_->report.fault_at.offset, dword);                                                \
        ck_assert(strstr(w_->report.error.text, name) != NULL);                                              \
        world_end(w_);                                                                                       \
    } while (0)
/* A stream must complete with as many draws. */
#define DRAWS(profile, count, ...)                                                                           \
    do {                                                                                                     \
        struct world *w_ = DO(profile, __VA_ARGS__);                                                         \
        ck_assert_msg(w_->report.result == ETALON_PM4_IDLE, "%s", w_->report.error.text);                    \
        ck_assert_uint_eq(world_count(w_, ET_PM4_WORK_DRAW), count);                                         \
        world_end(w_);                                                                                       \
    } while (0)

#define CONSOLE  ETALON_PM4_CONSOLE
#define HARDWARE ETALON_PM4_HARDWARE
/* Packets in short. */
#define DRAW(n)            0xC0012D00, n, 2
#define DRAW_IF(n)         0xC0012D01, n, 2
#define WAIT32(at, value)  0xC0053C00, 0x13, at, 1, value, 0xFFFFFFFF, 10
#define WRITE32(at, value) 0xC0033700, 0x00100200, at, 1, value
#define DISPATCH(x)        0xC0031500, x, 1, 1, 0x41

#endif
