/* Rows of bytes of a surface in GPU memory, whatever its layout: what copy, inline and 2D engines move. */
#ifndef ET_ENGINE_ROWS_H
#define ET_ENGINE_ROWS_H

#include "memory/pagemap.h"
#include "texture/layout.h"

struct et_rows {
    uint64_t address;
    struct et_layout layout;
};

/* Copies `bytes` bytes of row y of slice z, from byte x on. Memory errors name the address. */
enum etalon_status et_rows_read(struct et_view *view, const struct et_rows *surface, uint64_t x, uint32_t y,
                                uint32_t z, void *to, uint64_t bytes, struct etalon_error *error);
enum etalon_status et_rows_write(struct et_view *view, const struct et_rows *surface, uint64_t x, uint32_t y,
                                 uint32_t z, const void *from, uint64_t bytes, struct etalon_error *error);

#endif
