#include "capture/capture.h"

#include "base/alloc.h"
#include "base/bits.h"
#include "base/hash.h"
#include "capture/tar.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#define BULK_LIMIT     (UINT64_C(4) << 30)
#define MANIFEST_LIMIT (UINT64_C(256) << 20)
#define BO_LIMIT       (UINT64_C(1) << 38)
#define VA_LIMIT       (UINT64_C(1) << 49)

/* Where in the manifest we are, for errors. */
struct place {
    const char *list;
    long submit; /* -1: none */
    size_t entry;
    struct etalon_error *error;
};

static enum etalon_status complain(const struct place *place, enum etalon_status status, const char *what)
{
    if (place->submit >= 0)
        return et_fail(place->error, status, "manifest: submit %ld, %s %zu: %s", place->submit, place->list,
                       place->entry, what);
    return et_fail(place->error, status, "manifest: %s %zu: %s", place->list, place->entry, what);
}

/* Integers up to 2^53 are exact in cJSON's doubles; captures hold none above. */
static bool number(const cJSON *object, const char *key, uint64_t *value)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    if (!cJSON_IsNumber(item) || !(item->valuedouble >= 0) || item->valuedouble > 9007199254740992.0 ||
        item->valuedouble != floor(item->valuedouble))
        return false;
    *value = (uint64_t)item->valuedouble;
    return true;
}

static uint64_t number_or(const cJSON *object, const char *key, uint64_t otherwise)
{
    uint64_t value;
    return number(object, key, &value) ? value : otherwise;
}

/* A field that may be absent (then 0), of 32 bits. */
static enum etalon_status optional32(const struct place *place, const cJSON *object, const char *key,
                                     uint32_t *value)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    uint64_t wide = 0;
    char what[80];
    if (item && !cJSON_IsNull(item) && (!number(object, key, &wide) || wide > UINT32_MAX)) {
        snprintf(what, sizeof what, "%s is no number of 32 bits", key);
        return complain(place, ETALON_FORMAT, what);
    }
    *value = (uint32_t)wide;
    return ETALON_OK;
}

static char *string_or_empty(const cJSON *object, const char *key)
{
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, key));
    return et_strdup(text ? text : "");
}

/* Room for the array's entries; *count is set. A missing list is empty. */
static enum etalon_status list_of(const cJSON *object, struct place *place, size_t size, void *items,
                                  size_t *count, const cJSON **first)
{
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(object, place->list);
    void *room;
    *count = 0;
    *first = NULL;
    place->entry = 0;
    if (!list)
        return ETALON_OK;
    if (!cJSON_IsArray(list))
        return complain(place, ETALON_FORMAT, "is not a list");
    *count = (size_t)cJSON_GetArraySize(list);
    room = et_calloc(*count, size);
    if (!room) {
        *count = 0;
        return complain(place, ETALON_NO_MEMORY, "no memory");
    }
    memcpy(items, &room, sizeof room);
    *first = list->child;
    return ETALON_OK;
}

static enum etalon_status read_bos(struct et_capture *capture, const cJSON *root, struct place *place)
{
    const cJSON *item;
    place->list = "bos";
    enum etalon_status status =
        list_of(root, place, sizeof *capture->bos, &capture->bos, &capture->bo_count, &item);
    for (; !status && item; item = item->next, place->entry++) {
        struct et_capture_bo *bo = &capture->bos[place->entry];
        if (!number(item, "bo", &bo->bo) || !number(item, "size", &bo->size))
            return complain(place, ETALON_FORMAT, "needs bo and size");
        if (!bo->size || bo->size > BO_LIMIT)
            return complain(place, ETALON_BOUNDS, "size is zero or above 2^38");
        if (optional32(place, item, "domain", &bo->domain) ||
            optional32(place, item, "tile_mode", &bo->tile_mode) ||
            optional32(place, item, "tile_flags", &bo->tile_flags))
            return ETALON_FORMAT;
    }
    return status;
}

static int by_bo(const void *a, const void *b)
{
    const struct et_capture_bo *x = a, *y = b;
    return (x->bo > y->bo) - (x->bo < y->bo);
}

static enum etalon_status sort_bos(struct et_capture *capture, struct place *place)
{
    if (capture->bo_count)
        qsort(capture->bos, capture->bo_count, sizeof *capture->bos, by_bo);
    for (size_t i = 1; i < capture->bo_count; i++)
        if (capture->bos[i].bo == capture->bos[i - 1].bo) {
            place->entry = i;
            return complain(place, ETALON_FORMAT, "two buffers with one number");
        }
    return ETALON_OK;
}

