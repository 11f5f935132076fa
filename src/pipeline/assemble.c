/* Orders follow the APIs' tables: with the first vertex provoking as Direct3D and Vulkan have them, with the
 * last as OpenGL has them. */
#include "pipeline/assemble.h"

#include "base/bits.h"

unsigned et_assembler_corners(unsigned topology, unsigned patch_vertices)
{
    static const uint8_t corners[ET_TOPOLOGIES] = {1, 2, 2, 2, 3, 3, 3, 3, 3, 3, 4, 4, 6, 6, 0};
    return topology < ET_PATCHES ? corners[topology] : topology == ET_PATCHES ? patch_vertices : 0;
}

void et_assembler_start(struct et_assembler *assembler, unsigned topology, unsigned patch_vertices,
                        bool provoking_last, uint32_t first_id)
{
    *assembler = (struct et_assembler){.topology = topology,
                                       .provoking_last = provoking_last,
                                       .patch_vertices = patch_vertices,
                                       .next_id = first_id};
}

/* Strips and fans have none. [DOC: OpenGL 4.6 compatibility, 10.1.13] */
static bool has_edge_flags(unsigned topology)
{
    return topology == ET_TRIANGLES || topology == ET_QUADS || topology == ET_POLYGON;
}

/* One primitive of `count` corners. provoking: corner; edges: see struct et_mesh_primitive. */
static bool add(struct et_assembler *assembler, struct et_mesh *mesh, const uint32_t *corner, unsigned count,
                unsigned provoking, unsigned edges, bool counts)
{
    struct et_mesh_primitive primitive = {.id = assembler->next_id, .provoking = (uint8_t)provoking};
    uint32_t *to;
    for (unsigned i = 0; i < count && has_edge_flags(assembler->topology); i++)
        if (corner[i] & ET_ASSEMBLER_INNER)
            edges &= ~(1u << i);
    primitive.edges = (uint8_t)edges;
    to = et_mesh_add(mesh, &primitive);
    if (!to)
        return false;
    for (unsigned i = 0; i < count; i++)
        to[i] = corner[i] & ~ET_ASSEMBLER_INNER;
    if (counts) {
        assembler->next_id++;
        assembler->primitives++;
    }
    return true;
}

static bool add_line(struct et_assembler *a, struct et_mesh *mesh, uint32_t p, uint32_t q)
{
    return add(a, mesh, (uint32_t[]){p, q}, 2, a->provoking_last ? 1 : 0, a->seen > 2, true);
}

static bool add_triangle(struct et_assembler *a, struct et_mesh *mesh, uint32_t p, uint32_t q, uint32_t r,
                         unsigned provoking, unsigned edges, bool counts)
{
    return add(a, mesh, (uint32_t[]){p, q, r}, 3, provoking, edges, counts);
}

static void keep_last(struct et_assembler *a, unsigned count)
{
    if (a->holds > count) {
        memmove(a->held, a->held + (a->holds - count), count * sizeof *a->held);
        a->holds = count;
    }
}

/* Lists: every `count` vertices are one primitive. */
static bool list(struct et_assembler *a, struct et_mesh *mesh, unsigned count, unsigned provoking)
{
    if (a->holds < count)
        return true;
    const unsigned edges = a->topology == ET_LINES || a->topology == ET_LINES_ADJACENCY ? 0 : 7;
    a->holds = 0;
    return add(a, mesh, a->held, count, provoking, edges, true);
}

/* Triangle i of a strip; odd ones are turned so that the winding stays and the provoking vertex has its
 * place. */
static bool triangle_strip(struct et_assembler *a, struct et_mesh *mesh)
{
    const uint32_t *v = a->held;
    bool ok;
    if (a->holds < 3)
        return true;
    if (a->seen & 1) /* vertices 2i + 1: even triangle */
        ok = add_triangle(a, mesh, v[0], v[1], v[2], a->provoking_last ? 2 : 0, 7, true);
    else if (a->provoking_last)
        ok = add_triangle(a, mesh, v[1], v[0], v[2], 2, 7, true);
    else
        ok = add_triangle(a, mesh, v[0], v[2], v[1], 0, 7, true);
    keep_last(a, 2);
    return ok;
}

static bool triangle_fan(struct et_assembler *a, struct et_mesh *mesh)
{
    bool ok;
    if (a->holds < 2)
        return true;
    if (a->provoking_last)
        ok = add_triangle(a, mesh, a->first, a->held[0], a->held[1], 2, 7, true);
    else
        ok = add_triangle(a, mesh, a->held[0], a->held[1], a->first, 0, 7, true);
    keep_last(a, 1);
    return ok;
}

/* A polygon's triangles are one primitive; its inner edges are not drawn; its first vertex is provoking. The
 * newest triangle waits until it is known whether it is the last, which has the edge back to the first
 * vertex. */
