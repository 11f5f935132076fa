/* Unit tests of the GE that scenarios cannot express. */
#include "ge_units.h"

#include "ge_world.h"

#include "base/alloc.h"
#include "base/bits.h"
#include "memory/ram.h"

#define ALL UINT64_C(100000)

/* Worlds are 64 KiB: static, a test runs in its own process. */
static struct ge_world world;

/* ---- Waiting ---- */

static void would_wait_gives_tokens(void)
{
    uint64_t list = 0, draw = 0, other = 0;
    uint32_t id, result = 7;
    ge_world_open(&world, GE_SDK_NEW, false);
    GE_PUT(&world, GE_LIST, GE_FINISH(1), GE_END);
    id = etalon_ge_enqueue(world.ge, GE_LIST, GE_LIST, -1, NULL);
    ck_assert_uint_eq(etalon_ge_list_sync(world.ge, id, ETALON_GE_WAIT, NULL), ETALON_GE_CAN_NOT_WAIT);
    etalon_ge_list_sync(world.ge, id, ETALON_GE_WAIT, &list);
    etalon_ge_draw_sync(world.ge, ETALON_GE_WAIT, &draw);
    etalon_ge_list_sync(world.ge, id, ETALON_GE_WAIT, &other);
    ck_assert(list && draw && other && list != draw && list != other);
    ck_assert_int_eq(etalon_ge_end_wait(world.ge, list, &result), ETALON_INVALID);
    ck_assert_int_eq(etalon_ge_end_wait(world.ge, 999, &result), ETALON_INVALID);
    etalon_ge_cancel_wait(world.ge, other);
    etalon_ge_cancel_wait(world.ge, 999);
    ge_world_verify(&world);
    etalon_ge_update_stall(world.ge, id, 0);
    etalon_ge_advance(world.ge, ALL);
    ck_assert_uint_eq(world.wake_count, 2);
    ck_assert_uint_eq(world.wakes[0], draw);
    ck_assert_uint_eq(world.wakes[1], list);
    /* Completed lists are forgotten when the thread goes on, not when it is woken. */
    ck_assert_uint_eq(etalon_ge_list_sync(world.ge, id, ETALON_GE_POLL, NULL), ETALON_GE_COMPLETED);
    ck_assert_int_eq(etalon_ge_end_wait(world.ge, draw, &result), ETALON_OK);
    ck_assert_uint_eq(result, 0);
    ck_assert_uint_eq(etalon_ge_list_sync(world.ge, id, ETALON_GE_POLL, NULL), ETALON_GE_INVALID_ID);
    ck_assert_int_eq(etalon_ge_end_wait(world.ge, list, &result), ETALON_OK);
    ck_assert_int_eq(etalon_ge_end_wait(world.ge, list, &result), ETALON_INVALID);
    ge_world_close(&world);
}

static void waiters_outlive_a_reset_and_not_a_restart(void)
{
    uint64_t first = 0, second = 0;
    uint32_t id;
    ge_world_open(&world, GE_SDK_NEW, false);
    GE_PUT(&world, GE_LIST, GE_FINISH(1), GE_END);
    id = etalon_ge_enqueue(world.ge, GE_LIST, GE_LIST, -1, NULL);
    etalon_ge_list_sync(world.ge, id, ETALON_GE_WAIT, &first);
    ck_assert_uint_eq(etalon_ge_break(world.ge, 1, 0), 0);
    ck_assert_uint_eq(world.wake_count, 0);
    ck_assert_uint_eq(etalon_ge_enqueue(world.ge, GE_LIST, 0, -1, NULL), id);
    etalon_ge_advance(world.ge, ALL);
    ck_assert_uint_eq(world.wake_count, 1);
    ck_assert_uint_eq(world.wakes[0], first);
    id = etalon_ge_enqueue(world.ge, GE_LIST, GE_LIST, -1, NULL);
    etalon_ge_list_sync(world.ge, id, ETALON_GE_WAIT, &second);
    etalon_ge_restart(world.ge);
    ck_assert_int_eq(etalon_ge_end_wait(world.ge, first, NULL), ETALON_INVALID);
    ck_assert_int_eq(etalon_ge_end_wait(world.ge, second, NULL), ETALON_INVALID);
    etalon_ge_advance(world.ge, ALL);
    ck_assert_uint_eq(world.wake_count, 1);
    ge_world_close(&world);
}

static void nobody_waits_in_a_handler(void)
{
    uint64_t wait = 0;
    ge_world_open(&world, GE_SDK_NEW, false);
    etalon_ge_set_handler(world.ge, true);
    ck_assert_uint_eq(etalon_ge_draw_sync(world.ge, ETALON_GE_WAIT, &wait), ETALON_GE_ILLEGAL_CONTEXT);
    etalon_ge_set_interrupts(world.ge, false);
    ck_assert_uint_eq(etalon_ge_draw_sync(world.ge, ETALON_GE_WAIT, &wait), ETALON_GE_ILLEGAL_CONTEXT);
    etalon_ge_set_handler(world.ge, false);
    ck_assert_uint_eq(etalon_ge_draw_sync(world.ge, ETALON_GE_WAIT, &wait), ETALON_GE_CAN_NOT_WAIT);
    etalon_ge_set_interrupts(world.ge, true);
    ck_assert_uint_eq(etalon_ge_draw_sync(world.ge, ETALON_GE_WAIT, &wait), 0);
    ck_assert_uint_eq(wait, 0);
    ge_world_close(&world);
}

