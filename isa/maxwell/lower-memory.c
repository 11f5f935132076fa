/* Loads, stores, atomics, attributes. */
#include "isa/maxwell/lower.h"

#include "base/bits.h"

/* U8 S8 U16 S16 32 64 128 U.128. */
static enum et_type memory_type(const struct lower *l)
{
    static const uint8_t types[] = {ET_U8, ET_S8, ET_U16, ET_S16, ET_U32, ET_U64, ET_B128, ET_B128};
    return (enum et_type)types[mod(l, ET_MOD_size) & 7];
}

/* The address a + o; without a register the offset alone, unsigned. `wide`: 64 bits. */
static void address(const struct lower *l, struct et_ir *ir, bool wide)
{
    const struct et_operand *a = operand(l, 'a'), *o = operand(l, 'o');
    if (wide)
        ir->flags |= ET_F_A64;
    if (a->value == ET_R_RZ) {
        ir->src[0] = et_ir_imm64((uint64_t)o->value);
        return;
    }
    ir->src[0] = et_ir_reg((unsigned)a->value);
    ir->imm = (int32_t)o->value;
}

static struct et_ir *load(struct lower *l, enum et_space space, bool wide)
{
    struct et_ir *ir = et_maxwell_result(l, ET_IR_LD);
    ir->type = (uint8_t)memory_type(l);
    ir->space = (uint8_t)space;
    address(l, ir, wide);
    return ir;
}

static struct et_ir *store(struct lower *l, enum et_space space, bool wide)
{
    struct et_ir *ir = emit(l, ET_IR_ST);
    ir->type = (uint8_t)memory_type(l);
    ir->space = (uint8_t)space;
    address(l, ir, wide);
    ir->src[2] = reg_src((unsigned)operand(l, 'd')->value);
    return ir;
}

/* .CV and .WT go to memory each time. */
static unsigned strong(const struct lower *l)
{
    return mod(l, ET_MOD_cache) == 3 ? ET_F_STRONG : 0;
}

static void ldg(struct lower *l)
{
    struct et_ir *ir = load(l, ET_SPACE_GLOBAL, mod(l, ET_MOD_E));
    ir->flags |= strong(l);
    if (operand(l, 'p')->kind == ET_KIND_T)
        ir->pdst[0] = et_maxwell_inverted_dst(operand(l, 'p'));
}

static void stg(struct lower *l)
{
    store(l, ET_SPACE_GLOBAL, mod(l, ET_MOD_E))->flags |= strong(l);
}

/* Generic. The predicate operand, LEA.HI's, says that the address lies in global memory: found again here. */
static void ld(struct lower *l)
{
    load(l, ET_SPACE_GENERIC, mod(l, ET_MOD_E))->flags |= strong(l);
}

static void st(struct lower *l)
{
    store(l, ET_SPACE_GENERIC, mod(l, ET_MOD_E))->flags |= strong(l);
}

static void ldl(struct lower *l)
{
    load(l, ET_SPACE_LOCAL, false);
}

static void stl(struct lower *l)
{
    store(l, ET_SPACE_LOCAL, false);
}

static void lds(struct lower *l)
{
    load(l, ET_SPACE_SHARED, false);
}

static void sts(struct lower *l)
{
    store(l, ET_SPACE_SHARED, false);
}

static void ldc(struct lower *l)
{
    struct et_ir *ir = et_maxwell_result(l, ET_IR_LDC);
    ir->type = (uint8_t)memory_type(l);
    ir->src[0] = reg_src((unsigned)operand(l, 'a')->value);
    ir->imm = (int32_t)operand(l, 'o')->value;
    if (operand(l, 'a')->kind == ET_KIND_NONE || operand(l, 'a')->value == ET_R_RZ) {
        ir->src[0] = et_ir_imm(0);
        ir->imm &= 0xffff; /* the field shows signed, but counts from the bank's start */
    }
    ir->imm2 = (uint32_t)operand(l, 'b')->value;
    ir->fn = (uint8_t)mod(l, ET_MOD_mode);
}

/* ADD MIN MAX INC DEC AND OR XOR EXCH - SAFEADD. */
static uint8_t atomic_function(const struct lower *l)
{
    const unsigned op = mod(l, ET_MOD_op);
    return op == 10 ? ET_ATOM_SAFEADD : (uint8_t)op;
}

