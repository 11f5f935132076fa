/* Level of detail as silicon computes it, in 1/256. [HW:H200] */
#ifndef ET_TEXTURE_LOD_H
#define ET_TEXTURE_LOD_H

#include <stdint.h>

extern const uint8_t et_log2_fraction[256]; /* 256 log2(1 + m/256) */

#endif
