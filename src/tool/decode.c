/* `etalon decode`: a command stream as method names, fields and enumerants, with what macros send nested
 * below their calls. The stream is executed as far as its macros need it: draws, clears and launches are only
 * told. */
#include "tool/tool.h"

#include "base/alloc.h"
#include "base/bits.h"
#include "capture/replay.h"
#include "capture/tar.h"
#include "mme/mme.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: etalon decode [--run] [--macros] [--summary] CAPTURE\n"
    "       etalon decode --chip NAME [--macros] [--summary] RAW\n"
    "\n"
    "Prints the methods of a capture (a folder or a .tar.zst) or of a file of raw pushbuffer words,\n"
    "one a line: address, subchannel, class, name, fields. What a macro sends is indented below its\n"
    "call. Raw words run with 3D on subchannel 0 and compute on 1, all memory reading zero.\n"
    "\n"
    "  --run       also execute draws, clears and launches\n"
    "  --macros    print the code of the macros at the end\n"
    "  --summary   print the counts only\n"
    "  --chip NAME the chip of raw words (etalon info --chips)\n"
    "Exit: 0; 1 when a method has no name or the stream is at fault; 2 when the input can't be read.\n";

struct decode {
    bool quiet, macros, run;
    const char *chip, *path;
    uint64_t methods, sent, unnamed, triggers;
};

static bool named(const struct et_class *klass, uint32_t method)
{
    return klass && et_class_method(klass, method, NULL, NULL);
}

static void on_method(void *context, const struct et_method_event *event)
{
    struct decode *decode = context;
    const struct et_class *klass = et_class_find(event->klass);
    char name[96], value[2048];
    decode->methods += !event->depth;
    decode->sent += event->depth != 0;
    if (!named(klass, event->method))
        decode->unnamed++;
    if (decode->quiet)
        return;
    if (klass) {
        et_class_method_text(klass, event->method, name, sizeof name);
        if (!et_class_value_text(klass, event->method, event->value, value, sizeof value))
            snprintf(value, sizeof value, "0x%08x", event->value);
    } else {
        snprintf(name, sizeof name, "0x%04x", event->method);
        snprintf(value, sizeof value, "0x%08x", event->value);
    }
    if (event->depth)
        printf("%*s%04X %s  %s\n", 22, "", event->klass, name, value);
    else
        printf("  %012llx %u  %04X %s  %s\n", (unsigned long long)event->address, event->subchannel,
               event->klass, name, value);
}

static void on_trigger(void *context, const struct et_trigger *trigger)
{
    struct decode *decode = context;
    decode->triggers++;
    if (decode->quiet)
        return;
    printf("%*s= event %llu: %s", 4, "", (unsigned long long)trigger->event,
           et_trigger_kind_name(trigger->kind));
    switch (trigger->kind) {
    case ET_TRIGGER_DRAW:
        printf(" of %u from %u, %u instances", trigger->count[0], trigger->count[2], trigger->count[1]);
        break;
    case ET_TRIGGER_DISPATCH:
        printf(" of %u x %u x %u, descriptor at 0x%llx", trigger->count[0], trigger->count[1],
               trigger->count[2], (unsigned long long)trigger->target);
        break;
    case ET_TRIGGER_CLEAR:
        break;
    default:
        printf(" to 0x%llx, %llu bytes", (unsigned long long)trigger->target,
               (unsigned long long)trigger->bytes);
        break;
    }
    putchar('\n');
}

static void print_macros(struct et_device *device, uint32_t number)
{
    struct et_channel *channel = et_device_channel(device, number);
    const struct et_mme *mme = channel ? et_channel_macros(channel) : NULL;
    const enum et_mme_kind kind = et_device_chip(device)->mme;
    const uint32_t unit = kind == ET_MME_TURING ? 3 : 1;
    uint32_t words = 0;
    const uint32_t *code = mme ? et_mme_code(mme, &words) : NULL;
    char text[512];
    if (words)
        printf("macros of channel %u\n", number);
    for (uint32_t at = 0; at + unit <= words; at += unit) {
        for (unsigned macro = 0; macro < ET_MME_STARTS; macro++)
            if (et_mme_start(mme, macro) == at && (at || !macro))
                printf("macro %u:\n", macro);
        et_mme_disassemble(kind, code + at, at / unit, text, sizeof text);
        printf("  %4x  %s\n", at / unit, text);
    }
}

static int finish(const struct decode *decode, enum etalon_status status, const struct etalon_error *error)
{
    printf("%llu methods, %llu sent by macros, %llu events, %llu methods without a name\n",
           (unsigned long long)decode->methods, (unsigned long long)decode->sent,
           (unsigned long long)decode->triggers, (unsigned long long)decode->unnamed);
    if (status)
        et_tool_error("decode", error);
    return status || decode->unnamed ? ET_TOOL_DIFFERENT : ET_TOOL_OK;
}

static et_skip skipped(const struct decode *decode)
{
    return decode->run ? 0 : 1u << ET_TRIGGER_DRAW | 1u << ET_TRIGGER_CLEAR | 1u << ET_TRIGGER_DISPATCH;
}

