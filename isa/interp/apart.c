/* A team whose lanes have parted, in a program that flow.c lets: the lanes at the lowest place run, through a
 * form of the code whose ops heed w->active, while others wait ahead of them, each way an entry of w->groups;
 * they join where they meet. With all lanes together again the team goes on in its common form. */
#include "isa/interp/ops.h"

#include <string.h>

enum { WAYS = ET_LANES, APART_INSTRUCTIONS = 1 << 18 };

static void heed_active(struct warp *w)
{
    for (unsigned n = 0; n < ET_TEAM; n++)
        w[n].pred[PRED_ACTIVE] = w[n].active;
}

static void remove_way(struct warp *w, unsigned g)
{
    w->group_count--;
    w->groups[g].next = w->groups[w->group_count].next;
    for (unsigned n = 0; n < ET_TEAM; n++)
        w[n].groups[g].mask = w[n].groups[w->group_count].mask;
}

/* Lanes wait at a place; false when there are too many. */
static bool put_aside(struct warp *w, const struct insn *place, const uint32_t lanes[ET_TEAM])
{
    unsigned g = 0;
    while (g < w->group_count && w->groups[g].next != place)
        g++;
    if (g == WAYS)
        return false;
    if (g == w->group_count) {
        w->group_count++;
        w->groups[g].next = place;
        for (unsigned n = 0; n < ET_TEAM; n++)
            w[n].groups[g].mask = 0;
    }
    for (unsigned n = 0; n < ET_TEAM; n++)
        w[n].groups[g].mask |= lanes[n];
    return true;
}

/* Takes up the lanes at the lowest place. Returns it. */
static const struct insn *lowest(struct warp *w)
{
    unsigned first = 0;
    for (unsigned g = 1; g < w->group_count; g++)
        if (w->groups[g].next < w->groups[first].next)
            first = g;
    const struct insn *const place = w->groups[first].next;
    for (unsigned n = 0; n < ET_TEAM; n++)
        w[n].active = w[n].groups[first].mask;
    remove_way(w, first);
    return place;
}

const struct insn *et_op_apart_lead(struct warp *w, const struct insn *i)
{
    struct et_counts *counts = &w->context->apart;
    uint32_t all = ~0u;
    for (unsigned g = 0; g < w->group_count; g++) {
        if (w->groups[g].next != i)
            continue;
        for (unsigned n = 0; n < ET_TEAM; n++)
            w[n].active |= w[n].groups[g].mask;
        remove_way(w, g);
        break;
    }
    for (unsigned n = 0; n < ET_TEAM; n++)
        all &= w[n].active;
    if (all == ~0u)
        GO(w->program->code + (i - w->program->apart));
    heed_active(w);
    for (unsigned n = 0; n < ET_TEAM; n++) {
        counts->instructions += w[n].active ? i->imm : 0;
        counts->lane_instructions += (uint64_t)i->imm * (unsigned)__builtin_popcount(w[n].active);
    }
    if (counts->instructions > APART_INSTRUCTIONS)
        return et_team_part(w);
    if (i->fn != MODE_NONE)
        et_team_mode(w, i->fn);
    NEXT;
}

const struct insn *et_op_apart_each(struct warp *w, const struct insn *i)
{
    const struct insn *const each = i->each;
    unsigned stop = 0;
    for (unsigned n = 0; n < ET_TEAM; n++) {
        if (w[n].active)
            each->op(w + n, each);
        stop |= w[n].stop;
    }
    if (stop)
        return et_team_part(w);
    NEXT;
}

/* Running lanes that an instruction's predicates hold for; *any, *rest: whether there are such, and others.
 */
static void choose_lanes(const struct warp *w, const struct insn *i, uint32_t lanes[ET_TEAM], bool *any,
                         bool *rest)
{
    uint32_t some = 0, others = 0;
    for (unsigned n = 0; n < ET_TEAM; n++) {
        lanes[n] = w[n].active & predicate(w + n, i->guard) & predicate(w + n, i->p0);
        some |= lanes[n];
        others |= w[n].active & ~lanes[n];
    }
    *any = some;
    *rest = others;
}

const struct insn *et_op_apart_jump(struct warp *w, const struct insn *i)
{
    const struct insn *const to = w->program->apart + i->imm;
    uint32_t lanes[ET_TEAM];
    bool any, rest;
    choose_lanes(w, i, lanes, &any, &rest);
    if (!any)
        NEXT;
    if (!rest && !w->group_count)
        GO(to);
    if (!put_aside(w, to, lanes))
        return et_team_part(w);
    for (unsigned n = 0; n < ET_TEAM; n++)
        lanes[n] = w[n].active &= ~lanes[n];
    if (rest && to > i)
        NEXT;
    if (rest && !put_aside(w, i + 1, lanes))
        return et_team_part(w);
    GO(lowest(w));
}

const struct insn *et_op_apart_exit(struct warp *w, const struct insn *i)
{
    uint32_t lanes[ET_TEAM];
    bool any, rest;
    choose_lanes(w, i, lanes, &any, &rest);
    if (!any)
        NEXT;
    et_team_spread(w, i);
    for (unsigned n = 0; n < ET_TEAM; n++)
        w[n].active &= ~lanes[n];
    if (rest)
        NEXT;
    if (w->group_count)
        GO(lowest(w));
    w->stop = STOP_EXIT;
    return NULL;
}

/* ---- of the common form */
static const struct insn *same_apart(const struct warp *w, const struct insn *i)
{
    return w->program->apart + (i - w->program->code);
}

const struct insn *et_op_team_branch(struct warp *w, const struct insn *i)
{
    const int way = et_team_taken(w, i);
    if (way < 0)
        return et_op_apart_jump(w, same_apart(w, i));
    if (!way)
        NEXT;
    w->count += i->imm2; /* jumps that it goes past */
    GO(w->program->code + i->imm);
}

const struct insn *et_op_team_leave(struct warp *w, const struct insn *i)
{
    const int way = et_team_taken(w, i);
    if (way < 0)
        return et_op_apart_exit(w, same_apart(w, i));
    if (!way)
        NEXT;
    et_team_spread(w, i);
    w->stop = STOP_EXIT;
    return NULL;
}
