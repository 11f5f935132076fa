/* Translation: finds what is reachable, decodes, lowers, links. */
#include "isa/interp/exec.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "isa/isa.h"

#include <stdlib.h>
#include <string.h>

struct translator {
    struct et_program *program;
    const uint8_t *code;
    size_t bytes;
    struct machine_insn *machine;
    size_t count, capacity;
    uint8_t *seen; /* a bit an address / 8 */
    uint64_t *todo;
    size_t todo_count, todo_capacity;
    bool indirect;
    struct et_ir_builder builder;
};

static unsigned word_bytes(const struct translator *t)
{
    return t->program->isa == ET_ISA_MAXWELL ? 8 : 16;
}

/* The instruction at or behind `pc`: Maxwell's bundles start with a scheduling word. */
static uint64_t skip_sched(const struct translator *t, uint64_t pc)
{
    return t->program->isa == ET_ISA_MAXWELL && !(pc & 31) ? pc + 8 : pc;
}

/* Whether an instruction at `pc` lies in the code. */
static bool is_inside(struct translator *t, uint64_t pc)
{
    const bool inside = pc < t->bytes && pc + word_bytes(t) <= t->bytes;
    t->program->info.cut |= !inside;
    return inside;
}

static bool is_seen(const struct translator *t, uint64_t pc)
{
    return t->seen[pc >> 6] >> (pc >> 3 & 7) & 1;
}

static bool push_address(struct translator *t, uint64_t pc)
{
    pc = skip_sched(t, pc);
    if (pc & (word_bytes(t) - 1) || !is_inside(t, pc) || is_seen(t, pc))
        return true;
    if (!et_grow(&t->todo, &t->todo_capacity, t->todo_count + 1, sizeof *t->todo))
        return false;
    t->todo[t->todo_count++] = pc;
    return true;
}

/* Decodes and lowers the instruction at `pc`; *guard is its predicate as soon as that is known. */
static enum etalon_status lower_at(const struct et_isa *isa, const uint8_t *code, size_t bytes, uint64_t pc,
                                   struct et_ir_builder *builder, uint8_t *guard, struct etalon_error *error)
{
    uint64_t word[2] = {0, 0};
    uint32_t control = 0;
    int is_sched = 0;
    struct et_insn insn;
    enum etalon_status status = et_isa_fetch(isa, code, bytes, pc, word, &control, &is_sched, error);
    *guard = ET_P_T;
    if (status == ETALON_OK && is_sched)
        status = et_fail(error, ETALON_ILLEGAL_INSTRUCTION, "a scheduling word is no instruction");
    if (status == ETALON_OK)
        status = et_isa_decode(isa, word, control, pc, &insn, error);
    if (status != ETALON_OK)
        return status;
    if (insn.guard.kind == ET_KIND_P)
        *guard = (uint8_t)((unsigned)insn.guard.value | (insn.guard.inv ? ET_P_NOT : 0));
    return et_isa_def_of(isa)->kind == ET_ISA_MAXWELL ? et_lower_maxwell(isa, &insn, builder, error)
                                                      : et_lower_ampere(isa, &insn, builder, error);
}

static void lower_one(struct translator *t, uint64_t pc)
{
    struct etalon_error error = {0};
    const size_t first = t->program->ir.count;
    uint8_t guard;
    const enum etalon_status status =
        lower_at(t->program->decoder, t->code, t->bytes, pc, &t->builder, &guard, &error);
    if (status != ETALON_OK) { /* an error when it is reached */
        t->program->ir.count = first;
        et_ir_begin(&t->builder, pc, guard);
        et_ir_emit(&t->builder, ET_IR_ILLEGAL)->imm = (int32_t)status;
    }
}

void et_program_refusal(const struct et_program *program, uint64_t pc, struct etalon_error *error)
{
    struct et_ir_program ir = {0};
    struct et_ir_builder builder = {.program = &ir};
    uint8_t guard;
    lower_at(program->decoder, program->machine, program->machine_bytes, pc, &builder, &guard, error);
    et_ir_program_finish(&ir);
}

static bool unconditional(const struct et_ir *ir)
{
    return ir->guard == ET_P_T && ir->psrc[0] == ET_P_T;
}

