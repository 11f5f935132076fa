/* Attributes, interpolation, emission, textures and images. */
#include "isa/interp/ops.h"

#include <string.h>

/* ---- vertex, tessellation and geometry */
/* Word 0 of an input, whose words are `step` apart; NULL: there is none. */
static const uint32_t *input_words(const struct et_vtg_io *io, uint32_t index, uint32_t *step)
{
    *step = io->columns ? io->column_step : 1;
    return index >= io->inputs ? NULL : io->columns ? io->columns + index : io->input[index].word;
}

/* Whether a lane's record is its own. A geometry program names its outputs by the handle that OUT gave, not
 * by a vertex; a control program stores to its own vertex alone, whatever the operand holds. */
static bool is_own(const struct warp *w, const struct insn *i, bool store)
{
    const enum et_stage stage = w->launch->stage;
    return stage == ET_STAGE_GEOMETRY || (store && stage == ET_STAGE_TESS_CONTROL) ||
           i->ir->src[1].kind == ET_SRC_NONE ||
           (i->ir->src[1].kind == ET_SRC_REG && i->ir->src[1].value == ET_R_RZ);
}

static struct et_vertex_record *record_of(const struct warp *w, const struct insn *i, uint32_t lane,
                                          uint32_t vertex, bool store)
{
    struct et_vtg_io *io = w->io->vtg;
    uint32_t index;
    if (i->flags & ET_F_PATCH)
        return io->patch_index[lane] < io->patches ? &io->patch[io->patch_index[lane]] : NULL;
    index = is_own(w, i, store) ? io->out_record[lane] : vertex;
    return index < io->outputs ? &io->output[index] : NULL;
}

const struct insn *et_op_ald(struct warp *w, const struct insn *i)
{
    HEAD;
    const struct et_vtg_io *io = w->io ? w->io->vtg : NULL;
    const unsigned words = et_ir_dst_words(i->ir, 0);
    const bool own = i->ir->src[1].kind == ET_SRC_NONE ||
                     (i->ir->src[1].kind == ET_SRC_REG && i->ir->src[1].value == ET_R_RZ);
    const bool by_primitive = w->launch->stage != ET_STAGE_VERTEX && !(i->flags & (ET_F_OUTPUT | ET_F_PATCH));
    if (!io)
        return et_warp_fail(w, i, -1, ETALON_ILLEGAL_INSTRUCTION, "ALD outside a vertex stage");
    FOR_LANES(l, mask)
    {
        const uint32_t *from;
        const uint32_t address = a[l] + i->imm, vertex = b[l];
        uint32_t value[4] = {0}, step = 1;
        if (i->flags & (ET_F_OUTPUT | ET_F_PATCH)) {
            const struct et_vertex_record *record = record_of(w, i, l, vertex, false);
            from = record ? record->word : NULL;
        } else {
            from = input_words(io, !own ? vertex : io->columns ? l : io->in_record[l], &step);
        }
        for (unsigned n = 0; from && n < words; n++) {
            const uint32_t word = address / 4 + n;
            if (word < ET_ATTRIBUTE_WORDS)
                value[n] = from[word * step];
        }
        if (address == 0x60 && by_primitive) /* the primitive's own id, whatever its vertices hold */
            value[0] = io->primitive_id[l];
        for (unsigned n = 0; n < words; n++)
            d[n * w->step + l] = value[n];
    }
    return i + 1;
}

