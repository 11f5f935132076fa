/* Registers into the state of a draw: by groups, each filled again only when one of its register blocks was
 * written. Both classes' registers; where they differ, `ampere` tells them apart. [DOC: class headers; DRV:
 * notes e to j] */
#include "engine/threed.h"

struct fill {
    const struct et_registers *r;
    struct et_threed *threed;
    struct et_draw *draw;
    bool ampere;
};

static uint32_t get(const struct fill *f, uint32_t offset)
{
    return et_register(f->r, offset);
}

static bool flag(const struct fill *f, uint32_t offset)
{
    return et_register(f->r, offset) & 1;
}

static uint64_t address(const struct fill *f, uint32_t offset)
{
    return (uint64_t)(get(f, offset) & (f->ampere ? 0x1ffffu : 0xffu)) << 32 | get(f, offset + 4);
}

static void fill_color_target(const struct fill *f, unsigned i, struct et_target *target)
{
    const uint32_t base = 0x800 + 64 * i, memory = get(f, base + 0x14);
    *target = (struct et_target){
        .address = address(f, base),
        .format = get(f, base + 0x10) & 0xff,
        .width = get(f, base + 0x08) & 0xfffffff,
        .height = get(f, base + 0x0c) & 0x1ffff,
        .layers = ET_MAX(get(f, base + 0x18) & 0xfffffff, 1u),
        .array_pitch = (uint64_t)get(f, base + 0x1c) << 2,
        .layer = get(f, base + 0x20) & 0xffff,
        .pitch_linear = memory >> 12 & 1,
        .volume = memory >> 16 & 1,
        .block_height_log2 = (uint8_t)et_bits(memory, 7, 4),
        .block_depth_log2 = (uint8_t)et_bits(memory, 11, 8),
        .turing_gob = f->ampere,
    };
}

static void fill_depth_target(const struct fill *f, struct et_target *target)
{
    const uint32_t block = get(f, 0xfec), size = get(f, 0x1230);
    *target = (struct et_target){
        .address = address(f, 0xfe0),
        .format = get(f, 0xfe8) & 0x1f,
        .width = get(f, 0x1228) & 0xfffffff,
        .height = get(f, 0x122c) & 0x1ffff,
        .layers = size >> 16 & 1 ? 1 : ET_MAX(size & 0xffff, 1u),
        .array_pitch = (uint64_t)get(f, 0xff0) << 2,
        .layer = get(f, 0x179c) & 0xffff,
        .block_height_log2 = (uint8_t)et_bits(block, 7, 4),
        .block_depth_log2 = (uint8_t)et_bits(block, 11, 8),
        .turing_gob = f->ampere,
    };
}

static struct et_rectangle origin_size(uint32_t horizontal, uint32_t vertical)
{
    const int32_t x = (int32_t)et_bits(horizontal, 15, 0), y = (int32_t)et_bits(vertical, 15, 0);
    return (struct et_rectangle){x, y, x + (int32_t)et_bits(horizontal, 31, 16),
                                 y + (int32_t)et_bits(vertical, 31, 16)};
}

static struct et_rectangle min_max(uint32_t horizontal, uint32_t vertical)
{
    return (struct et_rectangle){(int32_t)et_bits(horizontal, 15, 0), (int32_t)et_bits(vertical, 15, 0),
                                 (int32_t)et_bits(horizontal, 31, 16), (int32_t)et_bits(vertical, 31, 16)};
}

static void fill_targets(const struct fill *f)
{
    struct et_output_state *output = &f->draw->raster.output;
    const uint32_t select = get(f, 0x121c);
    for (unsigned i = 0; i < ET_TARGETS; i++) {
        fill_color_target(f, i, &output->color[i]);
        output->color_select[i] = (uint8_t)et_bits(select, 6 + 3 * i, 4 + 3 * i);
    }
    output->color_count = (uint8_t)et_bits(select, 3, 0);
    fill_depth_target(f, &output->depth);
    output->depth_enable = flag(f, 0x1538);
    f->draw->raster.surface_clip = origin_size(get(f, 0xff4), get(f, 0xff8));
}

