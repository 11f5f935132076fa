/* The 2D engine's object and the pixels it moves. */
#ifndef ET_ENGINE_TWOD_H
#define ET_ENGINE_TWOD_H

#include "engine/internal.h"
#include "engine/rows.h"
#include "rasterizer/format.h"

/* A format of the 2D class: a colour target's, or one of the class's own that is only moved as it is. */
struct et_twod_format {
    uint8_t value, bytes;
    const struct et_color_format *color; /* NULL: no conversion is known */
};

struct et_twod_surface {
    struct et_rows rows;
    struct et_twod_format format;
    uint32_t width, height, layer;
};

/* Pixels from the CPU: where the next bit of data goes. */
struct et_twod_upload {
    bool open;
    struct et_trigger trigger;
    uint32_t x, y;     /* pixel of the image */
    uint8_t bytes[16]; /* of a pixel that is not complete */
    uint32_t have;
};

struct et_twod {
    struct et_engine engine;
    struct et_twod_upload upload;
    uint32_t points; /* of RENDER_SOLID_PRIM so far */
    int32_t x, y;    /* the first point of a rectangle */
};

/* The row of a format number; ETALON_UNSUPPORTED. */
enum etalon_status et_twod_format_find(uint32_t value, struct et_twod_format *format,
                                       struct etalon_error *error);
/* The destination (or the source) as the registers say. */
enum etalon_status et_twod_surface_get(const struct et_engine *engine, bool source,
                                       struct et_twod_surface *surface, struct etalon_error *error);
/* Converts one texel; formats with a conversion or equal ones. */
enum etalon_status et_twod_convert(const struct et_twod_format *from, const uint8_t *in,
                                   const struct et_twod_format *to, uint8_t *out, struct etalon_error *error);
/* Red, green, blue, alpha of a texel, whose format has a conversion. */
void et_twod_decode(const struct et_twod_format *format, const uint8_t *texel, float rgba[4]);
/* What an operation other than SRCCOPY does with texels of one destination; starts as {0}. */
struct et_twod_operation {
    bool found; /* the first run that is written looks the rest up */
    uint32_t rop;
    uint8_t pattern[16]; /* a texel of the destination's format */
    float scale[4];      /* BETA4: of red, green, blue, alpha */
};
/* Writes `count` texels at (x, y) of the destination through clip, operation and bounds. */
enum etalon_status et_twod_write(struct et_engine *engine, const struct et_twod_surface *surface,
                                 struct et_twod_operation *operation, int64_t x, int64_t y,
                                 const uint8_t *texels, uint64_t count, struct etalon_error *error);

/* Actions of the fills. */
enum etalon_status et_twod_point_packed(struct et_engine *engine, uint32_t method, unsigned i, uint32_t value,
                                        struct etalon_error *error);
enum etalon_status et_twod_point_y(struct et_engine *engine, uint32_t method, unsigned i, uint32_t value,
                                   struct etalon_error *error);
enum etalon_status et_twod_mode(struct et_engine *engine, uint32_t method, unsigned i, uint32_t value,
                                struct etalon_error *error);
enum etalon_status et_twod_cpu_start(struct et_engine *engine, uint32_t method, unsigned i, uint32_t value,
                                     struct etalon_error *error);
enum etalon_status et_twod_cpu_data(struct et_engine *engine, uint32_t method, unsigned i, uint32_t value,
                                    struct etalon_error *error);

#endif
