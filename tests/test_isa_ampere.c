/* Ampere's instructions as they run: assembled text, lowered and executed on one warp, against plain C. What
 * compiled kernels do not cover. */
#include "isa/ir/ir.h"
#include "support/isa_warp.h"
#include "support/packed.h"

static void open_ampere(void)
{
    open_isa(&et_isa_ampere);
}

/* Moves for one lane of each quad; MACTIVE widened to whole quads, then set back. */
EXPECT(quads)
{
    const bool odd = l & 1;
    out[0] = l % 4 == 2 ? A : 0;
    out[1] = l % 4 == 0 || l % 4 == 3 ? B : 0;
    out[2] = odd ? in[l ^ 1][2] : 0;
    out[3] = odd ? 5 : 0;
}
static const char quads_text[] =
    "MOV R8, R4, 0x4\nMOV R9, R5, 0x9\nMOV R12, RZ\nLOP3.LUT P0, RZ, R0, 0x1, RZ, 0xc0, !PT\n"
    "BSSY B0, `(join)\n@!P0 BRA `(join)\nBMOV.32 B1, MACTIVE\nBMOV.32.PQUAD MACTIVE, B1\nMOV R12, R6\n"
    "SHFL.BFLY PT, R14, R12, 0x1, 0x1f\nBMOV.32 MACTIVE, B1\nMOV R10, R14\nMOV R11, 0x5\n"
    "join:\nBSYNC B0\n";

/* An immediate double's high word. */
EXPECT(double_immediate)
{
    (void)in, (void)l;
    out[0] = out[1] = 0x3fe55555;
    out[2] = out[3] = 0x3fe279a7;
}
static const char double_immediate_text[] =
    "MOV R12, 0x3ff80000\nMUFU.RCP64H R8, R12\nMUFU.RCP64H R9, 1.5\nMOV R12, 0x40080000\nMUFU.RSQ64H R10, "
    "R12\nMUFU.RSQ64H R11, 3\n";

/* A shuffle from a lane that does not take part gives zero; R2UR tells who holds another value than the first
 * lane; BRA.DIV sends all lanes one way when not all of its mask have the guard. */
EXPECT(apart)
{
    out[0] = 0;
    out[1] = l & 1 ? in[1][0] : 0;
    out[2] = l >= 16;
    out[3] = 1;
}
static const char apart_text[] =
    "LOP3.LUT P0, RZ, R0, 0x1, RZ, 0xc0, !PT\n@P0 SHFL.IDX PT, R8, R4, 0x0, 0x1f\n@P0 SHFL.IDX PT, R9, R4, "
    "0x1, 0x1f\n"
    "LOP3.LUT R13, R0, 0x10, RZ, 0xc0, !PT\nMOV R14, 0xffff\nSHF.L.U32 R12, R14, R13, RZ\nREDUX.OR UR4, R12\n"
    "R2UR P1, URZ, R12\nSEL R10, RZ, 0x1, !P1\nMOV R11, 0x1\n@!P1 BRA.DIV UR4, `(slow)\nMOV R11, "
    "0x2\nslow:\nNOP\n";

/* R2UR.OR; what is left of I2IP, F2IP and F2FP where the tested chip has no such forms. */
EXPECT(gathered)
{
    const int32_t a = (int32_t)A, b = (int32_t)B;
    out[0] = 0;
    for (unsigned n = 0; n < 32; n++)
        out[0] |= in[n][0];
    out[1] = C << 16 |
             (uint32_t)(a < 0     ? 0
                        : a > 255 ? 255
                                  : a)
                 << 8 |
             (uint32_t)(b < 0     ? 0
                        : b > 255 ? 255
                                  : b);
    out[2] = C & 0xffff0000;
}
static const char gathered_text[] = "R2UR.OR PT, UR4, R4\nMOV R8, UR4\nI2IP.U8.S32.SATRELU R9, R4, R5, R6\n"
                                    "MOV R12, 0xbf800000\nF2IP.U8.F32.RELU R10, R12, RZ, R6.H1\n";

