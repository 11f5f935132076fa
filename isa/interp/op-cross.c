/* Ops across lanes, and what a warp is told about itself. */
#include "isa/interp/ops.h"

const struct insn *et_op_nop(struct warp *w, const struct insn *i)
{
    (void)w;
    return i + 1;
}

const struct insn *et_op_vote(struct warp *w, const struct insn *i)
{
    HEAD;
    const uint32_t ballot = predicate(w, i->p0) & mask;
    uint32_t truth;
    (void)a;
    FOR_LANES(l, mask)
    {
        d[l] = ballot;
    }
    truth = i->fn == ET_VOTE_ALL   ? ballot == mask
            : i->fn == ET_VOTE_ANY ? ballot != 0
                                   : ballot == mask || !ballot;
    set_predicate(w, i->q0, mask, truth ? ~0u : 0);
    return i + 1;
}

const struct insn *et_op_shfl(struct warp *w, const struct insn *i)
{
    HEAD;
    uint32_t in_range = 0, value[ET_LANES];
    /* From Volta on, a lane that does not take part gives zero [HW:H200]. */
    const uint32_t given = w->program->isa == ET_ISA_MAXWELL ? ~0u : mask;
    for (unsigned l = 0; l < ET_LANES; l++)
        value[l] = given >> l & 1 ? a[l] : 0;
    FOR_LANES(l, mask)
    {
        const uint32_t segment = c[l] >> 8 & 31, clamp = c[l] & 31, by = b[l] & 31;
        const int low = (int)(l & segment), high = (int)((l & segment) | (clamp & ~segment));
        int from;
        bool valid;
        switch (i->fn) {
        case ET_SHFL_UP:
            from = (int)l - (int)by;
            valid = from >= high;
            break;
        case ET_SHFL_DOWN:
            from = (int)l + (int)by;
            valid = from <= high;
            break;
        case ET_SHFL_BFLY:
            from = (int)(l ^ by);
            valid = from <= high;
            break;
        default:
            from = low | (int)(by & ~segment);
            valid = from <= high;
            break;
        }
        d[l] = value[valid ? from & 31 : (int)l];
        in_range |= (uint32_t)valid << l;
    }
    set_predicate(w, i->q0, mask, in_range);
    return i + 1;
}

const struct insn *et_op_match(struct warp *w, const struct insn *i)
{
    HEAD;
    const bool wide = et_ir_src_words(i->ir, 0) == 2;
    uint32_t result[ET_LANES], left = mask, all;
    while (left) {
        const uint32_t first = (uint32_t)__builtin_ctz(left);
        const uint64_t key = wide ? pair(a, first) : a[first];
        uint32_t same = 0;
        FOR_LANES(l, left)
        {
            if ((wide ? pair(a, l) : a[l]) == key)
                same |= 1u << l;
        }
        FOR_LANES(l, same)
        {
            result[l] = same;
        }
        left &= ~same;
    }
    all = mask && result[__builtin_ctz(mask)] == mask;
    FOR_LANES(l, mask)
    {
        d[l] = i->fn ? (all ? mask : 0) : result[l];
    }
    set_predicate(w, i->q0, mask, all ? ~0u : 0);
    return i + 1;
}

const struct insn *et_op_redux(struct warp *w, const struct insn *i)
{
    HEAD;
    uint32_t r = 0;
    bool first = true;
    FOR_LANES(l, mask)
    {
        const uint32_t x = a[l];
        const bool less = i->ir->type == ET_S32 ? (int32_t)x < (int32_t)r : x < r;
        if (first)
            r = x;
        else if (i->fn == ET_REDUX_AND)
            r &= x;
        else if (i->fn == ET_REDUX_OR)
            r |= x;
        else if (i->fn == ET_REDUX_XOR)
            r ^= x;
        else if (i->fn == ET_REDUX_SUM)
            r += x;
        else if (less == (i->fn == ET_REDUX_MIN))
            r = x;
        first = false;
    }
    FOR_LANES(l, mask)
    {
        d[l] = r;
    }
    return i + 1;
}

const struct insn *et_op_r2ur(struct warp *w, const struct insn *i)
{
    HEAD;
    if (mask) {
        const uint32_t value = a[__builtin_ctz(mask)];
        for (unsigned l = 0; l < ET_LANES; l++)
            d[l] = value;
    }
    return i + 1;
}

/* Behind an op whose destinations are uniform: all lanes get the first active lane's result. */
const struct insn *et_op_splat(struct warp *w, const struct insn *i)
{
    const uint32_t mask = lanes_of(w, i);
    uint32_t *d = file(w, i->d);
    if (!mask)
        return i + 1;
    for (uint32_t n = 0; n < i->imm; n++)
        for (unsigned l = 0, from = (unsigned)__builtin_ctz(mask); l < ET_LANES; l++)
            d[n * ET_LANES + l] = d[n * ET_LANES + from];
    if (i->q0 != ET_P_NONE)
        w->pred[i->q0] = w->pred[i->q0] & (mask & (0u - mask)) ? ~0u : 0;
    return i + 1;
}

