/* Replays what an H200's output unit wrote (conformance/silicon/output) through the library's conversion,
 * blending, alpha to coverage, lines and points. A case's count of differing texels is exact: the known ones
 * are what no rule explains. */
#include "base/alloc.h"
#include "capture/tar.h"
#include "rasterizer/raster.h"
#include "support/draw_world.h"
#include "support/suite.h"

#include <stdio.h>

static struct et_tar_list list;

static bool wanted(void *context, const char *name)
{
    return !strncmp(name, context, strlen(context));
}

static void open_archive(const char *name, const char *prefix)
{
    struct etalon_error error = {0};
    char path[4096];
    snprintf(path, sizeof path, "%s/conformance/%s.tar.zst", suite_srcdir(), name);
    ck_assert_msg(!et_tar_read(path, 1u << 30, wanted, (void *)(uintptr_t)prefix, &list, &error), "%s",
                  error.text);
}

/* The sample's files that start with `prefix`, unless the environment names a folder of them all. */
static void open_files(const char *prefix)
{
    if (!getenv("ETALON_SILICON_OUTPUT"))
        open_archive("silicon/output/sample", prefix);
}

static void close_files(void)
{
    et_tar_free(&list);
}

/* A file of the archive, or of the folder. */
static const struct et_tar_file *file_of(const char *name, const char *tag)
{
    const char *folder = getenv("ETALON_SILICON_OUTPUT");
    char text[512];
    const struct et_tar_file *file;
    snprintf(text, sizeof text, "%s%s%s.raw", name, tag[0] ? "." : "", tag);
    file = et_tar_find(&list, text);
    if (!file && folder) {
        struct et_tar_file loaded = {0};
        struct etalon_error error = {0};
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", folder, text);
        ck_assert_msg(!et_file_read(path, 1u << 30, &loaded.bytes, &loaded.size, &error), "%s", error.text);
        loaded.name = et_strdup(text);
        ck_assert(et_grow(&list.files, &list.capacity, list.count + 1, sizeof *list.files));
        list.files[list.count++] = loaded;
        return &list.files[list.count - 1];
    }
    ck_assert_msg(file != NULL, "no %s", text);
    return file;
}

static const void *raw(const char *name, const char *tag)
{
    return file_of(name, tag)->bytes;
}

static void report(const char *name, const char *what, long differ, long known, long all)
{
    if (getenv("ETALON_SILICON_OUTPUT"))
        printf("# %s %s: %ld of %ld equal, %ld known\n", name, what, all - differ, all, known);
    ck_assert_msg(differ == known, "%s %s: %ld of %ld differ, %ld known", name, what, differ, all, known);
}

/* ---- blending ---- */

static const uint32_t factors[19] = {0x4000, 0x4001, 0x4300, 0x4301, 0x4306, 0x4307, 0x4302,
                                     0x4303, 0x4304, 0x4305, 0xc001, 0xc002, 0xc003, 0xc004,
                                     0x4308, 0xc900, 0xc901, 0xc902, 0xc903};
static const uint32_t equations[5] = {0x8006, 0x800a, 0x800b, 0x8007, 0x8008};

struct equation {
    unsigned source, dest, op, alpha_source, alpha_dest, alpha_op;
};

static void make_plan(struct et_blend_plan *plan, uint32_t format, const struct equation *e,
                      const float constant[4])
{
    struct et_output_state state = {.srgb_write = true};
    struct et_blend_target *blend = &state.blend[0];
    struct etalon_error error = {0};
    blend->write_mask = 15;
    if (e) {
        blend->enable = blend->separate_alpha = true;
        blend->color_source = factors[e->source];
        blend->color_dest = factors[e->dest];
        blend->color_op = equations[e->op];
        blend->alpha_source = factors[e->alpha_source];
        blend->alpha_dest = factors[e->alpha_dest];
        blend->alpha_op = equations[e->alpha_op];
        memcpy(state.blend_constant, constant, sizeof state.blend_constant);
    }
    ck_assert_msg(!et_blend_plan_make(plan, &state, 0, et_color_format_find(format), &error), "%s",
                  error.text);
}

