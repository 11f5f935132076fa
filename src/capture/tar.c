#include "capture/tar.h"

#include "base/alloc.h"
#include "base/bits.h"

#include <errno.h>
#include <stdio.h>
#include <zstd.h>

#define BLOCK 512

/* The unpacked stream, a block at a time. */
struct stream {
    FILE *file;
    ZSTD_DStream *zstd;
    uint8_t *packed;
    ZSTD_inBuffer in;
    uint64_t offset; /* bytes unpacked so far */
    bool frame_open;
};

static enum etalon_status stream_open(struct stream *stream, const char *path, struct etalon_error *error)
{
    *stream = (struct stream){.file = fopen(path, "rb")};
    if (!stream->file)
        return et_fail(error, ETALON_IO, "cannot open %s: %s", path, strerror(errno));
    stream->zstd = ZSTD_createDStream();
    stream->packed = et_calloc(ZSTD_DStreamInSize(), 1);
    if (!stream->zstd || !stream->packed)
        return et_fail(error, ETALON_NO_MEMORY, "no memory to unpack %s", path);
    ZSTD_DCtx_setParameter(stream->zstd, ZSTD_d_windowLogMax, 27);
    stream->in.src = stream->packed;
    return ETALON_OK;
}

static void stream_close(struct stream *stream)
{
    ZSTD_freeDStream(stream->zstd);
    et_free(stream->packed);
    if (stream->file)
        fclose(stream->file);
}

/* Fills to[0..bytes); *got is short only at the end of the stream. */
static enum etalon_status stream_read(struct stream *stream, void *to, size_t bytes, size_t *got,
                                      struct etalon_error *error)
{
    ZSTD_outBuffer out = {to, bytes, 0};
    while (out.pos < bytes) {
        size_t left;
        if (stream->in.pos == stream->in.size) {
            stream->in.size = fread(stream->packed, 1, ZSTD_DStreamInSize(), stream->file);
            stream->in.pos = 0;
            if (!stream->in.size && ferror(stream->file))
                return et_fail(error, ETALON_IO, "reading failed: %s", strerror(errno));
        }
        const size_t before = out.pos, used = stream->in.pos;
        left = ZSTD_decompressStream(stream->zstd, &out, &stream->in);
        if (ZSTD_isError(left)) {
            et_at_offset(error, stream->offset + out.pos);
            return et_fail(error, ETALON_FORMAT, "zstd: %s", ZSTD_getErrorName(left));
        }
        if (out.pos != before || stream->in.pos != used)
            stream->frame_open = left != 0;
        else if (!stream->in.size)
            break;
    }
    *got = out.pos;
    stream->offset += out.pos;
    return ETALON_OK;
}

static enum etalon_status truncated(const struct stream *stream, struct etalon_error *error)
{
    et_at_offset(error, stream->offset);
    return et_fail(error, ETALON_TRUNCATED, "the archive is cut short");
}

/* Octal field of a header; false when it is not octal. */
static bool octal(const uint8_t *field, size_t size, uint64_t *value)
{
    bool digits = false;
    *value = 0;
    for (size_t i = 0; i < size && field[i]; i++) {
        if (field[i] == ' ' && !digits)
            continue;
        if (field[i] == ' ')
            break;
        if (field[i] < '0' || field[i] > '7' || *value >> 60)
            return false;
        digits = true;
        *value = *value * 8 + (field[i] - '0');
    }
    return digits;
}

static bool checksum_holds(const uint8_t header[BLOCK])
{
    uint64_t stored, sum = 0;
    for (unsigned i = 0; i < BLOCK; i++)
        sum += i >= 148 && i < 156 ? ' ' : header[i];
    return octal(header + 148, 8, &stored) && stored == sum;
}

static enum etalon_status skip(struct stream *stream, uint64_t bytes, struct etalon_error *error)
{
    uint8_t block[BLOCK];
    while (bytes) {
        const size_t part = ET_MIN(bytes, sizeof block);
        size_t got;
        const enum etalon_status status = stream_read(stream, block, part, &got, error);
        if (status)
            return status;
        if (got < part)
            return truncated(stream, error);
        bytes -= part;
    }
    return ETALON_OK;
}

