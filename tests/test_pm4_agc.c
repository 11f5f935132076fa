/* The builders: buffer and callback rules, sizes, names and NIDs, refusals, patches and queries (B1..B10). */
#include "support/suite.h"

#include "etalon-pm4-agc.h"
#include "etalon-pm4.h"

#include "base/bits.h"

#include <string.h>

enum { ROOM = 256 };

struct room {
    uint32_t words[ROOM], second[ROOM];
    struct etalon_agc_buffer buf;
    unsigned asked;
    uint32_t needed;
    bool refuse;
};

static void room_init(struct room *room, uint32_t dwords)
{
    memset(room, 0, sizeof *room);
    memset(room->words, 0xEE, sizeof room->words);
    room->buf = (struct etalon_agc_buffer){.bottom = room->words,
                                           .top = room->words + ROOM,
                                           .cursor_up = room->words,
                                           .cursor_down = room->words + dwords};
}

static bool grow(struct etalon_agc_buffer *buf, uint32_t needed, void *user)
{
    struct room *room = user;
    room->asked++;
    room->needed = needed;
    if (room->refuse)
        return false;
    buf->cursor_up = room->second;
    buf->cursor_down = room->second + ROOM;
    return true;
}

START_TEST(b01_header)
{
    struct room room;
    room_init(&room, ROOM);
    ck_assert_uint_eq(*etalon_agc_cb_nop(&room.buf, 9), 0xC0071000);
    ck_assert_uint_eq(*etalon_agc_dcb_pop_marker(&room.buf), 0xC0001000 | 0x0C << 2);
}
END_TEST

START_TEST(b02_b03_cursor)
{
    struct room room;
    room_init(&room, 8);
    ck_assert_ptr_eq(etalon_agc_cb_dispatch(&room.buf, 1, 2, 3, 0), room.words);
    ck_assert_ptr_eq(room.buf.cursor_up, room.words + 5);
    ck_assert_ptr_null(etalon_agc_cb_dispatch(&room.buf, 1, 2, 3, 0)); /* 3 dwords are left */
    ck_assert_ptr_eq(room.buf.cursor_up, room.words + 5);
    ck_assert_uint_eq(room.words[5], 0xEEEEEEEE); /* and nothing was written */
    room.buf.reserved_dw = 2;
    ck_assert_ptr_null(etalon_agc_dcb_set_num_instances(&room.buf, 1)); /* one of them is free */
    room.buf.reserved_dw = 1;
    ck_assert_ptr_eq(etalon_agc_dcb_set_num_instances(&room.buf, 1), room.words + 5);
    room.buf.cursor_down = room.words; /* below cursor_up: none */
    ck_assert_ptr_null(etalon_agc_dcb_set_num_instances(&room.buf, 1));
    ck_assert_ptr_null(etalon_agc_cb_nop(&room.buf, 0));
    ck_assert_ptr_null(etalon_agc_cb_nop(&room.buf, 1));
    ck_assert_ptr_null(etalon_agc_cb_nop(NULL, 4));
}
END_TEST

START_TEST(b04_callback)
{
    struct room room;
    room_init(&room, 4);
    room.buf.callback = grow;
    room.buf.user_data = &room;
    room.buf.reserved_dw = 3;
    ck_assert_ptr_eq(etalon_agc_cb_dispatch(&room.buf, 1, 2, 3, 0), room.second);
    ck_assert_uint_eq(room.asked, 1);
    ck_assert_uint_eq(room.needed, 5 + 3);
    room_init(&room, 4);
    room.buf.callback = grow;
    room.buf.user_data = &room;
    room.refuse = true;
    ck_assert_ptr_null(etalon_agc_cb_dispatch(&room.buf, 1, 2, 3, 0));
    ck_assert_uint_eq(room.words[0], 0xEEEEEEEE);
    room_init(&room, 4); /* granted, and still too little */
    room.buf.callback = grow;
    room.buf.user_data = &room;
    room.buf.reserved_dw = ROOM - 2;
    ck_assert_ptr_null(etalon_agc_cb_dispatch(&room.buf, 1, 2, 3, 0));
    ck_assert_uint_eq(room.asked, 1);
}
END_TEST