static uint32_t lcg;

static uint32_t table_random(void)
{
    lcg = lcg * 1664525u + 1013904223u;
    return lcg >> 8;
}

static float table_between(float low, float high)
{
    return low + (high - low) * ((float)table_random() / 16777216.0f);
}

static void fill_table(uint32_t *table, size_t count, bool wide)
{
    for (size_t i = 0; i < count; i++) {
        const uint32_t m = table_random() & 15;
        const float v = m == 0          ? 0
                        : m == 1        ? 1
                        : m == 2        ? (float)(table_random() & 255) / 255.0f
                        : wide && m < 8 ? table_between(-2, 4)
                                        : table_between(0, 1);
        table[i] = et_float_bits(v);
    }
}

enum { GRID_WIDTH = 120, GRID_HEIGHT = 152, GRID = GRID_WIDTH * GRID_HEIGHT };

static const struct {
    const char *name;
    uint32_t format, seed;
    bool wide;
    float blue;
} grids[] = {
    {"grid_rgba8s", 0xd7, 7000, true, -0.75f},   {"grid_rgba16s", 0xc7, 7001, true, -0.75f},
    {"grid_r8", 0xf3, 7002, false, 0.9f},        {"grid_rg8", 0xea, 7003, false, 0.9f},
    {"grid_a1rgb5", 0xe9, 7004, false, 0.9f},    {"grid_r16f", 0xf2, 7005, false, 0.9f},
    {"grid_bgra8srgb", 0xd0, 7006, false, 0.9f}, {"blend_rgba8", 0xd5, 1000, false, 0.9f},
    {"blend_srgb", 0xd6, 1001, false, 0.9f},     {"blend_rgba16f", 0xca, 1002, true, 1.75f},
    {"blend_rgb10a2", 0xd1, 1004, false, 0.9f},  {"blend_rgba32f", 0xc0, 1007, true, 1.75f},
};

START_TEST(blend_grids)
{
    static uint32_t target[GRID * 4], source[GRID * 4];
    const float constant[4] = {0.25f, 0.6f, grids[_i].blue, 0.4f};
    const struct et_color_format *format = et_color_format_find(grids[_i].format);
    const unsigned bytes = format->bytes;
    long writes = 0, blends = 0;
    if (!strncmp(grids[_i].name, "blend_", 6)) { /* a scene of the set */
        char scene[64];
        snprintf(scene, sizeof scene, "scenes/%s", grids[_i].name);
        open_archive(scene, "");
    } else {
        open_files(grids[_i].name);
    }
    const uint8_t *dst = raw(grids[_i].name, "dst"), *out = raw(grids[_i].name, "");
    lcg = grids[_i].seed * 2654435761u + 12345u;
    fill_table(target, ET_COUNT(target), grids[_i].wide);
    fill_table(source, ET_COUNT(source), true);
    for (unsigned i = 0; i < GRID; i++) {
        const unsigned x = i % GRID_WIDTH / 8, y = i / GRID_WIDTH / 8;
        struct equation e = {.source = x, .dest = y < 15 ? y : (x * 7 + 3) % 15, .op = y < 15 ? 0 : y - 14};
        struct et_blend_plan plan;
        uint8_t texel[16];
        e.alpha_source = (x + 3) % 15;
        e.alpha_dest = (e.dest + 4) % 15;
        e.alpha_op = x == 14 ? y % 5 : e.op;
        et_color_encode(format, target + 4 * i, texel);
        writes += memcmp(texel, dst + i * bytes, bytes) != 0;
        memcpy(texel, dst + i * bytes, bytes);
        make_plan(&plan, grids[_i].format, &e, constant);
        et_blend_texel(&plan, source + 4 * i, NULL, texel);
        blends += memcmp(texel, out + i * bytes, bytes) != 0;
    }
    report(grids[_i].name, "write", writes, 0, GRID);
    report(grids[_i].name, "blend", blends, 0, GRID);
    close_files();
}
END_TEST

