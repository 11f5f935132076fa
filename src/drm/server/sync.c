/* Fences, sync objects and their ioctls. A fence is signalled once and for ever. */
#include "drm/server/server.h"

#include "base/alloc.h"
#include "base/bits.h"

#include <errno.h>
#include <unistd.h>

struct et_drm_fence *et_drm_fence_create(bool signalled)
{
    struct et_drm_fence *fence = et_calloc(1, sizeof *fence);
    if (fence)
        *fence = (struct et_drm_fence){1, signalled};
    return fence;
}

struct et_drm_fence *et_drm_fence_reference(struct et_drm_fence *fence)
{
    if (fence)
        fence->references++;
    return fence;
}

void et_drm_fence_drop(struct et_drm_fence *fence)
{
    if (fence && !--fence->references)
        et_free(fence);
}

struct et_drm_syncobj *et_drm_syncobj_create(bool signalled)
{
    struct et_drm_syncobj *object = et_calloc(1, sizeof *object);
    if (!object)
        return NULL;
    object->references = 1;
    if (signalled && !(object->fence = et_drm_fence_create(true))) {
        et_free(object);
        return NULL;
    }
    return object;
}

static void clear_points(struct et_drm_syncobj *object)
{
    for (size_t i = 0; i < object->point_count; i++)
        et_drm_fence_drop(object->points[i].fence);
    object->point_count = 0;
}

void et_drm_syncobj_drop(struct et_drm_syncobj *object)
{
    if (!object || --object->references)
        return;
    clear_points(object);
    et_drm_fence_drop(object->fence);
    et_free(object->points);
    et_free(object);
}

void et_drm_syncobj_settle(struct et_drm_syncobj *object)
{
    size_t done = 0;
    while (done < object->point_count && object->points[done].fence->signalled) {
        object->signalled = ET_MAX(object->signalled, object->points[done].value);
        et_drm_fence_drop(object->points[done++].fence);
    }
    if (!done)
        return;
    memmove(object->points, object->points + done, (object->point_count - done) * sizeof *object->points);
    object->point_count -= done;
}

bool et_drm_syncobj_put(struct et_drm_syncobj *object, uint64_t point, struct et_drm_fence *fence)
{
    if (point) {
        size_t at = object->point_count;
        if (at >= ET_DRM_POINTS)
            return false;
        if (!et_grow(&object->points, &object->point_capacity, object->point_count + 1,
                     sizeof *object->points))
            return false;
        while (at && object->points[at - 1].value > point)
            at--;
        memmove(object->points + at + 1, object->points + at,
                (object->point_count - at) * sizeof *object->points);
        object->points[at] = (struct et_drm_point){point, et_drm_fence_reference(fence)};
        object->point_count++;
        et_drm_syncobj_settle(object);
    } else {
        clear_points(object);
        object->signalled = 0;
    }
    et_drm_fence_reference(fence);
    et_drm_fence_drop(object->fence);
    object->fence = fence;
    return true;
}

struct et_drm_fence *et_drm_syncobj_find(struct et_drm_syncobj *object, uint64_t point)
{
    et_drm_syncobj_settle(object);
    if (!point)
        return et_drm_fence_reference(object->fence);
    if (point <= object->signalled)
        return et_drm_fence_create(true);
    for (size_t i = 0; i < object->point_count; i++)
        if (object->points[i].value >= point)
            return et_drm_fence_reference(object->points[i].fence);
    return NULL;
}

struct et_drm_syncobj *et_drm_syncobj_of(const struct et_drm_file *file, uint32_t handle)
{
    return handle && handle < ET_DRM_HANDLES ? file->syncobjs[handle] : NULL;
}

static uint32_t new_handle(struct et_drm_file *file, struct et_drm_syncobj *object)
{
    for (uint32_t n = 0; n < ET_DRM_HANDLES; n++) {
        const uint32_t handle = (file->last_syncobj + 1 + n) % ET_DRM_HANDLES;
        if (handle && !file->syncobjs[handle]) {
            file->syncobjs[handle] = object;
            file->last_syncobj = handle;
            return handle;
        }
    }
    return 0;
}

static int create(struct et_drm_file *file, struct syncobj_create_args *args)
{
    struct et_drm_syncobj *object = et_drm_syncobj_create(args->flags & SYNCOBJ_CREATE_SIGNALED);
    if (!object)
        return -ENOMEM;
    args->handle = new_handle(file, object);
    if (args->handle)
        return 0;
    et_drm_syncobj_drop(object);
    return -ENOMEM;
}

static int destroy(struct et_drm_file *file, uint32_t handle)
{
    struct et_drm_syncobj *object = et_drm_syncobj_of(file, handle);
    if (!object)
        return -EINVAL;
    file->syncobjs[handle] = NULL;
    et_drm_syncobj_drop(object);
    return 0;
}

