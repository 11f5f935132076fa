/* Which build of the wide units runs. */
#include "rasterizer/wide.h"

#include "isa/interp/exec.h"

extern const struct et_wide et_wide_generic;
#if defined(ETALON_X86_LEVELS)
extern const struct et_wide et_wide_v2, et_wide_v3, et_wide_v4;
static const struct et_wide *const levels[] = {&et_wide_generic, &et_wide_v2, &et_wide_v3, &et_wide_v4};
#else
static const struct et_wide *const levels[] = {&et_wide_generic};
#endif

unsigned et_wide_levels(void)
{
    return (unsigned)et_interp_level() + 1;
}

const struct et_wide *et_wide_of(unsigned level)
{
    return levels[level];
}

const struct et_wide *et_wide_level(void)
{
    return levels[et_interp_level()];
}