static void fill_viewports(const struct fill *f)
{
    struct et_raster_state *raster = &f->draw->raster;
    const uint32_t clip_op = get(f, 0x1940);
    for (unsigned i = 0; i < ET_VIEWPORTS; i++) {
        struct et_viewport *viewport = &raster->viewport[i];
        const uint32_t base = 0xa00 + 32 * i, clip = 0xc00 + 16 * i, swizzle = get(f, base + 0x18);
        for (unsigned c = 0; c < 3; c++) {
            viewport->scale[c] = et_register_float(f->r, base + 4 * c);
            viewport->offset[c] = et_register_float(f->r, base + 12 + 4 * c);
        }
        for (unsigned c = 0; c < 4; c++)
            viewport->swizzle[c] = (uint8_t)et_bits(swizzle, 4 * c + 2, 4 * c);
        viewport->snap_bits_x = (uint8_t)et_bits(get(f, base + 0x1c), 4, 0);
        viewport->snap_bits_y = (uint8_t)et_bits(get(f, base + 0x1c), 12, 8);
        viewport->clip = origin_size(get(f, clip), get(f, clip + 4));
        viewport->min_z = et_register_float(f->r, clip + 8);
        viewport->max_z = et_register_float(f->r, clip + 12);
    }
    raster->viewport_transform = flag(f, 0x192c);
    raster->pixel_at_integer = flag(f, 0x1924);
    raster->clip_zero_to_one = flag(f, 0xd7c);
    raster->clip_control = get(f, 0x193c);
    raster->depth_stencil.clamp_min = raster->clip_control >> 3 & 1;
    raster->depth_stencil.clamp_max = raster->clip_control >> 4 & 1;
    raster->user_clip_enable = (uint8_t)get(f, 0x1510);
    raster->user_clip_cull = 0;
    for (unsigned i = 0; i < 8; i++)
        raster->user_clip_cull |= (uint8_t)((clip_op >> 4 * i & 1) << i);
}

static void fill_scissors(const struct fill *f)
{
    struct et_raster_state *raster = &f->draw->raster;
    for (unsigned i = 0; i < ET_VIEWPORTS; i++)
        raster->scissor[i] = (struct et_scissor){flag(f, 0xe00 + 16 * i),
                                                 min_max(get(f, 0xe04 + 16 * i), get(f, 0xe08 + 16 * i))};
    for (unsigned i = 0; i < ET_WINDOW_CLIPS; i++)
        raster->window_clip[i] = min_max(get(f, 0xd00 + 8 * i), get(f, 0xd04 + 8 * i));
    raster->window_clip_enable = flag(f, 0x194c);
    raster->window_clip_type = get(f, 0x1950);
    raster->window_offset_x = (int32_t)et_sign_extend(get(f, 0xdf8), 17);
    raster->window_offset_y = (int32_t)et_sign_extend(get(f, 0xdfc), 18);
}

/* Conservative raster as Ampere's register has it. Maxwell keeps it, and Ampere its modes named PRI, in a
 * privileged register: bits 24:23 the bloat in quarters of a pixel, bit 25 after snapping; Maxwell knows no
 * other. [DRV: nvc0, NVK; INF: the bits that stand for PRI] */
static uint32_t conservative_control(const struct fill *f)
{
    const uint32_t privileged = f->threed->privileged_raster, before = !(privileged >> 25 & 1);
    uint32_t control = get(f, 0x230);
    if (!f->ampere)
        return privileged >> 23 & 3;
    if ((control & 15) == 4)
        control = (control & ~15u) | (privileged >> 23 & 3);
    if (et_bits(control, 10, 8) == 2)
        control = (control & ~0x700u) | before << 8;
    if (et_bits(control, 14, 12) == 2)
        control = (control & ~0x7000u) | before << 12;
    return control;
}

