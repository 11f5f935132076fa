/* `etalon disasm CAPTURE`: the programs that its draws and dispatches run, in order of first use. */
#include "tool/disasm.h"
#include "tool/tool.h"

#include "base/alloc.h"
#include "base/bits.h"
#include "base/hash.h"
#include "capture/replay.h"
#include "engine/qmd.h"
#include "isa/interp/program.h"
#include "pipeline/draw.h"
#include "shader/sph.h"

#include <inttypes.h>
#include <stdio.h>

#define CODE_LIMIT UINT64_C(0x100000)
#define PROGRAMS   4096

/* Programs printed so far, by address and bytes: a driver may reuse an address. */
struct walk {
    struct et_pagemap *map;
    const struct et_isa_def *def;
    struct et_isa *isa;
    struct et_tool_word_printer printer;
    uint64_t seen[PROGRAMS];
    size_t seen_count;
    bool good;
};

static bool first_time(struct walk *walk, uint64_t hash)
{
    for (size_t i = 0; i < walk->seen_count; i++)
        if (walk->seen[i] == hash)
            return false;
    if (walk->seen_count < PROGRAMS)
        walk->seen[walk->seen_count++] = hash;
    return true;
}

/* As many bytes as are mapped from va on, up to the limit. */
static uint8_t *mapped_bytes(struct walk *walk, uint64_t va, size_t *size)
{
    const struct et_extent *extent = et_pagemap_find(walk->map, va);
    struct etalon_error error = {0};
    struct et_view view;
    uint8_t *bytes;
    *size = extent ? (size_t)ET_MIN(extent->end - va, CODE_LIMIT) : 0;
    bytes = *size ? et_calloc(*size, 1) : NULL;
    et_view_init(&view, walk->map, 0);
    if (bytes && et_view_read(&view, va, bytes, *size, &error)) {
        et_free(bytes);
        bytes = NULL;
    }
    return bytes;
}

static void show_program(struct walk *walk, const char *stage, uint64_t va, size_t header)
{
    struct et_program *program = NULL;
    struct etalon_error error = {0};
    size_t size, end;
    uint8_t *bytes = mapped_bytes(walk, va, &size);
    if (!bytes || size <= header ||
        et_program_create_at(&program, walk->isa, bytes + header, size - header, 0, 0, &error)) {
        printf("#program %s 0x%" PRIx64 "\n! %s\n", stage, va, bytes ? error.text : "not mapped");
        walk->good = false;
        et_free(bytes);
        return;
    }
    end = et_program_info(program)->bytes;
    et_program_destroy(program);
    if (first_time(walk, et_hash64(va, bytes, header + end))) {
        printf("#program %s 0x%" PRIx64 "\n", stage, va);
        for (size_t i = 0; i < header; i += 4)
            printf("%s%08x%s", i % 32 ? " " : "#header ", et_load32(bytes + i),
                   i % 32 == 28 || i + 4 == header ? "\n" : "");
        for (size_t at = 0; at < end; at += walk->def->word_bits / 8)
            walk->good &= et_tool_print_word(walk->isa, &walk->printer, bytes + header, end, at);
    }
    et_free(bytes);
}

static void show_dispatch(struct walk *walk, const struct et_trigger *trigger)
{
    uint32_t words[ET_QMD_WORDS];
    const struct et_qmd_version *version;
    struct etalon_error error = {0};
    struct et_view view;
    uint64_t va;
    et_view_init(&view, walk->map, 0);
    if (et_view_read(&view, (uint64_t)et_register(trigger->registers, 0x2b4) << 8, words, sizeof words,
                     &error))
        return;
    version = et_qmd_version(words, NULL, NULL);
    if (!version)
        return;
    if (walk->def->kind == ET_ISA_MAXWELL)
        va = (et_register_address(trigger->registers, 0x1608) & UINT64_C(0xffffffffff)) +
             et_qmd_get(version, words, "PROGRAM_OFFSET", 0);
    else
        va = et_qmd_get(version, words, "PROGRAM_ADDRESS_UPPER", 0) << 32 |
             et_qmd_get(version, words, "PROGRAM_ADDRESS_LOWER", 0);
    show_program(walk, "compute", va, 0);
}

static void on_trigger(void *context, const struct et_trigger *trigger)
{
    static const char *const stages[] = {"vertex_a",        "vertex",   "tess_control",
                                         "tess_evaluation", "geometry", "fragment"};
    struct walk *walk = context;
    if (trigger->kind == ET_TRIGGER_DISPATCH)
        show_dispatch(walk, trigger);
    for (unsigned s = 0; trigger->kind == ET_TRIGGER_DRAW && trigger->draw && s < ET_STAGES; s++)
        if (trigger->draw->stage[s].enable)
            show_program(walk, stages[s], trigger->draw->stage[s].program,
                         trigger->draw->sph_v4 ? ET_SPH_V4_BYTES : ET_SPH_V3_BYTES);
}

int et_tool_disasm_capture(const char *path, const struct et_tool_word_printer *printer)
{
    struct walk walk = {.printer = *printer, .good = true};
    const struct et_replay_options options = {.listener = {.context = &walk, .trigger = on_trigger},
                                              .keep_going = true};
    struct etalon_error error = {0};
    struct et_capture capture;
    struct et_replay *replay;
    int result = ET_TOOL_OK;
    if (et_capture_read(&capture, path, &error))
        return et_tool_error("disasm", &error);
    if (et_replay_create(&replay, &capture, &options, &error)) {
        et_capture_free(&capture);
        return et_tool_error("disasm", &error);
    }
    walk.map = et_replay_map(replay);
    walk.def = et_isa_def_for(et_device_chip(et_replay_device(replay))->isa);
    if (et_isa_open(walk.def, &walk.isa, &error) || et_replay_run(replay, &error))
        result = et_tool_error("disasm", &error);
    et_isa_close(walk.isa);
    et_replay_destroy(replay);
    et_capture_free(&capture);
    return result ? result : walk.good ? ET_TOOL_OK : ET_TOOL_DIFFERENT;
}
