#include "texture/header.h"

#include "base/bits.h"

/* Fields of a header: lowest bit and width on B197, then on C797; where a C797 field is split, its upper part
 * is a field of its own. [DOC] */
#define FIELDS(X)                                                                                            \
    X(SIZES, 0, 7, 0, 7)                                                                                     \
    X(R_TYPE, 7, 3, 7, 3)                                                                                    \
    X(G_TYPE, 10, 3, 10, 3)                                                                                  \
    X(B_TYPE, 13, 3, 13, 3)                                                                                  \
    X(A_TYPE, 16, 3, 16, 3)                                                                                  \
    X(X_SOURCE, 19, 3, 19, 3)                                                                                \
    X(Y_SOURCE, 22, 3, 22, 3)                                                                                \
    X(Z_SOURCE, 25, 3, 25, 3)                                                                                \
    X(W_SOURCE, 28, 3, 28, 3)                                                                                \
    X(ADDRESS, 32, 48, 32, 49)                                                                               \
    X(VERSION, 85, 3, 85, 3)                                                                                 \
    X(BUFFER_WIDTH_HIGH, 96, 16, 96, 16)                                                                     \
    X(BUFFER_WIDTH_LOW, 128, 16, 128, 16)                                                                    \
    X(PITCH, 96, 16, 96, 16)                                                                                 \
    X(PITCH_HIGH, 0, 0, 145, 1)                                                                              \
    X(BLOCK_HEIGHT, 99, 3, 99, 3)                                                                            \
    X(BLOCK_DEPTH, 102, 3, 102, 3)                                                                           \
    X(TILE_WIDTH, 106, 3, 106, 3)                                                                            \
    X(OPT_CONTROL, 122, 1, 122, 1)                                                                           \
    X(MAX_MIP_LEVEL, 124, 4, 124, 4)                                                                         \
    X(WIDTH, 128, 16, 128, 17)                                                                               \
    X(DEPTH_HIGH, 0, 0, 145, 1)                                                                              \
    X(HEIGHT_HIGH, 0, 0, 146, 1)                                                                             \
    X(SRGB, 150, 1, 150, 1)                                                                                  \
    X(TYPE, 151, 4, 151, 4)                                                                                  \
    X(HEIGHT, 160, 16, 160, 16)                                                                              \
    X(DEPTH, 176, 14, 176, 14)                                                                               \
    X(NORMALIZED, 191, 1, 191, 1)                                                                            \
    X(COLOR_KEY_OP, 192, 1, 192, 1)                                                                          \
    X(MAX_ANISOTROPY, 219, 3, 219, 3)                                                                        \
    X(FINE_SPREAD_MODIFIER, 222, 2, 222, 2)                                                                  \
    X(VIEW_MIN, 224, 4, 224, 4)                                                                              \
    X(VIEW_MAX, 228, 4, 228, 4)                                                                              \
    X(SAMPLES, 232, 4, 232, 4)                                                                               \
    X(MIN_LOD, 236, 12, 236, 12)

enum field {
#define FIELD_NAME(name, lo, width, ampere_lo, ampere_width) FIELD_##name,
    FIELDS(FIELD_NAME)
};

static const struct {
    uint8_t lo, width;
} fields[][2] = {
#define FIELD_PLACE(name, lo, width, ampere_lo, ampere_width) {{lo, width}, {ampere_lo, ampere_width}},
    FIELDS(FIELD_PLACE)};

struct header {
    const uint32_t *words;
    bool ampere;
};

static uint64_t get(const struct header *header, enum field field)
{
    return et_bits_of_words(header->words, fields[field][header->ampere].lo,
                            fields[field][header->ampere].width);
}

enum version {
    VERSION_BUFFER,
    VERSION_PITCH_KEY,
    VERSION_PITCH,
    VERSION_BLOCK_LINEAR,
    VERSION_BLOCK_LINEAR_KEY
};

static const uint8_t anisotropies[8] = {1, 2, 4, 6, 8, 10, 12, 16};

/* The block no larger than the level needs, and how many bytes the level takes. [DRV] */
static uint8_t shrink(uint8_t block_log2, uint64_t units, uint32_t unit)
{
    while (block_log2 && units <= (uint64_t)unit << (block_log2 - 1))
        block_log2--;
    return block_log2;
}

static void lay_out_level(struct et_texture *texture, unsigned i, uint8_t block_height, uint8_t block_depth,
                          unsigned tile_width)
{
    const struct et_format *format = texture->format.format;
    struct et_texture_level *level = &texture->level[i];
    struct et_layout *layout = &level->layout;
    const uint64_t columns =
        et_ceil_div((uint64_t)level->width << texture->samples->width_log2, format->block_width);
    layout->width = (uint32_t)(columns * format->block_bytes);
    layout->height =
        (uint32_t)et_ceil_div((uint64_t)level->height << texture->samples->height_log2, format->block_height);
    layout->depth = level->depth;
    layout->turing_gob = texture->turing_gob;
    layout->block_height_log2 = shrink(block_height, layout->height, ET_GOB_HEIGHT);
    layout->block_depth_log2 = shrink(block_depth, layout->depth, 1);
    if (tile_width)
        layout->width = (uint32_t)et_align_up(layout->width, (uint64_t)ET_GOB_WIDTH << tile_width);
}

