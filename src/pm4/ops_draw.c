/* Index state, draws and dispatches (P45, P46, P48, P49). */
#include "pm4/ops.h"

enum { USE_BIT = 0x20 }; /* not_eop, allowed in every initiator */

static struct etalon_pm4_draw new_draw(const struct et_pm4_run *run, enum etalon_pm4_draw_kind kind)
{
    return (struct etalon_pm4_draw){.queue = run->queue_id,
                                    .kind = kind,
                                    .packet = run->queue->packets,
                                    .instances = run->queue->num_instances,
                                    .index_type =
                                        kind == ETALON_PM4_DRAW_INDEXED ? run->queue->index_type : 0,
                                    .vertex_location = ETALON_PM4_NO_LOCATION,
                                    .instance_location = ETALON_PM4_NO_LOCATION,
                                    .index_location = ETALON_PM4_NO_LOCATION,
                                    .sub_draw_location = ETALON_PM4_NO_LOCATION};
}

static uint32_t emit_draw(struct et_pm4_run *run, const struct etalon_pm4_draw *draw, uint32_t consumed)
{
    if (!run->pm4->hooks.draw)
        return consumed;
    struct etalon_pm4_snapshot *state = et_pm4_run_freeze(run);
    if (!state)
        return ET_PM4_FAULT_HERE;
    run->pm4->hooks.draw(run->pm4->hooks.user, draw, state);
    etalon_pm4_snapshot_release(state);
    return consumed;
}

static uint32_t emit_dispatch(struct et_pm4_run *run, const struct etalon_pm4_dispatch *dispatch,
                              uint32_t consumed)
{
    if (!run->pm4->hooks.dispatch)
        return consumed;
    struct etalon_pm4_snapshot *state = et_pm4_run_freeze(run);
    if (!state)
        return ET_PM4_FAULT_HERE;
    run->pm4->hooks.dispatch(run->pm4->hooks.user, dispatch, state);
    etalon_pm4_snapshot_release(state);
    return consumed;
}

/* Bytes of an index; 0 with the fault recorded. */
static uint32_t index_bytes(struct et_pm4_run *run)
{
    static const uint8_t bytes[4] = {2, 4, 1, 0};
    const uint32_t type = run->queue->index_type;
    if (!bytes[type])
        et_pm4_fail(run, ETALON_PM4_BAD_INDEX_TYPE, "index type %u", type);
    return bytes[type];
}

/* ---- index state ---- */

uint32_t et_pm4_index_type(struct et_pm4_run *run, uint32_t header, const uint32_t *body, uint32_t count)
{
    (void)header;
    run->queue->index_type = body[0] & 3;
    return count;
}

uint32_t et_pm4_index_base(struct et_pm4_run *run, uint32_t header, const uint32_t *body, uint32_t count)
{
    (void)header;
    run->queue->index_base = et_pm4_address(body[0], body[1]);
    return count;
}

uint32_t et_pm4_index_size(struct et_pm4_run *run, uint32_t header, const uint32_t *body, uint32_t count)
{
    (void)header;
    run->queue->index_buffer_size = body[0];
    return count;
}

uint32_t et_pm4_num_instances(struct et_pm4_run *run, uint32_t header, const uint32_t *body, uint32_t count)
{
    (void)header;
    run->queue->num_instances = body[0] ? body[0] : 1;
    return count;
}

/* INDEX_ATTRIBUTES_INDIRECT [INF]: a record {address lo, hi, indices, type} of 16 bytes out of a table. */
uint32_t et_pm4_index_attributes(struct et_pm4_run *run, uint32_t header, const uint32_t *body,
                                 uint32_t count)
{
    (void)header;
    uint64_t table = et_pm4_address(body[0] & ~15u, body[1]);
    if (body[0] & 1)
        table = run->queue->base[5] + body[1];
    uint32_t record[4];
    const uint64_t at = table + (uint64_t)(body[2] & 0xFFFF) * sizeof record;
    if (!et_pm4_read(&run->pm4->memory, at, record, sizeof record))
        return et_pm4_memory_fault(run, at, "the index attributes");
    run->queue->index_base = et_pm4_address(record[0], record[1]);
    run->queue->index_buffer_size = record[2];
    run->queue->index_type = record[3] & 3;
    return count;
}

/* ---- direct draws ---- */

