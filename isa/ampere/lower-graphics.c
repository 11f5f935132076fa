/* Attributes, interpolation, geometry output, pixel state. */
#include "isa/ampere/lower-names.h"

enum { PATCH = 1, PHYSICAL = 2 }; /* the field at bit 76 */

static void attribute(lower_t *lower, struct et_ir *ir)
{
    unsigned form = et_ampere_bits(lower, 76, 2);
    ir->words = (uint8_t)(MOD(attr) + 1);
    ir->src[0] = OP('u')->kind ? SRC('u') : SRC('a');
    ir->imm = (int32_t)OP('i')->value;
    ir->flags |= (form == PATCH ? ET_F_PATCH : 0) | (form == PHYSICAL ? ET_F_PHYS : 0);
}

static struct et_ir_src record(lower_t *lower, char slot)
{
    struct et_ir_src none = {0};
    return OP(slot)->kind && OP(slot)->value != ET_R_RZ ? SRC(slot) : none;
}

static enum etalon_status ald(lower_t *lower)
{
    struct et_ir *ir = et_ampere_emit(lower, ET_IR_ALD);
    attribute(lower, ir);
    ir->dst[0] = DST('d');
    ir->src[1] = record(lower, 'b');
    ir->flags |= MOD(O) ? ET_F_OUTPUT : 0;
    return ETALON_OK;
}

static enum etalon_status ast(lower_t *lower)
{
    struct et_ir *ir = et_ampere_emit(lower, ET_IR_AST);
    attribute(lower, ir);
    ir->src[1] = record(lower, 'c');
    ir->src[2] = SRC('b');
    return ETALON_OK;
}

static enum etalon_status al2p(lower_t *lower)
{
    struct et_ir *ir = et_ampere_emit(lower, ET_IR_AL2P);
    ir->dst[0] = DST('d');
    ir->src[0] = SRC('a');
    ir->imm = (int32_t)OP('i')->value;
    ir->flags |= MOD(O) ? ET_F_OUTPUT : 0;
    return ETALON_OK;
}

static enum etalon_status ipa(lower_t *lower)
{
    static const uint8_t modes[] = {ET_IPA_PASS, ET_IPA_CONSTANT, ET_IPA_STATE},
                         places[] = {ET_IPA_DEFAULT, ET_IPA_CENTROID, ET_IPA_OFFSET};
    struct et_ir *ir;
    if (MOD(ipa) > 2)
        return ETALON_UNSUPPORTED;
    ir = et_ampere_emit(lower, ET_IR_IPA);
    ir->dst[0] = DST('d');
    ir->pdst[0] = PDST('p');
    ir->fn = modes[MOD(ipa)];
    ir->fn2 = places[et_ampere_bits(lower, 76, 2) % 3];
    ir->src[0] = SRC('u');
    ir->src[2] = SRC('b');
    ir->imm = (int32_t)OP('i')->value;
    return ETALON_OK;
}

static enum etalon_status ldtram(lower_t *lower)
{
    struct et_ir *ir = et_ampere_emit(lower, ET_IR_LDTRAM);
    ir->dst[0] = DST('d');
    ir->fn = (uint8_t)MOD(tram);
    ir->src[0] = SRC('u');
    ir->imm = (int32_t)OP('i')->value;
    return ETALON_OK;
}

static enum etalon_status isberd(lower_t *lower)
{
    struct et_ir *ir;
    if (MOD(isbx) || MOD(isbw) || MOD(isbe)) /* raw reads of the stage's buffer have no user */
        return ETALON_UNSUPPORTED;
    ir = et_ampere_emit(lower, ET_IR_ISBERD);
    ir->dst[0] = DST('d');
    ir->src[0] = SRC('a');
    ir->imm = (int32_t)OP('i')->value;
    return ETALON_OK;
}

static enum etalon_status out(lower_t *lower)
{
    static const uint8_t kinds[] = {ET_OUT_FINAL, ET_OUT_EMIT, ET_OUT_CUT, ET_OUT_EMIT_THEN_CUT};
    struct et_ir *ir = et_ampere_emit(lower, ET_IR_OUT);
    ir->dst[0] = DST('d');
    ir->src[0] = SRC('a');
    ir->src[1] = SRC('b');
    ir->fn = kinds[et_ampere_bits(lower, 78, 2)];
    return ETALON_OK;
}

static enum etalon_status pixld(lower_t *lower)
{
    static const uint8_t kinds[] = {ET_PIXLD_COUNT, ET_PIXLD_COVMASK, ET_PIXLD_CENT_OFFSET, ET_PIXLD_MY_INDEX,
                                    ET_PIXLD_INNER_COVERAGE};
    struct et_ir *ir = et_ampere_emit(lower, ET_IR_PIXLD);
    ir->dst[0] = DST('d');
    ir->pdst[0] = PDST('p');
    ir->fn = kinds[MOD(pixld)];
    return ETALON_OK;
}

const struct et_ampere_lowering et_ampere_graphics[] = {
    {"AL2P", al2p},     {"ALD", ald}, {"AST", ast},     {"IPA", ipa}, {"ISBERD", isberd},
    {"LDTRAM", ldtram}, {"OUT", out}, {"PIXLD", pixld}, {NULL, NULL}};
