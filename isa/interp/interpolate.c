/* IPA in its common shape: a named word at the pixels' centres, a quad of doubles at a time. Anything else
 * goes to the slow handler, which specifies this one bit for bit. Compiled once a CPU level. */
#include "isa/interp/lanes.h"
#include "isa/interp/ops.h"

#include <string.h>

typedef double quad_double __attribute__((vector_size(32)));
typedef int64_t quad_long __attribute__((vector_size(32)));
typedef float quad_float __attribute__((vector_size(16)));

/* Where a word of the warp's quads comes from. */
struct word_source {
    uint8_t plane, flat; /* index; 0xff: none */
    bool z, w;
};

/* to_float of numeric/plane.c. */
static inline void to_singles(const quad_double *sum, float out[4])
{
    const quad_long v = (quad_long)*sum, sign = v & INT64_MIN;
    const quad_long magnitude = v & ~((INT64_C(1) << 29) - 1) & INT64_MAX;
    const quad_long tiny = magnitude < INT64_C(0x3810000000000000); /* 2^-126 */
    const quad_long huge =                                          /* 2^128, and no NaN */
        (magnitude >= INT64_C(0x47f0000000000000)) & (magnitude <= INT64_C(0x7ff0000000000000));
    quad_long bits = (magnitude & ~tiny) | sign;
    bits &= ~(tiny & (v == INT64_MIN));                                    /* -0: 0 */
    bits = (bits & ~huge) | ((INT64_C(0x47efffffe0000000) | sign) & huge); /* the largest single */
    const quad_float value = __builtin_convertvector((quad_double)bits, quad_float);
    memcpy(out, &value, sizeof value);
}

/* The plane at the centres of the quad at (x, y), 1/256 pixel; see et_plane_evaluate. */
static inline void evaluate(const struct et_plane *plane, int32_t x, int32_t y, float out[4])
{
    const int32_t dx = x - plane->rx, dy = y - plane->ry, reach = plane->reach;
    if (dx >= -reach && dx + 256 <= reach && dy >= -reach && dy + 256 <= reach) {
        const quad_double step_x = {0, 256, 0, 256}, step_y = {0, 0, 256, 256};
        quad_double sum = plane->a * ((double)dx + step_x) + plane->b * ((double)dy + step_y) + plane->c;
        sum += (quad_double)((quad_long)((quad_double){0} + plane->unit) & (sum < 0));
        to_singles(&sum, out);
    } else {
        const int32_t xs[4] = {x, x + 256, x, x + 256}, ys[4] = {y, y, y + 256, y + 256};
        et_plane_evaluate(plane, 4, xs, ys, out);
    }
}

/* False where the slow handler is needed: words that no plane or flat value of the draw stands for. */
static bool find_source(const struct et_fragment_io *io, uint32_t word, bool flat, struct word_source *source)
{
    *source = (struct word_source){.plane = 0xff, .flat = 0xff, .z = word == 0x78 / 4, .w = word == 0x7c / 4};
    if (source->z || source->w)
        return true;
    if (word < 0x78 / 4 || word >= 0x3fc / 4)
        return false;
    source->plane = io->layout->plane[word];
    source->flat = io->layout->flat[word];
    if (source->flat != 0xff && (flat || source->plane == 0xff))
        source->plane = 0xff;
    else
        source->flat = 0xff;
    return source->plane != 0xff || source->flat != 0xff;
}

static void interpolate(const struct et_fragment_io *io, const struct word_source *from, unsigned quad,
                        float out[4])
{
    const struct et_primitive *primitive = io->primitive[quad];
    if (from->flat != 0xff) {
        for (unsigned n = 0; n < 4; n++)
            out[n] = et_float(primitive->flat[from->flat]);
        return;
    }
    evaluate(from->z   ? &primitive->z
             : from->w ? &primitive->w
                       : &primitive->planes[from->plane],
             io->x[quad] * 256 + 128, io->y[quad] * 256 + 128, out);
}

const struct insn *ET_IPA_LEVEL(struct warp *w, const struct insn *i)
{
    const struct et_fragment_io *io = w->io ? w->io->fragment : NULL;
    const uint32_t word = i->imm / 4;
    uint32_t *d = file(w, i->d), mask = lanes_of(w, i);
    const uint32_t *b = source(w, i->b);
    float value[ET_LANES] __attribute__((aligned(64)));
    const uint32_t *const bits = (const uint32_t *)(const void *)value;
    struct word_source from;
    if (!io || io->passes > 1 || io->centroid_always ||
        !find_source(io, word, i->fn == ET_IPA_CONSTANT, &from) ||
        (from.flat != 0xff && i->ir->sat)) /* a flat word may be denormal: it saturates to itself */
        return et_op_ipa(w, i);
    for (unsigned quad = 0; quad < 8; quad++) {
        if (!io->primitive[quad])
            mask &= ~(15u << quad * 4);
        if (mask >> quad * 4 & 15)
            interpolate(io, &from, quad, value + quad * 4);
        else
            memset(value + quad * 4, 0, 4 * sizeof *value);
    }
    const bool multiplies = i->fn == ET_IPA_MULTIPLY ||
                            (i->fn == ET_IPA_SC && io->layout->perspective[word & (ET_ATTRIBUTE_WORDS - 1)]);
    for (unsigned k = 0; k < CHUNKS; k++) {
        vu r = load(bits, k);
        if (multiplies) /* the linker has set nearest even with flush */
            r = canonical((vf)r * (vf)load(b, k));
        if (i->ir->sat)
            r = saturate(r);
        store(d, k, mask == ~0u ? r : choose(expand(mask, k), r, load(d, k)));
    }
    return i + 1;
}
