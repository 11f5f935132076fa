/* The event loop: new connections, requests, closed files, work that waits. */
#include "drm/server/server.h"

#include "base/alloc.h"
#include "base/bits.h"

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
#include <sys/resource.h>
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
    /* Clients get the descriptors: they must not be able to take the pages away from under us. */
    const int seals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;
    server->ram_fd = memfd_create("etalon-ram", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    server->progress_fd = memfd_create("etalon-progress", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (server->ram_fd < 0 || server->progress_fd < 0 || ftruncate(server->ram_fd, (off_t)size) ||
        ftruncate(server->progress_fd, 4096) || fcntl(server->ram_fd, F_ADD_SEALS, seals) ||
        fcntl(server->progress_fd, F_ADD_SEALS, seals))
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

void et_drm_server_destroy(struct et_drm_server *server)
{
    while (server->files) {
        struct et_drm_file *next = server->files->next;
        et_drm_file_destroy(server->files);
        server->files = next;
    }
    while (server->token_count)
        et_drm_token_remove(server, server->token_count - 1);
    for (size_t i = 0; i < server->merge_count; i++)
        et_drm_free_merge(&server->merges[i]);
    for (size_t i = 0; i < server->watch_count; i++) {
        et_drm_fence_drop(server->watches[i].fence);
        close(server->watches[i].fd);
    }
    for (size_t i = 0; i < server->connection_count; i++)
        et_drm_connection_destroy(server->connections[i]);
    et_free(server->tokens);
    et_free(server->merges);
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
    et_drm_settle_merges(server);
    et_drm_tell_tokens(server);
    for (size_t i = 0; i < server->watch_count;) {
        const struct et_drm_watch *watch = &server->watches[i];
        struct pollfd room = {watch->fd, POLLOUT, 0};
        const uint64_t one = 1;
        if (!watch->fence->signalled) {
            i++;
            continue;
        }
        /* A count that is full already tells its reader as much. */
        if (poll(&room, 1, 0) == 1 && room.revents & POLLOUT && write(watch->fd, &one, sizeof one) < 0 &&
            errno == EINTR)
            continue;
        et_drm_fence_drop(watch->fence);
        close(watch->fd);
        server->watches[i] = server->watches[--server->watch_count];
    }
    __atomic_add_fetch(server->progress, 1, __ATOMIC_RELEASE);
    syscall(SYS_futex, server->progress, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

static void close_file(struct et_drm_server *server, uint32_t number)
{
    for (struct et_drm_file **link = &server->files; *link; link = &(*link)->next)
        if ((*link)->number == number) {
            struct et_drm_file *file = *link;
            *link = file->next;
            server->file_count--;
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

/* Polls everything once. Entries: listener, files, tokens, connections. */
static void turn(struct et_drm_server *server, struct pollfd *poll_set, int timeout)
{
    const size_t files = server->file_count, tokens = server->token_count,
                 connections = server->connection_count;
    struct pollfd *of_files = poll_set + 1, *of_tokens = of_files + files,
                  *of_connections = of_tokens + tokens;
    struct et_drm_file *file = server->files;
    poll_set[0] = (struct pollfd){server->deaf ? -1 : server->listener, POLLIN, 0};
    for (size_t i = 0; i < files; i++, file = file->next)
        of_files[i] = (struct pollfd){file->socket, 0, 0};
    for (size_t i = 0; i < tokens; i++)
        of_tokens[i] = (struct pollfd){server->tokens[i].socket, 0, 0};
    for (size_t i = 0; i < connections; i++) {
        const struct et_drm_connection *connection = server->connections[i];
        of_connections[i] =
            (struct pollfd){connection->socket, connection->state == ET_DRM_REPLY ? POLLOUT : POLLIN, 0};
    }
    server->deaf = false;
    if (poll(poll_set, 1 + files + tokens + connections, timeout) <= 0)
        return;
    /* Those that only end go first, while the lists are as they were polled; the last of a list takes the
     * place of one that goes. */
    file = server->files;
    for (size_t i = 0; i < files; i++) {
        struct et_drm_file *next = file->next;
        if (of_files[i].revents)
            close_file(server, file->number);
        file = next;
    }
    for (size_t i = tokens; i-- > 0;)
        if (of_tokens[i].revents)
            et_drm_token_remove(server, i);
    for (size_t i = connections; i-- > 0;)
        if (of_connections[i].revents && !et_drm_connection_serve(server, server->connections[i])) {
            et_drm_connection_destroy(server->connections[i]);
            server->connections[i] = server->connections[--server->connection_count];
        }
    while (poll_set[0].revents && et_drm_connection_accept(server))
        ;
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

/* Every open file, exported object and conversation of a client costs us a descriptor. */
static void allow_descriptors(void)
{
    struct rlimit limit;
    if (!getrlimit(RLIMIT_NOFILE, &limit)) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
}

void et_drm_server_run(struct et_drm_server *server, pid_t pid, int *wait_status)
{
    struct pollfd *poll_set = NULL;
    size_t capacity = 0;
    bool ended = false;
    sigset_t signals;
    et_drm_server_signals(&signals);
    allow_descriptors();
    while (!ended || server->file_count || server->token_count || server->connection_count) {
        bool waiting;
        const bool moved = work(server, &waiting);
        const size_t need = 1 + server->file_count + server->token_count + server->connection_count;
        /* While the program runs, its end is looked for ten times a second. */
        if (et_grow(&poll_set, &capacity, need, sizeof *poll_set))
            turn(server, poll_set, moved ? 0 : waiting ? BACK_OFF_MS : 100);
        else
            usleep(1000); /* memory was refused: the clients wait */
        if (!ended)
            pass_signals(pid, &signals);
        if (!ended && waitpid(pid, wait_status, WNOHANG) == pid)
            ended = true;
    }
    et_free(poll_set);
}
