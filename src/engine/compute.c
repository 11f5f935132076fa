/* Compute, B1C0 and C7C0: a launch descriptor (QMD) in memory becomes a launch of the interpreter. [DOC:
 * class and QMD headers; DRV: note k]
 *
 * A descriptor is executed when it is scheduled, then its releases are written, then its enabled dependents
 * run. */
#include "base/alloc.h"
#include "engine/internal.h"
#include "engine/qmd.h"
#include "engine/semaphore.h"
#include "isa/interp/program.h"
#include "shader/cache.h"

#define QMD_BANKS      8u
#define WINDOW_BYTES   (UINT64_C(1) << 24)
#define MAX_DEPENDENTS 4096u /* of one launch, in all: a chain may be a ring */

struct dispatch {
    struct et_engine *engine;
    const struct et_qmd_version *version;
    uint32_t words[ET_QMD_WORDS];
    uint64_t address;
    struct et_launch launch;
    struct et_grid grid;
    uint8_t *copies[QMD_BANKS]; /* of constant buffers that are not contiguous in RAM */
};

/* Where the two classes keep the same things. */
struct layout {
    uint16_t klass, shared_window, local_window;
    bool wide; /* windows are an upper and a lower register */
};
static const struct layout layouts[] = {{0xb1c0, 0x214, 0x77c, false}, {0xc7c0, 0x2a0, 0x7b0, true}};

enum {
    PCAS_A = 0x2b4,
    INLINE_QMD_ADDRESS_A = 0x318,
    SAMPLER_POOL = 0x155c,
    HEADER_POOL = 0x1574,
    PROGRAM_REGION = 0x1608,
    BINDLESS = 0x2608,
    MAXWELL_HEADERS = 0x218
};

static uint64_t get(const struct dispatch *dispatch, const char *field, unsigned i)
{
    return et_qmd_get(dispatch->version, dispatch->words, field, i);
}

static uint64_t get_address(const struct dispatch *dispatch, const char *lower, const char *upper, unsigned i)
{
    return get(dispatch, upper, i) << 32 | get(dispatch, lower, i);
}

uint64_t et_mapped_bytes(struct et_view *view, uint64_t address, uint64_t bytes)
{
    uint64_t at = address;
    while (at - address < bytes) {
        const struct et_extent *extent = et_view_extent(view, at);
        if (!extent || !(extent->rights & ET_READ))
            break;
        at = extent->end;
    }
    return ET_MIN(at - address, bytes);
}

/* A constant buffer as one run of bytes; what lies past the mapped part reads as zero. */
static enum etalon_status bind_bank(struct dispatch *dispatch, unsigned i, uint64_t address, uint32_t size,
                                    struct etalon_error *error)
{
    struct et_view *view = &dispatch->engine->environment->view;
    const uint64_t mapped = et_mapped_bytes(view, address, size);
    struct et_bank *bank = &dispatch->launch.banks[i];
    if (!mapped)
        return ETALON_OK;
    bank->size = (uint32_t)mapped;
    bank->data = et_view_pointer(view, address, mapped);
    if (bank->data)
        return ETALON_OK;
    dispatch->copies[i] = et_calloc((size_t)mapped, 1);
    if (!dispatch->copies[i])
        return et_fail(error, ETALON_NO_MEMORY, "no memory for a constant buffer");
    bank->data = dispatch->copies[i];
    return et_view_read(view, address, dispatch->copies[i], mapped, error);
}

static enum etalon_status bind_banks(struct dispatch *dispatch, struct etalon_error *error)
{
    for (unsigned i = 0; i < QMD_BANKS; i++) {
        if (!get(dispatch, "CONSTANT_BUFFER_VALID", i))
            continue;
        const uint32_t size = (uint32_t)(get(dispatch, "CONSTANT_BUFFER_SIZE", i) |
                                         get(dispatch, "CONSTANT_BUFFER_SIZE_SHIFTED4", i) << 4);
        const enum etalon_status status = bind_bank(
            dispatch, i, get_address(dispatch, "CONSTANT_BUFFER_ADDR_LOWER", "CONSTANT_BUFFER_ADDR_UPPER", i),
            size, error);
        if (status)
            return status;
    }
    return ETALON_OK;
}

