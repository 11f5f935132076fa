/* fuzz-capture [COUNT [SEED]]: seeded damage to captures. Each ends in a named error or a picture; the
 * sanitizers and a watchdog do the judging. */
#include "base/alloc.h"
#include "base/bits.h"
#include "capture/replay.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const char *const programs[] = {
    "nvk-ga102-tri_flat",
    "nvk-gm204-tri_smooth",
    "nvk-ga102-cs_shared",
    "nvk-gm204-cs_atomics",
    "nvc0-gm204-glt-texquad",
    "nvk-ga102-gs_layers",
    "nvk-gm204-tess_quad",
    "nvk-ga102-xfb",
    "nvk26-ga102-vkt-texquad",
    "nvk-gm204-ms4_resolve",
    "nvc0-ga102-piglit-quads",
    "nvk-gm20b-vkt-compute-indirect",
    "nvk-gm204-adjacency",
    "nvk-gm204-vertex_formats",
    "nvk-ga102-conservative_triangles",
    "nvk-gm204-lines_aliased_stipple",
    "nvk-gm204-logic_ops_formats",
    "nvk-ga102-tex_cube",
    "nvk-gm204-tex_border",
    "nvk-gm204-tex_mip",
    "nvk-ga102-depth_bias_d32",
    "nvk-gm204-stencil_d24s8",
    "nvk-gm204-clip_w",
    "nvk-ga102-ms8_pos",
    "nvk-ga102-index_draw",
    "nvk-ga102-viewport_layer",
    "nvk-ga102-blend_dual",
    "nvk-ga102-pipeline_stats",
};

static uint64_t state;

static uint32_t next(uint32_t below)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((state >> 33) % below);
}

/* Words of pushes, shaders and pools lie among the bulk bytes; a flip there reaches every engine. */
static void damage_bytes(struct et_capture *capture)
{
    for (uint32_t n = 1 + next(8); n && capture->byte_count; n--) {
        const size_t at = next((uint32_t)capture->byte_count);
        switch (next(4)) {
        case 0:
            capture->bytes[at] ^= (uint8_t)(1u << next(8));
            break;
        case 1:
            capture->bytes[at] = (uint8_t)next(256);
            break;
        case 2:
            capture->bytes[at] = 0xff;
            break;
        default:
            if (at + 4 <= capture->byte_count)
                et_store32(capture->bytes + (at & ~(size_t)3), next(UINT32_MAX));
        }
    }
}

static void damage_structure(struct et_capture *capture)
{
    struct et_capture_submit *submit =
        capture->submit_count ? &capture->submits[next((uint32_t)capture->submit_count)] : NULL;
    if (!submit)
        return;
    switch (next(6)) {
    case 0: /* a mapping is missing */
        if (submit->map_count)
            submit->map_count--;
        break;
    case 1: /* a record is missing */
        if (submit->memory_count)
            submit->memory_count--;
        break;
    case 2: /* a push ends early */
        if (submit->push_count)
            submit->pushes[next((uint32_t)submit->push_count)].bytes = 4 * next(64);
        break;
    case 3: /* a push lies elsewhere */
        if (submit->push_count)
            submit->pushes[next((uint32_t)submit->push_count)].va += 4 * next(1 << 20);
        break;
    case 4: /* other channels */
        submit->channel = next(4);
        break;
    default:
        capture->map_count -= capture->map_count && next(2);
    }
}

/* ---- methods: arguments changed on purpose, headers kept ---- */

/* The bulk bytes that a push of `bytes` reads first; NULL where no record of its submit or before all holds
 * it. */
static uint8_t *bytes_of_push(const struct et_capture *capture, const struct et_capture_submit *submit,
                              const struct et_capture_push *push)
{
    const struct et_capture_record *lists[] = {submit->memory, capture->memory};
    const size_t counts[] = {submit->memory_count, capture->memory_count};
    for (size_t m = 0; m < capture->map_count; m++) {
        const struct et_capture_map *map = &capture->maps[m];
        if (push->va < map->va || push->va - map->va >= map->size)
            continue;
        const uint64_t at = map->bo_offset + (push->va - map->va);
        for (unsigned k = 0; k < ET_COUNT(lists); k++)
            for (size_t i = 0; i < counts[k]; i++) {
                const struct et_capture_record *r = &lists[k][i];
                if (r->bo == map->bo && at >= r->bo_offset && at - r->bo_offset <= r->size &&
                    push->bytes <= r->size - (at - r->bo_offset))
                    return capture->bytes + r->offset + (at - r->bo_offset);
            }
    }
    return NULL;
}

