/* The arithmetic of triangle setup and attribute evaluation. [HW:H200]
 *
 * T(x) keeps 24 significant bits, toward zero. The doubled area D is exact, then T; its reciprocal is a table
 * of 128 quadratic segments. Edge vectors are differences of 24 bits (one more while they are aligned), x and
 * y cut at the same last bit. Differences of values are taken from the vertex opposite the longest edge by
 * max(|dx|, |dy|) of those vectors: the left one (then the upper) where two are equally long, the base vertex
 * where all are [HW:H200, conformance/hardware/planes, far.h]. Barycentric gradients are T(edge * 1/D). An
 * attribute's gradient is the sum of two products (difference of values) x (barycentric gradient) from a
 * Booth multiplier that rounds each row at column 17 and the sum at column 21; the sum is aligned to the
 * larger un-normalised exponent and cut to 24 bits. The constant belongs to a corner of the 4x4 block of the
 * top vertex (of two, the left one), moved into the viewport's clip rectangle: the base vertex's value and
 * two products gradient x distance, whose rows (one for each bit of the distance) are cut at column 19 before
 * they are added. An attribute's constant is then cut to 24 bits, and to a unit of 2^(e - 29), e being the
 * largest of a's exponent, b's and the constant's less 12. A value is made from the centre of the pixel's
 * quad: the constant, the two products with the distances to that centre, each floored to a unit, and the two
 * of the offsets from there with a and b cut toward zero at 16 units; then T. A coefficient below 2^-13 units
 * is lost [far.h]. A negative sum is complemented without adding one, so its magnitude is short by a unit.
 * The depth unit has 29 bits of the constant, toward zero, makes from it one for the centre of each tile of
 * 8x8 samples (its products cut toward zero at 1/16 of a unit [far.h]), cut to 27 bits toward zero, and goes
 * on from there in the same way, with the unit of that constant.
 *
 * Depth bias is the sum of its constant and of the steepest gradient times the slope factor, a product of the
 * gradients' multiplier with its sum rounded at column 18, both cut at 2^(larger un-normalised exponent -
 * 28), then to 29 bits. It is added to the plane's constant with one guard bit and cut to 29 bits again.
 *
 * A line is set up the same way with D its squared length and the gradients T(direction * 1/D), one product a
 * coefficient; its reference point is the upper end's corner of the box that half the width makes about it
 * (the right one of a horizontal line). A point's sprite has the gradient 1/size, by the same reciprocal, and
 * 1/2 at its centre; the reference point is the left and upper corner. [HW:H200: points and lines of
 * conformance/scenes, and the seeds kept back] */
#include "isa/numeric/plane.h"

#include "base/bits.h"
#include "isa/numeric/plane-quad.h"
#include "isa/numeric/setup_rcp.h"

#include <math.h>
#include <stdlib.h>

typedef struct et_plane_number number;
typedef __int128 wide;

enum { NO_EXPONENT = -100000, DEPTH_BITS = 29 };

static int bit_length(uint64_t m)
{
    return m ? 64 - __builtin_clzll(m) : 0;
}

static uint64_t magnitude(int64_t m)
{
    return m < 0 ? -(uint64_t)m : (uint64_t)m;
}

/* m >> n toward zero; negative n shifts up. */
static int64_t shift_down(int64_t m, int n)
{
    if (n <= 0)
        return n < -62 ? 0 : (int64_t)((uint64_t)m << -n);
    if (n > 62)
        return 0;
    return m < 0 ? -(-m >> n) : m >> n;
}

static number from_float(float value)
{
    const uint32_t bits = et_float_bits(value);
    const int exponent = (int)et_bits(bits, 30, 23);
    const int64_t m = (bits & 0x7fffff) | 0x800000;
    return exponent ? (number){bits >> 31 ? -m : m, exponent - 150} : (number){0, 0};
}

static number truncate(number a, int bits)
{
    const int excess = bit_length(magnitude(a.m)) - bits;
    return excess > 0 ? (number){shift_down(a.m, excess), a.e + excess} : a;
}