static void fill_polygons(const struct fill *f)
{
    struct et_raster_state *raster = &f->draw->raster;
    const uint32_t origin = get(f, 0x13ac), shade = get(f, 0x12d4), layer = get(f, 0x15cc);
    raster->enable = flag(f, 0x37c);
    raster->cull_enable = flag(f, 0x1918);
    raster->front_face = get(f, 0x191c);
    raster->cull_face = get(f, 0x1920);
    raster->origin_lower_left = origin & 1;
    raster->flip_y = origin >> 4 & 1;
    raster->front_mode = get(f, 0xdac);
    raster->back_mode = get(f, 0xdb0);
    raster->edges_hidden = !flag(f, 0x15e4);
    raster->provoking_last = flag(f, 0x1684);
    raster->flat_shade = shade == 1 || shade == 0x1d00;
    raster->color_clamp = flag(f, 0x2600);
    raster->two_sided_light = flag(f, 0x1688);
    raster->bias_point = flag(f, 0xdc0);
    raster->bias_line = flag(f, 0xdc4);
    raster->bias_fill = flag(f, 0xdc8);
    raster->bias_format_dependent = flag(f, 0x1110);
    raster->bias_constant = et_register_float(f->r, 0x15bc);
    raster->bias_slope = et_register_float(f->r, 0x156c);
    raster->bias_clamp = et_register_float(f->r, 0x187c);
    raster->polygon_smooth = flag(f, 0xdb4);
    raster->polygon_stipple = flag(f, 0x168c);
    for (unsigned i = 0; i < 32; i++)
        raster->polygon_stipple_pattern[i] = get(f, 0x1700 + 4 * i);
    raster->conservative = flag(f, 0x1148);
    raster->conservative_control = conservative_control(f);
    raster->fill_via_triangle = get(f, 0x113c);
    raster->layer_from_shader = layer >> 16 & 1;
    raster->layer = (uint16_t)layer;
    raster->layer_by_viewport = flag(f, 0x11f0);
    f->draw->raster_stream = get(f, 0x740) & 3;
}

static void fill_rates(const struct fill *f)
{
    struct et_shading_rates *rates = &f->draw->raster.rates;
    const uint32_t select = get(f, 0x2cc), size = get(f, 0x12b0), block = get(f, 0x12c0);
    *rates = (struct et_shading_rates){0};
    if (!f->ampere)
        return;
    for (unsigned i = 0; i < 16; i++) {
        rates->enable[i] = flag(f, 0x2a00 + 16 * i);
        for (unsigned n = 0; n < 16; n++)
            rates->rate[i][n] = get(f, 0x2a04 + 16 * i + 4 * (n / 8)) >> 4 * (n % 8) & 15;
    }
    for (unsigned i = 0; i < ET_COUNT(rates->sample_order); i++)
        rates->sample_order[i] = get(f, 0x280 + 4 * i);
    rates->source = (uint8_t)et_bits(select, 1, 0);
    rates->constant = (uint8_t)et_bits(select, 7, 4);
    rates->index_width = et_bits(size, 11, 0);
    rates->index = (struct et_target){.address = address(f, 0x12a8),
                                      .width = get(f, 0x12c4) & 0xfff,
                                      .height = et_bits(size, 27, 16),
                                      .layers = get(f, 0x12b4) & 0xfff,
                                      .layer = get(f, 0x12b8) & 0xffff,
                                      .array_pitch = (uint64_t)get(f, 0x12bc) << 2,
                                      .block_height_log2 = (uint8_t)et_bits(block, 7, 4),
                                      .block_depth_log2 = (uint8_t)et_bits(block, 11, 8),
                                      .turing_gob = true};
}

static void fill_lines_points(const struct fill *f)
{
    struct et_raster_state *raster = &f->draw->raster;
    raster->line_width = et_register_float(f->r, 0x13b0);
    raster->aliased_line_width = et_register_float(f->r, 0x13b4);
    raster->aliased_line_width_enable = flag(f, 0x20c);
    raster->line_antialiased = flag(f, 0x1570);
    raster->line_stipple = flag(f, 0x166c);
    raster->line_stipple_factor = (uint8_t)et_bits(get(f, 0x1680), 7, 0);
    raster->line_stipple_pattern = (uint16_t)et_bits(get(f, 0x1680), 23, 8);
    raster->line_multisample_override = flag(f, 0x1418);
    raster->point_size = et_register_float(f->r, 0x1518);
    raster->point_size_attribute = flag(f, 0x1910);
    raster->point_sprite = flag(f, 0x1520);
    raster->point_sprite_select = get(f, 0x1604);
    raster->point_antialiased = flag(f, 0x1658);
}

