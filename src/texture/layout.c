#include "texture/layout.h"

#include "base/bits.h"

uint64_t et_layout_size(const struct et_layout *layout)
{
    if (layout->pitch_linear)
        return layout->depth > 1 ? layout->slice * layout->depth : (uint64_t)layout->pitch * layout->height;
    const unsigned bh = layout->block_height_log2, bd = layout->block_depth_log2;
    return et_ceil_div(layout->width, ET_GOB_WIDTH) * et_ceil_div(layout->height, ET_GOB_HEIGHT << bh) *
               et_ceil_div(layout->depth, 1u << bd)
           << (9 + bh + bd);
}

/* 2X2 and the D3D orders: [DRV] NVK's layouts; 4X2: [DRV] nvc0's table; 4X4 continues it [INF]. */
static const struct et_sample_mode sample_modes[16] = {
    [0x0] = {1, 0, 0, {0}, {0}},
    [0x1] = {2, 1, 0, {0, 1}, {0}},
    [0x2] = {4, 1, 1, {0, 1, 0, 1}, {0, 0, 1, 1}},
    [0x3] = {8, 2, 1, {0, 1, 0, 1, 2, 3, 2, 3}, {0, 0, 1, 1, 0, 0, 1, 1}},
    [0x4] = {8, 2, 1, {2, 1, 3, 1, 0, 0, 2, 3}, {0, 1, 1, 0, 1, 0, 1, 0}},
    [0x5] = {2, 1, 0, {1, 0}, {0}},
    [0x6] = {16,
             2,
             2,
             {0, 1, 0, 1, 2, 3, 2, 3, 0, 1, 0, 1, 2, 3, 2, 3},
             {0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 3, 3, 2, 2, 3, 3}},
    [0x8] = {4, 1, 1, {0, 1, 0, 1}, {0, 0, 1, 1}},
    [0x9] = {4, 1, 1, {0, 1, 0, 1}, {0, 0, 1, 1}},
    [0xa] = {8, 2, 1, {0, 1, 0, 1, 2, 3, 2, 3}, {0, 0, 1, 1, 0, 0, 1, 1}},
    [0xb] = {8, 2, 1, {0, 1, 0, 1, 2, 3, 2, 3}, {0, 0, 1, 1, 0, 0, 1, 1}},
};

const struct et_sample_mode *et_sample_mode(uint32_t value)
{
    return &sample_modes[value & 15];
}
