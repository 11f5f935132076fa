/* The inside of a macro processor, shared by the two instruction sets. */
#ifndef ET_MME_MACHINE_H
#define ET_MME_MACHINE_H

#include "base/bits.h"
#include "engine/reduction.h"
#include "mme/mme.h"

#define ET_MME_SENDS 2u /* a group of MME64 sends at most two words */

struct et_mme_words {
    uint32_t *word;
    size_t capacity, head, count; /* from head */
};

struct et_mme {
    enum et_mme_kind kind;
    uint64_t steps, spent;
    size_t taken; /* parameters of this call */
    uint32_t *code;
    uint32_t code_words, code_pointer, code_end; /* code_end: past the highest word loaded */
    uint32_t start[ET_MME_STARTS], start_pointer;
    struct et_mme_words parameters; /* from the pushbuffer */
    bool active;
    unsigned macro;

    /* Run state. */
    uint32_t pc; /* words, or groups */
    uint32_t reg[24];
    uint32_t method_address, method_increment; /* dwords */
    struct {
        uint32_t method, value;
    } send[ET_MME_SENDS];
    unsigned sends, sent;
    bool finishing; /* the next instruction is the last */

    /* 32-bit engine. */
    bool carry, slot_branch;
    uint32_t slot_target;

    /* MME64. */
    bool looping;
    uint32_t loop_first, loop_last, loop_left;
    uint32_t data[ET_MME_DATA_WORDS];
    uint32_t data_pointer, fifo_words; /* words carved from the end of the data RAM */
    struct et_mme_words fifo;          /* words that MME_DMA_READ_FIFOED brought */
    uint64_t memory_address;
};

enum et_step { ET_STEP_ON, ET_STEP_STARVED, ET_STEP_END, ET_STEP_FAULT };

/* One instruction; queues what it sends. */
enum et_step et_mme_fermi_step(struct et_mme *mme, const struct et_mme_port *port,
                               struct etalon_error *error);
enum et_step et_mme_turing_step(struct et_mme *mme, const struct et_mme_port *port,
                                struct etalon_error *error);

/* A macro fault with its place. */
enum et_step et_mme_fault(struct et_mme *mme, struct etalon_error *error, const char *what);

/* Parameters that can be taken now; take one (at least one must be there). */
size_t et_mme_available(const struct et_mme *mme);
uint32_t et_mme_take(struct et_mme *mme);

/* Queues a word for the method address and steps the address. */
static inline void et_mme_emit(struct et_mme *mme, uint32_t value)
{
    mme->send[mme->sends].method = (mme->method_address & 0xfff) * 4;
    mme->send[mme->sends++].value = value;
    mme->method_address = (mme->method_address + mme->method_increment) & 0xfff;
}

#endif
