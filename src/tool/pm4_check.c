/* Holds a processor to stream cases: runs, compares, applies a resume step, runs again (streams' FORMAT). */
#include "tool/pm4.h"

#include "base/alloc.h"
#include "base/bits.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

enum { CASE_DEPTH = 8, CASE_BUDGET = 20000 };

struct submission {
    uint32_t queue;
    uint32_t *words[2], dwords[2];
};

struct world {
    const cJSON *root;
    struct et_pm4_guest guest;
    struct et_pm4_recording recording;
    struct etalon_pm4 *pm4;
    struct submission *submission;
    int submissions;
    struct etalon_pm4_report report;
    enum etalon_pm4_fault submit_fault; /* a submission was refused */
    uint32_t queue;                     /* of expectations that name none */
    struct et_pm4_verdict *verdict;
};

static const cJSON *get(const cJSON *object, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(object, name);
}

/* An item's key; list elements have none. */
static const char *key_of(const cJSON *item)
{
    return item->string ? item->string : "?";
}

static bool different(struct world *world, const char *what, const char *found, const char *expected)
{
    et_pm4_say(world->verdict, ET_PM4_DIFFERENT, "%s is %s, expected %s", what, found, expected);
    return false;
}

static bool different_number(struct world *world, const char *what, uint64_t found, uint64_t expected)
{
    char text[2][24];
    snprintf(text[0], sizeof text[0], "%llu", (unsigned long long)found);
    snprintf(text[1], sizeof text[1], "%llu", (unsigned long long)expected);
    return different(world, what, text[0], text[1]);
}

static const char *stream_name(enum etalon_pm4_stream stream)
{
    return stream == ETALON_PM4_STREAM_DRAW ? "draw" : "constant";
}

/* ---- expectations ---- */

static bool expect_status(struct world *world, const cJSON *item)
{
    static const char *const names[] = {"complete", "blocked", "error"};
    const char *found = world->submit_fault ? names[2] : names[world->report.result];
    char text[320];
    if (!cJSON_IsString(item) || !strcmp(found, item->valuestring))
        return cJSON_IsString(item);
    snprintf(text, sizeof text, "%s%s%s", found, world->report.result == ETALON_PM4_FAULTED ? ": " : "",
             world->report.error.text);
    return different(world, "status", text, item->valuestring);
}

static bool expect_error(struct world *world, const cJSON *item)
{
    const char *found =
        etalon_pm4_fault_name(world->submit_fault ? world->submit_fault : world->report.fault);
    return cJSON_IsString(item) &&
           (!strcmp(found, item->valuestring) || different(world, "error", found, item->valuestring));
}

static bool expect_error_stream(struct world *world, const cJSON *item)
{
    const char *found = stream_name(world->report.fault_at.stream);
    return cJSON_IsString(item) &&
           (!strcmp(found, item->valuestring) || different(world, "error_stream", found, item->valuestring));
}

static bool expect_error_offset(struct world *world, const cJSON *item)
{
    uint64_t wanted;
    return et_pm4_number(item, false, &wanted) &&
           (wanted == world->report.fault_at.offset ||
            different_number(world, "error_offset_dw", world->report.fault_at.offset, wanted));
}

/* Any of the blocked queues may be the one meant. */
static bool expect_blocked_at(struct world *world, const cJSON *item)
{
    uint64_t queue = world->queue, depth, offset;
    const cJSON *stream = get(item, "stream");
    const bool has_queue = et_pm4_number(get(item, "queue"), false, &queue);
    const bool has_depth = et_pm4_number(get(item, "depth"), false, &depth);
    const bool has_offset = et_pm4_number(get(item, "offset_dw"), false, &offset);
    const struct etalon_pm4_wait *seen = NULL;
    for (uint32_t i = 0; i < world->report.waits; i++) {
        const struct etalon_pm4_wait *wait = &world->report.wait[i];
        if (has_queue && wait->at.queue != queue)
            continue;
        seen = wait;
        if ((!cJSON_IsString(stream) || !strcmp(stream->valuestring, stream_name(wait->at.stream))) &&
            (!has_depth || depth == wait->at.depth) && (!has_offset || offset == wait->at.offset))
            return true;
    }
    if (!seen)
        return different(world, "blocked_at", "nothing of that queue", "a wait");
    et_pm4_say(world->verdict, ET_PM4_DIFFERENT, "blocked_at is queue %u, %s stream, depth %u, offset %u",
               seen->at.queue, stream_name(seen->at.stream), seen->at.depth, seen->at.offset);
    return false;
}

