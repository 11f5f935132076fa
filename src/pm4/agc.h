/* The builders' layouts: one table that builders and size functions both walk, so that bytes and sizes cannot
 * disagree. */
#ifndef ET_PM4_AGC_H
#define ET_PM4_AGC_H

#include "etalon-pm4-agc.h"

/* Every builder: its place in the table and its name. */
#define ET_AGC_BUILDERS(X)                                                                                   \
    X(DCB_CONTEXT_STATE_OP, AgcDcbContextStateOp)                                                            \
    X(CB_NOP, AgcCbNop)                                                                                      \
    X(CB_DISPATCH, AgcCbDispatch)                                                                            \
    X(CB_BRANCH, AgcCbBranch)                                                                                \
    X(CB_SET_SH_REGISTER_RANGE_DIRECT, AgcCbSetShRegisterRangeDirect)                                        \
    X(CB_SET_SH_REGISTERS_DIRECT, AgcCbSetShRegistersDirect)                                                 \
    X(CB_SET_UC_REGISTERS_DIRECT, AgcCbSetUcRegistersDirect)                                                 \
    X(CB_RELEASE_MEM, AgcCbReleaseMem)                                                                       \
    X(ACB_RESET_QUEUE, AgcAcbResetQueue)                                                                     \
    X(ACB_EVENT_WRITE, AgcAcbEventWrite)                                                                     \
    X(ACB_ACQUIRE_MEM, AgcAcbAcquireMem)                                                                     \
    X(ACB_COND_EXEC, AgcAcbCondExec)                                                                         \
    X(ACB_WAIT_REG_MEM, AgcAcbWaitRegMem)                                                                    \
    X(ACB_DMA_DATA, AgcAcbDmaData)                                                                           \
    X(ACB_COPY_DATA, AgcAcbCopyData)                                                                         \
    X(ACB_DISPATCH_INDIRECT, AgcAcbDispatchIndirect)                                                         \
    X(ACB_WRITE_DATA, AgcAcbWriteData)                                                                       \
    X(ACB_SET_MARKER, AgcAcbSetMarker)                                                                       \
    X(ACB_PUSH_MARKER, AgcAcbPushMarker)                                                                     \
    X(ACB_POP_MARKER, AgcAcbPopMarker)                                                                       \
    X(DCB_RESET_QUEUE, AgcDcbResetQueue)                                                                     \
    X(DCB_WAIT_UNTIL_SAFE_FOR_RENDERING, AgcDcbWaitUntilSafeForRendering)                                    \
    X(DCB_SET_WORKLOADS_ACTIVE, AgcDcbSetWorkloadsActive)                                                    \
    X(DCB_SET_WORKLOAD_COMPLETE, AgcDcbSetWorkloadComplete)                                                  \
    X(DCB_SET_MARKER, AgcDcbSetMarker)                                                                       \
    X(DCB_SET_SH_REGISTER_DIRECT, AgcDcbSetShRegisterDirect)                                                 \
    X(DCB_SET_CX_REGISTER_DIRECT, AgcDcbSetCxRegisterDirect)                                                 \
    X(DCB_SET_UC_REGISTER_DIRECT, AgcDcbSetUcRegisterDirect)                                                 \
    X(DCB_SET_CX_REGISTERS_INDIRECT, AgcDcbSetCxRegistersIndirect)                                           \
    X(DCB_SET_SH_REGISTERS_INDIRECT, AgcDcbSetShRegistersIndirect)                                           \
    X(DCB_SET_UC_REGISTERS_INDIRECT, AgcDcbSetUcRegistersIndirect)                                           \
    X(DCB_SET_INDEX_SIZE, AgcDcbSetIndexSize)                                                                \
    X(DCB_SET_INDEX_BUFFER, AgcDcbSetIndexBuffer)                                                            \
    X(DCB_SET_INDEX_COUNT, AgcDcbSetIndexCount)                                                              \
    X(DCB_SET_NUM_INSTANCES, AgcDcbSetNumInstances)                                                          \
    X(DCB_DRAW_INDEX, AgcDcbDrawIndex)                                                                       \
    X(DCB_DRAW_INDEX_MULTI_INSTANCED, AgcDcbDrawIndexMultiInstanced)                                         \
    X(DCB_DRAW_INDEX_AUTO, AgcDcbDrawIndexAuto)                                                              \
    X(DCB_DRAW_INDEX_OFFSET, AgcDcbDrawIndexOffset)                                                          \
    X(DCB_SET_BASE_INDIRECT_ARGS, AgcDcbSetBaseIndirectArgs)                                                 \
    X(DCB_DRAW_INDIRECT, AgcDcbDrawIndirect)                                                                 \
    X(DCB_DRAW_INDIRECT_MULTI, AgcDcbDrawIndirectMulti)                                                      \
    X(DCB_DRAW_INDEX_INDIRECT, AgcDcbDrawIndexIndirect)                                                      \
    X(DCB_DRAW_INDEX_INDIRECT_MULTI, AgcDcbDrawIndexIndirectMulti)                                           \
    X(DCB_DISPATCH_INDIRECT, AgcDcbDispatchIndirect)                                                         \
    X(DCB_EVENT_WRITE, AgcDcbEventWrite)                                                                     \
    X(DCB_ACQUIRE_MEM, AgcDcbAcquireMem)                                                                     \
    X(DCB_COPY_DATA, AgcDcbCopyData)                                                                         \
    X(DCB_DMA_DATA, AgcDcbDmaData)                                                                           \
    X(DCB_JUMP, AgcDcbJump)                                                                                  \
    X(DCB_REWIND, AgcDcbRewind)                                                                              \
    X(DCB_COND_EXEC, AgcDcbCondExec)                                                                         \
    X(DCB_SET_PREDICATION, AgcDcbSetPredication)                                                             \
    X(UNKNOWN_KRZWEKV120, AgcUnknownKRzWekV120)                                                              \
    X(DCB_WRITE_DATA, AgcDcbWriteData)                                                                       \
    X(DCB_GET_LOD_STATS, AgcDcbGetLodStats)                                                                  \
    X(DCB_WAIT_REG_MEM, AgcDcbWaitRegMem)                                                                    \
    X(DCB_PUSH_MARKER, AgcDcbPushMarker)                                                                     \
    X(DCB_POP_MARKER, AgcDcbPopMarker)                                                                       \
    X(DCB_STALL_COMMAND_BUFFER_PARSER, AgcDcbStallCommandBufferParser)                                       \
    X(DCB_SET_FLIP, AgcDcbSetFlip)                                                                           \
    X(ACB_JUMP, AgcAcbJump)                                                                                  \
    X(ACB_REWIND, AgcAcbRewind)

