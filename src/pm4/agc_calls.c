/* The public builders and size functions: each hands its arguments to the table. */
#include "pm4/agc.h"

#define N(number)  ((struct etalon_agc_argument){.value = (number)})
#define P(pointer) ((struct etalon_agc_argument){.data = (pointer)})
#define BUILD(id, ...)                                                                                       \
    et_agc_build(ET_##id, buf, (const struct etalon_agc_argument[]){__VA_ARGS__},                            \
                 sizeof((const struct etalon_agc_argument[]){__VA_ARGS__}) /                                 \
                     sizeof(struct etalon_agc_argument))

uint32_t *etalon_agc_dcb_context_state_op(struct etalon_agc_buffer *buf, uint32_t operation)
{
    return BUILD(DCB_CONTEXT_STATE_OP, N(operation));
}

uint32_t *etalon_agc_cb_nop(struct etalon_agc_buffer *buf, uint32_t size_in_dwords)
{
    return BUILD(CB_NOP, N(size_in_dwords));
}

uint32_t *etalon_agc_cb_dispatch(struct etalon_agc_buffer *buf, uint32_t thread_group_x,
                                 uint32_t thread_group_y, uint32_t thread_group_z, uint32_t modifier)
{
    return BUILD(CB_DISPATCH, N(thread_group_x), N(thread_group_y), N(thread_group_z), N(modifier));
}

uint32_t *etalon_agc_cb_branch(struct etalon_agc_buffer *buf, uint8_t mode, uint8_t compare_function,
                               uint64_t compare_addr, uint64_t mask, uint64_t reference,
                               uint8_t cache_policy1, uint64_t buffer1, uint32_t size_in_dwords1,
                               uint8_t cache_policy2, uint64_t buffer2, uint32_t size_in_dwords2)
{
    return BUILD(CB_BRANCH, N(mode), N(compare_function), N(compare_addr), N(mask), N(reference),
                 N(cache_policy1), N(buffer1), N(size_in_dwords1), N(cache_policy2), N(buffer2),
                 N(size_in_dwords2));
}

uint32_t *etalon_agc_cb_set_sh_register_range_direct(struct etalon_agc_buffer *buf, uint32_t offset,
                                                     const uint32_t *values, uint32_t num_values)
{
    return BUILD(CB_SET_SH_REGISTER_RANGE_DIRECT, N(offset), P(values), N(num_values));
}

uint32_t *etalon_agc_cb_set_sh_registers_direct(struct etalon_agc_buffer *buf,
                                                const struct etalon_agc_register *regs, uint32_t num_regs)
{
    return BUILD(CB_SET_SH_REGISTERS_DIRECT, P(regs), N(num_regs));
}

uint32_t *etalon_agc_cb_set_uc_registers_direct(struct etalon_agc_buffer *buf,
                                                const struct etalon_agc_register *regs, uint32_t num_regs)
{
    return BUILD(CB_SET_UC_REGISTERS_DIRECT, P(regs), N(num_regs));
}

uint32_t *etalon_agc_cb_release_mem(struct etalon_agc_buffer *buf, uint8_t action, uint16_t gcr_cntl,
                                    uint8_t dst, uint8_t cache_policy, uint64_t address, uint8_t data_sel,
                                    uint64_t data, uint16_t gds_offset, uint16_t gds_size, uint8_t interrupt,
                                    uint32_t interrupt_ctx_id)
{
    return BUILD(CB_RELEASE_MEM, N(action), N(gcr_cntl), N(dst), N(cache_policy), N(address), N(data_sel),
                 N(data), N(gds_offset), N(gds_size), N(interrupt), N(interrupt_ctx_id));
}

uint32_t *etalon_agc_acb_reset_queue(struct etalon_agc_buffer *buf, uint32_t op)
{
    return BUILD(ACB_RESET_QUEUE, N(op));
}

uint32_t *etalon_agc_acb_event_write(struct etalon_agc_buffer *buf, uint8_t event_type, uint64_t address)
{
    return BUILD(ACB_EVENT_WRITE, N(event_type), N(address));
}

uint32_t *etalon_agc_acb_acquire_mem(struct etalon_agc_buffer *buf, uint32_t gcr_cntl, uint64_t base,
                                     uint64_t size_bytes, uint32_t poll_cycles)
{
    return BUILD(ACB_ACQUIRE_MEM, N(gcr_cntl), N(base), N(size_bytes), N(poll_cycles));
}

