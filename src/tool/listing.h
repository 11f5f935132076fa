/* What a listing of a cubin's code needs beside the words: names of places, as nvdisasm gives them. */
#ifndef ET_TOOL_LISTING_H
#define ET_TOOL_LISTING_H

#include "isa/isa.h"
#include "tool/cubin.h"

struct et_listing_symbol {
    const char *name;
    uint64_t value, size;
    unsigned section;
    bool function, section_symbol;
};

/* One code section. label[i] is the number of .L_x_ at byte i * step, or -1; referenced[i]: something jumps
 * there. */
struct et_listing_code {
    const struct et_cubin_section *section;
    unsigned index;
    int *label;
    bool *referenced;
    size_t slots; /* size / step + 1: a label may stand at the end */
};

struct et_listing {
    const struct et_cubin *cubin;
    const struct et_isa *isa;
    unsigned step;
    struct et_listing_symbol *symbols;
    size_t symbol_count;
    struct et_listing_code *code;
    size_t code_count;
    int labels; /* numbers given so far */
};

/* Reads the symbols and numbers the labels: in order of first reference, then those of indirect branches'
 * targets, then one at each function's end. */
enum etalon_status et_listing_open(struct et_listing *listing, const struct et_cubin *cubin,
                                   const struct et_isa *isa, struct etalon_error *error);
void et_listing_close(struct et_listing *listing);
/* The index of a place's label. On Maxwell the first instruction of a bundle shares the scheduling word's. */
size_t et_listing_slot(const struct et_listing *listing, uint64_t address);
/* The function that starts at an address of a section, or NULL. */
const struct et_listing_symbol *et_listing_function(const struct et_listing *listing, unsigned section,
                                                    uint64_t address);
/* Whether an instruction's target is named by its function: calls and returns. */
bool et_listing_calls(const struct et_isa *isa, const struct et_insn *insn);
/* "32@lo(symbol)" when an immediate at `pc` of the section is relocated; false otherwise. */
bool et_listing_relocation(const struct et_listing *listing, unsigned section, uint64_t pc, char *text,
                           size_t size);
/* Targets of the indirect branch at pc: returns how many of them *targets holds (little-endian words in the
 * file), or 0. */
unsigned et_listing_targets(const struct et_listing *listing, const struct et_listing_code *code, uint64_t pc,
                            const uint8_t **targets);

#endif
