/* One slice: packets of a stream until its end, a wait or a fault (P10..P24, P41..P45).
 *
 * Order of checks for one packet: filler, type, header-only no-op, opcode known, length fits the buffer,
 * length allowed, predicate, body. A packet that waits or faults does not move the cursor and changes
 * nothing. */
#include "pm4/processor.h"

#include <stdarg.h>
#include <stdio.h>

uint32_t et_pm4_fail(struct et_pm4_run *run, enum etalon_pm4_fault fault, const char *format, ...)
{
    va_list args;
    run->fault = fault;
    va_start(args, format);
    vsnprintf(run->reason, sizeof run->reason, format, args);
    va_end(args);
    return ET_PM4_FAULT_HERE;
}

uint32_t et_pm4_block(struct et_pm4_run *run, enum etalon_pm4_wait_kind kind, uint64_t address,
                      uint64_t reference, uint64_t mask, unsigned function, uint64_t seen)
{
    struct etalon_pm4_wait *wait = &run->execution->wait;
    wait->kind = kind;
    wait->address = address;
    wait->reference = reference;
    wait->mask = mask;
    wait->function = function;
    wait->seen = seen;
    wait->writer = ETALON_PM4_NO_QUEUE;
    return ET_PM4_BLOCK_HERE;
}

bool et_pm4_compare(unsigned function, uint64_t value, uint64_t mask, uint64_t reference)
{
    value &= mask;
    switch (function) {
    case 0:
        return true;
    case 1:
        return value < reference;
    case 2:
        return value <= reference;
    case 3:
        return value == reference;
    case 4:
        return value != reference;
    case 5:
        return value >= reference;
    default:
        return value > reference;
    }
}

static struct etalon_pm4_place place_of(const struct et_pm4_run *run, uint32_t header)
{
    const struct et_pm4_execution *execution = run->execution;
    struct etalon_pm4_place at = {
        .queue = run->queue_id, .stream = run->stream, .depth = execution->depth, .header = header};
    if (execution->depth) {
        at.offset = execution->stack[execution->depth - 1].offset;
        at.buffer = execution->stack[execution->depth - 1].address;
    }
    return at;
}

static void record_fault(struct et_pm4_run *run, uint32_t header)
{
    struct et_pm4_queue *queue = run->queue;
    const struct etalon_pm4_place at = place_of(run, header);
    const struct et_pm4_op *op = et_pm4_ops[header >> 8 & 0xFF];
#define STATUS_OF(name, text, status) [ETALON_PM4_##name] = ETALON_##status,
    static const enum etalon_status statuses[] = {ETALON_PM4_FAULTS(STATUS_OF)};
#undef STATUS_OF
    queue->fault = run->fault;
    queue->fault_at = at;
    et_error_clear(&queue->error);
    et_at_channel(&queue->error, run->queue_id);
    et_at_value(&queue->error, header);
    et_at_event(&queue->error, queue->packets);
    et_at_offset(&queue->error, (uint64_t)at.offset * 4);
    if (at.buffer)
        et_at_address(&queue->error, at.buffer + (uint64_t)at.offset * 4);
    et_fail(&queue->error, statuses[run->fault], "%s: queue %u, %s stream, depth %u, dword %u, %s (%08x): %s",
            etalon_pm4_fault_name(run->fault), at.queue,
            at.stream == ETALON_PM4_STREAM_DRAW ? "draw" : "constant", at.depth, at.offset,
            op ? op->name : "unknown packet", header, run->reason);
}

static bool length_allowed(const struct et_pm4_op *op, const struct et_pm4_run *run, uint32_t header,
                           uint32_t length)
{
    if (run->console && op->exact[0])
        return (header & ~UINT32_C(1)) == op->exact[0] || (header & ~UINT32_C(1)) == op->exact[1];
    const uint16_t *allowed = run->console ? op->console_length : op->hardware_length;
    if ((run->console ? op->console_rule : op->hardware_rule) == ET_PM4_AT_LEAST)
        return length >= allowed[0] && (!allowed[1] || length <= allowed[1]);
    return length == allowed[0] || length == allowed[1];
}

