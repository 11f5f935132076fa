#include "isa/ir/ir.h"

#include "base/alloc.h"
#include "base/bits.h"

#include <string.h>

const struct et_ir_op_info et_ir_ops[ET_IR_OP_COUNT] = {
#define ET_IR_INFO(name, d, s, q, p) {#name, d, s, q, p},
    ET_IR_OPS(ET_IR_INFO)
#undef ET_IR_INFO
};

void et_ir_begin(struct et_ir_builder *builder, uint64_t pc, uint8_t guard)
{
    builder->pc = pc;
    builder->guard = guard;
}

struct et_ir *et_ir_emit(struct et_ir_builder *builder, enum et_ir_op op)
{
    struct et_ir_program *program = builder->program;
    struct et_ir *ir = &builder->scratch;
    if (et_grow(&program->insns, &program->capacity, program->count + 1, sizeof *program->insns))
        ir = &program->insns[program->count++];
    else
        builder->failed = true;
    memset(ir, 0, sizeof *ir);
    ir->op = (uint16_t)op;
    ir->guard = builder->guard;
    ir->pc = builder->pc;
    for (unsigned i = 0; i < ET_COUNT(ir->dst); i++)
        ir->dst[i] = ET_R_NONE;
    for (unsigned i = 0; i < ET_COUNT(ir->pdst); i++)
        ir->pdst[i] = ET_P_NONE;
    for (unsigned i = 0; i < ET_COUNT(ir->psrc); i++)
        ir->psrc[i] = ET_P_T;
    return ir;
}

struct et_ir_tex *et_ir_emit_tex(struct et_ir_builder *builder, struct et_ir *ir)
{
    struct et_ir_program *program = builder->program;
    struct et_ir_tex *tex = &builder->tex_scratch;
    if (et_grow(&program->tex, &program->tex_capacity, program->tex_count + 1, sizeof *program->tex)) {
        ir->tex = (uint32_t)program->tex_count;
        tex = &program->tex[program->tex_count++];
    } else {
        builder->failed = true;
    }
    memset(tex, 0, sizeof *tex);
    for (unsigned i = 0; i < ET_COUNT(tex->out); i++)
        tex->out[i] = ET_R_NONE;
    return tex;
}

void et_ir_program_finish(struct et_ir_program *program)
{
    et_free(program->insns);
    et_free(program->tex);
    memset(program, 0, sizeof *program);
}

static unsigned type_words(unsigned type)
{
    switch (type) {
    case ET_U64:
    case ET_S64:
    case ET_F64:
        return 2;
    case ET_B128:
        return 4;
    default:
        return 1;
    }
}

static unsigned letter_words(const struct et_ir *ir, char letter)
{
    switch (letter) {
    case '1':
    case '2':
    case '4':
        return (unsigned)(letter - '0');
    case 'T':
        return type_words(ir->type);
    case 't':
        return type_words(ir->type2);
    case 'A':
        return ir->flags & ET_F_A64 ? 2 : 1;
    case 'm':
        return ir->words ? ir->words : type_words(ir->type);
    default:
        return 0;
    }
}

unsigned et_ir_dst_words(const struct et_ir *ir, unsigned index)
{
    const char *letters = et_ir_ops[ir->op].dst;
    return index < strlen(letters) ? letter_words(ir, letters[index]) : 0;
}

struct et_mma_shape et_mma_shape(unsigned shape)
{
    static const struct et_mma_shape shapes[] = {[ET_MMA_884] = {8, 4},
                                                 [ET_MMA_1684] = {16, 4},
                                                 [ET_MMA_1688] = {16, 8},
                                                 [ET_MMA_16816] = {16, 16},
                                                 [ET_MMA_16832] = {16, 32},
                                                 [ET_MMA_16864] = {16, 64},
                                                 [ET_MMA_8816] = {8, 16},
                                                 [ET_MMA_8832] = {8, 32},
                                                 [ET_MMA_88128] = {8, 128},
                                                 [ET_MMA_168128] = {16, 128},
                                                 [ET_MMA_168256] = {16, 256}};
    return shape < ET_COUNT(shapes) ? shapes[shape] : (struct et_mma_shape){0, 0};
}

unsigned et_type_bits(unsigned type)
{
    switch (type) {
    case ET_B1:
        return 1;
    case ET_U2:
    case ET_S2:
        return 2;
    case ET_U4:
    case ET_S4:
        return 4;
    case ET_U8:
    case ET_S8:
        return 8;
    case ET_U16:
    case ET_S16:
    case ET_F16:
    case ET_BF16:
        return 16;
    case ET_U64:
    case ET_S64:
    case ET_F64:
        return 64;
    default:
        return 32;
    }
}

bool et_mma_fits(unsigned shape, unsigned type, bool sparse)
{
    const struct et_mma_shape mk = et_mma_shape(shape);
    const unsigned most = 4 * 32 * 32, bits = et_type_bits(type);
    return mk.m * mk.k * bits / (sparse ? 2 : 1) <= most && 8 * mk.k * bits <= most;
}

