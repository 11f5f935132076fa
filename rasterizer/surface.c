#include "rasterizer/surface.h"

#include "base/bits.h"
#include "texture/layout.h"

enum etalon_status et_surface_init(struct et_surface *surface, const struct et_target *target, uint32_t bytes,
                                   struct etalon_error *error)
{
    *surface = (struct et_surface){.address = target->address,
                                   .layer_bytes = target->array_pitch,
                                   .bytes = bytes,
                                   .width = target->width,
                                   .height = target->height,
                                   .layers = target->layers ? target->layers : 1,
                                   .block_height_log2 = target->block_height_log2,
                                   .block_depth_log2 = target->block_depth_log2,
                                   .volume = target->volume,
                                   .turing_gob = target->turing_gob};
    if (target->pitch_linear) {
        surface->pitch = target->width;
        surface->width = target->width / bytes;
    } else {
        surface->blocks_x = (uint32_t)et_ceil_div((uint64_t)target->width * bytes, ET_GOB_WIDTH);
    }
    if ((target->address | target->array_pitch | surface->pitch) & (bytes - 1)) {
        et_at_address(error, target->address);
        return et_fail(error, ETALON_MISALIGNED,
                       "render target at 0x%llx is not aligned to its elements of %u bytes",
                       (unsigned long long)target->address, bytes);
    }
    return ETALON_OK;
}

void et_surface_cells(struct et_surface *surface, const struct et_sample_layout *layout)
{
    const struct et_sample_mode *order = et_sample_mode(layout->mode);
    const unsigned across = 8u << layout->width_log2, down = 4u << layout->height_log2;
    surface->width_log2 = layout->width_log2;
    surface->height_log2 = layout->height_log2;
    surface->bytes_log2 = (uint8_t)__builtin_ctz(surface->bytes);
    surface->cells_together = !surface->pitch && layout->samples <= ET_SURFACE_CELL_SAMPLES &&
                              across * surface->bytes <= ET_GOB_WIDTH && down <= ET_GOB_HEIGHT &&
                              !((surface->address | surface->layer_bytes) & (ET_GOB_BYTES - 1));
    for (unsigned s = 0; s < layout->samples && surface->cells_together; s++)
        for (unsigned lane = 0; lane < ET_LANES; lane++) {
            const uint32_t x = (lane >> 2 & 3) * 2 + (lane & 1), y = (lane >> 4) * 2 + (lane >> 1 & 1);
            surface->offset[s][lane] = (uint16_t)et_gob_offset(
                surface->turing_gob, ((x << layout->width_log2) + order->x[s]) * surface->bytes,
                (y << layout->height_log2) + order->y[s]);
        }
    surface->gob_x_log2 = (uint8_t)(6 - layout->width_log2 - surface->bytes_log2);
    surface->gob_y_log2 = (uint8_t)(3 - layout->height_log2);
    for (unsigned n = 0; n < 16 && surface->cells_together; n++)
        surface->place[n / 8][n % 8] =
            (uint16_t)et_gob_offset(surface->turing_gob, n % 8 * across * surface->bytes & (ET_GOB_WIDTH - 1),
                                    n / 8 * down & (ET_GOB_HEIGHT - 1));
    surface->sectors = surface->cells_together && surface->bytes == 4;
    for (unsigned s = 0; s < layout->samples && surface->sectors; s++)
        for (unsigned lane = 0; lane < ET_LANES; lane++) {
            const uint16_t *const offset = surface->offset[s];
            surface->sectors &= offset[lane] == offset[lane & ~7u] + ET_SECTOR_PLACE(lane) * 4;
        }
    surface->samples = layout->samples;
    surface->quarters =
        surface->cells_together && surface->bytes == 4 && layout->width_log2 == 1 && layout->height_log2 == 1;
    for (unsigned s = 0; s < layout->samples && surface->quarters; s++)
        surface->sample_at[order->y[s] * 2 + order->x[s]] = (uint8_t)s;
    for (unsigned n = 0; n < 4 * ET_LANES && surface->quarters; n++) {
        const unsigned lane = n / 4, place = n % 4;
        const uint16_t *const first = surface->offset[surface->sample_at[0]];
        surface->quarters &= surface->offset[surface->sample_at[place]][lane] ==
                             first[lane & ~1u] + (place >> 1) * 16 + (lane & 1) * 8 + (place & 1) * 4;
    }
}

