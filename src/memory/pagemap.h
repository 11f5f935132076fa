/* A GPU virtual address space over RAM, and a thread's view of it.
 *
 * A map is a sorted list of extents, merged where contiguous; pages from 4 KiB, mixed sizes, aliases, sparse
 * and read-only ranges are all just extents. Maps change only between triggers (by the thread that owns the
 * device); while a trigger runs any number of views read it. */
#ifndef ET_MEMORY_PAGEMAP_H
#define ET_MEMORY_PAGEMAP_H

#include "memory/ram.h"

enum et_rights { ET_READ = 1, ET_WRITE = 2 };

/* start..end-1 of the address space. host is NULL for a sparse range: reads give zero, writes are dropped. */
struct et_extent {
    uint64_t start, end; /* bytes; start == end == 0: nothing */
    uint8_t *host;       /* of `start` */
    uint64_t ram_offset; /* of `start` */
    uint32_t rights;     /* enum et_rights */
    uint32_t kind;       /* PTE kind; stored and shown, engines see one GOB order */
};

struct et_pagemap {
    struct et_ram *ram;
    struct et_extent *extents;
    size_t count, capacity;
    uint64_t epoch; /* changes with every map and unmap */
    unsigned bits;  /* address bits; addresses are taken modulo 2^bits */
};

/* bits: width of a virtual address, 32..49. The RAM is borrowed and must outlive the map. */
void et_pagemap_init(struct et_pagemap *map, struct et_ram *ram, unsigned bits);
void et_pagemap_finish(struct et_pagemap *map);

/* Replaces whatever was mapped at va..va+size. Both and ram_offset are multiples of 4 KiB. rights of
 * et_rights. */
enum etalon_status et_pagemap_map(struct et_pagemap *map, uint64_t va, uint64_t size, uint64_t ram_offset,
                                  uint32_t rights, uint32_t kind, struct etalon_error *error);
/* A range without memory: reads zero, drops writes. */
enum etalon_status et_pagemap_map_sparse(struct et_pagemap *map, uint64_t va, uint64_t size,
                                         struct etalon_error *error);
/* Unmaps whatever lies in va..va+size; holes are no error. */
enum etalon_status et_pagemap_unmap(struct et_pagemap *map, uint64_t va, uint64_t size,
                                    struct etalon_error *error);
/* The merged extent around va, or NULL when unmapped. */
const struct et_extent *et_pagemap_find(const struct et_pagemap *map, uint64_t va);

/* A thread's view: a small cache of extents, and the event that its writes are stamped with. Not shared. */
#define ET_VIEW_WAYS 8
struct et_view {
    const struct et_pagemap *map;
    uint64_t epoch;
    uint64_t event;        /* stamp of this view's writes */
    enum et_writer writer; /* likewise; the GPU unless changed */
    unsigned next;
    struct et_extent way[ET_VIEW_WAYS];
};

/* event: number of the trigger on whose behalf this thread works. */
void et_view_init(struct et_view *view, const struct et_pagemap *map, uint64_t event);

/* Slow half of et_view_extent; do not call directly. */
const struct et_extent *et_view_miss(struct et_view *view, uint64_t va);

/* The extent that holds `va`, or NULL when unmapped. Valid until the next call on this view. */
static inline const struct et_extent *et_view_extent(struct et_view *view, uint64_t va)
{
    if (view->epoch == view->map->epoch)
        for (unsigned i = 0; i < ET_VIEW_WAYS; i++)
            if (va - view->way[i].start < view->way[i].end - view->way[i].start)
                return &view->way[i];
    return et_view_miss(view, va);
}

/* A pointer to `bytes` contiguous readable bytes at va, or NULL when any of them is unmapped, sparse, not
 * readable, or lies in another extent (then use et_view_read). */
static inline const uint8_t *et_view_pointer(struct et_view *view, uint64_t va, uint64_t bytes)
{
    const struct et_extent *extent = et_view_extent(view, va);
    if (!extent || !extent->host || bytes > extent->end - va || !(extent->rights & ET_READ))
        return NULL;
    return extent->host + (va - extent->start);
}

/* The same for writing; stamps the pages. */
static inline uint8_t *et_view_writable(struct et_view *view, uint64_t va, uint64_t bytes)
{
    const struct et_extent *extent = et_view_extent(view, va);
    if (!extent || !extent->host || bytes > extent->end - va || !(extent->rights & ET_WRITE))
        return NULL;
    et_ram_stamp(view->map->ram, extent->ram_offset + (va - extent->start), bytes ? bytes : 1, view->event,
                 view->writer);
    return extent->host + (va - extent->start);
}

/* Copies over any number of extents. On ETALON_UNMAPPED or ETALON_READ_ONLY the error names the first bad
 * address and what lay before it has been copied. Sparse ranges read zero and drop writes. */
enum etalon_status et_view_read(struct et_view *view, uint64_t va, void *to, uint64_t bytes,
                                struct etalon_error *error);
enum etalon_status et_view_write(struct et_view *view, uint64_t va, const void *from, uint64_t bytes,
                                 struct etalon_error *error);
enum etalon_status et_view_fill(struct et_view *view, uint64_t va, uint8_t value, uint64_t bytes,
                                struct etalon_error *error);

/* Little-endian words. */
static inline enum etalon_status et_view_read32(struct et_view *view, uint64_t va, uint32_t *word,
                                                struct etalon_error *error)
{
    return et_view_read(view, va, word, sizeof *word, error);
}

static inline enum etalon_status et_view_write32(struct et_view *view, uint64_t va, uint32_t word,
                                                 struct etalon_error *error)
{
    return et_view_write(view, va, &word, sizeof word, error);
}

#endif
