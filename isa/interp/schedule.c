/* Control flow, divergence and a warp's turns.
 *
 * Maxwell: one running set of lanes and a stack. A divergent branch pushes the lanes that take it and goes on
 * with the rest; SSY, PBK, PCNT and CAL push where their lanes meet again; SYNC, BRK, CONT and RET take lanes
 * out of everything above the entry that they name, and when no lane is left running the top entry is popped.
 * [DRV]
 *
 * Volta and later: lanes form groups, each with its own place. A divergent branch makes a group of the lanes
 * that take it; the others run first. BSYNC holds a group until all lanes of the barrier's mask that still
 * live have come or left (BREAK, EXIT); WARPSYNC until those of its mask have. Groups take turns, at YIELD
 * and when a turn is used up (one that has just parted keeps the rest of its warp's), so that lanes that spin
 * let the others progress; groups that stand at the same place join. [INF] */
#include "isa/interp/ops.h"

#include "base/alloc.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { TURN = 512 }; /* instructions that a group runs while others of its warp are ready */

/* Adds the instruction's text, or its op's name, behind the cause. */
static void name_instruction(struct etalon_error *error, const struct et_program *program,
                             const struct et_ir *ir)
{
    char text[128];
    const size_t length = strlen(error->text);
    et_program_text(program, ir->pc, text, sizeof text);
    snprintf(error->text + length, sizeof error->text - length, " in %s",
             text[0] ? text : et_ir_ops[ir->op].name);
}

const struct insn *et_warp_fail(struct warp *w, const struct insn *i, int lane, enum etalon_status status,
                                const char *format, ...)
{
    char text[160];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    if (i && i->ir)
        et_at_pc(w->error, i->ir->pc);
    if (lane >= 0)
        et_at_lane(w->error, (uint32_t)lane);
    if (w->io)
        et_at_warp(w->error, w->io->warp);
    else if (w->block)
        et_at_warp(w->error, (uint32_t)w->block->number * w->block->warp_count + w->index);
    et_fail(w->error, status, "%s", text);
    if (i && i->ir)
        name_instruction(w->error, w->program, i->ir);
    w->stop = STOP_ERROR;
    return NULL;
}

/* ---- places in the code */
static const struct insn *at(const struct warp *w, uint32_t index)
{
    return w->program->code + index;
}

/* The instruction of a machine address, or NULL. */
static const struct insn *find(const struct warp *w, uint64_t address)
{
    const struct et_program *program = w->program;
    const uint64_t slot = address >> 3;
    if (address & 7 || slot >= program->index_count || program->index[slot] == UINT32_MAX)
        return NULL;
    return program->code + program->index[slot];
}

/* Code between two leaders expects an FP mode; whoever enters there sets it. */
static void enter(struct warp *w, const struct insn *i)
{
    if (i->op != et_op_lead && i->ir && i->ir->pc >> 3 < w->program->index_count) {
        const uint8_t mode = w->program->mode[i->ir->pc >> 3];
        if (mode != MODE_NONE)
            set_mode(w, mode);
    }
}

const struct insn *et_op_lead(struct warp *w, const struct insn *i)
{
    if (w->slice <= 0) {
        w->next = i;
        w->stop = STOP_SLICE;
        return NULL;
    }
    w->slice -= (int64_t)i->imm;
    w->count += i->imm;
    w->lane_count +=
        (uint64_t)i->imm * (w->active == ~0u ? ET_LANES : (unsigned)__builtin_popcount(w->active));
    if (i->fn != MODE_NONE)
        set_mode(w, i->fn);
    NEXT;
}

/* In front of a run of instructions that wants another FP mode. */
const struct insn *et_op_mode(struct warp *w, const struct insn *i)
{
    set_mode(w, i->fn);
    NEXT;
}

const struct insn *et_op_end(struct warp *w, const struct insn *i)
{
    et_at_pc(w->error, i->imm);
    return et_warp_fail(w, i, -1, ETALON_ILLEGAL_INSTRUCTION, "ran past the end of the program");
}