static uint64_t element_offset(const struct et_surface *surface, uint32_t x, uint32_t y, uint32_t layer)
{
    const uint32_t x_bytes = x * surface->bytes;
    if (surface->pitch)
        return (uint64_t)y * surface->pitch + x_bytes + layer * surface->layer_bytes;
    const unsigned bh = surface->block_height_log2, bd = surface->block_depth_log2;
    const uint32_t gob_y = y / ET_GOB_HEIGHT;
    const uint64_t block = (uint64_t)(gob_y >> bh) * surface->blocks_x + x_bytes / ET_GOB_WIDTH;
    uint64_t gob = (block << (bh + bd)) + (gob_y & ((1u << bh) - 1)), base = 0;
    if (surface->volume) {
        const uint64_t blocks_y = et_ceil_div(surface->height, (uint64_t)ET_GOB_HEIGHT << bh);
        gob += (uint64_t)(layer & ((1u << bd) - 1)) << bh;
        base = (layer >> bd) * blocks_y * surface->blocks_x * ((uint64_t)ET_GOB_BYTES << (bh + bd));
    } else {
        base = layer * surface->layer_bytes;
    }
    return base + gob * ET_GOB_BYTES +
           et_gob_offset(surface->turing_gob, x_bytes & (ET_GOB_WIDTH - 1), y & (ET_GOB_HEIGHT - 1));
}

/* Fills a way; 0 with an error where the page is missing. */
static bool load_page(struct et_surface_window *window, unsigned way, struct et_view *view, uint64_t page,
                      bool write, struct etalon_error *error)
{
    const uint64_t va = page << ET_PAGE_BITS;
    const struct et_extent *extent = et_view_extent(view, va);
    const uint32_t need = write ? ET_WRITE : ET_READ;
    window->way[way].page = 0;
    if (!extent || !(extent->rights & need)) {
        et_at_address(error, va);
        et_fail(error, extent ? write ? ETALON_READ_ONLY : ETALON_UNMAPPED : ETALON_UNMAPPED,
                "render target page 0x%llx is %s", (unsigned long long)va,
                !extent ? "not mapped"
                : write ? "not writable"
                        : "not readable");
        return false;
    }
    window->way[way].host = extent->host ? extent->host + (va - extent->start) : NULL;
    window->way[way].writable = write;
    window->way[way].page = page + 1;
    if (write && extent->host)
        et_ram_stamp(view->map->ram, extent->ram_offset + (va - extent->start), ET_PAGE_SIZE, view->event,
                     ET_WRITER_GPU);
    return true;
}

/* The bytes at an address of the surface's memory. */
static inline uint8_t *find_bytes(struct et_surface_window *window, struct et_view *view, uint64_t va,
                                  bool write, struct etalon_error *error)
{
    const uint64_t page = va >> ET_PAGE_BITS;
    const unsigned way = page % ET_SURFACE_PAGES;
    if (window->way[way].page != page + 1 || (write && !window->way[way].writable))
        if (!load_page(window, way, view, page, write, error))
            return NULL;
    if (!window->way[way].host)
        return memset(window->sparse, 0, sizeof window->sparse);
    return window->way[way].host + (va & (ET_PAGE_SIZE - 1));
}

uint8_t *et_surface_element(const struct et_surface *surface, struct et_surface_window *window,
                            struct et_view *view, uint32_t x, uint32_t y, uint32_t layer, bool write,
                            struct etalon_error *error)
{
    return find_bytes(window, view, surface->address + element_offset(surface, x, y, layer), write, error);
}

uint8_t *et_surface_find_cell(const struct et_surface *surface, struct et_surface_window *window,
                              struct et_view *view, uint32_t x, uint32_t y, uint32_t layer, bool write,
                              struct etalon_error *error)
{
    const uint32_t gob_x = x >> surface->gob_x_log2, gob_y = y >> surface->gob_y_log2;
    const unsigned way = gob_x % ET_SURFACE_GOBS;
    const uint64_t va =
        surface->address +
        element_offset(surface, (gob_x * ET_GOB_WIDTH) >> surface->bytes_log2, gob_y * ET_GOB_HEIGHT, layer);
    uint8_t *const at = find_bytes(window, view, va, write, error);
    if (!at)
        return NULL;
    window->gob[way].at = at == window->sparse ? NULL : at; /* that is zeroed each time */
    window->gob[way].x = gob_x;
    window->gob[way].y = gob_y;
    window->gob[way].layer = layer;
    window->gob[way].writable = window->way[va / ET_PAGE_SIZE % ET_SURFACE_PAGES].writable;
    return at + surface->place[y >> 2 & 1][x >> 3 & 7];
}
