#include "engine/qmd.h"

#include "base/bits.h"

#include <string.h>

#include "engine/tables/qmd.inc"

#define QMD(major, minor, table)                                                                             \
    {                                                                                                        \
        major, minor, table, ET_COUNT(table)                                                                 \
    }
static const struct et_qmd_version versions[] = {
    QMD(0, 0, fields_V00_06), /* nvc0 on Maxwell leaves the version zero [DRV: captures] */
    QMD(0, 6, fields_V00_06), QMD(1, 7, fields_V01_07), QMD(2, 2, fields_V02_02),
    QMD(2, 3, fields_V02_03), QMD(2, 4, fields_V02_04), QMD(3, 0, fields_V03_00),
};

const struct et_qmd_version *et_qmd_versions(unsigned *count)
{
    *count = ET_COUNT(versions);
    return versions;
}

/* Minor at bits 579:576, major at 583:580 in every version. [DOC] */
const struct et_qmd_version *et_qmd_version(const uint32_t words[ET_QMD_WORDS], unsigned *major,
                                            unsigned *minor)
{
    const unsigned low = et_bits(words[18], 3, 0), high = et_bits(words[18], 7, 4);
    if (major)
        *major = high;
    if (minor)
        *minor = low;
    for (unsigned i = 0; i < ET_COUNT(versions); i++)
        if (versions[i].major == high && versions[i].minor == low)
            return &versions[i];
    return NULL;
}

static const struct et_qmd_field *find(const struct et_qmd_version *version, const char *name, unsigned i)
{
    for (unsigned f = 0; f < version->count; f++)
        if (!strcmp(version->fields[f].name, name))
            return i < version->fields[f].count ? &version->fields[f] : NULL;
    return NULL;
}

uint64_t et_qmd_get(const struct et_qmd_version *version, const uint32_t words[ET_QMD_WORDS],
                    const char *name, unsigned i)
{
    const struct et_qmd_field *field = find(version, name, i);
    return field ? et_bits_of_words(words, field->lo + i * field->stride, field->width) : 0;
}

int et_qmd_set(const struct et_qmd_version *version, uint32_t words[ET_QMD_WORDS], const char *name,
               unsigned i, uint64_t value)
{
    const struct et_qmd_field *field = find(version, name, i);
    if (!field)
        return 0;
    for (unsigned bit = 0; bit < field->width; bit++) {
        const unsigned at = field->lo + i * field->stride + bit;
        words[at >> 5] = (words[at >> 5] & ~(1u << (at & 31))) | (uint32_t)(value >> bit & 1) << (at & 31);
    }
    return 1;
}
