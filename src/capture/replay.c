#include "capture/replay.h"

#include "base/alloc.h"
#include "base/bits.h"
#include "base/hash.h"

#include <inttypes.h>
#include <stdio.h>
#include <sys/mman.h>

#define GRANULE   16
#define BO_ALIGN  UINT64_C(0x10000)
#define RAM_LIMIT (UINT64_C(1) << 38)

struct et_replay {
    const struct et_capture *capture;
    struct et_ram ram;
    struct et_pagemap map;
    struct et_device *device;
    uint64_t *bo_offset; /* of each of the capture's bos in RAM */
    /* What the CPU alone has written: RAM differs from it where our GPU wrote. */
    uint8_t *cpu_view;
    uint8_t **outputs; /* kept after their submit; NULL before */
    size_t next;
    struct et_replay_facts facts;
};

static enum etalon_status lay_out(struct et_replay *replay, struct etalon_error *error)
{
    const struct et_capture *capture = replay->capture;
    uint64_t size = BO_ALIGN;
    enum etalon_status status;
    replay->bo_offset = et_calloc(capture->bo_count, sizeof *replay->bo_offset);
    replay->outputs = et_calloc(capture->output_count, sizeof *replay->outputs);
    if (!replay->bo_offset || !replay->outputs)
        return et_fail(error, ETALON_NO_MEMORY, "no memory for the replay");
    for (size_t i = 0; i < capture->bo_count; i++) {
        replay->bo_offset[i] = size;
        size += et_align_up(capture->bos[i].size, BO_ALIGN);
        if (size > RAM_LIMIT)
            return et_fail(error, ETALON_BOUNDS, "the capture's buffers have over 2^38 bytes");
    }
    status = et_ram_create(&replay->ram, size, ET_RAM_TRACKED, error);
    if (status)
        return status;
    et_pagemap_init(&replay->map, &replay->ram, 49);
    replay->cpu_view =
        mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (replay->cpu_view == MAP_FAILED) {
        replay->cpu_view = NULL;
        return et_fail(error, ETALON_NO_MEMORY, "no memory for the CPU's view of RAM");
    }
    return ETALON_OK;
}

static uint64_t ram_offset(const struct et_replay *replay, uint64_t bo, uint64_t offset)
{
    return replay->bo_offset[et_capture_bo_find(replay->capture, bo) - replay->capture->bos] + offset;
}

static enum etalon_status apply_map(struct et_replay *replay, const struct et_capture_map *map,
                                    struct etalon_error *error)
{
    switch (map->op) {
    case ET_MAP:
        return et_pagemap_map(&replay->map, map->va, map->size, ram_offset(replay, map->bo, map->bo_offset),
                              ET_READ | ET_WRITE, map->kind, error);
    case ET_SPARSE:
        return et_pagemap_map_sparse(&replay->map, map->va, map->size, error);
    default:
        return et_pagemap_unmap(&replay->map, map->va, map->size, error);
    }
}

/* Counts the granules of a record where RAM no longer holds what the CPU wrote last. */
static void count_polluted(struct et_replay *replay, const struct et_capture_record *record, uint64_t at)
{
    for (uint64_t i = 0; i < record->size; i += GRANULE) {
        const size_t part = ET_MIN(GRANULE, record->size - i);
        if (!memcmp(replay->ram.base + at + i, replay->cpu_view + at + i, part))
            continue;
        if (!replay->facts.polluted++) {
            replay->facts.polluted_bo = record->bo;
            replay->facts.polluted_offset = record->bo_offset + i;
            replay->facts.polluted_submit = replay->next;
        }
    }
}

static void apply_record(struct et_replay *replay, const struct et_capture_record *record)
{
    const uint64_t at = ram_offset(replay, record->bo, record->bo_offset);
    if (!record->size)
        return;
    count_polluted(replay, record, at);
    memcpy(replay->ram.base + at, replay->capture->bytes + record->offset, record->size);
    memcpy(replay->cpu_view + at, replay->capture->bytes + record->offset, record->size);
    et_ram_stamp(&replay->ram, at, record->size, et_device_next_event(replay->device), ET_WRITER_CPU);
}

static enum etalon_status create_device(struct et_replay *replay, const struct et_replay_options *options,
                                        struct etalon_error *error)
{
    struct et_device_options device = {.chip = options->chip,
                                       .listener = options->listener,
                                       .closed_world = true,
                                       .keep_going = options->keep_going,
                                       .log = options->log,
                                       .threads = options->threads,
                                       .skip = options->skip,
                                       .budget = options->budget};
    if (!device.chip)
        device.chip = et_chip_by_chipset(replay->capture->chipset);
    if (!device.chip)
        return et_fail(error, ETALON_UNSUPPORTED, "no chip with chipset number 0x%" PRIx32 " (%s)",
                       replay->capture->chipset, replay->capture->chip);
    return et_device_create(&replay->device, &device, error);
}

