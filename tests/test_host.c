/* Channels: headers, segments, host methods, waiting, the scheduler, the clock. */
#include "engine/chip.h"
#include "host/host.h"
#include "support/suite.h"

#define VA   UINT64_C(0x100000)
#define DATA UINT64_C(0x180000) /* where semaphores lie */

static struct et_ram ram;
static struct et_pagemap map;
static struct et_device *device;
static struct et_channel *channel;
static struct etalon_error error;
static struct et_run_result result;
static uint32_t words[0x4000];
static unsigned count, pushed;

static struct {
    struct et_method_event event[256];
    unsigned count, interrupts, faults, triggers;
    bool cancel;
    unsigned polls, cancel_at; /* cancels at the poll of this number, 0: none */
} heard;

static void on_method(void *context, const struct et_method_event *event)
{
    (void)context;
    if (heard.count < 256)
        heard.event[heard.count++] = *event;
}

static void on_interrupt(void *context, uint32_t number, uint32_t method)
{
    (void)context;
    (void)number;
    (void)method;
    heard.interrupts++;
}

static void on_fault(void *context, uint32_t number, const struct etalon_error *what)
{
    (void)context;
    (void)number;
    ck_assert_int_ne(what->status, ETALON_OK);
    heard.faults++;
}

static void on_done(void *context, const struct et_trigger *trigger)
{
    (void)context;
    ck_assert_uint_ne(trigger->event, 0);
    heard.triggers++;
}

static int on_cancelled(void *context)
{
    (void)context;
    return heard.cancel || ++heard.polls == heard.cancel_at;
}

static void start_with(const char *chip, struct et_device_options options)
{
    memset(&error, 0, sizeof error);
    memset(&heard, 0, sizeof heard);
    count = pushed = 0;
    ck_assert_int_eq(et_ram_create(&ram, 1 << 20, ET_RAM_TRACKED, &error), ETALON_OK);
    et_pagemap_init(&map, &ram, 40);
    ck_assert_int_eq(et_pagemap_map(&map, VA, 1 << 20, 0, ET_READ | ET_WRITE, 0, &error), ETALON_OK);
    options.chip = et_chip_by_name(chip);
    options.threads = 1;
    options.listener = (struct et_listener){.method = on_method,
                                            .interrupt = on_interrupt,
                                            .fault = on_fault,
                                            .done = on_done,
                                            .cancelled = on_cancelled};
    ck_assert_int_eq(et_device_create(&device, &options, &error), ETALON_OK);
    ck_assert_int_eq(et_channel_create(device, 1, &map, &channel, &error), ETALON_OK);
}

static void start(const char *chip)
{
    start_with(chip, (struct et_device_options){0});
}

static void stop(void)
{
    et_device_destroy(device);
    et_pagemap_finish(&map);
    et_ram_destroy(&ram);
}

static void put(uint32_t word)
{
    words[count++] = word;
}

enum { INC = 1, CONSTANT = 3, IMMEDIATE = 4, ONCE = 5 };

static void header(unsigned mode, unsigned subchannel, uint32_t method, unsigned n)
{
    put(mode << 29 | n << 16 | subchannel << 13 | method >> 2);
}

static void method(unsigned subchannel, uint32_t at, uint32_t value)
{
    header(INC, subchannel, at, 1);
    put(value);
}

/* Writes the words put since the last push and queues them. */
static void push_on(struct et_channel *to)
{
    memcpy(ram.base + 4 * pushed, words + pushed, 4 * (count - pushed));
    ck_assert_int_eq(et_channel_push(to, VA + 4 * pushed, count - pushed, false, &error), ETALON_OK);
    pushed = count;
}

static enum etalon_status go(void)
{
    if (count > pushed)
        push_on(channel);
    return et_device_run(device, &result, &error);
}

static uint32_t load(uint64_t va)
{
    return et_load32(ram.base + (va - VA));
}

static void store(uint64_t va, uint32_t value)
{
    et_store32(ram.base + (va - VA), value);
}

