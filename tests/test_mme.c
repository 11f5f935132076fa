/* Both macro processors, instruction by instruction. */
#include "base/bits.h"
#include "mme/mme.h"
#include "mme/turing.h"
#include "support/suite.h"

#include <stdio.h>

static struct {
    uint32_t method[64], value[64];
    unsigned count, refuse; /* refuse: sends from this one on are blocked */
    uint32_t state[0x1000];
} sink;

static enum etalon_status send(void *context, uint32_t method, uint32_t value, bool *blocked,
                               struct etalon_error *error)
{
    (void)context;
    (void)error;
    if (sink.refuse && sink.count + 1 >= sink.refuse) {
        *blocked = true;
        return ETALON_OK;
    }
    ck_assert_uint_lt(sink.count, 64);
    sink.method[sink.count] = method;
    sink.value[sink.count++] = value;
    return ETALON_OK;
}

static uint32_t state(void *context, uint32_t method)
{
    (void)context;
    return sink.state[method / 4];
}

static struct et_ram ram;
static struct et_pagemap map;
static struct et_view view;
static struct et_mme_port port = {NULL, send, state, &view, NULL};
static struct etalon_error error;
static struct et_mme *mme;

#define VA UINT64_C(0x100000)

static void start(enum et_mme_kind kind)
{
    memset(&sink, 0, sizeof sink);
    memset(&error, 0, sizeof error);
    ck_assert_int_eq(et_ram_create(&ram, 1 << 16, ET_RAM_TRACKED, &error), ETALON_OK);
    et_pagemap_init(&map, &ram, 40);
    ck_assert_int_eq(et_pagemap_map(&map, VA, 1 << 16, 0, ET_READ | ET_WRITE, 0, &error), ETALON_OK);
    et_view_init(&view, &map, 1);
    mme = et_mme_create(kind, 1000, &error);
    ck_assert_ptr_nonnull(mme);
}

static void stop(void)
{
    et_mme_destroy(mme);
    et_pagemap_finish(&map);
    et_ram_destroy(&ram);
}

static void load(const uint32_t *words, size_t count)
{
    const uint32_t zero = 0;
    et_mme_set_code_pointer(mme, 0);
    ck_assert_int_eq(et_mme_load_code(mme, words, count, &error), ETALON_OK);
    et_mme_set_start_pointer(mme, 0);
    ck_assert_int_eq(et_mme_load_starts(mme, &zero, 1, &error), ETALON_OK);
}

static enum etalon_status run(const uint32_t *parameters, size_t count)
{
    bool blocked;
    enum etalon_status status = et_mme_call(mme, 0, parameters[0], &error);
    if (!status && count > 1)
        status = et_mme_data(mme, 0, parameters + 1, count - 1, &error);
    return status ? status : et_mme_run(mme, &port, &blocked, &error);
}

/* ---- the 32-bit engine ---- */

enum { LOAD, MOVE, MOVE_ADDRESS, LOAD_EMIT, MOVE_EMIT, LOAD_ADDRESS, ADDRESS_LOAD_EMIT, ADDRESS_EMIT_HIGH };

#define EXIT 0x80u

static uint32_t alu(unsigned how, unsigned dst, unsigned op, unsigned a, unsigned b)
{
    return 0 | how << 4 | dst << 8 | a << 11 | b << 14 | op << 17;
}

static uint32_t addi(unsigned how, unsigned dst, unsigned a, int32_t immediate)
{
    return 1 | how << 4 | dst << 8 | a << 11 | (uint32_t)immediate << 14;
}

static uint32_t field_op(unsigned op, unsigned how, unsigned dst, unsigned a, unsigned b, unsigned from,
                         unsigned size, unsigned to)
{
    return op | how << 4 | dst << 8 | a << 11 | b << 14 | from << 17 | size << 22 | to << 27;
}

static uint32_t read_state(unsigned how, unsigned dst, unsigned a, int32_t immediate)
{
    return 5 | how << 4 | dst << 8 | a << 11 | (uint32_t)immediate << 14;
}

static uint32_t branch(bool not_zero, bool annul, unsigned a, int32_t offset)
{
    return 7 | (uint32_t)not_zero << 4 | (uint32_t)annul << 5 | a << 11 | (uint32_t)offset << 14;
}

START_TEST(fermi_alu)
{
    static const struct {
        unsigned op;
        uint32_t a, b, want;
    } cases[] = {{0, 5, 7, 12},          {0, 0xffffffff, 2, 1},
                 {2, 5, 7, 0xfffffffe},  {8, 0xff00ff00, 0x0ff00ff0, 0xf0f0f0f0},
                 {9, 0xf0, 0x0f, 0xff},  {10, 0xff, 0x3c, 0x3c},
                 {11, 0xff, 0x3c, 0xc3}, {12, 0xff, 0x3c, 0xffffffc3}};
    for (unsigned i = 0; i < ET_COUNT(cases); i++) {
        start(ET_MME_FERMI);
        const uint32_t code[] = {addi(MOVE_ADDRESS, 0, 0, 0x100), alu(LOAD_EMIT, 3, 9, 1, 0) | 0,
                                 alu(MOVE_EMIT, 2, cases[i].op, 1, 3) | EXIT, addi(MOVE, 0, 0, 0)};
        load(code, ET_COUNT(code));
        const uint32_t parameters[] = {cases[i].a, cases[i].b};
        ck_assert_int_eq(run(parameters, 2), ETALON_OK);
        ck_assert_uint_eq(sink.count, 2);
        ck_assert_uint_eq(sink.method[1], 0x400);
        ck_assert_msg(sink.value[1] == cases[i].want, "op %u: 0x%x", cases[i].op, sink.value[1]);
        stop();
    }
}
END_TEST

