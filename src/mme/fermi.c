/* The 32-bit macro processor of Fermi to Volta. [DRV: envytools, Mesa's hardware tests; note c]
 *
 * Eight registers, r0 is zero. A word is an operation (2:0), a result operation (6:4), EXIT (7), dst, a, b. A
 * taken branch without annulment and EXIT both execute one more word (the delay slot). */
#include "mme/machine.h"

enum {
    OP_ALU,
    OP_ADD_IMMEDIATE,
    OP_MERGE,
    OP_EXTRACT_SHIFT,
    OP_EXTRACT_AT_SHIFT,
    OP_READ,
    OP_INVALID,
    OP_BRANCH
};

enum {
    ASSIGN_LOAD,
    ASSIGN_MOVE,
    ASSIGN_MOVE_ADDRESS,
    ASSIGN_LOAD_EMIT,
    ASSIGN_MOVE_EMIT,
    ASSIGN_LOAD_ADDRESS,
    ASSIGN_MOVE_ADDRESS_LOAD_EMIT,
    ASSIGN_MOVE_ADDRESS_EMIT_HIGH
};

static uint32_t alu(struct et_mme *mme, unsigned op, uint32_t a, uint32_t b)
{
    uint64_t wide;
    switch (op) {
    case 0: /* ADD */
    case 1: /* ADC */
        wide = (uint64_t)a + b + (op == 1 && mme->carry);
        mme->carry = wide >> 32 & 1;
        return (uint32_t)wide;
    case 2: /* SUB */
    case 3: /* SBB */
        wide = (uint64_t)a - b - (op == 3 && mme->carry);
        mme->carry = wide >> 32 & 1; /* the borrow */
        return (uint32_t)wide;
    case 8:
        return a ^ b;
    case 9:
        return a | b;
    case 10:
        return a & b;
    case 11:
        return a & ~b;
    case 12:
        return ~(a & b);
    default:
        return 0;
    }
}

static uint32_t shift_left(uint32_t value, uint32_t count)
{
    return count < 32 ? value << count : 0;
}

static uint32_t shift_right(uint32_t value, uint32_t count)
{
    return count < 32 ? value >> count : 0;
}

/* The result of a legal word that is not a branch. */
static uint32_t evaluate(struct et_mme *mme, const struct et_mme_port *port, uint32_t word)
{
    const uint32_t a = mme->reg[et_bits(word, 13, 11)], b = mme->reg[et_bits(word, 16, 14)];
    const uint32_t immediate = (uint32_t)et_sign_extend(word >> 14, 18);
    const unsigned source = et_bits(word, 21, 17), size = et_bits(word, 26, 22), to = et_bits(word, 31, 27);
    const uint32_t mask = (1u << size) - 1;
    switch (word & 7) {
    case OP_ALU:
        return alu(mme, source, a, b);
    case OP_ADD_IMMEDIATE:
        return a + immediate;
    case OP_MERGE:
        return (a & ~(mask << to)) | (b >> source & mask) << to;
    case OP_EXTRACT_SHIFT:
        return (shift_right(b, a) & mask) << to;
    case OP_EXTRACT_AT_SHIFT:
        return shift_left(b >> source & mask, a);
    case OP_READ:
        return port->state(port->context, ((a + immediate) & 0xfff) * 4);
    default:
        return 0;
    }
}

static void set(struct et_mme *mme, unsigned reg, uint32_t value)
{
    if (reg)
        mme->reg[reg] = value;
}

static void set_address(struct et_mme *mme, uint32_t value)
{
    mme->method_address = value & 0xfff;
    mme->method_increment = value >> 12 & 0x3f;
}

static void assign(struct et_mme *mme, unsigned how, unsigned dst, uint32_t value)
{
    switch (how) {
    case ASSIGN_LOAD:
        set(mme, dst, et_mme_take(mme));
        break;
    case ASSIGN_MOVE:
        set(mme, dst, value);
        break;
    case ASSIGN_MOVE_ADDRESS:
        set(mme, dst, value);
        set_address(mme, value);
        break;
    case ASSIGN_LOAD_EMIT:
        set(mme, dst, et_mme_take(mme));
        et_mme_emit(mme, value);
        break;
    case ASSIGN_MOVE_EMIT:
        set(mme, dst, value);
        et_mme_emit(mme, value);
        break;
    case ASSIGN_LOAD_ADDRESS:
        set(mme, dst, et_mme_take(mme));
        set_address(mme, value);
        break;
    case ASSIGN_MOVE_ADDRESS_LOAD_EMIT:
        set(mme, dst, value);
        set_address(mme, value);
        et_mme_emit(mme, et_mme_take(mme));
        break;
    default: /* ASSIGN_MOVE_ADDRESS_EMIT_HIGH */
        set(mme, dst, value);
        set_address(mme, value);
        et_mme_emit(mme, value >> 12 & 0x3f);
        break;
    }
}

static bool loads(uint32_t word)
{
    const unsigned how = et_bits(word, 6, 4);
    return (word & 7) != OP_BRANCH && (how == ASSIGN_LOAD || how == ASSIGN_LOAD_EMIT ||
                                       how == ASSIGN_LOAD_ADDRESS || how == ASSIGN_MOVE_ADDRESS_LOAD_EMIT);
}

static bool legal(uint32_t word)
{
    const unsigned op = et_bits(word, 21, 17);
    return (word & 7) != OP_INVALID && ((word & 7) != OP_ALU || op <= 3 || (op >= 8 && op <= 12));
}

static void branch(struct et_mme *mme, uint32_t word)
{
    const bool zero = mme->reg[et_bits(word, 13, 11)] == 0, if_not_zero = word >> 4 & 1,
               annul = word >> 5 & 1;
    if (zero == if_not_zero) {
        mme->finishing = word >> 7 & 1;
        mme->pc++;
        return;
    }
    const uint32_t target = mme->pc + (uint32_t)et_sign_extend(word >> 14, 18);
    if (annul) {
        mme->pc = target;
    } else {
        mme->slot_branch = true;
        mme->slot_target = target;
        mme->pc++;
    }
}

enum et_step et_mme_fermi_step(struct et_mme *mme, const struct et_mme_port *port, struct etalon_error *error)
{
    if (mme->finishing && mme->pc == mme->code_words)
        return ET_STEP_END;
    if (mme->pc >= mme->code_words)
        return et_mme_fault(mme, error, "runs outside the code RAM");
    const uint32_t word = mme->code[mme->pc];
    const bool last = mme->finishing, in_slot = mme->slot_branch;
    if ((word & 7) == OP_BRANCH) {
        if (last || in_slot)
            return et_mme_fault(mme, error, "a branch in a delay slot");
        branch(mme, word);
        return ET_STEP_ON;
    }
    if (!legal(word))
        return et_mme_fault(mme, error, "an illegal operation");
    if (loads(word) && !et_mme_available(mme))
        return ET_STEP_STARVED;
    const uint32_t result = evaluate(mme, port, word);
    assign(mme, et_bits(word, 6, 4), et_bits(word, 10, 8), result);
    if (last)
        return ET_STEP_END;
    mme->pc = in_slot ? mme->slot_target : mme->pc + 1;
    if (!in_slot)
        mme->finishing = word >> 7 & 1;
    mme->slot_branch = false;
    return ET_STEP_ON;
}
