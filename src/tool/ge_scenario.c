/* The player's clockwork: memory, labels, events, threads and time. */
#include "tool/ge_player.h"

#include "base/alloc.h"
#include "base/bits.h"
#include "capture/tar.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>

/* The PSP's memory as far as scenarios touch it. */
static const struct {
    uint32_t address, size;
} memory_map[] = {
    {0x08000000, 0x04000000}, /* kernel and user RAM, the later models' 64 MiB */
    {0x04000000, 0x00800000}, /* video memory with its mirrors, as memory of their own */
    {0x00010000, 0x00004000}, /* scratch pad */
};

#define ADVANCE_LIMIT (UINT64_C(1) << 22) /* commands; an endless list has had its turn */
#define FILE_LIMIT    (UINT64_C(256) << 20)

/* ---- Failures ---- */

bool et_ge_failed(const struct et_ge_player *player)
{
    return player->error->status != ETALON_OK;
}

static void fail(struct et_ge_player *player, enum etalon_status status, const char *format, va_list list)
{
    char text[sizeof player->error->text];
    vsnprintf(text, sizeof text, format, list);
    et_fail(player->error, status, "%s%s%s", player->where, player->where[0] ? ": " : "", text);
}

void et_ge_broken(struct et_ge_player *player, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    fail(player, ETALON_BAD_VALUE, format, list);
    va_end(list);
}

void et_ge_malformed(struct et_ge_player *player, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    fail(player, ETALON_FORMAT, format, list);
    va_end(list);
}

static void tell(const struct et_ge_player *player, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void tell(const struct et_ge_player *player, const char *format, ...)
{
    va_list list;
    if (!player->options->trace)
        return;
    va_start(list, format);
    vfprintf(player->options->trace, format, list);
    va_end(list);
    fputc('\n', player->options->trace);
}

/* ---- Numbers, labels, memory ---- */

static const struct et_ge_label *find_label(const struct et_ge_player *player, const char *name)
{
    for (size_t i = player->label_count; i-- > 0;)
        if (!strcmp(player->labels[i].name, name))
            return &player->labels[i];
    return NULL;
}

void et_ge_bind(struct et_ge_player *player, const char *name, uint32_t value)
{
    if (!et_grow(&player->labels, &player->label_capacity, player->label_count + 1, sizeof *player->labels)) {
        et_ge_malformed(player, "out of memory");
        return;
    }
    player->labels[player->label_count++] = (struct et_ge_label){name, value};
}

uint32_t et_ge_number(struct et_ge_player *player, const cJSON *item, bool labels)
{
    const struct et_ge_label *label;
    long long value;
    char *end;
    if (cJSON_IsNumber(item)) {
        if (item->valuedouble < -2147483648.0 || item->valuedouble > 4294967295.0) {
            et_ge_malformed(player, "%g does not fit into 32 bits", item->valuedouble);
            return 0;
        }
        return (uint32_t)(int64_t)item->valuedouble;
    }
    if (cJSON_IsBool(item))
        return cJSON_IsTrue(item) ? 1 : 0;
    if (!cJSON_IsString(item)) {
        et_ge_malformed(player, "'%s' is no number", item && item->string ? item->string : "a value");
        return 0;
    }
    label = labels ? find_label(player, item->valuestring) : NULL;
    if (label)
        return label->value;
    errno = 0;
    value = strtoll(item->valuestring, &end, 0);
    if (end == item->valuestring || *end || errno || value < INT32_MIN || value > (long long)UINT32_MAX)
        et_ge_malformed(player, "'%s' is no number%s", item->valuestring, labels ? " and no label" : "");
    return (uint32_t)value;
}

uint32_t et_ge_argument(struct et_ge_player *player, const cJSON *args, const char *name, uint32_t missing)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(args, name);
    return item && !cJSON_IsNull(item) ? et_ge_number(player, item, true) : missing;
}

