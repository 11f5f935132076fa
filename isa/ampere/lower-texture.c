/* Textures and images. How a sampling instruction's words are packed [DRV: Mesa's NAK]:
 *   source a: [array index | min lod << 16], coordinates
 *   source b: [handle], [sample], [lod or bias], [offsets: one word, two for .PTP], [depth reference]
 *   TXD, a: [handle], coordinates, [array index | offsets << 16]; b: ddx, ddy by coordinate
 * The handle is there only in the .B form. Results: the first two selected components at e, the rest at d. */
#include "isa/ampere/lower-names.h"

#include <string.h>

/* Consecutive registers of a source; after `left` of them the words go on in `rest`, where that is not NULL.
 */
struct words {
    lower_t *lower;
    uint32_t next;
    unsigned left;
    struct words *rest;
};

static struct words words_of(lower_t *lower, char slot)
{
    struct words words = {lower, (uint32_t)OP(slot)->value, 0, NULL};
    if (!OP(slot)->kind)
        words.next = ET_R_RZ;
    return words;
}

static struct et_ir_src take(struct words *words)
{
    if (words->rest && !words->left)
        return take(words->rest);
    words->left -= words->rest != NULL;
    struct et_ir_src src = et_ir_reg(words->next);
    if (words->next != ET_R_RZ)
        words->next++;
    return src;
}

/* .SCR: a holds two words, and what follows them stands before the words of b. [DRV: NVK 26's copies] */
static void scatter(lower_t *lower, struct words *a, struct words *b)
{
    if (!MOD(SCR))
        return;
    a->left = 2;
    a->rest = b;
}

/* temp = 16 bits of src, extended with zeros. */
static struct et_ir_src half_word(lower_t *lower, struct et_ir_src src, int high, unsigned temp)
{
    struct et_ir *ir = et_ampere_emit(lower, ET_IR_PRMT);
    ir->dst[0] = et_ampere_temp(temp);
    ir->src[0] = src;
    ir->src[1] = et_ir_imm(high ? 0x4432 : 0x4410);
    return et_ir_reg(et_ampere_temp(temp));
}

/* A minimum level comes as unsigned fixed point, 8 fraction bits. */
static struct et_ir_src fixed_level(lower_t *lower, struct et_ir_src src, unsigned temp)
{
    struct et_ir *ir = et_ampere_emit(lower, ET_IR_I2F);
    ir->dst[0] = et_ampere_temp(temp);
    ir->src[0] = src;
    ir->type = ET_F32;
    ir = et_ampere_emit(lower, ET_IR_FMUL);
    ir->dst[0] = et_ampere_temp(temp);
    ir->src[0] = et_ir_reg(et_ampere_temp(temp));
    ir->src[1] = et_ir_imm(0x3b800000); /* 1/256 */
    return et_ir_reg(et_ampere_temp(temp));
}

/* What is gathered before the op is emitted, since gathering emits ops. */
struct request {
    struct et_ir_tex tex;
    unsigned dim, coords;
    int array;
};

static void start(lower_t *lower, struct request *request)
{
    static const uint8_t dims[] = {ET_TEX_1D, ET_TEX_2D, ET_TEX_3D, ET_TEX_CUBE}, coords[] = {1, 2, 3, 3};
    unsigned x = (unsigned)OP('x')->value;
    memset(request, 0, sizeof *request);
    request->dim = dims[x & 3];
    request->coords = coords[x & 3];
    request->array = x >= 4;
    request->tex.tex.dim = (uint8_t)request->dim;
    request->tex.tex.array = request->array;
    request->tex.tex.no_derivatives = MOD(NDV) != 0;
}

/* Where the handle comes from: the next word of a source, a uniform register, or a constant. */
static void handle(lower_t *lower, struct request *request, struct words *words)
{
    if (OP('u')->kind)
        request->tex.handle = SRC('u');
    else if (OP('n')->kind)
        request->tex.handle = et_ir_const((unsigned)OP('k')->value, (unsigned)OP('n')->value * 4);
    else
        request->tex.handle = take(words);
}

