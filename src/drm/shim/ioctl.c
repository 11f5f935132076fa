/* ioctls of the node, of sync files and of exported buffers: marshalled as the tables of protocol.h say. */
#include "drm/shim/shim.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static uint64_t read64(const void *body, size_t at)
{
    uint64_t value;
    memcpy(&value, (const char *)body + at, sizeof value);
    return value;
}

static uint32_t read32(const void *body, size_t at)
{
    uint32_t value;
    memcpy(&value, (const char *)body + at, sizeof value);
    return value;
}

/* The arrays of an ioctl, one after the other. */
static int gather(unsigned nr, const void *body, size_t size, void **arrays, size_t *bytes)
{
    size_t total = 0;
    char *to;
    *arrays = NULL;
    *bytes = 0;
    for (size_t i = 0; i < ET_DRM_TABLE_SIZE(et_drm_arrays); i++)
        if (et_drm_arrays[i].nr == nr && et_drm_arrays[i].pointer + 8u <= size)
            total += et_drm_array_room(read32(body, et_drm_arrays[i].count), et_drm_arrays[i].element);
    if (!total)
        return 0;
    if (total > ET_DRM_MESSAGE_LIMIT)
        return -EINVAL;
    to = *arrays = calloc(total, 1);
    if (!to)
        return -ENOMEM;
    for (size_t i = 0; i < ET_DRM_TABLE_SIZE(et_drm_arrays); i++) {
        const struct et_drm_array *array = &et_drm_arrays[i];
        uint32_t count;
        if (array->nr != nr || array->pointer + 8u > size)
            continue;
        count = read32(body, array->count);
        if (count && !read64(body, array->pointer)) {
            free(*arrays);
            *arrays = NULL;
            return -EFAULT;
        }
        if (count)
            memcpy(to, (const void *)(uintptr_t)read64(body, array->pointer), (size_t)count * array->element);
        to += et_drm_array_room(count, array->element);
    }
    *bytes = total;
    return 0;
}

/* Arrays that come back. `body` still holds the caller's pointers and counts. */
static void scatter(unsigned nr, const void *body, const char *arrays, size_t bytes)
{
    for (size_t i = 0; i < ET_DRM_TABLE_SIZE(et_drm_arrays); i++) {
        const struct et_drm_array *array = &et_drm_arrays[i];
        uint32_t count;
        size_t room;
        if (array->nr != nr)
            continue;
        count = read32(body, array->count);
        room = et_drm_array_room(count, array->element);
        if (room > bytes)
            return;
        if (array->out)
            memcpy((void *)(uintptr_t)read64(body, array->pointer), arrays, (size_t)count * array->element);
        arrays += room;
        bytes -= room;
    }
}

static const struct et_drm_descriptor *descriptor_of(unsigned nr)
{
    for (size_t i = 0; i < ET_DRM_TABLE_SIZE(et_drm_descriptors); i++)
        if (et_drm_descriptors[i].nr == nr)
            return &et_drm_descriptors[i];
    return NULL;
}

static int64_t deadline_of(unsigned nr, const void *body)
{
    if (nr == DRM_SYNCOBJ_WAIT)
        return (int64_t)read64(body, offsetof(struct syncobj_wait_args, timeout));
    if (nr == DRM_SYNCOBJ_TIMELINE_WAIT)
        return (int64_t)read64(body, offsetof(struct syncobj_timeline_wait_args, timeout));
    return INT64_MAX;
}

/* Asks until the answer is no longer "pending", sleeping between on the progress count. */
static int ask(struct shim_call *call, int64_t deadline)
{
    for (;;) {
        const int result = shim_request(call);
        if (result != ET_DRM_PENDING)
            return result;
        const int waited = shim_wait_progress((uint32_t)call->extra, deadline);
        if (waited)
            return waited;
    }
}