static uint32_t scratch(unsigned i)
{
    return et_channel_register(channel, 0, 0xd80 + 4 * i); /* colour clear values: plain state */
}

static void bind_threed(void)
{
    method(0, 0, 0xb197);
}

START_TEST(header_modes)
{
    start("gm204");
    bind_threed();
    header(INC, 0, 0xd80, 3);
    put(1), put(2), put(3);
    header(CONSTANT, 0, 0xd8c, 2);
    put(8), put(9);
    ck_assert_int_eq(go(), ETALON_OK);
    ck_assert_int_eq(result.state, ET_IDLE);
    ck_assert_uint_eq(scratch(0), 1);
    ck_assert_uint_eq(scratch(2), 3);
    ck_assert_uint_eq(scratch(3), 9);
    header(ONCE, 0, 0xd80, 3);
    put(11), put(12), put(13);
    header(IMMEDIATE, 0, 0xd8c, 0x1fff);
    put(0);                          /* NOP */
    header(INC, 0, 0xd80, 0);        /* no data */
    put(0u << 29 | 2 << 18 | 0xd80); /* old increasing */
    put(21), put(22);
    put(2u << 29 | 2 << 18 | 0xd88); /* old constant */
    put(31), put(32);
    put(1u << 16); /* sub-device mask */
    ck_assert_int_eq(go(), ETALON_OK);
    ck_assert_uint_eq(scratch(0), 21);
    ck_assert_uint_eq(scratch(1), 22);
    ck_assert_uint_eq(scratch(2), 32);
    ck_assert_uint_eq(scratch(3), 0x1fff);
    put(7u << 29); /* the rest of the segment is skipped */
    method(0, 0xd80, 99);
    ck_assert_int_eq(go(), ETALON_OK);
    ck_assert_uint_eq(scratch(0), 21);
    put(6u << 29);
    ck_assert_int_eq(go(), ETALON_BAD_HEADER);
    ck_assert_int_eq(result.state, ET_FAULT);
    ck_assert_uint_eq(error.address, VA + 4 * (count - 1));
    ck_assert_uint_eq(heard.faults, 1);
    stop();
}
END_TEST

START_TEST(old_headers_are_maxwells)
{
    static const uint32_t headers[] = {0u << 29 | 1 << 18 | 0xd80, 2u << 29 | 1 << 18 | 0xd80};
    for (unsigned i = 0; i < ET_COUNT(headers); i++) {
        start("ga102");
        put(headers[i]);
        ck_assert_int_eq(go(), ETALON_BAD_HEADER);
        stop();
    }
}
END_TEST

/* One stream over segments of every size: the run's state carries over. */
START_TEST(runs_cross_segments)
{
    start("gm204");
    bind_threed();
    header(INC, 0, 0xd80, 4);
    put(1), put(2), put(3), put(4);
    header(ONCE, 0, 0xd80, 3);
    put(5), put(6), put(7);
    memcpy(ram.base, words, 4 * count);
    for (unsigned i = 0; i < count; i++) {
        ck_assert_int_eq(et_channel_push(channel, VA + 4 * i, 1, i & 1, &error), ETALON_OK);
        ck_assert_int_eq(et_channel_push(channel, VA, 0, false, &error), ETALON_OK);
    }
    ck_assert_int_eq(et_device_run(device, &result, &error), ETALON_OK);
    ck_assert_uint_eq(scratch(0), 5);
    ck_assert_uint_eq(scratch(1), 7);
    ck_assert_uint_eq(scratch(2), 3);
    ck_assert_uint_eq(scratch(3), 4);
    stop();
}
END_TEST