uint32_t *etalon_agc_acb_cond_exec(struct etalon_agc_buffer *buf, uint64_t address, uint32_t num_dwords)
{
    return BUILD(ACB_COND_EXEC, N(address), N(num_dwords));
}

uint32_t *etalon_agc_acb_wait_reg_mem(struct etalon_agc_buffer *buf, uint8_t size, uint8_t compare_function,
                                      uint8_t cache_policy, uint64_t address, uint64_t reference,
                                      uint64_t mask, uint32_t poll_cycles)
{
    return BUILD(ACB_WAIT_REG_MEM, N(size), N(compare_function), N(cache_policy), N(address), N(reference),
                 N(mask), N(poll_cycles));
}

uint32_t *etalon_agc_acb_dma_data(struct etalon_agc_buffer *buf, uint8_t dst, uint8_t dst_cache_policy,
                                  uint64_t dst_address_or_offset, uint8_t src, uint8_t src_cache_policy,
                                  uint64_t src_address_or_offset_or_immediate, uint32_t num_bytes,
                                  uint8_t wait_for_previous, uint8_t write_confirm)
{
    return BUILD(ACB_DMA_DATA, N(dst), N(dst_cache_policy), N(dst_address_or_offset), N(src),
                 N(src_cache_policy), N(src_address_or_offset_or_immediate), N(num_bytes),
                 N(wait_for_previous), N(write_confirm));
}

uint32_t *etalon_agc_acb_copy_data(struct etalon_agc_buffer *buf, uint8_t dst, uint8_t dst_cache_policy,
                                   uint64_t dst_address, uint8_t src, uint8_t src_cache_policy,
                                   uint64_t src_address_or_immediate, uint8_t item_size,
                                   uint8_t write_confirm)
{
    return BUILD(ACB_COPY_DATA, N(dst), N(dst_cache_policy), N(dst_address), N(src), N(src_cache_policy),
                 N(src_address_or_immediate), N(item_size), N(write_confirm));
}

uint32_t *etalon_agc_acb_dispatch_indirect(struct etalon_agc_buffer *buf, uint64_t indirect_args,
                                           uint32_t modifier)
{
    return BUILD(ACB_DISPATCH_INDIRECT, N(indirect_args), N(modifier));
}

uint32_t *etalon_agc_acb_write_data(struct etalon_agc_buffer *buf, uint8_t dst, uint8_t cache_policy,
                                    uint64_t address_or_offset, const void *data, uint32_t num_dwords,
                                    uint8_t increment, uint8_t write_confirm)
{
    return BUILD(ACB_WRITE_DATA, N(dst), N(cache_policy), N(address_or_offset), P(data), N(num_dwords),
                 N(increment), N(write_confirm));
}

uint32_t *etalon_agc_acb_set_marker(struct etalon_agc_buffer *buf, const char *str, uint32_t color)
{
    return BUILD(ACB_SET_MARKER, P(str), N(color));
}

uint32_t *etalon_agc_acb_push_marker(struct etalon_agc_buffer *buf, const char *str, uint32_t color)
{
    return BUILD(ACB_PUSH_MARKER, P(str), N(color));
}

uint32_t *etalon_agc_acb_pop_marker(struct etalon_agc_buffer *buf)
{
    return BUILD(ACB_POP_MARKER, N(0));
}

uint32_t *etalon_agc_dcb_reset_queue(struct etalon_agc_buffer *buf, uint32_t op, uint32_t state)
{
    return BUILD(DCB_RESET_QUEUE, N(op), N(state));
}

uint32_t *etalon_agc_dcb_wait_until_safe_for_rendering(struct etalon_agc_buffer *buf,
                                                       uint32_t video_out_handle,
                                                       uint32_t display_buffer_index)
{
    return BUILD(DCB_WAIT_UNTIL_SAFE_FOR_RENDERING, N(video_out_handle), N(display_buffer_index));
}

uint32_t *etalon_agc_dcb_set_workloads_active(struct etalon_agc_buffer *buf, uint32_t stream_id,
                                              const uint32_t *workload_ids, uint32_t workload_count,
                                              uint32_t registered_streams)
{
    return BUILD(DCB_SET_WORKLOADS_ACTIVE, N(stream_id), P(workload_ids), N(workload_count),
                 N(registered_streams));
}

