/* Columns: a word of many lanes side by side, as a warp's slots have them, where records have many words of
 * one lane. */
#ifndef ET_INTERP_COLUMNS_H
#define ET_INTERP_COLUMNS_H

#include "isa/interp/launch.h"

/* Attributes of a team's lanes, 64-byte aligned: warp n's are lanes n * ET_LANES and up. */
#define ET_COLUMN_STEP (ET_LANES * ET_TEAM)
struct et_columns {
    uint32_t word[ET_ATTRIBUTE_WORDS][ET_COLUMN_STEP];
    uint32_t filled[ET_ATTRIBUTE_WORDS / 32]; /* a bit a word: it may be other than zero */
};

/* Words n = 0..words - 1 (at most 4) of a warp's elements at base + offset[lane] to column[n * step + lane].
 */
typedef void et_gather_fn(const uint8_t *base, const uint32_t offset[ET_LANES], unsigned words,
                          uint32_t *column, size_t step);
/* The one of the CPU level that runs here. */
et_gather_fn *et_interp_gather(void);

#endif