/* 64-bit sums and differences out of two halves. */
START_TEST(fermi_carry)
{
    start(ET_MME_FERMI);
    const uint32_t code[] = {addi(LOAD_ADDRESS, 2, 0, 0x100 | 1 << 12), /* r2 = high a */
                             addi(LOAD, 3, 0, 0),                       /* r3 = low b */
                             addi(LOAD, 4, 0, 0),                       /* r4 = high b */
                             alu(MOVE_EMIT, 5, 0, 1, 3),
                             alu(MOVE_EMIT, 5, 1, 2, 4),
                             alu(MOVE_EMIT, 5, 2, 1, 3),
                             alu(MOVE_EMIT, 5, 3, 2, 4) | EXIT,
                             addi(MOVE, 0, 0, 0)};
    load(code, ET_COUNT(code));
    const uint64_t a = UINT64_C(0x1fffffff0), b = UINT64_C(0x0800000020);
    const uint32_t parameters[] = {(uint32_t)a, (uint32_t)(a >> 32), (uint32_t)b, (uint32_t)(b >> 32)};
    ck_assert_int_eq(run(parameters, 4), ETALON_OK);
    ck_assert_uint_eq(sink.count, 4);
    ck_assert_uint_eq(sink.value[0] | (uint64_t)sink.value[1] << 32, a + b);
    ck_assert_uint_eq(sink.value[2] | (uint64_t)sink.value[3] << 32, a - b);
    ck_assert_uint_eq(sink.method[0], 0x400);
    ck_assert_uint_eq(sink.method[3], 0x40c); /* the address steps by its increment */
    stop();
}
END_TEST

START_TEST(fermi_fields)
{
    start(ET_MME_FERMI);
    sink.state[0x123] = 0x5a5a;
    const uint32_t code[] = {addi(MOVE_ADDRESS, 0, 0, 0x40),
                             addi(MOVE, 2, 0, 4),
                             addi(MOVE, 3, 0, -1),
                             field_op(2, MOVE_EMIT, 4, 3, 1, 8, 8, 4),  /* merge byte 1 of r1 at 4 into ~0 */
                             field_op(3, MOVE_EMIT, 4, 2, 1, 0, 12, 8), /* (r1 >> r2) & 0xfff, << 8 */
                             field_op(4, MOVE_EMIT, 4, 2, 1, 16, 8, 0), /* (r1 >> 16) & 0xff, << r2 */
                             addi(MOVE, 5, 0, 33),
                             field_op(3, MOVE_EMIT, 4, 5, 1, 0, 31, 0), /* a shift past 31 gives zero */
                             field_op(4, MOVE_EMIT, 4, 5, 1, 0, 31, 0),
                             addi(MOVE, 6, 0, 0x120),
                             read_state(MOVE_EMIT, 4, 6, 3) | EXIT,
                             addi(MOVE, 0, 0, 0)};
    load(code, ET_COUNT(code));
    const uint32_t parameter = 0x12345678;
    ck_assert_int_eq(run(&parameter, 1), ETALON_OK);
    static const uint32_t want[] = {0xfffff56f, 0x00056700, 0x00000340, 0, 0, 0x5a5a};
    ck_assert_uint_eq(sink.count, ET_COUNT(want));
    for (unsigned i = 0; i < ET_COUNT(want); i++)
        ck_assert_msg(sink.value[i] == want[i], "word %u: 0x%x", i, sink.value[i]);
    stop();
}
END_TEST

START_TEST(fermi_assigns)
{
    start(ET_MME_FERMI);
    const uint32_t code[] = {
        addi(LOAD, 2, 0, 9),                           /* r2 = parameter 1 */
        addi(LOAD_ADDRESS, 3, 0, 0x80 | 2 << 12),      /* r3 = parameter 2, address 0x80 by 2 */
        addi(LOAD_EMIT, 4, 2, 0),                      /* r4 = parameter 3, send r2 */
        addi(ADDRESS_LOAD_EMIT, 5, 0, 0x90 | 1 << 12), /* send parameter 4 to 0x90 */
        addi(MOVE_EMIT, 0, 3, 0),
        addi(MOVE_EMIT, 0, 4, 0),
        addi(ADDRESS_EMIT_HIGH, 6, 0, 0xa0 | 5 << 12), /* send 5 to 0xa0 */
        addi(MOVE_EMIT, 0, 5, 0) | EXIT,
        addi(MOVE, 0, 0, 0)};
    load(code, ET_COUNT(code));
    const uint32_t parameters[] = {0, 11, 22, 33, 44};
    ck_assert_int_eq(run(parameters, 5), ETALON_OK);
    static const uint32_t method[] = {0x80, 0x90, 0x91, 0x92, 0xa0, 0xa5};
    static const uint32_t value[] = {11, 44, 22, 33, 5, 0x90 | 1 << 12};
    ck_assert_uint_eq(sink.count, 6);
    for (unsigned i = 0; i < 6; i++) {
        ck_assert_uint_eq(sink.method[i], method[i] * 4);
        ck_assert_uint_eq(sink.value[i], value[i]);
    }
    stop();
}
END_TEST

