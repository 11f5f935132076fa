/* `etalon conformance`: replays a set of captures and holds every output to silicon. */
#include "tool/tool.h"

#include "base/alloc.h"
#include "base/bits.h"
#include "base/hash.h"
#include "capture/replay.h"
#include "tool/picture.h"
#include "tool/table.h"
#include "tool/truth.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static const char help[] =
    "usage: etalon conformance [DIR] [OPTION ...]\n"
    "\n"
    "Replays the captures of DIR (default: conformance) and compares each output with what silicon wrote.\n"
    "DIR holds captures/ (folders or .tar.zst; DIR itself when there is no such folder), scenes/ (the truth: "
    "a\n"
    "PROGRAM.tar.zst, or PROGRAM.json with its .raw files) and table.tsv (the recorded verdicts).\n"
    "TAP goes to stdout: one line an output, ok when its verdict is as recorded.\n"
    "\n"
    "  --filter TEXT     only captures whose names hold TEXT (several: any)\n"
    "  --truth DIR       where the truth lies\n"
    "  --table FILE      the recorded verdicts; --no-table: none, everything but `equal` fails\n"
    "  --rebase          rewrite the records of the captures that ran (verdicts and measured differences,\n"
    "                    never truth; a `driver` verdict keeps its proof)\n"
    "  --junit FILE      results as JUnit XML\n"
    "  --write-table FILE  this run's rows\n"
    "  --outputs DIR     write every output, DIR/CAPTURE/OUTPUT\n"
    "  --threads N       threads (default: all)\n"
    "\n"
    "Verdicts: equal; model (ours to fix; its measured difference is recorded); driver (the two command "
    "streams\n"
    "ask for different things; the record says how that is known); unsupported (a named error).\n"
    "Exit: 0 all as recorded, 1 something got worse or better without its record, or nothing ran, 2 bad "
    "input.\n";

#define FILTERS 64

struct options {
    const char *folder, *truth, *table, *junit, *write_table, *outputs;
    const char *filter[FILTERS];
    bool rebase, no_table;
    unsigned long long threads;
};

/* One capture's run. */
struct job {
    char *path;
    struct et_table rows;
    struct etalon_error error; /* what ended it early: of the capture, not of the tool */
};

struct jobs {
    struct job *job;
    size_t count, capacity;
};

static bool passes_filter(const struct options *options, const char *name)
{
    if (!options->filter[0])
        return true;
    for (size_t i = 0; i < FILTERS && options->filter[i]; i++)
        if (strstr(name, options->filter[i]))
            return true;
    return false;
}

static bool is_capture(const char *folder, const char *name)
{
    char path[4096];
    struct stat info;
    const size_t n = strlen(name);
    if (name[0] == '.')
        return false;
    if (n > 8 && !strcmp(name + n - 8, ".tar.zst"))
        return true;
    snprintf(path, sizeof path, "%s/%s/manifest.json", folder, name);
    return !stat(path, &info);
}

static int by_path(const void *a, const void *b)
{
    return strcmp(((const struct job *)a)->path, ((const struct job *)b)->path);
}

static enum etalon_status find_captures(const struct options *options, struct jobs *jobs,
                                        struct etalon_error *error)
{
    char folder[2048], path[4096];
    struct stat info;
    struct dirent *entry;
    DIR *dir;
    snprintf(folder, sizeof folder, "%s/captures", options->folder);
    if (stat(folder, &info))
        snprintf(folder, sizeof folder, "%s", options->folder);
    dir = opendir(folder);
    if (!dir)
        return et_fail(error, ETALON_IO, "cannot open %s: %s", folder, strerror(errno));
    while ((entry = readdir(dir)))
        if (is_capture(folder, entry->d_name) && passes_filter(options, entry->d_name)) {
            if (!et_grow(&jobs->job, &jobs->capacity, jobs->count + 1, sizeof *jobs->job))
                break;
            snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
            jobs->job[jobs->count] = (struct job){.path = et_strdup(path)};
            if (!jobs->job[jobs->count++].path)
                break;
        }
    closedir(dir);
    if (entry)
        return et_fail(error, ETALON_NO_MEMORY, "no memory for the list of captures");
    if (jobs->count)
        qsort(jobs->job, jobs->count, sizeof *jobs->job, by_path);
    return ETALON_OK;
}

