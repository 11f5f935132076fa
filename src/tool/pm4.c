/* `etalon pm4`: checks, decodes and runs PM4 streams. */
#include "tool/pm4.h"

#include "base/alloc.h"
#include "base/bits.h"
#include "tool/tool.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

enum mode { MODE_DECODE, MODE_RUN, MODE_CHECK };

struct options {
    enum mode mode;
    enum etalon_pm4_profile profile;
    bool profile_given, verbose;
    unsigned long long queue;
    const char *name; /* the stream wanted out of a collection */
};

static const char help[] =
    "usage: etalon pm4 [OPTION ...] FILE ...\n\n"
    "Decodes PM4 streams to text, with packet, field and register names; a constant stream stands "
    "beside its draw\n"
    "stream. FILE is raw little-endian dwords, or JSON: a stream case, a collection of streams, "
    "builder vectors;\n"
    "packed by zstd or not.\n\n"
    "  --check          run stream cases, real streams and builder vectors against what they expect: "
    "exit 0, or 1\n"
    "                   with each file's first difference, or 2 when a file is unusable\n"
    "  --run            run the streams; show the state at each draw and dispatch, and how they end\n"
    "  --profile NAME   console or hardware (default: by the case's basis; hardware for real streams "
    "and raw dwords)\n"
    "  --queue N        queue of raw dwords, 0 graphics (default), 1 to 56 compute\n"
    "  --stream NAME    only this stream of a collection\n"
    "  --registers      with --run: every written register at each draw and dispatch\n";

/* ---- decoding ---- */

struct line {
    uint32_t offset;
    char *text;
};

struct lines {
    struct line *line;
    size_t count, capacity;
    bool out_of_memory;
};

static void add_line(void *user, uint32_t offset, unsigned indent, const char *text)
{
    struct lines *lines = user;
    const size_t length = strlen(text) + indent * 2 + 1;
    char *copy = et_calloc(length, 1);
    if (!copy || !et_grow(&lines->line, &lines->capacity, lines->count + 1, sizeof *lines->line)) {
        et_free(copy);
        lines->out_of_memory = true;
        return;
    }
    snprintf(copy, length, "%*s%s", (int)indent * 2, "", text);
    lines->line[lines->count++] = (struct line){.offset = offset, .text = copy};
}

static void free_lines(struct lines *lines)
{
    for (size_t i = 0; i < lines->count; i++)
        et_free(lines->line[i].text);
    et_free(lines->line);
}

/* The draw stream, with the constant stream beside it when there is one. */
static void print_lines(const struct lines *draw, const struct lines *constant)
{
    enum { LEFT = 76 };
    for (size_t i = 0; i < ET_MAX(draw->count, constant->count); i++) {
        char left[LEFT + 12] = "";
        if (i < draw->count && !constant->count) {
            printf("%05x  %s\n", draw->line[i].offset, draw->line[i].text);
            continue;
        }
        if (i < draw->count)
            snprintf(left, sizeof left, "%05x  %.*s", draw->line[i].offset, LEFT, draw->line[i].text);
        if (i < constant->count)
            printf("%-*s | %05x  %s\n", LEFT + 7, left, constant->line[i].offset, constant->line[i].text);
        else
            printf("%s\n", left);
    }
}

struct stream {
    const char *name;
    uint32_t queue;
    uint32_t *words[2], dwords[2];
    const cJSON *memory;
    bool zero_memory;
    enum etalon_pm4_profile profile;
};

