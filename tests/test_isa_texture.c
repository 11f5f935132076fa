/* The forms of texture instructions: each against another one that must give the same words. Maxwell's short
 * forms against the long ones, handles in a register, a constant and a uniform register; operands may come in
 * any order that the form has, so each form's list of operands is written here once more. */
#include "isa/interp/program.h"
#include "support/assembly.h"
#include "support/isas.h"
#include "support/texture_world.h"

#include "isa/text/text.h"

#include <ctype.h>

enum { HANDLE = 1 | 1 << 20, BOUND = 2 /* place of the handle in the constants, in words */ };

/* An instruction whose source a starts at R20 and b at R24; the operands that these hold, a letter each:
 * X Y Z coordinates, A layer, L level, C depth reference, O offsets, S sample, H handle, D E F (x) and
 * P Q R (y) derivatives. Results from R8 on. */
struct access {
    const char *text, *a, *b;
};

static const char letters[] = "XYZALCOSHDEFPQR";

/* R40 on, by letter: lanes' places as floats, or as whole numbers for fetches. */
static const char *const places[ET_ISA_COUNT][2] = {
    [ET_ISA_MAXWELL] =
        {"S2R R0, SR_LANEID\nI2F.F32.U32 R1, R0\nFMUL R40, R1, 0.046875\nFFMA R41, R1, -0.078125, R40\n"
         "FFMA R42, R1, 0.03125, -R41\nLOP32I.AND R43, R0, 0x3\nFMUL R44, R1, 0.0625\n"
         "FMUL R45, R1, 0.625\nMOV32I R46, 0x201\nMOV R47, RZ\nMOV R48, c[0x0][0x8]\n",
         "S2R R0, SR_LANEID\nLOP32I.AND R40, R0, 0x7\nSHR.U32 R41, R0, 0x2\nLOP32I.AND R42, R0, 0x3\n"
         "LOP32I.AND R43, R0, 0x3\nLOP32I.AND R44, R0, 0x1\nMOV32I R46, 0x21\nLOP32I.AND R47, R0, 0x3\n"
         "MOV R48, c[0x0][0x8]\n"},
    [ET_ISA_AMPERE] = {
        "S2R R0, SR_LANEID\nI2F.U32 R1, R0\nFMUL R40, R1, 0.046875\nFFMA R41, R1, -0.078125, R40\n"
        "FFMA R42, R1, 0.03125, -R41\nLOP3.LUT R43, R0, 0x3, RZ, 0xc0, !PT\nFMUL R44, R1, 0.0625\n"
        "FMUL R45, R1, 0.625\nMOV R46, 0x201\nMOV R47, RZ\nMOV R48, c[0x0][0x8]\n"
        "R2UR UR4, R48\n",
        "S2R R0, SR_LANEID\nLOP3.LUT R40, R0, 0x7, RZ, 0xc0, !PT\n"
        "SHF.R.U32.HI R41, RZ, 0x2, R0\nLOP3.LUT R42, R0, 0x3, RZ, 0xc0, !PT\n"
        "LOP3.LUT R43, R0, 0x3, RZ, 0xc0, !PT\nLOP3.LUT R44, R0, 0x1, RZ, 0xc0, !PT\nMOV R46, 0x21\n"
        "LOP3.LUT R47, R0, 0x3, RZ, 0xc0, !PT\nMOV R48, c[0x0][0x8]\nR2UR UR4, R48\n"}};

static const char derivatives[] = "FMUL R49, R40, 0.25\nFMUL R50, R41, 0.125\nFMUL R51, R42, 0.0625\n"
                                  "FMUL R52, R41, 0.25\nFMUL R53, R40, 0.5\nFMUL R54, R40, 0.25\n";

static size_t operands(char *text, size_t size, size_t n, const char *list, unsigned first)
{
    for (unsigned i = 0; list[i]; i++)
        n += (size_t)snprintf(text + n, size - n, "MOV R%u, R%u\n", first + i,
                              40u + (unsigned)(strchr(letters, list[i]) - letters));
    return n;
}

