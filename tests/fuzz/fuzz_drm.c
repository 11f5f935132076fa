/* Random clients of the render node's server: ioctls with meaningful and with mutated structures, messages
 * that are cut, too long or of no sense, descriptors of all kinds, forks, and deaths at any point. After them
 * the server must serve an ordinary client, and when all are gone it must hold nothing. fuzz_drm [ROUNDS
 * [SEED]]; without arguments as many rounds as the build says: `make check` runs few, `make check-full`
 * (fuzz-drm-long) many, of other seeds. */
#include "base/bits.h"
#include "drm/server/server.h"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef ROUNDS
#define ROUNDS 300
#endif
#define BATCH     250 /* rounds a server lives */
#define RAM_BYTES (UINT64_C(64) << 20)
#define KEPT      16 /* of each kind of object a client remembers */
#define VA        UINT64_C(0x10000000)

static uint64_t seed;
static bool patient = true; /* nobody else reads what is for us */

static uint32_t random32(void)
{
    seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
    return (uint32_t)(seed >> 32);
}

static bool one_in(unsigned n)
{
    return random32() % n == 0;
}

struct object {
    uint32_t handle;
    uint64_t offset, size, va; /* va: of the legacy interface */
};

/* A client's view of what it has, right or wrong. */
struct client {
    const char *path;
    int connection, fds[KEPT];
    uint32_t files[KEPT], syncobjs[KEPT], channels[KEPT];
    struct object bos[KEPT];
    uint8_t *ram;
    bool managed, lost; /* a fault: the file is of no more use */
};

static int connect_to(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    strcpy(address.sun_path, path);
    if (fd >= 0 && !connect(fd, (struct sockaddr *)&address, sizeof address))
        return fd;
    close(fd);
    return -1;
}

static void keep_fd(struct client *client, int fd)
{
    const unsigned slot = random32() % KEPT;
    if (fd < 0)
        return;
    if (client->fds[slot] >= 0)
        close(client->fds[slot]);
    client->fds[slot] = fd;
}

/* A descriptor: of the server's, of another kind, or none. */
static int any_fd(const struct client *client)
{
    switch (random32() % 8) {
    case 0:
        return -1;
    case 1:
        return STDERR_FILENO;
    case 2:
        return client->connection;
    default:
        return client->fds[random32() % KEPT];
    }
}

struct message {
    struct et_drm_request request;
    uint8_t body[512], arrays[4096];
    int fd;
    struct et_drm_reply reply;
    int reply_fd;
};

static struct message *begin(struct message *message, const struct client *client, uint32_t nr, size_t size)
{
    memset(message, 0, sizeof *message);
    message->request = (struct et_drm_request){.magic = ET_DRM_MAGIC,
                                               .nr = nr,
                                               .file = client->files[one_in(8) ? random32() % KEPT : 0],
                                               .size = (uint32_t)size};
    message->fd = message->reply_fd = -1;
    return message;
}

/* Elements behind those that are there; end_array aligns what comes next. */
static void add_array(struct message *message, const void *elements, size_t bytes)
{
    memcpy(message->arrays + message->request.arrays, elements, bytes);
    message->request.arrays += (uint32_t)bytes;
}

static void end_array(struct message *message)
{
    message->request.arrays = (uint32_t)et_align_up(message->request.arrays, 8);
}

static void noise(void *bytes, size_t size)
{
    uint8_t *at = bytes;
    for (size_t i = 0; i < size; i++)
        at[i] = (uint8_t)random32();
}

