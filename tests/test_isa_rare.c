/* Instruction forms that compilers do not write and no other form stands for: by value, on both instruction
 * sets; and forms that are not executed end in an error that names them. */
#include "isa/ir/ir.h"
#include "isa/text/text.h"
#include "support/isa_warp.h"

/* ---- Maxwell */
EXPECT(long_immediates)
{
    out[0] = A + 8;
    out[1] = A * 5 + C;
    out[2] = A * 5 + C + 1;
    out[3] = l;
}
static const char long_immediates_text[] =
    "IADD32I.PO R8, R4, 0x7\nMOV R9, R6\nIMAD32I R9, R4, 0x5, R9\n"
    "MOV R10, R6\nIMAD32I.PO R10, R4, 0x5, R10\nMOV R11, R4\nCS2R R11, SR_LANEID\n";

EXPECT(half_products)
{
    out[0] = 3 * (A & 63);
    out[1] = 2 * (A & 63);
}
static const char half_products_text[] =
    "LOP32I.AND R12, R4, 0x3f\nI2F.F16.U32 R12, R12\nPRMT R14, R12, 0x5410, R12\nHMUL2_32I R15, R14, 2, 3\n"
    "F2F.F32.F16 R12, R15\nF2F.F32.F16 R13, R15.H1\nF2I.S32.F32.TRUNC R8, R12\nF2I.S32.F32.TRUNC R9, R13\n";

/* ---- Ampere */
EXPECT(half_sums)
{
    out[0] = (A & 63) + 3;
    out[1] = (A & 63) + 2;
    out[2] = (A & 63) + 5;
}
static const char half_sums_text[] =
    "LOP3.LUT R12, R4, 0x3f, RZ, 0xc0, !PT\nI2F.U32 R12, R12\nF2FP.PACK_AB R14, R12, R12\nHADD2 R15, R14, 2, "
    "3\n"
    "HADD2.F32 R12, -RZ, R15.H0_H0\nHADD2.F32 R13, -RZ, R15.H1_H1\nHADD2.F32 R16, R14.H0_H0, 5\n"
    "F2I.U32.TRUNC.NTZ R8, R12\nF2I.U32.TRUNC.NTZ R9, R13\nF2I.U32.TRUNC.NTZ R10, R16\n";

/* UP1 and UP2 are set, UP3 is not; UR6 is negative, UR7 not: entry 6 of each table, and entry 3 of the last.
 */
EXPECT(uniform_logic)
{
    (void)in;
    (void)l;
    out[0] = 0x7;
    out[1] = 0x1;
    out[2] = 0x6;
}
static const char uniform_logic_text[] =
    "UMOV UR4, 0x6\nUMOV UR6, 0x80000000\nUMOV UR7, 0x1\nUMOV UR8, 0x7f\nUR2UP UPR, UR4, UR8\n"
    "UP2UR UR10, UPR, URZ, 0x7f\nMOV R10, UR10\n"
    "UPLOP3.LUT UP0, UPT, UP1, UP2, UP3, 0x40, 0x0\nUPLOP3.LUT UP4, UPT, UP1, UR6.SIGN, UP3, 0x40, 0x0\n"
    "UPLOP3.LUT UP5, UPT, UP1, UR6.SIGN, UR7.SIGN, 0x40, 0x0\n"
    "UPLOP3.LUT UP6, UPT, UR7.SIGN, UR6.SIGN, UR6.SIGN, 0x8, 0x0\n"
    "UP2UR UR9, UPR, URZ, 0x71\nUSHF.R.U32.HI UR9, URZ, 0x4, UR9\nMOV R8, UR9\n"
    "UP2UR UR9, UPR, URZ, 0x1\nMOV R9, UR9\n";

EXPECT(uniform_loads)
{
    (void)l;
    out[0] = BANK_WORD * 2;
    out[1] = in[2][0];
    out[2] = ~0u;
}
static const char uniform_loads_text[] =
    "UMOV UR6, 0x4\nULDC UR4, c[0x0][UR6+0x20]\nMOV R8, UR4\nUMOV UR2, 0x1000\n"
    "UMOV UR3, 0x800000\nULDC UR5, cx[UR2][0x20]\nMOV R9, UR5\nBAR.SYNCALL\n"
    "VOTE.ANY R10, PT, PT\n";

static const struct rare {
    const struct et_isa_def *isa;
    struct isa_case c;
} cases[] = {
    {&et_isa_maxwell, {"long immediates", long_immediates_text, long_immediates}},
    {&et_isa_maxwell, {"half products", half_products_text, half_products}},
    {&et_isa_ampere, {"half sums", half_sums_text, half_sums}},
    {&et_isa_ampere, {"uniform logic", uniform_logic_text, uniform_logic}},
    {&et_isa_ampere, {"uniform loads", uniform_loads_text, uniform_loads}},
};