static enum et_type atomic_type(unsigned type)
{
    static const uint8_t types[] = {ET_U32, ET_S32, ET_U64, ET_F32, ET_F16X2, ET_S64, ET_S32, ET_S64};
    return (enum et_type)types[type & 7];
}

static struct et_ir *atomic(struct lower *l, enum et_space space, bool wide, enum et_type type,
                            unsigned function)
{
    struct et_ir *ir = et_maxwell_result(l, ET_IR_ATOM);
    ir->space = (uint8_t)space;
    ir->type = (uint8_t)type;
    ir->fn = (uint8_t)function;
    ir->ftz = type == ET_F32 || type == ET_F16X2;
    address(l, ir, wide);
    return ir;
}

/* Compare and swap: operands as printed, RZ where the form says so. */
static void compare_and_swap(struct lower *l, enum et_space space, bool wide, unsigned width_bit,
                             unsigned function)
{
    const bool wide_data = word_bits(l, width_bit, 1);
    struct et_ir *ir = atomic(l, space, wide, wide_data ? ET_U64 : ET_U32, function);
    const struct et_operand *b = operand(l, 'b'), *c = operand(l, 'c');
    ir->src[2] = b->kind == ET_KIND_R ? reg_src((unsigned)b->value) : et_ir_imm(0);
    ir->src[3] = c->kind == ET_KIND_R ? reg_src((unsigned)c->value) : et_ir_imm(0);
    if (operand(l, 'p')->kind == ET_KIND_T)
        ir->pdst[0] = et_maxwell_inverted_dst(operand(l, 'p'));
}

static void atom(struct lower *l)
{
    struct et_ir *ir;
    if ((l->insn->word[0] >> 48 & 0xfff0) == 0xeef0 || (l->insn->word[0] >> 48 & 0xfff0) == 0xee70) {
        compare_and_swap(l, ET_SPACE_GENERIC, mod(l, ET_MOD_E), 49, ET_ATOM_CAS);
        return;
    }
    ir = atomic(l, ET_SPACE_GENERIC, mod(l, ET_MOD_E), atomic_type(mod(l, ET_MOD_type)), atomic_function(l));
    ir->src[2] = et_maxwell_source(l, 'b');
    if (operand(l, 'p')->kind == ET_KIND_T)
        ir->pdst[0] = et_maxwell_inverted_dst(operand(l, 'p'));
}

static void atoms(struct lower *l)
{
    static const uint8_t types[] = {ET_U32, ET_S32, ET_U64, ET_S64};
    struct et_ir *ir;
    if ((l->insn->word[0] >> 48 & 0xff80) == 0xee00) {
        if (!word_bits(l, 54, 1))
            unsupported(l, "a compare and store that locks");
        else
            compare_and_swap(l, ET_SPACE_SHARED, false, 52, ET_ATOM_CAS);
        return;
    }
    ir = atomic(l, ET_SPACE_SHARED, false, (enum et_type)types[mod(l, ET_MOD_type) & 3], atomic_function(l));
    ir->src[2] = et_maxwell_source(l, 'b');
}

static void red(struct lower *l)
{
    struct et_ir *ir =
        atomic(l, ET_SPACE_GENERIC, mod(l, ET_MOD_E), atomic_type(mod(l, ET_MOD_type)), atomic_function(l));
    ir->dst[0] = ET_R_NONE;
    ir->src[2] = reg_src((unsigned)operand(l, 'd')->value);
}

/* Caches are not modelled: what they would do to memory is done. */
static void nothing(struct lower *l)
{
    emit(l, ET_IR_NOP);
}

static void membar(struct lower *l)
{
    static const uint8_t scopes[] = {ET_SCOPE_CTA, ET_SCOPE_GPU, ET_SCOPE_SYS, ET_SCOPE_GPU};
    emit(l, ET_IR_MEMBAR)->fn = scopes[mod(l, ET_MOD_membar)];
}

/* ---- attributes */
static unsigned attribute_flags(const struct lower *l)
{
    return (mod(l, ET_MOD_O) ? ET_F_OUTPUT : 0) | (mod(l, ET_MOD_P) ? ET_F_PATCH : 0);
}

static bool is_physical(const struct lower *l)
{
    return operand(l, 'o')->kind == ET_KIND_NONE;
}

