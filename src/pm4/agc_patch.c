/* Patches of emitted packets and queries on them. Facts: conformance/pm4/builders.csv. */
#include "pm4/agc.h"

enum { OK = 0 };

static uint32_t opcode_of(const uint32_t *cmd)
{
    return cmd ? cmd[0] >> 8 & 0xFF : 0;
}

static uint32_t r_of(const uint32_t *cmd)
{
    return cmd[0] >> 2 & 0x3F;
}

static bool header_only(uint32_t header)
{
    return (header & 0x3FFFFF00) == 0x3FFF1000;
}

static void put64(uint32_t *to, uint64_t value)
{
    to[0] = (uint32_t)value;
    to[1] = (uint32_t)(value >> 32);
}

/* ---- register lists ---- */

static int list_address(uint32_t *cmd, uint32_t opcode, uint64_t address)
{
    if (opcode_of(cmd) != opcode)
        return ETALON_AGC_INVALID_PACKET;
    cmd[1] = (cmd[1] & 3) | ((uint32_t)address & ~3u);
    cmd[2] = (uint32_t)(address >> 32);
    return OK;
}

static int list_count(uint32_t *cmd, uint32_t opcode, uint32_t count, bool add)
{
    if (opcode_of(cmd) != opcode)
        return ETALON_AGC_INVALID_PACKET;
    cmd[4] = (cmd[4] & ~0x3FFFu) | ((count + (add ? cmd[4] : 0)) & 0x3FFF);
    return OK;
}

int etalon_agc_set_cx_reg_indirect_patch_set_address(uint32_t *cmd, uint64_t regs)
{
    return list_address(cmd, 0x9F, regs);
}

int etalon_agc_set_sh_reg_indirect_patch_set_address(uint32_t *cmd, uint64_t regs)
{
    return list_address(cmd, 0x63, regs);
}

int etalon_agc_set_uc_reg_indirect_patch_set_address(uint32_t *cmd, uint64_t regs)
{
    return list_address(cmd, 0x64, regs);
}

int etalon_agc_set_cx_reg_indirect_patch_set_num_registers(uint32_t *cmd, uint32_t num_regs)
{
    return list_count(cmd, 0x9F, num_regs, false);
}

int etalon_agc_set_sh_reg_indirect_patch_set_num_registers(uint32_t *cmd, uint32_t num_regs)
{
    return list_count(cmd, 0x63, num_regs, false);
}

int etalon_agc_set_uc_reg_indirect_patch_set_num_registers(uint32_t *cmd, uint32_t num_regs)
{
    return list_count(cmd, 0x64, num_regs, false);
}

int etalon_agc_set_cx_reg_indirect_patch_add_registers(uint32_t *cmd, uint32_t num_regs)
{
    return list_count(cmd, 0x9F, num_regs, true);
}

int etalon_agc_set_sh_reg_indirect_patch_add_registers(uint32_t *cmd, uint32_t num_regs)
{
    return list_count(cmd, 0x63, num_regs, true);
}

int etalon_agc_set_uc_reg_indirect_patch_add_registers(uint32_t *cmd, uint32_t num_regs)
{
    return list_count(cmd, 0x64, num_regs, true);
}

/* ---- data movement ---- */

static int put_address(uint32_t *cmd, uint32_t opcode, unsigned dword, uint64_t address)
{
    if (opcode_of(cmd) != opcode)
        return ETALON_AGC_INVALID_PACKET;
    put64(cmd + dword, address);
    return OK;
}

int etalon_agc_write_data_patch_set_address_or_offset(uint32_t *cmd, uint64_t address_or_offset)
{
    return put_address(cmd, 0x37, 2, address_or_offset);
}

int etalon_agc_dma_data_patch_set_dst_address_or_offset(uint32_t *cmd, uint64_t dst_address_or_offset)
{
    return put_address(cmd, 0x50, 4, dst_address_or_offset);
}

int etalon_agc_dma_data_patch_set_src_address_or_offset_or_immediate(
    uint32_t *cmd, uint64_t src_address_or_offset_or_immediate)
{
    return put_address(cmd, 0x50, 2, src_address_or_offset_or_immediate);
}

/* ---- jumps and conditions ---- */

