/* Level of detail as silicon computes it, in 1/256, and the anisotropic footprint. [HW:H200]
 * Lengths are doubles that hold ten significant bits, so each step below is exact but for its stated
 * rounding. */
#ifndef ET_TEXTURE_LOD_H
#define ET_TEXTURE_LOD_H

#include <stdbool.h>
#include <stdint.h>

#define ET_LOD_LEAST (-32768)

extern const uint8_t et_log2_fraction[256]; /* 256 log2(1 + m/256) */

/* A difference of a normalised coordinate in texels. */
double et_lod_derivative(float difference, uint32_t size);
/* The length that selects the level, of the x and y derivatives in texels. */
double et_lod_length2(const double x[2], const double y[2]);
double et_lod_length3(const double x[3], const double y[3]);
/* A cube's derivatives along x and y, in texels. */
struct et_cube_derivatives {
    bool across;      /* they leave the face */
    double d[2][2];   /* of s and t; across faces: of the vector's own x and y */
    double length[2]; /* across faces: of each */
};
/* From the coordinates of lanes 0, 1, 2, scaled so that the largest component is 1. */
void et_lod_derivatives_cube(const float lanes[3][3], uint32_t size, struct et_cube_derivatives *out);
double et_lod_length_cube(const float lanes[3][3], uint32_t size);
/* log2 of a length; ET_LOD_LEAST for 0. */
int et_lod_log2(double length);
/* A float level or bias: truncated toward zero to 1/256, clamped to +-2^20; NaN is 0. */
int et_lod_fixed(float lod);

/* Samples along the major axis of a 2D footprint. */
struct et_anisotropy {
    int lod;    /* 1/256 */
    int ratio;  /* log2 of major to minor, 1/256 */
    int dx, dy; /* unit vector of the major axis, 1/128 */
};
void et_lod_anisotropic(const double x[2], const double y[2], unsigned most, struct et_anisotropy *footprint);

void et_lod_anisotropic_cube(const struct et_cube_derivatives *cube, unsigned most,
                             struct et_anisotropy *footprint);

/* Pairs of samples at +-offset/256 of the unit vector. */
struct et_taps {
    int scale; /* sum of all weights: 512 or 1024 */
    int pairs;
    int offset[8], weight[8];
};
void et_anisotropic_taps(int ratio, struct et_taps *taps);
/* Displacement in 1/256 texel along one component of the unit vector, steps being stretch/64 texels long. */
int et_anisotropic_shift(int offset, int component, int stretch);
/* The finer of two levels takes steps of a texel of the footprint's own level, `fraction` (1/256) coarser. */
int et_anisotropic_stretch(int fraction);

/* Cube face (+x -x +y -y +z -z), its s and t axes and the major one, of a vector; NaN is 0. */
unsigned et_cube_face(const float vector[3], float *s, float *t, float *major);

#endif
