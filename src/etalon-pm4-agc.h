/* The console library's command builders: byte-identical packets into a caller's command buffer, with their
 * size functions, patches and queries. Addresses in packets are GPU addresses (uint64_t); data that a builder
 * copies is host memory.
 *
 * Common rules (B1..B10, listed in conformance/pm4/table.tsv): a builder returns the first dword it wrote, or
 * NULL when it refuses its arguments or the buffer is full, and then has written nothing; sizes are in bytes,
 * of the width that the console's function returns; patches return 0 or ETALON_AGC_INVALID_PACKET. A NULL
 * buffer is refused. */
#ifndef ETALON_PM4_AGC_H
#define ETALON_PM4_AGC_H

#include "etalon-error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ETALON_AGC_INVALID_PACKET ((int)0x8A6C000C)

/* The console's command buffer object (B2): dwords are taken upwards from cursor_up, as far as cursor_down.
 */
struct etalon_agc_buffer {
    uint32_t *bottom, *top;
    uint32_t *cursor_up, *cursor_down;
    /* Asked for space when it is short (B4); may replace the cursors. False: none. */
    bool (*callback)(struct etalon_agc_buffer *buf, uint32_t needed_dw, void *user_data);
    void *user_data;
    uint32_t reserved_dw;
};

struct etalon_agc_register {
    uint32_t offset, value;
};

struct etalon_agc_payload {
    uint32_t *base;
    uint64_t size; /* bytes */
};

/* ---- the table of functions ---- */

enum etalon_agc_kind {
    ETALON_AGC_BUILDER,
    ETALON_AGC_GETSIZE,
    ETALON_AGC_PATCH,
    ETALON_AGC_QUERY,
    ETALON_AGC_DRIVER,
    ETALON_AGC_OTHER
};

struct etalon_agc_function {
    const char *name;     /* "AgcDcbDrawIndex" */
    const char *exported; /* "sceAgcDcbDrawIndex" */
    const char *nids;     /* 11 characters each, joined by ';' */
    enum etalon_agc_kind kind;
    const char *returns, *arguments; /* as the console declares them */
    const char *companion;           /* of a builder: its size function, "" when it has none */
};

/* The i-th of the known functions; NULL past the last. */
ETALON_API const struct etalon_agc_function *etalon_agc_function(size_t i);
/* By name, exported name or NID; NULL when there is none. */
ETALON_API const struct etalon_agc_function *etalon_agc_find(const char *name);

/* A builder's argument: a number (also an address), or host data with a count of its elements. */
struct etalon_agc_argument {
    uint64_t value;
    const void *data;
};
/* How many arguments a builder takes beside the buffer, and what they are: per argument 'n' a number, 'w'
 * dwords, 'r' registers (struct etalon_agc_register), 's' a text, 'c' the count of the data before it. NULL:
 * no builder. */
ETALON_API const char *etalon_agc_signature(const char *name);
/* Calls a builder by name. NULL also when there is none or the arguments are of another number. */
ETALON_API uint32_t *etalon_agc_call(const char *name, struct etalon_agc_buffer *buf,
                                     const struct etalon_agc_argument *arguments, size_t count);
/* Bytes that a builder would emit for these arguments, by the same table; 0 when it would refuse them. */
ETALON_API uint64_t etalon_agc_emitted(const char *name, const struct etalon_agc_argument *arguments,
                                       size_t count);
/* Calls a size function by name with its argument, if it has one; false when there is none. */
ETALON_API bool etalon_agc_size(const char *name, uint32_t argument, uint64_t *bytes);

/* ---- builders ---- */
ETALON_API uint32_t *etalon_agc_dcb_context_state_op(struct etalon_agc_buffer *buf, uint32_t operation);
ETALON_API uint32_t *etalon_agc_cb_nop(struct etalon_agc_buffer *buf, uint32_t size_in_dwords);
ETALON_API uint32_t *etalon_agc_cb_dispatch(struct etalon_agc_buffer *buf, uint32_t thread_group_x,
                                            uint32_t thread_group_y, uint32_t thread_group_z,
                                            uint32_t modifier);
