/* The GPU thread and its commands (P25, P28..P32). */
#include "pm4/processor.h"

#include <time.h>

bool etalon_pm4_on_thread(const struct etalon_pm4 *pm4)
{
    return pm4->threaded && pthread_equal(pthread_self(), pm4->thread);
}

void et_pm4_take_commands(struct etalon_pm4 *pm4)
{
    for (;;) {
        pthread_mutex_lock(&pm4->lock);
        struct et_pm4_command *command = pm4->commands;
        if (command) {
            pm4->commands = command->next;
            if (!pm4->commands)
                pm4->commands_tail = &pm4->commands;
            __atomic_sub_fetch(&pm4->commands_pending, 1, __ATOMIC_RELAXED);
        }
        pthread_mutex_unlock(&pm4->lock);
        if (!command)
            return;
        command->run(command->user);
        pthread_mutex_lock(&pm4->lock);
        pm4->advanced++;
        if (command->done)
            *command->done = true;
        pthread_cond_broadcast(&pm4->idle);
        pthread_mutex_unlock(&pm4->lock);
        et_free(command);
    }
}

/* `always`: also while shutting down, as long as the thread takes commands. */
static enum etalon_status send(struct etalon_pm4 *pm4, void (*run)(void *user), void *user, bool wait,
                               bool always)
{
    bool done = false;
    if (!pm4 || !run)
        return ETALON_INVALID;
    if (etalon_pm4_on_thread(pm4)) {
        run(user);
        return ETALON_OK;
    }
    struct et_pm4_command *command = et_calloc(1, sizeof *command);
    if (!command)
        return ETALON_NO_MEMORY;
    *command = (struct et_pm4_command){.run = run, .user = user, .done = wait ? &done : NULL};
    pthread_mutex_lock(&pm4->lock);
    if (!pm4->alive || (!pm4->accepting && !always)) {
        pthread_mutex_unlock(&pm4->lock);
        et_free(command);
        return ETALON_INVALID;
    }
    *pm4->commands_tail = command;
    pm4->commands_tail = &command->next;
    __atomic_add_fetch(&pm4->commands_pending, 1, __ATOMIC_RELAXED);
    pthread_cond_broadcast(&pm4->work);
    while (wait && !done)
        pthread_cond_wait(&pm4->idle, &pm4->lock);
    pthread_mutex_unlock(&pm4->lock);
    return ETALON_OK;
}

enum etalon_status etalon_pm4_send(struct etalon_pm4 *pm4, void (*command)(void *user), void *user)
{
    return send(pm4, command, user, false, false);
}

enum etalon_status etalon_pm4_send_sync(struct etalon_pm4 *pm4, void (*command)(void *user), void *user)
{
    return send(pm4, command, user, true, false);
}

enum etalon_status et_pm4_run_there(struct etalon_pm4 *pm4, void (*command)(void *user), void *user)
{
    const enum etalon_status status = send(pm4, command, user, true, true);
    if (status != ETALON_INVALID)
        return status;
    command(user);
    return ETALON_OK;
}

static struct timespec after(uint64_t nanoseconds)
{
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    at.tv_sec += (time_t)(nanoseconds / 1000000000);
    at.tv_nsec += (long)(nanoseconds % 1000000000);
    if (at.tv_nsec >= 1000000000) {
        at.tv_sec++;
        at.tv_nsec -= 1000000000;
    }
    return at;
}

/* Submissions that can still move: those not behind a fault. Needs the lock. */
static bool live_submissions(const struct etalon_pm4 *pm4)
{
    for (uint32_t i = 0; pm4->submissions && i < ETALON_PM4_QUEUES; i++)
        if (pm4->queue[i].front && !pm4->queue[i].faulted)
            return true;
    return false;
}

static bool is_idle(const struct etalon_pm4 *pm4)
{
    return !pm4->processing && !pm4->commands && !live_submissions(pm4);
}

/* Every front is blocked: waits for the poll interval or new work, then lets them be tried again (P28). Needs
 * the lock. */
static void wait_blocked(struct etalon_pm4 *pm4)
{
    const struct timespec until = after((uint64_t)pm4->poll_us * 1000);
    pthread_cond_broadcast(&pm4->idle);
    pthread_cond_timedwait(&pm4->work, &pm4->lock, &until);
    et_pm4_retry(pm4);
}

static bool past(const struct timespec *until)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec > until->tv_sec || (now.tv_sec == until->tv_sec && now.tv_nsec >= until->tv_nsec);
}

/* One turn of the thread with something to do: commands first, else a slice. Needs the lock, and drops it
 * meanwhile. */
static void turn(struct etalon_pm4 *pm4, uint32_t at)
{
    const bool commands = pm4->commands != NULL;
    bool progress;
    pm4->processing = true;
    pthread_mutex_unlock(&pm4->lock);
    if (commands)
        et_pm4_take_commands(pm4);
    else
        et_pm4_process(pm4, at, &progress);
    pthread_mutex_lock(&pm4->lock);
    pm4->processing = false;
}

