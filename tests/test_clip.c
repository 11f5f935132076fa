/* What an H200 drew of triangles that near, far, w and user planes cut, and of vertices far away
 * (conformance/hardware/planes, cut.h and far.h), held to the clipper, setup and planes here. The planes'
 * rules are not complete; the test fails when fewer, or more, values are equal than they reach. */
#include "conformance/hardware/planes/far.h"
#include "isa/numeric/mufu.h"
#include "isa/numeric/plane.h"
#include "rasterizer/raster.h"
#include "support/draw_world.h"
#include "support/packed.h"

enum { TEXELS = 16, VALUES = 8, SMOOTH = 0x80 / 4, LINEAR = 0x90 / 4 };
#define UNTOUCHED -12345.0f

struct tally {
    long texels, smooth, z, w, linear;
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

static float at(const struct et_plane *plane, int32_t x, int32_t y)
{
    float value;
    et_plane_evaluate(plane, 1, &x, &y, &value);
    return value;
}

/* The product as silicon's program cut it. */
static float divided(float value, float iw)
{
    const double exact = (double)value * (double)et_float(et_mufu(ET_MUFU_RCP, et_float_bits(iw)));
    return et_float((uint32_t)(et_float_bits((float)exact) - (fabs((double)(float)exact) > fabs(exact))));
}

static void compare_texel(struct tally *tally, const struct et_raster_batch *batch, int32_t x, int32_t y,
                          const float silicon[VALUES])
{
    for (size_t i = 0; i < batch->count; i++) {
        const struct et_raster_primitive *primitive = &batch->primitive[i];
        const struct et_plane *plane = batch->planes + i * 8;
        if (!holds(primitive, x, y))
            continue;
        const float iw = at(&primitive->p.w, x, y);
        tally->smooth += divided(at(&plane[0], x, y), iw) == silicon[0];
        tally->smooth += divided(at(&plane[3], x, y), iw) == silicon[1];
        tally->z += at(&primitive->p.z, x, y) == silicon[2];
        tally->w += iw == silicon[3];
        for (unsigned c = 0; c < 4; c++)
            tally->linear += at(&plane[4 + c], x, y) == silicon[4 + c];
        return;
    }
}

/* The viewport's depths and the clip control that a list was drawn with. */
struct depth_state {
    bool clamp, negative;
    float depths[2];
};

static void make_plan(struct et_raster_plan *plan, struct world *w, const struct depth_state *depth,
                      unsigned distances)
{
    static const struct et_sph last = {.bytes = 128};
    const struct et_raster_programs programs = {.last = &last};
    const uint32_t mode = depth->clamp ? 2 : 3;
    const float low = depth->depths[0], high = depth->depths[1];
    struct et_viewport *viewport = &w->draw.raster.viewport[0];
    struct etalon_error error = {0};
    w->draw.raster.clip_control = (w->draw.raster.clip_control & ~0x3800u) | mode << 11;
    w->draw.raster.clip_zero_to_one = !depth->negative;
    viewport->scale[2] = depth->negative ? (high - low) / 2 : high - low;
    viewport->offset[2] = depth->negative ? (high + low) / 2 : low;
    viewport->min_z = low;
    viewport->max_z = high;
    ck_assert(!et_raster_plan_make(plan, &w->draw.raster, &programs, &error));
    plan->leaves_depth = plan->leaves_w = false; /* the planes are looked at here */
    plan->clip_distances = (uint8_t)((1 << distances) - 1);
    plan->planes = 8;
    for (unsigned i = 0; i < 8; i++) {
        const uint8_t word = (uint8_t)(i < 4 ? SMOOTH + i : LINEAR + i - 4);
        plan->attribute[i] =
            (struct et_raster_attribute){.word = word, .back_word = word, .perspective = i < 4};
    }
}

static void make_record(struct et_vertex_record *record, const struct cut_vertex *vertex)
{
    memset(record, 0, sizeof *record);
    memcpy(&record->word[ET_WORD_POSITION], vertex->position, 16);
    memcpy(&record->word[ET_WORD_CLIP_DISTANCE], vertex->distance, 8);
    memcpy(&record->word[SMOOTH], vertex->value, 16);
    memcpy(&record->word[LINEAR], vertex->value, 16);
}

static void compare_triangle(struct tally *tally, const struct et_raster_plan *plan,
                             struct et_raster_batch *batch, const struct cut_triangle *triangle, uint32_t n,
                             const uint8_t *texels)
{
    struct et_vertex_record record[3];
    struct et_raster_input input = {.corners = 3, .edges = 7};
    struct etalon_error error = {0};
    for (unsigned k = 0; k < 3; k++) {
        make_record(&record[k], &triangle->vertex[k]);
        input.vertex[k] = &record[k];
    }
    et_raster_batch_clear(batch);
    ck_assert_msg(!et_raster_setup(plan, batch, &input, &error), "%s", error.text);
    et_raster_settle(plan, batch);
    for (uint32_t k = 0; k < TEXELS; k++) {
        const int32_t x = (int32_t)((n & 63) * 4 + (k & 3)), y = (int32_t)((n >> 6) * 4 + (k >> 2));
        float silicon[VALUES];
        for (unsigned v = 0; v < VALUES; v++)
            silicon[v] = et_float(et_load32(texels + (k * VALUES + v) * 4));
        if (silicon[0] == UNTOUCHED)
            continue;
        tally->texels++;
        compare_texel(tally, batch, x * 256 + 128, y * 256 + 128, silicon);
    }
}

/* An experiment: its lists, of which the recording keeps every `kept`-th triangle. */
struct recording {
    const char *name;
    unsigned lists, kept;
    bool (*triangle)(unsigned, uint32_t, struct cut_triangle *);
    const struct tally *known;
};

static const struct tally cut_known[CUT_LISTS] = {
    {1625, 3250, 1625, 1625, 6500}, {1409, 2818, 1409, 1409, 5636}, {1758, 3516, 1758, 1758, 7032},
    {1582, 3164, 1582, 1582, 6328}, {1560, 3120, 1560, 1560, 6240}, {1650, 3300, 1650, 1650, 6600},
    {1725, 3450, 1725, 1725, 6900}, {2026, 4052, 2026, 2026, 8104}, {2039, 4078, 2039, 2039, 8156},
    {1750, 3500, 1750, 1750, 7000}, {2012, 4024, 2012, 2012, 8048}, {1712, 3424, 1712, 1712, 6848},
    {1705, 3410, 1705, 1705, 6820}, {1567, 3134, 1567, 1567, 6268}, {2033, 4066, 2033, 2033, 8116},
    {2033, 3828, 1982, 1959, 7729}};
static const struct tally far_known[FAR_LISTS] = {
    {1003, 2006, 1003, 1003, 4012}, {996, 1986, 993, 993, 3972},    {997, 1994, 997, 997, 3988},
    {1026, 2052, 1026, 1026, 4104}, {1030, 2060, 1030, 1030, 4120}, {1036, 2072, 1036, 1036, 4144},
    {1047, 2094, 1047, 1047, 4188}, {999, 1998, 999, 999, 3996},    {1048, 2068, 1040, 1044, 4101},
    {992, 1984, 992, 992, 3968},    {1024, 2048, 1024, 1024, 4096}, {1022, 2044, 1022, 1022, 4088}};

static const struct recording recordings[] = {
    {"cut", CUT_LISTS, 32, cut_triangle, cut_known},
    {"far", FAR_LISTS, 63, far_triangle, far_known},
};

static void compare_list(const struct recording *recording, unsigned list, const struct et_raster_plan *plan,
                         const uint8_t *silicon)
{
    struct et_raster_batch batch = {0};
    struct tally tally = {0};
    for (uint32_t n = 0; n < CUT_TRIANGLES; n += recording->kept) {
        struct cut_triangle triangle;
        ck_assert(recording->triangle(list, n, &triangle));
        compare_triangle(&tally, plan, &batch, &triangle, n, silicon);
        silicon += TEXELS * VALUES * 4;
    }
    et_raster_batch_finish(&batch);
    if (memcmp(&tally, &recording->known[list], sizeof tally))
        ck_abort_msg("%s, list %u: {%ld, %ld, %ld, %ld, %ld}, not as known", recording->name, list,
                     tally.texels, tally.smooth, tally.z, tally.w, tally.linear);
}

START_TEST(triangles_equal_silicon)
{
    const struct recording *recording = &recordings[_i];
    const size_t bytes =
        ((size_t)CUT_TRIANGLES + recording->kept - 1) / recording->kept * TEXELS * VALUES * 4;
    struct et_raster_plan plan;
    struct world w;
    char path[128];
    size_t size;
    snprintf(path, sizeof path, "conformance/hardware/planes/%s.bin.zst", recording->name);
    uint8_t *silicon = (uint8_t *)packed_text(path, &size);
    ck_assert_uint_eq(size, recording->lists * bytes);
    world_start(&w, 0xe4, CUT_SIZE, CUT_SIZE, 1, 0);
    w.draw.raster.output.color[0].format = 0;
    for (unsigned list = 0; list < recording->lists; list++) {
        const bool far = recording->triangle == far_triangle;
        struct depth_state depth = {cut_lists[list].clamp, false, {0, 1}};
        if (far) {
            depth.clamp = far_clamps(list);
            depth.negative = far_is_negative(list);
            far_depths(list, depth.depths);
        }
        make_plan(&plan, &w, &depth, far ? 0 : cut_lists[list].distances);
        compare_list(recording, list, &plan, silicon + list * bytes);
    }
    world_finish(&w);
    free(silicon);
}
END_TEST

/* A vertex far above another in the window's first column, whose x is 0 whatever the exponent it has there.
 */
START_TEST(far_vertex_in_the_first_column)
{
    static const float position[3][4] = {{-1, 0x1p120f, 0.5f, 1}, {-1, -1, 0.5f, 1}, {1, -1, 0.5f, 1}};
    static const float color[3][4] = {{0, 0, 0, 0}, {0, 0, 0, 0}, {1, 1, 1, 1}};
    struct etalon_error error = {0};
    struct world w;
    world_start(&w, 0xc0, 64, 64, 1, 0);
    world_programs(&w, PIXEL_COLOR, false);
    for (unsigned k = 0; k < 3; k++)
        world_add(&w, position[k], color[k], k);
    memset(w.ram.base + WORLD_COLOR, 0xff, WORLD_TARGET_BYTES);
    ck_assert_msg(!world_draw(&w, &error), "%s", error.text);
    float *pixel = (float *)(void *)world_read(&w, &w.draw.raster.output.color[0], 16, 0);
    for (unsigned p = 0; p < 64 * 64; p++)
        ck_assert_msg(pixel[4 * p] == (float)(2 * (p % 64) + 1) / 128, "pixel %u,%u: %g", p % 64, p / 64,
                      (double)pixel[4 * p]);
    free(pixel);
    world_finish(&w);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("clip");
    TCase *silicon = tcase_create("silicon");
    tcase_set_timeout(silicon, 300);
    tcase_add_loop_test(silicon, triangles_equal_silicon, 0, (int)(sizeof recordings / sizeof *recordings));
    tcase_add_test(silicon, far_vertex_in_the_first_column);
    suite_add_tcase(suite, silicon);
    return suite_run(suite);
}
