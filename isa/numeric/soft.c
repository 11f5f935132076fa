#include "isa/numeric/soft.h"

typedef unsigned __int128 u128;

const struct et_format et_format_f16 = {16, 10, 5, 0x7fff};
const struct et_format et_format_bf16 = {16, 7, 8, 0x7fff};
const struct et_format et_format_f32 = {32, 23, 8, 0x7fffffff};
const struct et_format et_format_f64 = {64, 52, 11, 0xfff8000000000000};
/* TF32 lives in a single's upper 19 bits; here it is those bits alone. */
const struct et_format et_format_tf32 = {19, 10, 8, 0x3ffff};

enum kind { ZERO, FINITE, INFINITE, NAN_KIND };

/* value = significand / 2^127 * 2^exponent, significand normalised to bit 127. */
struct number {
    enum kind kind;
    bool sign;
    int exponent;
    u128 significand;
};

static int bias(const struct et_format *f)
{
    return (1 << (f->exponent - 1)) - 1;
}

static unsigned leading_zeros(u128 value)
{
    const uint64_t high = (uint64_t)(value >> 64);
    return high ? (unsigned)__builtin_clzll(high) : 64 + (unsigned)__builtin_clzll((uint64_t)value);
}

static struct number unpack(const struct et_format *f, uint64_t bits, bool ftz)
{
    const uint64_t fraction = et_bits64(bits, 0, f->fraction);
    const unsigned exponent = (unsigned)et_bits64(bits, f->fraction, f->exponent);
    struct number n = {.sign = bits >> (f->bits - 1) & 1};
    if (exponent == (1u << f->exponent) - 1) {
        n.kind = fraction ? NAN_KIND : INFINITE;
    } else if (exponent) {
        n.kind = FINITE;
        n.exponent = (int)exponent - bias(f);
        n.significand = (u128)(fraction | UINT64_C(1) << f->fraction) << (127 - f->fraction);
    } else if (fraction && !ftz) {
        const unsigned shift = leading_zeros(fraction);
        n.kind = FINITE;
        n.significand = (u128)fraction << shift;
        n.exponent = 1 - bias(f) + 127 - f->fraction - (int)shift;
    }
    return n;
}

static u128 shift_right_jam(u128 value, unsigned count)
{
    if (!count)
        return value;
    if (count > 127)
        return value != 0;
    return value >> count | ((value << (128 - count)) != 0);
}

/* Whether to add one ulp: `rest` is what was cut off, `half` half an ulp in the same units. */
static bool round_up(enum et_round round, bool sign, bool odd, u128 rest, u128 half)
{
    switch (round) {
    case ET_RN:
        return rest > half || (rest == half && odd);
    case ET_RNA:
        return rest >= half;
    case ET_RM:
        return sign && rest;
    case ET_RP:
        return !sign && rest;
    default:
        return false;
    }
}

static uint64_t signed_bits(const struct et_format *f, bool sign, uint64_t magnitude)
{
    return magnitude | (uint64_t)sign << (f->bits - 1);
}

static uint64_t infinity(const struct et_format *f, bool sign)
{
    return signed_bits(f, sign, ((UINT64_C(1) << f->exponent) - 1) << f->fraction);
}

static uint64_t overflow(const struct et_format *f, bool sign, enum et_round round)
{
    const uint64_t inf = infinity(f, sign);
    return round == ET_RZ || (round == ET_RM && !sign) || (round == ET_RP && sign) ? inf - 1 : inf;
}

static uint64_t pack(const struct et_format *f, bool sign, int exponent, u128 significand,
                     enum et_round round, bool ftz)
{
    const int emin = 1 - bias(f);
    unsigned cut = 127u - f->fraction;
    uint64_t mantissa;
    bool tiny = exponent < emin;
    if (tiny && !ftz) {
        significand = shift_right_jam(significand, (unsigned)(emin - exponent));
        exponent = emin;
    }
    mantissa = (uint64_t)(significand >> cut);
    if (round_up(round, sign, mantissa & 1, significand & (((u128)1 << cut) - 1), (u128)1 << (cut - 1)))
        mantissa++;
    if (mantissa >> (f->fraction + 1)) {
        mantissa >>= 1;
        exponent++;
    }
    if (ftz && exponent < emin)
        return signed_bits(f, sign, 0);
    if (exponent > bias(f))
        return overflow(f, sign, round);
    if (!(mantissa >> f->fraction))
        return signed_bits(f, sign, mantissa); /* denormal */
    return signed_bits(f, sign,
                       (uint64_t)(exponent + bias(f)) << f->fraction | et_bits64(mantissa, 0, f->fraction));
}

static uint64_t pack_number(const struct et_format *f, struct number n, enum et_round round, bool ftz)
{
    switch (n.kind) {
    case ZERO:
        return signed_bits(f, n.sign, 0);
    case INFINITE:
        return infinity(f, n.sign);
    case NAN_KIND:
        return f->nan;
    default: {
        const unsigned shift = leading_zeros(n.significand);
        return pack(f, n.sign, n.exponent - (int)shift, n.significand << shift, round, ftz);
    }
    }
}

