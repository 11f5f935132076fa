/* Loads, stores and atomics in all spaces.
 *
 * Local memory lies interleaved, word n of all lanes together, so that a warp's equal addresses are one row.
 * Global accesses test the warp's lowest and highest address against one extent first. */
#include "isa/interp/ops.h"

#include "memory/pagemap.h"

#include <string.h>

static unsigned bytes_of(const struct et_ir *ir)
{
    switch (ir->type) {
    case ET_U8:
    case ET_S8:
        return 1;
    case ET_U16:
    case ET_S16:
        return 2;
    case ET_U64:
    case ET_S64:
    case ET_F64:
        return 8;
    case ET_B128:
        return 16;
    default:
        return 4;
    }
}

/* Addresses of the lanes of mask: register (32 or 64 bits) + uniform + immediate. */
static void addresses(const struct insn *i, const uint32_t *base, const uint32_t *uniform, uint32_t mask,
                      int64_t offset, bool narrow, uint64_t *out)
{
    const bool wide = i->flags & ET_F_A64;
    FOR_LANES(l, mask)
    {
        uint64_t address = (wide ? pair(base, l) : base[l]) + pair(uniform, l) + (uint64_t)offset;
        out[l] = narrow ? (uint32_t)address : address;
    }
}

/* A lane's place in a space that is not global; NULL after an error. */
static uint32_t *local_word(struct warp *w, const struct insn *i, uint32_t lane, uint64_t address,
                            unsigned bytes)
{
    if (address + bytes > w->local_bytes || address + bytes < bytes) {
        et_at_address(w->error, address);
        et_warp_fail(w, i, (int)lane, ETALON_BOUNDS, "local address 0x%llx past 0x%llx bytes",
                     (unsigned long long)address, (unsigned long long)w->local_bytes);
        return NULL;
    }
    if (address < w->local_low)
        w->local_low = address;
    if (address + bytes > w->local_high)
        w->local_high = address + bytes;
    return (uint32_t *)(void *)w->local + (address >> 2) * ET_LANES + lane;
}

static uint8_t *shared_at(struct warp *w, const struct insn *i, uint32_t lane, uint64_t address,
                          unsigned bytes)
{
    const uint32_t size = w->block ? w->block->shared_bytes : 0;
    if (address + bytes > size || address + bytes < bytes) {
        et_at_address(w->error, address);
        et_warp_fail(w, i, (int)lane, ETALON_BOUNDS, "shared address 0x%llx past 0x%x bytes",
                     (unsigned long long)address, size);
        return NULL;
    }
    return w->block->shared + address;
}

static bool aligned(struct warp *w, const struct insn *i, uint32_t lane, uint64_t address, unsigned bytes)
{
    if (!(address & (bytes - 1)))
        return true;
    et_at_address(w->error, address);
    et_warp_fail(w, i, (int)lane, ETALON_MISALIGNED, "address 0x%llx for %u bytes",
                 (unsigned long long)address, bytes);
    return false;
}

/* The space of an address, reduced to it. */
static unsigned space_of(const struct warp *w, unsigned space, uint64_t *address)
{
    const struct et_launch *launch = w->launch;
    if (space != ET_SPACE_GENERIC)
        return space;
    if (launch->window_bytes) {
        if (*address - launch->shared_window < launch->window_bytes) {
            *address -= launch->shared_window;
            return ET_SPACE_SHARED;
        }
        if (*address - launch->local_window < launch->window_bytes) {
            *address -= launch->local_window;
            return ET_SPACE_LOCAL;
        }
    }
    return ET_SPACE_GLOBAL;
}

static bool global_failed(struct warp *w, const struct insn *i, uint32_t lane, enum etalon_status status)
{
    if (status == ETALON_OK)
        return false;
    et_warp_fail(w, i, (int)lane, status, "%s", etalon_status_name(status));
    return true;
}