ETALON_API uint32_t *etalon_agc_cb_branch(struct etalon_agc_buffer *buf, uint8_t mode,
                                          uint8_t compare_function, uint64_t compare_addr, uint64_t mask,
                                          uint64_t reference, uint8_t cache_policy1, uint64_t buffer1,
                                          uint32_t size_in_dwords1, uint8_t cache_policy2, uint64_t buffer2,
                                          uint32_t size_in_dwords2);
ETALON_API uint32_t *etalon_agc_cb_set_sh_register_range_direct(struct etalon_agc_buffer *buf,
                                                                uint32_t offset, const uint32_t *values,
                                                                uint32_t num_values);
ETALON_API uint32_t *etalon_agc_cb_set_sh_registers_direct(struct etalon_agc_buffer *buf,
                                                           const struct etalon_agc_register *regs,
                                                           uint32_t num_regs);
ETALON_API uint32_t *etalon_agc_cb_set_uc_registers_direct(struct etalon_agc_buffer *buf,
                                                           const struct etalon_agc_register *regs,
                                                           uint32_t num_regs);
ETALON_API uint32_t *etalon_agc_cb_release_mem(struct etalon_agc_buffer *buf, uint8_t action,
                                               uint16_t gcr_cntl, uint8_t dst, uint8_t cache_policy,
                                               uint64_t address, uint8_t data_sel, uint64_t data,
                                               uint16_t gds_offset, uint16_t gds_size, uint8_t interrupt,
                                               uint32_t interrupt_ctx_id);
ETALON_API uint32_t *etalon_agc_acb_reset_queue(struct etalon_agc_buffer *buf, uint32_t op);
ETALON_API uint32_t *etalon_agc_acb_event_write(struct etalon_agc_buffer *buf, uint8_t event_type,
                                                uint64_t address);
ETALON_API uint32_t *etalon_agc_acb_acquire_mem(struct etalon_agc_buffer *buf, uint32_t gcr_cntl,
                                                uint64_t base, uint64_t size_bytes, uint32_t poll_cycles);
ETALON_API uint32_t *etalon_agc_acb_cond_exec(struct etalon_agc_buffer *buf, uint64_t address,
                                              uint32_t num_dwords);
ETALON_API uint32_t *etalon_agc_acb_wait_reg_mem(struct etalon_agc_buffer *buf, uint8_t size,
                                                 uint8_t compare_function, uint8_t cache_policy,
                                                 uint64_t address, uint64_t reference, uint64_t mask,
                                                 uint32_t poll_cycles);
ETALON_API uint32_t *etalon_agc_acb_dma_data(struct etalon_agc_buffer *buf, uint8_t dst,
                                             uint8_t dst_cache_policy, uint64_t dst_address_or_offset,
                                             uint8_t src, uint8_t src_cache_policy,
                                             uint64_t src_address_or_offset_or_immediate, uint32_t num_bytes,
                                             uint8_t wait_for_previous, uint8_t write_confirm);
ETALON_API uint32_t *etalon_agc_acb_copy_data(struct etalon_agc_buffer *buf, uint8_t dst,
                                              uint8_t dst_cache_policy, uint64_t dst_address, uint8_t src,
                                              uint8_t src_cache_policy, uint64_t src_address_or_immediate,
                                              uint8_t item_size, uint8_t write_confirm);
ETALON_API uint32_t *etalon_agc_acb_dispatch_indirect(struct etalon_agc_buffer *buf, uint64_t indirect_args,
                                                      uint32_t modifier);
ETALON_API uint32_t *etalon_agc_acb_write_data(struct etalon_agc_buffer *buf, uint8_t dst,
                                               uint8_t cache_policy, uint64_t address_or_offset,
                                               const void *data, uint32_t num_dwords, uint8_t increment,
                                               uint8_t write_confirm);
