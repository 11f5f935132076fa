/* Instruction tables and the engine that walks them: one row an encoding form drives decoder, disassembler
 * and assembler.
 *
 * A row's text is a template. Literal characters print as they are; the rest:
 *
 *   {.NAME@BITS}        suffix: prints ".NAME" when the field is 1 ({.!NAME@..}: when it is 0)
 *   {.name@BITS}        suffix from the table `name`: prints "." and the entry, nothing for an empty entry
 *   {.name@r}           the same, from the scheduling word's reuse bits (Maxwell's texture phases)
 *   {.NAME=name@BITS}   as {.name@BITS}, kept in the modifier NAME (isa/isa-mods.h lists all modifiers)
 *   {s:KIND@BITS ...}   operand in slot s (one letter a to z); kinds below, then any of
 *                         -@P negate   |@P absolute   ~@P or !@P invert (one-bit fields)
 *                         .name@BITS   suffix from a table, kept in the operand's `sel` (lane, byte or half
 * selectors) *N scale of the value   =N its default (=!N inverted), that optional text omits
 *                         +            term of an address: "+value", omitted when zero
 *                         z            first term of an address: omitted when zero and another term follows
 *                         rN           its reuse bit, where the field's position does not tell
 *                         k            a term that prints even when it is zero
 *                         c            stored complemented
 *                         s            signed, where the kind is not
 *                         h            never printed; the assembler takes it from et_isa_labels, or 0
 *                         ^            a power of two; the row refuses other values
 *                         s            constant: the offset prints signed
 *                         %N           the register N above the field's (one field may serve two operands)
 *   <text>              optional: printed when a field in it differs from its default
 *   {#BITS=N}           fixed bits, part of the row's match
 *   {?BITS=N}           bits that the hardware ignores: any value decodes, the assembler writes N (0 without
 * =)
 *
 * BITS is POS[:WIDTH], several joined by commas, lowest part first. Default widths: R 8; UR 6; P, UP 3; B 4;
 * a suffix its table's.
 *
 * Kinds: R UR P UP B(arrier) registers · U S N immediates (unsigned hex, signed hex, decimal) · F H D float,
 * half, double immediates (narrow ones are the high bits) · HH two halves · C@offset,bank "c[0x1][0x20]"
 * (BITS has two parts: offset, bank) · L@BITS branch target relative to the next instruction · A absolute
 * target · M{BITS} set of numbers "{3,1}" · T.name@BITS bare word from a table (special registers, ".2D"
 * targets ...).
 */
#ifndef ET_ISA_ISA_H
#define ET_ISA_ISA_H

#include "etalon-error.h"
#include "isa/isa-mods.h"
#include "isa/kind.h"

#include <stddef.h>
#include <stdint.h>

/* Modifiers: {.NAME...} roles; ET_MOD_NAME indexes struct et_insn's mod[]. */
enum et_mod {
#define ET_MOD_ENUM(name) ET_MOD_##name,
    ET_MODS(ET_MOD_ENUM)
#undef ET_MOD_ENUM
        ET_MODS_TOTAL
};

enum et_operand_kind {
    ET_KIND_NONE,
    ET_KIND_R,  /* register; the highest number is RZ */
    ET_KIND_UR, /* uniform register; the highest number is URZ */
    ET_KIND_P,  /* predicate; 7 is PT */
    ET_KIND_UP, /* uniform predicate; 7 is UPT */
    ET_KIND_B,  /* convergence barrier register */
    ET_KIND_U,  /* unsigned immediate, hexadecimal */
    ET_KIND_S,  /* signed immediate, hexadecimal */
    ET_KIND_N,  /* unsigned immediate, decimal */
    ET_KIND_F,  /* single; value = the 32 bits */
    ET_KIND_H,  /* half; value = the 16 bits */
    ET_KIND_HH, /* two halves; value = high << 16 | low; text: high, low */
    ET_KIND_BB, /* two bfloat16, as HH */
    ET_KIND_D,  /* double; value = the 64 bits */
    ET_KIND_CX, /* bindless constant: bank is the uniform register that holds the handle */
    ET_KIND_C,  /* constant; bank and value = byte offset */
    ET_KIND_L,  /* branch target; value = address within the code */
    ET_KIND_A,  /* absolute branch target; value = address */
    ET_KIND_M,  /* set of small numbers; value = bit set */
    ET_KIND_T,  /* word of a table; value = the field */
    ET_KIND_COUNT
};

