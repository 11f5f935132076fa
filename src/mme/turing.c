/* MME64, the macro processor of Turing and later. [DOC: tu104 macro expander; DRV: Mesa's hardware tests;
 * note d]
 *
 * A group of 96 bits holds two ALU operations, two outputs and a predicate. Parameters are popped, the
 * predicate is evaluated, ALU 0 runs, then ALU 1 (which sees what ALU 0 wrote), then each output selects a
 * method and emits. */
#include "mme/turing.h"

#include "mme/machine.h"

static unsigned field(const uint32_t word[3], unsigned lo, unsigned width)
{
    /* The first word of a group is the most significant. */
    const uint32_t group[3] = {word[2], word[1], word[0]};
    return (unsigned)et_bits_of_words(group, lo, width);
}

void et_mme_turing_decode(const uint32_t word[3], struct et_mme_group *group)
{
    *group = (struct et_mme_group){
        .end_next = field(word, 0, 1),
        .predicate_mode = (uint8_t)field(word, 1, 4),
        .predicate = (uint8_t)field(word, 5, 5),
        .immediate = {(uint16_t)field(word, 30, 16), (uint16_t)field(word, 66, 16)},
    };
    for (unsigned i = 0; i < 2; i++) {
        const unsigned at = 10 + 36 * i, out = 82 + 7 * i;
        group->alu[i].op = (uint8_t)field(word, at, 5);
        group->alu[i].dst = (uint8_t)field(word, at + 5, 5);
        group->alu[i].src[0] = (uint8_t)field(word, at + 10, 5);
        group->alu[i].src[1] = (uint8_t)field(word, at + 15, 5);
        group->out[i].method = (uint8_t)field(word, out, 3);
        group->out[i].emit = (uint8_t)field(word, out + 3, 4);
    }
}

/* Letters of alu 0, alu 1, output 0, output 1. */
const char et_mme_predicates[16][5] = {"UUUU", "TTTT", "FFFF", "TTUU", "FFUU", "TFUU", "TUUU", "FUUU",
                                       "UUTT", "UUTF", "UUTU", "UUFT", "UUFF", "UUFU", "UUUT", "UUUF"};

/* T slots run when the predicate register is zero, F slots when it is not: so do the hardware tests in Mesa,
 * against what the names suggest. [DRV] */
static bool runs(const struct et_mme_group *group, unsigned slot, uint32_t predicate)
{
    switch (et_mme_predicates[group->predicate_mode][slot]) {
    case 'T':
        return predicate == 0;
    case 'F':
        return predicate != 0;
    default:
        return true;
    }
}

/* The number of parameters that a group takes, by which loads it names. */
static bool names_load(const struct et_mme_group *group, unsigned n)
{
    const unsigned operand = ET_MME_LOAD0 + n, out = ET_MME_OUT_LOAD0 + n;
    bool named = group->predicate == operand;
    for (unsigned i = 0; i < 2; i++)
        named = named || group->alu[i].src[0] == operand || group->alu[i].src[1] == operand ||
                group->out[i].method == out || group->out[i].emit == out;
    return named;
}

struct run {
    const struct et_mme_group *group;
    uint32_t load[2], result[2];
    uint32_t carry; /* of ALU 0's ADD, or borrow of its SUB */
    uint32_t high;  /* of ALU 0's multiplication */
    uint32_t next;
    bool leave;
};

static uint32_t operand(const struct et_mme *mme, const struct run *run, unsigned alu, unsigned src)
{
    const uint16_t *immediate = run->group->immediate;
    if (src < ET_MME_ZERO)
        return mme->reg[src];
    switch (src) {
    case ET_MME_IMMEDIATE:
        return (uint32_t)(int16_t)immediate[alu];
    case ET_MME_IMMEDIATE_PAIR:
        return (uint32_t)(int16_t)immediate[1 - alu];
    case ET_MME_IMMEDIATE_32:
        return (uint32_t)immediate[0] << 16 | immediate[1];
    case ET_MME_LOAD0:
    case ET_MME_LOAD0 + 1:
        return run->load[src - ET_MME_LOAD0];
    default:
        return 0;
    }
}

static void take_branch(struct et_mme *mme, struct run *run, uint16_t immediate, bool met)
{
    if (met != (immediate >> 15 & 1))
        return;
    if ((immediate & 0x1fff) == 0x1000)
        run->leave = true;
    else
        run->next = mme->pc + (uint32_t)et_sign_extend(immediate & 0x1fff, 13);
}