static size_t access_text(char *text, size_t size, size_t n, const struct access *access)
{
    n += (size_t)snprintf(text + n, size - n, "MOV R8, RZ\nMOV R9, RZ\nMOV R10, RZ\nMOV R11, RZ\n");
    n = operands(text, size, n, access->a, 20);
    n = operands(text, size, n, access->b, 24);
    return n + (size_t)snprintf(text + n, size - n, "%s\n", access->text);
}

/* ---- images that hold quarters, so that halves are exact */
static void image(struct world *world, uint32_t kind, bool shadow, bool samples)
{
    uint32_t header[8], sampler[8];
    world_header(header, shadow ? 0x0f : 0x01, ET_TYPE_FLOAT, kind, 16, kind == ET_TEXTURE_1D ? 1 : 16,
                 kind == ET_TEXTURE_3D || kind == ET_TEXTURE_2D_ARRAY ? 4 : 1);
    world_levels(header, samples ? 1 : 3);
    if (samples)
        world_set(header, 235, 232, 2);
    world_sampler(sampler, ET_FILTER_POINT, ET_MIP_POINT, ET_WRAP_MIRROR);
    if (shadow) { /* less or equal */
        world_set(sampler, 9, 9, 1);
        world_set(sampler, 12, 10, 3);
    }
    world_bind(world, header, sampler);
    for (uint32_t n = 0; n < 1 << 18; n++) {
        const float value = (float)((n * 37 + 11) % 251) * 0.25f;
        memcpy(world->ram.base + WORLD_TEXELS + 4 * n, &value, 4);
    }
}

static uint32_t half_of(uint32_t single)
{
    return single ? (single >> 16 & 0x8000) | ((single >> 23 & 255) - 112) << 10 | (single >> 13 & 1023) : 0;
}

/* Runs one after the other; `packed`: the first gives halves. */
static void same(enum et_isa_kind kind, const struct access *one, const struct access *other,
                 uint32_t texture, bool packed)
{
    static char text[8192];
    static uint64_t code[2048];
    static uint32_t bank[4] = {[BOUND] = HANDLE};
    const bool whole = strncmp(one->text, "TLD", 3) == 0 && strncmp(one->text, "TLD4", 4) != 0;
    const bool shadow = strchr(one->a, 'C') || strchr(one->b, 'C');
    struct etalon_error error = {0};
    struct world world;
    struct et_launch launch = {.stage = ET_STAGE_FRAGMENT, .event = 1};
    struct et_program *program = NULL;
    static const struct et_fragment_layout layout;
    static const struct et_primitive primitive;
    struct et_fragment_io fragment = {.layout = &layout, .samples = 1, .passes = 1};
    struct et_warp_io io = {.lanes = ~0u, .fragment = &fragment};
    struct et_context *context = et_context_create(&error);
    size_t n = 0, count = 0;
    uint32_t any = 0;
    for (unsigned quad = 0; quad < 8; quad++)
        fragment.primitive[quad] = &primitive;
    n += (size_t)snprintf(text + n, sizeof text - n, "%s%s", places[kind][whole], whole ? "" : derivatives);
    n = access_text(text, sizeof text, n, one);
    n +=
        (size_t)snprintf(text + n, sizeof text - n, "MOV R12, R8\nMOV R13, R9\nMOV R14, R10\nMOV R15, R11\n");
    n = access_text(text, sizeof text, n, other);
    snprintf(text + n, sizeof text - n, "EXIT\n");
    memset(code, 0, sizeof code);
    asm_append(isas[kind], text, code, ET_COUNT(code), &count);
    world_open(&world, 4 << 20, kind == ET_ISA_AMPERE);
    image(&world, texture, shadow, strchr(one->a, 'S') || strchr(one->b, 'S'));
    launch.map = &world.map;
    launch.pools = world.pools;
    launch.bindless_bank = 0;
    launch.banks[0] = (struct et_bank){(const uint8_t *)bank, sizeof bank};
    ck_assert_msg(et_program_create(&program, kind, code, asm_finish(isas[kind], code, ET_COUNT(code), count),
                                    0, &error) == ETALON_OK,
                  "%s", error.text);
    launch.program = program;
    ck_assert_msg(et_run_warp(context, &launch, &io, NULL, &error) == ETALON_OK, "%s: %s", one->text,
                  error.text);
    for (unsigned lane = 0; lane < ET_LANES; lane++) {
        uint32_t got[4], want[4];
        for (unsigned r = 0; r < 4; r++) {
            got[r] = io.registers[12 + r][lane];
            want[r] = io.registers[8 + r][lane];
            any |= want[r];
        }
        if (packed) { /* two in R8, two in R10 */
            want[0] = half_of(want[0]) | half_of(want[1]) << 16;
            want[2] = half_of(want[2]) | half_of(want[3]) << 16;
            want[1] = want[3] = 0;
        }
        for (unsigned r = 0; r < 4; r++)
            ck_assert_msg(got[r] == want[r], "%s lane %u R%u: %08x, not %08x", one->text, lane, 8 + r, got[r],
                          want[r]);
    }
    ck_assert_msg(any != 0 || shadow, "%s: nothing", one->text);
    et_program_destroy(program);
    et_context_destroy(context);
    world_close(&world);
}

