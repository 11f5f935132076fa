/* Texture formats: the component sizes of a texture header, resolved with its data types, and the decoding of
 * texels to codes (what is in memory, widened) and to register bits (what the unit returns unfiltered). */
#ifndef ET_TEXTURE_FORMAT_H
#define ET_TEXTURE_FORMAT_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

/* How a component's code is filtered and becomes a float. [HW:H200] but where a line says otherwise. */
enum et_texel_class {
    ET_CLASS_NONE, /* the format has no such component */
    ET_CLASS_U8,   /* code / 255; up to 8 bits, replicated to 8 */
    ET_CLASS_U10,  /* 10 bits replicated to 16: code / 1023 alone, as U16 in a filter */
    ET_CLASS_U16,  /* code / 65535; 11 to 16 bits, replicated to 16 */
    ET_CLASS_S8,   /* SNORM8, -128 kept */
    ET_CLASS_S16,  /* SNORM16 */
    ET_CLASS_U24,  /* depth and other 24-bit UNORM */
    ET_CLASS_U32,  /* code / (2^32 - 1) [INF] */
    ET_CLASS_S32,  /* code / (2^31 - 1) [INF] */
    ET_CLASS_F16,  /* IEEE half bits */
    ET_CLASS_F32,  /* IEEE single bits */
    ET_CLASS_E5,   /* shared exponent: mantissa in bits 8:0, exponent in bits 13:9 */
    ET_CLASS_SRGB, /* 8-bit code, decoded by table */
    ET_CLASS_INT   /* 32-bit integer, never filtered */
};

/* Data types of a header's components. [DOC] */
enum et_texel_type {
    ET_TYPE_SNORM = 1,
    ET_TYPE_UNORM,
    ET_TYPE_SINT,
    ET_TYPE_UINT,
    ET_TYPE_SNORM_FP16,
    ET_TYPE_UNORM_FP16,
    ET_TYPE_FLOAT
};

enum et_format_kind {
    ET_KIND_PLAIN,
    ET_KIND_DEPTH, /* fixed types: the header's are ignored */
    ET_KIND_SMALL_FLOAT,
    ET_KIND_SHARED_EXPONENT,
    ET_KIND_PAIR, /* two texels share red and blue */
    ET_KIND_BC1,
    ET_KIND_BC2,
    ET_KIND_BC3,
    ET_KIND_BC4,
    ET_KIND_BC5,
    ET_KIND_BC6_SIGNED,
    ET_KIND_BC6_UNSIGNED,
    ET_KIND_BC7,
    ET_KIND_ETC2_RGB,
    ET_KIND_ETC2_PUNCH,
    ET_KIND_ETC2_RGBA,
    ET_KIND_EAC1,
    ET_KIND_EAC2,
    ET_KIND_ASTC
};

/* One row of the format table. */
struct et_format {
    uint8_t sizes; /* COMPONENT_SIZES */
    uint8_t kind;  /* enum et_format_kind */
    uint8_t block_width, block_height, block_bytes;
    uint8_t low[4], width[4]; /* bits of R, G, B, A from the least significant; width 0: absent */
    uint8_t depth;            /* component that holds depth, 0xff: none */
    const char *name;
};

#define ET_BLOCK_TEXELS 144 /* of the largest block, ASTC 12x12 */

struct et_texel {
    int32_t code[4]; /* R, G, B, A by class; absent components are 0 */
};

/* A format with its data types: what reading a texel needs. */
struct et_texel_format {
    const struct et_format *format;
    uint8_t klass[4]; /* enum et_texel_class */
    uint8_t type[4];  /* enum et_texel_type */
    bool srgb;
    bool compressed; /* blocks are decoded whole */
    bool integer;    /* no component is filtered */
};

/* The row of a COMPONENT_SIZES value, or NULL. */
const struct et_format *et_format_find(uint32_t sizes);
/* Row i of the table, NULL past the end. */
const struct et_format *et_format_row(unsigned i);

/* Checks that each component's width goes with its type. types[0..3]: R, G, B, A. ETALON_BAD_VALUE,
 * _UNSUPPORTED. */
enum etalon_status et_texel_format_resolve(struct et_texel_format *resolved, uint32_t sizes,
                                           const uint8_t types[4], bool srgb, struct etalon_error *error);

/* Texel (x, y) of the uncompressed block at `bytes` (x < block_width; y < block_height). */
void et_texel_read(const struct et_texel_format *format, const uint8_t *bytes, unsigned x,
                   struct et_texel *texel);
/* All texels of a compressed block, rows of block_width. */
void et_texel_read_block(const struct et_texel_format *format, const uint8_t *bytes, struct et_texel *texels);

/* Register bits of a code: a float, or the integer. */
uint32_t et_texel_value(enum et_texel_class klass, int32_t code);
/* The code that a register value (float bits, or an integer) becomes: border colours. They round as a target's components do, ten bits
 * as sixteen [HW:H200]; sRGB takes the 8-bit code. */
int32_t et_texel_code(enum et_texel_class klass, uint32_t value);

/* Exact conversions shared with others. */
uint32_t et_half_to_float(uint32_t half); /* denormals kept, NaN payload kept */

/* sRGB decoding as silicon does it. [HW:H200] */
extern const uint32_t et_srgb_value[256];  /* linear value in 1/65536, at most seven significant bits */
extern const int8_t et_srgb_exponent[256]; /* exponent that the filter aligns a code to */

#endif
