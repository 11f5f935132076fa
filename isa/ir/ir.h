/* The IR: what both instruction sets are lowered to and the interpreter runs, a warp at a time.
 *
 * A machine instruction becomes one or several IR instructions between et_ir_begin and the next one. Machine
 * registers keep their numbers; lowering has ET_TEMPS scratch registers and predicates, whose values live
 * until the next machine instruction. Branches name machine addresses. ir/ops.h lists the ops. */
#ifndef ET_IR_IR_H
#define ET_IR_IR_H

#include "base/error.h"
#include "isa/ir/ops.h"
#include "isa/kind.h"
#include "texture/unit.h"

/* ---- numbers of registers and predicates */
enum {
    ET_R_RZ = 255,   /* R0..R254 are themselves; reads zero, drops writes */
    ET_R_TEMP = 256, /* ET_R_TEMP + n: scratch, n < ET_TEMPS */
    /* ET_R_UNIFORM + n: UR n, n < 63; + 63 is URZ. The same in all lanes: an op without ET_F_UNIFORM that has
     * a uniform destination (R2UR, VOTEU, S2UR, REDUX) gives all lanes the first active lane's result. UP n
     * likewise. */
    ET_R_UNIFORM = 320,
    ET_R_URZ = 383,
    ET_R_COUNT = 384,
    ET_R_NONE = 0xffff
};
#define ET_TEMPS 16

enum {
    ET_P_T = 7,       /* P0..P6 are themselves */
    ET_P_UNIFORM = 8, /* UP0..UP6 */
    ET_P_UT = 15,
    ET_P_TEMP = 16, /* 8 scratch predicates */
    ET_P_CC_Z = 24, /* Maxwell's condition code */
    ET_P_CC_S,
    ET_P_CC_C,
    ET_P_CC_O,
    ET_P_NONE = 31, /* destination: drop */
    ET_P_COUNT = 32,
    ET_P_NOT = 0x80 /* on a source: inverted */
};

/* ---- operands */
enum et_ir_kind {
    ET_SRC_NONE,    /* zero */
    ET_SRC_REG,     /* value = register */
    ET_SRC_IMM,     /* value, high */
    ET_SRC_CONST,   /* c[bank][value] */
    ET_SRC_BINDLESS /* cx[UR bank][value]: the 64-bit handle in uniform registers bank, bank + 1 */
};
enum { ET_NEG = 1, ET_ABS = 2, ET_NOT = 4 }; /* abs first, then neg; NOT: bitwise */

/* Which part of a 32-bit register an op reads (or writes, dpart). ET_PART_ALL is the whole. */
enum et_part {
    ET_PART_ALL,
    ET_PART_H0,
    ET_PART_H1,
    ET_PART_B0,
    ET_PART_B1,
    ET_PART_B2,
    ET_PART_B3,
    ET_PART_F32 /* half ops: one float for both halves */
};

struct et_ir_src {
    uint8_t kind, mods, part, bank;
    uint32_t value, high; /* high: upper word of a 64-bit immediate */
};

