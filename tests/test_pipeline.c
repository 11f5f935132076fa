/* Whole draws against what an H200 drew: the scenes' vertices are made again, the images compared by their
 * hashes (conformance/scenes). Programs are played by C: see support/draw_world.h. */
#include "pipeline/assemble.h"
#include "pipeline/mesh.h"
#include "support/draw_world.h"
#include "support/suite.h"

#include <stdio.h>
#include <math.h>

static const float NO_COLOR[4];

static void add_id(struct world *w, float size, float x, float y, uint32_t id)
{
    world_pixel_vertex(w, size, size, x, y, 0, 1, NO_COLOR, id);
}

static void cover_lcg(struct world *w)
{
    world_seed(w, 100);
    for (uint32_t i = 0; i < 500; i++) {
        const float cx = world_between(w, 0, 256), cy = world_between(w, 0, 256);
        const float s = i < 100 ? 120.f : i < 300 ? 30.f : 6.f;
        for (unsigned k = 0; k < 3; k++) {
            const float x = cx + world_between(w, -s, s), y = cy + world_between(w, -s, s);
            add_id(w, 256, x, y, i + 1);
        }
    }
}

static void cover_sliver(struct world *w)
{
    world_seed(w, 300);
    for (uint32_t i = 0; i < 400; i++) {
        float x[3], y[3];
        const float e = 1.0f / (float)(1 << (i % 12));
        for (unsigned k = 0; k < 2; k++) {
            x[k] = world_between(w, 0, 256);
            y[k] = world_between(w, 0, 256);
        }
        if ((i & 7) >= 2 && (i & 7) <= 6 && (i & 7) != 5) {
            x[0] = floorf(x[0]) + 0.5f;
            y[0] = floorf(y[0]) + 0.5f;
        }
        switch (i & 7) {
        case 0:
            x[2] = (x[0] + x[1]) * 0.5f + world_between(w, -e, e);
            y[2] = (y[0] + y[1]) * 0.5f + world_between(w, -e, e);
            break;
        case 1:
            x[2] = x[0];
            y[2] = y[0];
            break;
        case 2:
            x[1] = x[0] + 8;
            y[1] = y[0];
            x[2] = x[0];
            y[2] = y[0] + 8;
            break;
        case 3:
            x[1] = x[0] + 8;
            y[1] = y[0] + 8;
            x[2] = x[0] - 8;
            y[2] = y[0] + 8;
            break;
        case 4:
            x[1] = x[0] - 6;
            y[1] = y[0] + 3;
            x[2] = x[0] + 6;
            y[2] = y[0] + 3;
            break;
        case 5:
            for (unsigned k = 1; k < 3; k++) {
                x[k] = x[0] + world_between(w, -1, 1);
                y[k] = y[0] + world_between(w, -1, 1);
            }
            break;
        case 6:
            x[1] = x[0] + e;
            y[1] = y[0];
            x[2] = x[0];
            y[2] = y[0] + e;
            break;
        default:
            x[1] = x[0] + world_between(w, -200, 200);
            y[1] = y[0] + e;
            x[2] = x[1];
            y[2] = y[0] - e;
        }
        for (unsigned k = 0; k < 3; k++)
            add_id(w, 256, x[k], y[k], i + 1);
    }
}

static void snap_4096(struct world *w)
{
    const float q = 1.0f / 4096;
    for (int j = 0; j < 32; j++)
        for (int i = 0; i < 32; i++) {
            const float x = (float)(8 * i) + 2.5f + (float)(i - 16) * q,
                        y = (float)(8 * j) + 2.5f + (float)(j - 16) * q;
            const float corner[6][2] = {{x, y},     {x + 4, y}, {x, y + 4},
                                        {x, y + 4}, {x + 4, y}, {x + 4, y + 4}};
            for (unsigned k = 0; k < 6; k++)
                add_id(w, 256, corner[k][0], corner[k][1], (uint32_t)(j * 32 + i + 1));
        }
}

static void snap_tie(struct world *w, bool swapped)
{
    for (int j = 0; j < 32; j++)
        for (int i = 0; i < 32; i++) {
            const float m = (float)(i - 16), f = (float)(j - 16) / 16.0f;
            const float a = (m + f) / 256, b = -m / 256;
            const float x = (float)(8 * i) + (swapped ? b : a), y = (float)(8 * j) + (swapped ? a : b);
            const uint32_t id = (uint32_t)(j * 32 + i + 1);
            add_id(w, 256, x + 1, y + 6, id);
            add_id(w, 256, x + 6, y + 1, id);
            add_id(w, 256, x + 6, y + 6, id);
        }
}

static void snap_tie_x(struct world *w)
{
    snap_tie(w, false);
}

static void snap_tie_y(struct world *w)
{
    snap_tie(w, true);
}

