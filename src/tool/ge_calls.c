/* The calls that a scenario can make. */
#include "tool/ge_player.h"

#include "base/alloc.h"
#include "base/bits.h"

#include <stdlib.h>

struct step {
    struct et_ge_player *player;
    struct etalon_ge *ge;
    const cJSON *args, *expect, *bind;
    enum et_ge_context context;
    struct et_ge_answer *answer;
};

static uint32_t argument(const struct step *step, const char *name)
{
    return et_ge_argument(step->player, step->args, name, 0);
}

static const char *text_of(const struct step *step, const cJSON *from, const char *name)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(from, name);
    if (cJSON_IsString(item))
        return item->valuestring;
    et_ge_malformed(step->player, "'%s' is no string", name);
    return "";
}

static void answer_with(const struct step *step, uint32_t value)
{
    step->answer->value = value;
    step->answer->has_value = true;
}

/* ---- The driver's calls ---- */

static uint32_t enqueue_at(const struct step *step, bool head)
{
    const cJSON *opt = cJSON_GetObjectItemCaseSensitive(step->args, "opt");
    const uint32_t list = argument(step, "list"), stall = argument(step, "stall");
    const int32_t callback = (int32_t)et_ge_argument(step->player, step->args, "cb", UINT32_MAX);
    struct etalon_ge_options options;
    const bool given = opt && !cJSON_IsNull(opt);
    if (given) {
        options.size = et_ge_argument(step->player, opt, "size", 16);
        options.context = et_ge_argument(step->player, opt, "context", 0);
        options.depth = et_ge_argument(step->player, opt, "num_stacks", 0);
        options.stack = et_ge_argument(step->player, opt, "stacks", 0);
    }
    return head ? etalon_ge_enqueue_head(step->ge, list, stall, callback, given ? &options : NULL)
                : etalon_ge_enqueue(step->ge, list, stall, callback, given ? &options : NULL);
}

static void call_enqueue(const struct step *step)
{
    answer_with(step, enqueue_at(step, false));
}

static void call_enqueue_head(const struct step *step)
{
    answer_with(step, enqueue_at(step, true));
}

static void call_list_sync(const struct step *step)
{
    answer_with(step, etalon_ge_list_sync(step->ge, argument(step, "list"), argument(step, "mode"),
                                          &step->answer->wait));
}

static void call_draw_sync(const struct step *step)
{
    answer_with(step, etalon_ge_draw_sync(step->ge, argument(step, "mode"), &step->answer->wait));
}

static void call_break(const struct step *step)
{
    answer_with(step, etalon_ge_break(step->ge, argument(step, "mode"), argument(step, "param")));
}

static void call_continue(const struct step *step)
{
    answer_with(step, etalon_ge_continue(step->ge));
}

static void call_dequeue(const struct step *step)
{
    answer_with(step, etalon_ge_dequeue(step->ge, argument(step, "list")));
}

static void call_update_stall(const struct step *step)
{
    answer_with(step, etalon_ge_update_stall(step->ge, argument(step, "list"), argument(step, "addr")));
}

static void call_set_callback(const struct step *step)
{
    struct et_ge_player *player = step->player;
    const cJSON *signal = cJSON_GetObjectItemCaseSensitive(step->args, "signal");
    const cJSON *finish = cJSON_GetObjectItemCaseSensitive(step->args, "finish");
    struct etalon_ge_callback callback = {0};
    if (!et_grow(&player->registrations, &player->registration_capacity, player->registration_count + 1,
                 sizeof *player->registrations)) {
        et_ge_malformed(player, "out of memory");
        return;
    }
    player->registrations[player->registration_count++].label =
        cJSON_IsString(step->bind) ? step->bind->valuestring : "";
    if (signal && !cJSON_IsNull(signal)) {
        callback.signal_function = (uint32_t)player->registration_count;
        callback.signal_argument = et_ge_argument(player, signal, "arg", 0);
    }
    if (finish && !cJSON_IsNull(finish)) {
        callback.finish_function = (uint32_t)player->registration_count;
        callback.finish_argument = et_ge_argument(player, finish, "arg", 0);
    }
    answer_with(step, etalon_ge_set_callback(step->ge, &callback));
}

