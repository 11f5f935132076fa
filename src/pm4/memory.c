/* The caller's memory as pieces of host memory. Words are read and written whole (acquire, release), because
 * waits poll words that other threads write. */
#include "pm4/processor.h"

#include <stdlib.h>

static int by_address(const void *a, const void *b)
{
    const struct etalon_pm4_range *left = a, *right = b;
    return (left->address > right->address) - (left->address < right->address);
}

bool et_pm4_memory_init(struct et_pm4_memory *memory, const struct etalon_pm4_memory *from,
                        struct etalon_error *error)
{
    memory->translate = from->translate;
    memory->written = from->written;
    memory->user = from->user;
    if (from->translate || !from->range_count)
        return true;
    memory->ranges = et_calloc(from->range_count, sizeof *memory->ranges);
    if (!memory->ranges) {
        et_fail(error, ETALON_NO_MEMORY, "no memory for %zu ranges", from->range_count);
        return false;
    }
    memory->range_count = from->range_count;
    memcpy(memory->ranges, from->ranges, from->range_count * sizeof *memory->ranges);
    qsort(memory->ranges, memory->range_count, sizeof *memory->ranges, by_address);
    for (size_t i = 0; i < memory->range_count; i++) {
        const struct etalon_pm4_range *range = &memory->ranges[i];
        const char *fault = NULL;
        if ((range->address | range->size | (uintptr_t)range->host) & 3)
            fault = "is not dword aligned";
        else if (!range->host && range->size)
            fault = "has no host memory";
        else if (range->size && range->address + (range->size - 1) < range->address)
            fault = "wraps round";
        else if (i && memory->ranges[i - 1].address + memory->ranges[i - 1].size > range->address)
            fault = "overlaps another";
        if (fault) {
            et_at_address(error, range->address);
            et_fail(error, ETALON_INVALID, "memory range at 0x%llx %s", (unsigned long long)range->address,
                    fault);
            et_pm4_memory_free(memory);
            return false;
        }
    }
    return true;
}

void et_pm4_memory_free(struct et_pm4_memory *memory)
{
    et_free(memory->ranges);
    memory->ranges = NULL;
    memory->range_count = 0;
}

