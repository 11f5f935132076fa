#include "capture/capture.h"

#include "base/alloc.h"
#include "capture/tar.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* cJSON reports a refused allocation by NULL; one flag gathers them. */
struct builder {
    bool failed;
};

static cJSON *object(struct builder *builder, cJSON *parent, const char *key)
{
    cJSON *item = cJSON_CreateObject();
    if (!item ||
        (parent && !(key ? cJSON_AddItemToObject(parent, key, item) : cJSON_AddItemToArray(parent, item))))
        builder->failed = true;
    return item;
}

static cJSON *array(struct builder *builder, cJSON *parent, const char *key)
{
    cJSON *item = cJSON_AddArrayToObject(parent, key);
    if (!item)
        builder->failed = true;
    return item;
}

static void add_number(struct builder *builder, cJSON *parent, const char *key, uint64_t value)
{
    if (!cJSON_AddNumberToObject(parent, key, (double)value))
        builder->failed = true;
}

static void add_string(struct builder *builder, cJSON *parent, const char *key, const char *value)
{
    if (!cJSON_AddStringToObject(parent, key, value ? value : ""))
        builder->failed = true;
}

static void add_map(struct builder *b, cJSON *list, const struct et_capture_map *map, bool with_op)
{
    static const char *const names[] = {"map", "unmap", "sparse", "unsparse"};
    cJSON *item = object(b, list, NULL);
    if (with_op)
        add_string(b, item, "op", names[map->op]);
    add_number(b, item, "va", map->va);
    add_number(b, item, "size", map->size);
    if (map->op != ET_MAP)
        return;
    add_number(b, item, "bo", map->bo);
    add_number(b, item, "bo_offset", map->bo_offset);
    add_number(b, item, "kind", map->kind);
    add_number(b, item, "tile_mode", map->tile_mode);
}

static void add_memory(struct builder *b, cJSON *parent, const struct et_capture_record *records,
                       size_t count)
{
    cJSON *list = array(b, parent, "memory");
    for (size_t i = 0; i < count && !b->failed; i++) {
        cJSON *item = object(b, list, NULL);
        if (records[i].has_va)
            add_number(b, item, "va", records[i].va);
        add_number(b, item, "size", records[i].size);
        add_string(b, item, "file", "memory.bin");
        add_number(b, item, "offset", records[i].offset);
        add_number(b, item, "bo", records[i].bo);
        add_number(b, item, "bo_offset", records[i].bo_offset);
    }
}

static void add_head(struct builder *b, cJSON *root, const struct et_capture *capture)
{
    cJSON *classes, *producer;
    add_string(b, root, "format", "capture-1");
    add_number(b, root, "chipset", capture->chipset);
    add_string(b, root, "chip", capture->chip);
    classes = object(b, root, "classes");
    add_number(b, classes, "channel", capture->class_channel);
    add_number(b, classes, "twod", capture->class_twod);
    add_number(b, classes, "inline", capture->class_inline);
    add_number(b, classes, "threed", capture->class_threed);
    add_number(b, classes, "compute", capture->class_compute);
    add_number(b, classes, "copy", capture->class_copy);
    producer = object(b, root, "producer");
    add_string(b, producer, "driver", capture->driver);
    add_string(b, producer, "mesa", capture->mesa);
    add_string(b, producer, "program", capture->program);
}

static void add_first_maps(struct builder *b, cJSON *root, const struct et_capture *capture)
{
    cJSON *maps = array(b, root, "mappings"), *sparse = array(b, root, "sparse");
    for (size_t i = 0; i < capture->map_count && !b->failed; i++)
        add_map(b, capture->maps[i].op == ET_MAP ? maps : sparse, &capture->maps[i], false);
}

static void add_submit(struct builder *b, cJSON *list, const struct et_capture_submit *submit)
{
    cJSON *item = object(b, list, NULL), *sub;
    add_number(b, item, "index", submit->index);
    add_number(b, item, "channel", submit->channel);
    sub = array(b, item, "map_ops");
    for (size_t i = 0; i < submit->map_count && !b->failed; i++)
        add_map(b, sub, &submit->maps[i], true);
    add_memory(b, item, submit->memory, submit->memory_count);
    sub = array(b, item, "pushes");
    for (size_t i = 0; i < submit->push_count && !b->failed; i++) {
        cJSON *push = object(b, sub, NULL);
        add_number(b, push, "va", submit->pushes[i].va);
        add_number(b, push, "bytes", submit->pushes[i].bytes);
        if (submit->pushes[i].no_prefetch && !cJSON_AddTrueToObject(push, "no_prefetch"))
            b->failed = true;
    }
}