static void call_unset_callback(const struct step *step)
{
    answer_with(step, etalon_ge_unset_callback(step->ge, argument(step, "cb")));
}

static void call_save_context(const struct step *step)
{
    answer_with(step, etalon_ge_save_context(step->ge, argument(step, "addr")));
}

static void call_restore_context(const struct step *step)
{
    answer_with(step, etalon_ge_restore_context(step->ge, argument(step, "addr")));
}

static void call_get_stack(const struct step *step)
{
    answer_with(step, etalon_ge_get_stack(step->ge, (int32_t)argument(step, "level"), argument(step, "out")));
}

static void call_get_cmd(const struct step *step)
{
    answer_with(step, etalon_ge_get_command(step->ge, argument(step, "cmd")));
}

static void call_get_mtx(const struct step *step)
{
    answer_with(step, etalon_ge_get_matrix(step->ge, argument(step, "id"), argument(step, "out")));
}

static void call_get_list(const struct step *step)
{
    answer_with(step, etalon_ge_get_list(step->ge, argument(step, "list"), argument(step, "out"),
                                         argument(step, "flag")));
}

static void call_get_list_ids(const struct step *step)
{
    answer_with(step, etalon_ge_get_list_ids(step->ge, argument(step, "out"), argument(step, "room"),
                                             argument(step, "count")));
}

/* ---- The world ---- */

static void call_set_sdk(const struct step *step)
{
    etalon_ge_set_sdk(step->ge, argument(step, "version"));
}

static void set_counted(const struct step *step, int *count, int by,
                        void (*set)(struct etalon_ge *ge, bool enabled))
{
    *count = ET_MAX(*count + by, 0);
    set(step->ge, *count == 0);
}

static void call_suspend_intr(const struct step *step)
{
    set_counted(step, &step->player->interrupts_off, 1, etalon_ge_set_interrupts);
}

static void call_resume_intr(const struct step *step)
{
    set_counted(step, &step->player->interrupts_off, -1, etalon_ge_set_interrupts);
}

static void call_suspend_dispatch(const struct step *step)
{
    set_counted(step, &step->player->dispatch_off, 1, etalon_ge_set_dispatch);
}

static void call_resume_dispatch(const struct step *step)
{
    set_counted(step, &step->player->dispatch_off, -1, etalon_ge_set_dispatch);
}

static void call_restart(const struct step *step)
{
    struct et_ge_player *player = step->player;
    etalon_ge_restart(step->ge);
    player->interrupts_off = player->dispatch_off = 0;
    player->callback_waits = false;
    for (size_t i = 0; i < player->thread_count; i++) { /* threads go with their executable */
        player->threads[i].token = player->threads[i].woken = 0;
        player->threads[i].ended = true;
    }
}

static void call_write(const struct step *step)
{
    et_ge_write_block(step->player, step->args);
}

static void call_read(const struct step *step)
{
    const cJSON *words = cJSON_GetObjectItemCaseSensitive(step->expect, "words"), *word;
    const uint32_t address = argument(step, "addr");
    uint32_t i = 0;
    cJSON_ArrayForEach(word, words)
    {
        const uint32_t at = address + 4 * i;
        const void *host = etalon_ge_map(step->ge, at & ~UINT32_C(3), 4);
        const uint32_t got = host ? et_load32(host) : 0;
        const cJSON *other = cJSON_GetObjectItemCaseSensitive(word, "not");
        if (cJSON_IsObject(word)) {
            if (other && got == et_ge_number(step->player, other, true))
                et_ge_broken(step->player, "word %u is still 0x%08x", i, got);
        } else if (!cJSON_IsNull(word)) {
            const uint32_t wanted = et_ge_number(step->player, word, true);
            if (got != wanted)
                et_ge_broken(step->player, "word %u is 0x%08x, expected 0x%08x", i, got, wanted);
        }
        i++;
    }
}

/* ---- Threads and ids ---- */

static void call_start_thread(const struct step *step)
{
    et_ge_start_thread(step->player, step->args);
}