static bool polygon(struct et_assembler *a, struct et_mesh *mesh, bool end)
{
    const bool first = !a->continues;
    bool ok;
    if (a->holds < (end ? 2u : 3u))
        return true;
    a->continues = true;
    ok = add_triangle(a, mesh, a->first, a->held[0], a->held[1], 0, 2u | (first ? 1u : 0) | (end ? 4u : 0),
                      first);
    if (ok && !first)
        mesh->primitive[mesh->primitives - 1].id = a->next_id - 1;
    keep_last(a, 2);
    return ok;
}

/* Two triangles with one id; the diagonal is not drawn. */
static bool quad(struct et_assembler *a, struct et_mesh *mesh, uint32_t p, uint32_t q, uint32_t r, uint32_t s)
{
    if (a->provoking_last)
        return add_triangle(a, mesh, p, q, s, 2, 1 | 4, false) &&
               add_triangle(a, mesh, q, r, s, 2, 1 | 2, true);
    return add_triangle(a, mesh, p, q, r, 0, 1 | 2, false) && add_triangle(a, mesh, p, r, s, 0, 2 | 4, true);
}

static bool quads(struct et_assembler *a, struct et_mesh *mesh)
{
    if (a->holds < 4)
        return true;
    a->holds = 0;
    return quad(a, mesh, a->held[0], a->held[1], a->held[2], a->held[3]);
}

static bool quad_strip(struct et_assembler *a, struct et_mesh *mesh)
{
    bool ok;
    if (a->holds < 4)
        return true;
    /* the last vertex is provoking: it closes the loop 2i, 2i+1, 2i+3, 2i+2 turned by one */
    if (a->provoking_last)
        ok = quad(a, mesh, a->held[2], a->held[0], a->held[1], a->held[3]);
    else
        ok = quad(a, mesh, a->held[0], a->held[1], a->held[3], a->held[2]);
    keep_last(a, 2);
    return ok;
}

/* Triangle i of a strip with adjacency over held vertices 2i-2 .. (last: the strip's end follows). Its
 * neighbour across the first edge is the triangle before it, whose third vertex lies two before its own first
 * [HW:H200]. */
static bool strip_adjacency(struct et_assembler *a, struct et_mesh *mesh, const uint32_t *v, bool first,
                            bool last, bool odd)
{
    /* v[0] is the strip's first vertex for its first triangle, else two before the triangle's own first */
    const uint32_t *main = first ? v : v + 2;
    const uint32_t before = first ? v[1] : v[0], after = last ? main[5] : main[6], beside = main[3];
    if (!odd)
        return add(a, mesh, (uint32_t[]){main[0], before, main[2], after, main[4], beside}, 6,
                   a->provoking_last ? 2 : 0, 7, true);
    if (a->provoking_last)
        return add(a, mesh, (uint32_t[]){main[2], before, main[0], beside, main[4], after}, 6, 2, 7, true);
    return add(a, mesh, (uint32_t[]){main[0], beside, main[4], after, main[2], before}, 6, 0, 7, true);
}

/* Emits the triangle before the newest two vertices, once it is known whether it is the last. */
static bool triangle_strip_adjacency(struct et_assembler *a, struct et_mesh *mesh, bool end)
{
    const unsigned triangle = end ? a->seen / 2 - 3 : a->seen / 2 - 4; /* index of the one to emit */
    const bool first = triangle == 0;
    const unsigned need = first ? (end ? 6 : 8) : (end ? 8 : 10);
    bool ok;
    if (a->seen < (end ? 6u : 8u) || a->seen & 1 || a->holds < need)
        return true;
    ok = strip_adjacency(a, mesh, a->held + (a->holds - need), first, end, triangle & 1);
    keep_last(a, 9);
    return ok;
}

bool et_assembler_vertex(struct et_assembler *a, uint32_t record, struct et_mesh *mesh)
{
    const bool last = a->provoking_last;
    a->seen++;
    if (!a->has_first) {
        a->has_first = true;
        a->first = record;
        if (a->topology == ET_TRIANGLE_FAN || a->topology == ET_POLYGON)
            return true;
    }
    a->held[a->holds++] = record;
    switch (a->topology) {
    case ET_POINTS:
        return list(a, mesh, 1, 0);
    case ET_LINES:
        return list(a, mesh, 2, last ? 1 : 0);
    case ET_LINE_LOOP:
    case ET_LINE_STRIP: {
        const bool ok = a->holds < 2 || add_line(a, mesh, a->held[0], a->held[1]);
        keep_last(a, 1);
        return ok;
    }
    case ET_TRIANGLES:
        return list(a, mesh, 3, last ? 2 : 0);
    case ET_TRIANGLE_STRIP:
        return triangle_strip(a, mesh);
    case ET_TRIANGLE_FAN:
        return triangle_fan(a, mesh);
    case ET_QUADS:
        return quads(a, mesh);
    case ET_QUAD_STRIP:
        return quad_strip(a, mesh);
    case ET_POLYGON:
        return polygon(a, mesh, false);
    case ET_LINES_ADJACENCY:
        return list(a, mesh, 4, last ? 1 : 0);
    case ET_LINE_STRIP_ADJACENCY: {
        const bool ok = a->holds < 4 || add(a, mesh, a->held, 4, last ? 1 : 0, a->seen > 4, true);
        keep_last(a, 3);
        return ok;
    }
    case ET_TRIANGLES_ADJACENCY:
        return list(a, mesh, 6, last ? 2 : 0);
    case ET_TRIANGLE_STRIP_ADJACENCY:
        return triangle_strip_adjacency(a, mesh, false);
    default:
        return list(a, mesh, a->patch_vertices, 0);
    }
}