const struct insn *et_op_illegal(struct warp *w, const struct insn *i)
{
    const enum etalon_status status = i->imm ? (enum etalon_status)i->imm : ETALON_ILLEGAL_INSTRUCTION;
    struct etalon_error why = {0};
    if (!lanes_of(w, i))
        return i + 1;
    if (w->program->machine)
        et_program_refusal(w->program, i->ir->pc, &why);
    return et_warp_fail(w, i, __builtin_ctz(lanes_of(w, i)), status, "%s",
                        why.text[0] ? why.text : etalon_status_name(status));
}

const struct insn *et_op_trap(struct warp *w, const struct insn *i)
{
    const uint32_t mask = lanes_of(w, i);
    if (!mask)
        return i + 1;
    return et_warp_fail(w, i, __builtin_ctz(mask), ETALON_TRAP, "trap");
}

/* ---- groups */
static struct group *new_group(struct warp *w, uint32_t mask, const struct insn *next)
{
    struct group *group = &w->groups[w->group_count++];
    *group = (struct group){.mask = mask, .next = next, .depth = w->call_depth, .state = GROUP_READY};
    return group;
}

/* Lanes that run for their quad alone must be handed back before lanes part: what silicon does then is not
 * known. */
static bool none_borrowed(struct warp *w, const struct insn *i)
{
    if (!(w->borrowed & w->active))
        return true;
    et_warp_fail(w, i, -1, ETALON_UNSUPPORTED, "lanes part while lanes %08x run for their quad",
                 (unsigned)(w->borrowed & w->active));
    return false;
}

static bool push(struct warp *w, const struct insn *i, uint8_t type, uint32_t mask, uint32_t target)
{
    const uint32_t limit = w->launch->budget.call_depth ? w->launch->budget.call_depth : 1u << 16;
    if (w->stack_count >= limit) {
        et_warp_fail(w, i, __builtin_ctz(w->active), ETALON_STACK, "more than %u entries", limit);
        return false;
    }
    if (!et_grow(&w->stack, &w->stack_capacity, w->stack_count + 1, sizeof *w->stack)) {
        et_warp_fail(w, i, -1, ETALON_NO_MEMORY, "stack");
        return false;
    }
    w->stack[w->stack_count++] = (struct stack_entry){type, mask, target};
    return true;
}

static uint32_t index_of(const struct warp *w, const struct insn *i)
{
    return (uint32_t)(i - w->program->code);
}

/* Sets `lanes` (fewer than all active) aside, to go on at `target`; the rest stay. */
static bool set_aside(struct warp *w, const struct insn *i, uint32_t lanes, const struct insn *target)
{
    if (!none_borrowed(w, i))
        return false;
    w->active &= ~lanes;
    if (w->program->isa == ET_ISA_MAXWELL)
        return push(w, i, STACK_DIVERGED, lanes, index_of(w, target));
    new_group(w, lanes, target);
    return true;
}

/* Maxwell: no lane runs; the next entry with living lanes does. */
static const struct insn *unwind(struct warp *w, const struct insn *i)
{
    while (w->stack_count) {
        const struct stack_entry *entry = &w->stack[--w->stack_count];
        const uint32_t lanes = entry->mask & w->live;
        if (lanes) {
            w->active = lanes;
            w->borrowed = 0;
            return at(w, entry->target);
        }
    }
    if (w->live)
        return et_warp_fail(w, i, __builtin_ctz(w->live), ETALON_STACK, "lanes left with an empty stack");
    w->stop = STOP_EXIT;
    return NULL;
}

static bool deeper(struct warp *w, const struct insn *i)
{
    const uint32_t limit = w->launch->budget.call_depth ? w->launch->budget.call_depth : 1u << 16;
    if (i->flags & ET_F_RET && w->call_depth)
        w->call_depth--;
    if (!(i->flags & ET_F_CALL) || ++w->call_depth <= limit)
        return true;
    et_warp_fail(w, i, __builtin_ctz(w->active), ETALON_STACK, "calls deeper than %u", limit);
    return false;
}