static struct number multiply(struct number a, struct number b)
{
    struct number p = {.sign = a.sign != b.sign};
    if (a.kind == NAN_KIND || b.kind == NAN_KIND || (a.kind == INFINITE && b.kind == ZERO) ||
        (a.kind == ZERO && b.kind == INFINITE)) {
        p.kind = NAN_KIND;
    } else if (a.kind == INFINITE || b.kind == INFINITE) {
        p.kind = INFINITE;
    } else if (a.kind == FINITE && b.kind == FINITE) {
        /* 53 bits each at most: the product is exact in 106. */
        const u128 product = (u128)(uint64_t)(a.significand >> 64) * (uint64_t)(b.significand >> 64);
        const unsigned shift = leading_zeros(product);
        p.kind = FINITE;
        p.significand = product << shift;
        p.exponent = a.exponent + b.exponent + 1 - (int)shift;
    }
    return p;
}

static struct number add(struct number a, struct number b, enum et_round round)
{
    struct number s;
    if (a.kind == NAN_KIND || b.kind == NAN_KIND ||
        (a.kind == INFINITE && b.kind == INFINITE && a.sign != b.sign))
        return (struct number){.kind = NAN_KIND};
    if (a.kind == INFINITE || b.kind == INFINITE)
        return a.kind == INFINITE ? a : b;
    if (a.kind == ZERO && b.kind == ZERO) {
        s = a;
        s.sign = a.sign == b.sign ? a.sign : round == ET_RM;
        return s;
    }
    if (a.kind == ZERO || b.kind == ZERO)
        return a.kind == ZERO ? b : a;
    if (a.exponent < b.exponent || (a.exponent == b.exponent && a.significand < b.significand)) {
        const struct number swap = a;
        a = b;
        b = swap;
    }
    /* One spare bit on top; the jammed bit lies far below any format's half ulp. */
    s = a;
    s.significand = a.significand >> 1 | (a.significand & 1);
    b.significand = shift_right_jam(b.significand, (unsigned)(a.exponent - b.exponent) + 1);
    s.exponent++;
    if (a.sign == b.sign) {
        s.significand += b.significand;
    } else {
        s.significand -= b.significand;
        if (!s.significand)
            return (struct number){.kind = ZERO, .sign = round == ET_RM};
    }
    return s;
}

bool et_soft_is_nan(const struct et_format *f, uint64_t value)
{
    return et_bits64(value, 0, f->bits - 1u) > et_bits64(infinity(f, false), 0, f->bits - 1u);
}

/* Doubles keep the payload of the first NaN of the operands. */
static bool keeps_nan(const struct et_format *f, const uint64_t *operands, unsigned n, uint64_t *result)
{
    if (f->bits != 64)
        return false;
    for (unsigned i = 0; i < n; i++)
        if (et_soft_is_nan(f, operands[i])) {
            *result = operands[i] | UINT64_C(1) << (f->fraction - 1);
            return true;
        }
    return false;
}

uint64_t et_soft_fma(const struct et_format *f, uint64_t a, uint64_t b, uint64_t c, enum et_round round,
                     bool ftz)
{
    const uint64_t operands[] = {b, c, a};
    uint64_t nan;
    if (keeps_nan(f, operands, 3, &nan))
        return nan;
    return pack_number(f, add(multiply(unpack(f, a, ftz), unpack(f, b, ftz)), unpack(f, c, ftz), round),
                       round, ftz);
}

uint64_t et_soft_fma_mixed(const struct et_format *const from[3], const uint64_t value[3],
                           const struct et_format *to, enum et_round round, bool ftz)
{
    return pack_number(to,
                       add(multiply(unpack(from[0], value[0], ftz), unpack(from[1], value[1], ftz)),
                           unpack(from[2], value[2], ftz), round),
                       round, ftz);
}

uint64_t et_soft_mul_scaled(const struct et_format *f, uint64_t a, uint64_t b, int power, enum et_round round,
                            bool ftz)
{
    const uint64_t operands[] = {b, a};
    struct number p;
    uint64_t nan;
    if (keeps_nan(f, operands, 2, &nan))
        return nan;
    p = multiply(unpack(f, a, ftz), unpack(f, b, ftz));
    p.exponent += power;
    return pack_number(f, p, round, ftz);
}

uint64_t et_soft_mul(const struct et_format *f, uint64_t a, uint64_t b, enum et_round round, bool ftz)
{
    return et_soft_mul_scaled(f, a, b, 0, round, ftz);
}

uint64_t et_soft_add(const struct et_format *f, uint64_t a, uint64_t b, enum et_round round, bool ftz)
{
    const uint64_t operands[] = {b, a};
    uint64_t nan;
    if (keeps_nan(f, operands, 2, &nan))
        return nan;
    return pack_number(f, add(unpack(f, a, ftz), unpack(f, b, ftz), round), round, ftz);
}

