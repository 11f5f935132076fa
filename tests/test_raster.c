/* The rasterizer held to slow, independent answers: coverage in exact arithmetic, the wide output path by its
 * scalar twin, depth and stencil, primitive assembly, the tessellator. */
#include "pipeline/assemble.h"
#include "pipeline/tessellator.h"
#include "rasterizer/output.h"
#include "support/draw_world.h"
#include "support/suite.h"

static uint64_t state = UINT64_C(0x9e3779b97f4a7c15);

static uint32_t random_bits(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 16);
}

static int random_in(int low, int high)
{
    return low + (int)(random_bits() % (uint32_t)(high - low + 1));
}

/* ---- coverage ---- */

/* The sign of the doubled area of p, q, r. */
static int side_of(const int64_t p[2], const int64_t q[2], const int64_t r[2])
{
    const __int128 area = (__int128)(q[0] - p[0]) * (r[1] - p[1]) - (__int128)(q[1] - p[1]) * (r[0] - p[0]);
    return (area > 0) - (area < 0);
}

/* A sample on an edge belongs to the triangle that contains the point just right of it and, on a horizontal
 * edge, just below: the sample is moved there by an amount smaller than any other. */
static bool oracle_covers(int64_t v[3][2], const int64_t sample[2])
{
    const int turn = side_of(v[0], v[1], v[2]);
    if (!turn)
        return false;
    for (unsigned k = 0; k < 3; k++) {
        const int64_t *p = v[k], *q = v[(k + 1) % 3];
        int side = side_of(p, q, sample) * turn;
        if (!side) { /* moved right by e, then down by e * e */
            const int64_t dx = (q[0] - p[0]) * turn, dy = (q[1] - p[1]) * turn;
            side = dy ? (dy < 0 ? 1 : -1) : dx > 0 ? 1 : -1;
        }
        if (side < 0)
            return false;
    }
    return true;
}

/* A vertex coordinate in 1/256 pixel: near, on centres, on the grid, far away. */
static int64_t random_coordinate(void)
{
    switch (random_bits() % 6) {
    case 0:
        return random_in(0, 64) * 256 + 128;
    case 1:
        return random_in(0, 64) * 256;
    case 2:
        return random_in(-8000000, 8000000); /* differences stay within 24 bits: slopes are exact */
    case 3:
        return random_in(28 * 256, 36 * 256);
    default:
        return random_in(-20 * 256, 84 * 256);
    }
}

START_TEST(coverage_equals_exact_arithmetic)
{
    static const struct et_sph last = {.bytes = 128};
    const struct et_raster_programs programs = {.last = &last};
    struct et_raster_plan plan;
    struct et_raster_batch batch = {0};
    struct etalon_error error = {0};
    struct world w;
    world_start(&w, 0xe4, 64, 64, 1, 0);
    w.draw.raster.output.color[0].format = 0;
    w.draw.raster.sample.mode = _i ? 2 : 0;
    /* window coordinates as they are: what is tested begins at the snapped vertex */
    w.draw.raster.viewport[0].scale[0] = w.draw.raster.viewport[0].scale[1] = 1;
    w.draw.raster.viewport[0].offset[0] = w.draw.raster.viewport[0].offset[1] = 0;
    ck_assert(!et_raster_plan_make(&plan, &w.draw.raster, &programs, &error));
    for (unsigned t = 0; t < 1500; t++) {
        struct et_vertex_record record[3];
        struct et_raster_input input = {.corners = 3, .edges = 7};
        int64_t v[3][2];
        memset(record, 0, sizeof record);
        for (unsigned k = 0; k < 3; k++) {
            for (unsigned axis = 0; axis < 2; axis++) {
                const float x = (float)random_coordinate() / 256;
                v[k][axis] = llrint((double)x * 256);
                record[k].word[ET_WORD_POSITION + axis] = et_float_bits(x);
            }
            if (k && random_bits() % 8 == 0) {
                v[k][1] = v[0][1];
                record[k].word[ET_WORD_POSITION + 1] = record[0].word[ET_WORD_POSITION + 1];
            }
            record[k].word[ET_WORD_POSITION + 3] = 0x3f800000;
            input.vertex[k] = &record[k];
        }
        et_raster_batch_clear(&batch);
        ck_assert_msg(!et_raster_setup(&plan, &batch, &input, &error), "%s", error.text);
        et_raster_settle(&plan, &batch);
        for (int32_t y = 0; y < 64; y += 4)
            for (int32_t x = 0; x < 64; x += 8) {
                struct et_local_edges edges;
                uint16_t coverage[ET_LANES] = {0};
                if (batch.count) {
                    et_local_edges_make(&edges, &batch.primitive[0], 0, 0);
                    if (et_local_edges_side(&edges, x, y, 8, 4) == ET_OUTSIDE ||
                        !et_raster_cover_cell(&plan, &edges,
                                              et_local_edges_side(&edges, x, y, 8, 4) == ET_INSIDE, x, y,
                                              coverage))
                        memset(coverage, 0, sizeof coverage);
                }
                for (int32_t lane = 0; lane < ET_LANES; lane++) {
                    const int32_t px = x + (lane >> 2 & 3) * 2 + (lane & 1),
                                  py = y + (lane >> 4) * 2 + (lane >> 1 & 1);
                    for (unsigned s = 0; s < plan.samples->samples; s++) {
                        const int64_t sample[2] = {px * 256 + plan.samples->position[s][0] * 16,
                                                   py * 256 + plan.samples->position[s][1] * 16};
                        if ((coverage[lane] >> s & 1) !=
                            oracle_covers(v, sample)) /* an assertion writes a file */
                            ck_abort_msg("triangle %u pixel %d %d sample %u", t, px, py, s);
                    }
                }
            }
    }
    et_raster_batch_finish(&batch);
    world_finish(&w);
}
END_TEST

/* ---- conservative raster ---- */

/* Whether the triangle and the open square have a point in common, or, if `whole`, the square lies in the
 * triangle; -1 where an edge passes through a corner of the square. */
