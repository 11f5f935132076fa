/* The opcode table and the table of no-op sub-operations (P41, P45). */
#include "pm4/ops.h"

#define ONLY(a)         .console_rule = ET_PM4_ANY_OF, .console_length = {a, a}
#define EITHER(a, b)    .console_rule = ET_PM4_ANY_OF, .console_length = {a, b}
#define FROM(a)         .console_rule = ET_PM4_AT_LEAST, .console_length = {a, 0}
#define EXACT(a, b)     .exact = {a, b}
#define HW_ONLY(a)      .hardware_rule = ET_PM4_ANY_OF, .hardware_length = {a, a}
#define HW_EITHER(a, b) .hardware_rule = ET_PM4_ANY_OF, .hardware_length = {a, b}
#define HW_FROM(a)      .hardware_rule = ET_PM4_AT_LEAST, .hardware_length = {a, 0}
#define HW_RANGE(a, b)  .hardware_rule = ET_PM4_AT_LEAST, .hardware_length = {a, b}
#define BOTH(f)         .console = et_pm4_##f, .hardware = et_pm4_##f
#define TWO(f, h)       .console = et_pm4_##f, .hardware = et_pm4_##h
#define CONSOLE(f)      .console = et_pm4_##f
#define HARDWARE(f)     .hardware = et_pm4_##f
#define ROW(code, text, ...)                                                                                 \
    [code] = &(const struct et_pm4_op)                                                                       \
    {                                                                                                        \
        .name = text, __VA_ARGS__                                                                            \
    }

