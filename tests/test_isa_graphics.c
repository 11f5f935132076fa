/* Graphics instructions in assembly, in each form of both instruction sets: attributes, interpolation, pixel
 * state, emission. */
#include "isa/interp/program.h"
#include "support/assembly.h"
#include "support/isas.h"

/* Runs the text as one warp of a stage; R8 to R11 of each lane at its end. */
static void run(enum et_isa_kind kind, enum et_stage stage, const char *text, struct et_warp_io *io,
                uint32_t out[ET_LANES][4])
{
    static struct asm_machine m;
    static uint64_t code[1024];
    struct et_context *context = et_context_create(NULL);
    size_t n = 0;
    ck_assert_ptr_nonnull(context);
    asm_open(&m, isas[kind]);
    m.launch.stage = stage;
    m.bank[8] = 0xf8000400; /* c[0x0][0x20] */
    m.bank[9] = 1;
    memset(code, 0, sizeof code);
    asm_append(isas[kind], text, code, ET_COUNT(code), &n);
    ck_assert_msg(asm_load(&m, code, asm_finish(isas[kind], code, ET_COUNT(code), n)) == ETALON_OK &&
                      et_run_warp(context, &m.launch, io, NULL, &m.error) == ETALON_OK,
                  "%s: %s", text, m.error.text);
    for (unsigned l = 0; l < ET_LANES; l++)
        for (unsigned r = 0; r < 4; r++)
            out[l][r] = io->registers[8 + r][l];
    et_context_destroy(context);
    asm_close(&m);
}

/* ---- fragments: one quad at (10, 30) of four samples; a[0x70] is where x is taken, a[0x74] y */
enum { FLAT = 0x40400000 /* 3.0 at a[0x88] */ };

typedef void expect_fn(unsigned lane, uint32_t want[4]);
#define EXPECT(name) static void name(unsigned l, uint32_t want[4])

static const uint8_t sample_places[4][16][2] = {{{1, 2}, {3, 4}, {5, 6}, {7, 8}},
                                                {{2, 3}, {4, 5}, {6, 7}, {8, 9}},
                                                {{3, 4}, {5, 6}, {7, 8}, {9, 10}},
                                                {{4, 5}, {6, 7}, {8, 9}, {10, 11}}};

static uint32_t at_x(unsigned l, float offset)
{
    return et_float_bits(10 + (float)(l & 1) + offset);
}

static uint32_t at_y(unsigned l, float offset)
{
    return et_float_bits(30 + (float)(l >> 1) + offset);
}

/* Lanes 0 to 3 have no sample, sample 1 alone, 2 and 3, all. */
static const uint16_t coverage[4] = {0, 2, 12, 15};

EXPECT(centres)
{
    want[0] = at_x(l, 0.5f);
    want[1] = at_y(l, 0.5f);
}
/* The offset's unit is 1/4096 pixel: x 0x400, y -0x800. */
EXPECT(offsets)
{
    want[0] = at_x(l, 0.75f);
    want[1] = at_y(l, 0);
}
/* Partly covered pixels: the first sample that is. */
EXPECT(centroids)
{
    const bool part = l == 1 || l == 2;
    const unsigned s = l == 1 ? 1 : 2;
    want[0] = at_x(l, part ? (float)sample_places[l][s][0] / 16 : 0.5f);
    want[1] = at_y(l, part ? (float)sample_places[l][s][1] / 16 : 0.5f);
}
EXPECT(by_index)
{
    want[0] = l & 1 ? at_y(l, 0.5f) : at_x(l, 0.5f);
    want[1] = at_y(l, 0.5f);
}
EXPECT(flat_product)
{
    (void)l;
    want[0] = FLAT;
    want[1] = 0x40c00000;
    want[2] = 0x3f800000; /* saturated */
}
/* True where no division by w follows: of a flat word and one that is not perspective. */
EXPECT(states)
{
    (void)l;
    want[0] = FLAT;
    want[1] = 1;
    want[2] = 1;
    want[3] = 0;
}
/* The second word of .C is 0; so is what the header does not ask for. */
EXPECT(vertices)
{
    (void)l;
    want[0] = 101;
    want[1] = 102;
    want[2] = 103;
}
EXPECT(third_vertex_alone)
{
    (void)l;
    want[0] = 103;
}
EXPECT(pixel_words)
{
    want[0] = 4;
    want[1] = coverage[l];
    want[2] = l == 3;
    want[3] = 0;
}
static uint32_t place_word(unsigned l, unsigned s)
{
    return (uint32_t)(uint16_t)((sample_places[l][s][0] - 8) * 256) |
           (uint32_t)(uint16_t)((sample_places[l][s][1] - 8) * 256) << 16;
}
EXPECT(pixel_places)
{
    want[0] = place_word(l, 2);
    want[1] = place_word(l, 3);
    want[2] = l == 1 ? place_word(l, 1) : l == 2 ? place_word(l, 2) : 0;
    want[3] = 1;
}
EXPECT(pixel_words_ampere)
{
    want[0] = 4;
    want[1] = coverage[l];
    want[2] = l == 1 ? place_word(l, 1) : l == 2 ? place_word(l, 2) : 0;
    want[3] = 1;
}