static int oracle_meets(const int64_t v[3][2], const int64_t low[2], int64_t size, bool whole)
{
    const int64_t corner[4][2] = {
        {low[0], low[1]}, {low[0] + size, low[1]}, {low[0] + size, low[1] + size}, {low[0], low[1] + size}};
    const int turn = side_of(v[0], v[1], v[2]);
    unsigned corners_in = 0;
    bool meets = false;
    for (unsigned c = 0; c < 4; c++) {
        unsigned in = 0;
        for (unsigned k = 0; k < 3; k++) {
            const int side = side_of(v[k], v[(k + 1) % 3], corner[c]) * turn;
            if (!side)
                return -1;
            in += side > 0;
            meets |= side_of(v[k], v[(k + 1) % 3], corner[c]) !=
                         side_of(v[k], v[(k + 1) % 3], corner[(c + 1) % 4]) &&
                     side_of(corner[c], corner[(c + 1) % 4], v[k]) !=
                         side_of(corner[c], corner[(c + 1) % 4], v[(k + 1) % 3]);
        }
        corners_in += in == 3;
    }
    for (unsigned k = 0; k < 3; k++)
        meets |= v[k][0] > low[0] && v[k][0] < low[0] + size && v[k][1] > low[1] && v[k][1] < low[1] + size;
    return whole ? corners_in == 4 : meets || corners_in;
}

/* Pixels whose square, enlarged by the register's quarters and, before snapping, by the uncertainty region,
 * meets the triangle; with COPY_INNER_TO_OUTER those that it holds. All samples of a pixel are covered or
 * none. */
START_TEST(conservative_coverage)
{
    static const struct {
        uint32_t control, mode;
    } cases[] = {{0, 0}, {1, 0}, {3, 2}, {0x10, 0}, {0x2, 2}, {0x30100, 0}, {0x103, 0}, {0x20110, 2}};
    static const struct et_sph last = {.bytes = 128};
    const struct et_raster_programs programs = {.last = &last};
    const bool whole = cases[_i].control >> 4 & 1;
    const int64_t region = cases[_i].control >> 8 & 1 ? 8 >> (cases[_i].control >> 16) : 0;
    const int64_t extra = (int64_t)(cases[_i].control & 3) * 128 + region, size = 512 + 2 * extra; /* 1/512 */
    struct et_raster_plan plan;
    struct et_raster_batch batch = {0};
    struct etalon_error error = {0};
    struct world w;
    unsigned hit = 0, missed = 0;
    world_start(&w, 0xe4, 64, 64, 1, 0);
    w.draw.raster.output.color[0].format = 0;
    w.draw.raster.sample.mode = cases[_i].mode;
    w.draw.raster.conservative = true;
    w.draw.raster.conservative_control = cases[_i].control;
    w.draw.raster.viewport[0].scale[0] = w.draw.raster.viewport[0].scale[1] = 1;
    w.draw.raster.viewport[0].offset[0] = w.draw.raster.viewport[0].offset[1] = 0;
    ck_assert(!et_raster_plan_make(&plan, &w.draw.raster, &programs, &error));
    const uint16_t all = (uint16_t)((1u << plan.samples->samples) - 1);
    for (unsigned t = 0; t < 400; t++) {
        struct et_vertex_record record[3];
        struct et_raster_input input = {.corners = 3, .edges = 7};
        int64_t v[3][2], doubled[3][2];
        memset(record, 0, sizeof record);
        for (unsigned k = 0; k < 3; k++) {
            for (unsigned axis = 0; axis < 2; axis++) { /* odd: on no side of a square */
                const int64_t c = random_in(-20 * 128, 84 * 128) * 2 + 1;
                v[k][axis] = t & 1 && k ? v[0][axis] + random_in(-300, 300) * 2 : c;
                doubled[k][axis] = 2 * v[k][axis];
                record[k].word[ET_WORD_POSITION + axis] = et_float_bits((float)v[k][axis] / 256);
            }
            record[k].word[ET_WORD_POSITION + 3] = 0x3f800000;
            input.vertex[k] = &record[k];
        }
        if (!side_of(v[0], v[1], v[2]))
            continue;
        et_raster_batch_clear(&batch);
        ck_assert_msg(!et_raster_setup(&plan, &batch, &input, &error), "%s", error.text);
        et_raster_settle(&plan, &batch);
        for (int32_t y = 0; y < 64; y += 4)
            for (int32_t x = 0; x < 64; x += 8) {
                struct et_local_edges edges;
                uint16_t coverage[ET_LANES] = {0};
                enum et_side side = ET_OUTSIDE;
                if (batch.count) {
                    et_local_edges_make(&edges, &batch.primitive[0], 0, 0);
                    side = et_local_edges_side(&edges, x, y, 8, 4);
                }
                if (side != ET_OUTSIDE)
                    et_raster_cover_cell(&plan, &edges, side == ET_INSIDE, x, y, coverage);
                for (unsigned lane = 0; lane < ET_LANES; lane++) {
                    const int32_t px = x + (int32_t)((lane >> 2 & 3) * 2 + (lane & 1)),
                                  py = y + (int32_t)((lane >> 4) * 2 + (lane >> 1 & 1));
                    const int64_t low[2] = {px * 512 - extra, py * 512 - extra};
                    const int meets = oracle_meets(doubled, low, size, whole);
                    if (meets < 0)
                        continue;
                    if (coverage[lane] != (meets ? all : 0)) /* an assertion writes a file */
                        ck_abort_msg("triangle %u pixel %d %d: 0x%x", t, px, py, coverage[lane]);
                    hit += meets == 1;
                    missed += !meets;
                }
            }
    }
    ck_assert_uint_gt(hit, 10000);
    ck_assert_uint_gt(missed, 10000);
    et_raster_batch_finish(&batch);
    world_finish(&w);
}
END_TEST

