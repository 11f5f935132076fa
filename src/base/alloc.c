#include "base/alloc.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static _Thread_local size_t fail_after;

static int refused(void)
{
    if (!fail_after)
        return 0;
    if (fail_after > 1) {
        fail_after--;
        return 0;
    }
    return 1;
}

void *et_calloc(size_t count, size_t size)
{
    return refused() ? NULL : calloc(count ? count : 1, size ? size : 1);
}

void *et_realloc(void *old, size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes) || refused())
        return NULL;
    return realloc(old, bytes ? bytes : 1);
}

void *et_aligned_calloc(size_t alignment, size_t count, size_t size)
{
    void *memory;
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes) || refused())
        return NULL;
    if (posix_memalign(&memory, alignment, bytes ? bytes : 1))
        return NULL;
    return memset(memory, 0, bytes);
}

char *et_strdup(const char *text)
{
    const size_t bytes = strlen(text) + 1;
    char *copy = et_calloc(bytes, 1);
    return copy ? memcpy(copy, text, bytes) : NULL;
}

void et_free(void *memory)
{
    free(memory);
}

int et_grow(void *items, size_t *capacity, size_t need, size_t size)
{
    size_t wanted = *capacity ? *capacity : 16;
    void *old, *grown;
    if (need <= *capacity)
        return 1;
    while (wanted < need) {
        if (wanted > SIZE_MAX / 2)
            return 0;
        wanted *= 2;
    }
    memcpy(&old, items, sizeof old);
    grown = et_realloc(old, wanted, size);
    if (!grown)
        return 0;
    memcpy(items, &grown, sizeof grown);
    *capacity = wanted;
    return 1;
}

void et_alloc_fail_after(size_t nth)
{
    fail_after = nth;
}
