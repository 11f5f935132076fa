/* Instructions and lane operations a second of the interpreter, beside the same work in plain C on one core,
 * in OpenCL when a driver is installed, and beside a bare loop: a dispatched FFMA over a full warp with no
 * flush and no NaN rule. All in one run, as ratios of processor time, which other load on the machine does
 * not stretch. */
#include "bench/isa_peers.h"

#include "base/bits.h"
#include "isa/interp/exec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define BASE UINT64_C(0x100000000)
enum { RAM_BYTES = 64 << 20, TRIES = 5 };

struct rig {
    struct et_ir_program ir;
    struct et_ir_builder builder;
    struct et_ram ram;
    struct et_pagemap map;
    struct et_program *program;
    struct et_launch launch;
    uint64_t pc;
};

static const struct et_ir_src none;
#define R et_ir_reg
#define I et_ir_imm

static double now(void)
{
    struct timespec at;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &at);
    return (double)at.tv_sec + (double)at.tv_nsec * 1e-9;
}

static struct et_ir *op(struct rig *rig, uint8_t guard, enum et_ir_op what, unsigned d, struct et_ir_src a,
                        struct et_ir_src b, struct et_ir_src c)
{
    struct et_ir *ir;
    et_ir_begin(&rig->builder, rig->pc, guard);
    ir = et_ir_emit(&rig->builder, what);
    rig->pc += 16;
    if (d != ET_R_NONE)
        ir->dst[0] = (uint16_t)d;
    ir->src[0] = a;
    ir->src[1] = b;
    ir->src[2] = c;
    return ir;
}

static void special(struct rig *rig, unsigned d, enum et_sr number)
{
    op(rig, ET_P_T, ET_IR_S2R, d, none, none, none)->imm = (int32_t)number;
}

/* d = thread in the grid; d1:d = BASE + offset + 4 * it in the pair. */
static void addresses(struct rig *rig, unsigned thread, unsigned pair, uint32_t offset, uint32_t block)
{
    special(rig, thread, ET_SR_CTAID_X);
    special(rig, pair, ET_SR_TID_X);
    op(rig, ET_P_T, ET_IR_IMAD, thread, R(thread), I(block), R(pair));
    op(rig, ET_P_T, ET_IR_LEA, pair, R(thread), I((uint32_t)BASE + offset), none)->imm = 2;
    op(rig, ET_P_T, ET_IR_MOV, pair + 1, I((uint32_t)(BASE >> 32)), none, none);
}

static void memory(struct rig *rig, enum et_ir_op what, enum et_space space, unsigned value, unsigned address,
                   int offset, enum et_type type)
{
    struct et_ir *ir = op(rig, ET_P_T, what, what == ET_IR_LD ? value : ET_R_NONE, R(address), none,
                          what == ET_IR_ST ? R(value) : none);
    ir->space = (uint8_t)space;
    ir->type = (uint8_t)type;
    ir->imm = offset;
    ir->flags = space == ET_SPACE_GLOBAL ? ET_F_A64 : 0;
}

/* R = R - 1; back to `top` while it is not zero. */
static void loop(struct rig *rig, unsigned counter, uint64_t top)
{
    struct et_ir *ir;
    op(rig, ET_P_T, ET_IR_IADD3, counter, R(counter), I(~0u), none);
    ir = op(rig, ET_P_T, ET_IR_ISETP, ET_R_NONE, R(counter), I(0), none);
    ir->cmp = ET_CMP_NE;
    ir->pdst[0] = 0;
    op(rig, 0, ET_IR_JUMP, ET_R_NONE, none, none, none)->target = top;
}

static void finish(struct rig *rig)
{
    op(rig, ET_P_T, ET_IR_EXIT, ET_R_NONE, none, none, none);
}

