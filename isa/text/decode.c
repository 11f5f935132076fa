/* Decoding: an index over the opcode bits, then the few rows that share them, most specific first. */
#include "isa/text/text.h"

#include "base/alloc.h"
#include "base/error.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static int popcount(const uint64_t mask[2])
{
    return __builtin_popcountll(mask[0]) + __builtin_popcountll(mask[1]);
}

enum { BITS = 128, RANKS = 2 * (BITS + 1) };

/* Alias rows first, then those with more fixed bits. */
static unsigned rank_of(const struct et_text_row *row)
{
    const unsigned free_bits = BITS - (unsigned)popcount(row->mask);
    return row->source->flags & ET_ROW_ALIAS ? free_bits : BITS + 1 + free_bits;
}

/* Row numbers by rank; between equals in the table's order. */
static enum etalon_status order_rows(const struct et_isa *isa, uint32_t **order, struct etalon_error *error)
{
    const size_t rows = isa->def->row_count;
    uint32_t first[RANKS + 1] = {0};
    size_t i;
    *order = et_calloc(rows + 1, sizeof **order);
    if (!*order)
        return et_fail(error, ETALON_NO_MEMORY, "decode index");
    for (i = 0; i < rows; i++)
        first[rank_of(&isa->rows[i]) + 1]++;
    for (i = 0; i < RANKS; i++)
        first[i + 1] += first[i];
    for (i = 0; i < rows; i++)
        (*order)[first[rank_of(&isa->rows[i])]++] = (uint32_t)i;
    return ETALON_OK;
}

/* Visits every index value that a row's opcode can take, given fixed bits that its text adds there. */
static void spread(struct et_isa *isa, uint32_t row, uint32_t *cursor)
{
    const struct et_isa_def *def = isa->def;
    struct et_text_bits index = {1, def->op_bits, {def->op_pos}, {def->op_bits}};
    uint32_t mask = (uint32_t)et_text_get(isa->rows[row].mask, &index);
    uint32_t match = (uint32_t)et_text_get(isa->rows[row].match, &index);
    uint32_t free_bits = ((1u << def->op_bits) - 1) & ~mask, value = 0;
    do {
        uint32_t bucket = match | value;
        if (isa->bucket)
            isa->bucket[cursor[bucket]] = row;
        cursor[bucket]++;
        value = (value - free_bits) & free_bits;
    } while (value);
}

static enum etalon_status build_index(struct et_isa *isa, const uint32_t *order, struct etalon_error *error)
{
    size_t i, rows = isa->def->row_count;
    uint32_t *cursor, total = 0;
    isa->buckets = (size_t)1 << isa->def->op_bits;
    isa->bucket_first = et_calloc(isa->buckets + 1, sizeof *isa->bucket_first);
    cursor = et_calloc(isa->buckets + 1, sizeof *cursor);
    if (!isa->bucket_first || !cursor) {
        et_free(cursor);
        return et_fail(error, ETALON_NO_MEMORY, "decode index");
    }
    for (i = 0; i < rows; i++)
        spread(isa, order[i], cursor);
    for (i = 0; i <= isa->buckets; i++) {
        uint32_t count = cursor[i];
        isa->bucket_first[i] = cursor[i] = total;
        total += count;
    }
    isa->bucket = et_calloc((size_t)total + 1, sizeof *isa->bucket);
    if (!isa->bucket) {
        et_free(cursor);
        return et_fail(error, ETALON_NO_MEMORY, "decode index");
    }
    for (i = 0; i < rows; i++)
        spread(isa, order[i], cursor);
    et_free(cursor);
    return ETALON_OK;
}

static int compare_mnemonics(const void *a, const void *b)
{
    return strcmp(a, b);
}

static void mnemonic_of(const struct et_isa_row *row, char name[16])
{
    size_t n = strcspn(row->text, ".{< ");
    if (n > 15)
        n = 15;
    memset(name, 0, 16);
    memcpy(name, row->text, n);
}

