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

/* The bytes at address, contiguous in RAM, or a copy of them in *copy. *count: at most CODE_MAX. */
static enum etalon_status program_bytes(struct et_view *view, uint64_t address, size_t header,
                                        const uint8_t **bytes, uint8_t **copy, size_t *count,
                                        struct etalon_error *error)
{
    const struct et_extent *extent = et_view_extent(view, address);
    uint64_t end = address, size;
    *copy = NULL;
    while (extent && end - address < CODE_MAX) { /* whatever follows, contiguous or not */
        end = extent->end;
        extent = et_pagemap_find(view->map, end);
    }
    size = ET_MIN(end - address, (uint64_t)CODE_MAX);
    if (size < header) {
        et_at_address(error, address + size);
        return et_fail(error, ETALON_UNMAPPED, "program header at 0x%llx is not mapped",
                       (unsigned long long)address);
    }
    *count = (size_t)size;
    *bytes = et_view_pointer(view, address, size);
    if (*bytes)
        return ETALON_OK;
    extent = et_view_extent(view, address);
    if (extent && extent->host && extent->rights & ET_READ && extent->end - address >= header &&
        extent->end - address >= CODE_MAX / 4) { /* long enough not to need what follows */
        *count = (size_t)(extent->end - address);
        *bytes = extent->host + (address - extent->start);
        return ETALON_OK;
    }
    *copy = et_calloc(*count, 1);
    if (!*copy)
        return et_fail(error, ETALON_NO_MEMORY, "no memory for a program's bytes");
    *bytes = *copy;
    return et_view_read(view, address, *copy, *count, error);
}

static enum etalon_status translate(struct et_shader_cache *cache, struct entry **entry, const uint8_t *bytes,
                                    size_t count, enum et_isa_kind isa, size_t header, uint64_t origin,
                                    struct etalon_error *error)
{
    struct entry *made = et_calloc(1, sizeof *made);
    uint32_t words[ET_SPH_V4_BYTES / 4];
    enum etalon_status status;
    if (!made)
        return et_fail(error, ETALON_NO_MEMORY, "no memory for a program");
    memcpy(words, bytes, header);
    status = header ? et_sph_decode(&made->shader.sph, words, header == ET_SPH_V4_BYTES, error) : ETALON_OK;
    if (!status && !cache->decoder[isa])
        status = et_isa_open(et_isa_def_for(isa), &cache->decoder[isa], error);
    if (!status)
        status = et_program_create_at(&made->shader.program, cache->decoder[isa], bytes + header,
                                      count - header, 0, origin, error);
    if (!status) {
        made->shader.info = et_program_info(made->shader.program);
        made->count = header + ET_MIN(made->shader.info->bytes, count - header);
        made->isa = isa;
        made->header = header;
        made->origin = origin;
        made->bytes = et_calloc(made->count, 1);
        if (made->bytes)
            memcpy(made->bytes, bytes, made->count);
        else
            status = et_fail(error, ETALON_NO_MEMORY, "no memory for a program");
    }
    if (status)
        destroy_entry(made);
    else
        *entry = made;
    return status;
}

static enum etalon_status get(struct et_shader_cache *cache, struct et_view *view, uint64_t address,
                              uint64_t region, enum et_isa_kind isa, size_t header,
                              const struct et_shader **shader, struct etalon_error *error)
{
    const uint8_t *bytes = NULL;
    uint8_t *copy = NULL;
    size_t count = 0;
    const uint64_t origin = address + header - region;
    enum etalon_status status = program_bytes(view, address, header, &bytes, &copy, &count, error);
    if (!status) {
        const uint64_t key = et_hash64((uint64_t)isa, bytes, ET_MIN(count, header + 64));
        struct entry *entry = cache->chain[key % SLOTS];
        while (entry && !(entry->key == key && entry->isa == isa && entry->header == header &&
                          (!entry->shader.info->absolute || entry->origin == origin) &&
                          entry->count <= count && !memcmp(entry->bytes, bytes, entry->count)))
            entry = entry->next;
        if (!entry) {
            if (cache->count >= ENTRIES)
                evict(cache);
            status = translate(cache, &entry, bytes, count, isa, header, origin, error);
            if (!status) {
                entry->key = key;
                entry->next = cache->chain[key % SLOTS];
                cache->chain[key % SLOTS] = entry;
                cache->count++;
            }
        }
        if (!status) {
            entry->used = ++cache->clock;
            *shader = &entry->shader;
        }
    }
    if (status)
        et_at_address(error, address);
    et_free(copy);
    return status;
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
