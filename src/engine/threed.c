/* The 3D engine, B197 and C797: constant buffers, draws, clears, counters. [DOC: class headers; DRV: notes e
 * to j] */
#include "engine/threed.h"

#include "base/alloc.h"

enum {
    SELECTOR_SIZE = 0x2380,
    SELECTOR_ADDRESS = 0x2384,
    CONSTANT_OFFSET = 0x238c,
    CONSTANT_FIRST = 0x2390,
    CONSTANT_LAST = 0x23cc,
    ROOT_VISIBILITY = 0x240,
    ROOT_SELECTOR = 0x504,
    SET_EDGE_FLAG = 0x15e4,
    MOST_LISTED = 1 << 24 /* vertices of several draws between BEGIN and END */
};

static struct et_threed *threed_of(struct et_engine *engine)
{
    return (struct et_threed *)engine;
}

/* Constant buffers. */

static enum etalon_status load_constants(struct et_engine *engine, const uint32_t *words, size_t count,
                                         uint32_t method, struct etalon_error *error)
{
    struct et_environment *environment = engine->environment;
    const uint32_t size = et_register(&engine->registers, SELECTOR_SIZE) & 0x1ffff;
    const uint32_t offset = et_register(&engine->registers, CONSTANT_OFFSET) & 0xffff;
    const uint64_t address = (uint64_t)(et_register(&engine->registers, SELECTOR_ADDRESS) & 0x1ffff) << 32 |
                             et_register(&engine->registers, SELECTOR_ADDRESS + 4);
    /* Words past the selected size are dropped. [INF] */
    const uint64_t room = offset < size ? size - offset : 0,
                   bytes = ET_MIN(4 * (uint64_t)count, room & ~UINT64_C(3));
    const bool gated = et_register(&engine->registers, 0x30c) & 1 && !et_engine_renders(engine);
    struct et_trigger trigger = {
        .target = address + offset, .bytes = bytes, .count = {(uint32_t)count, 0, 0}};
    enum etalon_status status = ETALON_OK;
    if (et_trigger_open(environment, engine, &trigger, ET_TRIGGER_CONSTANTS, method, words[0]) && bytes &&
        !gated)
        status = et_view_write(&environment->view, trigger.target, words, bytes, error);
    if (!et_register_set(&engine->registers, CONSTANT_OFFSET, offset + 4 * (uint32_t)count))
        status = et_fail(error, ETALON_NO_MEMORY, "no memory for registers");
    return et_trigger_close(environment, &trigger, status, error);
}

static enum etalon_status load_constant(struct et_engine *engine, uint32_t method, unsigned i, uint32_t value,
                                        struct etalon_error *error)
{
    (void)i;
    return load_constants(engine, &value, 1, method, error);
}

static enum etalon_status flush(struct et_engine *engine, struct etalon_error *error);

static size_t upload(struct et_engine *engine, uint32_t method, enum et_run_mode mode, const uint32_t *words,
                     size_t count, enum etalon_status *status, struct etalon_error *error)
{
    if (method < CONSTANT_FIRST || method > CONSTANT_LAST)
        return et_inline_words(engine, method, mode, words, count, status, error);
    /* The 16 aliases are one port; a run that increases past them goes on elsewhere. */
    if (mode == ET_RUN_INCREASING)
        count = ET_MIN(count, (size_t)(CONSTANT_LAST - method) / 4 + 1);
    count = ET_MIN(count, (size_t)0x4000);
    *status = flush(engine, error);
    if (!*status)
        *status = load_constants(engine, words, count, method, error);
    return count;
}

static enum etalon_status bind_constants(struct et_engine *engine, uint32_t method, unsigned i,
                                         uint32_t value, struct etalon_error *error)
{
    struct et_threed *threed = threed_of(engine);
    const unsigned slot = et_bits(value, 8, 4);
    (void)method;
    if (slot >= ET_BIND_SLOTS || i >= ET_BIND_GROUPS)
        return et_fail(error, ETALON_BOUNDS, "constant buffer slot %u of group %u", slot, i);
    threed->bank[i][slot] = (struct et_draw_bank){
        .address = (uint64_t)(et_register(&engine->registers, SELECTOR_ADDRESS) & 0x1ffff) << 32 |
                   et_register(&engine->registers, SELECTOR_ADDRESS + 4),
        .size = et_register(&engine->registers, SELECTOR_SIZE) & 0x1ffff,
        .valid = value & 1,
    };
    threed->banks_dirty = true;
    return ETALON_OK;
}

static enum etalon_status unbind_all(struct et_engine *engine, uint32_t method, unsigned i, uint32_t value,
                                     struct etalon_error *error)
{
    struct et_threed *threed = threed_of(engine);
    (void)method;
    (void)i;
    (void)error;
    if (value >> 8 & 1)
        memset(threed->bank, 0, sizeof threed->bank);
    threed->banks_dirty = true;
    return ETALON_OK;
}

/* Counters. */

