/* `etalon asm`: NVIDIA's text, or a listing of `etalon disasm`, to machine code. */
#include "tool/disasm.h"
#include "tool/tool.h"

#include "base/alloc.h"
#include "base/bits.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: etalon asm --isa maxwell|ampere [--check] [-o FILE] FILE\n\n"
    "Assembles one instruction a line. A line is a text, or the columns of `etalon disasm` (address, words, "
    "text, parted by\n"
    "tabs). 'NAME:' or '#label NAME' names the next address; '#section NAME' starts a section at address 0; "
    "'//', '#' and\n"
    "'(* *)' are comments. A text may start with a scheduling field, as --sched prints it; without one the "
    "words of\n"
    "a listing keep theirs. Prints address and words; -o writes the code instead.\n\n"
    "  --check       compare with the words of the listing: exit 1 at the first difference\n";

struct line {
    char *text;       /* NULL: a scheduling word */
    uint64_t word[2]; /* as listed */
    bool listed;
    uint64_t pc;
    unsigned section, number;
};

struct label {
    const char *name;
    uint64_t pc;
    unsigned section;
};

struct source {
    struct line *lines;
    size_t count, capacity;
    struct label *labels;
    size_t label_count, label_capacity;
    unsigned section;
    uint64_t pc;
    unsigned step, bundle;
};

struct options {
    const struct et_isa_def *isa;
    bool check;
    const char *out, *file;
};

static bool add_label(struct source *source, const char *name)
{
    if (!et_grow(&source->labels, &source->label_capacity, source->label_count + 1, sizeof *source->labels))
        return false;
    source->labels[source->label_count++] = (struct label){name, source->pc, source->section};
    return true;
}

static struct line *add_line(struct source *source)
{
    if (!et_grow(&source->lines, &source->capacity, source->count + 1, sizeof *source->lines))
        return NULL;
    source->lines[source->count] = (struct line){.pc = source->pc, .section = source->section};
    source->pc += source->step;
    return &source->lines[source->count++];
}

/* Cuts comments and the blanks around a text. */
static char *trim(char *text)
{
    char *end, *comment = strstr(text, "(*");
    if (!comment)
        comment = strstr(text, "//");
    if (comment)
        *comment = 0;
    while (*text == ' ' || *text == '\t')
        text++;
    end = text + strlen(text);
    while (end > text && strchr(" \t\r;", end[-1]))
        *--end = 0;
    return text;
}

/* The columns of a listing; false when the line has none. */
static bool columns(struct source *source, char *text, struct line *line)
{
    char *at, *end;
    unsigned words = source->step / 8;
    line->pc = strtoull(text, &end, 16);
    if (end == text || *end != '\t')
        return false;
    for (unsigned i = 0; i < words; i++) {
        at = end + 1;
        line->word[i] = strtoull(at, &end, 16);
        if (end != at + 16 || *end != '\t')
            return false;
    }
    line->text = end + 1;
    line->listed = true;
    return true;
}

/* A scheduling word stands before three instructions: unlisted ones are put in. */
static bool is_bundle_head(const struct source *source)
{
    return source->bundle && source->pc % source->bundle == 0;
}

static enum etalon_status read_line(struct source *source, char *text, unsigned number,
                                    struct etalon_error *error)
{
    struct line listed = {0}, *line;
    const bool in_columns = strchr(text, '\t') && columns(source, text, &listed);
    size_t n;
    bool fine = true;
    if (in_columns)
        source->pc = listed.pc;
    else if (!strncmp(text, "#label ", 7))
        return add_label(source, trim(text + 7)) ? ETALON_OK : et_fail(error, ETALON_NO_MEMORY, "labels");
    else if (!strncmp(text, "#section ", 9)) {
        source->section++;
        source->pc = 0;
        return ETALON_OK;
    } else if (*text == '#')
        return ETALON_OK;
    text = trim(in_columns ? listed.text : text);
    n = strlen(text);
    if (!n)
        return ETALON_OK;
    if (!in_columns && text[n - 1] == ':') {
        text[n - 1] = 0;
        return add_label(source, text) ? ETALON_OK : et_fail(error, ETALON_NO_MEMORY, "labels");
    }
    if (!in_columns && is_bundle_head(source))
        fine = add_line(source) != NULL;
    line = fine ? add_line(source) : NULL;
    if (!line)
        return et_fail(error, ETALON_NO_MEMORY, "lines");
    line->text = in_columns && !strcmp(text, "#sched") ? NULL : text;
    line->listed = in_columns;
    line->number = number;
    memcpy(line->word, listed.word, sizeof line->word);
    return ETALON_OK;
}

static enum etalon_status read_source(struct source *source, char *text, struct etalon_error *error)
{
    enum etalon_status status = ETALON_OK;
    unsigned number = 1;
    while (*text && !status) {
        char *end = text + strcspn(text, "\n"), *next = *end ? end + 1 : end;
        *end = 0;
        status = read_line(source, text, number++, error);
        text = next;
    }
    return status;
}

struct resolver {
    const struct source *source;
    unsigned section;
};

/* Labels of the section first, then any; a relocated immediate is 0 until it is linked. */
static int resolve(void *context, const char *name, size_t length, uint64_t *address)
{
    const struct resolver *resolver = context;
    const struct source *source = resolver->source;
    if (length > 3 && !strncmp(name, "32@", 3)) {
        *address = 0;
        return 1;
    }
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < source->label_count; i++) {
            const struct label *label = &source->labels[i];
            if (strlen(label->name) == length && !memcmp(label->name, name, length) &&
                (pass || label->section == resolver->section)) {
                *address = label->pc;
                return 1;
            }
        }
    return 0;
}

