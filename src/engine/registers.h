/* An object's registers: raw words in reference-counted copy-on-write blocks, so that a snapshot is 32
 * pointers. */
#ifndef ET_ENGINE_REGISTERS_H
#define ET_ENGINE_REGISTERS_H

#include "base/bits.h"
#include "base/error.h"

#include <stdatomic.h>

#define ET_BLOCK_WORDS 128u /* 0x200 bytes of method space */
#define ET_BLOCKS      32u

struct et_block {
    atomic_uint references;
    uint32_t word[ET_BLOCK_WORDS];
};

struct et_registers {
    struct et_block *block[ET_BLOCKS];
    uint32_t dirty; /* bit b: block b was written since the owner cleared the bit */
};

/* All zero. ETALON_NO_MEMORY. */
enum etalon_status et_registers_init(struct et_registers *registers, struct etalon_error *error);
/* Drops the references. Safe on a zeroed struct and after a failed init. */
void et_registers_finish(struct et_registers *registers);
/* `snapshot` shares the blocks as they are now; finish it with et_registers_finish. */
void et_registers_share(struct et_registers *snapshot, const struct et_registers *registers);
/* Slow half of et_register_set: gives the block a private copy. NULL when memory is refused. */
struct et_block *et_registers_own(struct et_registers *registers, unsigned block);

/* offset: bytes, below 0x4000. */
static inline uint32_t et_register(const struct et_registers *registers, uint32_t offset)
{
    return registers->block[offset >> 9]->word[offset >> 2 & (ET_BLOCK_WORDS - 1)];
}

static inline float et_register_float(const struct et_registers *registers, uint32_t offset)
{
    return et_float(et_register(registers, offset));
}

/* The 64-bit value of an upper word at `offset` and a lower one after it. */
static inline uint64_t et_register_address(const struct et_registers *registers, uint32_t offset)
{
    return (uint64_t)et_register(registers, offset) << 32 | et_register(registers, offset + 4);
}

/* 0 when memory for a private copy is refused. An equal value leaves the block shared and clean. */
static inline int et_register_set(struct et_registers *registers, uint32_t offset, uint32_t value)
{
    struct et_block *block = registers->block[offset >> 9];
    if (block->word[offset >> 2 & (ET_BLOCK_WORDS - 1)] == value)
        return 1;
    if (atomic_load_explicit(&block->references, memory_order_acquire) > 1)
        block = et_registers_own(registers, offset >> 9);
    if (!block)
        return 0;
    block->word[offset >> 2 & (ET_BLOCK_WORDS - 1)] = value;
    registers->dirty |= 1u << (offset >> 9);
    return 1;
}

#endif