/* What a hostile or broken client would do to a message: words, lengths and numbers that are not so. */
static void mutate(struct message *message)
{
    struct et_drm_request *request = &message->request;
    static const uint32_t words[] = {0, 1, 0x7fffffff, 0x80000000, UINT32_MAX, 4096, 65536, 0xfffff000};
    for (unsigned n = 1 + random32() % 3; n; n--)
        switch (random32() % 8) {
        case 0:
        case 1:
        case 2:
            if (request->size >= 4)
                et_store32(message->body + random32() % (request->size / 4) * 4,
                           one_in(2) ? random32() : words[random32() % ET_COUNT(words)]);
            break;
        case 3:
            if (request->arrays >= 4)
                et_store32(message->arrays + random32() % (request->arrays / 4) * 4,
                           one_in(2) ? random32() : words[random32() % ET_COUNT(words)]);
            break;
        case 4:
            request->size = random32() % sizeof message->body;
            break;
        case 5:
            request->arrays = random32() % sizeof message->arrays;
            break;
        case 6:
            request->nr = one_in(3) ? ET_DRM_HELLO + random32() % 8 : random32() % 0xd8;
            break;
        default:
            request->file = one_in(2) ? random32() : request->file - 1; /* never one still to be opened */
            break;
        }
    if (one_in(8))
        noise(message->body, sizeof message->body);
}

/* The body comes with a descriptor too, which nobody asked for. */
static bool send_in_two(int connection, struct message *message)
{
    struct et_drm_transfer header = {{{&message->request, sizeof message->request}}, 0, message->fd},
                           rest = {{{message->body, message->request.size},
                                    {message->arrays, message->request.arrays}},
                                   0,
                                   connection};
    return et_drm_send_all(connection, &header) && et_drm_send_all(connection, &rest);
}

/* Sends and hears the answer; some messages are cut or lie about their length, and that ends the
 * conversation. */
static int call(struct client *client, struct message *message)
{
    struct et_drm_transfer out = {{{&message->request, sizeof message->request},
                                   {message->body, message->request.size},
                                   {message->arrays, message->request.arrays}},
                                  0,
                                  message->fd};
    struct et_drm_transfer header = {{{&message->reply, sizeof message->reply}}, 0, -1}, rest;
    const uint32_t fate = random32() % 400;
    if (client->connection < 0)
        client->connection = connect_to(client->path);
    if (client->connection < 0)
        return -EIO;
    if (!patient)
        setsockopt(client->connection, SOL_SOCKET, SO_RCVTIMEO, &(struct timeval){0, 300000},
                   sizeof(struct timeval));
    if (fate < 3) {
        if (fate == 0)
            message->request.size = random32();
        else if (fate == 1)
            message->request.arrays = random32();
        for (unsigned i = 0; i < ET_DRM_PARTS; i++)
            out.parts[i].iov_len = random32() % (out.parts[i].iov_len + 1);
        et_drm_send_all(client->connection, &out);
        if (one_in(4))
            kill(getpid(), SIGKILL);
        if (one_in(2)) /* stays, half said */
            keep_fd(client, client->connection);
        else
            close(client->connection);
        client->connection = -1;
        return -EIO;
    }
    if (fate > 395 ? !send_in_two(client->connection, message) : !et_drm_send_all(client->connection, &out))
        goto over;
    if (fate == 3)
        kill(getpid(), SIGKILL);
    if (!et_drm_receive_all(client->connection, &header))
        goto over;
    message->reply_fd = header.fd;
    if (message->reply.size > message->request.size || message->reply.arrays > message->request.arrays) {
        if (!patient)
            goto over;
        fprintf(stderr, "the answer to 0x%x is longer than the question\n", message->request.nr);
        _exit(3);
    }
    rest = (struct et_drm_transfer){
        {{message->body, message->reply.size}, {message->arrays, message->reply.arrays}}, 0, -1};
    if (!et_drm_receive_all(client->connection, &rest))
        goto over;
    return message->reply.result;
over:
    close(client->connection);
    client->connection = -1;
    return -EIO;
}

static int perhaps_mutated(struct client *client, struct message *message)
{
    int result;
    if (one_in(10))
        mutate(message);
    result = call(client, message);
    keep_fd(client, message->reply_fd);
    client->lost |= result == -ENODEV;
    return result;
}

static uint32_t pick(const uint32_t *list)
{
    return one_in(12) ? random32() % 70000 : list[random32() % KEPT];
}

static const struct object *pick_bo(const struct client *client)
{
    return &client->bos[random32() % KEPT];
}

static uint32_t pick_handle(const struct client *client)
{
    return one_in(12) ? random32() % 70000 : pick_bo(client)->handle;
}