/* 24 x 24 jittered quads of two triangles each over the whole target. */
static void cover_mesh(struct world *w)
{
    enum { N = 24 };
    static const uint8_t split[2][6] = {{0, 1, 3, 0, 3, 2}, {0, 1, 2, 2, 1, 3}};
    float grid[(N + 1) * (N + 1)][2];
    const float step = (256.0f + 16) / N, k = 1 / 255.f;
    world_seed(w, 200);
    for (int j = 0; j <= N; j++)
        for (int i = 0; i <= N; i++) {
            float *p = grid[j * (N + 1) + i];
            p[0] = -8 + (float)i * step + (i && i < N ? world_between(w, -0.24f, 0.24f) * step : 0);
            p[1] = -8 + (float)j * step + (j && j < N ? world_between(w, -0.24f, 0.24f) * step : 0);
        }
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++) {
            const unsigned first = (unsigned)(j * (N + 1) + i),
                           at[4] = {first, first + 1, first + N + 1, first + N + 2};
            const uint8_t *order = split[world_random(w) & 1];
            for (unsigned v = 0; v < 6; v++) {
                const float color[4] = {k, v < 3 ? k : 0, v < 3 ? 0 : k, k};
                const float *p = grid[at[order[v]]];
                world_pixel_vertex(w, 256, 256, p[0], p[1], 0, 1, color,
                                   (uint32_t)(2 * (j * N + i) + 1) + v / 3);
            }
        }
}

static void tri_flat(struct world *w)
{
    static const float color[3][4] = {{1, 0, 0, 1}, {0, 1, 0, 0.5f}, {0, 1, 1, 0.25f}};
    world_pixel_vertex(w, 128, 128, 64.3f, 5.7f, 0, 1, color[0], 1);
    world_pixel_vertex(w, 128, 128, 121.2f, 118.9f, 0, 1, color[1], 2);
    world_pixel_vertex(w, 128, 128, 7.1f, 101.4f, 0, 1, color[2], 3);
}

/* Triangles that reach up to 4^9 viewports outside. */
static void cover_guard(struct world *w)
{
    static const float color[3][4] = {{1, 0, 0, 1}, {0, 1, 0, 1}, {0, 0, 1, 1}};
    world_seed(w, 400);
    for (uint32_t i = 0; i < 60; i++) {
        const float R = 128.f * powf(4.0f, (float)(i % 10)), a = world_between(w, 0, 6.2831853f);
        const float px = world_between(w, 20, 108), py = world_between(w, 20, 108);
        const float dx = floorf(cosf(a) * 4096) / 4096, dy = floorf(sinf(a) * 4096) / 4096;
        world_pixel_vertex(w, 128, 128, px + dx * R, py + dy * R, 0.25f, 1, color[0], i + 1);
        world_pixel_vertex(w, 128, 128, px - dx * R - dy * 9, py - dy * R + dx * 9, 0.5f, 1, color[1], i + 1);
        world_pixel_vertex(w, 128, 128, px - dy * 5, py + dx * 5, 0.75f, 1, color[2], i + 1);
    }
}

static const struct scene {
    const char *name;
    void (*fill)(struct world *);
    uint32_t format, bytes, size;
    enum world_pixel pixel;
    bool flat, additive;
    float clear[4];
    const char *digest; /* of the H200's image */
} scenes[] = {
    {"cover_lcg",
     cover_lcg,
     0xe4,
     4,
     256,
     PIXEL_ID,
     true,
     false,
     {0},
     "d8ba30442af2da991180e607c033daa12ff424ce0cbeeaaf50836c92ee8b6386"},
    {"cover_mesh",
     cover_mesh,
     0xe4,
     4,
     256,
     PIXEL_ID,
     true,
     false,
     {0},
     "c267a71b0d8248bfa3905953edacadd67dd20d3e85bb184d698d2129d475e09e"},
    {"cover_mesh count",
     cover_mesh,
     0xd5,
     4,
     256,
     PIXEL_COLOR,
     false,
     true,
     {0},
     "074c19ed10f9afd8048cf6e251f41aca28683d7a99410483326b805f18b67b51"},
    {"cover_sliver",
     cover_sliver,
     0xe4,
     4,
     256,
     PIXEL_ID,
     true,
     false,
     {0},
     "99a8eb277441d6530c6dfb6fc8ab8bf890b3614ea13837c039242a2154e6d8e2"},
    {"snap_4096",
     snap_4096,
     0xe4,
     4,
     256,
     PIXEL_ID,
     true,
     false,
     {0},
     "79fdd9f26333a57c0da97201393e22128e70b54c4e17edcde47cbe0de9f7903d"},
    {"snap_tie x",
     snap_tie_x,
     0xe4,
     4,
     256,
     PIXEL_ID,
     true,
     false,
     {0},
     "0c80aaa55db1e4fc55ff9bad06a2c6084bd1f911865bd3d8f3a0450b3c2c666c"},
    {"snap_tie y",
     snap_tie_y,
     0xe4,
     4,
     256,
     PIXEL_ID,
     true,
     false,
     {0},
     "0c80aaa55db1e4fc55ff9bad06a2c6084bd1f911865bd3d8f3a0450b3c2c666c"},
    {"tri_flat",
     tri_flat,
     0xd5,
     4,
     128,
     PIXEL_FLAT_COLOR,
     true,
     false,
     {0.1f, 0.1f, 0.1f, 1},
     "8327de2f6b3711af8871313b65b412889e8095f2f96eef8b9bb57aa140f66828"},
    {"cover_guard",
     cover_guard,
     0xe4,
     4,
     128,
     PIXEL_ID,
     true,
     false,
     {0},
     "7712cb02aaef4d068af0b1babcef8c7e013c56d73140939c65f88bc6716ae60d"},
};

