/* The render node, driven by programs of this tree instead of Mesa: `etalon run -- drm-client CASE`. */
#include "support/suite.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[64]; /* the server's files go here */

static void make_folder(void)
{
    strcpy(folder, "/tmp/test-drm-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    setenv("TMPDIR", folder, 1);
}

/* Nothing may be left in it. */
static void remove_folder(void)
{
    ck_assert_int_eq(rmdir(folder), 0);
}

/* Runs the line by the shell and gives its exit status; `said` (if any) must be in what it prints. */
static int shell(const char *line, const char *said)
{
    char text[4096] = "";
    size_t size;
    FILE *pipe = popen(line, "r");
    ck_assert_ptr_nonnull(pipe);
    size = fread(text, 1, sizeof text - 1, pipe);
    text[size] = 0;
    const int status = pclose(pipe);
    if (said)
        ck_assert_msg(strstr(text, said) != NULL, "'%s' is not in: %s", said, text);
    ck_assert_msg(!strstr(text, "Sanitizer"), "%s", text);
    if (!WIFEXITED(status) || WEXITSTATUS(status))
        fprintf(stderr, "%s", text);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

static const char *build_folder(void)
{
    const char *given = getenv("builddir");
    return given ? given : ".";
}

static int client_of(const char *chip, const char *options, const char *arguments, const char *said)
{
    char line[512];
    snprintf(line, sizeof line, "%s/etalon run --chip %s --threads 1 %s -- %s/drm-client %s 2>&1 </dev/null",
             build_folder(), chip, options, build_folder(), arguments);
    return shell(line, said);
}

static const struct {
    const char *name, *chipset, *threed;
} chips[] = {{"gm204", "124", "b197"}, {"gm20b", "12b", "b197"}, {"ga102", "172", "c797"}};

START_TEST(tells_the_chip)
{
    char arguments[64];
    snprintf(arguments, sizeof arguments, "identity %s", chips[_i].chipset);
    ck_assert_int_eq(client_of(chips[_i].name, "", arguments, NULL), 0);
    snprintf(arguments, sizeof arguments, "classes %s", chips[_i].threed);
    ck_assert_int_eq(client_of(chips[_i].name, "", arguments, NULL), 0);
}
END_TEST

static const struct {
    const char *name, *options, *said;
} cases[] = {
    {"memory", "", NULL},
    {"mappings", "", NULL},
    {"life", "", NULL},
    {"deadlines", "", NULL},
    {"threads", "", NULL},
    {"fences", "", NULL},
    {"sharing", "", NULL},
    {"forked", "", NULL},
    {"duplicated", "", NULL},
    {"executed", "", NULL},
    {"killed", "", NULL},
    {"exhausted", "--ram 64", NULL},
    {"faulted", "--stats", "1 faults"},
    {"faulted", "", "device lost"},
    {"legacy", "", NULL},
    {"nonsense", "", NULL},
    {"stalled", "", NULL},
    {"exported", "", NULL},
    {"merged", "", NULL},
    {"names", "", NULL},
    {"queued", "", NULL},
    {"released", "", NULL},
    {"shared-legacy", "", NULL},
    {"sealed", "", NULL},
    {"closed", "", NULL},
    {"crowd", "", NULL},
};
#define CASES (int)(sizeof cases / sizeof *cases)

START_TEST(serves)
{
    const char *chip = _i & 1 ? "ga102" : "gm204";
    ck_assert_int_eq(client_of(chip, cases[_i].options, cases[_i].name, cases[_i].said), 0);
}
END_TEST

START_TEST(exits_as_the_program_does)
{
    char line[512];
    ck_assert_int_eq(client_of("ga102", "", "fails", NULL), 7);
    ck_assert_int_eq(client_of("ga102", "--require", "identity 172", "nothing was executed"), 1);
    ck_assert_int_eq(client_of("gp999", "", "life", "gp999"), 2);
    snprintf(line, sizeof line, "%s/etalon run -- /no/such/program 2>&1", build_folder());
    ck_assert_int_eq(shell(line, "/no/such/program"), 2);
    snprintf(line, sizeof line, "%s/etalon run -- sh -c 'kill -9 $$' 2>&1", build_folder());
    ck_assert_int_eq(shell(line, NULL), 128 + 9);
}
END_TEST

/* A time limit that ends us ends the program, and leaves nothing (the fixture looks). */
START_TEST(ends_with_its_program)
{
    char line[512];
    snprintf(line, sizeof line, "timeout 1 %s/etalon run -- sleep 60 2>&1", build_folder());
    ck_assert_int_eq(shell(line, NULL), 124);
}
END_TEST

/* Clients by the hundred, eight at a time: nothing stays behind. */
START_TEST(starts_and_stops)
{
    const char *given = getenv("ETALON_DRM_STARTS");
    const unsigned count = given ? (unsigned)strtoul(given, NULL, 10) : 40;
    char line[512];
    snprintf(line, sizeof line,
             "seq %u | xargs -P 8 -I{} sh -c '%s/etalon run --threads 1 -- %s/drm-client life "
             "2>>%s/../test-drm-%d.log || echo failed {}' 2>&1",
             count, build_folder(), build_folder(), folder, (int)getpid());
    char text[256] = "";
    FILE *pipe = popen(line, "r");
    ck_assert_ptr_nonnull(pipe);
    text[fread(text, 1, sizeof text - 1, pipe)] = 0;
    ck_assert_int_eq(pclose(pipe), 0);
    ck_assert_str_eq(text, "");
    snprintf(line, sizeof line, "%s/../test-drm-%d.log", folder, (int)getpid());
    unlink(line);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("drm");
    TCase *node = tcase_create("node");
    tcase_set_timeout(node, 600);
    tcase_add_checked_fixture(node, make_folder, remove_folder);
    tcase_add_loop_test(node, tells_the_chip, 0, (int)(sizeof chips / sizeof *chips));
    tcase_add_loop_test(node, serves, 0, CASES);
    tcase_add_test(node, exits_as_the_program_does);
    tcase_add_test(node, ends_with_its_program);
    tcase_add_test(node, starts_and_stops);
    suite_add_tcase(suite, node);
    return suite_run(suite);
}