START_TEST(computes_what_plain_c_does)
{
    open_isa(cases[_i].isa);
    check_case(&cases[_i].c);
    close_isa();
}
END_TEST

static const struct et_isa_def *const traps[] = {&et_isa_maxwell, &et_isa_ampere};

START_TEST(returns_from_no_trap)
{
    const uint32_t in[32][4] = {{0}};
    uint32_t out[32][4];
    struct etalon_error error = {0};
    open_isa(traps[_i]);
    ck_assert_int_eq(run("RTT\n", in, out, &error), ETALON_TRAP);
    close_isa();
}
END_TEST

/* Shapes whose A would take more than its four registers: an encoding allows them, no operand holds them. */
static const char *const wide_matrices[] = {
    "IMMA.SP.168128.S8.S8 R8, R4.ROW, R4.COL, R4, R4, 0x0\n",
    "IMMA.16864.S8.S8 R8, R4.ROW, R4.COL, R4\n",
    "HMMA.16816.F32.TF32 R8, R4, R4, R4\n",
};

START_TEST(matrices_fit_their_registers)
{
    const uint32_t in[32][4] = {{0}};
    uint32_t out[32][4];
    struct etalon_error error = {0};
    open_isa(&et_isa_ampere);
    ck_assert_int_eq(run(wide_matrices[_i], in, out, &error), ETALON_UNSUPPORTED);
    ck_assert_msg(strstr(error.text, "MMA") != NULL, "%s", error.text);
    close_isa();
}
END_TEST

/* ---- rows of which no random instruction lowers: what reaches one ends in an error with its name */
static void random_of_row(const struct et_isa *set, const struct et_text_row *row, uint64_t *state,
                          uint64_t word[2])
{
    for (unsigned k = 0; k < 2; k++) {
        const uint64_t noise = (uint64_t)random_word(state) << 32 | random_word(state);
        word[k] = (noise & row->named[k] & ~row->mask[k]) | row->match[k];
    }
    if (!(row->source->flags & ET_ROW_NO_GUARD)) {
        word[0] &= ~(UINT64_C(15) << set->def->guard_pos);
        word[0] |= UINT64_C(7) << set->def->guard_pos;
    }
}

START_TEST(what_is_not_executed_is_named)
{
    static struct asm_machine m;
    uint64_t state = 3;
    unsigned refused = 0;
    open_isa(traps[_i]);
    asm_open(&m, isa);
    for (size_t n = 0; n < isa->def->row_count; n++) {
        struct et_insn insn = {0};
        uint64_t word[2], code[4] = {0};
        size_t count = 0;
        bool lowers = false, found = false;
        for (unsigned tries = 0; tries < 60 && !lowers; tries++) {
            struct et_ir_program ir = {0};
            struct et_ir_builder builder = {.program = &ir};
            struct et_insn next;
            uint64_t other[2];
            random_of_row(isa, &isa->rows[n], &state, other);
            if (et_isa_decode(isa, other, 0, 0, &next, NULL) != ETALON_OK || next.row_number != n)
                continue;
            lowers = (isa->def->kind == ET_ISA_MAXWELL
                          ? et_lower_maxwell(isa, &next, &builder, &m.error)
                          : et_lower_ampere(isa, &next, &builder, &m.error)) == ETALON_OK;
            et_ir_program_finish(&ir);
            found = true;
            insn = next;
            memcpy(word, other, sizeof word);
        }
        if (lowers || !found)
            continue;
        refused++;
        asm_put(isa, code, ET_COUNT(code), count, word);
        m.error = (struct etalon_error){0};
        ck_assert_int_eq(asm_load(&m, code, isa->def->bundle ? 32 : 16), ETALON_OK);
        ck_assert_int_ne(asm_launch(&m, 32), ETALON_OK);
        ck_assert(m.error.status == ETALON_UNSUPPORTED || m.error.status == ETALON_ILLEGAL_INSTRUCTION);
        ck_assert_msg(strstr(m.error.text, et_isa_mnemonic(isa, insn.mnemonic)) != NULL, "%s: %s",
                      isa->def->rows[n].text, m.error.text);
    }
    asm_close(&m);
    close_isa();
    ck_assert_uint_gt(refused, 10);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("isa rare");
    TCase *tcase = tcase_create("rare");
    tcase_set_timeout(tcase, 60);
    tcase_add_loop_test(tcase, computes_what_plain_c_does, 0, (int)ET_COUNT(cases));
    tcase_add_loop_test(tcase, returns_from_no_trap, 0, (int)ET_COUNT(traps));
    tcase_add_loop_test(tcase, matrices_fit_their_registers, 0, (int)ET_COUNT(wide_matrices));
    tcase_add_loop_test(tcase, what_is_not_executed_is_named, 0, (int)ET_COUNT(traps));
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
