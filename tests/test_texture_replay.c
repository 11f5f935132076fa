/* Replays what an H200 answered for textures, samplers, coordinates and gradients through the texture unit.
 *
 * Data: the pack conformance/silicon/texture/replay.bin.zst, or, with ETALON_TEXTURE_DATA=FOLDER, the
 * experiments' own files in full. `--pack FOLDER OUT` writes a pack from such a folder. */
#include "support/texture_replay.h"
#include "support/texture_world.h"
#include "isa/numeric/mufu.h"
#include "texture/lod.h"

#include <math.h>
#include <stdio.h>

#define RECORDS 80

/* How a scene's shader asks. */
enum asks {
    ASKS_LEVEL,         /* textureLod: 2D (xy, level z), 3D (xyz, level w) */
    ASKS_CUBE,          /* textureLod of a cube: xyz, level w */
    ASKS_ARRAY,         /* textureLod of an array: xy, layer z */
    ASKS_OFFSET,        /* as level, texel offset (-3, 2) */
    ASKS_GRADIENT,      /* textureGrad 2D: ddx, ddy in one table */
    ASKS_GRADIENT3,     /* textureGrad 3D: two tables; the shader moves the quad's lanes */
    ASKS_GRADIENT_CUBE, /* the same for cubes */
    ASKS_IMPLICIT,
    ASKS_BIAS,          /* bias z */
    ASKS_QUERY,         /* textureQueryLod */
    ASKS_GATHER,        /* component .component */
    ASKS_GATHER_OFFSET, /* the same, offset (1, -2) */
    ASKS_SHADOW,        /* reference z, level w; then three components of a gather */
    ASKS_FETCH
};

struct job {
    const char *scene, *tag;
    enum asks asks;
    unsigned coords, texture;   /* records */
    unsigned levels, layers;    /* of the texture, 0: 1 */
    unsigned filter, mip, wrap; /* filter: 0 point, 1 linear; mip: enum et_mip, 0: none; wrap: enum et_wrap */
    unsigned anisotropy;        /* the sampler's field */
    unsigned table, table2;     /* records of gradients */
    unsigned component;
    unsigned function;       /* depth comparison, its reading plus 1; 0: none */
    bool unnormalized;       /* and V goes to the border */
    unsigned border;         /* 0 transparent black, 1 opaque black, 2 opaque white */
    float bias, least, most; /* level of detail; most 0: the highest */
    const uint8_t *sources;  /* view swizzle over components */
    unsigned rows;           /* of the answers in the pack, 0: all */
};

static struct replay_data data;
static struct replay_record records[RECORDS];
static size_t record_count;
static long total, total_equal;

/* The experiments' format names as headers say them. */
static const struct format_name {
    const char *name;
    uint8_t sizes, type, sources[4], components;
    bool srgb;
} format_names[] = {
#define RGBA                                                                                                 \
    {                                                                                                        \
        2, 3, 4, 5                                                                                           \
    }
    {"R8G8B8A8_UNORM", 0x08, ET_TYPE_UNORM, RGBA, 4, false},
    {"R8G8B8A8_SRGB", 0x08, ET_TYPE_UNORM, RGBA, 4, true},
    {"R8G8B8A8_SNORM", 0x08, ET_TYPE_SNORM, RGBA, 4, false},
    {"B8G8R8A8_UNORM", 0x08, ET_TYPE_UNORM, {4, 3, 2, 5}, 4, false},
    {"R8_UNORM", 0x1d, ET_TYPE_UNORM, {2, 0, 0, 7}, 4, false},
    {"R8_SNORM", 0x1d, ET_TYPE_SNORM, {2, 0, 0, 7}, 4, false},
    {"R8G8_UNORM", 0x18, ET_TYPE_UNORM, {2, 3, 0, 7}, 4, false},
    {"R16_UNORM", 0x1b, ET_TYPE_UNORM, {2, 0, 0, 7}, 4, false},
    {"R16_SNORM", 0x1b, ET_TYPE_SNORM, {2, 0, 0, 7}, 4, false},
    {"R16_SFLOAT", 0x1b, ET_TYPE_FLOAT, {2, 0, 0, 7}, 4, false},
    {"R16G16B16A16_UNORM", 0x03, ET_TYPE_UNORM, RGBA, 4, false},
    {"R16G16B16A16_SNORM", 0x03, ET_TYPE_SNORM, RGBA, 4, false},
    {"R16G16B16A16_SFLOAT", 0x03, ET_TYPE_FLOAT, RGBA, 4, false},
    {"R32_SFLOAT", 0x0f, ET_TYPE_FLOAT, {2, 0, 0, 7}, 4, false},
    {"R32G32_SFLOAT", 0x04, ET_TYPE_FLOAT, {2, 3, 0, 7}, 4, false},
    {"R32G32B32A32_SFLOAT", 0x01, ET_TYPE_FLOAT, RGBA, 4, false},
    {"B10G11R11_UFLOAT_PACK32", 0x21, ET_TYPE_FLOAT, {2, 3, 4, 7}, 4, false},
    {"E5B9G9R9_UFLOAT_PACK32", 0x20, ET_TYPE_FLOAT, {2, 3, 4, 7}, 4, false},
    {"R5G6B5_UNORM_PACK16", 0x15, ET_TYPE_UNORM, {4, 3, 2, 7}, 4, false},
    {"A1R5G5B5_UNORM_PACK16", 0x14, ET_TYPE_UNORM, {4, 3, 2, 5}, 4, false},
    {"B4G4R4A4_UNORM_PACK16", 0x12, ET_TYPE_UNORM, {3, 4, 5, 2}, 4, false},
    {"A2B10G10R10_UNORM_PACK32", 0x09, ET_TYPE_UNORM, RGBA, 4, false},
    {"D16_UNORM", 0x3a, ET_TYPE_UNORM, {2, 0, 0, 7}, 1, false},
    {"X8_D24_UNORM_PACK32", 0x2a, ET_TYPE_UNORM, {2, 0, 0, 7}, 1, false},
    {"D32_SFLOAT", 0x2f, ET_TYPE_FLOAT, {2, 0, 0, 7}, 1, false},
    {"BC1_RGBA_UNORM_BLOCK", 0x24, ET_TYPE_UNORM, RGBA, 4, false},
    {"BC1_RGB_UNORM_BLOCK", 0x24, ET_TYPE_UNORM, {2, 3, 4, 7}, 4, false},
    {"BC1_RGBA_SRGB_BLOCK", 0x24, ET_TYPE_UNORM, RGBA, 4, true},
    {"BC2_UNORM_BLOCK", 0x25, ET_TYPE_UNORM, RGBA, 4, false},
    {"BC3_UNORM_BLOCK", 0x26, ET_TYPE_UNORM, RGBA, 4, false},
    {"BC4_UNORM_BLOCK", 0x27, ET_TYPE_UNORM, {2, 0, 0, 7}, 4, false},
    {"BC4_SNORM_BLOCK", 0x27, ET_TYPE_SNORM, {2, 0, 0, 7}, 4, false},
    {"BC5_UNORM_BLOCK", 0x28, ET_TYPE_UNORM, {2, 3, 0, 7}, 4, false},
    {"BC5_SNORM_BLOCK", 0x28, ET_TYPE_SNORM, {2, 3, 0, 7}, 4, false},
    {"BC6H_UFLOAT_BLOCK", 0x11, ET_TYPE_FLOAT, {2, 3, 4, 7}, 4, false},
    {"BC6H_SFLOAT_BLOCK", 0x10, ET_TYPE_FLOAT, {2, 3, 4, 7}, 4, false},
    {"BC7_UNORM_BLOCK", 0x17, ET_TYPE_UNORM, RGBA, 4, false},
    {"BC7_SRGB_BLOCK", 0x17, ET_TYPE_UNORM, RGBA, 4, true},
};

