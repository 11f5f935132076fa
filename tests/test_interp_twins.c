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
};

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

/* ---- integers */
static op_fn *const *const alu_levels[] = {et_interp_alu_generic,
#if defined(ETALON_X86_LEVELS)
                                           et_interp_alu_v2, et_interp_alu_v3, et_interp_alu_v4
#endif
};

typedef op_fn *const team_table[ALU_COUNT];
static const team_table *const team_levels[] = {et_interp_team_generic,
#if defined(ETALON_X86_LEVELS)
                                                et_interp_team_v2, et_interp_team_v3, et_interp_team_v4
#endif
};

/* Bits {c:a} moved by b, as ops.h says. */
static uint32_t funnel(const struct insn *i, uint32_t a, uint32_t b, uint32_t c)
{
    const unsigned bits = i->fn & 1 ? 64 : 32, n = i->flags & ET_F_WRAP ? b & (bits - 1) : ET_MIN(b, bits);
    uint64_t x = (uint64_t)c << 32 | a;
    for (unsigned k = 0; k < n; k++)
        x = i->flags & ET_F_LEFT ? x << 1 : x >> 1 | (i->fn & 2 ? x & UINT64_C(1) << 63 : 0);
    return (uint32_t)(i->flags & ET_F_HI ? x >> 32 : x);
}

/* Bytes of {c:a} by the numbers in b; bit 3 takes the sign of all of one. */
static uint32_t permute(uint32_t a, uint32_t b, uint32_t c)
{
    uint8_t byte[8], out[4];
    et_store32(byte, a);
    et_store32(byte + 4, c);
    for (unsigned n = 0; n < 4; n++) {
        out[n] = byte[b >> 4 * n & 7];
        if (b >> 4 * n & 8)
            out[n] = out[n] & 0x80 ? 0xff : 0;
    }
    return et_load32(out);
}

/* A random instruction of one of the vector ops. */
static void random_integer_op(struct insn *i, struct et_ir *ir, uint32_t *random, enum alu_handler *handler)
{
    static const enum alu_handler handlers[] = {ALU_shf,       ALU_prmt_index, ALU_imad_wide,
                                                ALU_imad_high, ALU_iabs,       ALU_imul_hi};
    const uint32_t r = next_random(random);
    *handler = handlers[r % ET_COUNT(handlers)];
    ir->type = r >> 8 & 1 ? ET_S32 : ET_U32;
    ir->type2 = r >> 9 & 1 ? ET_S32 : ET_U32;
    switch (*handler) {
    case ALU_shf:
        i->fn = r >> 10 & 3;
        i->flags =
            (r >> 12 & 1 ? ET_F_LEFT : 0u) | (r >> 13 & 1 ? ET_F_HI : 0u) | (r >> 14 & 1 ? ET_F_WRAP : 0u);
        break;
    case ALU_imad_wide:
    case ALU_imad_high:
        ir->op = *handler == ALU_imad_wide ? ET_IR_IMAD_WIDE : ET_IR_IMAD_HI;
        i->fn = ir->type != ET_U32;
        break;
    case ALU_imul_hi:
        ir->op = ET_IR_IMUL_HI;
        i->fn = (uint8_t)((ir->type == ET_S32) | (ir->type2 == ET_S32) << 1);
        break;
    case ALU_iabs:
        ir->op = ET_IR_I2I;
        ir->type2 = ET_S32;
        i->mods = (uint8_t)((r >> 10 & 1) | (r >> 11 & 1) << 4);
        break;
    default:
        break;
    }
}

/* A lane's result by its twin, which reads R0.. of one warp. */
static void integer_twin(struct warp *w, const struct insn *i, enum alu_handler handler)
{
    const uint32_t *a = source(w, i->a), *b = source(w, i->b), *c = source(w, i->c);
    uint32_t *d = file(w, i->d);
    FOR_LANES(l, handler == ALU_shf || handler == ALU_prmt_index ? lanes_of(w, i) : 0)
    {
        d[l] = handler == ALU_shf ? funnel(i, a[l], b[l], c[l]) : permute(a[l], b[l], c[l]);
    }
    if (handler == ALU_imad_wide || handler == ALU_imad_high)
        et_op_imad_wide(w, i);
    else if (handler == ALU_imul_hi)
        et_op_imul_hi(w, i);
    else if (handler == ALU_iabs)
        et_op_i2i(w, i);
}

