#include "tool/cubin.h"

#include "base/alloc.h"
#include "base/bits.h"

#include <string.h>

/* ELF64 [DOC]. */
enum { SHT_SYMTAB_ = 2, SHT_RELA_ = 4, SHT_NOBITS_ = 8, SHT_REL_ = 9 };
enum { HEADER = 64, SECTION = 64, SYMBOL = 24 };

static enum etalon_status bad(struct etalon_error *error, uint64_t offset, const char *what)
{
    et_at_offset(error, offset);
    return et_fail(error, ETALON_FORMAT, "cubin: %s", what);
}

static const char *string_at(const struct et_cubin *cubin, uint64_t table, uint64_t table_size,
                             uint32_t offset)
{
    if (offset >= table_size || table > cubin->size || table_size > cubin->size - table ||
        !memchr(cubin->file + table + offset, 0, (size_t)(table_size - offset)))
        return NULL;
    return (const char *)cubin->file + table + offset;
}

static enum etalon_status read_section(struct et_cubin *cubin, size_t index, const uint8_t *header,
                                       uint64_t names, uint64_t names_size, struct etalon_error *error)
{
    struct et_cubin_section *section = &cubin->sections[index];
    const uint64_t offset = et_load64(header + 24), size = et_load64(header + 32);
    section->name = string_at(cubin, names, names_size, et_load32(header));
    section->type = et_load32(header + 4);
    section->link = et_load32(header + 40);
    section->info = et_load32(header + 44);
    section->size = (size_t)size;
    if (!section->name)
        return bad(error, (uint64_t)(header - cubin->file), "a section's name");
    if (size > (UINT64_C(1) << 30) ||
        (section->type != SHT_NOBITS_ && (offset > cubin->size || size > cubin->size - offset)))
        return bad(error, (uint64_t)(header - cubin->file), "a section lies outside the file");
    section->bytes = et_calloc((size_t)size + 1, 1);
    if (!section->bytes)
        return et_fail(error, ETALON_NO_MEMORY, "cubin");
    if (section->type != SHT_NOBITS_)
        memcpy(section->bytes, cubin->file + offset, (size_t)size);
    return ETALON_OK;
}

enum etalon_status et_cubin_open(struct et_cubin *cubin, const uint8_t *bytes, size_t size,
                                 struct etalon_error *error)
{
    uint64_t table, names, names_size;
    unsigned count, names_index, flags;
    enum etalon_status status = ETALON_OK;
    *cubin = (struct et_cubin){.file = bytes, .size = size};
    if (size < HEADER || memcmp(bytes, "\177ELF\2\1", 6))
        return bad(error, 0, "not an ELF64 file");
    if ((et_load32(bytes + 16) >> 16) != 190)
        return bad(error, 18, "not made for CUDA");
    table = et_load64(bytes + 40);
    flags = et_load32(bytes + 48);
    count = et_load32(bytes + 60) & 0xffff;
    names_index = et_load32(bytes + 60) >> 16;
    /* ABI 8 keeps the architecture in bits 15:8 of the flags, earlier ones in 7:0. */
    cubin->sm = bytes[8] >= 8 ? flags >> 8 & 0xff : flags & 0xff;
    if (table > size || (uint64_t)count * SECTION > size - table || names_index >= count)
        return bad(error, 40, "the section table lies outside the file");
    cubin->sections = et_calloc(count, sizeof *cubin->sections);
    if (!cubin->sections)
        return et_fail(error, ETALON_NO_MEMORY, "cubin");
    cubin->count = count;
    names = et_load64(bytes + table + (uint64_t)names_index * SECTION + 24);
    names_size = et_load64(bytes + table + (uint64_t)names_index * SECTION + 32);
    for (unsigned n = 0; n < count && status == ETALON_OK; n++)
        status = read_section(cubin, n, bytes + table + (uint64_t)n * SECTION, names, names_size, error);
    if (status != ETALON_OK)
        et_cubin_close(cubin);
    return status;
}

void et_cubin_close(struct et_cubin *cubin)
{
    for (size_t n = 0; n < cubin->count; n++)
        et_free(cubin->sections[n].bytes);
    et_free(cubin->sections);
    *cubin = (struct et_cubin){0};
}

