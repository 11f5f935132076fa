/* Clients of the render node, a case a run: `etalon run -- drm-client CASE`. Exit 0: as a kernel would have
 * done; else the line that saw something else goes to stderr. */
#include "drm/case.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

/* A release of `value` into the buffer's own result word, submitted; waited for when `wait`. */
int write_word(const struct node *node, const struct node_bo *bo, uint32_t value)
{
    const unsigned count = node_release(bo->words, bo->va + RESULT * 4, value);
    uint32_t done = 0;
    struct nouveau_cpu_prep_args prep = {bo->handle, 0};
    WANT(!node->managed || !node_syncobj(node, false, &done));
    WANT(!node_submit(node, bo, 0, count, 0, 0, done, 0));
    if (node->managed)
        WANT(!node_wait(node, done, 0, WAIT_ALL, LONG));
    else
        WANT(!node_ioctl(node->fd, DRM_NOUVEAU_GEM_CPU_PREP, &prep, sizeof prep));
    WANT(bo->words[RESULT] == value);
    return 0;
}

int live(bool managed, uint32_t value)
{
    struct node node;
    struct node_bo bo;
    WANT(!node_open(&node, managed));
    WANT(!node_bo(&node, PAGE, &bo));
    WANT(!write_word(&node, &bo, value));
    close(node.fd);
    return 0;
}

static int identity(char **arguments)
{
    char name[32] = "", link[256];
    struct drm_version_args version = {.name = (uintptr_t)name, .name_length = sizeof name - 1};
    struct drm_cap_args cap = {.capability = 0x14};
    struct {
        struct nvif_args head;
        struct nvif_method method;
        struct nvif_device_info info;
    } device = {.head = {.type = NVIF_MTHD}};
    struct nouveau_getparam_args unknown = {.param = 9999};
    struct stat info;
    const int fd = open(NODE_PATH, O_RDWR);
    WANT(fd >= 0);
    WANT(!node_ioctl(fd, DRM_VERSION, &version, sizeof version) && !strcmp(name, "nouveau"));
    WANT(!fstat(fd, &info) && S_ISCHR(info.st_mode) && info.st_rdev == makedev(226, 128));
    WANT(!stat(NODE_PATH, &info) && S_ISCHR(info.st_mode) && info.st_rdev == makedev(226, 128));
    WANT(readlink("/sys/dev/char/226:128/device/subsystem", link, sizeof link) > 0);
    WANT(!node_ioctl(fd, DRM_GET_CAP, &cap, sizeof cap) && cap.value == 1);
    WANT(node_ioctl(fd, DRM_NOUVEAU_GETPARAM, &unknown, sizeof unknown) == EINVAL);
    WANT(!node_ioctl(fd, DRM_NOUVEAU_NVIF, &device, sizeof device));
    WANT(device.info.chipset == strtoul(arguments[0] ? arguments[0] : "", NULL, 16));
    WANT(device.info.ram_user > 0);
    WANT(node_ioctl(fd, 0x5f, &unknown, sizeof unknown) == ENOTTY);
    return 0;
}

/* The classes of a channel, highest by family as drivers look for them. */
static int classes(char **arguments)
{
    struct {
        struct nvif_args head;
        struct {
            uint8_t version, count, pad[6];
            struct {
                int32_t oclass;
                int16_t min_version, max_version;
            } item[16];
        } list;
    } args = {.list = {.count = 16}};
    struct node node;
    bool found = false;
    WANT(!node_open(&node, true));
    args.head = (struct nvif_args){.type = NVIF_SCLASS, .route = NVIF_ROUTE_CHANNEL, .token = node.channel};
    WANT(!node_ioctl(node.fd, DRM_NOUVEAU_NVIF, &args, sizeof args));
    WANT(args.list.count == 5);
    for (unsigned i = 0; i < args.list.count; i++)
        found |= args.list.item[i].oclass == (int)strtol(arguments[0] ? arguments[0] : "", NULL, 16);
    WANT(found);
    return 0;
}

