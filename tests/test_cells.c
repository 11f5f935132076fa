/* Cells of 8x4 pixels: where they lie in a target, and colours of a team of them at once against each alone,
 * a pixel after the other. */
#include "rasterizer/output.h"
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

static void random_surface(struct et_surface *surface, const struct et_sample_layout *layout)
{
    const struct et_target target = {.address = WORLD_COLOR,
                                     .width = (uint32_t)random_in(1, 4) * 64,
                                     .height = 256,
                                     .layers = 3,
                                     .block_height_log2 = (uint8_t)random_in(0, 5),
                                     .block_depth_log2 = (uint8_t)(random_bits() % 4 ? 0 : random_in(0, 2)),
                                     .volume = random_bits() % 4 == 0,
                                     .turing_gob = random_bits() & 1,
                                     .array_pitch = WORLD_TARGET_BYTES};
    struct etalon_error error = {0};
    ck_assert(!et_surface_init(surface, &target, 1u << random_in(0, 3), &error));
    et_surface_cells(surface, layout);
}

/* One window for all of a surface's cells, in any order, read and written. */
START_TEST(cells_lie_where_their_pixels_do)
{
    struct world w;
    unsigned looked = 0;
    world_start(&w, 0xd5, 64, 64, 1, 0);
    for (unsigned round = 0; round < 400; round++) {
        static const uint32_t modes[] = {0, 1, 2, 5};
        const struct et_sample_layout *layout = et_sample_layout_find(modes[round % ET_COUNT(modes)]);
        const struct et_sample_mode *order = et_sample_mode(layout->mode);
        struct et_surface_window cells = {0}, elements = {0};
        struct etalon_error error = {0};
        struct et_surface surface;
        struct et_view view;
        et_view_init(&view, &w.map, 7);
        random_surface(&surface, layout);
        for (unsigned n = 0; n < 200 && surface.cells_together; n++, looked++) {
            const uint32_t x = (uint32_t)random_in(0,
                                                   (int32_t)(surface.width >> layout->width_log2) / 8 - 1) *
                               8,
                           y = (uint32_t)random_in(0,
                                                   (int32_t)(surface.height >> layout->height_log2) / 4 - 1) *
                               4;
            const uint32_t layer = random_bits() % 3, lane = random_bits() % ET_LANES,
                           s = random_bits() % layout->samples;
            const uint32_t px = x + (lane >> 2 & 3) * 2 + (lane & 1),
                           py = y + (lane >> 4) * 2 + (lane >> 1 & 1);
            const uint8_t *const cell =
                et_surface_cell(&surface, &cells, &view, x, y, layer, random_bits() & 1, &error);
            const uint8_t *const element =
                et_surface_element(&surface, &elements, &view, (px << layout->width_log2) + order->x[s],
                                   (py << layout->height_log2) + order->y[s], layer, false, &error);
            ck_assert_ptr_nonnull(cell);
            if (cell + surface.offset[s][lane] != element)
                ck_abort_msg("round %u: cell %u %u, lane %u, sample %u", round, x, y, lane, s);
        }
    }
    ck_assert_uint_gt(looked, 30000);
    world_finish(&w);
}
END_TEST

static float random_value(void)
{
    static const float special[] = {NAN, INFINITY, -INFINITY, -1, 0, 1, 0x1p-140f, 0.5f};
    switch (random_bits() % 4) {
    case 0:
        return special[random_bits() % ET_COUNT(special)];
    case 1:
        return (float)random_in(0, 510) / 510; /* ties of codes */
    default:
        return (float)random_in(-1000, 1 << 20) / (1 << 20);
    }
}

static void random_state(struct world *w)
{
    struct et_blend_target *blend = &w->draw.raster.output.blend[0];
    blend->enable = random_bits() % 3 == 0;
    blend->write_mask = random_bits() % 3 ? 15 : (uint8_t)(1 + random_bits() % 15);
    blend->color_op = blend->alpha_op = 1;
    blend->color_source = blend->alpha_source = 5;
    blend->color_dest = blend->alpha_dest = 6;
    w->draw.raster.sample.mode = random_bits() % 3;
    w->draw.raster.output.color[0].width = 64u << (w->draw.raster.sample.mode > 0);
    w->draw.raster.output.color[0].height = 64u << (w->draw.raster.sample.mode > 1);
}

static void random_cells(struct et_cell cell[ET_TEAM], struct et_raster_primitive primitive[2],
                         unsigned samples)
{
    memset(cell, 0, ET_TEAM * sizeof *cell);
    memset(primitive, 0, 2 * sizeof *primitive);
    primitive[1].p.layer = random_bits() % 4 == 0; /* there is no such layer */
    for (unsigned n = 0; n < ET_TEAM; n++) {
        cell[n].primitive = &primitive[random_bits() & 1];
        cell[n].x = random_in(0, 7) * 8;
        cell[n].y = random_in(0, 15) * 4;
        for (unsigned s = 0; s < samples; s++) {
            cell[n].left[s] = random_bits() % 3 ? random_bits() | random_bits() << 16 : ~0u;
            cell[n].any |= cell[n].left[s];
        }
    }
}

