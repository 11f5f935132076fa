/* AMD's command processor in software: the front end of the PlayStation 5's GPU (GFX10.3).
 *
 * A processor executes PM4 streams of 57 queues against a caller's memory: queue 0 is graphics, queues 1..56
 * are 7 compute pipes of 8 (id = 1 + pipe * 8 + queue). It keeps the registers, waits and signals, and calls
 * hooks at draws, dispatches, flips, interrupts and events, each with a frozen snapshot of the registers. It
 * draws nothing itself.
 *
 * Units: dwords are 32-bit words, offsets within a buffer are in dwords, addresses and sizes of memory in
 * bytes. Sources of the facts are cited by rule: P1..P50 are the rules listed in conformance/pm4/table.tsv.
 *
 * Threads: without a GPU thread one thread at a time may run, query or reset; submit may be called from any.
 * With a GPU thread (etalon_pm4_thread_start) every function may be called from any thread; hooks are called
 * on the GPU thread. */
#ifndef ETALON_PM4_H
#define ETALON_PM4_H

#include "etalon-error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ETALON_PM4_QUEUES    57
#define ETALON_PM4_NO_QUEUE  UINT32_MAX
#define ETALON_PM4_MAX_DEPTH 16 /* live buffers a stream that a processor can be configured for */

/* The emulator's exact rules, or what valid streams of drivers use on GFX10 hardware. */
enum etalon_pm4_profile { ETALON_PM4_CONSOLE, ETALON_PM4_HARDWARE };

/* Why a packet was refused; names: etalon_pm4_fault_name. The second column is the status it is reported
 * under. */
#define ETALON_PM4_FAULTS(X)                                                                                 \
    X(NONE, "None", OK)                                                                                      \
    X(TRUNCATED_PACKET, "TruncatedPacket", TRUNCATED)                                                        \
    X(UNSUPPORTED_PACKET_TYPE, "UnsupportedPacketType", BAD_HEADER)                                          \
    X(UNKNOWN_OPCODE, "UnknownOpcode", UNKNOWN_METHOD)                                                       \
    X(UNKNOWN_SUB_OP, "UnknownSubOp", UNKNOWN_METHOD)                                                        \
    X(LENGTH_MISMATCH, "LengthMismatch", BAD_HEADER)                                                         \
    X(REGISTER_OUT_OF_RANGE, "RegisterOutOfRange", BOUNDS)                                                   \
    X(UNKNOWN_REGISTER, "UnknownRegister", UNKNOWN_METHOD)                                                   \
    X(BAD_FIELD, "BadField", BAD_VALUE)                                                                      \
    X(BAD_COMPARE_FUNCTION, "BadCompareFunction", BAD_VALUE)                                                 \
    X(UNSUPPORTED_WAIT_SPACE, "UnsupportedWaitSpace", UNSUPPORTED)                                           \
    X(UNSUPPORTED_PREDICATE, "UnsupportedPredicate", UNSUPPORTED)                                            \
    X(UNSUPPORTED_SELECTOR, "UnsupportedSelector", UNSUPPORTED)                                              \
    X(BAD_INDEX_TYPE, "BadIndexType", BAD_VALUE)                                                             \
    X(INDEX_COUNT_EXCEEDS_MAX, "IndexCountExceedsMax", BOUNDS)                                               \
    X(COND_EXEC_RANGE, "CondExecRange", BOUNDS)                                                              \
    X(CONST_RAM_RANGE, "ConstRamRange", BOUNDS)                                                              \
    X(GDS_RANGE, "GdsRange", BOUNDS)                                                                         \
    X(COUNTER_UNDERFLOW, "CounterUnderflow", BAD_VALUE)                                                      \
    X(CONTEXT_STACK_OVERFLOW, "ContextStackOverflow", STACK)                                                 \
    X(CONTEXT_STACK_UNDERFLOW, "ContextStackUnderflow", STACK)                                               \
    X(NULL_INDIRECT_BUFFER, "NullIndirectBuffer", BAD_VALUE)                                                 \
    X(INDIRECT_DEPTH_EXCEEDED, "IndirectDepthExceeded", STACK)                                               \
    X(INDIRECT_LOOP, "IndirectLoop", BUDGET)                                                                 \
    X(MEMORY_FAULT, "MemoryFault", UNMAPPED)                                                                 \
    X(INVALID_QUEUE, "InvalidQueue", INVALID)                                                                \
    X(NO_MEMORY, "NoMemory", NO_MEMORY)

