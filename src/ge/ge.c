/* Making, restarting and looking into a GE; the world around the driver. */
#include "ge/ge.h"

#include "base/alloc.h"

#define DEFAULT_EAGER_LIMIT (UINT64_C(1) << 20)

/* ---- Life ---- */

static void reset_ge(struct etalon_ge *ge)
{
    ge->on = ge->powered = ge->faulted = false;
    ge->raised = 0;
    ge->flags = ge->address = ge->stall = ge->vertex = ge->index = 0;
    memset(&ge->returns, 0, sizeof ge->returns);
    memset(&ge->matrices, 0, sizeof ge->matrices);
    for (uint32_t opcode = 0; opcode < 256; opcode++)
        ge->commands[opcode] = opcode << 24;
}

static void reset_driver(struct etalon_ge *ge)
{
    memset(ge->lists, 0, sizeof ge->lists);
    memset(ge->callbacks, 0, sizeof ge->callbacks);
    et_ge_reset_lists(ge);
    ge->callbacks_used = 0;
    ge->break_in_delivery = false;
    ge->drained = true;
    ge->done = UINT64_MAX;
    ge->sdk = ge->sdk_declared;
    ge->waiter_count = 0;
    ge->interrupts = ge->dispatch = true;
    ge->in_handler = false;
}

/* Two regions may not share an address; names the one at fault. */
static enum etalon_status check_regions(const struct etalon_ge_config *config, struct etalon_error *error)
{
    for (size_t i = 0; i < config->region_count; i++) {
        const struct etalon_ge_region *region = &config->regions[i];
        const uint64_t start = region->address & ET_GE_ADDRESS_MASK, end = start + region->size;
        if (!region->host || !region->size || (region->address | region->size) & 3 ||
            end > (uint64_t)ET_GE_ADDRESS_MASK + 1) {
            et_at_address(error, region->address);
            return et_fail(error, ETALON_INVALID, "region %zu: address 0x%08x, size 0x%x", i, region->address,
                           region->size);
        }
        for (size_t other = 0; other < i; other++) {
            const uint64_t low = config->regions[other].address & ET_GE_ADDRESS_MASK;
            if (start < low + config->regions[other].size && low < end) {
                et_at_address(error, region->address);
                return et_fail(error, ETALON_INVALID, "region %zu overlaps region %zu at 0x%08x", i, other,
                               region->address);
            }
        }
    }
    return ETALON_OK;
}

enum etalon_status etalon_ge_create(const struct etalon_ge_config *config, struct etalon_ge **out,
                                    struct etalon_error *error)
{
    const enum etalon_status status = check_regions(config, error);
    struct etalon_ge *ge;
    *out = NULL;
    if (status != ETALON_OK)
        return status;
    ge = et_calloc(1, sizeof *ge);
    if (!ge)
        return et_fail(error, ETALON_NO_MEMORY, "a GE");
    ge->regions = et_calloc(ET_MAX(config->region_count, (size_t)1), sizeof *ge->regions);
    if (!ge->regions) {
        et_free(ge);
        return et_fail(error, ETALON_NO_MEMORY, "%zu regions of a GE", config->region_count);
    }
    for (size_t i = 0; i < config->region_count; i++) {
        ge->regions[i] = config->regions[i];
        ge->regions[i].address &= ET_GE_ADDRESS_MASK;
    }
    ge->regions_end = ge->regions + config->region_count;
    ge->hooks = config->hooks;
    ge->sdk_declared = config->sdk_version;
    ge->eager = config->eager;
    ge->eager_limit = config->eager_limit ? config->eager_limit : DEFAULT_EAGER_LIMIT;
    reset_ge(ge);
    reset_driver(ge);
    *out = ge;
    return ETALON_OK;
}

void etalon_ge_destroy(struct etalon_ge *ge)
{
    if (!ge)
        return;
    et_free(ge->waiters);
    et_free(ge->regions);
    et_free(ge);
}

