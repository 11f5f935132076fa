/* The queue of lists: the driver's calls that put lists on it, stop it and take lists off. */
#include "ge/ge.h"

/* ---- Records ---- */

/* A record's address in the driver's memory, and the mask that makes an id of it; any will do (R5) [INF]. */
#define RECORDS UINT32_C(0x88020000)
#define ID_MASK UINT32_C(0xa9020000)

uint32_t et_ge_record(uint8_t slot)
{
    return RECORDS + (uint32_t)slot * 64;
}

uint32_t et_ge_id(uint8_t slot)
{
    return et_ge_record(slot) ^ ID_MASK;
}

uint8_t et_ge_slot(uint32_t id)
{
    const uint32_t offset = (id ^ ID_MASK) - RECORDS;
    return offset & 63 || offset / 64 >= ETALON_GE_LISTS ? ET_GE_NO_SLOT : (uint8_t)(offset / 64);
}

bool et_ge_kernel_pointer(uint32_t address, uint32_t size)
{
    return (address | (address + size)) >> 31;
}

static bool old_sdk(const struct etalon_ge *ge)
{
    return ge->sdk <= ET_GE_SDK_DUPLICATES;
}

void et_ge_reset_lists(struct etalon_ge *ge)
{
    for (unsigned slot = 0; slot < ETALON_GE_LISTS; slot++) {
        struct et_ge_list *list = &ge->lists[slot];
        list->state = ETALON_GE_LIST_NONE;
        list->pending = ETALON_GE_PENDING_NONE;
        list->started = list->on_queue = false;
        list->previous = slot ? (uint8_t)(slot - 1) : ET_GE_NO_SLOT;
        list->next = slot + 1 < ETALON_GE_LISTS ? (uint8_t)(slot + 1) : ET_GE_NO_SLOT;
    }
    ge->free_first = 0;
    ge->free_last = ETALON_GE_LISTS - 1;
    ge->first = ge->last = ge->current = ET_GE_NO_SLOT;
    ge->generation++;
}

/* The front of the free line, or ET_GE_NO_SLOT. */
static uint8_t acquire(struct etalon_ge *ge)
{
    const uint8_t slot = ge->free_first;
    if (slot == ET_GE_NO_SLOT)
        return slot;
    ge->free_first = ge->lists[slot].next;
    if (ge->free_first == ET_GE_NO_SLOT)
        ge->free_last = ET_GE_NO_SLOT;
    else
        ge->lists[ge->free_first].previous = ET_GE_NO_SLOT;
    return slot;
}

static void link_back(struct etalon_ge *ge, uint8_t slot)
{
    struct et_ge_list *list = &ge->lists[slot];
    list->next = ET_GE_NO_SLOT;
    list->previous = ge->last;
    if (ge->last != ET_GE_NO_SLOT)
        ge->lists[ge->last].next = slot;
    else
        ge->first = slot;
    ge->last = slot;
    list->on_queue = true;
}

static void link_front(struct etalon_ge *ge, uint8_t slot)
{
    struct et_ge_list *list = &ge->lists[slot];
    list->previous = ET_GE_NO_SLOT;
    list->next = ge->first;
    if (ge->first != ET_GE_NO_SLOT)
        ge->lists[ge->first].previous = slot;
    else
        ge->last = slot;
    ge->first = slot;
    list->on_queue = true;
}

/* ---- Enqueue ---- */

struct request {
    uint32_t list, stall, context, stack, depth;
    bool own_stack;
    int32_t callback;
};

/* Checks the arguments and samples the SDK version; 0 or an error. The order is the driver's [DRV]. */
static uint32_t check_request(struct etalon_ge *ge, struct request *request,
                              const struct etalon_ge_options *options)
{
    if (et_ge_kernel_pointer(request->list | request->stall, 0))
        return ETALON_GE_PRIV_REQUIRED;
    ge->sdk = ge->sdk_declared; /* R115 */
    request->depth = old_sdk(ge) ? ET_GE_FREE_STACK : 0;
    request->own_stack = !old_sdk(ge);
    if (options) {
        request->context = options->context; /* R100: whatever the size */
        if (et_ge_kernel_pointer(request->context, 2048))
            return ETALON_GE_PRIV_REQUIRED;
        if (options->size >= 16) {
            if (options->depth >= 256)
                return ETALON_GE_INVALID_SIZE;
            if (et_ge_kernel_pointer(options->stack, options->depth * 32))
                return ETALON_GE_PRIV_REQUIRED;
            request->depth = options->depth;
            request->stack = options->stack;
            request->own_stack = true;
        }
    }
    return (request->list | request->stall | request->context | request->stack) & 3
               ? ETALON_GE_INVALID_POINTER
               : 0;
}

