/* Queues and submissions: FIFO within a queue, round robin between them (P1..P9, P25..P29). */
#include "pm4/processor.h"

enum { DESCRIPTOR_MAGIC = 0x5533CCAA, DEFAULT_DEPTH = 8, DEFAULT_POLL_US = 100, DEFAULT_DRAIN_MS = 1000 };
#define DEFAULT_BUDGET (UINT64_C(1) << 20)

static bool init_sync(struct etalon_pm4 *pm4)
{
    pthread_condattr_t attributes;
    if (pthread_condattr_init(&attributes) != 0)
        return false;
    bool ok = pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC) == 0 &&
              pthread_mutex_init(&pm4->lock, NULL) == 0;
    if (ok && pthread_cond_init(&pm4->work, &attributes) != 0) {
        pthread_mutex_destroy(&pm4->lock);
        ok = false;
    }
    if (ok && pthread_cond_init(&pm4->idle, &attributes) != 0) {
        pthread_cond_destroy(&pm4->work);
        pthread_mutex_destroy(&pm4->lock);
        ok = false;
    }
    pthread_condattr_destroy(&attributes);
    return ok;
}

struct etalon_pm4 *etalon_pm4_create(const struct etalon_pm4_config *config, struct etalon_error *error)
{
    if (!config || config->max_depth > ETALON_PM4_MAX_DEPTH ||
        (unsigned)config->profile > ETALON_PM4_HARDWARE) {
        et_fail(error, ETALON_INVALID, "a processor needs a known profile and at most %d live buffers",
                ETALON_PM4_MAX_DEPTH);
        return NULL;
    }
    struct etalon_pm4 *pm4 = et_calloc(1, sizeof *pm4);
    if (!pm4) {
        et_fail(error, ETALON_NO_MEMORY, "no memory for a processor");
        return NULL;
    }
    if (!et_pm4_memory_init(&pm4->memory, &config->memory, error)) {
        et_free(pm4);
        return NULL;
    }
    if (!init_sync(pm4)) {
        et_fail(error, ETALON_NO_MEMORY, "no lock for a processor");
        et_pm4_memory_free(&pm4->memory);
        et_free(pm4);
        return NULL;
    }
    pm4->profile = config->profile;
    pm4->hooks = config->hooks;
    pm4->max_depth = config->max_depth ? config->max_depth : DEFAULT_DEPTH;
    pm4->packet_budget = config->packet_budget ? config->packet_budget : DEFAULT_BUDGET;
    pm4->privileged = config->privileged;
    pm4->poll_us = config->poll_us ? config->poll_us : DEFAULT_POLL_US;
    pm4->drain_ms = config->drain_ms ? config->drain_ms : DEFAULT_DRAIN_MS;
    pm4->accepting = true;
    pm4->commands_tail = &pm4->commands;
    for (uint32_t i = 0; i < ETALON_PM4_QUEUES; i++) {
        pm4->queue[i].tail = &pm4->queue[i].front;
        pm4->queue[i].num_instances = 1;
    }
    return pm4;
}

/* Takes all submissions off a queue; needs the lock. */
static struct et_pm4_submission *take_all(struct etalon_pm4 *pm4, struct et_pm4_queue *queue)
{
    struct et_pm4_submission *first = queue->front;
    for (const struct et_pm4_submission *at = first; at; at = at->next)
        pm4->submissions--;
    queue->front = NULL;
    queue->tail = &queue->front;
    queue->blocked = queue->faulted = false;
    queue->fault = ETALON_PM4_NONE;
    return first;
}

static void drop_list(struct et_pm4_submission *first)
{
    while (first) {
        struct et_pm4_submission *next = first->next;
        et_free(first);
        first = next;
    }
}

static void free_queue(struct etalon_pm4 *pm4, struct et_pm4_queue *queue)
{
    drop_list(take_all(pm4, queue));
    if (queue->registers)
        etalon_pm4_snapshot_release(queue->registers->frozen);
    et_free(queue->registers);
    et_free(queue->saved);
    et_free(queue->const_ram);
}

