/* Assembled text, lowered and run on one warp of either instruction set. */
#ifndef ET_TESTS_ISA_WARP_H
#define ET_TESTS_ISA_WARP_H

#include "isa/interp/program.h"
#include "isa/isa.h"
#include "support/suite.h"

#include "base/bits.h"

#include <stdio.h>
#include <string.h>

#define BASE      UINT64_C(0x10000)
#define BANK_WORD 0x9e3779b9u

static struct et_isa *isa;
static bool maxwell;

static inline void open_isa(const struct et_isa_def *def)
{
    struct etalon_error error = {0};
    maxwell = def->kind == ET_ISA_MAXWELL;
    ck_assert_msg(et_isa_open(def, &isa, &error) == ETALON_OK, "%s", error.text);
}

static inline void close_isa(void)
{
    et_isa_close(isa);
}

/* ---- assembling: lines end in \n, a label's line is its name and a colon */
struct source {
    const char *text;
    size_t count; /* instructions */
};

static inline uint64_t address_of(size_t n)
{
    return maxwell ? n / 3 * 32 + 8 + n % 3 * 8 : n * 16;
}

static inline int find_label(void *context, const char *name, size_t length, uint64_t *address)
{
    const struct source *source = context;
    size_t n = 0;
    for (const char *line = source->text; *line; line = strchr(line, '\n') + 1) {
        const size_t size = (size_t)(strchr(line, '\n') - line);
        if (line[size - 1] != ':') {
            n++;
        } else if (size == length + 1 && strncmp(line, name, length) == 0) {
            *address = address_of(n);
            return 1;
        }
    }
    return 0;
}

/* Returns the code's size in bytes; Maxwell's last bundle is filled up with NOP. */
static inline size_t assemble(const char *text, uint64_t *code, size_t most)
{
    struct source source = {text, 0};
    const struct et_isa_labels labels = {find_label, &source, 0};
    size_t n = 0;
    for (const char *line = text; *line || (maxwell && n % 3);) {
        const char *end = *line ? strchr(line, '\n') : NULL;
        struct etalon_error error = {0};
        char one[256];
        uint64_t word[2] = {0, 0};
        uint32_t control = 0x7e0;
        snprintf(one, sizeof one, "%.*s", end ? (int)(end - line) : 3, end ? line : "NOP");
        if (end)
            line = end + 1;
        if (one[strlen(one) - 1] == ':')
            continue;
        ck_assert_msg(et_isa_assemble(isa, one, address_of(n), &labels, word, &control, &error) == ETALON_OK,
                      "%s: %s", one, error.text);
        ck_assert_uint_lt(address_of(n) / 8 + 1, most);
        code[address_of(n) / 8] = word[0];
        if (maxwell)
            code[address_of(n) / 32 * 4] = UINT64_C(0x7e0) * (1 | 1 << 21 | UINT64_C(1) << 42);
        else
            code[address_of(n) / 8 + 1] = word[1];
        n++;
    }
    return maxwell ? n / 3 * 32 : n * 16;
}

/* ---- one warp: R4..R7 from in[lane], R8..R11 to out[lane]; R0 is the lane */
static inline enum etalon_status run(const char *body, const uint32_t in[32][4], uint32_t out[32][4],
                                     struct etalon_error *error)
{
    static const char maxwell_prologue[] =
        "S2R R0, SR_TID.X\nSHL R2, R0, 0x4\nIADD32I R2, R2, 0x10000\nLDG.128 R4, [R2]\n"
        "MOV R8, RZ\nMOV R9, RZ\nMOV R10, RZ\nMOV R11, RZ\n";
    static const char maxwell_epilogue[] = "STG.128 [R2+0x1000], R8\nEXIT\n";
    static const char ampere_prologue[] =
        "S2R R0, SR_TID.X\nIMAD.SHL.U32 R2, R0, 0x10, RZ\nIADD3 R2, R2, 0x10000, RZ\nMOV R3, RZ\n"
        "LDG.E.128 R4, [R2.64]\nMOV R8, RZ\nMOV R9, RZ\nMOV R10, RZ\nMOV R11, RZ\n";
    static const char ampere_epilogue[] = "STG.E.128 [R2.64+0x1000], R8\nEXIT\n";
    static uint64_t code[1024];
    static char text[8192];
    static uint32_t bank[64];
    struct et_ram ram;
    struct et_pagemap map;
    struct et_program *program = NULL;
    struct et_launch launch = {0};
    const struct et_grid grid = {{1, 1, 1}, {32, 1, 1}, 1024, 0, 0, 1, false};
    enum etalon_status status;
    size_t size;
    snprintf(text, sizeof text, "%s%s%s", maxwell ? maxwell_prologue : ampere_prologue, body,
             maxwell ? maxwell_epilogue : ampere_epilogue);
    memset(code, 0, sizeof code);
    size = assemble(text, code, ET_COUNT(code));
    ck_assert_int_eq(et_ram_create(&ram, 1 << 16, ET_RAM_TRACKED, error), ETALON_OK);
    et_pagemap_init(&map, &ram, 40);
    ck_assert_int_eq(et_pagemap_map(&map, BASE, 1 << 16, 0, ET_READ | ET_WRITE, 0, error), ETALON_OK);
    memcpy(ram.base, in, 32 * sizeof *in);
    for (unsigned n = 0; n < ET_COUNT(bank); n++)
        bank[n] = BANK_WORD * (n - 7);
    launch.map = &map;
    launch.event = 1;
    launch.stage = ET_STAGE_COMPUTE;
    launch.local_bytes = 256;
    launch.shared_window = 0x1000000;
    launch.local_window = 0x2000000;
    launch.window_bytes = 1 << 24;
    launch.banks[0] = (struct et_bank){(const uint8_t *)bank, sizeof bank};
    status = et_program_create(&program, maxwell ? ET_ISA_MAXWELL : ET_ISA_AMPERE, code, size,
                               maxwell ? 8 : 0, error);
    if (status == ETALON_OK) {
        launch.program = program;
        status = et_run_grid(&launch, &grid, NULL, error);
    }
    memcpy(out, ram.base + 0x1000, 32 * sizeof *out);
    et_program_destroy(program);
    et_pagemap_finish(&map);
    et_ram_destroy(&ram);
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
