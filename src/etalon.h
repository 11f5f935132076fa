/* Etalon: a GPU made of software. The public API.
 *
 * A device is one chip over one RAM. Address spaces map ranges of RAM; channels execute pushbuffers in an
 * address space. etalon_run executes what is queued, on the calling thread and OpenMP threads of its own, and
 * leaves RAM as silicon would. Devices are independent: different threads may use different devices at once.
 * Within a device only etalon_cancel may be called from another thread or from a callback. Nothing here
 * prints, aborts or exits.
 *
 * Units: addresses, sizes and offsets are bytes unless said otherwise. A page is 4096 bytes.
 */
#ifndef ETALON_H
#define ETALON_H

#include "etalon-error.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* "0.1.0" */
ETALON_API const char *etalon_version(void);

/* ---- Chips ---- */

struct etalon_chip {
    const char *name;     /* "gm20b", "gm204", "ga102", "t239" */
    const char *title;    /* for people */
    const char *doubtful; /* cells of the row that no source states, or NULL */
    uint16_t channel_class, threed_class, compute_class, copy_class, twod_class, inline_class;
    unsigned address_bits;
};

/* Row `index` of the chips into *chip; 1, or 0 when there is none. Its texts stay. */
ETALON_API int etalon_chip_get(unsigned index, struct etalon_chip *chip);

/* ---- Devices ---- */

struct etalon_device;
struct etalon_space;
struct etalon_channel;

enum etalon_trigger_kind {
    ETALON_DRAW,
    ETALON_CLEAR,
    ETALON_DISPATCH,
    ETALON_COPY,
    ETALON_BLIT,
    ETALON_FILL,
    ETALON_INLINE,
    ETALON_CONSTANTS,
    ETALON_REPORT
};

/* Something that the GPU does, frozen. Valid during the callback only. */
struct etalon_trigger {
    uint64_t event; /* its number; page stamps and etalon_changed use it */
    enum etalon_trigger_kind kind;
    uint32_t channel, subchannel;
    uint16_t klass, method; /* class, byte offset of the method that triggered */
    uint32_t value;
    uint64_t address;       /* of the word in the pushbuffer */
    uint64_t target, bytes; /* memory written by copies, inline data, constants, reports */
    uint32_t
        count[3]; /* draw: vertices or indices, instances, first; dispatch: grid; copy: length, lines, 0 */
    enum etalon_status status; /* in `done`: how it ended */
    const void *internal;
};

/* A register of the trigger's object as it was when it froze. method: byte offset below 0x4000. */
ETALON_API uint32_t etalon_trigger_register(const struct etalon_trigger *trigger, uint32_t method);

/* Any function may be NULL. They run on the thread that runs the device and must not enter it, etalon_cancel
 * and reads aside. */
struct etalon_callbacks {
    void *context;
    void (*trigger)(void *context, const struct etalon_trigger *trigger); /* before it acts */
    void (*done)(void *context, const struct etalon_trigger *trigger);    /* after it acted */
    void (*fault)(void *context, uint32_t channel, const struct etalon_error *error);
    void (*unmapped)(void *context, struct etalon_space *space, uint64_t va,
                     uint64_t size); /* after etalon_unmap */
};

/* Zero-initialised fields are defaults. */
struct etalon_options {
    const char *chip;    /* a chip's name; required */
    uint64_t ram_bytes;  /* required unless ram_host is large enough by itself: always its size */
    void *ram_host;      /* the caller's page-aligned memory; NULL: reserved by the device */
    int ram_fd_plus_one; /* a memfd + 1, mapped shared; 0: none */
    int ram_shared;      /* others store to RAM behind the device's back (see etalon_changed) */
    int threads;         /* OpenMP threads at most; 0: all */
    int strict;          /* subchannels have no class before their SET_OBJECT */
    int closed_world;    /* nobody else writes semaphores: all channels blocked is ETALON_DEADLOCK */
    int host_clock;      /* timestamps from the host's monotonic clock; else fixed (etalon_set_clock) */
    int timer_divide_256;
    uint64_t shader_instructions; /* budget of a warp; 0: default */
    struct etalon_callbacks callbacks;
};

/* A device with its RAM, zero unless it is the caller's. ETALON_INVALID (no such chip; RAM of no size, over
 * 2^40 bytes, or not in whole pages), ETALON_NO_MEMORY; *device is then NULL. */
