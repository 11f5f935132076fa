#include "support/texture_replay.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

static uint8_t *slurp(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    uint8_t *bytes = NULL;
    long length;
    if (!file)
        return NULL;
    if (!fseek(file, 0, SEEK_END) && (length = ftell(file)) >= 0 && !fseek(file, 0, SEEK_SET)) {
        bytes = malloc((size_t)length + 1);
        if (bytes && fread(bytes, 1, (size_t)length, file) != (size_t)length) {
            free(bytes);
            bytes = NULL;
        }
        *size = (size_t)length;
    }
    fclose(file);
    return bytes;
}

static const struct replay_file *add(struct replay_file **files, size_t *count, const char *name,
                                     uint8_t *bytes, size_t size)
{
    struct replay_file *more = realloc(*files, (*count + 1) * sizeof *more);
    if (!more)
        return NULL;
    *files = more;
    more += (*count)++;
    snprintf(more->name, sizeof more->name, "%s", name);
    more->bytes = bytes;
    more->size = size;
    return more;
}

static bool unpack(struct replay_data *data, const uint8_t *bytes, size_t size)
{
    for (size_t at = 0; at < size;) {
        char name[80];
        unsigned long length;
        const uint8_t *end = memchr(bytes + at, '\n', size - at);
        if (!end || sscanf((const char *)bytes + at, "%79s %lu", name, &length) != 2)
            return false;
        at = (size_t)(end - bytes) + 1;
        if (length > size - at)
            return false;
        uint8_t *copy = malloc(length + 1);
        if (!copy || !add(&data->files, &data->count, name, copy, length))
            return false;
        memcpy(copy, bytes + at, length);
        at += length;
    }
    return true;
}

bool replay_open(struct replay_data *data, const char *folder, const char *pack)
{
    size_t size = 0;
    uint8_t *packed, *bytes;
    unsigned long long length;
    bool ok;
    memset(data, 0, sizeof *data);
    data->folder = folder;
    if (folder)
        return true;
    packed = slurp(pack, &size);
    if (!packed)
        return false;
    length = ZSTD_getFrameContentSize(packed, size);
    bytes = length < (1u << 30) ? malloc(length + 1) : NULL;
    ok = bytes && ZSTD_decompress(bytes, length, packed, size) == length && unpack(data, bytes, length);
    free(bytes);
    free(packed);
    return ok;
}

void replay_close(struct replay_data *data)
{
    for (size_t i = 0; i < data->count; i++)
        free(data->files[i].bytes);
    for (size_t i = 0; i < data->packed_count; i++)
        free(data->packed[i].bytes);
    free(data->files);
    free(data->packed);
}

const struct replay_file *replay_find(struct replay_data *data, const char *name)
{
    char path[400];
    size_t size = 0;
    uint8_t *bytes;
    for (size_t i = 0; i < data->count; i++)
        if (!strcmp(data->files[i].name, name))
            return &data->files[i];
    if (!data->folder)
        return NULL;
    snprintf(path, sizeof path, "%s/%s", data->folder, name);
    bytes = slurp(path, &size);
    return bytes ? add(&data->files, &data->count, name, bytes, size) : NULL;
}

size_t replay_records(struct replay_data *data, const char *name, struct replay_record *records, size_t most)
{
    char file_name[90];
    size_t count = 0, at = 0;
    snprintf(file_name, sizeof file_name, "%s.in", name);
    const struct replay_file *file = replay_find(data, file_name);
    if (!file)
        return 0;
    while (at < file->size && count < most) {
        struct replay_record *record = &records[count];
        unsigned long size;
        const uint8_t *end = memchr(file->bytes + at, '\n', file->size - at);
        if (!end ||
            sscanf((const char *)file->bytes + at, "%39s %u %u %u %u %u %lu", record->format, &record->width,
                   &record->height, &record->depth, &record->level, &record->layer, &size) != 7)
            return 0;
        at = (size_t)(end - file->bytes) + 1;
        if (size > file->size - at)
            return 0;
        record->bytes = file->bytes + at;
        record->size = size;
        at += size;
        count++;
    }
    return count;
}

void replay_keep(struct replay_data *data, const char *name, const uint8_t *bytes, size_t size)
{
    uint8_t *copy;
    for (size_t i = 0; i < data->packed_count; i++)
        if (!strcmp(data->packed[i].name, name)) {
            if (data->packed[i].size >= size)
                return;
            free(data->packed[i].bytes);
            data->packed[i].bytes = malloc(size);
            if (data->packed[i].bytes)
                memcpy(data->packed[i].bytes, bytes, size);
            data->packed[i].size = size;
            return;
        }
    copy = malloc(size + 1);
    if (copy) {
        memcpy(copy, bytes, size);
        add(&data->packed, &data->packed_count, name, copy, size);
    }
}

bool replay_write(const struct replay_data *data, const char *path)
{
    size_t size = 0, at = 0;
    uint8_t *bytes, *packed;
    FILE *file;
    bool ok;
    for (size_t i = 0; i < data->packed_count; i++)
        size += data->packed[i].size + 120;
    bytes = malloc(size);
    packed = malloc(ZSTD_compressBound(size));
    if (!bytes || !packed) {
        free(bytes);
        free(packed);
        return false;
    }
    for (size_t i = 0; i < data->packed_count; i++) {
        at += (size_t)sprintf((char *)bytes + at, "%s %zu\n", data->packed[i].name, data->packed[i].size);
        memcpy(bytes + at, data->packed[i].bytes, data->packed[i].size);
        at += data->packed[i].size;
    }
    size = ZSTD_compress(packed, ZSTD_compressBound(size), bytes, at, 19);
    file = fopen(path, "wb");
    ok = file && !ZSTD_isError(size) && fwrite(packed, 1, size, file) == size;
    if (file)
        ok = !fclose(file) && ok;
    free(bytes);
    free(packed);
    return ok;
}
