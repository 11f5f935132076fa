#include "base/alloc.h"
#include "base/bits.h"
#include "capture/capture.h"
#include "capture/tar.h"
#include "support/suite.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static struct etalon_error error;
static char folder[64];

static void setup(void)
{
    strcpy(folder, "capture-test-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    memset(&error, 0, sizeof error);
}

static void teardown(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    ck_assert_int_eq(system(command), 0);
}

static void capture_path(char *path, size_t size, const char *name)
{
    snprintf(path, size, "%s/conformance/captures/%s.tar.zst", suite_srcdir(), name);
}

static void read_ok(struct et_capture *capture, const char *name)
{
    char path[512];
    capture_path(path, sizeof path, name);
    ck_assert_msg(et_capture_read(capture, path, &error) == ETALON_OK, "%s", error.text);
}

START_TEST(a_driver_capture_is_read_whole)
{
    struct et_capture capture;
    read_ok(&capture, "nvk-ga102-tri_flat");
    ck_assert_str_eq(capture.name, "nvk-ga102-tri_flat");
    ck_assert_str_eq(capture.program, "tri_flat");
    ck_assert_uint_eq(capture.chipset, 0x172);
    ck_assert_uint_eq(capture.class_threed, 0xc797);
    ck_assert_uint_eq(capture.submit_count, 6);
    ck_assert_uint_eq(capture.submits[0].pushes[0].bytes, 12308);
    ck_assert_uint_eq(capture.output_count, 1);
    ck_assert_str_eq(capture.outputs[0].name, "tri_flat.raw");
    ck_assert_uint_eq(capture.outputs[0].after_submit, 5);
    ck_assert_uint_eq(capture.result.pitch, 512);
    ck_assert_uint_eq(capture.result.bo_offset, 0);
    ck_assert_uint_eq(capture.byte_count, 12416);
    et_capture_free(&capture);
}
END_TEST

static void assert_same(const struct et_capture *a, const struct et_capture *b)
{
    ck_assert_str_eq(a->program, b->program);
    ck_assert_uint_eq(a->map_count, b->map_count);
    ck_assert_mem_eq(a->maps, b->maps, a->map_count * sizeof *a->maps);
    ck_assert_uint_eq(a->memory_count, b->memory_count);
    ck_assert_mem_eq(a->memory, b->memory, a->memory_count * sizeof *a->memory);
    ck_assert_uint_eq(a->submit_count, b->submit_count);
    for (size_t i = 0; i < a->submit_count; i++) {
        const struct et_capture_submit *x = &a->submits[i], *y = &b->submits[i];
        ck_assert_uint_eq(x->channel, y->channel);
        ck_assert_uint_eq(x->map_count, y->map_count);
        ck_assert_mem_eq(x->maps, y->maps, x->map_count * sizeof *x->maps);
        ck_assert_uint_eq(x->memory_count, y->memory_count);
        ck_assert_uint_eq(x->push_count, y->push_count);
        ck_assert_mem_eq(x->pushes, y->pushes, x->push_count * sizeof *x->pushes);
    }
    ck_assert_mem_eq(&a->result, &b->result, sizeof a->result);
    ck_assert_uint_eq(a->byte_count, b->byte_count);
    ck_assert_mem_eq(a->bytes, b->bytes, a->byte_count);
}

START_TEST(what_is_written_reads_back)
{
    static const char *const names[] = {"nvk-gm204-vkt-compute-indirect", "nvc0-ga102-piglit-quads"};
    for (size_t i = 0; i < ET_COUNT(names); i++) {
        struct et_capture capture, again;
        char path[128];
        read_ok(&capture, names[i]);
        for (int packed = 0; packed < 2; packed++) {
            snprintf(path, sizeof path, "%s/%zu%s", folder, i, packed ? ".tar.zst" : "");
            ck_assert_msg(et_capture_write(&capture, path, &error) == ETALON_OK, "%s", error.text);
            ck_assert_msg(et_capture_read(&again, path, &error) == ETALON_OK, "%s", error.text);
            assert_same(&capture, &again);
            et_capture_free(&again);
        }
        et_capture_free(&capture);
    }
}
END_TEST

static void write_folder(const char *manifest, const char *bulk)
{
    char path[128];
    snprintf(path, sizeof path, "%s/manifest.json", folder);
    ck_assert_int_eq(et_file_write(path, manifest, strlen(manifest), &error), ETALON_OK);
    snprintf(path, sizeof path, "%s/memory.bin", folder);
    ck_assert_int_eq(et_file_write(path, bulk, strlen(bulk), &error), ETALON_OK);
}

#define BOS    "\"bos\":[{\"bo\":1,\"size\":4096}]"
#define FORMAT "\"format\":\"capture-1\""

START_TEST(what_is_wrong_is_named)
{
    static const struct {
        const char *manifest;
        enum etalon_status status;
        const char *text;
    } cases[] = {
        {"{", ETALON_FORMAT, "not JSON"},
        {"{}", ETALON_FORMAT, "capture-1"},
        {"[1]", ETALON_FORMAT, "capture-1"},
        {"{" FORMAT ",\"bos\":3}", ETALON_FORMAT, "bos 0: is not a list"},
        {"{" FORMAT ",\"bos\":[{\"bo\":1}]}", ETALON_FORMAT, "bos 0: needs bo and size"},
        {"{" FORMAT ",\"bos\":[{\"bo\":1,\"size\":1e300}]}", ETALON_FORMAT, "needs bo and size"},
        {"{" FORMAT ",\"bos\":[{\"bo\":1,\"size\":8},{\"bo\":1,\"size\":8}]}", ETALON_FORMAT, "one number"},
        {"{" FORMAT "," BOS ",\"mappings\":[{\"va\":4096,\"size\":8192,\"bo\":1,\"bo_offset\":0}]}",
         ETALON_BOUNDS, "mappings 0: does not lie in its buffer"},
        {"{" FORMAT "," BOS ",\"mappings\":[{\"va\":1,\"size\":4096,\"bo\":1,\"bo_offset\":0}]}",
         ETALON_BOUNDS, "whole pages"},
        {"{" FORMAT "," BOS ",\"memory\":[{\"size\":16,\"offset\":0,\"bo\":1,\"bo_offset\":0}]}",
         ETALON_TRUNCATED, "memory 0: lies past the end"},
        {"{" FORMAT "," BOS ",\"memory\":[{\"size\":4,\"offset\":0,\"bo\":2,\"bo_offset\":0}]}",
         ETALON_BOUNDS, "does not lie in its buffer"},
        {"{" FORMAT ",\"submits\":[{},{\"map_ops\":[{\"op\":\"paint\"}]}]}", ETALON_FORMAT,
         "submit 1, map_ops 0: op is none"},
        {"{" FORMAT ",\"submits\":[{\"pushes\":[{\"va\":2,\"bytes\":4}]}]}", ETALON_MISALIGNED,
         "submit 0, pushes 0"},
        {"{" FORMAT "," BOS ",\"outputs\":[{\"name\":\"../x\"}]}", ETALON_FORMAT, "plain file name"},
        {"{" FORMAT "," BOS
         ",\"outputs\":[{\"name\":\"x\",\"bytes\":5000,\"bo\":1,\"bo_offset\":0,\"after_submit\":0}]}",
         ETALON_BOUNDS, "outputs 0"},
        {"{" FORMAT "," BOS ",\"result\":{\"bo\":1,\"va\":0,\"bytes\":4,\"submit\":0}}", ETALON_BOUNDS,
         "result 0: does not lie in a mapped buffer"},
    };
    for (size_t i = 0; i < ET_COUNT(cases); i++) {
        struct et_capture capture;
        et_error_clear(&error);
        write_folder(cases[i].manifest, "12345678");
        ck_assert_msg(et_capture_read(&capture, folder, &error) == cases[i].status, "case %zu: %s", i,
                      error.text);
        ck_assert_msg(strstr(error.text, cases[i].text) != NULL, "case %zu: %s", i, error.text);
        ck_assert_ptr_null(capture.bytes);
    }
}
END_TEST

/* Every cut of an archive ends in an error, never in half a capture. */
START_TEST(cut_archives_are_refused)
{
    char path[512], cut[128];
    uint8_t *bytes;
    size_t size;
    capture_path(path, sizeof path, "nvk-gm204-tri_flat");
    ck_assert_int_eq(et_file_read(path, 1 << 24, &bytes, &size, &error), ETALON_OK);
    snprintf(cut, sizeof cut, "%s/cut.tar.zst", folder);
    for (size_t n = 0; n < size; n = n + 97 < size || n == size - 1 ? n + 97 : size - 1) {
        struct et_capture capture;
        et_error_clear(&error);
        ck_assert_int_eq(et_file_write(cut, bytes, n, &error), ETALON_OK);
        ck_assert_int_ne(et_capture_read(&capture, cut, &error), ETALON_OK);
        ck_assert_str_ne(error.text, "");
    }
    et_free(bytes);
}
END_TEST

START_TEST(refused_allocations_are_named)
{
    char path[512];
    size_t n = 1;
    enum etalon_status status;
    capture_path(path, sizeof path, "nvk-ga102-tri_flat");
    do {
        struct et_capture capture;
        et_error_clear(&error);
        et_alloc_fail_after(n);
        status = et_capture_read(&capture, path, &error);
        et_alloc_fail_after(0);
        if (!status)
            et_capture_free(&capture);
        else
            ck_assert_int_eq(status, ETALON_NO_MEMORY);
    } while (status && ++n < 1000);
    ck_assert_uint_gt(n, 10);
    ck_assert_int_eq(status, ETALON_OK);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("capture");
    TCase *tests = tcase_create("capture");
    tcase_set_timeout(tests, 60);
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, a_driver_capture_is_read_whole);
    tcase_add_test(tests, what_is_written_reads_back);
    tcase_add_test(tests, what_is_wrong_is_named);
    tcase_add_test(tests, cut_archives_are_refused);
    tcase_add_test(tests, refused_allocations_are_named);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