/* A loop with a delay slot sends 3, 2, 1; then an annulled branch skips; EXIT on an untaken branch ends. */
START_TEST(fermi_branches)
{
    start(ET_MME_FERMI);
    const uint32_t code[] = {addi(MOVE_ADDRESS, 0, 0, 0x40),  addi(MOVE_EMIT, 0, 1, 0), addi(MOVE, 1, 1, -1),
                             branch(true, false, 1, -2),      addi(MOVE, 2, 2, 1), /* delay slot, each time */
                             branch(false, true, 1, 2),       addi(MOVE, 2, 0, 99), /* annulled */
                             branch(true, true, 1, 5) | EXIT, addi(MOVE_EMIT, 0, 2, 0)};
    load(code, ET_COUNT(code));
    const uint32_t parameter = 3;
    ck_assert_int_eq(run(&parameter, 1), ETALON_OK);
    static const uint32_t want[] = {3, 2, 1, 3};
    ck_assert_uint_eq(sink.count, 4);
    for (unsigned i = 0; i < 4; i++)
        ck_assert_uint_eq(sink.value[i], want[i]);
    ck_assert(!et_mme_active(mme, NULL));
    stop();
}
END_TEST

START_TEST(fermi_faults)
{
    static const struct {
        uint32_t code[3];
        enum etalon_status want;
    } cases[] = {
        {{6, 0, 0}, ETALON_MACRO},                               /* operation 6 */
        {{0 | 4 << 17, 0, 0}, ETALON_MACRO},                     /* ALU operation 4 */
        {{7, 7 | 1u << 14, 0}, ETALON_MACRO},                    /* branch in a delay slot */
        {{1 | 1 << 4 | EXIT, 7, 0}, ETALON_MACRO},               /* branch in EXIT's slot */
        {{7 | 1 << 5, 0, 0}, ETALON_BUDGET},                     /* branches to itself */
        {{7 | 1 << 5 | (uint32_t)-1 << 14, 0, 0}, ETALON_MACRO}, /* before the code RAM */
    };
    for (unsigned i = 0; i < ET_COUNT(cases); i++) {
        start(ET_MME_FERMI);
        load(cases[i].code, 3);
        const uint32_t parameter = 0;
        ck_assert_msg(run(&parameter, 1) == cases[i].want, "case %u: %s", i, error.text);
        ck_assert_uint_ne(error.at & ETALON_AT_PC, 0);
        stop();
    }
}
END_TEST

/* The hardware's own limit, when the caller names none: 0xffffff instructions run, one more does not. */
START_TEST(fermi_default_budget)
{
    /* Two instructions a round, and EXIT with its slot: an odd number more, with one before them. */
    const uint32_t code[] = {addi(MOVE, 2, 0, 0), addi(MOVE, 1, 1, -1), branch(true, true, 1, -1),
                             addi(MOVE, 0, 0, 0) | EXIT, addi(MOVE, 0, 0, 0)};
    const uint32_t rounds = (0xffffff - 3) / 2;
    for (uint32_t more = 0; more < 2; more++) {
        const uint32_t parameter = rounds + more;
        start(ET_MME_FERMI);
        et_mme_destroy(mme);
        mme = et_mme_create(ET_MME_FERMI, 0, &error);
        ck_assert_ptr_nonnull(mme);
        load(code, ET_COUNT(code));
        ck_assert_int_eq(run(&parameter, 1), more ? ETALON_BUDGET : ETALON_OK);
        ck_assert_int_eq(strstr(error.text, "16777215 steps") != NULL, more);
        stop();
    }
}
END_TEST

/* A macro waits for parameters, and goes on where a send was refused; too many parameters are a fault. */
START_TEST(fermi_waits)
{
    bool blocked;
    start(ET_MME_FERMI);
    const uint32_t code[] = {addi(MOVE_ADDRESS, 0, 0, 0x40), addi(LOAD_EMIT, 2, 1, 0),
                             addi(LOAD_EMIT, 2, 2, 0), addi(MOVE_EMIT, 2, 2, 0) | EXIT, addi(MOVE, 0, 0, 0)};
    load(code, ET_COUNT(code));
    const uint32_t parameters[] = {1, 2, 3, 4};
    ck_assert_int_eq(run(parameters, 1), ETALON_OK);
    ck_assert(et_mme_active(mme, NULL));
    ck_assert_uint_eq(sink.count, 0);
    ck_assert_int_eq(et_mme_data(mme, 0, parameters + 1, 2, &error), ETALON_OK);
    sink.refuse = 3;
    ck_assert_int_eq(et_mme_run(mme, &port, &blocked, &error), ETALON_OK);
    ck_assert(blocked);
    ck_assert_uint_eq(sink.count, 2);
    ck_assert(et_mme_active(mme, NULL));
    sink.refuse = 0;
    ck_assert_int_eq(et_mme_run(mme, &port, &blocked, &error), ETALON_OK);
    ck_assert_uint_eq(sink.count, 3);
    ck_assert_uint_eq(sink.value[2], 3);
    ck_assert(!et_mme_active(mme, NULL));
    ck_assert_int_eq(run(parameters, 4), ETALON_MACRO);
    stop();
}
END_TEST

