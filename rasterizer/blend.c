/* Blending. [HW:H200]
 *
 * Normalised formats: sources, second sources and constants become n-bit codes (n = 8, 10, 16), factors are
 * codes, 1 - x is M - x; (s*fs +- d*fd) is exact and divided by M with one rounding to nearest. Float formats
 * and sRGB: exact products, aligned to the larger exponent sum E with unit 2^(E-p-1), lower bits one sticky
 * half unit, rounded to p bits to nearest even (p = 11, or 24 for 32-bit channels); overflow gives the
 * largest finite value. */
#include "rasterizer/blend.h"

#include "base/bits.h"
#include "rasterizer/convert.h"
#include "rasterizer/factors.h"
#include "texture/format.h"

#include <math.h>

static const struct {
    uint32_t ogl, d3d;
    uint8_t factor;
} factors[] = {
    {0x4000, 0x01, ZERO},
    {0x4001, 0x02, ONE},
    {0x4300, 0x03, SOURCE_COLOR},
    {0x4301, 0x04, INVERSE_SOURCE_COLOR},
    {0x4302, 0x05, SOURCE_ALPHA},
    {0x4303, 0x06, INVERSE_SOURCE_ALPHA},
    {0x4304, 0x07, TARGET_ALPHA},
    {0x4305, 0x08, INVERSE_TARGET_ALPHA},
    {0x4306, 0x09, TARGET_COLOR},
    {0x4307, 0x0a, INVERSE_TARGET_COLOR},
    {0x4308, 0x0b, SOURCE_ALPHA_SATURATE},
    {0xc001, 0x0e, CONSTANT_COLOR},
    {0xc002, 0x0f, INVERSE_CONSTANT_COLOR},
    {0xc003, 0xc003, CONSTANT_ALPHA},
    {0xc004, 0xc004, INVERSE_CONSTANT_ALPHA},
    {0xc900, 0x10, SECOND_COLOR},
    {0xc901, 0x11, INVERSE_SECOND_COLOR},
    {0xc902, 0x12, SECOND_ALPHA},
    {0xc903, 0x13, INVERSE_SECOND_ALPHA},
};

static const struct {
    uint32_t ogl, d3d;
    uint8_t op;
} ops[] = {
    {0x8006, 1, ADD},     {0x800a, 2, SUBTRACT}, {0x800b, 3, REVERSE_SUBTRACT},
    {0x8007, 4, MINIMUM}, {0x8008, 5, MAXIMUM},
};

static enum etalon_status find_factor(uint32_t raw, uint8_t *factor, struct etalon_error *error)
{
    for (size_t i = 0; i < ET_COUNT(factors); i++)
        if (raw == factors[i].ogl || raw == factors[i].d3d) {
            *factor = factors[i].factor;
            return ETALON_OK;
        }
    et_at_value(error, raw);
    return et_fail(error, ETALON_BAD_VALUE, "blend factor 0x%x", raw);
}

static enum etalon_status find_op(uint32_t raw, uint8_t *op, struct etalon_error *error)
{
    for (size_t i = 0; i < ET_COUNT(ops); i++)
        if (raw == ops[i].ogl || raw == ops[i].d3d) {
            *op = ops[i].op;
            return ETALON_OK;
        }
    et_at_value(error, raw);
    return et_fail(error, ETALON_BAD_VALUE, "blend equation 0x%x", raw);
}

static bool is_second(uint8_t factor)
{
    return factor >= SECOND_COLOR && factor <= INVERSE_SECOND_ALPHA;
}

static double half_value(uint32_t half)
{
    return et_float(et_half_to_float(half));
}

static double srgb_value(uint32_t code)
{
    return et_srgb_value[code] / 65536.0;
}

static int precision_of(const struct et_color_format *format)
{
    return format->kind == ET_COLOR_F32 ? 24 : 11;
}

static int32_t top_code(const struct et_color_format *format)
{
    return (1 << (format->code_bits - (format->kind == ET_COLOR_SNORM))) - 1;
}

