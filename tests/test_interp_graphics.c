/* The interpreter's graphics warps on hand-built IR: records of vertices, fragments, four warps in step. */
#include "support/ir_rig.h"

static enum etalon_status run_graphics(struct rig *rig, enum et_stage stage, struct et_warp_io *io)
{
    struct et_context *context = et_context_create(&rig->error);
    enum etalon_status status;
    ck_assert_ptr_nonnull(context);
    if (!rig->program)
        ck_assert_int_eq(et_program_create_ir(&rig->program, ET_ISA_AMPERE, &rig->ir, &rig->error),
                         ETALON_OK);
    rig->launch.program = rig->program;
    rig->launch.stage = stage;
    status = et_run_warp(context, &rig->launch, io, NULL, &rig->error);
    for (unsigned r = 0; r < 8; r++)
        for (unsigned l = 0; l < ET_LANES; l++)
            rig->result[r][l] = status == ETALON_OK ? io->registers[r][l] : 0;
    et_context_destroy(context);
    return status;
}

/* ALD reads the lane's record, AST writes its own; OUT copies what is stored. */
START_TEST(vertices_load_store_and_emit)
{
    static struct et_vertex_record input[ET_LANES], output[ET_LANES], emitted[ET_LANES * 2];
    static uint8_t streams[ET_LANES * 2];
    struct et_vtg_io vtg = {.input = input,
                            .inputs = ET_LANES,
                            .output = output,
                            .outputs = ET_LANES,
                            .emitted = emitted,
                            .emit_capacity = 2,
                            .emit_stream = streams};
    struct et_warp_io io = {.lanes = 0xff, .vtg = &vtg};
    struct rig rig;
    struct et_ir *ir;
    rig_open(&rig);
    for (uint32_t l = 0; l < ET_LANES; l++) {
        vtg.in_record[l] = 31 - l;
        vtg.out_record[l] = l;
        input[l].word[0x80 / 4] = 100 + l;
        input[l].word[0x84 / 4] = 200 + l;
    }
    ir = op_at(&rig, 0, ET_P_T, ET_IR_ALD);
    ir->dst[0] = 4;
    ir->words = 2;
    ir->imm = 0x80;
    ir = op_at(&rig, 8, ET_P_T, ET_IR_AST);
    ir->src[2] = R(5);
    ir->words = 1;
    ir->imm = 0x70;
    op_at(&rig, 16, ET_P_T, ET_IR_OUT)->fn = ET_OUT_EMIT;
    op_at(&rig, 24, ET_P_T, ET_IR_OUT)->fn = ET_OUT_EMIT_THEN_CUT;
    op_at(&rig, 32, ET_P_T, ET_IR_OUT)->fn = ET_OUT_EMIT; /* past the capacity: dropped */
    exit_at(&rig, 40, ET_P_T);
    ck_assert_msg(run_graphics(&rig, ET_STAGE_GEOMETRY, &io) == ETALON_OK, "%s", rig.error.text);
    for (uint32_t l = 0; l < 8; l++) {
        ck_assert_uint_eq(rig.result[4][l], 131 - l);
        ck_assert_uint_eq(output[l].word[0x70 / 4], 231 - l);
        ck_assert_uint_eq(vtg.emit_count[l], 2);
        ck_assert_uint_eq(emitted[l * 2 + 1].word[0x70 / 4], 231 - l);
        ck_assert_uint_eq(streams[l * 2], 0);
        ck_assert_uint_eq(streams[l * 2 + 1], 0x80);
    }
    ck_assert_uint_eq(output[8].word[0x70 / 4], 0);
    rig_close(&rig);
}
END_TEST

/* A program continues the one before it: the same records, its registers and predicates, each with its own
 * constants and length; lanes that the first ended early run the second. */
