/* Coarse fragments: one run of the program for several pixels, their own depth, rates by table and by place.
 */
#include "rasterizer/raster.h"
#include "support/draw_world.h"
#include "support/suite.h"

enum { SIZE = 64, INDEX = WORLD_XFB };

static const uint8_t sizes[][2] = {{1, 1}, {2, 1}, {1, 2}, {2, 2},
                                   {4, 2}, {2, 4}, {4, 4}}; /* of rates 5 on */

static void start(struct world *w, uint32_t samples_mode)
{
    const struct et_sample_layout *layout = et_sample_layout_find(samples_mode);
    const uint32_t width = SIZE << layout->width_log2, height = SIZE << layout->height_log2;
    struct et_raster_state *raster = &w->draw.raster;
    world_start(w, 0xc0, SIZE, SIZE, 1, 0);
    world_programs(w, PIXEL_COORD, false);
    world_target(&raster->output.color[0], WORLD_COLOR, 0xc0, 16, width, height);
    world_target(&raster->output.depth, WORLD_DEPTH, 0x0a, 4, width, height);
    raster->output.depth_enable = true;
    raster->depth_stencil.depth_test = raster->depth_stencil.depth_write = true;
    raster->depth_stencil.depth_function = 0x204; /* greater */
    raster->sample.mode = samples_mode;
}

static void rate(struct world *w, unsigned number)
{
    struct et_shading_rates *rates = &w->draw.raster.rates;
    rates->source = 2;
    rates->constant = 3;
    rates->enable[3] = true;
    memset(rates->rate[3], (int)number, sizeof rates->rate[3]);
}

static void triangle(struct world *w, float x0, float y0, float x1, float y1, float x2, float y2, float slope)
{
    static const float color[4] = {0};
    world_pixel_vertex(w, SIZE, SIZE, x0, y0, 0.5f, 1, color, 0);
    world_pixel_vertex(w, SIZE, SIZE, x1, y1, 0.5f + slope, 1, color, 0);
    world_pixel_vertex(w, SIZE, SIZE, x2, y2, 0.5f - slope, 1, color, 0);
}

static void two_triangles(struct world *w)
{
    triangle(w, 3.3f, 5.7f, 60.1f, 20.4f, 17.2f, 59.9f, 0.2f);
    triangle(w, 55.3f, 3.1f, 9.4f, 30.8f, 50.2f, 61.3f, 0.1f);
}

static void draw(struct world *w, uint8_t **color, uint8_t **depth)
{
    struct etalon_error error = {0};
    ck_assert_msg(!world_draw(w, &error), "%s", error.text);
    *color = world_read(w, &w->draw.raster.output.color[0], 16, 0);
    *depth = world_read(w, &w->draw.raster.output.depth, 4, 0);
}

static float component(const uint8_t *color, size_t element, unsigned c)
{
    return et_float(et_load32(color + 16 * element + 4 * c));
}

/* Depth is that of a run a pixel, and each covered sample's colour that of its fragment's middle. With
 * samples fragments stay within 16 of them. Early tests or late ones. */
START_TEST(outputs_go_to_all_pixels)
{
    static const uint32_t modes[] = {0, 1, 2};
    const unsigned number = 5 + (unsigned)_i % 7, mode = modes[_i / 7 % 3];
    const struct et_sample_layout *layout = et_sample_layout_find(mode);
    const int32_t across = ET_MIN(sizes[number - 5][0], 4 >> layout->width_log2),
                  down = ET_MIN(sizes[number - 5][1], 4 >> layout->height_log2);
    const uint32_t width = SIZE << layout->width_log2;
    uint8_t *color[2], *depth[2];
    unsigned covered = 0;
    for (unsigned coarse = 0; coarse < 2; coarse++) {
        struct world w;
        start(&w, mode);
        if (coarse)
            rate(&w, number);
        w.draw.raster.output.alpha_test = _i >= 21;
        w.draw.raster.output.alpha_function = 0x207;
        two_triangles(&w);
        draw(&w, &color[coarse], &depth[coarse]);
        world_finish(&w);
    }
    for (uint32_t e = 0; e < (uint32_t)SIZE * SIZE * layout->samples; e++) {
        const int32_t x = (int32_t)(e % width) >> layout->width_log2,
                      y = (int32_t)(e / width) >> layout->height_log2;
        ck_assert_uint_eq(et_load32(depth[0] + 4 * (size_t)e), et_load32(depth[1] + 4 * (size_t)e));
        const bool any = et_load32(depth[0] + 4 * (size_t)e) != 0;
        covered += any;
        ck_assert_float_eq(component(color[1], e, 0),
                           any ? (float)(x / across * across) + (float)across / 2 : 0);
        ck_assert_float_eq(component(color[1], e, 1), any ? (float)(y / down * down) + (float)down / 2 : 0);
    }
    ck_assert_uint_gt(covered, 1000);
    for (unsigned coarse = 0; coarse < 2; coarse++) {
        free(color[coarse]);
        free(depth[coarse]);
    }
}
END_TEST

