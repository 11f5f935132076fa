/* Every operand form of an arithmetic instruction computes what its register form does: an instruction with
 * random fields and a constant, an immediate, a bindless constant or a uniform register is run beside the
 * form of the same name whose operand is a register that holds the same value. */
#include "isa/interp/exec.h"
#include "isa/ir/ir.h"
#include "isa/text/text.h"
#include "support/assembly.h"
#include "support/isas.h"
#include "support/video_oracle.h"

#include "base/bits.h"

#include <inttypes.h>

enum {
    TRIALS = 160,      /* a program */
    ROW_TRIALS = 4,    /* a form */
    RESULT_BYTES = 64, /* a lane of one run */
    RESULTS = 0x8000,  /* where they lie in RAM */
    BINDLESS = 0x4000, /* a copy of the constants */
    VALUES = 0x1000    /* the operands' values in bank 0, eight bytes a trial */
};

/* ---- which rows are forms of one instruction */
static bool is_immediates_modifier(const struct et_text_item *item)
{
    return (item->type == ITEM_FLAG && (item->index == ET_MOD_NEG || item->index == ET_MOD_ABS ||
                                        item->index == ET_MOD_INV || item->index == ET_MOD_H1)) ||
           (item->type == ITEM_SUFFIX && item->index == ET_MOD_sel);
}

/* A row's text without fixed bits and kinds; two halves count as one operand b. */
static void skeleton(const struct et_text_row *row, char *text, size_t size)
{
    size_t n = 0;
    bool inside = false; /* between the halves */
    for (unsigned i = 0; i < row->item_count; i++) {
        const struct et_text_item *item = &row->items[i];
        const bool half = item->type == ITEM_OPERAND && item->kind == ET_KIND_H;
        if (is_immediates_modifier(item) || item->type == ITEM_FIXED || item->type == ITEM_IGNORE)
            continue;
        if (half && item->index == ET_SLOT('l')) {
            inside = false;
            continue;
        }
        if (inside)
            continue;
        inside = half && item->index == ET_SLOT('h');
        if (item->type == ITEM_LITERAL)
            n += (size_t)snprintf(text + n, size - n, "%.*s", (int)item->length, item->text);
        else if (item->type == ITEM_OPERAND)
            n += (size_t)snprintf(text + n, size - n, "{%c}", inside ? 'b' : 'a' + item->index);
        else
            n += (size_t)snprintf(text + n, size - n, "{%d:%d:%d:%s}", item->type,
                                  item->type == ITEM_FLAG || item->type == ITEM_SUFFIX ? item->index : 0,
                                  item->inverted, item->type == ITEM_SUFFIX ? item->table->source->name : "");
        if (n >= size)
            ck_abort_msg("%s", row->source->text);
    }
}

static const struct et_text_item *find_operand(const struct et_text_row *row, unsigned slot)
{
    for (unsigned i = 0; i < row->item_count; i++)
        if (row->items[i].type == ITEM_OPERAND && row->items[i].index == slot)
            return &row->items[i];
    return NULL;
}

static const struct et_text_item *find_modifier(const struct et_text_row *row, unsigned index)
{
    for (unsigned i = 0; i < row->item_count; i++)
        if ((row->items[i].type == ITEM_FLAG || row->items[i].type == ITEM_SUFFIX) &&
            row->items[i].index == index)
            return &row->items[i];
    return NULL;
}

/* Whether `other` is `row` with the operand of one slot (*slot) in a register of the kind wanted. */
static bool is_register_form(const struct et_text_row *row, const struct et_text_row *other, unsigned kind,
                             unsigned *slot)
{
    char a[512], b[512];
    unsigned differ = 0;
    if (row == other || row->mnemonic != other->mnemonic)
        return false;
    skeleton(row, a, sizeof a);
    skeleton(other, b, sizeof b);
    if (strcmp(a, b) != 0)
        return false;
    for (unsigned i = 0; i < other->item_count; i++) {
        const struct et_text_item *item = &other->items[i], *mine;
        if (item->type != ITEM_OPERAND)
            continue;
        mine = find_operand(row, item->index);
        if (mine && mine->kind == item->kind)
            continue;
        if (item->kind != kind)
            return false;
        *slot = item->index;
        differ++;
    }
    return differ == 1;
}