enum etalon_pm4_fault {
#define ETALON_PM4_FAULT_ENUM(name, text, status) ETALON_PM4_##name,
    ETALON_PM4_FAULTS(ETALON_PM4_FAULT_ENUM)
#undef ETALON_PM4_FAULT_ENUM
        ETALON_PM4_FAULT_COUNT
};

/* "TruncatedPacket" and the like; "None" for none, "unknown fault" outside the enumeration. Never NULL. */
ETALON_API const char *etalon_pm4_fault_name(enum etalon_pm4_fault fault);

/* ---- Registers ---- */

enum etalon_pm4_space {
    ETALON_PM4_CONTEXT, /* 0x400 registers */
    ETALON_PM4_SH,      /* 0x400 */
    ETALON_PM4_UCONFIG, /* 0x4000 */
    ETALON_PM4_CONFIG,  /* 0xC00; written by privileged streams alone */
    ETALON_PM4_SPACES
};

/* "context", "sh", "uconfig", "config"; NULL outside. */
ETALON_API const char *etalon_pm4_space_name(enum etalon_pm4_space space);
/* Registers of a space; 0 outside. */
ETALON_API uint32_t etalon_pm4_space_size(enum etalon_pm4_space space);
/* The register's name, NULL when the database has none at this offset (in dwords within the space). */
ETALON_API const char *etalon_pm4_register_name(enum etalon_pm4_space space, uint32_t offset);
/* Finds a register by name; false when there is none. */
ETALON_API bool etalon_pm4_register_find(const char *name, enum etalon_pm4_space *space, uint32_t *offset);
/* The i-th field of a register: name and bits hi..lo; `values` is "0=NAME 1=NAME ..." or empty. False past
 * the last. */
ETALON_API bool etalon_pm4_register_field(enum etalon_pm4_space space, uint32_t offset, uint32_t i,
                                          const char **name, unsigned *hi, unsigned *lo, const char **values);

/* Registers frozen at one packet: immutable, reference-counted, shared between draws that change nothing. */
struct etalon_pm4_snapshot;

/* Keeps a snapshot beyond the hook; release once for each keep. May be released on any thread. */
ETALON_API struct etalon_pm4_snapshot *etalon_pm4_snapshot_keep(struct etalon_pm4_snapshot *snapshot);
ETALON_API void etalon_pm4_snapshot_release(struct etalon_pm4_snapshot *snapshot);
/* The value at an offset: false (and 0) when it was never written since reset or clear. */
ETALON_API bool etalon_pm4_snapshot_read(const struct etalon_pm4_snapshot *snapshot,
                                         enum etalon_pm4_space space, uint32_t offset, uint32_t *value);
/* The same by register name; false also when no register has that name. */
ETALON_API bool etalon_pm4_snapshot_read_name(const struct etalon_pm4_snapshot *snapshot, const char *name,
                                              uint32_t *value);

/* ---- Memory ---- */

struct etalon_pm4_range {
    uint64_t address; /* dword aligned */
    uint64_t size;    /* bytes, a multiple of 4 */
    void *host;       /* dword aligned */
};

/* Ranges (not overlapping, any order; the array is copied) or, when `translate` is set, a callback. */
struct etalon_pm4_memory {
    const struct etalon_pm4_range *ranges;
    size_t range_count;
    /* Host pointer of a dword-aligned address, *bytes set to how many bytes (>= 4) follow contiguously; NULL:
     * unmapped. */
    void *(*translate)(void *user, uint64_t address, bool write, uint64_t *bytes);
    /* Told of each run of bytes the processor has written; may be NULL. */
    void (*written)(void *user, uint64_t address, uint64_t bytes);
    void *user;
};

/* ---- Events that the processor reports ---- */

enum etalon_pm4_draw_kind { ETALON_PM4_DRAW_AUTO, ETALON_PM4_DRAW_INDEXED, ETALON_PM4_DRAW_MESH };

/* No location: the register is not to be written. */
#define ETALON_PM4_NO_LOCATION UINT32_MAX

struct etalon_pm4_draw {
    uint32_t queue;
    enum etalon_pm4_draw_kind kind;
    uint64_t packet;         /* running number of the packet in its queue */
    uint32_t count;          /* vertices or indices */
    uint32_t instances;      /* of indirect draws as read, which may be 0 */
    uint32_t first_vertex;   /* auto */
    uint32_t first_instance; /* indirect draws */
    int32_t base_vertex;     /* indexed indirect draws */
    uint64_t address;        /* of the first index */
    uint32_t index_type;     /* 0 16 bits, 1 32 bits, 2 8 bits */
    uint32_t max_indices; /* the index buffer's end; fetches past it give 0; 0 when unknown on the console */
    uint64_t object_ids;  /* address of the object id list, or 0 */
    uint32_t initiator;   /* VGT_DRAW_INITIATOR */
    uint32_t sub_draw;    /* number within a multi-draw */
    /* SH register offsets (graphics) that an indirect draw asks to be loaded with its arguments. */
    uint32_t vertex_location, instance_location, index_location, sub_draw_location;
    uint32_t groups[3]; /* mesh */
};