static int decode(const struct stream *stream)
{
    struct lines lines[2] = {0};
    struct etalon_pm4_decoded decoded[2];
    struct etalon_error error[2] = {0};
    enum etalon_status status[2];
    int code = ET_TOOL_OK;
    for (unsigned i = 0; i < 2; i++)
        status[i] = etalon_pm4_decode(stream->words[i], stream->dwords[i], stream->queue, i == 1, add_line,
                                      &lines[i], &decoded[i], &error[i]);
    printf("stream %s, queue %u, %u dwords%s\n", stream->name, stream->queue, stream->dwords[0],
           stream->dwords[1] ? ", constant stream on the right" : "");
    print_lines(&lines[0], &lines[1]);
    for (unsigned i = 0; i < 2; i++) {
        if (status[i] != ETALON_OK || decoded[i].unknown_opcodes || lines[i].out_of_memory)
            code = ET_TOOL_DIFFERENT;
        if (status[i] != ETALON_OK)
            printf("%s stream: %s\n", i ? "constant" : "draw", error[i].text);
        if (stream->dwords[i])
            printf("%s stream: %u packets, %u unknown, %u registers without a name\n",
                   i ? "constant" : "draw", decoded[i].packets, decoded[i].unknown_opcodes,
                   decoded[i].unknown_registers);
        free_lines(&lines[i]);
    }
    return code;
}

/* ---- running ---- */

static void show_registers(const struct etalon_pm4_snapshot *state)
{
    for (unsigned space = 0; space < ETALON_PM4_SPACES; space++)
        for (uint32_t i = 0; i < etalon_pm4_space_size((enum etalon_pm4_space)space); i++) {
            uint32_t value;
            const char *name = etalon_pm4_register_name((enum etalon_pm4_space)space, i);
            if (etalon_pm4_snapshot_read(state, (enum etalon_pm4_space)space, i, &value))
                printf("      %-7s 0x%03x %-36s %08x\n", etalon_pm4_space_name((enum etalon_pm4_space)space),
                       i, name ? name : "", value);
        }
}

/* The registers that say what a draw or dispatch runs and where it goes. */
static void show_state(const struct etalon_pm4_snapshot *state, bool compute)
{
    static const char *const graphics[] = {
        "VGT_PRIMITIVE_TYPE",      "VGT_SHADER_STAGES_EN", "SPI_SHADER_PGM_LO_PS", "SPI_SHADER_PGM_HI_PS",
        "CB_TARGET_MASK",          "CB_COLOR_CONTROL",     "DB_DEPTH_CONTROL",     "PA_SU_SC_MODE_CNTL",
        "PA_SC_WINDOW_SCISSOR_BR", "CB_COLOR0_BASE",       "CB_COLOR0_INFO",       "DB_Z_INFO"};
    static const char *const dispatch[] = {
        "COMPUTE_PGM_LO",       "COMPUTE_PGM_HI",       "COMPUTE_PGM_RSRC1",   "COMPUTE_PGM_RSRC2",
        "COMPUTE_NUM_THREAD_X", "COMPUTE_NUM_THREAD_Y", "COMPUTE_NUM_THREAD_Z"};
    const size_t count = compute ? ET_COUNT(dispatch) : ET_COUNT(graphics);
    for (size_t i = 0; i < count; i++) {
        uint32_t value;
        const char *name = compute ? dispatch[i] : graphics[i];
        if (etalon_pm4_snapshot_read_name(state, name, &value))
            printf("      %s = %08x\n", name, value);
    }
}

static void seen(void *user, enum et_pm4_work_kind kind, const struct et_pm4_work *work,
                 struct etalon_pm4_snapshot *state)
{
    static const char *const kinds[] = {"auto", "indexed", "mesh"};
    const struct options *options = user;
    const struct etalon_pm4_draw *draw = &work->as.draw;
    const struct etalon_pm4_dispatch *dispatch = &work->as.dispatch;
    switch (kind) {
    case ET_PM4_WORK_DRAW:
        printf("  queue %u draw %s: count %u, instances %u, first vertex %u, first instance %u", work->queue,
               kinds[draw->kind], draw->count, draw->instances, draw->first_vertex, draw->first_instance);
        if (draw->kind == ETALON_PM4_DRAW_INDEXED)
            printf(", indices at 0x%llx of type %u, base vertex %d", (unsigned long long)draw->address,
                   draw->index_type, draw->base_vertex);
        putchar('\n');
        break;
    case ET_PM4_WORK_DISPATCH:
        printf("  queue %u dispatch: %u x %u x %u, initiator 0x%x\n", work->queue, dispatch->groups[0],
               dispatch->groups[1], dispatch->groups[2], dispatch->initiator);
        break;
    case ET_PM4_WORK_EVENT:
        printf("  queue %u event %u, index %u\n", work->queue, work->as.event.type, work->as.event.index);
        return;
    case ET_PM4_WORK_INTERRUPT:
        printf("  queue %u interrupt, context %u\n", work->queue, work->as.context_id);
        return;
    default:
        printf("  queue %u flip: display %u, buffer %d, mode %u, argument %lld\n", work->queue,
               work->as.flip.handle, work->as.flip.index, work->as.flip.mode,
               (long long)work->as.flip.argument);
        return;
    }
    if (options->verbose)
        show_registers(state);
    else
        show_state(state, kind == ET_PM4_WORK_DISPATCH);
}

