/* Clipping primitives of clip-space vertices against half spaces. The rules and their evidence: clip.c. */
#ifndef ET_RASTERIZER_CLIP_H
#define ET_RASTERIZER_CLIP_H

#include <stdbool.h>

#define ET_CLIP_VERTICES  24
#define ET_CLIP_DISTANCES 8

/* One half space: inside where the sum of p and position >= 0, or where user distance `distance` >= 0. */
struct et_clip_plane {
    float p[4];
    int distance; /* -1: by position */
};

/* A vertex of what is left: one of the primitive's, or a mixture of them. */
struct et_clip_vertex {
    float weight[3];   /* of the primitive's vertices */
    float position[4]; /* as the next plane sees it; a mixture is drawn at its mixed position */
    float distance[ET_CLIP_DISTANCES];
    bool made;
};

/* A convex polygon, or a segment where the primitive has two vertices. */
struct et_clip_polygon {
    unsigned corners, last; /* of the primitive; the vertex that a mixture adds last */
    bool one_plane;         /* a single one of near, far and w cuts it */
    unsigned count;
    struct et_clip_vertex vertex[ET_CLIP_VERTICES];
};

/* Distance of a vertex from the plane; outside where it is not >= 0. */
float et_clip_distance(const struct et_clip_plane *plane, const float position[4], const float *distance);
/* The whole primitive; distance may be NULL. */
void et_clip_begin(struct et_clip_polygon *polygon, unsigned corners, const float (*position)[4],
                   const float (*distance)[ET_CLIP_DISTANCES]);
/* Cuts in place. */
void et_clip(struct et_clip_polygon *polygon, const struct et_clip_plane *plane);
/* What `value` of the primitive's vertices becomes at a vertex of the polygon. */
float et_clip_mix(const struct et_clip_polygon *polygon, const struct et_clip_vertex *vertex,
                  const float value[3]);

#endif