static void draw_scene(const struct scene *scene, int threads, uint32_t bin, char digest[65])
{
    struct etalon_error error = {0};
    struct world w;
    struct et_clear clear;
    uint8_t *rows;
    world_start(&w, scene->format, scene->size, scene->size, threads, bin);
    world_programs(&w, scene->pixel, scene->flat);
    if (scene->additive)
        w.draw.raster.output.blend[0] = (struct et_blend_target){.enable = true,
                                                                 .color_op = 0x8006,
                                                                 .color_source = 0x4001,
                                                                 .color_dest = 0x4001,
                                                                 .write_mask = 15};
    clear = (struct et_clear){.map = &w.map,
                              .event = 4,
                              .surface = 0x3c,
                              .color = w.draw.raster.output.color[0],
                              .rectangle = w.draw.raster.surface_clip,
                              .srgb_write = true};
    memcpy(clear.color_value, scene->clear, sizeof clear.color_value);
    ck_assert_msg(!et_pipeline_clear(w.pipeline, &clear, &error), "%s", error.text);
    scene->fill(&w);
    ck_assert_msg(!world_draw(&w, &error), "%s: %s", scene->name, error.text);
    rows = world_read(&w, &w.draw.raster.output.color[0], scene->bytes, 0);
    world_digest(rows, (size_t)scene->size * scene->size * scene->bytes, digest);
    free(rows);
    world_finish(&w);
}

START_TEST(images_equal_silicon)
{
    const struct scene *scene = &scenes[_i];
    char digest[65];
    draw_scene(scene, 1, 0, digest);
    ck_assert_msg(!strcmp(digest, scene->digest), "%s gives %s", scene->name, digest);
}
END_TEST

START_TEST(results_do_not_depend_on_bins)
{
    static const uint32_t bins[] = {1, 7, 100};
    char digest[65];
    draw_scene(&scenes[_i], 1, bins[_i % 3], digest);
    ck_assert_str_eq(digest, scenes[_i].digest);
}
END_TEST

/* Triangles over each other, small and large, some cut by the near plane, or a stippled strip of lines:
 * several batches and a part. Returns what the counters say in `counters`. */
static void draw_heap(int threads, bool lines, char digest[65], uint64_t counters[4])
{
    const float color[4] = {1, 1, 1, 1};
    struct etalon_error error = {0};
    struct world w;
    uint8_t *rows;
    world_start(&w, 0xe4, 256, 256, threads, 0);
    world_programs(&w, PIXEL_ID, true);
    world_seed(&w, 77);
    if (lines) {
        w.draw.topology = 3;
        w.draw.raster.line_stipple = true;
        w.draw.raster.line_stipple_pattern = 0x1f35;
        w.draw.raster.line_stipple_factor = 4;
    }
    for (uint32_t t = 0; t < 2500; t++) {
        const float x = world_between(&w, 0, 256), y = world_between(&w, 0, 256),
                    size = t % 5     ? 20
                           : t % 100 ? 60
                                     : 400;
        for (unsigned k = 0; k < 3; k++)
            world_pixel_vertex(&w, 256, 256, x + world_between(&w, -size, size),
                               y + world_between(&w, -size, size), world_between(&w, -0.2f, 0.8f),
                               world_between(&w, 0.5f, 2), color, t + 1);
    }
    ck_assert_msg(!world_draw(&w, &error), "%s", error.text);
    rows = world_read(&w, &w.draw.raster.output.color[0], 4, 0);
    world_digest(rows, (size_t)256 * 256 * 4, digest);
    counters[0] = w.results.counters.clipper_invocations;
    counters[1] = w.results.counters.clipper_primitives;
    counters[2] = w.results.counters.ps_invocations;
    counters[3] = w.results.counters.zpass;
    free(rows);
    world_finish(&w);
}

START_TEST(threads_leave_the_same)
{
    static const int threads[] = {2, 3, 5};
    const bool lines = _i >= 3;
    char one[65], several[65];
    uint64_t want[4], got[4];
    draw_heap(1, lines, one, want);
    draw_heap(threads[_i % 3], lines, several, got);
    ck_assert_str_eq(several, one);
    ck_assert_mem_eq(got, want, sizeof want);
    ck_assert_uint_eq(want[0], lines ? 7499 : 2500);
    ck_assert_uint_gt(want[2], 100000);
}
END_TEST

