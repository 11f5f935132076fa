/* Texel fetch and queries: no filter. */
#include "texture/plan.h"

#include "base/bits.h"

/* Where a fetch goes; false when any coordinate lies outside: the result is zero before constants. [INF] */
static bool fetch_place(const struct et_tex_request *request, unsigned lane, unsigned *level, uint32_t *layer,
                        uint32_t at[3])
{
    const struct et_tex_instruction *instruction = request->instruction;
    const struct et_texture *texture = &request->plan->texture;
    const struct et_tex_lanes *lanes = request->lanes;
    const unsigned dims = instruction->dim == ET_TEX_1D ? 1 : instruction->dim == ET_TEX_3D ? 3 : 2;
    const uint32_t lod = instruction->lod == ET_LOD_ZERO || instruction->multisample ? 0 : lanes->lod[lane];
    const struct et_texture_level *in;
    if (lod > texture->last_level - texture->first_level)
        return false;
    *level = texture->first_level + lod;
    in = &texture->level[*level];
    const uint32_t size[3] = {in->width, in->height, in->depth};
    for (unsigned d = 0; d < 3; d++) {
        at[d] = d < dims ? lanes->coord[d][lane] : 0;
        if (d < dims && instruction->offset)
            at[d] += (uint32_t)(int32_t)lanes->offset[0][d][lane];
        if (at[d] >= size[d])
            return false;
    }
    *layer = instruction->array ? lanes->layer[lane] & 0xffff : 0;
    if (*layer >= texture->layers)
        return false;
    const uint32_t sample = instruction->multisample ? lanes->sample[lane] : 0;
    if (sample >= texture->samples->samples)
        return false;
    at[0] = (at[0] << texture->samples->width_log2) + texture->samples->x[sample];
    at[1] = (at[1] << texture->samples->height_log2) + texture->samples->y[sample];
    return true;
}

void et_tex_fetch(struct et_tex_request *request)
{
    for (uint32_t mask = request->mask; mask; mask &= mask - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(mask);
        struct et_texel texel = {{0}};
        uint32_t layer, at[3], values[4];
        unsigned level;
        request->texels.sparse = false;
        if (fetch_place(request, lane, &level, &layer, at))
            et_texels_read(&request->texels, level, layer, at[0], at[1], at[2], &texel);
        et_plan_values(request->plan, &texel, values);
        for (unsigned c = 0; c < 4; c++)
            request->out[c][lane] = values[c];
        if (request->texels.sparse)
            request->resident &= ~(1u << lane);
    }
}

/* Width, height (of one dimension, layers), depth or layers of the level in lod[], and how many levels the
 * view has; zero past the last.
 */
static void query_dimension(const struct et_texture *texture, uint32_t lod, uint32_t values[4])
{
    const uint32_t levels = texture->last_level - texture->first_level + 1;
    const struct et_texture_level *level;
    values[0] = values[1] = values[2] = 0;
    values[3] = levels;
    if (lod >= levels)
        return;
    level = &texture->level[texture->first_level + lod];
    values[0] = level->width;
    values[1] = level->height;
    if (texture->type == ET_TEXTURE_1D_ARRAY) /* [DRV: nvc0 and NVK take the first two] */
        values[1] = texture->layers;
    values[2] = texture->type == ET_TEXTURE_3D           ? level->depth
                : texture->type == ET_TEXTURE_CUBE_ARRAY ? texture->layers / 6
                : texture->type == ET_TEXTURE_CUBE       ? 1
                                                         : texture->layers;
}

void et_tex_query(struct et_tex_request *request)
{
    const struct et_texture *texture = &request->plan->texture;
    const struct et_sampler *sampler = &request->plan->sampler;
    for (uint32_t mask = request->mask; mask; mask &= mask - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(mask);
        uint32_t values[4] = {0};
        switch ((enum et_tex_query)request->instruction->query) {
        case ET_QUERY_DIMENSION:
            query_dimension(texture, request->lanes->lod[lane], values);
            break;
        case ET_QUERY_TEXTURE_TYPE: /* [DRV] the third is the number of samples */
            values[0] = texture->type;
            values[2] = texture->samples->samples;
            break;
        case ET_QUERY_FILTER:
            values[0] = sampler->magnify;
            values[1] = sampler->minify;
            values[2] = sampler->mip;
            break;
        case ET_QUERY_LOD:
            values[0] = (uint32_t)sampler->min_lod;
            values[1] = (uint32_t)sampler->max_lod;
            values[2] = (uint32_t)sampler->bias;
            break;
        case ET_QUERY_WRAP:
            for (unsigned d = 0; d < 3; d++)
                values[d] = sampler->wrap[d];
            break;
        case ET_QUERY_BORDER_COLOUR:
            memcpy(values, sampler->border, sizeof values);
            break;
        default:
            if (request->texels.status == ETALON_OK)
                request->texels.status = et_fail(request->texels.error, ETALON_UNSUPPORTED,
                                                 "texture query %u", request->instruction->query);
            break;
        }
        for (unsigned c = 0; c < 4; c++)
            request->out[c][lane] = values[c];
    }
}
