/* Textures and surfaces.
 *
 * Where the operands lie [DRV: Mesa's NVK and emulators agree]: a holds [layer | clamp << 16] and the
 * coordinates; b the handle
 * (.B), then sample, level or bias, offsets, depth reference. TXD: a holds the handle, the coordinates,
 * [layer | offsets << 16]; b the derivatives in pairs, x before y. Short forms split the same list over a and
 * b. Surfaces: coordinates, then the layer. */
#include "isa/maxwell/lower.h"

#include "base/bits.h"

/* Walks registers upwards from an operand's. */
struct cursor {
    unsigned reg;
};

static struct cursor cursor_at(const struct et_operand *o)
{
    return (struct cursor){o->kind == ET_KIND_R ? (unsigned)o->value : ET_R_RZ};
}

static struct et_ir_src next_register(struct cursor *at)
{
    if (at->reg >= ET_R_RZ)
        return et_ir_imm(0);
    return et_ir_reg(at->reg++);
}

/* Target: 1D 2D 3D CUBE by halves, arrays odd. */
static void set_target(struct et_ir_tex *tex, unsigned dim)
{
    static const uint8_t dims[] = {ET_TEX_1D, ET_TEX_2D, ET_TEX_3D, ET_TEX_CUBE};
    tex->tex.dim = dims[dim >> 1];
    tex->tex.array = dim & 1;
}

static unsigned coordinate_count(const struct et_ir_tex *tex)
{
    return tex->tex.dim == ET_TEX_1D ? 1 : tex->tex.dim == ET_TEX_2D ? 2 : 3;
}

static struct et_ir_src low_half(struct lower *l, struct et_ir_src src)
{
    struct et_ir *ir = emit(l, ET_IR_LOP3);
    ir->dst[0] = temp_registers(l, 1);
    ir->src[0] = src;
    ir->src[1] = et_ir_imm(0xffff);
    ir->imm = 0xc0;
    return et_ir_reg(ir->dst[0]);
}

static struct et_ir_src high_half(struct lower *l, struct et_ir_src src)
{
    struct et_ir *ir = emit(l, ET_IR_SHR);
    ir->dst[0] = temp_registers(l, 1);
    ir->src[0] = src;
    ir->src[1] = et_ir_imm(16);
    return et_ir_reg(ir->dst[0]);
}

/* What is gathered before the op is emitted, since gathering may emit ops of its own. */
struct request {
    struct et_ir_tex tex;
    unsigned mask;    /* components wanted */
    uint8_t resident; /* predicate that tells whether all texels were there */
};

static void begin_request(const struct lower *l, struct request *r)
{
    *r = (struct request){.resident = ET_P_NONE};
    for (unsigned i = 0; i < ET_COUNT(r->tex.out); i++)
        r->tex.out[i] = ET_R_NONE;
    r->tex.tex.no_derivatives = mod(l, ET_MOD_NDV);
    if (operand(l, 'p')->kind == ET_KIND_P)
        r->resident = et_maxwell_predicate_dst(operand(l, 'p'));
    r->mask = (unsigned)operand(l, 'm')->value;
    if (operand(l, 't')->kind == ET_KIND_U) {
        r->tex.handle_bound = true;
        r->tex.bound = (uint32_t)operand(l, 't')->value;
    }
}

static void emit_request(struct lower *l, const struct request *r)
{
    struct et_ir *ir = emit(l, ET_IR_TEX);
    ir->pdst[0] = r->resident;
    *et_ir_emit_tex(l->builder, ir) = r->tex;
}

/* Components of the mask go to consecutive registers. */
static void consecutive_results(const struct lower *l, struct request *r)
{
    unsigned reg = (unsigned)operand(l, 'd')->value;
    for (unsigned c = 0; c < 4; c++)
        if (r->mask >> c & 1 && reg < ET_R_RZ)
            r->tex.out[c] = (uint16_t)reg++;
}

