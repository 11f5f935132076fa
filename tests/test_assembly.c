/* Assembly by runs of vertices held to assembly one by one; vertex reuse held to its rule, word by word. */
#include "base/bits.h"
#include "pipeline/assemble.h"
#include "pipeline/reuse.h"
#include "support/suite.h"

#include <string.h>

static uint64_t state = UINT64_C(0x9e3779b97f4a7c15);

static uint32_t pick(uint32_t count)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 16) % count;
}

static bool add_one_by_one(struct et_assembler *assembler, uint32_t record, uint32_t count, bool inner,
                           struct et_mesh *mesh)
{
    bool ok = true;
    for (uint32_t i = 0; i < count && ok; i++)
        ok = et_assembler_vertex(assembler, (record + i) | (inner ? ET_ASSEMBLER_INNER : 0), mesh);
    return ok;
}

static void compare_meshes(const struct et_mesh *one, const struct et_mesh *run)
{
    ck_assert_uint_eq(one->primitives, run->primitives);
    for (size_t i = 0; i < one->primitives; i++) {
        ck_assert_uint_eq(one->primitive[i].id, run->primitive[i].id);
        ck_assert_uint_eq(one->primitive[i].provoking, run->primitive[i].provoking);
        ck_assert_uint_eq(one->primitive[i].edges, run->primitive[i].edges);
        ck_assert_uint_eq(one->primitive[i].stream, run->primitive[i].stream);
    }
    for (size_t i = 0; i < one->primitives * one->corners; i++)
        ck_assert_uint_eq(one->corner[i], run->corner[i]);
}

/* Runs of any length, of which et_assembler_vertices bounds what comes of them, between restarts. */
START_TEST(runs_equal_vertices_one_by_one)
{
    for (unsigned n = 0; n < 400; n++) {
        const unsigned topology = (unsigned)_i / 2;
        struct et_mesh one = {.corners = et_assembler_corners(topology, 3)}, run = one;
        struct et_assembler a, b;
        uint32_t record = pick(100);
        const bool inner = pick(2);
        et_assembler_start(&a, topology, 3, _i & 1, 7);
        et_assembler_start(&b, topology, 3, _i & 1, 7);
        for (unsigned step = 0; step < 8; step++) {
            const uint32_t more = 1 + pick(9), count = et_assembler_vertices(&b, more);
            const size_t before = run.primitives;
            ck_assert_uint_ge(count, 1);
            ck_assert(add_one_by_one(&a, record, count, inner, &one));
            ck_assert(et_assembler_run(&b, record, count, inner, &run));
            ck_assert_uint_le(run.primitives, before + ET_MAX(more, 2u));
            record += count;
            if (pick(3) == 0) {
                ck_assert(et_assembler_restart(&a, &one));
                ck_assert(et_assembler_restart(&b, &run));
            }
        }
        compare_meshes(&one, &run);
        ck_assert_uint_eq(a.seen, b.seen);
        ck_assert_uint_eq(a.next_id, b.next_id);
        ck_assert_uint_eq(a.primitives, b.primitives);
        ck_assert_uint_eq(a.holds, b.holds);
        ck_assert_uint_eq(a.has_first, b.has_first);
        for (unsigned i = 0; i < a.holds && topology != ET_TRIANGLE_STRIP; i++)
            ck_assert_uint_eq(a.held[i], b.held[i]);
        et_mesh_finish(&one);
        et_mesh_finish(&run);
    }
}
END_TEST

/* The rule of reuse.h: what each corner of a batch met last, looked at from its end. */
struct rule {
    struct et_reuse_limits limits;
    uint32_t primitives, shaded, corners;
    uint32_t number[4096], record[4096]; /* by corner of the batch */
    uint32_t forgotten;                  /* corners before this do not count */
};

static uint32_t rule_try(struct rule *rule, const uint32_t *number, unsigned corners, uint32_t first,
                         uint32_t *record)
{
    uint32_t made = 0;
    for (unsigned k = 0; k < corners; k++) {
        const uint32_t at = rule->corners + k;
        uint32_t last = at;
        while (last > rule->forgotten && rule->number[last - 1] != number[k])
            last--;
        const bool met = last > rule->forgotten;
        const bool shares = met && (last - 1 >= rule->corners || at - (last - 1) <= rule->limits.corners);
        rule->number[at] = number[k];
        rule->record[at] = record[k] = shares ? rule->record[last - 1] : first + made++;
    }
    return made;
}

static uint32_t rule_primitive(struct rule *rule, const uint32_t *number, unsigned corners, uint32_t first,
                               uint32_t *record)
{
    uint32_t made = rule_try(rule, number, corners, first, record);
    if (rule->primitives >= rule->limits.primitives ||
        (rule->primitives && rule->shaded + made > rule->limits.vertices)) {
        rule->primitives = rule->shaded = rule->corners = rule->forgotten = 0;
        made = rule_try(rule, number, corners, first, record);
    }
    rule->primitives++;
    rule->shaded += made;
    rule->corners += corners;
    return made;
}

START_TEST(reuse_follows_its_rule)
{
    static struct rule rule;
    uint32_t runs = 0;
    for (unsigned n = 0; n < 300; n++) {
        const struct et_reuse_limits limits = {.corners = (uint8_t)(n % 3 ? 42 : pick(80)),
                                               .primitives = (uint8_t)(n % 3 ? 32 : 1 + pick(40)),
                                               .vertices = (uint8_t)(n % 3 ? 32 : 1 + pick(32))};
        const unsigned corners = 1 + pick(n % 5 ? 4 : 32);
        const uint32_t spread = 1 + pick(200), stride = n % 4 ? 1 : 64;
        struct et_reuse reuse;
        uint32_t first = 0, ours = 0;
        rule = (struct rule){.limits = limits};
        et_reuse_start(&reuse, &limits, 0);
        for (unsigned p = 0; p < 200; p++) {
            const uint32_t run = pick(40), from = pick(spread);
            uint32_t number[32], record[32], expected[32];
            if (pick(8) == 0 && !et_reuse_knows(&reuse, from, run * corners)) {
                et_reuse_distinct(&reuse, from, corners, run, first);
                for (uint32_t i = 0; i < run; i++, first += corners) {
                    for (unsigned k = 0; k < corners; k++)
                        number[k] = from + i * corners + k;
                    ck_assert_uint_eq(rule_primitive(&rule, number, corners, first, expected), corners);
                }
                ours = first;
                runs += run;
            }
            bool is_new[32];
            for (unsigned k = 0; k < corners; k++)
                number[k] = (p / 4 + pick(spread)) * stride;
            if (pick(40) == 0) {
                et_reuse_forget(&reuse);
                rule.forgotten = rule.corners;
            }
            const uint32_t made = et_reuse_primitive(&reuse, number, corners, first, record, is_new);
            ck_assert_uint_eq(made, rule_primitive(&rule, number, corners, first, expected));
            for (unsigned k = 0; k < corners; k++) {
                ck_assert_uint_eq(record[k], expected[k]);
                if (is_new[k])
                    ck_assert_uint_eq(record[k], ours++);
            }
            first += made;
            ck_assert_uint_eq(ours, first);
        }
    }
    ck_assert_uint_gt(runs, 10000);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("assembly");
    TCase *all = tcase_create("all");
    tcase_set_timeout(all, 60);
    tcase_add_loop_test(all, runs_equal_vertices_one_by_one, 0, 2 * ET_TOPOLOGIES);
    tcase_add_test(all, reuse_follows_its_rule);
    suite_add_tcase(suite, all);
    return suite_run(suite);
}
