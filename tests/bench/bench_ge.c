/* The GE against a plain loop, in one run: ratios, which hold on a busy machine where times do not.
 *
 * The step is a loop that stores each word of a list into a table of 256 by its opcode. */
#include "etalon-ge.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define RAM_BASE   UINT32_C(0x08800000)
#define WORDS      (1u << 16)
#define ROUNDS     40 /* of which the best counts */
#define TRIPS      20000
#define LIST_RATIO 4.0
#define TRIP_STEPS 100.0

static uint32_t ram[WORDS];

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void plain_loop(uint32_t *table, const uint32_t *words, size_t count) __attribute__((noinline));

static void plain_loop(uint32_t *table, const uint32_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        table[words[i] >> 24] = words[i];
}

/* NOPs and register writes, then FINISH and END. */
static void write_list(void)
{
    static const uint8_t opcodes[] = {0x00, 0x12, 0x17, 0x1e, 0x36, 0x42, 0x50, 0x5c, 0x9c, 0xa0,
                                      0xa8, 0xb8, 0xc6, 0xd4, 0xdf, 0xe7, 0x00, 0xc9, 0xcb, 0x5d};
    uint32_t random = 1;
    for (uint32_t i = 0; i < WORDS; i++) {
        random = random * 1664525 + 1013904223;
        ram[i] = (uint32_t)opcodes[(random >> 16) % sizeof opcodes] << 24 | (random >> 8 & 0xffff);
    }
    ram[WORDS - 2] = UINT32_C(0x0f000000);
    ram[WORDS - 1] = UINT32_C(0x0c000000);
}

static double best(double a, double b)
{
    return a < b ? a : b;
}

static void run_list(struct etalon_ge *ge, uint32_t address)
{
    const uint32_t id = etalon_ge_enqueue(ge, address, 0, -1, NULL);
    if (id >> 31 || etalon_ge_advance(ge, UINT64_MAX) != ETALON_GE_IDLE) {
        fputs("bench-ge: the list did not finish\n", stderr);
        exit(EXIT_FAILURE);
    }
}

int main(void)
{
    const struct etalon_ge_region region = {RAM_BASE, sizeof ram, ram, false};
    const struct etalon_ge_config config = {
        .regions = &region, .region_count = 1, .sdk_version = UINT32_C(0x06060010)};
    static uint32_t table[256];
    double loop = 1e9, list = 1e9, trip = 1e9;
    struct etalon_ge *ge;
    write_list();
    if (etalon_ge_create(&config, &ge, NULL) != ETALON_OK)
        return EXIT_FAILURE;
    for (int round = 0; round < ROUNDS; round++) {
        double start = now(), next;
        plain_loop(table, ram, WORDS);
        next = now();
        loop = best(loop, next - start);
        run_list(ge, RAM_BASE);
        start = now();
        list = best(list, start - next);
        for (int i = 0; i < TRIPS; i++)
            run_list(ge, RAM_BASE + (WORDS - 2) * 4);
        trip = best(trip, now() - start);
    }
    etalon_ge_destroy(ge);
    loop /= WORDS;
    list /= WORDS;
    trip = trip / TRIPS - 2 * list;
    printf("plain loop               %.3f ns a word (table[0x5c] = 0x%08x)\n", loop * 1e9,
           (unsigned)table[0x5c]);
    printf("list                     %.3f ns a word, %.2f times the loop (aim: at most %.0f)\n", list * 1e9,
           list / loop, LIST_RATIO);
    printf("enqueue, run and finish  %.1f ns beyond its 2 commands, %.1f steps (aim: at most %.0f)\n",
           trip * 1e9, trip / loop, TRIP_STEPS);
    return EXIT_SUCCESS;
}
