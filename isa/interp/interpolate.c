/* IPA in its common shape: a named word at the pixels' centres, a quad of doubles at a time. Anything else
 * goes to the slow handler, which specifies this one bit for bit. Compiled once a CPU level. */
#include "isa/interp/lanes.h"
#include "isa/interp/ops.h"
#include "isa/numeric/plane-quad.h"

#include <string.h>

/* Where a word of the warp's quads comes from. */
struct word_source {
    uint8_t plane, flat; /* index; 0xff: none */
    bool z, w;
};

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

static const struct et_plane *plane_of(const struct et_primitive *primitive, const struct word_source *from)
{
    return from->z ? &primitive->z : from->w ? &primitive->w : &primitive->planes[from->plane];
}

static void interpolate(const struct et_fragment_io *io, const struct word_source *from, unsigned quad,
                        float out[4])
{
    const struct et_primitive *primitive = et_quad_primitive(io, quad);
    if (from->flat != 0xff) {
        for (unsigned n = 0; n < 4; n++)
            out[n] = et_float(primitive->flat[from->flat]);
        return;
    }
    et_plane_quad(plane_of(primitive, from), et_quad_x(io, quad) * 256 + 128, et_quad_y(io, quad) * 256 + 128,
                  out);
}

/* The values of all lanes; takes lanes of quads without a primitive out of the mask. */
static uint32_t interpolate_all(const struct et_fragment_io *io, const struct word_source *from,
                                uint32_t mask, float value[ET_LANES])
{
    if (io->cell && from->flat == 0xff) {
        et_plane_cells(plane_of(io->primitive[0], from), io->x[0] * 256 + 128, io->y[0] * 256 + 128, 1,
                       value);
        return mask;
    }
    for (unsigned quad = 0; quad < 8; quad++) {
        if (!et_quad_primitive(io, quad))
            mask &= ~(15u << quad * 4);
        if (mask >> quad * 4 & 15)
            interpolate(io, from, quad, value + quad * 4);
        else
            memset(value + quad * 4, 0, 4 * sizeof *value);
    }
    return mask;
}

static const struct insn *one_warp(struct warp *w, const struct insn *i)
{
    const struct et_fragment_io *io = w->io ? w->io->fragment : NULL;
    const uint32_t word = i->imm / 4;
    uint32_t *d = file(w, i->d), mask = lanes_of(w, i);
    const uint32_t *b = source(w, i->b);
    float local[ET_LANES] __attribute__((aligned(64))), *value = local;
    struct word_source from;
    if (!io || io->coarse || !find_source(io, word, i->fn == ET_IPA_CONSTANT, &from) ||
        (from.flat != 0xff && i->ir->sat)) /* a flat word may be denormal: it saturates to itself */
        return et_op_ipa(w, i);
    const bool multiplies = i->fn == ET_IPA_MULTIPLY ||
                            (i->fn == ET_IPA_SC && io->layout->perspective[word & (ET_ATTRIBUTE_WORDS - 1)]);
    const bool in_place = mask == ~0u && io->cell && !multiplies && !i->ir->sat;
    if (in_place)
        value = (float *)(void *)d;
    mask = interpolate_all(io, &from, mask, value);
    if (in_place)
        return i + 1;
    const uint32_t *const bits = (const uint32_t *)(const void *)value;
    for (unsigned k = 0; k < CHUNKS; k++) {
        vu r = load(bits, k);
        if (multiplies) /* the linker has set toward zero with flush */
            r = canonical((vf)r * (vf)load(b, k));
        if (i->ir->sat)
            r = saturate(r);
        store(d, k, mask == ~0u ? r : choose(expand(mask, k), r, load(d, k)));
    }
    return i + 1;
}

/* The common shape for a team: every lane, no value that saturates. */
static const struct insn *team(struct warp *w, const struct insn *i)
{
    const struct et_fragment_io *io = w->io->fragment;
    const uint32_t word = i->imm / 4;
    float *const value = (float *)(void *)file(w, i->d);
    const uint32_t *b = source(w, i->b);
    struct word_source from;
    if (i->guard != ET_P_T || i->ir->sat || !find_source(io, word, i->fn == ET_IPA_CONSTANT, &from) ||
        from.flat != 0xff)
        return et_op_team_each(w, i);
    const bool multiplies = i->fn == ET_IPA_MULTIPLY ||
                            (i->fn == ET_IPA_SC && io->layout->perspective[word & (ET_ATTRIBUTE_WORDS - 1)]);
    float local[ET_LANES * ET_TEAM] __attribute__((aligned(64)));
    float *const out = multiplies ? local : value;
    const bool own = from.z || from.w; /* not one of the draw's planes */
    const size_t place = from.z ? offsetof(struct et_primitive, z) : offsetof(struct et_primitive, w);
    const unsigned together = io->row ? ET_TEAM : 1;
    for (unsigned n = 0; n < ET_TEAM; n += together) {
        const struct et_fragment_io *const cell = w[n].io->fragment;
        const struct et_primitive *const primitive = cell->primitive[0];
        et_plane_cells(own ? (const void *)((const char *)primitive + place) : &primitive->planes[from.plane],
                       cell->x[0] * 256 + 128, cell->y[0] * 256 + 128, together, out + n * ET_LANES);
    }
    for (unsigned k = 0; k < CHUNKS * ET_TEAM && multiplies;
         k++) /* the linker has set toward zero with flush */
        store((uint32_t *)(void *)value, k,
              canonical((vf)load((const uint32_t *)(const void *)local, k) * (vf)load(b, k)));
    NEXT;
}

op_fn *const ET_IPA_LEVEL[2] = {one_warp, team};