static void lay_out_block_linear(struct et_texture *texture, const struct header *header)
{
    const uint8_t bh = (uint8_t)ET_MIN(get(header, FIELD_BLOCK_HEIGHT), 5);
    const uint8_t bd = (uint8_t)ET_MIN(get(header, FIELD_BLOCK_DEPTH), 5);
    const unsigned tile_width = (unsigned)ET_MIN(get(header, FIELD_TILE_WIDTH), 5);
    uint64_t offset = 0;
    for (unsigned i = 0; i < texture->levels; i++) {
        struct et_texture_level *level = &texture->level[i];
        level->width = ET_MAX(texture->width >> i, 1);
        level->height = ET_MAX(texture->height >> i, 1);
        level->depth = ET_MAX(texture->depth >> i, 1);
        level->offset = offset;
        lay_out_level(texture, i, bh, bd, tile_width);
        offset += et_layout_size(&level->layout);
    }
    /* Layers begin at whole blocks of level 0. [DRV] */
    texture->layer_stride = et_align_up(offset, UINT64_C(512) << (texture->level[0].layout.block_height_log2 +
                                                                  texture->level[0].layout.block_depth_log2));
    texture->bytes = texture->layers > 1 ? texture->layer_stride * texture->layers : offset;
}

static void lay_out_pitch(struct et_texture *texture, uint32_t pitch)
{
    struct et_texture_level *level = &texture->level[0];
    level->width = texture->width;
    level->height = texture->height;
    level->depth = texture->depth;
    lay_out_level(texture, 0, 0, 0, 0);
    level->layout.pitch_linear = true;
    level->layout.pitch = pitch;
    level->layout.slice = (uint64_t)pitch * level->layout.height;
    texture->levels = 1;
    texture->layer_stride = level->layout.slice;
    texture->bytes = level->layout.slice * texture->depth * texture->layers;
}

static void lay_out_buffer(struct et_texture *texture)
{
    struct et_texture_level *level = &texture->level[0];
    level->width = texture->width;
    level->height = level->depth = 1;
    level->layout = (struct et_layout){.pitch_linear = true, .height = 1, .depth = 1};
    texture->bytes = (uint64_t)texture->width * texture->format.format->block_bytes;
}

/* Sizes that the type gives a meaning to. */
static void decode_sizes(struct et_texture *texture, const struct header *header)
{
    const uint32_t width = (uint32_t)get(header, FIELD_WIDTH) + 1;
    const uint32_t height = (uint32_t)(get(header, FIELD_HEIGHT) | get(header, FIELD_HEIGHT_HIGH) << 16) + 1;
    const uint32_t depth = (uint32_t)(get(header, FIELD_DEPTH) | get(header, FIELD_DEPTH_HIGH) << 14) + 1;
    texture->width = width;
    texture->height = height;
    texture->depth = texture->layers = 1;
    switch ((enum et_texture_type)texture->type) {
    case ET_TEXTURE_1D:
        texture->height = 1;
        break;
    case ET_TEXTURE_3D:
        texture->depth = depth;
        break;
    case ET_TEXTURE_1D_ARRAY:
        texture->height = 1;
        texture->layers = depth;
        break;
    case ET_TEXTURE_2D_ARRAY:
        texture->layers = depth;
        break;
    case ET_TEXTURE_CUBE:
        texture->layers = 6;
        break;
    case ET_TEXTURE_CUBE_ARRAY:
        texture->layers = 6 * depth;
        break;
    default:
        break;
    }
}

/* What only whole block-linear and pitch headers have. */
static enum etalon_status decode_view(struct et_texture *texture, const struct header *header, bool color_key,
                                      struct etalon_error *error)
{
    texture->levels = (uint32_t)get(header, FIELD_MAX_MIP_LEVEL) + 1;
    texture->last_level = texture->levels - 1;
    if (color_key)
        return get(header, FIELD_COLOR_KEY_OP) ? et_fail(error, ETALON_UNSUPPORTED, "texture colour key")
                                               : ETALON_OK;
    texture->first_level = (uint32_t)get(header, FIELD_VIEW_MIN);
    texture->last_level = (uint32_t)ET_MIN(get(header, FIELD_VIEW_MAX), texture->levels - 1);
    if (texture->first_level > texture->last_level)
        texture->null = true; /* an empty view: drivers' null texture */
    texture->min_lod = (int32_t)get(header, FIELD_MIN_LOD) - (int32_t)(texture->first_level << 8);
    texture->samples = et_sample_mode((uint32_t)get(header, FIELD_SAMPLES));
    if (!texture->samples->samples)
        return et_fail(error, ETALON_BAD_VALUE, "texture header's sample count is 0x%x",
                       (unsigned)get(header, FIELD_SAMPLES));
    if (get(header, FIELD_OPT_CONTROL)) {
        texture->max_anisotropy = anisotropies[get(header, FIELD_MAX_ANISOTROPY)];
        texture->wide_steps = get(header, FIELD_FINE_SPREAD_MODIFIER) == 2; /* CONST_TWO */
    }
    return ETALON_OK;
}

