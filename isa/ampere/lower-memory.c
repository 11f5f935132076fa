/* Loads, stores, atomics, constants, asynchronous copies, fences. */
#include "isa/ampere/lower-names.h"

#include <string.h>

static const uint8_t sizes[] = {ET_U8, ET_S8, ET_U16, ET_S16, ET_U32, ET_U64, ET_B128, ET_U32};

/* Memory semantics that order: STRONG and MMIO (for stores and atomics STRONG.SM.PRIVATE too). */
static int is_strong(unsigned mem, int store)
{
    return mem == 5 || mem == 6 || mem == 7 || mem == 8 || mem == 10 || mem == 12 || (store && mem == 4);
}

/* A global or generic address: 64-bit register (.E, not .U32), uniform base, offset. */
static void global(lower_t *lower, struct et_ir *ir)
{
    unsigned op = lower->insn->row->op,
             wide = op == 0x98a || op == 0x9a8 ? 70 : 90; /* the bit that says .64, not .U32 */
    int uniform = OP('u')->kind != ET_KIND_NONE;
    int narrow = uniform && OP('a')->kind && !et_ampere_bits(lower, wide, 1);
    ir->src[0] = SRC('a');
    if (uniform)
        ir->src[1] = SRC('u');
    ir->imm = (int32_t)OP('i')->value;
    ir->flags |= MOD(E) && !narrow ? ET_F_A64 : 0;
}

/* A 32-bit address in a window: register, scaled by 4, 8 or 16, and a uniform register. */
static void window(lower_t *lower, struct et_ir_src *address, int32_t *offset)
{
    struct et_ir *ir;
    *address = SRC('a');
    if (OP('a')->sel) {
        ir = et_ampere_emit(lower, ET_IR_SHL);
        ir->dst[0] = et_ampere_temp(0);
        ir->src[0] = *address;
        ir->src[1] = et_ir_imm(OP('a')->sel + 1u);
        *address = et_ir_reg(et_ampere_temp(0));
    }
    if (OP('u')->kind) {
        et_ampere_add(lower, et_ampere_temp(0), *address, SRC('u'));
        *address = et_ir_reg(et_ampere_temp(0));
    }
    *offset = (int32_t)OP('i')->value;
}

static enum etalon_status load_global(lower_t *lower, enum et_space space)
{
    struct et_ir *ir;
    if (!et_ampere_is_true(lower, 't'))
        return ETALON_UNSUPPORTED;
    ir = et_ampere_emit(lower, ET_IR_LD);
    ir->dst[0] = DST('d');
    ir->pdst[0] = PDST('p');
    ir->type = sizes[MOD(size)];
    ir->space = (uint8_t)space;
    ir->flags |= is_strong(MOD(mem), 0) ? ET_F_STRONG : 0;
    global(lower, ir);
    return ETALON_OK;
}

static enum etalon_status ldg(lower_t *lower)
{
    return load_global(lower, ET_SPACE_GLOBAL);
}

static enum etalon_status ld(lower_t *lower)
{
    return load_global(lower, ET_SPACE_GENERIC);
}

static enum etalon_status store_global(lower_t *lower, enum et_space space)
{
    struct et_ir *ir = et_ampere_emit(lower, ET_IR_ST);
    ir->type = sizes[MOD(size)];
    ir->space = (uint8_t)space;
    ir->src[2] = SRC('b');
    ir->flags |= is_strong(MOD(smem), 1) ? ET_F_STRONG : 0;
    global(lower, ir);
    return ETALON_OK;
}

static enum etalon_status stg(lower_t *lower)
{
    return store_global(lower, ET_SPACE_GLOBAL);
}

static enum etalon_status st(lower_t *lower)
{
    return store_global(lower, ET_SPACE_GENERIC);
}

