/* What the driver copies between the GE and memory: contexts, stack entries, matrices, records. */
#include "ge/ge.h"

/* ---- Contexts (R104) ----
 *
 * 17 words of registers, of which 10..16 are not written, then a display list that brings the rest back:
 * one word a kept opcode in ascending order, LOADCLUT if the CLUT's address is valid, each matrix as number 0
 * and all its data, the five number commands as they were, END. */
#define HEADER_WORDS  10
#define LIST_AT       17
#define CONTEXT_WORDS 512
#define LIST_WORDS    (386 - LIST_AT) /* at most */

/* Opcodes that a context does not keep, first and last of each run. */
static const uint8_t not_kept[][2] = {{0x03, 0x0f}, {0x11, 0x11}, {0x29, 0x2b}, {0x34, 0x35},
                                      {0x39, 0x41}, {0x4e, 0x4f}, {0x52, 0x52}, {0x59, 0x5a},
                                      {0xb6, 0xb7}, {0xc4, 0xc4}, {0xd1, 0xd1}, {0xea, 0xea},
                                      {0xed, 0xed}, {0xef, 0xef}, {0xf7, 0xf7}, {0xfa, 0xff}};

/* Matrices in a context's order. */
static const struct {
    uint8_t number;
    uint8_t words;
    uint16_t offset; /* in struct etalon_ge_matrices, bytes */
} context_matrices[] = {
    {ET_GE_BONE_NUMBER, 96, offsetof(struct etalon_ge_matrices, bone)},
    {ET_GE_WORLD_NUMBER, 12, offsetof(struct etalon_ge_matrices, world)},
    {ET_GE_VIEW_NUMBER, 12, offsetof(struct etalon_ge_matrices, view)},
    {ET_GE_PROJECTION_NUMBER, 16, offsetof(struct etalon_ge_matrices, projection)},
    {ET_GE_TEXTURE_NUMBER, 12, offsetof(struct etalon_ge_matrices, texture)},
};

static const uint32_t *matrix_words(const struct etalon_ge *ge, size_t which)
{
    return (const uint32_t *)(const void *)((const uint8_t *)&ge->matrices + context_matrices[which].offset);
}

static bool clut_address_valid(const struct etalon_ge *ge)
{
    const uint32_t address = et_bits(ge->commands[ET_GE_CLUT_ADDRESS], 23, 0) |
                             (ge->commands[ET_GE_CLUT_UPPER] << 8 & UINT32_C(0xff000000));
    return (address >= 0x04000000 && address < 0x04800000) || (address >= 0x08000000 && address < 0x0c000000);
}

static size_t save_commands(const struct etalon_ge *ge, uint32_t *list)
{
    size_t count = 0;
    unsigned run = 0;
    for (unsigned opcode = 0; opcode < 256; opcode++) {
        if (run < ET_COUNT(not_kept) && opcode == not_kept[run][0])
            opcode = not_kept[run++][1];
        else
            list[count++] = ge->commands[opcode];
    }
    if (clut_address_valid(ge))
        list[count++] = ge->commands[ET_GE_LOAD_CLUT];
    return count;
}

static size_t save_matrices(const struct etalon_ge *ge, uint32_t *list)
{
    size_t count = 0;
    for (size_t i = 0; i < ET_COUNT(context_matrices); i++) {
        const uint32_t number = context_matrices[i].number;
        list[count++] = number << 24;
        for (unsigned word = 0; word < context_matrices[i].words; word++)
            list[count++] = (number + 1) << 24 | matrix_words(ge, i)[word];
    }
    for (size_t i = 0; i < ET_COUNT(context_matrices); i++)
        list[count++] = ge->commands[context_matrices[i].number];
    list[count++] = (uint32_t)ET_GE_END << 24;
    return count;
}

bool et_ge_save(struct etalon_ge *ge, uint32_t address)
{
    const struct et_ge_returns *returns = &ge->returns;
    const uint32_t header[HEADER_WORDS] = {ge->flags | (ge->on ? ET_GE_ON : 0),
                                           ge->address,
                                           ge->stall,
                                           returns->address[0],
                                           returns->address[1],
                                           ge->vertex,
                                           ge->index,
                                           returns->offset,
                                           returns->saved_offset[0],
                                           returns->saved_offset[1]};
    uint32_t list[LIST_WORDS];
    size_t count = save_commands(ge, list);
    count += save_matrices(ge, list + count);
    if (!etalon_ge_map(ge, address, CONTEXT_WORDS * 4) ||
        !et_ge_store_words(ge, address, header, HEADER_WORDS) ||
        !et_ge_store_words(ge, address + LIST_AT * 4, list, count)) {
        et_ge_note(ge, ETALON_UNMAPPED, address, 0, "context in unmapped memory");
        return false;
    }
    return true;
}

