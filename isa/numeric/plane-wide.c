/* Planes of eight triangles side by side, compiled once a CPU level: ET_PLANES_LEVEL names the function.
 * plane.c specifies it bit for bit and tells the rules.
 *
 * A number is a double that holds it exactly. E(v), the power of two of v's leading bit, stands for its
 * exponent: products and inverses of powers of two are exact. Multipliers take mantissas of 24 bits, two of
 * them side by side in a double's place. What a rule leaves alone where a number is 0 comes out as 0 here by
 * E(0) = 0. */
#include "isa/numeric/plane-block.h"

#include "base/bits.h"
#include "isa/numeric/plane-choice.h"
#include "isa/numeric/setup_rcp.h"

#include <math.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

/* ---- numbers ---- */

#if defined(__AVX512F__) && defined(__AVX512DQ__)
#define LANES 8
#elif defined(__AVX2__)
#define LANES 4
#else
#define LANES 2
#endif

typedef double vd __attribute__((vector_size(8 * LANES)));
typedef int64_t vl __attribute__((vector_size(8 * LANES)));
typedef uint64_t vm __attribute__((vector_size(8 * LANES)));
typedef uint32_t vw __attribute__((vector_size(8 * LANES))); /* two in each lane: the low one, the high one */
typedef int32_t vs __attribute__((vector_size(8 * LANES)));
typedef int32_t half_whole __attribute__((vector_size(4 * LANES)));
typedef float half_float __attribute__((vector_size(4 * LANES)));

#define SIGN      INT64_MIN
#define EXPONENT  (INT64_C(0x7ff) << 52)
#define TWO_TO_52 (INT64_C(1075) << 52) /* as a double's bits */
#define FIRST(bits)                                                                                          \
    (-(INT64_C(1) << (53 - (bits)))) /* mask of a mantissa's first bits, and all above them                  \
                                      */

/* The larger of numbers that are not negative. */
static inline vd larger_of(vd a, vd b)
{
#if LANES == 8
    return (vd)_mm512_max_pd((__m512d)a, (__m512d)b);
#elif LANES == 4
    return (vd)_mm256_max_pd((__m256d)a, (__m256d)b);
#elif defined(__SSE2__)
    return (vd)_mm_max_pd((__m128d)a, (__m128d)b);
#else
    const vl mask = a > b;
    return (vd)(((vl)a & mask) | ((vl)b & ~mask));
#endif
}