const struct et_capture_bo *et_capture_bo_find(const struct et_capture *capture, uint64_t bo)
{
    const struct et_capture_bo key = {.bo = bo};
    return capture->bo_count ? bsearch(&key, capture->bos, capture->bo_count, sizeof *capture->bos, by_bo)
                             : NULL;
}

static bool inside_bo(const struct et_capture *capture, uint64_t bo, uint64_t offset, uint64_t size)
{
    const struct et_capture_bo *found = et_capture_bo_find(capture, bo);
    return found && offset <= found->size && size <= found->size - offset;
}

static enum etalon_status read_map(const struct et_capture *capture, const cJSON *item, enum et_map_kind op,
                                   struct et_capture_map *map, const struct place *place)
{
    map->op = op;
    if (!number(item, "va", &map->va) || !number(item, "size", &map->size))
        return complain(place, ETALON_FORMAT, "needs va and size");
    if (!map->size || map->va >= VA_LIMIT || map->size > VA_LIMIT - map->va || (map->va | map->size) & 4095)
        return complain(place, ETALON_BOUNDS, "the range is not of whole pages of the address space");
    if (op != ET_MAP)
        return ETALON_OK;
    if (!number(item, "bo", &map->bo) || !number(item, "bo_offset", &map->bo_offset))
        return complain(place, ETALON_FORMAT, "needs bo and bo_offset");
    if (optional32(place, item, "kind", &map->kind) || optional32(place, item, "tile_mode", &map->tile_mode))
        return ETALON_FORMAT;
    if (map->bo_offset & 4095 || !inside_bo(capture, map->bo, map->bo_offset, map->size))
        return complain(place, ETALON_BOUNDS, "does not lie in its buffer");
    return ETALON_OK;
}

static enum etalon_status read_first_maps(struct et_capture *capture, const cJSON *root, struct place *place)
{
    struct et_capture_map *sparse = NULL;
    const cJSON *item;
    size_t count;
    enum etalon_status status;
    place->list = "mappings";
    status = list_of(root, place, sizeof *capture->maps, &capture->maps, &capture->map_count, &item);
    for (; !status && item; item = item->next, place->entry++)
        status = read_map(capture, item, ET_MAP, &capture->maps[place->entry], place);
    if (status)
        return status;
    place->list = "sparse";
    status = list_of(root, place, sizeof *sparse, &sparse, &count, &item);
    for (; !status && item; item = item->next, place->entry++)
        status = read_map(capture, item, ET_SPARSE, &sparse[place->entry], place);
    if (!status && count) { /* sparse ranges come first: mappings lie on top of them */
        struct et_capture_map *all = et_calloc(count + capture->map_count, sizeof *all);
        if (!all) {
            status = complain(place, ETALON_NO_MEMORY, "no memory");
        } else {
            memcpy(all, sparse, count * sizeof *all);
            memcpy(all + count, capture->maps, capture->map_count * sizeof *all);
            et_free(capture->maps);
            capture->maps = all;
            capture->map_count += count;
        }
    }
    et_free(sparse);
    return status;
}

static enum etalon_status read_memory(struct et_capture *capture, const cJSON *object, struct place *place,
                                      struct et_capture_record **records, size_t *count)
{
    const cJSON *item;
    place->list = "memory";
    enum etalon_status status = list_of(object, place, sizeof **records, records, count, &item);
    for (; !status && item; item = item->next, place->entry++) {
        struct et_capture_record *record = &(*records)[place->entry];
        if (!number(item, "size", &record->size) || !number(item, "offset", &record->offset) ||
            !number(item, "bo", &record->bo) || !number(item, "bo_offset", &record->bo_offset))
            return complain(place, ETALON_FORMAT, "needs size, offset, bo and bo_offset");
        record->has_va = number(item, "va", &record->va);
        if (record->offset > capture->byte_count || record->size > capture->byte_count - record->offset)
            return complain(place, ETALON_TRUNCATED, "lies past the end of memory.bin");
        if (!inside_bo(capture, record->bo, record->bo_offset, record->size))
            return complain(place, ETALON_BOUNDS, "does not lie in its buffer");
    }
    return status;
}