START_TEST(vertex_programs_continue)
{
    static struct et_vertex_record input[ET_LANES], output[ET_LANES];
    struct et_vtg_io vtg = {.input = input, .inputs = ET_LANES, .output = output, .outputs = ET_LANES};
    struct et_warp_io io = {.lanes = 0xff, .vtg = &vtg};
    struct rig a, b;
    struct et_ir *ir;
    rig_open(&a);
    rig_open(&b);
    a.bank[0] = 1000;
    b.bank[0] = 20000;
    for (uint32_t l = 0; l < ET_LANES; l++) {
        vtg.in_record[l] = vtg.out_record[l] = l;
        input[l].word[0x80 / 4] = l;
    }
    ir = op_at(&a, 0, ET_P_T, ET_IR_ALD);
    ir->dst[0] = 4;
    ir->words = 1;
    ir->imm = 0x80;
    ir = op3(&a, 8, ET_IR_ISETP, ET_R_NONE, R(4), I(4), none);
    ir->cmp = ET_CMP_LT;
    ir->pdst[0] = 2;
    op3(&a, 16, ET_IR_IADD3, 5, R(4), et_ir_const(0, 0), none);
    ir = op_at(&a, 24, ET_P_T, ET_IR_AST);
    ir->src[2] = R(5);
    ir->words = 1;
    ir->imm = 0x90;
    exit_at(&a, 32, 2);
    op3(&a, 40, ET_IR_IADD3, 6, R(5), I(7), none);
    exit_at(&a, 48, ET_P_T);
    op3(&b, 0, ET_IR_IADD3, 5, R(5), et_ir_const(0, 0), R(6));
    op3(&b, 8, ET_IR_IADD3, 5, R(5), I(500000), none)->guard = 2;
    ir = op_at(&b, 16, ET_P_T, ET_IR_AST);
    ir->src[2] = R(5);
    ir->words = 1;
    ir->imm = 0x70;
    op3(&b, 24, ET_IR_IADD3, 200, R(5), none, none);
    exit_at(&b, 32, ET_P_T);
    ck_assert_int_eq(et_program_create_ir(&a.program, ET_ISA_AMPERE, &a.ir, &a.error), ETALON_OK);
    a.launch.program = a.program;
    a.launch.stage = ET_STAGE_VERTEX_A;
    b.launch.before = &a.launch;
    for (unsigned again = 0; again < 2; again++) {
        memset(output, 0, sizeof output);
        ck_assert_msg(run_graphics(&b, ET_STAGE_VERTEX, &io) == ETALON_OK, "%s", b.error.text);
        for (uint32_t l = 0; l < 8; l++) {
            ck_assert_uint_eq(output[l].word[0x90 / 4], 1000 + l);
            ck_assert_uint_eq(output[l].word[0x70 / 4], 21000 + l + (l < 4 ? 500000 : 1007 + l));
        }
    }
    rig_close(&a);
    rig_close(&b);
}
END_TEST

