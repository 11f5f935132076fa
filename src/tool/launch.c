/* `etalon launch`: compiled kernels by their manifests. */
#include "tool/tool.h"

#include "base/alloc.h"
#include "base/bits.h"
#include "base/hash.h"
#include "tool/kernel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(_OPENMP)
#include <omp.h>
#endif

static const char help[] =
    "usage: etalon launch MANIFEST.json|PACK.tar.zst ... [--check] [--arch SM] [--only NAME] [--out DIR]\n"
    "                     [--table TABLE.tsv [--rebase]] [--sample N] [--threads N]\n"
    "\n"
    "Runs the kernel entry that each manifest describes; a pack holds any number of manifests and their "
    "files.\n"
    "Prints every output buffer: kernel, architecture, buffer, bytes, SHA-256.\n"
    "  --check         compare with the truth files instead; print the first difference of each\n"
    "  --arch SM       only manifests of this architecture (sm_53)\n"
    "  --only NAME     only this kernel\n"
    "  --out DIR       write the outputs as DIR/KERNEL.ARCH.BUFFER.bin\n"
    "  --table FILE    with --check: hold the verdicts to a record; --rebase writes it\n"
    "  --sample N      with a pack: every Nth manifest\n"
    "  --threads N     threads at most\n"
    "Exit: 0 all equal (or as recorded), 1 a difference or an error while running, 2 unusable arguments or "
    "input.\n";

struct options {
    bool check, rebase;
    const char *arch, *only, *out, *table;
    unsigned long long sample, threads;
};

/* One manifest to run. */
struct job {
    struct et_kernel_files files;
    char *text, *folder;
    struct et_kernel_result result;
    struct et_kernel_output *outputs;
    size_t output_count;
};

struct batch {
    struct job *jobs;
    size_t count, capacity;
    struct et_tar_list *packs;
    size_t pack_count;
};

static bool ends_with(const char *text, const char *end)
{
    const size_t n = strlen(text), m = strlen(end);
    return n >= m && !strcmp(text + n - m, end);
}

static struct job *add_job(struct batch *batch)
{
    if (!et_grow(&batch->jobs, &batch->capacity, batch->count + 1, sizeof *batch->jobs))
        return NULL;
    memset(&batch->jobs[batch->count], 0, sizeof *batch->jobs);
    return &batch->jobs[batch->count++];
}

static enum etalon_status add_manifest(struct batch *batch, const char *path, struct etalon_error *error)
{
    struct job *job = add_job(batch);
    const char *slash = strrchr(path, '/');
    uint8_t *bytes = NULL;
    size_t size = 0;
    enum etalon_status status;
    if (!job)
        return et_fail(error, ETALON_NO_MEMORY, "%s", path);
    status = et_file_read(path, 1 << 24, &bytes, &size, error);
    if (status == ETALON_OK) {
        job->text = et_calloc(size + 1, 1);
        job->folder = et_strdup(path);
        if (!job->text || !job->folder)
            status = et_fail(error, ETALON_NO_MEMORY, "%s", path);
        else
            memcpy(job->text, bytes, size);
    }
    et_free(bytes);
    if (status != ETALON_OK)
        return status;
    strcpy(job->folder + (slash ? slash - path : 0), slash ? "" : ".");
    job->files.folder = job->folder[0] ? job->folder : "/";
    return ETALON_OK;
}

static enum etalon_status add_pack(struct batch *batch, const char *path, const struct options *options,
                                   struct etalon_error *error)
{
    struct et_tar_list *list = &batch->packs[batch->pack_count++];
    unsigned long long seen = 0;
    const enum etalon_status status = et_tar_read(path, UINT64_C(1) << 30, NULL, NULL, list, error);
    if (status != ETALON_OK)
        return status;
    for (size_t n = 0; n < list->count; n++) {
        struct job *job;
        char *name = list->files[n].name;
        if (!ends_with(name, ".json") || (options->arch && !strstr(name, options->arch)))
            continue;
        if (options->only &&
            (strncmp(name, options->only, strlen(options->only)) || name[strlen(options->only)] != '.'))
            continue;
        if (options->sample > 1 && seen++ % options->sample)
            continue;
        job = add_job(batch);
        if (!job || !(job->text = et_calloc(list->files[n].size + 1, 1)))
            return et_fail(error, ETALON_NO_MEMORY, "%s", path);
        memcpy(job->text, list->files[n].bytes, list->files[n].size);
        job->files.list = list;
    }
    return ETALON_OK;
}