static int32_t to_code(const struct et_color_format *format, uint32_t bits)
{
    return format->kind == ET_COLOR_SNORM ? et_snorm_code(et_float(bits), format->code_bits)
                                          : (int32_t)et_unorm_code(et_float(bits), format->code_bits);
}

/* A shader output as the operand that a float target blends. */
static double to_operand(const struct et_color_format *format, unsigned c, uint32_t bits)
{
    const float value = et_float(bits);
    if (format->kind == ET_COLOR_F32)
        return value;
    if (format->kind != ET_COLOR_SRGB)
        return half_value(et_half_toward_zero(value));
    const uint32_t linear = et_srgb_linear(value);
    if (c < 3)
        return srgb_value(et_srgb_code(linear));
    return half_value(et_half_toward_zero((float)(et_srgb_alpha_code(linear) / 255.0)));
}

static enum etalon_status resolve_equation(struct et_blend_plan *plan, const struct et_blend_target *blend,
                                           struct etalon_error *error)
{
    const bool separate = blend->separate_alpha;
    const uint32_t source[2] = {blend->color_source, separate ? blend->alpha_source : blend->color_source};
    const uint32_t dest[2] = {blend->color_dest, separate ? blend->alpha_dest : blend->color_dest};
    const uint32_t op[2] = {blend->color_op, separate ? blend->alpha_op : blend->color_op};
    enum etalon_status status = ETALON_OK;
    for (unsigned alpha = 0; alpha < 2 && !status; alpha++) {
        status = find_factor(source[alpha], &plan->factor[alpha][0], error);
        if (!status)
            status = find_factor(dest[alpha], &plan->factor[alpha][1], error);
        if (!status)
            status = find_op(op[alpha], &plan->op[alpha], error);
        if (!status && (is_second(plan->factor[alpha][0]) || is_second(plan->factor[alpha][1])))
            plan->dual_source = true;
    }
    return status;
}

static uint32_t channel_mask(const struct et_color_format *format, unsigned c)
{
    const unsigned width = format->channel[c].width;
    return width ? (uint32_t)((UINT64_C(1) << width) - 1) << (format->channel[c].low & 31) : 0;
}

enum etalon_status et_blend_plan_make(struct et_blend_plan *plan, const struct et_output_state *state,
                                      unsigned index, const struct et_color_format *format,
                                      struct etalon_error *error)
{
    const struct et_blend_target *blend = &state->blend[index];
    enum etalon_status status = ETALON_OK;
    uint32_t kept = 0, used[4] = {0};
    *plan = (struct et_blend_plan){.format = state->srgb_write ? format : et_color_format_linear(format)};
    format = plan->format;
    plan->bytes = format->code_bits == 8;
    for (unsigned c = 0; c < 4; c++) {
        plan->bytes &= format->channel[c].width == 8;
        used[format->channel[c].low >> 5] |= channel_mask(format, c);
        if (!(blend->write_mask >> c & 1))
            plan->keep[format->channel[c].low >> 5] |= channel_mask(format, c);
    }
    used[0] |= format->zeros | format->ones;
    for (unsigned w = 0; w < 4; w++) {
        const unsigned bits = ET_MIN(32u, (unsigned)ET_MAX(0, format->bytes * 8 - (int)w * 32));
        const uint32_t all = bits ? (uint32_t)((UINT64_C(1) << bits) - 1) : 0;
        plan->keep[w] |= all & ~used[w];
        kept |= plan->keep[w];
    }
    const bool integer = format->kind >= ET_COLOR_UINT;
    const bool floating = format->kind >= ET_COLOR_SRGB && format->kind <= ET_COLOR_F32;
    if (format->kind == ET_COLOR_UNORM32 && blend->enable && !state->logic_op)
        return et_fail(error, ETALON_UNSUPPORTED, "blending of %s", format->name);
    if (state->logic_op) {
        if (state->logic_function < 0x1500 || state->logic_function > 0x150f) {
            et_at_value(error, state->logic_function);
            return et_fail(error, ETALON_BAD_VALUE, "logic operation 0x%x", state->logic_function);
        }
        plan->logic = state->logic_function & 15;
        plan->path = floating ? ET_BLEND_WRITE : ET_BLEND_LOGIC; /* ignored, and blending with it */
    } else if (blend->enable && !integer) {
        plan->path = floating ? ET_BLEND_FLOATS : ET_BLEND_CODES;
        status = resolve_equation(plan, blend, error);
    }
    for (unsigned c = 0; c < 4 && !integer; c++) {
        const float constant = state->blend_constant[c];
        if (!floating)
            plan->constant_code[c] = to_code(format, et_float_bits(constant));
        else if (format->kind == ET_COLOR_SRGB)
            plan->constant[c] = half_value(et_srgb_linear(constant));
        else
            plan->constant[c] = to_operand(format, c, et_float_bits(constant));
    }
    plan->reads_target = kept || plan->path != ET_BLEND_WRITE;
    return status;
}

