/* Conversations: messages that are put together and sent off piece by piece, so that a client that stops in
 * the middle of one holds nobody else; and the requests that are no ioctl. */
#include "drm/server/server.h"

#include "base/alloc.h"
#include "base/bits.h"

#include <stdio.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

bool et_drm_pair(const struct et_drm_server *server, const char *prefix, uint64_t number, int *ours,
                 int *theirs)
{
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    const char *unique = strrchr(server->folder, '/');
    int pair[2];
    const int length = snprintf(name.sun_path + 1, sizeof name.sun_path - 1, "%s%llu-%d%.40s", prefix,
                                (unsigned long long)number, (int)getpid(), unique ? unique + 1 : "");
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair))
        return false;
    if (bind(pair[1], (struct sockaddr *)&name,
             (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length))) {
        close(pair[0]);
        close(pair[1]);
        return false;
    }
    *ours = pair[0];
    *theirs = pair[1];
    return true;
}

static int open_file(struct et_drm_server *server, int *reply_fd, uint64_t *extra)
{
    struct et_drm_file *file;
    int ours, theirs;
    if (server->file_count == ET_DRM_FILES ||
        !et_drm_pair(server, ET_DRM_FILE_NAME, server->next_file, &ours, &theirs))
        return -EMFILE;
    file = et_drm_file_create(server, ours);
    if (!file) {
        close(ours);
        close(theirs);
        return -ENOMEM;
    }
    file->next = server->files;
    server->files = file;
    server->file_count++;
    *reply_fd = theirs;
    *extra = file->number;
    return 0;
}

/* A descriptor of a fence, whose reference it takes over. */
static int sync_file(struct et_drm_server *server, struct et_drm_fence *fence)
{
    const struct et_drm_token token = {.kind = ET_DRM_TOKEN_FENCE, .fence = fence};
    return fence ? et_drm_token_create(server, &token) : -1;
}

static int merge(struct et_drm_server *server, const struct et_drm_token *first, uint64_t other,
                 int *reply_fd)
{
    const struct et_drm_token *const tokens[] = {first, et_drm_token_by_number(server, other)};
    struct et_drm_fence **parts = et_calloc(ET_COUNT(tokens), sizeof(struct et_drm_fence *));
    size_t count = 0;
    if (!parts)
        return -ENOMEM;
    for (size_t i = 0; i < ET_COUNT(tokens); i++)
        if (tokens[i] && tokens[i]->fence)
            parts[count++] = et_drm_fence_reference(tokens[i]->fence);
    *reply_fd = sync_file(server, et_drm_fence_merge(server, parts, count));
    return *reply_fd < 0 ? -EMFILE : 0;
}

static bool maps(const struct et_drm_file *file, const struct et_drm_bo *bo)
{
    for (size_t i = 0; i < file->mapping_count; i++)
        if (file->mappings[i].bo == bo)
            return true;
    return false;
}

/* What was submitted by those who have the buffer mapped. */
static int buffer_fence(struct et_drm_server *server, const struct et_drm_bo *bo, int *reply_fd)
{
    struct et_drm_fence **parts = NULL;
    size_t count = 0, capacity = 0;
    for (const struct et_drm_file *file = server->files; file; file = file->next)
        for (const struct et_drm_job *job = maps(file, bo) ? file->jobs : NULL; job; job = job->next) {
            if (!et_grow(&parts, &capacity, count + 1, sizeof(struct et_drm_fence *))) {
                while (count)
                    et_drm_fence_drop(parts[--count]);
                et_free(parts);
                return -ENOMEM;
            }
            parts[count++] = et_drm_fence_reference(job->done);
        }
    *reply_fd = sync_file(server, et_drm_fence_merge(server, parts, count));
    return *reply_fd < 0 ? -EMFILE : 0;
}

static int give_copy(int fd, int *reply_fd)
{
    *reply_fd = dup(fd);
    return *reply_fd < 0 ? -EMFILE : 0;
}

/* A range of RAM went to a file of that name. */
static int output(struct et_drm_server *server, const struct et_drm_call *call)
{
    uint64_t extent[2];
    char name[256];
    if (call->size != sizeof extent || !call->array_bytes || call->array_bytes >= sizeof name)
        return -EINVAL;
    memcpy(extent, call->body, sizeof extent);
    memcpy(name, call->arrays, call->array_bytes);
    name[call->array_bytes] = 0;
    for (const struct et_drm_file *file = server->files; file; file = file->next)
        if (file->record && et_drm_record_output(file->record, extent[0], extent[1], name))
            return 0;
    return -ENOENT;
}

static int special(struct et_drm_server *server, const struct et_drm_request *request,
                   const struct et_drm_call *call)
{
    const struct et_drm_token *token = call->token;
    int *reply_fd = call->reply_fd;
    uint64_t *extra = call->extra;
    switch (request->nr) {
    case ET_DRM_HELLO:
        *extra = server->ram.size;
        return give_copy(server->ram_fd, reply_fd);
    case ET_DRM_PROGRESS:
        return give_copy(server->progress_fd, reply_fd);
    case ET_DRM_OUTPUT:
        return output(server, call);
    case ET_DRM_OPEN:
        return open_file(server, reply_fd, extra);
    case ET_DRM_BUFFER_PLACE:
        if (!token || !token->bo)
            return -EINVAL;
        *extra = request->argument ? token->bo->size : token->bo->offset;
        return 0;
    case ET_DRM_BUFFER_FENCE:
        return token && token->bo ? buffer_fence(server, token->bo, reply_fd) : -EINVAL;
    case ET_DRM_SYNC_STATE:
        if (!token || !token->fence)
            return -EINVAL;
        *extra = token->number;
        return token->fence->signalled;
    case ET_DRM_SYNC_MERGE:
        return token && token->fence ? merge(server, token, request->argument, reply_fd) : -EINVAL;
    default:
        return -ENOTTY;
    }
}

