/* Chips as rows: what differs between them and is not a method table. */
#ifndef ET_ENGINE_CHIP_H
#define ET_ENGINE_CHIP_H

#include "isa/interp/launch.h"
#include "pipeline/reuse.h"

#define ET_SUBCHANNELS 8

enum et_mme_kind { ET_MME_FERMI, ET_MME_TURING };

struct et_chip {
    const char *name;  /* as the command line says it: "gm204" */
    const char *title; /* for people */
    uint32_t chipset;  /* nouveau's chipset number; 0 where nouveau has none */
    uint16_t channel_class, threed, compute, copy, twod, inline_to_memory;
    uint16_t preset[ET_SUBCHANNELS]; /* class bound to a subchannel before any SET_OBJECT; 0: none */
    enum et_isa_kind isa;
    enum et_mme_kind mme;
    uint32_t timer_multiplier, timer_divisor; /* nanoseconds = timer units * multiplier / divisor */
    uint8_t va_bits, big_page_bits;
    uint16_t sm_count, warps_per_sm;
    struct et_reuse_limits reuse; /* of shaded vertices, see pipeline/reuse.h */
    const char *doubtful;         /* names the cells that no source states, (?); NULL: none */
};

/* All rows; *count of them. */
const struct et_chip *et_chips(unsigned *count);
/* The row of a name or of a nouveau chipset number; NULL when there is none. */
const struct et_chip *et_chip_by_name(const char *name);
const struct et_chip *et_chip_by_chipset(uint32_t chipset);

/* Timer units of `ns` nanoseconds and back, exact (rounded down) for every 64-bit value: Tegra X1 counts
 * 614.4 million units a second, so units = ns * 384 / 625. [DRV: note e] */
uint64_t et_chip_timer_units(const struct et_chip *chip, uint64_t ns);
uint64_t et_chip_timer_ns(const struct et_chip *chip, uint64_t units);

#endif