/* A decoded operand. `value` is the register number, immediate (scaled, sign-extended), or byte offset. */
struct et_operand {
    uint8_t kind; /* enum et_operand_kind */
    uint8_t neg, abs, inv, reuse;
    uint8_t sel;   /* value of the operand's own suffix table */
    uint16_t bank; /* ET_KIND_C */
    int64_t value;
};

/* Scheduling word, the same 21 bits on both ISAs. Barriers: 7 is none. */
struct et_sched {
    uint8_t stall, yield, write_barrier, read_barrier, wait_mask, reuse;
};

/* Flags of a row. */
enum {
    ET_ROW_ALIAS =
        1 << 0, /* another spelling of part of a wider row: tried first, falls through when a field refuses */
    ET_ROW_UNIFORM = 1 << 1,  /* guarded by a uniform predicate */
    ET_ROW_NO_GUARD = 1 << 2, /* has no guard predicate */
    ET_ROW_DECODE = 1 << 3,  /* decoded, never chosen by the assembler (a second encoding of the same text) */
    ET_ROW_NO_REUSE = 1 << 4 /* its registers have no reuse bits */
};

/* One encoding form. The opcode sits at the ISA's opcode position under `op_mask`; more fixed bits are in the
 * text. */
struct et_isa_row {
    uint16_t op, op_mask, flags;
    const char *text;
};

/* Words of an enumeration: blank-separated, in order of value; "_" is empty, "-" reserved, "N=WORD" goes on
 * from value N. */
struct et_isa_table {
    const char *name;
    uint8_t width; /* bits */
    const char *words;
};

/* An ISA as constant data. */
struct et_isa_def {
    const char *name;
    enum et_isa_kind kind;
    uint8_t word_bits;       /* 64 or 128 */
    uint8_t op_pos, op_bits; /* where op and op_mask sit; the decode index covers these bits (at most 16) */
    uint8_t guard_pos;       /* three bits of predicate, then one that inverts it */
    uint8_t rz, urz;         /* numbers of RZ and URZ */
    uint8_t reuse_pos[3];    /* register fields that the scheduling word's reuse bits 0, 1, 2 belong to */
    uint8_t
        suffix_first; /* an operand's suffix prints before its closing bar and .reuse (Maxwell), not after */
    uint8_t spare_count; /* register fields that a row may leave unnamed and that then hold 0 or RZ */
    uint8_t spare_pos[4];
    uint8_t bundle; /* bytes of a scheduling bundle whose first word holds three 21-bit words (Maxwell 32), or
                       0 */
    const struct et_isa_row *rows;
    size_t row_count;
    const struct et_isa_table *tables;
    size_t table_count;
    /* The lowering's entry for a mnemonic, or NULL: looked up when the ISA is opened. */
    const void *(*lowering)(const char *mnemonic);
};

const void *et_maxwell_lowering_of(const char *mnemonic);
const void *et_ampere_lowering_of(const char *mnemonic);

extern const struct et_isa_def et_isa_maxwell, et_isa_ampere;
static inline const struct et_isa_def *et_isa_def_for(enum et_isa_kind kind)
{
    return kind == ET_ISA_MAXWELL ? &et_isa_maxwell : &et_isa_ampere;
}

/* An ISA made ready: immutable after et_isa_open, so it may be shared by threads. */
struct et_isa;
enum etalon_status et_isa_open(const struct et_isa_def *def, struct et_isa **isa, struct etalon_error *error);
void et_isa_close(struct et_isa *isa);
const struct et_isa_def *et_isa_def_of(const struct et_isa *isa);
/* Mnemonics ("FFMA") are numbered from 0 in alphabetic order. */
size_t et_isa_mnemonic_count(const struct et_isa *isa);
const char *et_isa_mnemonic(const struct et_isa *isa, size_t number);
/* What the definition's `lowering` gave for that mnemonic. */
const void *et_isa_lowering(const struct et_isa *isa, size_t number);
/* Word that a table's value stands for ("" for an empty one, NULL for a reserved one or an unknown table).
 * Not terminated: *length. */
