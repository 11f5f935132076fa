/* Semaphore records in memory, as every engine and the host write and read them. [DOC: notes a and e] */
#ifndef ET_ENGINE_SEMAPHORE_H
#define ET_ENGINE_SEMAPHORE_H

#include "engine/engine.h"
#include "engine/reduction.h"

struct et_release {
    uint64_t address;
    uint64_t payload;
    uint8_t payload_words;       /* 1 or 2 */
    bool timestamp;              /* a 16-byte record: payload, zero, then the timer at +8 */
    enum et_reduction reduction; /* ET_REDUCE_NONE: a plain store */
    bool reduction_signed;
};

/* Writes one. ETALON_MISALIGNED unless aligned to its size; memory errors. */
enum etalon_status et_release_write(struct et_environment *environment, const struct et_release *release,
                                    struct etalon_error *error);
/* The same as a trigger of kind ET_TRIGGER_REPORT. */
enum etalon_status et_release_trigger(struct et_environment *environment, const struct et_engine *engine,
                                      const struct et_release *release, uint32_t method, uint32_t value,
                                      struct etalon_error *error);

enum et_acquire {
    ET_ACQUIRE_EQUAL,
    ET_ACQUIRE_STRICT_GEQ,
    ET_ACQUIRE_CIRCULAR_GEQ,
    ET_ACQUIRE_AND,
    ET_ACQUIRE_NOR
};

/* Tests a word of `bytes` 4 or 8; when it is not met, environment->wait says so. */
enum etalon_status et_acquire(struct et_environment *environment, enum et_acquire how, uint64_t address,
                              uint64_t payload, unsigned bytes, struct etalon_error *error);

#endif
