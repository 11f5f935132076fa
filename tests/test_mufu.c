/* Special functions and conversions against hashes of silicon's results: a fixed sample of the blocks, or
 * with the argument "all" every 32-bit input of every function. */
#include "support/suite.h"

#include "base/bits.h"
#include "base/hash.h"
#include "isa/numeric/mufu.h"
#include "isa/numeric/soft.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <zstd.h>

enum { FUNCTIONS = 44, BLOCKS = 4096, BLOCK = 1 << 20 };

static uint32_t multiply(uint32_t x, uint32_t y)
{
    return (uint32_t)et_soft_mul(&et_format_f32, x, y, ET_RN, false);
}

static bool is_denormal(uint32_t x)
{
    return !(x & 0x7f800000);
}

/* What compilers expand the functions without .ftz to. */
static uint32_t scaled(enum et_mufu fn, uint32_t x, uint32_t back)
{
    const uint32_t y = et_mufu(fn, is_denormal(x) ? multiply(x, 0x4b800000) : x);
    return is_denormal(x) ? multiply(y, back) : y;
}

static uint32_t reciprocal(uint32_t x)
{
    const uint32_t magnitude = x & 0x7fffffff;
    const uint32_t scale = magnitude < 0x00800000                              ? 0x4b800000
                           : magnitude > 0x7e800000 && magnitude <= 0x7f800000 ? 0x3e800000
                                                                               : 0x3f800000;
    return multiply(et_mufu(ET_MUFU_RCP, multiply(x, scale)), scale);
}

static uint32_t logarithm(uint32_t x)
{
    const uint32_t y = et_mufu(ET_MUFU_LG2, is_denormal(x) ? multiply(x, 0x4b800000) : x);
    return is_denormal(x) ? (uint32_t)et_soft_add(&et_format_f32, y, 0xc1c00000, ET_RN, false) : y;
}

static uint32_t power(uint32_t x)
{
    if (et_soft_compare(&et_format_f32, x, 0xc2fc0000, false) == -1) {
        const uint32_t y = et_mufu(ET_MUFU_EX2, multiply(x, 0x3f000000));
        return multiply(y, y);
    }
    return et_mufu(ET_MUFU_EX2, x);
}

static uint32_t to_int(uint32_t x, bool is_signed, unsigned n)
{
    static const uint8_t rounds[] = {ET_RN, ET_RZ, ET_RM, ET_RP};
    return (uint32_t)et_soft_to_int(&et_format_f32, x, 32, is_signed, rounds[n], false);
}

static uint32_t from_int(uint32_t x, bool is_signed, unsigned round)
{
    const bool negative = is_signed && x >> 31;
    return (uint32_t)et_soft_from_int(&et_format_f32, negative ? 0u - x : x, negative, round);
}

/* A double rounded once more: exact to 53 bits, it can be for a quotient or root of singles. */
static uint32_t single(double x)
{
    return x != x ? 0x7fffffff : et_float_bits((float)x);
}

/* To TF32, ties away; a NaN is cut. */
static uint32_t tf32(uint32_t x)
{
    return (x + ((x & 0x7f800000) == 0x7f800000 ? 0 : 0x1000)) & ~UINT32_C(0x1fff);
}

static uint32_t result(unsigned function, uint32_t x)
{
    static const uint8_t plain[] = {ET_MUFU_RCP, ET_MUFU_RSQ, ET_MUFU_SQRT, ET_MUFU_SIN, ET_MUFU_COS,
                                    ET_MUFU_EX2, ET_MUFU_LG2, ET_MUFU_TANH, ET_MUFU_SIN, ET_MUFU_COS};
    static const uint8_t rounds[] = {ET_RN, ET_RZ, ET_RM, ET_RP};
    switch (function) {
    case 3:
    case 4:
    case 15:
    case 16:
        return et_mufu(function == 3 || function == 15 ? ET_MUFU_SIN : ET_MUFU_COS, et_rro(0, x));
    case 10:
        return reciprocal(x);
    case 11:
        return scaled(ET_MUFU_RSQ, x, 0x45800000);
    case 12:
        return scaled(ET_MUFU_SQRT, x, 0x39800000);
    case 13:
        return power(x);
    case 14:
        return logarithm(x);
    case 17:
        return et_mufu(ET_MUFU_RCP64H, x);
    case 18:
        return et_mufu(ET_MUFU_RSQ64H, x);
    case 19:
        return single(1 / (double)et_float(x));
    case 20:
        return single(sqrt((double)et_float(x)));
    case 43:
        return tf32(x);
    case 21:
    case 22:
        return (uint32_t)et_soft_convert(&et_format_f32, &et_format_f16, x, function == 21 ? ET_RN : ET_RZ,
                                         false);
    case 23:
        return (uint32_t)et_soft_convert(&et_format_f32, &et_format_bf16, x, ET_RN, false);
    case 24:
    case 25:
    case 26:
    case 27:
        return to_int(x, true, function - 24);
    case 28:
    case 29:
    case 30:
    case 31:
        return to_int(x, false, function - 28);
    case 32:
    case 33:
    case 34:
    case 35:
        return from_int(x, true, rounds[function - 32]);
    case 36:
        return from_int(x, false, ET_RN);
    case 37:
        return from_int(x, false, ET_RZ);
    case 38:
        return from_int(x, false, ET_RP);
    case 39:
        return (uint32_t)et_soft_integral(&et_format_f32, x, ET_RN, false);
    case 40:
        return (uint32_t)et_soft_integral(&et_format_f32, x, ET_RZ, false);
    case 41:
        return (uint32_t)et_soft_integral(&et_format_f32, x, ET_RM, false);
    case 42:
        return (uint32_t)et_soft_integral(&et_format_f32, x, ET_RP, false);
    default:
        return et_mufu((enum et_mufu)plain[function], x);
    }
}

