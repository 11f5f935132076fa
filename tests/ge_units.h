/* Unit tests of the GE, with the rules that they pin, so that conformance/ge/table.tsv can name them. */
#ifndef ET_TESTS_GE_UNITS_H
#define ET_TESTS_GE_UNITS_H

#include <stddef.h>

struct ge_unit {
    const char *name;
    const char *rules; /* "R1 R2", may be empty */
    void (*run)(void);
};
/* Calls, callbacks, time and memory; what a renderer gets. */
extern const struct ge_unit ge_units[], ge_draw_units[];
extern const size_t ge_unit_count, ge_draw_unit_count;

#endif
