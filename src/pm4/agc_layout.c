/* Layouts of the packets that the builders emit. Facts: conformance/pm4/builders.csv; derivations are named
 * there. */
#include "pm4/agc.h"

#include "base/bits.h"

#include <string.h>

/* Indices of derived values. */
enum { D0 = ET_AGC_ARGUMENTS, D1, D2, D3 };

#define WORDS(...)                                                                                           \
    .words = (const uint32_t[]){__VA_ARGS__},                                                                \
    .count = sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t)
#define TERMS(...)                                                                                           \
    .terms = (const struct et_agc_term[])                                                                    \
    {                                                                                                        \
        __VA_ARGS__,                                                                                         \
        {                                                                                                    \
            0, 0, 0, 0, 0                                                                                    \
        }                                                                                                    \
    }
#define NO_TERMS                                                                                             \
    .terms = (const struct et_agc_term[])                                                                    \
    {                                                                                                        \
        {                                                                                                    \
            0, 0, 0, 0, 0                                                                                    \
        }                                                                                                    \
    }
/* A field of `width` bits of an argument; the low and high dword; the low dword without its 2, 3, 4 or 6 low
 * bits. */
#define F(dword, argument, width, at)                                                                        \
    {                                                                                                        \
        dword, argument, 0, width, at                                                                        \
    }
#define X(dword, argument, from, width, at)                                                                  \
    {                                                                                                        \
        dword, argument, from, width, at                                                                     \
    }
#define LO(dword, argument)                                                                                  \
    {                                                                                                        \
        dword, argument, 0, 32, 0                                                                            \
    }
#define HI(dword, argument)                                                                                  \
    {                                                                                                        \
        dword, argument, 32, 32, 0                                                                           \
    }
#define LO2(dword, argument)                                                                                 \
    {                                                                                                        \
        dword, argument, 2, 30, 2                                                                            \
    }
#define LO3(dword, argument)                                                                                 \
    {                                                                                                        \
        dword, argument, 3, 29, 3                                                                            \
    }
#define LO4(dword, argument)                                                                                 \
    {                                                                                                        \
        dword, argument, 4, 28, 4                                                                            \
    }
#define LO6(dword, argument)                                                                                 \
    {                                                                                                        \
        dword, argument, 6, 26, 6                                                                            \
    }

/* ---- derivations and refusals ---- */

/* Bits of a dispatch modifier that reach the initiator, with COMPUTE_SHADER_EN and ORDER_MODE. */
static void derive_dispatch(struct et_agc_call *call, unsigned argument)
{
    call->value[D0] = (call->value[argument] & 0xA038) | 0x41;
}

static bool dispatch(struct et_agc_call *call)
{
    derive_dispatch(call, 3);
    return true;
}

static bool dispatch_indirect(struct et_agc_call *call)
{
    derive_dispatch(call, 1);
    return true;
}

static bool release_mem(struct et_agc_call *call)
{
    enum { ACTION, GCR, DST, POLICY, ADDRESS, DATA_SELECT, DATA, GDS_OFFSET, GDS_SIZE, INTERRUPT };
    uint64_t *v = call->value;
    if (v[DST] > 1 || v[DATA_SELECT] > 5 || v[DATA_SELECT] == 4 || v[INTERRUPT] > 4)
        return false;
    v[D0] = v[GCR] & 0xFFF;
    if ((v[GCR] & 0x300) == 0x100)
        v[D0] |= 0x200;
    v[D1] = v[ACTION] >= 0x2F ? 6 : 5;
    v[D2] = v[INTERRUPT] == 4 ? 0 : v[ADDRESS];
    v[D3] = v[INTERRUPT] == 4     ? 0
            : v[DATA_SELECT] == 5 ? (v[GDS_OFFSET] & 0xFFFF) | (v[GDS_SIZE] & 0xFFFF) << 16
                                  : v[DATA];
    return true;
}

static bool acb_reset(struct et_agc_call *call)
{
    return !(call->value[0] & ~UINT64_C(0x1C2));
}

static bool dcb_reset(struct et_agc_call *call)
{
    return !(call->value[0] & ~UINT64_C(0xFFF));
}

static bool acb_event(struct et_agc_call *call)
{
    call->value[D0] = (call->value[0] & 0x3F) == 7 ? 4 : 0;
    return true;
}

/* Arguments of an acquire, moved to those of the graphics form: engine, cb_db_op, gcr, base, size, poll. */
static bool acquire(struct et_agc_call *call)
{
    uint64_t *v = call->value;
    v[D0] = v[4] == UINT64_MAX ? 0 : v[4] >> 8;
    v[D1] = v[3] >> 8;
    v[D2] = v[5] / 40;
    return true;
}

