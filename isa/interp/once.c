/* What a team computes once. A value is uniform where all definitions that reach it are made of uniform
 * values: constants, the zero that registers start with, and results of ops that have such a form. A team's
 * lanes all take the same way, so a join of uniform values is uniform. An op of uniform operands works on the
 * first chunk of its slots and the first warp's predicates alone; where something may read all lanes of what
 * it makes (`wanted`, looking backward), it writes them too; and what is left in first chunks at an exit is
 * spread there. Sets are of slots, then of predicates. */
#include "isa/interp/ops.h"

#include "base/alloc.h"

#include <string.h>

/* More than this and a program goes without: time and memory stay within bounds whatever a guest sends. */
enum { PASSES = 16, SET_WORDS = 1 << 16 };

struct plan {
    const struct et_program *program; /* whose code the team's is made of */
    struct et_program *team;
    op_fn *const *once;
    const struct flow *flow; /* NULL: a team whose lanes would part ends */
    bool *apart;             /* an instruction: lanes may be apart there */
    size_t words;            /* 64-bit ones of a set */
    size_t blocks;
    uint32_t *block;   /* an instruction: its block, where it leads one */
    uint64_t *uniform; /* a set a block, at its start */
    uint64_t *wanted;  /* likewise */
    bool *reached;     /* a block */
    bool *is_once;     /* an instruction */
    bool *spreads;     /* likewise: and its results go to all lanes */
    uint64_t *left;    /* a set an instruction that exits, in order: uniform there */
    uint64_t *now;     /* the set at the instruction looked at */
    bool changed;
};

static unsigned predicate_item(const struct plan *p, unsigned predicate)
{
    return p->program->slots + (predicate & 31);
}

static bool has(const uint64_t *set, unsigned item)
{
    return set[item >> 6] >> (item & 63) & 1;
}

static void put(uint64_t *set, unsigned item, bool in)
{
    const uint64_t bit = UINT64_C(1) << (item & 63);
    set[item >> 6] = in ? set[item >> 6] | bit : set[item >> 6] & ~bit;
}

static void put_all_predicates(const struct plan *p, bool in)
{
    for (unsigned n = 0; n < ET_P_COUNT; n++)
        if (n != ET_P_T && n != ET_P_UT && n != ET_P_NONE)
            put(p->now, predicate_item(p, n), in);
}

static uint64_t *set_of(const struct plan *p, uint64_t *sets, size_t n)
{
    return sets + n * p->words;
}

/* ---- what an instruction is */
enum kind { KIND_NONE, KIND_LEAD, KIND_JUMP, KIND_EXIT, KIND_END, KIND_SPLAT, KIND_OP };

static enum kind kind_of(const struct plan *p, size_t n)
{
    const struct insn *i = &p->program->code[n];
    if (p->flow && p->flow[n].kind != FLOW_OP)
        return p->flow[n].kind == FLOW_JUMP ? KIND_JUMP : KIND_NONE;
    if (i->op == et_op_lead)
        return KIND_LEAD;
    if (i->op == et_op_mode)
        return KIND_NONE;
    if (i->op == et_op_splat)
        return KIND_SPLAT;
    if (!i->ir)
        return KIND_END;
    return i->ir->op == ET_IR_JUMP ? KIND_JUMP : i->ir->op == ET_IR_EXIT ? KIND_EXIT : KIND_OP;
}

static uint32_t target_of(const struct plan *p, size_t n)
{
    return p->flow && p->flow[n].kind == FLOW_JUMP ? p->flow[n].target : p->program->code[n].imm;
}

/* Whether it touches no predicates but those that it names. */
static bool names_predicates(const struct insn *i)
{
    const bool takes_carry =
        i->ir->op == ET_IR_XMAD || i->ir->op == ET_IR_IADD || i->ir->op == ET_IR_IADD3M; /* the CC's */
    return et_op_is_plain(i->ir) && !(i->flags & ET_F_CC) && !(takes_carry && i->flags & ET_F_X);
}

