/* Submissions: an open file's jobs, in order of submission a channel, each after the fences that it waits
 * for. */
#include "drm/server/server.h"

#include "base/alloc.h"

#include <errno.h>
#include <stdio.h>

static void free_job(struct et_drm_server *server, struct et_drm_job *job)
{
    for (uint32_t i = 0; i < job->wait_count; i++)
        et_drm_fence_drop(job->waits[i]);
    et_free(job->waits);
    et_free(job->pushes);
    et_drm_free_binds(server, job->binds, job->bind_count);
    et_drm_fence_drop(job->done);
    et_free(job);
}

static int find_wait(const struct et_drm_file *file, const struct nouveau_sync *wait,
                     struct et_drm_fence **fence)
{
    struct et_drm_syncobj *object = et_drm_syncobj_of(file, wait->handle);
    const bool timeline = (wait->flags & SYNC_TYPE_MASK) == SYNC_TIMELINE;
    if (!object)
        return -ENOENT;
    *fence = et_drm_syncobj_find(object, timeline ? wait->value : 0);
    return *fence ? 0 : -EINVAL; /* nothing was submitted for it */
}

int et_drm_waits_met(struct et_drm_file *file, const struct nouveau_sync *waits, uint32_t count)
{
    int met = 1;
    for (uint32_t i = 0; i < count; i++) {
        struct et_drm_fence *fence;
        const int result = find_wait(file, &waits[i], &fence);
        if (result)
            return result;
        met &= fence->signalled;
        et_drm_fence_drop(fence);
    }
    return met;
}

/* The rest of a submission, and its place in the list; takes the job over. */
static int add_job(struct et_drm_file *file, struct et_drm_job *job, const struct nouveau_sync *waits,
                   uint32_t wait_count, const struct nouveau_sync *signals, uint32_t signal_count)
{
    int result = 0;
    job->done = et_drm_fence_create(false);
    job->waits = et_calloc(wait_count ? wait_count : 1, sizeof(struct et_drm_fence *));
    if (!job->done || !job->waits)
        result = -ENOMEM;
    for (uint32_t i = 0; !result && i < wait_count; i++) {
        result = find_wait(file, &waits[i], &job->waits[i]);
        job->wait_count += !result;
    }
    if (!result)
        result = et_drm_put_signals(file, signals, signal_count, job->done);
    if (result) {
        free_job(file->server, job);
        return result;
    }
    *file->last_job = job;
    file->last_job = &job->next;
    file->job_count++;
    file->server->statistics.submissions += !job->binds;
    return 0;
}

int et_drm_submit(struct et_drm_file *file, uint32_t channel, const struct nouveau_exec_push *pushes,
                  uint32_t push_count, const struct nouveau_sync *waits, uint32_t wait_count,
                  const struct nouveau_sync *signals, uint32_t signal_count)
{
    struct et_drm_job *job;
    if (channel >= ET_DRM_CHANNELS || !file->channels[channel])
        return -ENOENT;
    if (file->lost)
        return -ENODEV;
    job = et_calloc(1, sizeof *job);
    if (!job)
        return -ENOMEM;
    job->channel = channel;
    job->pushes = et_calloc(push_count ? push_count : 1, sizeof *job->pushes);
    if (!job->pushes) {
        et_free(job);
        return -ENOMEM;
    }
    if (push_count)
        memcpy(job->pushes, pushes, push_count * sizeof *pushes);
    job->push_count = push_count;
    return add_job(file, job, waits, wait_count, signals, signal_count);
}

int et_drm_submit_binds(struct et_drm_file *file, struct et_drm_bind *binds, uint32_t count,
                        const struct nouveau_sync *waits, uint32_t wait_count,
                        const struct nouveau_sync *signals, uint32_t signal_count)
{
    struct et_drm_job *job = et_calloc(1, sizeof *job);
    if (!job) {
        et_drm_free_binds(file->server, binds, count);
        return -ENOMEM;
    }
    job->channel = ET_DRM_BIND_QUEUE;
    job->binds = binds;
    job->bind_count = count;
    return add_job(file, job, waits, wait_count, signals, signal_count);
}

bool et_drm_file_idle(const struct et_drm_file *file)
{
    return !file->jobs;
}

static bool ready(const struct et_drm_job *job)
{
    for (uint32_t i = 0; i < job->wait_count; i++)
        if (!job->waits[i]->signalled)
            return false;
    return true;
}

static void tell(const struct et_drm_file *file, const struct etalon_error *error)
{
    const struct et_drm_options *options = &file->server->options;
    char text[512];
    if (!options->message)
        return;
    snprintf(text, sizeof text,
             "device lost: %s (%s; channel %u, class 0x%04x method 0x%04x value 0x%08x, event %llu, "
             "address 0x%llx, pc 0x%llx)",
             error->text, etalon_status_name(error->status), error->channel, error->klass, error->method,
             error->value, (unsigned long long)error->event, (unsigned long long)error->address,
             (unsigned long long)error->pc);
    options->message(options->message_context, text);
}