void etalon_pm4_destroy(struct etalon_pm4 *pm4)
{
    if (!pm4)
        return;
    pthread_mutex_lock(&pm4->lock);
    const bool join = pm4->threaded && !pm4->joined;
    pm4->accepting = false;
    pm4->stopping = pm4->abandon = true;
    pthread_cond_broadcast(&pm4->work);
    pthread_mutex_unlock(&pm4->lock);
    if (join)
        pthread_join(pm4->thread, NULL);
    while (pm4->commands) {
        struct et_pm4_command *next = pm4->commands->next;
        et_free(pm4->commands);
        pm4->commands = next;
    }
    for (uint32_t i = 0; i < ETALON_PM4_QUEUES; i++)
        free_queue(pm4, &pm4->queue[i]);
    et_free(pm4->scratch);
    et_free(pm4->gds);
    et_pm4_memory_free(&pm4->memory);
    pthread_cond_destroy(&pm4->work);
    pthread_cond_destroy(&pm4->idle);
    pthread_mutex_destroy(&pm4->lock);
    et_free(pm4);
}

/* ---- submitting ---- */

static enum etalon_status enqueue(struct etalon_pm4 *pm4, uint32_t queue,
                                  struct et_pm4_submission *submission, struct etalon_error *error)
{
    if (!submission)
        return et_fail(error, ETALON_NO_MEMORY, "no memory for a submission");
    pthread_mutex_lock(&pm4->lock);
    if (!pm4->accepting) {
        pthread_mutex_unlock(&pm4->lock);
        et_free(submission);
        et_at_channel(error, queue);
        return et_fail(error, ETALON_INVALID, "the processor is shut down");
    }
    submission->id = ++pm4->next_id;
    *pm4->queue[queue].tail = submission;
    pm4->queue[queue].tail = &submission->next;
    pm4->queue[queue].submitted++;
    pm4->submissions++;
    pm4->advanced++;
    pthread_cond_broadcast(&pm4->work);
    pthread_mutex_unlock(&pm4->lock);
    return ETALON_OK;
}

enum etalon_status etalon_pm4_submit(struct etalon_pm4 *pm4, const uint32_t *draw, uint32_t draw_dwords,
                                     const uint32_t *constant, uint32_t constant_dwords,
                                     struct etalon_error *error)
{
    if (!pm4 || (!draw && draw_dwords) || (!constant && constant_dwords))
        return et_fail(error, ETALON_INVALID, "a stream without words");
    if (!draw_dwords)
        return ETALON_OK;
    struct et_pm4_submission *submission = et_calloc(1, sizeof *submission);
    if (submission) {
        submission->words[0] = draw;
        submission->dwords[0] = draw_dwords;
        submission->words[1] = constant;
        submission->dwords[1] = constant_dwords;
        submission->interrupt = pm4->hooks.complete && !et_pm4_has_interrupt(draw, draw_dwords);
    }
    return enqueue(pm4, 0, submission, error);
}

enum etalon_status etalon_pm4_submit_compute(struct etalon_pm4 *pm4, uint32_t queue, const uint32_t *words,
                                             uint32_t dwords, struct etalon_error *error)
{
    if (!pm4 || !words || !dwords)
        return et_fail(error, ETALON_INVALID, "a compute submission without words");
    if (queue >= ETALON_PM4_QUEUES) {
        et_at_channel(error, queue);
        return et_fail(error, ETALON_INVALID, "%s: queue %u", etalon_pm4_fault_name(ETALON_PM4_INVALID_QUEUE),
                       queue);
    }
    if (!queue)
        return etalon_pm4_submit(pm4, words, dwords, NULL, 0, error);
    struct et_pm4_submission *submission = et_calloc(1, sizeof *submission);
    if (submission) {
        submission->words[0] = words;
        submission->dwords[0] = dwords;
        const uint64_t address = dwords >= 5 ? et_pm4_address(words[0], words[1]) : 0;
        if (address && words[2] && !words[3] && words[4] == DESCRIPTOR_MAGIC) { /* P7 */
            submission->words[0] = NULL;
            submission->address[0] = address;
            submission->dwords[0] = words[2];
            submission->interrupt = true;
        } else {
            submission->interrupt = pm4->hooks.complete && !et_pm4_has_interrupt(words, dwords);
        }
    }
    return enqueue(pm4, queue, submission, error);
}

