/* A row's text compiled: what the decoder, the disassembler and the assembler walk. */
#ifndef ET_ISA_TEXT_TEXT_H
#define ET_ISA_TEXT_TEXT_H

#include "isa/isa.h"

enum item_type {
    ITEM_LITERAL,
    ITEM_FLAG,   /* {.NAME@..} */
    ITEM_SUFFIX, /* {.name@..} */
    ITEM_OPERAND,
    ITEM_OPEN, /* '<': `other` is the index of its '>' */
    ITEM_CLOSE,
    ITEM_FIXED,
    ITEM_IGNORE
};

#define ET_TEXT_PARTS  4
#define ET_TEXT_NO_BIT 0xff

struct et_text_bits {
    uint8_t count, total; /* parts, bits in all */
    uint8_t pos[ET_TEXT_PARTS], width[ET_TEXT_PARTS];
};

struct et_text_word {
    const char *text; /* NULL: reserved */
    uint32_t length;
};

struct et_text_table {
    const struct et_isa_table *source;
    uint32_t count; /* 1 << width */
    struct et_text_word *words;
};

struct et_text_item {
    uint8_t type;
    uint16_t index; /* modifier of a flag or suffix; slot of an operand; counterpart of a bracket */
    uint8_t kind;
    uint8_t plus, first, inverted;            /* '+', 'z', '!' of a flag */
    uint8_t sched;                            /* '@r': a suffix held by the scheduling word's reuse bits */
    uint8_t power;                            /* '^': only a power of two */
    uint8_t wrap;                             /* 's': a constant's offset prints signed */
    uint8_t complement, keep, hidden, spaced; /* 'c', 'k', 'h', 'w' */
    uint8_t above;                            /* '%N': the register N above the field's */
    uint8_t neg, abs, inv;                    /* bit positions or ET_TEXT_NO_BIT */
    uint8_t reuse;                            /* 0 to 2: bit of the scheduling word; ET_TEXT_NO_BIT: none */
    uint8_t default_inv;
    int32_t scale;
    int64_t standard; /* default of an operand, value of fixed bits */
    struct et_text_bits bits, sel_bits;
    const struct et_text_table *table; /* suffix, T operand, or the operand's own suffix */
    const char *text;                  /* literal, or a flag's name */
    uint32_t length;
};

struct et_text_row {
    const struct et_isa_row *source;
    const struct et_text_item *items;
    uint16_t item_count, mnemonic;
    uint64_t mask[2], match[2], named[2];
};

struct et_isa {
    const struct et_isa_def *def;
    struct et_text_row *rows;
    struct et_text_item *items;
    struct et_text_table *tables;
    struct et_text_word *words;
    char (*mnemonics)[16];
    const void **lowering;                  /* one a mnemonic */
    uint32_t *by_mnemonic, *mnemonic_first; /* row numbers grouped by mnemonic; first of each, and the end */
    size_t mnemonic_count;
    uint32_t *bucket_first, *bucket; /* decode index over the opcode bits */
    size_t buckets;
};

/* Reads or writes a bit field of a word pair. */
uint64_t et_text_get(const uint64_t word[2], const struct et_text_bits *bits);
void et_text_put(uint64_t word[2], const struct et_text_bits *bits, uint64_t value);
static inline unsigned et_text_bit(const uint64_t word[2], unsigned pos)
{
    return (word[pos >> 6] >> (pos & 63)) & 1;
}
void et_text_fill(uint64_t word[2], const struct et_text_bits *bits);

/* Bytes that the offset of a constant operand spans. */
static inline int64_t et_text_wrap(const struct et_text_item *item)
{
    return (int64_t)item->scale << item->bits.width[0];
}

/* Compiles rows and tables; template.c. */
enum etalon_status et_text_compile(struct et_isa *isa, struct etalon_error *error);

/* An operand's value as printed from its field, and back; number.c. Field widths narrower than the type are
 * its high bits. */
int64_t et_text_value(const struct et_text_item *item, uint64_t field);
/* Field of a value; 0 when the field cannot hold it. */
int et_text_field(const struct et_text_item *item, int64_t value, uint64_t *field);
/* Prints an F, H or D immediate as NVIDIA prints it; returns the length needed. */
int et_text_print_float(int kind, int64_t value, char *text, size_t size);
/* Parses one; returns the characters used, 0 when there is none. */
size_t et_text_parse_float(int kind, const char *text, int64_t *value);

#endif