/* One look: 1 met, 0 not yet, negative errno. A point without a fence counts as not submitted. */
static int look(struct et_drm_file *file, const uint32_t *handles, const uint64_t *points, uint32_t count,
                uint32_t flags, uint32_t *first)
{
    uint32_t done = 0, submitted = 0;
    bool found = false;
    for (uint32_t i = 0; i < count; i++) {
        struct et_drm_syncobj *object = et_drm_syncobj_of(file, handles[i]);
        struct et_drm_fence *fence;
        if (!object)
            return -ENOENT;
        fence = et_drm_syncobj_find(object, points ? points[i] : 0);
        if (fence) {
            submitted++;
            if (fence->signalled || flags & WAIT_AVAILABLE) {
                done++;
                if (!found)
                    *first = i;
                found = true;
            }
            et_drm_fence_drop(fence);
        }
    }
    if (!(flags & (WAIT_FOR_SUBMIT | WAIT_AVAILABLE)) && submitted < count)
        return -EINVAL;
    return flags & WAIT_ALL ? done == count : done > 0;
}

static int wait_for(struct et_drm_file *file, const uint32_t *handles, const uint64_t *points, uint32_t count,
                    uint32_t flags, uint32_t *first, const struct et_drm_call *call)
{
    int met;
    if (!count)
        return 0;
    if (!handles)
        return -EINVAL;
    met = look(file, handles, points, count, flags, first);
    if (met < 0)
        return met;
    *call->extra = *file->server->progress;
    return met ? 0 : ET_DRM_PENDING;
}

static int each(struct et_drm_file *file, const struct et_drm_call *call, bool signal)
{
    uint32_t count;
    const uint32_t *handles = et_drm_call_array(call, 0, &count);
    if (!handles)
        return -EINVAL;
    for (uint32_t i = 0; i < count; i++) {
        struct et_drm_syncobj *object = et_drm_syncobj_of(file, handles[i]);
        struct et_drm_fence *fence = signal ? et_drm_fence_create(true) : NULL;
        if (!object) {
            et_drm_fence_drop(fence);
            return -ENOENT;
        }
        et_drm_syncobj_put(object, 0, fence);
        et_drm_fence_drop(fence);
    }
    et_drm_progress(file->server);
    return 0;
}

static int timeline_signal(struct et_drm_file *file, const struct et_drm_call *call)
{
    uint32_t count;
    const uint32_t *handles = et_drm_call_array(call, 0, &count);
    const uint64_t *points = et_drm_call_array(call, 1, &count);
    if (!handles || !points)
        return -EINVAL;
    for (uint32_t i = 0; i < count; i++) {
        struct et_drm_syncobj *object = et_drm_syncobj_of(file, handles[i]);
        struct et_drm_fence *fence = et_drm_fence_create(true);
        const bool fine = object && fence && et_drm_syncobj_put(object, points[i], fence);
        et_drm_fence_drop(fence);
        if (!fine)
            return object ? -ENOMEM : -ENOENT;
    }
    et_drm_progress(file->server);
    return 0;
}

static int query(struct et_drm_file *file, const struct et_drm_call *call)
{
    const struct syncobj_timeline_array_args *args = call->body;
    uint32_t count;
    const uint32_t *handles = et_drm_call_array(call, 0, &count);
    uint64_t *points = et_drm_call_array(call, 1, &count);
    if (!handles || !points)
        return -EINVAL;
    for (uint32_t i = 0; i < count; i++) {
        struct et_drm_syncobj *object = et_drm_syncobj_of(file, handles[i]);
        if (!object)
            return -ENOENT;
        et_drm_syncobj_settle(object);
        points[i] = object->signalled;
        if (args->flags & SYNCOBJ_QUERY_LAST_SUBMITTED && object->point_count)
            points[i] = object->points[object->point_count - 1].value;
    }
    return 0;
}

static int transfer(struct et_drm_file *file, const struct syncobj_transfer_args *args,
                    const struct et_drm_call *call)
{
    struct et_drm_syncobj *from = et_drm_syncobj_of(file, args->source),
                          *to = et_drm_syncobj_of(file, args->dest);
    struct et_drm_fence *fence;
    bool fine;
    if (!from || !to)
        return -ENOENT;
    fence = et_drm_syncobj_find(from, args->source_point);
    if (!fence) {
        *call->extra = *file->server->progress;
        return args->flags & WAIT_FOR_SUBMIT ? ET_DRM_PENDING : -EINVAL;
    }
    fine = et_drm_syncobj_put(to, args->dest_point, fence);
    et_drm_fence_drop(fence);
    et_drm_progress(file->server);
    return fine ? 0 : -ENOMEM;
}

