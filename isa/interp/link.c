/* From IR to executable form: slots for operands, constants into a pool, handlers by op and operand shape, FP
 * modes. */
#include "isa/interp/ops.h"

#include "base/alloc.h"

#include <string.h>

enum { MIN_REGISTERS = 40 }; /* what a fragment's outputs may read at exit */

struct linker {
    struct et_program *program;
    op_fn *const *alu, *const *memory, *const *ipa;
    const struct attribute_functions *attributes;
    size_t capacity, vector_capacity, pool_capacity;
    uint8_t mode;     /* FP mode at this point of a straight run */
    uint16_t scratch; /* slots for bindless operands: 4 a source */
    uint8_t *leader;  /* by address / 8 */
    bool failed;
};

static op_fn *const slow[ET_IR_OP_COUNT] = {
#define SLOW_ENTRY(op, name) [ET_IR_##op] = et_op_##name,
    SLOW_HANDLERS(SLOW_ENTRY)
#undef SLOW_ENTRY
};

op_fn *et_interp_slow_handler(enum et_ir_op op)
{
    return slow[op];
}

/* ---- slots */
struct usage {
    unsigned registers;
    bool temps, uniforms, barriers;
};

static void use(struct usage *usage, unsigned reg, unsigned words)
{
    if (reg < ET_R_RZ)
        usage->registers = ET_MAX(usage->registers, ET_MIN(reg + words, 255u));
    else if (reg >= ET_R_UNIFORM)
        usage->uniforms = true;
    else if (reg >= ET_R_TEMP)
        usage->temps = true;
}

static void use_src(struct usage *usage, const struct et_ir_src *src, unsigned words)
{
    if (src->kind == ET_SRC_REG)
        use(usage, src->value, words);
    else if (src->kind == ET_SRC_BINDLESS)
        usage->uniforms = true;
}

static void use_tex(struct usage *usage, const struct et_ir_tex *tex)
{
    const struct et_ir_src *one[] = {&tex->handle,  &tex->layer,      &tex->lod,
                                     &tex->min_lod, &tex->compare,    &tex->sample,
                                     &tex->offset,  &tex->offset4[0], &tex->offset4[1]};
    for (unsigned n = 0; n < ET_COUNT(one); n++)
        use_src(usage, one[n], 1);
    for (unsigned n = 0; n < 3; n++) {
        use_src(usage, &tex->coord[n], 1);
        use_src(usage, &tex->ddx[n], 1);
        use_src(usage, &tex->ddy[n], 1);
    }
    for (unsigned n = 0; n < 4; n++) {
        use_src(usage, &tex->data[n], 1);
        if (tex->out[n] != ET_R_NONE)
            use(usage, tex->out[n], 1);
    }
}

static void lay_slots(struct linker *k)
{
    struct et_program *program = k->program;
    struct usage usage = {.registers = MIN_REGISTERS};
    unsigned at;
    for (size_t n = 0; n < program->ir.count; n++) {
        const struct et_ir *ir = &program->ir.insns[n];
        for (unsigned d = 0; d < 2; d++)
            if (ir->dst[d] != ET_R_NONE)
                use(&usage, ir->dst[d], et_ir_dst_words(ir, d));
        for (unsigned s = 0; s < 4; s++)
            use_src(&usage, &ir->src[s], et_ir_src_words(ir, s));
        if (ir->op == ET_IR_TEX || ir->op == ET_IR_IMAGE)
            use_tex(&usage, &program->ir.tex[ir->tex]);
        usage.barriers |= ir->op >= ET_IR_BSSY && ir->op <= ET_IR_BMOV_FROM;
    }
    program->registers = (uint16_t)usage.registers;
    program->info.registers = usage.registers;
    at = usage.registers;
    program->zero = (uint16_t)at;
    at += 4;
    program->temps = (uint16_t)at;
    at += usage.temps ? ET_TEMPS + 3 : 0;
    program->uniforms = (uint16_t)at;
    at += usage.uniforms ? 64 + 3 : 0;
    program->barriers = (uint16_t)at;
    at += usage.barriers ? 16 : 0;
    program->trash = (uint16_t)at;
    at += 4;
    k->scratch = (uint16_t)at;
    at += 16;
    program->pool_slot = at;
}

