/* Replays what an H200's interpolators gave (conformance/silicon/interpolation) through setup and planes: all
 * values are equal. */
#include "base/alloc.h"
#include "capture/tar.h"
#include "isa/numeric/mufu.h"
#include "rasterizer/raster.h"
#include "support/draw_world.h"
#include "support/suite.h"

#include <stdio.h>

struct job {
    uint32_t width, height, samples, shader, flags;
    float bias[3], viewport[6], offset[2];
    uint32_t outputs, vertices;
};

struct job_vertex {
    float position[4], value[4];
    uint32_t id, pad[3];
};

enum quantity { SMOOTH, DEPTH, INVERSE_W, LINEAR, QUANTITIES };

struct tally {
    long all[QUANTITIES], equal[QUANTITIES];
};

static void compare(struct tally *tally, enum quantity quantity, float ours, float silicon)
{
    tally->all[quantity]++;
    tally->equal[quantity] += et_float_bits(ours) == et_float_bits(silicon) || ours == silicon;
}

/* Perspective: the product of the two plane values, 24 bits toward zero. */
static float divide(float value, float inverse_w)
{
    const double product = (double)value * (double)et_float(et_mufu(ET_MUFU_RCP, et_float_bits(inverse_w)));
    return (float)et_double(et_double_bits(product) & ~((UINT64_C(1) << 29) - 1));
}

/* The world's state with generic 0 perspective and generic 1 linear on the screen. */
static void make_plan(struct world *w, struct et_raster_plan *plan, const struct job *job)
{
    static struct et_sph pixel;
    static const struct et_sph last = {.bytes = 128};
    const struct et_raster_programs programs = {.last = &last, .pixel = &pixel};
    struct etalon_error error = {0};
    world_start(w, 0xe4, job->width, job->height, 1, 0);
    w->draw.raster.sample.mode = job->samples == 4 ? 2 : job->samples == 8 ? 4 : 0; /* 2x2, 4x2 of D3D */
    w->draw.raster.output.color[0].format = 0;
    if (job->flags & 1) /* depth is clamped */
        w->draw.raster.clip_control = (w->draw.raster.clip_control & ~0x3800u) | 2u << 11;
    if (job->flags & 2) {
        world_target(&w->draw.raster.output.depth, WORLD_DEPTH, 0xa, 4, job->width, job->height);
        w->draw.raster.output.depth_enable = w->draw.raster.depth_stencil.depth_test = true;
        w->draw.raster.depth_stencil.depth_function = 0x207;
        w->draw.raster.bias_fill = w->draw.raster.bias_format_dependent = true;
        w->draw.raster.bias_constant = job->bias[0];
        w->draw.raster.bias_slope = job->bias[1];
        w->draw.raster.bias_clamp = job->bias[2];
    }
    for (unsigned c = 0; c < 8; c++)
        pixel.interpolation[ET_WORD_GENERIC + c] = c < 4 ? ET_SPH_PERSPECTIVE : ET_SPH_SCREEN_LINEAR;
    ck_assert_msg(!et_raster_plan_make(plan, &w->draw.raster, &programs, &error), "%s", error.text);
}

/* Image k of a job: columns by samples, rows; a job with flag 8 stores every fourth pixel. */
struct images {
    const float *data[4];
    uint32_t width, height, step;
    const struct job *job;
    const struct et_sample_layout *samples;
};

static bool is_untouched(const struct images *images, size_t at)
{
    const float silicon = images->data[0]   ? images->data[0][at * 4 + 3]
                          : images->data[1] ? images->data[1][at * 4]
                          : images->data[2] ? images->data[2][at * 4]
                                            : 0;
    return silicon == -12345.0f;
}

/* Where the program of a job evaluates for a sample, 1/16 pixel. */
static void place(const struct images *images, size_t pixel, unsigned sample, int32_t place[2])
{
    enum { CENTROID = 1, SAMPLE, OFFSET };
    const struct job *job = images->job;
    unsigned first = 0, covered = 0;
    for (unsigned i = job->samples; i-- > 0;)
        if (!is_untouched(images, pixel + i)) {
            first = i;
            covered++;
        }
    place[0] = place[1] = 8;
    if (job->shader == SAMPLE || (job->shader == CENTROID && covered < job->samples)) {
        const uint8_t *position = images->samples->position[job->shader == SAMPLE ? sample : first];
        place[0] = position[0];
        place[1] = position[1];
    }
    for (unsigned i = 0; i < 2 && job->shader == OFFSET; i++)
        place[i] += (int32_t)(job->offset[i] * 16); /* toward zero [HW:H200] */
}