const struct insn *et_op_jump(struct warp *w, const struct insn *i)
{
    const uint32_t taken = lanes_of(w, i) & predicate(w, i->p0);
    if (!taken)
        NEXT;
    if (i->flags & (ET_F_CALL | ET_F_RET) && !deeper(w, i))
        return NULL;
    if (taken == w->active) {
        w->slice -= (int64_t)i->imm2; /* jumps that it goes past */
        w->count += i->imm2;
        w->lane_count += (uint64_t)i->imm2 * (unsigned)__builtin_popcount(taken);
        GO(at(w, i->imm));
    }
    return set_aside(w, i, taken, at(w, i->target)) ? i + 1 : NULL;
}

const struct insn *et_op_jump_reg(struct warp *w, const struct insn *i)
{
    uint32_t left = lanes_of(w, i) & predicate(w, i->p0);
    const uint32_t *a = source(w, i->a), stay = w->active & ~left;
    const struct insn *next = stay ? i + 1 : NULL;
    if (!left)
        return i + 1;
    if (!deeper(w, i))
        return NULL;
    while (left) {
        const uint32_t first = (uint32_t)__builtin_ctz(left), low = a[first],
                       high = i->flags & ET_F_A64 ? a[ET_LANES + first] : 0;
        const uint64_t address =
            (i->flags & ET_F_A64 ? (uint64_t)high << 32 | low : (uint64_t)(int64_t)(int32_t)low) +
            i->ir->target;
        const struct insn *target = find(w, i->flags & ET_F_A64 ? address : (uint32_t)address);
        uint32_t same = 0;
        FOR_LANES(l, left)
        {
            if (a[l] == low && (!(i->flags & ET_F_A64) || a[ET_LANES + l] == high))
                same |= 1u << l;
        }
        left &= ~same;
        if (!target) {
            et_at_address(w->error, address);
            return et_warp_fail(w, i, (int)first, ETALON_ILLEGAL_INSTRUCTION,
                                "jump to 0x%llx, where no instruction is", (unsigned long long)address);
        }
        if (!next && !left) /* the last ones run */
            next = target;
        else if (!set_aside(w, i, same, target))
            return NULL;
    }
    if (w->slice <= 0) {
        w->next = next;
        w->stop = STOP_SLICE;
        return NULL;
    }
    w->slice--; /* a loop of indirect jumps may pass no leader */
    w->count++;
    enter(w, next);
    return next;
}

/* ---- ends */
static void release(struct warp *w);

const struct insn *et_op_exit(struct warp *w, const struct insn *i)
{
    const uint32_t lanes = lanes_of(w, i) & predicate(w, i->p0);
    if (!lanes)
        return i + 1;
    w->live &= ~lanes;
    w->active &= ~lanes;
    if (!(w->active & ~w->borrowed)) /* those that ran for lanes that are gone go back */
        w->active = 0;
    if (w->program->isa == ET_ISA_MAXWELL)
        return w->active ? i + 1 : unwind(w, i);
    if (w->group_count > 1)
        release(w);
    if (w->active)
        return i + 1;
    w->stop = STOP_EXIT;
    return NULL;
}

/* ---- convergence barriers */
static uint32_t *barrier_of(struct warp *w, unsigned n)
{
    return file(w, w->program->barriers + (n & 15));
}

/* What a waiting group waits for: lanes that still live. */
static uint32_t wanted_by(struct warp *w, const struct group *group)
{
    return (group->state == GROUP_BSYNC ? barrier_of(w, group->barrier)[__builtin_ctz(group->mask)]
                                        : group->wait) &
           w->live;
}

static bool waits_with(struct warp *w, const struct group *group, const struct group *other)
{
    return other->mask && other->state == group->state && other->barrier == group->barrier &&
           wanted_by(w, other) == wanted_by(w, group);
}

/* Wakes groups whose wait is over. Those that waited together for one barrier and came by different ways go
 * on where BSSY said; groups at one place become one when they are chosen. */
