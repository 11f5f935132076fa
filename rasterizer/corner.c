/* Corners: vertices placed in the window.
 *
 * iw = 1/w by the special-function unit, window = RN(RN(RN(position * scale) * iw) + offset), snapped to
 * 1/256 pixel half to even; where z is w, z / w is 1; a w below 2^-64 is 2^-64 there, -0 is -2^-64. [HW:H200,
 * conformance/hardware/planes, lists of far.h] */
#include "rasterizer/setup.h"

#include "isa/numeric/mufu.h"

#define LEAST_W 0x1p-64f /* stands for what is less, -0 keeps its sign [HW:H200] */

void et_setup_swizzle(const struct et_viewport *viewport, const uint32_t *word, float out[4])
{
    for (unsigned i = 0; i < 4; i++) {
        const float value = et_float(word[viewport->swizzle[i] >> 1 & 3]);
        out[i] = viewport->swizzle[i] & 1 ? -value : value;
    }
}

static float reciprocal(float w)
{
    return et_float(et_mufu(ET_MUFU_RCP, et_float_bits(w)));
}

void et_setup_project(const struct et_setup *setup, const float position[4], float window[3], float *iw)
{
    const struct et_raster_state *state = setup->plan->state;
    const bool any_w = et_bits(state->clip_control, 13, 11) == PASSTHROUGH;
    const float least = position[3] == 0 ? copysignf(LEAST_W, position[3]) : LEAST_W;
    const float w = any_w || position[3] > LEAST_W ? position[3] : least;
    if (setup->last->iw == 0 || et_float_bits(setup->last->w) != et_float_bits(w))
        *setup->last = (struct et_divisor){w, reciprocal(w)};
    *iw = setup->last->iw;
    for (unsigned i = 0; i < 3; i++)
        window[i] = state->viewport_transform
                        ? position[i] * setup->viewport->scale[i] * *iw + setup->viewport->offset[i]
                        : position[i];
    if (state->viewport_transform && position[2] == position[3] && position[3] > 0) /* whatever 1/w is */
        window[2] = setup->viewport->scale[2] + setup->viewport->offset[2];
    if (state->pixel_at_integer) {
        window[0] += 0.5f;
        window[1] += 0.5f;
    }
}

static double bounded(float v)
{
    return fmin(fmax(v, -0x1p128), 0x1p128); /* NaN: the lower limit */
}

static int64_t snap(double pixels, int32_t window_offset, int far)
{
    return (int64_t)rint(far ? ldexp(pixels * 256, -far) : pixels * 256) +
           ((int64_t)window_offset * 256 >> ET_MIN(far, 63));
}

void et_setup_place(const struct et_setup *setup, const float position[4], struct et_corner *corner)
{
    const struct et_raster_state *state = setup->plan->state;
    float window[3];
    et_setup_project(setup, position, window, &corner->iw);
    const double x = bounded(window[0]), y = bounded(window[1]), most = fmax(fabs(x), fabs(y));
    corner->far = most < ET_WINDOW_LIMIT ? 0 : ilogb(most / ET_WINDOW_LIMIT) + 1;
    corner->x = snap(x, state->window_offset_x, corner->far);
    corner->y = snap(y, state->window_offset_y, corner->far);
    corner->z = window[2];
}

/* Vertex k of a primitive that nothing cuts. */
void et_setup_corner(const struct et_setup *setup, const float position[4],
                     const struct et_vertex_record *record, unsigned k, struct et_corner *corner)
{
    *corner = (struct et_corner){.record = record};
    corner->share[k] = corner->share[3 + k] = 1;
    et_setup_place(setup, position, corner);
}
