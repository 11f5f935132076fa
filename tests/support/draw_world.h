/* A small machine for draws: RAM, one address space, targets, vertices, and shader programs played by C.
 *
 * The programs' code is never run: the runner below stands in for the interpreter. The vertex program moves
 * generic 0 to the position, generic 1 and 2 to generics 0 and 1. The pixel program does what word 0 of its
 * constants says. */
#ifndef ET_TESTS_DRAW_WORLD_H
#define ET_TESTS_DRAW_WORLD_H

#include "base/alloc.h"
#include "base/bits.h"
#include "base/hash.h"
#include "pipeline/draw.h"
#include "rasterizer/raster.h"
#include "texture/layout.h"
#include "shader/sph.h"

#include <math.h>
#include <stdlib.h>

enum {
    WORLD_COLOR = 0x100000, /* eight colour targets, 4 MiB each */
    WORLD_TARGET_BYTES = 0x400000,
    WORLD_DEPTH = 0x2200000,
    WORLD_VERTICES = 0x2800000,
    WORLD_INDICES = 0x3000000,
    WORLD_PROGRAMS = 0x3100000,
    WORLD_CONSTANTS = 0x3110000,
    WORLD_XFB = 0x3200000,
    WORLD_BYTES = 0x4000000
};

enum world_pixel { PIXEL_ID, PIXEL_COLOR, PIXEL_COORD, PIXEL_FLAT_COLOR, PIXEL_DEPTH_COLOR };

struct world_vertex {
    float position[4], color[4];
    uint32_t id, pad[3];
};

struct world {
    struct et_ram ram;
    struct et_pagemap map;
    struct et_pipeline *pipeline;
    struct et_draw draw;
    struct et_draw_results results;
    struct world_vertex *vertex;
    size_t count, capacity;
    uint32_t lcg;
};

static inline void world_set_bits(uint32_t *words, unsigned low, unsigned width, uint32_t value)
{
    for (unsigned i = 0; i < width; i++)
        if (value >> i & 1)
            words[(low + i) >> 5] |= 1u << ((low + i) & 31);
}

static inline uint32_t world_input(const struct et_vtg_io *vtg, unsigned lane, unsigned word)
{
    return vtg->columns ? vtg->columns[word * vtg->column_step + lane]
                        : vtg->input[vtg->in_record[lane]].word[word];
}

static inline enum etalon_status world_run_vertex(struct et_warp_io *io)
{
    for (unsigned lane = 0; lane < ET_LANES; lane++) {
        uint32_t in[12];
        if (!(io->lanes >> lane & 1))
            continue;
        for (unsigned n = 0; n < 12; n++)
            in[n] = world_input(io->vtg, lane, ET_WORD_GENERIC + n);
        uint32_t *out = io->vtg->output[io->vtg->out_record[lane]].word;
        memcpy(&out[ET_WORD_POSITION], in, 16);
        memcpy(&out[ET_WORD_GENERIC], in + 4, 32);
        out[ET_WORD_POINT_SIZE] = in[7];
    }
    return ETALON_OK;
}

static inline float world_plane_at(const struct et_plane *plane, int32_t x, int32_t y)
{
    float value;
    et_plane_evaluate(plane, 1, &x, &y, &value);
    return value;
}

static inline float world_plane(const struct et_plane *plane, int32_t x, int32_t y)
{
    return world_plane_at(plane, x * 256 + 128, y * 256 + 128);
}

