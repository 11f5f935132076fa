/* Data movement: WRITE_DATA, COPY_DATA, DMA_DATA, constant RAM, and their relatives (P23, P35). */
#include "pm4/ops.h"

#include <string.h>

uint8_t *et_pm4_const_ram(struct et_pm4_run *run)
{
    if (!run->queue->const_ram)
        run->queue->const_ram = et_calloc(1, ET_PM4_CONST_RAM);
    if (!run->queue->const_ram)
        et_pm4_fail(run, ETALON_PM4_NO_MEMORY, "no memory for the constant RAM");
    return run->queue->const_ram;
}

uint8_t *et_pm4_gds(struct et_pm4_run *run)
{
    if (!run->pm4->gds)
        run->pm4->gds = et_calloc(1, ET_PM4_GDS);
    if (!run->pm4->gds)
        et_pm4_fail(run, ETALON_PM4_NO_MEMORY, "no memory for the global data share");
    return run->pm4->gds;
}

uint8_t *et_pm4_gds_range(struct et_pm4_run *run, uint64_t offset, uint64_t bytes)
{
    if (offset > ET_PM4_GDS || bytes > ET_PM4_GDS - offset) {
        et_pm4_fail(run, ETALON_PM4_GDS_RANGE, "0x%llx + %llu", (unsigned long long)offset,
                    (unsigned long long)bytes);
        return NULL;
    }
    uint8_t *gds = et_pm4_gds(run);
    return gds ? gds + offset : NULL;
}

uint32_t et_pm4_unsupported(struct et_pm4_run *run, const char *which, uint32_t selector)
{
    return et_pm4_fail(run, ETALON_PM4_UNSUPPORTED_SELECTOR, "%s selector %u", which, selector);
}

/* ---- WRITE_DATA ---- */

static uint32_t write_words(struct et_pm4_run *run, uint64_t address, const uint32_t *words, uint32_t dwords,
                            bool one_address, uint32_t count)
{
    const struct et_pm4_memory *memory = &run->pm4->memory;
    if (!dwords)
        return count;
    if (one_address) /* every dword goes to the same address: the last one stays */
        return et_pm4_store(memory, address, 4, words[dwords - 1])
                   ? count
                   : et_pm4_memory_fault(run, address, "the destination");
    if (dwords == 2 && et_pm4_mapped(memory, address, 8, true)) {
        et_pm4_store(memory, address, 8, et_pm4_address(words[0], words[1]));
        return count;
    }
    return et_pm4_write(memory, address, words, (uint64_t)dwords * 4)
               ? count
               : et_pm4_memory_fault(run, address, "the destination");
}

uint32_t et_pm4_write_data(struct et_pm4_run *run, uint32_t header, const uint32_t *body, uint32_t count)
{
    (void)header;
    const uint32_t selector = (body[0] >> 30 & 1) | (body[0] >> 7 & 0x1E);
    if (selector > 6 || selector == 1 || selector == 3)
        return et_pm4_unsupported(run, "destination", selector);
    return write_words(run, et_pm4_address(body[1] & ~3u, body[2]), body + 3, count - 3, body[0] >> 16 & 1,
                       count);
}

/* Writes words to registers by absolute number. */
static uint32_t write_register_words(struct et_pm4_run *run, uint32_t number, const uint32_t *words,
                                     uint32_t dwords, bool one_address, uint32_t count)
{
    enum etalon_pm4_space space;
    uint32_t offset;
    if (!dwords)
        return count;
    if (!et_pm4_locate(number, &space, &offset) ||
        (!one_address && offset + dwords > et_pm4_spaces[space].size))
        return et_pm4_fail(run, ETALON_PM4_REGISTER_OUT_OF_RANGE, "register 0x%x + %u", number, dwords);
    if (one_address)
        et_pm4_write_registers(run, space, offset, words + dwords - 1, 1);
    else
        et_pm4_write_registers(run, space, offset, words, dwords);
    return count;
}