START_TEST(b05_widths)
{
    ck_assert_uint_eq(sizeof(etalon_agc_cb_branch_get_size()), 8);
    ck_assert_uint_eq(sizeof(etalon_agc_dcb_wait_on_address_get_size(0)), 8);
    ck_assert_uint_eq(sizeof(etalon_agc_dcb_draw_index_get_size()), 4);
    ck_assert_uint_eq(sizeof(etalon_agc_get_packet_size(NULL)), 4);
    ck_assert_uint_eq(etalon_agc_get_packet_size((const uint32_t[]){0xC0012D00}), 3); /* dwords, not bytes */
    ck_assert_uint_eq(etalon_agc_get_packet_size((const uint32_t[]){0xFFFF1000}), 1);
}
END_TEST

START_TEST(b06_b08_first_dword_and_internal_data)
{
    struct room room;
    room_init(&room, ROOM);
    uint32_t *wait = etalon_agc_dcb_wait_reg_mem(&room.buf, 1, 3, 0, 0, 0x100000920, 5, UINT64_MAX, 160);
    ck_assert_ptr_eq(wait, room.words);
    ck_assert_uint_eq(wait[0], 0xC0027904);
    ck_assert_uint_eq(wait[2], 0xC8020001);
    ck_assert_uint_eq(wait[15], 0xC8000000);
    ck_assert_ptr_null(etalon_agc_dcb_wait_reg_mem(&room.buf, 2, 3, 0, 0, 0x100000920, 5, UINT64_MAX, 160));
    uint32_t *multi = etalon_agc_dcb_draw_indirect_multi(&room.buf, 0, 0, 1, 0, 16, 0);
    ck_assert_uint_eq(multi[2], 0xC6000008);
    ck_assert_uint_eq(multi[15], 0xC6000000);
}
END_TEST

/* B9: every builder with a size function, on several arguments. The exceptions are those that the facts name.
 */
START_TEST(b09_sizes_agree)
{
    unsigned builders = 0, sizes = 0, compared = 0;
    for (size_t i = 0; etalon_agc_function(i); i++) {
        const struct etalon_agc_function *function = etalon_agc_function(i);
        uint64_t bytes;
        sizes += function->kind == ETALON_AGC_GETSIZE && etalon_agc_size(function->name, 1, &bytes);
        const char *signature = etalon_agc_signature(function->name);
        ck_assert_int_eq(signature != NULL, function->kind == ETALON_AGC_BUILDER);
        if (!signature)
            continue;
        builders++;
        for (unsigned round = 0; round < 4 && *function->companion; round++) {
            static const uint32_t data[64];
            struct etalon_agc_argument arguments[16] = {0};
            uint32_t argument = 0;
            struct room room;
            room_init(&room, ROOM);
            for (size_t at = 0; signature[at]; at++) {
                arguments[at].value = signature[at] == 'c' ? 2 + round
                                      : round < 2          ? round
                                                           : 0x100000000 + round * 8;
                arguments[at].data = data;
                if (signature[at] == 'c' || !at)
                    argument = (uint32_t)arguments[at].value;
            }
            if (!strcmp(function->name, "AgcCbNop"))
                argument = (uint32_t)(arguments[0].value = 2 + round);
            const uint32_t *first = etalon_agc_call(function->name, &room.buf, arguments, strlen(signature));
            const uint64_t emitted = (uint64_t)(room.buf.cursor_up - room.words) * 4;
            ck_assert_int_eq(first != NULL, emitted != 0);
            ck_assert_uint_eq(etalon_agc_emitted(function->name, arguments, strlen(signature)), emitted);
            if (!emitted || !strcmp(function->name, "AgcDcbDrawIndexIndirectMulti"))
                continue;
            ck_assert(etalon_agc_size(function->companion, argument, &bytes));
            ck_assert_msg(bytes == emitted, "%s: %llu, emitted %llu", function->name,
                          (unsigned long long)bytes, (unsigned long long)emitted);
            compared++;
        }
    }
    ck_assert_uint_eq(builders, 63);
    ck_assert_uint_eq(sizes, 61);
    ck_assert_uint_gt(compared, 100);
    ck_assert_uint_eq(etalon_agc_dcb_draw_index_indirect_multi_get_size(),
                      64); /* the console's, not 4 x 10 */
    ck_assert_uint_eq(etalon_agc_dcb_context_state_op_get_size(3), 128);
    ck_assert_uint_eq(etalon_agc_dcb_context_state_op_get_size(4), 0);
    ck_assert_uint_eq(etalon_agc_acb_atomic_gds_get_size(), 44);
}
END_TEST

