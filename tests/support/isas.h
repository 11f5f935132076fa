/* Both instruction sets, open while a test program runs: open_isas and close_isas are its fixture. */
#ifndef ET_SUPPORT_ISAS_H
#define ET_SUPPORT_ISAS_H

#include "support/suite.h"

#include "isa/isa.h"

static struct et_isa *isas[ET_ISA_COUNT];

static void open_isas(void)
{
    struct etalon_error error = {0};
    ck_assert_int_eq(et_isa_open(&et_isa_maxwell, &isas[ET_ISA_MAXWELL], &error), ETALON_OK);
    ck_assert_int_eq(et_isa_open(&et_isa_ampere, &isas[ET_ISA_AMPERE], &error), ETALON_OK);
}

static void close_isas(void)
{
    et_isa_close(isas[ET_ISA_MAXWELL]);
    et_isa_close(isas[ET_ISA_AMPERE]);
}

#endif
