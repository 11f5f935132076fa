/* Paths of the node and of its sysfs, and what stat says of them. */
#include "drm/shim/shim.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <unistd.h>

#define NODE      "/dev/dri/renderD128"
#define DRM_MAJOR 226
#define DRM_MINOR 128

static struct shim_libc libc_functions;
static char tree[512];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void look_up(void)
{
    struct shim_libc *f = &libc_functions;
    const char *folder = getenv(ET_DRM_TREE);
#define FIND(name) *(void **)&f->name = dlsym(RTLD_NEXT, #name)
    FIND(open);
    FIND(openat);
    FIND(fopen);
    FIND(ioctl);
    FIND(lseek);
    FIND(mmap);
    FIND(stat);
    FIND(lstat);
    FIND(fstat);
    FIND(fstatat);
    FIND(statx);
    FIND(access);
    FIND(faccessat);
    FIND(opendir);
    FIND(scandir);
    FIND(readlink);
    FIND(realpath);
#undef FIND
    if (folder && strlen(folder) < sizeof tree)
        strcpy(tree, folder);
}

const struct shim_libc *shim_libc(void)
{
    pthread_once(&once, look_up);
    return &libc_functions;
}

bool shim_is_node(const char *path)
{
    return path && !strcmp(path, NODE);
}

/* `path` is `prefix`, or lies below it. */
static bool below(const char *path, const char *prefix)
{
    const size_t n = strlen(prefix);
    return !strncmp(path, prefix, n) && (!path[n] || path[n] == '/' || prefix[n - 1] == ':');
}

const char *shim_redirect(const char *path, char *buffer, size_t size)
{
    static const char *const prefixes[] = {"/dev/dri", "/sys/dev/char/226:", "/sys/class/drm",
                                           "/sys/devices/pci0000:00/0000:01:00.0",
                                           "/sys/devices/platform/57000000.gpu"};
    shim_libc();
    if (!path || path[0] != '/' || !tree[0])
        return path;
    for (size_t i = 0; i < ET_DRM_TABLE_SIZE(prefixes); i++)
        if (below(path, prefixes[i]) && strlen(tree) + strlen(path) < size) {
            strcpy(buffer, tree);
            return strcat(buffer, path);
        }
    return path;
}

/* What sockets are, by inode (of 32 bits): inode, kind, number. The kind and the number are in the socket's
 * name. */
#define KNOWN       1024
#define KIND_SHIFT  30
#define NUMBER_MASK ((UINT64_C(1) << KIND_SHIFT) - 1)
static uint64_t known[KNOWN];

static uint64_t ask_name(int fd)
{
    static const struct {
        enum shim_kind kind;
        const char *prefix;
    } names[] = {
        {SHIM_FILE, ET_DRM_FILE_NAME}, {SHIM_BUFFER, ET_DRM_BUFFER_NAME}, {SHIM_SYNC, ET_DRM_SYNC_NAME}};
    struct sockaddr_un name = {0};
    socklen_t length = sizeof name;
    const char *const end = (const char *)&name + sizeof name;
    if (getsockname(fd, (struct sockaddr *)&name, &length) || name.sun_family != AF_UNIX || name.sun_path[0])
        return 0;
    for (size_t i = 0; i < ET_DRM_TABLE_SIZE(names); i++) {
        const size_t prefix = strlen(names[i].prefix);
        const char *digits = name.sun_path + 1 + prefix;
        uint64_t number = 0;
        if (strncmp(name.sun_path + 1, names[i].prefix, prefix))
            continue;
        for (; digits < end && *digits >= '0' && *digits <= '9'; digits++)
            number = number * 10 + (uint64_t)(*digits - '0');
        return (uint64_t)names[i].kind << KIND_SHIFT | (number & NUMBER_MASK);
    }
    return 0;
}

/* Kind and number; 0: nothing of ours. */
static uint64_t known_of(int fd)
{
    struct stat info;
    uint64_t entry;
    if (fd < 0 || shim_libc()->fstat(fd, &info) || !S_ISSOCK(info.st_mode))
        return 0;
    entry = __atomic_load_n(&known[info.st_ino % KNOWN], __ATOMIC_RELAXED);
    if (entry >> 32 != (uint32_t)info.st_ino) {
        entry = (uint64_t)(uint32_t)info.st_ino << 32 | ask_name(fd);
        __atomic_store_n(&known[info.st_ino % KNOWN], entry, __ATOMIC_RELAXED);
    }
    return (uint32_t)entry;
}

enum shim_kind shim_kind_of(int fd)
{
    return (enum shim_kind)(known_of(fd) >> KIND_SHIFT);
}

uint32_t shim_file_of(int fd)
{
    const uint64_t entry = known_of(fd);
    return entry >> KIND_SHIFT == SHIM_FILE ? (uint32_t)(entry & NUMBER_MASK) : 0;
}

int shim_open_node(int flags)
{
    struct shim_call call = {.nr = ET_DRM_OPEN, .fd = -1};
    const int result = shim_request(&call);
    if (result < 0 || call.reply_fd < 0) {
        errno = result < 0 ? -result : ENODEV;
        return -1;
    }
    if (!(flags & O_CLOEXEC))
        fcntl(call.reply_fd, F_SETFD, 0);
    return call.reply_fd;
}