/* The initiator may hold only `allowed` (P46); the hardware ignores what it does not know. */
static bool initiator_ok(struct et_pm4_run *run, uint32_t initiator, uint32_t allowed)
{
    if (!run->console || !(initiator & ~allowed))
        return true;
    et_pm4_fail(run, ETALON_PM4_BAD_FIELD, "draw initiator 0x%x", initiator);
    return false;
}

uint32_t et_pm4_draw_auto(struct et_pm4_run *run, uint32_t header, const uint32_t *body, uint32_t count)
{
    (void)header;
    if (!initiator_ok(run, body[1], USE_BIT | 2))
        return ET_PM4_FAULT_HERE;
    struct etalon_pm4_draw draw = new_draw(run, ETALON_PM4_DRAW_AUTO);
    draw.count = body[0];
    draw.initiator = body[1];
    return emit_draw(run, &draw, count);
}

static bool fits_maximum(struct et_pm4_run *run, uint32_t count, uint32_t maximum)
{
    if (!run->console || count <= maximum)
        return true;
    et_pm4_fail(run, ETALON_PM4_INDEX_COUNT_EXCEEDS_MAX, "%u indices of at most %u", count, maximum);
    return false;
}

uint32_t et_pm4_draw_index(struct et_pm4_run *run, uint32_t header, const uint32_t *body, uint32_t count)
{
    (void)header;
    if (!fits_maximum(run, body[3], body[0]) || !initiator_ok(run, body[4], USE_BIT) || !index_bytes(run))
        return ET_PM4_FAULT_HERE;
    struct etalon_pm4_draw draw = new_draw(run, ETALON_PM4_DRAW_INDEXED);
    draw.max_indices = body[0];
    draw.address = et_pm4_address(body[1], body[2]);
    draw.count = body[3];
    draw.initiator = body[4];
    return emit_draw(run, &draw, count);
}

uint32_t et_pm4_draw_offset(struct et_pm4_run *run, uint32_t header, const uint32_t *body, uint32_t count)
{
    (void)header;
    if (!fits_maximum(run, body[2], body[0]) || !initiator_ok(run, body[3], USE_BIT))
        return ET_PM4_FAULT_HERE;
    const uint32_t bytes = index_bytes(run);
    if (!bytes)
        return ET_PM4_FAULT_HERE;
    struct etalon_pm4_draw draw = new_draw(run, ETALON_PM4_DRAW_INDEXED);
    draw.max_indices = body[0];
    draw.address = run->queue->index_base + (uint64_t)body[1] * bytes;
    draw.count = body[2];
    draw.initiator = body[3];
    return emit_draw(run, &draw, count);
}

uint32_t et_pm4_draw_instances(struct et_pm4_run *run, uint32_t header, const uint32_t *body, uint32_t count)
{
    (void)header;
    if (run->console && body[6] > body[3])
        return et_pm4_fail(run, ETALON_PM4_BAD_FIELD, "%u instances of at most %u", body[6], body[3]);
    if (!initiator_ok(run, body[7], USE_BIT | 0x80) || !index_bytes(run))
        return ET_PM4_FAULT_HERE;
    struct etalon_pm4_draw draw = new_draw(run, ETALON_PM4_DRAW_INDEXED);
    draw.count = body[0];
    draw.max_indices = body[0];
    draw.address = et_pm4_address(body[1], body[2]);
    draw.object_ids = et_pm4_address(body[4], body[5]);
    if (body[6])
        draw.instances = body[6];
    draw.initiator = body[7];
    return emit_draw(run, &draw, count);
}

/* DRAW_INDEX_MULTI_AUTO: `prim_count` small draws of `index_count` vertices each, reported as one. */
uint32_t et_pm4_draw_multi_auto(struct et_pm4_run *run, uint32_t header, const uint32_t *body, uint32_t count)
{
    (void)header;
    struct etalon_pm4_draw draw = new_draw(run, ETALON_PM4_DRAW_AUTO);
    draw.count = et_bits(body[2], 31, 21);
    draw.sub_draw = body[0];
    draw.first_vertex = body[2] & 0xFFFF;
    draw.initiator = body[1];
    return emit_draw(run, &draw, count);
}

