/* The fixed-function tessellator: levels into domain points and primitives. */
#ifndef ET_PIPELINE_TESSELLATOR_H
#define ET_PIPELINE_TESSELLATOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum et_tess_domain { ET_TESS_ISOLINE, ET_TESS_TRIANGLE, ET_TESS_QUAD };
enum et_tess_spacing { ET_TESS_INTEGER, ET_TESS_FRACTIONAL_ODD, ET_TESS_FRACTIONAL_EVEN };
enum et_tess_primitives { ET_TESS_POINTS, ET_TESS_LINES, ET_TESS_CLOCKWISE, ET_TESS_COUNTER_CLOCKWISE };

#define ET_TESS_POINTS_MAX  (65 * 65 + 260)
#define ET_TESS_INDICES_MAX (3 * (2 * 64 * 64 + 4 * 64))

struct et_tessellation {
    unsigned points;
    struct et_tess_point {
        int32_t u, v; /* 1/65536 */
    } point[ET_TESS_POINTS_MAX];
    unsigned indices; /* 1, 2 or 3 a primitive */
    uint16_t index[ET_TESS_INDICES_MAX];
};

/* outer: edges u = 0, v = 0, then w = 0 (triangle) or u = 1, v = 1; isolines: lines, segments. A level that is not
 * above zero culls the patch: nothing comes out. */
void et_tessellate(struct et_tessellation *out, enum et_tess_domain domain, enum et_tess_spacing spacing,
                   enum et_tess_primitives primitives, const float outer[4], const float inner[2]);

#endif