uint32_t *etalon_agc_dcb_set_workload_complete(struct etalon_agc_buffer *buf, uint32_t stream_id,
                                               uint32_t workload_id, uint32_t registered_streams)
{
    return BUILD(DCB_SET_WORKLOAD_COMPLETE, N(stream_id), N(workload_id), N(registered_streams));
}

uint32_t *etalon_agc_dcb_set_marker(struct etalon_agc_buffer *buf, const char *str, uint32_t color)
{
    return BUILD(DCB_SET_MARKER, P(str), N(color));
}

uint32_t *etalon_agc_dcb_set_sh_register_direct(struct etalon_agc_buffer *buf, struct etalon_agc_register reg)
{
    return BUILD(DCB_SET_SH_REGISTER_DIRECT, N(reg.offset), N(reg.value));
}

uint32_t *etalon_agc_dcb_set_cx_register_direct(struct etalon_agc_buffer *buf, struct etalon_agc_register reg)
{
    return BUILD(DCB_SET_CX_REGISTER_DIRECT, N(reg.offset), N(reg.value));
}

uint32_t *etalon_agc_dcb_set_uc_register_direct(struct etalon_agc_buffer *buf, struct etalon_agc_register reg)
{
    return BUILD(DCB_SET_UC_REGISTER_DIRECT, N(reg.offset), N(reg.value));
}

uint32_t *etalon_agc_dcb_set_cx_registers_indirect(struct etalon_agc_buffer *buf, uint64_t regs,
                                                   uint32_t num_regs)
{
    return BUILD(DCB_SET_CX_REGISTERS_INDIRECT, N(regs), N(num_regs));
}

uint32_t *etalon_agc_dcb_set_sh_registers_indirect(struct etalon_agc_buffer *buf, uint64_t regs,
                                                   uint32_t num_regs)
{
    return BUILD(DCB_SET_SH_REGISTERS_INDIRECT, N(regs), N(num_regs));
}

uint32_t *etalon_agc_dcb_set_uc_registers_indirect(struct etalon_agc_buffer *buf, uint64_t regs,
                                                   uint32_t num_regs)
{
    return BUILD(DCB_SET_UC_REGISTERS_INDIRECT, N(regs), N(num_regs));
}

uint32_t *etalon_agc_dcb_set_index_size(struct etalon_agc_buffer *buf, uint8_t index_size,
                                        uint8_t cache_policy)
{
    return BUILD(DCB_SET_INDEX_SIZE, N(index_size), N(cache_policy));
}

uint32_t *etalon_agc_dcb_set_index_buffer(struct etalon_agc_buffer *buf, uint64_t index_addr)
{
    return BUILD(DCB_SET_INDEX_BUFFER, N(index_addr));
}

uint32_t *etalon_agc_dcb_set_index_count(struct etalon_agc_buffer *buf, uint32_t index_count)
{
    return BUILD(DCB_SET_INDEX_COUNT, N(index_count));
}

uint32_t *etalon_agc_dcb_set_num_instances(struct etalon_agc_buffer *buf, uint32_t num_instances)
{
    return BUILD(DCB_SET_NUM_INSTANCES, N(num_instances));
}

uint32_t *etalon_agc_dcb_draw_index(struct etalon_agc_buffer *buf, uint32_t index_count, uint64_t index_addr,
                                    uint64_t modifier)
{
    return BUILD(DCB_DRAW_INDEX, N(index_count), N(index_addr), N(modifier));
}

uint32_t *etalon_agc_dcb_draw_index_multi_instanced(struct etalon_agc_buffer *buf, uint32_t index_count,
                                                    uint64_t index_addr, uint64_t object_ids,
                                                    uint32_t instance_count, uint64_t modifier)
{
    return BUILD(DCB_DRAW_INDEX_MULTI_INSTANCED, N(index_count), N(index_addr), N(object_ids),
                 N(instance_count), N(modifier));
}

uint32_t *etalon_agc_dcb_draw_index_auto(struct etalon_agc_buffer *buf, uint32_t index_count,
                                         uint64_t modifier)
{
    return BUILD(DCB_DRAW_INDEX_AUTO, N(index_count), N(modifier));
}

uint32_t *etalon_agc_dcb_draw_index_offset(struct etalon_agc_buffer *buf, uint32_t index_offset,
                                           uint32_t index_count, uint64_t modifier)
{
    return BUILD(DCB_DRAW_INDEX_OFFSET, N(index_offset), N(index_count), N(modifier));
}

