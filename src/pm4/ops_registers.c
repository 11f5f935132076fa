/* Register writes: SET_*, the pair lists, loads from memory, read-modify-write, bases, context state (P40,
 * P46, P47). */
#include "pm4/ops.h"

#include <stdlib.h>

enum {
    SELECTOR_BITS = 0x70000000, /* bits 28-30 of an offset select nothing the console knows */
    SKIPPED_PAIR = 0xFFFFFFFF,
    INTERNAL_DATA = 0x342 /* SQ_THREAD_TRACE_USERDATA_2, carrier of the builders' tags (B8) */
};

/* ---- register effects: the third kind of table ---- */

static void effect_index_type(struct et_pm4_run *run, uint32_t value)
{
    run->queue->index_type = value & 3;
}

static void effect_num_instances(struct et_pm4_run *run, uint32_t value)
{
    run->queue->num_instances = value ? value : 1;
}

static const struct {
    const char *name;
    uint8_t space;
    bool console;
    uint16_t offset;
    void (*apply)(struct et_pm4_run *run, uint32_t value);
} effects[] = {
    {"VGT_INDEX_TYPE", ETALON_PM4_UCONFIG, true, 0x243, effect_index_type},
    {"VGT_NUM_INSTANCES", ETALON_PM4_UCONFIG, false, 0x24D, effect_num_instances},
};

void et_pm4_write_registers(struct et_pm4_run *run, enum etalon_pm4_space space, uint32_t offset,
                            const uint32_t *values, uint32_t count)
{
    et_pm4_set_run(run->queue->registers, et_pm4_file_base(space) + offset, values, count);
    if (space == ETALON_PM4_UCONFIG)
        for (size_t i = 0; i < ET_COUNT(effects); i++)
            if (effects[i].offset - offset < count && (!run->console || effects[i].console))
                effects[i].apply(run, values[effects[i].offset - offset]);
    if (run->pm4->hooks.registers)
        run->pm4->hooks.registers(run->pm4->hooks.user, run->queue_id, space, offset, values, count);
}

uint32_t et_pm4_read_register(const struct et_pm4_run *run, enum etalon_pm4_space space, uint32_t offset)
{
    return run->queue->registers->value[et_pm4_file_base(space) + offset];
}

bool et_pm4_locate(uint32_t number, enum etalon_pm4_space *space, uint32_t *offset)
{
    for (unsigned i = 0; i < ETALON_PM4_SPACES; i++)
        if (number - et_pm4_spaces[i].base < et_pm4_spaces[i].size) {
            *space = (enum etalon_pm4_space)i;
            *offset = number - et_pm4_spaces[i].base;
            return true;
        }
    return false;
}

/* Offsets that the console accepts and ignores (P47). */
static bool is_pseudo(enum etalon_pm4_space space, uint32_t offset)
{
    switch (space) {
    case ETALON_PM4_CONTEXT:
        return offset == 0x800003FF || offset == 0x18 || offset == 0x19;
    case ETALON_PM4_SH:
        return offset == 0x800002FF;
    default:
        return offset == 0x80003FFF || (offset >= 0x80003FF4 && offset <= 0x80003FFE);
    }
}

/* ---- SET_*_REG ---- */

static uint32_t out_of_range(struct et_pm4_run *run, enum etalon_pm4_space space, uint32_t offset,
                             uint32_t count)
{
    return et_pm4_fail(run, ETALON_PM4_REGISTER_OUT_OF_RANGE, "%s offset 0x%x + %u",
                       et_pm4_spaces[space].name, offset, count);
}

static uint32_t unknown_register(struct et_pm4_run *run, enum etalon_pm4_space space, uint32_t offset,
                                 uint32_t count)
{
    while (count && et_pm4_known(&et_pm4_spaces[space], offset, 1))
        offset++, count--;
    return et_pm4_fail(run, ETALON_PM4_UNKNOWN_REGISTER, "%s register 0x%x", et_pm4_spaces[space].name,
                       offset);
}