/* ---- random instructions */
static uint64_t random64(uint64_t *state)
{
    const uint64_t high = asm_random(state);
    return high << 32 | asm_random(state);
}

static uint64_t one_of(const uint8_t *list, size_t count, uint64_t *state)
{
    return list[(asm_random(state) * 2654435761u >> 16) % count];
}
#define ONE_OF(list) one_of(list, ET_COUNT(list), state)

/* Register and predicate numbers that the frame keeps for instructions; other fields take any value. */
static uint64_t random_field(const struct et_text_item *item, uint64_t *state)
{
    static const uint8_t registers[] = {4, 6, 12, 14, 16, 18, 4, 12, 16, 255},
                         uniforms[] = {4, 6, 8, 10, 12, 14}, first[] = {0, 1, 2, 7}, second[] = {3, 4, 5, 7};
    const unsigned slot = item->index;
    const bool written = slot == ET_SLOT('d');
    switch (item->type) {
    case ITEM_FLAG:
    case ITEM_SUFFIX:
        return item->sched ? 0 : random64(state) >> 7;
    case ITEM_OPERAND:
        break;
    default:
        return 0;
    }
    switch (item->kind) {
    case ET_KIND_R:
        return written ? 8 : ONE_OF(registers);
    case ET_KIND_UR:
        return written ? 16 : ONE_OF(uniforms);
    case ET_KIND_P:
    case ET_KIND_UP:
        return slot == ET_SLOT('p') ? ONE_OF(first) : slot == ET_SLOT('q') ? ONE_OF(second) : random64(state);
    case ET_KIND_C: /* offsets 0x20 to 0xf8 */
        return (8 + 2 * (random64(state) >> 9 & 15)) & ((1u << item->bits.width[0]) - 1);
    case ET_KIND_CX: /* the handle is in UR2 */
        return (8 + 2 * (random64(state) >> 9 & 15)) | UINT64_C(2) << item->bits.width[0];
    default:
        return random64(state);
    }
}

/* False when a one has no place. */
static bool put_bit(uint64_t word[2], unsigned pos, unsigned value)
{
    if (pos != ET_TEXT_NO_BIT) {
        const struct et_text_bits bit = {1, 1, {(uint8_t)pos}, {1}};
        et_text_put(word, &bit, value);
    }
    return pos != ET_TEXT_NO_BIT || !value;
}

static uint64_t cut(uint64_t value, const struct et_text_bits *bits)
{
    return bits->total < 64 ? value & ((UINT64_C(1) << bits->total) - 1) : value;
}

static void random_word(const struct et_isa *isa, const struct et_text_row *row, uint64_t *state,
                        uint64_t word[2])
{
    const uint64_t noise = random64(state);
    word[0] = row->match[0];
    word[1] = row->match[1];
    for (unsigned i = 0; i < row->item_count; i++) {
        const struct et_text_item *item = &row->items[i];
        if ((item->type != ITEM_OPERAND && item->type != ITEM_FLAG && item->type != ITEM_SUFFIX) ||
            item->sched)
            continue;
        et_text_put(word, &item->bits, cut(random_field(item, state), &item->bits));
        if (item->type != ITEM_OPERAND)
            continue;
        put_bit(word, item->neg, noise >> (3 * i % 61) & 1);
        put_bit(word, item->abs, noise >> ((3 * i + 1) % 61) & 1);
        put_bit(word, item->inv, noise >> ((3 * i + 2) % 61) & 1);
        if (item->sel_bits.count)
            et_text_put(word, &item->sel_bits, cut(random64(state) >> 5, &item->sel_bits));
    }
    for (unsigned k = 0; k < 2; k++) /* a field may lie over fixed bits */
        word[k] = (word[k] & ~row->mask[k]) | row->match[k];
    if (!(row->source->flags & ET_ROW_NO_GUARD))
        word[isa->def->guard_pos >> 6] |= UINT64_C(7) << (isa->def->guard_pos & 63);
}

