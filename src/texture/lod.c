#include "texture/lod.h"

#include "base/bits.h"

#include <math.h>
#include <stdbool.h>

/* 2^e, -1022 <= e <= 1023. */
static double power2(int e)
{
    return et_double((uint64_t)(e + 1023) << 52);
}

/* Exponent of x: 2^e <= |x| < 2^(e+1); x is not 0 (nor a double denormal). */
static int exponent(double x)
{
    return (int)(et_double_bits(x) >> 52 & 2047) - 1023;
}

/* Ten significant bits, toward zero. */
static double cut(double x)
{
    return et_double(et_double_bits(x) & ~((UINT64_C(1) << 43) - 1));
}

/* x to a multiple of 2^(exponent of ref - bits), half up. */
static double round_to(double x, double ref, int bits)
{
    const int e = exponent(ref) - bits;
    return floor(x * power2(-e) + 0.5) * power2(e);
}

double et_lod_derivative(float difference, uint32_t size)
{
    const double d = fabs((double)difference);
    int e, top;
    uint64_t mantissa, sum = 0;
    if (!(d > 0))
        return 0;
    if (d > 0x1p127)
        return difference < 0 ? -0x1p127 : 0x1p127;
    e = exponent(d);
    mantissa = (uint64_t)(d * power2(9 - e)); /* 512..1023 */
    top = 31 - __builtin_clz(size);
    for (uint32_t bits = size; bits; bits &= bits - 1) /* shift and add, each partial product truncated */
        sum += (mantissa << 3) >> (top - __builtin_ctz(bits));
    sum = (sum + 7) >> 3;
    return (difference < 0 ? -(double)sum : (double)sum) * power2(e + top - 9);
}

/* Sum of two lengths at the larger's exponent, ten fraction bits each, ten significant bits of the result. */
static double sum10(double a, double b)
{
    if (a == 0 || b == 0)
        return cut(a + b);
    const int e = ET_MAX(exponent(a), exponent(b)) - 10;
    const double scale = power2(-e);
    return cut((trunc(a * scale) + trunc(b * scale)) * power2(e));
}

static double length2(double a, double b)
{
    const double most = fmax(fabs(a), fabs(b)), least = fmin(fabs(a), fabs(b));
    return least == 0 ? most : most + round_to(least * 11 / 32, least, 11);
}

static double diagonal2(double a, double b)
{
    const double most = fmax(fabs(a), fabs(b)), least = fmin(fabs(a), fabs(b));
    if (most == 0)
        return 0;
    return cut(round_to(most * 11 / 16, most, 10)) +
           (least == 0 ? 0 : round_to(least * 121 / 512, least, 12));
}

double et_lod_length2(const double x[2], const double y[2])
{
    const double ux = cut(x[0]), vx = cut(x[1]), uy = cut(y[0]), vy = cut(y[1]);
    const double axes = fmax(length2(ux, vx), length2(uy, vy));
    return fmax(axes,
                fmax(diagonal2(sum10(ux, uy), sum10(vx, vy)), diagonal2(sum10(ux, -uy), sum10(vx, -vy))));
}

/* Magnitudes in falling order. */
static void sort3(const double v[3], double sorted[3])
{
    const double a = fabs(v[0]), b = fabs(v[1]), c = fabs(v[2]);
    const double high = fmax(a, b), low = fmin(a, b);
    sorted[0] = fmax(high, c);
    sorted[1] = fmax(low, fmin(high, c));
    sorted[2] = fmin(low, c);
}

static double length3(const double v[3])
{
    double s[3];
    sort3(v, s);
    return s[1] == 0 ? s[0] : s[0] + cut(round_to(s[1] * 11 / 32, s[1], 11)) + s[2] / 4;
}

static double diagonal3(const double v[3])
{
    double s[3];
    sort3(v, s);
    if (s[0] == 0)
        return 0;
    return cut(round_to(s[0] * 11 / 16, s[0], 10)) +
           (s[1] == 0 ? 0 : cut(round_to(s[1] * 121 / 512, s[1], 12))) +
           (s[2] == 0 ? 0 : cut(round_to(s[2] * 11 / 64, s[2], 12)));
}

double et_lod_length3(const double x[3], const double y[3])
{
    double cx[3], cy[3], plus[3], minus[3];
    for (unsigned k = 0; k < 3; k++) {
        cx[k] = cut(x[k]);
        cy[k] = cut(y[k]);
        plus[k] = sum10(cx[k], cy[k]);
        minus[k] = sum10(cx[k], -cy[k]);
    }
    return fmax(fmax(length3(cx), length3(cy)), fmax(diagonal3(plus), diagonal3(minus)));
}