static const struct {
    const char *name;
    uint32_t format;
} duals[] = {{"dual_srgb", 0xd6},    {"dual_rgb565", 0xe8}, {"dual_a1rgb5", 0xe9},
             {"dual_r8", 0xf3},      {"dual_rgba8s", 0xd7}, {"dual_r11g11b10f", 0xe0},
             {"dual_rgba16f", 0xca}, {"dual_rgba32f", 0xc0}};

START_TEST(dual_source)
{
    static const uint8_t cases[16][3] = {
        {15, 1, 0}, {1, 17, 0}, {15, 17, 0}, {15, 17, 1}, {15, 17, 2}, {16, 18, 0}, {16, 1, 0}, {1, 18, 0},
        {1, 1, 0},  {15, 0, 0}, {0, 17, 0},  {0, 18, 0},  {1, 0, 0},   {1, 1, 3},   {1, 1, 4},  {0, 1, 0}};
    static const float zero[4];
    open_files(duals[_i].name);
    const uint32_t *s0 = raw(duals[_i].name, "s0"), *s1 = raw(duals[_i].name, "s1");
    const struct et_tar_file *before = file_of(duals[_i].name, "dst");
    const uint8_t *dst = before->bytes;
    const unsigned bytes = et_color_format_find(duals[_i].format)->bytes;
    const size_t texels = before->size / bytes;
    long differ = 0;
    for (unsigned k = 0; k < 16; k++) {
        const struct equation e = {cases[k][0], cases[k][1], cases[k][2],
                                   cases[k][0], cases[k][1], cases[k][2]};
        struct et_blend_plan plan;
        char tag[8];
        snprintf(tag, sizeof tag, "c%02u", k);
        const uint8_t *out = raw(duals[_i].name, tag);
        make_plan(&plan, duals[_i].format, &e, zero);
        for (size_t i = 0; i < texels; i++) {
            uint8_t texel[16];
            memcpy(texel, dst + i * bytes, bytes);
            et_blend_texel(&plan, s0 + 4 * i, s1 + 4 * i, texel);
            differ += memcmp(texel, out + i * bytes, bytes) != 0;
        }
    }
    report(duals[_i].name, "dual source", differ, 0, (long)(16 * texels));
    close_files();
}
END_TEST

static const struct {
    const char *name;
    uint32_t format;
    long known; /* NaN payloads of 1 times a NaN factor, and the like */
} specials[] = {
    {"special_rgba16f", 0xca, 3}, {"special_r11g11b10f", 0xe0, 67}, {"special_rgba32f", 0xc0, 182}};

START_TEST(special_values)
{
    static const uint8_t cases[12][3] = {{1, 1, 0}, {1, 1, 1}, {1, 1, 2}, {1, 1, 3}, {1, 1, 4}, {0, 1, 0},
                                         {1, 0, 0}, {4, 0, 0}, {0, 2, 0}, {5, 1, 0}, {0, 0, 0}, {14, 1, 0}};
    static const float zero[4];
    long differ = 0;
    open_files(specials[_i].name);
    const uint32_t *s0 = raw(specials[_i].name, "s0");
    const uint8_t *dst = raw(specials[_i].name, "dst");
    const unsigned bytes = et_color_format_find(specials[_i].format)->bytes;
    for (unsigned k = 0; k < 13; k++) {
        struct equation e = {0};
        struct et_blend_plan plan;
        char tag[8];
        snprintf(tag, sizeof tag, "c%02u", k);
        const uint8_t *out = raw(specials[_i].name, tag);
        if (k < 12)
            e = (struct equation){cases[k][0], cases[k][1], cases[k][2],
                                  cases[k][0], cases[k][1], cases[k][2]};
        make_plan(&plan, specials[_i].format, k < 12 ? &e : NULL, zero);
        for (unsigned i = 0; i < 1024; i++) {
            uint8_t texel[16];
            memcpy(texel, dst + i * bytes, bytes);
            et_blend_texel(&plan, s0 + 4 * i, NULL, texel);
            differ += memcmp(texel, out + i * bytes, bytes) != 0;
        }
    }
    report(specials[_i].name, "special values", differ, specials[_i].known, 13 * 1024);
    close_files();
}
END_TEST

