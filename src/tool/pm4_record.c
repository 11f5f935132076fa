/* Guest memory out of JSON, and a recording of what a processor reports. */
#include "tool/pm4.h"

#include "base/alloc.h"
#include "base/bits.h"

#include <cjson/cJSON.h>
#include <string.h>

enum { PAGE = 1 << 16, MAX_PAGES = 1 << 12 };

static size_t find(const struct et_pm4_guest *guest, uint64_t address)
{
    size_t low = 0, high = guest->count;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (guest->extent[middle].address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low; /* the first extent past the address */
}

static bool insert(struct et_pm4_guest *guest, size_t at, uint64_t address, uint64_t dwords, uint32_t *words)
{
    size_t capacity = guest->count;
    if (!et_grow(&guest->extent, &capacity, guest->count + 1, sizeof *guest->extent))
        return false;
    memmove(guest->extent + at + 1, guest->extent + at, (guest->count - at) * sizeof *guest->extent);
    guest->extent[at] = (struct et_pm4_extent){.address = address, .dwords = dwords, .words = words};
    guest->count++;
    return true;
}

static struct et_pm4_extent *holder(struct et_pm4_guest *guest, uint64_t address)
{
    const size_t past = find(guest, address);
    if (past && address - guest->extent[past - 1].address < guest->extent[past - 1].dwords * 4)
        return &guest->extent[past - 1];
    if (!guest->zero || guest->pages >= MAX_PAGES)
        return NULL;
    uint32_t *words = et_calloc(PAGE / 4, sizeof *words);
    if (!words)
        return NULL;
    if (!insert(guest, past, address / PAGE * PAGE, PAGE / 4, words)) {
        et_free(words);
        return NULL;
    }
    guest->pages++;
    return &guest->extent[past];
}

static void *translate(void *user, uint64_t address, bool write, uint64_t *bytes)
{
    (void)write;
    struct et_pm4_extent *extent = holder(user, address);
    if (!extent)
        return NULL;
    *bytes = extent->dwords * 4 - (address - extent->address);
    return extent->words + (address - extent->address) / 4;
}

struct etalon_pm4_memory et_pm4_guest_memory(struct et_pm4_guest *guest)
{
    return (struct etalon_pm4_memory){.translate = translate, .user = guest};
}

uint32_t *et_pm4_guest_word(struct et_pm4_guest *guest, uint64_t address)
{
    const size_t past = find(guest, address);
    if (address & 3 || !past ||
        address - guest->extent[past - 1].address >= guest->extent[past - 1].dwords * 4)
        return NULL;
    return guest->extent[past - 1].words + (address - guest->extent[past - 1].address) / 4;
}

/* Joins a run of words with the extents it touches. Takes the words. */
static bool join(struct et_pm4_guest *guest, uint64_t address, uint32_t dwords, uint32_t *words)
{
    uint64_t start = address, end = address + (uint64_t)dwords * 4;
    size_t first = find(guest, start), last = first;
    if (first && guest->extent[first - 1].address + guest->extent[first - 1].dwords * 4 >= start)
        first--;
    while (last < guest->count && guest->extent[last].address <= end)
        last++;
    if (first < last) {
        const struct et_pm4_extent *tail = &guest->extent[last - 1];
        start = ET_MIN(start, guest->extent[first].address);
        end = ET_MAX(end, tail->address + tail->dwords * 4);
    }
    uint32_t *whole = et_calloc((end - start) / 4, sizeof *whole);
    if (!whole) {
        et_free(words);
        return false;
    }
    for (size_t i = first; i < last; i++) {
        memcpy(whole + (guest->extent[i].address - start) / 4, guest->extent[i].words,
               guest->extent[i].dwords * 4);
        et_free(guest->extent[i].words);
    }
    memcpy(whole + (address - start) / 4, words, (size_t)dwords * 4);
    et_free(words);
    if (first < last) {
        memmove(guest->extent + first, guest->extent + last, (guest->count - last) * sizeof *guest->extent);
        guest->count -= last - first;
    }
    if (insert(guest, first, start, (end - start) / 4, whole))
        return true;
    et_free(whole);
    return false;
}

/* The address and words of one entry; NULL with the verdict filled. */
static uint32_t *entry(const cJSON *item, uint64_t *address, uint32_t *dwords, struct et_pm4_verdict *verdict)
{
    if (!et_pm4_number(cJSON_GetObjectItemCaseSensitive(item, "address"), false, address) || *address & 3) {
        et_pm4_say(verdict, ET_PM4_UNUSABLE, "memory without a dword-aligned address");
        return NULL;
    }
    uint32_t *words = et_pm4_words(cJSON_GetObjectItemCaseSensitive(item, "words"), dwords, verdict);
    if (words && *address + (uint64_t)*dwords * 4 < *address) {
        et_pm4_say(verdict, ET_PM4_UNUSABLE, "memory past the end of the address space");
        et_free(words);
        return NULL;
    }
    return words;
}

bool et_pm4_guest_add(struct et_pm4_guest *guest, const struct cJSON *entries, struct et_pm4_verdict *verdict)
{
    const cJSON *item;
    cJSON_ArrayForEach(item, entries)
    {
        uint64_t address;
        uint32_t dwords, *words = entry(item, &address, &dwords, verdict);
        if (!words)
            return false;
        if (!dwords) {
            et_free(words);
        } else if (!join(guest, address, dwords, words)) {
            et_pm4_say(verdict, ET_PM4_UNUSABLE, "out of memory");
            return false;
        }
    }
    return true;
}

bool et_pm4_guest_write(struct et_pm4_guest *guest, const struct cJSON *entries,
                        struct et_pm4_verdict *verdict)
{
    const cJSON *item;
    cJSON_ArrayForEach(item, entries)
    {
        uint64_t address;
        uint32_t dwords, *words = entry(item, &address, &dwords, verdict);
        if (!words)
            return false;
        for (uint32_t i = 0; i < dwords; i++) {
            uint32_t *at = et_pm4_guest_word(guest, address + (uint64_t)i * 4);
            if (at) {
                *at = words[i];
                continue;
            }
            et_pm4_say(verdict, ET_PM4_UNUSABLE, "writes unmapped memory at 0x%llx",
                       (unsigned long long)(address + (uint64_t)i * 4));
            et_free(words);
            return false;
        }
        et_free(words);
    }
    return true;
}

void et_pm4_guest_free(struct et_pm4_guest *guest)
{
    for (size_t i = 0; i < guest->count; i++)
        et_free(guest->extent[i].words);
    et_free(guest->extent);
    *guest = (struct et_pm4_guest){0};
}

/* ---- recording ---- */

static void record(struct et_pm4_recording *recording, enum et_pm4_work_kind kind,
                   const struct et_pm4_work *work, struct etalon_pm4_snapshot *state)
{
    if (!et_grow(&recording->list[kind], &recording->capacity[kind], recording->count[kind] + 1,
                 sizeof *work)) {
        recording->out_of_memory = true;
        return;
    }
    recording->list[kind][recording->count[kind]++] = *work;
    if (recording->seen)
        recording->seen(recording->user, kind, work, state);
}

static void on_draw(void *user, const struct etalon_pm4_draw *draw, struct etalon_pm4_snapshot *state)
{
    record(user, ET_PM4_WORK_DRAW, &(struct et_pm4_work){.queue = draw->queue, .as.draw = *draw}, state);
}

static void on_dispatch(void *user, const struct etalon_pm4_dispatch *dispatch,
                        struct etalon_pm4_snapshot *state)
{
    record(user, ET_PM4_WORK_DISPATCH,
           &(struct et_pm4_work){.queue = dispatch->queue, .as.dispatch = *dispatch}, state);
}

static void on_flip(void *user, uint32_t queue, const struct etalon_pm4_flip *flip,
                    struct etalon_pm4_snapshot *state)
{
    record(user, ET_PM4_WORK_FLIP, &(struct et_pm4_work){.queue = queue, .as.flip = *flip}, state);
}

static void on_interrupt(void *user, uint32_t queue, uint32_t context_id, struct etalon_pm4_snapshot *state)
{
    record(user, ET_PM4_WORK_INTERRUPT, &(struct et_pm4_work){.queue = queue, .as.context_id = context_id},
           state);
}

static void on_event(void *user, const struct etalon_pm4_event *event, struct etalon_pm4_snapshot *state)
{
    record(user, ET_PM4_WORK_EVENT, &(struct et_pm4_work){.queue = event->queue, .as.event = *event}, state);
}

struct etalon_pm4_hooks et_pm4_recording_hooks(struct et_pm4_recording *recording)
{
    return (struct etalon_pm4_hooks){.user = recording,
                                     .draw = on_draw,
                                     .dispatch = on_dispatch,
                                     .flip = on_flip,
                                     .interrupt = on_interrupt,
                                     .event = on_event};
}

void et_pm4_recording_free(struct et_pm4_recording *recording)
{
    for (size_t i = 0; i < ET_PM4_WORK_KINDS; i++)
        et_free(recording->list[i]);
}