static void fill_samples(const struct fill *f)
{
    struct et_sample_state *sample = &f->draw->raster.sample;
    const uint32_t alpha = get(f, 0x153c), hybrid = get(f, 0x754), usage = get(f, 0x300);
    /* Alpha makes coverage with antialiasing alone, unless SET_ALPHA_TO_COVERAGE_OVERRIDE lets it without;
     * nvc0's blits rely on it. [DOC; INF for alpha to one] */
    const bool antialiased = flag(f, 0x1534), qualified = antialiased || !flag(f, 0x16b4);
    *sample = (struct et_sample_state){
        .mode = get(f, 0x15d0) & 15,
        .enable = antialiased,
        .alpha_to_coverage = alpha & 1 && qualified,
        .alpha_to_one = alpha >> 4 & 1 && antialiased,
        .alpha_to_coverage_dither = (get(f, 0x12e0) & 15) == 1,
        .passes = (uint8_t)(et_bits(hybrid, 3, 0) | (hybrid >> 5 & 1) << 4),
        .centroid_per_pass = hybrid >> 4 & 1,
        .raster_mode = get(f, 0xfb8) & 7,
        .target_independent = (get(f, 0xfb4) & 3) == 1,
        .mask_output = usage & 1 && (antialiased || !(usage >> 1 & 1)),
    };
    for (unsigned i = 0; i < 4; i++) {
        et_store32(&sample->location[4 * i], get(f, 0x11e0 + 4 * i));
        sample->mask[i] = (uint16_t)get(f, 0xfbc + 4 * i);
    }
}

static void fill_depth_stencil(const struct fill *f)
{
    struct et_depth_stencil *state = &f->draw->raster.depth_stencil;
    state->depth_test = flag(f, 0x12cc);
    state->depth_write = flag(f, 0x12e8);
    state->depth_function = get(f, 0x130c);
    state->bounds_test = flag(f, 0x19bc);
    state->bounds_min = et_register_float(f->r, 0xf9c);
    state->bounds_max = et_register_float(f->r, 0xfa0);
    state->stencil_test = flag(f, 0x1380);
    state->two_sided = flag(f, 0x1594);
    state->front = (struct et_stencil_face){
        get(f, 0x1384),          get(f, 0x1388),          get(f, 0x138c),         get(f, 0x1390),
        (uint8_t)get(f, 0x1394), (uint8_t)get(f, 0x1398), (uint8_t)get(f, 0x139c)};
    state->back = (struct et_stencil_face){
        get(f, 0x1598),         get(f, 0x159c),         get(f, 0x15a0),        get(f, 0x15a4),
        (uint8_t)get(f, 0xf54), (uint8_t)get(f, 0xf5c), (uint8_t)get(f, 0xf58)};
    /* SET_ZT_READ_ONLY: depth 0, stencil 4. */
    state->depth_write = state->depth_write && !(get(f, 0x7f8) & 1);
    if (get(f, 0x7f8) >> 4 & 1)
        state->front.write_mask = state->back.write_mask = 0;
    state->early = flag(f, 0x210);
    state->post_z_imask = flag(f, 0xf1c);
}

/* Components R 0, G 4, B 8, A 12 of SET_CT_WRITE. */
static uint8_t write_mask(uint32_t word)
{
    return (uint8_t)((word & 1) | (word >> 4 & 1) << 1 | (word >> 8 & 1) << 2 | (word >> 12 & 1) << 3);
}