/* ---- conversion ---- */

START_TEST(srgb_encoding)
{
    long differ = 0;
    open_files("srgb_enc");
    for (unsigned k = 0; k < 4; k++) {
        const char tag[3] = {'r', (char)('0' + k), 0};
        const uint8_t *out = raw("srgb_enc", tag);
        for (uint32_t i = 0; i < 65536; i++) {
            const uint32_t bits = (111u << 23) + (i << 11);
            const uint32_t value[4] = {bits, bits - 1, bits + 0x400, bits + 0x7ff};
            uint32_t source[4];
            uint8_t texel[4];
            for (unsigned c = 0; c < 4; c++)
                source[c] = value[(c + k) & 3];
            et_color_encode(et_color_format_find(k == 3 ? 0xd0 : 0xd6), source, texel);
            for (unsigned c = 0; c < 4; c++)
                differ += texel[c] != out[4 * i + c];
        }
    }
    report("srgb_enc", "conversion", differ, 0, 4 * 4 * 65536);
    close_files();
}
END_TEST

/* ---- alpha to coverage ---- */

static uint32_t mix(uint32_t i, uint32_t k)
{
    uint32_t x = i * 0x9E3779B1u + k * 0x85EBCA77u;
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ x >> 16;
}

static float alpha_of(unsigned set, uint32_t x, uint32_t y)
{
    const uint32_t block = (x >> 2) + (y >> 2) * 64;
    switch (set) {
    case 0:
        return (float)block / 4096.0f;
    case 1:
        return ((float)((x >> 5) + (y >> 5) * 8) + 0.5f) / 64.0f;
    case 2:
        return (float)(mix(block, 5) >> 8) / 16777216.0f;
    default:
        if (block == 4090)
            return NAN;
        if (block == 4091)
            return INFINITY;
        if (block == 4092)
            return -INFINITY;
        if (block >= 3000)
            return ((float)((block - 3000) / 2) - 200) / 256.0f;
        return et_float(et_float_bits((float)(block / 5 + 1) / 512.0f) + block % 5 - 2);
    }
}

START_TEST(alpha_to_coverage)
{
    const unsigned samples = 1u << _i;
    long differ = 0;
    char name[16];
    snprintf(name, sizeof name, "a2c_%u", samples);
    open_files(name);
    for (unsigned set = 0; set < 4; set++) {
        const char tag[2] = {(char)('a' + set), 0};
        const uint8_t *out = raw(name, tag);
        for (uint32_t i = 0; i < 65536; i++) {
            const uint32_t x = i & 255, y = i >> 8;
            const uint32_t code = et_alpha_code(et_color_format_find(0xd5), alpha_of(set, x, y));
            differ += et_alpha_coverage(code, samples, (int32_t)x, (int32_t)y, true) != out[i];
        }
    }
    report(name, "masks", differ, 0, 4 * 65536);
    close_files();
}
END_TEST

START_TEST(alpha_to_coverage_of_formats)
{
    static const struct {
        const char *tag;
        uint32_t format;
    } formats[] = {{"R16G16B16A16_SFLOAT", 0xca},      {"R8G8B8A8_SRGB", 0xd6},
                   {"A2B10G10R10_UNORM_PACK32", 0xd1}, {"R16G16B16A16_UNORM", 0xc6},
                   {"R32G32B32A32_SFLOAT", 0xc0},      {"R8G8B8A8_SNORM", 0xd7}};
    const unsigned samples = _i ? 8 : 4;
    char name[16];
    snprintf(name, sizeof name, "a2cfmt_%u", samples);
    open_files(name);
    const float *alpha = raw(name, "alpha");
    for (unsigned k = 0; k < ET_COUNT(formats); k++) {
        const uint8_t *out = raw(name, formats[k].tag);
        long differ = 0;
        for (uint32_t i = 0; i < 65536; i++) {
            const uint32_t code = et_alpha_code(et_color_format_find(formats[k].format), alpha[4 * i + 3]);
            differ += et_alpha_coverage(code, samples, (int32_t)(i & 255), (int32_t)(i >> 8), true) != out[i];
        }
        report(name, formats[k].tag, differ, 0, 65536);
    }
    close_files();
}
END_TEST