/* ---- the work */
static void build_ffma(struct rig *rig)
{
    uint64_t top;
    addresses(rig, 0, 2, 0, 256);
    memory(rig, ET_IR_LD, ET_SPACE_GLOBAL, 4, 2, 0, ET_U32);
    for (unsigned n = 0; n < 4; n++)
        op(rig, ET_P_T, ET_IR_MOV, 5 + n, R(4), none, none);
    op(rig, ET_P_T, ET_IR_MOV, 1, I(FFMA_ROUNDS / 4), none, none);
    top = rig->pc;
    for (unsigned n = 0; n < 16; n++) {
        struct et_ir *ir = op(rig, ET_P_T, ET_IR_FFMA, 5 + n % 4, R(5 + n % 4), I(et_float_bits(0.999f)),
                              I(et_float_bits(0.001f)));
        ir->ftz = true;
    }
    loop(rig, 1, top);
    for (unsigned n = 1; n < 4; n++)
        op(rig, ET_P_T, ET_IR_FADD, 5, R(5), R(5 + n), none)->ftz = true;
    memory(rig, ET_IR_ST, ET_SPACE_GLOBAL, 5, 2, 0, ET_U32);
    finish(rig);
}

static unsigned rotations(struct rig *rig, unsigned d, unsigned x, unsigned a, unsigned b, unsigned c,
                          bool shifts)
{
    const unsigned n[3] = {a, b, c};
    for (unsigned k = 0; k < 3; k++) {
        struct et_ir *ir =
            op(rig, ET_P_T, ET_IR_SHF, d + k, R(x), I(n[k]), k == 2 && shifts ? R(ET_R_RZ) : R(x));
        ir->flags = ET_F_WRAP;
    }
    op(rig, ET_P_T, ET_IR_LOP3, d, R(d), R(d + 1), R(d + 2))->imm = 0x96;
    return d;
}

/* Message word n of a thread is thread * 16 + n; the digest's eight words are summed. */
static void build_sha(struct rig *rig)
{
    enum { W = 16, S = 32, T = 40 };
    unsigned s[8];
    addresses(rig, 0, 2, 0, 256);
    op(rig, ET_P_T, ET_IR_SHL, 1, R(0), I(4), none);
    for (unsigned n = 0; n < 16; n++)
        op(rig, ET_P_T, ET_IR_IADD3, W + n, R(1), I(n), none);
    for (unsigned n = 0; n < 8; n++) {
        s[n] = S + n;
        op(rig, ET_P_T, ET_IR_MOV, S + n, I(isa_sha_start[n]), none, none);
    }
    for (unsigned n = 0; n < 64; n++) {
        const unsigned w = W + n % 16;
        unsigned last;
        if (n >= 16) {
            rotations(rig, T, W + (n + 1) % 16, 7, 18, 3, true);
            rotations(rig, T + 3, W + (n + 14) % 16, 17, 19, 10, true);
            op(rig, ET_P_T, ET_IR_IADD3, w, R(w), R(T), R(W + (n + 9) % 16));
            op(rig, ET_P_T, ET_IR_IADD3, w, R(w), R(T + 3), none);
        }
        rotations(rig, T, s[4], 6, 11, 25, false);
        op(rig, ET_P_T, ET_IR_LOP3, T + 1, R(s[4]), R(s[5]), R(s[6]))->imm = 0xca;
        op(rig, ET_P_T, ET_IR_IADD3, T, R(T), R(T + 1), R(s[7]));
        op(rig, ET_P_T, ET_IR_IADD3, T, R(T), R(w), I(isa_sha_round[n]));
        rotations(rig, T + 1, s[0], 2, 13, 22, false);
        op(rig, ET_P_T, ET_IR_LOP3, T + 2, R(s[0]), R(s[1]), R(s[2]))->imm = 0xe8;
        op(rig, ET_P_T, ET_IR_IADD3, s[3], R(s[3]), R(T), none);
        op(rig, ET_P_T, ET_IR_IADD3, s[7], R(T), R(T + 1), R(T + 2));
        last = s[7];
        memmove(s + 1, s, 7 * sizeof *s);
        s[0] = last;
    }
    op(rig, ET_P_T, ET_IR_MOV, 4, I(0), none, none);
    for (unsigned n = 0; n < 8; n++)
        op(rig, ET_P_T, ET_IR_IADD3, 4, R(4), R(s[n]), I(isa_sha_start[n]));
    memory(rig, ET_IR_ST, ET_SPACE_GLOBAL, 4, 2, 0, ET_U32);
    finish(rig);
}