static int memory(char **arguments)
{
    struct node node;
    struct node_bo bo, other;
    struct nouveau_gem_info info;
    uint32_t *again;
    (void)arguments;
    WANT(!node_open(&node, true));
    WANT(!node_bo(&node, 3 * PAGE, &bo));
    WANT(!bo.words[0] && !bo.words[3 * PAGE / 4 - 1]);
    info = (struct nouveau_gem_info){.handle = bo.handle};
    WANT(!node_ioctl(node.fd, DRM_NOUVEAU_GEM_INFO, &info, sizeof info) && info.size == 3 * PAGE);
    again = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, node.fd, (off_t)info.map_handle);
    WANT(again != MAP_FAILED);
    bo.words[5] = 77;
    WANT(again[5] == 77);
    munmap(again, PAGE);
    WANT(!write_word(&node, &bo, 0x1234));
    WANT(!node_bo_close(&node, &bo));
    WANT(node_ioctl(node.fd, DRM_NOUVEAU_GEM_INFO, &info, sizeof info) == ENOENT);
    /* What a freed buffer held is not seen again. */
    WANT(!node_bo(&node, 3 * PAGE, &other));
    WANT(!other.words[5] && !other.words[RESULT]);
    return 0;
}

/* Mappings: replaced, cut, unmapped; a push through what is gone loses the device and nothing else. */
static int mappings(char **arguments)
{
    struct node node;
    struct node_bo a, b;
    struct nouveau_vm_bind_op op;
    struct nouveau_vm_bind_args bind = {.op_count = 1, .ops = (uintptr_t)&op};
    uint32_t done;
    (void)arguments;
    WANT(!node_open(&node, true));
    WANT(!node_bo(&node, 2 * PAGE, &a) && !node_bo(&node, 2 * PAGE, &b));
    /* b's second page over a's second page: a release through a's address writes b. */
    op = (struct nouveau_vm_bind_op){VM_BIND_MAP, 0, b.handle, 0, a.va + PAGE, PAGE, PAGE};
    WANT(!node_ioctl(node.fd, DRM_NOUVEAU_VM_BIND, &bind, sizeof bind));
    WANT(!node_syncobj(&node, false, &done));
    WANT(!node_submit(&node, &a, 0, node_release(a.words, a.va + PAGE + 16, 9), 0, 0, done, 0));
    WANT(!node_wait(&node, done, 0, WAIT_ALL, LONG));
    WANT(b.words[PAGE / 4 + 4] == 9 && a.words[PAGE / 4 + 4] == 0);
    /* The buffer lives on in its mapping when the handle is closed. */
    WANT(!node_bo_close(&node, &b));
    WANT(!node_submit(&node, &a, 0, node_release(a.words, a.va + PAGE + 20, 10), 0, 0, done, 0));
    WANT(!node_wait(&node, done, 0, WAIT_ALL, LONG));
    op.address |= 1;
    WANT(node_ioctl(node.fd, DRM_NOUVEAU_VM_BIND, &bind, sizeof bind) == EINVAL);
    op = (struct nouveau_vm_bind_op){VM_BIND_MAP, 0, a.handle, 0, a.va, PAGE, 2 * PAGE};
    WANT(node_ioctl(node.fd, DRM_NOUVEAU_VM_BIND, &bind, sizeof bind) == EINVAL);
    return 0;
}

static int life(char **arguments)
{
    (void)arguments;
    return live(true, 5) || live(false, 6);
}

static int deadlines(char **arguments)
{
    struct node node;
    struct node_bo bo;
    uint32_t done, never;
    unsigned count;
    (void)arguments;
    WANT(!node_open(&node, true));
    WANT(!node_bo(&node, PAGE, &bo));
    WANT(!node_syncobj(&node, false, &done) && !node_syncobj(&node, false, &never));
    WANT(node_wait(&node, never, 0, WAIT_ALL, SHORT) == EINVAL);
    WANT(node_wait(&node, never, 0, WAIT_ALL | WAIT_FOR_SUBMIT, SHORT) == ETIME);
    WANT(node_wait(&node, 4711, 0, WAIT_ALL, SHORT) == ENOENT);
    /* Held by a word in memory that the CPU writes later. */
    count = node_acquire(bo.words, bo.va + RESULT * 4, 3);
    count += node_release(bo.words + count, bo.va + RESULT * 4 + 4, 4);
    WANT(!node_submit(&node, &bo, 0, count, 0, 0, done, 0));
    WANT(node_wait(&node, done, 0, WAIT_ALL, SHORT) == ETIME);
    WANT(node_wait(&node, done, 0, WAIT_ALL, -1) == ETIME);
    WANT(!bo.words[RESULT + 1]);
    __atomic_store_n(&bo.words[RESULT], 3, __ATOMIC_RELEASE);
    WANT(!node_wait(&node, done, 0, WAIT_ALL, LONG));
    WANT(bo.words[RESULT + 1] == 4);
    return 0;
}

