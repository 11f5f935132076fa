/* Colour and depth target formats. [DOC: class headers' format enumerations] */
#ifndef ET_RASTERIZER_FORMAT_H
#define ET_RASTERIZER_FORMAT_H

#include <stdbool.h>
#include <stdint.h>

enum et_color_kind {
    ET_COLOR_UNORM,
    ET_COLOR_SNORM,
    ET_COLOR_SRGB, /* 8-bit; alpha linear */
    ET_COLOR_F16,
    ET_COLOR_F11, /* 11, 11, 10 bits */
    ET_COLOR_F32,
    ET_COLOR_UINT,
    ET_COLOR_SINT,
    ET_COLOR_UNORM32 /* one channel; not blended */
};

struct et_color_format {
    uint8_t value; /* [raw SET_COLOR_TARGET_FORMAT] */
    uint8_t bytes;
    uint8_t kind;      /* enum et_color_kind */
    uint8_t code_bits; /* UNORM, SNORM: bits of the code that shader outputs become */
    struct {
        uint8_t low, width; /* bits of the texel; width 0: absent */
    } channel[4];           /* R G B A */
    uint32_t zeros, ones;   /* bits that every write clears, sets */
    const char *name;
};

/* The row of a format, or NULL. */
const struct et_color_format *et_color_format_find(uint32_t value);
/* Row i of the table, NULL past its end. */
const struct et_color_format *et_color_format_row(unsigned i);
/* The same layout without sRGB encoding; `format` itself if it has none. */
const struct et_color_format *et_color_format_linear(const struct et_color_format *format);

struct et_depth_format {
    uint8_t value; /* [raw SET_ZT_FORMAT] */
    uint8_t bytes;
    bool float_depth;
    uint8_t depth_low, depth_bits;     /* 0 bits: none; in the first word */
    uint8_t stencil_byte, has_stencil; /* byte of the texel that holds stencil */
    const char *name;
};

const struct et_depth_format *et_depth_format_find(uint32_t value);
const struct et_depth_format *et_depth_format_row(unsigned i);

#endif