static void add_bos(struct builder *b, cJSON *root, const struct et_capture *capture)
{
    cJSON *list = array(b, root, "bos");
    for (size_t i = 0; i < capture->bo_count && !b->failed; i++) {
        cJSON *item = object(b, list, NULL);
        add_number(b, item, "bo", capture->bos[i].bo);
        add_number(b, item, "size", capture->bos[i].size);
        add_number(b, item, "domain", capture->bos[i].domain);
        add_number(b, item, "tile_mode", capture->bos[i].tile_mode);
        add_number(b, item, "tile_flags", capture->bos[i].tile_flags);
    }
}

/* An address at which a byte of a buffer was last mapped; readers find the result's offset from it. */
static uint64_t address_of(const struct et_capture *capture, uint64_t bo, uint64_t offset)
{
    uint64_t va = 0;
    for (size_t s = 0; s <= capture->submit_count; s++) {
        const struct et_capture_map *maps = s ? capture->submits[s - 1].maps : capture->maps;
        const size_t count = s ? capture->submits[s - 1].map_count : capture->map_count;
        for (size_t i = 0; i < count; i++)
            if (maps[i].op == ET_MAP && maps[i].bo == bo && offset - maps[i].bo_offset < maps[i].size)
                va = maps[i].va + (offset - maps[i].bo_offset);
    }
    return va;
}

static void add_results(struct builder *b, cJSON *root, const struct et_capture *capture)
{
    const struct et_capture_result *result = &capture->result;
    cJSON *list = array(b, root, "outputs"), *item;
    for (size_t i = 0; i < capture->output_count && !b->failed; i++) {
        const struct et_capture_output *output = &capture->outputs[i];
        item = object(b, list, NULL);
        add_string(b, item, "name", output->name);
        add_number(b, item, "va", address_of(capture, output->bo, output->bo_offset));
        add_number(b, item, "bytes", output->bytes);
        add_number(b, item, "bo", output->bo);
        add_number(b, item, "bo_offset", output->bo_offset);
        add_number(b, item, "after_submit", output->after_submit);
    }
    if (!result->present)
        return;
    item = object(b, root, "result");
    add_number(b, item, "bo", result->bo);
    add_number(b, item, "va", address_of(capture, result->bo, result->bo_offset));
    add_number(b, item, "bytes", result->bytes);
    add_number(b, item, "submit", result->submit);
    if (result->pitch) {
        add_number(b, item, "pitch", result->pitch);
        add_number(b, item, "line_bytes", result->line_bytes);
        add_number(b, item, "rows", result->rows);
        add_number(b, item, "src_va", result->src_va);
        add_number(b, item, "dst_format", result->format);
    }
}

static char *manifest_text(const struct et_capture *capture)
{
    struct builder builder = {false};
    cJSON *root = object(&builder, NULL, NULL), *submits;
    char *text = NULL;
    if (!root)
        return NULL;
    add_head(&builder, root, capture);
    add_first_maps(&builder, root, capture);
    add_memory(&builder, root, capture->memory, capture->memory_count);
    submits = array(&builder, root, "submits");
    for (size_t i = 0; i < capture->submit_count && !builder.failed; i++)
        add_submit(&builder, submits, &capture->submits[i]);
    add_bos(&builder, root, capture);
    add_results(&builder, root, capture);
    if (!builder.failed)
        text = cJSON_Print(root);
    cJSON_Delete(root);
    return text;
}

static enum etalon_status write_folder(const char *path, const struct et_tar_list *list,
                                       struct etalon_error *error)
{
    enum etalon_status status = ETALON_OK;
    if (mkdir(path, 0777) && errno != EEXIST)
        return et_fail(error, ETALON_IO, "cannot make %s: %s", path, strerror(errno));
    for (size_t i = 0; !status && i < list->count; i++) {
        char full[4096];
        if (snprintf(full, sizeof full, "%s/%s", path, list->files[i].name) >= (int)sizeof full)
            return et_fail(error, ETALON_INVALID, "path is too long");
        status = et_file_write(full, list->files[i].bytes, list->files[i].size, error);
    }
    return status;
}

enum etalon_status et_capture_write(const struct et_capture *capture, const char *path,
                                    struct etalon_error *error)
{
    static char manifest_name[] = "manifest.json", bulk_name[] = "memory.bin";
    const size_t length = strlen(path);
    char *manifest = manifest_text(capture);
    struct et_tar_file files[2] = {{.name = manifest_name, .bytes = (uint8_t *)manifest},
                                   {.name = bulk_name, .bytes = capture->bytes, .size = capture->byte_count}};
    const struct et_tar_list list = {.files = files, .count = 2};
    enum etalon_status status;
    if (!manifest)
        return et_fail(error, ETALON_NO_MEMORY, "no memory for the manifest");
    files[0].size = strlen(manifest);
    if (length > 8 && !strcmp(path + length - 8, ".tar.zst"))
        status = et_tar_write(path, capture->name ? capture->name : "capture", &list, 19, error);
    else
        status = write_folder(path, &list, error);
    cJSON_free(manifest);
    return status;
}