static void hash_of(const uint8_t *bytes, size_t size, char text[17])
{
    struct et_sha256 sha;
    uint8_t digest[32];
    char full[65];
    et_sha256_start(&sha);
    et_sha256_add(&sha, bytes, size);
    et_sha256_end(&sha, digest);
    et_sha256_text(digest, full);
    memcpy(text, full, 16);
    text[16] = 0;
}

/* A tab or newline would break the table. */
static void one_line(char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text < ' ')
            *text = ' ';
}

static void note_facts(const struct et_replay *replay, const struct job *job, bool has_truth, char *note,
                       size_t size)
{
    const struct et_replay_facts *facts = et_replay_facts(replay);
    char text[512] = "";
    *note = 0;
    if (job->error.status)
        et_tool_error_text(&job->error, text, sizeof text);
    else if (facts->unsupported) {
        const struct etalon_error *first =
            et_device_first_unsupported(et_replay_device((struct et_replay *)(uintptr_t)replay));
        snprintf(text, sizeof text, "%" PRIu64 " triggers unsupported, first: ", facts->unsupported);
        et_tool_error_text(first, text + strlen(text), sizeof text - strlen(text));
    } else if (!has_truth)
        snprintf(text, sizeof text, "no truth for this output");
    snprintf(note, size, "%s", text);
    if (facts->polluted)
        snprintf(note + strlen(note), size - strlen(note),
                 "%spolluted: %" PRIu64 " granules, first in submit %" PRIu64 ", buffer %" PRIu64
                 " + 0x%" PRIx64,
                 *note ? "; " : "", facts->polluted, facts->polluted_submit, facts->polluted_bo,
                 facts->polluted_offset);
    one_line(note);
}

static void judge(struct job *job, const struct et_capture *capture, const struct et_replay *replay,
                  const struct et_truth *truth, const char *output, const uint8_t *bytes, size_t size,
                  const struct et_table *recorded)
{
    char note[1024], named[300];
    const struct et_truth_image *image = et_truth_find(truth, output);
    const struct et_row *record = recorded ? et_table_find(recorded, capture->name, output) : NULL;
    struct et_row row = {.capture = capture->name, .output = (char *)(uintptr_t)output, .note = note};
    struct et_difference difference = {0};
    if (!image) { /* some programs name their files without the program's prefix */
        snprintf(named, sizeof named, "%s.raw", capture->program);
        image = truth->count == 1 ? &truth->images[0] : et_truth_find(truth, named);
    }
    if (image && image->size > size)
        image = NULL;
    hash_of(bytes, size, row.hash);
    note_facts(replay, job, image != NULL, note, sizeof note);
    row.verdict = job->error.status == ETALON_UNSUPPORTED || et_replay_facts(replay)->unsupported
                      ? ET_VERDICT_UNSUPPORTED
                      : ET_VERDICT_MODEL;
    if (image) {
        et_truth_compare(image, bytes, &difference);
        row.different = difference.different;
        row.texels = difference.texels;
        row.largest = difference.largest;
        if (!row.different)
            row.verdict = ET_VERDICT_EQUAL;
    }
    if (record && record->verdict == ET_VERDICT_DRIVER && row.verdict != ET_VERDICT_EQUAL &&
        !strcmp(record->hash, row.hash)) {
        row.verdict = ET_VERDICT_DRIVER;
        row.note = record->note;
    }
    et_table_add(&job->rows, &row, &job->error);
}

static void write_output(const struct options *options, const struct et_capture *capture, const char *name,
                         const uint8_t *bytes, size_t size)
{
    char path[4096];
    struct etalon_error error = {0};
    if (!options->outputs)
        return;
    snprintf(path, sizeof path, "%s/%s", options->outputs, capture->name);
    mkdir(options->outputs, 0777);
    mkdir(path, 0777);
    snprintf(path, sizeof path, "%s/%s/%s", options->outputs, capture->name, name);
    if (et_file_write(path, bytes, size, &error))
        et_tool_error("conformance", &error);
}

