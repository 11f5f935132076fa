/* The PSP's display-list queue and the part of its graphics engine (GE) that decides how a list flows.
 *
 * A GE runs lists of 32-bit commands out of the caller's memory, and answers the calls of the driver that
 * keeps the queue of lists. Results of those calls are the PSP's own 32-bit codes: ids and states, or an
 * error with the top bit set. The rules (R1, R2 ...) are in conformance/ge/rules.md.
 *
 * Time is the caller's. Unless `eager` is set nothing moves until etalon_ge_run (the GE alone) or
 * etalon_ge_advance (the GE and its interrupts). Threads are the caller's too: a call that has to wait
 * answers a token, the `wake` hook names tokens in the order in which the driver wakes them, and the thread
 * ends its call with etalon_ge_end_wait once it runs again. One GE is used by one thread at a time.
 *
 * Addresses are the PSP's: the low 29 bits count, so that cached and uncached mirrors are the same memory. */
#ifndef ETALON_GE_H
#define ETALON_GE_H

#include "etalon-error.h"

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct etalon_ge;

/* Error results [DOC]; ids and states never have the top bit. */
#define ETALON_GE_NOT_SUPPORTED   UINT32_C(0x80000004)
#define ETALON_GE_ALREADY         UINT32_C(0x80000020)
#define ETALON_GE_BUSY            UINT32_C(0x80000021)
#define ETALON_GE_NO_MEMORY       UINT32_C(0x80000022)
#define ETALON_GE_PRIV_REQUIRED   UINT32_C(0x80000023)
#define ETALON_GE_INVALID_ID      UINT32_C(0x80000100)
#define ETALON_GE_INVALID_INDEX   UINT32_C(0x80000102)
#define ETALON_GE_INVALID_POINTER UINT32_C(0x80000103)
#define ETALON_GE_INVALID_SIZE    UINT32_C(0x80000104)
#define ETALON_GE_INVALID_MODE    UINT32_C(0x80000107)
#define ETALON_GE_INVALID_VALUE   UINT32_C(0x800001fe)
#define ETALON_GE_ILLEGAL_CONTEXT UINT32_C(0x80020064)
#define ETALON_GE_CAN_NOT_WAIT    UINT32_C(0x800201a7)
#define ETALON_GE_FAILED          UINT32_C(0xffffffff)

/* What a sync call answers. */
enum etalon_ge_status {
    ETALON_GE_COMPLETED = 0,
    ETALON_GE_QUEUED = 1,
    ETALON_GE_DRAWING = 2,
    ETALON_GE_STALLING = 3,
    ETALON_GE_PAUSED = 4
};

enum etalon_ge_sync_mode { ETALON_GE_WAIT = 0, ETALON_GE_POLL = 1 };

/* size bytes of the caller's memory at a PSP address (both multiples of 4; the low 29 bits of the address
 * count). The host bytes must outlive the GE; regions do not overlap. */
struct etalon_ge_region {
    uint32_t address;
    uint32_t size;
    void *host;
    bool read_only;
};

enum etalon_ge_callback_kind { ETALON_GE_SIGNAL_CALLBACK, ETALON_GE_FINISH_CALLBACK };

/* A callback of the game, about to run: f(value, argument, address). Its result is ignored. */
struct etalon_ge_callback_call {
    enum etalon_ge_callback_kind kind;
    uint32_t function; /* as registered */
    uint32_t value;    /* low 16 bits of the SIGNAL or FINISH command (R37) */
    uint32_t argument; /* as registered */
    uint32_t address;  /* after the END, or 0 for SDK 0x02000010 and lower (R38) */
    uint32_t callback; /* the callback's id */
    uint32_t list;     /* the list's id */
};

enum etalon_ge_callback_answer {
    ETALON_GE_CALLBACK_DONE,   /* the callback has run */
    ETALON_GE_CALLBACK_PENDING /* it will run later: etalon_ge_callback_done follows it */
};

struct etalon_ge_snapshot;

/* Any hook may be NULL. `user` is handed to each. Hooks may call any function of this header on the same GE
 * but etalon_ge_destroy. */
