/* Recorded work and registers against what a case expects. */
#include "tool/pm4.h"

#include "base/bits.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

static const char *const work_names[ET_PM4_WORK_KINDS] = {"draws", "dispatches", "events", "interrupts",
                                                          "flips"};

struct key {
    const char *name;
    uint64_t value;
};

static bool same_key(const cJSON *item, uint64_t value, bool word)
{
    uint64_t wanted;
    if (!et_pm4_number(item, false, &wanted))
        return false;
    return word ? (uint32_t)wanted == (uint32_t)value : wanted == value;
}

/* A draw has the keys that the case names; a key that no draw has is a difference. */
static bool same_draw(const cJSON *expected, const struct etalon_pm4_draw *draw, const char **which)
{
    static const char *const kinds[] = {"auto", "indexed", "mesh"};
    const struct key keys[] = {{"count", draw->count},
                               {"instances", draw->instances},
                               {"first_vertex", draw->first_vertex},
                               {"first_instance", draw->first_instance},
                               {"base_vertex", (uint32_t)draw->base_vertex},
                               {"index_type", draw->index_type},
                               {"initiator", draw->initiator}};
    const cJSON *item;
    cJSON_ArrayForEach(item, expected)
    {
        *which = item->string ? item->string : "?";
        if (!strcmp(*which, "kind")) {
            if (!cJSON_IsString(item) || strcmp(item->valuestring, kinds[draw->kind]) != 0)
                return false;
            continue;
        }
        if (!strcmp(*which, "address") || !strcmp(*which, "object_ids")) {
            if (!same_key(item, **which == 'a' ? draw->address : draw->object_ids, false))
                return false;
            continue;
        }
        size_t i = 0;
        while (i < ET_COUNT(keys) && strcmp(keys[i].name, *which) != 0)
            i++;
        if (i == ET_COUNT(keys) || !same_key(item, keys[i].value, true))
            return false;
    }
    return true;
}

/* A list of numbers, as many as the case gives (at least one). */
static bool same_list(const cJSON *expected, const uint64_t *values, int count, bool words)
{
    const int n = cJSON_GetArraySize(expected);
    if (!cJSON_IsArray(expected) || n < 1 || n > count)
        return false;
    for (int i = 0; i < n; i++)
        if (!same_key(cJSON_GetArrayItem(expected, i), values[i], words && i < 3))
            return false;
    return true;
}

static bool same_flip(const cJSON *expected, const struct etalon_pm4_flip *flip)
{
    const uint64_t values[] = {flip->handle, (uint32_t)flip->index, flip->mode, (uint64_t)flip->argument};
    const cJSON *argument = cJSON_GetArrayItem(expected, 3);
    if (cJSON_IsNumber(argument)) /* JSON's numbers are doubles: compared as such */
        return same_list(expected, values, 4, true) ||
               (argument->valuedouble == (double)flip->argument &&
                same_key(cJSON_GetArrayItem(expected, 0), values[0], true) &&
                same_key(cJSON_GetArrayItem(expected, 1), values[1], true) &&
                same_key(cJSON_GetArrayItem(expected, 2), values[2], true));
    return same_list(expected, values, 4, true);
}

static bool same_work(const cJSON *expected, enum et_pm4_work_kind kind, const struct et_pm4_work *work,
                      const char **which)
{
    const struct etalon_pm4_dispatch *dispatch = &work->as.dispatch;
    *which = "value";
    switch (kind) {
    case ET_PM4_WORK_DRAW:
        return same_draw(expected, &work->as.draw, which);
    case ET_PM4_WORK_DISPATCH:
        return same_list(expected,
                         (const uint64_t[]){dispatch->groups[0], dispatch->groups[1], dispatch->groups[2],
                                            dispatch->initiator},
                         4, true);
    case ET_PM4_WORK_EVENT:
        return same_list(expected, (const uint64_t[]){work->as.event.type, work->as.event.index}, 2, true);
    case ET_PM4_WORK_INTERRUPT:
        return same_key(expected, work->as.context_id, true);
    default:
        return same_flip(expected, &work->as.flip);
    }
}

static void show_work(enum et_pm4_work_kind kind, const struct et_pm4_work *work, char *text, size_t size)
{
    switch (kind) {
    case ET_PM4_WORK_DRAW: {
        const struct etalon_pm4_draw *draw = &work->as.draw;
        snprintf(text, size,
                 "count %u instances %u first_vertex %u first_instance %u address 0x%llx index_type %u",
                 draw->count, draw->instances, draw->first_vertex, draw->first_instance,
                 (unsigned long long)draw->address, draw->index_type);
        break;
    }
    case ET_PM4_WORK_DISPATCH:
        snprintf(text, size, "[%u, %u, %u, %u]", work->as.dispatch.groups[0], work->as.dispatch.groups[1],
                 work->as.dispatch.groups[2], work->as.dispatch.initiator);
        break;
    case ET_PM4_WORK_EVENT:
        snprintf(text, size, "[%u, %u]", work->as.event.type, work->as.event.index);
        break;
    case ET_PM4_WORK_INTERRUPT:
        snprintf(text, size, "%u", work->as.context_id);
        break;
    default:
        snprintf(text, size, "[%u, %d, %u, %lld]", work->as.flip.handle, work->as.flip.index,
                 work->as.flip.mode, (long long)work->as.flip.argument);
    }
}