/* A line three wide: all pixels whose centre lies in the rectangle about it; or, as OpenGL's, three lines of
 * one pixel a column side by side. */
START_TEST(wide_lines)
{
    static const float from[4][2] = {{4.25f, 8.25f}, {8.25f, 4.25f}, {20.25f, 9.25f}, {5.25f, 6.25f}},
                       to[4][2] = {{20.25f, 8.25f}, {8.25f, 20.25f}, {4.25f, 9.25f}, {17.25f, 10.75f}};
    const bool aliased = _i >= 4;
    const float *a = from[_i % 4], *b = to[_i % 4];
    const double dx = (double)b[0] - (double)a[0], dy = (double)b[1] - (double)a[1],
                 length = sqrt(dx * dx + dy * dy);
    struct etalon_error error = {0};
    struct world w;
    unsigned drawn = 0;
    world_start(&w, 0xe4, 32, 32, 1, 0);
    world_programs(&w, PIXEL_ID, true);
    w.draw.topology = 1;
    w.draw.raster.line_width = w.draw.raster.aliased_line_width = 3;
    w.draw.raster.line_multisample_override = aliased;
    world_pixel_vertex(&w, 32, 32, a[0], a[1], 0.5f, 1, NO_COLOR, 7);
    world_pixel_vertex(&w, 32, 32, b[0], b[1], 0.5f, 1, NO_COLOR, 7);
    ck_assert_msg(!world_draw(&w, &error), "%s", error.text);
    uint8_t *rows = world_read(&w, &w.draw.raster.output.color[0], 4, 0);
    for (uint32_t i = 0; i < 1024; i++) {
        const double x = i % 32 + 0.5 - (double)a[0], y = i / 32 + 0.5 - (double)a[1];
        const double along = (x * dx + y * dy) / length, across = (x * dy - y * dx) / length;
        const bool inside = along > 0 && along < length && fabs(across) < 1.5,
                   got = et_load32(rows + 4 * (size_t)i) == 7;
        drawn += got;
        if (!aliased)
            ck_assert_msg(got == inside, "line %d pixel %u %u: %d", _i, i % 32, i / 32, got);
        else
            ck_assert(!got || (along > -1.5 && along < length + 1.5 && fabs(across) < 2));
    }
    if (aliased)
        ck_assert_uint_eq(drawn, 3 * (unsigned)fmax(fabs(dx), fabs(dy)));
    free(rows);
    world_finish(&w);
}
END_TEST

/* What lies farther out than a pixel's number holds, at each side, draws nothing; what goes from one such end
 * to the other covers all; conservative raster or not. */
START_TEST(far_outside)
{
    static const float away[][3][2] = {{{0x1p60f, 0}, {0x1p62f, 1}, {0x1p61f, 2}},
                                       {{-0x1p60f, 0}, {-0x1p62f, 1}, {-0x1p61f, 2}},
                                       {{0, 0x1p60f}, {1, 0x1p62f}, {2, 0x1p61f}},
                                       {{0, -0x1p60f}, {1, -0x1p62f}, {2, -0x1p61f}},
                                       {{0x1p60f, 0x1p61f}, {0x1p62f, 0x1p60f}, {0x1p61f, 0x1p63f}},
                                       {{-0x1p100f, -0x1p100f}, {0x1p100f, -0x1p100f}, {0, 0x1p100f}}};
    const bool covers = _i / 2 == ET_COUNT(away) - 1;
    struct etalon_error error = {0};
    struct world w;
    world_start(&w, 0xe4, 32, 32, 1, 0);
    world_programs(&w, PIXEL_ID, true);
    w.draw.raster.conservative = _i & 1;
    for (unsigned k = 0; k < 3; k++)
        world_add(&w, (float[4]){away[_i / 2][k][0], away[_i / 2][k][1], 0.5f, 1}, NO_COLOR, 7);
    ck_assert_msg(!world_draw(&w, &error), "%s", error.text);
    uint8_t *rows = world_read(&w, &w.draw.raster.output.color[0], 4, 0);
    for (uint32_t i = 0; i < 1024; i++)
        ck_assert_uint_eq(et_load32(rows + 4 * (size_t)i), covers ? 7 : 0);
    free(rows);
    world_finish(&w);
}
END_TEST

/* Too many vertices for any program are refused at once, by name, and draw nothing. */
START_TEST(endless_draws)
{
    static const uint32_t sizes[][2] = {
        {UINT32_MAX, 1}, {1, UINT32_MAX}, {UINT32_MAX, UINT32_MAX}, {3, ET_DRAW_MOST_VERTICES / 3 + 1}};
    struct etalon_error error = {0};
    struct world w;
    world_start(&w, 0xe4, 32, 32, 1, 0);
    world_programs(&w, PIXEL_ID, true);
    w.draw.count = sizes[_i][0];
    w.draw.instance_count = sizes[_i][1];
    ck_assert_int_eq(et_pipeline_draw(w.pipeline, &w.draw, &w.results, &error), ETALON_BUDGET);
    ck_assert_msg(strstr(error.text, "vertices") != NULL, "%s", error.text);
    ck_assert_uint_eq(w.results.counters.vs_invocations, 0);
    world_finish(&w);
}
END_TEST

