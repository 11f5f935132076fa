/* Lowering of SM70 to SM87 into IR: dispatch by mnemonic, and operands. */
#include "isa/ampere/lower.h"

#include "base/error.h"

#include <string.h>

unsigned et_ampere_bits(const struct et_ampere_lower *lower, unsigned pos, unsigned width)
{
    return (unsigned)(lower->insn->word[pos >> 6] >> (pos & 63)) & ((1u << width) - 1);
}

struct et_ir *et_ampere_emit(struct et_ampere_lower *lower, enum et_ir_op op)
{
    struct et_ir *ir = et_ir_emit(lower->builder, op);
    ir->flags = lower->flags;
    return ir;
}

static uint16_t number(const struct et_operand *operand)
{
    if (operand->kind == ET_KIND_UR)
        return (uint16_t)(ET_R_UNIFORM + operand->value);
    return (uint16_t)operand->value;
}

uint16_t et_ampere_dst(const struct et_ampere_lower *lower, char slot)
{
    const struct et_operand *operand = et_ampere_op(lower, slot);
    uint16_t reg = number(operand);
    if (operand->kind == ET_KIND_NONE || reg == ET_R_RZ || reg == ET_R_URZ)
        return ET_R_NONE;
    return reg;
}

/* A negation under .X is a complement, which IR writes as NEG too. */
static uint8_t modifiers(const struct et_operand *operand)
{
    return (uint8_t)((operand->neg ? ET_NEG : 0) | (operand->abs ? ET_ABS : 0) | (operand->inv ? ET_NOT : 0));
}

struct et_ir_src et_ampere_src(const struct et_ampere_lower *lower, char slot)
{
    const struct et_operand *operand = et_ampere_op(lower, slot);
    struct et_ir_src src;
    memset(&src, 0, sizeof src);
    switch (operand->kind) {
    case ET_KIND_NONE:
        return src;
    case ET_KIND_R:
    case ET_KIND_UR:
        src = et_ir_reg(number(operand));
        break;
    case ET_KIND_C:
    case ET_KIND_CX:
        src.kind = operand->kind == ET_KIND_C ? ET_SRC_CONST : ET_SRC_BINDLESS;
        src.bank = (uint8_t)operand->bank;
        src.value = (uint32_t)operand->value & 0xffff;
        break;
    default:
        src = et_ir_imm64((uint64_t)operand->value);
        if (operand->kind != ET_KIND_D)
            src.high = operand->kind == ET_KIND_S && operand->value < 0 ? ~0u : 0;
    }
    src.mods = modifiers(operand);
    return src;
}

struct et_ir_src et_ampere_half(const struct et_ampere_lower *lower, char slot)
{
    static const uint8_t parts[] = {ET_PART_ALL, ET_PART_F32, ET_PART_H0, ET_PART_H1};
    struct et_ir_src src = et_ampere_src(lower, slot);
    src.part = et_ampere_op(lower, slot)->kind == ET_KIND_H ? (uint8_t)ET_PART_H0
                                                            : parts[et_ampere_op(lower, slot)->sel & 3];
    return src;
}

uint8_t et_ampere_pdst(const struct et_ampere_lower *lower, char slot)
{
    const struct et_operand *operand = et_ampere_op(lower, slot);
    if (operand->kind == ET_KIND_NONE || operand->value == 7)
        return ET_P_NONE;
    return (uint8_t)(operand->value + (operand->kind == ET_KIND_UP ? ET_P_UNIFORM : 0));
}

static uint8_t predicate(const struct et_operand *operand)
{
    uint8_t p = (uint8_t)(operand->value + (operand->kind == ET_KIND_UP ? ET_P_UNIFORM : 0));
    return (uint8_t)(p | (operand->inv ? ET_P_NOT : 0));
}

uint8_t et_ampere_psrc(const struct et_ampere_lower *lower, char slot)
{
    const struct et_operand *operand = et_ampere_op(lower, slot);
    return operand->kind == ET_KIND_NONE ? ET_P_T : predicate(operand);
}

int et_ampere_is_true(const struct et_ampere_lower *lower, char slot)
{
    uint8_t p = et_ampere_psrc(lower, slot);
    return p == ET_P_T || p == ET_P_UT;
}

