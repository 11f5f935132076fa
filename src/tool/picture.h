/* A replay's result as rows of pixels, and as a picture for people. */
#ifndef ET_TOOL_PICTURE_H
#define ET_TOOL_PICTURE_H

#include "capture/replay.h"
#include "rasterizer/format.h"
#include "tool/tool.h"

/* The result's bytes, its rows packed together. The caller frees *bytes with et_free. */
enum etalon_status et_result_bytes(const struct et_replay *replay, const struct et_capture *capture,
                                   uint8_t **bytes, size_t *size, struct etalon_error *error);

/* A colour format's row by its name ("A8B8G8R8"), NULL: none. */
const struct et_color_format *et_color_format_named(const char *name);

/* Texels to RGBA8. Exact for 8-bit normalised formats; other normalised and float channels are clamped and
 * scaled; integers get a colour of their own a value, so that ids can be told apart. width*height texels,
 * tightly packed. The caller frees rgba with et_free. */
enum etalon_status et_picture_of(struct et_picture *picture, const struct et_color_format *format,
                                 const uint8_t *texels, unsigned width, unsigned height,
                                 struct etalon_error *error);

/* Remembers which surfaces a replay draws to, so that a copied result's texel format is known. */
struct et_surface_watch {
    uint64_t address; /* looked for */
    uint32_t format;  /* found: SET_COLOR_TARGET_FORMAT; 0 not yet */
    uint64_t draws, dispatches, other;
};
/* A trigger listener; context: struct et_surface_watch. */
void et_surface_watch_trigger(void *watch, const struct et_trigger *trigger);

#endif