/* Depth from -1/2 to 3/2 across 16 pixels: what lies outside the viewport's range is cut off, or clamped, at
 * either end, with no depth target at all. */
START_TEST(depth_outside_the_range)
{
    const bool below = _i & 1, above = _i >> 1;
    struct etalon_error error = {0};
    struct world w;
    world_start(&w, 0xe4, 16, 16, 1, 0);
    world_programs(&w, PIXEL_ID, true);
    w.draw.raster.clip_control = 0x10000; /* W=0 clip, min_z to max_z */
    w.draw.raster.depth_stencil.clamp_min = below;
    w.draw.raster.depth_stencil.clamp_max = above;
    for (unsigned k = 0; k < 6; k++) {
        const bool right = k == 1 || k == 2 || k == 4, low = k == 2 || k > 3;
        world_pixel_vertex(&w, 16, 16, right ? 16 : 0, low ? 16 : 0, right ? 1.5f : -0.5f, 1, NO_COLOR, 7);
    }
    ck_assert_msg(!world_draw(&w, &error), "%s", error.text);
    uint8_t *rows = world_read(&w, &w.draw.raster.output.color[0], 4, 0);
    for (uint32_t i = 0; i < 256; i++) {
        const uint32_t x = i % 16;
        ck_assert_uint_eq(et_load32(rows + 4 * (size_t)i), (x >= 4 || below) && (x < 12 || above) ? 7 : 0);
    }
    free(rows);
    world_finish(&w);
}
END_TEST

/* Alpha makes coverage where the first target is null, but not without any target. */
START_TEST(alpha_to_coverage_of_a_null_target)
{
    static const struct {
        uint32_t targets;
        float alpha;
        unsigned samples;
    } cases[] = {{1, 0, 0}, {1, 1, 4}, {0, 0, 4}};
    const float color[4] = {1, 1, 1, cases[_i].alpha};
    struct etalon_error error = {0};
    struct world w;
    world_start(&w, 0xd5, 16, 16, 1, 0);
    world_programs(&w, PIXEL_COLOR, false);
    w.draw.raster.output.color[0].format = 0;
    w.draw.raster.output.color_count = (uint8_t)cases[_i].targets;
    w.draw.raster.sample.mode = 2;
    w.draw.raster.sample.alpha_to_coverage = true;
    world_pixel_vertex(&w, 16, 16, 0, 0, 0.5f, 1, color, 0);
    world_pixel_vertex(&w, 16, 16, 32, 0, 0.5f, 1, color, 0);
    world_pixel_vertex(&w, 16, 16, 0, 32, 0.5f, 1, color, 0);
    ck_assert_msg(!world_draw(&w, &error), "%s", error.text);
    ck_assert_uint_eq(w.results.counters.zpass, 256 * cases[_i].samples);
    world_finish(&w);
}
END_TEST

/* A program's unwritten outputs: what the rasterizer and the next stage find there. */
START_TEST(unwritten_outputs)
{
    struct et_vertex_record record[2];
    memset(record, 0xff, sizeof record);
    et_records_start(record, 2, ET_RECORD_ALL);
    for (unsigned word = 0; word < ET_ATTRIBUTE_WORDS; word++) {
        const bool vector = word >= ET_WORD_POSITION && word < ET_WORD_FRONT_COLOR;
        ck_assert_uint_eq(record[1].word[word], vector && word % 4 == 3 ? 0x3f800000 : 0);
    }
}
END_TEST

/* A pass-through geometry program's outputs replace those of its input primitive's vertices; the rest,
 * position and all, is the vertex program's. With adjacency the inner vertices go on. */
