#include "etalon.h"

#include "support/suite.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define KIB 1024u

static struct etalon_device *device;
static struct etalon_space *space;
static struct etalon_channel *channel;
static struct etalon_error error;
static unsigned triggers, unmapped;

static void count_trigger(void *context, const struct etalon_trigger *trigger)
{
    (void)context;
    triggers += trigger->kind == ETALON_INLINE;
    ck_assert_uint_eq(etalon_trigger_register(trigger, 0x180), 16);
    ck_assert_uint_eq(etalon_trigger_register(trigger, 0xffffff), 0);
}

static void count_unmapped(void *context, struct etalon_space *where, uint64_t va, uint64_t size)
{
    ck_assert_ptr_eq(context, &device);
    ck_assert_ptr_eq(where, space);
    ck_assert_uint_eq(va, 0x200000);
    unmapped += size == 4 * KIB;
}

static void setup(void)
{
    const struct etalon_options options = {
        .chip = "gm204",
        .ram_bytes = 1024 * KIB,
        .closed_world = 1,
        .callbacks = {.context = &device, .trigger = count_trigger, .unmapped = count_unmapped}};
    memset(&error, 0, sizeof error);
    triggers = unmapped = 0;
    ck_assert_int_eq(etalon_create(&device, &options, &error), ETALON_OK);
    ck_assert_int_eq(etalon_space_create(device, &space, &error), ETALON_OK);
    ck_assert_int_eq(etalon_map(space, 0x100000, 64 * KIB, 64 * KIB, 0, 0, &error), ETALON_OK);
    ck_assert_int_eq(etalon_map(space, 0x200000, 64 * KIB, 128 * KIB, 0, 0xfe, &error), ETALON_OK);
    ck_assert_int_eq(etalon_channel_create(space, 3, &channel, &error), ETALON_OK);
}

static void teardown(void)
{
    etalon_destroy(device);
}

static enum etalon_status push(const uint32_t *words, uint32_t count, struct etalon_run *run)
{
    ck_assert_int_eq(etalon_write(space, 0x100000, words, 4 * count, &error), ETALON_OK);
    ck_assert_int_eq(etalon_push(channel, 0x100000, count, &error), ETALON_OK);
    return etalon_run(device, run, &error);
}

/* Four words through inline-to-memory on subchannel 2 (a preset). */
static const uint32_t upload[] = {0x20044060, 16, 1, 0, 0x200100, 0x2001406c, 1, 0x6004406d, 1, 2, 3, 4};
/* An acquire of 7 at 0x200000. */
static const uint32_t acquire[] = {0x20040004, 0, 0x200000, 7, 1};

START_TEST(what_a_trigger_wrote_is_found)
{
    const uint64_t before = etalon_event(device);
    struct etalon_run run;
    uint64_t va = 0x200000, bytes = 0;
    uint32_t word;
    ck_assert_int_eq(push(upload, 12, &run), ETALON_OK);
    ck_assert_int_eq(run.state, ETALON_IDLE);
    ck_assert_uint_eq(triggers, 1);
    ck_assert(etalon_changed(space, &va, 0x210000, before, &bytes));
    ck_assert_uint_eq(va, 0x200000);
    ck_assert_uint_eq(bytes, 4 * KIB);
    va += bytes;
    ck_assert(!etalon_changed(space, &va, 0x210000, before, &bytes));
    ck_assert_int_eq(etalon_copy(space, 0x20f000, 0x200104, 8, &error), ETALON_OK);
    ck_assert_int_eq(etalon_read(space, 0x20f004, &word, 4, &error), ETALON_OK);
    ck_assert_uint_eq(word, 3);
    ck_assert(etalon_changed(space, &va, 0x210000, before, &bytes));
    ck_assert_uint_eq(va, 0x20f000);
}
END_TEST

START_TEST(a_wait_in_a_closed_world_is_a_deadlock)
{
    struct etalon_run run = {0};
    ck_assert_int_eq(push(acquire, 5, &run), ETALON_DEADLOCK);
    ck_assert_uint_eq(run.wanted, 7);
    ck_assert_uint_eq(run.address, 0x200000);
    etalon_channel_reset(channel);
}
END_TEST

START_TEST(a_fault_names_its_place_and_a_reset_forgets_it)
{
    const uint32_t unknown[] = {0x20010fff, 5};
    struct etalon_run run;
    ck_assert_int_ne(push(unknown, 2, &run), ETALON_OK);
    ck_assert_int_eq(run.state, ETALON_FAULT);
    ck_assert_uint_eq(error.channel, 3);
    ck_assert(error.at & ETALON_AT_ADDRESS);
    ck_assert_str_ne(error.text, "");
    etalon_channel_reset(channel);
    memset(&error, 0, sizeof error);
    ck_assert_int_eq(push(upload, 12, &run), ETALON_OK);
}
END_TEST

START_TEST(a_cancelled_run_says_so)
{
    struct etalon_run run;
    etalon_cancel(device);
    ck_assert_int_eq(push(upload, 12, &run), ETALON_CANCELLED);
    memset(&error, 0, sizeof error);
    ck_assert_int_eq(etalon_run(device, &run, &error), ETALON_OK);
    ck_assert_uint_eq(triggers, 1);
}
END_TEST