/* What the register's own suffix must be: the operand's, an immediate's modifier, or the one that goes
 * without saying. */
static uint64_t selection(const struct et_text_row *row, const struct et_insn *insn,
                          const struct et_text_item *item)
{
    const struct et_text_item *mine = find_operand(row, item->index);
    unsigned value = 0;
    if (mine && mine->sel_bits.count)
        return insn->op[item->index].sel;
    if (mine && mine->kind == ET_KIND_C && strcmp(item->table->source->name, "hswz") == 0)
        return 1; /* Maxwell's half operations read a constant as a single */
    if (find_modifier(row, ET_MOD_sel) || find_modifier(row, ET_MOD_H1))
        return insn->mod[ET_MOD_sel] | insn->mod[ET_MOD_H1];
    while (value + 1 < item->table->count &&
           (!item->table->words[value].text || item->table->words[value].length))
        value++;
    return value;
}

/* The same instruction with slot's operand in `number`; false when a field has no place there. */
static bool in_register(const struct et_isa *isa, const struct et_text_row *row, const struct et_insn *insn,
                        const struct et_text_row *to, unsigned slot, unsigned number, uint64_t word[2])
{
    const struct et_operand *swapped = &insn->op[slot];
    bool fits = true;
    word[0] = to->match[0];
    word[1] = to->match[1];
    for (unsigned i = 0; i < to->item_count; i++) {
        const struct et_text_item *item = &to->items[i], *mine;
        if ((item->type == ITEM_FLAG || item->type == ITEM_SUFFIX) && !item->sched) {
            mine = find_modifier(row, item->index);
            et_text_put(word, &item->bits, cut(mine ? et_text_get(insn->word, &mine->bits) : 0, &item->bits));
        } else if (item->type == ITEM_OPERAND && item->index == slot) {
            const bool loose = swapped->kind != ET_KIND_C && swapped->kind != ET_KIND_CX;
            et_text_put(word, &item->bits, number);
            fits &= put_bit(word, item->neg, swapped->neg | (loose && insn->mod[ET_MOD_NEG]));
            fits &= put_bit(word, item->abs, swapped->abs | (loose && insn->mod[ET_MOD_ABS]));
            fits &= put_bit(word, item->inv, swapped->inv | (loose && insn->mod[ET_MOD_INV]));
            if (item->sel_bits.count)
                et_text_put(word, &item->sel_bits, cut(selection(row, insn, item), &item->sel_bits));
            else
                fits &= !swapped->sel;
        } else if (item->type == ITEM_OPERAND) {
            mine = find_operand(row, item->index);
            et_text_put(word, &item->bits, et_text_get(insn->word, &mine->bits));
            fits &= put_bit(word, item->neg, insn->op[item->index].neg);
            fits &= put_bit(word, item->abs, insn->op[item->index].abs);
            fits &= put_bit(word, item->inv, insn->op[item->index].inv);
            if (item->sel_bits.count)
                et_text_put(word, &item->sel_bits, cut(insn->op[item->index].sel, &item->sel_bits));
        }
    }
    for (unsigned k = 0; k < 2; k++)
        fits &= !((word[k] ^ to->match[k]) & to->mask[k]);
    if (!(to->source->flags & ET_ROW_NO_GUARD))
        word[isa->def->guard_pos >> 6] |= UINT64_C(7) << (isa->def->guard_pos & 63);
    return fits;
}

