/* Vertices of real programs, warps in teams against each warp alone: branches, loops, lanes that end early,
 * instances, last warps that are not whole. */
#include "isa/interp/program.h"
#include "support/assembly.h"
#include "support/draw_world.h"

enum { VERTICES = 331, INSTANCES = 3, COMPONENTS = 9, MEMORY = VERTICES * INSTANCES * COMPONENTS * 4 };

static const char ampere[] = "ALD R0, a[0x2fc]\n"
                             "ALD R1, a[0x2f8]\n"
                             "ALD.128 R4, a[0x80]\n"
                             "ALD.128 R8, a[0x90]\n"
                             "LOP3.LUT R2, R0, 0x3, RZ, 0xc0, !PT\n"
                             "ISETP.EQ.AND P0, PT, R2, RZ, PT\n"
                             "ISETP.EQ.AND P1, PT, R1, 0x1, PT\n"
                             "BSSY B0, `(J)\n"
                             "@P0 BRA `(T)\n"
                             "FADD R8, R8, R4\n"
                             "IADD3 R1, R1, R2, RZ\n"
                             "BRA `(S)\n"
                             "T:\n"
                             "AST a[0x90], R0\n"
                             "@P1 EXIT\n"
                             "IMAD.WIDE R12, R0, -0x5, RZ\n"
                             "SHF.R.S32.HI R1, RZ, 0x1, R13\n"
                             "S:\n"
                             "BSYNC B0\n"
                             "J:\n"
                             "I2F R1, R1\n"
                             "MOV R3, RZ\n"
                             "BSSY B1, `(E)\n"
                             "L:\n"
                             "FFMA R9, R8, 0.5, R9\n"
                             "IADD3 R3, R3, 0x1, RZ\n"
                             "ISETP.LT.AND P2, PT, R3, R2, PT\n"
                             "@P2 BRA `(L)\n"
                             "BSYNC B1\n"
                             "E:\n"
                             "AST.128 a[0x70], R4\n"
                             "AST.128 a[0x80], R8\n"
                             "AST a[0x90], R1\n"
                             "EXIT\n";

static const char maxwell[] = "ALD R0, a[0x2fc]\n"
                              "ALD R1, a[0x2f8]\n"
                              "ALD.128 R4, a[0x80]\n"
                              "ALD.128 R8, a[0x90]\n"
                              "LOP.AND R2, R0, 0x3\n"
                              "ISETP.EQ.AND P0, PT, R2, RZ, PT\n"
                              "ISETP.EQ.AND P1, PT, R1, 0x1, PT\n"
                              "SSY `(J)\n"
                              "@P0 BRA `(T)\n"
                              "FADD R8, R8, R4\n"
                              "IADD R1, R1, R2\n"
                              "SYNC\n"
                              "T:\n"
                              "AST a[0x90], R0\n"
                              "@P1 EXIT\n"
                              "XMAD R1, R0, 0x5, R0\n"
                              "SYNC\n"
                              "J:\n"
                              "I2F.F32.S32 R1, R1\n"
                              "MOV R3, RZ\n"
                              "PBK `(E)\n"
                              "L:\n"
                              "FFMA R9, R8, R8, R9\n"
                              "IADD R3, R3, 0x1\n"
                              "ISETP.LT.AND P2, PT, R3, R2, PT\n"
                              "@!P2 BRK\n"
                              "BRA `(L)\n"
                              "E:\n"
                              "AST.128 a[0x70], R4\n"
                              "AST.128 a[0x80], R8\n"
                              "AST a[0x90], R1\n"
                              "EXIT\n";

/* Another interpreter to the pipeline, which gives it no teams. */
static enum etalon_status alone(struct et_context *context, const struct et_launch *launch,
                                struct et_warp_io *io, struct et_counts *counts, struct etalon_error *error)
{
    struct et_context *own = et_context_create(error);
    const enum etalon_status status = et_run_warp(own, launch, io, counts, error);
    (void)context;
    ck_assert(et_program_info(launch->program)->team);
    et_context_destroy(own);
    return status;
}

