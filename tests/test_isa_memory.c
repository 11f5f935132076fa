/* Where memory instructions find their word, in each address form of both instruction sets: global, generic,
 * shared and local loads, stores, atomics and compare-and-swaps, their effect known from their name. */
#include "support/assembly.h"
#include "support/isas.h"

/* A thread's word is its row of 16 bytes at 0x18000 (or 0, in shared and local memory), 0x20 further. R12 =
 * 16 * thread, R14 the row's address, R17 = 0, R22 the word's address; UR4 = 0x18000, UR6 = 0x10; R18 the new
 * value, R20 what is compared with (right for even threads), R21 what is swapped in. Of .64: R20, R21 and
 * R22, R23. */
static const char *const prologue[ET_ISA_COUNT] = {
    [ET_ISA_MAXWELL] =
        "SHL R12, R0, 0x4\nIADD32I R14, R12, 0x18000\nMOV R15, RZ\nMOV R17, RZ\nIADD32I R18, R0, 0x7\n"
        "IADD32I R22, R14, 0x20\nMOV R23, RZ\nLDG.E R20, [R14+0x20]\nMOV R13, R20\n"
        "LOP32I.AND R16, R0, 0x1\nISETP.NE.U32.AND P1, PT, R16, RZ, PT\n@P1 MOV R20, RZ\nMOV R21, R18\n",
    [ET_ISA_AMPERE] = "IMAD.SHL.U32 R12, R0, 0x10, RZ\nIADD3 R14, R12, 0x18000, RZ\nMOV R15, RZ\nMOV R17, "
                      "RZ\nIADD3 R18, R0, 0x7, RZ\n"
                      "UMOV UR2, 0x1800\nUMOV UR3, 0x800000\nUMOV UR4, 0x18000\nUMOV UR5, 0x0\nUMOV UR6, "
                      "0x10\nUMOV UR7, 0x0\n"
                      "IADD3 R22, R14, 0x20, RZ\nMOV R23, RZ\nLDG.E R20, [R14.64+0x20]\nMOV R13, R20\n"
                      "LOP3.LUT P1, R16, R0, 0x1, RZ, 0xc0, !PT\n@P1 MOV R20, RZ\nMOV R21, R18\n"};
static const char wide_prologue[] =
    "MOV R26, R22\nMOV R27, R23\nMOV32I R21, 0x5\nMOV R22, R18\nMOV32I R23, 0x3\n"; /* Maxwell */

enum effect { LOADS, STORES, ADDS, SWAPS, SWAPS_ZERO, COMPARES_ZERO, COPIES };

struct access {
    enum et_isa_kind isa;
    char space; /* Global (or generic), Shared, Local */
    const char *text;
    enum effect effect;
    bool one; /* all threads name thread 0's word */
};

#define MAXWELL_CAS(space, name, address, one)                                                               \
    {ET_ISA_MAXWELL, space, name " R8, " address ", R20, R21", SWAPS, one},                                  \
        {ET_ISA_MAXWELL, space, name " R8, " address ", R20, RZ", SWAPS_ZERO, one},                          \
    {                                                                                                        \
        ET_ISA_MAXWELL, space, name " R8, " address ", RZ, R20", COMPARES_ZERO, one                          \
    }
#define MAXWELL_CAS_64(space, name, address, one)                                                            \
    {                                                                                                        \
        ET_ISA_MAXWELL, space, name ".64 R8, " address ", R20, R22", SWAPS, one                              \
    }
#define AMPERE_GLOBAL(before, after, effect)                                                                 \
    {ET_ISA_AMPERE, 'G', before "[R14.64+0x20]" after, effect, false},                                       \
        {ET_ISA_AMPERE, 'G', before "desc[UR8][R14.64+0x20]" after, effect, false},                          \
        {ET_ISA_AMPERE, 'G', before "[R14.64+UR6+0x10]" after, effect, false},                               \
        {ET_ISA_AMPERE, 'G', before "[R12.U32+UR4+0x20]" after, effect, false},                              \
    {                                                                                                        \
        ET_ISA_AMPERE, 'G', before "[UR4+0x20]" after, effect, true                                          \
    }
#define AMPERE_SHORT(before, after, effect)                                                                  \
    {ET_ISA_AMPERE, 'G', before "[R14+0x20]" after, effect, false},                                          \
    {                                                                                                        \
        ET_ISA_AMPERE, 'G', before "[UR4+0x20]" after, effect, true                                          \
    }

