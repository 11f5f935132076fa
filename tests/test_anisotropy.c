/* What an H200 answered for anisotropic footprints (conformance/hardware/aniso), held to the texture unit.
 *
 * The record holds each set's first answers, and a hash of every block of answers; of sets that are not all
 * equal, every answer. With ETALON_ANISO_DATA=FILE the experiment's own output is compared in full;
 * `--pack FILE OUT` writes the record from it. */
#include "conformance/hardware/aniso/footprints.h"
#include "isa/numeric/mufu.h"
#include "support/packed.h"
#include "support/texture_world.h"

enum { BLOCK = 64 };

/* Open: one tie of sRGB, and one of a weight at a corner of a cube. */
static const struct open_set {
    const char *name;
    long differ;
} open_sets[] = {{"srgb8_16", 1}, {"cube_16", 1}};

static const char *raw_file, *record_file;

static long known_differing(const struct aniso_set *set)
{
    for (size_t i = 0; i < ET_COUNT(open_sets); i++)
        if (!strcmp(open_sets[i].name, set->name))
            return open_sets[i].differ;
    return 0;
}

/* Answers that the record holds as they are. */
static uint32_t kept(const struct aniso_set *set)
{
    return known_differing(set) ? aniso_footprints(set) : 256;
}

static bool is_weights(const struct aniso_set *set)
{
    return set->kind <= ANISO_ROWS;
}

static size_t raw_bytes(const struct aniso_set *set)
{
    return (size_t)aniso_footprints(set) * aniso_words(set) * 4;
}

static size_t packed_bytes(const struct aniso_set *set)
{
    return (size_t)kept(set) * aniso_words(set) * 4 + aniso_footprints(set) / BLOCK * 4;
}

static uint32_t hash_block(const uint8_t *bytes, size_t size)
{
    uint32_t hash = 0;
    for (size_t i = 0; i < size; i += 4) {
        hash = (hash ^ et_load32(bytes + i)) * 0x9e3779b1u;
        hash ^= hash >> 15;
    }
    return hash;
}

/* ---- the texture ---- */

static uint32_t kind_of(const struct aniso_set *set)
{
    return set->kind == ANISO_CUBE     ? ET_TEXTURE_CUBE
           : set->kind == ANISO_VOLUME ? ET_TEXTURE_3D
           : set->kind == ANISO_ARRAY  ? ET_TEXTURE_2D_ARRAY
                                       : ET_TEXTURE_2D;
}

static void bind(struct world *world, const struct aniso_set *set)
{
    static const uint8_t sizes[] = {0x08, 0x08, 0x08, 0x03, 0x03, 0x01, 0x2f};
    static const uint8_t types[] = {ET_TYPE_UNORM, ET_TYPE_UNORM, ET_TYPE_SNORM, ET_TYPE_UNORM,
                                    ET_TYPE_FLOAT, ET_TYPE_FLOAT, ET_TYPE_FLOAT};
    static const uint8_t depth_sources[4] = {2, 2, 2, 2};
    static const uint8_t ratios[17] = {[2] = 1, [4] = 2, [8] = 4, [16] = 7};
    uint32_t header[8], sampler[8];
    world_header(header, sizes[set->format], types[set->format], kind_of(set), ANISO_SIZE, ANISO_SIZE,
                 set->kind == ANISO_VOLUME  ? ANISO_SIZE
                 : set->kind == ANISO_ARRAY ? 2
                                            : 1);
    world_levels(header, ANISO_LEVELS);
    world_set(header, 101, 99, 2);
    world_set(header, 104, 102, 1);
    world_set(header, 150, 150, set->format == ANISO_SRGB8);
    for (unsigned c = 0; c < 4 && set->format == ANISO_D32; c++)
        world_set(header, 21 + 3 * c, 19 + 3 * c, depth_sources[c]);
    world_sampler(sampler, set->linear ? ET_FILTER_LINEAR : ET_FILTER_POINT,
                  set->mip_linear ? ET_MIP_LINEAR : ET_MIP_POINT, ET_WRAP_REPEAT);
    world_set(sampler, 22, 20, ratios[set->most]);
    world_set(sampler, 56, 44, (uint32_t)(int32_t)(set->bias * 256));
    world_set(sampler, 75, 64, (uint32_t)(set->least * 256));
    if (set->greatest < 15)
        world_set(sampler, 87, 76, (uint32_t)(set->greatest * 256));
    if (set->kind == ANISO_SHADOW) {
        world_set(sampler, 9, 9, 1);
        world_set(sampler, 12, 10, 1); /* less */
    }
    world_bind(world, header, sampler);
}