uint32_t et_pm4_write_data_hw(struct et_pm4_run *run, uint32_t header, const uint32_t *body, uint32_t count)
{
    (void)header;
    const uint32_t selector = body[0] >> 8 & 0xF, dwords = count - 3;
    const bool one_address = body[0] >> 16 & 1;
    switch (selector) {
    case 0:
    case 6:
        return write_register_words(run, body[1] & 0x3FFFF, body + 3, dwords, one_address, count);
    case 3: {
        uint8_t *gds = et_pm4_gds_range(run, body[1] & 0xFFFF, one_address ? 4 : (uint64_t)dwords * 4);
        if (!gds)
            return ET_PM4_FAULT_HERE;
        if (dwords)
            memcpy(gds, one_address ? body + 2 + dwords : body + 3, one_address ? 4 : (size_t)dwords * 4);
        return count;
    }
    case 1:
    case 2:
    case 5:
    case 8:
        return write_words(run, et_pm4_address(body[1] & ~3u, body[2]), body + 3, dwords, one_address, count);
    default:
        return et_pm4_unsupported(run, "destination", selector);
    }
}

/* ---- COPY_DATA ---- */

enum place {
    PLACE_NONE,
    PLACE_MEMORY,
    PLACE_GDS,
    PLACE_IMMEDIATE,
    PLACE_CLOCK,
    PLACE_REGISTER,
    PLACE_ATOMIC,
    PLACE_GDS_RETURN
};

static uint32_t put_value(struct et_pm4_run *run, enum place to, uint64_t at, uint64_t value, unsigned bytes,
                          uint32_t count)
{
    const uint32_t words[2] = {(uint32_t)value, (uint32_t)(value >> 32)};
    uint8_t *gds;
    switch (to) {
    case PLACE_REGISTER:
        return write_register_words(run, at & 0x3FFFF, words, bytes / 4, false, count);
    case PLACE_GDS:
        gds = et_pm4_gds_range(run, at, bytes);
        if (!gds)
            return ET_PM4_FAULT_HERE;
        memcpy(gds, &value, bytes);
        return count;
    default:
        return et_pm4_store(&run->pm4->memory, at, bytes, value)
                   ? count
                   : et_pm4_memory_fault(run, at, "the destination");
    }
}

/* False with the fault recorded. */
static bool get_value(struct et_pm4_run *run, enum place from, uint32_t selector, uint64_t at, unsigned bytes,
                      uint64_t *value)
{
    enum etalon_pm4_space space;
    uint32_t offset;
    uint8_t *gds;
    *value = at;
    switch (from) {
    case PLACE_MEMORY:
        if (et_pm4_load(&run->pm4->memory, at, bytes, value))
            return true;
        et_pm4_memory_fault(run, at, "the source");
        return false;
    case PLACE_GDS:
        gds = et_pm4_gds_range(run, at, bytes);
        *value = 0;
        if (gds)
            memcpy(value, gds, bytes);
        return gds != NULL;
    case PLACE_REGISTER:
        if (!et_pm4_locate(at & 0x3FFFF, &space, &offset) || offset + bytes / 4 > et_pm4_spaces[space].size) {
            et_pm4_fail(run, ETALON_PM4_REGISTER_OUT_OF_RANGE, "register 0x%llx",
                        (unsigned long long)(at & 0x3FFFF));
            return false;
        }
        *value = et_pm4_read_register(run, space, offset);
        if (bytes == 8)
            *value |= (uint64_t)et_pm4_read_register(run, space, offset + 1) << 32;
        return true;
    case PLACE_CLOCK:
        *value = et_pm4_clock(run->pm4);
        return true;
    case PLACE_ATOMIC:
        *value = run->queue->atomic_return;
        return true;
    case PLACE_GDS_RETURN:
        *value = run->queue->gds_return[selector & 1];
        return true;
    default:
        return true;
    }
}

