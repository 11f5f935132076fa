/* Costs of the command processor as ratios taken in one run: register-write packets against a plain copy loop
 * over the same dwords that checks each against a bitmap of known registers; the bound is 3. */
#include "etalon-pm4.h"
#include "pm4/tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { DWORDS = 12000, ROUNDS = 2000, TRIES = 5 };

struct shape {
    const char *name;
    uint32_t values; /* a packet, 0: as drivers mix them */
};

struct work {
    uint32_t words[DWORDS + 64], reg[DWORDS + 64], count;
};

static double now(void)
{
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    return (double)at.tv_sec + (double)at.tv_nsec * 1e-9;
}

static void fill(struct work *work, uint32_t values)
{
    /* Runs of named registers of the context and SH spaces. */
    static const uint32_t context[] = {0x94, 0x10F, 0x191, 0x143, 0x8E},
                          sh[] = {0x0C, 0x8C, 0x10C, 0x240, 0x20C};
    work->count = 0;
    for (uint32_t i = 0; work->count + values + 10 < DWORDS; i++) {
        const uint32_t n = values ? values : i % 7 == 3 ? 4 : i % 11 == 5 ? 8 : 1;
        const bool is_sh = i % 5 == 4;
        const uint32_t start = is_sh ? sh[i / 5 % 4] : context[i % (n > 1 ? 4 : 5)];
        uint32_t *out = work->words + work->count, *reg = work->reg + work->count;
        out[0] = 0xC0000000 | n << 16 | (is_sh ? 0x7600 : 0x6900);
        out[1] = start;
        reg[0] = reg[1] = start;
        for (uint32_t j = 0; j < n; j++) {
            out[2 + j] = i * 31 + j;
            reg[2 + j] = start + j;
        }
        work->count += n + 2;
    }
}

/* The plain loop: every dword checked and copied. */
static __attribute__((noinline)) uint32_t plain(const struct work *work, const uint64_t *known, uint32_t *to)
{
    uint32_t unknown = 0;
    for (uint32_t i = 0; i < work->count; i++) {
        const uint32_t reg = work->reg[i];
        if (!(known[reg >> 6] >> (reg & 63) & 1))
            unknown++;
        to[i] = work->words[i];
    }
    return unknown;
}

static double time_plain(const struct work *work)
{
    static uint32_t to[DWORDS + 64];
    uint32_t unknown = 0;
    const uint64_t *known = et_pm4_spaces[ETALON_PM4_CONTEXT].known;
    const double start = now();
    for (unsigned i = 0; i < ROUNDS; i++)
        unknown += plain(work, known, to);
    const double took = now() - start;
    return unknown == UINT32_MAX ? 0 : took; /* keeps the loop's result alive */
}

static double time_processor(const struct work *work, enum etalon_pm4_profile profile)
{
    const struct etalon_pm4_config config = {.profile = profile};
    struct etalon_pm4 *pm4 = etalon_pm4_create(&config, NULL);
    if (!pm4)
        return 0;
    const double start = now();
    for (unsigned i = 0; i < ROUNDS; i++) {
        etalon_pm4_submit_compute(pm4, 1, work->words, work->count, NULL);
        if (etalon_pm4_run(pm4, NULL) != ETALON_PM4_IDLE) {
            fprintf(stderr, "bench-pm4: the stream does not complete\n");
            exit(EXIT_FAILURE);
        }
    }
    const double took = now() - start;
    etalon_pm4_destroy(pm4);
    return took;
}

static void on_draw(void *user, const struct etalon_pm4_draw *draw, struct etalon_pm4_snapshot *state)
{
    uint32_t value;
    etalon_pm4_snapshot_read(state, ETALON_PM4_CONTEXT, 0x8E, &value);
    *(uint32_t *)user += value + draw->count;
}

/* Draws with one changed register between them: what a snapshot costs. */
static void bench_snapshots(void)
{
    static uint32_t words[6000];
    uint32_t sum = 0, count = 0;
    for (; count + 6 <= 6000; count += 6)
        memcpy(words + count, (const uint32_t[]){0xC0016900, 0x8E, count, 0xC0012D00, 3, 2}, 24);
    const struct etalon_pm4_config config = {.hooks = {.user = &sum, .draw = on_draw}};
    struct etalon_pm4 *pm4 = etalon_pm4_create(&config, NULL);
    const double start = now();
    for (unsigned i = 0; pm4 && i < 100; i++) {
        etalon_pm4_submit(pm4, words, count, NULL, 0, NULL);
        etalon_pm4_run(pm4, NULL);
    }
    printf("draw with a snapshot after one change: %.0f ns\n", (now() - start) * 1e9 / (100.0 * count / 6));
    etalon_pm4_destroy(pm4);
}

int main(void)
{
    static const struct shape shapes[] = {
        {"1 value", 1}, {"4 values", 4}, {"16 values", 16}, {"drivers' mix", 0}};
    static struct work work;
    double worst = 0;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        double best[3] = {1e9, 1e9, 1e9};
        fill(&work, shapes[i].values);
        for (unsigned attempt = 0; attempt < TRIES; attempt++) {
            const double took[3] = {time_plain(&work), time_processor(&work, ETALON_PM4_CONSOLE),
                                    time_processor(&work, ETALON_PM4_HARDWARE)};
            for (unsigned j = 0; j < 3; j++)
                best[j] = took[j] < best[j] ? took[j] : best[j];
        }
        const double ns = 1e9 / ROUNDS / work.count;
        printf("%-13s plain %.2f ns a dword; console %.2f, ratio %.2f; hardware %.2f, ratio %.2f\n",
               shapes[i].name, best[0] * ns, best[1] * ns, best[1] / best[0], best[2] * ns,
               best[2] / best[0]);
        worst = best[1] / best[0] > worst ? best[1] / best[0] : worst;
        worst = best[2] / best[0] > worst ? best[2] / best[0] : worst;
    }
    printf("worst ratio %.2f (bound 3)\n", worst);
    bench_snapshots();
    return EXIT_SUCCESS;
}