/* Exactly 24 bits of mantissa. */
static number normalise(number a)
{
    const int excess = bit_length(magnitude(a.m)) - 24;
    return a.m ? (number){shift_down(a.m, excess), a.e + excess} : a;
}

/* Exponent of the leading bit. */
static int top_of(number a)
{
    return a.m ? bit_length(magnitude(a.m)) - 1 + a.e : NO_EXPONENT;
}

/* 2^e; 0 where e is no normal double's. */
static double power_of_two(int e)
{
    return e >= -1022 && e <= 1023 ? et_double((uint64_t)(e + 1023) << 52) : 0;
}

static double to_double(number a)
{
    const double scale = power_of_two(a.e);
    return scale > 0 ? (double)a.m * scale : ldexp((double)a.m, a.e);
}

/* ilogb of a finite v. */
static int exponent_of(double v)
{
    const int e = (int)(et_double_bits(v) >> 52 & 2047);
    return e ? e - 1023 : ilogb(v);
}

/* The 24-bit multiplier of gradients and of bias: bit 0 of the first factor is a row of its own, the rest is
 * recoded to radix-4 Booth digits at bits 1, 3 .. 25; rows are rounded at column 17, the sum at `column`. */
static number booth_multiply(number a, number b, int column)
{
    a = normalise(a);
    b = normalise(b);
    if (!a.m || !b.m)
        return (number){0, 0};
    const bool negative = (a.m < 0) != (b.m < 0);
    const int64_t x = (int64_t)magnitude(a.m), y = (int64_t)magnitude(b.m), half = 1 << 16;
    /* rows 17 and up lose nothing: the digits of x >> 16, of which the lowest bit is the last window's carry
     */
    int64_t sum = (INT64_C(1) << (column - 1)) + y * ((x >> 17 << 17) + ((x >> 16 & 1) << 17));
    if (x & 1)
        sum += (y + half) >> 17 << 17;
    for (int i = 1; i <= 15; i += 2) {
        const int window = (int)(((x & ~INT64_C(1)) >> (i - 1)) & 7);
        const int digit = (window & 1) + (window >> 1 & 1) - 2 * (window >> 2);
        const int64_t row = ((y * (digit < 0 ? -digit : digit) << i) + half) >> 17 << 17;
        sum += digit < 0 ? -row : row;
    }
    sum >>= column;
    return (number){negative ? -sum : sum, a.e + b.e + column};
}

static number gradient_multiply(number a, number b)
{
    return booth_multiply(a, b, 21);
}

static number gradient_add(number p, number q)
{
    if (!p.m || !q.m)
        return truncate(p.m ? p : q, 24);
    const int e = p.e > q.e ? p.e : q.e;
    return truncate((number){shift_down(p.m, e - p.e) + shift_down(q.m, e - q.e), e}, 24);
}

/* a + b aligned with one guard bit below `bits`, then cut to them. */
static number add(number a, number b, int bits)
{
    const int top = ET_MAX(top_of(a), top_of(b)), e = top - bits;
    if (top == NO_EXPONENT)
        return (number){0, 0};
    return truncate((number){shift_down(a.m, e - a.e) + shift_down(b.m, e - b.e), e}, bits);
}

static number difference(number value, number reference)
{
    return add(value, (number){-reference.m, reference.e}, 24);
}

/* 1 / 1.mantissa by segments of 2^16 mantissas; the exponent follows. */
static number setup_reciprocal(number d)
{
    const uint64_t m = magnitude(d.m) & 0x7fffff;
    const int32_t *c = et_setup_rcp[m >> 16];
    const int64_t x = (int64_t)(m & 0xffff), square = (x * x) >> 16;
    const int64_t n = ((((int64_t)c[0] << 16) + c[1] * x + 2 * (int64_t)c[2] * square) >> 18) + (1 << 23);
    return (number){d.m < 0 ? -n : n, -24 - (d.e + 23)};
}