static void put_program(struct world *w, enum et_isa_kind kind)
{
    static uint64_t code[256];
    const bool is_maxwell = kind == ET_ISA_MAXWELL;
    struct et_isa *isa;
    size_t count = 0, bytes;
    uint32_t *const header = (uint32_t *)(void *)(w->ram.base + WORLD_PROGRAMS);
    world_programs(w, PIXEL_ID, true);
    world_set_bits(header, 160 + ET_WORD_INSTANCE_ID, 2, 3);
    if (is_maxwell)
        header[0] ^= (3 ^ 4) << 5; /* the version */
    memset(code, 0, sizeof code);
    ck_assert(!et_isa_open(et_isa_def_for(kind), &isa, NULL));
    asm_append(isa, is_maxwell ? maxwell : ampere, code, 256, &count);
    bytes = asm_finish(isa, code, 256, count);
    memcpy(w->ram.base + WORLD_PROGRAMS + (is_maxwell ? ET_SPH_V3_BYTES : ET_SPH_V4_BYTES), code, bytes);
    et_isa_close(isa);
    w->draw.isa = kind;
    w->draw.sph_v4 = !is_maxwell;
}

/* Draws the vertices as points of several instances into feedback. */
static void draw_points(enum et_isa_kind kind, bool teams, int threads, uint8_t *memory,
                        uint64_t *instructions)
{
    const struct et_pipeline_options options = {.threads = threads, .run = teams ? NULL : alone};
    struct etalon_error error = {0};
    struct world w;
    world_start(&w, 0xe4, 64, 64, 1, 0);
    et_pipeline_destroy(w.pipeline);
    ck_assert(!et_pipeline_create(&w.pipeline, &options, NULL));
    put_program(&w, kind);
    world_seed(&w, 9);
    for (uint32_t i = 0; i < VERTICES; i++) {
        const float position[4] = {world_between(&w, -1, 1), world_between(&w, -1, 1), 0, 1};
        const float color[4] = {world_between(&w, -9, 9), 2, 3, (float)i};
        world_add(&w, position, color, i);
    }
    w.draw.raster.enable = false;
    w.draw.topology = 0;
    w.draw.instance_count = INSTANCES;
    w.draw.stream[1] = w.draw.stream[0]; /* colours by instances */
    w.draw.stream[1].per_instance = true;
    w.draw.stream[1].divisor = 1;
    w.draw.attribute[1] |= 1;
    w.draw.xfb_enable = true;
    w.draw.xfb[0] = (struct et_xfb_buffer){.enable = true,
                                           .address = WORLD_XFB,
                                           .size = MEMORY,
                                           .components = COMPONENTS,
                                           .stride = 4 * COMPONENTS};
    for (unsigned c = 0; c < COMPONENTS; c++)
        w.draw.xfb[0].layout[c] = (uint8_t)(ET_WORD_POSITION + c);
    ck_assert_msg(!world_draw(&w, &error), "%s", error.text);
    ck_assert_uint_eq(w.results.xfb_written[0], MEMORY);
    memcpy(memory, w.ram.base + WORLD_XFB, MEMORY);
    *instructions = w.results.counters.shader.instructions;
    world_finish(&w);
}

START_TEST(teams_equal_warps)
{
    static uint8_t want[MEMORY], got[MEMORY];
    const enum et_isa_kind kind = _i ? ET_ISA_MAXWELL : ET_ISA_AMPERE;
    uint64_t instructions[2];
    bool differ = false;
    draw_points(kind, false, 1, want, &instructions[0]);
    for (int threads = 1; threads < 4; threads++) {
        memset(got, 0xa5, sizeof got);
        draw_points(kind, true, threads, got, &instructions[1]);
        ck_assert_mem_eq(got, want, MEMORY);
    }
    for (unsigned v = 1; v < VERTICES; v++)
        differ |= memcmp(want, want + v * COMPONENTS * 4, COMPONENTS * 4) != 0;
    ck_assert(differ);
    /* Groups run what is behind their joins more than once, ways do not. */
    ck_assert((instructions[0] == instructions[1]) == (kind == ET_ISA_MAXWELL));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("pipeline vertices");
    TCase *tcase = tcase_create("teams");
    tcase_set_timeout(tcase, 60);
    tcase_add_loop_test(tcase, teams_equal_warps, 0, 2);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