static void judge_outputs(struct job *job, const struct options *options, const struct et_capture *capture,
                          struct et_replay *replay, const struct et_table *recorded)
{
    struct et_truth truth = {0};
    struct etalon_error absent = {0};
    char folder[4096];
    snprintf(folder, sizeof folder, "%s%s", options->truth ? options->truth : options->folder,
             options->truth ? "" : "/scenes");
    et_truth_read(&truth, folder, capture->program, &absent);
    for (size_t i = 0; i < capture->output_count; i++) {
        const struct et_capture_output *output = &capture->outputs[i];
        const uint8_t *bytes = et_replay_output(replay, i);
        judge(job, capture, replay, &truth, output->name, bytes, output->bytes, recorded);
        write_output(options, capture, output->name, bytes, output->bytes);
    }
    if (!capture->output_count && capture->result.present) {
        uint8_t *bytes;
        size_t size;
        if (!et_result_bytes(replay, capture, &bytes, &size, &job->error)) {
            judge(job, capture, replay, &truth, "result", bytes, size, recorded);
            write_output(options, capture, "result", bytes, size);
            et_free(bytes);
        }
    }
    et_truth_free(&truth);
}

static void run_job(struct job *job, const struct options *options, const struct et_table *recorded)
{
    const struct et_replay_options replay_options = {.threads = 1, .keep_going = true};
    struct et_capture capture;
    struct et_replay *replay;
    if (et_capture_read(&capture, job->path, &job->error))
        return;
    if (!et_replay_create(&replay, &capture, &replay_options, &job->error)) {
        et_replay_run(replay, &job->error);
        judge_outputs(job, options, &capture, replay, recorded);
        et_replay_destroy(replay);
    }
    et_capture_free(&capture);
}

static void xml_text(FILE *file, const char *text)
{
    for (; *text; text++)
        switch (*text) {
        case '&':
            fputs("&amp;", file);
            break;
        case '<':
            fputs("&lt;", file);
            break;
        case '"':
            fputs("&quot;", file);
            break;
        default:
            fputc(*text, file);
        }
}

/* TAP and JUnit as the results come. */
struct report {
    FILE *junit;
    size_t number, failed, verdicts[ET_VERDICTS];
};

static void report_row(struct report *report, const struct et_row *row, const char *failure)
{
    printf("%s %zu - %s %s # %s", failure ? "not ok" : "ok", ++report->number, row->capture, row->output,
           et_verdict_names[row->verdict]);
    if (row->different)
        printf(", %" PRIu64 " of %" PRIu64 " texels differ, largest by %" PRIu64, row->different, row->texels,
               row->largest);
    printf("%s%s%s%s\n", *row->note ? "; " : "", row->note, failure ? "; " : "", failure ? failure : "");
    report->verdicts[row->verdict]++;
    report->failed += failure != NULL;
    if (!report->junit)
        return;
    fprintf(report->junit, "  <testcase classname=\"%s\" name=\"", row->capture);
    xml_text(report->junit, row->output);
    fprintf(report->junit, "\">");
    if (failure) {
        fprintf(report->junit, "<failure message=\"%s: ", et_verdict_names[row->verdict]);
        xml_text(report->junit, failure);
        fprintf(report->junit, "\"/>");
    }
    fprintf(report->junit, "<system-out>");
    xml_text(report->junit, row->note);
    fprintf(report->junit, "</system-out></testcase>\n");
}

static const char *failure_of(const struct options *options, const struct et_row *row,
                              const struct et_table *recorded)
{
    const struct et_row *record;
    if (options->rebase)
        return NULL;
    if (options->no_table)
        return row->verdict == ET_VERDICT_EQUAL ? NULL : "differs from the truth";
    record = et_table_find(recorded, row->capture, row->output);
    if (!record)
        return "has no record (run with --rebase to make one)";
    const int change = et_row_compare(row, record);
    return change < 0   ? "worse than its record"
           : change > 0 ? "better than its record (or changed): rebase"
                        : NULL;
}

static void report_job(struct report *report, const struct options *options, const struct job *job,
                       const struct et_table *recorded)
{
    for (size_t r = 0; r < job->rows.count; r++)
        report_row(report, &job->rows.rows[r], failure_of(options, &job->rows.rows[r], recorded));
    if (!job->rows.count) {
        char text[640], empty[] = "";
        struct et_row row = {
            .capture = job->path, .output = empty, .verdict = ET_VERDICT_UNSUPPORTED, .note = text};
        snprintf(text, sizeof text, "the capture names no output");
        if (job->error.status)
            et_tool_error_text(&job->error, text, sizeof text);
        report_row(report, &row, "no output could be judged");
    }
}