static number from_wide(wide v)
{
    const bool negative = v < 0;
    unsigned __int128 m = negative ? -(unsigned __int128)v : (unsigned __int128)v;
    int e = 0;
    while (m >> 62) {
        m >>= 1;
        e++;
    }
    return (number){negative ? -(int64_t)m : (int64_t)m, e};
}

static int compare(number a, number b)
{
    const double left = to_double(a), right = to_double(b);
    return (left > right) - (left < right);
}

static int length_of(number a)
{
    return a.m ? bit_length(magnitude(a.m)) + a.e : 0;
}

/* How strongly the magnitudes of a and b differ for the choice of the base vertex: by bit lengths first, then
 * by signs, then by the highest bit. */
static int level(number a, number b)
{
    const int la = length_of(a), lb = length_of(b), e = ET_MIN(a.e, b.e);
    if (!a.m && !b.m) /* whatever their exponents */
        return -1000;
    if (la != lb)
        return 100 + ET_MAX(la, lb);
    if ((a.m < 0) != (b.m < 0))
        return 0;
    const uint64_t differing = magnitude(a.m) << (a.e - e) ^ magnitude(b.m) << (b.e - e);
    return differing ? bit_length(differing) + e - la : -1000;
}

/* Whether a is the preferred one of two coordinates that differ at that level. */
static bool is_preferred(number a, number b, int at_level)
{
    return at_level == 0 ? b.m < 0 : fabs(to_double(a)) < fabs(to_double(b));
}

/* Bits up to the highest in which the exponents of a and b differ, as single floats hold them in pixels. */
static int exponent_bits(number a, number b)
{
    enum { BIAS = 127 - 1 - 8 };
    return bit_length((uint64_t)((length_of(a) + BIAS) ^ (length_of(b) + BIAS)));
}

static bool is_before(const struct et_plane_basis *basis, int p, int q)
{
    const number px = basis->x[p], py = basis->y[p], qx = basis->x[q], qy = basis->y[q];
    const int across = level(px, qx), down = level(py, qy);
    bool by_y = down >= across && compare(py, qy) != 0;
    if (down == across && down >= 100) /* of 19,576 choices in cut.h's lists this takes 239 misses to 45 */
        by_y = exponent_bits(py, qy) >= exponent_bits(px, qx);
    return by_y ? is_preferred(py, qy, down) : is_preferred(px, qx, across);
}

static bool is_left(const struct et_plane_basis *basis, int p, int q)
{
    const int across = compare(basis->x[p], basis->x[q]);
    return across ? across < 0 : compare(basis->y[p], basis->y[q]) < 0;
}

static int32_t clamp_pixel(number fixed, int32_t low, int32_t high)
{
    const double pixel = floor(to_double(fixed) / 256);
    return pixel < low ? low : pixel > high ? high : (int32_t)pixel;
}

/* (x, y) from one vertex to another as setup has it, in 1/256 pixel: differences of 24 bits, the smaller one
 * cut at the larger one's last bit. */
static void edge_vector(const struct et_plane_basis *basis, int from, int to, number *x, number *y)
{
    const number dx = difference(basis->x[to], basis->x[from]), dy = difference(basis->y[to], basis->y[from]);
    const int last = ET_MAX(0, ET_MAX(top_of(dx), top_of(dy)) - 23);
    *x = (number){shift_down(dx.m, last - dx.e), last};
    *y = (number){shift_down(dy.m, last - dy.e), last};
}

/* Edge k is opposite vertex k. */
struct edges {
    number x[3], y[3];
};

static void make_edges(const struct et_plane_basis *basis, struct edges *edges)
{
    for (int k = 0; k < 3; k++) {
        const int from = k == 2 ? 0 : k + 1, to = from == 2 ? 0 : from + 1;
        edge_vector(basis, from, to, &edges->x[k], &edges->y[k]);
    }
}

