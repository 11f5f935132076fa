/* Random states of draws: each must end in a picture or in a named error. Argument: rounds, seed. */
#include "support/draw_world.h"

#include <stdio.h>

static uint64_t state;

static uint32_t bits(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 16);
}

static float number(void)
{
    const float special[] = {
        NAN,       INFINITY,     -INFINITY, -1e30f,  0x1.fffffep127f,        -0x1p127f,       0, -0.0f,
        0x1p-149f, -0x1.8p-130f, 0x1p-64f,  0x1p60f, (float)(int32_t)bits(), et_float(bits())};
    return bits() % 2 ? special[bits() % ET_COUNT(special)] : (float)(bits() % 200) - 50;
}

static struct et_rectangle rectangle(uint32_t size)
{
    return (struct et_rectangle){(int32_t)(bits() % size), (int32_t)(bits() % size), (int32_t)(bits() % size),
                                 (int32_t)(bits() % size)};
}

static void change_vertices(struct world *w)
{
    struct et_draw *draw = &w->draw;
    switch (bits() % 8) {
    case 0:
        draw->topology = bits() % 16;
        break;
    case 1:
        draw->instance_count = bits() % 4;
        draw->first_instance = bits();
        break;
    case 2:
        draw->restart = true;
        draw->restart_index = bits() % 20;
        break;
    case 3:
        draw->source = ET_DRAW_INDEXED;
        draw->index_address = WORLD_INDICES;
        draw->index_limit = WORLD_INDICES + bits() % 200;
        draw->index_size = bits() % 3;
        draw->reuse = (struct et_reuse_limits){.corners = (uint8_t)(bits() % 80),
                                               .primitives = (uint8_t)(bits() % 40),
                                               .vertices = (uint8_t)(bits() % 40)};
        for (unsigned i = 0; i < 64; i++)
            et_store32(w->ram.base + WORLD_INDICES + 4 * i, bits() % 64);
        break;
    case 4:
        draw->base_vertex = (int32_t)bits();
        break;
    case 5:
        draw->attribute[bits() % 3] = bits();
        break;
    case 6:
        draw->stream[0].stride = bits() % 5000;
        break;
    default:
        draw->stream[0].limit = WORLD_VERTICES + bits() % 1000;
    }
}

static void change_shape(struct et_raster_state *raster)
{
    switch (bits() % 10) {
    case 0:
        raster->viewport[0].scale[bits() % 3] = number();
        break;
    case 1:
        raster->viewport[0].offset[bits() % 3] = number();
        break;
    case 2:
        raster->clip_control = bits();
        break;
    case 3:
        raster->front_mode = raster->back_mode = 0x1b00 + bits() % 3;
        break;
    case 4:
        raster->line_width = raster->aliased_line_width = number();
        raster->line_multisample_override = bits() & 1;
        break;
    case 5:
        raster->point_size = number();
        break;
    case 6:
        raster->viewport_transform = false;
        break;
    case 7:
        raster->user_clip_enable = (uint8_t)bits();
        break;
    case 8:
        raster->scissor[0] = (struct et_scissor){true, rectangle(100)};
        break;
    default:
        raster->surface_clip = raster->viewport[0].clip = rectangle(70000);
    }
}

static void change_output(struct et_raster_state *raster)
{
    struct et_output_state *output = &raster->output;
    switch (bits() % 10) {
    case 0:
        raster->sample.mode = bits() % 12;
        raster->sample.passes = (uint8_t)(bits() % 20);
        raster->sample.alpha_to_coverage = bits() & 1;
        break;
    case 1:
        output->color[0].address = bits() % 0x5000000;
        break;
    case 2:
        output->color[0].pitch_linear = true;
        output->color[0].width = bits() % 4096;
        break;
    case 3:
        output->color[0].format = bits() % 256;
        break;
    case 4:
        raster->depth_stencil.depth_test = raster->depth_stencil.depth_write = output->depth_enable = true;
        raster->depth_stencil.depth_function = 0x200 + bits() % 8;
        world_target(&output->depth, WORLD_DEPTH, 0x0a + bits() % 20, 4, 64, 64);
        break;
    case 5:
        raster->depth_stencil.stencil_test = true;
        raster->depth_stencil.front =
            (struct et_stencil_face){bits() % 9,      bits() % 9,      bits() % 9,     0x200 + bits() % 9,
                                     (uint8_t)bits(), (uint8_t)bits(), (uint8_t)bits()};
        break;
    case 6:
        raster->bias_fill = true;
        raster->bias_constant = number();
        raster->bias_slope = number();
        raster->bias_clamp = number();
        break;
    case 7:
        raster->layer = (uint16_t)(bits() % 3);
        output->color[0].layers = bits() % 3;
        break;
    case 8:
        output->blend[0].enable = true;
        output->blend[0].color_op = bits() % 6;
        output->blend[0].color_source = bits() % 20;
        output->blend[0].color_dest = bits() % 20;
        output->logic_op = bits() % 4 == 0;
        output->logic_function = 0x1500 + bits() % 17;
        break;
    default:
        output->color_count = (uint8_t)(bits() % 10);
        output->color[bits() % 8] = output->color[0];
    }
}