static const char *control(struct et_mme *mme, struct run *run, unsigned op, uint32_t x, uint32_t y)
{
    const uint16_t immediate = run->group->immediate[0];
    switch (op) {
    case ET_MME_LOOP: /* none for a count of zero: nvc0 skips "the rest" of its parameters so. [DRV; INF] */
        mme->looping = immediate > 1 && x;
        if (immediate > 1 && !x)
            run->next = mme->pc + immediate;
        mme->loop_first = mme->pc + 1;
        mme->loop_last = mme->pc + immediate - 1;
        mme->loop_left = x ? x - 1 : 0;
        return NULL;
    case ET_MME_JAL:
        run->next = mme->pc + (uint32_t)et_sign_extend(immediate & 0x7fff, 15);
        return NULL;
    case ET_MME_BLT:
        take_branch(mme, run, immediate, (int32_t)x < (int32_t)y);
        return NULL;
    case ET_MME_BLTU:
        take_branch(mme, run, immediate, x < y);
        return NULL;
    case ET_MME_BLE:
        take_branch(mme, run, immediate, (int32_t)x <= (int32_t)y);
        return NULL;
    case ET_MME_BLEU:
        take_branch(mme, run, immediate, x <= y);
        return NULL;
    default: /* BEQ */
        take_branch(mme, run, immediate, x == y);
        return NULL;
    }
}

/* The second half of a two-part operation must be in ALU 1, its first half in ALU 0. */
static const char *second_half(struct run *run, unsigned alu, unsigned op, uint32_t x, uint32_t y)
{
    const unsigned first = run->group->alu[0].op;
    const bool paired = alu == 1 && (op == ET_MME_ADDC   ? first == ET_MME_ADD
                                     : op == ET_MME_SUBB ? first == ET_MME_SUB
                                                         : first == ET_MME_MUL || first == ET_MME_MULU);
    if (!paired)
        return "the high half of an operation without its low half";
    run->result[1] = op == ET_MME_ADDC   ? x + y + run->carry
                     : op == ET_MME_SUBB ? x - y - run->carry
                                         : run->high;
    return NULL;
}

static const char *memory(struct et_mme *mme, struct run *run, unsigned alu, unsigned op, uint32_t x,
                          uint32_t y)
{
    if (x >= ET_MME_DATA_WORDS - mme->fifo_words)
        return "an access outside the data RAM";
    if (op == ET_MME_DREAD)
        run->result[alu] = mme->data[x];
    else
        mme->data[x] = y;
    return NULL;
}

/* Returns what is wrong, or NULL. */
static const char *alu(struct et_mme *mme, const struct et_mme_port *port, struct run *run, unsigned i)
{
    const unsigned op = run->group->alu[i].op;
    const uint32_t x = operand(mme, run, i, run->group->alu[i].src[0]);
    const uint32_t y = operand(mme, run, i, run->group->alu[i].src[1]);
    const uint16_t immediate = run->group->immediate[i];
    uint32_t *result = &run->result[i];
    if (op >= ET_MME_LOOP && op <= ET_MME_BEQ)
        return i ? "control flow in the second ALU" : control(mme, run, op, x, y);
    switch (op) {
    case ET_MME_ADD:
        *result = x + y;
        run->carry = *result < x;
        return NULL;
    case ET_MME_SUB:
        *result = x - y;
        run->carry = *result > x;
        return NULL;
    case ET_MME_ADDC:
    case ET_MME_SUBB:
    case ET_MME_MULH:
        return second_half(run, i, op, x, y);
    case ET_MME_MUL: {
        const int64_t product = (int64_t)(int32_t)x * (int32_t)y;
        *result = (uint32_t)product;
        run->high = (uint32_t)((uint64_t)product >> 32);
        return NULL;
    }
    case ET_MME_MULU: {
        const uint64_t product = (uint64_t)x * y;
        *result = (uint32_t)product;
        run->high = (uint32_t)(product >> 32);
        return NULL;
    }
    case ET_MME_EXTENDED: /* 0x1000, 1: a barrier between DMA and its LOADs; DMA is at once here */
        return x == 0x1000 && y == 1 ? NULL : "an extended operation that is not known";
    case ET_MME_CLZ:
        *result = x ? (uint32_t)__builtin_clz(x) : 32;
        return NULL;
    case ET_MME_SLL:
        *result = x << (y & 31);
        return NULL;
    case ET_MME_SRL:
        *result = x >> (y & 31);
        return NULL;
    case ET_MME_SRA:
        *result = (uint32_t)((int32_t)x >> (y & 31));
        return NULL;
    case ET_MME_AND:
        *result = x & y;
        return NULL;
    case ET_MME_NAND:
        *result = ~(x & y);
        return NULL;
    case ET_MME_OR:
        *result = x | y;
        return NULL;
    case ET_MME_XOR:
        *result = x ^ y;
        return NULL;
    case ET_MME_MERGE: {
        const unsigned to = immediate >> 10, size = immediate >> 5 & 31, from = immediate & 31;
        const uint32_t mask = (1u << size) - 1;
        *result = to < 32 ? (x & ~(mask << to)) | (y >> from & mask) << to : x;
        return NULL;
    }
    case ET_MME_SLT:
        *result = (int32_t)x < (int32_t)y ? ~0u : 0;
        return NULL;
    case ET_MME_SLTU:
        *result = x < y ? ~0u : 0;
        return NULL;
    case ET_MME_SLE:
        *result = (int32_t)x <= (int32_t)y ? ~0u : 0;
        return NULL;
    case ET_MME_SLEU:
        *result = x <= y ? ~0u : 0;
        return NULL;
    case ET_MME_SEQ:
        *result = x == y ? ~0u : 0;
        return NULL;
    case ET_MME_STATE:
        *result = ((x + y) & 0xffff) < 0x1000 ? port->state(port->context, ((x + y) & 0xffff) * 4) : 0;
        return NULL;
    default: /* DREAD, DWRITE */
        return memory(mme, run, i, op, x, y);
    }
}

