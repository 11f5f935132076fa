/* Points lie where the Direct3D 11 rules put them, in 16.16 fixed point: a level is split into two mirrored
 * halves, whose points move between the next lower and the next higher whole level. [DOC: Direct3D 11
 * functional specification] Triangles are the same set too; silicon's order: the inside first, by columns of
 * rising u, then the outer ring edge by edge. [HW:H200] */
#include "pipeline/tessellator.h"

#include "base/bits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { UNIT = 65536, HALF = UNIT / 2, THIRD = 0x5555, TWO_THIRDS = 0xaaaa };

/* One level along one edge or axis. */
struct level {
    bool odd;
    int32_t fraction; /* of the half level */
    unsigned half;    /* points in a half, the middle one of an even level not among them */
    unsigned split;   /* last point before the one that splits off */
    uint32_t floor_step, ceil_step;
    unsigned points;
};

static int32_t fixed(float level)
{
    return (int32_t)lrintf(level * UNIT);
}

static uint32_t reciprocal(unsigned segments)
{
    return segments ? (UNIT + segments / 2) / segments : 0xffffffffu;
}

/* Without the most significant bit. */
static unsigned below_top_bit(unsigned value)
{
    return value ? value & ~(1u << (31 - __builtin_clz(value))) : 0;
}

static void make_level(struct level *level, float value, bool odd)
{
    const int32_t factor = fixed(value);
    int32_t half = (factor + 1) / 2;
    if (odd || half == HALF)
        half += HALF;
    const int32_t low = half & ~(UNIT - 1), high = (half + UNIT - 1) & ~(UNIT - 1);
    level->odd = odd;
    level->fraction = half - low;
    level->half = (unsigned)(high >> 16);
    if (low == high)
        level->split = level->half + 1;
    else if (odd)
        level->split = low == UNIT ? 0 : (below_top_bit((unsigned)(low >> 16) - 1) << 1) + 1;
    else
        level->split = (below_top_bit((unsigned)(low >> 16)) << 1) + 1;
    level->floor_step = reciprocal((unsigned)((low * 2) >> 16) - odd);
    level->ceil_step = reciprocal((unsigned)((high * 2) >> 16) - odd);
    if (odd)
        level->points = (unsigned)(((HALF + (factor + 1) / 2 + UNIT - 1) & ~(UNIT - 1)) * 2 >> 16);
    else
        level->points = (unsigned)((((factor + 1) / 2 + UNIT - 1) & ~(UNIT - 1)) * 2 >> 16) + 1;
}

/* Where point `i` of the level lies. */
static int32_t place(const struct level *level, unsigned i)
{
    const bool mirrored = i >= level->half;
    if (mirrored)
        i = 2 * level->half - i - level->odd;
    if (i == level->half)
        return HALF;
    const uint32_t on_floor = (i > level->split ? i - 1 : i) * level->floor_step,
                   on_ceil = i * level->ceil_step;
    const uint64_t blend = (uint64_t)on_floor * (uint32_t)(UNIT - level->fraction) +
                           (uint64_t)on_ceil * (uint32_t)level->fraction;
    const int32_t at = (int32_t)((blend + HALF) >> 16);
    return mirrored ? UNIT - at : at;
}

static unsigned add_point(struct et_tessellation *out, int32_t u, int32_t v)
{
    out->point[out->points] = (struct et_tess_point){u, v};
    return out->points++;
}

/* ---- levels ---- */

static float bounded(float value, float low, float high)
{
    return value > low ? (value < high ? value : high) : low; /* NaN: low */
}

struct bounds {
    float low, high;
};

static struct bounds bounds_of(enum et_tess_spacing spacing)
{
    return spacing == ET_TESS_FRACTIONAL_ODD    ? (struct bounds){1, 63}
           : spacing == ET_TESS_FRACTIONAL_EVEN ? (struct bounds){2, 64}
                                                : (struct bounds){1, 64};
}