static bool is_conditional(const struct insn *i)
{
    return i->guard != ET_P_T || i->p0 != ET_P_T;
}

/* ---- forward: where values are uniform */
static bool has_uniform_operands(const struct plan *p, const struct insn *i)
{
    const uint8_t predicates[] = {i->guard, i->p0, i->p1, i->p2};
    const uint16_t from[] = {i->a, i->b, i->c, i->e};
    bool uniform = true;
    for (unsigned n = 0; n < ET_COUNT(predicates); n++)
        uniform &= has(p->now, predicate_item(p, predicates[n]));
    for (unsigned n = 0; n < ET_COUNT(from); n++)
        uniform &= has(p->now, from[n]);
    return uniform;
}

/* Puts what an op may write into the set or out of it: its destinations, or with `all` whatever it might. */
static void put_results(const struct plan *p, const struct insn *i, bool in, bool all)
{
    const unsigned words = i->op == et_op_splat ? i->imm : et_ir_dst_words(i->ir, 0);
    for (unsigned n = 0; n < words && i->d != p->program->trash; n++)
        put(p->now, i->d + n, in);
    if (i->q0 != ET_P_NONE)
        put(p->now, predicate_item(p, i->q0), in);
    if (i->q1 != ET_P_NONE)
        put(p->now, predicate_item(p, i->q1), in);
    if (!all || i->op == et_op_splat)
        return;
    if (i->ir->op == ET_IR_TEX)
        for (unsigned n = 0; n < 4; n++)
            put(p->now, p->program->tex[i->ir->tex].out[n], in);
    if (!names_predicates(i))
        put_all_predicates(p, in);
}

static bool is_uniform_result(const struct plan *p, const struct insn *i)
{
    return has(p->now, i->d) && has(p->now, predicate_item(p, i->q0)) &&
           has(p->now, predicate_item(p, i->q1));
}

static void meet(struct plan *p, size_t block)
{
    uint64_t *at = set_of(p, p->uniform, block);
    for (size_t n = 0; n < p->words; n++) {
        const uint64_t both = p->reached[block] ? at[n] & p->now[n] : p->now[n];
        p->changed |= !p->reached[block] || both != at[n];
        at[n] = both;
    }
    p->reached[block] = true;
}

static void look_forward(struct plan *p)
{
    const struct et_program *program = p->program;
    bool live = false;
    size_t exits = 0;
    for (size_t n = 0; n < program->count; n++) {
        const struct insn *i = &program->code[n];
        switch (kind_of(p, n)) {
        case KIND_LEAD:
            if (live)
                meet(p, p->block[n]);
            live = p->reached[p->block[n]];
            memcpy(p->now, set_of(p, p->uniform, p->block[n]), p->words * sizeof *p->now);
            break;
        case KIND_JUMP:
            if (live)
                meet(p, p->block[target_of(p, n)]);
            live &= is_conditional(i);
            p->is_once[n] = !p->apart[n] && has(p->now, predicate_item(p, i->guard)) &&
                            has(p->now, predicate_item(p, i->p0));
            break;
        case KIND_EXIT:
            if (!p->apart[n]) /* else others may have written what is the same in these lanes */
                memcpy(set_of(p, p->left, exits), p->now, p->words * sizeof *p->now);
            else
                memset(set_of(p, p->left, exits), 0, p->words * sizeof *p->now);
            exits++;
            live &= is_conditional(i);
            break;
        case KIND_END:
            live = false;
            break;
        case KIND_SPLAT:
            put_results(p, i, false, true);
            break;
        case KIND_OP:
            p->is_once[n] = live && !p->apart[n] && program->vector[n] != NO_VECTOR &&
                            p->once[program->vector[n]] && has_uniform_operands(p, i);
            if (!p->is_once[n] || (i->guard != ET_P_T && !is_uniform_result(p, i)))
                put_results(p, i, false, true);
            else
                put_results(p, i, true, false);
            break;
        default:
            break;
        }
    }
}

