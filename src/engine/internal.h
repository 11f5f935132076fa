/* What the engines share among themselves. */
#ifndef ET_ENGINE_INTERNAL_H
#define ET_ENGINE_INTERNAL_H

#include "engine/engine.h"

extern const struct et_engine_type et_twod_type, et_inline_type, et_copy_type, et_threed_type,
    et_compute_type, et_software_type;

/* Actions that mean the same in every class that has the method. */
extern const struct et_action_row et_common_actions[];

/* Inline-to-memory, in A140 and inside 3D and compute at the same offsets. */
enum etalon_status et_inline_launch(struct et_engine *engine, uint32_t method, unsigned i, uint32_t value,
                                    struct etalon_error *error);
enum etalon_status et_report(struct et_engine *engine, uint32_t method, unsigned i, uint32_t value,
                             struct etalon_error *error);
enum etalon_status et_report_execute(struct et_engine *engine, uint32_t method, unsigned i, uint32_t value,
                                     struct etalon_error *error);
/* Texture pools of 3D and compute: their registers lie at the same offsets. */
void et_engine_pools(const struct et_engine *engine, bool sampler_via_header, struct et_tex_pools *pools);
/* How many of `bytes` bytes from `address` on are mapped for reading. */
uint64_t et_mapped_bytes(struct et_view *view, uint64_t address, uint64_t bytes);
enum etalon_status et_inline_data(struct et_engine *engine, uint32_t method, unsigned i, uint32_t value,
                                  struct etalon_error *error);
/* Takes words of a run to LOAD_INLINE_DATA (0x1b4); 0 when the run goes elsewhere. */
size_t et_inline_words(struct et_engine *engine, uint32_t method, enum et_run_mode mode,
                       const uint32_t *words, size_t count, enum etalon_status *status,
                       struct etalon_error *error);

#endif