static uint16_t slot_of(const struct et_program *program, unsigned reg)
{
    if (reg < ET_R_RZ)
        return (uint16_t)reg;
    if (reg == ET_R_RZ || reg == ET_R_URZ)
        return program->zero;
    if (reg >= ET_R_UNIFORM)
        return (uint16_t)(program->uniforms + (reg - ET_R_UNIFORM));
    return (uint16_t)(program->temps + (reg - ET_R_TEMP));
}

static uint16_t dst_slot(const struct et_program *program, unsigned reg)
{
    return reg == ET_R_NONE || reg == ET_R_RZ || reg == ET_R_URZ ? program->trash : slot_of(program, reg);
}

static bool same_entry(const struct pool_entry *a, const struct pool_entry *b)
{
    return a->kind == b->kind && a->bank == b->bank && a->mods == b->mods && a->value == b->value;
}

/* A run of `words` pool entries, shared with an equal run. */
static uint16_t pool_run(struct linker *k, const struct pool_entry *run, unsigned words)
{
    struct et_program *program = k->program;
    for (size_t n = 0; n + words <= program->pool_count; n++) {
        unsigned m = 0;
        while (m < words && same_entry(&program->pool[n + m], &run[m]))
            m++;
        if (m == words)
            return (uint16_t)(program->pool_slot + n);
    }
    if (program->pool_slot + program->pool_count + words > UINT16_MAX ||
        !et_grow(&program->pool, &k->pool_capacity, program->pool_count + words, sizeof *program->pool)) {
        k->failed = true;
        return program->zero;
    }
    memcpy(program->pool + program->pool_count, run, words * sizeof *run);
    program->pool_count += words;
    return (uint16_t)(program->pool_slot + program->pool_count - words);
}

static uint16_t constant_slot(struct linker *k, const struct et_ir_src *src, unsigned words, bool fold)
{
    struct pool_entry run[4];
    for (unsigned n = 0; n < words; n++) {
        run[n] = (struct pool_entry){.kind = src->kind,
                                     .bank = src->kind == ET_SRC_CONST ? src->bank : 0,
                                     .mods = fold ? src->mods : 0};
        if (src->kind == ET_SRC_CONST)
            run[n].value = src->value + 4 * n;
        else
            run[n].value = n == 0 ? src->value : n == 1 ? src->high : 0;
    }
    return pool_run(k, run, words);
}

static struct insn *append(struct linker *k)
{
    struct et_program *program = k->program;
    if (!et_grow(&program->code, &k->capacity, program->count + 1, sizeof *program->code) ||
        !et_grow(&program->vector, &k->vector_capacity, program->count + 1, 1)) {
        k->failed = true;
        return NULL;
    }
    program->vector[program->count] = NO_VECTOR;
    memset(&program->code[program->count], 0, sizeof *program->code);
    return &program->code[program->count++];
}

/* The slot of a source; cx[UR][n] is loaded to scratch first. */
static uint16_t src_slot(struct linker *k, const struct et_ir *ir, const struct et_ir_src *src,
                         unsigned index, unsigned words, bool fold)
{
    if (!words || src->kind == ET_SRC_NONE)
        return k->program->zero;
    if (src->kind == ET_SRC_REG)
        return slot_of(k->program, src->value);
    if (src->kind == ET_SRC_BINDLESS) {
        struct insn *load = append(k);
        const uint16_t slot = (uint16_t)(k->scratch + 4 * index);
        if (load) {
            load->op = et_op_bindless;
            load->ir = ir;
            load->b = slot_of(k->program, ET_R_UNIFORM + src->bank);
            load->d = slot;
            load->imm = src->value;
            load->imm2 = words;
        }
        return slot;
    }
    return constant_slot(k, src, words, fold);
}