static uint32_t texture_of(const char *text)
{
    return strstr(text, "ARRAY_2D") ? ET_TEXTURE_2D_ARRAY
           : strstr(text, "1D")     ? ET_TEXTURE_1D
           : strstr(text, "3D")     ? ET_TEXTURE_3D
           : strstr(text, "CUBE")   ? ET_TEXTURE_CUBE
                                    : ET_TEXTURE_2D;
}

/* ---- Maxwell's short forms */
static const struct {
    const char *name, *mods, *dim, *a, *b, *long_a, *long_b;
} short_forms[] = {
    {"TEXS", ".LZ", "1D", "X", "", "X", ""},
    {"TEXS", "", "2D", "X", "Y", "XY", ""},
    {"TEXS", ".LZ", "2D", "X", "Y", "XY", ""},
    {"TEXS", ".LL", "2D", "XY", "L", "XY", "L"},
    {"TEXS", ".DC", "2D", "XY", "C", "XY", "C"},
    {"TEXS", ".LL.DC", "2D", "XY", "LC", "XY", "LC"},
    {"TEXS", ".LZ.DC", "2D", "XY", "C", "XY", "C"},
    {"TEXS", "", "ARRAY_2D", "AX", "Y", "AXY", ""},
    {"TEXS", ".LZ", "ARRAY_2D", "AX", "Y", "AXY", ""},
    {"TEXS", ".LZ.DC", "ARRAY_2D", "AX", "YC", "AXY", "C"},
    {"TEXS", "", "3D", "XY", "Z", "XYZ", ""},
    {"TEXS", ".LZ", "3D", "XY", "Z", "XYZ", ""},
    {"TEXS", "", "CUBE", "XY", "Z", "XYZ", ""},
    {"TEXS", ".LL", "CUBE", "XY", "ZL", "XYZ", "L"},
    {"TLDS", ".LZ", "1D", "X", "", "X", ""},
    {"TLDS", ".LL", "1D", "X", "L", "X", "L"},
    {"TLDS", ".LZ", "2D", "X", "Y", "XY", ""},
    {"TLDS", ".LZ.AOFFI", "2D", "XY", "O", "XY", "O"},
    {"TLDS", ".LL", "2D", "XY", "L", "XY", "L"},
    {"TLDS", ".LZ.MS", "2D", "XY", "S", "XY", "S"},
    {"TLDS", ".LZ", "3D", "XY", "Z", "XYZ", ""},
    {"TLDS", ".LZ", "ARRAY_2D", "AX", "Y", "AXY", ""},
    {"TLDS", ".LL.AOFFI", "2D", "XY", "LO", "XY", "LO"},
};
static const char *const masks[] = {"R",  "G",   "B",   "A",   "RG",  "RA",  "GA",
                                    "BA", "RGB", "RGA", "RBA", "GBA", "RGBA"};

static unsigned mask_of(const char *letter)
{
    unsigned mask = 0;
    for (; *letter; letter++)
        mask |= *letter == 'R' ? 1 : *letter == 'G' ? 2 : *letter == 'B' ? 4 : 8;
    return mask;
}

