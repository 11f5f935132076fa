#include "engine/chip.h"

#include "base/bits.h"

#include <string.h>

/* As an H200 counts, conformance/hardware/statistics. [HW:H200] */
#define REUSE .reuse = {.corners = 42, .primitives = 32, .vertices = 32}

/* Mesa's drivers never bind the copy class on subchannel 4, and nvc0 binds 906E on 7: presets. [DRV:
 * captures] */
#define MAXWELL_CLASSES                                                                                      \
    .channel_class = 0xb06f, .threed = 0xb197, .compute = 0xb1c0, .copy = 0xb0b5, .twod = 0x902d,            \
    .inline_to_memory = 0xa140, .preset = {[2] = 0xa140, [3] = 0x902d, [4] = 0xb0b5}, .isa = ET_ISA_MAXWELL, \
    .mme = ET_MME_FERMI, .va_bits = 40, .warps_per_sm = 64, REUSE

#define AMPERE_CLASSES                                                                                       \
    .threed = 0xc797, .compute = 0xc7c0, .copy = 0xc7b5, .twod = 0x902d, .inline_to_memory = 0xa140,         \
    .preset = {[2] = 0xa140, [3] = 0x902d, [4] = 0xc7b5}, .isa = ET_ISA_AMPERE, .mme = ET_MME_TURING,        \
    .timer_multiplier = 1, .timer_divisor = 1, .va_bits = 49, .warps_per_sm = 48, REUSE

static const struct et_chip chips[] = {
    {.name = "gm20b",
     .title = "Tegra X1 (GM20B)",
     .chipset = 0x12b,
     MAXWELL_CLASSES,
     .timer_multiplier = 625,
     .timer_divisor = 384,
     .big_page_bits = 16,
     .sm_count = 2},
    {.name = "gm204",
     .title = "GM204",
     .chipset = 0x124,
     MAXWELL_CLASSES,
     .timer_multiplier = 1,
     .timer_divisor = 1,
     .big_page_bits = 17,
     .sm_count = 16},
    {.name = "ga102",
     .title = "GA102",
     .chipset = 0x172,
     .channel_class = 0xc56f,
     AMPERE_CLASSES,
     .big_page_bits = 16,
     .sm_count = 84},
    {.name = "t239",
     .title = "T239",
     .channel_class = 0xc76f,
     AMPERE_CLASSES,
     .big_page_bits = 16,
     .sm_count = 12,
     .doubtful = "channel_class timer va_bits big_page sm_count"},
};

const struct et_chip *et_chips(unsigned *count)
{
    *count = ET_COUNT(chips);
    return chips;
}

const struct et_chip *et_chip_by_name(const char *name)
{
    for (unsigned i = 0; i < ET_COUNT(chips); i++)
        if (!strcmp(chips[i].name, name))
            return &chips[i];
    return NULL;
}

const struct et_chip *et_chip_by_chipset(uint32_t chipset)
{
    for (unsigned i = 0; i < ET_COUNT(chips); i++)
        if (chipset && chips[i].chipset == chipset)
            return &chips[i];
    return NULL;
}

/* value * multiply / divide without overflow of the product; the quotient must fit. */
static uint64_t scale(uint64_t value, uint32_t multiply, uint32_t divide)
{
    return value / divide * multiply + value % divide * multiply / divide;
}

uint64_t et_chip_timer_units(const struct et_chip *chip, uint64_t ns)
{
    return scale(ns, chip->timer_divisor, chip->timer_multiplier);
}

uint64_t et_chip_timer_ns(const struct et_chip *chip, uint64_t units)
{
    return scale(units, chip->timer_multiplier, chip->timer_divisor);
}
