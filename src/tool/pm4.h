/* `etalon pm4`: what its files share. */
#ifndef ET_TOOL_PM4_H
#define ET_TOOL_PM4_H

#include "etalon-pm4.h"

#include <stdio.h>

struct cJSON;

enum { ET_PM4_EQUAL = 0, ET_PM4_DIFFERENT = 1, ET_PM4_UNUSABLE = 2 };

/* Text of what was found; `text` is one line. */
struct et_pm4_verdict {
    int code; /* equal, different, unusable */
    char text[512];
};
int et_pm4_say(struct et_pm4_verdict *verdict, int code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* A file's bytes, unpacked if it is zstd, with a terminator behind; NULL with the verdict filled. Free with
 * et_free. */
char *et_pm4_read_file(const char *path, size_t *size, struct et_pm4_verdict *verdict);

/* ---- pm4_record.c: guest memory, recorded work ---- */

struct et_pm4_extent {
    uint64_t address;
    uint64_t dwords;
    uint32_t *words;
};

/* Extents sorted by address and disjoint; or, with `zero`, all of the address space reading as zero. */
struct et_pm4_guest {
    struct et_pm4_extent *extent;
    size_t count;
    bool zero;
    uint64_t pages; /* of zeroed memory made so far */
};
/* The memory's hooks for a processor; valid while the guest lives. */
struct etalon_pm4_memory et_pm4_guest_memory(struct et_pm4_guest *guest);
/* Adds [{address, words}]; overlapping entries join, the later one's words stand. False: unusable, verdict
 * filled. */
bool et_pm4_guest_add(struct et_pm4_guest *guest, const struct cJSON *entries,
                      struct et_pm4_verdict *verdict);
/* Writes such entries into memory that is mapped. */
bool et_pm4_guest_write(struct et_pm4_guest *guest, const struct cJSON *entries,
                        struct et_pm4_verdict *verdict);
/* The host word of an address, NULL when it is not mapped. */
uint32_t *et_pm4_guest_word(struct et_pm4_guest *guest, uint64_t address);
void et_pm4_guest_free(struct et_pm4_guest *guest);

enum et_pm4_work_kind {
    ET_PM4_WORK_DRAW,
    ET_PM4_WORK_DISPATCH,
    ET_PM4_WORK_EVENT,
    ET_PM4_WORK_INTERRUPT,
    ET_PM4_WORK_FLIP,
    ET_PM4_WORK_KINDS
};

struct et_pm4_work {
    uint32_t queue;
    union {
        struct etalon_pm4_draw draw;
        struct etalon_pm4_dispatch dispatch;
        struct etalon_pm4_event event;
        uint32_t context_id;
        struct etalon_pm4_flip flip;
    } as;
};

struct et_pm4_recording {
    struct et_pm4_work *list[ET_PM4_WORK_KINDS];
    size_t count[ET_PM4_WORK_KINDS], capacity[ET_PM4_WORK_KINDS];
    bool out_of_memory;
    /* When not NULL, told of each item as it happens, with the registers at it. */
    void (*seen)(void *user, enum et_pm4_work_kind kind, const struct et_pm4_work *work,
                 struct etalon_pm4_snapshot *state);
    void *user;
};
struct etalon_pm4_hooks et_pm4_recording_hooks(struct et_pm4_recording *recording);
void et_pm4_recording_free(struct et_pm4_recording *recording);

/* ---- pm4_json.c: reading values ---- */

/* A dword list of hex texts or numbers; NULL with the verdict filled (also *dwords 0 without a list). */
uint32_t *et_pm4_words(const struct cJSON *list, uint32_t *dwords, struct et_pm4_verdict *verdict);
/* A number, or a hex or decimal text; `bare_hex` reads a text without 0x as hexadecimal. */
bool et_pm4_number(const struct cJSON *item, bool bare_hex, uint64_t *value);

/* ---- checks ---- */

/* One stream case, a list of them, a collection of real streams, or builder vectors. *cases counts what was
 * held. */
void et_pm4_check(const char *text, unsigned *cases, struct et_pm4_verdict *verdict);
void et_pm4_check_case(const struct cJSON *root, struct et_pm4_verdict *verdict);
void et_pm4_check_real(const struct cJSON *stream, struct et_pm4_verdict *verdict);
void et_pm4_check_vector(const struct cJSON *vector, struct et_pm4_verdict *verdict);
/* Compares recorded work with expectations: {draws, dispatches, ...}; queue ETALON_PM4_NO_QUEUE: of all, in
 * order. */
bool et_pm4_compare_work(const struct et_pm4_recording *recording, enum et_pm4_work_kind kind,
                         const struct cJSON *expected, uint32_t queue, struct et_pm4_verdict *verdict);
/* Compares the written registers of a queue with {space: {offset: value}}. */
bool et_pm4_compare_registers(struct etalon_pm4 *pm4, uint32_t queue, const struct cJSON *expected,
                              struct et_pm4_verdict *verdict);

#endif
