/* RCP of many values: rcp()'s vector twin, inline for each CPU level. */
#ifndef ET_NUMERIC_MUFU_LANES_H
#define ET_NUMERIC_MUFU_LANES_H

#include "isa/numeric/mufu.h"

/* Values at a time. */
#define ET_MUFU_LANES 16

/* et_mufu(ET_MUFU_RCP, x) of each, in loops that compilers turn into vectors. */
static inline void et_mufu_reciprocals(const uint32_t x[ET_MUFU_LANES], uint32_t out[ET_MUFU_LANES])
{
    int32_t c0[ET_MUFU_LANES], c1[ET_MUFU_LANES], c2[ET_MUFU_LANES], part[ET_MUFU_LANES];
    uint32_t square[ET_MUFU_LANES];
    for (unsigned l = 0; l < ET_MUFU_LANES; l++) {
        const struct et_mufu_row *row = &et_mufu_rcp_rows[x[l] >> 16 & 127];
        c0[l] = row->c0;
        c1[l] = row->c1;
        c2[l] = row->c2;
    }
    for (unsigned l = 0; l < ET_MUFU_LANES; l++) {
        uint32_t sum = 0;
#pragma GCC unroll 7
        for (unsigned k = 9; k < 16; k++)
            sum += (((x[l] & ((1u << k) - 1)) >> (16 - k)) + (1u << (2 * k - 17))) & (0u - (x[l] >> k & 1));
        square[l] = sum;
    }
    for (unsigned l = 0; l < ET_MUFU_LANES; l++)
        part[l] = (int32_t)(((int64_t)c0[l] * 8192 + 2023 + (int64_t)c1[l] * (int32_t)(x[l] & 0xffff) +
                             (int64_t)c2[l] * (int32_t)square[l]) >>
                            15);
    for (unsigned l = 0; l < ET_MUFU_LANES; l++) {
        const int32_t e = (int32_t)(x[l] >> 23 & 255);
        const int32_t r = 0x3f000000 + part[l] + (127 - e) * (1 << 23);
        const uint32_t sign = x[l] & 0x80000000u, m = x[l] & 0x7fffff;
        const uint32_t finite = r < 0x00800000 ? 0 : (uint32_t)r, special = e ? 0 : 0x7f800000u;
        const uint32_t value = sign | (e == 0 || e == 255 ? special : finite);
        out[l] = e == 255 && m ? 0x7fffffff : value;
    }
}

#endif