/* Where a buffer is mapped, if the client did as it should: by its slot in the list, or by the kernel. */
static uint64_t va_of(const struct client *client, const struct object *bo)
{
    return !client->managed && bo->va ? bo->va : VA + (uint64_t)(bo - client->bos) * UINT64_C(0x40000);
}

static uint64_t some_va(void)
{
    return one_in(16) ? (uint64_t)random32() << (random32() % 32)
                      : VA + (random32() % 64) * UINT64_C(0x10000);
}

/* A count of elements; seldom more than arrays hold. */
static uint32_t some_count(void)
{
    return one_in(4) ? random32() % 9 : 1;
}

static void open_file(struct client *client)
{
    struct message m;
    if (perhaps_mutated(client, begin(&m, client, ET_DRM_OPEN, 0)) >= 0)
        client->files[client->files[0] ? random32() % KEPT : 0] = (uint32_t)m.reply.extra;
}

static void gem_new(struct client *client)
{
    struct message m;
    const struct nouveau_gem_new_args args = {
        .info = {.size = one_in(8) ? (uint64_t)random32() << (random32() % 32) : 1 + random32() % (1u << 18),
                 .domain = 2 + random32() % 30,
                 .tile_mode = random32() & 0x50,
                 .tile_flags = random32() & 0xff00},
        .align = one_in(8) ? random32() : 0};
    memcpy(begin(&m, client, DRM_NOUVEAU_GEM_NEW, sizeof args)->body, &args, sizeof args);
    if (!perhaps_mutated(client, &m)) {
        struct nouveau_gem_info info;
        memcpy(&info, m.body, sizeof info);
        client->bos[random32() % KEPT] =
            (struct object){info.handle, info.map_handle, info.size, info.offset};
    }
}

static void of_handle(struct client *client)
{
    static const uint16_t numbers[] = {DRM_GEM_CLOSE,
                                       DRM_GEM_FLINK,
                                       DRM_GEM_OPEN,
                                       DRM_NOUVEAU_GEM_INFO,
                                       DRM_NOUVEAU_GEM_CPU_PREP,
                                       DRM_NOUVEAU_GEM_CPU_FINI,
                                       DRM_PRIME_HANDLE_TO_FD,
                                       DRM_PRIME_FD_TO_HANDLE};
    struct message m;
    begin(&m, client, numbers[random32() % ET_COUNT(numbers)], sizeof(struct nouveau_gem_info));
    if (m.request.nr != DRM_NOUVEAU_GEM_INFO)
        m.request.size = 16;
    et_store32(m.body, m.request.nr == DRM_GEM_OPEN ? random32() % 6 : pick_handle(client));
    et_store32(m.body + 4, random32() & 3);
    if (m.request.nr == DRM_PRIME_FD_TO_HANDLE)
        m.fd = any_fd(client);
    if (perhaps_mutated(client, &m))
        return;
    if (m.request.nr == DRM_PRIME_FD_TO_HANDLE)
        client->bos[random32() % KEPT].handle = et_load32(m.body);
    if (m.request.nr == DRM_GEM_OPEN)
        client->bos[random32() % KEPT].handle = et_load32(m.body + 4);
}

static void add_syncs(struct message *m, const struct client *client, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const struct nouveau_sync sync = {random32() & 1, pick(client->syncobjs), random32() % 5};
        add_array(m, &sync, sizeof sync);
    }
}

static void vm(struct client *client)
{
    struct message m;
    struct nouveau_vm_bind_args args = {.op_count = some_count(),
                                        .flags = random32() & 1,
                                        .wait_count = one_in(3) ? some_count() : 0,
                                        .signal_count = one_in(3) ? some_count() : 0};
    if (!client->managed && !one_in(8)) {
        gem_new(client);
        return;
    }
    if (one_in(16)) {
        begin(&m, client, DRM_NOUVEAU_VM_INIT, sizeof(struct nouveau_vm_init_args));
        perhaps_mutated(client, &m);
        return;
    }
    memcpy(begin(&m, client, DRM_NOUVEAU_VM_BIND, sizeof args)->body, &args, sizeof args);
    add_syncs(&m, client, args.wait_count);
    add_syncs(&m, client, args.signal_count);
    for (uint32_t i = 0; i < args.op_count; i++) {
        const struct object *bo = pick_bo(client);
        const struct nouveau_vm_bind_op op = {.op = one_in(8),
                                              .flags = one_in(6) ? VM_BIND_SPARSE : random32() & 0xff,
                                              .handle = one_in(8) ? 0 : bo->handle,
                                              .address = one_in(3) ? some_va() : va_of(client, bo),
                                              .bo_offset = one_in(4) ? random32() & 0x1f000 : 0,
                                              .range = one_in(4) ? random32() & 0xff000 : bo->size};
        add_array(&m, &op, sizeof op);
    }
    perhaps_mutated(client, &m);
}