/* What the operand is worth. */
static uint64_t value_of(const struct et_insn *insn, unsigned slot, const uint32_t *bank)
{
    const struct et_operand *o = &insn->op[slot];
    const uint32_t *word = bank + (o->value & 0x3fff) / 4;
    switch (o->kind) {
    case ET_KIND_C:
    case ET_KIND_CX:
        return (uint64_t)word[1] << 32 | word[0];
    case ET_KIND_UR:
        return (uint64_t)bank[o->value + 1] << 32 | bank[o->value];
    case ET_KIND_NONE: /* two halves */
        return (uint32_t)insn->op[ET_SLOT('h')].value << 16 | (insn->op[ET_SLOT('l')].value & 0xffff);
    case ET_KIND_D: /* MUFU reads the upper word alone */
        return strncmp(insn->row->text, "MUFU", 4) == 0 ? (uint64_t)o->value >> 32 : (uint64_t)o->value;
    case ET_KIND_S:
        return (uint64_t)o->value;
    default:
        return (uint32_t)o->value;
    }
}

static bool op_is_arithmetic(unsigned op)
{
    return op != ET_IR_S2R && op != ET_IR_CS2R && op != ET_IR_LEPC &&
           (op <= ET_IR_MOVM || (op >= ET_IR_VOTE && op <= ET_IR_REDUX));
}

/* Video instructions' immediates have a type of their own. */
static bool op_is_plain_arithmetic(unsigned op)
{
    return op_is_arithmetic(op) && op != ET_IR_VIDEO && op != ET_IR_VIDEO_SETP;
}

static bool op_is_inert(unsigned op)
{
    return op == ET_IR_NOP || op == ET_IR_MEMBAR || op == ET_IR_NANOSLEEP || op == ET_IR_YIELD;
}

/* Whether the instruction lowers to ops of one sort alone. */
static bool lowers_to(const struct et_isa *isa, const struct et_insn *insn, bool sort(unsigned op))
{
    struct et_ir_program ir = {0};
    struct et_ir_builder builder = {.program = &ir};
    struct etalon_error error = {0};
    const enum etalon_status status = isa->def->kind == ET_ISA_MAXWELL
                                          ? et_lower_maxwell(isa, insn, &builder, &error)
                                          : et_lower_ampere(isa, insn, &builder, &error);
    bool all = status == ETALON_OK && ir.count > 0;
    for (size_t n = 0; n < ir.count; n++)
        all = all && sort(ir.insns[n].op);
    et_ir_program_finish(&ir);
    return all;
}

/* Arithmetic and exchanges between lanes. */
static bool is_arithmetic(const struct et_isa *isa, const struct et_insn *insn, bool video)
{
    return lowers_to(isa, insn, video ? op_is_arithmetic : op_is_plain_arithmetic);
}

/* Whether it changes nothing that a program sees: hints, fences, what speaks to caches and counters. */
static bool is_inert(const struct et_isa *isa, const struct et_insn *insn)
{
    return lowers_to(isa, insn, op_is_inert);
}

/* ---- running them: both instructions of a trial see the same registers and leave what they wrote */
struct trial {
    char text[2][160];
    struct et_insn insn;
};

struct forms {
    const struct et_isa *isa;
    struct asm_machine machine;
    uint64_t code[1 << 16];
    size_t count; /* instructions */
    struct trial trials[TRIALS];
    unsigned trial_count, total;
    enum { FORMS, LEVELS, VIDEO, INERT } mode;
    uint64_t state;
};

static const char *const start_text[ET_ISA_COUNT] = {
    [ET_ISA_MAXWELL] = "S2R R0, SR_TID.X\nSHL R2, R0, 0x7\nIADD32I R2, R2, 0x10000\nMOV R3, RZ\n"
                       "SHL R24, R0, 0x6\nIADD32I R24, R24, 0x18000\nMOV R25, RZ\n",
    [ET_ISA_AMPERE] =
        "S2R R0, SR_TID.X\nIMAD.SHL.U32 R2, R0, 0x80, RZ\nIADD3 R2, R2, 0x10000, RZ\nMOV R3, RZ\n"
        "IMAD.SHL.U32 R24, R0, 0x40, RZ\nIADD3 R24, R24, 0x18000, RZ\nMOV R25, RZ\n"
        "UMOV UR2, 0x1400\nUMOV UR3, 0x800000\n" /* 16 KiB at 0x14000 */
        "ULDC.64 UR4, c[0x0][0x10]\nULDC.64 UR6, c[0x0][0x18]\nULDC.64 UR8, c[0x0][0x20]\n"
        "ULDC.64 UR10, c[0x0][0x28]\nULDC.64 UR12, c[0x0][0x30]\nULDC.64 UR14, c[0x0][0x38]\n"};
