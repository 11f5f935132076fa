/* `etalon info CAPTURE`: what a capture holds, without running it. */
#include "tool/tool.h"

#include "base/bits.h"
#include "capture/capture.h"
#include "engine/chip.h"

#include <stdio.h>
#include <string.h>

static const char help[] =
    "usage: etalon info CAPTURE ...\n       etalon info --chips\n"
    "\n"
    "Says what a capture (a folder or a .tar.zst) holds: driver, chip, classes, buffers,\n"
    "submissions, outputs. --chips lists the chips that Etalon knows.\n"
    "Exit: 0, or 2 when a capture can't be read.\n";

static void print_capture(const struct et_capture *capture)
{
    uint64_t words = 0, pushes = 0, bytes = 0;
    for (size_t i = 0; i < capture->submit_count; i++)
        for (size_t k = 0; k < capture->submits[i].push_count; k++, pushes++)
            words += capture->submits[i].pushes[k].bytes / 4;
    for (size_t i = 0; i < capture->bo_count; i++)
        bytes += capture->bos[i].size;
    printf("capture   %s\nsha256    %s\nprogram   %s on %s %s\n", capture->name, capture->hash,
           capture->program, capture->driver, capture->mesa);
    printf("chip      %s (chipset 0x%x); classes: channel %04X, 3D %04X, compute %04X, copy %04X, 2D %04X, "
           "inline %04X\n",
           capture->chip, capture->chipset, capture->class_channel, capture->class_threed,
           capture->class_compute, capture->class_copy, capture->class_twod, capture->class_inline);
    printf("buffers   %zu, %llu bytes; recorded bytes %zu\n", capture->bo_count, (unsigned long long)bytes,
           capture->byte_count);
    printf("submits   %zu with %llu pushes, %llu words\n", capture->submit_count, (unsigned long long)pushes,
           (unsigned long long)words);
    for (size_t i = 0; i < capture->output_count; i++)
        printf("output    %s: %llu bytes after submit %llu\n", capture->outputs[i].name,
               (unsigned long long)capture->outputs[i].bytes,
               (unsigned long long)capture->outputs[i].after_submit);
    if (capture->result.present)
        printf("result    %llu bytes after submit %llu%s", (unsigned long long)capture->result.bytes,
               (unsigned long long)capture->result.submit, capture->result.rows ? ", " : "\n");
    if (capture->result.present && capture->result.rows)
        printf("%llu rows of %llu bytes\n", (unsigned long long)capture->result.rows,
               (unsigned long long)capture->result.line_bytes);
}

static void print_chips(void)
{
    unsigned count;
    const struct et_chip *chips = et_chips(&count);
    for (unsigned i = 0; i < count; i++)
        printf("%-8s %-28s channel %04X 3D %04X compute %04X copy %04X%s%s\n", chips[i].name, chips[i].title,
               chips[i].channel_class, chips[i].threed, chips[i].compute, chips[i].copy,
               chips[i].doubtful ? "  (?) " : "", chips[i].doubtful ? chips[i].doubtful : "");
}

int et_tool_info(int argc, char **argv)
{
    bool chips = false;
    const struct et_tool_option known[] = {et_option_flag("--chips", &chips)};
    const struct et_tool_syntax syntax = {
        .name = "info", .help = help, .options = known, .option_count = ET_COUNT(known)};
    int captures, result = et_tool_arguments(&syntax, argc, argv, &captures);
    if (result != ET_TOOL_GO)
        return result;
    if (chips)
        print_chips();
    else if (!captures)
        return et_tool_usage("info", "a capture is needed");
    result = ET_TOOL_OK;
    for (int i = 0; i < captures; i++) {
        struct et_capture capture;
        struct etalon_error error = {0};
        if (et_capture_read(&capture, argv[i], &error)) {
            result = et_tool_error("info", &error);
        } else {
            print_capture(&capture);
            et_capture_free(&capture);
        }
    }
    return result;
}
