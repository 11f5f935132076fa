/* Compiled once a CPU level: ET_WIDE_LEVEL names the table. */
#include "rasterizer/wide.h"

#include "isa/interp/lanes.h"
#include "isa/numeric/plane-quad.h"
#include "rasterizer/factors.h"

#include <string.h>

typedef int16_t vh __attribute__((vector_size(CHUNK_BYTES)));

/* The value in 0 to 1; NaN: 0. */
static inline vf clamped(vu bits)
{
#if CHUNK_BYTES == 64
    const __m512 positive = _mm512_max_ps((__m512)bits, _mm512_setzero_ps()); /* its second where unordered */
    return (vf)_mm512_min_ps(positive, _mm512_set1_ps(1));
#elif CHUNK_BYTES == 32
    return (vf)_mm256_min_ps(_mm256_max_ps((__m256)bits, _mm256_setzero_ps()), _mm256_set1_ps(1));
#elif defined(__SSE2__)
    return (vf)_mm_min_ps(_mm_max_ps((__m128)bits, _mm_setzero_ps()), _mm_set1_ps(1));
#else
    vi x = (vi)(bits & ~(vu)((vi)bits > signed_splat(0x7f800000)));
    return (vf)lesser(greater(x, signed_splat(0)), signed_splat(0x3f800000));
#endif
}

/* ---- codes: et_unorm_code, n <= 10 */
static inline vi code_of(vu bits, unsigned n)
{
    const vi kept = __builtin_convertvector(clamped(bits) * (float)(1u << (n + 4)), vi);
    return ((kept << (int)n) - kept + ((1 << (n + 3)) - 1)) >> (int)(n + 4);
}

/* Registers may lie anywhere. */
static inline vu load_register(const uint32_t *slot, unsigned k)
{
    vu value;
    memcpy(&value, slot + k * CHUNK, sizeof value);
    return value;
}

/* Fixed-point values of 12 bits of a register. */
static inline vi kept_of(const uint32_t *slot, unsigned k)
{
    return __builtin_convertvector(clamped(load_register(slot, k)) * 4096.0f, vi);
}

#if CHUNK_BYTES >= 32
/* Codes of eight bits in halves: rounded products, but that a tie goes down. */
static inline vu half_codes(vi low, vi high)
{
    const vh both = (vh)(low | high << 16), kept = both + (vh)(both == 2048);
#if CHUNK_BYTES == 64
    return (vu)_mm512_mulhrs_epi16((__m512i)kept, _mm512_set1_epi16(255 * 8));
#else
    return (vu)_mm256_mulhrs_epi16((__m256i)kept, _mm256_set1_epi16(255 * 8));
#endif
}
#endif

/* Codes of eight bits of a register. */
static inline vi byte_code(const uint32_t *slot, unsigned k)
{
    const vi kept = kept_of(slot, k);
    return ((kept << 8) - kept + 2047) >> 12;
}

static inline vi source_code(const struct et_wide_source *source, unsigned c, unsigned k, unsigned n)
{
    if (source->component[c])
        return code_of(load_register(source->component[c], k), n);
    return signed_splat(c == 3 ? (1 << n) - 1 : 0);
}

/* The field of a code, in place. */
static inline vu field_of(const struct et_color_format *format, unsigned c, vi code)
{
    const unsigned width = format->channel[c].width, n = format->code_bits;
    const vu narrow = width == 2 ? (((vu)code >> (n - 4)) + 2) / 5 : (vu)code >> (n - width);
    return narrow << format->channel[c].low;
}

/* Four codes of eight bits: the registers of each byte, the lowest first, and the bytes without one. */
struct byte_source {
    const uint32_t *by[4];
    uint32_t fixed;
    bool all; /* bytes have one */
};

static inline struct byte_source bytes_of(const struct et_color_format *format,
                                          const struct et_wide_source *source)
{
    struct byte_source bytes = {{NULL}, 0, true};
    for (unsigned c = 0; c < 4; c++) {
        bytes.by[format->channel[c].low / 8] = source->component[c];
        bytes.fixed |= c == 3 && !source->component[c] ? 0xffu << format->channel[c].low : 0;
        bytes.all &= source->component[c] != NULL;
    }
    return bytes;
}