static void poke_word(struct et_ge_player *player, uint32_t address, uint32_t word)
{
    void *host = etalon_ge_map(player->ge, address & ~UINT32_C(3), 4);
    if (host)
        et_store32(host, word);
    else
        et_ge_malformed(player, "no memory at 0x%08x", address);
}

void et_ge_write_block(struct et_ge_player *player, const cJSON *block)
{
    const cJSON *fill = cJSON_GetObjectItemCaseSensitive(block, "fill"), *word;
    const uint32_t address = et_ge_argument(player, block, "addr", 0);
    uint32_t at = address;
    if (fill) {
        const uint32_t count = et_ge_argument(player, block, "count", 0);
        const uint32_t value = et_ge_number(player, fill, true);
        for (uint32_t i = 0; i < count && !et_ge_failed(player); i++)
            poke_word(player, address + 4 * i, value);
    }
    cJSON_ArrayForEach(word, cJSON_GetObjectItemCaseSensitive(block, "words"))
    {
        poke_word(player, at, et_ge_number(player, word, true));
        at += 4;
    }
}

/* ---- Steps ---- */

static const char *step_name(const cJSON *step)
{
    const cJSON *name = cJSON_GetObjectItemCaseSensitive(step, "call");
    return cJSON_IsString(name) ? name->valuestring : "?";
}

static void place(struct et_ge_player *player, const char *outer, int number, const cJSON *step)
{
    snprintf(player->where, sizeof player->where, "%.80s%sstep %d %.40s", outer, outer[0] ? " " : "", number,
             step_name(step));
}

/* xorshift64*, for timings. */
static uint32_t roll(struct et_ge_player *player, uint32_t sides)
{
    player->random ^= player->random >> 12;
    player->random ^= player->random << 25;
    player->random ^= player->random >> 27;
    return (uint32_t)((player->random * UINT64_C(0x2545f4914f6cdd1d)) >> 33) % sides;
}

/* A seeded timing lets the GE do something, or nothing, of its own accord. */
static void dawdle(struct et_ge_player *player)
{
    if (player->options->timing != ET_GE_SEEDED)
        return;
    switch (roll(player, 4)) {
    case 1:
        etalon_ge_run(player->ge, 1 + roll(player, 7));
        break;
    case 2:
        etalon_ge_run(player->ge, ADVANCE_LIMIT);
        break;
    case 3:
        etalon_ge_advance(player->ge, ADVANCE_LIMIT);
        break;
    }
}

static void run_callback_steps(struct et_ge_player *player, const cJSON *steps, size_t event)
{
    char outer[96], before[sizeof player->where];
    const cJSON *step;
    int number = 0;
    memcpy(before, player->where, sizeof before);
    snprintf(outer, sizeof outer, "event %zu", event);
    cJSON_ArrayForEach(step, steps)
    {
        struct et_ge_answer answer;
        if (et_ge_failed(player))
            break;
        place(player, outer, number++, step);
        dawdle(player);
        et_ge_call(player, step, ET_GE_CALLBACK, &answer);
        tell(player, "    %s -> 0x%08x", step_name(step), answer.value);
        if (answer.wait) {
            et_ge_broken(player, "waits in a callback");
            etalon_ge_cancel_wait(player->ge, answer.wait);
        }
        et_ge_hold(player, step, &answer);
    }
    memcpy(player->where, before, sizeof before);
}

/* ---- Events ---- */

static const cJSON *next_event(struct et_ge_player *player)
{
    return player->used < player->event_count ? player->events[player->used] : NULL;
}

static bool event_is(const cJSON *event, const char *member, const char *text)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(event, member);
    return cJSON_IsString(item) && !strcmp(item->valuestring, text);
}

static void hold_event_number(struct et_ge_player *player, const cJSON *event, const char *member,
                              uint32_t got, uint32_t mask)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(event, member);
    if (item && !cJSON_IsNull(item)) {
        const uint32_t wanted = et_ge_number(player, item, true);
        if ((got ^ wanted) & mask)
            et_ge_broken(player, "event %zu: %s is 0x%08x, expected 0x%08x", player->used, member, got,
                         wanted);
    }
}

