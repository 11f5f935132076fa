/* Which of a warp's slots its start must clear. Registers that nobody wrote read as zero; a file that has run
 * the program before holds the last warp's values in the slots that the program writes, and of those only the
 * ones matter that may be read before a whole warp's run has written them. */
#include "isa/interp/ops.h"

#include "base/alloc.h"

#include <string.h>

enum { WRITTEN = 1, SETTLED = 2, EARLY = 4 };

/* Slots of one operand, at most 4 words. */
static void settle(uint8_t *slot, unsigned first, unsigned words)
{
    for (unsigned n = 0; n < words; n++)
        slot[first + n] |= SETTLED;
}

static void look(uint8_t *slot, unsigned limit, unsigned first, unsigned words)
{
    for (unsigned n = 0; n < words && first + n < limit; n++)
        if (!(slot[first + n] & SETTLED))
            slot[first + n] |= EARLY;
}

static void look_tex(uint8_t *slot, unsigned limit, const struct tex_slots *s)
{
    const uint16_t *const one[] = {
        &s->handle, &s->layer,      &s->lod, &s->min_lod,  &s->compare, &s->sample, &s->offset, s->offset4,
        s->coord,   s->coord + 1,   s->ddx,  s->coord + 2, s->ddx + 1,  s->ddx + 2, s->ddy,     s->ddy + 1,
        s->ddy + 2, s->offset4 + 1, s->data, s->data + 1,  s->data + 2, s->data + 3};
    for (unsigned n = 0; n < ET_COUNT(one); n++)
        look(slot, limit, *one[n], 1);
}

bool et_op_is_plain(const struct et_ir *ir)
{
    switch (ir->op) {
    case ET_IR_NOP:
    case ET_IR_MOV:
    case ET_IR_SEL:
    case ET_IR_PRMT:
    case ET_IR_PLOP3:
    case ET_IR_IADD:
    case ET_IR_IADD3:
    case ET_IR_IADD3M:
    case ET_IR_IABS:
    case ET_IR_I2I:
    case ET_IR_IMAD:
    case ET_IR_IMAD_WIDE:
    case ET_IR_IMAD_HI:
    case ET_IR_IMUL_HI:
    case ET_IR_LOP3:
    case ET_IR_SHL:
    case ET_IR_SHR:
    case ET_IR_SHF:
    case ET_IR_LEA:
    case ET_IR_IMNMX:
    case ET_IR_ISETP:
    case ET_IR_XMAD:
    case ET_IR_FADD:
    case ET_IR_FMUL:
    case ET_IR_FFMA:
    case ET_IR_FMNMX:
    case ET_IR_FSETP:
    case ET_IR_MUFU:
    case ET_IR_F2I:
    case ET_IR_I2F:
    case ET_IR_LDC:
    case ET_IR_S2R:
    case ET_IR_ALD:
    case ET_IR_AST:
    case ET_IR_IPA:
    case ET_IR_TEX:
        return true;
    default:
        return false;
    }
}

static void note_written(const struct et_program *program, uint8_t *slot)
{
    for (size_t n = 0; n < program->count; n++) {
        const struct insn *i = &program->code[n];
        const unsigned words = i->op == et_op_splat ? i->imm
                               : i->ir              ? ET_MAX(1u, et_ir_dst_words(i->ir, 0))
                                                    : 0;
        for (unsigned k = 0; k < words; k++)
            slot[i->d + k] |= WRITTEN;
        if (i->ir && (i->ir->op == ET_IR_TEX || i->ir->op == ET_IR_IMAGE))
            for (unsigned k = 0; k < 4; k++)
                slot[program->tex[i->ir->tex].out[k]] |= WRITTEN;
    }
}

/* Follows the run that every warp starts with, until something may change what runs. */
static void follow(const struct et_program *program, uint8_t *slot)
{
    const unsigned limit = program->pool_slot;
    const struct insn *i = program->code + program->entry;
    for (; i < program->code + program->count; i++) {
        const uint16_t from[] = {i->a, i->b, i->c, i->e};
        if (!i->ir && (i->op == et_op_lead || i->op == et_op_mode || i->op == et_op_splat))
            continue;
        if (!i->ir || i->op == et_op_bindless || i->op == et_op_illegal || !et_op_is_plain(i->ir))
            break;
        for (unsigned s = 0; s < 4; s++)
            look(slot, limit, from[s], et_ir_src_words(i->ir, s));
        if (i->ir->op == ET_IR_TEX)
            look_tex(slot, limit, &program->tex[i->ir->tex]);
        if (i->guard != ET_P_T)
            continue;
        if (i->ir->op == ET_IR_TEX)
            for (unsigned k = 0; k < 4; k++)
                settle(slot, program->tex[i->ir->tex].out[k], 1);
        else
            settle(slot, i->d, et_ir_dst_words(i->ir, 0));
    }
}

/* Predicates that may be written: those that plain ops name, the condition code, or all. */
static uint32_t written_predicates(const struct et_program *program)
{
    uint32_t written = 15u << ET_P_CC_Z;
    for (size_t n = 0; n < program->count; n++) {
        const struct insn *i = &program->code[n];
        if (i->ir && !et_op_is_plain(i->ir) && i->ir->op != ET_IR_EXIT && i->ir->op != ET_IR_JUMP &&
            i->ir->op != ET_IR_KIL)
            return ~0u;
        if (i->ir)
            written |= 1u << (i->q0 & 31) | 1u << (i->q1 & 31);
    }
    return written & ~(1u << ET_P_NONE | 1u << ET_P_T | 1u << ET_P_UT);
}

bool et_program_plan_clears(struct et_program *program)
{
    const unsigned limit = program->pool_slot;
    uint8_t *slot = et_calloc(limit + 16u, 1);
    program->predicates = written_predicates(program);
    if (!slot)
        return false;
    program->clears = et_calloc(limit + 1u, sizeof *program->clears);
    if (program->clears) {
        note_written(program, slot);
        follow(program, slot);
        for (unsigned n = 0; n < limit; n++) {
            const bool barrier = n >= program->barriers && n < program->trash;
            if (n < program->trash &&
                (barrier || (slot[n] & WRITTEN && (slot[n] & EARLY || !(slot[n] & SETTLED)))))
                program->clears[program->clear_count++] = (uint16_t)n;
        }
    }
    et_free(slot);
    return program->clears != NULL;
}
