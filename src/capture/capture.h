/* A recorded command stream (format "capture-1"): a driver's buffers, address space, CPU writes and
 * submissions.
 *
 * Bytes belong to buffer objects; address ranges map parts of them, possibly several times. Replay: mappings,
 * memory, then for each submit its map_ops, its memory, its pushes. Everything not written is zero. */
#ifndef ET_CAPTURE_CAPTURE_H
#define ET_CAPTURE_CAPTURE_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

enum et_map_kind { ET_MAP, ET_UNMAP, ET_SPARSE, ET_UNSPARSE };

struct et_capture_map {
    enum et_map_kind op;
    uint64_t va, size, bo, bo_offset;
    uint32_t kind, tile_mode;
};

/* size bytes at `offset` of the bulk bytes, into bo_offset of bo. */
struct et_capture_record {
    uint64_t size, offset, bo, bo_offset;
    uint64_t va;
    bool has_va;
};

struct et_capture_push {
    uint64_t va, bytes;
    bool no_prefetch;
};

struct et_capture_submit {
    uint64_t index;
    uint32_t channel;
    struct et_capture_map *maps;
    struct et_capture_record *memory;
    struct et_capture_push *pushes;
    size_t map_count, memory_count, push_count;
};

struct et_capture_bo {
    uint64_t bo, size;
    uint32_t domain, tile_mode, tile_flags;
};

/* A file that the program wrote straight from a buffer after submit `after_submit`. */
struct et_capture_output {
    char *name;
    uint64_t bytes, bo, bo_offset, after_submit;
};

/* Where the final image or buffer lies after submit `submit`. */
struct et_capture_result {
    bool present;
    uint64_t bo, bo_offset, bytes, submit;
    uint64_t pitch, line_bytes, rows; /* zero: a plain buffer */
    uint64_t src_va;                  /* the surface it was copied from; 0 unknown */
    uint32_t format; /* colour target format of its texels when a 2D blit made it; 0 unknown */
};

struct et_capture {
    char *name; /* the folder's or archive's name without its suffix */
    char *driver, *mesa, *program, *chip;
    uint32_t chipset;
    uint32_t class_channel, class_twod, class_inline, class_threed, class_compute, class_copy;
    struct et_capture_map *maps; /* before the first submit, sparse ranges among them */
    struct et_capture_record *memory;
    struct et_capture_submit *submits;
    struct et_capture_bo *bos; /* sorted by bo */
    struct et_capture_output *outputs;
    size_t map_count, memory_count, submit_count, bo_count, output_count;
    struct et_capture_result result;
    uint8_t *bytes; /* the bulk bytes */
    size_t byte_count;
    char hash[65]; /* SHA-256 of the manifest and the bulk bytes, hexadecimal */
};

/* Reads a folder or a .tar.zst and checks it whole: every record lies in its buffer and in the bulk bytes,
 * every mapping in its buffer. Errors name the manifest's place (submit, list, entry). The capture is empty
 * after an error. */
enum etalon_status et_capture_read(struct et_capture *capture, const char *path, struct etalon_error *error);
/* Writes a folder, or a .tar.zst when the path ends so. */
enum etalon_status et_capture_write(const struct et_capture *capture, const char *path,
                                    struct etalon_error *error);
void et_capture_free(struct et_capture *capture);
/* The buffer object, or NULL. */
const struct et_capture_bo *et_capture_bo_find(const struct et_capture *capture, uint64_t bo);

#endif
