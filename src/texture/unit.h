/* The texture unit: a warp's texture and image requests against headers and samplers in RAM.
 *
 * A thread owns one unit. Plans are cached per (header bytes, sampler bytes, operation) and revalidated
 * against RAM each time they are used, so a store to a pool or to texels is always seen. Both header
 * versions. */
#ifndef ET_TEXTURE_UNIT_H
#define ET_TEXTURE_UNIT_H

#include "memory/pagemap.h"

#define ET_LANES 32

/* Where descriptors come from; part of a snapshot. */
struct et_tex_pools {
    uint64_t headers;        /* address of texture header 0, 32 bytes each */
    uint32_t last_header;    /* inclusive */
    uint64_t samplers;       /* address of sampler 0, 32 bytes each */
    uint32_t last_sampler;   /* inclusive */
    bool sampler_via_header; /* the sampler's index is the header's */
    bool ampere;             /* header and sampler layout of C797 rather than B197 */
    bool maxwell_headers;    /* B197: SET_SELECT_MAXWELL_TEXTURE_HEADERS (always so on Ampere) */
};

enum et_tex_op {
    ET_TEX_SAMPLE, /* TEX, TXD: filter */
    ET_TEX_FETCH,  /* TLD: integer coordinates, no sampler */
    ET_TEX_GATHER, /* TLD4 */
    ET_TEX_LOD,    /* TMML: .x and .y as the instruction returns them */
    ET_TEX_QUERY   /* TXQ: header (dimension, type, sample position) or sampler properties */
};

enum et_tex_dim { ET_TEX_1D, ET_TEX_2D, ET_TEX_3D, ET_TEX_CUBE };

enum et_tex_lod {
    ET_LOD_AUTO,          /* derivatives of the quad */
    ET_LOD_ZERO,          /* .LZ */
    ET_LOD_BIAS,          /* .LB: automatic plus lod[] */
    ET_LOD_LEVEL,         /* .LL: lod[] */
    ET_LOD_BIAS_CLAMPED,  /* .LBA: also min_lod[] */
    ET_LOD_LEVEL_CLAMPED, /* .LLA */
    ET_LOD_GRADIENTS      /* TXD: ddx, ddy */
};

enum et_tex_query {
    ET_QUERY_DIMENSION,
    ET_QUERY_TEXTURE_TYPE,
    ET_QUERY_SAMPLER_POSITION,
    ET_QUERY_FILTER,
    ET_QUERY_LOD,
    ET_QUERY_WRAP,
    ET_QUERY_BORDER_COLOUR
};

/* What the instruction fixes. */
struct et_tex_instruction {
    uint8_t op;  /* enum et_tex_op */
    uint8_t dim; /* enum et_tex_dim */
    bool array, shadow, multisample;
    uint8_t lod;              /* enum et_tex_lod */
    bool offset;              /* offset[] holds signed texel offsets */
    bool offsets4;            /* gather .PTP: four offsets */
    bool no_derivatives;      /* .NDV: quad derivatives come from lanes as they are, without uniformity */
    uint8_t gather_component; /* 0..3 */
    uint8_t query;            /* enum et_tex_query */
};

/* What the lanes bring. Raw register bits; floats unless the operation takes integers (fetch). Lanes 4q..4q+3
 * are a quad: (0,0) (1,0) (0,1) (1,1). Automatic derivatives read all four lanes, helpers included. */
struct et_tex_lanes {
    uint32_t coord[3][ET_LANES];
    uint32_t layer[ET_LANES];   /* array index as the instruction brings it, unsigned 16 bits */
    uint32_t lod[ET_LANES];     /* level or bias */
    uint32_t min_lod[ET_LANES]; /* .LBA/.LLA */
    uint32_t compare[ET_LANES];
    uint32_t sample[ET_LANES];
    uint32_t ddx[3][ET_LANES], ddy[3][ET_LANES];
    int8_t offset[4][3][ET_LANES]; /* [0] for plain offsets; [0..3][x,y] for .PTP */
};

struct et_tex_unit;

/* NULL when memory is refused. `view` is borrowed and may be re-initialised between requests. */
struct et_tex_unit *et_tex_unit_create(struct et_view *view);
void et_tex_unit_destroy(struct et_tex_unit *unit);

/* Executes the lanes of `mask` with one header and one sampler (the caller splits a warp by handle).
 * out[c][lane] gets component c as register bits (float, or integer for integer formats), written for lanes
 * of `mask` only. *resident (may be NULL): lanes none of whose texels lay in sparse memory. A header that
 * can't be read or means nothing is an error with its index in `value`; an unbound header (zeroes) or an
 * index past the pool's last one samples as hardware does: zero. */
enum etalon_status et_tex_execute(struct et_tex_unit *unit, const struct et_tex_pools *pools, uint32_t header,
                                  uint32_t sampler, const struct et_tex_instruction *instruction,
                                  const struct et_tex_lanes *lanes, uint32_t mask, uint32_t out[4][ET_LANES],
                                  uint32_t *resident, struct etalon_error *error);

/* Images: SULD, SUST, SUATOM through a texture header. */
enum et_image_op { ET_IMAGE_LOAD, ET_IMAGE_STORE, ET_IMAGE_ATOMIC };
enum et_image_clamp { ET_IMAGE_IGNORE, ET_IMAGE_NEAR, ET_IMAGE_TRAP };
enum et_image_dim {
    ET_IMAGE_1D,
    ET_IMAGE_BUFFER,
    ET_IMAGE_1D_ARRAY,
    ET_IMAGE_2D,
    ET_IMAGE_2D_ARRAY,
    ET_IMAGE_3D
};
enum et_atomic {
    ET_ATOMIC_ADD,
    ET_ATOMIC_MIN,
    ET_ATOMIC_MAX,
    ET_ATOMIC_INC,
    ET_ATOMIC_DEC,
    ET_ATOMIC_AND,
    ET_ATOMIC_OR,
    ET_ATOMIC_XOR,
    ET_ATOMIC_EXCHANGE,
    ET_ATOMIC_CAS
};

struct et_image_instruction {
    uint8_t op;         /* enum et_image_op */
    uint8_t dim;        /* enum et_image_dim */
    uint8_t clamp;      /* enum et_image_clamp */
    bool formatted;     /* .P: convert through the header's format; else raw bytes (.D / .BA) */
    uint8_t components; /* formatted: mask rgba of registers moved */
    uint8_t bytes;      /* raw: 1, 2, 4, 8 or 16 */
    bool sign_extend;   /* raw loads of 1 and 2 bytes */
    uint8_t atomic;     /* enum et_atomic */
    bool atomic_signed, atomic_64;
    bool atomic_by_format; /* signed when the format's first component is */
};

/* coord[d][lane] integer coordinates (x in texels, or bytes for raw .BA); data in and out by op: stores read
 * data[0..3], loads write it, atomics read data[0..1] (compare then swap for CAS; 64-bit values take pairs)
 * and write the old value. The view's event stamps the writes. */
enum etalon_status et_image_execute(struct et_tex_unit *unit, const struct et_tex_pools *pools,
                                    uint32_t header, const struct et_image_instruction *instruction,
                                    uint32_t coord[3][ET_LANES], uint32_t mask, uint32_t data[4][ET_LANES],
                                    uint32_t *resident, struct etalon_error *error);

#endif