static void release(struct warp *w)
{
    for (unsigned g = 0; g < w->group_count; g++) {
        struct group *const group = &w->groups[g];
        uint32_t come = 0;
        bool one_place = true, woken[ET_LANES];
        if (!group->mask || (group->state != GROUP_BSYNC && group->state != GROUP_WARPSYNC))
            continue;
        for (unsigned h = 0; h < w->group_count; h++) {
            woken[h] = waits_with(w, group, &w->groups[h]);
            if (woken[h]) {
                come |= w->groups[h].mask;
                one_place &= w->groups[h].next == group->next;
            }
        }
        if (wanted_by(w, group) & ~come)
            continue;
        for (unsigned h = 0; h < w->group_count; h++)
            if (woken[h]) {
                if (!one_place && w->groups[h].state == GROUP_BSYNC)
                    w->groups[h].next = at(w, w->barrier_target[w->groups[h].barrier]);
                w->groups[h].state = GROUP_READY;
            }
    }
}

/* The lanes wait in a group of their own; the others, if any, go on. */
static const struct insn *wait(struct warp *w, const struct insn *i, uint32_t lanes, uint8_t state,
                               uint8_t barrier, uint32_t mask)
{
    struct group *group;
    if (!none_borrowed(w, i))
        return NULL;
    if (lanes == w->active) {
        group = &w->groups[w->current];
        group->mask = lanes;
        w->stop = STOP_WAIT;
    } else {
        group = new_group(w, lanes, NULL);
        w->active &= ~lanes;
        w->stop = STOP_NONE;
    }
    group->next = i + 1;
    group->state = state;
    group->barrier = barrier;
    group->wait = mask;
    if (state != GROUP_BAR)
        release(w);
    return w->stop == STOP_WAIT ? NULL : i + 1;
}

const struct insn *et_op_bssy(struct warp *w, const struct insn *i)
{
    const uint32_t mask = lanes_of(w, i), lanes = mask & predicate(w, i->p0);
    uint32_t *barrier = barrier_of(w, i->imm);
    FOR_LANES(l, mask)
    {
        barrier[l] = lanes;
    }
    w->barrier_target[i->imm & 15] = i->target;
    return i + 1;
}

/* Lanes that run together may stand in different masks: each set waits for its own. */
const struct insn *et_op_bsync(struct warp *w, const struct insn *i)
{
    const uint32_t *barrier = barrier_of(w, i->imm);
    uint32_t left = lanes_of(w, i) & predicate(w, i->p0);
    while (left) {
        const uint32_t mask = barrier[__builtin_ctz(left)];
        uint32_t same = 0;
        FOR_LANES(l, left)
        {
            same |= (uint32_t)(barrier[l] == mask) << l;
        }
        left &= ~same;
        if (mask & w->live & ~same && !wait(w, i, same, GROUP_BSYNC, i->imm & 15, 0))
            return NULL;
    }
    return i + 1;
}

const struct insn *et_op_break(struct warp *w, const struct insn *i)
{
    const uint32_t lanes = lanes_of(w, i) & predicate(w, i->p0);
    uint32_t *barrier = barrier_of(w, i->imm), others = 0;
    FOR_LANES(l, lanes)
    {
        others |= barrier[l];
        barrier[l] &= ~lanes;
    }
    FOR_LANES(l, others & ~lanes)
    {
        barrier[l] &= ~lanes;
    }
    if (w->group_count > 1)
        release(w);
    return i + 1;
}

static uint32_t quads_of(uint32_t lanes)
{
    for (unsigned quad = 0; quad < 8; quad++)
        lanes |= lanes >> 4 * quad & 15 ? 15u << 4 * quad : 0;
    return lanes;
}

/* Gradients of one lane at a time: the rest of its quad computes for it, whatever way those lanes took, and
 * is handed back after. No lane can be taken from the way that it goes. [INF] from the code that ptxas and
 * drivers put about derivatives */
