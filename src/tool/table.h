/* conformance/table.tsv: one row an output of a capture, with its verdict. */
#ifndef ET_TOOL_TABLE_H
#define ET_TOOL_TABLE_H

#include "base/error.h"

#include <stddef.h>
#include <stdio.h>

enum et_verdict {
    ET_VERDICT_EQUAL,       /* the truth's bytes */
    ET_VERDICT_DRIVER,      /* the two streams ask for different things; the note is the proof */
    ET_VERDICT_MODEL,       /* ours to fix: the measured difference */
    ET_VERDICT_UNSUPPORTED, /* ended in a named error */
    ET_VERDICTS
};
extern const char *const et_verdict_names[ET_VERDICTS];

struct et_row {
    char *capture, *output;
    enum et_verdict verdict;
    uint64_t different, texels, largest;
    char hash[17]; /* first 16 digits of our bytes' SHA-256; "-" where there are none */
    char *note;
};

struct et_table {
    struct et_row *rows;
    size_t count, capacity;
};

/* A missing file is an empty table. ETALON_FORMAT names the line. */
enum etalon_status et_table_read(struct et_table *table, const char *path, struct etalon_error *error);
/* Sorted by capture and output. */
enum etalon_status et_table_write(struct et_table *table, const char *path, struct etalon_error *error);
/* Copies the row's strings. */
enum etalon_status et_table_add(struct et_table *table, const struct et_row *row, struct etalon_error *error);
const struct et_row *et_table_find(const struct et_table *table, const char *capture, const char *output);
void et_table_free(struct et_table *table);

/* How a row stands to its record: negative worse, 0 as recorded, positive better (or changed at equal rank).
 */
int et_row_compare(const struct et_row *now, const struct et_row *recorded);

#endif