static const struct format_name *format_named(const char *name)
{
    for (size_t i = 0; i < ET_COUNT(format_names); i++)
        if (!strcmp(format_names[i].name, name))
            return &format_names[i];
    ck_abort_msg("format %s", name);
    return NULL;
}

static bool load(const char *scene)
{
    record_count = replay_records(&data, scene, records, RECORDS);
    return record_count > 0;
}

/* Binds the job's texture and copies its levels and layers into RAM. */
static const struct format_name *upload(struct world *world, const struct job *job)
{
    const struct replay_record *first = &records[job->texture];
    const struct format_name *name = format_named(first->format);
    const struct et_format *format = et_format_find(name->sizes);
    const unsigned levels = job->levels ? job->levels : 1, layers = job->layers ? job->layers : 1;
    const uint32_t kind = first->depth > 1 ? ET_TEXTURE_3D
                          : job->asks == ASKS_CUBE || job->asks == ASKS_GRADIENT_CUBE || layers == 6
                              ? ET_TEXTURE_CUBE
                          : job->asks == ASKS_ARRAY ? ET_TEXTURE_2D_ARRAY
                                                    : ET_TEXTURE_2D;
    uint32_t header[8], sampler[8];
    world_header(header, name->sizes, name->type, kind, first->width, first->height,
                 kind == ET_TEXTURE_2D_ARRAY ? layers : first->depth);
    world_levels(header, levels);
    world_set(header, 101, 99, 2);
    world_set(header, 104, 102, 1);
    world_set(header, 150, 150, name->srgb);
    for (unsigned c = 0; c < 4; c++)
        world_set(header, 21 + 3 * c, 19 + 3 * c, job->sources ? job->sources[c] : name->sources[c]);
    world_sampler(sampler, job->filter + 1, job->mip ? job->mip : ET_MIP_NONE, job->wrap);
    world_set(sampler, 22, 20, job->anisotropy);
    world_set(sampler, 56, 44, (uint32_t)(int32_t)(job->bias * 256));
    world_set(sampler, 75, 64, (uint32_t)(job->least * 256));
    if (job->most > 0 && job->most < 15)
        world_set(sampler, 87, 76, (uint32_t)(job->most * 256));
    if (job->unnormalized) {
        world_set(sampler, 57, 57, 1);
        world_set(sampler, 5, 3, ET_WRAP_BORDER);
    }
    if (job->function) {
        world_set(sampler, 9, 9, 1);
        world_set(sampler, 12, 10, job->function - 1);
    }
    for (unsigned c = 0; c < 4; c++)
        sampler[4 + c] = et_float_bits(job->border == 2 || (job->border == 1 && c == 3) ? 1 : 0);
    world_bind(world, header, sampler);
    for (unsigned i = 0; i < layers * levels; i++) {
        const struct replay_record *record = &records[job->texture + i];
        const uint32_t level = record->level, layer = record->layer;
        const uint32_t columns = (record->width + format->block_width - 1) / format->block_width;
        const uint32_t rows = (record->height + format->block_height - 1) / format->block_height;
        const uint8_t *from = record->bytes;
        ck_assert(level < levels && layer < layers);
        ck_assert_uint_eq(record->size, (size_t)columns * rows * record->depth * format->block_bytes);
        for (uint32_t z = 0; z < record->depth; z++)
            for (uint32_t y = 0; y < rows; y++)
                for (uint32_t x = 0; x < columns; x++, from += format->block_bytes)
                    memcpy(world_texel(world, level, layer, x * format->block_width, y * format->block_height,
                                       z),
                           from, format->block_bytes);
    }
    return name;
}

static float reciprocal(float a)
{
    return et_float(et_mufu(ET_MUFU_RCP, et_float_bits(a)));
}

/* What a shader does to a cube's vector before the unit sees it. */
static void scale_vector(float v[3])
{
    const float r = reciprocal(fmaxf(fmaxf(fabsf(v[0]), fabsf(v[1])), fabsf(v[2])));
    for (unsigned k = 0; k < 3; k++) {
        v[k] *= r;
        if (!isfinite(v[k]))
            v[k] = 0;
    }
}

static void entry(float out[4], unsigned record, unsigned width, unsigned x, unsigned y)
{
    memcpy(out, records[record].bytes + 16 * ((size_t)y * width + x), 16);
}

static void set_vector(struct et_tex_lanes *lanes, unsigned lane, const float *v, unsigned count)
{
    for (unsigned k = 0; k < count; k++)
        lanes->coord[k][lane] = et_float_bits(v[k]);
}

