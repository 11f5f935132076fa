#include "pipeline/reuse.h"

#include "base/bits.h"

#include <string.h>

uint32_t et_reuse_patches(uint32_t vertices, uint32_t threads)
{
    const uint32_t most = vertices <= 6    ? 12
                          : vertices <= 12 ? 5
                          : vertices <= 24 ? 4
                                           : 1,
                   filled = ET_REUSE_VERTICES / ET_MAX(ET_MIN(threads, (uint32_t)ET_REUSE_VERTICES), 1u);
    return ET_MIN(most, filled);
}

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
    memset(reuse->place, 0, sizeof reuse->place);
}

/* Few numbers near each other, or in neighbouring rows of a grid, have the same. */
static unsigned place_of(uint32_t number)
{
    return number * UINT32_C(0x9e3779b1) >> 26;
}

static struct et_reuse_vertex *find(struct et_reuse *reuse, uint32_t number)
{
    for (uint32_t place = reuse->place[place_of(number)]; place; place = reuse->vertex[place - 1].next)
        if (reuse->vertex[place - 1].number == number)
            return &reuse->vertex[place - 1];
    return NULL;
}

static void add(struct et_reuse *reuse, uint32_t number, uint32_t record, uint32_t corner)
{
    uint8_t *const place = &reuse->place[place_of(number)];
    reuse->vertex[reuse->count++] = (struct et_reuse_vertex){number, record, corner, *place};
    *place = (uint8_t)reuse->count;
}

static uint32_t take(struct et_reuse *reuse, const uint32_t *number, unsigned corners, uint32_t first,
                     uint32_t *record, bool *is_new)
{
    uint32_t made = first;
    for (unsigned k = 0; k < corners; k++) {
        struct et_reuse_vertex *const known = find(reuse, number[k]);
        const uint32_t corner = reuse->corners + k;
        if (!known) {
            is_new[k] = true;
            record[k] = made++;
            add(reuse, number[k], record[k], corner);
            continue;
        }
        /* not met in this primitive, nor lately */
        is_new[k] = known->last < reuse->corners && corner - known->last > reuse->limits.corners;
        if (is_new[k])
            known->record = made++;
        known->last = corner;
        record[k] = known->record;
    }
    return made - first;
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

bool et_reuse_knows(const struct et_reuse *reuse, uint32_t number, uint32_t count)
{
    bool known = false;
    for (uint32_t i = 0; i < reuse->count; i++)
        known |= reuse->vertex[i].number - number < count;
    return known;
}

void et_reuse_distinct(struct et_reuse *reuse, uint32_t number, unsigned corners, uint32_t primitives,
                       uint32_t first)
{
    uint32_t begun = 0; /* vertices of batches that are over */
    for (uint32_t i = 0; i < primitives; i++) {
        if (reuse->primitives >= reuse->limits.primitives ||
            (reuse->primitives && reuse->shaded + corners > reuse->limits.vertices)) {
            begin_batch(reuse);
            begun = i * corners;
        }
        reuse->primitives++;
        reuse->shaded += corners;
        reuse->corners += corners;
    }
    for (uint32_t i = begun, all = primitives * corners; i < all; i++)
        add(reuse, number + i, first + i, reuse->corners - (all - i));
}
