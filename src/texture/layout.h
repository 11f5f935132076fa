/* Where a texel lies: pitch, and NVIDIA's block-linear order of GOBs (64 bytes x 8 rows). [DOC: block-linear
 * note] */
#ifndef ET_TEXTURE_LAYOUT_H
#define ET_TEXTURE_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

#define ET_GOB_WIDTH  64u
#define ET_GOB_HEIGHT 8u
#define ET_GOB_BYTES  512u

/* One image level. Units: bytes along x, rows along y, slices along z (rows of blocks for compressed
 * formats). */
struct et_layout {
    bool pitch_linear;
    uint32_t pitch;                              /* pitch-linear: bytes a row */
    uint64_t slice;                              /* pitch-linear: bytes a slice (0 when there is one) */
    uint32_t width;                              /* bytes a row that the level holds */
    uint32_t height;                             /* rows */
    uint32_t depth;                              /* slices */
    uint8_t block_height_log2, block_depth_log2; /* block-linear: in GOBs and slices, 0..5 */
    bool turing_gob; /* the order of sectors that Turing and later keep in memory */
};

/* Offset of byte x of its GOB's row 0, x < 64, and of row y, y < 8; they add up. A sector is 16 bytes by two
 * rows; Turing exchanged the bits of the second sector across (x4) and down (y1), which a CPU that tiles
 * images itself sees. [DRV: NVK's host image copies] */
static inline uint32_t et_gob_column(bool turing, uint32_t x)
{
    return (x & 32) << 3 | (x & 16) << (turing ? 2 : 1) | (x & 15);
}

static inline uint32_t et_gob_row(bool turing, uint32_t y)
{
    return (y & 4) << 5 | (y & 2) << (turing ? 4 : 5) | (y & 1) << 4;
}

static inline uint32_t et_gob_offset(bool turing, uint32_t x, uint32_t y)
{
    return et_gob_column(turing, x) | et_gob_row(turing, y);
}

/* Byte offset of (x bytes, y, z) from the level's start; coordinates may lie outside (they address what
 * follows). Blocks are one GOB wide; GOBs run down a block's column, then through its slices; blocks run in
 * x, y, z. */
static inline uint64_t et_layout_offset(const struct et_layout *layout, uint32_t x, uint32_t y, uint32_t z)
{
    if (layout->pitch_linear)
        return z * layout->slice + (uint64_t)y * layout->pitch + x;
    const unsigned bh = layout->block_height_log2, bd = layout->block_depth_log2;
    const uint64_t columns = ((uint64_t)layout->width + ET_GOB_WIDTH - 1) / ET_GOB_WIDTH;
    const uint64_t rows = ((uint64_t)layout->height + (ET_GOB_HEIGHT << bh) - 1) >> (3 + bh);
    const uint64_t block = ((z >> bd) * rows + (y >> (3 + bh))) * columns + x / ET_GOB_WIDTH;
    return (block << (9 + bh + bd)) + ((uint64_t)(z & ((1u << bd) - 1)) << (9 + bh)) +
           (((y / ET_GOB_HEIGHT) & ((1u << bh) - 1)) << 9) + et_gob_offset(layout->turing_gob, x & 63, y & 7);
}
/* Bytes that the level occupies, whole blocks for block-linear. */
uint64_t et_layout_size(const struct et_layout *layout);

/* Sample layouts: MULTI_SAMPLE_COUNT of a texture header, SAMPLES of SET_ANTI_ALIAS and the like. [DOC] */
struct et_sample_mode {
    uint8_t samples;                 /* 0: reserved value */
    uint8_t width_log2, height_log2; /* samples a pixel across and down */
    uint8_t x[16], y[16];            /* where sample s lies in its pixel's rectangle */
};
/* The mode of a 4-bit field value; reserved values have no samples. */
const struct et_sample_mode *et_sample_mode(uint32_t value);

#endif