/* Adds what one draw counted, where the counter is enabled. */
static void add_counters(const struct et_engine *engine, struct et_counters *to,
                         const struct et_counters *from)
{
    static const struct {
        uint8_t bit;
        uint16_t at;
    } rows[] = {
        {0, offsetof(struct et_counters, da_vertices)},
        {1, offsetof(struct et_counters, da_primitives)},
        {2, offsetof(struct et_counters, vs_invocations)},
        {3, offsetof(struct et_counters, gs_invocations)},
        {4, offsetof(struct et_counters, gs_primitives)},
        {7, offsetof(struct et_counters, clipper_invocations)},
        {8, offsetof(struct et_counters, clipper_primitives)},
        {9, offsetof(struct et_counters, ps_invocations)},
        {11, offsetof(struct et_counters, ti_invocations)},
        {12, offsetof(struct et_counters, ts_invocations)},
        {13, offsetof(struct et_counters, ts_primitives)},
    };
    const uint32_t enabled = et_register(&engine->registers, 0xd68);
    for (unsigned i = 0; i < ET_COUNT(rows); i++)
        if (enabled >> rows[i].bit & 1)
            *(uint64_t *)((char *)to + rows[i].at) += *(const uint64_t *)((const char *)from + rows[i].at);
    for (unsigned s = 0; s < ET_XFB_BUFFERS; s++) {
        to->vtg_primitives_out[s] += enabled >> 10 & 1 ? from->vtg_primitives_out[s] : 0;
        to->streaming_succeeded[s] += enabled >> 5 & 1 ? from->streaming_succeeded[s] : 0;
        to->streaming_needed[s] += enabled >> 6 & 1 ? from->streaming_needed[s] : 0;
    }
    if (et_register(&engine->registers, 0x1514) & 1)
        to->zpass += from->zpass;
    et_add_counts(&to->shader, &from->shader);
}

static enum etalon_status clear_report_value(struct et_engine *engine, uint32_t method, unsigned i,
                                             uint32_t value, struct etalon_error *error)
{
    struct et_counters *c = &threed_of(engine)->results.counters;
    uint64_t *const counter[32] = {[0x01] = &c->zpass,
                                   [0x12] = &c->da_vertices,
                                   [0x13] = &c->da_primitives,
                                   [0x15] = &c->vs_invocations,
                                   [0x16] = &c->ti_invocations,
                                   [0x17] = &c->ts_invocations,
                                   [0x18] = &c->ts_primitives,
                                   [0x1a] = &c->gs_invocations,
                                   [0x1b] = &c->gs_primitives,
                                   [0x1c] = &c->clipper_invocations,
                                   [0x1d] = &c->clipper_primitives,
                                   [0x1e] = &c->ps_invocations};
    const uint32_t type = value & 31;
    (void)method;
    (void)i;
    if (counter[type])
        *counter[type] = 0;
    else if (type == 0x1f)
        memset(c->vtg_primitives_out, 0, sizeof c->vtg_primitives_out);
    else if (type == 0x10 || type == 0x03)
        memset(c->streaming_succeeded, 0, sizeof c->streaming_succeeded);
    else if (type != 0x11 && type != 0x02 && type != 0x04) /* depth culling and clocks are not counted */
        return et_fail(error, ETALON_BAD_VALUE, "CLEAR_REPORT_VALUE type %u", type);
    if (type == 0x11 || type == 0x03)
        memset(c->streaming_needed, 0, sizeof c->streaming_needed);
    return ETALON_OK;
}

static enum etalon_status report_counter(struct et_engine *engine, uint32_t report, uint32_t sub,
                                         uint64_t *value, struct etalon_error *error)
{
    const struct et_threed *threed = threed_of(engine);
    const struct et_counters *c = &threed->results.counters;
    const uint64_t *const counter[32] = {[0x01] = &c->da_vertices,         [0x02] = &c->zpass,
                                         [0x03] = &c->da_primitives,       [0x05] = &c->vs_invocations,
                                         [0x07] = &c->gs_invocations,      [0x09] = &c->gs_primitives,
                                         [0x0f] = &c->clipper_invocations, [0x11] = &c->clipper_primitives,
                                         [0x13] = &c->ps_invocations,      [0x15] = &c->zpass,
                                         [0x1b] = &c->ti_invocations,      [0x1d] = &c->ts_invocations,
                                         [0x1f] = &c->ts_primitives};
    report &= 31;
    if (counter[report]) {
        *value = *counter[report];
        return ETALON_OK;
    }
    if (report == 0x1e) {
        for (unsigned s = *value = 0; s < ET_XFB_BUFFERS; s++)
            *value += c->streaming_needed[s] - c->streaming_succeeded[s];
        return ETALON_OK;
    }
    if (sub >= ET_XFB_BUFFERS)
        return et_fail(error, ETALON_BAD_VALUE, "report %u of stream or buffer %u", report, sub);
    switch (report) {
    case 0x06:
        *value = c->streaming_needed[sub] - c->streaming_succeeded[sub];
        return ETALON_OK;
    case 0x12:
        *value = c->vtg_primitives_out[sub];
        return ETALON_OK;
    case 0x0b:
        *value = c->streaming_succeeded[sub];
        return ETALON_OK;
    case 0x0d:
        *value = c->streaming_needed[sub];
        return ETALON_OK;
    case 0x1a:
        *value = threed->results.xfb_written[sub];
        return ETALON_OK;
    default:
        return et_fail(error, ETALON_UNSUPPORTED, "report 0x%x", report);
    }
}