/* ---- where lanes may be apart */
/* Marks instructions from..to - 1; whether some were not marked. */
static bool mark_apart(struct plan *p, size_t from, size_t to)
{
    bool marks = false;
    for (size_t n = from; n < to; n++) {
        marks |= !p->apart[n];
        p->apart[n] = true;
    }
    return marks;
}

/* Lanes that part at a jump run the code up to its target (from it, when it lies behind) before they are one
 * again, the lowest first; those that an exit ends never come. Whether there is more of it than was known. */
static bool find_apart(struct plan *p)
{
    const struct et_program *program = p->program;
    bool more = false, marks = p->flow != NULL;
    while (marks) {
        marks = false;
        for (size_t n = 0; n < program->count; n++) {
            const enum kind kind = kind_of(p, n);
            if ((kind != KIND_JUMP && kind != KIND_EXIT) ||
                !(p->apart[n] || (is_conditional(&program->code[n]) && !p->is_once[n])))
                continue;
            const size_t target = kind == KIND_JUMP ? target_of(p, n) : program->count;
            marks |= mark_apart(p, ET_MIN(n + 1, target), ET_MAX(n + 1, target));
        }
        more |= marks;
    }
    return more;
}

/* ---- backward: where all lanes are wanted */
static void want_operands(const struct plan *p, const struct insn *i)
{
    const uint8_t predicates[] = {i->guard, i->p0, i->p1, i->p2};
    const uint16_t from[] = {i->a, i->b, i->c, i->e};
    for (unsigned n = 0; n < ET_COUNT(predicates); n++)
        put(p->now, predicate_item(p, predicates[n]), true);
    for (unsigned n = 0; n < ET_COUNT(from) && i->op != et_op_splat; n++)
        for (unsigned word = 0; word < ET_MAX(1u, et_ir_src_words(i->ir, n)); word++)
            put(p->now, from[n] + word, true);
    if (i->op == et_op_splat || i->ir->op != ET_IR_TEX)
        return;
    for (unsigned n = 0; n < TEX_SLOTS; n++)
        put(p->now, p->program->tex[i->ir->tex].slot[n], true);
}

static void want_op(const struct plan *p, size_t n)
{
    const struct insn *i = &p->program->code[n];
    if (p->is_once[n]) {
        p->spreads[n] = has(p->now, i->d) || has(p->now, predicate_item(p, i->q0)) ||
                        has(p->now, predicate_item(p, i->q1));
        if (i->guard == ET_P_T)
            put_results(p, i, false, false);
        return;
    }
    if (i->guard == ET_P_T && !p->apart[n] && p->program->vector[n] != NO_VECTOR)
        put_results(p, i, false, false);
    else
        put_results(p, i, true, true);
    want_operands(p, i);
    if (!names_predicates(i))
        put_all_predicates(p, true);
}

static void look_backward(struct plan *p, size_t exits)
{
    const struct et_program *program = p->program;
    memset(p->now, 0, p->words * sizeof *p->now);
    for (size_t n = program->count; n--;) {
        const struct insn *i = &program->code[n];
        const enum kind kind = kind_of(p, n);
        uint64_t *at;
        if (kind == KIND_END || ((kind == KIND_JUMP || kind == KIND_EXIT) && !is_conditional(i)))
            memset(p->now, 0, p->words * sizeof *p->now);
        switch (kind) {
        case KIND_LEAD:
            at = set_of(p, p->wanted, p->block[n]);
            p->changed |= memcmp(at, p->now, p->words * sizeof *at) != 0;
            memcpy(at, p->now, p->words * sizeof *at);
            break;
        case KIND_JUMP:
            at = set_of(p, p->wanted, p->block[target_of(p, n)]);
            for (size_t m = 0; m < p->words; m++)
                p->now[m] |= at[m];
            if (!p->is_once[n]) {
                put(p->now, predicate_item(p, i->guard), true);
                put(p->now, predicate_item(p, i->p0), true);
            }
            break;
        case KIND_EXIT:
            at = set_of(p, p->left, --exits);
            for (unsigned slot = 0; slot < program->registers; slot++)
                if (!has(at, slot))
                    put(p->now, slot, true);
            put(p->now, predicate_item(p, i->guard), true);
            put(p->now, predicate_item(p, i->p0), true);
            break;
        case KIND_SPLAT:
            put_results(p, i, true, true);
            want_operands(p, i);
            break;
        case KIND_OP:
            want_op(p, n);
            break;
        default:
            break;
        }
    }
}

