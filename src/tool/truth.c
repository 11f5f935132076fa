#include "tool/truth.h"

#include "base/alloc.h"
#include "base/bits.h"

#include <cjson/cJSON.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define TRUTH_LIMIT (UINT64_C(1) << 30)

/* What a Vulkan format's name says of its channels: VK_FORMAT_R16G16_SFLOAT has 16-bit floats; _PACKn names
 * are words whose channels are not told apart. */
static void describe_channels(struct et_truth_image *image)
{
    const char *p = image->format;
    if (!strncmp(p, "VK_FORMAT_", 10))
        p += 10;
    if (!strncmp(p, "BUFFER_U", 8))
        p += 7;
    while (*p && !isdigit((unsigned char)*p))
        p++;
    image->channel = (unsigned)strtoul(p, NULL, 10);
    if (strstr(p, "_PACK") ||
        (image->channel != 8 && image->channel != 16 && image->channel != 32 && image->channel != 64))
        image->channel = 0;
    image->is_float = strstr(p, "SFLOAT") != NULL;
    if (!image->texel)
        image->texel = image->channel ? image->channel / 8 : 4;
    if (image->channel && image->texel % (image->channel / 8))
        image->channel = 0;
}

static void read_index(struct et_truth *truth, const cJSON *root)
{
    const cJSON *images = cJSON_GetObjectItemCaseSensitive(root, "images"), *item;
    const char *device = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(root, "device"));
    const char *driver = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(root, "driver_version"));
    snprintf(truth->maker, sizeof truth->maker, "%s, driver %s", device ? device : "?",
             driver ? driver : "?");
    cJSON_ArrayForEach(item, images)
    {
        const char *file = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(item, "file"));
        const char *format = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(item, "format"));
        const cJSON *texel = cJSON_GetObjectItemCaseSensitive(item, "bytes_per_texel");
        const cJSON *width = cJSON_GetObjectItemCaseSensitive(item, "width");
        const cJSON *height = cJSON_GetObjectItemCaseSensitive(item, "height");
        for (size_t i = 0; file && i < truth->count; i++) {
            struct et_truth_image *image = &truth->images[i];
            if (strcmp(image->file, file))
                continue;
            snprintf(image->format, sizeof image->format, "%s", format ? format : "");
            image->texel = cJSON_IsNumber(texel) && texel->valueint > 0 && texel->valueint <= 64
                               ? (unsigned)texel->valueint
                               : 0;
            image->width = cJSON_IsNumber(width) && width->valueint > 0 ? (unsigned)width->valueint : 0;
            image->height = cJSON_IsNumber(height) && height->valueint > 0 ? (unsigned)height->valueint : 0;
        }
    }
}

/* Program's index from an archive's list, or a lone file beside the raw ones. */
static enum etalon_status add_file(struct et_tar_list *list, const char *folder, const char *name,
                                   struct etalon_error *error)
{
    char path[4096];
    struct et_tar_file file = {.name = et_strdup(name)};
    if (!file.name || !et_grow(&list->files, &list->capacity, list->count + 1, sizeof *list->files)) {
        et_free(file.name);
        return et_fail(error, ETALON_NO_MEMORY, "no memory for truth");
    }
    snprintf(path, sizeof path, "%s/%s", folder, name);
    const enum etalon_status status = et_file_read(path, TRUTH_LIMIT, &file.bytes, &file.size, error);
    list->files[list->count++] = file;
    return status;
}

static enum etalon_status read_loose(struct et_truth *truth, const char *folder, const char *program,
                                     struct etalon_error *error)
{
    char name[256];
    const cJSON *item;
    cJSON *root;
    enum etalon_status status;
    snprintf(name, sizeof name, "%s.json", program);
    status = add_file(&truth->files, folder, name, error);
    if (status)
        return status;
    root = cJSON_ParseWithLength((const char *)truth->files.files[0].bytes, truth->files.files[0].size);
    cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(root, "images"))
    {
        const char *file = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(item, "file"));
        if (!status && file && !strchr(file, '/'))
            status = add_file(&truth->files, folder, file, error);
    }
    cJSON_Delete(root);
    return status;
}