uint32_t etalon_pm4_queue_of_handle(uint32_t handle, bool generic)
{
    if (handle >= 0x20 && handle < 0x20 + ETALON_PM4_QUEUES - 1)
        return handle - 0x20 + 1;
    return generic ? 0 : ETALON_PM4_NO_QUEUE;
}

static enum etalon_status submit_kind(struct etalon_pm4 *pm4, enum et_pm4_submission_kind kind,
                                      uint64_t request, struct etalon_error *error)
{
    struct et_pm4_submission *submission = et_calloc(1, sizeof *submission);
    if (submission) {
        submission->kind = kind;
        submission->flip_request = request;
    }
    return enqueue(pm4, 0, submission, error);
}

enum etalon_status etalon_pm4_submit_flip(struct etalon_pm4 *pm4, uint64_t request,
                                          struct etalon_error *error)
{
    return submit_kind(pm4, ET_PM4_FLIP, request, error);
}

enum etalon_status etalon_pm4_suspend_point(struct etalon_pm4 *pm4, struct etalon_error *error)
{
    return submit_kind(pm4, ET_PM4_SUSPEND_POINT, 0, error);
}

/* ---- picking and running ---- */

uint32_t et_pm4_pick(const struct etalon_pm4 *pm4)
{
    for (uint32_t i = 1; i <= ETALON_PM4_QUEUES; i++) {
        const uint32_t at = (pm4->last + i) % ETALON_PM4_QUEUES;
        const struct et_pm4_queue *queue = &pm4->queue[at];
        if (queue->front && !queue->blocked && !queue->faulted)
            return at;
    }
    return ETALON_PM4_NO_QUEUE;
}

bool et_pm4_retry(struct etalon_pm4 *pm4)
{
    bool any = false;
    for (uint32_t i = 0; i < ETALON_PM4_QUEUES; i++) {
        any |= pm4->queue[i].blocked;
        pm4->queue[i].blocked = false;
    }
    return any;
}

uint32_t et_pm4_faulted(const struct etalon_pm4 *pm4)
{
    for (uint32_t i = 0; i < ETALON_PM4_QUEUES; i++)
        if (pm4->queue[i].faulted)
            return i;
    return ETALON_PM4_NO_QUEUE;
}

void et_pm4_report_fault(const struct etalon_pm4 *pm4, uint32_t queue, struct etalon_pm4_report *report)
{
    report->result = ETALON_PM4_FAULTED;
    report->fault = pm4->queue[queue].fault;
    report->fault_at = pm4->queue[queue].fault_at;
    report->error = pm4->queue[queue].error;
}

/* Drops what a queue asked to be reset still holds, and its state; called where no slice of it runs. */
static void settle_reset(struct etalon_pm4 *pm4, struct et_pm4_queue *queue)
{
    pthread_mutex_lock(&pm4->lock);
    struct et_pm4_submission *first = take_all(pm4, queue);
    pm4->advanced++;
    pthread_mutex_unlock(&pm4->lock);
    drop_list(first);
    et_pm4_reset_state(queue, true);
    queue->reset_asked = false;
}

