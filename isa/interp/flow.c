/* Programs whose lanes may part within a team: each lane's results are its own, whatever order the lanes take
 * their ways in, so that barriers and Maxwell's stack come down to jumps. For that, where each barrier is met
 * and where each entry is popped to must be known: at an instruction, all ways that come to it have the same
 * open regions. Lanes that wait for one another then wait for inner regions first, and none waits for ever.
 * Any other program runs as its scheduler says (schedule.c). */
#include "isa/interp/ops.h"

#include "base/alloc.h"

#include <string.h>

enum { DEPTH = 8, PASSES = 16 };

/* A region that BSSY, SSY, PBK or PCNT has opened. */
struct region {
    uint8_t type, barrier; /* BARRIER: of that number; else enum et_stack */
    uint32_t target;
};
enum { BARRIER = 0xff };

struct regions {
    unsigned depth;
    struct region region[DEPTH];
};

struct walk {
    const struct et_program *program;
    struct flow *flow;
    struct regions *at; /* one an instruction, of leaders */
    bool *reached;
    struct regions now;
    bool fits, more;
    bool parts_outside;        /* lanes may part where no region is open */
    bool uniform, in_a_region; /* an op is of a whole warp; and within a region */
};

static bool is_conditional(const struct insn *i)
{
    return i->guard != ET_P_T || i->p0 != ET_P_T;
}

static bool same_regions(const struct regions *a, const struct regions *b)
{
    bool same = a->depth == b->depth;
    for (unsigned n = 0; same && n < a->depth; n++)
        same = a->region[n].type == b->region[n].type && a->region[n].barrier == b->region[n].barrier &&
               a->region[n].target == b->region[n].target;
    return same;
}

/* Lanes come to a leader with some regions open. */
static void come(struct walk *k, uint32_t place, const struct regions *open)
{
    if (k->program->code[place].op != et_op_lead) {
        k->fits = false;
    } else if (!k->reached[place]) {
        k->reached[place] = k->more = true;
        k->at[place] = *open;
    } else if (!same_regions(&k->at[place], open)) {
        k->fits = false;
    }
}

static void leave(struct walk *k, size_t n, uint32_t target, const struct regions *open)
{
    k->flow[n] = (struct flow){FLOW_JUMP, target};
    come(k, target, open);
}

static bool is_open(const struct walk *k, uint32_t barrier)
{
    bool open = false;
    for (unsigned n = 0; n < k->now.depth; n++)
        open |= k->now.region[n].type == BARRIER && k->now.region[n].barrier == (barrier & 15);
    return open;
}

static void open_region(struct walk *k, size_t n, uint8_t type)
{
    const struct insn *i = &k->program->code[n];
    const struct region region = {type, type == BARRIER ? i->imm & 15 : 0, i->target};
    if (is_conditional(i) || k->now.depth == DEPTH || (type == BARRIER && is_open(k, i->imm)) ||
        (type != BARRIER && type > ET_STACK_CONTINUE)) {
        k->fits = false;
        return;
    }
    k->flow[n].kind = FLOW_NEXT;
    k->now.region[k->now.depth++] = region;
}

/* The innermost barrier, right before the place where its lanes meet. */
static void meet(struct walk *k, size_t n)
{
    const struct insn *i = &k->program->code[n];
    const struct region *top = k->now.depth ? &k->now.region[k->now.depth - 1] : NULL;
    if (is_conditional(i) || !top || top->type != BARRIER || top->barrier != (i->imm & 15) ||
        top->target != n + 1) {
        k->fits = false;
        return;
    }
    k->flow[n].kind = FLOW_NEXT;
    k->now.depth--;
}

static void pop(struct walk *k, size_t n)
{
    const struct insn *i = &k->program->code[n];
    struct regions left = k->now;
    while (left.depth && left.region[left.depth - 1].type != i->fn)
        left.depth--;
    if (!left.depth) {
        k->fits = false;
        return;
    }
    left.depth--;
    leave(k, n, left.region[left.depth].target, &left);
}