/* ---- modifiers */
enum et_type {
    ET_U32, /* the default */
    ET_S32,
    ET_U8,
    ET_S8,
    ET_U16,
    ET_S16,
    ET_U64,
    ET_S64,
    ET_B128,
    ET_F16,
    ET_BF16,
    ET_F32,
    ET_F64,
    ET_TF32,
    ET_F16X2, /* atomics */
    ET_BF16X2,
    ET_U4,
    ET_S4,
    ET_B1,
    ET_U2,
    ET_S2,
    ET_TYPE_COUNT
};
enum et_round { ET_RN, ET_RM, ET_RP, ET_RZ, ET_RNA /* nearest, ties away */ };
/* Ordered comparisons, then the unordered ones (true with a NaN). Integers use F..GE and T. */
enum et_cmp {
    ET_CMP_F,
    ET_CMP_LT,
    ET_CMP_EQ,
    ET_CMP_LE,
    ET_CMP_GT,
    ET_CMP_NE,
    ET_CMP_GE,
    ET_CMP_NUM,
    ET_CMP_NAN,
    ET_CMP_LTU,
    ET_CMP_EQU,
    ET_CMP_LEU,
    ET_CMP_GTU,
    ET_CMP_NEU,
    ET_CMP_GEU,
    ET_CMP_T
};
enum et_bop { ET_AND, ET_OR, ET_XOR };
enum et_prmt { ET_PRMT_IDX, ET_PRMT_F4E, ET_PRMT_B4E, ET_PRMT_RC8, ET_PRMT_ECL, ET_PRMT_ECR, ET_PRMT_RC16 };
enum et_iadd3 { ET_IADD3_NONE, ET_IADD3_RS /* s0 + s1 >> 16 */, ET_IADD3_LS /* << 16 */ };
enum et_xmad_c { ET_XMAD_C, ET_XMAD_CLO, ET_XMAD_CHI, ET_XMAD_CSFU, ET_XMAD_CBCC };
enum et_imnmx { ET_IMNMX_XLO = 1, ET_IMNMX_XMED, ET_IMNMX_XHI };
enum et_idp { ET_IDP_4A, ET_IDP_2A_LO, ET_IDP_2A_HI };
enum et_video {
    ET_VIDEO_ADD,
    ET_VIDEO_SUB,
    ET_VIDEO_ABSDIFF,
    ET_VIDEO_MNMX,
    ET_VIDEO_SHL, /* wrap: ET_F_WRAP */
    ET_VIDEO_SHR,
    ET_VIDEO_SET, /* cmp */
    ET_VIDEO_MAD
};
enum et_video2 { /* what is done with s2 */
                 ET_VIDEO_NONE,
                 ET_VIDEO_MRG_16H,
                 ET_VIDEO_MRG_16L,
                 ET_VIDEO_MRG_8B0,
                 ET_VIDEO_MRG_8B2,
                 ET_VIDEO_ACC,
                 ET_VIDEO_MIN,
                 ET_VIDEO_MAX
};
/* FMUL and FFMA of Maxwell: s0 scaled by a power of two. */
enum et_fscale { ET_SCALE_1, ET_SCALE_D2, ET_SCALE_D4, ET_SCALE_D8, ET_SCALE_M8, ET_SCALE_M4, ET_SCALE_M2 };
enum et_mufu {
    ET_MUFU_COS,
    ET_MUFU_SIN,
    ET_MUFU_EX2,
    ET_MUFU_LG2,
    ET_MUFU_RCP,
    ET_MUFU_RSQ,
    ET_MUFU_RCP64H,
    ET_MUFU_RSQ64H,
    ET_MUFU_SQRT,
    ET_MUFU_TANH
};
/* Condition codes of Maxwell (and guards CC.xx): the field's numbers 0..31. */
enum et_cc {
    ET_CC_F,
    ET_CC_LT,
    ET_CC_EQ,
    ET_CC_LE,
    ET_CC_GT,
    ET_CC_NE,
    ET_CC_GE,
    ET_CC_NUM,
    ET_CC_NAN,
    ET_CC_LTU,
    ET_CC_EQU,
    ET_CC_LEU,
    ET_CC_GTU,
    ET_CC_NEU,
    ET_CC_GEU,
    ET_CC_T,
    ET_CC_OFF,
    ET_CC_LO,
    ET_CC_SFF,
    ET_CC_LS,
    ET_CC_HI,
    ET_CC_SFT,
    ET_CC_HS,
    ET_CC_OFT,
    ET_CC_CSM_TA,
    ET_CC_CSM_TR,
    ET_CC_CSM_MX,
    ET_CC_FCSM_TA,
    ET_CC_FCSM_TR,
    ET_CC_FCSM_MX,
    ET_CC_RLE,
    ET_CC_RGT
};
/* Special registers, by the numbers that S2R encodes (the same in both families where both have them). */
enum et_sr {
    ET_SR_LANEID = 0,
    ET_SR_CLOCK = 1,
    ET_SR_VIRTCFG = 2,
    ET_SR_VIRTID = 3,
    ET_SR_PRIM_TYPE = 16,
    ET_SR_INVOCATION_ID = 17,
    ET_SR_Y_DIRECTION = 18,
    ET_SR_THREAD_KILL = 19,
    ET_SR_VARIABLE_RATE = 132,
    ET_SR_SHADER_TYPE = 20,
    ET_SR_INVOCATION_INFO = 29,
    ET_SR_TID = 32, /* packed x | y << 16 | z << 26 */
    ET_SR_TID_X,
    ET_SR_TID_Y,
    ET_SR_TID_Z,
    ET_SR_CTA_PARAM = 36,
    ET_SR_CTAID_X = 37,
    ET_SR_CTAID_Y,
    ET_SR_CTAID_Z,
    ET_SR_NTID = 40,
    ET_SR_NCTAID = 45, /* block count */
    ET_SR_SWINLO = 48,
    ET_SR_SWINSZ = 49,
    ET_SR_SMEMSZ = 50,
    ET_SR_LWINLO = 52,
    ET_SR_LWINSZ = 53,
    ET_SR_EQMASK = 56,
    ET_SR_LTMASK,
    ET_SR_LEMASK,
    ET_SR_GTMASK,
    ET_SR_GEMASK,
    ET_SR_REGALLOC = 61,
    ET_SR_CTXADDR = 62,
    ET_SR_CLOCKLO = 80,
    ET_SR_CLOCKHI = 81,
    ET_SR_GLOBALTIMERLO = 82,
    ET_SR_GLOBALTIMERHI = 83,
    ET_SR_SRZ = 255
};
enum et_space { ET_SPACE_GENERIC, ET_SPACE_GLOBAL, ET_SPACE_LOCAL, ET_SPACE_SHARED };
enum et_ldc { ET_LDC_PLAIN, ET_LDC_IL, ET_LDC_IS, ET_LDC_ISL };
enum et_ir_atomic { /* as enum et_atomic, and: */
                    ET_ATOM_ADD,
                    ET_ATOM_MIN,
                    ET_ATOM_MAX,
                    ET_ATOM_INC,
                    ET_ATOM_DEC,
                    ET_ATOM_AND,
                    ET_ATOM_OR,
                    ET_ATOM_XOR,
                    ET_ATOM_EXCHANGE,
                    ET_ATOM_CAS,
                    ET_ATOM_SAFEADD,
                    ET_ATOM_CAST_SPIN, /* ATOMS.CAST: stores swap s3 if it equals compare s2; q0: stored */
                    ET_ATOM_ARRIVE,  /* ATOMS.ARRIVE, 64 bits in shared memory: one arrival at an mbarrier */
                    ET_ATOM_POPC_INC /* ATOMS.POPC.INC: adds the number of active lanes; each lane gets old +
                                        its rank */
};
enum et_scope { ET_SCOPE_CTA, ET_SCOPE_SM, ET_SCOPE_GPU, ET_SCOPE_SYS };
enum et_ipa {
    ET_IPA_PASS,
    ET_IPA_MULTIPLY /* by s1 */,
    ET_IPA_CONSTANT,
    ET_IPA_SC,   /* the hardware divides */
    ET_IPA_STATE /* as the shade mode says; q0: the value is the primitive's, not to be divided by w */
};
enum { ET_BARRIER_MACTIVE = 26 }; /* BMOV_TO: the running lanes; fn 1: with the rest of their quads */
enum et_ipa_at { ET_IPA_DEFAULT, ET_IPA_CENTROID, ET_IPA_OFFSET };
enum et_out { ET_OUT_EMIT = 1, ET_OUT_CUT = 2, ET_OUT_EMIT_THEN_CUT = 3, ET_OUT_FINAL = 4 };
enum et_pixld {
    ET_PIXLD_COUNT,
    ET_PIXLD_COVMASK,
    ET_PIXLD_COVERED,
    ET_PIXLD_OFFSET,
    ET_PIXLD_CENT_OFFSET,
    ET_PIXLD_MY_INDEX,
    ET_PIXLD_INNER_COVERAGE
};
enum et_vote { ET_VOTE_ALL, ET_VOTE_ANY, ET_VOTE_EQ };
enum et_shfl { ET_SHFL_IDX, ET_SHFL_UP, ET_SHFL_DOWN, ET_SHFL_BFLY };
enum et_redux { ET_REDUX_AND, ET_REDUX_OR, ET_REDUX_XOR, ET_REDUX_SUM, ET_REDUX_MIN, ET_REDUX_MAX };
enum et_bar {
    ET_BAR_SYNC,
    ET_BAR_ARRIVE,
    ET_BAR_RED_POPC,
    ET_BAR_RED_AND,
    ET_BAR_RED_OR,
    ET_BAR_SCAN,
    ET_BAR_SYNCALL
};
enum et_stack { ET_STACK_SYNC, ET_STACK_BREAK, ET_STACK_CONTINUE, ET_STACK_RETURN, ET_STACK_LONGJMP };
/* Matrix multiply: d = s0 (A) * s1 (B) + s2 (C); s3 sparse metadata. type of A, type2 of B, dtype of C and D.
 */