static struct et_tex_instruction instruction_of(const struct job *job)
{
    const bool cube = job->layers == 6;
    struct et_tex_instruction instruction = {.op = ET_TEX_SAMPLE, .dim = ET_TEX_2D, .lod = ET_LOD_LEVEL};
    instruction.dim = cube ? ET_TEX_CUBE : records[job->texture].depth > 1 ? ET_TEX_3D : ET_TEX_2D;
    switch (job->asks) {
    case ASKS_ARRAY:
        instruction.array = true;
        break;
    case ASKS_OFFSET:
        instruction.offset = true;
        break;
    case ASKS_GRADIENT:
        instruction.lod = ET_LOD_GRADIENTS;
        break;
    case ASKS_GRADIENT3:
    case ASKS_GRADIENT_CUBE:
    case ASKS_IMPLICIT:
        instruction.lod = ET_LOD_AUTO;
        break;
    case ASKS_BIAS:
        instruction.lod = ET_LOD_BIAS;
        break;
    case ASKS_QUERY:
        instruction.op = ET_TEX_LOD;
        instruction.lod = ET_LOD_AUTO;
        break;
    case ASKS_GATHER_OFFSET:
        instruction.offset = true;
        instruction.op = ET_TEX_GATHER;
        instruction.gather_component = (uint8_t)job->component;
        break;
    case ASKS_GATHER:
        instruction.op = ET_TEX_GATHER;
        instruction.gather_component = (uint8_t)job->component;
        break;
    case ASKS_SHADOW:
        instruction.shadow = true;
        break;
    case ASKS_FETCH:
        instruction.op = ET_TEX_FETCH;
        break;
    default:
        break;
    }
    return instruction;
}

/* Lanes of the 16x2 pixels at (x, y). */
static void fill_lanes(struct et_tex_lanes *lanes, const struct job *job, unsigned width, unsigned x0,
                       unsigned y0)
{
    const unsigned depth = records[job->texture].depth;
    for (unsigned lane = 0; lane < ET_LANES; lane++) {
        const unsigned x = x0 + lane / 4 * 2 + (lane & 1), y = y0 + (lane >> 1 & 1);
        float v[4];
        if (job->asks == ASKS_FETCH) {
            lanes->coord[0][lane] = x;
            lanes->coord[1][lane] = y;
            lanes->lod[lane] = 0;
            continue;
        }
        entry(v, job->coords, width, x, y);
        lanes->lod[lane] =
            et_float_bits(depth > 1 || job->layers == 6 || job->asks == ASKS_SHADOW ? v[3] : v[2]);
        if (job->asks == ASKS_ARRAY) {
            const float layer = rintf(v[2]);
            lanes->layer[lane] = layer > 0 ? (uint32_t)fminf(layer, 65535) : 0;
            lanes->lod[lane] = 0;
        }
        if (job->asks == ASKS_GRADIENT) {
            float g[4];
            entry(g, job->table, width, x, y);
            for (unsigned k = 0; k < 2; k++) {
                lanes->ddx[k][lane] = et_float_bits(g[k]);
                lanes->ddy[k][lane] = et_float_bits(g[2 + k]);
            }
        }
        lanes->compare[lane] = et_float_bits(v[2]);
        lanes->offset[0][0][lane] = job->asks == ASKS_GATHER_OFFSET ? 1 : -3;
        lanes->offset[0][1][lane] = job->asks == ASKS_GATHER_OFFSET ? -2 : 2;
        if (job->layers == 6)
            scale_vector(v);
        set_vector(lanes, lane, v, 3);
    }
}

/* One pixel's quad as the shader makes it for explicit gradients: 3D lanes keep the pixel's parity, cubes
 * don't. */
static unsigned moved_lanes(struct et_tex_lanes *lanes, const struct job *job, unsigned width, unsigned x,
                            unsigned y, unsigned quad)
{
    float c[4], dx[4], dy[4];
    const bool cube = job->asks == ASKS_GRADIENT_CUBE;
    entry(c, job->coords, width, x, y);
    entry(dx, job->table, width, x, y);
    entry(dy, job->table2, width, x, y);
    for (unsigned k = 0; k < 4; k++) {
        const int sx = (int)(k & 1) - (cube ? 0 : (int)(x & 1)),
                  sy = (int)(k >> 1) - (cube ? 0 : (int)(y & 1));
        float v[3];
        for (unsigned d = 0; d < 3; d++) {
            v[d] = c[d];
            if (sx)
                v[d] += (float)sx * dx[d];
            if (sy)
                v[d] += (float)sy * dy[d];
        }
        if (cube)
            scale_vector(v);
        set_vector(lanes, 4 * quad + k, v, 3);
    }
    return 4 * quad + (cube ? 0 : (x & 1) + 2 * (y & 1));
}

static bool same(uint32_t bits, float answer)
{
    const float value = et_float(bits);
    return bits == et_float_bits(answer) || (value == 0 && answer == 0) ||
           (value != value && answer != answer);
}

static bool pixel_equal(const struct job *job, uint32_t out[4][ET_LANES], uint32_t gathered[4][ET_LANES],
                        unsigned lane, const float *answer, unsigned components)
{
    if (job->asks == ASKS_QUERY)
        return same(et_float_bits((float)out[1][lane] / 256), answer[0]) &&
               same(et_float_bits((float)(int16_t)out[0][lane] / 256), answer[1]);
    if (job->asks == ASKS_SHADOW)
        return same(out[0][lane], answer[0]) && same(gathered[0][lane], answer[1]) &&
               same(gathered[1][lane], answer[2]) && same(gathered[2][lane], answer[3]);
    for (unsigned c = 0; c < components; c++)
        if (!same(out[c][lane], answer[c]))
            return false;
    return true;
}

/* What the pack holds of a scene's records: rows of tables, whole textures. */
struct share {
    char scene[40];
    unsigned rows[RECORDS];
};
static struct share shares[64];
static size_t share_count;

static void want(struct share *share, unsigned record, unsigned rows)
{
    share->rows[record] = ET_MAX(share->rows[record], rows);
}

static void keep(const struct job *job, const char *answers, const struct replay_file *file, unsigned width,
                 unsigned rows)
{
    struct share *share = shares;
    const unsigned count = (job->levels ? job->levels : 1) * (job->layers ? job->layers : 1);
    while (share < shares + share_count && strcmp(share->scene, job->scene))
        share++;
    if (share == shares + share_count) {
        ck_assert_uint_lt(share_count++, ET_COUNT(shares));
        snprintf(share->scene, sizeof share->scene, "%s", job->scene);
    }
    replay_keep(&data, answers, file->bytes, (size_t)width * rows * 16);
    for (unsigned i = 0; i < count; i++)
        want(share, job->texture + i, UINT32_MAX);
    if (job->asks != ASKS_FETCH)
        want(share, job->coords, rows);
    if (job->asks == ASKS_GRADIENT || job->asks == ASKS_GRADIENT3 || job->asks == ASKS_GRADIENT_CUBE)
        want(share, job->table, rows);
    if (job->asks == ASKS_GRADIENT3 || job->asks == ASKS_GRADIENT_CUBE)
        want(share, job->table2, rows);
}

