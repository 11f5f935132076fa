/* Makes classes.inc and qmd.inc from the facts: `generate SRCDIR write` writes them; without arguments it
 * makes them anew and compares, as a test. Fails on a method that no effect row names, and on a row that
 * names none. */
#include <errno.h>
#include <fnmatch.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#define COLUMNS 12

static void die(const char *what, const char *which)
{
    fprintf(stderr, "generate: %s: %s\n", which, what);
    exit(1);
}

static void *grow(void *items, size_t count, size_t size)
{
    if (count & (count - 1))
        return items;
    items = realloc(items, (count ? 2 * count : 1) * size);
    if (!items)
        die("out of memory", "tables");
    return items;
}

/* Tables point into the texts, so all are kept until the end. */
static char *kept[512];
static size_t kept_count;

static char *keep(char *text, const char *name)
{
    if (!text || kept_count == sizeof kept / sizeof *kept)
        die("out of memory", name);
    return kept[kept_count++] = text;
}

/* The whole file, decompressed when its name ends in .zst, with a terminator. */
static char *load(const char *name)
{
    FILE *file = fopen(name, "rb");
    if (!file)
        die(strerror(errno), name);
    fseek(file, 0, SEEK_END);
    const long size = ftell(file);
    rewind(file);
    char *bytes = calloc(1, (size_t)size + 1);
    if (!bytes || fread(bytes, 1, (size_t)size, file) != (size_t)size)
        die("unreadable", name);
    fclose(file);
    const size_t length = strlen(name);
    if (length < 4 || strcmp(name + length - 4, ".zst"))
        return keep(bytes, name);
    const unsigned long long plain = ZSTD_getFrameContentSize(bytes, (size_t)size);
    if (plain > 1u << 24)
        die("no plain size", name);
    char *text = calloc(1, (size_t)plain + 1);
    if (!text || ZSTD_isError(ZSTD_decompress(text, (size_t)plain, bytes, (size_t)size)))
        die("not a zstd file", name);
    free(bytes);
    return keep(text, name);
}

/* Splits the next line of *cursor in place; false at the end. */
static bool next_row(char **cursor, char *cell[COLUMNS])
{
    if (!**cursor)
        return false;
    char *end = strchr(*cursor, '\n'), *at = *cursor;
    *cursor = end ? end + 1 : at + strlen(at);
    if (end)
        *end = 0;
    for (unsigned i = 0; i < COLUMNS; i++) {
        cell[i] = at;
        char *comma = strchr(at, ',');
        if (comma && i + 1 < COLUMNS)
            *comma = 0;
        at = comma ? comma + 1 : at + strlen(at);
    }
    return true;
}

static uint32_t number(const char *text)
{
    return (uint32_t)strtoul(text, NULL, 0);
}

struct enumerant {
    const char *name;
    uint32_t value;
};

struct field {
    const char *name;
    unsigned hi, lo, count, first; /* enumerants */
};

struct effect {
    const char *classes, *method, *effect, *harmless, *why;
    unsigned used;
};

struct method {
    const char *name;
    unsigned offset, count, stride, inner_count, inner_stride, fields, first;
    struct effect *effect;
};

static struct enumerant *enumerants;
static struct field *fields;
static struct effect *effects;
static size_t enumerant_count, field_count, effect_count;

static void load_effects(const char *name)
{
    char *cursor = load(name), *cell[COLUMNS];
    next_row(&cursor, cell);
    while (next_row(&cursor, cell)) {
        effects = grow(effects, effect_count, sizeof *effects);
        effects[effect_count++] = (struct effect){cell[0], cell[1], cell[2], cell[3], cell[4], 0};
    }
}

static struct effect *find_effect(const char *klass, const char *method)
{
    for (size_t i = 0; i < effect_count; i++)
        if (!fnmatch(effects[i].classes, klass, 0) && !fnmatch(effects[i].method, method, 0)) {
            effects[i].used++;
            return &effects[i];
        }
    die("no effect row", method);
    return NULL;
}

/* First index of `count` equal enumerants in the pool, appended when there are none. */
static unsigned pool_enumerants(const struct enumerant *add, unsigned count)
{
    for (size_t i = 0; i + count <= enumerant_count; i++) {
        unsigned same = 0;
        while (same < count && enumerants[i + same].value == add[same].value &&
               !strcmp(enumerants[i + same].name, add[same].name))
            same++;
        if (same == count)
            return (unsigned)i;
    }
    for (unsigned i = 0; i < count; i++) {
        enumerants = grow(enumerants, enumerant_count, sizeof *enumerants);
        enumerants[enumerant_count++] = add[i];
    }
    return (unsigned)enumerant_count - count;
}

