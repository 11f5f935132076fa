/* Fast handlers against the slow ones that are their specification, on random lanes at every CPU level. */
#include "isa/interp/ops.h"
#include "isa/numeric/mufu.h"
#include "support/suite.h"

#include <string.h>

static uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state ^ *state >> 15;
}

/* A single of any sign and of exponents around 127 +- spread, or now and then any bits at all. */
static float some_single(uint32_t *state, unsigned spread)
{
    const uint32_t bits = next_random(state), choice = next_random(state) & 15;
    const uint32_t exponent = 127 - spread + next_random(state) % (2 * spread);
    return et_float(choice == 0 ? bits : (bits & 0x807fffff) | exponent << 23);
}

static void fill_word(uint32_t lanes[ET_LANES], uint32_t value)
{
    for (unsigned l = 0; l < ET_LANES; l++)
        lanes[l] = value;
}

static const struct insn *stop_here(struct warp *w, const struct insn *i)
{
    (void)w;
    (void)i;
    return NULL;
}

/* Three primitives of two planes each beside depth and w. */
struct planes {
    struct et_primitive primitive[3];
    struct et_plane plane[3][2];
    uint32_t flat[3][2];
    unsigned easy; /* of all that were made */
};

/* The plane of a triangle whose viewport holds all places where planes are looked at. */
static void triangle_plane(struct et_plane *plane, uint32_t *random, unsigned spread)
{
    struct et_plane_basis basis;
    const int32_t size = 256 << next_random(random) % 16;
    const float value[3] = {some_single(random, spread), some_single(random, spread),
                            some_single(random, spread)};
    do {
        struct et_plane_number x[3], y[3];
        for (unsigned k = 0; k < 3; k++) {
            x[k] = (struct et_plane_number){(int32_t)(next_random(random) % (uint32_t)size) - size / 4, 0};
            y[k] = (struct et_plane_number){(int32_t)(next_random(random) % (uint32_t)size) - size / 4, 0};
        }
        if (et_plane_basis_make(&basis, x, y, 0, 0, 256, 160))
            break;
    } while (true);
    et_plane_make(&basis, value, false, plane);
}

/* Planes of near or of far apart exponents, now and then flat, now and then not plain. reach 0: any. */
static void random_planes(struct planes *p, uint32_t *random, unsigned spread, int32_t reach)
{
    for (unsigned n = 0; n < 3; n++) {
        struct et_plane *const all[] = {&p->plane[n][0], &p->plane[n][1], &p->primitive[n].z,
                                        &p->primitive[n].w};
        p->primitive[n].planes = p->plane[n];
        p->primitive[n].flat = p->flat[n];
        p->flat[n][0] = next_random(random);
        p->flat[n][1] = next_random(random);
        for (unsigned i = 0; i < ET_COUNT(all); i++) {
            if (next_random(random) & 1) {
                triangle_plane(all[i], random, next_random(random) & 1 ? 2 : spread);
                p->easy += all[i]->kind == ET_PLANE_EASY;
                continue;
            }
            const bool flat = next_random(random) % 8 == 0; /* the same everywhere */
            const double a = flat ? 0 : some_single(random, spread),
                         b = flat ? 0 : some_single(random, spread);
            et_plane_from_linear(all[i], a, b, some_single(random, spread),
                                 (int32_t)(next_random(random) % 16) * 256,
                                 (int32_t)(next_random(random) % 16) * 256,
                                 reach ? reach : (int32_t)(next_random(random) % 65536));
            if (next_random(random) % 4 == 0)
                all[i]->plain = false;
        }
    }
}

/* Eight quads anywhere, some absent, or a cell of one primitive. */
static void random_quads(struct et_fragment_io *fragment, const struct planes *p, uint32_t *random)
{
    for (unsigned quad = 0; quad < 8; quad++) {
        const uint32_t pick = next_random(random) % 13;
        fragment->primitive[quad] = pick < 12 ? &p->primitive[pick % 3] : NULL;
        fragment->x[quad] = (int32_t)(next_random(random) % 64) * 2;
        fragment->y[quad] = (int32_t)(next_random(random) % 64) * 2;
    }
    fragment->cell = next_random(random) & 1;
    for (unsigned quad = 0; quad < 8 && fragment->cell; quad++) {
        fragment->primitive[quad] = &p->primitive[0];
        fragment->x[quad] = fragment->x[0] + (int32_t)(quad & 3) * 2;
        fragment->y[quad] = fragment->y[0] + (int32_t)(quad >> 2) * 2;
    }
}