/* The packet's dwords in one run: in place, or gathered. NULL with the fault recorded. */
static const uint32_t *fetch(struct et_pm4_run *run, const struct et_pm4_cursor *cursor, uint32_t dwords)
{
    if (cursor->host)
        return cursor->host + cursor->offset;
    const uint64_t address = cursor->address + (uint64_t)cursor->offset * 4;
    if (!run->pm4->scratch)
        run->pm4->scratch = et_calloc(0x4002, sizeof *run->pm4->scratch);
    if (!run->pm4->scratch) {
        et_pm4_fail(run, ETALON_PM4_NO_MEMORY, "no memory for a packet");
        return NULL;
    }
    if (!et_pm4_read(&run->pm4->memory, address, run->pm4->scratch, (uint64_t)dwords * 4)) {
        et_pm4_memory_fault(run, address, "the packet");
        return NULL;
    }
    return run->pm4->scratch;
}

static void enter(struct et_pm4_cursor *cursor, const struct et_pm4_memory *memory, uint64_t address,
                  uint32_t size)
{
    uint64_t bytes = 0;
    const uint32_t *host = et_pm4_map(memory, address, false, &bytes);
    *cursor = (struct et_pm4_cursor){.address = address, .size = size};
    if (host && bytes / 4 >= size)
        cursor->host = host;
}

/* Type 0: count + 1 registers from an absolute number; only privileged streams of the hardware profile may.
 */
static uint32_t type0(struct et_pm4_run *run, uint32_t header, const uint32_t *body, uint32_t count)
{
    enum etalon_pm4_space space;
    uint32_t offset;
    if (!et_pm4_locate(header & 0xFFFF, &space, &offset) || offset + count > et_pm4_spaces[space].size)
        return et_pm4_fail(run, ETALON_PM4_REGISTER_OUT_OF_RANGE, "register 0x%x is in no space",
                           header & 0xFFFF);
    et_pm4_write_registers(run, space, offset, body, count);
    return count;
}

static const struct et_pm4_op type0_row = {
    .name = "type 0 packet", .hardware = type0, .hardware_rule = ET_PM4_AT_LEAST, .hardware_length = {2, 0}};

/* The row of a header; NULL with the fault recorded. */
static const struct et_pm4_op *find_op(struct et_pm4_run *run, uint32_t header)
{
    const unsigned type = header >> 30, opcode = header >> 8 & 0xFF;
    if (type == 0 && run->pm4->privileged && !run->console)
        return &type0_row;
    if (type != 3) {
        et_pm4_fail(run, ETALON_PM4_UNSUPPORTED_PACKET_TYPE, "type %u", type);
        return NULL;
    }
    const struct et_pm4_op *op = et_pm4_ops[opcode];
    if (!op || !(run->console ? op->console : op->hardware)) {
        et_pm4_fail(run, ETALON_PM4_UNKNOWN_OPCODE, "opcode 0x%02x%s", opcode,
                    op ? " is not of this profile" : " has no handler");
        return NULL;
    }
    if (opcode != 0x10 || !(header >> 2 & 0x3F))
        return op;
    op = et_pm4_sub_ops[header >> 2 & 0x3F];
    if (!op || !(run->console ? op->console : op->hardware)) {
        et_pm4_fail(run, ETALON_PM4_UNKNOWN_SUB_OP, "no-op sub-operation 0x%02x", header >> 2 & 0x3F);
        return NULL;
    }
    return op;
}

/* Enters the buffer that the packet just passed asked for. 0 or ET_PM4_FAULT_HERE, with nothing changed. */
static uint32_t transfer(struct et_pm4_run *run)
{
    struct et_pm4_execution *execution = run->execution;
    if (run->transfer == ET_PM4_CALL) {
        if (execution->depth >= run->pm4->max_depth)
            return et_pm4_fail(run, ETALON_PM4_INDIRECT_DEPTH_EXCEEDED, "%u buffers are live",
                               execution->depth);
        execution->depth++;
    }
    enter(&execution->stack[execution->depth - 1], &run->pm4->memory, run->target, run->target_size);
    run->transfer = ET_PM4_STAY;
    return 0;
}

