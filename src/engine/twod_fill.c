/* The 2D engine's fills: solid rectangles and points, pixels from the CPU. [DOC: class header; DRV: nouveau's
 * console]
 *
 * A rectangle is two points, the second exclusive. Pixels from the CPU come row by row: colours of a format,
 * or bits that pick COLOR1 where set and COLOR0 (opaque) where clear; rows are aligned to a pixel, a byte or
 * a word. */
#include "engine/twod.h"

#include "base/alloc.h"

enum {
    SOLID_COLOR0 = 0x540,
    SOLID_MODE = 0x580,
    SOLID_FORMAT = 0x584,
    SOLID_COLOR = 0x588,
    SOLID_X = 0x600,
    CPU_TYPE = 0x800,
    CPU_FORMAT = 0x804,
    CPU_INDEX_FORMAT = 0x808,
    CPU_MONO_FORMAT = 0x80c,
    CPU_WRAP = 0x810,
    CPU_COLOR0 = 0x814,
    CPU_OPACITY = 0x81c,
    CPU_WIDTH = 0x838,
    CPU_HEIGHT = 0x83c,
    CPU_DX_DU = 0x840,
    CPU_DST_X0 = 0x854,
    CPU_DST_Y0 = 0x85c
};

enum { MODE_POINTS = 0, MODE_RECTANGLES = 4 };

static enum etalon_status fill(struct et_engine *engine, int64_t x0, int64_t y0, int64_t x1, int64_t y1,
                               struct etalon_error *error)
{
    const struct et_registers *r = &engine->registers;
    const struct et_listener *listener = engine->environment->listener;
    struct et_twod_surface surface;
    struct et_twod_format from;
    struct et_twod_operation operation = {0};
    uint8_t in[16] = {0}, texel[16], run[1024];
    enum etalon_status status = et_twod_surface_get(engine, false, &surface, error);
    if (!status)
        status = et_twod_format_find(et_register(r, SOLID_FORMAT) & 0xff, &from, error);
    if (status)
        return status;
    for (unsigned w = 0; w < 4; w++)
        et_store32(in + 4 * w, et_register(r, from.bytes > 4 ? SOLID_COLOR0 + 4 * w : SOLID_COLOR));
    status = et_twod_convert(&from, in, &surface.format, texel, error);
    const unsigned per_run = sizeof run / surface.format.bytes;
    for (unsigned i = 0; i < per_run; i++)
        memcpy(run + i * surface.format.bytes, texel, surface.format.bytes);
    x1 = ET_MIN(x1, (int64_t)surface.width);
    y1 = ET_MIN(y1, (int64_t)surface.height);
    for (int64_t y = ET_MAX(y0, 0); y < y1 && !status; y++) {
        if (!(y & 255) && listener->cancelled && listener->cancelled(listener->context))
            status = et_fail(error, ETALON_CANCELLED, "a fill was cancelled");
        for (int64_t x = ET_MAX(x0, 0); x < x1 && !status; x += per_run)
            status = et_twod_write(engine, &surface, &operation, x, y, run,
                                   (uint64_t)ET_MIN(x1 - x, (int64_t)per_run), error);
    }
    return status;
}

static enum etalon_status fill_trigger(struct et_engine *engine, int64_t x0, int64_t y0, int64_t x1,
                                       int64_t y1, uint32_t method, uint32_t value,
                                       struct etalon_error *error)
{
    struct et_trigger trigger = {.count = {(uint32_t)(x1 - x0), (uint32_t)(y1 - y0), 0}};
    enum etalon_status status = ETALON_OK;
    if (et_trigger_open(engine->environment, engine, &trigger, ET_TRIGGER_FILL, method, value) &&
        et_engine_renders(engine))
        status = fill(engine, x0, y0, x1, y1, error);
    return et_trigger_close(engine->environment, &trigger, status, error);
}