/* Writes the shares' records, each cut to what is wanted of it. */
START_TEST(keep_records)
{
    for (size_t i = 0; i < share_count; i++) {
        char name[90];
        uint8_t *bytes;
        size_t at = 0, most = 0;
        ck_assert(load(shares[i].scene));
        for (size_t r = 0; r < record_count; r++)
            most += records[r].size + 120;
        bytes = malloc(most);
        ck_assert_ptr_nonnull(bytes);
        for (size_t r = 0; r < record_count; r++) {
            const struct replay_record *record = &records[r];
            const unsigned rows = shares[i].rows[r];
            const size_t size = !rows                    ? 0
                                : rows >= record->height ? record->size
                                                         : record->size / record->height * rows;
            at +=
                (size_t)sprintf((char *)bytes + at, "%s %u %u %u %u %u %zu\n", record->format, record->width,
                                record->height, record->depth, record->level, record->layer, size);
            memcpy(bytes + at, record->bytes, size);
            at += size;
        }
        snprintf(name, sizeof name, "%.39s.in", shares[i].scene);
        replay_keep(&data, name, bytes, at);
        free(bytes);
    }
}
END_TEST

static void replay(const struct job *job)
{
    char name[90];
    struct world world;
    const bool moved = job->asks == ASKS_GRADIENT3 || job->asks == ASKS_GRADIENT_CUBE;
    const struct et_tex_instruction instruction = instruction_of(job);
    struct et_tex_instruction gather = {.op = ET_TEX_GATHER, .dim = ET_TEX_2D, .shadow = true};
    struct et_tex_lanes lanes = {0};
    const unsigned width = job->asks == ASKS_FETCH ? records[job->texture].width : records[job->coords].width;
    unsigned height;
    long equal = 0, count;
    snprintf(name, sizeof name, "%s%s%s.raw", job->scene, job->tag[0] ? "." : "", job->tag);
    const struct replay_file *file = replay_find(&data, name);
    ck_assert_msg(file != NULL, "no %s", name);
    height = (unsigned)(file->size / 16 / width) & ~1u;
    if (data.packing) {
        keep(job, name, file, width, job->rows ? ET_MIN(job->rows, height) : height);
        return;
    }
    world_open(&world, 64 << 20, true);
    const struct format_name *format = upload(&world, job);
    for (unsigned y = 0; y < height; y += 2)
        for (unsigned x = 0; x < width; x += 16) {
            uint32_t out[4][ET_LANES], gathered[4][ET_LANES];
            const float *answers = (const float *)(const void *)file->bytes;
            for (unsigned part = 0; part < (moved ? 4 : 1); part++) {
                unsigned lane_of[8];
                if (moved)
                    for (unsigned q = 0; q < 8; q++)
                        lane_of[q] = moved_lanes(&lanes, job, width, x + 8 * (part & 1) + q, y + part / 2, q);
                else
                    fill_lanes(&lanes, job, width, x, y);
                ck_assert_int_eq(world_run(&world, &instruction, &lanes, out), ETALON_OK);
                if (job->asks == ASKS_SHADOW)
                    ck_assert_int_eq(world_run(&world, &gather, &lanes, gathered), ETALON_OK);
                for (unsigned i = 0; i < (moved ? 8 : ET_LANES); i++) {
                    const unsigned px = moved ? x + 8 * (part & 1) + i : x + i / 4 * 2 + (i & 1);
                    const unsigned py = moved ? y + part / 2 : y + (i >> 1 & 1);
                    equal += pixel_equal(job, out, gathered, moved ? lane_of[i] : i,
                                         answers + 4 * (py * width + px), format->components);
                }
            }
        }
    world_close(&world);
    count = (long)width * height;
    total += count;
    total_equal += equal;
    if (getenv("ETALON_TEXTURE_VERBOSE") || count > equal)
        printf("%-48s %8ld of %8ld%s\n", name, equal, count, count > equal ? "   <-- differs" : "");
    if (!getenv("ETALON_TEXTURE_VERBOSE"))
        ck_assert_msg(count == equal, "%s: %ld of %ld equal", name, equal, count);
}

static void bilinear(void)
{
    static const char *const formats[] = {"rgba8", "r8", "r16", "srgb", "rgba16f", "rgba32f"};
    for (size_t i = 0; i < ET_COUNT(formats); i++) {
        char scene[40];
        snprintf(scene, sizeof scene, "tex_linear_%s", formats[i]);
        if (!load(scene))
            continue;
        replay(&(struct job){scene, "", .coords = 1, .filter = 1, .wrap = ET_WRAP_EDGE, .rows = 16});
        replay(&(struct job){scene, "repeat", .coords = 1, .filter = 1, .rows = 16});
    }
    if (load("p_bilin"))
        for (unsigned i = 1; i < record_count; i++) {
            char tag[60];
            snprintf(tag, sizeof tag, "%u_%.30s", i - 1, records[i].format);
            replay(&(struct job){"p_bilin", tag, .texture = i, .filter = 1, .rows = 24});
            if (i <= 4) {
                snprintf(tag, sizeof tag, "%u_n", i - 1);
                replay(&(struct job){"p_bilin", tag, .texture = i, .rows = 4});
            }
        }
    if (load("p_srgbpair"))
        for (unsigned i = 0; i < 4; i++) {
            static const char *const tags[] = {"w255", "w128", "w200", "w0"};
            replay(&(struct job){"p_srgbpair", tags[i], .coords = 1 + i, .filter = 1, .wrap = ET_WRAP_EDGE,
                                 .rows = 2});
        }
}

START_TEST(filters)
{
    bilinear();
}
END_TEST