static bool acb_acquire(struct et_agc_call *call)
{
    uint64_t *v = call->value;
    v[D0] = v[2] == UINT64_MAX ? 0 : v[2] >> 8;
    v[D1] = v[1] >> 8;
    v[D2] = v[3] / 40;
    return true;
}

static bool cond_exec(struct et_agc_call *call)
{
    return call->value[0] && !(call->value[0] & 3) && call->value[1] <= 0x3FFF;
}

/* DMA sources that stand for registers. */
static uint64_t dma_source(uint64_t selector, uint64_t address, uint64_t third, unsigned engine)
{
    static const uint32_t registers[2][3] = {{0x30174, 0x3017C, 0x30184}, {0x30148, 0x30150, 0x30158}};
    if (selector == 0x14)
        return registers[engine][0];
    if (selector == 0x24)
        return registers[engine][1];
    return selector == third ? registers[engine][2] : address;
}

static bool dcb_dma(struct et_agc_call *call)
{
    call->value[D0] = dma_source(call->value[4], call->value[6], 0x64, call->value[0] & 1);
    return true;
}

static bool acb_dma(struct et_agc_call *call)
{
    call->value[D0] = dma_source(call->value[3], call->value[5], 0x25, 0);
    return true;
}

/* A modifier: bit 32 means default; else bit 8 asks for not_eop (bit 5 of the initiator). */
static uint32_t draw_initiator(uint64_t modifier)
{
    return modifier >> 32 & 1 ? 0 : (uint32_t)modifier >> 3 & 0x20;
}

static bool draw_address_ok(uint64_t address)
{
    return address && !(address & 1);
}

static bool draw_index(struct et_agc_call *call)
{
    call->value[D0] = draw_initiator(call->value[2]);
    call->value[D1] = call->value[0] ? call->value[0] : 1;
    return draw_address_ok(call->value[1]);
}

static bool draw_instanced(struct et_agc_call *call)
{
    call->value[D0] = draw_initiator(call->value[4]) | 0x80;
    call->value[D1] = call->value[3] ? call->value[3] : 1;
    return draw_address_ok(call->value[1]) && call->value[2];
}

static bool draw_auto(struct et_agc_call *call)
{
    call->value[D0] = draw_initiator(call->value[1]) | 2;
    return true;
}

static bool draw_offset(struct et_agc_call *call)
{
    call->value[D0] = draw_initiator(call->value[2]);
    call->value[D1] = call->value[1] ? call->value[1] : 1;
    return true;
}

static bool index_buffer(struct et_agc_call *call)
{
    return !(call->value[0] & 1);
}

enum { NO_REGISTER = 0x280 };

/* SH registers that receive an indirect draw's arguments, out of its modifier: D0 the initiator, D1 and D2
 * the dwords of the vertex and instance locations, D3 the location of the draw number. */
static void patch_locations(struct et_agc_call *call, uint64_t modifier, bool indexed)
{
    const uint32_t m = (uint32_t)modifier, stage = m >> 29;
    const uint32_t base = stage == 3 || stage == 5 ? 0x10C : 0x8C;
    const bool index = indexed && m >> 1 & 1;
    uint64_t *v = call->value;
    v[D0] = draw_initiator(modifier) | 2;
    v[D1] = m & 1 ? base + et_bits(m, 13, 9) : NO_REGISTER;
    v[D2] = m >> 2 & 1 ? base + et_bits(m, 23, 19) : NO_REGISTER;
    if (index) {
        v[D1] |= (uint64_t)(base + et_bits(m, 18, 14)) << 16;
        v[D2] |= 1 << 27;
    }
    v[D3] = m >> 3 & 1 ? base + et_bits(m, 28, 24) : NO_REGISTER;
}

static bool draw_indirect(struct et_agc_call *call)
{
    patch_locations(call, call->value[1], false);
    return true;
}

static bool draw_index_indirect(struct et_agc_call *call)
{
    patch_locations(call, call->value[1], true);
    return true;
}

static bool draw_multi(struct et_agc_call *call)
{
    patch_locations(call, call->value[5], false);
    return true;
}

static bool draw_index_multi(struct et_agc_call *call)
{
    patch_locations(call, call->value[5], true);
    return call->value[1] <= 1;
}

static bool dcb_event(struct et_agc_call *call)
{
    return call->value[0] <= 0x3F;
}

static uint32_t event_length(uint64_t type)
{
    return (type & 0xFE) == 0x38 ? 4 : 2;
}

static void fill_event(const struct et_agc_call *call, uint32_t *out, uint32_t length)
{
    const uint32_t type = (uint32_t)call->value[0];
    out[0] = et_agc_header(length, 0x46, 0);
    out[1] = type | (length == 4 ? 0x100 : type == 7 || type == 15 || type == 16 ? 0x400 : 0);
    if (length == 4) {
        out[2] = (uint32_t)call->value[1] & ~7u;
        out[3] = (uint32_t)(call->value[1] >> 32);
    }
}