/* One run for each fragment that has a covered pixel. */
START_TEST(runs_are_counted)
{
    const unsigned number = 5 + (unsigned)_i, across = sizes[_i][0], down = sizes[_i][1];
    uint8_t *color, *depth;
    bool ran[SIZE][SIZE] = {{false}};
    unsigned runs = 0;
    struct world w;
    start(&w, 0);
    rate(&w, number);
    triangle(&w, 3.3f, 5.7f, 60.1f, 20.4f, 17.2f, 59.9f, 0.2f);
    draw(&w, &color, &depth);
    for (unsigned p = 0; p < SIZE * SIZE; p++) {
        bool *const at = &ran[p / SIZE / down][p % SIZE / across];
        if (!et_load32(depth + 4 * (size_t)p))
            continue;
        runs += !*at;
        *at = true;
    }
    ck_assert_uint_eq(w.results.counters.ps_invocations, runs);
    free(color);
    free(depth);
    world_finish(&w);
}
END_TEST

/* The place's index picks the rate; a square that the surface does not reach has index 0, and rate 0 culls.
 */
START_TEST(rates_by_place)
{
    struct et_shading_rates *rates;
    uint8_t *color, *depth;
    struct world w;
    start(&w, 0);
    rate(&w, 5);
    rates = &w.draw.raster.rates;
    for (unsigned i = 0; i < 8; i++)
        rates->rate[3][i] = (uint8_t)(i ? 4 + i : 8);
    rates->rate[3][8] = 0;
    rates->index = (struct et_target){
        .address = INDEX, .width = 64, .height = 4, .layers = 2, .layer = 1, .array_pitch = 512};
    rates->index.turing_gob = true;
    rates->index_width = 3;
    for (uint32_t y = 0; y < 4; y++)
        for (uint32_t x = 0; x < 4; x++)
            w.ram.base[INDEX + 512 + et_gob_offset(true, x, y)] = (uint8_t)(0xf0 | (1 + (x + 3 * y) % 8));
    triangle(&w, -10, -10, 200, -10, -10, 200, 0);
    draw(&w, &color, &depth);
    for (unsigned p = 0; p < SIZE * SIZE; p++) {
        const unsigned x = p % SIZE, y = p / SIZE, sx = x / 16, sy = y / 16;
        const unsigned index = sx < 3 ? 1 + (sx + 3 * sy) % 8 : 0, number = rates->rate[3][index];
        const unsigned across = number ? sizes[number - 5][0] : 1, down = number ? sizes[number - 5][1] : 1;
        ck_assert_float_eq(component(color, p, 0),
                           number ? (float)(x / across * across) + (float)across / 2 : 0);
        ck_assert_float_eq(component(color, p, 1), number ? (float)(y / down * down) + (float)down / 2 : 0);
    }
    free(color);
    free(depth);
    world_finish(&w);
}
END_TEST

/* The viewport, an output or a constant picks the table; several runs a pixel are not known, and runs a
 * sample turn coarse fragments off. */
