/* Vertex records and the primitives made of them: what one stage of the vertex side hands to the next. */
#ifndef ET_PIPELINE_MESH_H
#define ET_PIPELINE_MESH_H

#include "rasterizer/raster.h"

struct et_mesh_primitive {
    uint32_t id;
    uint8_t provoking; /* corner */
    uint8_t edges;     /* triangles: bit i draws edge i in line mode; lines: bit 0: not a strip's first */
    uint8_t stream;    /* geometry stream */
};

struct et_mesh {
    struct et_vertex_record *record;
    size_t records, record_capacity;
    uint32_t *corner; /* `corners` record numbers a primitive */
    size_t corner_capacity;
    struct et_mesh_primitive *primitive;
    size_t primitives, primitive_capacity;
    unsigned corners;
    bool adjacency; /* of lines (4 corners) or triangles (6) */
};

/* Fills records with what a program leaves unwritten: (0, 0, 0, 1) for the position and the generic vectors,
 * zero for the rest. [DRV: nvc0's blits write two components of the position; emulators' shaders] Only the
 * blocks of ET_RECORD_BLOCK words whose bits are set. */
#define ET_RECORD_BLOCK 4
#define ET_RECORD_ALL   UINT64_MAX
void et_records_start(struct et_vertex_record *record, size_t count, uint64_t blocks);
/* False when memory is refused. Records are not cleared. */
bool et_mesh_reserve_records(struct et_mesh *mesh, size_t records);
/* The next primitive's corners, to be filled; NULL when memory is refused. */
uint32_t *et_mesh_add(struct et_mesh *mesh, const struct et_mesh_primitive *primitive);
/* The same of several, *primitive too. */
uint32_t *et_mesh_add_many(struct et_mesh *mesh, uint32_t count, struct et_mesh_primitive **primitive);
/* The corners of a primitive that are drawn: of adjacency primitives the inner ones. Sets vertex[] and
 * corners. */
void et_mesh_corners(const struct et_mesh *mesh, size_t primitive, struct et_raster_input *input);
void et_mesh_finish(struct et_mesh *mesh);

#endif