/* Handlers of a warp and of a team by CPU level. */
static op_fn *const *const ipa_levels[] = {et_interp_ipa_generic,
#if defined(ETALON_X86_LEVELS)
                                           et_interp_ipa_v2, et_interp_ipa_v3, et_interp_ipa_v4
#endif
};

static bool level_exists(size_t level)
{
    return level < ET_COUNT(ipa_levels) && level <= (size_t)et_interp_level();
}

/* The mode of a fast handler: where it multiplies, the linker's. */
static uint8_t fast_mode(const struct insn *i, unsigned round)
{
    return i->fn & 1 || round & 8 ? ET_RZ | 8 : ET_RN;
}

static void open_layout(struct et_fragment_layout *layout)
{
    memset(layout->plane, 0xff, sizeof layout->plane);
    memset(layout->flat, 0xff, sizeof layout->flat);
    layout->plane[0x80 / 4] = layout->flat[0x80 / 4] = 0;
    layout->plane[0x84 / 4] = layout->flat[0x84 / 4] = 1;
    layout->flat[0x88 / 4] = 1;
    layout->perspective[0x80 / 4] = true;
}

/* One instruction by the slow handler and by each level's fast one, on the same warp; R0 is written. */
static void ipa_equals(struct warp *w, const struct insn *i, unsigned round)
{
    uint32_t want[ET_LANES];
    fill_word(w->file, 0xa5a5a5a5);
    set_mode(w, ET_RN);
    ck_assert_ptr_eq(et_op_ipa(w, i), i + 1);
    memcpy(want, w->file, sizeof want);
    for (size_t level = 0; level_exists(level); level++) {
        fill_word(w->file, 0xa5a5a5a5);
        set_mode(w, fast_mode(i, round));
        ck_assert_ptr_eq(ipa_levels[level][0](w, i), i + 1);
        for (unsigned l = 0; l < ET_LANES; l++)
            ck_assert_msg(w->file[l] == want[l], "round %u level %zu word 0x%x lane %u: %08x, slow %08x",
                          round, level, i->imm, l, w->file[l], want[l]);
    }
}

/* What interpolate.c makes of random quads, planes and factors is what the slow IPA makes of them. */
START_TEST(interpolation_equals_its_twin)
{
    static const uint16_t words[] = {0x78, 0x7c, 0x80, 0x84, 0x88, 0x70, 0x60, 0x3fc, 0x8c};
    static uint32_t file[4 * ET_LANES] __attribute__((aligned(64)));
    static struct et_fragment_layout layout;
    struct planes planes = {.primitive = {{.front = true}, {.layer = 5}, {.primitive_id = 7}}};
    uint32_t random = 5;
    const uint32_t fp = et_fp_save();
    open_layout(&layout);
    for (unsigned round = 0; round < 5000; round++) {
        struct et_fragment_io fragment = {.layout = &layout, .samples = 1, .passes = 1};
        struct et_warp_io io = {.fragment = &fragment};
        struct warp w = {.file = file, .io = &io, .active = ~0u, .full = ~0u, .mode = MODE_NONE};
        struct et_ir ir = {.op = ET_IR_IPA, .sat = round & 1};
        struct insn i = {
            .ir = &ir, .d = 0, .a = 2, .b = 1, .c = 2, .guard = ET_P_T, .fn = (uint8_t)(round >> 1 & 3)};
        i.imm = words[next_random(&random) % ET_COUNT(words)];
        w.pred[ET_P_T] = next_random(&random) & 1 ? ~0u : next_random(&random);
        random_planes(&planes, &random, round % 3 == 0 ? 126 : 20, 0);
        random_quads(&fragment, &planes, &random);
        for (unsigned l = 0; l < ET_LANES; l++)
            file[ET_LANES + l] = et_float_bits(some_single(&random, 40));
        ipa_equals(&w, &i, round);
    }
    ck_assert_uint_gt(planes.easy, 5000);
    et_fp_restore(fp);
}
END_TEST