/* The samples that a triangle of a 64x64 target covers, drawn by itself: a mask a pixel. */
static void covered_by(struct world *w, const int64_t v[3][2], uint16_t pixel[64][64])
{
    static const struct et_sph last = {.bytes = 128};
    const struct et_raster_programs programs = {.last = &last};
    struct et_raster_plan plan;
    struct et_raster_batch batch = {0};
    struct et_vertex_record record[3];
    struct et_raster_input input = {.corners = 3, .edges = 7};
    struct etalon_error error = {0};
    memset(record, 0, sizeof record);
    memset(pixel, 0, 64 * sizeof *pixel);
    for (unsigned k = 0; k < 3; k++) {
        for (unsigned axis = 0; axis < 2; axis++)
            record[k].word[ET_WORD_POSITION + axis] = et_float_bits((float)v[k][axis] / 256);
        record[k].word[ET_WORD_POSITION + 3] = 0x3f800000;
        input.vertex[k] = &record[k];
    }
    w->draw.raster.viewport[0].scale[0] = w->draw.raster.viewport[0].scale[1] = 1;
    w->draw.raster.viewport[0].offset[0] = w->draw.raster.viewport[0].offset[1] = 0;
    w->draw.raster.output.color[0].format = 0;
    ck_assert(!et_raster_plan_make(&plan, &w->draw.raster, &programs, &error));
    ck_assert_msg(!et_raster_setup(&plan, &batch, &input, &error), "%s", error.text);
    et_raster_settle(&plan, &batch);
    for (size_t n = 0; n < batch.count; n++)
        for (int32_t y = 0; y < 64; y += 4)
            for (int32_t x = 0; x < 64; x += 8) {
                struct et_local_edges edges;
                uint16_t coverage[ET_LANES];
                et_local_edges_make(&edges, &batch.primitive[n], x, y);
                const enum et_side side = et_local_edges_side(&edges, x, y, 8, 4);
                if (side == ET_OUTSIDE ||
                    !et_raster_cover_cell(&plan, &edges, side == ET_INSIDE, x, y, coverage))
                    continue;
                for (unsigned lane = 0; lane < ET_LANES; lane++)
                    pixel[y + (int32_t)((lane >> 4) * 2 + (lane >> 1 & 1))]
                         [x + (int32_t)((lane >> 2 & 3) * 2 + (lane & 1))] ^= coverage[lane];
            }
    et_raster_batch_finish(&batch);
}

/* Snapped to a point or a segment, a triangle is drawn before snapping, and not after it. */
START_TEST(degenerate_before_snapping)
{
    static const int64_t shapes[][3][2] = {{{2600, 5200}, {2600, 5200}, {2600, 5200}},
                                           {{1000, 1100}, {9000, 7100}, {5000, 4100}},
                                           {{3003, 9000}, {3003, 400}, {3003, 2000}}};
    const int64_t(*const v)[2] = shapes[_i];
    static uint16_t pixel[64][64];
    struct world w;
    unsigned hit = 0;
    world_start(&w, 0xe4, 64, 64, 1, 0);
    w.draw.raster.conservative = true;
    covered_by(&w, v, pixel);
    for (unsigned p = 0; p < 64 * 64; p++)
        ck_assert_uint_eq(pixel[p / 64][p % 64], 0);
    w.draw.raster.conservative_control = 0x30100;
    covered_by(&w, v, pixel);
    for (int32_t p = 0; p < 64 * 64; p++) {
        const int64_t x0 = p % 64 * 512 - 1, y0 = p / 64 * 512 - 1, size = 514;
        /* Where the segment lies in the square's columns and rows. */
        double low = 0, high = 1;
        for (unsigned axis = 0; axis < 2; axis++) {
            const double from = (double)(2 * v[0][axis] - (axis ? y0 : x0)),
                         step = 2.0 * (double)(v[1][axis] - v[0][axis]);
            if (step == 0) {
                if (from < 0 || from > (double)size)
                    high = -1;
                continue;
            }
            low = fmax(low, fmin(-from / step, ((double)size - from) / step));
            high = fmin(high, fmax(-from / step, ((double)size - from) / step));
        }
        if (fabs(high - low) > 1e-9)
            ck_assert_msg(pixel[p / 64][p % 64] == (low < high), "pixel %d,%d", p % 64, p / 64);
        else
            hit++;
    }
    ck_assert_uint_lt(hit, 5);
    world_finish(&w);
}
END_TEST

/* FILL_BBOX: each sample inside the triangle's bounding rectangle, left and top edges included, once; a
 * culled triangle draws none. */
START_TEST(bounding_rectangle_of_a_triangle)
{
    static const int64_t v[3][2] = {{1000, 1664}, {9000, 7100}, {5000, 640}};
    static uint16_t pixel[64][64];
    struct world w;
    world_start(&w, 0xe4, 64, 64, 1, 0);
    w.draw.raster.fill_via_triangle = 2;
    w.draw.raster.sample.mode = _i ? 2 : 0;
    covered_by(&w, v, pixel);
    const struct et_sample_layout *layout = et_sample_layout_find(w.draw.raster.sample.mode);
    for (int64_t p = 0; p < 64 * 64; p++)
        for (unsigned s = 0; s < layout->samples; s++) {
            const int64_t x = p % 64 * 256 + (_i ? layout->position[s][0] * 16 : 128),
                          y = p / 64 * 256 + (_i ? layout->position[s][1] * 16 : 128);
            ck_assert_uint_eq(pixel[p / 64][p % 64] >> s & 1, x >= 1000 && x < 9000 && y >= 640 && y < 7100);
        }
    w.draw.raster.cull_enable = true;
    w.draw.raster.cull_face = 0x408;
    covered_by(&w, v, pixel);
    for (unsigned p = 0; p < 64 * 64; p++)
        ck_assert_uint_eq(pixel[p / 64][p % 64], 0);
    world_finish(&w);
}
END_TEST

/* A viewport mask sends a primitive to each viewport, whose number is added to the layer where that is asked
 * for. */
