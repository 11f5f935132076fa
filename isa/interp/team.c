/* Teams: ET_TEAM whole warps of one program that run in step. Their files lie side by side in each slot, so
 * that an op of vectors runs once over all of them, and any other op of single registers runs on each warp in
 * turn. A program has such a form when nothing in it stores, waits or branches by more than predicates; and a
 * team whose warps would part, or fail, has done nothing yet: its warps run again, each alone. */
#include "isa/interp/ops.h"

#include "base/alloc.h"

#include <string.h>

enum { TEAM_INSTRUCTIONS = 1 << 20 }; /* a warp runs at most so many in step */

void et_team_mode(struct warp *w, uint8_t mode)
{
    set_mode(w, mode);
    for (unsigned n = 1; n < ET_TEAM; n++)
        w[n].mode = mode;
}

const struct insn *et_team_part(struct warp *w)
{
    w->stop = STOP_APART;
    return NULL;
}

static const struct insn *team_lead(struct warp *w, const struct insn *i)
{
    w->count += i->imm;
    if (w->count > TEAM_INSTRUCTIONS)
        return et_team_part(w);
    if (i->fn != MODE_NONE)
        et_team_mode(w, i->fn);
    NEXT;
}

static const struct insn *team_mode(struct warp *w, const struct insn *i)
{
    et_team_mode(w, i->fn);
    NEXT;
}

static const struct insn *team_part(struct warp *w, const struct insn *i)
{
    (void)i;
    return et_team_part(w);
}

/* What is nothing to lanes that are each their own. */
static const struct insn *team_next(struct warp *w, const struct insn *i)
{
    (void)w;
    NEXT;
}

/* Behind an op that runs on one warp. */
static const struct insn *team_back(struct warp *w, const struct insn *i)
{
    (void)w;
    (void)i;
    return NULL;
}

const struct insn *et_op_team_each(struct warp *w, const struct insn *i)
{
    const struct insn *const each = i->each;
    unsigned stop = 0;
    for (unsigned n = 0; n < ET_TEAM; n++) {
        each->op(w + n, each);
        stop |= w[n].stop;
    }
    if (stop)
        return et_team_part(w);
    NEXT;
}

int et_team_taken(const struct warp *w, const struct insn *i)
{
    uint32_t any = 0, all = ~0u;
    for (unsigned n = 0; n < ET_TEAM; n++) {
        const uint32_t lanes = predicate(w + n, i->guard) & predicate(w + n, i->p0);
        any |= lanes;
        all &= lanes;
    }
    return !any ? 0 : all == ~0u ? 1 : -1;
}

static const struct insn *team_jump(struct warp *w, const struct insn *i)
{
    const int way = et_team_taken(w, i);
    if (way < 0)
        return et_team_part(w);
    if (!way)
        NEXT;
    w->count += i->imm2; /* jumps that it goes past */
    GO(w->program->code + i->imm);
}

/* Of predicates that all lanes have alike. */
const struct insn *et_op_team_jump_once(struct warp *w, const struct insn *i)
{
    if (!(predicate(w, i->guard) & predicate(w, i->p0)))
        NEXT;
    w->count += i->imm2;
    GO(w->program->code + i->imm);
}

/* Lane 0 of a team's slot to all. */
static void spread_first(uint32_t *slot)
{
    typedef uint32_t four __attribute__((vector_size(16)));
    const four value = slot[0] - (four){0};
    for (unsigned l = 0; l < ET_LANES * ET_TEAM; l += 16) {
        memcpy(slot + l, &value, sizeof value);
        memcpy(slot + l + 4, &value, sizeof value);
        memcpy(slot + l + 8, &value, sizeof value);
        memcpy(slot + l + 12, &value, sizeof value);
    }
}

void et_team_spread(struct warp *w, const struct insn *i)
{
    for (uint32_t n = 0; n < i->imm2; n++)
        spread_first(file(w, w->program->spread[i->imm + n]));
}

static const struct insn *team_exit(struct warp *w, const struct insn *i)
{
    const int way = et_team_taken(w, i);
    if (way < 0)
        return et_team_part(w);
    if (!way)
        NEXT;
    et_team_spread(w, i);
    w->stop = STOP_EXIT;
    return NULL;
}

/* ---- the form of a program */
/* Whether its handlers find an operand's second word where a team has it, or it has none. */
static bool is_single(const struct et_ir *ir)
{
    bool single = et_ir_dst_words(ir, 0) <= 1;
    if (ir->op == ET_IR_ALD || ir->op == ET_IR_AST)
        return true;
    for (unsigned s = 0; s < ET_COUNT(ir->src); s++)
        single &= ir->src[s].kind == ET_SRC_NONE || et_ir_src_words(ir, s) <= 1;
    return single;
}

