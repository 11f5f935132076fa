/* Makes the committed tables of this room from the facts in conformance/pm4 (packed CSV).
 *
 *     pm4-gen-tables KIND FACTS... > TABLE      KIND: registers REGISTERS FIELDS | packets PACKETS | agc
 * BUILDERS
 *
 * `make check` runs it again and compares; a build never does. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

enum { MAX_COLUMNS = 16 };

struct csv {
    char *text;
    const char *(*row)[MAX_COLUMNS]; /* row[0] is the header */
    size_t rows;
};

static void die(const char *what, const char *which)
{
    fprintf(stderr, "pm4-gen-tables: %s: %s\n", what, which);
    exit(EXIT_FAILURE);
}

static void *need(void *memory)
{
    if (!memory)
        die("out of memory", "");
    return memory;
}

static char *unpack(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        die("cannot open", path);
    if (fseek(file, 0, SEEK_END))
        die("cannot seek", path);
    const long size = ftell(file);
    rewind(file);
    char *packed = need(malloc((size_t)size + 1));
    if (size <= 0 || fread(packed, 1, (size_t)size, file) != (size_t)size)
        die("cannot read", path);
    fclose(file);
    const unsigned long long length = ZSTD_getFrameContentSize(packed, (size_t)size);
    if (length == ZSTD_CONTENTSIZE_ERROR || length == ZSTD_CONTENTSIZE_UNKNOWN)
        die("not packed", path);
    char *text = need(malloc(length + 1));
    if (ZSTD_isError(ZSTD_decompress(text, length, packed, (size_t)size)))
        die("cannot unpack", path);
    text[length] = 0;
    free(packed);
    return text;
}

/* Splits one record in place (quotes as in RFC 4180); returns the start of the next. */
static char *split(char *at, const char *column[MAX_COLUMNS])
{
    for (size_t i = 0; i < MAX_COLUMNS; i++)
        column[i] = "";
    for (size_t i = 0; i < MAX_COLUMNS; i++) {
        char *out = at;
        int quoted = *at == '"';
        column[i] = out;
        if (quoted)
            at++;
        for (; *at && (quoted || (*at != ',' && *at != '\n' && *at != '\r')); at++) {
            if (quoted && *at == '"') {
                if (at[1] == '"')
                    at++;
                else {
                    quoted = 0;
                    continue;
                }
            }
            *out++ = *at;
        }
        const char end = *at;
        *out = 0;
        if (!end)
            return at;
        at++;
        if (end == '\r' && *at == '\n')
            at++;
        if (end != ',')
            return at;
    }
    die("too many columns", column[0]);
    return at;
}

static struct csv read_csv(const char *path)
{
    struct csv csv = {.text = unpack(path)};
    size_t lines = 1;
    for (const char *at = csv.text; *at; at++)
        lines += *at == '\n';
    csv.row = need(calloc(lines, sizeof *csv.row));
    for (char *at = csv.text; *at;)
        at = split(at, csv.row[csv.rows++]);
    return csv;
}

static void drop_csv(struct csv *csv)
{
    free(csv->row);
    free(csv->text);
}

static size_t find_column(const struct csv *csv, const char *name)
{
    for (size_t i = 0; i < MAX_COLUMNS; i++)
        if (!strcmp(csv->row[0][i], name))
            return i;
    die("no column", name);
    return 0;
}

static void quoted(const char *text)
{
    putchar('"');
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            putchar('\\');
        putchar(*text);
    }
    putchar('"');
}

static void heading(const char *from)
{
    printf("/* Made by pm4-gen-tables from conformance/pm4/%s. Do not edit. */\n", from);
}

static const char *const space_names[] = {"context", "sh", "uconfig", "config"};
static const unsigned space_sizes[] = {0x400, 0x400, 0x4000, 0xC00};