static void lay_tex(struct linker *k, const struct et_ir *ir)
{
    const struct et_ir_tex *tex = &k->program->ir.tex[ir->tex];
    struct tex_slots *s = &k->program->tex[ir->tex];
    s->handle = src_slot(k, ir, &tex->handle, 0, 1, false);
    s->layer = src_slot(k, ir, &tex->layer, 0, 1, false);
    s->lod = src_slot(k, ir, &tex->lod, 0, 1, false);
    s->min_lod = src_slot(k, ir, &tex->min_lod, 0, 1, false);
    s->compare = src_slot(k, ir, &tex->compare, 0, 1, false);
    s->sample = src_slot(k, ir, &tex->sample, 0, 1, false);
    s->offset = src_slot(k, ir, &tex->offset, 0, 1, false);
    s->has_offset = tex->offset.kind != ET_SRC_NONE;
    for (unsigned n = 0; n < 2; n++)
        s->offset4[n] = src_slot(k, ir, &tex->offset4[n], 0, 1, false);
    s->has_offset4 = tex->offset4[0].kind != ET_SRC_NONE;
    for (unsigned n = 0; n < 3; n++) {
        s->coord[n] = src_slot(k, ir, &tex->coord[n], 0, 1, false);
        s->ddx[n] = src_slot(k, ir, &tex->ddx[n], 0, 1, false);
        s->ddy[n] = src_slot(k, ir, &tex->ddy[n], 0, 1, false);
    }
    for (unsigned n = 0; n < 4; n++) {
        s->data[n] = src_slot(k, ir, &tex->data[n], 0, 1, false);
        s->out[n] = dst_slot(k->program, tex->out[n]);
    }
    if (tex->handle_bound) { /* c[the launch's bindless bank][bound * 4] */
        const struct pool_entry run = {.kind = ET_SRC_CONST, .bank = 0xff, .value = tex->bound * 4};
        s->handle = pool_run(k, &run, 1);
    }
}

/* ---- handlers */
static bool is_single_op(unsigned op)
{
    return op == ET_IR_FADD || op == ET_IR_FMUL || op == ET_IR_FFMA || op == ET_IR_FMNMX || op == ET_IR_FSETP;
}

static uint8_t mode_of(const struct et_ir *ir)
{
    switch (ir->op) {
    case ET_IR_FADD:
    case ET_IR_FMUL:
    case ET_IR_FFMA:
        return ir->round == ET_RNA ? MODE_NONE : (uint8_t)(ir->round | (ir->ftz ? 8 : 0));
    case ET_IR_I2F:
        return ir->round == ET_RNA ? MODE_NONE : ir->round;
    default:
        return MODE_NONE;
    }
}

static int single_handler(const struct et_ir *ir, const struct insn *i)
{
    const bool mods = i->mods || ir->sat || i->flags & ET_F_FMZ;
    if (ir->round == ET_RNA || (ir->fn && ir->op != ET_IR_FADD))
        return -1;
    if (ir->op == ET_IR_FADD)
        return mods ? ALU_fadd_mods : ALU_fadd;
    if (ir->op == ET_IR_FMUL)
        return mods ? ALU_fmul_mods : ALU_fmul;
    return mods ? ALU_ffma_mods : ALU_ffma;
}

static int lop3_handler(const struct et_ir *ir, const struct insn *i)
{
    if (i->q0 != ET_P_NONE || i->mods)
        return ALU_lop3;
    switch (ir->imm & 0xff) {
    case 0xc0:
        return ALU_lop3_and;
    case 0xfc:
        return ALU_lop3_or;
    case 0x3c:
        return ALU_lop3_xor;
    case 0x96:
        return ALU_lop3_xor3;
    case 0xca:
        return ALU_lop3_pick;
    case 0xe8:
        return ALU_lop3_majority;
    case 0xfe:
        return ALU_lop3_or3;
    case 0xf8:
        return ALU_lop3_and_or;
    default:
        return ALU_lop3_plain;
    }
}

