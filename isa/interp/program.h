/* Translated programs: machine code to executable form, once. */
#ifndef ET_INTERP_PROGRAM_H
#define ET_INTERP_PROGRAM_H

#include "isa/interp/launch.h"

/* Facts of a translated program that callers schedule by. */
struct et_program_info {
    uint32_t registers;    /* highest register used + 1 */
    uint32_t instructions; /* machine instructions translated */
    size_t bytes;          /* end of the last translated instruction in the code: what a cache compares */
    bool ordered;          /* results depend on order: canonical order is kept (DESIGN decision 9) */
    bool stores_global, atomics, kills, reads_clock, barriers, derivatives, textures, images,
        writes_depth_or_mask;
    bool reads_local_memory;
    bool reads_z, reads_w; /* interpolates its position's z, 1/w */
    bool reads_outputs;    /* of a vertex stage: its own */
    bool team;             /* et_run_team takes it */
    bool apart;            /* and no quad has a part in what another one does */
    bool absolute;         /* has absolute targets: it is the program only where it lies */
    bool cut;              /* what lies behind the given bytes would belong to it */
};

/* Translates what is reachable from `entry` (byte offset) in code[0..bytes). The code may end anywhere:
 * running past the end is a named error at run time, as is an illegal instruction that is reached; only an
 * unreadable entry fails here. Cached by the caller, keyed by the bytes. */
enum etalon_status et_program_create(struct et_program **program, enum et_isa_kind isa, const void *code,
                                     size_t bytes, size_t entry, struct etalon_error *error);
/* The same by an instruction set that is open already, which outlives the program (opening takes longer than
 * translating), of code that lies `origin` bytes past what absolute targets count from (Maxwell's code
 * region). */
struct et_isa;
enum etalon_status et_program_create_at(struct et_program **program, const struct et_isa *isa,
                                        const void *code, size_t bytes, size_t entry, uint64_t origin,
                                        struct etalon_error *error);
/* The same from IR with ascending pcs, starting at the first; takes the IR's contents. INTERNAL when
 * et_ir_check refuses it. */
struct et_ir_program;
enum etalon_status et_program_create_ir(struct et_program **program, enum et_isa_kind isa,
                                        struct et_ir_program *ir, struct etalon_error *error);
void et_program_destroy(struct et_program *program);
const struct et_program_info *et_program_info(const struct et_program *program);

#endif
