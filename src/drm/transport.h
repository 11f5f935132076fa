/* How both ends write and read a message of protocol.h on their socket; false when the other end is gone. */
#ifndef ET_DRM_TRANSPORT_H
#define ET_DRM_TRANSPORT_H

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>

static inline bool et_drm_read(int connection, void *bytes, size_t size)
{
    uint8_t *at = bytes;
    while (size) {
        const ssize_t n = recv(connection, at, size, 0);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        at += n;
        size -= (size_t)n;
    }
    return true;
}

static inline bool et_drm_write(int connection, const void *bytes, size_t size)
{
    const uint8_t *at = bytes;
    while (size) {
        const ssize_t n = send(connection, at, size, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        at += n;
        size -= (size_t)n;
    }
    return true;
}

/* Room for one file descriptor. */
union et_drm_control {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(sizeof(int))];
};

/* A header, with `fd` when it is not negative. */
static inline bool et_drm_send_header(int connection, const void *header, size_t size, int fd)
{
    union et_drm_control control = {0};
    struct iovec part = {(void *)(uintptr_t)header, size};
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
    return n == (ssize_t)size;
}

/* A header; *fd is written when a descriptor came along, also when the rest of the header does not come. */
static inline bool et_drm_receive_header(int connection, void *header, size_t size, int *fd)
{
    union et_drm_control control = {0};
    struct iovec part = {header, size};
    struct msghdr message = {.msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = control.bytes,
                             .msg_controllen = sizeof control.bytes};
    const struct cmsghdr *first;
    ssize_t n;
    do
        n = recvmsg(connection, &message, MSG_CMSG_CLOEXEC);
    while (n < 0 && errno == EINTR);
    first = n > 0 ? CMSG_FIRSTHDR(&message) : NULL;
    if (first && first->cmsg_level == SOL_SOCKET && first->cmsg_type == SCM_RIGHTS)
        memcpy(fd, CMSG_DATA(first), sizeof *fd);
    return n > 0 && et_drm_read(connection, (uint8_t *)header + n, size - (size_t)n);
}

#endif
