/* The copy engine, B0B5 and C7B5. [DOC: class headers; DRV: note m]
 *
 * LINE_COUNT lines (one without MULTI_LINE) of LINE_LENGTH_IN elements go from one surface to another; an
 * element is a byte, or with REMAP a group of components that are picked from the source, two constants, or
 * left alone. Lines are copied in order, each as if read whole before it is written. */
#include "base/alloc.h"
#include "engine/internal.h"
#include "engine/semaphore.h"
#include "engine/rows.h"

enum {
    SEMAPHORE_A = 0x240,
    SEMAPHORE_PAYLOAD = 0x248,
    SEMAPHORE_PAYLOAD_UPPER = 0x24c,
    LAUNCH_DMA = 0x300,
    OFFSET_IN = 0x400,
    OFFSET_OUT = 0x408,
    PITCH_IN = 0x410,
    PITCH_OUT = 0x414,
    LINE_LENGTH_IN = 0x418,
    LINE_COUNT = 0x41c,
    REMAP_CONST_A = 0x700,
    REMAP_CONST_B = 0x704,
    REMAP_COMPONENTS = 0x708,
    DST_BLOCK_SIZE = 0x70c,
    SRC_BLOCK_SIZE = 0x728,
    SRC_ORIGIN_X = 0x744, /* C7B5's; B0B5's packed origins are kept here too */
    DST_ORIGIN_X = 0x74c
};

/* Offsets from a surface's BLOCK_SIZE. */
enum { WIDTH = 4, HEIGHT = 8, DEPTH = 12, LAYER = 16 };

enum { PICK_CONST_A = 4, PICK_CONST_B = 5, PICK_NONE = 6 };

struct side {
    struct et_rows surface;
    uint32_t element; /* bytes */
    uint64_t x;       /* bytes */
    uint32_t y, z;
};

struct copy {
    struct side in, out;
    uint64_t elements, lines;
    bool remap, reads;
    uint32_t component; /* bytes */
    uint32_t components;
    uint8_t pick[4];
    uint8_t constant[2][4];
};

static enum etalon_status fill_side(const struct et_engine *engine, struct side *side, bool source,
                                    uint32_t element, struct etalon_error *error)
{
    const struct et_registers *registers = &engine->registers;
    const uint32_t launch = et_register(registers, LAUNCH_DMA),
                   base = source ? SRC_BLOCK_SIZE : DST_BLOCK_SIZE;
    const uint32_t block = et_register(registers, base), origin = source ? SRC_ORIGIN_X : DST_ORIGIN_X;
    *side = (struct side){.element = element};
    side->surface.address = (uint64_t)(et_register(registers, source ? OFFSET_IN : OFFSET_OUT) & 0x1ffff)
                                << 32 |
                            et_register(registers, (source ? OFFSET_IN : OFFSET_OUT) + 4);
    side->surface.layout.pitch_linear = launch >> (source ? 7 : 8) & 1;
    if (launch >> (source ? 12 : 13) & 1)
        return et_fail(error, ETALON_UNSUPPORTED, "LAUNCH_DMA 0x%x: a physical address", launch);
    if (side->surface.layout.pitch_linear) {
        side->surface.layout.pitch = et_register(registers, source ? PITCH_IN : PITCH_OUT);
        return ETALON_OK;
    }
    if (et_bits(block, 3, 0) || et_bits(block, 7, 4) > 5 || et_bits(block, 11, 8) > 5 ||
        et_bits(block, 15, 12) != 1)
        return et_fail(error, ETALON_UNSUPPORTED, "%s block size 0x%x", source ? "source" : "destination",
                       block);
    side->surface.layout.width = et_register(registers, base + WIDTH) * element;
    side->surface.layout.height = et_register(registers, base + HEIGHT);
    side->surface.layout.depth = et_register(registers, base + DEPTH);
    side->surface.layout.block_height_log2 = (uint8_t)et_bits(block, 7, 4);
    side->surface.layout.block_depth_log2 = (uint8_t)et_bits(block, 11, 8);
    side->surface.layout.turing_gob = engine->environment->chip->isa == ET_ISA_AMPERE;
    side->x = (uint64_t)et_register(registers, origin) * element;
    side->y = et_register(registers, origin + 4);
    side->z = et_register(registers, base + LAYER);
    return ETALON_OK;
}

