/* Random ops of IR. */
#ifndef ET_TESTS_IR_MIX_H
#define ET_TESTS_IR_MIX_H

#include "support/ir_rig.h"

enum { MIX_REGISTERS = 10, MIX_COUNTER = 10, MIX_LANE = 11 };

static inline uint32_t mix_random(uint32_t *state)
{
    *state = *state * 1664525 + 1013904223;
    return *state >> 8;
}

/* A register, mostly; else a constant. */
static inline struct et_ir_src mix_source(uint32_t *state)
{
    const uint32_t r = mix_random(state);
    return r % 8 < 5   ? R(r / 8 % MIX_REGISTERS)
           : r % 8 < 7 ? I(r & 64 ? r / 8 % 40 : et_float_bits((float)(r / 8 % 64) - 20))
                       : et_ir_const(0, r / 8 % 64 * 4);
}

static inline uint8_t mix_predicate(uint32_t *state)
{
    const uint32_t r = mix_random(state);
    return (uint8_t)(r % 8 < 4 ? ET_P_T : (r / 8 % 6) | (r & 4096 ? ET_P_NOT : 0));
}

static inline void mix_op(struct rig *rig, uint64_t pc, uint32_t *state)
{
    static const uint8_t ops[] = {
        ET_IR_MOV,       ET_IR_MOV,    ET_IR_IADD3, ET_IR_IADD3, ET_IR_IMAD, ET_IR_LOP3,  ET_IR_LOP3,
        ET_IR_SHL,       ET_IR_SHR,    ET_IR_LEA,   ET_IR_SEL,   ET_IR_SEL,  ET_IR_IMNMX, ET_IR_ISETP,
        ET_IR_ISETP,     ET_IR_ISETP,  ET_IR_FADD,  ET_IR_FMUL,  ET_IR_FFMA, ET_IR_FFMA,  ET_IR_FMNMX,
        ET_IR_FSETP,     ET_IR_PLOP3,  ET_IR_PLOP3, ET_IR_POPC,  ET_IR_MUFU, ET_IR_P2R,   ET_IR_I2F,
        ET_IR_XMAD,      ET_IR_IADD,   ET_IR_SHF,   ET_IR_IABS,  ET_IR_PRMT, ET_IR_I2I,   ET_IR_IMUL_HI,
        ET_IR_IMAD_WIDE, ET_IR_IMAD_HI};
    const enum et_ir_op op = (enum et_ir_op)ops[mix_random(state) % ET_COUNT(ops)];
    const struct et_ir_op_info *info = &et_ir_ops[op];
    struct et_ir *ir = op_at(rig, pc, mix_predicate(state), op);
    const uint32_t r = mix_random(state);
    if (info->dst[0])
        ir->dst[0] = (uint16_t)(r % (MIX_REGISTERS + 1) == MIX_REGISTERS ? ET_R_NONE : r % MIX_REGISTERS);
    for (unsigned s = 0; s < strlen(info->src); s++) {
        ir->src[s] = mix_source(state);
        if ((op == ET_IR_FADD || op == ET_IR_FFMA || op == ET_IR_IADD3) && mix_random(state) % 4 == 0)
            ir->src[s].mods = ET_NEG;
    }
    for (unsigned p = 0; p < info->pdst; p++)
        if (op != ET_IR_IMAD && op != ET_IR_LEA && op != ET_IR_IMAD_WIDE && op != ET_IR_IMAD_HI &&
            mix_random(state) % 4)
            ir->pdst[p] = (uint8_t)(mix_random(state) % 6);
    for (unsigned p = 0; p < info->psrc; p++)
        if (op != ET_IR_IMAD && op != ET_IR_LEA && op != ET_IR_IADD3 && op != ET_IR_IMAD_WIDE &&
            op != ET_IR_IMAD_HI)
            ir->psrc[p] = mix_predicate(state);
    ir->imm = op == ET_IR_LEA ? r & 31 : op == ET_IR_LOP3 || op == ET_IR_PLOP3 ? r & 255 : 0;
    ir->imm2 = r >> 8 & 255;
    ir->cmp = r >> 16 & 7;
    ir->bop = r >> 12 & 1;
    ir->ftz = r & 1024;
    switch (op) {
    case ET_IR_ISETP:
    case ET_IR_IMNMX:
    case ET_IR_SHR:
        ir->type = r & 2048 ? ET_S32 : ET_U32;
        break;
    case ET_IR_SHF:
        ir->type = (const uint8_t[]){ET_U32, ET_S32, ET_U64, ET_S64}[r >> 11 & 3];
        ir->flags |= (r & 8192 ? ET_F_LEFT : 0u) | (r & 16384 ? ET_F_HI : 0u) | (r & 32768 ? ET_F_WRAP : 0u);
        break;
    case ET_IR_I2I:
    case ET_IR_IMUL_HI:
    case ET_IR_IMAD_WIDE:
    case ET_IR_IMAD_HI:
        ir->type = r & 2048 ? ET_S32 : ET_U32;
        ir->type2 = r & 8192 ? ET_S32 : ET_U32;
        if (op == ET_IR_I2I)
            ir->src[0].mods = (r & 16384 ? ET_NEG : 0) | (r & 32768 ? ET_ABS : 0);
        if (op == ET_IR_IMAD_WIDE && ir->dst[0] == MIX_REGISTERS - 1)
            ir->dst[0] = 0; /* a pair */
        break;
    case ET_IR_FSETP:
        ir->cmp = r >> 16 & 15;
        break;
    case ET_IR_MUFU:
        ir->fn = ET_MUFU_RCP;
        break;
    case ET_IR_I2F:
        ir->type = ET_F32;
        ir->type2 = r & 2048 ? ET_S32 : ET_U32;
        break;
    case ET_IR_XMAD:
        ir->type = ir->type2 = ET_U16;
        ir->src[0].part = r & 2048 ? ET_PART_H0 : ET_PART_H1;
        ir->src[1].part = ET_PART_H0;
        break;
    default:
        break;
    }
}

#endif