static void fill_blend(const struct fill *f)
{
    struct et_output_state *output = &f->draw->raster.output;
    const bool per_target = flag(f, 0x12e4), single_write = flag(f, 0xf90);
    for (unsigned i = 0; i < ET_TARGETS; i++) {
        const uint32_t base = 0x1e00 + 32 * i, write = get(f, 0x1a00 + (single_write ? 0 : 4 * i));
        struct et_blend_target *blend = &output->blend[i];
        if (per_target)
            *blend = (struct et_blend_target){false,
                                              flag(f, base),
                                              get(f, base + 0x04),
                                              get(f, base + 0x08),
                                              get(f, base + 0x0c),
                                              get(f, base + 0x10),
                                              get(f, base + 0x14),
                                              get(f, base + 0x18),
                                              0};
        else
            *blend = (struct et_blend_target){false,          flag(f, 0x133c), get(f, 0x1340),
                                              get(f, 0x1344), get(f, 0x1348),  get(f, 0x134c),
                                              get(f, 0x1350), get(f, 0x1358),  0};
        blend->enable = flag(f, 0x1360 + 4 * i);
        blend->write_mask = write_mask(write);
        output->blend_constant[i & 3] = et_register_float(f->r, 0x131c + 4 * (i & 3));
    }
    output->logic_op = flag(f, 0x19c4);
    output->logic_function = get(f, 0x19c8);
    output->srgb_write = flag(f, 0x15b8);
    output->alpha_test = flag(f, 0x12ec);
    output->alpha_reference = et_register_float(f->r, 0x1310);
    output->alpha_function = get(f, 0x1314);
    output->zero_times_anything = flag(f, 0x19c0);
    output->saturate = get(f, 0x13a8);
}

static void fill_streams(const struct fill *f)
{
    const uint64_t base = address(f, 0x15f4);
    for (unsigned i = 0; i < ET_STREAMS; i++) {
        const uint32_t bank = i < 16 ? 0 : 1, n = i & 15, at = 0x1c00 + 0x100 * bank + 16 * n;
        const uint32_t format = get(f, at), instance = 0x1880 + 0x40 * bank + 4 * n;
        struct et_vertex_stream *stream = &f->draw->stream[i];
        *stream = (struct et_vertex_stream){.enable = format >> 12 & 1,
                                            .address = base + address(f, at + 4),
                                            .stride = format & 0xfff,
                                            .per_instance = flag(f, instance),
                                            .divisor = get(f, at + 12)};
        /* Maxwell gives the last byte, Ampere the size. An inclusive limit below the start is an empty
         * stream. */
        if (f->ampere)
            stream->limit = stream->address + address(f, 0x600 + 8 * i);
        else
            stream->limit = base + address(f, 0x1f00 + 0x80 * bank + 8 * n) + 1;
    }
    for (unsigned i = 0; i < ET_ATTRIBUTES; i++)
        f->draw->attribute[i] = get(f, 0x1160 + 4 * i);
    f->draw->attribute_default = get(f, 0x1610);
    f->draw->vertex_id_copy = get(f, 0x161c);
}

static void fill_assembly(const struct fill *f)
{
    struct et_draw *draw = f->draw;
    draw->index_address = address(f, 0x17c8);
    draw->index_limit = f->ampere ? draw->index_address + address(f, 0x238) : address(f, 0x17d0) + 1;
    draw->index_size = get(f, 0x17d8) & 3;
    draw->restart_index = get(f, 0x1648);
    draw->vertex_id_base = get(f, 0x1118);
    draw->vertex_id_from_array_start = get(f, 0x164c) >> 12 & 1;
    draw->patch_vertices = get(f, 0xdcc) & 0xff;
    draw->tessellation.parameters = get(f, 0x320);
    for (unsigned i = 0; i < 4; i++)
        draw->tessellation.outer[i] = et_register_float(f->r, 0x324 + 4 * i);
    for (unsigned i = 0; i < 2; i++)
        draw->tessellation.inner[i] = et_register_float(f->r, 0x334 + 4 * i);
    draw->local_window = get(f, 0x77c);
    draw->shared_window = 0;
    draw->window_bytes = UINT64_C(1) << 24;
}