/* Follows the control flow of the ops of one instruction; whether what is behind it can be reached from it.
 */
static bool follow(struct translator *t, const struct machine_insn *machine, bool *ok)
{
    for (uint32_t n = 0; n < machine->count; n++) {
        const struct et_ir *ir = &t->program->ir.insns[machine->first + n];
        switch (ir->op) {
        case ET_IR_JUMP:
        case ET_IR_BSSY:
        case ET_IR_PUSH:
        case ET_IR_CALL:
            *ok &= push_address(t, ir->target);
            if (ir->op == ET_IR_JUMP && unconditional(ir) && !(ir->flags & ET_F_CALL))
                return false;
            break;
        case ET_IR_JUMP_REG:
            t->indirect = true;
            if (unconditional(ir) && !(ir->flags & ET_F_CALL))
                return false;
            break;
        case ET_IR_CALL_REG:
            t->indirect = true;
            break;
        case ET_IR_EXIT:
        case ET_IR_POP:
        case ET_IR_ILLEGAL:
            if (unconditional(ir))
                return false;
            break;
        default:
            break;
        }
    }
    return true;
}

/* Translates from pc up to where the flow ends or meets what is done. */
static bool translate_run(struct translator *t, uint64_t pc)
{
    bool ok = true, more = true;
    while (more && ok) {
        struct machine_insn *machine;
        pc = skip_sched(t, pc);
        if (!is_inside(t, pc) || is_seen(t, pc))
            return true;
        if (!et_grow(&t->machine, &t->capacity, t->count + 1, sizeof *t->machine))
            return false;
        t->seen[pc >> 6] |= (uint8_t)(1 << (pc >> 3 & 7));
        machine = &t->machine[t->count++];
        *machine = (struct machine_insn){
            .pc = pc, .next = skip_sched(t, pc + word_bytes(t)), .first = (uint32_t)t->program->ir.count};
        lower_one(t, pc);
        machine->count = (uint32_t)t->program->ir.count - machine->first;
        more = follow(t, machine, &ok);
        pc = machine->next;
        ok &= !t->builder.failed;
    }
    return ok;
}

static int by_address(const void *a, const void *b)
{
    const struct machine_insn *x = a, *y = b;
    return (x->pc > y->pc) - (x->pc < y->pc);
}

static bool translate(struct translator *t, uint64_t entry)
{
    bool all = false;
    if (!push_address(t, entry))
        return false;
    for (;;) {
        while (t->todo_count)
            if (!translate_run(t, t->todo[--t->todo_count]))
                return false;
        if (!t->indirect || all)
            break;
        all = true; /* any instruction may be a target */
        for (uint64_t pc = 0; pc + word_bytes(t) <= t->bytes; pc += word_bytes(t))
            if (!push_address(t, pc))
                return false;
    }
    qsort(t->machine, t->count, sizeof *t->machine, by_address);
    return true;
}

/* ---- facts that callers schedule by */

/* Whether IPA may be of that word. */
static bool names_word(const struct et_ir *ir, unsigned word)
{
    const struct et_ir_src *index = &ir->src[0];
    const bool indexed =
        index->kind != ET_SRC_NONE &&
        !(index->kind == ET_SRC_REG && (index->value == ET_R_RZ || index->value == ET_R_URZ));
    return indexed || (uint32_t)ir->imm / 4 == word;
}

