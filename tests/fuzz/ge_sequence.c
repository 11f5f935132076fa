#include "fuzz/ge_sequence.h"

#include "base/alloc.h"
#include "base/bits.h"
#include "etalon-ge.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define RAM_BASE UINT32_C(0x08800000)
#define RAM_SIZE 0x4000u
#define CALLS    60
#define NESTED   3 /* calls that one hook makes at most */

struct fuzz {
    struct etalon_ge *ge;
    uint64_t random;
    uint8_t ram[RAM_SIZE];
    bool eager, pending;
    unsigned depth; /* hooks on the stack */
    uint64_t hook_calls;
    uint32_t ids[16];
    unsigned id_count;
    uint64_t waiting[64], woken[64]; /* tokens */
    unsigned waiting_count, woken_count;
    const char *call; /* for the report */
    char *text;
    size_t text_size;
    bool failed;
};

static uint32_t roll(struct fuzz *fuzz, uint32_t sides)
{
    fuzz->random ^= fuzz->random >> 12;
    fuzz->random ^= fuzz->random << 25;
    fuzz->random ^= fuzz->random >> 27;
    return (uint32_t)((fuzz->random * UINT64_C(0x2545f4914f6cdd1d)) >> 32) % sides;
}

static void fail(struct fuzz *fuzz, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void fail(struct fuzz *fuzz, const char *format, ...)
{
    va_list list;
    size_t length;
    if (fuzz->failed)
        return;
    fuzz->failed = true;
    snprintf(fuzz->text, fuzz->text_size, "%s: ", fuzz->call);
    length = strlen(fuzz->text);
    va_start(list, format);
    vsnprintf(fuzz->text + length, fuzz->text_size - length, format, list);
    va_end(list);
}

/* ---- Random matter ---- */

static uint32_t any_word(struct fuzz *fuzz)
{
    return roll(fuzz, 0x10000) << 16 | roll(fuzz, 0x10000);
}

/* Mostly a word of RAM, few enough that lists meet; now and then elsewhere or misaligned. */
static uint32_t any_address(struct fuzz *fuzz)
{
    const uint32_t address = RAM_BASE + roll(fuzz, 128) * 16 + roll(fuzz, 4) * 4;
    switch (roll(fuzz, 24)) {
    case 0:
        return any_word(fuzz);
    case 1:
        return address + roll(fuzz, 4);
    case 2:
        return address | 0x40000000;
    case 3:
        return 0;
    default:
        return address;
    }
}

static uint32_t any_command(struct fuzz *fuzz)
{
    static const uint8_t behaviours[] = {0x01, 0x02, 0x03, 0x08, 0x10, 0x11, 0x12, 0x13, 0x14, 0x15,
                                         0x16, 0x20, 0x2f, 0x30, 0x38, 0xf0, 0xff, 0x00, 0x99};
    static const uint8_t flow[] = {0x01, 0x02, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0a, 0x0b, 0x10,
                                   0x12, 0x13, 0x14, 0x2a, 0x2b, 0x3e, 0x3f, 0xc4, 0xea, 0x0c, 0x0f};
    const uint32_t low = 0x800000 | roll(fuzz, 128) * 16;
    switch (roll(fuzz, 8)) {
    case 0:
        return UINT32_C(0x0e000000) | (uint32_t)behaviours[roll(fuzz, ET_COUNT(behaviours))] << 16 |
               (roll(fuzz, 2) ? 0x0880u : roll(fuzz, 0x10000));
    case 1:
        return UINT32_C(0x0f000000) | roll(fuzz, 0x10000);
    case 2:
    case 3:
        return UINT32_C(0x0c000000) | (roll(fuzz, 2) ? 0 : roll(fuzz, 128) * 16);
    case 4:
        return (uint32_t)flow[roll(fuzz, ET_COUNT(flow))] << 24 | (roll(fuzz, 4) ? low : roll(fuzz, 64));
    case 5:
        return any_word(fuzz);
    default:
        return 0;
    }
}

static void scribble(struct fuzz *fuzz, unsigned words)
{
    const uint32_t start = roll(fuzz, 512);
    for (unsigned i = 0; i < words && start + i < RAM_SIZE / 4; i++)
        et_store32(fuzz->ram + 4 * (size_t)(start + i), i == 0 ? UINT32_C(0x10080000) : any_command(fuzz));
}

static uint32_t any_id(struct fuzz *fuzz)
{
    return fuzz->id_count && roll(fuzz, 12) ? fuzz->ids[roll(fuzz, fuzz->id_count)]
           : roll(fuzz, 2)                  ? 0
                                            : any_word(fuzz);
}

/* ---- What must hold ---- */

static void check_result(struct fuzz *fuzz, uint32_t result)
{
    static const uint32_t errors[] = {
        ETALON_GE_NOT_SUPPORTED, ETALON_GE_ALREADY,      ETALON_GE_BUSY,          ETALON_GE_NO_MEMORY,
        ETALON_GE_PRIV_REQUIRED, ETALON_GE_INVALID_ID,   ETALON_GE_INVALID_INDEX, ETALON_GE_INVALID_POINTER,
        ETALON_GE_INVALID_SIZE,  ETALON_GE_INVALID_MODE, ETALON_GE_INVALID_VALUE, ETALON_GE_ILLEGAL_CONTEXT,
        ETALON_GE_CAN_NOT_WAIT,  ETALON_GE_FAILED};
    bool known = !(result >> 31);
    for (size_t i = 0; i < ET_COUNT(errors); i++)
        known |= result == errors[i];
    if (!known)
        fail(fuzz, "result 0x%08x", result);
}

static void check_queue(struct fuzz *fuzz)
{
    struct etalon_error error = {0};
    struct etalon_ge_list_info infos[ETALON_GE_LISTS];
    uint8_t slots[ETALON_GE_LISTS];
    const unsigned count = etalon_ge_get_queue(fuzz->ge, slots);
    unsigned on_ge = 0, queued = 0;
    if (etalon_ge_verify(fuzz->ge, &error) != ETALON_OK)
        fail(fuzz, "%s", error.text);
    for (unsigned slot = 0; slot < ETALON_GE_LISTS; slot++) {
        etalon_ge_get_list_info(fuzz->ge, slot, &infos[slot]);
        on_ge += infos[slot].on_ge;
        queued += infos[slot].on_queue;
        if (!infos[slot].id || infos[slot].id >> 31)
            fail(fuzz, "id 0x%08x", infos[slot].id);
        for (unsigned other = 0; other < slot; other++)
            if (infos[slot].id == infos[other].id)
                fail(fuzz, "lists %u and %u share an id", slot, other);
    }
    if (on_ge > 1 || queued != count)
        fail(fuzz, "%u lists on the GE, %u queued of %u", on_ge, count, queued);
    for (unsigned i = 1; i < count; i++)
        if (infos[slots[i]].state == ETALON_GE_LIST_COMPLETED && !etalon_ge_in_callback(fuzz->ge))
            fail(fuzz, "a completed list at place %u", i);
}

/* `after` is `before` without some of its first, in the same order. */
static bool is_suffix(const uint8_t *before, unsigned before_count, const uint8_t *after, unsigned count)
{
    return count <= before_count && !memcmp(before + (before_count - count), after, count);
}

/* ---- Calls: each says how the queue may have changed ---- */

enum change { SAME, FRONT, BACK, WITHOUT, EMPTY, SUFFIX, ANY };

struct outcome {
    enum change change;
    uint32_t id; /* of FRONT, BACK, WITHOUT */
};

static struct outcome do_enqueue(struct fuzz *fuzz)
{
    const bool head = roll(fuzz, 3) == 0, with = roll(fuzz, 2);
    const uint32_t list = any_address(fuzz), stall = roll(fuzz, 3) ? 0 : any_address(fuzz);
    const struct etalon_ge_options options = {
        roll(fuzz, 4) ? 16 : roll(fuzz, 20), roll(fuzz, 3) ? 0 : any_address(fuzz),
        roll(fuzz, 8) ? roll(fuzz, 6) : any_word(fuzz), any_address(fuzz)};
    const int32_t callback = (int32_t)roll(fuzz, 6) - 1;
    const uint32_t id = (head ? etalon_ge_enqueue_head : etalon_ge_enqueue)(fuzz->ge, list, stall, callback,
                                                                            with ? &options : NULL);
    check_result(fuzz, id);
    if (id >> 31)
        return (struct outcome){SAME, 0};
    fuzz->ids[fuzz->id_count < ET_COUNT(fuzz->ids) ? fuzz->id_count++ : roll(fuzz, ET_COUNT(fuzz->ids))] = id;
    return (struct outcome){head ? FRONT : BACK, id};
}

static void begin(struct fuzz *fuzz, uint32_t result, uint64_t wait)
{
    check_result(fuzz, result);
    if (wait && result)
        fail(fuzz, "waits and answers 0x%08x", result);
    if (!wait)
        return;
    for (unsigned i = 0; i < fuzz->waiting_count; i++)
        if (fuzz->waiting[i] == wait)
            fail(fuzz, "a token twice");
    if (fuzz->waiting_count < ET_COUNT(fuzz->waiting))
        fuzz->waiting[fuzz->waiting_count++] = wait;
    else
        etalon_ge_cancel_wait(fuzz->ge, wait);
}

static struct outcome do_sync(struct fuzz *fuzz)
{
    const uint32_t mode = roll(fuzz, 8) ? roll(fuzz, 2) : any_word(fuzz);
    uint64_t wait = 0;
    uint32_t result;
    if (roll(fuzz, 16) == 0)
        et_alloc_fail_after(1);
    result = roll(fuzz, 2) ? etalon_ge_list_sync(fuzz->ge, any_id(fuzz), mode, &wait)
                           : etalon_ge_draw_sync(fuzz->ge, mode, &wait);
    et_alloc_fail_after(0);
    if (mode == ETALON_GE_POLL && result > 4 && result != ETALON_GE_INVALID_ID)
        fail(fuzz, "a poll answers 0x%08x", result);
    begin(fuzz, result, wait);
    return (struct outcome){SAME, 0};
}

static struct outcome do_end_wait(struct fuzz *fuzz)
{
    uint32_t result = 0;
    if (fuzz->woken_count) {
        const uint64_t token = fuzz->woken[--fuzz->woken_count];
        if (etalon_ge_end_wait(fuzz->ge, token, &result) != ETALON_OK || result)
            fail(fuzz, "a woken wait does not end");
    } else if (fuzz->waiting_count) {
        const unsigned i = roll(fuzz, fuzz->waiting_count);
        if (etalon_ge_end_wait(fuzz->ge, fuzz->waiting[i], &result) == ETALON_OK)
            fail(fuzz, "a wait ends that nobody woke");
        if (roll(fuzz, 4) == 0) {
            etalon_ge_cancel_wait(fuzz->ge, fuzz->waiting[i]);
            fuzz->waiting[i] = fuzz->waiting[--fuzz->waiting_count];
        }
    }
    return (struct outcome){SAME, 0};
}

static struct outcome do_break(struct fuzz *fuzz)
{
    const uint32_t mode = roll(fuzz, 3) ? 0 : roll(fuzz, 3);
    const uint32_t result = etalon_ge_break(fuzz->ge, mode, roll(fuzz, 8) ? 0 : any_word(fuzz));
    check_result(fuzz, result);
    return (struct outcome){mode == 1 && !result ? EMPTY : SAME, 0};
}

static struct outcome do_list_call(struct fuzz *fuzz)
{
    const uint32_t id = any_id(fuzz);
    uint32_t result;
    switch (roll(fuzz, 3)) {
    case 0:
        result = etalon_ge_dequeue(fuzz->ge, id);
        check_result(fuzz, result);
        return (struct outcome){result ? SAME : WITHOUT, id};
    case 1:
        check_result(fuzz, etalon_ge_update_stall(fuzz->ge, id, roll(fuzz, 2) ? 0 : any_address(fuzz)));
        return (struct outcome){SAME, 0};
    default:
        check_result(fuzz, etalon_ge_continue(fuzz->ge));
        return (struct outcome){SAME, 0};
    }
}

static struct outcome do_look(struct fuzz *fuzz)
{
    switch (roll(fuzz, 7)) {
    case 0:
        check_result(fuzz, etalon_ge_save_context(fuzz->ge, any_address(fuzz)));
        break;
    case 1:
        check_result(fuzz, etalon_ge_restore_context(fuzz->ge, any_address(fuzz)));
        break;
    case 2:
        check_result(fuzz, etalon_ge_get_stack(fuzz->ge, (int32_t)roll(fuzz, 8) - 2, any_address(fuzz)));
        break;
    case 3:
        (void)etalon_ge_get_command(fuzz->ge, roll(fuzz, 300));
        break;
    case 4:
        check_result(fuzz, etalon_ge_get_matrix(fuzz->ge, roll(fuzz, 14), any_address(fuzz)));
        break;
    case 5:
        check_result(fuzz, etalon_ge_get_list(fuzz->ge, any_id(fuzz), any_address(fuzz), any_address(fuzz)));
        break;
    default:
        check_result(fuzz,
                     etalon_ge_get_list_ids(fuzz->ge, any_address(fuzz), roll(fuzz, 70), any_address(fuzz)));
        break;
    }
    return (struct outcome){SAME, 0};
}

static struct outcome do_world(struct fuzz *fuzz)
{
    static const uint32_t versions[] = {0, 0x01ffffff, 0x02000000, 0x02000010, 0x02000011, 0x06060010};
    const struct etalon_ge_callback callback = {roll(fuzz, 2), 1, roll(fuzz, 2), 2};
    switch (roll(fuzz, 8)) {
    case 0:
        etalon_ge_set_sdk(fuzz->ge, versions[roll(fuzz, ET_COUNT(versions))]);
        break;
    case 1:
    case 2:
        etalon_ge_set_interrupts(fuzz->ge, roll(fuzz, 3));
        return (struct outcome){SUFFIX, 0};
    case 3:
        etalon_ge_set_dispatch(fuzz->ge, roll(fuzz, 3));
        break;
    case 4:
        etalon_ge_set_handler(fuzz->ge, roll(fuzz, 4) == 0);
        break;
    case 5:
    case 6:
        if (roll(fuzz, 3))
            check_result(fuzz, etalon_ge_set_callback(fuzz->ge, &callback));
        else
            check_result(fuzz, etalon_ge_unset_callback(fuzz->ge, roll(fuzz, 18)));
        break;
    default:
        if (roll(fuzz, 4))
            break;
        etalon_ge_restart(fuzz->ge);
        fuzz->waiting_count = fuzz->woken_count = 0;
        if (!fuzz->depth)
            fuzz->pending = false;
        return (struct outcome){EMPTY, 0};
    }
    return (struct outcome){SAME, 0};
}

static struct outcome do_time(struct fuzz *fuzz)
{
    const uint64_t limit = roll(fuzz, 2) ? roll(fuzz, 9) : 2000;
    switch (roll(fuzz, 4)) {
    case 0:
        etalon_ge_run(fuzz->ge, limit);
        return (struct outcome){SAME, 0};
    case 1:
        if (!fuzz->pending && !fuzz->depth)
            etalon_ge_callback_done(fuzz->ge); /* ignored */
        else if (fuzz->pending && !fuzz->depth) {
            fuzz->pending = false;
            etalon_ge_callback_done(fuzz->ge);
        }
        return (struct outcome){SUFFIX, 0};
    default:
        etalon_ge_advance(fuzz->ge, limit);
        return (struct outcome){SUFFIX, 0};
    }
}

static struct outcome do_scribble(struct fuzz *fuzz)
{
    scribble(fuzz, 1 + roll(fuzz, 24));
    return (struct outcome){SAME, 0};
}

static const struct {
    const char *name;
    struct outcome (*run)(struct fuzz *fuzz);
    unsigned weight;
} calls[] = {{"enqueue", do_enqueue, 6}, {"sync", do_sync, 4},      {"end of a wait", do_end_wait, 2},
             {"break", do_break, 2},     {"list", do_list_call, 5}, {"look", do_look, 3},
             {"world", do_world, 3},     {"time", do_time, 8},      {"scribble", do_scribble, 3}};

/* Holds the queue to how the call may have changed it, if no time passed and no hook called. */
static void check_change(struct fuzz *fuzz, const struct outcome *outcome, const uint8_t *before,
                         unsigned before_count)
{
    uint8_t after[ETALON_GE_LISTS];
    struct etalon_ge_list_info info = {0};
    unsigned count = etalon_ge_get_queue(fuzz->ge, after), place = 0;
    switch (outcome->change) {
    case SAME:
        if (count != before_count || memcmp(before, after, count))
            fail(fuzz, "the queue changed");
        break;
    case BACK:
    case FRONT:
        place = outcome->change == BACK ? before_count : 0;
        if (count != before_count + 1)
            fail(fuzz, "%u lists, %u before", count, before_count);
        etalon_ge_get_list_info(fuzz->ge, after[place], &info);
        if (info.id != outcome->id ||
            memcmp(before, outcome->change == BACK ? after : after + 1, before_count))
            fail(fuzz, "the order of the queue");
        break;
    case WITHOUT:
        while (place < count && before[place] == after[place])
            place++;
        etalon_ge_get_list_info(fuzz->ge, before[place], &info);
        if (count + 1 != before_count || info.id != outcome->id ||
            memcmp(before + place + 1, after + place, before_count - place - 1))
            fail(fuzz, "the order of the queue");
        break;
    case EMPTY:
        if (count)
            fail(fuzz, "%u lists left", count);
        break;
    case SUFFIX:
        if (!is_suffix(before, before_count, after, count))
            fail(fuzz, "lists left the queue out of order");
        break;
    default:
        break;
    }
}

static void one_call(struct fuzz *fuzz)
{
    uint8_t before[ETALON_GE_LISTS];
    const unsigned before_count = etalon_ge_get_queue(fuzz->ge, before);
    const uint64_t hook_calls = fuzz->hook_calls;
    struct outcome outcome = {ANY, 0};
    unsigned total = 0, pick, i = 0;
    for (size_t k = 0; k < ET_COUNT(calls); k++)
        total += calls[k].weight;
    for (pick = roll(fuzz, total); pick >= calls[i].weight; i++)
        pick -= calls[i].weight;
    fuzz->call = calls[i].name;
    outcome = calls[i].run(fuzz);
    fuzz->call = calls[i].name;
    check_queue(fuzz);
    if (hook_calls == fuzz->hook_calls && (!fuzz->eager || outcome.change == EMPTY))
        check_change(fuzz, &outcome, before, before_count);
}

/* ---- Hooks ---- */

static void call_back_in(struct fuzz *fuzz)
{
    const char *call = fuzz->call;
    fuzz->depth++;
    for (unsigned n = roll(fuzz, NESTED + 1); n && fuzz->depth < 4 && !fuzz->failed; n--) {
        fuzz->hook_calls++;
        one_call(fuzz);
    }
    fuzz->depth--;
    fuzz->call = call;
}

static enum etalon_ge_callback_answer on_callback(void *user, const struct etalon_ge_callback_call *call)
{
    struct fuzz *fuzz = user;
    if (!etalon_ge_in_callback(fuzz->ge) || call->value >> 16 || call->callback > 15)
        fail(fuzz, "a callback of value 0x%x", call->value);
    if (roll(fuzz, 4) == 0) {
        fuzz->pending = true;
        return ETALON_GE_CALLBACK_PENDING;
    }
    call_back_in(fuzz);
    return ETALON_GE_CALLBACK_DONE;
}

static void on_wake(void *user, uint64_t token)
{
    struct fuzz *fuzz = user;
    for (unsigned i = 0; i < fuzz->waiting_count; i++)
        if (fuzz->waiting[i] == token) {
            fuzz->waiting[i] = fuzz->waiting[--fuzz->waiting_count];
            if (fuzz->woken_count < ET_COUNT(fuzz->woken))
                fuzz->woken[fuzz->woken_count++] = token;
            else
                etalon_ge_cancel_wait(fuzz->ge, token);
            return;
        }
    fail(fuzz, "token %llu is woken and does not wait", (unsigned long long)token);
}

static void on_snapshot(void *user, const struct etalon_ge_snapshot *snapshot)
{
    struct fuzz *fuzz = user;
    struct etalon_ge_vertex vertex;
    if (snapshot->count)
        etalon_ge_vertex(snapshot, roll(fuzz, snapshot->count), &vertex);
    if (roll(fuzz, 32) == 0)
        etalon_ge_snapshot_free(etalon_ge_snapshot_pin(snapshot));
    if (roll(fuzz, 8) == 0)
        call_back_in(fuzz);
}

static void on_command(void *user, uint32_t address, uint32_t command)
{
    struct fuzz *fuzz = user;
    char text[80];
    (void)address;
    etalon_ge_describe(command, text, sizeof text);
    if (roll(fuzz, 64) == 0)
        call_back_in(fuzz);
}

int ge_sequence(uint64_t seed, char *text, size_t size)
{
    static const uint32_t versions[] = {0, 0x02000010, 0x06060010};
    struct fuzz fuzz = {.random = (seed + 1) * UINT64_C(0x9e3779b97f4a7c15) | 1,
                        .text = text,
                        .text_size = size,
                        .call = "create"};
    const struct etalon_ge_region region = {RAM_BASE, RAM_SIZE, fuzz.ram, false};
    struct etalon_ge_config config = {.regions = &region,
                                      .region_count = 1,
                                      .hooks = {.user = &fuzz, .callback = on_callback, .wake = on_wake},
                                      .sdk_version = versions[seed % 3],
                                      .eager = fuzz.eager = seed / 3 % 2,
                                      .eager_limit = 500};
    const struct etalon_ge_callback callback = {1, 1, 1, 2};
    if (seed / 6 % 2)
        config.hooks.snapshot = on_snapshot;
    if (seed / 12 % 4 == 0)
        config.hooks.command = on_command;
    if (etalon_ge_create(&config, &fuzz.ge, NULL) != ETALON_OK)
        return 0;
    for (int i = 0; i < 4; i++)
        etalon_ge_set_callback(fuzz.ge, &callback);
    for (int i = 0; i < 12; i++)
        scribble(&fuzz, 24);
    for (unsigned i = 0; i < CALLS && !fuzz.failed; i++) {
        one_call(&fuzz);
        if (fuzz.pending && roll(&fuzz, 3) == 0) {
            fuzz.pending = false;
            etalon_ge_callback_done(fuzz.ge);
        }
    }
    etalon_ge_destroy(fuzz.ge);
    return !fuzz.failed;
}