START_TEST(weights)
{
    static const char *const flat[] = {"u8", "f32", "f16"};
    unsigned at = 1;
    char tag[40];
    if (!load("p_weights"))
        return;
    for (unsigned k = 0; k < 3; k++)
        for (unsigned l = 0; l < 2; l++, at += 2) {
            snprintf(tag, sizeof tag, "d2_%s_l%u", flat[k], l);
            replay(&(struct job){"p_weights", tag, .texture = at, .levels = 2, .filter = 1,
                                 .mip = ET_MIP_LINEAR, .wrap = ET_WRAP_EDGE, .rows = 4});
        }
    const unsigned line = at++;
    for (unsigned l = 0; l < 2; l++, at += 2) {
        snprintf(tag, sizeof tag, "d1_l%u", l);
        replay(&(struct job){"p_weights", tag, .coords = line, .texture = at, .levels = 2, .filter = 1,
                             .mip = ET_MIP_LINEAR, .wrap = ET_WRAP_EDGE, .rows = 4});
    }
    const unsigned volume = at++;
    for (unsigned k = 0; k < 2; k++)
        for (unsigned l = 0; l < 2; l++)
            for (unsigned z = 0; z < 2; z++, at += 2) {
                snprintf(tag, sizeof tag, "d3_%s_l%u_z%u", flat[k], l, z);
                replay(&(struct job){"p_weights", tag, .coords = volume, .texture = at, .levels = 2,
                                     .filter = 1, .mip = ET_MIP_LINEAR, .wrap = ET_WRAP_EDGE, .rows = 4});
            }
}
END_TEST

START_TEST(mips)
{
    static const char *const tags[] = {"nn", "ln", "nl", "ll"};
    static const float clamps[5][3] = {
        {0.3f, 0, 0}, {-1.7f, 0, 0}, {0, 0.7f, 2.6f}, {0.123f, 1.3f, 1.9f}, {0, 0, 0.25f}};
    char tag[60];
    if (load("tex_mip")) {
        for (unsigned i = 0; i < 4; i++)
            replay(&(struct job){"tex_mip", tags[i], .texture = 7, .levels = 6, .filter = i & 1,
                                 .mip = i & 2 ? ET_MIP_LINEAR : ET_MIP_POINT, .rows = 8});
        replay(&(struct job){"tex_mip", "", .texture = 1, .levels = 6, .filter = 1, .mip = ET_MIP_LINEAR,
                             .rows = 8});
        replay(&(struct job){"tex_mip", "level_ln", .texture = 1, .levels = 6, .filter = 1,
                             .mip = ET_MIP_POINT, .rows = 8});
        replay(
            &(struct job){"tex_mip", "level_nl", .texture = 1, .levels = 6, .mip = ET_MIP_LINEAR, .rows = 8});
        for (unsigned i = 0; i < 5; i++) {
            snprintf(tag, sizeof tag, "clamp%u", i);
            replay(&(struct job){"tex_mip", tag, .texture = 1, .levels = 6, .filter = 1, .mip = ET_MIP_LINEAR,
                                 .bias = clamps[i][0], .least = clamps[i][1], .most = clamps[i][2],
                                 .rows = 8});
        }
    }
    if (load("p_trilin")) {
        for (unsigned i = 0; i < 9; i++) {
            snprintf(tag, sizeof tag, "%u_%.30s", i, records[2 + 5 * i].format);
            replay(&(struct job){"p_trilin", tag, .texture = 2 + 5 * i, .levels = 3, .filter = 1,
                                 .mip = ET_MIP_LINEAR, .rows = 8});
            snprintf(tag, sizeof tag, "%u_%.30s_3d", i, records[2 + 5 * i].format);
            replay(&(struct job){"p_trilin", tag, .coords = 1, .texture = 5 + 5 * i, .levels = 2, .filter = 1,
                                 .mip = ET_MIP_LINEAR, .rows = 8});
        }
        replay(&(struct job){"p_trilin", "shadow", ASKS_SHADOW, .coords = (unsigned)record_count - 1,
                             .texture = 47, .levels = 3, .filter = 1, .mip = ET_MIP_LINEAR, .function = 4,
                             .rows = 8});
    }
    if (load("tex_3d_array")) {
        replay(&(struct job){"tex_3d_array", "", .texture = 1, .levels = 2, .filter = 1, .mip = ET_MIP_LINEAR,
                             .rows = 16});
        replay(&(struct job){"tex_3d_array", "nearest", .texture = 1, .levels = 2, .mip = ET_MIP_POINT,
                             .wrap = ET_WRAP_EDGE, .rows = 16});
        replay(&(struct job){"tex_3d_array", "array", ASKS_ARRAY, .coords = 8, .texture = 3, .layers = 5,
                             .filter = 1, .rows = 64});
    }
}
END_TEST

START_TEST(coordinates)
{
    static const unsigned wraps[] = {ET_WRAP_REPEAT, ET_WRAP_MIRROR, ET_WRAP_EDGE, ET_WRAP_MIRROR_ONCE_EDGE};
    static const char *const wrap_names[] = {"rep", "mir", "cla", "mce"};
    char tag[40];
    if (load("tex_nearest")) {
        replay(&(struct job){"tex_nearest", "", .texture = 1});
        replay(&(struct job){"tex_nearest", "clamp", .texture = 1, .wrap = ET_WRAP_EDGE});
    }
    if (load("p_coord"))
        for (unsigned i = 0; i + 1 < record_count; i += 2)
            for (unsigned l = 0; l < 2; l++) {
                snprintf(tag, sizeof tag, "w%u_%c", records[i + 1].width, l ? 'l' : 'n');
                replay(&(struct job){"p_coord", tag, .coords = i, .texture = i + 1, .filter = l,
                                     .wrap = ET_WRAP_EDGE, .rows = records[i + 1].width > 4000 ? 2 : 8});
            }
    if (load("p_coordl"))
        for (unsigned i = 0; i + 1 < record_count; i += 2)
            for (unsigned m = 0; m < 4; m++)
                for (unsigned l = 0; l < 2; l++) {
                    snprintf(tag, sizeof tag, "w%u_%s_%c", records[i + 1].width, wrap_names[m],
                             l ? 'l' : 'n');
                    replay(&(struct job){"p_coordl", tag, .coords = i, .texture = i + 1, .filter = l,
                                         .wrap = wraps[m], .rows = 8});
                }
}
END_TEST

