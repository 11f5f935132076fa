/* Files out of and into a tar archive compressed with zstd, streamed. POSIX ustar: plain files only. */
#ifndef ET_CAPTURE_TAR_H
#define ET_CAPTURE_TAR_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

/* One member, whole. name: the path's last component. Owned by the list. */
struct et_tar_file {
    char *name;
    uint8_t *bytes;
    size_t size;
};

struct et_tar_list {
    struct et_tar_file *files;
    size_t count, capacity;
};

/* Reads every plain file of the archive at `path` for which wanted(context, name) holds (all when wanted is
 * NULL). Total size is limited to `limit` bytes. ETALON_IO, _FORMAT, _TRUNCATED (the error's offset: in the
 * unpacked stream), _BOUNDS past the limit, _NO_MEMORY; the list then holds the members that came before. */
enum etalon_status et_tar_read(const char *path, uint64_t limit,
                               bool (*wanted)(void *context, const char *name), void *context,
                               struct et_tar_list *list, struct etalon_error *error);
/* Writes the list as folder/name members. level: zstd's. */
enum etalon_status et_tar_write(const char *path, const char *folder, const struct et_tar_list *list,
                                int level, struct etalon_error *error);
/* The member called `name`, or NULL. */
const struct et_tar_file *et_tar_find(const struct et_tar_list *list, const char *name);
void et_tar_free(struct et_tar_list *list);

/* Reads a whole file, at most `limit` bytes; a zero byte that does not count follows them. The caller frees
 * *bytes with et_free; it is NULL after an error. ETALON_IO, _BOUNDS past the limit, _NO_MEMORY. */
enum etalon_status et_file_read(const char *path, uint64_t limit, uint8_t **bytes, size_t *size,
                                struct etalon_error *error);
/* Writes a whole file. ETALON_IO. */
enum etalon_status et_file_write(const char *path, const void *bytes, size_t size,
                                 struct etalon_error *error);

#endif