START_TEST(geometry_passes_through)
{
    const bool adjacency = _i;
    const uint32_t primitives = 40;
    struct etalon_error error = {0};
    uint32_t header[ET_SPH_V4_BYTES / 4 + 4] = {0};
    struct world w;
    world_start(&w, 0xe4, 64, 64, 1, _i ? 1 : 0);
    world_programs(&w, PIXEL_ID, true);
    world_set_bits(header, 0, 5, 1);
    world_set_bits(header, 5, 5, 4);
    world_set_bits(header, 10, 4, ET_SPH_GEOMETRY);
    world_set_bits(header, 24, 1, 1);
    world_set_bits(header, 400 + ET_WORD_LAYER, 1, 1);
    world_set_bits(header, 400 + ET_WORD_GENERIC + 4, 1, 1);
    memcpy(w.ram.base + WORLD_PROGRAMS + 0x2000, header, sizeof header);
    w.draw.stage[ET_STAGE_GEOMETRY] =
        (struct et_draw_stage){.enable = true, .program = WORLD_PROGRAMS + 0x2000};
    w.draw.topology = adjacency ? 0xc : 4;
    w.draw.raster.layer_from_shader = true;
    w.draw.raster.output.color[0].layers = 2;
    w.draw.raster.output.color[0].array_pitch = 0x10000;
    for (uint32_t i = 0; i < primitives; i++) /* one 8x8 cell each, its middle covered */
        for (unsigned k = 0; k < 3; k++) {
            const float x = (float)(i % 8 * 8) + (k == 1 ? 7 : 0), y = (float)(i / 8 * 8) + (k == 2 ? 7 : 0);
            add_id(&w, 64, x, y, i + 1);
            if (adjacency)
                add_id(&w, 64, 63, 63, 77);
        }
    ck_assert_msg(!world_draw(&w, &error), "%s", error.text);
    ck_assert_uint_eq(w.results.counters.gs_invocations, primitives);
    ck_assert_uint_eq(w.results.counters.gs_primitives, primitives);
    for (uint32_t layer = 0; layer < 2; layer++) {
        uint8_t *rows = world_read(&w, &w.draw.raster.output.color[0], 4, layer);
        for (uint32_t i = 0; i < 64; i++) {
            const uint32_t at = (i / 8 * 8 + 2) * 64 + i % 8 * 8 + 2;
            ck_assert_uint_eq(et_load32(rows + 4 * (size_t)at),
                              i < primitives && (i & 1) == layer ? 100 + i : 0);
        }
        free(rows);
    }
    world_finish(&w);
}
END_TEST

/* Transform feedback: strips are taken apart, whole primitives go out while they fit, skipped components and
 * what lies between vertices stay; a later draw goes on where the first one stopped, or where it is told to.
 */
START_TEST(feedback_appends)
{
    enum { STRIDE = 16, VERTICES = 5, FILL = 0xa5 };
    static const uint32_t order[] = {1, 2, 3, 2, 4, 3, 3, 4, 5}; /* [DOC: Vulkan's triangle strips] */
    struct etalon_error error = {0};
    struct world w;
    world_start(&w, 0xe4, 64, 64, 1, _i ? 1 : 0);
    world_programs(&w, PIXEL_ID, true);
    w.draw.raster.enable = false;
    w.draw.topology = 5;
    w.draw.xfb_enable = true;
    for (uint32_t i = 0; i < VERTICES; i++)
        add_id(&w, 64, (float)i, (float)(i & 1), i + 1);
    struct et_xfb_buffer *buffer = &w.draw.xfb[1];
    *buffer = (struct et_xfb_buffer){
        .enable = true, .address = WORLD_XFB, .size = STRIDE * 17, .components = 3, .stride = STRIDE};
    memset(buffer->layout, 0xff, sizeof buffer->layout);
    buffer->layout[0] = ET_WORD_GENERIC + 4;
    buffer->layout[2] = ET_WORD_POSITION + 3;
    uint8_t *memory = w.ram.base + WORLD_XFB;
    memset(memory, FILL, 1024);
    ck_assert_msg(!world_draw(&w, &error), "%s", error.text); /* three triangles */
    ck_assert_uint_eq(w.results.xfb_written[1], 9 * STRIDE);
    ck_assert_uint_eq(w.results.xfb_written[0], 0);
    ck_assert_msg(!world_draw(&w, &error), "%s", error.text); /* room for two more */
    ck_assert_uint_eq(w.results.xfb_written[1], 15 * STRIDE);
    ck_assert_uint_eq(w.results.counters.streaming_needed[0], 6);
    ck_assert_uint_eq(w.results.counters.streaming_succeeded[0], 5);
    for (unsigned v = 0; v < 18; v++) {
        const uint8_t *at = memory + STRIDE * (size_t)v;
        const bool written = v < 15;
        ck_assert_uint_eq(et_load32(at), written ? order[v % 9] : 0xa5a5a5a5);
        ck_assert_uint_eq(et_load32(at + 4), 0xa5a5a5a5);
        ck_assert_uint_eq(et_load32(at + 8), written ? 0x3f800000 : 0xa5a5a5a5);
        ck_assert_uint_eq(et_load32(at + 12), 0xa5a5a5a5);
    }
    /* Resumed elsewhere; a second buffer of the stream that is too small holds both back; another stream's
     * buffer takes nothing. */
    memset(memory, FILL, 1024);
    w.results.xfb_written[1] = 2 * STRIDE;
    w.draw.xfb[2] = (struct et_xfb_buffer){
        .enable = true, .address = WORLD_XFB + 512, .size = 4 * 7, .components = 1, .stride = 4};
    w.draw.xfb[2].layout[0] = ET_WORD_GENERIC + 4;
    w.draw.xfb[3] = w.draw.xfb[2];
    w.draw.xfb[3].address = WORLD_XFB + 768;
    w.draw.xfb[3].stream = 1;
    ck_assert_msg(!world_draw(&w, &error), "%s", error.text);
    ck_assert_uint_eq(w.results.xfb_written[1], 8 * STRIDE);
    ck_assert_uint_eq(w.results.xfb_written[2], 24);
    ck_assert_uint_eq(w.results.xfb_written[3], 0);
    for (unsigned v = 0; v < 8; v++) {
        ck_assert_uint_eq(et_load32(memory + STRIDE * (size_t)v), v < 2 ? 0xa5a5a5a5 : order[v - 2]);
        ck_assert_uint_eq(et_load32(memory + 512 + 4 * (size_t)v), v < 6 ? order[v] : 0xa5a5a5a5);
        ck_assert_uint_eq(et_load32(memory + 768 + 4 * (size_t)v), 0xa5a5a5a5);
    }
    world_finish(&w);
}
END_TEST

