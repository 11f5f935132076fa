/* Lines with a stipple pattern, and smooth ones, drawn from end to end. */
#include "support/draw_world.h"
#include "support/suite.h"

#include <string.h>

#define SIZE 64

static const float white[4] = {1, 1, 1, 1};

static void point(struct world *w, float x, float y)
{
    world_pixel_vertex(w, SIZE, SIZE, x, y, 0.5f, 1, white, 1);
}

/* Draws and gives the pixels; the caller frees. */
static uint32_t *drawn(struct world *w)
{
    struct etalon_error error = {0};
    memset(w->ram.base + WORLD_COLOR, 0, WORLD_TARGET_BYTES);
    ck_assert_msg(!world_draw(w, &error), "%s", error.text);
    return (uint32_t *)(void *)world_read(w, &w->draw.raster.output.color[0], 4, 0);
}

/* A strip of three segments and a list of the same: the pattern goes on along the strip and starts anew in a
 * list, each bit for `factor + 1` fragments; a pixel of a rectangle that lies just where a step ends belongs
 * to it, and none before the first is drawn. */
START_TEST(stipple_goes_along_strips)
{
    static const float corner[4][2] = {{4.5f, 8.5f}, {27.5f, 8.5f}, {27.5f, 41.5f}, {11.5f, 41.5f}};
    struct world w;
    world_start(&w, 0xe4, SIZE, SIZE, 1, (uint32_t)_i % 3);
    world_programs(&w, PIXEL_ID, true);
    struct et_raster_state *raster = &w.draw.raster;
    raster->line_stipple = true;
    raster->line_multisample_override = _i & 1;
    for (unsigned list = 0; list < 2; list++) {
        w.draw.topology = list ? 1 : 3;
        w.count = 0;
        for (unsigned k = 0; k < 4; k++) {
            point(&w, corner[k][0], corner[k][1]);
            if (list && k > 0 && k < 3)
                point(&w, corner[k][0], corner[k][1]);
        }
        for (uint32_t factor = 0; factor < 256; factor = factor * 3 + 1) {
            const uint32_t pattern = 0xb1e5 ^ factor * 0x101;
            raster->line_stipple_factor = (uint8_t)factor;
            raster->line_stipple_pattern = (uint16_t)pattern;
            uint32_t *pixel = drawn(&w), expected[SIZE * SIZE] = {0}, step = 0;
            for (unsigned k = 0; k < 3; k++) {
                const float dx = corner[k + 1][0] - corner[k][0], dy = corner[k + 1][1] - corner[k][1];
                const unsigned length = (unsigned)(fabsf(dx) + fabsf(dy));
                step = list ? 0 : step;
                /* a rectangle that runs to the left covers its last pixel, not its first */
                for (unsigned i = 0; i <= length; i++) {
                    const bool left = dx < 0 && !raster->line_multisample_override;
                    const unsigned x = (unsigned)(corner[k][0] + dx / (float)length * (float)i);
                    const unsigned y = (unsigned)(corner[k][1] + dy / (float)length * (float)i);
                    if (i == (left ? 0 : length))
                        continue;
                    const uint32_t before = raster->line_multisample_override ? 0 : 1, at = step + i;
                    if (at >= before && pattern >> ((at - before) / (factor + 1) & 15) & 1)
                        expected[y * SIZE + x] = 1;
                }
                step += length;
            }
            for (unsigned i = 0; i < SIZE * SIZE; i++)
                ck_assert_msg(pixel[i] == expected[i], "factor %u list %u: pixel %u,%u is %u", factor, list,
                              i % SIZE, i / SIZE, pixel[i]);
            free(pixel);
        }
    }
    world_finish(&w);
}
END_TEST

