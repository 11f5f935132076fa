/* One job of a texture replay: what a scene's shader asked of which texture and sampler, and the answers that
 * it must get. */
#ifndef ET_TESTS_TEXTURE_SCENE_H
#define ET_TESTS_TEXTURE_SCENE_H

#include "support/texture_replay.h"

#define SCENE_RECORDS 80

/* How a scene's shader asks. */
enum asks {
    ASKS_LEVEL,         /* textureLod: 2D (xy, level z), 3D (xyz, level w) */
    ASKS_CUBE,          /* textureLod of a cube: xyz, level w */
    ASKS_ARRAY,         /* textureLod of an array: xy, layer z */
    ASKS_OFFSET,        /* as level, texel offset (-3, 2) */
    ASKS_GRADIENT,      /* textureGrad 2D: ddx, ddy in one table */
    ASKS_GRADIENT3,     /* textureGrad 3D: two tables; the shader moves the quad's lanes */
    ASKS_GRADIENT_CUBE, /* the same for cubes */
    ASKS_IMPLICIT,
    ASKS_BIAS,          /* bias z */
    ASKS_QUERY,         /* textureQueryLod */
    ASKS_GATHER,        /* component .component */
    ASKS_GATHER_OFFSET, /* the same, offset (1, -2) */
    ASKS_SHADOW,        /* reference z, level w; then three components of a gather */
    ASKS_FETCH
};

struct job {
    const char *scene, *tag;
    enum asks asks;
    unsigned coords, texture;   /* scene_records */
    unsigned levels, layers;    /* of the texture, 0: 1 */
    unsigned filter, mip, wrap; /* filter: 0 point, 1 linear; mip: enum et_mip, 0: none; wrap: enum et_wrap */
    unsigned anisotropy;        /* the sampler's field */
    unsigned table, table2;     /* scene_records of gradients */
    unsigned component;
    unsigned function;       /* depth comparison, its reading plus 1; 0: none */
    bool unnormalized;       /* and V goes to the border */
    unsigned border;         /* 0 transparent black, 1 opaque black, 2 opaque white */
    float bias, least, most; /* level of detail; most 0: the highest */
    const uint8_t *sources;  /* view swizzle over components */
    unsigned rows;           /* of the answers in the pack, 0: all */
};

/* Where the data come from; open it before the first scene. */
extern struct replay_data scene_data;
/* The records of the scene that was loaded last. */
extern struct replay_record scene_records[SCENE_RECORDS];
extern size_t scene_record_count;

/* False when a folder of experiments has no such scene; a pack without one fails the test. */
bool scene_load(const char *scene);
/* Every pixel of the job's answers must be equal. While packing: notes what the job needs instead. */
void scene_replay(const struct job *job);
/* imageStore of the scene's table of floats in a format; the answers are the image's bytes. While packing:
 * keeps `rows` of them. */
void scene_replay_store(const char *scene, const char *format_name, unsigned rows);
/* While packing: keeps the records of all scenes, each cut to what is wanted of it. */
void scene_keep_records(void);

#endif
