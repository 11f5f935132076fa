/* Lifetimes of what clients share, and clients that behave as none should. */
#include "drm/case.h"

#include "drm/protocol.h"
#include "drm/transport.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

static int connect_raw(void)
{
    const char *path = getenv(ET_DRM_SOCKET);
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (!path || fd < 0 || strlen(path) >= sizeof address.sun_path)
        return -1;
    strcpy(address.sun_path, path);
    return connect(fd, (struct sockaddr *)&address, sizeof address) ? -1 : fd;
}

static int talk(const void *bytes, size_t size)
{
    const int fd = connect_raw();
    WANT(fd >= 0 && send(fd, bytes, size, MSG_NOSIGNAL) == (ssize_t)size);
    close(fd);
    return 0;
}

/* Messages that no shim sends. */
int case_nonsense(char **arguments)
{
    uint32_t noise[64];
    struct et_drm_request request = {ET_DRM_MAGIC, DRM_NOUVEAU_EXEC, 1, 16, 0, 0, 0};
    (void)arguments;
    for (unsigned i = 0; i < 64; i++)
        noise[i] = i * UINT32_C(2654435761);
    WANT(!talk(noise, sizeof noise) && !talk(noise, 3));
    WANT(!talk(&request, sizeof request)); /* the body never comes */
    request.size = request.arrays = UINT32_MAX;
    WANT(!talk(&request, sizeof request));
    request = (struct et_drm_request){.magic = ET_DRM_MAGIC, .nr = DRM_NOUVEAU_EXEC, .file = 12345};
    WANT(!talk(&request, sizeof request));
    return live(true, 91);
}

/* Clients that stop in the middle of a message, or never read an answer, and stay: a server that waits for
 * any of them does not get to the next one in a test's time. */
int case_stalled(char **arguments)
{
    enum { STALLED = 120 };
    struct {
        struct et_drm_request request;
        uint8_t body[40];
    } message = {{ET_DRM_MAGIC, DRM_NOUVEAU_GETPARAM, 1, 40, 0, 0, 0}, {0}};
    int fds[STALLED];
    (void)arguments;
    for (unsigned i = 0; i < STALLED; i++) {
        size_t size = i % sizeof message;
        fds[i] = connect_raw();
        WANT(fds[i] >= 0);
        WANT(!size || send(fds[i], &message, size, MSG_NOSIGNAL) == (ssize_t)size);
        /* Requests until the socket is full, and no answer read. */
        if (i % 8 == 7)
            while (send(fds[i], &message, sizeof message, MSG_NOSIGNAL | MSG_DONTWAIT) > 0)
                ;
    }
    WANT(!live(true, 101) && !live(false, 102));
    for (unsigned i = 0; i < STALLED; i++)
        close(fds[i]);
    return live(true, 103);
}

static uint64_t memory_used(const struct node *node)
{
    struct nouveau_getparam_args args = {.param = 19};
    return node_ioctl(node->fd, DRM_NOUVEAU_GETPARAM, &args, sizeof args) ? 0 : args.value;
}

static int unmap(const struct node *node, const struct node_bo *bo)
{
    struct nouveau_vm_bind_op op = {VM_BIND_UNMAP, 0, 0, 0, bo->va, 0, bo->size};
    struct nouveau_vm_bind_args bind = {.op_count = 1, .ops = (uintptr_t)&op};
    return node_ioctl(node->fd, DRM_NOUVEAU_VM_BIND, &bind, sizeof bind);
}