static uint32_t copy_value(struct et_pm4_run *run, enum place from, uint32_t selector, enum place to,
                           const uint32_t *body, uint32_t count)
{
    const unsigned bytes = body[0] >> 16 & 1 ? 8 : 4;
    uint64_t source = et_pm4_address(body[1], body[2]), target = et_pm4_address(body[3], body[4]), value;
    if (from == PLACE_MEMORY)
        source &= ~(uint64_t)(bytes - 1);
    if (to == PLACE_MEMORY)
        target &= ~(uint64_t)(bytes - 1);
    if (to == PLACE_MEMORY && !et_pm4_mapped(&run->pm4->memory, target, bytes, true))
        return et_pm4_memory_fault(run, target, "the destination");
    if (!get_value(run, from, selector, source, bytes, &value))
        return ET_PM4_FAULT_HERE;
    return put_value(run, to, target, value, bytes, count);
}

/* The console's selectors: the field's twice, plus bit 30 of the source. [DRV] clock sources go to one kind
 * of memory. */
uint32_t et_pm4_copy_data(struct et_pm4_run *run, uint32_t header, const uint32_t *body, uint32_t count)
{
    (void)header;
    static const uint8_t sources[32] = {
        [2] = PLACE_MEMORY,     [3] = PLACE_GDS,   [4] = PLACE_MEMORY, [5] = PLACE_MEMORY,
        [6] = PLACE_GDS,        [7] = PLACE_GDS,   [9] = PLACE_CLOCK,  [10] = PLACE_IMMEDIATE,
        [11] = PLACE_IMMEDIATE, [18] = PLACE_CLOCK};
    static const uint8_t targets[32] = {[2] = PLACE_MEMORY, [4] = PLACE_MEMORY, [6] = PLACE_GDS};
    const uint32_t source = (body[0] & 0xF) << 1 | (body[0] >> 30 & 1), target = (body[0] >> 8 & 0xF) << 1;
    const bool wide = body[0] >> 16 & 1;
    const uint64_t address = et_pm4_address(body[3], body[4]);
    if (!sources[source] || (sources[source] == PLACE_IMMEDIATE && wide))
        return et_pm4_unsupported(run, "source", source);
    if (!targets[target])
        return et_pm4_unsupported(run, "destination", target);
    if (sources[source] == PLACE_CLOCK && (target != (source == 9 ? 2 : 4) || address & (wide ? 7 : 3)))
        return et_pm4_fail(run, ETALON_PM4_BAD_FIELD, "clock to selector %u, address 0x%llx", target,
                           (unsigned long long)address);
    return copy_value(run, sources[source], source, targets[target], body, count);
}

uint32_t et_pm4_copy_data_hw(struct et_pm4_run *run, uint32_t header, const uint32_t *body, uint32_t count)
{
    (void)header;
    static const uint8_t sources[16] = {PLACE_REGISTER,   PLACE_MEMORY,    PLACE_MEMORY, PLACE_GDS,
                                        PLACE_NONE,       PLACE_IMMEDIATE, PLACE_ATOMIC, PLACE_GDS_RETURN,
                                        PLACE_GDS_RETURN, PLACE_CLOCK,     PLACE_CLOCK};
    static const uint8_t targets[16] = {PLACE_REGISTER, PLACE_MEMORY, PLACE_MEMORY,  PLACE_GDS,
                                        PLACE_NONE,     PLACE_MEMORY, PLACE_REGISTER};
    const uint32_t source = body[0] & 0xF, target = body[0] >> 8 & 0xF;
    if (!sources[source])
        return et_pm4_unsupported(run, "source", source);
    if (!targets[target])
        return et_pm4_unsupported(run, "destination", target);
    /* Selectors 7 and 8 are the two values that a GDS atomic returned. */
    return copy_value(run, sources[source], source + 1, targets[target], body, count);
}

/* ---- DMA_DATA ---- */

struct transfer {
    enum place from, to;
    uint64_t source, target;
    uint32_t bytes;
    bool hold_source, hold_target; /* no increment: every dword from or to the same address */
};