/* Copies one lane's bytes in or out of any space. */
static bool load_lane(struct warp *w, const struct insn *i, unsigned space, uint32_t lane, uint64_t address,
                      unsigned bytes, void *to)
{
    space = space_of(w, space, &address);
    if (!aligned(w, i, lane, address, bytes))
        return false;
    if (space == ET_SPACE_LOCAL) {
        const uint32_t *word = local_word(w, i, lane, address, bytes);
        if (!word)
            return false;
        if (bytes < 4)
            memcpy(to, (const uint8_t *)word + (address & 3), bytes);
        else
            for (unsigned n = 0; n < bytes / 4; n++)
                memcpy((uint8_t *)to + 4 * n, word + n * ET_LANES, 4);
        return true;
    }
    if (space == ET_SPACE_SHARED) {
        const uint8_t *from = shared_at(w, i, lane, address, bytes);
        if (from)
            memcpy(to, from, bytes);
        return from != NULL;
    }
    return !global_failed(w, i, lane, et_view_read(&w->context->view, address, to, bytes, w->error));
}

static bool store_lane(struct warp *w, const struct insn *i, unsigned space, uint32_t lane, uint64_t address,
                       unsigned bytes, const void *from)
{
    space = space_of(w, space, &address);
    if (!aligned(w, i, lane, address, bytes))
        return false;
    if (space == ET_SPACE_LOCAL) {
        uint32_t *word = local_word(w, i, lane, address, bytes);
        if (!word)
            return false;
        if (bytes < 4)
            memcpy((uint8_t *)word + (address & 3), from, bytes);
        else
            for (unsigned n = 0; n < bytes / 4; n++)
                memcpy(word + n * ET_LANES, (const uint8_t *)from + 4 * n, 4);
        return true;
    }
    if (space == ET_SPACE_SHARED) {
        uint8_t *to = shared_at(w, i, lane, address, bytes);
        if (to)
            memcpy(to, from, bytes);
        return to != NULL;
    }
    return !global_failed(w, i, lane, et_view_write(&w->context->view, address, from, bytes, w->error));
}

/* The host pointer of address 0 for all lanes, when one extent with `rights` holds them all, aligned; else
 * NULL. */
static uint8_t *one_extent(struct warp *w, const uint64_t *address, uint32_t mask, unsigned bytes,
                           uint32_t rights, uint64_t *lowest, uint64_t *highest)
{
    const struct et_extent *extent;
    uint64_t low = UINT64_MAX, high = 0, bits = 0;
    FOR_LANES(l, mask)
    {
        low = ET_MIN(low, address[l]);
        high = ET_MAX(high, address[l]);
        bits |= address[l];
    }
    if (bits & (bytes - 1))
        return NULL;
    extent = et_view_extent(&w->context->view, low);
    if (!extent || !extent->host || (extent->rights & rights) != rights || high + bytes < high ||
        low < extent->start || high + bytes > extent->end)
        return NULL;
    *lowest = low;
    *highest = high + bytes;
    return extent->host - extent->start;
}

/* Generic addresses that all lie outside the windows are global. */
static unsigned common_space(const struct warp *w, unsigned space, const uint64_t *address, uint32_t mask)
{
    if (space != ET_SPACE_GENERIC)
        return space;
    FOR_LANES(l, mask)
    {
        uint64_t a = address[l];
        if (space_of(w, ET_SPACE_GENERIC, &a) != ET_SPACE_GLOBAL)
            return ET_SPACE_GENERIC;
    }
    return ET_SPACE_GLOBAL;
}

static void put_loaded(const struct et_ir *ir, uint32_t *d, uint32_t lane, const uint8_t *from,
                       unsigned bytes)
{
    switch (ir->type) {
    case ET_U8:
        d[lane] = *from;
        break;
    case ET_S8:
        d[lane] = (uint32_t)(int8_t)*from;
        break;
    case ET_U16:
        d[lane] = (uint32_t)from[0] | (uint32_t)from[1] << 8;
        break;
    case ET_S16:
        d[lane] = (uint32_t)(int16_t)((uint32_t)from[0] | (uint32_t)from[1] << 8);
        break;
    default:
        for (unsigned n = 0; n < bytes / 4; n++)
            d[n * ET_LANES + lane] = et_load32(from + 4 * n);
        break;
    }
}