static void fill_feedback(const struct fill *f)
{
    f->draw->xfb_enable = flag(f, 0x744);
    for (unsigned b = 0; b < ET_XFB_BUFFERS; b++) {
        struct et_xfb_buffer *buffer = &f->draw->xfb[b];
        *buffer = (struct et_xfb_buffer){.enable = flag(f, 0x380 + 32 * b),
                                         .address = address(f, 0x384 + 32 * b),
                                         .size = get(f, 0x38c + 32 * b),
                                         .stream = get(f, 0x700 + 16 * b) & 3,
                                         .components = get(f, 0x704 + 16 * b) & 0xff,
                                         .stride = get(f, 0x708 + 16 * b)};
        for (unsigned j = 0; j < 32; j++)
            et_store32(&buffer->layout[4 * j], get(f, 0x2800 + 128 * b + 4 * j));
    }
}

static void fill_pools(const struct fill *f)
{
    et_engine_pools(&f->threed->engine, flag(f, 0x1234), &f->draw->pools);
    f->draw->bindless_bank = f->ampere ? -1 : (int)(get(f, 0x2608) & 31);
}

static void fill_stages(const struct fill *f)
{
    for (unsigned s = 0; s < ET_STAGES; s++) {
        struct et_draw_stage *stage = &f->draw->stage[s];
        const uint32_t base = 0x2000 + 64 * s, group = get(f, base + 0x10) & 7;
        stage->enable = flag(f, base);
        stage->region = f->ampere ? 0 : address(f, 0x1608);
        stage->program = f->ampere ? address(f, base + 0x14) : address(f, 0x1608) + get(f, base + 0x04);
        if (group < ET_BIND_GROUPS)
            memcpy(stage->bank, f->threed->bank[group], sizeof stage->bank);
        else
            memset(stage->bank, 0, sizeof stage->bank);
    }
}

#define BLOCK(offset)       (UINT32_C(1) << ((offset) >> 9))
#define BLOCKS(first, last) (BLOCK(last) * 2 - BLOCK(first))

/* The register blocks that each group reads. */
static const struct {
    void (*fill)(const struct fill *);
    uint32_t blocks;
} groups[] = {
    {fill_targets, BLOCK(0x800) | BLOCK(0xfe0) | BLOCKS(0x121c, 0x1230) | BLOCK(0x1538) | BLOCK(0x179c)},
    {fill_viewports, BLOCKS(0xa00, 0xd7c) | BLOCK(0x1510) | BLOCKS(0x1924, 0x1940)},
    {fill_scissors, BLOCKS(0xd00, 0xef8) | BLOCK(0x194c)},
    {fill_polygons, BLOCK(0x230) | BLOCK(0x37c) | BLOCK(0x740) | BLOCKS(0xdac, 0xdc8) |
                        BLOCKS(0x1110, 0x11f0) | BLOCK(0x12d4) | BLOCK(0x13ac) | BLOCKS(0x156c, 0x15e4) |
                        BLOCKS(0x1684, 0x1780) | BLOCK(0x187c) | BLOCK(0x1918) | BLOCK(0x2600)},
    {fill_rates, BLOCK(0x2cc) | BLOCK(0x12a8) | BLOCK(0x2a00)},
    {fill_lines_points, BLOCK(0x20c) | BLOCK(0x13b0) | BLOCK(0x1418) | BLOCKS(0x1518, 0x1570) |
                            BLOCKS(0x1604, 0x1680) | BLOCK(0x1910)},
    {fill_samples, BLOCK(0x300) | BLOCK(0x754) | BLOCK(0xfb4) | BLOCK(0x11e0) | BLOCK(0x12e0) |
                       BLOCKS(0x1534, 0x15d0) | BLOCK(0x16b4)},
    {fill_depth_stencil, BLOCK(0x210) | BLOCK(0x7f8) | BLOCKS(0xf1c, 0xfa0) | BLOCKS(0x12cc, 0x139c) |
                             BLOCKS(0x1594, 0x15a4) | BLOCK(0x19bc)},
    {fill_blend,
     BLOCK(0xf90) | BLOCKS(0x12e4, 0x13a8) | BLOCK(0x15b8) | BLOCK(0x19c0) | BLOCK(0x1a00) | BLOCK(0x1e00)},
    {fill_streams,
     BLOCK(0x600) | BLOCKS(0x1160, 0x11dc) | BLOCKS(0x15f4, 0x161c) | BLOCK(0x1880) | BLOCKS(0x1c00, 0x1ffc)},
    {fill_assembly, BLOCK(0x238) | BLOCKS(0x320, 0x338) | BLOCK(0x77c) | BLOCK(0xdcc) | BLOCK(0x1118) |
                        BLOCKS(0x1648, 0x17d8)},
    {fill_feedback, BLOCKS(0x380, 0x3f4) | BLOCKS(0x700, 0x744) | BLOCK(0x2800)},
    {fill_pools, BLOCK(0x1234) | BLOCKS(0x155c, 0x157c) | BLOCK(0xf10) | BLOCK(0x2608)},
    {fill_stages, BLOCK(0x1608) | BLOCK(0x2000)},
};