bool et_ge_restore(struct etalon_ge *ge, uint32_t address)
{
    uint32_t words[CONTEXT_WORDS];
    const uint8_t *host = etalon_ge_map(ge, address, sizeof words);
    if (!host) {
        et_ge_note(ge, ETALON_UNMAPPED, address, 0, "context in unmapped memory");
        return false;
    }
    memcpy(words, host, sizeof words);
    for (unsigned i = LIST_AT; i < CONTEXT_WORDS && words[i] >> 24 != ET_GE_END; i++)
        et_ge_apply(ge, words[i]);
    ge->flags = words[0] & ET_GE_KEPT_FLAGS;
    if (ge->flags & ET_GE_DEPTH_TWO)
        ge->flags &= ~(uint32_t)ET_GE_DEPTH_ONE;
    ge->address = words[1];
    ge->stall = words[2] & ET_GE_ADDRESS_MASK;
    ge->returns.address[0] = words[3];
    ge->returns.address[1] = words[4];
    ge->vertex = words[5];
    ge->index = words[6];
    ge->returns.offset = words[7];
    ge->returns.saved_offset[0] = words[8];
    ge->returns.saved_offset[1] = words[9];
    return true;
}

/* Alignment, then privilege, as the driver checks them [DRV]; 0 if the pointer is good. */
static uint32_t check_pointer(uint32_t address, uint32_t size)
{
    if (address & 3)
        return ETALON_GE_INVALID_POINTER;
    return et_ge_kernel_pointer(address, size) ? ETALON_GE_PRIV_REQUIRED : 0;
}

uint32_t etalon_ge_save_context(struct etalon_ge *ge, uint32_t address)
{
    const uint32_t bad = check_pointer(address, CONTEXT_WORDS * 4);
    if (bad)
        return bad;
    if (ge->on)
        return ETALON_GE_FAILED;
    return et_ge_save(ge, address) ? 0 : ETALON_GE_PRIV_REQUIRED;
}

uint32_t etalon_ge_restore_context(struct etalon_ge *ge, uint32_t address)
{
    const uint32_t bad = check_pointer(address, CONTEXT_WORDS * 4);
    if (bad)
        return bad;
    if (ge->on)
        return ETALON_GE_BUSY;
    return et_ge_restore(ge, address) ? 0 : ETALON_GE_PRIV_REQUIRED;
}

/* ---- Stacks ---- */

static bool read_entry(const struct etalon_ge *ge, const struct et_ge_list *list, uint32_t level,
                       uint32_t entry[ET_GE_STACK_WORDS])
{
    const size_t bytes = ET_GE_STACK_WORDS * sizeof *entry;
    const uint8_t *host;
    if (!list->own_stack) {
        if (level >= ET_GE_FREE_STACK)
            return false;
        memcpy(entry, ge->free_stack + (size_t)level * ET_GE_STACK_WORDS, bytes);
        return true;
    }
    host = etalon_ge_map(ge, list->stack + level * 32, 32);
    if (host)
        memcpy(entry, host, bytes);
    return host;
}

bool et_ge_push(struct etalon_ge *ge, struct et_ge_list *list)
{
    const uint32_t entry[ET_GE_STACK_WORDS] = {ge->flags,
                                               ge->address,
                                               ge->returns.offset,
                                               ge->returns.saved_offset[0],
                                               ge->returns.saved_offset[1],
                                               ge->returns.address[0],
                                               ge->returns.address[1],
                                               ge->commands[ET_GE_BASE]};
    if (list->level >= list->depth) {
        et_ge_note(ge, ETALON_STACK, ge->address - 8, list->depth, "signal CALL on a full stack");
        return false;
    }
    if (!list->own_stack)
        memcpy(ge->free_stack + (size_t)list->level * ET_GE_STACK_WORDS, entry, sizeof entry);
    else if (!et_ge_store_words(ge, list->stack + list->level * 32, entry, ET_GE_STACK_WORDS)) {
        et_ge_note(ge, ETALON_UNMAPPED, list->stack, list->level, "list stack in unmapped memory");
        return false;
    }
    list->level++;
    return true;
}

bool et_ge_pop(struct etalon_ge *ge, struct et_ge_list *list)
{
    uint32_t entry[ET_GE_STACK_WORDS];
    if (!list->level) {
        et_ge_note(ge, ETALON_STACK, ge->address - 8, 0, "signal RET on an empty stack");
        return false;
    }
    if (!read_entry(ge, list, list->level - 1, entry)) {
        et_ge_note(ge, ETALON_UNMAPPED, list->stack, list->level, "list stack in unmapped memory");
        return false;
    }
    list->level--;
    ge->flags = entry[0] & ET_GE_KEPT_FLAGS;
    if (ge->flags & ET_GE_DEPTH_TWO)
        ge->flags &= ~(uint32_t)ET_GE_DEPTH_ONE;
    ge->address = entry[1] & ET_GE_ADDRESS_MASK & ~UINT32_C(3);
    ge->returns.offset = entry[2];
    ge->returns.saved_offset[0] = entry[3];
    ge->returns.saved_offset[1] = entry[4];
    ge->returns.address[0] = entry[5];
    ge->returns.address[1] = entry[6];
    ge->commands[ET_GE_BASE] = (uint32_t)ET_GE_BASE << 24 | et_bits(entry[7], 23, 0); /* R111 */
    return true;
}

