#include "memory/ram.h"

#include "base/alloc.h"
#include "base/bits.h"

#include <stdatomic.h>
#include <sys/mman.h>

#define ET_RAM_LIMIT (UINT64_C(1) << 40)

static enum etalon_status add_stamps(struct et_ram *ram, struct etalon_error *error)
{
    void *stamps = mmap(NULL, (ram->size >> ET_PAGE_BITS) * sizeof(et_stamp), PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (stamps == MAP_FAILED)
        return et_fail(error, ETALON_NO_MEMORY, "no memory for the page stamps of %llu bytes of RAM",
                       (unsigned long long)ram->size);
    ram->stamps = stamps;
    return ETALON_OK;
}

static enum etalon_status check_size(uint64_t size, struct etalon_error *error)
{
    if (!size || size > ET_RAM_LIMIT)
        return et_fail(error, ETALON_INVALID, "RAM of %llu bytes: 1 to 2^40 are allowed",
                       (unsigned long long)size);
    return ETALON_OK;
}

static enum etalon_status map_host(struct et_ram *ram, int fd, uint64_t size, enum et_ram_mode mode,
                                   struct etalon_error *error)
{
    const int flags = fd < 0 ? MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE : MAP_SHARED;
    enum etalon_status status = check_size(size, error);
    void *base;
    if (status)
        return status;
    size = et_align_up(size, ET_PAGE_SIZE);
    base = mmap(NULL, size, PROT_READ | PROT_WRITE, flags, fd, 0);
    if (base == MAP_FAILED)
        return et_fail(error, ETALON_NO_MEMORY, "cannot reserve %llu bytes of RAM", (unsigned long long)size);
    *ram = (struct et_ram){.base = base, .size = size, .mode = mode, .owned = true};
    status = add_stamps(ram, error);
    if (status)
        et_ram_destroy(ram);
    return status;
}

enum etalon_status et_ram_create(struct et_ram *ram, uint64_t size, enum et_ram_mode mode,
                                 struct etalon_error *error)
{
    return map_host(ram, -1, size, mode, error);
}

enum etalon_status et_ram_create_fd(struct et_ram *ram, int fd, uint64_t size, enum et_ram_mode mode,
                                    struct etalon_error *error)
{
    if (fd < 0)
        return et_fail(error, ETALON_INVALID, "not a file descriptor: %d", fd);
    return map_host(ram, fd, size, mode, error);
}

enum etalon_status et_ram_create_at(struct et_ram *ram, void *base, uint64_t size, enum et_ram_mode mode,
                                    struct etalon_error *error)
{
    const enum etalon_status status = check_size(size, error);
    if (status)
        return status;
    if (!base || ((uintptr_t)base | size) & (ET_PAGE_SIZE - 1))
        return et_fail(error, ETALON_INVALID, "RAM at %p, %llu bytes: both must be multiples of 4 KiB", base,
                       (unsigned long long)size);
    *ram = (struct et_ram){.base = base, .size = size, .mode = mode};
    return add_stamps(ram, error);
}

void et_ram_destroy(struct et_ram *ram)
{
    if (ram->stamps)
        munmap(ram->stamps, (ram->size >> ET_PAGE_BITS) * sizeof(et_stamp));
    if (ram->owned && ram->base)
        munmap(ram->base, ram->size);
    *ram = (struct et_ram){0};
}

void et_ram_stamp(struct et_ram *ram, uint64_t offset, uint64_t bytes, uint64_t event, enum et_writer writer)
{
    const et_stamp stamp = event << 2 | (et_stamp)writer;
    const uint64_t last = (offset + bytes - 1) >> ET_PAGE_BITS;
    for (uint64_t page = offset >> ET_PAGE_BITS; page <= last; page++) {
        _Atomic et_stamp *const at = (_Atomic et_stamp *)&ram->stamps[page];
        /* Load first: threads that write one page share its line instead of fighting for it. */
        if (atomic_load_explicit(at, memory_order_relaxed) != stamp)
            atomic_store_explicit(at, stamp, memory_order_relaxed);
    }
}

uint64_t et_ram_next_changed(const struct et_ram *ram, uint64_t offset, uint64_t end, uint64_t since)
{
    for (uint64_t page = offset >> ET_PAGE_BITS; page << ET_PAGE_BITS < end; page++)
        if (ram->stamps[page] >> 2 > since)
            return ET_MAX(page << ET_PAGE_BITS, offset);
    return end;
}
