/* Packet handlers, a file a subject. Each gets the header (bit 0 clear), the body and its dwords, and returns
 * what it consumed (see et_pm4_handler). Those named _hw serve the hardware profile where it differs. */
#ifndef ET_PM4_OPS_H
#define ET_PM4_OPS_H

#include "pm4/processor.h"

/* ops_registers.c */
et_pm4_handler et_pm4_set_context, et_pm4_set_context_hw, et_pm4_set_sh, et_pm4_set_sh_hw, et_pm4_set_uconfig,
    et_pm4_set_uconfig_hw, et_pm4_set_uconfig_index, et_pm4_set_config, et_pm4_set_queue, et_pm4_set_sh_offset;
et_pm4_handler et_pm4_pairs_context, et_pm4_pairs_sh, et_pm4_pairs_uconfig, et_pm4_load_index,
    et_pm4_load_registers, et_pm4_context_rmw, et_pm4_reg_rmw;
et_pm4_handler et_pm4_set_base, et_pm4_set_base_hw, et_pm4_clear_state, et_pm4_clear_state_hw,
    et_pm4_context_state, et_pm4_queue_reset;

/* ops_draw.c */
et_pm4_handler et_pm4_index_type, et_pm4_index_base, et_pm4_index_size, et_pm4_num_instances,
    et_pm4_index_attributes;
et_pm4_handler et_pm4_draw_auto, et_pm4_draw_index, et_pm4_draw_offset, et_pm4_draw_instances,
    et_pm4_draw_multi_auto, et_pm4_draw_indirect, et_pm4_draw_indirect_multi, et_pm4_draw_dispatch;
et_pm4_handler et_pm4_dispatch, et_pm4_dispatch_indirect, et_pm4_mesh_indirect, et_pm4_mesh_gfx,
    et_pm4_task_state, et_pm4_task_direct, et_pm4_task_indirect;

/* ops_sync.c */
et_pm4_handler et_pm4_wait32, et_pm4_wait64, et_pm4_rewind, et_pm4_semaphore, et_pm4_occlusion,
    et_pm4_wait_flip;
et_pm4_handler et_pm4_cond_exec, et_pm4_pred_exec, et_pm4_indirect_buffer, et_pm4_indirect_constant,
    et_pm4_predication;
et_pm4_handler et_pm4_ce_increment, et_pm4_de_increment, et_pm4_ce_wait, et_pm4_de_wait;

/* ops_data.c */
et_pm4_handler et_pm4_write_data, et_pm4_write_data_hw, et_pm4_copy_data, et_pm4_copy_data_hw, et_pm4_dma,
    et_pm4_dma_hw, et_pm4_fill_multi, et_pm4_cond_write;
et_pm4_handler et_pm4_load_const, et_pm4_write_const, et_pm4_dump_const, et_pm4_dump_const_offset;
et_pm4_handler et_pm4_gen_pdepte, et_pm4_streamout, et_pm4_lod_stats;

/* ops_atomic.c */
et_pm4_handler et_pm4_atomic_mem, et_pm4_atomic_gds;

/* ops_event.c */
et_pm4_handler et_pm4_event_write, et_pm4_event_eop, et_pm4_event_eos, et_pm4_release, et_pm4_release_hw,
    et_pm4_flip, et_pm4_nop, et_pm4_neutral;

#endif
