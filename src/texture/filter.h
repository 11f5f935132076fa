/* The filter: integer weights, one weighted sum a component, rounded as silicon rounds each class. [HW:H200]
 */
#ifndef ET_TEXTURE_FILTER_H
#define ET_TEXTURE_FILTER_H

#include "base/bits.h"
#include "texture/header.h"

/* A weight of zero whose texel belongs to the footprint all the same (its axis fraction is not 0): only its
 * infinity or NaN matters. */
#define ET_WEIGHT_TOUCH (1 << 20)

/* Coordinates in 1/256 texel less half a texel for the linear filter, or a texel's index. A NaN counts as 0;
 * results are clamped to +-2^61, far outside any image. size 0: the coordinate is in texels already. */
int64_t et_coordinate_linear(double coordinate, uint32_t size);
int64_t et_coordinate_nearest(double coordinate, uint32_t size);
/* The coordinate in 1/256 texel, toward minus infinity: that of a point sample before it is moved. */
int64_t et_coordinate_fine(double coordinate, uint32_t size);

/* Index of a texel after wrapping (mode: enum et_wrap); -1: the border. */
static inline int32_t et_wrap_index(int64_t index, uint32_t size, unsigned mode)
{
    const int64_t n = size;
    switch ((enum et_wrap)mode) {
    case ET_WRAP_REPEAT:
        if ((uint64_t)index < (uint64_t)n)
            return (int32_t)index;
        index %= n;
        return (int32_t)(index < 0 ? index + n : index);
    case ET_WRAP_MIRROR:
        index %= 2 * n;
        if (index < 0)
            index += 2 * n;
        return (int32_t)(index >= n ? 2 * n - 1 - index : index);
    case ET_WRAP_MIRROR_ONCE_EDGE:
        if (index < 0)
            index = -1 - index;
        return (int32_t)ET_MIN(index, n - 1);
    case ET_WRAP_EDGE:
        return (int32_t)(index < 0 ? 0 : ET_MIN(index, n - 1));
    case ET_WRAP_MIRROR_ONCE_BORDER:
    case ET_WRAP_MIRROR_ONCE_CLAMP_OGL:
        if (index < 0)
            index = -1 - index;
        break;
    default:
        break;
    }
    return index < 0 || index >= n ? -1 : (int32_t)index;
}

/* The 8 weights of a level, x + 2 y + 4 z, that sum to `total`; fractions in 1/256. */
void et_filter_weights(int x, int y, int z, int total, int weights[8]);

/* Filters one component of `quads` quads of four texels (level 0 z 0, level 0 z 1, level 1 z 0, level 1 z 1,
 * or level 0, level 1). Weights sum to 256 (scale_log2 8), or to 2^scale_log2 for many samples. Register
 * bits. */
uint32_t et_filter(enum et_texel_class klass, const struct et_texel *texels, unsigned component,
                   const int *weights, unsigned quads, unsigned scale_log2);

#endif