START_TEST(short_forms_equal_long_ones)
{
    for (unsigned half = 0; half < 2; half++)
        for (size_t m = 0; m < ET_COUNT(masks); m++) {
            char one[128], other[128];
            const struct access first = {one, short_forms[_i].a, short_forms[_i].b},
                                second = {other, short_forms[_i].long_a, short_forms[_i].long_b};
            snprintf(one, sizeof one, "%s%s%s %sR8, R20, R24, 0x2, %s, %s", short_forms[_i].name,
                     half ? ".F16" : "", short_forms[_i].mods, strlen(masks[m]) > 2 ? "R10, " : "RZ, ",
                     short_forms[_i].dim, masks[m]);
            snprintf(other, sizeof other, "%.3s%s R8, R20, %s0x2, %s, 0x%x", short_forms[_i].name,
                     short_forms[_i].mods, *short_forms[_i].long_b ? "R24, " : "", short_forms[_i].dim,
                     mask_of(masks[m]));
            same(ET_ISA_MAXWELL, &first, &second, texture_of(short_forms[_i].dim), half);
        }
}
END_TEST

static const struct {
    enum et_isa_kind isa;
    struct access one, other;
} pairs[] = {
    {ET_ISA_MAXWELL,
     {"TLD4S.G R10, R8, R20, R24, 0x2", "X", "Y"},
     {"TLD4.G R8, R20, 0x2, 2D, 0xf", "XY", ""}},
    {ET_ISA_MAXWELL,
     {"TLD4S.B.AOFFI R10, R8, R20, R24, 0x2", "XY", "O"},
     {"TLD4.B.AOFFI R8, R20, R24, 0x2, 2D, 0xf", "XY", "O"}},
    {ET_ISA_MAXWELL,
     {"TLD4S.R.DC R10, R8, R20, R24, 0x2", "XY", "C"},
     {"TLD4.R.DC R8, R20, R24, 0x2, 2D, 0xf", "XY", "C"}},
    {ET_ISA_MAXWELL,
     {"TLD4S.R.AOFFI.DC R10, R8, R20, R24, 0x2", "XY", "OC"},
     {"TLD4.R.AOFFI.DC R8, R20, R24, 0x2, 2D, 0xf", "XY", "OC"}},
    {ET_ISA_MAXWELL,
     {"TLD4S.F16.G R10, R8, R20, R24, 0x2", "X", "Y"},
     {"TLD4.G R8, R20, 0x2, 2D, 0xf", "XY", ""}},
    {ET_ISA_MAXWELL,
     {"TEX.B.LL R8, R20, R24, 0x0, 2D, 0xf", "XY", "HL"},
     {"TEX.LL R8, R20, R24, 0x2, 2D, 0xf", "XY", "L"}},
    {ET_ISA_MAXWELL,
     {"TLD.B.LL R8, R20, R24, 0x0, 3D, 0xf", "XYZ", "HL"},
     {"TLD.LL R8, R20, R24, 0x2, 3D, 0xf", "XYZ", "L"}},
    {ET_ISA_MAXWELL,
     {"TLD4.A.B R8, R20, R24, 0x0, 2D, 0xf", "XY", "H"},
     {"TLD4.A R8, R20, 0x2, 2D, 0xf", "XY", ""}},
    {ET_ISA_MAXWELL,
     {"TXD.B R8, R20, R24, 0x0, 2D, 0xf", "HXY", "DPEQ"},
     {"TXD R8, R20, R24, 0x2, 2D, 0xf", "XY", "DPEQ"}},
    {ET_ISA_MAXWELL,
     {"TMML.B.LOD R8, R20, R24, 0x0, 2D, 0x3", "XY", "H"},
     {"TMML.LOD R8, R20, 0x2, 2D, 0x3", "XY", ""}},
    {ET_ISA_MAXWELL,
     {"TXQ.B R8, R20, TEX_HEADER_DIMENSION, 0x0, 0xf", "HS", ""},
     {"TXQ R8, R20, TEX_HEADER_DIMENSION, 0x2, 0xf", "S", ""}},
    {ET_ISA_AMPERE,
     {"TEX.B.LL R10, R8, R20, R24, 2D", "XY", "HL"},
     {"TEX.LL R10, R8, R20, R24, 0x0, 0x2, 2D", "XY", "L"}},
    {ET_ISA_AMPERE,
     {"TEX.LL R10, R8, R20, R24, UR4, 0x0, ARRAY_2D", "AXY", "L"},
     {"TEX.LL R10, R8, R20, R24, 0x0, 0x2, ARRAY_2D", "AXY", "L"}},
    {ET_ISA_AMPERE,
     {"TLD.B.LL R10, R8, R20, R24, 3D", "XYZ", "HL"},
     {"TLD.LL R10, R8, R20, R24, 0x0, 0x2, 3D", "XYZ", "L"}},
    {ET_ISA_AMPERE,
     {"TLD.LL R10, R8, R20, R24, UR4, 0x0, 3D", "XYZ", "L"},
     {"TLD.LL R10, R8, R20, R24, 0x0, 0x2, 3D", "XYZ", "L"}},
    {ET_ISA_AMPERE,
     {"TLD4.G.B R10, R8, R20, R24, 2D", "XY", "H"},
     {"TLD4.G R10, R8, R20, 0x0, 0x2, 2D", "XY", ""}},
    {ET_ISA_AMPERE,
     {"TLD4.G.AOFFI R10, R8, R20, R24, UR4, 0x0, 2D", "XY", "O"},
     {"TLD4.G.AOFFI R10, R8, R20, R24, 0x0, 0x2, 2D", "XY", "O"}},
    {ET_ISA_AMPERE,
     {"TXD.B R10, R8, R20, R24, 2D", "HXY", "DPEQ"},
     {"TXD R10, R8, R20, R24, 0x0, 0x2, 2D", "XY", "DPEQ"}},
    {ET_ISA_AMPERE,
     {"TXD R10, R8, R20, R24, UR4, 0x0, 2D", "XY", "DPEQ"},
     {"TXD R10, R8, R20, R24, 0x0, 0x2, 2D", "XY", "DPEQ"}},
    {ET_ISA_AMPERE,
     {"TMML.B.LOD R10, R8, R20, R24, 2D, 0x3", "XY", "H"},
     {"TMML.LOD R10, R8, R20, 0x0, 0x2, 2D, 0x3", "XY", ""}},
    {ET_ISA_AMPERE,
     {"TMML.LOD R10, R8, R20, UR4, 0x0, 2D, 0x3", "XY", ""},
     {"TMML.LOD R10, R8, R20, 0x0, 0x2, 2D, 0x3", "XY", ""}},
    {ET_ISA_AMPERE,
     {"TXQ.B R10, R8, R20, TEX_HEADER_DIMENSION", "HS", ""},
     {"TXQ R10, R8, R20, TEX_HEADER_DIMENSION, 0x0, 0x2", "S", ""}},
    {ET_ISA_AMPERE,
     {"TXQ R10, R8, R20, TEX_HEADER_DIMENSION, UR4, 0x0", "S", ""},
     {"TXQ R10, R8, R20, TEX_HEADER_DIMENSION, 0x0, 0x2", "S", ""}},
};