static int show_end(const struct etalon_pm4_report *report)
{
    static const char *const functions[] = {"always", "<", "<=", "==", "!=", ">=", ">"};
    if (report->result == ETALON_PM4_IDLE) {
        puts("  complete");
        return ET_TOOL_OK;
    }
    if (report->result == ETALON_PM4_FAULTED) {
        printf("  fault: %s\n", report->error.text);
        return ET_TOOL_DIFFERENT;
    }
    for (uint32_t i = 0; i < report->waits; i++) {
        const struct etalon_pm4_wait *wait = &report->wait[i];
        printf("  queue %u blocked, %s stream, depth %u, dword %u: needs %s", wait->at.queue,
               wait->at.stream ? "constant" : "draw", wait->at.depth, wait->at.offset,
               etalon_pm4_wait_name(wait->kind));
        if (wait->kind == ETALON_PM4_WAIT_MEMORY || wait->kind == ETALON_PM4_WAIT_REGISTER)
            printf(" 0x%llx & 0x%llx %s 0x%llx, sees 0x%llx", (unsigned long long)wait->address,
                   (unsigned long long)wait->mask, functions[wait->function % 7],
                   (unsigned long long)wait->reference, (unsigned long long)wait->seen);
        if (wait->writer != ETALON_PM4_NO_QUEUE)
            printf(", which queue %u would write", wait->writer);
        putchar('\n');
    }
    for (uint32_t i = 0; i < report->cycle; i++)
        printf("%s queue %u%s", i ? " waits for" : "  cycle:", report->cycle_queue[i],
               i + 1 == report->cycle ? "\n" : "");
    return ET_TOOL_DIFFERENT;
}

static enum etalon_status submit(struct etalon_pm4 *pm4, const struct stream *stream,
                                 struct etalon_error *error)
{
    if (stream->queue)
        return etalon_pm4_submit_compute(pm4, stream->queue, stream->words[0], stream->dwords[0], error);
    return etalon_pm4_submit(pm4, stream->words[0], stream->dwords[0], stream->words[1], stream->dwords[1],
                             error);
}

/* Runs streams that were submitted in order; the first one says memory, profile and name. */
static int run(const struct stream *streams, size_t count, const struct options *options,
               struct et_pm4_verdict *verdict)
{
    struct et_pm4_guest guest = {.zero = streams->zero_memory};
    struct et_pm4_recording recording = {.seen = seen, .user = (void *)options};
    struct etalon_pm4_report report;
    struct etalon_error error = {0};
    int code = ET_TOOL_USAGE;
    if (!et_pm4_guest_add(&guest, streams->memory, verdict)) {
        et_pm4_guest_free(&guest);
        return code;
    }
    const struct etalon_pm4_config config = {.profile =
                                                 options->profile_given ? options->profile : streams->profile,
                                             .memory = et_pm4_guest_memory(&guest),
                                             .hooks = et_pm4_recording_hooks(&recording)};
    struct etalon_pm4 *pm4 = etalon_pm4_create(&config, &error);
    enum etalon_status status = pm4 ? ETALON_OK : error.status;
    printf("stream %s, %s\n", streams->name, config.profile == ETALON_PM4_CONSOLE ? "console" : "hardware");
    for (size_t i = 0; status == ETALON_OK && i < count; i++)
        status = submit(pm4, &streams[i], &error);
    if (status == ETALON_OK) {
        etalon_pm4_run(pm4, &report);
        code = show_end(&report);
    } else {
        et_pm4_say(verdict, ET_PM4_UNUSABLE, "%s", error.text);
    }
    etalon_pm4_destroy(pm4);
    et_pm4_recording_free(&recording);
    et_pm4_guest_free(&guest);
    return code;
}

