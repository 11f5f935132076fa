/* Exported buffers, fences and syncobjs, and merged fences. */
#include "drm/server/server.h"

#include "base/alloc.h"
#include "base/bits.h"

#include <sys/stat.h>
#include <unistd.h>

static void drop(struct et_drm_server *server, const struct et_drm_token *token)
{
    et_drm_bo_drop(server, token->bo);
    et_drm_fence_drop(token->fence);
    et_drm_syncobj_drop(token->syncobj);
}

/* Readable from the start: a buffer (who maps it waits by fences), and a fence that is signalled. */
static void tell(struct et_drm_token *token)
{
    const bool now = token->kind == ET_DRM_TOKEN_BUFFER || (token->fence && token->fence->signalled);
    if (now && !token->told)
        token->told = send(token->socket, "", 1, MSG_DONTWAIT | MSG_NOSIGNAL) == 1;
}

int et_drm_token_create(struct et_drm_server *server, const struct et_drm_token *token)
{
    struct et_drm_token entry = *token;
    struct stat info;
    int theirs = -1;
    entry.number = ++server->next_token;
    if (server->token_count >= ET_DRM_TOKENS ||
        !et_grow(&server->tokens, &server->token_capacity, server->token_count + 1, sizeof *server->tokens) ||
        !et_drm_pair(server, token->kind == ET_DRM_TOKEN_BUFFER ? ET_DRM_BUFFER_NAME : ET_DRM_SYNC_NAME,
                     entry.number, &entry.socket, &theirs)) {
        drop(server, token);
        return -1;
    }
    if (fstat(theirs, &info)) {
        close(theirs);
        close(entry.socket);
        drop(server, token);
        return -1;
    }
    entry.inode = info.st_ino;
    tell(&entry);
    server->tokens[server->token_count++] = entry;
    return theirs;
}

void et_drm_token_remove(struct et_drm_server *server, size_t index)
{
    const struct et_drm_token token = server->tokens[index];
    server->tokens[index] = server->tokens[--server->token_count];
    close(token.socket);
    drop(server, &token);
}

struct et_drm_token *et_drm_token_of(const struct et_drm_server *server, int fd)
{
    struct stat info;
    if (fd < 0 || fstat(fd, &info) || !S_ISSOCK(info.st_mode))
        return NULL;
    for (size_t i = 0; i < server->token_count; i++)
        if (server->tokens[i].inode == info.st_ino)
            return &server->tokens[i];
    return NULL;
}

struct et_drm_token *et_drm_token_by_number(const struct et_drm_server *server, uint64_t number)
{
    for (size_t i = 0; i < server->token_count; i++)
        if (server->tokens[i].number == number)
            return &server->tokens[i];
    return NULL;
}

void et_drm_tell_tokens(struct et_drm_server *server)
{
    for (size_t i = 0; i < server->token_count; i++)
        tell(&server->tokens[i]);
}

void et_drm_free_merge(struct et_drm_merge *merge)
{
    for (size_t i = 0; i < merge->count; i++)
        et_drm_fence_drop(merge->parts[i]);
    et_free(merge->parts);
    et_drm_fence_drop(merge->done);
    *merge = (struct et_drm_merge){0};
}

/* Drops the parts that are signalled; true when none is left. */
static bool complete(struct et_drm_merge *merge)
{
    for (size_t i = 0; i < merge->count;) {
        if (!merge->parts[i]->signalled) {
            i++;
            continue;
        }
        et_drm_fence_drop(merge->parts[i]);
        merge->parts[i] = merge->parts[--merge->count];
    }
    return !merge->count;
}

struct et_drm_fence *et_drm_fence_merge(struct et_drm_server *server, struct et_drm_fence **parts,
                                        size_t count)
{
    struct et_drm_merge merge = {et_drm_fence_create(false), parts, count};
    struct et_drm_fence *fence = et_drm_fence_reference(merge.done);
    if (fence && complete(&merge)) {
        fence->signalled = true;
        et_drm_free_merge(&merge);
    } else if (!fence || !et_grow(&server->merges, &server->merge_capacity, server->merge_count + 1,
                                  sizeof *server->merges)) {
        et_drm_free_merge(&merge);
        et_drm_fence_drop(fence);
        return NULL;
    } else {
        server->merges[server->merge_count++] = merge;
    }
    return fence;
}

void et_drm_settle_merges(struct et_drm_server *server)
{
    bool moved = true;
    while (moved) { /* a merge may be a part of another */
        moved = false;
        for (size_t i = 0; i < server->merge_count;) {
            struct et_drm_merge *merge = &server->merges[i];
            const bool done = complete(merge);
            if (!done && merge->done->references > 1) {
                i++;
                continue;
            }
            moved |= done;
            merge->done->signalled |= done; /* else nobody waits for it any more */
            et_drm_free_merge(merge);
            server->merges[i] = server->merges[--server->merge_count];
        }
    }
}