/* Coordinates in a, after the layer; .LC packs its clamp above the layer. */
static void coordinates(struct lower *l, struct request *r, struct cursor *a, bool clamp)
{
    if (r->tex.tex.array || clamp) {
        const struct et_ir_src packed = next_register(a);
        r->tex.layer = low_half(l, packed);
        if (clamp) { /* unsigned 8.8 */
            struct et_ir *ir;
            const struct et_ir_src fixed = high_half(l, packed);
            ir = emit(l, ET_IR_I2F);
            ir->dst[0] = temp_registers(l, 1);
            ir->src[0] = fixed;
            ir->type = ET_F32;
            ir->type2 = ET_U32;
            ir = emit(l, ET_IR_FMUL);
            ir->dst[0] = temp_registers(l, 1);
            ir->src[0] = et_ir_reg(ir->dst[0] - 1u);
            ir->src[1] = et_ir_imm(0x3b800000); /* 1 / 256 */
            r->tex.min_lod = et_ir_reg(ir->dst[0]);
        }
    }
    for (unsigned i = 0; i < coordinate_count(&r->tex); i++)
        r->tex.coord[i] = next_register(a);
}

static void handle_in(struct request *r, struct cursor *at)
{
    if (!r->tex.handle_bound)
        r->tex.handle = next_register(at);
}

static void tex(struct lower *l)
{
    static const uint8_t lods[] = {ET_LOD_AUTO, ET_LOD_ZERO, ET_LOD_BIAS, ET_LOD_LEVEL};
    const unsigned lod = mod(l, ET_MOD_lod);
    const bool clamp = mod(l, ET_MOD_LC);
    struct cursor a = cursor_at(operand(l, 'a')), b = cursor_at(operand(l, 'b'));
    struct request r;
    if (lod > 3) {
        unsupported(l, "a level relative to a clamp");
        return;
    }
    begin_request(l, &r);
    r.tex.tex.op = ET_TEX_SAMPLE;
    r.tex.tex.lod = lods[lod];
    set_target(&r.tex, (unsigned)operand(l, 'x')->value);
    coordinates(l, &r, &a, clamp);
    handle_in(&r, &b);
    if (lod >= 2)
        r.tex.lod = next_register(&b);
    if (clamp) {
        if (lod == 0)
            r.tex.lod = et_ir_imm(0);
        r.tex.tex.lod = lod == 3 || lod == 1 ? ET_LOD_LEVEL_CLAMPED : ET_LOD_BIAS_CLAMPED;
        if (lod == 1)
            r.tex.lod = et_ir_imm(0);
    }
    if (mod(l, ET_MOD_AOFFI)) {
        r.tex.tex.offset = true;
        r.tex.offset = next_register(&b);
    }
    if (mod(l, ET_MOD_DC)) {
        r.tex.tex.shadow = true;
        r.tex.compare = next_register(&b);
    }
    consecutive_results(l, &r);
    emit_request(l, &r);
}

static void tld(struct lower *l)
{
    struct cursor a = cursor_at(operand(l, 'a')), b = cursor_at(operand(l, 'b'));
    struct request r;
    if (mod(l, ET_MOD_CL)) {
        unsupported(l, "a fetch with clamped coordinates");
        return;
    }
    begin_request(l, &r);
    r.tex.tex.op = ET_TEX_FETCH;
    r.tex.tex.lod = mod(l, ET_MOD_lod) ? ET_LOD_LEVEL : ET_LOD_ZERO;
    set_target(&r.tex, (unsigned)operand(l, 'x')->value);
    coordinates(l, &r, &a, false);
    handle_in(&r, &b);
    if (mod(l, ET_MOD_MS)) {
        r.tex.tex.multisample = true;
        r.tex.sample = next_register(&b);
    }
    if (mod(l, ET_MOD_lod))
        r.tex.lod = next_register(&b);
    if (mod(l, ET_MOD_AOFFI)) {
        r.tex.tex.offset = true;
        r.tex.offset = next_register(&b);
    }
    consecutive_results(l, &r);
    emit_request(l, &r);
}

/* Gathers take their one offset as signed bytes: four equal ones would gather one texel four times. */
static void byte_offsets(struct request *r, struct cursor *b)
{
    r->tex.tex.offset = true;
    r->tex.offset_bytes = true;
    r->tex.offset = next_register(b);
}

static void tld4(struct lower *l)
{
    const unsigned offsets = mod(l, ET_MOD_offs);
    struct cursor a = cursor_at(operand(l, 'a')), b = cursor_at(operand(l, 'b'));
    struct request r;
    begin_request(l, &r);
    r.tex.tex.op = ET_TEX_GATHER;
    r.tex.tex.lod = ET_LOD_ZERO;
    r.tex.tex.gather_component = (uint8_t)mod(l, ET_MOD_comp);
    set_target(&r.tex, (unsigned)operand(l, 'x')->value);
    coordinates(l, &r, &a, false);
    handle_in(&r, &b);
    if (offsets == 1) {
        byte_offsets(&r, &b);
    } else if (offsets == 2) {
        r.tex.tex.offsets4 = true;
        r.tex.offset4[0] = next_register(&b);
        r.tex.offset4[1] = next_register(&b);
    }
    if (mod(l, ET_MOD_DC)) {
        r.tex.tex.shadow = true;
        r.tex.compare = next_register(&b);
    }
    consecutive_results(l, &r);
    emit_request(l, &r);
}