enum et_pm4_slice et_pm4_process(struct etalon_pm4 *pm4, uint32_t at, bool *progress)
{
    struct et_pm4_queue *queue = &pm4->queue[at];
    struct et_pm4_submission *front = queue->front;
    queue->running = true;
    const enum et_pm4_slice slice = et_pm4_slice(pm4, at, front, progress);
    queue->running = false;
    if (queue->reset_asked) {
        settle_reset(pm4, queue);
        *progress = true;
        return ET_PM4_RESET_SLICE;
    }
    pthread_mutex_lock(&pm4->lock);
    pm4->last = at;
    pm4->advanced += *progress;
    if (slice == ET_PM4_COMPLETE) {
        queue->front = front->next;
        if (!queue->front)
            queue->tail = &queue->front;
        pm4->submissions--;
        queue->completed++;
        pm4->advanced++;
        et_pm4_retry(pm4); /* P27: a completion lets every front be tried again */
    } else {
        queue->blocked = slice == ET_PM4_BLOCKED_SLICE;
        queue->faulted = slice == ET_PM4_FAULTED_SLICE;
    }
    pthread_mutex_unlock(&pm4->lock);
    if (slice == ET_PM4_COMPLETE) {
        if (pm4->hooks.complete && front->kind == ET_PM4_STREAMS)
            pm4->hooks.complete(pm4->hooks.user, at, front->id, front->interrupt);
        et_free(front);
    }
    return slice;
}

static enum etalon_pm4_result result_of(enum et_pm4_slice slice)
{
    return slice == ET_PM4_FAULTED_SLICE   ? ETALON_PM4_FAULTED
           : slice == ET_PM4_BLOCKED_SLICE ? ETALON_PM4_BLOCKED
                                           : ETALON_PM4_IDLE;
}

/* True when a thread runs the processor, or this is a call out of a hook. */
static bool busy(struct etalon_pm4 *pm4)
{
    pthread_mutex_lock(&pm4->lock);
    const bool taken = pm4->alive || pm4->processing;
    if (!taken)
        pm4->processing = true;
    pthread_mutex_unlock(&pm4->lock);
    return taken;
}

static void finish(struct etalon_pm4 *pm4)
{
    pthread_mutex_lock(&pm4->lock);
    pm4->processing = false;
    pthread_mutex_unlock(&pm4->lock);
}

enum etalon_pm4_result etalon_pm4_step(struct etalon_pm4 *pm4, uint32_t *queue,
                                       struct etalon_pm4_report *report)
{
    enum etalon_pm4_result result = ETALON_PM4_IDLE;
    bool progress;
    *queue = ETALON_PM4_NO_QUEUE;
    if (report)
        memset(report, 0, sizeof *report);
    if (busy(pm4))
        return ETALON_PM4_BLOCKED;
    pthread_mutex_lock(&pm4->lock);
    uint32_t at = et_pm4_pick(pm4);
    if (at == ETALON_PM4_NO_QUEUE && et_pm4_retry(pm4))
        at = et_pm4_pick(pm4);
    pthread_mutex_unlock(&pm4->lock);
    if (at != ETALON_PM4_NO_QUEUE) {
        result = result_of(et_pm4_process(pm4, at, &progress));
        *queue = at;
    }
    finish(pm4);
    if (report && result == ETALON_PM4_FAULTED)
        et_pm4_report_fault(pm4, at, report);
    if (report) {
        report->result = result;
        pthread_mutex_lock(&pm4->lock);
        if (result == ETALON_PM4_BLOCKED)
            et_pm4_report_waits(pm4, report);
        pthread_mutex_unlock(&pm4->lock);
    }
    return result;
}