static enum etalon_status finish(lower_t *lower, struct request *request)
{
    struct et_ir *ir = et_ampere_emit(lower, ET_IR_TEX);
    struct et_ir_tex *tex = et_ir_emit_tex(lower->builder, ir);
    unsigned mask = (unsigned)OP('m')->value, component, taken = 0, half = MOD(f16);
    uint16_t out[4];
    ir->pdst[0] = PDST('p');
    *tex = request->tex;
    for (component = 0; component < 4; component++) {
        uint16_t base = taken < 2 ? DST('e') : DST('d');
        out[component] = ET_R_NONE;
        if (!(mask >> component & 1))
            continue;
        if (base != ET_R_NONE)
            out[component] = (uint16_t)(base + (taken & 1));
        taken++;
    }
    if (half) { /* two components a register: e, then d */
        tex->out_half = 1;
        out[0] = DST('e');
        out[1] = DST('d');
        out[2] = out[3] = ET_R_NONE;
    }
    memcpy(tex->out, out, sizeof out);
    return half == 2 || (half && mask != 15) ? ETALON_UNSUPPORTED : ETALON_OK;
}

static void coordinates(lower_t *lower, struct request *request, struct words *a, int clamped)
{
    unsigned i;
    if (request->array || clamped) {
        struct et_ir_src word = take(a);
        if (request->array)
            request->tex.layer = half_word(lower, word, 0, 0);
        if (clamped)
            request->tex.min_lod = fixed_level(lower, half_word(lower, word, 1, 1), 1);
    }
    for (i = 0; i < request->coords; i++)
        request->tex.coord[i] = take(a);
}

/* TEX */
static enum etalon_status tex(lower_t *lower)
{
    static const uint8_t lods[] = {ET_LOD_AUTO,         ET_LOD_ZERO,         ET_LOD_BIAS,        ET_LOD_LEVEL,
                                   ET_LOD_BIAS_CLAMPED, ET_LOD_BIAS_CLAMPED, ET_LOD_BIAS_CLAMPED};
    unsigned lod = MOD(lod);
    struct request request;
    struct words a = words_of(lower, 'a'), b = words_of(lower, 'b');
    start(lower, &request);
    scatter(lower, &a, &b);
    request.tex.tex.op = ET_TEX_SAMPLE;
    request.tex.tex.lod = lods[lod];
    coordinates(lower, &request, &a, lod >= 4);
    handle(lower, &request, &b);
    if (lod == 2 || lod == 3 || lod == 5)
        request.tex.lod = take(&b);
    if (MOD(AOFFI)) {
        request.tex.tex.offset = 1;
        request.tex.offset = take(&b);
    }
    if (MOD(DC)) {
        request.tex.tex.shadow = 1;
        request.tex.compare = take(&b);
    }
    return finish(lower, &request);
}

/* TLD4: offsets are signed bytes, so plain ones go as the first of four. */
static enum etalon_status tld4(lower_t *lower)
{
    struct request request;
    struct words a = words_of(lower, 'a'), b = words_of(lower, 'b');
    start(lower, &request);
    scatter(lower, &a, &b);
    request.tex.tex.op = ET_TEX_GATHER;
    request.tex.tex.gather_component = (uint8_t)MOD(rgba);
    coordinates(lower, &request, &a, 0);
    handle(lower, &request, &b);
    if (MOD(AOFFI)) {
        request.tex.tex.offset = 1;
        request.tex.offset_bytes = 1;
        request.tex.offset = take(&b);
    }
    if (MOD(PTP)) {
        request.tex.tex.offsets4 = 1;
        request.tex.offset4[0] = take(&b);
        request.tex.offset4[1] = take(&b);
    }
    if (MOD(DC)) {
        request.tex.tex.shadow = 1;
        request.tex.compare = take(&b);
    }
    return finish(lower, &request);
}

static enum etalon_status tld(lower_t *lower)
{
    struct request request;
    struct words a = words_of(lower, 'a'), b = words_of(lower, 'b');
    start(lower, &request);
    scatter(lower, &a, &b);
    request.tex.tex.op = ET_TEX_FETCH;
    request.tex.tex.lod = MOD(lod) == 1 ? ET_LOD_ZERO : ET_LOD_LEVEL;
    coordinates(lower, &request, &a, 0);
    handle(lower, &request, &b);
    if (MOD(MS)) {
        request.tex.tex.multisample = 1;
        request.tex.sample = take(&b);
    }
    if (MOD(lod) == 3)
        request.tex.lod = take(&b);
    if (MOD(AOFFI)) {
        request.tex.tex.offset = 1;
        request.tex.offset = take(&b);
    }
    return MOD(CL) ? ETALON_UNSUPPORTED : finish(lower, &request);
}