static unsigned pool_fields(const struct field *add, unsigned count)
{
    for (size_t i = 0; i + count <= field_count; i++) {
        unsigned same = 0;
        while (same < count && fields[i + same].hi == add[same].hi && fields[i + same].lo == add[same].lo &&
               fields[i + same].count == add[same].count && fields[i + same].first == add[same].first &&
               !strcmp(fields[i + same].name, add[same].name))
            same++;
        if (same == count)
            return (unsigned)i;
    }
    for (unsigned i = 0; i < count; i++) {
        fields = grow(fields, field_count, sizeof *fields);
        fields[field_count++] = add[i];
    }
    return (unsigned)field_count - count;
}

struct reader {
    struct method method;
    struct field field[64];
    unsigned fields;
    struct enumerant enumerant[512];
    unsigned enumerants;
};

static void end_field(struct reader *r)
{
    if (!r->fields)
        return;
    r->field[r->fields - 1].count = r->enumerants;
    r->field[r->fields - 1].first = r->enumerants ? pool_enumerants(r->enumerant, r->enumerants) : 0;
    r->enumerants = 0;
}

static void end_method(struct reader *r, FILE *out)
{
    if (!r->method.name)
        return;
    end_field(r);
    const struct method *m = &r->method;
    const unsigned first = r->fields ? pool_fields(r->field, r->fields) : 0;
    static const char *const names[] = {"state", "acts", "ignored", "unsupported"};
    static const char *const codes[] = {"STATE", "ACTS", "IGNORED", "UNSUPPORTED"};
    unsigned effect = 0;
    while (effect < 4 && strcmp(names[effect], m->effect->effect))
        effect++;
    if (effect == 4)
        die("unknown effect", m->effect->effect);
    fprintf(out, "    {\"%s\", ", m->name);
    fprintf(out, *m->effect->why ? "\"%s\"" : "NULL%s", m->effect->why);
    fprintf(out, ", 0x%04x, %u, %u, %u, %u, %u, %u, ET_EFFECT_%s, %s, %u},\n", m->offset, m->count, m->stride,
            m->inner_count, m->inner_stride, r->fields, first, codes[effect],
            *m->effect->harmless ? "true" : "false", number(m->effect->harmless));
    r->method.name = NULL;
    r->fields = 0;
}

static void start_method(struct reader *r, const char *klass, char *cell[COLUMNS])
{
    struct method *m = &r->method;
    const char *count = cell[4], *stride = cell[5];
    *m = (struct method){.name = cell[1], .offset = number(cell[2]), .count = 1};
    if (*count == '?')
        count++;
    if (*count) {
        char *cross = strchr(count, 'x'), *semicolon = strchr(stride, ';');
        m->count = number(count);
        m->stride = number(stride);
        if (cross) {
            m->inner_count = (unsigned)strtoul(cross + 1, NULL, 10);
            m->inner_stride = semicolon ? number(semicolon + 1) : 0;
        }
    }
    m->effect = find_effect(klass, m->name);
}

static unsigned read_rows(char *text, const char *klass, FILE *out)
{
    static struct reader r;
    char *cursor = text, *cell[COLUMNS];
    unsigned methods = 0;
    while (next_row(&cursor, cell)) {
        if (strcmp(cell[0], klass))
            continue;
        if (!*cell[6]) {
            end_method(&r, out);
            start_method(&r, klass, cell);
            methods++;
            continue;
        }
        if (!r.fields || strcmp(r.field[r.fields - 1].name, cell[6]) || !*cell[9]) {
            end_field(&r);
            if (r.fields == 64)
                die("too many fields", cell[1]);
            r.field[r.fields++] = (struct field){cell[6], number(cell[7]), number(cell[8]), 0, 0};
        }
        if (*cell[9]) {
            if (r.enumerants == 512)
                die("too many enumerants", cell[1]);
            r.enumerant[r.enumerants++] = (struct enumerant){cell[9], number(cell[10])};
        }
    }
    end_method(&r, out);
    return methods;
}

static void make_classes(FILE *out, int files, char **file)
{
    static const char *const title[][2] = {{"902D", "2D"},
                                           {"A140", "inline to memory"},
                                           {"B06F", "Maxwell channel"},
                                           {"C56F", "Ampere channel"},
                                           {"C76F", "Ampere channel B"},
                                           {"B0B5", "Maxwell copy"},
                                           {"C7B5", "Ampere copy"},
                                           {"B197", "Maxwell 3D"},
                                           {"C797", "Ampere 3D"},
                                           {"B1C0", "Maxwell compute"},
                                           {"C7C0", "Ampere compute"},
                                           {"906E", "software"}};
    const unsigned classes = sizeof title / sizeof *title;
    unsigned counts[sizeof title / sizeof *title] = {0};
    fprintf(out, "/* Made by generate.c from the facts of NVIDIA's class headers. Do not edit. */\n");
    for (unsigned c = 0; c < classes; c++) {
        fprintf(out, "static const struct et_method methods_%s[] = {\n", title[c][0]);
        for (int f = 0; f < files; f++)
            counts[c] += read_rows(load(file[f]), title[c][0], out);
        fprintf(out, "};\n");
        if (!counts[c])
            die("no methods", title[c][0]);
    }
    fprintf(out, "static const struct et_field fields[] = {\n");
    for (size_t i = 0; i < field_count; i++)
        fprintf(out, "    {\"%s\", %u, %u, %u, %u},\n", fields[i].name, fields[i].hi, fields[i].lo,
                fields[i].count, fields[i].first);
    fprintf(out, "};\nstatic const struct et_enumerant enumerants[] = {\n");
    for (size_t i = 0; i < enumerant_count; i++)
        fprintf(out, "    {\"%s\", 0x%x},\n", enumerants[i].name, enumerants[i].value);
    fprintf(out, "};\nstatic const struct et_class classes[] = {\n");
    for (unsigned c = 0; c < classes; c++)
        fprintf(out, "    {0x%s, \"%s\", \"%s\", methods_%s, %u, fields, enumerants},\n", title[c][0],
                title[c][0], title[c][1], title[c][0], counts[c]);
    fprintf(out, "};\n");
    for (size_t i = 0; i < effect_count; i++)
        if (!effects[i].used)
            die("the effect row names no method", effects[i].method);
}

