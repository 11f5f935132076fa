/* Vertex programs by four warps in step, lanes apart or not, against each warp alone: random programs of
 * structured and loose flow, on both families. */
#include "support/ir_mix.h"

enum { SOME_OPS = 5, DEEPEST = 3, WORDS = MIX_REGISTERS + 2, FIRST_OUT = 0x80 };

/* A program being written. */
struct writer {
    struct rig *rig;
    uint64_t pc;
    uint32_t state;
    bool maxwell;
    bool plain; /* nothing of a whole warp */
    unsigned loops;
};

static uint32_t draw(struct writer *t)
{
    return mix_random(&t->state);
}

static uint64_t next_pc(struct writer *t)
{
    t->pc += 8;
    return t->pc - 8;
}

/* An op whose target is not known yet: its number. */
static size_t open_op(struct writer *t, enum et_ir_op op, uint8_t guard, unsigned imm, unsigned fn)
{
    struct et_ir *ir = op_at(t->rig, next_pc(t), guard, op);
    ir->imm = (int32_t)imm;
    ir->fn = (uint8_t)fn;
    return t->rig->ir.count - 1;
}

static void aim(struct writer *t, size_t op)
{
    t->rig->ir.insns[op].target = t->pc;
}

static uint8_t condition(struct writer *t)
{
    return (uint8_t)(draw(t) % 6 | (draw(t) & 1 ? ET_P_NOT : 0));
}

/* A warp's own ops now and then: a uniform register, a vote. */
static void warp_op(struct writer *t)
{
    if (!t->maxwell && draw(t) & 1) {
        struct et_ir *ir = op3(t->rig, next_pc(t), ET_IR_IADD3, ET_R_UNIFORM + draw(t) % 4,
                               R(ET_R_UNIFORM + draw(t) % 4), I(draw(t) % 9), none);
        ir->flags |= ET_F_UNIFORM;
        op3(t->rig, next_pc(t), ET_IR_IADD3, draw(t) % MIX_REGISTERS, R(draw(t) % MIX_REGISTERS),
            R(ET_R_UNIFORM + draw(t) % 4), none);
    } else {
        struct et_ir *ir = op_at(t->rig, next_pc(t), ET_P_T, ET_IR_VOTE);
        ir->dst[0] = (uint16_t)(draw(t) % MIX_REGISTERS);
        ir->psrc[0] = condition(t);
    }
}

static void some_ops(struct writer *t)
{
    for (unsigned n = draw(t) % SOME_OPS + 1; n; n--) {
        const uint32_t r = draw(t);
        struct et_ir *ir;
        if (!t->plain && r % 16 == 0) {
            warp_op(t);
        } else if (r % 16 == 1) { /* an attribute, of any place */
            ir = op_at(t->rig, next_pc(t), mix_predicate(&t->state), ET_IR_ALD);
            ir->dst[0] = (uint16_t)(r / 16 % 7);
            ir->words = (uint8_t)(1 + r / 128 % 4);
            ir->imm = (int32_t)(0x80 + 4 * (r / 512 % 8));
            if (r & 1 << 20)
                ir->src[0] = R(MIX_LANE);
        } else if (r % 16 == 2) { /* again, later */
            ir = op_at(t->rig, next_pc(t), mix_predicate(&t->state), ET_IR_AST);
            ir->src[2] = R(r / 16 % 7);
            ir->words = (uint8_t)(1 + r / 128 % 4);
            ir->imm = (int32_t)(FIRST_OUT + 4 * WORDS + 4 * (r / 512 % 8));
        } else {
            mix_op(t->rig, next_pc(t), &t->state);
        }
    }
}

static void part(struct writer *t, unsigned depth);

static void either(struct writer *t, unsigned depth)
{
    const bool open = t->plain && draw(t) % 4; /* else the lanes just jump */
    size_t region = 0, skip, end = 0;
    if (open)
        region = t->maxwell ? open_op(t, ET_IR_PUSH, ET_P_T, 0, ET_STACK_SYNC)
                            : open_op(t, ET_IR_BSSY, ET_P_T, depth, 0);
    skip = open_op(t, ET_IR_JUMP, condition(t), 0, 0);
    part(t, depth + 1);
    if (open && t->maxwell)
        open_op(t, ET_IR_POP, ET_P_T, 0, ET_STACK_SYNC);
    else
        end = open_op(t, ET_IR_JUMP, ET_P_T, 0, 0);
    aim(t, skip);
    part(t, depth + 1);
    if (open && t->maxwell)
        open_op(t, ET_IR_POP, ET_P_T, 0, ET_STACK_SYNC);
    else
        aim(t, end);
    if (open && !t->maxwell)
        open_op(t, ET_IR_BSYNC, ET_P_T, depth, 0);
    if (open)
        aim(t, region);
}

