/* `etalon ge`: scenarios of the PSP's display-list queue, or a raw list, decoded as it runs. */
#include "tool/tool.h"

#include "tool/ge_scenario.h"

#include "base/alloc.h"
#include "base/bits.h"
#include "capture/tar.h"
#include "etalon-ge.h"

#include <stdio.h>
#include <string.h>

static const char help[] =
    "usage: etalon ge [--timing eager|lazy|SEED|all] [--verbose] SCENARIO ...\n"
    "       etalon ge [--list] [--address A] [--sdk V] [--limit N] LIST ...\n"
    "\n"
    "Plays scenarios of the PSP's display-list queue (JSON, or a .tar.zst of such) and holds every\n"
    "call, callback and wake to what it expects. --timing says when the GE runs: eager (before a\n"
    "call returns; the default), lazy (when the scenario advances), a number (anything between, by\n"
    "a generator seeded with it), or all (eager, lazy and 30 seeds). --verbose tells what happens.\n"
    "\n"
    "A file that is no JSON, or any with --list, is a display list: 32-bit little-endian words, put\n"
    "at A (0x08a00000) and run, at most N commands (1048576). Each command is printed as it executes,\n"
    "with callbacks, draws, transfers and the end state.\n"
    "\n"
    "Exit: 0, 1 when an expectation failed (the first of each scenario is printed) or a list did not\n"
    "finish, 2 when a file can't be used.\n";

#define SEEDS 30

struct options {
    enum et_ge_timing timing;
    uint64_t seed;
    bool all, verbose, list;
    unsigned long long address, sdk, limit;
};

/* ---- Scenarios ---- */

struct run {
    const struct options *options;
    unsigned played, failed;
};

static void timing_name(const struct et_ge_play *play, char text[32])
{
    if (play->timing == ET_GE_SEEDED)
        snprintf(text, 32, "seed %llu", (unsigned long long)play->seed);
    else
        snprintf(text, 32, "%s", play->timing == ET_GE_EAGER ? "eager" : "lazy");
}

/* ETALON_OK also when an expectation fails: that is counted. */
static enum etalon_status play_once(struct run *run, const struct cJSON *scenario, struct et_ge_play play,
                                    struct etalon_error *error)
{
    struct etalon_error broken = {0};
    char timing[32];
    enum etalon_status status;
    timing_name(&play, timing);
    if (run->options->verbose) {
        play.trace = stdout;
        printf("== %s (%s)\n", et_ge_scenario_name(scenario), timing);
    }
    status = et_ge_play(scenario, &play, &broken);
    run->played++;
    if (status == ETALON_OK)
        return ETALON_OK;
    if (status != ETALON_BAD_VALUE)
        return et_fail(error, status, "%.80s: %.160s", et_ge_scenario_name(scenario), broken.text);
    run->failed++;
    printf("FAIL %s (%s): %s\n", et_ge_scenario_name(scenario), timing, broken.text);
    return ETALON_OK;
}

static enum etalon_status play(void *context, const struct cJSON *scenario, struct etalon_error *error)
{
    struct run *run = context;
    const struct options *options = run->options;
    struct et_ge_play one = {.timing = options->timing, .seed = options->seed};
    enum etalon_status status;
    if (!options->all)
        return play_once(run, scenario, one, error);
    one.timing = ET_GE_EAGER;
    status = play_once(run, scenario, one, error);
    one.timing = ET_GE_LAZY;
    if (status == ETALON_OK)
        status = play_once(run, scenario, one, error);
    one.timing = ET_GE_SEEDED;
    for (one.seed = 0; status == ETALON_OK && one.seed < SEEDS; one.seed++)
        status = play_once(run, scenario, one, error);
    return status;
}

/* ---- Raw lists ---- */

static enum etalon_ge_callback_answer on_callback(void *user, const struct etalon_ge_callback_call *call)
{
    (void)user;
    printf("          %s callback: value 0x%04x, address 0x%08x\n",
           call->kind == ETALON_GE_SIGNAL_CALLBACK ? "signal" : "finish", call->value, call->address);
    return ETALON_GE_CALLBACK_DONE;
}