unsigned et_ir_src_words(const struct et_ir *ir, unsigned index)
{
    const char *letters = et_ir_ops[ir->op].src;
    return index < strlen(letters) ? letter_words(ir, letters[index]) : 0;
}

static const char *src_fault(const struct et_ir_src *src)
{
    if (src->kind > ET_SRC_BINDLESS)
        return "unknown kind of source";
    if (src->kind == ET_SRC_REG && src->value >= ET_R_COUNT)
        return "source register out of range";
    if (src->kind == ET_SRC_CONST && src->bank >= 18)
        return "constant bank out of range";
    if (src->kind == ET_SRC_BINDLESS && src->bank >= 64)
        return "handle register out of range";
    if (src->part > ET_PART_F32)
        return "unknown part of a source";
    if (src->mods & ~(unsigned)(ET_NEG | ET_ABS | ET_NOT))
        return "unknown modifier of a source";
    return NULL;
}

static const char *insn_fault(const struct et_ir_program *program, const struct et_ir *ir)
{
    const struct et_ir_op_info *info = &et_ir_ops[ir->op];
    const char *fault;
    if ((ir->guard & ~(unsigned)ET_P_NOT) >= ET_P_NONE)
        return "guard out of range";
    if (ir->type >= ET_TYPE_COUNT || ir->type2 >= ET_TYPE_COUNT || ir->dtype >= ET_TYPE_COUNT)
        return "unknown type";
    if (ir->round > ET_RNA || ir->cmp > ET_CMP_T || ir->bop > ET_XOR || ir->space > ET_SPACE_SHARED ||
        ir->words > 4 || ir->dpart > ET_PART_F32)
        return "unknown modifier";
    for (unsigned i = 0; i < ET_COUNT(ir->dst); i++) {
        if (ir->dst[i] == ET_R_NONE)
            continue;
        if (i >= strlen(info->dst))
            return "a destination that the op has not";
        if (ir->dst[i] >= ET_R_COUNT)
            return "destination register out of range";
    }
    for (unsigned i = 0; i < ET_COUNT(ir->src); i++) {
        if (ir->src[i].kind == ET_SRC_NONE)
            continue;
        if (i >= strlen(info->src))
            return "a source that the op has not";
        if ((fault = src_fault(&ir->src[i])))
            return fault;
    }
    for (unsigned i = 0; i < ET_COUNT(ir->pdst); i++)
        if (ir->pdst[i] > ET_P_NONE || (i >= info->pdst && ir->pdst[i] != ET_P_NONE))
            return "a predicate destination that the op has not";
    for (unsigned i = 0; i < ET_COUNT(ir->psrc); i++)
        if ((ir->psrc[i] & ~(unsigned)ET_P_NOT) >= ET_P_NONE || (i >= info->psrc && ir->psrc[i] != ET_P_T))
            return "a predicate source that the op has not";
    if ((ir->op == ET_IR_TEX || ir->op == ET_IR_IMAGE) && ir->tex >= program->tex_count)
        return "a texture instruction without operands";
    return NULL;
}

static const char *tex_fault(const struct et_ir_tex *tex)
{
    const struct et_ir_src *groups[] = {tex->coord,    &tex->layer,  &tex->lod, &tex->min_lod,
                                        &tex->compare, &tex->sample, tex->ddx,  tex->ddy,
                                        &tex->offset,  tex->offset4, tex->data, &tex->handle};
    static const unsigned counts[] = {3, 1, 1, 1, 1, 1, 3, 3, 1, 2, 4, 1};
    for (unsigned g = 0; g < ET_COUNT(groups); g++)
        for (unsigned i = 0; i < counts[g]; i++) {
            const char *fault = src_fault(&groups[g][i]);
            if (fault)
                return fault;
        }
    for (unsigned i = 0; i < ET_COUNT(tex->out); i++)
        if (tex->out[i] != ET_R_NONE && tex->out[i] >= ET_R_COUNT)
            return "texture result out of range";
    return NULL;
}

enum etalon_status et_ir_check(const struct et_ir_program *program, struct etalon_error *error)
{
    for (size_t i = 0; i < program->count; i++) {
        const struct et_ir *ir = &program->insns[i];
        const char *fault = ir->op < ET_IR_OP_COUNT ? insn_fault(program, ir) : "unknown op";
        if (!fault && (ir->op == ET_IR_TEX || ir->op == ET_IR_IMAGE))
            fault = tex_fault(&program->tex[ir->tex]);
        if (fault) {
            et_at_pc(error, ir->pc);
            return et_fail(error, ETALON_INTERNAL, "IR %s at 0x%llx: %s",
                           ir->op < ET_IR_OP_COUNT ? et_ir_ops[ir->op].name : "?", (unsigned long long)ir->pc,
                           fault);
        }
    }
    return ETALON_OK;
}
