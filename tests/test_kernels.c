/* Every compiled kernel of the conformance set against silicon's outputs, at each CPU level. */
#include "support/suite.h"

#include "isa/interp/exec.h"
#include "tool/kernel.h"

#include <stdio.h>
#include <string.h>

static const char *const disabled[LEVEL_COUNT] = {"v4,v3,v2", "v4,v3", "v4", ""};

static char *table_text(void)
{
    struct etalon_error error = {0};
    char path[1024];
    uint8_t *bytes = NULL;
    size_t size = 0;
    char *text;
    snprintf(path, sizeof path, "%s/conformance/kernels/table.tsv", suite_srcdir());
    ck_assert_msg(et_file_read(path, 1 << 24, &bytes, &size, &error) == ETALON_OK, "%s", error.text);
    text = malloc(size + 1);
    ck_assert_ptr_nonnull(text);
    memcpy(text, bytes, size);
    text[size] = 0;
    free(bytes);
    return text;
}

/* The recorded verdict of a kernel, "" when there is none. */
static void recorded(const char *table, const struct et_kernel_result *result, char verdict[16])
{
    char key[96];
    const char *row;
    verdict[0] = 0;
    snprintf(key, sizeof key, "%s\t%s\t", result->kernel, result->arch);
    for (row = table; row; row = strchr(row, '\n') ? strchr(row, '\n') + 1 : NULL)
        if (!strncmp(row, key, strlen(key))) {
            ck_assert_int_eq(sscanf(row + strlen(key), "%*s %15s", verdict), 1);
            return;
        }
}

/* Runs a pack's manifests; how many. */
static unsigned run_pack(const char *pack, const char *table)
{
    static const char *const names[] = {[ET_KERNEL_EQUAL] = "equal",
                                        [ET_KERNEL_DIFFERENT] = "model",
                                        [ET_KERNEL_FAILED] = "unsupported",
                                        [ET_KERNEL_DECODED] = "decoded"};
    struct et_tar_list list = {0};
    struct et_kernel_files files = {NULL, &list};
    struct etalon_error error = {0};
    char path[1024];
    unsigned run = 0;
    snprintf(path, sizeof path, "%s/conformance/kernels/%s", suite_srcdir(), pack);
    ck_assert_msg(et_tar_read(path, UINT64_C(1) << 30, NULL, NULL, &list, &error) == ETALON_OK, "%s",
                  error.text);
    for (size_t n = 0; n < list.count; n++) {
        struct et_kernel_result result;
        char verdict[16];
        if (!strstr(list.files[n].name, ".json"))
            continue;
        et_kernel_run(&files, (const char *)list.files[n].bytes, 1, &result, NULL, NULL);
        recorded(table, &result, verdict);
        ck_assert_msg(!strcmp(verdict, names[result.verdict]), "%s %s: recorded '%s', is '%s': %s",
                      result.kernel, result.arch, verdict, names[result.verdict], result.text);
        run++;
    }
    et_tar_free(&list);
    return run;
}

START_TEST(equals_silicon)
{
    char *table = table_text();
    setenv("ETALON_DISABLE", disabled[_i], 1);
    ck_assert_uint_ge(run_pack("kernels.tar.zst", table), 280);
    ck_assert_uint_eq(run_pack("forms-ampere.tar.zst", table), 2);
    ck_assert_uint_eq(run_pack("more.tar.zst", table), 77);
    free(table);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("kernels");
    TCase *tcase = tcase_create("silicon");
    const enum level level = et_interp_level();
    tcase_set_timeout(tcase, 600);
    tcase_add_loop_test(tcase, equals_silicon, 0, (int)level + 1);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