/* The vector handler of an op, or -1 for its slow one; sets what the handler wants in fn and imm2. */
static int vector_handler(const struct et_ir *ir, struct insn *i)
{
    const bool is_signed = ir->type == ET_S32 || ir->type == ET_S64;
    const bool carries = i->q0 != ET_P_NONE || i->q1 != ET_P_NONE || i->flags & ET_F_X;
    switch (ir->op) {
    case ET_IR_MOV:
        return ALU_mov;
    case ET_IR_SEL:
        i->fn = ir->ftz;
        return ir->type == ET_F32 ? ALU_fsel : ALU_sel;
    case ET_IR_IADD3:
        return carries ? ALU_iadd3_carry : i->mods ? ALU_iadd3 : ALU_iadd3_plain;
    case ET_IR_IMAD:
        return carries ? -1 : i->mods ? ALU_imad : ALU_imad_plain;
    case ET_IR_IADD: /* s2 is absent */
    case ET_IR_IADD3M:
        return i->flags & (ET_F_X | ET_F_CC) || ir->sat || (ir->op == ET_IR_IADD3M && ir->fn) ? -1
               : i->mods                                                                      ? ALU_iadd3
                         : ALU_iadd3_plain;
    case ET_IR_IMAD_WIDE:
    case ET_IR_IMAD_HI:
        if (carries || i->mods)
            return -1;
        i->fn = ir->type != ET_U32;
        return ir->op == ET_IR_IMAD_HI ? ALU_imad_high : ALU_imad_wide;
    case ET_IR_IMUL_HI:
        i->fn = (uint8_t)((ir->type == ET_S32) | (ir->type2 == ET_S32) << 1);
        return ALU_imul_hi;
    case ET_IR_IABS:
        i->mods = 16;
        return ALU_iabs;
    case ET_IR_I2I: /* of 32 bits; of unsigned ones nothing is negative yet */
        if (ir->sat || ir->src[0].part != ET_PART_ALL || (ir->type != ET_S32 && ir->type != ET_U32) ||
            (ir->type2 != ET_S32 && ir->type2 != ET_U32))
            return -1;
        i->mods &= ir->type2 == ET_S32 ? 17 : 1;
        return ALU_iabs;
    case ET_IR_LOP3:
        return lop3_handler(ir, i);
    case ET_IR_SHL:
        return ALU_shl;
    case ET_IR_SHR:
        return is_signed ? ALU_shr_s : ALU_shr_u;
    case ET_IR_SHF:
        i->fn = (uint8_t)((ir->type == ET_U64 || ir->type == ET_S64) | is_signed << 1);
        if (ir->type == ET_U32 || ir->type == ET_S32) {
            if (!(i->flags & (ET_F_LEFT | ET_F_HI)))
                return ALU_shf_right;
            if ((i->flags & (ET_F_LEFT | ET_F_HI)) == (ET_F_LEFT | ET_F_HI))
                return ALU_shf_left_high;
            if (i->flags & ET_F_LEFT) /* one word alone moves */
                return ALU_shl;
            i->a = i->c;
            return is_signed ? ALU_shr_s : ALU_shr_u;
        }
        return ALU_shf;
    case ET_IR_LEA:
        return carries || i->mods ? -1 : ALU_lea;
    case ET_IR_IMNMX:
        return i->mods ? -1 : is_signed ? ALU_imnmx_s : ALU_imnmx_u;
    case ET_IR_ISETP:
        i->fn = is_signed;
        return i->flags & ET_F_X ? ALU_isetp_x : is_signed ? ALU_isetp_s : ALU_isetp_u;
    case ET_IR_PLOP3:
        return ALU_plop3;
    case ET_IR_XMAD:
        i->imm2 =
            (uint32_t)((ir->src[0].part == ET_PART_H1) | (ir->type == ET_S16 || ir->type == ET_S32) << 1 |
                       (ir->src[1].part == ET_PART_H1) << 2 |
                       (ir->type2 == ET_S16 || ir->type2 == ET_S32) << 3);
        return i->flags & (ET_F_CC | ET_F_X) || ir->fn == ET_XMAD_CSFU ? -1 : ALU_xmad;
    case ET_IR_PRMT:
        return i->fn == ET_PRMT_IDX ? ALU_prmt_index : ALU_prmt;
    case ET_IR_FADD:
    case ET_IR_FMUL:
    case ET_IR_FFMA:
        return single_handler(ir, i);
    case ET_IR_FMNMX:
        return ALU_fmnmx;
    case ET_IR_FSETP:
        return i->mods ? ALU_fsetp_mods : ALU_fsetp;
    case ET_IR_MUFU:
        return ir->type == ET_F16 ? -1 : ir->fn == ET_MUFU_RCP ? ALU_mufu_rcp : ALU_mufu;
    case ET_IR_F2I:
        i->fn = is_signed;
        return ir->type2 == ET_F32 && (ir->type == ET_U32 || ir->type == ET_S32) && ir->round == ET_RZ
                   ? ALU_f2i_trunc
                   : -1;
    case ET_IR_I2F:
        i->fn = ir->type2 == ET_S32;
        return ir->type == ET_F32 && (ir->type2 == ET_U32 || ir->type2 == ET_S32) && !i->mods && !ir->sat &&
                       ir->round != ET_RNA && ir->dpart == ET_PART_ALL
                   ? ALU_i2f
                   : -1;
    default:
        return -1;
    }
}