/* A run that holds a pseudo register: each by itself. */
static uint32_t set_mixed(struct et_pm4_run *run, enum etalon_pm4_space space, uint32_t offset,
                          const uint32_t *values, uint32_t count)
{
    const struct et_pm4_space *of = &et_pm4_spaces[space];
    for (uint32_t i = 0; i < count; i++) {
        if (is_pseudo(space, offset + i))
            continue;
        if (offset + i >= of->size)
            return out_of_range(run, space, offset, count);
        if (!et_pm4_known(of, offset + i, 1))
            return unknown_register(run, space, offset + i, 1);
    }
    for (uint32_t i = 0; i < count; i++)
        if (!is_pseudo(space, offset + i))
            et_pm4_write_registers(run, space, offset + i, values + i, 1);
    return count + 1;
}

static inline uint32_t set_console(struct et_pm4_run *run, enum etalon_pm4_space space, uint32_t offset,
                                   const uint32_t *values, uint32_t count)
{
    const struct et_pm4_space *of = &et_pm4_spaces[space];
    if (offset >> 31 || (space == ETALON_PM4_CONTEXT && offset <= 0x19 && offset + count > 0x18))
        return set_mixed(run, space, offset, values, count);
    if (offset >= of->size || count > of->size - offset)
        return out_of_range(run, space, offset, count);
    if (!et_pm4_known(of, offset, count))
        return unknown_register(run, space, offset, count);
    et_pm4_write_registers(run, space, offset, values, count);
    return count + 1;
}

static inline uint32_t set_hardware(struct et_pm4_run *run, enum etalon_pm4_space space, uint32_t offset,
                                    const uint32_t *values, uint32_t count)
{
    offset &= 0xFFFF;
    if (offset >= et_pm4_spaces[space].size || count > et_pm4_spaces[space].size - offset)
        return out_of_range(run, space, offset, count);
    et_pm4_write_registers(run, space, offset, values, count);
    return count + 1;
}

uint32_t et_pm4_set_context(struct et_pm4_run *run, uint32_t header, const uint32_t *body, uint32_t count)
{
    (void)header;
    return set_console(run, ETALON_PM4_CONTEXT, body[0] & ~(uint32_t)SELECTOR_BITS, body + 1, count - 1);
}

uint32_t et_pm4_set_context_hw(struct et_pm4_run *run, uint32_t header, const uint32_t *body, uint32_t count)
{
    (void)header;
    return set_hardware(run, ETALON_PM4_CONTEXT, body[0], body + 1, count - 1);
}

uint32_t et_pm4_set_sh(struct et_pm4_run *run, uint32_t header, const uint32_t *body, uint32_t count)
{
    (void)header;
    return set_console(run, ETALON_PM4_SH, body[0], body + 1, count - 1);
}

uint32_t et_pm4_set_sh_hw(struct et_pm4_run *run, uint32_t header, const uint32_t *body, uint32_t count)
{
    (void)header;
    return set_hardware(run, ETALON_PM4_SH, body[0], body + 1, count - 1);
}

/* The tags that builders put round waits and multi-draws are skipped, exactly these (B8). */
static bool is_internal_data(uint32_t header, const uint32_t *body, uint32_t count)
{
    if ((header & 0xFC) != 4 || body[0] != INTERNAL_DATA)
        return false;
    if (count == 3)
        return (body[1] & 0xFFFF0000) == 0xC8010000 || (body[1] & 0xFFFF0000) == 0xC8020000;
    return count == 2 && (body[1] == 0xC8000000 || body[1] == 0xC6000008 || body[1] == 0xC6000000);
}

uint32_t et_pm4_set_uconfig(struct et_pm4_run *run, uint32_t header, const uint32_t *body, uint32_t count)
{
    if (is_internal_data(header, body, count))
        return count;
    return set_console(run, ETALON_PM4_UCONFIG, body[0] & ~(uint32_t)SELECTOR_BITS, body + 1, count - 1);
}

uint32_t et_pm4_set_uconfig_index(struct et_pm4_run *run, uint32_t header, const uint32_t *body,
                                  uint32_t count)
{
    (void)header;
    return set_console(run, ETALON_PM4_UCONFIG, body[0] & 0x0FFFFFFF, body + 1, count - 1);
}

