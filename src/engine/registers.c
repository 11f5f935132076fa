#include "engine/registers.h"

#include "base/alloc.h"

static void release(struct et_block *block)
{
    if (block && atomic_fetch_sub_explicit(&block->references, 1, memory_order_acq_rel) == 1)
        et_free(block);
}

enum etalon_status et_registers_init(struct et_registers *registers, struct etalon_error *error)
{
    memset(registers, 0, sizeof *registers);
    for (unsigned i = 0; i < ET_BLOCKS; i++) {
        registers->block[i] = et_calloc(1, sizeof **registers->block);
        if (!registers->block[i]) {
            et_registers_finish(registers);
            return et_fail(error, ETALON_NO_MEMORY, "no memory for an object's registers");
        }
        atomic_init(&registers->block[i]->references, 1);
    }
    registers->dirty = ~0u;
    return ETALON_OK;
}

void et_registers_finish(struct et_registers *registers)
{
    for (unsigned i = 0; i < ET_BLOCKS; i++) {
        release(registers->block[i]);
        registers->block[i] = NULL;
    }
}

void et_registers_share(struct et_registers *snapshot, const struct et_registers *registers)
{
    *snapshot = *registers;
    for (unsigned i = 0; i < ET_BLOCKS; i++)
        atomic_fetch_add_explicit(&snapshot->block[i]->references, 1, memory_order_relaxed);
}

struct et_block *et_registers_own(struct et_registers *registers, unsigned block)
{
    struct et_block *copy = et_calloc(1, sizeof *copy);
    if (!copy)
        return NULL;
    atomic_init(&copy->references, 1);
    memcpy(copy->word, registers->block[block]->word, sizeof copy->word);
    release(registers->block[block]);
    registers->block[block] = copy;
    return copy;
}
