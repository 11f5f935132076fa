/* Short names for the parts of the instruction being lowered; for the lower-*.c files alone. */
#ifndef ET_AMPERE_LOWER_NAMES_H
#define ET_AMPERE_LOWER_NAMES_H

#include "isa/ampere/lower.h"

typedef struct et_ampere_lower lower_t;

#define OP(slot)   et_ampere_op(lower, slot)
#define SRC(slot)  et_ampere_src(lower, slot)
#define DST(slot)  et_ampere_dst(lower, slot)
#define PDST(slot) et_ampere_pdst(lower, slot)
#define PSRC(slot) et_ampere_psrc(lower, slot)
#define MOD(name)  et_ampere_mod(lower, ET_MOD_##name)

#endif
