/* The GE and its driver, as kept. Rules (R...) are those of conformance/ge/rules.md. */
#ifndef ET_GE_GE_H
#define ET_GE_GE_H

#include "etalon-ge.h"

#include "base/bits.h"
#include "base/error.h"

#define ET_GE_ADDRESS_MASK UINT32_C(0x1fffffff) /* what the driver hands to the GE [DRV] */
#define ET_GE_NO_SLOT      0xffu
#define ET_GE_CALLBACKS    16
#define ET_GE_STACK_WORDS  8
#define ET_GE_FREE_STACK   32 /* entries of the shared stack of old SDKs (R15) */

/* SDK boundaries: at and below these. */
#define ET_GE_SDK_DUPLICATES UINT32_C(0x01ffffff) /* free stack, no duplicate checks, continue answers -1 */
#define ET_GE_SDK_SUSPEND    UINT32_C(0x02000010) /* PAUSED in SUSPEND callbacks, third argument 0 */

/* Opcodes that the driver or the flow of a list knows by name. */
enum et_ge_opcode {
    ET_GE_VADDR = 0x01,
    ET_GE_IADDR = 0x02,
    ET_GE_PRIM = 0x04,
    ET_GE_BEZIER = 0x05,
    ET_GE_SPLINE = 0x06,
    ET_GE_BOUNDING_BOX = 0x07,
    ET_GE_JUMP = 0x08,
    ET_GE_BJUMP = 0x09,
    ET_GE_CALL = 0x0a,
    ET_GE_RET = 0x0b,
    ET_GE_END = 0x0c,
    ET_GE_SIGNAL = 0x0e,
    ET_GE_FINISH = 0x0f,
    ET_GE_BASE = 0x10,
    ET_GE_VERTEX_TYPE = 0x12,
    ET_GE_OFFSET = 0x13,
    ET_GE_ORIGIN = 0x14,
    ET_GE_REGION1 = 0x15,
    ET_GE_REGION2 = 0x16,
    ET_GE_BONE_NUMBER = 0x2a,
    ET_GE_MORPH_WEIGHT = 0x2c,
    ET_GE_WORLD_NUMBER = 0x3a,
    ET_GE_VIEW_NUMBER = 0x3c,
    ET_GE_PROJECTION_NUMBER = 0x3e,
    ET_GE_TEXTURE_NUMBER = 0x40,
    ET_GE_VIEWPORT = 0x42, /* x, y, z scale, then x, y, z centre */
    ET_GE_SCREEN_OFFSET_X = 0x4c,
    ET_GE_SCREEN_OFFSET_Y = 0x4d,
    ET_GE_TEXTURE_ADDRESS = 0xa0,
    ET_GE_TEXTURE_WIDTH = 0xa8,
    ET_GE_CLUT_ADDRESS = 0xb0,
    ET_GE_CLUT_UPPER = 0xb1,
    ET_GE_TRANSFER_SOURCE = 0xb2,
    ET_GE_TRANSFER_SOURCE_WIDTH = 0xb3,
    ET_GE_TRANSFER_DESTINATION = 0xb4,
    ET_GE_TRANSFER_DESTINATION_WIDTH = 0xb5,
    ET_GE_LOAD_CLUT = 0xc4,
    ET_GE_SCISSOR1 = 0xd4,
    ET_GE_SCISSOR2 = 0xd5,
    ET_GE_TRANSFER_START = 0xea,
    ET_GE_TRANSFER_SOURCE_POSITION = 0xeb,
    ET_GE_TRANSFER_DESTINATION_POSITION = 0xec,
    ET_GE_TRANSFER_SIZE = 0xee
};

/* What a command does beside being kept. */
enum et_ge_action {
    ET_GE_KEEP,
    ET_GE_NOTE,    /* SIGNAL, FINISH */
    ET_GE_STOP,    /* END */
    ET_GE_GO,      /* JUMP, BJUMP, CALL, RET */
    ET_GE_ADDRESS, /* VADDR, IADDR, OFFSETADDR, ORIGIN */
    ET_GE_MATRIX,  /* matrix data */
    ET_GE_SNAPSHOT /* draws, moves, loads, tests a box */
};

/* Both by opcode; enum et_ge_action, and the field's name or NULL. */
extern const uint8_t et_ge_actions[256];
extern const char *const et_ge_names[256];

