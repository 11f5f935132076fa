#include "shader/sph.h"

#include "base/bits.h"

enum { TYPE_VTG = 1, TYPE_PIXEL = 2 };
#define BOTH 3u

/* Plain fields: where, and in which versions (bit 0: version 3, bit 1: version 4). */
static const struct {
    uint16_t to;
    uint8_t low, width, versions;
} fields[] = {
#define FIELD(name, low, width, versions)                                                                    \
    {                                                                                                        \
        offsetof(struct et_sph, name), low, width, versions                                                  \
    }
    FIELD(type, 0, 5, BOTH),
    FIELD(version, 5, 5, BOTH),
    FIELD(shader, 10, 4, BOTH),
    FIELD(mrt_enable, 14, 1, BOTH),
    FIELD(kills_pixels, 15, 1, BOTH),
    FIELD(global_store, 16, 1, BOTH),
    FIELD(passthrough, 24, 1, BOTH),
    FIELD(stream_mask, 28, 4, BOTH),
    FIELD(local_low, 32, 24, BOTH),
    FIELD(patch_attributes, 56, 8, BOTH),
    FIELD(local_high, 64, 24, BOTH),
    FIELD(threads, 88, 8, BOTH),
    FIELD(crs_bytes, 96, 24, 1),
    FIELD(output_topology, 120, 4, BOTH),
    FIELD(max_vertices, 128, 12, BOTH),
#undef FIELD
};

/* Runs of attribute words in a map: `bits` bits a word from bit `low` of the header. */
struct run {
    uint16_t low;
    uint8_t first, count, bits, versions;
};

static const struct run vtg_input[] = {{160, 0, 240, 1, BOTH}};
static const struct run vtg_output[] = {{400, 0, 240, 1, BOTH}};
static const struct run pixel_input[] = {
    {160, 0, 32, 1, BOTH},                       /* system values */
    {192, ET_WORD_GENERIC, 128, 2, BOTH},        /* generics */
    {448, ET_WORD_FRONT_COLOR, 8, 2, BOTH},      /* diffuse, specular */
    {464, ET_WORD_CLIP_DISTANCE, 16, 1, BOTH},   /* clip distances, point sprite, fog, ids */
    {480, ET_WORD_TEXTURE, 40, 2, BOTH},         /* texture coordinates */
    {560, ET_WORD_VIEWPORT_MASK, 8, 2, 1u << 1}, /* viewport masks, barycentrics */
};

static const struct run pixel_per_vertex[] = {{672, ET_WORD_GENERIC, 128, 1, 1u << 1}};

static void read_runs(const struct run *runs, size_t count, const uint32_t *words, unsigned versions,
                      uint32_t set[ET_SPH_WORDS / 32], uint8_t *values)
{
    for (size_t r = 0; r < count; r++) {
        if (!(runs[r].versions & versions))
            continue;
        for (unsigned i = 0; i < runs[r].count; i++) {
            const unsigned word = runs[r].first + i;
            const uint64_t value = et_bits_of_words(words, runs[r].low + i * runs[r].bits, runs[r].bits);
            if (value)
                set[word >> 5] |= 1u << (word & 31);
            if (values)
                values[word] = (uint8_t)(runs[r].bits == 1 && value ? ET_SPH_PERSPECTIVE : value);
        }
    }
}

static void read_pixel(struct et_sph *sph, const uint32_t *words, unsigned versions)
{
    read_runs(pixel_input, ET_COUNT(pixel_input), words, versions, sph->input, sph->interpolation);
    read_runs(pixel_per_vertex, ET_COUNT(pixel_per_vertex), words, versions, sph->per_vertex, NULL);
    for (unsigned i = 0; i < 2; i++) /* coordinates of a point are linear on the screen */
        if (sph->interpolation[ET_WORD_POINT_SPRITE + i])
            sph->interpolation[ET_WORD_POINT_SPRITE + i] = ET_SPH_SCREEN_LINEAR;
    for (unsigned i = 0; i < 8; i++)
        sph->color_mask[i] = (uint8_t)et_bits_of_words(words, 576 + 4 * i, 4);
    sph->writes_sample_mask = (uint32_t)et_bits_of_words(words, 608, 1);
    sph->writes_depth = (uint32_t)et_bits_of_words(words, 609, 1);
}

enum etalon_status et_sph_decode(struct et_sph *sph, const uint32_t *words, bool v4,
                                 struct etalon_error *error)
{
    const unsigned versions = v4 ? 2 : 1;
    *sph = (struct et_sph){.bytes = v4 ? ET_SPH_V4_BYTES : ET_SPH_V3_BYTES};
    for (size_t i = 0; i < ET_COUNT(fields); i++)
        if (fields[i].versions & versions) {
            const uint32_t value = (uint32_t)et_bits_of_words(words, fields[i].low, fields[i].width);
            memcpy((char *)sph + fields[i].to, &value, sizeof value);
        }
    if (sph->type != TYPE_VTG && sph->type != TYPE_PIXEL)
        return et_fail(error, ETALON_BAD_SHADER, "program header of type %u", sph->type);
    /* nvc0 writes version 3 into the longer header too: its first 20 words are the same. [DRV] */
    if (sph->version != 3 && !(v4 && sph->version == 4))
        return et_fail(error, ETALON_BAD_SHADER, "program header of version %u where %u is due", sph->version,
                       v4 ? 4u : 3u);
    if (sph->shader < ET_SPH_VERTEX || sph->shader > ET_SPH_PIXEL ||
        (sph->shader == ET_SPH_PIXEL) != (sph->type == TYPE_PIXEL))
        return et_fail(error, ETALON_BAD_SHADER, "program header of type %u names shader type %u", sph->type,
                       sph->shader);
    if (sph->type == TYPE_PIXEL) {
        read_pixel(sph, words, versions);
        return ETALON_OK;
    }
    read_runs(vtg_input, ET_COUNT(vtg_input), words, versions, sph->input, NULL);
    read_runs(vtg_output, ET_COUNT(vtg_output), words, versions, sph->output, NULL);
    return ETALON_OK;
}
