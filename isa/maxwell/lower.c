/* Maxwell to IR: the dispatch, and what the rules share.
 *
 * A rule reads the decoded operands by slot (d destination, a b c sources, p q predicate destinations, s
 * predicate source, i immediate, o offset, n condition, x target) and emits ops; its scratch registers live
 * until the next instruction, and the real destination is written last, since it may be a source too. */
#include "isa/maxwell/lower.h"

#include "base/bits.h"
#include "base/error.h"

#include <string.h>

struct et_ir_src et_maxwell_source(const struct lower *l, char slot)
{
    const struct et_operand *o = operand(l, slot);
    unsigned mods = (o->neg ? ET_NEG : 0) | (o->abs ? ET_ABS : 0) | (o->inv ? ET_NOT : 0);
    struct et_ir_src src;
    switch (o->kind) {
    case ET_KIND_R:
        src = reg_src((unsigned)o->value);
        break;
    case ET_KIND_C:
        src = et_ir_const(o->bank, (unsigned)o->value);
        break;
    case ET_KIND_D:
        src = et_ir_imm64((uint64_t)o->value);
        break;
    default:
        src = et_ir_imm((uint32_t)o->value);
        break;
    }
    if (slot == 'b' && o->kind != ET_KIND_R && o->kind != ET_KIND_C)
        mods |= (mod(l, ET_MOD_NEG) ? ET_NEG : 0) | (mod(l, ET_MOD_ABS) ? ET_ABS : 0) |
                (mod(l, ET_MOD_INV) ? ET_NOT : 0);
    return with_mods(src, mods);
}

uint8_t et_maxwell_predicate(const struct et_operand *o)
{
    return (uint8_t)((unsigned)o->value | (o->inv ? ET_P_NOT : 0));
}

uint8_t et_maxwell_predicate_dst(const struct et_operand *o)
{
    return o->value == ET_P_T ? ET_P_NONE : (uint8_t)o->value;
}

uint8_t et_maxwell_inverted_dst(const struct et_operand *o)
{
    return o->value == 0 ? ET_P_NONE : (uint8_t)(7 - o->value);
}

struct et_ir *et_maxwell_result(struct lower *l, enum et_ir_op op)
{
    struct et_ir *ir = emit(l, op);
    ir->dst[0] = l->dst;
    return ir;
}

void et_maxwell_cc(struct lower *l, enum et_type type)
{
    struct et_ir *ir;
    if (!mod(l, ET_MOD_CC))
        return;
    ir = emit(l, ET_IR_SETCC);
    ir->type = (uint8_t)type;
    ir->src[0] = reg_src(l->dst);
}

void et_maxwell_set_result(struct lower *l, uint8_t predicate)
{
    const bool one = mod(l, ET_MOD_BF);
    struct et_ir *ir = et_maxwell_result(l, ET_IR_SEL);
    ir->psrc[0] = predicate;
    ir->src[0] = et_ir_imm(one ? 0x3f800000 : 0xffffffff);
    ir->src[1] = et_ir_imm(0);
    et_maxwell_cc(l, one ? ET_F32 : ET_U32);
}

uint8_t et_maxwell_condition(struct lower *l, unsigned condition)
{
    struct et_ir *ir;
    if (condition == ET_CC_T)
        return ET_P_T;
    if (condition == ET_CC_F)
        return ET_P_T | ET_P_NOT;
    if (condition >= ET_CC_CSM_TA && condition <= ET_CC_FCSM_MX) {
        unsupported(l, "clipping state in a condition");
        return ET_P_T;
    }
    ir = emit(l, ET_IR_CCTEST);
    ir->fn = (uint8_t)condition;
    ir->pdst[0] = temp_predicate(l);
    return ir->pdst[0];
}

static const struct et_maxwell_rule *find_in(const struct et_maxwell_rule *rules, size_t count,
                                             const char *mnemonic)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(rules[i].mnemonic, mnemonic) == 0)
            return &rules[i];
    return NULL;
}

const void *et_maxwell_lowering_of(const char *mnemonic)
{
    const struct {
        const struct et_maxwell_rule *rules;
        size_t count;
    } files[] = {{et_maxwell_float_rules, et_maxwell_float_rule_count},
                 {et_maxwell_integer_rules, et_maxwell_integer_rule_count},
                 {et_maxwell_bits_rules, et_maxwell_bits_rule_count},
                 {et_maxwell_video_rules, et_maxwell_video_rule_count},
                 {et_maxwell_memory_rules, et_maxwell_memory_rule_count},
                 {et_maxwell_texture_rules, et_maxwell_texture_rule_count},
                 {et_maxwell_control_rules, et_maxwell_control_rule_count}};
    for (size_t i = 0; i < ET_COUNT(files); i++) {
        const struct et_maxwell_rule *rule = find_in(files[i].rules, files[i].count, mnemonic);
        if (rule)
            return rule;
    }
    return NULL;
}

/* Banks 0 to 17 exist. */
static bool banks_exist(const struct et_insn *insn)
{
    for (size_t i = 0; i < ET_COUNT(insn->op); i++)
        if (insn->op[i].kind == ET_KIND_C && insn->op[i].bank >= 18)
            return false;
    return true;
}

enum etalon_status et_lower_maxwell(const struct et_isa *isa, const struct et_insn *insn,
                                    struct et_ir_builder *builder, struct etalon_error *error)
{
    const struct et_maxwell_rule *rule = et_isa_lowering(isa, insn->mnemonic);
    const struct et_operand *d = &insn->op[ET_SLOT('d')];
    struct et_ir_program *program = builder->program;
    const size_t insns = program->count, tex = program->tex_count;
    struct lower l = {.insn = insn, .builder = builder, .dst = ET_R_NONE, .status = ETALON_OK};
    char text[160];
    et_ir_begin(builder, insn->pc, et_maxwell_predicate(&insn->guard));
    if (d->kind == ET_KIND_R)
        l.dst = register_of(d);
    if (l.dst == ET_R_NONE && mod(&l, ET_MOD_CC)) /* the condition code is the result's, not RZ's */
        l.dst = temp_registers(&l, 2);
    if (!banks_exist(insn)) {
        l.status = ETALON_ILLEGAL_INSTRUCTION;
        l.refused = "no such constant bank";
    } else if (rule) {
        rule->lower(&l);
    } else {
        unsupported(&l, "no meaning is known");
    }
    if (l.status == ETALON_OK && (l.temps > ET_TEMPS || l.predicates > 8))
        l.status = ETALON_INTERNAL;
    if (l.status == ETALON_OK)
        return ETALON_OK;
    program->count = insns;
    program->tex_count = tex;
    et_isa_disasm(isa, insn, NULL, text, sizeof text);
    et_at_pc(error, insn->pc);
    return et_fail(error, l.status, "%s: %s", text, l.refused ? l.refused : "too many scratch registers");
}
