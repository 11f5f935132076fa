/* Texture headers and samplers, decoded. [DOC] field positions of B197 and C797. */
#ifndef ET_TEXTURE_HEADER_H
#define ET_TEXTURE_HEADER_H

#include "texture/format.h"
#include "texture/layout.h"

#define ET_MAX_LEVELS 16

enum et_texture_type {
    ET_TEXTURE_1D,
    ET_TEXTURE_2D,
    ET_TEXTURE_3D,
    ET_TEXTURE_CUBE,
    ET_TEXTURE_1D_ARRAY,
    ET_TEXTURE_2D_ARRAY,
    ET_TEXTURE_BUFFER,
    ET_TEXTURE_2D_NO_MIPMAP,
    ET_TEXTURE_CUBE_ARRAY
};

/* Sources of a result's slot. */
enum et_source {
    ET_SOURCE_ZERO = 0,
    ET_SOURCE_R = 2,
    ET_SOURCE_G,
    ET_SOURCE_B,
    ET_SOURCE_A,
    ET_SOURCE_ONE_INT,
    ET_SOURCE_ONE_FLOAT
};

struct et_texture_level {
    struct et_layout layout;       /* in bytes, rows of blocks, slices */
    uint64_t offset;               /* of the level in a layer */
    uint32_t width, height, depth; /* pixels */
};

struct et_texture {
    struct et_texel_format format;
    uint8_t source[4]; /* enum et_source of x, y, z, w */
    uint8_t type;      /* enum et_texture_type */
    bool null;         /* nothing to sample: results are zero */
    bool normalized;
    bool turing_gob; /* order of sectors in a GOB */
    uint64_t address;
    uint32_t width, height, depth; /* level 0 of the resource, pixels; depth of 3D only */
    uint32_t layers;               /* 2D images: array layers, times 6 for cubes */
    uint64_t layer_stride;
    uint64_t bytes;                           /* of the whole */
    uint32_t levels, first_level, last_level; /* of the resource; the view's range */
    int32_t min_lod;                          /* clamp relative to the view, 1/256 */
    /* Where the header's options count: its anisotropy in place of the sampler's, 0 where they do not, and
     * steps of a footprint twice as long, as its level's texels count. [DRV: nvc0's resolve of eight samples,
     * a footprint of 4x2 texels in the only level; INF] */
    uint8_t max_anisotropy;
    bool wide_steps;
    const struct et_sample_mode *samples;
    struct et_texture_level level[ET_MAX_LEVELS]; /* of the resource */
};

enum et_wrap {
    ET_WRAP_REPEAT,
    ET_WRAP_MIRROR,
    ET_WRAP_EDGE,
    ET_WRAP_BORDER,
    ET_WRAP_CLAMP_OGL,
    ET_WRAP_MIRROR_ONCE_EDGE,
    ET_WRAP_MIRROR_ONCE_BORDER,
    ET_WRAP_MIRROR_ONCE_CLAMP_OGL
};
enum et_filter { ET_FILTER_POINT = 1, ET_FILTER_LINEAR, ET_FILTER_ANISO };
enum et_mip { ET_MIP_NONE = 1, ET_MIP_POINT, ET_MIP_LINEAR };
enum et_reduction { ET_REDUCTION_NONE, ET_REDUCTION_MINIMUM, ET_REDUCTION_MAXIMUM };

struct et_sampler {
    uint8_t wrap[3]; /* enum et_wrap of u, v, p */
    bool compare;
    uint8_t function;        /* never, less, equal, lequal, greater, notequal, gequal, always */
    uint8_t magnify, minify; /* enum et_filter */
    uint8_t mip;             /* enum et_mip */
    uint8_t cube_filter;     /* CUBEMAP_INTERFACE_FILTERING */
    uint8_t reduction;       /* enum et_reduction */
    uint8_t max_anisotropy;  /* 1, 2, 4, 6, 8, 10, 12, 16 */
    bool unnormalized;
    int32_t bias, min_lod, max_lod; /* 1/256 */
    uint32_t border[4];             /* float or integer bits */
    uint8_t srgb_border[3];
};

/* words: the 8 words of a header. ampere: C797's layout. A header of zeroes is null, no error.
 * ETALON_BAD_VALUE, _UNSUPPORTED. */
enum etalon_status et_texture_decode(struct et_texture *texture, const uint32_t words[8], bool ampere,
                                     struct etalon_error *error);
/* Takes the sample count out of a header: accesses that name no sample find its sizes in samples, as nvc0
 * gives them for resolves and images. [DRV] */
void et_texture_forget_samples(uint32_t words[8], bool ampere);
void et_sampler_decode(struct et_sampler *sampler, const uint32_t words[8]);

#endif