/* R17 to R21; from SDK 0x02000000 on. */
static bool is_duplicate(const struct etalon_ge *ge, const struct request *request)
{
    for (uint8_t slot = ge->first; slot != ET_GE_NO_SLOT; slot = ge->lists[slot].next) {
        const struct et_ge_list *other = &ge->lists[slot];
        if (!((other->list ^ request->list) & ET_GE_ADDRESS_MASK))
            return true;
        if (other->started && request->stack && other->stack == request->stack)
            return true;
    }
    return false;
}

static void fill_record(struct et_ge_list *list, const struct request *request)
{
    list->state = ETALON_GE_LIST_NONE;
    list->pending = ETALON_GE_PENDING_NONE;
    list->started = false;
    list->callback = ET_MAX(request->callback, -1);
    list->context = request->context;
    list->list = request->list;
    list->stall = request->stall;
    list->stack = request->stack;
    list->depth = request->depth;
    list->own_stack = request->own_stack;
    list->level = list->flags = list->base = list->signal_value = 0;
    memset(&list->returns, 0, sizeof list->returns);
}

static void start_first(struct etalon_ge *ge, uint8_t slot)
{
    struct et_ge_list *list = &ge->lists[slot];
    list->state = ETALON_GE_LIST_RUNNING;
    if (list->context)
        et_ge_save(ge, list->context);
    et_ge_resume(ge, slot);
    ge->drained = false;
}

static uint32_t enqueue(struct etalon_ge *ge, struct request *request,
                        const struct etalon_ge_options *options, bool at_head)
{
    const uint32_t refused = check_request(ge, request, options);
    struct et_ge_list *list;
    uint8_t slot;
    if (refused)
        return refused;
    if (!old_sdk(ge) && is_duplicate(ge, request))
        return ETALON_GE_BUSY;
    slot = acquire(ge);
    if (slot == ET_GE_NO_SLOT)
        return ETALON_GE_NO_MEMORY;
    list = &ge->lists[slot];
    fill_record(list, request);
    if (at_head) {
        if (ge->first != ET_GE_NO_SLOT) {
            if (ge->lists[ge->first].state != ETALON_GE_LIST_PAUSED)
                return ETALON_GE_INVALID_VALUE; /* R93: the record is used up */
            ge->lists[ge->first].state = ETALON_GE_LIST_QUEUED;
        }
        list->state = ETALON_GE_LIST_PAUSED;
        link_front(ge, slot);
    } else if (ge->first == ET_GE_NO_SLOT) {
        link_back(ge, slot);
        start_first(ge, slot);
    } else {
        list->state = ETALON_GE_LIST_QUEUED;
        link_back(ge, slot);
    }
    ge->done &= ~(UINT64_C(1) << slot);
    et_ge_let_go(ge);
    return et_ge_id(slot);
}

uint32_t etalon_ge_enqueue(struct etalon_ge *ge, uint32_t list, uint32_t stall, int32_t callback,
                           const struct etalon_ge_options *options)
{
    struct request request = {.list = list, .stall = stall, .callback = callback};
    return enqueue(ge, &request, options, false);
}

uint32_t etalon_ge_enqueue_head(struct etalon_ge *ge, uint32_t list, uint32_t stall, int32_t callback,
                                const struct etalon_ge_options *options)
{
    struct request request = {.list = list, .stall = stall, .callback = callback};
    return enqueue(ge, &request, options, true);
}

/* ---- Break and continue ---- */

/* R72: a list stopped within a pair starts again with the pair; with a SYNC pending, behind it [DRV]. */
static void rewind_pair(const struct etalon_ge *ge, struct et_ge_list *list)
{
    uint32_t before = 0;
    const uint32_t opcode = et_ge_load(ge, list->list - 4, &before) ? before >> 24 : 0;
    if (opcode == ET_GE_SIGNAL || opcode == ET_GE_FINISH)
        list->list -= 4;
    else if (opcode == ET_GE_END)
        list->list -= 8;
    if (list->pending == ETALON_GE_PENDING_SYNC)
        list->list += 8;
}

/* The driver stops the GE and lets it raise a FINISH of no list, which delivers the break. */
static uint32_t break_running(struct etalon_ge *ge, uint8_t slot)
{
    struct et_ge_list *list = &ge->lists[slot];
    ge->on = false;
    if (ge->current != ET_GE_NO_SLOT) {
        et_ge_keep(ge, list);
        list->stall = ge->stall;
        rewind_pair(ge, list);
    }
    list->state = ETALON_GE_LIST_PAUSED;
    list->pending = ETALON_GE_PENDING_BROKEN;
    ge->break_in_delivery = true;
    ge->current = ET_GE_NO_SLOT;
    ge->raised = ET_GE_RAISED_END | ET_GE_RAISED_FINISH;
    et_ge_settle(ge, 0); /* no callback follows: delivered at once if it can be */
    return et_ge_id(slot);
}