struct etalon_pm4_dispatch {
    uint32_t queue;
    uint64_t packet;
    uint32_t groups[3];  /* thread groups (threads when bit 5 of the initiator is set) */
    uint32_t initiator;  /* COMPUTE_DISPATCH_INITIATOR */
    uint32_t ring_entry; /* task shader forms: the SH offset of the ring entry, else ETALON_PM4_NO_LOCATION */
    uint64_t control;    /* task shader forms: control buffer set by DISPATCH_TASK_STATE_INIT */
};

struct etalon_pm4_flip {
    uint32_t handle;
    int32_t index;
    uint32_t mode;
    int64_t argument;
};

struct etalon_pm4_event {
    uint32_t queue;
    uint32_t type;    /* VGT event number, 0..63 */
    uint32_t index;   /* event class, 0..15 */
    uint64_t address; /* of the long form, else 0 */
};

/* Any may be NULL. Called while the packet executes; the snapshot is the caller's for the call only (see
 * _keep). */
struct etalon_pm4_hooks {
    void *user;
    void (*draw)(void *user, const struct etalon_pm4_draw *draw, struct etalon_pm4_snapshot *state);
    void (*dispatch)(void *user, const struct etalon_pm4_dispatch *dispatch,
                     struct etalon_pm4_snapshot *state);
    void (*flip)(void *user, uint32_t queue, const struct etalon_pm4_flip *flip,
                 struct etalon_pm4_snapshot *state);
    void (*interrupt)(void *user, uint32_t queue, uint32_t context_id, struct etalon_pm4_snapshot *state);
    void (*event)(void *user, const struct etalon_pm4_event *event, struct etalon_pm4_snapshot *state);
    void (*registers)(void *user, uint32_t queue, enum etalon_pm4_space space, uint32_t first,
                      const uint32_t *values, uint32_t count);
    /* True when the display buffer may be drawn to; false blocks the queue until a retry says so. NULL:
     * always. */
    bool (*flip_done)(void *user, uint32_t handle, uint32_t index);
    /* A flip preparation (etalon_pm4_submit_flip) came to its turn. */
    void (*flip_prepare)(void *user, uint64_t request);
    /* A submission completed; `interrupt`: its top level held no release that raises one (P37). */
    void (*complete)(void *user, uint32_t queue, uint64_t submission, bool interrupt);
    /* The GPU's clock; NULL: a counter that advances by one at each reading, so runs repeat exactly. */
    uint64_t (*clock)(void *user);
};

/* ---- The processor ---- */

struct etalon_pm4_config {
    enum etalon_pm4_profile profile;
    struct etalon_pm4_memory memory;
    struct etalon_pm4_hooks hooks;
    uint32_t max_depth;     /* live buffers a stream; 0: 8 */
    uint64_t packet_budget; /* packets a slice may execute without ending or blocking (P15); 0: 1 << 20 */
    bool privileged;        /* hardware: type 0 packets and SET_CONFIG_REG write registers */
    uint32_t poll_us;       /* the GPU thread's wait when every queue is blocked (P28); 0: 100 */
    uint32_t drain_ms;      /* how long a shutdown retries blocked queues before it gives up; 0: 1000 */
};

struct etalon_pm4;

/* NULL when the configuration is invalid or memory runs out; `error` says which. The configuration is copied.
 */
ETALON_API struct etalon_pm4 *etalon_pm4_create(const struct etalon_pm4_config *config,
                                                struct etalon_error *error);
/* Stops the thread (without draining), drops what is queued. NULL is allowed; not from a hook or command. */
ETALON_API void etalon_pm4_destroy(struct etalon_pm4 *pm4);

/* Streams are borrowed: they must stay until the submission completes, and a change before execution is seen
 * (P4..P6). Zero draw dwords: nothing is recorded. ETALON_INVALID: null with a nonzero size, or after
 * shutdown began. */
