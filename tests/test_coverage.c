/* The samples that an H200 covered with 100,000 triangles (conformance/hardware/coverage), held to clip,
 * setup and coverage here: triangle by triangle, all of them but
 * one. */
#include "conformance/hardware/coverage/triangles.h"
#include "rasterizer/raster.h"
#include "support/draw_world.h"
#include "support/packed.h"

/* Open: a vertex on a pixel's centre, the other two beyond 2^16 pixels. At one sample silicon leaves that
 * pixel out, which the rule for shared edges would cover. */
#define OPEN_TRIANGLE 87708u

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

static void set_up(const struct et_raster_plan *plan, struct et_raster_batch *batch, uint32_t index)
{
    const struct coverage_triangle triangle = coverage_triangle(index);
    struct et_vertex_record record[3];
    struct et_raster_input input = {.corners = 3, .edges = 7};
    struct etalon_error error = {0};
    memset(record, 0, sizeof record);
    for (unsigned k = 0; k < 3; k++) {
        memcpy(&record[k].word[ET_WORD_POSITION], triangle.position[k], 16);
        input.vertex[k] = &record[k];
    }
    batch->count = 0;
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
        set_up(&plan, &batch, i);
        const struct answer ours = answer_of(&plan, &batch);
        if (ours.mix == et_load32(silicon + i * 8) && ours.samples == et_load32(silicon + i * 8 + 4))
            continue;
        if (i == OPEN_TRIANGLE && !_i)
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

int main(void)
{
    Suite *suite = suite_create("coverage");
    TCase *silicon = tcase_create("silicon");
    tcase_set_timeout(silicon, 300);
    tcase_add_loop_test(silicon, every_triangle_covers_the_samples_of_silicon, 0, 2);
    suite_add_tcase(suite, silicon);
    return suite_run(suite);
}