static void no_memory_for_a_waiter(void)
{
    uint64_t wait = 0;
    uint32_t id;
    ge_world_open(&world, GE_SDK_NEW, false);
    id = etalon_ge_enqueue(world.ge, GE_LIST, GE_LIST, -1, NULL);
    et_alloc_fail_after(1);
    ck_assert_uint_eq(etalon_ge_list_sync(world.ge, id, ETALON_GE_WAIT, &wait), ETALON_GE_NO_MEMORY);
    et_alloc_fail_after(0);
    ck_assert_uint_eq(wait, 0);
    etalon_ge_list_sync(world.ge, id, ETALON_GE_WAIT, &wait);
    ck_assert_uint_ne(wait, 0);
    ge_world_close(&world);
}

/* Found by fuzz-ge: a woken draw sync that ends while a finish callback is still pending must not forget the
 * list that this callback finishes. */
static void draw_sync_ends_beside_a_late_callback(void)
{
    uint64_t wait = 0;
    uint32_t first, second;
    ge_world_open(&world, GE_SDK_NEW, false);
    GE_PUT(&world, GE_LIST, GE_FINISH(1), GE_END);
    first = etalon_ge_enqueue(world.ge, GE_LIST, GE_LIST, -1, NULL);
    etalon_ge_draw_sync(world.ge, ETALON_GE_WAIT, &wait);
    etalon_ge_update_stall(world.ge, first, 0);
    etalon_ge_advance(world.ge, ALL);
    ck_assert_uint_eq(world.wake_count, 1);
    world.answer = ETALON_GE_CALLBACK_PENDING;
    second = etalon_ge_enqueue(world.ge, GE_LIST, 0, ge_world_callback(&world), NULL);
    etalon_ge_advance(world.ge, ALL);
    ck_assert(etalon_ge_in_callback(world.ge));
    ck_assert_int_eq(etalon_ge_end_wait(world.ge, wait, NULL), ETALON_OK);
    ge_world_verify(&world);
    ck_assert_uint_eq(etalon_ge_list_sync(world.ge, first, ETALON_GE_POLL, NULL), ETALON_GE_INVALID_ID);
    ck_assert_uint_eq(etalon_ge_list_sync(world.ge, second, ETALON_GE_POLL, NULL), ETALON_GE_COMPLETED);
    etalon_ge_callback_done(world.ge);
    ck_assert_uint_eq(etalon_ge_draw_sync(world.ge, ETALON_GE_POLL, NULL), ETALON_GE_COMPLETED);
    ge_world_close(&world);
}

/* ---- Callbacks ---- */

static void poll_says_paused(struct ge_world *at, const struct etalon_ge_callback_call *call)
{
    ck_assert(etalon_ge_in_callback(at->ge));
    ck_assert_uint_eq(etalon_ge_list_sync(at->ge, call->list, ETALON_GE_POLL, NULL), ETALON_GE_PAUSED);
    ck_assert_int_eq(etalon_ge_advance(at->ge, ALL), ETALON_GE_STOPPED);
}

static void callbacks_may_end_late(void)
{
    uint32_t id;
    ge_world_open(&world, GE_SDK_OLD, false);
    GE_PUT(&world, GE_LIST, GE_SIGNAL(1, 5), GE_END, GE_FINISH(6), GE_END);
    world.act = poll_says_paused;
    world.answer = ETALON_GE_CALLBACK_PENDING;
    id = etalon_ge_enqueue(world.ge, GE_LIST, 0, ge_world_callback(&world), NULL);
    ck_assert_int_eq(etalon_ge_advance(world.ge, ALL), ETALON_GE_STOPPED);
    ck_assert_uint_eq(world.call_count, 1);
    ck_assert_uint_eq(world.calls[0].function, 1);
    ck_assert_uint_eq(world.calls[0].argument, 11);
    ck_assert_uint_eq(world.calls[0].value, 5);
    ck_assert_uint_eq(world.calls[0].list, id);
    ck_assert(etalon_ge_in_callback(world.ge));
    ck_assert_int_eq(etalon_ge_advance(world.ge, ALL), ETALON_GE_STOPPED);
    ck_assert_uint_eq(etalon_ge_list_sync(world.ge, id, ETALON_GE_POLL, NULL), ETALON_GE_PAUSED);
    ge_world_verify(&world);
    etalon_ge_callback_done(world.ge);
    ck_assert(!etalon_ge_in_callback(world.ge));
    world.act = NULL;
    etalon_ge_advance(world.ge, ALL);
    ck_assert_uint_eq(world.call_count, 2);
    ck_assert_uint_eq(world.calls[1].function, 2);
    ck_assert_uint_eq(world.calls[1].value, 6);
    ck_assert_uint_eq(etalon_ge_draw_sync(world.ge, ETALON_GE_POLL, NULL), ETALON_GE_COMPLETED);
    etalon_ge_callback_done(world.ge);
    etalon_ge_callback_done(world.ge);
    ck_assert_uint_eq(etalon_ge_list_sync(world.ge, id, ETALON_GE_POLL, NULL), ETALON_GE_COMPLETED);
    ge_world_close(&world);
}

