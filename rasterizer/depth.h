/* Depth bounds, stencil and depth tests on one stored sample. */
#ifndef ET_RASTERIZER_DEPTH_H
#define ET_RASTERIZER_DEPTH_H

#include "rasterizer/format.h"
#include "rasterizer/state.h"

struct et_depth_plan {
    const struct et_depth_format *format;
    bool active; /* anything is tested or written */
    bool bounds, stencil, depth, writes_depth;
    uint8_t function; /* GL order: never less equal lequal greater notequal gequal always */
    struct {
        uint8_t function, fail, zfail, zpass, reference, function_mask, write_mask;
    } face[2];                       /* front, back */
    uint32_t bounds_min, bounds_max; /* codes */
};

/* Whether a GL-ordered comparison holds between codes. */
static inline bool et_depth_holds(unsigned comparison, uint32_t a, uint32_t b)
{
    return comparison & (a < b ? 1u : a == b ? 2u : 4u);
}

/* GL-ordered comparison 0..7 of a function in either numbering; 8 if it is neither. */
unsigned et_comparison(uint32_t raw);
bool et_compare_float(unsigned comparison, float a, float b);

enum etalon_status et_depth_plan_make(struct et_depth_plan *plan, const struct et_depth_stencil *state,
                                      const struct et_target *target, bool enable,
                                      struct etalon_error *error);

/* A depth as the target's code; codes compare as unsigned numbers. */
uint32_t et_depth_code(const struct et_depth_format *format, float z);

/* Tests one sample and writes it in place; code: what et_depth_code gave. True when it passes. */
bool et_depth_sample(const struct et_depth_plan *plan, bool front, uint32_t code, uint8_t *texel);

#endif
