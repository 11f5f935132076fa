/* Planes made side by side are those made one by one, at every CPU level. */
#include "base/bits.h"
#include "isa/numeric/plane-block.h"
#include "rasterizer/wide.h"
#include "support/suite.h"

#include <math.h>
#include <stdlib.h>

enum { BLOCKS = 1 << 17, PLANES = 3, DEPTH = 2, LEVELS = 4 };

static uint32_t next(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*state >> 32);
}

static int32_t within(uint64_t *state, int32_t low, int32_t high) /* both included */
{
    return low + (int32_t)(next(state) % (uint32_t)(high - low + 1));
}

/* A coordinate about `near`: by a spread, on a power of two, at the limit, or equal to another one. */
static int32_t coordinate(uint64_t *state, int32_t near, int32_t spread, const int32_t *other)
{
    const int32_t limit = ET_PLANE_NEAR - 1, power = 1 << within(state, 0, 22);
    int32_t at = near + within(state, -spread, spread);
    switch (next(state) % 16) {
    case 0:
        at = power - within(state, 0, 2);
        break;
    case 1:
        at = -power + within(state, 0, 2);
        break;
    case 2:
    case 3:
        at = *other;
        break;
    case 4:
        at = *other + within(state, -1, 1);
        break;
    case 5:
        at &= ~255;
        break;
    case 6:
        at = next(state) % 8 ? at : within(state, -limit, limit);
        break;
    case 7:
        at = next(state) % 8 ? -*other : within(state, 0, 1) ? limit : -limit;
        break;
    default:
        break;
    }
    return at > limit ? limit : at < -limit ? -limit : at;
}

static void fill_triangle(uint64_t *state, struct et_plane_block *block, unsigned lane)
{
    const int32_t away = 1 << within(state, 0, 22), near_x = within(state, -away, away),
                  near_y = within(state, -away, away);
    const int32_t spread_x = 1 << within(state, 0, 22), spread_y = next(state) & 3 ? spread_x : 1;
    int64_t area;
    do {
        int32_t x = near_x, y = near_y;
        for (unsigned k = 0; k < 3; k++) {
            x = block->x[k][lane] = coordinate(state, near_x, spread_x, &x);
            y = block->y[k][lane] = coordinate(state, near_y, spread_y, &y);
        }
        area = ((int64_t)block->x[1][lane] - block->x[0][lane]) * (block->y[2][lane] - block->y[0][lane]) -
               ((int64_t)block->x[2][lane] - block->x[0][lane]) * (block->y[1][lane] - block->y[0][lane]);
    } while (area == 0);
    block->x1[lane] = 1 << within(state, 0, 15);
    block->y1[lane] = within(state, 1, 1 << 15);
    block->x0[lane] = next(state) & 1 ? 0 : within(state, 0, block->x1[lane] - 1);
    block->y0[lane] = next(state) & 1 ? 0 : within(state, 0, block->y1[lane] - 1);
}

/* Values of one triangle: alike, apart by last places or by exponents, in a plane, or no numbers. */
static void fill_values(uint64_t *state, const struct et_plane_block *block, struct et_plane_values *values,
                        unsigned lane)
{
    const uint32_t kind = next(state) % 16, common = next(state);
    const float scale = ldexpf(1, within(state, -24, 8)), a = scale * (float)within(state, -999, 999),
                b = scale * (float)within(state, -999, 999), c = (float)within(state, -9999, 9999);
    for (unsigned k = 0; k < 3; k++) {
        float *const at = &values->at[k][lane];
        switch (kind) {
        case 0:
            *at = et_float(common);
            break;
        case 1:
            *at = et_float(common + (uint32_t)within(state, -1, 1));
            break;
        case 2:
            *at = et_float((common & 0xff800000) + (next(state) & 0x7fffff));
            break;
        case 3:
            *at = et_float(next(state));
            break;
        case 4:
            *at = et_float(next(state) & 1 ? common : next(state) & 0x807fffff);
            break;
        case 5:
            *at = next(state) & 1 ? (float)within(state, -1, 1) : -0.0f;
            break;
        case 6:
            *at = next(state) & 1 ? et_float(common) : -et_float(common);
            break;
        case 7:
            *at = ldexpf((float)(next(state) & 0xffffff), within(state, -40, 10));
            break;
        case 8:
            *at = next(state) % 3 ? 1 : et_float(0x3f800000 + (uint32_t)within(state, -3, 3));
            break;
        case 9:
        case 10:
            *at = a * (float)block->x[k][lane] + b * (float)block->y[k][lane] + c;
            break;
        default:
            *at = (float)next(state) * 0x1p-32f;
            break;
        }
    }
}

