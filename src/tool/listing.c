#include "tool/listing.h"

#include "base/alloc.h"
#include "base/bits.h"

#include <stdio.h>
#include <string.h>

enum { SYMBOL_BYTES = 24, TYPE_SECTION = 3, TYPE_FUNCTION = 2, SHT_REL_TYPE = 9, SHT_RELA_TYPE = 4 };
/* Attributes of .nv.info: format 4 has a size, 0x34 lists indirect branches' targets. */
enum { INFO_SIZED = 4, INFO_BRANCH_TARGETS = 0x34 };

static const char *string_in(const struct et_cubin_section *strings, uint32_t offset)
{
    if (!strings || offset >= strings->size || !memchr(strings->bytes + offset, 0, strings->size - offset))
        return "";
    return (const char *)strings->bytes + offset;
}

static enum etalon_status read_symbols(struct et_listing *listing, struct etalon_error *error)
{
    const struct et_cubin_section *table = et_cubin_find(listing->cubin, ".symtab", "");
    const struct et_cubin_section *strings = et_cubin_find(listing->cubin, ".strtab", "");
    if (!table)
        return ETALON_OK;
    listing->symbol_count = table->size / SYMBOL_BYTES;
    listing->symbols = et_calloc(listing->symbol_count + 1, sizeof *listing->symbols);
    if (!listing->symbols)
        return et_fail(error, ETALON_NO_MEMORY, "symbols");
    for (size_t i = 0; i < listing->symbol_count; i++) {
        const uint8_t *at = table->bytes + i * SYMBOL_BYTES;
        struct et_listing_symbol *symbol = &listing->symbols[i];
        symbol->name = string_in(strings, et_load32(at));
        symbol->section = at[6] | (unsigned)at[7] << 8;
        symbol->value = et_load64(at + 8);
        symbol->size = et_load64(at + 16);
        symbol->function = (at[4] & 15) == TYPE_FUNCTION;
        symbol->section_symbol = (at[4] & 15) == TYPE_SECTION;
        if (symbol->section_symbol && !*symbol->name && symbol->section < listing->cubin->count)
            symbol->name = listing->cubin->sections[symbol->section].name;
    }
    return ETALON_OK;
}

const struct et_listing_symbol *et_listing_function(const struct et_listing *listing, unsigned section,
                                                    uint64_t address)
{
    for (size_t i = 0; i < listing->symbol_count; i++)
        if (listing->symbols[i].function && listing->symbols[i].section == section &&
            listing->symbols[i].value == address)
            return &listing->symbols[i];
    return NULL;
}

bool et_listing_calls(const struct et_isa *isa, const struct et_insn *insn)
{
    static const char *const names[] = {"CALL", "RET", "CAL", "JCAL"};
    const char *mnemonic = et_isa_mnemonic(isa, insn->mnemonic);
    for (unsigned i = 0; i < ET_COUNT(names); i++)
        if (!strcmp(names[i], mnemonic))
            return true;
    return false;
}

static bool is_maxwell(const struct et_listing *listing)
{
    return et_isa_def_of(listing->isa)->kind == ET_ISA_MAXWELL;
}

size_t et_listing_slot(const struct et_listing *listing, uint64_t address)
{
    const unsigned step = listing->step;
    return (size_t)(address / step) - (is_maxwell(listing) && address % (4 * step) == step);
}

/* Numbers a place; a number is used up even if the place has one when `always`. */
static void place(struct et_listing *listing, struct et_listing_code *code, uint64_t address, bool reference,
                  bool always)
{
    const size_t slot = et_listing_slot(listing, address);
    if (address % listing->step || slot >= code->slots)
        return;
    code->referenced[slot] |= reference;
    if (code->label[slot] < 0)
        code->label[slot] = listing->labels++;
    else if (always)
        listing->labels++;
}

static void number_branches(struct et_listing *listing, struct et_listing_code *code)
{
    for (uint64_t pc = 0; pc < code->section->size; pc += listing->step) {
        struct et_insn insn;
        uint64_t word[2];
        uint32_t control;
        int is_sched;
        if (et_isa_fetch(listing->isa, code->section->bytes, code->section->size, pc, word, &control,
                         &is_sched, NULL) ||
            is_sched || et_isa_decode(listing->isa, word, control, pc, &insn, NULL))
            continue;
        for (unsigned slot = 0; slot < ET_COUNT(insn.op); slot++) {
            const struct et_operand *operand = &insn.op[slot];
            if (operand->kind == ET_KIND_L &&
                !(et_listing_calls(listing->isa, &insn) &&
                  et_listing_function(listing, code->index, (uint64_t)operand->value)))
                place(listing, code, (uint64_t)operand->value, true, false);
        }
    }
}

/* Walks .nv.info.NAME: calls back for each indirect branch. */
static const uint8_t *next_targets(const struct et_cubin_section *info, const uint8_t *at, uint32_t *pc,
                                   uint32_t *count, const uint8_t **end)
{
    /* `at` is NULL for the first call, else behind the last list; *end bounds the attribute it is in. */
    const uint8_t *stop = info->bytes + info->size;
    if (!at) {
        at = info->bytes;
        *end = at;
    }
    for (;;) {
        if (at < *end && *end - at >= 12) {
            *pc = et_load32(at);
            *count = et_load32(at + 8);
            if (*count <= (size_t)(*end - at - 12) / 4)
                return at + 12;
        }
        at = *end;
        for (;; at += 4) { /* next attribute of the kind */
            unsigned size;
            if (stop - at < 4)
                return NULL;
            size = at[0] == INFO_SIZED ? at[2] | (unsigned)at[3] << 8 : 0;
            if (size > (size_t)(stop - at - 4))
                return NULL;
            if (at[0] == INFO_SIZED && at[1] == INFO_BRANCH_TARGETS) {
                *end = at + 4 + size;
                at += 4;
                break;
            }
            at += size;
        }
    }
}