static void known_map(const struct csv *registers, unsigned space)
{
    unsigned char known[0x4000 / 8] = {0};
    for (size_t i = 1; i < registers->rows; i++) {
        const unsigned long offset = strtoul(registers->row[i][1], NULL, 16);
        if (!strcmp(registers->row[i][0], space_names[space]) && offset < space_sizes[space])
            known[offset / 8] |= (unsigned char)(1 << offset % 8);
    }
    printf("static const uint64_t known_%s[] = {", space_names[space]);
    for (unsigned word = 0; word < space_sizes[space] / 64; word++) {
        unsigned long long bits = 0;
        for (unsigned byte = 0; byte < 8; byte++)
            bits |= (unsigned long long)known[word * 8 + byte] << byte * 8;
        printf(bits ? "%s0x%llxu," : "%s%llu,", word % 8 ? " " : "\n    ", bits);
    }
    printf("\n};\n");
}

static void make_registers(const char *registers_path, const char *fields_path)
{
    struct csv registers = read_csv(registers_path), fields = read_csv(fields_path);
    const size_t name = find_column(&registers, "name");
    heading("registers.csv and register-fields.csv");
    printf("static const struct et_pm4_field register_fields[] = {\n");
    for (size_t i = 1; i < fields.rows; i++) {
        printf("    {");
        quoted(fields.row[i][3]);
        printf(", %s, %s, ", fields.row[i][4], fields.row[i][5]);
        quoted(fields.row[i][6]);
        printf("},\n");
    }
    printf("};\nstatic const struct et_pm4_register registers[] = {\n");
    for (unsigned space = 0; space < 4; space++)
        for (size_t i = 1; i < registers.rows; i++) {
            if (strcmp(registers.row[i][0], space_names[space]) != 0)
                continue;
            size_t first = 0, count = 0;
            for (size_t j = 1; j < fields.rows; j++)
                if (!strcmp(fields.row[j][0], registers.row[i][0]) &&
                    !strcmp(fields.row[j][1], registers.row[i][1])) {
                    if (!count++)
                        first = j - 1;
                    else if (j - 1 != first + count - 1)
                        die("fields of one register are not together", registers.row[i][name]);
                }
            printf("    {");
            quoted(registers.row[i][name]);
            printf(", 0x%lxu, %u, %zu, %zu},\n", strtoul(registers.row[i][1], NULL, 16), space, first, count);
        }
    printf("};\n");
    for (unsigned space = 0; space < 4; space++)
        known_map(&registers, space);
    drop_csv(&registers);
    drop_csv(&fields);
}

static unsigned engine_bits(const char *engine)
{
    static const struct {
        const char *name;
        unsigned bits;
    } engines[] = {{"PFP", 1}, {"ME", 2}, {"PFP/ME", 3}, {"CE", 4}, {"MEC", 8}, {"all", 15}};
    for (size_t i = 0; i < sizeof engines / sizeof *engines; i++)
        if (!strcmp(engine, engines[i].name))
            return engines[i].bits;
    die("unknown engine", engine);
    return 0;
}

static int same_field(const char *const *a, const char *const *b)
{
    for (size_t i = 3; i < 7; i++)
        if (strcmp(a[i], b[i]) != 0)
            return 0;
    return !strcmp(a[0], b[0]) && !strcmp(a[1], b[1]);
}

/* One field a line, alternatives of the engines merged: the longest list of values stands. */
static void packet_field(const struct csv *csv, size_t i, size_t end)
{
    unsigned engines = 0;
    const char *values = "";
    for (size_t j = i; j < end; j++) {
        if (!same_field(csv->row[i], csv->row[j]))
            continue;
        engines |= engine_bits(csv->row[j][2]);
        if (strlen(csv->row[j][8]) > strlen(values))
            values = csv->row[j][8];
    }
    printf("    {{");
    quoted(csv->row[i][6]);
    printf(", %s, %s, ", csv->row[i][4], csv->row[i][5]);
    quoted(values);
    printf("}, %s, %u},\n", csv->row[i][3], engines);
}