enum etalon_status et_replay_create(struct et_replay **result, const struct et_capture *capture,
                                    const struct et_replay_options *options, struct etalon_error *error)
{
    struct et_replay *replay = et_calloc(1, sizeof *replay);
    enum etalon_status status;
    *result = NULL;
    if (!replay)
        return et_fail(error, ETALON_NO_MEMORY, "no memory for the replay");
    replay->capture = capture;
    status = lay_out(replay, error);
    if (!status)
        status = create_device(replay, options, error);
    for (size_t i = 0; !status && i < capture->map_count; i++)
        status = apply_map(replay, &capture->maps[i], error);
    if (status) {
        et_replay_destroy(replay);
        return status;
    }
    for (size_t i = 0; i < capture->memory_count; i++)
        apply_record(replay, &capture->memory[i]);
    *result = replay;
    return ETALON_OK;
}

void et_replay_destroy(struct et_replay *replay)
{
    if (!replay)
        return;
    if (replay->device)
        et_device_destroy(replay->device);
    if (replay->cpu_view)
        munmap(replay->cpu_view, replay->ram.size);
    for (size_t i = 0; replay->outputs && i < replay->capture->output_count; i++)
        et_free(replay->outputs[i]);
    et_free(replay->outputs);
    et_free(replay->bo_offset);
    et_pagemap_finish(&replay->map);
    et_ram_destroy(&replay->ram);
    et_free(replay);
}

static enum etalon_status push_all(struct et_replay *replay, const struct et_capture_submit *submit,
                                   struct etalon_error *error)
{
    struct et_channel *channel = et_device_channel(replay->device, submit->channel);
    enum etalon_status status = ETALON_OK;
    if (!channel)
        status = et_channel_create(replay->device, submit->channel, &replay->map, &channel, error);
    for (size_t i = 0; !status && i < submit->push_count; i++)
        status = et_channel_push(channel, submit->pushes[i].va, (uint32_t)(submit->pushes[i].bytes / 4),
                                 submit->pushes[i].no_prefetch, error);
    return status;
}

static enum etalon_status keep_outputs(struct et_replay *replay, struct etalon_error *error)
{
    for (size_t i = 0; i < replay->capture->output_count; i++) {
        const struct et_capture_output *output = &replay->capture->outputs[i];
        if (output->after_submit != replay->next || replay->outputs[i])
            continue;
        replay->outputs[i] = et_calloc(output->bytes, 1);
        if (!replay->outputs[i])
            return et_fail(error, ETALON_NO_MEMORY, "no memory for output %s", output->name);
        memcpy(replay->outputs[i], replay->ram.base + ram_offset(replay, output->bo, output->bo_offset),
               output->bytes);
    }
    return ETALON_OK;
}

/* Puts "submit N: " before the text. */
static void name_submit(struct etalon_error *error, size_t submit)
{
    char text[sizeof error->text];
    if (!error || !error->status)
        return;
    snprintf(text, sizeof text, "submit %zu: %.220s", submit, error->text);
    memcpy(error->text, text, sizeof text);
}

enum etalon_status et_replay_step(struct et_replay *replay, bool *more, struct etalon_error *error)
{
    const struct et_capture *capture = replay->capture;
    const struct et_capture_submit *submit = &capture->submits[replay->next];
    struct et_run_result run = {0};
    enum etalon_status status = ETALON_OK;
    *more = replay->next < capture->submit_count;
    if (!*more)
        return ETALON_OK;
    for (size_t i = 0; !status && i < submit->map_count; i++)
        status = apply_map(replay, &submit->maps[i], error);
    for (size_t i = 0; !status && i < submit->memory_count; i++)
        apply_record(replay, &submit->memory[i]);
    if (!status)
        status = push_all(replay, submit, error);
    if (!status)
        status = et_device_run(replay->device, &run, error);
    replay->facts.unsupported = run.unsupported;
    replay->facts.events = et_device_event(replay->device);
    if (!status)
        status = keep_outputs(replay, error);
    if (status) {
        name_submit(error, replay->next);
        return status;
    }
    replay->facts.submits = ++replay->next;
    *more = replay->next < capture->submit_count;
    return ETALON_OK;
}

enum etalon_status et_replay_run(struct et_replay *replay, struct etalon_error *error)
{
    bool more = replay->next < replay->capture->submit_count;
    enum etalon_status status = ETALON_OK;
    while (more && !status)
        status = et_replay_step(replay, &more, error);
    return status;
}

const struct et_replay_facts *et_replay_facts(const struct et_replay *replay)
{
    return &replay->facts;
}

struct et_device *et_replay_device(struct et_replay *replay)
{
    return replay->device;
}

struct et_pagemap *et_replay_map(struct et_replay *replay)
{
    return &replay->map;
}

const uint8_t *et_replay_output(const struct et_replay *replay, size_t output)
{
    const struct et_capture_output *wanted = &replay->capture->outputs[output];
    if (replay->outputs[output])
        return replay->outputs[output];
    return replay->ram.base + ram_offset(replay, wanted->bo, wanted->bo_offset);
}

const uint8_t *et_replay_bo(const struct et_replay *replay, uint64_t bo)
{
    return et_capture_bo_find(replay->capture, bo) ? replay->ram.base + ram_offset(replay, bo, 0) : NULL;
}

uint64_t et_replay_hash(const struct et_replay *replay)
{
    uint64_t hash = 0;
    for (size_t i = 0; i < replay->capture->bo_count; i++)
        hash = et_hash64(hash, replay->ram.base + replay->bo_offset[i], replay->capture->bos[i].size);
    return hash;
}