static bool expect_memory(struct world *world, const cJSON *item)
{
    const cJSON *entry;
    cJSON_ArrayForEach(entry, item)
    {
        uint64_t address;
        uint32_t dwords;
        if (!et_pm4_number(get(entry, "address"), false, &address))
            return false;
        uint32_t *words = et_pm4_words(get(entry, "words"), &dwords, world->verdict);
        bool same = words != NULL;
        for (uint32_t i = 0; same && i < dwords; i++) {
            const uint32_t *at = et_pm4_guest_word(&world->guest, address + (uint64_t)i * 4);
            if (at && *at == words[i])
                continue;
            et_pm4_say(world->verdict, ET_PM4_DIFFERENT, "memory at 0x%llx is %08x%s, expected %08x",
                       (unsigned long long)(address + (uint64_t)i * 4), at ? *at : 0, at ? "" : " (unmapped)",
                       words[i]);
            same = false;
        }
        et_free(words);
        if (!same)
            return false;
    }
    return true;
}

static bool expect_defaults(struct world *world, const cJSON *item)
{
    struct etalon_pm4_queue_info info;
    struct etalon_pm4_snapshot *state = NULL;
    bool same = etalon_pm4_query(world->pm4, world->queue, &info, &state) == ETALON_OK;
    const cJSON *space;
    cJSON_ArrayForEach(space, item)
    {
        const cJSON *offset;
        cJSON_ArrayForEach(offset, space)
        {
            uint64_t number;
            uint32_t value;
            if (!same || !et_pm4_number(offset, false, &number))
                continue;
            for (unsigned i = 0; i < ETALON_PM4_SPACES; i++)
                if (!strcmp(etalon_pm4_space_name((enum etalon_pm4_space)i), key_of(space)) &&
                    etalon_pm4_snapshot_read(state, (enum etalon_pm4_space)i, (uint32_t)number, &value))
                    same = !et_pm4_say(world->verdict, ET_PM4_DIFFERENT, "%s register 0x%03x was written",
                                       key_of(space), (uint32_t)number);
        }
    }
    etalon_pm4_snapshot_release(state);
    return same;
}

static bool compare_state(struct world *world, uint32_t queue, const cJSON *item)
{
    struct etalon_pm4_queue_info info;
    const cJSON *key;
    if (etalon_pm4_query(world->pm4, queue, &info, NULL) != ETALON_OK)
        return false;
    const struct {
        const char *name;
        uint64_t value;
    } keys[] = {{"num_instances", info.num_instances},
                {"index_type", info.index_type},
                {"index_base", info.index_base},
                {"index_buffer_size", info.index_buffer_size},
                {"index_size", info.index_buffer_size},
                {"draw_base", info.draw_base},
                {"draw_indirect_base", info.draw_base},
                {"dispatch_base", info.dispatch_base},
                {"dispatch_indirect_base", info.dispatch_base},
                {"predicate", info.predicate_skips},
                {"predicate_skip", info.predicate_skips},
                {"ce", info.ce_counter},
                {"de", info.de_counter}};
    cJSON_ArrayForEach(key, item)
    {
        size_t i = 0;
        uint64_t wanted;
        while (i < ET_COUNT(keys) && strcmp(keys[i].name, key_of(key)) != 0)
            i++;
        if (i == ET_COUNT(keys) || !et_pm4_number(key, false, &wanted)) {
            et_pm4_say(world->verdict, ET_PM4_UNUSABLE, "no state '%s'", key_of(key));
            return false;
        }
        if (keys[i].value != wanted)
            return different_number(world, key_of(key), keys[i].value, wanted);
    }
    return true;
}

static bool expect_state(struct world *world, const cJSON *item)
{
    return compare_state(world, world->queue, item);
}

static bool expect_registers(struct world *world, const cJSON *item)
{
    return et_pm4_compare_registers(world->pm4, world->queue, item, world->verdict);
}

static bool expect_note(struct world *world, const cJSON *item)
{
    (void)world, (void)item;
    return true;
}

static const struct {
    const char *name;
    bool (*check)(struct world *world, const cJSON *item);
} expectations[] = {{"status", expect_status},
                    {"error", expect_error},
                    {"error_stream", expect_error_stream},
                    {"error_offset_dw", expect_error_offset},
                    {"blocked_at", expect_blocked_at},
                    {"memory", expect_memory},
                    {"registers", expect_registers},
                    {"registers_default", expect_defaults},
                    {"counters", expect_state},
                    {"state", expect_state},
                    {"note", expect_note}};

static const char *const work_keys[ET_PM4_WORK_KINDS] = {"draws", "dispatches", "events", "interrupts",
                                                         "flips"};