static int forward(uint32_t file, unsigned nr, void *body, size_t size)
{
    const struct et_drm_descriptor *descriptor = descriptor_of(nr);
    struct shim_call call = {.nr = nr, .file = file, .size = size, .fd = -1, .reply_fd = -1};
    int result = gather(nr, body, size, &call.arrays, &call.array_bytes);
    void *copy;
    if (result)
        return result;
    copy = malloc(size ? size : 1);
    if (!copy) {
        free(call.arrays);
        return -ENOMEM;
    }
    memcpy(copy, body, size);
    call.body = copy;
    if (descriptor && !descriptor->out && descriptor->fd + 4u <= size)
        call.fd = (int)read32(body, descriptor->fd);
    result = ask(&call, deadline_of(nr, body));
    if (result >= 0) {
        scatter(nr, body, call.arrays, call.reply_arrays);
        memcpy(body, copy, size);
        if (descriptor && descriptor->out && descriptor->fd + 4u <= size)
            memcpy((char *)body + descriptor->fd, &call.reply_fd, sizeof call.reply_fd);
    }
    free(copy);
    free(call.arrays);
    return result;
}

static void answer_string(uint64_t to, uint64_t *length, const char *text)
{
    const size_t n = strlen(text);
    if (to)
        memcpy((void *)(uintptr_t)to, text, n < *length ? n : *length);
    *length = n;
}

/* What needs no server. */
static int answer_version(struct drm_version_args *version)
{
    version->major = 1;
    version->minor = 4;
    version->patch = 0;
    answer_string(version->name, &version->name_length, "nouveau");
    answer_string(version->date, &version->date_length, "20120801");
    answer_string(version->desc, &version->desc_length, "nVidia Riva/TNT/GeForce/Quadro/Tesla/Tegra K1+");
    return 0;
}

static int answer_unique(struct drm_unique_args *unique)
{
    answer_string(unique->unique, &unique->length, "pci:0000:01:00.0");
    return 0;
}

static int node_ioctl(uint32_t file, unsigned nr, void *body, size_t size)
{
    switch (nr) {
    case DRM_VERSION:
        return size >= sizeof(struct drm_version_args) ? answer_version(body) : -EINVAL;
    case DRM_GET_UNIQUE:
        return size >= sizeof(struct drm_unique_args) ? answer_unique(body) : -EINVAL;
    default:
        return forward(file, nr, body, size);
    }
}

/* Files of exported fences: SYNC_IOC_MERGE (3) and SYNC_IOC_FILE_INFO (4). */
static int sync_ioctl(int fd, unsigned nr, void *body)
{
    int32_t *words = body;
    struct shim_call call = {.nr = ET_DRM_SYNC_STATE, .fd = fd};
    int result;
    if (nr == 4) {
        result = shim_request(&call);
        if (result < 0)
            return result;
        words[8] = result; /* status: 1 signalled, 0 active */
        words[9] = words[10] = 0;
        return 0;
    }
    if (nr != 3)
        return -ENOTTY;
    /* The server sees one descriptor a request: the second's state decides whether it matters. */
    call.fd = words[8];
    result = shim_request(&call);
    if (result < 0)
        return result;
    call.nr = ET_DRM_SYNC_MERGE;
    call.argument = call.extra;
    call.fd = fd;
    result = shim_request(&call);
    words[9] = call.reply_fd;
    return result;
}

/* Exported buffers: who maps one waits by fences, so a sync (0) is nothing, and so is one put in (3), since
 * submissions name what they wait for; 2 gives the fence of what was submitted. */
static int buffer_ioctl(int fd, unsigned nr, void *body)
{
    struct shim_call call = {.nr = ET_DRM_BUFFER_FENCE, .fd = fd};
    if (nr == 0 || nr == 3)
        return 0;
    if (nr != 2)
        return -ENOTTY;
    const int result = shim_request(&call);
    ((int32_t *)body)[1] = call.reply_fd;
    return result;
}

SHIM_EXPORT int ioctl(int fd, unsigned long request, ...)
{
    va_list arguments;
    void *body;
    int result = -ENOTTY;
    uint32_t file;
    va_start(arguments, request);
    body = va_arg(arguments, void *);
    va_end(arguments);
    if (_IOC_TYPE(request) == DRM_IOCTL_TYPE && (file = shim_file_of(fd)))
        result = node_ioctl(file, _IOC_NR(request), body, _IOC_SIZE(request));
    else if (_IOC_TYPE(request) == '>' && shim_kind_of(fd) == SHIM_SYNC)
        result = sync_ioctl(fd, _IOC_NR(request), body);
    else if (_IOC_TYPE(request) == 'b' && shim_kind_of(fd) == SHIM_BUFFER)
        result = buffer_ioctl(fd, _IOC_NR(request), body);
    else
        return shim_libc()->ioctl(fd, request, body);
    if (result < 0) {
        errno = -result;
        return -1;
    }
    return result;
}