/* So many rounds that each lane has its own count; one counter a loop. */
static void loop(struct writer *t, unsigned depth)
{
    const unsigned counter = 20 + t->loops++;
    size_t region, again;
    struct et_ir *ir;
    op3(t->rig, next_pc(t), ET_IR_LOP3, counter, R(draw(t) % (MIX_LANE + 1)), I(draw(t) & 7), none)->imm =
        0xc0;
    region = t->maxwell ? open_op(t, ET_IR_PUSH, ET_P_T, 0, ET_STACK_BREAK)
                        : open_op(t, ET_IR_BSSY, ET_P_T, depth, 0);
    const uint64_t head = t->pc;
    part(t, depth + 1);
    ir = op3(t->rig, next_pc(t), ET_IR_IADD3, counter, R(counter), I(1), none);
    ir->guard = ET_P_T;
    compare(t->rig, next_pc(t), 6, ET_CMP_LT, counter, 9);
    if (t->maxwell)
        open_op(t, ET_IR_POP, 6 | ET_P_NOT, 0, ET_STACK_BREAK);
    again = open_op(t, ET_IR_JUMP, t->maxwell ? ET_P_T : 6, 0, 0);
    t->rig->ir.insns[again].target = head;
    if (!t->maxwell)
        open_op(t, ET_IR_BSYNC, ET_P_T, depth, 0);
    aim(t, region);
}

static void part(struct writer *t, unsigned depth)
{
    some_ops(t);
    if (depth >= DEEPEST)
        return;
    switch (draw(t) % (t->plain ? 8 : 3)) {
    case 0:
    case 1:
    case 2:
        either(t, depth);
        break;
    case 3:
        loop(t, depth);
        break;
    case 4:
        if (draw(t) % 3 == 0)
            exit_at(t->rig, next_pc(t), condition(t));
        break;
    default:
        break;
    }
    some_ops(t);
}

/* Reads some attributes, runs through its parts, stores all registers. */
static void write_program(struct rig *rig, uint32_t seed, bool maxwell)
{
    struct writer t = {.rig = rig, .state = seed * 2654435761u, .maxwell = maxwell, .plain = seed % 8 != 0};
    struct et_ir *ir = op_at(rig, next_pc(&t), ET_P_T, ET_IR_ALD);
    ir->dst[0] = MIX_LANE;
    ir->words = 1;
    ir->imm = 0x2fc;
    for (unsigned n = 0; n < draw(&t) % 3; n++) {
        ir = op_at(rig, next_pc(&t), ET_P_T, ET_IR_ALD);
        ir->dst[0] = (uint16_t)(4 * n);
        ir->words = (uint8_t)(draw(&t) % 4 + 1);
        ir->imm = (int32_t)(0x80 + 16 * n);
    }
    for (unsigned n = 0; n < 4; n++)
        part(&t, 0);
    for (unsigned n = 0; n < WORDS; n += n == 8 ? 2 : 4) {
        ir = op_at(rig, next_pc(&t), ET_P_T, ET_IR_AST);
        ir->src[2] = R(n);
        ir->words = n >= 8 ? 2 : 4;
        ir->imm = (int32_t)(FIRST_OUT + 4 * n);
    }
    exit_at(rig, next_pc(&t), ET_P_T);
}

/* Four warps' vertices. */
struct vertices {
    struct et_columns columns;
    struct et_vertex_record output[2][ET_TEAM * ET_LANES];
    struct et_vtg_io vtg[ET_TEAM];
    struct et_warp_io io[ET_TEAM];
};

static void prepare(struct vertices *v, unsigned set, uint32_t *random)
{
    for (uint32_t l = 0; l < ET_COLUMN_STEP && random; l++) {
        v->columns.word[0x2fc / 4][l] = *random % 5 ? l : mix_random(random) % 4 * 4;
        for (unsigned n = 0; n < 24; n++)
            v->columns.word[0x80 / 4 + n][l] =
                n & 1 ? et_float_bits((float)(mix_random(random) % 64) - 20) : mix_random(random) % 16;
    }
    memset(v->output[set], 0, sizeof v->output[set]);
    for (unsigned n = 0; n < ET_TEAM; n++) {
        v->vtg[n] = (struct et_vtg_io){.columns = v->columns.word[0] + n * ET_LANES,
                                       .column_step = ET_COLUMN_STEP,
                                       .inputs = ET_LANES,
                                       .output = v->output[set],
                                       .outputs = ET_TEAM * ET_LANES,
                                       .in_a_row = true};
        for (uint32_t l = 0; l < ET_LANES; l++)
            v->vtg[n].out_record[l] = n * ET_LANES + l;
        v->io[n] = (struct et_warp_io){.lanes = ~0u, .vtg = &v->vtg[n]};
    }
}

static void run_alone(struct rig *rig, struct et_context *context, struct vertices *v, uint32_t seed)
{
    for (unsigned n = 0; n < ET_TEAM; n++)
        ck_assert_msg(et_run_warp(context, &rig->launch, &v->io[n], NULL, &rig->error) == ETALON_OK, "%u: %s",
                      seed, rig->error.text);
}

