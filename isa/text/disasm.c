/* Disassembly: a row's items printed in order. */
#include "isa/text/text.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct out {
    char *text;
    size_t size, length;
    char last;
};

static void put(struct out *out, const char *text, size_t length)
{
    size_t i;
    for (i = 0; i < length; i++, out->length++)
        if (out->length + 1 < out->size)
            out->text[out->length] = text[i];
    if (length)
        out->last = text[length - 1];
}

static void puts_out(struct out *out, const char *text)
{
    put(out, text, strlen(text));
}

static void format(struct out *out, const char *pattern, ...) __attribute__((format(printf, 2, 3)));
static void format(struct out *out, const char *pattern, ...)
{
    char text[96];
    va_list list;
    va_start(list, pattern);
    vsnprintf(text, sizeof text, pattern, list);
    va_end(list);
    puts_out(out, text);
}

static void word_suffix(struct out *out, const struct et_text_table *table, uint64_t value)
{
    const struct et_text_word *word = &table->words[value];
    if (word->length) {
        put(out, ".", 1);
        put(out, word->text, word->length);
    }
}

static void number_set(struct out *out, uint64_t set)
{
    int i, first = 1;
    put(out, "{", 1);
    for (i = 63; i >= 0; i--)
        if (set >> i & 1) {
            format(out, first ? "%d" : ",%d", i);
            first = 0;
        }
    put(out, "}", 1);
}

/* Two 16-bit floats, the high one first; bfloat16 is a single's high half. */
static void halves(struct out *out, int kind, int64_t value)
{
    char text[96];
    int i;
    for (i = 0; i < 2; i++) {
        int64_t half = value >> (i ? 0 : 16) & 0xffff;
        if (kind == ET_KIND_BB)
            et_text_print_float(ET_KIND_F, half << 16, text, sizeof text);
        else
            et_text_print_float(ET_KIND_H, half, text, sizeof text);
        puts_out(out, text);
        if (i == 0)
            puts_out(out, ", ");
    }
}

/* The offset of a constant, with its closing bracket. */
static void offset(const struct et_text_item *item, int64_t value, struct out *out)
{
    int minus = item->wrap && value >= et_text_wrap(item) / 2;
    format(out, "%s0x%" PRIx64 "]", minus ? "-" : "", (uint64_t)(minus ? et_text_wrap(item) - value : value));
}

static void bare(const struct et_isa *isa, const struct et_text_item *item, const struct et_operand *operand,
                 struct out *out)
{
    uint64_t value = (uint64_t)operand->value;
    char text[96];
    switch (operand->kind) {
    case ET_KIND_R:
        format(out, value == isa->def->rz ? "RZ" : "R%u", (unsigned)value);
        break;
    case ET_KIND_UR:
        format(out, value == isa->def->urz ? "URZ" : "UR%u", (unsigned)value);
        break;
    case ET_KIND_P:
        format(out, value == 7 ? "PT" : "P%u", (unsigned)value);
        break;
    case ET_KIND_UP:
        format(out, value == 7 ? "UPT" : "UP%u", (unsigned)value);
        break;
    case ET_KIND_B:
        format(out, "B%u", (unsigned)value);
        break;
    case ET_KIND_S:
    case ET_KIND_L:
        if (operand->value < 0)
            format(out, "-0x%" PRIx64, 0 - value);
        else
            format(out, "0x%" PRIx64, value);
        break;
    case ET_KIND_N:
        format(out, "%" PRIu64, value);
        break;
    case ET_KIND_F:
    case ET_KIND_H:
    case ET_KIND_D:
        et_text_print_float(operand->kind, operand->value, text, sizeof text);
        puts_out(out, text);
        break;
    case ET_KIND_HH:
    case ET_KIND_BB:
        halves(out, operand->kind, operand->value);
        break;
    case ET_KIND_C:
        format(out, item->spaced ? "c[0x%x] [" : "c[0x%x][", operand->bank);
        offset(item, operand->value, out);
        break;
    case ET_KIND_CX:
        format(out, operand->bank == isa->def->urz ? "cx[URZ]" : "cx[UR%u]", operand->bank);
        puts_out(out, item->spaced ? " [" : "[");
        offset(item, operand->value, out);
        break;
    case ET_KIND_M:
        number_set(out, value);
        break;
    case ET_KIND_T:
        put(out, item->table->words[value].text, item->table->words[value].length);
        break;
    default:
        format(out, "0x%" PRIx64, value);
    }
}

static void suffixes(const struct et_isa *isa, const struct et_text_item *item,
                     const struct et_operand *operand, struct out *out)
{
    int suffix = item->sel_bits.count != 0, first = isa->def->suffix_first || operand->kind != ET_KIND_R;
    if (suffix && first)
        word_suffix(out, item->table, operand->sel);
    if (operand->abs)
        put(out, "|", 1);
    if (operand->reuse)
        puts_out(out, ".reuse");
    if (suffix && !first)
        word_suffix(out, item->table, operand->sel);
}

