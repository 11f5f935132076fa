/* Maxwell's table against NVIDIA's text: every line of the corpus both ways; and rules of decoder and
 * assembler. */
#include "isa/isa.h"
#include "support/packed.h"

#include <inttypes.h>
#include <string.h>

static struct et_isa *isa;

static void open_isa(void)
{
    struct etalon_error error = {0};
    ck_assert_msg(et_isa_open(&et_isa_maxwell, &isa, &error) == ETALON_OK, "%s", error.text);
}

static void close_isa(void)
{
    et_isa_close(isa);
}

/* One blank for each run of blanks. */
static void fold(char *out, const char *text, size_t size)
{
    size_t n = 0;
    for (; *text && n + 1 < size; text++)
        if (*text != ' ' || (n && out[n - 1] != ' ' && text[1] && text[1] != ' '))
            out[n++] = *text;
    out[n] = 0;
}

struct line {
    uint64_t pc, word, back;
    uint32_t control;
    const char *text;
};

/* Splits a line in place; returns the next one. */
static char *next_line(char *at, struct line *line)
{
    char *end = strchr(at, '\n'), *tab;
    ck_assert_ptr_nonnull(end);
    *end = 0;
    line->pc = strtoull(at, &at, 16);
    line->control = (uint32_t)strtoul(at, &at, 16);
    line->back = line->word = strtoull(at, &at, 16);
    ck_assert_int_eq(*at, '\t');
    line->text = at + 1;
    tab = strchr(at + 1, '\t');
    if (tab) {
        *tab = 0;
        line->back = strtoull(tab + 1, NULL, 16);
    }
    return end + 1;
}

START_TEST(corpus_reads_and_assembles_as_nvidia_writes_it)
{
    size_t size, lines = 0;
    char *text = packed_text("conformance/kernels/dis-maxwell.txt.zst", &size), *at = text;
    while (*at) {
        struct etalon_error error = {0};
        struct et_insn insn;
        struct line line;
        uint64_t word[2] = {0, 0};
        uint32_t control;
        char got[512], a[512], b[512];
        at = next_line(at, &line);
        word[0] = line.word;
        ck_assert_msg(et_isa_decode(isa, word, line.control, line.pc, &insn, &error) == ETALON_OK,
                      "%016" PRIx64 " %s: %s", line.word, line.text, error.text);
        ck_assert_uint_lt(et_isa_disasm(isa, &insn, NULL, got, sizeof got), sizeof got);
        fold(a, line.text, sizeof a);
        fold(b, got, sizeof b);
        ck_assert_msg(strcmp(a, b) == 0, "%016" PRIx64 " is \"%s\", not \"%s\"", line.word, line.text, got);
        ck_assert_msg(et_isa_assemble(isa, line.text, line.pc, NULL, word, &control, &error) == ETALON_OK,
                      "%s", error.text);
        ck_assert_msg(word[0] == line.back, "\"%s\" gives %016" PRIx64 ", not %016" PRIx64, line.text,
                      word[0], line.back);
        ck_assert_msg(et_isa_sched(control).reuse == et_isa_sched(line.control).reuse, "reuse of \"%s\"",
                      line.text);
        lines++;
    }
    ck_assert_uint_gt(lines, 30000);
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
    uint64_t word;
    const char *cause;
} refused[] = {
    {0xffffffffffffffff, "unknown opcode"},
    {0x5c58000080370405, "reserved bits"},               /* FADD, bit 31 */
    {0x5080000000d70400, "reserved value"},              /* MUFU function 13 */
    {0x5cc0006000370405, "reserved value"},              /* IADD3 shift 3 */
    {0x5b14048000370405 | 1ull << 52, "reserved value"}, /* XMAD mode 5 */
    {0x5be0000000370405 | 1ull << 51, "unknown opcode"},
};

START_TEST(reserved_encodings_are_named_errors)
{
    struct etalon_error error = {0};
    struct et_insn insn;
    uint64_t word[2] = {refused[_i].word, 0};
    ck_assert_int_eq(et_isa_decode(isa, word, 0x7e0, 0x48, &insn, &error), ETALON_ILLEGAL_INSTRUCTION);
    ck_assert_msg(strstr(error.text, refused[_i].cause) != NULL, "%016" PRIx64 ": %s", refused[_i].word,
                  error.text);
}
END_TEST

