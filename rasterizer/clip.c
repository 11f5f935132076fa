/* The arithmetic of the clipper. [HW:H200]
 *
 * A vertex where an edge meets a plane: r = MUFU.RCP(din - dout) of the ends' distances; its weights of the
 * primitive's vertices, its clip-space position and its user distances are RN(RN(in * -dout) + RN(out * din))
 * * r. That position serves for the next plane alone: the vertex is drawn at the sum of the primitive's
 * positions times its weights (each product and sum RN), the vertex of the largest x added last, and so are
 * its attributes made. User planes cut first, then near, far and w. Where one plane alone cuts a triangle, a
 * vertex on it stands for the new one. How the polygon is drawn: setup.c. Evidence:
 * conformance/hardware/planes, lists of cut.h and far.h. */
#include "rasterizer/clip.h"

#include "base/bits.h"
#include "isa/numeric/mufu.h"

#include <string.h>

float et_clip_distance(const struct et_clip_plane *plane, const float position[4], const float *distance)
{
    float sum = 0;
    if (plane->distance >= 0)
        return distance[plane->distance];
    for (unsigned i = 0; i < 4; i++)
        if (plane->p[i] != 0)
            sum += plane->p[i] * position[i];
    return sum;
}

void et_clip_begin(struct et_clip_polygon *polygon, unsigned corners, const float (*position)[4],
                   const float (*distance)[ET_CLIP_DISTANCES])
{
    polygon->corners = polygon->count = corners;
    polygon->last = 0;
    polygon->one_plane = false;
    for (unsigned k = 0; k < corners; k++) {
        struct et_clip_vertex *vertex = &polygon->vertex[k];
        *vertex = (struct et_clip_vertex){0};
        vertex->weight[k] = 1;
        memcpy(vertex->position, position[k], sizeof vertex->position);
        if (distance)
            memcpy(vertex->distance, distance[k], sizeof vertex->distance);
        if (position[k][0] > position[polygon->last][0])
            polygon->last = k;
    }
}

static void cut(struct et_clip_vertex *made, const struct et_clip_vertex *in, float d_in,
                const struct et_clip_vertex *out, float d_out)
{
    const float r = et_float(et_mufu(ET_MUFU_RCP, et_float_bits(d_in - d_out)));
    made->made = true;
    for (unsigned i = 0; i < 3; i++)
        made->weight[i] = (in->weight[i] * -d_out + out->weight[i] * d_in) * r;
    for (unsigned i = 0; i < 4; i++)
        made->position[i] = (in->position[i] * -d_out + out->position[i] * d_in) * r;
    for (unsigned i = 0; i < ET_CLIP_DISTANCES; i++)
        made->distance[i] = (in->distance[i] * -d_out + out->distance[i] * d_in) * r;
}

void et_clip(struct et_clip_polygon *polygon, const struct et_clip_plane *plane)
{
    struct et_clip_vertex source[ET_CLIP_VERTICES];
    float d[ET_CLIP_VERTICES];
    const unsigned count = polygon->count;
    bool any_out = false;
    for (unsigned i = 0; i < count; i++) {
        d[i] = et_clip_distance(plane, polygon->vertex[i].position, polygon->vertex[i].distance);
        any_out |= !(d[i] >= 0);
    }
    if (!any_out)
        return;
    memcpy(source, polygon->vertex, count * sizeof *source);
    polygon->count = 0;
    for (unsigned i = 0; i < count; i++) {
        const unsigned j = i + 1 == count ? 0 : i + 1;
        const bool in_i = d[i] >= 0, in_j = d[j] >= 0;
        if (in_i && polygon->count < ET_CLIP_VERTICES)
            polygon->vertex[polygon->count++] = source[i];
        if (in_i == in_j || (polygon->corners == 2 && j == 0) || polygon->count == ET_CLIP_VERTICES)
            continue;
        const unsigned in = in_i ? i : j, out = in_i ? j : i;
        if (d[in] == 0 && polygon->one_plane && polygon->corners == 3)
            continue;
        cut(&polygon->vertex[polygon->count++], &source[in], d[in], &source[out], d[out]);
    }
}

float et_clip_mix(const struct et_clip_polygon *polygon, const struct et_clip_vertex *vertex,
                  const float value[3])
{
    float sum = 0;
    bool any = false;
    for (unsigned i = 1; i <= 3; i++) {
        const unsigned k = (polygon->last + i) % 3;
        if (k >= polygon->corners || vertex->weight[k] == 0)
            continue;
        const float term = value[k] * vertex->weight[k];
        sum = any ? sum + term : term;
        any = true;
    }
    return sum;
}
