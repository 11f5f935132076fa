/* What the filtered operations share. */
#ifndef ET_TEXTURE_SAMPLE_H
#define ET_TEXTURE_SAMPLE_H

#include "texture/lod.h"
#include "texture/plan.h"

struct et_sample_lod {
    int unclamped, clamped; /* 1/256; clamped also to the view's levels */
    bool magnify;
    struct et_anisotropy footprint; /* ratio 0: isotropic */
};

unsigned et_sample_dimensions(const struct et_tex_instruction *instruction);
struct et_sample_lod et_sample_lod(const struct et_tex_request *request, unsigned lane);
void et_sample_lane(struct et_tex_request *request, unsigned lane);

#endif
