/* The event loop: new connections, requests, closed files, work that waits. */
#include "drm/server/server.h"

#include "base/alloc.h"
#include "base/bits.h"
#include "drm/transport.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <linux/futex.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#define DEFAULT_RAM  (UINT64_C(16) << 30)
#define DEFAULT_VRAM (UINT64_C(4) << 30)
#define BACK_OFF_MS  1

static int remove_one(const char *path, const struct stat *info, int type, struct FTW *walk)
{
    (void)info;
    (void)type;
    (void)walk;
    remove(path);
    return 0;
}

static bool listen_at(struct et_drm_server *server)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(server->socket_path, sizeof server->socket_path, "%s/socket", server->folder);
    if (strlen(server->socket_path) >= sizeof address.sun_path)
        return false;
    strcpy(address.sun_path, server->socket_path);
    server->listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    return server->listener >= 0 && !bind(server->listener, (struct sockaddr *)&address, sizeof address) &&
           !listen(server->listener, 128);
}

static bool make_memory(struct et_drm_server *server, struct etalon_error *error)
{
    const uint64_t size = server->options.ram_bytes;
    server->ram_fd = memfd_create("etalon-ram", MFD_CLOEXEC);
    server->progress_fd = memfd_create("etalon-progress", MFD_CLOEXEC);
    if (server->ram_fd < 0 || server->progress_fd < 0 || ftruncate(server->ram_fd, (off_t)size) ||
        ftruncate(server->progress_fd, 4096))
        return false;
    server->progress = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, server->progress_fd, 0);
    if (server->progress == MAP_FAILED) {
        server->progress = NULL;
        return false;
    }
    return !et_ram_create_fd(&server->ram, server->ram_fd, size, ET_RAM_SHARED, error) &&
           !et_drm_heap_init(&server->heap, server->ram_fd, size);
}

enum etalon_status et_drm_server_create(struct et_drm_server *server, const struct et_drm_options *options,
                                        struct etalon_error *error)
{
    const char *temporary = getenv("TMPDIR");
    *server = (struct et_drm_server){
        .options = *options, .ram_fd = -1, .progress_fd = -1, .listener = -1, .next_file = 1, .next_bo = 1};
    server->chip = et_chip_by_name(options->chip);
    server->card = server->chip ? et_drm_card_by_chip(options->chip) : NULL;
    if (!server->card)
        return et_fail(error, ETALON_INVALID, "no render node for a chip called '%s'", options->chip);
    if (!server->options.ram_bytes)
        server->options.ram_bytes = DEFAULT_RAM;
    if (!server->options.vram_bytes)
        server->options.vram_bytes = ET_MIN(DEFAULT_VRAM, server->options.ram_bytes / 2);
    snprintf(server->folder, sizeof server->folder, "%.200s/etalon-XXXXXX", temporary ? temporary : "/tmp");
    if (!mkdtemp(server->folder)) {
        server->folder[0] = 0;
        return et_fail(error, ETALON_IO, "cannot make a folder: %s", strerror(errno));
    }
    if (make_memory(server, error) && et_drm_tree_make(server->folder, server->card) && listen_at(server))
        return ETALON_OK;
    et_fail(error, ETALON_IO, "cannot set up the render node in %s: %s", server->folder, strerror(errno));
    et_drm_server_destroy(server);
    return error ? error->status : ETALON_IO;
}

static void drop_token(struct et_drm_server *server, struct et_drm_token *token)
{
    et_drm_bo_drop(server, token->bo);
    et_drm_fence_drop(token->fence);
    et_drm_syncobj_drop(token->syncobj);
}