const struct insn *et_op_ld(struct warp *w, const struct insn *i)
{
    const struct et_ir *ir = i->ir;
    const unsigned bytes = bytes_of(ir);
    HEAD;
    uint64_t address[ET_LANES], low, high;
    const uint8_t *host;
    unsigned space;
    if (!mask)
        return i + 1;
    addresses(i, a, b, mask, (int32_t)i->imm, ir->space == ET_SPACE_SHARED || ir->space == ET_SPACE_LOCAL,
              address);
    set_predicate(w, i->q0, mask, ~0u);
    space = common_space(w, ir->space, address, mask);
    if (space == ET_SPACE_GLOBAL && (host = one_extent(w, address, mask, bytes, ET_READ, &low, &high))) {
        if (bytes == 4) {
            FOR_LANES(l, mask)
            {
                d[l] = et_load32(host + address[l]);
            }
        } else {
            FOR_LANES(l, mask)
            {
                put_loaded(ir, d, l, host + address[l], bytes);
            }
        }
        return i + 1;
    }
    FOR_LANES(l, mask)
    {
        uint8_t value[16];
        if (!load_lane(w, i, space, l, address[l], bytes, value))
            return NULL;
        put_loaded(ir, d, l, value, bytes);
    }
    return i + 1;
}

static void take_stored(const uint32_t *slot, uint32_t lane, uint8_t *to, unsigned bytes)
{
    uint32_t words[4];
    for (unsigned n = 0; n < (bytes + 3) / 4; n++)
        words[n] = slot[n * ET_LANES + lane];
    memcpy(to, words, bytes);
}

/* Lanes that may write: not helpers, not killed. */
static uint32_t writers(const struct warp *w, uint32_t mask)
{
    return w->io && w->io->fragment ? mask & ~(w->io->fragment->helpers | w->killed) : mask;
}

static void stamp(struct warp *w, uint64_t low, uint64_t high, const uint64_t *address, uint32_t mask,
                  unsigned bytes)
{
    struct et_view *view = &w->context->view;
    if ((high - 1) >> ET_PAGE_BITS <= (low >> ET_PAGE_BITS) + 1) {
        (void)et_view_writable(view, low, high - low);
        return;
    }
    FOR_LANES(l, mask)
    {
        (void)et_view_writable(view, address[l], bytes);
    }
}

const struct insn *et_op_st(struct warp *w, const struct insn *i)
{
    const struct et_ir *ir = i->ir;
    const unsigned bytes = bytes_of(ir);
    const uint32_t *a = source(w, i->a), *b = source(w, i->b), *c = source(w, i->c);
    uint32_t mask = lanes_of(w, i);
    uint64_t address[ET_LANES], low, high;
    uint8_t *host;
    unsigned space;
    mask = ir->space == ET_SPACE_LOCAL ? mask : writers(w, mask);
    if (!mask)
        return i + 1;
    addresses(i, a, b, mask, (int32_t)i->imm, ir->space == ET_SPACE_SHARED || ir->space == ET_SPACE_LOCAL,
              address);
    space = common_space(w, ir->space, address, mask);
    if (space == ET_SPACE_GLOBAL && (host = one_extent(w, address, mask, bytes, ET_WRITE, &low, &high))) {
        stamp(w, low, high, address, mask, bytes);
        FOR_LANES(l, mask)
        {
            take_stored(c, l, host + address[l], bytes);
        }
        return i + 1;
    }
    FOR_LANES(l, mask)
    {
        uint8_t value[16];
        take_stored(c, l, value, bytes);
        if (!store_lane(w, i, space, l, address[l], bytes, value))
            return NULL;
    }
    return i + 1;
}

/* Bytes of c[number][offset...]: zero past its end. */
static void bank_read(const struct warp *w, uint32_t number, uint32_t offset, uint8_t *value, unsigned bytes)
{
    const struct et_bank *bank = number < ET_BANKS ? &w->launch->banks[number] : NULL;
    for (unsigned n = 0; n < bytes; n++)
        value[n] = bank && bank->data && offset + n < bank->size && offset + n >= offset
                       ? bank->data[offset + n]
                       : 0;
}

/* Bindless constants. The handle: the address in 16-byte units in the low 45 bits, size in 16-byte units
 * above. [DRV] */