static uint32_t odd_value(uint32_t value)
{
    static const uint32_t values[] = {0,          1,          2,          0xff,       0xffff,     0x10000,
                                      0x7fffffff, 0x80000000, 0x80000001, 0xffffffff, 0x7f800000, 0xff800000,
                                      0x7fc00000, 0x3f800000, 0xbf800000, 0x5f000000, 0x1fff,     0x3fff0000};
    switch (next(4)) {
    case 0:
        return value ^ 1u << next(32);
    case 1:
        return value + 1 - 2 * next(2);
    case 2:
        return next(UINT32_MAX);
    default:
        return values[next(ET_COUNT(values))];
    }
}

/* Changes one in `rarity` arguments of a push's method runs, and as many inline ones. [DOC: the host class's
 * DMA headers] */
static void damage_arguments(uint8_t *words, uint64_t count, uint32_t rarity)
{
    for (uint64_t i = 0; i < count;) {
        const uint32_t header = et_load32(words + 4 * i), kind = header >> 29,
                       run = kind == 4 ? 0 : header >> 16 & 0x1fff;
        if (kind == 4 && !next(rarity))
            et_store32(words + 4 * i, (header & ~0x1fff0000u) | (odd_value(header >> 16) & 0x1fff) << 16);
        for (uint64_t n = 1; n <= run && i + n < count; n++)
            if (!next(rarity))
                et_store32(words + 4 * (i + n), odd_value(et_load32(words + 4 * (i + n))));
        i += 1 + run;
    }
}

static void damage_methods(struct et_capture *capture)
{
    const uint32_t rarity = 1u << (4 + next(8));
    for (size_t s = 0; s < capture->submit_count; s++)
        for (size_t n = 0; n < capture->submits[s].push_count; n++) {
            const struct et_capture_push *push = &capture->submits[s].pushes[n];
            uint8_t *const words = bytes_of_push(capture, &capture->submits[s], push);
            if (words)
                damage_arguments(words, push->bytes / 4, rarity);
        }
}

static void run_one(const char *folder, uint32_t number)
{
    const struct et_replay_options options = {
        .threads = 1, .keep_going = next(2), .budget = {.instructions = 100000}};
    struct et_capture capture;
    struct et_replay *replay;
    struct etalon_error error = {0};
    char path[1024];
    snprintf(path, sizeof path, "%s/conformance/captures/%s.tar.zst", folder,
             programs[next(ET_COUNT(programs))]);
    if (et_capture_read(&capture, path, &error)) {
        fprintf(stderr, "fuzz-capture: %s\n", error.text);
        exit(2);
    }
    if (next(2))
        damage_methods(&capture);
    else if (next(4))
        damage_bytes(&capture);
    if (!next(3))
        damage_structure(&capture);
    if (!et_replay_create(&replay, &capture, &options, &error)) {
        alarm(120); /* a hang is a failure */
        et_replay_run(replay, &error);
        alarm(0);
        et_replay_destroy(replay);
    }
    if (error.status && (!error.text[0] || (unsigned)error.status >= ETALON_STATUS_COUNT)) {
        fprintf(stderr, "fuzz-capture: case %u ends in an error without a name\n", number);
        exit(1);
    }
    et_capture_free(&capture);
}

int main(int argc, char **argv)
{
    const uint32_t count = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 0) : 1000;
    const uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
    const char *folder = getenv("srcdir");
    for (uint32_t i = 0; i < count; i++) {
        state = (seed << 32) + i;
        next(1);
        run_one(folder ? folder : ".", i);
    }
    printf("%u damaged captures: each a named error or a picture\n", count);
    return 0;
}