ETALON_API uint32_t *etalon_agc_acb_set_marker(struct etalon_agc_buffer *buf, const char *str,
                                               uint32_t color);
ETALON_API uint32_t *etalon_agc_acb_push_marker(struct etalon_agc_buffer *buf, const char *str,
                                                uint32_t color);
ETALON_API uint32_t *etalon_agc_acb_pop_marker(struct etalon_agc_buffer *buf);
ETALON_API uint32_t *etalon_agc_dcb_reset_queue(struct etalon_agc_buffer *buf, uint32_t op, uint32_t state);
ETALON_API uint32_t *etalon_agc_dcb_wait_until_safe_for_rendering(struct etalon_agc_buffer *buf,
                                                                  uint32_t video_out_handle,
                                                                  uint32_t display_buffer_index);
ETALON_API uint32_t *etalon_agc_dcb_set_workloads_active(struct etalon_agc_buffer *buf, uint32_t stream_id,
                                                         const uint32_t *workload_ids,
                                                         uint32_t workload_count,
                                                         uint32_t registered_streams);
ETALON_API uint32_t *etalon_agc_dcb_set_workload_complete(struct etalon_agc_buffer *buf, uint32_t stream_id,
                                                          uint32_t workload_id, uint32_t registered_streams);
ETALON_API uint32_t *etalon_agc_dcb_set_marker(struct etalon_agc_buffer *buf, const char *str,
                                               uint32_t color);
ETALON_API uint32_t *etalon_agc_dcb_set_sh_register_direct(struct etalon_agc_buffer *buf,
                                                           struct etalon_agc_register reg);
ETALON_API uint32_t *etalon_agc_dcb_set_cx_register_direct(struct etalon_agc_buffer *buf,
                                                           struct etalon_agc_register reg);
ETALON_API uint32_t *etalon_agc_dcb_set_uc_register_direct(struct etalon_agc_buffer *buf,
                                                           struct etalon_agc_register reg);
ETALON_API uint32_t *etalon_agc_dcb_set_cx_registers_indirect(struct etalon_agc_buffer *buf, uint64_t regs,
                                                              uint32_t num_regs);
ETALON_API uint32_t *etalon_agc_dcb_set_sh_registers_indirect(struct etalon_agc_buffer *buf, uint64_t regs,
                                                              uint32_t num_regs);
ETALON_API uint32_t *etalon_agc_dcb_set_uc_registers_indirect(struct etalon_agc_buffer *buf, uint64_t regs,
                                                              uint32_t num_regs);
ETALON_API uint32_t *etalon_agc_dcb_set_index_size(struct etalon_agc_buffer *buf, uint8_t index_size,
                                                   uint8_t cache_policy);
ETALON_API uint32_t *etalon_agc_dcb_set_index_buffer(struct etalon_agc_buffer *buf, uint64_t index_addr);
ETALON_API uint32_t *etalon_agc_dcb_set_index_count(struct etalon_agc_buffer *buf, uint32_t index_count);
ETALON_API uint32_t *etalon_agc_dcb_set_num_instances(struct etalon_agc_buffer *buf, uint32_t num_instances);
ETALON_API uint32_t *etalon_agc_dcb_draw_index(struct etalon_agc_buffer *buf, uint32_t index_count,
                                               uint64_t index_addr, uint64_t modifier);
ETALON_API uint32_t *etalon_agc_dcb_draw_index_multi_instanced(struct etalon_agc_buffer *buf,
                                                               uint32_t index_count, uint64_t index_addr,
                                                               uint64_t object_ids, uint32_t instance_count,
                                                               uint64_t modifier);
ETALON_API uint32_t *etalon_agc_dcb_draw_index_auto(struct etalon_agc_buffer *buf, uint32_t index_count,
                                                    uint64_t modifier);
ETALON_API uint32_t *etalon_agc_dcb_draw_index_offset(struct etalon_agc_buffer *buf, uint32_t index_offset,
                                                      uint32_t index_count, uint64_t modifier);