/* A smooth line from (line[0], line[1]) to (line[2], line[3]), line[4] wide. */
static uint32_t *smooth_line(struct world *w, const float line[5])
{
    world_start(w, 0xd5, SIZE, SIZE, 1, 0);
    world_programs(w, PIXEL_COLOR, false);
    w->draw.raster.line_antialiased = w->draw.raster.line_multisample_override = true;
    w->draw.raster.line_width = line[4];
    w->draw.topology = 1;
    point(w, line[0], line[1]);
    point(w, line[2], line[3]);
    return drawn(w);
}

static double snapped(float position)
{
    return rint(position * 256) / 256;
}

/* Up to a width of 2 alpha falls in sixteen steps of a sixteenth pixel, of 5 bits each, about the edge half a
 * pixel to each side; away from the ends every pixel that near is drawn. */
START_TEST(narrow_smooth_lines_ramp)
{
    static const float lines[][5] = {{10.5f, 10.5f, 40.5f, 10.5f, 1},
                                     {5.3f, 7.9f, 55.7f, 33.2f, 1},
                                     {50.1f, 9.2f, 20.6f, 58.4f, 1.75f},
                                     {12.3f, 52.7f, 44.9f, 30.8f, 2}};
    const float *line = lines[_i];
    struct world w;
    unsigned steps[16] = {0}, seen = 0;
    uint32_t *pixel = smooth_line(&w, line);
    const double ax = snapped(line[0]), ay = snapped(line[1]);
    const double dx = snapped(line[2]) - ax, dy = snapped(line[3]) - ay, length = hypot(dx, dy);
    for (unsigned p = 0; p < SIZE * SIZE; p++) {
        const double x = p % SIZE + 0.5 - ax, y = p / SIZE + 0.5 - ay;
        const double t = (x * dx + y * dy) / length, across = fabs(y * dx - x * dy) / length;
        const double beyond = 16 * (across - (line[4] - 1) / 2);
        const unsigned step = beyond > 0 ? (unsigned)beyond : 0, level = step < 16 ? 15 - step : 0;
        /* to eight significant bits, and from there as UNORM8 */
        const double part = (level * 2 + (level >> 3)) / 31.0,
                     unit = ldexp(1, ilogb(part > 0 ? part : 1) - 7);
        const double code = ceil(floor(rint(part / unit) * unit * 4096) / 4096 * 255 - 0.5);
        if (t < 2 || t > length - 2 || (beyond > 0 && fabs(beyond - rint(beyond)) < 1e-6))
            continue;
        ck_assert_msg(pixel[p] >> 24 == (unsigned)code, "pixel %u,%u: %u, expected %f", p % SIZE, p / SIZE,
                      pixel[p] >> 24, code);
        steps[level]++;
    }
    for (unsigned i = 0; i < 16; i++)
        seen += steps[i] > 0;
    ck_assert_uint_ge(seen, _i ? 10 : 1);
    free(pixel);
    world_finish(&w);
}
END_TEST

/* A smooth triangle's alpha is the part of the pixel that it covers, and with samples it is not smooth. */
START_TEST(smooth_polygons_cover_areas)
{
    static const float corner[3][2] = {{5.3f, 7.9f}, {55.7f, 20.2f}, {17.1f, 60.6f}};
    struct world w;
    double sum = 0;
    world_start(&w, 0xd5, SIZE, SIZE, 1, 0);
    world_programs(&w, PIXEL_COLOR, false);
    w.draw.raster.polygon_smooth = true;
    w.draw.raster.sample.enable = _i;
    w.draw.topology = 4;
    for (unsigned k = 0; k < 3; k++)
        point(&w, corner[k][0], corner[k][1]);
    uint32_t *pixel = drawn(&w);
    double v[3][2], twice = 0;
    for (unsigned k = 0; k < 3; k++)
        for (unsigned axis = 0; axis < 2; axis++)
            v[k][axis] = rint(corner[k][axis] * 256) / 256;
    for (unsigned k = 0; k < 3; k++)
        twice += v[k][0] * v[(k + 1) % 3][1] - v[(k + 1) % 3][0] * v[k][1];
    for (unsigned p = 0; p < SIZE * SIZE; p++) {
        unsigned inside = 0;
        for (unsigned s = 0; s < 4096; s++) {
            const double x = p % SIZE + (s % 64 + 0.5) / 64, y = p / SIZE + (s / 64 + 0.5) / 64;
            unsigned in = 0;
            for (unsigned k = 0; k < 3; k++) {
                const double *a = v[k], *b = v[(k + 1) % 3];
                in += ((b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0])) * twice >= 0;
            }
            inside += in == 3;
        }
        const double alpha = (pixel[p] >> 24) / 255.0, counted = inside / 4096.0;
        if (_i)
            ck_assert(alpha == 0 || alpha == 1);
        else
            ck_assert_msg(fabs(alpha - counted) < 0.03, "pixel %u,%u: %f, counted %f", p % SIZE, p / SIZE,
                          alpha, counted);
        sum += alpha;
    }
    ck_assert_msg(fabs(sum - fabs(twice) / 2) < 10, "%f of %f", sum, fabs(twice) / 2);
    free(pixel);
    world_finish(&w);
}
END_TEST