int etalon_agc_jump_patch_set_target(uint32_t *cmd, uint64_t target, uint32_t size_in_dwords)
{
    if (opcode_of(cmd) != 0x3F)
        return ETALON_AGC_INVALID_PACKET;
    cmd[1] = (uint32_t)target;
    cmd[2] = (cmd[2] & 0xFFFF0000) | ((uint32_t)(target >> 32) & 0xFFFF);
    cmd[3] = (cmd[3] & 0xFFF00000) | (size_in_dwords & 0xFFFFF);
    return OK;
}

int etalon_agc_unknown_jump_patch_set_target(uint32_t *cmd, uint64_t target, uint32_t size_in_dwords)
{
    return etalon_agc_jump_patch_set_target(cmd, target, size_in_dwords);
}

int etalon_agc_unknown_ikfdtriqce(uint32_t *cmd, uint64_t arg1, uint64_t target, uint32_t size_in_dwords,
                                  uint64_t arg4, uint64_t arg5)
{
    (void)arg4, (void)arg5;
    if (opcode_of(cmd) != 0x3F)
        return ETALON_AGC_INVALID_PACKET;
    cmd[1] = (cmd[1] & 3) | ((uint32_t)target & ~3u);
    cmd[2] = (uint32_t)(target >> 32);
    cmd[3] = (cmd[3] & 0xCFF00000) | ((uint32_t)arg1 & 3) << 28 | (size_in_dwords & 0xFFFFF);
    return OK;
}

int etalon_agc_branch_patch_set_then_target(uint32_t *cmd, uint8_t cache_policy, uint64_t target,
                                            uint32_t size_in_dwords)
{
    if (opcode_of(cmd) != 0x3F || (cmd[0] >> 16 & 0x3FFF) != 12)
        return ETALON_AGC_INVALID_PACKET;
    cmd[8] = (cmd[8] & 3) | ((uint32_t)target & ~3u);
    cmd[9] = (uint32_t)(target >> 32);
    cmd[10] = (cmd[10] & 0xCFF00000) | (uint32_t)(cache_policy & 3) << 28 | (size_in_dwords & 0xFFFFF);
    return OK;
}

int etalon_agc_cond_exec_patch_set_end(uint32_t *cmd, const uint32_t *buffer)
{
    const uintptr_t end = (uintptr_t)(cmd + 5), to = (uintptr_t)buffer;
    if (opcode_of(cmd) != 0x22 || !buffer || to < end || (to - end) / 4 > 0x3FFF)
        return ETALON_AGC_INVALID_PACKET;
    cmd[4] = (cmd[4] & ~0x3FFFu) | (uint32_t)((to - end) / 4);
    return OK;
}

int etalon_agc_cond_exec_patch_set_command_address(uint32_t *cmd, uint64_t command)
{
    if (opcode_of(cmd) != 0x22 || command & 3)
        return ETALON_AGC_INVALID_PACKET;
    cmd[1] = (cmd[1] & 3) | ((uint32_t)command & ~3u);
    cmd[2] = (uint32_t)(command >> 32);
    return OK;
}

int etalon_agc_rewind_patch_set_rewind_state(uint32_t *cmd, uint8_t state)
{
    if (opcode_of(cmd) != 0x59)
        return ETALON_AGC_INVALID_PACKET;
    /* The processor may be polling this word (P34). */
    __atomic_store_n(&cmd[1], (cmd[1] & 0x7FFFFFFF) | (uint32_t)(state & 1) << 31, __ATOMIC_RELEASE);
    return OK;
}

/* ---- predication bits ---- */

static void predicate(uint32_t *packet, uint32_t predication)
{
    packet[0] = (packet[0] & ~1u) | ((uint8_t)predication == 1);
}

int etalon_agc_set_packet_predication(uint32_t *packet, uint32_t predication)
{
    if (!packet)
        return ETALON_AGC_INVALID_PACKET;
    predicate(packet, predication);
    return OK;
}

int etalon_agc_set_range_predication(uint32_t *start, const uint32_t *end, uint32_t predication)
{
    for (uintptr_t at = (uintptr_t)start; start && at < (uintptr_t)end;) {
        uint32_t *packet = (uint32_t *)at;
        const uint32_t length = etalon_agc_get_packet_size(packet);
        predicate(packet, predication);
        at += (uintptr_t)length * 4;
    }
    return OK;
}

/* ---- waits and labels ---- */