ETALON_API uint32_t *etalon_agc_dcb_set_base_indirect_args(struct etalon_agc_buffer *buf,
                                                           uint32_t shader_type, uint64_t indirect_base_addr);
ETALON_API uint32_t *etalon_agc_dcb_draw_indirect(struct etalon_agc_buffer *buf,
                                                  uint32_t data_offset_in_bytes, uint64_t modifier);
ETALON_API uint32_t *etalon_agc_dcb_draw_indirect_multi(struct etalon_agc_buffer *buf,
                                                        uint32_t data_offset_in_bytes,
                                                        uint32_t count_indirect, uint32_t max_count_or_count,
                                                        uint64_t count_addr, uint32_t stride_in_bytes,
                                                        uint64_t modifier);
ETALON_API uint32_t *etalon_agc_dcb_draw_index_indirect(struct etalon_agc_buffer *buf,
                                                        uint32_t data_offset_in_bytes, uint64_t modifier);
ETALON_API uint32_t *
etalon_agc_dcb_draw_index_indirect_multi(struct etalon_agc_buffer *buf, uint32_t data_offset_in_bytes,
                                         uint32_t count_indirect, uint32_t max_count_or_count,
                                         uint64_t count_addr, uint32_t stride_in_bytes, uint64_t modifier);
ETALON_API uint32_t *etalon_agc_dcb_dispatch_indirect(struct etalon_agc_buffer *buf,
                                                      uint32_t data_offset_in_bytes, uint32_t flags);
ETALON_API uint32_t *etalon_agc_dcb_event_write(struct etalon_agc_buffer *buf, uint8_t event_type,
                                                uint64_t address);
ETALON_API uint32_t *etalon_agc_dcb_acquire_mem(struct etalon_agc_buffer *buf, uint8_t engine,
                                                uint32_t cb_db_op, uint32_t gcr_cntl, uint64_t base,
                                                uint64_t size_bytes, uint32_t poll_cycles);
ETALON_API uint32_t *etalon_agc_dcb_copy_data(struct etalon_agc_buffer *buf, uint8_t dst,
                                              uint8_t dst_cache_policy, uint64_t dst_address, uint8_t src,
                                              uint8_t src_cache_policy, uint64_t src_address_or_immediate,
                                              uint8_t item_size, uint8_t write_confirm);
ETALON_API uint32_t *etalon_agc_dcb_dma_data(struct etalon_agc_buffer *buf, uint8_t engine, uint8_t dst,
                                             uint8_t dst_cache_policy, uint64_t dst_address_or_offset,
                                             uint8_t src, uint8_t src_cache_policy,
                                             uint64_t src_address_or_offset_or_immediate, uint32_t num_bytes,
                                             uint8_t wait_for_previous, uint8_t write_confirm,
                                             uint8_t block_engine);
ETALON_API uint32_t *etalon_agc_dcb_jump(struct etalon_agc_buffer *buf, uint8_t mode, uint8_t cache_policy,
                                         uint64_t target, uint32_t size_in_dwords);
ETALON_API uint32_t *etalon_agc_dcb_rewind(struct etalon_agc_buffer *buf, uint32_t initial_state);
ETALON_API uint32_t *etalon_agc_dcb_cond_exec(struct etalon_agc_buffer *buf, uint64_t address,
                                              uint32_t num_dwords);
ETALON_API uint32_t *etalon_agc_dcb_set_predication(struct etalon_agc_buffer *buf, uint8_t condition,
                                                    uint8_t op, uint8_t wait_op, uint64_t address,
                                                    uint32_t count_in_dwords);
ETALON_API uint32_t *etalon_agc_unknown_krzwekv120(struct etalon_agc_buffer *buf, uint32_t arg1,
                                                   uint32_t arg2, uint32_t arg3);
ETALON_API uint32_t *etalon_agc_dcb_write_data(struct etalon_agc_buffer *buf, uint8_t dst,
                                               uint8_t cache_policy, uint64_t address_or_offset,
                                               const void *data, uint32_t num_dwords, uint8_t increment,
                                               uint8_t write_confirm);
