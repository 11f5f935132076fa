/* Loads and stores of whole words in their common shapes, a warp at a time: all lanes' addresses within one
 * extent (or the block's shared memory), aligned. Anything else goes to the slow handlers, which know every
 * rule and error. Compiled once a CPU level. */
#include "isa/interp/lanes.h"
#include "isa/interp/ops.h"

#include "memory/pagemap.h"

#include <string.h>

/* Lowest, highest and united bits of the low words of active lanes. */
struct span {
    uint32_t low, high, bits;
};

static inline vu smaller(vu a, vu b)
{
    return choose((vu)(a < b), a, b);
}

static inline vu larger(vu a, vu b)
{
    return choose((vu)(a > b), a, b);
}

static inline struct span span_of(const uint32_t *address, uint32_t mask)
{
    const vu first = splat(address[__builtin_ctz(mask)]);
    vu low = first, high = first, bits = first;
    struct span span = {~0u, 0, 0};
    for (unsigned k = 0; k < CHUNKS; k++) {
        const vu x = mask == ~0u ? load(address, k) : choose(expand(mask, k), load(address, k), first);
        low = smaller(low, x);
        high = larger(high, x);
        bits |= x ^ first;
    }
    for (unsigned l = 0; l < CHUNK; l++) {
        span.low = ET_MIN(span.low, low[l]);
        span.high = ET_MAX(span.high, high[l]);
        span.bits |= bits[l];
    }
    return span;
}

static inline bool all_equal(const uint32_t *slot, uint32_t mask)
{
    const vu first = splat(slot[__builtin_ctz(mask)]);
    vu differs = splat(0);
    uint32_t any = 0;
    for (unsigned k = 0; k < CHUNKS; k++)
        differs |= (load(slot, k) ^ first) & expand(mask, k);
    for (unsigned l = 0; l < CHUNK; l++)
        any |= differs[l];
    return !any;
}

/* Whether lane l's address is the first's plus 4 l. */
static inline bool is_row(const uint32_t *address)
{
    vu wrong = splat(0), want = splat(address[0]);
    uint32_t any = 0;
    for (unsigned l = 0; l < CHUNK; l++)
        want[l] += 4 * l;
    for (unsigned k = 0; k < CHUNKS; k++, want += 4 * CHUNK)
        wrong |= load(address, k) ^ want;
    for (unsigned l = 0; l < CHUNK; l++)
        any |= wrong[l];
    return !any;
}

/* The host address that low word 0 of the lanes' addresses stands for, or NULL: then the slow handler runs.
 */
static inline uint8_t *global_words(struct warp *w, const struct insn *i, uint32_t mask, uint32_t rights,
                                    uint32_t *base_low)
{
    const uint32_t *a = source(w, i->a), *uniform = source(w, i->b);
    const struct et_extent *extent;
    struct span span;
    uint64_t low;
    if (!all_equal(a + ET_LANES, mask))
        return NULL;
    span = span_of(a, mask);
    low = pair(a, (uint32_t)__builtin_ctz(mask)) - a[__builtin_ctz(mask)] + span.low + pair(uniform, 0) +
          (uint64_t)(int64_t)(int32_t)i->imm;
    if ((span.bits | (uint32_t)low) & 3)
        return NULL;
    extent = et_view_extent(&w->context->view, low);
    if (!extent || !extent->host || (extent->rights & rights) != rights ||
        extent->end - low < (uint64_t)(span.high - span.low) + 4)
        return NULL;
    if (rights & ET_WRITE) {
        if (span.high - span.low > ET_PAGE_SIZE)
            return NULL;
        (void)et_view_writable(&w->context->view, low, (uint64_t)(span.high - span.low) + 4);
    }
    *base_low = span.low;
    return extent->host + (low - extent->start);
}

static const struct insn *ld_global(struct warp *w, const struct insn *i)
{
    const uint32_t mask = lanes_of(w, i), *a = source(w, i->a);
    uint32_t *d = file(w, i->d), base;
    const uint8_t *from;
    if (!mask)
        return i + 1;
    from = global_words(w, i, mask, ET_READ, &base);
    if (!from)
        return et_op_ld(w, i);
    if (mask == ~0u && is_row(a)) {
        memcpy(d, from, ET_LANES * sizeof *d);
        return i + 1;
    }
    if (mask == ~0u)
        for (unsigned l = 0; l < ET_LANES; l++)
            d[l] = et_load32(from + (a[l] - base));
    else
        FOR_LANES(l, mask)
        {
            d[l] = et_load32(from + (a[l] - base));
        }
    return i + 1;
}