/* Cells of a primitive each, in a row of one primitive or anywhere. */
static void random_team(struct et_fragment_io cell[ET_TEAM], const struct et_fragment_layout *layout,
                        const struct planes *p, uint32_t *random)
{
    const bool row = next_random(random) & 1;
    for (unsigned n = 0; n < ET_TEAM; n++) {
        const struct et_primitive *const of = &p->primitive[row ? 0 : next_random(random) & 1];
        int32_t x = (int32_t)(next_random(random) % 16) * 8, y = (int32_t)(next_random(random) % 16) * 4;
        if (row && n) {
            x = cell[0].x[0] + (int32_t)n * 8;
            y = cell[0].y[0];
        }
        cell[n] =
            (struct et_fragment_io){.layout = layout, .samples = 1, .passes = 1, .cell = true, .row = row};
        for (unsigned quad = 0; quad < 8; quad++) {
            cell[n].primitive[quad] = of;
            cell[n].x[quad] = x + (int32_t)(quad & 3) * 2;
            cell[n].y[quad] = y + (int32_t)(quad >> 2) * 2;
        }
    }
}

/* Four warps at once by each level's handler of a team, as one by one by the slow one. */
static void team_ipa_equals(struct warp w[ET_TEAM], const struct insn *i, unsigned round)
{
    uint32_t want[ET_TEAM][ET_LANES];
    for (size_t level = 0; level_exists(level); level++) {
        struct insn each[2] = {*i, {.op = stop_here}}, code[2] = {*i, {.op = stop_here}};
        each[0].op = ipa_levels[level][0];
        code[0].each = each;
        for (unsigned n = 0; n < ET_TEAM; n++) {
            set_mode(&w[n], ET_RN);
            et_op_ipa(&w[n], i);
            memcpy(want[n], w[n].file, sizeof want[n]);
            fill_word(w[n].file, 0xa5a5a5a5);
            w[n].mode = MODE_NONE;
        }
        for (unsigned n = 0; n < ET_TEAM; n++)
            set_mode(&w[n], fast_mode(i, round));
        ipa_levels[level][1](w, code);
        for (unsigned n = 0; n < ET_TEAM; n++)
            for (unsigned l = 0; l < ET_LANES; l++)
                ck_assert_msg(w[n].file[l] == want[n][l],
                              "round %u level %zu word 0x%x warp %u lane %u: %08x, slow %08x", round, level,
                              i->imm, n, l, w[n].file[l], want[n][l]);
    }
}

/* What a team makes of random cells is what the slow IPA makes of each. */
START_TEST(a_teams_interpolation_equals_its_twin)
{
    static const uint16_t words[] = {0x78, 0x7c, 0x80, 0x84, 0x88};
    static uint32_t file[4 * ET_TEAM * ET_LANES] __attribute__((aligned(64)));
    static struct et_fragment_layout layout;
    static struct warp w[ET_TEAM];
    struct planes planes = {.primitive = {{.front = true}, {.layer = 5}}};
    uint32_t random = 15;
    const uint32_t fp = et_fp_save();
    open_layout(&layout);
    for (unsigned round = 0; round < 5000; round++) {
        struct et_fragment_io cell[ET_TEAM];
        struct et_warp_io io[ET_TEAM];
        struct et_ir ir = {.op = ET_IR_IPA, .sat = round % 5 == 0};
        const struct insn i = {.ir = &ir,
                               .d = 0,
                               .a = 2 * ET_TEAM,
                               .b = ET_TEAM,
                               .c = 2 * ET_TEAM,
                               .guard = ET_P_T,
                               .fn = (uint8_t)(round >> 1 & 3),
                               .imm = words[next_random(&random) % ET_COUNT(words)]};
        random_planes(&planes, &random, round % 3 == 0 ? 126 : 12, round % 4 ? 65536 : 0);
        for (unsigned p = 0; p < 2; p++) {
            struct et_plane *const depths[] = {&planes.primitive[p].z, &planes.primitive[p].w};
            for (unsigned n = 0; n < ET_COUNT(depths); n++)
                if (next_random(&random) & 1) {
                    depths[n]->tile_x = depths[n]->tile_y = 8 * 256;
                    et_plane_add(depths[n], 0); /* what follows from tiles */
                }
        }
        random_team(cell, &layout, &planes, &random);
        for (unsigned n = 0; n < ET_TEAM; n++) {
            io[n].fragment = &cell[n];
            w[n].file = file + n * ET_LANES;
            w[n].io = &io[n];
            w[n].active = w[n].full = w[n].pred[ET_P_T] = ~0u;
        }
        for (unsigned l = 0; l < ET_TEAM * ET_LANES; l++)
            file[ET_TEAM * ET_LANES + l] = et_float_bits(some_single(&random, 40));
        team_ipa_equals(w, &i, round);
    }
    et_fp_restore(fp);
}
END_TEST