static void build_copy(struct rig *rig)
{
    addresses(rig, 0, 2, 0, 256);
    for (unsigned n = 0; n < COPY_WORDS; n++) {
        memory(rig, ET_IR_LD, ET_SPACE_GLOBAL, 4, 2, (int)(n * THREADS * 4), ET_U32);
        memory(rig, ET_IR_ST, ET_SPACE_GLOBAL, 4, 2, (int)(n * THREADS * 4 + RAM_BYTES / 2), ET_U32);
    }
    finish(rig);
}

/* Steps of 3n + 1 from the thread's number plus one to 1: lanes leave one by one. */
static void build_diverge(struct rig *rig)
{
    struct et_ir *ir;
    uint64_t top;
    addresses(rig, 0, 2, 0, 256);
    op(rig, ET_P_T, ET_IR_IADD3, 4, R(0), I(1), none);
    op(rig, ET_P_T, ET_IR_MOV, 5, I(0), none, none);
    op(rig, ET_P_T, ET_IR_BSSY, ET_R_NONE, none, none, none)->target = rig->pc + 16 * 11;
    top = rig->pc;
    ir = op(rig, ET_P_T, ET_IR_ISETP, ET_R_NONE, R(4), I(1), none);
    ir->cmp = ET_CMP_EQ;
    ir->pdst[0] = 0;
    op(rig, 0, ET_IR_JUMP, ET_R_NONE, none, none, none)->target = top + 16 * 8;
    ir = op(rig, ET_P_T, ET_IR_LOP3, ET_R_RZ, R(4), I(1), none);
    ir->imm = 0xc0;
    ir->pdst[0] = 1;
    op(rig, 1, ET_IR_IMAD, 4, R(4), I(3), I(1));
    op(rig, 1 | ET_P_NOT, ET_IR_SHR, 4, R(4), I(1), none);
    op(rig, ET_P_T, ET_IR_IADD3, 5, R(5), I(1), none);
    op(rig, ET_P_T, ET_IR_NOP, ET_R_NONE, none, none, none);
    op(rig, ET_P_T, ET_IR_JUMP, ET_R_NONE, none, none, none)->target = top;
    op(rig, ET_P_T, ET_IR_NOP, ET_R_NONE, none, none, none);
    op(rig, ET_P_T, ET_IR_BSYNC, ET_R_NONE, none, none, none);
    op(rig, ET_P_T, ET_IR_NOP, ET_R_NONE, none, none, none);
    memory(rig, ET_IR_ST, ET_SPACE_GLOBAL, 5, 2, 0, ET_U32);
    finish(rig);
}