/* NAME_by_queue: {queue: expectation}. */
static bool expect_by_queue(struct world *world, const char *name, size_t length, const cJSON *item)
{
    const cJSON *of;
    cJSON_ArrayForEach(of, item)
    {
        const unsigned long queue = strtoul(of->string ? of->string : "", NULL, 0);
        bool same = false, known = false;
        for (unsigned kind = 0; kind < ET_PM4_WORK_KINDS; kind++)
            if (strlen(work_keys[kind]) == length && !strncmp(name, work_keys[kind], length)) {
                known = true;
                same = et_pm4_compare_work(&world->recording, (enum et_pm4_work_kind)kind, of,
                                           (uint32_t)queue, world->verdict);
            }
        if (!strncmp(name, "registers", length)) {
            known = true;
            same = et_pm4_compare_registers(world->pm4, (uint32_t)queue, of, world->verdict);
        } else if (!strncmp(name, "counters", length) || !strncmp(name, "state", length)) {
            known = true;
            same = compare_state(world, (uint32_t)queue, of);
        }
        if (!known)
            et_pm4_say(world->verdict, ET_PM4_UNUSABLE, "no expectation '%s'", name);
        if (!same)
            return false;
    }
    return true;
}

static bool expect_one(struct world *world, const cJSON *item)
{
    const char *name = key_of(item), *suffix = strstr(name, "_by_queue");
    if (suffix && !suffix[9])
        return expect_by_queue(world, name, (size_t)(suffix - name), item);
    for (unsigned kind = 0; kind < ET_PM4_WORK_KINDS; kind++)
        if (!strcmp(name, work_keys[kind]))
            return et_pm4_compare_work(&world->recording, (enum et_pm4_work_kind)kind, item,
                                       ETALON_PM4_NO_QUEUE, world->verdict);
    for (size_t i = 0; i < ET_COUNT(expectations); i++)
        if (!strcmp(name, expectations[i].name))
            return expectations[i].check(world, item);
    et_pm4_say(world->verdict, ET_PM4_UNUSABLE, "no expectation '%s'", name);
    return false;
}

static bool expect(struct world *world, const cJSON *expected)
{
    const cJSON *item;
    if (!cJSON_IsObject(expected)) {
        et_pm4_say(world->verdict, ET_PM4_UNUSABLE, "no expectations");
        return false;
    }
    cJSON_ArrayForEach(item, expected)
    {
        if (expect_one(world, item))
            continue;
        if (!world->verdict->code)
            et_pm4_say(world->verdict, ET_PM4_UNUSABLE, "expectation '%s' is malformed", key_of(item));
        return false;
    }
    return true;
}

/* ---- running ---- */

static bool read_submission(struct world *world, const cJSON *item, struct submission *submission)
{
    uint64_t queue = 0;
    if (get(item, "queue") && !et_pm4_number(get(item, "queue"), false, &queue)) {
        et_pm4_say(world->verdict, ET_PM4_UNUSABLE, "a queue that is no number");
        return false;
    }
    submission->queue = queue < UINT32_MAX ? (uint32_t)queue : UINT32_MAX;
    submission->words[0] = et_pm4_words(get(item, "commands"), &submission->dwords[0], world->verdict);
    submission->words[1] = submission->words[0] ? et_pm4_words(get(item, "constant_commands"),
                                                               &submission->dwords[1], world->verdict)
                                                : NULL;
    return submission->words[0] && submission->words[1];
}

static bool read_submissions(struct world *world)
{
    const cJSON *list = get(world->root, "submissions"), *item;
    world->submissions = list ? cJSON_GetArraySize(list) : 1;
    world->submission = et_calloc((size_t)world->submissions + 1, sizeof *world->submission);
    if (!world->submission) {
        et_pm4_say(world->verdict, ET_PM4_UNUSABLE, "out of memory");
        return false;
    }
    if (!list)
        return read_submission(world, world->root, world->submission);
    int i = 0;
    cJSON_ArrayForEach(item, list) if (!read_submission(world, item, &world->submission[i++])) return false;
    return true;
}

static void submit_all(struct world *world)
{
    for (int i = 0; i < world->submissions && !world->submit_fault; i++) {
        const struct submission *at = &world->submission[i];
        struct etalon_error error = {0};
        enum etalon_status status;
        if (!at->queue)
            status = etalon_pm4_submit(world->pm4, at->words[0], at->dwords[0], at->words[1], at->dwords[1],
                                       &error);
        else
            status = etalon_pm4_submit_compute(world->pm4, at->queue, at->words[0], at->dwords[0], &error);
        if (status != ETALON_OK && at->queue >= ETALON_PM4_QUEUES)
            world->submit_fault = ETALON_PM4_INVALID_QUEUE;
    }
}