static enum etalon_status txd(lower_t *lower)
{
    struct request request;
    struct words a = words_of(lower, 'a'), b = words_of(lower, 'b');
    unsigned i;
    start(lower, &request);
    scatter(lower, &a, &b);
    request.tex.tex.op = ET_TEX_SAMPLE;
    request.tex.tex.lod = ET_LOD_GRADIENTS;
    handle(lower, &request, &a);
    for (i = 0; i < request.coords; i++)
        request.tex.coord[i] = take(&a);
    if (request.array || MOD(AOFFI)) {
        struct et_ir_src word = take(&a);
        if (request.array)
            request.tex.layer = half_word(lower, word, 0, 0);
        if (MOD(AOFFI)) {
            request.tex.tex.offset = 1;
            request.tex.offset = half_word(lower, word, 1, 1);
        }
    }
    for (i = 0; i < request.coords; i++) {
        request.tex.ddx[i] = take(&b);
        request.tex.ddy[i] = take(&b);
    }
    return MOD(LC) ? ETALON_UNSUPPORTED : finish(lower, &request);
}

static enum etalon_status tmml(lower_t *lower)
{
    struct request request;
    struct words a = words_of(lower, 'a'), b = words_of(lower, 'b');
    start(lower, &request);
    scatter(lower, &a, &b);
    request.tex.tex.op = ET_TEX_LOD;
    coordinates(lower, &request, &a, 0);
    handle(lower, &request, &b);
    return finish(lower, &request);
}

static enum etalon_status txq(lower_t *lower)
{
    static const uint8_t queries[] = {ET_QUERY_DIMENSION, ET_QUERY_TEXTURE_TYPE, ET_QUERY_SAMPLER_POSITION};
    struct request request;
    struct words a = words_of(lower, 'a');
    memset(&request, 0, sizeof request);
    request.tex.tex.op = ET_TEX_QUERY;
    request.tex.tex.query = queries[OP('x')->value % 3];
    handle(lower, &request, &a);
    request.tex.lod = take(&a);
    return finish(lower, &request);
}

/* ---- images: coordinates in a, data in b, handle in c, a constant or a uniform register */
static const uint8_t raw_bytes[] = {1, 1, 2, 2, 4, 8, 16, 4}; /* by size field */

/* Raw accesses without .BA count texels of the access's size along x; the unit counts bytes. [DRV: NAK emits
 * image atomics so] */
static struct et_ir_src raw_coordinate(lower_t *lower, struct et_ir_src x, unsigned bytes_of_texel)
{
    struct et_ir *ir;
    if (MOD(BA) || bytes_of_texel == 1)
        return x;
    ir = et_ampere_emit(lower, ET_IR_SHL);
    ir->dst[0] = et_ampere_temp(0);
    ir->src[0] = x;
    ir->src[1] = et_ir_imm((uint32_t)__builtin_ctz(bytes_of_texel));
    return et_ir_reg(et_ampere_temp(0));
}