/* DISPATCH_DRAW: an indexed draw on graphics, a dispatch on compute. */
uint32_t et_pm4_draw_dispatch(struct et_pm4_run *run, uint32_t header, const uint32_t *body, uint32_t count)
{
    (void)header;
    if (run->queue_id) {
        const struct etalon_pm4_dispatch dispatch = {.queue = run->queue_id,
                                                     .packet = run->queue->packets,
                                                     .groups = {body[1], body[2], body[3]},
                                                     .initiator = body[4],
                                                     .ring_entry = ETALON_PM4_NO_LOCATION};
        return emit_dispatch(run, &dispatch, count);
    }
    const uint32_t bytes = index_bytes(run);
    if (!bytes)
        return ET_PM4_FAULT_HERE;
    struct etalon_pm4_draw draw = new_draw(run, ETALON_PM4_DRAW_INDEXED);
    draw.address = run->queue->index_base + (uint64_t)body[0] * bytes;
    draw.max_indices = run->queue->index_buffer_size;
    draw.count = body[2];
    draw.initiator = body[4];
    return emit_draw(run, &draw, count);
}

/* ---- indirect draws ---- */

struct indirect {
    uint64_t address; /* of the first record */
    uint32_t count, stride, initiator;
    uint32_t vertex_location, instance_location, index_location, sub_draw_location;
    bool indexed;
};

/* One record into `draw`; the queue's instance count follows it (P48). */
static bool read_record(struct et_pm4_run *run, const struct indirect *from, uint32_t i, uint32_t bytes,
                        struct etalon_pm4_draw *draw)
{
    uint32_t record[5] = {0};
    const uint64_t at = from->address + (uint64_t)i * from->stride;
    if (!et_pm4_read(&run->pm4->memory, at, record, from->indexed ? 20 : 16)) {
        et_pm4_memory_fault(run, at, "the draw's arguments");
        return false;
    }
    *draw = new_draw(run, from->indexed ? ETALON_PM4_DRAW_INDEXED : ETALON_PM4_DRAW_AUTO);
    draw->count = record[0];
    draw->instances = record[1];
    draw->initiator = from->initiator;
    draw->sub_draw = i;
    draw->vertex_location = from->vertex_location;
    draw->instance_location = from->instance_location;
    draw->index_location = from->index_location;
    draw->sub_draw_location = from->sub_draw_location;
    if (!from->indexed) {
        draw->first_vertex = record[2];
        draw->first_instance = record[3];
        return true;
    }
    const uint32_t limit = run->queue->index_buffer_size;
    if (run->console && limit && draw->count > limit) /* P49; the hardware clamps fetches instead */
        draw->count = limit;
    draw->max_indices = limit;
    draw->address = run->queue->index_base + (uint64_t)record[2] * bytes;
    draw->base_vertex = (int32_t)record[3];
    draw->first_instance = record[4];
    return true;
}

/* All records are read before the first draw is reported, so that a fault leaves nothing done. */
static uint32_t draw_all(struct et_pm4_run *run, const struct indirect *from, uint32_t consumed)
{
    struct etalon_pm4_draw draw;
    const uint32_t record = from->indexed ? 20 : 16;
    const uint32_t bytes = from->indexed ? index_bytes(run) : 1;
    if (!bytes)
        return ET_PM4_FAULT_HERE;
    if (from->count > 1 && from->stride < record)
        return et_pm4_fail(run, ETALON_PM4_BAD_FIELD, "stride %u is less than a record", from->stride);
    if (from->count > run->pm4->packet_budget)
        return et_pm4_fail(run, ETALON_PM4_INDIRECT_LOOP, "%u sub-draws", from->count);
    run->cost = from->count;
    for (uint32_t i = 0; i < from->count; i++) {
        const uint64_t at = from->address + (uint64_t)i * from->stride;
        if (!et_pm4_mapped(&run->pm4->memory, at, record, false))
            return et_pm4_memory_fault(run, at, "the draw's arguments");
    }
    for (uint32_t i = 0; i < from->count; i++) {
        if (!read_record(run, from, i, bytes, &draw))
            return ET_PM4_FAULT_HERE;
        run->queue->num_instances = draw.instances;
        if (emit_draw(run, &draw, 0) == ET_PM4_FAULT_HERE)
            return ET_PM4_FAULT_HERE;
    }
    return consumed;
}

static uint32_t location(uint32_t offset)
{
    return offset & 0xFFFF;
}