struct etalon_ge_hooks {
    void *user;
    /* Runs a callback of the game in interrupt context. NULL: callbacks are taken as run. */
    enum etalon_ge_callback_answer (*callback)(void *user, const struct etalon_ge_callback_call *call);
    /* The waiting call behind `token` may end; called in the order of waking. */
    void (*wake)(void *user, uint64_t token);
    /* A command that draws, moves or loads, before the GE goes on. The snapshot and what it points to are
     * valid during the call. */
    void (*snapshot)(void *user, const struct etalon_ge_snapshot *snapshot);
    /* The bounding box test: true if the box is inside. NULL: etalon_ge_box_inside. */
    bool (*bounding_box)(void *user, const struct etalon_ge_snapshot *snapshot);
    /* The driver or the GE has stored `size` bytes at `address`. */
    void (*written)(void *user, uint32_t address, uint32_t size);
    /* A command about to execute. Set it for tracing only: it costs a call a command. */
    void (*command)(void *user, uint32_t address, uint32_t command);
    /* Something that a PSP has no code for: see etalon_ge_fault. */
    void (*fault)(void *user, const struct etalon_error *error);
};

struct etalon_ge_config {
    const struct etalon_ge_region *regions;
    size_t region_count;
    struct etalon_ge_hooks hooks;
    uint32_t sdk_version; /* the SDK version that the game declares */
    /* Every call that lets the GE go also advances it: the GE runs and interrupts are taken before the call
     * returns, as on a PSP with short lists (R90). */
    bool eager;
    uint64_t eager_limit; /* commands that such a call may run; 0: 1 << 20 */
};

/* A GE with an empty queue. ETALON_INVALID names the region that is misplaced; ETALON_NO_MEMORY. */
ETALON_API enum etalon_status etalon_ge_create(const struct etalon_ge_config *config, struct etalon_ge **ge,
                                               struct etalon_error *error);
/* NULL is allowed. Not from a hook. */
ETALON_API void etalon_ge_destroy(struct etalon_ge *ge);

/* ---- The driver's calls ---- */

/* The option block of an enqueue, fields as in the PSP's 16 bytes. depth and stack count when size is at
 * least 16, the context always (R100). */
struct etalon_ge_options {
    uint32_t size;
    uint32_t context; /* address of 512 words, or 0 */
    uint32_t depth;   /* entries of 32 bytes */
    uint32_t stack;   /* address */
};

/* Queues the list at address `list` behind (enqueue) or in front of (enqueue_head) the queue. stall: where
 * the GE stops, 0 none. callback: an id, negative none. options: NULL for none. The list's id, or an error.
 */
ETALON_API uint32_t etalon_ge_enqueue(struct etalon_ge *ge, uint32_t list, uint32_t stall, int32_t callback,
                                      const struct etalon_ge_options *options);
ETALON_API uint32_t etalon_ge_enqueue_head(struct etalon_ge *ge, uint32_t list, uint32_t stall,
                                           int32_t callback, const struct etalon_ge_options *options);

/* Mode ETALON_GE_WAIT waits for the list, or for the queue to drain; ETALON_GE_POLL answers an enum
 * etalon_ge_status at once. *wait is 0 if the call is over and the result is its answer, or else the token of
 * a wait that has begun. With wait NULL a call that would wait answers CAN_NOT_WAIT. */
ETALON_API uint32_t etalon_ge_list_sync(struct etalon_ge *ge, uint32_t id, uint32_t mode, uint64_t *wait);
ETALON_API uint32_t etalon_ge_draw_sync(struct etalon_ge *ge, uint32_t mode, uint64_t *wait);
/* The woken thread runs again: ends the call (a draw sync forgets completed lists now, R68) and gives its
 * result. ETALON_INVALID if the token is unknown or has not been woken. */
ETALON_API enum etalon_status etalon_ge_end_wait(struct etalon_ge *ge, uint64_t token, uint32_t *result);
/* The thread is gone: forgets the wait, woken or not. Unknown tokens are ignored. */
ETALON_API void etalon_ge_cancel_wait(struct etalon_ge *ge, uint64_t token);

/* mode 0 stops the head and answers its id, mode 1 throws the queue away. param: the pointer argument (R96).
 */
