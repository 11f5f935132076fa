#include "pipeline/reuse.h"

#include "base/bits.h"

static void begin_batch(struct et_reuse *reuse)
{
    reuse->primitives = reuse->shaded = reuse->corners = 0;
    et_reuse_forget(reuse);
}

void et_reuse_start(struct et_reuse *reuse, const struct et_reuse_limits *limits, uint32_t primitives)
{
    reuse->limits = *limits;
    reuse->limits.vertices = (uint8_t)ET_MIN((uint32_t)limits->vertices, (uint32_t)ET_REUSE_VERTICES);
    if (primitives)
        reuse->limits.primitives = (uint8_t)ET_MIN((uint32_t)limits->primitives, primitives);
    begin_batch(reuse);
}

void et_reuse_forget(struct et_reuse *reuse)
{
    reuse->count = 0;
    reuse->seen = 0;
}

static uint32_t find(const struct et_reuse *reuse, uint32_t number)
{
    uint32_t i = 0;
    if (!(reuse->seen >> (number & 63) & 1))
        return reuse->count;
    while (i < reuse->count && reuse->number[i] != number)
        i++;
    return i;
}

static uint32_t take(struct et_reuse *reuse, const uint32_t *number, unsigned corners, uint32_t first,
                     uint32_t *record, bool *is_new)
{
    uint32_t made = 0;
    for (unsigned k = 0; k < corners; k++) {
        const uint32_t at = find(reuse, number[k]), place = reuse->corners + k;
        const bool known = at < reuse->count;
        const bool own = known && reuse->last[at] >= reuse->corners; /* met in this primitive */
        is_new[k] = !own && !(known && place - reuse->last[at] <= reuse->limits.corners);
        if (is_new[k]) {
            reuse->number[at] = number[k];
            reuse->record[at] = first + made++;
            reuse->seen |= UINT64_C(1) << (number[k] & 63);
            reuse->count += !known;
        }
        reuse->last[at] = place;
        record[k] = reuse->record[at];
    }
    return made;
}

uint32_t et_reuse_primitive(struct et_reuse *reuse, const uint32_t *number, unsigned corners, uint32_t first,
                            uint32_t *record, bool *is_new)
{
    uint32_t made;
    if (reuse->primitives >= reuse->limits.primitives)
        begin_batch(reuse);
    made = take(reuse, number, corners, first, record, is_new);
    if (reuse->primitives && reuse->shaded + made > reuse->limits.vertices) {
        begin_batch(reuse);
        made = take(reuse, number, corners, first, record, is_new);
    }
    reuse->primitives++;
    reuse->shaded += made;
    reuse->corners += corners;
    return made;
}
