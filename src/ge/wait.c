/* Waiting and polling. The driver waits for event flags: one for the queue's draining, one a list record. A
 * waiter of a record is woken by whatever list completes in it, or is dequeued from it (R78). */
#include "ge/ge.h"

#include "base/alloc.h"

/* 0, or why nobody may wait here (R61, R62). */
static uint32_t may_not_wait(const struct etalon_ge *ge)
{
    if (ge->in_interrupt || ge->in_handler)
        return ETALON_GE_ILLEGAL_CONTEXT;
    return ge->interrupts && ge->dispatch ? 0 : ETALON_GE_CAN_NOT_WAIT;
}

static uint32_t begin_wait(struct etalon_ge *ge, uint8_t slot, uint64_t *wait)
{
    struct et_ge_waiter *waiter;
    if (!wait)
        return ETALON_GE_CAN_NOT_WAIT;
    if (!et_grow(&ge->waiters, &ge->waiter_capacity, ge->waiter_count + 1, sizeof *ge->waiters))
        return ETALON_GE_NO_MEMORY;
    waiter = &ge->waiters[ge->waiter_count++];
    waiter->token = *wait = ++ge->last_token;
    waiter->slot = slot;
    waiter->woken = false;
    return 0;
}

static struct et_ge_waiter *find_waiter(struct etalon_ge *ge, uint64_t token)
{
    for (size_t i = 0; i < ge->waiter_count; i++)
        if (ge->waiters[i].token == token)
            return &ge->waiters[i];
    return NULL;
}

static void forget(struct etalon_ge *ge, struct et_ge_waiter *waiter)
{
    const size_t at = (size_t)(waiter - ge->waiters);
    ge->waiter_count--;
    memmove(waiter, waiter + 1, (ge->waiter_count - at) * sizeof *waiter);
}

void et_ge_wake_waiters(struct etalon_ge *ge, uint8_t slot)
{
    uint64_t last = 0;
    bool again = true;
    /* The hook may begin, end and cancel waits: tokens ascend in the order of coming, so go by them. */
    while (again) {
        again = false;
        for (size_t i = 0; i < ge->waiter_count; i++) {
            struct et_ge_waiter *waiter = &ge->waiters[i];
            if (waiter->token <= last || waiter->woken || waiter->slot != slot)
                continue;
            last = waiter->token;
            waiter->woken = again = true;
            if (ge->hooks.wake)
                ge->hooks.wake(ge->hooks.user, last);
            break;
        }
    }
}

/* R68: a waiting draw sync, once it goes on, forgets every completed list. Not the one whose finish callback
 * still runs: on a PSP no thread runs then, here a callback may end late. */
static void forget_completed(struct etalon_ge *ge)
{
    for (unsigned slot = 0; slot < ETALON_GE_LISTS; slot++)
        if (ge->lists[slot].state == ETALON_GE_LIST_COMPLETED && !ge->lists[slot].on_queue) {
            ge->lists[slot].state = ETALON_GE_LIST_NONE;
            ge->lists[slot].started = false;
        }
}

enum etalon_status etalon_ge_end_wait(struct etalon_ge *ge, uint64_t token, uint32_t *result)
{
    struct et_ge_waiter *waiter = find_waiter(ge, token);
    uint8_t slot;
    if (!waiter || !waiter->woken)
        return ETALON_INVALID;
    slot = waiter->slot;
    forget(ge, waiter);
    if (slot == ET_GE_NO_SLOT)
        forget_completed(ge);
    if (result)
        *result = 0;
    return ETALON_OK;
}

void etalon_ge_cancel_wait(struct etalon_ge *ge, uint64_t token)
{
    struct et_ge_waiter *waiter = find_waiter(ge, token);
    if (waiter)
        forget(ge, waiter);
}

/* The address as a poll reads it: a GE that is powered down reads 0 (R116). */
static uint32_t stalling_or_drawing(const struct etalon_ge *ge, const struct et_ge_list *list)
{
    return list->stall == (ge->powered ? ge->address : 0) ? ETALON_GE_STALLING : ETALON_GE_DRAWING;
}

uint32_t etalon_ge_list_sync(struct etalon_ge *ge, uint32_t id, uint32_t mode, uint64_t *wait)
{
    const uint8_t slot = et_ge_slot(id);
    const struct et_ge_list *list;
    uint32_t refused;
    if (wait)
        *wait = 0;
    if (slot == ET_GE_NO_SLOT)
        return ETALON_GE_INVALID_ID;
    if (mode == ETALON_GE_WAIT) {
        refused = may_not_wait(ge);
        if (refused)
            return refused;
        return ge->done >> slot & 1 ? 0 : begin_wait(ge, slot, wait);
    }
    if (mode != ETALON_GE_POLL)
        return ETALON_GE_INVALID_MODE;
    list = &ge->lists[slot];
    switch (list->state) {
    case ETALON_GE_LIST_QUEUED:
        return list->started ? ETALON_GE_PAUSED : ETALON_GE_QUEUED;
    case ETALON_GE_LIST_RUNNING:
        return stalling_or_drawing(ge, list);
    case ETALON_GE_LIST_COMPLETED:
        return ETALON_GE_COMPLETED;
    case ETALON_GE_LIST_PAUSED:
        return ETALON_GE_PAUSED;
    default:
        return ETALON_GE_INVALID_ID;
    }
}

uint32_t etalon_ge_draw_sync(struct etalon_ge *ge, uint32_t mode, uint64_t *wait)
{
    uint8_t slot = ge->first;
    uint32_t refused;
    if (wait)
        *wait = 0;
    if (mode == ETALON_GE_WAIT) {
        refused = may_not_wait(ge);
        if (refused)
            return refused;
        if (!ge->drained)
            return begin_wait(ge, ET_GE_NO_SLOT, wait);
        forget_completed(ge);
        return 0;
    }
    if (mode != ETALON_GE_POLL)
        return ETALON_GE_INVALID_MODE;
    if (slot != ET_GE_NO_SLOT && ge->lists[slot].state == ETALON_GE_LIST_COMPLETED)
        slot = ge->lists[slot].next;
    return slot == ET_GE_NO_SLOT ? ETALON_GE_COMPLETED : stalling_or_drawing(ge, &ge->lists[slot]);
}