/* The new table: recorded rows, replaced by this run's. */
static enum etalon_status rebase(const struct options *options, const struct jobs *jobs,
                                 const struct et_table *recorded, const char *path,
                                 struct etalon_error *error)
{
    struct et_table table = {0};
    enum etalon_status status = ETALON_OK;
    for (size_t j = 0; !status && j < jobs->count; j++)
        for (size_t r = 0; !status && r < jobs->job[j].rows.count; r++)
            status = et_table_add(&table, &jobs->job[j].rows.rows[r], error);
    for (size_t r = 0; !status && options->rebase && r < recorded->count; r++)
        if (!et_table_find(&table, recorded->rows[r].capture, recorded->rows[r].output))
            status = et_table_add(&table, &recorded->rows[r], error);
    if (!status)
        status = et_table_write(&table, path, error);
    et_table_free(&table);
    return status;
}

static void run_all(const struct options *options, struct jobs *jobs, const struct et_table *recorded)
{
    const bool show = isatty(2);
    size_t done = 0;
    const int threads = options->threads ? (int)options->threads : (int)sysconf(_SC_NPROCESSORS_ONLN);
    (void)threads; /* without OpenMP */
#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (size_t j = 0; j < jobs->count; j++) {
        run_job(&jobs->job[j], options, recorded);
#pragma omp critical
        if (show)
            fprintf(stderr, "\r%zu of %zu captures", ++done, jobs->count);
    }
    if (show)
        fputc('\n', stderr);
}

static int finish(const struct options *options, struct jobs *jobs, struct et_table *recorded,
                  const char *table)
{
    struct etalon_error error = {0};
    struct report report = {.junit = options->junit ? fopen(options->junit, "w") : NULL};
    int result = ET_TOOL_OK;
    if (report.junit)
        fprintf(report.junit, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"etalon\">\n");
    puts("TAP version 13");
    for (size_t j = 0; j < jobs->count; j++)
        report_job(&report, options, &jobs->job[j], recorded);
    printf("1..%zu\n# %zu equal, %zu driver, %zu model, %zu unsupported; %zu not as recorded\n",
           report.number, report.verdicts[0], report.verdicts[1], report.verdicts[2], report.verdicts[3],
           report.failed);
    if (report.junit) {
        fprintf(report.junit, "</testsuite>\n");
        fclose(report.junit);
    }
    if (options->rebase && rebase(options, jobs, recorded, table, &error))
        result = et_tool_error("conformance", &error);
    if (options->write_table && rebase(options, jobs, recorded, options->write_table, &error))
        result = et_tool_error("conformance", &error);
    if (!result && (report.failed || !report.number))
        result = ET_TOOL_DIFFERENT;
    return result;
}

int et_tool_conformance(int argc, char **argv)
{
    struct options options = {.folder = "conformance"};
    const struct et_tool_option known[] = {
        et_option_flag("--rebase", &options.rebase),
        et_option_flag("--no-table", &options.no_table),
        et_option_texts("--filter", options.filter, FILTERS),
        et_option_text("--truth", &options.truth),
        et_option_text("--table", &options.table),
        et_option_text("--junit", &options.junit),
        et_option_text("--write-table", &options.write_table),
        et_option_text("--outputs", &options.outputs),
        et_option_number("--threads", &options.threads, 1, ET_TOOL_THREADS)};
    const struct et_tool_syntax syntax = {
        .name = "conformance", .help = help, .options = known, .option_count = ET_COUNT(known), .most = 1};
    struct jobs jobs = {0};
    struct et_table recorded = {0};
    struct etalon_error error = {0};
    char table[4096];
    int folders, result = et_tool_arguments(&syntax, argc, argv, &folders);
    if (result != ET_TOOL_GO)
        return result;
    if (folders)
        options.folder = argv[0];
    snprintf(table, sizeof table, "%s%s", options.table ? options.table : options.folder,
             options.table ? "" : "/table.tsv");
    if (find_captures(&options, &jobs, &error) ||
        (!options.no_table && et_table_read(&recorded, table, &error))) {
        result = et_tool_error("conformance", &error);
    } else {
        run_all(&options, &jobs, &recorded);
        result = finish(&options, &jobs, &recorded, table);
    }
    for (size_t j = 0; j < jobs.count; j++) {
        et_free(jobs.job[j].path);
        et_table_free(&jobs.job[j].rows);
    }
    et_free(jobs.job);
    et_table_free(&recorded);
    return result;
}