/* The vertex that value differences are taken from. */
static int difference_vertex(const struct et_plane_basis *basis, const struct edges *edges)
{
    double length[3];
    int found = 0, longest = 1;
    for (int k = 0; k < 3; k++)
        length[k] = fmax(fabs(to_double(edges->x[k])), fabs(to_double(edges->y[k])));
    for (int k = 1; k < 3; k++) {
        if (length[k] == length[found])
            longest++;
        else if (length[k] > length[found])
            longest = 1;
        if (length[k] > length[found] || (length[k] == length[found] && is_left(basis, k, found)))
            found = k;
    }
    return longest == 3 ? basis->base : found;
}

/* T of an edge's component times 1/D: exact products of up to 24 and 24 bits. */
static number direction(number component, number inverse)
{
    number product = {component.m * inverse.m, component.e + inverse.e - 8};
    return truncate(product, 24);
}

static int32_t reach_of(const struct et_plane_basis *basis, int32_t x0, int32_t y0, int32_t x1, int32_t y1)
{
    const int32_t far_x = ET_MAX(x1 - basis->rx, basis->rx - x0),
                  far_y = ET_MAX(y1 - basis->ry, basis->ry - y0);
    return (ET_MAX(far_x, far_y) + 16) * 256;
}

/* a - b, cut toward zero where it would take more than 60 bits. */
static number long_difference(number a, number b)
{
    const int e = ET_MAX(ET_MIN(a.e, b.e), ET_MAX(top_of(a), top_of(b)) - 60);
    return (number){shift_down(a.m, e - a.e) - shift_down(b.m, e - b.e), e};
}

static wide shift_wide(wide m, int n)
{
    return !m || n > 126 ? 0 : m < 0 ? -(-m >> n) : m >> n;
}

/* Twice the area in pixels, from the nearest vertex; exact while its products have one exponent. */
static number area_of(const struct et_plane_basis *basis)
{
    const number *x = basis->x, *y = basis->y;
    const int v = x[0].e <= x[1].e && x[0].e <= x[2].e ? 0 : x[1].e <= x[2].e ? 1 : 2;
    const int i = (v + 1) % 3, j = (v + 2) % 3;
    const number x1 = long_difference(x[i], x[v]), y1 = long_difference(y[i], y[v]);
    const number x2 = long_difference(x[j], x[v]), y2 = long_difference(y[j], y[v]);
    const wide p = (wide)x1.m * y2.m, q = (wide)x2.m * y1.m;
    const int ep = x1.e + y2.e, eq = x2.e + y1.e;
    const int e = ET_MAX(p ? ep : eq, q ? eq : ep);
    number area = from_wide(shift_wide(p, e - ep) - shift_wide(q, e - eq));
    area.e += e - 16;
    return area;
}

bool et_plane_basis_make(struct et_plane_basis *basis, const struct et_plane_number x[3],
                         const struct et_plane_number y[3], int32_t x0, int32_t y0, int32_t x1, int32_t y1)
{
    struct edges edges;
    int topmost = 0;
    for (int k = 0; k < 3; k++) {
        basis->x[k] = x[k];
        basis->y[k] = y[k];
    }
    const number area = area_of(basis);
    if (!area.m)
        return false;
    const number inverse = setup_reciprocal(normalise(area));
    basis->base = 0;
    for (int k = 1; k < 3; k++) {
        const int down = compare(y[k], y[topmost]);
        if (down < 0 || (down == 0 && compare(x[k], x[topmost]) < 0))
            topmost = k;
        if (is_before(basis, k, basis->base))
            basis->base = k;
    }
    make_edges(basis, &edges);
    basis->r = difference_vertex(basis, &edges);
    basis->rx = clamp_pixel(x[topmost], x0, x1 - 1) & ~3;
    basis->ry = clamp_pixel(y[topmost], y0, y1 - 1) & ~3;
    for (int n = 1; n < 3; n++) { /* the other vertices' */
        const int k = (basis->r + n) % 3;
        const number down = direction(edges.y[k], inverse);
        basis->ex[k] = (number){-down.m, down.e};
        basis->ey[k] = direction(edges.x[k], inverse);
    }
    basis->reach = reach_of(basis, x0, y0, x1, y1);
    return true;
}