static void note_op(struct et_program_info *info, const struct et_ir *ir, bool *loads, bool *fence)
{
    const bool global = ir->space == ET_SPACE_GLOBAL || ir->space == ET_SPACE_GENERIC;
    switch (ir->op) {
    case ET_IR_LD:
        *loads |= global;
        info->ordered |= global && ir->flags & ET_F_STRONG;
        info->reads_local_memory |= ir->space == ET_SPACE_LOCAL;
        break;
    case ET_IR_ST:
        info->stores_global |= global;
        break;
    case ET_IR_ATOM:
        if (!global)
            break;
        info->atomics = true;
        info->ordered |= (ir->dst[0] != ET_R_NONE && ir->dst[0] != ET_R_RZ) || ir->type == ET_F32 ||
                         ir->type == ET_F64 || ir->type == ET_F16X2 || ir->type == ET_BF16X2;
        break;
    case ET_IR_MEMBAR:
        *fence |= ir->fn != ET_SCOPE_CTA;
        break;
    case ET_IR_ALD:
        info->reads_outputs |= (ir->flags & ET_F_OUTPUT) != 0;
        break;
    case ET_IR_IPA:
        info->reads_z |= names_word(ir, 0x78 / 4);
        info->reads_w |= names_word(ir, 0x7c / 4);
        break;
    case ET_IR_KIL:
        info->kills = true;
        break;
    case ET_IR_S2R:
    case ET_IR_CS2R:
        info->reads_clock |=
            ir->imm == ET_SR_CLOCK || (ir->imm >= ET_SR_CLOCKLO && ir->imm <= ET_SR_GLOBALTIMERHI);
        break;
    case ET_IR_BAR:
        info->barriers = true;
        break;
    case ET_IR_FSWZADD:
        info->derivatives = true;
        break;
    case ET_IR_TEX:
        info->textures = true;
        break;
    default:
        break;
    }
}

static void note_facts(struct et_program *program)
{
    struct et_program_info *info = &program->info;
    bool loads = false, fence = false;
    for (size_t n = 0; n < program->ir.count; n++) {
        const struct et_ir *ir = &program->ir.insns[n];
        note_op(info, ir, &loads, &fence);
        if (ir->op == ET_IR_IMAGE) {
            const struct et_ir_tex *tex = &program->ir.tex[ir->tex];
            info->images = true;
            info->stores_global |= tex->image.op != ET_IMAGE_LOAD;
            info->atomics |= tex->image.op == ET_IMAGE_ATOMIC;
            info->ordered |= tex->image.op == ET_IMAGE_ATOMIC && tex->out[0] != ET_R_NONE;
        }
        if (ir->op == ET_IR_TEX && (program->ir.tex[ir->tex].tex.lod == ET_LOD_AUTO ||
                                    program->ir.tex[ir->tex].tex.lod == ET_LOD_BIAS))
            info->derivatives = true;
    }
    info->ordered |= loads && fence;
}

/* Facts, checks and code of program->ir. */
static enum etalon_status finish(struct et_program *program, const struct machine_insn *machine, size_t count,
                                 uint64_t entry, struct etalon_error *error)
{
    note_facts(program);
    program->key = program->machine
                       ? et_hash64(entry, program->machine, program->machine_bytes)
                       : et_hash64(entry, program->ir.insns, program->ir.count * sizeof *program->ir.insns);
#if defined(ETALON_DEBUG_CHECKS)
    if (et_ir_check(&program->ir, error) != ETALON_OK)
        return ETALON_INTERNAL;
#endif
    return et_program_link(program, machine, count, entry, error);
}

enum etalon_status et_program_create(struct et_program **out, enum et_isa_kind kind, const void *code,
                                     size_t bytes, size_t entry, struct etalon_error *error)
{
    struct et_isa *isa;
    enum etalon_status status = et_isa_open(et_isa_def_for(kind), &isa, error);
    *out = NULL;
    if (status == ETALON_OK)
        status = et_program_create_at(out, isa, code, bytes, entry, 0, error);
    if (status == ETALON_OK)
        (*out)->own_decoder = isa;
    else
        et_isa_close(isa);
    return status;
}