/* ---- lines and points ---- */

/* Sample masks of primitives, without a machine: the plan of a state, the setup of one primitive, its cells.
 */
struct shapes {
    struct world world;
    struct et_raster_plan plan;
    struct et_raster_batch batch;
};

static void start_shapes(struct shapes *s, uint32_t size, unsigned samples, float width, bool diamond)
{
    static const struct et_sph last = {.output = {1u << ET_WORD_POINT_SIZE}};
    const struct et_raster_programs programs = {.last = &last};
    struct etalon_error error = {0};
    struct et_raster_state *state = &s->world.draw.raster;
    memset(s, 0, sizeof *s);
    world_start(&s->world, 0xe4, size, size, 1, 0);
    state->sample.mode = samples == 1 ? 0 : samples == 4 ? 2 : 4;
    state->output.color[0].format = 0;
    state->line_width = state->aliased_line_width = width;
    state->line_multisample_override = diamond;
    state->point_size_attribute = true;
    ck_assert_msg(!et_raster_plan_make(&s->plan, state, &programs, &error), "%s", error.text);
}

static void finish_shapes(struct shapes *s)
{
    et_raster_batch_finish(&s->batch);
    world_finish(&s->world);
}

/* Adds the primitive's samples to mask (or hits to count) over the 32x32 cell at (x0, y0). */
static void add_shape(struct shapes *s, const float *const *vertex, unsigned corners, int32_t x0, int32_t y0,
                      uint16_t mask[32][32], uint8_t count[32][32])
{
    struct et_vertex_record record[3];
    struct et_raster_input input = {.corners = (uint8_t)corners, .edges = 7};
    struct etalon_error error = {0};
    for (unsigned k = 0; k < corners; k++) {
        memset(&record[k], 0, sizeof record[k]);
        memcpy(&record[k].word[ET_WORD_POSITION], vertex[k], 16);
        memcpy(&record[k].word[ET_WORD_POINT_SIZE], &vertex[k][7], 4);
        input.vertex[k] = &record[k];
    }
    ck_assert_msg(!et_raster_setup(&s->plan, &s->batch, &input, &error), "%s", error.text);
    et_raster_settle(&s->plan, &s->batch);
    for (size_t i = 0; i < s->batch.count; i++)
        for (int32_t y = 0; y < 32; y += 4)
            for (int32_t x = 0; x < 32; x += 8) {
                uint16_t coverage[ET_LANES];
                struct et_local_edges edges;
                et_local_edges_make(&edges, &s->batch.primitive[i], x0 + x, y0 + y);
                if (!et_raster_cover_cell(&s->plan, &edges, false, x0 + x, y0 + y, coverage))
                    continue;
                for (int32_t lane = 0; lane < ET_LANES; lane++) {
                    const int32_t lx = x + (lane >> 2 & 3) * 2 + (lane & 1),
                                  ly = y + (lane >> 4) * 2 + (lane >> 1 & 1);
                    mask[ly][lx] |= coverage[lane];
                    count[ly][lx] = (uint8_t)(count[ly][lx] + (coverage[lane] != 0));
                }
            }
    et_raster_batch_clear(&s->batch);
}

static const struct {
    const char *name;
    float width; /* 0: 1 + (i / 16) / 64 for line i */
    unsigned samples;
    bool diamond;
    long known; /* pixels that segments of 3-4-5 pass exactly, and ends on a diamond's edge */
} lines[] = {{"line_w1", 1, 1, false, 5},
             {"line_w1_b", 1, 1, false, 1},
             {"line_w2", 2, 1, false, 0},
             {"line_w3", 3, 1, false, 5},
             {"line_w1p5", 1.5f, 1, false, 0},
             {"line_w5p5", 5.5f, 1, false, 0},
             {"line_w1p0625", 1.0625f, 1, false, 5},
             {"linewidth", 0, 1, false, 0},
             {"line_ms4_w1", 1, 4, false, 0},
             {"line_ms8_w3", 3, 8, false, 0},
             {"line_bres_w1", 1, 1, true, 0},
             {"line_bres_w1_b", 1, 1, true, 2}};