struct et_cubin_section *et_cubin_find(const struct et_cubin *cubin, const char *prefix, const char *name)
{
    const size_t length = strlen(prefix);
    for (size_t n = 0; n < cubin->count; n++)
        if (!strncmp(cubin->sections[n].name, prefix, length) &&
            !strcmp(cubin->sections[n].name + length, name))
            return &cubin->sections[n];
    return NULL;
}

/* What a relocation stores: `bits` of (value >> shift) at bit `position` of the place. */
static const struct {
    uint16_t type;
    uint8_t bits, shift, position;
} forms[] = {
    {1, 32, 0, 0},   /* 32-bit address */
    {2, 64, 0, 0},   /* 64-bit address */
    {3, 32, 0, 0},   /* 32-bit generic address */
    {4, 64, 0, 0},   /* 64-bit generic address */
    {42, 32, 0, 20}, /* the immediate of a 64-bit instruction: whole, low, high word */
    {43, 32, 0, 20}, {44, 32, 32, 20}, {55, 32, 0, 32}, /* of a 128-bit instruction */
    {56, 32, 0, 32}, {57, 32, 32, 32},
};

static enum etalon_status apply(struct et_cubin_section *target, uint64_t place, unsigned type,
                                uint64_t value, bool adds, struct etalon_error *error)
{
    for (size_t n = 0; n < ET_COUNT(forms); n++) {
        uint64_t old, mask;
        unsigned position = forms[n].position;
        if (forms[n].type != type)
            continue;
        place += position / 32 * 4;
        position %= 32;
        if (place > target->size || target->size - place < (position + forms[n].bits > 32 ? 8u : 4u))
            return bad(error, place, "a relocation outside its section");
        if (position + forms[n].bits <= 32) {
            et_store32(target->bytes + place,
                       (uint32_t)((value >> forms[n].shift) + (adds ? et_load32(target->bytes + place) : 0)));
            return ETALON_OK;
        }
        old = et_load64(target->bytes + place);
        mask = forms[n].bits == 64 ? ~UINT64_C(0) : ((UINT64_C(1) << forms[n].bits) - 1) << position;
        value >>= forms[n].shift;
        if (adds)
            value += (old & mask) >> position;
        et_store64(target->bytes + place, (old & ~mask) | (value << position & mask));
        return ETALON_OK;
    }
    et_at_offset(error, place);
    return et_fail(error, ETALON_UNSUPPORTED, "cubin: relocation type %u in %s", type, target->name);
}

static enum etalon_status relocate_section(struct et_cubin *cubin, const struct et_cubin_section *list,
                                           struct etalon_error *error)
{
    const bool rela = list->type == SHT_RELA_;
    const size_t entry = rela ? 24 : 16;
    const struct et_cubin_section *symbols = list->link < cubin->count ? &cubin->sections[list->link] : NULL;
    struct et_cubin_section *target = list->info < cubin->count ? &cubin->sections[list->info] : NULL;
    if (!symbols || symbols->type != SHT_SYMTAB_ || !target)
        return bad(error, 0, "relocations without a symbol table");
    if (!strncmp(target->name, ".debug", 6) || !strncmp(target->name, ".nv.info", 8))
        return ETALON_OK;
    for (size_t at = 0; at + entry <= list->size; at += entry) {
        const uint64_t place = et_load64(list->bytes + at), info = et_load64(list->bytes + at + 8),
                       symbol = info >> 32;
        const uint8_t *record;
        uint64_t value;
        unsigned section;
        enum etalon_status status;
        if (symbol >= symbols->size / SYMBOL)
            return bad(error, at, "a relocation's symbol");
        record = symbols->bytes + symbol * SYMBOL;
        section = et_load32(record + 4) >> 16;
        value = et_load64(record + 8);
        if (section && section < cubin->count)
            value += cubin->sections[section].address;
        if (rela)
            value += et_load64(list->bytes + at + 16);
        /* Data without an explicit addend keep theirs in place; code does not. */
        status = apply(target, place, (uint32_t)info, value, !rela && (uint32_t)info <= 4, error);
        if (status != ETALON_OK)
            return status;
    }
    return ETALON_OK;
}

enum etalon_status et_cubin_relocate(struct et_cubin *cubin, struct etalon_error *error)
{
    for (size_t n = 0; n < cubin->count; n++)
        if (cubin->sections[n].type == SHT_REL_ || cubin->sections[n].type == SHT_RELA_) {
            const enum etalon_status status = relocate_section(cubin, &cubin->sections[n], error);
            if (status != ETALON_OK)
                return status;
        }
    return ETALON_OK;
}
