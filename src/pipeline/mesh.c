#include "pipeline/mesh.h"

#include "base/alloc.h"
#include "shader/sph.h"

#define ONE        0x3f800000
#define W(n)       [ET_WORD_GENERIC + 4 * (n) + 3] = ONE
#define W_OF_4(n)  W(n), W((n) + 1), W((n) + 2), W((n) + 3)
#define W_OF_16(n) W_OF_4(n), W_OF_4((n) + 4), W_OF_4((n) + 8), W_OF_4((n) + 12)

static const struct et_vertex_record unwritten = {
    .word = {[ET_WORD_POSITION + 3] = ONE, W_OF_16(0), W_OF_16(16)}};

void et_records_start(struct et_vertex_record *record, size_t count, uint64_t blocks)
{
    for (uint64_t left = blocks; left; left &= left - 1) {
        typedef uint32_t block __attribute__((vector_size(4 * ET_RECORD_BLOCK)));
        const unsigned word = (unsigned)__builtin_ctzll(left) * ET_RECORD_BLOCK;
        block value;
        memcpy(&value, &unwritten.word[word], sizeof value);
#pragma GCC unroll 8
        for (size_t i = 0; i < count; i++)
            memcpy(&record[i].word[word], &value, sizeof value);
    }
}

bool et_mesh_reserve_records(struct et_mesh *mesh, size_t records)
{
    return et_grow(&mesh->record, &mesh->record_capacity, records, sizeof *mesh->record);
}

uint32_t *et_mesh_add_many(struct et_mesh *mesh, uint32_t count, struct et_mesh_primitive **primitive)
{
    const size_t at = mesh->primitives, need = at + count;
    if (!et_grow(&mesh->primitive, &mesh->primitive_capacity, need, sizeof *mesh->primitive) ||
        !et_grow(&mesh->corner, &mesh->corner_capacity, need * mesh->corners, sizeof *mesh->corner))
        return NULL;
    *primitive = mesh->primitive + at;
    mesh->primitives = need;
    return mesh->corner + at * mesh->corners;
}

uint32_t *et_mesh_add(struct et_mesh *mesh, const struct et_mesh_primitive *primitive)
{
    struct et_mesh_primitive *made;
    uint32_t *const corner = et_mesh_add_many(mesh, 1, &made);
    if (corner)
        *made = *primitive;
    return corner;
}

void et_mesh_finish(struct et_mesh *mesh)
{
    et_free(mesh->record);
    et_free(mesh->corner);
    et_free(mesh->primitive);
    *mesh = (struct et_mesh){0};
}

void et_mesh_corners(const struct et_mesh *mesh, size_t primitive, struct et_raster_input *input)
{
    static const uint8_t triangle[3] = {0, 2, 4}, line[2] = {1, 2};
    const uint32_t *corner = mesh->corner + primitive * mesh->corners;
    input->corners = (uint8_t)(mesh->adjacency ? mesh->corners / 2 : mesh->corners);
    for (unsigned k = 0; k < input->corners; k++) {
        const unsigned at = !mesh->adjacency ? k : mesh->corners == 6 ? triangle[k] : line[k];
        input->vertex[k] = &mesh->record[corner[at]];
    }
}