/* IPA's positions and flat words; killed lanes and helpers write nothing but run on; PIXLD. */
START_TEST(fragments_interpolate_and_die)
{
    static struct et_fragment_layout layout;
    static const uint32_t flat[1] = {0x12345678};
    const struct et_primitive primitive = {.flat = flat, .primitive_id = 9, .front = true};
    struct et_fragment_io fragment = {.layout = &layout,
                                      .primitive = {&primitive, &primitive},
                                      .x = {10, 20},
                                      .y = {30, 40},
                                      .helpers = 0x08,
                                      .samples = 4,
                                      .passes = 1};
    struct et_warp_io io = {.lanes = 0xff, .fragment = &fragment};
    struct rig rig;
    struct et_ir *ir;
    rig_open(&rig);
    memset(layout.plane, 0xff, sizeof layout.plane);
    memset(layout.flat, 0xff, sizeof layout.flat);
    layout.flat[0x80 / 4] = 0;
    for (unsigned l = 0; l < ET_LANES; l++)
        fragment.coverage[l] = (uint16_t)(l & 15);
    ir = op_at(&rig, 0, ET_P_T, ET_IR_IPA);
    ir->dst[0] = 0;
    ir->imm = 0x70;
    ir = op_at(&rig, 8, ET_P_T, ET_IR_IPA);
    ir->dst[0] = 1;
    ir->imm = 0x80;
    ir->fn = ET_IPA_CONSTANT;
    ir = op_at(&rig, 16, ET_P_T, ET_IR_PIXLD);
    ir->dst[0] = 4;
    ir->fn = ET_PIXLD_COVMASK;
    compare(&rig, 24, 0, ET_CMP_EQ, 4, 5);
    op_at(&rig, 32, 0, ET_IR_KIL);
    ir = op_at(&rig, 40, ET_P_T, ET_IR_S2R);
    ir->dst[0] = 5;
    ir->imm = ET_SR_THREAD_KILL;
    ir = op_at(&rig, 48, ET_P_T, ET_IR_S2R);
    ir->dst[0] = 6;
    ir->imm = ET_SR_LANEID;
    op3(&rig, 56, ET_IR_LEA, 2, R(6), I((uint32_t)BASE), none)->imm = 2;
    op3(&rig, 64, ET_IR_MOV, 3, I(0), none, none);
    op3(&rig, 72, ET_IR_MOV, 7, I(77), none, none);
    store(&rig, 80, ET_P_T, 7, 0);
    exit_at(&rig, 88, ET_P_T);
    ck_assert_msg(run_graphics(&rig, ET_STAGE_FRAGMENT, &io) == ETALON_OK, "%s", rig.error.text);
    for (uint32_t l = 0; l < 8; l++) {
        const bool gone = l == 3 || l == 5; /* a helper, a killed lane */
        ck_assert_uint_eq(rig.result[0][l], et_float_bits((float)((l < 4 ? 10 : 20) + (l & 1)) + 0.5f));
        ck_assert_uint_eq(rig.result[1][l], 0x12345678);
        ck_assert_uint_eq(rig.result[5][l], gone ? ~0u : 0);
        ck_assert_uint_eq(word(&rig, 4 * l), gone ? 0 : 77);
    }
    ck_assert_uint_eq(fragment.killed, 1u << 5);
    rig_close(&rig);
}
END_TEST

/* What a team of warps runs: constants, interpolation, predicates, a loop of nine rounds, special functions.
 */
enum way {
    TOGETHER,   /* all warps leave the loop together */
    LANES_PART, /* their lanes part */
    WARPS_PART,
    STORES, /* a program that stores has no such form */
    WAYS
};

/* P1: leave the loop; at pcs 64 to 95. R6 and R7 are written besides. */
static void leave_loop(struct rig *rig, enum way way)
{
    struct et_ir *ir = op_at(rig, 64, ET_P_T, ET_IR_PLOP3); /* P1 = P0 */
    ir->pdst[0] = 1;
    ir->psrc[2] = 0;
    ir->imm = 0xaa;
    if (way == LANES_PART)
        compare(rig, 72, 1, ET_CMP_GT, 0, et_float_bits(41));
    else
        op_at(rig, 72, ET_P_T, ET_IR_NOP);
    if (way == WARPS_PART) { /* by the value of the warp's first pixel */
        ir = op3(rig, 80, ET_IR_SHFL, 6, R(0), I(0), I(31));
        ir->fn = ET_SHFL_IDX;
        compare(rig, 88, 1, ET_CMP_GT, 6, et_float_bits(41));
    } else {
        op3(rig, 80, ET_IR_MUFU, 6, R(0), none, none)->fn = ET_MUFU_SQRT;
        op3(rig, 88, ET_IR_MOV, 7, R(3), none, none)->guard = 0;
    }
}