static const struct access accesses[] = {
    {ET_ISA_MAXWELL, 'G', "LD.E R8, [R14+0x20]", LOADS, false},
    {ET_ISA_MAXWELL, 'G', "LD R8, [R14+0x20]", LOADS, false},
    {ET_ISA_MAXWELL, 'G', "LD.E R8, [0x18020]", LOADS, true},
    {ET_ISA_MAXWELL, 'G', "ST.E [R14+0x20], R18", STORES, false},
    {ET_ISA_MAXWELL, 'G', "ST [0x18020], R18", STORES, true},
    {ET_ISA_MAXWELL, 'G', "LDG.E R8, [R14+0x20]", LOADS, false},
    {ET_ISA_MAXWELL, 'G', "LDG R8, [0x18020]", LOADS, true},
    {ET_ISA_MAXWELL, 'G', "LDG.E P0, R8, [R14+0x20]", LOADS, false},
    {ET_ISA_MAXWELL, 'G', "LDG P0, R8, [0x18020]", LOADS, true},
    {ET_ISA_MAXWELL, 'G', "STG.E [R14+0x20], R18", STORES, false},
    {ET_ISA_MAXWELL, 'G', "STG [0x18020], R18", STORES, true},
    {ET_ISA_MAXWELL, 'L', "LDL R8, [0x20]", LOADS, false},
    {ET_ISA_MAXWELL, 'L', "LDL R8, [R17+0x20]", LOADS, false},
    {ET_ISA_MAXWELL, 'L', "STL [0x20], R18", STORES, false},
    {ET_ISA_MAXWELL, 'L', "STL [R17+0x20], R18", STORES, false},
    {ET_ISA_MAXWELL, 'S', "LDS R8, [R12+0x20]", LOADS, false},
    {ET_ISA_MAXWELL, 'S', "LDS R8, [0x20]", LOADS, true},
    {ET_ISA_MAXWELL, 'S', "LDS.U.32 R8, [R12+0x20]", LOADS, false},
    {ET_ISA_MAXWELL, 'S', "LDS.U.32 R8, [0x20]", LOADS, true},
    {ET_ISA_MAXWELL, 'S', "STS [R12+0x20], R18", STORES, false},
    {ET_ISA_MAXWELL, 'S', "STS [0x20], R18", STORES, true},
    {ET_ISA_MAXWELL, 'G', "ATOM.E.ADD R8, [R14+0x20], R18", ADDS, false},
    {ET_ISA_MAXWELL, 'G', "ATOM.ADD R8, [0x18020], R18", ADDS, true},
    {ET_ISA_MAXWELL, 'G', "ATOM.E.ADD P0, R8, [R22], R18", ADDS, false},
    {ET_ISA_MAXWELL, 'G', "RED.E.ADD [R14+0x20], R18", ADDS, false},
    {ET_ISA_MAXWELL, 'G', "RED.ADD [0x18020], R18", ADDS, true},
    {ET_ISA_MAXWELL, 'S', "ATOMS.ADD R8, [R12+0x20], R18", ADDS, false},
    {ET_ISA_MAXWELL, 'S', "ATOMS.ADD R8, [0x20], R18", ADDS, true},
    MAXWELL_CAS('G', "ATOM.E.CAS", "[R14+0x20]", false),
    MAXWELL_CAS('G', "ATOM.CAS", "[0x18020]", true),
    MAXWELL_CAS('G', "ATOM.E.CAS P0,", "[R22]", false),
    MAXWELL_CAS('S', "ATOMS.CAS", "[R12+0x20]", false),
    MAXWELL_CAS('S', "ATOMS.CAS", "[0x20]", true),
    MAXWELL_CAS_64('G', "ATOM.E.CAS", "[R14+0x20]", false),
    MAXWELL_CAS_64('S', "ATOMS.CAS", "[R12+0x20]", false),
    MAXWELL_CAS_64('G', "ATOM.CAS", "[0x18020]", true),
    {ET_ISA_MAXWELL, 'G', "ATOM.E.CAS.64 P0, R8, [R26], R20, R22", SWAPS, false},
    AMPERE_GLOBAL("LDG.E R8, ", "", LOADS),
    AMPERE_SHORT("LDG R8, ", "", LOADS),
    AMPERE_GLOBAL("LD.E R8, ", "", LOADS),
    AMPERE_SHORT("LD R8, ", "", LOADS),
    AMPERE_GLOBAL("STG.E ", ", R18", STORES),
    AMPERE_SHORT("STG ", ", R18", STORES),
    AMPERE_GLOBAL("ST.E ", ", R18", STORES),
    AMPERE_SHORT("ST ", ", R18", STORES),
    AMPERE_GLOBAL("ATOM.E.ADD.STRONG.GPU P0, R8, ", ", R18", ADDS),
    AMPERE_SHORT("ATOM.ADD.STRONG.GPU P0, R8, ", ", R18", ADDS),
    AMPERE_GLOBAL("ATOMG.E.ADD.STRONG.GPU P0, R8, ", ", R18", ADDS),
    AMPERE_SHORT("ATOMG.ADD.STRONG.GPU P0, R8, ", ", R18", ADDS),
    AMPERE_GLOBAL("RED.E.ADD.STRONG.GPU ", ", R18", ADDS),
    AMPERE_SHORT("RED.ADD.STRONG.GPU ", ", R18", ADDS),
    {ET_ISA_AMPERE, 'G', "ATOM.E.CAS.STRONG.GPU P0, R8, [R22], R20, R21", SWAPS, false},
    {ET_ISA_AMPERE, 'G', "ATOMG.E.CAS.STRONG.GPU P0, R8, [R22], R20, R21", SWAPS, false},
    {ET_ISA_AMPERE, 'L', "LDL R8, [R17+0x20]", LOADS, false},
    {ET_ISA_AMPERE, 'L', "LDL R8, [R17+UR6+0x10]", LOADS, false},
    {ET_ISA_AMPERE, 'L', "STL [R17+UR6+0x10], R18", STORES, false},
    {ET_ISA_AMPERE, 'S', "LDS R8, [R12+UR6+0x10]", LOADS, false},
    {ET_ISA_AMPERE, 'S', "STS [R12+UR6+0x10], R18", STORES, false},
    {ET_ISA_AMPERE, 'S', "ATOMS.ADD R8, [R12+UR6+0x10], R18", ADDS, false},
    {ET_ISA_AMPERE, 'S', "ATOMS.CAS R8, [R12+0x20], R20, R21", SWAPS, false},
    {ET_ISA_AMPERE, 'G', "LDC R8, cx[UR2][R12+0x20]", LOADS, false},
    {ET_ISA_AMPERE, 'S', "LDGSTS.E [R12+0x20], [R14.64+0x20]", COPIES, false},
    {ET_ISA_AMPERE, 'S', "LDGSTS.E [R12+0x20], desc[UR8][R14.64+0x20]", COPIES, false},
    {ET_ISA_AMPERE, 'S', "LDGSTS.E [R12+0x20], [R14.64+UR6+0x10]", COPIES, false},
    {ET_ISA_AMPERE, 'S', "LDGSTS.E [R12+UR6+0x10], [R14.64+0x20]", COPIES, false},
};

