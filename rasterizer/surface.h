/* A target in RAM, element by element, in place. */
#ifndef ET_RASTERIZER_SURFACE_H
#define ET_RASTERIZER_SURFACE_H

#include "texture/unit.h"
#include "rasterizer/samples.h"

#include <string.h>

#define ET_SURFACE_CELL_SAMPLES 4
/* Place of a lane's element among the eight of its sector: four pixels of a row, then four of the next. */
#define ET_SECTOR_PLACE(lane) (((lane) >> 2 & 1) * 2 + ((lane) >> 1 & 1) * 4 + ((lane)&1))
struct et_surface {
    uint64_t address; /* of the first layer */
    uint64_t layer_bytes;
    uint32_t bytes; /* an element */
    uint32_t width, height, layers;
    uint32_t pitch; /* pitch-linear, else 0 */
    uint32_t blocks_x;
    uint8_t block_height_log2, block_depth_log2;
    bool turing_gob;
    bool volume;
    uint8_t width_log2, height_log2; /* elements a pixel */
    bool cells_together;             /* 8x4 pixels lie in one GOB: */
    uint8_t bytes_log2;
    uint8_t gob_x_log2, gob_y_log2; /* pixels of a GOB */
    uint16_t place[2][8];           /* of the cells of a GOB and those beside it: bytes from its start */
    uint8_t samples;
    bool quarters; /* 32-bit elements, 2x2 samples a pixel: a sector is two pixels of a row, sample_at[] of
                      each by row and column. See wide.h */
    uint8_t sample_at[4];
    bool sectors; /* 32-bit elements, of which each 2 quads side by side are 32 bytes in a row: see wide.h */
    uint16_t offset[ET_SURFACE_CELL_SAMPLES][ET_LANES]; /* bytes from a cell's first to sample s of lane l */
};

/* A thread's window on a surface: the pages it touched last. Zero-initialise. */
#define ET_SURFACE_PAGES 16
#define ET_SURFACE_GOBS  4
struct et_surface_window {
    struct {
        uint64_t page; /* address / page size + 1; 0: nothing */
        uint8_t *host; /* NULL: sparse */
        bool writable;
    } way[ET_SURFACE_PAGES];
    struct {
        uint8_t *at; /* NULL: none */
        uint32_t x, y, layer;
        bool writable;
    } gob[ET_SURFACE_GOBS]; /* where cells were looked for, by the GOB's column */
    uint8_t sparse[512];    /* what stands for a GOB of sparse memory */
};

/* bytes: of an element, a power of two. ETALON_MISALIGNED where an element could cross a page. */
enum etalon_status et_surface_init(struct et_surface *surface, const struct et_target *target, uint32_t bytes,
                                   struct etalon_error *error);

/* Lays out the surface's cells for a sample layout, where they lie in one GOB each. */
void et_surface_cells(struct et_surface *surface, const struct et_sample_layout *layout);

/* The element at (x, y) of a layer, all inside the surface; `write` stamps its page. Sparse memory gives
 * zeroed scratch bytes. NULL with an error where memory is missing. */
uint8_t *et_surface_element(const struct et_surface *surface, struct et_surface_window *window,
                            struct et_view *view, uint32_t x, uint32_t y, uint32_t layer, bool write,
                            struct etalon_error *error);

/* Slow half of et_surface_cell. */
uint8_t *et_surface_find_cell(const struct et_surface *surface, struct et_surface_window *window,
                              struct et_view *view, uint32_t x, uint32_t y, uint32_t layer, bool write,
                              struct etalon_error *error);

/* The first element of the cell whose first pixel is (x, y), where cells_together; as et_surface_element. */
static inline uint8_t *et_surface_cell(const struct et_surface *surface, struct et_surface_window *window,
                                       struct et_view *view, uint32_t x, uint32_t y, uint32_t layer,
                                       bool write, struct etalon_error *error)
{
    const uint32_t gob_x = x >> surface->gob_x_log2, gob_y = y >> surface->gob_y_log2;
    const unsigned way = gob_x % ET_SURFACE_GOBS;
    if (window->gob[way].at && window->gob[way].x == gob_x && window->gob[way].y == gob_y &&
        window->gob[way].layer == layer && (window->gob[way].writable || !write))
        return window->gob[way].at + surface->place[y >> 2 & 1][x >> 3 & 7];
    return et_surface_find_cell(surface, window, view, x, y, layer, write, error);
}

#endif