struct waiter {
    const struct node *node;
    uint32_t handle;
    uint64_t point;
    int result;
};

static void *wait_in_thread(void *context)
{
    struct waiter *waiter = context;
    waiter->result = node_wait(waiter->node, waiter->handle, waiter->point, WAIT_ALL | WAIT_FOR_SUBMIT, LONG);
    return NULL;
}

static int threads(char **arguments)
{
    enum { WAITERS = 6 };
    struct node node;
    struct node_bo bo;
    struct waiter waiters[WAITERS];
    pthread_t thread[WAITERS];
    uint32_t timeline;
    uint64_t point = 0;
    struct syncobj_timeline_array_args query = {.points = (uintptr_t)&point, .count = 1};
    (void)arguments;
    WANT(!node_open(&node, true));
    WANT(!node_bo(&node, PAGE, &bo));
    WANT(!node_syncobj(&node, false, &timeline));
    for (unsigned i = 0; i < WAITERS; i++) {
        waiters[i] = (struct waiter){&node, timeline, i + 1, -1};
        WANT(!pthread_create(&thread[i], NULL, wait_in_thread, &waiters[i]));
    }
    usleep(20000);
    for (unsigned i = 0; i < WAITERS; i++) {
        const unsigned count = node_release(bo.words + 8 * i, bo.va + (RESULT + i) * 4, i + 1);
        WANT(!node_submit(&node, &bo, 8 * i, count, i ? timeline : 0, i, timeline, i + 1));
    }
    for (unsigned i = 0; i < WAITERS; i++) {
        WANT(!pthread_join(thread[i], NULL));
        WANT(!waiters[i].result && bo.words[RESULT + i] == i + 1);
    }
    query.handles = (uintptr_t)&timeline;
    WANT(!node_ioctl(node.fd, DRM_SYNCOBJ_QUERY, &query, sizeof query) && point == WAITERS);
    return 0;
}

/* A submission that waits for another file's fence, through a sync file and through a shared syncobj. */
static int fences(char **arguments)
{
    struct node a, b;
    struct node_bo first, second;
    uint32_t done, imported, end;
    struct syncobj_handle_args shared = {0};
    struct syncobj_eventfd_args event = {0};
    unsigned count;
    uint64_t counted;
    (void)arguments;
    WANT(!node_open(&a, true) && !node_open(&b, true));
    WANT(!node_bo(&a, PAGE, &first) && !node_bo(&b, PAGE, &second));
    WANT(!node_syncobj(&a, false, &done) && !node_syncobj(&b, false, &imported) &&
         !node_syncobj(&b, false, &end));
    count = node_acquire(first.words, first.va + RESULT * 4, 1);
    WANT(!node_submit(&a, &first, 0, count, 0, 0, done, 0));
    shared = (struct syncobj_handle_args){.handle = done, .flags = SYNCOBJ_SYNC_FILE};
    WANT(!node_ioctl(a.fd, DRM_SYNCOBJ_HANDLE_TO_FD, &shared, 16) && shared.fd >= 0);
    shared.handle = imported;
    WANT(!node_ioctl(b.fd, DRM_SYNCOBJ_FD_TO_HANDLE, &shared, 16));
    close(shared.fd);
    count = node_release(second.words, second.va + RESULT * 4, 2);
    WANT(!node_submit(&b, &second, 0, count, imported, 0, end, 0));
    event = (struct syncobj_eventfd_args){.handle = end, .fd = eventfd(0, EFD_CLOEXEC)};
    WANT(!node_ioctl(b.fd, DRM_SYNCOBJ_EVENTFD, &event, sizeof event));
    WANT(node_wait(&b, end, 0, WAIT_ALL, SHORT) == ETIME && !second.words[RESULT]);
    __atomic_store_n(&first.words[RESULT], 1, __ATOMIC_RELEASE);
    WANT(!node_wait(&b, end, 0, WAIT_ALL, LONG) && second.words[RESULT] == 2);
    WANT(read(event.fd, &counted, sizeof counted) == sizeof counted && counted == 1);
    shared = (struct syncobj_handle_args){.handle = done};
    WANT(!node_ioctl(a.fd, DRM_SYNCOBJ_HANDLE_TO_FD, &shared, 16) && shared.fd >= 0);
    WANT(!node_ioctl(b.fd, DRM_SYNCOBJ_FD_TO_HANDLE, &shared, 16));
    WANT(!node_wait(&b, shared.handle, 0, WAIT_ALL, 0));
    return 0;
}