static void end_within_the_hook(struct ge_world *at, const struct etalon_ge_callback_call *call)
{
    (void)call;
    etalon_ge_callback_done(at->ge);
}

static void callback_done_within_its_hook(void)
{
    uint32_t id;
    ge_world_open(&world, GE_SDK_NEW, true);
    GE_PUT(&world, GE_LIST, GE_SIGNAL(1, 5), GE_END, GE_FINISH(6), GE_END);
    world.act = end_within_the_hook;
    world.answer = ETALON_GE_CALLBACK_PENDING;
    id = etalon_ge_enqueue(world.ge, GE_LIST, 0, ge_world_callback(&world), NULL);
    ck_assert_uint_eq(world.call_count, 2);
    ck_assert_uint_eq(etalon_ge_list_sync(world.ge, id, ETALON_GE_POLL, NULL), ETALON_GE_COMPLETED);
    ge_world_close(&world);
}

static void reset_and_enqueue(struct ge_world *at, const struct etalon_ge_callback_call *call)
{
    (void)call;
    at->act = NULL;
    ck_assert_uint_eq(etalon_ge_break(at->ge, 1, 0), 0);
    ge_world_verify(at);
    etalon_ge_enqueue(at->ge, GE_LIST + 0x100, 0, 0, NULL);
    ge_world_verify(at);
}

static void restart_and_enqueue(struct ge_world *at, const struct etalon_ge_callback_call *call)
{
    (void)call;
    at->act = NULL;
    etalon_ge_restart(at->ge);
    ge_world_callback(at);
    etalon_ge_enqueue(at->ge, GE_LIST + 0x100, 0, 0, NULL);
    ge_world_verify(at);
}

/* In callbacks of each kind, eagerly or not, the queue may be reset: the new list runs, once, from its start.
 */
static void callbacks_may_reset(void)
{
    static const uint32_t lists[][4] = {{GE_SIGNAL(1, 5), GE_END, GE_FINISH(6), GE_END},
                                        {GE_SIGNAL(2, 5), GE_END, GE_FINISH(6), GE_END},
                                        {GE_SIGNAL(3, 5), GE_END, GE_FINISH(6), GE_END},
                                        {0, 0, GE_FINISH(6), GE_END}};
    for (unsigned i = 0; i < 16; i++) {
        ge_world_open(&world, i & 4 ? GE_SDK_NEW : GE_SDK_OLD, i & 1);
        ge_world_put(&world, GE_LIST, lists[i / 4], 4);
        GE_PUT(&world, GE_LIST + 0x100, 0x5c000001, GE_FINISH(9), GE_END);
        world.act = i & 2 ? reset_and_enqueue : restart_and_enqueue;
        etalon_ge_enqueue(world.ge, GE_LIST, 0, ge_world_callback(&world), NULL);
        etalon_ge_advance(world.ge, ALL);
        ck_assert_uint_eq(world.call_count, 2);
        ck_assert_uint_eq(world.calls[1].value, 9);
        ck_assert_uint_eq(etalon_ge_draw_sync(world.ge, ETALON_GE_POLL, NULL), ETALON_GE_COMPLETED);
        ck_assert_uint_eq(etalon_ge_draw_sync(world.ge, ETALON_GE_WAIT, NULL), 0);
        ge_world_close(&world);
    }
}

static void restart_drops_a_late_callback(void)
{
    ge_world_open(&world, GE_SDK_NEW, false);
    GE_PUT(&world, GE_LIST, GE_SIGNAL(1, 5), GE_END, GE_FINISH(6), GE_END);
    world.answer = ETALON_GE_CALLBACK_PENDING;
    etalon_ge_enqueue(world.ge, GE_LIST, 0, ge_world_callback(&world), NULL);
    etalon_ge_advance(world.ge, ALL);
    ck_assert(etalon_ge_in_callback(world.ge));
    etalon_ge_restart(world.ge);
    ck_assert(!etalon_ge_in_callback(world.ge));
    etalon_ge_callback_done(world.ge);
    ck_assert_uint_eq(etalon_ge_draw_sync(world.ge, ETALON_GE_WAIT, NULL), 0);
    ge_world_close(&world);
}

static void break_it(struct ge_world *at, const struct etalon_ge_callback_call *call)
{
    at->act = NULL;
    ck_assert_uint_eq(etalon_ge_break(at->ge, 0, 0), call->list);
}