uint32_t *etalon_agc_dcb_set_base_indirect_args(struct etalon_agc_buffer *buf, uint32_t shader_type,
                                                uint64_t indirect_base_addr)
{
    return BUILD(DCB_SET_BASE_INDIRECT_ARGS, N(shader_type), N(indirect_base_addr));
}

uint32_t *etalon_agc_dcb_draw_indirect(struct etalon_agc_buffer *buf, uint32_t data_offset_in_bytes,
                                       uint64_t modifier)
{
    return BUILD(DCB_DRAW_INDIRECT, N(data_offset_in_bytes), N(modifier));
}

uint32_t *etalon_agc_dcb_draw_indirect_multi(struct etalon_agc_buffer *buf, uint32_t data_offset_in_bytes,
                                             uint32_t count_indirect, uint32_t max_count_or_count,
                                             uint64_t count_addr, uint32_t stride_in_bytes, uint64_t modifier)
{
    return BUILD(DCB_DRAW_INDIRECT_MULTI, N(data_offset_in_bytes), N(count_indirect), N(max_count_or_count),
                 N(count_addr), N(stride_in_bytes), N(modifier));
}

uint32_t *etalon_agc_dcb_draw_index_indirect(struct etalon_agc_buffer *buf, uint32_t data_offset_in_bytes,
                                             uint64_t modifier)
{
    return BUILD(DCB_DRAW_INDEX_INDIRECT, N(data_offset_in_bytes), N(modifier));
}

uint32_t *etalon_agc_dcb_draw_index_indirect_multi(struct etalon_agc_buffer *buf,
                                                   uint32_t data_offset_in_bytes, uint32_t count_indirect,
                                                   uint32_t max_count_or_count, uint64_t count_addr,
                                                   uint32_t stride_in_bytes, uint64_t modifier)
{
    return BUILD(DCB_DRAW_INDEX_INDIRECT_MULTI, N(data_offset_in_bytes), N(count_indirect),
                 N(max_count_or_count), N(count_addr), N(stride_in_bytes), N(modifier));
}

uint32_t *etalon_agc_dcb_dispatch_indirect(struct etalon_agc_buffer *buf, uint32_t data_offset_in_bytes,
                                           uint32_t flags)
{
    return BUILD(DCB_DISPATCH_INDIRECT, N(data_offset_in_bytes), N(flags));
}

uint32_t *etalon_agc_dcb_event_write(struct etalon_agc_buffer *buf, uint8_t event_type, uint64_t address)
{
    return BUILD(DCB_EVENT_WRITE, N(event_type), N(address));
}

uint32_t *etalon_agc_dcb_acquire_mem(struct etalon_agc_buffer *buf, uint8_t engine, uint32_t cb_db_op,
                                     uint32_t gcr_cntl, uint64_t base, uint64_t size_bytes,
                                     uint32_t poll_cycles)
{
    return BUILD(DCB_ACQUIRE_MEM, N(engine), N(cb_db_op), N(gcr_cntl), N(base), N(size_bytes),
                 N(poll_cycles));
}

uint32_t *etalon_agc_dcb_copy_data(struct etalon_agc_buffer *buf, uint8_t dst, uint8_t dst_cache_policy,
                                   uint64_t dst_address, uint8_t src, uint8_t src_cache_policy,
                                   uint64_t src_address_or_immediate, uint8_t item_size,
                                   uint8_t write_confirm)
{
    return BUILD(DCB_COPY_DATA, N(dst), N(dst_cache_policy), N(dst_address), N(src), N(src_cache_policy),
                 N(src_address_or_immediate), N(item_size), N(write_confirm));
}

uint32_t *etalon_agc_dcb_dma_data(struct etalon_agc_buffer *buf, uint8_t engine, uint8_t dst,
                                  uint8_t dst_cache_policy, uint64_t dst_address_or_offset, uint8_t src,
                                  uint8_t src_cache_policy, uint64_t src_address_or_offset_or_immediate,
                                  uint32_t num_bytes, uint8_t wait_for_previous, uint8_t write_confirm,
                                  uint8_t block_engine)
{
    return BUILD(DCB_DMA_DATA, N(engine), N(dst), N(dst_cache_policy), N(dst_address_or_offset), N(src),
                 N(src_cache_policy), N(src_address_or_offset_or_immediate), N(num_bytes),
                 N(wait_for_previous), N(write_confirm), N(block_engine));
}