static bool is_even(float value)
{
    return fmodf(value, 2) == 0;
}

static float clamp_level(float value, enum et_tess_spacing spacing, float low)
{
    const struct bounds bounds = bounds_of(spacing);
    value = bounded(value, low, bounds.high);
    return spacing == ET_TESS_INTEGER ? ceilf(value) : value;
}

/* An outer level: its parity is that of the spacing, or of the number. */
static void outer_level(struct level *level, float value, enum et_tess_spacing spacing)
{
    value = clamp_level(value, spacing, bounds_of(spacing).low);
    make_level(level, value,
               spacing == ET_TESS_INTEGER ? !is_even(value) : spacing == ET_TESS_FRACTIONAL_ODD);
}

static void inner_level(struct level *level, float value, enum et_tess_spacing spacing)
{
    const bool odd =
        spacing == ET_TESS_INTEGER ? !(is_even(value) || value == 1) : spacing == ET_TESS_FRACTIONAL_ODD;
    make_level(level, value, odd);
    level->points = ET_MAX(level->points, odd ? 4u : 3u);
}

/* Inner levels, clamped; an odd level above 1 anywhere forces a ring between the edges and the inside. */
static void clamp_inner(float *inner, unsigned inners, const float *outer, unsigned outers,
                        enum et_tess_spacing spacing)
{
    const float step = 1.0f / UNIT;
    float low = bounds_of(spacing).low;
    if (spacing == ET_TESS_FRACTIONAL_ODD) {
        for (unsigned i = 0; i < outers; i++)
            if (outer[i] > 1 + step / 2)
                low = 1 + step;
        for (unsigned i = 0; i < inners && inners == 2; i++)
            if (inner[i] > 1 + step / 2)
                low = 1 + step;
    }
    for (unsigned i = 0; i < inners; i++)
        inner[i] = clamp_level(inner[i], spacing, low);
}

/* ---- connecting two rows of points ---- */

/* Where the vertices of a half edge end up when levels rise: the order in which a row is split. */
static const uint8_t split_order[33] = {0, 32, 16, 8,  17, 4,  18, 9,  19, 2,  20, 10, 21, 5,  22, 11, 23,
                                        1, 24, 12, 25, 6,  26, 13, 27, 3,  28, 14, 29, 7,  30, 15, 31};

/* The first vertex of a half edge has no counterpart on the inner row. The steps of the strip between a row
 * inside and a row outside, in the rules' direction: true steps along the outer row, false along the inner
 * one. Returns their number. */
static unsigned transition_steps(const struct level *inside, const struct level *outside, bool steps[132])
{
    const unsigned in_half = inside->half - inside->odd, out_half = outside->half - outside->odd;
    unsigned n = 0;
    if (split_order[0] < out_half)
        steps[n++] = true;
    for (unsigned i = 1; i < 33; i++) {
        if (split_order[i] < in_half)
            steps[n++] = false;
        if (split_order[i] < out_half)
            steps[n++] = true;
    }
    if (inside->odd && outside->odd) {
        steps[n++] = false;
        steps[n++] = true;
    } else if (inside->odd != outside->odd) {
        steps[n++] = outside->odd;
    }
    for (unsigned i = 32; i >= 1; i--) {
        if (split_order[i] < out_half)
            steps[n++] = true;
        if (split_order[i] < in_half)
            steps[n++] = false;
    }
    if (split_order[0] < out_half)
        steps[n++] = true;
    return n;
}

/* A closed ring of points, or a part of it: point k is base + k, but the last of the last edge is the ring's
 * first. */
struct row {
    unsigned base, wrap, first; /* base + k == wrap stands for `first` */
};

static unsigned at(const struct row *row, unsigned k)
{
    return row->base + k == row->wrap ? row->first : row->base + k;
}

struct writer {
    struct et_tessellation *out;
    bool clockwise;
};