enum et_mma {
    ET_MMA_884, /* M N K as named */
    ET_MMA_1684,
    ET_MMA_1688,
    ET_MMA_16816,
    ET_MMA_16832,
    ET_MMA_16864,
    ET_MMA_8816,
    ET_MMA_8832,
    ET_MMA_88128,
    ET_MMA_168128,
    ET_MMA_168256
}; /* fn2, B1: 0 XOR, 1 AND (.POPC); ET_F_SPARSE: A is 2:4 sparse, selector in imm */
struct et_mma_shape {
    uint16_t m, k; /* n is 8 */
};

/* Flags. */
enum {
    ET_F_X = 1 << 0,  /* carry in */
    ET_F_CC = 1 << 1, /* sets CC (Maxwell) */
    ET_F_WRAP = 1 << 2,
    ET_F_LEFT = 1 << 3,
    ET_F_HI = 1 << 4,
    ET_F_BREV = 1 << 5,
    ET_F_SH = 1 << 6,
    ET_F_SX = 1 << 7,
    ET_F_PSL = 1 << 8,
    ET_F_MRG = 1 << 9,
    ET_F_PO = 1 << 10,
    ET_F_FMZ = 1 << 11,
    ET_F_NAN = 1 << 12,
    ET_F_XORSIGN = 1 << 13,
    ET_F_RELU = 1 << 14,
    ET_F_F32 = 1 << 15,
    ET_F_HAND = 1 << 16,
    ET_F_BF = 1 << 17,
    ET_F_A64 = 1 << 18,    /* address operands are 64 bits */
    ET_F_STRONG = 1 << 19, /* ordered memory: volatile, acquire, release, relaxed at gpu or sys scope */
    ET_F_BINDLESS = 1 << 20,
    ET_F_TRANS = 1 << 21,
    ET_F_ZFILL = 1 << 22,
    ET_F_OUTPUT = 1 << 23,
    ET_F_PATCH = 1 << 24,
    ET_F_PHYS = 1 << 25,
    ET_F_CALL = 1 << 26,
    ET_F_RET = 1 << 27,
    ET_F_SPARSE = 1 << 28,
    ET_F_UNIFORM = 1 << 29, /* uniform datapath: runs once for the warp, for all lanes, whatever is active */
    ET_F_ROW_COL = 1 << 30  /* reserved for matrix layouts */
};

