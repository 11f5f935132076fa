/* A target in RAM, element by element, in place. */
#ifndef ET_RASTERIZER_SURFACE_H
#define ET_RASTERIZER_SURFACE_H

#include "rasterizer/state.h"

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
    bool quads_together; /* a quad's rows lie 16 bytes apart in one GOB */
};

/* A thread's window on a surface: the pages it touched last. Zero-initialise. */
#define ET_SURFACE_PAGES 16
struct et_surface_window {
    struct {
        uint64_t page; /* address / page size + 1; 0: nothing */
        uint8_t *host; /* NULL: sparse */
        bool writable;
    } way[ET_SURFACE_PAGES];
    uint8_t sparse[64]; /* what stands for a quad of sparse memory */
};

/* bytes: of an element, a power of two. ETALON_MISALIGNED where an element could cross a page. */
enum etalon_status et_surface_init(struct et_surface *surface, const struct et_target *target, uint32_t bytes,
                                   struct etalon_error *error);

/* The element at (x, y) of a layer, all inside the surface; `write` stamps its page. Sparse memory gives
 * zeroed scratch bytes. NULL with an error where memory is missing. */
uint8_t *et_surface_element(const struct et_surface *surface, struct et_surface_window *window,
                            struct et_view *view, uint32_t x, uint32_t y, uint32_t layer, bool write,
                            struct etalon_error *error);

#endif
