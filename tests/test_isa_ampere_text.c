/* Ampere's table against NVIDIA's text: every line of the corpus both ways, lowered and checked; rules of
 * decoder and assembler. */
#include "isa/ir/ir.h"
#include "isa/isa.h"
#include "support/packed.h"

#include <inttypes.h>
#include <string.h>

static struct et_isa *isa;

static void open_isa(void)
{
    struct etalon_error error = {0};
    ck_assert_msg(et_isa_open(&et_isa_ampere, &isa, &error) == ETALON_OK, "%s", error.text);
}

static void close_isa(void)
{
    et_isa_close(isa);
}

/* One blank for each run of blanks, as NVIDIA's text is compared. */
static void fold(char *text)
{
    char *out = text;
    for (; *text; text++)
        if (*text != ' ' || (out > text && out[-1] != ' ') || text[1] != ' ')
            *out++ = *text;
    *out = 0;
}

struct line {
    uint64_t pc, word[2];
    char mark;
    char *text;
};

/* Splits a line in place; returns the next one. */
static char *next_line(char *at, struct line *line)
{
    char *end = strchr(at, '\n');
    ck_assert_ptr_nonnull(end);
    *end = 0;
    line->pc = strtoull(at, &at, 16);
    line->word[0] = strtoull(at, &at, 16);
    line->word[1] = strtoull(at, &at, 16);
    ck_assert_int_eq(*at, '\t');
    line->mark = at[1];
    line->text = at + 2;
    return end + 1;
}

static void decode(const uint64_t word[2], uint64_t pc, struct et_insn *insn, char *text, size_t size)
{
    struct etalon_error error = {0};
    ck_assert_msg(et_isa_decode(isa, word, 0, pc, insn, &error) == ETALON_OK,
                  "%016" PRIx64 " %016" PRIx64 ": %s", word[0], word[1], error.text);
    ck_assert_uint_lt(et_isa_disasm(isa, insn, NULL, text, size), size);
    fold(text);
}

static void assemble(const char *text, const struct et_insn *like, uint64_t word[2])
{
    struct et_isa_labels labels = {NULL, NULL, (uint64_t)like->op[ET_SLOT('h')].value};
    struct etalon_error error = {0};
    char scheduled[640];
    uint32_t control;
    size_t n = et_isa_sched_text(&like->sched, scheduled, sizeof scheduled);
    snprintf(scheduled + n, sizeof scheduled - n, " %s", text);
    ck_assert_msg(et_isa_assemble(isa, scheduled, like->pc, &labels, word, &control, &error) == ETALON_OK,
                  "%s", error.text);
}

START_TEST(corpus_reads_and_assembles_as_nvidia_writes_it)
{
    size_t size, exact = 0, similar = 0;
    char *text = packed_text("conformance/kernels/dis-ampere.txt.zst", &size), *at = text;
    while (*at) {
        struct et_insn insn;
        struct line line;
        uint64_t word[2];
        char got[512];
        at = next_line(at, &line);
        decode(line.word, line.pc, &insn, got, sizeof got);
        fold(line.text);
        ck_assert_msg(strcmp(got, line.text) == 0, "%016" PRIx64 " %016" PRIx64 " is \"%s\", not \"%s\"",
                      line.word[0], line.word[1], line.text, got);
        assemble(line.text, &insn, word);
        if (line.mark == '=') {
            exact++;
            ck_assert_msg(word[0] == line.word[0] && word[1] == line.word[1],
                          "\"%s\" gives %016" PRIx64 " %016" PRIx64 ", not %016" PRIx64 " %016" PRIx64,
                          line.text, word[0], word[1], line.word[0], line.word[1]);
        } else {
            similar++;
            decode(word, line.pc, &insn, got, sizeof got);
            ck_assert_str_eq(got, line.text);
        }
    }
    ck_assert_uint_gt(exact, 20000);
    ck_assert_uint_gt(similar, 12000);
    free(text);
}
END_TEST

