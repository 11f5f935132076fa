/* Fields of the compute launch descriptor by version. [DOC: QMD headers] */
#ifndef ET_ENGINE_QMD_H
#define ET_ENGINE_QMD_H

#include <stdint.h>

#define ET_QMD_WORDS 64u

struct et_qmd_field {
    const char *name;
    uint16_t lo, width, count, stride; /* bits */
};

struct et_qmd_version {
    uint8_t major, minor;
    const struct et_qmd_field *fields;
    unsigned count;
};

/* The version that the words name, or NULL when there is no table for it; *major and *minor (may be NULL) get
 * it. */
const struct et_qmd_version *et_qmd_version(const uint32_t words[ET_QMD_WORDS], unsigned *major,
                                            unsigned *minor);
/* Element i of a field; 0 where the version lacks the field. */
uint64_t et_qmd_get(const struct et_qmd_version *version, const uint32_t words[ET_QMD_WORDS],
                    const char *name, unsigned i);
/* For makers of descriptors: sets element i; 0 when the version lacks the field. */
int et_qmd_set(const struct et_qmd_version *version, uint32_t words[ET_QMD_WORDS], const char *name,
               unsigned i, uint64_t value);
const struct et_qmd_version *et_qmd_versions(unsigned *count);

#endif