uint64_t et_soft_convert(const struct et_format *from, const struct et_format *to, uint64_t value,
                         enum et_round round, bool ftz)
{
    if (to->bits == 64 && et_soft_is_nan(from, value)) /* a NaN widens with its payload */
        return signed_bits(to, value >> (from->bits - 1) & 1,
                           UINT64_C(0x7ff8000000000000) | et_bits64(value, 0, from->fraction)
                                                              << (52 - from->fraction));
    if (from->bits == 64 && to->bits < 64 &&
        et_soft_is_nan(from, value)) /* and narrows with its leading part */
        return signed_bits(to, value >> 63,
                           infinity(to, false) | UINT64_C(1) << (to->fraction - 1) |
                               et_bits64(value, 52 - to->fraction, to->fraction));
    /* The flush concerns singles alone. */
    return pack_number(to, unpack(from, value, ftz && from->bits == 32), round, ftz && to->bits == 32);
}

/* The integer nearest to n in `round`, saturated to 2^64 - 1; *over when it was. */
static uint64_t magnitude_of(struct number n, enum et_round round, bool *over)
{
    uint64_t whole;
    u128 rest, half;
    *over = n.exponent > 63;
    if (*over)
        return UINT64_MAX;
    if (n.exponent < -1)
        n.significand = shift_right_jam(n.significand, (unsigned)(-1 - n.exponent)), n.exponent = -1;
    if (n.exponent < 0) {
        whole = 0;
        rest = n.significand;
        half = (u128)1 << 127;
    } else {
        const unsigned cut = 127u - (unsigned)n.exponent;
        whole = (uint64_t)(n.significand >> cut);
        rest = n.significand & (((u128)1 << cut) - 1);
        half = (u128)1 << (cut - 1);
    }
    if (round_up(round, n.sign, whole & 1, rest, half) && !++whole)
        *over = true, whole = UINT64_MAX;
    return whole;
}

uint64_t et_soft_integral(const struct et_format *f, uint64_t value, enum et_round round, bool ftz)
{
    struct number n = unpack(f, value, ftz);
    uint64_t nan;
    bool over;
    if (keeps_nan(f, &value, 1, &nan))
        return nan;
    if (n.kind == FINITE && n.exponent < (int)f->fraction) {
        const uint64_t whole = magnitude_of(n, round, &over);
        if (!whole)
            return signed_bits(f, n.sign, 0);
        n.significand = whole;
        n.exponent = 127;
    }
    return pack_number(f, n, ET_RZ, ftz);
}

uint64_t et_soft_to_int(const struct et_format *f, uint64_t value, unsigned bits, bool is_signed,
                        enum et_round round, bool ftz)
{
    const struct number n = unpack(f, value, ftz);
    const uint64_t top = UINT64_C(1) << (bits - 1), most = is_signed ? top - 1 : top | (top - 1);
    uint64_t magnitude = 0;
    bool over = false;
    if (n.kind == NAN_KIND)
        return 0;
    if (n.kind == INFINITE)
        over = true;
    else if (n.kind == FINITE)
        magnitude = magnitude_of(n, round, &over);
    if (n.sign) {
        if (!is_signed)
            return 0;
        return over || magnitude > top ? (uint64_t)0 - top : (uint64_t)0 - magnitude;
    }
    return over || magnitude > most ? most : magnitude;
}

uint64_t et_soft_from_int(const struct et_format *f, uint64_t magnitude, bool negative, enum et_round round)
{
    const struct number n = {magnitude ? FINITE : ZERO, negative && magnitude, 127, magnitude};
    return pack_number(f, n, round, false);
}

int et_soft_compare(const struct et_format *f, uint64_t a, uint64_t b, bool ftz)
{
    const struct number x = unpack(f, a, ftz), y = unpack(f, b, ftz);
    int order;
    if (x.kind == NAN_KIND || y.kind == NAN_KIND)
        return 2;
    if (x.kind == ZERO && y.kind == ZERO)
        return 0;
    if (x.kind == ZERO)
        return y.sign ? 1 : -1;
    if (y.kind == ZERO || x.sign != y.sign)
        return x.sign ? -1 : 1;
    if (x.kind != y.kind)
        order = x.kind == INFINITE ? 1 : -1;
    else if (x.kind == INFINITE)
        order = 0;
    else if (x.exponent != y.exponent)
        order = x.exponent > y.exponent ? 1 : -1;
    else
        order = (x.significand > y.significand) - (x.significand < y.significand);
    return x.sign ? -order : order;
}

uint64_t et_soft_saturate(const struct et_format *f, uint64_t value)
{
    const uint64_t one = (uint64_t)bias(f) << f->fraction;
    if (value >> (f->bits - 1) & 1 || et_soft_is_nan(f, value))
        return 0;
    return value > one ? one : value;
}