/* The common shapes of memory accesses, or -1. */
static int memory_handler(const struct et_ir *ir, const struct insn *i)
{
    const bool load = ir->op == ET_IR_LD;
    const bool word = ir->type == ET_U32 || ir->type == ET_S32 || ir->type == ET_F32;
    if ((ir->op != ET_IR_LD && ir->op != ET_IR_ST) || ir->words || i->q0 != ET_P_NONE)
        return -1;
    if (ir->space == ET_SPACE_GLOBAL && word && i->flags & ET_F_A64)
        return load ? MEMORY_ld_global : MEMORY_st_global;
    if (ir->space == ET_SPACE_SHARED && !(i->flags & ET_F_A64) &&
        (word || ir->type == ET_U64 || ir->type == ET_S64 || ir->type == ET_F64 || ir->type == ET_B128))
        return load ? MEMORY_ld_shared : MEMORY_st_shared;
    return -1;
}

/* A word of a bank at a place that the instruction names, which the program cannot change: a pool entry. */
static bool is_constant_load(const struct et_program *program, const struct et_ir *ir)
{
    const struct et_ir_src *index = &ir->src[0];
    return ir->op == ET_IR_LDC && ir->fn == ET_LDC_PLAIN && !(ir->flags & ET_F_BINDLESS) && ir->words <= 1 &&
           (ir->type == ET_U32 || ir->type == ET_S32 || ir->type == ET_F32) && ir->imm >= 0 &&
           ir->imm2 < ET_BANKS && !program->info.stores_global && !program->info.atomics &&
           (index->kind == ET_SRC_NONE ||
            (index->kind == ET_SRC_REG && (index->value == ET_R_RZ || index->value == ET_R_URZ)));
}

/* IPA of a word that the instruction names, at the default place, for its value alone. */
static bool is_plain_ipa(const struct et_ir *ir)
{
    const struct et_ir_src *index = &ir->src[0];
    return ir->op == ET_IR_IPA && ir->fn2 == ET_IPA_DEFAULT && ir->pdst[0] == ET_P_NONE &&
           (index->kind == ET_SRC_NONE || (index->kind == ET_SRC_REG && index->value == ET_R_RZ));
}

static bool is_absent(const struct et_ir_src *src)
{
    return src->kind == ET_SRC_NONE || (src->kind == ET_SRC_REG && src->value == ET_R_RZ);
}

/* ALD and AST of words that the instruction names, of the lane's own record. */
static bool is_plain_attribute(const struct et_ir *ir)
{
    const unsigned words = ir->op == ET_IR_ALD ? et_ir_dst_words(ir, 0) : et_ir_src_words(ir, 2);
    return (ir->op == ET_IR_ALD || ir->op == ET_IR_AST) && is_absent(&ir->src[0]) && is_absent(&ir->src[1]) &&
           !(ir->flags & (ET_F_OUTPUT | ET_F_PATCH)) && words && ir->imm >= 0 && ir->imm % 4 == 0 &&
           (unsigned)ir->imm / 4 + words <= ET_ATTRIBUTE_WORDS;
}

static uint8_t pdst_of(unsigned p)
{
    return p == ET_P_T || p == ET_P_UT ? ET_P_NONE : (uint8_t)p;
}

static bool has_target(unsigned op)
{
    return op == ET_IR_JUMP || op == ET_IR_BSSY || op == ET_IR_PUSH || op == ET_IR_CALL;
}