static enum etalon_status add_point(struct et_engine *engine, int32_t x, int32_t y, uint32_t method,
                                    uint32_t value, struct etalon_error *error)
{
    struct et_twod *twod = (struct et_twod *)engine;
    const uint32_t mode = et_register(&engine->registers, SOLID_MODE) & 7;
    if (mode == MODE_POINTS)
        return fill_trigger(engine, x, y, (int64_t)x + 1, (int64_t)y + 1, method, value, error);
    if (mode != MODE_RECTANGLES)
        return et_fail(error, ETALON_UNSUPPORTED, "RENDER_SOLID_PRIM_MODE %u", mode);
    if (twod->points++ & 1)
        return fill_trigger(engine, twod->x, twod->y, x, y, method, value, error);
    twod->x = x;
    twod->y = y;
    return ETALON_OK;
}

enum etalon_status et_twod_point_packed(struct et_engine *engine, uint32_t method, unsigned i, uint32_t value,
                                        struct etalon_error *error)
{
    (void)i;
    return add_point(engine, (int32_t)et_bits(value, 15, 0), (int32_t)et_bits(value, 31, 16), method, value,
                     error);
}

enum etalon_status et_twod_point_y(struct et_engine *engine, uint32_t method, unsigned i, uint32_t value,
                                   struct etalon_error *error)
{
    ((struct et_twod *)engine)->points = i;
    return add_point(engine, (int32_t)et_register(&engine->registers, SOLID_X + 8 * i), (int32_t)value,
                     method, value, error);
}

enum etalon_status et_twod_mode(struct et_engine *engine, uint32_t method, unsigned i, uint32_t value,
                                struct etalon_error *error)
{
    (void)method;
    (void)i;
    (void)value;
    (void)error;
    ((struct et_twod *)engine)->points = 0;
    return ETALON_OK;
}

static enum etalon_status check_cpu(const struct et_engine *engine, struct etalon_error *error)
{
    const struct et_registers *r = &engine->registers;
    const bool scaled = et_register(r, CPU_DX_DU) || et_register(r, CPU_DX_DU + 4) != 1 ||
                        et_register(r, CPU_DX_DU + 8) || et_register(r, CPU_DX_DU + 12) != 1;
    if (scaled)
        return et_fail(error, ETALON_UNSUPPORTED, "scaled pixels from the CPU");
    if (et_register(r, CPU_TYPE) & 1 && et_register(r, CPU_INDEX_FORMAT) & 3)
        return et_fail(error, ETALON_UNSUPPORTED, "pixels from the CPU of index format %u",
                       et_register(r, CPU_INDEX_FORMAT) & 3);
    return ETALON_OK;
}

enum etalon_status et_twod_cpu_start(struct et_engine *engine, uint32_t method, unsigned i, uint32_t value,
                                     struct etalon_error *error)
{
    struct et_twod_upload *upload = &((struct et_twod *)engine)->upload;
    (void)i;
    if (upload->open)
        return et_fail(error, ETALON_BAD_VALUE, "pixels from the CPU before the last image was complete");
    *upload = (struct et_twod_upload){.open = true};
    upload->trigger.count[0] = et_register(&engine->registers, CPU_WIDTH);
    upload->trigger.count[1] = et_register(&engine->registers, CPU_HEIGHT);
    et_trigger_open(engine->environment, engine, &upload->trigger, ET_TRIGGER_FILL, method, value);
    const enum etalon_status status = check_cpu(engine, error);
    if (!status && upload->trigger.count[0] && upload->trigger.count[1])
        return ETALON_OK;
    upload->open = false;
    return et_trigger_close(engine->environment, &upload->trigger, status, error);
}