/* Lines, conservative raster, smooth and stippled shapes, shading rates. */
static void change_rules(struct et_raster_state *raster)
{
    switch (bits() % 8) {
    case 0:
        raster->line_antialiased = bits() % 4;
        raster->line_multisample_override = bits() & 1;
        break;
    case 1:
        raster->line_stipple = true;
        raster->line_stipple_factor = (uint8_t)bits();
        raster->line_stipple_pattern = (uint16_t)bits();
        break;
    case 2:
        raster->conservative = true;
        raster->conservative_control = bits();
        break;
    case 3:
        raster->polygon_smooth = true;
        break;
    case 4:
        raster->fill_via_triangle = bits() % 16 ? 2 : bits() % 3;
        break;
    case 5:
        raster->user_clip_enable = 0xff;
        raster->user_clip_cull = bits() & 1 ? (uint8_t)bits() : 0;
        break;
    case 6:
        raster->window_offset_x = (int32_t)bits();
        raster->window_offset_y = (int32_t)bits();
        break;
    default:
        raster->rates.source = bits() & 3;
        raster->rates.constant = bits() & 15;
        for (unsigned table = 0; table < 16; table++) {
            raster->rates.enable[table] = bits() % 3;
            for (unsigned i = 0; i < 16; i++)
                raster->rates.rate[table][i] = bits() % 4096 ? 5 + bits() % 7 : bits() & 15;
        }
        world_target(&raster->rates.index, bits() % 4 ? WORLD_DEPTH : bits(), 0xf3, 1, bits() % 8,
                     bits() % 8);
        raster->rates.index.layers = bits() % 3;
        raster->rates.index.layer = bits() % 3;
        raster->rates.index_width = bits() % 70;
        raster->layer_by_viewport = bits() & 1;
    }
}

/* The program's other outputs: any words for clip distances, viewport masks, layers, tables of rates. */
static enum etalon_status run(struct et_context *context, const struct et_launch *launch,
                              struct et_warp_io *io, struct et_counts *counts, struct etalon_error *error)
{
    static const uint8_t words[] = {ET_WORD_LAYER, ET_WORD_VIEWPORT, ET_WORD_VIEWPORT_MASK,
                                    ET_WORD_RATE_TABLE};
    const enum etalon_status status = world_runner(context, launch, io, counts, error);
    for (unsigned lane = 0; lane < ET_LANES && launch->stage == ET_STAGE_VERTEX; lane++) {
        if (!(io->lanes >> lane & 1))
            continue;
        uint32_t *out = io->vtg->output[io->vtg->out_record[lane]].word;
        const uint32_t *color = &out[ET_WORD_GENERIC]; /* of the vertex alone: the same for any batches */
        for (unsigned i = 0; i < 8; i++)
            out[ET_WORD_CLIP_DISTANCE + i] = color[(i + color[4]) & 3];
        for (unsigned i = 0; i < ET_COUNT(words); i++)
            out[words[i]] = color[4] >> 3 * i;
    }
    return status;
}

/* Header bits of those outputs. */
static void more_outputs(struct world *w)
{
    uint32_t *header = (uint32_t *)(void *)(w->ram.base + WORLD_PROGRAMS);
    if (bits() & 1)
        world_set_bits(header, 400 + ET_WORD_CLIP_DISTANCE, 8, bits() & 0xff);
    if (bits() % 4 == 0)
        world_set_bits(header, 400 + ET_WORD_LAYER, 2, bits());
    if (bits() % 4 == 0)
        world_set_bits(header, 400 + ET_WORD_VIEWPORT_MASK, 1, 1);
    if (bits() % 4 == 0)
        world_set_bits(header, 400 + ET_WORD_RATE_TABLE, 1, 1);
}

static bool run_round(uint64_t seed)
{
    static const uint32_t formats[] = {0xd5, 0xc0, 0xe4, 0xca, 0xe8, 0xf3, 0xd6, 0xd7, 0xe0, 0xd1};
    struct etalon_error error = {0};
    struct world w;
    enum etalon_status status;
    state = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
    world_start(&w, formats[bits() % ET_COUNT(formats)], 64, 64, 1, 0);
    const enum world_pixel pixel = (enum world_pixel)(bits() % 5);
    world_programs(&w, pixel, pixel == PIXEL_FLAT_COLOR);
    more_outputs(&w);
    w.draw.topology = bits() % 5;
    const struct et_pipeline_options options = {.threads = 1, .bin_primitives = bits() % 5, .run = run};
    et_pipeline_destroy(w.pipeline);
    if (et_pipeline_create(&w.pipeline, &options, NULL))
        abort();
    for (uint32_t v = (bits() % 30 + 1) * 3; v--;) {
        float position[4], color[4];
        for (unsigned c = 0; c < 4; c++) {
            position[c] = bits() % 5 ? (float)((int32_t)(bits() % 2000) - 1000) / 700 : number();
            color[c] = number();
        }
        if (bits() % 3)
            position[3] = 1;
        world_add(&w, position, color, bits());
    }
    const bool sound = bits() % 4; /* the targets and streams, which errors name first */
    for (uint32_t n = bits() % 12 + 1; n--;) {
        if (!sound)
            change_vertices(&w);
        change_shape(&w.draw.raster);
        if (!sound)
            change_output(&w.draw.raster);
        change_rules(&w.draw.raster);
        if (bits() & 1)
            break;
    }
    status = world_draw(&w, &error);
    world_finish(&w);
    if (!status || error.status)
        return true;
    fprintf(stderr, "round %llu: status %d without an error\n", (unsigned long long)seed, (int)status);
    return false;
}

int main(int argc, char **argv)
{
    const unsigned long rounds = argc > 1 ? strtoul(argv[1], NULL, 0) : 1000,
                        seed = argc > 2 ? strtoul(argv[2], NULL, 0) : 1;
    for (unsigned long i = 0; i < rounds; i++)
        if (!run_round(seed + i))
            return 1;
    return 0;
}