enum outcome { MOVED, BLOCKED, FAULTED };

/* The packet at the cursor. */
static enum outcome step(struct et_pm4_run *run, struct et_pm4_cursor *cursor, uint32_t *header_out)
{
    const uint32_t remaining = cursor->size - cursor->offset;
    const uint32_t *packet = fetch(run, cursor, 1);
    if (!packet)
        return FAULTED;
    const uint32_t header = *header_out = __atomic_load_n(packet, __ATOMIC_RELAXED);
    if (header == 0x80000000 || (!run->console && header >> 30 == 2) ||
        (header & 0xFFFFFF00) == 0xFFFF1000) { /* filler, header-only no-op */
        cursor->offset++;
        return MOVED;
    }
    const struct et_pm4_op *op = find_op(run, header);
    if (!op)
        return FAULTED;
    const uint32_t length = (header >> 16 & 0x3FFF) + 2;
    if (length > remaining) {
        et_pm4_fail(run, ETALON_PM4_TRUNCATED_PACKET, "%u dwords, of which the buffer holds %u", length,
                    remaining);
        return FAULTED;
    }
    if (!length_allowed(op, run, header, length)) {
        et_pm4_fail(run, ETALON_PM4_LENGTH_MISMATCH, "%u dwords", length);
        return FAULTED;
    }
    if ((header & 1) && header >> 30 == 3 && run->queue->predicate_skip) {
        cursor->offset += length;
        return MOVED;
    }
    packet = fetch(run, cursor, length);
    if (!packet)
        return FAULTED;
    run->remaining = remaining;
    run->cost = 0;
    const uint32_t used =
        (run->console ? op->console : op->hardware)(run, header & ~UINT32_C(1), packet + 1, length - 1);
    if (used == ET_PM4_BLOCK_HERE)
        return BLOCKED;
    if (used == ET_PM4_FAULT_HERE)
        return FAULTED;
    if (used >= remaining) {
        et_pm4_fail(run, ETALON_PM4_TRUNCATED_PACKET, "%u dwords consumed of %u", used, remaining - 1);
        return FAULTED;
    }
    const uint32_t before = cursor->offset;
    cursor->offset += used + 1;
    if (run->transfer != ET_PM4_STAY && transfer(run) == ET_PM4_FAULT_HERE) {
        cursor->offset = before;
        run->transfer = ET_PM4_STAY;
        return FAULTED;
    }
    return MOVED;
}

/* The next constant buffer that the draw stream launched, once the constant stream has run dry. */
static bool next_constant(struct et_pm4_run *run)
{
    struct et_pm4_queue *queue = run->queue;
    if (run->stream != ETALON_PM4_STREAM_CONSTANT || !queue->pending_ce_count)
        return false;
    enter(&run->execution->stack[0], &run->pm4->memory, queue->pending_ce[0].address,
          queue->pending_ce[0].size);
    run->execution->depth = 1;
    memmove(queue->pending_ce, queue->pending_ce + 1, --queue->pending_ce_count * sizeof *queue->pending_ce);
    return true;
}

/* Spaces of the plain register writes, plus one; 0: another packet. */
static const uint8_t plain_space[256] = {
    [0x69] = ETALON_PM4_CONTEXT + 1, [0x76] = ETALON_PM4_SH + 1, [0x79] = ETALON_PM4_UCONFIG + 1};

/* The quick twin of step() for a run of register writes that nothing is special about: in one host buffer,
 * the low header byte clear, all registers in range (and named, on the console), no effect, no pseudo
 * register. Stops at the first packet that is anything else, which step() takes. Returns the packets passed.
 */
