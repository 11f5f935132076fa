#include "rasterizer/depth.h"

#include "base/bits.h"
#include "rasterizer/convert.h"

enum stencil_op { KEEP, ZERO, REPLACE, INCREMENT_CLAMP, DECREMENT_CLAMP, INVERT, INCREMENT, DECREMENT, OPS };

/* Index: D3D value - 1. */
static const uint32_t ogl_ops[OPS] = {0x1e00, 0x0000, 0x1e01, 0x1e02, 0x1e03, 0x150a, 0x8507, 0x8508};

unsigned et_comparison(uint32_t raw)
{
    if (raw >= 0x200 && raw <= 0x207)
        return raw - 0x200;
    return raw >= 1 && raw <= 8 ? raw - 1 : 8;
}

bool et_compare_float(unsigned comparison, float a, float b)
{
    const unsigned relation = a < b ? 1 : a == b ? 2 : a > b ? 4 : 0;
    return comparison == 7 || (comparison == 5 && !relation) || comparison & relation;
}

static enum etalon_status comparison_of(uint32_t raw, const char *what, uint8_t *function,
                                        struct etalon_error *error)
{
    const unsigned comparison = et_comparison(raw);
    if (comparison > 7) {
        et_at_value(error, raw);
        return et_fail(error, ETALON_BAD_VALUE, "%s function 0x%x", what, raw);
    }
    *function = (uint8_t)comparison;
    return ETALON_OK;
}

static enum etalon_status stencil_op_of(uint32_t raw, uint8_t *op, struct etalon_error *error)
{
    for (unsigned i = 0; i < OPS; i++)
        if (raw == ogl_ops[i] || raw == i + 1) {
            *op = (uint8_t)i;
            return ETALON_OK;
        }
    et_at_value(error, raw);
    return et_fail(error, ETALON_BAD_VALUE, "stencil operation 0x%x", raw);
}

enum etalon_status et_depth_plan_make(struct et_depth_plan *plan, const struct et_depth_stencil *state,
                                      const struct et_target *target, bool enable, struct etalon_error *error)
{
    enum etalon_status status = ETALON_OK;
    *plan = (struct et_depth_plan){0};
    if (!enable || !(state->depth_test || state->stencil_test || state->bounds_test))
        return ETALON_OK;
    plan->format = et_depth_format_find(target->format);
    if (!plan->format) {
        et_at_value(error, target->format);
        return et_fail(error, ETALON_UNSUPPORTED, "depth target format 0x%x", target->format);
    }
    const bool has_depth = plan->format->depth_bits != 0;
    plan->depth = state->depth_test && has_depth;
    plan->writes_depth = plan->depth && state->depth_write;
    plan->bounds = state->bounds_test && has_depth;
    plan->stencil = state->stencil_test && plan->format->has_stencil;
    plan->active = plan->depth || plan->bounds || plan->stencil;
    if (plan->depth)
        status = comparison_of(state->depth_function, "depth", &plan->function, error);
    for (unsigned i = 0; i < 2 && plan->stencil && !status; i++) {
        const struct et_stencil_face *face = i && state->two_sided ? &state->back : &state->front;
        status = comparison_of(face->function, "stencil", &plan->face[i].function, error);
        if (!status)
            status = stencil_op_of(face->fail, &plan->face[i].fail, error);
        if (!status)
            status = stencil_op_of(face->zfail, &plan->face[i].zfail, error);
        if (!status)
            status = stencil_op_of(face->zpass, &plan->face[i].zpass, error);
        plan->face[i].reference = face->reference;
        plan->face[i].function_mask = face->function_mask;
        plan->face[i].write_mask = face->write_mask;
    }
    if (plan->bounds) {
        plan->bounds_min = et_depth_code(plan->format, state->bounds_min);
        plan->bounds_max = et_depth_code(plan->format, state->bounds_max);
    }
    return status;
}

uint32_t et_depth_code(const struct et_depth_format *format, float z)
{
    if (format->float_depth)
        return et_float_bits(et_depth_float(z)); /* not negative: orders as its bits */
    return format->depth_bits == 16 ? et_depth16_code(z) : et_depth24_code(z);
}

static uint32_t load_depth(const struct et_depth_format *format, const uint8_t *texel)
{
    if (format->depth_bits == 16)
        return texel[0] | (uint32_t)texel[1] << 8;
    return format->depth_bits == 32 ? et_load32(texel) : et_load32(texel) >> format->depth_low & 0xffffff;
}

static void store_depth(const struct et_depth_format *format, uint8_t *texel, uint32_t code)
{
    if (format->depth_bits == 16) {
        texel[0] = (uint8_t)code;
        texel[1] = (uint8_t)(code >> 8);
    } else if (format->depth_bits == 32) {
        et_store32(texel, code);
    } else {
        const uint32_t mask = 0xffffffu << format->depth_low;
        et_store32(texel, (et_load32(texel) & ~mask) | code << format->depth_low);
    }
}

static uint8_t stencil_value(uint8_t op, uint8_t old, uint8_t reference)
{
    switch (op) {
    case ZERO:
        return 0;
    case REPLACE:
        return reference;
    case INCREMENT_CLAMP:
        return old == 0xff ? old : (uint8_t)(old + 1);
    case DECREMENT_CLAMP:
        return old ? (uint8_t)(old - 1) : old;
    case INVERT:
        return (uint8_t)~old;
    case INCREMENT:
        return (uint8_t)(old + 1);
    case DECREMENT:
        return (uint8_t)(old - 1);
    default:
        return old;
    }
}

bool et_depth_sample(const struct et_depth_plan *plan, bool front, uint32_t code, uint8_t *texel)
{
    const struct et_depth_format *format = plan->format;
    const uint32_t stored = format->depth_bits ? load_depth(format, texel) : 0;
    const unsigned side = front ? 0 : 1;
    bool stencil_pass = true, depth_pass = true;
    if (plan->bounds && (stored < plan->bounds_min || stored > plan->bounds_max))
        return false;
    if (plan->stencil) {
        const uint8_t mask = plan->face[side].function_mask;
        stencil_pass = et_depth_holds(plan->face[side].function, plan->face[side].reference & mask,
                                      texel[format->stencil_byte] & mask);
    }
    if (stencil_pass && plan->depth)
        depth_pass = et_depth_holds(plan->function, code, stored);
    if (plan->stencil) {
        uint8_t *stencil = &texel[format->stencil_byte];
        const uint8_t op = !stencil_pass ? plan->face[side].fail
                           : !depth_pass ? plan->face[side].zfail
                                         : plan->face[side].zpass;
        const uint8_t value = stencil_value(op, *stencil, plan->face[side].reference);
        const uint8_t mask = plan->face[side].write_mask;
        *stencil = (uint8_t)((*stencil & ~mask) | (value & mask));
    }
    if (stencil_pass && depth_pass && plan->writes_depth)
        store_depth(format, texel, code);
    return stencil_pass && depth_pass;
}