/* The cell's pixels one by one; register n of it is registers[n * ET_TEAM]. */
static void write_alone(const struct et_raster_plan *plan, struct et_raster_worker *worker,
                        const struct et_cell *cell, const uint32_t (*registers)[ET_LANES])
{
    uint32_t own[4][ET_LANES];
    uint16_t coverage[ET_LANES] = {0};
    struct etalon_error error = {0};
    worker->queue.count = 8;
    for (unsigned quad = 0; quad < 8; quad++) {
        worker->queue.primitive[quad] = cell->primitive;
        worker->queue.x[quad] = cell->x + (int32_t)(quad & 3) * 2;
        worker->queue.y[quad] = cell->y + (int32_t)(quad >> 2) * 2;
    }
    for (unsigned lane = 0; lane < ET_LANES; lane++)
        for (unsigned s = 0; s < plan->samples->samples; s++)
            coverage[lane] |= (uint16_t)((cell->left[s] >> lane & 1) << s);
    for (unsigned n = 0; n < 4; n++)
        memcpy(own[n], registers[n * ET_TEAM], sizeof own[n]);
    ck_assert(!et_output_colors_scalar(plan, worker, (const uint32_t(*)[ET_LANES])own, coverage, &error));
}

static const uint32_t formats[] = {0xd5, 0xcf, 0xe6, 0xd1};

START_TEST(cells_together_equal_each_alone)
{
    enum { BYTES = 64 * 64 * 4 * 4 };
    static uint8_t before[BYTES], together[BYTES];
    static struct et_raster_worker worker;
    static struct et_raster_plan plan;
    struct et_sph pixel = {.bytes = 128, .color_mask = {15}};
    static const struct et_sph last = {.bytes = 128};
    const struct et_raster_programs programs = {.last = &last, .pixel = &pixel};
    const unsigned format = (unsigned)_i % ET_COUNT(formats);
    struct world w;
    unsigned taken = 0;
    world_start(&w, formats[format], 64, 64, 1, 0);
    for (unsigned round = 0; round < 300; round++) {
        static uint32_t registers[4 * ET_TEAM][ET_LANES] __attribute__((aligned(64)));
        struct et_cell cell[ET_TEAM];
        struct et_raster_primitive primitive[2];
        struct etalon_error error = {0};
        uint8_t *const target = w.ram.base + WORLD_COLOR;
        random_state(&w);
        pixel.color_mask[0] = random_bits() % 3 ? 15 : (uint8_t)(1 + random_bits() % 15);
        ck_assert_msg(!et_raster_plan_make(&plan, &w.draw.raster, &programs, &error), "%s", error.text);
        plan.wide = et_wide_of((unsigned)_i / ET_COUNT(formats));
        et_raster_worker_reset(&worker, &w.map, 7);
        random_cells(cell, primitive, plan.samples->samples);
        for (unsigned n = 0; n < ET_COUNT(registers) * ET_LANES; n++)
            registers[n / ET_LANES][n % ET_LANES] = et_float_bits(random_value());
        for (size_t n = 0; n < BYTES; n++)
            target[n] = (uint8_t)random_bits();
        memcpy(before, target, BYTES);
        if (!et_output_takes_cells(&plan))
            continue;
        taken++;
        ck_assert(
            !et_output_cells(&plan, &worker, cell, ET_TEAM, (const uint32_t(*)[ET_LANES])registers, &error));
        memcpy(together, target, BYTES);
        memcpy(target, before, BYTES);
        for (unsigned n = 0; n < ET_TEAM; n++)
            write_alone(&plan, &worker, &cell[n], (const uint32_t(*)[ET_LANES])(registers + n));
        ck_assert_msg(!memcmp(together, target, BYTES), "format 0x%x round %u", formats[format], round);
    }
    ck_assert_uint_gt(taken, 200);
    world_finish(&w);
}
END_TEST

/* A page that is missing ends the cells there; those before it are written, those behind it not. */
START_TEST(cells_before_a_fault_are_written)
{
    static struct et_raster_worker worker;
    static struct et_raster_plan plan;
    const struct et_sph pixel = {.bytes = 128, .color_mask = {15}};
    static const struct et_sph last = {.bytes = 128};
    const struct et_raster_programs programs = {.last = &last, .pixel = &pixel};
    static uint32_t registers[4 * ET_TEAM][ET_LANES] __attribute__((aligned(64)));
    struct et_raster_primitive primitive = {0};
    struct et_cell cell[ET_TEAM];
    struct etalon_error error = {0};
    struct world w;
    world_start(&w, 0xd5, 64, 64, 1, 0);
    for (unsigned n = 0; n < ET_COUNT(registers) * ET_LANES; n++)
        registers[n / ET_LANES][n % ET_LANES] = 0x3f800000;
    for (unsigned n = 0; n < ET_TEAM; n++)
        cell[n] =
            (struct et_cell){.primitive = &primitive, .x = n == 2 ? 32 : (int32_t)(n & 1) * 8, .left = {1}};
    cell[3].y = 4;
    ck_assert(!et_raster_plan_make(&plan, &w.draw.raster, &programs, &error));
    et_raster_worker_reset(&worker, &w.map, 7);
    ck_assert(!et_pagemap_unmap(&w.map, WORLD_COLOR + 0x1000, 0x1000, &error));
    ck_assert_int_eq(
        et_output_cells(&plan, &worker, cell, ET_TEAM, (const uint32_t(*)[ET_LANES])registers, &error),
        ETALON_UNMAPPED);
    const uint8_t *const target = w.ram.base + WORLD_COLOR;
    ck_assert_uint_eq(et_load32(target), 0xffffffff);
    ck_assert_uint_eq(et_load32(target + et_gob_offset(false, 32, 0)), 0xffffffff);
    ck_assert_uint_eq(et_load32(target + et_gob_offset(false, 32, 4)), 0);
    world_finish(&w);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("cells");
    TCase *all = tcase_create("all");
    tcase_set_timeout(all, 120);
    tcase_add_test(all, cells_lie_where_their_pixels_do);
    tcase_add_loop_test(all, cells_together_equal_each_alone, 0, (int)(et_wide_levels() * ET_COUNT(formats)));
    tcase_add_test(all, cells_before_a_fault_are_written);
    suite_add_tcase(suite, all);
    return suite_run(suite);
}