static void print_operand(const struct et_isa *isa, const struct et_text_item *item,
                          const struct et_insn *insn, const struct et_isa_symbols *symbols, struct out *out)
{
    const struct et_operand *operand = &insn->op[item->index];
    char text[512];
    if (item->plus) {
        if (!item->keep && operand->value == item->standard && !operand->neg && !operand->sel)
            return;
        if (out->last != '[')
            put(out, "+", 1);
    }
    if (operand->neg)
        put(out, "-", 1);
    if (operand->inv)
        put(out, operand->kind == ET_KIND_P || operand->kind == ET_KIND_UP ? "!" : "~", 1);
    if (operand->abs)
        put(out, "|", 1);
    if (symbols && symbols->name(symbols->context, insn, operand, text, sizeof text))
        puts_out(out, text);
    else
        bare(isa, item, operand, out);
    suffixes(isa, item, operand, out);
}

/* Whether a term of the same address after `item` will print. */
static int term_follows(const struct et_text_row *row, size_t at, const struct et_insn *insn)
{
    for (at++; at < row->item_count && row->items[at].type != ITEM_LITERAL; at++) {
        const struct et_text_item *item = &row->items[at];
        const struct et_operand *operand = &insn->op[item->index];
        if (item->type == ITEM_OPERAND && item->plus &&
            (item->keep || operand->value != item->standard || operand->neg || operand->sel))
            return 1;
    }
    return 0;
}

static int is_standard(const struct et_text_item *item, const struct et_insn *insn)
{
    const struct et_operand *operand = &insn->op[item->index];
    if (item->type == ITEM_FLAG)
        return insn->mod[item->index] == item->inverted;
    if (item->type == ITEM_SUFFIX)
        return insn->mod[item->index] == 0;
    if (item->type != ITEM_OPERAND || item->hidden)
        return 1;
    return operand->value == item->standard && operand->inv == item->default_inv && !operand->neg &&
           !operand->abs && !operand->sel && !operand->bank && !operand->reuse;
}

/* Index of the item to go on with after '<' at `at`: the next one, or the '>' when all inside is standard. */
static size_t open_group(const struct et_text_row *row, size_t at, const struct et_insn *insn)
{
    size_t i, end = row->items[at].index;
    for (i = at + 1; i < end; i++)
        if (!is_standard(&row->items[i], insn))
            return at;
    return end;
}

static void print_guard(const struct et_isa *isa, const struct et_insn *insn, struct out *out)
{
    if (insn->guard.value == 7 && !insn->guard.inv)
        return;
    puts_out(out, insn->guard.inv ? "@!" : "@");
    bare(isa, NULL, &insn->guard, out);
    put(out, " ", 1);
}

size_t et_isa_disasm(const struct et_isa *isa, const struct et_insn *insn,
                     const struct et_isa_symbols *symbols, char *text, size_t size)
{
    const struct et_text_row *row = &isa->rows[insn->row_number];
    struct out out = {text, size, 0, 0};
    size_t i;
    if (!insn->row) {
        if (size)
            *text = 0;
        return 0;
    }
    print_guard(isa, insn, &out);
    for (i = 0; i < row->item_count; i++) {
        const struct et_text_item *item = &row->items[i];
        switch (item->type) {
        case ITEM_LITERAL:
            put(&out, item->text, item->length);
            break;
        case ITEM_FLAG:
            if (insn->mod[item->index] != item->inverted) {
                put(&out, ".", 1);
                put(&out, item->text, item->length);
            }
            break;
        case ITEM_SUFFIX:
            word_suffix(&out, item->table, insn->mod[item->index]);
            break;
        case ITEM_OPERAND:
            if (!item->hidden && (!item->first || insn->op[item->index].value != item->standard ||
                                  insn->op[item->index].sel || !term_follows(row, i, insn)))
                print_operand(isa, item, insn, symbols, &out);
            break;
        case ITEM_OPEN:
            i = open_group(row, i, insn);
            break;
        default:
            break;
        }
    }
    while (out.length && out.length < size && text[out.length - 1] == ' ')
        out.length--;
    if (size)
        text[out.length < size ? out.length : size - 1] = 0;
    return out.length;
}

size_t et_isa_sched_text(const struct et_sched *sched, char *text, size_t size)
{
    char wait[7], read = '-', write = '-';
    int i, n;
    for (i = 0; i < 6; i++)
        wait[i] = sched->wait_mask >> i & 1 ? (char)('0' + i) : '-';
    wait[6] = 0;
    if (sched->read_barrier != 7)
        read = (char)('0' + sched->read_barrier);
    if (sched->write_barrier != 7)
        write = (char)('0' + sched->write_barrier);
    n = snprintf(text, size, "[B%s:R%c:W%c:%c:S%02u]", wait, read, write, sched->yield ? '-' : 'Y',
                 sched->stall);
    return n < 0 ? 0 : (size_t)n;
}
