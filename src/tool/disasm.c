/* `etalon disasm`: machine code to NVIDIA's text. */
#include "tool/disasm.h"
#include "tool/listing.h"
#include "tool/tool.h"

#include "base/alloc.h"
#include "base/bits.h"
#include "capture/tar.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char usage[] =
    "usage: etalon disasm [--isa maxwell|ampere] [--sched] [--text] [--base ADDRESS] FILE\n\n"
    "Prints the code sections of a cubin, the programs that a capture's draws and dispatches run (a folder "
    "or a "
    ".tar.zst), or a raw binary (which needs --isa), one instruction a line: "
    "address, machine\n"
    "words, text, parted by tabs; lines that start with '#' name sections and labels. What cannot be decoded "
    "prints\n"
    "as '!' and the cause, and makes the exit code 1.\n\n"
    "  --isa I       instruction set of a raw binary\n"
    "  --sched       put the scheduling field before each text\n"
    "  --text        print the texts alone\n"
    "  --base A      address of a raw binary's first byte\n";

struct options {
    const struct et_isa_def *isa;
    struct et_tool_word_printer printer;
    const char *file;
};

uint8_t *et_tool_read_file(const char *path, size_t *size, struct etalon_error *error)
{
    uint8_t *bytes;
    et_file_read(strcmp(path, "-") ? path : "/dev/stdin", UINT64_C(1) << 28, &bytes, size, error);
    return bytes;
}

const char *const et_tool_isa_names[] = {"maxwell", "ampere", NULL};

const struct et_isa_def *et_tool_isa(const char *name)
{
    if (!strcmp(name, et_isa_maxwell.name))
        return &et_isa_maxwell;
    return !strcmp(name, et_isa_ampere.name) ? &et_isa_ampere : NULL;
}

/* The names of one code section, for the engine's callback. */
struct naming {
    const struct et_listing *listing;
    const struct et_listing_code *code;
};

static int name_operand(void *context, const struct et_insn *insn, const struct et_operand *operand,
                        char *text, size_t size)
{
    const struct naming *naming = context;
    const struct et_listing *listing = naming->listing;
    const struct et_listing_symbol *function;
    const size_t slot = et_listing_slot(listing, (uint64_t)operand->value);
    if (operand->kind == ET_KIND_U || operand->kind == ET_KIND_S)
        return et_listing_relocation(listing, naming->code->index, insn->pc, text, size);
    if (operand->kind != ET_KIND_L)
        return 0;
    function = et_listing_calls(listing->isa, insn)
                   ? et_listing_function(listing, naming->code->index, (uint64_t)operand->value)
                   : NULL;
    if (function)
        snprintf(text, size, "`(%s)", function->name);
    else if (operand->value >= 0 && slot < naming->code->slots && naming->code->label[slot] >= 0)
        snprintf(text, size, "`(.L_x_%d)", naming->code->label[slot]);
    else
        return 0;
    return 1;
}

static bool maxwell(const struct naming *naming)
{
    return et_isa_def_of(naming->listing->isa)->kind == ET_ISA_MAXWELL;
}

static void print_targets(const struct naming *naming, const struct et_insn *insn)
{
    const uint8_t *targets;
    const unsigned count = et_listing_targets(naming->listing, naming->code, insn->pc, &targets);
    if (!count) {
        if (!strcmp(et_isa_mnemonic(naming->listing->isa, insn->mnemonic), "BRX") && maxwell(naming))
            printf(" (*\"INDIRECT_CALL\"*)");
        return;
    }
    printf(" (*\"BRANCH_TARGETS ");
    for (unsigned i = 0; i < count; i++) {
        const size_t slot = et_listing_slot(naming->listing, et_load32(targets + 4 * i));
        printf("%s.L_x_%d", i ? "," : "", slot < naming->code->slots ? naming->code->label[slot] : -1);
    }
    printf("\"*)");
}

/* Prints one word; false when it does not decode. */
static bool print_word(const struct et_isa *isa, const struct et_tool_word_printer *printer,
                       const uint8_t *bytes, size_t size, uint64_t at, const struct naming *naming)
{
    const struct et_isa_symbols symbols = {name_operand, (void *)naming};
    const bool wide = et_isa_def_of(isa)->word_bits == 128;
    struct etalon_error error = {0};
    struct et_insn insn;
    uint64_t word[2];
    uint32_t control;
    int is_sched;
    const uint64_t address = at + printer->base;
    char text[1024], sched[64] = "";
    if (et_isa_fetch(isa, bytes, size, at, word, &control, &is_sched, &error)) {
        printf("%04" PRIx64 "\t!\t%s\n", address, error.text);
        return false;
    }
    if (!printer->text)
        printf(wide ? "%04" PRIx64 "\t%016" PRIx64 "\t%016" PRIx64 "\t" : "%04" PRIx64 "\t%016" PRIx64 "\t",
               address, word[0], word[1]);
    if (is_sched) {
        puts("#sched");
        return true;
    }
    if (et_isa_decode(isa, word, control, address, &insn, &error)) {
        printf("! %s\n", error.text);
        return false;
    }
    et_isa_disasm(isa, &insn, naming ? &symbols : NULL, text, sizeof text);
    if (printer->sched) {
        et_isa_sched_text(&insn.sched, sched, sizeof sched - 1);
        strcat(sched, " ");
    }
    printf("%s%s", sched, text);
    if (naming)
        print_targets(naming, &insn);
    putchar('\n');
    return true;
}