/* Numbers the mnemonics and groups the rows by them. */
static enum etalon_status build_mnemonics(struct et_isa *isa, const uint32_t *order,
                                          struct etalon_error *error)
{
    size_t i, count = 0, rows = isa->def->row_count;
    uint32_t *cursor;
    isa->mnemonics = et_calloc(rows + 1, sizeof *isa->mnemonics);
    isa->by_mnemonic = et_calloc(rows + 1, sizeof *isa->by_mnemonic);
    isa->mnemonic_first = et_calloc(rows + 2, sizeof *isa->mnemonic_first);
    isa->lowering = et_calloc(rows + 1, sizeof *isa->lowering);
    if (!isa->mnemonics || !isa->by_mnemonic || !isa->mnemonic_first || !isa->lowering)
        return et_fail(error, ETALON_NO_MEMORY, "mnemonics");
    for (i = 0; i < rows; i++)
        mnemonic_of(isa->rows[i].source, isa->mnemonics[i]);
    qsort(isa->mnemonics, rows, sizeof *isa->mnemonics, compare_mnemonics);
    for (i = 0; i < rows; i++)
        if (count == 0 || strcmp(isa->mnemonics[count - 1], isa->mnemonics[i]) != 0)
            memmove(isa->mnemonics[count++], isa->mnemonics[i], sizeof *isa->mnemonics);
    isa->mnemonic_count = count;
    for (i = 0; i < count && isa->def->lowering; i++)
        isa->lowering[i] = isa->def->lowering(isa->mnemonics[i]);
    for (i = 0; i < rows; i++) {
        char name[16], (*found)[16];
        mnemonic_of(isa->rows[i].source, name);
        found = bsearch(name, isa->mnemonics, count, sizeof *isa->mnemonics, compare_mnemonics);
        isa->rows[i].mnemonic = (uint16_t)(found - isa->mnemonics);
        isa->mnemonic_first[isa->rows[i].mnemonic + 1]++;
    }
    for (i = 0; i < count; i++)
        isa->mnemonic_first[i + 1] += isa->mnemonic_first[i];
    cursor = et_calloc(count + 1, sizeof *cursor);
    if (!cursor)
        return et_fail(error, ETALON_NO_MEMORY, "mnemonics");
    for (i = 0; i < rows; i++) {
        const uint16_t mnemonic = isa->rows[order[i]].mnemonic;
        isa->by_mnemonic[isa->mnemonic_first[mnemonic] + cursor[mnemonic]++] = order[i];
    }
    et_free(cursor);
    return ETALON_OK;
}

enum etalon_status et_isa_open(const struct et_isa_def *def, struct et_isa **isa, struct etalon_error *error)
{
    enum etalon_status status;
    uint32_t *order = NULL;
    struct et_isa *made = et_calloc(1, sizeof *made);
    *isa = NULL;
    if (!made)
        return et_fail(error, ETALON_NO_MEMORY, "instruction tables");
    made->def = def;
    status = et_text_compile(made, error);
    if (!status)
        status = order_rows(made, &order, error);
    if (!status)
        status = build_index(made, order, error);
    if (!status)
        status = build_mnemonics(made, order, error);
    et_free(order);
    if (status)
        et_isa_close(made);
    else
        *isa = made;
    return status;
}

void et_isa_close(struct et_isa *isa)
{
    if (!isa)
        return;
    et_free(isa->rows);
    et_free(isa->items);
    et_free(isa->tables);
    et_free(isa->words);
    et_free(isa->mnemonics);
    et_free(isa->by_mnemonic);
    et_free(isa->mnemonic_first);
    et_free(isa->lowering);
    et_free(isa->bucket_first);
    et_free(isa->bucket);
    et_free(isa);
}

const struct et_isa_def *et_isa_def_of(const struct et_isa *isa)
{
    return isa->def;
}

size_t et_isa_mnemonic_count(const struct et_isa *isa)
{
    return isa->mnemonic_count;
}

const char *et_isa_mnemonic(const struct et_isa *isa, size_t index)
{
    return index < isa->mnemonic_count ? isa->mnemonics[index] : NULL;
}

const void *et_isa_lowering(const struct et_isa *isa, size_t number)
{
    return number < isa->mnemonic_count ? isa->lowering[number] : NULL;
}

const char *et_isa_word(const struct et_isa *isa, const char *table, unsigned value, size_t *length)
{
    size_t i;
    for (i = 0; i < isa->def->table_count; i++)
        if (strcmp(isa->def->tables[i].name, table) == 0 && value < isa->tables[i].count) {
            *length = isa->tables[i].words[value].length;
            return isa->tables[i].words[value].text;
        }
    return NULL;
}

void et_isa_row_bits(const struct et_isa *isa, size_t row, uint64_t mask[2], uint64_t match[2],
                     uint64_t named[2])
{
    memcpy(mask, isa->rows[row].mask, sizeof isa->rows[row].mask);
    memcpy(match, isa->rows[row].match, sizeof isa->rows[row].match);
    memcpy(named, isa->rows[row].named, sizeof isa->rows[row].named);
}