uint32_t *etalon_agc_dcb_jump(struct etalon_agc_buffer *buf, uint8_t mode, uint8_t cache_policy,
                              uint64_t target, uint32_t size_in_dwords)
{
    return BUILD(DCB_JUMP, N(mode), N(cache_policy), N(target), N(size_in_dwords));
}

uint32_t *etalon_agc_dcb_rewind(struct etalon_agc_buffer *buf, uint32_t initial_state)
{
    return BUILD(DCB_REWIND, N(initial_state));
}

uint32_t *etalon_agc_dcb_cond_exec(struct etalon_agc_buffer *buf, uint64_t address, uint32_t num_dwords)
{
    return BUILD(DCB_COND_EXEC, N(address), N(num_dwords));
}

uint32_t *etalon_agc_dcb_set_predication(struct etalon_agc_buffer *buf, uint8_t condition, uint8_t op,
                                         uint8_t wait_op, uint64_t address, uint32_t count_in_dwords)
{
    return BUILD(DCB_SET_PREDICATION, N(condition), N(op), N(wait_op), N(address), N(count_in_dwords));
}

uint32_t *etalon_agc_unknown_krzwekv120(struct etalon_agc_buffer *buf, uint32_t arg1, uint32_t arg2,
                                        uint32_t arg3)
{
    return BUILD(UNKNOWN_KRZWEKV120, N(arg1), N(arg2), N(arg3));
}

uint32_t *etalon_agc_dcb_write_data(struct etalon_agc_buffer *buf, uint8_t dst, uint8_t cache_policy,
                                    uint64_t address_or_offset, const void *data, uint32_t num_dwords,
                                    uint8_t increment, uint8_t write_confirm)
{
    return BUILD(DCB_WRITE_DATA, N(dst), N(cache_policy), N(address_or_offset), P(data), N(num_dwords),
                 N(increment), N(write_confirm));
}

uint32_t *etalon_agc_dcb_get_lod_stats(struct etalon_agc_buffer *buf, uint8_t cache_policy, uint64_t buffer,
                                       uint32_t buffer_size_in_bytes, uint32_t reset_count,
                                       uint8_t force_reset, uint8_t report_and_reset,
                                       uint32_t reporting_interval_in_100k_clocks)
{
    return BUILD(DCB_GET_LOD_STATS, N(cache_policy), N(buffer), N(buffer_size_in_bytes), N(reset_count),
                 N(force_reset), N(report_and_reset), N(reporting_interval_in_100k_clocks));
}

uint32_t *etalon_agc_dcb_wait_reg_mem(struct etalon_agc_buffer *buf, uint8_t size, uint8_t compare_function,
                                      uint8_t op, uint8_t cache_policy, uint64_t address, uint64_t reference,
                                      uint64_t mask, uint32_t poll_cycles)
{
    return BUILD(DCB_WAIT_REG_MEM, N(size), N(compare_function), N(op), N(cache_policy), N(address),
                 N(reference), N(mask), N(poll_cycles));
}

uint32_t *etalon_agc_dcb_push_marker(struct etalon_agc_buffer *buf, const char *str, uint32_t color)
{
    return BUILD(DCB_PUSH_MARKER, P(str), N(color));
}

uint32_t *etalon_agc_dcb_pop_marker(struct etalon_agc_buffer *buf)
{
    return BUILD(DCB_POP_MARKER, N(0));
}

uint32_t *etalon_agc_dcb_stall_command_buffer_parser(struct etalon_agc_buffer *buf)
{
    return BUILD(DCB_STALL_COMMAND_BUFFER_PARSER, N(0));
}

uint32_t *etalon_agc_dcb_set_flip(struct etalon_agc_buffer *buf, uint32_t video_out_handle,
                                  int32_t display_buffer_index, uint32_t flip_mode, int64_t flip_arg)
{
    return BUILD(DCB_SET_FLIP, N(video_out_handle), N((uint32_t)display_buffer_index), N(flip_mode),
                 N((uint64_t)flip_arg));
}

uint32_t *etalon_agc_acb_jump(struct etalon_agc_buffer *buf, uint8_t cache_policy, uint64_t target,
                              uint32_t size_in_dwords)
{
    return BUILD(ACB_JUMP, N(cache_policy), N(target), N(size_in_dwords));
}

