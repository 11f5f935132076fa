/* Assembly: a text matched against the rows of its mnemonic, item by item, with backtracking over what is
 * optional. */
#include "isa/text/text.h"

#include "base/error.h"

#include <string.h>

enum { STEPS = 50000 };

struct state {
    uint64_t word[2], taken[2]; /* bits so far; which are decided */
    uint32_t reuse;
};

struct match {
    const struct et_isa *isa;
    const struct et_text_row *row;
    const struct et_isa_labels *labels;
    const char *start, *farthest;
    uint64_t pc;
    int steps;
    struct state result;
};

static int is_name(char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

static const char *blanks(const char *at)
{
    while (*at == ' ' || *at == '\t')
        at++;
    return at;
}

static int starts(const char *at, const char *word, size_t length)
{
    return strncmp(at, word, length) == 0 && !is_name(at[length]);
}

/* Unsigned decimal or hexadecimal number; 0 when there is none or it does not fit. */
static int parse_unsigned(const char **at, uint64_t *value)
{
    const char *p = *at;
    unsigned base = 10, digits = 0;
    if (p[0] == '0' && (p[1] == 'x' || p[1] == 'X')) {
        base = 16;
        p += 2;
    }
    for (*value = 0;; p++, digits++) {
        unsigned digit;
        if (*p >= '0' && *p <= '9')
            digit = (unsigned)(*p - '0');
        else if (base == 16 && *p >= 'a' && *p <= 'f')
            digit = (unsigned)(*p - 'a' + 10);
        else if (base == 16 && *p >= 'A' && *p <= 'F')
            digit = (unsigned)(*p - 'A' + 10);
        else
            break;
        if (*value > (~(uint64_t)0 - digit) / base)
            return 0;
        *value = *value * base + digit;
    }
    if (digits == 0 || is_name(*p) || *p == '@') /* "32@lo(name)" is a label */
        return 0;
    *at = p;
    return 1;
}

/* A name that the caller resolves: `(NAME), or a token up to a comma or a blank. */
static int parse_label(struct match *match, const char **at, uint64_t *value)
{
    const char *name = *at, *end;
    int quoted = name[0] == '`' && name[1] == '(';
    if (quoted) {
        name += 2;
        end = strchr(name, ')');
    } else {
        end = name + strcspn(name, ", \t;]");
    }
    if (!end || end == name || !match->labels || !match->labels->find ||
        !match->labels->find(match->labels->context, name, (size_t)(end - name), value))
        return 0;
    *at = end + quoted;
    return 1;
}

static int parse_integer(struct match *match, const char **at, int allow_sign, int64_t *value)
{
    uint64_t magnitude;
    int minus = allow_sign && **at == '-';
    const char *p = *at + minus;
    if (!parse_unsigned(&p, &magnitude)) {
        if (minus || !parse_label(match, &p, &magnitude))
            return 0;
    }
    *value = minus ? (int64_t)(0 - magnitude) : (int64_t)magnitude;
    *at = p;
    return 1;
}

static int parse_register(const char **at, const char *prefix, const char *last, int64_t last_value,
                          int64_t *value)
{
    size_t n = strlen(prefix);
    uint64_t number;
    const char *p = *at;
    if (starts(p, last, strlen(last))) {
        *value = last_value;
        *at = p + strlen(last);
        return 1;
    }
    if (strncmp(p, prefix, n) != 0 || p[n] < '0' || p[n] > '9')
        return 0;
    p += n;
    if (!parse_unsigned(&p, &number) || number > 255)
        return 0;
    *value = (int64_t)number;
    *at = p;
    return 1;
}

/* "c[BANK][OFFSET]" or "cx[UR][OFFSET]". */
static int parse_constant(const struct et_isa_def *def, const struct et_text_item *item, const char **at,
                          uint64_t *bank, int64_t *offset)
{
    int bindless = item->kind == ET_KIND_CX;
    const char *p = *at;
    uint64_t value;
    int64_t number;
    int minus;
    if (strncmp(p, bindless ? "cx[" : "c[", bindless ? 3 : 2) != 0)
        return 0;
    p += bindless ? 3 : 2;
    if (bindless ? !parse_register(&p, "UR", "URZ", def->urz, &number) : !parse_unsigned(&p, bank))
        return 0;
    if (bindless)
        *bank = (uint64_t)number;
    if (*p != ']')
        return 0;
    p = blanks(p + 1);
    if (*p++ != '[')
        return 0;
    minus = item->wrap && *p == '-';
    p += minus;
    if (!parse_unsigned(&p, &value) || *p != ']')
        return 0;
    *offset = minus ? et_text_wrap(item) - (int64_t)value : (int64_t)value;
    *at = p + 1;
    return 1;
}

static int parse_set(const char **at, int64_t *set)
{
    const char *p = *at;
    uint64_t number;
    if (*p++ != '{')
        return 0;
    *set = 0;
    while (*(p = blanks(p)) != '}') {
        if (!parse_unsigned(&p, &number) || number > 63)
            return 0;
        *set |= (int64_t)((uint64_t)1 << number);
        p = blanks(p);
        if (*p == ',')
            p++;
    }
    *at = p + 1;
    return 1;
}

static int parse_float(int kind, const char **at, int64_t *value)
{
    size_t n = et_text_parse_float(kind, *at, value);
    *at += n;
    if (n && *blanks(*at) == '.') /* "-QNAN .ABS" */
        *at = blanks(*at);
    return n != 0;
}

static int parse_halves(int kind, const char **at, int64_t *value)
{
    int single = kind == ET_KIND_BB ? ET_KIND_F : ET_KIND_H;
    int64_t high, low;
    if (!parse_float(single, at, &high))
        return 0;
    *at = blanks(*at);
    if (**at != ',')
        return 0;
    *at = blanks(*at + 1);
    if (!parse_float(single, at, &low))
        return 0;
    *value = kind == ET_KIND_BB ? (high & 0xffff0000) | low >> 16 : high << 16 | low;
    return 1;
}

/* Longest word of a table at `at`; value of it, or -1. */
static int longest_word(const struct et_text_table *table, const char *at, size_t *length)
{
    uint32_t i;
    int found = -1;
    *length = 0;
    for (i = 0; i < table->count; i++) {
        const struct et_text_word *word = &table->words[i];
        if (word->text && word->length > *length && starts(at, word->text, word->length)) {
            found = (int)i;
            *length = word->length;
        }
    }
    return found;
}

static int parse_word(const struct et_text_table *table, const char **at, int64_t *value)
{
    size_t length;
    int found = longest_word(table, *at, &length);
    *value = found;
    *at += length;
    return found >= 0;
}

static int parse_bare(struct match *match, const struct et_text_item *item, const char **at, int64_t *value,
                      uint64_t *bank)
{
    const struct et_isa_def *def = match->isa->def;
    switch (item->kind) {
    case ET_KIND_R:
        return parse_register(at, "R", "RZ", def->rz, value);
    case ET_KIND_UR:
        return parse_register(at, "UR", "URZ", def->urz, value);
    case ET_KIND_P:
        return parse_register(at, "P", "PT", 7, value);
    case ET_KIND_UP:
        return parse_register(at, "UP", "UPT", 7, value);
    case ET_KIND_B:
        return parse_register(at, "B", "B0", 0, value);
    case ET_KIND_S:
        return parse_integer(match, at, 1, value);
    case ET_KIND_L:
        if (!parse_integer(match, at, 1, value))
            return 0;
        *value -= (int64_t)match->pc + def->word_bits / 8;
        return 1;
    case ET_KIND_F:
    case ET_KIND_H:
    case ET_KIND_D:
        return parse_float(item->kind, at, value);
    case ET_KIND_HH:
    case ET_KIND_BB:
        return parse_halves(item->kind, at, value);
    case ET_KIND_C:
    case ET_KIND_CX:
        return parse_constant(def, item, at, bank, value);
    case ET_KIND_M:
        return parse_set(at, value);
    case ET_KIND_T:
        return parse_word(item->table, at, value);
    default:
        return parse_integer(match, at, 0, value);
    }
}

/* Decides a field; 0 when it is decided otherwise already: one field may serve two items. */
static int assign(struct state *state, const struct et_text_bits *bits, uint64_t value)
{
    uint64_t mask[2] = {0, 0}, word[2] = {0, 0};
    int i;
    et_text_fill(mask, bits);
    et_text_put(word, bits, value);
    for (i = 0; i < 2; i++) {
        if ((state->word[i] ^ word[i]) & mask[i] & state->taken[i])
            return 0;
        state->word[i] = (state->word[i] & ~mask[i]) | word[i];
        state->taken[i] |= mask[i];
    }
    return 1;
}

static void set_bit(struct state *state, uint8_t pos, int value)
{
    if (pos != ET_TEXT_NO_BIT && value)
        state->word[pos >> 6] |= (uint64_t)1 << (pos & 63);
}

static int accept(const char **at, char c)
{
    if (**at != c)
        return 0;
    ++*at;
    return 1;
}

/* ".reuse", the closing bar and the suffix, in either order. */
static int parse_suffixes(const struct et_text_item *item, int absolute, const char **at, struct state *state)
{
    int sel = -1, closed = !absolute, i;
    for (i = 0; i < 3; i++) {
        size_t length;
        int found;
        if (!closed && accept(at, '|')) {
            closed = 1;
        } else if (item->reuse != ET_TEXT_NO_BIT && starts(*at, ".reuse", 6)) {
            state->reuse |= 1u << item->reuse;
            *at += 6;
        } else if (sel < 0 && item->sel_bits.count && **at == '.') {
            found = longest_word(item->table, *at + 1, &length);
            if (found >= 0) {
                sel = found;
                *at += length + 1;
            }
        }
    }
    if (sel < 0 && item->sel_bits.count) {
        for (sel = 0; sel < (int)item->table->count; sel++)
            if (item->table->words[sel].text && item->table->words[sel].length == 0)
                break;
        if (sel == (int)item->table->count)
            return 0;
    }
    return closed && (!item->sel_bits.count || assign(state, &item->sel_bits, (uint64_t)sel));
}

static int put_value(const struct et_text_item *item, int64_t value, uint64_t bank, struct state *state)
{
    uint64_t field;
    if (item->above) {
        if (value < item->above || value >= item->standard)
            return 0;
        value -= item->above;
    }
    if (!et_text_field(item, value, &field))
        return 0;
    if (item->power && (field == 0 || (field & (field - 1))))
        return 0;
    if (item->kind == ET_KIND_C || item->kind == ET_KIND_CX) {
        if (bank >> item->bits.width[1])
            return 0;
        field |= bank << item->bits.width[0];
    }
    return assign(state, &item->bits, field);
}

static int parse_operand(struct match *match, const struct et_text_item *item, const char **at,
                         struct state *state)
{
    int64_t value = 0;
    uint64_t bank = 0;
    int absolute = 0;
    if (item->neg != ET_TEXT_NO_BIT && accept(at, '-'))
        set_bit(state, item->neg, 1);
    if (item->inv != ET_TEXT_NO_BIT && (accept(at, '!') || accept(at, '~')))
        set_bit(state, item->inv, 1);
    if (item->abs != ET_TEXT_NO_BIT && accept(at, '|')) {
        set_bit(state, item->abs, 1);
        absolute = 1;
    }
    return parse_bare(match, item, at, &value, &bank) && put_value(item, value, bank, state) &&
           parse_suffixes(item, absolute, at, state);
}

static int put_standard(const struct et_text_item *item, struct state *state)
{
    set_bit(state, item->inv, item->default_inv);
    return put_value(item, item->standard, 0, state);
}

/* Literal text; a blank in it stands for any number of blanks. */
static int literal(const struct et_text_item *item, const char **at)
{
    uint32_t i;
    for (i = 0; i < item->length; i++) {
        char c = item->text[i];
        if (c == ' ' || c == ',')
            *at = blanks(*at);
        if (c != ' ' && !accept(at, c))
            return 0;
    }
    return 1;
}

static int go(struct match *match, size_t i, const char *at, struct state state);

static int go_flag(struct match *match, size_t i, const char *at, struct state state)
{
    const struct et_text_item *item = &match->row->items[i];
    if (*at == '.' && starts(at + 1, item->text, item->length)) {
        struct state set = state;
        if (assign(&set, &item->bits, !item->inverted) && go(match, i + 1, at + 1 + item->length, set))
            return 1;
    }
    return assign(&state, &item->bits, item->inverted) && go(match, i + 1, at, state);
}

static int go_suffix(struct match *match, size_t i, const char *at, struct state state)
{
    const struct et_text_item *item = &match->row->items[i];
    const struct et_text_table *table = item->table;
    uint32_t value, limit = 64, longest;
    int empty = -1;
    for (value = table->count; value-- > 0;)
        if (table->words[value].text && table->words[value].length == 0)
            empty = (int)value;
    while (*at == '.') { /* longest words first */
        longest = 0;
        for (value = 0; value < table->count; value++) {
            const struct et_text_word *word = &table->words[value];
            if (word->text && word->length > longest && word->length < limit &&
                starts(at + 1, word->text, word->length))
                longest = word->length;
        }
        if (longest == 0)
            break;
        limit = longest;
        for (value = 0; value < table->count; value++) {
            const struct et_text_word *word = &table->words[value];
            struct state set = state;
            if (item->sched)
                set.reuse |= value;
            if (!word->text || word->length != longest || !starts(at + 1, word->text, word->length))
                continue;
            if (assign(&set, &item->bits, value) && go(match, i + 1, at + 1 + longest, set))
                return 1;
            break;
        }
    }
    if (empty < 0)
        return 0;
    return assign(&state, &item->bits, (uint64_t)empty) && go(match, i + 1, at, state);
}

static int go_operand(struct match *match, size_t i, const char *at, struct state state)
{
    const struct et_text_item *item = &match->row->items[i];
    const char *p = at;
    struct state set = state;
    int present = 1;
    if (item->hidden)
        return put_value(item, match->labels ? (int64_t)match->labels->hidden : 0, 0, &state) &&
               go(match, i + 1, at, state);
    if (item->plus)
        present = accept(&p, '+') || (p > match->start && p[-1] == '[');
    if (present && parse_operand(match, item, &p, &set) && go(match, i + 1, p, set))
        return 1;
    if (item->keep || (!item->plus && !item->first))
        return 0;
    return put_standard(item, &state) && go(match, i + 1, at, state);
}

/* An optional group, left out: every field takes its default. */
static int go_without(struct match *match, size_t i, const char *at, struct state state)
{
    size_t k, end = match->row->items[i].index;
    for (k = i + 1; k < end; k++) {
        const struct et_text_item *item = &match->row->items[k];
        if (item->type == ITEM_FLAG && !assign(&state, &item->bits, item->inverted))
            return 0;
        if (item->type == ITEM_OPERAND && !put_standard(item, &state))
            return 0;
    }
    return go(match, end, at, state);
}

static int go(struct match *match, size_t i, const char *at, struct state state)
{
    if (at > match->farthest)
        match->farthest = at;
    if (++match->steps > STEPS)
        return 0;
    if (i == match->row->item_count) {
        at = blanks(at);
        if (*at == ';')
            at = blanks(at + 1);
        if (*at || (state.word[0] & match->row->mask[0]) != match->row->match[0] ||
            (state.word[1] & match->row->mask[1]) != match->row->match[1])
            return 0;
        match->result = state;
        return 1;
    }
    switch (match->row->items[i].type) {
    case ITEM_LITERAL:
        return literal(&match->row->items[i], &at) && go(match, i + 1, at, state);
    case ITEM_FLAG:
        return go_flag(match, i, at, state);
    case ITEM_SUFFIX:
        return go_suffix(match, i, at, state);
    case ITEM_OPERAND:
        return go_operand(match, i, at, state);
    case ITEM_IGNORE:
        return assign(&state, &match->row->items[i].bits, (uint64_t)match->row->items[i].standard) &&
               go(match, i + 1, at, state);
    case ITEM_OPEN:
        return go(match, i + 1, at, state) || go_without(match, i, at, state);
    default:
        return go(match, i + 1, at, state);
    }
}

/* "@P0 ", "@!UP2 "; leaves PT. */
static int parse_guard(const char **at, int *uniform, uint64_t *guard)
{
    int64_t number;
    *uniform = 0;
    *guard = 7;
    if (!accept(at, '@'))
        return 1;
    *guard = accept(at, '!') ? 8 : 0;
    *uniform = **at == 'U';
    if (!parse_register(at, *uniform ? "UP" : "P", *uniform ? "UPT" : "PT", 7, &number) || number > 7)
        return 0;
    *guard |= (uint64_t)number;
    *at = blanks(*at);
    return 1;
}

static int barrier(char c, uint8_t *value)
{
    *value = 7;
    if (c >= '0' && c <= '6')
        *value = (uint8_t)(c - '0');
    return *value != 7 || c == '-';
}

/* "[B0-----:R-:W1:Y:S04]" */
static int parse_sched(const char **at, struct et_sched *sched)
{
    const char *p = *at;
    int i;
    if (strncmp(p, "[B", 2) != 0)
        return 1;
    if (strlen(p) < 22)
        return 0;
    for (i = 0; i < 6; i++) {
        if (p[2 + i] != '-' && p[2 + i] != '0' + i)
            return 0;
        sched->wait_mask |= (uint8_t)((p[2 + i] != '-') << i);
    }
    if (p[8] != ':' || p[9] != 'R' || !barrier(p[10], &sched->read_barrier) || p[11] != ':' || p[12] != 'W' ||
        !barrier(p[13], &sched->write_barrier) || p[14] != ':' || (p[15] != 'Y' && p[15] != '-') ||
        p[16] != ':' || p[17] != 'S' || p[18] < '0' || p[18] > '1' || p[19] < '0' || p[19] > '9' ||
        p[20] != ']')
        return 0;
    sched->yield = p[15] == '-';
    sched->stall = (uint8_t)((p[18] - '0') * 10 + (p[19] - '0'));
    *at = blanks(p + 21);
    return sched->stall < 16;
}

static long find_mnemonic(const struct et_isa *isa, const char *at)
{
    size_t n = strcspn(at, ".; \t"), low = 0, high = isa->mnemonic_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        int order = strncmp(isa->mnemonics[middle], at, n);
        if (order == 0 && isa->mnemonics[middle][n] == 0)
            return (long)middle;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return -1;
}

static int try_row(struct match *match, const struct et_text_row *row, int uniform, uint64_t guard,
                   const char *at)
{
    const struct et_isa_def *def = match->isa->def;
    struct state state = {{row->match[0], row->match[1]}, {row->mask[0], row->mask[1]}, 0};
    int row_uniform = (row->source->flags & ET_ROW_UNIFORM) != 0;
    if (row->source->flags & ET_ROW_DECODE)
        return 0;
    if (guard != 7 && ((row->source->flags & ET_ROW_NO_GUARD) || uniform != row_uniform))
        return 0;
    if (!(row->source->flags & ET_ROW_NO_GUARD))
        state.word[0] |= guard << def->guard_pos;
    match->row = row;
    match->steps = 0;
    return go(match, 0, at, state);
}

static void finish(struct match *match, struct et_sched *sched, uint64_t word[2], uint32_t *control)
{
    sched->reuse = (uint8_t)match->result.reuse;
    *control = et_isa_control(sched);
    word[0] = match->result.word[0];
    word[1] = match->result.word[1];
    if (match->isa->def->word_bits == 128)
        word[1] |= (uint64_t)*control << 41;
}

enum etalon_status et_isa_assemble(const struct et_isa *isa, const char *text, uint64_t pc,
                                   const struct et_isa_labels *labels, uint64_t word[2], uint32_t *control,
                                   struct etalon_error *error)
{
    struct match match = {isa, NULL, labels, NULL, NULL, pc, 0, {{0, 0}, {0, 0}, 0}};
    struct et_sched sched = {0, 0, 7, 7, 0, 0};
    const char *at = blanks(text);
    uint64_t guard;
    uint32_t i;
    long mnemonic;
    int uniform;
    if (!parse_sched(&at, &sched))
        return et_fail(error, ETALON_FORMAT, "scheduling field is malformed: \"%.120s\"", text);
    if (!parse_guard(&at, &uniform, &guard))
        return et_fail(error, ETALON_FORMAT, "guard predicate is malformed: \"%.120s\"", text);
    mnemonic = find_mnemonic(isa, at);
    if (mnemonic < 0)
        return et_fail(error, ETALON_FORMAT, "unknown mnemonic: \"%.120s\"", at);
    match.start = match.farthest = at;
    for (i = isa->mnemonic_first[mnemonic]; i < isa->mnemonic_first[mnemonic + 1]; i++)
        if (try_row(&match, &isa->rows[isa->by_mnemonic[i]], uniform, guard, at)) {
            finish(&match, &sched, word, control);
            return ETALON_OK;
        }
    return et_fail(error, ETALON_FORMAT, "no form of %s fits from \"%.80s\" in \"%.120s\"",
                   isa->mnemonics[mnemonic], match.farthest, at);
}