static enum etalon_status read_map_ops(struct et_capture *capture, const cJSON *object,
                                       struct et_capture_submit *submit, struct place *place)
{
    static const char *const names[] = {"map", "unmap", "sparse", "unsparse"};
    const cJSON *item;
    place->list = "map_ops";
    enum etalon_status status =
        list_of(object, place, sizeof *submit->maps, &submit->maps, &submit->map_count, &item);
    for (; !status && item; item = item->next, place->entry++) {
        const char *op = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(item, "op"));
        unsigned n = 0;
        while (n < ET_COUNT(names) && (!op || strcmp(op, names[n])))
            n++;
        if (n == ET_COUNT(names))
            return complain(place, ETALON_FORMAT, "op is none of map, unmap, sparse, unsparse");
        status = read_map(capture, item, (enum et_map_kind)n, &submit->maps[place->entry], place);
    }
    return status;
}

static enum etalon_status read_pushes(const cJSON *object, struct et_capture_submit *submit,
                                      struct place *place)
{
    const cJSON *item;
    place->list = "pushes";
    enum etalon_status status =
        list_of(object, place, sizeof *submit->pushes, &submit->pushes, &submit->push_count, &item);
    for (; !status && item; item = item->next, place->entry++) {
        struct et_capture_push *push = &submit->pushes[place->entry];
        const cJSON *flag = cJSON_GetObjectItemCaseSensitive(item, "no_prefetch");
        if (!number(item, "va", &push->va) || !number(item, "bytes", &push->bytes))
            return complain(place, ETALON_FORMAT, "needs va and bytes");
        if (push->va & 3 || push->bytes & 3 || push->va >= VA_LIMIT || push->bytes > VA_LIMIT - push->va)
            return complain(place, ETALON_MISALIGNED, "is not of whole words of the address space");
        push->no_prefetch = cJSON_IsTrue(flag) || (cJSON_IsNumber(flag) && flag->valuedouble != 0);
    }
    return status;
}

static enum etalon_status read_submits(struct et_capture *capture, const cJSON *root, struct place *place)
{
    const cJSON *item;
    size_t n = 0;
    place->list = "submits";
    enum etalon_status status =
        list_of(root, place, sizeof *capture->submits, &capture->submits, &capture->submit_count, &item);
    for (; !status && item; item = item->next, n++) {
        struct et_capture_submit *submit = &capture->submits[n];
        submit->index = number_or(item, "index", n);
        place->list = "submits";
        place->entry = n;
        status = optional32(place, item, "channel", &submit->channel);
        place->submit = (long)n;
        if (!status)
            status = read_map_ops(capture, item, submit, place);
        if (!status)
            status = read_memory(capture, item, place, &submit->memory, &submit->memory_count);
        if (!status)
            status = read_pushes(item, submit, place);
    }
    place->submit = -1;
    return status;
}

/* A name that stays in the folder it is written to. */
static bool safe_name(const char *name)
{
    return name && *name && *name != '.' && !strchr(name, '/') && strlen(name) < 200;
}

static enum etalon_status read_outputs(struct et_capture *capture, const cJSON *root, struct place *place)
{
    const cJSON *item;
    place->list = "outputs";
    enum etalon_status status =
        list_of(root, place, sizeof *capture->outputs, &capture->outputs, &capture->output_count, &item);
    for (; !status && item; item = item->next, place->entry++) {
        struct et_capture_output *output = &capture->outputs[place->entry];
        const char *name = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(item, "name"));
        if (!safe_name(name))
            return complain(place, ETALON_FORMAT, "needs a plain file name");
        output->name = et_strdup(name);
        if (!output->name)
            return complain(place, ETALON_NO_MEMORY, "no memory");
        if (!number(item, "bytes", &output->bytes) || !number(item, "bo", &output->bo) ||
            !number(item, "bo_offset", &output->bo_offset) ||
            !number(item, "after_submit", &output->after_submit))
            return complain(place, ETALON_FORMAT, "needs bytes, bo, bo_offset and after_submit");
        if (!inside_bo(capture, output->bo, output->bo_offset, output->bytes))
            return complain(place, ETALON_BOUNDS, "does not lie in its buffer");
    }
    return status;
}

/* The buffer offset of the result: its va through the mappings at the end, since the record gives no offset.
 */