static void attribute_address(const struct lower *l, struct et_ir *ir)
{
    ir->src[0] = reg_src((unsigned)operand(l, 'a')->value);
    ir->imm = (int32_t)operand(l, 'o')->value;
    ir->src[1] = et_maxwell_source(l, 'c');
    if (operand(l, 'c')->value == ET_R_RZ)
        ir->src[1] = (struct et_ir_src){.kind = ET_SRC_NONE};
    ir->words = (uint8_t)(mod(l, ET_MOD_asize) + 1);
    ir->type = ET_U32;
    ir->flags |= attribute_flags(l) | (is_physical(l) ? ET_F_PHYS : 0);
}

static void ald(struct lower *l)
{
    attribute_address(l, et_maxwell_result(l, ET_IR_ALD));
}

static void ast(struct lower *l)
{
    struct et_ir *ir = emit(l, ET_IR_AST);
    attribute_address(l, ir);
    ir->src[2] = reg_src((unsigned)operand(l, 'd')->value);
}

static void al2p(struct lower *l)
{
    struct et_ir *ir = et_maxwell_result(l, ET_IR_AL2P);
    ir->src[0] = operand(l, 'a')->kind == ET_KIND_R ? et_maxwell_source(l, 'a') : et_ir_imm(0);
    ir->imm = (int32_t)operand(l, 'o')->value;
    ir->flags |= attribute_flags(l);
    ir->pdst[0] = et_maxwell_predicate_dst(operand(l, 'p'));
}

static void ipa(struct lower *l)
{
    static const uint8_t functions[] = {ET_IPA_PASS, ET_IPA_MULTIPLY, ET_IPA_CONSTANT, ET_IPA_SC};
    const struct et_operand *s = operand(l, 's');
    struct et_ir *ir;
    if (s->value != ET_P_T || s->inv) {
        unsupported(l, "interpolation with a predicate operand");
        return;
    }
    ir = et_maxwell_result(l, ET_IR_IPA);
    ir->src[0] = operand(l, 'a')->kind == ET_KIND_R ? et_maxwell_source(l, 'a') : et_ir_imm(0);
    ir->imm = (int32_t)operand(l, 'o')->value;
    ir->src[1] = et_maxwell_source(l, 'b');
    ir->src[2] = et_maxwell_source(l, 'c');
    ir->fn = functions[mod(l, ET_MOD_interp)];
    ir->fn2 = (uint8_t)mod(l, ET_MOD_sample);
    ir->sat = mod(l, ET_MOD_SAT);
}

static void isberd(struct lower *l)
{
    struct et_ir *ir;
    if (mod(l, ET_MOD_mode) || mod(l, ET_MOD_SKEW) || mod(l, ET_MOD_O) || mod(l, ET_MOD_size)) {
        unsupported(l, "a buffer entry other than an input's");
        return;
    }
    ir = et_maxwell_result(l, ET_IR_ISBERD);
    ir->src[0] = et_maxwell_source(l, 'a');
}

static void out(struct lower *l)
{
    struct et_ir *ir = et_maxwell_result(l, ET_IR_OUT);
    ir->src[0] = et_maxwell_source(l, 'a');
    ir->src[1] = et_maxwell_source(l, 'b');
    ir->fn = (uint8_t)mod(l, ET_MOD_out);
}

static void pixld(struct lower *l)
{
    struct et_ir *ir = et_maxwell_result(l, ET_IR_PIXLD);
    ir->fn = (uint8_t)mod(l, ET_MOD_pixld);
    ir->src[0] = et_maxwell_source(l, 'a');
    ir->imm = (int32_t)operand(l, 'o')->value;
    ir->pdst[0] = et_maxwell_predicate_dst(operand(l, 'p'));
}

const struct et_maxwell_rule et_maxwell_memory_rules[] = {
    {"LD", ld},         {"ST", st},   {"LDG", ldg},      {"STG", stg},       {"LDL", ldl},
    {"STL", stl},       {"LDS", lds}, {"STS", sts},      {"LDC", ldc},       {"ATOM", atom},
    {"ATOMS", atoms},   {"RED", red}, {"CCTL", nothing}, {"CCTLL", nothing}, {"CCTLT", nothing},
    {"MEMBAR", membar}, {"ALD", ald}, {"AST", ast},      {"AL2P", al2p},     {"IPA", ipa},
    {"ISBERD", isberd}, {"OUT", out}, {"PIXLD", pixld},
};
const size_t et_maxwell_memory_rule_count = ET_COUNT(et_maxwell_memory_rules);
