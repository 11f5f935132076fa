/* What no test ran, from the file that ETALON_COVERAGE named (isa/interp/coverage.c): IR ops, and instruction
 * forms (rows of the tables) of both instruction sets. Exit 1 when an op never ran, 2 when the file cannot be
 * read.
 *
 * report-coverage FILE [-v]: -v lists the forms too. */
#include "isa/ir/ir.h"
#include "isa/isa.h"

#include "base/bits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct counts {
    const struct et_isa_def *def;
    uint8_t *ran, *refused; /* a row */
};

static unsigned op_of(const char *name)
{
    unsigned op = 0;
    while (op < ET_IR_OP_COUNT && strcmp(et_ir_ops[op].name, name) != 0)
        op++;
    return op;
}

/* A row that only ends in a named error has not run. */
static int read_pairs(FILE *file, struct counts *counts, size_t sets, bool ops[ET_IR_OP_COUNT])
{
    char set[32], op[32];
    unsigned row;
    int fields;
    while ((fields = fscanf(file, "%31s %u %31s", set, &row, op)) == 3) {
        const unsigned number = op_of(op);
        size_t n = 0;
        while (n < sets && strcmp(counts[n].def->name, set) != 0)
            n++;
        if (n == sets || row >= counts[n].def->row_count || number == ET_IR_OP_COUNT)
            return 0;
        ops[number] = true;
        if (number == ET_IR_ILLEGAL)
            counts[n].refused[row] = 1;
        else
            counts[n].ran[row] = 1;
    }
    return fields == EOF;
}

static void report_forms(const struct counts *counts, bool verbose)
{
    const struct et_isa_def *def = counts->def;
    unsigned ran = 0, refused = 0, never = 0;
    for (size_t n = 0; n < def->row_count; n++) {
        const char *what = counts->ran[n] ? NULL : counts->refused[n] ? "refused" : "never run";
        ran += counts->ran[n];
        refused += !counts->ran[n] && counts->refused[n];
        never += !counts->ran[n] && !counts->refused[n];
        if (verbose && what)
            printf("%s: %s: %s\n", def->name, what, def->rows[n].text);
    }
    printf("%s: %zu instruction forms, %u run, %u refused by name, %u never run\n", def->name, def->row_count,
           ran, refused, never);
}

int main(int argc, char **argv)
{
    struct counts counts[] = {{&et_isa_maxwell, NULL, NULL}, {&et_isa_ampere, NULL, NULL}};
    bool ops[ET_IR_OP_COUNT] = {false};
    unsigned never = 0;
    FILE *file = argc > 1 ? fopen(argv[1], "r") : NULL;
    int ok = file != NULL;
    for (size_t n = 0; n < ET_COUNT(counts); n++) {
        counts[n].ran = calloc(counts[n].def->row_count, 1);
        counts[n].refused = calloc(counts[n].def->row_count, 1);
        ok = ok && counts[n].ran && counts[n].refused;
    }
    ok = ok && read_pairs(file, counts, ET_COUNT(counts), ops);
    if (file)
        fclose(file);
    for (size_t n = 0; n < ET_COUNT(counts); n++) {
        if (ok)
            report_forms(&counts[n], argc > 2);
        free(counts[n].ran);
        free(counts[n].refused);
    }
    if (!ok) {
        fprintf(stderr, "report-coverage: %s: no pairs of forms and ops\n", argc > 1 ? argv[1] : "no file");
        return 2;
    }
    for (unsigned op = 0; op < ET_IR_OP_COUNT; op++)
        if (!ops[op]) {
            printf("never run: %s\n", et_ir_ops[op].name);
            never++;
        }
    printf("%d IR ops, %u never run\n", ET_IR_OP_COUNT, never);
    return never > 0;
}