ETALON_API enum etalon_status etalon_pm4_submit(struct etalon_pm4 *pm4, const uint32_t *draw,
                                                uint32_t draw_dwords, const uint32_t *constant,
                                                uint32_t constant_dwords, struct etalon_error *error);
/* Queue 1..56; null or zero size is ETALON_INVALID, as is any other queue (InvalidQueue). Queue 0 takes the
 * stream as a draw stream. A five-dword descriptor {lo, hi, dwords, 0, 0x5533CCAA} stands for the stream it
 * points at (P7). */
ETALON_API enum etalon_status etalon_pm4_submit_compute(struct etalon_pm4 *pm4, uint32_t queue,
                                                        const uint32_t *words, uint32_t dwords,
                                                        struct etalon_error *error);
/* The queue of a driver's handle: 0x20 + (0..55) is compute 1..56; `generic` sends any other to graphics,
 * else it is ETALON_PM4_NO_QUEUE (P2). */
ETALON_API uint32_t etalon_pm4_queue_of_handle(uint32_t handle, bool generic);
/* Kinds of submission on queue 0 that keep their order with graphics: a flip preparation (P38), and a suspend
 * point, at which the graphics processor is reset (P29). */
ETALON_API enum etalon_status etalon_pm4_submit_flip(struct etalon_pm4 *pm4, uint64_t request,
                                                     struct etalon_error *error);
ETALON_API enum etalon_status etalon_pm4_suspend_point(struct etalon_pm4 *pm4, struct etalon_error *error);

enum etalon_pm4_stream { ETALON_PM4_STREAM_DRAW, ETALON_PM4_STREAM_CONSTANT };

/* Where a packet stands: stream, live buffers, and dword offset within the innermost. */
struct etalon_pm4_place {
    uint32_t queue;
    enum etalon_pm4_stream stream;
    uint32_t depth;
    uint32_t offset;
    uint64_t buffer; /* GPU address of the buffer, 0 for a submitted stream */
    uint32_t header;
};

enum etalon_pm4_wait_kind {
    ETALON_PM4_WAIT_NONE,
    ETALON_PM4_WAIT_MEMORY,     /* address, function, reference, mask, seen */
    ETALON_PM4_WAIT_REGISTER,   /* address is the absolute register number */
    ETALON_PM4_WAIT_REWIND,     /* bit 31 of the packet's own word */
    ETALON_PM4_WAIT_VALID,      /* the valid bit of an indirect buffer packet */
    ETALON_PM4_WAIT_CE_COUNTER, /* seen is the CE counter, reference the DE counter */
    ETALON_PM4_WAIT_DE_COUNTER, /* seen is CE - DE, reference the difference */
    ETALON_PM4_WAIT_PREDICATE,  /* occlusion results not written yet */
    ETALON_PM4_WAIT_SEMAPHORE,  /* address */
    ETALON_PM4_WAIT_ATOMIC,     /* a looping compare-and-swap at address */
    ETALON_PM4_WAIT_FLIP        /* address is handle << 32 | index */
};

/* "memory", "register" ...; "unknown" outside. Never NULL. */
ETALON_API const char *etalon_pm4_wait_name(enum etalon_pm4_wait_kind kind);

struct etalon_pm4_wait {
    struct etalon_pm4_place at;
    enum etalon_pm4_wait_kind kind;
    unsigned function; /* 0 always 1 < 2 <= 3 == 4 != 5 >= 6 > */
    uint64_t address, reference, mask, seen;
    uint32_t
        writer; /* the blocked queue whose unexecuted packets write the address, else ETALON_PM4_NO_QUEUE */
};

enum etalon_pm4_result { ETALON_PM4_IDLE, ETALON_PM4_BLOCKED, ETALON_PM4_FAULTED };

/* What a run ended with. */
struct etalon_pm4_report {
    enum etalon_pm4_result result;
    uint32_t waits; /* blocked queues, each with its wait (a graphics queue's draw stream if that is not
                       complete) */
    struct etalon_pm4_wait wait[ETALON_PM4_QUEUES];
    uint32_t cycle; /* queues of a cycle of waits, in order, each waiting for the next; 0: none was found */
    uint32_t cycle_queue[ETALON_PM4_QUEUES];
    enum etalon_pm4_fault fault; /* of a faulted run */
    struct etalon_pm4_place fault_at;
    struct etalon_error error;
};

/* Runs slices until nothing can move (P25..P28) or a packet faults. A faulted queue halts, with what it had
 * recorded and written, until it is reset; a further run goes on with the others. Without a GPU thread only.
 * `report` may be NULL. */
