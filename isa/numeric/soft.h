/* Floating point by integers: the scalar twins of every arithmetic op, and so their specification. No FP mode
 * is read.
 *
 * Rules. Sums, products and fused sums are exact, then rounded once. With ftz, denormal inputs count as zero
 * and a result that is below the smallest normal number after rounding to full precision with an unbounded
 * exponent becomes zero of its sign [HW:H200, equal to x86's FTZ + DAZ]. A NaN result is 0x7fffffff (single),
 * 0x7fff (half, bf16) [HW:H200]; doubles keep a NaN operand, quieted: in a sum or product the second's before
 * the first's, in a fused sum the multiplier's, the addend's, the multiplicand's [HW:H200]; an invalid operation
 * on doubles gives 0xfff8000000000000 [HW:H200]. A double's NaN narrows to its leading part [HW:H200]. */
#ifndef ET_NUMERIC_SOFT_H
#define ET_NUMERIC_SOFT_H

#include "base/bits.h"
#include "isa/ir/ir.h"

/* A binary format. */
struct et_format {
    uint8_t bits, fraction, exponent; /* widths */
    uint64_t nan;                     /* what NaN results are */
};
extern const struct et_format et_format_f16, et_format_bf16, et_format_f32, et_format_f64, et_format_tf32;

/* a * b + c, a * b, a + b. */
uint64_t et_soft_fma(const struct et_format *format, uint64_t a, uint64_t b, uint64_t c, enum et_round round,
                     bool ftz);
uint64_t et_soft_mul(const struct et_format *format, uint64_t a, uint64_t b, enum et_round round, bool ftz);
uint64_t et_soft_add(const struct et_format *format, uint64_t a, uint64_t b, enum et_round round, bool ftz);
/* a * b * 2^power, rounded once. */
uint64_t et_soft_mul_scaled(const struct et_format *format, uint64_t a, uint64_t b, int power,
                            enum et_round round, bool ftz);
/* value[0] * value[1] + value[2], each of its own format, rounded once to another. */
uint64_t et_soft_fma_mixed(const struct et_format *const from[3], const uint64_t value[3],
                           const struct et_format *to, enum et_round round, bool ftz);

/* Between formats; ftz flushes denormal singles, on either side. */
uint64_t et_soft_convert(const struct et_format *from, const struct et_format *to, uint64_t value,
                         enum et_round round, bool ftz);
/* To the nearest integral value in the given rounding, same format. */
uint64_t et_soft_integral(const struct et_format *format, uint64_t value, enum et_round round, bool ftz);
/* To an integer of `bits` (8, 16, 32, 64), saturated; NaN gives 0. */
uint64_t et_soft_to_int(const struct et_format *format, uint64_t value, unsigned bits, bool is_signed,
                        enum et_round round, bool ftz);
/* From a 64-bit magnitude and sign. */
uint64_t et_soft_from_int(const struct et_format *format, uint64_t magnitude, bool negative,
                          enum et_round round);

/* -1, 0, 1, or 2 when unordered. */
int et_soft_compare(const struct et_format *format, uint64_t a, uint64_t b, bool ftz);
/* The truth of `cmp` for a result of et_soft_compare. */
static inline bool et_compare_holds(enum et_cmp cmp, int order)
{
    /* The enumeration is a set: less 1, equal 2, greater 4, unordered 8. */
    return (unsigned)cmp >> (order + 1) & 1;
}

bool et_soft_is_nan(const struct et_format *format, uint64_t value);

/* To [0, 1]; NaN and -0 give +0. */
uint64_t et_soft_saturate(const struct et_format *format, uint64_t value);

#endif