static int open_path(const char *path, int flags, mode_t mode)
{
    char buffer[4096];
    if (shim_is_node(path))
        return shim_open_node(flags);
    return shim_libc()->open(shim_redirect(path, buffer, sizeof buffer), flags, mode);
}

static int open_path_at(int folder, const char *path, int flags, mode_t mode)
{
    char buffer[4096];
    if (shim_is_node(path))
        return shim_open_node(flags);
    return shim_libc()->openat(folder, shim_redirect(path, buffer, sizeof buffer), flags, mode);
}

#define MODE_OF(flags)                                                                                       \
    mode_t mode = 0;                                                                                         \
    if ((flags) & (O_CREAT | __O_TMPFILE)) {                                                                 \
        va_list arguments;                                                                                   \
        va_start(arguments, flags);                                                                          \
        mode = va_arg(arguments, mode_t);                                                                    \
        va_end(arguments);                                                                                   \
    }

/* libc's names, which headers declare with attributes of their own; declared here so that none is missing. */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#pragma GCC diagnostic ignored "-Wredundant-decls"

SHIM_EXPORT int open(const char *path, int flags, ...)
{
    MODE_OF(flags)
    return open_path(path, flags, mode);
}

SHIM_EXPORT int open64(const char *path, int flags, ...)
{
    MODE_OF(flags)
    return open_path(path, flags, mode);
}

SHIM_EXPORT int __open_2(const char *path, int flags)
{
    return open_path(path, flags, 0);
}

SHIM_EXPORT int __open64_2(const char *path, int flags)
{
    return open_path(path, flags, 0);
}

SHIM_EXPORT int openat(int folder, const char *path, int flags, ...)
{
    MODE_OF(flags)
    return open_path_at(folder, path, flags, mode);
}

SHIM_EXPORT int openat64(int folder, const char *path, int flags, ...)
{
    MODE_OF(flags)
    return open_path_at(folder, path, flags, mode);
}

SHIM_EXPORT int __openat_2(int folder, const char *path, int flags)
{
    return open_path_at(folder, path, flags, 0);
}

SHIM_EXPORT int __openat64_2(int folder, const char *path, int flags)
{
    return open_path_at(folder, path, flags, 0);
}

SHIM_EXPORT FILE *fopen(const char *path, const char *mode)
{
    char buffer[4096];
    return shim_libc()->fopen(shim_redirect(path, buffer, sizeof buffer), mode);
}

SHIM_EXPORT FILE *fopen64(const char *path, const char *mode)
{
    return fopen(path, mode);
}

SHIM_EXPORT DIR *opendir(const char *path)
{
    char buffer[4096];
    return shim_libc()->opendir(shim_redirect(path, buffer, sizeof buffer));
}

SHIM_EXPORT int scandir(const char *path, struct dirent ***list, int (*filter)(const struct dirent *),
                        int (*compare)(const struct dirent **, const struct dirent **))
{
    char buffer[4096];
    return shim_libc()->scandir(shim_redirect(path, buffer, sizeof buffer), list, filter, compare);
}

/* struct dirent64 is struct dirent on 64-bit hosts. */
SHIM_EXPORT int scandir64(const char *path, struct dirent64 ***list, int (*filter)(const struct dirent64 *),
                          int (*compare)(const struct dirent64 **, const struct dirent64 **))
{
    char buffer[4096];
    return shim_libc()->scandir(shim_redirect(path, buffer, sizeof buffer), (struct dirent ***)(void *)list,
                                (int (*)(const struct dirent *))(void *)filter,
                                (int (*)(const struct dirent **, const struct dirent **))(void *)compare);
}

SHIM_EXPORT ssize_t readlink(const char *path, char *to, size_t size)
{
    char buffer[4096];
    return shim_libc()->readlink(shim_redirect(path, buffer, sizeof buffer), to, size);
}

SHIM_EXPORT ssize_t __readlink_chk(const char *path, char *to, size_t size, size_t room)
{
    (void)room;
    return readlink(path, to, size);
}

SHIM_EXPORT char *realpath(const char *path, char *to)
{
    char buffer[4096];
    return shim_libc()->realpath(shim_redirect(path, buffer, sizeof buffer), to);
}

SHIM_EXPORT char *__realpath_chk(const char *path, char *to, size_t room)
{
    (void)room;
    return realpath(path, to);
}

SHIM_EXPORT int access(const char *path, int mode)
{
    char buffer[4096];
    return shim_libc()->access(shim_redirect(path, buffer, sizeof buffer), mode);
}

SHIM_EXPORT int faccessat(int folder, const char *path, int mode, int flags)
{
    char buffer[4096];
    return shim_libc()->faccessat(folder, shim_redirect(path, buffer, sizeof buffer), mode, flags);
}

/* The node shows as a character device. */
static int as_node(int result, bool node, struct stat *info)
{
    if (!result && node) {
        info->st_mode = S_IFCHR | 0666;
        info->st_rdev = makedev(DRM_MAJOR, DRM_MINOR);
        info->st_size = 0;
    }
    return result;
}

