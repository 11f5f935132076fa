/* Every IR op: name, destinations, sources, predicate destinations, predicate sources.
 *
 * Destinations and sources are strings, one letter an operand (its width in 32-bit registers):
 *   1 2 4  that many words          T  words of `type` (64-bit types 2, B128 4, else 1)
 *   t      words of `type2`         A  an address: 2 words with ET_F_A64, else 1
 *   m      words of `type` in memory (`words` registers when it is not 0)
 * An absent source counts as zero, an absent predicate source as true (ET_P_T), an absent destination is dropped.
 * Semantics stand beside each row: d destination, s0.. sources after their modifiers, p0.. predicate sources, q0.. predicate
 * destinations. */
#ifndef ET_IR_OPS_H
#define ET_IR_OPS_H

#define ET_IR_OPS(X) \
    /* ---- moves */ \
    X(NOP, "", "", 0, 0)        /* nothing */ \
    X(MOV, "1", "1", 0, 0)      /* d = s0 */ \
    X(SEL, "1", "11", 0, 1)     /* d = p0 ? s0 : s1; float modifiers allowed when type is F32 (then ftz flushes) */ \
    X(PRMT, "1", "111", 0, 0)   /* bytes of {s2:s0} picked by s1; fn = enum et_prmt */ \
    X(P2R, "1", "11", 0, 0)     /* d = s0 with its byte `part` replaced: bit i under mask s1 = P[i] (fn 1: CC z s c o) */ \
    X(R2P, "", "11", 0, 0)      /* P[i] = bit i of byte `part` of s0, for i in mask s1 (fn 1: CC z s c o) */ \
    X(PLOP3, "", "", 2, 3)      /* q0 = imm[bits p0 p1 p2], q1 = imm2[...]: table index p0 * 4 + p1 * 2 + p2 */ \
    X(CCTEST, "", "", 1, 0)     /* q0 = condition `fn` (enum et_cc) of the four CC predicates */ \
    X(SETCC, "", "T", 0, 0)     /* CC.z = s0 == 0, CC.s = s0's sign bit, c = o = 0; type F32: s0 is zero, negative */ \
    X(S2R, "1", "", 0, 0)       /* d = special register imm (enum et_sr) */ \
    X(CS2R, "T", "", 0, 0)      /* the same, 32 or 64 bits */ \
    X(R2UR, "1", "1", 0, 0)     /* uniform d = s0 of the first active lane */ \
    X(LEPC, "2", "", 0, 0)      /* d = the instruction's own address in the code */ \
    /* ---- integers */ \
    /* d = s0 + s1 + s2 (+ p0 + p1 with ET_F_X; then NEG means complement). q0: sum >= 2^32, q1: sum >= 2^33, where -s is \
     * ~s + 1. Carry inputs count only with ET_F_X, and an absent one is then 0: name ET_P_T | ET_P_NOT. */ \
    X(IADD3, "1", "111", 2, 2) \
    /* Maxwell: d = s0 + s1 (+ CC.c with ET_F_X, NEG means complement); sat clamps signed; ET_F_CC sets z s c o. */ \
    X(IADD, "1", "11", 0, 0) \
    X(IADD3M, "1", "111", 0, 0) /* Maxwell IADD3: fn = enum et_iadd3 shifts s0 + s1 before s2; ET_F_X, ET_F_CC as IADD */ \
    X(IMAD, "1", "111", 1, 1)   /* d = low 32 of s0 * s1 + s2 (+ p0 with ET_F_X); q0 carry of the addition */ \
    /* d = s0 * s1 + s2, 64 bits (s0, s1 signed unless type is U32; + p0 with ET_F_X); q0 carry. */ \
    X(IMAD_WIDE, "2", "112", 1, 1) \
    X(IMAD_HI, "1", "112", 1, 1) /* high word of IMAD_WIDE */ \
    X(IMUL_HI, "1", "11", 0, 0)  /* high 32 of s0 * s1; type of s0, type2 of s1: U32 or S32 */ \
    /* Maxwell: s0 and s1 are 16-bit parts (ET_PART_H0, H1) of types type, type2 (U16 S16); product << 16 with ET_F_PSL; \
     * fn = enum et_xmad_c says what is added; ET_F_MRG: d = low half of the sum | s1's low half << 16 (s1's whole register \
     * is s3, also used by CBCC); ET_F_X adds CC.c; ET_F_CC sets z s c o. */ \
    X(XMAD, "1", "1111", 0, 0) \
    X(LEA, "1", "11", 1, 1)     /* d = s1 + (s0 << imm) (+ p0 with ET_F_X); NEG on s0 negates the shifted (X: complements) */ \
    /* d = s1 + (high word of {s2:s0} << imm) (+ p0 with ET_F_X); NEG negates that word (X: complements); ET_F_SX: s2 is s0's sign. q0 carry. */ \
    X(LEA_HI, "1", "111", 1, 1) \
    X(LOP3, "1", "111", 1, 1)   /* d = imm[bits s0 s1 s2] bitwise; q0 = (d != 0, fn 1: d == 0, fn 2: true, fn 3: false) | !p0 */ \
    X(SHL, "1", "11", 0, 0)     /* d = s0 << s1; ET_F_WRAP masks the count by 31, else counts above 31 give 0 */ \
    X(SHR, "1", "11", 0, 0)     /* type U32 or S32 */ \
    /* Funnel: {s2:s0} shifted by s1; ET_F_LEFT, else right; ET_F_HI takes the high word, else the low; type U32 S32 U64 S64 \
     * is the width that the count is clamped to (ET_F_WRAP: masked by) and what fills in; 32-bit clamped counts go to 32. \
     * Left takes s0 as low word. */ \
    X(SHF, "1", "111", 0, 0) \
    X(BFE, "1", "11", 0, 0)     /* field of s0 at s1 & 255, of (s1 >> 8 & 255) bits; type S32 U32; ET_F_BREV reverses s0 first */ \
    X(BFI, "1", "111", 0, 0)    /* s2 with s0's low bits inserted at s1 (as BFE) */ \
    X(BMSK, "1", "11", 0, 0)    /* s1 ones at s0; ET_F_WRAP masks both by 31, else clamped */ \
    X(BREV, "1", "1", 0, 0) \
    X(POPC, "1", "1", 0, 0) \
    X(FLO, "1", "1", 1, 0)      /* highest set bit (S32: highest that differs from the sign), ~0 if none; ET_F_SH: 31 - it. q0: found */ \
    X(SGXT, "1", "11", 0, 0)    /* low s1 bits of s0 extended by type; ET_F_WRAP masks the count by 31, else from 32 up all */ \
    X(IMNMX, "1", "11", 0, 1)   /* p0 ? min : max; type U32 S32 */ \
    X(IMNMX_X, "1", "11", 0, 1) /* Maxwell 64-bit halves: fn = enum et_imnmx, chained through CC */ \
    X(IABS, "1", "1", 0, 0) \
    /* q0 = bop(c, p0), q1 = bop(!c, p0), c = s0 cmp s1; type U32 S32. ET_F_X: c = s0 cmp s1 strictly, or equal and p1 \
     * (EQ: equal and p1; NE: unequal or p1), p1 being the low words' result; cmp F and T are constants. */ \
    X(ISETP, "", "11", 2, 2) \
    X(IDP, "1", "111", 0, 0)    /* d = s2 + dot product; fn = enum et_idp; types of s0 and s1: U8 S8 U16 S16 */ \
    X(VABSDIFF, "1", "111", 1, 0) /* d = |s0 - s1| + s2; type U32 S32; q0 carry */ \
    X(VABSDIFF4, "1", "111", 1, 0)/* a byte: |a - b|; fn 1 (ACC): d = s2 + their sum, q0 carry; imm: lanes left out, whose bytes are s2's; sat to a byte, signed with dtype S32 */ \
    /* Maxwell scalar video: s0.part (type), s1.part (type2), s2; fn = enum et_video, fn2 = enum et_video2, dtype U32 or S32, \
     * sat, cmp for SET, imm: shift of MAD (0, 7, 15), p0: MNMX picks min; ET_F_PO adds one (ADD, MAD); ET_F_CC sets CC; \
     * negation modifiers on the product and s2 for MAD. */ \
    X(VIDEO, "1", "111", 0, 1) \
    X(VIDEO_SETP, "", "11", 2, 1) /* Maxwell VSETP: q0 = bop(c, p0), q1 = bop(!c, p0) */ \
    /* d = s2 << 2n | s0 to n bits << n | s1 to n bits, n = bits of `type` (U8 S8 U16 S16 U4 S4; 16: no s2) from type2; sat: \
     * clamped, ET_F_RELU too: from zero; s2 may be a part */ \
    X(I2IP, "1", "111", 0, 0) \
    /* ---- single precision; NEG and ABS on any source, round, ftz, sat (to [0, 1], NaN to 0) */ \
    X(FADD, "1", "11", 0, 0) \
    X(FMUL, "1", "11", 0, 0)    /* fn = enum et_fscale (Maxwell's .M8 ... .D8 of s0); ET_F_FMZ: 0 * anything = 0 */ \
    X(FFMA, "1", "111", 0, 0)   /* fn and ET_F_FMZ as FMUL */ \
    X(FMNMX, "1", "11", 0, 1)   /* p0 ? min : max; ET_F_NAN: a NaN wins; ET_F_XORSIGN: sign = s0's ^ s1's */ \
    X(FSETP, "", "11", 2, 1)    /* as ISETP; cmp ordered or not */ \
    X(FCHK, "", "11", 1, 0)     /* q0: s0 / s1 needs the slow path */ \
    X(FSWZADD, "1", "11", 0, 0) /* lane l: imm's 2 bits at (l & 3) * 2, 0..3: PP s0+s1, MP -s0+s1, PM s0-s1, ZP +0+s1 */ \
    X(MUFU, "1", "1", 0, 0)     /* fn = enum et_mufu; type F32 (F16: half in `part`, result a half) */ \
    X(RRO, "1", "1", 0, 0)      /* Maxwell range reduction: fn 0 SINCOS, 1 EX2 */ \
    /* ---- double precision */ \
    X(DADD, "2", "22", 0, 0) \
    X(DMUL, "2", "22", 0, 0) \
    X(DFMA, "2", "222", 0, 0) \
    X(DMNMX, "2", "22", 0, 1) \
    X(DSETP, "", "22", 2, 1) \
    /* ---- two halves: type F16 or BF16; a source's part: ET_PART_ALL (H1_H0), H0 (H0_H0), H1 (H1_H1), F32 (one float); dpart: \
     * ALL packed, H0/H1 merge into d's half, F32 a float; ftz, sat, ET_F_RELU, ET_F_FMZ */ \
    X(HADD2, "1", "11", 0, 0) \
    X(HMUL2, "1", "11", 0, 0) \
    X(HFMA2, "1", "111", 0, 0)  /* ET_F_RELU; ET_F_F32: products and sums in single, then rounded (.F32 of Maxwell) */ \
    X(HMNMX2, "1", "11", 0, 1) \
    X(HSETP2, "", "11", 2, 1)   /* q0 low half, q1 high half; ET_F_HAND: q0 = both, q1 = not both */ \
    X(HSET2, "1", "11", 0, 1)   /* d halves: bop(c, p0) ? (ET_F_BF: 1.0, else 0xffff) : 0 */ \
    /* ---- conversions: type to, type2 from; source's part picks byte or half; dpart where a half goes (ALL: low, high zero) */ \
    X(F2F, "T", "t", 0, 0)      /* round, ftz, sat; same width with fn 1: round to an integral value in `round` */ \
    X(F2I, "T", "t", 0, 0)      /* round, ftz; saturates to type, NaN: 0, or the sign bit alone when a 64-bit type takes part and fn is not 1 (.NTZ); narrow types sign- or zero-extended */ \
    X(I2F, "T", "t", 0, 0)      /* round */ \
    X(I2I, "T", "t", 0, 0)      /* sat clamps to type */ \
    X(F2FP, "1", "111", 0, 0)   /* d = half of s0 << 16 | half of s1; type F16 BF16; ET_F_RELU, sat, round, ftz; fn 1: finite; dpart H0: s2's low half in place of s0 */ \
    X(F2IP, "1", "111", 0, 0)   /* d = s2's half `part` << 16 | s0 to byte << 8 | s1 to byte; type U8 S8, round, ET_F_RELU; NaN 0x80, or 0 with fn 1 (.NTZ) */ \
    /* ---- tensor: fn and shapes in enum et_mma; sources are register groups of the shape */ \
    X(MMA, "4", "4444", 0, 0) \
    X(MOVM, "1", "1", 0, 0)     /* 8x8 halves transposed across the warp */ \
    /* ---- memory: address = s0 + s1 (uniform, 64 bits, or absent) + imm; space = enum et_space; type what moves; ET_F_STRONG */ \
    X(LD, "m", "A2", 1, 0)      /* q0: always true */ \
    X(ST, "", "A2m", 0, 0) \
    X(LDC, "m", "11", 0, 0)     /* c[bank][s0 + imm]; fn = enum et_ldc; bank in imm2; ET_F_BINDLESS: bank is the 64-bit handle s1 */ \
    X(ATOM, "T", "A2TT", 1, 0)  /* fn = enum et_ir_atomic; s2 operand (CAS: compare), s3 swap; no destination: reduction. q0: success */ \
    X(LDSM, "4", "12", 0, 0)    /* `words` 8x8 matrices of halves from shared; ET_F_TRANS */ \
    X(LDGSTS, "", "1A2", 0, 1)  /* shared[s0 + imm2] = global[s1 + s2 + imm] of type; p0 false: zeros; ET_F_ZFILL: the address's low bits count zero bytes */ \
    X(QSPC, "1", "A", 1, 0)     /* q0: the generic address s0 lies in `space` (d = 0 or ~0) */ \
    X(MEMBAR, "", "", 0, 0)     /* fn = enum et_scope */ \
    /* ---- textures and images: operands in struct et_ir_tex (field `tex`) */ \
    X(TEX, "", "", 1, 0)        /* q0: resident (true: all texels present) */ \
    X(IMAGE, "", "", 1, 0) \
    /* ---- graphics */ \
    X(ALD, "m", "11", 0, 0)     /* words from a[s0 + imm] of record s1 (absent: the lane's own); ET_F_OUTPUT, ET_F_PATCH, ET_F_PHYS */ \
    X(AST, "", "11m", 0, 0)     /* a[s0 + imm] = s2; s1 record */ \
    X(IPA, "1", "111", 1, 0)    /* a[s0 + imm]; fn = enum et_ipa, fn2 = enum et_ipa_at; s1 factor, s2 offset word; sat; q0 of STATE only */ \
    X(LDTRAM, "2", "1", 0, 0)   /* d = a[s0 + imm] of the primitive's first and second vertex, fn 1: of its third and 0 */ \
    X(AL2P, "1", "1", 1, 0)     /* d = physical address of a[s0 + imm] */ \
    X(ISBERD, "1", "1", 0, 0)   /* d = input table entry s0 + imm */ \
    X(OUT, "1", "11", 0, 0)     /* d = s0 (handle); s1 stream; fn = enum et_out */ \
    X(PIXLD, "1", "1", 1, 0)    /* fn = enum et_pixld; s0 index + imm */ \
    X(KIL, "", "", 0, 0)        /* ends the lanes as killed */ \
    /* ---- across lanes */ \
    X(VOTE, "1", "", 1, 1)      /* d = ballot of p0; q0 = fn (enum et_vote) of p0 */ \
    X(SHFL, "1", "111", 1, 0)   /* fn = enum et_shfl; s1 lane, s2 clamp | segment << 8; q0: in range */ \
    X(MATCH, "1", "T", 1, 0)    /* fn 0 ANY, 1 ALL; q0 */ \
    X(REDUX, "1", "1", 0, 0)    /* fn = enum et_redux; type U32 S32; uniform destination allowed */ \
    /* ---- block barriers and time */ \
    X(BAR, "", "11", 0, 1)      /* fn = enum et_bar; s0 barrier, s1 threads (absent: the block); p0 reduced */ \
    X(B2R_RESULT, "1", "", 1, 0)/* what BAR.RED found: d number, q0 truth */ \
    X(B2R, "1", "1", 0, 0)      /* barrier state: counts arrived */ \
    X(NANOSLEEP, "", "1", 0, 0) \
    /* ---- control. Guarded like all; `target` is a byte offset in the code */ \
    X(JUMP, "", "", 0, 1)       /* lanes with p0 go to target; ET_F_CALL counts call depth */ \
    X(JUMP_REG, "", "A", 0, 1)  /* to s0 + target (ET_F_A64: 64-bit register); ET_F_CALL, ET_F_RET count depth */ \
    X(EXIT, "", "", 0, 1)       /* lanes with p0 end */ \
    X(TRAP, "", "", 0, 0)       /* BPT.TRAP, RTT: ETALON_TRAP */ \
    X(ILLEGAL, "", "", 0, 0)    /* ETALON_ILLEGAL_INSTRUCTION when reached */ \
    /* Volta and later: barrier register imm */ \
    X(BSSY, "", "", 0, 1)       /* B[imm] = lanes with p0; target: where they meet */ \
    X(BSYNC, "", "", 0, 1)      /* wait for the lanes of B[imm] */ \
    X(BREAK, "", "", 0, 1)      /* lanes with p0 leave B[imm] */ \
    X(BMOV_TO, "", "1", 0, 0)   /* B[imm] = s0; ET_BARRIER_MACTIVE: those lanes run (fn 1: with their quads) */ \
    X(BMOV_FROM, "1", "", 0, 0) /* d = B[imm]; fn 1: then clears it */ \
    X(WARPSYNC, "", "1", 0, 1)  /* wait for the lanes of mask s0 */ \
    X(YIELD, "", "", 0, 1) \
    X(QUADS, "", "", 0, 0)      /* fn 0: the living lanes of each quad with a running one run too; 1: no more */ \
    /* Maxwell: the warp's stack */ \
    X(PUSH, "", "", 0, 0)       /* fn = enum et_stack: SSY PBK PCNT PRET PLONGJMP target */ \
    X(POP, "", "", 0, 1)        /* fn: SYNC BRK CONT RET LONGJMP, for lanes with p0 */ \
    X(CALL, "", "", 0, 0)       /* CAL, JCAL target: pushes the return */ \
    X(CALL_REG, "", "1", 0, 0)  /* to s0 + target */

enum et_ir_op {
#define ET_IR_ENUM(name, d, s, q, p) ET_IR_##name,
    ET_IR_OPS(ET_IR_ENUM)
#undef ET_IR_ENUM
        ET_IR_OP_COUNT
};

#endif