static const struct insn *run_lanes(struct warp *w, const struct insn *i, uint32_t wanted)
{
    const uint32_t own = w->active & ~w->borrowed;
    wanted &= w->live;
    if (own & ~wanted || wanted & ~quads_of(own))
        return et_warp_fail(w, i, -1, ETALON_UNSUPPORTED, "running lanes %08x where %08x run",
                            (unsigned)wanted, (unsigned)own);
    w->borrowed = wanted & ~own;
    w->active = wanted;
    return i + 1;
}

const struct insn *et_op_quads(struct warp *w, const struct insn *i)
{
    const uint32_t own = w->active & ~w->borrowed;
    return lanes_of(w, i) ? run_lanes(w, i, i->fn ? own : quads_of(own)) : i + 1;
}

const struct insn *et_op_bmov_to(struct warp *w, const struct insn *i)
{
    const uint32_t mask = lanes_of(w, i), *a = source(w, i->a);
    uint32_t *barrier;
    if (i->imm == ET_BARRIER_MACTIVE) {
        const uint32_t own = mask & ~w->borrowed, lanes = own ? a[__builtin_ctz(own)] : 0;
        return own ? run_lanes(w, i, i->fn ? quads_of(lanes) : lanes) : i + 1;
    }
    barrier = barrier_of(w, i->imm);
    FOR_LANES(l, mask)
    {
        barrier[l] = a[l];
    }
    return i + 1;
}

const struct insn *et_op_bmov_from(struct warp *w, const struct insn *i)
{
    const uint32_t mask = lanes_of(w, i);
    uint32_t *barrier = barrier_of(w, i->imm), *d = file(w, i->d);
    FOR_LANES(l, mask)
    {
        d[l] = barrier[l];
        if (i->fn)
            barrier[l] = 0;
    }
    return i + 1;
}

const struct insn *et_op_warpsync(struct warp *w, const struct insn *i)
{
    const uint32_t lanes = lanes_of(w, i) & predicate(w, i->p0), *a = source(w, i->a);
    uint32_t mask;
    if (!lanes || w->program->isa == ET_ISA_MAXWELL)
        return i + 1;
    mask = a[__builtin_ctz(lanes)];
    if (!(mask & w->live & ~lanes))
        return i + 1;
    return wait(w, i, lanes, GROUP_WARPSYNC, 0, mask);
}

const struct insn *et_op_yield(struct warp *w, const struct insn *i)
{
    if (!(lanes_of(w, i) & predicate(w, i->p0)) || w->group_count < 2)
        return i + 1;
    w->next = i + 1;
    w->stop = STOP_SLICE;
    return NULL;
}

const struct insn *et_op_nanosleep(struct warp *w, const struct insn *i)
{
    if (!lanes_of(w, i))
        return i + 1;
    w->next = i + 1;
    w->stop = STOP_SLICE;
    w->rest = true;
    return NULL;
}

/* ---- Maxwell's stack */
const struct insn *et_op_push(struct warp *w, const struct insn *i)
{
    const uint32_t lanes = lanes_of(w, i);
    return !lanes || push(w, i, i->fn, w->active, i->target) ? i + 1 : NULL;
}

const struct insn *et_op_pop(struct warp *w, const struct insn *i)
{
    const uint32_t lanes = lanes_of(w, i) & predicate(w, i->p0);
    size_t n = w->stack_count;
    if (!lanes)
        return i + 1;
    while (n && !(w->stack[n - 1].type == i->fn && w->stack[n - 1].mask & lanes))
        n--;
    if (!n)
        return et_warp_fail(w, i, __builtin_ctz(lanes), ETALON_STACK, "no entry for it");
    if (!none_borrowed(w, i))
        return NULL;
    for (size_t m = n; m < w->stack_count; m++)
        w->stack[m].mask &= ~lanes;
    w->active &= ~lanes;
    return w->active ? i + 1 : unwind(w, i);
}

