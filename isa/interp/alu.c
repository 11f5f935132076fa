/* Vector handlers: the hot arithmetic. Compiled once a CPU level; ET_LEVEL names the table. What a handler
 * computes, the scalar twins in numeric/ and slow handlers specify. */
#include "isa/interp/lanes.h"
#include "isa/numeric/mufu-lanes.h"
#include "isa/numeric/soft.h"

#define OP(name) static const struct insn *name(struct warp *w, const struct insn *i)
#define D        uint32_t *d = file(w, i->d)
#define A        const uint32_t *a = source(w, i->a)
#define B        const uint32_t *b = source(w, i->b)
#define C        const uint32_t *c = source(w, i->c)
#define MASK     const uint32_t mask = lanes_of(w, i)

/* Lanes of chunk k of a predicate of a warp, or of a team's warps. */
#define CHUNK_OF(p) expand(predicate(w + k / CHUNKS, (p)), k % CHUNKS)

/* What a team computes once goes to the first chunk of its slot, or where vectors read it to all. */
static inline void store_once(uint32_t *d, vu value, const struct insn *i)
{
    const unsigned chunks = i->uniform ? CHUNKS * ET_TEAM : 1;
    for (unsigned k = 0; k < chunks; k++)
        store(d, k, value);
}

/* A value a chunk k of a team's warps, where the guard holds. */
#define STORE_TEAM(value)                                                                                    \
    do {                                                                                                     \
        if (i->guard == ET_P_T) {                                                                            \
            for (unsigned k = 0; k < CHUNKS * ET_TEAM; k++)                                                  \
                store(d, k, (value));                                                                        \
        } else {                                                                                             \
            for (unsigned k = 0; k < CHUNKS * ET_TEAM; k++)                                                  \
                store(d, k, choose(CHUNK_OF(i->guard), (value), load(d, k)));                                \
        }                                                                                                    \
    } while (0)

/* An op that makes each chunk of its destination from the same chunk of its sources: for a warp; for a team,
 * whose warps' slots lie side by side; and for a team whose sources are the same in all lanes (once.c). */
