/* The caller's memory, word by word. */
#include "ge/ge.h"

static uint8_t *writable(const struct etalon_ge *ge, uint32_t address, uint32_t size)
{
    address &= ET_GE_ADDRESS_MASK;
    for (const struct etalon_ge_region *region = ge->regions; region != ge->regions_end; region++) {
        const uint32_t offset = address - region->address;
        if (offset < region->size)
            return region->read_only || size > region->size - offset ? NULL
                                                                     : (uint8_t *)region->host + offset;
    }
    return NULL;
}

void *etalon_ge_map(const struct etalon_ge *ge, uint32_t address, uint32_t size)
{
    uint32_t bytes;
    const uint8_t *host = et_ge_window(ge, address, &bytes);
    return host && size <= bytes ? (void *)(uintptr_t)host : NULL;
}

bool et_ge_load(const struct etalon_ge *ge, uint32_t address, uint32_t *word)
{
    uint32_t bytes;
    const uint8_t *host = et_ge_window(ge, address & ~UINT32_C(3), &bytes);
    if (!host)
        return false;
    *word = et_load32(host);
    return true;
}

bool et_ge_store_words(struct etalon_ge *ge, uint32_t address, const uint32_t *words, size_t count)
{
    uint8_t *host;
    address &= ~UINT32_C(3);
    if (!count)
        return true;
    host = writable(ge, address, (uint32_t)count * 4);
    if (!host)
        return false;
    for (size_t i = 0; i < count; i++)
        et_store32(host + 4 * i, words[i]);
    if (ge->hooks.written)
        ge->hooks.written(ge->hooks.user, address & ET_GE_ADDRESS_MASK, (uint32_t)count * 4);
    return true;
}

bool et_ge_store(struct etalon_ge *ge, uint32_t address, uint32_t word)
{
    return et_ge_store_words(ge, address, &word, 1);
}

void et_ge_note(struct etalon_ge *ge, enum etalon_status status, uint32_t address, uint32_t value,
                const char *text)
{
    struct etalon_error error = {0};
    et_fail(&error, status, "%s: address 0x%08x", text, address);
    et_at_address(&error, address);
    et_at_value(&error, value);
    if (ge->fault.status == ETALON_OK)
        ge->fault = error;
    if (ge->hooks.fault)
        ge->hooks.fault(ge->hooks.user, &error);
}

const struct etalon_error *etalon_ge_fault(const struct etalon_ge *ge)
{
    return &ge->fault;
}

void etalon_ge_clear_fault(struct etalon_ge *ge)
{
    et_error_clear(&ge->fault);
}