ETALON_API enum etalon_status etalon_create(struct etalon_device **device,
                                            const struct etalon_options *options, struct etalon_error *error);
/* Its spaces and channels go with it. NULL is allowed. */
ETALON_API void etalon_destroy(struct etalon_device *device);
/* The RAM's first byte, and its size in *bytes unless that is NULL. */
ETALON_API void *etalon_ram(struct etalon_device *device, uint64_t *bytes);
/* The clock in nanoseconds, when it is fixed. */
ETALON_API void etalon_set_clock(struct etalon_device *device, uint64_t ns);

/* --- Address spaces
 * --------------------------------------------------------------------------------------------- */

enum { ETALON_MAP_READ_ONLY = 1 };

/* An address space with nothing in it, of the chip's width. ETALON_NO_MEMORY: *space is NULL. */
ETALON_API enum etalon_status etalon_space_create(struct etalon_device *device, struct etalon_space **space,
                                                  struct etalon_error *error);
/* Channels in it must be destroyed before. */
ETALON_API void etalon_space_destroy(struct etalon_space *space);
/* Maps RAM at ram_offset; replaces what was there. Whole pages. kind: the PTE kind, kept and shown.
 * ETALON_INVALID (not whole pages, or past the space), ETALON_BOUNDS (past the RAM), ETALON_NO_MEMORY:
 * nothing is changed. */
ETALON_API enum etalon_status etalon_map(struct etalon_space *space, uint64_t va, uint64_t size,
                                         uint64_t ram_offset, unsigned flags, uint32_t kind,
                                         struct etalon_error *error);
/* A range without memory: reads give zero, writes are dropped. Errors as etalon_map's. */
ETALON_API enum etalon_status etalon_map_sparse(struct etalon_space *space, uint64_t va, uint64_t size,
                                                struct etalon_error *error);
/* Takes a range out, whatever is there; then calls `unmapped`. Errors as etalon_map's. */
ETALON_API enum etalon_status etalon_unmap(struct etalon_space *space, uint64_t va, uint64_t size,
                                           struct etalon_error *error);

/* By GPU address, over any number of mappings. ETALON_UNMAPPED, ETALON_READ_ONLY: the error names the
 * address; what lay before it is done. Writes and copies are events of the CPU. */
ETALON_API enum etalon_status etalon_read(struct etalon_space *space, uint64_t va, void *to, uint64_t bytes,
                                          struct etalon_error *error);
ETALON_API enum etalon_status etalon_write(struct etalon_space *space, uint64_t va, const void *from,
                                           uint64_t bytes, struct etalon_error *error);
ETALON_API enum etalon_status etalon_copy(struct etalon_space *space, uint64_t to, uint64_t from,
                                          uint64_t bytes, struct etalon_error *error);

/* The number of the last event. */
ETALON_API uint64_t etalon_event(const struct etalon_device *device);
/* The first run of pages at or after *va, before end, that an event after `since` wrote: *va and *bytes.
 * Returns 0 when there is none. On shared RAM stores of others are found only after etalon_touched said where
 * they are. */
ETALON_API int etalon_changed(struct etalon_space *space, uint64_t *va, uint64_t end, uint64_t since,
                              uint64_t *bytes);
/* Others stored to RAM's pages offset..offset+bytes: an event of the CPU. ETALON_BOUNDS when they do not lie
 * in RAM.
 */
ETALON_API enum etalon_status etalon_touched(struct etalon_device *device, uint64_t offset, uint64_t bytes,
                                             struct etalon_error *error);

/* ---- Surfaces ---- */

/* One level and layer of an image in memory. */
struct etalon_surface {
    uint64_t address;
    uint32_t bytes_per_texel; /* 1 to 16 */
    uint32_t width, height,
        depth;      /* texels (elements: samples, where a pixel has several; blocks, where compressed) */
    uint32_t pitch; /* bytes a row; 0: block-linear */
    uint8_t block_height_log2, block_depth_log2; /* block-linear: 0 to 5 */
};

/* Reads depth * height rows of width texels, tightly packed, in order. ETALON_INVALID (fields outside their
 * ranges), ETALON_UNMAPPED: the rows before are there. */
ETALON_API enum etalon_status etalon_surface_read(struct etalon_space *space,
                                                  const struct etalon_surface *surface, void *to,
                                                  struct etalon_error *error);