static void make_qmd(FILE *out, int files, char **file)
{
    fprintf(out, "/* Made by generate.c from the facts of NVIDIA's QMD headers. Do not edit. */\n");
    for (int f = 0; f < files; f++) {
        char *cursor = load(file[f]), *cell[COLUMNS], last[128] = "";
        bool first = true;
        next_row(&cursor, cell);
        while (next_row(&cursor, cell)) {
            if (first)
                fprintf(out, "static const struct et_qmd_field fields_%s[] = {\n", cell[0] + 3);
            first = false;
            if (!strcmp(last, cell[1]))
                continue;
            snprintf(last, sizeof last, "%s", cell[1]);
            fprintf(out, "    {\"%s\", %u, %u, %u, %u},\n", cell[1], number(cell[3]), number(cell[4]),
                    *cell[8] ? number(cell[8]) : 1, number(cell[9]));
        }
        fprintf(out, "};\n");
    }
}

static char *path(const char *folder, const char *name)
{
    char *text = keep(malloc(strlen(folder) + strlen(name) + 2), name);
    sprintf(text, "%s/%s", folder, name);
    return text;
}

static void put(FILE *made, const char *name, bool write)
{
    FILE *file = fopen(name, write ? "wb" : "rb");
    if (!file)
        die(strerror(errno), name);
    rewind(made);
    for (int byte; (byte = getc(made)) != EOF;)
        if (write ? putc(byte, file) == EOF : getc(file) != byte)
            die(write ? "not written" : "differs from what the facts give", name);
    if (!write && getc(file) != EOF)
        die("is longer than what the facts give", name);
    if (fclose(file))
        die(strerror(errno), name);
}

int main(int argc, char **argv)
{
    static const char *const class_files[] = {
        "src/engine/tables/extra.csv",    "conformance/facts/902d.csv.zst", "conformance/facts/a140.csv.zst",
        "conformance/facts/b06f.csv.zst", "conformance/facts/b0b5.csv.zst", "conformance/facts/b197.csv.zst",
        "conformance/facts/b1c0.csv.zst", "conformance/facts/c56f.csv.zst", "conformance/facts/c76f.csv.zst",
        "conformance/facts/c797.csv.zst", "conformance/facts/c7b5.csv.zst", "conformance/facts/c7c0.csv.zst"};
    static const char *const qmd_files[] = {
        "conformance/facts/qmdv00_06.csv.zst", "conformance/facts/qmdv01_07.csv.zst",
        "conformance/facts/qmdv02_02.csv.zst", "conformance/facts/qmdv02_03.csv.zst",
        "conformance/facts/qmdv02_04.csv.zst", "conformance/facts/qmdv03_00.csv.zst"};
    const char *root = argc > 1 ? argv[1] : getenv("srcdir");
    const bool write = argc > 2 && !strcmp(argv[2], "write");
    char *files[16];
    FILE *made = tmpfile();
    if (!root)
        root = ".";
    if (!made)
        die(strerror(errno), "temporary file");
    load_effects(path(root, "src/engine/tables/effects.csv"));
    for (size_t i = 0; i < sizeof class_files / sizeof *class_files; i++)
        files[i] = path(root, class_files[i]);
    make_classes(made, (int)(sizeof class_files / sizeof *class_files), files);
    put(made, path(root, "src/engine/tables/classes.inc"), write);
    fclose(made);
    made = tmpfile();
    if (!made)
        die(strerror(errno), "temporary file");
    for (size_t i = 0; i < sizeof qmd_files / sizeof *qmd_files; i++)
        files[i] = path(root, qmd_files[i]);
    make_qmd(made, (int)(sizeof qmd_files / sizeof *qmd_files), files);
    put(made, path(root, "src/engine/tables/qmd.inc"), write);
    fclose(made);
    while (kept_count)
        free(kept[--kept_count]);
    return 0;
}