/* Texels of chunk k where every byte has its register. */
static inline vu four_bytes(const struct byte_source *source, unsigned k)
{
    const uint32_t *const *by = source->by;
#if CHUNK_BYTES >= 32
    return half_codes(kept_of(by[0], k), kept_of(by[2], k)) | half_codes(kept_of(by[1], k), kept_of(by[3], k))
                                                                  << 8;
#else
    return (vu)(byte_code(by[0], k) | byte_code(by[1], k) << 8 | byte_code(by[2], k) << 16 |
                byte_code(by[3], k) << 24);
#endif
}

static void write_bytes(const struct et_color_format *format, const struct et_wide_source *source,
                        unsigned chunks, uint32_t *texel)
{
    const struct byte_source bytes = bytes_of(format, source);
    for (unsigned k = 0; k < chunks && bytes.all; k++)
        store(texel, k, four_bytes(&bytes, k));
    for (unsigned k = 0; k < chunks && !bytes.all; k++) {
        vu word = splat(bytes.fixed);
        for (int n = 0; n < 4; n++)
            if (bytes.by[n])
                word |= (vu)byte_code(bytes.by[n], k) << 8 * n;
        store(texel, k, word);
    }
}

static void write_texels(const struct et_blend_plan *plan, const struct et_wide_source *source,
                         unsigned lanes, uint32_t *texel)
{
    const struct et_color_format *const format = plan->format;
    const unsigned n = format->code_bits, chunks = lanes / CHUNK;
    if (plan->bytes) {
        write_bytes(format, source, chunks, texel);
        return;
    }
    for (unsigned k = 0; k < chunks; k++) {
        vu r = splat(format->ones);
        for (unsigned c = 0; c < 4; c++)
            if (format->channel[c].width)
                r |= field_of(format, c, source_code(source, c, k, n));
        store(texel, k, r);
    }
}

/* ---- blending of codes */
static inline vi target_code(const struct et_color_format *format, unsigned c, vu old)
{
    const unsigned width = format->channel[c].width, n = format->code_bits;
    const int32_t one = (1 << n) - 1;
    if (!width)
        return signed_splat(c == 3 ? one : 0);
    const vi field = (vi)(old >> format->channel[c].low & ((1u << width) - 1));
    switch (width) {
    case 1:
        return field * one;
    case 2:
        return field * (one / 3);
    case 5:
        return field << 3 | field >> 2;
    case 6:
        return field << 2 | field >> 4;
    default:
        return field;
    }
}

static inline vi factor_of(const struct et_blend_plan *plan, uint8_t factor, unsigned c, const vi s[4],
                           const vi d[4])
{
    const int32_t one = (1 << plan->format->code_bits) - 1;
    vi value;
    switch (factor & ~1u) {
    case SOURCE_COLOR:
        value = s[c];
        break;
    case TARGET_COLOR:
        value = d[c];
        break;
    case SOURCE_ALPHA:
        value = s[3];
        break;
    case TARGET_ALPHA:
        value = d[3];
        break;
    case CONSTANT_COLOR:
        value = signed_splat(plan->constant_code[c]);
        break;
    case CONSTANT_ALPHA:
        value = signed_splat(plan->constant_code[3]);
        break;
    case SOURCE_ALPHA_SATURATE:
        return c == 3 ? signed_splat(one) : lesser(s[3], one - d[3]);
    default:
        return signed_splat(factor == ONE ? one : 0);
    }
    return factor & 1 ? one - value : value;
}

static inline vi blended(const struct et_blend_plan *plan, unsigned c, const vi s[4], const vi d[4])
{
    const uint8_t op = plan->op[c == 3];
    const int n = plan->format->code_bits;
    const int32_t one = (1 << n) - 1;
    if (op == MINIMUM)
        return lesser(s[c], d[c]);
    if (op == MAXIMUM)
        return greater(s[c], d[c]);
    const vi a = s[c] * factor_of(plan, plan->factor[c == 3][0], c, s, d);
    const vi b = d[c] * factor_of(plan, plan->factor[c == 3][1], c, s, d);
    vi sum = op == ADD ? a + b : op == SUBTRACT ? a - b : b - a;
    sum = lesser(greater(sum, signed_splat(0)), signed_splat(one * one));
    sum += one / 2; /* nearest of a division by 2^n - 1: exact below 2^2n */
    return (sum + 1 + (sum >> n)) >> n;
}