uint32_t et_pm4_draw_indirect(struct et_pm4_run *run, uint32_t header, const uint32_t *body, uint32_t count)
{
    const bool indexed = (header >> 8 & 0xFF) == 0x25;
    const struct indirect from = {.address = run->queue->draw_base + body[0],
                                  .count = 1,
                                  .stride = 20,
                                  .initiator = body[3],
                                  .indexed = indexed,
                                  .vertex_location = location(body[1]),
                                  .instance_location = location(body[2]),
                                  .index_location =
                                      indexed && body[2] >> 28 & 1 ? body[1] >> 16 : ETALON_PM4_NO_LOCATION,
                                  .sub_draw_location = ETALON_PM4_NO_LOCATION};
    if (!initiator_ok(run, body[3], USE_BIT | 2))
        return ET_PM4_FAULT_HERE;
    return draw_all(run, &from, count);
}

/* The number of sub-draws: fixed, or read from memory and clamped; false with the fault recorded. */
static bool sub_draws(struct et_pm4_run *run, bool indirect, uint64_t address, uint32_t maximum,
                      uint32_t *draws)
{
    uint64_t value = maximum;
    if (indirect && !et_pm4_load(&run->pm4->memory, address & ~UINT64_C(3), 4, &value)) {
        et_pm4_memory_fault(run, address, "the draw count");
        return false;
    }
    *draws = ET_MIN((uint32_t)value, maximum);
    return true;
}

uint32_t et_pm4_draw_indirect_multi(struct et_pm4_run *run, uint32_t header, const uint32_t *body,
                                    uint32_t count)
{
    const bool indexed = (header >> 8 & 0xFF) == 0x38;
    struct indirect from = {.address = run->queue->draw_base + body[0],
                            .stride = body[7],
                            .initiator = body[8],
                            .indexed = indexed,
                            .vertex_location = location(body[1]),
                            .instance_location = location(body[2]),
                            .index_location =
                                indexed && body[3] >> 28 & 1 ? body[1] >> 16 : ETALON_PM4_NO_LOCATION,
                            .sub_draw_location = body[3] >> 31 ? location(body[3]) : ETALON_PM4_NO_LOCATION};
    if (!initiator_ok(run, body[8], USE_BIT | 2) ||
        !sub_draws(run, body[3] >> 30 & 1, et_pm4_address(body[5], body[6]), body[4], &from.count))
        return ET_PM4_FAULT_HERE;
    if (!from.count)
        return count;
    if (run->console && from.stride < (indexed ? 20u : 16u))
        return et_pm4_fail(run, ETALON_PM4_BAD_FIELD, "stride %u is less than a record", from.stride);
    return draw_all(run, &from, count);
}

/* ---- dispatches ---- */

uint32_t et_pm4_dispatch(struct et_pm4_run *run, uint32_t header, const uint32_t *body, uint32_t count)
{
    (void)header;
    const struct etalon_pm4_dispatch dispatch = {.queue = run->queue_id,
                                                 .packet = run->queue->packets,
                                                 .groups = {body[0], body[1], body[2]},
                                                 .initiator = body[3],
                                                 .ring_entry = ETALON_PM4_NO_LOCATION};
    return emit_dispatch(run, &dispatch, count);
}

/* Three dwords: an offset from the base of SET_BASE; four (compute): the address itself. */
uint32_t et_pm4_dispatch_indirect(struct et_pm4_run *run, uint32_t header, const uint32_t *body,
                                  uint32_t count)
{
    (void)header;
    const uint64_t at = count == 3 ? et_pm4_address(body[0], body[1]) : run->queue->dispatch_base + body[0];
    struct etalon_pm4_dispatch dispatch = {.queue = run->queue_id,
                                           .packet = run->queue->packets,
                                           .initiator = body[count - 1],
                                           .ring_entry = ETALON_PM4_NO_LOCATION};
    if (!et_pm4_read(&run->pm4->memory, at, dispatch.groups, sizeof dispatch.groups))
        return et_pm4_memory_fault(run, at, "the dispatch's arguments");
    return emit_dispatch(run, &dispatch, count);
}

/* ---- mesh and task shaders ---- */

