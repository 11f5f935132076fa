/* Tessellation: control programs a warp of patches at a time, the tessellator, evaluation programs a warp of
 * points. */
#include "pipeline/pipeline.h"

#include "base/alloc.h"
#include "base/bits.h"
#include "pipeline/tessellator.h"

struct et_tess_scratch {
    struct et_vertex_record control[ET_LANES]; /* of the patches under way */
    struct et_vertex_record patch[ET_LANES];
    struct et_tessellation domain;
};

void et_tess_scratch_destroy(struct et_tess_scratch *scratch)
{
    et_free(scratch);
}

/* The patches that share a warp. */
struct group {
    size_t first;
    unsigned patches;
    unsigned points; /* control points a patch that the evaluation program sees */
};

static enum etalon_status run_control(struct et_run *run, const struct et_mesh *in, const struct group *group,
                                      struct et_tess_scratch *scratch)
{
    uint32_t table[ET_LANES * 32] = {0};
    const unsigned lanes = group->patches * group->points;
    struct et_vtg_io vtg = {.input = in->record,
                            .inputs = (uint32_t)in->records,
                            .in_table = table,
                            .table_stride = in->corners,
                            .output = scratch->control,
                            .outputs = ET_LANES,
                            .patch = scratch->patch,
                            .patches = group->patches};
    struct et_warp_io io = {
        .lanes = lanes == ET_LANES ? 0xffffffff : (1u << lanes) - 1, .warp = run->warps++, .vtg = &vtg};
    et_records_start(scratch->control, ET_LANES, ET_RECORD_ALL);
    memset(scratch->patch, 0, sizeof scratch->patch);
    for (unsigned lane = 0; lane < lanes; lane++) {
        const size_t patch = group->first + lane / group->points;
        const uint32_t *corner = in->corner + patch * in->corners;
        memcpy(table + lane * in->corners, corner, in->corners * sizeof *corner);
        vtg.out_record[lane] = lane;
        vtg.patch_index[lane] = lane / group->points;
        vtg.primitive_id[lane] = in->primitive[patch].id;
        vtg.invocation_id[lane] = lane % group->points;
        vtg.in_record[lane] = corner[ET_MIN(lane % group->points, in->corners - 1)];
        vtg.invocation_info[lane] = in->corners << 16;
    }
    run->results->counters.ti_invocations += group->patches; /* patches, not threads. [HW:H200] */
    return et_run_stage(&run->pipeline->worker[0], ET_STAGE_TESS_CONTROL, &io, run->error);
}

/* Without a control program the patch goes through and the registers hold the levels. */
static void pass_control(struct et_run *run, const struct et_mesh *in, const struct group *group,
                         struct et_tess_scratch *scratch)
{
    const struct et_tessellation_state *state = &run->draw->tessellation;
    memset(scratch->patch, 0, sizeof scratch->patch);
    for (unsigned p = 0; p < group->patches; p++) {
        for (unsigned k = 0; k < group->points; k++)
            scratch->control[p * group->points + k] =
                in->record[in->corner[(group->first + p) * in->corners + k]];
        memcpy(&scratch->patch[p].word[ET_WORD_TESS_OUTER], state->outer, sizeof state->outer);
        memcpy(&scratch->patch[p].word[ET_WORD_TESS_INNER], state->inner, sizeof state->inner);
    }
}

/* Evaluates points first .. first + count - 1 of patch p into records of `out` from out->records. */
static enum etalon_status run_evaluation(struct et_run *run, const struct group *group, unsigned p,
                                         uint32_t id, unsigned first, unsigned count,
                                         struct et_tess_scratch *scratch, struct et_mesh *out)
{
    uint32_t table[ET_LANES * ET_LANES] = {0};
    struct et_vtg_io vtg = {.input = scratch->control + p * group->points,
                            .inputs = group->points,
                            .in_table = table,
                            .table_stride = group->points,
                            .output = out->record + out->records,
                            .outputs = count,
                            .patch = scratch->patch,
                            .patches = group->patches};
    struct et_warp_io io = {
        .lanes = count == ET_LANES ? 0xffffffff : (1u << count) - 1, .warp = run->warps++, .vtg = &vtg};
    for (unsigned lane = 0; lane < count; lane++) {
        const struct et_tess_point *point = &scratch->domain.point[first + lane];
        const float coord[2] = {(float)point->u / 65536, (float)point->v / 65536};
        struct et_vertex_record *record = &vtg.output[lane];
        et_records_start(record, 1, ET_RECORD_ALL);
        memcpy(&record->word[ET_WORD_TESS_COORD], coord, sizeof coord); /* read back as an output. [DRV] */
        for (unsigned k = 0; k < group->points; k++)
            table[lane * group->points + k] = k;
        vtg.out_record[lane] = lane;
        vtg.patch_index[lane] = p;
        vtg.primitive_id[lane] = id;
        vtg.invocation_info[lane] = group->points << 16;
    }
    out->records += count;
    run->results->counters.ts_invocations += count;
    return et_run_stage(&run->pipeline->worker[0], ET_STAGE_TESS_EVALUATION, &io, run->error);
}