START_TEST(handles_may_lie_anywhere)
{
    same(pairs[_i].isa, &pairs[_i].one, &pairs[_i].other, texture_of(pairs[_i].one.text),
         strstr(pairs[_i].one.text, ".F16") != NULL);
}
END_TEST

/* ---- surfaces: 16x16 words that hold 1000 + x + 16 * y; a lane takes (lane & 15, lane >> 4) and brings lane
 * + 1; lane 31 lies outside */
enum surface_effect { LOADS, STORES, ADDS, SWAPS };

static const struct surface {
    enum et_isa_kind isa;
    const char *text;
    enum surface_effect effect;
    unsigned scale; /* what x counts: texels (1) or bytes (4) */
} surfaces[] = {
    {ET_ISA_MAXWELL, "SULD.P.2D.R.IGN R8, [R20], 0x2", LOADS, 1},
    {ET_ISA_MAXWELL, "SULD.P.2D.R.IGN R8, [R20], R48", LOADS, 1},
    {ET_ISA_MAXWELL, "SULD.D.2D.IGN R8, [R20], 0x2", LOADS, 1},
    {ET_ISA_MAXWELL, "SULD.D.2D.IGN P0, R8, [R20], R48", LOADS, 1},
    {ET_ISA_MAXWELL, "SULD.D.BA.2D.IGN R8, [R20], R48", LOADS, 4},
    {ET_ISA_MAXWELL, "SUST.P.2D.R.IGN [R20], R24, 0x2", STORES, 1},
    {ET_ISA_MAXWELL, "SUST.P.2D.R.IGN [R20], R24, R48", STORES, 1},
    {ET_ISA_MAXWELL, "SUST.D.2D.IGN [R20], R24, 0x2", STORES, 1},
    {ET_ISA_MAXWELL, "SUST.D.2D.IGN [R20], R24, R48", STORES, 1},
    {ET_ISA_MAXWELL, "SUST.D.BA.2D.IGN [R20], R24, R48", STORES, 4},
    {ET_ISA_MAXWELL, "SURED.P.2D.ADD.IGN [R20], R24, 0x2", ADDS, 1},
    {ET_ISA_MAXWELL, "SURED.P.2D.ADD.IGN [R20], R24, R48", ADDS, 1},
    {ET_ISA_MAXWELL, "SURED.D.2D.ADD.IGN [R20], R24, 0x2", ADDS, 1},
    {ET_ISA_MAXWELL, "SURED.D.2D.ADD.IGN [R20], R24, R48", ADDS, 1},
    {ET_ISA_MAXWELL, "SURED.D.BA.2D.ADD.S32.IGN [R20], R24, R48", ADDS, 4},
    {ET_ISA_MAXWELL, "SUATOM.P.2D.ADD.IGN R8, [R20], R24, 0x2", ADDS, 1},
    {ET_ISA_MAXWELL, "SUATOM.P.2D.ADD.IGN R8, [R20], R24, R48", ADDS, 1},
    {ET_ISA_MAXWELL, "SUATOM.P.2D.CAS.IGN R8, [R20], R24, 0x2", SWAPS, 1},
    {ET_ISA_MAXWELL, "SUATOM.P.2D.CAS.IGN R8, [R20], R24, R48", SWAPS, 1},
    {ET_ISA_MAXWELL, "SUATOM.D.2D.ADD.IGN R8, [R20], R24, 0x2", ADDS, 1},
    {ET_ISA_MAXWELL, "SUATOM.D.2D.ADD.IGN R8, [R20], R24, R48", ADDS, 1},
    {ET_ISA_MAXWELL, "SUATOM.D.2D.ADD.IGN P0, R8, [R20], R24, R48", ADDS, 1},
    {ET_ISA_MAXWELL, "SUATOM.D.BA.2D.ADD.IGN R8, [R20], R24, 0x2", ADDS, 4},
    {ET_ISA_MAXWELL, "SUATOM.D.2D.CAS.IGN R8, [R20], R24, 0x2", SWAPS, 1},
    {ET_ISA_MAXWELL, "SUATOM.D.2D.CAS.IGN R8, [R20], R24, R48", SWAPS, 1},
    {ET_ISA_MAXWELL, "SUATOM.D.BA.2D.CAS.IGN R8, [R20], R24, R48", SWAPS, 4},
    {ET_ISA_AMPERE, "SULD.P.2D.R.IGN P0, R8, [R20], R48", LOADS, 1},
    {ET_ISA_AMPERE, "SULD.P.2D.R.IGN P0, R8, [R20], 0x0, 0x2", LOADS, 1},
    {ET_ISA_AMPERE, "SULD.P.2D.R.IGN R8, [R20], 0x0, 0x2, 0x0", LOADS, 1},
    {ET_ISA_AMPERE, "SULD.P.2D.R.IGN R8, [R20], UR4, 0x0", LOADS, 1},
    {ET_ISA_AMPERE, "SULD.D.2D.IGN R8, [R20], R48", LOADS, 1},
    {ET_ISA_AMPERE, "SULD.D.2D.IGN R8, [R20], 0x0, 0x2", LOADS, 1},
    {ET_ISA_AMPERE, "SULD.D.2D.IGN R8, [R20], 0x0, 0x2, 0x0", LOADS, 1},
    {ET_ISA_AMPERE, "SULD.D.BA.2D.IGN R8, [R20], UR4, 0x0", LOADS, 4},
    {ET_ISA_AMPERE, "SUST.P.2D.R.IGN [R20], R24, R48", STORES, 1},
    {ET_ISA_AMPERE, "SUST.P.2D.R.IGN [R20], R24, 0x0, 0x2", STORES, 1},
    {ET_ISA_AMPERE, "SUST.P.2D.R.IGN [R20], R24, 0x0, 0x2, 0x0", STORES, 1},
    {ET_ISA_AMPERE, "SUST.P.2D.R.IGN [R20], R24, UR4, 0x0", STORES, 1},
    {ET_ISA_AMPERE, "SUST.D.2D.IGN [R20], R24, R48", STORES, 1},
    {ET_ISA_AMPERE, "SUST.D.2D.IGN [R20], R24, 0x0, 0x2", STORES, 1},
    {ET_ISA_AMPERE, "SUST.D.2D.IGN [R20], R24, 0x0, 0x2, 0x0", STORES, 1},
    {ET_ISA_AMPERE, "SUST.D.BA.2D.IGN [R20], R24, UR4, 0x0", STORES, 4},
    {ET_ISA_AMPERE, "SURED.D.2D.ADD.IGN [R20], R24, R48", ADDS, 1},
    {ET_ISA_AMPERE, "SURED.D.2D.ADD.S32.IGN [R20], R24, 0x0, 0x2", ADDS, 1},
    {ET_ISA_AMPERE, "SURED.D.2D.ADD.IGN [R20], R24, 0x0, 0x2, 0x0", ADDS, 1},
    {ET_ISA_AMPERE, "SURED.D.BA.2D.ADD.IGN [R20], R24, UR4, 0x0", ADDS, 4},
    {ET_ISA_AMPERE, "SUATOM.D.2D.ADD.IGN P0, R8, [R20], R24, R48", ADDS, 1},
    {ET_ISA_AMPERE, "SUATOM.D.2D.ADD.IGN R8, [R20], R24, 0x0, 0x2", ADDS, 1},
    {ET_ISA_AMPERE, "SUATOM.D.2D.ADD.IGN R8, [R20], R24, 0x0, 0x2, 0x0", ADDS, 1},
    {ET_ISA_AMPERE, "SUATOM.D.BA.2D.ADD.IGN R8, [R20], R24, UR4, 0x0", ADDS, 4},
    {ET_ISA_AMPERE, "SUATOM.D.2D.CAS.IGN P0, R8, [R20], R24, R48", SWAPS, 1},
    {ET_ISA_AMPERE, "SUATOM.D.2D.CAS.IGN R8, [R20], R24, 0x0, 0x2", SWAPS, 1},
    {ET_ISA_AMPERE, "SUATOM.D.2D.CAS.IGN R8, [R20], R24, 0x0, 0x2, 0x0", SWAPS, 1},
    {ET_ISA_AMPERE, "SUATOM.D.BA.2D.CAS.IGN R8, [R20], R24, UR4, 0x0", SWAPS, 4},
};