uint32_t *etalon_agc_acb_rewind(struct etalon_agc_buffer *buf, uint8_t initial_state, uint8_t offload)
{
    return BUILD(ACB_REWIND, N(initial_state), N(offload));
}

uint64_t etalon_agc_dcb_context_state_op_get_size(uint32_t operation)
{
    return et_agc_size(ET_DCB_CONTEXT_STATE_OP_GET_SIZE, operation);
}

uint32_t etalon_agc_cb_nop_get_size(uint32_t size_in_dwords)
{
    return (uint32_t)et_agc_size(ET_CB_NOP_GET_SIZE, size_in_dwords);
}

uint32_t etalon_agc_cb_dispatch_get_size(void)
{
    return (uint32_t)et_agc_size(ET_CB_DISPATCH_GET_SIZE, 0);
}

uint32_t etalon_agc_cb_set_sh_register_range_direct_get_size(uint32_t num_values)
{
    return (uint32_t)et_agc_size(ET_CB_SET_SH_REGISTER_RANGE_DIRECT_GET_SIZE, num_values);
}

uint32_t etalon_agc_cb_queue_end_of_pipe_action_get_size(void)
{
    return (uint32_t)et_agc_size(ET_CB_QUEUE_END_OF_PIPE_ACTION_GET_SIZE, 0);
}

uint32_t etalon_agc_acb_acquire_mem_get_size(void)
{
    return (uint32_t)et_agc_size(ET_ACB_ACQUIRE_MEM_GET_SIZE, 0);
}

uint32_t etalon_agc_acb_cond_exec_get_size(void)
{
    return (uint32_t)et_agc_size(ET_ACB_COND_EXEC_GET_SIZE, 0);
}

uint32_t etalon_agc_acb_jump_get_size(void)
{
    return (uint32_t)et_agc_size(ET_ACB_JUMP_GET_SIZE, 0);
}

uint32_t etalon_agc_dcb_set_cx_register_direct_get_size(void)
{
    return (uint32_t)et_agc_size(ET_DCB_SET_CX_REGISTER_DIRECT_GET_SIZE, 0);
}

uint32_t etalon_agc_dcb_set_num_instances_get_size(void)
{
    return (uint32_t)et_agc_size(ET_DCB_SET_NUM_INSTANCES_GET_SIZE, 0);
}

uint32_t etalon_agc_dcb_draw_index_get_size(void)
{
    return (uint32_t)et_agc_size(ET_DCB_DRAW_INDEX_GET_SIZE, 0);
}

uint32_t etalon_agc_dcb_draw_index_multi_instanced_get_size(void)
{
    return (uint32_t)et_agc_size(ET_DCB_DRAW_INDEX_MULTI_INSTANCED_GET_SIZE, 0);
}

uint32_t etalon_agc_dcb_draw_index_auto_get_size(void)
{
    return (uint32_t)et_agc_size(ET_DCB_DRAW_INDEX_AUTO_GET_SIZE, 0);
}

uint32_t etalon_agc_dcb_draw_index_offset_get_size(void)
{
    return (uint32_t)et_agc_size(ET_DCB_DRAW_INDEX_OFFSET_GET_SIZE, 0);
}

uint32_t etalon_agc_dcb_draw_indirect_get_size(void)
{
    return (uint32_t)et_agc_size(ET_DCB_DRAW_INDIRECT_GET_SIZE, 0);
}

uint32_t etalon_agc_dcb_dispatch_indirect_get_size(void)
{
    return (uint32_t)et_agc_size(ET_DCB_DISPATCH_INDIRECT_GET_SIZE, 0);
}

uint64_t etalon_agc_dcb_event_write_get_size(uint8_t event_type)
{
    return et_agc_size(ET_DCB_EVENT_WRITE_GET_SIZE, event_type);
}

uint32_t etalon_agc_dcb_acquire_mem_get_size(void)
{
    return (uint32_t)et_agc_size(ET_DCB_ACQUIRE_MEM_GET_SIZE, 0);
}

uint32_t etalon_agc_dcb_jump_get_size(void)
{
    return (uint32_t)et_agc_size(ET_DCB_JUMP_GET_SIZE, 0);
}

uint32_t etalon_agc_dcb_rewind_get_size(void)
{
    return (uint32_t)et_agc_size(ET_DCB_REWIND_GET_SIZE, 0);
}