static bool bindless_read(struct warp *w, const struct insn *i, uint32_t lane, uint64_t handle,
                          uint64_t offset, uint8_t *value, unsigned bytes)
{
    const uint64_t base = et_bits64(handle, 0, 45) << 4, size = handle >> 45 << 4;
    memset(value, 0, bytes);
    if (offset >= size || bytes > size - offset)
        return true;
    return !global_failed(w, i, lane, et_view_read(&w->context->view, base + offset, value, bytes, w->error));
}

const struct insn *et_op_ldc(struct warp *w, const struct insn *i)
{
    const struct et_ir *ir = i->ir;
    const unsigned bytes = bytes_of(ir);
    HEAD;
    FOR_LANES(l, mask)
    {
        uint32_t offset = a[l] + i->imm, number = i->imm2;
        uint8_t value[16];
        if (i->flags & ET_F_BINDLESS) {
            if (!bindless_read(w, i, l, pair(b, l), offset, value, bytes))
                return NULL;
        } else {
            if (i->fn != ET_LDC_PLAIN) { /* the upper half picks the bank */
                number += offset >> 16;
                offset &= 0xffff;
            }
            bank_read(w, number, offset, value, bytes);
        }
        put_loaded(ir, d, l, value, bytes);
    }
    return i + 1;
}

/* In front of an op with an operand cx[UR][imm]: imm2 words to d. */
const struct insn *et_op_bindless(struct warp *w, const struct insn *i)
{
    const uint32_t *b = source(w, i->b);
    uint32_t *d = file(w, i->d);
    for (uint32_t n = 0; n < i->imm2; n++) {
        uint8_t value[4];
        if (!bindless_read(w, i, 0, pair(b, 0), i->imm + 4 * n, value, 4))
            return NULL;
        for (unsigned l = 0; l < ET_LANES; l++)
            d[n * ET_LANES + l] = et_load32(value);
    }
    return i + 1;
}

/* ---- atomics */
static uint64_t apply32(const struct insn *i, uint32_t old, uint32_t x, uint32_t compare)
{
    const unsigned type = i->ir->type;
    switch (i->fn) {
    case ET_ATOM_MIN:
        return (type == ET_S32 ? (int32_t)x < (int32_t)old : x < old) ? x : old;
    case ET_ATOM_MAX:
        return (type == ET_S32 ? (int32_t)x > (int32_t)old : x > old) ? x : old;
    case ET_ATOM_INC:
        return old >= x ? 0 : old + 1;
    case ET_ATOM_DEC:
        return !old || old > x ? x : old - 1;
    case ET_ATOM_AND:
        return old & x;
    case ET_ATOM_OR:
        return old | x;
    case ET_ATOM_XOR:
        return old ^ x;
    case ET_ATOM_EXCHANGE:
        return x;
    case ET_ATOM_CAS:
    case ET_ATOM_CAST_SPIN:
        return old == compare ? x : old;
    case ET_ATOM_POPC_INC:
        return old + 1;
    default:
        break;
    }
    switch (type) { /* additions */
    case ET_F32:
        return et_soft_add(&et_format_f32, old, x, ET_RN, i->ir->ftz);
    case ET_F16X2:
    case ET_BF16X2: {
        const struct et_format *f = type == ET_F16X2 ? &et_format_f16 : &et_format_bf16;
        return et_soft_add(f, old & 0xffff, x & 0xffff, ET_RN, false) |
               et_soft_add(f, old >> 16, x >> 16, ET_RN, false) << 16;
    }
    default:
        return old + x;
    }
}

/* One arrival at an mbarrier: the high word counts up to zero below a phase bit; then it starts again from
 * minus the expected count, which the low word holds below bit 30. [INF] from the code that ptxas writes
 * around it. */
static uint64_t arrive(uint64_t old)
{
    const uint32_t expected = (0u - (uint32_t)old) & 0x3fffffff;
    uint32_t high = (uint32_t)(old >> 32) + 1;
    if (!(high & 0x7fffffff))
        high |= (0u - expected) & 0x7fffffff;
    return (uint64_t)high << 32 | (uint32_t)old;
}

/* Of NaNs, global memory takes the operand's before its own, as it is; shared memory its own, made quiet
 * [HW:H200]. */