static inline enum etalon_status world_run_pixel(const struct et_launch *launch, struct et_warp_io *io,
                                                 uint32_t registers[8][ET_LANES])
{
    const uint32_t mode = et_load32(launch->banks[0].data);
    for (unsigned lane = 0; lane < ET_LANES; lane++) {
        const struct et_fragment_io *f = io->fragment;
        const struct et_primitive *p = et_quad_primitive(f, lane / 4);
        if (!(io->lanes >> lane & 1))
            continue;
        const int across = f->rate[lane / 4] & 15, down = f->rate[lane / 4] >> 4;
        const int32_t x = (et_quad_x(f, lane / 4) + ((int32_t)(lane & 1) << across)) * 256 + (128 << across),
                      y = (et_quad_y(f, lane / 4) + ((int32_t)(lane >> 1 & 1) << down)) * 256 + (128 << down);
        const float w = world_plane_at(&p->w, x, y);
        for (unsigned c = 0; c < 4; c++) {
            const unsigned word = ET_WORD_GENERIC + c;
            if (mode == PIXEL_ID)
                registers[c][lane] = c ? 0 : p->flat[f->layout->flat[ET_WORD_GENERIC + 4]];
            else if (mode == PIXEL_FLAT_COLOR)
                registers[c][lane] = p->flat[f->layout->flat[word]];
            else if (mode == PIXEL_COORD)
                registers[c][lane] = et_float_bits(c == 0   ? (float)x / 256
                                                   : c == 1 ? (float)y / 256
                                                   : c == 2 ? world_plane_at(&p->z, x, y)
                                                            : w);
            else
                registers[c][lane] =
                    et_float_bits(world_plane_at(&p->planes[f->layout->plane[word]], x, y) / w);
        }
        if (mode == PIXEL_DEPTH_COLOR)
            registers[5][lane] = registers[0][lane];
    }
    return ETALON_OK;
}

/* A pass-through geometry program: the layer is the primitive's id mod 2, the vertex id 100 more than it. */
static inline enum etalon_status world_run_geometry(struct et_warp_io *io)
{
    for (unsigned lane = 0; lane < ET_LANES; lane++) {
        if (!(io->lanes >> lane & 1))
            continue;
        uint32_t *out = io->vtg->output[io->vtg->out_record[lane]].word;
        out[ET_WORD_LAYER] = io->vtg->primitive_id[lane] & 1;
        out[ET_WORD_GENERIC + 4] = 100 + io->vtg->primitive_id[lane];
    }
    return ETALON_OK;
}

static inline enum etalon_status world_runner(struct et_context *context, const struct et_launch *launch,
                                              struct et_warp_io *io, struct et_counts *counts,
                                              struct etalon_error *error)
{
    static _Thread_local uint32_t registers[8][ET_LANES];
    (void)context;
    (void)error;
    counts->instructions++;
    if (launch->stage == ET_STAGE_VERTEX)
        return world_run_vertex(io);
    if (launch->stage == ET_STAGE_GEOMETRY)
        return world_run_geometry(io);
    io->registers = registers;
    return world_run_pixel(launch, io, registers);
}

/* Headers for the two programs; `flat` makes generic 0 constant. */
static inline void world_programs(struct world *world, enum world_pixel pixel, bool flat)
{
    uint32_t vertex[ET_SPH_V4_BYTES / 4 + 4] = {0}, fragment[ET_SPH_V4_BYTES / 4 + 4] = {0};
    world_set_bits(vertex, 0, 5, 1);
    world_set_bits(vertex, 5, 5, 4);
    world_set_bits(vertex, 10, 4, ET_SPH_VERTEX);
    world_set_bits(vertex, 160 + ET_WORD_GENERIC, 9, 0x1ff);
    world_set_bits(vertex, 400 + ET_WORD_POSITION, 4, 15);
    world_set_bits(vertex, 400 + ET_WORD_POINT_SIZE, 1, 1);
    world_set_bits(vertex, 400 + ET_WORD_GENERIC, 5, 31);
    world_set_bits(fragment, 0, 5, 2);
    world_set_bits(fragment, 5, 5, 4);
    world_set_bits(fragment, 10, 4, ET_SPH_PIXEL);
    for (unsigned c = 0; c < 4; c++)
        world_set_bits(fragment, 192 + 2 * c, 2, flat ? ET_SPH_CONSTANT : ET_SPH_PERSPECTIVE);
    world_set_bits(fragment, 192 + 2 * 4, 2, ET_SPH_CONSTANT);
    world_set_bits(fragment, 576, 4, 15);
    if (pixel == PIXEL_DEPTH_COLOR)
        world_set_bits(fragment, 609, 1, 1);
    memcpy(world->ram.base + WORLD_PROGRAMS, vertex, sizeof vertex);
    memcpy(world->ram.base + WORLD_PROGRAMS + 0x1000, fragment, sizeof fragment);
    et_store32(world->ram.base + WORLD_CONSTANTS, pixel);
}