static void txd(struct lower *l)
{
    struct cursor a = cursor_at(operand(l, 'a')), b = cursor_at(operand(l, 'b'));
    struct request r;
    if (mod(l, ET_MOD_LC)) {
        unsupported(l, "derivatives with a clamped level");
        return;
    }
    begin_request(l, &r);
    r.tex.tex.op = ET_TEX_SAMPLE;
    r.tex.tex.lod = ET_LOD_GRADIENTS;
    set_target(&r.tex, (unsigned)operand(l, 'x')->value);
    handle_in(&r, &a);
    for (unsigned i = 0; i < coordinate_count(&r.tex); i++)
        r.tex.coord[i] = next_register(&a);
    if (r.tex.tex.array || mod(l, ET_MOD_AOFFI)) {
        const struct et_ir_src packed = next_register(&a);
        if (r.tex.tex.array)
            r.tex.layer = low_half(l, packed);
        if (mod(l, ET_MOD_AOFFI)) {
            r.tex.tex.offset = true;
            r.tex.offset = high_half(l, packed);
        }
    }
    for (unsigned i = 0; i < coordinate_count(&r.tex); i++) {
        r.tex.ddx[i] = next_register(&b);
        r.tex.ddy[i] = next_register(&b);
    }
    consecutive_results(l, &r);
    emit_request(l, &r);
}

static void tmml(struct lower *l)
{
    struct cursor a = cursor_at(operand(l, 'a')), b = cursor_at(operand(l, 'b'));
    struct request r;
    begin_request(l, &r);
    r.tex.tex.op = ET_TEX_LOD;
    set_target(&r.tex, (unsigned)operand(l, 'x')->value);
    coordinates(l, &r, &a, false);
    handle_in(&r, &b);
    consecutive_results(l, &r);
    emit_request(l, &r);
}

static void txq(struct lower *l)
{
    static const struct {
        uint8_t code, query;
    } queries[] = {{1, ET_QUERY_DIMENSION},     {2, ET_QUERY_TEXTURE_TYPE}, {5, ET_QUERY_SAMPLER_POSITION},
                   {16, ET_QUERY_FILTER},       {18, ET_QUERY_LOD},         {20, ET_QUERY_WRAP},
                   {22, ET_QUERY_BORDER_COLOUR}};
    struct cursor a = cursor_at(operand(l, 'a'));
    struct request r;
    unsigned i;
    for (i = 0; i < ET_COUNT(queries); i++)
        if (queries[i].code == operand(l, 'x')->value)
            break;
    if (i == ET_COUNT(queries)) {
        unsupported(l, "a query without a name");
        return;
    }
    begin_request(l, &r);
    r.tex.tex.op = ET_TEX_QUERY;
    r.tex.tex.query = queries[i].query;
    handle_in(&r, &a);
    r.tex.lod = next_register(&a); /* level, or sample of a position */
    r.tex.sample = r.tex.lod;
    consecutive_results(l, &r);
    emit_request(l, &r);
}

/* ---- short forms. Which operand goes where, by the target's code. */
enum short_operand { S_NONE, S_X, S_Y, S_Z, S_LAYER, S_LOD, S_COMPARE, S_OFFSET, S_SAMPLE };

struct short_form {
    uint8_t dim, lod;
    uint8_t a[2], b[2];
};

enum { DIM_1D = 0, DIM_2D = 2, DIM_A2D = 3, DIM_3D = 4, DIM_CUBE = 6 };