/* Ops whose handlers change nothing but their warp's registers and predicates, and read nothing that a warp
 * in step with others would see otherwise. */
static bool is_own(const struct et_ir *ir)
{
    switch (ir->op) {
    case ET_IR_S2R:
        return ir->imm != ET_SR_CLOCK && !(ir->imm >= ET_SR_CLOCKLO && ir->imm <= ET_SR_GLOBALTIMERHI);
    case ET_IR_LDC:
        return !(ir->flags & ET_F_BINDLESS);
    case ET_IR_ALD: /* what the stage stores may be read in another order */
        return !(ir->flags & (ET_F_OUTPUT | ET_F_PATCH));
    case ET_IR_AST: /* to the lane's own record: again when it runs again */
        return !(ir->flags & ET_F_PATCH) && (ir->src[1].kind == ET_SRC_NONE ||
                                             (ir->src[1].kind == ET_SRC_REG && ir->src[1].value == ET_R_RZ));
    case ET_IR_NOP:
    case ET_IR_KIL:
    case ET_IR_IPA:
    case ET_IR_PIXLD:
    case ET_IR_TEX:
    case ET_IR_VOTE:
    case ET_IR_SHFL:
        return true;
    default: /* moves, integers, singles, halves, conversions */
        return ir->op >= ET_IR_MOV && ir->op <= ET_IR_F2IP && ir->op != ET_IR_CS2R && ir->op != ET_IR_LEPC;
    }
}

static bool fits(const struct et_program *program, const struct flow *flow)
{
    for (size_t n = 0; n < program->count; n++) {
        const struct insn *i = &program->code[n];
        if (!i->ir || (flow && flow[n].kind != FLOW_OP)) /* what the linker puts in between */
            continue;
        if (i->op == et_op_bindless || i->op == et_op_illegal)
            return false;
        if (i->ir->op == ET_IR_JUMP
                ? i->flags & (ET_F_CALL | ET_F_RET)
                : i->ir->op != ET_IR_EXIT &&
                      (!is_own(i->ir) || (program->vector[n] == NO_VECTOR && !is_single(i->ir))))
            return false;
    }
    return program->slots <= UINT16_MAX / ET_TEAM;
}

/* Whether lanes see nothing of other quads. */
static bool is_apart(const struct et_program *program)
{
    bool apart = true;
    for (size_t n = 0; n < program->count && apart; n++) {
        const struct et_ir *ir = program->code[n].ir;
        if (ir && ir->op == ET_IR_SHFL) /* a neighbour in the quad */
            apart = ir->fn == ET_SHFL_BFLY && ir->src[1].kind == ET_SRC_IMM && ir->src[1].value < 4;
        else if (ir && ir->op == ET_IR_VOTE)
            apart = false;
    }
    return apart;
}

static void widen_tex(struct tex_slots *s)
{
    for (unsigned n = 0; n < TEX_SLOTS; n++)
        s->slot[n] = (uint16_t)(s->slot[n] * ET_TEAM);
}

/* Whether a slot holds the same in all lanes and is never written. */
static bool is_constant(const struct et_program *program, unsigned slot)
{
    return slot >= program->pool_slot || (slot >= program->zero && slot < program->zero + 4u);
}

static op_fn *vector_handler(const struct et_program *program, const struct insn *i, uint8_t vector,
                             op_fn *const (*team)[ALU_COUNT])
{
    const unsigned form = TEAM_ALL + is_constant(program, i->b) + 2u * is_constant(program, i->c);
    return vector == NO_VECTOR ? NULL : team[form][vector] ? team[form][vector] : team[TEAM_ALL][vector];
}

static op_fn *team_handler(const struct et_program *program, const struct insn *i, uint8_t vector,
                           op_fn *const (*team)[ALU_COUNT], op_fn *const *ipa)
{
    if (i->op == et_op_lead)
        return team_lead;
    if (i->op == et_op_mode)
        return team_mode;
    if (i->op == et_op_splat)
        return et_op_team_each;
    if (!i->ir)
        return team_part;
    if (i->ir->op == ET_IR_JUMP)
        return team_jump;
    if (i->ir->op == ET_IR_EXIT)
        return team_exit;
    if (i->op == ipa[0])
        return ipa[1];
    op_fn *const handler = vector_handler(program, i, vector, team);
    return handler ? handler : et_op_team_each;
}