static uint64_t block_hash(unsigned function, uint32_t block)
{
    uint64_t hash = ET_FNV_BASIS;
    for (uint32_t n = 0; n < BLOCK; n++) {
        hash ^= result(function, block << 20 | n);
        hash *= ET_FNV_PRIME;
    }
    return hash;
}

static void *unpack(const char *name, size_t size)
{
    char path[1024];
    FILE *from;
    void *packed = malloc(1 << 22), *bytes = malloc(size);
    size_t length;
    snprintf(path, sizeof path, "%s/conformance/mufu/%s", suite_srcdir(), name);
    from = fopen(path, "rb");
    length = from && packed ? fread(packed, 1, 1 << 22, from) : 0;
    if (from)
        fclose(from);
    /* Not Check's assertions: they need a running test, which the whole sweep has not. */
    if (!bytes || ZSTD_decompress(bytes, size, packed, length) != size) {
        fprintf(stderr, "%s is not readable\n", path);
        exit(2);
    }
    free(packed);
    return bytes;
}

#if defined(MUFU_ALL)

/* Every block of every function; no Check, whose forks and OpenMP do not
 * agree. */
int main(void)
{
    uint64_t *hashes = unpack("hash.bin.zst", FUNCTIONS * BLOCKS * sizeof(uint64_t));
    int failed = 0;
    for (unsigned function = 0; function < FUNCTIONS; function++) {
        int equal = 0;
#if defined(_OPENMP)
#pragma omp parallel for schedule(dynamic, 8) reduction(+ : equal)
#endif
        for (uint32_t block = 0; block < BLOCKS; block++)
            equal += block_hash(function, block) == hashes[function * BLOCKS + block];
        printf("function %u: %d of %d blocks\n", function, equal, BLOCKS);
        fflush(stdout);
        failed |= equal != BLOCKS;
    }
    free(hashes);
    return failed;
}

#else

START_TEST(sampled_blocks_are_silicons)
{
    uint64_t *hashes = unpack("hash.bin.zst", FUNCTIONS * BLOCKS * sizeof(uint64_t));
    /* A block of ordinary numbers, one of the smallest: other ones for each function. */
    const uint32_t blocks[] = {1016 + (uint32_t)_i * 5 % 64 + (_i & 1 ? 2048 : 0), _i & 1 ? 0 : 2048};
    for (size_t n = 0; n < ET_COUNT(blocks); n++)
        ck_assert_msg(block_hash((unsigned)_i, blocks[n]) == hashes[_i * BLOCKS + blocks[n]],
                      "function %d, block %u", _i, blocks[n]);
    free(hashes);
}
END_TEST

START_TEST(halves_are_silicons)
{
    uint32_t *truth = unpack("half.bin.zst", 4 * 65536 * sizeof *truth);
    for (uint32_t x = 0; x < 65536; x++) {
        ck_assert_uint_eq(et_mufu_half(ET_MUFU_EX2, (uint16_t)x), truth[x]);
        ck_assert_uint_eq(et_mufu_half(ET_MUFU_TANH, (uint16_t)x), truth[65536 + x]);
        ck_assert_uint_eq(et_soft_convert(&et_format_f16, &et_format_f32, x, ET_RN, false),
                          truth[2 * 65536 + x]);
        ck_assert_uint_eq(et_soft_integral(&et_format_f16, x, ET_RN, false), truth[3 * 65536 + x]);
    }
    free(truth);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("mufu");
    TCase *tcase = tcase_create("silicon");
    tcase_set_timeout(tcase, 300);
    tcase_add_loop_test(tcase, sampled_blocks_are_silicons, 0, FUNCTIONS);
    tcase_add_test(tcase, halves_are_silicons);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}

#endif