static void call_thread_state(const struct step *step)
{
    const char *name = text_of(step, step->args, "thread");
    const char *wanted = text_of(step, step->expect, "state");
    for (size_t i = 0; i < step->player->thread_count; i++) {
        const struct et_ge_thread *thread = &step->player->threads[i];
        if (strcmp(thread->name, name))
            continue;
        if (strcmp(thread->ended ? "ended" : "waiting", wanted))
            et_ge_broken(step->player, "thread %s is %s, expected %s", name,
                         thread->ended ? "ended" : "waiting", wanted);
        return;
    }
    et_ge_malformed(step->player, "no thread %s", name);
}

static void call_same_id(const struct step *step)
{
    const cJSON *wanted = cJSON_GetObjectItemCaseSensitive(step->expect, "same");
    const uint32_t a = argument(step, "a"), b = argument(step, "b");
    if (cJSON_IsBool(wanted) && (a == b) != cJSON_IsTrue(wanted))
        et_ge_broken(step->player, "ids 0x%08x and 0x%08x, expected %s", a, b,
                     cJSON_IsTrue(wanted) ? "the same" : "different ones");
}

/* Ids in the order of first appearance, and how often each was handed out. */
struct usage {
    uint32_t ids[ETALON_GE_LISTS], uses[ETALON_GE_LISTS];
    unsigned count, accepted;
};

static void count_id(const struct step *step, struct usage *usage, uint32_t id)
{
    unsigned i = 0;
    usage->accepted++;
    while (i < usage->count && usage->ids[i] != id)
        i++;
    if (i == ETALON_GE_LISTS) {
        et_ge_broken(step->player, "more than %u ids", (unsigned)ETALON_GE_LISTS);
        return;
    }
    if (i == usage->count)
        usage->ids[usage->count++] = id;
    usage->uses[i]++;
}

static void hold_usage(const struct step *step, const struct usage *usage)
{
    const cJSON *accepted = cJSON_GetObjectItemCaseSensitive(step->expect, "accepted");
    const cJSON *uses = cJSON_GetObjectItemCaseSensitive(step->expect, "uses"), *use;
    unsigned i = 0;
    if (accepted && usage->accepted != et_ge_number(step->player, accepted, false))
        et_ge_broken(step->player, "accepted %u, expected %u", usage->accepted,
                     et_ge_number(step->player, accepted, false));
    if (uses && (unsigned)cJSON_GetArraySize(uses) != usage->count)
        et_ge_broken(step->player, "%u different ids, expected %d", usage->count, cJSON_GetArraySize(uses));
    cJSON_ArrayForEach(use, uses)
    {
        if (i < usage->count && usage->uses[i] != et_ge_number(step->player, use, false))
            et_ge_broken(step->player, "id %u was handed out %u times, expected %u", i, usage->uses[i],
                         et_ge_number(step->player, use, false));
        i++;
    }
}

static void call_id_usage(const struct step *step)
{
    const cJSON *error = cJSON_GetObjectItemCaseSensitive(step->expect, "error");
    const bool stall_zero = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(step->args, "stall_zero"));
    const bool each = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(step->args, "dequeue_each"));
    const uint32_t count = argument(step, "count"), list = argument(step, "list");
    const uint32_t stride = argument(step, "stride");
    struct usage usage = {0};
    for (uint32_t i = 0; i < count && !et_ge_failed(step->player); i++) {
        const uint32_t at = list + i * stride;
        const uint32_t id = etalon_ge_enqueue(step->ge, at, stall_zero ? 0 : at, -1, NULL);
        if (stall_zero)
            et_ge_advance_all(step->player);
        if (id >> 31) {
            if (error && id != et_ge_number(step->player, error, false))
                et_ge_broken(step->player, "enqueue %u returned 0x%08x, expected 0x%08x", i, id,
                             et_ge_number(step->player, error, false));
            continue;
        }
        if (each)
            etalon_ge_dequeue(step->ge, id);
        count_id(step, &usage, id);
    }
    hold_usage(step, &usage);
    if (cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(step->args, "dequeue_all_after")))
        for (unsigned i = 0; i < usage.count; i++)
            etalon_ge_dequeue(step->ge, usage.ids[i]);
}

static void call_advance(const struct step *step)
{
    struct et_ge_player *player = step->player;
    const cJSON *events = cJSON_GetObjectItemCaseSensitive(step->expect, "events");
    et_ge_advance_all(player);
    if (step->context != ET_GE_MAIN)
        return;
    player->listed += (size_t)cJSON_GetArraySize(events);
    if (player->used != player->listed)
        et_ge_broken(player, "%zu events so far, expected %zu", player->used, player->listed);
}