static void channel(struct client *client)
{
    struct message m;
    const bool alloc = !one_in(4);
    begin(&m, client, alloc ? DRM_NOUVEAU_CHANNEL_ALLOC : DRM_NOUVEAU_CHANNEL_FREE,
          alloc ? sizeof(struct nouveau_channel_alloc_args) : sizeof(struct nouveau_channel_free_args));
    if (!alloc)
        et_store32(m.body, pick(client->channels));
    if (!perhaps_mutated(client, &m) && alloc)
        client->channels[random32() % KEPT] = et_load32(m.body + 8);
}

/* Words of a push: semaphores, small values to known methods, noise. */
static uint32_t fill(const struct client *client, const struct object *bo)
{
    uint32_t count = 0;
    if (!client->ram || bo->offset > RAM_BYTES - 4096 || bo->size < 4096 || bo->size > RAM_BYTES - bo->offset)
        return random32() % 64;
    for (unsigned n = random32() % 12; n; n--) {
        const uint64_t va = one_in(16) ? some_va() : va_of(client, bo) + 2048 + (random32() & 15) * 16;
        uint32_t words[6] = {1u << 29 | 4 << 16 | 4, (uint32_t)(va >> 32),          (uint32_t)va,
                             random32() & 1,         one_in(3) ? 1u : 1u << 24 | 2, 0};
        if (one_in(50)) {
            words[0] = (one_in(2) ? 1u : 3u) << 29 | (1 + random32() % 5) << 16 | random32() % 5 << 13 |
                       random32() % 0x800;
            noise(words + 1, 20);
        } else if (one_in(100)) {
            noise(words, sizeof words);
        }
        memcpy(client->ram + bo->offset + 4 * count, words, sizeof words);
        count += 5;
    }
    return count;
}

static void pushbuf(struct client *client)
{
    struct message m;
    struct nouveau_pushbuf_args args = {
        .channel = pick(client->channels), .buffer_count = 1 + random32() % 3, .push_count = some_count()};
    memcpy(begin(&m, client, DRM_NOUVEAU_GEM_PUSHBUF, sizeof args)->body, &args, sizeof args);
    const struct object *bos[9];
    for (uint32_t i = 0; i < args.buffer_count; i++) {
        const struct nouveau_pushbuf_bo buffer = {.handle = (bos[i] = pick_bo(client))->handle, .valid = 6};
        add_array(&m, &buffer, sizeof buffer);
    }
    for (uint32_t i = 0; i < args.push_count; i++) {
        const uint32_t which = random32() % (args.buffer_count + one_in(8));
        const struct nouveau_pushbuf_push push = {
            which, 0, one_in(8) ? random32() & 0xfff : 0,
            which < args.buffer_count ? fill(client, bos[which]) * UINT64_C(4) : 64};
        add_array(&m, &push, sizeof push);
    }
    perhaps_mutated(client, &m);
}