static void blend_texels(const struct et_blend_plan *plan, const struct et_wide_source *source,
                         uint32_t texel[ET_WIDE])
{
    const struct et_color_format *format = plan->format;
    for (unsigned k = 0; k < CHUNKS; k++) {
        const vu old = load(texel, k);
        vi s[4], d[4];
        vu r = splat(format->ones);
        for (unsigned c = 0; c < 4; c++) {
            s[c] = source_code(source, c, k, format->code_bits);
            d[c] = target_code(format, c, old);
        }
        for (unsigned c = 0; c < 4; c++)
            if (format->channel[c].width)
                r |= field_of(format, c, blended(plan, c, s, d));
        store(texel, k, r);
    }
}

/* ---- depth */
/* a > b ? a : b, and a < b ? a : b: of unordered values b. */
static inline vf greater_of(vf a, vf b)
{
#if CHUNK_BYTES == 64
    return (vf)_mm512_max_ps((__m512)a, (__m512)b);
#elif CHUNK_BYTES == 32
    return (vf)_mm256_max_ps((__m256)a, (__m256)b);
#elif defined(__SSE2__)
    return (vf)_mm_max_ps((__m128)a, (__m128)b);
#else
    return (vf)choose((vu)(a > b), (vu)a, (vu)b);
#endif
}

static inline vf less_of(vf a, vf b)
{
#if CHUNK_BYTES == 64
    return (vf)_mm512_min_ps((__m512)a, (__m512)b);
#elif CHUNK_BYTES == 32
    return (vf)_mm256_min_ps((__m256)a, (__m256)b);
#elif defined(__SSE2__)
    return (vf)_mm_min_ps((__m128)a, (__m128)b);
#else
    return (vf)choose((vu)(a < b), (vu)a, (vu)b);
#endif
}

/* Lanes of chunk k whose comparison with the old codes holds, as bits. */
static inline uint32_t depth_holds(unsigned function, vu code, vu old)
{
#if CHUNK_BYTES == 64
    const __m512i a = (__m512i)code, b = (__m512i)old;
    uint32_t holds = function & 1 ? _mm512_cmplt_epu32_mask(a, b) : 0;
    holds |= function & 2 ? _mm512_cmpeq_epu32_mask(a, b) : 0;
    return holds | (function & 4 ? _mm512_cmpgt_epu32_mask(a, b) : 0);
#else
    vu holds = {0};
    if (function & 1)
        holds |= (vu)(code < old);
    if (function & 2)
        holds |= (vu)(code == old);
    if (function & 4)
        holds |= (vu)(code > old);
    return gather_bits(holds);
#endif
}

static uint32_t test_depth(const struct et_plane *plane, int32_t x, int32_t y, float low, float high,
                           unsigned function, uint32_t lanes, uint32_t texel[ET_WIDE], uint32_t *changed)
{
    float z[ET_WIDE] __attribute__((aligned(64)));
    const vf one = float_splat(1);
    uint32_t passed = 0, other = 0;
    et_plane_cells(plane, x, y, 1, z);
    for (unsigned k = 0; k < CHUNKS; k++) {
        const vf value = (vf)load((const uint32_t *)(const void *)z, k);
        const vf inside = less_of(float_splat(high), greater_of(float_splat(low), value));
        const vu normal = (vu)inside & (vu)(inside >= float_splat(0x1p-126f)); /* et_depth_float */
        const vu code = (vu)less_of((vf)normal, one), old = load(texel, k);
        const uint32_t pass = depth_holds(function, code, old) & lanes >> (CHUNK * k);
        store(texel, k, choose(expand(pass, 0), code, old));
        passed |= pass << (CHUNK * k);
        other |= (pass & gather_bits((vu)(code != old))) << (CHUNK * k);
    }
    *changed = other;
    return passed;
}

typedef uint16_t vw __attribute__((vector_size(CHUNK_BYTES)));