static const char *const load_text[ET_ISA_COUNT] = {
    [ET_ISA_MAXWELL] =
        "LDG.E.128 R4, [R2]\nLDG.E.128 R8, [R2+0x10]\nLDG.E.128 R12, [R2+0x20]\n"
        "LDG.E.128 R16, [R2+0x30]\nLDG.E R22, [R2+0x40]\nR2P PR, R22, 0x7f\nR2P CC, R22.B1, 0xf\n"
        "MOV R20, c[0x0][0x%x]\nMOV R21, c[0x0][0x%x]\n",
    [ET_ISA_AMPERE] = "LDG.E.128 R4, [R2.64]\nLDG.E.128 R8, [R2.64+0x10]\nLDG.E.128 R12, [R2.64+0x20]\n"
                      "LDG.E.128 R16, [R2.64+0x30]\nLDG.E R22, [R2.64+0x40]\nR2P PR, R22, 0x7f\n"
                      "ULDC.64 UR16, c[0x0][0x20]\nULDC.64 UR18, c[0x0][0x28]\nUR2UP UPR, UR4, 0x7f\n"
                      "MOV R20, c[0x0][0x%x]\nMOV R21, c[0x0][0x%x]\nR2UR UR20, R20\nR2UR UR21, R21\n"};
static const char *const save_text[ET_ISA_COUNT] = {
    [ET_ISA_MAXWELL] = "P2R R22, PR, RZ, 0x7f\nP2R R23, CC, RZ, 0xf\nSTG.E.128 [R24+0x%x], R8\n"
                       "STG.E.64 [R24+0x%x], R22\n",
    [ET_ISA_AMPERE] =
        "P2R R22, PR, RZ, 0x7f\nUP2UR UR22, UPR, URZ, 0x7f\nMOV R23, UR22\n"
        "STG.E.128 [R24.64+0x%x], R8\nSTG.E.64 [R24.64+0x%x], R22\n"
        "MOV R8, UR16\nMOV R9, UR17\nMOV R10, UR18\nMOV R11, UR19\nSTG.E.128 [R24.64+0x%x], R8\n"};

static void append(struct forms *f, const char *text)
{
    asm_append(f->isa, text, f->code, ET_COUNT(f->code), &f->count);
}

static void begin_program(struct forms *f)
{
    memset(f->code, 0, sizeof f->code);
    f->count = f->trial_count = 0;
    append(f, start_text[f->isa->def->kind]);
}

static uint32_t result(const uint8_t *ram, unsigned trial, unsigned half, unsigned lane, unsigned word)
{
    return et_load32(ram + RESULTS + ((2 * trial + half) * 32 + lane) * RESULT_BYTES + 4 * word);
}

/* Each trial's results against those of its other half (`other` 1), or of another run's (0). */
static void compare(const struct forms *f, const uint8_t *got, const uint8_t *want, unsigned other,
                    const char *level)
{
    for (unsigned t = 0; t < f->trial_count; t++)
        for (unsigned lane = 0; lane < 32; lane++)
            for (unsigned n = 0; n < RESULT_BYTES / 4; n++)
                if (result(got, t, 0, lane, n) != result(want, t, other, lane, n))
                    ck_abort_msg("%s %s: %08x, not %08x as of %s (lane %u, word %u)", f->trials[t].text[0],
                                 level, result(got, t, 0, lane, n), result(want, t, other, lane, n),
                                 f->trials[t].text[other], lane, n);
}

