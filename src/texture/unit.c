#include "texture/plan.h"

#include "base/alloc.h"
#include "base/bits.h"

struct et_tex_unit *et_tex_unit_create(struct et_view *view)
{
    struct et_tex_unit *unit = et_calloc(1, sizeof *unit);
    if (unit)
        unit->view = view;
    return unit;
}

void et_tex_unit_destroy(struct et_tex_unit *unit)
{
    et_free(unit);
}

/* Where a slot's value comes from. Components that the format lacks read as 0, alpha as 1. [INF] */
static struct et_slot make_slot(const struct et_texel_format *format, unsigned source)
{
    struct et_slot slot = {ET_CLASS_NONE, 0, 0};
    const uint32_t one = format->integer ? 1 : et_float_bits(1);
    if (source >= ET_SOURCE_R && source <= ET_SOURCE_A) {
        slot.component = (uint8_t)(source - ET_SOURCE_R);
        slot.klass = format->klass[slot.component];
        slot.constant = source == ET_SOURCE_A ? one : 0;
    } else if (source == ET_SOURCE_ONE_INT) {
        slot.constant = 1;
    } else if (source == ET_SOURCE_ONE_FLOAT) {
        slot.constant = et_float_bits(1);
    }
    return slot;
}

/* The common formats without the general reader's walk over fields. */
static void read_8888(const struct et_texel_format *format, const uint8_t *bytes, unsigned x,
                      struct et_texel *texel)
{
    (void)format, (void)x;
    *texel = (struct et_texel){{bytes[0], bytes[1], bytes[2], bytes[3]}};
}

static void read_8(const struct et_texel_format *format, const uint8_t *bytes, unsigned x,
                   struct et_texel *texel)
{
    (void)format, (void)x;
    *texel = (struct et_texel){{bytes[0], 0, 0, 0}};
}

static void read_16161616(const struct et_texel_format *format, const uint8_t *bytes, unsigned x,
                          struct et_texel *texel)
{
    uint16_t c[4];
    (void)format, (void)x;
    memcpy(c, bytes, sizeof c);
    *texel = (struct et_texel){{c[0], c[1], c[2], c[3]}};
}

static void read_32323232(const struct et_texel_format *format, const uint8_t *bytes, unsigned x,
                          struct et_texel *texel)
{
    (void)format, (void)x;
    memcpy(texel->code, bytes, 16);
}

static void read_32(const struct et_texel_format *format, const uint8_t *bytes, unsigned x,
                    struct et_texel *texel)
{
    (void)format, (void)x;
    *texel = (struct et_texel){{(int32_t)et_load32(bytes), 0, 0, 0}};
}

static void choose_reader(struct et_tex_plan *plan)
{
    const struct et_texel_format *format = &plan->texture.format;
    const struct et_format *row = format->format;
    bool raw = row->kind == ET_KIND_PLAIN; /* codes are the memory's own bits, not signed */
    for (unsigned c = 0; c < 4; c++)
        if (row->width[c] && row->width[c] < 32)
            raw = raw && format->klass[c] != ET_CLASS_S8 && format->klass[c] != ET_CLASS_S16 &&
                  format->type[c] != ET_TYPE_SINT;
    plan->read = et_texel_read;
    if (!raw)
        return;
    if (row->sizes == 0x08)
        plan->read = read_8888;
    else if (row->sizes == 0x1d)
        plan->read = read_8;
    else if (row->sizes == 0x03)
        plan->read = read_16161616;
    else if (row->sizes == 0x01)
        plan->read = read_32323232;
    else if (row->sizes == 0x0f)
        plan->read = read_32;
}

static enum etalon_status build(struct et_tex_plan *plan, struct etalon_error *error)
{
    uint32_t words[8];
    memcpy(words, plan->header_words, sizeof words);
    if (!plan->by_sample)
        et_texture_forget_samples(words, plan->ampere);
    const enum etalon_status status = et_texture_decode(&plan->texture, words, plan->ampere, error);
    if (status)
        return status;
    et_sampler_decode(&plan->sampler, plan->sampler_words);
    if (plan->texture.null)
        return ETALON_OK;
    for (unsigned i = 0; i < 4; i++) {
        plan->slot[i] = make_slot(&plan->texture.format, plan->texture.source[i]);
        /* The border is not swizzled: slot i takes its component i. [HW:H200] */
        plan->border.code[i] =
            et_texel_code((enum et_texel_class)plan->slot[i].klass,
                          plan->slot[i].klass == ET_CLASS_SRGB && i < 3 ? plan->sampler.srgb_border[i]
                                                                        : plan->sampler.border[i]);
    }
    plan->anisotropy =
        plan->texture.max_anisotropy ? plan->texture.max_anisotropy : plan->sampler.max_anisotropy;
    plan->level_matters =
        plan->texture.last_level > plan->texture.first_level ||
        (plan->sampler.magnify >= ET_FILTER_LINEAR) != (plan->sampler.minify >= ET_FILTER_LINEAR) ||
        plan->anisotropy > 1;
    plan->border_depth = et_float(plan->sampler.border[0]);
    choose_reader(plan);
    plan->bytes = plan->read == read_8888 && plan->texture.type != ET_TEXTURE_BUFFER &&
                  plan->sampler.reduction == ET_REDUCTION_NONE && plan->texture.samples->samples == 1;
    for (unsigned i = 0; i < 4; i++)
        plan->bytes =
            plan->bytes && (plan->slot[i].klass == ET_CLASS_U8 || plan->slot[i].klass == ET_CLASS_NONE);
    return ETALON_OK;
}

