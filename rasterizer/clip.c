#include "rasterizer/clip.h"

#include "base/bits.h"

static double distance(const struct et_clip_plane *plane, const struct et_clip_vertex *vertex)
{
    double sum = plane->constant;
    if (plane->word >= 0)
        return et_float(vertex->record.word[plane->word]);
    for (unsigned i = 0; i < 4; i++)
        sum += plane->p[i] * vertex->position[i];
    return sum;
}

static float between(float inside, float outside, double t)
{
    return (float)(inside + t * ((double)outside - inside));
}

/* The point on the plane, computed from the inner vertex: the same for both polygons that share an edge. */
static void cut(struct et_clip_vertex *out, const struct et_clip_vertex *inside, double d_in,
                const struct et_clip_vertex *outside, double d_out,
                const uint32_t words[ET_ATTRIBUTE_WORDS / 32])
{
    const double t = d_in / (d_in - d_out);
    struct et_clip_vertex made = *inside;
    for (unsigned i = 0; i < 4; i++)
        made.position[i] = between(inside->position[i], outside->position[i], t);
    for (unsigned w = 0; w < ET_ATTRIBUTE_WORDS; w++)
        if (words[w >> 5] >> (w & 31) & 1)
            made.record.word[w] = et_float_bits(
                between(et_float(inside->record.word[w]), et_float(outside->record.word[w]), t));
    *out = made;
}

void et_clip(struct et_clip_polygon *polygon, const struct et_clip_plane *plane, bool open,
             const uint32_t words[ET_ATTRIBUTE_WORDS / 32])
{
    struct et_clip_polygon source;
    double d[ET_CLIP_VERTICES];
    bool any_out = false;
    for (unsigned i = 0; i < polygon->count; i++) {
        d[i] = distance(plane, &polygon->vertex[i]);
        any_out |= !(d[i] >= 0);
    }
    if (!any_out)
        return;
    source.count = polygon->count;
    memcpy(source.vertex, polygon->vertex, polygon->count * sizeof *source.vertex);
    polygon->count = 0;
    for (unsigned i = 0; i < source.count; i++) {
        const unsigned j = i + 1 == source.count ? 0 : i + 1;
        const bool in_i = d[i] >= 0, in_j = d[j] >= 0;
        if (in_i && polygon->count < ET_CLIP_VERTICES)
            polygon->vertex[polygon->count++] = source.vertex[i];
        if (in_i == in_j || (open && j == 0) || polygon->count == ET_CLIP_VERTICES)
            continue;
        const unsigned in = in_i ? i : j, out = in_i ? j : i;
        cut(&polygon->vertex[polygon->count++], &source.vertex[in], d[in], &source.vertex[out], d[out],
            words);
    }
}