static uint64_t window(const struct et_registers *registers, const struct layout *layout, uint32_t offset)
{
    return layout->wide ? et_register_address(registers, offset) & UINT64_C(0x1ffffffffffff)
                        : et_register(registers, offset);
}

void et_engine_pools(const struct et_engine *engine, bool sampler_via_header, struct et_tex_pools *pools)
{
    const struct et_registers *registers = &engine->registers;
    const bool ampere = engine->environment->chip->isa == ET_ISA_AMPERE;
    const uint32_t select = engine->klass->number == 0xb197 ? 0xf10 : MAXWELL_HEADERS;
    *pools = (struct et_tex_pools){
        .headers = et_register_address(registers, HEADER_POOL) & UINT64_C(0x1ffffffffffff),
        .last_header = et_register(registers, HEADER_POOL + 8) & 0x3fffff,
        .samplers = et_register_address(registers, SAMPLER_POOL) & UINT64_C(0x1ffffffffffff),
        .last_sampler = et_register(registers, SAMPLER_POOL + 8) & 0xfffff,
        .sampler_via_header = sampler_via_header,
        .ampere = ampere,
        .maxwell_headers = ampere || (et_register(registers, select) & 1),
    };
}

static enum etalon_status find_program(struct dispatch *dispatch, struct etalon_error *error)
{
    struct et_engine *engine = dispatch->engine;
    struct et_environment *environment = engine->environment;
    const struct et_shader *shader;
    uint64_t address = get_address(dispatch, "PROGRAM_ADDRESS_LOWER", "PROGRAM_ADDRESS_UPPER", 0), region = 0;
    if (engine->klass->number == 0xb1c0) {
        region = et_register_address(&engine->registers, PROGRAM_REGION) & UINT64_C(0xffffffffff);
        address = region + get(dispatch, "PROGRAM_OFFSET", 0);
    }
    const enum etalon_status status = et_shader_cache_get_code(
        environment->shaders, &environment->view, address, region, environment->chip->isa, &shader, error);
    if (!status)
        dispatch->launch.program = shader->program;
    return status;
}

static enum etalon_status prepare(struct dispatch *dispatch, struct etalon_error *error)
{
    const struct et_engine *engine = dispatch->engine;
    const struct et_environment *environment = engine->environment;
    const struct layout *layout = engine->klass->number == layouts[0].klass ? &layouts[0] : &layouts[1];
    const struct et_listener *listener = environment->listener;
    struct et_launch *launch = &dispatch->launch;
    if (get(dispatch, "IS_QUEUE", 0))
        return et_fail(error, ETALON_UNSUPPORTED, "a launch descriptor that is a queue");
    *launch = (struct et_launch){
        .stage = ET_STAGE_COMPUTE,
        .map = environment->view.map,
        .event = environment->view.event,
        .bindless_bank =
            engine->klass->number == 0xb1c0 ? (int)(et_register(&engine->registers, BINDLESS) & 7) : -1,
        .shared_window = window(&engine->registers, layout, layout->shared_window),
        .local_window = window(&engine->registers, layout, layout->local_window),
        .window_bytes = WINDOW_BYTES,
        .local_bytes = (uint32_t)(get(dispatch, "SHADER_LOCAL_MEMORY_LOW_SIZE", 0) +
                                  get(dispatch, "SHADER_LOCAL_MEMORY_HIGH_SIZE", 0)),
        .crs_bytes = (uint32_t)get(dispatch, "SHADER_LOCAL_MEMORY_CRS_SIZE", 0),
        .sm_count = environment->chip->sm_count,
        .y_direction = 1,
        .clock = environment->clock,
        .clock_context = environment->clock_context,
        .budget = environment->budget,
        .cancelled = listener->cancelled,
        .cancel_context = listener->context,
    };
    et_engine_pools(engine, get(dispatch, "SAMPLER_INDEX", 0), &launch->pools);
    const uint64_t registers = get(dispatch, "REGISTER_COUNT_V", 0);
    dispatch->grid = (struct et_grid){
        .grid = {(uint32_t)get(dispatch, "CTA_RASTER_WIDTH", 0),
                 (uint32_t)get(dispatch, "CTA_RASTER_HEIGHT", 0),
                 (uint32_t)get(dispatch, "CTA_RASTER_DEPTH", 0)},
        .block = {(uint32_t)get(dispatch, "CTA_THREAD_DIMENSION0", 0),
                  (uint32_t)get(dispatch, "CTA_THREAD_DIMENSION1", 0),
                  (uint32_t)get(dispatch, "CTA_THREAD_DIMENSION2", 0)},
        .shared_bytes = (uint32_t)get(dispatch, "SHARED_MEMORY_SIZE", 0),
        .registers = (uint32_t)(registers ? registers : get(dispatch, "REGISTER_COUNT", 0)),
        .barriers = (uint32_t)get(dispatch, "BARRIER_COUNT", 0),
        .threads = environment->threads,
        .ordered = get(dispatch, "SEQUENTIALLY_RUN_CTAS", 0),
    };
    return ETALON_OK;
}