const struct insn *et_op_ast(struct warp *w, const struct insn *i)
{
    const uint32_t mask = lanes_of(w, i);
    const uint32_t *a = source(w, i->a), *b = source(w, i->b), *c = source(w, i->c);
    const unsigned words = et_ir_src_words(i->ir, 2);
    if (!w->io || !w->io->vtg)
        return et_warp_fail(w, i, -1, ETALON_ILLEGAL_INSTRUCTION, "AST outside a vertex stage");
    const struct et_vtg_io *io = w->io->vtg;
    if ((i->ir->src[0].kind == ET_SRC_NONE ||
         (i->ir->src[0].kind == ET_SRC_REG && i->ir->src[0].value == ET_R_RZ)) &&
        is_own(w, i, true) && !(i->flags & ET_F_PATCH) &&
        i->imm / 4 + words <= ET_ATTRIBUTE_WORDS) { /* the lanes' own records, one place */
        FOR_LANES(l, mask)
        {
            uint32_t *const to = io->output[io->out_record[l]].word + i->imm / 4;
            for (unsigned n = 0; n < words && io->out_record[l] < io->outputs; n++)
                to[n] = c[n * w->step + l];
        }
        return i + 1;
    }
    FOR_LANES(l, mask)
    {
        struct et_vertex_record *record = record_of(w, i, l, b[l], true);
        for (unsigned n = 0; record && n < words; n++) {
            const uint32_t word = (a[l] + i->imm) / 4 + n;
            if (word < ET_ATTRIBUTE_WORDS)
                record->word[word] = c[n * w->step + l];
        }
    }
    return i + 1;
}

const struct insn *et_op_al2p(struct warp *w, const struct insn *i)
{
    HEAD;
    FOR_LANES(l, mask)
    {
        d[l] = a[l] + i->imm;
    }
    set_predicate(w, i->q0, mask, ~0u);
    return i + 1;
}

const struct insn *et_op_isberd(struct warp *w, const struct insn *i)
{
    HEAD;
    const struct et_vtg_io *io = w->io ? w->io->vtg : NULL;
    if (!io)
        return et_warp_fail(w, i, -1, ETALON_ILLEGAL_INSTRUCTION, "ISBERD outside a vertex stage");
    FOR_LANES(l, mask)
    {
        const uint32_t n = a[l] + i->imm;
        d[l] = io->in_table && n < io->table_stride ? io->in_table[l * io->table_stride + n] : 0;
    }
    return i + 1;
}

const struct insn *et_op_out(struct warp *w, const struct insn *i)
{
    HEAD;
    struct et_vtg_io *io = w->io ? w->io->vtg : NULL;
    if (!io)
        return et_warp_fail(w, i, -1, ETALON_ILLEGAL_INSTRUCTION, "OUT outside a geometry stage");
    FOR_LANES(l, mask)
    {
        uint32_t *count = &io->emit_count[l];
        if (i->fn & ET_OUT_EMIT) {
            if (*count < io->emit_capacity && io->out_record[l] < io->outputs) {
                const size_t at = (size_t)l * io->emit_capacity + *count;
                io->emitted[at] = io->output[io->out_record[l]];
                if (io->emit_stream)
                    io->emit_stream[at] = (uint8_t)(b[l] & 3);
                ++*count;
            }
        }
        if (i->fn & ET_OUT_CUT && io->emit_stream) /* ends the strip of this stream's last vertex */
            for (uint32_t n = *count; n--;) {
                uint8_t *stream = &io->emit_stream[(size_t)l * io->emit_capacity + n];
                if ((*stream & 3) == (b[l] & 3)) {
                    *stream |= 0x80;
                    break;
                }
            }
        d[l] = a[l];
    }
    return i + 1;
}

/* ---- fragments */
/* Other rooms' arithmetic runs in the default FP mode, whatever the program's last op wanted. */
static uint8_t default_mode(struct warp *w)
{
    const uint8_t mode = w->mode;
    set_mode(w, ET_RN);
    return mode;
}

static void back_to_mode(struct warp *w, uint8_t mode)
{
    if (mode != MODE_NONE)
        set_mode(w, mode);
}

/* Samples that a lane of the quad stands for. */
static uint32_t all_samples(const struct et_fragment_io *io, unsigned quad)
{
    const unsigned count = (unsigned)io->samples << ((io->rate[quad] & 15) + (io->rate[quad] >> 4));
    return count < 16 ? (1u << count) - 1 : 0xffff;
}

/* The sample that a lane's run is of, where a pixel has several: the first that is covered of the run's.
 * [HW:H200] */
static unsigned sample_of_run(const struct et_fragment_io *io, unsigned lane)
{
    const uint32_t covered = et_lane_coverage(io, lane) & ((1u << io->samples) - 1);
    return covered ? (unsigned)__builtin_ctz(covered) : io->sample[lane / 4];
}

/* A place moved by 12 bits of 1/4096 pixel. It stays in its pixel, of a coarse fragment the one to the right
 * of its middle, or below: there negative offsets come in from the other side. [HW:H200] */
