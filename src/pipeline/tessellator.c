/* Points lie where the Direct3D 11 rules put them, in 16.16 fixed point: a level is split into two mirrored
 * halves, whose points move between the next lower and the next higher whole level. [DOC: Direct3D 11
 * functional specification]
 *
 * Their order and the primitives' are silicon's. [HW:H200, conformance/hardware/tess] The inside comes first.
 * It is a grid, columns of rising u with rows of rising v; a triangle's is the left half of a quad's grid and
 * a smaller grid on its right side, whose lines turn at the median. Points are numbered by strips of eight
 * rows, in a strip by columns. Cells are drawn by strips of seven rows, cut into blocks of at most 32
 * vertices. Then the outer ring follows: up along u = 0, along the edge opposite v = 0, and back to the
 * origin. A patch of at most 32 points and 42 triangles is one block, whose triangles begin at the lowest
 * point number; a triangle's inside is then drawn column by column. */
#include "pipeline/tessellator.h"

#include "base/bits.h"

#include <math.h>
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

struct writer {
    struct et_tessellation *out;
    bool clockwise;
    bool small; /* the patch is one block */
};

static void add_triangle(const struct writer *w, unsigned a, unsigned b, unsigned c)
{
    struct et_tessellation *out = w->out;
    if (a == b || b == c || c == a)
        return;
    if (w->small && (b < a || c < a)) {
        const unsigned first = a;
        if (b < c) {
            a = b;
            b = c;
            c = first;
        } else {
            a = c;
            c = b;
            b = first;
        }
    }
    out->index[out->indices++] = (uint16_t)a;
    out->index[out->indices++] = (uint16_t)(w->clockwise ? c : b);
    out->index[out->indices++] = (uint16_t)(w->clockwise ? b : c);
}

/* The strip between an edge of the inside and one of the patch, both along the walk about the origin; the
 * steps are those of the rules, which walk the other way. */
static void write_edge(const struct writer *w, const uint16_t *inner, const uint16_t *outer,
                       const struct level *inside, const struct level *outside)
{
    bool steps[132];
    for (unsigned n = transition_steps(inside, outside, steps); n--;) {
        if (steps[n]) {
            add_triangle(w, *inner, outer[0], outer[1]);
            outer++;
        } else {
            add_triangle(w, inner[0], *outer, inner[1]);
            inner++;
        }
    }
}

/* ---- grids of the inside ---- */

enum { POINT_ROWS = 8, CELL_ROWS = 7 };

/* What a block holds. */
enum { BLOCK_POINTS = 32, BLOCK_TRIANGLES = 42 };

/* Point numbers by column and row. */
struct grid {
    unsigned columns, rows;
    uint16_t point[65][65];
};

/* Which cells have the diagonal from (a, b) to (a + 1, b + 1). */
enum diagonals {
    MIRRORED, /* the quarters about the origin and opposite to it; the middle column does, the middle row
                 doesn't */
    NONE
};

/* Columns first .. end - 1 of a grid's cells; `middle` cells a side make the whole that diagonals are
 * mirrored in. */
struct cells {
    const struct grid *grid;
    unsigned first, end;
    enum diagonals diagonals;
    bool by_columns;        /* whatever the block's height */
    unsigned columns, rows; /* of the whole, for the middle */
};

static bool rises(const struct cells *cells, unsigned a, unsigned b)
{
    if (cells->diagonals == NONE || 2 * b + 1 == cells->rows)
        return false;
    return 2 * a + 1 == cells->columns || (2 * a < cells->columns) == (2 * b < cells->rows);
}

static void write_cell(const struct writer *w, const struct cells *cells, unsigned a, unsigned b,
                       bool lower_first)
{
    const uint16_t(*point)[65] = cells->grid->point;
    const unsigned p00 = point[a][b], p01 = point[a][b + 1], p10 = point[a + 1][b], p11 = point[a + 1][b + 1];
    if (!rises(cells, a, b)) {
        add_triangle(w, p00, p01, p10);
        add_triangle(w, p01, p11, p10);
        return;
    }
    if (lower_first)
        add_triangle(w, p00, p11, p10);
    add_triangle(w, p00, p01, p11);
    if (!lower_first)
        add_triangle(w, p00, p11, p10);
}

/* Columns a .. a + columns - 1, rows b .. b + rows - 1: high blocks by rows, others by columns. */
static void write_block(const struct writer *w, const struct cells *cells, unsigned a, unsigned columns,
                        unsigned b, unsigned rows)
{
    if (rows >= 4 && columns <= 4 && !cells->by_columns) {
        for (unsigned j = 0; j < rows; j++)
            for (unsigned i = 0; i < columns; i++)
                write_cell(w, cells, a + i, b + j, j > 0);
        return;
    }
    for (unsigned i = 0; i < columns; i++)
        for (unsigned j = 0; j < rows; j++)
            write_cell(w, cells, a + i, b + j, i == 0);
}

