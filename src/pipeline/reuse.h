/* Vertex reuse: which corners of primitives share a shaded vertex, as silicon decides and counts it.
 * [HW:H200]
 *
 * Primitives are gathered into batches of at most `primitives` (patches: et_reuse_patches) and at most
 * `vertices` shaded ones; a primitive that would shade one too many begins the next batch, which starts with
 * nothing. Within a batch a corner takes the shaded vertex of its number where that number was last met at
 * most `corners` corners before, else it is shaded again. Batches go on over restarts and instances: only
 * where the program reads something of an instance do the instances' vertices differ. Corners count in the
 * order first to last, those of lines without a geometry program last to first; of adjacency primitives only
 * those count that the next stage reads. Vertices without a primitive are not shaded. Silicon also goes on
 * over draws between which no state changes; here each draw begins anew. */
#ifndef ET_PIPELINE_REUSE_H
#define ET_PIPELINE_REUSE_H

#include <stdbool.h>
#include <stdint.h>

#define ET_REUSE_VERTICES 32 /* the most that a batch may shade: a warp */

/* A chip's numbers; corners 0: only its own primitive's corners share a vertex. */
struct et_reuse_limits {
    uint8_t corners, primitives, vertices;
};

struct et_reuse {
    struct et_reuse_limits limits;
    uint32_t primitives, shaded, corners; /* of the batch; corners: up to the last primitive */
    uint32_t count;                       /* vertices that may be met again */
    uint8_t place[64];                    /* one more than the vertex met last of those alike; 0: none */
    struct et_reuse_vertex {
        uint32_t number, record, last; /* last: the corner that it was met at last */
        uint32_t next;                 /* of those alike, as place[]'s */
    } vertex[2 * ET_REUSE_VERTICES];
};

/* Patches of so many vertices in a batch: as many as fill a warp with a control program's threads, 12, 5, 4
 * and 1 at most from 1, 7, 13 and 25 vertices on. */
uint32_t et_reuse_patches(uint32_t vertices, uint32_t threads);
/* `primitives` bounds the batch besides the chip's number; 0: not. */
void et_reuse_start(struct et_reuse *reuse, const struct et_reuse_limits *limits, uint32_t primitives);
/* Numbers mean other vertices from here on: another instance. The batch goes on. */
void et_reuse_forget(struct et_reuse *reuse);
/* The records of a primitive's corners (at most ET_REUSE_VERTICES) by their vertices' numbers; new ones are
 * first, first + 1 .. in the corners' order, is_new[] tells which corners they belong to. Returns how many.
 */
uint32_t et_reuse_primitive(struct et_reuse *reuse, const uint32_t *number, unsigned corners, uint32_t first,
                            uint32_t *record, bool *is_new);
/* Whether one of the numbers number .. number + count - 1 may be met again. */
bool et_reuse_knows(const struct et_reuse *reuse, uint32_t number, uint32_t count);
/* The same as et_reuse_primitive for primitives whose corners have the numbers number, number + 1 .., one
 * after the other, none of which it knows: their records are first, first + 1 .. */
void et_reuse_distinct(struct et_reuse *reuse, uint32_t number, unsigned corners, uint32_t primitives,
                       uint32_t first);

#endif