bool et_plane_basis_make_line(struct et_plane_basis *basis, const int64_t x[2], const int64_t y[2],
                              int64_t half_width, int32_t x0, int32_t y0, int32_t x1, int32_t y1)
{
    const wide dx = x[1] - x[0], dy = y[1] - y[0];
    number d = from_wide(dx * dx + dy * dy), ex, ey;
    if (!d.m)
        return false;
    d.e -= 16;
    const number inverse = setup_reciprocal(normalise(d));
    *basis = (struct et_plane_basis){.x = {{x[0], 0}, {x[1], 0}}, .y = {{y[0], 0}, {y[1], 0}}};
    edge_vector(basis, 0, 1, &ex, &ey);
    basis->ex[1] = direction(ex, inverse);
    basis->ey[1] = direction(ey, inverse);
    basis->base = is_before(basis, 1, 0);
    const bool right = dy == 0 || (dx != 0 && (dx < 0) != (dy < 0)); /* the upper end is the right one */
    const int64_t corner = right ? ET_MAX(x[0], x[1]) + half_width : ET_MIN(x[0], x[1]) - half_width;
    basis->rx = clamp_pixel((number){corner, 0}, x0, x1 - 1) & ~3;
    basis->ry = clamp_pixel((number){ET_MIN(y[0], y[1]) - half_width, 0}, y0, y1 - 1) & ~3;
    basis->reach = reach_of(basis, x0, y0, x1, y1);
    return true;
}

void et_plane_basis_start_line_at(struct et_plane_basis *basis, bool x_major, int64_t top, int32_t x0,
                                  int32_t y0, int32_t x1, int32_t y1)
{
    int32_t *const reference = x_major ? &basis->rx : &basis->ry;
    *reference = clamp_pixel((number){top * 256, 0}, x_major ? x0 : y0, (x_major ? x1 : y1) - 1) & ~3;
    basis->reach = reach_of(basis, x0, y0, x1, y1);
}

bool et_plane_basis_make_aliased_line(struct et_plane_basis *basis, const int64_t x[2], const int64_t y[2],
                                      int64_t top, int32_t x0, int32_t y0, int32_t x1, int32_t y1)
{
    const int64_t dx = x[1] - x[0], dy = y[1] - y[0];
    const bool x_major = magnitude(dx) >= magnitude(dy);
    if (!dx && !dy)
        return false;
    *basis = (struct et_plane_basis){.x = {{x[0], 0}, {x[1], 0}}, .y = {{y[0], 0}, {y[1], 0}}};
    *(x_major ? &basis->ex[1] : &basis->ey[1]) = setup_reciprocal(normalise((number){x_major ? dx : dy, -8}));
    basis->base = is_before(basis, 1, 0);
    basis->rx = clamp_pixel((number){x_major ? top * 256 : x[0], 0}, x0, x1 - 1) & ~3;
    basis->ry = clamp_pixel((number){x_major ? y[0] : top * 256, 0}, y0, y1 - 1) & ~3;
    basis->reach = reach_of(basis, x0, y0, x1, y1);
    return true;
}

void et_plane_basis_make_point(struct et_plane_basis *basis, int64_t x, int64_t y, int64_t size, int32_t x0,
                               int32_t y0, int32_t x1, int32_t y1)
{
    const number inverse = setup_reciprocal(normalise((number){size, -8}));
    *basis = (struct et_plane_basis){.x = {{x, 0}}, .y = {{y, 0}}};
    basis->ex[1] = basis->ey[2] = inverse;
    basis->rx = clamp_pixel((number){x - size / 2, 0}, x0, x1 - 1) & ~3;
    basis->ry = clamp_pixel((number){y - size / 2, 0}, y0, y1 - 1) & ~3;
    basis->reach = reach_of(basis, x0, y0, x1, y1);
}

