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
bool et_sample_normalized(const struct et_tex_plan *plan);
/* Whether a mode (enum et_wrap) clamps the coordinate rather than the index. */
bool et_sample_clamps(unsigned wrap);
struct et_sample_lod et_sample_lod(struct et_tex_request *request, unsigned lane);
/* One lane by the specification. */
void et_sample_lane(struct et_tex_request *request, unsigned lane);
/* Lanes of common requests, equal to et_sample_lane's; returns the lanes that are left to it. */
uint32_t et_sample_fast(struct et_tex_request *request);

#endif