static void exec(struct client *client)
{
    struct message m;
    if (!client->managed && !one_in(8)) {
        pushbuf(client);
        return;
    }
    struct nouveau_exec_args args = {.channel = pick(client->channels),
                                     .push_count = some_count(),
                                     .wait_count = one_in(4) ? some_count() : 0,
                                     .signal_count = one_in(2) ? some_count() : 0};
    memcpy(begin(&m, client, DRM_NOUVEAU_EXEC, sizeof args)->body, &args, sizeof args);
    add_syncs(&m, client, args.wait_count);
    add_syncs(&m, client, args.signal_count);
    for (uint32_t i = 0; i < args.push_count; i++) {
        const struct object *bo = pick_bo(client);
        const struct nouveau_exec_push push = {one_in(8) ? some_va() : va_of(client, bo),
                                               one_in(16) ? random32() : fill(client, bo) * 4,
                                               random32() & 1};
        add_array(&m, &push, sizeof push);
    }
    perhaps_mutated(client, &m);
}

static void syncobj_create(struct client *client)
{
    struct message m;
    begin(&m, client, DRM_SYNCOBJ_CREATE, sizeof(struct syncobj_create_args));
    et_store32(m.body + 4, random32() & 1);
    if (!perhaps_mutated(client, &m))
        client->syncobjs[random32() % KEPT] = et_load32(m.body);
}

static void syncobj(struct client *client)
{
    struct message m;
    switch (random32() % 5) {
    case 0:
        syncobj_create(client);
        return;
    case 1:
        if (!one_in(3))
            return;
        begin(&m, client, DRM_SYNCOBJ_DESTROY, sizeof(struct syncobj_destroy_args));
        et_store32(m.body, pick(client->syncobjs));
        break;
    case 2:
    case 3:
        begin(&m, client, one_in(2) ? DRM_SYNCOBJ_HANDLE_TO_FD : DRM_SYNCOBJ_FD_TO_HANDLE,
              one_in(2) ? 16 : 24);
        et_store32(m.body, pick(client->syncobjs));
        et_store32(m.body + 4, random32() & 1);
        et_store32(m.body + 16, random32() % 4);
        if (m.request.nr == DRM_SYNCOBJ_FD_TO_HANDLE)
            m.fd = any_fd(client);
        if (!perhaps_mutated(client, &m) && m.request.nr == DRM_SYNCOBJ_FD_TO_HANDLE)
            client->syncobjs[random32() % KEPT] = et_load32(m.body);
        return;
    default: {
        const struct syncobj_transfer_args args = {pick(client->syncobjs), pick(client->syncobjs),
                                                   random32() % 4,         random32() % 4,
                                                   random32() & 3,         0};
        memcpy(begin(&m, client, DRM_SYNCOBJ_TRANSFER, sizeof args)->body, &args, sizeof args);
    }
    }
    perhaps_mutated(client, &m);
}

static void syncobj_lists(struct client *client)
{
    static const struct {
        uint16_t nr, size, count;
        bool points;
    } lists[] = {
        {DRM_SYNCOBJ_WAIT, sizeof(struct syncobj_wait_args), offsetof(struct syncobj_wait_args, count),
         false},
        {DRM_SYNCOBJ_RESET, sizeof(struct syncobj_array_args), offsetof(struct syncobj_array_args, count),
         false},
        {DRM_SYNCOBJ_SIGNAL, sizeof(struct syncobj_array_args), offsetof(struct syncobj_array_args, count),
         false},
        {DRM_SYNCOBJ_TIMELINE_WAIT, sizeof(struct syncobj_timeline_wait_args),
         offsetof(struct syncobj_timeline_wait_args, count), true},
        {DRM_SYNCOBJ_QUERY, sizeof(struct syncobj_timeline_array_args),
         offsetof(struct syncobj_timeline_array_args, count), true},
        {DRM_SYNCOBJ_TIMELINE_SIGNAL, sizeof(struct syncobj_timeline_array_args),
         offsetof(struct syncobj_timeline_array_args, count), true},
    };
    const unsigned which = random32() % ET_COUNT(lists);
    const uint32_t count = some_count();
    struct message m;
    begin(&m, client, lists[which].nr, lists[which].size);
    et_store32(m.body + lists[which].count, count);
    et_store32(m.body + lists[which].count + 4, random32() & 7);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t handle = pick(client->syncobjs);
        add_array(&m, &handle, sizeof handle);
    }
    end_array(&m);
    for (uint32_t i = 0; lists[which].points && i < count; i++) {
        const uint64_t point = one_in(8) ? random32() * UINT64_C(0x100000001) : random32() % 6;
        add_array(&m, &point, sizeof point);
    }
    perhaps_mutated(client, &m);
}