static int low_bit(double v)
{
    const uint64_t bits = et_double_bits(v), fraction = bits & ((UINT64_C(1) << 52) - 1);
    const int e = (int)(bits >> 52 & 2047);
    if (v == 0)
        return 100000;
    return (e ? e : 1) - 1075 + __builtin_ctzll(e ? fraction | UINT64_C(1) << 52 : fraction);
}

/* Sets the units and plain, loses what has no place in a sum, and makes reach 0 - 1 where doubles can't hold
 * every sum within it. */
static void finish(struct et_plane *plane, int32_t reach)
{
    double *const gradient[2] = {&plane->a, &plane->b};
    plane->reach = reach;
    plane->unit = plane->tile_unit = 0;
    plane->kind = ET_PLANE_GENERAL;
    if (!isfinite(plane->a) || !isfinite(plane->b)) {
        plane->a = plane->b = 0;
        plane->c = NAN;
    }
    const double steepest = fmax(fabs(plane->a), fabs(plane->b));
    if (steepest == 0 && plane->c >= 0x1p-126 && plane->c < 0x1p127)
        plane->kind = ET_PLANE_FLAT;
    if (steepest == 0 || !isfinite(plane->c))
        return;
    const double least = to_double((number){1, exponent_of(steepest) + 8 - 29}), /* per pixel */
        of_constant = et_plane_constant_unit(plane->c), unit = fmax(least, of_constant);
    for (int k = 0; k < 2; k++)
        if (fabs(*gradient[k]) < of_constant * 0x1p-21)
            *gradient[k] = 0;
    if (plane->tile_x) {
        plane->unit = least; /* a tile's constant may allow more */
        for (int k = 0; k < 2; k++)
            if (low_bit(*gradient[k]) + 8 < exponent_of(unit) - 4)
                plane->tile_unit = unit / 16;
    } else {
        plane->unit = unit;
        plane->c = trunc(plane->c / unit) * unit;
    }
    plane->plain = et_plane_is_plain(plane, plane->unit);
    int low = ET_MIN(low_bit(plane->c), exponent_of(plane->unit) - 4);
    if (plane->plain || (plane->tile_x && plane->tile_unit == 0))
        low = ET_MIN(low, ET_MIN(low_bit(plane->a), low_bit(plane->b)));
    const double largest = steepest * 2 * reach + fabs(plane->c) + plane->unit;
    if (exponent_of(largest) + 1 - low > 53)
        plane->reach = -1;
    /* a sum is a multiple of a unit's sixteenth */
    if (plane->plain && !plane->tile_x && plane->reach >= 0 && plane->unit >= 0x1p-60 && largest < 0x1p126 &&
        (plane->c != 0 || !signbit(plane->c)))
        plane->kind = ET_PLANE_EASY;
}

/* Product in the constant: a row for each bit set of the distance, each cut at column 19 of 48. */
static number constant_product(number a, number d)
{
    d = normalise(d);
    a = normalise(a);
    const bool negative = (a.m < 0) != (d.m < 0);
    const uint64_t y = magnitude(a.m);
    int64_t sum = 0;
    for (uint64_t rest = magnitude(d.m); rest; rest &= rest - 1)
        sum += (int64_t)(y << __builtin_ctzll(rest) >> 19);
    return (number){negative ? -sum : sum, a.e + d.e + 19};
}

/* From a vertex's coordinate to the reference point's, in pixels. */
static number from_vertex(int32_t reference, number coordinate)
{
    number d = long_difference((number){reference, 0}, coordinate);
    d.e -= 8;
    return d;
}

