/* The samples that an H200 covered with triangles (conformance/hardware/coverage), held to clip, setup and
 * coverage here: triangle by triangle, all samples of 100,000, and of 96,000 with an edge through a sample or
 * hardly beside it that sample. */
#include "conformance/hardware/coverage/exact.h"
#include "conformance/hardware/coverage/triangles.h"
#include "rasterizer/raster.h"
#include "support/draw_world.h"
#include "support/packed.h"

/* What the experiment's pixel program adds up. */
struct answer {
    uint32_t mix, samples;
};

static void add_cell(struct answer *answer, int32_t x, int32_t y, uint32_t lanes,
                     const uint16_t coverage[ET_LANES])
{
    for (; lanes; lanes &= lanes - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(lanes);
        const uint32_t px = (uint32_t)x + (lane >> 2 & 3) * 2 + (lane & 1),
                       py = (uint32_t)y + (lane >> 4) * 2 + (lane >> 1 & 1);
        answer->mix += coverage_mix(px, py, coverage[lane]);
        answer->samples += (uint32_t)__builtin_popcount(coverage[lane]);
    }
}

static struct answer answer_of(const struct et_raster_plan *plan, const struct et_raster_batch *batch)
{
    const int32_t size = (int32_t)COVERAGE_SIZE;
    struct answer answer = {0, 0};
    for (size_t i = 0; i < batch->count; i++) {
        struct et_local_edges edges;
        et_local_edges_make(&edges, &batch->primitive[i], 0, 0);
        for (int32_t y = 0; y < size; y += 4)
            for (int32_t x = 0; x < size; x += 8) {
                uint16_t coverage[ET_LANES];
                const enum et_side side = et_local_edges_side(&edges, x, y, 8, 4);
                if (side != ET_OUTSIDE)
                    add_cell(&answer, x, y,
                             et_raster_cover_cell(plan, &edges, side == ET_INSIDE, x, y, coverage), coverage);
            }
    }
    return answer;
}

static void set_up(const struct et_raster_plan *plan, struct et_raster_batch *batch,
                   const struct coverage_triangle *triangle)
{
    struct et_vertex_record record[3];
    struct et_raster_input input = {.corners = 3, .edges = 7};
    struct etalon_error error = {0};
    memset(record, 0, sizeof record);
    for (unsigned k = 0; k < 3; k++) {
        memcpy(&record[k].word[ET_WORD_POSITION], triangle->position[k], 16);
        input.vertex[k] = &record[k];
    }
    et_raster_batch_clear(batch);
    ck_assert_msg(!et_raster_setup(plan, batch, &input, &error), "%s", error.text);
}

START_TEST(every_triangle_covers_the_samples_of_silicon)
{
    static const char *const answers[] = {"conformance/hardware/coverage/coverage1.bin.zst",
                                          "conformance/hardware/coverage/coverage4.bin.zst"};
    static const struct et_sph last = {.bytes = 128};
    const struct et_raster_programs programs = {.last = &last};
    struct et_raster_plan plan;
    struct et_raster_batch batch = {0};
    struct etalon_error error = {0};
    struct world w;
    size_t size;
    uint8_t *silicon = (uint8_t *)packed_text(answers[_i], &size);
    unsigned wrong = 0, kind[8] = {0};
    ck_assert_uint_eq(size, COVERAGE_TRIANGLES * 8);
    world_start(&w, 0xd5, COVERAGE_SIZE, COVERAGE_SIZE, 1, 0);
    w.draw.raster.output.color[0].format = 0; /* no target: its size would be in samples */
    w.draw.raster.sample.mode = _i ? 2 : 0;
    ck_assert(!et_raster_plan_make(&plan, &w.draw.raster, &programs, &error));
    for (uint32_t i = 0; i < COVERAGE_TRIANGLES; i++) {
        const struct coverage_triangle triangle = coverage_triangle(i);
        set_up(&plan, &batch, &triangle);
        const struct answer ours = answer_of(&plan, &batch);
        if (ours.mix == et_load32(silicon + i * 8) && ours.samples == et_load32(silicon + i * 8 + 4))
            continue;
        if (wrong++ < 8)
            printf("# triangle %u: %u samples, silicon %u\n", i, ours.samples,
                   et_load32(silicon + i * 8 + 4));
        kind[i / 2 % 8]++;
    }
    et_raster_batch_finish(&batch);
    world_finish(&w);
    free(silicon);
    ck_assert_msg(wrong == 0, "%u of %u differ; by kind %u %u %u %u %u %u %u %u", wrong, COVERAGE_TRIANGLES,
                  kind[0], kind[1], kind[2], kind[3], kind[4], kind[5], kind[6], kind[7]);
}
END_TEST