static enum etalon_status load_window(lower_t *lower, enum et_space space)
{
    struct et_ir_src address;
    struct et_ir *ir;
    int32_t offset;
    window(lower, &address, &offset);
    ir = et_ampere_emit(lower, ET_IR_LD);
    ir->dst[0] = DST('d');
    ir->type = sizes[MOD(size)];
    ir->space = (uint8_t)space;
    ir->src[0] = address;
    ir->imm = offset;
    return ETALON_OK;
}

static enum etalon_status store_window(lower_t *lower, enum et_space space)
{
    struct et_ir_src address;
    struct et_ir *ir;
    int32_t offset;
    window(lower, &address, &offset);
    ir = et_ampere_emit(lower, ET_IR_ST);
    ir->type = sizes[MOD(size)];
    ir->space = (uint8_t)space;
    ir->src[0] = address;
    ir->src[2] = SRC('b');
    ir->imm = offset;
    return ETALON_OK;
}

static enum etalon_status ldl(lower_t *lower)
{
    return load_window(lower, ET_SPACE_LOCAL);
}

static enum etalon_status stl(lower_t *lower)
{
    return store_window(lower, ET_SPACE_LOCAL);
}

static enum etalon_status lds(lower_t *lower)
{
    return load_window(lower, ET_SPACE_SHARED);
}

static enum etalon_status sts(lower_t *lower)
{
    return store_window(lower, ET_SPACE_SHARED);
}

static enum etalon_status ldsm(lower_t *lower)
{
    static const uint8_t words[] = {1, 2, 4};
    struct et_ir_src address;
    struct et_ir *ir;
    int32_t offset;
    if (MOD(m88) > 1)
        return ETALON_UNSUPPORTED;
    window(lower, &address, &offset);
    ir = et_ampere_emit(lower, ET_IR_LDSM);
    ir->dst[0] = DST('d');
    ir->src[0] = address;
    ir->imm = offset;
    ir->words = words[MOD(num)];
    ir->flags |= MOD(m88) ? ET_F_TRANS : 0;
    return ETALON_OK;
}

/* LDC, ULDC: constant k or c[][] with an index register, or a bindless handle. */
static enum etalon_status ldc(lower_t *lower)
{
    const struct et_operand *direct = OP('b');
    struct et_ir *ir = et_ampere_emit(lower, ET_IR_LDC);
    ir->dst[0] = DST('d');
    ir->type = sizes[MOD(size)];
    ir->fn = (uint8_t)MOD(il);
    ir->src[0] = SRC('a');
    ir->imm = (int32_t)OP('i')->value;
    ir->imm2 = (uint32_t)OP('k')->value;
    if (direct->kind) {
        ir->imm = (int32_t)(direct->value & 0xffff);
        ir->imm2 = direct->bank;
    }
    if (direct->kind == ET_KIND_CX) {
        ir->imm2 = 0;
        ir->flags |= ET_F_BINDLESS;
        ir->src[1] = et_ir_reg(ET_R_UNIFORM + direct->bank);
    }
    if (OP('u')->kind) {
        ir->flags |= ET_F_BINDLESS;
        ir->src[1] = SRC('u');
    }
    /* ULDC from memory has no user */
    return OP('s')->kind ? ETALON_UNSUPPORTED : ETALON_OK;
}

static enum etalon_status ldgsts(lower_t *lower)
{
    struct et_ir *ir;
    struct et_ir_src shared = SRC('a'), none;
    int to_uniform = (lower->insn->row->op & 0xf00) == 0xd00;
    memset(&none, 0, sizeof none);
    if (to_uniform) { /* shared[R + UR] */
        et_ampere_add(lower, et_ampere_temp(0), shared, SRC('u'));
        shared = et_ir_reg(et_ampere_temp(0));
    }
    ir = et_ampere_emit(lower, ET_IR_LDGSTS);
    ir->src[0] = shared;
    ir->src[1] = SRC('b');
    ir->src[2] = to_uniform ? none : SRC('u');
    ir->imm = (int32_t)OP('j')->value;
    ir->imm2 = (uint32_t)OP('i')->value;
    ir->type = sizes[MOD(size)];
    ir->flags |= ET_F_A64 | (MOD(ZFILL) ? ET_F_ZFILL : 0);
    ir->psrc[0] = PSRC('t');
    return ETALON_OK;
}

