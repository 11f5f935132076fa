/* The processor's own structures: memory, register files, cursors, queues. */
#ifndef ET_PM4_PROCESSOR_H
#define ET_PM4_PROCESSOR_H

#include "pm4/tables.h"

#include "base/alloc.h"
#include "base/bits.h"
#include "base/error.h"

#include <pthread.h>

/* ---- memory.c: the caller's memory ---- */

struct et_pm4_memory {
    struct etalon_pm4_range *ranges; /* sorted by address */
    size_t range_count;
    void *(*translate)(void *user, uint64_t address, bool write, uint64_t *bytes);
    void (*written)(void *user, uint64_t address, uint64_t bytes);
    void *user;
};

/* False with `error` filled: overlapping or misaligned ranges, or no memory. */
bool et_pm4_memory_init(struct et_pm4_memory *memory, const struct etalon_pm4_memory *from,
                        struct etalon_error *error);
void et_pm4_memory_free(struct et_pm4_memory *memory);
/* Host pointer of a dword-aligned address and the contiguous bytes behind it; NULL when unmapped. */
uint32_t *et_pm4_map(const struct et_pm4_memory *memory, uint64_t address, bool write, uint64_t *bytes);
/* Whether all bytes are mapped; a zero size always is. */
bool et_pm4_mapped(const struct et_pm4_memory *memory, uint64_t address, uint64_t size, bool write);
/* Copies out of and into memory, at any alignment; false, with nothing done, when a byte is unmapped. */
bool et_pm4_read(const struct et_pm4_memory *memory, uint64_t address, void *to, uint64_t size);
bool et_pm4_write(const struct et_pm4_memory *memory, uint64_t address, const void *from, uint64_t size);
/* A whole value of 4 or 8 bytes, in one access where the host pointer allows. */
bool et_pm4_load(const struct et_pm4_memory *memory, uint64_t address, unsigned bytes, uint64_t *value);
bool et_pm4_store(const struct et_pm4_memory *memory, uint64_t address, unsigned bytes, uint64_t value);
/* Stores `value` if memory still holds *expected (updated if not); *stored tells. False when unmapped. */
bool et_pm4_swap(const struct et_pm4_memory *memory, uint64_t address, unsigned bytes, uint64_t *expected,
                 uint64_t value, bool *stored);

/* ---- registers.c: a queue's register files ---- */

enum {
    ET_PM4_FILE = 0x5400, /* context, SH, uconfig, config, in this order */
    ET_PM4_BLOCK = 64,    /* registers frozen together */
    ET_PM4_BLOCKS = ET_PM4_FILE / ET_PM4_BLOCK
};

/* Where a space begins in the file. */
static inline uint32_t et_pm4_file_base(enum etalon_pm4_space space)
{
    static const uint32_t base[ETALON_PM4_SPACES] = {0, 0x400, 0x800, 0x4800};
    return base[space];
}

struct et_pm4_registers {
    uint32_t value[ET_PM4_FILE];
    uint64_t written[ET_PM4_BLOCKS];
    uint64_t dirty[(ET_PM4_BLOCKS + 63) / 64]; /* blocks that differ from `frozen` */
    struct etalon_pm4_snapshot *frozen;
};

static inline void et_pm4_set_run(struct et_pm4_registers *file, uint32_t at, const uint32_t *values,
                                  uint32_t count)
{
    if (count == 1) {
        file->value[at] = *values;
        file->written[at / ET_PM4_BLOCK] |= UINT64_C(1) << (at % ET_PM4_BLOCK);
        file->dirty[at / ET_PM4_BLOCK >> 6] |= UINT64_C(1) << (at / ET_PM4_BLOCK & 63);
        return;
    }
    while (count) {
        const uint32_t block = at / ET_PM4_BLOCK, low = at % ET_PM4_BLOCK,
                       part = ET_MIN(count, ET_PM4_BLOCK - low);
        for (uint32_t i = 0; i < part; i++)
            file->value[at + i] = values[i];
        file->written[block] |= (~UINT64_C(0) >> (ET_PM4_BLOCK - part)) << low;
        file->dirty[block >> 6] |= UINT64_C(1) << (block & 63);
        at += part;
        values += part;
        count -= part;
    }
}

/* Returns a space to never written. */
void et_pm4_clear_space(struct et_pm4_registers *file, enum etalon_pm4_space space);
/* The context registers as they stand; et_pm4_restore_context puts them back. NULL: no memory. */
struct et_pm4_context *et_pm4_save_context(const struct et_pm4_registers *file);
void et_pm4_restore_context(struct et_pm4_registers *file, const struct et_pm4_context *context);
/* A reference to the registers as of now; NULL: no memory. */
struct etalon_pm4_snapshot *et_pm4_freeze(struct et_pm4_registers *file);

/* ---- queues ---- */

enum { ET_PM4_CONST_RAM = 0xC000, ET_PM4_GDS = 0x10000, ET_PM4_PENDING_CE = 16 };

struct et_pm4_cursor {
    const uint32_t *host; /* NULL: read a packet at a time through the memory map */
    uint64_t address;     /* 0 for a submitted stream */
    uint32_t size, offset;
};