static void team_program(struct rig *rig, enum way way)
{
    struct et_ir *ir = op_at(rig, 0, ET_P_T, ET_IR_IPA);
    rig->bank[3] = 7;
    ir->dst[0] = 0;
    ir->imm = 0x80;
    ir = op_at(rig, 8, ET_P_T, ET_IR_LDC);
    ir->dst[0] = 1;
    ir->imm = 12;
    ir->type = ET_U32;
    op3(rig, 16, ET_IR_MOV, 2, I(0), none, none);
    op3(rig, 24, ET_IR_MOV, 3, I(0x3f000000), none, none); /* read once, then overwritten */
    op3(rig, 32, ET_IR_FFMA, 4, R(0), R(3), R(4))->ftz = true;
    op3(rig, 40, ET_IR_MOV, 3, I(5), none, none);
    op3(rig, 48, ET_IR_IADD3, 2, R(2), I(1), none);
    compare(rig, 56, 0, ET_CMP_GE, 2, 9);
    leave_loop(rig, way);
    jump(rig, 96, 1 | ET_P_NOT, 120);
    jump(rig, 104, ET_P_T, 112);
    jump(rig, 112, ET_P_T, 136);
    jump(rig, 120, ET_P_T, 128); /* jumps to jumps */
    jump(rig, 128, ET_P_T, 48);
    compare(rig, 136, 2, ET_CMP_GT, 0, et_float_bits(41));
    op_at(rig, 144, 2, ET_IR_KIL);
    if (way == STORES)
        store(rig, 152, ET_P_T, 7, 0);
    exit_at(rig, 160, ET_P_T);
    ck_assert_int_eq(et_program_create_ir(&rig->program, ET_ISA_AMPERE, &rig->ir, &rig->error), ETALON_OK);
    ck_assert_int_eq(et_program_info(rig->program)->team, way != STORES);
    rig->launch.program = rig->program;
    rig->launch.stage = ET_STAGE_FRAGMENT;
}

/* Four cells side by side, all of one primitive. */
static void team_cells(struct et_fragment_io cells[ET_TEAM], const struct et_fragment_layout *layout,
                       const struct et_primitive *primitive, unsigned row)
{
    for (unsigned n = 0; n < ET_TEAM; n++) {
        cells[n] = (struct et_fragment_io){.layout = layout, .cell = true, .samples = 1, .passes = 1};
        for (unsigned quad = 0; quad < 8; quad++) {
            cells[n].primitive[quad] = primitive;
            cells[n].x[quad] = (int32_t)(n * 8 + (quad & 3) * 2);
            cells[n].y[quad] = (int32_t)(row * 4 + (quad >> 2) * 2);
        }
    }
}

/* A warp's registers are those of `io`, which ran in a team, when it runs alone over the same cell. */
static void equal_alone(struct rig *rig, struct et_context *context, const struct et_warp_io *io,
                        struct et_fragment_io *cell, struct et_counts *counts)
{
    struct et_warp_io alone = {.lanes = ~0u, .fragment = cell};
    uint32_t want[8][ET_LANES];
    for (unsigned r = 0; r < 8; r++)
        memcpy(want[r], io->registers[r * io->register_step], sizeof want[r]);
    ck_assert_int_eq(et_run_warp(context, &rig->launch, &alone, counts, &rig->error), ETALON_OK);
    for (unsigned r = 0; r < 8; r++)
        ck_assert_msg(!memcmp(want[r], alone.registers[r * alone.register_step], sizeof want[r]),
                      "register %u", r);
    ck_assert_uint_eq(io->fragment->killed, cell->killed);
    ck_assert_uint_eq(alone.registers[1][0], 7);
    ck_assert_uint_eq(alone.registers[2][0], 9);
    ck_assert_uint_eq(alone.registers[3][0], 5);
    ck_assert_uint_eq(alone.registers[7][0], 5);
}

/* Run by four warps in step and one by one: the same registers, counts and killed lanes; or not run at all.
 */