/* Every size function. */
#define ET_AGC_SIZES(X)                                                                                      \
    X(DCB_CONTEXT_STATE_OP_GET_SIZE, AgcDcbContextStateOpGetSize)                                            \
    X(CB_NOP_GET_SIZE, AgcCbNopGetSize)                                                                      \
    X(CB_DISPATCH_GET_SIZE, AgcCbDispatchGetSize)                                                            \
    X(CB_SET_SH_REGISTER_RANGE_DIRECT_GET_SIZE, AgcCbSetShRegisterRangeDirectGetSize)                        \
    X(CB_QUEUE_END_OF_PIPE_ACTION_GET_SIZE, AgcCbQueueEndOfPipeActionGetSize)                                \
    X(ACB_ACQUIRE_MEM_GET_SIZE, AgcAcbAcquireMemGetSize)                                                     \
    X(ACB_COND_EXEC_GET_SIZE, AgcAcbCondExecGetSize)                                                         \
    X(ACB_JUMP_GET_SIZE, AgcAcbJumpGetSize)                                                                  \
    X(DCB_SET_CX_REGISTER_DIRECT_GET_SIZE, AgcDcbSetCxRegisterDirectGetSize)                                 \
    X(DCB_SET_NUM_INSTANCES_GET_SIZE, AgcDcbSetNumInstancesGetSize)                                          \
    X(DCB_DRAW_INDEX_GET_SIZE, AgcDcbDrawIndexGetSize)                                                       \
    X(DCB_DRAW_INDEX_MULTI_INSTANCED_GET_SIZE, AgcDcbDrawIndexMultiInstancedGetSize)                         \
    X(DCB_DRAW_INDEX_AUTO_GET_SIZE, AgcDcbDrawIndexAutoGetSize)                                              \
    X(DCB_DRAW_INDEX_OFFSET_GET_SIZE, AgcDcbDrawIndexOffsetGetSize)                                          \
    X(DCB_DRAW_INDIRECT_GET_SIZE, AgcDcbDrawIndirectGetSize)                                                 \
    X(DCB_DISPATCH_INDIRECT_GET_SIZE, AgcDcbDispatchIndirectGetSize)                                         \
    X(DCB_EVENT_WRITE_GET_SIZE, AgcDcbEventWriteGetSize)                                                     \
    X(DCB_ACQUIRE_MEM_GET_SIZE, AgcDcbAcquireMemGetSize)                                                     \
    X(DCB_JUMP_GET_SIZE, AgcDcbJumpGetSize)                                                                  \
    X(DCB_REWIND_GET_SIZE, AgcDcbRewindGetSize)                                                              \
    X(DCB_COND_EXEC_GET_SIZE, AgcDcbCondExecGetSize)                                                         \
    X(DCB_WRITE_DATA_GET_SIZE, AgcDcbWriteDataGetSize)                                                       \
    X(DCB_WAIT_ON_ADDRESS_GET_SIZE, AgcDcbWaitOnAddressGetSize)                                              \
    X(CB_BRANCH_GET_SIZE, AgcCbBranchGetSize)                                                                \
    X(ACB_WAIT_ON_ADDRESS_GET_SIZE, AgcAcbWaitOnAddressGetSize)                                              \
    X(ACB_COPY_DATA_GET_SIZE, AgcAcbCopyDataGetSize)                                                         \
    X(DCB_SET_CX_REGISTERS_INDIRECT_GET_SIZE, AgcDcbSetCxRegistersIndirectGetSize)                           \
    X(DCB_SET_SH_REGISTERS_INDIRECT_GET_SIZE, AgcDcbSetShRegistersIndirectGetSize)                           \
    X(DCB_COPY_DATA_GET_SIZE, AgcDcbCopyDataGetSize)                                                         \
    X(DCB_DMA_DATA_GET_SIZE, AgcDcbDmaDataGetSize)                                                           \
    X(ACB_DMA_DATA_GET_SIZE, AgcAcbDmaDataGetSize)                                                           \
    X(ACB_EVENT_WRITE_GET_SIZE, AgcAcbEventWriteGetSize)                                                     \
    X(DCB_SET_INDEX_BUFFER_GET_SIZE, AgcDcbSetIndexBufferGetSize)                                            \
    X(DCB_SET_INDEX_COUNT_GET_SIZE, AgcDcbSetIndexCountGetSize)                                              \
    X(DCB_SET_INDEX_SIZE_GET_SIZE, AgcDcbSetIndexSizeGetSize)                                                \
    X(DCB_STALL_COMMAND_BUFFER_PARSER_GET_SIZE, AgcDcbStallCommandBufferParserGetSize)                       \
    X(DCB_SET_SH_REGISTER_DIRECT_GET_SIZE, AgcDcbSetShRegisterDirectGetSize)                                 \
    X(DCB_SET_UC_REGISTER_DIRECT_GET_SIZE, AgcDcbSetUcRegisterDirectGetSize)                                 \
    X(DCB_SET_UC_REGISTERS_INDIRECT_GET_SIZE, AgcDcbSetUcRegistersIndirectGetSize)                           \
    X(DCB_DRAW_INDEX_INDIRECT_GET_SIZE, AgcDcbDrawIndexIndirectGetSize)                                      \
    X(DCB_DRAW_INDIRECT_MULTI_GET_SIZE, AgcDcbDrawIndirectMultiGetSize)                                      \
    X(DCB_DRAW_INDEX_INDIRECT_MULTI_GET_SIZE, AgcDcbDrawIndexIndirectMultiGetSize)                           \
    X(ACB_DISPATCH_INDIRECT_GET_SIZE, AgcAcbDispatchIndirectGetSize)                                         \
    X(DCB_GET_LOD_STATS_GET_SIZE, AgcDcbGetLodStatsGetSize)                                                  \
    X(ACB_REWIND_GET_SIZE, AgcAcbRewindGetSize)                                                              \
    X(DCB_SET_BASE_DRAW_INDIRECT_ARGS_GET_SIZE, AgcDcbSetBaseDrawIndirectArgsGetSize)                        \
    X(DCB_SET_BASE_DISPATCH_INDIRECT_ARGS_GET_SIZE, AgcDcbSetBaseDispatchIndirectArgsGetSize)                \
    X(DCB_SET_PREDICATION_DISABLE_GET_SIZE, AgcDcbSetPredicationDisableGetSize)                              \
    X(DCB_SET_BOOL_PREDICATION_ENABLE_GET_SIZE, AgcDcbSetBoolPredicationEnableGetSize)                       \
    X(DCB_SET_ZPASS_PREDICATION_ENABLE_GET_SIZE, AgcDcbSetZPassPredicationEnableGetSize)                     \
    X(ACB_ATOMIC_MEM_GET_SIZE, AgcAcbAtomicMemGetSize)                                                       \
    X(DCB_ATOMIC_MEM_GET_SIZE, AgcDcbAtomicMemGetSize)                                                       \
    X(ACB_ATOMIC_GDS_GET_SIZE, AgcAcbAtomicGdsGetSize)                                                       \
    X(DCB_ATOMIC_GDS_GET_SIZE, AgcDcbAtomicGdsGetSize)                                                       \
    X(CB_COND_WRITE_GET_SIZE, AgcCbCondWriteGetSize)                                                         \
    X(DCB_PRIME_UTCL2_GET_SIZE, AgcDcbPrimeUtcl2GetSize)                                                     \
    X(ACB_PRIME_UTCL2_GET_SIZE, AgcAcbPrimeUtcl2GetSize)                                                     \
    X(DCB_QUEUE_END_OF_SHADER_ACTION_GET_SIZE, AgcDcbQueueEndOfShaderActionGetSize)                          \
    X(ACB_QUEUE_END_OF_SHADER_ACTION_GET_SIZE, AgcAcbQueueEndOfShaderActionGetSize)                          \
    X(DCB_END_OCCLUSION_QUERY_GET_SIZE, AgcDcbEndOcclusionQueryGetSize)                                      \
    X(DCB_SET_INDEX_INDIRECT_ARGS_GET_SIZE, AgcDcbSetIndexIndirectArgsGetSize)

