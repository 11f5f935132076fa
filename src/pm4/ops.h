/* Packet handlers, a file a subject. Each gets the header (bit 0 clear), the body and its dwords, and returns
 * what it consumed (see et_pm4_handler). Those named _hw serve the hardware profile where it differs. */
#ifndef ET_PM4_OPS_H
#define ET_PM4_OPS_H

#include "pm4/processor.h"

#define ET_PM4_HANDLERS(X)                                                                                   \
    /* ops_registers.c */                                                                                    \
    X(set_context)                                                                                           \
    X(set_context_hw)                                                                                        \
    X(set_sh) X(set_sh_hw) X(set_uconfig) X(set_uconfig_hw) X(set_uconfig_index) X(set_config)               \
        X(pairs_context) X(pairs_sh) X(pairs_uconfig) X(load_index) X(load_registers) X(context_rmw)         \
            X(reg_rmw) X(set_sh_offset) X(set_queue) X(set_base) X(set_base_hw) X(clear_state)               \
                X(clear_state_hw) X(context_state) X(queue_reset) /* ops_draw.c */                           \
        X(index_type) X(index_base) X(index_size) X(num_instances) X(index_attributes) X(draw_auto)          \
            X(draw_index) X(draw_offset) X(draw_instances) X(draw_multi_auto) X(draw_indirect)               \
                X(draw_indirect_multi) X(dispatch) X(dispatch_indirect) X(mesh_indirect) X(mesh_gfx)         \
                    X(draw_dispatch) X(task_state) X(task_direct) X(task_indirect) /* ops_sync.c */          \
        X(wait32) X(wait64) X(rewind) X(cond_exec) X(pred_exec) X(indirect_buffer) X(indirect_constant)      \
            X(predication) X(ce_increment) X(de_increment) X(ce_wait) X(de_wait) X(semaphore) X(occlusion)   \
                X(wait_flip) /* ops_data.c */                                                                \
        X(write_data) X(write_data_hw) X(copy_data) X(copy_data_hw) X(dma) X(dma_hw) X(fill_multi)           \
            X(atomic_mem) X(atomic_gds) X(cond_write) X(load_const) X(write_const) X(dump_const)             \
                X(dump_const_offset) X(gen_pdepte) X(streamout) X(lod_stats) /* ops_event.c */               \
        X(event_write) X(event_eop) X(event_eos) X(release) X(release_hw) X(flip) X(nop) X(neutral)

#define ET_PM4_DECLARE(name) et_pm4_handler et_pm4_##name;
ET_PM4_HANDLERS(ET_PM4_DECLARE)
#undef ET_PM4_DECLARE

#endif