static uint32_t nop_length(uint64_t dwords)
{
    return (uint32_t)dwords;
}

static bool nop(struct et_agc_call *call)
{
    return call->value[0] >= 2 && call->value[0] <= 0x4000;
}

static void fill_nop(const struct et_agc_call *call, uint32_t *out, uint32_t length)
{
    (void)call;
    out[0] = et_agc_header(length, 0x10, 0);
}

static uint32_t range_length(uint64_t values)
{
    return (uint32_t)values + 2;
}

static bool range(struct et_agc_call *call)
{
    return call->value[2] <= 0x3FFF;
}

/* Without values the payload keeps what the buffer held, for later patching. */
static void fill_range(const struct et_agc_call *call, uint32_t *out, uint32_t length)
{
    out[0] = et_agc_header(length, 0x76, 0);
    out[1] = (uint32_t)call->value[0] & 0xFFFF;
    if (call->data[1])
        memcpy(out + 2, call->data[1], (size_t)(length - 2) * 4);
}

static uint32_t data_length(uint64_t dwords)
{
    return (uint32_t)dwords + 4;
}

static bool acb_write(struct et_agc_call *call)
{
    return call->data[3] && call->value[4] && call->value[4] <= 0x3FFD;
}

static bool dcb_write(struct et_agc_call *call)
{
    return call->data[3] && call->value[4] <= 0x3FFD;
}

static void fill_write(const struct et_agc_call *call, uint32_t *out, uint32_t length, bool graphics)
{
    const uint64_t *v = call->value;
    const uint32_t to = (uint32_t)v[0];
    out[0] = et_agc_header(length, 0x37, 0);
    out[1] = (graphics ? (to & 1) << 30 | (to & 0x1E) << 7 : (to & 0xF) << 8) | ((uint32_t)v[5] & 1) << 16 |
             (to ? (uint32_t)v[6] & 1 : 0) << 20 | ((uint32_t)v[1] & 3) << 25;
    out[2] = (uint32_t)v[2] & (graphics ? ~3u : ~0u);
    out[3] = (uint32_t)(v[2] >> 32);
    memcpy(out + 4, call->data[3], (size_t)(length - 4) * 4);
}

static void fill_dcb_write(const struct et_agc_call *call, uint32_t *out, uint32_t length)
{
    fill_write(call, out, length, true);
}

static void fill_acb_write(const struct et_agc_call *call, uint32_t *out, uint32_t length)
{
    fill_write(call, out, length, false);
}

/* ---- waits, between two packets of internal data (B8) ---- */

enum { INTERNAL_DATA = 0x342 };

static uint32_t wait_length(uint64_t size)
{
    return size == 0 ? 14 : size == 1 ? 16 : 0;
}

static void fill_wait(const struct et_agc_call *call, uint32_t *out, uint32_t function, uint32_t op,
                      uint32_t policy, const uint64_t *v)
{
    const uint64_t address = v[0], reference = v[1], mask = v[2];
    const bool wide = call->value[0] != 0;
    const uint32_t poll = (uint32_t)ET_MIN(v[3] >> 4, UINT64_C(0xFFFF)), hi = (uint32_t)(address >> 32);
    const uint32_t operation = wide ? (op & 1) << 8 | (op & 6) << 5 : (op & 3) << 8 | (op & 12) << 4;
    out[0] = et_agc_header(4, 0x79, 1);
    out[1] = INTERNAL_DATA;
    out[2] = (wide ? 0xC8020000 : 0xC8010000) | (hi & 0xFFFF);
    out[3] = (uint32_t)address;
    uint32_t *wait = out + 4;
    *wait++ = et_agc_header(wide ? 9 : 7, wide ? 0x93 : 0x3C, 0);
    *wait++ = 0x10 | (function & 7) | operation | (policy & 3) << 25;
    *wait++ = (uint32_t)address & (wide ? ~7u : ~3u);
    *wait++ = hi & 0x3FFFF;
    *wait++ = (uint32_t)reference;
    if (wide)
        *wait++ = (uint32_t)(reference >> 32);
    *wait++ = (uint32_t)mask;
    if (wide)
        *wait++ = (uint32_t)(mask >> 32);
    *wait++ = poll;
    *wait++ = et_agc_header(3, 0x79, 1);
    *wait++ = INTERNAL_DATA;
    *wait = 0xC8000000;
}

static void fill_dcb_wait(const struct et_agc_call *call, uint32_t *out, uint32_t length)
{
    (void)length;
    fill_wait(call, out, (uint32_t)call->value[1], (uint32_t)call->value[2], (uint32_t)call->value[3],
              call->value + 4);
}