unsigned et_cube_face(const float vector[3], float *s, float *t, float *major)
{
    const float x = vector[0] == vector[0] ? vector[0] : 0, y = vector[1] == vector[1] ? vector[1] : 0;
    const float z = vector[2] == vector[2] ? vector[2] : 0;
    const float ax = fabsf(x), ay = fabsf(y), az = fabsf(z);
    if (az >= ax && az >= ay) {
        *major = az;
        *s = z < 0 ? -x : x;
        *t = -y;
        return z < 0 ? 5 : 4;
    }
    if (ay >= ax) {
        *major = ay;
        *s = x;
        *t = y < 0 ? -z : z;
        return y < 0 ? 3 : 2;
    }
    *major = ax;
    *s = x < 0 ? z : -z;
    *t = -y;
    return x < 0;
}

/* The length of a derivative that crosses onto another face: unfolded over the edge to an adjoining one, as
 * it is to the opposite one. */
static double length_across(const float from[3], unsigned from_face, const float to[3], unsigned to_face,
                            double half)
{
    const unsigned a0 = from_face >> 1, a1 = to_face >> 1, third = 3 - a0 - a1;
    const double sign0 = from_face & 1 ? -1 : 1, sign1 = to_face & 1 ? -1 : 1;
    double v[3];
    if (a0 != a1)
        return length2(cut(((double)to[third] - from[third]) * half),
                       cut(sum10(cut(1 - sign1 * from[a1]), cut(1 - sign0 * to[a0])) * half));
    for (unsigned c = 0; c < 3; c++)
        v[c] = cut(((double)to[c] - from[c]) * half);
    return length3(v);
}

void et_lod_derivatives_cube(const float lanes[3][3], uint32_t size, struct et_cube_derivatives *out)
{
    const double half = size * 0.5;
    float s[3], t[3], major;
    float finite[3][3];
    unsigned face[3];
    for (unsigned k = 0; k < 3; k++) {
        for (unsigned c = 0; c < 3; c++) /* a hostile vector must not leave the range of the arithmetic */
            finite[k][c] = lanes[k][c] == lanes[k][c] ? fmaxf(fminf(lanes[k][c], 0x1p100f), -0x1p100f) : 0;
        face[k] = et_cube_face(finite[k], &s[k], &t[k], &major);
        finite[k][face[k] >> 1] = face[k] & 1 ? -1 : 1;
    }
    out->across = face[1] != face[0] || face[2] != face[0];
    for (unsigned k = 1; k < 3; k++) {
        double *d = out->d[k - 1];
        for (unsigned c = 0; c < 2 && out->across; c++)
            d[c] = ((double)finite[k][c] - finite[0][c]) * half;
        if (face[k] == face[0]) {
            const double inside[2] = {((double)s[k] - s[0]) * half, ((double)t[k] - t[0]) * half};
            out->length[k - 1] = length2(cut(inside[0]), cut(inside[1]));
            for (unsigned c = 0; c < 2 && !out->across; c++)
                d[c] = inside[c];
        } else {
            out->length[k - 1] = length_across(finite[0], face[0], finite[k], face[k], half);
        }
    }
}

double et_lod_length_cube(const float lanes[3][3], uint32_t size)
{
    struct et_cube_derivatives cube;
    et_lod_derivatives_cube(lanes, size, &cube);
    return cube.across ? fmax(cube.length[0], cube.length[1]) : et_lod_length2(cube.d[0], cube.d[1]);
}

int et_lod_log2(double length)
{
    if (!(length > 0))
        return ET_LOD_LEAST;
    return exponent(length) * 256 + et_log2_fraction[et_double_bits(length) >> 44 & 255];
}

int et_lod_fixed(float lod)
{
    if (!(lod == lod))
        return 0;
    return (int)(fmaxf(fminf(lod, 4096), -4096) * 256);
}

/* Product of two ten-bit mantissas, partial products truncated at three extra bits. */
static double product(double a, double b)
{
    uint64_t p, q, sum = 0;
    double result;
    if (a == 0 || b == 0)
        return 0;
    p = et_double_bits(a) >> 43 & 511, q = et_double_bits(b) >> 43 & 511;
    p |= 512, q |= 512;
    for (; q; q &= q - 1)
        sum += (p << 3) >> (9 - __builtin_ctzll(q));
    result = cut((double)((sum + 7) >> 3) * power2(exponent(a) + exponent(b) - 9));
    return (a < 0) != (b < 0) ? -result : result;
}

static double eleven_sixteenths(double v)
{
    if (v == 0)
        return 0;
    const double r = cut(round_to(fabs(v) * 11 / 16, v, 10));
    return v < 0 ? -r : r;
}

/* The major axis's unit vector in 1/128: four bits of the larger component, the other aligned to it. */
static void unit_vector(const double axis[2], struct et_anisotropy *footprint)
{
    const double a = fabs(axis[0]), b = fabs(axis[1]);
    const bool swap = b > a;
    const double most = swap ? b : a, least = swap ? a : b;
    int along = 64, across = 0;
    const int shift = least > 0 ? exponent(most) - exponent(least) : 99;
    if (shift < 6) {
        const double m = (int)(most * power2(3 - exponent(most))) + 0.5;
        const double n = ((int)(least * power2(3 - exponent(least))) >> shift) + 0.5;
        const double h = sqrt(m * m + n * n);
        along = (int)(64 * m / h + 0.5);
        across = (int)(64 * n / h + 0.5);
    }
    footprint->dx = (swap ? across : along) * (axis[0] < 0 ? -2 : 2);
    footprint->dy = (swap ? along : across) * (axis[1] < 0 ? -2 : 2);
}