/* ---- MME64 ---- */

struct half {
    unsigned op, dst, a, b;
    uint16_t immediate;
    unsigned method, emit;
};

#define R(n) (n)
enum { ZERO = ET_MME_ZERO, IMM, PAIR, IMM32, L0, L1 };
enum {
    FROM_ALU0 = 1,
    FROM_ALU1,
    FROM_L0,
    FROM_L1,
    FROM_IMM0,
    FROM_IMM1,
    FROM_HIGH0 = 8,
    FROM_HIGH1,
    FROM_IMM32
};

static void set_field(uint32_t group[3], unsigned lo, unsigned width, uint32_t value)
{
    for (unsigned bit = 0; bit < width; bit++)
        if (value >> bit & 1)
            group[2 - (lo + bit) / 32] |= 1u << (lo + bit) % 32;
}

static void encode(uint32_t group[3], bool end_next, unsigned mode, unsigned predicate, struct half x,
                   struct half y)
{
    group[0] = group[1] = group[2] = 0;
    set_field(group, 0, 1, end_next);
    set_field(group, 1, 4, mode);
    set_field(group, 5, 5, predicate);
    const struct half *const half[2] = {&x, &y};
    for (unsigned i = 0; i < 2; i++) {
        set_field(group, 10 + 36 * i, 5, half[i]->op);
        set_field(group, 15 + 36 * i, 5, half[i]->dst);
        set_field(group, 20 + 36 * i, 5, half[i]->a);
        set_field(group, 25 + 36 * i, 5, half[i]->b);
        set_field(group, 30 + 36 * i, 16, half[i]->immediate);
        set_field(group, 82 + 7 * i, 3, half[i]->method);
        set_field(group, 85 + 7 * i, 4, half[i]->emit);
    }
}

static const struct half idle = {ET_MME_ADD, ZERO, ZERO, ZERO, 0, 0, 0};

/* A macro of groups built one after another. */
static uint32_t code[3 * 32];
static unsigned groups;

static void group(bool end_next, struct half x, struct half y)
{
    encode(code + 3 * groups++, end_next, 0, ZERO, x, y);
}

static enum etalon_status run64(const uint32_t *parameters, size_t count)
{
    load(code, 3 * groups);
    groups = 0;
    return run(parameters, count);
}

START_TEST(turing_alu)
{
    static const struct {
        unsigned op;
        uint32_t x, y, want;
        uint16_t immediate;
    } cases[] = {
        {ET_MME_ADD, 5, 7, 12, 0},
        {ET_MME_SUB, 5, 7, 0xfffffffe, 0},
        {ET_MME_MUL, 0xfffffffd, 7, 0xffffffeb, 0},
        {ET_MME_MULU, 0x10000, 0x10000, 0, 0},
        {ET_MME_CLZ, 0x00800000, 0, 8, 0},
        {ET_MME_CLZ, 0, 0, 32, 0},
        {ET_MME_SLL, 3, 36, 48, 0},
        {ET_MME_SRL, 0x80000000, 31, 1, 0},
        {ET_MME_SRA, 0x80000000, 31, 0xffffffff, 0},
        {ET_MME_AND, 0xff, 0x3c, 0x3c, 0},
        {ET_MME_NAND, 0xff, 0x3c, 0xffffffc3, 0},
        {ET_MME_OR, 0xf0, 0x0f, 0xff, 0},
        {ET_MME_XOR, 0xff, 0x0f, 0xf0, 0},
        {ET_MME_MERGE, 0xffffffff, 0x12345678, 0xfffff56f, 4 << 10 | 8 << 5 | 8},
        {ET_MME_SLT, 0xffffffff, 0, 0xffffffff, 0},
        {ET_MME_SLTU, 0xffffffff, 0, 0, 0},
        {ET_MME_SLE, 3, 3, 0xffffffff, 0},
        {ET_MME_SLEU, 4, 3, 0, 0},
        {ET_MME_SEQ, 9, 9, 0xffffffff, 0},
        {ET_MME_SEQ, 9, 8, 0, 0},
        {ET_MME_STATE, 0x120, 3, 0x5a5a, 0},
    };
    for (unsigned i = 0; i < ET_COUNT(cases); i++)
        for (unsigned second = 0; second < 2; second++) {
            const struct half work = {cases[i].op, R(1), L0, L1, cases[i].immediate, 0, 0};
            const struct half out = {ET_MME_ADD, ZERO, R(1), ZERO, 0x40, FROM_IMM0, FROM_ALU0};
            const uint32_t parameters[] = {cases[i].x, cases[i].y};
            start(ET_MME_TURING);
            sink.state[0x123] = 0x5a5a;
            group(true, second ? idle : work, second ? work : idle);
            group(false, out, idle);
            ck_assert_int_eq(run64(parameters, 2), ETALON_OK);
            ck_assert_uint_eq(sink.count, 1);
            ck_assert_uint_eq(sink.method[0], 0x100);
            ck_assert_msg(sink.value[0] == cases[i].want, "op %u in ALU %u: 0x%x", cases[i].op, second,
                          sink.value[0]);
            stop();
        }
}
END_TEST