START_TEST(wraps_borders_and_views)
{
    static const struct {
        const char *tag;
        unsigned wrap, border;
    } wraps[] = {{"", ET_WRAP_REPEAT, 0},          {"mirror", ET_WRAP_MIRROR, 0},
                 {"clamp", ET_WRAP_EDGE, 0},       {"mirrorclamp", ET_WRAP_MIRROR_ONCE_EDGE, 0},
                 {"border_tb", ET_WRAP_BORDER, 0}, {"border_ob", ET_WRAP_BORDER, 1},
                 {"border_ow", ET_WRAP_BORDER, 2}};
    static const uint8_t swizzle0[4] = {4, 0, 7, 2}, swizzle1[4] = {5, 5, 3, 7};
    for (unsigned l = 0; l < 2; l++)
        if (load(l ? "tex_wrap_linear" : "tex_wrap_nearest"))
            for (size_t i = 0; i < ET_COUNT(wraps); i++)
                replay(&(struct job){l ? "tex_wrap_linear" : "tex_wrap_nearest", wraps[i].tag, .texture = 1,
                                     .filter = l, .wrap = wraps[i].wrap, .border = wraps[i].border,
                                     .rows = 32});
    if (!load("tex_misc"))
        return;
    replay(&(struct job){"tex_misc", "", ASKS_OFFSET, .coords = 1, .filter = 1, .rows = 32});
    replay(&(struct job){"tex_misc", "mirror_nearest", ASKS_OFFSET, .coords = 1, .wrap = ET_WRAP_MIRROR,
                         .rows = 32});
    replay(&(struct job){"tex_misc", "swizzle0", .coords = 1, .wrap = ET_WRAP_BORDER, .border = 1,
                         .sources = swizzle0, .rows = 32});
    replay(&(struct job){"tex_misc", "swizzle1", .coords = 1, .filter = 1, .wrap = ET_WRAP_BORDER,
                         .border = 1, .sources = swizzle1, .rows = 32});
    replay(&(struct job){"tex_misc", "unnorm_n", .coords = 2, .wrap = ET_WRAP_EDGE, .unnormalized = true,
                         .rows = 32});
    replay(&(struct job){"tex_misc", "unnorm_l", .coords = 2, .filter = 1, .wrap = ET_WRAP_EDGE,
                         .unnormalized = true, .rows = 32});
}
END_TEST

START_TEST(gathers_and_comparisons)
{
    static const char *const tags[] = {"", "g", "b_offset", "a"}, *const widths[] = {"w8", "w7", "w100"};
    char tag[40];
    if (load("tex_gather"))
        for (unsigned c = 0; c < 4; c++)
            replay(&(struct job){"tex_gather", tags[c], c == 2 ? ASKS_GATHER_OFFSET : ASKS_GATHER,
                                 .texture = 1, .filter = 1, .component = c, .rows = 32});
    if (load("p_gather"))
        for (unsigned i = 0; i < 3; i++)
            replay(&(struct job){"p_gather", widths[i], ASKS_GATHER, .coords = 2 * i + 1, .texture = 2 * i,
                                 .filter = 1, .wrap = ET_WRAP_EDGE, .rows = 16});
    if (load("tex_shadow_d32"))
        for (unsigned f = 0; f < 8; f++) {
            snprintf(tag, sizeof tag, "op%u", f);
            replay(&(struct job){"tex_shadow_d32", f == 1 ? "" : tag, ASKS_SHADOW, .texture = 1, .filter = 1,
                                 .wrap = ET_WRAP_EDGE, .function = f + 1, .rows = 16});
        }
    if (load("tex_shadow_d32"))
        replay(&(struct job){"tex_shadow_d32", "nearest", ASKS_SHADOW, .texture = 1, .wrap = ET_WRAP_EDGE,
                             .function = 4, .rows = 16});
}
END_TEST

START_TEST(compressed_blocks)
{
    if (load("tex_bc"))
        for (unsigned i = 0; i < record_count; i++)
            replay(&(struct job){"tex_bc", i ? records[i].format : "", ASKS_FETCH, .texture = i});
}
END_TEST

START_TEST(gradients)
{
    char tag[20];
    if (load("tex_grad")) {
        replay(&(struct job){"tex_grad", "", ASKS_GRADIENT, .texture = 2, .levels = 7, .filter = 1,
                             .mip = ET_MIP_LINEAR, .table = 1, .rows = 32});
        replay(&(struct job){"tex_grad", "nearestmip", ASKS_GRADIENT, .texture = 2, .levels = 7, .filter = 1,
                             .mip = ET_MIP_POINT, .table = 1, .rows = 32});
        replay(&(struct job){"tex_grad", "noise", ASKS_GRADIENT, .texture = 9, .levels = 7, .filter = 1,
                             .mip = ET_MIP_LINEAR, .table = 1, .rows = 32});
    }
    if (load("p_lod")) { /* tables are the records of 256x256, in order */
        unsigned t[10], n = 0;
        for (unsigned i = 0; i < record_count && n < 10; i++)
            if (records[i].width == 256)
                t[n++] = i;
        ck_assert_uint_eq(n, 10);
        const struct job flat = {"p_lod",     "",          ASKS_IMPLICIT,        .coords = t[7],
                                 .levels = 7, .filter = 1, .mip = ET_MIP_LINEAR, .rows = 8};
        struct job job = flat;
        job.tag = "sweep", job.asks = ASKS_GRADIENT, job.coords = t[0], job.table = t[1];
        replay(&job);
        job.tag = "rand", job.table = t[2];
        replay(&job);
        job = flat, job.tag = "impl";
        replay(&job);
        job.tag = "qlod", job.asks = ASKS_QUERY;
        replay(&job);
        job.tag = "qlod_aniso8", job.anisotropy = 4;
        replay(&job);
        job.tag = "impl_aniso8", job.asks = ASKS_IMPLICIT;
        replay(&job);
        job = flat, job.tag = "bias", job.asks = ASKS_BIAS, job.bias = 0.37f, job.least = 0.4f,
        job.most = 4.6f;
        replay(&job);
        job.tag = "qlodbias", job.asks = ASKS_QUERY;
        replay(&job);
        job = flat, job.texture = 7, job.tag = "rand3d", job.asks = ASKS_GRADIENT3, job.coords = t[3],
        job.table = t[4], job.table2 = t[5];
        replay(&job);
        job.tag = "qlod3d", job.asks = ASKS_QUERY, job.coords = t[8];
        replay(&job);
        job = flat, job.texture = 14, job.layers = 6, job.wrap = ET_WRAP_EDGE, job.tag = "randcube",
        job.asks = ASKS_GRADIENT_CUBE, job.coords = t[6], job.table = t[4], job.table2 = t[5];
        replay(&job);
        job.tag = "qlodcube", job.asks = ASKS_QUERY, job.coords = t[9], replay(&job);
    }
    if (load("p_lodnp"))
        replay(&(struct job){"p_lodnp", "", ASKS_GRADIENT, .coords = 6, .table = 7, .levels = 6, .filter = 1,
                             .mip = ET_MIP_LINEAR, .rows = 16});
    if (load("p_lod3"))
        replay(&(struct job){"p_lod3", "one", ASKS_GRADIENT3, .coords = 7, .table = 8, .table2 = 9,
                             .levels = 7, .filter = 1, .mip = ET_MIP_LINEAR, .rows = 8});
    if (load("p_lodnp2"))
        for (unsigned i = 1; i < record_count;) {
            unsigned levels = 0;
            while (records[i + levels].width != 128)
                levels++;
            snprintf(tag, sizeof tag, "w%u", records[i].width);
            replay(&(struct job){"p_lodnp2", tag, ASKS_GRADIENT, .texture = i, .levels = levels,
                                 .table = i + levels, .filter = 1, .mip = ET_MIP_LINEAR, .rows = 8});
            i += levels + 1;
        }
}
END_TEST