static inline vd toward_zero(vd v)
{
#if LANES == 8
    return (vd)_mm512_roundscale_pd((__m512d)v, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
#elif LANES == 4
    return (vd)_mm256_round_pd((__m256d)v, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
#elif defined(__SSE4_1__)
    return (vd)_mm_round_pd((__m128d)v, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
#else
    for (unsigned l = 0; l < LANES; l++)
        v[l] = trunc(v[l]);
    return v;
#endif
}

static inline vd whole_at(const int32_t *from)
{
    half_whole value;
    memcpy(&value, from, sizeof value);
    return __builtin_convertvector(value, vd);
}

static inline vd single_at(const int32_t *from)
{
    half_float value;
    memcpy(&value, from, sizeof value);
    return __builtin_convertvector(value, vd);
}

static inline vd absolute(vd v)
{
    return (vd)((vl)v & ~SIGN);
}

/* E(v), with v's sign. */
static inline vd lead(vd v)
{
    return (vd)((vl)v & (SIGN | EXPONENT));
}

/* 1/power of a power of two; of 0 something finite. */
static inline vd inverse(vd power)
{
    return (vd)((INT64_C(2046) << 52) - (vl)power);
}

static inline vd truncate24(vd v)
{
    return (vd)((vl)v & FIRST(24));
}

/* 24 bits of each. */
static inline vw mantissas(vd low, vd high)
{
    const vm first = (vm)low >> 29 & 0x7fffff, second = (vm)high << 3 & UINT64_C(0x7fffff) << 32;
    return (vw)(first | second | UINT64_C(0x80000000800000));
}

static inline vd low_of(vw v)
{
    return (vd)(((vl)v & INT64_C(0xffffffff)) | TWO_TO_52) - 0x1p52;
}

static inline vd high_of(vw v)
{
    return (vd)((vl)((vm)v >> 32) | TWO_TO_52) - 0x1p52;
}

/* ---- bases ---- */

/* What the planes of some of the triangles share. */
struct basis {
    vw ex, ey;               /* 4 m + 1 of the two gradients' mantissas m in x, in y */
    vd lead_x[2], lead_y[2]; /* E of these gradients */
    vw distance;             /* mantissas of dx and dy */
    vd lead_dx, lead_dy;
};

/* Inverses of mantissas as whole numbers of 24 bits, or 2^24. */
static inline vd reciprocal(vd d)
{
    const vm m = (vm)d >> 29 & 0x7fffff;
    const vd x = low_of((vw)(m & 0xffff)), square = toward_zero(x * x * 0x1p-16);
    vm segment = m >> 16;
    double c[3][LANES];
    for (unsigned l = 0; l < LANES; l++)
        for (unsigned k = 0; k < 3; k++)
            c[k][l] = et_setup_rcp[segment[l]][k];
    vd c0, c1, c2;
    memcpy(&c0, c[0], sizeof c0);
    memcpy(&c1, c[1], sizeof c1);
    memcpy(&c2, c[2], sizeof c2);
    return toward_zero((c0 * 0x1p16 + c1 * x + c2 * 2 * square) * 0x1p-18) + 0x1p23;
}

static inline void make_basis(const struct chosen *chosen, unsigned k, struct basis *basis)
{
    const vd area = whole_at(chosen->x[1] + k) * whole_at(chosen->y[2] + k) -
                    whole_at(chosen->x[2] + k) * whole_at(chosen->y[1] + k);
    const vd n = reciprocal(area),
             scale = (vd)((vl)inverse(absolute(lead(area))) | ((vl)area & SIGN)) * 0x1p-16;
    const vd dx = whole_at(chosen->dx + k), dy = whole_at(chosen->dy + k);
    vd x[2], y[2];
    for (unsigned i = 0; i < 2; i++) {
        x[i] = truncate24(whole_at(chosen->edge_y[i] + k) * n) * -scale;
        y[i] = truncate24(whole_at(chosen->edge_x[i] + k) * n) * scale;
        basis->lead_x[i] = lead(x[i]);
        basis->lead_y[i] = lead(y[i]);
    }
    basis->ex = mantissas(x[0], x[1]) * 4 + 1;
    basis->ey = mantissas(y[0], y[1]) * 4 + 1;
    basis->distance = mantissas(dx, dy);
    basis->lead_dx = lead(dx);
    basis->lead_dy = lead(dy);
}

/* ---- planes ---- */

/* Differences of 24 bits. */
static inline vd difference(vd value, vd reference)
{
    const vd top = absolute(lead(larger_of(absolute(value), absolute(reference))));
    const vd up = inverse(top * 0x1p-24);
    return truncate24(toward_zero(value * up) - toward_zero(reference * up)) * (top * 0x1p-24);
}

/* x's Booth digit at bit i, an odd one; `even` is x without its bit 0. */
static inline vs booth_digit(vw even, int i)
{
    return ((vs)(even << (30 - i)) >> 30) + (vs)(even >> (i - 1) & 1);
}

/* Its row in units of column 17, rounded there; y4: 4 y + 1. */
static inline vw booth_row(vs digit, vw y4, int i)
{
    return (vw)((vs)(y4 * (vw)digit + (1u << (18 - i))) >> (19 - i));
}

/* The rows at column 17 and above, and the one of bit 0. */
static inline vw booth_ends(vw x, vw y4)
{
    const vw y = y4 >> 2;
    return y * ((x >> 17) + (x >> 16 & 1)) + ((y + (1u << 16)) >> 17 & -(x & 1));
}

/* Products by the gradients in x and in y, to column 21. */
static inline void booth_multiply(const struct basis *basis, vw x, vw *in_x, vw *in_y)
{
    const vw even = x & ~1u;
    vw by_x = booth_ends(x, basis->ex) + (1u << (20 - 17)),
       by_y = booth_ends(x, basis->ey) + (1u << (20 - 17));
#define ROWS(i)                                                                                              \
    {                                                                                                        \
        const vs digit = booth_digit(even, i);                                                               \
        by_x += booth_row(digit, basis->ex, i);                                                              \
        by_y += booth_row(digit, basis->ey, i);                                                              \
    }
    ROWS(1)
    ROWS(3)
    ROWS(5)
    ROWS(7)
    ROWS(9)
    ROWS(11) ROWS(13) ROWS(15)
#undef ROWS
        *in_x = by_x >> (21 - 17);
    *in_y = by_y >> (21 - 17);
}

/* The sum of two products, aligned to the larger exponent. */
static inline vd gradient(vw products, vd lead_p, vd lead_q)
{
    const vd top = larger_of(absolute(lead_p), absolute(lead_q)), up = inverse(top);
    const vd sum =
        toward_zero(low_of(products) * (lead_p * up)) + toward_zero(high_of(products) * (lead_q * up));
    return truncate24(sum + 0.0) * (top * 0x1p-33); /* columns of 2 x 23 - 21, and 1/256 pixel */
}

/* Rows of `gradients` for each bit of the distances, cut at column 19. */
static inline vw constant_products(vw gradients, vw distance, unsigned rows)
{
    vw sum = gradients * (distance >> 19), row = gradients >> 1, bit = distance << 13;
    for (unsigned k = 0; k < rows; k++) {
        sum += row & (vw)((vs)bit >> 31);
        row >>= 1;
        bit <<= 1;
    }
    return sum;
}

struct made {
    vd a, b, c, unit, tile_unit;
    vl plain, wide; /* wide: doubles can't hold every sum */
    vl kind;
};

/* The plane's constant: c before its unit. */
static inline vd constant(const struct basis *basis, unsigned rows, vd a, vd b, vd value, bool depth)
{
    const vw products = constant_products(mantissas(a, b), basis->distance, rows);
    const vd lead_p = lead(a) * basis->lead_dx, lead_q = lead(b) * basis->lead_dy;
    const vd top = larger_of(larger_of(absolute(lead_p), absolute(lead_q)), absolute(lead(value)));
    const vd up = inverse(top);
    const vd sum = toward_zero(low_of(products) * (lead_p * up * 2)) +
                   toward_zero(high_of(products) * (lead_q * up * 2)) + toward_zero(value * up * 0x1p28);
    return (vd)((vl)(sum + 0.0) & (depth ? FIRST(29) : FIRST(24))) * (top * 0x1p-28);
}

static inline vl is_multiple(vd v, vd up)
{
    return toward_zero(v * up) == v * up;
}

static inline vl flat_kind(vd c)
{
    return ET_PLANE_FLAT & (c >= 0x1p-126) & (c < 0x1p127);
}

/* finish of plane.c. */
static inline void finish(struct made *made, vd reach, bool depth)
{
    const vd steepest = larger_of(absolute(made->a), absolute(made->b));
    const vd least = lead(steepest) * 0x1p-21, of_constant = absolute(lead(made->c)) * 0x1p-41;
    const vd unit = larger_of(least, of_constant);
    const vl sloped = steepest > 0;
    made->a = (vd)((vl)made->a & ~(absolute(made->a) < of_constant * 0x1p-21));
    made->b = (vd)((vl)made->b & ~(absolute(made->b) < of_constant * 0x1p-21));
    vl coarse = {0};
    if (depth) {
        const vd up = inverse(unit) * 0x1p12;
        coarse = sloped & ~(is_multiple(made->a, up) & is_multiple(made->b, up));
        made->unit = least;
    } else {
        made->c = toward_zero(made->c * inverse(unit)) * unit;
        made->unit = (vd)((vl)unit & sloped);
    }
    made->tile_unit = (vd)((vl)(unit * 0x1p-4) & coarse);
    const vd most = made->unit * 0x1p19;
    made->plain = sloped & ((made->a == 0) | (absolute(made->a) >= most)) &
                  ((made->b == 0) | (absolute(made->b) >= most));
    const vd largest = steepest * 2 * reach + absolute(made->c) + made->unit;
    const vd last = inverse(absolute(lead(largest))) * 0x1p52;
    vl fits = is_multiple(made->a, last) & is_multiple(made->b, last);
    fits |= ~(depth ? made->plain | ~coarse : made->plain);
    made->wide = sloped & ~(fits & is_multiple(made->c, last) & (made->unit * 0x1p-4 * last >= 1));
    made->kind = flat_kind(made->c) & ~sloped;
    if (!depth)
        made->kind |= ET_PLANE_EASY & made->plain & ~made->wide & (made->unit >= 0x1p-60) &
                      (largest < 0x1p126) & ((vl)made->c != SIGN);
}

static inline void make_plane(const struct basis *basis, unsigned rows,
                              const int32_t value[4][ET_PLANE_LANES], unsigned k, vd reach, bool depth,
                              struct made *made)
{
    const vd reference = single_at(value[0] + k);
    const vd p = difference(single_at(value[1] + k), reference),
             q = difference(single_at(value[2] + k), reference);
    vw in_x, in_y;
    booth_multiply(basis, mantissas(p, q), &in_x, &in_y);
    made->a = gradient(in_x, lead(p) * basis->lead_x[0], lead(q) * basis->lead_x[1]);
    made->b = gradient(in_y, lead(p) * basis->lead_y[0], lead(q) * basis->lead_y[1]);
    made->c = constant(basis, rows, made->a, made->b, single_at(value[3] + k), depth);
    finish(made, reach, depth);
}

/* ---- whole blocks ---- */

/* Values at the reference vertex, the two after it and the base vertex, as from_float of plane.c takes them,
 * but 0 where one of a triangle is not finite. */
struct ordered {
    int32_t at[4][ET_PLANE_LANES];
    int32_t lost[ET_PLANE_LANES]; /* masks: one was not finite */
    bool differ, any_lost;
};

static inline bool any(vi mask)
{
    uint64_t part[STEP / 2], all = 0;
    memcpy(part, &mask, sizeof part);
    for (unsigned n = 0; n < STEP / 2; n++)
        all |= part[n];
    return all != 0;
}

static inline void order_values(const struct chosen *chosen, const struct et_plane_values *values,
                                struct ordered *ordered)
{
    enum { EXPONENTS = 0x7f800000 };
    ordered->differ = ordered->any_lost = false;
    for (unsigned k = 0; k < ET_PLANE_LANES; k += STEP) {
        vi at[3], lost = {0};
        for (unsigned n = 0; n < 3; n++) {
            memcpy(&at[n], values->at[n] + k, sizeof at[n]);
            lost |= (at[n] & EXPONENTS) == EXPONENTS;
            at[n] &= ~((at[n] & EXPONENTS) == 0);
        }
        for (unsigned n = 0; n < 3; n++)
            at[n] &= ~lost;
        ordered->differ |= any((at[0] ^ at[1]) | (at[0] ^ at[2]));
        ordered->any_lost |= any(lost);
        const vi r[2] = {load_whole(chosen->r[0] + k), load_whole(chosen->r[1] + k)},
                 base[2] = {load_whole(chosen->base[0] + k), load_whole(chosen->base[1] + k)};
        store_whole(ordered->at[0] + k, choose_of(r, at[0], at[1], at[2]));
        store_whole(ordered->at[1] + k, choose_of(r, at[1], at[2], at[0]));
        store_whole(ordered->at[2] + k, choose_of(r, at[2], at[0], at[1]));
        store_whole(ordered->at[3] + k, choose_of(base, at[0], at[1], at[2]));
        store_whole(ordered->lost + k, lost);
    }
}

#if LANES > 2
_Static_assert(offsetof(struct et_plane, tile_unit) == 32 && offsetof(struct et_plane, rx) == 40 &&
                   offsetof(struct et_plane, reach) == 48 && offsetof(struct et_plane, plain) == 52 &&
                   offsetof(struct et_plane, kind) == 53 && offsetof(struct et_plane, tile_x) == 56 &&
                   sizeof(struct et_plane) == 64,
               "planes are written as two rows of four");

static inline __m256d four(vd v, unsigned from)
{
#if LANES == 8
    return from ? _mm512_extractf64x4_pd((__m512d)v, 1) : _mm512_castpd512_pd256((__m512d)v);
#else
    (void)from;
    return (__m256d)v;
#endif
}

/* Four lanes of four columns as lanes' rows. */
static inline void turn(const vd column[4], unsigned from, double *const to[4], unsigned count)
{
    const __m256d a = four(column[0], from), b = four(column[1], from), c = four(column[2], from),
                  d = four(column[3], from);
    const __m256d low_ab = _mm256_unpacklo_pd(a, b), high_ab = _mm256_unpackhi_pd(a, b),
                  low_cd = _mm256_unpacklo_pd(c, d), high_cd = _mm256_unpackhi_pd(c, d);
    _mm256_storeu_pd(to[0], _mm256_permute2f128_pd(low_ab, low_cd, 0x20));
    if (count > 1)
        _mm256_storeu_pd(to[1], _mm256_permute2f128_pd(high_ab, high_cd, 0x20));
    if (count > 2)
        _mm256_storeu_pd(to[2], _mm256_permute2f128_pd(low_ab, low_cd, 0x31));
    if (count > 3)
        _mm256_storeu_pd(to[3], _mm256_permute2f128_pd(high_ab, high_cd, 0x31));
}

static inline vl low_words(const int32_t *from)
{
    half_whole value;
    memcpy(&value, from, sizeof value);
    return __builtin_convertvector(value, vl) & INT64_C(0xffffffff);
}

static inline void write_planes(const struct et_plane_block *block, const struct chosen *chosen,
                                const struct et_plane_values *values, const struct made *made, unsigned k)
{
    const vl flags = (made->plain & INT64_C(1) << 32) | made->kind << 40;
    const vd lines[4] = {made->a, made->b, made->c, made->unit},
             rest[4] = {made->tile_unit, (vd)(low_words(chosen->rx + k) | low_words(chosen->ry + k) << 32),
                        (vd)(low_words(chosen->reach + k) | (made->wide & INT64_C(0xffffffff)) | flags),
                        (vd)((vl){0} + ((int64_t)values->tile_y << 32 | values->tile_x))};
    for (unsigned from = 0; from < LANES && k + from < block->count; from += 4) {
        const unsigned count = block->count - k - from;
        double *to[4], *end[4];
        for (unsigned l = 0; l < 4; l++) {
            struct et_plane *const plane = et_plane_of(block, values, ET_MIN(k + from + l, block->count - 1));
            to[l] = &plane->a;
            end[l] = &plane->tile_unit;
        }
        turn(lines, from, to, count);
        turn(rest, from, end, count);
    }
}
#else
static inline void write_planes(const struct et_plane_block *block, const struct chosen *chosen,
                                const struct et_plane_values *values, const struct made *made, unsigned k)
{
    for (unsigned l = 0; l < LANES && k + l < block->count; l++)
        *et_plane_of(block, values, k + l) =
            (struct et_plane){.a = made->a[l],
                              .b = made->b[l],
                              .c = made->c[l],
                              .unit = made->unit[l],
                              .tile_unit = made->tile_unit[l],
                              .rx = chosen->rx[k + l],
                              .ry = chosen->ry[k + l],
                              .reach = chosen->reach[k + l] | (int32_t)made->wide[l],
                              .plain = made->plain[l] & 1,
                              .kind = (uint8_t)made->kind[l],
                              .tile_x = values->tile_x,
                              .tile_y = values->tile_y};
}
#endif

/* Planes through values that are not finite. */
static void lose_planes(const struct et_plane_block *block, const struct et_plane_values *values,
                        const int32_t *lost)
{
    for (unsigned l = 0; l < block->count; l++) {
        struct et_plane *const plane = et_plane_of(block, values, l);
        if (!lost[l])
            continue;
        plane->c = NAN;
        plane->tile_x = plane->tile_y = 0;
        plane->kind = ET_PLANE_GENERAL;
    }
}

et_plane_block_fn ET_PLANES_LEVEL;
void ET_PLANES_LEVEL(const struct et_plane_block *block, const struct et_plane_values *values,
                     unsigned planes)
{
    struct chosen chosen;
    struct basis basis[ET_PLANE_LANES / LANES];
    choose_all(block, &chosen);
    for (unsigned k = 0; k < block->count; k += LANES)
        make_basis(&chosen, k, &basis[k / LANES]);
    for (unsigned n = 0; n < planes; n++) {
        struct ordered ordered;
        if (values[n].left)
            continue;
        order_values(&chosen, &values[n], &ordered);
        for (unsigned k = 0; k < block->count; k += LANES) {
            struct made made = {.c = single_at(ordered.at[3] + k)};
            made.kind = flat_kind(made.c);
            if (ordered.differ)
                make_plane(&basis[k / LANES], chosen.rows, ordered.at, k, whole_at(chosen.reach + k),
                           values[n].tile_x != 0, &made);
            write_planes(block, &chosen, &values[n], &made, k);
        }
        if (ordered.any_lost)
            lose_planes(block, &values[n], ordered.lost);
    }
}