/* A buffer lives as long as a handle, a mapping or a descriptor of it, and no longer. */
int case_exported(char **arguments)
{
    struct node node;
    struct node_bo bo;
    struct drm_prime_args prime = {0};
    uint64_t before;
    int copy;
    uint32_t *words;
    (void)arguments;
    WANT(!node_open(&node, true));
    before = memory_used(&node);
    WANT(before && !node_bo(&node, PAGE, &bo) && memory_used(&node) == before + PAGE);
    bo.words[3] = 33;
    prime.handle = bo.handle;
    WANT(!node_ioctl(node.fd, DRM_PRIME_HANDLE_TO_FD, &prime, sizeof prime) && prime.fd >= 0);
    WANT(!unmap(&node, &bo) && !node_bo_close(&node, &bo));
    WANT(memory_used(&node) == before + PAGE);
    copy = dup(prime.fd);
    close(prime.fd);
    WANT(memory_used(&node) == before + PAGE);
    words = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, copy, 0);
    WANT(words != MAP_FAILED && words[3] == 33);
    WANT(lseek(copy, 0, SEEK_END) == (off_t)PAGE && !lseek(copy, 0, SEEK_SET) &&
         lseek(copy, 1, SEEK_SET) < 0);
    prime = (struct drm_prime_args){.fd = copy};
    WANT(!node_ioctl(node.fd, DRM_PRIME_FD_TO_HANDLE, &prime, sizeof prime));
    close(copy);
    WANT(memory_used(&node) == before + PAGE);
    bo.handle = prime.handle;
    bo.words = words;
    WANT(!node_bo_close(&node, &bo) && memory_used(&node) == before);
    /* By the hundred, with the exporter dead. */
    for (unsigned i = 0; i < 300; i++) {
        struct node other;
        WANT(!node_open(&other, i & 1) && !node_bo(&other, PAGE, &bo));
        prime.handle = bo.handle;
        WANT(!node_ioctl(other.fd, DRM_PRIME_HANDLE_TO_FD, &prime, sizeof prime));
        munmap(bo.words, PAGE);
        close(other.fd);
        WANT(memory_used(&node) == before + PAGE);
        close(prime.fd);
    }
    WANT(memory_used(&node) == before);
    return 0;
}

static int sync_file(const struct node *node, uint32_t handle)
{
    struct syncobj_handle_args args = {.handle = handle, .flags = SYNCOBJ_SYNC_FILE};
    return node_ioctl(node->fd, DRM_SYNCOBJ_HANDLE_TO_FD, &args, 16) ? -1 : args.fd;
}

static bool readable(int fd, int timeout)
{
    struct pollfd set = {fd, POLLIN, 0};
    return poll(&set, 1, timeout) == 1 && set.revents & POLLIN;
}

static int merge(int first, int second)
{
    struct {
        char name[32];
        int32_t second, fence;
        uint32_t flags, pad;
    } args = {.second = second};
    return ioctl(first, _IOC(_IOC_READ | _IOC_WRITE, '>', 3, sizeof args), &args) ? -1 : args.fence;
}

/* Sync files are readable when their fences are signalled; a merged one when both are. */
int case_merged(char **arguments)
{
    struct node nodes[2];
    struct node_bo bos[2];
    uint32_t done[2];
    int fds[3];
    (void)arguments;
    for (unsigned i = 0; i < 2; i++) {
        WANT(!node_open(&nodes[i], true) && !node_bo(&nodes[i], PAGE, &bos[i]));
        WANT(!node_syncobj(&nodes[i], false, &done[i]));
        WANT(!node_submit(&nodes[i], &bos[i], 0, node_acquire(bos[i].words, bos[i].va + RESULT * 4, 1), 0, 0,
                          done[i], 0));
        fds[i] = sync_file(&nodes[i], done[i]);
        WANT(fds[i] >= 0 && !readable(fds[i], 0));
    }
    fds[2] = merge(fds[0], fds[1]);
    WANT(fds[2] >= 0 && !readable(fds[2], 0));
    __atomic_store_n(&bos[0].words[RESULT], 1, __ATOMIC_RELEASE);
    WANT(readable(fds[0], -1) && !readable(fds[1], 0) && !readable(fds[2], 20));
    close(fds[1]); /* the merged one keeps what it needs */
    __atomic_store_n(&bos[1].words[RESULT], 1, __ATOMIC_RELEASE);
    WANT(readable(fds[2], -1));
    fds[1] = merge(fds[0], fds[2]);
    WANT(fds[1] >= 0 && readable(fds[1], 0));
    WANT(merge(fds[0], STDIN_FILENO) < 0 && merge(nodes[0].fd, fds[0]) < 0);
    return 0;
}