/* An eventfd, a full one, or a pipe that nobody empties. */
static void watch(struct client *client)
{
    const struct syncobj_eventfd_args args = {pick(client->syncobjs), 0, random32() % 3, 0, 0};
    struct message m;
    int pair[2] = {-1, -1};
    const uint64_t full = UINT64_MAX - 1;
    memcpy(begin(&m, client, DRM_SYNCOBJ_EVENTFD, sizeof args)->body, &args, sizeof args);
    if (one_in(3) && !pipe(pair)) {
        keep_fd(client, pair[0]);
        keep_fd(client, m.fd = pair[1]);
    } else if ((m.fd = eventfd(0, EFD_CLOEXEC)) >= 0) {
        if (one_in(2) && write(m.fd, &full, sizeof full) < 0)
            return;
        keep_fd(client, m.fd);
    }
    perhaps_mutated(client, &m);
}

static void others(struct client *client)
{
    static const uint16_t numbers[] = {DRM_NOUVEAU_GETPARAM,
                                       DRM_GET_CAP,
                                       DRM_NOUVEAU_NVIF,
                                       DRM_NOUVEAU_NVIF,
                                       DRM_NOUVEAU_NOTIFIEROBJ_ALLOC,
                                       DRM_NOUVEAU_GPUOBJ_FREE,
                                       DRM_SET_CLIENT_CAP,
                                       DRM_NOUVEAU_GET_ZCULL_INFO};
    struct message m;
    begin(&m, client, numbers[random32() % ET_COUNT(numbers)], 16 + random32() % 64);
    if (m.request.nr == DRM_NOUVEAU_NVIF) {
        const struct nvif_args head = {.type = random32() % 6, .route = one_in(2) ? NVIF_ROUTE_CHANNEL : 0};
        m.request.size = sizeof head + random32() % 160;
        noise(m.body, sizeof m.body);
        memcpy(m.body, &head, sizeof head);
        m.body[sizeof head] = 0;
        m.body[sizeof head + 1] = (uint8_t)(random32() % 9);
    } else {
        et_store64(m.body, random32() % 24);
    }
    perhaps_mutated(client, &m);
}

static void sync_files(struct client *client)
{
    struct message m;
    begin(&m, client, ET_DRM_HELLO + random32() % 8, 0);
    m.fd = any_fd(client);
    m.request.argument = random32() % 40;
    perhaps_mutated(client, &m);
}

static void (*const actions[])(struct client *) = {
    open_file, gem_new, gem_new,       of_handle,     of_handle, of_handle, vm,      vm,
    vm,        channel, exec,          exec,          exec,      pushbuf,   pushbuf, syncobj,
    watch,     others,  syncobj_lists, syncobj_lists, syncobj,   sync_files};

static void attach(struct client *client, const char *path)
{
    struct message m;
    *client = (struct client){.path = path, .connection = -1};
    for (unsigned i = 0; i < KEPT; i++)
        client->fds[i] = -1;
    begin(&m, client, ET_DRM_HELLO, 0);
    if (call(client, &m) || m.reply_fd < 0)
        return;
    client->ram = mmap(NULL, RAM_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, m.reply_fd, 0);
    if (client->ram == MAP_FAILED)
        client->ram = NULL;
    close(m.reply_fd);
}

/* A file with what most clients have. */
static void set_up(struct client *client)
{
    struct message m;
    memset(client->files, 0, sizeof client->files);
    memset(client->channels, 0, sizeof client->channels);
    client->lost = false;
    for (unsigned i = 0; i < 4 && !client->files[0]; i++)
        open_file(client);
    for (unsigned i = 0; i < KEPT; i++)
        if (!client->files[i])
            client->files[i] = client->files[0];
    client->managed = one_in(2);
    if (client->managed)
        perhaps_mutated(client, begin(&m, client, DRM_NOUVEAU_VM_INIT, sizeof(struct nouveau_vm_init_args)));
    for (unsigned i = 0; i < 2; i++)
        channel(client);
    for (unsigned i = 0; i < 12; i++) {
        gem_new(client);
        syncobj_create(client);
        vm(client);
    }
}