void et_drm_server_destroy(struct et_drm_server *server)
{
    while (server->files) {
        struct et_drm_file *next = server->files->next;
        et_drm_file_destroy(server->files);
        server->files = next;
    }
    for (size_t i = 0; i < server->token_count; i++)
        drop_token(server, &server->tokens[i]);
    for (size_t i = 0; i < server->name_count; i++)
        et_drm_bo_drop(server, server->names[i]);
    for (size_t i = 0; i < server->watch_count; i++) {
        et_drm_fence_drop(server->watches[i].fence);
        close(server->watches[i].fd);
    }
    for (size_t i = 0; i < server->connection_count; i++)
        close(server->connections[i]);
    et_free(server->tokens);
    et_free(server->names);
    et_free(server->watches);
    et_free(server->connections);
    et_drm_heap_finish(&server->heap);
    et_ram_destroy(&server->ram);
    if (server->progress)
        munmap(server->progress, 4096);
    if (server->ram_fd >= 0)
        close(server->ram_fd);
    if (server->progress_fd >= 0)
        close(server->progress_fd);
    if (server->listener >= 0)
        close(server->listener);
    if (server->folder[0])
        nftw(server->folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    *server = (struct et_drm_server){.listener = -1, .ram_fd = -1, .progress_fd = -1};
}

void et_drm_progress(struct et_drm_server *server)
{
    for (size_t i = 0; i < server->watch_count;) {
        const struct et_drm_watch *watch = &server->watches[i];
        const uint64_t one = 1;
        if (!watch->fence->signalled) {
            i++;
            continue;
        }
        if (write(watch->fd, &one, sizeof one) < 0 && errno == EINTR)
            continue;
        et_drm_fence_drop(watch->fence);
        close(watch->fd);
        server->watches[i] = server->watches[--server->watch_count];
    }
    __atomic_add_fetch(server->progress, 1, __ATOMIC_RELEASE);
    syscall(SYS_futex, server->progress, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

/* A socket pair: the client's end carries the file's number in its name. */
static int open_file(struct et_drm_server *server, int *reply_fd, uint64_t *extra)
{
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    struct et_drm_file *file;
    int pair[2], length;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair))
        return -EMFILE;
    file = et_drm_file_create(server, pair[0]);
    if (!file) {
        close(pair[0]);
        close(pair[1]);
        return -ENOMEM;
    }
    length = snprintf(name.sun_path + 1, sizeof name.sun_path - 1, ET_DRM_FILE_NAME "%u-%d", file->number,
                      (int)getpid());
    if (bind(pair[1], (struct sockaddr *)&name,
             (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length))) {
        close(pair[1]);
        et_drm_file_destroy(file);
        return -EIO;
    }
    file->next = server->files;
    server->files = file;
    *reply_fd = pair[1];
    *extra = file->number;
    return 0;
}

/* A sync file that is signalled when all of a file's submissions so far are: with no descriptor, at once. */
static int merge(struct et_drm_server *server, int fd, uint64_t other, int *reply_fd)
{
    const struct et_drm_token *token = et_drm_token_of(server, fd);
    struct et_drm_token merged = {.kind = ET_DRM_TOKEN_FENCE};
    const struct et_drm_fence *first = token ? token->fence : NULL;
    /* `other` numbers the second's token from 1; of two fences the one still pending stands for both. */
    struct et_drm_fence *second =
        other && other <= server->token_count ? server->tokens[other - 1].fence : NULL;
    if (first && !first->signalled)
        merged.fence = et_drm_fence_reference(token->fence);
    else if (second)
        merged.fence = et_drm_fence_reference(second);
    else
        merged.fence = et_drm_fence_create(true);
    *reply_fd = merged.fence ? et_drm_token_create(server, &merged, 0) : -1;
    return *reply_fd < 0 ? -EMFILE : 0;
}

static int special(struct et_drm_server *server, const struct et_drm_request *request, int fd, int *reply_fd,
                   uint64_t *extra)
{
    const struct et_drm_token *token;
    switch (request->nr) {
    case ET_DRM_HELLO:
        *reply_fd = dup(server->ram_fd);
        *extra = server->ram.size;
        return *reply_fd < 0 ? -EMFILE : 0;
    case ET_DRM_PROGRESS:
        *reply_fd = dup(server->progress_fd);
        return *reply_fd < 0 ? -EMFILE : 0;
    case ET_DRM_OPEN:
        return open_file(server, reply_fd, extra);
    case ET_DRM_BUFFER_PLACE:
        token = et_drm_token_of(server, fd);
        if (!token || !token->bo)
            return -EINVAL;
        *extra = token->bo->offset;
        return 0;
    case ET_DRM_SYNC_STATE:
        token = et_drm_token_of(server, fd);
        if (!token || !token->fence)
            return -EINVAL;
        *extra = (uint64_t)(token - server->tokens) + 1;
        return token->fence->signalled;
    case ET_DRM_SYNC_MERGE:
        return merge(server, fd, request->argument, reply_fd);
    default:
        return -ENOTTY;
    }
}

static bool reply(int connection, const struct et_drm_reply *header, const void *body, const void *arrays,
                  int fd)
{
    return et_drm_send_header(connection, header, sizeof *header, fd) &&
           et_drm_write(connection, body, header->size) && et_drm_write(connection, arrays, header->arrays);
}

static struct et_drm_file *file_of(struct et_drm_server *server, uint32_t number)
{
    struct et_drm_file *file = server->files;
    while (file && file->number != number)
        file = file->next;
    return file;
}

/* One request; false when the connection is to be closed. */
static bool serve(struct et_drm_server *server, int connection)
{
    struct et_drm_request request = {0};
    struct et_drm_reply answer = {0};
    int fd = -1, reply_fd = -1;
    uint8_t *body = NULL;
    bool fine = et_drm_receive_header(connection, &request, sizeof request, &fd) &&
                request.magic == ET_DRM_MAGIC && request.size <= ET_DRM_MESSAGE_LIMIT &&
                request.arrays <= ET_DRM_MESSAGE_LIMIT;
    /* Room for the largest structure, so that handlers may look at fields that a short one lacks. */
    if (fine)
        fine = (body = et_calloc(request.size + request.arrays + 4096, 1)) != NULL;
    if (fine) {
        uint8_t *arrays = body + et_align_up(request.size, 8);
        fine = et_drm_read(connection, body, request.size) && et_drm_read(connection, arrays, request.arrays);
        if (fine) {
            const struct et_drm_call call = {file_of(server, request.file),
                                             request.nr,
                                             body,
                                             request.size,
                                             arrays,
                                             request.arrays,
                                             fd,
                                             &reply_fd,
                                             &answer.extra};
            if (request.nr >= ET_DRM_HELLO)
                answer.result = special(server, &request, fd, &reply_fd, &answer.extra);
            else
                answer.result = call.file ? et_drm_ioctl(server, &call) : -EBADF;
            answer.size = request.size;
            answer.arrays = request.arrays;
            answer.has_fd = reply_fd >= 0;
            fine = reply(connection, &answer, body, arrays, reply_fd);
        }
    }
    et_free(body);
    if (fd >= 0)
        close(fd);
    if (reply_fd >= 0)
        close(reply_fd);
    return fine;
}

static void accept_all(struct et_drm_server *server)
{
    int fd;
    while ((fd = accept4(server->listener, NULL, NULL, SOCK_CLOEXEC)) >= 0) {
        /* A client that stops in the middle of a message must not stop the others. */
        const struct timeval limit = {10, 0};
        setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
        setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
        if (!et_grow(&server->connections, &server->connection_capacity, server->connection_count + 1,
                     sizeof *server->connections)) {
            close(fd);
            return;
        }
        server->connections[server->connection_count++] = fd;
    }
}

static void close_file(struct et_drm_server *server, uint32_t number)
{
    for (struct et_drm_file **link = &server->files; *link; link = &(*link)->next)
        if ((*link)->number == number) {
            struct et_drm_file *file = *link;
            *link = file->next;
            et_drm_file_destroy(file);
            return;
        }
}

/* Runs what can run; *waiting: a job is blocked on memory, so look again soon. */
static bool work(struct et_drm_server *server, bool *waiting)
{
    bool moved = false;
    *waiting = false;
    for (struct et_drm_file *file = server->files; file; file = file->next) {
        moved |= et_drm_file_run(file);
        *waiting |= file->blocked;
    }
    return moved;
}

/* Polls everything once. Entries: listener, connections, files. */
static void turn(struct et_drm_server *server, struct pollfd *poll_set, int timeout)
{
    size_t count = 0, connections = server->connection_count, files = 0;
    poll_set[count++] = (struct pollfd){server->listener, POLLIN, 0};
    for (size_t i = 0; i < connections; i++)
        poll_set[count++] = (struct pollfd){server->connections[i], POLLIN, 0};
    for (struct et_drm_file *file = server->files; file; file = file->next, files++)
        poll_set[count++] = (struct pollfd){file->socket, POLLIN, 0};
    if (poll(poll_set, count, timeout) <= 0)
        return;
    /* Files first: their list is still as it was polled. */
    struct et_drm_file *file = server->files;
    for (size_t i = 0; i < files; i++) {
        struct et_drm_file *next = file->next;
        if (poll_set[1 + connections + i].revents)
            close_file(server, file->number);
        file = next;
    }
    for (size_t i = connections; i-- > 0;)
        if (poll_set[1 + i].revents && !serve(server, server->connections[i])) {
            close(server->connections[i]);
            server->connections[i] = server->connections[--server->connection_count];
        }
    if (poll_set[0].revents)
        accept_all(server);
}

/* Signals that ask us to end are the program's: its end is ours. */
static void pass_signals(pid_t pid, const sigset_t *set)
{
    const struct timespec now = {0, 0};
    int number;
    while ((number = sigtimedwait(set, NULL, &now)) > 0)
        kill(pid, number);
}

void et_drm_server_signals(sigset_t *set)
{
    sigemptyset(set);
    sigaddset(set, SIGTERM);
    sigaddset(set, SIGHUP);
    sigaddset(set, SIGQUIT);
}

void et_drm_server_run(struct et_drm_server *server, pid_t pid, int *wait_status)
{
    struct pollfd *poll_set = NULL;
    size_t capacity = 0;
    bool ended = false;
    sigset_t signals;
    et_drm_server_signals(&signals);
    while (!ended || server->files || server->connection_count) {
        size_t need = 1 + server->connection_count;
        bool waiting;
        const bool moved = work(server, &waiting);
        for (struct et_drm_file *file = server->files; file; file = file->next)
            need++;
        if (!et_grow(&poll_set, &capacity, need, sizeof *poll_set))
            break;
        /* While the program runs, its end is looked for ten times a second. */
        turn(server, poll_set, moved ? 0 : waiting ? BACK_OFF_MS : 100);
        if (!ended)
            pass_signals(pid, &signals);
        if (!ended && waitpid(pid, wait_status, WNOHANG) == pid)
            ended = true;
    }
    et_free(poll_set);
}