static void widen(struct insn *i, struct insn each[2], op_fn *handler)
{
    i->d = (uint16_t)(i->d * ET_TEAM);
    i->a = (uint16_t)(i->a * ET_TEAM);
    i->b = (uint16_t)(i->b * ET_TEAM);
    i->c = (uint16_t)(i->c * ET_TEAM);
    i->e = (uint16_t)(i->e * ET_TEAM);
    each[0] = *i;
    each[1] = (struct insn){.op = team_back, .guard = ET_P_T};
    i->op = handler;
    i->each = each;
}

void et_program_destroy_team(struct et_program *program)
{
    struct et_program *made = program->team;
    if (!made)
        return;
    et_free(made->code);
    et_free(made->each);
    et_free(made->apart);
    if (made->clears != program->clears)
        et_free(made->clears);
    et_free(made->tex);
    et_free(made->spread);
    et_free(made);
    program->team = NULL;
}

/* ---- the form of a program whose lanes may part */
static void follow_flow(struct insn *i, const struct flow *flow)
{
    if (flow->kind == FLOW_NEXT)
        i->op = team_next;
    else if (flow->kind == FLOW_JUMP && i->ir->op != ET_IR_JUMP) {
        i->imm = flow->target;
        i->imm2 = 0;
    }
    if (flow->kind == FLOW_JUMP)
        i->op = et_op_team_branch;
    else if (i->ir && i->ir->op == ET_IR_EXIT)
        i->op = et_op_team_leave;
}

/* The handler while not all lanes run; ops of a whole warp never do then. */
static op_fn *apart_handler(const struct insn *i, const struct flow *flow)
{
    if (i->op == team_lead)
        return et_op_apart_lead;
    if (i->op == team_mode || flow->kind == FLOW_NEXT)
        return i->op;
    if (!i->ir || i->uniform)
        return team_part;
    if (flow->kind == FLOW_JUMP)
        return et_op_apart_jump;
    return i->ir->op == ET_IR_EXIT ? et_op_apart_exit : et_op_apart_each;
}

/* Of the code that the ops of single warps are in already. */
static bool make_apart(const struct et_program *program, struct et_program *made,
                       op_fn *const (*team)[ALU_COUNT], const struct flow *flow)
{
    made->apart = et_calloc(program->count, sizeof *made->apart);
    for (size_t n = 0; n < program->count && made->apart; n++) {
        struct insn *const i = &made->apart[n];
        follow_flow(&made->code[n], &flow[n]);
        *i = made->code[n];
        i->op = apart_handler(i, &flow[n]);
        if (i->op == et_op_apart_each && i->guard == ET_P_T &&
            vector_handler(program, &program->code[n], program->vector[n], team)) {
            i->op = vector_handler(program, &program->code[n], program->vector[n], team);
            i->guard = PRED_ACTIVE;
        }
    }
    return made->apart != NULL;
}

static bool make_forms(struct et_program *program, op_fn *const (*team)[ALU_COUNT], op_fn *const *ipa,
                       const struct flow *flow)
{
    struct et_program *made = et_calloc(1, sizeof *made);
    if (!made)
        return false;
    *made = *program;
    made->code = et_calloc(program->count, sizeof *made->code);
    made->each = et_calloc(program->count * 2, sizeof *made->each);
    made->tex = et_calloc(program->ir.tex_count + 1, sizeof *made->tex);
    program->team = made;
    if (!made->code || !made->each || !made->tex)
        return false;
    memcpy(made->code, program->code, program->count * sizeof *made->code);
    memcpy(made->tex, program->tex, program->ir.tex_count * sizeof *made->tex);
    for (size_t n = 0; n < program->count; n++)
        widen(&made->code[n], &made->each[2 * n],
              team_handler(program, &program->code[n], program->vector[n], team, ipa));
    for (size_t n = 0; n < program->ir.tex_count; n++)
        widen_tex(&made->tex[n]);
    if ((flow && !make_apart(program, made, team, flow)) ||
        !et_program_plan_once(program, made, team[TEAM_ONCE], flow))
        return false;
    for (size_t n = 0; n < program->count && flow; n++)
        if (made->apart[n].op == et_op_apart_exit) { /* what it spreads */
            made->apart[n].imm = made->code[n].imm;
            made->apart[n].imm2 = made->code[n].imm2;
        }
    return true;
}

bool et_program_make_team(struct et_program *program, op_fn *const (*team)[ALU_COUNT], op_fn *const *ipa)
{
    struct flow *flow;
    bool memory = et_program_find_flow(program, &flow);
    if (memory && fits(program, flow)) {
        memory = make_forms(program, team, ipa, flow);
        program->info.team = memory;
        program->info.apart = memory && is_apart(program);
        if (!memory)
            et_program_destroy_team(program);
    }
    et_free(flow);
    return memory;
}