ETALON_API uint32_t *etalon_agc_dcb_get_lod_stats(struct etalon_agc_buffer *buf, uint8_t cache_policy,
                                                  uint64_t buffer, uint32_t buffer_size_in_bytes,
                                                  uint32_t reset_count, uint8_t force_reset,
                                                  uint8_t report_and_reset,
                                                  uint32_t reporting_interval_in_100k_clocks);
ETALON_API uint32_t *etalon_agc_dcb_wait_reg_mem(struct etalon_agc_buffer *buf, uint8_t size,
                                                 uint8_t compare_function, uint8_t op, uint8_t cache_policy,
                                                 uint64_t address, uint64_t reference, uint64_t mask,
                                                 uint32_t poll_cycles);
ETALON_API uint32_t *etalon_agc_dcb_push_marker(struct etalon_agc_buffer *buf, const char *str,
                                                uint32_t color);
ETALON_API uint32_t *etalon_agc_dcb_pop_marker(struct etalon_agc_buffer *buf);
ETALON_API uint32_t *etalon_agc_dcb_stall_command_buffer_parser(struct etalon_agc_buffer *buf);
ETALON_API uint32_t *etalon_agc_dcb_set_flip(struct etalon_agc_buffer *buf, uint32_t video_out_handle,
                                             int32_t display_buffer_index, uint32_t flip_mode,
                                             int64_t flip_arg);
ETALON_API uint32_t *etalon_agc_acb_jump(struct etalon_agc_buffer *buf, uint8_t cache_policy, uint64_t target,
                                         uint32_t size_in_dwords);
ETALON_API uint32_t *etalon_agc_acb_rewind(struct etalon_agc_buffer *buf, uint8_t initial_state,
                                           uint8_t offload);

