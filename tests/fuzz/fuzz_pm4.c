/* Seeded streams against the processor: named errors only, no hang, nothing for a sanitizer to say.
 *
 *     fuzz-pm4 [COUNT [FIRST]]     default 10000 streams from seed 1; FUZZ_COUNT in the environment overrides
 *
 * A stream is a mix of valid packets with random bodies, mutated headers, indirect buffers within the memory,
 * and noise; it runs in both profiles on random queues, is resumed after random writes, decoded, and scanned
 * for cycles. */
#include "etalon-pm4-agc.h"
#include "etalon-pm4.h"
#include "pm4/ops.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BASE UINT64_C(0x100000000)
enum { MEMORY = 0x4000, STREAM = 400 };

static uint64_t state;

static uint32_t random32(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 16);
}

static uint32_t below(uint32_t n)
{
    return random32() % n;
}

/* Half the time a value that means something: an address half, a small number, a flag. */
static uint32_t word(void)
{
    switch (below(8)) {
    case 0:
        return random32();
    case 1:
        return below(16);
    case 2:
        return 1;
    case 3:
    case 4:
        return below(MEMORY) * 4;
    case 5:
        return 1u << below(32);
    case 6:
        return 0x80000000 | below(0x400);
    default:
        return 0;
    }
}

static bool console;

/* Mostly one that the profile has a handler for. */
static bool has_handler(const struct et_pm4_op *row)
{
    return row && (console ? row->console : row->hardware);
}

static uint32_t pick(const struct et_pm4_op *const *table, uint32_t size)
{
    uint32_t op = below(size);
    for (unsigned tries = 0; !has_handler(table[op]) && tries < 400 && below(200); tries++)
        op = below(size);
    return op;
}

static uint32_t packet(uint32_t *out, uint32_t room)
{
    const uint32_t op = below(12) ? pick(et_pm4_ops, 256) : 0x10;
    const uint32_t r = op == 0x10 ? (below(3) ? pick(et_pm4_sub_ops, 64) : 0) : below(40) ? 0 : below(64);
    const struct et_pm4_op *row = op == 0x10 && r && et_pm4_sub_ops[r] ? et_pm4_sub_ops[r] : et_pm4_ops[op];
    uint32_t length = 2 + below(14);
    if (row && below(40)) {
        const uint16_t *allowed = console ? row->console_length : row->hardware_length;
        length = row->exact[0] && console ? (row->exact[below(2) && row->exact[1]] >> 16 & 0x3FFF) + 2
                 : allowed[below(2)]      ? allowed[0]
                                          : allowed[0] + below(6);
        length = length < 2 ? 2 : length;
    }
    if (length > room)
        return 0;
    out[0] = 0xC0000000 | (length - 2) << 16 | op << 8 | r << 2 | (below(40) ? 0 : below(4));
    if (op == 0x48 && console)
        out[0] |= 2;
    for (uint32_t i = 1; i < length; i++)
        out[i] = word();
    if (op == 0x3F && length == 4) { /* calls and chains that stay within the memory, mostly */
        out[1] = below(MEMORY - 64) * 4;
        out[2] = 1;
        out[3] = below(64) | (below(4) ? 0 : 1 << 20);
    }
    if ((op == 0x69 || op == 0x76 || op == 0x79 || op == 0x7A) && below(10)) /* registers that have names */
        out[1] = op == 0x69 ? 0x8E + below(2) : op == 0x76 ? 0x0C + below(12) : 0x242 + below(2);
    if ((op == 0x69 || op == 0x79 || op == 0x7A) && length > 3 && below(10))
        out[0] = (out[0] & ~0x3FFF0000u) | 1 << 16, length = 3;
    if (op == 0x10 && !r && length >= 2 && !below(4))
        out[1] = 0x68750000 | (below(2) ? 0x777 + below(2) : below(0x1000));
    if (!below(60))
        out[0] ^= 1u << below(32);
    return length;
}

static void stream(uint32_t *out, uint32_t dwords)
{
    uint32_t at = 0;
    while (at < dwords) {
        const uint32_t used = below(80) ? packet(out + at, dwords - at) : 0;
        if (!used)
            out[at++] = below(30) ? 0x80000000 : random32();
        at += used;
    }
}

struct seen {
    uint64_t draws, registers;
    uint32_t sum;
};

static void on_draw(void *user, const struct etalon_pm4_draw *draw, struct etalon_pm4_snapshot *snapshot)
{
    struct seen *seen = user;
    uint32_t value;
    seen->draws++;
    seen->sum += draw->count;
    etalon_pm4_snapshot_read(snapshot, ETALON_PM4_CONTEXT, draw->count % 0x400, &value);
    seen->sum += value;
}