static const struct {
    enum et_isa_kind isa;
    const char *text;
    expect_fn *expect;
} fragments[] = {
    {ET_ISA_MAXWELL, "IPA.PASS R8, a[0x70], RZ\nIPA.PASS R9, a[0x74], RZ\n", centres},
    {ET_ISA_MAXWELL,
     "MOV R12, c[0x0][0x20]\nIPA.PASS.OFFSET R8, a[0x70], RZ, R12\nIPA.PASS.OFFSET R9, a[0x74], RZ, R12\n",
     offsets},
    {ET_ISA_MAXWELL, "IPA.PASS.CENTROID R8, a[0x70], RZ\nIPA.PASS.CENTROID R9, a[0x74], RZ\n", centroids},
    {ET_ISA_MAXWELL,
     "S2R R0, SR_LANEID\nLOP32I.AND R12, R0, 0x1\nSHL R12, R12, 0x2\nIADD32I R12, R12, 0x70\n"
     "IPA.IDX.PASS R8, a[R12], RZ, PT\nMOV32I R12, 0x74\nIPA.IDX.PASS R9, a[R12], RZ, PT\n",
     by_index},
    {ET_ISA_MAXWELL,
     "MOV32I R12, 0x40000000\nIPA.CONSTANT R8, a[0x88], RZ\nIPA R9, a[0x88], R12\nIPA.SAT R10, a[0x88], "
     "R12\n",
     flat_product},
    {ET_ISA_MAXWELL,
     "PIXLD R8, [0x0]\nPIXLD.COVMASK R9, [0x0]\nPIXLD.COVERED R10, [0x0]\nPIXLD.MY_INDEX R11, [0x0]\n",
     pixel_words},
    {ET_ISA_MAXWELL,
     "MOV32I R12, 0x2\nPIXLD.OFFSET R8, [0x2]\nPIXLD.OFFSET R9, P0, [R12+0x1]\nPIXLD.CENTROID_OFFSET R10, "
     "[RZ]\n"
     "SEL R11, RZ, 0x1, !P0\n",
     pixel_places},
    {ET_ISA_AMPERE, "IPA.PASS R8, a[0x70]\nIPA.PASS R9, a[0x74]\n", centres},
    {ET_ISA_AMPERE, "UMOV UR4, 0x4\nIPA.PASS R8, a[UR4+0x6c]\nIPA.PASS R9, a[UR4+0x70]\n", centres},
    {ET_ISA_AMPERE,
     "MOV R12, c[0x0][0x20]\nIPA.PASS.OFFSET R8, a[0x70], R12\nIPA.PASS.OFFSET R9, a[0x74], R12\n", offsets},
    {ET_ISA_AMPERE, "IPA.PASS.OFFSET R8, a[0x70], 0xf8000400\nIPA.PASS.OFFSET R9, a[0x74], 0xf8000400\n",
     offsets},
    {ET_ISA_AMPERE, "IPA.PASS.OFFSET R8, a[0x70], c[0x0][0x20]\nIPA.PASS.OFFSET R9, a[0x74], c[0x0][0x20]\n",
     offsets},
    {ET_ISA_AMPERE,
     "UMOV UR4, 0x4\nMOV R12, c[0x0][0x20]\nIPA.PASS.OFFSET R8, a[UR4+0x6c], R12\nIPA.PASS.OFFSET R9, "
     "a[UR4+0x70], R12\n",
     offsets},
    {ET_ISA_AMPERE, "IPA.PASS.CENTROID R8, a[0x70]\nIPA.PASS.CENTROID R9, a[0x74]\n", centroids},
    {ET_ISA_AMPERE,
     "IPA.STATE R8, P0, a[0x88]\nIPA.STATE R12, P1, a[0x84]\nIPA.STATE R13, P2, a[0x80]\nSEL R9, RZ, 0x1, "
     "!P0\n"
     "SEL R10, RZ, 0x1, !P1\nSEL R11, RZ, 0x1, !P2\n",
     states},
    {ET_ISA_AMPERE, "LDTRAM.C R10, a[URZ+0x94]\nLDTRAM.AB R8, a[URZ+0x94]\n", vertices},
    {ET_ISA_AMPERE, "UMOV UR4, 0x90\nLDTRAM.C R10, a[URZ+0x98]\nLDTRAM.C R8, a[UR4+0x4]\n",
     third_vertex_alone},
    {ET_ISA_AMPERE,
     "PIXLD R8\nPIXLD.COVMASK R9, P0\nPIXLD.CENTROID_OFFSET R10\nSEL R11, RZ, 0x1, !P0\nPIXLD.MY_INDEX R12\n",
     pixel_words_ampere},
};