uint32_t etalon_ge_get_stack(struct etalon_ge *ge, int32_t level, uint32_t address)
{
    const struct et_ge_list *head;
    uint32_t entry[ET_GE_STACK_WORDS];
    if (ge->first == ET_GE_NO_SLOT)
        return 0;
    head = &ge->lists[ge->first];
    if (level < 0)
        return head->level;
    if ((uint32_t)level >= head->level)
        return ETALON_GE_INVALID_INDEX;
    if (et_ge_kernel_pointer(address, 0))
        return ETALON_GE_PRIV_REQUIRED;
    if (address && (!read_entry(ge, head, (uint32_t)level, entry) ||
                    !et_ge_store_words(ge, address, entry, ET_GE_STACK_WORDS)))
        return ETALON_GE_PRIV_REQUIRED;
    return head->level;
}

/* ---- Registers and records ---- */

uint32_t etalon_ge_get_command(struct etalon_ge *ge, uint32_t opcode)
{
    return opcode >= 0xff ? ETALON_GE_INVALID_INDEX : ge->commands[opcode];
}

uint32_t etalon_ge_get_matrix(struct etalon_ge *ge, uint32_t id, uint32_t address)
{
    const struct etalon_ge_matrices *matrices = &ge->matrices;
    const uint32_t *words;
    if (id > 11)
        return ETALON_GE_INVALID_INDEX;
    words = id < 8     ? matrices->bone + 12 * (size_t)id
            : id == 8  ? matrices->world
            : id == 9  ? matrices->view
            : id == 10 ? matrices->projection
                       : matrices->texture;
    if (et_ge_kernel_pointer(address, 0) || !et_ge_store_words(ge, address, words, id == 10 ? 16 : 12))
        return ETALON_GE_PRIV_REQUIRED;
    return 0;
}

/* The driver's record of a list [DRV]. */
static void record_of(const struct etalon_ge *ge, uint8_t slot, uint32_t record[16])
{
    const struct et_ge_list *list = &ge->lists[slot];
    record[0] = list->next == ET_GE_NO_SLOT ? 0 : et_ge_record(list->next);
    record[1] = list->previous == ET_GE_NO_SLOT ? 0 : et_ge_record(list->previous);
    record[2] = list->state | (uint32_t)list->pending << 8 | (uint32_t)list->started << 16;
    record[3] = list->context;
    record[4] = list->flags;
    record[5] = list->list;
    record[6] = list->stall;
    record[7] = list->returns.address[0];
    record[8] = list->returns.address[1];
    record[9] = list->returns.offset;
    record[10] = list->returns.saved_offset[0];
    record[11] = list->returns.saved_offset[1];
    record[12] = list->base;
    record[13] = ((uint32_t)list->callback & 0xffff) | list->signal_value << 16;
    record[14] = (list->depth & 0xffff) | list->level << 16;
    record[15] = list->stack;
}

uint32_t etalon_ge_get_list(struct etalon_ge *ge, uint32_t id, uint32_t address, uint32_t flag_address)
{
    const uint8_t slot = et_ge_slot(id);
    uint32_t record[16], flag;
    if (slot == ET_GE_NO_SLOT)
        return ETALON_GE_INVALID_ID;
    record_of(ge, slot, record);
    flag = (uint32_t)ge->lists[slot].state * 4 + ge->lists[slot].pending;
    if (address && !et_ge_store_words(ge, address, record, 16))
        return ETALON_GE_PRIV_REQUIRED;
    if (flag_address && !et_ge_store(ge, flag_address, flag))
        return ETALON_GE_PRIV_REQUIRED;
    return 0;
}

uint32_t etalon_ge_get_list_ids(struct etalon_ge *ge, uint32_t address, uint32_t room, uint32_t count_address)
{
    uint32_t ids[ETALON_GE_LISTS], count = 0, stored;
    for (uint8_t slot = ge->first; slot != ET_GE_NO_SLOT; slot = ge->lists[slot].next)
        ids[count++] = et_ge_id(slot);
    stored = (int32_t)room < 0 ? 0 : ET_MIN(count, room);
    if (!et_ge_store_words(ge, address, ids, stored) ||
        (count_address && !et_ge_store(ge, count_address, count)))
        return ETALON_GE_PRIV_REQUIRED;
    return stored;
}