/* A global name ends with the last handle, and its number is used again. */
int case_names(char **arguments)
{
    struct node node, other;
    struct node_bo bo;
    struct drm_gem_flink_args flink;
    struct drm_gem_open_args by_name;
    uint64_t before;
    (void)arguments;
    WANT(!node_open(&node, false) && !node_open(&other, false));
    before = memory_used(&node);
    for (unsigned i = 0; i < 50; i++) {
        WANT(!node_bo(&node, PAGE, &bo));
        flink = (struct drm_gem_flink_args){bo.handle, 0};
        WANT(!node_ioctl(node.fd, DRM_GEM_FLINK, &flink, sizeof flink) && flink.name == 1);
        by_name = (struct drm_gem_open_args){flink.name, 0, 0};
        WANT(!node_ioctl(other.fd, DRM_GEM_OPEN, &by_name, sizeof by_name) && by_name.size == PAGE);
        WANT(!node_bo_close(&node, &bo));
        WANT(!node_ioctl(other.fd, DRM_GEM_OPEN, &by_name, sizeof by_name));
        WANT(!node_ioctl(other.fd, DRM_GEM_CLOSE, &(struct drm_gem_close_args){by_name.handle, 0}, 8));
        WANT(node_ioctl(other.fd, DRM_GEM_OPEN, &by_name, sizeof by_name) == ENOENT);
        WANT(memory_used(&node) == before);
    }
    return 0;
}

/* A change of mappings waits for its fences: queued, or in the call. */
int case_queued(char **arguments)
{
    struct node node;
    struct node_bo bo, target;
    struct nouveau_vm_bind_op op;
    uint32_t done, bound;
    struct nouveau_sync wait = {SYNC_SYNCOBJ, 0, 0}, signal = {SYNC_SYNCOBJ, 0, 0};
    struct nouveau_vm_bind_args bind = {.op_count = 1,
                                        .flags = VM_BIND_RUN_ASYNC,
                                        .wait_count = 1,
                                        .signal_count = 1,
                                        .waits = (uintptr_t)&wait,
                                        .signals = (uintptr_t)&signal,
                                        .ops = (uintptr_t)&op};
    unsigned count;
    pid_t child;
    int status;
    (void)arguments;
    WANT(!node_open(&node, true) && !node_bo(&node, 2 * PAGE, &bo) && !node_bo(&node, PAGE, &target));
    WANT(!node_syncobj(&node, false, &done) && !node_syncobj(&node, false, &bound));
    wait.handle = done;
    signal.handle = bound;
    op = (struct nouveau_vm_bind_op){VM_BIND_MAP, 0, target.handle, 0, bo.va + PAGE, 0, PAGE};
    WANT(node_ioctl(node.fd, DRM_NOUVEAU_VM_BIND, &bind, sizeof bind) == EINVAL); /* never submitted */
    /* The first writes where the bind goes, held by the CPU; the third is the same after it. */
    count = node_acquire(bo.words, bo.va + RESULT * 4, 1);
    count += node_release(bo.words + count, bo.va + PAGE, 7);
    WANT(!node_submit(&node, &bo, 0, count, 0, 0, done, 0));
    WANT(!node_ioctl(node.fd, DRM_NOUVEAU_VM_BIND, &bind, sizeof bind));
    /* The buffer is kept by what is queued. */
    WANT(!node_ioctl(node.fd, DRM_GEM_CLOSE, &(struct drm_gem_close_args){target.handle, 0}, 8));
    WANT(node_wait(&node, bound, 0, WAIT_ALL, SHORT) == ETIME);
    __atomic_store_n(&bo.words[RESULT], 1, __ATOMIC_RELEASE);
    WANT(!node_wait(&node, bound, 0, WAIT_ALL, LONG));
    WANT(bo.words[PAGE / 4] == 7 && !target.words[0]);
    count = node_release(bo.words + 32, bo.va + PAGE, 8);
    WANT(!node_submit(&node, &bo, 32, count, bound, 0, done, 0));
    WANT(!node_wait(&node, done, 0, WAIT_ALL, LONG));
    WANT(bo.words[PAGE / 4] == 7 && target.words[0] == 8);
    /* Not asynchronous: the caller waits. */
    bo.words[RESULT] = 0;
    WANT(!node_submit(&node, &bo, 0, node_acquire(bo.words, bo.va + RESULT * 4, 1), 0, 0, done, 0));
    bind.flags = 0;
    op.op = VM_BIND_UNMAP;
    child = fork();
    if (!child)
        _exit(node_ioctl(node.fd, DRM_NOUVEAU_VM_BIND, &bind, sizeof bind));
    usleep(20000);
    WANT(!waitpid(child, &status, WNOHANG));
    __atomic_store_n(&bo.words[RESULT], 1, __ATOMIC_RELEASE);
    WANT(waitpid(child, &status, 0) == child && !status);
    return 0;
}

