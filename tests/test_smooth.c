/* What an H200 drew of smooth lines (conformance/hardware/lines/smooth.h), held to setup, coverage and planes
 * here. smooth.bin.zst holds of each list every fourth line's cell, a byte a pixel, the alpha in 31sts, then
 * every sixteenth line's cell, the values' bits. What differs lies on a step but for rounding that is not
 * known, most of it of lines along an axis. */
#include "conformance/hardware/lines/smooth.h"
#include "isa/numeric/plane.h"
#include "rasterizer/raster.h"
#include "support/draw_world.h"
#include "support/packed.h"
#include "support/suite.h"

enum { LINEAR = 0x90 / 4, CELL = SMOOTH_CELL * SMOOTH_CELL, CODES_EACH = 4, VALUES_EACH = 16 };

struct replay {
    struct et_raster_plan plan;
    struct et_raster_batch batch;
    struct et_raster_state *state;
    unsigned drawn, codes, values; /* pixels; how many differ */
};

static void setup_line(struct replay *replay, const struct smooth_line *line)
{
    struct et_vertex_record record[2];
    struct et_raster_input input = {.corners = 2, .provoking = 1};
    struct etalon_error error = {0};
    memset(record, 0, sizeof record);
    for (unsigned k = 0; k < 2; k++) {
        const float position[4] = {line->position[k][0] * 2 / SMOOTH_SIZE - 1,
                                   line->position[k][1] * 2 / SMOOTH_SIZE - 1, 0.5f, 1};
        memcpy(&record[k].word[ET_WORD_POSITION], position, sizeof position);
        record[k].word[LINEAR] = et_float_bits(line->value[k]);
        input.vertex[k] = &record[k];
    }
    replay->state->line_width = line->width;
    replay->state->line_stipple_pattern = line->pattern;
    replay->state->line_stipple_factor = (uint8_t)(line->factor - 1);
    replay->batch.count = 0;
    ck_assert_msg(!et_raster_setup(&replay->plan, &replay->batch, &input, &error), "%s", error.text);
    ck_assert_uint_le(replay->batch.count, 1);
}

/* The cell's pixels by 8x4: the alpha in 31sts, the samples all or none. */
static void cover(struct replay *replay, uint32_t n, uint8_t code[CELL])
{
    const struct et_raster_primitive *primitive = replay->batch.primitive;
    memset(code, 0, CELL);
    for (int32_t y = 0; y < SMOOTH_CELL && replay->batch.count; y += 4)
        for (int32_t x = 0; x < SMOOTH_CELL; x += 8) {
            const int32_t px = (int32_t)(n & 31) * SMOOTH_CELL + x, py = (int32_t)(n >> 5) * SMOOTH_CELL + y;
            struct et_local_edges edges;
            uint16_t coverage[ET_LANES];
            et_local_edges_make(&edges, primitive, px, py);
            const uint32_t any = et_raster_cover_cell(&replay->plan, &edges, false, px, py, coverage);
            for (unsigned lane = 0; lane < ET_LANES; lane++) {
                const int32_t lx = (int32_t)((lane >> 2 & 3) * 2 + (lane & 1)),
                              ly = (int32_t)((lane >> 4) * 2 + (lane >> 1 & 1));
                if (!(any >> lane & 1))
                    continue;
                ck_assert_uint_eq(coverage[lane], (1u << replay->plan.samples->samples) - 1);
                code[(y + ly) * SMOOTH_CELL + x + lx] =
                    (uint8_t)rint(31 * et_raster_smooth_area(replay->state, primitive, px + lx, py + ly));
            }
        }
}

static void compare_values(struct replay *replay, uint32_t n, const uint8_t code[CELL],
                           const uint8_t *silicon)
{
    for (uint32_t p = 0; p < CELL; p++) {
        const int32_t x = (int32_t)((n & 31) * SMOOTH_CELL + p % SMOOTH_CELL) * 256 + 128,
                      y = (int32_t)((n >> 5) * SMOOTH_CELL + p / SMOOTH_CELL) * 256 + 128;
        float value;
        if (!code[p])
            continue;
        et_plane_evaluate(replay->batch.planes, 1, &x, &y, &value);
        replay->values += et_float_bits(value) != et_load32(silicon + 4 * (size_t)p);
    }
}

static void start(struct world *w, struct replay *replay, const struct smooth_list *list)
{
    static const struct et_sph last = {.bytes = 128};
    const struct et_raster_programs programs = {.last = &last};
    struct et_raster_state *state = &w->draw.raster;
    struct etalon_error error = {0};
    world_start(w, 0xc0, SMOOTH_SIZE, SMOOTH_SIZE, 1, 0);
    state->output.color[0].format = 0;
    state->sample.mode = list->samples == 4 ? 2 : 0;
    state->sample.enable = list->samples > 1;
    state->line_antialiased = state->line_multisample_override = true;
    state->line_stipple = list->stippled;
    *replay = (struct replay){.state = state};
    ck_assert_msg(!et_raster_plan_make(&replay->plan, state, &programs, &error), "%s", error.text);
    replay->plan.planes = 1;
    replay->plan.attribute[0] = (struct et_raster_attribute){LINEAR, LINEAR, false};
}

START_TEST(lists)
{
    static const struct {
        unsigned drawn, codes, values;
    } known[SMOOTH_LISTS] = {{11146, 168, 0}, {10028, 27, 0}, {15038, 4, 0}, {4047, 24, 28}, {4157, 5, 0},
                             {6780, 134, 0},  {9074, 12, 0},  {2724, 4, 0},  {13968, 1, 0},  {9278, 7, 0}};
    const uint32_t each = SMOOTH_LINES / CODES_EACH * CELL + SMOOTH_LINES / VALUES_EACH * CELL * 4;
    size_t size;
    uint8_t *const all = (uint8_t *)packed_text("conformance/hardware/lines/smooth.bin.zst", &size);
    const uint8_t *const silicon = all + (size_t)_i * each, *const values =
                                                                silicon + SMOOTH_LINES / CODES_EACH * CELL;
    struct replay replay;
    struct world w;
    ck_assert_uint_eq(size, SMOOTH_LISTS * each);
    start(&w, &replay, &smooth_lists[_i]);
    for (uint32_t n = 0; n < SMOOTH_LINES; n += CODES_EACH) {
        const struct smooth_line line = smooth_line((uint32_t)_i, n);
        uint8_t code[CELL];
        setup_line(&replay, &line);
        cover(&replay, n, code);
        for (uint32_t p = 0; p < CELL; p++) {
            const uint8_t truth = silicon[n / CODES_EACH * CELL + p];
            replay.drawn += truth != 0;
            replay.codes += code[p] != truth;
        }
        if (n % VALUES_EACH == 0)
            compare_values(&replay, n, code, values + (size_t)(n / VALUES_EACH) * CELL * 4);
    }
    if (replay.drawn != known[_i].drawn || replay.codes != known[_i].codes ||
        replay.values != known[_i].values)
        ck_abort_msg("list %d: {%u, %u, %u}", _i, replay.drawn, replay.codes, replay.values);
    et_raster_batch_finish(&replay.batch);
    world_finish(&w);
    free(all);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("smooth");
    TCase *all = tcase_create("smooth");
    tcase_add_loop_test(all, lists, 0, SMOOTH_LISTS);
    suite_add_tcase(suite, all);
    return suite_run(suite);
}