/* The vector RCP on every exponent and random fractions against the scalar one. */
START_TEST(reciprocals_equal_their_twin)
{
    static op_fn *const *const tables[] = {
        et_interp_alu_generic,
#if defined(ETALON_X86_LEVELS)
        et_interp_alu_v2,
        et_interp_alu_v3,
        et_interp_alu_v4
#endif
    };
    static uint32_t file[2 * ET_LANES] __attribute__((aligned(64)));
    uint32_t random = 9;
    for (size_t level = 0; level < ET_COUNT(tables) && level <= (size_t)et_interp_level(); level++)
        for (uint32_t round = 0; round < 32768; round++) {
            struct warp w = {.file = file, .active = ~0u, .full = ~0u, .mode = MODE_NONE};
            struct et_ir ir = {.op = ET_IR_MUFU};
            struct insn code[2] = {{.op = tables[level][ALU_mufu_rcp],
                                    .ir = &ir,
                                    .fn = ET_MUFU_RCP,
                                    .d = 0,
                                    .a = 1,
                                    .guard = ET_P_T},
                                   {.op = stop_here}};
            w.pred[ET_P_T] = ~0u;
            for (unsigned l = 0; l < ET_LANES; l++)
                file[ET_LANES + l] =
                    (next_random(&random) & (round & 1 ? 0x807fffff : 0x80000000)) | (round / 2 & 255) << 23;
            if (round % 8 == 7) /* all lanes alike: another path */
                fill_word(file + ET_LANES, file[ET_LANES]);
            code[0].op(&w, code);
            for (unsigned l = 0; l < ET_LANES; l++)
                ck_assert_uint_eq(file[l], et_mufu(ET_MUFU_RCP, file[ET_LANES + l]));
        }
}
END_TEST

/* ---- attributes */
static const struct attribute_functions *const attribute_levels[] = {
    &et_interp_attributes_generic,
#if defined(ETALON_X86_LEVELS)
    &et_interp_attributes_v2, &et_interp_attributes_v3, &et_interp_attributes_v4
#endif
};

enum { OUTPUTS = 2 * ET_LANES };

/* A vertex warp's columns and records, of ET_TEAM warps' slots side by side or of one's. */
struct attributes {
    struct et_columns columns;
    uint32_t file[16 * ET_TEAM * ET_LANES] __attribute__((aligned(64)));
    struct et_vertex_record output[OUTPUTS];
    struct et_vtg_io vtg;
    struct et_warp_io io;
    struct et_launch launch;
};

/* Some lanes, and records in a row or not. */
static struct warp attribute_warp(struct attributes *a, bool team, uint32_t *random)
{
    struct warp w = {.file = a->file, .step = team ? ET_LANES * ET_TEAM : ET_LANES, .io = &a->io};
    const uint32_t first = next_random(random) % (OUTPUTS - ET_LANES);
    a->io.vtg = &a->vtg;
    a->launch.stage = ET_STAGE_VERTEX;
    w.launch = &a->launch;
    w.active = next_random(random) % 4 ? ~0u : next_random(random);
    w.full = w.pred[ET_P_T] = ~0u;
    a->vtg = (struct et_vtg_io){.columns = a->columns.word[0],
                                .column_step = ET_COLUMN_STEP,
                                .inputs = next_random(random) % 4 ? ET_LANES : next_random(random) % ET_LANES,
                                .output = a->output,
                                .outputs = OUTPUTS,
                                .in_a_row = next_random(random) % 4};
    for (uint32_t l = 0; l < ET_LANES; l++)
        a->vtg.out_record[l] = a->vtg.in_a_row ? first + l : (first + 7 * l) % (OUTPUTS + 2);
    for (unsigned n = 0; n < ET_COUNT(a->file); n++)
        a->file[n] = next_random(random);
    return w;
}