static enum etalon_ge_callback_answer on_callback(void *user, const struct etalon_ge_callback_call *call)
{
    struct et_ge_player *player = user;
    const char *kind = call->kind == ETALON_GE_SIGNAL_CALLBACK ? "signal" : "finish";
    const char *label =
        call->function <= player->registration_count ? player->registrations[call->function - 1].label : "";
    const cJSON *event = next_event(player), *steps;
    tell(player, "  %s callback %s, value 0x%04x, argument 0x%08x, address 0x%08x", kind, label, call->value,
         call->argument, call->address);
    if (et_ge_failed(player))
        return ETALON_GE_CALLBACK_DONE;
    if (!event || !event_is(event, "event", kind)) {
        et_ge_broken(player, "unexpected %s callback %s, value 0x%04x", kind, label, call->value);
        return ETALON_GE_CALLBACK_DONE;
    }
    player->used++;
    if (cJSON_GetObjectItemCaseSensitive(event, "cb") && !event_is(event, "cb", label))
        et_ge_broken(player, "event %zu: callback %s", player->used, label);
    hold_event_number(player, event, "value", call->value, UINT32_MAX);
    hold_event_number(player, event, "arg", call->argument, UINT32_MAX);
    hold_event_number(player, event, "pc", call->address, UINT32_C(0x1fffffff));
    steps = cJSON_GetObjectItemCaseSensitive(event, "steps");
    if (player->options->timing == ET_GE_SEEDED && roll(player, 3) == 0) {
        player->callback_waits = true;
        player->waiting_steps = steps;
        player->waiting_event = player->used;
        return ETALON_GE_CALLBACK_PENDING;
    }
    dawdle(player);
    run_callback_steps(player, steps, player->used);
    return ETALON_GE_CALLBACK_DONE;
}

/* Runs callbacks that were put off, and what they held up. True if there was one. */
static bool run_late_callbacks(struct et_ge_player *player)
{
    bool any = false;
    while (player->callback_waits && !et_ge_failed(player)) {
        player->callback_waits = false;
        any = true;
        dawdle(player);
        run_callback_steps(player, player->waiting_steps, player->waiting_event);
        etalon_ge_callback_done(player->ge);
        etalon_ge_advance(player->ge, ADVANCE_LIMIT);
    }
    return any;
}

static void on_wake(void *user, uint64_t token)
{
    struct et_ge_player *player = user;
    if (token == player->main_token)
        player->main_woken = true;
    for (size_t i = 0; i < player->thread_count; i++)
        if (player->threads[i].token == token)
            player->threads[i].woken = ++player->wakes;
}

static void on_command(void *user, uint32_t address, uint32_t command)
{
    char text[96];
    etalon_ge_describe(command, text, sizeof text);
    tell(user, "    %08x  %08x  %s", address, command, text);
}

static void on_fault(void *user, const struct etalon_error *error)
{
    tell(user, "  fault: %s", error->text);
}

/* ---- Threads ---- */

static void run_thread(struct et_ge_player *player, size_t index);

void et_ge_start_thread(struct et_ge_player *player, const cJSON *args)
{
    static const struct {
        const char *name;
        long priority;
    } priorities[] = {{"above_main", ET_GE_MAIN_PRIORITY - 16},
                      {"main", ET_GE_MAIN_PRIORITY},
                      {"same_as_main", ET_GE_MAIN_PRIORITY},
                      {"below_main", ET_GE_MAIN_PRIORITY + 16}};
    const cJSON *name = cJSON_GetObjectItemCaseSensitive(args, "thread");
    const cJSON *priority = cJSON_GetObjectItemCaseSensitive(args, "priority");
    const cJSON *steps = cJSON_GetObjectItemCaseSensitive(args, "steps");
    struct et_ge_thread *thread;
    long value = priorities[0].priority;
    bool named = !priority || cJSON_IsNull(priority);
    for (size_t i = 0; cJSON_IsString(priority) && i < ET_COUNT(priorities); i++)
        if (!strcmp(priority->valuestring, priorities[i].name)) {
            value = priorities[i].priority;
            named = true;
        }
    if (!named)
        value = (long)et_ge_number(player, priority, false);
    if (!cJSON_IsString(name)) {
        et_ge_malformed(player, "a thread without a name");
        return;
    }
    if (!et_grow(&player->threads, &player->thread_capacity, player->thread_count + 1,
                 sizeof *player->threads)) {
        et_ge_malformed(player, "out of memory");
        return;
    }
    thread = &player->threads[player->thread_count++];
    *thread = (struct et_ge_thread){
        .name = name->valuestring, .step = cJSON_IsArray(steps) ? steps->child : NULL, .priority = value};
    run_thread(player, player->thread_count - 1);
}

