/* The two macro processors: 32-bit (Fermi to Volta) and MME64 (Turing and later). [DOC, DRV: notes c and d]
 *
 * A macro starts when its first parameter comes, runs until it wants a parameter that has not come, and goes
 * on with the next. It can also stop where a method it sends has to wait. */
#ifndef ET_MME_MME_H
#define ET_MME_MME_H

#include "engine/chip.h"

#define ET_MME_STARTS      256u
#define ET_MME_CODE_FERMI  0x800u
#define ET_MME_CODE_TURING 0x3000u /* words */
#define ET_MME_DATA_WORDS  0x1000u /* data RAM of MME64, words, the largest data FIFO included */

enum et_shadow_mode { ET_SHADOW_TRACK, ET_SHADOW_TRACK_WITH_FILTER, ET_SHADOW_PASSTHROUGH, ET_SHADOW_REPLAY };

/* Where a macro's words go and what it reads. */
struct et_mme_port {
    void *context;
    /* Sends a value to a method (bytes). ETALON_OK with *blocked set: not taken, offer it again. */
    enum etalon_status (*send)(void *context, uint32_t method, uint32_t value, bool *blocked,
                               struct etalon_error *error);
    /* The shadow of a method (bytes). */
    uint32_t (*state)(void *context, uint32_t method);
    struct et_view *view; /* for DMA */
    /* Asked now and then: true makes et_mme_run end in ETALON_CANCELLED, to be called again. NULL: never. */
    bool (*cancelled)(void *context);
};

struct et_mme;

/* steps: instructions (groups of MME64) that one call may take; 0: 0xffffff, what nouveau gives the
 * hardware's own limit (0x404468; nvgpu names it mme_max_instructions) [DRV]. NULL after ETALON_NO_MEMORY. */
struct et_mme *et_mme_create(enum et_mme_kind kind, uint64_t steps, struct etalon_error *error);
void et_mme_destroy(struct et_mme *mme);

/* Code and start addresses, as LOAD_MME_* write them. ETALON_MACRO outside the RAMs. */
void et_mme_set_code_pointer(struct et_mme *mme, uint32_t word);
enum etalon_status et_mme_load_code(struct et_mme *mme, const uint32_t *words, size_t count,
                                    struct etalon_error *error);
void et_mme_set_start_pointer(struct et_mme *mme, uint32_t entry);
enum etalon_status et_mme_load_starts(struct et_mme *mme, const uint32_t *words, size_t count,
                                      struct etalon_error *error);

/* CALL_MME_MACRO(macro) and CALL_MME_DATA(macro): queue words; then run. */
enum etalon_status et_mme_call(struct et_mme *mme, unsigned macro, uint32_t parameter,
                               struct etalon_error *error);
enum etalon_status et_mme_data(struct et_mme *mme, unsigned macro, const uint32_t *words, size_t count,
                               struct etalon_error *error);
/* Runs until the macro ends, wants a parameter, or a send blocks (*blocked). */
enum etalon_status et_mme_run(struct et_mme *mme, const struct et_mme_port *port, bool *blocked,
                              struct etalon_error *error);
/* True while a macro has begun and not ended; *macro gets its number. */
bool et_mme_active(const struct et_mme *mme, unsigned *macro);
/* Forgets a begun macro (after a fault). */
void et_mme_abort(struct et_mme *mme);

/* MME64's memory methods 0x550..0x574 (bytes); sent by macros, or by the pushbuffer where the hardware
 * allows. */
enum etalon_status et_mme_memory_method(struct et_mme *mme, const struct et_mme_port *port, uint32_t method,
                                        uint32_t value, struct etalon_error *error);

/* Text of one instruction: a word, or a group of three words (most significant first). Returns snprintf's
 * count. */
int et_mme_disassemble(enum et_mme_kind kind, const uint32_t *words, uint32_t address, char *text,
                       size_t size);
/* Code words as loaded; *count of them. */
const uint32_t *et_mme_code(const struct et_mme *mme, uint32_t *count);
uint32_t et_mme_start(const struct et_mme *mme, unsigned macro);

#endif