/* On a PSP this hangs; here the list is stopped and starts again with its SIGNAL. */
static void break_in_a_suspend_callback_of_a_new_sdk(void)
{
    uint32_t id;
    ge_world_open(&world, GE_SDK_NEW, false);
    GE_PUT(&world, GE_LIST, GE_SIGNAL(1, 5), GE_END, GE_FINISH(6), GE_END);
    world.act = break_it;
    id = etalon_ge_enqueue(world.ge, GE_LIST, 0, ge_world_callback(&world), NULL);
    ck_assert_int_eq(etalon_ge_advance(world.ge, ALL), ETALON_GE_IDLE);
    ck_assert_uint_eq(etalon_ge_list_sync(world.ge, id, ETALON_GE_POLL, NULL), ETALON_GE_PAUSED);
    ge_world_verify(&world);
    ck_assert_uint_eq(etalon_ge_continue(world.ge), 0);
    etalon_ge_advance(world.ge, ALL);
    ck_assert_uint_eq(world.call_count, 3);
    ck_assert_uint_eq(world.calls[1].value, 5);
    ck_assert_uint_eq(world.calls[2].value, 6);
    ge_world_close(&world);
}

static void enqueue_again(struct ge_world *at, const struct etalon_ge_callback_call *call)
{
    (void)call;
    etalon_ge_enqueue(at->ge, GE_LIST, 0, 0, NULL);
}

static void endless_callbacks_are_bounded(void)
{
    ge_world_open(&world, GE_SDK_OLD, true);
    GE_PUT(&world, GE_LIST, GE_FINISH(6), GE_END);
    world.act = enqueue_again;
    etalon_ge_enqueue(world.ge, GE_LIST, 0, ge_world_callback(&world), NULL);
    ck_assert_uint_ge(world.call_count, 100);
    ck_assert_uint_le(world.call_count, 10000);
    ge_world_verify(&world);
    ck_assert_uint_eq(etalon_ge_break(world.ge, 1, 0), 0);
    ge_world_close(&world);
}

/* ---- Time ---- */

static void endless_list(void)
{
    uint32_t id;
    for (int eager = 0; eager < 2; eager++) {
        ge_world_open(&world, GE_SDK_NEW, eager);
        GE_PUT(&world, GE_LIST, GE_BASE08, UINT32_C(0x08800004));
        id = etalon_ge_enqueue(world.ge, GE_LIST, 0, -1, NULL);
        ck_assert_int_eq(etalon_ge_advance(world.ge, 1000), ETALON_GE_LIMIT);
        ck_assert_uint_eq(etalon_ge_list_sync(world.ge, id, ETALON_GE_POLL, NULL), ETALON_GE_DRAWING);
        ck_assert_uint_eq(etalon_ge_break(world.ge, 0, 0), id);
        ck_assert_uint_eq(etalon_ge_continue(world.ge), 0);
        ck_assert_int_eq(etalon_ge_run(world.ge, 1), ETALON_GE_LIMIT);
        /* It can still be stalled: at the JUMP itself. */
        ck_assert_uint_eq(etalon_ge_update_stall(world.ge, id, GE_LIST + 4), 0);
        ck_assert_int_eq(etalon_ge_run(world.ge, 1000), ETALON_GE_STALLED);
        ck_assert_uint_eq(etalon_ge_break(world.ge, 1, 0), 0);
        ck_assert_int_eq(etalon_ge_advance(world.ge, 1000), ETALON_GE_IDLE);
        ge_world_close(&world);
    }
}

static void endless_draws_are_bounded(void)
{
    struct etalon_ge_registers registers;
    ge_world_open(&world, GE_SDK_NEW, false);
    GE_PUT(&world, GE_LIST, GE_BASE08, 0x12000800 | 0x180, UINT32_C(0x02800100), UINT32_C(0x01800000),
           UINT32_C(0x0700c000), UINT32_C(0x04030000) | 0xc000, UINT32_C(0x08800008));
    etalon_ge_enqueue(world.ge, GE_LIST, 0, -1, NULL);
    ck_assert_int_eq(etalon_ge_run(world.ge, 1000000), ETALON_GE_LIMIT);
    etalon_ge_get_registers(world.ge, &registers);
    ck_assert_uint_lt(registers.executed, 200);
    ge_world_close(&world);
}

/* The order of what can be seen does not depend on how far the GE goes at a time. */
static void steps_of_any_size(void)
{
    for (unsigned step = 1; step < 9; step++) {
        uint32_t ids[2];
        ge_world_open(&world, GE_SDK_NEW, false);
        GE_PUT(&world, GE_LIST, GE_SIGNAL(2, 1), GE_END, 0, GE_SIGNAL(1, 2), GE_END, GE_FINISH(3), GE_END);
        GE_PUT(&world, GE_LIST + 0x100, GE_SIGNAL(8, 0), GE_END, GE_FINISH(4), GE_END, GE_FINISH(5), GE_END);
        ids[0] = etalon_ge_enqueue(world.ge, GE_LIST, 0, ge_world_callback(&world), NULL);
        ids[1] = etalon_ge_enqueue(world.ge, GE_LIST + 0x100, 0, 0, NULL);
        for (unsigned i = 0; i < 40; i++) {
            if (i & 1)
                etalon_ge_run(world.ge, step);
            else
                etalon_ge_advance(world.ge, step);
            ge_world_verify(&world);
        }
        ck_assert_uint_eq(world.call_count, 4);
        for (unsigned i = 0; i < 3; i++)
            ck_assert_uint_eq(world.calls[i].value, i + 1);
        ck_assert_uint_eq(world.calls[3].value, 5);
        ck_assert_uint_eq(world.calls[2].list, ids[0]);
        ck_assert_uint_eq(world.calls[3].list, ids[1]);
        ge_world_close(&world);
    }
}