/* Lanes that do not call wait for the return. */
const struct insn *et_op_call(struct warp *w, const struct insn *i)
{
    const uint32_t lanes = lanes_of(w, i);
    if (!lanes)
        return i + 1;
    if (!push(w, i, STACK_RETURN, w->active, index_of(w, i + 1)))
        return NULL;
    w->active = lanes;
    return at(w, i->target);
}

const struct insn *et_op_call_reg(struct warp *w, const struct insn *i)
{
    const uint32_t lanes = lanes_of(w, i);
    if (!lanes)
        return i + 1;
    if (!push(w, i, STACK_RETURN, w->active, index_of(w, i + 1)))
        return NULL;
    w->active = lanes;
    return et_op_jump_reg(w, i);
}

/* ---- the block's barriers */
static uint32_t contribution(const struct warp *w, uint32_t lanes)
{
    return (w->live & ~lanes) ? (uint32_t)__builtin_popcount(lanes) : ET_LANES;
}

const struct insn *et_op_bar(struct warp *w, const struct insn *i)
{
    const uint32_t *a = source(w, i->a), *b = source(w, i->b);
    uint32_t lanes = lanes_of(w, i), threads, truth;
    struct barrier *barrier;
    unsigned number, first;
    if (!lanes)
        return i + 1;
    if (!w->block) { /* one warp alone */
        if (w->program->isa == ET_ISA_MAXWELL || !(w->live & ~lanes))
            return i + 1;
        return wait(w, i, lanes, GROUP_WARPSYNC, 0, ~0u);
    }
    if (w->program->isa == ET_ISA_MAXWELL) /* a warp comes as one */
        lanes = w->active;
    if (i->fn == ET_BAR_SCAN)
        return et_warp_fail(w, i, -1, ETALON_UNSUPPORTED, "BAR.SCAN");
    first = (unsigned)__builtin_ctz(lanes);
    number = a[first] & 15;
    threads = i->ir->src[1].kind == ET_SRC_NONE ? 0 : b[first];
    barrier = &w->block->barriers[number];
    truth = predicate(w, i->p0) & lanes;
    if (!barrier->used)
        *barrier = (struct barrier){.used = true, .all = true};
    barrier->arrived -= w->bar_arrived[number] ? contribution(w, w->bar_arrived[number]) : 0;
    /* Maxwell counts warps: who does not run is taken as present. */
    w->bar_arrived[number] |= w->program->isa == ET_ISA_MAXWELL ? w->live : lanes;
    barrier->arrived += contribution(w, w->bar_arrived[number]);
    barrier->expected = threads;
    if (i->fn != ET_BAR_ARRIVE)
        barrier->fn = i->fn;
    barrier->popc += (uint32_t)__builtin_popcount(truth);
    barrier->all &= truth == lanes;
    barrier->any |= truth != 0;
    if (i->fn == ET_BAR_ARRIVE) {
        et_block_check(w->block);
        return i + 1;
    }
    return wait(w, i, lanes, GROUP_BAR, (uint8_t)number, 0);
}

const struct insn *et_op_b2r_result(struct warp *w, const struct insn *i)
{
    const uint32_t mask = lanes_of(w, i);
    uint32_t *d = file(w, i->d);
    FOR_LANES(l, mask)
    {
        d[l] = w->bar_value;
    }
    set_predicate(w, i->q0, mask, w->bar_truth ? ~0u : 0);
    return i + 1;
}

const struct insn *et_op_b2r(struct warp *w, const struct insn *i)
{
    HEAD;
    FOR_LANES(l, mask)
    {
        d[l] = w->block ? w->block->barriers[a[l] & 15].arrived : 0;
    }
    return i + 1;
}

