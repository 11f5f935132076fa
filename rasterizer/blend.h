/* From a shader's outputs to texels: conversion, blending, logic operations, write masks. */
#ifndef ET_RASTERIZER_BLEND_H
#define ET_RASTERIZER_BLEND_H

#include "rasterizer/format.h"
#include "rasterizer/state.h"

enum et_blend_path {
    ET_BLEND_WRITE, /* converted and stored */
    ET_BLEND_LOGIC,
    ET_BLEND_CODES, /* on codes: UNORM, SNORM */
    ET_BLEND_FLOATS /* float formats and sRGB */
};

/* What one target's writes need, resolved once a draw. */
struct et_blend_plan {
    const struct et_color_format *format;
    uint8_t path;         /* enum et_blend_path */
    uint8_t factor[2][2]; /* [alpha][source, destination] */
    uint8_t op[2];        /* [alpha] */
    uint8_t logic;        /* 0..15 */
    bool reads_target;    /* the old texel counts */
    bool dual_source;     /* a factor reads the second source */
    bool bytes;           /* the format is four codes of eight bits */
    uint32_t keep[4];     /* texel bits that a write leaves alone */
    int32_t constant_code[4];
    double constant[4];
};

/* Resolves target `index` of the state (format not NULL). ETALON_BAD_VALUE names the state. */
enum etalon_status et_blend_plan_make(struct et_blend_plan *plan, const struct et_output_state *state,
                                      unsigned index, const struct et_color_format *format,
                                      struct etalon_error *error);

/* Writes one texel. source, second: r g b a register bits (float, or integer for integer formats); second may
 * be NULL where no factor reads it. texel: `bytes` of the format, in place. */
void et_blend_texel(const struct et_blend_plan *plan, const uint32_t source[4], const uint32_t second[4],
                    uint8_t *texel);

/* The texel of a value, unmasked: clears. out: at least 16 bytes. */
void et_color_encode(const struct et_color_format *format, const uint32_t source[4], uint8_t *out);

/* 8-bit alpha that alpha-to-coverage compares, as the target's format gives it; format may be NULL. */
uint32_t et_alpha_code(const struct et_color_format *format, float alpha);

#endif
