/* What slow handlers share: one function an IR op, named et_op_*. */
#ifndef ET_INTERP_OPS_H
#define ET_INTERP_OPS_H

#include "isa/interp/exec.h"
#include "isa/numeric/soft.h"

#define SLOW_HANDLERS(X)                                                                                     \
    X(P2R, p2r)                                                                                              \
    X(R2P, r2p)                                                                                              \
    X(CCTEST, cctest) X(SETCC, setcc) X(IADD, iadd) X(IADD3M, iadd3m) X(IMAD, imad)          \
        X(IMAD_WIDE, imad_wide) X(IMAD_HI, imad_wide) X(IMUL_HI, imul_hi) X(XMAD, xmad) X(LEA, lea)          \
            X(LEA_HI, lea) X(BFE, bfe) X(BFI, bfi) X(BMSK, bmsk) X(BREV, brev) X(POPC, popc) X(FLO, flo) X(  \
                SGXT, sgxt) X(IMNMX_X, imnmx_x) X(IABS, iabs) X(IDP, idp) X(VABSDIFF, vabsdiff)              \
                X(VABSDIFF4, vabsdiff4) X(VIDEO, video) X(VIDEO_SETP, video_setp) X(I2I, i2i) X(I2IP, i2ip)  \
                    X(FCHK, fchk) X(FSWZADD, fswzadd) X(RRO, rro) X(FADD, f32) X(FMUL, f32) X(FFMA, f32)     \
                        X(MUFU, mufu16) X(DADD, f64) X(DMUL, f64) X(DFMA, f64) X(DMNMX, dmnmx)               \
                            X(DSETP, dsetp) X(HADD2, half) X(HMUL2, half) X(HFMA2, half) X(HMNMX2, hmnmx2)   \
                                X(HSETP2, hsetp2) X(HSET2, hset2) X(F2F, f2f) X(F2I, f2i) X(I2F, i2f)        \
                                    X(F2FP, f2fp) X(F2IP, f2ip) X(S2R, s2r) X(CS2R, s2r) X(R2UR, r2ur)       \
                                        X(LEPC, lepc) X(VOTE, vote) X(SHFL, shfl) X(MATCH, match) X(         \
                                            REDUX, redux) X(MMA, mma) X(MOVM, movm) X(LD, ld)                \
                                            X(ST, st) X(LDC, ldc) X(ATOM, atom) X(LDSM, ldsm) X(             \
                                                LDGSTS, ldgsts) X(QSPC, qspc)                                \
                                                X(MEMBAR, membar) X(TEX, tex) X(IMAGE, image) X(ALD, ald) X( \
                                                    AST,                                                     \
                                                    ast) X(IPA,                                              \
                                                           ipa) X(AL2P, al2p)                                \
                                                    X(LDTRAM, ldtram) X(ISBERD, isberd) X(OUT, out) X(PIXLD, pixld) X(         \
                                                        KIL, kil) X(BAR, bar)                                \
                                                        X(B2R_RESULT, b2r_result) X(B2R, b2r) X(             \
                                                            NANOSLEEP, nanosleep) X(JUMP, jump)              \
                                                            X(JUMP_REG, jump_reg) X(EXIT, exit)              \
                                                                X(TRAP, trap) X(ILLEGAL, illegal)            \
                                                                    X(BSSY, bssy) X(BSYNC, bsync) X(         \
                                                                        BREAK, break) X(BMOV_TO, bmov_to)    \
                                                                        X(BMOV_FROM,                         \
                                                                          bmov_from) X(WARPSYNC, warpsync)   \
                                                                            X(QUADS,                         \
                                                                              quads) X(YIELD, yield)         \
                                                                                X(PUSH, push) X(POP, pop) X( \
                                                                                    CALL, call)              \
                                                                                    X(CALL_REG, call_reg)    \
                                                                                        X(NOP, nop)

#define SLOW_DECLARE(op, name) op_fn et_op_##name;
SLOW_HANDLERS(SLOW_DECLARE)
#undef SLOW_DECLARE

#define HEAD                                                                                                 \
    const uint32_t mask = lanes_of(w, i);                                                                    \
    const uint32_t *a = source(w, i->a), *b = source(w, i->b), *c = source(w, i->c);                         \
    uint32_t *d = file(w, i->d);                                                                             \
    (void)b;                                                                                                 \
    (void)c

/* Bit position of a part. */
static inline unsigned part_shift(unsigned part)
{
    static const uint8_t shift[] = {
        [ET_PART_ALL] = 0, [ET_PART_H0] = 0,  [ET_PART_H1] = 16, [ET_PART_B0] = 0,
        [ET_PART_B1] = 8,  [ET_PART_B2] = 16, [ET_PART_B3] = 24, [ET_PART_F32] = 0};
    return shift[part];
}

/* 64-bit values lie in two slots. */
static inline uint64_t pair(const uint32_t *slot, uint32_t lane)
{
    return (uint64_t)slot[ET_LANES + lane] << 32 | slot[lane];
}

static inline void set_pair64(uint32_t *slot, uint32_t lane, uint64_t value)
{
    slot[lane] = (uint32_t)value;
    slot[ET_LANES + lane] = (uint32_t)(value >> 32);
}

static inline uint32_t bop_of(unsigned bop, uint32_t x, uint32_t y)
{
    return bop == ET_AND ? x & y : bop == ET_OR ? x | y : x ^ y;
}

/* q0 and q1 of a comparison. */
static inline void set_both(struct warp *w, const struct insn *i, uint32_t mask, uint32_t truth)
{
    const uint32_t p = predicate(w, i->p0);
    set_predicate(w, i->q0, mask, bop_of(i->bop, truth, p));
    set_predicate(w, i->q1, mask, bop_of(i->bop, ~truth, p));
}

#endif