ETALON_API uint32_t etalon_ge_break(struct etalon_ge *ge, uint32_t mode, uint32_t param);
ETALON_API uint32_t etalon_ge_continue(struct etalon_ge *ge);
ETALON_API uint32_t etalon_ge_dequeue(struct etalon_ge *ge, uint32_t id);
ETALON_API uint32_t etalon_ge_update_stall(struct etalon_ge *ge, uint32_t id, uint32_t address);

/* Functions are the game's addresses, or any number that the callback hook understands; 0 is none. */
struct etalon_ge_callback {
    uint32_t signal_function, signal_argument;
    uint32_t finish_function, finish_argument;
};
ETALON_API uint32_t etalon_ge_set_callback(struct etalon_ge *ge, const struct etalon_ge_callback *callback);
ETALON_API uint32_t etalon_ge_unset_callback(struct etalon_ge *ge, uint32_t id);

/* A context is 512 words at `address`, of which at most 386 are used (R104). */
ETALON_API uint32_t etalon_ge_save_context(struct etalon_ge *ge, uint32_t address);
ETALON_API uint32_t etalon_ge_restore_context(struct etalon_ge *ge, uint32_t address);

/* Copies the head's stack entry `level` (8 words) to `address` unless that is 0 (R109). */
ETALON_API uint32_t etalon_ge_get_stack(struct etalon_ge *ge, int32_t level, uint32_t address);
/* The whole word last executed for an opcode, 0..254 (R107). */
ETALON_API uint32_t etalon_ge_get_command(struct etalon_ge *ge, uint32_t opcode);
/* Stores a matrix, ids 0-7 bones, 8 world, 9 view, 10 projection, 11 texture generation (R108). */
ETALON_API uint32_t etalon_ge_get_matrix(struct etalon_ge *ge, uint32_t id, uint32_t address);
/* Copies the driver's 64-byte list record to `address` and state * 4 + pending to `flag_address`, each unless
 * 0. */
ETALON_API uint32_t etalon_ge_get_list(struct etalon_ge *ge, uint32_t id, uint32_t address,
                                       uint32_t flag_address);
/* Stores at most `room` ids of the queue, front first, at `address`, and how many there are at
 * `count_address` unless 0. How many were stored. */
ETALON_API uint32_t etalon_ge_get_list_ids(struct etalon_ge *ge, uint32_t address, uint32_t room,
                                           uint32_t count_address);
/* Another executable starts (R89): no lists, waiters or callbacks, registers as new. Memory stays. */
ETALON_API void etalon_ge_restart(struct etalon_ge *ge);

/* ---- The world around the driver ---- */

/* The SDK version declared from now on; the driver looks at each enqueue (R115). */
ETALON_API void etalon_ge_set_sdk(struct etalon_ge *ge, uint32_t version);
/* Interrupts on (the state after create) or off: with them off none is taken and nobody may wait. */
ETALON_API void etalon_ge_set_interrupts(struct etalon_ge *ge, bool enabled);
/* Thread dispatch on (the state after create) or off: with it off nobody may wait. */
ETALON_API void etalon_ge_set_dispatch(struct etalon_ge *ge, bool enabled);
/* The CPU is in some other interrupt handler, or has left it: nobody may wait there (R61). */
ETALON_API void etalon_ge_set_handler(struct etalon_ge *ge, bool inside);

/* ---- Time ---- */

/* Why the GE does not move. */
enum etalon_ge_stop {
    ETALON_GE_IDLE,    /* no list runs, or the head is paused */
    ETALON_GE_STALLED, /* at the stall address */
    ETALON_GE_STOPPED, /* a list has stopped the GE and no interrupt sets it going again */
    ETALON_GE_HELD,    /* an interrupt is raised and cannot be taken now: interrupts off, or in a callback */
    ETALON_GE_LIMIT,   /* it does: the limit was reached first */
    ETALON_GE_FAULTED, /* see etalon_ge_fault */
    ETALON_GE_RE_ENTERED /* called from a hook of a running GE: nothing was done */
};

/* Runs at most `limit` commands, takes no interrupt. Vertices that have to be looked at count as commands, so
 * that a limit bounds the time as well. */