/* Runs a thread's steps until one waits, or to their end. */
static void run_thread(struct et_ge_player *player, size_t index)
{
    char before[sizeof player->where], outer[96];
    int number = 0;
    memcpy(before, player->where, sizeof before);
    while (player->threads[index].step && !et_ge_failed(player)) {
        const cJSON *step = player->threads[index].step;
        struct et_ge_answer answer;
        snprintf(outer, sizeof outer, "thread %.40s", player->threads[index].name);
        place(player, outer, number++, step);
        et_ge_call(player, step, ET_GE_THREAD, &answer);
        tell(player, "  thread %s: %s -> 0x%08x%s", player->threads[index].name, step_name(step),
             answer.value, answer.wait ? ", waits" : "");
        if (answer.wait) {
            player->threads[index].token = answer.wait;
            break;
        }
        et_ge_hold(player, step, &answer);
        player->threads[index].step = step->next;
    }
    if (!player->threads[index].step)
        player->threads[index].ended = true;
    memcpy(player->where, before, sizeof before);
}

/* A woken thread gets the CPU: its call returns. */
static void end_wait(struct et_ge_player *player, size_t index)
{
    struct et_ge_thread *thread = &player->threads[index];
    const cJSON *event = next_event(player);
    struct et_ge_answer answer = {.has_value = true};
    const uint64_t token = thread->token;
    thread->token = thread->woken = 0;
    if (etalon_ge_end_wait(player->ge, token, &answer.value) != ETALON_OK) {
        et_ge_broken(player, "thread %s was woken and still waits", thread->name);
        return;
    }
    tell(player, "  thread %s wakes: 0x%08x", thread->name, answer.value);
    if (!event || !event_is(event, "event", "wake") || !event_is(event, "thread", thread->name)) {
        et_ge_broken(player, "unexpected wake of %s", thread->name);
        return;
    }
    player->used++;
    hold_event_number(player, event, "ret", answer.value, UINT32_MAX);
    et_ge_hold(player, thread->step, &answer);
    thread->step = thread->step->next;
    run_thread(player, index);
}

/* Runs woken threads, the most urgent first; those that the main thread outranks only if it sleeps. */
static bool run_threads(struct et_ge_player *player, bool main_sleeps)
{
    bool any = false;
    while (!et_ge_failed(player) && !player->dispatch_off && !player->interrupts_off &&
           !etalon_ge_in_callback(player->ge)) {
        size_t best = player->thread_count;
        for (size_t i = 0; i < player->thread_count; i++) {
            const struct et_ge_thread *thread = &player->threads[i];
            if (!thread->woken || (!main_sleeps && thread->priority >= ET_GE_MAIN_PRIORITY))
                continue;
            if (best == player->thread_count || thread->priority < player->threads[best].priority ||
                (thread->priority == player->threads[best].priority &&
                 thread->woken < player->threads[best].woken))
                best = i;
        }
        if (best == player->thread_count)
            break;
        end_wait(player, best);
        any = true;
    }
    return any;
}

/* ---- Time ---- */

