#include "texture/plan.h"

#include "base/bits.h"

void et_texels_start(struct et_texels *texels, struct et_tex_unit *unit, const struct et_tex_plan *plan,
                     struct etalon_error *error)
{
    *texels = (struct et_texels){.unit = unit, .plan = plan, .error = error};
    if (!plan->texture.null)
        texels->base = et_view_pointer(unit->view, plan->texture.address, plan->texture.bytes);
}

static uint64_t block_offset(const struct et_texture *texture, unsigned level, uint32_t layer,
                             uint32_t column, uint32_t row, uint32_t z)
{
    const struct et_texture_level *in = &texture->level[level];
    return layer * texture->layer_stride + in->offset + et_layout_offset(&in->layout, column, row, z);
}

uint64_t et_texels_address(const struct et_texture *texture, unsigned level, uint32_t layer, uint32_t x,
                           uint32_t y, uint32_t z)
{
    const struct et_format *format = texture->format.format;
    return texture->address +
           (texture->type == ET_TEXTURE_BUFFER
                ? (uint64_t)x * format->block_bytes
                : block_offset(texture, level, layer, x / format->block_width * format->block_bytes,
                               y / format->block_height, z));
}

/* `bytes` at an offset that may not lie in one extent with the rest. */
static const uint8_t *bytes_at(struct et_texels *texels, uint64_t offset, unsigned bytes, uint8_t *copy)
{
    const uint64_t address = texels->plan->texture.address + offset;
    const struct et_extent *extent;
    const uint8_t *pointer;
    if (texels->base)
        return texels->base + offset;
    pointer = et_view_pointer(texels->unit->view, address, bytes);
    if (pointer)
        return pointer;
    extent = et_view_extent(texels->unit->view, address);
    if (extent && !extent->host)
        texels->sparse = true;
    memset(copy, 0, bytes);
    if (texels->status == ETALON_OK)
        texels->status = et_view_read(texels->unit->view, address, copy, bytes, texels->error);
    return copy;
}

/* A block's decoded texels, from the cache where the same bytes were met before. */
static const struct et_texel *decoded_block(struct et_texels *texels, const uint8_t *bytes)
{
    const struct et_texel_format *format = &texels->plan->texture.format;
    uint8_t key[16] = {0};
    struct et_block_entry *entry;
    uint64_t hash;
    memcpy(key, bytes, format->format->block_bytes);
    hash = (et_load64(key) ^ et_load64(key + 8) * 3) * UINT64_C(0x9e3779b97f4a7c15);
    entry = &texels->unit->block[hash >> 58];
    if (!entry->used || entry->format != format->format || entry->klass != format->klass[0] ||
        memcmp(entry->bytes, key, sizeof key)) {
        et_texel_read_block(format, key, entry->texel);
        memcpy(entry->bytes, key, sizeof key);
        entry->format = format->format;
        entry->klass = format->klass[0];
        entry->used = true;
    }
    return entry->texel;
}

void et_texels_read(struct et_texels *texels, unsigned level, uint32_t layer, uint32_t x, uint32_t y,
                    uint32_t z, struct et_texel *texel)
{
    const struct et_tex_plan *plan = texels->plan;
    const struct et_texture *texture = &plan->texture;
    const struct et_format *format = texture->format.format;
    const unsigned bytes = format->block_bytes;
    uint8_t copy[16];
    if (format->block_width == 1 && format->block_height == 1) {
        const uint64_t offset = texture->type == ET_TEXTURE_BUFFER
                                    ? (uint64_t)x * bytes
                                    : block_offset(texture, level, layer, x * bytes, y, z);
        if (bytes == 12 &&
            !texture->level[level].layout.pitch_linear) { /* may straddle the order's 16-byte columns */
            uint8_t joined[12], word[4];
            for (unsigned i = 0; i < 3; i++)
                memcpy(joined + 4 * i,
                       bytes_at(texels, block_offset(texture, level, layer, x * 12 + 4 * i, y, z), 4, word),
                       4);
            plan->read(&texture->format, joined, 0, texel);
            return;
        }
        plan->read(&texture->format, bytes_at(texels, offset, bytes, copy), 0, texel);
        return;
    }
    const uint32_t column = x / format->block_width, row = y / format->block_height;
    const unsigned in_x = x - column * format->block_width, in_y = y - row * format->block_height;
    const uint64_t offset = texture->type == ET_TEXTURE_BUFFER
                                ? (uint64_t)column * bytes
                                : block_offset(texture, level, layer, column * bytes, row, z);
    const uint8_t *block = bytes_at(texels, offset, bytes, copy);
    if (texture->format.compressed)
        *texel = decoded_block(texels, block)[in_y * format->block_width + in_x];
    else
        plan->read(&texture->format, block, in_x, texel);
}

void et_plan_slots(const struct et_tex_plan *plan, const struct et_texel *texel, struct et_texel *slots)
{
    for (unsigned i = 0; i < 4; i++)
        slots->code[i] = texel->code[plan->slot[i].component];
}

void et_plan_values(const struct et_tex_plan *plan, const struct et_texel *texel, uint32_t values[4])
{
    for (unsigned i = 0; i < 4; i++) {
        const struct et_slot *slot = &plan->slot[i];
        values[i] = slot->klass == ET_CLASS_NONE
                        ? slot->constant
                        : et_texel_value((enum et_texel_class)slot->klass, texel->code[slot->component]);
    }
}