static const uint8_t atomic_types[] = {ET_U32, ET_S32, ET_U64, ET_F32, ET_F16X2, ET_S64, ET_F64};

static void atomic(lower_t *lower, struct et_ir *ir)
{
    ir->dst[0] = DST('d');
    ir->pdst[0] = PDST('p');
    ir->type = atomic_types[MOD(atype)];
    ir->fn = (uint8_t)(MOD(op) == 9 ? ET_ATOM_SAFEADD : MOD(op));
    ir->ftz = ir->type == ET_F32;
    ir->src[2] = SRC('b');
    ir->flags |= is_strong(MOD(smem), 1) ? ET_F_STRONG : 0;
}

static enum etalon_status atomic_global(lower_t *lower, enum et_space space)
{
    struct et_ir *ir = et_ampere_emit(lower, ET_IR_ATOM);
    ir->space = (uint8_t)space;
    atomic(lower, ir);
    global(lower, ir);
    if (OP('c')->kind) {
        ir->fn = ET_ATOM_CAS;
        ir->src[3] = SRC('c');
    }
    return MOD(cas) ? ETALON_UNSUPPORTED : ETALON_OK; /* ATOM.CAST has no user */
}

static enum etalon_status atomg(lower_t *lower)
{
    return atomic_global(lower, ET_SPACE_GLOBAL);
}

static enum etalon_status atom(lower_t *lower)
{
    return atomic_global(lower, ET_SPACE_GENERIC);
}

/* RED is a generic or global reduction: generic addresses of global memory are the same. */
static enum etalon_status red(lower_t *lower)
{
    return atomic_global(lower, ET_SPACE_GLOBAL);
}

static enum etalon_status atoms(lower_t *lower)
{
    static const uint8_t types[] = {ET_U32, ET_S32, ET_U64};
    const unsigned special = (lower->insn->row->op & 0xf00) == 0xf00 ? et_ampere_bits(lower, 87, 4) : 0;
    struct et_ir_src address;
    struct et_ir *ir;
    int32_t offset;
    window(lower, &address, &offset);
    ir = et_ampere_emit(lower, ET_IR_ATOM);
    ir->dst[0] = DST('d');
    ir->space = ET_SPACE_SHARED;
    ir->type = types[MOD(stype)];
    ir->fn = (uint8_t)MOD(op);
    ir->src[0] = address;
    ir->imm = offset;
    ir->src[2] = SRC('b');
    if (OP('c')->kind) {
        ir->fn = MOD(cas) ? ET_ATOM_CAST_SPIN : ET_ATOM_CAS;
        ir->src[3] = SRC('c');
    }
    if (special) { /* .ARRIVE.64 or .POPC.INC.32 */
        ir->fn = special == 9 ? ET_ATOM_ARRIVE : ET_ATOM_POPC_INC;
        ir->type = special == 9 ? ET_U64 : ET_U32;
    }
    return ETALON_OK;
}

/* ARRIVES.LDGSTSBAR: one arrival a lane when its asynchronous copies are done, which they are at once here.
 */
static enum etalon_status arrives(lower_t *lower)
{
    struct et_ir_src address;
    struct et_ir *ir;
    int32_t offset;
    window(lower, &address, &offset);
    ir = et_ampere_emit(lower, ET_IR_ATOM);
    ir->space = ET_SPACE_SHARED;
    ir->type = ET_U64;
    ir->fn = ET_ATOM_ARRIVE;
    ir->src[0] = address;
    ir->imm = offset;
    return ETALON_OK;
}