static int32_t within_pixel(int32_t at, uint32_t offset)
{
    return (at & ~255) + ((at + (int32_t)(offset >> 4 & 0xff)) & 255);
}

/* A quad's positions in 1/256 pixel: the centre, in each run of several too; an offset from it; or the
 * centroid: a run's sample, or that of all that is covered. [HW:H200; DRV: all drivers ask for centroids in
 * runs a sample] */
static void positions(const struct et_fragment_io *io, unsigned at, unsigned quad, const uint32_t *offset,
                      int32_t *x, int32_t *y)
{
    for (unsigned n = 0; n < 4; n++) {
        const unsigned lane = quad * 4 + n;
        const uint32_t all = all_samples(io, quad), covered = et_lane_coverage(io, lane) & all;
        const unsigned across = io->rate[quad] & 15, down = io->rate[quad] >> 4;
        x[n] = (et_quad_x(io, quad) + (int32_t)((n & 1) << across)) * 256 + (128 << across);
        y[n] = (et_quad_y(io, quad) + (int32_t)((n >> 1) << down)) * 256 + (128 << down);
        if (at == ET_IPA_OFFSET) { /* twelve bits each, signed, in 1/4096 pixel, x low: nvc0's table
                                             of samples has other bits above them [DRV] */
            x[n] = within_pixel(x[n], offset[lane]);
            y[n] = within_pixel(y[n], offset[lane] >> 16);
        } else if (io->position && at == ET_IPA_CENTROID) {
            int sample = -1;
            if (io->passes > 1 && io->centroid_per_pass)
                sample = (int)sample_of_run(io, lane);
            else if (covered && covered != all)
                sample = __builtin_ctz(covered);
            if (sample >= 0 && io->rate[quad])
                sample = io->mask_sample[ET_FRAGMENT_SIZE(io->rate[quad])][sample];
            if (sample >= 0) { /* of a pixel of those that the lane stands for */
                const int pixel = sample / io->samples, px = pixel & ((1 << across) - 1),
                          py = pixel >> across;
                const unsigned place =
                    io->rate[quad] ? (unsigned)(et_quad_y(io, quad) + ((int)(n >> 1) << down) + py) % 2 * 2 +
                                         (unsigned)(et_quad_x(io, quad) + ((int)(n & 1) << across) + px) % 2
                                   : n;
                x[n] += px * 256 + io->position[place][sample % io->samples][0] * 16 - (128 << across);
                y[n] += py * 256 + io->position[place][sample % io->samples][1] * 16 - (128 << down);
            }
        }
    }
}

static uint32_t special_attribute(const struct et_primitive *primitive, uint32_t word, int32_t x, int32_t y,
                                  bool *known)
{
    *known = true;
    switch (word) {
    case 0x60 / 4:
        return primitive->primitive_id;
    case 0x64 / 4:
        return primitive->layer;
    case 0x68 / 4:
        return primitive->viewport;
    case 0x70 / 4:
        return et_float_bits((float)x / 256);
    case 0x74 / 4:
        return et_float_bits((float)y / 256);
    case 0x3fc / 4:
        return primitive->front ? ~0u : 0;
    default:
        *known = false;
        return 0;
    }
}

/* One quad's values of attribute word `word`. */
static void interpolate(const struct warp *w, uint32_t word, unsigned quad, const int32_t *x,
                        const int32_t *y, bool flat, uint32_t out[4])
{
    const struct et_fragment_io *io = w->io->fragment;
    const struct et_primitive *primitive = et_quad_primitive(io, quad);
    const struct et_plane *plane = NULL;
    float value[4];
    for (unsigned n = 0; n < 4; n++) {
        bool known;
        out[n] = special_attribute(primitive, word, x[n], y[n], &known);
        if (!known)
            break;
        if (n == 3)
            return;
    }
    if (word == 0x78 / 4)
        plane = &primitive->z;
    else if (word == 0x7c / 4)
        plane = &primitive->w;
    else if (word < ET_ATTRIBUTE_WORDS && io->layout->flat[word] != 0xff &&
             (flat || io->layout->plane[word] == 0xff)) {
        for (unsigned n = 0; n < 4; n++)
            out[n] = primitive->flat[io->layout->flat[word]];
        return;
    } else if (word < ET_ATTRIBUTE_WORDS && io->layout->plane[word] != 0xff)
        plane = &primitive->planes[io->layout->plane[word]];
    if (!plane) {
        memset(out, 0, 4 * sizeof *out);
        return;
    }
    et_plane_evaluate_coarse(plane, 4, x, y, io->rate[quad] & 15, io->rate[quad] >> 4, value);
    for (unsigned n = 0; n < 4; n++)
        out[n] = et_float_bits(value[n]);
}