/* What lowers is well-formed; what doesn't says which instruction. All of the compiled kernels lowers. */
START_TEST(corpus_lowers_to_sound_ir)
{
    size_t size;
    char *text = packed_text("conformance/kernels/dis-ampere.txt.zst", &size), *at = text;
    while (*at) {
        struct et_ir_program program = {0};
        struct et_ir_builder builder = {.program = &program};
        struct etalon_error error = {0};
        enum etalon_status status;
        struct et_insn insn;
        struct line line;
        char got[512];
        at = next_line(at, &line);
        decode(line.word, line.pc, &insn, got, sizeof got);
        status = et_lower_ampere(isa, &insn, &builder, &error);
        if (line.mark == '=')
            ck_assert_msg(status == ETALON_OK, "%s", error.text);
        if (status == ETALON_OK) {
            ck_assert_uint_gt(program.count, 0);
            status = et_ir_check(&program, &error);
            ck_assert_msg(status == ETALON_OK || strstr(error.text, "constant bank"), "\"%s\": %s", got,
                          error.text);
        } else {
            ck_assert_int_eq(status, ETALON_UNSUPPORTED);
            ck_assert_ptr_nonnull(strstr(error.text, "instruction not executed"));
        }
        et_ir_program_finish(&program);
    }
    free(text);
}
END_TEST

START_TEST(no_two_rows_claim_one_word)
{
    struct etalon_error error = {0};
    ck_assert_msg(et_isa_check(isa, &error) == ETALON_OK, "%s", error.text);
}
END_TEST

static const struct {
    uint64_t low, high;
    const char *cause;
} refused[] = {
    {0xffffffffffffffff, 0xffffffffffffffff, "unknown opcode"},
    {0x0000010d05057223, 0x001fc6000000000e, "reserved bits"},  /* FFMA, bit 40 */
    {0x0000000000007308, 0x000fc00000002c00, "reserved value"}, /* MUFU function 11 */
    {0x0000000000007981, 0x000fc0000c1e1f00, "reserved value"}, /* LDG width 7 */
    {0x0000000300007220, 0x000fc00000000000, "reserved value"}, /* FMUL scale 0 */
    {0x000000000000720e, 0x000fc00000000000, "unknown opcode"},
};

START_TEST(reserved_encodings_are_named_errors)
{
    struct etalon_error error = {0};
    struct et_insn insn;
    uint64_t word[2] = {refused[_i].low, refused[_i].high};
    ck_assert_int_eq(et_isa_decode(isa, word, 0, 0x40, &insn, &error), ETALON_ILLEGAL_INSTRUCTION);
    ck_assert_msg(strstr(error.text, refused[_i].cause) != NULL, "%016" PRIx64 ": %s", word[0], error.text);
    ck_assert_uint_eq(error.pc, 0x40);
}
END_TEST

/* What Mesa's compiler emits and NVIDIA's does not. [DRV: NVK 25.0.7] */
static const struct {
    uint64_t low, high;
    const char *text;
} driver_forms[] = {
    {0x00002000ff007322, 0x0001c80000001cff, "AST.P.128 a[0x20], R0"},
    {0x00001000ff007322, 0x0001c800000014ff, "AST.P.64 a[0x10], R0"},
    {0x000020ffff047321, 0x0001c80000001c00, "ALD.P.128 R4, a[RZ+0x20]"},
    {0x6000000102ff73a0, 0x0001c800001f4000, "SURED.D.2D.ADD.STRONG.SYS.IGN [R2], R1, R0"},
};

START_TEST(forms_of_drivers_are_read)
{
    const uint64_t word[2] = {driver_forms[_i].low, driver_forms[_i].high};
    struct et_insn insn;
    char text[256];
    decode(word, 0x40, &insn, text, sizeof text);
    ck_assert_str_eq(text, driver_forms[_i].text);
}
END_TEST

static const char *const malformed[] = {"",
                                        "FADD",
                                        "FADD R0, R1",
                                        "FADD R0, R1, R256",
                                        "FADD R0, R1, R2, R3",
                                        "FADD.FMZ R0, R1, R2",
                                        "FADD.SAT.FTZ R0, R1, R2",
                                        "IMAD.SHL.U32 R0, R1, 0x3, RZ",
                                        "IMAD.MOV.U32 R0, R1, R2, R3",
                                        "IADD3 R0, R1, 0x100000000, R2",
                                        "LDS R0, [R1+0x800000]",
                                        "LDG.E R0, [R1.64+UR99]",
                                        "MOV R0, UR64",
                                        "MOV R0, c[0x20][0x0]",
                                        "MOV R0, c[0x0][0x2]",
                                        "BRA 0x6",
                                        "BRA `(nowhere)",
                                        "@P9 NOP",
                                        "@UP0 NOP",
                                        "@P0 UMOV UR0, 0x0",
                                        "[B------:R-:W-:Y:S16] NOP",
                                        "[B-----:R-:W-:Y:S01] NOP",
                                        "TEX.B R0, R1, R2, R3, 5D"};