static enum etalon_status load_write_pointer(struct et_engine *engine, uint32_t method, unsigned i,
                                             uint32_t value, struct etalon_error *error)
{
    (void)method;
    (void)error;
    threed_of(engine)->results.xfb_written[i] = value;
    return ETALON_OK;
}

static enum etalon_status increment_sync_point(struct et_engine *engine, uint32_t method, unsigned i,
                                               uint32_t value, struct etalon_error *error)
{
    (void)method;
    (void)i;
    (void)error;
    engine->environment->sync_point(engine->environment->device, value & 0xfff);
    return ETALON_OK;
}

/* Draws. */

/* BEGIN's numbers of the topologies that SET_PRIMITIVE_TOPOLOGY counts otherwise; 0xff: not one of them. */
static uint32_t topology(const struct et_engine *engine, uint32_t begin)
{
    static const struct {
        uint16_t separate, begin;
    } rows[] = {{0x01, 0x0},   {0x02, 0x1},   {0x03, 0x3},   {0x04, 0x4},   {0x05, 0x5},
                {0x0a, 0xa},   {0x0b, 0xb},   {0x0c, 0xc},   {0x0d, 0xd},   {0x0e, 0xe},
                {0x1001, 0x0}, {0x1002, 0x1}, {0x1003, 0x4}, {0x100f, 0x1}, {0x1010, 0x3},
                {0x1011, 0x3}, {0x1012, 0x4}, {0x1013, 0x5}, {0x1014, 0x5}, {0x1015, 0x6},
                {0x1016, 0x6}, {0x1017, 0x6}, {0x1018, 0x1}, {0x101a, 0x4}, {0x101b, 0x1}};
    if (!(et_register(&engine->registers, 0x1948) & 1))
        return begin;
    const uint32_t separate = et_register(&engine->registers, 0x1970) & 0xffff;
    for (unsigned i = 0; i < ET_COUNT(rows); i++)
        if (rows[i].separate == separate)
            return rows[i].begin;
    return 0xff;
}

/* Root tables (Ampere): eight of 256 bytes, which the front end keeps. Where a binding group shows table t,
 * shaders read it as c[24 + t]. [DRV: NVK 26's shaders and streams] */
static enum etalon_status load_root_table(struct et_engine *engine, uint32_t method, unsigned i,
                                          uint32_t value, struct etalon_error *error)
{
    struct et_threed *threed = threed_of(engine);
    const uint32_t selector = et_register(&engine->registers, ROOT_SELECTOR);
    const uint32_t table = selector & 7, offset = et_bits(selector, 15, 8);
    (void)method;
    (void)i;
    et_store32(threed->root_table[table] + (offset & 0xfc), value);
    if (!et_register_set(&engine->registers, ROOT_SELECTOR, table | ((offset + 4) & 0xff) << 8))
        return et_fail(error, ETALON_NO_MEMORY, "no memory for registers");
    return ETALON_OK;
}

static void show_root_tables(struct et_threed *threed)
{
    const struct et_registers *registers = &threed->engine.registers;
    for (unsigned s = 0; s < ET_STAGES; s++) {
        const uint32_t group = et_register(registers, 0x2010 + 64 * s) & 7;
        for (unsigned t = 0; t < ET_ROOT_TABLES && group < ET_BIND_GROUPS; t++) {
            const uint32_t shown =
                et_bits(et_register(registers, ROOT_VISIBILITY + 4 * t), 4 * group + 1, 4 * group);
            threed->draw.stage[s].bank[ET_ROOT_BANK + t] = (struct et_draw_bank){
                .data = threed->root_table[t], .size = sizeof threed->root_table[t], .valid = shown != 0};
        }
    }
}

static void complete_draw(struct et_threed *threed, const struct et_pending_draw *pending)
{
    struct et_engine *engine = &threed->engine;
    const struct et_environment *environment = engine->environment;
    const struct et_registers *registers = &engine->registers;
    struct et_draw *draw = &threed->draw;
    et_threed_fill(threed, false);
    if (engine->klass->number == 0xc797)
        show_root_tables(threed);
    draw->map = environment->view.map;
    draw->event = draw->number = environment->view.event;
    draw->isa = environment->chip->isa;
    draw->sph_v4 = engine->klass->number == 0xc797;
    draw->source = pending->source;
    draw->topology = topology(engine, pending->topology);
    draw->first = pending->first;
    draw->count = pending->count;
    draw->inline_index = threed->inline_index;
    draw->inline_inner = threed->inline_inner;
    if (pending->index_size >= 0)
        draw->index_size = (uint32_t)pending->index_size;
    /* 0xde8 lets restart act on arrays too; nvc0 leaves it set and switches restart itself. [DRV] */
    draw->restart = et_register(registers, 0x1644) & 1 &&
                    (pending->source != ET_DRAW_ARRAYS || et_register(registers, 0xde8) & 1);
    draw->base_vertex = pending->ignores_base_vertex ? 0 : (int32_t)et_register(registers, 0x1434);
    draw->base_instance = pending->ignores_base_instance ? 0 : et_register(registers, 0x1438);
    draw->first_instance = pending->first_instance;
    draw->instance_count = pending->instances;
    draw->first_primitive = pending->continues_primitives ? threed->primitive_id : 0;
    draw->sm_count = environment->chip->sm_count;
    draw->reuse = environment->chip->reuse;
    draw->budget = environment->budget;
    draw->cancelled = environment->listener->cancelled;
    draw->cancel_context = environment->listener->context;
    draw->clock = environment->clock;
    draw->clock_context = environment->clock_context;
}