static const char *const malformed[] = {
    "",
    "FADD",
    "FADD R0, R1",
    "FADD R0, R1, R256",
    "FADD R0, R1, R2, R3",
    "FADD.FMZ R0, R1, R2",
    "FFMA32I R0, R1, 2, R3", /* the addend is the destination */
    "ATOM.CAS R0, [R2], R4, R6",
    "IADD R0, R1, 0x100000",
    "LDS R0, [R1+0x800000]",
    "BRA 0x1000000000",
    "@P9 NOP",
    "TEX.B R0, R1, R2, 0x5, 2D, 0xf",
};

START_TEST(malformed_text_is_refused)
{
    struct etalon_error error = {0};
    uint64_t word[2];
    uint32_t control;
    ck_assert_int_eq(et_isa_assemble(isa, malformed[_i], 8, NULL, word, &control, &error), ETALON_FORMAT);
    ck_assert_str_ne(error.text, "");
}
END_TEST

START_TEST(scheduling_words_give_each_slot_its_bits)
{
    /* Slot 1 stall 1 wait none, slot 2 stall 2 write barrier 0, slot 3 stall 13 reuse a. */
    static const uint64_t code[4] = {0x7f1ull | 0x0702ull << 21 | (0x7edull | 1 << 17) << 42,
                                     0x50b0000000070f00, 0x5080000000470009, 0x5980010000270002};
    static const struct et_sched want[4] = {{0}, {1, 1, 7, 7, 0, 0}, {2, 0, 0, 7, 0, 0}, {13, 0, 7, 7, 0, 1}};
    unsigned slot;
    for (slot = 0; slot < 4; slot++) {
        struct etalon_error error = {0};
        struct et_sched sched;
        uint64_t word[2];
        uint32_t control;
        int is_sched;
        ck_assert_int_eq(et_isa_fetch(isa, code, sizeof code, slot * 8, word, &control, &is_sched, &error),
                         ETALON_OK);
        ck_assert_int_eq(is_sched, slot == 0);
        ck_assert_uint_eq(word[0], code[slot]);
        if (slot == 0)
            continue;
        sched = et_isa_sched(control);
        ck_assert_uint_eq(sched.stall, want[slot].stall);
        ck_assert_uint_eq(sched.yield, want[slot].yield);
        ck_assert_uint_eq(sched.write_barrier, want[slot].write_barrier);
        ck_assert_uint_eq(sched.read_barrier, want[slot].read_barrier);
        ck_assert_uint_eq(sched.reuse, want[slot].reuse);
    }
}
END_TEST

/* Any word decodes or is refused; what decodes prints, and what prints assembles and prints the same again.
 */
START_TEST(random_words_round_trip)
{
    uint64_t state = 0x9e3779b97f4a7c15;
    unsigned i, decoded = 0;
    for (i = 0; i < 200000; i++) {
        struct etalon_error error = {0};
        struct et_insn insn;
        uint64_t mask[2], match[2], named[2], word[2];
        uint32_t control;
        char once[512], twice[512];
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        et_isa_row_bits(isa, state % et_isa_maxwell.row_count, mask, match, named);
        word[0] = (i & 1 ? state & named[0] & ~mask[0] : state & ~mask[0]) | match[0];
        word[1] = 0;
        if (et_isa_decode(isa, word, 0x7e0, 0x4000000, &insn, &error) != ETALON_OK)
            continue;
        decoded++;
        ck_assert_uint_lt(et_isa_disasm(isa, &insn, NULL, once, sizeof once), sizeof once);
        ck_assert_msg(et_isa_assemble(isa, once, 0x4000000, NULL, word, &control, &error) == ETALON_OK, "%s",
                      error.text);
        ck_assert_msg(et_isa_decode(isa, word, control, 0x4000000, &insn, &error) == ETALON_OK, "\"%s\": %s",
                      once, error.text);
        et_isa_disasm(isa, &insn, NULL, twice, sizeof twice);
        ck_assert_str_eq(once, twice);
    }
    ck_assert_uint_gt(decoded, 50000);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("maxwell text");
    TCase *tcase = tcase_create("maxwell text");
    tcase_set_timeout(tcase, 120);
    tcase_add_unchecked_fixture(tcase, open_isa, close_isa);
    tcase_add_test(tcase, corpus_reads_and_assembles_as_nvidia_writes_it);
    tcase_add_test(tcase, no_two_rows_claim_one_word);
    tcase_add_loop_test(tcase, reserved_encodings_are_named_errors, 0,
                        (int)(sizeof refused / sizeof *refused));
    tcase_add_loop_test(tcase, malformed_text_is_refused, 0, (int)(sizeof malformed / sizeof *malformed));
    tcase_add_test(tcase, scheduling_words_give_each_slot_its_bits);
    tcase_add_test(tcase, random_words_round_trip);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
