/* The connection to the server: one a process, made anew in a forked child. */
#include "drm/shim/shim.h"

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
static int connection = -1;
static int ram_fd = -1;
static uint32_t *progress;

/* The child's copy of the socket is the parent's conversation. */
static void forget_connection(void)
{
    if (connection >= 0)
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

static int write_all(int fd, const void *bytes, size_t size)
{
    const char *at = bytes;
    while (size) {
        const ssize_t n = send(fd, at, size, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return -1;
        at += n;
        size -= (size_t)n;
    }
    return 0;
}

static int read_all(int fd, void *bytes, size_t size)
{
    char *at = bytes;
    while (size) {
        const ssize_t n = recv(fd, at, size, 0);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return -1;
        at += n;
        size -= (size_t)n;
    }
    return 0;
}

union control {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(sizeof(int))];
};

static int send_header(const struct et_drm_request *request, int fd)
{
    union control control = {0};
    struct iovec part = {(void *)(uintptr_t)request, sizeof *request};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    ssize_t n;
    if (fd >= 0) {
        message.msg_control = control.bytes;
        message.msg_controllen = sizeof control.bytes;
        control.header = (struct cmsghdr){CMSG_LEN(sizeof(int)), SOL_SOCKET, SCM_RIGHTS};
        memcpy(CMSG_DATA(&control.header), &fd, sizeof fd);
    }
    do
        n = sendmsg(connection, &message, MSG_NOSIGNAL);
    while (n < 0 && errno == EINTR);
    return n == sizeof *request ? 0 : -1;
}

static int receive_header(struct et_drm_reply *reply, int *fd)
{
    union control control = {0};
    struct iovec part = {reply, sizeof *reply};
    struct msghdr message = {.msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = control.bytes,
                             .msg_controllen = sizeof control.bytes};
    const struct cmsghdr *first;
    ssize_t n;
    *fd = -1;
    do
        n = recvmsg(connection, &message, MSG_CMSG_CLOEXEC);
    while (n < 0 && errno == EINTR);
    if (n <= 0 ||
        ((size_t)n < sizeof *reply && read_all(connection, (char *)reply + n, sizeof *reply - (size_t)n)))
        return -1;
    first = CMSG_FIRSTHDR(&message);
    if (first && first->cmsg_level == SOL_SOCKET && first->cmsg_type == SCM_RIGHTS)
        memcpy(fd, CMSG_DATA(first), sizeof *fd);
    return 0;
}

static int converse(struct shim_call *call)
{
    const struct et_drm_request request = {
        ET_DRM_MAGIC,  call->nr,      call->file, (uint32_t)call->size, (uint32_t)call->array_bytes,
        call->fd >= 0, call->argument};
    struct et_drm_reply reply;
    call->reply_fd = -1;
    if (send_header(&request, call->fd) || write_all(connection, call->body, call->size) ||
        write_all(connection, call->arrays, call->array_bytes) || receive_header(&reply, &call->reply_fd))
        return -EIO;
    if (reply.size > call->size || reply.arrays > call->array_bytes ||
        read_all(connection, call->body, reply.size) || read_all(connection, call->arrays, reply.arrays))
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
    return 0;
}

static int call_locked(struct shim_call *call)
{
    int result = 0;
    if (connection < 0)
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
    if (ram_fd < 0) {
        struct shim_call call = {.nr = ET_DRM_HELLO, .fd = -1};
        if (call_locked(&call) >= 0 && call.reply_fd >= 0)
            ram_fd = move_high(call.reply_fd);
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