/* A fault kills the file's channels, as the kernel does: fences are signalled so that nobody hangs, later
 * submissions fail. */
static void lose(struct et_drm_file *file, const struct etalon_error *error)
{
    file->lost = true;
    file->server->statistics.faults++;
    tell(file, error);
    for (unsigned i = 0; i < ET_DRM_CHANNELS; i++)
        if (file->channels[i])
            et_channel_reset(et_device_channel(file->device, i));
}

/* Takes a job out of the list; its fence is signalled. */
static void finish(struct et_drm_file *file, struct et_drm_job **link)
{
    struct et_drm_job *job = *link;
    *link = job->next;
    if (file->last_job == &job->next)
        file->last_job = link;
    file->job_count--;
    job->done->signalled = true;
    free_job(file->server, job);
}

void et_drm_cancel_jobs(struct et_drm_file *file, uint32_t channel)
{
    for (struct et_drm_job **link = &file->jobs; *link;)
        if ((*link)->channel == channel)
            finish(file, link);
        else
            link = &(*link)->next;
    et_drm_progress(file->server);
}

/* A bind that fails after it was accepted loses the address space, as in the kernel. */
static enum etalon_status bind_all(struct et_drm_file *file, const struct et_drm_job *job,
                                   struct etalon_error *error)
{
    for (uint32_t i = 0; i < job->bind_count; i++) {
        const int result = et_drm_bind(file, &job->binds[i]);
        if (result) {
            et_at_address(error, job->binds[i].op.address);
            return et_fail(error, result == -ENOMEM ? ETALON_NO_MEMORY : ETALON_INVALID,
                           "a queued change of mappings failed: %s", strerror(-result));
        }
    }
    return ETALON_OK;
}

static enum etalon_status push(struct et_drm_file *file, const struct et_drm_job *job,
                               struct etalon_error *error)
{
    struct et_channel *channel = et_device_channel(file->device, job->channel);
    enum etalon_status status = channel ? ETALON_OK : et_fail(error, ETALON_INVALID, "the channel is gone");
    for (uint32_t i = 0; !status && i < job->push_count; i++)
        status = et_channel_push(channel, job->pushes[i].va, job->pushes[i].bytes / 4,
                                 job->pushes[i].flags & EXEC_PUSH_NO_PREFETCH, error);
    return status;
}

/* Queues the words of every job that may begin: the first of its channel, its waits met. A recording takes
 * one at a time. */
static enum etalon_status begin_jobs(struct et_drm_file *file, bool *any, struct etalon_error *error)
{
    bool seen[ET_DRM_CHANNELS + 1] = {false};
    enum etalon_status status = ETALON_OK;
    *any = false;
    for (struct et_drm_job *job = file->jobs; job && !status; job = job->next) {
        const bool first = !seen[job->channel];
        seen[job->channel] = true;
        if (job->pushed) {
            *any |= !job->binds;
            continue;
        }
        if (!first || !ready(job) || (*any && file->record))
            continue;
        job->pushed = true;
        if (job->binds) {
            status = bind_all(file, job, error);
            continue;
        }
        if (file->record)
            et_drm_record_before(file->record, job);
        status = push(file, job, error);
        *any = true;
    }
    return status;
}

static bool channel_idle(const struct et_drm_file *file, const struct et_drm_job *job)
{
    const struct et_channel *channel = job->binds ? NULL : et_device_channel(file->device, job->channel);
    return !channel || !et_channel_get(channel);
}

static bool finish_jobs(struct et_drm_file *file)
{
    bool moved = false;
    file->blocked = false;
    for (struct et_drm_job **link = &file->jobs; *link;) {
        if (!file->lost && !((*link)->pushed && channel_idle(file, *link))) {
            file->blocked |= (*link)->pushed;
            link = &(*link)->next;
            continue;
        }
        finish(file, link);
        moved = true;
    }
    return moved;
}

bool et_drm_file_run(struct et_drm_file *file)
{
    struct etalon_error error = {0};
    struct et_run_result result = {0};
    enum etalon_status status = ETALON_OK;
    bool any = false, moved;
    if (!file->jobs)
        return false;
    if (!file->lost)
        status = begin_jobs(file, &any, &error);
    if (!status && any)
        status = et_device_run(file->device, &result, &error);
    if (status)
        lose(file, &error);
    moved = finish_jobs(file);
    if (moved && file->record)
        et_drm_record_after(file->record);
    if (moved && file->any_closed && et_drm_file_idle(file))
        et_drm_reap_closed(file);
    if (moved)
        et_drm_progress(file->server);
    return moved;
}