/* The memory descriptor that NVIDIA's text leaves out: what the code last loaded from c[0x0][0x118]. */
static void note_descriptor(const char *text, uint64_t *descriptor)
{
    unsigned reg;
    const char *at = strstr(text, "ULDC.64 UR");
    if (at && strstr(at, "c[0x0][0x118]") && sscanf(at, "ULDC.64 UR%u", &reg) == 1)
        *descriptor = reg;
}

static bool has_sched(const char *text)
{
    return text[0] == '[' && text[1] == 'B';
}

/* Assembles all lines into `words` (two a line). */
static enum etalon_status assemble(const struct et_isa *isa, const struct source *source, uint64_t *words,
                                   struct etalon_error *error)
{
    const struct et_isa_def *def = et_isa_def_of(isa);
    const uint64_t sched_mask = (uint64_t)0x1ffff << 41; /* all but reuse, which the text shows */
    uint64_t descriptor = 0;
    size_t head = 0;
    for (size_t i = 0; i < source->count; i++) {
        const struct line *line = &source->lines[i];
        struct resolver resolver = {source, line->section};
        struct et_isa_labels labels = {resolve, &resolver, 0};
        uint64_t *word = words + 2 * i;
        uint32_t control;
        enum etalon_status status;
        if (!line->text) {
            word[0] = line->listed ? line->word[0] : 0;
            head = i;
            continue;
        }
        note_descriptor(line->text, &descriptor);
        labels.hidden = descriptor;
        status = et_isa_assemble(isa, line->text, line->pc, &labels, word, &control, error);
        if (status) {
            et_at_pc(error, line->pc);
            et_at_offset(error, line->number);
            return status;
        }
        if (def->word_bits == 128 && line->listed && !has_sched(line->text))
            word[1] = (word[1] & ~sched_mask) | (line->word[1] & sched_mask);
        if (def->bundle && !source->lines[head].listed && i > head && i - head <= 3)
            words[2 * head] |= (uint64_t)control << 21 * (i - head - 1);
    }
    return ETALON_OK;
}

static int output(const struct options *options, const struct source *source, const uint64_t *words)
{
    const unsigned count = source->step / 8;
    FILE *file = options->out ? fopen(options->out, "wb") : NULL;
    if (options->out && !file)
        return et_tool_usage("asm", "cannot write %s", options->out);
    for (size_t i = 0; i < source->count; i++) {
        const uint64_t *word = words + 2 * i;
        if (file)
            fwrite(word, 8, count, file);
        else if (count == 2)
            printf("%04" PRIx64 "\t%016" PRIx64 "\t%016" PRIx64 "\n", source->lines[i].pc, word[0], word[1]);
        else
            printf("%04" PRIx64 "\t%016" PRIx64 "\n", source->lines[i].pc, word[0]);
    }
    return file && fclose(file) ? et_tool_usage("asm", "cannot write %s", options->out) : ET_TOOL_OK;
}

static int check(const struct source *source, const uint64_t *words)
{
    size_t compared = 0;
    for (size_t i = 0; i < source->count; i++) {
        const struct line *line = &source->lines[i];
        if (!line->listed)
            continue;
        compared++;
        if (memcmp(line->word, words + 2 * i, source->step)) {
            printf("line %u: %016" PRIx64 " %016" PRIx64 " is listed, \"%s\" gives %016" PRIx64 " %016" PRIx64
                   "\n",
                   line->number, line->word[0], line->word[1], line->text ? line->text : "#sched",
                   words[2 * i], words[2 * i + 1]);
            return ET_TOOL_DIFFERENT;
        }
    }
    printf("%zu words equal\n", compared);
    return ET_TOOL_OK;
}

static int run(const struct options *options, char *text, struct etalon_error *error)
{
    struct source source = {.step = options->isa->word_bits / 8, .bundle = options->isa->bundle};
    struct et_isa *isa = NULL;
    uint64_t *words = NULL;
    int result;
    enum etalon_status status = et_isa_open(options->isa, &isa, error);
    if (!status)
        status = read_source(&source, text, error);
    if (!status && !(words = et_calloc(2 * source.count + 2, sizeof *words)))
        status = et_fail(error, ETALON_NO_MEMORY, "words");
    if (!status)
        status = assemble(isa, &source, words, error);
    result = status           ? et_tool_error("asm", error)
             : options->check ? check(&source, words)
                              : output(options, &source, words);
    et_free(words);
    et_free(source.lines);
    et_free(source.labels);
    et_isa_close(isa);
    return result;
}

int et_tool_asm(int argc, char **argv)
{
    struct options options = {0};
    const char *isa = NULL;
    const struct et_tool_option known[] = {et_option_flag("--check", &options.check),
                                           et_option_text("-o", &options.out),
                                           et_option_choice("--isa", &isa, et_tool_isa_names)};
    const struct et_tool_syntax syntax = {.name = "asm",
                                          .help = usage,
                                          .options = known,
                                          .option_count = ET_COUNT(known),
                                          .wanted = "a file",
                                          .most = 1};
    struct etalon_error error = {0};
    uint8_t *bytes;
    size_t size;
    int files, result = et_tool_arguments(&syntax, argc, argv, &files);
    if (result != ET_TOOL_GO)
        return result;
    if (!isa)
        return et_tool_usage("asm", "--isa is needed");
    options.isa = et_tool_isa(isa);
    options.file = argv[0];
    bytes = et_tool_read_file(options.file, &size, &error);
    if (!bytes)
        return et_tool_error("asm", &error);
    if (memchr(bytes, 0, size)) {
        et_free(bytes);
        et_fail(&error, ETALON_FORMAT, "%s holds a zero byte: it is no text", options.file);
        return et_tool_error("asm", &error);
    }
    result = run(&options, (char *)bytes, &error);
    et_free(bytes);
    return result;
}