START_TEST(viewport_mask)
{
    static const unsigned viewports[] = {0, 2, 15};
    struct et_sph last = {.bytes = 128};
    const struct et_raster_programs programs = {.last = &last};
    struct et_raster_plan plan;
    struct et_raster_batch batch = {0};
    struct et_vertex_record record[3];
    struct et_raster_input input = world_triangle(record);
    struct etalon_error error = {0};
    struct world w;
    world_start(&w, 0xe4, 64, 64, 1, 0);
    w.draw.raster.layer_from_shader = true;
    w.draw.raster.layer_by_viewport = _i;
    world_output(&last, ET_WORD_LAYER);
    world_output(&last, ET_WORD_VIEWPORT_MASK);
    for (unsigned k = 0; k < 3; k++) {
        record[k].word[ET_WORD_VIEWPORT_MASK] = 0x8005;
        record[k].word[ET_WORD_LAYER] = 7;
    }
    ck_assert(!et_raster_plan_make(&plan, &w.draw.raster, &programs, &error));
    ck_assert_msg(!et_raster_setup(&plan, &batch, &input, &error), "%s", error.text);
    et_raster_settle(&plan, &batch);
    ck_assert_uint_eq(batch.count, 3);
    for (unsigned n = 0; n < 3; n++) {
        ck_assert_uint_eq(batch.primitive[n].p.viewport, viewports[n]);
        ck_assert_uint_eq(batch.primitive[n].p.layer, 7 + (_i ? viewports[n] : 0));
    }
    et_raster_batch_finish(&batch);
    world_finish(&w);
}
END_TEST

/* The pattern starts anew with a line that is clipped away: the next one goes on from it, not from a line
 * before, which may be another draw's. */
START_TEST(stipple_after_nothing)
{
    struct et_sph last = {.bytes = 128};
    const struct et_raster_programs programs = {.last = &last};
    struct et_raster_plan plan;
    struct et_raster_batch batch = {0};
    struct et_vertex_record record[3];
    struct et_raster_input input = world_triangle(record);
    struct etalon_error error = {0};
    struct world w;
    world_start(&w, 0xe4, 64, 64, 1, 0);
    w.draw.raster.line_stipple = true;
    input.corners = 2;
    ck_assert(!et_raster_plan_make(&plan, &w.draw.raster, &programs, &error));
    for (unsigned n = 0; n < 3; n++) {
        input.edges = n == 2;
        for (unsigned k = 0; k < 2; k++) /* the second is beyond the far plane */
            record[k].word[ET_WORD_POSITION + 2] = et_float_bits(n == 1 ? 2 : 0);
        ck_assert_msg(!et_raster_setup(&plan, &batch, &input, &error), "%s", error.text);
    }
    ck_assert_uint_eq(batch.count, 2);
    ck_assert(batch.primitive[1].stipple == 0);
    et_raster_batch_finish(&batch);
    world_finish(&w);
}
END_TEST

/* Where no target limits them, a batch's triangles may reach 2^32 tiles together: more than bins may hold. */
START_TEST(bins_have_a_limit)
{
    static const float corner[3][4] = {{-1, -1, 0.5f, 1}, {3, -1, 0.5f, 1}, {-1, 3, 0.5f, 1}};
    const struct et_rectangle most = {0, 0, 131070, 131070};
    struct etalon_error error = {0};
    struct world w;
    world_start(&w, 0xd5, 64, 64, _i ? 3 : 1, 0);
    world_programs(&w, PIXEL_ID, false);
    w.draw.raster.output.color_count = 0;
    w.draw.raster.surface_clip = w.draw.raster.viewport[0].clip = most;
    for (unsigned c = 0; c < 2; c++)
        w.draw.raster.viewport[0].scale[c] = w.draw.raster.viewport[0].offset[c] = 65535;
    for (unsigned n = 0; n < 3 * 1024; n++)
        world_add(&w, corner[n % 3], corner[0], 0);
    ck_assert_int_eq(world_draw(&w, &error), ETALON_BUDGET);
    ck_assert_msg(strstr(error.text, "tiles") != NULL, "%s", error.text);
    world_finish(&w);
}
END_TEST

/* A plan that leaves depth makes it where it cuts a triangle. */
START_TEST(depth_that_cuts_is_not_left)
{
    static const struct et_sph last = {.bytes = 128};
    const struct et_raster_programs programs = {.last = &last};
    struct et_raster_plan plan;
    struct et_vertex_record record[3];
    struct et_raster_input input = world_triangle(record);
    struct etalon_error error = {0};
    float depth[2];
    struct world w;
    world_start(&w, 0xe4, 64, 64, 1, 0);
    w.draw.raster.clip_control = 2u << 11; /* near and far cut no triangles */
    for (unsigned k = 0; k < 3; k++)
        record[k].word[ET_WORD_POSITION + 2] = et_float_bits(3 * (float)k - 2);
    ck_assert(!et_raster_plan_make(&plan, &w.draw.raster, &programs, &error));
    ck_assert(plan.leaves_depth && plan.leaves_w);
    for (unsigned left = 0; left < 2; left++) {
        struct et_raster_batch batch = {0};
        plan.leaves_depth = left;
        ck_assert_msg(!et_raster_setup(&plan, &batch, &input, &error), "%s", error.text);
        ck_assert_uint_eq(batch.count, 1);
        ck_assert(batch.primitive[0].cuts_below && batch.primitive[0].cuts_above);
        batch.primitive[0].p.z = (struct et_plane){.c = 7};
        et_raster_settle(&plan, &batch);
        depth[left] = world_plane(&batch.primitive[0].p.z, 20, 20);
        et_raster_batch_finish(&batch);
    }
    ck_assert_float_eq(depth[0], depth[1]);
    ck_assert_float_ne(depth[0], 7);
    world_finish(&w);
}
END_TEST