static enum etalon_status prepare(const struct et_engine *engine, struct copy *copy,
                                  struct etalon_error *error)
{
    const struct et_registers *registers = &engine->registers;
    const uint32_t launch = et_register(registers, LAUNCH_DMA),
                   remap = et_register(registers, REMAP_COMPONENTS);
    *copy = (struct copy){.elements = et_register(registers, LINE_LENGTH_IN),
                          .lines = launch >> 9 & 1 ? et_register(registers, LINE_COUNT) : 1,
                          .remap = launch >> 10 & 1,
                          .reads = true,
                          .component = 1,
                          .components = 1};
    uint32_t in = 1, out = 1;
    if (copy->remap) {
        copy->component = et_bits(remap, 17, 16) + 1;
        copy->components = et_bits(remap, 25, 24) + 1;
        in = copy->component * (et_bits(remap, 21, 20) + 1);
        out = copy->component * copy->components;
        copy->reads = false;
        for (unsigned c = 0; c < 4; c++) {
            copy->pick[c] = (uint8_t)et_bits(remap, 4 * c + 2, 4 * c);
            if (copy->pick[c] > PICK_NONE)
                return et_fail(error, ETALON_BAD_VALUE, "SET_REMAP_COMPONENTS 0x%x", remap);
            copy->reads = copy->reads || (c < copy->components && copy->pick[c] < PICK_CONST_A);
            if (c < copy->components && copy->pick[c] < PICK_CONST_A &&
                copy->pick[c] > et_bits(remap, 21, 20))
                return et_fail(error, ETALON_BAD_VALUE,
                               "SET_REMAP_COMPONENTS 0x%x picks a component that the source has not", remap);
        }
        et_store32(copy->constant[0], et_register(registers, REMAP_CONST_A));
        et_store32(copy->constant[1], et_register(registers, REMAP_CONST_B));
    }
    const enum etalon_status status = fill_side(engine, &copy->in, true, in, error);
    return status ? status : fill_side(engine, &copy->out, false, out, error);
}

/* `old` holds what the destination has, for components that are left alone. */
static void remap(const struct copy *copy, const uint8_t *in, uint8_t *out, size_t elements)
{
    const size_t size = copy->component;
    for (size_t e = 0; e < elements; e++, in += copy->in.element, out += copy->out.element)
        for (unsigned c = 0; c < copy->components; c++) {
            if (copy->pick[c] < PICK_CONST_A)
                memcpy(out + c * size, in + copy->pick[c] * size, size);
            else if (copy->pick[c] != PICK_NONE)
                memcpy(out + c * size, copy->constant[copy->pick[c] - PICK_CONST_A], size);
        }
}

static bool leaves_some(const struct copy *copy)
{
    for (unsigned c = 0; copy->remap && c < copy->components; c++)
        if (copy->pick[c] == PICK_NONE)
            return true;
    return false;
}

#define MAX_BYTES (UINT64_C(1) << 34) /* of one copy */
#define CHUNK     4096u               /* elements: a bounded buffer whatever the line's length */

static enum etalon_status copy_line(struct et_view *view, const struct copy *copy, uint32_t line,
                                    uint8_t *buffer, struct etalon_error *error)
{
    const struct side *in = &copy->in, *out = &copy->out;
    uint8_t *picked = buffer + (size_t)CHUNK * 16;
    for (uint64_t at = 0; at < copy->elements; at += CHUNK) {
        const size_t count = (size_t)ET_MIN(copy->elements - at, CHUNK);
        enum etalon_status status = ETALON_OK;
        if (copy->reads)
            status = et_rows_read(view, &in->surface, in->x + at * in->element, in->y + line, in->z, buffer,
                                  count * in->element, error);
        if (!status && leaves_some(copy))
            status = et_rows_read(view, &out->surface, out->x + at * out->element, out->y + line, out->z,
                                  picked, count * out->element, error);
        if (status)
            return status;
        if (copy->remap)
            remap(copy, buffer, picked, count);
        status = et_rows_write(view, &out->surface, out->x + at * out->element, out->y + line, out->z,
                               copy->remap ? picked : buffer, count * out->element, error);
        if (status)
            return status;
    }
    return ETALON_OK;
}