static uint64_t plain_registers(struct et_pm4_run *run, struct et_pm4_cursor *cursor, uint64_t budget)
{
    const uint32_t *words = cursor->host, *pending = &run->pm4->commands_pending;
    struct et_pm4_registers *file = run->queue->registers;
    const bool console = run->console;
    uint32_t at = cursor->offset;
    uint64_t packets = 0;
    while (cursor->size - at >= 3 && packets < budget && !__atomic_load_n(pending, __ATOMIC_RELAXED)) {
        const uint32_t header = words[at], count = header >> 16 & 0x3FFF, left = cursor->size - at - 2;
        const unsigned space = plain_space[header >> 8 & 0xFF];
        if ((header & 0xC00000FF) != 0xC0000000 || !space || !count || count > left)
            break;
        const struct et_pm4_space *of = &et_pm4_spaces[space - 1];
        const uint32_t offset = console ? words[at + 1] : words[at + 1] & 0xFFFF;
        if (offset >= of->size || count > of->size - offset)
            break;
        if (console && (!et_pm4_known(of, offset, count) || (offset <= 0x19 && offset + count > 0x18)))
            break;
        if (space - 1 == ETALON_PM4_UCONFIG && offset <= 0x24D && offset + count > 0x243)
            break; /* VGT_INDEX_TYPE, VGT_NUM_INSTANCES */
        et_pm4_set_run(file, et_pm4_file_base((enum etalon_pm4_space)(space - 1)) + offset, words + at + 2,
                       count);
        at += count + 2;
        packets++;
    }
    cursor->offset = at;
    return packets;
}

/* A stream until it ends, blocks or faults. */
static enum et_pm4_slice run_stream(struct et_pm4_run *run)
{
    struct et_pm4_execution *execution = run->execution;
    const bool quick = !run->pm4->hooks.registers;
    uint64_t budget = run->pm4->packet_budget;
    execution->progress = false;
    execution->wait.kind = ETALON_PM4_WAIT_NONE;
    for (;;) {
        if (__atomic_load_n(&run->pm4->commands_pending, __ATOMIC_RELAXED))
            et_pm4_take_commands(run->pm4);
        if (run->queue->reset_asked)
            return ET_PM4_RESET_SLICE;
        if (!execution->depth && !next_constant(run))
            return ET_PM4_COMPLETE;
        struct et_pm4_cursor *cursor = &execution->stack[execution->depth - 1];
        if (cursor->offset >= cursor->size) {
            execution->depth--;
            continue;
        }
        if (quick && cursor->host) {
            const uint64_t passed = plain_registers(run, cursor, budget);
            if (passed) {
                budget -= passed;
                run->queue->packets += passed;
                execution->progress = true;
                continue;
            }
        }
        uint32_t header = 0;
        enum outcome outcome = FAULTED;
        if (budget-- == 0)
            et_pm4_fail(run, ETALON_PM4_INDIRECT_LOOP, "%llu packets without an end or a wait",
                        (unsigned long long)run->pm4->packet_budget);
        else
            outcome = step(run, cursor, &header);
        if (outcome == MOVED) {
            run->queue->packets++;
            execution->progress = true;
            budget -= ET_MIN(budget, run->cost);
            run->cost = 0;
        } else if (outcome == BLOCKED) {
            execution->wait.at = place_of(run, header);
            return ET_PM4_BLOCKED_SLICE;
        } else {
            record_fault(run, header);
            return ET_PM4_FAULTED_SLICE;
        }
    }
}

/* Runs one stream unless it is complete; the result is complete or what stopped it. */
static enum et_pm4_slice run_one(struct et_pm4_run *run, enum etalon_pm4_stream stream, bool *moved)
{
    struct et_pm4_execution *execution = &run->submission->execution[stream];
    if (execution->complete && !(stream == ETALON_PM4_STREAM_CONSTANT && run->queue->pending_ce_count))
        return ET_PM4_COMPLETE;
    run->stream = stream;
    run->execution = execution;
    run->transfer = ET_PM4_STAY;
    execution->complete = false;
    const enum et_pm4_slice slice = run_stream(run);
    execution->complete = slice == ET_PM4_COMPLETE;
    *moved |= execution->progress;
    return slice;
}