static void stops_have_reasons(void)
{
    uint32_t id;
    ge_world_open(&world, GE_SDK_NEW, false);
    GE_PUT(&world, GE_LIST, 0, GE_SIGNAL(0, 0), GE_END, GE_FINISH(1), GE_END);
    ck_assert_int_eq(etalon_ge_advance(world.ge, ALL), ETALON_GE_IDLE);
    id = etalon_ge_enqueue(world.ge, GE_LIST, GE_LIST + 4, -1, NULL);
    ck_assert_int_eq(etalon_ge_run(world.ge, 0), ETALON_GE_LIMIT);
    ck_assert_int_eq(etalon_ge_run(world.ge, ALL), ETALON_GE_STALLED);
    etalon_ge_update_stall(world.ge, id, 0);
    ck_assert_int_eq(etalon_ge_run(world.ge, ALL), ETALON_GE_HELD);
    ck_assert_int_eq(etalon_ge_advance(world.ge, ALL), ETALON_GE_STOPPED);
    ck_assert_int_eq(etalon_ge_fault(world.ge)->status, ETALON_BAD_VALUE);
    ck_assert_uint_eq(etalon_ge_fault(world.ge)->address, GE_LIST + 4);
    etalon_ge_clear_fault(world.ge);
    ck_assert_int_eq(etalon_ge_fault(world.ge)->status, ETALON_OK);
    ge_world_close(&world);
}

/* ---- Memory that is not there ---- */

static void unmapped_list(void)
{
    static const uint32_t addresses[] = {0x00000000, 0x08000000, 0x09000000, 0x1ffffffc,
                                         GE_RAM_BASE + GE_RAM_SIZE};
    for (size_t i = 0; i < ET_COUNT(addresses); i++) {
        uint32_t id;
        ge_world_open(&world, GE_SDK_NEW, i & 1);
        id = etalon_ge_enqueue(world.ge, addresses[i], 0, -1, NULL);
        ck_assert_int_eq(etalon_ge_advance(world.ge, ALL), ETALON_GE_FAULTED);
        ck_assert_int_eq(etalon_ge_fault(world.ge)->status, ETALON_UNMAPPED);
        ck_assert_uint_eq(etalon_ge_fault(world.ge)->address, addresses[i]);
        ck_assert_uint_eq(world.fault_count, 1);
        ck_assert_uint_eq(etalon_ge_list_sync(world.ge, id, ETALON_GE_POLL, NULL),
                          addresses[i] ? ETALON_GE_DRAWING : ETALON_GE_STALLING);
        ge_world_verify(&world);
        ck_assert_uint_eq(etalon_ge_break(world.ge, 1, 0), 0);
        ck_assert_int_eq(etalon_ge_advance(world.ge, ALL), ETALON_GE_IDLE);
        ge_world_close(&world);
    }
}

static void list_runs_out_of_memory(void)
{
    ge_world_open(&world, GE_SDK_NEW, false);
    etalon_ge_enqueue(world.ge, GE_LIST, 0, -1, NULL);
    ck_assert_int_eq(etalon_ge_advance(world.ge, ALL), ETALON_GE_FAULTED);
    ck_assert_uint_eq(etalon_ge_fault(world.ge)->address, GE_RAM_BASE + GE_RAM_SIZE);
    ge_world_close(&world);
}

static void unmapped_stack_and_context(void)
{
    const struct etalon_ge_options stack = {16, 0, 4, 0x09000000}, context = {16, 0x09000000, 0, 0};
    uint32_t id;
    ge_world_open(&world, GE_SDK_NEW, false);
    GE_PUT(&world, GE_LIST, GE_SIGNAL(0x11, GE_LIST >> 16), GE_END, GE_FINISH(1), GE_END);
    id = etalon_ge_enqueue(world.ge, GE_LIST, 0, -1, &stack);
    ck_assert_int_eq(etalon_ge_advance(world.ge, ALL), ETALON_GE_STOPPED);
    ck_assert_int_eq(etalon_ge_fault(world.ge)->status, ETALON_UNMAPPED);
    ck_assert_uint_eq(etalon_ge_list_sync(world.ge, id, ETALON_GE_POLL, NULL), ETALON_GE_DRAWING);
    etalon_ge_break(world.ge, 1, 0);
    etalon_ge_clear_fault(world.ge);
    etalon_ge_enqueue(world.ge, GE_LIST + 8, 0, -1, &context);
    ck_assert_int_eq(etalon_ge_fault(world.ge)->status, ETALON_UNMAPPED);
    ck_assert_int_eq(etalon_ge_advance(world.ge, ALL), ETALON_GE_IDLE);
    ck_assert_uint_eq(etalon_ge_save_context(world.ge, 0x09000000), ETALON_GE_PRIV_REQUIRED);
    ck_assert_uint_eq(etalon_ge_restore_context(world.ge, GE_RAM_BASE + GE_RAM_SIZE - 1024),
                      ETALON_GE_PRIV_REQUIRED);
    ck_assert_uint_eq(etalon_ge_get_matrix(world.ge, 8, 0), ETALON_GE_PRIV_REQUIRED);
    ge_world_close(&world);
}