START_TEST(malformed_text_is_refused)
{
    struct etalon_error error = {0};
    uint64_t word[2];
    uint32_t control;
    ck_assert_msg(et_isa_assemble(isa, malformed[_i], 16, NULL, word, &control, &error) == ETALON_FORMAT,
                  "%s", malformed[_i]);
    ck_assert_str_ne(error.text, "");
}
END_TEST

START_TEST(scheduling_fields_go_round)
{
    static const char text[] = "[B0-2--5:R1:W-:Y:S11]";
    struct etalon_error error = {0};
    struct et_insn insn;
    uint64_t word[2];
    uint32_t control;
    char back[64], line[96];
    snprintf(line, sizeof line, "%s FFMA R1, R2, R3.reuse, R4", text);
    ck_assert_int_eq(et_isa_assemble(isa, line, 0, NULL, word, &control, &error), ETALON_OK);
    ck_assert_int_eq(et_isa_decode(isa, word, 0, 0, &insn, &error), ETALON_OK);
    et_isa_sched_text(&insn.sched, back, sizeof back);
    ck_assert_str_eq(back, text);
    ck_assert_uint_eq(insn.sched.reuse, 2);
    ck_assert_uint_eq(insn.sched.stall, 11);
    ck_assert_uint_eq(insn.sched.read_barrier, 1);
    ck_assert_uint_eq(insn.sched.write_barrier, 7);
    ck_assert_uint_eq(insn.sched.wait_mask, 0x25);
}
END_TEST

/* Any word decodes or is refused; what decodes prints, and what prints assembles and prints the same again,
 * unless the address is a register that text drops. */
START_TEST(random_words_round_trip)
{
    uint64_t state = 0x9e3779b97f4a7c15;
    unsigned i, decoded = 0;
    for (i = 0; i < 150000; i++) {
        struct etalon_error error = {0};
        struct et_insn insn;
        uint64_t mask[2], match[2], named[2], word[2], noise[2];
        size_t row;
        char once[512], twice[512];
        unsigned k;
        for (k = 0; k < 3; k++) {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            noise[k & 1] = state;
        }
        row = (size_t)(state >> 20) % et_isa_ampere.row_count;
        if (et_isa_ampere.rows[row].flags & ET_ROW_DECODE)
            continue;
        et_isa_row_bits(isa, row, mask, match, named);
        for (k = 0; k < 2; k++)
            word[k] = (i & 1 ? noise[k] & named[k] & ~mask[k] : noise[k] & ~mask[k]) | match[k];
        if (et_isa_decode(isa, word, 0, 0x4000000, &insn, &error) != ETALON_OK)
            continue;
        decoded++;
        ck_assert_uint_lt(et_isa_disasm(isa, &insn, NULL, once, sizeof once), sizeof once);
        assemble(once, &insn, word);
        decode(word, 0x4000000, &insn, twice, sizeof twice);
        fold(once);
        ck_assert_str_eq(once, twice);
    }
    ck_assert_uint_gt(decoded, 30000);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("ampere text");
    TCase *tcase = tcase_create("ampere text");
    tcase_set_timeout(tcase, 120);
    tcase_add_unchecked_fixture(tcase, open_isa, close_isa);
    tcase_add_test(tcase, corpus_reads_and_assembles_as_nvidia_writes_it);
    tcase_add_test(tcase, corpus_lowers_to_sound_ir);
    tcase_add_test(tcase, no_two_rows_claim_one_word);
    tcase_add_loop_test(tcase, forms_of_drivers_are_read, 0,
                        (int)(sizeof driver_forms / sizeof *driver_forms));
    tcase_add_loop_test(tcase, reserved_encodings_are_named_errors, 0,
                        (int)(sizeof refused / sizeof *refused));
    tcase_add_loop_test(tcase, malformed_text_is_refused, 0, (int)(sizeof malformed / sizeof *malformed));
    tcase_add_test(tcase, scheduling_fields_go_round);
    tcase_add_test(tcase, random_words_round_trip);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