/* A colour target (0 to 7) or the depth target (-1) of a draw: its surface and the register's format number.
 * Returns 0 when the trigger has none. */
ETALON_API int etalon_trigger_target(const struct etalon_trigger *trigger, int index,
                                     struct etalon_surface *surface, uint32_t *format);

/* ---- Execution ---- */

/* A channel with an empty queue, and no fault. number: the caller's, unique in the device (else
 * ETALON_INVALID). ETALON_NO_MEMORY. After an error *channel is NULL. */
ETALON_API enum etalon_status etalon_channel_create(struct etalon_space *space, uint32_t number,
                                                    struct etalon_channel **channel,
                                                    struct etalon_error *error);
/* What it has queued is not run. NULL is allowed. */
ETALON_API void etalon_channel_destroy(struct etalon_channel *channel);
/* Queues GPFIFO entries, as a driver writes them into its ring: two words, the first in the low half.
 * ETALON_TRAP, ETALON_UNSUPPORTED (control entries), ETALON_NO_MEMORY: the entries before are queued. */
ETALON_API enum etalon_status etalon_submit(struct etalon_channel *channel, const uint64_t *entries,
                                            size_t count, struct etalon_error *error);
/* Queues `dwords` words at va: one segment. ETALON_MISALIGNED (va is no multiple of 4), ETALON_NO_MEMORY. */
ETALON_API enum etalon_status etalon_push(struct etalon_channel *channel, uint64_t va, uint32_t dwords,
                                          struct etalon_error *error);
/* Forgets queued segments, a begun macro, a wait and a fault. Registers stay. */
ETALON_API void etalon_channel_reset(struct etalon_channel *channel);

enum etalon_state { ETALON_IDLE, ETALON_BLOCKED, ETALON_FAULT };

struct etalon_run {
    enum etalon_state state;
    uint32_t channel;               /* blocked: the first that is; fault: the one at fault */
    uint64_t address, wanted, seen; /* blocked: what it waits for */
};

/* Runs all channels until none can go on. ETALON_OK: idle or blocked; ETALON_DEADLOCK: blocked in a closed
 * world; ETALON_CANCELLED: another run goes on, though a draw, dispatch or copy that was cut short may be
 * partly done; else a channel's fault, with its place in `error`: that channel runs no more until
 * etalon_channel_reset, the others do. *run (may be NULL) tells the state. */
ETALON_API enum etalon_status etalon_run(struct etalon_device *device, struct etalon_run *run,
                                         struct etalon_error *error);
/* Makes the run in progress (or the next) end in ETALON_CANCELLED: at its next word or draw, within 4,096
 * instructions of a macro, 256 lines of a copy or a shader's next yield. From any thread. */
ETALON_API void etalon_cancel(struct etalon_device *device);

/* ---- Text ---- */

enum etalon_isa_kind { ETALON_MAXWELL, ETALON_AMPERE };

/* An instruction set made ready; immutable, so threads may share it. */
struct etalon_isa;
/* ETALON_INVALID (no such kind), ETALON_NO_MEMORY: *isa is NULL. */
ETALON_API enum etalon_status etalon_isa_open(struct etalon_isa **isa, enum etalon_isa_kind kind,
                                              struct etalon_error *error);
ETALON_API void etalon_isa_close(struct etalon_isa *isa);
/* Bytes of one instruction: 8 (Maxwell; every fourth word is a scheduling word) or 16 (Ampere). */
ETALON_API unsigned etalon_isa_bytes(const struct etalon_isa *isa);
/* The instruction at byte offset pc of code[0..bytes) in NVIDIA's syntax, always terminated. A Maxwell
 * scheduling word gives an empty text. ETALON_ILLEGAL_INSTRUCTION, ETALON_TRUNCATED, ETALON_MISALIGNED (pc):
 * the error holds pc. */
ETALON_API enum etalon_status etalon_disassemble(const struct etalon_isa *isa, const void *code, size_t bytes,
                                                 size_t pc, char *text, size_t text_size,
                                                 struct etalon_error *error);
/* One instruction's bits (two words on Ampere, one on Maxwell) from such a text, at byte offset pc.
 * ETALON_FORMAT says which part of the text fits no form. */
ETALON_API enum etalon_status etalon_assemble(const struct etalon_isa *isa, const char *text, size_t pc,
                                              uint64_t word[2], struct etalon_error *error);

#ifdef __cplusplus
}
#endif
#endif