static inline void world_target(struct et_target *target, uint64_t address, uint32_t format, uint32_t bytes,
                                uint32_t width, uint32_t height)
{
    *target = (struct et_target){.address = address,
                                 .format = format,
                                 .width = width,
                                 .height = height,
                                 .layers = 1,
                                 .block_height_log2 = 2};
    target->array_pitch = WORLD_TARGET_BYTES;
    (void)bytes;
}

/* A world whose draw fills a width x height target of the format, everything else off. */
static inline void world_start(struct world *world, uint32_t format, uint32_t width, uint32_t height,
                               int threads, uint32_t bin)
{
    const struct et_pipeline_options options = {
        .threads = threads, .bin_primitives = bin, .run = world_runner};
    struct et_draw *draw = &world->draw;
    struct et_raster_state *raster = &draw->raster;
    *world = (struct world){0};
    if (et_ram_create(&world->ram, WORLD_BYTES, ET_RAM_TRACKED, NULL))
        abort();
    et_pagemap_init(&world->map, &world->ram, 40);
    if (et_pagemap_map(&world->map, 0x1000, WORLD_BYTES - 0x1000, 0x1000, ET_READ | ET_WRITE, 0, NULL) ||
        et_pipeline_create(&world->pipeline, &options, NULL))
        abort();
    *draw = (struct et_draw){
        .map = &world->map, .event = 5, .isa = ET_ISA_AMPERE, .sph_v4 = true, .bindless_bank = -1};
    draw->stage[ET_STAGE_VERTEX] = (struct et_draw_stage){.enable = true, .program = WORLD_PROGRAMS};
    draw->stage[ET_STAGE_FRAGMENT] =
        (struct et_draw_stage){.enable = true, .program = WORLD_PROGRAMS + 0x1000};
    draw->stage[ET_STAGE_FRAGMENT].bank[0] =
        (struct et_draw_bank){.address = WORLD_CONSTANTS, .size = 256, .valid = true};
    draw->stream[0] = (struct et_vertex_stream){.enable = true,
                                                .address = WORLD_VERTICES,
                                                .limit = WORLD_INDICES,
                                                .stride = sizeof(struct world_vertex)};
    draw->attribute[0] = 0x01u << 21 | 7u << 27;
    draw->attribute[1] = 0x01u << 21 | 7u << 27 | 16u << 7;
    draw->attribute[2] = 0x12u << 21 | 4u << 27 | 32u << 7;
    draw->topology = 4;
    draw->instance_count = 1;
    raster->enable = raster->viewport_transform = raster->clip_zero_to_one = true;
    raster->clip_control = 0x3181c;
    raster->front_mode = raster->back_mode = 0x1b02;
    raster->front_face = 0x901;
    raster->line_width = raster->aliased_line_width = raster->point_size = 1;
    raster->aliased_line_width_enable = true;
    raster->point_sprite_select = 4;
    raster->surface_clip = (struct et_rectangle){0, 0, (int32_t)width, (int32_t)height};
    for (unsigned i = 0; i < ET_VIEWPORTS; i++) {
        raster->viewport[i] = (struct et_viewport){.scale = {(float)width / 2, (float)height / 2, 1},
                                                   .offset = {(float)width / 2, (float)height / 2, 0},
                                                   .clip = {0, 0, (int32_t)width, (int32_t)height},
                                                   .max_z = 1,
                                                   .swizzle = {0, 2, 4, 6}};
    }
    raster->sample.enable = raster->sample.mask_output = true;
    raster->sample.alpha_to_coverage_dither = true;
    for (unsigned i = 0; i < 4; i++)
        raster->sample.mask[i] = 0xffff;
    raster->output.color_count = 1;
    raster->output.srgb_write = true;
    raster->output.blend[0].write_mask = 15;
    world_target(&raster->output.color[0], WORLD_COLOR, format, 4, width, height);
}