static void add_triangle(const struct writer *w, unsigned a, unsigned b, unsigned c)
{
    struct et_tessellation *out = w->out;
    out->index[out->indices++] = (uint16_t)a;
    out->index[out->indices++] = (uint16_t)(w->clockwise ? c : b);
    out->index[out->indices++] = (uint16_t)(w->clockwise ? b : c);
}

/* One edge of the outer ring, from its end in the rules' direction. */
static void write_edge(const struct writer *w, const uint16_t *inner, unsigned inner_points,
                       const struct row *outer, unsigned outer_points, const bool *steps, unsigned count,
                       bool falling)
{
    unsigned i = inner_points - 1, o = outer_points - 1;
    while (count--) {
        if (steps[count]) {
            add_triangle(w, inner[i], at(outer, o), at(outer, o - 1));
            o--;
        } else if (falling) {
            add_triangle(w, inner[i - 1], inner[i], at(outer, o));
            i--;
        } else {
            add_triangle(w, inner[i], at(outer, o), inner[i - 1]);
            i--;
        }
    }
}

/* ---- triangles ---- */

/* Point q of an edge of the domain, or of an inner ring where `depth` > 0 (the perpendicular coordinate). */
static void ring_point(struct et_tessellation *out, unsigned edge, int32_t along, int32_t depth)
{
    const int32_t p = along - (depth + 1) / 2;
    if (depth == 0)
        add_point(out, edge == 0 ? 0 : along, edge == 0 ? along : edge == 2 ? UNIT - along : 0);
    else if (edge == 0)
        add_point(out, depth, p);
    else
        add_point(out, p, edge == 1 ? depth : UNIT - p - depth);
}

/* Edges are walked v, w, u: from (0, 1) to (0, 0), to (1, 0), back. */
static void triangle_points(struct et_tessellation *out, const struct level outer[3],
                            const struct level *inner)
{
    const unsigned rings = inner->points / 2;
    for (unsigned edge = 0; edge < 3; edge++) {
        const unsigned end = outer[edge].points - 1;
        for (unsigned p = 0; p < end; p++)
            ring_point(out, edge, place(&outer[edge], edge & 1 ? p : end - p), 0);
    }
    for (unsigned ring = 1; ring < rings; ring++) {
        const unsigned end = inner->points - 1 - ring;
        const int32_t depth = (int32_t)(((int64_t)place(inner, ring) * TWO_THIRDS + HALF) >> 16);
        for (unsigned edge = 0; edge < 3; edge++)
            for (unsigned p = ring; p < end; p++)
                ring_point(out, edge, place(inner, edge & 1 ? p : end - (p - ring)), depth);
    }
    if (!inner->odd)
        add_point(out, THIRD, THIRD);
}

/* The regular strip between two rings of an inner level, diagonals mirrored at the middle. */
static void write_regular(const struct writer *w, const struct row *inner, unsigned inner_points,
                          const struct row *outer)
{
    unsigned k = 0;
    add_triangle(w, at(outer, 0), at(outer, 1), at(inner, 0));
    for (; k < inner_points / 2 && k + 1 < inner_points; k++) {
        add_triangle(w, at(outer, k + 1), at(inner, k + 1), at(inner, k));
        add_triangle(w, at(outer, k + 1), at(outer, k + 2), at(inner, k + 1));
    }
    for (; k + 1 < inner_points; k++) {
        add_triangle(w, at(inner, k), at(outer, k + 1), at(outer, k + 2));
        add_triangle(w, at(inner, k), at(outer, k + 2), at(inner, k + 1));
    }
    add_triangle(w, at(outer, k + 1), at(outer, k + 2), at(inner, k));
}

/* Row `edge` of a ring of `edges` edges with `points` points each. */
static struct row ring_row(unsigned base, unsigned edges, unsigned edge, unsigned points)
{
    return (struct row){base + edge * (points - 1), base + edges * (points - 1), base};
}

