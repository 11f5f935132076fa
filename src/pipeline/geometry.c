/* The geometry stage: one lane an invocation; what lanes emit is assembled in primitive order. */
#include "pipeline/pipeline.h"

#include "base/alloc.h"
#include "base/bits.h"

enum { OUTPUT_POINTS = 1, OUTPUT_LINES = 6, OUTPUT_TRIANGLES = 7, STREAMS = 4, MAX_VERTICES = 1024 };

struct et_geometry_scratch {
    struct et_vertex_record *output; /* ET_LANES */
    struct et_vertex_record *emitted;
    size_t emitted_capacity;
    uint8_t *stream;
    size_t stream_capacity;
};

void et_geometry_scratch_destroy(struct et_geometry_scratch *scratch)
{
    if (!scratch)
        return;
    et_free(scratch->output);
    et_free(scratch->emitted);
    et_free(scratch->stream);
    et_free(scratch);
}

static struct et_geometry_scratch *reserve(struct et_pipeline *pipeline, uint32_t vertices)
{
    struct et_geometry_scratch *scratch = pipeline->geometry;
    const size_t count = (size_t)ET_MAX(vertices, 1u) * ET_LANES;
    if (!scratch) {
        scratch = pipeline->geometry = et_calloc(1, sizeof *scratch);
        if (!scratch)
            return NULL;
    }
    if (!scratch->output)
        scratch->output = et_calloc(ET_LANES, sizeof *scratch->output);
    if (!scratch->output ||
        !et_grow(&scratch->emitted, &scratch->emitted_capacity, count, sizeof *scratch->emitted) ||
        !et_grow(&scratch->stream, &scratch->stream_capacity, count, sizeof *scratch->stream))
        return NULL;
    return scratch;
}

/* A strip under way in one stream. */
struct strip {
    uint32_t record[2];
    uint32_t length; /* vertices since the last cut */
};

/* The primitive that a strip's newest vertex completes, if any. */
static bool extend(struct strip *strip, uint32_t record, unsigned corners, bool last,
                   struct et_mesh_primitive *primitive, struct et_mesh *out)
{
    const uint32_t a = strip->record[0], b = strip->record[1];
    bool ok = true;
    strip->length++;
    if (strip->length >= corners) {
        uint32_t *corner = et_mesh_add(out, primitive);
        ok = corner != NULL;
        if (ok && corners == 1) {
            corner[0] = record;
        } else if (ok && corners == 2) {
            corner[0] = b;
            corner[1] = record;
        } else if (ok) { /* odd triangles are turned as in the assembler */
            const bool odd = !(strip->length & 1);
            corner[0] = odd && last ? b : a;
            corner[1] = !odd ? b : last ? a : record;
            corner[2] = odd && !last ? b : record;
        }
    }
    strip->record[0] = b;
    strip->record[1] = record;
    return ok;
}

static bool assemble_lane(struct et_run *run, const struct et_vertex_record *emitted, const uint8_t *stream,
                          uint32_t count, uint32_t input_id, struct et_mesh *out)
{
    const struct et_sph *sph = &run->shader[ET_STAGE_GEOMETRY]->sph;
    const bool last = run->draw->raster.provoking_last,
               own_id = et_sph_has(sph->output, ET_WORD_PRIMITIVE_ID);
    struct strip strips[STREAMS] = {{{0}, 0}};
    if (!et_mesh_reserve_records(out, out->records + count))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        const unsigned s = stream[i] & 3;
        const uint32_t at = (uint32_t)out->records++;
        const size_t before = out->primitives;
        struct et_mesh_primitive primitive = {.id = input_id,
                                              .edges = out->corners == 3 ? 7 : 0,
                                              .stream = (uint8_t)s,
                                              .provoking = (uint8_t)(last ? out->corners - 1 : 0)};
        out->record[at] = emitted[i];
        if (!extend(&strips[s], at, out->corners, last, &primitive, out))
            return false;
        if (own_id && out->primitives > before) {
            const uint32_t *corner = out->corner + before * out->corners;
            out->primitive[before].id = out->record[corner[primitive.provoking]].word[ET_WORD_PRIMITIVE_ID];
        }
        if (stream[i] & 0x80)
            strips[s].length = 0;
    }
    return true;
}

/* A pass-through program emits nothing: its input primitive goes on, each vertex with the words that the
 * program has as outputs in place of its own. [DRV: emulators of the Tegra X1] */