static void write_cells(const struct writer *w, const struct cells *cells)
{
    for (unsigned b = 0; b + 1 < cells->grid->rows; b += CELL_ROWS) {
        const unsigned rows = ET_MIN((unsigned)CELL_ROWS, cells->grid->rows - 1 - b);
        const unsigned most = BLOCK_POINTS / (rows + 1) - 1;
        for (unsigned a = cells->first; a < cells->end; a += most)
            write_block(w, cells, a, ET_MIN(most, cells->end - a), b, rows);
    }
}

/* ---- triangles ---- */

/* A point of the inside: column and row of the columns that its rings make. */
struct inside {
    unsigned side; /* points an edge */
    struct et_tess_point at[63][63];
    uint16_t point[63][63]; /* numbers */
};

static unsigned column_rows(unsigned side, unsigned column)
{
    return column <= (side - 1) / 2 ? side : 2 * (side - column) - 1;
}

/* Point q of ring `ring`'s edge, walked v, w, u: from (0, 1) to (0, 0), to (1, 0), back. */
static struct et_tess_point ring_point(unsigned edge, int32_t along, int32_t depth)
{
    const int32_t p = along - (depth + 1) / 2;
    if (edge == 0)
        return (struct et_tess_point){depth, p};
    return (struct et_tess_point){p, edge == 1 ? depth : UNIT - p - depth};
}

static void place_inside(struct inside *in, const struct level *inner)
{
    const unsigned side = inner->points - 2;
    in->side = side;
    for (unsigned ring = 1; ring < inner->points / 2; ring++) {
        const unsigned end = inner->points - 1 - ring, r = ring - 1;
        const int32_t depth = (int32_t)(((int64_t)place(inner, ring) * TWO_THIRDS + HALF) >> 16);
        for (unsigned p = ring; p < end; p++) {
            const unsigned step = p - ring, last = side - 1 - r; /* last column or row of the ring */
            const int32_t back = place(inner, end - step), along = place(inner, p);
            in->at[r][last - step] = ring_point(0, back, depth);
            in->at[r + step][r] = ring_point(1, along, depth);
            in->at[last - step][column_rows(side, last - step) - 1 - r] = ring_point(2, back, depth);
        }
    }
    if (!inner->odd)
        in->at[side / 2][side / 2] = (struct et_tess_point){THIRD, THIRD};
}

static void number_inside(struct et_tessellation *out, struct inside *in, unsigned column, unsigned row)
{
    const struct et_tess_point at = in->at[column][row];
    in->point[column][row] = (uint16_t)add_point(out, at.u, at.v);
}

/* Columns of the left part of an even side share the point in their middle. */
static unsigned left_row(unsigned side, unsigned column, unsigned row)
{
    return row - (column_rows(side, column) < side && row >= side / 2);
}

/* Point i of line j of the right part, whose first line stands in `column`: up to the median, then back. */
static unsigned right_column(unsigned side, unsigned column, unsigned j, unsigned i)
{
    const unsigned high = side - 1 - (column + j); /* row of the median */
    return i <= high ? column + j : column + j - (i - high);
}

static unsigned right_row(unsigned side, unsigned column, unsigned j, unsigned i)
{
    const unsigned high = side - 1 - (column + j);
    return i <= high ? i : high + 2 * (i - high);
}

/* Columns of the left part: an even side's shared column too, but in a small patch. */
static unsigned left_columns(unsigned side, bool small)
{
    return side & 1 || small ? (side + 1) / 2 : side / 2 + 1;
}

static void number_insides(struct et_tessellation *out, struct inside *in, bool small)
{
    const unsigned side = in->side, left = left_columns(side, small), right = side - left;
    for (unsigned b = 0; b < side; b += POINT_ROWS)
        for (unsigned a = 0; a < left; a++)
            for (unsigned row = b; row < ET_MIN(b + POINT_ROWS, side); row++)
                if (column_rows(side, a) == side || row != side / 2)
                    number_inside(out, in, a, left_row(side, a, row));
    for (unsigned b = 0; b < right; b += POINT_ROWS)
        for (unsigned j = 0; j < right; j++)
            for (unsigned i = b; i < ET_MIN(b + POINT_ROWS, right); i++)
                number_inside(out, in, right_column(side, left, j, i), right_row(side, left, j, i));
}

/* By their first points, else as they are. */
static void sort_triangles(struct et_tessellation *out)
{
    for (unsigned i = 3; i < out->indices; i += 3) {
        const uint16_t *index = out->index + i;
        const uint16_t triangle[3] = {index[0], index[1], index[2]};
        unsigned to = i;
        for (; to && out->index[to - 3] > triangle[0]; to -= 3)
            memcpy(out->index + to, out->index + to - 3, sizeof triangle);
        memcpy(out->index + to, triangle, sizeof triangle);
    }
}