uint32_t etalon_agc_dcb_cond_exec_get_size(void)
{
    return (uint32_t)et_agc_size(ET_DCB_COND_EXEC_GET_SIZE, 0);
}

uint32_t etalon_agc_dcb_write_data_get_size(uint32_t num_dwords)
{
    return (uint32_t)et_agc_size(ET_DCB_WRITE_DATA_GET_SIZE, num_dwords);
}

uint64_t etalon_agc_dcb_wait_on_address_get_size(uint32_t size)
{
    return et_agc_size(ET_DCB_WAIT_ON_ADDRESS_GET_SIZE, size);
}

uint64_t etalon_agc_cb_branch_get_size(void)
{
    return et_agc_size(ET_CB_BRANCH_GET_SIZE, 0);
}

uint64_t etalon_agc_acb_wait_on_address_get_size(uint8_t size)
{
    return et_agc_size(ET_ACB_WAIT_ON_ADDRESS_GET_SIZE, size);
}

uint64_t etalon_agc_acb_copy_data_get_size(void)
{
    return et_agc_size(ET_ACB_COPY_DATA_GET_SIZE, 0);
}

uint64_t etalon_agc_dcb_set_cx_registers_indirect_get_size(void)
{
    return et_agc_size(ET_DCB_SET_CX_REGISTERS_INDIRECT_GET_SIZE, 0);
}

uint64_t etalon_agc_dcb_set_sh_registers_indirect_get_size(void)
{
    return et_agc_size(ET_DCB_SET_SH_REGISTERS_INDIRECT_GET_SIZE, 0);
}

uint64_t etalon_agc_dcb_copy_data_get_size(void)
{
    return et_agc_size(ET_DCB_COPY_DATA_GET_SIZE, 0);
}

uint32_t etalon_agc_dcb_dma_data_get_size(void)
{
    return (uint32_t)et_agc_size(ET_DCB_DMA_DATA_GET_SIZE, 0);
}

uint32_t etalon_agc_acb_dma_data_get_size(void)
{
    return (uint32_t)et_agc_size(ET_ACB_DMA_DATA_GET_SIZE, 0);
}

uint32_t etalon_agc_acb_event_write_get_size(void)
{
    return (uint32_t)et_agc_size(ET_ACB_EVENT_WRITE_GET_SIZE, 0);
}

uint32_t etalon_agc_dcb_set_index_buffer_get_size(void)
{
    return (uint32_t)et_agc_size(ET_DCB_SET_INDEX_BUFFER_GET_SIZE, 0);
}

uint32_t etalon_agc_dcb_set_index_count_get_size(void)
{
    return (uint32_t)et_agc_size(ET_DCB_SET_INDEX_COUNT_GET_SIZE, 0);
}

uint32_t etalon_agc_dcb_set_index_size_get_size(void)
{
    return (uint32_t)et_agc_size(ET_DCB_SET_INDEX_SIZE_GET_SIZE, 0);
}

uint32_t etalon_agc_dcb_stall_command_buffer_parser_get_size(void)
{
    return (uint32_t)et_agc_size(ET_DCB_STALL_COMMAND_BUFFER_PARSER_GET_SIZE, 0);
}

uint32_t etalon_agc_dcb_set_sh_register_direct_get_size(void)
{
    return (uint32_t)et_agc_size(ET_DCB_SET_SH_REGISTER_DIRECT_GET_SIZE, 0);
}

uint32_t etalon_agc_dcb_set_uc_register_direct_get_size(void)
{
    return (uint32_t)et_agc_size(ET_DCB_SET_UC_REGISTER_DIRECT_GET_SIZE, 0);
}

uint32_t etalon_agc_dcb_set_uc_registers_indirect_get_size(void)
{
    return (uint32_t)et_agc_size(ET_DCB_SET_UC_REGISTERS_INDIRECT_GET_SIZE, 0);
}

uint32_t etalon_agc_dcb_draw_index_indirect_get_size(void)
{
    return (uint32_t)et_agc_size(ET_DCB_DRAW_INDEX_INDIRECT_GET_SIZE, 0);
}

uint32_t etalon_agc_dcb_draw_indirect_multi_get_size(void)
{
    return (uint32_t)et_agc_size(ET_DCB_DRAW_INDIRECT_MULTI_GET_SIZE, 0);
}