/* Absolute jumps, calls and returns; a return's register pair counts from the code's start. */
EXPECT(absolute)
{
    (void)in;
    out[0] = 0x11;
    out[1] = l & 1 ? 3 : 4;
    out[2] = 0x22;
    out[3] = 0x33;
}
static const char absolute_text[] =
    "JMP `(first)\nMOV R8, 0x1\nfirst:\nMOV R8, 0x11\n" /* from 0x70 on */
    "LOP3.LUT P0, RZ, R0, 0x1, RZ, 0xc0, !PT\nBSSY B0, `(meet)\nMOV R9, 0x3\n@P0 JMP `(meet)\nMOV R9, 0x4\n"
    "meet:\nBSYNC B0\nMOV R12, 0x130\nMOV R13, RZ\nCALL.ABS.NOINC `(callee)\n" /* back at 0x130 */
    "MOV R12, 0x190\nMOV R13, RZ\nJMX R12 0x10\ncallee:\nMOV R10, 0x22\nRET.ABS.NODEC R12 0x0\n"
    "BPT.TRAP 0x1\nBPT.TRAP 0x1\nMOV R11, 0x33\n"; /* at 0x1a0 */

static const struct isa_case cases[] = {
    {"absolute", absolute_text, absolute},
    {"apart", apart_text, apart},
    {"gathered", gathered_text, gathered},
    {"quads", quads_text, quads},
    {"double immediate", double_immediate_text, double_immediate},
};

START_TEST(computes_what_plain_c_does)
{
    check_case(&cases[_i]);
}
END_TEST

/* Single instructions as an H200 executed them: rows of text, and a result and P0 for each of 64 lanes. P0
 * starts as R5 > R6, unsigned.
 */
enum { SINGLE_LANES = 64 };

static uint32_t hex(const char *at)
{
    char word[9] = {0};
    memcpy(word, at, 8);
    return (uint32_t)strtoul(word, NULL, 16);
}

START_TEST(single_instructions_equal_silicon)
{
    size_t size;
    unsigned rows = 0;
    char *file = packed_text("conformance/kernels/single-ampere.txt.zst", &size);
    static uint32_t in[SINGLE_LANES][4];
    for (unsigned l = 0; l < SINGLE_LANES; l++)
        for (unsigned n = 0; n < 3; n++)
            in[l][n] = hex(file + 3 + 24 * l + 8 * n);
    for (char *at = strchr(file, '\n') + 1; *at; at = strchr(at, '\n') + 1, rows++) {
        const int length = (int)(strchr(at, '\t') - at);
        const char *want = at + length + 1;
        for (unsigned half = 0; half < SINGLE_LANES; half += 32) {
            char body[256];
            uint32_t out[32][4];
            struct etalon_error error = {0};
            snprintf(body, sizeof body, "ISETP.GT.U32.AND P0, PT, R5, R6, PT\n%.*s\nSEL R9, RZ, 0x1, !P0\n",
                     length, at);
            ck_assert_msg(run(body, (const uint32_t(*)[4])in + half, out, &error) == ETALON_OK, "%.*s: %s",
                          length, at, error.text);
            for (unsigned l = 0; l < 32; l++) {
                const char *row = want + 9 * (half + l);
                const uint32_t *x = in[half + l];
                ck_assert_msg(out[l][0] == hex(row), "%.*s of %08x %08x %08x: %08x, not %.8s", length, at,
                              x[0], x[1], x[2], out[l][0], row);
                ck_assert_msg(row[8] == '-' || out[l][1] == (uint32_t)(row[8] - '0'),
                              "%.*s of %08x %08x %08x: P0 is %u", length, at, x[0], x[1], x[2], out[l][1]);
            }
        }
    }
    ck_assert_uint_gt(rows, 170);
    free(file);
}
END_TEST

static const struct {
    const char *text, *error;
} faults[] = {
    {"BPT.TRAP 0x1\n", "trap"},
    {"ISETP.EQ.AND P0, PT, R0, RZ, PT\n@P0 BRA `(go)\nBMOV.32.PQUAD MACTIVE, R0\ngo:\nNOP\n",
     "running lanes"},
};

START_TEST(names_what_cannot_run)
{
    uint32_t in[32][4] = {0}, out[32][4];
    struct etalon_error error = {0};
    ck_assert_int_ne(run(faults[_i].text, in, out, &error), ETALON_OK);
    ck_assert_msg(strstr(error.text, faults[_i].error) != NULL, "%s: %s", faults[_i].text, error.text);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("isa-ampere");
    TCase *tcase = tcase_create("run");
    tcase_set_timeout(tcase, 60);
    tcase_add_unchecked_fixture(tcase, open_ampere, close_isa);
    tcase_add_loop_test(tcase, computes_what_plain_c_does, 0, ET_COUNT(cases));
    tcase_add_test(tcase, single_instructions_equal_silicon);
    tcase_add_loop_test(tcase, names_what_cannot_run, 0, ET_COUNT(faults));
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
