#include "base/alloc.h"
#include "base/bits.h"
#include "base/error.h"
#include "base/hash.h"
#include "support/suite.h"

START_TEST(bits_are_inclusive)
{
    const uint32_t words[3] = {0x89abcdef, 0x01234567, 0xfedcba98};
    ck_assert_uint_eq(et_bits(0x12345678, 31, 0), 0x12345678);
    ck_assert_uint_eq(et_bits(0x12345678, 15, 8), 0x56);
    ck_assert_uint_eq(et_bits_of_words(words, 28, 8), 0x78);
    ck_assert_uint_eq(et_bits_of_words(words, 0, 64), UINT64_C(0x0123456789abcdef));
    ck_assert_uint_eq(et_bits_of_words(words, 32, 64), UINT64_C(0xfedcba9801234567));
    ck_assert_int_eq(et_sign_extend(0x1fff, 13), -1);
}
END_TEST

START_TEST(first_error_and_innermost_place_win)
{
    struct etalon_error error = {0};
    ck_assert_int_eq(et_fail(&error, ETALON_UNMAPPED, "at %d", 7), ETALON_UNMAPPED);
    et_fail(&error, ETALON_TRAP, "later");
    et_at_address(&error, 0x1000);
    et_at_address(&error, 0x2000);
    ck_assert_int_eq(error.status, ETALON_UNMAPPED);
    ck_assert_str_eq(error.text, "at 7");
    ck_assert_uint_eq(error.address, 0x1000);
    ck_assert_uint_eq(error.at, ETALON_AT_ADDRESS);
    ck_assert_str_eq(etalon_status_name((enum etalon_status)999), "unknown status");
}
END_TEST

START_TEST(sha256_of_known_messages)
{
    static const struct {
        const char *message, *digest;
    } cases[] = {
        {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
        {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
        {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
         "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
    };
    for (size_t i = 0; i < ET_COUNT(cases); i++) {
        struct et_sha256 sha;
        uint8_t digest[32];
        char text[65];
        et_sha256_start(&sha);
        et_sha256_add(&sha, cases[i].message, strlen(cases[i].message));
        et_sha256_end(&sha, digest);
        et_sha256_text(digest, text);
        ck_assert_str_eq(text, cases[i].digest);
    }
}
END_TEST

START_TEST(allocations_fail_on_request)
{
    int *items = NULL;
    size_t capacity = 0;
    ck_assert(et_grow(&items, &capacity, 100, sizeof *items));
    ck_assert_uint_ge(capacity, 100);
    et_alloc_fail_after(1);
    ck_assert_ptr_null(et_calloc(1, 1));
    ck_assert(!et_grow(&items, &capacity, 1000, sizeof *items));
    et_alloc_fail_after(0);
    ck_assert_ptr_null(et_realloc(NULL, SIZE_MAX, 16));
    et_free(items);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("base");
    TCase *tests = tcase_create("base");
    tcase_add_test(tests, bits_are_inclusive);
    tcase_add_test(tests, first_error_and_innermost_place_win);
    tcase_add_test(tests, sha256_of_known_messages);
    tcase_add_test(tests, allocations_fail_on_request);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
