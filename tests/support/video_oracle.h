/* What Maxwell's scalar video instructions compute, by NVIDIA's text of them and PTX's definition. */
#ifndef ET_TESTS_VIDEO_ORACLE_H
#define ET_TESTS_VIDEO_ORACLE_H

#include "base/bits.h"
#include "isa/isa.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

struct video_words {
    unsigned bits[2]; /* of a and b, 0: not said */
    bool is_signed[2], ud, sd, sat, po, wrap, max;
    char second[8], cmp[4], bop[4];
    unsigned shift;
};

struct video_result {
    uint32_t word; /* VSETP: bit 0 p, bit 1 q */
    bool zero, negative;
};

static inline void video_word(struct video_words *v, const char *word, unsigned *types)
{
    static const char *const seconds[] = {"MRG_16H", "MRG_16L", "MRG_8B0", "MRG_8B2", "ACC", "MIN", "MAX"};
    static const char *const compares[] = {"F", "LT", "EQ", "LE", "GT", "NE", "GE", "T"};
    static const char *const logic[] = {"AND", "OR", "XOR"};
    if ((word[0] == 'U' || word[0] == 'S') && word[1] >= '1' && word[1] <= '8' && *types < 2) {
        v->bits[*types] = (unsigned)atoi(word + 1);
        v->is_signed[(*types)++] = word[0] == 'S';
    }
    v->ud |= !strcmp(word, "UD");
    v->sd |= !strcmp(word, "SD");
    v->sat |= !strcmp(word, "SAT");
    v->po |= !strcmp(word, "PO");
    v->wrap |= !strcmp(word, "W");
    v->max |= !strcmp(word, "MX");
    v->shift += !strcmp(word, "SHR_7") ? 7 : !strcmp(word, "SHR_15") ? 15 : 0;
    for (unsigned n = 0; n < ET_COUNT(seconds); n++)
        if (!strcmp(word, seconds[n]))
            strcpy(v->second, word);
    for (unsigned n = 0; n < ET_COUNT(compares); n++)
        if (!strcmp(word, compares[n]))
            strcpy(v->cmp, word);
    for (unsigned n = 0; n < ET_COUNT(logic); n++)
        if (!strcmp(word, logic[n]))
            strcpy(v->bop, word);
}

/* The modifiers of a text: words between the dots in front of the first blank. */
static inline struct video_words video_words(const char *text, bool shift, bool immediate)
{
    struct video_words v = {.bits = {32, 32}, .is_signed = {true, !shift}};
    unsigned types = 0;
    char word[16];
    if (immediate)
        v.bits[1] = 16;
    for (text += strcspn(text, ". "); *text == '.'; text += strcspn(text, ". ")) {
        const size_t n = strcspn(text + 1, ". ");
        memcpy(word, text + 1, n);
        word[n] = 0;
        text++;
        video_word(&v, word, &types);
    }
    return v;
}

static inline int64_t video_operand(uint32_t word, unsigned bits, bool is_signed, unsigned part)
{
    const uint32_t field = bits == 32 ? word : word >> bits * part & ((1u << bits) - 1);
    return is_signed && field >> (bits - 1) & 1 ? (int64_t)field - (INT64_C(1) << bits) : (int64_t)field;
}

static inline bool video_compare(const char *cmp, int64_t a, int64_t b)
{
    return !strcmp(cmp, "T") || (!strcmp(cmp, "LT") && a < b) || (!strcmp(cmp, "EQ") && a == b) ||
           (!strcmp(cmp, "LE") && a <= b) || (!strcmp(cmp, "GT") && a > b) ||
           (!strcmp(cmp, "NE") && a != b) || (!strcmp(cmp, "GE") && a >= b);
}

static inline bool video_logic(const char *bop, bool a, bool b)
{
    return !strcmp(bop, "AND") ? a && b : !strcmp(bop, "OR") ? a || b : a != b;
}

/* To what the second operation keeps. Of a 32-bit unsigned sum or difference the carry is dropped, where the
 * truth's chip expands the instruction [HW:H200]. */
