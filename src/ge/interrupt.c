/* The driver's interrupt: SIGNAL and FINISH, and how time passes between the GE and the driver.
 *
 * One interrupt at a time, taken when interrupts are on and no callback runs; what the GE raises meanwhile
 * waits. A callback may end later than its hook returns, so what follows it is a step of its own (complete).
 */
#include "ge/ge.h"

void et_ge_keep(struct etalon_ge *ge, struct et_ge_list *list)
{
    const bool two = ge->flags & ET_GE_DEPTH_TWO, one = two || ge->flags & ET_GE_DEPTH_ONE;
    list->flags = ge->flags;
    list->list = ge->address;
    list->returns = ge->returns;
    list->base = ge->commands[ET_GE_BASE];
    if (!two)
        list->returns.address[1] = list->returns.saved_offset[1] = 0;
    if (!one)
        list->returns.address[0] = list->returns.saved_offset[0] = 0;
}

void et_ge_resume(struct etalon_ge *ge, uint8_t slot)
{
    struct et_ge_list *list = &ge->lists[slot];
    ge->powered = ge->on = true;
    ge->faulted = false;
    ge->address = list->list & ET_GE_ADDRESS_MASK;
    ge->stall = list->stall & ET_GE_ADDRESS_MASK;
    ge->returns = list->returns;
    ge->flags = list->flags;
    if (list->base) /* R106: a list that never ran has none of its own */
        ge->commands[ET_GE_BASE] = list->base;
    list->started = true;
    ge->current = slot;
}

/* Step 5: the head, whatever it is now. */
static void start_head(struct etalon_ge *ge)
{
    struct et_ge_list *head;
    if (ge->first == ET_GE_NO_SLOT) {
        ge->on = ge->powered = false;
        ge->drained = true;
        et_ge_wake(ge, ET_GE_NO_SLOT);
        return;
    }
    head = &ge->lists[ge->first];
    if (head->state == ETALON_GE_LIST_PAUSED) {
        ge->powered = false;
        return;
    }
    head->state = ETALON_GE_LIST_RUNNING;
    if (head->context && !head->started)
        et_ge_save(ge, head->context);
    et_ge_resume(ge, ge->first);
}

static void end_of_list(struct etalon_ge *ge, uint8_t slot)
{
    start_head(ge);
    if (slot != ET_GE_NO_SLOT) {
        ge->done |= UINT64_C(1) << slot;
        et_ge_wake(ge, slot); /* R56: after those that wait for the queue */
    }
}

/* What is left behind the callback. Nothing, if it has reset the queue. */
static void complete(struct etalon_ge *ge)
{
    struct et_ge_list *list = &ge->lists[ge->after_slot];
    const uint8_t after = ge->after;
    ge->after = ET_GE_AFTER_NOTHING;
    ge->callback_state = ET_GE_CALLBACK_NONE;
    if (ge->generation == ge->interrupt_generation)
        switch (after) {
        case ET_GE_AFTER_SUSPEND_OLD: /* whatever the callback made of the list [DRV] */
            if (list->on_queue)
                list->state = ETALON_GE_LIST_RUNNING;
            /* fall through */
        case ET_GE_AFTER_SUSPEND:
            ge->on = ge->current != ET_GE_NO_SLOT; /* not if the callback broke the list (R88) */
            break;
        case ET_GE_AFTER_FINISH:
            if (list->context)
                et_ge_restore(ge, list->context);
            et_ge_unlink(ge, ge->after_slot);
            et_ge_release(ge, ge->after_slot);
            end_of_list(ge, ge->after_slot);
            break;
        default:
            break;
        }
    ge->in_interrupt = false;
}

/* The game's function for this kind of interrupt, 0 for none. */
static uint32_t function_of(const struct etalon_ge *ge, const struct et_ge_list *list,
                            enum etalon_ge_callback_kind kind)
{
    const struct etalon_ge_callback *callback = &ge->callbacks[list->callback & (ET_GE_CALLBACKS - 1)];
    if (list->callback < 0 || list->callback >= ET_GE_CALLBACKS || !ge->hooks.callback)
        return 0;
    return kind == ETALON_GE_FINISH_CALLBACK ? callback->finish_function : callback->signal_function;
}

static enum etalon_ge_callback_answer run_hook(struct etalon_ge *ge, uint8_t slot, uint32_t function,
                                               enum etalon_ge_callback_kind kind, uint32_t value,
                                               uint32_t address)
{
    const int32_t id = ge->lists[slot].callback;
    const struct etalon_ge_callback *callback = &ge->callbacks[id];
    const struct etalon_ge_callback_call call = {
        .kind = kind,
        .function = function,
        .value = value & 0xffff, /* R37 */
        .argument = kind == ETALON_GE_FINISH_CALLBACK ? callback->finish_argument : callback->signal_argument,
        .address = ge->sdk <= ET_GE_SDK_SUSPEND ? 0 : address, /* R38 */
        .callback = (uint32_t)id,
        .list = et_ge_id(slot)};
    return ge->hooks.callback(ge->hooks.user, &call);
}