START_TEST(gpfifo_entries)
{
    start("gm204");
    bind_threed();
    method(0, 0xd80, 5);
    memcpy(ram.base, words, 4 * count);
    const uint32_t entries[][2] = {{0, 0},                                           /* control: NOP */
                                   {(uint32_t)VA, (uint32_t)count << 10},            /* main */
                                   {(uint32_t)VA + 8, 2 << 10 | 1 << 9 | 1u << 31}}; /* subroutine, wait */
    ck_assert_int_eq(et_channel_gpfifo(channel, entries, 3, &error), ETALON_OK);
    ck_assert_int_eq(et_device_run(device, &result, &error), ETALON_OK);
    ck_assert_uint_eq(scratch(0), 5);
    ck_assert_uint_eq(et_channel_top_level_get(channel), VA + 4 * count); /* the subroutine moved nothing */
    ck_assert_uint_eq(et_channel_get(channel), 0);
    const uint32_t illegal[][2] = {{0, 1}};
    ck_assert_int_eq(et_channel_gpfifo(channel, illegal, 1, &error), ETALON_TRAP);
    ck_assert_int_eq(et_channel_push(channel, VA + 2, 1, false, &error), ETALON_MISALIGNED);
    stop();
}
END_TEST

START_TEST(objects)
{
    start("gm204");
    ck_assert_uint_eq(et_channel_class(channel, 4), 0xb0b5);
    method(0, 0xd80, 1);
    ck_assert_int_eq(go(), ETALON_EMPTY_SUBCHANNEL);
    et_channel_reset(channel);
    memset(&error, 0, sizeof error);
    method(0, 0, 0xc797);
    ck_assert_int_eq(go(), ETALON_UNKNOWN_CLASS);
    et_channel_reset(channel);
    memset(&error, 0, sizeof error);
    method(7, 0, 0x906e);
    bind_threed();
    method(0, 0x1d0, 1);
    ck_assert_int_eq(go(), ETALON_UNKNOWN_METHOD);
    ck_assert_uint_eq(error.klass, 0xb197);
    ck_assert_uint_eq(error.method, 0x1d0);
    ck_assert_uint_eq(error.value, 1);
    ck_assert_uint_eq(error.channel, 1);
    ck_assert_uint_eq(error.address, VA + 4 * (count - 1));
    stop();
    start_with("gm204", (struct et_device_options){.strict = true});
    ck_assert_uint_eq(et_channel_class(channel, 4), 0);
    method(4, 0x100, 0);
    ck_assert_int_eq(go(), ETALON_EMPTY_SUBCHANNEL);
    stop();
}
END_TEST

/* Host methods go to the host on any subchannel, empty ones too. */
static void semaphore(uint64_t va, uint32_t payload, uint32_t operation)
{
    method(6, 0x10, (uint32_t)(va >> 32));
    method(6, 0x14, (uint32_t)va);
    method(6, 0x18, payload);
    method(6, 0x1c, operation);
}

START_TEST(semaphore_releases)
{
    start("gm204");
    et_device_set_clock(device, 123456789);
    semaphore(DATA, 77, 2 | 1 << 24);
    semaphore(DATA + 16, 78, 2);
    ck_assert_int_eq(go(), ETALON_OK);
    ck_assert_uint_eq(load(DATA), 77);
    ck_assert_uint_eq(load(DATA + 4), 0);
    ck_assert_uint_eq(load(DATA + 16), 78);
    ck_assert_uint_eq(load(DATA + 20), 0);
    ck_assert_uint_eq(load(DATA + 24), 123456789);
    ck_assert_uint_eq(heard.triggers, 2);
    semaphore(DATA + 4, 1, 2);
    ck_assert_int_eq(go(), ETALON_MISALIGNED);
    ck_assert_uint_eq(error.address, DATA + 4);
    stop();
}
END_TEST