struct et_pm4_execution {
    struct et_pm4_cursor stack[ETALON_PM4_MAX_DEPTH];
    uint32_t depth;
    bool complete, progress;
    struct etalon_pm4_wait wait; /* of a blocked stream */
};

enum et_pm4_submission_kind { ET_PM4_STREAMS, ET_PM4_FLIP, ET_PM4_SUSPEND_POINT };

struct et_pm4_submission {
    struct et_pm4_submission *next;
    enum et_pm4_submission_kind kind;
    const uint32_t *words[2];
    uint32_t dwords[2];
    uint64_t address[2]; /* of a stream found through a descriptor */
    struct et_pm4_execution execution[2];
    bool started, interrupt;
    uint64_t id, flip_request;
    uint64_t slices; /* that moved */
};

struct et_pm4_queue {
    struct et_pm4_registers *registers; /* made at the first submission (P3) */
    struct et_pm4_context *saved;       /* pushed context, or NULL */
    uint8_t *const_ram;                 /* made at the first use */
    uint32_t index_type, index_buffer_size, num_instances;
    uint64_t index_base, draw_base, dispatch_base;
    uint64_t base[16]; /* SET_BASE, by index */
    bool predicate_skip;
    uint64_t ce, de, cs;
    struct etalon_pm4_flip flip;
    uint64_t atomic_return, gds_return[2], task_control;
    uint32_t streamout[4];
    struct {
        uint64_t address;
        uint32_t size;
    } pending_ce[ET_PM4_PENDING_CE];
    uint32_t pending_ce_count;
    uint64_t packets, submitted, completed;
    bool blocked, faulted, running, reset_asked;
    struct et_pm4_submission *front, **tail;
    enum etalon_pm4_fault fault;
    struct etalon_pm4_place fault_at;
    struct etalon_error error;
};

struct et_pm4_command {
    struct et_pm4_command *next;
    void (*run)(void *user);
    void *user;
    bool *done; /* of a synchronous command */
};

struct etalon_pm4 {
    enum etalon_pm4_profile profile;
    struct et_pm4_memory memory;
    struct etalon_pm4_hooks hooks;
    uint32_t max_depth, poll_us, drain_ms;
    uint64_t packet_budget, ticks;
    bool privileged;
    struct et_pm4_queue queue[ETALON_PM4_QUEUES];
    uint32_t last;     /* queue picked last */
    uint32_t *scratch; /* a packet gathered from memory that is not contiguous */
    uint8_t *gds;      /* made at the first use */

    pthread_mutex_t lock; /* guards what follows, and the submission lists with `blocked` and `faulted` */
    pthread_cond_t work, idle;
    bool accepting, stopping, abandon, processing;
    bool threaded; /* set once, before the thread can be heard of */
    bool alive, joined;
    uint32_t commands_pending; /* atomic, so that a slice can look without the lock */
    struct et_pm4_command *commands, **commands_tail;
    uint64_t submissions; /* queued, with those of faulted queues */
    uint64_t next_id, frames;
    uint64_t advanced; /* counts slices that moved, submissions and commands: nothing moved while it stands */
    pthread_t thread;
};

/* ---- engine.c: one slice ---- */

/* What a handler works on. */
struct et_pm4_run {
    struct etalon_pm4 *pm4;
    struct et_pm4_queue *queue;
    struct et_pm4_submission *submission;
    struct et_pm4_execution *execution;
    uint32_t queue_id;
    enum etalon_pm4_stream stream;
    uint64_t cost;      /* what a packet's inner loops take off the slice's budget, in packets */
    uint32_t remaining; /* dwords from the packet's header to the end of its buffer */
    bool console;
    /* A buffer to enter after the packet: by call, or in the current one's place. */
    enum { ET_PM4_STAY, ET_PM4_CALL, ET_PM4_CHAIN } transfer;
    uint64_t target;
    uint32_t target_size;
    enum etalon_pm4_fault fault;
    char reason[160];
};

/* Body dwords consumed, or one of these. */
#define ET_PM4_BLOCK_HERE UINT32_MAX
#define ET_PM4_FAULT_HERE (UINT32_MAX - 1)

typedef uint32_t et_pm4_handler(struct et_pm4_run *run, uint32_t header, const uint32_t *body,
                                uint32_t count);

enum et_pm4_lengths { ET_PM4_ANY_OF, ET_PM4_AT_LEAST };

/* A row of the opcode or sub-operation table: length rules count the whole packet in dwords. */
struct et_pm4_op {
    const char *name;
    et_pm4_handler *console, *hardware; /* NULL: rejected in that profile */
    uint32_t exact[2];                  /* console: the only headers allowed (bit 0 clear), when not 0 */
    uint8_t console_rule, hardware_rule;
    uint16_t console_length[2], hardware_length[2];
};
extern const struct et_pm4_op *const et_pm4_ops[256];
extern const struct et_pm4_op *const et_pm4_sub_ops[64];

