/* Coverage of a part of a tile at once (rasterizer/part.c, the wide unit of each CPU level) against that of
 * one cell after the other: random edges, and edges that run through samples or hardly beside them. */
#include "rasterizer/raster.h"
#include "support/draw_world.h"
#include "support/suite.h"

static uint32_t state = 1;

static uint32_t random_bits(void)
{
    state = state * 1664525 + 1013904223;
    return state >> 8 ^ state << 20;
}

static int32_t random_in(int32_t low, int32_t high)
{
    return low + (int32_t)(random_bits() % (uint32_t)(high - low + 1));
}

/* Slopes of every size up to the most that is taken, and both limits. */
static int64_t random_slope(void)
{
    switch (random_bits() % 8) {
    case 0:
        return 0;
    case 1:
        return random_bits() & 1 ? (1 << 20) - 1 : -(1 << 20);
    default:
        return random_in(-(1 << 20), (1 << 20) - 1) >> random_bits() % 20;
    }
}

/* An edge through a place in the part, about there, or far away. */
static struct et_edge random_edge(const struct et_rectangle *part)
{
    struct et_edge edge = {.a = random_slope(), .b = random_slope()};
    const int64_t x = random_in(part->x0 * 16 - 40, part->x1 * 16 + 40) * 16,
                  y = random_in(part->y0 * 16 - 40, part->y1 * 16 + 40) * 16;
    edge.c = -((__int128)edge.a * x + (__int128)edge.b * y) + random_in(-1, 1);
    if (random_bits() % 8 == 0)
        edge.c += random_in(-4096, 4096);
    if (random_bits() % 32 == 0)
        edge.c = (random_bits() & 1 ? -1 : 1) * ((__int128)1 << random_in(40, 59));
    return edge;
}

static struct et_rectangle random_part(struct et_rectangle *box)
{
    const int32_t x = random_in(0, random_bits() & 1 ? 3 : 1000) * ET_TILE_SIZE,
                  y = random_in(0, random_bits() & 1 ? 3 : 1000) * ET_TILE_SIZE;
    const int32_t spread = random_bits() & 1 ? 12 : 100;
    box->x0 = ET_MAX(0, x + random_in(-20, 63));
    box->y0 = ET_MAX(0, y + random_in(-20, 63));
    box->x1 = ET_MAX(x, box->x0) + random_in(1, spread);
    box->y1 = ET_MAX(y, box->y0) + random_in(1, spread);
    return (struct et_rectangle){ET_MAX(x, box->x0 & ~7), ET_MAX(y, box->y0 & ~3),
                                 ET_MIN(x + ET_TILE_SIZE, box->x1), ET_MIN(y + ET_TILE_SIZE, box->y1)};
}

static void random_primitive(struct et_raster_primitive *primitive, struct et_rectangle *part)
{
    memset(primitive, 0, sizeof *primitive);
    *part = random_part(&primitive->box);
    primitive->edges = (uint8_t)(random_bits() % 4 ? 3 : random_in(0, 4));
    primitive->is_line = random_bits() % 8 == 0;
    for (unsigned i = 0; i < primitive->edges; i++)
        primitive->edge[i] = random_edge(part);
}

/* The part's cells one by one, held to what was found at once. */
static void compare(const struct et_raster_plan *plan, const struct et_raster_primitive *primitive,
                    const struct et_rectangle *part, const struct et_wide_covered *covered, unsigned count)
{
    struct et_local_edges edges;
    unsigned next = 0;
    et_local_edges_make(&edges, primitive, part->x0, part->y0);
    for (int32_t y = part->y0; y < part->y1; y += 4)
        for (int32_t x = part->x0; x < part->x1; x += 8) {
            uint32_t lanes[ET_SAMPLES_MAX];
            const struct et_wide_covered *const cell = &covered[next];
            const uint32_t any = et_raster_cover_lanes(plan, &edges, false, x, y, lanes);
            if (!any)
                continue;
            if (next++ >= count || part->x0 + cell->column * 8 != x || part->y0 + cell->row * 4 != y ||
                cell->any != any || cell->pixels != (unsigned)__builtin_popcount(any) ||
                memcmp(cell->lanes, lanes, plan->samples->samples * sizeof *lanes))
                ck_abort_msg("cell %d %d of part %d %d", x, y, part->x0, part->y0);
        }
    ck_assert_uint_eq(next, count);
}

