/* Reports: SET_REPORT_SEMAPHORE_A..D of 3D and compute, and the 64-bit REPORT_SEMAPHORE_EXECUTE of Ampere.
 * [DOC: class headers; note e]
 *
 * A release writes the payload, or with a report the counter; a report without a semaphore writes the
 * counter. A record is one word (of the counter, the numbered one), two, or four: 64 bits of value and the
 * timer. Four words of a counter of 32 bits are the payload, the counter and the timer: nvc0 waits for its
 * queries by the payload, and a query's buffer offset lies in the second word. [DRV: nvc0's occlusion queries
 * and feedback offsets] */
#include "engine/internal.h"
#include "engine/semaphore.h"

enum { OPERATION_RELEASE, OPERATION_ACQUIRE, OPERATION_REPORT_ONLY, OPERATION_TRAP };
enum { STRUCTURE_FOUR, STRUCTURE_ONE, STRUCTURE_TWO };
enum {
    REPORT_NONE = 0,
    REPORT_ZPASS_PIXEL_CNT = 2,
    REPORT_TIMESTAMP = 0x14,
    REPORT_STREAMING_BYTE_COUNT = 0x1a
};

/* A request, whichever registers it came in. */
struct request {
    uint32_t operation, structure, report, sub_report, dword;
    uint64_t address, payload;
    bool wide, at_least, awaken;
    enum et_reduction reduction;
    bool reduction_signed;
};

static enum etalon_status value_of(struct et_engine *engine, const struct request *request, uint64_t *value,
                                   struct etalon_error *error)
{
    if (request->report == REPORT_NONE)
        *value = request->payload;
    else if (request->report == REPORT_TIMESTAMP && engine->environment->chip->isa == ET_ISA_AMPERE)
        *value = engine->environment->clock(engine->environment->clock_context);
    else if (engine->type->counter)
        return engine->type->counter(engine, request->report, request->sub_report, value, error);
    else
        return et_fail(error, ETALON_BAD_VALUE, "report %u of class %s", request->report,
                       engine->klass->name);
    return ETALON_OK;
}

static bool counts_32_bits(const struct request *request)
{
    return request->report == REPORT_ZPASS_PIXEL_CNT || request->report == REPORT_STREAMING_BYTE_COUNT;
}

static enum etalon_status write_report(struct et_engine *engine, const struct request *request,
                                       uint32_t method, uint32_t value, struct etalon_error *error)
{
    struct et_environment *environment = engine->environment;
    struct et_trigger trigger = {.target = request->address,
                                 .bytes = request->structure == STRUCTURE_FOUR  ? 16u
                                          : request->structure == STRUCTURE_TWO ? 8u
                                                                                : 4u};
    struct et_release release = {.address = request->address,
                                 .payload_words = request->structure == STRUCTURE_ONE ? 1 : 2,
                                 .timestamp = request->structure == STRUCTURE_FOUR,
                                 .reduction = request->reduction,
                                 .reduction_signed = request->reduction_signed};
    const bool runs = et_trigger_open(environment, engine, &trigger, ET_TRIGGER_REPORT, method, value);
    enum etalon_status status = value_of(engine, request, &release.payload, error);
    if (request->report != REPORT_NONE && request->structure == STRUCTURE_ONE && request->dword)
        release.payload >>= 32;
    if (request->structure == STRUCTURE_FOUR && counts_32_bits(request))
        release.payload = release.payload << 32 | (request->payload & 0xffffffff);
    if (request->report == REPORT_NONE && !request->wide)
        release.payload &= 0xffffffff;
    /* Reductions of a four-word record work on the width of its payload. */
    if (release.timestamp && request->reduction != ET_REDUCE_NONE && !request->wide)
        release.payload_words = 1;
    if (!status && runs)
        status = et_release_write(environment, &release, error);
    return et_trigger_close(environment, &trigger, status, error);
}

static enum etalon_status perform(struct et_engine *engine, const struct request *request, uint32_t method,
                                  uint32_t value, struct etalon_error *error)
{
    struct et_environment *environment = engine->environment;
    enum etalon_status status;
    switch (request->operation) {
    case OPERATION_RELEASE:
    case OPERATION_REPORT_ONLY:
        if (request->structure > STRUCTURE_TWO)
            return et_fail(error, ETALON_BAD_VALUE, "a report of structure %u", request->structure);
        status = write_report(engine, request, method, value, error);
        break;
    case OPERATION_ACQUIRE:
        return et_acquire(environment, request->at_least ? ET_ACQUIRE_STRICT_GEQ : ET_ACQUIRE_EQUAL,
                          request->address, request->payload, request->wide ? 8 : 4, error);
    default:
        return et_fail(error, ETALON_TRAP, "a report semaphore traps");
    }
    if (!status && request->awaken && environment->listener->interrupt)
        environment->listener->interrupt(environment->listener->context, environment->channel, method);
    return status;
}

static uint32_t field(const struct et_engine *engine, uint32_t method, uint32_t value, const char *name)
{
    return et_class_field(engine->klass, method, value, name);
}

/* The fields of the trigger word, by name: they lie elsewhere in each class. */
static void fill(const struct et_engine *engine, uint32_t method, uint32_t value, struct request *request)
{
    *request = (struct request){
        .operation = field(engine, method, value, "OPERATION"),
        .structure = field(engine, method, value, "STRUCTURE_SIZE"),
        .report = field(engine, method, value, "REPORT"),
        .sub_report = field(engine, method, value, "SUB_REPORT"),
        .dword = field(engine, method, value, "REPORT_DWORD_NUMBER"),
        .at_least = field(engine, method, value, "COMPARISON"),
        .awaken = field(engine, method, value, "AWAKEN_ENABLE"),
        .wide = field(engine, method, value, "PAYLOAD_SIZE64"),
        .reduction = field(engine, method, value, "REDUCTION_ENABLE")
                         ? et_reduction_by_number(field(engine, method, value, "REDUCTION_OP"))
                         : ET_REDUCE_NONE,
        .reduction_signed = field(engine, method, value, "REDUCTION_FORMAT") == 1,
    };
}

enum etalon_status et_report(struct et_engine *engine, uint32_t method, unsigned i, uint32_t value,
                             struct etalon_error *error)
{
    struct request request;
    (void)i;
    fill(engine, method, value, &request);
    request.address = et_register_address(&engine->registers, 0x1b00) & UINT64_C(0x1ffffffffffffff);
    request.payload = et_register(&engine->registers, 0x1b08);
    return perform(engine, &request, method, value, error);
}

enum etalon_status et_report_execute(struct et_engine *engine, uint32_t method, unsigned i, uint32_t value,
                                     struct etalon_error *error)
{
    const struct et_registers *registers = &engine->registers;
    struct request request;
    (void)i;
    fill(engine, method, value, &request);
    request.address = (uint64_t)et_register(registers, 0x164) << 32 | et_register(registers, 0x160);
    request.payload = (uint64_t)et_register(registers, 0x15c) << 32 | et_register(registers, 0x158);
    return perform(engine, &request, method, value, error);
}
