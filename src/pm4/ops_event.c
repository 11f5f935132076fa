/* Events, end-of-pipe labels, interrupts, flips and no-ops (P36, P38, P39). */
#include "pm4/ops.h"

struct etalon_pm4_snapshot *et_pm4_run_freeze(struct et_pm4_run *run)
{
    struct etalon_pm4_snapshot *state = et_pm4_freeze(run->queue->registers);
    if (!state)
        et_pm4_fail(run, ETALON_PM4_NO_MEMORY, "no memory for a snapshot");
    return state;
}

uint64_t et_pm4_clock(struct etalon_pm4 *pm4)
{
    return pm4->hooks.clock ? pm4->hooks.clock(pm4->hooks.user) : ++pm4->ticks;
}

uint32_t et_pm4_interrupt(struct et_pm4_run *run, uint32_t context_id)
{
    if (!run->pm4->hooks.interrupt)
        return 0;
    struct etalon_pm4_snapshot *state = et_pm4_run_freeze(run);
    if (!state)
        return ET_PM4_FAULT_HERE;
    run->pm4->hooks.interrupt(run->pm4->hooks.user, run->queue_id, context_id, state);
    etalon_pm4_snapshot_release(state);
    return 0;
}

static uint32_t emit_event(struct et_pm4_run *run, const struct etalon_pm4_event *event, uint32_t consumed)
{
    if (!run->pm4->hooks.event)
        return consumed;
    struct etalon_pm4_snapshot *state = et_pm4_run_freeze(run);
    if (!state)
        return ET_PM4_FAULT_HERE;
    run->pm4->hooks.event(run->pm4->hooks.user, event, state);
    etalon_pm4_snapshot_release(state);
    return consumed;
}

uint32_t et_pm4_neutral(struct et_pm4_run *run, uint32_t header, const uint32_t *body, uint32_t count)
{
    (void)run, (void)header, (void)body;
    return count;
}

uint32_t et_pm4_event_write(struct et_pm4_run *run, uint32_t header, const uint32_t *body, uint32_t count)
{
    (void)header;
    const struct etalon_pm4_event event = {.queue = run->queue_id,
                                           .type = body[0] & 0x3F,
                                           .index = body[0] >> 8 & 0xF,
                                           .address =
                                               count == 3 ? et_pm4_address(body[1] & ~7u, body[2]) : 0};
    return emit_event(run, &event, count);
}

/* ---- labels at the end of the pipe ---- */

struct label {
    uint32_t data_select, interrupt, destination, context_id;
    uint64_t address, data;
};

/* Bytes that a data selector writes, 0 for none; false with the fault recorded. */
static bool label_bytes(struct et_pm4_run *run, const struct label *label, uint32_t *bytes)
{
    *bytes = 0;
    switch (label->data_select) {
    case 0:
        return true;
    case 1:
        *bytes = 4;
        return true;
    case 2:
    case 3:
        *bytes = 8;
        return true;
    case 4:
    case 7:
        *bytes = label->data_select == 4 ? 8 : 4;
        if (!run->console)
            return true;
        break;
    case 5:
        *bytes = (uint32_t)(label->data >> 16 & 0xFFFF) * 4;
        return true;
    }
    et_pm4_fail(run, ETALON_PM4_UNSUPPORTED_SELECTOR, "data selector %u", label->data_select);
    return false;
}

static uint32_t write_label(struct et_pm4_run *run, const struct label *label, uint32_t bytes)
{
    const struct et_pm4_memory *memory = &run->pm4->memory;
    uint64_t value = label->data;
    if (!et_pm4_mapped(memory, label->address, bytes, true))
        return et_pm4_memory_fault(run, label->address, "the label");
    if (label->data_select == 5) {
        const uint32_t offset = (uint32_t)(label->data & 0xFFFF) * 4;
        const uint8_t *gds = et_pm4_gds(run);
        if (!gds)
            return ET_PM4_FAULT_HERE;
        if (offset + bytes > ET_PM4_GDS)
            return et_pm4_fail(run, ETALON_PM4_GDS_RANGE, "0x%x + %u", offset, bytes);
        et_pm4_write(memory, label->address, gds + offset, bytes);
        return 0;
    }
    if (label->data_select == 3 || label->data_select == 4)
        value = et_pm4_clock(run->pm4);
    if (label->data_select == 7) {
        uint64_t old;
        bool stored = false;
        if (!et_pm4_load(memory, label->address, 4, &old))
            return et_pm4_memory_fault(run, label->address, "the label");
        while (!stored)
            et_pm4_swap(memory, label->address, 4, &old, (uint32_t)(old + label->data), &stored);
        return 0;
    }
    et_pm4_store(memory, label->address, bytes, value);
    return 0;
}

/* P36. Interrupt selectors: 0, 3 none; 1 interrupt alone; 2 after the write; 4 interrupt, no write. */
static uint32_t end_of_pipe(struct et_pm4_run *run, const struct label *label, uint32_t count)
{
    uint32_t bytes;
    if (label->destination > 1)
        return et_pm4_fail(run, ETALON_PM4_UNSUPPORTED_SELECTOR, "destination %u", label->destination);
    if (label->interrupt > 4)
        return et_pm4_fail(run, ETALON_PM4_UNSUPPORTED_SELECTOR, "interrupt selector %u", label->interrupt);
    if (!label_bytes(run, label, &bytes))
        return ET_PM4_FAULT_HERE;
    const bool null_label = !label->address && label->destination == 0;
    if (bytes && label->interrupt != 4 && label->interrupt != 1 && !null_label &&
        write_label(run, label, bytes) == ET_PM4_FAULT_HERE)
        return ET_PM4_FAULT_HERE;
    if (label->interrupt == 1 || label->interrupt == 2 || label->interrupt == 4)
        if (et_pm4_interrupt(run, label->context_id) == ET_PM4_FAULT_HERE)
            return ET_PM4_FAULT_HERE;
    return count;
}

