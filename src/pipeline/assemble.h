/* Primitive assembly: a stream of vertices into primitives, for every topology. */
#ifndef ET_PIPELINE_ASSEMBLE_H
#define ET_PIPELINE_ASSEMBLE_H

#include "pipeline/mesh.h"

enum et_topology {
    ET_POINTS,
    ET_LINES,
    ET_LINE_LOOP,
    ET_LINE_STRIP,
    ET_TRIANGLES,
    ET_TRIANGLE_STRIP,
    ET_TRIANGLE_FAN,
    ET_QUADS,
    ET_QUAD_STRIP,
    ET_POLYGON,
    ET_LINES_ADJACENCY,
    ET_LINE_STRIP_ADJACENCY,
    ET_TRIANGLES_ADJACENCY,
    ET_TRIANGLE_STRIP_ADJACENCY,
    ET_PATCHES,
    ET_TOPOLOGIES
};

#define ET_ASSEMBLER_HELD 32
/* Set in a record's number: the edge that starts at this vertex is no boundary of its polygon. */
#define ET_ASSEMBLER_INNER (UINT32_C(1) << 31)

struct et_assembler {
    unsigned topology; /* enum et_topology */
    bool provoking_last;
    unsigned patch_vertices;          /* 1..32 */
    uint32_t held[ET_ASSEMBLER_HELD]; /* records that later primitives need */
    unsigned holds;
    uint32_t first; /* hub of fans, start of loops */
    bool has_first;
    uint32_t seen; /* vertices since the last restart */
    uint32_t next_id;
    bool continues;      /* a triangle of the polygon has been made */
    uint64_t primitives; /* assembled, quads and polygons counted once */
};

/* Corners a primitive of the topology; 0: unknown topology. */
unsigned et_assembler_corners(unsigned topology, unsigned patch_vertices);
void et_assembler_start(struct et_assembler *assembler, unsigned topology, unsigned patch_vertices,
                        bool provoking_last, uint32_t first_id);
/* Takes the next vertex, a record's number and maybe ET_ASSEMBLER_INNER; appends what it completes. False
 * when memory is refused. */
bool et_assembler_vertex(struct et_assembler *assembler, uint32_t record, struct et_mesh *mesh);
/* The same of vertices record, record + 1 .. record + count - 1, all inner or none. */
bool et_assembler_run(struct et_assembler *assembler, uint32_t record, uint32_t count, bool inner,
                      struct et_mesh *mesh);
/* So many vertices, or a few more, complete at most `primitives` primitives; at least 1. */
uint32_t et_assembler_vertices(const struct et_assembler *assembler, uint32_t primitives);
/* Ends a strip, loop, fan or list: a restart index, or the end of the instance. */
bool et_assembler_restart(struct et_assembler *assembler, struct et_mesh *mesh);

#endif