void et_ge_advance_all(struct et_ge_player *player)
{
    uint64_t left = ADVANCE_LIMIT;
    if (etalon_ge_in_callback(player->ge)) {
        etalon_ge_run(player->ge, ADVANCE_LIMIT);
        return;
    }
    while (left && !et_ge_failed(player)) {
        struct etalon_ge_registers registers;
        uint64_t before, ran;
        bool moved;
        etalon_ge_get_registers(player->ge, &registers);
        before = registers.executed;
        etalon_ge_advance(player->ge, left);
        moved = run_late_callbacks(player);
        moved |= run_threads(player, true);
        etalon_ge_get_registers(player->ge, &registers);
        ran = registers.executed - before;
        left -= ET_MIN(ran, left);
        if (!moved && !ran)
            break;
    }
}

/* The main thread waits: the world goes on until it is woken, or for ever. */
static void wait_in_main(struct et_ge_player *player, struct et_ge_answer *answer)
{
    player->main_token = answer->wait;
    player->main_woken = false;
    et_ge_advance_all(player);
    if (!et_ge_failed(player) && !player->main_woken)
        et_ge_broken(player, "waits for ever");
    else if (player->main_woken)
        etalon_ge_end_wait(player->ge, player->main_token, &answer->value);
    etalon_ge_cancel_wait(player->ge, player->main_token);
    player->main_token = 0;
}

static void run_main(struct et_ge_player *player, const cJSON *steps)
{
    const cJSON *step;
    int number = 0;
    cJSON_ArrayForEach(step, steps)
    {
        struct et_ge_answer answer;
        place(player, "", number++, step);
        dawdle(player);
        run_late_callbacks(player);
        et_ge_call(player, step, ET_GE_MAIN, &answer);
        if (answer.wait)
            wait_in_main(player, &answer);
        if (answer.has_value)
            tell(player, "%s -> 0x%08x", player->where, answer.value);
        else
            tell(player, "%s", player->where);
        et_ge_hold(player, step, &answer);
        run_late_callbacks(player);
        if (player->options->timing != ET_GE_LAZY)
            run_threads(player, false);
        if (et_ge_failed(player))
            return;
    }
    player->where[0] = 0;
    if (player->used != player->event_count)
        et_ge_broken(player, "only %zu of %zu events came", player->used, player->event_count);
}

/* ---- A scenario ---- */

static void collect_events(struct et_ge_player *player, const cJSON *steps)
{
    const cJSON *step, *event;
    cJSON_ArrayForEach(step, steps)
    {
        const cJSON *expect = cJSON_GetObjectItemCaseSensitive(step, "expect");
        if (strcmp(step_name(step), "advance"))
            continue;
        cJSON_ArrayForEach(event, cJSON_GetObjectItemCaseSensitive(expect, "events"))
        {
            if (!et_grow(&player->events, &player->event_capacity, player->event_count + 1,
                         sizeof *player->events)) {
                et_ge_malformed(player, "out of memory");
                return;
            }
            player->events[player->event_count++] = event;
        }
    }
}

static enum etalon_status create_ge(struct et_ge_player *player, uint32_t sdk_version)
{
    struct etalon_ge_region regions[ET_COUNT(memory_map)];
    struct etalon_ge_config config = {.regions = regions,
                                      .region_count = ET_COUNT(memory_map),
                                      .sdk_version = sdk_version,
                                      .eager = player->options->timing == ET_GE_EAGER};
    size_t total = 0;
    for (size_t i = 0; i < ET_COUNT(memory_map); i++)
        total += memory_map[i].size;
    if (et_ram_create(&player->ram, total, ET_RAM_SHARED, player->error) != ETALON_OK)
        return player->error->status;
    total = 0;
    for (size_t i = 0; i < ET_COUNT(memory_map); i++) {
        regions[i] = (struct etalon_ge_region){memory_map[i].address, memory_map[i].size,
                                               player->ram.base + total, false};
        total += memory_map[i].size;
    }
    config.hooks = (struct etalon_ge_hooks){.user = player, .callback = on_callback, .wake = on_wake};
    if (player->options->trace) {
        config.hooks.command = on_command;
        config.hooks.fault = on_fault;
    }
    return etalon_ge_create(&config, &player->ge, player->error);
}