static enum etalon_status run_draw(struct et_threed *threed, struct etalon_error *error)
{
    struct et_draw_results results = {0};
    const uint32_t instances = threed->draw.instance_count;
    memcpy(results.xfb_written, threed->results.xfb_written, sizeof results.xfb_written);
    const enum etalon_status status =
        et_pipeline_draw(threed->engine.environment->pipeline, &threed->draw, &results, error);
    memcpy(threed->results.xfb_written, results.xfb_written, sizeof results.xfb_written);
    add_counters(&threed->engine, &threed->results.counters, &results.counters);
    et_add_counts(threed->engine.environment->executed, &results.counters.shader);
    threed->primitive_id =
        threed->draw.first_primitive + (uint32_t)(instances ? results.counters.da_primitives / instances : 0);
    return status;
}

/* Runs the draw that waits. */
static enum etalon_status flush(struct et_engine *engine, struct etalon_error *error)
{
    struct et_threed *threed = threed_of(engine);
    struct et_environment *environment = engine->environment;
    const struct et_pending_draw pending = threed->pending;
    if (!pending.any)
        return ETALON_OK;
    threed->pending.any = false;
    const uint64_t address = environment->address;
    const bool in_macro = environment->in_macro;
    environment->address = pending.address;
    environment->in_macro = pending.in_macro;
    struct et_trigger trigger = {.count = {pending.count, pending.instances, pending.first},
                                 .draw = &threed->draw};
    enum etalon_status status = ETALON_OK;
    complete_draw(threed, &pending);
    const bool runs =
        et_trigger_open(environment, engine, &trigger, ET_TRIGGER_DRAW, pending.method, pending.value);
    threed->draw.event = threed->draw.number = trigger.event;
    if (threed->draw.topology > 0xe)
        status = et_fail(error, ETALON_BAD_VALUE, "topology 0x%x", pending.topology);
    else if (runs && pending.count && pending.instances && et_engine_renders(engine))
        status = run_draw(threed, error);
    threed->inline_count = 0;
    if (pending.index_size >= 0)
        threed->filled = false;
    status = et_trigger_close(environment, &trigger, status, error);
    environment->address = address;
    environment->in_macro = in_macro;
    return status;
}

/* Whether `next` is the next instance of the draw that waits. */
static bool follows(const struct et_pending_draw *pending, const struct et_pending_draw *next)
{
    return pending->any && pending->source == next->source && pending->source != ET_DRAW_INLINE_INDICES &&
           pending->topology == next->topology && pending->first == next->first &&
           pending->count == next->count &&
           pending->first_instance + pending->instances == next->first_instance &&
           !pending->continues_primitives && !next->continues_primitives &&
           pending->ignores_base_vertex == next->ignores_base_vertex &&
           pending->ignores_base_instance == next->ignores_base_instance &&
           pending->index_size == next->index_size &&
           pending->instances + next->instances > pending->instances;
}

static enum etalon_status queue_draw(struct et_engine *engine, struct et_pending_draw *next, uint32_t method,
                                     uint32_t value, struct etalon_error *error)
{
    struct et_threed *threed = threed_of(engine);
    next->any = true;
    next->method = method;
    next->value = value;
    next->address = engine->environment->address;
    next->in_macro = engine->environment->in_macro;
    next->last = next->instances;
    if (follows(&threed->pending, next)) {
        threed->pending.instances += next->instances;
        threed->pending.last = next->instances;
        threed->pending.begin = next->begin;
        return ETALON_OK;
    }
    const enum etalon_status status = flush(engine, error);
    threed->pending = *next;
    return status;
}

/* INSTANCE_ID of a BEGIN: FIRST restarts, SUBSEQUENT is the next one, UNCHANGED the same. */
static void step_instance(struct et_threed *threed, uint32_t mode)
{
    if (mode == 0)
        threed->instance = 0;
    else if (mode == 1)
        threed->instance++;
}

static enum etalon_status begin(struct et_engine *engine, uint32_t method, unsigned i, uint32_t value,
                                struct etalon_error *error)
{
    struct et_threed *threed = threed_of(engine);
    (void)method;
    (void)i;
    if (threed->begun)
        return et_fail(error, ETALON_BAD_VALUE, "BEGIN inside BEGIN and END");
    if (et_bits(value, 30, 29))
        return et_fail(error, ETALON_UNSUPPORTED, "BEGIN 0x%x: a primitive split over draws", value);
    step_instance(threed, et_bits(value, 27, 26));
    threed->begun = true;
    threed->begin = value;
    threed->instance_from_begin = true;
    threed->apart = false;
    threed->edge_inner = !(et_register(&engine->registers, SET_EDGE_FLAG) & 1);
    threed->begins += threed->begins == UINT32_MAX ? 2 : 1;
    threed->inline_count = 0;
    return ETALON_OK;
}

