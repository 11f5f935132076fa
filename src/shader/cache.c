#include "shader/cache.h"

#include "base/alloc.h"
#include "base/bits.h"
#include "base/hash.h"
#include "isa/isa.h"

enum {
    SLOTS = 1024,      /* hash chains by address and by the first bytes */
    ENTRIES = 4096,    /* programs kept */
    CODE_MAX = 1 << 20 /* bytes of code looked at */
};

struct entry {
    struct et_shader shader;
    struct entry *next;
    uint64_t key, used;
    uint8_t *bytes; /* header and code, as translated */
    size_t count;
    enum et_isa_kind isa;
    size_t header;   /* bytes; 0: code alone */
    uint64_t origin; /* of the code in its region; matters to absolute branches alone */
};

struct et_shader_cache {
    struct entry *chain[SLOTS];
    size_t count;
    uint64_t clock;
    struct et_isa *decoder[ET_ISA_COUNT]; /* opened for the first program of each, shared by all */
};

struct et_shader_cache *et_shader_cache_create(void)
{
    return et_calloc(1, sizeof(struct et_shader_cache));
}

static void destroy_entry(struct entry *entry)
{
    if (!entry)
        return;
    et_program_destroy(entry->shader.program);
    et_free(entry->bytes);
    et_free(entry);
}

void et_shader_cache_destroy(struct et_shader_cache *cache)
{
    if (!cache)
        return;
    for (size_t i = 0; i < SLOTS; i++)
        while (cache->chain[i]) {
            struct entry *next = cache->chain[i]->next;
            destroy_entry(cache->chain[i]);
            cache->chain[i] = next;
        }
    for (size_t kind = 0; kind < ET_ISA_COUNT; kind++)
        et_isa_close(cache->decoder[kind]);
    et_free(cache);
}

/* Drops the half of the entries that were used longest ago. */
static void evict(struct et_shader_cache *cache)
{
    const uint64_t oldest = cache->clock - ENTRIES / 2;
    for (size_t i = 0; i < SLOTS; i++)
        for (struct entry **at = &cache->chain[i]; *at;) {
            struct entry *entry = *at;
            if (entry->used >= oldest) {
                at = &entry->next;
                continue;
            }
            *at = entry->next;
            destroy_entry(entry);
            cache->count--;
        }
}

/* What there is to see of a program: bytes in RAM, or a copy of them. */
struct window {
    const uint8_t *bytes;
    uint8_t *copy;
    size_t count; /* at most CODE_MAX */
    bool whole;   /* all that is mapped, or CODE_MAX */
};

/* The bytes at address: those of one extent where they are `least`, or with `whole` all, which may need a
 * copy.
 */
static enum etalon_status look_at(struct window *window, struct et_view *view, uint64_t address,
                                  size_t header, size_t least, bool whole, struct etalon_error *error)
{
    const struct et_extent *extent = et_view_extent(view, address);
    uint64_t end = extent ? extent->end : address;
    const size_t first = (size_t)ET_MIN(end - address, (uint64_t)CODE_MAX);
    *window = (struct window){0};
    if (first >= least && !whole && (window->bytes = et_view_pointer(view, address, first))) {
        window->count = first;
        window->whole = first == CODE_MAX || !et_pagemap_find(view->map, end);
        return ETALON_OK;
    }
    while (extent && end - address < CODE_MAX && (extent = et_pagemap_find(view->map, end)))
        end = extent->end;
    window->count = (size_t)ET_MIN(end - address, (uint64_t)CODE_MAX);
    window->whole = true;
    if (window->count < header) {
        et_at_address(error, address + window->count);
        return et_fail(error, ETALON_UNMAPPED, "program header at 0x%llx is not mapped",
                       (unsigned long long)address);
    }
    window->copy = et_calloc(window->count, 1);
    window->bytes = window->copy;
    return window->copy ? et_view_read(view, address, window->copy, window->count, error)
                        : et_fail(error, ETALON_NO_MEMORY, "no memory for a program's bytes");
}