void et_plane_make(const struct et_plane_basis *basis, const float value[3], bool depth,
                   struct et_plane *plane)
{
    enum { GUARD = 5 }; /* bits below 24 in the sum of the constant */
    const int r = basis->r, i = (r + 1) % 3, j = (r + 2) % 3, v = basis->base;
    *plane = (struct et_plane){.rx = basis->rx * 256, .ry = basis->ry * 256};
    for (int k = 0; k < 3; k++)
        if (!isfinite(value[k])) { /* not measured: no finite value is made up [INF] */
            plane->c = NAN;
            finish(plane, basis->reach);
            return;
        }
    if (value[0] == value[1] && value[0] == value[2]) { /* the sums below leave it alone */
        plane->c = to_double(from_float(value[0]));
        plane->tile_x = plane->tile_y = depth ? ET_PLANE_TILE : 0;
        finish(plane, basis->reach);
        return;
    }
    const number reference = from_float(value[r]);
    const number di = difference(from_float(value[i]), reference);
    const number dj = difference(from_float(value[j]), reference);
    const number a = gradient_add(gradient_multiply(di, basis->ex[i]), gradient_multiply(dj, basis->ex[j]));
    const number b = gradient_add(gradient_multiply(di, basis->ey[i]), gradient_multiply(dj, basis->ey[j]));

    const number dx = from_vertex(plane->rx, basis->x[v]), dy = from_vertex(plane->ry, basis->y[v]);
    const number terms[3] = {constant_product(a, dx), constant_product(b, dy), from_float(value[v])};
    int top = top_of(terms[2]);
    if (a.m && dx.m)
        top = ET_MAX(top, top_of(a) + top_of(dx));
    if (b.m && dy.m)
        top = ET_MAX(top, top_of(b) + top_of(dy));
    number c = {0, top - 23 - GUARD};
    if (top > NO_EXPONENT)
        for (int k = 0; k < 3; k++)
            if (terms[k].m)
                c.m += shift_down(terms[k].m, c.e - terms[k].e);
    plane->a = to_double((number){a.m, a.e - 8});
    plane->b = to_double((number){b.m, b.e - 8});
    plane->c = to_double(truncate(c, depth ? DEPTH_BITS : 24));
    plane->tile_x = plane->tile_y = depth ? ET_PLANE_TILE : 0;
    finish(plane, basis->reach);
}

/* T of a double. */
static double truncate24(double v)
{
    return et_double(et_double_bits(v) & ~((UINT64_C(1) << 29) - 1));
}

void et_plane_from_linear(struct et_plane *plane, double a, double b, double c, int32_t rx, int32_t ry,
                          int32_t reach)
{
    *plane = (struct et_plane){
        .a = (double)(float)a / 256, .b = (double)(float)b / 256, .c = (double)(float)c, .rx = rx, .ry = ry};
    finish(plane, reach);
    if (plane->kind == ET_PLANE_EASY) /* the reach is any */
        plane->kind = ET_PLANE_GENERAL;
}

/* A double that holds the exact sum, as the float that comes out. */
static float to_float(double v)
{
    const double t = truncate24(v);
    if (fabs(t) < 0x1p-126)
        return v < 0 ? -0.0f : 0.0f;
    if (fabs(t) >= 0x1p128)
        return v < 0 ? -0x1.fffffep127f : 0x1.fffffep127f;
    return (float)t;
}

static number from_double(double v)
{
    int e;
    const double m = frexp(v, &e);
    number n = {(int64_t)ldexp(m, 53), e - 53};
    if (n.m) {
        const int zeros = __builtin_ctzll((uint64_t)n.m);
        n.m = n.m / (INT64_C(1) << zeros);
        n.e += zeros;
    }
    return n;
}

double et_plane_bias(const struct et_plane *plane, float factor, double constant)
{
    if (!isfinite(factor) || !isfinite(constant) || !isfinite(plane->c))
        return 0;
    const number steepest = from_double(fmax(fabs(plane->a), fabs(plane->b)) * 256);
    const number slope = booth_multiply(steepest, from_float(factor), 18), fixed = from_double(constant);
    int top = top_of(fixed);
    if (slope.m)
        top = ET_MAX(top, top_of(steepest) + top_of(from_float(factor)));
    if (top == NO_EXPONENT)
        return 0;
    const int e = top - (DEPTH_BITS - 1);
    const number sum = {shift_down(slope.m, e - slope.e) + shift_down(fixed.m, e - fixed.e), e};
    return to_double(truncate(sum, DEPTH_BITS));
}

