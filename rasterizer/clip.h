/* Clipping polygons of clip-space vertices against half spaces. */
#ifndef ET_RASTERIZER_CLIP_H
#define ET_RASTERIZER_CLIP_H

#include "isa/interp/launch.h"

#define ET_CLIP_VERTICES 24

struct et_clip_vertex {
    float position[4];
    struct et_vertex_record record;
};

struct et_clip_polygon {
    unsigned count;
    struct et_clip_vertex vertex[ET_CLIP_VERTICES];
};

/* One half space: inside where x*p.x + y*p.y + z*p.z + w*p.w + constant >= 0, or where record word `word` >=
 * 0. */
struct et_clip_plane {
    double p[4], constant;
    int word; /* -1: by position */
};

/* Cuts in place. `open`: the polygon is a segment of two vertices. Words set in `words` (a bit each) are
 * interpolated as floats; others keep the value of the vertex inside. */
void et_clip(struct et_clip_polygon *polygon, const struct et_clip_plane *plane, bool open,
             const uint32_t words[ET_ATTRIBUTE_WORDS / 32]);

#endif