static void on_registers(void *user, uint32_t queue, enum etalon_pm4_space space, uint32_t first,
                         const uint32_t *values, uint32_t count)
{
    struct seen *seen = user;
    (void)queue;
    if (first + count > etalon_pm4_space_size(space)) {
        fprintf(stderr, "registers past their space\n");
        abort();
    }
    for (uint32_t i = 0; i < count; i++)
        seen->sum += values[i];
    seen->registers += count;
}

static unsigned faults[ETALON_PM4_FAULT_COUNT];

static void check(const struct etalon_pm4_report *report)
{
    if (report->result != ETALON_PM4_FAULTED)
        return;
    faults[report->fault]++;
    if (report->fault == ETALON_PM4_NONE || report->fault >= ETALON_PM4_FAULT_COUNT ||
        report->error.status == ETALON_OK ||
        !strstr(report->error.text, etalon_pm4_fault_name(report->fault))) {
        fprintf(stderr, "a fault without its name: %s\n", report->error.text);
        abort();
    }
}

static void one(uint64_t seed)
{
    static uint32_t memory[MEMORY], words[4][STREAM];
    const struct etalon_pm4_range ranges[] = {{BASE, MEMORY * 2, memory},
                                              {BASE + MEMORY * 2, MEMORY * 2, memory + MEMORY / 2}};
    static struct etalon_pm4_report report;
    struct seen seen = {0};
    state = seed * 0x9E3779B97F4A7C15 + 0x1234567;
    struct etalon_pm4_config config = {.profile = below(2) ? ETALON_PM4_CONSOLE : ETALON_PM4_HARDWARE,
                                       .memory = {.ranges = ranges, .range_count = 2},
                                       .hooks = {.user = &seen, .draw = on_draw, .registers = on_registers},
                                       .packet_budget = 3000,
                                       .privileged = !below(3)};
    console = config.profile == ETALON_PM4_CONSOLE;
    stream(memory, MEMORY / 4);
    for (uint32_t i = MEMORY / 4; i < MEMORY; i++)
        memory[i] = word();
    struct etalon_pm4 *pm4 = etalon_pm4_create(&config, NULL);
    for (unsigned i = 0; pm4 && i < 4; i++) {
        const uint32_t dwords = 1 + below(STREAM), queue = below(3) ? below(57) : 0;
        stream(words[i], dwords);
        if (queue)
            etalon_pm4_submit_compute(pm4, queue, words[i], dwords, NULL);
        else
            etalon_pm4_submit(pm4, words[i], dwords, words[(i + 1) % 4], below(STREAM), NULL);
        etalon_pm4_decode(words[i], dwords, queue, below(2), NULL, NULL, NULL, NULL);
    }
    for (unsigned step = 0; pm4 && step < 6; step++) {
        if (etalon_pm4_run(pm4, &report) == ETALON_PM4_IDLE)
            break;
        check(&report);
        if (report.result == ETALON_PM4_FAULTED && below(2))
            etalon_pm4_reset(pm4, report.fault_at.queue);
        for (unsigned i = 0; i < 64; i++)
            memory[below(MEMORY)] = word();
        for (uint32_t i = 0; report.result == ETALON_PM4_BLOCKED && i < report.waits; i++) {
            const uint64_t at = report.wait[i].address - BASE;
            if (at < sizeof memory - 8)
                memcpy((char *)memory + (at & ~UINT64_C(3)), &report.wait[i].reference, 8);
        }
    }
    etalon_pm4_destroy(pm4);
    etalon_agc_set_range_predication(words[0], words[0], 1);
}

int main(int argc, char **argv)
{
    const char *environment = getenv("FUZZ_COUNT");
    const unsigned long count = argc > 1      ? strtoul(argv[1], NULL, 0)
                                : environment ? strtoul(environment, NULL, 0)
                                              : 10000;
    const unsigned long first = argc > 2 ? strtoul(argv[2], NULL, 0) : 1;
    for (unsigned long i = 0; i < count; i++)
        one(first + i);
    printf("%lu streams;", count);
    for (unsigned i = 1; i < ETALON_PM4_FAULT_COUNT; i++)
        if (faults[i])
            printf(" %s %u", etalon_pm4_fault_name((enum etalon_pm4_fault)i), faults[i]);
    putchar('\n');
    return EXIT_SUCCESS;
}