START_TEST(fragments_read_what_setup_left)
{
    static struct et_fragment_layout layout;
    static const uint32_t flat[] = {FLAT, 101, 102, 103};
    static const struct et_plane planes[2];
    const struct et_primitive primitive = {.flat = flat, .planes = planes, .front = true};
    struct et_fragment_io fragment = {.layout = &layout,
                                      .primitive = {&primitive},
                                      .x = {10},
                                      .y = {30},
                                      .samples = 4,
                                      .passes = 1,
                                      .position = sample_places};
    struct et_warp_io io = {.lanes = 0xf, .fragment = &fragment};
    uint32_t out[ET_LANES][4];
    char text[512];
    memset(layout.plane, 0xff, sizeof layout.plane);
    memset(layout.flat, 0xff, sizeof layout.flat);
    layout.plane[0x80 / 4] = 0;
    layout.plane[0x84 / 4] = 1;
    layout.perspective[0x80 / 4] = true;
    layout.flat[0x88 / 4] = 0;
    layout.vertex[0x94 / 4] = 1 + 1;
    memcpy(fragment.coverage, coverage, sizeof coverage);
    snprintf(text, sizeof text, "%sEXIT\n", fragments[_i].text);
    run(fragments[_i].isa, ET_STAGE_FRAGMENT, text, &io, out);
    for (unsigned l = 0; l < 4; l++) {
        uint32_t want[4] = {0};
        fragments[_i].expect(l, want);
        for (unsigned r = 0; r < 4; r++)
            ck_assert_msg(out[l][r] == want[r], "%s lane %u R%u: %08x, not %08x", text, l, 8 + r, out[l][r],
                          want[r]);
    }
}
END_TEST

/* ---- attributes: word n of record r is 1000 * r + n; lane l has input l + 1, output l + 2, patch l & 1 of
 * records that begin at 10000 and 20000. What is stored is 7 + lane, at word 0x90 / 4 of the lane's output,
 * or 0x14 / 4 of its patch's. */
enum target { NOWHERE, OUTPUT, PATCH };

EXPECT(own_input)
{
    want[0] = 1000 * (l + 1) + 0x90 / 4;
}
EXPECT(input_3)
{
    (void)l;
    want[0] = 3000 + 0x90 / 4;
}
EXPECT(own_output)
{
    want[0] = 10000 + 1000 * (l + 2) + 0x90 / 4;
}
EXPECT(own_patch)
{
    want[0] = 20000 + 1000 * (l & 1) + 0x14 / 4;
}
EXPECT(physical)
{
    (void)l;
    want[0] = 0x94;
    want[1] = 1;
}
EXPECT(nothing)
{
    (void)l;
    (void)want;
}