/* Runs the list's callback of this kind, if it has one, then `after`. */
static void call_back(struct etalon_ge *ge, uint8_t slot, enum etalon_ge_callback_kind kind, uint32_t value,
                      uint32_t address, enum et_ge_after after)
{
    const uint32_t function = function_of(ge, &ge->lists[slot], kind);
    ge->after = (uint8_t)after;
    ge->after_slot = slot;
    if (function) {
        ge->callback_state = ET_GE_CALLBACK_IN_HOOK;
        if (run_hook(ge, slot, function, kind, value, address) == ETALON_GE_CALLBACK_PENDING &&
            ge->callback_state == ET_GE_CALLBACK_IN_HOOK) {
            ge->callback_state = ET_GE_CALLBACK_WAITED_FOR;
            return;
        }
    }
    complete(ge);
}

static void finish_interrupt(struct etalon_ge *ge)
{
    const uint8_t slot = ge->current;
    struct et_ge_list *list = slot == ET_GE_NO_SLOT ? NULL : &ge->lists[slot];
    uint32_t command = 0;
    ge->break_in_delivery = false;
    ge->current = ET_GE_NO_SLOT;
    if (list && list->pending == ETALON_GE_PENDING_SYNC) { /* R33 */
        list->pending = ETALON_GE_PENDING_NONE;
        ge->current = slot;
        ge->on = true;
    } else if (list && list->pending == ETALON_GE_PENDING_PAUSE) { /* R43 */
        et_ge_keep(ge, list);
        list->pending = ETALON_GE_PENDING_BROKEN;
        call_back(ge, slot, ETALON_GE_SIGNAL_CALLBACK, list->signal_value, list->list, ET_GE_AFTER_NOTHING);
        return;
    } else if (list && list->state == ETALON_GE_LIST_RUNNING) { /* R46, R47 */
        et_ge_load(ge, ge->address - 8, &command);
        list->state = ETALON_GE_LIST_COMPLETED;
        call_back(ge, slot, ETALON_GE_FINISH_CALLBACK, command, ge->address, ET_GE_AFTER_FINISH);
        return;
    } else
        end_of_list(ge, slot);
    ge->in_interrupt = false;
}

/* JUMP, CALL and RET by signal; x in bytes. */
static void signal_jump(struct etalon_ge *ge, struct et_ge_list *list, uint32_t behaviour, uint32_t x)
{
    const bool call = behaviour == 0x11 || behaviour == 0x14 || behaviour == 0x16;
    const uint32_t target = behaviour <= 0x11   ? x
                            : behaviour <= 0x14 ? ge->address - 8 + x
                                                : ge->returns.offset + x;
    if (call) {
        if (!et_ge_push(ge, list)) /* R35 */
            return;
        ge->flags = 0; /* R92 */
    }
    ge->address = target & ET_GE_ADDRESS_MASK & ~UINT32_C(3);
    ge->on = true;
}

/* R36: overwrites SIGNAL and END with the two commands that set the address, and restarts there. */
static void signal_address(struct etalon_ge *ge, uint32_t behaviour, uint32_t x, uint32_t end)
{
    const uint32_t at = ge->address - 8;
    const uint32_t target = (behaviour & 8 ? ge->returns.offset : at) + x;
    const bool texture = behaviour < 0x30;
    const uint32_t low = texture ? ET_GE_TEXTURE_ADDRESS + (behaviour & 7) : ET_GE_CLUT_ADDRESS;
    const uint32_t high = texture ? ET_GE_TEXTURE_WIDTH + (behaviour & 7) : ET_GE_CLUT_UPPER;
    const uint32_t words[2] = {low << 24 | et_bits(target, 23, 0), high << 24 |
                                                                       et_bits(target, 27, 24) << 16 |
                                                                       (texture ? et_bits(end, 23, 16) : 0)};
    if (!et_ge_store_words(ge, at, words, 2)) {
        et_ge_note(ge, ETALON_READ_ONLY, at, behaviour, "address signal in a list that cannot be written");
        return;
    }
    ge->address = at & ET_GE_ADDRESS_MASK;
    ge->on = true;
}