/* ---- texels ---- */

static uint32_t field(const struct et_color_format *format, const uint32_t texel[4], unsigned c)
{
    return (texel[format->channel[c].low >> 5] & channel_mask(format, c)) >> (format->channel[c].low & 31);
}

static void set_field(const struct et_color_format *format, uint32_t texel[4], unsigned c, uint32_t value)
{
    const uint32_t mask = channel_mask(format, c);
    uint32_t *word = &texel[format->channel[c].low >> 5];
    *word = (*word & ~mask) | (value << (format->channel[c].low & 31) & mask);
}

/* A code of n bits in a field that may be narrower: 5, 6 and 1 bits truncate; two bits divide. */
static uint32_t narrow(uint32_t code, unsigned n, unsigned width)
{
    if (width == 2)
        return ((code >> (n - 4)) + 2) / 5;
    return code >> (n - width);
}

static int32_t widen(uint32_t code, unsigned n, unsigned width)
{
    switch (width) {
    case 1:
        return code ? (int32_t)(1u << n) - 1 : 0;
    case 2:
        return (int32_t)(code * (((1u << n) - 1) / 3));
    case 5:
        return (int32_t)(code << 3 | code >> 2);
    case 6:
        return (int32_t)(code << 2 | code >> 4);
    default:
        return (int32_t)code;
    }
}

static void store_codes(const struct et_color_format *format, const int32_t code[4], uint32_t texel[4])
{
    for (unsigned c = 0; c < 4; c++) {
        const unsigned width = format->channel[c].width;
        if (width)
            set_field(format, texel, c,
                      format->kind == ET_COLOR_SNORM ? (uint32_t)code[c]
                                                     : narrow((uint32_t)code[c], format->code_bits, width));
    }
}

static void load_codes(const struct et_color_format *format, const uint32_t texel[4], int32_t code[4])
{
    for (unsigned c = 0; c < 4; c++) {
        const unsigned width = format->channel[c].width;
        if (!width)
            code[c] = c == 3 ? top_code(format) : 0;
        else if (format->kind == ET_COLOR_SNORM)
            code[c] = ET_MAX((int32_t)et_sign_extend(field(format, texel, c), width), -top_code(format));
        else
            code[c] = widen(field(format, texel, c), format->code_bits, width);
    }
}

static void load_operands(const struct et_color_format *format, const uint32_t texel[4], double value[4])
{
    for (unsigned c = 0; c < 4; c++) {
        const unsigned width = format->channel[c].width;
        const uint32_t bits = field(format, texel, c);
        if (!width)
            value[c] = c == 3 ? 1 : 0;
        else if (format->kind == ET_COLOR_F32)
            value[c] = et_float(bits);
        else if (format->kind == ET_COLOR_F16)
            value[c] = half_value(bits);
        else if (format->kind == ET_COLOR_F11)
            value[c] = half_value(et_small_float_half(bits, width - 5));
        else
            value[c] = c < 3 ? srgb_value(bits) : half_value(et_half_toward_zero((float)(bits / 255.0)));
    }
}