/* Checks both ends, so that nothing is done before a fault. */
static bool ends_ok(struct et_pm4_run *run, const struct transfer *move)
{
    const struct et_pm4_memory *memory = &run->pm4->memory;
    const uint64_t read = move->hold_source ? ET_MIN(move->bytes, 4u) : move->bytes;
    const uint64_t written = move->hold_target ? ET_MIN(move->bytes, 4u) : move->bytes;
    if (move->from == PLACE_MEMORY && !et_pm4_mapped(memory, move->source, read, false)) {
        et_pm4_memory_fault(run, move->source, "the source");
        return false;
    }
    if (move->to == PLACE_MEMORY && !et_pm4_mapped(memory, move->target, written, true)) {
        et_pm4_memory_fault(run, move->target, "the destination");
        return false;
    }
    return (move->from != PLACE_GDS || et_pm4_gds_range(run, move->source, read)) &&
           (move->to != PLACE_GDS || et_pm4_gds_range(run, move->target, written));
}

static void get_bytes(struct et_pm4_run *run, const struct transfer *move, uint64_t at, uint8_t *to,
                      uint32_t bytes)
{
    const uint32_t data = (uint32_t)move->source;
    for (uint32_t i = 0; move->from == PLACE_IMMEDIATE && i < bytes; i++)
        to[i] = (uint8_t)(data >> ((at + i) & 3) * 8);
    if (move->from == PLACE_GDS)
        memcpy(to, run->pm4->gds + move->source + at, bytes);
    if (move->from == PLACE_MEMORY)
        et_pm4_read(&run->pm4->memory, move->source + at, to, bytes);
}

static void put_bytes(struct et_pm4_run *run, const struct transfer *move, uint64_t at, const uint8_t *from,
                      uint32_t bytes)
{
    if (move->to == PLACE_GDS)
        memcpy(run->pm4->gds + move->target + at, from, bytes);
    if (move->to == PLACE_MEMORY)
        et_pm4_write(&run->pm4->memory, move->target + at, from, bytes);
}

/* Forward, in chunks: an overlapping copy repeats as the engine's would. */
static uint32_t move_bytes(struct et_pm4_run *run, const struct transfer *move, uint32_t count)
{
    uint8_t chunk[4096];
    if (!ends_ok(run, move))
        return ET_PM4_FAULT_HERE;
    run->cost += move->bytes / sizeof chunk;
    const uint32_t step = move->hold_source || move->hold_target ? 4 : sizeof chunk;
    for (uint32_t at = 0; at < move->bytes;) {
        const uint32_t bytes = ET_MIN(step, move->bytes - at);
        get_bytes(run, move, move->hold_source ? 0 : at, chunk, bytes);
        put_bytes(run, move, move->hold_target ? 0 : at, chunk, bytes);
        at += bytes;
        if (move->hold_source && move->hold_target)
            break;
    }
    return count;
}

/* Memory and registers: dwords one at a time. */
static uint32_t move_registers(struct et_pm4_run *run, const struct transfer *move, uint32_t count)
{
    const uint32_t dwords = move->bytes / 4;
    run->cost = dwords / 64;
    enum etalon_pm4_space space;
    uint32_t offset, value;
    for (uint32_t pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < dwords; i++) {
            const uint32_t source = (uint32_t)move->source / 4 + (move->hold_source ? 0 : i);
            const uint32_t target = (uint32_t)move->target / 4 + (move->hold_target ? 0 : i);
            const uint32_t number = move->from == PLACE_REGISTER ? source : target;
            if (!et_pm4_locate(number, &space, &offset))
                return et_pm4_fail(run, ETALON_PM4_REGISTER_OUT_OF_RANGE, "register 0x%x is in no space",
                                   number);
            if (!pass)
                continue;
            if (move->from == PLACE_REGISTER)
                value = et_pm4_read_register(run, space, offset);
            else
                get_bytes(run, move, move->hold_source ? 0 : (uint64_t)i * 4, (uint8_t *)&value, 4);
            if (move->to != PLACE_REGISTER)
                put_bytes(run, move, move->hold_target ? 0 : (uint64_t)i * 4, (const uint8_t *)&value, 4);
            else if (et_pm4_locate(target, &space, &offset))
                et_pm4_write_registers(run, space, offset, &value, 1);
            else
                return et_pm4_fail(run, ETALON_PM4_REGISTER_OUT_OF_RANGE, "register 0x%x is in no space",
                                   target);
        }
    return count;
}