static uint32_t initial(unsigned t)
{
    return 1000 + 77 * t;
}

/* What thread t is given, and what its word holds at the end. */
static void expect(const struct access *c, unsigned t, uint32_t *given, uint32_t *left)
{
    uint32_t word[32], result[32] = {0};
    for (unsigned n = 0; n < 32; n++)
        word[n] = c->effect == COPIES ? 0 : initial(n);
    for (unsigned n = 0; n < 32; n++) {
        uint32_t *at = &word[c->one ? 0 : n], old = *at;
        const uint32_t fresh = n + 7, compare = c->effect == COMPARES_ZERO || n % 2 ? 0 : initial(n);
        result[n] = old;
        switch (c->effect) {
        case STORES:
            *at = fresh;
            break;
        case ADDS:
            *at = old + fresh;
            break;
        case SWAPS:
            *at = old == compare ? fresh : old;
            break;
        case SWAPS_ZERO:
            *at = old == compare ? 0 : old;
            break;
        case COPIES:
            *at = initial(n);
            break;
        default:
            break;
        }
    }
    *given = strstr(c->text, " R8,") ? result[t] : 0;
    *left = word[t];
}

START_TEST(finds_its_word)
{
    static struct asm_machine m;
    static const char *const fill[ET_ISA_COUNT][2] = {
        [ET_ISA_MAXWELL] = {"STS [R12+0x20], %s\nMOV32I R16, 0x5\nSTS [R12+0x24], R16\n",
                            "STL [R17+0x20], %s\nMOV32I R16, 0x5\nSTL [R17+0x24], R16\n"},
        [ET_ISA_AMPERE] = {"STS [R12+0x20], %s\nMOV R16, 0x5\nSTS [R12+0x24], R16\n",
                           "STL [R17+0x20], %s\nMOV R16, 0x5\nSTL [R17+0x24], R16\n"}};
    const struct access *c = &accesses[_i];
    uint32_t in[32][4] = {0}, out[32][4];
    char text[2048], filled[128] = "";
    asm_open(&m, isas[c->isa]);
    for (unsigned t = 0; t < 32; t++) {
        et_store32(m.ram.base + 0x8020 + 16 * t, initial(t));
        et_store32(m.ram.base + 0x8024 + 16 * t, 5);
    }
    if (c->space != 'G')
        snprintf(filled, sizeof filled, fill[c->isa][c->space == 'L'], c->effect == COPIES ? "RZ" : "R13");
    snprintf(text, sizeof text, "%s%s%s%s\n%s%s R9, [%s+0x20]\n", prologue[c->isa],
             strstr(c->text, ".CAS.64") ? wide_prologue : "", filled, c->text,
             strstr(c->text, "LDGSTS") ? "LDGDEPBAR\nDEPBAR.LE SB0, 0x0\n" : "",
             c->space == 'S'   ? "LDS"
             : c->space == 'L' ? "LDL"
                               : "LDG.E",
             c->space == 'S'            ? "R12"
             : c->space == 'L'          ? "R17"
             : c->isa == ET_ISA_MAXWELL ? "R14"
                                        : "R14.64");
    ck_assert_msg(asm_rows(&m, text, 32, in, out) == ETALON_OK, "%s: %s", c->text, m.error.text);
    for (unsigned t = 0; t < 32; t++) {
        uint32_t given, left;
        expect(c, t, &given, &left);
        ck_assert_msg(out[t][0] == given && out[t][1] == left,
                      "%s, thread %u: is given %u and leaves %u, not %u and %u", c->text, t, out[t][0],
                      out[t][1], given, left);
    }
    asm_close(&m);
}
END_TEST

