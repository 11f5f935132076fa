/* The parts of a cubin (ELF64) that a launch needs. */
#ifndef ET_TOOL_CUBIN_H
#define ET_TOOL_CUBIN_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

struct et_cubin_section {
    const char *name; /* in the file's bytes */
    uint32_t type, link, info;
    uint8_t *bytes; /* a copy of the content, relocated in place; zeroes for NOBITS */
    size_t size;
    uint64_t address; /* what relocations see as its start */
};

struct et_cubin {
    struct et_cubin_section *sections;
    size_t count;
    const uint8_t *file;
    size_t size;
    unsigned sm; /* 53, 86, ... */
};

/* Parses `bytes`, which must outlive the cubin. ETALON_FORMAT or _TRUNCATED with the offset. */
enum etalon_status et_cubin_open(struct et_cubin *cubin, const uint8_t *bytes, size_t size,
                                 struct etalon_error *error);
void et_cubin_close(struct et_cubin *cubin);
/* The section called prefix + name (name may be ""), or NULL. */
struct et_cubin_section *et_cubin_find(const struct et_cubin *cubin, const char *prefix, const char *name);
/* Applies all relocations with the sections' addresses. ETALON_UNSUPPORTED names an unknown type. */
enum etalon_status et_cubin_relocate(struct et_cubin *cubin, struct etalon_error *error);

#endif