enum etalon_status et_isa_check(const struct et_isa *isa, struct etalon_error *error)
{
    size_t a, b, bucket;
    for (bucket = 0; bucket < isa->buckets; bucket++)
        for (a = isa->bucket_first[bucket]; a < isa->bucket_first[bucket + 1]; a++)
            for (b = a + 1; b < isa->bucket_first[bucket + 1]; b++) {
                const struct et_text_row *p = &isa->rows[isa->bucket[a]], *q = &isa->rows[isa->bucket[b]];
                uint64_t low = p->mask[0] & q->mask[0] & (p->match[0] ^ q->match[0]);
                uint64_t high = p->mask[1] & q->mask[1] & (p->match[1] ^ q->match[1]);
                if (!low && !high && !(p->source->flags & ET_ROW_ALIAS))
                    return et_fail(error, ETALON_INTERNAL, "rows overlap: \"%.100s\" and \"%.100s\"",
                                   p->source->text, q->source->text);
            }
    return ETALON_OK;
}

struct et_sched et_isa_sched(uint32_t control)
{
    struct et_sched sched;
    sched.stall = control & 15;
    sched.yield = control >> 4 & 1;
    sched.write_barrier = control >> 5 & 7;
    sched.read_barrier = control >> 8 & 7;
    sched.wait_mask = control >> 11 & 63;
    sched.reuse = control >> 17 & 15;
    return sched;
}

uint32_t et_isa_control(const struct et_sched *sched)
{
    return (sched->stall & 15u) | (sched->yield & 1u) << 4 | (sched->write_barrier & 7u) << 5 |
           (sched->read_barrier & 7u) << 8 | (sched->wait_mask & 63u) << 11 | (sched->reuse & 15u) << 17;
}

static uint64_t load64(const unsigned char *at)
{
    uint64_t value;
    memcpy(&value, at, sizeof value);
    return value;
}

enum etalon_status et_isa_fetch(const struct et_isa *isa, const void *code, size_t size, uint64_t pc,
                                uint64_t word[2], uint32_t *control, int *is_sched,
                                struct etalon_error *error)
{
    const unsigned char *bytes = code;
    const unsigned step = isa->def->word_bits / 8, bundle = isa->def->bundle;
    *is_sched = 0;
    *control = 0;
    word[0] = word[1] = 0;
    if (pc % step || pc > size || size - pc < step) {
        et_at_pc(error, pc);
        return et_fail(error, pc % step ? ETALON_MISALIGNED : ETALON_TRUNCATED,
                       "no instruction at 0x%" PRIx64, pc);
    }
    word[0] = load64(bytes + pc);
    if (step == 16) {
        word[1] = load64(bytes + pc + 8);
        *control = word[1] >> 41 & 0x1fffff;
    } else if (bundle) {
        unsigned slot = (unsigned)(pc % bundle) / step;
        *is_sched = slot == 0;
        if (slot)
            *control = (uint32_t)(load64(bytes + pc - slot * step) >> (slot - 1) * 21) & 0x1fffff;
    }
    return ETALON_OK;
}

/* One operand; 0 when its suffix or value is reserved. */
static int operand(const struct et_isa *isa, const struct et_text_item *item, struct et_insn *insn)
{
    struct et_operand *out = &insn->op[item->index];
    const uint64_t *word = insn->word;
    uint64_t value = et_text_get(word, &item->bits);
    out->kind = item->kind;
    out->neg = item->neg != ET_TEXT_NO_BIT && et_text_bit(word, item->neg);
    out->abs = item->abs != ET_TEXT_NO_BIT && et_text_bit(word, item->abs);
    out->inv = item->inv != ET_TEXT_NO_BIT && et_text_bit(word, item->inv);
    if (item->reuse != ET_TEXT_NO_BIT)
        out->reuse = (isa->def->bundle || insn->sched.yield) && insn->sched.reuse >> item->reuse & 1;
    if (item->sel_bits.count) {
        out->sel = (uint8_t)et_text_get(word, &item->sel_bits);
        if (!item->table->words[out->sel].text)
            return 0;
    }
    if (item->kind == ET_KIND_T && !item->table->words[value].text)
        return 0;
    if (item->kind == ET_KIND_UR && value > isa->def->urz)
        return 0;
    if (item->power && (value == 0 || (value & (value - 1))))
        return 0;
    if (item->kind == ET_KIND_C || item->kind == ET_KIND_CX) {
        struct et_text_bits offset = {1, item->bits.width[0], {item->bits.pos[0]}, {item->bits.width[0]}};
        struct et_text_bits bank = {1, item->bits.width[1], {item->bits.pos[1]}, {item->bits.width[1]}};
        out->bank = (uint16_t)et_text_get(word, &bank);
        value = et_text_get(word, &offset);
    }
    out->value = et_text_value(item, value);
    if (item->above) {
        out->value += item->above;
        if (out->value >= item->standard)
            return 0;
    }
    if (item->kind == ET_KIND_L)
        out->value += (int64_t)insn->pc + isa->def->word_bits / 8;
    return 1;
}