static enum etalon_status end(struct et_engine *engine, uint32_t method, unsigned i, uint32_t value,
                              struct etalon_error *error)
{
    struct et_threed *threed = threed_of(engine);
    (void)i;
    enum etalon_status status = ETALON_OK;
    if (threed->begun && threed->inline_count) {
        struct et_pending_draw draw = {.source = ET_DRAW_INLINE_INDICES,
                                       .topology = threed->begin & 0xffff,
                                       .count = (uint32_t)threed->inline_count,
                                       .first_instance = threed->instance,
                                       .instances = 1,
                                       .continues_primitives = threed->begin >> 24 & 1 || threed->apart,
                                       .index_size = -1};
        status = queue_draw(engine, &draw, method, value, error);
        if (!status)
            status = flush(engine, error);
    }
    threed->begun = false;
    return status;
}

/* Appends a vertex to the list that is drawn at END. */
static enum etalon_status append_vertex(struct et_threed *threed, uint32_t index, bool inner,
                                        struct etalon_error *error)
{
    const size_t need = threed->inline_count + 1;
    if (!et_grow(&threed->inline_index, &threed->inline_capacity, need, sizeof index) ||
        !et_grow(&threed->inline_inner, &threed->inner_capacity, need, sizeof *threed->inline_inner))
        return et_fail(error, ETALON_NO_MEMORY, "no memory for inline indices");
    threed->inline_inner[threed->inline_count] = inner;
    threed->inline_index[threed->inline_count++] = index;
    return ETALON_OK;
}

static enum etalon_status append_draw(struct et_engine *engine, enum et_draw_source source, uint32_t first,
                                      uint32_t count, bool inner, struct etalon_error *error)
{
    struct et_threed *threed = threed_of(engine);
    enum etalon_status status = ETALON_OK;
    et_threed_fill(threed, false);
    const struct et_draw *draw = &threed->draw;
    const unsigned bytes = 1u << ET_MIN(draw->index_size, 2u);
    if (count > MOST_LISTED || threed->inline_count > MOST_LISTED - count)
        return et_fail(error, ETALON_BUDGET, "%u vertices of one draw of several between BEGIN and END",
                       count);
    for (uint32_t i = 0; i < count && !status; i++) {
        const uint64_t address = draw->index_address + ((uint64_t)first + i) * bytes;
        uint8_t raw[4] = {0};
        uint32_t index = first + i;
        if (source == ET_DRAW_INDEXED) {
            if (address < draw->index_limit && draw->index_limit - address >= bytes)
                status = et_view_read(&engine->environment->view, address, raw, bytes, error);
            index = et_load32(raw);
        }
        if (!status)
            status = append_vertex(threed, index, inner, error);
    }
    return status;
}

/* Several draws between BEGIN and END are one stream of vertices [DRV: nvc0 draws runs of vertices of one
 * edge flag, single ones and restarts so]: the one that waits becomes the list's start. `inner`: its edge
 * flag was off. */
static enum etalon_status list_pending(struct et_engine *engine, bool inner, struct etalon_error *error)
{
    struct et_threed *threed = threed_of(engine);
    struct et_pending_draw *pending = &threed->pending, first = *pending;
    enum etalon_status status = ETALON_OK;
    if (!pending->any || pending->begin != threed->begins) {
        threed->apart |= !threed->instance_from_begin;
        return flush(engine, error);
    }
    pending->instances -= pending->last;
    if (!pending->instances)
        pending->any = false;
    else
        status = flush(engine, error); /* the instances before */
    if (!status)
        status = append_draw(engine, first.source, first.first, first.count, inner, error);
    return status;
}

static enum etalon_status draw_between(struct et_engine *engine, enum et_draw_source source, uint32_t first,
                                       uint32_t count, uint32_t method, uint32_t value,
                                       struct etalon_error *error)
{
    struct et_threed *threed = threed_of(engine);
    if (!threed->begun)
        return et_fail(error, ETALON_BAD_VALUE, "a draw outside BEGIN and END");
    const bool iterates = engine->klass->number == 0xc797 && threed->begin >> 31;
    const bool inner = !(et_register(&engine->registers, SET_EDGE_FLAG) & 1);
    if (!threed->instance_from_begin && !iterates) {
        const enum etalon_status status =
            threed->inline_count ? ETALON_OK : list_pending(engine, inner, error);
        return status ? status : append_draw(engine, source, first, count, inner, error);
    }
    struct et_pending_draw draw = {
        .source = source,
        .topology = threed->begin & 0xffff,
        .first = first,
        .count = count,
        .first_instance = threed->instance,
        .instances = iterates ? et_register(&engine->registers, 0x220) : 1,
        .begin = threed->begins,
        .continues_primitives = threed->begin >> 24 & 1 || !threed->instance_from_begin,
        .index_size = -1,
    };
    threed->instance_from_begin = false;
    return queue_draw(engine, &draw, method, value, error);
}