static bool add_primitives(struct et_run *run, const struct et_tessellation *domain, uint32_t base,
                           uint32_t id, struct et_mesh *out)
{
    const struct et_mesh_primitive primitive = {
        .id = id,
        .edges = out->corners == 3 ? 7 : 0,
        .provoking = (uint8_t)(run->draw->raster.provoking_last ? out->corners - 1 : 0)};
    for (unsigned i = 0; i + out->corners <= domain->indices; i += out->corners) {
        uint32_t *corner = et_mesh_add(out, &primitive);
        if (!corner)
            return false;
        for (unsigned k = 0; k < out->corners; k++)
            corner[k] = base + domain->index[i + k];
        run->results->counters.ts_primitives++;
    }
    return true;
}

static enum etalon_status tessellate_patch(struct et_run *run, const struct group *group, unsigned p,
                                           uint32_t id, struct et_tess_scratch *scratch, struct et_mesh *out)
{
    const uint32_t parameters = run->draw->tessellation.parameters;
    struct et_tessellation *domain = &scratch->domain;
    const uint32_t base = (uint32_t)out->records;
    enum etalon_status status = ETALON_OK;
    float outer[4], inner[2];
    memcpy(outer, &scratch->patch[p].word[ET_WORD_TESS_OUTER], sizeof outer);
    memcpy(inner, &scratch->patch[p].word[ET_WORD_TESS_INNER], sizeof inner);
    et_tessellate(domain, (enum et_tess_domain)et_bits(parameters, 1, 0),
                  (enum et_tess_spacing)et_bits(parameters, 5, 4),
                  (enum et_tess_primitives)et_bits(parameters, 9, 8), outer, inner);
    if (!et_mesh_reserve_records(out, out->records + domain->points))
        return et_fail(run->error, ETALON_NO_MEMORY, "no memory for tessellated vertices");
    for (unsigned first = 0; first < domain->points && !status; first += ET_LANES)
        status = run_evaluation(run, group, p, id, first, ET_MIN((unsigned)ET_LANES, domain->points - first),
                                scratch, out);
    if (!status && !add_primitives(run, domain, base, id, out))
        status = et_fail(run->error, ETALON_NO_MEMORY, "no memory for tessellated primitives");
    return status;
}

static enum etalon_status check_parameters(struct et_run *run, unsigned points)
{
    const uint32_t parameters = run->draw->tessellation.parameters;
    if (et_bits(parameters, 1, 0) > ET_TESS_QUAD || et_bits(parameters, 5, 4) > ET_TESS_FRACTIONAL_EVEN) {
        et_at_value(run->error, parameters);
        return et_fail(run->error, ETALON_BAD_VALUE, "tessellation parameters 0x%x", parameters);
    }
    if (!points || points > ET_LANES)
        return et_fail(run->error, ETALON_BAD_SHADER, "tessellation control program of %u threads a patch",
                       points);
    return ETALON_OK;
}

enum etalon_status et_run_tessellation(struct et_run *run, const struct et_mesh *in, struct et_mesh *out)
{
    const struct et_shader *control = run->shader[ET_STAGE_TESS_CONTROL];
    const unsigned output = et_bits(run->draw->tessellation.parameters, 9, 8);
    struct group group = {.points = control ? control->sph.threads : in->corners};
    enum etalon_status status = check_parameters(run, group.points);
    if (!run->pipeline->tess)
        run->pipeline->tess = et_calloc(1, sizeof *run->pipeline->tess);
    if (!status && !run->pipeline->tess)
        status = et_fail(run->error, ETALON_NO_MEMORY, "no memory for tessellation");
    out->records = out->primitives = 0;
    out->adjacency = false;
    out->corners = output == ET_TESS_POINTS ? 1 : output == ET_TESS_LINES ? 2 : 3;
    for (; group.first < in->primitives && !status; group.first += group.patches) {
        group.patches = (unsigned)ET_MIN((size_t)(ET_LANES / group.points), in->primitives - group.first);
        if (control)
            status = run_control(run, in, &group, run->pipeline->tess);
        else
            pass_control(run, in, &group, run->pipeline->tess);
        for (unsigned p = 0; p < group.patches && !status; p++)
            status =
                tessellate_patch(run, &group, p, in->primitive[group.first + p].id, run->pipeline->tess, out);
    }
    return status;
}