const struct et_pm4_op *const et_pm4_ops[256] = {
    ROW(0x10, "NOP", BOTH(nop), FROM(2), HW_FROM(2)),
    ROW(0x11, "SET_BASE", TWO(set_base, set_base_hw), ONLY(4), HW_ONLY(4)),
    ROW(0x12, "CLEAR_STATE", TWO(clear_state, clear_state_hw), EXACT(0xC0001200, 0), HW_ONLY(2)),
    ROW(0x13, "INDEX_BUFFER_SIZE", BOTH(index_size), EXACT(0xC0001300, 0), HW_ONLY(2)),
    ROW(0x15, "DISPATCH_DIRECT", BOTH(dispatch), ONLY(5), HW_ONLY(5)),
    ROW(0x16, "DISPATCH_INDIRECT", BOTH(dispatch_indirect), EXACT(0xC0011600, 0xC0021600), HW_EITHER(3, 4)),
    ROW(0x1D, "ATOMIC_GDS", HARDWARE(atomic_gds), HW_ONLY(11)),
    ROW(0x1E, "ATOMIC_MEM", HARDWARE(atomic_mem), HW_ONLY(9)),
    ROW(0x1F, "OCCLUSION_QUERY", HARDWARE(occlusion), HW_ONLY(5)),
    ROW(0x20, "SET_PREDICATION", BOTH(predication), FROM(3), HW_EITHER(3, 4)),
    ROW(0x21, "REG_RMW", HARDWARE(reg_rmw), HW_ONLY(4)),
    ROW(0x22, "COND_EXEC", BOTH(cond_exec), ONLY(5), HW_ONLY(5)),
    ROW(0x23, "PRED_EXEC", HARDWARE(pred_exec), HW_ONLY(2)),
    ROW(0x24, "DRAW_INDIRECT", BOTH(draw_indirect), EXACT(0xC0032400, 0), HW_ONLY(5)),
    ROW(0x25, "DRAW_INDEX_INDIRECT", BOTH(draw_indirect), EXACT(0xC0032500, 0), HW_ONLY(5)),
    ROW(0x26, "INDEX_BASE", BOTH(index_base), EXACT(0xC0012600, 0), HW_ONLY(3)),
    ROW(0x27, "DRAW_INDEX_2", BOTH(draw_index), EXACT(0xC0042700, 0), HW_ONLY(6)),
    ROW(0x28, "CONTEXT_CONTROL", HARDWARE(neutral), HW_ONLY(3)),
    ROW(0x2A, "INDEX_TYPE", BOTH(index_type), EXACT(0xC0002A00, 0), HW_ONLY(2)),
    ROW(0x2C, "DRAW_INDIRECT_MULTI", BOTH(draw_indirect_multi), EXACT(0xC0082C00, 0), HW_ONLY(10)),
    ROW(0x2D, "DRAW_INDEX_AUTO", BOTH(draw_auto), EXACT(0xC0012D00, 0), HW_ONLY(3)),
    ROW(0x2F, "NUM_INSTANCES", BOTH(num_instances), EXACT(0xC0002F00, 0), HW_ONLY(2)),
    ROW(0x30, "DRAW_INDEX_MULTI_AUTO", HARDWARE(draw_multi_auto), HW_ONLY(4)),
    ROW(0x33, "INDIRECT_BUFFER_CNST", HARDWARE(indirect_constant), HW_EITHER(4, 14)),
    ROW(0x34, "STRMOUT_BUFFER_UPDATE", HARDWARE(streamout), HW_ONLY(6)),
    ROW(0x35, "DRAW_INDEX_OFFSET_2", BOTH(draw_offset), EXACT(0xC0033500, 0), HW_ONLY(5)),
    ROW(0x37, "WRITE_DATA", TWO(write_data, write_data_hw), FROM(4), HW_FROM(4)),
    ROW(0x38, "DRAW_INDEX_INDIRECT_MULTI", BOTH(draw_indirect_multi), EXACT(0xC0083800, 0), HW_ONLY(10)),
    ROW(0x39, "MEM_SEMAPHORE", HARDWARE(semaphore), HW_ONLY(4)),
    ROW(0x3A, "DRAW_INDEX_MULTI_INST", BOTH(draw_instances), EXACT(0xC0073A00, 0), HW_ONLY(9)),
    ROW(0x3C, "WAIT_REG_MEM", BOTH(wait32), EXACT(0xC0053C00, 0), HW_ONLY(7)),
    ROW(0x3F, "INDIRECT_BUFFER", BOTH(indirect_buffer), EITHER(4, 14), HW_EITHER(4, 14)),
    ROW(0x40, "COPY_DATA", TWO(copy_data, copy_data_hw), EXACT(0xC0044000, 0), HW_ONLY(6)),
    ROW(0x42, "PFP_SYNC_ME", BOTH(neutral), EXACT(0xC0004200, 0), HW_ONLY(2)),
    ROW(0x45, "COND_WRITE", HARDWARE(cond_write), HW_ONLY(9)),
    ROW(0x46, "EVENT_WRITE", BOTH(event_write), EITHER(2, 4), HW_EITHER(2, 4)),
    ROW(0x47, "EVENT_WRITE_EOP", BOTH(event_eop), EXACT(0xC0044700, 0), HW_ONLY(6)),
    ROW(0x48, "EVENT_WRITE_EOS", BOTH(event_eos), EXACT(0xC0034802, 0), HW_ONLY(5)),
    ROW(0x49, "RELEASE_MEM", HARDWARE(release_hw), HW_EITHER(7, 8)),
    ROW(0x4A, "PREAMBLE_CNTL", HARDWARE(neutral), HW_ONLY(2)),
    ROW(0x4C, "DISPATCH_MESH_INDIRECT_MULTI", HARDWARE(mesh_indirect), HW_ONLY(9)),
    ROW(0x4D, "DISPATCH_TASKMESH_GFX", HARDWARE(mesh_gfx), HW_ONLY(4)),
    ROW(0x50, "DMA_DATA", TWO(dma, dma_hw), EXACT(0xC0055000, 0), HW_ONLY(7)),
    ROW(0x51, "CONTEXT_REG_RMW", HARDWARE(context_rmw), HW_ONLY(4)),
    ROW(0x54, "PERFMON_CONTROL", HARDWARE(neutral), HW_ONLY(3)),
    ROW(0x58, "ACQUIRE_MEM", BOTH(neutral), EXACT(0xC0055800, 0), HW_EITHER(7, 8)),
    ROW(0x59, "REWIND", BOTH(rewind), EXACT(0xC0005900, 0), HW_ONLY(2)),
    ROW(0x5B, "GEN_PDEPTE", HARDWARE(gen_pdepte), HW_ONLY(10)),
    ROW(0x5C, "INDIRECT_BUFFER_PASID", HARDWARE(indirect_buffer), HW_ONLY(5)),
    ROW(0x5D, "PRIME_UTCL2", HARDWARE(neutral), HW_ONLY(5)),
    ROW(0x5E, "LOAD_UCONFIG_REG", HARDWARE(load_registers), HW_FROM(5)),
    ROW(0x5F, "LOAD_SH_REG", HARDWARE(load_registers), HW_FROM(5)),
    ROW(0x60, "LOAD_CONFIG_REG", HARDWARE(load_registers), HW_FROM(5)),
    ROW(0x61, "LOAD_CONTEXT_REG", HARDWARE(load_registers), HW_FROM(5)),
    ROW(0x63, "LOAD_SH_REG_INDEX", TWO(pairs_sh, load_index), ONLY(5), HW_ONLY(5)),
    ROW(0x64, "LOAD_UCONFIG_REG_INDEX", TWO(pairs_uconfig, load_index), ONLY(5), HW_ONLY(5)),
    ROW(0x68, "SET_CONFIG_REG", HARDWARE(set_config), HW_FROM(3)),
    ROW(0x69, "SET_CONTEXT_REG", TWO(set_context, set_context_hw), FROM(3), HW_FROM(3)),
    ROW(0x75, "GFX_PIPE_LOCK", HARDWARE(neutral), HW_ONLY(2)),
    ROW(0x76, "SET_SH_REG", TWO(set_sh, set_sh_hw), FROM(3), HW_FROM(3)),
    ROW(0x77, "SET_SH_REG_OFFSET", HARDWARE(set_sh_offset), HW_ONLY(4)),
    ROW(0x78, "SET_QUEUE_REG", HARDWARE(set_queue), HW_FROM(3)),
    ROW(0x79, "SET_UCONFIG_REG", TWO(set_uconfig, set_uconfig_hw), FROM(3), HW_FROM(3)),
    ROW(0x7A, "SET_UCONFIG_REG_INDEX", TWO(set_uconfig_index, set_uconfig_hw), FROM(3), HW_FROM(3)),
    ROW(0x80, "LOAD_CONST_RAM", HARDWARE(load_const), HW_ONLY(5)),
    ROW(0x81, "WRITE_CONST_RAM", BOTH(write_const), FROM(2), HW_FROM(2)),
    ROW(0x83, "DUMP_CONST_RAM", BOTH(dump_const), EXACT(0xC0038300, 0), HW_ONLY(5)),
    ROW(0x84, "INCREMENT_CE_COUNTER", BOTH(ce_increment), EXACT(0xC0008400, 0), HW_ONLY(2)),
    ROW(0x85, "INCREMENT_DE_COUNTER", BOTH(de_increment), EXACT(0xC0008500, 0), HW_ONLY(2)),
    ROW(0x86, "WAIT_ON_CE_COUNTER", BOTH(ce_wait), EXACT(0xC0008600, 0), HW_ONLY(2)),
    ROW(0x88, "WAIT_ON_DE_COUNTER_DIFF", BOTH(de_wait), EXACT(0xC0008800, 0), HW_ONLY(2)),
    ROW(0x8B, "SWITCH_BUFFER", HARDWARE(neutral), HW_ONLY(2)),
    ROW(0x8C, "DISPATCH_DRAW_PREAMBLE", HARDWARE(neutral), HW_EITHER(2, 6)),
    ROW(0x8D, "DISPATCH_DRAW", HARDWARE(draw_dispatch), HW_ONLY(6)),
    ROW(0x8E, "GET_LOD_STATS", BOTH(lod_stats), EXACT(0xC0038E00, 0), HW_ONLY(5)),
    ROW(0x90, "FRAME_CONTROL", HARDWARE(neutral), HW_ONLY(2)),
    ROW(0x91, "INDEX_ATTRIBUTES_INDIRECT", HARDWARE(index_attributes), HW_ONLY(4)),
    ROW(0x93, "WAIT_REG_MEM64", BOTH(wait64), EXACT(0xC0079300, 0), HW_ONLY(9)),
    ROW(0x95, "HDP_FLUSH", HARDWARE(neutral), HW_ONLY(2)),
    ROW(0x98, "INVALIDATE_TLBS", HARDWARE(neutral), HW_ONLY(2)),
    ROW(0x9A, "DMA_DATA_FILL_MULTI", HARDWARE(fill_multi), HW_ONLY(7)),
    ROW(0x9B, "SET_SH_REG_INDEX", HARDWARE(set_sh_hw), HW_FROM(3)),
    ROW(0x9E, "DUMP_CONST_RAM_OFFSET", HARDWARE(dump_const_offset), HW_ONLY(4)),
    ROW(0x9F, "LOAD_CONTEXT_REG_INDEX", TWO(pairs_context, load_index), ONLY(5), HW_ONLY(5)),
    ROW(0xA9, "DISPATCH_TASK_STATE_INIT", HARDWARE(task_state), HW_ONLY(3)),
    ROW(0xAA, "DISPATCH_TASKMESH_DIRECT_ACE", HARDWARE(task_direct), HW_ONLY(6)),
    ROW(0xAD, "DISPATCH_TASKMESH_INDIRECT_MULTI_ACE", HARDWARE(task_indirect), HW_ONLY(11)),
};