static bool result_offset(const struct et_capture *capture, uint64_t va, uint64_t bo, uint64_t *offset)
{
    bool found = false;
    for (size_t s = 0; s <= capture->submit_count; s++) {
        const struct et_capture_map *maps = s ? capture->submits[s - 1].maps : capture->maps;
        const size_t count = s ? capture->submits[s - 1].map_count : capture->map_count;
        for (size_t i = 0; i < count; i++)
            if (maps[i].op == ET_MAP && maps[i].bo == bo && va - maps[i].va < maps[i].size) {
                *offset = maps[i].bo_offset + (va - maps[i].va);
                found = true;
            }
    }
    return found;
}

static enum etalon_status read_result(struct et_capture *capture, const cJSON *root, struct place *place)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(root, "result");
    struct et_capture_result *result = &capture->result;
    uint64_t va;
    place->list = "result";
    place->entry = 0;
    if (!cJSON_IsObject(item))
        return ETALON_OK;
    if (!number(item, "bo", &result->bo) || !number(item, "va", &va) ||
        !number(item, "bytes", &result->bytes) || !number(item, "submit", &result->submit))
        return complain(place, ETALON_FORMAT, "needs bo, va, bytes and submit");
    result->pitch = number_or(item, "pitch", 0);
    result->line_bytes = number_or(item, "line_bytes", 0);
    result->rows = number_or(item, "rows", 0);
    result->src_va = number_or(item, "src_va", 0);
    result->format = (uint32_t)number_or(item, "dst_format", 0);
    if (!result_offset(capture, va, result->bo, &result->bo_offset) ||
        !inside_bo(capture, result->bo, result->bo_offset, result->bytes))
        return complain(place, ETALON_BOUNDS, "does not lie in a mapped buffer");
    if (result->rows &&
        (result->line_bytes > result->bytes ||
         (result->rows > 1 &&
          (!result->pitch || result->rows - 1 > (result->bytes - result->line_bytes) / result->pitch))))
        return complain(place, ETALON_BOUNDS, "its rows do not lie in its bytes");
    result->present = true;
    return ETALON_OK;
}

static enum etalon_status read_head(struct et_capture *capture, const cJSON *root, struct etalon_error *error)
{
    const cJSON *producer = cJSON_GetObjectItemCaseSensitive(root, "producer");
    const cJSON *classes = cJSON_GetObjectItemCaseSensitive(root, "classes");
    const char *format = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(root, "format"));
    if (!format || strcmp(format, "capture-1"))
        return et_fail(error, ETALON_FORMAT, "manifest: format is not capture-1");
    capture->driver = string_or_empty(producer, "driver");
    capture->mesa = string_or_empty(producer, "mesa");
    capture->program = string_or_empty(producer, "program");
    capture->chip = string_or_empty(root, "chip");
    if (!capture->driver || !capture->mesa || !capture->program || !capture->chip)
        return et_fail(error, ETALON_NO_MEMORY, "no memory for the manifest");
    capture->chipset = (uint32_t)number_or(root, "chipset", 0);
    capture->class_channel = (uint32_t)number_or(classes, "channel", 0);
    capture->class_twod = (uint32_t)number_or(classes, "twod", 0);
    capture->class_inline = (uint32_t)number_or(classes, "inline", 0);
    capture->class_threed = (uint32_t)number_or(classes, "threed", 0);
    capture->class_compute = (uint32_t)number_or(classes, "compute", 0);
    capture->class_copy = (uint32_t)number_or(classes, "copy", 0);
    return ETALON_OK;
}

static enum etalon_status parse(struct et_capture *capture, const uint8_t *manifest, size_t size,
                                struct etalon_error *error)
{
    struct place place = {.submit = -1, .error = error};
    const char *stopped = NULL;
    cJSON *root = cJSON_ParseWithLengthOpts((const char *)manifest, size, &stopped, 0);
    enum etalon_status status;
    if (!root) {
        et_at_offset(error, stopped ? (uint64_t)(stopped - (const char *)manifest) : 0);
        return et_fail(error, ETALON_FORMAT, "manifest.json is not JSON from byte %llu on",
                       (unsigned long long)(stopped ? stopped - (const char *)manifest : 0));
    }
    status = read_head(capture, root, error);
    if (!status)
        status = read_bos(capture, root, &place);
    if (!status)
        status = sort_bos(capture, &place);
    if (!status)
        status = read_first_maps(capture, root, &place);
    if (!status)
        status = read_memory(capture, root, &place, &capture->memory, &capture->memory_count);
    if (!status)
        status = read_submits(capture, root, &place);
    if (!status)
        status = read_outputs(capture, root, &place);
    if (!status)
        status = read_result(capture, root, &place);
    cJSON_Delete(root);
    return status;
}