/* Checks `draws` records of `size` bytes; false with the fault recorded. */
static bool records_mapped(struct et_pm4_run *run, uint64_t address, uint32_t draws, uint32_t stride,
                           uint32_t size)
{
    if (draws > 1 && stride < size) {
        et_pm4_fail(run, ETALON_PM4_BAD_FIELD, "stride %u is less than a record", stride);
        return false;
    }
    if (draws > run->pm4->packet_budget) {
        et_pm4_fail(run, ETALON_PM4_INDIRECT_LOOP, "%u sub-draws", draws);
        return false;
    }
    run->cost = draws;
    for (uint32_t i = 0; i < draws; i++)
        if (!et_pm4_mapped(&run->pm4->memory, address + (uint64_t)i * stride, size, false)) {
            et_pm4_memory_fault(run, address + (uint64_t)i * stride, "the draw's arguments");
            return false;
        }
    return true;
}

uint32_t et_pm4_mesh_indirect(struct et_pm4_run *run, uint32_t header, const uint32_t *body, uint32_t count)
{
    (void)header;
    const uint64_t address = run->queue->draw_base + body[0];
    uint32_t draws;
    if (!sub_draws(run, body[2] >> 30 & 1, et_pm4_address(body[4] & ~3u, body[5]), body[3], &draws) ||
        !records_mapped(run, address, draws, body[6], 12))
        return ET_PM4_FAULT_HERE;
    for (uint32_t i = 0; i < draws; i++) {
        struct etalon_pm4_draw draw = new_draw(run, ETALON_PM4_DRAW_MESH);
        draw.sub_draw = i;
        draw.initiator = body[7];
        draw.vertex_location = location(body[1]);
        if (body[2] >> 31)
            draw.sub_draw_location = body[1] >> 16;
        et_pm4_read(&run->pm4->memory, address + (uint64_t)i * body[6], draw.groups, sizeof draw.groups);
        if (emit_draw(run, &draw, 0) == ET_PM4_FAULT_HERE)
            return ET_PM4_FAULT_HERE;
    }
    return count;
}

/* DISPATCH_TASKMESH_GFX: the groups come out of the task ring that the compute queue fills. */
uint32_t et_pm4_mesh_gfx(struct et_pm4_run *run, uint32_t header, const uint32_t *body, uint32_t count)
{
    (void)header;
    struct etalon_pm4_draw draw = new_draw(run, ETALON_PM4_DRAW_MESH);
    draw.index_location = body[0] >> 16;
    draw.vertex_location = location(body[0]);
    draw.initiator = body[2];
    return emit_draw(run, &draw, count);
}

uint32_t et_pm4_task_state(struct et_pm4_run *run, uint32_t header, const uint32_t *body, uint32_t count)
{
    (void)header;
    run->queue->task_control = et_pm4_address(body[0] & ~0xFFu, body[1]);
    return count;
}

uint32_t et_pm4_task_direct(struct et_pm4_run *run, uint32_t header, const uint32_t *body, uint32_t count)
{
    (void)header;
    const struct etalon_pm4_dispatch dispatch = {.queue = run->queue_id,
                                                 .packet = run->queue->packets,
                                                 .groups = {body[0], body[1], body[2]},
                                                 .initiator = body[3],
                                                 .ring_entry = location(body[4]),
                                                 .control = run->queue->task_control};
    return emit_dispatch(run, &dispatch, count);
}

uint32_t et_pm4_task_indirect(struct et_pm4_run *run, uint32_t header, const uint32_t *body, uint32_t count)
{
    (void)header;
    const uint64_t address = et_pm4_address(body[0] & ~3u, body[1]);
    uint32_t draws;
    if (!sub_draws(run, body[3] >> 1 & 1, et_pm4_address(body[6] & ~3u, body[7]), body[5], &draws) ||
        !records_mapped(run, address, draws, body[8], 12))
        return ET_PM4_FAULT_HERE;
    for (uint32_t i = 0; i < draws; i++) {
        struct etalon_pm4_dispatch dispatch = {.queue = run->queue_id,
                                               .packet = run->queue->packets,
                                               .initiator = body[9],
                                               .ring_entry = location(body[2]),
                                               .control = run->queue->task_control};
        et_pm4_read(&run->pm4->memory, address + (uint64_t)i * body[8], dispatch.groups,
                    sizeof dispatch.groups);
        if (emit_dispatch(run, &dispatch, 0) == ET_PM4_FAULT_HERE)
            return ET_PM4_FAULT_HERE;
    }
    return count;
}