/* SET_COLOR_CLAMP keeps the vertex program's colours in 0..1, and nothing else. */
START_TEST(vertex_colours_clamped)
{
    static const float from[4] = {-1.5f, 0.25f, 3, NAN}, clamped[4] = {0, 0.25f, 1, 0};
    struct et_sph last = {.bytes = 128}, pixel = {.bytes = 128};
    const struct et_raster_programs programs = {.last = &last, .pixel = &pixel};
    struct et_raster_plan plan;
    struct et_raster_batch batch = {0};
    struct et_vertex_record record[3];
    struct et_raster_input input = world_triangle(record);
    struct etalon_error error = {0};
    struct world w;
    world_start(&w, 0xe4, 64, 64, 1, 0);
    w.draw.raster.color_clamp = _i;
    for (unsigned c = 0; c < 4; c++) {
        pixel.interpolation[ET_WORD_FRONT_COLOR + c] = ET_SPH_SCREEN_LINEAR;
        pixel.interpolation[ET_WORD_GENERIC + c] = ET_SPH_CONSTANT;
    }
    for (unsigned k = 0; k < 3; k++) {
        memcpy(&record[k].word[ET_WORD_FRONT_COLOR], from, sizeof from);
        memcpy(&record[k].word[ET_WORD_GENERIC], from, sizeof from);
    }
    ck_assert(!et_raster_plan_make(&plan, &w.draw.raster, &programs, &error));
    ck_assert_msg(!et_raster_setup(&plan, &batch, &input, &error), "%s", error.text);
    et_raster_settle(&plan, &batch);
    ck_assert_uint_eq(batch.count, 1);
    for (unsigned c = 0; c < 4; c++) {
        const float *expected = _i ? clamped : from;
        const uint32_t flat = batch.flats[plan.layout.flat[ET_WORD_FRONT_COLOR + c]];
        ck_assert_uint_eq(flat, et_float_bits(expected[c]));
        ck_assert_uint_eq(batch.flats[plan.layout.flat[ET_WORD_GENERIC + c]], et_float_bits(from[c]));
        if (c < 3)
            ck_assert_float_eq_tol(
                world_plane(&batch.planes[plan.layout.plane[ET_WORD_FRONT_COLOR + c]], 20, 20), expected[c],
                1e-6f);
    }
    et_raster_batch_finish(&batch);
    world_finish(&w);
}
END_TEST

/* The rasterizer and the texture unit agree on a mode; orders of one size put a place's sample at one
 * position. */
START_TEST(sample_orders_agree)
{
    static const uint8_t pairs[][2] = {{3, 4}, {1, 5}};
    for (uint32_t mode = 0; mode < 7; mode++) {
        const struct et_sample_layout *layout = et_sample_layout_find(mode);
        const struct et_sample_mode *order = et_sample_mode(mode);
        ck_assert_uint_eq(layout->samples, order->samples);
        ck_assert_uint_eq(layout->width_log2, order->width_log2);
        ck_assert_uint_eq(layout->height_log2, order->height_log2);
    }
    for (unsigned i = 0; i < ET_COUNT(pairs); i++) {
        const struct et_sample_mode *a = et_sample_mode(pairs[i][0]), *b = et_sample_mode(pairs[i][1]);
        for (unsigned s = 0; s < a->samples; s++)
            for (unsigned t = 0; t < b->samples; t++)
                if (a->x[s] == b->x[t] && a->y[s] == b->y[t])
                    ck_assert_mem_eq(et_sample_layout_find(pairs[i][0])->position[s],
                                     et_sample_layout_find(pairs[i][1])->position[t], 2);
    }
}
END_TEST

/* Polygon stipple: row y mod 32 of the pattern, byte by byte, each one's most significant bit first; lines
 * and points are not stippled. Window clip rectangles: pixels inside any (type 0), outside all (1), none (2).
 */
START_TEST(stipple_and_window_clips)
{
    static const struct et_sph last = {.bytes = 128};
    static const float corner[3][2] = {{-10, -10}, {500, -10}, {-10, 500}};
    const struct et_raster_programs programs = {.last = &last};
    struct et_raster_plan plan;
    struct et_raster_batch batch = {0};
    struct etalon_error error = {0};
    struct world w;
    world_start(&w, 0xe4, 64, 64, 1, 0);
    struct et_raster_state *raster = &w.draw.raster;
    raster->output.color[0].format = 0;
    raster->viewport[0].scale[0] = raster->viewport[0].scale[1] = 1;
    raster->viewport[0].offset[0] = raster->viewport[0].offset[1] = 0;
    for (unsigned i = 0; i < 32; i++)
        raster->polygon_stipple_pattern[i] = random_bits() | random_bits() << 16;
    for (unsigned i = 0; i < ET_WINDOW_CLIPS; i++)
        raster->window_clip[i] = (struct et_rectangle){0};
    raster->window_clip[1] = (struct et_rectangle){3, 5, 20, 41};
    raster->window_clip[7] = (struct et_rectangle){17, 30, 61, 64};
    for (unsigned mode = 0; mode < 8; mode++) {
        struct et_vertex_record record[3];
        struct et_raster_input input = {.corners = 3, .edges = 7};
        raster->polygon_stipple = mode & 1;
        raster->window_clip_enable = mode >= 2;
        raster->window_clip_type = mode / 2 - (mode >= 2);
        memset(record, 0, sizeof record);
        for (unsigned k = 0; k < 3; k++) {
            record[k].word[ET_WORD_POSITION] = et_float_bits(corner[k][0]);
            record[k].word[ET_WORD_POSITION + 1] = et_float_bits(corner[k][1]);
            record[k].word[ET_WORD_POSITION + 3] = 0x3f800000;
            input.vertex[k] = &record[k];
        }
        ck_assert(!et_raster_plan_make(&plan, raster, &programs, &error));
        et_raster_batch_clear(&batch);
        ck_assert_msg(!et_raster_setup(&plan, &batch, &input, &error), "%s", error.text);
        et_raster_settle(&plan, &batch);
        ck_assert_uint_eq(batch.count, 1);
        for (int32_t y = 0; y < 64; y += 4)
            for (int32_t x = 0; x < 64; x += 8) {
                struct et_local_edges edges;
                uint16_t coverage[ET_LANES];
                et_local_edges_make(&edges, &batch.primitive[0], 0, 0);
                const uint32_t lanes = et_raster_cover_cell(&plan, &edges, true, x, y, coverage);
                for (unsigned lane = 0; lane < ET_LANES; lane++) {
                    const int32_t px = x + (int32_t)((lane >> 2 & 3) * 2 + (lane & 1)),
                                  py = y + (int32_t)((lane >> 4) * 2 + (lane >> 1 & 1));
                    const bool in =
                        (px >= 3 && px < 20 && py >= 5 && py < 41) || (px >= 17 && px < 61 && py >= 30);
                    const bool window = mode < 2 || (mode < 4 ? in : mode < 6 ? !in : false);
                    const bool stipple =
                        !(mode & 1) ||
                        ((const uint8_t *)&raster->polygon_stipple_pattern[py & 31])[(px & 31) / 8] &
                            0x80 >> (px & 7);
                    if ((lanes >> lane & 1) != (window && stipple))
                        ck_abort_msg("mode %u pixel %d %d", mode, px, py);
                }
            }
    }
    et_raster_batch_finish(&batch);
    world_finish(&w);
}
END_TEST