START_TEST(turing_pairs)
{
    static const struct {
        unsigned low, high;
        uint64_t x, y, want;
    } cases[] = {
        {ET_MME_ADD, ET_MME_ADDC, UINT64_C(0x1fffffff0), UINT64_C(0x800000020), UINT64_C(0xa00000010)},
        {ET_MME_SUB, ET_MME_SUBB, UINT64_C(0x100000000), 1, UINT64_C(0xffffffff)},
        {ET_MME_MUL, ET_MME_MULH, UINT64_C(0xffffffff), 5, UINT64_C(0xfffffffffffffffb)},
        {ET_MME_MULU, ET_MME_MULH, UINT64_C(0xffffffff), 5, UINT64_C(0x4fffffffb)},
    };
    for (unsigned i = 0; i < ET_COUNT(cases); i++) {
        const bool multiply = cases[i].high == ET_MME_MULH;
        const uint32_t parameters[] = {(uint32_t)cases[i].x, (uint32_t)(cases[i].x >> 32),
                                       (uint32_t)cases[i].y, (uint32_t)(cases[i].y >> 32)};
        start(ET_MME_TURING);
        group(false, (struct half){ET_MME_ADD, R(1), L0, ZERO, 0, 0, 0},
              (struct half){ET_MME_ADD, R(2), L1, ZERO, 0, 0, 0});
        group(false, (struct half){ET_MME_ADD, R(3), L0, ZERO, 0, 0, 0},
              (struct half){ET_MME_ADD, R(4), L1, ZERO, 0, 0, 0});
        group(true, (struct half){cases[i].low, R(5), R(1), R(3), 0x40 | 1 << 12, FROM_IMM0, FROM_ALU0},
              (struct half){cases[i].high, R(6), multiply ? ZERO : R(2), multiply ? ZERO : R(4), 0, 0,
                            FROM_ALU1});
        group(false, idle, idle);
        ck_assert_int_eq(run64(parameters, 4), ETALON_OK);
        ck_assert_uint_eq(sink.count, 2);
        ck_assert_uint_eq(sink.value[0] | (uint64_t)sink.value[1] << 32, cases[i].want);
        ck_assert_uint_eq(sink.method[1], 0x104);
        stop();
    }
    /* Without its low half. */
    static const unsigned alone[] = {ET_MME_ADDC, ET_MME_SUBB, ET_MME_MULH};
    for (unsigned i = 0; i < ET_COUNT(alone); i++) {
        const uint32_t parameter = 0;
        start(ET_MME_TURING);
        group(true, idle, idle);
        group(false, (struct half){ET_MME_OR, ZERO, ZERO, ZERO, 0, 0, 0},
              (struct half){alone[i], ZERO, ZERO, ZERO, 0, 0, 0});
        ck_assert_int_eq(run64(&parameter, 1), ETALON_MACRO);
        stop();
    }
}
END_TEST

START_TEST(turing_operands_and_outputs)
{
    const uint32_t parameters[] = {0xaaaa, 0xbbbb};
    start(ET_MME_TURING);
    group(false, (struct half){ET_MME_ADD, ZERO, IMM, ZERO, 0x8001, FROM_IMM1, FROM_ALU0},
          (struct half){ET_MME_ADD, ZERO, PAIR, ZERO, 0x0040 | 1 << 12, 0, FROM_ALU1});
    group(false, (struct half){ET_MME_ADD, ZERO, IMM32, ZERO, 0x1234, 0, FROM_ALU0},
          (struct half){ET_MME_ADD, ZERO, ZERO, ZERO, 0x5678, 0, FROM_IMM32});
    group(false, (struct half){ET_MME_ADD, ZERO, L0, ZERO, 0x7fff, 0, FROM_L0},
          (struct half){ET_MME_ADD, ZERO, ZERO, ZERO, 0x9abc, 0, FROM_L1});
    group(true, (struct half){ET_MME_ADD, ZERO, ZERO, ZERO, 0xfedc, 0, FROM_HIGH0},
          (struct half){ET_MME_ADD, ZERO, ZERO, ZERO, 0x3210, 0, FROM_HIGH1});
    group(false, (struct half){ET_MME_ADD, ZERO, ZERO, ZERO, 0xfedc, 0, FROM_IMM0},
          (struct half){ET_MME_ADD, ZERO, ZERO, ZERO, 0x3210, 0, FROM_IMM1});
    ck_assert_int_eq(run64(parameters, 2), ETALON_OK);
    static const uint32_t want[] = {0xffff8001, 0xffff8001, 0x12345678, 0x12345678, 0xaaaa,
                                    0xbbbb,     0xf,        3,          0xfedc,     0x3210};
    ck_assert_uint_eq(sink.count, ET_COUNT(want));
    for (unsigned i = 0; i < ET_COUNT(want); i++) {
        ck_assert_msg(sink.value[i] == want[i], "word %u: 0x%x", i, sink.value[i]);
        ck_assert_uint_eq(sink.method[i], (0x40 + i) * 4);
    }
    stop();
}
END_TEST