static void misbehave(const char *path)
{
    struct client client;
    const unsigned count = random32() % 200;
    attach(&client, path);
    set_up(&client);
    for (unsigned i = 0; i < count; i++) {
        actions[random32() % ET_COUNT(actions)](&client);
        if (client.lost)
            set_up(&client);
        if (one_in(400)) { /* both go on in one conversation */
            if (fork() < 0)
                _exit(1);
            seed += (uint64_t)getpid() << 20;
            patient = false;
        }
    }
}

static int ask(struct client *client, struct message *message, const void *body, void *answer)
{
    uint32_t size = message->request.size;
    struct et_drm_transfer out = {{{&message->request, sizeof message->request},
                                   {(void *)(uintptr_t)body, size},
                                   {message->arrays, message->request.arrays}},
                                  0,
                                  -1};
    struct et_drm_transfer in = {{{&message->reply, sizeof message->reply},
                                  {message->body, size},
                                  {message->arrays, message->request.arrays}},
                                 0,
                                 -1};
    if (!et_drm_send_all(client->connection, &out) || !et_drm_receive_all(client->connection, &in))
        return -EIO;
    if (answer)
        memcpy(answer, message->body, size);
    message->reply_fd = in.fd;
    return message->reply.result;
}

/* A client as it should be: a release by the legacy interface must arrive in memory. */
static bool behave(const char *path)
{
    struct client client = {.path = path, .connection = connect_to(path)};
    struct message m;
    struct nouveau_channel_alloc_args channel_args = {0};
    struct nouveau_gem_new_args bo = {.info = {.size = 4096, .domain = DOMAIN_GART}};
    struct nouveau_pushbuf_bo buffer = {.valid = DOMAIN_GART};
    const struct nouveau_pushbuf_push push = {0, 0, 0, 20};
    struct nouveau_pushbuf_args submit = {.buffer_count = 1, .push_count = 1};
    uint32_t file, *words;
    uint8_t *ram;
    if (client.connection < 0 || ask(&client, begin(&m, &client, ET_DRM_HELLO, 0), NULL, NULL))
        return false;
    ram = mmap(NULL, RAM_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, m.reply_fd, 0);
    if (ram == MAP_FAILED || ask(&client, begin(&m, &client, ET_DRM_OPEN, 0), NULL, NULL))
        return false;
    file = (uint32_t)m.reply.extra;
    for (unsigned i = 0; i < KEPT; i++)
        client.files[i] = file;
    if (ask(&client, begin(&m, &client, DRM_NOUVEAU_CHANNEL_ALLOC, sizeof channel_args), &channel_args,
            &channel_args) ||
        ask(&client, begin(&m, &client, DRM_NOUVEAU_GEM_NEW, sizeof bo), &bo, &bo))
        return false;
    words = (uint32_t *)(void *)(ram + bo.info.map_handle);
    words[0] = 1u << 29 | 4 << 16 | 4;
    words[1] = (uint32_t)(bo.info.offset >> 32);
    words[2] = (uint32_t)bo.info.offset + 1024;
    words[3] = 4711;
    words[4] = 1u << 24 | 2;
    buffer.handle = bo.info.handle;
    submit.channel = (uint32_t)channel_args.channel;
    begin(&m, &client, DRM_NOUVEAU_GEM_PUSHBUF, sizeof submit);
    add_array(&m, &buffer, sizeof buffer);
    add_array(&m, &push, sizeof push);
    if (ask(&client, &m, &submit, NULL))
        return false;
    /* A server that is stuck is seen by its silence, one that died by its end. */
    struct pollfd end = {client.connection, 0, 0};
    while (__atomic_load_n(&words[256], __ATOMIC_ACQUIRE) != 4711)
        if (poll(&end, 1, 1) > 0)
            return false;
    return true;
}

