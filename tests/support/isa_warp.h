/* Assembled text, lowered and run on one warp of either instruction set. */
#ifndef ET_TESTS_ISA_WARP_H
#define ET_TESTS_ISA_WARP_H

#include "support/assembly.h"

#define BASE      ASM_BASE
#define BANK_WORD 0x9e3779b9u

static struct et_isa *isa;

static inline void open_isa(const struct et_isa_def *def)
{
    struct etalon_error error = {0};
    ck_assert_msg(et_isa_open(def, &isa, &error) == ETALON_OK, "%s", error.text);
}

static inline void close_isa(void)
{
    et_isa_close(isa);
}

/* ---- one warp: R4..R7 from in[lane], R8..R11 to out[lane]; R0 is the lane */
static inline enum etalon_status run(const char *body, const uint32_t in[32][4], uint32_t out[32][4],
                                     struct etalon_error *error)
{
    static struct asm_machine machine;
    enum etalon_status status;
    asm_open(&machine, isa);
    for (unsigned n = 0; n < 64; n++)
        machine.bank[n] = BANK_WORD * (n - 7);
    status = asm_rows(&machine, body, 32, in, out);
    *error = machine.error;
    asm_close(&machine);
    return status;
}

/* ---- what the bodies compute */
typedef const uint32_t in_t[32][4];
typedef void expect_fn(in_t in, unsigned lane, uint32_t out[4]);

struct isa_case {
    const char *name, *text;
    expect_fn *expect;
};

static inline uint64_t wide(const uint32_t *words)
{
    return (uint64_t)words[1] << 32 | words[0];
}

static inline void put64(uint32_t out[2], uint64_t value)
{
    out[0] = (uint32_t)value;
    out[1] = (uint32_t)(value >> 32);
}

#define EXPECT(name) static void name(in_t in, unsigned l, uint32_t out[4])
#define A            in[l][0]
#define B            in[l][1]
#define C            in[l][2]
#define D            in[l][3]

static inline uint32_t random_word(uint64_t *state)
{
    static const uint32_t special[] = {0, 1, 0xffffffff, 0x80000000, 0x7fffffff, 0x8000, 0x10000, 0xffff};
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *state >> 61 ? (uint32_t)(*state >> 32) : special[*state >> 58 & 7];
}

/* Random words, special ones often. */
static inline void check_case(const struct isa_case *c)
{
    uint64_t state = 1;
    for (unsigned round = 0; round < 64; round++) {
        uint32_t in[32][4], out[32][4];
        struct etalon_error error = {0};
        for (unsigned n = 0; n < 128; n++)
            in[n / 4][n % 4] =
                (round + n) % 2 ? random_word(&state) : (uint32_t)(random_word(&state) * BANK_WORD);
        ck_assert_msg(run(c->text, in, out, &error) == ETALON_OK, "%s: %s", c->name, error.text);
        for (unsigned l = 0; l < 32; l++) {
            uint32_t want[4] = {0};
            c->expect(in, l, want);
            for (unsigned n = 0; n < 4; n++)
                ck_assert_msg(out[l][n] == want[n],
                              "%s, lane %u, R%u: %08x, not %08x (of %08x %08x %08x %08x)", c->name, l, 8 + n,
                              out[l][n], want[n], in[l][0], in[l][1], in[l][2], in[l][3]);
        }
    }
}

#endif