static struct et_drm_file *file_of(const struct et_drm_server *server, uint32_t number)
{
    struct et_drm_file *file = server->files;
    while (file && file->number != number)
        file = file->next;
    return file;
}

/* The arrays lie behind the structure, aligned. */
static uint8_t *arrays_of(const struct et_drm_connection *connection)
{
    return connection->body + et_align_up(connection->request.size, 8);
}

static void drop_descriptor(struct et_drm_transfer *transfer)
{
    if (transfer->fd >= 0)
        close(transfer->fd);
    transfer->fd = -1;
}

static void expect_header(struct et_drm_connection *connection)
{
    drop_descriptor(&connection->transfer);
    if (connection->eventfd >= 0)
        close(connection->eventfd);
    et_free(connection->body);
    connection->body = NULL;
    connection->eventfd = -1;
    connection->token = 0;
    connection->state = ET_DRM_HEADER;
    connection->transfer =
        (struct et_drm_transfer){{{&connection->request, sizeof connection->request}}, 0, -1};
}

/* Writing to anything else than an eventfd might wait; those have no file type. Without /proc that must do.
 */
static bool is_eventfd(int fd)
{
    char path[32], text[32] = "";
    struct stat info;
    if (fstat(fd, &info) || info.st_mode & S_IFMT)
        return false;
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    return readlink(path, text, sizeof text - 1) < 0 || !strcmp(text, "anon_inode:[eventfd]");
}

static void take_descriptor(const struct et_drm_server *server, struct et_drm_connection *connection)
{
    const int fd = connection->transfer.fd;
    const struct et_drm_token *token = et_drm_token_of(server, fd);
    connection->transfer.fd = -1;
    if (token)
        connection->token = token->number;
    if (!token && is_eventfd(fd))
        connection->eventfd = fd;
    else
        close(fd);
}

static bool expect_body(struct et_drm_connection *connection)
{
    const struct et_drm_request *request = &connection->request;
    if (request->magic != ET_DRM_MAGIC || request->size > ET_DRM_STRUCTURE_LIMIT ||
        request->arrays > ET_DRM_MESSAGE_LIMIT)
        return false;
    /* Room for the largest structure, so that handlers may look at fields that a short one lacks. */
    connection->body = et_calloc(request->size + (size_t)request->arrays + 4096, 1);
    if (!connection->body)
        return false;
    connection->state = ET_DRM_BODY;
    connection->transfer = (struct et_drm_transfer){
        {{connection->body, request->size}, {arrays_of(connection), request->arrays}}, 0, -1};
    return true;
}

static void answer(struct et_drm_server *server, struct et_drm_connection *connection)
{
    const struct et_drm_request *request = &connection->request;
    struct et_drm_reply *reply = &connection->reply;
    int reply_fd = -1;
    *reply = (struct et_drm_reply){.size = request->size, .arrays = request->arrays};
    const struct et_drm_call call = {file_of(server, request->file),
                                     request->nr,
                                     connection->body,
                                     request->size,
                                     arrays_of(connection),
                                     request->arrays,
                                     et_drm_token_by_number(server, connection->token),
                                     connection->eventfd,
                                     &reply_fd,
                                     &reply->extra};
    if (request->nr >= ET_DRM_HELLO)
        reply->result = special(server, request, &call);
    else
        reply->result = call.file ? et_drm_ioctl(server, &call) : -EBADF;
    connection->state = ET_DRM_REPLY;
    connection->transfer = (struct et_drm_transfer){
        {{reply, sizeof *reply}, {connection->body, request->size}, {arrays_of(connection), request->arrays}},
        0,
        reply_fd};
}

bool et_drm_connection_serve(struct et_drm_server *server, struct et_drm_connection *connection)
{
    for (;;) {
        struct et_drm_transfer *transfer = &connection->transfer;
        while (et_drm_transfer_left(transfer)) {
            const int moved = connection->state == ET_DRM_REPLY
                                  ? et_drm_send_some(connection->socket, transfer, MSG_DONTWAIT)
                                  : et_drm_receive_some(connection->socket, transfer, MSG_DONTWAIT);
            if (moved <= 0)
                return moved == 0;
            if (connection->state == ET_DRM_HEADER && transfer->fd >= 0)
                take_descriptor(server, connection);
            else if (connection->state == ET_DRM_BODY)
                drop_descriptor(transfer); /* which belongs to nothing */
        }
        switch (connection->state) {
        case ET_DRM_HEADER:
            if (!expect_body(connection))
                return false;
            break;
        case ET_DRM_BODY:
            answer(server, connection);
            break;
        case ET_DRM_REPLY: /* the next request has its turn after the others' */
            expect_header(connection);
            return true;
        }
    }
}

bool et_drm_connection_accept(struct et_drm_server *server)
{
    struct et_drm_connection *connection;
    const int fd = accept4(server->listener, NULL, NULL, SOCK_CLOEXEC);
    if (fd < 0) {
        server->deaf = errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM;
        return false;
    }
    connection = server->connection_count < ET_DRM_CONNECTIONS ? et_calloc(1, sizeof *connection) : NULL;
    if (!connection || !et_grow(&server->connections, &server->connection_capacity,
                                server->connection_count + 1, sizeof *server->connections)) {
        et_free(connection);
        close(fd);
        return false;
    }
    connection->socket = fd;
    connection->transfer.fd = connection->eventfd = -1;
    expect_header(connection);
    server->connections[server->connection_count++] = connection;
    return true;
}

void et_drm_connection_destroy(struct et_drm_connection *connection)
{
    expect_header(connection);
    close(connection->socket);
    et_free(connection);
}
