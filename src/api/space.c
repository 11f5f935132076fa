#include "api/api.h"

#include "base/alloc.h"
#include "base/bits.h"
#include "texture/layout.h"

enum etalon_status etalon_space_create(struct etalon_device *device, struct etalon_space **space,
                                       struct etalon_error *error)
{
    *space = et_calloc(1, sizeof **space);
    if (!*space)
        return et_fail(error, ETALON_NO_MEMORY, "no memory for an address space");
    et_pagemap_init(&(*space)->map, &device->ram, et_device_chip(device->device)->va_bits);
    (*space)->device = device;
    (*space)->next = device->spaces;
    device->spaces = *space;
    return ETALON_OK;
}

void etalon_space_destroy(struct etalon_space *space)
{
    struct etalon_space **link;
    if (!space)
        return;
    for (link = &space->device->spaces; *link; link = &(*link)->next)
        if (*link == space) {
            *link = space->next;
            break;
        }
    et_pagemap_finish(&space->map);
    et_free(space);
}

enum etalon_status etalon_map(struct etalon_space *space, uint64_t va, uint64_t size, uint64_t ram_offset,
                              unsigned flags, uint32_t kind, struct etalon_error *error)
{
    const uint32_t rights = flags & ETALON_MAP_READ_ONLY ? ET_READ : ET_READ | ET_WRITE;
    return et_pagemap_map(&space->map, va, size, ram_offset, rights, kind, error);
}

enum etalon_status etalon_map_sparse(struct etalon_space *space, uint64_t va, uint64_t size,
                                     struct etalon_error *error)
{
    return et_pagemap_map_sparse(&space->map, va, size, error);
}

enum etalon_status etalon_unmap(struct etalon_space *space, uint64_t va, uint64_t size,
                                struct etalon_error *error)
{
    const enum etalon_status status = et_pagemap_unmap(&space->map, va, size, error);
    const struct etalon_callbacks *callbacks = &space->device->callbacks;
    if (!status && callbacks->unmapped)
        callbacks->unmapped(callbacks->context, space, va, size);
    return status;
}

enum etalon_status etalon_read(struct etalon_space *space, uint64_t va, void *to, uint64_t bytes,
                               struct etalon_error *error)
{
    struct et_view view;
    et_view_init(&view, &space->map, 0);
    return et_view_read(&view, va, to, bytes, error);
}

enum etalon_status etalon_write(struct etalon_space *space, uint64_t va, const void *from, uint64_t bytes,
                                struct etalon_error *error)
{
    struct et_view view;
    et_view_init(&view, &space->map, et_device_next_event(space->device->device));
    view.writer = ET_WRITER_CPU;
    return et_view_write(&view, va, from, bytes, error);
}

enum etalon_status etalon_copy(struct etalon_space *space, uint64_t to, uint64_t from, uint64_t bytes,
                               struct etalon_error *error)
{
    struct et_view view;
    uint8_t part[4096];
    enum etalon_status status = ETALON_OK;
    /* Overlapping ranges are copied from the end where the destination lies above. */
    const int backwards = to > from && to - from < bytes;
    et_view_init(&view, &space->map, et_device_next_event(space->device->device));
    view.writer = ET_WRITER_CPU;
    for (uint64_t done = 0; !status && done < bytes;) {
        const uint64_t n = ET_MIN(sizeof part, bytes - done), at = backwards ? bytes - done - n : done;
        status = et_view_read(&view, from + at, part, n, error);
        if (!status)
            status = et_view_write(&view, to + at, part, n, error);
        done += n;
    }
    return status;
}

int etalon_changed(struct etalon_space *space, uint64_t *va, uint64_t end, uint64_t since, uint64_t *bytes)
{
    const struct et_ram *ram = &space->device->ram;
    for (size_t i = 0; i < space->map.count; i++) {
        const struct et_extent *extent = &space->map.extents[i];
        const uint64_t start = ET_MAX(*va, extent->start), stop = ET_MIN(end, extent->end);
        uint64_t first, last;
        if (!extent->host || start >= stop)
            continue;
        const uint64_t base = extent->ram_offset - extent->start, ram_stop = base + stop;
        first = et_ram_next_changed(ram, base + start, ram_stop, since);
        if (first == ram_stop)
            continue;
        for (last = (first | (ET_PAGE_SIZE - 1)) + 1; last < ram_stop; last += ET_PAGE_SIZE)
            if (et_ram_next_changed(ram, last, last + ET_PAGE_SIZE, since) != last)
                break;
        *va = first - base;
        *bytes = ET_MIN(last, ram_stop) - first;
        return 1;
    }
    return 0;
}

enum etalon_status etalon_touched(struct etalon_device *device, uint64_t offset, uint64_t bytes,
                                  struct etalon_error *error)
{
    if (!bytes || offset > device->ram.size || bytes > device->ram.size - offset)
        return et_fail(error, ETALON_BOUNDS, "0x%llx + %llu bytes do not lie in RAM",
                       (unsigned long long)offset, (unsigned long long)bytes);
    et_ram_stamp(&device->ram, offset, bytes, et_device_next_event(device->device), ET_WRITER_CPU);
    return ETALON_OK;
}

/* One row; block-linear rows lie in pieces of 16 bytes. */
static enum etalon_status read_row(struct et_view *view, const struct et_layout *layout, uint64_t address,
                                   uint32_t y, uint32_t z, uint8_t *to, struct etalon_error *error)
{
    const uint32_t piece = layout->pitch_linear ? layout->width : 16;
    enum etalon_status status = ETALON_OK;
    for (uint32_t x = 0; !status && x < layout->width; x += piece)
        status = et_view_read(view, address + et_layout_offset(layout, x, y, z), to + x,
                              ET_MIN(piece, layout->width - x), error);
    return status;
}

enum etalon_status etalon_surface_read(struct etalon_space *space, const struct etalon_surface *surface,
                                       void *to, struct etalon_error *error)
{
    const uint64_t row = (uint64_t)surface->width * surface->bytes_per_texel;
    struct et_layout layout = {.pitch_linear = surface->pitch != 0,
                               .pitch = surface->pitch,
                               .slice = (uint64_t)surface->pitch * surface->height,
                               .width = (uint32_t)row,
                               .height = surface->height,
                               .depth = surface->depth,
                               .turing_gob = et_device_chip(space->device->device)->isa == ET_ISA_AMPERE,
                               .block_height_log2 = surface->block_height_log2,
                               .block_depth_log2 = surface->block_depth_log2};
    struct et_view view;
    uint8_t *out = to;
    enum etalon_status status = ETALON_OK;
    if (!surface->bytes_per_texel || surface->bytes_per_texel > 16 || row > UINT32_MAX / 2 ||
        surface->block_height_log2 > 5 || surface->block_depth_log2 > 5)
        return et_fail(error, ETALON_INVALID,
                       "no such surface: %u texels of %u bytes a row, blocks of 2^%u by 2^%u", surface->width,
                       surface->bytes_per_texel, surface->block_height_log2, surface->block_depth_log2);
    et_view_init(&view, &space->map, 0);
    for (uint32_t z = 0; !status && z < surface->depth; z++)
        for (uint32_t y = 0; !status && y < surface->height; y++, out += row)
            status = read_row(&view, &layout, surface->address, y, z, out, error);
    return status;
}