static void on_command(void *user, uint32_t address, uint32_t command)
{
    char text[96];
    (void)user;
    etalon_ge_describe(command, text, sizeof text);
    printf("%08x  %08x  %s\n", address, command, text);
}

static void on_snapshot(void *user, const struct etalon_ge_snapshot *snapshot)
{
    static const char *const names[] = {"draw",         "Bezier patch", "spline patch",
                                        "bounding box", "transfer",     "colour table"};
    const char *missing = snapshot->status == ETALON_OK ? "" : ", not in memory";
    (void)user;
    switch (snapshot->kind) {
    case ETALON_GE_TRANSFER:
        printf("          transfer: %u x %u pixels of %u bytes, 0x%08x (%u, %u) to 0x%08x (%u, %u)%s\n",
               snapshot->width, snapshot->height, snapshot->bytes_per_pixel, snapshot->source.address,
               snapshot->source.x, snapshot->source.y, snapshot->destination.address, snapshot->destination.x,
               snapshot->destination.y, missing);
        break;
    case ETALON_GE_CLUT_LOAD:
        printf("          colour table: %u bytes at 0x%08x%s\n", snapshot->clut_bytes, snapshot->clut_address,
               missing);
        break;
    default:
        printf("          %s: %u vertices of %u bytes at 0x%08x", names[snapshot->kind], snapshot->count,
               snapshot->layout.stride, snapshot->vertex_address);
        if (snapshot->layout.index_size)
            printf(", indices of %u bytes at 0x%08x", snapshot->layout.index_size, snapshot->index_address);
        printf("%s\n", missing);
        break;
    }
}

static void on_fault(void *user, const struct etalon_error *error)
{
    (void)user;
    printf("          fault: %s\n", error->text);
}

static void print_end(const struct etalon_ge *ge, enum etalon_ge_stop stop)
{
    static const char *const stops[] = {"idle", "stalled", "stopped", "held", "still running", "faulted", ""};
    struct etalon_ge_registers registers;
    etalon_ge_get_registers(ge, &registers);
    printf("%s at 0x%08x after %llu commands; vertex 0x%08x, index 0x%08x, offset 0x%08x, base 0x%08x\n",
           stops[stop], registers.address, (unsigned long long)registers.executed, registers.vertex,
           registers.index, registers.offset, registers.commands[0x10]);
}

static enum etalon_status run_list(const struct options *options, uint8_t *ram, uint32_t size, bool *finished,
                                   struct etalon_error *error)
{
    const struct etalon_ge_region regions[] = {{0x08000000, 0x02000000, ram, false},
                                               {0x04000000, 0x00200000, ram + 0x02000000, false}};
    const struct etalon_ge_config config = {
        .regions = regions,
        .region_count = ET_COUNT(regions),
        .hooks = {.callback = on_callback, .command = on_command, .snapshot = on_snapshot, .fault = on_fault},
        .sdk_version = options->sdk};
    const struct etalon_ge_callback callback = {1, 0, 1, 0};
    struct etalon_ge *ge;
    enum etalon_status status = etalon_ge_create(&config, &ge, error);
    uint32_t id;
    if (status != ETALON_OK)
        return status;
    id = etalon_ge_enqueue(ge, options->address, options->address + size,
                           (int32_t)etalon_ge_set_callback(ge, &callback), NULL);
    if (id >> 31)
        status = et_fail(error, ETALON_INVALID, "the driver refuses the list: 0x%08x", id);
    else {
        print_end(ge, etalon_ge_advance(ge, options->limit));
        *finished = etalon_ge_list_sync(ge, id, ETALON_GE_POLL, NULL) == ETALON_GE_COMPLETED;
    }
    etalon_ge_destroy(ge);
    return status;
}