/* ---- sizes in bytes (B5) ---- */
ETALON_API uint64_t etalon_agc_dcb_context_state_op_get_size(uint32_t operation);
ETALON_API uint32_t etalon_agc_cb_nop_get_size(uint32_t size_in_dwords);
ETALON_API uint32_t etalon_agc_cb_dispatch_get_size(void);
ETALON_API uint32_t etalon_agc_cb_set_sh_register_range_direct_get_size(uint32_t num_values);
ETALON_API uint32_t etalon_agc_cb_queue_end_of_pipe_action_get_size(void);
ETALON_API uint32_t etalon_agc_acb_acquire_mem_get_size(void);
ETALON_API uint32_t etalon_agc_acb_cond_exec_get_size(void);
ETALON_API uint32_t etalon_agc_acb_jump_get_size(void);
ETALON_API uint32_t etalon_agc_dcb_set_cx_register_direct_get_size(void);
ETALON_API uint32_t etalon_agc_dcb_set_num_instances_get_size(void);
ETALON_API uint32_t etalon_agc_dcb_draw_index_get_size(void);
ETALON_API uint32_t etalon_agc_dcb_draw_index_multi_instanced_get_size(void);
ETALON_API uint32_t etalon_agc_dcb_draw_index_auto_get_size(void);
ETALON_API uint32_t etalon_agc_dcb_draw_index_offset_get_size(void);
ETALON_API uint32_t etalon_agc_dcb_draw_indirect_get_size(void);
ETALON_API uint32_t etalon_agc_dcb_dispatch_indirect_get_size(void);
ETALON_API uint64_t etalon_agc_dcb_event_write_get_size(uint8_t event_type);
ETALON_API uint32_t etalon_agc_dcb_acquire_mem_get_size(void);
ETALON_API uint32_t etalon_agc_dcb_jump_get_size(void);
ETALON_API uint32_t etalon_agc_dcb_rewind_get_size(void);
ETALON_API uint32_t etalon_agc_dcb_cond_exec_get_size(void);
ETALON_API uint32_t etalon_agc_dcb_write_data_get_size(uint32_t num_dwords);
ETALON_API uint64_t etalon_agc_dcb_wait_on_address_get_size(uint32_t size);
ETALON_API uint64_t etalon_agc_cb_branch_get_size(void);
ETALON_API uint64_t etalon_agc_acb_wait_on_address_get_size(uint8_t size);
ETALON_API uint64_t etalon_agc_acb_copy_data_get_size(void);
ETALON_API uint64_t etalon_agc_dcb_set_cx_registers_indirect_get_size(void);
ETALON_API uint64_t etalon_agc_dcb_set_sh_registers_indirect_get_size(void);
ETALON_API uint64_t etalon_agc_dcb_copy_data_get_size(void);
ETALON_API uint32_t etalon_agc_dcb_dma_data_get_size(void);
ETALON_API uint32_t etalon_agc_acb_dma_data_get_size(void);
ETALON_API uint32_t etalon_agc_acb_event_write_get_size(void);
ETALON_API uint32_t etalon_agc_dcb_set_index_buffer_get_size(void);
ETALON_API uint32_t etalon_agc_dcb_set_index_count_get_size(void);
ETALON_API uint32_t etalon_agc_dcb_set_index_size_get_size(void);
ETALON_API uint32_t etalon_agc_dcb_stall_command_buffer_parser_get_size(void);
ETALON_API uint32_t etalon_agc_dcb_set_sh_register_direct_get_size(void);
ETALON_API uint32_t etalon_agc_dcb_set_uc_register_direct_get_size(void);
ETALON_API uint32_t etalon_agc_dcb_set_uc_registers_indirect_get_size(void);
ETALON_API uint32_t etalon_agc_dcb_draw_index_indirect_get_size(void);
ETALON_API uint32_t etalon_agc_dcb_draw_indirect_multi_get_size(void);
ETALON_API uint32_t etalon_agc_dcb_draw_index_indirect_multi_get_size(void);
ETALON_API uint32_t etalon_agc_acb_dispatch_indirect_get_size(void);
ETALON_API uint32_t etalon_agc_dcb_get_lod_stats_get_size(void);
ETALON_API uint32_t etalon_agc_acb_rewind_get_size(void);
ETALON_API uint32_t etalon_agc_dcb_set_base_draw_indirect_args_get_size(void);
ETALON_API uint32_t etalon_agc_dcb_set_base_dispatch_indirect_args_get_size(void);
ETALON_API uint32_t etalon_agc_dcb_set_predication_disable_get_size(void);
ETALON_API uint32_t etalon_agc_dcb_set_bool_predication_enable_get_size(void);
ETALON_API uint32_t etalon_agc_dcb_set_zpass_predication_enable_get_size(void);
ETALON_API uint32_t etalon_agc_acb_atomic_mem_get_size(void);
ETALON_API uint32_t etalon_agc_dcb_atomic_mem_get_size(void);
ETALON_API uint32_t etalon_agc_acb_atomic_gds_get_size(void);
ETALON_API uint32_t etalon_agc_dcb_atomic_gds_get_size(void);
ETALON_API uint32_t etalon_agc_cb_cond_write_get_size(void);
ETALON_API uint32_t etalon_agc_dcb_prime_utcl2_get_size(void);
ETALON_API uint32_t etalon_agc_acb_prime_utcl2_get_size(void);
ETALON_API uint32_t etalon_agc_dcb_queue_end_of_shader_action_get_size(void);
ETALON_API uint32_t etalon_agc_acb_queue_end_of_shader_action_get_size(void);
ETALON_API uint32_t etalon_agc_dcb_end_occlusion_query_get_size(void);
ETALON_API uint32_t etalon_agc_dcb_set_index_indirect_args_get_size(void);