static enum etalon_status index_files(struct et_truth *truth, const char *program, struct etalon_error *error)
{
    char name[256];
    const struct et_tar_file *json;
    truth->images = et_calloc(truth->files.count, sizeof *truth->images);
    if (!truth->images)
        return et_fail(error, ETALON_NO_MEMORY, "no memory for truth");
    for (size_t i = 0; i < truth->files.count; i++) {
        const struct et_tar_file *file = &truth->files.files[i];
        const char *end = strrchr(file->name, '.');
        if (end && (!strcmp(end, ".raw") || !strcmp(end, ".bin")))
            truth->images[truth->count++] =
                (struct et_truth_image){.file = file->name, .bytes = file->bytes, .size = file->size};
    }
    snprintf(name, sizeof name, "%s.json", program);
    json = et_tar_find(&truth->files, name);
    if (json) {
        cJSON *root = cJSON_ParseWithLength((const char *)json->bytes, json->size);
        read_index(truth, root);
        cJSON_Delete(root);
    }
    for (size_t i = 0; i < truth->count; i++)
        describe_channels(&truth->images[i]);
    return ETALON_OK;
}

enum etalon_status et_truth_read(struct et_truth *truth, const char *folder, const char *program,
                                 struct etalon_error *error)
{
    char path[4096];
    struct stat info;
    enum etalon_status status;
    *truth = (struct et_truth){0};
    snprintf(path, sizeof path, "%s/%s.tar.zst", folder, program);
    if (!stat(path, &info))
        status = et_tar_read(path, TRUTH_LIMIT, NULL, NULL, &truth->files, error);
    else
        status = read_loose(truth, folder, program, error);
    if (!status)
        status = index_files(truth, program, error);
    if (status)
        et_truth_free(truth);
    return status;
}

void et_truth_free(struct et_truth *truth)
{
    et_tar_free(&truth->files);
    et_free(truth->images);
    *truth = (struct et_truth){0};
}

const struct et_truth_image *et_truth_find(const struct et_truth *truth, const char *file)
{
    for (size_t i = 0; i < truth->count; i++)
        if (!strcmp(truth->images[i].file, file))
            return &truth->images[i];
    return NULL;
}

static uint64_t channel_of(const uint8_t *at, unsigned bytes)
{
    uint64_t value = 0;
    memcpy(&value, at, bytes);
    return value;
}

/* Floats as integers in order of value, so that a difference is ULPs. */
static int64_t ordered(uint64_t bits, unsigned width)
{
    const uint64_t sign = UINT64_C(1) << (width - 1);
    return bits & sign ? -(int64_t)(bits & (sign - 1)) : (int64_t)bits;
}

static uint64_t distance(const struct et_truth_image *image, uint64_t a, uint64_t b)
{
    if (image->is_float) {
        const int64_t x = ordered(a, image->channel), y = ordered(b, image->channel);
        return x > y ? (uint64_t)x - (uint64_t)y : (uint64_t)y - (uint64_t)x;
    }
    return a > b ? a - b : b - a;
}

void et_truth_compare(const struct et_truth_image *image, const uint8_t *bytes,
                      struct et_difference *difference)
{
    const unsigned texel = image->texel ? image->texel : 4, channel = image->channel / 8;
    *difference = (struct et_difference){.texels = et_ceil_div(image->size, texel)};
    for (uint64_t t = 0; t < difference->texels; t++) {
        const size_t at = t * texel, size = ET_MIN(texel, image->size - at);
        if (!memcmp(image->bytes + at, bytes + at, size))
            continue;
        if (!difference->different++)
            difference->first = t;
        for (unsigned c = 0; channel && c + channel <= size; c += channel) {
            const uint64_t d = distance(image, channel_of(image->bytes + at + c, channel),
                                        channel_of(bytes + at + c, channel));
            difference->largest = ET_MAX(difference->largest, d);
        }
    }
}