const char *et_ge_scenario_name(const cJSON *scenario)
{
    const cJSON *name = cJSON_GetObjectItemCaseSensitive(scenario, "name");
    return cJSON_IsString(name) ? name->valuestring : "unnamed";
}

enum etalon_status et_ge_play(const cJSON *scenario, const struct et_ge_play *options,
                              struct etalon_error *error)
{
    struct etalon_error own = {0};
    struct et_ge_player player = {.options = options,
                                  .error = error ? error : &own,
                                  .random = options->seed * UINT64_C(0x9e3779b97f4a7c15) + 1};
    const cJSON *steps = cJSON_GetObjectItemCaseSensitive(scenario, "steps"), *block;
    player.random = player.random ? player.random : 1;
    if (!cJSON_IsArray(steps))
        et_ge_malformed(&player, "no steps");
    else if (create_ge(&player, et_ge_argument(&player, scenario, "sdk_version", 0)) == ETALON_OK) {
        cJSON_ArrayForEach(block, cJSON_GetObjectItemCaseSensitive(scenario, "memory"))
            et_ge_write_block(&player, block);
        collect_events(&player, steps);
        if (!et_ge_failed(&player))
            run_main(&player, steps);
        etalon_ge_destroy(player.ge);
    }
    et_ram_destroy(&player.ram);
    et_free(player.labels);
    et_free(player.registrations);
    et_free(player.threads);
    et_free(player.events);
    return player.error->status;
}

/* ---- Files ---- */

struct reading {
    enum etalon_status (*use)(void *context, const cJSON *scenario, struct etalon_error *error);
    void *context;
};

static enum etalon_status use_text(const struct reading *reading, const char *name, const uint8_t *bytes,
                                   size_t size, struct etalon_error *error)
{
    const char *end = NULL;
    cJSON *json = cJSON_ParseWithLengthOpts((const char *)bytes, size, &end, 0);
    const cJSON *scenario;
    enum etalon_status status = ETALON_OK;
    if (!json) {
        if (end)
            et_at_offset(error, (uint64_t)(end - (const char *)bytes));
        return et_fail(error, ETALON_FORMAT, "%s is no JSON", name);
    }
    if (cJSON_IsArray(json)) {
        cJSON_ArrayForEach(scenario, json) if (status == ETALON_OK) status =
            reading->use(reading->context, scenario, error);
    } else
        status = reading->use(reading->context, json, error);
    cJSON_Delete(json);
    return status;
}

static bool is_json(void *context, const char *name)
{
    const size_t length = strlen(name);
    (void)context;
    return length > 5 && !strcmp(name + length - 5, ".json");
}

static enum etalon_status use_archive(const struct reading *reading, const char *path,
                                      struct etalon_error *error)
{
    struct et_tar_list list = {0};
    enum etalon_status status = et_tar_read(path, FILE_LIMIT, is_json, NULL, &list, error);
    for (size_t i = 0; i < list.count && status == ETALON_OK; i++)
        status = use_text(reading, list.files[i].name, list.files[i].bytes, list.files[i].size, error);
    et_tar_free(&list);
    return status;
}

enum etalon_status et_ge_scenarios(const char *path,
                                   enum etalon_status (*use)(void *context, const cJSON *scenario,
                                                             struct etalon_error *error),
                                   void *context, struct etalon_error *error)
{
    const struct reading reading = {use, context};
    const size_t length = strlen(path);
    uint8_t *bytes;
    size_t size;
    enum etalon_status status;
    if (length > 8 && !strcmp(path + length - 8, ".tar.zst"))
        return use_archive(&reading, path, error);
    status = et_file_read(path, FILE_LIMIT, &bytes, &size, error);
    if (status != ETALON_OK)
        return status;
    status = use_text(&reading, path, bytes, size, error);
    et_free(bytes);
    return status;
}