START_TEST(line_coverage)
{
    struct shapes s;
    long differ = 0;
    open_files(lines[_i].name);
    const float *verts = raw(lines[_i].name, "verts");
    const uint8_t *out = raw(lines[_i].name, "");
    for (uint32_t i = 0; i < 1024; i++) {
        const float *vertex[2] = {verts + i * 24, verts + i * 24 + 12};
        uint16_t mask[32][32] = {{0}};
        uint8_t count[32][32] = {{0}};
        const int32_t x0 = (int32_t)(i & 31) * 32, y0 = (int32_t)(i >> 5) * 32;
        if (i == 0 || lines[_i].width == 0) {
            const float width = lines[_i].width > 0 ? lines[_i].width : 1 + (float)(i >> 4) / 64.0f;
            if (i)
                finish_shapes(&s);
            start_shapes(&s, 1024, lines[_i].samples, width, lines[_i].diamond);
        }
        add_shape(&s, vertex, 2, x0, y0, mask, count);
        for (int32_t p = 0; p < 1024; p++) {
            const size_t at = (size_t)(y0 + (p >> 5)) * 1024 + (size_t)(x0 + (p & 31));
            const uint32_t silicon = lines[_i].samples == 1 ? et_load32(out + at * 4) == i + 1 : out[at];
            differ += silicon != mask[p >> 5][p & 31];
        }
    }
    finish_shapes(&s);
    report(lines[_i].name, "pixels", differ, lines[_i].known, 1024 * 1024);
    close_files();
}
END_TEST

static const struct {
    const char *name;
    unsigned samples;
} points[] = {{"point_a", 1}, {"point_b", 1}, {"point_c", 1}, {"point_ms4", 4}, {"point_ms8", 8}};

START_TEST(point_coverage)
{
    struct shapes s;
    long differ = 0;
    open_files(points[_i].name);
    const float *verts = raw(points[_i].name, "verts");
    const uint8_t *out = raw(points[_i].name, "");
    start_shapes(&s, 1024, points[_i].samples, 1, false);
    for (uint32_t i = 0; i < 1024; i++) {
        const float *vertex = verts + i * 12;
        uint16_t mask[32][32] = {{0}};
        uint8_t count[32][32] = {{0}};
        const int32_t x0 = (int32_t)(i & 31) * 32, y0 = (int32_t)(i >> 5) * 32;
        add_shape(&s, &vertex, 1, x0, y0, mask, count);
        for (int32_t p = 0; p < 1024; p++) {
            const size_t at = (size_t)(y0 + (p >> 5)) * 1024 + (size_t)(x0 + (p & 31));
            const uint32_t silicon = points[_i].samples == 1 ? et_load32(out + at * 4) == i + 1 : out[at];
            differ += silicon != mask[p >> 5][p & 31];
        }
    }
    finish_shapes(&s);
    report(points[_i].name, "pixels", differ, 0, 1024 * 1024);
    close_files();
}
END_TEST

/* Strips of four vertices, and triangles in polygon mode line or point: hits a pixel. */
static const struct {
    const char *name;
    uint32_t mode; /* 0: strips */
    bool diamond;
} hits[] = {{"strip_def", 0, false},
            {"strip_bres", 0, true},
            {"poly_line", 0x1b01, false},
            {"poly_line_bres", 0x1b01, true},
            {"poly_point", 0x1b00, false}};

