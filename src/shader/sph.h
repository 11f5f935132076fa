/* Program headers: what a graphics program reads, writes and needs. [DOC: program header document, classes'
 * sph files]
 *
 * Version 3 (Maxwell) is 20 words, version 4 (Turing, Ampere) 32; the code follows. Inputs and outputs are
 * bits by attribute word, the a[] byte address / 4: see isa/interp/launch.h. */
#ifndef ET_SHADER_SPH_H
#define ET_SHADER_SPH_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

#define ET_SPH_V3_BYTES 80
#define ET_SPH_V4_BYTES 128
#define ET_SPH_WORDS    256 /* attribute words */

enum et_sph_shader {
    ET_SPH_VERTEX = 1,
    ET_SPH_TESS_CONTROL = 2,
    ET_SPH_TESS_EVALUATION = 3,
    ET_SPH_GEOMETRY = 4,
    ET_SPH_PIXEL = 5
};

/* How a pixel program's input is interpolated. */
enum et_sph_interpolation { ET_SPH_UNUSED, ET_SPH_CONSTANT, ET_SPH_PERSPECTIVE, ET_SPH_SCREEN_LINEAR };

/* The attribute words that rooms name. */
enum et_word {
    ET_WORD_TESS_OUTER = 0x00 / 4,
    ET_WORD_TESS_INNER = 0x10 / 4,
    ET_WORD_PATCH = 0x20 / 4,
    ET_WORD_RATE_TABLE = 0x5c / 4, /* of Ampere's shading rates [DRV: NAK] */
    ET_WORD_PRIMITIVE_ID = 0x60 / 4,
    ET_WORD_LAYER = 0x64 / 4,
    ET_WORD_VIEWPORT = 0x68 / 4,
    ET_WORD_POINT_SIZE = 0x6c / 4,
    ET_WORD_POSITION = 0x70 / 4,
    ET_WORD_GENERIC = 0x80 / 4,
    ET_WORD_FRONT_COLOR = 0x280 / 4,
    ET_WORD_BACK_COLOR = 0x2a0 / 4,
    ET_WORD_CLIP_DISTANCE = 0x2c0 / 4,
    ET_WORD_POINT_SPRITE = 0x2e0 / 4,
    ET_WORD_FOG = 0x2e8 / 4,
    ET_WORD_TESS_COORD = 0x2f0 / 4,
    ET_WORD_INSTANCE_ID = 0x2f8 / 4,
    ET_WORD_VERTEX_ID = 0x2fc / 4,
    ET_WORD_TEXTURE = 0x300 / 4,
    ET_WORD_VIEWPORT_MASK = 0x3a0 / 4,
    ET_WORD_BARYCENTRIC = 0x3a8 / 4,
    ET_WORD_FRONT_FACING = 0x3fc / 4
};

struct et_sph {
    uint32_t bytes;   /* of the header; the code starts there */
    uint32_t version; /* 3 or 4 */
    uint32_t type;    /* 1 vertex, tessellation or geometry; 2 pixel */
    uint32_t shader;  /* enum et_sph_shader */
    uint32_t mrt_enable, kills_pixels, global_store;
    uint32_t stream_mask; /* geometry streams written */
    uint32_t local_low, local_high, crs_bytes;
    uint32_t patch_attributes; /* per-patch attributes, in words [INF] */
    uint32_t threads;          /* per input primitive: patch vertices out, geometry instances */
    uint32_t output_topology;  /* 1 points, 6 line strip, 7 triangle strip */
    uint32_t max_vertices;     /* geometry: emitted a thread */
    uint32_t passthrough;      /* geometry pass-through [DRV: NAK] */
    uint32_t input[ET_SPH_WORDS / 32], output[ET_SPH_WORDS / 32]; /* bits by attribute word */
    uint8_t interpolation[ET_SPH_WORDS];                          /* pixel: enum et_sph_interpolation */
    uint32_t per_vertex[ET_SPH_WORDS / 32]; /* pixel: read as each vertex has them [DRV: NAK] */
    uint8_t color_mask[8];                  /* pixel: components written, r 1 .. a 8 */
    uint32_t writes_sample_mask, writes_depth;
};

static inline bool et_sph_has(const uint32_t set[ET_SPH_WORDS / 32], unsigned word)
{
    return set[word >> 5] >> (word & 31) & 1;
}

/* Decodes the header in words[0..20) or [0..32). ETALON_BAD_SHADER names the field that is wrong. */
enum etalon_status et_sph_decode(struct et_sph *sph, const uint32_t *words, bool v4,
                                 struct etalon_error *error);

#endif