static int sharing(char **arguments)
{
    struct node a, b;
    struct node_bo bo;
    struct drm_prime_args prime = {0};
    struct drm_gem_flink_args flink;
    struct drm_gem_open_args by_name;
    struct nouveau_gem_info info;
    uint32_t *there, *direct, handle;
    (void)arguments;
    WANT(!node_open(&a, true) && !node_open(&b, true));
    WANT(!node_bo(&a, PAGE, &bo));
    prime.handle = bo.handle;
    WANT(!node_ioctl(a.fd, DRM_PRIME_HANDLE_TO_FD, &prime, sizeof prime) && prime.fd >= 0);
    WANT(lseek(prime.fd, 0, SEEK_END) == (off_t)PAGE);
    prime.handle = 0;
    WANT(!node_ioctl(b.fd, DRM_PRIME_FD_TO_HANDLE, &prime, sizeof prime));
    handle = prime.handle;
    WANT(!node_ioctl(b.fd, DRM_PRIME_FD_TO_HANDLE, &prime, sizeof prime) && prime.handle == handle);
    info = (struct nouveau_gem_info){.handle = handle};
    WANT(!node_ioctl(b.fd, DRM_NOUVEAU_GEM_INFO, &info, sizeof info) && info.size == PAGE);
    there = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, b.fd, (off_t)info.map_handle);
    direct = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, prime.fd, 0);
    WANT(there != MAP_FAILED && direct != MAP_FAILED);
    WANT(!write_word(&a, &bo, 0xabcd));
    WANT(there[RESULT] == 0xabcd && direct[RESULT] == 0xabcd);
    direct[7] = 8;
    WANT(bo.words[7] == 8);
    flink = (struct drm_gem_flink_args){bo.handle, 0};
    WANT(!node_ioctl(a.fd, DRM_GEM_FLINK, &flink, sizeof flink));
    by_name = (struct drm_gem_open_args){flink.name, 0, 0};
    WANT(!node_ioctl(b.fd, DRM_GEM_OPEN, &by_name, sizeof by_name) && by_name.handle == handle);
    /* The exporter's end does not take the buffer along. */
    close(a.fd);
    WANT(there[RESULT] == 0xabcd);
    prime = (struct drm_prime_args){.fd = STDIN_FILENO};
    WANT(node_ioctl(b.fd, DRM_PRIME_FD_TO_HANDLE, &prime, sizeof prime) == EINVAL);
    return 0;
}

static int ended_well(pid_t child)
{
    int status = 0;
    return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && !WEXITSTATUS(status);
}

/* Both sides of a fork use the open file, and the child opens its own. */
static int forked(char **arguments)
{
    struct node node;
    struct node_bo bo, own;
    pid_t child;
    (void)arguments;
    WANT(!node_open(&node, true));
    WANT(!node_bo(&node, PAGE, &bo));
    child = fork();
    if (!child) {
        node.next_va += 64 * PAGE;
        _exit(node_bo(&node, PAGE, &own) || write_word(&node, &own, 21) || live(true, 22) || live(false, 23));
    }
    for (uint32_t i = 1; i < 50; i++)
        WANT(!write_word(&node, &bo, i));
    WANT(ended_well(child));
    WANT(!write_word(&node, &bo, 99));
    return 0;
}

static int duplicated(char **arguments)
{
    struct node node;
    struct node_bo bo;
    int copy;
    (void)arguments;
    WANT(!node_open(&node, true));
    WANT(!node_bo(&node, PAGE, &bo));
    copy = fcntl(node.fd, F_DUPFD_CLOEXEC, 100);
    WANT(copy >= 100);
    close(node.fd);
    node.fd = copy;
    WANT(!write_word(&node, &bo, 31));
    return 0;
}

/* The open file passes to another program. */
static int executed(char **arguments)
{
    char number[16];
    struct node node;
    pid_t child;
    (void)arguments;
    node.fd = open(NODE_PATH, O_RDWR);
    WANT(node.fd >= 0);
    snprintf(number, sizeof number, "%d", node.fd);
    child = fork();
    if (!child) {
        execl("/proc/self/exe", "drm-client", "inherited", number, (char *)NULL);
        _exit(1);
    }
    WANT(ended_well(child));
    /* What the child made is still there: the address space is the file's. */
    WANT(node_attach(&node, node.fd, true) == EBUSY);
    return 0;
}

