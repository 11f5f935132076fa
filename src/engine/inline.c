/* Inline-to-memory: A140, and the same methods inside 3D and compute. [DOC: cla140.h; DRV: note m]
 *
 * LAUNCH_DMA starts an image of LINE_COUNT lines of LINE_LENGTH_IN bytes; its words come as LOAD_INLINE_DATA,
 * each line padded to a word, and are stored as they come. The semaphore is released when the last has come.
 */
#include "engine/internal.h"
#include "engine/semaphore.h"
#include "engine/rows.h"

enum {
    LINE_LENGTH_IN = 0x180,
    LINE_COUNT = 0x184,
    OFFSET_OUT_UPPER = 0x188,
    PITCH_OUT = 0x190,
    DST_BLOCK_SIZE = 0x194,
    DST_WIDTH = 0x198,
    DST_HEIGHT = 0x19c,
    DST_DEPTH = 0x1a0,
    DST_LAYER = 0x1a4,
    DST_ORIGIN_X = 0x1a8,
    DST_ORIGIN_Y = 0x1ac,
    LAUNCH_DMA = 0x1b0,
    LOAD_INLINE_DATA = 0x1b4,
    SEMAPHORE_A = 0x1dc,
    SEMAPHORE_PAYLOAD = 0x1e4
};

static void destination(const struct et_engine *engine, const struct et_registers *registers, uint32_t launch,
                        struct et_rows *surface)
{
    const uint32_t block = et_register(registers, DST_BLOCK_SIZE);
    *surface = (struct et_rows){
        .address = (uint64_t)(et_register(registers, OFFSET_OUT_UPPER) & 0x1ffffff) << 32 |
                   et_register(registers, OFFSET_OUT_UPPER + 4),
        .layout = {.pitch_linear = launch & 1,
                   .pitch = et_register(registers, PITCH_OUT),
                   .width = et_register(registers, DST_WIDTH),
                   .height = et_register(registers, DST_HEIGHT),
                   .depth = et_register(registers, DST_DEPTH),
                   .block_height_log2 = (uint8_t)et_bits(block, 7, 4),
                   .block_depth_log2 = (uint8_t)et_bits(block, 11, 8),
                   .turing_gob = engine->environment->chip->isa == ET_ISA_AMPERE},
    };
}

static enum etalon_status release(struct et_engine *engine, struct etalon_error *error)
{
    const struct et_registers *registers = &engine->registers;
    const uint32_t launch = engine->upload.trigger.value;
    const struct et_release release = {
        .address = (uint64_t)(et_register(registers, SEMAPHORE_A) & 0x1ffffff) << 32 |
                   et_register(registers, SEMAPHORE_A + 4),
        .payload = et_register(registers, SEMAPHORE_PAYLOAD),
        .payload_words = 1,
        .timestamp = !(launch >> 12 & 1),
        .reduction = ET_REDUCE_NONE,
    };
    return et_bits(launch, 5, 4) == 2 ? et_release_write(engine->environment, &release, error) : ETALON_OK;
}

static enum etalon_status finish(struct et_engine *engine, enum etalon_status status,
                                 struct etalon_error *error)
{
    struct et_environment *environment = engine->environment;
    engine->upload.open = false;
    if (!status)
        status = release(engine, error);
    status = et_trigger_close(environment, &engine->upload.trigger, status, error);
    if (!status && et_bits(engine->upload.trigger.value, 9, 8) == 1 && environment->listener->interrupt)
        environment->listener->interrupt(environment->listener->context, environment->channel, LAUNCH_DMA);
    return status;
}

/* The block dimensions that the layout can hold. */
static enum etalon_status check(const struct et_rows *surface, struct etalon_error *error)
{
    if (!surface->layout.pitch_linear &&
        (surface->layout.block_height_log2 > 5 || surface->layout.block_depth_log2 > 5))
        return et_fail(error, ETALON_BAD_VALUE, "inline data into blocks of 2^%u x 2^%u",
                       surface->layout.block_height_log2, surface->layout.block_depth_log2);
    return ETALON_OK;
}