/* Records the fault and its reason; returns ET_PM4_FAULT_HERE. */
uint32_t et_pm4_fail(struct et_pm4_run *run, enum etalon_pm4_fault fault, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Records what the packet waits for; returns ET_PM4_BLOCK_HERE. */
uint32_t et_pm4_block(struct et_pm4_run *run, enum etalon_pm4_wait_kind kind, uint64_t address,
                      uint64_t reference, uint64_t mask, unsigned function, uint64_t seen);

enum et_pm4_slice { ET_PM4_COMPLETE, ET_PM4_BLOCKED_SLICE, ET_PM4_FAULTED_SLICE, ET_PM4_RESET_SLICE };
/* One slice of a queue's front submission. *progress: whether a packet was completed. */
enum et_pm4_slice et_pm4_slice(struct etalon_pm4 *pm4, uint32_t queue, struct et_pm4_submission *submission,
                               bool *progress);
/* Whether a top-level stream holds a release that raises an interrupt (P37). */
bool et_pm4_has_interrupt(const uint32_t *words, uint32_t dwords);
/* (value & mask) against reference (P33); function 0..6. */
bool et_pm4_compare(unsigned function, uint64_t value, uint64_t mask, uint64_t reference);

/* ---- helpers of the handlers ---- */

static inline uint64_t et_pm4_address(uint32_t lo, uint32_t hi)
{
    return (uint64_t)hi << 32 | lo;
}

/* A snapshot for a hook; NULL, with the fault recorded, when memory runs out. */
struct etalon_pm4_snapshot *et_pm4_run_freeze(struct et_pm4_run *run);
uint64_t et_pm4_clock(struct etalon_pm4 *pm4);
/* The constant RAM (48 KiB) and the global data share (64 KiB); NULL, with the fault recorded, without
 * memory. */
uint8_t *et_pm4_const_ram(struct et_pm4_run *run);
uint8_t *et_pm4_gds(struct et_pm4_run *run);
/* A piece of the global data share; NULL with the fault recorded. */
uint8_t *et_pm4_gds_range(struct et_pm4_run *run, uint64_t offset, uint64_t bytes);
/* Records an unsupported selector; returns ET_PM4_FAULT_HERE. */
uint32_t et_pm4_unsupported(struct et_pm4_run *run, const char *which, uint32_t selector);
/* Registers by absolute dword number: false when it is in no space. */
bool et_pm4_locate(uint32_t number, enum etalon_pm4_space *space, uint32_t *offset);
/* Writes registers with their effects and hook; the range must lie within the space. */
void et_pm4_write_registers(struct et_pm4_run *run, enum etalon_pm4_space space, uint32_t offset,
                            const uint32_t *values, uint32_t count);
uint32_t et_pm4_read_register(const struct et_pm4_run *run, enum etalon_pm4_space space, uint32_t offset);
/* CLEAR_STATE and the context-state operation: 0 clear, 1 push, 2 pop, 3 push and clear (P40). 0 or
 * ET_PM4_FAULT_HERE. */
uint32_t et_pm4_context_operation(struct et_pm4_run *run, uint32_t operation);
/* The queue's state of NOP 0x09 (all = false) or of the API's reset. */
void et_pm4_reset_state(struct et_pm4_queue *queue, bool all);
uint32_t et_pm4_memory_fault(struct et_pm4_run *run, uint64_t address, const char *what);
/* Raises an interrupt through the hook; 0 or ET_PM4_FAULT_HERE. */
uint32_t et_pm4_interrupt(struct et_pm4_run *run, uint32_t context_id);

/* ---- scheduler.c ---- */

/* Takes queued commands; called between packets by the thread that processes. */
void et_pm4_take_commands(struct etalon_pm4 *pm4);
/* Runs a command where queue state may be touched: on the GPU thread while it lives, else here. */
enum etalon_status et_pm4_run_there(struct etalon_pm4 *pm4, void (*command)(void *user), void *user);
/* Fills the waits and looks for a cycle; needs the lock. */
void et_pm4_report_waits(struct etalon_pm4 *pm4, struct etalon_pm4_report *report);
/* The queue, other than `except`, whose unexecuted packets write [address, address + bytes); see deadlock.c.
 */
uint32_t et_pm4_find_writer(const struct etalon_pm4 *pm4, uint64_t address, uint32_t bytes, uint32_t except);

/* The next queue to try, after the last one; ETALON_PM4_NO_QUEUE: none. Needs the lock. */
uint32_t et_pm4_pick(const struct etalon_pm4 *pm4);
/* Lets every blocked front be tried again; true when there was one. Needs the lock. */
bool et_pm4_retry(struct etalon_pm4 *pm4);
/* Runs a slice of `queue` and settles its result. Called without the lock. *progress as of et_pm4_slice. */
enum et_pm4_slice et_pm4_process(struct etalon_pm4 *pm4, uint32_t queue, bool *progress);
/* Any queue that faulted and still holds its submission; ETALON_PM4_NO_QUEUE: none. Needs the lock. */
uint32_t et_pm4_faulted(const struct etalon_pm4 *pm4);
void et_pm4_report_fault(const struct etalon_pm4 *pm4, uint32_t queue, struct etalon_pm4_report *report);

#endif