/* A blended value that the format's precision holds. */
static uint32_t operand_bits(const struct et_color_format *format, unsigned c, double value)
{
    const unsigned width = format->channel[c].width;
    if (format->kind == ET_COLOR_F32)
        return isnan(value) ? 0x7fffffff : et_float_bits((float)value);
    const uint32_t half = isnan(value) ? 0x7fff : et_half_toward_zero((float)value);
    if (format->kind == ET_COLOR_F16)
        return half;
    if (format->kind == ET_COLOR_F11)
        return isnan(value) ? (1u << width) - 1 : et_small_float(half, width - 5);
    const uint32_t clamped = half & 0x8000 || isnan(value) ? 0 : ET_MIN(half, 0x3c00u);
    return c < 3 ? et_srgb_code(clamped) : et_srgb_alpha_code(clamped);
}

/* ---- plain conversion ---- */

static uint32_t encode_channel(const struct et_color_format *format, unsigned c, uint32_t bits)
{
    const unsigned width = format->channel[c].width;
    switch (format->kind) {
    case ET_COLOR_UNORM:
        return narrow((uint32_t)to_code(format, bits), format->code_bits, width);
    case ET_COLOR_UNORM32:
        return et_unorm32_code(et_float(bits));
    case ET_COLOR_SNORM:
        return (uint32_t)to_code(format, bits);
    case ET_COLOR_SRGB:
        return c < 3 ? et_srgb_code(et_srgb_linear(et_float(bits)))
                     : et_srgb_alpha_code(et_srgb_linear(et_float(bits)));
    case ET_COLOR_F16:
        return et_half_toward_zero(et_float(bits));
    case ET_COLOR_F11:
        return et_small_float(et_half_toward_zero(et_float(bits)), width - 5);
    case ET_COLOR_UINT:
        return width == 32 ? bits : ET_MIN(bits, (1u << width) - 1);
    case ET_COLOR_SINT:
        if (width < 32) {
            const int32_t top = (1 << (width - 1)) - 1, value = (int32_t)bits;
            return (uint32_t)(value > top ? top : value < -top - 1 ? -top - 1 : value);
        }
        return bits;
    default:
        return bits;
    }
}

static void encode(const struct et_color_format *format, const uint32_t source[4], uint32_t texel[4])
{
    memset(texel, 0, 4 * sizeof *texel);
    for (unsigned c = 0; c < 4; c++)
        if (format->channel[c].width)
            set_field(format, texel, c, encode_channel(format, c, source[c]));
    texel[0] |= format->ones;
}

void et_color_encode(const struct et_color_format *format, const uint32_t source[4], uint8_t *out)
{
    uint32_t texel[4];
    encode(format, source, texel);
    memcpy(out, texel, format->bytes);
}

/* ---- blending of codes ---- */

static int32_t code_factor(const struct et_blend_plan *plan, uint8_t factor, unsigned c, const int32_t s[4],
                           const int32_t t[4], const int32_t d[4])
{
    const int32_t one = top_code(plan->format), *k = plan->constant_code;
    switch (factor) {
    case ZERO:
        return 0;
    case ONE:
        return one;
    case SOURCE_COLOR:
        return s[c];
    case INVERSE_SOURCE_COLOR:
        return one - s[c];
    case TARGET_COLOR:
        return d[c];
    case INVERSE_TARGET_COLOR:
        return one - d[c];
    case SOURCE_ALPHA:
        return s[3];
    case INVERSE_SOURCE_ALPHA:
        return one - s[3];
    case TARGET_ALPHA:
        return d[3];
    case INVERSE_TARGET_ALPHA:
        return one - d[3];
    case CONSTANT_COLOR:
        return k[c];
    case INVERSE_CONSTANT_COLOR:
        return one - k[c];
    case CONSTANT_ALPHA:
        return k[3];
    case INVERSE_CONSTANT_ALPHA:
        return one - k[3];
    case SECOND_COLOR:
        return t[c];
    case INVERSE_SECOND_COLOR:
        return one - t[c];
    case SECOND_ALPHA:
        return t[3];
    case INVERSE_SECOND_ALPHA:
        return one - t[3];
    default:
        return c == 3 ? one : ET_MIN(s[3], one - d[3]);
    }
}

