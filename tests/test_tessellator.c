/* What an H200's tessellator made of 20,480 patches (conformance/hardware/tess), points, primitives and their
 * order, held to the tessellator here. */
#include "base/bits.h"
#include "conformance/hardware/tess/patches.h"
#include "pipeline/tessellator.h"
#include "support/packed.h"
#include "support/suite.h"

START_TEST(patches_come_out_as_on_silicon)
{
    static const enum et_tess_domain domains[] = {ET_TESS_ISOLINE, ET_TESS_TRIANGLE, ET_TESS_QUAD};
    static const enum et_tess_spacing spacings[] = {ET_TESS_INTEGER, ET_TESS_FRACTIONAL_ODD,
                                                    ET_TESS_FRACTIONAL_EVEN};
    static struct et_tessellation made;
    const struct tess_set set = tess_set((uint32_t)_i);
    const enum et_tess_primitives primitives = set.points        ? ET_TESS_POINTS
                                               : set.domain == 0 ? ET_TESS_LINES
                                               : set.clockwise   ? ET_TESS_CLOCKWISE
                                                                 : ET_TESS_COUNTER_CLOCKWISE;
    size_t size;
    uint8_t *silicon = (uint8_t *)packed_text("conformance/hardware/tess/patches.bin.zst", &size);
    ck_assert_uint_eq(size, TESS_SETS * TESS_PATCHES * 4);
    for (uint32_t i = 0; i < TESS_PATCHES; i++) {
        const struct tess_patch patch = tess_patch((uint32_t)_i, i);
        uint32_t hash = 0;
        et_tessellate(&made, domains[set.domain], spacings[set.spacing], primitives, patch.outer,
                      patch.inner);
        ck_assert_uint_le(made.points, ET_TESS_POINTS_MAX);
        ck_assert_uint_le(made.indices, ET_TESS_INDICES_MAX);
        for (unsigned k = 0; k < made.indices; k++) {
            const struct et_tess_point *point = &made.point[made.index[k]];
            hash = tess_mix(hash, (uint32_t)point->u, (uint32_t)point->v);
        }
        ck_assert_msg(hash == et_load32(silicon + ((size_t)_i * TESS_PATCHES + i) * 4), "set %d, patch %u",
                      _i, i);
    }
    free(silicon);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("tessellator");
    TCase *silicon = tcase_create("silicon");
    tcase_add_loop_test(silicon, patches_come_out_as_on_silicon, 0, TESS_SETS);
    tcase_set_timeout(silicon, 60);
    suite_add_tcase(suite, silicon);
    return suite_run(suite);
}