/* A texture or image instruction's operands. Registers of lanes; unused: kind NONE. */
struct et_ir_tex {
    struct et_tex_instruction tex;
    struct et_image_instruction image;
    /* The descriptor: a bound index (c[bindless_bank][bound * 4]), or a register that holds header | sampler
     * << 20; or, on Ampere, a 64-bit uniform handle's low word or a constant, given as a source of any kind.
     */
    bool handle_bound;
    uint32_t bound;
    struct et_ir_src handle;
    struct et_ir_src coord[3], layer, lod, min_lod, compare, sample, ddx[3], ddy[3];
    struct et_ir_src offset;     /* packed offsets: 4 signed bits each at 0, 4, 8 (x, y, z) */
    bool offset_bytes;           /* offset holds signed bytes instead (gathers) */
    struct et_ir_src offset4[2]; /* .PTP: signed bytes x0 y0 x1 y1, x2 y2 x3 y3 */
    struct et_ir_src data[4];    /* images */
    uint16_t out[4];             /* register of component r g b a, or ET_R_NONE */
    bool out_half;               /* results are halves packed: out[0] = r | g << 16, out[1] = b | a << 16 */
    bool layer_f32; /* the layer is a float to be rounded (Ampere's unnormalised arrays); else integer */
};

struct et_ir {
    uint16_t op;   /* enum et_ir_op */
    uint8_t guard; /* predicate, with ET_P_NOT */
    uint8_t type, type2, dtype;
    uint8_t round, cmp, bop, fn, fn2, space, words, dpart;
    bool ftz, sat;
    uint16_t dst[2]; /* first register of the group */
    uint8_t pdst[2], psrc[3];
    struct et_ir_src src[4];
    uint32_t flags;
    int32_t imm;
    uint32_t imm2;
    uint32_t tex;    /* index in et_ir_program.tex */
    uint64_t target; /* byte offset in the code */
    uint64_t pc;     /* of the machine instruction */
};