static bool ends_run(unsigned op)
{
    switch (op) {
    case ET_IR_JUMP:
    case ET_IR_JUMP_REG:
    case ET_IR_EXIT:
    case ET_IR_BSYNC:
    case ET_IR_WARPSYNC:
    case ET_IR_POP:
    case ET_IR_CALL:
    case ET_IR_CALL_REG:
    case ET_IR_BAR:
    case ET_IR_YIELD:
    case ET_IR_NANOSLEEP:
        return true;
    default:
        return false;
    }
}

static void want_mode(struct linker *k, uint8_t mode)
{
    struct insn *last = k->program->count ? &k->program->code[k->program->count - 1] : NULL, *set;
    if (mode == MODE_NONE || mode == k->mode)
        return;
    k->mode = mode;
    if (last && last->op == et_op_lead) {
        last->fn = mode;
    } else if ((set = append(k))) {
        set->op = et_op_mode;
        set->fn = mode;
        set->guard = ET_P_T;
    }
}

/* In a coverage build, a marker goes before each op. */
static void mark_covered(struct linker *k, const struct insn *i)
{
#if defined(ETALON_COVERAGE)
    struct insn *marker = append(k);
    if (marker) {
        *marker = *i;
        marker->op = et_op_covered;
    }
#else
    (void)k;
    (void)i;
#endif
}

static void link_insn(struct linker *k, const struct et_ir *ir)
{
    struct et_program *program = k->program;
    struct insn i = {.ir = ir,
                     .guard = ir->guard,
                     .fn = ir->fn,
                     .cmp = ir->cmp,
                     .bop = ir->bop,
                     .flags = ir->flags,
                     .imm = (uint32_t)ir->imm,
                     .imm2 = ir->imm2};
    uint16_t *const slots[] = {&i.a, &i.b, &i.c, &i.e};
    struct insn *out;
    int handler, vector;
    bool uniform_dst, uniform_pred;
    for (unsigned s = 0; s < 4; s++) {
        const struct et_ir_src *src = &ir->src[s];
        /* .XORSIGN looks at the operands as they were before their modifiers. */
        const bool fold = is_single_op(ir->op) && !(ir->flags & ET_F_XORSIGN) &&
                          (src->kind == ET_SRC_IMM || src->kind == ET_SRC_CONST);
        *slots[s] = src_slot(k, ir, src, s, et_ir_src_words(ir, s), fold);
        if (s < 4 && !fold)
            i.mods |=
                (uint8_t)((src->mods & ET_NEG ? 1 : 0) << s | (src->mods & (ET_ABS | ET_NOT) ? 16 : 0) << s);
    }
    i.d = dst_slot(program, ir->dst[0]);
    i.q0 = pdst_of(ir->pdst[0]);
    i.q1 = pdst_of(ir->pdst[1]);
    i.p0 = ir->psrc[0];
    i.p1 = ir->psrc[1];
    i.p2 = ir->psrc[2];
    i.uniform = ir->flags & ET_F_UNIFORM ? ~0u : 0;
    if (ir->op == ET_IR_TEX || ir->op == ET_IR_IMAGE)
        lay_tex(k, ir);
    vector = handler = vector_handler(ir, &i);
    i.op = handler >= 0 ? k->alu[handler] : slow[ir->op];
    if (memory_handler(ir, &i) >= 0)
        i.op = k->memory[memory_handler(ir, &i)];
    if (is_constant_load(program, ir)) {
        const struct pool_entry run = {
            .kind = ET_SRC_CONST, .bank = (uint8_t)ir->imm2, .value = (uint32_t)ir->imm};
        i.a = pool_run(k, &run, 1);
        i.op = k->alu[vector = ALU_mov];
    }
    if (is_plain_attribute(ir)) {
        i.op = ir->op == ET_IR_ALD ? k->attributes->load : k->attributes->store;
        i.imm2 = ir->op == ET_IR_ALD ? et_ir_dst_words(ir, 0) : et_ir_src_words(ir, 2);
    }
    if (is_plain_ipa(ir)) {
        i.op = k->ipa[0];
        if (ir->fn == ET_IPA_MULTIPLY || ir->fn == ET_IPA_SC)
            want_mode(k, ET_RZ | 8); /* the product by 1/w is cut */
    }
    if (!i.op)
        i.op = et_op_illegal;
    if (handler >= 0)
        want_mode(k, mode_of(ir));
    mark_covered(k, &i);
    if ((out = append(k))) {
        *out = i;
        program->vector[program->count - 1] = vector >= 0 ? (uint8_t)vector : NO_VECTOR;
    }
    uniform_dst = ir->dst[0] != ET_R_NONE && ir->dst[0] >= ET_R_UNIFORM && ir->dst[0] != ET_R_URZ &&
                  ir->op != ET_IR_R2UR;
    uniform_pred = i.q0 >= ET_P_UNIFORM && i.q0 < ET_P_UT;
    if (!i.uniform && (uniform_dst || uniform_pred) && (out = append(k))) {
        out->op = et_op_splat;
        out->guard = ir->guard;
        out->d = uniform_dst ? i.d : program->trash;
        out->imm = uniform_dst ? et_ir_dst_words(ir, 0) : 0;
        out->q0 = uniform_pred ? i.q0 : ET_P_NONE;
    }
}

