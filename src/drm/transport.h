/* How both ends move a message of protocol.h: parts in order, as many bytes a system call as go. */
#ifndef ET_DRM_TRANSPORT_H
#define ET_DRM_TRANSPORT_H

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>

#define ET_DRM_PARTS 3

/* A message under way. `fd` goes, or came, along with the first byte; -1: none. */
struct et_drm_transfer {
    struct iovec parts[ET_DRM_PARTS];
    size_t done;
    int fd;
};

/* Room for one file descriptor, and for no second one: what does not fit is closed by the kernel. */
union et_drm_control {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(sizeof(int))];
};

static inline size_t et_drm_transfer_left(const struct et_drm_transfer *transfer)
{
    size_t left = 0;
    for (unsigned i = 0; i < ET_DRM_PARTS; i++)
        left += transfer->parts[i].iov_len;
    return left - transfer->done;
}

/* The parts that are still to move. */
static inline size_t et_drm_transfer_rest(const struct et_drm_transfer *transfer,
                                          struct iovec rest[ET_DRM_PARTS])
{
    size_t skip = transfer->done, count = 0;
    for (unsigned i = 0; i < ET_DRM_PARTS; i++) {
        const struct iovec *part = &transfer->parts[i];
        if (skip >= part->iov_len) {
            skip -= part->iov_len;
            continue;
        }
        rest[count++] = (struct iovec){(uint8_t *)part->iov_base + skip, part->iov_len - skip};
        skip = 0;
    }
    return count;
}

/* One system call's worth; flags as sendmsg's. 1: something moved, 0: it would have to wait, -1: the other
 * end is gone. */
static inline int et_drm_send_some(int connection, struct et_drm_transfer *transfer, int flags)
{
    union et_drm_control control = {0};
    struct iovec rest[ET_DRM_PARTS];
    struct msghdr message = {.msg_iov = rest, .msg_iovlen = et_drm_transfer_rest(transfer, rest)};
    ssize_t n;
    if (transfer->fd >= 0 && !transfer->done) {
        message.msg_control = control.bytes;
        message.msg_controllen = sizeof control.bytes;
        control.header = (struct cmsghdr){CMSG_LEN(sizeof(int)), SOL_SOCKET, SCM_RIGHTS};
        memcpy(CMSG_DATA(&control.header), &transfer->fd, sizeof transfer->fd);
    }
    do
        n = sendmsg(connection, &message, flags | MSG_NOSIGNAL);
    while (n < 0 && errno == EINTR);
    if (n > 0)
        transfer->done += (size_t)n;
    return n > 0 ? 1 : n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK) ? 0 : -1;
}

/* As et_drm_send_some. A descriptor that comes with the first byte is put into transfer->fd, which the caller
 * set to -1. */
static inline int et_drm_receive_some(int connection, struct et_drm_transfer *transfer, int flags)
{
    union et_drm_control control = {0};
    struct iovec rest[ET_DRM_PARTS];
    struct msghdr message = {.msg_iov = rest, .msg_iovlen = et_drm_transfer_rest(transfer, rest)};
    const struct cmsghdr *first;
    ssize_t n;
    if (!transfer->done) {
        message.msg_control = control.bytes;
        message.msg_controllen = CMSG_LEN(sizeof(int));
    }
    do
        n = recvmsg(connection, &message, flags | MSG_CMSG_CLOEXEC);
    while (n < 0 && errno == EINTR);
    if (n <= 0)
        return n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK) ? 0 : -1;
    first = transfer->done ? NULL : CMSG_FIRSTHDR(&message);
    if (first && first->cmsg_level == SOL_SOCKET && first->cmsg_type == SCM_RIGHTS)
        memcpy(&transfer->fd, CMSG_DATA(first), sizeof transfer->fd);
    transfer->done += (size_t)n;
    return 1;
}

/* The whole of it, waiting. */
static inline bool et_drm_send_all(int connection, struct et_drm_transfer *transfer)
{
    while (et_drm_transfer_left(transfer))
        if (et_drm_send_some(connection, transfer, 0) <= 0)
            return false;
    return true;
}

static inline bool et_drm_receive_all(int connection, struct et_drm_transfer *transfer)
{
    while (et_drm_transfer_left(transfer))
        if (et_drm_receive_some(connection, transfer, 0) <= 0)
            return false;
    return true;
}

#endif
