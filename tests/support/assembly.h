/* Runs assembled text on emulated RAM: what tests of instructions share. */
#ifndef ET_TESTS_ASSEMBLY_H
#define ET_TESTS_ASSEMBLY_H

#include "support/suite.h"

#include "base/bits.h"
#include "isa/interp/program.h"
#include "isa/isa.h"

#include <stdio.h>
#include <string.h>

#define ASM_BASE  UINT64_C(0x10000)
#define ASM_BYTES (1u << 20)

/* ---- assembling: lines end in \n, a label's line is its name and a colon */
struct asm_source {
    const struct et_isa *isa;
    const char *text;
};

/* Where instruction n lies: Maxwell's bundles start with a scheduling word. */
static inline uint64_t asm_address(const struct et_isa *isa, size_t n)
{
    return et_isa_def_of(isa)->bundle ? n / 3 * 32 + 8 + n % 3 * 8 : n * 16;
}

static inline int asm_find_label(void *context, const char *name, size_t length, uint64_t *address)
{
    const struct asm_source *source = context;
    size_t n = 0;
    for (const char *line = source->text; *line; line = strchr(line, '\n') + 1) {
        const size_t size = (size_t)(strchr(line, '\n') - line);
        if (line[size - 1] != ':') {
            n++;
        } else if (size == length + 1 && strncmp(line, name, length) == 0) {
            *address = asm_address(source->isa, n);
            return 1;
        }
    }
    return 0;
}

/* Puts instruction n where it belongs, with scheduling that waits for nothing. */
static inline void asm_put(const struct et_isa *isa, uint64_t *code, size_t most, size_t n,
                           const uint64_t word[2])
{
    const uint64_t at = asm_address(isa, n) / 8;
    ck_assert_uint_lt(at + 1, most);
    code[at] = word[0];
    if (et_isa_def_of(isa)->bundle)
        code[at / 4 * 4] = UINT64_C(0x7e0) * (1 | 1 << 21 | UINT64_C(1) << 42);
    else
        code[at + 1] = word[1];
}

/* Appends `text` at instruction *n; labels count from the text's start, which is then instruction 0. */
static inline void asm_append(const struct et_isa *isa, const char *text, uint64_t *code, size_t most,
                              size_t *n)
{
    struct asm_source source = {isa, text};
    const struct et_isa_labels labels = {asm_find_label, &source, 0};
    while (*text) {
        const char *end = strchr(text, '\n');
        struct etalon_error error = {0};
        char one[256];
        uint64_t word[2] = {0, 0};
        uint32_t control = 0;
        ck_assert_ptr_nonnull(end);
        snprintf(one, sizeof one, "%.*s", (int)(end - text), text);
        text = end + 1;
        if (one[strlen(one) - 1] == ':')
            continue;
        ck_assert_msg(et_isa_assemble(isa, one, asm_address(isa, *n), &labels, word, &control, &error) ==
                          ETALON_OK,
                      "%s: %s", one, error.text);
        asm_put(isa, code, most, (*n)++, word);
    }
}

/* Fills up the last bundle; the code's size in bytes. */
static inline size_t asm_finish(const struct et_isa *isa, uint64_t *code, size_t most, size_t n)
{
    while (et_isa_def_of(isa)->bundle && n % 3)
        asm_append(isa, "NOP\n", code, most, &n);
    return et_isa_def_of(isa)->bundle ? n / 3 * 32 : n * 16;
}

/* ---- a machine: a megabyte at ASM_BASE, bank 0, the windows of shared and local memory */
struct asm_machine {
    const struct et_isa *isa;
    struct et_ram ram;
    struct et_pagemap map;
    struct et_launch launch;
    uint32_t bank[4096];
    struct et_program *program;
    struct etalon_error error;
};

static inline void asm_open(struct asm_machine *m, const struct et_isa *isa)
{
    memset(m, 0, sizeof *m);
    m->isa = isa;
    ck_assert_int_eq(et_ram_create(&m->ram, ASM_BYTES, ET_RAM_TRACKED, &m->error), ETALON_OK);
    et_pagemap_init(&m->map, &m->ram, 40);
    ck_assert_int_eq(et_pagemap_map(&m->map, ASM_BASE, ASM_BYTES, 0, ET_READ | ET_WRITE, 0, &m->error),
                     ETALON_OK);
    m->launch.map = &m->map;
    m->launch.event = 1;
    m->launch.stage = ET_STAGE_COMPUTE;
    m->launch.local_bytes = 256;
    m->launch.shared_window = 0x1000000;
    m->launch.local_window = 0x2000000;
    m->launch.window_bytes = 1 << 24;
    m->launch.bindless_bank = -1;
    m->launch.banks[0] = (struct et_bank){(const uint8_t *)m->bank, sizeof m->bank};
}