static const struct et_cubin_section *info_of(const struct et_listing *listing,
                                              const struct et_listing_code *code)
{
    return et_cubin_find(listing->cubin, ".nv.info.", code->section->name + strlen(".text."));
}

unsigned et_listing_targets(const struct et_listing *listing, const struct et_listing_code *code, uint64_t pc,
                            const uint8_t **targets)
{
    const struct et_cubin_section *info = info_of(listing, code);
    const uint8_t *at = NULL, *end = NULL;
    uint32_t from, count;
    while (info && (at = next_targets(info, at, &from, &count, &end))) {
        if (from == pc) {
            *targets = at;
            return count;
        }
        at += (size_t)count * 4;
    }
    return 0;
}

/* Where a branch's own label stands: before the instruction that issues together with it (Maxwell's pairs:
 * one that waits no cycle for the next). */
static uint64_t branch_place(const struct et_listing *listing, const struct et_listing_code *code,
                             uint64_t from)
{
    const unsigned step = listing->step, bundle = 4 * step;
    const uint64_t before = from - (from % bundle == step ? 2 * step : step);
    uint64_t word[2];
    uint32_t control;
    int is_sched;
    if (is_maxwell(listing) && from >= 2 * step &&
        !et_isa_fetch(listing->isa, code->section->bytes, code->section->size, before, word, &control,
                      &is_sched, NULL) &&
        !is_sched && (control & 15) == 0)
        return before;
    return from;
}

static void number_indirect(struct et_listing *listing, struct et_listing_code *code)
{
    const struct et_cubin_section *info = info_of(listing, code);
    const uint8_t *at = NULL, *end = NULL;
    uint32_t from, count;
    while (info && (at = next_targets(info, at, &from, &count, &end))) {
        place(listing, code, branch_place(listing, code, from), true, true);
        for (uint32_t i = 0; i < count; i++)
            place(listing, code, et_load32(at + (size_t)i * 4), true, true);
        at += (size_t)count * 4;
    }
}

/* Function ends, in order of address; the whole section's comes last. */
static void number_ends(struct et_listing *listing, struct et_listing_code *code)
{
    uint64_t done = 0;
    for (;;) {
        uint64_t best = UINT64_MAX;
        for (size_t i = 0; i < listing->symbol_count; i++) {
            const struct et_listing_symbol *symbol = &listing->symbols[i];
            const uint64_t end = symbol->value + symbol->size;
            if (symbol->function && symbol->section == code->index && symbol->size && end > done &&
                end < best)
                best = end;
        }
        if (best == UINT64_MAX)
            return;
        place(listing, code, best, false, true);
        done = best;
    }
}

bool et_listing_relocation(const struct et_listing *listing, unsigned section, uint64_t pc, char *text,
                           size_t size)
{
    for (size_t i = 0; i < listing->cubin->count; i++) {
        const struct et_cubin_section *table = &listing->cubin->sections[i];
        const size_t entry = table->type == SHT_RELA_TYPE ? 24 : 16;
        if ((table->type != SHT_REL_TYPE && table->type != SHT_RELA_TYPE) || table->info != section)
            continue;
        for (size_t at = 0; at + entry <= table->size; at += entry) {
            const uint32_t type = et_load32(table->bytes + at + 8),
                           symbol = et_load32(table->bytes + at + 12);
            if (et_load64(table->bytes + at) != pc || symbol >= listing->symbol_count)
                continue;
            if (type != 56 && type != 57 && type != 43 && type != 44)
                continue;
            snprintf(text, size, "32@%s(%s)", type == 56 || type == 43 ? "lo" : "hi",
                     listing->symbols[symbol].name);
            return true;
        }
    }
    return false;
}

static enum etalon_status add_code(struct et_listing *listing, size_t index, struct etalon_error *error)
{
    struct et_listing_code *code = &listing->code[listing->code_count++];
    code->section = &listing->cubin->sections[index];
    code->index = (unsigned)index;
    code->slots = code->section->size / listing->step + 1;
    code->label = et_calloc(code->slots, sizeof *code->label);
    code->referenced = et_calloc(code->slots, sizeof *code->referenced);
    if (!code->label || !code->referenced)
        return et_fail(error, ETALON_NO_MEMORY, "labels");
    for (size_t i = 0; i < code->slots; i++)
        code->label[i] = -1;
    number_branches(listing, code);
    number_indirect(listing, code);
    number_ends(listing, code);
    return ETALON_OK;
}

enum etalon_status et_listing_open(struct et_listing *listing, const struct et_cubin *cubin,
                                   const struct et_isa *isa, struct etalon_error *error)
{
    enum etalon_status status;
    *listing = (struct et_listing){.cubin = cubin, .isa = isa, .step = et_isa_def_of(isa)->word_bits / 8};
    status = read_symbols(listing, error);
    listing->code = et_calloc(cubin->count + 1, sizeof *listing->code);
    if (!status && !listing->code)
        status = et_fail(error, ETALON_NO_MEMORY, "code sections");
    for (size_t i = 0; i < cubin->count && !status; i++)
        if (!strncmp(cubin->sections[i].name, ".text.", 6))
            status = add_code(listing, i, error);
    if (status)
        et_listing_close(listing);
    return status;
}

void et_listing_close(struct et_listing *listing)
{
    for (size_t i = 0; i < listing->code_count; i++) {
        et_free(listing->code[i].label);
        et_free(listing->code[i].referenced);
    }
    et_free(listing->code);
    et_free(listing->symbols);
    *listing = (struct et_listing){0};
}