void et_threed_fill(struct et_threed *threed, bool all)
{
    struct et_registers *registers = &threed->engine.registers;
    const struct fill fill = {.r = registers,
                              .threed = threed,
                              .draw = &threed->draw,
                              .ampere = threed->engine.klass->number == 0xc797};
    uint32_t dirty = all || !threed->filled ? ~0u : registers->dirty;
    if (threed->banks_dirty)
        dirty |= BLOCK(0x2000);
    if (threed->privileged_raster != threed->engine.environment->privileged_raster)
        dirty |= BLOCK(0x1148);
    threed->privileged_raster = threed->engine.environment->privileged_raster;
    for (unsigned g = 0; g < ET_COUNT(groups); g++)
        if (groups[g].blocks & dirty)
            groups[g].fill(&fill);
    registers->dirty = 0;
    threed->banks_dirty = false;
    threed->filled = true;
}

static void intersect(struct et_rectangle *rectangle, struct et_rectangle other)
{
    rectangle->x0 = ET_MAX(rectangle->x0, other.x0);
    rectangle->y0 = ET_MAX(rectangle->y0, other.y0);
    rectangle->x1 = ET_MIN(rectangle->x1, other.x1);
    rectangle->y1 = ET_MIN(rectangle->y1, other.y1);
}

void et_threed_fill_clear(struct et_threed *threed, uint32_t surface, struct et_clear *clear)
{
    et_threed_fill(threed, false);
    const struct et_registers *registers = &threed->engine.registers;
    const struct et_raster_state *raster = &threed->draw.raster;
    const uint32_t control = et_register(registers, 0x10f8), target = et_bits(surface, 9, 6);
    *clear = (struct et_clear){
        .map = threed->engine.environment->view.map,
        .event = threed->engine.environment->view.event,
        .surface = surface,
        .depth = raster->output.depth,
        .depth_enable = raster->output.depth_enable,
        .depth_value = et_register_float(registers, 0xd90),
        .stencil_value = (uint8_t)et_register(registers, 0xda0),
        .stencil_mask = control & 1 ? raster->depth_stencil.front.write_mask : 0xff,
        .sample_mode = raster->sample.mode,
        .srgb_write = raster->output.srgb_write,
        .rectangle = raster->surface_clip,
    };
    if (target < ET_TARGETS)
        clear->color = raster->output.color[target];
    for (unsigned i = 0; i < 4; i++)
        clear->color_value[i] = et_register(registers, 0xd80 + 4 * i);
    if (control >> 4 & 1)
        intersect(&clear->rectangle, min_max(et_register(registers, 0xd6c), et_register(registers, 0xd70)));
    if (control >> 8 & 1 && raster->scissor[0].enable)
        intersect(&clear->rectangle, raster->scissor[0].rectangle);
    if (control >> 12 & 1)
        intersect(&clear->rectangle, raster->viewport[0].clip);
}

#include "engine/tables/reset.inc"

enum etalon_status et_threed_reset(struct et_engine *engine, struct etalon_error *error)
{
    for (unsigned r = 0; r < ET_COUNT(reset); r++)
        for (unsigned i = 0; i < reset[r].count; i++) {
            const uint32_t offset = reset[r].offset + i * reset[r].stride;
            if (engine->index[offset >> 2] && !et_register_set(&engine->registers, offset, reset[r].value))
                return et_fail(error, ETALON_NO_MEMORY, "no memory for registers");
        }
    return ETALON_OK;
}