/* ---- output ---- */

static const uint32_t wide_formats[] = {0xd5, 0xcf, 0xe8, 0xe9, 0xd1, 0xf3, 0xea,
                                        0xe6, 0xfe, 0xf7, 0xe4, 0xc0, 0xcb};

static float random_value(void)
{
    switch (random_bits() % 8) {
    case 0:
        return NAN;
    case 1:
        return INFINITY;
    case 2:
        return -1;
    case 3:
        return (float)random_in(0, 255) / 255;
    case 4:
        return 1;
    default:
        return (float)random_in(-1000, 1 << 20) / (1 << 20);
    }
}

static void random_blend(struct et_blend_target *blend)
{
    static const uint32_t factors[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 14, 15, 0xc003, 0xc004};
    blend->enable = random_bits() & 1;
    blend->separate_alpha = random_bits() & 1;
    blend->write_mask = random_bits() % 3 ? 15 : (uint8_t)(random_bits() & 15);
    blend->color_op = (uint32_t)random_in(1, 5);
    blend->alpha_op = (uint32_t)random_in(1, 5);
    blend->color_source = factors[random_bits() % ET_COUNT(factors)];
    blend->color_dest = factors[random_bits() % ET_COUNT(factors)];
    blend->alpha_source = factors[random_bits() % ET_COUNT(factors)];
    blend->alpha_dest = factors[random_bits() % ET_COUNT(factors)];
}

/* Quads of one primitive, each elsewhere, or of eight, some of them on the same pixels; or a whole cell. */
static void random_queue(struct et_fragment_queue *queue, struct et_raster_primitive primitive[8], bool whole)
{
    const bool one = whole || random_bits() & 1;
    queue->count = whole ? 8 : (unsigned)random_in(1, 8);
    for (unsigned q = 0; q < queue->count; q++) {
        queue->primitive[q] = &primitive[one ? 0 : q];
        queue->x[q] = one ? (int32_t)(q & 3) * 2 : random_in(0, 3) * 2;
        queue->y[q] = one ? (int32_t)(q >> 2) * 2 : random_in(0, 3) * 2;
    }
}

START_TEST(wide_output_equals_its_scalar_twin)
{
    struct et_sph pixel = {.bytes = 128, .color_mask = {15}};
    static const struct et_sph last = {.bytes = 128};
    const struct et_raster_programs programs = {.last = &last, .pixel = &pixel};
    struct world w;
    world_start(&w, wide_formats[_i], 8, 8, 1, 0);
    for (unsigned round = 0; round < 400; round++) {
        static struct et_raster_primitive primitive[8];
        static struct et_raster_worker worker;
        static struct et_raster_plan plan;
        uint32_t registers[4][ET_LANES];
        uint16_t coverage[ET_LANES];
        struct et_cell cell = {.primitive = primitive};
        struct etalon_error error = {0};
        uint8_t before[8192], wide[8192];
        static const uint32_t modes[] = {0, 1, 2}; /* 1, 2 and 4 samples */
        w.draw.raster.sample.mode = modes[round % ET_COUNT(modes)];
        w.draw.raster.output.color[0].width = 8u << (round % 3 > 0);
        w.draw.raster.output.color[0].height = 8u << (round % 3 > 1);
        random_blend(&w.draw.raster.output.blend[0]);
        for (unsigned c = 0; c < 4; c++)
            w.draw.raster.output.blend_constant[c] = random_value();
        pixel.color_mask[0] = random_bits() % 4 ? 15 : (uint8_t)(1 + random_bits() % 15);
        ck_assert_msg(!et_raster_plan_make(&plan, &w.draw.raster, &programs, &error), "%s", error.text);
        et_raster_worker_reset(&worker, &w.map, 7);
        const bool whole = random_bits() % 3 == 0, full = whole && random_bits() & 1;
        random_queue(&worker.queue, primitive, whole);
        plan.wide = et_wide_of(random_bits() % et_wide_levels());
        for (unsigned lane = 0; lane < ET_LANES; lane++) {
            coverage[lane] = (uint16_t)((full ? ~0u : random_bits()) & ((1u << (1u << round % 3)) - 1));
            for (unsigned s = 0; s < ET_SURFACE_CELL_SAMPLES; s++)
                cell.left[s] |= (uint32_t)(coverage[lane] >> s & 1) << lane;
            for (unsigned c = 0; c < 4; c++)
                registers[c][lane] = et_float_bits(random_value());
        }
        uint8_t *target = w.ram.base + WORLD_COLOR;
        const size_t bytes = sizeof before;
        for (size_t i = 0; i < bytes; i++)
            target[i] = (uint8_t)random_bits();
        memcpy(before, target, bytes);
        ck_assert(!et_output_colors(&plan, &worker, registers, coverage, whole ? &cell : NULL, &error));
        memcpy(wide, target, bytes);
        memcpy(target, before, bytes);
        ck_assert(!et_output_colors_scalar(&plan, &worker, registers, coverage, &error));
        ck_assert_msg(!memcmp(wide, target, bytes), "format 0x%x round %u", wide_formats[_i], round);
    }
    world_finish(&w);
}
END_TEST

static enum etalon_status add_by_quads(const struct et_raster_plan *plan, struct et_raster_worker *worker,
                                       struct et_raster_primitive *primitive, int32_t x, int32_t y,
                                       const uint32_t *covered, struct etalon_error *error)
{
    enum etalon_status status = ETALON_OK;
    for (unsigned quad = 0; quad < 8 && !status; quad++) {
        uint16_t coverage[4] = {0};
        for (unsigned i = 0; i < 4; i++)
            for (unsigned s = 0; s < plan->samples->samples; s++)
                coverage[i] |= (uint16_t)((covered[s] >> (quad * 4 + i) & 1) << s);
        status = et_fragment_add(plan, worker, primitive, x + (int32_t)(quad & 3) * 2,
                                 y + (int32_t)(quad >> 2) * 2, coverage, error);
    }
    return status;
}