uint32_t et_pm4_release(struct et_pm4_run *run, uint32_t header, const uint32_t *body, uint32_t count)
{
    (void)header;
    const struct label label = {.data_select = body[1] >> 29,
                                .interrupt = body[1] >> 24 & 7,
                                .destination = body[1] >> 16 & 3,
                                .address = et_pm4_address(body[2] & ~3u, body[3]),
                                .data = et_pm4_address(body[4], body[5]),
                                .context_id = body[6] & 0x07FFFFFF};
    return end_of_pipe(run, &label, count);
}

/* The native packet; the 7-dword form has no interrupt context. */
uint32_t et_pm4_release_hw(struct et_pm4_run *run, uint32_t header, const uint32_t *body, uint32_t count)
{
    (void)header;
    const bool wide = body[1] >> 29 == 2 || body[1] >> 29 == 3 || body[1] >> 29 == 4;
    const struct label label = {.data_select = body[1] >> 29,
                                .interrupt = body[1] >> 24 & 7,
                                .destination = body[1] >> 16 & 3,
                                .address = et_pm4_address(body[2] & (wide ? ~7u : ~3u), body[3]),
                                .data = et_pm4_address(body[4], body[5]),
                                .context_id = count > 6 ? body[6] : 0};
    return end_of_pipe(run, &label, count);
}

uint32_t et_pm4_event_eop(struct et_pm4_run *run, uint32_t header, const uint32_t *body, uint32_t count)
{
    (void)header;
    const struct label label = {.data_select = body[2] >> 29,
                                .interrupt = body[2] >> 24 & 7,
                                .destination = body[2] >> 16 & 3,
                                .address = et_pm4_address(body[1] & ~3u, body[2] & 0xFFFF),
                                .data = et_pm4_address(body[3], body[4])};
    return end_of_pipe(run, &label, count);
}

/* End of shader: command 1 a range of the GDS, 2 a dword. */
uint32_t et_pm4_event_eos(struct et_pm4_run *run, uint32_t header, const uint32_t *body, uint32_t count)
{
    (void)header;
    static const uint8_t selects[8] = {[1] = 5, [2] = 1};
    const uint32_t command = body[2] >> 29;
    const struct label label = {.data_select = selects[command],
                                .interrupt = body[2] >> 24 & 7,
                                .address = et_pm4_address(body[1] & ~3u, body[2] & 0xFFFF),
                                .data = body[3]};
    if (!selects[command])
        return et_pm4_fail(run, ETALON_PM4_UNSUPPORTED_SELECTOR, "command %u", command);
    return end_of_pipe(run, &label, count);
}

/* ---- flips and markers ---- */

static uint32_t raise_flip(struct et_pm4_run *run, uint32_t count)
{
    if (!run->pm4->hooks.flip)
        return count;
    struct etalon_pm4_snapshot *state = et_pm4_run_freeze(run);
    if (!state)
        return ET_PM4_FAULT_HERE;
    run->pm4->hooks.flip(run->pm4->hooks.user, run->queue_id, &run->queue->flip, state);
    etalon_pm4_snapshot_release(state);
    return count;
}

uint32_t et_pm4_flip(struct et_pm4_run *run, uint32_t header, const uint32_t *body, uint32_t count)
{
    (void)header;
    run->queue->flip = (struct etalon_pm4_flip){.handle = body[0],
                                                .index = (int32_t)body[1],
                                                .mode = body[2],
                                                .argument = (int64_t)et_pm4_address(body[3], body[4])};
    return raise_flip(run, count);
}

/* Markers inside a no-op's payload: 0x777 repeats the pending flip, 0x778 with a label, 0x781 with an
 * interrupt too. */
static uint32_t marker(struct et_pm4_run *run, const uint32_t *body, uint32_t count)
{
    const uint32_t id = body[0] & 0xFFF, needed = id == 0x778 ? 4 : id == 0x781 ? 6 : 1;
    if (id == 0x000 || id == 0x004 || id == 0x00D)
        return count;
    if (id != 0x777 && id != 0x778 && id != 0x781)
        return et_pm4_fail(run, ETALON_PM4_UNKNOWN_SUB_OP, "marker 0x%03x", id);
    if (count < needed)
        return et_pm4_fail(run, ETALON_PM4_LENGTH_MISMATCH, "marker 0x%03x with %u dwords", id, count);
    if (id == 0x781 && (body[4] != 4 || body[5] != 0x38))
        return et_pm4_fail(run, ETALON_PM4_BAD_FIELD, "event %u, action 0x%x", body[4], body[5]);
    if (needed >= 4) {
        const uint64_t address = et_pm4_address(body[1], body[2]);
        if (!et_pm4_store(&run->pm4->memory, address, 4, body[3]))
            return et_pm4_memory_fault(run, address, "the label");
    }
    if (raise_flip(run, count) == ET_PM4_FAULT_HERE)
        return ET_PM4_FAULT_HERE;
    if (id == 0x781 && et_pm4_interrupt(run, 0) == ET_PM4_FAULT_HERE)
        return ET_PM4_FAULT_HERE;
    return count;
}

uint32_t et_pm4_nop(struct et_pm4_run *run, uint32_t header, const uint32_t *body, uint32_t count)
{
    (void)header;
    if (run->console && (body[0] & 0xFFFF0000) == 0x68750000)
        return marker(run, body, count);
    return count;
}