static void triangle_inside(const struct writer *w, unsigned base, const struct level *inner)
{
    unsigned points = inner->points - 2; /* of an edge of the ring at `base` */
    for (; points >= 3; points -= 2) {
        const unsigned next = base + 3 * (points - 1);
        for (unsigned edge = 0; edge < 3; edge++) {
            const struct row outer = ring_row(base, 3, edge, points);
            const struct row in =
                points == 3 ? (struct row){next, ~0u, 0} : ring_row(next, 3, edge, points - 2);
            write_regular(w, &in, points - 2, &outer);
        }
        base = next;
    }
    if (points == 2)
        add_triangle(w, base, base + 1, base + 2);
}

/* Where a point of the inside stands when it is seen as columns of rising u: rows count from the column's
 * middle, twice. */
struct place {
    int16_t column, row;
};

static void place_ring(struct place *place, unsigned ring, unsigned edge_points, unsigned all_points)
{
    const int last = (int)edge_points - 1, first = (int)ring, m = (int)all_points;
    for (int k = 0; k < (last ? 3 * last : 1); k++) {
        int column, from_bottom = first;
        bool from_top = false;
        if (k <= last) { /* the left edge, downwards */
            column = first;
            from_bottom = first + last - k;
        } else if (k <= 2 * last) { /* the lower edge */
            column = first + k - last;
        } else { /* the slanted one, back */
            column = first + 3 * last - k;
            from_top = true;
        }
        const int count = column <= (m - 1) / 2 ? m : 2 * m - 1 - 2 * column;
        const int row = from_top ? count - 1 - first : from_bottom;
        place[k] = (struct place){(int16_t)column, (int16_t)(2 * row - (count - 1))};
    }
}

struct sorted {
    int key;
    uint16_t index[3];
};

static int by_key(const void *a, const void *b)
{
    const int x = ((const struct sorted *)a)->key, y = ((const struct sorted *)b)->key;
    return (x > y) - (x < y);
}

/* Puts the inside's triangles in silicon's order: by columns, upwards, each from the lowest point of its left
 * side. */
static void sort_inside(struct et_tessellation *out, unsigned base, const struct level *inner)
{
    struct place place[ET_TESS_POINTS_MAX];
    struct sorted triangle[ET_TESS_INDICES_MAX / 3];
    const unsigned count = out->indices / 3;
    unsigned at = base, ring = 0;
    for (unsigned points = inner->points - 2; ring == 0 || points;
         points = points > 2 ? points - 2 : 0, ring++) {
        place_ring(place + at, ring, points, inner->points - 2);
        at += points > 1 ? 3 * (points - 1) : 1;
    }
    for (unsigned t = 0; t < count; t++) {
        const uint16_t *v = out->index + 3 * t;
        unsigned start = 0;
        for (unsigned k = 1; k < 3; k++)
            if (place[v[k]].column < place[v[start]].column ||
                (place[v[k]].column == place[v[start]].column && place[v[k]].row < place[v[start]].row))
                start = k;
        triangle[t].key = place[v[start]].column * 4096 + place[v[0]].row + place[v[1]].row + place[v[2]].row;
        for (unsigned k = 0; k < 3; k++)
            triangle[t].index[k] = v[(start + 3 - k) % 3]; /* rings are written the other way round */
    }
    qsort(triangle, count, sizeof *triangle, by_key);
    for (unsigned t = 0; t < count; t++)
        memcpy(out->index + 3 * t, triangle[t].index, sizeof triangle[t].index);
}

/* ---- quads ---- */

/* The grid of an inside: `columns` x `rows` points, and the diagonal of each cell. */
struct grid {
    uint16_t point[65][65]; /* [column][row] */
    unsigned columns, rows;
};

/* Edges are walked u = 0 from v = 1, v = 0, u = 1, v = 1. */
static void quad_edges(struct et_tessellation *out, const struct level outer[4])
{
    for (unsigned edge = 0; edge < 4; edge++) {
        const unsigned end = outer[edge].points - 1;
        for (unsigned p = 0; p < end; p++) {
            const int32_t along = place(&outer[edge], edge == 1 || edge == 2 ? p : end - p);
            if (edge & 1)
                add_point(out, along, edge == 3 ? UNIT : 0);
            else
                add_point(out, edge == 2 ? UNIT : 0, along);
        }
    }
}