/* Lanes k * 2 * CHUNK .. as all-ones elements. */
static inline vw expand_words(uint32_t lanes, unsigned k)
{
#if CHUNK_BYTES == 64
    (void)k;
    return (vw)_mm512_movm_epi16(lanes);
#elif CHUNK_BYTES == 32
    const vw bit = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768};
    return (vw)((((uint16_t)(lanes >> (16 * k)) - (vw){0}) & bit) == bit);
#else
    const vw bit = {1, 2, 4, 8, 16, 32, 64, 128};
    return (vw)((((uint16_t)(lanes >> (8 * k)) - (vw){0}) & bit) == bit);
#endif
}

static void spread(const uint32_t *lanes, unsigned samples, uint16_t mask[ET_WIDE])
{
    for (unsigned k = 0; k < ET_WIDE / (2 * CHUNK); k++) {
        vw all = {0};
        for (unsigned s = 0; s < samples; s++)
            all |= expand_words(lanes[s], k) & ((uint16_t)(1u << s) - (vw){0});
        memcpy(mask + k * 2 * CHUNK, &all, sizeof all);
    }
}

/* ---- cells in memory */

#if CHUNK_BYTES >= 32
/* Lanes of a sector to memory's order, and back. */
static inline __m256i turned(__m256i sector)
{
    return _mm256_permute4x64_epi64(sector, 0xd8);
}
#endif

#if CHUNK_BYTES >= 32
/* Where the sector of lane k, an even one, lies. */
static inline size_t sector_of(const struct et_surface *surface, unsigned k)
{
    return surface->offset[surface->sample_at[0]][k];
}

/* Eight lanes of four samples, by place in a pixel, from four sectors. */
static inline void load_quarters(const struct et_surface *surface, const uint8_t *cell,
                                 uint32_t (*texel)[ET_WIDE], unsigned k)
{
    __m256 sector[4];
    for (unsigned n = 0; n < 4; n++)
        sector[n] = _mm256_loadu_ps((const void *)(cell + sector_of(surface, k + 2 * n)));
    const __m256 even[2] = {_mm256_shuffle_ps(sector[0], sector[1], 0x88),
                            _mm256_shuffle_ps(sector[2], sector[3], 0x88)};
    const __m256 odd[2] = {_mm256_shuffle_ps(sector[0], sector[1], 0xdd),
                           _mm256_shuffle_ps(sector[2], sector[3], 0xdd)};
    const uint8_t *const at = surface->sample_at;
    _mm256_store_ps((void *)(texel[at[0]] + k), _mm256_permute2f128_ps(even[0], even[1], 0x20));
    _mm256_store_ps((void *)(texel[at[1]] + k), _mm256_permute2f128_ps(odd[0], odd[1], 0x20));
    _mm256_store_ps((void *)(texel[at[2]] + k), _mm256_permute2f128_ps(even[0], even[1], 0x31));
    _mm256_store_ps((void *)(texel[at[3]] + k), _mm256_permute2f128_ps(odd[0], odd[1], 0x31));
}

/* The opposite: four sectors from eight lanes of four samples. */
struct sectors {
    __m256i at[4];
};

ET_ALWAYS_INLINE struct sectors join_quarters(__m256i a, __m256i b, __m256i c, __m256i d)
{
    const __m256i left[2] = {_mm256_permute2x128_si256(a, c, 0x20), _mm256_permute2x128_si256(b, d, 0x20)};
    const __m256i right[2] = {_mm256_permute2x128_si256(a, c, 0x31), _mm256_permute2x128_si256(b, d, 0x31)};
    return (struct sectors){{_mm256_unpacklo_epi32(left[0], left[1]), _mm256_unpackhi_epi32(left[0], left[1]),
                             _mm256_unpacklo_epi32(right[0], right[1]),
                             _mm256_unpackhi_epi32(right[0], right[1])}};
}

ET_ALWAYS_INLINE __m256i eight_lanes(uint32_t lanes)
{
    const __m256i bit = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
    return _mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32((int)lanes), bit), bit);
}

ET_ALWAYS_INLINE __m256i eight_texels(const uint32_t *texel)
{
    return _mm256_loadu_si256((const void *)texel);
}

