/* `etalon render`: replays one capture and writes what it leaves. */
#include "tool/tool.h"

#include "base/alloc.h"
#include "base/bits.h"
#include "capture/replay.h"
#include "tool/picture.h"
#include "tool/truth.h"

#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char help[] =
    "usage: etalon render CAPTURE [-o OUT.png] [--outputs DIR] [OPTION ...]\n"
    "\n"
    "Replays a capture (a folder or a .tar.zst) on the chip that it names, and writes its result.\n"
    "\n"
    "  -o OUT.png        the result as a picture; its text chunks name chip, capture, version and verdict.\n"
    "                    8-bit colours are exact, other formats are scaled to be seen, integers get a colour "
    "each\n"
    "  --outputs DIR     every output that the manifest names, raw; the result as `result` where it names "
    "none\n"
    "  --truth PATH      a folder of truth (PROGRAM.tar.zst, or PROGRAM.json and .raw files): says of each "
    "output\n"
    "                    whether it is equal\n"
    "  --format NAME     texel format of the result (A8B8G8R8 ...), where the capture does not tell\n"
    "  --chip NAME       another chip's row (see `etalon info --chips`)\n"
    "  --threads N       threads (default: all)\n"
    "  --keep-going      pass over unsupported draws instead of stopping\n"
    "  --hash            print a hash of all memory\n"
    "Exit: 0 (with --truth: all equal), 1 something differs, 2 an error; what was written before it is "
    "kept.\n";

struct options {
    const char *picture, *outputs, *truth, *format, *chip;
    unsigned long long threads;
    bool keep_going, hash;
};

struct verdict {
    size_t equal, different, unknown;
};

static void compare_output(const struct et_truth *truth, const char *name, const uint8_t *bytes, size_t size,
                           struct verdict *verdict)
{
    struct et_difference difference;
    const struct et_truth_image *image = et_truth_find(truth, name);
    if (!image && truth->count == 1)
        image = &truth->images[0];
    if (!image || image->size > size) {
        printf("%s: no truth\n", name);
        verdict->unknown++;
        return;
    }
    et_truth_compare(image, bytes, &difference);
    if (difference.different) {
        printf("%s: %" PRIu64 " of %" PRIu64 " texels differ from silicon, the first at %" PRIu64
               ", largest by %" PRIu64 "\n",
               name, difference.different, difference.texels, difference.first, difference.largest);
        verdict->different++;
    } else {
        printf("%s: equal to silicon (%s)\n", name, truth->maker);
        verdict->equal++;
    }
}

static enum etalon_status handle_output(const struct options *options, const struct et_truth *truth,
                                        const char *name, const uint8_t *bytes, size_t size,
                                        struct verdict *verdict, struct etalon_error *error)
{
    char path[4096];
    if (options->truth)
        compare_output(truth, name, bytes, size, verdict);
    if (!options->outputs)
        return ETALON_OK;
    mkdir(options->outputs, 0777);
    snprintf(path, sizeof path, "%s/%s", options->outputs, name);
    return et_file_write(path, bytes, size, error);
}

static enum etalon_status handle_outputs(const struct options *options, const struct et_capture *capture,
                                         const struct et_replay *replay, struct verdict *verdict,
                                         struct etalon_error *error)
{
    struct et_truth truth = {0};
    enum etalon_status status = ETALON_OK;
    if (options->truth)
        status = et_truth_read(&truth, options->truth, capture->program, error);
    for (size_t i = 0; !status && i < capture->output_count; i++)
        status = handle_output(options, &truth, capture->outputs[i].name, et_replay_output(replay, i),
                               capture->outputs[i].bytes, verdict, error);
    if (!status && !capture->output_count && capture->result.present) {
        uint8_t *bytes;
        size_t size;
        status = et_result_bytes(replay, capture, &bytes, &size, error);
        if (!status)
            status = handle_output(options, &truth, "result", bytes, size, verdict, error);
        et_free(bytes);
    }
    et_truth_free(&truth);
    return status;
}

static const struct et_color_format *result_format(const struct options *options,
                                                   const struct et_capture *capture,
                                                   const struct et_surface_watch *watch)
{
    const struct et_color_format *format = NULL;
    if (options->format)
        return et_color_format_named(options->format);
    if (capture->result.format)
        format = et_color_format_find(capture->result.format);
    if (!format && watch->format)
        format = et_color_format_find(watch->format);
    return format ? format : et_color_format_named("A8B8G8R8");
}