static void fill(struct world *world, const struct aniso_set *set, uint32_t number)
{
    const uint32_t layers = set->kind == ANISO_CUBE ? 6 : set->kind == ANISO_ARRAY ? 2 : 1;
    for (uint32_t level = 0; level < ANISO_LEVELS; level++)
        for (uint32_t layer = 0; layer < layers; layer++) {
            const uint32_t side = ANISO_SIZE >> level, depth = set->kind == ANISO_VOLUME ? side : 1;
            for (uint32_t z = 0; z < depth; z++)
                for (uint32_t y = 0; y < side; y++)
                    for (uint32_t x = 0; x < side; x++) {
                        uint8_t texel[16];
                        aniso_texel(set, number, level, layer, x, y, z, texel);
                        memcpy(world_texel(world, level, layer, x, y, z), texel, aniso_bytes(set));
                    }
        }
}

/* ---- the questions ---- */

/* Gradients of cubes, volumes and comparisons are the shader's work: it moves the lanes of a quad. */
static bool is_by_quads(const struct aniso_set *set)
{
    return set->kind == ANISO_CUBE || set->kind == ANISO_VOLUME || set->kind == ANISO_SHADOW;
}

/* What a shader does to a cube's vector before the unit sees it. */
static void scale_vector(float v[3])
{
    const float most = fmaxf(fmaxf(fabsf(v[0]), fabsf(v[1])), fabsf(v[2]));
    const float r = et_float(et_mufu(ET_MUFU_RCP, et_float_bits(most)));
    for (unsigned k = 0; k < 3; k++)
        v[k] *= r;
}

static void set_lane(struct et_tex_lanes *lanes, unsigned lane, const float v[3])
{
    for (unsigned k = 0; k < 3; k++)
        lanes->coord[k][lane] = et_float_bits(v[k]);
    lanes->layer[lane] = 1;
    lanes->compare[lane] = et_float_bits(0.5f);
}

/* A pixel's quad as the shader makes it for gradients of volumes and cubes. `parity`: the pixel's place. */
static void set_quad(struct et_tex_lanes *lanes, unsigned first, const struct aniso_footprint *f, bool cube,
                     unsigned parity)
{
    for (unsigned k = 0; k < 4; k++) {
        const int sx = (int)(k & 1) - (int)(parity & 1), sy = (int)(k >> 1) - (int)(parity >> 1);
        float v[3];
        for (unsigned d = 0; d < 3; d++) {
            v[d] = f->at[d];
            if (sx)
                v[d] += (float)sx * f->dx[d];
            if (sy)
                v[d] += (float)sy * f->dy[d];
        }
        if (cube)
            scale_vector(v);
        set_lane(lanes, first + k, v);
    }
}

/* Answers of footprints first .. first + count - 1 (at most 32, or 8 quads), texture `number`. */
static void ask(struct world *world, const struct aniso_set *set, uint32_t first, uint32_t count,
                uint32_t number, uint8_t *answers)
{
    const bool quads = is_by_quads(set);
    const struct et_tex_instruction instruction = {.op = ET_TEX_SAMPLE,
                                                   .dim = set->kind == ANISO_CUBE     ? ET_TEX_CUBE
                                                          : set->kind == ANISO_VOLUME ? ET_TEX_3D
                                                                                      : ET_TEX_2D,
                                                   .array = set->kind == ANISO_ARRAY,
                                                   .shadow = set->kind == ANISO_SHADOW,
                                                   .lod = quads ? ET_LOD_AUTO : ET_LOD_GRADIENTS};
    struct et_tex_lanes lanes = {0};
    uint32_t out[4][ET_LANES];
    const size_t stride = (size_t)aniso_words(set) * 4;
    for (uint32_t i = 0; i < count; i++) {
        const struct aniso_footprint f = aniso_footprint(set, first + i);
        const unsigned parity = set->kind == ANISO_CUBE ? 0 : (first + i) & 3;
        if (quads) {
            set_quad(&lanes, 4 * i, &f, set->kind == ANISO_CUBE, parity);
            continue;
        }
        set_lane(&lanes, i, f.at);
        for (unsigned k = 0; k < 3; k++) {
            lanes.ddx[k][i] = et_float_bits(f.dx[k]);
            lanes.ddy[k][i] = et_float_bits(f.dy[k]);
        }
    }
    ck_assert_int_eq(world_run(world, &instruction, &lanes, out), ETALON_OK);
    for (uint32_t i = 0; i < count; i++) {
        const unsigned lane = !quads ? i : 4 * i + (set->kind == ANISO_CUBE ? 0 : (first + i) & 3);
        for (unsigned c = 0; c < 4; c++)
            memcpy(answers + (first + i) * stride + number * 16 + 4 * c, &out[c][lane], 4);
    }
}