/* A no-op's payload means nothing to the hardware, whatever the bits that the console calls a sub-operation.
 */
#define SUB(code, text, ...) ROW(code, text, __VA_ARGS__, HARDWARE(neutral), HW_FROM(2))
#define IGNORED(code)        ROW(code, "NOP", HARDWARE(neutral), HW_FROM(2))
#define IGNORED4(code)       IGNORED(code), IGNORED(code + 1), IGNORED(code + 2), IGNORED(code + 3)

const struct et_pm4_op *const et_pm4_sub_ops[64] = {
    IGNORED4(0x01),
    IGNORED(0x05),
    SUB(0x06, "NOP.R_WAIT_FLIP_DONE", CONSOLE(wait_flip), EXACT(0xC0051018, 0)),
    IGNORED(0x07),
    IGNORED(0x08),
    SUB(0x09, "NOP.R_DISPATCH_RESET", CONSOLE(queue_reset), EXACT(0xC0001024, 0)),
    IGNORED(0x0A),
    SUB(0x0B, "NOP.R_PUSH_MARKER", CONSOLE(neutral), FROM(2)),
    SUB(0x0C, "NOP.R_POP_MARKER", CONSOLE(neutral), FROM(2)),
    IGNORED(0x0D),
    IGNORED4(0x0E),
    IGNORED(0x12),
    IGNORED(0x13),
    SUB(0x14, "NOP.R_ACQUIRE_MEM", CONSOLE(neutral), EXACT(0xC0061050, 0)),
    IGNORED(0x15),
    IGNORED(0x16),
    SUB(0x17, "NOP.R_FLIP", CONSOLE(flip), EXACT(0xC004105C, 0)),
    SUB(0x18, "NOP.R_RELEASE_MEM", CONSOLE(release), EXACT(0xC0061060, 0)),
    IGNORED(0x19),
    SUB(0x1A, "NOP.R_CONTEXT_STATE", CONSOLE(context_state), EITHER(3, 5)),
    IGNORED(0x1B),
    IGNORED4(0x1C),
    IGNORED4(0x20),
    IGNORED4(0x24),
    IGNORED4(0x28),
    IGNORED4(0x2C),
    IGNORED4(0x30),
    IGNORED4(0x34),
    IGNORED4(0x38),
    IGNORED4(0x3C),
};