/* A register's value in the rows that load_text reads. */
static uint32_t register_value(const uint8_t *ram, unsigned lane, int64_t number)
{
    return number < 4 || number == 255 ? 0 : et_load32(ram + 128 * lane + 4 * (number - 4));
}

static void compare_video(const struct forms *f, const uint8_t *ram)
{
    for (unsigned t = 0; t < f->trial_count; t++)
        for (unsigned lane = 0; lane < 32; lane++) {
            const struct et_insn *insn = &f->trials[t].insn;
            const struct et_operand *b = &insn->op[ET_SLOT('b')], *s = &insn->op[ET_SLOT('s')];
            const uint32_t state = et_load32(ram + 128 * lane + 64), before = state & 0x7f;
            const bool source = s->value == 7 ? !s->inv : (state >> s->value & 1) != s->inv;
            const struct video_result want = video_oracle(
                insn, f->trials[t].text[0], register_value(ram, lane, insn->op[ET_SLOT('a')].value),
                b->kind == ET_KIND_R ? register_value(ram, lane, b->value) : (uint32_t)b->value,
                register_value(ram, lane, insn->op[ET_SLOT('c')].value), source);
            uint32_t word = want.word, predicates = before, cc = state >> 8 & 15;
            if (insn->op[ET_SLOT('p')].kind == ET_KIND_P) {
                const int64_t p = insn->op[ET_SLOT('p')].value, q = insn->op[ET_SLOT('q')].value;
                word = et_load32(ram + 128 * lane + 16); /* R8 as it was */
                predicates = p == 7 ? predicates : (predicates & ~(1u << p)) | (want.word & 1) << p;
                predicates = q == 7 ? predicates : (predicates & ~(1u << q)) | (want.word >> 1) << q;
            } else if (insn->mod[ET_MOD_CC]) {
                cc = (uint32_t)want.zero | (uint32_t)want.negative << 1;
            }
            if (result(ram, t, 0, lane, 0) != word || result(ram, t, 0, lane, 4) != predicates ||
                result(ram, t, 0, lane, 5) != cc)
                ck_abort_msg("%s: %08x P%02x CC%x, not %08x P%02x CC%x (lane %u)", f->trials[t].text[0],
                             result(ram, t, 0, lane, 0), result(ram, t, 0, lane, 4),
                             result(ram, t, 0, lane, 5), word, predicates, cc, lane);
        }
}

/* Registers, predicates and condition code are what they were. */
static void compare_inert(const struct forms *f, const uint8_t *ram)
{
    const bool cc = f->isa->def->kind == ET_ISA_MAXWELL;
    for (unsigned t = 0; t < f->trial_count; t++)
        for (unsigned lane = 0; lane < 32; lane++) {
            const uint32_t state = et_load32(ram + 128 * lane + 64);
            bool same = result(ram, t, 0, lane, 4) == (state & 0x7f) &&
                        (!cc || result(ram, t, 0, lane, 5) == (state >> 8 & 15));
            for (unsigned n = 0; n < 4; n++)
                same = same && result(ram, t, 0, lane, n) == et_load32(ram + 128 * lane + 16 + 4 * n);
            if (!same)
                ck_abort_msg("%s changes something (lane %u)", f->trials[t].text[0], lane);
        }
}

static void launch(struct forms *f)
{
    memset(f->machine.ram.base + RESULTS, 0, ASM_BYTES - RESULTS);
    ck_assert_msg(asm_load(&f->machine, f->code, asm_finish(f->isa, f->code, ET_COUNT(f->code), f->count)) ==
                          ETALON_OK &&
                      asm_launch(&f->machine, 32) == ETALON_OK,
                  "%s", f->machine.error.text);
}

