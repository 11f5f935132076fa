/* Which ops run, and from which instruction forms: built with --enable-coverage alone.
 *
 * Every op is preceded by a marker that notes whether a lane came by. When a program is destroyed, what ran
 * is appended to the file that ETALON_COVERAGE names, a line a pair: instruction set, row of its table, op.
 * Ops of programs that were built by hand have no row and are not written. */
#include "isa/interp/ops.h"

#include "base/alloc.h"
#include "isa/isa.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const struct insn *et_op_covered(struct warp *w, const struct insn *i)
{
    if (lanes_of(w, i))
        __atomic_store_n(&w->program->covered[i->ir - w->program->ir.insns], 1, __ATOMIC_RELAXED);
    return i + 1;
}

struct lines {
    char *text;
    size_t size, capacity;
};

static void add_line(struct lines *lines, const struct et_isa_def *def, uint32_t row, unsigned op)
{
    char line[64];
    const size_t size =
        (size_t)snprintf(line, sizeof line, "%s\t%u\t%s\n", def->name, (unsigned)row, et_ir_ops[op].name);
    if (et_grow(&lines->text, &lines->capacity, lines->size + size, 1)) {
        memcpy(lines->text + lines->size, line, size);
        lines->size += size;
    }
}

void et_program_note_covered(const struct et_program *program)
{
    const char *path = getenv("ETALON_COVERAGE");
    const struct et_isa_def *def = et_isa_def_for(program->isa);
    uint8_t *seen = et_calloc(def->row_count, ET_IR_OP_COUNT);
    struct et_isa *isa = NULL;
    struct lines lines = {0};
    int file =
        path && program->machine && program->covered ? open(path, O_WRONLY | O_APPEND | O_CREAT, 0666) : -1;
    if (seen && file >= 0 && et_isa_open(def, &isa, NULL) == ETALON_OK)
        for (size_t n = 0; n < program->ir.count; n++) {
            const struct et_ir *ir = &program->ir.insns[n];
            uint64_t word[2] = {0, 0};
            uint32_t control = 0;
            int is_sched = 0;
            struct et_insn insn;
            if (!program->covered[n] ||
                et_isa_fetch(isa, program->machine, program->machine_bytes, ir->pc, word, &control, &is_sched,
                             NULL) != ETALON_OK ||
                is_sched || et_isa_decode(isa, word, control, ir->pc, &insn, NULL) != ETALON_OK ||
                seen[insn.row_number * ET_IR_OP_COUNT + ir->op]++)
                continue;
            add_line(&lines, def, insn.row_number, ir->op);
        }
    for (size_t done = 0; done < lines.size;) { /* a line that is not written counts as not run */
        const ssize_t wrote = write(file, lines.text + done, lines.size - done);
        if (wrote <= 0)
            break;
        done += (size_t)wrote;
    }
    if (file >= 0)
        close(file);
    et_isa_close(isa);
    et_free(lines.text);
    et_free(seen);
}