/* ---- the comparison ---- */

static long differing(const struct aniso_set *set, const uint8_t *ours, const uint8_t *silicon,
                      uint32_t count)
{
    const size_t stride = (size_t)aniso_words(set) * 4;
    long n = 0;
    for (uint32_t i = 0; i < count; i++)
        n += memcmp(ours + i * stride, silicon + i * stride, stride) != 0;
    return n;
}

static uint8_t *read_raw(size_t *size)
{
    FILE *file = fopen(raw_file, "rb");
    uint8_t *bytes;
    ck_assert_msg(file != NULL, "%s is missing", raw_file);
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    bytes = malloc(*size);
    ck_assert_ptr_nonnull(bytes);
    ck_assert_uint_eq(fread(bytes, 1, *size, file), *size);
    fclose(file);
    return bytes;
}

START_TEST(footprints_are_silicons)
{
    const struct aniso_set *set = &aniso_sets[_i];
    const size_t stride = (size_t)aniso_words(set) * 4;
    const uint32_t compared = raw_file ? aniso_footprints(set) : kept(set);
    const uint32_t lanes = is_by_quads(set) ? 8 : 32;
    struct world world;
    size_t size, at = 0;
    uint8_t *silicon = raw_file ? read_raw(&size)
                                : (uint8_t *)packed_text("conformance/hardware/aniso/answers.bin.zst", &size);
    uint8_t *ours = malloc(raw_bytes(set));
    ck_assert_ptr_nonnull(ours);
    for (int i = 0; i < _i; i++)
        at += raw_file ? raw_bytes(&aniso_sets[i]) : packed_bytes(&aniso_sets[i]);
    ck_assert_uint_le(at + (raw_file ? raw_bytes(set) : packed_bytes(set)), size);
    world_open(&world, 64 << 20, true);
    bind(&world, set);
    for (uint32_t number = 0; number < (is_weights(set) ? 8 : 1); number++) {
        fill(&world, set, number);
        for (uint32_t i = 0; i < aniso_footprints(set); i += lanes)
            ask(&world, set, i, lanes, number, ours);
    }
    const long n = differing(set, ours, silicon + at, compared);
    ck_assert_msg(n == known_differing(set), "%s: %ld of %u differ", set->name, n, compared);
    for (uint32_t b = 0; !raw_file && !n && b < aniso_footprints(set) / BLOCK; b++)
        ck_assert_msg(hash_block(ours + b * BLOCK * stride, BLOCK * stride) ==
                          et_load32(silicon + at + kept(set) * stride + 4 * b),
                      "%s: footprints from %u", set->name, b * BLOCK);
    world_close(&world);
    free(ours);
    free(silicon);
}
END_TEST

START_TEST(write_record)
{
    size_t size, at = 0;
    uint8_t *raw = read_raw(&size);
    FILE *out = fopen(record_file, "wb");
    ck_assert_ptr_nonnull(out);
    for (uint32_t i = 0; i < ANISO_SETS; at += raw_bytes(&aniso_sets[i++])) {
        const struct aniso_set *set = &aniso_sets[i];
        const size_t stride = (size_t)aniso_words(set) * 4;
        ck_assert_uint_eq(fwrite(raw + at, stride, kept(set), out), kept(set));
        for (uint32_t b = 0; b < aniso_footprints(set) / BLOCK; b++) {
            const uint32_t hash = hash_block(raw + at + b * BLOCK * stride, BLOCK * stride);
            ck_assert_uint_eq(fwrite(&hash, 4, 1, out), 1);
        }
    }
    ck_assert_uint_eq(at, size);
    ck_assert_int_eq(fclose(out), 0);
    free(raw);
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("anisotropy");
    TCase *silicon = tcase_create("silicon");
    const bool packs = argc == 4 && !strcmp(argv[1], "--pack");
    raw_file = packs ? argv[2] : getenv("ETALON_ANISO_DATA");
    record_file = packs ? argv[3] : NULL;
    if (packs)
        tcase_add_test(silicon, write_record);
    else
        tcase_add_loop_test(silicon, footprints_are_silicons, 0, (int)ANISO_SETS);
    tcase_set_timeout(silicon, 300);
    suite_add_tcase(suite, silicon);
    return suite_run(suite);
}