/* Manifests are read one after the other, run in parallel: many at once one thread each, a single one with
 * all. */
static void run_batch(struct batch *batch, const struct options *options)
{
    int threads = (int)options->threads;
#if defined(_OPENMP)
    if (!threads)
        threads = omp_get_max_threads();
#endif
    if (threads < 1)
        threads = 1;
    if (batch->count < 2 || threads == 1) {
        for (size_t n = 0; n < batch->count; n++) {
            struct job *job = &batch->jobs[n];
            et_kernel_run(&job->files, job->text, threads, &job->result,
                          options->check ? NULL : &job->outputs, &job->output_count);
        }
        return;
    }
#if defined(_OPENMP)
#pragma omp parallel for schedule(dynamic) num_threads(threads)
#endif
    for (size_t n = 0; n < batch->count; n++) {
        struct job *job = &batch->jobs[n];
        et_kernel_run(&job->files, job->text, 1, &job->result, options->check ? NULL : &job->outputs,
                      &job->output_count);
    }
}

static int print_outputs(const struct job *job, const struct options *options)
{
    if (job->result.verdict == ET_KERNEL_FAILED) {
        fprintf(stderr, "etalon launch: %s %s: %s\n", job->result.kernel, job->result.arch, job->result.text);
        return job->result.unusable ? ET_TOOL_USAGE : ET_TOOL_DIFFERENT;
    }
    for (size_t n = 0; n < job->output_count; n++) {
        const struct et_kernel_output *output = &job->outputs[n];
        struct et_sha256 sha;
        uint8_t digest[32];
        char text[65];
        et_sha256_start(&sha);
        et_sha256_add(&sha, output->bytes, output->size);
        et_sha256_end(&sha, digest);
        et_sha256_text(digest, text);
        printf("%s\t%s\t%s\t%zu\t%s\n", job->result.kernel, job->result.arch, output->name, output->size,
               text);
        if (options->out) {
            struct etalon_error error = {0};
            char path[4096];
            snprintf(path, sizeof path, "%s/%s.%s.%s.bin", options->out, job->result.kernel, job->result.arch,
                     output->name);
            if (et_file_write(path, output->bytes, output->size, &error) != ETALON_OK)
                return et_tool_error("launch", &error);
        }
    }
    return ET_TOOL_OK;
}

static const char *verdict_name(const struct et_kernel_result *result)
{
    static const char *const names[] = {[ET_KERNEL_EQUAL] = "equal",
                                        [ET_KERNEL_DIFFERENT] = "model",
                                        [ET_KERNEL_FAILED] = "unsupported",
                                        [ET_KERNEL_DECODED] = "decoded"};
    return names[result->verdict];
}

static void print_check(const struct et_kernel_result *result)
{
    if (result->unusable)
        fprintf(stderr, "etalon launch: %s %s: %s\n", result->kernel, result->arch, result->text);
    else if (result->verdict == ET_KERNEL_DIFFERENT)
        printf("%s\t%s\tdifferent\t%llu of %llu words; %s\n", result->kernel, result->arch,
               (unsigned long long)result->different, (unsigned long long)result->words, result->text);
    else if (result->verdict == ET_KERNEL_FAILED)
        printf("%s\t%s\tfailed\t%s\n", result->kernel, result->arch, result->text);
    else
        printf("%s\t%s\t%s\n", result->kernel, result->arch,
               result->verdict == ET_KERNEL_EQUAL ? "equal" : "decoded");
}

/* ---- the record: kernel, architecture, expectation, verdict, words that differ, note */
static int write_record(const char *path, const struct batch *batch)
{
    FILE *to = fopen(path, "w");
    bool ok;
    if (!to) {
        fprintf(stderr, "etalon launch: %s can't be written\n", path);
        return ET_TOOL_USAGE;
    }
    for (size_t n = 0; n < batch->count; n++) {
        const struct et_kernel_result *r = &batch->jobs[n].result;
        fprintf(to, "%s\t%s\t%s\t%s\t%llu\t%s\n", r->kernel, r->arch, r->expect, verdict_name(r),
                (unsigned long long)r->different, r->text[0] ? r->text : "-");
    }
    ok = !ferror(to);
    if (fclose(to) || !ok) {
        fprintf(stderr, "etalon launch: %s can't be written\n", path);
        return ET_TOOL_USAGE;
    }
    return ET_TOOL_OK;
}

