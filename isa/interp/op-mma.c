/* Matrix multiplication across a warp. */
#include "isa/interp/ops.h"

const struct insn *et_op_mma(struct warp *w, const struct insn *i)
{
    return et_warp_fail(w, i, -1, ETALON_UNSUPPORTED, "matrix shape");
}

/* 8x8 halves: lane 4r + c holds row r, columns 2c and 2c + 1; the result is the transpose. */
const struct insn *et_op_movm(struct warp *w, const struct insn *i)
{
    HEAD;
    uint32_t value[ET_LANES];
    for (unsigned l = 0; l < ET_LANES; l++)
        value[l] = a[l];
    FOR_LANES(l, mask)
    {
        const unsigned row = l >> 2, column = (l & 3) * 2, shift = 16 * (row & 1);
        const uint32_t low = value[column * 4 + row / 2] >> shift & 0xffff;
        const uint32_t high = value[(column + 1) * 4 + row / 2] >> shift & 0xffff;
        d[l] = low | high << 16;
    }
    return i + 1;
}
