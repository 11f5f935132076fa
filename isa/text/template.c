/* Compiles the rows' texts: grammar in isa/isa.h. */
#include "isa/text/text.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/hash.h"

#include <string.h>

static const struct {
    const char *name;
    uint8_t kind, width;
} kinds[] = {{"UR", ET_KIND_UR, 6}, {"UP", ET_KIND_UP, 3}, {"HH", ET_KIND_HH, 32}, {"BB", ET_KIND_BB, 32},
             {"R", ET_KIND_R, 8},   {"P", ET_KIND_P, 3},   {"B", ET_KIND_B, 4},    {"U", ET_KIND_U, 0},
             {"S", ET_KIND_S, 0},   {"N", ET_KIND_N, 0},   {"F", ET_KIND_F, 32},   {"H", ET_KIND_H, 16},
             {"D", ET_KIND_D, 32},  {"CX", ET_KIND_CX, 0}, {"C", ET_KIND_C, 0},    {"L", ET_KIND_L, 0},
             {"A", ET_KIND_A, 0},   {"M", ET_KIND_M, 0},   {"T", ET_KIND_T, 0}};

static const char *const mod_names[] = {
#define MOD_NAME(name) #name,
    ET_MODS(MOD_NAME)
#undef MOD_NAME
};

/* Names to numbers: an open hash. */
enum { NAME_SLOTS = 1024 };
struct names {
    struct {
        const char *name;
        uint32_t length, number;
    } slot[NAME_SLOTS];
};

/* What all rows of an instruction set refer to by name. */
struct vocabulary {
    struct names mods, tables;
};

/* A cursor over one text. */
struct parser {
    struct et_isa *isa;
    const struct vocabulary *vocabulary;
    const struct et_isa_row *row;
    const char *at;
    struct et_text_item *items;
    size_t count;
    size_t open; /* index of the innermost '<' + 1 */
    const char *fault;
};

static int is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}