/* Early depth of quads at once against pixel by pixel: coverage, memory, what is counted and stamped. */
START_TEST(plain_depth_equals_its_scalar_twin)
{
    static const struct et_sph last = {.bytes = 128};
    const struct et_raster_programs programs = {.last = &last};
    struct world w;
    world_start(&w, 0xd5, 16, 16, 1, 0);
    world_target(&w.draw.raster.output.depth, WORLD_DEPTH, 0x0a, 4, 16, 16);
    w.draw.raster.output.depth_enable = true;
    for (unsigned round = 0; round < 2000; round++) {
        static struct et_raster_worker worker[2];
        static struct et_raster_plan plan;
        struct et_raster_primitive primitive = {.min_z = 0, .max_z = 1};
        uint8_t before[4096], after[4096];
        uint8_t *target = w.ram.base + WORLD_DEPTH;
        struct etalon_error error = {0};
        w.draw.raster.sample.mode = round % 3;
        w.draw.raster.sample.enable = true;
        w.draw.raster.output.depth.width = 16u << (round % 3 > 0);
        w.draw.raster.output.depth.height = 16u << (round % 3 > 1);
        w.draw.raster.depth_stencil.depth_test = true;
        w.draw.raster.depth_stencil.depth_write = random_bits() & 1;
        w.draw.raster.depth_stencil.depth_function = 0x200 + random_bits() % 8;
        ck_assert_msg(!et_raster_plan_make(&plan, &w.draw.raster, &programs, &error), "%s", error.text);
        ck_assert(plan.plain_depth);
        for (unsigned k = 0; k < 2; k++)
            et_raster_worker_reset(&worker[k], &w.map, 100 + round);
        const double slope = round % 7 ? 1 / 16.0 : 0;
        et_plane_from_linear(&primitive.p.z, random_value() * slope, random_value() * slope, random_value(),
                             1024, 1024, round % 5 ? 1 << 20 : 256);
        if (round % 4 == 0)
            primitive.p.z.plain = false;
        for (size_t i = 0; i < sizeof before; i += 4)
            et_store32(target + i, random_bits() & 1 ? et_float_bits(random_value()) : 0x3f800000);
        memcpy(before, target, sizeof before);
        for (unsigned k = 0; k < 2; k++) {
            const uint32_t seed = round;
            memcpy(target, before, sizeof before);
            plan.plain_depth = k == 0;
            plan.wide = et_wide_of(round / 3 % et_wide_levels());
            for (int32_t cell = 0; cell < 16; cell++) { /* whole ones, others, then quads with any coverage */
                const int32_t x = (cell & 1) * 8, y = (cell >> 1 & 3) * 4;
                uint32_t covered[ET_SURFACE_CELL_SAMPLES];
                for (uint32_t s = 0; s < ET_SURFACE_CELL_SAMPLES; s++)
                    covered[s] = cell < 8 ? ~0u : (seed + s + (uint32_t)cell) * 2654435761u * 40503;
                ck_assert(!(k == 0 ? et_fragment_cell(&plan, &worker[k], &primitive, x, y, covered, &error)
                                   : add_by_quads(&plan, &worker[k], &primitive, x, y, covered, &error)));
            }
            for (unsigned quad = 0; quad < 12; quad++) {
                const uint32_t bits = (seed * 2654435761u) ^ (quad * 0x9e3779b9u);
                uint16_t coverage[4];
                for (unsigned i = 0; i < 4; i++)
                    coverage[i] = (uint16_t)(bits >> (i * 4) & ((1u << (1u << round % 3)) - 1));
                ck_assert(!et_fragment_add(&plan, &worker[k], &primitive, (int32_t)(bits >> 16 & 7) * 2,
                                           (int32_t)(bits >> 20 & 7) * 2, coverage, &error));
            }
            if (k == 0)
                memcpy(after, target, sizeof after);
        }
        ck_assert_msg(!memcmp(after, target, sizeof after), "round %u", round);
        ck_assert_uint_eq(worker[0].zpass, worker[1].zpass);
    }
    world_finish(&w);
}
END_TEST

/* ---- assembly ---- */

static const struct {
    unsigned topology, vertices;
    bool last;
    const char *primitives; /* corners, vertex 0 is a */
} assemblies[] = {
    {ET_POINTS, 3, false, "a b c"},
    {ET_LINES, 5, false, "ab cd"},
    {ET_LINE_LOOP, 4, false, "ab bc cd da"},
    {ET_LINE_STRIP, 4, true, "ab bc cd"},
    {ET_TRIANGLES, 7, false, "abc def"},
    {ET_TRIANGLE_STRIP, 6, false, "abc bdc cde dfe"},
    {ET_TRIANGLE_STRIP, 6, true, "abc cbd cde edf"},
    {ET_TRIANGLE_FAN, 5, false, "bca cda dea"},
    {ET_TRIANGLE_FAN, 5, true, "abc acd ade"},
    {ET_QUADS, 5, true, "abd bcd"},
    {ET_QUAD_STRIP, 6, true, "cad abd ecf cdf"},
    {ET_POLYGON, 5, true, "abc acd ade"},
    {ET_LINES_ADJACENCY, 8, false, "abcd efgh"},
    {ET_LINE_STRIP_ADJACENCY, 6, false, "abcd bcde cdef"},
    {ET_TRIANGLES_ADJACENCY, 7, false, "abcdef"},
    {ET_TRIANGLE_STRIP_ADJACENCY, 6, true, "abcfed"},
    {ET_TRIANGLE_STRIP_ADJACENCY, 8, true, "abcged eacfgh"},
    {ET_TRIANGLE_STRIP_ADJACENCY, 10, true, "abcged eacfgi ecgjih"},
    {ET_PATCHES, 7, false, "abc def"},
};

START_TEST(topologies_assemble)
{
    struct et_assembler assembler;
    struct et_mesh mesh = {.corners = et_assembler_corners(assemblies[_i].topology, 3)};
    char text[128];
    size_t at = 0;
    et_assembler_start(&assembler, assemblies[_i].topology, 3, assemblies[_i].last, 0);
    for (uint32_t v = 0; v < assemblies[_i].vertices; v++)
        ck_assert(et_assembler_vertex(&assembler, v, &mesh));
    ck_assert(et_assembler_restart(&assembler, &mesh));
    for (size_t p = 0; p < mesh.primitives; p++) {
        if (p)
            text[at++] = ' ';
        for (unsigned k = 0; k < mesh.corners; k++)
            text[at++] = (char)('a' + mesh.corner[p * mesh.corners + k]);
    }
    text[at] = 0;
    ck_assert_str_eq(text, assemblies[_i].primitives);
    et_mesh_finish(&mesh);
}
END_TEST

