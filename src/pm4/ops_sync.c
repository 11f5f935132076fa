/* Waits, branches and the counters between the two engines (P12..P16, P18, P21, P22, P33, P34, P50). */
#include "pm4/ops.h"

uint32_t et_pm4_memory_fault(struct et_pm4_run *run, uint64_t address, const char *what)
{
    return et_pm4_fail(run, ETALON_PM4_MEMORY_FAULT, "%s at 0x%llx is not mapped", what,
                       (unsigned long long)address);
}

/* ---- WAIT_REG_MEM ---- */

/* A register to poll, by absolute number; false with the fault recorded. */
static bool poll_register(struct et_pm4_run *run, uint32_t number, uint64_t *value)
{
    enum etalon_pm4_space space;
    uint32_t offset;
    number &= 0x3FFFF;
    if (!et_pm4_locate(number, &space, &offset)) {
        et_pm4_fail(run, ETALON_PM4_REGISTER_OUT_OF_RANGE, "register 0x%x is in no space", number);
        return false;
    }
    *value = et_pm4_read_register(run, space, offset);
    return true;
}

/* Operation 1 of the hardware: writes the reference to one register, then polls another. */
static uint32_t write_then_poll(struct et_pm4_run *run, const uint32_t *body, uint64_t reference,
                                uint64_t mask, unsigned function, uint32_t count)
{
    enum etalon_pm4_space space;
    uint32_t offset;
    uint64_t seen;
    const uint32_t value = (uint32_t)reference;
    if (!poll_register(run, body[2], &seen))
        return ET_PM4_FAULT_HERE;
    if (!et_pm4_locate(body[1] & 0x3FFFF, &space, &offset))
        return et_pm4_fail(run, ETALON_PM4_REGISTER_OUT_OF_RANGE, "register 0x%x is in no space",
                           body[1] & 0x3FFFF);
    et_pm4_write_registers(run, space, offset, &value, 1);
    poll_register(run, body[2], &seen);
    if (et_pm4_compare(function, seen, mask, reference))
        return count;
    return et_pm4_block(run, ETALON_PM4_WAIT_REGISTER, body[2] & 0x3FFFF, reference, mask, function, seen);
}

/* Bits of the operation: the console packs engine and operation, and knows only a pure wait on either engine.
 */
static bool operation_ok(struct et_pm4_run *run, uint32_t control, bool wide)
{
    const uint32_t packed =
        wide ? (control >> 8 & 1) | (control >> 5 & 6) : (control >> 8 & 3) | (control >> 4 & 12);
    if (!run->console || packed <= 1)
        return true;
    et_pm4_fail(run, ETALON_PM4_BAD_FIELD, "wait operation 0x%x", packed);
    return false;
}

static uint32_t wait_value(struct et_pm4_run *run, const uint32_t *body, uint32_t count, bool wide)
{
    const uint32_t control = body[0], function = control & 7;
    const uint64_t reference = wide ? et_pm4_address(body[3], body[4]) : body[3];
    const uint64_t mask = wide ? et_pm4_address(body[5], body[6]) : body[4];
    const uint64_t address =
        et_pm4_address(body[1] & (wide ? ~7u : ~3u), run->console ? body[2] & 0x3FFFF : body[2]);
    uint64_t seen;
    if (!(control >> 4 & 1) && run->console)
        return et_pm4_fail(run, ETALON_PM4_UNSUPPORTED_WAIT_SPACE, "register space");
    if (!operation_ok(run, control, wide))
        return ET_PM4_FAULT_HERE;
    if (function == 7)
        return et_pm4_fail(run, ETALON_PM4_BAD_COMPARE_FUNCTION, "function 7");
    if (!(control >> 4 & 1)) {
        if ((control >> 6 & 3) == 1)
            return write_then_poll(run, body, reference, mask, function, count);
        if (!poll_register(run, body[1], &seen))
            return ET_PM4_FAULT_HERE;
        if (et_pm4_compare(function, seen, mask, reference))
            return count;
        return et_pm4_block(run, ETALON_PM4_WAIT_REGISTER, body[1] & 0x3FFFF, reference, mask, function,
                            seen);
    }
    if (!et_pm4_load(&run->pm4->memory, address, wide ? 8 : 4, &seen))
        return et_pm4_memory_fault(run, address, "the polled value");
    if (et_pm4_compare(function, seen, mask, reference))
        return count;
    return et_pm4_block(run, ETALON_PM4_WAIT_MEMORY, address, reference, mask, function, seen);
}

