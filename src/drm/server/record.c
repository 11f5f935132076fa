/* Recording a capture while clients run: what the CPU changed since the last submission, then the submission.
 */
#include "drm/server/server.h"

#include "base/alloc.h"
#include "base/bits.h"
#include "capture/capture.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define GRANULE   16u
#define PITCH_OUT 0x414 /* of the copy class */
/* Copies that a capture without files lists as its outputs. */
#define COPIES      256u
#define COPIES_SIZE (UINT64_C(256) << 20)

struct et_drm_record {
    struct et_drm_file *file;
    struct et_capture capture;
    size_t submits, bos, outputs, byte_capacity; /* room */
    struct et_capture_output *copies;
    size_t copy_count, copy_capacity;
    uint64_t copy_bytes;
    /* Mapping changes and records that wait for their submission. */
    struct et_capture_map *maps;
    size_t map_count, map_capacity;
    /* RAM as the recording knows it: what the CPU wrote up to the last submission, and what the GPU wrote
     * since. */
    uint8_t *known;
    uint64_t event; /* the last one whose writes are in `known` */
    bool failed;
};

struct et_drm_record *et_drm_record_create(struct et_drm_file *file)
{
    struct et_drm_record *record = et_calloc(1, sizeof *record);
    if (!record)
        return NULL;
    record->file = file;
    record->known = mmap(NULL, file->server->ram.size, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (record->known == MAP_FAILED) {
        et_free(record);
        return NULL;
    }
    return record;
}

void et_drm_record_map(struct et_drm_record *record, uint32_t op, uint64_t va, uint64_t size,
                       const struct et_drm_bo *bo, uint64_t bo_offset, uint32_t kind)
{
    struct et_capture *capture = &record->capture;
    struct et_capture_map map = {.op = op == VM_BIND_UNMAP   ? ET_UNMAP
                                       : op & VM_BIND_SPARSE ? ET_SPARSE
                                                             : ET_MAP,
                                 .va = va,
                                 .size = size,
                                 .bo_offset = bo_offset,
                                 .kind = kind};
    if (bo) {
        size_t i = 0;
        map.bo = bo->number;
        map.tile_mode = bo->tile_mode;
        while (i < capture->bo_count && capture->bos[i].bo != bo->number)
            i++;
        if (i == capture->bo_count) {
            if (!et_grow(&capture->bos, &record->bos, i + 1, sizeof *capture->bos)) {
                record->failed = true;
                return;
            }
            /* Its range of RAM may have been another's, and a new buffer is zero. */
            memset(record->known + bo->offset, 0, et_align_up(bo->size, 4096));
            capture->bos[capture->bo_count++] = (struct et_capture_bo){
                bo->number, et_align_up(bo->size, 4096), bo->domain, bo->tile_mode, bo->tile_flags};
        }
    }
    if (!et_grow(&record->maps, &record->map_capacity, record->map_count + 1, sizeof *record->maps))
        record->failed = true;
    else
        record->maps[record->map_count++] = map;
}

static bool add_bytes(struct et_drm_record *record, const uint8_t *bytes, uint64_t size, uint64_t *offset)
{
    struct et_capture *capture = &record->capture;
    *offset = capture->byte_count;
    if (!et_grow(&capture->bytes, &record->byte_capacity, capture->byte_count + size, 1))
        return false;
    memcpy(capture->bytes + capture->byte_count, bytes, size);
    capture->byte_count += size;
    return true;
}

struct run_list {
    struct et_capture_record *records;
    size_t count, capacity;
};

static void add_run(struct et_drm_record *record, struct run_list *list, const struct et_drm_bo *bo,
                    uint64_t from, uint64_t size)
{
    uint64_t offset;
    if (!et_grow(&list->records, &list->capacity, list->count + 1, sizeof *list->records) ||
        !add_bytes(record, record->file->server->ram.base + bo->offset + from, size, &offset)) {
        record->failed = true;
        return;
    }
    list->records[list->count++] =
        (struct et_capture_record){.size = size, .offset = offset, .bo = bo->number, .bo_offset = from};
}

/* Runs of granules where a range of a buffer no longer holds what is known; they become known. */
static void diff_range(struct et_drm_record *record, struct run_list *list, const struct et_drm_bo *bo,
                       uint64_t from, uint64_t to)
{
    const uint8_t *now = record->file->server->ram.base + bo->offset;
    uint8_t *known = record->known + bo->offset;
    uint64_t start = to;
    for (uint64_t at = from; at < to; at += GRANULE) {
        const bool differs = memcmp(now + at, known + at, GRANULE) != 0;
        if (differs && start == to)
            start = at;
        if (!differs && start != to) {
            add_run(record, list, bo, start, at - start);
            memcpy(known + start, now + start, at - start);
            start = to;
        }
    }
    if (start != to) {
        add_run(record, list, bo, start, to - start);
        memcpy(known + start, now + start, to - start);
    }
}

/* Only pages that exist in the memory file can differ from zero. */
static void diff_buffer(struct et_drm_record *record, struct run_list *list, const struct et_drm_bo *bo)
{
    const int fd = record->file->server->ram_fd;
    const uint64_t end = bo->offset + et_align_up(bo->size, 4096);
    uint64_t at = bo->offset;
    while (at < end) {
        const off_t data = lseek(fd, (off_t)at, SEEK_DATA);
        off_t hole;
        if (data < 0 || (uint64_t)data >= end)
            return;
        hole = lseek(fd, data, SEEK_HOLE);
        if (hole < 0 || (uint64_t)hole > end)
            hole = (off_t)end;
        diff_range(record, list, bo, (uint64_t)data - bo->offset, (uint64_t)hole - bo->offset);
        at = (uint64_t)hole;
    }
}

static void diff_all(struct et_drm_record *record, struct run_list *list)
{
    const struct et_drm_file *file = record->file;
    for (size_t i = 0; i < file->mapping_count; i++) {
        bool seen = false;
        for (size_t k = 0; k < i && !seen; k++)
            seen = file->mappings[k].bo == file->mappings[i].bo;
        if (!seen)
            diff_buffer(record, list, file->mappings[i].bo);
    }
}

void et_drm_record_before(struct et_drm_record *record, const struct et_drm_job *job)
{
    struct et_capture *capture = &record->capture;
    struct run_list list = {0};
    struct et_capture_submit submit = {.index = capture->submit_count, .channel = job->channel};
    diff_all(record, &list);
    submit.pushes = et_calloc(job->push_count, sizeof *submit.pushes);
    if (!submit.pushes ||
        !et_grow(&capture->submits, &record->submits, capture->submit_count + 1, sizeof *capture->submits)) {
        et_free(submit.pushes);
        et_free(list.records);
        record->failed = true;
        return;
    }
    for (uint32_t i = 0; i < job->push_count; i++)
        submit.pushes[i] = (struct et_capture_push){job->pushes[i].va, job->pushes[i].bytes,
                                                    job->pushes[i].flags & EXEC_PUSH_NO_PREFETCH};
    submit.push_count = job->push_count;
    submit.memory = list.records;
    submit.memory_count = list.count;
    submit.maps = record->maps;
    submit.map_count = record->map_count;
    record->maps = NULL;
    record->map_count = record->map_capacity = 0;
    capture->submits[capture->submit_count++] = submit;
}

/* What the GPU wrote is no change of the CPU's. */
void et_drm_record_after(struct et_drm_record *record)
{
    const struct et_drm_file *file = record->file;
    const struct et_ram *ram = &file->server->ram;
    for (size_t i = 0; i < file->mapping_count; i++) {
        const struct et_drm_bo *bo = file->mappings[i].bo;
        const uint64_t end = bo->offset + et_align_up(bo->size, 4096);
        uint64_t at = bo->offset;
        while ((at = et_ram_next_changed(ram, at, end, record->event)) < end) {
            memcpy(record->known + at, ram->base + at, 4096 - (at & 4095));
            at = (at | 4095) + 1;
        }
    }
    record->event = et_device_event(file->device);
}

static const struct et_drm_mapping *mapping_of(const struct et_drm_file *file, uint64_t va)
{
    for (size_t i = 0; i < file->mapping_count; i++)
        if (va - file->mappings[i].va < file->mappings[i].size)
            return &file->mappings[i];
    return NULL;
}

static bool add_output(struct et_drm_record *record, struct et_capture_output **list, size_t *count,
                       size_t *capacity, const struct et_capture_output *extent, const char *name)
{
    if (!et_grow(list, capacity, *count + 1, sizeof **list)) {
        record->failed = true;
        return false;
    }
    (*list)[*count] = *extent;
    (*list)[*count].name = et_strdup(name);
    record->failed |= !(*list)[(*count)++].name;
    return true;
}

/* The last copy into a buffer that the CPU can read is taken for the program's result; all of them are
 * outputs when the program writes no files. */
void et_drm_record_trigger(struct et_drm_record *record, const struct et_trigger *trigger)
{
    const struct et_drm_mapping *mapping;
    struct et_capture_result *result = &record->capture.result;
    const uint64_t rows = trigger->count[1], line = rows ? trigger->bytes / rows : 0;
    char name[32];
    if (trigger->kind != ET_TRIGGER_COPY || !trigger->bytes)
        return;
    mapping = mapping_of(record->file, trigger->target);
    if (!mapping || !(mapping->bo->domain & DOMAIN_GART))
        return;
    *result = (struct et_capture_result){
        .present = true,
        .bo = mapping->bo->number,
        .bo_offset = mapping->bo_offset + (trigger->target - mapping->va),
        .submit = record->capture.submit_count ? record->capture.submit_count - 1 : 0};
    const uint64_t room = mapping->bo->size - result->bo_offset;
    const uint64_t pitch = rows > 1 ? et_register(trigger->registers, PITCH_OUT) : line;
    if (rows && pitch >= line && line <= room && (rows == 1 || rows - 1 <= (room - line) / pitch)) {
        result->rows = rows;
        result->line_bytes = line;
        result->pitch = pitch;
        result->bytes = pitch * (rows - 1) + line;
    } else {
        result->bytes = ET_MIN(trigger->bytes, room);
    }
    if (record->copy_count >= COPIES || result->bytes > COPIES_SIZE - record->copy_bytes)
        return;
    const struct et_capture_output output = {.bo = result->bo,
                                             .bo_offset = result->bo_offset,
                                             .bytes = result->bytes,
                                             .after_submit = result->submit};
    snprintf(name, sizeof name, "copy-%03zu", record->copy_count + 1);
    if (add_output(record, &record->copies, &record->copy_count, &record->copy_capacity, &output, name))
        record->copy_bytes += result->bytes;
}

static const struct et_drm_mapping *mapping_at(const struct et_drm_file *file, uint64_t offset)
{
    for (size_t i = 0; i < file->mapping_count; i++)
        if (offset - file->mappings[i].bo->offset < file->mappings[i].bo->size)
            return &file->mappings[i];
    return NULL;
}

/* A file written in pieces is one output while they follow each other. */
bool et_drm_record_output(struct et_drm_record *record, uint64_t offset, uint64_t size, const char *name)
{
    struct et_capture *capture = &record->capture;
    const struct et_drm_mapping *mapping = mapping_at(record->file, offset);
    struct et_capture_output *last =
        capture->output_count ? &capture->outputs[capture->output_count - 1] : NULL;
    unsigned copies = 0;
    char unique[300];
    if (!mapping || !capture->submit_count)
        return false;
    offset -= mapping->bo->offset;
    size = ET_MIN(size, mapping->bo->size - offset);
    if (last && last->bo == mapping->bo->number && last->bo_offset + last->bytes == offset &&
        !strcmp(last->name, name)) {
        last->bytes += size;
        return true;
    }
    for (size_t i = 0; i < capture->output_count; i++)
        copies += !strncmp(capture->outputs[i].name, name, strlen(name));
    snprintf(unique, sizeof unique, copies ? "%s-%u" : "%s", name, copies + 1);
    const struct et_capture_output output = {.bo = mapping->bo->number,
                                             .bo_offset = offset,
                                             .bytes = size,
                                             .after_submit = capture->submit_count - 1};
    return add_output(record, &capture->outputs, &capture->output_count, &record->outputs, &output, unique);
}

static int by_number(const void *a, const void *b)
{
    const struct et_capture_bo *x = a, *y = b;
    return (x->bo > y->bo) - (x->bo < y->bo);
}

static void write_out(struct et_drm_record *record)
{
    struct et_drm_server *server = record->file->server;
    struct et_capture *capture = &record->capture;
    struct etalon_error error = {0};
    char path[1100], text[1400];
    capture->driver = et_strdup("live");
    capture->mesa = et_strdup("");
    capture->program = et_strdup("");
    capture->chip = et_strdup(server->card->kernel);
    capture->chipset = server->card->chipset;
    capture->class_channel = server->chip->channel_class;
    capture->class_twod = server->chip->twod;
    capture->class_inline = server->chip->inline_to_memory;
    capture->class_threed = server->chip->threed;
    capture->class_compute = server->chip->compute;
    capture->class_copy = server->chip->copy;
    if (!capture->output_count) {
        capture->outputs = record->copies;
        capture->output_count = record->copy_count;
        record->copies = NULL;
        record->copy_count = 0;
    }
    qsort(capture->bos, capture->bo_count, sizeof *capture->bos, by_number);
    snprintf(path, sizeof path, "%s", server->options.capture);
    mkdir(path, 0777);
    /* A driver opens the node several times; the first file that submitted has the folder itself. */
    if (server->captures++)
        snprintf(path, sizeof path, "%s/file-%u", server->options.capture, record->file->number);
    if (record->failed)
        snprintf(text, sizeof text, "the recording of file %u ran out of memory", record->file->number);
    else if (et_capture_write(capture, path, &error))
        snprintf(text, sizeof text, "%s", error.text);
    else
        snprintf(text, sizeof text, "capture of %zu submits written to %s", capture->submit_count, path);
    if (server->options.message)
        server->options.message(server->options.message_context, text);
}

void et_drm_record_destroy(struct et_drm_record *record)
{
    if (record->capture.submit_count)
        write_out(record);
    et_capture_free(&record->capture);
    for (size_t i = 0; i < record->copy_count; i++)
        et_free(record->copies[i].name);
    et_free(record->copies);
    et_free(record->maps);
    munmap(record->known, record->file->server->ram.size);
    et_free(record);
}