const struct insn *et_op_ipa(struct warp *w, const struct insn *i)
{
    HEAD;
    const struct et_fragment_io *io = w->io ? w->io->fragment : NULL;
    uint8_t mode;
    uint32_t undivided = 0;
    if (!io)
        return et_warp_fail(w, i, -1, ETALON_ILLEGAL_INSTRUCTION, "IPA outside a fragment stage");
    mode = default_mode(w);
    for (unsigned quad = 0; quad < 8; quad++) {
        const uint32_t lanes = mask >> (4 * quad) & 15;
        int32_t x[4], y[4];
        uint32_t value[4];
        if (!lanes || !et_quad_primitive(io, quad))
            continue;
        /* Indexed attributes may differ in each lane. */
        for (unsigned n = 0; n < 4; n++) {
            const unsigned lane = quad * 4 + n;
            const uint32_t word = (a[lane] + i->imm) / 4;
            uint32_t r;
            if (!(lanes >> n & 1))
                continue;
            if (n == 0 || i->ir->src[0].kind != ET_SRC_NONE || !(lanes & ((1u << n) - 1))) {
                positions(io, i->ir->fn2, quad, c, x, y);
                interpolate(w, word, quad, x, y, i->fn == ET_IPA_CONSTANT, value);
            }
            r = value[n];
            /* The product by 1/w is cut. [HW:H200] */
            if (i->fn == ET_IPA_MULTIPLY ||
                (i->fn == ET_IPA_SC && io->layout->perspective[word & (ET_ATTRIBUTE_WORDS - 1)]))
                r = (uint32_t)et_soft_mul(&et_format_f32, r, b[lane], ET_RZ, true);
            if (i->ir->sat)
                r = (uint32_t)et_soft_saturate(&et_format_f32, r);
            d[lane] = r;
            if (!io->layout->perspective[word & (ET_ATTRIBUTE_WORDS - 1)])
                undivided |= 1u << lane;
        }
    }
    back_to_mode(w, mode);
    if (i->fn == ET_IPA_STATE) /* [DRV: nvc0 multiplies by w where it is false] */
        set_predicate(w, i->q0, mask, undivided);
    return i + 1;
}

const struct insn *et_op_ldtram(struct warp *w, const struct insn *i)
{
    HEAD;
    const struct et_fragment_io *io = w->io ? w->io->fragment : NULL;
    const unsigned first = i->fn ? 2 : 0;
    if (!io)
        return et_warp_fail(w, i, -1, ETALON_ILLEGAL_INSTRUCTION, "LDTRAM outside a fragment stage");
    FOR_LANES(l, mask)
    {
        const struct et_primitive *const primitive = et_quad_primitive(io, l / 4);
        const uint32_t word = (a[l] + i->imm) / 4;
        const unsigned at = word < ET_ATTRIBUTE_WORDS ? io->layout->vertex[word] : 0;
        for (unsigned n = 0; n < 2; n++)
            d[n * ET_LANES + l] = primitive && at && first + n < 3 ? primitive->flat[at - 1 + first + n] : 0;
    }
    return i + 1;
}