static void print_submit(const struct decode *decode, const struct et_capture_submit *submit)
{
    if (decode->quiet)
        return;
    printf("submit %llu, channel %u\n", (unsigned long long)submit->index, submit->channel);
    for (size_t i = 0; i < submit->push_count; i++)
        printf(" push at 0x%llx, %llu bytes%s\n", (unsigned long long)submit->pushes[i].va,
               (unsigned long long)submit->pushes[i].bytes,
               submit->pushes[i].no_prefetch ? ", no prefetch" : "");
}

static int decode_capture(struct decode *decode)
{
    struct etalon_error error = {0};
    struct et_capture capture;
    struct et_replay *replay = NULL;
    if (et_capture_read(&capture, decode->path, &error))
        return et_tool_error("decode", &error);
    const struct et_replay_options options = {
        .listener = {.context = decode, .method = on_method, .trigger = on_trigger},
        .threads = 1,
        .keep_going = true,
        .skip = skipped(decode)};
    enum etalon_status status = et_replay_create(&replay, &capture, &options, &error);
    if (status) {
        et_capture_free(&capture);
        return et_tool_error("decode", &error);
    }
    bool more = capture.submit_count > 0;
    for (size_t i = 0; !status && more; i++) {
        if (i < capture.submit_count)
            print_submit(decode, &capture.submits[i]);
        status = et_replay_step(replay, &more, &error);
    }
    for (uint32_t channel = 0; replay && decode->macros && channel < 64; channel++)
        print_macros(et_replay_device(replay), channel);
    const int result = finish(decode, status, &error);
    et_replay_destroy(replay);
    et_capture_free(&capture);
    return result;
}

#define RAW_VA UINT64_C(0x100000)

/* Words in RAM of their own; everything else of the address space reads zero. */
static enum etalon_status run_raw(struct decode *decode, const struct et_chip *chip, const uint8_t *bytes,
                                  size_t count, struct etalon_error *error)
{
    const uint32_t bind[] = {1u << 29 | 1 << 16, chip->threed, 1u << 29 | 1 << 16 | 1 << 13, chip->compute};
    const uint64_t size = et_align_up(count + ET_PAGE_SIZE, ET_PAGE_SIZE);
    struct et_ram ram;
    struct et_pagemap map;
    struct et_device *device = NULL;
    struct et_channel *channel;
    struct et_run_result result;
    const struct et_device_options options = {
        .chip = chip,
        .listener = {.context = decode, .method = on_method, .trigger = on_trigger},
        .closed_world = true,
        .keep_going = true,
        .threads = 1,
        .skip = ~(et_skip)0};
    enum etalon_status status = et_ram_create(&ram, size, ET_RAM_TRACKED, error);
    if (status)
        return status;
    et_pagemap_init(&map, &ram, chip->va_bits);
    memcpy(ram.base, bind, sizeof bind);
    memcpy(ram.base + ET_PAGE_SIZE, bytes, count);
    status = et_pagemap_map_sparse(&map, 0, UINT64_C(1) << chip->va_bits, error);
    if (!status)
        status = et_pagemap_map(&map, RAW_VA, size, 0, ET_READ, 0, error);
    if (!status)
        status = et_device_create(&device, &options, error);
    if (!status)
        status = et_channel_create(device, 1, &map, &channel, error);
    if (!status)
        status = et_channel_push(channel, RAW_VA, ET_COUNT(bind), false, error);
    if (!status)
        status = et_channel_push(channel, RAW_VA + ET_PAGE_SIZE, (uint32_t)(count / 4), false, error);
    if (!status)
        status = et_device_run(device, &result, error);
    if (device && decode->macros)
        print_macros(device, 1);
    et_device_destroy(device);
    et_pagemap_finish(&map);
    et_ram_destroy(&ram);
    return status;
}

static int decode_raw(struct decode *decode)
{
    const struct et_chip *chip = et_chip_by_name(decode->chip);
    struct etalon_error error = {0};
    uint8_t *bytes;
    size_t count;
    if (!chip)
        return et_tool_usage("decode", "no chip '%s'", decode->chip);
    if (et_file_read(decode->path, UINT64_C(1) << 28, &bytes, &count, &error))
        return et_tool_error("decode", &error);
    if (!count || count & 3) {
        et_free(bytes);
        et_fail(&error, ETALON_FORMAT, "%s is not a number of 32-bit words", decode->path);
        return et_tool_error("decode", &error);
    }
    const enum etalon_status status = run_raw(decode, chip, bytes, count, &error);
    et_free(bytes);
    return finish(decode, status, &error);
}

int et_tool_decode(int argc, char **argv)
{
    struct decode decode = {0};
    const struct et_tool_option known[] = {
        et_option_flag("--run", &decode.run), et_option_flag("--macros", &decode.macros),
        et_option_flag("--summary", &decode.quiet), et_option_text("--chip", &decode.chip)};
    const struct et_tool_syntax syntax = {.name = "decode",
                                          .help = help,
                                          .options = known,
                                          .option_count = ET_COUNT(known),
                                          .wanted = "a capture or a file of words",
                                          .most = 1};
    int paths;
    const int result = et_tool_arguments(&syntax, argc, argv, &paths);
    if (result != ET_TOOL_GO)
        return result;
    decode.path = argv[0];
    return decode.chip ? decode_raw(&decode) : decode_capture(&decode);
}