/* ---- leaders */
/* Maxwell's branches may name a bundle's scheduling word: the instruction behind it is meant. */
static bool names_sched(const struct et_program *program, uint64_t address)
{
    return program->isa == ET_ISA_MAXWELL && !(address & 31);
}

static void mark(struct linker *k, uint64_t address)
{
    if (names_sched(k->program, address))
        k->leader[(address >> 3) + 1 < k->program->index_count ? (address >> 3) + 1 : 0] = 1;
    if (!(address & 7) && address >> 3 < k->program->index_count)
        k->leader[address >> 3] = 1;
}

static void find_leaders(struct linker *k, const struct machine_insn *machine, size_t count, uint64_t entry)
{
    mark(k, entry);
    for (size_t n = 0; n < count; n++)
        for (uint32_t m = 0; m < machine[n].count; m++) {
            const struct et_ir *ir = &k->program->ir.insns[machine[n].first + m];
            if (has_target(ir->op))
                mark(k, ir->target);
            if (ends_run(ir->op))
                mark(k, machine[n].next);
        }
}

static void link_targets(struct et_program *program)
{
    uint32_t end = (uint32_t)program->count - 1; /* the last instruction is an et_op_end */
    for (size_t n = 0; n + 1 < program->index_count; n++)
        if (program->index[n] == UINT32_MAX && names_sched(program, (uint64_t)n << 3)) {
            program->index[n] = program->index[n + 1];
            program->mode[n] = program->mode[n + 1];
        }
    for (size_t n = 0; n < program->count; n++) {
        struct insn *i = &program->code[n];
        if (!i->ir || i->op == et_op_bindless || !has_target(i->ir->op))
            continue;
        i->target = end;
        if (!(i->ir->target & 7) && i->ir->target >> 3 < program->index_count &&
            program->index[i->ir->target >> 3] != UINT32_MAX)
            i->target = program->index[i->ir->target >> 3];
    }
}

static void link_end(struct linker *k, uint64_t address)
{
    struct insn *end = append(k);
    if (end) {
        end->op = et_op_end;
        end->guard = ET_P_T;
        end->imm = (uint32_t)address;
    }
}

static op_fn *const *memory_table(void)
{
#if defined(ETALON_X86_LEVELS)
    op_fn *const *const tables[] = {et_interp_memory_generic, et_interp_memory_v2, et_interp_memory_v3,
                                    et_interp_memory_v4};
    return tables[et_interp_level()];
#else
    return et_interp_memory_generic;
#endif
}

static op_fn *const *ipa_handlers(void)
{
#if defined(ETALON_X86_LEVELS)
    op_fn *const *const tables[] = {et_interp_ipa_generic, et_interp_ipa_v2, et_interp_ipa_v3,
                                    et_interp_ipa_v4};
    return tables[et_interp_level()];
#else
    return et_interp_ipa_generic;
#endif
}