/* Execution flags, as in a context's word 0 and a stack entry's. */
enum et_ge_flags {
    ET_GE_ON = 1 << 0,
    ET_GE_INSIDE = 1 << 1, /* the last bounding box was inside */
    ET_GE_DEPTH_ONE = 1 << 8,
    ET_GE_DEPTH_TWO = 1 << 9
};
#define ET_GE_KEPT_FLAGS (ET_GE_INSIDE | ET_GE_DEPTH_ONE | ET_GE_DEPTH_TWO)

/* What the GE has noted for an interrupt. */
enum et_ge_raised { ET_GE_RAISED_SIGNAL = 1, ET_GE_RAISED_FINISH = 2, ET_GE_RAISED_END = 4 };

/* Everything of the GE that a stopped list keeps, and a stack entry. */
struct et_ge_returns {
    uint32_t address[2];
    uint32_t offset, saved_offset[2];
};

/* Lists are linked by slot. */
struct et_ge_list {
    uint8_t next, previous; /* on the queue, or next in the line of free ones */
    uint8_t state;          /* enum etalon_ge_list_state */
    uint8_t pending;        /* enum etalon_ge_pending */
    bool started, on_queue, own_stack;
    int32_t callback;
    uint32_t context, flags, list, stall, base, stack, depth, level;
    struct et_ge_returns returns;
    uint32_t signal_value; /* kept by a PAUSE */
};

/* What is left of an interrupt behind the callback that it waits for. SUSPEND_OLD: the list reads PAUSED. */
enum et_ge_after { ET_GE_AFTER_NOTHING, ET_GE_AFTER_SUSPEND, ET_GE_AFTER_SUSPEND_OLD, ET_GE_AFTER_FINISH };

/* Where the callback of the present interrupt is. */
enum et_ge_callback_state {
    ET_GE_CALLBACK_NONE,
    ET_GE_CALLBACK_IN_HOOK,
    ET_GE_CALLBACK_ENDED_IN_HOOK, /* etalon_ge_callback_done came before the hook returned */
    ET_GE_CALLBACK_WAITED_FOR
};

struct et_ge_waiter {
    uint64_t token;
    uint8_t slot; /* ET_GE_NO_SLOT: the queue's draining */
    bool woken;
};

struct etalon_ge {
    struct etalon_ge_hooks hooks;
    struct etalon_ge_region *regions, *regions_end;
    bool eager;
    uint64_t eager_limit;

    /* the GE */
    bool on, powered, running, faulted;
    uint8_t raised; /* enum et_ge_raised */
    uint32_t flags; /* enum et_ge_flags without ON */
    uint32_t address, stall;
    struct et_ge_returns returns;
    uint32_t vertex, index;
    uint64_t executed, snapshots;
    uint64_t surcharge; /* vertices looked at, which count against a limit as commands do */
    uint32_t commands[256];
    struct etalon_ge_matrices matrices;

    /* the driver */
    struct et_ge_list lists[ETALON_GE_LISTS];
    uint8_t first, last, free_first, free_last;
    uint8_t current; /* the list that the GE is on */
    bool break_in_delivery, drained;
    uint64_t done; /* one bit a list */
    uint32_t sdk_declared, sdk;
    uint32_t callbacks_used; /* one bit a slot */
    struct etalon_ge_callback callbacks[ET_GE_CALLBACKS];
    uint32_t free_stack[ET_GE_FREE_STACK * ET_GE_STACK_WORDS];

    /* interrupts */
    bool interrupts, dispatch, in_handler;
    bool in_interrupt;
    uint8_t callback_state; /* enum et_ge_callback_state */
    uint8_t after;          /* enum et_ge_after */
    uint8_t after_slot;
    uint32_t generation, interrupt_generation; /* counts resets of the queue */

    struct et_ge_waiter *waiters;
    size_t waiter_count, waiter_capacity;
    uint64_t last_token;

    struct etalon_error fault;
};

/* ---- memory.c ---- */

