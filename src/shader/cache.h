/* Translated programs, kept between draws and keyed by their bytes: a hit compares header and code with RAM.
 */
#ifndef ET_SHADER_CACHE_H
#define ET_SHADER_CACHE_H

#include "isa/interp/program.h"
#include "memory/pagemap.h"
#include "shader/sph.h"

struct et_shader {
    struct et_sph sph;
    struct et_program *program;
    const struct et_program_info *info;
};

struct et_shader_cache;

/* NULL when memory is refused. */
struct et_shader_cache *et_shader_cache_create(void);
void et_shader_cache_destroy(struct et_shader_cache *cache);
/* The program whose header lies at `address`; valid until the cache is destroyed or the next call evicts it:
 * the last ET_SHADER_CACHE_KEEP programs asked for always stay. The error names the address. Absolute
 * branches count from `region`. */
#define ET_SHADER_CACHE_KEEP 64
enum etalon_status et_shader_cache_get(struct et_shader_cache *cache, struct et_view *view, uint64_t address,
                                       uint64_t region, enum et_isa_kind isa, bool v4,
                                       const struct et_shader **shader, struct etalon_error *error);

/* The same for code without a header (compute): sph is all zero. */
enum etalon_status et_shader_cache_get_code(struct et_shader_cache *cache, struct et_view *view,
                                            uint64_t address, uint64_t region, enum et_isa_kind isa,
                                            const struct et_shader **shader, struct etalon_error *error);

#endif