/* ---- The table ---- */

static const struct {
    const char *name;
    void (*run)(const struct step *step);
    bool enqueues; /* ids of lists are never 0 (R5) */
} calls[] = {
    {"enqueue", call_enqueue, true},
    {"enqueue_head", call_enqueue_head, true},
    {"list_sync", call_list_sync, false},
    {"draw_sync", call_draw_sync, false},
    {"break", call_break, false},
    {"continue", call_continue, false},
    {"dequeue", call_dequeue, false},
    {"update_stall", call_update_stall, false},
    {"set_callback", call_set_callback, false},
    {"unset_callback", call_unset_callback, false},
    {"save_context", call_save_context, false},
    {"restore_context", call_restore_context, false},
    {"get_stack", call_get_stack, false},
    {"get_cmd", call_get_cmd, false},
    {"get_mtx", call_get_mtx, false},
    {"get_list", call_get_list, false},
    {"get_list_ids", call_get_list_ids, false},
    {"set_sdk", call_set_sdk, false},
    {"suspend_intr", call_suspend_intr, false},
    {"resume_intr", call_resume_intr, false},
    {"suspend_dispatch", call_suspend_dispatch, false},
    {"resume_dispatch", call_resume_dispatch, false},
    {"restart", call_restart, false},
    {"write", call_write, false},
    {"read", call_read, false},
    {"start_thread", call_start_thread, false},
    {"thread_state", call_thread_state, false},
    {"same_id", call_same_id, false},
    {"id_usage", call_id_usage, false},
    {"advance", call_advance, false},
};

static const char *call_name(const cJSON *step)
{
    const cJSON *name = cJSON_GetObjectItemCaseSensitive(step, "call");
    return cJSON_IsString(name) ? name->valuestring : "";
}

void et_ge_call(struct et_ge_player *player, const cJSON *step, enum et_ge_context context,
                struct et_ge_answer *answer)
{
    const char *name = call_name(step);
    const struct step call = {.player = player,
                              .ge = player->ge,
                              .args = cJSON_GetObjectItemCaseSensitive(step, "args"),
                              .expect = cJSON_GetObjectItemCaseSensitive(step, "expect"),
                              .bind = cJSON_GetObjectItemCaseSensitive(step, "bind"),
                              .context = context,
                              .answer = answer};
    *answer = (struct et_ge_answer){0};
    for (size_t i = 0; i < ET_COUNT(calls); i++)
        if (!strcmp(calls[i].name, name)) {
            calls[i].run(&call);
            if (answer->has_value && cJSON_IsString(call.bind))
                et_ge_bind(player, call.bind->valuestring, answer->value);
            if (calls[i].enqueues && answer->has_value && !answer->value)
                et_ge_broken(player, "a list has the id 0");
            return;
        }
    et_ge_malformed(player, "no call '%s'", name);
}

void et_ge_hold(struct et_ge_player *player, const cJSON *step, const struct et_ge_answer *answer)
{
    const cJSON *expect = cJSON_GetObjectItemCaseSensitive(step, "expect");
    const cJSON *ret = cJSON_GetObjectItemCaseSensitive(expect, "ret");
    const cJSON *masked = cJSON_GetObjectItemCaseSensitive(expect, "ret_and");
    if (!answer->has_value || et_ge_failed(player))
        return;
    if (cJSON_IsString(ret) && !strcmp(ret->valuestring, "id")) {
        if (answer->value >> 31)
            et_ge_broken(player, "returned 0x%08x, expected an id", answer->value);
    } else if (ret && !cJSON_IsNull(ret)) {
        const uint32_t wanted = et_ge_number(player, ret, true);
        if (answer->value != wanted)
            et_ge_broken(player, "returned 0x%08x, expected 0x%08x", answer->value, wanted);
    }
    if (cJSON_GetArraySize(masked) == 2) {
        const uint32_t mask = et_ge_number(player, cJSON_GetArrayItem(masked, 0), false);
        if ((answer->value & mask) != et_ge_number(player, cJSON_GetArrayItem(masked, 1), false))
            et_ge_broken(player, "returned 0x%08x", answer->value);
    }
}