static void store_quarters(const struct et_surface *surface, uint8_t *cell, const uint32_t *lanes,
                           const uint32_t *const *texel)
{
    const uint8_t *const at = surface->sample_at;
    const uint32_t *const a = texel[at[0]], *const b = texel[at[1]], *const c = texel[at[2]],
                          *const d = texel[at[3]];
    const bool whole = (lanes[0] & lanes[1] & lanes[2] & lanes[3]) == ~0u;
    for (unsigned k = 0; k < ET_WIDE; k += 8) {
        uint8_t *const to[4] = {cell + sector_of(surface, k), cell + sector_of(surface, k + 2),
                                cell + sector_of(surface, k + 4), cell + sector_of(surface, k + 6)};
        const struct sectors value =
            join_quarters(eight_texels(a + k), eight_texels(b + k), eight_texels(c + k), eight_texels(d + k));
        if (whole) {
            _mm256_storeu_si256((void *)to[0], value.at[0]);
            _mm256_storeu_si256((void *)to[1], value.at[1]);
            _mm256_storeu_si256((void *)to[2], value.at[2]);
            _mm256_storeu_si256((void *)to[3], value.at[3]);
            continue;
        }
        const struct sectors mask =
            join_quarters(eight_lanes(lanes[at[0]] >> k), eight_lanes(lanes[at[1]] >> k),
                          eight_lanes(lanes[at[2]] >> k), eight_lanes(lanes[at[3]] >> k));
        _mm256_maskstore_epi32((void *)to[0], mask.at[0], value.at[0]);
        _mm256_maskstore_epi32((void *)to[1], mask.at[1], value.at[1]);
        _mm256_maskstore_epi32((void *)to[2], mask.at[2], value.at[2]);
        _mm256_maskstore_epi32((void *)to[3], mask.at[3], value.at[3]);
    }
}
#endif

/* A sample of a cell. */
static void load_sample(const struct et_surface *surface, unsigned s, const uint8_t *cell,
                        uint32_t texel[ET_WIDE])
{
    const uint16_t *offset = surface->offset[s];
#if CHUNK_BYTES >= 32
    for (unsigned k = 0; k < ET_WIDE && surface->sectors; k += 8)
        _mm256_store_si256((void *)(texel + k), turned(_mm256_loadu_si256((const void *)(cell + offset[k]))));
    if (surface->sectors)
        return;
#endif
    for (unsigned lane = 0; lane < ET_WIDE && !surface->width_log2; lane += 2) /* neighbours in memory */
        memcpy(texel + lane, cell + offset[lane], 8);
    for (unsigned lane = 0; lane < ET_WIDE && surface->width_log2; lane++)
        memcpy(texel + lane, cell + offset[lane], 4);
}

static void load_cell(const struct et_surface *surface, const uint8_t *cell, uint32_t (*texel)[ET_WIDE])
{
#if CHUNK_BYTES >= 32
    for (unsigned k = 0; k < ET_WIDE && surface->quarters; k += 8)
        load_quarters(surface, cell, texel, k);
    if (surface->quarters)
        return;
#endif
    for (unsigned s = 0; s < surface->samples; s++)
        load_sample(surface, s, cell, texel[s]);
}

#if CHUNK_BYTES >= 32
/* Lanes of a cell as bits in memory's order, sector by sector. */
static inline uint32_t turned_lanes(uint32_t lanes)
{
    return (lanes & 0xc3c3c3c3) | (lanes & 0x0c0c0c0c) << 2 | (lanes >> 2 & 0x0c0c0c0c);
}

/* The eight of them from lane k on, into memory. */
static inline void store_sector(uint8_t *at, uint32_t turned_lanes, unsigned k, __m256i in_order)
{
#if CHUNK_BYTES == 64
    _mm256_mask_storeu_epi32(at, (__mmask8)(turned_lanes >> k), in_order);
#else
    const __m256i last = _mm256_setr_epi32(31, 30, 29, 28, 27, 26, 25, 24); /* to the sign */
    _mm256_maskstore_epi32((void *)at, _mm256_sllv_epi32(_mm256_set1_epi32((int)(turned_lanes >> k)), last),
                           in_order);
#endif
}
#endif