uint32_t et_pm4_set_uconfig_hw(struct et_pm4_run *run, uint32_t header, const uint32_t *body, uint32_t count)
{
    (void)header;
    return set_hardware(run, ETALON_PM4_UCONFIG, body[0], body + 1, count - 1);
}

uint32_t et_pm4_set_config(struct et_pm4_run *run, uint32_t header, const uint32_t *body, uint32_t count)
{
    (void)header;
    if (!run->pm4->privileged)
        return et_pm4_fail(run, ETALON_PM4_UNSUPPORTED_SELECTOR, "config registers need a privileged stream");
    return set_hardware(run, ETALON_PM4_CONFIG, body[0], body + 1, count - 1);
}

uint32_t et_pm4_set_queue(struct et_pm4_run *run, uint32_t header, const uint32_t *body, uint32_t count)
{
    (void)header, (void)count;
    return et_pm4_fail(run, ETALON_PM4_UNSUPPORTED_SELECTOR, "queue register 0x%x belongs to the kernel",
                       body[0] & 0xFF);
}

/* ---- lists in memory ---- */

enum pair { PAIR_WRITE, PAIR_SKIP, PAIR_RANGE, PAIR_UNKNOWN };

static enum pair classify(const struct et_pm4_run *run, enum etalon_pm4_space space, uint32_t raw,
                          uint32_t *offset)
{
    if (!run->console) {
        *offset = raw & 0xFFFF;
        return *offset < et_pm4_spaces[space].size ? PAIR_WRITE : PAIR_RANGE;
    }
    *offset = raw & ~(uint32_t)SELECTOR_BITS;
    if (is_pseudo(space, *offset) || (raw == SKIPPED_PAIR && space != ETALON_PM4_UCONFIG))
        return PAIR_SKIP;
    if (*offset >= et_pm4_spaces[space].size)
        return space == ETALON_PM4_CONTEXT ? PAIR_SKIP : PAIR_RANGE;
    return et_pm4_known(&et_pm4_spaces[space], *offset, 1) ? PAIR_WRITE : PAIR_UNKNOWN;
}

/* (offset, value) pairs at an address; nothing is written when one of them is refused. */
static uint32_t pairs(struct et_pm4_run *run, enum etalon_pm4_space space, uint64_t address, uint32_t count,
                      uint32_t consumed)
{
    uint32_t *list = count ? et_calloc(count, 8) : NULL, result = consumed, offset;
    if (!count)
        return consumed;
    if (!list)
        return et_pm4_fail(run, ETALON_PM4_NO_MEMORY, "no memory for %u pairs", count);
    if (!et_pm4_read(&run->pm4->memory, address, list, (uint64_t)count * 8))
        result = et_pm4_memory_fault(run, address, "the register list");
    for (uint32_t i = 0; i < count && result == consumed; i++) {
        const enum pair pair = classify(run, space, list[i * 2], &offset);
        if (pair == PAIR_RANGE)
            result = out_of_range(run, space, list[i * 2], 1);
        else if (pair == PAIR_UNKNOWN)
            result = unknown_register(run, space, offset, 1);
    }
    for (uint32_t i = 0; i < count && result == consumed; i++)
        if (classify(run, space, list[i * 2], &offset) == PAIR_WRITE)
            et_pm4_write_registers(run, space, offset, &list[i * 2 + 1], 1);
    et_free(list);
    return result;
}

static uint32_t console_pairs(struct et_pm4_run *run, enum etalon_pm4_space space, const uint32_t *body,
                              uint32_t count)
{
    return pairs(run, space, et_pm4_address(body[0] & ~3u, body[1]), body[3] & 0x3FFF, count);
}

uint32_t et_pm4_pairs_context(struct et_pm4_run *run, uint32_t header, const uint32_t *body, uint32_t count)
{
    (void)header;
    return console_pairs(run, ETALON_PM4_CONTEXT, body, count);
}