START_TEST(tables)
{
    struct et_sph last = {.bytes = 128};
    const struct et_raster_programs programs = {.last = &last};
    struct et_raster_plan plan;
    struct et_raster_batch batch = {0};
    struct et_vertex_record record[3];
    struct et_raster_input input = world_triangle(record);
    struct etalon_error error = {0};
    struct world w;
    static const unsigned words[] = {ET_WORD_VIEWPORT, ET_WORD_RATE_TABLE};
    world_start(&w, 0xe4, SIZE, SIZE, 1, 0);
    struct et_shading_rates *rates = &w.draw.raster.rates;
    for (unsigned i = 0; i < 2; i++)
        world_output(&last, words[i]);
    for (unsigned k = 0; k < 3; k++) {
        record[k].word[ET_WORD_VIEWPORT] = 5;
        record[k].word[ET_WORD_RATE_TABLE] = 0x29;
    }
    rates->constant = 14;
    for (unsigned i = 0; i < 16; i++) {
        rates->enable[i] = true;
        memset(rates->rate[i], 8, sizeof rates->rate[i]);
    }
    for (uint8_t source = 0; source < 3; source++) {
        static const uint8_t table[] = {5, 9, 14};
        rates->source = source;
        ck_assert(!et_raster_plan_make(&plan, &w.draw.raster, &programs, &error));
        ck_assert(plan.coarse);
        ck_assert_msg(!et_raster_setup(&plan, &batch, &input, &error), "%s", error.text);
        ck_assert_uint_eq(batch.count, 1);
        ck_assert_uint_eq(batch.primitive[0].rate_table, table[source]);
        et_raster_batch_clear(&batch);
    }
    w.draw.raster.sample.mode = 2;
    w.draw.raster.sample.passes = 4;
    ck_assert(!et_raster_plan_make(&plan, &w.draw.raster, &programs, &error));
    ck_assert(!plan.coarse);
    w.draw.raster.sample.passes = 1;
    rates->rate[13][2] = 3;
    ck_assert(!et_raster_plan_make(&plan, &w.draw.raster, &programs, &error)); /* another table is in use */
    rates->rate[14][2] = 3;
    ck_assert_int_eq(et_raster_plan_make(&plan, &w.draw.raster, &programs, &error), ETALON_UNSUPPORTED);
    et_raster_batch_finish(&batch);
    world_finish(&w);
}
END_TEST

/* The words that drivers write turn a fragment's pixels around, not a pixel's samples; none: rows first. */
START_TEST(masks)
{
    static const uint32_t words[13] = {0xa23eb139, 0xfb72ea61, 0xd950c843, 0x88fac4e5, 0x1ab3e1b6,
                                       0xa98fedc2, 0x2107654b, 0xe0539773, 0x698badcf, 0x71032547,
                                       0xdef05397, 0x56789abc, 0x1234};
    static const struct et_sph last = {.bytes = 128};
    const struct et_raster_programs programs = {.last = &last};
    struct etalon_error error = {0};
    struct et_raster_plan plan;
    struct world w;
    unsigned tested = 0;
    start(&w, (uint32_t[]){0, 5, 2, 4}[_i % 4]);
    rate(&w, 11);
    if (_i < 4)
        memcpy(w.draw.raster.rates.sample_order, words, sizeof words);
    ck_assert_msg(!et_raster_plan_make(&plan, &w.draw.raster, &programs, &error), "%s", error.text);
    for (unsigned across = 0; across < 3; across++)
        for (unsigned down = 0; down < 3; down++) {
            const unsigned samples = plan.samples->samples, pixels = 1u << (across + down),
                           size = across + 3 * down;
            if (pixels == 1 || across > down + 1 || down > across + 1 ||
                across > 2u - plan.samples->width_log2 || down > 2u - plan.samples->height_log2 ||
                across + down + plan.samples->width_log2 + plan.samples->height_log2 > 4)
                continue;
            tested++;
            for (unsigned k = 0; k < pixels * samples; k++) {
                const unsigned pixel = _i < 4 ? pixels - 1 - k / samples : k / samples;
                ck_assert_uint_eq(plan.mask_bit[size][k], pixel * samples + k % samples);
                ck_assert_uint_eq(plan.mask_sample[size][plan.mask_bit[size][k]], k);
            }
        }
    ck_assert_uint_gt(tested, 0);
    world_finish(&w);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("coarse");
    TCase *all = tcase_create("coarse");
    tcase_add_loop_test(all, outputs_go_to_all_pixels, 0, 42);
    tcase_add_loop_test(all, runs_are_counted, 0, 7);
    tcase_add_test(all, rates_by_place);
    tcase_add_test(all, tables);
    tcase_add_loop_test(all, masks, 0, 8);
    suite_add_tcase(suite, all);
    return suite_run(suite);
}