uint32_t et_pm4_wait32(struct et_pm4_run *run, uint32_t header, const uint32_t *body, uint32_t count)
{
    (void)header;
    return wait_value(run, body, count, false);
}

uint32_t et_pm4_wait64(struct et_pm4_run *run, uint32_t header, const uint32_t *body, uint32_t count)
{
    (void)header;
    return wait_value(run, body, count, true);
}

/* The packet is its own label: software sets bit 31 of it (P5, P34). */
uint32_t et_pm4_rewind(struct et_pm4_run *run, uint32_t header, const uint32_t *body, uint32_t count)
{
    (void)header;
    const uint32_t word = __atomic_load_n(body, __ATOMIC_ACQUIRE);
    if (run->console && word & ~0x81000000u)
        return et_pm4_fail(run, ETALON_PM4_BAD_FIELD, "body 0x%08x", word);
    if (word >> 31)
        return count;
    return et_pm4_block(run, ETALON_PM4_WAIT_REWIND, 0, 0x80000000, 0x80000000, 3, word);
}

/* ---- conditional execution ---- */

/* Skips `skipped` dwords after the packet, which must lie inside the current buffer (P18). */
static bool range_ok(struct et_pm4_run *run, uint32_t count, uint32_t skipped)
{
    if (count + skipped < run->remaining)
        return true;
    et_pm4_fail(run, ETALON_PM4_COND_EXEC_RANGE, "%u dwords after the packet, of which there are %u", skipped,
                run->remaining - 1 - count);
    return false;
}

uint32_t et_pm4_cond_exec(struct et_pm4_run *run, uint32_t header, const uint32_t *body, uint32_t count)
{
    (void)header;
    const uint64_t address = et_pm4_address(body[0] & ~3u, body[1]);
    const uint32_t skipped = body[3] & 0x3FFF;
    uint64_t value;
    if (run->console && (body[0] & 3 || body[2] || !address))
        return et_pm4_fail(run, ETALON_PM4_BAD_FIELD, "control %u, word %08x, address 0x%llx", body[0] & 3,
                           body[2], (unsigned long long)address);
    if (!range_ok(run, count, skipped))
        return ET_PM4_FAULT_HERE;
    if (!et_pm4_load(&run->pm4->memory, address, 4, &value))
        return et_pm4_memory_fault(run, address, "the condition");
    return value ? count : count + skipped;
}

/* PRED_EXEC: the packets after it run on the devices of the mask; this is device 0. */
uint32_t et_pm4_pred_exec(struct et_pm4_run *run, uint32_t header, const uint32_t *body, uint32_t count)
{
    (void)header;
    const uint32_t skipped = body[0] & 0x3FFF;
    if (!range_ok(run, count, skipped))
        return ET_PM4_FAULT_HERE;
    return body[0] >> 24 & 1 ? count : count + skipped;
}

/* ---- indirect buffers ---- */

/* Asks for a buffer after the packet; size 0 is nothing to run (P14). */
static uint32_t go(struct et_pm4_run *run, uint64_t address, uint32_t dwords, bool chain, uint32_t count)
{
    if (!address && dwords)
        return et_pm4_fail(run, ETALON_PM4_NULL_INDIRECT_BUFFER, "%u dwords at address 0", dwords);
    if (!dwords)
        return count;
    run->transfer = chain ? ET_PM4_CHAIN : ET_PM4_CALL;
    run->target = address;
    run->target_size = dwords;
    return count;
}

struct branch {
    bool taken; /* else falls through */
    uint64_t target;
    uint32_t dwords;
};