/* The 32 bytes of a descriptor as they are in RAM now. */
static enum etalon_status read_descriptor(struct et_tex_unit *unit, uint64_t address, uint32_t words[8],
                                          struct etalon_error *error)
{
    const uint8_t *bytes = et_view_pointer(unit->view, address, 32);
    if (!bytes)
        return et_view_read(unit->view, address, words, 32, error);
    memcpy(words, bytes, 32);
    return ETALON_OK;
}

const struct et_tex_plan *et_plan_find(struct et_tex_unit *unit, const struct et_tex_pools *pools,
                                       uint32_t header, uint32_t sampler, bool by_sample,
                                       enum etalon_status *status, struct etalon_error *error)
{
    const bool sampled = sampler != UINT32_MAX;
    uint32_t header_words[8], sampler_words[8] = {0};
    struct et_tex_plan *plan;
    *status = ETALON_OK;
    if (sampled && pools->sampler_via_header)
        sampler = header;
    if (header > pools->last_header || (sampled && sampler > pools->last_sampler))
        return NULL;
    if (!pools->ampere && !pools->maxwell_headers) {
        *status = et_fail(error, ETALON_UNSUPPORTED, "texture headers of the layout before Maxwell");
        return NULL;
    }
    *status = read_descriptor(unit, pools->headers + 32 * (uint64_t)header, header_words, error);
    if (*status == ETALON_OK && sampled)
        *status = read_descriptor(unit, pools->samplers + 32 * (uint64_t)sampler, sampler_words, error);
    if (*status)
        return NULL;
    plan = &unit->plan[(header * 5 + (sampled ? sampler : by_sample ? 7 : 3)) % ET_PLANS];
    if (!plan->used || plan->ampere != pools->ampere || plan->by_sample != by_sample ||
        memcmp(plan->header_words, header_words, sizeof header_words) ||
        memcmp(plan->sampler_words, sampler_words, sizeof sampler_words)) {
        plan->used = false;
        plan->ampere = pools->ampere;
        plan->by_sample = by_sample;
        memcpy(plan->header_words, header_words, sizeof header_words);
        memcpy(plan->sampler_words, sampler_words, sizeof sampler_words);
        *status = build(plan, error);
        if (*status) {
            et_at_value(error, header);
            return NULL;
        }
        plan->used = true;
    }
    return plan->texture.null ? NULL : plan;
}

uint32_t et_plan_layer(const struct et_tex_plan *plan, const struct et_tex_instruction *instruction,
                       uint32_t index, unsigned face)
{
    const uint32_t layers = plan->texture.layers;
    if (instruction->dim == ET_TEX_CUBE && plan->texture.layers % 6 == 0)
        return (instruction->array ? ET_MIN(index, layers / 6 - 1) * 6 : 0) + face;
    return instruction->array ? ET_MIN(index, layers - 1) : 0;
}

static void zero(uint32_t out[4][ET_LANES], uint32_t mask)
{
    for (unsigned c = 0; c < 4; c++)
        for (unsigned lane = 0; lane < ET_LANES; lane++)
            if (mask >> lane & 1)
                out[c][lane] = 0;
}

enum etalon_status et_tex_execute(struct et_tex_unit *unit, const struct et_tex_pools *pools, uint32_t header,
                                  uint32_t sampler, const struct et_tex_instruction *instruction,
                                  const struct et_tex_lanes *lanes, uint32_t mask, uint32_t out[4][ET_LANES],
                                  uint32_t *resident, struct etalon_error *error)
{
    static void (*const operations[])(struct et_tex_request *) = {
        [ET_TEX_SAMPLE] = et_tex_sample, [ET_TEX_FETCH] = et_tex_fetch, [ET_TEX_GATHER] = et_tex_gather,
        [ET_TEX_LOD] = et_tex_lod,       [ET_TEX_QUERY] = et_tex_query,
    };
    struct et_tex_request request = {
        .instruction = instruction, .lanes = lanes, .mask = mask, .out = out, .resident = mask};
    enum etalon_status status;
    if (resident)
        *resident = mask;
    if (instruction->op >= ET_COUNT(operations) || instruction->dim > ET_TEX_CUBE)
        return et_fail(error, ETALON_INVALID, "texture operation %u of dimension %u", instruction->op,
                       instruction->dim);
    const bool unsampled =
        instruction->op == ET_TEX_FETCH ||
        (instruction->op == ET_TEX_QUERY && instruction->query <= ET_QUERY_SAMPLER_POSITION);
    const bool by_sample = instruction->multisample || instruction->op == ET_TEX_QUERY;
    request.plan =
        et_plan_find(unit, pools, header, unsampled ? UINT32_MAX : sampler, by_sample, &status, error);
    if (!request.plan) {
        zero(out, mask);
        return status;
    }
    et_texels_start(&request.texels, unit, request.plan, error);
    operations[instruction->op](&request);
    if (resident)
        *resident = request.resident;
    if (request.texels.status)
        et_at_value(error, header);
    return request.texels.status;
}