SHIM_EXPORT int stat(const char *path, struct stat *info)
{
    char buffer[4096];
    return as_node(shim_libc()->stat(shim_redirect(path, buffer, sizeof buffer), info), shim_is_node(path),
                   info);
}

SHIM_EXPORT int lstat(const char *path, struct stat *info)
{
    char buffer[4096];
    return as_node(shim_libc()->lstat(shim_redirect(path, buffer, sizeof buffer), info), shim_is_node(path),
                   info);
}

SHIM_EXPORT int fstat(int fd, struct stat *info)
{
    const int result = shim_libc()->fstat(fd, info);
    return as_node(result, !result && S_ISSOCK(info->st_mode) && shim_file_of(fd), info);
}

SHIM_EXPORT int fstatat(int folder, const char *path, struct stat *info, int flags)
{
    char buffer[4096];
    const int result = shim_libc()->fstatat(folder, shim_redirect(path, buffer, sizeof buffer), info, flags);
    const bool by_fd = flags & AT_EMPTY_PATH && !path[0];
    return as_node(result, shim_is_node(path) || (!result && by_fd && shim_file_of(folder)), info);
}

SHIM_EXPORT int stat64(const char *path, struct stat64 *info)
{
    return stat(path, (struct stat *)(void *)info);
}

SHIM_EXPORT int lstat64(const char *path, struct stat64 *info)
{
    return lstat(path, (struct stat *)(void *)info);
}

SHIM_EXPORT int fstat64(int fd, struct stat64 *info)
{
    return fstat(fd, (struct stat *)(void *)info);
}

SHIM_EXPORT int fstatat64(int folder, const char *path, struct stat64 *info, int flags)
{
    return fstatat(folder, path, (struct stat *)(void *)info, flags);
}

/* Programs linked against an older libc. */
SHIM_EXPORT int __xstat(int version, const char *path, struct stat *info)
{
    (void)version;
    return stat(path, info);
}

SHIM_EXPORT int __xstat64(int version, const char *path, struct stat64 *info)
{
    (void)version;
    return stat64(path, info);
}

SHIM_EXPORT int __lxstat(int version, const char *path, struct stat *info)
{
    (void)version;
    return lstat(path, info);
}

SHIM_EXPORT int __lxstat64(int version, const char *path, struct stat64 *info)
{
    (void)version;
    return lstat64(path, info);
}

SHIM_EXPORT int __fxstat(int version, int fd, struct stat *info)
{
    (void)version;
    return fstat(fd, info);
}

SHIM_EXPORT int __fxstat64(int version, int fd, struct stat64 *info)
{
    (void)version;
    return fstat64(fd, info);
}

SHIM_EXPORT int statx(int folder, const char *path, int flags, unsigned mask, struct statx *info)
{
    char buffer[4096];
    const int result =
        shim_libc()->statx(folder, shim_redirect(path, buffer, sizeof buffer), flags, mask, info);
    if (!result && (shim_is_node(path) || (flags & AT_EMPTY_PATH && !path[0] && shim_file_of(folder)))) {
        info->stx_mode = S_IFCHR | 0666;
        info->stx_rdev_major = DRM_MAJOR;
        info->stx_rdev_minor = DRM_MINOR;
    }
    return result;
}

/* A buffer's bytes are RAM's: the offset of a node's mapping is one in RAM, an exported buffer's place is
 * asked for. */
SHIM_EXPORT void *mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset)
{
    if (fd >= 0 && !(flags & MAP_ANONYMOUS)) {
        const enum shim_kind kind = shim_kind_of(fd);
        struct shim_call call = {.nr = ET_DRM_BUFFER_PLACE, .fd = fd};
        if (kind == SHIM_BUFFER && shim_request(&call) == 0)
            offset += (off_t)call.extra;
        if (kind == SHIM_FILE || kind == SHIM_BUFFER)
            fd = shim_ram();
    }
    return shim_libc()->mmap(at, size, protection, flags, fd, offset);
}

SHIM_EXPORT void *mmap64(void *at, size_t size, int protection, int flags, int fd, off64_t offset)
{
    return mmap(at, size, protection, flags, fd, offset);
}

/* The end of an exported buffer is its size; it has no other positions. */
SHIM_EXPORT off_t lseek(int fd, off_t offset, int whence)
{
    const off_t at = shim_libc()->lseek(fd, offset, whence);
    struct shim_call call = {.nr = ET_DRM_BUFFER_PLACE, .fd = fd, .argument = 1};
    if (at >= 0 || errno != ESPIPE || shim_kind_of(fd) != SHIM_BUFFER)
        return at;
    if (!offset && whence == SEEK_SET)
        return 0;
    if (offset || whence != SEEK_END) {
        errno = EINVAL;
        return -1;
    }
    if (shim_request(&call)) {
        errno = ENODEV;
        return -1;
    }
    return (off_t)call.extra;
}

SHIM_EXPORT off64_t lseek64(int fd, off64_t offset, int whence)
{
    return lseek(fd, offset, whence);
}
