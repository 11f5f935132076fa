/* A small driver of the render node for tests: opens, allocates, maps, submits host methods, waits. Each call
 * returns 0 or a positive errno, so that a case can say which one it wants. */
#ifndef ET_TESTS_DRM_NODE_H
#define ET_TESTS_DRM_NODE_H

#include "drm/uapi.h"

#include <stdbool.h>
#include <stddef.h>

#define NODE_PATH "/dev/dri/renderD128"

struct node {
    int fd;
    uint32_t channel;
    bool managed;
    uint64_t next_va;
};

struct node_bo {
    uint32_t handle;
    uint64_t size, va;
    uint32_t *words;
};

int node_ioctl(int fd, unsigned nr, void *body, size_t size);
/* Opens the node; managed: with VM_INIT; and a channel. */
int node_open(struct node *node, bool managed);
/* On a descriptor that is open already. */
int node_attach(struct node *node, int fd, bool managed);
int node_bo(struct node *node, uint64_t size, struct node_bo *bo);
int node_bo_close(struct node *node, const struct node_bo *bo);

int node_syncobj(const struct node *node, bool signalled, uint32_t *handle);
int node_wait(const struct node *node, uint32_t handle, uint64_t point, uint32_t flags, int64_t after_ns);
int64_t node_after(int64_t ns); /* a deadline */

/* Words of a host semaphore at a VA, appended at `words`; both return the count of words. */
unsigned node_release(uint32_t *words, uint64_t va, uint32_t value);
unsigned node_acquire(uint32_t *words, uint64_t va, uint32_t value);

/* EXEC or GEM_PUSHBUF of `count` words at the buffer's word `at`. Syncobj 0: none. */
int node_submit(const struct node *node, const struct node_bo *bo, unsigned at, unsigned count, uint32_t wait,
                uint64_t wait_point, uint32_t signal, uint64_t signal_point);

#endif
