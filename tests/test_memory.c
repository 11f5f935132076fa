#include "base/bits.h"
#include "memory/pagemap.h"
#include "support/suite.h"

#include <sys/mman.h>
#include <unistd.h>

#define KIB UINT64_C(1024)

static struct et_ram ram;
static struct et_pagemap map;
static struct et_view view;
static struct etalon_error error;

static void setup(void)
{
    ck_assert_int_eq(et_ram_create(&ram, 1024 * KIB, ET_RAM_TRACKED, &error), ETALON_OK);
    et_pagemap_init(&map, &ram, 40);
    et_view_init(&view, &map, 7);
}

static void teardown(void)
{
    et_pagemap_finish(&map);
    et_ram_destroy(&ram);
}

static void map_ok(uint64_t va, uint64_t size, uint64_t offset, uint32_t rights)
{
    ck_assert_int_eq(et_pagemap_map(&map, va, size, offset, rights, 0, &error), ETALON_OK);
}

START_TEST(aliases_show_the_same_bytes)
{
    uint32_t word = 0;
    map_ok(0x10000, 64 * KIB, 0, ET_READ | ET_WRITE);
    map_ok(0x4000000000, 4 * KIB, 8 * KIB, ET_READ);
    ck_assert_int_eq(et_view_write32(&view, 0x12010, 0xcafe, &error), ETALON_OK);
    ck_assert_int_eq(et_view_read32(&view, 0x4000000010, &word, &error), ETALON_OK);
    ck_assert_uint_eq(word, 0xcafe);
    ck_assert_uint_eq(ram.stamps[2], 7 << 2 | ET_WRITER_GPU);
    ck_assert_uint_eq(et_ram_next_changed(&ram, 0, ram.size, 6), 8 * KIB);
    ck_assert_uint_eq(et_ram_next_changed(&ram, 0, ram.size, 7), ram.size);
}
END_TEST

START_TEST(contiguous_pages_merge_and_holes_split)
{
    for (unsigned page = 0; page < 16; page++)
        map_ok(0x100000 + (15 - page) * 4 * KIB, 4 * KIB, (15 - page) * 4 * KIB, ET_READ | ET_WRITE);
    ck_assert_uint_eq(map.count, 1);
    ck_assert_int_eq(et_pagemap_unmap(&map, 0x104000, 8 * KIB, &error), ETALON_OK);
    ck_assert_uint_eq(map.count, 2);
    ck_assert_uint_eq(et_pagemap_find(&map, 0x106000)->ram_offset, 0x6000);
    ck_assert_ptr_null(et_pagemap_find(&map, 0x105fff));
    map_ok(0x104000, 8 * KIB, 0x4000, ET_READ | ET_WRITE);
    ck_assert_uint_eq(map.count, 1);
}
END_TEST

START_TEST(faults_name_the_first_bad_address)
{
    uint8_t bytes[8192];
    memset(bytes, 1, sizeof bytes);
    map_ok(0x1000, 4 * KIB, 0, ET_READ | ET_WRITE);
    map_ok(0x5000, 4 * KIB, 0x5000, ET_READ);
    ck_assert_int_eq(et_view_write(&view, 0x1ff0, bytes, 32, &error), ETALON_UNMAPPED);
    ck_assert_uint_eq(error.address, 0x2000);
    ck_assert_uint_eq(ram.base[0xfff], 1); /* what lay before is kept */
    et_error_clear(&error);
    ck_assert_int_eq(et_view_write(&view, 0x5000, bytes, 4, &error), ETALON_READ_ONLY);
    ck_assert_ptr_null(et_view_writable(&view, 0x5000, 4));
    ck_assert_ptr_nonnull(et_view_pointer(&view, 0x5000, 4096));
    ck_assert_ptr_null(et_view_pointer(&view, 0x5000, 4097));
}
END_TEST

START_TEST(sparse_reads_zero_and_drops_writes)
{
    uint32_t word = 5;
    ck_assert_int_eq(et_pagemap_map_sparse(&map, 0x200000, 64 * KIB, &error), ETALON_OK);
    ck_assert_int_eq(et_view_write32(&view, 0x200100, 9, &error), ETALON_OK);
    ck_assert_int_eq(et_view_read32(&view, 0x200100, &word, &error), ETALON_OK);
    ck_assert_uint_eq(word, 0);
    ck_assert_ptr_null(et_view_pointer(&view, 0x200100, 4));
}
END_TEST