/* Whether a lane's result depends on other lanes. */
static bool crosses_lanes(const struct et_program *program, const struct et_ir *ir)
{
    switch (ir->op) {
    case ET_IR_R2UR:
    case ET_IR_VOTE:
    case ET_IR_SHFL:
    case ET_IR_MATCH:
    case ET_IR_REDUX:
    case ET_IR_FSWZADD:
        return true;
    case ET_IR_TEX:
        return program->info.derivatives;
    default:
        return false;
    }
}

/* Follows instruction n; whether lanes go on to the next one. */
static bool step(struct walk *k, size_t n)
{
    const struct insn *i = &k->program->code[n];
    if (i->op == et_op_splat || i->uniform) {
        k->uniform = true;
        k->in_a_region |= k->now.depth != 0;
    }
    if (!i->ir)
        return i->op == et_op_lead || i->op == et_op_mode || i->op == et_op_splat;
    switch (i->ir->op) {
    case ET_IR_JUMP:
        k->fits &= !(i->flags & (ET_F_CALL | ET_F_RET));
        if (k->fits)
            leave(k, n, i->imm, &k->now);
        k->parts_outside |= is_conditional(i) && !k->now.depth;
        return is_conditional(i);
    case ET_IR_EXIT:
        return is_conditional(i);
    case ET_IR_POP:
        pop(k, n);
        return is_conditional(i);
    case ET_IR_PUSH:
        open_region(k, n, i->ir->fn);
        return true;
    case ET_IR_BSSY:
        open_region(k, n, BARRIER);
        return true;
    case ET_IR_BSYNC:
        meet(k, n);
        return true;
    case ET_IR_BMOV_FROM: /* clears a barrier before it is used */
        k->fits &= i->d == k->program->trash && !is_open(k, i->imm);
        k->flow[n].kind = FLOW_NEXT;
        return true;
    default:
        k->fits &= !crosses_lanes(k->program, i->ir);
        return true;
    }
}

static void pass(struct walk *k)
{
    const struct et_program *program = k->program;
    bool live = false;
    for (size_t n = 0; n < program->count && k->fits; n++) {
        if (program->code[n].op == et_op_lead) {
            if (live)
                come(k, (uint32_t)n, &k->now);
            live = k->reached[n];
            k->now = k->at[n];
        }
        live = live && step(k, n);
        /* Who parts goes on at a leader. */
        if (live && program->code[n].ir &&
            (k->flow[n].kind == FLOW_JUMP || program->code[n].ir->op == ET_IR_EXIT))
            k->fits &= n + 1 < program->count && program->code[n + 1].op == et_op_lead;
    }
}

static bool is_of_vertices(const struct et_program *program)
{
    bool attributes = false, fragments = false;
    for (size_t n = 0; n < program->ir.count; n++) {
        const unsigned op = program->ir.insns[n].op;
        attributes |= op == ET_IR_ALD || op == ET_IR_AST;
        fragments |= op == ET_IR_IPA || op == ET_IR_KIL || op == ET_IR_PIXLD;
    }
    return attributes && !fragments;
}

bool et_program_find_flow(const struct et_program *program, struct flow **flow)
{
    struct walk k = {.program = program, .fits = true};
    unsigned passes = 0;
    *flow = NULL;
    if (!is_of_vertices(program) || program->indirect || program->code[program->entry].op != et_op_lead)
        return true;
    k.flow = et_calloc(program->count + 1, sizeof *k.flow);
    k.at = et_calloc(program->count + 1, sizeof *k.at);
    k.reached = et_calloc(program->count + 1, sizeof *k.reached);
    if (k.flow && k.at && k.reached) {
        come(&k, program->entry, &(struct regions){0});
        while (k.fits && k.more && passes++ < PASSES) {
            k.more = false;
            pass(&k);
        }
        /* An op of a whole warp must not run once for each of several groups. */
        k.fits &= !k.more && !(k.uniform && (k.in_a_region || k.parts_outside));
    }
    const bool memory = k.flow && k.at && k.reached;
    et_free(k.at);
    et_free(k.reached);
    if (memory && k.fits)
        *flow = k.flow;
    else
        et_free(k.flow);
    return memory;
}