static void quad_inside_points(struct et_tessellation *out, const struct level inner[2], struct grid *grid)
{
    grid->columns = inner[0].points - 2;
    grid->rows = inner[1].points - 2;
    for (unsigned i = 0; i < grid->columns; i++)
        for (unsigned j = 0; j < grid->rows; j++)
            grid->point[i][j] = (uint16_t)add_point(out, place(&inner[0], i + 1), place(&inner[1], j + 1));
}

/* Cell by cell, by columns; the diagonals all run from (u, v + 1) to (u + 1, v). */
static void quad_inside(const struct writer *w, const struct grid *grid)
{
    for (unsigned i = 0; i + 1 < grid->columns; i++)
        for (unsigned j = 0; j + 1 < grid->rows; j++) {
            const unsigned a = grid->point[i][j], b = grid->point[i][j + 1], c = grid->point[i + 1][j],
                           d = grid->point[i + 1][j + 1];
            add_triangle(w, a, b, c);
            add_triangle(w, b, d, c);
        }
}

/* The inner row of an edge, in the rules' direction, as point numbers. */
static unsigned quad_row(const struct grid *grid, unsigned edge, uint16_t row[65])
{
    const unsigned count = edge & 1 ? grid->columns : grid->rows;
    for (unsigned k = 0; k < count; k++) {
        const unsigned back = count - 1 - k;
        row[k] = edge == 0   ? grid->point[0][back]
                 : edge == 1 ? grid->point[k][0]
                 : edge == 2 ? grid->point[grid->columns - 1][k]
                             : grid->point[back][grid->rows - 1];
    }
    return count;
}

/* ---- domains ---- */

static void outer_rows(const struct level *outer, unsigned edges, unsigned base[5])
{
    base[0] = 0;
    for (unsigned e = 0; e < edges; e++)
        base[e + 1] = base[e] + outer[e].points - 1;
}

static void tessellate_triangle(struct et_tessellation *out, const struct writer *w,
                                enum et_tess_spacing spacing, const float *levels, float inside)
{
    static const uint8_t order[3] = {0, 2, 1};
    struct level outer[3], inner;
    unsigned base[5];
    bool minimal = spacing != ET_TESS_FRACTIONAL_EVEN;
    clamp_inner(&inside, 1, levels, 3, spacing);
    for (unsigned e = 0; e < 3; e++) {
        outer_level(&outer[e], levels[e], spacing);
        minimal &= fixed(clamp_level(levels[e], spacing, bounds_of(spacing).low)) == UNIT;
    }
    minimal &= fixed(inside) == UNIT;
    if (minimal) {
        add_point(out, 0, UNIT);
        add_point(out, 0, 0);
        add_point(out, UNIT, 0);
        add_triangle(w, 1, 0, 2);
        return;
    }
    inner_level(&inner, inside, spacing);
    triangle_points(out, outer, &inner);
    outer_rows(outer, 3, base);
    triangle_inside(w, base[3], &inner);
    sort_inside(out, base[3], &inner);
    for (unsigned k = 0; k < 3; k++) {
        const unsigned edge = order[k], points = inner.points - 2;
        const struct row in = ring_row(base[3], 3, edge, points), ring = {base[edge], base[3], 0};
        uint16_t row[65];
        bool steps[132];
        const unsigned count = transition_steps(&inner, &outer[edge], steps);
        for (unsigned p = 0; p < points; p++)
            row[p] = (uint16_t)at(&in, p);
        write_edge(w, row, points, &ring, outer[edge].points, steps, count, edge == 1);
    }
}