static uint32_t output(const struct run *run, unsigned select)
{
    const uint16_t *immediate = run->group->immediate;
    switch (select) {
    case ET_MME_OUT_ALU0:
    case ET_MME_OUT_ALU0 + 1:
        return run->result[select - ET_MME_OUT_ALU0];
    case ET_MME_OUT_LOAD0:
    case ET_MME_OUT_LOAD0 + 1:
        return run->load[select - ET_MME_OUT_LOAD0];
    case ET_MME_OUT_IMMEDIATE0:
    case ET_MME_OUT_IMMEDIATE0 + 1:
        return immediate[select - ET_MME_OUT_IMMEDIATE0];
    case ET_MME_OUT_HIGH0:
    case ET_MME_OUT_HIGH0 + 1:
        return immediate[select - ET_MME_OUT_HIGH0] >> 12;
    default: /* ET_MME_OUT_IMMEDIATE_32 */
        return (uint32_t)immediate[0] << 16 | immediate[1];
    }
}

static const char *outputs(struct et_mme *mme, const struct run *run, uint32_t predicate)
{
    for (unsigned i = 0; i < 2; i++) {
        const unsigned method = run->group->out[i].method, emit = run->group->out[i].emit;
        if (!runs(run->group, 2 + i, predicate))
            continue;
        if (method == 7 || emit == 7 || emit > ET_MME_OUT_IMMEDIATE_32)
            return "a reserved output";
        if (method) {
            const uint32_t value = output(run, method);
            mme->method_address = value & 0xfff;
            mme->method_increment = value >> 12 & 0xf;
        }
        if (emit)
            et_mme_emit(mme, output(run, emit));
    }
    return NULL;
}

/* What follows this group: the loop's first group, a branch's target, the next one. */
static enum et_step advance(struct et_mme *mme, const struct run *run, bool last)
{
    if (last || run->leave)
        return ET_STEP_END;
    uint32_t next = run->next;
    if (mme->looping && mme->pc == mme->loop_last) {
        if (mme->loop_left) {
            mme->loop_left--;
            next = mme->loop_first;
        } else {
            mme->looping = false;
        }
    }
    mme->pc = next;
    mme->finishing = run->group->end_next;
    return ET_STEP_ON;
}

enum et_step et_mme_turing_step(struct et_mme *mme, const struct et_mme_port *port,
                                struct etalon_error *error)
{
    struct et_mme_group group;
    if (mme->finishing && mme->pc == mme->code_words)
        return ET_STEP_END;
    if (mme->pc >= mme->code_words / 3)
        return et_mme_fault(mme, error, "runs outside the code RAM");
    et_mme_turing_decode(mme->code + 3 * mme->pc, &group);
    const bool named[2] = {names_load(&group, 0), names_load(&group, 1)};
    if (et_mme_available(mme) < (size_t)named[0] + named[1])
        return ET_STEP_STARVED;
    struct run run = {.group = &group, .next = mme->pc + 1};
    for (unsigned i = 0; i < 2; i++)
        if (named[i])
            run.load[i] = et_mme_take(mme);
    const uint32_t predicate = operand(mme, &run, 0, group.predicate);
    for (unsigned i = 0; i < 2; i++) {
        if (!runs(&group, i, predicate))
            continue;
        const char *wrong = alu(mme, port, &run, i);
        if (wrong)
            return et_mme_fault(mme, error, wrong);
        if (group.alu[i].dst < ET_MME_ZERO)
            mme->reg[group.alu[i].dst] = run.result[i];
    }
    const char *wrong = outputs(mme, &run, predicate);
    if (wrong)
        return et_mme_fault(mme, error, wrong);
    return advance(mme, &run, mme->finishing);
}