bool et_pm4_compare_work(const struct et_pm4_recording *recording, enum et_pm4_work_kind kind,
                         const struct cJSON *expected, uint32_t queue, struct et_pm4_verdict *verdict)
{
    const char *name = work_names[kind], *which = "";
    int at = 0, found = 0;
    const int wanted = cJSON_GetArraySize(expected);
    if (!cJSON_IsArray(expected)) {
        et_pm4_say(verdict, ET_PM4_UNUSABLE, "'%s' is not a list", name);
        return false;
    }
    for (size_t i = 0; i < recording->count[kind]; i++) {
        const struct et_pm4_work *work = &recording->list[kind][i];
        char text[192];
        if (queue != ETALON_PM4_NO_QUEUE && work->queue != queue)
            continue;
        found++;
        if (at >= wanted)
            continue;
        if (!same_work(cJSON_GetArrayItem(expected, at), kind, work, &which)) {
            show_work(kind, work, text, sizeof text);
            et_pm4_say(verdict, ET_PM4_DIFFERENT, "%s[%d] differs in %s: found %s", name, at, which, text);
            return false;
        }
        at++;
    }
    if (found == wanted)
        return true;
    et_pm4_say(verdict, ET_PM4_DIFFERENT, "%s: found %d, expected %d", name, found, wanted);
    return false;
}

static bool find_space(const char *name, enum etalon_pm4_space *space)
{
    for (unsigned i = 0; i < ETALON_PM4_SPACES; i++)
        if (name && !strcmp(name, etalon_pm4_space_name((enum etalon_pm4_space)i))) {
            *space = (enum etalon_pm4_space)i;
            return true;
        }
    return false;
}

static bool compare_space(const struct etalon_pm4_snapshot *state, enum etalon_pm4_space space,
                          const cJSON *expected, struct et_pm4_verdict *verdict)
{
    const char *name = etalon_pm4_space_name(space);
    uint32_t written = 0, wanted = 0, value;
    const cJSON *item;
    cJSON_ArrayForEach(item, expected)
    {
        uint64_t number;
        const unsigned long offset = strtoul(item->string ? item->string : "", NULL, 16);
        if (!et_pm4_number(item, cJSON_IsString(item), &number)) {
            et_pm4_say(verdict, ET_PM4_UNUSABLE, "%s register 0x%03lx has no value", name, offset);
            return false;
        }
        wanted++;
        if (!etalon_pm4_snapshot_read(state, space, (uint32_t)offset, &value)) {
            et_pm4_say(verdict, ET_PM4_DIFFERENT, "%s register 0x%03lx was never written, expected %08x",
                       name, offset, (uint32_t)number);
            return false;
        }
        if (value != number) {
            et_pm4_say(verdict, ET_PM4_DIFFERENT, "%s register 0x%03lx is %08x, expected %08x", name, offset,
                       value, (uint32_t)number);
            return false;
        }
    }
    for (uint32_t i = 0; i < etalon_pm4_space_size(space); i++)
        written += etalon_pm4_snapshot_read(state, space, i, &value);
    for (uint32_t i = 0; written != wanted && i < etalon_pm4_space_size(space); i++) {
        char key[2][16];
        snprintf(key[0], sizeof key[0], "0x%03x", i);
        snprintf(key[1], sizeof key[1], "0x%03X", i);
        if (etalon_pm4_snapshot_read(state, space, i, &value) && !cJSON_GetObjectItem(expected, key[0]) &&
            !cJSON_GetObjectItem(expected, key[1])) {
            et_pm4_say(verdict, ET_PM4_DIFFERENT,
                       "%s register 0x%03x was written (%08x), which is not expected", name, i, value);
            return false;
        }
    }
    if (written == wanted)
        return true;
    et_pm4_say(verdict, ET_PM4_DIFFERENT, "%u %s registers were written, expected %u", written, name, wanted);
    return false;
}

bool et_pm4_compare_registers(struct etalon_pm4 *pm4, uint32_t queue, const struct cJSON *expected,
                              struct et_pm4_verdict *verdict)
{
    struct etalon_pm4_queue_info info;
    struct etalon_pm4_snapshot *state = NULL;
    const cJSON *item;
    bool same = true;
    /* A queue that does not exist has no registers. */
    if (queue < ETALON_PM4_QUEUES && etalon_pm4_query(pm4, queue, &info, &state) != ETALON_OK) {
        et_pm4_say(verdict, ET_PM4_UNUSABLE, "queue %u cannot be queried", queue);
        return false;
    }
    cJSON_ArrayForEach(item, expected)
    {
        enum etalon_pm4_space space;
        if (!find_space(item->string, &space)) {
            et_pm4_say(verdict, ET_PM4_UNUSABLE, "no register space '%s'", item->string ? item->string : "");
            same = false;
        } else if (same) {
            same = compare_space(state, space, item, verdict);
        }
    }
    etalon_pm4_snapshot_release(state);
    return same;
}