bool et_tool_print_word(const struct et_isa *isa, const struct et_tool_word_printer *printer,
                        const uint8_t *bytes, size_t size, uint64_t at)
{
    return print_word(isa, printer, bytes, size, at, NULL);
}

/* A place that only a function's end numbers is named by the function that starts there, if one does; at the
 * head of a Maxwell bundle both names stand. [DOC] nvdisasm's text */
static void print_label(const struct naming *naming, uint64_t address, bool symbol)
{
    const size_t slot = et_listing_slot(naming->listing, address);
    if (address / naming->listing->step == slot && naming->code->label[slot] >= 0 &&
        (naming->code->referenced[slot] || !symbol))
        printf("#label .L_x_%d\n", naming->code->label[slot]);
}

static void print_labels(const struct naming *naming, uint64_t address)
{
    const struct et_listing *listing = naming->listing;
    const bool head = maxwell(naming) && address % 32 == 0;
    bool symbol = false;
    if (head)
        print_label(naming, address, false);
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < listing->symbol_count; i++) {
            const struct et_listing_symbol *s = &listing->symbols[i];
            if (s->section == naming->code->index && s->value == address &&
                (pass ? s->section_symbol : s->function)) {
                printf("#label %s\n", s->name);
                symbol = true;
            }
        }
    if (!head)
        print_label(naming, address, symbol);
}

static int print_cubin(const struct options *options, const uint8_t *bytes, size_t size,
                       struct etalon_error *error)
{
    const unsigned bundle = 32;
    struct et_cubin cubin;
    struct et_listing listing = {0};
    struct et_isa *isa = NULL;
    bool good = true;
    enum etalon_status status = et_cubin_open(&cubin, bytes, size, error);
    if (status)
        return et_tool_error("disasm", error);
    status = et_isa_open(cubin.sm < 70 ? &et_isa_maxwell : &et_isa_ampere, &isa, error);
    if (!status)
        status = et_listing_open(&listing, &cubin, isa, error);
    for (size_t i = 0; !status && i < listing.code_count; i++) {
        const struct naming naming = {&listing, &listing.code[i]};
        const size_t bytes_left = naming.code->section->size;
        printf("#section %s\n", naming.code->section->name);
        for (uint64_t at = 0; at < bytes_left; at += listing.step) {
            const bool head = cubin.sm < 70 && at % bundle == 0;
            if (!(cubin.sm < 70 &&
                  at % bundle == listing.step)) /* its labels stand before the scheduling word */
                print_labels(&naming, at);
            if (head && at + listing.step < bytes_left)
                print_labels(&naming, at + listing.step);
            good &= print_word(isa, &options->printer, naming.code->section->bytes,
                               naming.code->section->size, at, &naming);
        }
        print_labels(&naming, bytes_left - bytes_left % listing.step);
    }
    et_listing_close(&listing);
    et_isa_close(isa);
    et_cubin_close(&cubin);
    if (status)
        return et_tool_error("disasm", error);
    return good ? ET_TOOL_OK : ET_TOOL_DIFFERENT;
}

static int print_raw(const struct options *options, const uint8_t *bytes, size_t size,
                     struct etalon_error *error)
{
    const unsigned step = options->isa->word_bits / 8;
    struct et_isa *isa;
    bool good = true;
    if (!size) {
        et_fail(error, ETALON_TRUNCATED, "%s is empty", options->file);
        return et_tool_error("disasm", error);
    }
    if (et_isa_open(options->isa, &isa, error))
        return et_tool_error("disasm", error);
    for (uint64_t at = 0; at < size; at += step)
        good &= print_word(isa, &options->printer, bytes, size, at, NULL);
    et_isa_close(isa);
    return good ? ET_TOOL_OK : ET_TOOL_DIFFERENT;
}

/* A folder, or an archive of one. */
static bool is_capture(const char *path)
{
    struct stat info;
    const size_t n = strlen(path);
    return (n > 8 && !strcmp(path + n - 8, ".tar.zst")) || (!stat(path, &info) && S_ISDIR(info.st_mode));
}

int et_tool_disasm(int argc, char **argv)
{
    struct options options = {0};
    const char *isa = NULL;
    const struct et_tool_option known[] = {et_option_flag("--sched", &options.printer.sched),
                                           et_option_flag("--text", &options.printer.text),
                                           et_option_choice("--isa", &isa, et_tool_isa_names),
                                           et_option_number("--base", &options.printer.base, 0, 0)};
    const struct et_tool_syntax syntax = {.name = "disasm",
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
    options.isa = isa ? et_tool_isa(isa) : NULL;
    options.file = argv[0];
    if (is_capture(options.file))
        return et_tool_disasm_capture(options.file, &options.printer);
    bytes = et_tool_read_file(options.file, &size, &error);
    if (!bytes)
        return et_tool_error("disasm", &error);
    if (size >= 4 && !memcmp(bytes, "\177ELF", 4))
        result = print_cubin(&options, bytes, size, &error);
    else if (options.isa)
        result = print_raw(&options, bytes, size, &error);
    else
        result = et_tool_usage("disasm", "%s is no cubin: name its instruction set with --isa", options.file);
    et_free(bytes);
    return result;
}