uint32_t et_pm4_pairs_sh(struct et_pm4_run *run, uint32_t header, const uint32_t *body, uint32_t count)
{
    (void)header;
    return console_pairs(run, ETALON_PM4_SH, body, count);
}

uint32_t et_pm4_pairs_uconfig(struct et_pm4_run *run, uint32_t header, const uint32_t *body, uint32_t count)
{
    (void)header;
    return console_pairs(run, ETALON_PM4_UCONFIG, body, count);
}

static enum etalon_pm4_space space_of_load(uint32_t header)
{
    switch (header >> 8 & 0xFF) {
    case 0x5F:
    case 0x63:
        return ETALON_PM4_SH;
    case 0x5E:
    case 0x64:
        return ETALON_PM4_UCONFIG;
    case 0x60:
        return ETALON_PM4_CONFIG;
    default:
        return ETALON_PM4_CONTEXT;
    }
}

/* A run of values at an address into consecutive registers. */
static uint32_t load_run(struct et_pm4_run *run, enum etalon_pm4_space space, uint32_t offset,
                         uint64_t address, uint32_t dwords, uint32_t consumed)
{
    if (offset + dwords > et_pm4_spaces[space].size)
        return out_of_range(run, space, offset, dwords);
    uint32_t *values = dwords ? et_calloc(dwords, 4) : NULL;
    if (dwords && !values)
        return et_pm4_fail(run, ETALON_PM4_NO_MEMORY, "no memory for %u registers", dwords);
    if (!et_pm4_read(&run->pm4->memory, address, values, (uint64_t)dwords * 4))
        consumed = et_pm4_memory_fault(run, address, "the register values");
    else if (dwords)
        et_pm4_write_registers(run, space, offset, values, dwords);
    et_free(values);
    return consumed;
}

/* LOAD_*_REG_INDEX: address, base + offset (SET_BASE index 4), or an address that holds the address. */
uint32_t et_pm4_load_index(struct et_pm4_run *run, uint32_t header, const uint32_t *body, uint32_t count)
{
    const enum etalon_pm4_space space = space_of_load(header);
    uint64_t address = et_pm4_address(body[0] & ~3u, body[1]);
    switch (body[0] & 3) {
    case 1:
        address = run->queue->base[4] + body[1];
        break;
    case 2: {
        const uint64_t holder = address;
        if (!et_pm4_load(&run->pm4->memory, holder & ~UINT64_C(7), 8, &address))
            return et_pm4_memory_fault(run, holder, "the address of the register list");
        address &= ~UINT64_C(3);
        break;
    }
    case 3:
        return et_pm4_fail(run, ETALON_PM4_BAD_FIELD, "index 3");
    }
    const uint32_t dwords = body[3] & 0x3FFF;
    if (body[2] >> 31)
        return pairs(run, space, address, dwords, count);
    return load_run(run, space, body[2] & 0xFFFF, address, dwords, count);
}

/* LOAD_*_REG: ranges out of an image of the space in memory. */
uint32_t et_pm4_load_registers(struct et_pm4_run *run, uint32_t header, const uint32_t *body, uint32_t count)
{
    const enum etalon_pm4_space space = space_of_load(header);
    const uint64_t image = et_pm4_address(body[0] & ~3u, body[1]);
    if (count % 2)
        return et_pm4_fail(run, ETALON_PM4_LENGTH_MISMATCH, "half a range");
    if (space == ETALON_PM4_CONFIG && !run->pm4->privileged)
        return et_pm4_fail(run, ETALON_PM4_UNSUPPORTED_SELECTOR, "config registers need a privileged stream");
    for (uint32_t pass = 0; pass < 2; pass++)
        for (uint32_t i = 2; i < count; i += 2) {
            const uint32_t offset = body[i] & 0xFFFF, dwords = body[i + 1] & 0x3FFF;
            if (offset + dwords > et_pm4_spaces[space].size)
                return out_of_range(run, space, offset, dwords);
            if (!pass && !et_pm4_mapped(&run->pm4->memory, image + offset * 4, (uint64_t)dwords * 4, false))
                return et_pm4_memory_fault(run, image + offset * 4, "the register image");
            if (pass && load_run(run, space, offset, image + offset * 4, dwords, 0) == ET_PM4_FAULT_HERE)
                return ET_PM4_FAULT_HERE;
        }
    return count;
}

