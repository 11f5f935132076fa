/* Groups of MME64, decoded. */
#ifndef ET_MME_TURING_H
#define ET_MME_TURING_H

#include <stdbool.h>
#include <stdint.h>

enum et_mme_op {
    ET_MME_ADD,
    ET_MME_ADDC,
    ET_MME_SUB,
    ET_MME_SUBB,
    ET_MME_MUL,
    ET_MME_MULH,
    ET_MME_MULU,
    ET_MME_EXTENDED,
    ET_MME_CLZ,
    ET_MME_SLL,
    ET_MME_SRL,
    ET_MME_SRA,
    ET_MME_AND,
    ET_MME_NAND,
    ET_MME_OR,
    ET_MME_XOR,
    ET_MME_MERGE,
    ET_MME_SLT,
    ET_MME_SLTU,
    ET_MME_SLE,
    ET_MME_SLEU,
    ET_MME_SEQ,
    ET_MME_STATE,
    ET_MME_LOOP,
    ET_MME_JAL,
    ET_MME_BLT,
    ET_MME_BLTU,
    ET_MME_BLE,
    ET_MME_BLEU,
    ET_MME_BEQ,
    ET_MME_DREAD,
    ET_MME_DWRITE
};

/* Operands 0..23 are registers; LOAD1 follows LOAD0. */
enum { ET_MME_ZERO = 24, ET_MME_IMMEDIATE, ET_MME_IMMEDIATE_PAIR, ET_MME_IMMEDIATE_32, ET_MME_LOAD0 };

/* Sources of outputs; ALU 1, LOAD1, IMMEDIATE1, HIGH1 follow the first of each. */
enum {
    ET_MME_OUT_NONE,
    ET_MME_OUT_ALU0,
    ET_MME_OUT_LOAD0 = 3,
    ET_MME_OUT_IMMEDIATE0 = 5,
    ET_MME_OUT_HIGH0 = 8,
    ET_MME_OUT_IMMEDIATE_32 = 10
};

struct et_mme_group {
    bool end_next;
    uint8_t predicate_mode, predicate;
    uint16_t immediate[2];
    struct {
        uint8_t op, dst, src[2];
    } alu[2];
    struct {
        uint8_t method, emit;
    } out[2];
};

extern const char et_mme_predicates[16][5];
void et_mme_turing_decode(const uint32_t word[3], struct et_mme_group *group);

#endif