const char *et_isa_word(const struct et_isa *isa, const char *table, unsigned value, size_t *length);

struct et_insn {
    const struct et_isa_row *row;
    uint32_t row_number;
    uint16_t mnemonic; /* number for et_isa_mnemonic */
    uint64_t pc;
    uint64_t word[2]; /* word[1] is 0 on a 64-bit ISA */
    struct et_sched sched;
    struct et_operand guard;  /* ET_KIND_P or ET_KIND_UP; PT when there is none */
    struct et_operand op[26]; /* by slot: op[ET_SLOT('d')] */
    uint16_t mod[ET_MODS_TOTAL];
};
#define ET_SLOT(letter) ((letter) - 'a')

/* Fetches the word at byte offset pc of a code section: on Maxwell the scheduling word comes from the
 * bundle's head, and *is_sched tells that pc itself is one (there is nothing to decode). control: the 21
 * scheduling bits. */
enum etalon_status et_isa_fetch(const struct et_isa *isa, const void *code, size_t size, uint64_t pc,
                                uint64_t word[2], uint32_t *control, int *is_sched,
                                struct etalon_error *error);
/* Decodes one instruction. `control` is ignored by a 128-bit ISA, whose words hold it. Errors, all
 * ILLEGAL_INSTRUCTION with the word in the text: unknown opcode, reserved bits set, reserved value of a
 * field. */
enum etalon_status et_isa_decode(const struct et_isa *isa, const uint64_t word[2], uint32_t control,
                                 uint64_t pc, struct et_insn *insn, struct etalon_error *error);
struct et_sched et_isa_sched(uint32_t control);
uint32_t et_isa_control(const struct et_sched *sched);

/* Names for operands that stand for an address or a relocated immediate; returns 0 when it has none and the
 * number is printed. */
struct et_isa_symbols {
    int (*name)(void *context, const struct et_insn *insn, const struct et_operand *operand, char *text,
                size_t size);
    void *context;
};
/* The instruction in NVIDIA's syntax, without the final semicolon; always terminated; returns the length that
 * was needed. */
size_t et_isa_disasm(const struct et_isa *isa, const struct et_insn *insn,
                     const struct et_isa_symbols *symbols, char *text, size_t size);
/* "[B01----:R-:W0:Y:S04]": wait mask, read and write barrier, yield (Y when its bit is 0), stall. */
size_t et_isa_sched_text(const struct et_sched *sched, char *text, size_t size);

/* Resolves a label `(NAME) or NAME to an address; returns 0 when unknown. */
struct et_isa_labels {
    int (*find)(void *context, const char *name, size_t length, uint64_t *address); /* or NULL */
    void *context;
    uint64_t hidden; /* for the hidden operand: the memory descriptor's uniform register */
};
/* Assembles one instruction at pc (".reuse" marks set the reuse bits; a leading "[B...:S04]" sets the rest,
 * or stall 0, no barriers). For a 64-bit ISA *control receives the scheduling bits; a 128-bit word holds
 * them. */
enum etalon_status et_isa_assemble(const struct et_isa *isa, const char *text, uint64_t pc,
                                   const struct et_isa_labels *labels, uint64_t word[2], uint32_t *control,
                                   struct etalon_error *error);

/* Checks the table: rows that overlap without being an alias, fields that overlap or leave the word. OK or
 * INTERNAL with both rows' texts. */
enum etalon_status et_isa_check(const struct et_isa *isa, struct etalon_error *error);
/* What a row matches: fixed bits, and every bit that the row names (fixed, fields, ignored). */
void et_isa_row_bits(const struct et_isa *isa, size_t row, uint64_t mask[2], uint64_t match[2],
                     uint64_t named[2]);

#endif
