/* Vectors of lanes in chunks of a CPU level's native width. Only the vector handlers include this. */
#ifndef ET_INTERP_LANES_H
#define ET_INTERP_LANES_H

#include "isa/interp/exec.h"

#if defined(__AVX512F__) && defined(__AVX512DQ__)
#define CHUNK_BYTES 64
#elif defined(__AVX2__)
#define CHUNK_BYTES 32
#else
#define CHUNK_BYTES 16
#endif
#define CHUNK  (CHUNK_BYTES / 4)
#define CHUNKS (ET_LANES / CHUNK)

typedef uint32_t vu __attribute__((vector_size(CHUNK_BYTES)));
typedef int32_t vi __attribute__((vector_size(CHUNK_BYTES)));
typedef float vf __attribute__((vector_size(CHUNK_BYTES)));

static inline vu load(const uint32_t *slot, unsigned k)
{
    return ((const vu *)(const void *)slot)[k];
}

static inline vu splat(uint32_t value)
{
    return value - (vu){0};
}

static inline vu choose(vu mask, vu yes, vu no)
{
    return (yes & mask) | (no & ~mask);
}

static inline vi lesser(vi a, vi b)
{
#if CHUNK_BYTES == 64
    return (vi)_mm512_min_epi32((__m512i)a, (__m512i)b);
#elif CHUNK_BYTES == 32
    return (vi)_mm256_min_epi32((__m256i)a, (__m256i)b);
#else
    return (vi)choose((vu)(a < b), (vu)a, (vu)b);
#endif
}

static inline vi greater(vi a, vi b)
{
#if CHUNK_BYTES == 64
    return (vi)_mm512_max_epi32((__m512i)a, (__m512i)b);
#elif CHUNK_BYTES == 32
    return (vi)_mm256_max_epi32((__m256i)a, (__m256i)b);
#else
    return (vi)choose((vu)(a > b), (vu)a, (vu)b);
#endif
}

static inline vi signed_splat(int32_t value)
{
    return value - (vi){0};
}

static inline vf float_splat(float value)
{
    return value - (vf){0};
}

/* Lanes of chunk k as all-ones elements. */
static inline vu expand(uint32_t mask, unsigned k)
{
#if CHUNK_BYTES == 64
    return (vu)_mm512_movm_epi32((__mmask16)(mask >> (16 * k)));
#elif CHUNK_BYTES == 32
    const vu bit = {1, 2, 4, 8, 16, 32, 64, 128};
    return (vu)((splat(mask >> (8 * k)) & bit) == bit);
#else
    const vu bit = {1, 2, 4, 8};
    return (vu)((splat(mask >> (4 * k)) & bit) == bit);
#endif
}

/* The opposite: bit per element from its sign. */
static inline uint32_t gather_bits(vu elements)
{
#if CHUNK_BYTES == 64
    return _mm512_movepi32_mask((__m512i)elements);
#elif CHUNK_BYTES == 32
    return (uint32_t)_mm256_movemask_ps((__m256)elements);
#elif defined(__SSE2__)
    return (uint32_t)_mm_movemask_ps((__m128)elements);
#else
    uint32_t bits = 0;
    for (unsigned l = 0; l < CHUNK; l++)
        bits |= (elements[l] >> 31) << l;
    return bits;
#endif
}

static inline void store(uint32_t *slot, unsigned k, vu value)
{
    ((vu *)(void *)slot)[k] = value;
}

/* Runs `value`, an expression in k, for every chunk, into d under mask. */
#define EACH(value)                                                                                          \
    if (mask == w->full) {                                                                                   \
        for (unsigned k = 0; k < CHUNKS; k++)                                                                \
            store(d, k, (value));                                                                            \
    } else if (mask) {                                                                                       \
        for (unsigned k = 0; k < CHUNKS; k++)                                                                \
            store(d, k, choose(expand(mask, k), (value), load(d, k)));                                       \
    }

/* Integer sources with their modifier: negated, or complemented. */
static inline vu integer(vu value, unsigned mods, unsigned s)
{
    const uint32_t negate = 0u - (mods >> s & 1), invert = 0u - (mods >> (4 + s) & 1);
    return (value ^ (negate | invert)) - negate;
}

/* Single sources with their modifiers. */
static inline vu single(vu value, unsigned mods, unsigned s)
{
    if (mods >> (4 + s) & 1)
        value &= 0x7fffffffu;
    return value ^ ((mods >> s & 1) << 31);
}

/* NaN becomes 0x7fffffff. */
static inline vu canonical(vf value)
{
#if CHUNK_BYTES == 64
    const __m512 v = (__m512)value;
    return (vu)_mm512_mask_mov_epi32((__m512i)v, _mm512_cmp_ps_mask(v, v, _CMP_UNORD_Q),
                                     _mm512_set1_epi32(0x7fffffff));
#elif CHUNK_BYTES == 32
    const __m256 v = (__m256)value;
    return (vu)_mm256_blendv_ps(v, _mm256_castsi256_ps(_mm256_set1_epi32(0x7fffffff)),
                                _mm256_cmp_ps(v, v, _CMP_UNORD_Q));
#else
    const vu nan = (vu)(value != value);
    return ((vu)value | nan) & ~(nan & 0x80000000u);
#endif
}

static inline vu saturate(vu value)
{
    const vf v = (vf)value, zero = {0};
    vu r = (vu)v & (vu)(v > zero); /* NaN and -0 too */
    const vu over = (vu)((vi)r > (vi)splat(0x3f800000));
    return choose(over, splat(0x3f800000), r);
}

#endif