/* Reads the padding after the last member, so that the stream's own end and checksum are seen. */
static enum etalon_status drain(struct stream *stream, uint64_t limit, struct etalon_error *error)
{
    uint8_t block[BLOCK];
    for (uint64_t padding = 0; padding <= limit; padding += BLOCK) {
        size_t got;
        const enum etalon_status status = stream_read(stream, block, BLOCK, &got, error);
        if (status)
            return status;
        if (got < BLOCK)
            return stream->frame_open ? truncated(stream, error) : ETALON_OK;
    }
    return et_fail(error, ETALON_BOUNDS, "more than %llu bytes follow the last member",
                   (unsigned long long)limit);
}

static enum etalon_status add_member(struct stream *stream, const char *name, uint64_t size,
                                     struct et_tar_list *list, struct etalon_error *error)
{
    struct et_tar_file *file;
    enum etalon_status status;
    size_t got;
    if (!et_grow(&list->files, &list->capacity, list->count + 1, sizeof *list->files))
        return et_fail(error, ETALON_NO_MEMORY, "no memory for the archive's list");
    file = &list->files[list->count];
    *file = (struct et_tar_file){.name = et_strdup(name), .bytes = et_calloc(size + 1, 1), .size = size};
    list->count++;
    if (!file->name || !file->bytes)
        return et_fail(error, ETALON_NO_MEMORY, "no memory for %s of %llu bytes", name,
                       (unsigned long long)size);
    status = stream_read(stream, file->bytes, size, &got, error);
    file->size = got;
    if (!status && got < size)
        status = truncated(stream, error);
    return status ? status : skip(stream, -size & (BLOCK - 1), error);
}

static enum etalon_status read_members(struct stream *stream, uint64_t limit,
                                       bool (*wanted)(void *, const char *), void *context,
                                       struct et_tar_list *list, struct etalon_error *error)
{
    for (;;) {
        uint8_t header[BLOCK];
        char name[101];
        const char *last;
        uint64_t size;
        size_t got;
        enum etalon_status status = stream_read(stream, header, BLOCK, &got, error);
        if (status)
            return status;
        if (got < BLOCK)
            return truncated(stream, error);
        if (!header[0])
            return drain(stream, limit, error);
        if (!checksum_holds(header) || !octal(header + 124, 12, &size)) {
            et_at_offset(error, stream->offset - BLOCK);
            return et_fail(error, ETALON_FORMAT, "not a tar header");
        }
        memcpy(name, header, 100);
        name[100] = 0;
        last = strrchr(name, '/');
        last = last ? last + 1 : name;
        if ((header[156] != '0' && header[156]) || !*last || (wanted && !wanted(context, last))) {
            status = skip(stream, et_align_up(size, BLOCK), error);
        } else if (size > limit) {
            return et_fail(error, ETALON_BOUNDS, "%s has %llu bytes: over the limit", last,
                           (unsigned long long)size);
        } else {
            limit -= size;
            status = add_member(stream, last, size, list, error);
        }
        if (status)
            return status;
    }
}

enum etalon_status et_tar_read(const char *path, uint64_t limit, bool (*wanted)(void *, const char *),
                               void *context, struct et_tar_list *list, struct etalon_error *error)
{
    struct stream stream;
    enum etalon_status status = stream_open(&stream, path, error);
    if (!status)
        status = read_members(&stream, limit, wanted, context, list, error);
    stream_close(&stream);
    return status;
}

const struct et_tar_file *et_tar_find(const struct et_tar_list *list, const char *name)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->files[i].name && !strcmp(list->files[i].name, name))
            return &list->files[i];
    return NULL;
}

void et_tar_free(struct et_tar_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        et_free(list->files[i].name);
        et_free(list->files[i].bytes);
    }
    et_free(list->files);
    *list = (struct et_tar_list){0};
}

struct sink {
    FILE *file;
    ZSTD_CCtx *zstd;
    uint8_t *packed;
};

static bool sink_put(struct sink *sink, const void *bytes, size_t size, ZSTD_EndDirective end)
{
    ZSTD_inBuffer in = {bytes, size, 0};
    size_t left;
    do {
        ZSTD_outBuffer out = {sink->packed, ZSTD_CStreamOutSize(), 0};
        left = ZSTD_compressStream2(sink->zstd, &out, &in, end);
        if (ZSTD_isError(left) || fwrite(out.dst, 1, out.pos, sink->file) != out.pos)
            return false;
    } while (in.pos < in.size || (end == ZSTD_e_end && left));
    return true;
}