static void fill_acb_wait(const struct et_agc_call *call, uint32_t *out, uint32_t length)
{
    (void)length;
    fill_wait(call, out, (uint32_t)call->value[1], 0, (uint32_t)call->value[2], call->value + 3);
}

/* ---- markers and workloads ---- */

/* `prepare` puts the text's length where the table looks for it. */
static bool marker(struct et_agc_call *call)
{
    call->value[D0] = call->data[0] ? strlen(call->data[0]) : 0;
    return call->value[D0] / 4 + 2 <= 0x4000;
}

static uint32_t marker_length(uint64_t characters)
{
    return (uint32_t)(characters / 4) + 2;
}

static void fill_marker(const struct et_agc_call *call, uint32_t *out, uint32_t length)
{
    out[0] = et_agc_header(length, 0x10, 0x0B);
    if (call->data[0])
        memcpy(out + 1, call->data[0], call->value[D0]);
}

static bool stream_registered(uint64_t stream, uint64_t registered)
{
    return stream >= 1 && stream <= 31 && registered >> stream & 1;
}

static bool workloads(struct et_agc_call *call)
{
    const uint32_t *ids = call->data[1], count = (uint32_t)call->value[2];
    uint64_t mask = 0;
    if (!ids || count < 1 || count > 63 || !stream_registered(call->value[0], call->value[3]))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        if (ids[i] > 63 || mask >> ids[i] & 1)
            return false;
        mask |= UINT64_C(1) << ids[i];
    }
    call->value[D0] = mask;
    return true;
}

static bool workload_complete(struct et_agc_call *call)
{
    call->value[D0] = call->value[1] <= 63 ? ~(UINT64_C(1) << call->value[1]) : 0;
    return call->value[1] <= 63 && stream_registered(call->value[0], call->value[2]);
}

/* ---- builders of several allocations ---- */

static uint32_t state_length(uint64_t operation)
{
    static const uint32_t lengths[4] = {5, 27, 27, 32};
    return operation < 4 ? lengths[operation] : 0;
}

/* [DRV] segments: an entry of 22 reserves the three that follow as one. */
static const uint8_t state_segments[4][8] = {
    {5}, {22, 5, 8, 9, 3, 2}, {3, 22, 5, 8, 9, 2}, {22, 5, 8, 9, 3, 2, 5}};

static uint32_t *build_state(const struct et_agc_call *call, struct etalon_agc_buffer *buf)
{
    uint32_t *first = NULL;
    if (call->value[0] > 3)
        return NULL;
    for (const uint8_t *segment = state_segments[call->value[0]]; *segment; segment++) {
        if (*segment == 22) {
            if (!et_agc_reserve(buf, 22))
                return NULL;
            continue;
        }
        uint32_t *out = et_agc_allocate(buf, *segment);
        if (!out)
            return NULL;
        memset(out, 0, *segment * sizeof *out);
        out[0] = et_agc_header(*segment, 0x10, first ? 0 : 0x1A);
        if (first)
            continue;
        first = out;
        out[1] = (uint32_t)call->value[0];
    }
    return first;
}

static uint32_t state_emitted(const struct et_agc_call *call)
{
    return state_length(call->value[0]);
}

/* Registers of consecutive offsets from `at`. */
static uint32_t run_of(const struct etalon_agc_register *regs, uint32_t at, uint32_t count)
{
    uint32_t run = 1;
    while (at + run < count && regs[at + run].offset == regs[at + run - 1].offset + 1 && run < 0x3FFF)
        run++;
    return run;
}

static uint32_t *build_runs(const struct et_agc_call *call, struct etalon_agc_buffer *buf, uint32_t opcode,
                            bool go_on)
{
    const struct etalon_agc_register *regs = call->data[0];
    const uint32_t count = (uint32_t)call->value[1];
    uint32_t *first = NULL;
    for (uint32_t at = 0; regs && at < count;) {
        const uint32_t run = run_of(regs, at, count);
        uint32_t *out = et_agc_allocate(buf, run + 2);
        if (!out && !go_on)
            return first;
        if (out) {
            first = first ? first : out;
            out[0] = et_agc_header(run + 2, opcode, 0);
            out[1] = regs[at].offset & 0xFFFF;
            for (uint32_t i = 0; i < run; i++)
                out[2 + i] = regs[at + i].value;
        }
        at += run;
    }
    return first;
}

static uint32_t *build_sh_runs(const struct et_agc_call *call, struct etalon_agc_buffer *buf)
{
    return build_runs(call, buf, 0x76, false);
}

/* A run that finds no space is skipped, and the next one tried. */
static uint32_t *build_uc_runs(const struct et_agc_call *call, struct etalon_agc_buffer *buf)
{
    return build_runs(call, buf, 0x79, true);
}

