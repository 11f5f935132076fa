/* Bit fields, alignment and bit casts. */
#ifndef ET_BASE_BITS_H
#define ET_BASE_BITS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define ET_COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define ET_MIN(a, b)    ((a) < (b) ? (a) : (b))
#define ET_MAX(a, b)    ((a) > (b) ? (a) : (b))

/* Bits hi..lo of a word; hi - lo < 32. */
static inline uint32_t et_bits(uint32_t word, unsigned hi, unsigned lo)
{
    return (uint32_t)(((uint64_t)word >> lo) & ((UINT64_C(1) << (hi - lo + 1)) - 1));
}

/* `width` (1..64) bits at `lo` of a 64-bit value. */
static inline uint64_t et_bits64(uint64_t value, unsigned lo, unsigned width)
{
    return (value >> lo) & (width >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << width) - 1);
}

/* `width` (1..64) bits at bit `lo` of a little-endian array of 32-bit words; reads no word past lo + width
 * - 1. */
static inline uint64_t et_bits_of_words(const uint32_t *words, unsigned lo, unsigned width)
{
    uint64_t value = 0;
    for (unsigned done = 0; done < width;) {
        const unsigned bit = lo + done, part = ET_MIN(32 - (bit & 31), width - done);
        value |= et_bits64(words[bit >> 5], bit & 31, part) << done;
        done += part;
    }
    return value;
}

/* Sign-extends the low `width` (1..64) bits. */
static inline int64_t et_sign_extend(uint64_t value, unsigned width)
{
    return (int64_t)(value << (64 - width)) >> (64 - width);
}

/* Bits that are set: the compiler's own is a call where the CPU level has no instruction for it. */
static inline unsigned et_bit_count(uint32_t bits)
{
#if defined(__POPCNT__)
    return (unsigned)__builtin_popcount(bits);
#else
    uint32_t n = bits - (bits >> 1 & 0x55555555);
    n = (n & 0x33333333) + (n >> 2 & 0x33333333);
    return ((n + (n >> 4)) & 0x0f0f0f0f) * 0x01010101 >> 24;
#endif
}

static inline uint64_t et_align_up(uint64_t value, uint64_t power_of_two)
{
    return (value + power_of_two - 1) & ~(power_of_two - 1);
}

static inline uint64_t et_ceil_div(uint64_t value, uint64_t by)
{
    return value / by + (value % by != 0);
}

static inline float et_float(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline uint32_t et_float_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline double et_double(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline uint64_t et_double_bits(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* Unaligned little-endian loads and stores (the host is little-endian; configure refuses others). */
static inline uint32_t et_load32(const void *from)
{
    uint32_t value;
    memcpy(&value, from, sizeof value);
    return value;
}

static inline uint64_t et_load64(const void *from)
{
    uint64_t value;
    memcpy(&value, from, sizeof value);
    return value;
}

static inline void et_store32(void *to, uint32_t value)
{
    memcpy(to, &value, sizeof value);
}

static inline void et_store64(void *to, uint64_t value)
{
    memcpy(to, &value, sizeof value);
}

#endif
