/* SM70 to SM87 as one table. */
#include "isa/isa.h"

static const struct et_isa_table tables[] = {
    {"rnd", 2, "_ RM RP RZ"},
};

static const struct et_isa_row rows[] = {
    {0x223, 0xfff, 0,
     "FFMA{.FTZ@80}{.rnd@78}{.SAT@77} {d:R@16}, {a:R@24 -@72 |@73}, {b:R@32 -@63 |@62}, {c:R@64 -@75 |@74}"},
    {0x918, 0xfff, 0, "NOP"},
};

const struct et_isa_def et_isa_ampere = {
    .name = "ampere",
    .kind = ET_ISA_AMPERE,
    .word_bits = 128,
    .op_pos = 0,
    .op_bits = 12,
    .guard_pos = 12,
    .rz = 255,
    .urz = 63,
    .reuse_pos = {24, 32, 64},
    .rows = rows,
    .row_count = sizeof rows / sizeof *rows,
    .tables = tables,
    .table_count = sizeof tables / sizeof *tables,
};