START_TEST(teams_equal_their_warps)
{
    static struct et_fragment_layout layout;
    const enum way way = (enum way)_i;
    struct et_plane planes[1];
    const struct et_primitive primitive = {.front = true, .planes = planes};
    struct et_fragment_io cells[2][ET_TEAM];
    struct et_warp_io team[ET_TEAM];
    struct rig rig;
    struct et_context *context;
    rig_open(&rig);
    memset(layout.plane, 0xff, sizeof layout.plane);
    memset(layout.flat, 0xff, sizeof layout.flat);
    layout.plane[0x80 / 4] = 0;
    et_plane_from_linear(&planes[0], 0.25, -0.5, 40, 128, 128, 1 << 20);
    team_program(&rig, way);
    context = et_context_create(&rig.error);
    ck_assert_ptr_nonnull(context);
    for (unsigned round = 0; round < 3 && way != STORES; round++) { /* the file has run it, or not */
        struct et_counts counts[2] = {{0}};
        team_cells(cells[0], &layout, &primitive, round);
        team_cells(cells[1], &layout, &primitive, round);
        for (unsigned n = 0; n < ET_TEAM; n++)
            team[n] = (struct et_warp_io){.lanes = ~0u, .fragment = &cells[0][n]};
        ck_assert_int_eq(et_run_team(context, &rig.launch, team, &counts[0]), way == TOGETHER);
        if (way != TOGETHER) {
            ck_assert_uint_eq(counts[0].instructions, 0);
            continue;
        }
        for (unsigned n = 0; n < ET_TEAM; n++)
            equal_alone(&rig, context, &team[n], &cells[1][n], &counts[1]);
        ck_assert_uint_eq(counts[0].instructions, counts[1].instructions);
        ck_assert_uint_eq(counts[0].lane_instructions, counts[1].lane_instructions);
        ck_assert_uint_eq(counts[1].instructions, ET_TEAM * (6 + 9 * 7 + 8 * 2 + 2 + 3));
    }
    et_context_destroy(context);
    rig_close(&rig);
}
END_TEST

/* Fragments of 4x2 pixels: offsets stay in the pixel right and below of the middle, centroids go by the order
 * of masks, and values are made from the larger quad's middle. */
START_TEST(coarse_places)
{
    static const uint8_t middle[4][16][2] = {{{8, 8}}, {{8, 8}}, {{8, 8}}, {{8, 8}}};
    static uint8_t mask_sample[ET_FRAGMENT_SIZES][16];
    static struct et_fragment_layout layout;
    struct et_plane planes[2];
    const struct et_primitive primitive = {.front = true, .planes = planes};
    struct et_fragment_io fragment = {.layout = &layout,
                                      .primitive = {&primitive},
                                      .samples = 1,
                                      .passes = 1,
                                      .x = {16},
                                      .y = {8},
                                      .coarse = true,
                                      .rate = {2 | 1 << 4},
                                      .mask_sample = (const uint8_t(*)[16])mask_sample,
                                      .position = middle};
    struct et_warp_io io = {.lanes = 0xf, .fragment = &fragment};
    struct rig rig;
    struct et_ir *ir;
    memset(layout.plane, 0xff, sizeof layout.plane);
    memset(layout.flat, 0xff, sizeof layout.flat);
    for (unsigned k = 0; k < 8; k++)
        mask_sample[ET_FRAGMENT_SIZE(fragment.rate[0])][k] = (uint8_t)(7 - k);
    for (unsigned i = 0; i < 2; i++) {
        layout.plane[0x80 / 4 + i] = (uint8_t)i;
        et_plane_from_linear(&planes[i], !i, i, 0, 0, 0, 1 << 14);
    }
    fragment.coverage[0] = 0x06; /* the first is bit 1: the sixth pixel */
    fragment.coverage[1] = 0x80; /* the first pixel */
    fragment.coverage[2] = 0xff;
    fragment.coverage[3] = 0xff;
    rig_open(&rig);
    op3(&rig, 0, ET_IR_MOV, 6, I(0xfe000800), none, none); /* 1/2 and -1/8 pixel */
    for (unsigned i = 0; i < 2; i++) {
        ir = op_at(&rig, 8 + 8 * i, ET_P_T, ET_IR_IPA);
        ir->dst[0] = (uint8_t)i;
        ir->imm = 0x80 + 4 * i;
        ir->fn2 = ET_IPA_OFFSET;
        ir->src[2] = R(6);
        ir = op_at(&rig, 24 + 8 * i, ET_P_T, ET_IR_IPA);
        ir->dst[0] = (uint8_t)(2 + i);
        ir->imm = 0x80 + 4 * i;
        ir->fn2 = ET_IPA_CENTROID;
    }
    exit_at(&rig, 40, ET_P_T);
    ck_assert_msg(run_graphics(&rig, ET_STAGE_FRAGMENT, &io) == ETALON_OK, "%s", rig.error.text);
    for (uint32_t l = 0; l < 4; l++) {
        static const float at[4][2] = {{18.5f, 9.5f}, {20.5f, 8.5f}, {18, 11}, {22, 11}};
        ck_assert_uint_eq(rig.result[0][l], et_float_bits(16 + 2 + 4 * (float)(l & 1) + 0.5f));
        ck_assert_uint_eq(rig.result[1][l], et_float_bits(8 + 1 + 2 * (float)(l >> 1) + 0.875f));
        ck_assert_uint_eq(rig.result[2][l], et_float_bits(at[l][0]));
        ck_assert_uint_eq(rig.result[3][l], et_float_bits(at[l][1]));
    }
    rig_close(&rig);
}
END_TEST