/* C = A B of MATRIX x MATRIX singles, 16x16 tiles in shared memory; blocks in x number tiles by rows. */
static void build_matrix(struct rig *rig)
{
    enum {
        X = 4,
        Y = 5,
        ROW = 6,
        COLUMN = 7,
        A = 8,
        B = 10,
        SUM = 12,
        SA = 13,
        SB = 14,
        PA = 15,
        PB = 16,
        K = 17
    };
    const uint32_t bytes = MATRIX * MATRIX * 4;
    uint64_t top;
    special(rig, 1, ET_SR_TID_X);
    op(rig, ET_P_T, ET_IR_LOP3, X, R(1), I(15), none)->imm = 0xc0;
    op(rig, ET_P_T, ET_IR_SHR, Y, R(1), I(4), none);
    special(rig, 0, ET_SR_CTAID_X);
    op(rig, ET_P_T, ET_IR_SHR, ROW, R(0), I(MATRIX_TILES_BITS), none);
    op(rig, ET_P_T, ET_IR_LEA, ROW, R(ROW), R(Y), none)->imm = 4;
    op(rig, ET_P_T, ET_IR_LOP3, COLUMN, R(0), I((1u << MATRIX_TILES_BITS) - 1), none)->imm = 0xc0;
    op(rig, ET_P_T, ET_IR_LEA, COLUMN, R(COLUMN), R(X), none)->imm = 4;
    /* A[row][x], B[y][column] */
    op(rig, ET_P_T, ET_IR_IMAD, A, R(ROW), I(MATRIX), R(X));
    op(rig, ET_P_T, ET_IR_LEA, A, R(A), I((uint32_t)BASE), none)->imm = 2;
    op(rig, ET_P_T, ET_IR_IMAD, B, R(Y), I(MATRIX), R(COLUMN));
    op(rig, ET_P_T, ET_IR_LEA, B, R(B), I((uint32_t)BASE + bytes), none)->imm = 2;
    op(rig, ET_P_T, ET_IR_MOV, A + 1, I((uint32_t)(BASE >> 32)), none, none);
    op(rig, ET_P_T, ET_IR_MOV, B + 1, I((uint32_t)(BASE >> 32)), none, none);
    op(rig, ET_P_T, ET_IR_SHL, SA, R(1), I(2), none);
    op(rig, ET_P_T, ET_IR_SHL, PA, R(Y), I(6), none);
    op(rig, ET_P_T, ET_IR_LEA, PB, R(X), I(1024), none)->imm = 2;
    op(rig, ET_P_T, ET_IR_MOV, SUM, I(0), none, none);
    op(rig, ET_P_T, ET_IR_MOV, K, I(MATRIX / 16), none, none);
    top = rig->pc;
    memory(rig, ET_IR_LD, ET_SPACE_GLOBAL, SB, A, 0, ET_U32);
    memory(rig, ET_IR_ST, ET_SPACE_SHARED, SB, SA, 0, ET_U32);
    memory(rig, ET_IR_LD, ET_SPACE_GLOBAL, SB, B, 0, ET_U32);
    memory(rig, ET_IR_ST, ET_SPACE_SHARED, SB, SA, 1024, ET_U32);
    op(rig, ET_P_T, ET_IR_BAR, ET_R_NONE, none, none, none);
    for (unsigned k = 0; k < 16; k += 4) {
        memory(rig, ET_IR_LD, ET_SPACE_SHARED, 20, PA, (int)(4 * k), ET_B128);
        for (unsigned n = 0; n < 4; n++) {
            memory(rig, ET_IR_LD, ET_SPACE_SHARED, 24, PB, (int)(64 * (k + n)), ET_U32);
            op(rig, ET_P_T, ET_IR_FFMA, SUM, R(20 + n), R(24), R(SUM))->ftz = true;
        }
    }
    op(rig, ET_P_T, ET_IR_BAR, ET_R_NONE, none, none, none);
    op(rig, ET_P_T, ET_IR_IADD3, A, R(A), I(64), none);
    op(rig, ET_P_T, ET_IR_IADD3, B, R(B), I(16 * MATRIX * 4), none);
    loop(rig, K, top);
    op(rig, ET_P_T, ET_IR_IMAD, A, R(ROW), I(MATRIX), R(COLUMN));
    op(rig, ET_P_T, ET_IR_LEA, A, R(A), I((uint32_t)BASE + 2 * bytes), none)->imm = 2;
    memory(rig, ET_IR_ST, ET_SPACE_GLOBAL, SUM, A, 0, ET_U32);
    finish(rig);
}

static void (*const builders[ISA_WORKS])(struct rig *) = {build_ffma, build_sha, build_copy, build_diverge,
                                                          build_matrix};

