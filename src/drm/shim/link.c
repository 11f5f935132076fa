/* The connection to the server: one a process, made anew in a forked child. */
#include "drm/shim/shim.h"

#include "drm/transport.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int connection = -1, ram_fd = -1;
static ino_t connection_inode, ram_inode;
static uint32_t *progress;

/* A program may close descriptors that it did not open, and give their numbers to others. */
static bool is_still(int fd, ino_t inode)
{
    struct stat info;
    return fd >= 0 && !shim_libc()->fstat(fd, &info) && info.st_ino == inode;
}

static ino_t inode_of(int fd)
{
    struct stat info;
    return shim_libc()->fstat(fd, &info) ? 0 : info.st_ino;
}

/* The child's copy of the socket is the parent's conversation. */
static void forget_connection(void)
{
    if (is_still(connection, connection_inode))
        close(connection);
    connection = -1;
    pthread_mutex_init(&lock, NULL);
}

static void before_fork(void)
{
    pthread_mutex_lock(&lock);
}

static void after_fork(void)
{
    pthread_mutex_unlock(&lock);
}

static pthread_once_t once = PTHREAD_ONCE_INIT;
static void register_fork(void)
{
    pthread_atfork(before_fork, after_fork, forget_connection);
}

/* Keeps our descriptors away from the numbers that programs and shells use. */
static int move_high(int fd)
{
    int high = fcntl(fd, F_DUPFD_CLOEXEC, 900);
    if (high < 0)
        return fd;
    close(fd);
    return high;
}

static int converse(struct shim_call *call)
{
    struct et_drm_request request = {
        ET_DRM_MAGIC,  call->nr, call->file, (uint32_t)call->size, (uint32_t)call->array_bytes, 0,
        call->argument};
    struct et_drm_reply reply;
    struct et_drm_transfer out = {
        {{&request, sizeof request}, {call->body, call->size}, {call->arrays, call->array_bytes}},
        0,
        call->fd};
    struct et_drm_transfer header = {{{&reply, sizeof reply}}, 0, -1}, rest;
    bool fine;
    call->reply_fd = -1;
    fine = et_drm_send_all(connection, &out) && et_drm_receive_all(connection, &header);
    call->reply_fd = header.fd;
    if (!fine || reply.size > call->size || reply.arrays > call->array_bytes)
        return -EIO;
    rest = (struct et_drm_transfer){{{call->body, reply.size}, {call->arrays, reply.arrays}}, 0, -1};
    if (!et_drm_receive_all(connection, &rest))
        return -EIO;
    call->reply_arrays = reply.arrays;
    call->extra = reply.extra;
    return reply.result;
}

static int connect_server(void)
{
    const char *path = getenv(ET_DRM_SOCKET);
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (!path || strlen(path) >= sizeof address.sun_path)
        return -ENODEV;
    strcpy(address.sun_path, path);
    connection = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (connection < 0)
        return -errno;
    if (connect(connection, (struct sockaddr *)&address, sizeof address)) {
        close(connection);
        connection = -1;
        return -ENODEV;
    }
    connection = move_high(connection);
    connection_inode = inode_of(connection);
    return 0;
}

static int call_locked(struct shim_call *call)
{
    int result = 0;
    if (!is_still(connection, connection_inode))
        result = connect_server();
    if (!result)
        result = converse(call);
    if (result == -EIO && connection >= 0) {
        close(connection);
        connection = -1;
        result = -ENODEV;
    }
    return result;
}

int shim_request(struct shim_call *call)
{
    int result;
    pthread_once(&once, register_fork);
    pthread_mutex_lock(&lock);
    result = call_locked(call);
    pthread_mutex_unlock(&lock);
    return result;
}

int shim_ram(void)
{
    pthread_once(&once, register_fork);
    pthread_mutex_lock(&lock);
    if (!is_still(ram_fd, ram_inode)) {
        struct shim_call call = {.nr = ET_DRM_HELLO, .fd = -1};
        ram_fd = call_locked(&call) >= 0 && call.reply_fd >= 0 ? move_high(call.reply_fd) : -1;
        ram_inode = inode_of(ram_fd);
    }
    pthread_mutex_unlock(&lock);
    return ram_fd;
}

/* The page is read only here; the server counts in it and wakes. */
static uint32_t *progress_word(void)
{
    pthread_mutex_lock(&lock);
    if (!progress) {
        struct shim_call call = {.nr = ET_DRM_PROGRESS, .fd = -1};
        if (call_locked(&call) >= 0 && call.reply_fd >= 0) {
            void *page = shim_libc()->mmap(NULL, 4096, PROT_READ, MAP_SHARED, call.reply_fd, 0);
            close(call.reply_fd);
            progress = page == MAP_FAILED ? NULL : page;
        }
    }
    pthread_mutex_unlock(&lock);
    return progress;
}

int shim_wait_progress(uint32_t seen, int64_t deadline)
{
    uint32_t *word = progress_word();
    const struct timespec at = {deadline > 0 ? deadline / 1000000000 : 0,
                                deadline > 0 ? deadline % 1000000000 : 0};
    if (!word)
        return -ENODEV;
    /* An absolute deadline needs the bit-set form. */
    if (syscall(SYS_futex, word, FUTEX_WAIT_BITSET, seen, deadline == INT64_MAX ? NULL : &at, NULL,
                FUTEX_BITSET_MATCH_ANY) < 0 &&
        errno == ETIMEDOUT)
        return -ETIME;
    return 0;
}