/* The 14-dword form: compares a qword and picks a buffer (P13). */
static uint32_t decide(struct et_pm4_run *run, const uint32_t *body, struct branch *branch)
{
    const uint32_t mode = body[0] & 3, function = body[0] >> 8 & 7;
    const uint64_t compared = et_pm4_address(body[1] & ~7u, body[2]);
    const uint64_t then = et_pm4_address(body[7] & ~3u, body[8]),
                   other = et_pm4_address(body[10] & ~3u, body[11]);
    const uint32_t then_dwords = body[9] & 0xFFFFF, other_dwords = body[12] & 0xFFFFF;
    uint64_t value;
    if (mode != 1 && mode != 2)
        return et_pm4_fail(run, ETALON_PM4_BAD_FIELD, "mode %u", mode);
    if (function == 7)
        return et_pm4_fail(run, ETALON_PM4_BAD_COMPARE_FUNCTION, "function 7");
    if (!then || !then_dwords)
        return et_pm4_fail(run, ETALON_PM4_NULL_INDIRECT_BUFFER, "then-buffer of %u dwords at 0x%llx",
                           then_dwords, (unsigned long long)then);
    if (!et_pm4_load(&run->pm4->memory, compared, 8, &value))
        return et_pm4_memory_fault(run, compared, "the compared value");
    *branch = (struct branch){.taken = true, .target = then, .dwords = then_dwords};
    if (et_pm4_compare(function, value, et_pm4_address(body[3], body[4]), et_pm4_address(body[5], body[6])))
        return 0;
    *branch = (struct branch){.taken = mode == 2 && other_dwords, .target = other, .dwords = other_dwords};
    return 0;
}

uint32_t et_pm4_indirect_buffer(struct et_pm4_run *run, uint32_t header, const uint32_t *body, uint32_t count)
{
    (void)header;
    if (count == 13) {
        struct branch branch;
        if (decide(run, body, &branch) == ET_PM4_FAULT_HERE)
            return ET_PM4_FAULT_HERE;
        return branch.taken ? go(run, branch.target, branch.dwords, true, count) : count;
    }
    const uint32_t control = __atomic_load_n(&body[2], __ATOMIC_ACQUIRE);
    if (!run->console && run->queue_id && !(control >> 23 & 1)) /* compute firmware waits for the valid bit */
        return et_pm4_block(run, ETALON_PM4_WAIT_VALID, 0, 1 << 23, 1 << 23, 3, control);
    return go(run, et_pm4_address(body[0] & ~3u, body[1]), control & 0xFFFFF, control >> 20 & 1, count);
}

/* INDIRECT_BUFFER_CNST launches the constant engine's stream out of the draw engine's. */
uint32_t et_pm4_indirect_constant(struct et_pm4_run *run, uint32_t header, const uint32_t *body,
                                  uint32_t count)
{
    struct et_pm4_queue *queue = run->queue;
    if (run->stream == ETALON_PM4_STREAM_CONSTANT)
        return et_pm4_indirect_buffer(run, header, body, count);
    struct branch target = {
        .taken = true, .target = et_pm4_address(body[0] & ~3u, body[1]), .dwords = body[2] & 0xFFFFF};
    if (count == 13 && decide(run, body, &target) == ET_PM4_FAULT_HERE)
        return ET_PM4_FAULT_HERE;
    if (!target.taken || !target.dwords)
        return count;
    if (!target.target)
        return et_pm4_fail(run, ETALON_PM4_NULL_INDIRECT_BUFFER, "%u dwords at address 0", target.dwords);
    if (queue->pending_ce_count == ET_PM4_PENDING_CE)
        return et_pm4_block(run, ETALON_PM4_WAIT_CE_COUNTER, 0, queue->de, 0, 0, queue->ce);
    queue->pending_ce[queue->pending_ce_count].address = target.target;
    queue->pending_ce[queue->pending_ce_count++].size = target.dwords;
    return count;
}

/* ---- predication (P50) ---- */

enum { PAIRS = 16 };
#define READY (UINT64_C(1) << 63)

/* Sum of end - begin over the 16 pairs of an occlusion query; *ready is false until all are written. */
static bool zpass(struct et_pm4_run *run, uint64_t address, uint64_t *sum, bool *ready)
{
    uint64_t pair[PAIRS][2];
    *sum = 0;
    *ready = true;
    if (!et_pm4_read(&run->pm4->memory, address, pair, sizeof pair)) {
        et_pm4_memory_fault(run, address, "the occlusion results");
        return false;
    }
    for (unsigned i = 0; i < PAIRS; i++) {
        *ready &= pair[i][0] >> 63 && pair[i][1] >> 63;
        *sum += (pair[i][1] & ~READY) - (pair[i][0] & ~READY);
    }
    return true;
}