static void run_program(struct forms *f)
{
    static const char *const disabled[LEVEL_COUNT] = {"v4,v3,v2", "v4,v3", "v4", ""};
    static uint8_t generic[ASM_BYTES];
    uint8_t *ram = f->machine.ram.base;
    const enum level best = et_interp_level();
    if (!f->trial_count)
        return;
    append(f, "EXIT\n");
    for (unsigned n = 0; n < 32 * 128 / 4; n++)
        et_store32(ram + 4 * n, asm_random(&f->state));
    memcpy(ram + BINDLESS, f->machine.bank, sizeof f->machine.bank);
    if (f->mode != LEVELS)
        launch(f);
    if (f->mode == FORMS)
        compare(f, ram, ram, 1, "");
    if (f->mode == VIDEO)
        compare_video(f, ram);
    if (f->mode == INERT)
        compare_inert(f, ram);
    for (unsigned level = 0; f->mode == LEVELS && level <= best; level++) {
        setenv("ETALON_DISABLE", disabled[level], 1);
        launch(f);
        if (!level)
            memcpy(generic, ram, sizeof generic);
        compare(f, ram, generic, 0, et_interp_level_names[level]);
        unsetenv("ETALON_DISABLE");
    }
    f->total += f->trial_count;
}

static void add_run(struct forms *f, const uint64_t word[2], unsigned half)
{
    const enum et_isa_kind kind = f->isa->def->kind;
    const unsigned value = VALUES + 8 * f->trial_count,
                   place = (2 * f->trial_count + half) * 32 * RESULT_BYTES;
    struct et_insn insn;
    char text[1024];
    snprintf(text, sizeof text, load_text[kind], value, value + 4);
    append(f, text);
    ck_assert_int_eq(et_isa_decode(f->isa, word, 0, 0, &insn, NULL), ETALON_OK);
    et_isa_disasm(f->isa, &insn, NULL, f->trials[f->trial_count].text[half], sizeof f->trials->text[half]);
    asm_put(f->isa, f->code, ET_COUNT(f->code), f->count++, word);
    snprintf(text, sizeof text, save_text[kind], place, place + 16, place + 32);
    append(f, text);
}

/* A form of insn with the operand in R20 or UR20; its slot, or -1 when there is none. */
static int register_form(const struct et_isa *isa, const struct et_text_row *row, const struct et_insn *insn,
                         uint64_t word[2])
{
    const unsigned kind = row->source->flags & ET_ROW_UNIFORM ? ET_KIND_UR : ET_KIND_R;
    for (size_t n = 0; n < isa->def->row_count; n++) {
        struct et_insn other;
        unsigned slot;
        if (is_register_form(row, &isa->rows[n], kind, &slot) &&
            in_register(isa, row, insn, &isa->rows[n], slot, 20, word) &&
            et_isa_decode(isa, word, 0, 0, &other, NULL) == ETALON_OK && other.mnemonic == insn->mnemonic &&
            is_arithmetic(isa, &other, false))
            return (int)slot;
    }
    return -1;
}

static bool has_register_form(const struct et_isa *isa, const struct et_text_row *row)
{
    const unsigned kind = row->source->flags & ET_ROW_UNIFORM ? ET_KIND_UR : ET_KIND_R;
    unsigned slot;
    for (size_t n = 0; n < isa->def->row_count; n++)
        if (is_register_form(row, &isa->rows[n], kind, &slot))
            return true;
    return false;
}

static bool next_trial(struct forms *f)
{
    if (++f->trial_count == TRIALS) {
        run_program(f);
        begin_program(f);
    }
    return true;
}