/* ---- building */
struct et_ir_program {
    struct et_ir *insns;
    size_t count, capacity;
    struct et_ir_tex *tex;
    size_t tex_count, tex_capacity;
};

struct et_ir_builder {
    struct et_ir_program *program;
    uint64_t pc; /* of the machine instruction being lowered */
    uint8_t
        guard; /* given to every op emitted until the next et_ir_begin; lowering may change it between ops */
    bool failed;     /* memory was refused: what is emitted is dropped */
    uint64_t origin; /* where the code lies in what absolute targets count from */
    bool absolute;   /* a target was absolute */
    struct et_ir scratch;
    struct et_ir_tex tex_scratch;
};

/* Starts a machine instruction; guard as in struct et_ir. */
void et_ir_begin(struct et_ir_builder *builder, uint64_t pc, uint8_t guard);
/* Appends an op with everything absent: destinations NONE, predicate destinations NONE, predicate sources
 * ET_P_T, the builder's guard and pc. Never NULL; valid until the next emit. Fill in the rest. */
struct et_ir *et_ir_emit(struct et_ir_builder *builder, enum et_ir_op op);
/* Gives the last emitted op (TEX, IMAGE) its operands; all outputs NONE. Valid until the next call. */
struct et_ir_tex *et_ir_emit_tex(struct et_ir_builder *builder, struct et_ir *ir);
void et_ir_program_finish(struct et_ir_program *program);

static inline struct et_ir_src et_ir_reg(unsigned reg)
{
    return (struct et_ir_src){.kind = ET_SRC_REG, .value = reg};
}

static inline struct et_ir_src et_ir_imm(uint32_t value)
{
    return (struct et_ir_src){.kind = ET_SRC_IMM, .value = value};
}

static inline struct et_ir_src et_ir_imm64(uint64_t value)
{
    return (struct et_ir_src){.kind = ET_SRC_IMM, .value = (uint32_t)value, .high = (uint32_t)(value >> 32)};
}

static inline struct et_ir_src et_ir_const(unsigned bank, unsigned offset)
{
    return (struct et_ir_src){.kind = ET_SRC_CONST, .bank = (uint8_t)bank, .value = offset};
}

/* ---- facts and checks */
struct et_ir_op_info {
    const char *name, *dst, *src;
    uint8_t pdst, psrc;
};
extern const struct et_ir_op_info et_ir_ops[ET_IR_OP_COUNT];

/* Registers that destination or source `index` spans (0: the op has none). */
unsigned et_ir_dst_words(const struct et_ir *ir, unsigned index);
unsigned et_ir_src_words(const struct et_ir *ir, unsigned index);
/* Bits of a value of a type, enum et_type. */
unsigned et_type_bits(unsigned type);
/* Rows of A and depth of a matrix multiply, enum et_mma. */
struct et_mma_shape et_mma_shape(unsigned shape);
/* Whether A and B of this shape and type take four registers at most, as operands have. */
bool et_mma_fits(unsigned shape, unsigned type, bool sparse);

/* Refuses what no handler takes: operands an op has not, registers out of range, reserved enumerations. OK,
 * or ETALON_INTERNAL with the op, its pc and the fault. */
enum etalon_status et_ir_check(const struct et_ir_program *program, struct etalon_error *error);

/* ---- lowering, one function an instruction set (isa/maxwell, isa/ampere). `insn` is a decoded instruction
 * (isa/isa.h). Emits its ops, et_ir_begin included. UNSUPPORTED or ILLEGAL_INSTRUCTION, with the pc and a
 * text, for what can't run. */
struct et_insn;
struct et_isa;
enum etalon_status et_lower_maxwell(const struct et_isa *isa, const struct et_insn *insn,
                                    struct et_ir_builder *builder, struct etalon_error *error);
enum etalon_status et_lower_ampere(const struct et_isa *isa, const struct et_insn *insn,
                                   struct et_ir_builder *builder, struct etalon_error *error);

#endif