/* A small patch's columns are drawn one by one over both parts. */
static void write_inside(const struct writer *w, const struct inside *in, struct grid *grid)
{
    const unsigned side = in->side, left = side / 2, lines = (side - 1) / 2;
    struct cells cells = {.grid = grid, .by_columns = w->small, .columns = side - 1, .rows = side - 1};
    grid->rows = side;
    for (unsigned a = 0; a <= left; a++)
        for (unsigned b = 0; b < side; b++)
            grid->point[a][b] = in->point[a][left_row(side, a, b)];
    for (; cells.first < left; cells.first = cells.end) {
        cells.end = w->small ? cells.first + 1 : left;
        write_cells(w, &cells);
    }
    grid->rows = lines + 1;
    for (unsigned i = 0; i <= lines; i++) {
        grid->point[0][i] = in->point[left][i];
        for (unsigned j = 1; j <= lines; j++)
            grid->point[j][i] =
                i == lines
                    ? in->point[left][lines + j]
                    : in->point[right_column(side, left + 1, j - 1, i)][right_row(side, left + 1, j - 1, i)];
    }
    write_cells(w, &(struct cells){.grid = grid, .end = lines, .diagonals = NONE});
    if (w->small)
        sort_triangles(w->out);
}

/* The edges of the inside along the walk: up, down the slanted edge, back. */
static void inside_row(const struct inside *in, unsigned edge, uint16_t row[65])
{
    const unsigned last = in->side - 1;
    for (unsigned k = 0; k <= last; k++)
        row[k] = edge == 0   ? in->point[0][k]
                 : edge == 1 ? in->point[k][column_rows(in->side, k) - 1]
                             : in->point[last - k][0];
}

/* ---- the outer ring ---- */

/* Adds the points of an edge but its last: along the walk, `rising` with the edge's coordinate. */
static void add_edge(struct et_tessellation *out, const struct level *level, unsigned edge, unsigned edges,
                     uint16_t row[65])
{
    const unsigned last = level->points - 1;
    for (unsigned p = 0; p < last; p++) {
        const int32_t rising = place(level, p), falling = place(level, last - p);
        unsigned point;
        if (edge == 0)
            point = add_point(out, 0, rising);
        else if (edge == edges - 1)
            point = add_point(out, falling, 0);
        else if (edge == 2)
            point = add_point(out, UNIT, falling);
        else
            point = add_point(out, rising, edges == 3 ? UNIT - rising : UNIT);
        row[p] = (uint16_t)point;
    }
}

/* outer: along the walk. */
static void add_ring(struct et_tessellation *out, const struct level *outer, unsigned edges,
                     uint16_t row[4][65])
{
    for (unsigned edge = 0; edge < edges; edge++)
        add_edge(out, &outer[edge], edge, edges, row[edge]);
    for (unsigned edge = 0; edge < edges; edge++)
        row[edge][outer[edge].points - 1] = row[edge + 1 == edges ? 0 : edge + 1][0];
}

static unsigned ring_points(const struct level *outer, unsigned edges)
{
    unsigned points = 0;
    for (unsigned edge = 0; edge < edges; edge++)
        points += outer[edge].points - 1;
    return points;
}

/* ---- domains ---- */

static bool is_small(unsigned inside_points, unsigned inside_triangles, unsigned inside_edge,
                     unsigned outer_edge)
{
    return inside_points + outer_edge <= BLOCK_POINTS &&
           inside_triangles + inside_edge + outer_edge <= BLOCK_TRIANGLES;
}

static void tessellate_triangle(struct et_tessellation *out, struct writer *w, enum et_tess_spacing spacing,
                                const float *levels, float inside)
{
    static const uint8_t walk[3] = {0, 2, 1};
    struct level outer[3], inner;
    struct inside in;
    struct grid grid;
    uint16_t row[4][65], inner_row[65];
    bool minimal = spacing != ET_TESS_FRACTIONAL_EVEN;
    clamp_inner(&inside, 1, levels, 3, spacing);
    for (unsigned e = 0; e < 3; e++) {
        outer_level(&outer[e], levels[walk[e]], spacing);
        minimal &= fixed(clamp_level(levels[e], spacing, bounds_of(spacing).low)) == UNIT;
    }
    minimal &= fixed(inside) == UNIT;
    if (minimal) {
        add_ring(out, outer, 3, row);
        add_triangle(w, 0, 1, 2);
        return;
    }
    inner_level(&inner, inside, spacing);
    place_inside(&in, &inner);
    w->small = is_small((3 * in.side * in.side + 3) / 4, 3 * (in.side - 1) * (in.side - 1) / 2,
                        3 * (in.side - 1), ring_points(outer, 3));
    number_insides(out, &in, w->small);
    add_ring(out, outer, 3, row);
    write_inside(w, &in, &grid);
    for (unsigned edge = 0; edge < 3; edge++) {
        inside_row(&in, edge, inner_row);
        write_edge(w, inner_row, row[edge], &inner, &outer[edge]);
    }
}