/* All sixteen modes with both values; a suppressed slot leaves nothing, but its LOADs are taken. */
START_TEST(turing_predicates)
{
    for (unsigned mode = 0; mode < 16; mode++)
        for (uint32_t value = 0; value < 2; value++) {
            const uint32_t parameters[] = {value, 10, 20};
            const char *letters = et_mme_predicates[mode];
            bool on[4];
            uint32_t want[4], n = 0;
            start(ET_MME_TURING);
            group(false, (struct half){ET_MME_ADD, R(1), L0, ZERO, 0x40, FROM_IMM0, 0}, idle);
            encode(code + 3 * groups++, true, mode, R(1),
                   (struct half){ET_MME_ADD, R(2), L0, ZERO, 0, 0, FROM_IMM1},
                   (struct half){ET_MME_ADD, R(3), L1, ZERO, 77, 0, FROM_L1});
            group(false, (struct half){ET_MME_ADD, ZERO, R(2), ZERO, 0, 0, FROM_ALU0},
                  (struct half){ET_MME_ADD, ZERO, R(3), ZERO, 0, 0, FROM_ALU1});
            for (unsigned s = 0; s < 4; s++)
                on[s] = letters[s] == 'U' || (letters[s] == 'T') == (value == 0);
            if (on[2])
                want[n++] = 77;
            if (on[3])
                want[n++] = 20;
            want[n++] = on[0] ? 10 : 0;
            want[n++] = on[1] ? 20 : 0;
            ck_assert_int_eq(run64(parameters, 3), ETALON_OK);
            ck_assert_uint_eq(sink.count, n);
            for (unsigned i = 0; i < n; i++)
                ck_assert_msg(sink.value[i] == want[i], "mode %s value %u word %u", letters, value, i);
            stop();
        }
}
END_TEST

START_TEST(turing_branches)
{
    static const struct {
        unsigned op;
        uint32_t x, y;
        bool met;
    } cases[] = {{ET_MME_BLT, 0xffffffff, 0, true}, {ET_MME_BLTU, 0xffffffff, 0, false},
                 {ET_MME_BLE, 3, 3, true},          {ET_MME_BLEU, 4, 3, false},
                 {ET_MME_BEQ, 5, 5, true},          {ET_MME_BEQ, 5, 6, false}};
    for (unsigned i = 0; i < ET_COUNT(cases); i++)
        for (unsigned sense = 0; sense < 2; sense++) {
            const uint32_t parameters[] = {cases[i].x, cases[i].y};
            start(ET_MME_TURING);
            group(false, (struct half){cases[i].op, ZERO, L0, L1, (uint16_t)(sense << 15 | 2), 0, 0}, idle);
            group(false, (struct half){ET_MME_ADD, ZERO, ZERO, ZERO, 0x40, FROM_IMM0, FROM_IMM0}, idle);
            group(true, (struct half){ET_MME_ADD, ZERO, ZERO, ZERO, 0x41, FROM_IMM0, FROM_IMM0}, idle);
            group(false, idle, idle);
            ck_assert_int_eq(run64(parameters, 2), ETALON_OK);
            ck_assert_uint_eq(sink.count, cases[i].met == sense ? 1 : 2);
            stop();
        }
    /* Leaving: the rest of the group still runs. JAL jumps; a backward branch loops. */
    const uint32_t parameter = 3;
    start(ET_MME_TURING);
    group(false, (struct half){ET_MME_ADD, R(1), L0, ZERO, 0x40, FROM_IMM0, 0}, idle);
    group(false, (struct half){ET_MME_JAL, ZERO, ZERO, ZERO, 0x8002, 0, 0}, idle);
    group(false, (struct half){ET_MME_ADD, ZERO, ZERO, ZERO, 99, 0, FROM_IMM0}, idle);
    group(false, (struct half){ET_MME_SUB, R(1), R(1), IMM, 1, 0, FROM_ALU0}, idle);
    group(false, (struct half){ET_MME_BEQ, ZERO, R(1), ZERO, 0x1fff, 0, 0}, idle);
    group(false, (struct half){ET_MME_BEQ, ZERO, ZERO, ZERO, 0x9000, 0, FROM_IMM1},
          (struct half){ET_MME_ADD, ZERO, ZERO, ZERO, 55, 0, 0});
    group(false, (struct half){ET_MME_ADD, ZERO, ZERO, ZERO, 98, 0, FROM_IMM0}, idle);
    ck_assert_int_eq(run64(&parameter, 1), ETALON_OK);
    static const uint32_t want[] = {2, 1, 0, 55};
    ck_assert_uint_eq(sink.count, 4);
    for (unsigned i = 0; i < 4; i++)
        ck_assert_uint_eq(sink.value[i], want[i]);
    stop();
}
END_TEST

