/* The part of the render node that lives in a client: paths, descriptors, marshalling. No threads, no library
 * of ours. */
#ifndef ET_DRM_SHIM_H
#define ET_DRM_SHIM_H

#include "drm/protocol.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/types.h>

#define SHIM_EXPORT __attribute__((visibility("default")))

/* libc's own functions, looked up once. */
struct shim_libc {
    int (*open)(const char *, int, ...);
    int (*openat)(int, const char *, int, ...);
    FILE *(*fopen)(const char *, const char *);
    int (*ioctl)(int, unsigned long, ...);
    off_t (*lseek)(int, off_t, int);
    void *(*mmap)(void *, size_t, int, int, int, off_t);
    int (*stat)(const char *, struct stat *);
    int (*lstat)(const char *, struct stat *);
    int (*fstat)(int, struct stat *);
    int (*fstatat)(int, const char *, struct stat *, int);
    int (*statx)(int, const char *, int, unsigned, struct statx *);
    int (*access)(const char *, int);
    int (*faccessat)(int, const char *, int, int);
    DIR *(*opendir)(const char *);
    int (*scandir)(const char *, struct dirent ***, int (*)(const struct dirent *),
                   int (*)(const struct dirent **, const struct dirent **));
    ssize_t (*readlink)(const char *, char *, size_t);
    char *(*realpath)(const char *, char *);
};
const struct shim_libc *shim_libc(void);

/* The path that stands for `path` in the node's tree, or `path` itself. */
const char *shim_redirect(const char *path, char *buffer, size_t size);
bool shim_is_node(const char *path);

/* Opens the node: a socket to the server. -1 with errno. */
int shim_open_node(int flags);
/* What a descriptor is of the server's. */
enum shim_kind { SHIM_NONE, SHIM_FILE, SHIM_BUFFER, SHIM_SYNC };
enum shim_kind shim_kind_of(int fd);
/* The server's number of an open file of the node; 0: the descriptor is none. */
uint32_t shim_file_of(int fd);

/* Sends a request and waits for its reply: result >= 0, or a negative errno. `body` (size bytes) and `arrays`
 * go out and come back; fd: sent along when >= 0; *reply_fd: what came along, or -1. */
struct shim_call {
    uint32_t nr, file;
    void *body;
    size_t size;
    void *arrays;
    size_t array_bytes, reply_arrays;
    int fd, reply_fd;
    uint64_t argument, extra;
};
int shim_request(struct shim_call *call);
/* The RAM's descriptor (kept), or -1. */
int shim_ram(void);
/* Waits until the progress count is no longer `seen`, or the deadline (CLOCK_MONOTONIC, ns) is over: 0 or
 * -ETIME. */
int shim_wait_progress(uint32_t seen, int64_t deadline);

#endif