void et_block_check(struct block *block)
{
    for (unsigned n = 0; n < ET_COUNT(block->barriers); n++) {
        struct barrier *barrier = &block->barriers[n];
        uint32_t expected = barrier->expected;
        if (!barrier->used)
            continue;
        if (!expected)
            for (unsigned k = 0; k < block->warp_count; k++)
                expected += block->warps[k].live ? ET_LANES : 0;
        /* Lanes that have exited since may complete a warp. */
        barrier->arrived = 0;
        for (unsigned k = 0; k < block->warp_count; k++)
            if (block->warps[k].bar_arrived[n])
                barrier->arrived += contribution(&block->warps[k], block->warps[k].bar_arrived[n]);
        if (barrier->arrived < expected)
            continue;
        for (unsigned k = 0; k < block->warp_count; k++) {
            struct warp *w = &block->warps[k];
            w->bar_arrived[n] = 0;
            for (unsigned g = 0; g < w->group_count; g++) {
                if (w->groups[g].state != GROUP_BAR || w->groups[g].barrier != n)
                    continue;
                w->groups[g].state = GROUP_READY;
                if (barrier->fn != ET_BAR_SYNC) {
                    w->bar_value = barrier->popc;
                    w->bar_truth = barrier->fn == ET_BAR_RED_AND ? barrier->all : barrier->any;
                }
            }
        }
        *barrier = (struct barrier){0};
    }
}

/* ---- a warp's turns */
/* Whether every lane runs, and has a primitive. */
static bool is_whole(const struct warp *w, uint32_t lanes)
{
    const struct et_fragment_io *fragment = w->io ? w->io->fragment : NULL;
    bool whole = lanes == ~0u;
    for (unsigned quad = 0; quad < 8 && fragment; quad++)
        whole &= et_quad_primitive(fragment, quad) != NULL;
    return whole;
}

static void clear_file(struct warp *w, uint32_t lanes, bool fresh)
{
    const struct et_program *program = w->program;
    if (fresh || !is_whole(w, lanes)) {
        memset(w->file, 0, (size_t)program->pool_slot * ET_LANES * sizeof *w->file);
        return;
    }
    for (uint32_t n = 0; n < program->clear_count; n++)
        memset(file(w, program->clears[n]), 0, ET_LANES * sizeof *w->file);
}

enum etalon_status et_warp_start(struct warp *w, uint32_t lanes, bool fresh)
{
    const struct et_program *program = w->program;
    w->step = ET_LANES;
    clear_file(w, lanes, fresh);
    memset(w->pred, 0, sizeof w->pred);
    memset(w->bar_arrived, 0, sizeof w->bar_arrived);
    w->pred[ET_P_T] = w->pred[ET_P_UT] = ~0u;
    w->active = w->full = w->live = lanes;
    w->killed = w->borrowed = 0;
    w->mode = MODE_NONE;
    w->count = w->lane_count = 0;
    w->stack_count = 0;
    w->call_depth = 0;
    w->group_count = 0;
    w->current = 0;
    w->bar_value = 0;
    w->bar_truth = false;
    w->rest = false;
    w->done = !lanes;
    new_group(w, lanes, at(w, program->entry));
    if (w->local_high > w->local_low) {
        const uint64_t low = w->local_low / 4 * 4, high = ET_MIN((w->local_high + 3) / 4 * 4, w->local_bytes);
        memset(w->local + low * ET_LANES, 0, (size_t)(high - low) * ET_LANES);
    }
    w->local_low = UINT64_MAX;
    w->local_high = 0;
    if (w->launch->local_bytes > w->local_bytes || (w->launch->local_bytes && !w->local)) {
        et_free(w->local);
        w->local_bytes = 0;
        w->local = et_aligned_calloc(LOCAL_ALIGN, ((size_t)w->launch->local_bytes + 3) / 4 * 4, ET_LANES);
        if (!w->local)
            return et_fail(w->error, ETALON_NO_MEMORY, "local memory");
    }
    w->local_bytes = w->launch->local_bytes;
    return ETALON_OK;
}

void et_warp_release(struct warp *w)
{
    et_free(w->local);
    et_free(w->stack);
    et_free(w->file);
    w->local = NULL;
    w->stack = NULL;
    w->file = NULL;
}