/* temp 0, 1 = a 64-bit sum of registers or immediates, given as low words and what stands above them. */
static struct et_ir_src wide_sum(lower_t *lower, struct et_ir_src low, struct et_ir_src high,
                                 struct et_ir_src by_low, struct et_ir_src by_high)
{
    struct et_ir *ir = et_ampere_emit(lower, ET_IR_IADD3);
    ir->dst[0] = et_ampere_temp(0);
    ir->src[0] = low;
    ir->src[1] = by_low;
    ir->pdst[0] = et_ampere_ptemp(0);
    ir = et_ampere_emit(lower, ET_IR_IADD3);
    ir->dst[0] = et_ampere_temp(1);
    ir->src[0] = high;
    ir->src[1] = by_high;
    ir->flags |= ET_F_X;
    ir->psrc[0] = et_ampere_ptemp(0);
    ir->psrc[1] = ET_P_T | ET_P_NOT;
    return et_ir_reg(et_ampere_temp(0));
}

static struct et_ir_src above(struct et_ir_src low)
{
    low.value += low.value != ET_R_RZ && low.value != ET_R_URZ;
    return low;
}

/* QSPC: the address is summed first; IR takes it whole. Beside a uniform register it has 64 bits. */
static enum etalon_status qspc(lower_t *lower)
{
    static const uint8_t spaces[] = {ET_SPACE_GLOBAL, ET_SPACE_LOCAL, ET_SPACE_SHARED};
    const int64_t offset = OP('i')->value;
    const bool uniform = OP('u')->kind != ET_KIND_NONE;
    struct et_ir_src address = SRC('a'), high = above(address);
    struct et_ir *ir;
    if (uniform) {
        if (!et_ampere_bits(lower, 90, 1)) /* .U32 */
            high = et_ir_imm(0);
        address = wide_sum(lower, address, high, SRC('u'), above(SRC('u')));
        high = et_ir_reg(et_ampere_temp(1));
    }
    if (offset)
        address =
            wide_sum(lower, address, high, et_ir_imm((uint32_t)offset), et_ir_imm(offset < 0 ? ~0u : 0));
    ir = et_ampere_emit(lower, ET_IR_QSPC);
    ir->dst[0] = DST('d');
    ir->pdst[0] = PDST('p');
    ir->src[0] = address;
    ir->space = spaces[MOD(qspc)];
    ir->flags |= MOD(E) || uniform ? ET_F_A64 : 0;
    return ETALON_OK;
}

static enum etalon_status membar(lower_t *lower)
{
    static const uint8_t scopes[] = {ET_SCOPE_CTA, ET_SCOPE_SM,  ET_SCOPE_GPU,
                                     ET_SCOPE_SYS, ET_SCOPE_GPU, ET_SCOPE_GPU};
    struct et_ir *ir = et_ampere_emit(lower, ET_IR_MEMBAR);
    ir->fn = scopes[MOD(scope)];
    return ETALON_OK;
}

/* Caches and scoreboards: nothing to see. */
static enum etalon_status nothing(lower_t *lower)
{
    et_ampere_emit(lower, ET_IR_NOP);
    return ETALON_OK;
}

const struct et_ampere_lowering et_ampere_memory[] = {
    {"ATOM", atom},     {"ATOMG", atomg},   {"ARRIVES", arrives},   {"ATOMS", atoms},    {"CCTL", nothing},
    {"CCTLL", nothing}, {"CCTLT", nothing}, {"DEPBAR", nothing},    {"ERRBAR", nothing}, {"LD", ld},
    {"LDC", ldc},       {"LDG", ldg},       {"LDGDEPBAR", nothing}, {"LDGSTS", ldgsts},  {"LDL", ldl},
    {"LDS", lds},       {"LDSM", ldsm},     {"MEMBAR", membar},     {"QSPC", qspc},      {"RED", red},
    {"ST", st},         {"STG", stg},       {"STL", stl},           {"STS", sts},        {"ULDC", ldc},
    {NULL, NULL}};