static const struct insn *st_global(struct warp *w, const struct insn *i)
{
    const uint32_t mask = lanes_of(w, i), *a = source(w, i->a), *c = source(w, i->c);
    uint32_t base;
    uint8_t *to;
    if (!mask)
        return i + 1;
    to = w->io ? NULL : global_words(w, i, mask, ET_WRITE, &base); /* a graphics warp may have helpers */
    if (!to)
        return et_op_st(w, i);
    if (mask == ~0u && is_row(a)) {
        memcpy(to, c, ET_LANES * sizeof *c);
        return i + 1;
    }
    FOR_LANES(l, mask)
    {
        et_store32(to + (a[l] - base), c[l]);
    }
    return i + 1;
}

static inline unsigned words_of(const struct insn *i)
{
    return i->ir->type == ET_B128                                                    ? 4
           : i->ir->type == ET_U64 || i->ir->type == ET_S64 || i->ir->type == ET_F64 ? 2
                                                                                     : 1;
}

/* The place in shared memory of address 0, or NULL. */
static inline uint8_t *shared_words(struct warp *w, const struct insn *i, uint32_t mask, unsigned words,
                                    uint32_t *offset)
{
    const uint32_t *a = source(w, i->a);
    struct span span;
    uint32_t first;
    if (!w->block)
        return NULL;
    span = span_of(a, mask);
    *offset = source(w, i->b)[0] + i->imm;
    first = a[__builtin_ctz(mask)] + *offset;
    /* No wrap between the lowest and the highest, both inside. */
    if ((span.bits | first) & (4 * words - 1) || span.high + *offset < span.low + *offset ||
        w->block->shared_bytes < 4 * words || span.high + *offset > w->block->shared_bytes - 4 * words)
        return NULL;
    return w->block->shared;
}

static const struct insn *ld_shared(struct warp *w, const struct insn *i)
{
    const uint32_t mask = lanes_of(w, i), *a = source(w, i->a);
    const unsigned words = words_of(i);
    uint32_t *d = file(w, i->d), offset;
    const uint8_t *from;
    if (!mask)
        return i + 1;
    from = shared_words(w, i, mask, words, &offset);
    if (!from)
        return et_op_ld(w, i);
    if (words == 1) {
        if (mask == ~0u)
            for (unsigned l = 0; l < ET_LANES; l++)
                d[l] = et_load32(from + (uint32_t)(a[l] + offset));
        else
            FOR_LANES(l, mask)
            {
                d[l] = et_load32(from + (uint32_t)(a[l] + offset));
            }
        return i + 1;
    }
    FOR_LANES(l, mask)
    {
        const uint8_t *at = from + (uint32_t)(a[l] + offset);
        for (unsigned n = 0; n < words; n++)
            d[n * ET_LANES + l] = et_load32(at + 4 * n);
    }
    return i + 1;
}

static const struct insn *st_shared(struct warp *w, const struct insn *i)
{
    const uint32_t mask = lanes_of(w, i), *a = source(w, i->a), *c = source(w, i->c);
    const unsigned words = words_of(i);
    uint32_t offset;
    uint8_t *to;
    if (!mask)
        return i + 1;
    to = shared_words(w, i, mask, words, &offset);
    if (!to)
        return et_op_st(w, i);
    FOR_LANES(l, mask)
    {
        uint8_t *at = to + (uint32_t)(a[l] + offset);
        for (unsigned n = 0; n < words; n++)
            et_store32(at + 4 * n, c[n * ET_LANES + l]);
    }
    return i + 1;
}

op_fn *const ET_MEMORY_LEVEL[MEMORY_COUNT] = {
#define MEMORY_ENTRY(name) name,
    MEMORY_HANDLERS(MEMORY_ENTRY)
#undef MEMORY_ENTRY
};
