/* The GE: takes commands from memory one after the other.
 *
 * While on: at the stall address it sits there; otherwise it takes the word at the current address, moves on
 * by four and executes. Every word is kept in the register of its opcode, whatever else it does. END switches
 * the GE off; SIGNAL and FINISH are only noted, the END behind them makes the interrupt be acted on. */
#include "ge/ge.h"

uint32_t et_ge_form_address(const struct etalon_ge *ge, uint32_t argument)
{
    const uint32_t base = ge->commands[ET_GE_BASE] << 8 & UINT32_C(0xff000000);
    return (base | et_bits(argument, 23, 0)) + ge->returns.offset;
}

static uint32_t target(const struct etalon_ge *ge, uint32_t argument)
{
    return et_ge_form_address(ge, argument) & ET_GE_ADDRESS_MASK & ~UINT32_C(3); /* R110 */
}

/* Two levels (R118); a third CALL and a RET without a CALL do nothing. */
static void call(struct etalon_ge *ge, uint32_t command)
{
    const unsigned level = ge->flags & ET_GE_DEPTH_ONE ? 1 : 0;
    if (ge->flags & ET_GE_DEPTH_TWO)
        return;
    ge->returns.address[level] = ge->address;
    ge->returns.saved_offset[level] = ge->returns.offset;
    ge->flags &= ~(uint32_t)(ET_GE_DEPTH_ONE | ET_GE_DEPTH_TWO);
    ge->flags |= level ? ET_GE_DEPTH_TWO : ET_GE_DEPTH_ONE;
    ge->address = target(ge, command);
}

static void ret(struct etalon_ge *ge)
{
    const unsigned level = ge->flags & ET_GE_DEPTH_TWO ? 1 : 0;
    if (!(ge->flags & (ET_GE_DEPTH_ONE | ET_GE_DEPTH_TWO)))
        return;
    ge->address = ge->returns.address[level] & ET_GE_ADDRESS_MASK & ~UINT32_C(3);
    ge->returns.offset = ge->returns.saved_offset[level];
    ge->flags &= ~(uint32_t)(ET_GE_DEPTH_ONE | ET_GE_DEPTH_TWO);
    ge->flags |= level ? ET_GE_DEPTH_ONE : 0;
}

/* Commands that go elsewhere; ge->address is already past them. */
static void jump(struct etalon_ge *ge, uint32_t command)
{
    switch (command >> 24) {
    case ET_GE_JUMP:
        ge->address = target(ge, command);
        break;
    case ET_GE_BJUMP: /* not taken, it uses the result up [DRV] */
        if (!(ge->flags & ET_GE_INSIDE))
            ge->address = target(ge, command);
        ge->flags &= ~(uint32_t)ET_GE_INSIDE;
        break;
    case ET_GE_CALL:
        call(ge, command);
        break;
    case ET_GE_RET:
        ret(ge);
        break;
    }
}

static void address_command(struct etalon_ge *ge, uint32_t command, uint32_t at)
{
    switch (command >> 24) {
    case ET_GE_VADDR:
        ge->vertex = et_ge_form_address(ge, command);
        break;
    case ET_GE_IADDR:
        ge->index = et_ge_form_address(ge, command);
        break;
    case ET_GE_OFFSET:
        ge->returns.offset = command << 8;
        break;
    case ET_GE_ORIGIN:
        ge->returns.offset = at;
        break;
    }
}

/* R108: the number's register counts up with each word, modulo a power of two; words past the matrix are
 * dropped, so that only the projection, which fills its sixteen, seems to wrap. */
static void matrix_data(struct etalon_ge *ge, uint32_t command)
{
    const uint32_t number = (command >> 24) - 1;
    uint32_t *words, size, numbers = 16, at;
    switch (number) {
    case ET_GE_BONE_NUMBER:
        words = ge->matrices.bone, size = 96, numbers = 128;
        break;
    case ET_GE_WORLD_NUMBER:
        words = ge->matrices.world, size = 12;
        break;
    case ET_GE_VIEW_NUMBER:
        words = ge->matrices.view, size = 12;
        break;
    case ET_GE_PROJECTION_NUMBER:
        words = ge->matrices.projection, size = 16;
        break;
    default:
        words = ge->matrices.texture, size = 12;
        break;
    }
    at = ge->commands[number] & (numbers - 1);
    if (at < size)
        words[at] = et_bits(command, 23, 0);
    ge->commands[number] = number << 24 | ((at + 1) & (numbers - 1));
}