/* A freed channel takes its work along, and its number means a new one. */
int case_released(char **arguments)
{
    struct node node;
    struct node_bo bo;
    uint32_t done, second;
    unsigned count;
    struct nouveau_channel_free_args gone;
    struct nouveau_channel_alloc_args again = {.fb = ~0u, .tt = 1};
    (void)arguments;
    WANT(!node_open(&node, true) && !node_bo(&node, PAGE, &bo));
    WANT(!node_syncobj(&node, false, &done) && !node_syncobj(&node, false, &second));
    count = node_acquire(bo.words, bo.va + RESULT * 4, 1);
    WANT(!node_submit(&node, &bo, 0, count, 0, 0, done, 0));
    WANT(!node_submit(&node, &bo, 0, count, done, 0, second, 0));
    gone.channel = (int32_t)node.channel;
    WANT(!node_ioctl(node.fd, DRM_NOUVEAU_CHANNEL_FREE, &gone, sizeof gone));
    WANT(!node_wait(&node, done, 0, WAIT_ALL, LONG) && !node_wait(&node, second, 0, WAIT_ALL, LONG));
    WANT(node_submit(&node, &bo, 0, count, 0, 0, 0, 0) == ENOENT);
    WANT(node_ioctl(node.fd, DRM_NOUVEAU_CHANNEL_FREE, &gone, sizeof gone) == ENOENT);
    WANT(!node_ioctl(node.fd, DRM_NOUVEAU_CHANNEL_ALLOC, &again, sizeof again));
    WANT(again.channel == gone.channel);
    return write_word(&node, &bo, 111);
}

/* Two legacy files have one buffer at different addresses; a buffer closed with work in flight stays mapped.
 */
int case_shared_legacy(char **arguments)
{
    struct node a, b;
    struct node_bo padding, bo, there;
    struct drm_prime_args prime = {0};
    struct nouveau_gem_info info;
    struct nouveau_cpu_prep_args prep;
    unsigned count;
    uint64_t before;
    (void)arguments;
    WANT(!node_open(&a, false) && !node_open(&b, false));
    WANT(!node_bo(&b, 5 * PAGE, &padding) && !node_bo(&a, PAGE, &bo));
    prime.handle = bo.handle;
    WANT(!node_ioctl(a.fd, DRM_PRIME_HANDLE_TO_FD, &prime, sizeof prime));
    WANT(!node_ioctl(b.fd, DRM_PRIME_FD_TO_HANDLE, &prime, sizeof prime));
    close(prime.fd);
    info = (struct nouveau_gem_info){.handle = prime.handle};
    WANT(!node_ioctl(b.fd, DRM_NOUVEAU_GEM_INFO, &info, sizeof info) && info.offset != bo.va);
    there = (struct node_bo){prime.handle, PAGE, info.offset, bo.words};
    WANT(!write_word(&b, &there, 121) && !write_word(&a, &bo, 122));
    before = memory_used(&a);
    WANT(!node_bo(&a, PAGE, &there));
    count = node_acquire(bo.words, bo.va + RESULT * 4, 1);
    count += node_release(bo.words + count, there.va, 9);
    count += node_release(bo.words + count, bo.va + RESULT * 4 + 4, 10);
    bo.words[RESULT] = 0;
    WANT(!node_submit(&a, &bo, 0, count, 0, 0, 0, 0));
    WANT(!node_ioctl(a.fd, DRM_GEM_CLOSE, &(struct drm_gem_close_args){there.handle, 0}, 8));
    WANT(memory_used(&a) == before + PAGE);
    __atomic_store_n(&bo.words[RESULT], 1, __ATOMIC_RELEASE);
    prep = (struct nouveau_cpu_prep_args){bo.handle, 0};
    WANT(!node_ioctl(a.fd, DRM_NOUVEAU_GEM_CPU_PREP, &prep, sizeof prep));
    WANT(bo.words[RESULT + 1] == 10 && memory_used(&a) == before);
    WANT(!write_word(&a, &bo, 123));
    /* Addresses come back: a terabyte's worth passes through. */
    for (unsigned i = 0; i < 1100; i++) {
        WANT(!node_bo(&a, UINT64_C(1) << 30, &there));
        munmap(there.words, there.size);
        WANT(!node_ioctl(a.fd, DRM_GEM_CLOSE, &(struct drm_gem_close_args){there.handle, 0}, 8));
    }
    return write_word(&a, &bo, 124);
}