/* Sample positions may differ in each pixel of a 2x2 tile: IPA in a run a sample, at the centroid, and PIXLD.
 */
START_TEST(sample_positions_by_pixel)
{
    enum { CENTRES = 4 }; /* R4 and R5: a value at the default place, which is the middle in each run */
    static const uint8_t position[4][16][2] = {
        {{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}, {{9, 10}, {11, 12}}, {{13, 14}, {15, 0}}};
    static struct et_fragment_layout layout;
    struct et_plane planes[2];
    const struct et_primitive primitive = {.front = true, .planes = planes};
    struct et_fragment_io fragment = {.layout = &layout,
                                      .primitive = {&primitive},
                                      .samples = 2,
                                      .position = position,
                                      .centroid_per_pass = true};
    struct et_warp_io io = {.lanes = 0xf, .fragment = &fragment};
    memset(layout.plane, 0xff, sizeof layout.plane);
    memset(layout.flat, 0xff, sizeof layout.flat);
    for (unsigned i = 0; i < 2; i++) { /* the places themselves */
        layout.plane[0x80 / 4 + i] = (uint8_t)i;
        et_plane_from_linear(&planes[i], !i, i, 0, 0, 0, 4096);
    }
    for (unsigned l = 0; l < 4; l++)
        fragment.coverage[l] = 2;
    for (unsigned passes = 1; passes <= 2; passes++) {
        struct rig rig;
        struct et_ir *ir;
        rig_open(&rig);
        fragment.passes = (uint8_t)passes;
        fragment.sample[0] = 1;
        for (unsigned i = 0; i < 2; i++) {
            ir = op_at(&rig, 8 * i, ET_P_T, ET_IR_IPA);
            ir->dst[0] = (uint8_t)i;
            ir->imm = 0x70 + 4 * i;
            ir->fn2 = ET_IPA_CENTROID;
            ir = op_at(&rig, 64 + 8 * i, ET_P_T, ET_IR_IPA);
            ir->dst[0] = (uint8_t)(CENTRES + i);
            ir->imm = 0x80 + 4 * i;
        }
        ir = op_at(&rig, 16, ET_P_T, ET_IR_PIXLD);
        ir->dst[0] = 2;
        ir->imm = 0;
        ir->fn = ET_PIXLD_OFFSET;
        ir = op_at(&rig, 24, ET_P_T, ET_IR_PIXLD);
        ir->dst[0] = 3;
        ir->fn = ET_PIXLD_CENT_OFFSET;
        exit_at(&rig, 80, ET_P_T);
        ck_assert_msg(run_graphics(&rig, ET_STAGE_FRAGMENT, &io) == ETALON_OK, "%s", rig.error.text);
        for (uint32_t l = 0; l < 4; l++) {
            const uint8_t *first = position[l][0], *second = position[l][1];
            const float x = (float)(l & 1) + (float)second[0] / 16,
                        y = (float)(l >> 1) + (float)second[1] / 16;
            ck_assert_uint_eq(rig.result[0][l], et_float_bits(x));
            ck_assert_uint_eq(rig.result[1][l], et_float_bits(y));
            ck_assert_uint_eq(rig.result[CENTRES][l], et_float_bits((float)(l & 1) + 0.5f));
            ck_assert_uint_eq(rig.result[CENTRES + 1][l], et_float_bits((float)(l >> 1) + 0.5f));
            ck_assert_uint_eq(rig.result[2][l], (uint32_t)(uint16_t)((first[0] - 8) * 256) |
                                                    (uint32_t)(uint16_t)((first[1] - 8) * 256) << 16);
            ck_assert_uint_eq(rig.result[3][l], (uint32_t)(uint16_t)((second[0] - 8) * 256) |
                                                    (uint32_t)(uint16_t)((second[1] - 8) * 256) << 16);
        }
        rig_close(&rig);
    }
}
END_TEST

/* An offset's halves hold twelve bits each, (-1/8, -3/8) of a pixel here. */
START_TEST(offset_positions)
{
    static struct et_fragment_layout layout;
    const struct et_primitive primitive = {.front = true};
    struct et_fragment_io fragment = {
        .layout = &layout, .primitive = {&primitive}, .x = {10}, .y = {30}, .samples = 4, .passes = 1};
    struct et_warp_io io = {.lanes = 0xf, .fragment = &fragment};
    struct rig rig;
    rig_open(&rig);
    memset(layout.plane, 0xff, sizeof layout.plane);
    memset(layout.flat, 0xff, sizeof layout.flat);
    for (unsigned i = 0; i < 2; i++) {
        struct et_ir *ir = op_at(&rig, 8 * i, ET_P_T, ET_IR_IPA);
        ir->dst[0] = (uint8_t)i;
        ir->imm = 0x70 + 4 * i;
        ir->fn2 = ET_IPA_OFFSET;
        ir->src[2] = I(0x2a006e00);
    }
    exit_at(&rig, 16, ET_P_T);
    ck_assert_msg(run_graphics(&rig, ET_STAGE_FRAGMENT, &io) == ETALON_OK, "%s", rig.error.text);
    for (uint32_t l = 0; l < 4; l++) {
        ck_assert_uint_eq(rig.result[0][l], et_float_bits((float)(10 + (l & 1)) + 0.375f));
        ck_assert_uint_eq(rig.result[1][l], et_float_bits((float)(30 + (l >> 1)) + 0.125f));
    }
    rig_close(&rig);
}
END_TEST

/* A program says whether it looks at z or 1/w: any may be meant by an index. */
START_TEST(programs_tell_what_they_interpolate)
{
    static const struct {
        uint32_t word;
        bool indexed, z, w;
    } cases[] = {{0x80, false, false, false},
                 {0x78, false, true, false},
                 {0x7c, false, false, true},
                 {0x74, false, false, false},
                 {0x80, true, true, true}};
    const uint32_t word = cases[_i].word;
    struct rig rig;
    rig_open(&rig);
    struct et_ir *ir = op_at(&rig, 0, ET_P_T, ET_IR_IPA);
    ir->dst[0] = 0;
    ir->imm = word;
    if (cases[_i].indexed)
        ir->src[0] = R(1);
    exit_at(&rig, 8, ET_P_T);
    ck_assert_int_eq(et_program_create_ir(&rig.program, ET_ISA_AMPERE, &rig.ir, &rig.error), ETALON_OK);
    ck_assert_int_eq(et_program_info(rig.program)->reads_z, cases[_i].z);
    ck_assert_int_eq(et_program_info(rig.program)->reads_w, cases[_i].w);
    rig_close(&rig);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("interp graphics");
    TCase *tcase = tcase_create("warps");
    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, vertices_load_store_and_emit);
    tcase_add_test(tcase, vertex_programs_continue);
    tcase_add_test(tcase, fragments_interpolate_and_die);
    tcase_add_loop_test(tcase, teams_equal_their_warps, 0, WAYS);
    tcase_add_loop_test(tcase, programs_tell_what_they_interpolate, 0, 5);
    tcase_add_test(tcase, coarse_places);
    tcase_add_test(tcase, sample_positions_by_pixel);
    tcase_add_test(tcase, offset_positions);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