/* The inner row of an edge, along the walk. */
static void quad_row(const struct grid *grid, unsigned edge, uint16_t row[65])
{
    const unsigned last = (edge & 1 ? grid->columns : grid->rows) - 1;
    for (unsigned k = 0; k <= last; k++)
        row[k] = edge == 0   ? grid->point[0][k]
                 : edge == 1 ? grid->point[k][grid->rows - 1]
                 : edge == 2 ? grid->point[grid->columns - 1][last - k]
                             : grid->point[last - k][0];
}

static void number_grid(struct et_tessellation *out, const struct level inner[2], struct grid *grid)
{
    grid->columns = inner[0].points - 2;
    grid->rows = inner[1].points - 2;
    for (unsigned b = 0; b < grid->rows; b += POINT_ROWS)
        for (unsigned i = 0; i < grid->columns; i++)
            for (unsigned j = b; j < ET_MIN(b + POINT_ROWS, grid->rows); j++)
                grid->point[i][j] =
                    (uint16_t)add_point(out, place(&inner[0], i + 1), place(&inner[1], j + 1));
}

static void tessellate_quad(struct et_tessellation *out, struct writer *w, enum et_tess_spacing spacing,
                            const float *levels, const float *insides)
{
    static const uint8_t walk[4] = {0, 3, 2, 1};
    struct level outer[4], inner[2];
    struct grid grid;
    float inside[2] = {insides[0], insides[1]};
    uint16_t row[4][65], inner_row[65];
    bool minimal = spacing != ET_TESS_FRACTIONAL_EVEN;
    clamp_inner(inside, 2, levels, 4, spacing);
    for (unsigned e = 0; e < 4; e++) {
        outer_level(&outer[e], levels[walk[e]], spacing);
        minimal &= fixed(clamp_level(levels[e], spacing, bounds_of(spacing).low)) == UNIT;
    }
    minimal &= fixed(inside[0]) == UNIT && fixed(inside[1]) == UNIT;
    if (minimal) {
        add_ring(out, outer, 4, row);
        add_triangle(w, 0, 1, 3);
        add_triangle(w, 1, 2, 3);
        return;
    }
    inner_level(&inner[0], inside[0], spacing);
    inner_level(&inner[1], inside[1], spacing);
    number_grid(out, inner, &grid);
    const unsigned columns = grid.columns - 1, rows = grid.rows - 1;
    w->small =
        is_small(grid.columns * grid.rows, 2 * columns * rows, 2 * (columns + rows), ring_points(outer, 4));
    add_ring(out, outer, 4, row);
    write_cells(w, &(struct cells){.grid = &grid, .end = columns, .columns = columns, .rows = rows});
    for (unsigned edge = 0; edge < 4; edge++) {
        quad_row(&grid, edge, inner_row);
        write_edge(w, inner_row, row[edge], &inner[edge & 1 ? 0 : 1], &outer[edge]);
    }
}

static void tessellate_lines(struct et_tessellation *out, enum et_tess_spacing spacing,
                             enum et_tess_primitives primitives, const float *levels)
{
    struct level density, detail;
    outer_level(&density, levels[0], ET_TESS_INTEGER);
    outer_level(&detail, levels[1], spacing);
    const unsigned lines = density.points - 1; /* none at v = 1 */
    const unsigned strip = lines * detail.points <= BLOCK_POINTS ? lines : POINT_ROWS;
    for (unsigned b = 0; b < lines; b += strip) {
        const unsigned rows = ET_MIN(strip, lines - b);
        for (unsigned p = 0; p < detail.points; p++)
            for (unsigned line = b; line < b + rows; line++) {
                const unsigned point = add_point(out, place(&detail, p), place(&density, line));
                if (p && primitives != ET_TESS_POINTS) {
                    out->index[out->indices++] = (uint16_t)(point - rows);
                    out->index[out->indices++] = (uint16_t)point;
                }
            }
    }
}

void et_tessellate(struct et_tessellation *out, enum et_tess_domain domain, enum et_tess_spacing spacing,
                   enum et_tess_primitives primitives, const float outer[4], const float inner[2])
{
    struct writer w = {out, primitives == ET_TESS_CLOCKWISE, false};
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
        out->indices = out->points;
        for (unsigned i = 0; i < out->points; i++)
            out->index[i] = (uint16_t)i;
    }
}
