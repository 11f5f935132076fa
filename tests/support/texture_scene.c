#include "support/texture_scene.h"

#include "isa/numeric/mufu.h"
#include "support/texture_world.h"
#include "texture/lod.h"

#include <math.h>
#include <stdio.h>

struct replay_data scene_data;
struct replay_record scene_records[SCENE_RECORDS];
size_t scene_record_count;

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

bool scene_load(const char *scene)
{
    scene_record_count = replay_records(&scene_data, scene, scene_records, SCENE_RECORDS);
    ck_assert_msg(scene_record_count || scene_data.folder, "no %s in the pack", scene);
    return scene_record_count > 0;
}

/* Binds the job's texture and copies its levels and layers into RAM. */
static const struct format_name *upload(struct world *world, const struct job *job)
{
    const struct replay_record *first = &scene_records[job->texture];
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
        const struct replay_record *record = &scene_records[job->texture + i];
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
    memcpy(out, scene_records[record].bytes + 16 * ((size_t)y * width + x), 16);
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
    instruction.dim = cube ? ET_TEX_CUBE : scene_records[job->texture].depth > 1 ? ET_TEX_3D : ET_TEX_2D;
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
    const unsigned depth = scene_records[job->texture].depth;
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

/* What the pack holds of a scene's scene_records: rows of tables, whole textures. */
struct share {
    char scene[40];
    unsigned rows[SCENE_RECORDS];
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
    replay_keep(&scene_data, answers, file->bytes, (size_t)width * rows * 16);
    for (unsigned i = 0; i < count; i++)
        want(share, job->texture + i, UINT32_MAX);
    if (job->asks != ASKS_FETCH)
        want(share, job->coords, rows);
    if (job->asks == ASKS_GRADIENT || job->asks == ASKS_GRADIENT3 || job->asks == ASKS_GRADIENT_CUBE)
        want(share, job->table, rows);
    if (job->asks == ASKS_GRADIENT3 || job->asks == ASKS_GRADIENT_CUBE)
        want(share, job->table2, rows);
}

/* Writes the shares' scene_records, each cut to what is wanted of it. */
void scene_keep_records(void)
{
    for (size_t i = 0; i < share_count; i++) {
        char name[90];
        uint8_t *bytes;
        size_t at = 0, most = 0;
        ck_assert(scene_load(shares[i].scene));
        for (size_t r = 0; r < scene_record_count; r++)
            most += scene_records[r].size + 120;
        bytes = malloc(most);
        ck_assert_ptr_nonnull(bytes);
        for (size_t r = 0; r < scene_record_count; r++) {
            const struct replay_record *record = &scene_records[r];
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
        replay_keep(&scene_data, name, bytes, at);
        free(bytes);
    }
}

/* All must be equal; with ETALON_TEXTURE_VERBOSE set the counts are only listed. */
static void judge(const char *name, long equal, long count)
{
    const bool list = getenv("ETALON_TEXTURE_VERBOSE") != NULL;
    if (list || count > equal)
        printf("%-48s %8ld of %8ld%s\n", name, equal, count, count > equal ? "   <-- differs" : "");
    ck_assert_msg(list || count == equal, "%s: %ld of %ld equal", name, equal, count);
}

void scene_replay(const struct job *job)
{
    char name[90];
    struct world world;
    const bool moved = job->asks == ASKS_GRADIENT3 || job->asks == ASKS_GRADIENT_CUBE;
    const struct et_tex_instruction instruction = instruction_of(job);
    struct et_tex_instruction gather = {.op = ET_TEX_GATHER, .dim = ET_TEX_2D, .shadow = true};
    struct et_tex_lanes lanes = {0};
    const unsigned width =
        job->asks == ASKS_FETCH ? scene_records[job->texture].width : scene_records[job->coords].width;
    unsigned height;
    long equal = 0;
    snprintf(name, sizeof name, "%s%s%s.raw", job->scene, job->tag[0] ? "." : "", job->tag);
    const struct replay_file *file = replay_find(&scene_data, name);
    ck_assert_msg(file != NULL, "no %s", name);
    height = (unsigned)(file->size / 16 / width) & ~1u;
    if (scene_data.packing) {
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
    judge(name, equal, (long)width * height);
}

void scene_replay_store(const char *scene, const char *format_name, unsigned rows)
{
    static const struct et_image_instruction store = {
        .op = ET_IMAGE_STORE, .dim = ET_IMAGE_2D, .formatted = true, .components = 15};
    const struct format_name *format = format_named(format_name);
    const unsigned bytes = et_format_find(format->sizes)->block_bytes, width = scene_records[0].width;
    unsigned height;
    char name[90];
    uint32_t header[8];
    struct world world;
    struct etalon_error error = {0};
    long equal = 0;
    snprintf(name, sizeof name, "%s.%s.raw", scene, format_name);
    const struct replay_file *file = replay_find(&scene_data, name);
    ck_assert_msg(file != NULL, "no %s", name);
    height = (unsigned)(file->size / bytes / width) & ~1u;
    if (scene_data.packing) {
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
    judge(name, equal, (long)width * height);
}
