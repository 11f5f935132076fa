/* Lowering of Maxwell instructions: what its files share. */
#ifndef ET_ISA_MAXWELL_LOWER_H
#define ET_ISA_MAXWELL_LOWER_H

#include "isa/ir/ir.h"
#include "isa/isa.h"

struct lower {
    const struct et_insn *insn;
    struct et_ir_builder *builder;
    uint16_t dst;        /* where the result goes: R0..R254, a scratch register, or ET_R_NONE */
    unsigned temps;      /* scratch registers in use */
    unsigned predicates; /* scratch predicates in use */
    enum etalon_status status;
    const char *refused; /* why the instruction cannot run */
};

typedef void et_maxwell_lower_fn(struct lower *l);

/* One mnemonic's rule. */
struct et_maxwell_rule {
    const char *mnemonic;
    et_maxwell_lower_fn *lower;
};

static inline const struct et_operand *operand(const struct lower *l, char slot)
{
    return &l->insn->op[ET_SLOT(slot)];
}

static inline unsigned mod(const struct lower *l, enum et_mod name)
{
    return l->insn->mod[name];
}

static inline unsigned word_bits(const struct lower *l, unsigned pos, unsigned width)
{
    return (unsigned)(l->insn->word[0] >> pos & ((1u << width) - 1));
}

/* The sign of an integer form: the bit that, when 0, prints .U32. */
static inline enum et_type sign_type(const struct lower *l)
{
    return mod(l, ET_MOD_U32) ? ET_S32 : ET_U32;
}

/* Integer comparisons are F LT EQ LE GT NE GE T in three bits. */
static inline enum et_cmp integer_compare(const struct lower *l)
{
    const unsigned cmp = mod(l, ET_MOD_cmp);
    return cmp == 7 ? ET_CMP_T : (enum et_cmp)cmp;
}

/* .PO is both sign bits: `pos` is the lower of the two. */
static inline bool plus_one(const struct lower *l, unsigned pos)
{
    return word_bits(l, pos, 2) == 3;
}

static inline uint8_t byte_part(unsigned byte)
{
    return (uint8_t)(ET_PART_B0 + byte);
}

static inline void unsupported(struct lower *l, const char *what)
{
    l->status = ETALON_UNSUPPORTED;
    l->refused = what;
}

/* Scratch, for this machine instruction. */
static inline uint16_t temp_registers(struct lower *l, unsigned count)
{
    const unsigned first = count > 1 ? (l->temps + count - 1) / count * count : l->temps;
    l->temps = first + count;
    return (uint16_t)(ET_R_TEMP + first);
}

static inline uint8_t temp_predicate(struct lower *l)
{
    return (uint8_t)(ET_P_TEMP + l->predicates++);
}

static inline uint16_t register_of(const struct et_operand *o)
{
    return o->value == ET_R_RZ ? ET_R_NONE : (uint16_t)o->value;
}

/* A register as a source; RZ (and a group at RZ) is zero. */
static inline struct et_ir_src reg_src(unsigned reg)
{
    return reg == ET_R_RZ || reg == ET_R_NONE ? et_ir_imm(0) : et_ir_reg(reg);
}

/* Register `index` above an operand's; RZ stays zero. */
static inline struct et_ir_src nth_src(const struct et_operand *o, unsigned index)
{
    return o->value == ET_R_RZ ? et_ir_imm(0) : et_ir_reg((unsigned)o->value + index);
}

static inline struct et_ir_src with_mods(struct et_ir_src src, unsigned mods)
{
    src.mods = (uint8_t)mods;
    return src;
}

static inline struct et_ir_src with_part(struct et_ir_src src, unsigned part)
{
    src.part = (uint8_t)part;
    return src;
}

static inline struct et_ir *emit(struct lower *l, enum et_ir_op op)
{
    return et_ir_emit(l->builder, op);
}

/* A source operand with its signs; .NEG, .ABS and .INV belong to the immediate in slot b. */
struct et_ir_src et_maxwell_source(const struct lower *l, char slot);
static inline void two_sources(const struct lower *l, struct et_ir *ir)
{
    ir->src[0] = et_maxwell_source(l, 'a');
    ir->src[1] = et_maxwell_source(l, 'b');
}

/* `bits` bits of a source from `position` on, extended, in a scratch register; its sign stays outside. */
struct et_ir_src et_maxwell_extracted(struct lower *l, struct et_ir_src src, unsigned position, unsigned bits,
                                      bool is_signed);
/* A predicate operand as a source, and as a destination (PT: dropped). */
uint8_t et_maxwell_predicate(const struct et_operand *o);
uint8_t et_maxwell_predicate_dst(const struct et_operand *o);
/* Predicates of words PT P6 .. P0: loads that say whether they succeeded. */
uint8_t et_maxwell_inverted_dst(const struct et_operand *o);

/* Emits an op with the instruction's destination. */
struct et_ir *et_maxwell_result(struct lower *l, enum et_ir_op op);
/* .CC of an op that does not set it itself: from the result, of `type`. */
void et_maxwell_cc(struct lower *l, enum et_type type);
/* d = predicate ? 1.0 or all ones : 0, as the SET instructions write it; with .CC. */
void et_maxwell_set_result(struct lower *l, uint8_t predicate);
/* A scratch predicate that holds a condition of the condition code. */
uint8_t et_maxwell_condition(struct lower *l, unsigned condition);

extern const struct et_maxwell_rule et_maxwell_float_rules[], et_maxwell_integer_rules[],
    et_maxwell_bits_rules[], et_maxwell_video_rules[], et_maxwell_memory_rules[], et_maxwell_texture_rules[],
    et_maxwell_control_rules[];
extern const size_t et_maxwell_float_rule_count, et_maxwell_integer_rule_count, et_maxwell_bits_rule_count,
    et_maxwell_video_rule_count, et_maxwell_memory_rule_count, et_maxwell_texture_rule_count,
    et_maxwell_control_rule_count;

#endif