static uint64_t add_f64(uint64_t old, uint64_t x, bool shared)
{
    const bool old_nan = et_soft_is_nan(&et_format_f64, old), x_nan = et_soft_is_nan(&et_format_f64, x);
    if (!old_nan && !x_nan)
        return et_soft_add(&et_format_f64, old, x, ET_RN, false);
    return shared ? (old_nan ? old : x) | UINT64_C(1) << 51 : x_nan ? x : old;
}

static uint64_t apply64(const struct insn *i, uint64_t old, uint64_t x, uint64_t compare, bool shared)
{
    const unsigned type = i->ir->type;
    switch (i->fn) {
    case ET_ATOM_MIN:
        return (type == ET_S64 ? (int64_t)x < (int64_t)old : x < old) ? x : old;
    case ET_ATOM_MAX:
        return (type == ET_S64 ? (int64_t)x > (int64_t)old : x > old) ? x : old;
    case ET_ATOM_INC:
        return old >= x ? 0 : old + 1;
    case ET_ATOM_DEC:
        return !old || old > x ? x : old - 1;
    case ET_ATOM_AND:
        return old & x;
    case ET_ATOM_OR:
        return old | x;
    case ET_ATOM_XOR:
        return old ^ x;
    case ET_ATOM_EXCHANGE:
        return x;
    case ET_ATOM_ARRIVE:
        return arrive(old);
    case ET_ATOM_CAS:
    case ET_ATOM_CAST_SPIN:
        return old == compare ? x : old;
    default:
        return type == ET_F64 ? add_f64(old, x, shared) : old + x;
    }
}

