/* What passes between the shim in a client and the server: one request and one reply at a time on a
 * connection.
 *
 * A request is a header, the ioctl's own structure, and the arrays that it points to, in the order of
 * et_drm_arrays; a reply is a header, the structure, and the arrays that go out. At most one file descriptor
 * goes along each way (SCM_RIGHTS on the header). An open file of the node, an exported buffer and a sync
 * file are sockets whose other end the server holds: when the last copy is closed, by whoever, the server
 * sees it. */
#ifndef ET_DRM_PROTOCOL_H
#define ET_DRM_PROTOCOL_H

#include "drm/uapi.h"

#include <stddef.h>

#define ET_DRM_MAGIC           UINT32_C(0x45544452)
#define ET_DRM_STRUCTURE_LIMIT UINT32_C(0x4000) /* an ioctl's number has 14 bits for the size */
#define ET_DRM_MESSAGE_LIMIT   (UINT32_C(16) << 20)
/* Environment of a client. */
#define ET_DRM_SOCKET  "ETALON_DRM_SOCKET"  /* path of the server's socket */
#define ET_DRM_RECORDS "ETALON_DRM_RECORDS" /* set: a capture is recorded */
#define ET_DRM_TREE    "ETALON_DRM_TREE"    /* folder with the node's /dev and /sys */
/* The name (abstract) that the client's end of an object is bound to: prefix, the object's number, '-', the
 * server. */
#define ET_DRM_FILE_NAME   "etalon-drm-file-"
#define ET_DRM_BUFFER_NAME "etalon-drm-buffer-"
#define ET_DRM_SYNC_NAME                                                                                     \
    "etalon-drm-sync-" /* an exported fence or syncobj; readable once the fence is signalled */

/* Requests that are no ioctl. */
enum {
    ET_DRM_HELLO = 0x1000, /* reply: the RAM's descriptor; extra: its size */
    ET_DRM_OPEN,           /* reply: an open file's socket; extra: the file's number */
    ET_DRM_BUFFER_PLACE, /* with a buffer's descriptor; extra: its offset in RAM, or its size when argument is
                            1 */
    ET_DRM_BUFFER_FENCE, /* with a buffer's descriptor; reply: a sync file of what was submitted on it */
    ET_DRM_SYNC_STATE, /* with a sync file's descriptor; result 1: signalled, 0: not yet; extra: its number */
    ET_DRM_SYNC_MERGE, /* with a sync file's descriptor, argument: another's number; reply: a new one */
    ET_DRM_OUTPUT,     /* structure: offset in RAM, size; array: a file's name: they were written to it */
    ET_DRM_PROGRESS    /* reply: descriptor of the page whose first word counts fence changes */
};

/* A reply's result, beside 0 and negative errno. */
enum { ET_DRM_PENDING = 1 }; /* not yet: ask again when the progress count is no longer extra's */

struct et_drm_request {
    uint32_t magic, nr, file, size, arrays, pad;
    uint64_t argument;
};

struct et_drm_reply {
    int32_t result;
    uint32_t size, arrays, pad;
    uint64_t extra;
};

/* An array that an ioctl's structure points to. */
struct et_drm_array {
    uint16_t nr;
    uint16_t pointer, count; /* byte offsets in the structure, of a u64 and a u32 */
    uint16_t element;        /* bytes */
    uint8_t in, out;
};

/* Bytes that an array takes in a message: each begins aligned. */
static inline size_t et_drm_array_room(uint32_t elements, size_t element)
{
    return (elements * element + 7) & ~(size_t)7;
}