static void random_samples(struct et_sample_state *sample)
{
    sample->mode = random_bits() % 3;
    sample->enable = random_bits() % 4 != 0;
    for (unsigned i = 0; i < ET_COUNT(sample->location); i++)
        sample->location[i] = 0;
    if (random_bits() & 1)
        for (unsigned i = 0; i < ET_COUNT(sample->location); i++)
            sample->location[i] = (uint8_t)random_bits();
}

START_TEST(parts_equal_their_cells)
{
    static const struct et_sph last = {.bytes = 128};
    const struct et_raster_programs programs = {.last = &last};
    static struct et_raster_plan plan;
    struct etalon_error error = {0};
    unsigned cells = 0, cut = 0;
    struct world w;
    world_start(&w, 0xd5, 64, 64, 1, 0);
    w.draw.raster.output.color[0].format = 0;
    for (unsigned round = 0; round < 6000; round++) {
        struct et_wide_covered covered[ET_WIDE_CELLS];
        struct et_raster_primitive primitive;
        struct et_rectangle part;
        unsigned count;
        if (round % 50 == 0) {
            random_samples(&w.draw.raster.sample);
            w.draw.raster.conservative = random_bits() % 8 == 0;
            ck_assert(!et_raster_plan_make(&plan, &w.draw.raster, &programs, &error));
            plan.wide = et_wide_of((unsigned)_i);
        }
        random_primitive(&primitive, &part);
        ck_assert(et_raster_cover_part(&plan, &primitive, &part, covered, &count));
        compare(&plan, &primitive, &part, covered, count);
        cells += count;
        for (unsigned n = 0; n < count; n++)
            cut += covered[n].any != ~0u;
    }
    ck_assert_uint_gt(cells, 10000);
    ck_assert_uint_gt(cut, 4000);
    world_finish(&w);
}
END_TEST

/* What has other rules, or values that do not fit, is left to the cells. */
START_TEST(other_primitives_are_refused)
{
    static const struct et_sph last = {.bytes = 128};
    const struct et_raster_programs programs = {.last = &last};
    static struct et_raster_plan plan;
    struct etalon_error error = {0};
    struct et_wide_covered covered[ET_WIDE_CELLS];
    const struct et_rectangle part = {0, 0, 16, 16};
    const struct et_raster_primitive plain = {.edges = 3, .box = part};
    struct et_raster_primitive primitive;
    struct world w;
    unsigned count;
    world_start(&w, 0xd5, 64, 64, 1, 0);
    w.draw.raster.line_stipple = true;
    ck_assert(!et_raster_plan_make(&plan, &w.draw.raster, &programs, &error));
    ck_assert(et_raster_cover_part(&plan, &plain, &part, covered, &count));
    ck_assert_uint_eq(count, 8);
    for (unsigned n = 0; n < 6; n++) {
        primitive = plain;
        primitive.edge[1].a = n == 0 ? 1 << 20 : 0;
        primitive.edge[1].b = n == 1 ? -(1 << 20) - 1 : 0;
        primitive.edge[2].c = n == 2 ? (__int128)1 << 60 : n == 3 ? -((__int128)1 << 64) : 0;
        primitive.shape = n == 4 ? ET_SHAPE_SMOOTH : ET_SHAPE_EDGES;
        primitive.is_line = n == 5;
        ck_assert(!et_raster_cover_part(&plan, &primitive, &part, covered, &count));
    }
    w.draw.raster.polygon_stipple = true;
    ck_assert(!et_raster_plan_make(&plan, &w.draw.raster, &programs, &error));
    ck_assert(!et_raster_cover_part(&plan, &plain, &part, covered, &count));
    world_finish(&w);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("parts");
    TCase *all = tcase_create("all");
    tcase_set_timeout(all, 120);
    tcase_add_loop_test(all, parts_equal_their_cells, 0, (int)et_wide_levels());
    tcase_add_test(all, other_primitives_are_refused);
    suite_add_tcase(suite, all);
    return suite_run(suite);
}