START_TEST(unmapping_tells_the_owner)
{
    uint32_t word;
    ck_assert_int_eq(etalon_unmap(space, 0x200000, 4 * KIB, &error), ETALON_OK);
    ck_assert_uint_eq(unmapped, 1);
    ck_assert_int_eq(etalon_read(space, 0x200ffc, &word, 8, &error), ETALON_UNMAPPED);
    ck_assert_uint_eq(error.address, 0x200ffc);
}
END_TEST

START_TEST(ram_may_be_a_memfd_of_the_callers)
{
    const int fd = memfd_create("ram", 0);
    const struct etalon_options options = {
        .chip = "ga102", .ram_bytes = 64 * KIB, .ram_fd_plus_one = fd + 1, .ram_shared = 1};
    struct etalon_device *other;
    struct etalon_space *there;
    uint32_t word = 0xabcd, *bytes;
    uint64_t size, va = 0x10000, changed;
    ck_assert_int_eq(ftruncate(fd, 64 * KIB), 0);
    bytes = mmap(NULL, 64 * KIB, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    ck_assert_int_eq(etalon_create(&other, &options, &error), ETALON_OK);
    ck_assert_ptr_nonnull(etalon_ram(other, &size));
    ck_assert_uint_eq(size, 64 * KIB);
    ck_assert_int_eq(etalon_space_create(other, &there, &error), ETALON_OK);
    ck_assert_int_eq(etalon_map(there, 0x10000, 64 * KIB, 0, 0, 0, &error), ETALON_OK);
    bytes[5] = 77;
    ck_assert_int_eq(etalon_read(there, 0x10014, &word, 4, &error), ETALON_OK);
    ck_assert_uint_eq(word, 77);
    ck_assert(!etalon_changed(there, &va, 0x20000, 0, &changed));
    ck_assert_int_eq(etalon_touched(other, 0, 4, &error), ETALON_OK);
    ck_assert(etalon_changed(there, &va, 0x20000, 0, &changed));
    etalon_destroy(other);
    munmap(bytes, 64 * KIB);
    close(fd);
}
END_TEST

/* A block-linear surface of one GOB: byte (x, y) is at the GOB's order. */
START_TEST(a_surface_is_read_in_order)
{
    const struct etalon_surface surface = {
        .address = 0x204000, .bytes_per_texel = 4, .width = 16, .height = 8, .depth = 1};
    uint8_t gob[512], rows[512];
    for (unsigned i = 0; i < 512; i++)
        gob[i] = (uint8_t)(i * 7);
    ck_assert_int_eq(etalon_write(space, 0x204000, gob, 512, &error), ETALON_OK);
    ck_assert_int_eq(etalon_surface_read(space, &surface, rows, &error), ETALON_OK);
    for (unsigned y = 0; y < 8; y++)
        for (unsigned x = 0; x < 64; x++) {
            const unsigned at = (x & 32) << 3 | (y & 6) << 5 | (x & 16) << 1 | (y & 1) << 4 | (x & 15);
            ck_assert_uint_eq(rows[y * 64 + x], gob[at]);
        }
}
END_TEST

START_TEST(text_goes_there_and_back)
{
    struct etalon_isa *isa;
    uint64_t word[2];
    char text[256];
    ck_assert_int_eq(etalon_isa_open(&isa, ETALON_AMPERE, &error), ETALON_OK);
    ck_assert_uint_eq(etalon_isa_bytes(isa), 16);
    ck_assert_int_eq(etalon_assemble(isa, "FFMA.FTZ R1, R2, R3, -R4", 0, word, &error), ETALON_OK);
    ck_assert_int_eq(etalon_disassemble(isa, word, 16, 0, text, sizeof text, &error), ETALON_OK);
    ck_assert_str_eq(text, "FFMA.FTZ R1, R2, R3, -R4");
    ck_assert_int_eq(etalon_disassemble(isa, word, 8, 0, text, sizeof text, &error), ETALON_TRUNCATED);
    etalon_isa_close(isa);
}
END_TEST

START_TEST(bad_options_are_named)
{
    const struct etalon_options none = {.chip = "gtx", .ram_bytes = 4096}, empty = {.chip = "gm20b"};
    struct etalon_device *other;
    ck_assert_int_eq(etalon_create(&other, &none, &error), ETALON_INVALID);
    ck_assert_ptr_nonnull(strstr(error.text, "gtx"));
    memset(&error, 0, sizeof error);
    ck_assert_int_eq(etalon_create(&other, &empty, &error), ETALON_INVALID);
    ck_assert_ptr_null(other);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("api");
    TCase *tests = tcase_create("api");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, what_a_trigger_wrote_is_found);
    tcase_add_test(tests, a_wait_in_a_closed_world_is_a_deadlock);
    tcase_add_test(tests, a_fault_names_its_place_and_a_reset_forgets_it);
    tcase_add_test(tests, a_cancelled_run_says_so);
    tcase_add_test(tests, unmapping_tells_the_owner);
    tcase_add_test(tests, ram_may_be_a_memfd_of_the_callers);
    tcase_add_test(tests, a_surface_is_read_in_order);
    tcase_add_test(tests, text_goes_there_and_back);
    tcase_add_test(tests, bad_options_are_named);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