const struct insn *et_op_pixld(struct warp *w, const struct insn *i)
{
    HEAD;
    const struct et_fragment_io *io = w->io ? w->io->fragment : NULL;
    if (!io)
        return et_warp_fail(w, i, -1, ETALON_ILLEGAL_INSTRUCTION, "PIXLD outside a fragment stage");
    FOR_LANES(l, mask)
    {
        const uint32_t index = a[l] + i->imm;
        uint32_t r = 0;
        switch (i->fn) {
        case ET_PIXLD_COUNT:
            r = io->samples;
            break;
        case ET_PIXLD_COVMASK:
            r = et_lane_coverage(io, l);
            break;
        case ET_PIXLD_COVERED:
            r = (et_lane_coverage(io, l) & all_samples(io, l / 4)) == all_samples(io, l / 4);
            break;
        case ET_PIXLD_OFFSET: /* a sample's place from the centre, signed 1/4096 pixel, as IPA takes it */
        case ET_PIXLD_CENT_OFFSET: {
            unsigned sample = index;
            if (i->fn == ET_PIXLD_CENT_OFFSET) {
                const uint32_t all = (1u << io->samples) - 1, covered = et_lane_coverage(io, l) & all;
                if (!covered || covered == all)
                    break;
                sample = (unsigned)__builtin_ctz(covered);
            }
            if (io->position && sample < io->samples)
                r = (uint32_t)(uint16_t)((io->position[l & 3][sample][0] - 8) * 256) |
                    (uint32_t)(uint16_t)((io->position[l & 3][sample][1] - 8) * 256) << 16;
            break;
        }
        case ET_PIXLD_MY_INDEX:
            r = io->passes > 1 ? sample_of_run(io, l) : 0;
            break;
        default:
            break;
        }
        d[l] = r;
    }
    set_predicate(w, i->q0, mask, ~0u);
    return i + 1;
}

/* Killed lanes run on as helpers, so that derivatives stay defined; they write nothing. */
const struct insn *et_op_kil(struct warp *w, const struct insn *i)
{
    w->killed |= lanes_of(w, i);
    return i + 1;
}

/* ---- textures */
static void copy_lanes(const struct warp *w, uint16_t slot, uint32_t *to)
{
    memcpy(to, source(w, slot), ET_LANES * sizeof *to);
}

static void tex_offsets(const struct warp *w, const struct tex_slots *s, bool bytes,
                        struct et_tex_lanes *lanes)
{
    if (s->has_offset) {
        const uint32_t *packed = source(w, s->offset);
        for (unsigned l = 0; l < ET_LANES; l++)
            for (unsigned n = 0; n < 3; n++)
                lanes->offset[0][n][l] = bytes ? (int8_t)(packed[l] >> (8 * n) & 255)
                                               : (int8_t)et_sign_extend(packed[l] >> (4 * n) & 15, 4);
    }
    if (s->has_offset4)
        for (unsigned l = 0; l < ET_LANES; l++)
            for (unsigned n = 0; n < 4; n++) {
                const uint32_t word = source(w, s->offset4[n / 2])[l] >> (16 * (n & 1));
                lanes->offset[n][0][l] = (int8_t)et_sign_extend(word & 0x3f, 6);
                lanes->offset[n][1][l] = (int8_t)et_sign_extend(word >> 8 & 0x3f, 6);
            }
}

static void write_results(struct warp *w, const struct tex_slots *s, const struct et_ir_tex *tex,
                          uint32_t mask, uint32_t out[4][ET_LANES])
{
    for (unsigned c = 0; c < 4; c++) {
        uint32_t *d = file(w, s->out[c]);
        if (tex->out[c] == ET_R_NONE)
            continue;
        if (mask == ~0u && !tex->out_half) {
            memcpy(d, out[c], ET_LANES * sizeof *d);
            continue;
        }
        FOR_LANES(l, mask)
        {
            if (tex->out_half)
                d[l] = (uint32_t)et_soft_convert(&et_format_f32, &et_format_f16, out[2 * (c & 1)][l], ET_RN,
                                                 false) |
                       (uint32_t)et_soft_convert(&et_format_f32, &et_format_f16, out[2 * (c & 1) + 1][l],
                                                 ET_RN, false)
                           << 16;
            else
                d[l] = out[c][l];
        }
    }
}

/* The next group of lanes with one descriptor: takes them from *left. */
static uint32_t same_handle(const uint32_t *handle, uint32_t *left)
{
    const uint32_t first = handle[__builtin_ctz(*left)];
    uint32_t same = 0;
    FOR_LANES(l, *left)
    {
        same |= (uint32_t)(handle[l] == first) << l;
    }
    *left &= ~same;
    return same;
}

