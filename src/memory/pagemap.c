#include "memory/pagemap.h"

#include "base/alloc.h"
#include "base/bits.h"

void et_pagemap_init(struct et_pagemap *map, struct et_ram *ram, unsigned bits)
{
    *map = (struct et_pagemap){.ram = ram, .epoch = 1, .bits = bits};
}

void et_pagemap_finish(struct et_pagemap *map)
{
    et_free(map->extents);
    *map = (struct et_pagemap){0};
}

/* Index of the first extent that ends after va. */
static size_t first_after(const struct et_pagemap *map, uint64_t va)
{
    size_t low = 0, high = map->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (map->extents[middle].end > va)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

const struct et_extent *et_pagemap_find(const struct et_pagemap *map, uint64_t va)
{
    const size_t i = first_after(map, va);
    return i < map->count && map->extents[i].start <= va ? &map->extents[i] : NULL;
}

static enum etalon_status check_range(const struct et_pagemap *map, uint64_t va, uint64_t size,
                                      struct etalon_error *error)
{
    const uint64_t limit = UINT64_C(1) << map->bits;
    if ((va | size) & (ET_PAGE_SIZE - 1) || !size || va >= limit || size > limit - va) {
        et_at_address(error, va);
        return et_fail(error, ETALON_INVALID,
                       "range of %llu bytes at 0x%llx is not of whole pages below 2^%u",
                       (unsigned long long)size, (unsigned long long)va, map->bits);
    }
    return ETALON_OK;
}

static void advance(struct et_extent *extent, uint64_t to)
{
    if (extent->host) {
        extent->host += to - extent->start;
        extent->ram_offset += to - extent->start;
    }
    extent->start = to;
}

static void insert(struct et_pagemap *map, size_t at, const struct et_extent *extent)
{
    memmove(map->extents + at + 1, map->extents + at, (map->count - at) * sizeof *extent);
    map->extents[at] = *extent;
    map->count++;
}

static void erase(struct et_pagemap *map, size_t at)
{
    memmove(map->extents + at, map->extents + at + 1, (map->count - at - 1) * sizeof *map->extents);
    map->count--;
}

/* Makes va..end a hole; room for two more extents must be there. */
static void clear(struct et_pagemap *map, uint64_t va, uint64_t end)
{
    size_t i = first_after(map, va);
    if (i < map->count && map->extents[i].start < va) {
        struct et_extent right = map->extents[i];
        map->extents[i].end = va;
        i++;
        if (right.end > end) {
            advance(&right, end);
            insert(map, i, &right);
            return;
        }
    }
    while (i < map->count && map->extents[i].end <= end)
        erase(map, i);
    if (i < map->count && map->extents[i].start < end)
        advance(&map->extents[i], end);
}

static bool continues(const struct et_extent *a, const struct et_extent *b)
{
    if (a->end != b->start || a->rights != b->rights || a->kind != b->kind || !a->host != !b->host)
        return false;
    return !a->host || a->ram_offset + (a->end - a->start) == b->ram_offset;
}

static void merge_at(struct et_pagemap *map, size_t i)
{
    if (i + 1 < map->count && continues(&map->extents[i], &map->extents[i + 1])) {
        map->extents[i].end = map->extents[i + 1].end;
        erase(map, i + 1);
    }
}

static enum etalon_status replace(struct et_pagemap *map, const struct et_extent *extent,
                                  struct etalon_error *error)
{
    const enum etalon_status status = check_range(map, extent->start, extent->end - extent->start, error);
    size_t i;
    if (status)
        return status;
    if (!et_grow(&map->extents, &map->capacity, map->count + 2, sizeof *map->extents))
        return et_fail(error, ETALON_NO_MEMORY, "no memory for a mapping");
    clear(map, extent->start, extent->end);
    map->epoch++;
    i = first_after(map, extent->start);
    insert(map, i, extent);
    merge_at(map, i);
    if (i)
        merge_at(map, i - 1);
    return ETALON_OK;
}

enum etalon_status et_pagemap_map(struct et_pagemap *map, uint64_t va, uint64_t size, uint64_t ram_offset,
                                  uint32_t rights, uint32_t kind, struct etalon_error *error)
{
    const struct et_extent extent = {.start = va,
                                     .end = va + size,
                                     .ram_offset = ram_offset,
                                     .rights = rights,
                                     .kind = kind,
                                     .host = map->ram->base + (ram_offset < map->ram->size ? ram_offset : 0)};
    if (ram_offset & (ET_PAGE_SIZE - 1) || ram_offset > map->ram->size ||
        size > map->ram->size - ram_offset) {
        et_at_address(error, va);
        return et_fail(error, ETALON_BOUNDS, "RAM offset 0x%llx with %llu bytes does not lie in RAM's pages",
                       (unsigned long long)ram_offset, (unsigned long long)size);
    }
    return replace(map, &extent, error);
}

enum etalon_status et_pagemap_map_sparse(struct et_pagemap *map, uint64_t va, uint64_t size,
                                         struct etalon_error *error)
{
    const struct et_extent extent = {.start = va, .end = va + size, .rights = ET_READ | ET_WRITE};
    return replace(map, &extent, error);
}

enum etalon_status et_pagemap_unmap(struct et_pagemap *map, uint64_t va, uint64_t size,
                                    struct etalon_error *error)
{
    const enum etalon_status status = check_range(map, va, size, error);
    if (status)
        return status;
    if (!et_grow(&map->extents, &map->capacity, map->count + 1, sizeof *map->extents))
        return et_fail(error, ETALON_NO_MEMORY, "no memory to split a mapping");
    clear(map, va, va + size);
    map->epoch++;
    return ETALON_OK;
}

void et_view_init(struct et_view *view, const struct et_pagemap *map, uint64_t event)
{
    *view = (struct et_view){.map = map, .epoch = map->epoch, .event = event, .writer = ET_WRITER_GPU};
}

const struct et_extent *et_view_miss(struct et_view *view, uint64_t va)
{
    const struct et_extent *found;
    if (view->epoch != view->map->epoch)
        *view = (struct et_view){
            .map = view->map, .epoch = view->map->epoch, .event = view->event, .writer = view->writer};
    found = et_pagemap_find(view->map, va);
    if (!found)
        return NULL;
    view->next = (view->next + 1) % ET_VIEW_WAYS;
    view->way[view->next] = *found;
    return &view->way[view->next];
}

/* The extent for an access of `right` at va; the error names the address. */
static const struct et_extent *access_extent(struct et_view *view, uint64_t va, uint32_t right,
                                             struct etalon_error *error, enum etalon_status *status)
{
    const struct et_extent *extent = et_view_extent(view, va);
    *status = ETALON_OK;
    if (!extent)
        *status = et_fail(error, ETALON_UNMAPPED, "%s of unmapped address 0x%llx",
                          right == ET_READ ? "read" : "write", (unsigned long long)va);
    else if (!(extent->rights & right))
        *status = et_fail(error, right == ET_READ ? ETALON_UNMAPPED : ETALON_READ_ONLY,
                          "%s of 0x%llx, which is mapped %s", right == ET_READ ? "read" : "write",
                          (unsigned long long)va, right == ET_READ ? "without read access" : "read-only");
    if (*status)
        et_at_address(error, va);
    return *status ? NULL : extent;
}

enum etalon_status et_view_read(struct et_view *view, uint64_t va, void *to, uint64_t bytes,
                                struct etalon_error *error)
{
    uint8_t *out = to;
    while (bytes) {
        enum etalon_status status;
        const struct et_extent *extent = access_extent(view, va, ET_READ, error, &status);
        uint64_t part;
        if (!extent)
            return status;
        part = ET_MIN(bytes, extent->end - va);
        if (extent->host)
            memcpy(out, extent->host + (va - extent->start), part);
        else
            memset(out, 0, part);
        out += part;
        va += part;
        bytes -= part;
    }
    return ETALON_OK;
}

/* Writes from `from`, or the byte `value` where from is NULL. */
static enum etalon_status put(struct et_view *view, uint64_t va, const uint8_t *from, int value,
                              uint64_t bytes, struct etalon_error *error)
{
    while (bytes) {
        enum etalon_status status;
        const struct et_extent *extent = access_extent(view, va, ET_WRITE, error, &status);
        uint64_t part;
        if (!extent)
            return status;
        part = ET_MIN(bytes, extent->end - va);
        if (extent->host) {
            const uint64_t skip = va - extent->start;
            et_ram_stamp(view->map->ram, extent->ram_offset + skip, part, view->event, view->writer);
            if (from)
                memmove(extent->host + skip, from, part);
            else
                memset(extent->host + skip, value, part);
        }
        if (from)
            from += part;
        va += part;
        bytes -= part;
    }
    return ETALON_OK;
}

enum etalon_status et_view_write(struct et_view *view, uint64_t va, const void *from, uint64_t bytes,
                                 struct etalon_error *error)
{
    return put(view, va, from, 0, bytes, error);
}

enum etalon_status et_view_fill(struct et_view *view, uint64_t va, uint8_t value, uint64_t bytes,
                                struct etalon_error *error)
{
    return put(view, va, NULL, value, bytes, error);
}