static enum etalon_status transfer(struct et_engine *engine, const struct copy *copy,
                                   struct etalon_error *error)
{
    const struct et_listener *listener = engine->environment->listener;
    uint8_t *buffer = et_calloc(CHUNK, 32);
    enum etalon_status status = ETALON_OK;
    if (!buffer)
        return et_fail(error, ETALON_NO_MEMORY, "no memory for a copy");
    for (uint64_t line = 0; line < copy->lines && copy->elements && !status; line++) {
        if (!(line & 255) && listener->cancelled && listener->cancelled(listener->context))
            status = et_fail(error, ETALON_CANCELLED, "a copy was cancelled at line %llu",
                             (unsigned long long)line);
        else
            status = copy_line(&engine->environment->view, copy, (uint32_t)line, buffer, error);
    }
    et_free(buffer);
    return status;
}

static enum etalon_status release(struct et_engine *engine, struct etalon_error *error)
{
    const struct et_registers *registers = &engine->registers;
    const uint32_t launch = et_register(registers, LAUNCH_DMA), type = et_bits(launch, 4, 3);
    const bool wide = engine->klass->number == 0xc7b5 && launch >> 27 & 1;
    struct et_release release = {
        .address = (uint64_t)(et_register(registers, SEMAPHORE_A) & 0x1ffff) << 32 |
                   et_register(registers, SEMAPHORE_A + 4),
        .payload = et_register(registers, SEMAPHORE_PAYLOAD),
        .payload_words = wide ? 2 : 1,
        .timestamp = type == 2,
        .reduction = ET_REDUCE_NONE,
        .reduction_signed = !(launch >> 18 & 1),
    };
    if (!type)
        return ETALON_OK;
    if (wide)
        release.payload |= (uint64_t)et_register(registers, SEMAPHORE_PAYLOAD_UPPER) << 32;
    if (launch >> 19 & 1) {
        release.reduction = et_reduction_by_host_number(et_bits(launch, 17, 14));
        if (release.reduction == ET_REDUCE_NONE)
            return et_fail(error, ETALON_UNSUPPORTED, "LAUNCH_DMA 0x%x: semaphore reduction %u", launch,
                           et_bits(launch, 17, 14));
    }
    return et_release_write(engine->environment, &release, error);
}

static enum etalon_status launch_dma(struct et_engine *engine, uint32_t method, unsigned i, uint32_t value,
                                     struct etalon_error *error)
{
    struct et_environment *environment = engine->environment;
    struct copy copy = {0};
    (void)i;
    enum etalon_status status = et_bits(value, 1, 0) ? prepare(engine, &copy, error) : ETALON_OK;
    if (!status && copy.lines && copy.elements > MAX_BYTES / copy.lines / ET_MAX(copy.out.element, 1u))
        status = et_fail(error, ETALON_BUDGET, "a copy of %llu lines of %llu elements",
                         (unsigned long long)copy.lines, (unsigned long long)copy.elements);
    struct et_trigger trigger = {
        .target = copy.out.surface.address,
        .bytes = copy.elements * copy.lines * copy.out.element,
        .count = {(uint32_t)copy.elements, (uint32_t)copy.lines, 0},
    };
    const bool runs = et_trigger_open(environment, engine, &trigger, ET_TRIGGER_COPY, method, value);
    if (!status && runs && et_bits(value, 1, 0) && et_engine_renders(engine))
        status = transfer(engine, &copy, error);
    if (!status)
        status = release(engine, error);
    status = et_trigger_close(environment, &trigger, status, error);
    if (!status && et_bits(value, 6, 5) && environment->listener->interrupt)
        environment->listener->interrupt(environment->listener->context, environment->channel, method);
    return status;
}

/* X 15:0, Y 31:16; C7B5 has wider registers for the same. The last written counts. */
static enum etalon_status origin(struct et_engine *engine, uint32_t method, unsigned i, uint32_t value,
                                 struct etalon_error *error)
{
    const uint32_t to = method == 0x73c ? SRC_ORIGIN_X : DST_ORIGIN_X;
    (void)i;
    if (et_register_set(&engine->registers, to, value & 0xffff) &&
        et_register_set(&engine->registers, to + 4, value >> 16))
        return ETALON_OK;
    return et_fail(error, ETALON_NO_MEMORY, "no memory for registers");
}

static const struct et_action_row actions[] = {
    {"LAUNCH_DMA", launch_dma}, {"SET_SRC_ORIGIN", origin}, {"SET_DST_ORIGIN", origin}, {NULL, NULL}};

const struct et_engine_type et_copy_type = {.size = sizeof(struct et_engine), .actions = actions};