static uint32_t transfer(struct et_pm4_run *run, const struct transfer *move, uint32_t count)
{
    if (move->from != PLACE_REGISTER && move->to != PLACE_REGISTER)
        return move_bytes(run, move, count);
    if (!ends_ok(run, move))
        return ET_PM4_FAULT_HERE;
    return move_registers(run, move, count);
}

enum {
    REGISTER_POKE = 0x3022C
}; /* [DRV] a destination that the console's library writes and the emulator drops */

uint32_t et_pm4_dma(struct et_pm4_run *run, uint32_t header, const uint32_t *body, uint32_t count)
{
    (void)header;
    const uint32_t control = body[0], tail = body[5];
    const uint32_t target = (control >> 20 & 3) | (tail >> 25 & 4) | (tail >> 26 & 8);
    const uint32_t source = (control >> 29 & 3) | (tail >> 24 & 4) | (tail >> 25 & 8);
    struct transfer move = {.source = et_pm4_address(body[1], body[2]),
                            .target = et_pm4_address(body[3], body[4]),
                            .bytes = tail & 0x03FFFFFF};
    if (!move.bytes || (uint32_t)move.target == REGISTER_POKE)
        return count;
    if (target == 2) /* nowhere: a prefetch, which needs a source in the L2 */
        return source == 3 ? count : et_pm4_unsupported(run, "source", source);
    if (target != 0 && target != 1 && target != 3)
        return et_pm4_unsupported(run, "destination", target);
    move.to = target == 1 ? PLACE_GDS : PLACE_MEMORY;
    if (source == 2)
        move.from = PLACE_IMMEDIATE;
    else if (source == 0 || source == 3)
        move.from = PLACE_MEMORY;
    else if (source == 1 && target != 1)
        move.from = PLACE_GDS;
    else
        return et_pm4_unsupported(run, "source", source);
    return transfer(run, &move, count);
}

/* An address read from memory when the packet says so; false with the fault recorded. */
static bool follow(struct et_pm4_run *run, bool indirect, uint64_t *address)
{
    const uint64_t holder = *address & ~UINT64_C(3);
    if (!indirect || et_pm4_load(&run->pm4->memory, holder, 8, address))
        return true;
    et_pm4_memory_fault(run, holder, "the address");
    return false;
}

uint32_t et_pm4_dma_hw(struct et_pm4_run *run, uint32_t header, const uint32_t *body, uint32_t count)
{
    (void)header;
    static const uint8_t kinds[4] = {PLACE_MEMORY, PLACE_GDS, PLACE_IMMEDIATE, PLACE_MEMORY};
    const uint32_t control = body[0], tail = body[5], source = control >> 29 & 3, target = control >> 20 & 3;
    struct transfer move = {.from = kinds[source],
                            .to = target == 1 ? PLACE_GDS : PLACE_MEMORY,
                            .source = et_pm4_address(body[1], body[2]),
                            .target = et_pm4_address(body[3], body[4]),
                            .bytes = tail & 0x03FFFFFF,
                            .hold_source = tail >> 28 & 1,
                            .hold_target = tail >> 29 & 1};
    if (source == 0 && tail >> 26 & 1)
        move.from = PLACE_REGISTER;
    if (target == 0 && tail >> 27 & 1)
        move.to = PLACE_REGISTER;
    if (!move.bytes || target == 2) /* nowhere: a prefetch */
        return count;
    if (!follow(run, control >> 1 & 1 && move.from == PLACE_MEMORY, &move.source) ||
        !follow(run, control >> 2 & 1 && move.to == PLACE_MEMORY, &move.target))
        return ET_PM4_FAULT_HERE;
    return transfer(run, &move, count);
}