/* ---- what a start must clear */
static void take_alive(const struct plan *p, size_t n)
{
    const struct insn *i = &p->program->code[n];
    const bool plain = i->op != et_op_splat && et_op_is_plain(i->ir);
    if (i->guard == ET_P_T && plain)
        put_results(p, i, false, false);
    if (!plain) /* some keep a part of what they write to */
        put_results(p, i, true, false);
    want_operands(p, i);
}

/* What may be read before it is written, by each lane on its own way. */
static void look_alive(struct plan *p)
{
    const struct et_program *program = p->program;
    memset(p->now, 0, p->words * sizeof *p->now);
    for (size_t n = program->count; n--;) {
        const enum kind kind = kind_of(p, n);
        uint64_t *at;
        if (kind == KIND_END ||
            ((kind == KIND_JUMP || kind == KIND_EXIT) && !is_conditional(&program->code[n])))
            memset(p->now, 0, p->words * sizeof *p->now);
        if (kind == KIND_LEAD) {
            at = set_of(p, p->wanted, p->block[n]);
            p->changed |= memcmp(at, p->now, p->words * sizeof *at) != 0;
            memcpy(at, p->now, p->words * sizeof *at);
        } else if (kind == KIND_JUMP) {
            at = set_of(p, p->wanted, p->block[target_of(p, n)]);
            for (size_t m = 0; m < p->words; m++)
                p->now[m] |= at[m];
        } else if (kind == KIND_SPLAT || kind == KIND_OP) {
            take_alive(p, n);
        }
    }
}

/* Of vertices nobody reads the registers at the end, so that only what is read too early matters; false
 * without memory. */
static bool plan_clears(struct plan *p)
{
    const struct et_program *program = p->program;
    const uint64_t *const alive = set_of(p, p->wanted, p->block[program->entry]);
    unsigned passes = 0;
    uint16_t *clears;
    memset(p->wanted, 0, p->blocks * p->words * sizeof *p->wanted);
    do {
        p->changed = false;
        look_alive(p);
    } while (p->changed && ++passes < PASSES);
    if (p->changed)
        return true;
    clears = et_calloc(program->clear_count + 1u, sizeof *clears);
    if (!clears)
        return false;
    p->team->clears = clears;
    p->team->clear_count = 0;
    for (uint32_t n = 0; n < program->clear_count; n++)
        if (has(alive, program->clears[n]))
            clears[p->team->clear_count++] = program->clears[n];
    return true;
}

/* ---- the code */
static void change_code(const struct plan *p)
{
    const struct et_program *program = p->program;
    for (size_t n = 0; n < program->count; n++) {
        struct insn *out = &p->team->code[n];
        if (!p->is_once[n])
            continue;
        if (kind_of(p, n) == KIND_JUMP) {
            out->op = et_op_team_jump_once;
        } else {
            out->op = p->once[program->vector[n]];
            out->uniform = p->spreads[n];
        }
    }
}