static int seen_before(const struct csv *csv, size_t first, size_t i)
{
    for (size_t j = first; j < i; j++)
        if (same_field(csv->row[i], csv->row[j]))
            return 1;
    return 0;
}

static void make_packets(const char *path)
{
    struct csv csv = read_csv(path);
    heading("packets.csv");
    printf("static const struct et_pm4_packet_field packet_fields[] = {\n");
    size_t *first = need(calloc(csv.rows + 1, sizeof *first)),
           *count = need(calloc(csv.rows + 1, sizeof *count));
    size_t *start = need(calloc(csv.rows + 1, sizeof *start)), packets = 0, fields = 0;
    for (size_t i = 1, end; i < csv.rows; i = end) {
        for (end = i; end < csv.rows && !strcmp(csv.row[end][0], csv.row[i][0]) &&
                      !strcmp(csv.row[end][1], csv.row[i][1]);
             end++)
            ;
        if (!strncmp(csv.row[i][1], "(HEADER", 7) || !strncmp(csv.row[i][1], "HEADER", 6) ||
            strtoul(csv.row[i][0], NULL, 16) == 0)
            continue;
        if (!strcmp(csv.row[i][1], "NOP") || strcmp(csv.row[i][3], "0") != 0) {
            start[packets] = i;
            first[packets] = fields;
            for (size_t j = i; j < end; j++)
                if (strcmp(csv.row[j][3], "0") != 0 && !seen_before(&csv, i, j)) {
                    packet_field(&csv, j, end);
                    fields++;
                }
            count[packets] = fields - first[packets];
            packets++;
        }
    }
    printf("};\nstatic const struct et_pm4_packet packets[] = {\n");
    for (size_t p = 0; p < packets; p++) {
        const char *const *row = csv.row[start[p]];
        const char *r = strstr(row[1], "(r=0x");
        char name[64];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(row[1], " ("), row[1]);
        printf("    {");
        quoted(name);
        printf(", %s, %ld, %zu, %zu},\n", row[0], r ? strtol(r + 3, NULL, 16) : -1L, first[p], count[p]);
    }
    printf("};\n");
    free(first);
    free(count);
    free(start);
    drop_csv(&csv);
}

static void make_agc(const char *path)
{
    struct csv csv = read_csv(path);
    const size_t kind = find_column(&csv, "kind"), companion = find_column(&csv, "getsize_companion");
    heading("builders.csv");
    for (size_t i = 1; i < csv.rows; i++) {
        char other[64];
        const char *from = csv.row[i][companion];
        if (!strncmp(from, "sce", 3))
            from += 3;
        snprintf(other, sizeof other, "%.*s", (int)strcspn(from, " "), from);
        printf("{");
        quoted(csv.row[i][0]);
        printf(", ");
        quoted(csv.row[i][1]);
        printf(", ");
        quoted(csv.row[i][3]);
        printf(", ");
        printf("ETALON_AGC_");
        for (const char *at = csv.row[i][kind]; *at; at++)
            putchar(*at >= 'a' && *at <= 'z' ? *at - 'a' + 'A' : *at);
        printf(",\n ");
        quoted(csv.row[i][5]);
        printf(", ");
        quoted(csv.row[i][6]);
        printf(", ");
        quoted(other);
        printf("},\n");
    }
    drop_csv(&csv);
}

int main(int argc, char **argv)
{
    if (argc == 4 && !strcmp(argv[1], "registers"))
        make_registers(argv[2], argv[3]);
    else if (argc == 3 && !strcmp(argv[1], "packets"))
        make_packets(argv[2]);
    else if (argc == 3 && !strcmp(argv[1], "agc"))
        make_agc(argv[2]);
    else
        die("usage", "registers REGISTERS FIELDS | packets PACKETS | agc BUILDERS");
    return fflush(stdout) ? EXIT_FAILURE : EXIT_SUCCESS;
}
