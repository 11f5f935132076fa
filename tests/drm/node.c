#include "drm/node.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define HEADER(count, method) (UINT32_C(1) << 29 | (uint32_t)(count) << 16 | (method) / 4)
#define SEMAPHORE_A           0x10u

int node_ioctl(int fd, unsigned nr, void *body, size_t size)
{
    return ioctl(fd, _IOC(_IOC_READ | _IOC_WRITE, DRM_IOCTL_TYPE, nr, size), body) < 0 ? errno : 0;
}

int node_attach(struct node *node, int fd, bool managed)
{
    struct nouveau_vm_init_args vm = {UINT64_C(0x8000000000), UINT64_C(0x8000000000)};
    struct nouveau_channel_alloc_args channel = {.fb = ~0u, .tt = 1};
    int result = 0;
    *node = (struct node){.fd = fd, .managed = managed, .next_va = 0x10000000};
    if (managed)
        result = node_ioctl(fd, DRM_NOUVEAU_VM_INIT, &vm, sizeof vm);
    if (!result)
        result = node_ioctl(fd, DRM_NOUVEAU_CHANNEL_ALLOC, &channel, sizeof channel);
    node->channel = (uint32_t)channel.channel;
    return result;
}

int node_open(struct node *node, bool managed)
{
    const int fd = open(NODE_PATH, O_RDWR | O_CLOEXEC);
    return fd < 0 ? errno : node_attach(node, fd, managed);
}

static int bind_at(const struct node *node, const struct node_bo *bo)
{
    struct nouveau_vm_bind_op op = {VM_BIND_MAP, 0, bo->handle, 0, bo->va, 0, bo->size};
    struct nouveau_vm_bind_args bind = {.op_count = 1, .ops = (uintptr_t)&op};
    return node_ioctl(node->fd, DRM_NOUVEAU_VM_BIND, &bind, sizeof bind);
}

int node_bo(struct node *node, uint64_t size, struct node_bo *bo)
{
    struct nouveau_gem_new_args args = {.info = {.domain = DOMAIN_GART | DOMAIN_MAPPABLE, .size = size}};
    int result = node_ioctl(node->fd, DRM_NOUVEAU_GEM_NEW, &args, sizeof args);
    void *words;
    if (result)
        return result;
    words = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, node->fd, (off_t)args.info.map_handle);
    if (words == MAP_FAILED)
        return errno;
    *bo = (struct node_bo){args.info.handle, args.info.size, args.info.offset, words};
    if (node->managed) {
        bo->va = node->next_va;
        node->next_va += (args.info.size + 0xffff) & ~UINT64_C(0xffff);
        result = bind_at(node, bo);
    }
    return result;
}

int node_bo_close(struct node *node, const struct node_bo *bo)
{
    struct drm_gem_close_args args = {bo->handle, 0};
    munmap(bo->words, bo->size);
    return node_ioctl(node->fd, DRM_GEM_CLOSE, &args, sizeof args);
}

int node_syncobj(const struct node *node, bool signalled, uint32_t *handle)
{
    struct syncobj_create_args args = {0, signalled ? SYNCOBJ_CREATE_SIGNALED : 0};
    const int result = node_ioctl(node->fd, DRM_SYNCOBJ_CREATE, &args, sizeof args);
    *handle = args.handle;
    return result;
}

int64_t node_after(int64_t ns)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * INT64_C(1000000000) + now.tv_nsec + ns;
}

int node_wait(const struct node *node, uint32_t handle, uint64_t point, uint32_t flags, int64_t after_ns)
{
    struct syncobj_wait_args binary = {(uintptr_t)&handle, node_after(after_ns), 1, flags, 0, 0};
    struct syncobj_timeline_wait_args timeline = {
        (uintptr_t)&handle, (uintptr_t)&point, node_after(after_ns), 1, flags, 0, 0};
    return point ? node_ioctl(node->fd, DRM_SYNCOBJ_TIMELINE_WAIT, &timeline, sizeof timeline)
                 : node_ioctl(node->fd, DRM_SYNCOBJ_WAIT, &binary, sizeof binary);
}

static unsigned semaphore(uint32_t *words, uint64_t va, uint32_t value, uint32_t operation)
{
    words[0] = HEADER(4, SEMAPHORE_A);
    words[1] = (uint32_t)(va >> 32);
    words[2] = (uint32_t)va;
    words[3] = value;
    words[4] = operation;
    return 5;
}

unsigned node_release(uint32_t *words, uint64_t va, uint32_t value)
{
    return semaphore(words, va, value, 2 | 1 << 24); /* one word */
}

unsigned node_acquire(uint32_t *words, uint64_t va, uint32_t value)
{
    return semaphore(words, va, value, 1);
}

static int push_legacy(const struct node *node, const struct node_bo *bo, unsigned at, unsigned count)
{
    struct nouveau_pushbuf_bo buffer = {.handle = bo->handle, .valid = DOMAIN_GART, .read = DOMAIN_GART};
    struct nouveau_pushbuf_push push = {0, 0, at * UINT64_C(4), count * UINT64_C(4)};
    struct nouveau_pushbuf_args args = {.channel = node->channel,
                                        .buffer_count = 1,
                                        .buffers = (uintptr_t)&buffer,
                                        .push_count = 1,
                                        .pushes = (uintptr_t)&push};
    return node_ioctl(node->fd, DRM_NOUVEAU_GEM_PUSHBUF, &args, sizeof args);
}

int node_submit(const struct node *node, const struct node_bo *bo, unsigned at, unsigned count, uint32_t wait,
                uint64_t wait_point, uint32_t signal, uint64_t signal_point)
{
    struct nouveau_exec_push push = {bo->va + at * UINT64_C(4), count * 4, 0};
    struct nouveau_sync waits = {wait_point ? SYNC_TIMELINE : SYNC_SYNCOBJ, wait, wait_point};
    struct nouveau_sync signals = {signal_point ? SYNC_TIMELINE : SYNC_SYNCOBJ, signal, signal_point};
    struct nouveau_exec_args args = {.channel = node->channel,
                                     .push_count = 1,
                                     .wait_count = wait != 0,
                                     .signal_count = signal != 0,
                                     .waits = (uintptr_t)&waits,
                                     .signals = (uintptr_t)&signals,
                                     .pushes = (uintptr_t)&push};
    if (!node->managed)
        return push_legacy(node, bo, at, count);
    return node_ioctl(node->fd, DRM_NOUVEAU_EXEC, &args, sizeof args);
}