static void tessellate_quad(struct et_tessellation *out, const struct writer *w, enum et_tess_spacing spacing,
                            const float *levels, const float *insides)
{
    static const uint8_t order[4] = {0, 3, 2, 1};
    struct level outer[4], inner[2];
    struct grid grid;
    float inside[2] = {insides[0], insides[1]};
    unsigned base[5];
    bool minimal = spacing != ET_TESS_FRACTIONAL_EVEN;
    clamp_inner(inside, 2, levels, 4, spacing);
    for (unsigned e = 0; e < 4; e++) {
        outer_level(&outer[e], levels[e], spacing);
        minimal &= fixed(clamp_level(levels[e], spacing, bounds_of(spacing).low)) == UNIT;
    }
    minimal &= fixed(inside[0]) == UNIT && fixed(inside[1]) == UNIT;
    if (minimal) {
        add_point(out, 0, 0);
        add_point(out, 0, UNIT);
        add_point(out, UNIT, 0);
        add_point(out, UNIT, UNIT);
        add_triangle(w, 0, 1, 2);
        add_triangle(w, 1, 3, 2);
        return;
    }
    inner_level(&inner[0], inside[0], spacing);
    inner_level(&inner[1], inside[1], spacing);
    quad_edges(out, outer);
    outer_rows(outer, 4, base);
    quad_inside_points(out, inner, &grid);
    quad_inside(w, &grid);
    for (unsigned k = 0; k < 4; k++) {
        const unsigned edge = order[k];
        const struct level *along = &inner[edge & 1 ? 0 : 1];
        const struct row ring = {base[edge], base[4], 0};
        uint16_t row[65];
        bool steps[132];
        const unsigned points = quad_row(&grid, edge, row),
                       count = transition_steps(along, &outer[edge], steps);
        write_edge(w, row, points, &ring, outer[edge].points, steps, count, edge == 1 || edge == 2);
    }
}

static void tessellate_lines(struct et_tessellation *out, enum et_tess_spacing spacing,
                             enum et_tess_primitives primitives, const float *levels)
{
    struct level density, detail;
    outer_level(&density, levels[0], ET_TESS_INTEGER);
    outer_level(&detail, levels[1], spacing);
    for (unsigned line = 0; line + 1 < density.points; line++) /* none at v = 1 */
        for (unsigned p = 0; p < detail.points; p++) {
            const unsigned point = add_point(out, place(&detail, p), place(&density, line));
            if (p && primitives != ET_TESS_POINTS) {
                out->index[out->indices++] = (uint16_t)(point - 1);
                out->index[out->indices++] = (uint16_t)point;
            }
        }
}

/* Points come by rising u, then v. [HW:H200] as far as overlapping points show */
static int by_column(const void *a, const void *b)
{
    const struct et_tess_point *p = a, *q = b;
    return p->u != q->u ? (p->u > q->u) - (p->u < q->u) : (p->v > q->v) - (p->v < q->v);
}

void et_tessellate(struct et_tessellation *out, enum et_tess_domain domain, enum et_tess_spacing spacing,
                   enum et_tess_primitives primitives, const float outer[4], const float inner[2])
{
    const struct writer w = {out, primitives == ET_TESS_CLOCKWISE};
    const unsigned outers = domain == ET_TESS_ISOLINE ? 2 : domain == ET_TESS_TRIANGLE ? 3 : 4;
    out->points = out->indices = 0;
    for (unsigned i = 0; i < outers; i++)
        if (!(outer[i] > 0))
            return;
    if (domain == ET_TESS_ISOLINE)
        tessellate_lines(out, spacing, primitives, outer);
    else if (domain == ET_TESS_TRIANGLE)
        tessellate_triangle(out, &w, spacing, outer, inner[0]);
    else
        tessellate_quad(out, &w, spacing, outer, inner);
    if (primitives == ET_TESS_POINTS) {
        qsort(out->point, out->points, sizeof *out->point, by_column);
        out->indices = out->points;
        for (unsigned i = 0; i < out->points; i++)
            out->index[i] = (uint16_t)i;
    }
}