static uint32_t runs_emitted(const struct et_agc_call *call)
{
    uint32_t dwords = 0;
    for (uint32_t at = 0, run; call->data[0] && at < call->value[1]; at += run) {
        run = run_of(call->data[0], at, (uint32_t)call->value[1]);
        dwords += run + 2;
    }
    return dwords;
}

/* ---- the table ---- */

#define ROW(id, text, kinds, ...) [ET_##id] = {.name = text, .signature = kinds, __VA_ARGS__}
#define BRANCH_WORDS              0xC00C3F00, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
#define MULTI_TAGS(...)                                                                                      \
    0xC0017904, INTERNAL_DATA, 0xC6000008, __VA_ARGS__, 0xC0017904, INTERNAL_DATA, 0xC6000000
#define MARKER .prepare = marker, .length = marker_length, .sized_by = D0, .fill = fill_marker

/* DMA: selectors and tail, with the indices of: source policy, dst, dst policy, src, bytes, wait, confirm. */
#define DMA_TERMS(spol, dst, dpol, src, bytes, wait, confirm)                                                \
    F(1, spol, 2, 13), F(1, dst, 2, 20), F(1, dpol, 2, 25), F(1, src, 2, 29), LO(2, D0), HI(3, D0),          \
        F(6, bytes, 26, 0), X(6, src, 2, 1, 26), X(6, dst, 2, 1, 27), X(6, src, 3, 1, 28),                   \
        X(6, dst, 3, 1, 29), F(6, wait, 1, 30), F(6, confirm, 1, 31)