START_TEST(cubes)
{
    if (load("tex_cube")) {
        replay(&(struct job){"tex_cube", "", ASKS_CUBE, .texture = 1, .levels = 3, .layers = 6, .filter = 1,
                             .mip = ET_MIP_LINEAR, .wrap = ET_WRAP_EDGE, .rows = 32});
        replay(&(struct job){"tex_cube", "nearest", ASKS_CUBE, .texture = 1, .levels = 3, .layers = 6,
                             .mip = ET_MIP_POINT, .wrap = ET_WRAP_EDGE, .rows = 32});
    }
    if (load("p_cube")) {
        const struct job job = {
            "p_cube", "", ASKS_CUBE, .coords = 7, .layers = 6, .filter = 1, .wrap = ET_WRAP_EDGE, .rows = 32};
        struct job one = job;
        if (!data.packing && records[1].size) { /* 256x256 faces: only in the whole data */
            one.coords = 0, one.texture = 1, one.tag = "n", one.filter = 0;
            replay(&one);
            one.tag = "l", one.filter = 1;
            replay(&one);
        }
        one = job, one.texture = 8, one.tag = "face_pos";
        replay(&one);
        one.texture = 14, one.tag = "face_neg";
        replay(&one);
        one.texture = 20, one.tag = "noise_u8";
        replay(&one);
        one.texture = 26, one.tag = "noise_f16";
        replay(&one);
    }
}
END_TEST

START_TEST(anisotropy)
{
    char tag[40];
    for (unsigned b = 0; b < 2; b++) {
        const char *scene = b ? "p_antapr" : "p_antap";
        if (!load(scene))
            continue;
        for (unsigned k = 0; k < 8; k++) {
            snprintf(tag, sizeof tag, "%c%u", k < 4 ? 'w' : 'p', k & 3);
            replay(&(struct job){scene, tag, ASKS_GRADIENT, .table = 1, .texture = 10 + k, .filter = 1,
                                 .wrap = ET_WRAP_EDGE, .anisotropy = 7, .most = 1 / 256.f,
                                 .rows = k % 4 ? 2 : 8});
        }
        replay(&(struct job){scene, "lod", ASKS_GRADIENT, .table = 1, .texture = 2, .levels = 8, .filter = 1,
                             .mip = ET_MIP_LINEAR, .wrap = ET_WRAP_EDGE, .anisotropy = 7, .rows = 8});
    }
    if (load("p_anaxis")) {
        static const struct {
            const char *tag;
            unsigned texture, anisotropy;
        } axes[] = {{"x2", 12, 1}, {"y2", 13, 1}, {"x4", 12, 2}, {"y4", 13, 2}};
        for (size_t i = 0; i < ET_COUNT(axes); i++)
            replay(&(struct job){"p_anaxis", axes[i].tag, ASKS_GRADIENT, .coords = 10, .table = 11,
                                 .texture = axes[i].texture, .filter = 1, .wrap = ET_WRAP_EDGE,
                                 .anisotropy = axes[i].anisotropy, .most = 1 / 256.f, .rows = 8});
        static const char *const lods[] = {"lod1", "lod4", "lod16"};
        static const uint8_t most[] = {0, 2, 7};
        for (unsigned i = 0; i < 3; i++)
            replay(&(struct job){"p_anaxis", lods[i], ASKS_GRADIENT, .coords = 10, .table = 11, .texture = 2,
                                 .levels = 8, .filter = 1, .mip = ET_MIP_LINEAR, .wrap = ET_WRAP_EDGE,
                                 .anisotropy = most[i], .rows = 8});
    }
    if (load("p_aniso")) {
        static const uint8_t fields[] = {1, 2, 4, 7}, ratios[] = {2, 4, 8, 16};
        for (unsigned i = 0; i < 4; i++) {
            snprintf(tag, sizeof tag, "a%u", ratios[i]);
            replay(&(struct job){"p_aniso", tag, ASKS_GRADIENT, .coords = 1, .table = 2, .filter = 1,
                                 .wrap = ET_WRAP_EDGE, .anisotropy = fields[i], .most = 1 / 256.f,
                                 .rows = 16});
            snprintf(tag, sizeof tag, "lod_a%u", ratios[i]);
            replay(&(struct job){"p_aniso", tag, ASKS_GRADIENT, .coords = 3, .table = 4, .texture = 5,
                                 .levels = 7, .filter = 1, .mip = ET_MIP_LINEAR, .anisotropy = fields[i],
                                 .rows = 16});
        }
        replay(&(struct job){"p_aniso", "pos_a16", ASKS_GRADIENT, .coords = 3, .table = 4, .filter = 1,
                             .wrap = ET_WRAP_EDGE, .anisotropy = 7, .most = 1 / 256.f, .rows = 16});
        replay(&(struct job){"p_aniso", "noise_a16", ASKS_GRADIENT, .coords = 3, .table = 4, .texture = 12,
                             .levels = 7, .filter = 1, .mip = ET_MIP_LINEAR, .anisotropy = 7, .rows = 16});
    }
    if (load("tex_aniso")) {
        static const uint8_t fields[] = {1, 2, 7}, ratios[] = {2, 4, 16};
        for (unsigned i = 0; i < 3; i++) {
            snprintf(tag, sizeof tag, "level%u", ratios[i]);
            replay(&(struct job){"tex_aniso", i ? tag : "", ASKS_GRADIENT, .table = 1, .texture = 2,
                                 .levels = 7, .filter = 1, .mip = ET_MIP_LINEAR, .anisotropy = fields[i],
                                 .rows = 16});
            snprintf(tag, sizeof tag, "noise%u", ratios[i]);
            replay(&(struct job){"tex_aniso", tag, ASKS_GRADIENT, .table = 1, .texture = 9, .levels = 7,
                                 .filter = 1, .mip = ET_MIP_LINEAR, .anisotropy = fields[i], .rows = 16});
        }
    }
}
END_TEST

