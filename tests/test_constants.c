/* Depth that an H200 interpolated where planes cross zero (conformance/hardware/planes), held to setup and
 * planes here: all are equal. */
#include "conformance/hardware/planes/constants.h"
#include "isa/numeric/plane.h"
#include "rasterizer/raster.h"
#include "support/draw_world.h"
#include "support/packed.h"

#define UNTOUCHED 0xc640e400u /* -12345 */

struct tally {
    long all, equal;
};

static void compare_block(struct tally *tally, const struct et_plane *z, uint32_t n, const uint8_t *image)
{
    for (uint32_t k = 0; k < 16; k++) {
        const uint32_t x = (n & 63) * 4 + (k & 3), y = (n >> 6) * 4 + (k >> 2);
        const uint32_t silicon = et_load32(image + (y * PLANE_SIZE + x) * 4);
        const int32_t fx = (int32_t)x * 256 + 128, fy = (int32_t)y * 256 + 128;
        float ours;
        if (silicon == UNTOUCHED)
            continue;
        et_plane_evaluate(z, 1, &fx, &fy, &ours);
        tally->all++;
        tally->equal += ours == et_float(silicon);
    }
}

START_TEST(depth_where_planes_cross_zero)
{
    static const struct tally known[PLANE_LISTS] = {
        {51120, 51120}, {51180, 51180}, {46904, 46904}, {47084, 47084}, {65536, 65536}, {34684, 34684},
        {65536, 65536}, {65536, 65536}, {65536, 65536}, {65536, 65536}, {65536, 65536}, {65536, 65536}};
    static const struct et_sph last = {.bytes = 128};
    const struct et_raster_programs programs = {.last = &last};
    struct plane_random random = {UINT64_C(88172645463325252)};
    struct et_raster_plan plan;
    struct et_raster_batch batch = {0};
    struct etalon_error error = {0};
    struct world w;
    size_t size;
    uint8_t *silicon = (uint8_t *)packed_text("conformance/hardware/planes/depth.bin.zst", &size);
    ck_assert_uint_eq(size, PLANE_LISTS * PLANE_SIZE * PLANE_SIZE * 4);
    world_start(&w, 0xe4, PLANE_SIZE, PLANE_SIZE, 1, 0);
    w.draw.raster.output.color[0].format = 0;
    w.draw.raster.clip_control = (w.draw.raster.clip_control & ~0x3800u) | 2u << 11; /* depth is clamped */
    ck_assert(!et_raster_plan_make(&plan, &w.draw.raster, &programs, &error));
    plan.leaves_depth = plan.leaves_w = false; /* the planes are looked at here */
    for (uint32_t list = 0; list < PLANE_LISTS; list++) {
        struct tally tally = {0, 0};
        for (uint32_t n = 0; n < PLANE_TRIANGLES; n++) {
            const struct plane_triangle triangle = plane_triangle(&random, list, n);
            struct et_vertex_record record[3];
            struct et_raster_input input = {.corners = 3, .edges = 7};
            memset(record, 0, sizeof record);
            for (unsigned k = 0; k < 3; k++) {
                memcpy(&record[k].word[ET_WORD_POSITION], triangle.position[k], 12);
                record[k].word[ET_WORD_POSITION + 3] = 0x3f800000;
                input.vertex[k] = &record[k];
            }
            et_raster_batch_clear(&batch);
            ck_assert_msg(!et_raster_setup(&plan, &batch, &input, &error), "%s", error.text);
            et_raster_settle(&plan, &batch);
            if (!batch.count) /* no pixel's centre lies in its box */
                continue;
            compare_block(&tally, &batch.primitive[0].p.z, n, silicon + list * PLANE_SIZE * PLANE_SIZE * 4);
        }
        if (tally.all != known[list].all || tally.equal != known[list].equal)
            ck_abort_msg("list %u: %ld of %ld equal, %ld of %ld known", list, tally.equal, tally.all,
                         known[list].equal, known[list].all);
    }
    et_raster_batch_finish(&batch);
    world_finish(&w);
    free(silicon);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("constants");
    TCase *silicon = tcase_create("silicon");
    tcase_set_timeout(silicon, 300);
    tcase_add_test(silicon, depth_where_planes_cross_zero);
    suite_add_tcase(suite, silicon);
    return suite_run(suite);
}
