/* Integer reductions on memory words: semaphores, reports, inline data, macro DMA. [DOC: notes a and e] */
#ifndef ET_ENGINE_REDUCTION_H
#define ET_ENGINE_REDUCTION_H

#include "base/bits.h"

#include <stdbool.h>

enum et_reduction {
    ET_REDUCE_ADD,
    ET_REDUCE_MIN,
    ET_REDUCE_MAX,
    ET_REDUCE_INC,
    ET_REDUCE_DEC,
    ET_REDUCE_AND,
    ET_REDUCE_OR,
    ET_REDUCE_XOR,
    ET_REDUCE_NONE
};

/* The order of SET_REPORT_SEMAPHORE_D, LAUNCH_DMA of inline data, QMDs: ADD MIN MAX INC DEC AND OR XOR. */
static inline enum et_reduction et_reduction_by_number(uint32_t number)
{
    return number < ET_REDUCE_NONE ? (enum et_reduction)number : ET_REDUCE_NONE;
}

/* The order of host and copy-engine semaphores: MIN MAX XOR AND OR ADD INC DEC. */
static inline enum et_reduction et_reduction_by_host_number(uint32_t number)
{
    static const uint8_t order[] = {ET_REDUCE_MIN, ET_REDUCE_MAX, ET_REDUCE_XOR, ET_REDUCE_AND,
                                    ET_REDUCE_OR,  ET_REDUCE_ADD, ET_REDUCE_INC, ET_REDUCE_DEC};
    return number < ET_COUNT(order) ? (enum et_reduction)order[number] : ET_REDUCE_NONE;
}

/* old (op) operand at `width` 32 or 64 bits. INC: old >= operand ? 0 : old + 1; DEC: old == 0 or old >
 * operand ? operand : old - 1; both unsigned. [DOC: dev_pbdma] */
static inline uint64_t et_reduce(enum et_reduction op, uint64_t old, uint64_t operand, unsigned width,
                                 bool is_signed)
{
    const uint64_t mask = width == 64 ? ~UINT64_C(0) : UINT64_C(0xffffffff);
    old &= mask;
    operand &= mask;
    const bool less = is_signed ? et_sign_extend(old, width) < et_sign_extend(operand, width) : old < operand;
    switch (op) {
    case ET_REDUCE_ADD:
        return (old + operand) & mask;
    case ET_REDUCE_MIN:
        return less ? old : operand;
    case ET_REDUCE_MAX:
        return less ? operand : old;
    case ET_REDUCE_INC:
        return old >= operand ? 0 : old + 1;
    case ET_REDUCE_DEC:
        return old == 0 || old > operand ? operand : old - 1;
    case ET_REDUCE_AND:
        return old & operand;
    case ET_REDUCE_OR:
        return old | operand;
    case ET_REDUCE_XOR:
        return old ^ operand;
    default:
        return operand;
    }
}

#endif