enum etalon_status et_inline_launch(struct et_engine *engine, uint32_t method, unsigned i, uint32_t value,
                                    struct etalon_error *error)
{
    const struct et_registers *registers = &engine->registers;
    struct et_inline *upload = &engine->upload;
    struct et_rows surface;
    (void)i;
    if (upload->open)
        return et_fail(error, ETALON_BAD_VALUE, "LAUNCH_DMA before the inline data of the last one has come");
    destination(engine, registers, value, &surface);
    upload->trigger = (struct et_trigger){
        .target = surface.address,
        .bytes = (uint64_t)et_register(registers, LINE_LENGTH_IN) * et_register(registers, LINE_COUNT),
        .count = {et_register(registers, LINE_LENGTH_IN), et_register(registers, LINE_COUNT), 0},
    };
    upload->line = upload->byte = 0;
    upload->open = true;
    et_trigger_open(engine->environment, engine, &upload->trigger, ET_TRIGGER_INLINE, method, value);
    const enum etalon_status status = check(&surface, error);
    if (status || !upload->trigger.bytes)
        return finish(engine, status, error);
    return ETALON_OK;
}

static enum etalon_status reduce(struct et_engine *engine, const struct et_rows *surface, uint64_t x,
                                 uint32_t y, uint32_t z, uint32_t operand, struct etalon_error *error)
{
    const uint32_t launch = engine->upload.trigger.value;
    struct et_view *view = &engine->environment->view;
    uint32_t old;
    const enum etalon_status status = et_rows_read(view, surface, x, y, z, &old, 4, error);
    if (status)
        return status;
    const uint32_t new = (uint32_t)et_reduce(et_reduction_by_number(et_bits(launch, 15, 13)), old, operand,
                                             32, et_bits(launch, 3, 2) == 1);
    return et_rows_write(view, surface, x, y, z, &new, 4, error);
}

/* Stores `bytes` of the current line; words of a reduction one by one. */
static enum etalon_status store(struct et_engine *engine, const uint32_t *words, uint64_t bytes,
                                struct etalon_error *error)
{
    const struct et_registers *registers = &engine->registers;
    const struct et_inline *upload = &engine->upload;
    struct et_rows surface;
    destination(engine, registers, upload->trigger.value, &surface);
    const bool linear = surface.layout.pitch_linear;
    const uint64_t x = upload->byte + (linear ? 0 : et_register(registers, DST_ORIGIN_X) & 0x1fffff);
    const uint32_t y = (uint32_t)upload->line + (linear ? 0 : et_register(registers, DST_ORIGIN_Y) & 0x1ffff);
    const uint32_t z = linear ? 0 : et_register(registers, DST_LAYER);
    if (!(upload->trigger.value >> 1 & 1))
        return et_rows_write(&engine->environment->view, &surface, x, y, z, words, bytes, error);
    for (uint64_t at = 0; at + 4 <= bytes; at += 4) {
        const enum etalon_status status = reduce(engine, &surface, x + at, y, z, words[at / 4], error);
        if (status)
            return status;
    }
    return ETALON_OK;
}

static size_t take(struct et_engine *engine, const uint32_t *words, size_t count, enum etalon_status *status,
                   struct etalon_error *error)
{
    struct et_inline *upload = &engine->upload;
    const bool skip = engine->environment->skip >> ET_TRIGGER_INLINE & 1;
    const uint64_t length = upload->trigger.count[0];
    size_t done = 0;
    engine->environment->view.event = upload->trigger.event;
    while (upload->open && done < count && !*status) {
        const uint64_t bytes = ET_MIN(length - upload->byte, 4 * (uint64_t)(count - done));
        if (!skip)
            *status = store(engine, words + done, bytes, error);
        done += (size_t)((bytes + 3) / 4);
        upload->byte += bytes;
        if (upload->byte == length) {
            upload->byte = 0;
            upload->line++;
        }
        if (*status || upload->line == upload->trigger.count[1])
            *status = finish(engine, *status, error);
    }
    return done;
}

enum etalon_status et_inline_data(struct et_engine *engine, uint32_t method, unsigned i, uint32_t value,
                                  struct etalon_error *error)
{
    enum etalon_status status = ETALON_OK;
    (void)method;
    (void)i;
    if (!engine->upload.open)
        return et_fail(error, ETALON_BOUNDS, "inline data past the image, or before LAUNCH_DMA");
    take(engine, &value, 1, &status, error);
    return status;
}

size_t et_inline_words(struct et_engine *engine, uint32_t method, enum et_run_mode mode,
                       const uint32_t *words, size_t count, enum etalon_status *status,
                       struct etalon_error *error)
{
    if (method != LOAD_INLINE_DATA || mode != ET_RUN_CONSTANT || !engine->upload.open)
        return 0;
    return take(engine, words, count, status, error);
}

static const struct et_action_row actions[] = {{NULL, NULL}};

const struct et_engine_type et_inline_type = {
    .size = sizeof(struct et_engine), .actions = actions, .upload = et_inline_words};