static int inherited(char **arguments)
{
    struct node node;
    struct node_bo bo;
    WANT(arguments[0] && !node_attach(&node, atoi(arguments[0]), true));
    WANT(!node_bo(&node, PAGE, &bo));
    WANT(!write_word(&node, &bo, 41));
    return 0;
}

/* A client that dies with work in flight leaves the next one served. */
static int killed(char **arguments)
{
    (void)arguments;
    for (unsigned round = 0; round < 4; round++) {
        const pid_t child = fork();
        int status;
        if (!child) {
            struct node node;
            struct node_bo bo;
            unsigned count = 0;
            if (node_open(&node, round & 1) || node_bo(&node, PAGE, &bo))
                _exit(1);
            count += node_acquire(bo.words, bo.va + RESULT * 4, 1);
            if (node_submit(&node, &bo, 0, count, 0, 0, 0, 0))
                _exit(1);
            kill(getpid(), SIGKILL);
        }
        WANT(child > 0 && waitpid(child, &status, 0) == child && WIFSIGNALED(status));
        WANT(!live(!(round & 1), 51 + round));
    }
    return 0;
}

static int exhausted(char **arguments)
{
    static struct node_bo bos[4096];
    struct node node;
    unsigned count = 0;
    int result = 0;
    (void)arguments;
    WANT(!node_open(&node, true));
    while (count < 4096 && !(result = node_bo(&node, 1 << 20, &bos[count])))
        count++;
    WANT(result == ENOMEM && count >= 32);
    WANT(node_bo(&node, UINT64_C(1) << 60, &bos[count]) == ENOMEM);
    WANT(!write_word(&node, &bos[0], 61));
    /* Room comes back only when the mapping goes too. */
    const struct node_bo gone = bos[count - 1];
    struct nouveau_vm_bind_op op = {VM_BIND_UNMAP, 0, 0, 0, gone.va, 0, gone.size};
    struct nouveau_vm_bind_args bind = {.op_count = 1, .ops = (uintptr_t)&op};
    WANT(!node_bo_close(&node, &gone));
    WANT(!node_ioctl(node.fd, DRM_NOUVEAU_VM_BIND, &bind, sizeof bind));
    WANT(!node_bo(&node, 1 << 20, &bos[count - 1]));
    close(node.fd);
    return live(true, 62);
}

/* A fault loses this file's device; its fences end, later submissions say so, another file is whole. */
static int faulted(char **arguments)
{
    struct node node, other;
    struct node_bo bo, fine;
    uint32_t done;
    (void)arguments;
    WANT(!node_open(&node, true) && !node_open(&other, true));
    WANT(!node_bo(&node, PAGE, &bo) && !node_bo(&other, PAGE, &fine));
    WANT(!node_syncobj(&node, false, &done));
    WANT(!node_submit(&node, &bo, 0, node_release(bo.words, UINT64_C(0x7700000000), 1), 0, 0, done, 0));
    WANT(!node_wait(&node, done, 0, WAIT_ALL, LONG));
    WANT(node_submit(&node, &bo, 0, 5, 0, 0, 0, 0) == ENODEV);
    WANT(!write_word(&other, &fine, 71));
    return live(false, 72);
}

/* The legacy interface: the kernel's addresses, its waits, what it refuses. */
static int legacy(char **arguments)
{
    struct node node;
    struct node_bo bo, other;
    struct nouveau_pushbuf_args probe = {0};
    struct nouveau_cpu_prep_args prep;
    struct nouveau_exec_args exec = {0};
    (void)arguments;
    WANT(!node_open(&node, false));
    WANT(!node_bo(&node, PAGE, &bo) && !node_bo(&node, PAGE, &other));
    WANT(bo.va && other.va && bo.va != other.va);
    probe.channel = node.channel;
    WANT(!node_ioctl(node.fd, DRM_NOUVEAU_GEM_PUSHBUF, &probe, sizeof probe) && probe.gart_available);
    WANT(node_ioctl(node.fd, DRM_NOUVEAU_EXEC, &exec, sizeof exec) == ENOSYS);
    prep = (struct nouveau_cpu_prep_args){bo.handle, 1};
    WANT(!node_submit(&node, &bo, 0, node_acquire(bo.words, bo.va + RESULT * 4, 1), 0, 0, 0, 0));
    WANT(node_ioctl(node.fd, DRM_NOUVEAU_GEM_CPU_PREP, &prep, sizeof prep) == EBUSY);
    __atomic_store_n(&bo.words[RESULT], 1, __ATOMIC_RELEASE);
    prep.flags = 0;
    WANT(!node_ioctl(node.fd, DRM_NOUVEAU_GEM_CPU_PREP, &prep, sizeof prep));
    WANT(!write_word(&node, &other, 81));
    probe.channel = 200;
    WANT(node_ioctl(node.fd, DRM_NOUVEAU_GEM_PUSHBUF, &probe, sizeof probe) == ENOENT);
    WANT(node_submit(&node, &bo, PAGE / 4, 4, 0, 0, 0, 0) == EINVAL);
    return 0;
}