static enum etalon_status put_pixel(struct et_engine *engine, const struct et_twod_surface *surface,
                                    const struct et_twod_format *from, const uint8_t *bytes, bool visible,
                                    struct etalon_error *error)
{
    struct et_twod_upload *upload = &((struct et_twod *)engine)->upload;
    struct et_twod_operation operation = {0};
    uint8_t texel[16];
    enum etalon_status status = et_twod_convert(from, bytes, &surface->format, texel, error);
    if (!status && visible && et_engine_renders(engine) &&
        !(engine->environment->skip >> ET_TRIGGER_FILL & 1))
        status = et_twod_write(
            engine, surface, &operation, (int64_t)et_register(&engine->registers, CPU_DST_X0) + upload->x,
            (int64_t)et_register(&engine->registers, CPU_DST_Y0) + upload->y, texel, 1, error);
    upload->x++;
    return status;
}

/* At the end of a row: 0 goes on within the byte, 1 takes the next byte, 2 the next word. */
static unsigned end_of_row(struct et_engine *engine)
{
    struct et_twod_upload *upload = &((struct et_twod *)engine)->upload;
    if (upload->x < upload->trigger.count[0])
        return 0;
    upload->x = 0;
    upload->y++;
    if (upload->y == upload->trigger.count[1])
        upload->open = false;
    return et_register(&engine->registers, CPU_WRAP) & 3;
}

static enum etalon_status take_bits(struct et_engine *engine, const struct et_twod_surface *surface,
                                    const struct et_twod_format *from, uint32_t word,
                                    struct etalon_error *error)
{
    const struct et_registers *r = &engine->registers;
    const struct et_twod_upload *upload = &((struct et_twod *)engine)->upload;
    const bool reversed = !(et_register(r, CPU_MONO_FORMAT) & 1), opaque = et_register(r, CPU_OPACITY) & 1;
    enum etalon_status status = ETALON_OK;
    for (unsigned bit = 0; bit < 32 && upload->open && !status; bit++) {
        /* CGA6 has the most significant bit of each byte first. */
        const bool set = word >> (reversed ? bit ^ 7 : bit) & 1;
        uint8_t bytes[16] = {0};
        et_store32(bytes, et_register(r, CPU_COLOR0 + 4 * set));
        status = put_pixel(engine, surface, from, bytes, set || opaque, error);
        const unsigned wrap = end_of_row(engine);
        if (wrap && !upload->x)
            bit = wrap == 1 ? bit | 7 : 31;
    }
    return status;
}

static enum etalon_status take_colors(struct et_engine *engine, const struct et_twod_surface *surface,
                                      const struct et_twod_format *from, uint32_t word,
                                      struct etalon_error *error)
{
    struct et_twod_upload *upload = &((struct et_twod *)engine)->upload;
    enum etalon_status status = ETALON_OK;
    for (unsigned byte = 0; byte < 4 && upload->open && !status; byte++) {
        upload->bytes[upload->have++] = (uint8_t)(word >> 8 * byte);
        if (upload->have < from->bytes)
            continue;
        upload->have = 0;
        status = put_pixel(engine, surface, from, upload->bytes, true, error);
        if (end_of_row(engine) == 2 && !upload->x)
            break;
    }
    return status;
}

enum etalon_status et_twod_cpu_data(struct et_engine *engine, uint32_t method, unsigned i, uint32_t value,
                                    struct etalon_error *error)
{
    struct et_twod_upload *upload = &((struct et_twod *)engine)->upload;
    struct et_twod_surface surface;
    struct et_twod_format from;
    (void)method;
    (void)i;
    if (!upload->open)
        return et_fail(error, ETALON_BOUNDS, "pixels from the CPU past the image");
    engine->environment->view.event = upload->trigger.event;
    enum etalon_status status = et_twod_surface_get(engine, false, &surface, error);
    if (!status)
        status = et_twod_format_find(et_register(&engine->registers, CPU_FORMAT) & 0xff, &from, error);
    if (!status)
        status = et_register(&engine->registers, CPU_TYPE) & 1
                     ? take_bits(engine, &surface, &from, value, error)
                     : take_colors(engine, &surface, &from, value, error);
    if (!status && upload->open)
        return ETALON_OK;
    upload->open = false;
    return et_trigger_close(engine->environment, &upload->trigger, status, error);
}