static int ask(uint32_t nr, int *reply_fd)
{
    struct et_drm_request request = {.magic = ET_DRM_MAGIC, .nr = nr};
    struct et_drm_reply reply;
    struct et_drm_transfer out = {{{&request, sizeof request}}, 0, -1},
                           in = {{{&reply, sizeof reply}}, 0, -1};
    const int fd = connect_raw();
    WANT(fd >= 0 && et_drm_send_all(fd, &out) && et_drm_receive_all(fd, &in));
    *reply_fd = in.fd;
    close(fd);
    return reply.result;
}

/* The server's memory cannot be taken away from under it. */
int case_sealed(char **arguments)
{
    int ram, progress;
    (void)arguments;
    WANT(!ask(ET_DRM_HELLO, &ram) && ram >= 0 && !ask(ET_DRM_PROGRESS, &progress) && progress >= 0);
    WANT(ftruncate(ram, 0) && ftruncate(progress, 0));
    return live(true, 131);
}

/* A program that closes all it did not open, and uses the numbers for something else. */
int case_closed(char **arguments)
{
    struct node node;
    struct node_bo bo;
    int files[2];
    char byte;
    (void)arguments;
    WANT(!live(true, 141));
    for (int fd = 3; fd < 1000; fd++)
        close(fd);
    WANT(!pipe(files));
    for (int fd = 900; fd < 920; fd++)
        WANT(dup2(files[1], fd) == fd);
    WANT(!node_open(&node, true) && !node_bo(&node, PAGE, &bo) && !write_word(&node, &bo, 142));
    WANT(fcntl(files[0], F_SETFL, O_NONBLOCK) == 0 && read(files[0], &byte, 1) < 0);
    return 0;
}

/* More files than the server takes, more work than it keeps: refused or held back, and the next one served.
 */
int case_crowd(char **arguments)
{
    struct node node;
    struct node_bo bo;
    uint32_t done;
    pid_t child;
    int status, opened = 0, fds[600];
    (void)arguments;
    while (opened < 600 && (fds[opened] = open(NODE_PATH, O_RDWR | O_CLOEXEC)) >= 0)
        opened++;
    WANT(opened == 600);
    for (int i = 0; i < opened; i++)
        close(fds[i]);
    WANT(!node_open(&node, true) && !node_bo(&node, PAGE, &bo) && !node_syncobj(&node, false, &done));
    child = fork();
    if (!child) { /* does not end by itself: the first one is never met */
        const unsigned count = node_acquire(bo.words, bo.va + RESULT * 4, 1);
        while (!node_submit(&node, &bo, 0, count, 0, 0, done, 0))
            ;
        _exit(1);
    }
    WANT(!live(true, 151) && !live(false, 152));
    usleep(200000);
    WANT(!waitpid(child, &status, WNOHANG));
    __atomic_store_n(&bo.words[RESULT], 1, __ATOMIC_RELEASE); /* and goes on */
    usleep(20000);
    WANT(!waitpid(child, &status, WNOHANG));
    kill(child, SIGKILL);
    WANT(waitpid(child, &status, 0) == child);
    return write_word(&node, &bo, 153);
}