static int32_t blend_code(const struct et_blend_plan *plan, unsigned c, const int32_t s[4],
                          const int32_t t[4], const int32_t d[4])
{
    const unsigned alpha = c == 3;
    const int32_t one = top_code(plan->format), least = plan->format->kind == ET_COLOR_SNORM ? -one : 0;
    if (plan->op[alpha] == MINIMUM)
        return ET_MIN(s[c], d[c]);
    if (plan->op[alpha] == MAXIMUM)
        return ET_MAX(s[c], d[c]);
    const int64_t a = (int64_t)s[c] * code_factor(plan, plan->factor[alpha][0], c, s, t, d);
    const int64_t b = (int64_t)d[c] * code_factor(plan, plan->factor[alpha][1], c, s, t, d);
    const int64_t sum = plan->op[alpha] == ADD ? a + b : plan->op[alpha] == SUBTRACT ? a - b : b - a;
    /* nearest of a division by the odd `one`: no ties */
    const int64_t size = (2 * (sum < 0 ? -sum : sum) + one) / (2 * one), value = sum < 0 ? -size : size;
    return (int32_t)(value < least ? least : ET_MIN(value, one));
}

static void blend_codes(const struct et_blend_plan *plan, const uint32_t source[4], const uint32_t second[4],
                        const uint32_t old[4], uint32_t texel[4])
{
    int32_t s[4], t[4] = {0}, d[4], out[4];
    for (unsigned c = 0; c < 4; c++) {
        s[c] = to_code(plan->format, source[c]);
        if (plan->dual_source && second)
            t[c] = to_code(plan->format, second[c]);
    }
    load_codes(plan->format, old, d);
    for (unsigned c = 0; c < 4; c++)
        out[c] = plan->format->channel[c].width ? blend_code(plan, c, s, t, d) : 0;
    memset(texel, 0, 4 * sizeof *texel);
    store_codes(plan->format, out, texel);
}

/* ---- blending of floats ---- */

static double flush(double value)
{
    return fabs(value) < 0x1p-126 ? copysign(0, value) : value;
}

/* x to p bits, nearest even, with exponents down to emin. */
static double round_even(double x, int p, int emin)
{
    if (x == 0 || !isfinite(x))
        return x;
    const int e = ET_MAX(ilogb(x), emin);
    return ldexp(nearbyint(ldexp(x, p - 1 - e)), e - p + 1);
}

static double largest(int p)
{
    return p == 11 ? 65504 : 0x1.fffffep127;
}

static double float_factor(const struct et_blend_plan *plan, uint8_t factor, unsigned c, const double s[4],
                           const double t[4], const double d[4])
{
    const int p = precision_of(plan->format);
    const double *k = plan->constant;
    double value;
    switch (factor) {
    case ZERO:
        return 0;
    case ONE:
        return 1;
    case SOURCE_COLOR:
    case INVERSE_SOURCE_COLOR:
        value = s[c];
        break;
    case TARGET_COLOR:
    case INVERSE_TARGET_COLOR:
        value = d[c];
        break;
    case SOURCE_ALPHA:
    case INVERSE_SOURCE_ALPHA:
        value = s[3];
        break;
    case TARGET_ALPHA:
    case INVERSE_TARGET_ALPHA:
        value = d[3];
        break;
    case CONSTANT_COLOR:
    case INVERSE_CONSTANT_COLOR:
        value = k[c];
        break;
    case CONSTANT_ALPHA:
    case INVERSE_CONSTANT_ALPHA:
        value = k[3];
        break;
    case SECOND_COLOR:
    case INVERSE_SECOND_COLOR:
        value = t[c];
        break;
    case SECOND_ALPHA:
    case INVERSE_SECOND_ALPHA:
        value = t[3];
        break;
    default:
        if (c == 3)
            return 1;
        value = float_factor(plan, INVERSE_TARGET_ALPHA, 3, s, t, d);
        return s[3] < value ? s[3] : value;
    }
    if (factor >= SOURCE_COLOR && (factor & 1)) /* the inverse factors are odd */
        value = 1 - value;
    value = round_even(value, p, p == 11 ? -14 : -126);
    return isfinite(value) && fabs(value) > largest(p) ? copysign(INFINITY, value) : value;
}

