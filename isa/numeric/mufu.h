/* The special-function unit, bit for bit [HW:H200, all 2^32 inputs of every function].
 *
 * index = top bits of the fraction, x = the rest; sum = c0 + c1 x + c2 T(x), exact integers, then truncated.
 * T is a truncated squarer: of the partial products of (x / 2^w)^2 only those of weight 2^-15 and above are
 * added. */
#ifndef ET_NUMERIC_MUFU_H
#define ET_NUMERIC_MUFU_H

#include "isa/ir/ir.h"

/* Coefficients of a segment; RCP's 128, for its vector twin. */
struct et_mufu_row {
    int32_t c0, c1, c2;
};
extern const struct et_mufu_row *const et_mufu_rcp_rows;

/* One function of a single (or a double's high word for RCP64H, RSQ64H). Denormal inputs count as zero. */
uint32_t et_mufu(enum et_mufu fn, uint32_t x);
/* The f16 forms: EX2 and TANH. */
uint16_t et_mufu_half(enum et_mufu fn, uint16_t x);
/* Maxwell's range reductions, in front of SIN, COS (0) and EX2 (1); what they give is a single that et_mufu
 * takes [INF]. */
uint32_t et_rro(unsigned fn, uint32_t x);

#endif