/* `lanes` of a sample into its cell. */
static void store_sample(const struct et_surface *surface, unsigned s, uint8_t *cell, uint32_t lanes,
                         const uint32_t texel[ET_WIDE])
{
    const uint16_t *offset = surface->offset[s];
#if CHUNK_BYTES >= 32
    if (surface->sectors) {
        const uint32_t bits = turned_lanes(lanes);
        for (unsigned k = 0; k < ET_WIDE; k += 8)
            store_sector(cell + offset[k], bits, k, turned(_mm256_load_si256((const void *)(texel + k))));
        return;
    }
#endif
    if (lanes != ~0u) {
        FOR_LANES(lane, lanes)
        {
            memcpy(cell + offset[lane], texel + lane, 4);
        }
        return;
    }
    for (unsigned lane = 0; lane < ET_WIDE && !surface->width_log2; lane += 2)
        memcpy(cell + offset[lane], texel + lane, 8);
    for (unsigned lane = 0; lane < ET_WIDE && surface->width_log2; lane++)
        memcpy(cell + offset[lane], texel + lane, 4);
}

static void store_cell(const struct et_surface *surface, uint8_t *cell, const uint32_t *lanes,
                       const uint32_t *const *texel)
{
#if CHUNK_BYTES >= 32
    if (surface->quarters) {
        store_quarters(surface, cell, lanes, texel);
        return;
    }
#endif
    for (unsigned s = 0; s < surface->samples; s++)
        if (lanes[s])
            store_sample(surface, s, cell, lanes[s], texel[s]);
}

#if CHUNK_BYTES >= 32
/* A chunk of a cell's texels into memory. */
static inline void put_chunk(const uint16_t *offset, const struct et_wide_place *place, uint32_t turned_lanes,
                             unsigned k, vu texels)
{
#if CHUNK_BYTES == 64
    const __m512i in_order = _mm512_permutex_epi64((__m512i)texels, 0xd8);
    store_sector(place->at + offset[k * CHUNK], turned_lanes, k * CHUNK, _mm512_castsi512_si256(in_order));
    store_sector(place->at + offset[k * CHUNK + 8], turned_lanes, k * CHUNK + 8,
                 _mm512_extracti64x4_epi64(in_order, 1));
#else
    store_sector(place->at + offset[k * CHUNK], turned_lanes, k * CHUNK, turned((__m256i)texels));
#endif
}
#endif

static void put_cells(const struct et_blend_plan *plan, const struct et_surface *surface,
                      const struct et_wide_source *source, const struct et_wide_place *place, unsigned cells)
{
    uint32_t texel[ET_WIDE] __attribute__((aligned(64)));
#if CHUNK_BYTES >= 32
    const struct byte_source bytes = bytes_of(plan->format, source);
    if (plan->bytes && bytes.all && surface->sectors) {
        for (unsigned n = 0; n < cells; n++) {
            const uint32_t lanes = turned_lanes(place[n].lanes);
            for (unsigned k = 0; k < CHUNKS; k++)
                put_chunk(surface->offset[0], &place[n], lanes, k, four_bytes(&bytes, n * CHUNKS + k));
        }
        return;
    }
#endif
    struct et_wide_source own = *source;
    for (unsigned n = 0; n < cells; n++) {
        write_texels(plan, &own, ET_WIDE, texel);
        store_sample(surface, 0, place[n].at, place[n].lanes, texel);
        for (unsigned c = 0; c < 4; c++)
            own.component[c] += own.component[c] ? ET_WIDE : 0;
    }
}

extern et_plane_block_fn ET_PLANES_LEVEL; /* isa/numeric/plane-wide.c */

const struct et_wide ET_WIDE_LEVEL = {ET_WIDE_NAME(ET_WIDE_LEVEL, inside),
                                      ET_WIDE_NAME(ET_WIDE_LEVEL, cover),
                                      write_texels,
                                      blend_texels,
                                      test_depth,
                                      spread,
                                      load_cell,
                                      store_cell,
                                      put_cells,
                                      ET_PLANES_LEVEL};