void et_ampere_logic(struct et_ampere_lower *lower, uint16_t dst, struct et_ir_src a, struct et_ir_src b,
                     struct et_ir_src c, unsigned lut)
{
    struct et_ir *ir = et_ampere_emit(lower, ET_IR_LOP3);
    ir->dst[0] = dst;
    ir->src[0] = a;
    ir->src[1] = b;
    ir->src[2] = c;
    ir->imm = (int32_t)lut;
}

struct et_ir *et_ampere_abc(struct et_ampere_lower *lower, enum et_ir_op op)
{
    struct et_ir *ir = et_ampere_emit(lower, op);
    ir->dst[0] = et_ampere_dst(lower, 'd');
    ir->src[0] = et_ampere_src(lower, 'a');
    ir->src[1] = et_ampere_src(lower, 'b');
    ir->src[2] = et_ampere_src(lower, 'c');
    return ir;
}

void et_ampere_add(struct et_ampere_lower *lower, uint16_t dst, struct et_ir_src a, struct et_ir_src b)
{
    struct et_ir *ir = et_ampere_emit(lower, ET_IR_IADD3);
    ir->dst[0] = dst;
    ir->src[0] = a;
    ir->src[1] = b;
}

void et_ampere_move(struct et_ampere_lower *lower, uint16_t dst, struct et_ir_src a)
{
    struct et_ir *ir = et_ampere_emit(lower, ET_IR_MOV);
    ir->dst[0] = dst;
    ir->src[0] = a;
}

void et_ampere_plop(struct et_ampere_lower *lower, uint8_t pdst, uint8_t p0, uint8_t p1, uint8_t p2,
                    unsigned lut)
{
    struct et_ir *ir = et_ampere_emit(lower, ET_IR_PLOP3);
    ir->pdst[0] = pdst;
    ir->psrc[0] = p0;
    ir->psrc[1] = p1;
    ir->psrc[2] = p2;
    ir->imm = (int32_t)lut;
}

uint8_t et_ampere_both(struct et_ampere_lower *lower, uint8_t a, uint8_t b, unsigned temp)
{
    if (a == ET_P_T || a == ET_P_UT)
        return b;
    if (b == ET_P_T || b == ET_P_UT)
        return a;
    et_ampere_plop(lower, et_ampere_ptemp(temp), a, b, ET_P_T, 0xc0);
    return et_ampere_ptemp(temp);
}

const void *et_ampere_lowering_of(const char *mnemonic)
{
    static const struct et_ampere_lowering *const lists[] = {et_ampere_integer, et_ampere_float,
                                                             et_ampere_memory,  et_ampere_control,
                                                             et_ampere_texture, et_ampere_graphics};
    size_t i;
    for (i = 0; i < sizeof lists / sizeof *lists; i++) {
        const struct et_ampere_lowering *entry = lists[i];
        for (; entry->mnemonic; entry++)
            if (strcmp(entry->mnemonic, mnemonic) == 0)
                return entry;
    }
    return NULL;
}

enum etalon_status et_lower_ampere(const struct et_isa *isa, const struct et_insn *insn,
                                   struct et_ir_builder *builder, struct etalon_error *error)
{
    struct et_ampere_lower lower = {insn, builder, 0};
    const struct et_ampere_lowering *entry = et_isa_lowering(isa, insn->mnemonic);
    enum etalon_status status;
    char text[160];
    if (insn->row->flags & ET_ROW_UNIFORM && strcmp(et_isa_mnemonic(isa, insn->mnemonic), "S2UR") != 0)
        lower.flags = ET_F_UNIFORM;
    et_ir_begin(builder, insn->pc, predicate(&insn->guard));
    status = entry ? entry->lower(&lower) : ETALON_UNSUPPORTED;
    if (!status)
        return builder->failed ? et_fail(error, ETALON_NO_MEMORY, "lowering") : ETALON_OK;
    et_isa_disasm(isa, insn, NULL, text, sizeof text);
    et_at_pc(error, insn->pc);
    return et_fail(error, status, "instruction not executed here: %s", text);
}
