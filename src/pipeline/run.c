/* Draws: vertices to primitives to pixels, a bounded batch at a time. */
#include "pipeline/pipeline.h"

#include "base/alloc.h"
#include "base/bits.h"

#include <fenv.h>
#ifdef _OPENMP
#include <omp.h>
#endif

#define DEFAULT_PRIMITIVES 1024
#define INDEX_CHUNK        256
#define RASTER_INPUTS      64    /* primitives set up at a time */
#define BATCH_POSITIONS    65536 /* vertices and restarts looked at before a draw may be cancelled */

/* The draw's vertices one after the other. */
struct cursor {
    uint32_t instance; /* of instance_count */
    uint32_t position; /* in the instance */
    uint32_t index[INDEX_CHUNK];
    uint32_t chunk_start, chunk_count; /* positions that index[] holds */
};

struct loop {
    struct et_run *run;
    struct cursor cursor;
    struct et_assembler assembler; /* of tokens, places in the pipeline's list of vertices met */
    struct et_reuse reuse;
    uint32_t reuse_instance;
    bool started;    /* an instance is being assembled */
    size_t resolved; /* primitives of the mesh whose corners are records */
};

static uint32_t one_index(const uint8_t *bytes, uint32_t size)
{
    return size == 0 ? bytes[0] : size == 1 ? (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 : et_load32(bytes);
}

/* Reads the indices around the cursor; those past the buffer's end are 0. */
static enum etalon_status load_indices(struct et_run *run, struct cursor *cursor)
{
    const struct et_draw *draw = run->draw;
    const uint32_t bytes = 1u << draw->index_size,
                   count = ET_MIN(draw->count - cursor->position, (uint32_t)INDEX_CHUNK);
    const uint64_t start = ((uint64_t)draw->first + cursor->position) * bytes;
    const uint64_t limit =
        draw->index_limit > draw->index_address ? draw->index_limit - draw->index_address : 0;
    const uint64_t there = start < limit ? ET_MIN((limit - start) / bytes, (uint64_t)count) : 0;
    uint8_t raw[INDEX_CHUNK * 4];
    cursor->chunk_start = cursor->position;
    cursor->chunk_count = count;
    memset(cursor->index, 0, sizeof cursor->index);
    if (draw->source == ET_DRAW_INLINE_INDICES) {
        memcpy(cursor->index, draw->inline_index + draw->first + cursor->position,
               count * sizeof *cursor->index);
        return ETALON_OK;
    }
    if (there) {
        const enum etalon_status status = et_view_read(
            &run->pipeline->worker[0].view, draw->index_address + start, raw, there * bytes, run->error);
        if (status)
            return status;
    }
    for (uint64_t i = 0; i < there; i++)
        cursor->index[i] = one_index(raw + i * bytes, draw->index_size);
    return ETALON_OK;
}

/* The indices from the cursor on; NULL in draws that have none, whose positions are any. */
static const uint32_t *index_at(const struct et_draw *draw, const struct cursor *cursor)
{
    return draw->source == ET_DRAW_ARRAYS ? NULL : cursor->index + (cursor->position - cursor->chunk_start);
}

/* Notes vertices of the current instance: from position cursor.position on. */
static bool take_vertices(struct loop *loop, uint32_t count, uint32_t *token)
{
    struct et_pipeline *pipeline = loop->run->pipeline;
    const struct et_draw *draw = loop->run->draw;
    const struct cursor *cursor = &loop->cursor;
    const bool indexed = draw->source != ET_DRAW_ARRAYS;
    const uint32_t *const index = index_at(draw, cursor);
    const uint32_t first = draw->first + cursor->position, instance = draw->first_instance + cursor->instance;
    const uint32_t id = draw->vertex_id_from_array_start ? first : cursor->position;
    if (!et_grow(&pipeline->met, &pipeline->met_capacity, pipeline->met_count + count, sizeof *pipeline->met))
        return false;
    struct et_fetch_vertex *const met = pipeline->met + pipeline->met_count;
    *token = (uint32_t)pipeline->met_count;
    for (uint32_t i = 0; i < count && indexed; i++)
        met[i] = (struct et_fetch_vertex){index[i] + (uint32_t)draw->base_vertex,
                                          index[i] + draw->vertex_id_base, instance};
    for (uint32_t i = 0; i < count && !indexed; i++)
        met[i] = (struct et_fetch_vertex){first + i + (uint32_t)draw->base_vertex,
                                          id + i + draw->vertex_id_base, instance};
    pipeline->met_count += count;
    return true;
}

/* Which corners of the mesh's primitives the next stage reads, in the order in which silicon takes them. */
static unsigned read_corners(const struct et_run *run, const struct et_mesh *mesh, uint8_t corner[])
{
    const bool all = run->shader[ET_STAGE_GEOMETRY] || run->shader[ET_STAGE_TESS_EVALUATION];
    const unsigned step = mesh->adjacency && !all && mesh->corners == 6 ? 2 : 1;
    const unsigned first = mesh->adjacency && !all && mesh->corners == 4 ? 1 : 0;
    const unsigned count = mesh->adjacency && !all ? mesh->corners / 2 : mesh->corners;
    for (unsigned k = 0; k < count; k++)
        corner[k] = (uint8_t)(first + step * (count == 2 && !all ? 1 - k : k));
    return count;
}

/* Room for so many records, and those that wait for it. */
static bool reserve_records(struct et_pipeline *pipeline, size_t records)
{
    return et_mesh_reserve_records(&pipeline->vertices, records) &&
           et_grow(&pipeline->pending, &pipeline->pending_capacity, records, sizeof *pipeline->pending);
}

/* How many of the new primitives' corners, from the first on, are new vertices one after the other: those of
 * a list without indices in one instance. */
static size_t distinct_primitives(const struct loop *loop, uint32_t instance)
{
    const struct et_draw *draw = loop->run->draw;
    const struct et_pipeline *pipeline = loop->run->pipeline;
    const struct et_mesh *mesh = &pipeline->vertices;
    const uint32_t *const corner = mesh->corner + loop->resolved * mesh->corners;
    const size_t most = mesh->primitives - loop->resolved;
    size_t count = 0;
    if (draw->source != ET_DRAW_ARRAYS || draw->restart ||
        (draw->topology != ET_POINTS && draw->topology != ET_TRIANGLES))
        return 0;
    while (count < most && pipeline->met[corner[count * mesh->corners]].instance == instance)
        count++;
    return et_reuse_knows(&loop->reuse, pipeline->met[corner[0]].number, (uint32_t)count * mesh->corners)
               ? 0
               : count;
}

static bool resolve_distinct(struct loop *loop, size_t primitives)
{
    struct et_pipeline *pipeline = loop->run->pipeline;
    struct et_mesh *mesh = &pipeline->vertices;
    uint32_t *const corner = mesh->corner + loop->resolved * mesh->corners;
    const uint32_t first = (uint32_t)mesh->records, count = (uint32_t)primitives * mesh->corners;
    const struct et_fetch_vertex *const met = pipeline->met + corner[0];
    if (!reserve_records(pipeline, first + count))
        return false;
    et_reuse_distinct(&loop->reuse, met->number, mesh->corners, (uint32_t)primitives, first);
    memcpy(pipeline->pending + first, met, count * sizeof *met);
    for (uint32_t i = 0; i < count; i++)
        corner[i] = first + i;
    mesh->records += count;
    loop->resolved += primitives;
    return true;
}

/* `place`: the `count` corners that are read. */
static bool resolve_one(struct loop *loop, const uint8_t *place, unsigned count)
{
    struct et_pipeline *pipeline = loop->run->pipeline;
    struct et_mesh *mesh = &pipeline->vertices;
    uint32_t *const corner = mesh->corner + loop->resolved * mesh->corners;
    const uint32_t first = (uint32_t)mesh->records;
    const struct et_fetch_vertex *met[ET_ASSEMBLER_HELD];
    uint32_t number[ET_ASSEMBLER_HELD], record[ET_ASSEMBLER_HELD], made;
    bool is_new[ET_ASSEMBLER_HELD];
    for (unsigned k = 0; k < count; k++) {
        met[k] = &pipeline->met[corner[place[k]]];
        number[k] = met[k]->number;
    }
    made = et_reuse_primitive(&loop->reuse, number, count, first, record, is_new);
    if (first + made > ET_MIN(mesh->record_capacity, pipeline->pending_capacity) &&
        !reserve_records(pipeline, first + made))
        return false;
    for (unsigned k = 0; k < mesh->corners && count < mesh->corners; k++) /* what nobody reads has one too */
        corner[k] = record[0];
    for (unsigned k = 0; k < count; k++) {
        if (is_new[k])
            pipeline->pending[mesh->records++] = *met[k];
        corner[place[k]] = record[k];
    }
    loop->resolved++;
    return true;
}

/* Turns the new primitives' corners from tokens into records: shaded ones, or new ones that wait for it. */
static bool resolve(struct loop *loop)
{
    const struct et_pipeline *pipeline = loop->run->pipeline;
    const struct et_mesh *mesh = &pipeline->vertices;
    uint8_t place[ET_ASSEMBLER_HELD];
    const unsigned count = read_corners(loop->run, mesh, place);
    bool ok = true;
    while (loop->resolved < mesh->primitives && ok) {
        const uint32_t token = mesh->corner[loop->resolved * mesh->corners + place[0]],
                       instance = pipeline->met[token].instance;
        if (loop->run->fetch.instanced && instance != loop->reuse_instance)
            et_reuse_forget(&loop->reuse);
        loop->reuse_instance = instance;
        const size_t distinct = distinct_primitives(loop, instance);
        ok = distinct ? resolve_distinct(loop, distinct) : resolve_one(loop, place, count);
    }
    return ok;
}

/* How many of `count` positions from the cursor's on come before a restart. */
static uint32_t before_restart(const struct loop *loop, uint32_t count)
{
    const struct et_draw *draw = loop->run->draw;
    const struct cursor *cursor = &loop->cursor;
    const uint32_t *const index = index_at(draw, cursor);
    uint32_t i = 0;
    if (!draw->restart)
        return count;
    if (draw->source == ET_DRAW_ARRAYS)
        return ET_MIN(draw->restart_index - (draw->first + cursor->position), count);
    while (i < count && index[i] != draw->restart_index)
        i++;
    return i;
}

/* Feeds up to *count positions of the instance to the assembler: those up to a restart, or that; says how
 * many. */
static enum etalon_status feed(struct loop *loop, uint32_t *count)
{
    struct et_run *run = loop->run;
    const struct et_draw *draw = run->draw;
    struct cursor *cursor = &loop->cursor;
    const uint8_t *const inner = draw->source == ET_DRAW_INLINE_INDICES ? draw->inline_inner : NULL;
    uint32_t token;
    bool ok;
    if (draw->source != ET_DRAW_ARRAYS) {
        if (cursor->position - cursor->chunk_start >= cursor->chunk_count) {
            const enum etalon_status status = load_indices(run, cursor);
            if (status)
                return status;
        }
        *count = ET_MIN(*count, cursor->chunk_start + cursor->chunk_count - cursor->position);
    }
    const uint32_t vertices = before_restart(loop, inner ? 1 : *count);
    if (!vertices) {
        *count = 1;
        ok = et_assembler_restart(&loop->assembler, &run->pipeline->vertices);
    } else {
        *count = vertices;
        run->results->counters.da_vertices += vertices;
        ok = take_vertices(loop, vertices, &token) &&
             et_assembler_run(&loop->assembler, token, vertices,
                              inner ? inner[draw->first + cursor->position] : draw->raster.edges_hidden,
                              &run->pipeline->vertices);
    }
    cursor->position += *count;
    return ok ? ETALON_OK : et_fail(run->error, ETALON_NO_MEMORY, "no memory for vertices");
}

static enum etalon_status end_instance(struct loop *loop)
{
    struct et_run *run = loop->run;
    const bool ok = et_assembler_restart(&loop->assembler, &run->pipeline->vertices);
    run->results->counters.da_primitives += loop->assembler.primitives;
    loop->started = false;
    loop->cursor.instance++;
    return ok ? ETALON_OK : et_fail(run->error, ETALON_NO_MEMORY, "no memory for primitives");
}

/* Assembles until the batch is full or the draw ends. */
static enum etalon_status fill(struct loop *loop)
{
    struct et_run *run = loop->run;
    const struct et_draw *draw = run->draw;
    const uint32_t bound = run->pipeline->options.bin_primitives, most = bound * 3 + ET_ASSEMBLER_HELD;
    const struct et_mesh *mesh = &run->pipeline->vertices;
    enum etalon_status status = ETALON_OK;
    for (uint32_t step = 0; step < BATCH_POSITIONS && !status &&
                            loop->cursor.instance < draw->instance_count && mesh->primitives < bound &&
                            run->pipeline->met_count < most;) {
        uint32_t count = 1;
        if (!loop->started) {
            et_assembler_start(&loop->assembler, draw->topology, draw->patch_vertices,
                               draw->raster.provoking_last, draw->first_primitive);
            loop->cursor.position = loop->cursor.chunk_start = loop->cursor.chunk_count = 0;
            loop->started = true;
        }
        if (loop->cursor.position < draw->count) {
            count = et_assembler_vertices(&loop->assembler, bound - (uint32_t)mesh->primitives);
            count = ET_MIN(count, most - (uint32_t)run->pipeline->met_count);
            count = ET_MIN(ET_MIN(count, BATCH_POSITIONS - step), draw->count - loop->cursor.position);
            status = feed(loop, &count);
        } else {
            status = end_instance(loop);
        }
        step += count;
    }
    if (!status && !resolve(loop))
        status = et_fail(run->error, ETALON_NO_MEMORY, "no memory for vertices");
    return status;
}

/* ---- between batches ---- */

/* Keeps the vertices met that the assembler still holds. */
static void keep_met(struct loop *loop)
{
    struct et_pipeline *pipeline = loop->run->pipeline;
    struct et_assembler *assembler = &loop->assembler;
    struct et_fetch_vertex kept[ET_ASSEMBLER_HELD + 1];
    uint32_t *token[ET_ASSEMBLER_HELD + 1];
    uint32_t count = 0;
    for (unsigned i = 0; loop->started && i < assembler->holds; i++)
        token[count++] = &assembler->held[i];
    if (loop->started && assembler->has_first)
        token[count++] = &assembler->first;
    for (uint32_t i = 0; i < count; i++) {
        kept[i] = pipeline->met[*token[i] & ~ET_ASSEMBLER_INNER];
        *token[i] = i | (*token[i] & ET_ASSEMBLER_INNER);
    }
    if (count)
        memcpy(pipeline->met, kept, count * sizeof *kept);
    pipeline->met_count = count;
}

/* Empties the vertex mesh but for the records that may be reused. */
static bool carry_over(struct loop *loop, uint32_t *kept)
{
    struct et_pipeline *pipeline = loop->run->pipeline;
    struct et_reuse *reuse = &loop->reuse;
    *kept = reuse->count;
    keep_met(loop);
    if (!et_grow(&pipeline->carry, &pipeline->carry_capacity, reuse->count, sizeof *pipeline->carry))
        return false;
    for (uint32_t i = 0; i < reuse->count; i++) {
        pipeline->carry[i] = pipeline->vertices.record[reuse->vertex[i].record];
        reuse->vertex[i].record = i;
    }
    if (*kept)
        memcpy(pipeline->vertices.record, pipeline->carry, *kept * sizeof *pipeline->carry);
    pipeline->vertices.records = *kept;
    pipeline->vertices.primitives = loop->resolved = 0;
    return true;
}

/* ---- a batch ---- */

/* The next primitives that are drawn, from *at on, `most` at most. Returns how many. */
static size_t take_inputs(const struct et_run *run, const struct et_mesh *mesh, size_t most, size_t *at)
{
    const bool triangles = mesh->corners == 3;
    size_t count = 0;
    for (; *at < mesh->primitives && count < most; ++*at) {
        const struct et_mesh_primitive *primitive = &mesh->primitive[*at];
        const uint32_t *const corner = mesh->corner + *at * mesh->corners;
        struct et_raster_input *const to = &run->pipeline->input[count];
        if (primitive->stream != run->draw->raster_stream)
            continue;
        to->provoking = primitive->provoking;
        to->edges = primitive->edges;
        to->primitive_id = primitive->id;
        to->corners = 3;
        if (!triangles) {
            et_mesh_corners(mesh, *at, to);
        } else {
#pragma GCC unroll 3
            for (unsigned k = 0; k < 3; k++)
                to->vertex[k] = &mesh->record[corner[k]];
        }
        count++;
    }
    return count;
}

static enum etalon_status rasterize(struct et_run *run, const struct et_mesh *mesh)
{
    struct et_pipeline *pipeline = run->pipeline;
    const size_t most = ET_MIN((size_t)pipeline->options.bin_primitives, mesh->primitives);
    enum etalon_status status = ETALON_OK;
    if (!et_grow(&pipeline->input, &pipeline->input_capacity, most, sizeof *pipeline->input))
        return et_fail(run->error, ETALON_NO_MEMORY, "no memory for primitives");
    for (size_t i = 0; i < mesh->primitives && !status;) {
        const size_t count = take_inputs(run, mesh, most, &i);
        status = et_raster_draw(&pipeline->plan, pipeline->batch, pipeline->input, count,
                                pipeline->raster_worker, pipeline->workers, run->error);
    }
    return status;
}

static enum etalon_status run_batch(struct et_run *run, size_t shaded)
{
    struct et_pipeline *pipeline = run->pipeline;
    const struct et_mesh *mesh = &pipeline->vertices;
    enum etalon_status status = et_run_vertices(run, shaded);
    if (!status && run->shader[ET_STAGE_TESS_EVALUATION]) {
        status = et_run_tessellation(run, mesh, &pipeline->tessellated);
        mesh = &pipeline->tessellated;
    }
    if (!status && run->shader[ET_STAGE_GEOMETRY]) {
        status = et_run_geometry(run, mesh, &pipeline->emitted);
        mesh = &pipeline->emitted;
    }
    if (status)
        return status;
    if (mesh != &pipeline->emitted) /* others are of stream 0 */
        run->results->counters.vtg_primitives_out[0] += mesh->primitives;
    for (size_t i = 0; i < mesh->primitives && mesh == &pipeline->emitted; i++)
        run->results->counters.vtg_primitives_out[mesh->primitive[i].stream]++;
    if (run->draw->xfb_enable)
        status = et_run_feedback(run, mesh);
    return status || !run->rasterizes ? status : rasterize(run, mesh);
}

/* As many patches as fill a warp with the control program's threads; 0: no patches. [HW:H200, but one case:
 * patches of 8 vertices with 3 threads go five, not ten, together] */
static uint32_t patches_a_batch(const struct et_run *run)
{
    const struct et_shader *const control = run->shader[ET_STAGE_TESS_CONTROL];
    const uint32_t threads = control ? control->sph.threads : run->draw->patch_vertices;
    if (run->draw->topology != ET_PATCHES)
        return 0;
    return et_reuse_patches(run->draw->patch_vertices, threads);
}

static enum etalon_status run_loop(struct et_run *run)
{
    const struct et_draw *draw = run->draw;
    struct et_mesh *mesh = &run->pipeline->vertices;
    struct loop loop = {.run = run};
    uint32_t shaded = 0;
    et_reuse_start(&loop.reuse, &draw->reuse, patches_a_batch(run));
    run->pipeline->met_count = 0;
    mesh->records = mesh->primitives = 0;
    mesh->corners = et_assembler_corners(draw->topology, draw->patch_vertices);
    mesh->adjacency = draw->topology >= ET_LINES_ADJACENCY && draw->topology <= ET_TRIANGLE_STRIP_ADJACENCY;
    if (!mesh->corners || mesh->corners > ET_ASSEMBLER_HELD) {
        et_at_value(run->error, draw->topology);
        return et_fail(run->error, ETALON_BAD_VALUE, "topology 0x%x with %u corners", draw->topology,
                       mesh->corners);
    }
    if ((draw->topology == ET_PATCHES) != (run->shader[ET_STAGE_TESS_EVALUATION] != NULL)) {
        et_at_value(run->error, draw->topology);
        return et_fail(run->error, ETALON_UNSUPPORTED, "topology 0x%x %s tessellation", draw->topology,
                       draw->topology == ET_PATCHES ? "without" : "with");
    }
    while (draw->count && loop.cursor.instance < draw->instance_count) {
        enum etalon_status status = fill(&loop);
        if (!status)
            status = run_batch(run, shaded);
        if (status)
            return status;
        if (draw->cancelled && draw->cancelled(draw->cancel_context))
            return et_fail(run->error, ETALON_CANCELLED, "draw %llu cancelled",
                           (unsigned long long)draw->number);
        if (!carry_over(&loop, &shaded))
            return et_fail(run->error, ETALON_NO_MEMORY, "no memory for vertices");
    }
    return ETALON_OK;
}

/* ---- the rasterizer's side ---- */

static enum etalon_status run_fragments(void *user, struct et_warp_io *io, struct etalon_error *error)
{
    return et_run_stage(user, ET_STAGE_FRAGMENT, io, error);
}

static bool run_fragment_team(void *user, struct et_warp_io io[ET_TEAM])
{
    struct et_worker *worker = user;
    return et_run_team(worker->context, &worker->run->launch[ET_STAGE_FRAGMENT], io, &worker->counts);
}

static enum etalon_status prepare_raster(struct et_run *run)
{
    const struct et_shader *pixel = run->shader[ET_STAGE_FRAGMENT];
    struct et_raster_programs programs = {.last = run->last};
    run->rasterizes = run->draw->raster.enable;
    if (!run->rasterizes)
        return ETALON_OK;
    if (pixel) {
        programs.pixel = &pixel->sph;
        programs.pixel_ordered = pixel->info->ordered;
        programs.pixel_kills = pixel->info->kills || pixel->sph.kills_pixels;
        programs.pixel_writes_depth_or_mask = pixel->info->writes_depth_or_mask;
        programs.pixel_leaves_z = !pixel->info->reads_z && run->pipeline->options.run == et_run_warp;
        programs.pixel_leaves_w = !pixel->info->reads_w && run->pipeline->options.run == et_run_warp;
        programs.pixel_apart = pixel->info->apart && run->pipeline->options.run == et_run_warp;
        programs.pixel_instructions = pixel->info->instructions;
        programs.pixel_stores = pixel->info->stores_global || pixel->info->atomics || pixel->info->images ||
                                pixel->sph.global_store;
    }
    for (unsigned i = 0; i < run->pipeline->workers; i++) /* another interpreter has no teams */
        run->pipeline->raster_worker[i].run_team =
            pixel && pixel->info->team && run->pipeline->options.run == et_run_warp ? run_fragment_team
                                                                                    : NULL;
    return et_raster_plan_make(&run->pipeline->plan, &run->draw->raster, &programs, run->error);
}

/* Of a generic vector its own; of the other words, which setup reads by groups, the neighbours' too. */
static uint64_t block_of(unsigned word)
{
    const unsigned block = word / ET_RECORD_BLOCK;
    return word >= ET_WORD_GENERIC && word < ET_WORD_FRONT_COLOR ? UINT64_C(1) << block
                                                                 : UINT64_C(15) << (block & ~3u);
}

/* Blocks of vertex records that are written, or read by the rasterizer; all where something else reads. */
static uint64_t record_blocks(const struct et_run *run)
{
    const struct et_raster_plan *plan = &run->pipeline->plan;
    const struct et_shader *const vertex = run->shader[ET_STAGE_VERTEX], *const a =
                                                                             run->shader[ET_STAGE_VERTEX_A];
    uint64_t blocks = block_of(ET_WORD_POSITION);
    if (run->last != &run->vertex || run->draw->xfb_enable || vertex->info->reads_outputs ||
        (a && a->info->reads_outputs))
        return ET_RECORD_ALL;
    for (unsigned word = 0; word < ET_ATTRIBUTE_WORDS; word++)
        blocks |= et_sph_has(run->vertex.output, word) ? block_of(word) : 0;
    for (unsigned i = 0; i < plan->planes && run->rasterizes; i++)
        blocks |= block_of(plan->attribute[i].word) | block_of(plan->attribute[i].back_word);
    for (unsigned i = 0; i < plan->flats && run->rasterizes; i++)
        blocks |= block_of(plan->flat[i].word) | block_of(plan->flat[i].back_word);
    return blocks;
}

static void start_workers(struct et_run *run)
{
    struct et_pipeline *pipeline = run->pipeline;
    for (unsigned i = 0; i < pipeline->workers; i++) {
        struct et_worker *worker = &pipeline->worker[i];
        worker->run = run;
        et_view_init(&worker->view, run->draw->map, run->draw->event);
        worker->counts = (struct et_counts){0};
        worker->parted = 0;
        worker->error = (struct etalon_error){0};
        et_raster_batch_clear(&pipeline->batch[i]);
        et_raster_worker_reset(&pipeline->raster_worker[i], run->draw->map, run->draw->event);
        pipeline->raster_worker[i].user = worker;
        pipeline->raster_worker[i].run = run_fragments;
    }
}

static void add_counters(struct et_run *run)
{
    struct et_pipeline *pipeline = run->pipeline;
    struct et_counters *counters = &run->results->counters;
    for (unsigned i = 0; i < pipeline->workers; i++) {
        counters->ps_invocations += pipeline->raster_worker[i].ps_invocations;
        counters->zpass += pipeline->raster_worker[i].zpass;
        counters->shader.instructions += pipeline->worker[i].counts.instructions;
        counters->shader.lane_instructions += pipeline->worker[i].counts.lane_instructions;
        counters->shader.undefined_reads += pipeline->worker[i].counts.undefined_reads;
    }
    for (unsigned i = 0; i < pipeline->workers; i++) {
        counters->clipper_invocations += pipeline->batch[i].clipper_invocations;
        counters->clipper_primitives += pipeline->batch[i].clipper_primitives;
        pipeline->batch[i].clipper_invocations = pipeline->batch[i].clipper_primitives = 0;
    }
}

/* Refuses a draw that no program asks for: it would run for hours. */
static enum etalon_status check_size(const struct et_draw *draw, struct etalon_error *error)
{
    const uint64_t vertices = (uint64_t)draw->count * draw->instance_count;
    if (vertices > ET_DRAW_MOST_VERTICES)
        return et_fail(error, ETALON_BUDGET, "a draw of %u vertices and %u instances: more than %u together",
                       draw->count, draw->instance_count, ET_DRAW_MOST_VERTICES);
    return ETALON_OK;
}

enum etalon_status et_pipeline_draw(struct et_pipeline *pipeline, const struct et_draw *draw,
                                    struct et_draw_results *results, struct etalon_error *error)
{
    struct etalon_error local = {0};
    struct et_run run = {
        .pipeline = pipeline, .draw = draw, .results = results, .error = error ? error : &local};
    enum etalon_status status;
    fenv_t caller;
    fegetenv(&caller);
    fesetenv(FE_DFL_ENV);
    start_workers(&run);
    status = check_size(draw, run.error);
    if (!status)
        status = et_run_prepare(&run);
    if (!status)
        status = prepare_raster(&run);
    if (!status) {
        run.record_blocks = record_blocks(&run);
        status = run_loop(&run);
    }
    add_counters(&run);
    if (status)
        et_at_event(run.error, draw->event);
    fesetenv(&caller);
    return status;
}

enum etalon_status et_pipeline_clear(struct et_pipeline *pipeline, const struct et_clear *clear,
                                     struct etalon_error *error)
{
    fenv_t caller;
    enum etalon_status status;
    fegetenv(&caller);
    fesetenv(FE_DFL_ENV);
    status = et_raster_clear(clear, pipeline->workers, error);
    fesetenv(&caller);
    return status;
}

/* ---- the pipeline ---- */

static unsigned worker_count(const struct et_pipeline_options *options)
{
#ifdef _OPENMP
    const int threads = options->threads > 0 ? options->threads : omp_get_max_threads();
    return (unsigned)ET_MAX(1, ET_MIN(threads, 256));
#else
    (void)options;
    return 1;
#endif
}

static enum etalon_status create_workers(struct et_pipeline *pipeline, struct etalon_error *error)
{
    pipeline->worker = et_calloc(pipeline->workers, sizeof *pipeline->worker);
    pipeline->raster_worker = et_calloc(pipeline->workers, sizeof *pipeline->raster_worker);
    pipeline->batch = et_calloc(pipeline->workers, sizeof *pipeline->batch);
    if (!pipeline->worker || !pipeline->raster_worker || !pipeline->batch)
        return et_fail(error, ETALON_NO_MEMORY, "no memory for a pipeline's threads");
    for (unsigned i = 0; i < pipeline->workers; i++) {
        pipeline->worker[i].input = et_aligned_calloc(64, 1, sizeof *pipeline->worker[i].input);
        if (!pipeline->worker[i].input)
            return et_fail(error, ETALON_NO_MEMORY, "no memory for a pipeline's threads");
        if (pipeline->options.run != et_run_warp)
            continue;
        pipeline->worker[i].context = et_context_create(error);
        if (!pipeline->worker[i].context)
            return error && error->status ? error->status : ETALON_NO_MEMORY;
    }
    return ETALON_OK;
}

enum etalon_status et_pipeline_create(struct et_pipeline **pipeline,
                                      const struct et_pipeline_options *options, struct etalon_error *error)
{
    struct et_pipeline *made = et_calloc(1, sizeof *made);
    enum etalon_status status;
    if (!made)
        return et_fail(error, ETALON_NO_MEMORY, "no memory for a pipeline");
    if (options)
        made->options = *options;
    if (!made->options.run)
        made->options.run = et_run_warp;
    if (!made->options.bin_primitives)
        made->options.bin_primitives = DEFAULT_PRIMITIVES;
    made->options.bin_primitives = ET_MIN(made->options.bin_primitives, (uint32_t)DEFAULT_PRIMITIVES);
    made->workers = worker_count(&made->options);
    made->cache = et_shader_cache_create();
    status = made->cache ? create_workers(made, error)
                         : et_fail(error, ETALON_NO_MEMORY, "no memory for programs");
    if (status)
        et_pipeline_destroy(made);
    else
        *pipeline = made;
    return status;
}

void et_pipeline_destroy(struct et_pipeline *pipeline)
{
    if (!pipeline)
        return;
    for (unsigned i = 0; i < pipeline->workers && pipeline->worker; i++) {
        if (pipeline->worker[i].context)
            et_context_destroy(pipeline->worker[i].context);
        et_free(pipeline->worker[i].input);
    }
    for (unsigned stage = 0; stage < ET_STAGES; stage++)
        for (unsigned i = 0; i < ET_BANKS; i++)
            et_free(pipeline->bank_copy[stage][i]);
    et_free(pipeline->worker);
    et_free(pipeline->raster_worker);
    et_shader_cache_destroy(pipeline->cache);
    for (unsigned i = 0; i < pipeline->workers && pipeline->batch; i++)
        et_raster_batch_finish(&pipeline->batch[i]);
    et_free(pipeline->batch);
    et_free(pipeline->input);
    et_mesh_finish(&pipeline->vertices);
    et_mesh_finish(&pipeline->tessellated);
    et_mesh_finish(&pipeline->emitted);
    et_free(pipeline->met);
    et_free(pipeline->pending);
    et_free(pipeline->carry);
    et_tess_scratch_destroy(pipeline->tess);
    et_geometry_scratch_destroy(pipeline->geometry);
    et_free(pipeline);
}