static inline void world_finish(struct world *world)
{
    et_pipeline_destroy(world->pipeline);
    et_pagemap_finish(&world->map);
    et_ram_destroy(&world->ram);
    free(world->vertex);
}

static inline void world_seed(struct world *world, uint32_t seed)
{
    world->lcg = seed * 2654435761u + 12345u;
}

static inline uint32_t world_random(struct world *world)
{
    world->lcg = world->lcg * 1664525u + 1013904223u;
    return world->lcg >> 8;
}

static inline float world_between(struct world *world, float low, float high)
{
    return low + (high - low) * ((float)world_random(world) / 16777216.0f);
}

static inline void world_add(struct world *world, const float position[4], const float color[4], uint32_t id)
{
    struct world_vertex v = {.id = id};
    if (world->count == world->capacity) {
        world->capacity = world->capacity ? world->capacity * 2 : 1024;
        world->vertex = realloc(world->vertex, world->capacity * sizeof v);
        if (!world->vertex)
            abort();
    }
    memcpy(v.position, position, 16);
    memcpy(v.color, color, 16);
    world->vertex[world->count++] = v;
}

/* A vertex at (x, y) pixels of a width x height target. */
static inline void world_pixel_vertex(struct world *world, float width, float height, float x, float y,
                                      float z, float w, const float color[4], uint32_t id)
{
    const float position[4] = {(x * (2.0f / width) - 1.0f) * w, (y * (2.0f / height) - 1.0f) * w, z * w, w};
    world_add(world, position, color, id);
}

static inline enum etalon_status world_draw(struct world *world, struct etalon_error *error)
{
    memcpy(world->ram.base + WORLD_VERTICES, world->vertex, world->count * sizeof *world->vertex);
    world->draw.count = (uint32_t)world->count;
    return et_pipeline_draw(world->pipeline, &world->draw, &world->results, error);
}

/* A target's elements in rows; the caller frees. */
static inline uint8_t *world_read(struct world *world, const struct et_target *target, uint32_t bytes,
                                  uint32_t layer)
{
    const struct et_layout layout = {.width = target->width * bytes,
                                     .height = target->height,
                                     .depth = 1,
                                     .block_height_log2 = target->block_height_log2};
    uint8_t *rows = calloc((size_t)target->width * target->height, bytes);
    const uint8_t *base = world->ram.base + target->address + layer * target->array_pitch;
    if (!rows)
        abort();
    for (uint32_t y = 0; y < target->height; y++)
        for (uint32_t x = 0; x < target->width; x++)
            memcpy(rows + ((size_t)y * target->width + x) * bytes,
                   base + et_layout_offset(&layout, x * bytes, y, 0), bytes);
    return rows;
}

/* The program of this header writes the word. */
static inline void world_output(struct et_sph *sph, unsigned word)
{
    sph->output[word >> 5] |= 1u << (word & 31);
}

/* A triangle within the view as setup takes it: vertices of zeros but for their positions. */
static inline struct et_raster_input world_triangle(struct et_vertex_record record[3])
{
    struct et_raster_input input = {.corners = 3, .edges = 7};
    memset(record, 0, 3 * sizeof *record);
    for (unsigned k = 0; k < 3; k++) {
        record[k].word[ET_WORD_POSITION] = et_float_bits(k == 1 ? 0.5f : -0.5f);
        record[k].word[ET_WORD_POSITION + 1] = et_float_bits(k == 2 ? 0.5f : -0.5f);
        record[k].word[ET_WORD_POSITION + 3] = et_float_bits(1);
        input.vertex[k] = &record[k];
    }
    return input;
}

static inline void world_digest(const void *bytes, size_t count, char text[65])
{
    struct et_sha256 sha;
    uint8_t digest[32];
    et_sha256_start(&sha);
    et_sha256_add(&sha, bytes, count);
    et_sha256_end(&sha, digest);
    et_sha256_text(digest, text);
}

#endif
