/* Which build of the vector handlers runs, and the FP environment. */
#include "isa/interp/exec.h"

#include <stdlib.h>
#include <string.h>

const char *const et_interp_level_names[LEVEL_COUNT] = {"generic", "v2", "v3", "v4"};

#if defined(ETALON_X86_LEVELS)
/* Whether ETALON_DISABLE, a list separated by commas, names it. */
static bool disabled(const char *name)
{
    const char *list = getenv("ETALON_DISABLE");
    const size_t length = strlen(name);
    while (list && *list) {
        const size_t here = strcspn(list, ",");
        if (here == length && !strncmp(list, name, length))
            return true;
        list += here + (list[here] == ',');
    }
    return false;
}

static bool supported(enum level level)
{
    switch (level) {
    case LEVEL_V4:
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
               __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
               __builtin_cpu_supports("avx512vl") && supported(LEVEL_V3);
    case LEVEL_V3:
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
               __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") && supported(LEVEL_V2);
    case LEVEL_V2:
        return __builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("popcnt") &&
               __builtin_cpu_supports("ssse3");
    default:
        return true;
    }
}

enum level et_interp_level(void)
{
    enum level level = LEVEL_V4;
    while (level > LEVEL_GENERIC && (!supported(level) || disabled(et_interp_level_names[level])))
        level--;
    return level;
}

uint32_t et_fp_save(void)
{
    return _mm_getcsr();
}

void et_fp_restore(uint32_t saved)
{
    _mm_setcsr(saved);
}
#else
enum level et_interp_level(void)
{
    return LEVEL_GENERIC;
}

uint32_t et_fp_save(void)
{
    return 0;
}

void et_fp_restore(uint32_t saved)
{
    (void)saved;
}
#endif

const struct attribute_functions *et_interp_attributes(void)
{
#if defined(ETALON_X86_LEVELS)
    static const struct attribute_functions *const of_level[LEVEL_COUNT] = {
        &et_interp_attributes_generic, &et_interp_attributes_v2, &et_interp_attributes_v3,
        &et_interp_attributes_v4};
    return of_level[et_interp_level()];
#else
    return &et_interp_attributes_generic;
#endif
}

et_gather_fn *et_interp_gather(void)
{
    return et_interp_attributes()->gather;
}