static int open_rig(struct rig *rig, enum isa_work work)
{
    struct etalon_error error = {0};
    memset(rig, 0, sizeof *rig);
    rig->builder.program = &rig->ir;
    builders[work](rig);
    if (et_program_create_ir(&rig->program, ET_ISA_AMPERE, &rig->ir, &error) != ETALON_OK ||
        et_ram_create(&rig->ram, RAM_BYTES, ET_RAM_TRACKED, &error) != ETALON_OK) {
        fprintf(stderr, "bench-isa: %s\n", error.text);
        return 0;
    }
    et_pagemap_init(&rig->map, &rig->ram, 40);
    (void)et_pagemap_map(&rig->map, BASE, RAM_BYTES, 0, ET_READ | ET_WRITE, 0, &error);
    isa_fill(work, (uint32_t *)(void *)rig->ram.base, RAM_BYTES / 4);
    rig->launch =
        (struct et_launch){.program = rig->program, .stage = ET_STAGE_COMPUTE, .map = &rig->map, .event = 1};
    return 1;
}

static void close_rig(struct rig *rig)
{
    et_program_destroy(rig->program);
    et_pagemap_finish(&rig->map);
    et_ram_destroy(&rig->ram);
}

/* Best of TRIES; 0 when it failed or gave another result than plain C. */
static double measure(enum isa_work work, struct et_counts *counts, double *plain)
{
    const struct et_grid grid = {
        {work == ISA_MATRIX ? MATRIX_BLOCKS : THREADS / 256, 1, 1}, {256, 1, 1}, 2048, 0, 0, 1, false};
    struct etalon_error error = {0};
    uint32_t *const memory_of_c = malloc(RAM_BYTES);
    double best = 1e9;
    struct rig rig;
    if (!memory_of_c || !open_rig(&rig, work))
        return 0;
    *plain = 1e9;
    for (unsigned n = 0; n < TRIES; n++) {
        double start;
        isa_fill(work, (uint32_t *)(void *)rig.ram.base, RAM_BYTES / 4);
        isa_fill(work, memory_of_c, RAM_BYTES / 4);
        memset(counts, 0, sizeof *counts);
        start = now();
        if (et_run_grid(&rig.launch, &grid, counts, &error) != ETALON_OK) {
            fprintf(stderr, "bench-isa: %s\n", error.text);
            best = 0;
            break;
        }
        best = ET_MIN(best, now() - start);
        start = now();
        isa_plain(work, memory_of_c, RAM_BYTES / 4);
        *plain = ET_MIN(*plain, now() - start);
    }
    if (memcmp(memory_of_c, rig.ram.base, RAM_BYTES)) {
        fprintf(stderr, "bench-isa: %s differs from plain C\n", isa_names[work]);
        best = 0;
    }
    close_rig(&rig);
    free(memory_of_c);
    return best;
}

int main(void)
{
    const char *device = "";
    struct isa_opencl *const cl = isa_opencl_open(&device);
    int failed = 0;
    printf("level %s; OpenCL: %s\n", et_interp_level_names[et_interp_level()],
           cl ? device : "no driver, its column is skipped");
    printf("%-10s %10s %12s %14s %10s\n", "work", "Minsn/s", "Mlane/s", "time / C -O3", "/ OpenCL");
    for (unsigned work = 0; work < ISA_WORKS; work++) {
        struct et_counts counts;
        double plain, peer, time = measure((enum isa_work)work, &counts, &plain);
        if (time <= 0) {
            failed = 1;
            continue;
        }
        peer = cl ? isa_opencl_run(cl, (enum isa_work)work, TRIES) : 0;
        printf("%-10s %10.1f %12.1f %14.2f ", isa_names[work], (double)counts.instructions / time / 1e6,
               (double)counts.lane_instructions / time / 1e6, time / plain);
        if (peer > 0)
            printf("%10.2f\n", time / peer);
        else
            printf("%10s\n", "-");
        if (work == ISA_FFMA) {
            const double bare = isa_bare(et_interp_level(), counts.instructions, TRIES);
            if (bare > 0)
                printf("%-10s %10.1f %12s %14s   FFMA.FTZ with every rule: %.2f of the bare loop's time\n",
                       "bare", (double)counts.instructions / bare / 1e6, "", "", time / bare);
        }
    }
    isa_opencl_close(cl);
    return failed;
}