ETALON_API enum etalon_ge_stop etalon_ge_run(struct etalon_ge *ge, uint64_t limit);
/* Runs at most `limit` commands and takes interrupts as they come, with their callbacks. Within a callback
 * the same as etalon_ge_run, since interrupts do not nest. */
ETALON_API enum etalon_ge_stop etalon_ge_advance(struct etalon_ge *ge, uint64_t limit);
/* A callback that was answered with CALLBACK_PENDING has run. Ignored when there is none. */
ETALON_API void etalon_ge_callback_done(struct etalon_ge *ge);
/* A callback is running. */
ETALON_API bool etalon_ge_in_callback(const struct etalon_ge *ge);

/* What the GE or the driver met that a PSP has no code for, in words and with its place: a list, a stack or
 * vertex data in unmapped memory, a full or empty stack, an unknown signal. The first since create, restart
 * or etalon_ge_clear_fault; status ETALON_OK if none. */
ETALON_API const struct etalon_error *etalon_ge_fault(const struct etalon_ge *ge);
ETALON_API void etalon_ge_clear_fault(struct etalon_ge *ge);

/* ---- Looking inside ---- */

/* Matrices as the 24-bit words that were loaded; a float is word << 8 (etalon_ge_matrix_float). */
struct etalon_ge_matrices {
    uint32_t bone[96]; /* 8 of 4 columns of 3 */
    uint32_t world[12];
    uint32_t view[12];
    uint32_t projection[16]; /* 4 columns of 4 */
    uint32_t texture[12];
};

struct etalon_ge_registers {
    bool on, powered;
    uint32_t address, stall;
    uint32_t depth; /* list CALLs open, 0..2 */
    uint32_t return_address[2];
    uint32_t offset, saved_offset[2];
    uint32_t vertex, index;
    bool box_inside;          /* result of the last bounding box (R120) */
    uint64_t executed;        /* commands since create */
    const uint32_t *commands; /* 256 words, the last executed of each opcode */
    const struct etalon_ge_matrices *matrices;
};
/* The pointers stay valid as long as the GE. */
ETALON_API void etalon_ge_get_registers(const struct etalon_ge *ge, struct etalon_ge_registers *registers);

/* A list record as the driver keeps it. */
enum etalon_ge_list_state {
    ETALON_GE_LIST_NONE,
    ETALON_GE_LIST_QUEUED,
    ETALON_GE_LIST_RUNNING,
    ETALON_GE_LIST_COMPLETED,
    ETALON_GE_LIST_PAUSED
};
enum etalon_ge_pending {
    ETALON_GE_PENDING_NONE,
    ETALON_GE_PENDING_BROKEN, /* broken, or a pause has been delivered */
    ETALON_GE_PENDING_PAUSE,
    ETALON_GE_PENDING_SYNC
};
#define ETALON_GE_LISTS 64
struct etalon_ge_list_info {
    uint32_t id;
    enum etalon_ge_list_state state;
    enum etalon_ge_pending pending;
    bool started, done, on_queue, on_ge;
    uint32_t list, stall, context, stack, depth, level;
    int32_t callback;
};
/* slot: 0..63. False outside. */
ETALON_API bool etalon_ge_get_list_info(const struct etalon_ge *ge, unsigned slot,
                                        struct etalon_ge_list_info *info);
/* Slots of the lists on the queue, front first; how many. */
ETALON_API unsigned etalon_ge_get_queue(const struct etalon_ge *ge, uint8_t slots[ETALON_GE_LISTS]);
/* ETALON_INTERNAL and a text if what the GE keeps is not consistent: for tests. */
ETALON_API enum etalon_status etalon_ge_verify(const struct etalon_ge *ge, struct etalon_error *error);

/* The host bytes of address..address+size, or NULL if they are not in one region. */
ETALON_API void *etalon_ge_map(const struct etalon_ge *ge, uint32_t address, uint32_t size);

/* ---- Snapshots: what a renderer gets ---- */

enum etalon_ge_snapshot_kind {
    ETALON_GE_PRIM,
    ETALON_GE_BEZIER,
    ETALON_GE_SPLINE,
    ETALON_GE_BOUNDING_BOX,
    ETALON_GE_TRANSFER,
    ETALON_GE_CLUT_LOAD
};