/* Groups without lanes go; the order of the others stays. */
static void compact(struct warp *w)
{
    unsigned kept = 0;
    for (unsigned g = 0; g < w->group_count; g++) {
        w->groups[g].mask &= w->live;
        if (w->groups[g].mask) {
            if (g == w->current)
                w->current = kept;
            w->groups[kept++] = w->groups[g];
        } else if (g == w->current) {
            w->current = kept ? kept - 1 : 0;
        }
    }
    w->group_count = kept;
}

/* Chooses the next ready group after the current one and joins those that stand where it does; false when
 * none is ready. */
static bool choose_group(struct warp *w)
{
    bool found = false;
    if (w->group_count == 1 && w->groups[0].mask & w->live) {
        w->groups[0].mask &= w->live;
        w->current = 0;
        return w->groups[0].state == GROUP_READY;
    }
    compact(w);
    for (unsigned n = 1; n <= w->group_count && !found; n++) {
        const unsigned g = (w->current + n) % w->group_count;
        if (w->groups[g].state == GROUP_READY) {
            w->current = g;
            found = true;
        }
    }
    for (unsigned g = 0; found && g < w->group_count; g++)
        if (g != w->current && w->groups[g].state == GROUP_READY &&
            w->groups[g].next == w->groups[w->current].next) {
            w->groups[w->current].mask |= w->groups[g].mask;
            w->groups[w->current].borrowed &= ~(w->groups[g].mask & ~w->groups[g].borrowed);
            w->groups[g].mask = 0;
        }
    compact(w);
    return found;
}

static enum run idle(struct warp *w)
{
    for (unsigned g = 0; g < w->group_count; g++)
        if (w->groups[g].state == GROUP_BAR)
            return RUN_BLOCKED;
    et_warp_fail(w, w->group_count ? w->groups[0].next - 1 : NULL,
                 w->group_count ? __builtin_ctz(w->groups[0].mask) : -1, ETALON_DEADLOCK,
                 "lanes wait for others that never come");
    return RUN_FAILED;
}

enum run et_warp_run(struct warp *w, int64_t slice)
{
    /* A drawing's warp is short. */
    const uint64_t missing = UINT64_C(1) << (w->block ? 31 : 28);
    const uint64_t budget = w->launch->budget.instructions ? w->launch->budget.instructions : missing;
    w->mode = MODE_NONE;
    for (;;) {
        const uint64_t before = w->count;
        const struct insn *i;
        struct group *group;
        unsigned ready = 0;
        if (!w->live) {
            w->done = true;
            return RUN_DONE;
        }
        if (!choose_group(w))
            return idle(w);
        for (unsigned g = 0; g < w->group_count; g++)
            ready += w->groups[g].mask && w->groups[g].state == GROUP_READY;
        group = &w->groups[w->current];
        w->active = group->mask;
        w->borrowed = group->borrowed;
        w->call_depth = group->depth;
        w->slice = ready > 1 ? TURN : slice;
        w->stop = STOP_NONE;
        i = group->next;
        enter(w, i);
        while (i)
            i = i->op(w, i);
        slice -= (int64_t)(w->count - before);
        group = &w->groups[w->current];
        switch (w->stop) {
        case STOP_SLICE:
            group->mask = w->active;
            group->borrowed = w->borrowed;
            group->next = w->next;
            group->depth = w->call_depth;
            break;
        case STOP_WAIT:
            group->depth = w->call_depth;
            break;
        case STOP_EXIT:
            group->mask = 0;
            break;
        default:
            return RUN_FAILED;
        }
        if (w->count > budget) {
            et_warp_fail(w, w->stop == STOP_SLICE ? w->next : NULL, -1, ETALON_BUDGET,
                         "more than %llu instructions", (unsigned long long)budget);
            return RUN_FAILED;
        }
        if (w->launch->cancelled && w->launch->cancelled(w->launch->cancel_context)) {
            et_warp_fail(w, NULL, -1, ETALON_CANCELLED, "cancelled");
            return RUN_FAILED;
        }
        if (w->live && (slice <= 0 || w->rest)) {
            w->rest = false;
            return RUN_SLICE;
        }
    }
}
