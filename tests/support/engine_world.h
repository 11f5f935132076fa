/* An engine object with memory around it, for tests. */
#ifndef ET_TESTS_ENGINE_WORLD_H
#define ET_TESTS_ENGINE_WORLD_H

#include "base/bits.h"
#include "engine/engine.h"
#include "support/suite.h"

#define WORLD_VA    UINT64_C(0x100000)
#define WORLD_BYTES (UINT64_C(1) << 20)

static struct {
    struct et_ram ram;
    struct et_pagemap map;
    struct et_environment environment;
    struct et_listener listener;
    struct et_engine *engine;
    struct etalon_error error;
    uint64_t event, clock;
    uint32_t scratch[256];
    unsigned opened[ET_TRIGGER_KINDS], interrupts, syncpoint;
    struct et_trigger last;
} world;

static void world_done(void *context, const struct et_trigger *trigger)
{
    (void)context;
    world.opened[trigger->kind]++;
    world.last = *trigger;
}

static void world_interrupt(void *context, uint32_t channel, uint32_t method)
{
    (void)context;
    (void)channel;
    (void)method;
    world.interrupts++;
}

static uint64_t world_clock(void *context)
{
    (void)context;
    return world.clock;
}

static void world_sync_point(void *context, uint32_t index)
{
    (void)context;
    world.syncpoint = index;
}

static inline void world_start(const char *chip, uint32_t klass)
{
    memset(&world, 0, sizeof world);
    ck_assert_int_eq(et_ram_create(&world.ram, WORLD_BYTES, ET_RAM_TRACKED, &world.error), ETALON_OK);
    et_pagemap_init(&world.map, &world.ram, 40);
    ck_assert_int_eq(
        et_pagemap_map(&world.map, WORLD_VA, WORLD_BYTES, 0, ET_READ | ET_WRITE, 0, &world.error), ETALON_OK);
    world.listener = (struct et_listener){.done = world_done, .interrupt = world_interrupt};
    world.environment = (struct et_environment){.chip = et_chip_by_name(chip),
                                                .channel = 3,
                                                .event = &world.event,
                                                .clock = world_clock,
                                                .listener = &world.listener,
                                                .threads = 1,
                                                .scratch = world.scratch,
                                                .sync_point = world_sync_point};
    et_view_init(&world.environment.view, &world.map, 0);
    ck_assert_int_eq(et_engine_create(&world.engine, klass, &world.environment, &world.error), ETALON_OK);
}

static inline void world_stop(void)
{
    et_engine_destroy(world.engine);
    et_pagemap_finish(&world.map);
    et_ram_destroy(&world.ram);
}

/* One method. */
static inline enum etalon_status world_method(uint32_t method, uint32_t value)
{
    size_t done;
    memset(&world.error, 0, sizeof world.error);
    return et_engine_methods(world.engine, method, ET_RUN_CONSTANT, &value, 1, &done, &world.error);
}

/* One that must go well. */
static inline void world_set(uint32_t method, uint32_t value)
{
    ck_assert_msg(world_method(method, value) == ETALON_OK, "method 0x%x: %s", method, world.error.text);
}

static inline uint8_t *world_at(uint64_t va)
{
    return world.ram.base + (va - WORLD_VA);
}

static inline uint32_t world_load(uint64_t va)
{
    return et_load32(world_at(va));
}

#endif