static void reset_queue(struct etalon_ge *ge)
{
    ge->on = ge->powered = ge->faulted = false;
    ge->raised = 0; /* R77 */
    ge->flags = 0;
    et_ge_reset_lists(ge);
}

static uint32_t refuse(const struct etalon_ge *ge, uint32_t code)
{
    return old_sdk(ge) ? ETALON_GE_FAILED : code;
}

uint32_t etalon_ge_break(struct etalon_ge *ge, uint32_t mode, uint32_t param)
{
    struct et_ge_list *head;
    if (mode > 1)
        return ETALON_GE_INVALID_MODE;
    if (param && et_ge_kernel_pointer(param, 16))
        return ETALON_GE_PRIV_REQUIRED;
    if (ge->first == ET_GE_NO_SLOT)
        return ETALON_GE_ALREADY;
    if (mode) {
        reset_queue(ge);
        return 0;
    }
    head = &ge->lists[ge->first];
    switch (head->state) {
    case ETALON_GE_LIST_RUNNING:
        return break_running(ge, ge->first);
    case ETALON_GE_LIST_PAUSED:
        return ge->sdk <= ET_GE_SDK_SUSPEND || head->pending == ETALON_GE_PENDING_PAUSE ? ETALON_GE_BUSY
                                                                                        : ETALON_GE_ALREADY;
    case ETALON_GE_LIST_QUEUED:
        head->state = ETALON_GE_LIST_PAUSED;
        return et_ge_id(ge->first);
    default:
        return refuse(ge, ETALON_GE_NOT_SUPPORTED);
    }
}

/* The head is stopped by its own SUSPEND callback: it reads PAUSED, but its registers are still the GE's. */
static bool suspended(const struct etalon_ge *ge)
{
    return ge->in_interrupt && ge->after == ET_GE_AFTER_SUSPEND_OLD && ge->after_slot == ge->first &&
           ge->generation == ge->interrupt_generation;
}

static uint32_t continue_paused(struct etalon_ge *ge, struct et_ge_list *head)
{
    if (ge->break_in_delivery) {
        head->state = ETALON_GE_LIST_QUEUED; /* the interrupt that delivers the break starts it */
        return 0;
    }
    if (head->pending == ETALON_GE_PENDING_PAUSE)
        return ETALON_GE_BUSY;
    head->state = ETALON_GE_LIST_RUNNING;
    head->pending = ETALON_GE_PENDING_NONE;
    if (suspended(ge)) /* R3: not before the callback has ended */
        return 0;
    if (head->context && !head->started)
        et_ge_save(ge, head->context);
    et_ge_resume(ge, ge->first);
    ge->drained = false;
    return 0;
}

uint32_t etalon_ge_continue(struct etalon_ge *ge)
{
    struct et_ge_list *head;
    uint32_t result;
    if (ge->first == ET_GE_NO_SLOT)
        return 0;
    head = &ge->lists[ge->first];
    if (head->state != ETALON_GE_LIST_PAUSED)
        return refuse(ge,
                      head->state == ETALON_GE_LIST_RUNNING ? ETALON_GE_ALREADY : ETALON_GE_NOT_SUPPORTED);
    result = continue_paused(ge, head);
    et_ge_let_go(ge);
    return result;
}

/* ---- One list ---- */

uint32_t etalon_ge_dequeue(struct etalon_ge *ge, uint32_t id)
{
    const uint8_t slot = et_ge_slot(id);
    struct et_ge_list *list;
    if (slot == ET_GE_NO_SLOT || ge->lists[slot].state == ETALON_GE_LIST_NONE)
        return ETALON_GE_INVALID_ID;
    list = &ge->lists[slot];
    if (list->started)
        return ETALON_GE_BUSY;
    et_ge_unlink(ge, slot);
    et_ge_release(ge, slot);
    list->state = ETALON_GE_LIST_NONE;
    ge->done |= UINT64_C(1) << slot;
    et_ge_wake(ge, slot);
    return 0;
}

uint32_t etalon_ge_update_stall(struct etalon_ge *ge, uint32_t id, uint32_t address)
{
    const uint8_t slot = et_ge_slot(id);
    struct et_ge_list *list;
    if (slot == ET_GE_NO_SLOT)
        return ETALON_GE_INVALID_ID;
    list = &ge->lists[slot];
    switch (list->state) {
    case ETALON_GE_LIST_RUNNING: /* R85; in the pause window the list reads PAUSED (R42) */
        list->stall = address;
        ge->stall = address & ET_GE_ADDRESS_MASK;
        et_ge_let_go(ge);
        return 0;
    case ETALON_GE_LIST_QUEUED:
    case ETALON_GE_LIST_PAUSED:
        list->stall = address;
        return 0;
    case ETALON_GE_LIST_COMPLETED:
        return ETALON_GE_ALREADY;
    default:
        return ETALON_GE_INVALID_ID;
    }
}