ETALON_API enum etalon_pm4_result etalon_pm4_run(struct etalon_pm4 *pm4, struct etalon_pm4_report *report);
/* Runs one slice of the next queue that can be tried; *queue is that queue, or ETALON_PM4_NO_QUEUE. Its
 * result: idle (the submission completed, or there was nothing to try), blocked or faulted. */
ETALON_API enum etalon_pm4_result etalon_pm4_step(struct etalon_pm4 *pm4, uint32_t *queue,
                                                  struct etalon_pm4_report *report);

struct etalon_pm4_queue_info {
    bool used; /* a submission has reached it */
    bool blocked, faulted;
    uint64_t submitted, completed; /* submissions */
    uint64_t packets;              /* executed */
    uint64_t ce_counter, de_counter;
    bool predicate_skips;
    uint32_t index_type, index_buffer_size, num_instances;
    uint64_t index_base, draw_base, dispatch_base;
};

/* State and registers of a queue as of now; ETALON_INVALID for a queue past 56. `state` (may be NULL)
 * receives a snapshot that the caller releases, NULL for a queue not used yet. */
ETALON_API enum etalon_status etalon_pm4_query(struct etalon_pm4 *pm4, uint32_t queue,
                                               struct etalon_pm4_queue_info *info,
                                               struct etalon_pm4_snapshot **state);
/* Drops a queue's submissions and returns all of its state to the start. */
ETALON_API enum etalon_status etalon_pm4_reset(struct etalon_pm4 *pm4, uint32_t queue);

/* ---- The GPU thread ---- */

/* Starts the thread that runs the processor from now on. */
ETALON_API enum etalon_status etalon_pm4_thread_start(struct etalon_pm4 *pm4, struct etalon_error *error);
/* Runs `command` on the GPU thread: at once when called there, else queued in order; pending ones are also
 * taken between packets, so that none waits for a whole stream (P31, P32). ETALON_INVALID: no thread, no
 * command, or shutting down. */
ETALON_API enum etalon_status etalon_pm4_send(struct etalon_pm4 *pm4, void (*command)(void *user),
                                              void *user);
/* The same, returning once it has run. */
ETALON_API enum etalon_status etalon_pm4_send_sync(struct etalon_pm4 *pm4, void (*command)(void *user),
                                                   void *user);
/* True on the GPU thread of this processor. */
ETALON_API bool etalon_pm4_on_thread(const struct etalon_pm4 *pm4);
/* Waits until all is executed, at most timeout_ms (0: as long as it takes): ETALON_OK; ETALON_DEADLOCK when
 * time ran out with queues blocked; ETALON_CANCELLED on the GPU thread itself, which cannot wait. A fault is
 * returned as its status. `report` (may be NULL) as of etalon_pm4_run. */
ETALON_API enum etalon_status etalon_pm4_wait_idle(struct etalon_pm4 *pm4, uint32_t timeout_ms,
                                                   struct etalon_pm4_report *report);
/* Waits for idle (unless on the GPU thread), marks graphics done and counts a frame (P29). As
 * etalon_pm4_wait_idle. */
ETALON_API enum etalon_status etalon_pm4_done(struct etalon_pm4 *pm4, uint32_t timeout_ms);
ETALON_API uint64_t etalon_pm4_frames(struct etalon_pm4 *pm4);
/* Stops accepting, drains commands and submissions, joins the thread (P30). Queues that stay blocked for
 * drain_ms are abandoned: ETALON_DEADLOCK. Works without a thread too. */
ETALON_API enum etalon_status etalon_pm4_shutdown(struct etalon_pm4 *pm4);

/* ---- Decoding ---- */

/* One line of text a call: a packet (field < 0 as indent 0), its fields and registers indented below it. */
typedef void etalon_pm4_line(void *user, uint32_t offset, unsigned indent, const char *text);

/* Decodes a stream for a queue (its engine names the fields): opcode, registers and fields by name. Stops at
 * the first word that cannot be decoded: ETALON_FORMAT or ETALON_TRUNCATED with the byte offset in `error`.
 * Counts what it met. */
struct etalon_pm4_decoded {
    uint32_t packets;
    uint32_t unknown_opcodes;
    uint32_t unknown_registers; /* writes of registers without a name */
};
ETALON_API enum etalon_status etalon_pm4_decode(const uint32_t *words, uint32_t dwords, uint32_t queue,
                                                bool constant, etalon_pm4_line *line, void *user,
                                                struct etalon_pm4_decoded *decoded,
                                                struct etalon_error *error);

#ifdef __cplusplus
}
#endif
#endif