static enum etalon_status draw_vertex_array(struct et_engine *engine, uint32_t method, unsigned i,
                                            uint32_t value, struct etalon_error *error)
{
    (void)i;
    return draw_between(engine, ET_DRAW_ARRAYS, et_register(&engine->registers, 0xd74), value, method, value,
                        error);
}

static enum etalon_status draw_index_buffer(struct et_engine *engine, uint32_t method, unsigned i,
                                            uint32_t value, struct etalon_error *error)
{
    (void)i;
    return draw_between(engine, ET_DRAW_INDEXED, et_register(&engine->registers, 0x17dc), value, method,
                        value, error);
}

/* Vertices from the bytes that transform feedback wrote. */
static enum etalon_status draw_auto(struct et_engine *engine, uint32_t method, unsigned i, uint32_t value,
                                    struct etalon_error *error)
{
    const uint32_t stride = et_register(&engine->registers, 0x1318) & 0xfff;
    const uint32_t start = et_register(&engine->registers, 0x13a4);
    (void)i;
    if (!stride)
        return et_fail(error, ETALON_BAD_VALUE, "DRAW_AUTO with a stride of zero");
    return draw_between(engine, ET_DRAW_ARRAYS, 0, value > start ? (value - start) / stride : 0, method,
                        value, error);
}

static enum etalon_status draw_zero_index(struct et_engine *engine, uint32_t method, unsigned i,
                                          uint32_t value, struct etalon_error *error)
{
    (void)engine;
    (void)method;
    (void)i;
    return et_fail(error, ETALON_UNSUPPORTED, "DRAW_ZERO_INDEX 0x%x", value);
}

static enum etalon_status add_index(struct et_engine *engine, uint32_t index, struct etalon_error *error)
{
    struct et_threed *threed = threed_of(engine);
    const bool inner = !(et_register(&engine->registers, SET_EDGE_FLAG) & 1);
    if (!threed->begun)
        return et_fail(error, ETALON_BAD_VALUE, "an inline index outside BEGIN and END");
    /* A draw that waits may still read the array. */
    if (!threed->inline_count) {
        const enum etalon_status status = list_pending(engine, inner, error);
        if (status)
            return status;
    }
    return append_vertex(threed, index, inner, error);
}

/* SET_EDGE_FLAG between draws of one BEGIN parts their vertices. The register has its new value already. */
static enum etalon_status set_edge_flag(struct et_engine *engine, uint32_t method, unsigned i, uint32_t value,
                                        struct etalon_error *error)
{
    struct et_threed *threed = threed_of(engine);
    const bool was_inner = threed->edge_inner;
    (void)method;
    (void)i;
    threed->edge_inner = !(value & 1);
    if (!threed->begun || was_inner == threed->edge_inner || threed->inline_count)
        return ETALON_OK;
    return list_pending(engine, was_inner, error);
}

static enum etalon_status draw_inline_index(struct et_engine *engine, uint32_t method, unsigned i,
                                            uint32_t value, struct etalon_error *error)
{
    (void)method;
    (void)i;
    return add_index(engine, value, error);
}

/* COUNT indices are to come, the first at position START of its word. Without a count, and once it is used
 * up, words are whole. [DRV: nvc0 never writes the count; INF] */
static enum etalon_status draw_packed(struct et_engine *engine, uint32_t align_method, unsigned count_bits,
                                      unsigned a_word, uint32_t value, struct etalon_error *error)
{
    const uint32_t align = et_register(&engine->registers, align_method);
    const uint32_t counted = align & ((1u << count_bits) - 1);
    uint32_t left = counted ? counted : a_word, start = align >> count_bits;
    const unsigned bits = 32 / a_word;
    enum etalon_status status = ETALON_OK;
    for (; start < a_word && left && !status; start++, left--)
        status = add_index(engine, et_bits(value, start * bits + bits - 1, start * bits), error);
    if (!status && align && !et_register_set(&engine->registers, align_method, counted ? left : 0))
        status = et_fail(error, ETALON_NO_MEMORY, "no memory for registers");
    return status;
}

static enum etalon_status draw_inline_index4x8(struct et_engine *engine, uint32_t method, unsigned i,
                                               uint32_t value, struct etalon_error *error)
{
    (void)method;
    (void)i;
    return draw_packed(engine, 0x1300, 30, 4, value, error);
}

static enum etalon_status draw_inline_index2x16(struct et_engine *engine, uint32_t method, unsigned i,
                                                uint32_t value, struct etalon_error *error)
{
    (void)method;
    (void)i;
    return draw_packed(engine, 0x15ec, 31, 2, value, error);
}

/* One word holds a whole draw: START 15:0, COUNT 27:16, TOPOLOGY 31:28. */
static enum etalon_status draw_short(struct et_engine *engine, bool subsequent, int index_size,
                                     uint32_t method, uint32_t value, struct etalon_error *error)
{
    struct et_threed *threed = threed_of(engine);
    if (threed->begun)
        return et_fail(error, ETALON_BAD_VALUE, "a whole draw between BEGIN and END");
    step_instance(threed, subsequent);
    struct et_pending_draw draw = {.source = index_size < 0 ? ET_DRAW_ARRAYS : ET_DRAW_INDEXED,
                                   .topology = et_bits(value, 31, 28),
                                   .first = et_bits(value, 15, 0),
                                   .count = et_bits(value, 27, 16),
                                   .first_instance = threed->instance,
                                   .instances = 1,
                                   .index_size = index_size};
    return queue_draw(engine, &draw, method, value, error);
}