static enum etalon_status write_picture(const struct options *options, const struct et_capture *capture,
                                        const struct et_replay *replay, const struct et_chip *chip,
                                        const struct et_surface_watch *watch, const struct verdict *verdict,
                                        struct etalon_error *error)
{
    const struct et_color_format *format = result_format(options, capture, watch);
    const char *judged = verdict->different ? "different from silicon"
                         : verdict->equal   ? "equal to silicon"
                                            : "not judged";
    const struct et_png_text texts[] = {{"Software", "etalon " PACKAGE_VERSION},
                                        {"Chip", chip->title},
                                        {"Capture", capture->name},
                                        {"Capture-SHA256", capture->hash},
                                        {"Format", format ? format->name : ""},
                                        {"Verdict", judged}};
    struct et_picture picture;
    uint8_t *bytes = NULL;
    size_t size;
    uint64_t rows, line;
    enum etalon_status status;
    if (!capture->result.present)
        return et_fail(error, ETALON_UNSUPPORTED,
                       "the manifest names no result to show; --outputs writes the rest");
    if (!format)
        return et_fail(error, ETALON_INVALID, "no texel format is called %s", options->format);
    status = et_result_bytes(replay, capture, &bytes, &size, error);
    rows = capture->result.rows ? capture->result.rows : et_ceil_div(size, 1024);
    line = capture->result.rows ? capture->result.line_bytes : 1024;
    if (!status &&
        (line < format->bytes || rows * (line / format->bytes) * format->bytes > size || rows > 32768))
        status = et_fail(error, ETALON_BOUNDS, "a row of %" PRIu64 " bytes holds no whole texels of %s", line,
                         format->name);
    if (!status)
        status =
            et_picture_of(&picture, format, bytes, (unsigned)(line / format->bytes), (unsigned)rows, error);
    et_free(bytes);
    if (status)
        return status;
    status = et_png_write(options->picture, &picture, texts, ET_COUNT(texts), error);
    et_free(picture.rgba);
    return status;
}

static enum etalon_status run_replay(struct et_replay *replay, const struct et_capture *capture,
                                     struct etalon_error *error)
{
    const bool show = isatty(2);
    bool more = capture->submit_count > 0;
    enum etalon_status status = ETALON_OK;
    while (more && !status) {
        if (show)
            fprintf(stderr, "\rsubmit %" PRIu64 " of %zu", et_replay_facts(replay)->submits + 1,
                    capture->submit_count);
        status = et_replay_step(replay, &more, error);
    }
    if (show)
        fputc('\n', stderr);
    return status;
}

static void print_facts(struct et_replay *replay, const struct et_surface_watch *watch)
{
    const struct et_replay_facts *facts = et_replay_facts(replay);
    fprintf(stderr,
            "%" PRIu64 " submits, %" PRIu64 " draws, %" PRIu64 " dispatches, %" PRIu64 " other triggers\n",
            facts->submits, watch->draws, watch->dispatches, watch->other);
    if (facts->polluted)
        fprintf(stderr,
                "polluted: %" PRIu64
                " granules that the program wrote back lie on bytes the GPU wrote; first in submit "
                "%" PRIu64 ", buffer %" PRIu64 " + 0x%" PRIx64 "\n",
                facts->polluted, facts->polluted_submit, facts->polluted_bo, facts->polluted_offset);
    if (facts->unsupported) {
        char text[640];
        et_tool_error_text(et_device_first_unsupported(et_replay_device(replay)), text, sizeof text);
        fprintf(stderr, "%" PRIu64 " triggers passed over; the first: %s\n", facts->unsupported, text);
    }
}

static int render(const struct options *options, const struct et_capture *capture)
{
    struct etalon_error error = {0};
    struct verdict verdict = {0};
    struct et_surface_watch watch = {.address = capture->result.src_va};
    struct et_replay_options replay_options = {
        .threads = (int)options->threads,
        .keep_going = options->keep_going,
        .listener = {.context = &watch, .trigger = et_surface_watch_trigger}};
    struct et_replay *replay;
    enum etalon_status status;
    int result = ET_TOOL_OK;
    if (options->chip) {
        replay_options.chip = et_chip_by_name(options->chip);
        if (!replay_options.chip)
            return et_tool_usage("render", "no chip is called '%s'", options->chip);
    }
    if (et_replay_create(&replay, capture, &replay_options, &error))
        return et_tool_error("render", &error);
    status = run_replay(replay, capture, &error);
    if (status) {
        result = et_tool_error("render", &error);
        et_error_clear(&error);
    }
    print_facts(replay, &watch);
    if (handle_outputs(options, capture, replay, &verdict, &error) ||
        (options->picture && write_picture(options, capture, replay, et_device_chip(et_replay_device(replay)),
                                           &watch, &verdict, &error)))
        result = et_tool_error("render", &error);
    if (options->hash)
        printf("memory hash %016" PRIx64 "\n", et_replay_hash(replay));
    et_replay_destroy(replay);
    return result ? result : verdict.different ? ET_TOOL_DIFFERENT : ET_TOOL_OK;
}

int et_tool_render(int argc, char **argv)
{
    struct options options = {0};
    const struct et_tool_option known[] = {
        et_option_text("-o", &options.picture),
        et_option_text("--outputs", &options.outputs),
        et_option_text("--truth", &options.truth),
        et_option_text("--format", &options.format),
        et_option_text("--chip", &options.chip),
        et_option_flag("--keep-going", &options.keep_going),
        et_option_flag("--hash", &options.hash),
        et_option_number("--threads", &options.threads, 1, ET_TOOL_THREADS)};
    const struct et_tool_syntax syntax = {.name = "render",
                                          .help = help,
                                          .options = known,
                                          .option_count = ET_COUNT(known),
                                          .wanted = "a capture",
                                          .most = 1};
    struct et_capture capture;
    struct etalon_error error = {0};
    int captures, result = et_tool_arguments(&syntax, argc, argv, &captures);
    if (result != ET_TOOL_GO)
        return result;
    if (et_capture_read(&capture, argv[0], &error))
        return et_tool_error("render", &error);
    result = render(&options, &capture);
    et_capture_free(&capture);
    return result;
}
