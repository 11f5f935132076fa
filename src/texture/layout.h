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
};

/* Offset of byte (x, y) in its GOB; x < 64, y < 8. */
static inline uint32_t et_gob_offset(uint32_t x, uint32_t y)
{
    return (x & 32) << 3 | (y & 6) << 5 | (x & 16) << 1 | (y & 1) << 4 | (x & 15);
}

/* Byte offset of (x bytes, y, z) from the level's start; coordinates may lie outside (they address what
 * follows). */
uint64_t et_layout_offset(const struct et_layout *layout, uint32_t x, uint32_t y, uint32_t z);
/* Bytes that the level occupies, whole blocks for block-linear. */
uint64_t et_layout_size(const struct et_layout *layout);

#endif