enum etalon_status et_program_create_at(struct et_program **out, const struct et_isa *isa, const void *code,
                                        size_t bytes, size_t entry, uint64_t origin,
                                        struct etalon_error *error)
{
    struct translator t = {.code = code, .bytes = bytes, .builder.origin = origin};
    struct et_program *program = et_calloc(1, sizeof *program);
    enum etalon_status status = ETALON_OK;
    *out = NULL;
    if (!program)
        return et_fail(error, ETALON_NO_MEMORY, "program");
    program->isa = et_isa_def_of(isa)->kind;
    program->decoder = isa;
    t.program = program;
    t.builder.program = &program->ir;
    entry = (size_t)skip_sched(&t, entry);
    if (entry & (word_bytes(&t) - 1) || entry + word_bytes(&t) > bytes || entry + word_bytes(&t) < entry) {
        et_free(program);
        et_at_offset(error, entry);
        return et_fail(error, ETALON_TRUNCATED, "the entry 0x%zx lies outside %zu bytes of code", entry,
                       bytes);
    }
    t.seen = et_calloc(bytes / 64 + 1, 1);
    if (!t.seen || !translate(&t, entry))
        status = et_fail(error, ETALON_NO_MEMORY, "program");
    if (status == ETALON_OK) { /* code may be a small part of a large range */
        program->machine_bytes = (size_t)ET_MIN(t.machine[t.count - 1].next, bytes);
        program->index_count = program->machine_bytes / 8 + 2;
        program->machine = et_calloc(program->machine_bytes, 1);
        if (!program->machine)
            status = et_fail(error, ETALON_NO_MEMORY, "program");
    }
    if (status == ETALON_OK) {
        memcpy(program->machine, code, program->machine_bytes);
        program->info.instructions = (uint32_t)t.count;
        program->info.bytes = program->machine_bytes;
        program->info.cut |= t.indirect;
        program->info.absolute = t.builder.absolute;
        program->indirect = t.indirect;
        status = finish(program, t.machine, t.count, entry, error);
    }
    et_free(t.seen);
    et_free(t.todo);
    et_free(t.machine);
    if (status == ETALON_OK)
        *out = program;
    else
        et_program_destroy(program);
    return status;
}

enum etalon_status et_program_create_ir(struct et_program **out, enum et_isa_kind kind,
                                        struct et_ir_program *ir, struct etalon_error *error)
{
    struct et_program *program = et_calloc(1, sizeof *program);
    struct machine_insn *machine = NULL;
    size_t count = 0, capacity = 0;
    enum etalon_status status = ETALON_OK;
    *out = NULL;
    if (!program)
        return et_fail(error, ETALON_NO_MEMORY, "program");
    program->isa = kind;
    for (size_t n = 0; n < ir->count && status == ETALON_OK; n++) {
        if (count && machine[count - 1].pc == ir->insns[n].pc) {
            machine[count - 1].count++;
        } else if (!et_grow(&machine, &capacity, count + 1, sizeof *machine)) {
            status = et_fail(error, ETALON_NO_MEMORY, "program");
        } else {
            if (count)
                machine[count - 1].next = ir->insns[n].pc;
            machine[count++] = (struct machine_insn){.pc = ir->insns[n].pc, .first = (uint32_t)n, .count = 1};
        }
    }
    if (status == ETALON_OK && !count)
        status = et_fail(error, ETALON_TRUNCATED, "no instructions");
    if (status == ETALON_OK)
        status = et_ir_check(ir, error);
    if (status == ETALON_OK) {
        machine[count - 1].next = machine[count - 1].pc + 8;
        program->ir = *ir;
        *ir = (struct et_ir_program){0};
        program->index_count = (size_t)(machine[count - 1].pc >> 3) + 2;
        program->info.instructions = (uint32_t)count;
        status = finish(program, machine, count, machine[0].pc, error);
    }
    et_free(machine);
    if (status == ETALON_OK)
        *out = program;
    else
        et_program_destroy(program);
    return status;
}

void et_program_destroy(struct et_program *program)
{
    if (!program)
        return;
#if defined(ETALON_COVERAGE)
    et_program_note_covered(program);
    et_free(program->covered);
#endif
    et_ir_program_finish(&program->ir);
    et_free(program->code);
    et_free(program->index);
    et_free(program->mode);
    et_free(program->tex);
    et_free(program->pool);
    et_free(program->machine);
    et_program_destroy_team(program);
    et_free(program->clears);
    et_free(program->varying);
    et_isa_close(program->own_decoder);
    et_free(program);
}

void et_program_text(const struct et_program *program, uint64_t pc, char *text, size_t size)
{
    struct et_insn insn;
    uint64_t word[2] = {0, 0};
    uint32_t control = 0;
    int is_sched = 0;
    text[0] = 0;
    if (program->machine &&
        et_isa_fetch(program->decoder, program->machine, program->machine_bytes, pc, word, &control,
                     &is_sched, NULL) == ETALON_OK &&
        !is_sched && et_isa_decode(program->decoder, word, control, pc, &insn, NULL) == ETALON_OK)
        et_isa_disasm(program->decoder, &insn, NULL, text, size);
}

const struct et_program_info *et_program_info(const struct et_program *program)
{
    return &program->info;
}