static bool patch(struct world *world, const cJSON *list, unsigned stream)
{
    const cJSON *item;
    cJSON_ArrayForEach(item, list)
    {
        uint64_t index, value;
        const cJSON *second = cJSON_GetArrayItem(item, 1);
        if (!world->submissions || !et_pm4_number(cJSON_GetArrayItem(item, 0), false, &index) ||
            !et_pm4_number(second, cJSON_IsString(second), &value) ||
            index >= world->submission[0].dwords[stream]) {
            et_pm4_say(world->verdict, ET_PM4_UNUSABLE, "a patch outside submission 0");
            return false;
        }
        world->submission[0].words[stream][index] = (uint32_t)value;
    }
    return true;
}

static bool resume(struct world *world, const cJSON *steps)
{
    const cJSON *step;
    int number = 0;
    cJSON_ArrayForEach(step, steps)
    {
        char text[512];
        number++;
        bool same = et_pm4_guest_write(&world->guest, get(step, "memory"), world->verdict) &&
                    patch(world, get(step, "patch_commands"), 0) &&
                    patch(world, get(step, "patch_constant_commands"), 1);
        if (same) {
            etalon_pm4_run(world->pm4, &world->report);
            same = expect(world, get(step, "expect"));
        }
        if (same)
            continue;
        snprintf(text, sizeof text, "%s", world->verdict->text);
        et_pm4_say(world->verdict, world->verdict->code, "resume %d: %.480s", number, text);
        return false;
    }
    return true;
}

static void end(struct world *world)
{
    etalon_pm4_destroy(world->pm4);
    for (int i = 0; world->submission && i < world->submissions; i++) {
        et_free(world->submission[i].words[0]);
        et_free(world->submission[i].words[1]);
    }
    et_free(world->submission);
    et_pm4_guest_free(&world->guest);
    et_pm4_recording_free(&world->recording);
}

static bool is_hardware(const cJSON *root)
{
    const cJSON *basis = get(root, "basis");
    return cJSON_IsString(basis) && strstr(basis->valuestring, "hardware");
}

static uint32_t queue_of(const cJSON *root)
{
    uint64_t queue = 0;
    et_pm4_number(get(root, "queue"), false, &queue);
    return (uint32_t)queue;
}

/* Makes the processor and runs what is to be submitted; false when it cannot be made. */
static bool run(struct world *world, enum etalon_pm4_profile profile, uint32_t max_depth)
{
    const struct etalon_pm4_config config = {.profile = profile,
                                             .memory = et_pm4_guest_memory(&world->guest),
                                             .hooks = et_pm4_recording_hooks(&world->recording),
                                             .max_depth = max_depth,
                                             .packet_budget = CASE_BUDGET};
    struct etalon_error error = {0};
    world->pm4 = etalon_pm4_create(&config, &error);
    if (!world->pm4) {
        et_pm4_say(world->verdict, ET_PM4_UNUSABLE, "%s", error.text);
        return false;
    }
    submit_all(world);
    etalon_pm4_run(world->pm4, &world->report);
    return true;
}

void et_pm4_check_case(const struct cJSON *root, struct et_pm4_verdict *verdict)
{
    struct world world = {.root = root, .verdict = verdict, .queue = queue_of(root)};
    *verdict = (struct et_pm4_verdict){0};
    if (read_submissions(&world) && et_pm4_guest_add(&world.guest, get(root, "memory"), verdict) &&
        run(&world, is_hardware(root) ? ETALON_PM4_HARDWARE : ETALON_PM4_CONSOLE, CASE_DEPTH) &&
        expect(&world, get(root, "expect")))
        resume(&world, get(root, "resume"));
    if (!verdict->code && world.recording.out_of_memory)
        et_pm4_say(verdict, ET_PM4_UNUSABLE, "out of memory");
    end(&world);
}

/* ---- real streams ---- */