static op_fn *const *level_table(void)
{
#if defined(ETALON_X86_LEVELS)
    op_fn *const *const tables[] = {et_interp_alu_generic, et_interp_alu_v2, et_interp_alu_v3,
                                    et_interp_alu_v4};
    return tables[et_interp_level()];
#else
    return et_interp_alu_generic;
#endif
}

typedef op_fn *const team_forms[ALU_COUNT];

static const team_forms *team_table(void)
{
#if defined(ETALON_X86_LEVELS)
    const team_forms *const tables[] = {et_interp_team_generic, et_interp_team_v2, et_interp_team_v3,
                                        et_interp_team_v4};
    return tables[et_interp_level()];
#else
    return et_interp_team_generic;
#endif
}

static bool list_varying(struct et_program *program)
{
    program->varying = et_calloc(program->pool_count + 1, sizeof *program->varying);
    for (size_t n = 0; n < program->pool_count && program->varying; n++)
        if (program->pool[n].kind == ET_SRC_CONST)
            program->varying[program->varying_count++] = (uint16_t)n;
    return program->varying != NULL;
}

static enum etalon_status link_program(struct et_program *program, const struct machine_insn *machine,
                                       size_t count, uint64_t entry, struct etalon_error *error)
{
    struct linker k = {.program = program,
                       .alu = level_table(),
                       .memory = memory_table(),
                       .ipa = ipa_handlers(),
                       .attributes = et_interp_attributes(),
                       .mode = MODE_NONE};
    size_t lead = SIZE_MAX;
    k.leader = et_calloc(program->index_count, 1);
#if defined(ETALON_COVERAGE)
    program->covered = et_calloc(program->ir.count + 1, 1);
    k.failed = !program->covered;
#endif
    program->index = et_calloc(program->index_count, sizeof *program->index);
    program->mode = et_calloc(program->index_count, 1);
    program->tex = et_calloc(program->ir.tex_count + 1, sizeof *program->tex);
    if (!k.leader || !program->index || !program->mode || !program->tex) {
        et_free(k.leader);
        return et_fail(error, ETALON_NO_MEMORY, "program");
    }
    memset(program->index, 0xff, program->index_count * sizeof *program->index);
    memset(program->mode, MODE_NONE, program->index_count);
    lay_slots(&k);
    find_leaders(&k, machine, count, entry);
    for (size_t n = 0; n < count && !k.failed; n++) {
        const uint64_t place = machine[n].pc >> 3;
        program->index[place] = (uint32_t)program->count;
        if (k.leader[place]) {
            struct insn *i = append(&k);
            if (!i)
                break;
            lead = program->count - 1;
            i->op = et_op_lead;
            i->fn = MODE_NONE;
            i->guard = ET_P_T;
            k.mode = MODE_NONE;
        }
        program->mode[place] = k.mode;
        if (lead != SIZE_MAX)
            program->code[lead].imm++;
        for (uint32_t m = 0; m < machine[n].count; m++)
            link_insn(&k, &program->ir.insns[machine[n].first + m]);
        if (n + 1 == count || machine[n + 1].pc != machine[n].next) {
            link_end(&k, machine[n].next);
            lead = SIZE_MAX;
            k.mode = MODE_NONE;
        }
    }
    et_free(k.leader);
    if (k.failed)
        return et_fail(error, ETALON_NO_MEMORY, "program");
    program->slots = program->pool_slot + (uint32_t)program->pool_count;
    if (!et_program_fold(program, k.alu))
        return et_fail(error, ETALON_NO_MEMORY, "program");
    program->entry = program->index[entry >> 3];
    link_targets(program);
    et_program_thread_jumps(program);
    if (!list_varying(program) || !et_program_plan_clears(program) ||
        !et_program_make_team(program, team_table(), k.ipa))
        return et_fail(error, ETALON_NO_MEMORY, "program");
    return ETALON_OK;
}

enum etalon_status et_program_link(struct et_program *program, const struct machine_insn *machine,
                                   size_t count, uint64_t entry, struct etalon_error *error)
{
    const enum etalon_status status = link_program(program, machine, count, entry, error);
    et_free(program->vector);
    program->vector = NULL;
    return status;
}