static void start(struct et_pm4_run *run)
{
    struct et_pm4_submission *submission = run->submission;
    struct et_pm4_queue *queue = run->queue;
    submission->started = true;
    if (run->console) /* P20; the hardware's counters live across submissions */
        queue->ce = queue->de = 0;
    queue->flip = (struct etalon_pm4_flip){0};
    for (unsigned i = 0; i < 2; i++) {
        struct et_pm4_execution *execution = &submission->execution[i];
        execution->complete = !submission->dwords[i];
        if (!submission->dwords[i])
            continue;
        execution->depth = 1;
        if (submission->address[i])
            enter(execution->stack, &run->pm4->memory, submission->address[i], submission->dwords[i]);
        else
            execution->stack[0] =
                (struct et_pm4_cursor){.host = submission->words[i], .size = submission->dwords[i]};
    }
}

/* P19: the constant engine first in every round, until both are complete or a round moved nothing. */
static enum et_pm4_slice run_rounds(struct et_pm4_run *run, bool *progress)
{
    for (;;) {
        bool moved = false;
        const enum et_pm4_slice constant = run_one(run, ETALON_PM4_STREAM_CONSTANT, &moved);
        if (constant >= ET_PM4_FAULTED_SLICE) {
            *progress |= moved;
            return constant;
        }
        const enum et_pm4_slice draw = run_one(run, ETALON_PM4_STREAM_DRAW, &moved);
        *progress |= moved;
        if (draw >= ET_PM4_FAULTED_SLICE)
            return draw;
        if (draw == ET_PM4_COMPLETE && constant == ET_PM4_COMPLETE && !run->queue->pending_ce_count)
            return ET_PM4_COMPLETE;
        if (!moved)
            return ET_PM4_BLOCKED_SLICE;
    }
}

enum et_pm4_slice et_pm4_slice(struct etalon_pm4 *pm4, uint32_t queue, struct et_pm4_submission *submission,
                               bool *progress)
{
    struct et_pm4_run run = {.pm4 = pm4,
                             .queue = &pm4->queue[queue],
                             .submission = submission,
                             .queue_id = queue,
                             .console = pm4->profile == ETALON_PM4_CONSOLE};
    *progress = false;
    if (submission->kind == ET_PM4_FLIP) {
        if (pm4->hooks.flip_prepare)
            pm4->hooks.flip_prepare(pm4->hooks.user, submission->flip_request);
        *progress = true;
        return ET_PM4_COMPLETE;
    }
    if (submission->kind == ET_PM4_SUSPEND_POINT) {
        et_pm4_reset_state(run.queue, false);
        *progress = true;
        return ET_PM4_COMPLETE;
    }
    if (!run.queue->registers) {
        run.execution = &submission->execution[0];
        run.queue->registers = et_calloc(1, sizeof *run.queue->registers);
        if (!run.queue->registers) {
            et_pm4_fail(&run, ETALON_PM4_NO_MEMORY, "no memory for the queue's registers");
            record_fault(&run, 0);
            return ET_PM4_FAULTED_SLICE;
        }
    }
    if (!submission->started)
        start(&run);
    const enum et_pm4_slice slice = run_rounds(&run, progress);
    submission->slices += *progress;
    if (slice != ET_PM4_BLOCKED_SLICE || submission->slices <= pm4->packet_budget)
        return slice;
    /* Two queues can release each other for ever: each slice is short, and yet nothing ends. */
    et_pm4_fail(&run, ETALON_PM4_INDIRECT_LOOP, "%llu slices without an end",
                (unsigned long long)submission->slices);
    record_fault(&run, 0);
    return ET_PM4_FAULTED_SLICE;
}

bool et_pm4_has_interrupt(const uint32_t *words, uint32_t dwords)
{
    for (uint32_t at = 0; at < dwords;) {
        const uint32_t header = words[at], opcode = header >> 8 & 0xFF;
        const uint32_t length = (header >> 16 & 0x3FFF) + 2;
        if (header >> 30 == 2 || (header & 0xFFFFFF00) == 0xFFFF1000) {
            at++;
            continue;
        }
        if (header >> 30 != 3 || length > dwords - at)
            return false;
        const bool release = opcode == 0x49 || (opcode == 0x10 && (header >> 2 & 0x3F) == 0x18);
        const uint32_t selector = release && length >= 3 ? words[at + 2] >> 24 & 7 : 0;
        if (selector == 1 || selector == 2 || selector >= 4)
            return true;
        at += length;
    }
    return false;
}