static void hash_files(struct et_capture *capture, const uint8_t *manifest, size_t size)
{
    struct et_sha256 sha;
    uint8_t digest[32];
    et_sha256_start(&sha);
    et_sha256_add(&sha, manifest, size);
    et_sha256_add(&sha, capture->bytes, capture->byte_count);
    et_sha256_end(&sha, digest);
    et_sha256_text(digest, capture->hash);
}

static char *name_of_path(const char *path)
{
    char *copy = et_strdup(path);
    char *last, *suffix;
    if (!copy)
        return NULL;
    for (size_t n = strlen(copy); n > 1 && copy[n - 1] == '/'; n--)
        copy[n - 1] = 0;
    last = strrchr(copy, '/');
    if (last)
        memmove(copy, last + 1, strlen(last));
    suffix = strstr(copy, ".tar.zst");
    if (suffix)
        *suffix = 0;
    return copy;
}

static bool of_a_capture(void *context, const char *name)
{
    (void)context;
    return !strcmp(name, "manifest.json") || !strcmp(name, "memory.bin");
}

static enum etalon_status read_folder_file(const char *path, const char *name, uint64_t limit,
                                           uint8_t **bytes, size_t *size, struct etalon_error *error)
{
    char full[4096];
    if (snprintf(full, sizeof full, "%s/%s", path, name) >= (int)sizeof full)
        return et_fail(error, ETALON_INVALID, "path is too long");
    return et_file_read(full, limit, bytes, size, error);
}

static enum etalon_status read_archive(struct et_capture *capture, const char *path, uint8_t **manifest,
                                       size_t *size, struct etalon_error *error)
{
    struct et_tar_list list = {0};
    enum etalon_status status = et_tar_read(path, BULK_LIMIT, of_a_capture, NULL, &list, error);
    for (size_t i = 0; !status && i < list.count; i++) {
        struct et_tar_file *file = &list.files[i];
        const bool is_manifest = !strcmp(file->name, "manifest.json");
        uint8_t **const bytes = is_manifest ? manifest : &capture->bytes;
        if (*bytes)
            status = et_fail(error, ETALON_FORMAT, "%s stands twice in the archive", file->name);
        else if (is_manifest)
            *size = file->size;
        else
            capture->byte_count = file->size;
        if (!status) {
            *bytes = file->bytes;
            file->bytes = NULL;
        }
    }
    if (!status && (!*manifest || !capture->bytes))
        status =
            et_fail(error, ETALON_FORMAT, "%s lacks %s", path, *manifest ? "memory.bin" : "manifest.json");
    et_tar_free(&list);
    return status;
}

enum etalon_status et_capture_read(struct et_capture *capture, const char *path, struct etalon_error *error)
{
    struct stat info;
    uint8_t *manifest = NULL;
    size_t size = 0;
    enum etalon_status status;
    *capture = (struct et_capture){.name = name_of_path(path)};
    if (!capture->name)
        return et_fail(error, ETALON_NO_MEMORY, "no memory");
    if (!stat(path, &info) && S_ISDIR(info.st_mode)) {
        status = read_folder_file(path, "manifest.json", MANIFEST_LIMIT, &manifest, &size, error);
        if (!status)
            status = read_folder_file(path, "memory.bin", BULK_LIMIT, &capture->bytes, &capture->byte_count,
                                      error);
    } else {
        status = read_archive(capture, path, &manifest, &size, error);
    }
    if (!status)
        status = parse(capture, manifest, size, error);
    if (!status)
        hash_files(capture, manifest, size);
    et_free(manifest);
    if (status)
        et_capture_free(capture);
    return status;
}

void et_capture_free(struct et_capture *capture)
{
    for (size_t i = 0; i < capture->submit_count; i++) {
        et_free(capture->submits[i].maps);
        et_free(capture->submits[i].memory);
        et_free(capture->submits[i].pushes);
    }
    for (size_t i = 0; i < capture->output_count; i++)
        et_free(capture->outputs[i].name);
    et_free(capture->name);
    et_free(capture->driver);
    et_free(capture->mesa);
    et_free(capture->program);
    et_free(capture->chip);
    et_free(capture->maps);
    et_free(capture->memory);
    et_free(capture->submits);
    et_free(capture->bos);
    et_free(capture->outputs);
    et_free(capture->bytes);
    *capture = (struct et_capture){0};
}