static int export_handle(struct et_drm_file *file, const struct syncobj_handle_args *args,
                         const struct et_drm_call *call)
{
    struct et_drm_syncobj *object = et_drm_syncobj_of(file, args->handle);
    struct et_drm_token token = {.kind = ET_DRM_TOKEN_SYNCOBJ, .syncobj = object};
    if (!object)
        return -EINVAL;
    if (args->flags & SYNCOBJ_SYNC_FILE) {
        const uint64_t point = call->size >= sizeof *args ? args->point : 0;
        token =
            (struct et_drm_token){.kind = ET_DRM_TOKEN_FENCE, .fence = et_drm_syncobj_find(object, point)};
        if (!token.fence)
            return -EINVAL;
    } else {
        object->references++;
    }
    *call->reply_fd = et_drm_token_create(file->server, &token);
    return *call->reply_fd < 0 ? -EMFILE : 0;
}

static int import_handle(struct et_drm_file *file, struct syncobj_handle_args *args,
                         const struct et_drm_call *call)
{
    const struct et_drm_token *token = call->token;
    if (args->flags & SYNCOBJ_SYNC_FILE) {
        struct et_drm_syncobj *object = et_drm_syncobj_of(file, args->handle);
        const uint64_t point = call->size >= sizeof *args ? args->point : 0;
        if (!object || !token || !token->fence)
            return -EINVAL;
        return et_drm_syncobj_put(object, point, token->fence) ? 0 : -ENOMEM;
    }
    if (!token || !token->syncobj)
        return -EINVAL;
    args->handle = new_handle(file, token->syncobj);
    if (!args->handle)
        return -ENOMEM;
    token->syncobj->references++;
    return 0;
}

static int watch(struct et_drm_file *file, const struct syncobj_eventfd_args *args,
                 const struct et_drm_call *call)
{
    struct et_drm_server *server = file->server;
    struct et_drm_syncobj *object = et_drm_syncobj_of(file, args->handle);
    struct et_drm_watch entry = {.fd = -1};
    if (!object)
        return -ENOENT;
    if (call->eventfd < 0)
        return -EBADF;
    entry.fence = et_drm_syncobj_find(object, args->point);
    if (!entry.fence)
        return -EINVAL;
    entry.fd = dup(call->eventfd);
    if (entry.fd < 0 || !et_grow(&server->watches, &server->watch_capacity, server->watch_count + 1,
                                 sizeof *server->watches)) {
        et_drm_fence_drop(entry.fence);
        if (entry.fd >= 0)
            close(entry.fd);
        return -ENOMEM;
    }
    server->watches[server->watch_count++] = entry;
    et_drm_progress(server);
    return 0;
}

int et_drm_put_signals(struct et_drm_file *file, const struct nouveau_sync *signals, uint32_t count,
                       struct et_drm_fence *fence)
{
    for (uint32_t i = 0; i < count; i++)
        if (!et_drm_syncobj_of(file, signals[i].handle))
            return -ENOENT;
    for (uint32_t i = 0; i < count; i++) {
        const bool timeline = (signals[i].flags & SYNC_TYPE_MASK) == SYNC_TIMELINE;
        if (!et_drm_syncobj_put(et_drm_syncobj_of(file, signals[i].handle), timeline ? signals[i].value : 0,
                                fence))
            return -ENOMEM;
    }
    return 0;
}

int et_drm_sync_ioctl(struct et_drm_file *file, const struct et_drm_call *call)
{
    uint32_t count;
    switch (call->nr) {
    case DRM_SYNCOBJ_CREATE:
        return create(file, call->body);
    case DRM_SYNCOBJ_DESTROY:
        return destroy(file, ((struct syncobj_destroy_args *)call->body)->handle);
    case DRM_SYNCOBJ_HANDLE_TO_FD:
        return export_handle(file, call->body, call);
    case DRM_SYNCOBJ_FD_TO_HANDLE:
        return import_handle(file, call->body, call);
    case DRM_SYNCOBJ_WAIT: {
        struct syncobj_wait_args *args = call->body;
        return wait_for(file, et_drm_call_array(call, 0, &count), NULL, args->count, args->flags,
                        &args->first_signaled, call);
    }
    case DRM_SYNCOBJ_TIMELINE_WAIT: {
        struct syncobj_timeline_wait_args *args = call->body;
        const uint64_t *points = et_drm_call_array(call, 1, &count);
        if (args->count && !points)
            return -EINVAL;
        return wait_for(file, et_drm_call_array(call, 0, &count), points, args->count, args->flags,
                        &args->first_signaled, call);
    }
    case DRM_SYNCOBJ_RESET:
        return each(file, call, false);
    case DRM_SYNCOBJ_SIGNAL:
        return each(file, call, true);
    case DRM_SYNCOBJ_QUERY:
        return query(file, call);
    case DRM_SYNCOBJ_TIMELINE_SIGNAL:
        return timeline_signal(file, call);
    case DRM_SYNCOBJ_TRANSFER:
        return transfer(file, call->body, call);
    case DRM_SYNCOBJ_EVENTFD:
        return watch(file, call->body, call);
    default:
        return -ENOTTY;
    }
}