static bool put_member(struct sink *sink, const char *folder, const struct et_tar_file *file)
{
    static const uint8_t zeroes[BLOCK];
    uint8_t header[BLOCK] = {0};
    unsigned sum = 0;
    if (snprintf((char *)header, 100, "%s%s%s", folder, *folder ? "/" : "", file->name) >= 100)
        return false;
    memcpy(header + 100, "0000644", 7);
    memcpy(header + 108, "0000000", 7);
    memcpy(header + 116, "0000000", 7);
    snprintf((char *)header + 124, 12, "%011llo", (unsigned long long)file->size);
    memcpy(header + 136, "00000000000", 11);
    memset(header + 148, ' ', 8);
    header[156] = '0';
    memcpy(header + 257, "ustar\00000", 8);
    for (unsigned i = 0; i < BLOCK; i++)
        sum += header[i];
    snprintf((char *)header + 148, 8, "%06o", sum);
    return sink_put(sink, header, BLOCK, ZSTD_e_continue) &&
           sink_put(sink, file->bytes, file->size, ZSTD_e_continue) &&
           sink_put(sink, zeroes, -file->size & (BLOCK - 1), ZSTD_e_continue);
}

enum etalon_status et_tar_write(const char *path, const char *folder, const struct et_tar_list *list,
                                int level, struct etalon_error *error)
{
    static const uint8_t end[2 * BLOCK];
    struct sink sink = {
        .file = fopen(path, "wb"), .zstd = ZSTD_createCCtx(), .packed = et_calloc(ZSTD_CStreamOutSize(), 1)};
    bool fine = sink.file && sink.zstd && sink.packed;
    if (fine)
        ZSTD_CCtx_setParameter(sink.zstd, ZSTD_c_compressionLevel, level);
    for (size_t i = 0; fine && i < list->count; i++)
        fine = put_member(&sink, folder, &list->files[i]);
    fine = fine && sink_put(&sink, end, sizeof end, ZSTD_e_end);
    if (sink.file && fclose(sink.file))
        fine = false;
    ZSTD_freeCCtx(sink.zstd);
    et_free(sink.packed);
    return fine ? ETALON_OK : et_fail(error, ETALON_IO, "cannot write %s: %s", path, strerror(errno));
}

enum etalon_status et_file_read(const char *path, uint64_t limit, uint8_t **bytes, size_t *size,
                                struct etalon_error *error)
{
    FILE *file = fopen(path, "rb");
    uint8_t *read = NULL;
    size_t capacity = 0, count = 0, part = 1;
    enum etalon_status status = ETALON_OK;
    *bytes = NULL;
    *size = 0;
    if (!file)
        return et_fail(error, ETALON_IO, "cannot open %s: %s", path, strerror(errno));
    while (!status && part && count <= limit) {
        if (!et_grow(&read, &capacity, count + 65536, 1)) {
            status = et_fail(error, ETALON_NO_MEMORY, "no memory for %s", path);
            break;
        }
        part = fread(read + count, 1, capacity - count - 1, file);
        count += part;
        if (ferror(file))
            status = et_fail(error, ETALON_IO, "cannot read %s: %s", path, strerror(errno));
    }
    fclose(file);
    if (!status && count > limit)
        status = et_fail(error, ETALON_BOUNDS, "%s is over the limit of %llu bytes", path,
                         (unsigned long long)limit);
    if (status) {
        et_free(read);
        return status;
    }
    read[count] = 0;
    *bytes = read;
    *size = count;
    return ETALON_OK;
}

enum etalon_status et_file_write(const char *path, const void *bytes, size_t size, struct etalon_error *error)
{
    FILE *file = fopen(path, "wb");
    bool fine = file && fwrite(bytes, 1, size, file) == size;
    if (file && fclose(file))
        fine = false;
    return fine ? ETALON_OK : et_fail(error, ETALON_IO, "cannot write %s: %s", path, strerror(errno));
}