/* ---- files ---- */

static int handle(const struct stream *streams, size_t count, const struct options *options,
                  struct et_pm4_verdict *verdict)
{
    int worst = ET_TOOL_OK;
    if (options->mode == MODE_RUN)
        return run(streams, count, options, verdict);
    for (size_t i = 0; i < count; i++) {
        const int code = decode(&streams[i]);
        worst = ET_MAX(worst, code);
    }
    return worst;
}

static bool read_stream(const cJSON *item, struct stream *stream, struct et_pm4_verdict *verdict)
{
    const cJSON *commands = cJSON_GetObjectItemCaseSensitive(item, "commands");
    uint64_t queue = 0;
    et_pm4_number(cJSON_GetObjectItemCaseSensitive(item, "queue"), false, &queue);
    stream->queue = queue < UINT32_MAX ? (uint32_t)queue : UINT32_MAX;
    if (!commands)
        commands = cJSON_GetObjectItemCaseSensitive(item, "dwords"); /* of a builder vector */
    stream->words[0] = et_pm4_words(commands, &stream->dwords[0], verdict);
    if (stream->words[0])
        stream->words[1] = et_pm4_words(cJSON_GetObjectItemCaseSensitive(item, "constant_commands"),
                                        &stream->dwords[1], verdict);
    return stream->words[1] != NULL;
}

/* A case, of one submission or several. */
static int handle_object(const cJSON *item, const struct options *options, struct et_pm4_verdict *verdict)
{
    const cJSON *name = cJSON_GetObjectItemCaseSensitive(item, "name");
    const cJSON *basis = cJSON_GetObjectItemCaseSensitive(item, "basis");
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(item, "submissions"),
                *memory = cJSON_GetObjectItemCaseSensitive(item, "memory");
    const size_t count = cJSON_GetArraySize(list) > 0 ? (size_t)cJSON_GetArraySize(list) : 1;
    struct stream *streams = et_calloc(count, sizeof *streams);
    bool read = streams != NULL;
    int code = ET_TOOL_USAGE;
    if (!read)
        et_pm4_say(verdict, ET_PM4_UNUSABLE, "out of memory");
    for (size_t i = 0; read && i < count; i++) {
        const bool hardware = !memory || (cJSON_IsString(basis) && strstr(basis->valuestring, "hardware"));
        streams[i] = (struct stream){.name = cJSON_IsString(name) ? name->valuestring : "unnamed",
                                     .memory = memory,
                                     .zero_memory = !memory,
                                     .profile = hardware ? ETALON_PM4_HARDWARE : ETALON_PM4_CONSOLE};
        read = read_stream(count > 1 || cJSON_GetArraySize(list) ? cJSON_GetArrayItem(list, (int)i) : item,
                           &streams[i], verdict);
    }
    if (read)
        code = handle(streams, count, options, verdict);
    for (size_t i = 0; streams && i < count; i++) {
        et_free(streams[i].words[0]);
        et_free(streams[i].words[1]);
    }
    et_free(streams);
    return code;
}

/* The worst of the exit codes. */
static int handle_json(const cJSON *item, const struct options *options, struct et_pm4_verdict *verdict)
{
    const cJSON *list = cJSON_IsArray(item) ? item : cJSON_GetObjectItemCaseSensitive(item, "streams"),
                *inner;
    const cJSON *name = cJSON_GetObjectItemCaseSensitive(item, "name");
    int worst = ET_TOOL_OK;
    if (cJSON_IsArray(list)) {
        cJSON_ArrayForEach(inner, list)
        {
            const int code = handle_json(inner, options, verdict);
            worst = ET_MAX(worst, code);
        }
        return worst;
    }
    if (options->name && !(cJSON_IsString(name) && !strcmp(name->valuestring, options->name)))
        return ET_TOOL_OK;
    return handle_object(item, options, verdict);
}