static bool pass_through(const struct et_sph *sph, const struct et_mesh *in, size_t primitive,
                         const struct et_vertex_record *written, struct et_mesh *out)
{
    struct et_mesh_primitive made = in->primitive[primitive];
    struct et_raster_input corners;
    uint32_t *corner;
    if (et_sph_has(sph->output, ET_WORD_PRIMITIVE_ID))
        made.id = written->word[ET_WORD_PRIMITIVE_ID];
    et_mesh_corners(in, primitive, &corners);
    corner = et_mesh_add(out, &made);
    if (!corner || !et_mesh_reserve_records(out, out->records + corners.corners))
        return false;
    for (unsigned k = 0; k < corners.corners; k++) {
        struct et_vertex_record *to = &out->record[out->records];
        *to = *corners.vertex[k];
        for (unsigned word = 0; word < ET_ATTRIBUTE_WORDS; word++)
            if (et_sph_has(sph->output, word))
                to->word[word] = written->word[word];
        corner[k] = (uint32_t)out->records++;
    }
    return true;
}

/* Invocations first .. first + count - 1; invocation i is thread i % threads of primitive i / threads. */
static enum etalon_status run_warp(struct et_run *run, const struct et_mesh *in, struct et_mesh *out,
                                   uint64_t first, unsigned count, struct et_geometry_scratch *scratch)
{
    const struct et_sph *sph = &run->shader[ET_STAGE_GEOMETRY]->sph;
    const uint32_t threads = ET_MAX(sph->threads, 1u), capacity = ET_MAX(sph->max_vertices, 1u);
    uint32_t table[ET_LANES * 6] = {0};
    struct et_vtg_io vtg = {.input = in->record,
                            .inputs = (uint32_t)in->records,
                            .in_table = table,
                            .table_stride = in->corners,
                            .output = scratch->output,
                            .outputs = ET_LANES,
                            .emitted = scratch->emitted,
                            .emit_capacity = capacity,
                            .emit_stream = scratch->stream};
    struct et_warp_io io = {
        .lanes = count == ET_LANES ? 0xffffffff : (1u << count) - 1, .warp = run->warps++, .vtg = &vtg};
    enum etalon_status status;
    et_records_start(scratch->output, ET_LANES, ET_RECORD_ALL);
    for (unsigned i = 0; i < count; i++) {
        const size_t primitive = (size_t)((first + i) / threads);
        memcpy(table + i * in->corners, in->corner + primitive * in->corners, in->corners * sizeof *table);
        vtg.in_record[i] = table[i * in->corners];
        vtg.out_record[i] = i;
        vtg.primitive_id[i] = in->primitive[primitive].id;
        vtg.invocation_id[i] = (uint32_t)((first + i) % threads);
        vtg.invocation_info[i] = in->corners << 16;
    }
    status = et_run_stage(&run->pipeline->worker[0], ET_STAGE_GEOMETRY, &io, run->error);
    for (unsigned i = 0; i < count && !status; i++) {
        const size_t at = (size_t)i * capacity;
        if (sph->passthrough) {
            if (!pass_through(sph, in, (size_t)((first + i) / threads), &scratch->output[i], out))
                status = et_fail(run->error, ETALON_NO_MEMORY, "no memory for passed vertices");
            continue;
        }
        if (!assemble_lane(run, scratch->emitted + at, scratch->stream + at,
                           ET_MIN(vtg.emit_count[i], capacity), vtg.primitive_id[i], out))
            status = et_fail(run->error, ETALON_NO_MEMORY, "no memory for emitted vertices");
    }
    return status;
}

enum etalon_status et_run_geometry(struct et_run *run, const struct et_mesh *in, struct et_mesh *out)
{
    const struct et_sph *sph = &run->shader[ET_STAGE_GEOMETRY]->sph;
    const uint64_t invocations = (uint64_t)in->primitives * ET_MAX(sph->threads, 1u);
    struct et_geometry_scratch *scratch =
        reserve(run->pipeline, ET_MIN(sph->max_vertices, (uint32_t)MAX_VERTICES));
    enum etalon_status status = ETALON_OK;
    out->records = out->primitives = 0;
    out->adjacency = false;
    out->corners = sph->output_topology == OUTPUT_POINTS ? 1 : sph->output_topology == OUTPUT_LINES ? 2 : 3;
    if (!scratch)
        return et_fail(run->error, ETALON_NO_MEMORY, "no memory for emitted vertices");
    if (sph->max_vertices > MAX_VERTICES)
        return et_fail(run->error, ETALON_BAD_SHADER, "geometry program of %u vertices", sph->max_vertices);
    if (sph->passthrough)
        out->corners = in->adjacency ? in->corners / 2 : in->corners;
    if (!sph->passthrough && sph->output_topology != OUTPUT_POINTS && sph->output_topology != OUTPUT_LINES &&
        sph->output_topology != OUTPUT_TRIANGLES) {
        et_at_value(run->error, sph->output_topology);
        return et_fail(run->error, ETALON_BAD_SHADER, "geometry program of output topology %u",
                       sph->output_topology);
    }
    for (uint64_t first = 0; first < invocations && !status; first += ET_LANES)
        status =
            run_warp(run, in, out, first, (unsigned)ET_MIN((uint64_t)ET_LANES, invocations - first), scratch);
    run->results->counters.gs_invocations += invocations;
    run->results->counters.gs_primitives += out->primitives;
    return status;
}