static inline int64_t video_limit(const struct video_words *v, int64_t r, bool is_signed, bool sum)
{
    const unsigned bits = !strncmp(v->second, "MRG_16", 6) ? 16 : !strncmp(v->second, "MRG_8", 5) ? 8 : 32;
    const int64_t low = is_signed ? -(INT64_C(1) << (bits - 1)) : 0,
                  high = is_signed ? (INT64_C(1) << (bits - 1)) - 1 : (INT64_C(1) << bits) - 1;
    if (sum && bits == 32 && !is_signed && r > high)
        return r;
    return r < low ? low : r > high ? high : r;
}

static inline uint32_t video_second(const char *second, uint32_t r, uint32_t c, bool is_signed)
{
    const bool less = is_signed ? (int32_t)r < (int32_t)c : r < c;
    if (!strcmp(second, "MRG_16H"))
        return (c & 0xffff) | r << 16;
    if (!strcmp(second, "MRG_16L"))
        return (c & 0xffff0000) | (r & 0xffff);
    if (!strcmp(second, "MRG_8B0"))
        return (c & 0xffffff00) | (r & 0xff);
    if (!strcmp(second, "MRG_8B2"))
        return (c & 0xff00ffff) | (r & 0xff) << 16;
    if (!strcmp(second, "ACC"))
        return c + r;
    if (!strcmp(second, "MIN"))
        return less ? r : c;
    if (!strcmp(second, "MAX"))
        return less ? c : r;
    return r;
}

/* `a`, `b`, `c`: the registers' or the immediate's values; `s`: the predicate source. */
static inline struct video_result video_oracle(const struct et_insn *insn, const char *text, uint32_t a,
                                               uint32_t b, uint32_t c, bool s)
{
    const struct et_operand *oa = &insn->op[ET_SLOT('a')], *ob = &insn->op[ET_SLOT('b')],
                            *oc = &insn->op[ET_SLOT('c')];
    const bool shift = !strncmp(text, "VSH", 3), immediate = ob->kind != ET_KIND_R;
    const struct video_words v = video_words(text, shift, immediate);
    const int64_t x = video_operand(a, v.bits[0], v.is_signed[0], oa->sel),
                  y = video_operand(b, v.bits[1], v.is_signed[1], immediate ? 0 : ob->sel);
    const int64_t n = v.wrap ? y & 31 : y > 32 ? 32 : y;
    bool is_signed = !v.ud, sum = false;
    struct video_result result = {0};
    int64_t r;
    if (!strncmp(text, "VSETP", 5)) {
        const bool truth = video_compare(v.cmp, x, y);
        result.word = (uint32_t)video_logic(v.bop, truth, s) | (uint32_t)video_logic(v.bop, !truth, s) << 1;
        return result;
    }
    if (!strncmp(text, "VADD", 4)) {
        r = (oa->neg ? -x : x) + (ob->neg ? -y : y) + v.po;
        sum = true;
    } else if (!strncmp(text, "VABSDIFF", 8)) {
        r = x > y ? x - y : y - x;
        is_signed = v.sd;
        sum = true;
    } else if (!strncmp(text, "VMNMX", 5)) {
        r = (x < y) != v.max ? x : y;
    } else if (!strncmp(text, "VSET", 4)) {
        r = video_compare(v.cmp, x, y);
        is_signed = v.is_signed[0];
    } else if (!strncmp(text, "VSHL", 4)) { /* in 34 bits */
        r = (int64_t)((uint64_t)x << n << 30) >> 30;
    } else if (!strncmp(text, "VSHR", 4)) {
        r = x >> n;
    } else { /* VMAD: words count as signed [HW:H200] */
        const int64_t product = (int64_t)(int32_t)x * (int32_t)y, addend = (int32_t)c;
        is_signed = v.is_signed[0] || v.is_signed[1] || oa->neg || oc->neg;
        r = ((oa->neg ? -product : product) + (oc->neg ? -addend : addend) + v.po) >> v.shift;
    }
    if (v.sat && v.shift && r < 0 && !is_signed) /* shifted down as a large one [HW:H200] */
        r = INT64_MAX;
    if (v.sat)
        r = video_limit(&v, r, is_signed, sum);
    result.word = video_second(v.second, (uint32_t)r, c, is_signed);
    result.zero = !result.word;
    result.negative = result.word >> 31;
    return result;
}

#endif