/* By its name, or by its first character that is no blank. */
static bool is_scenario(const char *path)
{
    const size_t length = strlen(path);
    FILE *file;
    int first;
    if ((length > 5 && !strcmp(path + length - 5, ".json")) ||
        (length > 8 && !strcmp(path + length - 8, ".tar.zst")))
        return true;
    file = fopen(path, "rb");
    if (!file)
        return true; /* which says why */
    do
        first = getc(file);
    while (first == ' ' || first == '\t' || first == '\r' || first == '\n');
    fclose(file);
    return first == '{' || first == '[';
}

static enum etalon_status play_list(const struct options *options, const char *path, bool *finished,
                                    struct etalon_error *error)
{
    const uint32_t room = 0x0a000000;
    uint8_t *bytes, *ram;
    size_t size;
    enum etalon_status status = et_file_read(path, 0x02000000, &bytes, &size, error);
    if (status != ETALON_OK)
        return status;
    ram = et_calloc(0x02200000, 1);
    if (!ram)
        status = et_fail(error, ETALON_NO_MEMORY, "no memory for %s", path);
    else if (!size)
        status = et_fail(error, ETALON_TRUNCATED, "%s is empty", path);
    else if (options->address < 0x08000000 || options->address >= room || size > room - options->address ||
             (options->address | size) & 3)
        status = et_fail(error, ETALON_INVALID, "%s: %zu bytes at 0x%08llx do not fit into RAM as words",
                         path, size, options->address);
    else {
        memcpy(ram + (options->address - 0x08000000), bytes, size);
        status = run_list(options, ram, (uint32_t)size, finished, error);
    }
    et_free(ram);
    et_free(bytes);
    return status;
}

/* ---- Arguments ---- */

static bool set_timing(struct options *options, const char *text)
{
    unsigned long long seed = 0;
    options->all = !strcmp(text, "all");
    options->timing = !strcmp(text, "lazy") ? ET_GE_LAZY : ET_GE_EAGER;
    if (options->all || !strcmp(text, "eager") || options->timing == ET_GE_LAZY)
        return true;
    options->timing = ET_GE_SEEDED;
    if (!et_tool_number(text, &seed))
        return false;
    options->seed = seed;
    return true;
}

int et_tool_ge(int argc, char **argv)
{
    struct options options = {.address = 0x08a00000, .sdk = 0x06060010, .limit = 1 << 20};
    const char *timing = "eager";
    const struct et_tool_option known[] = {et_option_text("--timing", &timing),
                                           et_option_number("--address", &options.address, 0, UINT32_MAX),
                                           et_option_number("--sdk", &options.sdk, 0, UINT32_MAX),
                                           et_option_number("--limit", &options.limit, 0, 0),
                                           et_option_flag("--verbose", &options.verbose),
                                           et_option_flag("-v", &options.verbose),
                                           et_option_flag("--list", &options.list)};
    const struct et_tool_syntax syntax = {
        .name = "ge", .help = help, .options = known, .option_count = ET_COUNT(known), .wanted = "a file"};
    struct run run = {.options = &options};
    bool unfinished = false;
    int files;
    const int result = et_tool_arguments(&syntax, argc, argv, &files);
    if (result != ET_TOOL_GO)
        return result;
    if (!set_timing(&options, timing))
        return et_tool_usage("ge", "--timing takes eager, lazy, all or a number");
    for (int i = 0; i < files; i++) {
        struct etalon_error error = {0};
        bool finished = true;
        const bool list = options.list || !is_scenario(argv[i]);
        const enum etalon_status status = list ? play_list(&options, argv[i], &finished, &error)
                                               : et_ge_scenarios(argv[i], play, &run, &error);
        unfinished |= !finished;
        if (status != ETALON_OK)
            return et_tool_error("ge", &error);
    }
    if (run.played)
        printf("%u played, %u failed\n", run.played, run.failed);
    return run.failed || unfinished ? ET_TOOL_DIFFERENT : ET_TOOL_OK;
}