/* A product in units of `unit`, with the bits below ORed into one half unit. */
static double aligned(double product, int unit)
{
    const double scaled = fabs(ldexp(product, -unit)), whole = floor(scaled);
    return copysign(whole + (scaled != whole ? 0.5 : 0), product);
}

/* s*fs + d*fd on the p-bit adder, signs already in sa and sb. */
static double add_products(double s, double fs, double d, double fd, uint8_t op, int p)
{
    const int emin = p == 11 ? -14 : -126;
    const bool a_zero = s == 0 || fs == 0, b_zero = d == 0 || fd == 0;
    double a = a_zero ? copysign(0, signbit(s) != signbit(fs) ? -1 : 1) : s * fs; /* 0 * infinity is 0 */
    double b = b_zero ? copysign(0, signbit(d) != signbit(fd) ? -1 : 1) : d * fd;
    if (p == 24 && fs == 0)
        a = copysign(0, s);
    if (op == SUBTRACT)
        b = -b;
    if (op == REVERSE_SUBTRACT)
        a = -a;
    if (a_zero && b_zero)
        return fd == 0 ? a : b; /* a zero destination factor drops its term */
    if (isnan(a) || isnan(b) || (isinf(a) && isinf(b) && a != b))
        return NAN;
    if (isinf(a) || isinf(b))
        return copysign(largest(p), isinf(a) ? a : b);
    const int ea = a_zero ? -4000 : ilogb(s) + ilogb(fs), eb = b_zero ? -4000 : ilogb(d) + ilogb(fd);
    const int unit = ET_MAX(ea, eb) - p - 1;
    double sum = aligned(a, unit) + aligned(b, unit);
    if (fabs(sum) < ldexp(1, p)) /* the sticky half unit never becomes a result bit */
        sum = trunc(sum);
    if (sum == 0)
        return 0;
    sum = round_even(ldexp(sum, unit), p, emin);
    return fabs(sum) > largest(p) ? copysign(largest(p), sum) : sum;
}

enum pass { BLENDED, PASS_SOURCE, PASS_TARGET };

/* One channel; *pass: a term goes through bit for bit. */
static double blend_float(const struct et_blend_plan *plan, unsigned c, const double source[4],
                          const double second[4], const double target[4], enum pass *pass)
{
    const unsigned alpha = c == 3;
    const int p = precision_of(plan->format);
    const uint8_t op = plan->op[alpha], source_factor = plan->factor[alpha][0];
    double s = source[c], d = target[c];
    double fs = float_factor(plan, source_factor, c, source, second, target);
    double fd = float_factor(plan, plan->factor[alpha][1], c, source, second, target);
    *pass = BLENDED;
    if (p == 24) {
        s = flush(s);
        d = flush(d);
        fs = flush(fs);
        fd = flush(fd);
    }
    if (op == MINIMUM || op == MAXIMUM) {
        const bool minimum = op == MINIMUM;
        const double r = isnan(s)   ? d
                         : isnan(d) ? s
                         : s == d   ? (minimum == !!signbit(s) ? s : d)
                                    : (minimum == (s < d) ? s : d);
        return isinf(r) ? copysign(largest(p), r) : r;
    }
    if (op == ADD && plan->factor[alpha][1] == ZERO) {
        if (source_factor == ONE) {
            *pass = PASS_SOURCE;
            return source[c];
        }
        if (s == 1)
            return fs;
        const bool negative = signbit(s) != (signbit(fs) && !(p == 24 && fs == 0));
        return add_products(s, fs, copysign(0, negative ? -1 : 1), 1, ADD, p);
    }
    if ((s == 0 || (fs == 0 && isfinite(s))) && fd == 1 && op != SUBTRACT) {
        *pass = PASS_TARGET;
        return d;
    }
    return add_products(s, fs, d, fd, op, p);
}