static bool has_unit(struct warp *w, const struct insn *i)
{
    if (!w->context->unit)
        w->context->unit = et_tex_unit_create(&w->context->view);
    if (!w->context->unit)
        et_warp_fail(w, i, -1, ETALON_NO_MEMORY, "texture unit");
    return w->context->unit != NULL;
}

const struct insn *et_op_tex(struct warp *w, const struct insn *i)
{
    const struct et_ir_tex *tex = &w->program->ir.tex[i->ir->tex];
    const struct tex_slots *s = &w->program->tex[i->ir->tex];
    const uint32_t mask = lanes_of(w, i);
    struct et_tex_lanes lanes;
    uint32_t handle[ET_LANES], out[4][ET_LANES], resident = ~0u, left = mask;
    uint8_t mode;
    if (!mask)
        return i + 1;
    if (!has_unit(w, i))
        return NULL;
    memset(lanes.offset, 0, sizeof lanes.offset);
    copy_lanes(w, s->handle, handle);
    for (unsigned n = 0; n < 3; n++) {
        copy_lanes(w, s->coord[n], lanes.coord[n]);
        copy_lanes(w, s->ddx[n], lanes.ddx[n]);
        copy_lanes(w, s->ddy[n], lanes.ddy[n]);
    }
    copy_lanes(w, s->layer, lanes.layer);
    copy_lanes(w, s->lod, lanes.lod);
    copy_lanes(w, s->min_lod, lanes.min_lod);
    copy_lanes(w, s->compare, lanes.compare);
    copy_lanes(w, s->sample, lanes.sample);
    tex_offsets(w, s, tex->offset_bytes, &lanes);
    mode = default_mode(w);
    while (left) {
        const uint32_t number = handle[__builtin_ctz(left)], same = same_handle(handle, &left);
        uint32_t there = ~0u;
        const enum etalon_status status =
            et_tex_execute(w->context->unit, &w->launch->pools, number & 0xfffff, number >> 20, &tex->tex,
                           &lanes, same, out, &there, w->error);
        if (status != ETALON_OK) {
            return et_warp_fail(w, i, __builtin_ctz(same), status, "%s", etalon_status_name(status));
        }
        resident &= there | ~same;
    }
    back_to_mode(w, mode);
    write_results(w, s, tex, mask, out);
    set_predicate(w, i->q0, mask, resident);
    return i + 1;
}

const struct insn *et_op_image(struct warp *w, const struct insn *i)
{
    const struct et_ir_tex *tex = &w->program->ir.tex[i->ir->tex];
    const struct tex_slots *s = &w->program->tex[i->ir->tex];
    const bool reads = tex->image.op == ET_IMAGE_LOAD;
    const uint32_t mask = reads ? lanes_of(w, i)
                          : w->io && w->io->fragment
                              ? lanes_of(w, i) & ~(w->io->fragment->helpers | w->killed)
                              : lanes_of(w, i);
    uint32_t handle[ET_LANES], data[4][ET_LANES], coord[3][ET_LANES], left = mask, resident = ~0u;
    uint8_t mode;
    if (!mask)
        return i + 1;
    if (!has_unit(w, i))
        return NULL;
    copy_lanes(w, s->handle, handle);
    for (unsigned n = 0; n < 3; n++)
        copy_lanes(w, s->coord[n], coord[n]);
    for (unsigned n = 0; n < 4; n++)
        copy_lanes(w, s->data[n], data[n]);
    mode = default_mode(w);
    while (left) {
        const uint32_t number = handle[__builtin_ctz(left)], same = same_handle(handle, &left);
        uint32_t there = ~0u;
        const enum etalon_status status =
            et_image_execute(w->context->unit, &w->launch->pools, number & 0xfffff, &tex->image, coord, same,
                             data, &there, w->error);
        if (status != ETALON_OK)
            return et_warp_fail(w, i, __builtin_ctz(same), status, "%s", etalon_status_name(status));
        resident &= there | ~same;
    }
    back_to_mode(w, mode);
    if (tex->image.op != ET_IMAGE_STORE)
        write_results(w, s, tex, mask, data);
    set_predicate(w, i->q0, mask, resident);
    return i + 1;
}