#define DRAW_SHORT(name, subsequent, index_size)                                                             \
    static enum etalon_status name(struct et_engine *engine, uint32_t method, unsigned i, uint32_t value,    \
                                   struct etalon_error *error)                                               \
    {                                                                                                        \
        (void)i;                                                                                             \
        return draw_short(engine, subsequent, index_size, method, value, error);                             \
    }
DRAW_SHORT(short_array_first, false, -1)
DRAW_SHORT(short_array_next, true, -1)
DRAW_SHORT(short_32_first, false, 2)
DRAW_SHORT(short_16_first, false, 1)
DRAW_SHORT(short_8_first, false, 0)
DRAW_SHORT(short_32_next, true, 2)
DRAW_SHORT(short_16_next, true, 1)
DRAW_SHORT(short_8_next, true, 0)

/* Ampere: all instances in one command, by SET_DRAW_CONTROL_A and _B. */
static enum etalon_status draw_control(struct et_engine *engine, enum et_draw_source source, uint32_t first,
                                       uint32_t method, uint32_t value, struct etalon_error *error)
{
    struct et_threed *threed = threed_of(engine);
    const uint32_t control = et_register(&engine->registers, 0x260);
    if (threed->begun)
        return et_fail(error, ETALON_BAD_VALUE, "a whole draw between BEGIN and END");
    if (et_bits(control, 8, 7))
        return et_fail(error, ETALON_UNSUPPORTED, "SET_DRAW_CONTROL_A 0x%x: a primitive split over draws",
                       control);
    step_instance(threed, et_bits(control, 6, 5));
    struct et_pending_draw draw = {
        .source = source,
        .topology = et_bits(control, 3, 0),
        .first = first,
        .count = value,
        .first_instance = threed->instance,
        .instances = control >> 9 & 1 ? et_register(&engine->registers, 0x264) : 1,
        .continues_primitives = control >> 4 & 1,
        .ignores_base_vertex = control >> 10 & 1,
        .ignores_base_instance = control >> 11 & 1,
        .index_size = -1,
    };
    if (draw.instances)
        threed->instance += draw.instances - 1;
    return queue_draw(engine, &draw, method, value, error);
}

static enum etalon_status draw_indices_whole(struct et_engine *engine, uint32_t method, unsigned i,
                                             uint32_t value, struct etalon_error *error)
{
    (void)i;
    return draw_control(engine, ET_DRAW_INDEXED, et_register(&engine->registers, 0x268), method, value,
                        error);
}

static enum etalon_status draw_array_whole(struct et_engine *engine, uint32_t method, unsigned i,
                                           uint32_t value, struct etalon_error *error)
{
    (void)i;
    return draw_control(engine, ET_DRAW_ARRAYS, et_register(&engine->registers, 0x270), method, value, error);
}

static enum etalon_status load_primitive_id(struct et_engine *engine, uint32_t method, unsigned i,
                                            uint32_t value, struct etalon_error *error)
{
    (void)i;
    (void)error;
    threed_of(engine)->primitive_id = method == 0x1620 ? threed_of(engine)->primitive_id + value : value;
    return ETALON_OK;
}

static enum etalon_status clear_surface(struct et_engine *engine, uint32_t method, unsigned i, uint32_t value,
                                        struct etalon_error *error)
{
    struct et_threed *threed = threed_of(engine);
    struct et_environment *environment = engine->environment;
    struct et_trigger trigger = {.count = {value, 0, 0}, .draw = &threed->draw};
    struct et_clear clear;
    enum etalon_status status = ETALON_OK;
    (void)i;
    et_threed_fill(threed, false);
    const bool runs = et_trigger_open(environment, engine, &trigger, ET_TRIGGER_CLEAR, method, value);
    et_threed_fill_clear(threed, value, &clear);
    if (et_bits(value, 9, 6) >= ET_TARGETS && value & 0x3c)
        status = et_fail(error, ETALON_BOUNDS, "CLEAR_SURFACE of target %u", et_bits(value, 9, 6));
    else if (runs && et_engine_renders(engine))
        status = et_pipeline_clear(environment->pipeline, &clear, error);
    return et_trigger_close(environment, &trigger, status, error);
}

static void finish(struct et_engine *engine)
{
    et_free(threed_of(engine)->inline_index);
    et_free(threed_of(engine)->inline_inner);
}

static enum etalon_status set_registers(struct et_engine *engine, const uint32_t (*pair)[2], unsigned count,
                                        struct etalon_error *error)
{
    for (unsigned i = 0; i < count; i++)
        if (!et_register_set(&engine->registers, pair[i][0], pair[i][1]))
            return et_fail(error, ETALON_NO_MEMORY, "no memory for registers");
    return ETALON_OK;
}

