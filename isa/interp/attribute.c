/* ALD and AST in their common shape, of a whole warp: columns of attributes to registers, registers to the
 * lanes' own records in a row; and elements of memory to columns. Anything else goes to the slow handlers,
 * which specify these. Compiled once a CPU level. */
#include "isa/interp/lanes.h"
#include "isa/interp/ops.h"

#include <string.h>

enum { RECORD_WORDS = sizeof(struct et_vertex_record) / sizeof(uint32_t) };

/* Rows of 4 words of 4 lanes, or twice that side by side: lanes j and j + 4. */
#if CHUNK_BYTES >= 32
typedef __m256 row;
#define ROW                    8
#define UNPACK_LOW(a, b)       _mm256_unpacklo_ps(a, b)
#define UNPACK_HIGH(a, b)      _mm256_unpackhi_ps(a, b)
#define UNPACK_PAIR_LOW(a, b)  _mm256_castpd_ps(_mm256_unpacklo_pd(_mm256_castps_pd(a), _mm256_castps_pd(b)))
#define UNPACK_PAIR_HIGH(a, b) _mm256_castpd_ps(_mm256_unpackhi_pd(_mm256_castps_pd(a), _mm256_castps_pd(b)))
#define ROW_LOAD(from)         _mm256_load_ps((const float *)(const void *)(from))
#define ROW_STORE(to, r)       _mm256_store_ps((float *)(void *)(to), r)
#define ROW_PART(r, half)      ((half) ? _mm256_extractf128_ps(r, 1) : _mm256_castps256_ps128(r))
#define ROW_JOIN(low, high)    _mm256_insertf128_ps(_mm256_castps128_ps256(low), high, 1)
#elif defined(__SSE2__)
typedef __m128 row;
#define ROW                    4
#define UNPACK_LOW(a, b)       _mm_unpacklo_ps(a, b)
#define UNPACK_HIGH(a, b)      _mm_unpackhi_ps(a, b)
#define UNPACK_PAIR_LOW(a, b)  _mm_castpd_ps(_mm_unpacklo_pd(_mm_castps_pd(a), _mm_castps_pd(b)))
#define UNPACK_PAIR_HIGH(a, b) _mm_castpd_ps(_mm_unpackhi_pd(_mm_castps_pd(a), _mm_castps_pd(b)))
#define ROW_LOAD(from)         _mm_load_ps((const float *)(const void *)(from))
#define ROW_STORE(to, r)       _mm_store_ps((float *)(void *)(to), r)
#define ROW_PART(r, half)      (r)
#define ROW_JOIN(low, high)    (low)
#endif

#if defined(ROW)
#define INLINE static inline __attribute__((always_inline))

/* Rows of words to rows of lanes, and back. */
INLINE void turn(row r[4])
{
    const row ab_low = UNPACK_LOW(r[0], r[1]), ab_high = UNPACK_HIGH(r[0], r[1]),
              cd_low = UNPACK_LOW(r[2], r[3]), cd_high = UNPACK_HIGH(r[2], r[3]);
    r[0] = UNPACK_PAIR_LOW(ab_low, cd_low);
    r[1] = UNPACK_PAIR_HIGH(ab_low, cd_low);
    r[2] = UNPACK_PAIR_LOW(ab_high, cd_high);
    r[3] = UNPACK_PAIR_HIGH(ab_high, cd_high);
}

INLINE void put(uint32_t *to, __m128 value, unsigned words)
{
    float *const at = (float *)(void *)to;
    if (words == 4) {
        _mm_storeu_ps(at, value);
    } else {
        _mm_storel_pi((__m64 *)(void *)at, value);
        if (words == 3)
            _mm_store_ss(at + 2, _mm_movehl_ps(value, value));
    }
}

INLINE void scatter(uint32_t *to, const uint32_t *c, size_t step, unsigned words)
{
    for (unsigned k = 0; k < ET_LANES; k += ROW, to += ROW * RECORD_WORDS) {
        row r[4];
        for (unsigned n = 0; n < 4; n++)
            r[n] = ROW_LOAD(c + (n < words ? n : 0) * step + k);
        turn(r);
        for (unsigned half = 0; half < ROW / 4; half++)
            for (unsigned j = 0; j < 4; j++)
                put(to + (j + half * 4) * RECORD_WORDS, ROW_PART(r[j], half), words);
    }
}