static int is_name(char c)
{
    return is_upper(c) || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

static size_t name_length(const char *text)
{
    size_t n = 0;
    while (is_name(text[n]))
        n++;
    return n;
}

static uint64_t number(struct parser *parser)
{
    uint64_t value = 0;
    if (*parser->at < '0' || *parser->at > '9')
        parser->fault = "number expected";
    while (*parser->at >= '0' && *parser->at <= '9')
        value = value * 10 + (uint64_t)(*parser->at++ - '0');
    return value;
}

static int accept(struct parser *parser, char c)
{
    if (*parser->at != c)
        return 0;
    parser->at++;
    return 1;
}

static void bits(struct parser *parser, struct et_text_bits *out, unsigned width)
{
    do {
        unsigned pos = (unsigned)number(parser), w = accept(parser, ':') ? (unsigned)number(parser) : width;
        if (out->count == ET_TEXT_PARTS || w == 0 || w > 64 || pos + w > parser->isa->def->word_bits) {
            parser->fault = "bit field out of range";
            return;
        }
        out->pos[out->count] = (uint8_t)pos;
        out->width[out->count++] = (uint8_t)w;
        out->total = (uint8_t)(out->total + w);
        width = 1;
    } while (accept(parser, ','));
}

/* The slot of a name, or the free one where it would be. */
static size_t name_slot(const struct names *names, const char *name, size_t length)
{
    size_t at = (size_t)et_fnv(ET_FNV_BASIS, name, length) % NAME_SLOTS;
    while (names->slot[at].name &&
           (names->slot[at].length != length || memcmp(names->slot[at].name, name, length) != 0))
        at = (at + 1) % NAME_SLOTS;
    return at;
}

static void add_name(struct names *names, const char *name, size_t number)
{
    const size_t length = strlen(name), at = name_slot(names, name, length);
    if (names->slot[at].name) /* the first of a name holds */
        return;
    names->slot[at].name = name;
    names->slot[at].length = (uint32_t)length;
    names->slot[at].number = (uint32_t)number;
}

static const struct et_text_table *find_table(const struct parser *parser, const char *name, size_t length)
{
    const struct names *names = &parser->vocabulary->tables;
    const size_t at = name_slot(names, name, length);
    return names->slot[at].name ? &parser->isa->tables[names->slot[at].number] : NULL;
}

static int find_mod(const struct parser *parser, const char *name, size_t length)
{
    const struct names *names = &parser->vocabulary->mods;
    const size_t at = name_slot(names, name, length);
    return names->slot[at].name ? (int)names->slot[at].number : -1;
}

/* A name that must be a table. */
static const struct et_text_table *table(struct parser *parser)
{
    size_t n = name_length(parser->at);
    const struct et_text_table *found = find_table(parser, parser->at, n);
    parser->at += n;
    if (!found)
        parser->fault = "unknown table";
    return found;
}

static void table_bits(struct parser *parser, const struct et_text_table *words, struct et_text_bits *out)
{
    if (!accept(parser, '@'))
        parser->fault = "'@' expected";
    else if (words) {
        bits(parser, out, words->source->width);
        if (out->total != words->source->width)
            parser->fault = "field and table differ in width";
    }
}

static void suffix(struct parser *parser, struct et_text_item *item)
{
    const char *name;
    size_t n;
    int mod;
    item->inverted = (uint8_t)accept(parser, '!');
    name = parser->at;
    n = name_length(name);
    mod = find_mod(parser, name, n);
    parser->at += n;
    if (mod < 0) {
        parser->fault = "unknown modifier";
        return;
    }
    item->index = (uint16_t)mod;
    item->text = name;
    item->length = (uint32_t)n;
    item->type = ITEM_SUFFIX;
    if (accept(parser, '='))
        item->table = table(parser);
    else
        item->table = find_table(parser, name, n);
    if (parser->fault)
        return;
    if (item->table && parser->at[0] == '@' && parser->at[1] == 'r') {
        item->sched = 1;
        parser->at += 2;
        return;
    }
    if (item->table) {
        table_bits(parser, item->table, &item->bits);
        return;
    }
    item->type = ITEM_FLAG;
    if (!accept(parser, '@'))
        parser->fault = "'@' expected";
    else
        bits(parser, &item->bits, 1);
    if (item->bits.total != 1)
        parser->fault = "a flag has one bit";
}

static uint8_t one_bit(struct parser *parser)
{
    if (!accept(parser, '@'))
        parser->fault = "'@' expected";
    return (uint8_t)number(parser);
}

static void operand_options(struct parser *parser, struct et_text_item *item)
{
    while (!parser->fault && *parser->at != '}') {
        char c = *parser->at++;
        switch (c) {
        case ' ':
            break;
        case '-':
            item->neg = one_bit(parser);
            break;
        case '|':
            item->abs = one_bit(parser);
            break;
        case '!':
        case '~':
            item->inv = one_bit(parser);
            break;
        case '.':
            item->table = table(parser);
            table_bits(parser, item->table, &item->sel_bits);
            break;
        case '*':
            item->scale = (int32_t)number(parser);
            break;
        case '=':
            item->default_inv = (uint8_t)accept(parser, '!');
            item->standard = (int64_t)number(parser);
            break;
        case '+':
            item->plus = 1;
            break;
        case 'z':
            item->first = 1;
            break;
        case 'r':
            item->reuse = (uint8_t)number(parser);
            break;
        case 'c':
            item->complement = 1;
            break;
        case 'w':
            item->spaced = 1;
            break;
        case 'k':
            item->keep = 1;
            break;
        case 'h':
            item->hidden = 1;
            break;
        case '^':
            item->power = 1;
            break;
        case 's':
            item->wrap = 1;
            break;
        case '%':
            item->above = (uint8_t)number(parser);
            break;
        default:
            parser->fault = "unknown option of an operand";
        }
    }
}

static void operand(struct parser *parser, struct et_text_item *item)
{
    const struct et_isa_def *def = parser->isa->def;
    size_t i, n;
    unsigned width = 0;
    char slot = *parser->at;
    if (slot < 'a' || slot > 'z' || parser->at[1] != ':') {
        parser->fault = "slot expected";
        return;
    }
    parser->at += 2;
    item->type = ITEM_OPERAND;
    item->index = (uint8_t)ET_SLOT(slot);
    n = 0;
    while (is_upper(parser->at[n]))
        n++;
    for (i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strlen(kinds[i].name) == n && memcmp(kinds[i].name, parser->at, n) == 0)
            break;
    if (i == sizeof kinds / sizeof *kinds) {
        parser->fault = "unknown kind";
        return;
    }
    parser->at += n;
    item->kind = kinds[i].kind;
    width = kinds[i].width;
    if (item->kind == ET_KIND_UR)
        width = def->urz > 63 ? 8 : 6;
    item->standard = item->kind == ET_KIND_R ? def->rz : item->kind == ET_KIND_UR ? def->urz : 0;
    if (item->kind == ET_KIND_P || item->kind == ET_KIND_UP)
        item->standard = 7;
    if (item->kind == ET_KIND_T) {
        if (!accept(parser, '.'))
            parser->fault = "table expected";
        item->table = table(parser);
        table_bits(parser, item->table, &item->bits);
    } else if (!accept(parser, '@')) {
        parser->fault = "'@' expected";
    } else {
        bits(parser, &item->bits, width);
    }
    if (item->kind == ET_KIND_R && slot != 'd' && item->bits.count == 1)
        for (i = 0; i < 3; i++)
            if (def->reuse_pos[i] == item->bits.pos[0])
                item->reuse = (uint8_t)i;
    operand_options(parser, item);
    if (item->kind != ET_KIND_R || parser->row->flags & ET_ROW_NO_REUSE)
        item->reuse = ET_TEXT_NO_BIT;
}

static void field(struct parser *parser, struct et_text_item *item)
{
    if (accept(parser, '.')) {
        suffix(parser, item);
    } else if (accept(parser, '#')) {
        item->type = ITEM_FIXED;
        bits(parser, &item->bits, 1);
        if (!accept(parser, '='))
            parser->fault = "'=' expected";
        else
            item->standard = (int64_t)number(parser);
    } else if (accept(parser, '?')) {
        item->type = ITEM_IGNORE;
        bits(parser, &item->bits, 1);
        if (accept(parser, '='))
            item->standard = (int64_t)number(parser);
    } else {
        operand(parser, item);
    }
    if (!parser->fault && !accept(parser, '}'))
        parser->fault = "'}' expected";
}

static void one_item(struct parser *parser, struct et_text_item *item)
{
    memset(item, 0, sizeof *item);
    item->neg = item->abs = item->inv = item->reuse = ET_TEXT_NO_BIT;
    item->scale = 1;
    if (accept(parser, '{')) {
        field(parser, item);
    } else if (accept(parser, '<')) {
        item->type = ITEM_OPEN;
        item->index = (uint8_t)parser->open;
        parser->open = parser->count + 1;
    } else if (accept(parser, '>')) {
        struct et_text_item *open;
        item->type = ITEM_CLOSE;
        if (parser->open == 0) {
            parser->fault = "'>' without '<'";
            return;
        }
        open = &parser->items[parser->open - 1];
        item->index = (uint8_t)(parser->open - 1);
        parser->open = open->index;
        open->index = (uint8_t)parser->count;
    } else {
        item->type = ITEM_LITERAL;
        item->text = parser->at;
        while (*parser->at && !strchr("{<>", *parser->at)) {
            parser->at++;
            item->length++;
        }
    }
}

static enum etalon_status parse(struct parser *parser, struct etalon_error *error)
{
    parser->at = parser->row->text;
    parser->count = 0;
    parser->open = 0;
    while (*parser->at && !parser->fault) {
        one_item(parser, &parser->items[parser->count]);
        parser->count++;
    }
    if (!parser->fault && parser->open)
        parser->fault = "'<' without '>'";
    if (!parser->fault && parser->count > 250)
        parser->fault = "too long";
    if (parser->fault)
        return et_fail(error, ETALON_INTERNAL, "row \"%s\": %s", parser->row->text, parser->fault);
    return ETALON_OK;
}

uint64_t et_text_get(const uint64_t word[2], const struct et_text_bits *field_bits)
{
    uint64_t value = 0;
    unsigned i, shift = 0;
    for (i = 0; i < field_bits->count; i++) {
        unsigned pos = field_bits->pos[i], width = field_bits->width[i];
        uint64_t part = word[pos >> 6] >> (pos & 63);
        if ((pos & 63) + width > 64)
            part |= word[1] << (64 - (pos & 63));
        if (width < 64)
            part &= ((uint64_t)1 << width) - 1;
        value |= shift < 64 ? part << shift : 0;
        shift += width;
    }
    return value;
}

void et_text_put(uint64_t word[2], const struct et_text_bits *field_bits, uint64_t value)
{
    unsigned i;
    for (i = 0; i < field_bits->count; i++) {
        unsigned pos = field_bits->pos[i], width = field_bits->width[i];
        uint64_t mask = width < 64 ? ((uint64_t)1 << width) - 1 : ~(uint64_t)0, part = value & mask;
        word[pos >> 6] = (word[pos >> 6] & ~(mask << (pos & 63))) | part << (pos & 63);
        if ((pos & 63) + width > 64) {
            unsigned low = 64 - (pos & 63);
            word[1] = (word[1] & ~(mask >> low)) | part >> low;
        }
        value = width < 64 ? value >> width : 0;
    }
}

void et_text_fill(uint64_t word[2], const struct et_text_bits *field_bits)
{
    et_text_put(word, field_bits, ~(uint64_t)0);
    if (field_bits->total > 64) {
        struct et_text_bits rest = *field_bits;
        rest.pos[0] = rest.pos[1];
        rest.width[0] = rest.width[1];
        rest.count = 1;
        et_text_put(word, &rest, ~(uint64_t)0);
    }
}

/* Splits a table's words; `words` NULL only checks. */
static enum etalon_status split_table(const struct et_isa_table *source, struct et_text_table *out,
                                      struct etalon_error *error)
{
    const char *at = source->words;
    uint32_t value = 0;
    if (source->width == 0 || source->width > 12)
        return et_fail(error, ETALON_INTERNAL, "table \"%s\": width", source->name);
    while (*at) {
        const char *word;
        size_t n = 0;
        while (*at == ' ')
            at++;
        word = at;
        while (*at && *at != ' ') {
            if (*at == '=') {
                value = 0;
                for (; word < at; word++)
                    value = value * 10 + (uint32_t)(*word - '0');
                word = at + 1;
            }
            at++;
        }
        n = (size_t)(at - word);
        if (n == 0)
            continue;
        if (value >= out->count)
            return et_fail(error, ETALON_INTERNAL, "table \"%s\": too many words", source->name);
        if (n == 1 && *word == '_')
            n = 0;
        if (!(n == 1 && *word == '-')) {
            out->words[value].text = word;
            out->words[value].length = (uint32_t)n;
        }
        value++;
    }
    return ETALON_OK;
}

static enum etalon_status compile_tables(struct et_isa *isa, struct etalon_error *error)
{
    const struct et_isa_def *def = isa->def;
    size_t i, total = 0;
    isa->tables = et_calloc(def->table_count + 1, sizeof *isa->tables);
    for (i = 0; i < def->table_count; i++)
        total += (size_t)1 << def->tables[i].width;
    isa->words = et_calloc(total + 1, sizeof *isa->words);
    if (!isa->tables || !isa->words)
        return et_fail(error, ETALON_NO_MEMORY, "instruction tables");
    for (i = 0, total = 0; i < def->table_count; i++) {
        enum etalon_status status;
        isa->tables[i].source = &def->tables[i];
        isa->tables[i].count = 1u << def->tables[i].width;
        isa->tables[i].words = isa->words + total;
        total += isa->tables[i].count;
        status = split_table(&def->tables[i], &isa->tables[i], error);
        if (status)
            return status;
    }
    return ETALON_OK;
}

/* Fixed and named bits of a row, from its opcode, the ISA's common fields and its items. */
static void row_bits(const struct et_isa *isa, struct et_text_row *row)
{
    const struct et_isa_def *def = isa->def;
    const struct et_isa_row *source = row->source;
    struct et_text_bits opcode = {1, def->op_bits, {def->op_pos}, {def->op_bits}};
    struct et_text_bits guard = {1, 4, {def->guard_pos}, {4}};
    struct et_text_bits sched = {1, 21, {105}, {21}};
    size_t i;
    et_text_put(row->mask, &opcode, source->op_mask);
    et_text_put(row->match, &opcode, source->op);
    et_text_put(row->named, &opcode, source->op_mask);
    if (!(source->flags & ET_ROW_NO_GUARD))
        et_text_fill(row->named, &guard);
    if (def->word_bits == 128)
        et_text_fill(row->named, &sched);
    for (i = 0; i < row->item_count; i++) {
        const struct et_text_item *item = &row->items[i];
        et_text_fill(row->named, &item->bits);
        et_text_fill(row->named, &item->sel_bits);
        if (item->type == ITEM_FIXED) {
            et_text_fill(row->mask, &item->bits);
            et_text_put(row->match, &item->bits, (uint64_t)item->standard);
        }
        if (item->neg != ET_TEXT_NO_BIT)
            row->named[item->neg >> 6] |= (uint64_t)1 << (item->neg & 63);
        if (item->abs != ET_TEXT_NO_BIT)
            row->named[item->abs >> 6] |= (uint64_t)1 << (item->abs & 63);
        if (item->inv != ET_TEXT_NO_BIT)
            row->named[item->inv >> 6] |= (uint64_t)1 << (item->inv & 63);
    }
}

/* More than a row's items can be. */
static size_t item_bound(const char *text)
{
    size_t bound = 1;
    for (; *text; text++)
        if (*text == '{' || *text == '<' || *text == '>')
            bound += 2; /* and the literal behind it */
    return bound;
}

static enum etalon_status compile_rows(struct et_isa *isa, const struct vocabulary *vocabulary,
                                       struct etalon_error *error)
{
    const struct et_isa_def *def = isa->def;
    size_t i, total = 0;
    for (i = 0; i < def->row_count; i++)
        total += item_bound(def->rows[i].text);
    isa->items = et_calloc(total + 1, sizeof *isa->items);
    isa->rows = et_calloc(def->row_count + 1, sizeof *isa->rows);
    if (!isa->items || !isa->rows)
        return et_fail(error, ETALON_NO_MEMORY, "instruction rows");
    for (i = 0, total = 0; i < def->row_count; i++) {
        struct parser parser = {
            .isa = isa, .vocabulary = vocabulary, .row = &def->rows[i], .items = isa->items + total};
        const enum etalon_status status = parse(&parser, error);
        if (status)
            return status;
        isa->rows[i].source = &def->rows[i];
        isa->rows[i].items = isa->items + total;
        isa->rows[i].item_count = (uint16_t)parser.count;
        total += parser.count;
        row_bits(isa, &isa->rows[i]);
    }
    return ETALON_OK;
}

enum etalon_status et_text_compile(struct et_isa *isa, struct etalon_error *error)
{
    struct vocabulary *vocabulary;
    enum etalon_status status = compile_tables(isa, error);
    size_t i;
    if (status)
        return status;
    if (isa->def->table_count > NAME_SLOTS / 2)
        return et_fail(error, ETALON_INTERNAL, "more than %d tables", NAME_SLOTS / 2);
    vocabulary = et_calloc(1, sizeof *vocabulary);
    if (!vocabulary)
        return et_fail(error, ETALON_NO_MEMORY, "instruction tables");
    for (i = 0; i < ET_MODS_TOTAL; i++)
        add_name(&vocabulary->mods, mod_names[i], i);
    for (i = 0; i < isa->def->table_count; i++)
        add_name(&vocabulary->tables, isa->def->tables[i].name, i);
    status = compile_rows(isa, vocabulary, error);
    et_free(vocabulary);
    return status;
}