START_TEST(a_view_sees_a_remap)
{
    uint32_t word;
    map_ok(0x1000, 4 * KIB, 0, ET_READ | ET_WRITE);
    et_store32(ram.base, 1);
    et_store32(ram.base + 0x4000, 2);
    et_view_read32(&view, 0x1000, &word, &error);
    ck_assert_uint_eq(word, 1);
    map_ok(0x1000, 4 * KIB, 0x4000, ET_READ | ET_WRITE);
    et_view_read32(&view, 0x1000, &word, &error);
    ck_assert_uint_eq(word, 2);
    et_pagemap_unmap(&map, 0x1000, 4 * KIB, &error);
    ck_assert_int_eq(et_view_read32(&view, 0x1000, &word, &error), ETALON_UNMAPPED);
}
END_TEST

START_TEST(bad_ranges_are_refused)
{
    ck_assert_int_eq(et_pagemap_map(&map, 0x1001, 4096, 0, ET_READ, 0, &error), ETALON_INVALID);
    et_error_clear(&error);
    ck_assert_int_eq(et_pagemap_map(&map, 0x1000, 4096, ram.size, ET_READ, 0, &error), ETALON_BOUNDS);
    et_error_clear(&error);
    ck_assert_int_eq(et_pagemap_map(&map, UINT64_C(1) << 40, 4096, 0, ET_READ, 0, &error), ETALON_INVALID);
    et_error_clear(&error);
    ck_assert_int_eq(et_pagemap_unmap(&map, 0, 0, &error), ETALON_INVALID);
}
END_TEST

/* Random maps and unmaps against a plain array of pages. */
START_TEST(random_maps_equal_a_page_array)
{
    enum { PAGES = 64 };
    int64_t page_of[PAGES];
    uint64_t seed = 1;
    memset(page_of, 0xff, sizeof page_of);
    for (int step = 0; step < 5000; step++) {
        unsigned first, count, target;
        seed = seed * UINT64_C(6364136223846793005) + 1;
        first = seed >> 33 & (PAGES - 1);
        count = 1 + (seed >> 40) % (PAGES - first);
        target = (seed >> 50) & 63;
        if (seed >> 63) {
            map_ok(first * 4096, count * 4096, target * 4096, ET_READ);
            for (unsigned i = 0; i < count; i++)
                page_of[first + i] = target + i;
        } else {
            et_pagemap_unmap(&map, first * 4096, count * 4096, &error);
            for (unsigned i = 0; i < count; i++)
                page_of[first + i] = -1;
        }
        for (unsigned i = 0; i < PAGES; i++) {
            const struct et_extent *extent = et_pagemap_find(&map, i * 4096 + 5);
            if (page_of[i] < 0)
                ck_assert_ptr_null(extent);
            else
                ck_assert_int_eq((int64_t)(extent->ram_offset + i * 4096 - extent->start) / 4096, page_of[i]);
        }
    }
}
END_TEST

START_TEST(ram_may_be_the_callers)
{
    struct et_ram other;
    const int fd = memfd_create("ram", 0);
    void *bytes;
    ck_assert_int_eq(ftruncate(fd, 65536), 0);
    ck_assert_int_eq(et_ram_create_fd(&other, fd, 65536, ET_RAM_SHARED, &error), ETALON_OK);
    bytes = mmap(NULL, 65536, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    other.base[100] = 42;
    ck_assert_int_eq(((uint8_t *)bytes)[100], 42);
    et_ram_destroy(&other);
    ck_assert_int_eq(et_ram_create_at(&other, bytes, 65536, ET_RAM_TRACKED, &error), ETALON_OK);
    et_ram_destroy(&other);
    ck_assert_int_eq(((uint8_t *)bytes)[100], 42);
    ck_assert_int_eq(et_ram_create_at(&other, (uint8_t *)bytes + 1, 4096, ET_RAM_TRACKED, &error),
                     ETALON_INVALID);
    munmap(bytes, 65536);
    close(fd);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("memory");
    TCase *tests = tcase_create("memory");
    tcase_set_timeout(tests, 60);
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, aliases_show_the_same_bytes);
    tcase_add_test(tests, contiguous_pages_merge_and_holes_split);
    tcase_add_test(tests, faults_name_the_first_bad_address);
    tcase_add_test(tests, sparse_reads_zero_and_drops_writes);
    tcase_add_test(tests, a_view_sees_a_remap);
    tcase_add_test(tests, bad_ranges_are_refused);
    tcase_add_test(tests, random_maps_equal_a_page_array);
    tcase_add_test(tests, ram_may_be_the_callers);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