/* From the major axis's length and direction and the area that it and the minor axis span. */
static void make_footprint(double length, const double axis[2], double area, unsigned most,
                           struct et_anisotropy *footprint)
{
    *footprint = (struct et_anisotropy){.lod = ET_LOD_LEAST};
    if (!(length > 0))
        return;
    const int isotropic = et_lod_log2(length), cap = et_lod_log2(most);
    int lod = area > 0 ? et_lod_log2(area) - isotropic : -100000;
    lod = ET_MIN(ET_MAX(lod, isotropic - cap), isotropic);
    footprint->lod = lod;
    footprint->ratio = ET_MAX(isotropic - ET_MAX(lod, 0), 0);
    unit_vector(axis, footprint);
}

void et_lod_anisotropic(const double x[2], const double y[2], unsigned most, struct et_anisotropy *footprint)
{
    const double ux = cut(x[0]), vx = cut(x[1]), uy = cut(y[0]), vy = cut(y[1]);
    const double along_x = cut(length2(ux, vx)), along_y = cut(length2(uy, vy));
    const int sign = along_x > along_y ? 1 : -1; /* the longer less the shorter */
    const double plus[2] = {sum10(ux, uy), sum10(vx, vy)};
    const double minus[2] = {sum10(sign * ux, -sign * uy), sum10(sign * vx, -sign * vy)};
    const double length[4] = {along_x, along_y, cut(diagonal2(plus[0], plus[1])),
                              cut(diagonal2(minus[0], minus[1]))};
    /* x+y beats y, x-y must exceed both, x beats all. */
    unsigned axis = length[2] >= length[1] ? 2 : 1;
    axis = length[3] > length[axis] ? 3 : axis;
    axis = length[0] >= length[axis] ? 0 : axis;
    const double vector[2] = {axis == 0   ? ux
                              : axis == 1 ? uy
                                          : eleven_sixteenths(axis == 2 ? plus[0] : minus[0]),
                              axis == 0   ? vx
                              : axis == 1 ? vy
                                          : eleven_sixteenths(axis == 2 ? plus[1] : minus[1])};
    make_footprint(length[axis], vector, fabs(sum10(product(ux, vy), -product(vx, uy))), most, footprint);
}

void et_lod_anisotropic_cube(const struct et_cube_derivatives *cube, unsigned most,
                             struct et_anisotropy *footprint)
{
    const double ux = cut(cube->d[0][0]), vx = cut(cube->d[0][1]), uy = cut(cube->d[1][0]),
                 vy = cut(cube->d[1][1]);
    const double along[2] = {cut(cube->length[0]), cut(cube->length[1])};
    const unsigned axis = along[0] >= along[1] ? 0 : 1;
    if (!cube->across) {
        et_lod_anisotropic(cube->d[0], cube->d[1], most, footprint);
        return;
    }
    make_footprint(along[axis], axis ? (double[2]){uy, vy} : (double[2]){ux, vx},
                   fabs(sum10(product(ux, vy), -product(vx, uy))), most, footprint);
}

/* 256 * 2^(-f/256), rounded. */
static int inverse_power(int f)
{
    return (int)(256 * exp2(-f / 256.0) + 0.5);
}

void et_anisotropic_taps(int ratio, struct et_taps *taps)
{
    int octave, v, half, inner;
    ratio = ET_MIN((ratio & 255) == 255 ? ratio + 1 : ratio, 1024);
    octave = ratio >> 8;
    v = inverse_power(ratio & 255);
    taps->scale = octave < 2 ? 512 : 1024;
    half = taps->scale / 2;
    inner = octave == 0 ? 256 : octave <= 2 ? v : v >> (octave - 2);
    taps->pairs = ET_MIN((half + inner - 1) / inner, 8);
    for (int k = 0; k < taps->pairs; k++) {
        taps->offset[k] = octave == 0 ? 256 - v : 128 + 256 * k;
        taps->weight[k] = k < taps->pairs - 1 ? inner : half - k * inner;
    }
}

/* Odd multiples of half a step are whole multiples of the stretched half step. */
int et_anisotropic_shift(int offset, int component, int stretch)
{
    if ((offset & 255) == 128)
        return 2 * ((component / 2 * stretch) >> 6) * (offset >> 7);
    return 2 * ((((offset * component + 128) >> 8) * stretch) >> 6);
}

int et_anisotropic_stretch(int fraction)
{
    return (int)(64 * exp2(fraction / 256.0) + 0.25);
}