START_TEST(turing_loop)
{
    for (uint32_t count = 0; count < 4; count++) {
        start(ET_MME_TURING);
        group(false, (struct half){ET_MME_LOOP, ZERO, L0, ZERO, 3, 0, 0}, idle);
        group(false, (struct half){ET_MME_ADD, R(1), R(1), IMM, 1, 0, 0}, idle);
        group(false, (struct half){ET_MME_ADD, ZERO, R(1), ZERO, 0x40, FROM_IMM0, FROM_ALU0}, idle);
        group(true, idle, idle);
        group(false, (struct half){ET_MME_ADD, ZERO, ZERO, ZERO, 77, 0, FROM_IMM0}, idle);
        ck_assert_int_eq(run64(&count, 1), ETALON_OK);
        ck_assert_uint_eq(sink.count, count + 1);
        if (count)
            ck_assert_uint_eq(sink.value[sink.count - 2], count);
        ck_assert_uint_eq(sink.value[sink.count - 1], 77);
        stop();
    }
}
END_TEST

static enum etalon_status memory(uint32_t method, uint32_t value)
{
    return et_mme_memory_method(mme, &port, method, value, &error);
}

START_TEST(turing_memory)
{
    uint32_t words[4] = {0x11, 0x22, 0x33, 0x44}, back[4] = {0};
    const uint32_t parameters[] = {1, 0xabcd};
    start(ET_MME_TURING);
    ck_assert_int_eq(et_view_write(&view, VA, words, sizeof words, &error), ETALON_OK);
    ck_assert_int_eq(memory(0x550, 0), ETALON_OK);
    ck_assert_int_eq(memory(0x554, (uint32_t)VA), ETALON_OK);
    ck_assert_int_eq(memory(0x558, 8), ETALON_OK);
    ck_assert_int_eq(memory(0x55c, 4), ETALON_OK);
    /* DREAD of word 9, DWRITE to word 10 */
    group(true, (struct half){ET_MME_DREAD, R(1), IMM, ZERO, 9, 0, 0},
          (struct half){ET_MME_ADD, R(2), L0, ZERO, 0, 0, 0});
    group(false, (struct half){ET_MME_DWRITE, ZERO, IMM, L0, 10, 0, 0},
          (struct half){ET_MME_ADD, ZERO, R(1), ZERO, 0x40, FROM_IMM1, FROM_ALU1});
    ck_assert_int_eq(run64(parameters, 2), ETALON_OK);
    ck_assert_uint_eq(sink.value[0], 0x22);
    ck_assert_int_eq(memory(0x554, (uint32_t)VA + 0x100), ETALON_OK);
    ck_assert_int_eq(memory(0x564, 4), ETALON_OK);
    ck_assert_int_eq(et_view_read(&view, VA + 0x100, back, sizeof back, &error), ETALON_OK);
    ck_assert_uint_eq(back[1], 0x22);
    ck_assert_uint_eq(back[2], 0xabcd);
    /* Reduction: ADD of data word 8 to memory. */
    ck_assert_int_eq(memory(0x568, 0), ETALON_OK);
    ck_assert_int_eq(et_view_read(&view, VA + 0x100, back, 4, &error), ETALON_OK);
    ck_assert_uint_eq(back[0], 0x22);
    ck_assert_int_eq(memory(0x558, 0x1000), ETALON_OK);
    ck_assert_int_eq(memory(0x55c, 1), ETALON_MACRO);
    stop();
}
END_TEST

START_TEST(turing_fifo)
{
    const uint32_t words[2] = {0x111, 0x222}, parameter = 5;
    uint32_t many = 0x2000;
    start(ET_MME_TURING);
    ck_assert_int_eq(et_view_write(&view, VA, words, sizeof words, &error), ETALON_OK);
    ck_assert_int_eq(memory(0x560, 1), ETALON_MACRO); /* not from a macro */
    memset(&error, 0, sizeof error);
    ck_assert_int_eq(memory(0x574, 5), ETALON_BAD_VALUE);
    memset(&error, 0, sizeof error);
    ck_assert_int_eq(memory(0x574, 1), ETALON_OK);
    ck_assert_int_eq(memory(0x554, (uint32_t)VA), ETALON_OK);
    group(false, (struct half){ET_MME_ADD, R(1), L0, ZERO, 0, 0, 0}, idle);
    group(false, (struct half){ET_MME_EXTENDED, ZERO, IMM, IMM, 0x1000, 0, 0}, idle);
    code[3] = code[4] = code[5] = 0;
    encode(code + 3, false, 0, ZERO, (struct half){ET_MME_EXTENDED, ZERO, IMM, PAIR, 0x1000, 0, 0},
           (struct half){ET_MME_ADD, ZERO, ZERO, ZERO, 1, 0, 0});
    group(true, (struct half){ET_MME_ADD, ZERO, L0, ZERO, 0x40, FROM_IMM0, FROM_ALU0}, idle);
    group(false, (struct half){ET_MME_ADD, ZERO, L0, ZERO, 0x40, FROM_IMM0, FROM_ALU0}, idle);
    load(code, 3 * groups);
    groups = 0;
    bool blocked;
    ck_assert_int_eq(et_mme_call(mme, 0, parameter, &error), ETALON_OK);
    ck_assert_int_eq(memory(0x560, 2), ETALON_OK);
    ck_assert_int_eq(memory(0x574, 2), ETALON_MACRO); /* resized while it holds data */
    memset(&error, 0, sizeof error);
    ck_assert_int_eq(memory(0x560, many), ETALON_MACRO); /* overflow */
    memset(&error, 0, sizeof error);
    /* The FIFO's words come before the pushbuffer's: r1 takes 0x111, then 0x222, then 5. */
    ck_assert_int_eq(et_mme_run(mme, &port, &blocked, &error), ETALON_OK);
    ck_assert_uint_eq(sink.count, 2);
    ck_assert_uint_eq(sink.value[0], 0x222);
    ck_assert_uint_eq(sink.value[1], 5);
    stop();
}
END_TEST