/* imageStore of a table of floats; the answers are the image's bytes. */
static void replay_store(const char *scene, const char *format_name, unsigned rows, long differ)
{
    static const struct et_image_instruction store = {
        .op = ET_IMAGE_STORE, .dim = ET_IMAGE_2D, .formatted = true, .components = 15};
    const struct format_name *format = format_named(format_name);
    const unsigned bytes = et_format_find(format->sizes)->block_bytes, width = records[0].width;
    unsigned height;
    char name[90];
    uint32_t header[8];
    struct world world;
    struct etalon_error error = {0};
    long equal = 0;
    snprintf(name, sizeof name, "%s.%s.raw", scene, format_name);
    const struct replay_file *file = replay_find(&data, name);
    ck_assert_msg(file != NULL, "no %s", name);
    height = (unsigned)(file->size / bytes / width) & ~1u;
    if (data.packing) {
        const struct job job = {.scene = scene, .asks = ASKS_IMPLICIT};
        keep(&job, name, file, width * bytes / 16, ET_MIN(rows, height));
        shares[share_count - 1].rows[0] = ET_MIN(rows, height);
        return;
    }
    world_open(&world, 16 << 20, true);
    world_header(header, format->sizes, format->type, ET_TEXTURE_2D, width, height, 1);
    for (unsigned c = 0; c < 4; c++)
        world_set(header, 21 + 3 * c, 19 + 3 * c, format->sources[c]);
    world_bind(&world, header, NULL);
    for (unsigned y = 0; y < height; y++)
        for (unsigned x = 0; x < width; x += ET_LANES) {
            uint32_t coord[3][ET_LANES] = {{0}}, values[4][ET_LANES];
            for (unsigned lane = 0; lane < ET_LANES; lane++) {
                float v[4];
                entry(v, 0, width, x + lane, y);
                coord[0][lane] = x + lane;
                coord[1][lane] = y;
                for (unsigned c = 0; c < 4; c++)
                    values[c][lane] = et_float_bits(v[c]);
            }
            ck_assert_int_eq(et_image_execute(world.unit, &world.pools, 1, &store, coord, UINT32_MAX, values,
                                              NULL, &error),
                             ETALON_OK);
            for (unsigned lane = 0; lane < ET_LANES; lane++)
                equal += !memcmp(world_texel(&world, 0, 0, x + lane, y, 0),
                                 file->bytes + ((size_t)y * width + x + lane) * bytes, bytes);
        }
    world_close(&world);
    const long count = (long)width * height;
    if (getenv("ETALON_TEXTURE_VERBOSE") || count - equal > differ)
        printf("%-48s %8ld of %8ld%s\n", name, equal, count, count - equal > differ ? "   <-- differs" : "");
    if (!getenv("ETALON_TEXTURE_VERBOSE"))
        ck_assert_msg(count - equal <= differ, "%s: %ld of %ld equal", name, equal, count);
}

START_TEST(stores)
{
    static const char *const formats[] = {"R8G8B8A8_UNORM",
                                          "R8G8B8A8_SNORM",
                                          "R16G16B16A16_UNORM",
                                          "R16G16B16A16_SNORM",
                                          "A2B10G10R10_UNORM_PACK32",
                                          "B10G11R11_UFLOAT_PACK32",
                                          "R16G16B16A16_SFLOAT",
                                          "R16_UNORM",
                                          "R8_UNORM",
                                          "R16_SFLOAT",
                                          "B8G8R8A8_UNORM"};
    if (load("p_store"))
        for (size_t i = 0; i < ET_COUNT(formats); i++)
            replay_store("p_store", formats[i], 64, 0);
    if (load("p_store_ramp"))
        for (size_t i = 0; i < 6; i++)
            replay_store("p_store_ramp", formats[i], 16, 0);
}
END_TEST

int main(int argc, char **argv)
{
    char pack[400];
    const char *folder = getenv("ETALON_TEXTURE_DATA");
    Suite *suite;
    TCase *tcase;
    int failed;
    if (argc == 4 && !strcmp(argv[1], "--pack"))
        folder = argv[2];
    else if (argc != 1)
        return EXIT_FAILURE;
    snprintf(pack, sizeof pack, "%s/conformance/silicon/texture/replay.bin.zst", suite_srcdir());
    if (!replay_open(&data, folder, pack)) {
        fprintf(stderr, "can't read %s\n", pack);
        return EXIT_FAILURE;
    }
    data.packing = argc == 4;
    suite = suite_create("texture replay");
    tcase = tcase_create("silicon");
    tcase_set_timeout(tcase, 900);
    tcase_add_test(tcase, filters);
    tcase_add_test(tcase, weights);
    tcase_add_test(tcase, mips);
    tcase_add_test(tcase, coordinates);
    tcase_add_test(tcase, wraps_borders_and_views);
    tcase_add_test(tcase, gathers_and_comparisons);
    tcase_add_test(tcase, compressed_blocks);
    tcase_add_test(tcase, gradients);
    tcase_add_test(tcase, cubes);
    tcase_add_test(tcase, anisotropy);
    tcase_add_test(tcase, stores);
    if (data.packing)
        tcase_add_test(tcase, keep_records);
    suite_add_tcase(suite, tcase);
    if (data.packing) {
        SRunner *runner = srunner_create(suite);
        srunner_set_fork_status(runner, CK_NOFORK);
        srunner_run_all(runner, CK_ENV);
        failed = srunner_ntests_failed(runner) > 0;
        srunner_free(runner);
        if (!replay_write(&data, argv[3]))
            failed = 1;
    } else {
        failed = suite_run(suite) != EXIT_SUCCESS;
    }
    replay_close(&data);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
