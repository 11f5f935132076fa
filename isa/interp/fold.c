/* What linking leaves out: moves of constants, whose readers take the constant itself, and jumps to jumps.
 * Only within a straight run: its instructions have the same lanes. */
#include "isa/interp/ops.h"

#include "base/alloc.h"

#include <string.h>

struct slot {
    size_t move;     /* the move that last wrote it and that nobody has read, + 1; 0: none */
    uint16_t source; /* the constant that it holds; 0: unknown */
    bool uniform;    /* in all lanes */
};

struct folder {
    struct et_program *program;
    op_fn *const *alu;
    struct slot *slots;
    bool *gone; /* instructions */
};

static void forget(struct folder *f)
{
    memset(f->slots, 0, (f->program->slots + 16u) * sizeof *f->slots);
}

static void read_slot(struct folder *f, unsigned first, unsigned words)
{
    for (unsigned n = 0; n < words; n++)
        f->slots[first + n].move = 0;
}

static void read_sources(struct folder *f, struct insn *i, bool vector)
{
    uint16_t *const from[] = {&i->a, &i->b, &i->c, &i->e};
    for (unsigned s = 0; s < ET_COUNT(from); s++) {
        const unsigned words = et_ir_src_words(i->ir, s);
        const struct slot *slot = &f->slots[*from[s]];
        if (vector && words == 1 && slot->source && (slot->uniform || !i->uniform))
            *from[s] = slot->source;
        read_slot(f, *from[s], words);
    }
}

static void write_slots(struct folder *f, const struct insn *i, unsigned first, unsigned words)
{
    for (unsigned n = 0; n < words; n++) {
        struct slot *slot = &f->slots[first + n];
        if (slot->move && i->guard == ET_P_T && (i->uniform || !slot->uniform))
            f->gone[slot->move - 1] = true;
        *slot = (struct slot){0};
    }
}

static void fold_insn(struct folder *f, size_t n)
{
    struct insn *i = &f->program->code[n];
    if (i->op == et_op_mode)
        return;
    if (i->op == et_op_splat) { /* all lanes get what running ones hold */
        read_slot(f, i->d, i->imm);
        return;
    }
    if (!i->ir || i->op == et_op_bindless || i->ir->op == ET_IR_TEX || !et_op_is_plain(i->ir)) {
        forget(f);
        return;
    }
    read_sources(f, i, f->program->vector[n] != NO_VECTOR);
    write_slots(f, i, i->d, et_ir_dst_words(i->ir, 0));
    if (i->op == f->alu[ALU_mov] && i->guard == ET_P_T && i->a >= f->program->pool_slot &&
        i->d < f->program->trash)
        f->slots[i->d] = (struct slot){n + 1, i->a, i->uniform != 0};
}

/* Closes the gaps. */
static void compact(struct et_program *program, const bool *gone)
{
    size_t kept = 0;
    for (size_t n = 0, m = 0; n < program->count; n++) { /* index[] ascends with the code */
        for (; m < program->index_count && (program->index[m] == UINT32_MAX || program->index[m] <= n); m++)
            if (program->index[m] == n)
                program->index[m] = (uint32_t)kept;
        if (gone[n])
            continue;
        program->code[kept] = program->code[n];
        program->vector[kept++] = program->vector[n];
    }
    program->count = kept;
}

bool et_program_fold(struct et_program *program, op_fn *const *alu)
{
    struct folder f = {.program = program, .alu = alu};
    if (program->indirect) /* who knows where a run is entered */
        return true;
    f.slots = et_calloc(program->slots + 16u, sizeof *f.slots);
    f.gone = et_calloc(program->count + 1, sizeof *f.gone);
    if (f.slots && f.gone) {
        for (size_t n = 0; n < program->count; n++)
            fold_insn(&f, n);
        compact(program, f.gone);
    }
    et_free(f.slots);
    et_free(f.gone);
    return f.slots && f.gone;
}

/* The jump that a run of nothing else consists of, or NULL. */
static const struct insn *lone_jump(const struct et_program *program, uint32_t at)
{
    const struct insn *lead = &program->code[at];
    if (lead->op != et_op_lead || lead->imm != 1 || at + 1 >= program->count)
        return NULL;
    const struct insn *jump = lead + 1;
    return jump->ir && jump->ir->op == ET_IR_JUMP && jump->guard == ET_P_T && jump->p0 == ET_P_T &&
                   !(jump->flags & (ET_F_CALL | ET_F_RET))
               ? jump
               : NULL;
}

void et_program_thread_jumps(struct et_program *program)
{
    enum { STEPS = 8 }; /* a ring of jumps stays one */
    for (size_t n = 0; n < program->count; n++) {
        struct insn *i = &program->code[n];
        const struct insn *next;
        if (!i->ir || i->ir->op != ET_IR_JUMP || i->op != et_op_jump)
            continue;
        i->imm = i->target;
        i->imm2 = 0;
        while (i->imm2 < STEPS && (next = lone_jump(program, i->imm))) {
            i->imm = next->target;
            i->imm2++;
        }
    }
}