static bool covers(const struct et_raster_plan *plan, const struct et_raster_batch *batch,
                   struct exact_point sample)
{
    const int32_t px = (int32_t)(sample.x >> 8), py = (int32_t)(sample.y >> 8), x = px & ~7, y = py & ~3;
    const uint32_t lane = (uint32_t)((px >> 1 & 3) << 2 | (px & 1) | (py >> 1 & 1) << 4 | (py & 1) << 1);
    for (size_t i = 0; i < batch->count; i++) {
        struct et_local_edges edges;
        uint16_t coverage[ET_LANES];
        et_local_edges_make(&edges, &batch->primitive[i], x & ~63, y & ~63);
        const enum et_side side = et_local_edges_side(&edges, x, y, 8, 4);
        if (side != ET_OUTSIDE &&
            et_raster_cover_cell(plan, &edges, side == ET_INSIDE, x, y, coverage) >> lane & 1)
            return true;
    }
    return false;
}

static void look_through(struct world *w, const struct exact_view *view)
{
    struct et_viewport *viewport = &w->draw.raster.viewport[0];
    const float half = (float)view->viewport / 2;
    viewport->scale[0] = viewport->scale[1] = half;
    viewport->offset[0] = (float)view->x + half;
    viewport->offset[1] = (float)view->y + half;
    viewport->clip =
        (struct et_rectangle){view->x, view->y, view->x + view->viewport, view->y + view->viewport};
    w->draw.raster.scissor[0].enable = true;
    w->draw.raster.scissor[0].rectangle =
        (struct et_rectangle){view->left, view->top, view->right, view->bottom};
}

START_TEST(edges_through_samples_cover_what_silicon_covers)
{
    const struct exact_view *view = &exact_view[_i];
    static const struct et_sph last = {.bytes = 128};
    const struct et_raster_programs programs = {.last = &last};
    struct et_raster_plan plan;
    struct et_raster_batch batch = {0};
    struct etalon_error error = {0};
    struct world w;
    size_t size;
    uint8_t *all = (uint8_t *)packed_text("conformance/hardware/coverage/exact.bin.zst", &size);
    const uint8_t *silicon = all + (size_t)_i * (EXACT_TRIANGLES / 8);
    unsigned wrong[8] = {0}, sum = 0;
    ck_assert_uint_eq(size, EXACT_VIEWS * EXACT_TRIANGLES / 8);
    world_start(&w, 0xd5, (uint32_t)view->size, (uint32_t)view->size, 1, 0);
    w.draw.raster.output.color[0].format = 0;
    look_through(&w, view);
    ck_assert(!et_raster_plan_make(&plan, &w.draw.raster, &programs, &error));
    for (uint32_t i = 0; i < EXACT_TRIANGLES; i++) {
        const struct coverage_triangle triangle = exact_triangle((unsigned)_i, i);
        set_up(&plan, &batch, &triangle);
        if (covers(&plan, &batch, exact_sample((unsigned)_i, i)) != (silicon[i / 8] >> i % 8 & 1))
            wrong[i % 8]++, sum++;
    }
    et_raster_batch_finish(&batch);
    world_finish(&w);
    free(all);
    ck_assert_msg(sum == 0, "%u differ; by kind %u %u %u %u %u %u %u %u", sum, wrong[0], wrong[1], wrong[2],
                  wrong[3], wrong[4], wrong[5], wrong[6], wrong[7]);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("coverage");
    TCase *silicon = tcase_create("silicon");
    tcase_set_timeout(silicon, 300);
    tcase_add_loop_test(silicon, every_triangle_covers_the_samples_of_silicon, 0, 2);
    tcase_add_loop_test(silicon, edges_through_samples_cover_what_silicon_covers, 0, (int)EXACT_VIEWS);
    suite_add_tcase(suite, silicon);
    return suite_run(suite);
}