/* The alpha test sees the faded alpha. */
START_TEST(alpha_test_after_coverage)
{
    struct world w;
    unsigned kept = 0;
    world_start(&w, 0xd5, SIZE, SIZE, 1, 0);
    world_programs(&w, PIXEL_COLOR, false);
    w.draw.raster.line_antialiased = true;
    w.draw.raster.sample.enable = false;
    w.draw.raster.output.alpha_test = true;
    w.draw.raster.output.alpha_function = 0x204; /* greater */
    w.draw.raster.output.alpha_reference = 0.6f;
    w.draw.topology = 1;
    point(&w, 10, 10.25f); /* covers 1/4 of row 9, 3/4 of row 10 */
    point(&w, 30, 10.25f);
    uint32_t *pixel = drawn(&w);
    for (unsigned p = 0; p < SIZE * SIZE; p++)
        if (pixel[p]) {
            ck_assert_uint_eq(p / SIZE, 10);
            ck_assert_uint_ge(pixel[p] >> 24, 190);
            kept++;
        }
    ck_assert_uint_eq(kept, 20);
    free(pixel);
    world_finish(&w);
}
END_TEST

/* How far apart a pixel and a box with a direction are along that box's axes, or the pixel and an upright
 * box; negative: they overlap by that much. */
static double apart(const double corner[4][2], const double upright[4][2], double x, double y)
{
    const double square[4][2] = {{x, y}, {x + 1, y}, {x + 1, y + 1}, {x, y + 1}};
    double most = -1e9;
    for (unsigned a = 0; a < 8; a++) {
        const double(*const of)[2] = a < 4 ? corner : square;
        const unsigned k = a & 3, next = (k + 1) & 3;
        const double ex = of[next][0] - of[k][0], ey = of[next][1] - of[k][1], size = hypot(ex, ey);
        double low[2] = {1e9, 1e9}, high[2] = {-1e9, -1e9};
        for (unsigned i = 0; i < 8; i++) {
            const double *p = i >= 4 ? square[i - 4] : a < 4 ? corner[i] : upright[i];
            const double along = (ex * p[0] + ey * p[1]) / size;
            low[i / 4] = fmin(low[i / 4], along);
            high[i / 4] = fmax(high[i / 4], along);
        }
        most = fmax(most, fmax(low[0] - high[1], low[1] - high[0]));
    }
    return most;
}

/* Conservative raster: every pixel whose square the line's rectangle, or the point's square, meets; and of a
 * line, the box of its ends, half the width larger to each side. */