/* One lane's atomic on host memory; other threads may be at it too. */
static uint64_t exchange(const struct insn *i, void *at, unsigned bytes, uint64_t x, uint64_t compare,
                         bool shared)
{
    if (bytes == 8) {
        uint64_t old = __atomic_load_n((uint64_t *)at, __ATOMIC_RELAXED);
        while (!__atomic_compare_exchange_n((uint64_t *)at, &old, apply64(i, old, x, compare, shared), false,
                                            __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
            ;
        return old;
    } else {
        uint32_t old = __atomic_load_n((uint32_t *)at, __ATOMIC_RELAXED);
        while (!__atomic_compare_exchange_n((uint32_t *)at, &old,
                                            (uint32_t)apply32(i, old, (uint32_t)x, (uint32_t)compare), false,
                                            __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
            ;
        return old;
    }
}

static bool in_shared(const struct warp *w, const void *at)
{
    return w->block && (uintptr_t)at - (uintptr_t)w->block->shared < w->block->shared_bytes;
}

/* Where an atomic of one lane lands; NULL after an error, *nowhere for sparse memory. */
static void *atomic_place(struct warp *w, const struct insn *i, uint32_t lane, uint64_t address,
                          unsigned bytes, bool *nowhere)
{
    struct et_view *view = &w->context->view;
    const unsigned space = space_of(w, i->ir->space, &address);
    const struct et_extent *extent;
    void *at;
    *nowhere = false;
    if (!aligned(w, i, lane, address, bytes))
        return NULL;
    if (space == ET_SPACE_SHARED)
        return shared_at(w, i, lane, address, bytes);
    if (space == ET_SPACE_LOCAL) {
        et_warp_fail(w, i, (int)lane, ETALON_BOUNDS, "atomic on local memory");
        return NULL;
    }
    at = et_view_writable(view, address, bytes);
    if (at)
        return at;
    extent = et_view_extent(view, address);
    if (extent && !extent->host) {
        *nowhere = true;
        return NULL;
    }
    et_at_address(w->error, address);
    et_warp_fail(w, i, (int)lane, extent ? ETALON_READ_ONLY : ETALON_UNMAPPED, "atomic at 0x%llx",
                 (unsigned long long)address);
    return NULL;
}

const struct insn *et_op_atom(struct warp *w, const struct insn *i)
{
    const unsigned bytes = bytes_of(i->ir) == 8 ? 8 : 4;
    const uint32_t *a = source(w, i->a), *b = source(w, i->b), *c = source(w, i->c), *e = source(w, i->e);
    const bool narrow = i->ir->space == ET_SPACE_SHARED;
    const bool compares = i->fn == ET_ATOM_CAS || i->fn == ET_ATOM_CAST_SPIN;
    const uint32_t mask = writers(w, lanes_of(w, i));
    uint32_t *d = file(w, i->d), stored = 0;
    uint64_t address[ET_LANES];
    addresses(i, a, b, mask, (int32_t)i->imm, narrow, address);
    FOR_LANES(l, mask)
    {
        const uint64_t first = bytes == 8 ? pair(c, l) : c[l],
                       second = compares ? (bytes == 8 ? pair(e, l) : e[l]) : 0;
        bool nowhere;
        void *at = atomic_place(w, i, l, address[l], bytes, &nowhere);
        uint64_t old = 0;
        if (!at && !nowhere)
            return NULL;
        if (at) /* CAS brings the compare first */
            old = exchange(i, at, bytes, compares ? second : first, first, in_shared(w, at));
        if (!compares || old == first)
            stored |= 1u << l;
        if (i->fn == ET_ATOM_CAST_SPIN)
            old = old == first; /* a pair for a pair [HW:H200] */
        if (bytes == 8)
            set_pair64(d, l, old);
        else
            d[l] = (uint32_t)old;
    }
    set_predicate(w, i->q0, mask, stored);
    return i + 1;
}

/* ---- the rest */
/* Matrices of 8x8 halves: lanes 8m..8m+7 bring the rows' addresses of matrix m. */
const struct insn *et_op_ldsm(struct warp *w, const struct insn *i)
{
    const unsigned count = i->ir->words ? i->ir->words : 1;
    HEAD;
    uint32_t out[4][ET_LANES] = {{0}};
    for (unsigned m = 0; m < count; m++) {
        uint16_t rows[8][8];
        for (unsigned r = 0; r < 8; r++) {
            const uint32_t lane = m * 8 + r;
            const uint64_t address = (uint32_t)(a[lane] + b[lane] + i->imm);
            if (!load_lane(w, i, ET_SPACE_SHARED, lane, address, 16, rows[r]))
                return NULL;
        }
        for (unsigned l = 0; l < ET_LANES; l++) {
            const unsigned r = l >> 2, pair_ = (l & 3) * 2;
            out[m][l] = i->flags & ET_F_TRANS ? rows[pair_][r] | (uint32_t)rows[pair_ + 1][r] << 16
                                              : rows[r][pair_] | (uint32_t)rows[r][pair_ + 1] << 16;
        }
    }
    FOR_LANES(l, mask)
    {
        for (unsigned m = 0; m < count; m++)
            d[m * ET_LANES + l] = out[m][l];
    }
    return i + 1;
}

const struct insn *et_op_ldgsts(struct warp *w, const struct insn *i)
{
    const unsigned bytes = bytes_of(i->ir);
    HEAD;
    const uint32_t wanted = predicate(w, i->p0);
    uint64_t from[ET_LANES];
    (void)d;
    addresses(i, b, c, mask, (int32_t)i->imm, false, from);
    FOR_LANES(l, mask)
    {
        uint8_t value[16] = {0};
        /* ZFILL: the address's low bits say how many bytes at the end stay zero [HW:H200, as compilers rely
         * on it]. */
        const unsigned zeroes = i->flags & ET_F_ZFILL ? (unsigned)from[l] & (bytes - 1) : 0;
        if (wanted >> l & 1 && !load_lane(w, i, ET_SPACE_GLOBAL, l, from[l] - zeroes, bytes, value))
            return NULL;
        memset(value + bytes - zeroes, 0, zeroes);
        if (!store_lane(w, i, ET_SPACE_SHARED, l, (uint32_t)(a[l] + i->imm2), bytes, value))
            return NULL;
    }
    return i + 1;
}

const struct insn *et_op_qspc(struct warp *w, const struct insn *i)
{
    HEAD;
    uint32_t inside = 0;
    FOR_LANES(l, mask)
    {
        uint64_t address = i->flags & ET_F_A64 ? pair(a, l) : a[l];
        inside |= (uint32_t)(space_of(w, ET_SPACE_GENERIC, &address) == i->ir->space) << l;
    }
    FOR_LANES(l, mask)
    {
        d[l] = inside >> l & 1 ? ~0u : 0;
    }
    set_predicate(w, i->q0, mask, inside);
    return i + 1;
}

const struct insn *et_op_membar(struct warp *w, const struct insn *i)
{
    (void)w;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    return i + 1;
}