/* ---- patching packets in place ---- */
ETALON_API int etalon_agc_set_cx_reg_indirect_patch_set_address(uint32_t *cmd, uint64_t regs);
ETALON_API int etalon_agc_set_sh_reg_indirect_patch_set_address(uint32_t *cmd, uint64_t regs);
ETALON_API int etalon_agc_set_uc_reg_indirect_patch_set_address(uint32_t *cmd, uint64_t regs);
ETALON_API int etalon_agc_set_cx_reg_indirect_patch_set_num_registers(uint32_t *cmd, uint32_t num_regs);
ETALON_API int etalon_agc_set_sh_reg_indirect_patch_set_num_registers(uint32_t *cmd, uint32_t num_regs);
ETALON_API int etalon_agc_set_uc_reg_indirect_patch_set_num_registers(uint32_t *cmd, uint32_t num_regs);
ETALON_API int etalon_agc_set_cx_reg_indirect_patch_add_registers(uint32_t *cmd, uint32_t num_regs);
ETALON_API int etalon_agc_set_sh_reg_indirect_patch_add_registers(uint32_t *cmd, uint32_t num_regs);
ETALON_API int etalon_agc_set_uc_reg_indirect_patch_add_registers(uint32_t *cmd, uint32_t num_regs);
ETALON_API int etalon_agc_write_data_patch_set_address_or_offset(uint32_t *cmd, uint64_t address_or_offset);
ETALON_API int etalon_agc_unknown_jump_patch_set_target(uint32_t *cmd, uint64_t target,
                                                        uint32_t size_in_dwords);
ETALON_API int etalon_agc_jump_patch_set_target(uint32_t *cmd, uint64_t target, uint32_t size_in_dwords);
ETALON_API int etalon_agc_unknown_ikfdtriqce(uint32_t *cmd, uint64_t arg1, uint64_t target,
                                             uint32_t size_in_dwords, uint64_t arg4, uint64_t arg5);
ETALON_API int etalon_agc_dma_data_patch_set_dst_address_or_offset(uint32_t *cmd,
                                                                   uint64_t dst_address_or_offset);
ETALON_API int
etalon_agc_dma_data_patch_set_src_address_or_offset_or_immediate(uint32_t *cmd,
                                                                 uint64_t src_address_or_offset_or_immediate);
ETALON_API int etalon_agc_set_packet_predication(uint32_t *packet, uint32_t predication);
ETALON_API int etalon_agc_set_range_predication(uint32_t *start, const uint32_t *end, uint32_t predication);
ETALON_API int etalon_agc_wait_reg_mem_patch_address(uint32_t *cmd, uint64_t address);
ETALON_API int etalon_agc_wait_reg_mem_patch_reference(uint32_t *cmd, uint64_t reference);
ETALON_API int etalon_agc_queue_end_of_pipe_action_patch_address(uint32_t *cmd, uint64_t address);
ETALON_API int etalon_agc_queue_end_of_pipe_action_patch_data(uint32_t *cmd, uint32_t context_id,
                                                              uint32_t data_sel, uint64_t data);
ETALON_API int etalon_agc_cond_exec_patch_set_end(uint32_t *cmd, const uint32_t *buffer);
ETALON_API int etalon_agc_cond_exec_patch_set_command_address(uint32_t *cmd, uint64_t command);
ETALON_API int etalon_agc_rewind_patch_set_rewind_state(uint32_t *cmd, uint8_t state);
ETALON_API int etalon_agc_branch_patch_set_then_target(uint32_t *cmd, uint8_t cache_policy, uint64_t target,
                                                       uint32_t size_in_dwords);

/* ---- queries ---- */
/* Where a data packet's payload begins; `type` 0 a no-op's, else behind the second dword. NULL for a
 * header-only no-op. */
ETALON_API int etalon_agc_get_data_packet_payload_address(uint32_t **addr, uint32_t *cmd, int type);
ETALON_API int etalon_agc_get_data_packet_payload_range(struct etalon_agc_payload *range, uint32_t *cmd,
                                                        int type);
/* The packet's length in DWORDS (B5). */
ETALON_API uint32_t etalon_agc_get_packet_size(const uint32_t *packet);
ETALON_API uint64_t etalon_agc_get_is_trinity_mode(void);

#ifdef __cplusplus
}
#endif
#endif