static void *run_thread(void *argument)
{
    struct etalon_pm4 *pm4 = argument;
    uint64_t advanced = 0;
    struct timespec give_up = {0};
    pthread_mutex_lock(&pm4->lock);
    for (;;) {
        const uint32_t at = et_pm4_pick(pm4);
        if (pm4->commands || (at != ETALON_PM4_NO_QUEUE && !pm4->abandon)) {
            turn(pm4, at);
            continue;
        }
        if (pm4->stopping && (pm4->abandon || !live_submissions(pm4)))
            break;
        if (!live_submissions(pm4)) {
            pthread_cond_broadcast(&pm4->idle);
            pthread_cond_wait(&pm4->work, &pm4->lock);
            continue;
        }
        if (!pm4->stopping || advanced != pm4->advanced)
            give_up = after((uint64_t)pm4->drain_ms * 1000000);
        advanced = pm4->advanced;
        if (pm4->stopping && past(&give_up))
            break;
        wait_blocked(pm4);
    }
    pm4->alive = false;
    pthread_cond_broadcast(&pm4->idle);
    pthread_mutex_unlock(&pm4->lock);
    return NULL;
}

enum etalon_status etalon_pm4_thread_start(struct etalon_pm4 *pm4, struct etalon_error *error)
{
    pthread_mutex_lock(&pm4->lock);
    const bool refused = pm4->threaded || pm4->processing || !pm4->accepting;
    if (!refused) {
        /* The lock holds the thread back until `thread` and `threaded` are set. */
        if (pthread_create(&pm4->thread, NULL, run_thread, pm4) != 0) {
            pthread_mutex_unlock(&pm4->lock);
            return et_fail(error, ETALON_NO_MEMORY, "no thread");
        }
        pm4->threaded = pm4->alive = true;
    }
    pthread_mutex_unlock(&pm4->lock);
    return refused ? et_fail(error, ETALON_INVALID, "the processor runs already, or is shut down")
                   : ETALON_OK;
}

/* Fills the report of a wait that ended; needs the lock. */
static enum etalon_status settle(struct etalon_pm4 *pm4, struct etalon_pm4_report *report)
{
    const uint32_t faulted = et_pm4_faulted(pm4);
    if (report)
        memset(report, 0, sizeof *report);
    if (faulted != ETALON_PM4_NO_QUEUE) {
        if (report)
            et_pm4_report_fault(pm4, faulted, report);
        return pm4->queue[faulted].error.status;
    }
    if (is_idle(pm4))
        return ETALON_OK;
    if (report) {
        report->result = ETALON_PM4_BLOCKED;
        if (!pm4->processing) /* else a slice is running, and its cursors are not ours to read */
            et_pm4_report_waits(pm4, report);
    }
    return ETALON_DEADLOCK;
}

enum etalon_status etalon_pm4_wait_idle(struct etalon_pm4 *pm4, uint32_t timeout_ms,
                                        struct etalon_pm4_report *report)
{
    if (etalon_pm4_on_thread(pm4))
        return ETALON_CANCELLED;
    if (!pm4->threaded)
        return ETALON_INVALID;
    const struct timespec until = after((uint64_t)timeout_ms * 1000000);
    pthread_mutex_lock(&pm4->lock);
    int timed_out = 0;
    while (!is_idle(pm4) && !timed_out && pm4->alive) {
        if (timeout_ms)
            timed_out = pthread_cond_timedwait(&pm4->idle, &pm4->lock, &until);
        else
            pthread_cond_wait(&pm4->idle, &pm4->lock);
    }
    const enum etalon_status status = settle(pm4, report);
    pthread_mutex_unlock(&pm4->lock);
    return status;
}

enum etalon_status etalon_pm4_done(struct etalon_pm4 *pm4, uint32_t timeout_ms)
{
    enum etalon_status status = ETALON_OK;
    if (!etalon_pm4_on_thread(pm4))
        status = etalon_pm4_wait_idle(pm4, timeout_ms, NULL);
    if (status != ETALON_OK)
        return status;
    pthread_mutex_lock(&pm4->lock);
    pm4->frames++;
    pthread_mutex_unlock(&pm4->lock);
    return ETALON_OK;
}

uint64_t etalon_pm4_frames(struct etalon_pm4 *pm4)
{
    pthread_mutex_lock(&pm4->lock);
    const uint64_t frames = pm4->frames;
    pthread_mutex_unlock(&pm4->lock);
    return frames;
}

enum etalon_status etalon_pm4_shutdown(struct etalon_pm4 *pm4)
{
    if (etalon_pm4_on_thread(pm4))
        return ETALON_CANCELLED;
    pthread_mutex_lock(&pm4->lock);
    const bool threaded = pm4->threaded, join = threaded && !pm4->joined;
    pm4->accepting = false;
    pm4->stopping = pm4->joined = true;
    pthread_cond_broadcast(&pm4->work);
    pthread_mutex_unlock(&pm4->lock);
    if (!threaded) {
        const enum etalon_pm4_result result = etalon_pm4_run(pm4, NULL);
        const uint32_t faulted = et_pm4_faulted(pm4);
        return result == ETALON_PM4_IDLE      ? ETALON_OK
               : result == ETALON_PM4_BLOCKED ? ETALON_DEADLOCK
               : faulted < ETALON_PM4_QUEUES  ? pm4->queue[faulted].error.status
                                              : ETALON_INTERNAL;
    }
    if (join)
        pthread_join(pm4->thread, NULL);
    pthread_mutex_lock(&pm4->lock);
    const enum etalon_status status = settle(pm4, NULL);
    pthread_mutex_unlock(&pm4->lock);
    return status;
}