/* ---- read, modify, write ---- */

uint32_t et_pm4_context_rmw(struct et_pm4_run *run, uint32_t header, const uint32_t *body, uint32_t count)
{
    (void)header;
    const uint32_t offset = body[0] & 0xFFFF;
    if (offset >= et_pm4_spaces[ETALON_PM4_CONTEXT].size)
        return out_of_range(run, ETALON_PM4_CONTEXT, offset, 1);
    const uint32_t value =
        (et_pm4_read_register(run, ETALON_PM4_CONTEXT, offset) & ~body[1]) | (body[2] & body[1]);
    et_pm4_write_registers(run, ETALON_PM4_CONTEXT, offset, &value, 1);
    return count;
}

/* REG_RMW: the register by absolute number; bits 30 and 31 would take the masks from registers. */
uint32_t et_pm4_reg_rmw(struct et_pm4_run *run, uint32_t header, const uint32_t *body, uint32_t count)
{
    (void)header;
    enum etalon_pm4_space space;
    uint32_t offset;
    if (body[0] >> 30)
        return et_pm4_fail(run, ETALON_PM4_UNSUPPORTED_SELECTOR, "masks out of registers");
    if (!et_pm4_locate(body[0] & 0x3FFFF, &space, &offset))
        return et_pm4_fail(run, ETALON_PM4_REGISTER_OUT_OF_RANGE, "register 0x%x is in no space",
                           body[0] & 0x3FFFF);
    const uint32_t value = (et_pm4_read_register(run, space, offset) & body[1]) | body[2];
    et_pm4_write_registers(run, space, offset, &value, 1);
    return count;
}

/* SET_SH_REG_OFFSET: an address relative to a base of SET_BASE [INF]: 0 table base 0, both dwords; 1 and 2
 * indirect data base (index 5), in 256-byte units in two dwords, or its low dword. */
uint32_t et_pm4_set_sh_offset(struct et_pm4_run *run, uint32_t header, const uint32_t *body, uint32_t count)
{
    (void)header;
    const uint32_t offset = body[0] & 0xFFFF, index = body[0] >> 30;
    uint64_t address = run->queue->base[index ? 5 : 0] + body[1];
    if (index == 3)
        return et_pm4_fail(run, ETALON_PM4_BAD_FIELD, "index 3");
    if (index == 1)
        address >>= 8;
    const uint32_t values[2] = {(uint32_t)address, (uint32_t)(address >> 32)}, n = index == 2 ? 1 : 2;
    if (offset + n > et_pm4_spaces[ETALON_PM4_SH].size)
        return out_of_range(run, ETALON_PM4_SH, offset, n);
    et_pm4_write_registers(run, ETALON_PM4_SH, offset, values, n);
    return count;
}

/* ---- bases and context state ---- */

uint32_t et_pm4_set_base(struct et_pm4_run *run, uint32_t header, const uint32_t *body, uint32_t count)
{
    const uint64_t base = et_pm4_address(body[1] & ~7u, body[2] & 0xFFFF);
    if ((body[0] & 0xF) != 1)
        return et_pm4_fail(run, ETALON_PM4_BAD_FIELD, "base index %u", body[0] & 0xF);
    if ((header >> 1 & 3) > 1)
        return et_pm4_fail(run, ETALON_PM4_BAD_FIELD, "shader type %u", header >> 1 & 3);
    if (header >> 1 & 1)
        run->queue->dispatch_base = base;
    else
        run->queue->draw_base = base;
    return count;
}

uint32_t et_pm4_set_base_hw(struct et_pm4_run *run, uint32_t header, const uint32_t *body, uint32_t count)
{
    const uint64_t base = et_pm4_address(body[1] & ~7u, body[2]);
    const uint32_t index = body[0] & 0xF;
    if (index > 5)
        return et_pm4_fail(run, ETALON_PM4_BAD_FIELD, "base index %u", index);
    if (index == 1 && header & 2)
        run->queue->dispatch_base = base;
    else if (index == 1)
        run->queue->draw_base = base;
    run->queue->base[index] = base;
    return count;
}