static const char *const surface_prologue[ET_ISA_COUNT] = {
    [ET_ISA_MAXWELL] = "S2R R0, SR_LANEID\nLOP32I.AND R20, R0, 0xf\nSHR.U32 R21, R0, 0x4\n"
                       "ISETP.EQ.U32.AND P1, PT, R0, 0x1f, PT\n@P1 MOV32I R20, 0x40\nIADD32I R24, R0, 0x1\n"
                       "MOV R25, R24\nMOV R48, c[0x0][0x8]\nMOV32I R8, 0x7777\n",
    [ET_ISA_AMPERE] =
        "S2R R0, SR_LANEID\nLOP3.LUT R20, R0, 0xf, RZ, 0xc0, !PT\nSHF.R.U32.HI R21, RZ, 0x4, R0\n"
        "ISETP.EQ.U32.AND P1, PT, R0, 0x1f, PT\n@P1 MOV R20, 0x40\nIADD3 R24, R0, 0x1, RZ\n"
        "MOV R25, R24\nMOV R48, c[0x0][0x8]\nR2UR UR4, R48\nMOV R8, 0x7777\n"};
/* Even lanes compare with what is there. */
static const char *const surface_compare[ET_ISA_COUNT] = {
    [ET_ISA_MAXWELL] = "IADD32I R24, R0, 0x3e8\nLOP32I.AND R1, R0, 0x1\nISETP.NE.U32.AND P1, PT, R1, RZ, PT\n"
                       "@P1 MOV R24, RZ\n",
    [ET_ISA_AMPERE] = "IADD3 R24, R0, 0x3e8, RZ\nLOP3.LUT P1, R1, R0, 0x1, RZ, 0xc0, !PT\n@P1 MOV R24, RZ\n"};