/* The wait packet behind a builder's tag packet, if that is what `cmd` is. */
static uint32_t *wait_behind_tag(uint32_t *cmd)
{
    if (!cmd || cmd[0] >> 16 != 0xC002 || opcode_of(cmd) != 0x79 || r_of(cmd) != 1 || cmd[1] != 0x342)
        return NULL;
    const uint32_t tag = cmd[2] & 0xFFFF0000;
    uint32_t *wait = cmd + 4;
    if (r_of(wait) || !((tag == 0xC8010000 && opcode_of(wait) == 0x3C && (wait[0] >> 16 & 0x3FFF) == 5) ||
                        (tag == 0xC8020000 && opcode_of(wait) == 0x93 && (wait[0] >> 16 & 0x3FFF) == 7)))
        return NULL;
    return wait;
}

int etalon_agc_wait_reg_mem_patch_address(uint32_t *cmd, uint64_t address)
{
    uint32_t *wait = wait_behind_tag(cmd);
    if (!wait)
        return ETALON_AGC_INVALID_PACKET;
    const uint32_t kept = opcode_of(wait) == 0x3C ? 3 : 7, hi = (uint32_t)(address >> 32);
    cmd[2] = (cmd[2] & 0xFFFF0000) | (hi & 0xFFFF);
    cmd[3] = (uint32_t)address;
    wait[2] = (wait[2] & kept) | ((uint32_t)address & ~kept);
    wait[3] = (wait[3] & ~0x3FFFFu) | (hi & 0x3FFFF);
    return OK;
}

/* Only the low dword changes, for both widths. */
int etalon_agc_wait_reg_mem_patch_reference(uint32_t *cmd, uint64_t reference)
{
    uint32_t *wait = wait_behind_tag(cmd);
    if (!wait)
        return ETALON_AGC_INVALID_PACKET;
    wait[4] = (uint32_t)reference;
    return OK;
}

static bool is_release_nop(const uint32_t *cmd)
{
    return opcode_of(cmd) == 0x10 && r_of(cmd) == 0x18;
}

int etalon_agc_queue_end_of_pipe_action_patch_address(uint32_t *cmd, uint64_t address)
{
    if (cmd && (is_release_nop(cmd) || opcode_of(cmd) == 0x49)) {
        put64(cmd + 3, address);
    } else if (opcode_of(cmd) == 0x47) {
        cmd[2] = (uint32_t)address;
        cmd[3] = (cmd[3] & 0xFFFF0000) | ((uint32_t)(address >> 32) & 0xFFFF);
    } else {
        return ETALON_AGC_INVALID_PACKET;
    }
    return OK;
}

int etalon_agc_queue_end_of_pipe_action_patch_data(uint32_t *cmd, uint32_t context_id, uint32_t data_sel,
                                                   uint64_t data)
{
    if (cmd && is_release_nop(cmd) && context_id > 1 && data_sel == 1)
        put64(cmd + 5, (uint64_t)(context_id - 2) << 24 | (data & 0xFFFFFF));
    else if (cmd && (is_release_nop(cmd) || opcode_of(cmd) == 0x49))
        put64(cmd + 5, data);
    else if (opcode_of(cmd) == 0x47)
        put64(cmd + 4, data);
    else
        return ETALON_AGC_INVALID_PACKET;
    return OK;
}

/* ---- queries ---- */

int etalon_agc_get_data_packet_payload_address(uint32_t **addr, uint32_t *cmd, int type)
{
    if (!addr || !cmd)
        return ETALON_AGC_INVALID_PACKET;
    *addr = type ? cmd + 2 : ~cmd[0] & 0x3FFF0000 ? cmd + 1 : NULL;
    return OK;
}

int etalon_agc_get_data_packet_payload_range(struct etalon_agc_payload *range, uint32_t *cmd, int type)
{
    if (!range || !cmd)
        return ETALON_AGC_INVALID_PACKET;
    const uint32_t bytes = cmd[0] >> 14 & 0xFFFC;
    *range = (struct etalon_agc_payload){.base = cmd + 2, .size = bytes};
    if (!type)
        *range = ~cmd[0] & 0x3FFF0000 ? (struct etalon_agc_payload){.base = cmd + 1, .size = bytes + 4}
                                      : (struct etalon_agc_payload){0};
    return OK;
}

uint32_t etalon_agc_get_packet_size(const uint32_t *packet)
{
    return !packet ? 0 : header_only(packet[0]) ? 1 : (packet[0] >> 16 & 0x3FFF) + 2;
}

uint64_t etalon_agc_get_is_trinity_mode(void)
{
    return 0;
}
