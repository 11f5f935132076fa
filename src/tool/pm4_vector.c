/* Holds the builders to vectors: {builder, args, dwords, size_bytes}. */
#include "tool/pm4.h"

#include "etalon-pm4-agc.h"

#include "base/alloc.h"

#include <cjson/cJSON.h>
#include <string.h>

enum { MAX_ARGUMENTS = 16, ROOM = 0x8000 };

struct arguments {
    struct etalon_agc_argument list[MAX_ARGUMENTS];
    uint32_t *owned[MAX_ARGUMENTS]; /* what a list argument was read into */
    size_t count;
};

/* A list of dwords, or of (offset, value) pairs. */
static bool read_list(const cJSON *item, bool pairs, struct arguments *to, size_t at,
                      struct et_pm4_verdict *verdict)
{
    const int count = cJSON_GetArraySize(item);
    uint32_t *words = et_calloc((size_t)count * 2 + 1, sizeof *words);
    for (int i = 0; words && i < count; i++) {
        const cJSON *element = cJSON_GetArrayItem(item, i);
        uint64_t value[2] = {0};
        if (!et_pm4_number(pairs ? cJSON_GetArrayItem(element, 0) : element, false, &value[0]) ||
            (pairs && !et_pm4_number(cJSON_GetArrayItem(element, 1), false, &value[1]))) {
            et_free(words);
            et_pm4_say(verdict, ET_PM4_UNUSABLE, "element %d of argument %zu is no number", i, at);
            return false;
        }
        words[pairs ? i * 2 : i] = (uint32_t)value[0];
        if (pairs)
            words[i * 2 + 1] = (uint32_t)value[1];
    }
    if (!words)
        return !et_pm4_say(verdict, ET_PM4_UNUSABLE, "out of memory");
    to->owned[at] = words;
    to->list[at].data = words;
    to->list[at + 1].value = (uint64_t)count; /* the count argument behind it */
    return true;
}

/* Vectors leave out counts (a list has its own), and what a builder ignores at the end. */
static bool read_arguments(const cJSON *args, const char *signature, struct arguments *to,
                           struct et_pm4_verdict *verdict)
{
    int given = 0;
    to->count = strlen(signature);
    for (size_t at = 0; at < to->count; at++) {
        if (signature[at] == 'c')
            continue;
        const cJSON *item = cJSON_GetArrayItem(args, given++);
        if (signature[at] == 's') {
            to->list[at].data = cJSON_IsString(item) ? item->valuestring : "";
        } else if (signature[at] == 'w' || signature[at] == 'r') {
            if (!read_list(item, signature[at] == 'r', to, at, verdict))
                return false;
        } else if (!item) {
            to->list[at].value = UINT32_MAX; /* streams registered, a marker's colour */
        } else if (!et_pm4_number(item, false, &to->list[at].value)) {
            et_pm4_say(verdict, ET_PM4_UNUSABLE, "argument %zu is no number", at);
            return false;
        }
    }
    if (given >= cJSON_GetArraySize(args))
        return true;
    et_pm4_say(verdict, ET_PM4_UNUSABLE, "%d arguments, the builder takes %d", cJSON_GetArraySize(args),
               given);
    return false;
}

/* GetSize against what was emitted. The one whose console size is known to differ is left out (B9). */
static bool size_agrees(const struct etalon_agc_function *function, const struct arguments *arguments,
                        uint64_t emitted, struct et_pm4_verdict *verdict)
{
    uint64_t size;
    uint32_t argument = 0;
    const char *signature = etalon_agc_signature(function->name);
    if (!*function->companion || !strcmp(function->name, "AgcDcbDrawIndexIndirectMulti"))
        return true;
    argument = (uint32_t)arguments->list[0].value;
    for (size_t at = 0; signature[at]; at++)
        if (signature[at] == 'c')
            argument = (uint32_t)arguments->list[at].value;
    if (etalon_agc_size(function->companion, argument, &size) && size == emitted)
        return true;
    et_pm4_say(verdict, ET_PM4_DIFFERENT, "%s gives %llu bytes, %llu were emitted", function->companion,
               (unsigned long long)size, (unsigned long long)emitted);
    return false;
}

static bool same_dwords(const uint32_t *found, uint64_t dwords, const cJSON *vector,
                        struct et_pm4_verdict *verdict)
{
    uint32_t count;
    uint64_t bytes;
    uint32_t *expected = et_pm4_words(cJSON_GetObjectItemCaseSensitive(vector, "dwords"), &count, verdict);
    bool same = expected != NULL;
    for (uint32_t i = 0; same && i < count && i < dwords; i++)
        if (found[i] != expected[i])
            same = !et_pm4_say(verdict, ET_PM4_DIFFERENT, "dword %u is %08x, expected %08x", i, found[i],
                               expected[i]);
    if (same && count != dwords)
        same = !et_pm4_say(verdict, ET_PM4_DIFFERENT, "%llu dwords, expected %u", (unsigned long long)dwords,
                           count);
    const cJSON *size = cJSON_GetObjectItemCaseSensitive(vector, "size_bytes");
    if (same && size && (!et_pm4_number(size, false, &bytes) || bytes != dwords * 4))
        same = !et_pm4_say(verdict, ET_PM4_DIFFERENT, "%llu bytes, not size_bytes",
                           (unsigned long long)dwords * 4);
    et_free(expected);
    return same;
}

void et_pm4_check_vector(const struct cJSON *vector, struct et_pm4_verdict *verdict)
{
    const cJSON *name = cJSON_GetObjectItemCaseSensitive(vector, "builder");
    const struct etalon_agc_function *function =
        etalon_agc_find(cJSON_IsString(name) ? name->valuestring : NULL);
    const char *signature = function ? etalon_agc_signature(function->name) : NULL;
    struct arguments arguments = {0};
    uint32_t *room = et_calloc(ROOM, sizeof *room);
    if (!signature)
        et_pm4_say(verdict, ET_PM4_DIFFERENT, "no such builder");
    else if (!room)
        et_pm4_say(verdict, ET_PM4_UNUSABLE, "out of memory");
    else if (read_arguments(cJSON_GetObjectItemCaseSensitive(vector, "args"), signature, &arguments,
                            verdict)) {
        struct etalon_agc_buffer buf = {
            .bottom = room, .top = room + ROOM, .cursor_up = room, .cursor_down = room + ROOM};
        const uint32_t *first = etalon_agc_call(function->name, &buf, arguments.list, arguments.count);
        const uint64_t dwords = (uint64_t)(buf.cursor_up - room);
        if (same_dwords(room, dwords, vector, verdict)) {
            if (first != (dwords ? room : NULL))
                et_pm4_say(verdict, ET_PM4_DIFFERENT, "the returned pointer is not the first dword");
            else if (dwords &&
                     etalon_agc_emitted(function->name, arguments.list, arguments.count) != dwords * 4)
                et_pm4_say(verdict, ET_PM4_DIFFERENT, "the table counts other bytes than were emitted");
            else if (dwords)
                size_agrees(function, &arguments, dwords * 4, verdict);
        }
    }
    for (size_t i = 0; i < MAX_ARGUMENTS; i++)
        et_free(arguments.owned[i]);
    et_free(room);
}