uint32_t *et_pm4_map(const struct et_pm4_memory *memory, uint64_t address, bool write, uint64_t *bytes)
{
    if (memory->translate) {
        void *host = memory->translate(memory->user, address, write, bytes);
        return host && *bytes >= 4 && !((uintptr_t)host & 3) ? host : NULL;
    }
    size_t low = 0, high = memory->range_count;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (memory->ranges[middle].address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    if (!low)
        return NULL;
    const struct etalon_pm4_range *range = &memory->ranges[low - 1];
    const uint64_t within = address - range->address;
    if (within >= range->size)
        return NULL;
    *bytes = range->size - within;
    return (uint32_t *)((char *)range->host + within);
}

bool et_pm4_mapped(const struct et_pm4_memory *memory, uint64_t address, uint64_t size, bool write)
{
    if (size && address + (size - 1) < address)
        return false;
    for (uint64_t at = address & ~UINT64_C(3), end = address + size, bytes; size && at < end; at += bytes) {
        if (!et_pm4_map(memory, at, write, &bytes))
            return false;
        bytes &= ~UINT64_C(3);
        if (bytes >= end - at)
            return true;
    }
    return true;
}

/* Moves bytes between a piece of host memory and a buffer, a word at a time where both ends allow. */
static void get_piece(char *to, const char *from, uint64_t size)
{
    for (; size && ((uintptr_t)from & 3 || size < 4); size--)
        *to++ = __atomic_load_n(from++, __ATOMIC_ACQUIRE);
    for (; size >= 4; size -= 4, from += 4, to += 4)
        et_store32(to, __atomic_load_n((const uint32_t *)(const void *)from, __ATOMIC_ACQUIRE));
    for (; size; size--)
        *to++ = __atomic_load_n(from++, __ATOMIC_ACQUIRE);
}

static void put_piece(char *to, const char *from, uint64_t size)
{
    for (; size && ((uintptr_t)to & 3 || size < 4); size--)
        __atomic_store_n(to++, *from++, __ATOMIC_RELEASE);
    for (; size >= 4; size -= 4, from += 4, to += 4)
        __atomic_store_n((uint32_t *)(void *)to, et_load32(from), __ATOMIC_RELEASE);
    for (; size; size--)
        __atomic_store_n(to++, *from++, __ATOMIC_RELEASE);
}

bool et_pm4_read(const struct et_pm4_memory *memory, uint64_t address, void *to, uint64_t size)
{
    if (!et_pm4_mapped(memory, address, size, false))
        return false;
    for (char *out = to; size;) {
        uint64_t bytes;
        const unsigned skip = address & 3;
        const char *host = (const char *)et_pm4_map(memory, address - skip, false, &bytes);
        if (!host)
            return false;
        bytes = ET_MIN((bytes & ~UINT64_C(3)) - skip, size);
        get_piece(out, host + skip, bytes);
        out += bytes;
        address += bytes;
        size -= bytes;
    }
    return true;
}

bool et_pm4_write(const struct et_pm4_memory *memory, uint64_t address, const void *from, uint64_t size)
{
    const uint64_t start = address, whole = size;
    if (!et_pm4_mapped(memory, address, size, true))
        return false;
    for (const char *in = from; size;) {
        uint64_t bytes;
        const unsigned skip = address & 3;
        char *host = (char *)et_pm4_map(memory, address - skip, true, &bytes);
        if (!host)
            return false;
        bytes = ET_MIN((bytes & ~UINT64_C(3)) - skip, size);
        put_piece(host + skip, in, bytes);
        in += bytes;
        address += bytes;
        size -= bytes;
    }
    if (memory->written && whole)
        memory->written(memory->user, start, whole);
    return true;
}

/* The value's host address when it can be accessed whole, else NULL. */
static void *whole(const struct et_pm4_memory *memory, uint64_t address, unsigned size, bool write)
{
    uint64_t bytes;
    uint32_t *host = address & 3 ? NULL : et_pm4_map(memory, address, write, &bytes);
    return host && bytes >= size && !((uintptr_t)host & (size - 1)) ? host : NULL;
}

bool et_pm4_load(const struct et_pm4_memory *memory, uint64_t address, unsigned bytes, uint64_t *value)
{
    const void *host = whole(memory, address, bytes, false);
    *value = 0;
    if (!host)
        return et_pm4_read(memory, address, value, bytes);
    *value = bytes == 8 ? __atomic_load_n((const uint64_t *)host, __ATOMIC_ACQUIRE)
                        : __atomic_load_n((const uint32_t *)host, __ATOMIC_ACQUIRE);
    return true;
}

bool et_pm4_store(const struct et_pm4_memory *memory, uint64_t address, unsigned bytes, uint64_t value)
{
    void *host = whole(memory, address, bytes, true);
    if (!host)
        return et_pm4_write(memory, address, &value, bytes);
    if (bytes == 8)
        __atomic_store_n((uint64_t *)host, value, __ATOMIC_RELEASE);
    else
        __atomic_store_n((uint32_t *)host, (uint32_t)value, __ATOMIC_RELEASE);
    if (memory->written)
        memory->written(memory->user, address, bytes);
    return true;
}

bool et_pm4_swap(const struct et_pm4_memory *memory, uint64_t address, unsigned bytes, uint64_t *expected,
                 uint64_t value, bool *stored)
{
    void *host = whole(memory, address, bytes, true);
    if (!host) { /* not one word of the host: no other thread can swap it whole either */
        uint64_t seen;
        if (!et_pm4_load(memory, address, bytes, &seen))
            return false;
        *stored = seen == *expected;
        *expected = seen;
        return !*stored || et_pm4_store(memory, address, bytes, value);
    }
    if (bytes == 8) {
        *stored = __atomic_compare_exchange_n((uint64_t *)host, expected, value, false, __ATOMIC_ACQ_REL,
                                              __ATOMIC_ACQUIRE);
    } else {
        uint32_t seen = (uint32_t)*expected;
        *stored = __atomic_compare_exchange_n((uint32_t *)host, &seen, (uint32_t)value, false,
                                              __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
        *expected = seen;
    }
    if (*stored && memory->written)
        memory->written(memory->user, address, bytes);
    return true;
}