static const struct short_form texs_forms[16] = {
    {DIM_1D, ET_LOD_ZERO, {S_X}, {S_NONE}},
    {DIM_2D, ET_LOD_AUTO, {S_X}, {S_Y}},
    {DIM_2D, ET_LOD_ZERO, {S_X}, {S_Y}},
    {DIM_2D, ET_LOD_LEVEL, {S_X, S_Y}, {S_LOD}},
    {DIM_2D, ET_LOD_AUTO, {S_X, S_Y}, {S_COMPARE}},
    {DIM_2D, ET_LOD_LEVEL, {S_X, S_Y}, {S_LOD, S_COMPARE}},
    {DIM_2D, ET_LOD_ZERO, {S_X, S_Y}, {S_COMPARE}},
    {DIM_A2D, ET_LOD_AUTO, {S_LAYER, S_X}, {S_Y}},
    {DIM_A2D, ET_LOD_ZERO, {S_LAYER, S_X}, {S_Y}},
    {DIM_A2D, ET_LOD_ZERO, {S_LAYER, S_X}, {S_Y, S_COMPARE}},
    {DIM_3D, ET_LOD_AUTO, {S_X, S_Y}, {S_Z}},
    {DIM_3D, ET_LOD_ZERO, {S_X, S_Y}, {S_Z}},
    {DIM_CUBE, ET_LOD_AUTO, {S_X, S_Y}, {S_Z}},
    {DIM_CUBE, ET_LOD_LEVEL, {S_X, S_Y}, {S_Z, S_LOD}},
};
static const struct short_form tlds_forms[16] = {
    [0] = {DIM_1D, ET_LOD_ZERO, {S_X}, {S_NONE}},
    [1] = {DIM_1D, ET_LOD_LEVEL, {S_X}, {S_LOD}},
    [2] = {DIM_2D, ET_LOD_ZERO, {S_X}, {S_Y}},
    [4] = {DIM_2D, ET_LOD_ZERO, {S_X, S_Y}, {S_OFFSET}},
    [5] = {DIM_2D, ET_LOD_LEVEL, {S_X, S_Y}, {S_LOD}},
    [6] = {DIM_2D, ET_LOD_ZERO, {S_X, S_Y}, {S_SAMPLE}},
    [7] = {DIM_3D, ET_LOD_ZERO, {S_X, S_Y}, {S_Z}},
    [8] = {DIM_A2D, ET_LOD_ZERO, {S_LAYER, S_X}, {S_Y}},
    [12] = {DIM_2D, ET_LOD_LEVEL, {S_X, S_Y}, {S_LOD, S_OFFSET}},
};

static void short_operand(struct lower *l, struct request *r, enum short_operand what, struct et_ir_src src)
{
    switch (what) {
    case S_X:
    case S_Y:
    case S_Z:
        r->tex.coord[what - S_X] = src;
        break;
    case S_LAYER:
        r->tex.layer = low_half(l, src);
        break;
    case S_LOD:
        r->tex.lod = src;
        break;
    case S_COMPARE:
        r->tex.tex.shadow = true;
        r->tex.compare = src;
        break;
    case S_OFFSET:
        r->tex.tex.offset = true;
        r->tex.offset = src;
        break;
    case S_SAMPLE:
        r->tex.tex.multisample = true;
        r->tex.sample = src;
        break;
    default:
        break;
    }
}

/* The first two components go to d and d + 1, the others to e and e + 1; .F16 packs two in a register. */
static void short_results(struct lower *l, struct request *r, bool half)
{
    const struct et_operand *registers[] = {operand(l, 'd'), operand(l, 'e')};
    uint16_t value[4], target[4];
    unsigned count = 0;
    for (unsigned c = 0; c < 4; c++) {
        if (!(r->mask >> c & 1))
            continue;
        target[count] = registers[count / 2]->value == ET_R_RZ
                            ? ET_R_NONE
                            : (uint16_t)((unsigned)registers[count / 2]->value + (half ? 0 : count % 2));
        value[count] = half ? temp_registers(l, 1) : target[count];
        r->tex.out[c] = value[count++];
    }
    emit_request(l, r);
    for (unsigned n = 0; half && n < count; n += 2) {
        struct et_ir *ir = emit(l, ET_IR_F2FP);
        ir->dst[0] = target[n];
        ir->src[0] = n + 1 < count ? et_ir_reg(value[n + 1]) : et_ir_imm(0);
        ir->src[1] = et_ir_reg(value[n]);
        ir->type = ET_F16;
    }
}