/* Rounds, each of one to three clients at a time, then one that must be served. */
static int spawn(const char *path, uint64_t first, unsigned rounds)
{
    setpgid(0, 0);
    for (unsigned round = 0; round < rounds; round++) {
        const unsigned clients = 1 + (unsigned)((first + round) % 3);
        int status = 0;
        for (unsigned i = 0; i < clients; i++) {
            const pid_t pid = fork();
            if (!pid) {
                seed = (first + round) * UINT64_C(0x9e3779b97f4a7c15) + i;
                misbehave(path);
                _exit(0);
            }
        }
        while (wait(&status) > 0)
            if (WIFEXITED(status) && WEXITSTATUS(status))
                _exit(WEXITSTATUS(status));
        if (round % 5 == 4 || round + 1 == rounds) {
            const pid_t pid = fork();
            if (!pid)
                _exit(behave(path) ? 0 : 2);
            if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status) || WEXITSTATUS(status)) {
                fprintf(stderr, "an ordinary client was not served after round %llu\n",
                        (unsigned long long)(first + round));
                return 2;
            }
        }
    }
    return 0;
}

static unsigned count_descriptors(void)
{
    unsigned count = 0;
    DIR *folder = opendir("/proc/self/fd");
    if (!folder)
        return 0;
    while (readdir(folder))
        count++;
    closedir(folder);
    return count;
}

/* With every client gone, all is as it was. */
static bool holds_nothing(const struct et_drm_server *server)
{
    const struct et_drm_heap *heap = &server->heap;
    size_t names = 0;
    for (size_t i = 0; i < server->name_count; i++)
        names += server->names[i] != NULL;
    if (!server->bytes_live && heap->count == 1 && heap->free[0].size == RAM_BYTES - heap->free[0].offset &&
        !server->merge_count && !server->watch_count && !names)
        return true;
    fprintf(stderr, "left behind: %llu bytes, %zu free ranges, %zu merges, %zu watches, %zu names\n",
            (unsigned long long)server->bytes_live, heap->count, server->merge_count, server->watch_count,
            names);
    return false;
}

static bool batch(uint64_t first, unsigned rounds, struct et_drm_statistics *total)
{
    static const char *const chips[] = {"gm204", "ga102", "gm20b"};
    const struct et_drm_options options = {
        .chip = chips[first / BATCH % ET_COUNT(chips)], .ram_bytes = RAM_BYTES, .threads = 1};
    const unsigned descriptors = count_descriptors();
    struct et_drm_server server;
    struct etalon_error error = {0};
    int status = 0;
    bool fine;
    pid_t pid;
    if (et_drm_server_create(&server, &options, &error)) {
        fprintf(stderr, "%s\n", error.text);
        return false;
    }
    fflush(NULL);
    pid = fork();
    if (!pid)
        _exit(spawn(server.socket_path, first, rounds));
    if (pid < 0)
        return false;
    et_drm_server_run(&server, pid, &status);
    fine = holds_nothing(&server) && WIFEXITED(status) && !WEXITSTATUS(status);
    total->submissions += server.statistics.submissions;
    total->faults += server.statistics.faults;
    et_drm_server_destroy(&server);
    if (count_descriptors() != descriptors) {
        fprintf(stderr, "%u descriptors before, %u after\n", descriptors, count_descriptors());
        fine = false;
    }
    if (!fine)
        fprintf(stderr, "rounds %llu to %llu failed (status 0x%x)\n", (unsigned long long)first,
                (unsigned long long)(first + rounds - 1), (unsigned)status);
    return fine;
}

int main(int argc, char **argv)
{
    const unsigned long rounds = argc > 1 ? strtoul(argv[1], NULL, 0) : ROUNDS;
    const uint64_t first = argc > 2 ? strtoull(argv[2], NULL, 0) : ROUNDS;
    struct et_drm_statistics total = {0};
    bool fine = true;
    signal(SIGPIPE, SIG_IGN);
    for (unsigned long round = 0; round < rounds && fine; round += BATCH)
        fine = batch(first + round, (unsigned)ET_MIN(rounds - round, (unsigned long)BATCH), &total);
    printf("%lu rounds, %llu submissions, %llu faults\n", rounds, (unsigned long long)total.submissions,
           (unsigned long long)total.faults);
    return !fine;
}