/* ---- tessellation ---- */

/* Transform feedback of a patch's triangles as an H200 wrote it (scene xfb): u, v, the third coordinate and 1
 * a vertex; the rest of 16 KiB keeps its filling. */
static const struct {
    enum et_tess_domain domain;
    float level[6];
    const char *digest;
} patches[] = {
    {ET_TESS_QUAD, {3, 3, 3, 3, 3, 3}, "a6e4e03bf019091f96c5bc751b14e15fa50d6f5b6a09bc68eb9e14943b6eca53"},
    {ET_TESS_QUAD,
     {5, 2, 4.5f, 1, 3.7f, 2.2f},
     "2c71d785c169ea13e0787ece01bd5d72020c6cf10f7b0e8c9d489945fb2bc0dd"},
    {ET_TESS_QUAD, {1, 1, 1, 1, 1, 1}, "53678379d086e59fac867d9933088a5d96be054bde8f04d8fab978463b1bde7b"},
    {ET_TESS_QUAD, {6, 6, 6, 6, 1, 1}, "9387bdaf3807ee273f43e53b1140f822bc64184bf6a85709313207b37d1cbf7e"},
    {ET_TESS_TRIANGLE,
     {3, 3, 3, 3, 3, 3},
     "6afa47a9eee5ccb7012c4aa41a76ec479eab23ad9275e6872cc21bc360128fbd"},
    {ET_TESS_TRIANGLE,
     {5, 2, 4.5f, 1, 3.7f, 2.2f},
     "8cf7853b5a5ad9643be5221e878b535b2c4546b4615c56de6373e41e524b995b"},
    {ET_TESS_TRIANGLE,
     {1, 1, 1, 1, 1, 1},
     "39a16ef81f96cf169145dcbb40683abb9c0a1dfe221526ff3bb43e7aab674360"},
    {ET_TESS_TRIANGLE,
     {6, 6, 6, 6, 1, 1},
     "b150b08230f1d6288584dc89654440dddb39122e15c616b0b24e6b769aa719b8"},
};

START_TEST(patches_equal_silicon)
{
    static struct et_tessellation out;
    static uint8_t bytes[16384];
    const enum et_tess_domain domain = patches[_i].domain;
    char digest[65];
    et_tessellate(&out, domain, domain == ET_TESS_QUAD ? ET_TESS_FRACTIONAL_ODD : ET_TESS_INTEGER,
                  ET_TESS_COUNTER_CLOCKWISE, patches[_i].level, patches[_i].level + 4);
    memset(bytes, 0xcd, sizeof bytes);
    for (unsigned i = 0; i < out.indices; i++) {
        const struct et_tess_point *p = &out.point[out.index[i]];
        const float u = (float)p->u / 65536, v = (float)p->v / 65536;
        const float vertex[4] = {u, v, domain == ET_TESS_TRIANGLE ? 1 - u - v : 0, 1};
        memcpy(bytes + 16 * i, vertex, 16);
    }
    world_digest(bytes, sizeof bytes, digest);
    ck_assert_str_eq(digest, patches[_i].digest);
}
END_TEST

/* Whatever the levels, the triangles tile the domain: their areas add up to it, none is turned. */
START_TEST(any_patch_tiles_its_domain)
{
    static struct et_tessellation out;
    for (unsigned round = 0; round < 300; round++) {
        const enum et_tess_domain domain = round & 1 ? ET_TESS_QUAD : ET_TESS_TRIANGLE;
        float outer[4], inner[2];
        int64_t sum = 0;
        for (unsigned i = 0; i < 4; i++)
            outer[i] = (float)random_in(1, 6600) / 100;
        for (unsigned i = 0; i < 2; i++)
            inner[i] = (float)random_in(-100, 6600) / 100;
        et_tessellate(&out, domain, (enum et_tess_spacing)(round / 2 % 3), ET_TESS_CLOCKWISE, outer, inner);
        ck_assert_uint_le(out.points, ET_TESS_POINTS_MAX);
        for (unsigned i = 0; i + 2 < out.indices; i += 3) {
            const struct et_tess_point *a = &out.point[out.index[i]], *b = &out.point[out.index[i + 1]],
                                       *c = &out.point[out.index[i + 2]];
            sum += (int64_t)(b->u - a->u) * (c->v - a->v) - (int64_t)(b->v - a->v) * (c->u - a->u);
        }
        ck_assert_int_eq(sum, (INT64_C(1) << 32) * (domain == ET_TESS_QUAD ? 2 : 1));
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("raster");
    TCase *all = tcase_create("all");
    tcase_set_timeout(all, 120);
    tcase_add_loop_test(all, coverage_equals_exact_arithmetic, 0, 2);
    tcase_add_loop_test(all, conservative_coverage, 0, 8);
    tcase_add_loop_test(all, degenerate_before_snapping, 0, 3);
    tcase_add_loop_test(all, bounding_rectangle_of_a_triangle, 0, 2);
    tcase_add_loop_test(all, viewport_mask, 0, 2);
    tcase_add_loop_test(all, vertex_colours_clamped, 0, 2);
    tcase_add_test(all, stipple_after_nothing);
    tcase_add_loop_test(all, bins_have_a_limit, 0, 2);
    tcase_add_test(all, depth_that_cuts_is_not_left);
    tcase_add_test(all, stipple_and_window_clips);
    tcase_add_test(all, sample_orders_agree);
    tcase_add_test(all, plain_depth_equals_its_scalar_twin);
    tcase_add_loop_test(all, wide_output_equals_its_scalar_twin, 0, ET_COUNT(wide_formats));
    tcase_add_loop_test(all, topologies_assemble, 0, ET_COUNT(assemblies));
    tcase_add_loop_test(all, patches_equal_silicon, 0, ET_COUNT(patches));
    tcase_add_test(all, any_patch_tiles_its_domain);
    suite_add_tcase(suite, all);
    return suite_run(suite);
}