static bool derived_status(const struct world *world, const cJSON *derived)
{
    const cJSON *status = get(derived, "status"), *blocked = get(derived, "blocked_at_dw");
    const struct etalon_pm4_report *report = &world->report;
    char found[128];
    uint64_t offset;
    if (report->result == ETALON_PM4_FAULTED)
        snprintf(found, sizeof found, "error %s %u", etalon_pm4_fault_name(report->fault),
                 report->fault_at.offset);
    else
        snprintf(found, sizeof found, "%s", report->result == ETALON_PM4_IDLE ? "complete" : "blocked");
    if (!cJSON_IsString(status) || strcmp(found, status->valuestring) != 0) {
        et_pm4_say(world->verdict, ET_PM4_DIFFERENT, "status is %s (%.200s), expected %s", found,
                   report->error.text, cJSON_IsString(status) ? status->valuestring : "none");
        return false;
    }
    if (!blocked ||
        (et_pm4_number(blocked, false, &offset) && report->waits && report->wait[0].at.offset == offset))
        return true;
    et_pm4_say(world->verdict, ET_PM4_DIFFERENT, "blocked at dword %u", report->wait[0].at.offset);
    return false;
}

/* Every packet and register decodes, to the last dword; the counts are those that the collection gives. */
static bool decodes(struct world *world, const cJSON *stream)
{
    struct etalon_pm4_decoded decoded;
    struct etalon_error error = {0};
    uint64_t packets;
    const struct submission *at = &world->submission[0];
    if (etalon_pm4_decode(at->words[0], at->dwords[0], at->queue, false, NULL, NULL, &decoded, &error) !=
            ETALON_OK ||
        decoded.unknown_opcodes || decoded.unknown_registers) {
        et_pm4_say(world->verdict, ET_PM4_DIFFERENT, "%u unknown packets, %u unknown registers; %s",
                   decoded.unknown_opcodes, decoded.unknown_registers, error.text);
        return false;
    }
    if (!get(stream, "packets") ||
        (et_pm4_number(get(stream, "packets"), false, &packets) && packets == decoded.packets))
        return true;
    et_pm4_say(world->verdict, ET_PM4_DIFFERENT, "%u packets decoded", decoded.packets);
    return false;
}

void et_pm4_check_real(const struct cJSON *stream, struct et_pm4_verdict *verdict)
{
    struct world world = {
        .root = stream, .verdict = verdict, .queue = queue_of(stream), .guest = {.zero = true}};
    const cJSON *derived = get(stream, "derived");
    *verdict = (struct et_pm4_verdict){0};
    if (read_submissions(&world) && decodes(&world, stream) && derived &&
        run(&world, ETALON_PM4_HARDWARE, 0) && derived_status(&world, derived) &&
        et_pm4_compare_work(&world.recording, ET_PM4_WORK_DRAW, get(derived, "draws"), ETALON_PM4_NO_QUEUE,
                            verdict) &&
        et_pm4_compare_work(&world.recording, ET_PM4_WORK_DISPATCH, get(derived, "dispatches"),
                            ETALON_PM4_NO_QUEUE, verdict))
        et_pm4_compare_registers(world.pm4, world.queue, get(derived, "registers"), verdict);
    if (!verdict->code && world.recording.out_of_memory)
        et_pm4_say(verdict, ET_PM4_UNUSABLE, "out of memory");
    end(&world);
}

/* ---- files ---- */

static void name_it(const cJSON *item, struct et_pm4_verdict *verdict)
{
    const cJSON *name = get(item, "name") ? get(item, "name") : get(item, "builder");
    char text[512];
    if (!verdict->code || !cJSON_IsString(name))
        return;
    snprintf(text, sizeof text, "%s", verdict->text);
    et_pm4_say(verdict, verdict->code, "%.80s: %.420s", name->valuestring, text);
}

static void check_any(const cJSON *item, unsigned *cases, struct et_pm4_verdict *verdict)
{
    const cJSON *inner, *list = cJSON_IsArray(item) ? item : get(item, "streams");
    if (cJSON_IsArray(list)) {
        cJSON_ArrayForEach(inner, list)
        {
            check_any(inner, cases, verdict);
            if (verdict->code)
                return;
        }
        return;
    }
    ++*cases;
    if (get(item, "builder"))
        et_pm4_check_vector(item, verdict);
    else if (get(item, "expect"))
        et_pm4_check_case(item, verdict);
    else if (get(item, "commands"))
        et_pm4_check_real(item, verdict);
    else
        et_pm4_say(verdict, ET_PM4_UNUSABLE, "neither a stream case nor a builder vector");
    name_it(item, verdict);
}

void et_pm4_check(const char *text, unsigned *cases, struct et_pm4_verdict *verdict)
{
    cJSON *root = cJSON_Parse(text);
    *verdict = (struct et_pm4_verdict){0};
    *cases = 0;
    if (!root)
        et_pm4_say(verdict, ET_PM4_UNUSABLE, "not JSON");
    else
        check_any(root, cases, verdict);
    cJSON_Delete(root);
}