START_TEST(semaphore_reductions)
{
    static const struct {
        unsigned op;
        bool is_unsigned;
        uint32_t old, payload, want;
    } cases[] = {{0, true, 5, 3, 3},
                 {0, false, 0xffffffff, 3, 0xffffffff},
                 {1, true, 0xffffffff, 3, 0xffffffff},
                 {1, false, 0xffffffff, 3, 3},
                 {2, true, 0xf0, 0xff, 0x0f},
                 {3, true, 0xf0, 0x3c, 0x30},
                 {4, true, 0xf0, 0x0f, 0xff},
                 {5, true, 0xffffffff, 2, 1},
                 {6, true, 4, 4, 0},
                 {6, true, 3, 4, 4},
                 {7, true, 0, 4, 4},
                 {7, true, 9, 4, 4},
                 {7, true, 3, 4, 2}};
    for (unsigned i = 0; i < ET_COUNT(cases); i++) {
        start("gm204");
        store(DATA, cases[i].old);
        semaphore(DATA, cases[i].payload, 16 | cases[i].op << 27 | (uint32_t)cases[i].is_unsigned << 31);
        ck_assert_int_eq(go(), ETALON_OK);
        ck_assert_msg(load(DATA) == cases[i].want, "case %u: 0x%x", i, load(DATA));
        stop();
    }
}
END_TEST

START_TEST(acquires)
{
    static const struct {
        uint32_t operation, payload, not_met, met;
    } cases[] = {{1, 5, 4, 5}, {4, 5, 4, 6}, {4, 0xfffffffe, 0xfffffffd, 1}, {8, 6, 9, 4}};
    for (unsigned i = 0; i < ET_COUNT(cases); i++) {
        start("gm204");
        bind_threed();
        store(DATA, cases[i].not_met);
        semaphore(DATA, cases[i].payload, cases[i].operation | 1 << 12);
        method(0, 0xd80, 42);
        ck_assert_int_eq(go(), ETALON_OK);
        ck_assert_int_eq(result.state, ET_BLOCKED);
        ck_assert_uint_eq(result.channel, 1);
        ck_assert_uint_eq(result.wait.address, DATA);
        ck_assert_uint_eq(result.wait.wanted, cases[i].payload);
        ck_assert_uint_eq(result.wait.seen, cases[i].not_met);
        ck_assert_uint_eq(scratch(0), 0);
        store(DATA, cases[i].met);
        ck_assert_int_eq(go(), ETALON_OK);
        ck_assert_int_eq(result.state, ET_IDLE);
        ck_assert_uint_eq(scratch(0), 42);
        stop();
    }
}
END_TEST

START_TEST(closed_world)
{
    start_with("gm204", (struct et_device_options){.closed_world = true});
    semaphore(DATA, 1, 1);
    ck_assert_int_eq(go(), ETALON_DEADLOCK);
    ck_assert_uint_eq(error.address, DATA);
    stop();
}
END_TEST

static void sem(uint64_t va, uint64_t payload, uint32_t execute)
{
    header(INC, 3, 0x5c, 5);
    put((uint32_t)va), put((uint32_t)(va >> 32)), put((uint32_t)payload), put((uint32_t)(payload >> 32)),
        put(execute);
}

START_TEST(sem_execute)
{
    start("ga102");
    et_device_set_clock(device, 1000);
    sem(DATA, UINT64_C(0x123456789a), 1 | 1 << 24);
    sem(DATA + 16, 5, 1 | 1 << 25);
    sem(DATA + 32, UINT64_C(0x100000000), 6 | 1 << 24 | 5u << 27 | 1u << 31);
    store(DATA + 32, 0xffffffff);
    ck_assert_int_eq(go(), ETALON_OK);
    ck_assert_uint_eq(load(DATA), 0x3456789a);
    ck_assert_uint_eq(load(DATA + 4), 0x12);
    ck_assert_uint_eq(load(DATA + 16), 5);
    ck_assert_uint_eq(load(DATA + 24), 1000);
    ck_assert_uint_eq(load(DATA + 36), 1);
    static const struct {
        uint32_t operation;
        uint64_t payload, not_met, met;
    } cases[] = {{0, 7, 6, 7}, {2, 7, 6, 0xffffffff}, {3, 7, 6, 8}, {4, 6, 9, 2}, {5, 0xfffffff0, 0xf, 0xe}};
    for (unsigned i = 0; i < ET_COUNT(cases); i++) {
        store(DATA, (uint32_t)cases[i].not_met);
        sem(DATA, cases[i].payload, cases[i].operation);
        ck_assert_int_eq(go(), ETALON_OK);
        ck_assert_msg(result.state == ET_BLOCKED, "operation %u", cases[i].operation);
        store(DATA, (uint32_t)cases[i].met);
        ck_assert_int_eq(go(), ETALON_OK);
        ck_assert_int_eq(result.state, ET_IDLE);
    }
    sem(DATA + 4, 0, 1 | 1 << 24);
    ck_assert_int_eq(go(), ETALON_MISALIGNED);
    stop();
    start("gm204");
    sem(DATA, 0, 1);
    ck_assert_int_eq(go(), ETALON_UNKNOWN_METHOD);
    stop();
}
END_TEST