/* What each level's ALD and AST make of random lanes is what the slow ones do. */
START_TEST(attributes_equal_their_twins)
{
    static struct attributes a __attribute__((aligned(64)));
    static uint32_t before[ET_COUNT(a.file)], want[ET_COUNT(a.file)];
    static struct et_vertex_record out[OUTPUTS];
    uint32_t random = 33;
    for (unsigned n = 0; n < ET_ATTRIBUTE_WORDS; n++)
        for (unsigned l = 0; l < ET_COLUMN_STEP; l++)
            a.columns.word[n][l] = next_random(&random);
    for (unsigned round = 0; round < 4000; round++) {
        const bool load = round & 1, team = round & 2;
        struct warp w = attribute_warp(&a, team, &random);
        const unsigned words = 1 + next_random(&random) % 4, scale = team ? ET_TEAM : 1;
        struct et_ir ir = {.op = load ? ET_IR_ALD : ET_IR_AST, .words = (uint8_t)words};
        struct insn code[2] = {{.ir = &ir,
                                .d = (uint16_t)(4 * scale),
                                .a = (uint16_t)(8 * scale),
                                .b = (uint16_t)(8 * scale),
                                .c = (uint16_t)(4 * scale),
                                .imm = 4 * (next_random(&random) % (ET_ATTRIBUTE_WORDS - 3)),
                                .imm2 = words,
                                .guard = ET_P_T},
                               {.op = stop_here}};
        memset(a.file + 8 * ET_LANES * scale, 0, ET_LANES * sizeof *a.file);
        memcpy(before, a.file, sizeof before);
        memset(out, 0x5a, sizeof out);
        memcpy(a.output, out, sizeof out);
        ck_assert_ptr_eq(load ? et_op_ald(&w, code) : et_op_ast(&w, code), code + 1);
        memcpy(want, a.file, sizeof want);
        memcpy(out, a.output, sizeof out);
        for (size_t level = 0; level < ET_COUNT(attribute_levels) && level <= (size_t)et_interp_level();
             level++) {
            memcpy(a.file, before, sizeof before);
            memset(a.output, 0x5a, sizeof out);
            (load ? attribute_levels[level]->load : attribute_levels[level]->store)(&w, code);
            ck_assert_msg(!memcmp(a.file, want, sizeof want) && !memcmp(a.output, out, sizeof out),
                          "round %u level %zu, %u words", round, level, words);
        }
    }
}
END_TEST

/* Elements in any place, the last one at the end of what may be read. */
START_TEST(gathered_columns_are_the_elements)
{
    static uint8_t bytes[512];
    static uint32_t column[4 * ET_COLUMN_STEP] __attribute__((aligned(64)));
    uint32_t random = 3;
    for (unsigned n = 0; n < sizeof bytes; n++)
        bytes[n] = (uint8_t)next_random(&random);
    for (unsigned round = 0; round < 1000; round++) {
        const unsigned words = 1 + round % 4;
        uint32_t offset[ET_LANES];
        for (unsigned l = 0; l < ET_LANES; l++)
            offset[l] = next_random(&random) % (sizeof bytes - 4 * words + 1);
        offset[round % ET_LANES] = sizeof bytes - 4 * words;
        for (size_t level = 0; level < ET_COUNT(attribute_levels) && level <= (size_t)et_interp_level();
             level++) {
            memset(column, 0xa5, sizeof column);
            attribute_levels[level]->gather(bytes, offset, words, column, ET_COLUMN_STEP);
            bool same = true;
            for (unsigned n = 0; n < 4; n++)
                for (unsigned l = 0; l < ET_LANES; l++)
                    same &= column[n * ET_COLUMN_STEP + l] ==
                            (n < words ? et_load32(bytes + offset[l] + 4 * n) : 0xa5a5a5a5);
            ck_assert_msg(same, "round %u level %zu", round, level);
        }
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("interp twins");
    TCase *tcase = tcase_create("twins");
    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, interpolation_equals_its_twin);
    tcase_add_test(tcase, a_teams_interpolation_equals_its_twin);
    tcase_add_test(tcase, reciprocals_equal_their_twin);
    tcase_add_test(tcase, attributes_equal_their_twins);
    tcase_add_test(tcase, gathered_columns_are_the_elements);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