/* The row of a result in the record's text. */
static bool find_row(const char *record, const struct et_kernel_result *r, char verdict[16],
                     unsigned long long *different)
{
    char key[96], expect[16];
    const char *line = record;
    const int length = snprintf(key, sizeof key, "%s\t%s\t", r->kernel, r->arch);
    while (line && *line) {
        if (!strncmp(line, key, (size_t)length))
            return sscanf(line + length, "%15s\t%15s\t%llu", expect, verdict, different) == 3;
        line = strchr(line, '\n');
        line = line ? line + 1 : NULL;
    }
    return false;
}

static int hold_to_record(const char *path, const struct batch *batch)
{
    struct etalon_error error = {0};
    uint8_t *bytes = NULL;
    size_t size = 0;
    int code = ET_TOOL_OK;
    char *record;
    if (et_file_read(path, 1 << 24, &bytes, &size, &error) != ETALON_OK)
        return et_tool_error("launch", &error);
    record = et_calloc(size + 1, 1);
    if (record)
        memcpy(record, bytes, size);
    et_free(bytes);
    for (size_t n = 0; record && n < batch->count; n++) {
        const struct et_kernel_result *r = &batch->jobs[n].result;
        char verdict[16];
        unsigned long long different;
        if (!find_row(record, r, verdict, &different)) {
            printf("%s\t%s\tnot recorded\n", r->kernel, r->arch);
            code = ET_TOOL_DIFFERENT;
        } else if (strcmp(verdict, verdict_name(r)) || different != r->different) {
            printf("%s\t%s\twas %s (%llu words), is %s (%llu words): %s\n", r->kernel, r->arch, verdict,
                   different, verdict_name(r), (unsigned long long)r->different, r->text);
            code = ET_TOOL_DIFFERENT;
        }
    }
    et_free(record);
    return record ? code : ET_TOOL_USAGE;
}

static int report(const struct batch *batch, const struct options *options)
{
    int code = ET_TOOL_OK;
    if (options->check && options->table)
        return options->rebase ? write_record(options->table, batch) : hold_to_record(options->table, batch);
    for (size_t n = 0; n < batch->count; n++) {
        const struct job *job = &batch->jobs[n];
        if (options->check) {
            print_check(&job->result);
            if (job->result.verdict != ET_KERNEL_EQUAL && job->result.verdict != ET_KERNEL_DECODED)
                code = ET_MAX(code, (int)(job->result.unusable ? ET_TOOL_USAGE : ET_TOOL_DIFFERENT));
        } else {
            code = ET_MAX(code, print_outputs(job, options));
        }
    }
    return code;
}

int et_tool_launch(int argc, char **argv)
{
    struct options options = {0};
    const struct et_tool_option known[] = {
        et_option_flag("--check", &options.check),
        et_option_flag("--rebase", &options.rebase),
        et_option_text("--arch", &options.arch),
        et_option_text("--only", &options.only),
        et_option_text("--out", &options.out),
        et_option_text("--table", &options.table),
        et_option_number("--sample", &options.sample, 0, 0),
        et_option_number("--threads", &options.threads, 1, ET_TOOL_THREADS)};
    const struct et_tool_syntax syntax = {.name = "launch",
                                          .help = help,
                                          .options = known,
                                          .option_count = ET_COUNT(known),
                                          .wanted = "a manifest"};
    struct batch batch = {0};
    struct etalon_error error = {0};
    enum etalon_status status = ETALON_OK;
    int files, code = et_tool_arguments(&syntax, argc, argv, &files);
    if (code != ET_TOOL_GO)
        return code;
    batch.packs = et_calloc((size_t)files, sizeof *batch.packs);
    if (!batch.packs)
        return et_tool_usage("launch", "no memory");
    for (int n = 0; n < files && status == ETALON_OK; n++)
        status = ends_with(argv[n], ".tar.zst") ? add_pack(&batch, argv[n], &options, &error)
                                                : add_manifest(&batch, argv[n], &error);
    if (status != ETALON_OK) {
        code = et_tool_error("launch", &error);
    } else if (!batch.count) {
        code = et_tool_usage("launch", "no manifest");
    } else {
        run_batch(&batch, &options);
        code = report(&batch, &options);
    }
    for (size_t n = 0; n < batch.count; n++) {
        et_kernel_outputs_free(batch.jobs[n].outputs, batch.jobs[n].output_count);
        et_free(batch.jobs[n].text);
        et_free(batch.jobs[n].folder);
    }
    for (size_t n = 0; n < batch.pack_count; n++)
        et_tar_free(&batch.packs[n]);
    et_free(batch.packs);
    et_free(batch.jobs);
    return code;
}
