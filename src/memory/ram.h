/* Emulated RAM: one reserved range of host memory, and a stamp a 4 KiB page.
 *
 * RAM is the authority: engines read and write it in place. Tracked RAM is written only through the API and
 * the GPU; shared RAM is also stored to behind our back (clients, emulators), so whatever is cached of it is
 * valid for one trigger or compares its source bytes. */
#ifndef ET_MEMORY_RAM_H
#define ET_MEMORY_RAM_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ET_PAGE_BITS 12
#define ET_PAGE_SIZE (UINT64_C(1) << ET_PAGE_BITS)

enum et_ram_mode { ET_RAM_TRACKED, ET_RAM_SHARED };

/* Who wrote last. */
enum et_writer { ET_WRITER_NONE, ET_WRITER_CPU, ET_WRITER_GPU };

/* A page's stamp: event number << 2 | enum et_writer. */
typedef uint64_t et_stamp;

struct et_ram {
    uint8_t *base;
    uint64_t size; /* bytes, a multiple of the page */
    et_stamp *stamps;
    enum et_ram_mode mode;
    bool owned; /* base was reserved here */
};

/* Reserves `size` bytes (rounded up to pages) of zeroed, lazily committed memory. ETALON_NO_MEMORY, _INVALID.
 */
enum etalon_status et_ram_create(struct et_ram *ram, uint64_t size, enum et_ram_mode mode,
                                 struct etalon_error *error);
/* Maps `size` bytes of a file descriptor (a memfd) from offset 0, shared. The descriptor stays the caller's.
 */
enum etalon_status et_ram_create_fd(struct et_ram *ram, int fd, uint64_t size, enum et_ram_mode mode,
                                    struct etalon_error *error);
/* Stands on the caller's bytes, page aligned, which must outlive the RAM. */
enum etalon_status et_ram_create_at(struct et_ram *ram, void *base, uint64_t size, enum et_ram_mode mode,
                                    struct etalon_error *error);
void et_ram_destroy(struct et_ram *ram);

/* Stamps the pages of offset..offset+bytes (within RAM, bytes > 0). Safe from several threads. */
void et_ram_stamp(struct et_ram *ram, uint64_t offset, uint64_t bytes, uint64_t event, enum et_writer writer);
/* The first page at or after `offset`, before `end`, whose stamp's event is > since; `end` if none. Bytes. */
uint64_t et_ram_next_changed(const struct et_ram *ram, uint64_t offset, uint64_t end, uint64_t since);

#endif
