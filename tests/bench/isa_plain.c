#include "bench/isa_peers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

const char *const isa_names[ISA_WORKS] = {"ffma", "sha256", "copy", "diverge", "matmul"};

const uint32_t isa_sha_start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                   0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
const uint32_t isa_sha_round[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

void isa_fill(enum isa_work work, uint32_t *memory, size_t words)
{
    memset(memory, 0, words * sizeof *memory);
    for (size_t n = 0; n < words / 2; n++) {
        const float value = (float)(n % 61) * 0.03125f;
        if (work == ISA_FFMA || work == ISA_MATRIX)
            memcpy(&memory[n], &value, sizeof value);
        else if (work == ISA_COPY)
            memory[n] = (uint32_t)(n * 2654435761u);
        if ((work == ISA_FFMA && n + 1 >= THREADS) || (work == ISA_MATRIX && n + 1 >= 2u * MATRIX * MATRIX))
            break;
    }
}

/* One rounding each, as FFMA has; the compiler's own fma instruction where the CPU has it. */
#if defined(__x86_64__)
__attribute__((target("avx2,fma")))
#endif
static void
multiply_add(float *x)
{
    for (unsigned t = 0; t < THREADS; t += 8) {
        float s[4][8];
        for (unsigned k = 0; k < 4; k++)
            memcpy(s[k], x + t, sizeof s[k]);
        for (unsigned n = 0; n < FFMA_ROUNDS; n++)
            for (unsigned k = 0; k < 4; k++)
                for (unsigned l = 0; l < 8; l++)
                    s[k][l] = fmaf(s[k][l], 0.999f, 0.001f);
        for (unsigned l = 0; l < 8; l++)
            x[t + l] = ((s[0][l] + s[1][l]) + s[2][l]) + s[3][l];
    }
}

static uint32_t rotate(uint32_t x, unsigned n)
{
    return x >> n | x << (32 - n);
}

static uint32_t sha(uint32_t thread)
{
    uint32_t w[64], s[8], sum = 0;
    for (unsigned n = 0; n < 16; n++)
        w[n] = thread * 16 + n;
    for (unsigned n = 16; n < 64; n++)
        w[n] = w[n - 16] + w[n - 7] + (rotate(w[n - 15], 7) ^ rotate(w[n - 15], 18) ^ w[n - 15] >> 3) +
               (rotate(w[n - 2], 17) ^ rotate(w[n - 2], 19) ^ w[n - 2] >> 10);
    memcpy(s, isa_sha_start, sizeof s);
    for (unsigned n = 0; n < 64; n++) {
        const uint32_t t1 = s[7] + (rotate(s[4], 6) ^ rotate(s[4], 11) ^ rotate(s[4], 25)) +
                            ((s[4] & s[5]) ^ (~s[4] & s[6])) + isa_sha_round[n] + w[n];
        const uint32_t t2 = (rotate(s[0], 2) ^ rotate(s[0], 13) ^ rotate(s[0], 22)) +
                            ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
        memmove(s + 1, s, 7 * sizeof *s);
        s[4] += t1;
        s[0] = t1 + t2;
    }
    for (unsigned n = 0; n < 8; n++)
        sum += s[n] + isa_sha_start[n];
    return sum;
}

static uint32_t steps(uint32_t n)
{
    uint32_t count = 0;
    while (n != 1) {
        n = n & 1 ? 3 * n + 1 : n >> 1;
        count++;
    }
    return count;
}

#if defined(__x86_64__)
__attribute__((target("avx2,fma")))
#endif
static void
matrix(const float *a, const float *b, float *c)
{
    for (unsigned i = 0; i < MATRIX; i++)
        for (unsigned k = 0; k < MATRIX; k++)
            for (unsigned j = 0; j < MATRIX; j++)
                c[i * MATRIX + j] = fmaf(a[i * MATRIX + k], b[k * MATRIX + j], c[i * MATRIX + j]);
}

void isa_plain(enum isa_work work, uint32_t *memory, size_t words)
{
    switch (work) {
    case ISA_FFMA:
        multiply_add((float *)(void *)memory);
        break;
    case ISA_SHA:
        for (uint32_t t = 0; t < THREADS; t++)
            memory[t] = sha(t);
        break;
    case ISA_COPY:
        memcpy(memory + words / 2, memory, (size_t)THREADS * COPY_WORDS * 4);
        break;
    case ISA_DIVERGE:
        for (uint32_t t = 0; t < THREADS; t++)
            memory[t] = steps(t + 1);
        break;
    default: {
        float *const m = (float *)(void *)memory;
        matrix(m, m + MATRIX * MATRIX, m + 2 * MATRIX * MATRIX);
        break;
    }
    }
}

/* ---- the bare loop: one handler, dispatched through a pointer an instruction, 32 lanes */
#if defined(__x86_64__)
struct bare_insn {
    const struct bare_insn *(*op)(float (*file)[32], const struct bare_insn *);
    unsigned d, a, b, c;
};

__attribute__((target("avx512f"))) static const struct bare_insn *bare_512(float (*file)[32],
                                                                           const struct bare_insn *i)
{
    for (unsigned k = 0; k < 32; k += 16)
        _mm512_storeu_ps(file[i->d] + k,
                         _mm512_fmadd_ps(_mm512_loadu_ps(file[i->a] + k), _mm512_loadu_ps(file[i->b] + k),
                                         _mm512_loadu_ps(file[i->c] + k)));
    return i + 1;
}

__attribute__((target("avx2,fma"))) static const struct bare_insn *bare_256(float (*file)[32],
                                                                            const struct bare_insn *i)
{
    for (unsigned k = 0; k < 32; k += 8)
        _mm256_storeu_ps(file[i->d] + k,
                         _mm256_fmadd_ps(_mm256_loadu_ps(file[i->a] + k), _mm256_loadu_ps(file[i->b] + k),
                                         _mm256_loadu_ps(file[i->c] + k)));
    return i + 1;
}

static const struct bare_insn *bare_end(float (*file)[32], const struct bare_insn *i)
{
    (void)file;
    (void)i;
    return NULL;
}

double isa_bare(int level, uint64_t instructions, unsigned tries)
{
    enum { RUN = 64 };
    static float file[8][32] __attribute__((aligned(64)));
    struct bare_insn code[RUN + 1];
    double best = 1e9;
    if (level < 2)
        return 0;
    for (unsigned n = 0; n < RUN; n++)
        code[n] = (struct bare_insn){level == 3 ? bare_512 : bare_256, n % 4, n % 4, 4, 5};
    code[RUN].op = bare_end;
    for (unsigned l = 0; l < 32; l++) {
        for (unsigned n = 0; n < 4; n++)
            file[n][l] = (float)l;
        file[4][l] = 0.999f;
        file[5][l] = 0.001f;
    }
    for (unsigned t = 0; t < tries; t++) {
        struct timespec a, b;
        double time;
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &a);
        for (uint64_t n = 0; n < instructions; n += RUN)
            for (const struct bare_insn *i = code; i;)
                i = i->op(file, i);
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &b);
        time = (double)(b.tv_sec - a.tv_sec) + (double)(b.tv_nsec - a.tv_nsec) * 1e-9;
        best = time < best ? time : best;
    }
    return best;
}
#else
double isa_bare(int level, uint64_t instructions, unsigned tries)
{
    (void)level;
    (void)instructions;
    (void)tries;
    return 0;
}
#endif