uint32_t etalon_agc_dcb_draw_index_indirect_multi_get_size(void)
{
    return (uint32_t)et_agc_size(ET_DCB_DRAW_INDEX_INDIRECT_MULTI_GET_SIZE, 0);
}

uint32_t etalon_agc_acb_dispatch_indirect_get_size(void)
{
    return (uint32_t)et_agc_size(ET_ACB_DISPATCH_INDIRECT_GET_SIZE, 0);
}

uint32_t etalon_agc_dcb_get_lod_stats_get_size(void)
{
    return (uint32_t)et_agc_size(ET_DCB_GET_LOD_STATS_GET_SIZE, 0);
}

uint32_t etalon_agc_acb_rewind_get_size(void)
{
    return (uint32_t)et_agc_size(ET_ACB_REWIND_GET_SIZE, 0);
}

uint32_t etalon_agc_dcb_set_base_draw_indirect_args_get_size(void)
{
    return (uint32_t)et_agc_size(ET_DCB_SET_BASE_DRAW_INDIRECT_ARGS_GET_SIZE, 0);
}

uint32_t etalon_agc_dcb_set_base_dispatch_indirect_args_get_size(void)
{
    return (uint32_t)et_agc_size(ET_DCB_SET_BASE_DISPATCH_INDIRECT_ARGS_GET_SIZE, 0);
}

uint32_t etalon_agc_dcb_set_predication_disable_get_size(void)
{
    return (uint32_t)et_agc_size(ET_DCB_SET_PREDICATION_DISABLE_GET_SIZE, 0);
}

uint32_t etalon_agc_dcb_set_bool_predication_enable_get_size(void)
{
    return (uint32_t)et_agc_size(ET_DCB_SET_BOOL_PREDICATION_ENABLE_GET_SIZE, 0);
}

uint32_t etalon_agc_dcb_set_zpass_predication_enable_get_size(void)
{
    return (uint32_t)et_agc_size(ET_DCB_SET_ZPASS_PREDICATION_ENABLE_GET_SIZE, 0);
}

uint32_t etalon_agc_acb_atomic_mem_get_size(void)
{
    return (uint32_t)et_agc_size(ET_ACB_ATOMIC_MEM_GET_SIZE, 0);
}

uint32_t etalon_agc_dcb_atomic_mem_get_size(void)
{
    return (uint32_t)et_agc_size(ET_DCB_ATOMIC_MEM_GET_SIZE, 0);
}

uint32_t etalon_agc_acb_atomic_gds_get_size(void)
{
    return (uint32_t)et_agc_size(ET_ACB_ATOMIC_GDS_GET_SIZE, 0);
}

uint32_t etalon_agc_dcb_atomic_gds_get_size(void)
{
    return (uint32_t)et_agc_size(ET_DCB_ATOMIC_GDS_GET_SIZE, 0);
}

uint32_t etalon_agc_cb_cond_write_get_size(void)
{
    return (uint32_t)et_agc_size(ET_CB_COND_WRITE_GET_SIZE, 0);
}

uint32_t etalon_agc_dcb_prime_utcl2_get_size(void)
{
    return (uint32_t)et_agc_size(ET_DCB_PRIME_UTCL2_GET_SIZE, 0);
}

uint32_t etalon_agc_acb_prime_utcl2_get_size(void)
{
    return (uint32_t)et_agc_size(ET_ACB_PRIME_UTCL2_GET_SIZE, 0);
}

uint32_t etalon_agc_dcb_queue_end_of_shader_action_get_size(void)
{
    return (uint32_t)et_agc_size(ET_DCB_QUEUE_END_OF_SHADER_ACTION_GET_SIZE, 0);
}

uint32_t etalon_agc_acb_queue_end_of_shader_action_get_size(void)
{
    return (uint32_t)et_agc_size(ET_ACB_QUEUE_END_OF_SHADER_ACTION_GET_SIZE, 0);
}

uint32_t etalon_agc_dcb_end_occlusion_query_get_size(void)
{
    return (uint32_t)et_agc_size(ET_DCB_END_OCCLUSION_QUERY_GET_SIZE, 0);
}

uint32_t etalon_agc_dcb_set_index_indirect_args_get_size(void)
{
    return (uint32_t)et_agc_size(ET_DCB_SET_INDEX_INDIRECT_ARGS_GET_SIZE, 0);
}