/* A copy by the copy engine (class in hexadecimal), written to a file straight from the buffer. */
static int copied(char **arguments)
{
    enum { WORDS = 64, FROM = 2048, TO = 3072 };
    struct node node;
    struct node_bo bo;
    uint32_t done, *words;
    FILE *file;
    WANT(arguments[0] && arguments[1]);
    WANT(!node_open(&node, true) && !node_bo(&node, PAGE, &bo) && !node_syncobj(&node, false, &done));
    words = bo.words;
    for (uint32_t i = 0; i < WORDS; i++)
        words[FROM + i] = i * UINT32_C(2654435761);
    *words++ = UINT32_C(1) << 29 | 1 << 16 | 4 << 13; /* SET_OBJECT */
    *words++ = (uint32_t)strtoul(arguments[0], NULL, 16);
    *words++ = UINT32_C(1) << 29 | 8 << 16 | 4 << 13 | 0x400 / 4; /* addresses, pitches, length, lines */
    *words++ = (uint32_t)((bo.va + FROM * 4) >> 32);
    *words++ = (uint32_t)(bo.va + FROM * 4);
    *words++ = (uint32_t)((bo.va + TO * 4) >> 32);
    *words++ = (uint32_t)(bo.va + TO * 4);
    *words++ = WORDS * 4;
    *words++ = WORDS * 4;
    *words++ = WORDS * 4;
    *words++ = 1;
    *words++ = UINT32_C(1) << 29 | 1 << 16 | 4 << 13 | 0x300 / 4; /* LAUNCH_DMA: pitch to pitch */
    *words++ = 2 | 1 << 2 | 1 << 7 | 1 << 8;
    WANT(!node_submit(&node, &bo, 0, (unsigned)(words - bo.words), 0, 0, done, 0));
    WANT(!node_wait(&node, done, 0, WAIT_ALL, LONG));
    for (uint32_t i = 0; i < WORDS; i++)
        WANT(bo.words[TO + i] == i * UINT32_C(2654435761));
    file = fopen(arguments[1], "wb");
    WANT(file && fwrite(bo.words + TO, 4, WORDS, file) == WORDS && !fclose(file));
    return 0;
}

static int fails(char **arguments)
{
    (void)arguments;
    return 7;
}

static const struct {
    const char *name;
    int (*run)(char **arguments);
} cases[] = {
    {"identity", identity},
    {"classes", classes},
    {"memory", memory},
    {"mappings", mappings},
    {"life", life},
    {"deadlines", deadlines},
    {"threads", threads},
    {"fences", fences},
    {"sharing", sharing},
    {"forked", forked},
    {"duplicated", duplicated},
    {"executed", executed},
    {"inherited", inherited},
    {"killed", killed},
    {"exhausted", exhausted},
    {"faulted", faulted},
    {"legacy", legacy},
    {"nonsense", case_nonsense},
    {"fails", fails},
    {"copied", copied},
    {"stalled", case_stalled},
    {"exported", case_exported},
    {"merged", case_merged},
    {"names", case_names},
    {"queued", case_queued},
    {"released", case_released},
    {"shared-legacy", case_shared_legacy},
    {"sealed", case_sealed},
    {"closed", case_closed},
    {"crowd", case_crowd},
};

int main(int argc, char **argv)
{
    for (size_t i = 0; argc > 1 && i < sizeof cases / sizeof *cases; i++)
        if (!strcmp(cases[i].name, argv[1]))
            return cases[i].run(argv + 2);
    fprintf(stderr, "drm-client: no such case\n");
    return 2;
}