static enum etalon_status translate(struct et_shader_cache *cache, struct entry *made,
                                    const struct window *window, struct etalon_error *error)
{
    const uint8_t *code = window->bytes + made->header;
    const size_t size = window->count - made->header;
    uint32_t words[ET_SPH_V4_BYTES / 4];
    enum etalon_status status = ETALON_OK;
    memcpy(words, window->bytes, made->header);
    if (made->header)
        status = et_sph_decode(&made->shader.sph, words, made->header == ET_SPH_V4_BYTES, error);
    if (!status && !cache->decoder[made->isa])
        status = et_isa_open(et_isa_def_for(made->isa), &cache->decoder[made->isa], error);
    if (!status)
        status = et_program_create_at(&made->shader.program, cache->decoder[made->isa], code, size, 0,
                                      made->origin, error);
    if (status)
        return status;
    made->shader.info = et_program_info(made->shader.program);
    made->count = made->header + ET_MIN(made->shader.info->bytes, size);
    made->bytes = et_calloc(made->count, 1);
    if (!made->bytes)
        return et_fail(error, ETALON_NO_MEMORY, "no memory for a program");
    memcpy(made->bytes, window->bytes, made->count);
    return ETALON_OK;
}

/* An entry of what the window shows; *cut instead when the program needs what lies behind it. */
static enum etalon_status add_entry(struct et_shader_cache *cache, const struct entry *wanted,
                                    const struct window *window, struct entry **added, bool *cut,
                                    struct etalon_error *error)
{
    struct entry *made = et_calloc(1, sizeof *made);
    enum etalon_status status;
    if (!made)
        return et_fail(error, ETALON_NO_MEMORY, "no memory for a program");
    *made = *wanted;
    status = translate(cache, made, window, error);
    *cut = !status && made->shader.info->cut && !window->whole;
    if (status || *cut) {
        destroy_entry(made);
        return status;
    }
    if (cache->count >= ENTRIES)
        evict(cache);
    made->next = cache->chain[made->key % SLOTS];
    cache->chain[made->key % SLOTS] = made;
    cache->count++;
    *added = made;
    return ETALON_OK;
}

static struct entry *find_entry(const struct et_shader_cache *cache, const struct entry *wanted,
                                const struct window *window)
{
    struct entry *entry = cache->chain[wanted->key % SLOTS];
    while (entry &&
           !(entry->key == wanted->key && entry->isa == wanted->isa && entry->header == wanted->header &&
             (!entry->shader.info->absolute || entry->origin == wanted->origin) &&
             entry->count <= window->count && !memcmp(entry->bytes, window->bytes, entry->count)))
        entry = entry->next;
    return entry;
}

static enum etalon_status get(struct et_shader_cache *cache, struct et_view *view, uint64_t address,
                              uint64_t region, enum et_isa_kind isa, size_t header,
                              const struct et_shader **shader, struct etalon_error *error)
{
    enum { KEY_BYTES = 64 }; /* behind the header */
    struct entry wanted = {.isa = isa, .header = header, .origin = address + header - region};
    struct entry *entry = NULL;
    bool cut = false;
    enum etalon_status status;
    do {
        struct window window;
        status = look_at(&window, view, address, header, header + KEY_BYTES, cut, error);
        cut = false;
        if (!status) {
            wanted.key = et_hash64((uint64_t)isa, window.bytes, ET_MIN(window.count, header + KEY_BYTES));
            entry = find_entry(cache, &wanted, &window);
            if (!entry)
                status = add_entry(cache, &wanted, &window, &entry, &cut, error);
        }
        et_free(window.copy);
    } while (cut);
    if (status) {
        et_at_address(error, address);
        return status;
    }
    entry->used = ++cache->clock;
    *shader = &entry->shader;
    return ETALON_OK;
}

enum etalon_status et_shader_cache_get(struct et_shader_cache *cache, struct et_view *view, uint64_t address,
                                       uint64_t region, enum et_isa_kind isa, bool v4,
                                       const struct et_shader **shader, struct etalon_error *error)
{
    return get(cache, view, address, region, isa, v4 ? ET_SPH_V4_BYTES : ET_SPH_V3_BYTES, shader, error);
}

enum etalon_status et_shader_cache_get_code(struct et_shader_cache *cache, struct et_view *view,
                                            uint64_t address, uint64_t region, enum et_isa_kind isa,
                                            const struct et_shader **shader, struct etalon_error *error)
{
    return get(cache, view, address, region, isa, 0, shader, error);
}