static float at(const struct et_plane *plane, int32_t x, int32_t y)
{
    float value;
    et_plane_evaluate(plane, 1, &x, &y, &value);
    return value;
}

static void compare_sample(struct tally *tally, const struct et_raster_primitive *p,
                           const struct et_plane *planes, const struct images *images, uint32_t x, uint32_t y,
                           unsigned sample)
{
    const struct job *job = images->job;
    const size_t pixel = (size_t)(y / images->step) * images->width + x * job->samples / images->step,
                 texel = pixel + sample;
    const uint8_t *position = images->samples->position[sample];
    const int32_t left = (int32_t)x * 256, top = (int32_t)y * 256;
    int32_t where[2];
    if (is_untouched(images, texel))
        return;
    place(images, pixel, sample, where);
    const int32_t fx = left + where[0] * 16, fy = top + where[1] * 16;
    const float w = at(&p->p.w, fx, fy), z = at(&p->p.z, left + position[0] * 16, top + position[1] * 16);
    for (unsigned c = 0; c < 4; c++) {
        if (images->data[0])
            compare(tally, SMOOTH, divide(at(&planes[c], fx, fy), w), images->data[0][texel * 4 + c]);
        if (images->data[2])
            compare(tally, LINEAR, at(&planes[4 + c], fx, fy), images->data[2][texel * 4 + c]);
    }
    if (images->data[1])
        compare(tally, INVERSE_W, at(&p->p.w, left + 128, top + 128), images->data[1][texel * 4 + 3]);
    if (images->data[1] && job->samples == 1)
        compare(tally, DEPTH, z, images->data[1][texel * 4 + 2]);
    else if (images->data[3] && images->data[3][texel] > 0 && images->data[3][texel] < 1)
        compare(tally, DEPTH, z, images->data[3][texel]);
}

static void replay(struct tally *tally, const struct job_vertex *vertex, struct images *images)
{
    const struct job *job = images->job;
    const uint8_t corners = job->flags & 16 ? 2 : 3; /* lines */
    struct world w;
    struct et_raster_plan plan;
    struct et_raster_batch batch = {0};
    make_plan(&w, &plan, job);
    images->samples = plan.samples;
    for (uint32_t t = 0; t + corners <= job->vertices; t += corners) {
        struct et_vertex_record record[3];
        struct et_raster_input input = {.corners = corners, .edges = 7};
        struct etalon_error error = {0};
        memset(record, 0, sizeof record);
        for (unsigned k = 0; k < corners; k++) {
            memcpy(&record[k].word[ET_WORD_POSITION], vertex[t + k].position, 16);
            memcpy(&record[k].word[ET_WORD_GENERIC], vertex[t + k].value, 16);
            memcpy(&record[k].word[ET_WORD_GENERIC + 4], vertex[t + k].value, 16);
            input.vertex[k] = &record[k];
        }
        ck_assert_msg(!et_raster_setup(&plan, &batch, &input, &error), "%s", error.text);
        et_raster_settle(&plan, &batch);
        ck_assert_uint_le(batch.count, 1);
        if (!batch.count)
            continue;
        uint32_t x0 = 0, y0 = 0, x1 = job->width, y1 = job->height;
        if (job->shader == 4) { /* each triangle was drawn in a block of its own */
            x0 = (vertex[t].id & 63) * 4;
            y0 = (vertex[t].id >> 6) * 4;
            x1 = x0 + 4;
            y1 = y0 + 4;
        } else if (job->flags & 64) { /* in a cell of 16x16 */
            x0 = (vertex[t].id & 7) * 16;
            y0 = (vertex[t].id >> 3) * 16;
            x1 = x0 + 16;
            y1 = y0 + 16;
        }
        for (uint32_t y = y0; y < y1; y += images->step)
            for (uint32_t x = x0; x < x1; x += images->step)
                for (unsigned sample = 0; sample < job->samples; sample++)
                    compare_sample(tally, &batch.primitive[0], batch.planes, images, x, y, sample);
        et_raster_batch_clear(&batch);
    }
    et_raster_batch_finish(&batch);
    world_finish(&w);
}

