/* The invariants of a GE and its queue. */
#include "ge/ge.h"

/* Walks a chain of records; how many, or -1 if it is broken or too long. */
static int walk(const struct etalon_ge *ge, uint8_t first, uint8_t last, uint64_t *seen)
{
    uint8_t previous = ET_GE_NO_SLOT;
    int count = 0;
    for (uint8_t slot = first; slot != ET_GE_NO_SLOT; slot = ge->lists[slot].next) {
        if (slot >= ETALON_GE_LISTS || *seen >> slot & 1 || ge->lists[slot].previous != previous)
            return -1;
        *seen |= UINT64_C(1) << slot;
        previous = slot;
        count++;
    }
    return previous == last ? count : -1;
}

static enum etalon_status check_lists(const struct etalon_ge *ge, uint64_t queued, uint64_t free,
                                      struct etalon_error *error)
{
    for (unsigned slot = 0; slot < ETALON_GE_LISTS; slot++) {
        const struct et_ge_list *list = &ge->lists[slot];
        const bool on_queue = queued >> slot & 1;
        if (list->state > ETALON_GE_LIST_PAUSED || list->pending > ETALON_GE_PENDING_SYNC)
            return et_fail(error, ETALON_INTERNAL, "list %u: no such state", slot);
        if (on_queue != list->on_queue)
            return et_fail(error, ETALON_INTERNAL, "list %u: on the queue or not", slot);
        if (on_queue && list->state == ETALON_GE_LIST_NONE)
            return et_fail(error, ETALON_INTERNAL, "list %u: on the queue and NONE", slot);
        if (!on_queue && list->state != ETALON_GE_LIST_NONE && list->state != ETALON_GE_LIST_COMPLETED)
            return et_fail(error, ETALON_INTERNAL, "list %u: off the queue in state %u", slot, list->state);
        if (!on_queue && !(free >> slot & 1) && list->state != ETALON_GE_LIST_NONE)
            return et_fail(error, ETALON_INTERNAL, "list %u: lost in state %u", slot, list->state);
        if (on_queue && list->state == ETALON_GE_LIST_COMPLETED && !ge->in_interrupt)
            return et_fail(error, ETALON_INTERNAL, "list %u: completed and still on the queue", slot);
        if (list->level > list->depth || list->depth > 255)
            return et_fail(error, ETALON_INTERNAL, "list %u: level %u of %u", slot, list->level, list->depth);
    }
    return ETALON_OK;
}

static enum etalon_status check_ge(const struct etalon_ge *ge, struct etalon_error *error)
{
    if (ge->on && !ge->powered)
        return et_fail(error, ETALON_INTERNAL, "the GE is on without power");
    if (ge->on && ge->current == ET_GE_NO_SLOT)
        return et_fail(error, ETALON_INTERNAL, "the GE is on without a list");
    if (ge->current != ET_GE_NO_SLOT && !ge->lists[ge->current].on_queue)
        return et_fail(error, ETALON_INTERNAL, "the GE is on a list that is not on the queue");
    if (ge->on && ge->raised & ET_GE_RAISED_END)
        return et_fail(error, ETALON_INTERNAL, "the GE is on behind an END");
    if ((ge->flags & ET_GE_DEPTH_ONE && ge->flags & ET_GE_DEPTH_TWO) || ge->flags & ~ET_GE_KEPT_FLAGS)
        return et_fail(error, ETALON_INTERNAL, "execution flags 0x%x", ge->flags);
    if (ge->stall & ~ET_GE_ADDRESS_MASK)
        return et_fail(error, ETALON_INTERNAL, "stall address 0x%08x", ge->stall);
    if (ge->callback_state == ET_GE_CALLBACK_WAITED_FOR && !ge->in_interrupt)
        return et_fail(error, ETALON_INTERNAL, "a callback outside an interrupt");
    if (ge->callbacks_used >> ET_GE_CALLBACKS)
        return et_fail(error, ETALON_INTERNAL, "callback slots 0x%x", ge->callbacks_used);
    for (unsigned opcode = 0; opcode < 256; opcode++)
        if (ge->commands[opcode] >> 24 != opcode)
            return et_fail(error, ETALON_INTERNAL, "register 0x%02x holds 0x%08x", opcode,
                           ge->commands[opcode]);
    return ETALON_OK;
}

static enum etalon_status check_waiters(const struct etalon_ge *ge, struct etalon_error *error)
{
    uint64_t last = 0;
    for (size_t i = 0; i < ge->waiter_count; i++) {
        const struct et_ge_waiter *waiter = &ge->waiters[i];
        if (waiter->token <= last)
            return et_fail(error, ETALON_INTERNAL, "waiters out of order");
        last = waiter->token;
        if (waiter->woken)
            continue;
        if (waiter->slot == ET_GE_NO_SLOT ? ge->drained : ge->done >> waiter->slot & 1)
            return et_fail(error, ETALON_INTERNAL, "a waiter sleeps though what it waits for has come");
    }
    return ETALON_OK;
}

enum etalon_status etalon_ge_verify(const struct etalon_ge *ge, struct etalon_error *error)
{
    uint64_t queued = 0, free;
    enum etalon_status status;
    if (walk(ge, ge->first, ge->last, &queued) < 0)
        return et_fail(error, ETALON_INTERNAL, "the queue's links");
    free = queued; /* so that a record on both counts as a loop */
    if (walk(ge, ge->free_first, ge->free_last, &free) < 0)
        return et_fail(error, ETALON_INTERNAL, "the free line's links");
    status = check_lists(ge, queued, free & ~queued, error);
    if (status == ETALON_OK)
        status = check_ge(ge, error);
    if (status == ETALON_OK)
        status = check_waiters(ge, error);
    return status;
}