enum etalon_pm4_result etalon_pm4_run(struct etalon_pm4 *pm4, struct etalon_pm4_report *report)
{
    enum etalon_pm4_result result = ETALON_PM4_IDLE;
    uint32_t at = ETALON_PM4_NO_QUEUE;
    bool moved = true; /* since the flags were last cleared */
    if (report)
        memset(report, 0, sizeof *report);
    if (busy(pm4))
        return ETALON_PM4_BLOCKED;
    for (;;) {
        bool progress = false;
        pthread_mutex_lock(&pm4->lock);
        at = et_pm4_pick(pm4);
        if (at == ETALON_PM4_NO_QUEUE && moved && et_pm4_retry(pm4)) {
            moved = false;
            at = et_pm4_pick(pm4);
        }
        pthread_mutex_unlock(&pm4->lock);
        if (at == ETALON_PM4_NO_QUEUE)
            break;
        const enum et_pm4_slice slice = et_pm4_process(pm4, at, &progress);
        moved |= progress;
        if (slice == ET_PM4_FAULTED_SLICE) {
            result = ETALON_PM4_FAULTED;
            break;
        }
    }
    pthread_mutex_lock(&pm4->lock);
    for (uint32_t i = 0; result == ETALON_PM4_IDLE && i < ETALON_PM4_QUEUES; i++)
        if (pm4->queue[i].blocked)
            result = ETALON_PM4_BLOCKED;
    if (report && result == ETALON_PM4_FAULTED)
        et_pm4_report_fault(pm4, at, report);
    if (report && result == ETALON_PM4_BLOCKED)
        et_pm4_report_waits(pm4, report);
    if (report)
        report->result = result;
    pm4->processing = false;
    pthread_mutex_unlock(&pm4->lock);
    return result;
}

/* ---- looking and resetting ---- */

struct query {
    struct etalon_pm4 *pm4;
    uint32_t queue;
    struct etalon_pm4_queue_info *info;
    struct etalon_pm4_snapshot **state;
    bool failed;
};

static void query_here(void *user)
{
    struct query *query = user;
    const struct et_pm4_queue *queue = &query->pm4->queue[query->queue];
    if (query->state) {
        *query->state = queue->registers ? et_pm4_freeze(queue->registers) : NULL;
        query->failed = queue->registers && !*query->state;
    }
    pthread_mutex_lock(&query->pm4->lock);
    *query->info = (struct etalon_pm4_queue_info){.used = queue->registers != NULL,
                                                  .blocked = queue->blocked,
                                                  .faulted = queue->faulted,
                                                  .submitted = queue->submitted,
                                                  .completed = queue->completed,
                                                  .packets = queue->packets,
                                                  .ce_counter = queue->ce,
                                                  .de_counter = queue->de,
                                                  .predicate_skips = queue->predicate_skip,
                                                  .index_type = queue->index_type,
                                                  .index_buffer_size = queue->index_buffer_size,
                                                  .num_instances = queue->num_instances,
                                                  .index_base = queue->index_base,
                                                  .draw_base = queue->draw_base,
                                                  .dispatch_base = queue->dispatch_base};
    pthread_mutex_unlock(&query->pm4->lock);
}

enum etalon_status etalon_pm4_query(struct etalon_pm4 *pm4, uint32_t queue,
                                    struct etalon_pm4_queue_info *info, struct etalon_pm4_snapshot **state)
{
    if (!pm4 || queue >= ETALON_PM4_QUEUES || !info)
        return ETALON_INVALID;
    struct query query = {.pm4 = pm4, .queue = queue, .info = info, .state = state};
    const enum etalon_status status = et_pm4_run_there(pm4, query_here, &query);
    return status != ETALON_OK ? status : query.failed ? ETALON_NO_MEMORY : ETALON_OK;
}

static void reset_here(void *user)
{
    const struct query *query = user;
    struct et_pm4_queue *queue = &query->pm4->queue[query->queue];
    if (queue->running) /* out of a hook or a command between its packets: when its slice has stopped */
        queue->reset_asked = true;
    else
        settle_reset(query->pm4, queue);
}

enum etalon_status etalon_pm4_reset(struct etalon_pm4 *pm4, uint32_t queue)
{
    if (!pm4 || queue >= ETALON_PM4_QUEUES)
        return ETALON_INVALID;
    struct query query = {.pm4 = pm4, .queue = queue};
    return et_pm4_run_there(pm4, reset_here, &query);
}