/* Stream-out statistics {needed, written} at begin and end: no overflow when both grew alike. */
static bool primcount(struct et_pm4_run *run, uint64_t address, bool *fits, bool *ready)
{
    uint64_t at[4];
    if (!et_pm4_read(&run->pm4->memory, address, at, sizeof at)) {
        et_pm4_memory_fault(run, address, "the stream-out statistics");
        return false;
    }
    *ready = at[0] >> 63 && at[1] >> 63 && at[2] >> 63 && at[3] >> 63;
    *fits = at[2] - at[0] == at[3] - at[1];
    return true;
}

static uint32_t set_predicate(struct et_pm4_run *run, uint32_t flags, uint64_t address, uint32_t count)
{
    const uint32_t op = flags >> 16 & 7, condition = flags >> 8 & 1, draw_if_not_ready = flags >> 12 & 1;
    bool pass = false, ready = true;
    uint64_t value;
    switch (op) {
    case 0:
        run->queue->predicate_skip = false;
        return count;
    case 1:
        if (!zpass(run, address, &value, &ready))
            return ET_PM4_FAULT_HERE;
        pass = value != 0;
        break;
    case 2:
        if (run->console)
            return et_pm4_fail(run, ETALON_PM4_UNSUPPORTED_PREDICATE, "operation 2");
        if (!primcount(run, address, &pass, &ready))
            return ET_PM4_FAULT_HERE;
        break;
    case 3:
    case 4: /* [DRV] 64-bit and 32-bit boolean */
        if (op == 4 && run->console)
            return et_pm4_fail(run, ETALON_PM4_UNSUPPORTED_PREDICATE, "operation 4");
        if (!et_pm4_load(&run->pm4->memory, address, op == 3 ? 8 : 4, &value))
            return et_pm4_memory_fault(run, address, "the predicate");
        pass = value != 0;
        break;
    default:
        return et_pm4_fail(run, ETALON_PM4_UNSUPPORTED_PREDICATE, "operation %u", op);
    }
    if (!ready && !draw_if_not_ready)
        return et_pm4_block(run, ETALON_PM4_WAIT_PREDICATE, address, READY, READY, 3, 0);
    const bool skip = ready && pass != (condition != 0);
    /* The continue bit joins results of several queries: any that asks to draw draws. */
    run->queue->predicate_skip = flags >> 31 && !run->console ? run->queue->predicate_skip && skip : skip;
    return count;
}

uint32_t et_pm4_predication(struct et_pm4_run *run, uint32_t header, const uint32_t *body, uint32_t count)
{
    (void)header;
    const bool flags_ok = run->console ? !(body[0] & ~0x71100u) && (count < 3 || body[2] <= 0xFFFF) : true;
    if (count >= 3 && flags_ok)
        return set_predicate(run, body[0], et_pm4_address(body[1] & ~15u, body[2]), count);
    /* The older form: address in two dwords, flags in the second. */
    return set_predicate(run, body[1], et_pm4_address(body[0] & ~15u, body[1] & 0xFF), count);
}

/* OCCLUSION_QUERY: the sum of a query's pairs to memory, once all are written. */
uint32_t et_pm4_occlusion(struct et_pm4_run *run, uint32_t header, const uint32_t *body, uint32_t count)
{
    (void)header;
    const uint64_t from = et_pm4_address(body[0] & ~15u, body[1]),
                   to = et_pm4_address(body[2] & ~3u, body[3]);
    uint64_t sum;
    bool ready;
    if (!zpass(run, from, &sum, &ready))
        return ET_PM4_FAULT_HERE;
    if (!ready)
        return et_pm4_block(run, ETALON_PM4_WAIT_PREDICATE, from, READY, READY, 3, 0);
    if (!et_pm4_store(&run->pm4->memory, to, 8, sum))
        return et_pm4_memory_fault(run, to, "the query's result");
    return count;
}

/* ---- counters between the engines ---- */

