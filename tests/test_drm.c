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

static const struct {
    const char *chip, *copy;
} copies[] = {{"gm204", "b0b5"}, {"gm20b", "b0b5"}, {"ga102", "c7b5"}};

/* The log names what was executed, the statistics count it; what is executed satisfies --require. */
START_TEST(tells_what_it_executed)
{
    char options[512], arguments[64];
    snprintf(arguments, sizeof arguments, "copied %s /dev/null", copies[_i].copy);
    ck_assert_int_eq(
        client_of(copies[_i].chip, "--require --stats", arguments,
                  "etalon: 1 submissions, 0 draws, 0 clears, 0 dispatches, 1 copies, 0 instructions, "
                  "0 faults"),
        0);
    snprintf(options, sizeof options, "--log -");
    ck_assert_int_eq(client_of(copies[_i].chip, options, arguments, " copy channel 0 class "), 0);
    snprintf(options, sizeof options, "--log %s/log --clock fixed --ram 256", folder);
    ck_assert_int_eq(client_of(copies[_i].chip, options, arguments, NULL), 0);
    snprintf(options, sizeof options, "grep -c ' copy channel 0 class %s' %s/log && rm %s/log",
             copies[_i].copy, folder, folder);
    ck_assert_int_eq(shell(options, "1"), 0);
}
END_TEST

/* The build folder from any other. */
static const char *absolute_build_folder(void)
{
    static char path[4096];
    return realpath(build_folder(), path) ? path : ".";
}

/* A capture recorded while a program runs gives the file that it wrote; the copy, when it wrote none. */
START_TEST(records_what_it_replays)
{
    static const char *const files[][2] = {{"a.raw", "a.raw"}, {"/dev/null", "copy-001"}};
    char line[4096 + 512];
    for (unsigned i = 0; i < 2; i++) {
        snprintf(line, sizeof line,
                 "B='%s' && cd %s && $B/etalon capture --chip %s --threads 1 -o cap -- $B/drm-client copied "
                 "%s %s 2>&1 && "
                 "$B/etalon render cap --outputs out 2>&1 && test $(ls out) = %s && cmp a.raw out/* && rm -r "
                 "cap out",
                 absolute_build_folder(), folder, copies[_i].chip, copies[_i].copy, files[i][0], files[i][1]);
        ck_assert_int_eq(shell(line, "capture of 1 submits written to cap"), 0);
    }
    snprintf(line, sizeof line, "rm %s/a.raw", folder);
    ck_assert_int_eq(shell(line, NULL), 0);
}
END_TEST

static const struct {
    const char *line, *said;
    int status;
} usages[] = {
    {"run", "a program is needed", 2},
    {"run --driver radeon -- true", "--driver takes nvc0 or zink", 2},
    {"run --threads 0 -- true", "--threads takes", 2},
    {"run --ram 1 -- true", "--ram takes", 2},
    {"run --clock sun -- true", "--clock takes host or fixed", 2},
    {"run --log /no/such/folder/log -- true", "/no/such/folder/log", 2},
    {"run --frobnicate -- true", "unexpected '--frobnicate'", 2},
    {"capture -- true", "-o DIR is needed", 2},
    {"run --chip gm20b -- true", "GM20B", 0},
    {"run --help", "usage: etalon run", 0},
    {"capture --help", "usage: etalon capture", 0},
};
#define USAGES (int)(sizeof usages / sizeof *usages)

START_TEST(takes_its_options)
{
    char line[512];
    snprintf(line, sizeof line, "%s/etalon %s 2>&1", build_folder(), usages[_i].line);
    ck_assert_int_eq(shell(line, usages[_i].said), usages[_i].status);
}
END_TEST

/* The chip that NOUVEAU_CHIPSET names, unless an option does; drivers are chosen by the environment of the
 * program. */
START_TEST(honours_the_environment)
{
    char line[512];
    snprintf(line, sizeof line, "NOUVEAU_CHIPSET=124 %s/etalon run -- %s/drm-client identity 124 2>&1",
             build_folder(), build_folder());
    ck_assert_int_eq(shell(line, "GM204"), 0);
    snprintf(line, sizeof line,
             "NOUVEAU_CHIPSET=124 %s/etalon run --chip ga102 -- %s/drm-client identity 172 2>&1",
             build_folder(), build_folder());
    ck_assert_int_eq(shell(line, "GA102"), 0);
    snprintf(line, sizeof line,
             "%s/etalon run --chip gm204 -- sh -c 'echo $GALLIUM_DRIVER $LIBGL_KOPPER_DRI2' 2>&1",
             build_folder());
    ck_assert_int_eq(shell(line, "nouveau 1"), 0);
    snprintf(line, sizeof line,
             "%s/etalon run --chip gm204 --driver zink -- sh -c 'echo $GALLIUM_DRIVER' 2>&1", build_folder());
    ck_assert_int_eq(shell(line, "zink"), 0);
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
    tcase_add_loop_test(node, tells_what_it_executed, 0, 3);
    tcase_add_loop_test(node, records_what_it_replays, 0, 3);
    tcase_add_loop_test(node, takes_its_options, 0, USAGES);
    tcase_add_test(node, honours_the_environment);
    tcase_add_test(node, ends_with_its_program);
    tcase_add_test(node, starts_and_stops);
    suite_add_tcase(suite, node);
    return suite_run(suite);
}
