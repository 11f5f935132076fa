#include "drm/server/server.h"

#include "base/alloc.h"
#include "base/bits.h"

#include <fcntl.h>

#define UNIT UINT64_C(0x10000)

static bool insert(struct et_drm_heap *heap, size_t at, uint64_t offset, uint64_t size)
{
    if (!et_grow(&heap->free, &heap->capacity, heap->count + 1, sizeof *heap->free))
        return false;
    memmove(heap->free + at + 1, heap->free + at, (heap->count - at) * sizeof *heap->free);
    heap->free[at] = (struct et_drm_range){offset, size};
    heap->count++;
    return true;
}

static void erase(struct et_drm_heap *heap, size_t at)
{
    memmove(heap->free + at, heap->free + at + 1, (heap->count - at - 1) * sizeof *heap->free);
    heap->count--;
}

enum etalon_status et_drm_heap_init(struct et_drm_heap *heap, int fd, uint64_t size)
{
    *heap = (struct et_drm_heap){.fd = fd};
    return insert(heap, 0, UNIT, size - UNIT) ? ETALON_OK : ETALON_NO_MEMORY;
}

void et_drm_heap_finish(struct et_drm_heap *heap)
{
    et_free(heap->free);
    *heap = (struct et_drm_heap){.fd = -1};
}

uint64_t et_drm_heap_take(struct et_drm_heap *heap, uint64_t size)
{
    size = et_align_up(size, UNIT);
    for (size_t i = 0; i < heap->count; i++) {
        struct et_drm_range *range = &heap->free[i];
        const uint64_t offset = range->offset;
        if (range->size < size)
            continue;
        range->offset += size;
        range->size -= size;
        if (!range->size)
            erase(heap, i);
        return offset;
    }
    return 0;
}

void et_drm_heap_give(struct et_drm_heap *heap, uint64_t offset, uint64_t size)
{
    size_t i = 0;
    size = et_align_up(size, UNIT);
    fallocate(heap->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)offset, (off_t)size);
    while (i < heap->count && heap->free[i].offset < offset)
        i++;
    if (i && heap->free[i - 1].offset + heap->free[i - 1].size == offset) {
        heap->free[i - 1].size += size;
        if (i < heap->count && offset + size == heap->free[i].offset) {
            heap->free[i - 1].size += heap->free[i].size;
            erase(heap, i);
        }
    } else if (i < heap->count && offset + size == heap->free[i].offset) {
        heap->free[i].offset = offset;
        heap->free[i].size += size;
    } else {
        insert(heap, i, offset, size); /* refused memory: the range is lost, nothing else */
    }
}
