/* Inside the texture unit: a decoded header and sampler, and the way to its texels in memory. */
#ifndef ET_TEXTURE_PLAN_H
#define ET_TEXTURE_PLAN_H

#include "texture/header.h"
#include "texture/lod.h"
#include "texture/unit.h"

/* A result's slot: a component of the format, or a constant. */
struct et_slot {
    uint8_t klass;     /* enum et_texel_class; ET_CLASS_NONE: the constant */
    uint8_t component; /* of the format */
    uint32_t constant;
};

struct et_tex_plan {
    bool used, ampere;
    bool by_sample; /* for accesses that name a sample */
    uint32_t header_words[8], sampler_words[8];
    struct et_texture texture;
    struct et_sampler sampler;
    struct et_slot slot[4];
    uint8_t anisotropy;     /* most samples of a footprint: the header's or the sampler's */
    bool level_matters;     /* the result depends on the level of detail */
    bool bytes;             /* four 8-bit components, all filtered as U8: sample_fast.c takes them */
    struct et_texel border; /* codes by slot */
    float border_depth;
    void (*read)(const struct et_texel_format *, const uint8_t *, unsigned, struct et_texel *);
};

/* A decoded compressed block: valid for equal bytes of an equal format. */
struct et_block_entry {
    uint8_t bytes[16];
    const struct et_format *format;
    uint8_t klass;
    bool used;
    struct et_texel texel[ET_BLOCK_TEXELS];
};

#define ET_PLANS  32
#define ET_BLOCKS 64

struct et_tex_unit {
    struct et_view *view;
    struct et_tex_plan plan[ET_PLANS];
    struct et_block_entry block[ET_BLOCKS];
};

/* One request's way to memory. */
struct et_texels {
    struct et_tex_unit *unit;
    const struct et_tex_plan *plan;
    const uint8_t *base; /* the whole texture, where it is contiguous */
    bool sparse;         /* set when a texel lay in sparse memory */
    enum etalon_status status;
    struct etalon_error *error;
};

void et_texels_start(struct et_texels *texels, struct et_tex_unit *unit, const struct et_tex_plan *plan,
                     struct etalon_error *error);
/* The texel of a resource level, by format components. Coordinates (samples for multisampled images) lie
 * inside. On failure the codes are zero and texels->status is set. */
void et_texels_read(struct et_texels *texels, unsigned level, uint32_t layer, uint32_t x, uint32_t y,
                    uint32_t z, struct et_texel *texel);
/* Its GPU address. */
uint64_t et_texels_address(const struct et_texture *texture, unsigned level, uint32_t layer, uint32_t x,
                           uint32_t y, uint32_t z);

/* A format's texel to a result's slots, register bits; the constants included. */
void et_plan_values(const struct et_tex_plan *plan, const struct et_texel *texel, uint32_t values[4]);
/* A format's texel to codes by slot. */
void et_plan_slots(const struct et_tex_plan *plan, const struct et_texel *texel, struct et_texel *slots);

/* The plan of a header and sampler, from the cache or decoded anew; NULL with *status ETALON_OK: nothing is
 * bound, everything is zero. sampler: UINT32_MAX for requests without one. */
const struct et_tex_plan *et_plan_find(struct et_tex_unit *unit, const struct et_tex_pools *pools,
                                       uint32_t header, uint32_t sampler, bool by_sample,
                                       enum etalon_status *status, struct etalon_error *error);

/* The operations. */
struct et_tex_request {
    struct et_texels texels;
    const struct et_tex_plan *plan;
    const struct et_tex_instruction *instruction;
    const struct et_tex_lanes *lanes;
    uint32_t mask;
    uint32_t (*out)[ET_LANES];
    uint32_t resident;
    /* The level of detail of the quad that was asked for last, before bias. */
    unsigned lod_quad; /* index + 1 */
    int lod_raw;
    struct et_anisotropy lod_footprint;
};

void et_tex_sample(struct et_tex_request *request);
void et_tex_gather(struct et_tex_request *request);
void et_tex_lod(struct et_tex_request *request);
void et_tex_fetch(struct et_tex_request *request);
void et_tex_query(struct et_tex_request *request);

/* Layer of the memory image that an array index and a face mean. */
uint32_t et_plan_layer(const struct et_tex_plan *plan, const struct et_tex_instruction *instruction,
                       uint32_t index, unsigned face);

#endif