const struct et_agc_layout et_agc_layouts[ET_AGC_BUILDER_COUNT] = {
    ROW(DCB_CONTEXT_STATE_OP, "AgcDcbContextStateOp", "n", .length = state_length, .build = build_state,
        .emitted = state_emitted),
    ROW(CB_NOP, "AgcCbNop", "n", .prepare = nop, .length = nop_length, .fill = fill_nop),
    ROW(CB_DISPATCH, "AgcCbDispatch", "nnnn", .prepare = dispatch, WORDS(0xC0031500, 0, 0, 0, 0),
        TERMS(LO(1, 0), LO(2, 1), LO(3, 2), LO(4, D0))),
    ROW(CB_BRANCH, "AgcCbBranch", "nnnnnnnnnnn", WORDS(BRANCH_WORDS),
        TERMS(F(1, 0, 2, 0), F(1, 1, 3, 8), LO3(2, 2), HI(3, 2), LO(4, 3), HI(5, 3), LO(6, 4), HI(7, 4),
              LO2(8, 6), HI(9, 6), F(10, 7, 20, 0), F(10, 5, 2, 28), LO2(11, 9), HI(12, 9), F(13, 10, 20, 0),
              F(13, 8, 2, 28))),
    ROW(CB_SET_SH_REGISTER_RANGE_DIRECT, "AgcCbSetShRegisterRangeDirect", "nwc", .prepare = range,
        .length = range_length, .sized_by = 2, .fill = fill_range),
    ROW(CB_SET_SH_REGISTERS_DIRECT, "AgcCbSetShRegistersDirect", "rc", .build = build_sh_runs,
        .emitted = runs_emitted),
    ROW(CB_SET_UC_REGISTERS_DIRECT, "AgcCbSetUcRegistersDirect", "rc", .build = build_uc_runs,
        .emitted = runs_emitted),
    ROW(CB_RELEASE_MEM, "AgcCbReleaseMem", "nnnnnnnnnnn", .prepare = release_mem,
        WORDS(0xC0061060, 0, 0, 0, 0, 0, 0, 0),
        TERMS(F(1, 0, 6, 0), F(1, D1, 3, 8), F(1, D0, 12, 12), F(1, 3, 2, 25), F(2, 2, 2, 16), F(2, 9, 3, 24),
              F(2, 5, 3, 29), LO2(3, D2), HI(4, D2), LO(5, D3), HI(6, D3), F(7, 10, 27, 0))),
    ROW(ACB_RESET_QUEUE, "AgcAcbResetQueue", "n", .prepare = acb_reset, WORDS(0xC0001024, 0), NO_TERMS),
    ROW(ACB_EVENT_WRITE, "AgcAcbEventWrite", "nn", .prepare = acb_event, WORDS(0xC0004600, 0),
        TERMS(F(1, 0, 6, 0), F(1, D0, 4, 8))),
    ROW(ACB_ACQUIRE_MEM, "AgcAcbAcquireMem", "nnnn", .prepare = acb_acquire,
        WORDS(0xC0061050, 0x80000000, 0, 0, 0, 0, 0, 0), TERMS(LO(2, D0), LO(4, D1), LO(6, D2), LO(7, 0))),
    ROW(ACB_COND_EXEC, "AgcAcbCondExec", "nn", .prepare = cond_exec, WORDS(0xC0032200, 0, 0, 0, 0),
        TERMS(LO2(1, 0), HI(2, 0), F(4, 1, 14, 0))),
    ROW(ACB_WAIT_REG_MEM, "AgcAcbWaitRegMem", "nnnnnnn", .length = wait_length, .fill = fill_acb_wait),
    ROW(ACB_DMA_DATA, "AgcAcbDmaData", "nnnnnnnnn", .prepare = acb_dma, WORDS(0xC0055000, 0, 0, 0, 0, 0, 0),
        TERMS(DMA_TERMS(4, 0, 1, 3, 6, 7, 8), LO(4, 2), HI(5, 2))),
    ROW(ACB_COPY_DATA, "AgcAcbCopyData", "nnnnnnnn", WORDS(0xC0044000, 0, 0, 0, 0, 0),
        TERMS(F(1, 3, 4, 0), F(1, 0, 4, 8), F(1, 4, 2, 13), F(1, 6, 1, 16), F(1, 7, 1, 20), F(1, 1, 2, 25),
              LO(2, 5), HI(3, 5), LO(4, 2), HI(5, 2))),
    ROW(ACB_DISPATCH_INDIRECT, "AgcAcbDispatchIndirect", "nn", .prepare = dispatch_indirect,
        WORDS(0xC0021600, 0, 0, 0), TERMS(LO(1, 0), HI(2, 0), LO(3, D0))),
    ROW(ACB_WRITE_DATA, "AgcAcbWriteData", "nnnwcnn", .prepare = acb_write, .length = data_length,
        .sized_by = 4, .fill = fill_acb_write),
    ROW(ACB_SET_MARKER, "AgcAcbSetMarker", "sn", MARKER),
    ROW(ACB_PUSH_MARKER, "AgcAcbPushMarker", "sn", MARKER),
    ROW(ACB_POP_MARKER, "AgcAcbPopMarker", "", WORDS(0xC0001030, 0), NO_TERMS),
    ROW(DCB_RESET_QUEUE, "AgcDcbResetQueue", "nn", .prepare = dcb_reset, WORDS(0xC0001200, 0),
        TERMS(F(1, 1, 4, 0))),
    ROW(DCB_WAIT_UNTIL_SAFE_FOR_RENDERING, "AgcDcbWaitUntilSafeForRendering", "nn",
        WORDS(0xC0051018, 0, 0, 0, 0, 0, 0), TERMS(LO(1, 0), LO(2, 1))),
    ROW(DCB_SET_WORKLOADS_ACTIVE, "AgcDcbSetWorkloadsActive", "nwcn", .prepare = workloads,
        WORDS(0xC0101000, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
        TERMS(LO(1, 0), LO(2, D0), HI(3, D0))),
    ROW(DCB_SET_WORKLOAD_COMPLETE, "AgcDcbSetWorkloadComplete", "nnn", .prepare = workload_complete,
        WORDS(0xC00A1000, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0), TERMS(LO(1, 0), LO(2, 1), LO(3, D0), HI(4, D0))),
    ROW(DCB_SET_MARKER, "AgcDcbSetMarker", "sn", MARKER),
    ROW(DCB_SET_SH_REGISTER_DIRECT, "AgcDcbSetShRegisterDirect", "nn", WORDS(0xC0017600, 0, 0),
        TERMS(F(1, 0, 16, 0), LO(2, 1))),
    ROW(DCB_SET_CX_REGISTER_DIRECT, "AgcDcbSetCxRegisterDirect", "nn", WORDS(0xC0016900, 0, 0),
        TERMS(F(1, 0, 16, 0), LO(2, 1))),
    ROW(DCB_SET_UC_REGISTER_DIRECT, "AgcDcbSetUcRegisterDirect", "nn", WORDS(0xC0017900, 0, 0),
        TERMS(F(1, 0, 16, 0), LO(2, 1))),
    ROW(DCB_SET_CX_REGISTERS_INDIRECT, "AgcDcbSetCxRegistersIndirect", "nn",
        WORDS(0xC0039F00, 0, 0, 0x80000000, 0), TERMS(LO2(1, 0), HI(2, 0), F(4, 1, 14, 0))),
    ROW(DCB_SET_SH_REGISTERS_INDIRECT, "AgcDcbSetShRegistersIndirect", "nn",
        WORDS(0xC0036300, 0, 0, 0x80000000, 0), TERMS(LO2(1, 0), HI(2, 0), F(4, 1, 14, 0))),
    ROW(DCB_SET_UC_REGISTERS_INDIRECT, "AgcDcbSetUcRegistersIndirect", "nn",
        WORDS(0xC0036400, 0, 0, 0x80000000, 0), TERMS(LO2(1, 0), HI(2, 0), F(4, 1, 14, 0))),
    ROW(DCB_SET_INDEX_SIZE, "AgcDcbSetIndexSize", "nn", WORDS(0xC0017A00, 0x20000243, 0x400),
        TERMS(F(2, 0, 2, 0), F(2, 1, 2, 6))),
    ROW(DCB_SET_INDEX_BUFFER, "AgcDcbSetIndexBuffer", "n", .prepare = index_buffer, WORDS(0xC0012600, 0, 0),
        TERMS(LO(1, 0), HI(2, 0))),
    ROW(DCB_SET_INDEX_COUNT, "AgcDcbSetIndexCount", "n", WORDS(0xC0001300, 0), TERMS(LO(1, 0))),
    ROW(DCB_SET_NUM_INSTANCES, "AgcDcbSetNumInstances", "n", WORDS(0xC0002F00, 0), TERMS(LO(1, 0))),
    ROW(DCB_DRAW_INDEX, "AgcDcbDrawIndex", "nnn", .prepare = draw_index, WORDS(0xC0042700, 0, 0, 0, 0, 0),
        TERMS(LO(1, D1), LO(2, 1), HI(3, 1), LO(4, 0), LO(5, D0))),
    ROW(DCB_DRAW_INDEX_MULTI_INSTANCED, "AgcDcbDrawIndexMultiInstanced", "nnnnn", .prepare = draw_instanced,
        WORDS(0xC0073A00, 0, 0, 0, 0, 0, 0, 0, 0),
        TERMS(LO(1, 0), LO(2, 1), HI(3, 1), LO(4, D1), LO(5, 2), HI(6, 2), LO(7, 3), LO(8, D0))),
    ROW(DCB_DRAW_INDEX_AUTO, "AgcDcbDrawIndexAuto", "nn", .prepare = draw_auto, WORDS(0xC0012D00, 0, 0),
        TERMS(LO(1, 0), LO(2, D0))),
    ROW(DCB_DRAW_INDEX_OFFSET, "AgcDcbDrawIndexOffset", "nnn", .prepare = draw_offset,
        WORDS(0xC0033500, 0, 0, 0, 0), TERMS(LO(1, D1), LO(2, 0), LO(3, 1), LO(4, D0))),
    ROW(DCB_SET_BASE_INDIRECT_ARGS, "AgcDcbSetBaseIndirectArgs", "nn", WORDS(0xC0021100, 1, 0, 0),
        TERMS(F(0, 0, 31, 1), LO3(2, 1), HI(3, 1))),
    ROW(DCB_DRAW_INDIRECT, "AgcDcbDrawIndirect", "nn", .prepare = draw_indirect,
        WORDS(0xC0032400, 0, 0, 0, 0), TERMS(LO(1, 0), LO(2, D1), LO(3, D2), LO(4, D0))),
    ROW(DCB_DRAW_INDIRECT_MULTI, "AgcDcbDrawIndirectMulti", "nnnnnn", .prepare = draw_multi,
        WORDS(MULTI_TAGS(0xC0082C00, 0, 0, 0, 0, 0, 0, 0, 0, 0)),
        TERMS(LO(4, 0), LO(5, D1), LO(6, D2), LO(7, D3), X(7, 5, 4, 1, 27), F(7, 1, 1, 30), X(7, 5, 3, 1, 31),
              LO(8, 2), LO2(9, 3), HI(10, 3), LO(11, 4), LO(12, D0))),
    ROW(DCB_DRAW_INDEX_INDIRECT, "AgcDcbDrawIndexIndirect", "nn", .prepare = draw_index_indirect,
        WORDS(0xC0032500, 0, 0, 0, 0), TERMS(LO(1, 0), LO(2, D1), LO(3, D2), LO(4, D0))),
    ROW(DCB_DRAW_INDEX_INDIRECT_MULTI, "AgcDcbDrawIndexIndirectMulti", "nnnnnn", .prepare = draw_index_multi,
        WORDS(0xC0083800, 0, 0, 0, 0, 0, 0, 0, 0, 0),
        TERMS(LO(1, 0), LO(2, D1), LO(3, D2), F(4, 1, 1, 30), LO(5, 2), LO2(6, 3), HI(7, 3), LO(8, 4),
              LO(9, D0))),
    ROW(DCB_DISPATCH_INDIRECT, "AgcDcbDispatchIndirect", "nn", .prepare = dispatch_indirect,
        WORDS(0xC0011600, 0, 0), TERMS(LO(1, 0), LO(2, D0))),
    ROW(DCB_EVENT_WRITE, "AgcDcbEventWrite", "nn", .prepare = dcb_event, .length = event_length,
        .fill = fill_event),
    ROW(DCB_ACQUIRE_MEM, "AgcDcbAcquireMem", "nnnnnn", .prepare = acquire,
        WORDS(0xC0061050, 0, 0, 0, 0, 0, 0, 0),
        TERMS(F(1, 0, 1, 31), LO(1, 1), LO(2, D0), LO(4, D1), LO(6, D2), LO(7, 2))),
    ROW(DCB_COPY_DATA, "AgcDcbCopyData", "nnnnnnnn", WORDS(0xC0044000, 0, 0, 0, 0, 0),
        TERMS(X(1, 3, 1, 4, 0), X(1, 0, 1, 4, 8), F(1, 4, 2, 13), F(1, 6, 1, 16), F(1, 7, 1, 20),
              F(1, 1, 2, 25), F(1, 3, 1, 30), LO(2, 5), HI(3, 5), LO(4, 2), HI(5, 2))),
    ROW(DCB_DMA_DATA, "AgcDcbDmaData", "nnnnnnnnnnn", .prepare = dcb_dma, WORDS(0xC0055000, 0, 0, 0, 0, 0, 0),
        TERMS(F(1, 0, 1, 0), F(1, 10, 1, 31), DMA_TERMS(5, 1, 2, 4, 7, 8, 9), LO(4, 3), HI(5, 3))),
    ROW(DCB_JUMP, "AgcDcbJump", "nnnn", WORDS(0xC0023F00, 0, 0, 0x0F200000),
        TERMS(LO2(1, 2), HI(2, 2), F(3, 1, 2, 28), F(3, 0, 1, 20), F(3, 3, 20, 0))),
    ROW(DCB_REWIND, "AgcDcbRewind", "n", WORDS(0xC0005900, 0), TERMS(F(1, 0, 1, 31))),
    ROW(DCB_COND_EXEC, "AgcDcbCondExec", "nn", .prepare = cond_exec, WORDS(0xC0032200, 0, 0, 0, 0),
        TERMS(LO2(1, 0), HI(2, 0), F(4, 1, 14, 0))),
    ROW(DCB_SET_PREDICATION, "AgcDcbSetPredication", "nnnnn", WORDS(0xC0022000, 0, 0, 0),
        TERMS(F(1, 0, 1, 8), F(1, 2, 1, 12), F(1, 1, 3, 16), LO4(2, 3), HI(3, 3))),
    ROW(UNKNOWN_KRZWEKV120, "AgcUnknownKRzWekV120", "nnn", WORDS(0xC0017A00, 0x20000243, 0x400),
        TERMS(F(2, 0, 2, 0), F(2, 1, 2, 6), F(2, 2, 1, 14))),
    ROW(DCB_WRITE_DATA, "AgcDcbWriteData", "nnnwcnn", .prepare = dcb_write, .length = data_length,
        .sized_by = 4, .fill = fill_dcb_write),
    ROW(DCB_GET_LOD_STATS, "AgcDcbGetLodStats", "nnnnnnn", WORDS(0xC0038E00, 0, 0, 0, 0),
        TERMS(LO(1, 2), LO6(2, 1), HI(3, 1), F(4, 0, 2, 28), F(4, 5, 1, 19), F(4, 4, 1, 18), F(4, 3, 8, 10),
              F(4, 6, 8, 2))),
    ROW(DCB_WAIT_REG_MEM, "AgcDcbWaitRegMem", "nnnnnnnn", .length = wait_length, .fill = fill_dcb_wait),
    ROW(DCB_PUSH_MARKER, "AgcDcbPushMarker", "sn", MARKER),
    ROW(DCB_POP_MARKER, "AgcDcbPopMarker", "", WORDS(0xC0001030, 0), NO_TERMS),
    ROW(DCB_STALL_COMMAND_BUFFER_PARSER, "AgcDcbStallCommandBufferParser", "", WORDS(0xC0004200, 0),
        NO_TERMS),
    ROW(DCB_SET_FLIP, "AgcDcbSetFlip", "nnnn", WORDS(0xC004105C, 0, 0, 0, 0, 0),
        TERMS(LO(1, 0), LO(2, 1), LO(3, 2), LO(4, 3), HI(5, 3))),
    /* [INF] as the graphics form with mode 1: a jump. */
    ROW(ACB_JUMP, "AgcAcbJump", "nnn", WORDS(0xC0023F00, 0, 0, 0x0F300000),
        TERMS(LO2(1, 1), HI(2, 1), F(3, 0, 2, 28), F(3, 2, 20, 0))),
    /* [INF] */
    ROW(ACB_REWIND, "AgcAcbRewind", "nn", WORDS(0xC0005900, 0), TERMS(F(1, 0, 1, 31), F(1, 1, 1, 24))),
};