static int handle_raw(const char *path, char *bytes, size_t size, const struct options *options,
                      struct et_pm4_verdict *verdict)
{
    if (!size || size % 4 || size / 4 > UINT32_MAX) {
        et_pm4_say(verdict, ET_PM4_UNUSABLE, "%zu bytes are no dwords", size);
        return ET_TOOL_USAGE;
    }
    const struct stream stream = {.name = path,
                                  .queue = options->queue,
                                  .words = {(uint32_t *)(void *)bytes},
                                  .dwords = {(uint32_t)(size / 4)},
                                  .zero_memory = true,
                                  .profile = ETALON_PM4_HARDWARE};
    return handle(&stream, 1, options, verdict);
}

static bool looks_like_json(const char *bytes)
{
    bytes += strspn(bytes, " \t\r\n");
    return *bytes == '{' || *bytes == '[';
}

static int check_file(const char *path, const char *bytes, struct et_pm4_verdict *verdict)
{
    unsigned cases;
    et_pm4_check(bytes, &cases, verdict);
    if (verdict->code == ET_PM4_DIFFERENT)
        printf("%s: %s\n", path, verdict->text);
    else if (!verdict->code)
        printf("%s: %u equal\n", path, cases);
    return verdict->code;
}

static int do_file(const char *path, const struct options *options)
{
    struct et_pm4_verdict verdict = {0};
    size_t size;
    char *bytes = et_pm4_read_file(path, &size, &verdict);
    int code = ET_TOOL_USAGE;
    if (bytes && options->mode == MODE_CHECK) {
        code = check_file(path, bytes, &verdict);
    } else if (bytes && looks_like_json(bytes)) {
        cJSON *root = cJSON_Parse(bytes);
        if (root)
            code = handle_json(root, options, &verdict);
        else
            et_pm4_say(&verdict, ET_PM4_UNUSABLE, "not JSON");
        cJSON_Delete(root);
    } else if (bytes) {
        code = handle_raw(path, bytes, size, options, &verdict);
    }
    if (code == ET_TOOL_USAGE)
        fprintf(stderr, "etalon pm4: %s: %s\n", path, verdict.text);
    et_free(bytes);
    return code;
}

int et_tool_pm4(int argc, char **argv)
{
    static const char *const profiles[] = {"console", "hardware", NULL};
    struct options options = {0};
    bool check = false, run = false, decode = false;
    const char *profile = NULL;
    const struct et_tool_option known[] = {
        et_option_flag("--check", &check),
        et_option_flag("--run", &run),
        et_option_flag("--decode", &decode),
        et_option_flag("--registers", &options.verbose),
        et_option_choice("--profile", &profile, profiles),
        et_option_number("--queue", &options.queue, 0, ETALON_PM4_QUEUES - 1),
        et_option_text("--stream", &options.name)};
    const struct et_tool_syntax syntax = {
        .name = "pm4", .help = help, .options = known, .option_count = ET_COUNT(known), .wanted = "a file"};
    int files, worst = et_tool_arguments(&syntax, argc, argv, &files);
    if (worst != ET_TOOL_GO)
        return worst;
    if (check + run + decode > 1)
        return et_tool_usage("pm4", "--check, --run and --decode exclude each other");
    options.mode = check ? MODE_CHECK : run ? MODE_RUN : MODE_DECODE;
    options.profile_given = profile != NULL;
    options.profile = profile && !strcmp(profile, "console") ? ETALON_PM4_CONSOLE : ETALON_PM4_HARDWARE;
    worst = ET_TOOL_OK;
    for (int i = 0; i < files; i++) {
        const int code = do_file(argv[i], &options);
        worst = ET_MAX(worst, code);
    }
    return worst;
}
