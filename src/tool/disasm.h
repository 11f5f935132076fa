/* What the disassembler and the assembler share. */
#ifndef ET_TOOL_DISASM_H
#define ET_TOOL_DISASM_H

#include "isa/isa.h"

#include <stdbool.h>

/* A whole file ("-": standard input), terminated by a zero byte that `size` does not count; et_free it. NULL
 * with `error`. */
uint8_t *et_tool_read_file(const char *path, size_t *size, struct etalon_error *error);
/* "maxwell" and "ampere", then NULL. */
extern const char *const et_tool_isa_names[];
/* NULL for another name. */
const struct et_isa_def *et_tool_isa(const char *name);

/* How words print. */
struct et_tool_word_printer {
    bool sched, text;        /* scheduling fields before each text; texts alone */
    unsigned long long base; /* address of the first byte */
};
/* Prints the word at byte `at`; false when it does not decode. */
bool et_tool_print_word(const struct et_isa *isa, const struct et_tool_word_printer *printer,
                        const uint8_t *bytes, size_t size, uint64_t at);
/* The programs of a capture's draws and dispatches. */
int et_tool_disasm_capture(const char *path, const struct et_tool_word_printer *printer);

#endif
