/* Register files and their snapshots. A file is plain words with a written bit each; freezing copies the
 * blocks that changed since the last freeze and shares the others. */
#include "pm4/processor.h"

struct block {
    uint32_t refs; /* atomic */
    uint64_t written;
    uint32_t value[ET_PM4_BLOCK];
};

struct etalon_pm4_snapshot {
    uint32_t refs;                      /* atomic */
    struct block *block[ET_PM4_BLOCKS]; /* NULL: nothing written */
};

struct et_pm4_context {
    uint32_t value[0x400];
    uint64_t written[0x400 / 64];
};

static void drop_block(struct block *block)
{
    if (block && __atomic_sub_fetch(&block->refs, 1, __ATOMIC_ACQ_REL) == 0)
        et_free(block);
}

struct etalon_pm4_snapshot *etalon_pm4_snapshot_keep(struct etalon_pm4_snapshot *snapshot)
{
    if (snapshot)
        __atomic_add_fetch(&snapshot->refs, 1, __ATOMIC_RELAXED);
    return snapshot;
}

void etalon_pm4_snapshot_release(struct etalon_pm4_snapshot *snapshot)
{
    if (!snapshot || __atomic_sub_fetch(&snapshot->refs, 1, __ATOMIC_ACQ_REL) != 0)
        return;
    for (size_t i = 0; i < ET_PM4_BLOCKS; i++)
        drop_block(snapshot->block[i]);
    et_free(snapshot);
}

bool etalon_pm4_snapshot_read(const struct etalon_pm4_snapshot *snapshot, enum etalon_pm4_space space,
                              uint32_t offset, uint32_t *value)
{
    *value = 0;
    if (!snapshot || offset >= etalon_pm4_space_size(space))
        return false;
    const uint32_t at = et_pm4_file_base(space) + offset;
    const struct block *block = snapshot->block[at / ET_PM4_BLOCK];
    if (!block || !(block->written >> (at % ET_PM4_BLOCK) & 1))
        return false;
    *value = block->value[at % ET_PM4_BLOCK];
    return true;
}

bool etalon_pm4_snapshot_read_name(const struct etalon_pm4_snapshot *snapshot, const char *name,
                                   uint32_t *value)
{
    enum etalon_pm4_space space;
    uint32_t offset;
    *value = 0;
    return etalon_pm4_register_find(name, &space, &offset) &&
           etalon_pm4_snapshot_read(snapshot, space, offset, value);
}

static bool is_dirty(const struct et_pm4_registers *file, size_t block)
{
    return file->dirty[block >> 6] >> (block & 63) & 1;
}

struct etalon_pm4_snapshot *et_pm4_freeze(struct et_pm4_registers *file)
{
    uint64_t any = 0;
    for (size_t i = 0; i < ET_COUNT(file->dirty); i++)
        any |= file->dirty[i];
    if (!any && file->frozen)
        return etalon_pm4_snapshot_keep(file->frozen);

    struct etalon_pm4_snapshot *snapshot = et_calloc(1, sizeof *snapshot);
    if (!snapshot)
        return NULL;
    snapshot->refs = 1;
    for (size_t i = 0; i < ET_PM4_BLOCKS; i++) {
        struct block *block = file->frozen && !is_dirty(file, i) ? file->frozen->block[i] : NULL;
        if (block) {
            __atomic_add_fetch(&block->refs, 1, __ATOMIC_RELAXED);
        } else if (file->written[i] && is_dirty(file, i)) {
            block = et_calloc(1, sizeof *block);
            if (!block) {
                etalon_pm4_snapshot_release(snapshot);
                return NULL;
            }
            block->refs = 1;
            block->written = file->written[i];
            memcpy(block->value, file->value + i * ET_PM4_BLOCK, sizeof block->value);
        }
        snapshot->block[i] = block;
    }
    memset(file->dirty, 0, sizeof file->dirty);
    etalon_pm4_snapshot_release(file->frozen);
    file->frozen = etalon_pm4_snapshot_keep(snapshot);
    return snapshot;
}

void et_pm4_clear_space(struct et_pm4_registers *file, enum etalon_pm4_space space)
{
    const uint32_t base = et_pm4_file_base(space), size = et_pm4_spaces[space].size;
    for (uint32_t block = base / ET_PM4_BLOCK; block < (base + size) / ET_PM4_BLOCK; block++) {
        if (!file->written[block])
            continue;
        file->written[block] = 0;
        file->dirty[block >> 6] |= UINT64_C(1) << (block & 63);
        memset(file->value + (size_t)block * ET_PM4_BLOCK, 0, ET_PM4_BLOCK * sizeof *file->value);
    }
}

struct et_pm4_context *et_pm4_save_context(const struct et_pm4_registers *file)
{
    struct et_pm4_context *context = et_calloc(1, sizeof *context);
    if (context) {
        memcpy(context->value, file->value, sizeof context->value);
        memcpy(context->written, file->written, sizeof context->written);
    }
    return context;
}

void et_pm4_restore_context(struct et_pm4_registers *file, const struct et_pm4_context *context)
{
    memcpy(file->value, context->value, sizeof context->value);
    memcpy(file->written, context->written, sizeof context->written);
    file->dirty[0] |= (UINT64_C(1) << (0x400 / ET_PM4_BLOCK)) - 1;
}