static void replay_all(struct tally *tally, const uint8_t *jobs, const uint8_t *out)
{
    const uint32_t count = et_load32(jobs);
    jobs += 4;
    for (uint32_t i = 0; i < count; i++) {
        struct job job;
        struct images images = {.job = &job};
        memcpy(&job, jobs, sizeof job);
        jobs += sizeof job;
        struct job_vertex *vertex = et_calloc(job.vertices, sizeof *vertex);
        ck_assert_ptr_nonnull(vertex);
        memcpy(vertex, jobs, job.vertices * sizeof *vertex);
        jobs += job.vertices * sizeof *vertex;
        images.step = job.flags & 8 ? 4 : 1;
        images.width = job.width * job.samples / images.step;
        images.height = job.height / images.step;
        for (unsigned k = 0; k < 4; k++)
            if (job.outputs >> k & 1) {
                images.data[k] = (const float *)(const void *)out;
                out += (size_t)images.width * images.height * (k == 3 ? 4 : 16);
            }
        if (!(job.flags & 4))
            replay(tally, vertex, &images);
        et_free(vertex);
    }
}

/* Replays NAME.jobs and NAME.out of NAME.tar.zst. */
static void replay_recording(const char *name, const long all[QUANTITIES])
{
    struct et_tar_list list = {0};
    struct etalon_error error = {0};
    struct tally tally = {{0}, {0}};
    char path[4096], jobs[64], out[64];
    snprintf(path, sizeof path, "%s/conformance/silicon/interpolation/%s.tar.zst", suite_srcdir(), name);
    snprintf(jobs, sizeof jobs, "%s.jobs", name);
    snprintf(out, sizeof out, "%s.out", name);
    ck_assert_msg(!et_tar_read(path, 1u << 28, NULL, NULL, &list, &error), "%s", error.text);
    replay_all(&tally, et_tar_find(&list, jobs)->bytes, et_tar_find(&list, out)->bytes);
    et_tar_free(&list);
    for (unsigned q = 0; q < QUANTITIES; q++) {
        ck_assert_int_eq(tally.all[q], all[q]);
        ck_assert_msg(tally.equal[q] == all[q], "quantity %u: %ld of %ld equal", q, tally.equal[q],
                      tally.all[q]);
    }
}

START_TEST(planes_equal_silicon)
{
    replay_recording("sample", (const long[QUANTITIES]){247296, 77184, 77184, 165376});
}
END_TEST

/* Triangles in square boxes that touch them in more than three places, and two whose constants end below
 * the last bit of the sum. */
START_TEST(squares_equal_silicon)
{
    replay_recording("squares", (const long[QUANTITIES]){0, 1754, 0, 10628});
}
END_TEST

START_TEST(bias_equals_silicon)
{
    replay_recording("bias", (const long[QUANTITIES]){0, 16781, 0, 0});
}
END_TEST

/* Planes of which the constant is far larger than the gradients; lines at 4 samples a pixel. */
START_TEST(flat_planes_equal_silicon)
{
    replay_recording("flat", (const long[QUANTITIES]){1696, 7883, 424, 39344});
}
END_TEST

START_TEST(a_named_recording_equals_silicon)
{
    static const char *const names[QUANTITIES] = {"smooth", "depth", "1/w", "noperspective"};
    const char *prefix = getenv("ETALON_SILICON_INTERPOLATION");
    uint8_t *jobs, *out;
    size_t size;
    struct tally tally = {{0}, {0}};
    struct etalon_error error = {0};
    char path[4096];
    snprintf(path, sizeof path, "%s.jobs", prefix);
    ck_assert_msg(!et_file_read(path, 1u << 30, &jobs, &size, &error), "%s", error.text);
    snprintf(path, sizeof path, "%s.out", prefix);
    ck_assert_msg(!et_file_read(path, 1u << 30, &out, &size, &error), "%s", error.text);
    replay_all(&tally, jobs, out);
    et_free(jobs);
    et_free(out);
    for (unsigned q = 0; q < QUANTITIES; q++)
        ck_assert_msg(tally.equal[q] == tally.all[q], "%s: %ld of %ld equal", names[q], tally.equal[q],
                      tally.all[q]);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("planes");
    TCase *replays = tcase_create("replays");
    tcase_set_timeout(replays, 300);
    tcase_add_test(replays, planes_equal_silicon);
    tcase_add_test(replays, squares_equal_silicon);
    tcase_add_test(replays, bias_equals_silicon);
    tcase_add_test(replays, flat_planes_equal_silicon);
    if (getenv("ETALON_SILICON_INTERPOLATION")) /* PREFIX of a recording's .jobs and .out */
        tcase_add_test(replays, a_named_recording_equals_silicon);
    suite_add_tcase(suite, replays);
    return suite_run(suite);
}