#define ET_AGC_ENUM(id, name) ET_##id,
enum et_agc_builder { ET_AGC_BUILDERS(ET_AGC_ENUM) ET_AGC_BUILDER_COUNT };
enum et_agc_size { ET_AGC_SIZES(ET_AGC_ENUM) ET_AGC_SIZE_COUNT };
#undef ET_AGC_ENUM

enum { ET_AGC_ARGUMENTS = 12, ET_AGC_DERIVED = 4 };

/* One call: arguments in order (the buffer apart), behind them what `prepare` derived from them. */
struct et_agc_call {
    uint64_t value[ET_AGC_ARGUMENTS + ET_AGC_DERIVED];
    const void *data[ET_AGC_ARGUMENTS];
};

/* word[dword] |= bits from..from+width-1 of an argument, at bit `at`. Width 0 ends a list. */
struct et_agc_term {
    uint8_t dword, argument, from, width, at;
};

struct et_agc_layout {
    const char *name, *signature; /* see etalon_agc_signature */
    /* Refuses arguments (false) and derives values. NULL: nothing to do. */
    bool (*prepare)(struct et_agc_call *call);
    /* The length in dwords: fixed, or of the argument `sized_by`. */
    uint32_t count;
    uint32_t (*length)(uint64_t argument);
    uint8_t sized_by;
    const uint32_t *words; /* constants of a fixed packet */
    const struct et_agc_term *terms;
    /* Variable packets: fills `length` zeroed dwords. */
    void (*fill)(const struct et_agc_call *call, uint32_t *out, uint32_t length);
    /* Builders of several allocations do it all themselves; emitted counts their dwords. */
    uint32_t *(*build)(const struct et_agc_call *call, struct etalon_agc_buffer *buf);
    uint32_t (*emitted)(const struct et_agc_call *call);
};
extern const struct et_agc_layout et_agc_layouts[ET_AGC_BUILDER_COUNT];

/* Makes room and takes it (B3, B4); NULL when there is none. */
bool et_agc_reserve(struct etalon_agc_buffer *buf, uint32_t dwords);
uint32_t *et_agc_allocate(struct etalon_agc_buffer *buf, uint32_t dwords);
uint32_t *et_agc_build(enum et_agc_builder builder, struct etalon_agc_buffer *buf,
                       const struct etalon_agc_argument *arguments, size_t count);
/* Bytes, by the layout of the builder that the size function goes with. */
uint64_t et_agc_size(enum et_agc_size size, uint64_t argument);

/* B1: the header of a whole packet of `length` dwords. */
static inline uint32_t et_agc_header(uint32_t length, uint32_t opcode, uint32_t r)
{
    return 0xC0000000 | ((length - 2) & 0x3FFF) << 16 | opcode << 8 | (r & 0x3F) << 2;
}

#endif