START_TEST(surfaces_count_texels_or_bytes)
{
    const struct surface *c = &surfaces[_i];
    static char text[2048];
    static uint64_t code[1024];
    static uint32_t bank[4] = {[BOUND] = HANDLE};
    struct etalon_error error = {0};
    struct world world;
    struct et_launch launch = {.stage = ET_STAGE_FRAGMENT, .event = 1};
    struct et_program *program = NULL;
    static const struct et_fragment_layout layout;
    static const struct et_primitive primitive;
    struct et_fragment_io fragment = {.layout = &layout, .samples = 1, .passes = 1};
    struct et_warp_io io = {.lanes = ~0u, .fragment = &fragment};
    struct et_context *context = et_context_create(&error);
    const bool returns = strstr(c->text, "R8") != NULL;
    uint32_t header[8];
    size_t count = 0;
    for (unsigned quad = 0; quad < 8; quad++)
        fragment.primitive[quad] = &primitive;
    snprintf(text, sizeof text, "%s%s%s%s\n%sEXIT\n", surface_prologue[c->isa],
             c->scale == 4
                 ? c->isa == ET_ISA_MAXWELL ? "SHL R20, R20, 0x2\n" : "IMAD.SHL.U32 R20, R20, 0x4, RZ\n"
                 : "",
             c->effect == SWAPS ? surface_compare[c->isa] : "", c->text,
             strstr(c->text, "P0,") ? "SEL R9, RZ, 0x1, !P0\n" : "");
    memset(code, 0, sizeof code);
    asm_append(isas[c->isa], text, code, ET_COUNT(code), &count);
    world_open(&world, 4 << 20, c->isa == ET_ISA_AMPERE);
    world_header(header, 0x0f, ET_TYPE_UINT, ET_TEXTURE_2D, 16, 16, 1);
    world_bind(&world, header, NULL);
    for (uint32_t n = 0; n < 256; n++)
        et_store32(world_texel(&world, 0, 0, n % 16, n / 16, 0), 1000 + n);
    launch.map = &world.map;
    launch.pools = world.pools;
    launch.bindless_bank = 0;
    launch.banks[0] = (struct et_bank){(const uint8_t *)bank, sizeof bank};
    ck_assert_msg(et_program_create(&program, c->isa, code,
                                    asm_finish(isas[c->isa], code, ET_COUNT(code), count), 0,
                                    &error) == ETALON_OK,
                  "%s", error.text);
    launch.program = program;
    ck_assert_msg(et_run_warp(context, &launch, &io, NULL, &error) == ETALON_OK, "%s: %s", c->text,
                  error.text);
    for (uint32_t n = 0; n < 256; n++) {
        const bool touched = n < 31, swaps = c->effect == SWAPS && n % 2 == 0;
        const uint32_t old = 1000 + n, now = et_load32(world_texel(&world, 0, 0, n % 16, n / 16, 0));
        const uint32_t want = !touched || c->effect == LOADS ? old
                              : c->effect == ADDS            ? old + n + 1
                              : c->effect == STORES || swaps ? n + 1
                                                             : old;
        ck_assert_msg(now == want, "%s: texel %u is %u, not %u", c->text, n, now, want);
        if (n < 32 && returns)
            ck_assert_msg(io.registers[8][n] == (n < 31 ? old : 0), "%s: lane %u has %u", c->text, n,
                          io.registers[8][n]);
        if (n < 31 && strstr(c->text, "P0,"))
            ck_assert_uint_eq(io.registers[9][n], 1);
    }
    et_program_destroy(program);
    et_context_destroy(context);
    world_close(&world);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("isa texture");
    TCase *tcase = tcase_create("texture");
    tcase_set_timeout(tcase, 120);
    tcase_add_unchecked_fixture(tcase, open_isas, close_isas);
    tcase_add_loop_test(tcase, short_forms_equal_long_ones, 0, (int)ET_COUNT(short_forms));
    tcase_add_loop_test(tcase, handles_may_lie_anywhere, 0, (int)ET_COUNT(pairs));
    tcase_add_loop_test(tcase, surfaces_count_texels_or_bytes, 0, (int)ET_COUNT(surfaces));
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