static void read_only_list(void)
{
    ge_world_open(&world, GE_SDK_NEW, false);
    etalon_ge_destroy(world.ge);
    world.region.read_only = true;
    ck_assert_int_eq(etalon_ge_create(&world.config, &world.ge, NULL), ETALON_OK);
    GE_PUT(&world, GE_LIST, GE_SIGNAL(0x20, 0), GE_END, GE_FINISH(1), GE_END);
    etalon_ge_enqueue(world.ge, GE_LIST, 0, -1, NULL);
    ck_assert_int_eq(etalon_ge_advance(world.ge, ALL), ETALON_GE_STOPPED);
    ck_assert_int_eq(etalon_ge_fault(world.ge)->status, ETALON_READ_ONLY);
    ck_assert_uint_eq(ge_world_word(&world, GE_LIST), GE_SIGNAL(0x20, 0));
    ge_world_close(&world);
}

static void stores_are_reported(void)
{
    ge_world_open(&world, GE_SDK_NEW, false);
    ck_assert_uint_eq(etalon_ge_get_matrix(world.ge, 10, 0x40000000 | GE_RAM_BASE), 0);
    ck_assert_uint_eq(world.written_count, 1);
    ck_assert_uint_eq(world.written_address, GE_RAM_BASE);
    ck_assert_uint_eq(world.written_size, 64);
    ck_assert_uint_eq(etalon_ge_save_context(world.ge, GE_RAM_BASE), 0);
    ck_assert_uint_eq(world.written_count, 3);
    ck_assert_uint_eq(world.written_address, GE_RAM_BASE + 17 * 4);
    ge_world_close(&world);
}

static void stamp(void *user, uint32_t address, uint32_t size)
{
    et_ram_stamp(user, address - GE_RAM_BASE, size, 7, ET_WRITER_GPU);
}

/* Over Etalon's RAM: what the driver stores is seen as a change. */
static void stands_on_tracked_ram(void)
{
    struct etalon_ge_region region = {GE_RAM_BASE, 0x10000, NULL, false};
    struct etalon_ge_config config = {.regions = &region, .region_count = 1, .hooks = {.written = stamp}};
    struct et_ram ram;
    struct etalon_ge *ge;
    ck_assert_int_eq(et_ram_create(&ram, 0x10000, ET_RAM_TRACKED, NULL), ETALON_OK);
    region.host = ram.base;
    config.hooks.user = &ram;
    ck_assert_int_eq(etalon_ge_create(&config, &ge, NULL), ETALON_OK);
    ck_assert_uint_eq(et_ram_next_changed(&ram, 0, ram.size, 6), ram.size);
    ck_assert_uint_eq(etalon_ge_save_context(ge, GE_RAM_BASE + 0x3000), 0);
    ck_assert_uint_eq(et_ram_next_changed(&ram, 0, ram.size, 6), 0x3000);
    etalon_ge_destroy(ge);
    et_ram_destroy(&ram);
}

/* ---- Making one ---- */

static void regions_are_checked(void)
{
    static const struct {
        uint32_t address, size, second, second_size;
    } bad[] = {{GE_RAM_BASE + 2, 64, 0x1000, 64},
               {GE_RAM_BASE, 62, 0x1000, 64},
               {GE_RAM_BASE, 0, 0x1000, 64},
               {0x1fffff00, 0x200, 0x1000, 64},
               {GE_RAM_BASE, 64, GE_RAM_BASE + 60, 64},
               {GE_RAM_BASE, 64, 0x40000000 | GE_RAM_BASE, 4}};
    static uint8_t bytes[0x200];
    for (size_t i = 0; i < ET_COUNT(bad); i++) {
        const struct etalon_ge_region regions[] = {{bad[i].address, bad[i].size, bytes, false},
                                                   {bad[i].second, bad[i].second_size, bytes, false}};
        const struct etalon_ge_config config = {.regions = regions, .region_count = 2};
        struct etalon_error error = {0};
        struct etalon_ge *ge = (struct etalon_ge *)(void *)bytes;
        ck_assert_int_eq(etalon_ge_create(&config, &ge, &error), ETALON_INVALID);
        ck_assert_ptr_null(ge);
        ck_assert(error.at & ETALON_AT_ADDRESS);
    }
    etalon_ge_destroy(NULL);
}

static void creation_survives_failed_allocations(void)
{
    struct etalon_ge *ge;
    ge_world_open(&world, GE_SDK_NEW, false);
    for (size_t n = 1; n < 3; n++) {
        et_alloc_fail_after(n);
        ck_assert_int_eq(etalon_ge_create(&world.config, &ge, NULL), ETALON_NO_MEMORY);
        et_alloc_fail_after(0);
        ck_assert_ptr_null(ge);
    }
    ge_world_close(&world);
}

