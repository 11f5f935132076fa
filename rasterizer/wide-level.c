/* Which build of the wide units runs. */
#include "rasterizer/group.h"
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

typedef void group_maker(const struct et_group_view *view, struct et_group *group);
extern group_maker et_wide_setup_generic;
#if defined(ETALON_X86_LEVELS)
extern group_maker et_wide_setup_v2, et_wide_setup_v3, et_wide_setup_v4;
static group_maker *const makers[] = {et_wide_setup_generic, et_wide_setup_v2, et_wide_setup_v3,
                                      et_wide_setup_v4};
#else
static group_maker *const makers[] = {et_wide_setup_generic};
#endif

et_group_maker et_group_of(unsigned level)
{
    return makers[level];
}

et_group_maker et_group_level(void)
{
    return makers[et_interp_level()];
}