static bool are_equal(const struct et_plane *p, const struct et_plane *q)
{
    return et_double_bits(p->a) == et_double_bits(q->a) && et_double_bits(p->b) == et_double_bits(q->b) &&
           et_double_bits(p->c) == et_double_bits(q->c) &&
           et_double_bits(p->unit) == et_double_bits(q->unit) && p->plain == q->plain &&
           et_double_bits(p->tile_unit) == et_double_bits(q->tile_unit) && p->tile_x == q->tile_x &&
           p->tile_y == q->tile_y && p->kind == q->kind && p->rx == q->rx && p->ry == q->ry &&
           p->reach == q->reach;
}

static void make_one(const struct et_plane_block *block, const struct et_plane_values *values, unsigned lane,
                     struct et_plane made[PLANES])
{
    struct et_plane_number x[3], y[3];
    struct et_plane_basis basis;
    for (unsigned k = 0; k < 3; k++) {
        x[k] = (struct et_plane_number){block->x[k][lane], 0};
        y[k] = (struct et_plane_number){block->y[k][lane], 0};
    }
    if (!et_plane_basis_make(&basis, x, y, block->x0[lane], block->y0[lane], block->x1[lane],
                             block->y1[lane]))
        ck_abort_msg("no area");
    for (unsigned n = 0; n < PLANES; n++)
        et_plane_make(&basis, (float[3]){values[n].at[0][lane], values[n].at[1][lane], values[n].at[2][lane]},
                      n == DEPTH, &made[n]);
}

static void compare(const struct et_plane_block *block, const struct et_plane_values *values,
                    const struct et_plane *expected, const struct et_plane *plane, unsigned level,
                    unsigned lane, unsigned n)
{
    if (are_equal(expected, plane))
        return;
    ck_abort_msg("level %u, plane %u of (%d,%d) (%d,%d) (%d,%d), values %a %a %a in %d..%d %d..%d:\n"
                 "%a %a %a unit %a plain %d kind %d tile %a %d reach %d from %d,%d, not\n"
                 "%a %a %a unit %a plain %d kind %d tile %a %d reach %d from %d,%d",
                 level, n, block->x[0][lane], block->y[0][lane], block->x[1][lane], block->y[1][lane],
                 block->x[2][lane], block->y[2][lane], values->at[0][lane], values->at[1][lane],
                 values->at[2][lane], block->x0[lane], block->x1[lane], block->y0[lane], block->y1[lane],
                 plane->a, plane->b, plane->c, plane->unit, plane->plain, plane->kind, plane->tile_unit,
                 plane->tile_x, plane->reach, plane->rx, plane->ry, expected->a, expected->b, expected->c,
                 expected->unit, expected->plain, expected->kind, expected->tile_unit, expected->tile_x,
                 expected->reach, expected->rx, expected->ry);
}

START_TEST(blocks_equal_planes_one_by_one)
{
    struct et_plane_block block = {0};
    struct et_plane_values values[PLANES] = {0};
    static struct et_plane made[LEVELS][PLANES][ET_PLANE_LANES + 1];
    uint64_t state = 1;
    for (unsigned lane = 0; lane < ET_PLANE_LANES; lane++)
        block.index[lane] = lane;
    ck_assert_uint_le(et_wide_levels(), LEVELS);
    values[DEPTH].tile_x = values[DEPTH].tile_y = ET_PLANE_TILE;
    for (unsigned round = 0; round < BLOCKS; round++) {
        block.count = round % 8 ? ET_PLANE_LANES : 1 + next(&state) % ET_PLANE_LANES;
        for (unsigned lane = 0; lane < block.count; lane++) {
            fill_triangle(&state, &block, lane);
            for (unsigned n = 0; n < PLANES; n++)
                fill_values(&state, &block, &values[n], lane);
        }
        for (unsigned level = 0; level < et_wide_levels(); level++) {
            for (unsigned n = 0; n < PLANES; n++) {
                values[n].first = made[level][n];
                values[n].step = sizeof made[level][n][0];
                made[level][n][block.count].reach = -2;
            }
            et_wide_of(level)->planes(&block, values, PLANES);
        }
        for (unsigned lane = 0; lane < block.count; lane++) {
            struct et_plane expected[PLANES];
            make_one(&block, values, lane, expected);
            for (unsigned level = 0; level < et_wide_levels(); level++)
                for (unsigned n = 0; n < PLANES; n++) {
                    compare(&block, &values[n], &expected[n], &made[level][n][lane], level, lane, n);
                    if (made[level][n][block.count].reach != -2)
                        ck_abort_msg("a lane more is written");
                }
        }
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("plane block");
    TCase *blocks = tcase_create("blocks");
    tcase_set_timeout(blocks, 300);
    tcase_add_test(blocks, blocks_equal_planes_one_by_one);
    suite_add_tcase(suite, blocks);
    return suite_run(suite);
}