static enum etalon_status execute(struct dispatch *dispatch, struct etalon_error *error)
{
    const struct et_grid *grid = &dispatch->grid;
    struct et_counts counts = {0};
    for (unsigned i = 0; i < 3; i++)
        if (!grid->grid[i] || !grid->block[i])
            return ETALON_OK;
    if ((uint64_t)grid->block[0] * grid->block[1] * grid->block[2] > 1024)
        return et_fail(error, ETALON_BAD_VALUE, "a thread block of %u x %u x %u threads", grid->block[0],
                       grid->block[1], grid->block[2]);
    enum etalon_status status = find_program(dispatch, error);
    if (!status)
        status = bind_banks(dispatch, error);
    if (!status)
        status = et_run_grid(&dispatch->launch, grid, &counts, error);
    et_add_counts(dispatch->engine->environment->executed, &counts);
    for (unsigned i = 0; i < QMD_BANKS; i++)
        et_free(dispatch->copies[i]);
    return status;
}

/* Version 3's releases have their own enable bits and a 64-bit payload; older ones share a field and one
 * word. */
static enum etalon_status release(struct dispatch *dispatch, unsigned n, struct etalon_error *error)
{
    static const char *const names[3][10] = {
        {"RELEASE0_ENABLE", "SEMAPHORE_RELEASE_ENABLE0", "RELEASE0_ADDRESS_LOWER", "RELEASE0_ADDRESS_UPPER",
         "RELEASE0_PAYLOAD", "RELEASE0_PAYLOAD_LOWER", "RELEASE0_PAYLOAD_UPPER", "RELEASE0_STRUCTURE_SIZE",
         "RELEASE0_REDUCTION_ENABLE", "RELEASE0_REDUCTION_OP"},
        {"RELEASE1_ENABLE", "SEMAPHORE_RELEASE_ENABLE1", "RELEASE1_ADDRESS_LOWER", "RELEASE1_ADDRESS_UPPER",
         "RELEASE1_PAYLOAD", "RELEASE1_PAYLOAD_LOWER", "RELEASE1_PAYLOAD_UPPER", "RELEASE1_STRUCTURE_SIZE",
         "RELEASE1_REDUCTION_ENABLE", "RELEASE1_REDUCTION_OP"},
        {"RELEASE2_ENABLE", "", "RELEASE2_ADDRESS_LOWER", "RELEASE2_ADDRESS_UPPER", "",
         "RELEASE2_PAYLOAD_LOWER", "RELEASE2_PAYLOAD_UPPER", "RELEASE2_STRUCTURE_SIZE",
         "RELEASE2_REDUCTION_ENABLE", "RELEASE2_REDUCTION_OP"}};
    static const char *const formats[3] = {"RELEASE0_REDUCTION_FORMAT", "RELEASE1_REDUCTION_FORMAT",
                                           "RELEASE2_REDUCTION_FORMAT"};
    static const char *const wide[3] = {"RELEASE0_PAYLOAD64B", "RELEASE1_PAYLOAD64B", "RELEASE2_PAYLOAD64B"};
    const char *const *name = names[n];
    if (!get(dispatch, name[0], 0) && !get(dispatch, name[1], 0))
        return ETALON_OK;
    const uint64_t structure = get(dispatch, name[7], 0);
    const struct et_release release = {
        .address = get_address(dispatch, name[2], name[3], 0),
        .payload = get(dispatch, name[4], 0) | get(dispatch, name[5], 0) | get(dispatch, name[6], 0) << 32,
        .payload_words = structure == 2 || (structure == 0 && get(dispatch, wide[n], 0)) ? 2 : 1,
        .timestamp = structure == 0,
        .reduction = get(dispatch, name[8], 0) ? et_reduction_by_number((uint32_t)get(dispatch, name[9], 0))
                                               : ET_REDUCE_NONE,
        .reduction_signed = get(dispatch, formats[n], 0) == 1,
    };
    return et_release_write(dispatch->engine->environment, &release, error);
}