static const struct {
    enum et_isa_kind isa;
    const char *text;
    expect_fn *expect;
    enum target target;
} attributes[] = {
    {ET_ISA_MAXWELL, "ALD R8, a[0x90]\n", own_input, NOWHERE},
    {ET_ISA_MAXWELL, "ALD R8, a[0x90], R16\n", input_3, NOWHERE},
    {ET_ISA_MAXWELL, "ALD.O R8, a[0x90]\n", own_output, NOWHERE},
    {ET_ISA_MAXWELL, "ALD.PHYS R8, a[R13]\n", own_input, NOWHERE},
    {ET_ISA_MAXWELL, "ALD.PHYS R8, a[R13], R16\n", input_3, NOWHERE},
    {ET_ISA_MAXWELL, "ALD.P R8, a[R17+0x4]\n", own_patch, NOWHERE},
    {ET_ISA_MAXWELL, "AST a[0x90], R18\n", nothing, OUTPUT},
    {ET_ISA_MAXWELL, "AST.PHYS a[R13], R18\n", nothing, OUTPUT},
    {ET_ISA_MAXWELL, "AST.P a[R17+0x4], R18\n", nothing, PATCH},
    {ET_ISA_MAXWELL,
     "AL2P R8, 0x94\nAL2P P0, R10, R12, 0x24\nSEL R9, RZ, 0x1, !P0\nMOV R8, R10\nMOV R10, RZ\n", physical,
     NOWHERE},
    {ET_ISA_MAXWELL, "AL2P P0, R8, 0x94\nSEL R9, RZ, 0x1, !P0\n", physical, NOWHERE},
    {ET_ISA_AMPERE, "ALD R8, a[0x90]\n", own_input, NOWHERE},
    {ET_ISA_AMPERE, "ALD R8, a[0x90], R16\n", input_3, NOWHERE},
    {ET_ISA_AMPERE, "ALD R8, a[UR4+0x20]\n", own_input, NOWHERE},
    {ET_ISA_AMPERE, "ALD R8, a[UR4+0x20], R16\n", input_3, NOWHERE},
    {ET_ISA_AMPERE, "ALD.PHYS R8, a[R13]\n", own_input, NOWHERE},
    {ET_ISA_AMPERE, "ALD.PHYS R8, a[R13], R16\n", input_3, NOWHERE},
    {ET_ISA_AMPERE, "ALD.O R8, a[0x90]\n", own_output, NOWHERE},
    {ET_ISA_AMPERE, "ALD.P R8, a[R17+0x4]\n", own_patch, NOWHERE},
    {ET_ISA_AMPERE, "AST a[0x90], R18\n", nothing, OUTPUT},
    {ET_ISA_AMPERE, "AST a[UR4+0x20], R18\n", nothing, OUTPUT},
    {ET_ISA_AMPERE, "AST.PHYS a[R13], R18\n", nothing, OUTPUT},
    {ET_ISA_AMPERE, "AST.P a[0x14], R18\n", nothing, PATCH},
    {ET_ISA_AMPERE, "AST.P a[R17+0x4], R18\n", nothing, PATCH},
    {ET_ISA_AMPERE, "AST.P a[UR6+0x4], R18\n", nothing, PATCH},
    {ET_ISA_AMPERE, "AL2P R8, R12, 0x24\nMOV R9, 0x1\n", physical, NOWHERE},
};

static void fill(struct et_vertex_record *records, unsigned count, uint32_t base)
{
    for (unsigned r = 0; r < count; r++)
        for (unsigned n = 0; n < ET_ATTRIBUTE_WORDS; n++)
            records[r].word[n] = base + 1000 * r + n;
}