/* Whether bits are set that the row does not name, other than RZ in a register field that it has no use for.
 */
static int has_reserved(const struct et_isa *isa, const struct et_text_row *row, const struct et_insn *insn)
{
    uint64_t stray[2] = {insn->word[0] & ~row->named[0], insn->word[1] & ~row->named[1]};
    unsigned i;
    for (i = 0; i < isa->def->spare_count && (stray[0] | stray[1]); i++) {
        unsigned pos = isa->def->spare_pos[i];
        uint64_t mask = (uint64_t)isa->def->rz << (pos & 63);
        if ((stray[pos >> 6] & mask) == mask)
            stray[pos >> 6] &= ~mask;
    }
    return (stray[0] | stray[1]) != 0;
}

/* Fills insn from a row that matches; returns NULL, or what is reserved. */
static const char *fill(const struct et_isa *isa, const struct et_text_row *row, struct et_insn *insn)
{
    size_t i;
    if (has_reserved(isa, row, insn))
        return "reserved bits set";
    memset(insn->op, 0, sizeof insn->op);
    memset(insn->mod, 0, sizeof insn->mod);
    for (i = 0; i < row->item_count; i++) {
        const struct et_text_item *item = &row->items[i];
        uint64_t value;
        switch (item->type) {
        case ITEM_FLAG:
            insn->mod[item->index] = (uint16_t)et_text_get(insn->word, &item->bits);
            break;
        case ITEM_SUFFIX:
            value = item->sched ? insn->sched.reuse & (item->table->count - 1)
                                : et_text_get(insn->word, &item->bits);
            if (!item->table->words[value].text)
                return "reserved value of a modifier";
            insn->mod[item->index] = (uint16_t)value;
            break;
        case ITEM_OPERAND:
            if (!operand(isa, item, insn))
                return "reserved value of an operand";
            break;
        default:
            break;
        }
    }
    return NULL;
}

enum etalon_status et_isa_decode(const struct et_isa *isa, const uint64_t word[2], uint32_t control,
                                 uint64_t pc, struct et_insn *insn, struct etalon_error *error)
{
    const struct et_isa_def *def = isa->def;
    struct et_text_bits index = {1, def->op_bits, {def->op_pos}, {def->op_bits}};
    const char *cause = "unknown opcode", *text = NULL;
    uint64_t bucket;
    size_t i;
    insn->word[0] = word[0];
    insn->word[1] = def->word_bits == 128 ? word[1] : 0;
    insn->pc = pc;
    insn->sched = et_isa_sched(def->word_bits == 128 ? (uint32_t)(word[1] >> 41) & 0x1fffff : control);
    bucket = et_text_get(insn->word, &index);
    for (i = isa->bucket_first[bucket]; i < isa->bucket_first[bucket + 1]; i++) {
        const struct et_text_row *row = &isa->rows[isa->bucket[i]];
        if ((insn->word[0] & row->mask[0]) != row->match[0] ||
            (insn->word[1] & row->mask[1]) != row->match[1])
            continue;
        cause = fill(isa, row, insn);
        text = row->source->text;
        if (cause)
            continue;
        insn->row = row->source;
        insn->row_number = isa->bucket[i];
        insn->mnemonic = row->mnemonic;
        memset(&insn->guard, 0, sizeof insn->guard);
        insn->guard.kind = row->source->flags & ET_ROW_UNIFORM ? ET_KIND_UP : ET_KIND_P;
        insn->guard.value = 7;
        if (!(row->source->flags & ET_ROW_NO_GUARD)) {
            insn->guard.value = insn->word[0] >> def->guard_pos & 7;
            insn->guard.inv = insn->word[0] >> def->guard_pos >> 3 & 1;
        }
        return ETALON_OK;
    }
    insn->row = NULL;
    et_at_pc(error, pc);
    return et_fail(error, ETALON_ILLEGAL_INSTRUCTION, "%s: %016" PRIx64 " %016" PRIx64 "%s%s", cause,
                   insn->word[0], insn->word[1], text ? " in " : "", text ? text : "");
}