void et_plane_add(struct et_plane *plane, double bias)
{
    if (!isfinite(plane->c))
        return;
    plane->c = to_double(add(from_double(plane->c), from_double(bias), DEPTH_BITS));
    finish(plane, plane->reach < 0 ? 1 << 22 : plane->reach);
}

/* The sum in integers of 128 bits, cut to `bits`, for planes that doubles can't hold. unit: what a negative
 * one gains. */
static double sum_wide(double x_term, double y_term, double c, double unit, int bits)
{
    const number terms[4] = {from_double(x_term), from_double(y_term), from_double(c), from_double(unit)};
    enum { TERM_BITS = 120 };
    int low = -NO_EXPONENT, high = NO_EXPONENT;
    wide sum = 0;
    for (int k = 0; k < 4; k++)
        if (terms[k].m) {
            low = ET_MIN(low, terms[k].e);
            high = ET_MAX(high, top_of(terms[k]));
        }
    low = ET_MAX(low, high - TERM_BITS);
    for (int k = 0; k < 4; k++)
        if (terms[k].m && (k < 3 || sum < 0)) {
            const int up = terms[k].e - low;
            sum += up < 0 ? shift_down(terms[k].m, -up) : (wide)terms[k].m * ((wide)1 << up);
        }
    const number n = from_wide(sum);
    return ldexp((double)truncate(n, bits).m, truncate(n, bits).e + low);
}

/* The value where doubles may not hold the sums. */
static float evaluate_wide(const struct et_plane *plane, int32_t x, int32_t y, int32_t cx, int32_t cy)
{
    struct et_plane_origin from = et_plane_origin(plane, x, y);
    if (plane->tile_x && plane->tile_unit == 0)
        from = et_plane_tile(
            plane,
            sum_wide(plane->a * (from.x - plane->rx), plane->b * (from.y - plane->ry), plane->c, 0, 27),
            from.x, from.y);
    const double x_term =
        et_plane_step(from.unit, plane->a, cx - from.x) + et_plane_offset(from.unit, plane->a, x - cx);
    const double y_term =
        et_plane_step(from.unit, plane->b, cy - from.y) + et_plane_offset(from.unit, plane->b, y - cy);
    return to_float(sum_wide(x_term, y_term, from.c, from.unit, 24));
}

void et_plane_evaluate(const struct et_plane *plane, unsigned n, const int32_t *x, const int32_t *y,
                       float *out)
{
    et_plane_evaluate_coarse(plane, n, x, y, 0, 0, out);
}

void et_plane_evaluate_coarse(const struct et_plane *plane, unsigned n, const int32_t *x, const int32_t *y,
                              unsigned across, unsigned down, float *out)
{
    const int32_t width = 512 << across, height = 512 << down; /* of a quad */
    for (unsigned i = 0; i < n; i++) {
        const int32_t cx = (x[i] & -width) + width / 2, cy = (y[i] & -height) + height / 2;
        if (plane->unit == 0) {
            out[i] = to_float(plane->c);
            continue;
        }
        if (!et_plane_reaches(plane, x[i], y[i])) {
            out[i] = evaluate_wide(plane, x[i], y[i], cx, cy);
            continue;
        }
        const struct et_plane_origin from = et_plane_origin(plane, x[i], y[i]);
        if (from.plain) {
            const double exact = plane->a * (x[i] - from.x) + plane->b * (y[i] - from.y) + from.c;
            out[i] = to_float(exact < 0 ? exact + from.unit : exact);
            continue;
        }
        const double sum = et_plane_offset(from.unit, plane->a, x[i] - cx) +
                           et_plane_offset(from.unit, plane->b, y[i] - cy) +
                           (et_plane_step(from.unit, plane->a, cx - from.x) +
                            et_plane_step(from.unit, plane->b, cy - from.y) + from.c);
        out[i] = to_float(sum < 0 ? sum + from.unit : sum);
    }
}
