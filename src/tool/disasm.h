/* What the disassembler and the assembler share. */
#ifndef ET_TOOL_DISASM_H
#define ET_TOOL_DISASM_H

#include "isa/isa.h"

/* A whole file ("-": standard input), terminated by a zero byte that `size` does not count; et_free it. NULL
 * with `error`. */
uint8_t *et_tool_read_file(const char *path, size_t *size, struct etalon_error *error);
/* "maxwell" or "ampere"; NULL for another name. */
const struct et_isa_def *et_tool_isa(const char *name);

#endif
