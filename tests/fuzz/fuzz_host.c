/* Random pushbuffers against a device: every run ends in idle, blocked or a named fault, whatever the words
 * are. fuzz_host [ROUNDS [SEED]]; without arguments as many rounds as the build says: `make check` runs few,
 * `make check-full` (fuzz-host-long) many, of other seeds. */
#include "base/alloc.h"
#include "base/bits.h"
#include "engine/class.h"
#include "host/host.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#define VA    UINT64_C(0x100000)
#define BYTES (UINT64_C(1) << 18)
#define WORDS 1500u
#ifndef ROUNDS
#define ROUNDS 400
#endif

static uint64_t seed, events;

static uint32_t random32(void)
{
    seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
    return (uint32_t)(seed >> 32);
}

/* Values that mean something more often than noise does: small ones, addresses, enumerants, floats. */
static uint32_t random_value(const struct et_class *klass, const struct et_method *method)
{
    const struct et_field *field;
    switch (random32() % 8) {
    case 0:
        return random32();
    case 1:
        return (uint32_t)VA + (random32() & (uint32_t)(BYTES - 1));
    case 2:
        return random32() & 0xff;
    case 3:
        return 0x3f800000 ^ (random32() & 0x1ffffff);
    case 4:
    case 5:
        if (!method->fields)
            return 1;
        field = &klass->fields[method->first_field + random32() % method->fields];
        if (field->enumerants)
            return klass->enumerants[field->first_enumerant + random32() % field->enumerants].value
                   << field->lo;
        return (random32() & 15) << field->lo;
    default:
        return random32() & 1;
    }
}

static unsigned put_method(uint32_t *words, unsigned room, const uint16_t *classes)
{
    const unsigned subchannel = random32() % 6;
    const struct et_class *klass = et_class_find(classes[subchannel]);
    const struct et_method *method = &klass->methods[random32() % klass->method_count];
    const uint32_t offset =
        method->offset + (method->stride ? random32() % method->count * method->stride : 0);
    const unsigned mode = random32() % 5, count = mode > 1 && random32() % 4 ? 1 : 1 + random32() % 6;
    if (room < count + 1)
        return 0;
    if (offset < 0x100 && random32() % 8) /* few new objects and waits */
        return put_method(words, room, classes);
    if (mode == 4) {
        words[0] = 4u << 29 | (random32() & 0x1fff) << 16 | subchannel << 13 | offset >> 2;
        return 1;
    }
    words[0] = (mode == 0 ? 3u : mode == 1 ? 5u : 1u) << 29 | count << 16 | subchannel << 13 | offset >> 2;
    for (unsigned i = 0; i < count; i++)
        words[1 + i] = random_value(klass, method);
    return count + 1;
}

static void one(unsigned round)
{
    static uint32_t words[WORDS];
    static bool starts[WORDS]; /* where a header was put */
    struct et_ram ram;
    struct et_pagemap map;
    struct et_device *device = NULL;
    struct et_channel *channel = NULL;
    struct et_run_result result;
    struct etalon_error error = {0};
    const struct et_chip *chip = et_chip_by_name(round & 1 ? "ga102" : "gm204");
    const uint16_t classes[] = {chip->threed, chip->compute, chip->inline_to_memory,
                                chip->twod,   chip->copy,    chip->channel_class};
    const struct et_device_options options = {.chip = chip,
                                              .closed_world = round >> 1 & 1,
                                              .keep_going = round >> 2 & 1,
                                              .log = true,
                                              .threads = 1,
                                              .macro_steps = 2000,
                                              .submit_words = 20000,
                                              .budget = {.instructions = 2000}};
    unsigned count = 4;
    memset(starts, 0, sizeof starts);
    words[0] = 1u << 29 | 1 << 16;
    words[1] = chip->threed;
    words[2] = 1u << 29 | 1 << 16 | 1 << 13;
    words[3] = chip->compute;
    while (count < WORDS - 8) {
        const unsigned n = round % 16 == 15 ? 0 : put_method(words + count, WORDS - count, classes);
        starts[count] = true;
        count += n;
        if (!n)
            words[count++] = random32();
    }
    if (round % 7 == 6) /* allocations fail from some point on */
        et_alloc_fail_after(1 + random32() % 400);
    if (!et_ram_create(&ram, BYTES, ET_RAM_TRACKED, &error)) {
        et_pagemap_init(&map, &ram, 40);
        if (!et_pagemap_map(&map, VA, BYTES / 2, 0, ET_READ | ET_WRITE, 0, &error) &&
            !et_pagemap_map_sparse(&map, VA + BYTES / 2, BYTES / 4, &error) &&
            !et_pagemap_map(&map, VA + BYTES / 4 * 3, BYTES / 4, BYTES / 2, ET_READ, 0, &error)) {
            memcpy(ram.base + 0x1000, words, count * sizeof *words);
            for (unsigned i = 0; i < 0x800; i++)
                et_store32(ram.base + 0x8000 + 4 * i, random32());
            if (!et_device_create(&device, &options, &error) &&
                !et_channel_create(device, 1, &map, &channel, &error)) {
                /* After a fault the rest is tried from the next header on. */
                for (unsigned start = 0, tries = 0; start < count && tries < 600; tries++) {
                    memset(&error, 0, sizeof error);
                    et_channel_reset(channel);
                    if (et_channel_push(channel, VA + 0x1000 + 4 * start, count - start, false, &error))
                        break;
                    et_device_run(device, &result, &error);
                    const uint64_t at = et_channel_get(channel);
                    start = at < VA + 0x1000 ? count : (unsigned)((at - VA - 0x1000) / 4) + 1;
                    while (start < count && !starts[start])
                        start++;
                }
            }
        }
        events += device ? et_device_event(device) : 0;
        et_device_destroy(device);
        et_pagemap_finish(&map);
        et_ram_destroy(&ram);
    }
    et_alloc_fail_after(0);
}

int main(int argc, char **argv)
{
    const unsigned long rounds = argc > 1 ? strtoul(argv[1], NULL, 0) : ROUNDS;
    const uint64_t first = argc > 2 ? strtoull(argv[2], NULL, 0) : ROUNDS;
    for (unsigned long round = 0; round < rounds; round++) {
        seed = (first + round) * UINT64_C(0x9e3779b97f4a7c15);
        one((unsigned)(first + round));
    }
    printf("%lu rounds, %llu events\n", rounds, (unsigned long long)events);
    return 0;
}
