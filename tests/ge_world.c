#include "ge_world.h"

#include "base/bits.h"

static enum etalon_ge_callback_answer on_callback(void *user, const struct etalon_ge_callback_call *call)
{
    struct ge_world *world = user;
    if (world->call_count < ET_COUNT(world->calls))
        world->calls[world->call_count] = *call;
    world->call_count++;
    if (world->act)
        world->act(world, call);
    return world->answer;
}

static void on_wake(void *user, uint64_t token)
{
    struct ge_world *world = user;
    if (world->wake_count < ET_COUNT(world->wakes))
        world->wakes[world->wake_count] = token;
    world->wake_count++;
}

static void on_snapshot(void *user, const struct etalon_ge_snapshot *snapshot)
{
    struct ge_world *world = user;
    world->look_count++;
    if (world->look)
        world->look(world, snapshot);
}

static void on_written(void *user, uint32_t address, uint32_t size)
{
    struct ge_world *world = user;
    world->written_count++;
    world->written_address = address;
    world->written_size = size;
}

static void on_fault(void *user, const struct etalon_error *error)
{
    struct ge_world *world = user;
    ck_assert_int_ne(error->status, ETALON_OK);
    world->fault_count++;
}

void ge_world_open(struct ge_world *world, uint32_t sdk, bool eager)
{
    struct etalon_error error = {0};
    memset(world, 0, sizeof *world);
    world->region = (struct etalon_ge_region){GE_RAM_BASE, GE_RAM_SIZE, world->ram, false};
    world->config = (struct etalon_ge_config){.regions = &world->region,
                                              .region_count = 1,
                                              .hooks = {.user = world,
                                                        .callback = on_callback,
                                                        .wake = on_wake,
                                                        .snapshot = on_snapshot,
                                                        .written = on_written,
                                                        .fault = on_fault},
                                              .sdk_version = sdk,
                                              .eager = eager,
                                              .eager_limit = 10000};
    ck_assert_int_eq(etalon_ge_create(&world->config, &world->ge, &error), ETALON_OK);
}

void ge_world_close(struct ge_world *world)
{
    ge_world_verify(world);
    etalon_ge_destroy(world->ge);
}

void ge_world_put(struct ge_world *world, uint32_t address, const uint32_t *words, size_t count)
{
    ck_assert_uint_le(address - GE_RAM_BASE + 4 * count, GE_RAM_SIZE);
    memcpy(world->ram + (address - GE_RAM_BASE), words, 4 * count);
}

uint32_t ge_world_word(const struct ge_world *world, uint32_t address)
{
    return et_load32(world->ram + (address - GE_RAM_BASE));
}

int32_t ge_world_callback(struct ge_world *world)
{
    const struct etalon_ge_callback callback = {1, 11, 2, 12};
    const uint32_t id = etalon_ge_set_callback(world->ge, &callback);
    ck_assert_uint_lt(id, 16);
    return (int32_t)id;
}

void ge_world_verify(const struct ge_world *world)
{
    struct etalon_error error = {0};
    ck_assert_msg(etalon_ge_verify(world->ge, &error) == ETALON_OK, "%s", error.text);
}