/* ---- NIDs ---- */

static uint32_t rotate(uint32_t word, unsigned by)
{
    return word << by | word >> (32 - by);
}

/* SHA-1 of at most 119 bytes. */
static void sha1(const uint8_t *bytes, size_t count, uint8_t digest[20])
{
    uint32_t h[5] = {0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476, 0xC3D2E1F0};
    uint8_t padded[128] = {0};
    const size_t blocks = count + 9 > 64 ? 2 : 1;
    memcpy(padded, bytes, count);
    padded[count] = 0x80;
    padded[blocks * 64 - 2] = (uint8_t)(count * 8 >> 8);
    padded[blocks * 64 - 1] = (uint8_t)(count * 8);
    for (size_t block = 0; block < blocks; block++) {
        uint32_t w[80], a = h[0], b = h[1], c = h[2], d = h[3], e = h[4];
        for (unsigned i = 0; i < 80; i++) {
            const uint8_t *at = padded + block * 64 + i * 4;
            w[i] = i < 16 ? (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3]
                          : rotate(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
            const uint32_t f = i < 20   ? (b & c) | (~b & d)
                               : i < 40 ? b ^ c ^ d
                               : i < 60 ? (b & c) | (b & d) | (c & d)
                                        : b ^ c ^ d;
            static const uint32_t k[4] = {0x5A827999, 0x6ED9EBA1, 0x8F1BBCDC, 0xCA62C1D6};
            const uint32_t next = rotate(a, 5) + f + e + k[i / 20] + w[i];
            e = d;
            d = c;
            c = rotate(b, 30);
            b = a;
            a = next;
        }
        h[0] += a, h[1] += b, h[2] += c, h[3] += d, h[4] += e;
    }
    for (unsigned i = 0; i < 20; i++)
        digest[i] = (uint8_t)(h[i / 4] >> (24 - i % 4 * 8));
}

/* B10: base64 of the digest's first 8 bytes reversed, '-' for '/', without padding. */
static void nid_of(const char *name, char nid[12])
{
    static const uint8_t suffix[16] = {0x51, 0x8D, 0x64, 0xA6, 0x35, 0xDE, 0xD8, 0xC1,
                                       0xE6, 0xB0, 0x39, 0xB1, 0xC3, 0xE5, 0x52, 0x30};
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-";
    uint8_t text[112], digest[20];
    uint64_t value = 0;
    const size_t length = strlen(name);
    memcpy(text, name, length);
    memcpy(text + length, suffix, sizeof suffix);
    sha1(text, length + sizeof suffix, digest);
    for (unsigned i = 8; i-- > 0;)
        value = value << 8 | digest[i];
    for (unsigned i = 0; i < 11; i++)
        nid[i] = letters[i < 10 ? value >> (58 - 6 * i) & 63 : (value & 15) << 2];
    nid[11] = 0;
}

START_TEST(b10_names_and_nids)
{
    unsigned matching = 0, functions = 0;
    char nid[12];
    for (size_t i = 0; etalon_agc_function(i); i++) {
        const struct etalon_agc_function *function = etalon_agc_function(i);
        functions++;
        nid_of(function->exported, nid);
        matching += strstr(function->nids, nid) != NULL;
        ck_assert_ptr_eq(etalon_agc_find(function->name), function);
        ck_assert_ptr_eq(etalon_agc_find(function->exported), function);
        char first[12] = {0};
        memcpy(first, function->nids, 11);
        ck_assert_ptr_eq(etalon_agc_find(first), function);
    }
    ck_assert_uint_eq(functions, 190);
    ck_assert_uint_ge(matching, 145);
    ck_assert_str_eq(etalon_agc_find("q88lQ+GP5Yk")->name, "AgcDcbDrawIndex");
    ck_assert_str_eq(etalon_agc_find("k-JpyR2dYAM")->name, "AgcCondExecPatchSetEnd"); /* a second NID */
    ck_assert_ptr_null(etalon_agc_find("AgcNothing"));
    ck_assert_ptr_null(etalon_agc_find(NULL));
}
END_TEST

START_TEST(refusals)
{
    struct room room;
    room_init(&room, ROOM);
    struct etalon_agc_buffer *buf = &room.buf;
    ck_assert_ptr_null(etalon_agc_cb_release_mem(buf, 4, 0, 2, 0, 8, 2, 0, 0, 0, 0, 0));
    ck_assert_ptr_null(etalon_agc_cb_release_mem(buf, 4, 0, 0, 0, 8, 4, 0, 0, 0, 0, 0));
    ck_assert_ptr_null(etalon_agc_cb_release_mem(buf, 4, 0, 0, 0, 8, 6, 0, 0, 0, 0, 0));
    ck_assert_ptr_null(etalon_agc_cb_release_mem(buf, 4, 0, 0, 0, 8, 2, 0, 0, 0, 5, 0));
    ck_assert_ptr_null(etalon_agc_acb_reset_queue(buf, 1));
    ck_assert_ptr_null(etalon_agc_dcb_reset_queue(buf, 0x1000, 0));
    ck_assert_ptr_null(etalon_agc_dcb_cond_exec(buf, 0, 1));
    ck_assert_ptr_null(etalon_agc_dcb_cond_exec(buf, 0x1002, 1));
    ck_assert_ptr_null(etalon_agc_acb_cond_exec(buf, 0x1000, 0x4000));
    ck_assert_ptr_null(etalon_agc_acb_write_data(buf, 2, 0, 8, NULL, 1, 0, 0));
    ck_assert_ptr_null(etalon_agc_acb_write_data(buf, 2, 0, 8, room.second, 0, 0, 0));
    ck_assert_ptr_null(etalon_agc_acb_write_data(buf, 2, 0, 8, room.second, 0x3FFE, 0, 0));
    ck_assert_ptr_null(etalon_agc_dcb_draw_index(buf, 3, 0, 0));
    ck_assert_ptr_null(etalon_agc_dcb_draw_index(buf, 3, 0x1001, 0));
    ck_assert_ptr_null(etalon_agc_dcb_draw_index_multi_instanced(buf, 3, 0x1000, 0, 1, 0));
    ck_assert_ptr_null(etalon_agc_dcb_set_index_buffer(buf, 1));
    ck_assert_ptr_null(etalon_agc_dcb_draw_index_indirect_multi(buf, 0, 2, 1, 0, 20, 0));
    ck_assert_ptr_null(etalon_agc_dcb_event_write(buf, 0x40, 0));
    ck_assert_ptr_null(etalon_agc_dcb_context_state_op(buf, 4));
    ck_assert_ptr_null(etalon_agc_cb_set_sh_registers_direct(buf, NULL, 0));
    const uint32_t twice[] = {3, 3}, far[] = {64};
    ck_assert_ptr_null(etalon_agc_dcb_set_workloads_active(buf, 5, twice, 2, UINT32_MAX));
    ck_assert_ptr_null(etalon_agc_dcb_set_workloads_active(buf, 5, far, 1, UINT32_MAX));
    ck_assert_ptr_null(etalon_agc_dcb_set_workloads_active(buf, 5, twice, 1, ~(1u << 5)));
    ck_assert_ptr_null(etalon_agc_dcb_set_workloads_active(buf, 0, twice, 1, UINT32_MAX));
    ck_assert_ptr_null(etalon_agc_dcb_set_workload_complete(buf, 5, 64, UINT32_MAX));
    ck_assert_ptr_eq(room.buf.cursor_up, room.words); /* nothing was written by any */
}
END_TEST

/* Runs of registers around a buffer that is too small for one of them. */
START_TEST(register_runs_without_space)
{
    static const struct etalon_agc_register regs[] = {{1, 1}, {2, 2}, {3, 3}, {9, 9}};
    struct room room;
    room_init(&room, 4); /* the first run needs 5 */
    ck_assert_ptr_null(etalon_agc_cb_set_sh_registers_direct(&room.buf, regs, 4));
    ck_assert_ptr_eq(room.buf.cursor_up, room.words);
    uint32_t *first = etalon_agc_cb_set_uc_registers_direct(&room.buf, regs, 4); /* skips it */
    ck_assert_ptr_eq(first, room.words);
    ck_assert_uint_eq(first[1], 9);
    room_init(&room, 7);
    ck_assert_ptr_eq(etalon_agc_cb_set_sh_registers_direct(&room.buf, regs, 4),
                     room.words); /* the first one alone */
    ck_assert_ptr_eq(room.buf.cursor_up, room.words + 5);
    /* A range without values leaves the payload for later. */
    room_init(&room, 8);
    first = etalon_agc_cb_set_sh_register_range_direct(&room.buf, 0x1000C, NULL, 2);
    ck_assert_uint_eq(first[1], 0xC);
    ck_assert_uint_eq(first[2], 0xEEEEEEEE);
    /* A save or restore reserves its 22 dwords at once. */
    room_init(&room, 24);
    ck_assert_ptr_null(etalon_agc_dcb_context_state_op(&room.buf, 2)); /* 3 are taken, 22 do not fit */
    ck_assert_ptr_eq(room.buf.cursor_up, room.words + 3);
}
END_TEST

START_TEST(b07_patches)
{
    struct room room;
    room_init(&room, ROOM);
    struct etalon_agc_buffer *buf = &room.buf;
    uint32_t *cmd = etalon_agc_dcb_set_cx_registers_indirect(buf, 0x1000, 3), other[16] = {0xC0001000};
    ck_assert_int_eq(etalon_agc_set_cx_reg_indirect_patch_set_address(cmd, 0x234567890123), 0);
    ck_assert_uint_eq(cmd[1], 0x67890120 | 0);
    ck_assert_uint_eq(cmd[2], 0x2345);
    ck_assert_int_eq(etalon_agc_set_sh_reg_indirect_patch_set_address(cmd, 0), ETALON_AGC_INVALID_PACKET);
    ck_assert_int_eq(etalon_agc_set_cx_reg_indirect_patch_set_num_registers(cmd, 0x3FFF), 0);
    ck_assert_int_eq(etalon_agc_set_cx_reg_indirect_patch_add_registers(cmd, 3), 0);
    ck_assert_uint_eq(cmd[4], 2); /* wraps */
    ck_assert_int_eq(etalon_agc_set_uc_reg_indirect_patch_add_registers(cmd, 3), ETALON_AGC_INVALID_PACKET);

    cmd = etalon_agc_dcb_write_data(buf, 4, 0, 0, room.second, 1, 0, 0);
    ck_assert_int_eq(etalon_agc_write_data_patch_set_address_or_offset(cmd, 0x123456789A), 0);
    ck_assert_uint_eq(cmd[2], 0x3456789A);
    ck_assert_uint_eq(cmd[3], 0x12);
    ck_assert_int_eq(etalon_agc_write_data_patch_set_address_or_offset(other, 1), ETALON_AGC_INVALID_PACKET);

    cmd = etalon_agc_dcb_dma_data(buf, 0, 3, 0, 0, 3, 0, 0, 4, 0, 0, 0);
    ck_assert_int_eq(etalon_agc_dma_data_patch_set_dst_address_or_offset(cmd, 0x100000040), 0);
    ck_assert_int_eq(etalon_agc_dma_data_patch_set_src_address_or_offset_or_immediate(cmd, 0x200000080), 0);
    ck_assert_uint_eq(cmd[4], 0x40);
    ck_assert_uint_eq(cmd[2], 0x80);
    ck_assert_uint_eq(cmd[3], 2);

    cmd = etalon_agc_dcb_jump(buf, 1, 2, 0x100000040, 5);
    ck_assert_int_eq(etalon_agc_jump_patch_set_target(cmd, 0x345600000081, 9), 0);
    ck_assert_uint_eq(cmd[1], 0x81);
    ck_assert_uint_eq(cmd[2], 0x3456);
    ck_assert_uint_eq(cmd[3], 0x2F300009);
    ck_assert_int_eq(etalon_agc_unknown_ikfdtriqce(cmd, 1, 0x1000000C3, 7, 0, 0), 0);
    ck_assert_uint_eq(cmd[1], 0xC0 | 1);
    ck_assert_uint_eq(cmd[3], 0x1F300007);
    ck_assert_int_eq(etalon_agc_branch_patch_set_then_target(cmd, 1, 0x80, 3), ETALON_AGC_INVALID_PACKET);
    cmd = etalon_agc_cb_branch(buf, 1, 3, 0x1000, 0, 0, 0, 0x2000, 4, 0, 0x3000, 5);
    ck_assert_int_eq(etalon_agc_branch_patch_set_then_target(cmd, 3, 0x100000080, 6), 0);
    ck_assert_uint_eq(cmd[8], 0x80);
    ck_assert_uint_eq(cmd[9], 1);
    ck_assert_uint_eq(cmd[10], 0x30000006);

    cmd = etalon_agc_dcb_cond_exec(buf, 0x1000, 0);
    ck_assert_int_eq(etalon_agc_cond_exec_patch_set_end(cmd, cmd + 5 + 17), 0);
    ck_assert_uint_eq(cmd[4], 17);
    ck_assert_int_eq(etalon_agc_cond_exec_patch_set_end(cmd, cmd + 4), ETALON_AGC_INVALID_PACKET);
    ck_assert_int_eq(etalon_agc_cond_exec_patch_set_command_address(cmd, 0x100000006),
                     ETALON_AGC_INVALID_PACKET);
    ck_assert_int_eq(etalon_agc_cond_exec_patch_set_command_address(cmd, 0x100000008), 0);
    ck_assert_uint_eq(cmd[2], 1);
    cmd = etalon_agc_dcb_rewind(buf, 0);
    ck_assert_int_eq(etalon_agc_rewind_patch_set_rewind_state(cmd, 1), 0);
    ck_assert_uint_eq(cmd[1], 0x80000000);
}
END_TEST

START_TEST(b07_patches_of_waits_and_labels)
{
    struct room room;
    room_init(&room, ROOM);
    uint32_t *cmd = etalon_agc_dcb_wait_reg_mem(&room.buf, 0, 3, 0, 0, 0x1003, 5, UINT64_MAX, 160);
    ck_assert_int_eq(etalon_agc_wait_reg_mem_patch_address(cmd, 0x1234500000107), 0);
    ck_assert_uint_eq(cmd[2], 0xC8012345);
    ck_assert_uint_eq(cmd[3], 0x107);
    ck_assert_uint_eq(cmd[6], 0x104);
    ck_assert_uint_eq(cmd[7], 0x12345 & 0x3FFFF);
    ck_assert_int_eq(etalon_agc_wait_reg_mem_patch_reference(cmd, 0x1122334455667788), 0);
    ck_assert_uint_eq(cmd[8], 0x55667788);
    ck_assert_int_eq(etalon_agc_wait_reg_mem_patch_reference(cmd + 4, 1), ETALON_AGC_INVALID_PACKET);
    cmd = etalon_agc_dcb_wait_reg_mem(&room.buf, 1, 3, 0, 0, 0x1000, 0x900000005, UINT64_MAX, 160);
    ck_assert_int_eq(etalon_agc_wait_reg_mem_patch_reference(cmd, 0x1122334455667788), 0);
    ck_assert_uint_eq(cmd[9], 9); /* the high dword stays */
    cmd = etalon_agc_cb_release_mem(&room.buf, 4, 0, 0, 0, 8, 1, 5, 0, 0, 0, 0);
    ck_assert_int_eq(etalon_agc_queue_end_of_pipe_action_patch_address(cmd, 0x200000010), 0);
    ck_assert_uint_eq(cmd[3], 0x10);
    ck_assert_uint_eq(cmd[4], 2);
    ck_assert_int_eq(etalon_agc_queue_end_of_pipe_action_patch_data(cmd, 0x105, 1, 0xFF123456), 0);
    ck_assert_uint_eq(cmd[5], 0x03123456);
    ck_assert_uint_eq(cmd[6], 1);
    ck_assert_int_eq(etalon_agc_queue_end_of_pipe_action_patch_data(cmd, 0, 2, 0x900000007), 0);
    ck_assert_uint_eq(cmd[6], 9);
    uint32_t eop[6] = {0xC0044700, 0, 0, 0x40000000};
    ck_assert_int_eq(etalon_agc_queue_end_of_pipe_action_patch_address(eop, 0x200000010), 0);
    ck_assert_uint_eq(eop[3], 0x40000002);
    uint32_t other[8] = {0xC0001000};
    ck_assert_int_eq(etalon_agc_queue_end_of_pipe_action_patch_address(other, 1), ETALON_AGC_INVALID_PACKET);
}
END_TEST

START_TEST(predication_and_payload)
{
    uint32_t words[] = {0xC0012D00, 1, 2, 0xFFFF1000, 0xC0001000, 0};
    ck_assert_int_eq(etalon_agc_set_range_predication(words, words + 6, 1), 0);
    ck_assert_uint_eq(words[0], 0xC0012D01);
    ck_assert_uint_eq(words[3], 0xFFFF1001);
    ck_assert_uint_eq(words[4], 0xC0001001);
    ck_assert_int_eq(etalon_agc_set_packet_predication(words, 0x101), 0); /* the low byte is 1 */
    ck_assert_uint_eq(words[0], 0xC0012D01);
    ck_assert_int_eq(etalon_agc_set_packet_predication(words, 2), 0);
    ck_assert_uint_eq(words[0], 0xC0012D00);
    uint32_t *payload;
    struct etalon_agc_payload range;
    ck_assert_int_eq(etalon_agc_get_data_packet_payload_address(&payload, words, 0), 0);
    ck_assert_ptr_eq(payload, words + 1);
    ck_assert_int_eq(etalon_agc_get_data_packet_payload_address(&payload, words + 3, 0), 0);
    ck_assert_ptr_null(payload);
    ck_assert_int_eq(etalon_agc_get_data_packet_payload_range(&range, words, 1), 0);
    ck_assert_ptr_eq(range.base, words + 2);
    ck_assert_uint_eq(range.size, 4);
    ck_assert_int_eq(etalon_agc_get_data_packet_payload_range(&range, words, 0), 0);
    ck_assert_uint_eq(range.size, 8);
    ck_assert_uint_eq(etalon_agc_get_is_trinity_mode(), 0);
}
END_TEST

/* What the builders emit decodes without an unknown packet, and the console profile accepts every header. */
START_TEST(emitted_packets_decode)
{
    for (size_t i = 0; etalon_agc_function(i); i++) {
        const char *name = etalon_agc_function(i)->name, *signature = etalon_agc_signature(name);
        static const uint32_t data[64];
        struct etalon_agc_argument arguments[16] = {0};
        struct etalon_pm4_decoded decoded;
        struct room room;
        if (!signature)
            continue;
        room_init(&room, ROOM);
        for (size_t at = 0; signature[at]; at++) {
            arguments[at].value = signature[at] == 'c' ? 3 : 0;
            arguments[at].data = signature[at] == 's' ? (const void *)"text" : data;
        }
        if (!strcmp(name, "AgcCbNop"))
            arguments[0].value = 4;
        etalon_agc_call(name, &room.buf, arguments, strlen(signature));
        const uint32_t dwords = (uint32_t)(room.buf.cursor_up - room.words);
        ck_assert_int_eq(etalon_pm4_decode(room.words, dwords, 0, false, NULL, NULL, &decoded, NULL),
                         ETALON_OK);
        ck_assert_msg(!decoded.unknown_opcodes, "%s", name);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("pm4 builders");
    TCase *builders = tcase_create("builders");
    tcase_add_test(builders, b01_header);
    tcase_add_test(builders, b02_b03_cursor);
    tcase_add_test(builders, b04_callback);
    tcase_add_test(builders, b05_widths);
    tcase_add_test(builders, b06_b08_first_dword_and_internal_data);
    tcase_add_test(builders, b09_sizes_agree);
    tcase_add_test(builders, b10_names_and_nids);
    tcase_add_test(builders, refusals);
    tcase_add_test(builders, register_runs_without_space);
    tcase_add_test(builders, b07_patches);
    tcase_add_test(builders, b07_patches_of_waits_and_labels);
    tcase_add_test(builders, predication_and_payload);
    tcase_add_test(builders, emitted_packets_decode);
    suite_add_tcase(suite, builders);
    return suite_run(suite);
}