START_TEST(attributes_of_records)
{
    static const char *const prologue[ET_ISA_COUNT] = {
        [ET_ISA_MAXWELL] =
            "S2R R0, SR_LANEID\nMOV32I R12, 0x70\nMOV32I R13, 0x90\nMOV32I R16, 0x3\nMOV32I R17, 0x10\n"
            "IADD32I R18, R0, 0x7\n",
        [ET_ISA_AMPERE] = "S2R R0, SR_LANEID\nMOV R12, 0x70\nMOV R13, 0x90\nMOV R16, 0x3\nMOV R17, 0x10\n"
                          "IADD3 R18, R0, 0x7, RZ\nUMOV UR4, 0x70\nUMOV UR6, 0x10\n"};
    static struct et_vertex_record input[10], output[12], patch[2];
    struct et_vtg_io vtg = {
        .input = input, .inputs = 10, .output = output, .outputs = 12, .patch = patch, .patches = 2};
    struct et_warp_io io = {.lanes = 0xff, .vtg = &vtg};
    uint32_t out[ET_LANES][4];
    char text[512];
    fill(input, 10, 0);
    fill(output, 12, 10000);
    fill(patch, 2, 20000);
    for (unsigned l = 0; l < 8; l++) {
        vtg.in_record[l] = l + 1;
        vtg.out_record[l] = l + 2;
        vtg.patch_index[l] = l & 1;
    }
    snprintf(text, sizeof text, "%s%sEXIT\n", prologue[attributes[_i].isa], attributes[_i].text);
    run(attributes[_i].isa, ET_STAGE_TESS_CONTROL, text, &io, out);
    for (unsigned l = 0; l < 8; l++) {
        uint32_t want[4] = {0};
        const uint32_t o = output[l + 2].word[0x90 / 4], p = patch[l & 1].word[0x14 / 4];
        attributes[_i].expect(l, want);
        for (unsigned r = 0; r < 4; r++)
            ck_assert_msg(out[l][r] == want[r], "%s lane %u R%u: %u, not %u", attributes[_i].text, l, 8 + r,
                          out[l][r], want[r]);
        ck_assert_uint_eq(o, attributes[_i].target == OUTPUT ? 7 + l : 10000 + 1000 * (l + 2) + 0x90 / 4);
        ck_assert_uint_eq(p, attributes[_i].target == PATCH ? 7 + 6 + (l & 1)
                                                            : 20000 + 1000 * (l & 1) + 0x14 / 4);
    }
}
END_TEST

/* ---- emission: two vertices to stream 1, the strip cut behind the second */
static const struct {
    enum et_isa_kind isa;
    const char *text;
} emissions[] = {
    {ET_ISA_MAXWELL, "OUT.EMIT R8, R8, R12\nOUT.EMIT_THEN_CUT R8, R8, R12\n"},
    {ET_ISA_MAXWELL, "OUT.EMIT R8, R8, 0x1\nOUT.EMIT R8, R8, c[0x0][0x24]\nOUT.CUT R8, R8, 0x1\n"},
    {ET_ISA_AMPERE, "OUT.EMIT R8, R8, R12\nOUT.EMIT_THEN_CUT R8, R8, R12\nOUT.FINAL R8\n"},
    {ET_ISA_AMPERE, "OUT.EMIT R8, R8, 0x1\nOUT.EMIT R8, R8, UR4\nOUT.CUT R8, R8, R12\nOUT.FINAL R8\n"},
};

START_TEST(vertices_are_emitted)
{
    static const char *const prologue[ET_ISA_COUNT] = {
        [ET_ISA_MAXWELL] = "MOV32I R12, 0x1\n", [ET_ISA_AMPERE] = "MOV R12, 0x1\nUMOV UR4, 0x1\n"};
    static struct et_vertex_record output[4], emitted[4 * 3];
    static uint8_t streams[4 * 3];
    struct et_vtg_io vtg = {
        .output = output, .outputs = 4, .emitted = emitted, .emit_capacity = 3, .emit_stream = streams};
    struct et_warp_io io = {.lanes = 0xf, .vtg = &vtg};
    uint32_t out[ET_LANES][4];
    char text[512];
    memset(streams, 0, sizeof streams);
    fill(output, 4, 10000);
    for (unsigned l = 0; l < 4; l++)
        vtg.out_record[l] = l;
    snprintf(text, sizeof text, "%s%sEXIT\n", prologue[emissions[_i].isa], emissions[_i].text);
    run(emissions[_i].isa, ET_STAGE_GEOMETRY, text, &io, out);
    for (unsigned l = 0; l < 4; l++) {
        ck_assert_uint_eq(vtg.emit_count[l], 2);
        ck_assert_uint_eq(emitted[3 * l + 1].word[5], 10000 + 1000 * l + 5);
        ck_assert_uint_eq(streams[3 * l], 1);
        ck_assert_uint_eq(streams[3 * l + 1], 0x81);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("isa graphics");
    TCase *tcase = tcase_create("graphics");
    tcase_set_timeout(tcase, 60);
    tcase_add_unchecked_fixture(tcase, open_isas, close_isas);
    tcase_add_loop_test(tcase, fragments_read_what_setup_left, 0, (int)ET_COUNT(fragments));
    tcase_add_loop_test(tcase, attributes_of_records, 0, (int)ET_COUNT(attributes));
    tcase_add_loop_test(tcase, vertices_are_emitted, 0, (int)ET_COUNT(emissions));
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