static bool body_is(struct et_pm4_run *run, uint32_t word, uint32_t wanted)
{
    if (!run->console || word == wanted)
        return true;
    et_pm4_fail(run, ETALON_PM4_BAD_FIELD, "body 0x%x, not %u", word, wanted);
    return false;
}

uint32_t et_pm4_ce_increment(struct et_pm4_run *run, uint32_t header, const uint32_t *body, uint32_t count)
{
    (void)header;
    if (!body_is(run, body[0], 1))
        return ET_PM4_FAULT_HERE;
    run->queue->ce += run->console || body[0] & 1;
    run->queue->cs += !run->console && body[0] >> 1 & 1;
    return count;
}

uint32_t et_pm4_de_increment(struct et_pm4_run *run, uint32_t header, const uint32_t *body, uint32_t count)
{
    (void)header;
    if (!body_is(run, body[0], 0))
        return ET_PM4_FAULT_HERE;
    run->queue->de++;
    return count;
}

/* P21: the console also goes on once the constant stream is complete; the hardware would hang. */
uint32_t et_pm4_ce_wait(struct et_pm4_run *run, uint32_t header, const uint32_t *body, uint32_t count)
{
    (void)header;
    const struct et_pm4_queue *queue = run->queue;
    if (!body_is(run, body[0], 1))
        return ET_PM4_FAULT_HERE;
    if (queue->ce > queue->de ||
        (run->console && run->submission->execution[ETALON_PM4_STREAM_CONSTANT].complete))
        return count;
    return et_pm4_block(run, ETALON_PM4_WAIT_CE_COUNTER, 0, queue->de, UINT64_MAX, 6, queue->ce);
}

uint32_t et_pm4_de_wait(struct et_pm4_run *run, uint32_t header, const uint32_t *body, uint32_t count)
{
    (void)header;
    const struct et_pm4_queue *queue = run->queue;
    if (queue->de > queue->ce && run->console)
        return et_pm4_fail(run, ETALON_PM4_COUNTER_UNDERFLOW, "DE counter %llu is past CE counter %llu",
                           (unsigned long long)queue->de, (unsigned long long)queue->ce);
    if (queue->de >= queue->ce ? body[0] != 0 : queue->ce - queue->de < body[0])
        return count;
    return et_pm4_block(run, ETALON_PM4_WAIT_DE_COUNTER, 0, body[0], UINT64_MAX, 1, queue->ce - queue->de);
}

/* ---- others ---- */

/* MEM_SEMAPHORE: signal adds one (or writes one), wait takes one. */
uint32_t et_pm4_semaphore(struct et_pm4_run *run, uint32_t header, const uint32_t *body, uint32_t count)
{
    (void)header;
    const uint64_t address = et_pm4_address(body[0] & ~7u, body[1]);
    const uint32_t select = body[2] >> 29;
    const bool signal = select == 6;
    uint64_t seen;
    bool stored = false;
    if (!signal && select != 7)
        return et_pm4_fail(run, ETALON_PM4_UNSUPPORTED_SELECTOR, "semaphore operation %u", select);
    if (!et_pm4_load(&run->pm4->memory, address, 8, &seen))
        return et_pm4_memory_fault(run, address, "the semaphore");
    while (!stored) {
        if (!signal && !seen)
            return et_pm4_block(run, ETALON_PM4_WAIT_SEMAPHORE, address, 0, UINT64_MAX, 6, 0);
        const uint64_t next = !signal ? seen - 1 : body[2] >> 20 & 1 ? 1 : seen + 1;
        if (!et_pm4_swap(&run->pm4->memory, address, 8, &seen, next, &stored))
            return et_pm4_memory_fault(run, address, "the semaphore");
    }
    return count;
}

/* P38: the emulator blocks its thread; here the queue blocks until the display says so. */
uint32_t et_pm4_wait_flip(struct et_pm4_run *run, uint32_t header, const uint32_t *body, uint32_t count)
{
    (void)header;
    const struct etalon_pm4_hooks *hooks = &run->pm4->hooks;
    if (!hooks->flip_done || hooks->flip_done(hooks->user, body[0], body[1]))
        return count;
    return et_pm4_block(run, ETALON_PM4_WAIT_FLIP, et_pm4_address(body[1], body[0]), 1, 1, 3, 0);
}