/* Adds a random instruction of the row beside its register form; false when it means nothing or has none. */
static bool try_row(struct forms *f, const struct et_text_row *row)
{
    const unsigned at = (VALUES + 8 * f->trial_count) / 4;
    uint64_t word[2][2], value;
    struct et_insn insn;
    int slot;
    random_word(f->isa, row, &f->state, word[0]);
    if (et_isa_decode(f->isa, word[0], 0, 0, &insn, NULL) != ETALON_OK ||
        insn.row_number != (uint32_t)(row - f->isa->rows) ||
        !(f->mode == INERT ? is_inert(f->isa, &insn) : is_arithmetic(f->isa, &insn, f->mode != FORMS)))
        return false;
    f->trials[f->trial_count].insn = insn;
    if (f->mode != FORMS) {
        add_run(f, word[0], 0);
        return next_trial(f);
    }
    slot = register_form(f->isa, row, &insn, word[1]);
    if (slot < 0)
        return false;
    value = value_of(&insn, (unsigned)slot, f->machine.bank);
    if (f->isa->def->kind == ET_ISA_MAXWELL && strncmp(row->source->text, "VABSDIFF4", 9) == 0)
        value = (value & 0xff) * 0x01010101u; /* one byte for all lanes */
    f->machine.bank[at] = (uint32_t)value;
    f->machine.bank[at + 1] = (uint32_t)(value >> 32);
    add_run(f, word[0], 0);
    add_run(f, word[1], 1);
    return next_trial(f);
}

/* Tries the rows that have a register form, all, or Maxwell's scalar video; how many had instructions to run.
 */
static unsigned try_rows(struct forms *f, const struct et_isa *isa, unsigned mode)
{
    unsigned rows = 0;
    memset(f, 0, sizeof *f);
    f->isa = isa;
    f->mode = mode;
    f->state = 7;
    asm_open(&f->machine, isa);
    for (unsigned n = 0; n < ET_COUNT(f->machine.bank); n++)
        f->machine.bank[n] = asm_random(&f->state);
    begin_program(f);
    for (size_t n = 0; n < isa->def->row_count; n++) {
        const char *text = isa->rows[n].source->text;
        const bool fits = mode == FORMS ? has_register_form(isa, &isa->rows[n])
                          : mode == VIDEO
                              ? text[0] == 'V' && strncmp(text, "VOTE", 4) && strncmp(text, "VABSDIFF4", 9)
                              : true;
        unsigned done = 0;
        for (unsigned tries = 0; fits && tries < 400 && done < ROW_TRIALS; tries++)
            done += try_row(f, &isa->rows[n]);
        rows += done > 0;
    }
    run_program(f);
    asm_close(&f->machine);
    return rows;
}

static struct forms forms;

START_TEST(forms_compute_what_registers_do)
{
    static const unsigned least[ET_ISA_COUNT] = {[ET_ISA_MAXWELL] = 149, [ET_ISA_AMPERE] = 500};
    ck_assert_uint_ge(try_rows(&forms, isas[_i], FORMS), least[_i]);
}
END_TEST

/* The same bits at each CPU level. Nothing here knows what they must be, so it is no coverage. */
START_TEST(levels_agree)
{
    static const unsigned least[ET_ISA_COUNT] = {[ET_ISA_MAXWELL] = 420, [ET_ISA_AMPERE] = 670};
    unsetenv("ETALON_COVERAGE");
    ck_assert_uint_ge(try_rows(&forms, isas[_i], LEVELS), least[_i]);
}
END_TEST

START_TEST(hints_change_nothing)
{
    static const unsigned least[ET_ISA_COUNT] = {[ET_ISA_MAXWELL] = 17, [ET_ISA_AMPERE] = 36};
    ck_assert_uint_ge(try_rows(&forms, isas[_i], INERT), least[_i]);
}
END_TEST

START_TEST(video_computes_what_ptx_defines)
{
    ck_assert_uint_ge(try_rows(&forms, isas[ET_ISA_MAXWELL], VIDEO), 190);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("isa forms");
    TCase *tcase = tcase_create("forms");
    tcase_set_timeout(tcase, 120);
    tcase_add_unchecked_fixture(tcase, open_isas, close_isas);
    tcase_add_loop_test(tcase, forms_compute_what_registers_do, 0, ET_ISA_COUNT);
    tcase_add_loop_test(tcase, levels_agree, 0, ET_ISA_COUNT);
    tcase_add_loop_test(tcase, hints_change_nothing, 0, ET_ISA_COUNT);
    tcase_add_test(tcase, video_computes_what_ptx_defines);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