static void equal_records(const struct vertices *v, uint32_t seed, unsigned round)
{
    for (unsigned l = 0; l < ET_TEAM * ET_LANES && memcmp(v->output[0], v->output[1], sizeof v->output[0]);
         l++)
        for (unsigned word = 0; word < ET_ATTRIBUTE_WORDS; word++)
            ck_assert_msg(v->output[0][l].word[word] == v->output[1][l].word[word],
                          "program %u, run %u: lane %u word 0x%x: 0x%08x, alone 0x%08x", seed, round, l,
                          4 * word, v->output[1][l].word[word], v->output[0][l].word[word]);
}

/* What a team stores is what its warps store alone; and what it has begun does not show when they run after
 * it. */
START_TEST(teams_of_vertices_equal_their_warps)
{
    enum { PROGRAMS = 300 };
    static struct vertices v __attribute__((aligned(64)));
    static const char *const disabled[] = {"", "v4", "v3,v4", "v2,v3,v4"};
    const bool maxwell = _i & 1;
    unsigned together = 0, apart = 0, ended = 0;
    setenv("ETALON_DISABLE", disabled[_i / 2], 1);
    for (uint32_t program = 0; program < PROGRAMS; program++) {
        const uint32_t seed = program + 1 + PROGRAMS * (uint32_t)_i;
        uint32_t random = seed;
        struct et_context *context;
        struct rig rig;
        rig_open(&rig);
        for (unsigned n = 0; n < ET_COUNT(rig.bank); n++)
            rig.bank[n] = n & 1 ? n : et_float_bits((float)n);
        write_program(&rig, seed, maxwell);
        ck_assert_msg(et_program_create_ir(&rig.program, maxwell ? ET_ISA_MAXWELL : ET_ISA_AMPERE, &rig.ir,
                                           &rig.error) == ETALON_OK,
                      "%u: %s", seed, rig.error.text);
        rig.launch.program = rig.program;
        rig.launch.stage = ET_STAGE_VERTEX;
        rig.launch.budget.instructions = 100000;
        context = et_context_create(&rig.error);
        ck_assert_ptr_nonnull(context);
        for (unsigned round = 0; round < 3 && et_program_info(rig.program)->team; round++) {
            bool done;
            rig.bank[2] = round;
            prepare(&v, 0, &random);
            run_alone(&rig, context, &v, seed);
            prepare(&v, 1, NULL);
            done = et_run_team(context, &rig.launch, v.io, NULL);
            if (!done)
                run_alone(&rig, context, &v, seed);
            equal_records(&v, seed, round);
            together += done;
            ended += !done;
            apart += done && context->apart.instructions;
        }
        et_context_destroy(context);
        rig_close(&rig);
    }
    ck_assert_uint_gt(together, PROGRAMS);
    ck_assert_uint_gt(apart, PROGRAMS / 4);
    ck_assert_uint_gt(ended, 0);
}
END_TEST

/* Regions that nothing opened, that never end, or that are too many: lanes may not part in the first and the
 * last. */
START_TEST(loose_regions)
{
    static const struct {
        bool maxwell;
        enum et_ir_op op;
        uint8_t fn, times;
    } loose[] = {{false, ET_IR_BSYNC, 0, 1},
                 {true, ET_IR_POP, ET_STACK_SYNC, 1},
                 {false, ET_IR_BSSY, 0, 1},
                 {false, ET_IR_BSSY, 0, 12},
                 {true, ET_IR_PUSH, ET_STACK_SYNC, 1},
                 {true, ET_IR_PUSH, ET_STACK_SYNC, 12}};
    struct rig rig;
    rig_open(&rig);
    struct writer t = {.rig = &rig};
    struct et_ir *ir = op_at(&rig, next_pc(&t), ET_P_T, ET_IR_ALD);
    ir->dst[0] = 0;
    ir->words = 1;
    ir->imm = 0x80;
    for (unsigned n = 0; n < loose[_i].times; n++) {
        const size_t op = open_op(&t, loose[_i].op, ET_P_T, n, loose[_i].fn);
        rig.ir.insns[op].target = 1 << 20;
    }
    ir = op_at(&rig, next_pc(&t), ET_P_T, ET_IR_AST);
    ir->src[2] = R(0);
    ir->words = 1;
    ir->imm = FIRST_OUT;
    exit_at(&rig, next_pc(&t), ET_P_T);
    ck_assert_msg(et_program_create_ir(&rig.program, loose[_i].maxwell ? ET_ISA_MAXWELL : ET_ISA_AMPERE,
                                       &rig.ir, &rig.error) == ETALON_OK,
                  "%s", rig.error.text);
    if (loose[_i].op == ET_IR_BSYNC || loose[_i].op == ET_IR_POP || loose[_i].times > 1)
        ck_assert(!rig.program->team || !rig.program->team->apart);
    rig_close(&rig);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("interp-vertices");
    TCase *tcase = tcase_create("teams");
    tcase_set_timeout(tcase, 60);
    tcase_add_loop_test(tcase, teams_of_vertices_equal_their_warps, 0, 8);
    tcase_add_loop_test(tcase, loose_regions, 0, 6);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