/* Address forms that must give R8 and R9 the same words. */
static const char *const same[] = {
    "LDSM.16.M88 R8, [R12+0x20]\nLDSM.16.M88 R9, [R12+UR6+0x10]\n",
    "LDSM.16.MT88 R8, [R12+0x20]\nLDSM.16.MT88 R9, [R12+UR6+0x10]\n",
    "QSPC.E.G P0, R8, [R22]\nQSPC.E.G P1, R9, [R14.64+UR6+0x10]\n@!P0 MOV R8, RZ\n@!P1 MOV R9, RZ\n",
    "QSPC.E.G P0, R8, [R22]\nQSPC.G P1, R9, [R12.U32+UR4+0x20]\n@!P0 MOV R8, RZ\n@!P1 MOV R9, RZ\n",
    "ATOMS.POPC.INC.32 R8, [R17+UR6]\nS2R R9, SR_LANEID\n",
};

START_TEST(other_forms_agree)
{
    static struct asm_machine m;
    uint32_t in[32][4] = {0}, out[32][4], any = 0;
    char text[2048];
    asm_open(&m, isas[ET_ISA_AMPERE]);
    for (unsigned t = 0; t < 32; t++)
        et_store32(m.ram.base + 0x8020 + 16 * t, initial(t));
    snprintf(text, sizeof text, "%s%s%s", prologue[ET_ISA_AMPERE],
             strncmp(same[_i], "ATOMS", 5) ? "STS [R12+0x20], R13\nMOV R16, 0x5\nSTS [R12+0x24], R16\n" : "",
             same[_i]);
    ck_assert_msg(asm_rows(&m, text, 32, in, out) == ETALON_OK, "%s: %s", same[_i], m.error.text);
    for (unsigned t = 0; t < 32; t++) {
        ck_assert_msg(out[t][0] == out[t][1], "%s, thread %u: %08x and %08x", same[_i], t, out[t][0],
                      out[t][1]);
        any |= out[t][0];
    }
    ck_assert_uint_ne(any, 0);
    asm_close(&m);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("isa memory");
    TCase *tcase = tcase_create("memory");
    tcase_set_timeout(tcase, 60);
    tcase_add_unchecked_fixture(tcase, open_isas, close_isas);
    tcase_add_loop_test(tcase, finds_its_word, 0, (int)ET_COUNT(accesses));
    tcase_add_loop_test(tcase, other_forms_agree, 0, (int)ET_COUNT(same));
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