static void no_hooks_and_no_memory_needed(void)
{
    const struct etalon_ge_config config = {.sdk_version = GE_SDK_NEW};
    struct etalon_ge *ge;
    uint32_t id;
    ck_assert_int_eq(etalon_ge_create(&config, &ge, NULL), ETALON_OK);
    id = etalon_ge_enqueue(ge, GE_LIST, GE_LIST, 3, NULL);
    ck_assert_uint_eq(etalon_ge_list_sync(ge, id, ETALON_GE_POLL, NULL), ETALON_GE_DRAWING + 1);
    etalon_ge_update_stall(ge, id, 0);
    ck_assert_int_eq(etalon_ge_advance(ge, ALL), ETALON_GE_FAULTED);
    etalon_ge_destroy(ge);
}

static void two_are_independent(void)
{
    static struct ge_world second;
    uint32_t id;
    ge_world_open(&world, GE_SDK_NEW, true);
    ge_world_open(&second, GE_SDK_OLD, false);
    GE_PUT(&world, GE_LIST, GE_FINISH(1), GE_END);
    id = etalon_ge_enqueue(world.ge, GE_LIST, 0, -1, NULL);
    ck_assert_uint_eq(etalon_ge_list_sync(world.ge, id, ETALON_GE_POLL, NULL), ETALON_GE_COMPLETED);
    ck_assert_uint_eq(etalon_ge_list_sync(second.ge, id, ETALON_GE_POLL, NULL), ETALON_GE_INVALID_ID);
    ge_world_close(&world);
    ge_world_close(&second);
}

/* ---- Records and registers ---- */

static void records_as_the_driver_keeps_them(void)
{
    const struct etalon_ge_options options = {16, 0, 3, GE_LIST + 0x800};
    const uint32_t record = GE_LIST + 0x1000, flag = GE_LIST + 0x1100;
    struct etalon_ge_list_info info;
    uint32_t ids[2];
    uint8_t slots[ETALON_GE_LISTS];
    ge_world_open(&world, GE_SDK_NEW, false);
    GE_PUT(&world, GE_LIST, GE_SIGNAL(3, 0x77), GE_END, GE_FINISH(1), GE_END);
    ids[0] = etalon_ge_enqueue(world.ge, GE_LIST, GE_LIST + 8, 5, &options);
    ids[1] = etalon_ge_enqueue(world.ge, GE_LIST + 0x100, 0, -9, NULL);
    ck_assert_uint_eq(etalon_ge_get_list(world.ge, 0, 0, 0), ETALON_GE_INVALID_ID);
    ck_assert_uint_eq(etalon_ge_get_list(world.ge, ids[0], record, flag), 0);
    ck_assert_uint_eq(ge_world_word(&world, flag), 2 * 4 + 0);
    ck_assert_uint_eq(ge_world_word(&world, record + 8), 0x00010002);
    ck_assert_uint_eq(ge_world_word(&world, record + 20), GE_LIST);
    ck_assert_uint_eq(ge_world_word(&world, record + 24), GE_LIST + 8);
    ck_assert_uint_eq(ge_world_word(&world, record + 52) & 0xffff, 5);
    ck_assert_uint_eq(ge_world_word(&world, record + 56), 3);
    ck_assert_uint_eq(ge_world_word(&world, record + 60), GE_LIST + 0x800);
    etalon_ge_advance(world.ge, ALL);
    ck_assert_uint_eq(etalon_ge_get_list(world.ge, ids[0], record, flag), 0);
    ck_assert_uint_eq(ge_world_word(&world, flag), 4 * 4 + 2);
    ck_assert_uint_eq(ge_world_word(&world, record + 52), 0x00770005);
    ck_assert_uint_eq(etalon_ge_get_list(world.ge, ids[1], record + 64, 0), 0);
    ck_assert_uint_eq(ge_world_word(&world, record + 64 + 52), 0x0000ffff);
    /* The links: next of the first is where the second's previous points from. */
    ck_assert_uint_eq(ge_world_word(&world, record + 4), 0);
    ck_assert_uint_eq(ge_world_word(&world, record + 64), 0);
    ck_assert_uint_eq(ge_world_word(&world, record) - ge_world_word(&world, record + 64 + 4), 64);

    ck_assert_uint_eq(etalon_ge_get_list_ids(world.ge, record, 8, flag), 2);
    ck_assert_uint_eq(ge_world_word(&world, record), ids[0]);
    ck_assert_uint_eq(ge_world_word(&world, record + 4), ids[1]);
    ck_assert_uint_eq(ge_world_word(&world, flag), 2);
    ck_assert_uint_eq(etalon_ge_get_list_ids(world.ge, record, 1, flag), 1);
    ck_assert_uint_eq(ge_world_word(&world, flag), 2);
    ck_assert_uint_eq(etalon_ge_get_list_ids(world.ge, 0, 0, 0), 0);

    ck_assert_uint_eq(etalon_ge_get_queue(world.ge, slots), 2);
    ck_assert(etalon_ge_get_list_info(world.ge, slots[0], &info));
    ck_assert(info.id == ids[0] && info.on_ge && info.started && info.on_queue && !info.done);
    ck_assert_int_eq(info.pending, ETALON_GE_PENDING_PAUSE);
    ck_assert(!etalon_ge_get_list_info(world.ge, ETALON_GE_LISTS, &info));
    ge_world_close(&world);
}