/* Lists what each exit must spread. */
static bool list_spread(struct plan *p, size_t exits)
{
    const struct et_program *program = p->program;
    struct et_program *team = p->team;
    uint64_t *first = p->now;
    size_t capacity = 0, count = 0;
    memset(first, 0, p->words * sizeof *first);
    for (size_t n = 0; n < program->count; n++)
        if (p->is_once[n] && !p->spreads[n] && kind_of(p, n) == KIND_OP)
            put(first, program->code[n].d, true);
    for (size_t n = 0, exit = 0; exit < exits; n++) {
        if (kind_of(p, n) != KIND_EXIT)
            continue;
        const uint64_t *left = set_of(p, p->left, exit++);
        team->code[n].imm = (uint32_t)count;
        for (unsigned slot = 0; slot < program->registers; slot++) {
            if (!has(left, slot) || !has(first, slot))
                continue;
            if (!et_grow(&team->spread, &capacity, count + 1, sizeof *team->spread))
                return false;
            team->spread[count++] = (uint16_t)(slot * ET_TEAM);
        }
        team->code[n].imm2 = (uint32_t)count - team->code[n].imm;
    }
    return true;
}

/* Numbers the blocks and counts the exits; whether all jumps go to a block and the sets are small. */
static bool find_blocks(struct plan *p, size_t *exits)
{
    const struct et_program *program = p->program;
    bool good = program->code[program->entry].op == et_op_lead;
    for (size_t n = 0; n < program->count; n++)
        p->block[n] = program->code[n].op == et_op_lead ? (uint32_t)p->blocks++ : UINT32_MAX;
    for (size_t n = 0; n < program->count; n++) {
        const enum kind kind = kind_of(p, n);
        *exits += kind == KIND_EXIT;
        good &= kind != KIND_JUMP ||
                (target_of(p, n) < program->count && p->block[target_of(p, n)] != UINT32_MAX);
    }
    return good && (p->blocks + *exits) * p->words <= SET_WORDS;
}

/* Whether it came to an end. */
static bool look(struct plan *p, size_t exits)
{
    unsigned forward = 0, backward = 0;
    do {
        memset(p->reached, 0, p->blocks * sizeof *p->reached);
        memset(p->now, 0xff, p->words * sizeof *p->now); /* registers and predicates start as zero */
        meet(p, p->block[p->program->entry]);
        do {
            p->changed = false;
            look_forward(p);
        } while (p->changed && ++forward < PASSES);
    } while (!p->changed && find_apart(p) && ++forward < PASSES);
    if (p->changed || forward >= PASSES)
        return false;
    do {
        p->changed = false;
        look_backward(p, exits);
    } while (p->changed && ++backward < PASSES);
    return !p->changed;
}

static bool reserve(struct plan *p, size_t exits)
{
    p->uniform = et_calloc((p->blocks + 1) * p->words, sizeof *p->uniform);
    p->wanted = et_calloc((p->blocks + 1) * p->words, sizeof *p->wanted);
    p->left = et_calloc((exits + 1) * p->words, sizeof *p->left);
    p->now = et_calloc(p->words, sizeof *p->now);
    p->reached = et_calloc(p->blocks + 1, sizeof *p->reached);
    return p->uniform && p->wanted && p->left && p->now && p->reached;
}

bool et_program_plan_once(const struct et_program *program, struct et_program *team, op_fn *const *once,
                          const struct flow *flow)
{
    struct plan p = {.program = program, .team = team, .once = once, .flow = flow};
    size_t exits = 0;
    bool memory;
    p.words = (program->slots + ET_P_COUNT + 63u) / 64;
    p.block = et_calloc(program->count + 1, sizeof *p.block);
    p.is_once = et_calloc(program->count + 1, sizeof *p.is_once);
    p.spreads = et_calloc(program->count + 1, sizeof *p.spreads);
    p.apart = et_calloc(program->count + 1, sizeof *p.apart);
    memory = p.block && p.is_once && p.spreads && p.apart;
    if (memory && find_blocks(&p, &exits)) {
        memory = reserve(&p, exits);
        if (memory && look(&p, exits)) {
            change_code(&p);
            memory = list_spread(&p, exits);
        }
        memory = memory && (!flow || plan_clears(&p));
    }
    et_free(p.block);
    et_free(p.is_once);
    et_free(p.spreads);
    et_free(p.apart);
    et_free(p.uniform);
    et_free(p.wanted);
    et_free(p.left);
    et_free(p.now);
    et_free(p.reached);
    return memory;
}
