#include "engine/rows.h"

#include "base/bits.h"

static uint64_t linear_address(const struct et_rows *surface, uint64_t x, uint32_t y, uint32_t z)
{
    return surface->address + z * surface->layout.slice + (uint64_t)y * surface->layout.pitch + x;
}

/* 16 bytes are contiguous in a GOB: the largest run that never needs another look. */
#define RUN 16u

enum etalon_status et_rows_read(struct et_view *view, const struct et_rows *surface, uint64_t x, uint32_t y,
                                uint32_t z, void *to, uint64_t bytes, struct etalon_error *error)
{
    uint8_t *out = to;
    if (surface->layout.pitch_linear)
        return et_view_read(view, linear_address(surface, x, y, z), to, bytes, error);
    while (bytes) {
        const uint64_t part = ET_MIN(bytes, RUN - x % RUN);
        const uint64_t address = surface->address + et_layout_offset(&surface->layout, (uint32_t)x, y, z);
        const uint8_t *from = et_view_pointer(view, address, part);
        if (from) {
            memcpy(out, from, part);
        } else {
            const enum etalon_status status = et_view_read(view, address, out, part, error);
            if (status)
                return status;
        }
        x += part;
        out += part;
        bytes -= part;
    }
    return ETALON_OK;
}

enum etalon_status et_rows_write(struct et_view *view, const struct et_rows *surface, uint64_t x, uint32_t y,
                                 uint32_t z, const void *from, uint64_t bytes, struct etalon_error *error)
{
    const uint8_t *in = from;
    if (surface->layout.pitch_linear)
        return et_view_write(view, linear_address(surface, x, y, z), from, bytes, error);
    while (bytes) {
        const uint64_t part = ET_MIN(bytes, RUN - x % RUN);
        const uint64_t address = surface->address + et_layout_offset(&surface->layout, (uint32_t)x, y, z);
        uint8_t *to = et_view_writable(view, address, part);
        if (to) {
            memcpy(to, in, part);
        } else {
            const enum etalon_status status = et_view_write(view, address, in, part, error);
            if (status)
                return status;
        }
        x += part;
        in += part;
        bytes -= part;
    }
    return ETALON_OK;
}