/* `raw`: bytes of a raw access's texel; 0: through the format. */
static struct et_ir_tex *image(lower_t *lower, enum et_image_op op, unsigned raw)
{
    static const uint8_t dims[] = {ET_IMAGE_1D,       ET_IMAGE_BUFFER, ET_IMAGE_1D_ARRAY, ET_IMAGE_2D,
                                   ET_IMAGE_2D_ARRAY, ET_IMAGE_3D,     ET_IMAGE_3D,       ET_IMAGE_3D};
    static const uint8_t clamps[] = {ET_IMAGE_IGNORE, ET_IMAGE_NEAR, ET_IMAGE_TRAP, ET_IMAGE_TRAP};
    static const uint8_t coords[] = {1, 1, 2, 2, 3, 3, 3, 3};
    static const uint8_t masks[] = {1, 1, 1, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 15};
    struct words a = words_of(lower, 'a'), c = words_of(lower, 'c');
    struct et_ir_src x = take(&a);
    struct et_ir *ir;
    struct et_ir_tex *tex;
    struct request request;
    unsigned i, dim = MOD(sudim);
    if (raw)
        x = raw_coordinate(lower, x, raw);
    ir = et_ampere_emit(lower, ET_IR_IMAGE);
    tex = et_ir_emit_tex(lower->builder, ir);
    memset(&request, 0, sizeof request);
    handle(lower, &request, &c);
    ir->pdst[0] = PDST('p');
    tex->handle = request.tex.handle;
    tex->image.op = (uint8_t)op;
    tex->image.dim = dims[dim];
    tex->image.clamp = clamps[MOD(clamp)];
    tex->coord[0] = x;
    for (i = 1; i < coords[dim]; i++)
        tex->coord[i] = take(&a);
    if (op == ET_IMAGE_ATOMIC)
        return tex;
    tex->image.formatted = MOD(mask) != 0;
    tex->image.components = masks[MOD(mask)];
    tex->image.bytes = raw_bytes[MOD(size)];
    tex->image.sign_extend = MOD(size) == 1 || MOD(size) == 3;
    return tex;
}

static unsigned image_words(const struct et_ir_tex *tex)
{
    if (tex->image.formatted)
        return tex->image.components == 15 ? 4 : tex->image.components == 3 ? 2 : 1;
    return tex->image.bytes <= 4 ? 1 : tex->image.bytes / 4u;
}

static enum etalon_status suld(lower_t *lower)
{
    struct et_ir_tex *tex = image(lower, ET_IMAGE_LOAD, MOD(mask) ? 0 : raw_bytes[MOD(size)]);
    unsigned i;
    for (i = 0; i < image_words(tex) && DST('d') != ET_R_NONE; i++)
        tex->out[i] = (uint16_t)(DST('d') + i);
    return ETALON_OK;
}

static enum etalon_status sust(lower_t *lower)
{
    struct et_ir_tex *tex = image(lower, ET_IMAGE_STORE, MOD(mask) ? 0 : raw_bytes[MOD(size)]);
    struct words b = words_of(lower, 'b');
    unsigned i;
    for (i = 0; i < image_words(tex); i++)
        tex->data[i] = take(&b);
    return ETALON_OK;
}

static enum etalon_status suatom(lower_t *lower)
{
    /* SD: as the surface declares [DOC: PTX, sured.p] */
    static const uint8_t types[] = {ET_U32, ET_S32, ET_U64, ET_F32, ET_F16X2, ET_S64, ET_U32, ET_U64};
    unsigned type = MOD(sutype), op = lower->insn->row->op, i;
    int wide = types[type] == ET_U64 || types[type] == ET_S64,
        swap = op == 0x396 || op == 0x595 || op == 0x795 || op == 0xf95;
    struct words b = words_of(lower, 'b');
    struct et_ir_tex *tex;
    if (type == 3 || type == 4)
        return ETALON_UNSUPPORTED; /* the unit has integer atomics */
    tex = image(lower, ET_IMAGE_ATOMIC, wide ? 8 : 4);
    tex->image.atomic = (uint8_t)(swap ? ET_ATOMIC_CAS : MOD(op));
    tex->image.atomic_signed = types[type] == ET_S32 || types[type] == ET_S64;
    tex->image.atomic_by_format = type >= 6;
    tex->image.atomic_64 = wide;
    tex->image.bytes = wide ? 8 : 4;
    for (i = 0; i < (wide ? 2u : 1u) * (swap ? 2u : 1u); i++)
        tex->data[i] = take(&b);
    for (i = 0; i < (wide ? 2u : 1u) && DST('d') != ET_R_NONE; i++)
        tex->out[i] = (uint16_t)(DST('d') + i);
    return ETALON_OK;
}

const struct et_ampere_lowering et_ampere_texture[] = {
    {"SUATOM", suatom}, {"SULD", suld}, {"SURED", suatom}, {"SUST", sust}, {"TEX", tex}, {"TLD", tld},
    {"TLD4", tld4},     {"TMML", tmml}, {"TXD", txd},      {"TXQ", txq},   {NULL, NULL}};