static inline void asm_close(struct asm_machine *m)
{
    et_program_destroy(m->program);
    et_pagemap_finish(&m->map);
    et_ram_destroy(&m->ram);
}

/* Translates code that starts at its first instruction; replaces the program there is. */
static inline enum etalon_status asm_load(struct asm_machine *m, const uint64_t *code, size_t size)
{
    enum etalon_status status;
    et_program_destroy(m->program);
    m->program = NULL;
    status = et_program_create_at(&m->program, m->isa, code, size, 0, 0, &m->error);
    m->launch.program = m->program;
    return status;
}

/* Runs one block of `threads`. */
static inline enum etalon_status asm_launch(struct asm_machine *m, uint32_t threads)
{
    const struct et_grid grid = {{1, 1, 1}, {threads, 1, 1}, 1024, 0, 0, 1, false};
    return et_run_grid(&m->launch, &grid, NULL, &m->error);
}

static inline enum etalon_status asm_run(struct asm_machine *m, const char *text, uint32_t threads)
{
    static uint64_t code[4096];
    size_t n = 0;
    enum etalon_status status;
    memset(code, 0, sizeof code);
    asm_append(m->isa, text, code, ET_COUNT(code), &n);
    status = asm_load(m, code, asm_finish(m->isa, code, ET_COUNT(code), n));
    return status == ETALON_OK ? asm_launch(m, threads) : status;
}

/* Runs `body` between a prologue and an epilogue: R0 is the thread, R2 (R3 above it) the address of its row,
 * R4..R7 come from in[thread], R8..R11 (zero before) go to out[thread]. */
static inline enum etalon_status asm_rows(struct asm_machine *m, const char *body, uint32_t threads,
                                          const uint32_t in[][4], uint32_t out[][4])
{
    static const char *const around[ET_ISA_COUNT][2] = {
        [ET_ISA_MAXWELL] = {"S2R R0, SR_TID.X\nSHL R2, R0, 0x4\nIADD32I R2, R2, 0x10000\nMOV R3, RZ\n"
                            "LDG.E.128 R4, [R2]\nMOV R8, RZ\nMOV R9, RZ\nMOV R10, RZ\nMOV R11, RZ\n",
                            "STG.E.128 [R2+0x4000], R8\nEXIT\n"},
        [ET_ISA_AMPERE] = {"S2R R0, SR_TID.X\nIMAD.SHL.U32 R2, R0, 0x10, RZ\nIADD3 R2, R2, 0x10000, RZ\n"
                           "MOV R3, RZ\nLDG.E.128 R4, [R2.64]\nCS2R R8, SRZ\nCS2R R10, SRZ\n",
                           "STG.E.128 [R2.64+0x4000], R8\nEXIT\n"}};
    static char text[1 << 15];
    const char *const *const use = around[et_isa_def_of(m->isa)->kind];
    enum etalon_status status;
    ck_assert_uint_le(threads, 1024);
    ck_assert_int_lt(snprintf(text, sizeof text, "%s%s%s", use[0], body, use[1]), (int)sizeof text);
    memcpy(m->ram.base, in, threads * sizeof *in);
    memset(m->ram.base + 0x4000, 0, threads * sizeof *out);
    status = asm_run(m, text, threads);
    memcpy(out, m->ram.base + 0x4000, threads * sizeof *out);
    return status;
}

/* Random words, one in eight a special one. */
static inline uint32_t asm_random(uint64_t *state)
{
    static const uint32_t special[] = {0,       1,      0xffffffff, 0x80000000, 0x7fffffff, 0x8000,
                                       0x10000, 0xffff, 0x3f800000, 0x7f800000, 0xffc00000, 0x00000fff};
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *state >> 61 ? (uint32_t)(*state >> 32) : special[(*state >> 50 & 1023) % ET_COUNT(special)];
}

#endif