void et_ge_apply(struct etalon_ge *ge, uint32_t command)
{
    if (et_ge_actions[command >> 24] == ET_GE_MATRIX)
        matrix_data(ge, command);
    ge->commands[command >> 24] = command;
}

/* One command that does more than being kept; ge->address is past it. True if the next is the next word. */
static bool act(struct etalon_ge *ge, uint32_t command, uint32_t at)
{
    const uint32_t opcode = command >> 24;
    ge->commands[opcode] = command;
    switch (et_ge_actions[opcode]) {
    case ET_GE_NOTE: /* the END behind it makes it count */
        ge->raised |= opcode == ET_GE_FINISH ? ET_GE_RAISED_FINISH : ET_GE_RAISED_SIGNAL;
        return true;
    case ET_GE_STOP:
        ge->on = false;
        ge->raised |= ET_GE_RAISED_END;
        return false;
    case ET_GE_GO:
        jump(ge, command);
        return false;
    case ET_GE_ADDRESS:
        address_command(ge, command, at);
        return true;
    case ET_GE_MATRIX:
        matrix_data(ge, command);
        return true;
    default:
        et_ge_hand_out(ge, at, command);
        return false; /* the hook may have changed anything */
    }
}

/* How many words from ge->address can be taken before the stall address, `limit` or the region's end. */
static uint64_t span(const struct etalon_ge *ge, uint32_t bytes, uint64_t limit)
{
    uint64_t count = ET_MIN((uint64_t)(bytes / 4), limit);
    const uint32_t ahead = (ge->stall - ge->address) & ET_GE_ADDRESS_MASK;
    if (ge->stall && !(ahead & 3))
        count = ET_MIN(count, (uint64_t)ahead / 4);
    return count;
}

/* The fast path: commands that are only kept, up to the first that does more. */
static uint64_t keep(uint32_t *commands, const uint8_t *host, uint64_t i, uint64_t count)
{
    for (; i < count; i++) {
        const uint32_t command = et_load32(host + 4 * i);
        if (et_ge_actions[command >> 24] != ET_GE_KEEP)
            break;
        commands[command >> 24] = command;
    }
    return i;
}

/* Executes words at `host`, at most `count`, until one changes the way; how many. */
static uint64_t take(struct etalon_ge *ge, const uint8_t *host, uint64_t count)
{
    const uint32_t start = ge->address;
    uint64_t i = 0;
    while ((i = keep(ge->commands, host, i, count)) < count) {
        const uint32_t at = start + 4 * (uint32_t)i, command = et_load32(host + 4 * i++);
        ge->address = (at + 4) & ET_GE_ADDRESS_MASK;
        if (!act(ge, command, at))
            return i;
    }
    ge->address = (start + 4 * (uint32_t)i) & ET_GE_ADDRESS_MASK;
    return i;
}

/* One command, announced. */
static uint64_t take_announced(struct etalon_ge *ge, const uint8_t *host)
{
    const uint32_t at = ge->address;
    ge->hooks.command(ge->hooks.user, at, et_load32(host));
    return ge->on && ge->address == at ? take(ge, host, 1) : 1;
}

uint64_t et_ge_execute(struct etalon_ge *ge, uint64_t limit)
{
    uint64_t ran = 0;
    if (ge->running)
        return 0;
    ge->running = true;
    while (ge->on && ran < limit) {
        uint32_t bytes;
        const uint8_t *host;
        uint64_t count;
        ge->address &= ET_GE_ADDRESS_MASK & ~UINT32_C(3);
        if (ge->stall && ge->address == ge->stall)
            break;
        host = et_ge_window(ge, ge->address, &bytes);
        if (!host) {
            ge->on = false;
            ge->faulted = true;
            et_ge_note(ge, ETALON_UNMAPPED, ge->address, 0, "display list in unmapped memory");
            break;
        }
        count = ge->hooks.command ? take_announced(ge, host) : take(ge, host, span(ge, bytes, limit - ran));
        ge->executed += count;
        ran += count + ge->surcharge;
        ge->surcharge = 0;
    }
    ge->running = false;
    return ran;
}