START_TEST(hit_counts)
{
    struct shapes s;
    long differ = 0;
    open_files(hits[_i].name);
    const float *verts = raw(hits[_i].name, "verts");
    const uint8_t *out = raw(hits[_i].name, "count");
    const unsigned vertices = hits[_i].mode ? 3 : 4;
    start_shapes(&s, 512, 1, 1, hits[_i].diamond);
    if (hits[_i].mode)
        s.world.draw.raster.front_mode = s.world.draw.raster.back_mode = hits[_i].mode;
    if (hits[_i].mode == 0x1b00) { /* these were drawn with a size of 3 */
        s.world.draw.raster.point_size = 3;
        s.plan.shader_point_size = false;
    }
    for (uint32_t i = 0; i < 256; i++) {
        const float *vertex[4];
        uint16_t mask[32][32] = {{0}};
        uint8_t count[32][32] = {{0}};
        const int32_t x0 = (int32_t)(i & 15) * 32, y0 = (int32_t)(i >> 4) * 32;
        for (unsigned k = 0; k < vertices; k++)
            vertex[k] = verts + (i * vertices + k) * 12;
        if (hits[_i].mode)
            add_shape(&s, vertex, 3, x0, y0, mask, count);
        for (unsigned k = 0; k < 3 && !hits[_i].mode; k++)
            add_shape(&s, vertex + k, 2, x0, y0, mask, count);
        for (int32_t p = 0; p < 1024; p++)
            differ +=
                out[((size_t)(y0 + (p >> 5)) * 512 + (size_t)(x0 + (p & 31))) * 4] != count[p >> 5][p & 31];
    }
    finish_shapes(&s);
    report(hits[_i].name, "hits", differ, 0, 512 * 512);
    close_files();
}
END_TEST

/* Every row of the tables is drawn to: a value's code as the format's definition gives it. */
START_TEST(formats_store_one)
{
    const struct et_color_format *format = et_color_format_row((unsigned)_i);
    static const uint32_t integers[4] = {1, 1, 1, 1},
                          floats[4] = {0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000};
    uint8_t texel[16] = {0};
    uint32_t words[4] = {0};
    const bool integer = format->kind == ET_COLOR_UINT || format->kind == ET_COLOR_SINT;
    et_color_encode(format, integer ? integers : floats, texel);
    memcpy(words, texel, format->bytes);
    for (unsigned c = 0; c < 4; c++) {
        const unsigned width = format->channel[c].width;
        uint64_t expected;
        if (!width)
            continue;
        switch (format->kind) {
        case ET_COLOR_SNORM:
            expected = (UINT64_C(1) << (width - 1)) - 1;
            break;
        case ET_COLOR_F16:
            expected = 0x3c00;
            break;
        case ET_COLOR_F11:
            expected = UINT64_C(15) << (width - 5);
            break;
        case ET_COLOR_F32:
            expected = 0x3f800000;
            break;
        case ET_COLOR_UINT:
        case ET_COLOR_SINT:
            expected = 1;
            break;
        default:
            expected = (UINT64_C(1) << width) - 1;
        }
        ck_assert_msg(et_bits_of_words(words, format->channel[c].low, width) == expected, "%s channel %u",
                      format->name, c);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("output");
    TCase *replay = tcase_create("replay"), *tables = tcase_create("tables");
    int rows = 0;
    tcase_set_timeout(replay, 600);
    tcase_add_loop_test(replay, blend_grids, 0, ET_COUNT(grids));
    tcase_add_loop_test(replay, dual_source, 0, ET_COUNT(duals));
    tcase_add_loop_test(replay, special_values, 0, ET_COUNT(specials));
    tcase_add_test(replay, srgb_encoding);
    tcase_add_loop_test(replay, alpha_to_coverage, 0, 4);
    tcase_add_loop_test(replay, alpha_to_coverage_of_formats, 0, 2);
    tcase_add_loop_test(replay, line_coverage, 0, ET_COUNT(lines));
    tcase_add_loop_test(replay, point_coverage, 0, ET_COUNT(points));
    tcase_add_loop_test(replay, hit_counts, 0, ET_COUNT(hits));
    while (et_color_format_row((unsigned)rows))
        rows++;
    tcase_add_loop_test(tables, formats_store_one, 0, rows);
    suite_add_tcase(suite, replay);
    suite_add_tcase(suite, tables);
    return suite_run(suite);
}