/* D3D's cull modes, NONE 1, CW 2, CCW 3, are OpenGL's cull of back faces where the other winding is the
 * front. [INF: one culling unit under both names] */
static enum etalon_status set_d3d_cull(struct et_engine *engine, uint32_t method, unsigned i, uint32_t value,
                                       struct etalon_error *error)
{
    const uint32_t pair[][2] = {{0x1918, value > 1}, {0x191c, value == 2 ? 0x901 : 0x900}, {0x1920, 0x405}};
    (void)method;
    (void)i;
    if (value < 1 || value > 3)
        return et_fail(error, ETALON_BAD_VALUE, "D3D_SET_CULL_MODE %u", value);
    return set_registers(engine, pair, value > 1 ? 3 : 1, error);
}

/* D3D's fill modes, POINT 1, WIREFRAME 2, SOLID 3, are both faces' polygon modes. [INF] */
static enum etalon_status set_d3d_fill(struct et_engine *engine, uint32_t method, unsigned i, uint32_t value,
                                       struct etalon_error *error)
{
    const uint32_t mode = 0x1b00 + value - 1, pair[][2] = {{0xdac, mode}, {0xdb0, mode}};
    (void)method;
    (void)i;
    if (value < 1 || value > 3)
        return et_fail(error, ETALON_BAD_VALUE, "SET_FILL_MODE %u", value);
    return set_registers(engine, pair, 2, error);
}

static const struct et_action_row actions[] = {
    {"LOAD_CONSTANT_BUFFER", load_constant},
    {"BIND_GROUP_CONSTANT_BUFFER", bind_constants},
    {"UNBIND_ALL", unbind_all},
    {"CLEAR_REPORT_VALUE", clear_report_value},
    {"SET_STREAM_OUT_BUFFER_LOAD_WRITE_POINTER", load_write_pointer},
    {"INCREMENT_SYNC_POINT", increment_sync_point},
    {"BEGIN", begin},
    {"END", end},
    {"DRAW_VERTEX_ARRAY", draw_vertex_array},
    {"DRAW_INDEX_BUFFER", draw_index_buffer},
    {"DRAW_AUTO", draw_auto},
    {"DRAW_ZERO_INDEX", draw_zero_index},
    {"DRAW_INLINE_INDEX", draw_inline_index},
    {"DRAW_INLINE_INDEX4X8", draw_inline_index4x8},
    {"DRAW_INLINE_INDEX2X16", draw_inline_index2x16},
    {"DRAW_VERTEX_ARRAY_BEGIN_END_INSTANCE_FIRST", short_array_first},
    {"DRAW_VERTEX_ARRAY_BEGIN_END_INSTANCE_SUBSEQUENT", short_array_next},
    {"DRAW_INDEX_BUFFER32_BEGIN_END_INSTANCE_FIRST", short_32_first},
    {"DRAW_INDEX_BUFFER16_BEGIN_END_INSTANCE_FIRST", short_16_first},
    {"DRAW_INDEX_BUFFER8_BEGIN_END_INSTANCE_FIRST", short_8_first},
    {"DRAW_INDEX_BUFFER32_BEGIN_END_INSTANCE_SUBSEQUENT", short_32_next},
    {"DRAW_INDEX_BUFFER16_BEGIN_END_INSTANCE_SUBSEQUENT", short_16_next},
    {"DRAW_INDEX_BUFFER8_BEGIN_END_INSTANCE_SUBSEQUENT", short_8_next},
    {"DRAW_INDEX_BUFFER_BEGIN_END_B", draw_indices_whole},
    {"DRAW_VERTEX_ARRAY_BEGIN_END_B", draw_array_whole},
    {"SET_EDGE_FLAG", set_edge_flag},
    {"D3D_SET_CULL_MODE", set_d3d_cull},
    {"SET_FILL_MODE", set_d3d_fill},
    {"LOAD_PRIMITIVE_ID", load_primitive_id},
    {"ADD_TO_PRIMITIVE_ID", load_primitive_id},
    {"CLEAR_SURFACE", clear_surface},
    {"LOAD_ROOT_TABLE", load_root_table},
    {NULL, NULL},
};

/* What may come between two instances of one draw without its running first: the draw's own methods, and
 * writes that change nothing. */
static bool keeps_pending(const struct et_engine *engine, const struct et_method *row, uint32_t method,
                          uint32_t value)
{
    const struct et_threed *const threed = (const struct et_threed *)(const void *)engine;
    if (method == SET_EDGE_FLAG)
        return threed->begun || et_register(&engine->registers, method) == value;
    if (row->effect != ET_EFFECT_ACTS)
        return et_register(&engine->registers, method) == value;
    return method == 0x1618 || method == 0x1614 || method == 0xd78 || method == 0x17e0 || method == 0x1218 ||
           (method >= 0x17f0 && method <= 0x17f8);
}

const struct et_engine_type et_threed_type = {.size = sizeof(struct et_threed),
                                              .actions = actions,
                                              .init = et_threed_reset,
                                              .finish = finish,
                                              .upload = upload,
                                              .counter = report_counter,
                                              .flush = flush,
                                              .keeps_pending = keeps_pending};