static const struct et_drm_array et_drm_arrays[] = {
    {DRM_NOUVEAU_VM_BIND, offsetof(struct nouveau_vm_bind_args, waits),
     offsetof(struct nouveau_vm_bind_args, wait_count), sizeof(struct nouveau_sync), 1, 0},
    {DRM_NOUVEAU_VM_BIND, offsetof(struct nouveau_vm_bind_args, signals),
     offsetof(struct nouveau_vm_bind_args, signal_count), sizeof(struct nouveau_sync), 1, 0},
    {DRM_NOUVEAU_VM_BIND, offsetof(struct nouveau_vm_bind_args, ops),
     offsetof(struct nouveau_vm_bind_args, op_count), sizeof(struct nouveau_vm_bind_op), 1, 0},
    {DRM_NOUVEAU_EXEC, offsetof(struct nouveau_exec_args, waits),
     offsetof(struct nouveau_exec_args, wait_count), sizeof(struct nouveau_sync), 1, 0},
    {DRM_NOUVEAU_EXEC, offsetof(struct nouveau_exec_args, signals),
     offsetof(struct nouveau_exec_args, signal_count), sizeof(struct nouveau_sync), 1, 0},
    {DRM_NOUVEAU_EXEC, offsetof(struct nouveau_exec_args, pushes),
     offsetof(struct nouveau_exec_args, push_count), sizeof(struct nouveau_exec_push), 1, 0},
    {DRM_NOUVEAU_GEM_PUSHBUF, offsetof(struct nouveau_pushbuf_args, buffers),
     offsetof(struct nouveau_pushbuf_args, buffer_count), sizeof(struct nouveau_pushbuf_bo), 1, 0},
    {DRM_NOUVEAU_GEM_PUSHBUF, offsetof(struct nouveau_pushbuf_args, pushes),
     offsetof(struct nouveau_pushbuf_args, push_count), sizeof(struct nouveau_pushbuf_push), 1, 0},
    {DRM_SYNCOBJ_WAIT, offsetof(struct syncobj_wait_args, handles), offsetof(struct syncobj_wait_args, count),
     4, 1, 0},
    {DRM_SYNCOBJ_RESET, offsetof(struct syncobj_array_args, handles),
     offsetof(struct syncobj_array_args, count), 4, 1, 0},
    {DRM_SYNCOBJ_SIGNAL, offsetof(struct syncobj_array_args, handles),
     offsetof(struct syncobj_array_args, count), 4, 1, 0},
    {DRM_SYNCOBJ_TIMELINE_WAIT, offsetof(struct syncobj_timeline_wait_args, handles),
     offsetof(struct syncobj_timeline_wait_args, count), 4, 1, 0},
    {DRM_SYNCOBJ_TIMELINE_WAIT, offsetof(struct syncobj_timeline_wait_args, points),
     offsetof(struct syncobj_timeline_wait_args, count), 8, 1, 0},
    {DRM_SYNCOBJ_QUERY, offsetof(struct syncobj_timeline_array_args, handles),
     offsetof(struct syncobj_timeline_array_args, count), 4, 1, 0},
    {DRM_SYNCOBJ_QUERY, offsetof(struct syncobj_timeline_array_args, points),
     offsetof(struct syncobj_timeline_array_args, count), 8, 1, 1},
    {DRM_SYNCOBJ_TIMELINE_SIGNAL, offsetof(struct syncobj_timeline_array_args, handles),
     offsetof(struct syncobj_timeline_array_args, count), 4, 1, 0},
    {DRM_SYNCOBJ_TIMELINE_SIGNAL, offsetof(struct syncobj_timeline_array_args, points),
     offsetof(struct syncobj_timeline_array_args, count), 8, 1, 0},
};

/* A descriptor in an ioctl's structure. `when` is a bit of the u32 at `flags` that makes the field count (0:
 * always). */
struct et_drm_descriptor {
    uint16_t nr, fd;
    uint8_t out; /* made by the server, else sent along */
};

static const struct et_drm_descriptor et_drm_descriptors[] = {
    {DRM_PRIME_HANDLE_TO_FD, offsetof(struct drm_prime_args, fd), 1},
    {DRM_PRIME_FD_TO_HANDLE, offsetof(struct drm_prime_args, fd), 0},
    {DRM_SYNCOBJ_HANDLE_TO_FD, offsetof(struct syncobj_handle_args, fd), 1},
    {DRM_SYNCOBJ_FD_TO_HANDLE, offsetof(struct syncobj_handle_args, fd), 0},
    {DRM_SYNCOBJ_EVENTFD, offsetof(struct syncobj_eventfd_args, fd), 0},
};

#define ET_DRM_TABLE_SIZE(table) (sizeof(table) / sizeof((table)[0]))

#endif