/* Layout of a vertex, decoded from the VERTEXTYPE word. Formats: 0 none, 1 8-bit, 2 16-bit, 3 float. Offsets
 * and sizes in bytes; with several morph targets each follows the other, `size` apart within `stride`. */
struct etalon_ge_vertex_layout {
    uint8_t texture_format, normal_format, position_format, weight_format;
    uint8_t color_format; /* 0 none, 4 565, 5 5551, 6 4444, 7 8888 */
    uint8_t index_size;   /* 0 none, 1, 2, 4 */
    uint8_t weights, morphs;
    uint8_t weight_offset, texture_offset, color_offset, normal_offset, position_offset;
    bool through; /* coordinates are the screen's */
    uint16_t size, stride;
};
ETALON_API void etalon_ge_vertex_layout(uint32_t vertex_type, struct etalon_ge_vertex_layout *layout);

/* A rectangle of a block transfer: pixels of bytes_per_pixel at x, y, rows `stride` pixels apart. */
struct etalon_ge_rectangle {
    uint32_t address, stride, x, y;
    void *host; /* of the first pixel of the rectangle; NULL if the rectangle is not mapped */
};

struct etalon_ge_snapshot {
    enum etalon_ge_snapshot_kind kind;
    enum etalon_status status; /* ETALON_UNMAPPED: data is not in memory and its pointer NULL */
    uint64_t number;           /* counts snapshots of this GE */
    uint32_t list;             /* id of the list at the head, 0 if none */
    uint32_t address, command; /* of the command */
    const uint32_t *commands;  /* 256 words */
    const struct etalon_ge_matrices *matrices;

    /* PRIM, BEZIER, SPLINE, BOUNDING_BOX */
    uint32_t
        primitive;  /* PRIM: 0 points, lines, line strip, triangles, strip, fan, rectangles; 7 as before */
    uint32_t count; /* vertices */
    uint32_t u_count, v_count, u_type, v_type; /* patches */
    struct etalon_ge_vertex_layout layout;
    uint32_t vertex_address, index_address;
    uint32_t lowest, highest; /* vertices that are referenced; highest < lowest: none */
    const void *vertices;     /* of vertex `lowest`, (highest - lowest + 1) * layout.stride bytes */
    const void *indices;      /* count of layout.index_size bytes, or NULL */

    /* TRANSFER */
    struct etalon_ge_rectangle source, destination;
    uint32_t width, height, bytes_per_pixel;

    /* CLUT_LOAD */
    uint32_t clut_address, clut_bytes;
    const void *clut;
};

/* Copies a snapshot with everything that it points to (but not a transfer's destination), so that it outlives
 * the hook. NULL if out of memory. Free it with etalon_ge_snapshot_free. */
ETALON_API struct etalon_ge_snapshot *etalon_ge_snapshot_pin(const struct etalon_ge_snapshot *snapshot);
ETALON_API void etalon_ge_snapshot_free(struct etalon_ge_snapshot *snapshot);

struct etalon_ge_vertex {
    float weight[8];
    float texture[2];
    float color[4]; /* red, green, blue, alpha, 0..1 */
    float normal[3];
    float position[3];
};
/* Decodes vertex number `n` of a draw (through its indices), morph targets blended, not skinned. 8- and
 * 16-bit components are scaled to -1..1 (weights and texture coordinates to 0..2), in through mode they are
 * kept as numbers. False when it is out of range or not mapped. */
ETALON_API bool etalon_ge_vertex(const struct etalon_ge_snapshot *snapshot, uint32_t n,
                                 struct etalon_ge_vertex *vertex);
/* The built-in bounding box test: false if all points lie beyond one plane of the drawing region. */
ETALON_API bool etalon_ge_box_inside(const struct etalon_ge_snapshot *snapshot);
ETALON_API float etalon_ge_matrix_float(uint32_t word);

/* A command in words, e.g. "JUMP 0x123456"; always terminated. */
ETALON_API void etalon_ge_describe(uint32_t command, char *text, size_t size);

#ifdef __cplusplus
}
#endif
#endif