START_TEST(conservative_lines_and_points)
{
    static const float lines[][5] = {{10.3f, 10.6f, 40.4f, 13.2f, 1},
                                     {50.2f, 9.7f, 44.9f, 55.1f, 3},
                                     {8.25f, 8.25f, 30.75f, 30.25f, 2},
                                     {20.2f, 40.3f, 20.2f, 40.3f, 5.5f},
                                     {33.1f, 12.9f, 33.1f, 12.9f, 1}};
    const float *line = lines[_i];
    const bool is_point = _i >= 3;
    double corner[4][2];
    struct world w;
    world_start(&w, 0xe4, SIZE, SIZE, 1, 0);
    world_programs(&w, PIXEL_ID, true);
    w.draw.raster.conservative = true;
    w.draw.raster.line_width = w.draw.raster.aliased_line_width = w.draw.raster.point_size = line[4];
    w.draw.raster.line_multisample_override = _i & 1;
    w.draw.topology = is_point ? 0 : 1;
    point(&w, line[0], line[1]);
    if (!is_point)
        point(&w, line[2], line[3]);
    uint32_t *pixel = drawn(&w);
    const double ax = rint(line[0] * 256) / 256, ay = rint(line[1] * 256) / 256,
                 bx = rint(line[2] * 256) / 256, by = rint(line[3] * 256) / 256;
    const double length = hypot(bx - ax, by - ay), half = line[4] / 2;
    const double ux = is_point ? 1 : (bx - ax) / length, uy = is_point ? 0 : (by - ay) / length;
    for (unsigned k = 0; k < 4; k++) {
        const double side = k == 0 || k == 3 ? half : -half, end = is_point ? (k < 2 ? -half : half) : 0;
        corner[k][0] = (k < 2 ? ax : bx) - uy * side + ux * end;
        corner[k][1] = (k < 2 ? ay : by) + ux * side + uy * end;
    }
    const double left = fmin(ax, bx) - half, right = fmax(ax, bx) + half;
    const double top = fmin(ay, by) - half, bottom = fmax(ay, by) + half;
    const double upright[4][2] = {{left, top}, {right, top}, {right, bottom}, {left, bottom}};
    for (unsigned p = 0; p < SIZE * SIZE; p++) {
        const double gap = apart((const double(*)[2])corner, upright, p % SIZE, p / SIZE);
        if (fabs(gap) > 1e-6)
            ck_assert_msg(pixel[p] == (gap < 0), "pixel %u,%u is %u: %f apart", p % SIZE, p / SIZE, pixel[p],
                          gap);
    }
    free(pixel);
    world_finish(&w);
}
END_TEST

/* Smooth lines without a viewport transform, so long that a pattern's step is below the last place of their
 * lengths' sum: drawn, or not, in time. */
START_TEST(stipple_of_long_strips_ends)
{
    struct world w;
    world_start(&w, 0xd5, SIZE, SIZE, 1, 0);
    world_programs(&w, PIXEL_COLOR, false);
    struct et_raster_state *raster = &w.draw.raster;
    raster->line_antialiased = raster->line_multisample_override = raster->line_stipple = true;
    raster->line_width = 4;
    raster->line_stipple_pattern = 0x5555;
    raster->viewport_transform = false;
    raster->viewport[0].scale[0] = 1e-37f;
    w.draw.topology = 3;
    for (unsigned k = 0; k < 6; k++)
        world_add(&w, (float[4]){k & 1 ? 0x1p58f : -0x1p58f, 20, 0.5f, 1}, white, 1);
    uint32_t *pixel = drawn(&w);
    ck_assert_uint_eq(pixel[30 * SIZE + 30], 0);
    free(pixel);
    world_finish(&w);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("lines");
    TCase *lines = tcase_create("lines");
    tcase_add_loop_test(lines, stipple_goes_along_strips, 0, 4);
    tcase_add_loop_test(lines, narrow_smooth_lines_ramp, 0, 4);
    tcase_add_loop_test(lines, smooth_polygons_cover_areas, 0, 2);
    tcase_add_test(lines, alpha_test_after_coverage);
    tcase_add_loop_test(lines, conservative_lines_and_points, 0, 5);
    tcase_add_test(lines, stipple_of_long_strips_ends);
    suite_add_tcase(suite, lines);
    return suite_run(suite);
}