#define FLAT(name, value)                                                                                    \
    OP(name)                                                                                                 \
    {                                                                                                        \
        D;                                                                                                   \
        A;                                                                                                   \
        B;                                                                                                   \
        C;                                                                                                   \
        MASK;                                                                                                \
        (void)b;                                                                                             \
        (void)c;                                                                                             \
        EACH(value);                                                                                         \
        NEXT;                                                                                                \
    }                                                                                                        \
    OP(team_##name)                                                                                          \
    {                                                                                                        \
        D;                                                                                                   \
        A;                                                                                                   \
        B;                                                                                                   \
        C;                                                                                                   \
        (void)b;                                                                                             \
        (void)c;                                                                                             \
        STORE_TEAM(value);                                                                                   \
        NEXT;                                                                                                \
    }                                                                                                        \
    OP(once_##name)                                                                                          \
    {                                                                                                        \
        D;                                                                                                   \
        A;                                                                                                   \
        B;                                                                                                   \
        C;                                                                                                   \
        const unsigned k = 0;                                                                                \
        (void)b;                                                                                             \
        (void)c;                                                                                             \
        if (predicate(w, i->guard) & 1)                                                                      \
            store_once(d, (value), i);                                                                       \
        NEXT;                                                                                                \
    }

FLAT(mov, load(a, k))

FLAT(sel, choose(CHUNK_OF(i->p0), integer(load(a, k), i->mods, 0), integer(load(b, k), i->mods, 1)))

static inline vu flushed(vu value, bool flush)
{
    const vu tiny = (vu)((value & 0x7f800000u) == splat(0));
    return flush ? value & ~(tiny & 0x7fffffffu) : value;
}

FLAT(fsel,
     flushed(choose(CHUNK_OF(i->p0), single(load(a, k), i->mods, 0), single(load(b, k), i->mods, 1)), i->fn))

/* ---- integers */
FLAT(iadd3_plain, load(a, k) + load(b, k) + load(c, k))

FLAT(iadd3,
     integer(load(a, k), i->mods, 0) + integer(load(b, k), i->mods, 1) + integer(load(c, k), i->mods, 2))

/* A source's contribution to a 34-bit sum: -s is ~s + 1; with carries in, NEG alone complements. */
static inline uint64_t addend(uint32_t value, const struct insn *i, unsigned s)
{
    if (i->mods >> (4 + s) & 1)
        return (uint32_t)~value;
    if (i->mods >> s & 1)
        return (uint64_t)(uint32_t)~value + !(i->flags & ET_F_X);
    return value;
}

OP(iadd3_carry)
{
    D;
    A;
    B;
    C;
    MASK;
    const uint32_t in0 = i->flags & ET_F_X ? predicate(w, i->p0) : 0,
                   in1 = i->flags & ET_F_X ? predicate(w, i->p1) : 0;
    uint32_t one = 0, two = 0, out[ET_LANES] __attribute__((aligned(64)));
    for (unsigned l = 0; l < ET_LANES; l++) {
        const uint64_t sum =
            addend(a[l], i, 0) + addend(b[l], i, 1) + addend(c[l], i, 2) + (in0 >> l & 1) + (in1 >> l & 1);
        out[l] = (uint32_t)sum;
        one |= (uint32_t)(sum >> 32 != 0) << l;
        two |= (uint32_t)(sum >> 33 != 0) << l;
    }
    EACH(load(out, k));
    set_predicate(w, i->q0, mask, one);
    set_predicate(w, i->q1, mask, two);
    return i + 1;
}

FLAT(imad_plain, load(a, k) * load(b, k) + load(c, k))

FLAT(imad,
     integer(load(a, k), i->mods, 0) * integer(load(b, k), i->mods, 1) + integer(load(c, k), i->mods, 2))

/* High words of products; sign_a, sign_b: ~0 where a factor is signed. */
static inline vu high_product(vu a, vu b, uint32_t sign_a, uint32_t sign_b)
{
    vu high;
#if CHUNK_BYTES == 64
    const __m512i x = (__m512i)a, y = (__m512i)b;
    const __m512i even = _mm512_mul_epu32(x, y),
                  odd = _mm512_mul_epu32(_mm512_srli_epi64(x, 32), _mm512_srli_epi64(y, 32));
    high = (vu)_mm512_mask_mov_epi32(_mm512_srli_epi64(even, 32), 0xaaaa, odd);
#elif CHUNK_BYTES == 32
    const __m256i x = (__m256i)a, y = (__m256i)b;
    const __m256i even = _mm256_mul_epu32(x, y),
                  odd = _mm256_mul_epu32(_mm256_srli_epi64(x, 32), _mm256_srli_epi64(y, 32));
    high = (vu)_mm256_blend_epi32(_mm256_srli_epi64(even, 32), odd, 0xaa);
#else
    for (unsigned l = 0; l < CHUNK; l++)
        high[l] = (uint32_t)((uint64_t)a[l] * b[l] >> 32);
#endif
    high -= (vu)((vi)a >> 31) & b & sign_a;
    return high - ((vu)((vi)b >> 31) & a & sign_b);
}

FLAT(imul_hi, high_product(load(a, k), load(b, k), 0u - (i->fn & 1u), 0u - (i->fn >> 1 & 1u)))

/* A product and a sum of 64 bits, whose words lie in slots w->step apart, without modifiers or carries;
 * `high` alone, or both. */
static inline void wide(uint32_t *d, const uint32_t *a, const uint32_t *b, const uint32_t *c, size_t step,
                        unsigned k, vu mask, const struct insn *i, bool both)
{
    const vu x = load(a, k), y = load(b, k), low = x * y, sum = low + load(c, k),
             high = high_product(x, y, 0u - (i->fn & 1u), 0u - (i->fn & 1u)) + load(c + step, k) -
                    (vu)(sum < low);
    if (both)
        store(d, k, choose(mask, sum, load(d, k)));
    store(d + (both ? step : 0), k, choose(mask, high, load(d + (both ? step : 0), k)));
}

#define WIDE(name, both)                                                                                     \
    OP(name)                                                                                                 \
    {                                                                                                        \
        D;                                                                                                   \
        A;                                                                                                   \
        B;                                                                                                   \
        C;                                                                                                   \
        MASK;                                                                                                \
        for (unsigned k = 0; k < CHUNKS; k++)                                                                \
            wide(d, a, b, c, w->step, k, expand(mask, k), i, both);                                          \
        NEXT;                                                                                                \
    }                                                                                                        \
    OP(team_##name)                                                                                          \
    {                                                                                                        \
        D;                                                                                                   \
        A;                                                                                                   \
        B;                                                                                                   \
        C;                                                                                                   \
        for (unsigned k = 0; k < CHUNKS * ET_TEAM; k++)                                                      \
            wide(d, a, b, c, w->step, k, CHUNK_OF(i->guard), i, both);                                       \
        NEXT;                                                                                                \
    }

WIDE(imad_wide, true)
WIDE(imad_high, false)

/* Of 32 bits: the sign taken off, then maybe negated. */
static inline vu absolute(vu value, const struct insn *i)
{
    const vu negative = i->mods & 16 ? (vu)((vi)value >> 31) : splat(0), negate = splat(0u - (i->mods & 1u));
    value = (value ^ negative) - negative;
    return (value ^ negate) - negate;
}

FLAT(iabs, absolute(load(a, k), i))

/* A bitwise table of three inputs: a picks halves of it, b quarters, c bits. */
static inline vu lut(vu a, vu b, vu c, uint32_t table)
{
    vu leaf[8], pair[4];
    for (unsigned n = 0; n < 8; n++)
        leaf[n] = splat(0u - (table >> n & 1));
    for (unsigned n = 0; n < 4; n++)
        pair[n] = choose(c, leaf[2 * n + 1], leaf[2 * n]);
    return choose(a, choose(b, pair[3], pair[2]), choose(b, pair[1], pair[0]));
}

OP(lop3)
{
    D;
    A;
    B;
    C;
    MASK;
    uint32_t nonzero = 0, truth;
    uint32_t out[ET_LANES] __attribute__((aligned(64)));
    for (unsigned k = 0; k < CHUNKS; k++) {
        const vu r = lut(integer(load(a, k), i->mods, 0), integer(load(b, k), i->mods, 1),
                         integer(load(c, k), i->mods, 2), i->imm);
        store(out, k, r);
        nonzero |= gather_bits((vu)(r != splat(0))) << (CHUNK * k);
    }
    EACH(load(out, k));
    truth = i->fn == 0 ? nonzero : i->fn == 1 ? ~nonzero : i->fn == 2 ? ~0u : 0;
    set_predicate(w, i->q0, mask, truth | ~predicate(w, i->p0));
    return i + 1;
}

FLAT(lop3_and, load(a, k) & load(b, k))

FLAT(lop3_or, load(a, k) | load(b, k))

FLAT(lop3_xor, load(a, k) ^ load(b, k))

/* Any other table without modifiers or predicate. */
FLAT(lop3_plain, lut(load(a, k), load(b, k), load(c, k), i->imm))

FLAT(lop3_xor3, load(a, k) ^ load(b, k) ^ load(c, k))
FLAT(lop3_pick, choose(load(a, k), load(b, k), load(c, k)))
FLAT(lop3_majority, (load(a, k) & load(b, k)) | (load(c, k) & (load(a, k) | load(b, k))))
FLAT(lop3_or3, load(a, k) | load(b, k) | load(c, k))
FLAT(lop3_and_or, load(a, k) | (load(b, k) & load(c, k)))

static inline vu shift_count(vu count, const struct insn *i)
{
    return i->flags & ET_F_WRAP ? count & 31 : count;
}

/* Counts above 31 give what `beyond` says. */
static inline vu below_32(vu count)
{
    return (vu)(count < splat(32));
}

FLAT(shl, (load(a, k) << (shift_count(load(b, k), i) & 31)) & below_32(shift_count(load(b, k), i)))

FLAT(shr_u, (load(a, k) >> (shift_count(load(b, k), i) & 31)) & below_32(shift_count(load(b, k), i)))

FLAT(shr_s, choose(below_32(shift_count(load(b, k), i)),
                   (vu)((vi)load(a, k) >> (vi)(shift_count(load(b, k), i) & 31)), (vu)((vi)load(a, k) >> 31)))

static inline vu at_least(vu count, uint32_t limit)
{
    return (vu)(count >= splat(limit));
}

/* Any funnel: whole words first, then the rest of the count. */
static inline vu funnel_any(vu low, vu high, vu count, const struct insn *i)
{
    const uint32_t bits = i->fn & 1 ? 64 : 32;
    const bool is_signed = i->fn & 2, left = i->flags & ET_F_LEFT, upper = i->flags & ET_F_HI;
    const vu n =
        i->flags & ET_F_WRAP ? count & (bits - 1) : choose(at_least(count, bits), splat(bits), count);
    const vu one = at_least(n, 32), two = at_least(n, 64), m = n & 31;
    const vu fill = is_signed ? (vu)((vi)high >> 31) : splat(0);
    if (left) {
        high = choose(one, low, high) & ~two;
        low &= ~one;
        return upper ? (high << m) | ((low >> 1) >> (31 - m)) : low << m;
    }
    low = choose(two, fill, choose(one, high, low));
    high = choose(one, fill, high);
    if (upper)
        return is_signed ? (vu)((vi)high >> (vi)m) : high >> m;
    return (low >> m) | ((high << 1) << (31 - m));
}

FLAT(shf, funnel_any(load(a, k), load(c, k), load(b, k), i))

/* The funnel of 32-bit types, right and low: counts past 31 leave the high word. */
static inline vu funnel(vu low, vu high, vu count, bool wrap)
{
    const vu n = count & 31, r = (low >> n) | ((high << 1) << (31 - n));
    return wrap ? r : choose(below_32(count), r, high);
}

FLAT(shf_right, funnel(load(a, k), load(c, k), load(b, k), i->flags &ET_F_WRAP))

/* Left and high: {high:low} << n, upper word. */
static inline vu funnel_left(vu low, vu high, vu count, bool wrap)
{
    const vu n = count & 31, r = (high << n) | ((low >> 1) >> (31 - n));
    return wrap ? r : choose(below_32(count), r, low);
}

FLAT(shf_left_high, funnel_left(load(a, k), load(c, k), load(b, k), i->flags &ET_F_WRAP))

FLAT(lea, (load(a, k) << (i->imm & 31)) + load(b, k))

static inline vu pick_min(vu less, vu a, vu b, vu want_min)
{
    return choose(~(less ^ want_min), a, b);
}

FLAT(imnmx_u, pick_min((vu)(load(a, k) < load(b, k)), load(a, k), load(b, k), CHUNK_OF(i->p0)))

FLAT(imnmx_s, pick_min((vu)((vi)load(a, k) < (vi)load(b, k)), load(a, k), load(b, k), CHUNK_OF(i->p0)))

static inline uint32_t combine(unsigned bop, uint32_t x, uint32_t y)
{
    return bop == ET_AND ? x & y : bop == ET_OR ? x | y : x ^ y;
}

static inline void set_pair(struct warp *w, const struct insn *i, uint32_t mask, uint32_t truth)
{
    const uint32_t p = predicate(w, i->p0);
    set_predicate(w, i->q0, mask, combine(i->bop, truth, p));
    set_predicate(w, i->q1, mask, combine(i->bop, ~truth, p));
}

/* The results of a comparison whose lanes all give `truth`. */
static inline void set_once(struct warp *w, const struct insn *i, uint32_t truth)
{
    const uint32_t p = predicate(w, i->p0), q0 = combine(i->bop, truth, p), q1 = combine(i->bop, ~truth, p);
    for (unsigned n = 0; n < (i->uniform ? ET_TEAM : 1); n++) {
        w[n].pred[i->q0] = q0;
        w[n].pred[i->q1] = q1;
    }
}

/* An op that makes predicates of its sources; `truth`: bits of the first chunks of a and b. */
#define TEST(name, truth)                                                                                    \
    OP(name)                                                                                                 \
    {                                                                                                        \
        A;                                                                                                   \
        B;                                                                                                   \
        MASK;                                                                                                \
        set_pair(w, i, mask, truth(w, i, a, b, CHUNKS));                                                     \
        NEXT;                                                                                                \
    }                                                                                                        \
    OP(team_##name)                                                                                          \
    {                                                                                                        \
        A;                                                                                                   \
        B;                                                                                                   \
        for (unsigned n = 0; n < ET_TEAM; n++)                                                               \
            set_pair(w + n, i, predicate(w + n, i->guard),                                                   \
                     truth(w + n, i, a + n * ET_LANES, b + n * ET_LANES, CHUNKS));                           \
        NEXT;                                                                                                \
    }                                                                                                        \
    OP(once_##name)                                                                                          \
    {                                                                                                        \
        A;                                                                                                   \
        B;                                                                                                   \
        if (predicate(w, i->guard) & 1)                                                                      \
            set_once(w, i, 0u - (truth(w, i, a, b, 1) & 1));                                                 \
        NEXT;                                                                                                \
    }

#define INLINE static inline __attribute__((always_inline))

#define COMPARE(type, test)                                                                                  \
    for (unsigned k = 0; k < chunks && !i->mods; k++) {                                                      \
        const type x = (type)load(a, k), y = (type)load(b, k);                                               \
        truth |= gather_bits((vu)(test)) << (CHUNK * k);                                                     \
    }                                                                                                        \
    for (unsigned k = 0; k < chunks && i->mods; k++) {                                                       \
        const type x = (type)integer(load(a, k), i->mods, 0), y = (type)integer(load(b, k), i->mods, 1);     \
        truth |= gather_bits((vu)(test)) << (CHUNK * k);                                                     \
    }
#define COMPARISON(name, type)                                                                               \
    INLINE uint32_t name(const struct warp *w, const struct insn *i, const uint32_t *a, const uint32_t *b,   \
                         unsigned chunks)                                                                    \
    {                                                                                                        \
        uint32_t truth = 0;                                                                                  \
        (void)w;                                                                                             \
        switch (i->cmp & 7) {                                                                                \
        case ET_CMP_F:                                                                                       \
            break;                                                                                           \
        case ET_CMP_LT:                                                                                      \
            COMPARE(type, x < y) break;                                                                      \
        case ET_CMP_EQ:                                                                                      \
            COMPARE(type, x == y) break;                                                                     \
        case ET_CMP_LE:                                                                                      \
            COMPARE(type, x <= y) break;                                                                     \
        case ET_CMP_GT:                                                                                      \
            COMPARE(type, x > y) break;                                                                      \
        case ET_CMP_NE:                                                                                      \
            COMPARE(type, x != y) break;                                                                     \
        case ET_CMP_GE:                                                                                      \
            COMPARE(type, x >= y) break;                                                                     \
        default:                                                                                             \
            truth = ~0u;                                                                                     \
            break;                                                                                           \
        }                                                                                                    \
        return truth;                                                                                        \
    }

COMPARISON(compare_u, vu)
COMPARISON(compare_s, vi)
TEST(isetp_u, compare_u)
TEST(isetp_s, compare_s)

/* The high words of a wide comparison; p1 is what the low words gave. */
INLINE uint32_t compare_high(const struct warp *w, const struct insn *i, const uint32_t *a, const uint32_t *b,
                             unsigned chunks)
{
    uint32_t less = 0, equal = 0;
    const uint32_t low = predicate(w, i->p1), flip = i->fn ? 0x80000000u : 0;
    for (unsigned k = 0; k < chunks; k++) {
        const vu x = integer(load(a, k), i->mods, 0) ^ flip, y = integer(load(b, k), i->mods, 1) ^ flip;
        less |= gather_bits((vu)(x < y)) << (CHUNK * k);
        equal |= gather_bits((vu)(x == y)) << (CHUNK * k);
    }
    switch (i->cmp & 7) {
    case ET_CMP_F:
        return 0;
    case ET_CMP_LT:
    case ET_CMP_LE:
        return less | (equal & low);
    case ET_CMP_EQ:
        return equal & low;
    case ET_CMP_GT:
    case ET_CMP_GE:
        return ~(less | equal) | (equal & low);
    case ET_CMP_NE:
        return ~equal | low;
    default:
        return ~0u;
    }
}
TEST(isetp_x, compare_high)

/* Bit x * 4 + y * 2 + z of the table, for each lane. */
static uint32_t table3(uint32_t table, uint32_t x, uint32_t y, uint32_t z)
{
    const uint32_t of_z[4] = {0, ~z, z, ~0u}; /* by the table's bits for z = 1, z = 0 */
    switch (table & 0xff) {
    case 0xaa:
        return z;
    case 0xcc:
        return y;
    case 0xf0:
        return x;
    case 0x80:
        return x & y & z;
    case 0xfe:
        return x | y | z;
    default:
        return (x & ((y & of_z[table >> 6 & 3]) | (~y & of_z[table >> 4 & 3]))) |
               (~x & ((y & of_z[table >> 2 & 3]) | (~y & of_z[table & 3])));
    }
}

static inline void logic(struct warp *w, const struct insn *i, uint32_t mask)
{
    const uint32_t x = predicate(w, i->p0), y = predicate(w, i->p1), z = predicate(w, i->p2);
    if (i->q0 != ET_P_NONE)
        set_predicate(w, i->q0, mask, table3(i->imm, x, y, z));
    if (i->q1 != ET_P_NONE)
        set_predicate(w, i->q1, mask, table3(i->imm2, x, y, z));
}

OP(plop3)
{
    logic(w, i, lanes_of(w, i));
    NEXT;
}

OP(team_plop3)
{
    for (unsigned n = 0; n < ET_TEAM; n++)
        logic(w + n, i, predicate(w + n, i->guard));
    NEXT;
}

OP(once_plop3)
{
    logic(w, i, predicate(w, i->guard));
    for (unsigned n = 1; n < ET_TEAM && i->uniform; n++) {
        w[n].pred[i->q0] = w->pred[i->q0];
        w[n].pred[i->q1] = w->pred[i->q1];
    }
    NEXT;
}

/* XMAD without CC: 16-bit parts, product maybe shifted, addend by fn, maybe merged with s1's low half. */
static inline vu half_of(vu value, unsigned selector)
{
    /* selector: bit 0 upper half, bit 1 signed */
    if (selector & 2)
        return (vu)((vi)(selector & 1 ? value : value << 16) >> 16);
    return selector & 1 ? value >> 16 : value & 0xffff;
}

static inline vu xmad_sum(vu a, vu b, vu c, vu whole, const struct insn *i)
{
    vu product = half_of(a, i->imm2 & 3) * half_of(b, i->imm2 >> 2 & 3);
    if (i->flags & ET_F_PSL)
        product <<= 16;
    switch (i->fn) {
    case ET_XMAD_CLO:
        c &= 0xffff;
        break;
    case ET_XMAD_CHI:
        c >>= 16;
        break;
    case ET_XMAD_CBCC:
        c += whole << 16;
        break;
    default:
        break;
    }
    product += c;
    if (i->flags & ET_F_MRG)
        product = (product & 0xffff) | whole << 16;
    return product;
}

FLAT(xmad, xmad_sum(load(a, k), load(b, k), load(c, k), load(source(w, i->e), k), i))

/* PRMT's bytes by their numbers. */
static inline vu permuted(vu low, vu high, vu numbers)
{
    vu r = splat(0);
    for (unsigned n = 0; n < 4; n++) {
        const vu number = numbers >> (4 * n), word = choose((vu)((number & 4) != splat(0)), high, low);
        const vu byte = word >> (8 * (number & 3)) & 255, sign = (vu)((byte & 128) != splat(0)) & 255;
        r |= choose((vu)((number & 8) != splat(0)), sign, byte) << (8 * n);
    }
    return r;
}

FLAT(prmt_index, permuted(load(a, k), load(c, k), load(b, k)))

OP(prmt)
{
    D;
    A;
    B;
    C;
    MASK;
    uint32_t out[ET_LANES] __attribute__((aligned(64)));
    for (unsigned l = 0; l < ET_LANES; l++) {
        const uint64_t bytes = (uint64_t)c[l] << 32 | a[l];
        uint32_t r = 0;
        for (unsigned n = 0; n < 4; n++) {
            const unsigned s = b[l] >> (4 * n) & 15, x = b[l] & 3;
            unsigned byte;
            switch (i->fn) {
            case ET_PRMT_IDX:
                byte = (unsigned)(bytes >> (8 * (s & 7))) & 255;
                if (s & 8)
                    byte = byte & 128 ? 255 : 0;
                r |= byte << (8 * n);
                continue;
            case ET_PRMT_F4E:
                byte = x + n;
                break;
            case ET_PRMT_B4E:
                byte = (x - n) & 7;
                break;
            case ET_PRMT_RC8:
                byte = x;
                break;
            case ET_PRMT_ECL:
                byte = ET_MAX(n, x);
                break;
            case ET_PRMT_ECR:
                byte = ET_MIN(n, x);
                break;
            default:
                byte = (x & 1) * 2 + (n & 1);
                break;
            }
            r |= ((uint32_t)(bytes >> (8 * byte)) & 255) << (8 * n);
        }
        out[l] = r;
    }
    EACH(load(out, k));
    return i + 1;
}

/* ---- singles. The FP mode in force (rounding, flush) is linking's business. */
#if defined(__SSE2__)
#define HARDWARE_FP 1
#endif

#if defined(HARDWARE_FP)
static inline vu add_f(vu a, vu b, const struct insn *i)
{
    (void)i;
    return canonical((vf)a + (vf)b);
}

static inline vu mul_f(vu a, vu b, const struct insn *i)
{
    (void)i;
    return canonical((vf)a * (vf)b);
}
#endif

/* The scalar twin a lane, where the processor has no such instruction. */
#if !defined(__FMA__)
static inline vu soft_lanes(vu a, vu b, vu c, const struct insn *i)
{
    const struct et_ir *ir = i->ir;
    vu r;
    for (unsigned l = 0; l < CHUNK; l++)
        switch (ir->op) {
        case ET_IR_FADD:
            r[l] = (uint32_t)et_soft_add(&et_format_f32, a[l], b[l], ir->round, ir->ftz);
            break;
        case ET_IR_FMUL:
            r[l] = (uint32_t)et_soft_mul(&et_format_f32, a[l], b[l], ir->round, ir->ftz);
            break;
        default:
            r[l] = (uint32_t)et_soft_fma(&et_format_f32, a[l], b[l], c[l], ir->round, ir->ftz);
            break;
        }
    return r;
}

#endif

#if !defined(HARDWARE_FP)
#define add_f(a, b, i) soft_lanes(a, b, a, i)
#define mul_f(a, b, i) soft_lanes(a, b, a, i)
#endif

static inline vu fma_f(vu a, vu b, vu c, const struct insn *i)
{
#if CHUNK_BYTES == 64
    (void)i;
    return canonical((vf)_mm512_fmadd_ps((__m512)a, (__m512)b, (__m512)c));
#elif defined(__FMA__)
    (void)i;
    return canonical((vf)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)c));
#else
    return soft_lanes(a, b, c, i);
#endif
}

FLAT(fadd, add_f(load(a, k), load(b, k), i))

FLAT(fmul, mul_f(load(a, k), load(b, k), i))

FLAT(ffma, fma_f(load(a, k), load(b, k), load(c, k), i))

/* The same for a team where b (y), c (z) or both are constants, which stay in a register. */
#define KEEP(name, value)                                                                                    \
    OP(team_##name)                                                                                          \
    {                                                                                                        \
        D;                                                                                                   \
        A;                                                                                                   \
        B;                                                                                                   \
        C;                                                                                                   \
        const vu y = load(b, 0), z = load(c, 0);                                                             \
        (void)y;                                                                                             \
        (void)z;                                                                                             \
        STORE_TEAM(value);                                                                                   \
        NEXT;                                                                                                \
    }

KEEP(fadd_bc, add_f(load(a, k), y, i))
KEEP(fmul_bc, mul_f(load(a, k), y, i))
KEEP(ffma_b, fma_f(load(a, k), y, load(c, k), i))
KEEP(ffma_c, fma_f(load(a, k), load(b, k), z, i))
KEEP(ffma_bc, fma_f(load(a, k), y, z, i))

static inline vu finished(vu value, const struct insn *i)
{
    return i->ir->sat ? saturate(value) : value;
}

FLAT(fadd_mods, finished(add_f(single(load(a, k), i->mods, 0), single(load(b, k), i->mods, 1), i), i))

/* FMZ: a zero (or flushed) factor makes the product +0, whatever the other is. */
static inline vu zero_factor(vu a, vu b)
{
    return (vu)((a & 0x7f800000u) == splat(0)) | (vu)((b & 0x7f800000u) == splat(0));
}

static inline vu product(vu a, vu b, const struct insn *i)
{
    const vu x = single(a, i->mods, 0), y = single(b, i->mods, 1), r = mul_f(x, y, i);
    return finished(i->flags & ET_F_FMZ ? r & ~zero_factor(x, y) : r, i);
}

FLAT(fmul_mods, product(load(a, k), load(b, k), i))

static inline vu product_sum(vu a, vu b, vu c, const struct insn *i)
{
    vu x = single(a, i->mods, 0), y = single(b, i->mods, 1);
    if (i->flags & ET_F_FMZ) { /* the product is +0 then */
        const vu gone = zero_factor(x, y);
        x &= ~gone;
        y = choose(gone, splat(0x3f800000), y);
    }
    return finished(fma_f(x, y, single(c, i->mods, 2), i), i);
}

FLAT(ffma_mods, product_sum(load(a, k), load(b, k), load(c, k), i))

/* Order of singles as integers: sign-magnitude to two's complement. */
static inline vi ordered(vu value)
{
    const vi v = (vi)value;
    return v ^ (vi)((vu)(v >> 31) & 0x7fffffffu);
}

static inline vu is_nan(vu value)
{
    return (vu)((vi)(value & 0x7fffffffu) > (vi)splat(0x7f800000));
}

/* -0 is below +0; a NaN loses, or with NAN wins; two NaNs give the NaN. */
static inline vu extreme(vu a, vu b, vu want_min, const struct insn *i)
{
    const bool flush = i->ir->ftz, nan_wins = i->flags & ET_F_NAN;
    const vu x = flushed(single(a, i->mods, 0), flush), y = flushed(single(b, i->mods, 1), flush);
    const vu nx = is_nan(x), ny = is_nan(y);
    vu r = pick_min((vu)(ordered(x) < ordered(y)), x, y, want_min);
    if (!nan_wins)
        r = choose(nx, y, choose(ny, x, r));
    if (i->flags & ET_F_XORSIGN) /* of the operands before their modifiers [HW:H200] */
        r = (r & 0x7fffffffu) | ((a ^ b) & 0x80000000u);
    return finished(choose(nan_wins ? nx | ny : nx & ny, splat(0x7fffffff), r), i);
}

FLAT(fmnmx, extreme(load(a, k), load(b, k), CHUNK_OF(i->p0), i))

/* Sets of orders as enum et_cmp has them: less 1, equal 2, greater 4, unordered 8. */
INLINE uint32_t compare_f(const uint32_t *a, const uint32_t *b, const struct insn *i, bool mods,
                          unsigned chunks)
{
    const bool flush = i->ir->ftz;
    uint32_t truth = 0;
    for (unsigned k = 0; k < chunks; k++) {
        vu x = load(a, k), y = load(b, k), r = splat(0), nan;
        if (mods) {
            x = single(x, i->mods, 0);
            y = single(y, i->mods, 1);
        }
        x = flushed(x, flush);
        y = flushed(y, flush);
        nan = is_nan(x) | is_nan(y);
        /* both zeros are equal */
        x = x & ~((vu)((x & 0x7fffffffu) == splat(0)) & 0x80000000u);
        y = y & ~((vu)((y & 0x7fffffffu) == splat(0)) & 0x80000000u);
        if (i->cmp & 1)
            r |= (vu)(ordered(x) < ordered(y));
        if (i->cmp & 2)
            r |= (vu)(x == y);
        if (i->cmp & 4)
            r |= (vu)(ordered(x) > ordered(y));
        r &= ~nan;
        if (i->cmp & 8)
            r |= nan;
        truth |= gather_bits(r) << (CHUNK * k);
    }
    return truth;
}

#define COMPARE_PLAIN(w, i, a, b, chunks) compare_f(a, b, i, false, chunks)
#define COMPARE_MODS(w, i, a, b, chunks)  compare_f(a, b, i, true, chunks)
TEST(fsetp, COMPARE_PLAIN)
TEST(fsetp_mods, COMPARE_MODS)

/* Whether all lanes hold what the first does. */
static inline bool is_uniform(const uint32_t *a)
{
    const vu first = splat(a[0]);
    vu other = {0};
    for (unsigned k = 0; k < CHUNKS; k++)
        other |= load(a, k) ^ first;
    return !gather_bits((vu)(other != splat(0)));
}

/* MUFU of one value, with the instruction's modifiers. */
static inline uint32_t mufu_one(const struct insn *i, uint32_t x)
{
    if (i->mods & 16)
        x &= 0x7fffffffu;
    x = et_mufu((enum et_mufu)i->fn, x ^ (i->mods & 1u) << 31);
    return i->ir->sat ? (uint32_t)et_soft_saturate(&et_format_f32, x) : x;
}

OP(mufu)
{
    D;
    A;
    MASK;
    if (mask == w->full && is_uniform(a)) {
        const uint32_t one = mufu_one(i, a[0]);
        EACH(splat(one));
        NEXT;
    }
    FOR_LANES(l, mask)
    {
        d[l] = mufu_one(i, a[l]);
    }
    return i + 1;
}

OP(mufu_rcp)
{
    D;
    A;
    MASK;
    const uint32_t keep = i->mods & 16 ? 0x7fffffff : ~0u, flip = (i->mods & 1u) << 31;
    uint32_t in[ET_LANES] __attribute__((aligned(64))), out[ET_LANES] __attribute__((aligned(64)));
    if (mask == w->full && is_uniform(a)) {
        const uint32_t one = mufu_one(i, a[0]);
        EACH(splat(one));
        NEXT;
    }
    for (unsigned l = 0; l < ET_LANES; l++)
        in[l] = (a[l] & keep) ^ flip;
    for (unsigned l = 0; l < ET_LANES; l += ET_MUFU_LANES)
        et_mufu_reciprocals(in + l, out + l);
    if (i->ir->sat) {
        EACH(saturate(load(out, k)));
    } else {
        EACH(load(out, k));
    }
    NEXT;
}

/* A team's where all that it reads is one value, as 1/w without perspective. */
OP(team_mufu_rcp)
{
    D;
    A;
    bool one = i->guard == ET_P_T;
    for (unsigned n = 0; n < ET_TEAM && one; n++)
        one = a[0] == a[n * ET_LANES] && is_uniform(a + n * ET_LANES);
    if (!one)
        return et_op_team_each(w, i);
    const vu value = splat(mufu_one(i, a[0]));
    for (unsigned k = 0; k < CHUNKS * ET_TEAM; k++)
        store(d, k, value);
    NEXT;
}

/* Toward zero, to 32 bits, saturated; NaN gives 0. */
OP(f2i_trunc)
{
    D;
    A;
    MASK;
    uint32_t out[ET_LANES] __attribute__((aligned(64)));
    const bool is_signed = i->fn;
    for (unsigned l = 0; l < ET_LANES; l++) {
        uint32_t x = a[l];
        float f;
        if (i->mods & 16)
            x &= 0x7fffffffu;
        f = et_float(x ^ (i->mods & 1u) << 31);
        if (is_signed)
            out[l] = f >= 0x1p31f   ? 0x7fffffffu
                     : f < -0x1p31f ? 0x80000000u
                     : f == f       ? (uint32_t)(int32_t)f
                                    : 0;
        else
            out[l] = f >= 0x1p32f ? 0xffffffffu : f > 0 ? (uint32_t)f : 0;
    }
    EACH(load(out, k));
    return i + 1;
}

/* From 32 bits in the mode's rounding; unsigned ones are two exact halves and one rounding. */
static inline vu to_single(vu a, const struct insn *i)
{
    if (i->fn)
        return (vu) __builtin_convertvector((vi)a, vf);
    return (vu)(__builtin_convertvector((vi)(a >> 16), vf) * 65536.0f +
                __builtin_convertvector((vi)(a & 0xffff), vf));
}

FLAT(i2f, to_single(load(a, k), i))

op_fn *const ET_LEVEL[ALU_COUNT] = {
#define ALU_ENTRY(name) name,
    ALU_HANDLERS(ALU_ENTRY)
#undef ALU_ENTRY
};

/* Those that have all three forms. */
#define TEAM_HANDLERS(X)                                                                                     \
    X(mov)                                                                                                   \
    X(sel)                                                                                                   \
    X(fsel)                                                                                                  \
    X(iadd3)                                                                                                 \
    X(iadd3_plain)                                                                                           \
    X(imad)                                                                                                  \
    X(imad_plain)                                                                                            \
    X(imul_hi)                                                                                               \
    X(iabs)                                                                                                  \
    X(shf)                                                                                                   \
    X(prmt_index)                                                                                            \
    X(lop3_and)                                                                                              \
    X(lop3_or) X(lop3_xor) X(lop3_plain) X(lop3_xor3) X(lop3_pick) X(lop3_majority) X(lop3_or3)              \
        X(lop3_and_or) X(shl) X(shr_u) X(shr_s) X(shf_right) X(shf_left_high) X(lea) X(imnmx_u) X(imnmx_s)   \
            X(isetp_u) X(isetp_s) X(isetp_x) X(plop3) X(xmad) X(fadd) X(fadd_mods) X(fmul) X(fmul_mods)      \
                X(ffma) X(ffma_mods) X(fmnmx) X(fsetp) X(fsetp_mods) X(i2f)

op_fn *const ET_TEAM_LEVEL[TEAM_FORMS][ALU_COUNT] = {
    [TEAM_ALL] =
        {
#define TEAM_ENTRY(name) [ALU_##name] = team_##name,
            TEAM_HANDLERS(TEAM_ENTRY)
#undef TEAM_ENTRY
                [ALU_mufu_rcp] = team_mufu_rcp,
            [ALU_imad_wide] = team_imad_wide,
            [ALU_imad_high] = team_imad_high,
        },
    [TEAM_KEEP_B] = {[ALU_ffma] = team_ffma_b},
    [TEAM_KEEP_C] = {[ALU_ffma] = team_ffma_c},
    [TEAM_KEEP_BC] = {[ALU_fadd] = team_fadd_bc, [ALU_fmul] = team_fmul_bc, [ALU_ffma] = team_ffma_bc},
    [TEAM_ONCE] =
        {
#define TEAM_ENTRY(name) [ALU_##name] = once_##name,
            TEAM_HANDLERS(TEAM_ENTRY)
#undef TEAM_ENTRY
        },
};