START_TEST(other_host_methods)
{
    start("gm204");
    method(5, 0x50, 1234);
    method(5, 0x08, 0);
    method(5, 0x20, 0);
    method(5, 0x78, 0);
    method(5, 0x80, 1);
    method(5, 0x34, 5u << 27);
    ck_assert_int_eq(go(), ETALON_OK);
    ck_assert_uint_eq(et_channel_reference(channel), 1234);
    ck_assert_uint_eq(heard.interrupts, 1);
    method(5, 0x04, 0);
    ck_assert_int_eq(go(), ETALON_TRAP);
    stop();
}
END_TEST

START_TEST(syncpoints)
{
    start("gm20b");
    method(0, 0x74, 1 | 9 << 8);
    method(0, 0x70, 2);
    method(0, 0x74, 1 << 4 | 9 << 8);
    ck_assert_int_eq(go(), ETALON_OK);
    ck_assert_int_eq(result.state, ET_BLOCKED);
    ck_assert(result.wait.syncpoint);
    ck_assert_uint_eq(result.wait.address, 9);
    ck_assert_uint_eq(et_device_syncpoint(device, 9), 1);
    et_device_set_syncpoint(device, 9, 2);
    ck_assert_int_eq(go(), ETALON_OK);
    ck_assert_int_eq(result.state, ET_IDLE);
    /* A threshold wraps. */
    et_device_set_syncpoint(device, 9, 1);
    method(0, 0x70, 0xfffffff0);
    method(0, 0x74, 9 << 8);
    ck_assert_int_eq(go(), ETALON_OK);
    ck_assert_int_eq(result.state, ET_IDLE);
    stop();
}
END_TEST

/* Two channels hand a word back and forth, whichever was made first. */
START_TEST(scheduler)
{
    start("gm204");
    struct et_channel *other;
    ck_assert_int_eq(et_channel_create(device, 2, &map, &other, &error), ETALON_OK);
    ck_assert_int_eq(et_channel_create(device, 2, &map, &other, &error), ETALON_INVALID);
    memset(&error, 0, sizeof error);
    other = et_device_channel(device, 2);
    for (uint32_t i = 0; i < 10; i++) {
        semaphore(DATA, 2 * i, 1);
        semaphore(DATA, 2 * i + 1, 2 | 1 << 24);
    }
    push_on(channel);
    for (uint32_t i = 0; i < 10; i++) {
        semaphore(DATA, 2 * i + 1, 1);
        semaphore(DATA, 2 * i + 2, 2 | 1 << 24);
    }
    push_on(other);
    ck_assert_int_eq(go(), ETALON_OK);
    ck_assert_int_eq(result.state, ET_IDLE);
    ck_assert_uint_eq(load(DATA), 20);
    /* A fault stops its own channel only. */
    method(0, 0x04, 0);
    push_on(channel);
    semaphore(DATA, 99, 2 | 1 << 24);
    push_on(other);
    ck_assert_int_eq(go(), ETALON_TRAP);
    memset(&error, 0, sizeof error);
    ck_assert_int_eq(go(), ETALON_OK);
    ck_assert_uint_eq(load(DATA), 99);
    stop();
}
END_TEST

