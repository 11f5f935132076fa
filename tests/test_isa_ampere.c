/* Ampere's instructions as they run: assembled text, lowered and executed on one warp, against plain C. What
 * compiled kernels do not cover. */
#include "isa/ir/ir.h"
#include "support/isa_warp.h"

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

static const struct isa_case cases[] = {
    {"quads", quads_text, quads},
};

START_TEST(computes_what_plain_c_does)
{
    check_case(&cases[_i]);
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
    tcase_add_unchecked_fixture(tcase, open_ampere, close_isa);
    tcase_add_loop_test(tcase, computes_what_plain_c_does, 0, ET_COUNT(cases));
    tcase_add_loop_test(tcase, names_what_cannot_run, 0, ET_COUNT(faults));
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