/* Edges that line mode draws: each of a polygon's own, once, whose first vertex has its edge flag; strips
 * have no flags. A polygon's last edge is known at its end alone. */
START_TEST(polygons_edges)
{
    static const struct {
        unsigned topology, vertices;
        uint32_t inner;       /* vertices whose flag is off */
        const char *expected; /* edges drawn, as pairs of vertices */
    } cases[] = {{ET_TRIANGLES, 6, 0, "01 12 20 34 45 53 "},
                 {ET_TRIANGLES, 6, 0x12, "01 20 34 53 "},
                 {ET_QUADS, 4, 0, "01 30 12 23 "},
                 {ET_QUADS, 4, 1, "30 12 23 "},
                 {ET_QUADS, 4, 8, "01 12 23 "},
                 {ET_POLYGON, 5, 0, "01 12 23 34 40 "},
                 {ET_POLYGON, 5, 0x11, "12 23 34 "},
                 {ET_POLYGON, 3, 0, "01 12 20 "},
                 {ET_TRIANGLE_STRIP, 4, 0xf, "01 12 20 21 13 32 "}};
    for (size_t c = 0; c < ET_COUNT(cases); c++) {
        struct et_assembler assembler;
        struct et_mesh mesh = {.corners = 3};
        char drawn[64] = "";
        unsigned ids = 0;
        et_assembler_start(&assembler, cases[c].topology, 0, true, 40);
        for (uint32_t v = 0; v < cases[c].vertices; v++)
            ck_assert(et_assembler_vertex(&assembler, v | (cases[c].inner >> v & 1 ? ET_ASSEMBLER_INNER : 0),
                                          &mesh));
        ck_assert(et_assembler_restart(&assembler, &mesh));
        for (size_t p = 0; p < mesh.primitives; p++) {
            const uint32_t *corner = mesh.corner + 3 * p;
            for (unsigned k = 0; k < 3; k++)
                if (mesh.primitive[p].edges >> k & 1)
                    sprintf(drawn + strlen(drawn), "%u%u ", corner[k], corner[(k + 1) % 3]);
            ids = ET_MAX(ids, mesh.primitive[p].id - 39);
        }
        ck_assert_msg(!strcmp(drawn, cases[c].expected), "case %zu: %s", c, drawn);
        ck_assert_uint_eq(ids, assembler.primitives);
        et_mesh_finish(&mesh);
    }
}
END_TEST

/* Which vertices a line strip's lines take, by their ids (number + 1; 0: past the vertices): index sizes,
 * restart, base vertex, the index buffer's limit, instances. Restart compares what the buffer holds, before
 * the base vertex is added. */