const struct insn *et_op_lepc(struct warp *w, const struct insn *i)
{
    HEAD;
    (void)a;
    FOR_LANES(l, mask)
    {
        set_pair64(d, l, i->ir->pc);
    }
    return i + 1;
}

static uint64_t clock_of(const struct warp *w)
{
    return w->launch->clock ? w->launch->clock(w->launch->clock_context) : w->count;
}

static uint64_t special(const struct warp *w, unsigned number, uint32_t lane)
{
    const struct et_launch *launch = w->launch;
    const struct block *block = w->block;
    const struct et_vtg_io *vtg = w->io ? w->io->vtg : NULL;
    const uint32_t thread = w->index * ET_LANES + lane;
    uint32_t tid[3] = {0, 0, 0};
    if (block && number >= ET_SR_TID && number <= ET_SR_TID_Z) {
        const uint32_t *size = block->grid->block;
        tid[0] = thread % size[0];
        tid[1] = thread / size[0] % size[1];
        tid[2] = thread / size[0] / size[1];
    }
    switch (number) {
    case ET_SR_LANEID:
        return lane;
    case ET_SR_CLOCK:
    case ET_SR_CLOCKLO:
        return clock_of(w);
    case ET_SR_CLOCKHI:
        return clock_of(w) >> 32;
    case ET_SR_GLOBALTIMERLO:
        return clock_of(w);
    case ET_SR_GLOBALTIMERHI:
        return clock_of(w) >> 32;
    case ET_SR_VIRTCFG:
        return (launch->sm_count ? launch->sm_count : 1) << 20 | 64 << 8;
    case ET_SR_VIRTID:
        return launch->sm_id << 20 | (w->index & 63) << 8;
    case ET_SR_INVOCATION_ID:
        return vtg ? vtg->invocation_id[lane] : 0;
    case ET_SR_INVOCATION_INFO:
        return vtg ? vtg->invocation_info[lane] : 0;
    case ET_SR_PRIM_TYPE: /* the patch's vertices in bits 15:8. [DRV: nvc0's gl_PatchVerticesIn] */
        return vtg ? vtg->invocation_info[lane] >> 8 & 0xff00 : 0;
    case ET_SR_Y_DIRECTION:
        return et_float_bits(launch->y_direction);
    case ET_SR_THREAD_KILL:
        return w->io && w->io->fragment && (w->io->fragment->helpers | w->killed) >> lane & 1 ? ~0u : 0;
    case ET_SR_VARIABLE_RATE: /* pixels across in bits 15:8, down in 23:16 [DRV: NAK] */
        if (!w->io || !w->io->fragment)
            return 0;
        return 1u << (8 + (w->io->fragment->rate[lane / 4] & 15)) |
               1u << (16 + (w->io->fragment->rate[lane / 4] >> 4));
    case ET_SR_TID:
        return tid[0] | tid[1] << 16 | tid[2] << 26;
    case ET_SR_TID_X:
    case ET_SR_TID_Y:
    case ET_SR_TID_Z:
        return tid[number - ET_SR_TID_X];
    case ET_SR_CTAID_X:
    case ET_SR_CTAID_Y:
    case ET_SR_CTAID_Z:
        return block ? block->id[number - ET_SR_CTAID_X] : 0;
    case ET_SR_NTID:
        return block ? block->grid->block[0] * block->grid->block[1] * block->grid->block[2] : 0;
    case ET_SR_SWINLO:
        return launch->shared_window;
    case ET_SR_SWINSZ:
    case ET_SR_LWINSZ:
        return launch->window_bytes;
    case ET_SR_SMEMSZ:
        return block ? block->shared_bytes : 0;
    case ET_SR_LWINLO:
        return launch->local_window;
    case ET_SR_EQMASK:
        return 1u << lane;
    case ET_SR_LTMASK:
        return (1u << lane) - 1;
    case ET_SR_LEMASK:
        return (2u << lane) - 1;
    case ET_SR_GTMASK:
        return ~((2u << lane) - 1);
    case ET_SR_GEMASK:
        return ~((1u << lane) - 1);
    case ET_SR_REGALLOC:
        return w->program->registers;
    default: /* SRZ, and what silicon leaves to its own devices */
        return 0;
    }
}

const struct insn *et_op_s2r(struct warp *w, const struct insn *i)
{
    HEAD;
    const bool wide = i->ir->op == ET_IR_CS2R && et_ir_dst_words(i->ir, 0) == 2;
    const unsigned number = i->imm;
    (void)a;
    FOR_LANES(l, mask)
    {
        if (!wide)
            d[l] = (uint32_t)special(w, number, l);
        else if (number == ET_SR_CLOCKLO || number == ET_SR_GLOBALTIMERLO)
            set_pair64(d, l, clock_of(w));
        else
            set_pair64(d, l, (uint32_t)special(w, number, l));
    }
    return i + 1;
}