static uint32_t some_integer(uint32_t *random)
{
    static const uint32_t edges[] = {0, 1, 31, 32, 33, 63, 64, 65, 0x7fffffff, 0x80000000, 0xffffffff};
    const uint32_t r = next_random(random);
    return r % 3 ? r : edges[r / 3 % ET_COUNT(edges)];
}

/* A vector op of a warp, and of a team under each warp's guard, is what its twin makes of each lane. */
START_TEST(integers_equal_their_twins)
{
    enum { SLOTS = 8, D = 0, A = 2, B = 3, C = 4 };
    static uint32_t alone[ET_TEAM][SLOTS * ET_LANES] __attribute__((aligned(64)));
    static uint32_t one[SLOTS * ET_LANES] __attribute__((aligned(64)));
    static uint32_t side[SLOTS * ET_TEAM * ET_LANES] __attribute__((aligned(64)));
    static uint32_t want[ET_TEAM][SLOTS * ET_LANES];
    uint32_t random = 21;
    for (unsigned round = 0; round < 3000; round++) {
        static struct warp team[ET_TEAM];
        struct et_ir ir = {0};
        struct insn code[2] = {{.ir = &ir, .d = D, .a = A, .b = B, .c = C, .q0 = ET_P_NONE, .p0 = ET_P_T},
                               {.op = stop_here}},
                    wide[2];
        enum alu_handler handler;
        random_integer_op(&code[0], &ir, &random, &handler);
        code[0].guard = round & 1 ? ET_P_T : 0;
        for (unsigned n = 0; n < ET_TEAM; n++) {
            struct warp w = {.file = want[n], .step = ET_LANES, .active = ~0u, .full = ~0u};
            for (unsigned k = 0; k < SLOTS * ET_LANES; k++)
                want[n][k] = alone[n][k] = some_integer(&random);
            w.pred[0] = team[n].pred[0] = next_random(&random);
            w.pred[ET_P_T] = team[n].pred[ET_P_T] = ~0u;
            integer_twin(&w, code, handler);
            team[n].step = ET_LANES * ET_TEAM;
            team[n].file = side + n * ET_LANES;
        }
        memcpy(wide, code, sizeof wide);
        wide[0].a *= ET_TEAM;
        wide[0].b *= ET_TEAM;
        wide[0].c *= ET_TEAM;
        for (size_t level = 0; level < ET_COUNT(alu_levels) && level <= (size_t)et_interp_level(); level++) {
            struct warp w = {.file = one, .step = ET_LANES, .active = ~0u, .full = ~0u};
            w.pred[0] = team[0].pred[0];
            w.pred[ET_P_T] = ~0u;
            memcpy(one, alone[0], sizeof one);
            alu_levels[level][handler](&w, code);
            ck_assert_msg(!memcmp(one, want[0], sizeof one), "round %u level %zu", round, level);
            for (unsigned n = 0; n < ET_TEAM; n++)
                for (unsigned slot = 0; slot < SLOTS; slot++)
                    memcpy(side + (slot * ET_TEAM + n) * ET_LANES, alone[n] + slot * ET_LANES,
                           ET_LANES * sizeof *side);
            team_levels[level][TEAM_ALL][handler](team, wide);
            for (unsigned n = 0; n < ET_TEAM; n++)
                for (unsigned slot = 0; slot < SLOTS; slot++)
                    ck_assert_msg(!memcmp(side + (slot * ET_TEAM + n) * ET_LANES, want[n] + slot * ET_LANES,
                                          ET_LANES * sizeof *side),
                                  "round %u level %zu warp %u slot %u, of a team", round, level, n, slot);
        }
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
    tcase_add_test(tcase, integers_equal_their_twins);
    tcase_add_test(tcase, attributes_equal_their_twins);
    tcase_add_test(tcase, gathered_columns_are_the_elements);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