uint32_t et_pm4_context_operation(struct et_pm4_run *run, uint32_t operation)
{
    struct et_pm4_queue *queue = run->queue;
    const bool push = operation == 1 || operation == 3;
    if (push && queue->saved)
        return et_pm4_fail(run, ETALON_PM4_CONTEXT_STACK_OVERFLOW, "a context is already pushed");
    if (operation == 2 && !queue->saved)
        return et_pm4_fail(run, ETALON_PM4_CONTEXT_STACK_UNDERFLOW, "no context is pushed");
    if (push) {
        queue->saved = et_pm4_save_context(queue->registers);
        if (!queue->saved)
            return et_pm4_fail(run, ETALON_PM4_NO_MEMORY, "no memory for the pushed context");
    }
    if (operation == 2) {
        et_pm4_restore_context(queue->registers, queue->saved);
        et_free(queue->saved);
        queue->saved = NULL;
    }
    if (operation == 0 || operation == 3)
        et_pm4_clear_space(queue->registers, ETALON_PM4_CONTEXT);
    return 0;
}

static uint32_t operate(struct et_pm4_run *run, uint32_t operation, uint32_t count)
{
    return et_pm4_context_operation(run, operation) == ET_PM4_FAULT_HERE ? ET_PM4_FAULT_HERE : count;
}

uint32_t et_pm4_clear_state(struct et_pm4_run *run, uint32_t header, const uint32_t *body, uint32_t count)
{
    (void)header;
    if (body[0] > 0xF)
        return et_pm4_fail(run, ETALON_PM4_BAD_FIELD, "command 0x%x", body[0]);
    return operate(run, 0, count);
}

uint32_t et_pm4_clear_state_hw(struct et_pm4_run *run, uint32_t header, const uint32_t *body, uint32_t count)
{
    (void)header;
    if ((body[0] & 0xF) > 3)
        return et_pm4_fail(run, ETALON_PM4_BAD_FIELD, "command %u", body[0] & 0xF);
    return operate(run, body[0] & 0xF, count);
}

uint32_t et_pm4_context_state(struct et_pm4_run *run, uint32_t header, const uint32_t *body, uint32_t count)
{
    (void)header;
    if (body[0] > 3)
        return et_pm4_fail(run, ETALON_PM4_BAD_FIELD, "operation 0x%x", body[0]);
    return operate(run, body[0], count);
}

void et_pm4_reset_state(struct et_pm4_queue *queue, bool all)
{
    if (queue->registers)
        for (unsigned space = 0; space < ETALON_PM4_SPACES; space++)
            et_pm4_clear_space(queue->registers, (enum etalon_pm4_space)space);
    et_free(queue->saved);
    queue->saved = NULL;
    queue->index_type = queue->index_buffer_size = 0;
    queue->draw_base = queue->dispatch_base = 0;
    memset(queue->base, 0, sizeof queue->base);
    if (queue->const_ram)
        memset(queue->const_ram, 0, ET_PM4_CONST_RAM);
    if (!all) /* [DRV] the no-op form keeps instances, index base, predicate and counters */
        return;
    queue->index_base = 0;
    queue->num_instances = 1;
    queue->predicate_skip = false;
    queue->ce = queue->de = queue->cs = 0;
    queue->flip = (struct etalon_pm4_flip){0};
    queue->atomic_return = queue->task_control = 0;
    memset(queue->gds_return, 0, sizeof queue->gds_return);
    memset(queue->streamout, 0, sizeof queue->streamout);
    queue->pending_ce_count = 0;
}

uint32_t et_pm4_queue_reset(struct et_pm4_run *run, uint32_t header, const uint32_t *body, uint32_t count)
{
    (void)header, (void)body;
    et_pm4_reset_state(run->queue, false);
    return count;
}