static enum etalon_status schedule(struct et_engine *engine, uint64_t address, uint32_t method,
                                   uint32_t value, unsigned *left, struct etalon_error *error);

/* The descriptors that this one starts when it is done. Addresses are in units of 256 bytes. */
static enum etalon_status dependents(const struct dispatch *dispatch, uint32_t method, uint32_t value,
                                     unsigned *left, struct etalon_error *error)
{
    static const char *const names[3][3] = {
        {"DEPENDENT_QMD_SCHEDULE_ENABLE", "DEPENDENT_QMD_POINTER", ""},
        {"DEPENDENT_QMD0_ENABLE", "DEPENDENT_QMD0_POINTER", "DEPENDENT_QMD0_ACTION"},
        {"DEPENDENT_QMD1_ENABLE", "DEPENDENT_QMD1_POINTER", "DEPENDENT_QMD1_ACTION"}};
    for (unsigned i = 0; i < ET_COUNT(names); i++) {
        const uint64_t action = get(dispatch, names[i][2], 0);
        if (!get(dispatch, names[i][0], 0))
            continue;
        if (*names[i][2] && action != 1 && action != 3)
            return et_fail(error, ETALON_UNSUPPORTED, "%s %llu", names[i][2], (unsigned long long)action);
        const enum etalon_status status =
            schedule(dispatch->engine, get(dispatch, names[i][1], 0) << 8, method, value, left, error);
        if (status)
            return status;
    }
    return ETALON_OK;
}

static enum etalon_status load(struct dispatch *dispatch, struct etalon_error *error)
{
    unsigned major = 0, minor = 0;
    const enum etalon_status status = et_view_read(&dispatch->engine->environment->view, dispatch->address,
                                                   dispatch->words, sizeof dispatch->words, error);
    if (status)
        return status;
    dispatch->version = et_qmd_version(dispatch->words, &major, &minor);
    if (!dispatch->version)
        return et_fail(error, ETALON_UNSUPPORTED, "launch descriptor version %u.%u at 0x%llx", major, minor,
                       (unsigned long long)dispatch->address);
    return ETALON_OK;
}