/* DMA_DATA_FILL_MULTI: zeroes runs at a stride [INF]: the packet carries no data. */
uint32_t et_pm4_fill_multi(struct et_pm4_run *run, uint32_t header, const uint32_t *body, uint32_t count)
{
    (void)header;
    const uint32_t stride = body[1], runs = stride ? body[2] : ET_MIN(body[2], 1u),
                   bytes = body[5] & 0x03FFFFFF;
    const uint64_t address = et_pm4_address(body[3], body[4]);
    if ((body[0] >> 29 & 3) != 2 || (body[0] >> 20 & 3) != 3)
        return et_pm4_unsupported(run, "fill", body[0] >> 20 & 3);
    if (runs > run->pm4->packet_budget)
        return et_pm4_fail(run, ETALON_PM4_INDIRECT_LOOP, "%u runs", runs);
    run->cost = runs;
    for (uint32_t pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < runs; i++) {
            const struct transfer move = {.from = PLACE_IMMEDIATE,
                                          .to = PLACE_MEMORY,
                                          .target = address + (uint64_t)i * stride,
                                          .bytes = bytes};
            if (pass ? move_bytes(run, &move, count) == ET_PM4_FAULT_HERE : !ends_ok(run, &move))
                return ET_PM4_FAULT_HERE;
        }
    return count;
}

/* ---- others ---- */

/* COND_WRITE: polls once, and writes when the comparison passes. */
uint32_t et_pm4_cond_write(struct et_pm4_run *run, uint32_t header, const uint32_t *body, uint32_t count)
{
    (void)header;
    const uint32_t function = body[0] & 7, space = body[0] >> 8 & 3;
    const bool memory = body[0] >> 4 & 1;
    const uint64_t from = et_pm4_address(body[1] & (memory ? ~3u : ~0u), body[2]);
    const uint64_t to = et_pm4_address(body[5] & (space ? ~3u : ~0u), body[6]);
    uint64_t value;
    if (function == 7)
        return et_pm4_fail(run, ETALON_PM4_BAD_COMPARE_FUNCTION, "function 7");
    if (space > 1)
        return et_pm4_unsupported(run, "destination", space);
    if (!get_value(run, memory ? PLACE_MEMORY : PLACE_REGISTER, 0, from, 4, &value))
        return ET_PM4_FAULT_HERE;
    if (!et_pm4_compare(function, value, body[4], body[3]))
        return count;
    return put_value(run, space ? PLACE_MEMORY : PLACE_REGISTER, to, body[7], 4, count);
}

/* ---- constant RAM ---- */

/* A range of it; NULL with the fault recorded. */
static uint8_t *const_range(struct et_pm4_run *run, uint32_t offset, uint32_t dwords)
{
    if (offset & 3 || offset > ET_PM4_CONST_RAM - 4 || dwords >= ET_PM4_CONST_RAM / 4 ||
        offset + dwords * 4 > ET_PM4_CONST_RAM) {
        et_pm4_fail(run, ETALON_PM4_CONST_RAM_RANGE, "offset 0x%x + %u dwords", offset, dwords);
        return NULL;
    }
    uint8_t *ram = et_pm4_const_ram(run);
    return ram ? ram + offset : NULL;
}

uint32_t et_pm4_write_const(struct et_pm4_run *run, uint32_t header, const uint32_t *body, uint32_t count)
{
    (void)header;
    uint8_t *ram = const_range(run, run->console ? body[0] : body[0] & 0xFFFF, count - 1);
    if (!ram)
        return ET_PM4_FAULT_HERE;
    memcpy(ram, body + 1, (size_t)(count - 1) * 4);
    return count;
}

uint32_t et_pm4_load_const(struct et_pm4_run *run, uint32_t header, const uint32_t *body, uint32_t count)
{
    (void)header;
    const uint64_t address = et_pm4_address(body[0], body[1]);
    const uint32_t dwords = body[2] & 0x7FFF;
    uint8_t *ram = const_range(run, body[3] & 0xFFFF, dwords);
    if (!ram)
        return ET_PM4_FAULT_HERE;
    return et_pm4_read(&run->pm4->memory, address, ram, (uint64_t)dwords * 4)
               ? count
               : et_pm4_memory_fault(run, address, "the source");
}