START_TEST(indices_and_restart)
{
    static const struct {
        enum et_draw_source source;
        uint32_t size, restart, restart_index;
        int32_t base;
        uint32_t first, count, limit, instances;
        uint32_t index[8], expected[10];
    } cases[] = {
        {ET_DRAW_INDEXED, 1, 1, 0xffff, 0, 0, 6, 6, 1, {0, 1, 0xffff, 2, 3, 4}, {1, 2, 3, 4, 4, 5}},
        {ET_DRAW_INDEXED, 0, 1, 0xff, 1, 0, 5, 5, 1, {0, 1, 0xff, 2, 3}, {2, 3, 4, 5}},
        {ET_DRAW_INDEXED, 2, 1, 2, 0, 0, 5, 5, 1, {0, 1, 2, 3, 4}, {1, 2, 4, 5}},
        {ET_DRAW_INDEXED, 2, 1, 0xffffffff, -5, 0, 5, 5, 1, {5, 6, 0xffffffff, 7, 8}, {1, 2, 3, 4}},
        {ET_DRAW_INDEXED, 0, 0, 0xff, 0, 0, 3, 3, 1, {0, 1, 0xff}, {1, 2, 2, 0}},
        {ET_DRAW_INDEXED, 1, 0, 0, 0, 0, 4, 3, 1, {4, 3, 2, 1}, {5, 4, 4, 3, 3, 1}},
        {ET_DRAW_INDEXED, 2, 0, 0, 0, 2, 2, 8, 1, {7, 7, 3, 1, 7}, {4, 2}},
        {ET_DRAW_INDEXED, 0, 1, 0xff, 0, 0, 6, 6, 1, {0xff, 0xff, 0, 1, 0xff, 2}, {1, 2}},
        {ET_DRAW_INDEXED, 1, 0, 0, 0, 0, 3, 3, 2, {0, 1, 2}, {1, 2, 2, 3, 1, 2, 2, 3}},
        {ET_DRAW_INLINE_INDICES, 0, 1, 0x10000, 0, 0, 5, 0, 1, {3, 4, 0x10000, 1, 0}, {4, 5, 2, 1}},
        {ET_DRAW_ARRAYS, 0, 0, 0, 2, 1, 3, 0, 1, {0}, {4, 5, 5, 6}},
        {ET_DRAW_ARRAYS, 0, 1, 2, 1, 0, 5, 0, 1, {0}, {2, 3, 5, 6}},
    };
    struct etalon_error error = {0};
    struct world w;
    world_start(&w, 0xe4, 64, 64, 1, _i ? 1 : 0);
    world_programs(&w, PIXEL_ID, true);
    w.draw.raster.enable = false;
    w.draw.topology = 3;
    w.draw.xfb_enable = true;
    w.draw.reuse = (struct et_reuse_limits){.corners = 42, .primitives = 32, .vertices = 32};
    w.draw.xfb[0] = (struct et_xfb_buffer){
        .enable = true, .address = WORLD_XFB, .size = 1024, .components = 1, .stride = 4};
    w.draw.xfb[0].layout[0] = ET_WORD_GENERIC + 4;
    for (uint32_t i = 0; i < 9; i++)
        add_id(&w, 64, 0, 0, i + 1);
    memcpy(w.ram.base + WORLD_VERTICES, w.vertex, w.count * sizeof *w.vertex);
    for (size_t c = 0; c < ET_COUNT(cases); c++) {
        unsigned expected = 0;
        for (unsigned i = 0; i < 10; i++)
            expected = cases[c].expected[i] ? i + 1 : expected;
        expected += expected & 1; /* lines have two ends: the last may be vertex 0 */
        for (unsigned i = 0; i < 8; i++)
            memcpy(w.ram.base + WORLD_INDICES + (i << cases[c].size), &cases[c].index[i],
                   1u << cases[c].size);
        w.draw.source = cases[c].source;
        w.draw.index_size = cases[c].size;
        w.draw.index_address = WORLD_INDICES;
        w.draw.index_limit = WORLD_INDICES + (cases[c].limit << cases[c].size);
        w.draw.inline_index = cases[c].index;
        w.draw.restart = cases[c].restart;
        w.draw.restart_index = cases[c].restart_index;
        w.draw.base_vertex = cases[c].base;
        w.draw.first = cases[c].first;
        w.draw.count = cases[c].count;
        w.draw.instance_count = cases[c].instances;
        w.results = (struct et_draw_results){0};
        ck_assert_msg(!et_pipeline_draw(w.pipeline, &w.draw, &w.results, &error), "%s", error.text);
        ck_assert_msg(w.results.xfb_written[0] == 4 * expected, "case %zu: %u bytes", c,
                      (unsigned)w.results.xfb_written[0]);
        for (unsigned i = 0; i < expected; i++) {
            const uint32_t id = et_load32(w.ram.base + WORLD_XFB + 4 * (size_t)i);
            ck_assert_msg(id == cases[c].expected[i], "case %zu end %u: %u", c, i, id);
        }
        ck_assert_uint_eq(w.results.counters.da_primitives, expected / 2);
    }
    world_finish(&w);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("pipeline");
    TCase *images = tcase_create("images");
    tcase_set_timeout(images, 60);
    tcase_add_loop_test(images, images_equal_silicon, 0, ET_COUNT(scenes));
    tcase_add_loop_test(images, results_do_not_depend_on_bins, 0, ET_COUNT(scenes));
    tcase_add_loop_test(images, threads_leave_the_same, 0, 6);
    tcase_add_loop_test(images, alpha_to_coverage_of_a_null_target, 0, 3);
    tcase_add_test(images, unwritten_outputs);
    tcase_add_loop_test(images, depth_outside_the_range, 0, 4);
    tcase_add_loop_test(images, wide_lines, 0, 8);
    tcase_add_loop_test(images, far_outside, 0, 12);
    tcase_add_loop_test(images, endless_draws, 0, 4);
    tcase_add_loop_test(images, geometry_passes_through, 0, 2);
    tcase_add_loop_test(images, feedback_appends, 0, 2);
    tcase_add_test(images, polygons_edges);
    tcase_add_loop_test(images, indices_and_restart, 0, 2);
    suite_add_tcase(suite, images);
    return suite_run(suite);
}