/* Words are little-endian at the address's low 29 bits, without its low two. */
bool et_ge_load(const struct etalon_ge *ge, uint32_t address, uint32_t *word);
bool et_ge_store(struct etalon_ge *ge, uint32_t address, uint32_t word);
/* Count words; all or nothing. */
bool et_ge_store_words(struct etalon_ge *ge, uint32_t address, const uint32_t *words, size_t count);
/* Host bytes from `address` to the end of its region, and how many; NULL when unmapped. */
static inline const uint8_t *et_ge_window(const struct etalon_ge *ge, uint32_t address, uint32_t *bytes)
{
    address &= ET_GE_ADDRESS_MASK;
    for (const struct etalon_ge_region *region = ge->regions; region != ge->regions_end; region++) {
        const uint32_t offset = address - region->address;
        if (offset < region->size) {
            *bytes = region->size - offset;
            return (const uint8_t *)region->host + offset;
        }
    }
    return NULL;
}
/* Names a fault; the first is kept, each is reported. */
void et_ge_note(struct etalon_ge *ge, enum etalon_status status, uint32_t address, uint32_t value,
                const char *text);

/* ---- exec.c ---- */

/* Runs at most `limit` commands; how many ran. */
uint64_t et_ge_execute(struct etalon_ge *ge, uint64_t limit);
/* Executes one word for its effect on the registers alone: no flow, no snapshots. */
void et_ge_apply(struct etalon_ge *ge, uint32_t command);
/* The address that a command's argument forms (R119), all 32 bits. */
uint32_t et_ge_form_address(const struct etalon_ge *ge, uint32_t argument);

/* ---- snapshot.c ---- */

void et_ge_hand_out(struct etalon_ge *ge, uint32_t address, uint32_t command);

/* ---- context.c ---- */

bool et_ge_save(struct etalon_ge *ge, uint32_t address);
bool et_ge_restore(struct etalon_ge *ge, uint32_t address);
/* A stack entry of a list, on its own stack or the shared one. False (and a fault) when unmapped. */
bool et_ge_push(struct etalon_ge *ge, struct et_ge_list *list);
bool et_ge_pop(struct etalon_ge *ge, struct et_ge_list *list);

/* ---- interrupt.c ---- */

/* Runs and takes interrupts until nothing moves or `limit` commands ran. */
void et_ge_settle(struct etalon_ge *ge, uint64_t limit);
/* What a call that may have let the GE go does last. */
static inline void et_ge_let_go(struct etalon_ge *ge)
{
    if (ge->eager)
        et_ge_settle(ge, ge->eager_limit);
}
/* Keeps the GE's registers in a list, and loads them from one and starts it. */
void et_ge_keep(struct etalon_ge *ge, struct et_ge_list *list);
void et_ge_resume(struct etalon_ge *ge, uint8_t slot);

/* ---- queue.c ---- */

/* From `address` to address + size has the top bit somewhere: not a game's memory. */
bool et_ge_kernel_pointer(uint32_t address, uint32_t size);
/* Every list NONE, the free line from the first record on. */
void et_ge_reset_lists(struct etalon_ge *ge);
/* Takes a list off the queue. */
static inline void et_ge_unlink(struct etalon_ge *ge, uint8_t slot)
{
    struct et_ge_list *list = &ge->lists[slot];
    if (list->previous != ET_GE_NO_SLOT)
        ge->lists[list->previous].next = list->next;
    else
        ge->first = list->next;
    if (list->next != ET_GE_NO_SLOT)
        ge->lists[list->next].previous = list->previous;
    else
        ge->last = list->previous;
    list->on_queue = false;
}

/* To the back of the free line (R102). */
static inline void et_ge_release(struct etalon_ge *ge, uint8_t slot)
{
    struct et_ge_list *list = &ge->lists[slot];
    list->next = ET_GE_NO_SLOT;
    list->previous = ge->free_last;
    if (ge->free_last != ET_GE_NO_SLOT)
        ge->lists[ge->free_last].next = slot;
    else
        ge->free_first = slot;
    ge->free_last = slot;
}

uint32_t et_ge_id(uint8_t slot);
/* ET_GE_NO_SLOT if `id` cannot be one. */
uint8_t et_ge_slot(uint32_t id);
/* The address of a list record as the driver has it. */
uint32_t et_ge_record(uint8_t slot);

/* ---- wait.c ---- */

/* Wakes those who wait for a list, or (ET_GE_NO_SLOT) for the queue's draining, in the order in which they
 * came. */
void et_ge_wake_waiters(struct etalon_ge *ge, uint8_t slot);

static inline void et_ge_wake(struct etalon_ge *ge, uint8_t slot)
{
    if (ge->waiter_count)
        et_ge_wake_waiters(ge, slot);
}

#endif