static uint32_t dump(struct et_pm4_run *run, uint32_t control, uint32_t dwords, uint64_t address,
                     uint32_t count)
{
    const uint8_t *ram = const_range(run, run->console ? control : control & 0xFFFF, dwords);
    if (!ram)
        return ET_PM4_FAULT_HERE;
    if (!et_pm4_write(&run->pm4->memory, address, ram, (uint64_t)dwords * 4))
        return et_pm4_memory_fault(run, address, "the destination");
    if (!run->console) {
        run->queue->ce += control >> 30 & 1;
        run->queue->cs += control >> 31;
    }
    return count;
}

uint32_t et_pm4_dump_const(struct et_pm4_run *run, uint32_t header, const uint32_t *body, uint32_t count)
{
    (void)header;
    return dump(run, body[0], run->console ? body[1] : body[1] & 0x7FFF, et_pm4_address(body[2], body[3]),
                count);
}

uint32_t et_pm4_dump_const_offset(struct et_pm4_run *run, uint32_t header, const uint32_t *body,
                                  uint32_t count)
{
    (void)header;
    return dump(run, body[0], body[1] & 0x7FFF, run->queue->base[2] + body[2], count);
}

/* ---- others ---- */

/* GEN_PDEPTE [INF]: entry i is mask | (start + i * increment). */
uint32_t et_pm4_gen_pdepte(struct et_pm4_run *run, uint32_t header, const uint32_t *body, uint32_t count)
{
    (void)header;
    const uint64_t to = et_pm4_address(body[0] & ~7u, body[1]), mask = et_pm4_address(body[2], body[3]);
    const uint64_t from = et_pm4_address(body[4], body[5]), step = et_pm4_address(body[6], body[7]);
    if (!et_pm4_mapped(&run->pm4->memory, to, (uint64_t)body[8] * 8, true))
        return et_pm4_memory_fault(run, to, "the table");
    if (body[8] > run->pm4->packet_budget)
        return et_pm4_fail(run, ETALON_PM4_INDIRECT_LOOP, "%u entries", body[8]);
    run->cost = body[8] / 64;
    for (uint32_t i = 0; i < body[8]; i++)
        et_pm4_store(&run->pm4->memory, to + (uint64_t)i * 8, 8, mask | (from + i * step));
    return count;
}

/* STRMOUT_BUFFER_UPDATE: loads or stores a stream-out buffer's filled size. */
uint32_t et_pm4_streamout(struct et_pm4_run *run, uint32_t header, const uint32_t *body, uint32_t count)
{
    (void)header;
    const uint32_t buffer = body[0] >> 8 & 3, source = body[0] >> 1 & 3;
    const uint64_t to = et_pm4_address(body[1] & ~3u, body[2]), from = et_pm4_address(body[3] & ~3u, body[4]);
    uint64_t value = run->queue->streamout[buffer];
    if (body[0] & 1 && !et_pm4_mapped(&run->pm4->memory, to, 4, true))
        return et_pm4_memory_fault(run, to, "the filled size");
    if (source == 0)
        value = body[3];
    else if (source == 2 && !et_pm4_load(&run->pm4->memory, from, 4, &value))
        return et_pm4_memory_fault(run, from, "the offset");
    if (body[0] & 1)
        et_pm4_store(&run->pm4->memory, to, 4, run->queue->streamout[buffer]);
    run->queue->streamout[buffer] = (uint32_t)value;
    return count;
}

/* GET_LOD_STATS [DRV]: nothing samples here, so the buffer reads as empty, its first dword marked written. */
uint32_t et_pm4_lod_stats(struct et_pm4_run *run, uint32_t header, const uint32_t *body, uint32_t count)
{
    (void)header;
    const uint64_t address = et_pm4_address(body[1] & ~63u, body[2]);
    const struct transfer zero = {
        .from = PLACE_IMMEDIATE, .to = PLACE_MEMORY, .target = address, .bytes = body[0]};
    if (!address || !body[0])
        return count;
    if (move_bytes(run, &zero, count) == ET_PM4_FAULT_HERE)
        return ET_PM4_FAULT_HERE;
    if (body[0] >= 4)
        et_pm4_store(&run->pm4->memory, address, 4, 1);
    return count;
}