static void signal_interrupt(struct etalon_ge *ge)
{
    const uint8_t slot = ge->first; /* R28: the head, whatever list the GE is on */
    const bool old = ge->sdk <= ET_GE_SDK_SUSPEND;
    struct et_ge_list *list = slot == ET_GE_NO_SLOT ? NULL : &ge->lists[slot];
    const uint32_t address = ge->address;
    uint32_t command = 0, end = 0, behaviour, x;
    if (!list || !et_ge_load(ge, address - 8, &command) || !et_ge_load(ge, address - 4, &end) ||
        command >> 24 != ET_GE_SIGNAL) {
        et_ge_note(ge, ETALON_BAD_VALUE, address - 8, command, "SIGNAL and END do not follow each other");
        return;
    }
    behaviour = et_bits(command, 23, 16);
    x = command << 16 | et_bits(end, 15, 0);
    switch (behaviour) {
    case 0x01: /* SUSPEND */
        if (old)
            list->state = ETALON_GE_LIST_PAUSED; /* R30 */
        call_back(ge, slot, ETALON_GE_SIGNAL_CALLBACK, command, address,
                  old ? ET_GE_AFTER_SUSPEND_OLD : ET_GE_AFTER_SUSPEND);
        break;
    case 0x02: /* CONTINUE: side by side with the callback (R31) */
        ge->on = true;
        if (ge->eager)
            et_ge_execute(ge, ge->eager_limit);
        call_back(ge, slot, ETALON_GE_SIGNAL_CALLBACK, command, address, ET_GE_AFTER_NOTHING);
        break;
    case 0x03: /* PAUSE */
        list->state = ETALON_GE_LIST_PAUSED;
        list->pending = ETALON_GE_PENDING_PAUSE;
        list->signal_value = et_bits(command, 15, 0);
        ge->on = true;
        break;
    case 0x08: /* SYNC */
        list->pending = ETALON_GE_PENDING_SYNC;
        ge->on = true;
        break;
    case 0x10:
    case 0x11:
    case 0x13:
    case 0x14:
    case 0x15:
    case 0x16:
        signal_jump(ge, list, behaviour, x);
        break;
    case 0x12: /* RET */
        ge->on = et_ge_pop(ge, list);
        break;
    case 0xf0: /* breakpoints, without a debugger (R113) */
    case 0xff:
        ge->on = true;
        break;
    default:
        if ((behaviour & 0xf0) == 0x20 || behaviour == 0x30 || behaviour == 0x38)
            signal_address(ge, behaviour, x, end);
        else /* R112 */
            et_ge_note(ge, ETALON_BAD_VALUE, address - 8, command, "unknown signal");
        break;
    }
}

static void take_interrupt(struct etalon_ge *ge)
{
    const bool finish = ge->raised & ET_GE_RAISED_FINISH; /* R57 */
    ge->raised = 0;
    ge->in_interrupt = true;
    ge->interrupt_generation = ge->generation;
    ge->callback_state = ET_GE_CALLBACK_NONE;
    if (finish) {
        finish_interrupt(ge);
    } else {
        signal_interrupt(ge);
        if (ge->callback_state != ET_GE_CALLBACK_WAITED_FOR)
            ge->in_interrupt = false;
    }
}

void et_ge_settle(struct etalon_ge *ge, uint64_t limit)
{
    if (ge->running)
        return;
    for (;;) {
        if (ge->on) {
            const uint64_t ran = et_ge_execute(ge, limit);
            limit -= ET_MIN(ran, limit);
        }
        if (ge->in_interrupt || !ge->interrupts || !(ge->raised & ET_GE_RAISED_END))
            return;
        if (ge->raised == ET_GE_RAISED_END) { /* an END alone stops the GE and nothing follows */
            ge->raised = 0;
            return;
        }
        take_interrupt(ge);
    }
}

static enum etalon_ge_stop stop_of(const struct etalon_ge *ge)
{
    if (ge->on)
        return ge->stall && ge->address == ge->stall ? ETALON_GE_STALLED : ETALON_GE_LIMIT;
    if (ge->faulted)
        return ETALON_GE_FAULTED;
    if (ge->raised & ET_GE_RAISED_END)
        return ETALON_GE_HELD;
    return ge->current == ET_GE_NO_SLOT ? ETALON_GE_IDLE : ETALON_GE_STOPPED;
}

enum etalon_ge_stop etalon_ge_run(struct etalon_ge *ge, uint64_t limit)
{
    if (ge->running)
        return ETALON_GE_RE_ENTERED;
    et_ge_execute(ge, limit);
    return stop_of(ge);
}

enum etalon_ge_stop etalon_ge_advance(struct etalon_ge *ge, uint64_t limit)
{
    if (ge->running)
        return ETALON_GE_RE_ENTERED;
    et_ge_settle(ge, limit);
    return stop_of(ge);
}

void etalon_ge_callback_done(struct etalon_ge *ge)
{
    if (ge->callback_state == ET_GE_CALLBACK_IN_HOOK)
        ge->callback_state = ET_GE_CALLBACK_ENDED_IN_HOOK;
    if (ge->callback_state != ET_GE_CALLBACK_WAITED_FOR)
        return;
    complete(ge);
    et_ge_let_go(ge);
}

bool etalon_ge_in_callback(const struct etalon_ge *ge)
{
    return ge->in_interrupt;
}