static void short_request(struct lower *l, const struct short_form *form, enum et_tex_op op)
{
    static const uint8_t one[] = {1, 2, 4, 8, 3, 9, 10, 12}, two[] = {7, 11, 13, 14, 15};
    const bool half = !(l->insn->word[0] >> 59 & 1);
    const unsigned mask = (unsigned)operand(l, 'x')->value;
    struct cursor a = cursor_at(operand(l, 'a')), b = cursor_at(operand(l, 'b'));
    struct request r;
    begin_request(l, &r);
    r.mask = operand(l, 'e')->value == ET_R_RZ ? one[mask & 7] : two[mask % 5];
    r.tex.tex.op = (uint8_t)op;
    r.tex.tex.lod = form->lod;
    set_target(&r.tex, form->dim);
    for (unsigned i = 0; i < 2 && form->a[i]; i++)
        short_operand(l, &r, (enum short_operand)form->a[i], next_register(&a));
    for (unsigned i = 0; i < 2 && form->b[i]; i++)
        short_operand(l, &r, (enum short_operand)form->b[i], next_register(&b));
    short_results(l, &r, half);
}

static void texs(struct lower *l)
{
    short_request(l, &texs_forms[word_bits(l, 53, 4)], ET_TEX_SAMPLE);
}

static void tlds(struct lower *l)
{
    short_request(l, &tlds_forms[word_bits(l, 53, 4)], ET_TEX_FETCH);
}

static void tld4s(struct lower *l)
{
    struct cursor a = cursor_at(operand(l, 'a')), b = cursor_at(operand(l, 'b'));
    struct request r;
    begin_request(l, &r);
    r.mask = 15;
    r.tex.tex.op = ET_TEX_GATHER;
    r.tex.tex.lod = ET_LOD_ZERO;
    r.tex.tex.gather_component = (uint8_t)mod(l, ET_MOD_comp);
    set_target(&r.tex, DIM_2D);
    r.tex.coord[0] = next_register(&a);
    if (mod(l, ET_MOD_AOFFI) || mod(l, ET_MOD_DC))
        r.tex.coord[1] = next_register(&a);
    else
        r.tex.coord[1] = next_register(&b);
    if (mod(l, ET_MOD_AOFFI))
        byte_offsets(&r, &b);
    if (mod(l, ET_MOD_DC)) {
        r.tex.tex.shadow = true;
        r.tex.compare = next_register(&b);
    }
    short_results(l, &r, word_bits(l, 55, 1));
}

/* ---- surfaces */
static void surface(struct lower *l, struct et_ir_tex *image, unsigned op)
{
    static const uint8_t clamps[] = {ET_IMAGE_IGNORE, ET_IMAGE_NEAR, ET_IMAGE_TRAP};
    static const uint8_t counts[] = {1, 1, 2, 2, 3, 3};
    const unsigned dim = mod(l, ET_MOD_dim); /* 1D 1D_BUFFER 1D_ARRAY 2D 2D_ARRAY 3D, as enum et_image_dim */
    const struct et_operand *a = operand(l, 'a'), *c = operand(l, 'c');
    *image = (struct et_ir_tex){
        .image = {.op = (uint8_t)op, .dim = (uint8_t)dim, .clamp = clamps[mod(l, ET_MOD_clamp)]}};
    for (unsigned i = 0; i < ET_COUNT(image->out); i++)
        image->out[i] = ET_R_NONE;
    for (unsigned i = 0; i < counts[dim]; i++)
        image->coord[i] = nth_src(a, i);
    if (dim == ET_IMAGE_1D_ARRAY || dim == ET_IMAGE_2D_ARRAY)
        image->coord[counts[dim] - 1] = low_half(l, image->coord[counts[dim] - 1]);
    if (c->kind == ET_KIND_R) {
        image->handle = reg_src((unsigned)c->value);
    } else {
        image->handle_bound = true;
        image->bound = (uint32_t)operand(l, 't')->value;
    }
}

/* Raw accesses without .BA count texels of the access's size along x; the unit counts bytes. */
static void raw_coordinate(struct lower *l, struct et_ir_tex *image, unsigned bytes)
{
    struct et_ir *ir;
    if (mod(l, ET_MOD_BA) || bytes == 1)
        return;
    ir = emit(l, ET_IR_SHL);
    ir->dst[0] = temp_registers(l, 1);
    ir->src[0] = image->coord[0];
    ir->src[1] = et_ir_imm((uint32_t)__builtin_ctz(bytes));
    image->coord[0] = et_ir_reg(ir->dst[0]);
}

