/* What an H200 interpolated at samples, of biased planes and of polygons as lines
 * (conformance/hardware/planes/samples.h), held to setup and planes here: all is equal. */
#include "conformance/hardware/planes/samples.h"
#include "isa/numeric/plane.h"
#include "rasterizer/raster.h"
#include "support/draw_world.h"
#include "support/packed.h"

enum { KEPT = 17, LINEAR = 0x90 / 4 }; /* every 17th triangle's block is kept */
#define UNTOUCHED -12345.0f

struct replay {
    const struct samples_draw *draw;
    struct et_raster_plan plan;
    struct et_raster_batch batch;
    const uint8_t *silicon; /* the next block */
    long all, equal;
};

static bool holds(const struct et_raster_primitive *primitive, int32_t x, int32_t y)
{
    for (unsigned k = 0; k < primitive->edges; k++) {
        const struct et_edge *edge = &primitive->edge[k];
        if ((__int128)edge->a * x + (__int128)edge->b * y + edge->c < 0)
            return false;
    }
    return true;
}

static bool was_drawn(const struct samples_draw *draw, float silicon)
{
    return draw->values ? silicon != UNTOUCHED : silicon > 0 && silicon < 1; /* else depth may be clamped */
}

/* One sample of the last primitive that holds it. */
static void compare(struct replay *replay, int32_t x, int32_t y, const float *silicon)
{
    const struct et_raster_primitive *primitive = NULL;
    const struct et_plane *planes = NULL;
    for (size_t i = 0; i < replay->batch.count; i++)
        if (holds(&replay->batch.primitive[i], x, y)) {
            primitive = &replay->batch.primitive[i];
            planes = replay->draw->values ? replay->batch.planes + i * 4 : &primitive->p.z;
        }
    for (unsigned c = 0; c < (replay->draw->values ? 4 : 1); c++) {
        float ours = UNTOUCHED;
        if (primitive)
            et_plane_evaluate(&planes[c], 1, &x, &y, &ours);
        replay->all++;
        replay->equal += ours == silicon[c];
    }
}

static void compare_block(struct replay *replay, uint32_t n)
{
    const struct et_sample_layout *layout = replay->plan.samples;
    const unsigned floats = replay->draw->values ? 4 : 1;
    for (uint32_t k = 0; k < 16; k++)
        for (unsigned s = 0; s < layout->samples; s++) {
            const int32_t x = (int32_t)((n & 63) * 4 + (k & 3)), y = (int32_t)((n >> 6) * 4 + (k >> 2));
            float silicon[4];
            for (unsigned c = 0; c < floats; c++, replay->silicon += 4)
                silicon[c] = et_float(et_load32(replay->silicon));
            if (was_drawn(replay->draw, silicon[0]))
                compare(replay, x * 256 + layout->position[s][0] * 16, y * 256 + layout->position[s][1] * 16,
                        silicon);
        }
}

static void compare_triangle(struct replay *replay, unsigned number, uint32_t n)
{
    const struct samples_triangle triangle = samples_triangle(number, n);
    struct et_vertex_record record[3];
    struct et_raster_input input = {.corners = 3, .edges = 7};
    struct etalon_error error = {0};
    memset(record, 0, sizeof record);
    for (unsigned k = 0; k < 3; k++) {
        const float position[4] = {triangle.position[k][0], triangle.position[k][1],
                                   replay->draw->values ? 0.5f : triangle.value[0][k], 1};
        memcpy(&record[k].word[ET_WORD_POSITION], position, sizeof position);
        for (unsigned c = 0; c < 4; c++)
            record[k].word[LINEAR + c] = et_float_bits(triangle.value[c][k]);
        input.vertex[k] = &record[k];
    }
    et_raster_batch_clear(&replay->batch);
    ck_assert_msg(!et_raster_setup(&replay->plan, &replay->batch, &input, &error), "%s", error.text);
    et_raster_settle(&replay->plan, &replay->batch);
    compare_block(replay, n);
}

static void set_state(struct et_raster_state *raster, const struct samples_draw *draw)
{
    static const uint8_t modes[] = {[1] = 0, [2] = 5, [4] = 2, [8] = 4}; /* of Vulkan's places */
    raster->sample.mode = modes[draw->samples];
    raster->clip_control = (raster->clip_control & ~0x3800u) | 2u << 11; /* depth is clamped */
    raster->output.color[0].format = 0;
    raster->output.depth_enable = raster->depth_stencil.depth_test = true;
    raster->depth_stencil.depth_function = 0x207;
    raster->front_mode = raster->back_mode = draw->lines ? 0x1b01 : 0x1b02;
    raster->bias_line = raster->bias_fill = raster->bias_format_dependent = true;
    raster->bias_constant = draw->bias[0];
    raster->bias_slope = draw->bias[1];
    raster->bias_clamp = draw->bias[2];
}

static void replay_draw(struct replay *replay, unsigned number)
{
    static const struct et_sph last = {.bytes = 128};
    const struct et_raster_programs programs = {.last = &last};
    const struct samples_draw *draw = &samples_draws[number];
    struct etalon_error error = {0};
    struct world w;
    world_start(&w, 0xe4, SAMPLES_WIDTH, SAMPLES_HEIGHT(draw), 1, 0);
    world_target(&w.draw.raster.output.depth, WORLD_DEPTH, 0xa, 4, SAMPLES_WIDTH * draw->samples,
                 SAMPLES_HEIGHT(draw) * draw->samples);
    set_state(&w.draw.raster, draw);
    *replay = (struct replay){.draw = draw, .silicon = replay->silicon};
    ck_assert_msg(!et_raster_plan_make(&replay->plan, &w.draw.raster, &programs, &error), "%s", error.text);
    ck_assert_uint_eq(replay->plan.samples->samples, draw->samples);
    replay->plan.planes = 4;
    for (unsigned c = 0; c < 4; c++)
        replay->plan.attribute[c] =
            (struct et_raster_attribute){.word = (uint8_t)(LINEAR + c), .back_word = (uint8_t)(LINEAR + c)};
    for (uint32_t n = 0; n < SAMPLES_TRIANGLES(draw); n += KEPT)
        compare_triangle(replay, number, n);
    et_raster_batch_finish(&replay->batch);
    world_finish(&w);
}

START_TEST(samples_equal_silicon)
{
    static const long all[SAMPLES_DRAWS] = {1511,  1379, 2638, 2764, 2504, 5595, 5784, 5765,  9984, 10504,
                                            11033, 6026, 612,  81,   871,  1442, 6004, 10712, 23564};
    size_t size;
    uint8_t *silicon = (uint8_t *)packed_text("conformance/hardware/planes/samples.bin.zst", &size);
    struct replay replay = {.silicon = silicon};
    for (unsigned i = 0; i < SAMPLES_DRAWS; i++) {
        replay_draw(&replay, i);
        if (replay.equal != replay.all || replay.all != all[i])
            ck_abort_msg("list %u: %ld of %ld equal, %ld known", i, replay.equal, replay.all, all[i]);
    }
    ck_assert_uint_eq((size_t)(replay.silicon - silicon), size);
    free(silicon);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("samples");
    TCase *silicon = tcase_create("silicon");
    tcase_set_timeout(silicon, 60);
    tcase_add_test(silicon, samples_equal_silicon);
    suite_add_tcase(suite, silicon);
    return suite_run(suite);
}