INLINE void scatter_pairs(uint32_t *to, const uint32_t *c, size_t step)
{
    for (unsigned k = 0; k < ET_LANES; k += ROW, to += ROW * RECORD_WORDS) {
        const row a = ROW_LOAD(c + k), b = ROW_LOAD(c + step + k),
                  pair[2] = {UNPACK_LOW(a, b), UNPACK_HIGH(a, b)};
        for (unsigned half = 0; half < ROW / 4; half++)
            for (unsigned j = 0; j < 4; j++) {
                __m64 *const at = (__m64 *)(void *)(to + (j + half * 4) * RECORD_WORDS);
                if (j & 1)
                    _mm_storeh_pi(at, ROW_PART(pair[j / 2], half));
                else
                    _mm_storel_pi(at, ROW_PART(pair[j / 2], half));
            }
    }
}

/* Elements lie at any byte. */
INLINE __m128 fetch(const uint8_t *from, unsigned words)
{
    __m128 whole;
    double pair;
    float third;
    if (words == 4) {
        memcpy(&whole, from, sizeof whole);
        return whole;
    }
    memcpy(&pair, from, sizeof pair);
    whole = _mm_castpd_ps(_mm_set_sd(pair));
    if (words == 3) {
        memcpy(&third, from + 8, sizeof third);
        whole = _mm_movelh_ps(whole, _mm_set_ss(third));
    }
    return whole;
}

INLINE void gather_words(const uint8_t *base, const uint32_t offset[ET_LANES], unsigned words,
                         uint32_t *column, size_t step)
{
    for (unsigned k = 0; k < ET_LANES; k += ROW) {
        row r[4];
        for (unsigned j = 0; j < 4; j++)
            r[j] = ROW_JOIN(fetch(base + offset[k + j], words), fetch(base + offset[k + j + ROW - 4], words));
        turn(r);
        for (unsigned n = 0; n < words; n++)
            ROW_STORE(column + n * step + k, r[n]);
    }
}
#endif

/* A warp's words, in slots `step` apart, to the same words of its lanes' records. */
static void put_words(uint32_t *to, const uint32_t *c, size_t step, unsigned words)
{
#if defined(ROW)
    switch (words) {
    case 2:
        scatter_pairs(to, c, step);
        return;
    case 3:
        scatter(to, c, step, 3);
        return;
    case 4:
        scatter(to, c, step, 4);
        return;
    default:
        break;
    }
#endif
    for (unsigned l = 0; l < ET_LANES; l++)
        for (unsigned n = 0; n < words; n++)
            to[l * RECORD_WORDS + n] = c[n * step + l];
}

static void gather(const uint8_t *base, const uint32_t offset[ET_LANES], unsigned words, uint32_t *column,
                   size_t step)
{
#if defined(ROW)
    switch (words) {
    case 2:
        gather_words(base, offset, 2, column, step);
        return;
    case 3:
        gather_words(base, offset, 3, column, step);
        return;
    case 4:
        gather_words(base, offset, 4, column, step);
        return;
    default:
        break;
    }
#endif
    for (unsigned l = 0; l < ET_LANES; l++)
        for (unsigned n = 0; n < words; n++)
            memcpy(&column[n * step + l], base + offset[l] + 4 * n, sizeof *column);
}

/* The linker has put the count of words into imm2. */
static const struct insn *load_own(struct warp *w, const struct insn *i)
{
    const struct et_vtg_io *io = w->io ? w->io->vtg : NULL;
    uint32_t *d = file(w, i->d);
    if (!io || !io->columns || io->inputs < ET_LANES || lanes_of(w, i) != ~0u)
        return et_op_ald(w, i);
    const uint32_t *from = io->columns + i->imm / 4 * io->column_step;
    for (unsigned n = 0; n < i->imm2; n++, d += w->step, from += io->column_step)
        for (unsigned k = 0; k < CHUNKS; k++)
            store(d, k, load(from, k));
    NEXT;
}

static const struct insn *store_own(struct warp *w, const struct insn *i)
{
    const struct et_vtg_io *io = w->io ? w->io->vtg : NULL;
    if (!io || !io->in_a_row || lanes_of(w, i) != ~0u)
        return et_op_ast(w, i);
    put_words(io->output[io->out_record[0]].word + i->imm / 4, source(w, i->c), w->step, i->imm2);
    NEXT;
}

const struct attribute_functions ET_ATTRIBUTE_LEVEL = {load_own, store_own, gather};
