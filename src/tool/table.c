#include "tool/table.h"

#include "base/alloc.h"
#include "base/bits.h"
#include "capture/tar.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

#define COLUMNS     8
#define TABLE_LIMIT (UINT64_C(64) << 20)

const char *const et_verdict_names[ET_VERDICTS] = {"equal", "driver", "model", "unsupported"};

static int by_name(const void *a, const void *b)
{
    const struct et_row *x = a, *y = b;
    const int order = strcmp(x->capture, y->capture);
    return order ? order : strcmp(x->output, y->output);
}

enum etalon_status et_table_add(struct et_table *table, const struct et_row *row, struct etalon_error *error)
{
    struct et_row copy = *row;
    copy.capture = et_strdup(row->capture);
    copy.output = et_strdup(row->output);
    copy.note = et_strdup(row->note ? row->note : "");
    if (!copy.capture || !copy.output || !copy.note ||
        !et_grow(&table->rows, &table->capacity, table->count + 1, sizeof *table->rows)) {
        et_free(copy.capture);
        et_free(copy.output);
        et_free(copy.note);
        return et_fail(error, ETALON_NO_MEMORY, "no memory for the table");
    }
    table->rows[table->count++] = copy;
    return ETALON_OK;
}

/* Cuts a line at its tabs; false unless it has all columns. */
static bool split(char *line, char *column[COLUMNS])
{
    for (unsigned i = 0; i < COLUMNS; i++) {
        column[i] = line;
        line = strchr(line, '\t');
        if (i == COLUMNS - 1)
            return !line;
        if (!line)
            return false;
        *line++ = 0;
    }
    return false;
}

static bool parse_row(char *line, struct et_row *row)
{
    char *column[COLUMNS];
    if (!split(line, column))
        return false;
    *row = (struct et_row){.capture = column[0], .output = column[1], .note = column[7]};
    for (row->verdict = 0; row->verdict < ET_VERDICTS; row->verdict++)
        if (!strcmp(column[2], et_verdict_names[row->verdict]))
            break;
    row->different = strtoull(column[3], NULL, 10);
    row->texels = strtoull(column[4], NULL, 10);
    row->largest = strtoull(column[5], NULL, 10);
    snprintf(row->hash, sizeof row->hash, "%s", column[6]);
    return row->verdict < ET_VERDICTS;
}

enum etalon_status et_table_read(struct et_table *table, const char *path, struct etalon_error *error)
{
    struct stat info;
    uint8_t *bytes;
    size_t size;
    unsigned number = 0;
    enum etalon_status status;
    *table = (struct et_table){0};
    if (stat(path, &info) && errno == ENOENT)
        return ETALON_OK;
    status = et_file_read(path, TABLE_LIMIT, &bytes, &size, error);
    for (char *line = (char *)bytes, *next; !status && line && *line; line = next) {
        struct et_row row;
        next = strchr(line, '\n');
        if (next)
            *next++ = 0;
        number++;
        if (*line == '#' || !*line)
            continue;
        status = parse_row(line, &row) ? et_table_add(table, &row, error)
                                       : et_fail(error, ETALON_FORMAT, "%s: line %u is no row", path, number);
    }
    et_free(bytes);
    if (status)
        et_table_free(table);
    else if (table->count)
        qsort(table->rows, table->count, sizeof *table->rows, by_name);
    return status;
}

enum etalon_status et_table_write(struct et_table *table, const char *path, struct etalon_error *error)
{
    FILE *file = fopen(path, "w");
    bool fine = file != NULL;
    if (table->count)
        qsort(table->rows, table->count, sizeof *table->rows, by_name);
    if (fine)
        fprintf(file, "# capture\toutput\tverdict\tdifferent\tof\tlargest\tours\tnote\n");
    for (size_t i = 0; fine && i < table->count; i++) {
        const struct et_row *row = &table->rows[i];
        fprintf(file, "%s\t%s\t%s\t%llu\t%llu\t%llu\t%s\t%s\n", row->capture, row->output,
                et_verdict_names[row->verdict], (unsigned long long)row->different,
                (unsigned long long)row->texels, (unsigned long long)row->largest, row->hash, row->note);
    }
    if (file && (ferror(file) | fclose(file)))
        fine = false;
    return fine ? ETALON_OK : et_fail(error, ETALON_IO, "cannot write %s: %s", path, strerror(errno));
}

const struct et_row *et_table_find(const struct et_table *table, const char *capture, const char *output)
{
    for (size_t i = 0; i < table->count; i++)
        if (!strcmp(table->rows[i].capture, capture) && !strcmp(table->rows[i].output, output))
            return &table->rows[i];
    return NULL;
}

void et_table_free(struct et_table *table)
{
    for (size_t i = 0; i < table->count; i++) {
        et_free(table->rows[i].capture);
        et_free(table->rows[i].output);
        et_free(table->rows[i].note);
    }
    et_free(table->rows);
    *table = (struct et_table){0};
}

int et_row_compare(const struct et_row *now, const struct et_row *recorded)
{
    if (now->verdict != recorded->verdict)
        return now->verdict < recorded->verdict ? 1 : -1;
    if (now->different != recorded->different)
        return now->different < recorded->different ? 1 : -1;
    if (now->largest != recorded->largest)
        return now->largest < recorded->largest ? 1 : -1;
    return strcmp(now->hash, recorded->hash) ? 1 : 0;
}