/* .P goes through the format, .D moves bytes. */
static bool access(struct lower *l, struct et_ir_tex *image)
{
    static const uint8_t bytes[] = {1, 1, 2, 2, 4, 8, 16};
    const bool raw = word_bits(l, 52, 1);
    if (raw) {
        image->image.bytes = bytes[mod(l, ET_MOD_size)];
        image->image.sign_extend = mod(l, ET_MOD_size) == 1 || mod(l, ET_MOD_size) == 3;
        raw_coordinate(l, image, image->image.bytes);
    } else {
        image->image.formatted = true;
        image->image.components = (uint8_t)mod(l, ET_MOD_mask);
    }
    return raw;
}

static void suld(struct lower *l)
{
    const unsigned d = (unsigned)operand(l, 'd')->value;
    struct et_ir_tex image;
    struct et_ir *ir;
    bool raw;
    surface(l, &image, ET_IMAGE_LOAD);
    raw = access(l, &image);
    for (unsigned c = 0, reg = d; c < 4 && d != ET_R_RZ; c++)
        if (raw ? c < ET_MAX(image.image.bytes / 4u, 1u) : (unsigned)image.image.components >> c & 1)
            image.out[c] = (uint16_t)reg++;
    ir = emit(l, ET_IR_IMAGE);
    if (operand(l, 'p')->kind == ET_KIND_T)
        ir->pdst[0] = et_maxwell_inverted_dst(operand(l, 'p'));
    *et_ir_emit_tex(l->builder, ir) = image;
}

static void sust(struct lower *l)
{
    struct et_ir_tex image;
    bool raw;
    surface(l, &image, ET_IMAGE_STORE);
    raw = access(l, &image);
    for (unsigned c = 0, n = 0; c < 4; c++) {
        image.data[c] = et_ir_imm(0);
        if (raw ? c < ET_MAX(image.image.bytes / 4u, 1u) : (unsigned)image.image.components >> c & 1)
            image.data[c] = nth_src(operand(l, 'd'), n++);
    }
    *et_ir_emit_tex(l->builder, emit(l, ET_IR_IMAGE)) = image;
}

/* U32 S32 U64 F32 F16x2 S64 SD32 SD64: the last two as the surface declares [DOC: PTX, sured.p]. */
static void surface_atomic(struct lower *l, unsigned function, const struct et_operand *data, bool returns)
{
    const unsigned type = mod(l, ET_MOD_type);
    struct et_ir_tex image;
    struct et_ir *ir;
    unsigned words;
    if (type == 3 || type == 4) {
        unsupported(l, "a surface atomic on floats");
        return;
    }
    surface(l, &image, ET_IMAGE_ATOMIC);
    image.image.atomic = (uint8_t)function;
    image.image.atomic_signed = type == 1 || type == 5;
    image.image.atomic_by_format = type >= 6;
    image.image.atomic_64 = type == 2 || type == 5 || type == 7;
    words = image.image.atomic_64 ? 2 : 1;
    raw_coordinate(l, &image, 4 * words);
    for (unsigned i = 0; i < words * (function == ET_ATOMIC_CAS ? 2 : 1); i++)
        image.data[i] = nth_src(data, i);
    for (unsigned i = 0; returns && l->dst != ET_R_NONE && i < words; i++)
        image.out[i] = (uint16_t)(l->dst + i);
    ir = emit(l, ET_IR_IMAGE);
    if (operand(l, 'p')->kind == ET_KIND_T)
        ir->pdst[0] = et_maxwell_inverted_dst(operand(l, 'p'));
    *et_ir_emit_tex(l->builder, ir) = image;
}

static void suatom(struct lower *l)
{
    const unsigned form = (unsigned)(l->insn->word[0] >> 48);
    const bool swaps = (form & 0xffc0) == 0xea80 || (form & 0xffe0) == 0xeac0;
    surface_atomic(l, swaps ? ET_ATOMIC_CAS : mod(l, ET_MOD_op), operand(l, 'b'), true);
}

static void sured(struct lower *l)
{
    surface_atomic(l, mod(l, ET_MOD_op), operand(l, 'd'), false);
}

const struct et_maxwell_rule et_maxwell_texture_rules[] = {
    {"TEX", tex},     {"TEXS", texs},     {"TLD", tld},     {"TLDS", tlds}, {"TLD4", tld4},
    {"TLD4S", tld4s}, {"TXD", txd},       {"TMML", tmml},   {"TXQ", txq},   {"SULD", suld},
    {"SUST", sust},   {"SUATOM", suatom}, {"SURED", sured},
};
const size_t et_maxwell_texture_rule_count = ET_COUNT(et_maxwell_texture_rules);