static void every_register_is_kept(void)
{
    uint32_t words[256];
    struct etalon_ge_registers registers;
    size_t count = 0;
    ge_world_open(&world, GE_SDK_NEW, false);
    for (uint32_t opcode = 0; opcode < 256; opcode++)
        if (opcode < 0x07 || opcode > 0x0f)
            words[count++] = opcode << 24 | 0x120000 | opcode;
    words[count++] = GE_FINISH(0x123);
    words[count++] = GE_END | 0x456;
    ge_world_put(&world, GE_LIST, words, count);
    etalon_ge_enqueue(world.ge, GE_LIST, 0, -1, NULL);
    ck_assert_int_eq(etalon_ge_advance(world.ge, ALL), ETALON_GE_IDLE);
    etalon_ge_get_registers(world.ge, &registers);
    for (size_t i = 0; i < count; i++) {
        const uint32_t opcode = words[i] >> 24;
        const bool counts = opcode == 0x2a || opcode == 0x3a || opcode == 0x3c || opcode == 0x3e ||
                            opcode == 0x40; /* numbers of matrices move on with the data */
        if (!counts)
            ck_assert_uint_eq(registers.commands[opcode], words[i]);
        if (!counts && opcode < 255)
            ck_assert_uint_eq(etalon_ge_get_command(world.ge, opcode), words[i]);
    }
    ck_assert_uint_eq(registers.executed, count);
    ge_world_close(&world);
}

static void commands_read_well(void)
{
    static const struct {
        uint32_t command;
        const char *text;
    } cases[] = {{0, "NOP"},
                 {GE_END, "END"},
                 {0x08123456, "JUMP 0x123456"},
                 {0x0e010005, "SIGNAL SUSPEND (0x01), value 0x0005"},
                 {0x0e250005, "SIGNAL texture address (0x25), value 0x0005"},
                 {0x0e400005, "SIGNAL unknown (0x40), value 0x0005"},
                 {0x04030006, "PRIM type 3, 6 vertices"},
                 {0x12000123, "VERTEXTYPE 0x000123"},
                 {0x03000001, "opcode 0x03 0x000001"}};
    char text[96], tiny[4];
    for (size_t i = 0; i < ET_COUNT(cases); i++) {
        etalon_ge_describe(cases[i].command, text, sizeof text);
        ck_assert_str_eq(text, cases[i].text);
    }
    etalon_ge_describe(GE_END, tiny, sizeof tiny);
    ck_assert_str_eq(tiny, "END");
    etalon_ge_describe(0x08123456, tiny, sizeof tiny);
    ck_assert_str_eq(tiny, "JUM");
}

#define UNIT(name, rules)                                                                                    \
    {                                                                                                        \
#name, rules, name                                                                                   \
    }

const struct ge_unit ge_units[] = {
    UNIT(would_wait_gives_tokens, "R55 R56 R63 R68"),
    UNIT(waiters_outlive_a_reset_and_not_a_restart, "R78 R89"),
    UNIT(nobody_waits_in_a_handler, "R61 R62"),
    UNIT(no_memory_for_a_waiter, ""),
    UNIT(draw_sync_ends_beside_a_late_callback, "R68"),
    UNIT(callbacks_may_end_late, "R29 R30 R37 R47"),
    UNIT(callback_done_within_its_hook, ""),
    UNIT(callbacks_may_reset, "R76 R77 R89"),
    UNIT(restart_drops_a_late_callback, "R89"),
    UNIT(break_in_a_suspend_callback_of_a_new_sdk, "R72 R88"),
    UNIT(endless_callbacks_are_bounded, ""),
    UNIT(endless_list, "R8 R71 R85"),
    UNIT(endless_draws_are_bounded, ""),
    UNIT(steps_of_any_size, "R1 R2 R31 R33 R90"),
    UNIT(stops_have_reasons, "R112"),
    UNIT(unmapped_list, ""),
    UNIT(list_runs_out_of_memory, ""),
    UNIT(unmapped_stack_and_context, ""),
    UNIT(read_only_list, ""),
    UNIT(stores_are_reported, ""),
    UNIT(stands_on_tracked_ram, "R103"),
    UNIT(regions_are_checked, ""),
    UNIT(creation_survives_failed_allocations, ""),
    UNIT(no_hooks_and_no_memory_needed, ""),
    UNIT(two_are_independent, ""),
    UNIT(records_as_the_driver_keeps_them, "R12"),
    UNIT(every_register_is_kept, "R107"),
    UNIT(commands_read_well, ""),
};
const size_t ge_unit_count = ET_COUNT(ge_units);
