/* While a capture is recorded: what the program writes to files straight from buffers are its results, so the
 * server is told where they lay. */
#include "drm/shim/shim.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define RAM_NAME "/memfd:etalon-ram"

static struct {
    size_t (*fwrite)(const void *, size_t, size_t, FILE *);
    ssize_t (*write)(int, const void *, size_t);
    bool recording;
} own;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void look_up(void)
{
    *(void **)&own.fwrite = dlsym(RTLD_NEXT, "fwrite");
    *(void **)&own.write = dlsym(RTLD_NEXT, "write");
    own.recording = getenv(ET_DRM_RECORDS) != NULL;
}

/* One line of /proc/self/maps: "from-to rights offset device inode name". */
static bool parse(const char *line, uintptr_t at, uint64_t *offset, size_t *left)
{
    char *end;
    const uint64_t from = strtoull(line, &end, 16), to = *end == '-' ? strtoull(end + 1, &end, 16) : 0;
    const char *rights = end;
    if (at < from || at >= to || !strstr(line, RAM_NAME) || strlen(rights) < 6)
        return false;
    *offset = strtoull(rights + 6, NULL, 16) + (at - from);
    *left = (size_t)(to - at);
    return true;
}

/* Where in RAM a pointer of this process points; false: elsewhere. */
static bool find(const void *pointer, uint64_t *offset, size_t *left)
{
    char text[8192];
    size_t have = 0;
    ssize_t n;
    bool found = false;
    const int fd = shim_libc()->open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    while (fd >= 0 && !found && (n = read(fd, text + have, sizeof text - 1 - have)) > 0) {
        char *line = text, *end;
        have += (size_t)n;
        text[have] = 0;
        while (!found && (end = strchr(line, '\n'))) {
            *end = 0;
            found = parse(line, (uintptr_t)pointer, offset, left);
            line = end + 1;
        }
        have -= (size_t)(line - text);
        memmove(text, line, have);
        if (have == sizeof text - 1) /* no line is as long */
            have = 0;
    }
    if (fd >= 0)
        close(fd);
    return found;
}

static void report(int fd, const void *bytes, size_t size)
{
    char link[32] = "/proc/self/fd/", path[512], digits[16];
    char *slash;
    size_t left, n = 0;
    ssize_t length;
    uint64_t offset;
    struct stat info;
    if (!size || fd < 0 || shim_libc()->fstat(fd, &info) || !S_ISREG(info.st_mode) ||
        !find(bytes, &offset, &left))
        return;
    for (int rest = fd; n < sizeof digits && (rest || !n); rest /= 10)
        digits[n++] = (char)('0' + rest % 10);
    for (size_t at = strlen(link); n; at++)
        link[at] = digits[--n];
    length = shim_libc()->readlink(link, path, sizeof path - 1);
    if (length <= 0)
        return;
    path[length] = 0;
    slash = strrchr(path, '/');
    uint64_t extent[2] = {offset, size < left ? size : left};
    struct shim_call call = {.nr = ET_DRM_OUTPUT,
                             .body = extent,
                             .size = sizeof extent,
                             .arrays = slash ? slash + 1 : path,
                             .array_bytes = strlen(slash ? slash + 1 : path),
                             .fd = -1};
    shim_request(&call);
}

#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#pragma GCC diagnostic ignored "-Wredundant-decls"

SHIM_EXPORT size_t fwrite(const void *bytes, size_t size, size_t count, FILE *file)
{
    pthread_once(&once, look_up);
    if (own.recording)
        report(fileno(file), bytes, size * count);
    return own.fwrite(bytes, size, count, file);
}

SHIM_EXPORT ssize_t write(int fd, const void *bytes, size_t size)
{
    pthread_once(&once, look_up);
    if (own.recording)
        report(fd, bytes, size);
    return own.write(fd, bytes, size);
}