START_TEST(timer)
{
    const struct et_chip *x1 = et_chip_by_name("gm20b"), *discrete = et_chip_by_name("ga102");
    ck_assert_uint_eq(et_chip_timer_units(x1, 1000000000), 614400000);
    ck_assert_uint_eq(et_chip_timer_units(x1, 625), 384);
    ck_assert_uint_eq(et_chip_timer_units(x1, UINT64_MAX),
                      UINT64_MAX / 625 * 384 + UINT64_MAX % 625 * 384 / 625);
    ck_assert_uint_eq(et_chip_timer_ns(x1, 614400000), 1000000000);
    ck_assert_uint_eq(et_chip_timer_units(discrete, 12345), 12345);
    start_with("gm20b", (struct et_device_options){.timer_divide_256 = true});
    et_device_set_clock(device, 1000);
    ck_assert_uint_eq(et_device_timer(device), 614 & ~255);
    stop();
    start_with("ga102", (struct et_device_options){.host_clock = true});
    const uint64_t before = et_device_timer(device);
    ck_assert_uint_ne(before, 0);
    ck_assert_uint_ge(et_device_timer(device), before);
    stop();
}
END_TEST

START_TEST(limits)
{
    start_with("gm204", (struct et_device_options){.submit_words = 100});
    for (unsigned i = 0; i < 2000; i++)
        put(0);
    ck_assert_int_eq(go(), ETALON_BUDGET);
    stop();
    start("gm204");
    put(0);
    heard.cancel = true;
    ck_assert_int_eq(go(), ETALON_CANCELLED);
    stop();
    start("gm204");
    ck_assert_int_eq(et_channel_push(channel, 0x10, 4, false, &error), ETALON_OK);
    ck_assert_int_eq(et_device_run(device, &result, &error), ETALON_UNMAPPED);
    stop();
}
END_TEST

/* Macro 0 of the 32-bit engine: sends its parameters to 0xd80 and on. A run of its data may cross segments.
 */
static void load_macro(void)
{
    method(0, 0x114, 0);
    header(CONSTANT, 0, 0x118, 4);
    put(1 | 2 << 4 | (0x360 | 1 << 12) << 14); /* address 0xd80 by 1 */
    put(1 | 3 << 4 | 1 << 11 | 2 << 8);        /* r2 = parameter, send r1 */
    put(1 | 4 << 4 | 2 << 11 | 0x80);          /* send r2, exit */
    put(1 | 1 << 4);
    method(0, 0x11c, 0);
    method(0, 0x120, 0);
}

/* A cancelled macro stops within its instructions and goes on where it was; an immediate calls it, so that no
 * word is left behind it. */
START_TEST(macros_are_cancelled)
{
    start("gm204");
    bind_threed();
    method(0, 0x114, 0);
    header(CONSTANT, 0, 0x118, 5);
    put(1 | 2 << 4 | (0x360 | 1 << 12) << 14);           /* address 0xd80 by 1 */
    put(1 | 1 << 4 | 1 << 8 | 1 << 11 | 0x3ffffu << 14); /* r1 = r1 - 1 */
    put(7 | 1 << 4 | 1 << 5 | 1 << 11 | 0x3ffffu << 14); /* while it is not 0 */
    put(1 | 4 << 4 | 1 << 11 | 7u << 14 | 0x80);         /* send 7, exit */
    put(1 | 1 << 4);
    method(0, 0x11c, 0);
    method(0, 0x120, 0);
    header(IMMEDIATE, 0, 0x3800, 0x1fff); /* over 16,000 instructions: polled more than twice */
    heard.cancel_at = 5;
    ck_assert_int_eq(go(), ETALON_CANCELLED);
    ck_assert_str_eq(error.text, "macro 0 was cancelled");
    ck_assert_uint_eq(scratch(0), 0);
    memset(&error, 0, sizeof error);
    ck_assert_int_eq(go(), ETALON_OK);
    ck_assert_int_eq(result.state, ET_IDLE);
    ck_assert_uint_eq(scratch(0), 7);
    ck_assert_uint_eq(heard.event[heard.count - 1].method, 0xd80);
    stop();
}
END_TEST

