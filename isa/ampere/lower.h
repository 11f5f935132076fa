/* Lowering of SM70 to SM87: what its files share. */
#ifndef ET_AMPERE_LOWER_H
#define ET_AMPERE_LOWER_H

#include "isa/ir/ir.h"
#include "isa/isa.h"

struct et_ampere_lower {
    const struct et_insn *insn;
    struct et_ir_builder *builder;
    uint32_t flags; /* ET_F_UNIFORM for the uniform datapath: given to every op */
};

/* ETALON_OK or ETALON_UNSUPPORTED; the caller words the error. */
typedef enum etalon_status et_ampere_lower_fn(struct et_ampere_lower *lower);

struct et_ampere_lowering {
    const char *mnemonic;
    et_ampere_lower_fn *lower;
};

/* One list a file, found by mnemonic. */
extern const struct et_ampere_lowering et_ampere_integer[], et_ampere_float[], et_ampere_memory[],
    et_ampere_control[], et_ampere_texture[], et_ampere_graphics[];

static inline const struct et_operand *et_ampere_op(const struct et_ampere_lower *lower, char slot)
{
    return &lower->insn->op[ET_SLOT(slot)];
}

static inline unsigned et_ampere_mod(const struct et_ampere_lower *lower, enum et_mod mod)
{
    return lower->insn->mod[mod];
}

/* Bits of the instruction word, for what a row fixes in its text. */
unsigned et_ampere_bits(const struct et_ampere_lower *lower, unsigned pos, unsigned width);

struct et_ir *et_ampere_emit(struct et_ampere_lower *lower, enum et_ir_op op);
/* Register of an operand: ET_R_NONE for RZ, URZ and an absent one as destination, ET_R_RZ as source. */
uint16_t et_ampere_dst(const struct et_ampere_lower *lower, char slot);
struct et_ir_src et_ampere_src(const struct et_ampere_lower *lower, char slot);
/* Predicate destination (ET_P_NONE for PT), source (with ET_P_NOT). */
uint8_t et_ampere_pdst(const struct et_ampere_lower *lower, char slot);
uint8_t et_ampere_psrc(const struct et_ampere_lower *lower, char slot);
/* Whether a predicate source is PT, or absent. */
int et_ampere_is_true(const struct et_ampere_lower *lower, char slot);
/* d = op(a, b, c). */
struct et_ir *et_ampere_abc(struct et_ampere_lower *lower, enum et_ir_op op);
/* A source of a half operation: its selector becomes a part. */
struct et_ir_src et_ampere_half(const struct et_ampere_lower *lower, char slot);

static inline uint16_t et_ampere_temp(unsigned n)
{
    return (uint16_t)(ET_R_TEMP + n);
}

static inline uint8_t et_ampere_ptemp(unsigned n)
{
    return (uint8_t)(ET_P_TEMP + n);
}

/* temp = value op s, without the guard. */
void et_ampere_logic(struct et_ampere_lower *lower, uint16_t dst, struct et_ir_src a, struct et_ir_src b,
                     struct et_ir_src c, unsigned lut);
void et_ampere_add(struct et_ampere_lower *lower, uint16_t dst, struct et_ir_src a, struct et_ir_src b);
void et_ampere_move(struct et_ampere_lower *lower, uint16_t dst, struct et_ir_src a);
/* pdst = lut[p0 p1 p2]. */
void et_ampere_plop(struct et_ampere_lower *lower, uint8_t pdst, uint8_t p0, uint8_t p1, uint8_t p2,
                    unsigned lut);
/* Predicate sources s and t of slots combined with AND; a temporary when both are named. */
uint8_t et_ampere_both(struct et_ampere_lower *lower, uint8_t a, uint8_t b, unsigned temp);

#endif