static enum etalon_status decode_format(struct et_texture *texture, const struct header *header,
                                        struct etalon_error *error)
{
    uint8_t types[4];
    for (unsigned c = 0; c < 4; c++) {
        types[c] = (uint8_t)get(header, (enum field)(FIELD_R_TYPE + c));
        texture->source[c] = (uint8_t)get(header, (enum field)(FIELD_X_SOURCE + c));
    }
    return et_texel_format_resolve(&texture->format, (uint32_t)get(header, FIELD_SIZES), types,
                                   get(header, FIELD_SRGB) != 0, error);
}

void et_texture_forget_samples(uint32_t words[8], bool ampere)
{
    const unsigned lo = fields[FIELD_SAMPLES][ampere].lo, width = fields[FIELD_SAMPLES][ampere].width;
    words[lo / 32] &= ~(((1u << width) - 1) << lo % 32);
}

enum etalon_status et_texture_decode(struct et_texture *texture, const uint32_t words[8], bool ampere,
                                     struct etalon_error *error)
{
    const struct header header = {words, ampere};
    const unsigned version = (unsigned)get(&header, FIELD_VERSION);
    const uint64_t address = get(&header, FIELD_ADDRESS);
    enum etalon_status status;
    *texture = (struct et_texture){.samples = et_sample_mode(0), .levels = 1, .turing_gob = ampere};
    for (unsigned i = 0; i < 8; i++)
        if (words[i])
            goto bound;
    texture->null = true;
    return ETALON_OK;
bound:
    status = decode_format(texture, &header, error);
    if (status)
        return status;
    texture->type = (uint8_t)get(&header, FIELD_TYPE);
    texture->normalized = get(&header, FIELD_NORMALIZED) != 0;
    if (version == VERSION_BUFFER) {
        texture->type = ET_TEXTURE_BUFFER;
        texture->address = address;
        texture->width =
            (uint32_t)(get(&header, FIELD_BUFFER_WIDTH_HIGH) << 16 | get(&header, FIELD_BUFFER_WIDTH_LOW));
        texture->width += texture->width != UINT32_MAX;
        texture->height = texture->depth = texture->layers = 1;
        if (texture->format.compressed)
            return et_fail(error, ETALON_BAD_VALUE, "buffer texture of format %s",
                           texture->format.format->name);
        lay_out_buffer(texture);
        return ETALON_OK;
    }
    if (texture->type > ET_TEXTURE_CUBE_ARRAY || texture->type == ET_TEXTURE_BUFFER)
        return et_fail(error, ETALON_BAD_VALUE, "texture type %u in a header of version %u", texture->type,
                       version);
    decode_sizes(texture, &header);
    status = decode_view(texture, &header,
                         version == VERSION_PITCH_KEY || version == VERSION_BLOCK_LINEAR_KEY, error);
    if (status)
        return status;
    switch (version) {
    case VERSION_PITCH:
    case VERSION_PITCH_KEY:
        texture->address = address & ~UINT64_C(31);
        lay_out_pitch(texture,
                      (uint32_t)(get(&header, FIELD_PITCH) << 5 | get(&header, FIELD_PITCH_HIGH) << 21));
        texture->null = texture->null || texture->first_level > 0;
        texture->first_level = texture->last_level = 0;
        return ETALON_OK;
    case VERSION_BLOCK_LINEAR:
    case VERSION_BLOCK_LINEAR_KEY:
        texture->address = address & ~UINT64_C(511);
        lay_out_block_linear(texture, &header);
        return ETALON_OK;
    default:
        return et_fail(error, ETALON_BAD_VALUE, "texture header version %u", version);
    }
}

void et_sampler_decode(struct et_sampler *sampler, const uint32_t words[8])
{
    *sampler = (struct et_sampler){
        .wrap = {et_bits(words[0], 2, 0), et_bits(words[0], 5, 3), et_bits(words[0], 8, 6)},
        .compare = et_bits(words[0], 9, 9),
        .function = et_bits(words[0], 12, 10),
        .max_anisotropy = anisotropies[et_bits(words[0], 22, 20)],
        .magnify = et_bits(words[1], 2, 0),
        .minify = et_bits(words[1], 5, 4),
        .mip = et_bits(words[1], 7, 6),
        .cube_filter = et_bits(words[1], 9, 8),
        .reduction = et_bits(words[1], 11, 10),
        .bias = (int32_t)et_sign_extend(et_bits(words[1], 24, 12), 13),
        .unnormalized = et_bits(words[1], 25, 25),
        .min_lod = (int32_t)et_bits(words[2], 11, 0),
        .max_lod = (int32_t)et_bits(words[2], 23, 12),
        .srgb_border = {et_bits(words[2], 31, 24), et_bits(words[3], 19, 12), et_bits(words[3], 27, 20)},
        .border = {words[4], words[5], words[6], words[7]},
    };
}