START_TEST(macros)
{
    start("gm204");
    bind_threed();
    load_macro();
    header(ONCE, 0, 0x3800, 2);
    put(70), put(71);
    ck_assert_int_eq(go(), ETALON_OK);
    ck_assert_uint_eq(scratch(0), 70);
    ck_assert_uint_eq(scratch(1), 71);
    /* The listener saw the calls and what the macro sent. */
    ck_assert_uint_eq(heard.event[heard.count - 1].depth, 1);
    ck_assert_uint_eq(heard.event[heard.count - 1].method, 0xd84);
    header(ONCE, 0, 0x3800, 2);
    put(80);
    push_on(channel);
    put(81);
    push_on(channel);
    ck_assert_int_eq(go(), ETALON_OK);
    ck_assert_uint_eq(scratch(1), 81);
    header(ONCE, 0, 0x3800, 3);
    put(1), put(2), put(3);
    ck_assert_int_eq(go(), ETALON_MACRO);
    et_channel_reset(channel);
    memset(&error, 0, sizeof error);
    method(0, 0x3800, 1);
    method(0, 0xd80, 1);
    ck_assert_int_eq(go(), ETALON_MACRO);
    ck_assert_uint_eq(error.method, 0xd80);
    stop();
}
END_TEST

START_TEST(shadow_modes)
{
    start("gm204");
    bind_threed();
    method(0, 0xd80, 1);
    method(0, 0x124, 2); /* passthrough: not recorded */
    method(0, 0xd80, 2);
    method(0, 0x124, 3); /* replay: the recorded word */
    method(0, 0xd80, 3);
    ck_assert_int_eq(go(), ETALON_OK);
    ck_assert_uint_eq(scratch(0), 1);
    method(0, 0x124, 1); /* track with filter */
    method(0, 0xd80, 4);
    method(0, 0x124, 3);
    header(INC, 0, 0xd80, 2);
    put(5), put(6);
    ck_assert_int_eq(go(), ETALON_OK);
    ck_assert_uint_eq(scratch(0), 4);
    ck_assert_uint_eq(scratch(1), 0);
    stop();
}
END_TEST

/* The firmware's answer that drivers' start-up macros spin on. */
START_TEST(falcon)
{
    start("gm204");
    bind_threed();
    method(0, 0x114, 0);
    header(CONSTANT, 0, 0x118, 4);
    put(1 | 2 << 4 | 0x360 << 14);        /* address 0xd80 */
    put(5 | 4 << 4 | 0xd00 << 14 | 0x80); /* send scratch 0, exit */
    put(1 | 1 << 4);
    put(0);
    method(0, 0x11c, 0);
    method(0, 0x120, 0);
    method(0, 0x3400, 0);
    method(0, 0x2310, 0x419f78);
    method(0, 0x3800, 0);
    ck_assert_int_eq(go(), ETALON_OK);
    ck_assert_uint_eq(scratch(0), 1);
    stop();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("host");
    TCase *tcase = tcase_create("host");
    tcase_add_test(tcase, header_modes);
    tcase_add_test(tcase, old_headers_are_maxwells);
    tcase_add_test(tcase, runs_cross_segments);
    tcase_add_test(tcase, gpfifo_entries);
    tcase_add_test(tcase, objects);
    tcase_add_test(tcase, semaphore_releases);
    tcase_add_test(tcase, semaphore_reductions);
    tcase_add_test(tcase, acquires);
    tcase_add_test(tcase, closed_world);
    tcase_add_test(tcase, sem_execute);
    tcase_add_test(tcase, other_host_methods);
    tcase_add_test(tcase, syncpoints);
    tcase_add_test(tcase, scheduler);
    tcase_add_test(tcase, timer);
    tcase_add_test(tcase, limits);
    tcase_add_test(tcase, macros);
    tcase_add_test(tcase, macros_are_cancelled);
    tcase_add_test(tcase, shadow_modes);
    tcase_add_test(tcase, falcon);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