/* ---- runs of vertices ---- */

/* Vertices of a list's primitive; 0: the topology is no list. */
static unsigned list_corners(const struct et_assembler *a)
{
    const bool is_list = a->topology == ET_POINTS || a->topology == ET_LINES || a->topology == ET_TRIANGLES;
    return is_list ? et_assembler_corners(a->topology, 0) : 0;
}

uint32_t et_assembler_vertices(const struct et_assembler *a, uint32_t primitives)
{
    const unsigned corners = list_corners(a);
    const bool pairs = a->topology == ET_QUADS || a->topology == ET_QUAD_STRIP;
    const uint32_t vertices = corners ? primitives * corners - a->holds : pairs ? primitives / 2 : primitives;
    return ET_MAX(vertices, 1u);
}

/* Whole primitives of a list that begins with `record`. */
static bool run_list(struct et_assembler *a, uint32_t record, uint32_t primitives, unsigned corners,
                     bool inner, struct et_mesh *mesh)
{
    const bool flags = has_edge_flags(a->topology);
    const struct et_mesh_primitive first = {.provoking = (uint8_t)(a->provoking_last ? corners - 1 : 0),
                                            .edges = a->topology == ET_LINES || (flags && inner) ? 0 : 7};
    struct et_mesh_primitive *made;
    uint32_t *to = et_mesh_add_many(mesh, primitives, &made);
    if (!to)
        return false;
    for (uint32_t i = 0; i < primitives; i++) {
        made[i] = first;
        made[i].id = a->next_id + i;
    }
    for (uint32_t i = 0; i < primitives * corners; i++)
        to[i] = record + i;
    a->seen += primitives * corners;
    a->next_id += primitives;
    a->primitives += primitives;
    return true;
}

/* A strip's triangles whose last vertices are record, record + 1 .. */
static bool run_strip(struct et_assembler *a, uint32_t record, uint32_t count, struct et_mesh *mesh)
{
    const bool last = a->provoking_last;
    uint32_t p = a->held[0] & ~ET_ASSEMBLER_INNER, q = a->held[1] & ~ET_ASSEMBLER_INNER;
    struct et_mesh_primitive *made;
    uint32_t *to = et_mesh_add_many(mesh, count, &made);
    if (!to)
        return false;
    for (uint32_t i = 0; i < count; i++, to += 3) {
        const uint32_t r = record + i;
        const bool turned = !((a->seen + i + 1) & 1);
        made[i] = (struct et_mesh_primitive){
            .id = a->next_id + i, .provoking = (uint8_t)(last ? 2 : 0), .edges = 7};
        to[0] = turned && last ? q : p;
        to[1] = !turned ? q : last ? p : r;
        to[2] = turned && !last ? q : r;
        p = q;
        q = r;
    }
    a->held[0] = p;
    a->held[1] = q;
    a->seen += count;
    a->next_id += count;
    a->primitives += count;
    return true;
}

bool et_assembler_run(struct et_assembler *a, uint32_t record, uint32_t count, bool inner,
                      struct et_mesh *mesh)
{
    const unsigned corners = list_corners(a);
    const uint32_t flag = inner ? ET_ASSEMBLER_INNER : 0;
    bool ok = true;
    for (uint32_t i = 0; i < count && ok;) {
        const uint32_t left = count - i;
        if (corners && a->has_first && !a->holds && left >= corners) {
            ok = run_list(a, record + i, left / corners, corners, inner, mesh);
            i += left / corners * corners;
        } else if (a->topology == ET_TRIANGLE_STRIP && a->holds == 2) {
            ok = run_strip(a, record + i, left, mesh);
            i = count;
        } else
            ok = et_assembler_vertex(a, (record + i++) | flag, mesh);
    }
    return ok;
}

bool et_assembler_restart(struct et_assembler *a, struct et_mesh *mesh)
{
    bool ok = true;
    if (a->topology == ET_LINE_LOOP && a->seen >= 2)
        ok = add_line(a, mesh, a->held[0], a->first);
    else if (a->topology == ET_TRIANGLE_STRIP_ADJACENCY) {
        if (a->seen & 1) { /* an unpaired vertex does not count */
            a->seen--;
            if (a->holds)
                a->holds--;
        }
        ok = triangle_strip_adjacency(a, mesh, true);
    } else if (a->topology == ET_POLYGON)
        ok = polygon(a, mesh, true);
    a->holds = 0;
    a->has_first = false;
    a->continues = false;
    a->seen = 0;
    return ok;
}