static void blend_floats(const struct et_blend_plan *plan, const uint32_t source[4], const uint32_t second[4],
                         const uint32_t old[4], uint32_t texel[4])
{
    const struct et_color_format *format = plan->format;
    double s[4], t[4] = {0}, d[4];
    for (unsigned c = 0; c < 4; c++) {
        s[c] = to_operand(format, c, source[c]);
        if (plan->dual_source && second)
            t[c] = to_operand(format, c, second[c]);
    }
    load_operands(format, old, d);
    memset(texel, 0, 4 * sizeof *texel);
    for (unsigned c = 0; c < 4; c++) {
        enum pass pass;
        if (!format->channel[c].width)
            continue;
        const double value = blend_float(plan, c, s, t, d, &pass);
        if (format->kind == ET_COLOR_SRGB)
            pass = BLENDED;
        set_field(format, texel, c,
                  pass == PASS_SOURCE   ? encode_channel(format, c, source[c])
                  : pass == PASS_TARGET ? field(format, old, c)
                                        : operand_bits(format, c, value));
    }
}

/* ---- one texel ---- */

static uint32_t logic(uint8_t function, uint32_t s, uint32_t d)
{
    /* CLEAR AND AND_REVERSE COPY AND_INVERTED NOOP XOR OR, then their complements in reverse */
    const uint32_t table[8] = {0, s & d, s & ~d, s, ~s & d, d, s ^ d, s | d};
    return function < 8 ? table[function] : ~table[15 - function];
}

void et_blend_texel(const struct et_blend_plan *plan, const uint32_t source[4], const uint32_t second[4],
                    uint8_t *bytes)
{
    uint32_t old[4] = {0}, texel[4];
    if (plan->reads_target)
        memcpy(old, bytes, plan->format->bytes);
    switch (plan->path) {
    case ET_BLEND_CODES:
        blend_codes(plan, source, second, old, texel);
        break;
    case ET_BLEND_FLOATS:
        blend_floats(plan, source, second, old, texel);
        break;
    case ET_BLEND_LOGIC:
        encode(plan->format, source, texel);
        for (unsigned w = 0; w < 4; w++)
            texel[w] = logic(plan->logic, texel[w], old[w]);
        break;
    default:
        encode(plan->format, source, texel);
    }
    texel[0] = (texel[0] & ~plan->format->zeros) | plan->format->ones;
    for (unsigned w = 0; w < 4; w++)
        texel[w] = (texel[w] & ~plan->keep[w]) | (old[w] & plan->keep[w]);
    memcpy(bytes, texel, plan->format->bytes);
}

uint32_t et_alpha_code(const struct et_color_format *format, float alpha)
{
    switch (format ? format->kind : ET_COLOR_F32) {
    case ET_COLOR_SRGB:
        return et_srgb_alpha_code(et_srgb_linear(alpha));
    case ET_COLOR_UNORM:
        return et_unorm_code(alpha, format->code_bits) >> (format->code_bits - 8);
    case ET_COLOR_SNORM: {
        const int32_t code = et_snorm_code(alpha, format->code_bits);
        return code < 0 ? 0 : format->code_bits == 8 ? (uint32_t)code * 2 : (uint32_t)code >> 7;
    }
    default:
        return alpha > 0 ? (uint32_t)ET_MIN(floorf(alpha * 256), 255.0f) : 0;
    }
}
