/* Atomic operations on memory and on the global data share. */
#include "pm4/ops.h"

static int64_t as_signed(uint64_t value, unsigned bytes)
{
    return bytes == 8 ? (int64_t)value : (int32_t)(uint32_t)value;
}

enum atomic {
    ATOMIC_NONE,
    ATOMIC_SWAP,
    ATOMIC_CMPSWAP,
    ATOMIC_ADD,
    ATOMIC_SUB,
    ATOMIC_RSUB,
    ATOMIC_SMIN,
    ATOMIC_UMIN,
    ATOMIC_SMAX,
    ATOMIC_UMAX,
    ATOMIC_AND,
    ATOMIC_OR,
    ATOMIC_XOR,
    ATOMIC_INC,
    ATOMIC_DEC
};

static uint64_t combine(enum atomic op, uint64_t old, uint64_t value, uint64_t compare, unsigned bytes)
{
    switch (op) {
    case ATOMIC_SWAP:
        return value;
    case ATOMIC_CMPSWAP:
        return old == compare ? value : old;
    case ATOMIC_ADD:
        return old + value;
    case ATOMIC_SUB:
        return old - value;
    case ATOMIC_RSUB:
        return value - old;
    case ATOMIC_SMIN:
        return as_signed(value, bytes) < as_signed(old, bytes) ? value : old;
    case ATOMIC_UMIN:
        return ET_MIN(value, old);
    case ATOMIC_SMAX:
        return as_signed(value, bytes) > as_signed(old, bytes) ? value : old;
    case ATOMIC_UMAX:
        return ET_MAX(value, old);
    case ATOMIC_AND:
        return old & value;
    case ATOMIC_OR:
        return old | value;
    case ATOMIC_XOR:
        return old ^ value;
    case ATOMIC_INC: /* wraps to 0 past the operand */
        return old >= value ? 0 : old + 1;
    case ATOMIC_DEC: /* wraps to the operand */
        return old == 0 || old > value ? value : old - 1;
    default:
        return old;
    }
}

/* [DRV] TC operation: bits 0-4 the operation, bit 5 64 bits wide, bit 6 nothing returned. */
uint32_t et_pm4_atomic_mem(struct et_pm4_run *run, uint32_t header, const uint32_t *body, uint32_t count)
{
    (void)header;
    static const uint8_t ops[32] = {
        [0x07] = ATOMIC_SWAP, [0x08] = ATOMIC_CMPSWAP, [0x0F] = ATOMIC_ADD,  [0x10] = ATOMIC_SUB,
        [0x11] = ATOMIC_SMIN, [0x12] = ATOMIC_UMIN,    [0x13] = ATOMIC_SMAX, [0x14] = ATOMIC_UMAX,
        [0x15] = ATOMIC_AND,  [0x16] = ATOMIC_OR,      [0x17] = ATOMIC_XOR,  [0x18] = ATOMIC_INC,
        [0x19] = ATOMIC_DEC};
    const uint32_t number = body[0] & 0x7F;
    const unsigned bytes = number >> 5 & 1 ? 8 : 4;
    const uint64_t mask = bytes == 8 ? UINT64_MAX : UINT32_MAX;
    const uint64_t address = et_pm4_address(body[1] & (bytes == 8 ? ~7u : ~3u), body[2]);
    const uint64_t value = et_pm4_address(body[3], body[4]) & mask,
                   compare = et_pm4_address(body[5], body[6]) & mask;
    const enum atomic op = ops[number & 31];
    uint64_t old;
    bool stored = false;
    if (op == ATOMIC_NONE)
        return et_pm4_unsupported(run, "atomic", number);
    if (!et_pm4_load(&run->pm4->memory, address, bytes, &old) ||
        !et_pm4_mapped(&run->pm4->memory, address, bytes, true))
        return et_pm4_memory_fault(run, address, "the operand");
    while (!stored) {
        if (op == ATOMIC_CMPSWAP && (body[0] >> 8 & 0xF) == 1 && old != compare)
            return et_pm4_block(run, ETALON_PM4_WAIT_ATOMIC, address, compare, mask, 3, old);
        et_pm4_swap(&run->pm4->memory, address, bytes, &old, combine(op, old, value, compare, bytes) & mask,
                    &stored);
    }
    if (!(number >> 6))
        run->queue->atomic_return = old;
    return count;
}

/* [INF] GDS atomics are numbered as the data share's instructions: 0 add .. 16 compare and store. */
uint32_t et_pm4_atomic_gds(struct et_pm4_run *run, uint32_t header, const uint32_t *body, uint32_t count)
{
    (void)header;
    static const uint8_t ops[32] = {ATOMIC_ADD,  ATOMIC_SUB,    ATOMIC_RSUB, ATOMIC_INC,  ATOMIC_DEC,
                                    ATOMIC_SMIN, ATOMIC_SMAX,   ATOMIC_UMIN, ATOMIC_UMAX, ATOMIC_AND,
                                    ATOMIC_OR,   ATOMIC_XOR,    ATOMIC_NONE, ATOMIC_SWAP, ATOMIC_NONE,
                                    ATOMIC_NONE, ATOMIC_CMPSWAP};
    const uint32_t number = body[0] & 0xFF;
    const unsigned bytes = number >> 6 & 1 ? 8 : 4;
    const uint64_t mask = bytes == 8 ? UINT64_MAX : UINT32_MAX;
    const uint64_t value = et_pm4_address(body[6], body[7]) & mask,
                   compare = et_pm4_address(body[8], body[9]) & mask;
    const enum atomic op = number & 0x80 ? ATOMIC_NONE : (enum atomic)ops[number & 31];
    uint64_t old = 0;
    if (op == ATOMIC_NONE)
        return et_pm4_unsupported(run, "atomic", number);
    if ((body[4] & 0xFF) + bytes > (body[3] & 0xFFFF))
        return et_pm4_fail(run, ETALON_PM4_GDS_RANGE, "offset %u of %u bytes", body[4] & 0xFF,
                           body[3] & 0xFFFF);
    uint8_t *at = et_pm4_gds_range(run, (uint64_t)(body[2] & 0xFFFF) + (body[4] & 0xFF), bytes);
    if (!at)
        return ET_PM4_FAULT_HERE;
    memcpy(&old, at, bytes);
    if (op == ATOMIC_CMPSWAP && body[0] >> 16 & 1 && old != compare)
        return et_pm4_block(run, ETALON_PM4_WAIT_ATOMIC, body[2] & 0xFFFF, compare, mask, 3, old);
    const uint64_t next = combine(op, old, value, compare, bytes) & mask;
    memcpy(at, &next, bytes);
    if (body[0] >> 18 & 1)
        run->queue->gds_return[0] = old;
    return count;
}