static enum etalon_status schedule(struct et_engine *engine, uint64_t address, uint32_t method,
                                   uint32_t value, unsigned *left, struct etalon_error *error)
{
    struct et_environment *environment = engine->environment;
    struct dispatch dispatch = {.engine = engine, .address = address};
    if (!(*left)--)
        return et_fail(error, ETALON_BUDGET, "more than %u dependent launch descriptors", MAX_DEPENDENTS);
    enum etalon_status status = load(&dispatch, error);
    struct et_trigger trigger = {.target = address, .bytes = 0};
    if (!status)
        for (unsigned i = 0; i < 3; i++) {
            static const char *const names[] = {"CTA_RASTER_WIDTH", "CTA_RASTER_HEIGHT", "CTA_RASTER_DEPTH"};
            trigger.count[i] = (uint32_t)get(&dispatch, names[i], 0);
        }
    const bool runs = et_trigger_open(environment, engine, &trigger, ET_TRIGGER_DISPATCH, method, value);
    if (!status)
        status = prepare(&dispatch, error);
    if (!status && runs && et_engine_renders(engine))
        status = execute(&dispatch, error);
    for (unsigned n = 0; n < 3 && !status; n++)
        status = release(&dispatch, n, error);
    status = et_trigger_close(environment, &trigger, status, error);
    if (status || !dispatch.version)
        return status;
    return dependents(&dispatch, method, value, left, error);
}

static enum etalon_status pcas(struct et_engine *engine, uint32_t method, unsigned i, uint32_t value,
                               struct etalon_error *error)
{
    unsigned left = MAX_DEPENDENTS;
    (void)i;
    if (!(value >> 1 & 1)) /* INVALIDATE alone */
        return ETALON_OK;
    return schedule(engine, (uint64_t)et_register(&engine->registers, PCAS_A) << 8, method, value, &left,
                    error);
}

static enum etalon_status pcas2(struct et_engine *engine, uint32_t method, unsigned i, uint32_t value,
                                struct etalon_error *error)
{
    unsigned left = MAX_DEPENDENTS;
    (void)i;
    switch (value & 15) {
    case 0: /* NOP */
    case 1: /* INVALIDATE */
    case 8: /* PREFETCH */
        return ETALON_OK;
    case 2: /* SCHEDULE */
    case 3: /* INVALIDATE_COPY_SCHEDULE */
    case 9: /* PREFETCH_SCHEDULE */
    case 10:
    case 11:
        return schedule(engine, (uint64_t)et_register(&engine->registers, PCAS_A) << 8, method, value, &left,
                        error);
    default:
        return et_fail(error, ETALON_UNSUPPORTED, "SEND_SIGNALING_PCAS2_B action %u", value & 15);
    }
}

/* Words go to the descriptor in memory; the last one schedules it. [INF] */
static enum etalon_status inline_qmd(struct et_engine *engine, uint32_t method, unsigned i, uint32_t value,
                                     struct etalon_error *error)
{
    unsigned left = MAX_DEPENDENTS;
    const uint64_t address = et_register_address(&engine->registers, INLINE_QMD_ADDRESS_A) << 8;
    const enum etalon_status status =
        et_view_write32(&engine->environment->view, address + 4 * (uint64_t)i, value, error);
    if (status || i + 1 < ET_QMD_WORDS)
        return status;
    return schedule(engine, address, method, value, &left, error);
}

static const struct et_action_row actions[] = {
    {"SEND_SIGNALING_PCAS_B", pcas},
    {"SEND_SIGNALING_PCAS2_B", pcas2},
    {"LOAD_INLINE_QMD_DATA", inline_qmd},
    {NULL, NULL},
};

/* As the 3D class, compute starts with the Maxwell header format: no driver here selects it. [INF] */
static enum etalon_status reset(struct et_engine *engine, struct etalon_error *error)
{
    if (engine->klass->number == 0xb1c0 && !et_register_set(&engine->registers, MAXWELL_HEADERS, 1))
        return et_fail(error, ETALON_NO_MEMORY, "no memory for registers");
    return ETALON_OK;
}

const struct et_engine_type et_compute_type = {
    .size = sizeof(struct et_engine), .actions = actions, .init = reset, .upload = et_inline_words};