void etalon_ge_restart(struct etalon_ge *ge)
{
    reset_ge(ge);
    reset_driver(ge);
    et_error_clear(&ge->fault);
    /* A hook that is still on the stack ends its interrupt itself; a callback that was waited for is gone. */
    if (ge->callback_state == ET_GE_CALLBACK_WAITED_FOR) {
        ge->callback_state = ET_GE_CALLBACK_NONE;
        ge->after = ET_GE_AFTER_NOTHING;
        ge->in_interrupt = false;
    }
}

/* ---- Callbacks (R114) ---- */

uint32_t etalon_ge_set_callback(struct etalon_ge *ge, const struct etalon_ge_callback *callback)
{
    if (et_ge_kernel_pointer(callback->signal_function, 0) ||
        et_ge_kernel_pointer(callback->finish_function, 0))
        return ETALON_GE_PRIV_REQUIRED;
    for (uint32_t id = 0; id < ET_GE_CALLBACKS; id++)
        if (!(ge->callbacks_used >> id & 1)) {
            ge->callbacks_used |= UINT32_C(1) << id;
            ge->callbacks[id] = *callback;
            return id;
        }
    return ETALON_GE_NO_MEMORY;
}

uint32_t etalon_ge_unset_callback(struct etalon_ge *ge, uint32_t id)
{
    if (id >= ET_GE_CALLBACKS)
        return ETALON_GE_INVALID_ID;
    ge->callbacks_used &= ~(UINT32_C(1) << id);
    memset(&ge->callbacks[id], 0, sizeof ge->callbacks[id]);
    return 0;
}

/* ---- The world ---- */

void etalon_ge_set_sdk(struct etalon_ge *ge, uint32_t version)
{
    ge->sdk_declared = version;
}

void etalon_ge_set_interrupts(struct etalon_ge *ge, bool enabled)
{
    ge->interrupts = enabled;
    if (enabled)
        et_ge_let_go(ge);
}

void etalon_ge_set_dispatch(struct etalon_ge *ge, bool enabled)
{
    ge->dispatch = enabled;
}

void etalon_ge_set_handler(struct etalon_ge *ge, bool inside)
{
    ge->in_handler = inside;
}

/* ---- Looking inside ---- */

void etalon_ge_get_registers(const struct etalon_ge *ge, struct etalon_ge_registers *registers)
{
    registers->on = ge->on;
    registers->powered = ge->powered;
    registers->address = ge->address;
    registers->stall = ge->stall;
    registers->depth = ge->flags & ET_GE_DEPTH_TWO ? 2 : ge->flags & ET_GE_DEPTH_ONE ? 1 : 0;
    memcpy(registers->return_address, ge->returns.address, sizeof registers->return_address);
    registers->offset = ge->returns.offset;
    memcpy(registers->saved_offset, ge->returns.saved_offset, sizeof registers->saved_offset);
    registers->vertex = ge->vertex;
    registers->index = ge->index;
    registers->box_inside = ge->flags & ET_GE_INSIDE;
    registers->executed = ge->executed;
    registers->commands = ge->commands;
    registers->matrices = &ge->matrices;
}

bool etalon_ge_get_list_info(const struct etalon_ge *ge, unsigned slot, struct etalon_ge_list_info *info)
{
    const struct et_ge_list *list;
    if (slot >= ETALON_GE_LISTS)
        return false;
    list = &ge->lists[slot];
    info->id = et_ge_id((uint8_t)slot);
    info->state = (enum etalon_ge_list_state)list->state;
    info->pending = (enum etalon_ge_pending)list->pending;
    info->started = list->started;
    info->done = ge->done >> slot & 1;
    info->on_queue = list->on_queue;
    info->on_ge = ge->current == slot;
    info->list = list->list;
    info->stall = list->stall;
    info->context = list->context;
    info->stack = list->stack;
    info->depth = list->depth;
    info->level = list->level;
    info->callback = list->callback;
    return true;
}

unsigned etalon_ge_get_queue(const struct etalon_ge *ge, uint8_t slots[ETALON_GE_LISTS])
{
    unsigned count = 0;
    for (uint8_t slot = ge->first; slot != ET_GE_NO_SLOT && count < ETALON_GE_LISTS;
         slot = ge->lists[slot].next)
        slots[count++] = slot;
    return count;
}
