#include "texture/layout.h"

#include "base/bits.h"

/* Blocks are one GOB wide; GOBs run down a block's column, then through its slices; blocks run in x, y, z. */
uint64_t et_layout_offset(const struct et_layout *layout, uint32_t x, uint32_t y, uint32_t z)
{
    if (layout->pitch_linear)
        return z * layout->slice + (uint64_t)y * layout->pitch + x;
    const unsigned bh = layout->block_height_log2, bd = layout->block_depth_log2;
    const uint64_t columns = et_ceil_div(layout->width, ET_GOB_WIDTH);
    const uint64_t rows = et_ceil_div(layout->height, ET_GOB_HEIGHT << bh);
    const uint64_t block = ((z >> bd) * rows + y / (ET_GOB_HEIGHT << bh)) * columns + x / ET_GOB_WIDTH;
    return (block << (9 + bh + bd)) + ((uint64_t)(z & ((1u << bd) - 1)) << (9 + bh)) +
           (((y / ET_GOB_HEIGHT) & ((1u << bh) - 1)) << 9) + et_gob_offset(x & 63, y & 7);
}

uint64_t et_layout_size(const struct et_layout *layout)
{
    if (layout->pitch_linear)
        return layout->depth > 1 ? layout->slice * layout->depth : (uint64_t)layout->pitch * layout->height;
    const unsigned bh = layout->block_height_log2, bd = layout->block_depth_log2;
    return et_ceil_div(layout->width, ET_GOB_WIDTH) * et_ceil_div(layout->height, ET_GOB_HEIGHT << bh) *
               et_ceil_div(layout->depth, 1u << bd)
           << (9 + bh + bd);
}