START_TEST(turing_faults)
{
    static const struct {
        struct half half[2];
        enum etalon_status want;
    } cases[] = {
        {{{ET_MME_EXTENDED, ZERO, ZERO, ZERO, 0, 0, 0}, {0, ZERO, ZERO, ZERO, 0, 0, 0}}, ETALON_MACRO},
        {{{0, ZERO, ZERO, ZERO, 0, 0, 0}, {ET_MME_BEQ, ZERO, ZERO, ZERO, 0, 0, 0}}, ETALON_MACRO},
        {{{0, ZERO, ZERO, ZERO, 0, 7, 0}, {0, ZERO, ZERO, ZERO, 0, 0, 0}}, ETALON_MACRO},
        {{{0, ZERO, ZERO, ZERO, 0, 0, 11}, {0, ZERO, ZERO, ZERO, 0, 0, 0}}, ETALON_MACRO},
        {{{ET_MME_DREAD, ZERO, IMM, ZERO, 0x7fff, 0, 0}, {0, ZERO, ZERO, ZERO, 0, 0, 0}}, ETALON_MACRO},
        {{{ET_MME_BEQ, ZERO, ZERO, ZERO, 0x8000, 0, 0}, {0, ZERO, ZERO, ZERO, 0, 0, 0}}, ETALON_BUDGET},
        {{{ET_MME_BEQ, ZERO, ZERO, ZERO, 0x9fff, 0, 0}, {0, ZERO, ZERO, ZERO, 0, 0, 0}}, ETALON_MACRO},
    };
    for (unsigned i = 0; i < ET_COUNT(cases); i++) {
        const uint32_t parameter = 0;
        start(ET_MME_TURING);
        group(false, cases[i].half[0], cases[i].half[1]);
        ck_assert_msg(run64(&parameter, 1) == cases[i].want, "case %u: %s", i, error.text);
        stop();
    }
}
END_TEST

/* Random code in both engines ends: in success, a named fault, or a wait. */
START_TEST(random_code)
{
    uint64_t seed = 12345;
    for (unsigned round = 0; round < 4000; round++) {
        uint32_t words[48];
        for (unsigned i = 0; i < ET_COUNT(words); i++) {
            seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
            words[i] = (uint32_t)(seed >> 32);
        }
        start(round & 1 ? ET_MME_TURING : ET_MME_FERMI);
        sink.refuse = 60;
        load(words, ET_COUNT(words));
        const enum etalon_status status = run(words, 8);
        ck_assert(status == ETALON_OK || status == ETALON_MACRO || status == ETALON_BUDGET);
        char text[256];
        for (unsigned i = 0; i + 3 <= ET_COUNT(words); i += 3)
            ck_assert_int_gt(
                et_mme_disassemble(round & 1 ? ET_MME_TURING : ET_MME_FERMI, words + i, i, text, 40), 0);
        stop();
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("mme");
    TCase *fermi = tcase_create("fermi"), *turing = tcase_create("turing");
    tcase_add_test(fermi, fermi_alu);
    tcase_add_test(fermi, fermi_carry);
    tcase_add_test(fermi, fermi_fields);
    tcase_add_test(fermi, fermi_assigns);
    tcase_add_test(fermi, fermi_branches);
    tcase_add_test(fermi, fermi_faults);
    tcase_add_test(fermi, fermi_default_budget);
    tcase_add_test(fermi, fermi_waits);
    tcase_add_test(turing, turing_alu);
    tcase_add_test(turing, turing_pairs);
    tcase_add_test(turing, turing_operands_and_outputs);
    tcase_add_test(turing, turing_predicates);
    tcase_add_test(turing, turing_branches);
    tcase_add_test(turing, turing_loop);
    tcase_add_test(turing, turing_memory);
    tcase_add_test(turing, turing_fifo);
    tcase_add_test(turing, turing_faults);
    tcase_add_test(turing, random_code);
    suite_add_tcase(suite, fermi);
    suite_add_tcase(suite, turing);
    return suite_run(suite);
}
