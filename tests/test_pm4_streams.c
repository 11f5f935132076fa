/* Stream cases, real driver streams and builder vectors of conformance/pm4, through the tool's own check. */
#include "support/pm4_world.h"
#include "support/suite.h"

#include "base/alloc.h"
#include "tool/tool.h"

#include <dirent.h>
#include <stdio.h>

static void check_path(const char *path, unsigned *cases)
{
    struct et_pm4_verdict verdict = {0};
    size_t size;
    char *text = et_pm4_read_file(path, &size, &verdict);
    unsigned count = 0;
    ck_assert_msg(text != NULL, "%s: %s", path, verdict.text);
    et_pm4_check(text, &count, &verdict);
    et_free(text);
    ck_assert_msg(verdict.code == ET_PM4_EQUAL, "%s: %s", path, verdict.text);
    *cases += count;
}

static unsigned check_folder(const char *folder, const char *suffix)
{
    char path[1024];
    unsigned cases = 0;
    snprintf(path, sizeof path, "%s/conformance/pm4/%s", suite_srcdir(), folder);
    DIR *dir = opendir(path);
    ck_assert_msg(dir != NULL, "%s", path);
    for (const struct dirent *entry = readdir(dir); entry; entry = readdir(dir)) {
        const size_t length = strlen(entry->d_name), n = strlen(suffix);
        if (length <= n || strcmp(entry->d_name + length - n, suffix) != 0)
            continue;
        snprintf(path, sizeof path, "%s/conformance/pm4/%s/%s", suite_srcdir(), folder, entry->d_name);
        check_path(path, &cases);
    }
    closedir(dir);
    return cases;
}

START_TEST(stream_cases)
{
    ck_assert_uint_eq(check_folder("streams", ".json"), 71);
}
END_TEST

/* P: every packet and register of 90 driver streams decodes to the last dword, and they run as derived. */
START_TEST(real_streams)
{
    ck_assert_uint_eq(check_folder("real", ".json.zst"), 90);
}
END_TEST

START_TEST(builder_vectors)
{
    char path[1024];
    unsigned cases = 0;
    snprintf(path, sizeof path, "%s/conformance/pm4/builder-vectors.json.zst", suite_srcdir());
    check_path(path, &cases);
    ck_assert_uint_eq(cases, 244);
}
END_TEST

/* A check that cannot fail is none: one change in each kind of expectation must be found. */
static void finds(const char *text, int code, const char *word)
{
    struct et_pm4_verdict verdict;
    unsigned cases;
    et_pm4_check(text, &cases, &verdict);
    ck_assert_msg(verdict.code == code && strstr(verdict.text, word) != NULL, "%d: %s", verdict.code,
                  verdict.text);
}

#define CASE(commands, expect)                                                                               \
    "{\"name\":\"x\",\"queue\":0,\"commands\":[" commands                                                    \
    "],\"memory\":[{\"address\":\"0x100005000\",\"words\":[\"00000000\","                                    \
    "\"00000007\"]}],\"expect\":{" expect "},\"basis\":\"definition\"}"
#define DRAW3 "\"c0012d00\",\"00000003\",\"00000002\""
#define WAIT1 "\"c0053c00\",\"00000013\",\"00005000\",\"00000001\",\"00000001\",\"ffffffff\",\"0000000a\""
#define REG   "\"c0016900\",\"0000008e\",\"0000000f\""
#define FLIP  "\"c004105c\",\"00000001\",\"00000002\",\"00000001\",\"00009abc\",\"00001234\""

START_TEST(differences_are_found)
{
    finds(CASE(DRAW3, "\"status\":\"complete\",\"draws\":[{\"kind\":\"auto\",\"count\":3}]"), 0, "");
    finds(CASE(DRAW3, "\"status\":\"blocked\""), 1, "status");
    finds(CASE(DRAW3, "\"draws\":[{\"kind\":\"auto\",\"count\":4}]"), 1, "count");
    finds(CASE(DRAW3, "\"draws\":[{\"kind\":\"indexed\",\"count\":3}]"), 1, "kind");
    finds(CASE(DRAW3, "\"draws\":[]"), 1, "draws");
    finds(CASE(DRAW3, "\"draws\":[{\"count\":3},{\"count\":3}]"), 1, "draws");
    finds(CASE(DRAW3, "\"draws\":[{\"colour\":3}]"), 1, "colour");
    finds(CASE(DRAW3, "\"dispatches\":[[1,1,1,1]]"), 1, "dispatches");
    finds(CASE(WAIT1, "\"blocked_at\":{\"queue\":0,\"stream\":\"draw\",\"depth\":1,\"offset_dw\":0}"), 0, "");
    finds(CASE(WAIT1, "\"blocked_at\":{\"queue\":0,\"stream\":\"draw\",\"depth\":1,\"offset_dw\":1}"), 1,
          "blocked_at");
    finds(CASE(WAIT1, "\"blocked_at\":{\"queue\":0,\"stream\":\"constant\"}"), 1, "blocked_at");
    finds(CASE(WAIT1, "\"blocked_at\":{\"queue\":3}"), 1, "blocked_at");
    finds(CASE(REG, "\"registers\":{\"context\":{\"0x08e\":\"0000000f\"}}"), 0, "");
    finds(CASE(REG, "\"registers\":{\"context\":{\"0x08e\":\"0000000e\"}}"), 1, "0x08e");
    finds(CASE(REG, "\"registers\":{\"context\":{}}"), 1, "0x08e");
    finds(CASE(REG, "\"registers\":{\"context\":{\"0x08e\":\"0000000f\",\"0x08f\":\"00000001\"}}"), 1,
          "0x08f");
    finds(CASE(REG, "\"registers_default\":{\"context\":[\"0x08e\"]}"), 1, "0x08e");
    finds(CASE(REG, "\"memory\":[{\"address\":\"0x100005004\",\"words\":[\"00000007\"]}]"), 0, "");
    finds(CASE(REG, "\"memory\":[{\"address\":\"0x100005004\",\"words\":[\"00000008\"]}]"), 1, "memory");
    finds(CASE(REG, "\"memory\":[{\"address\":\"0x100005008\",\"words\":[\"00000000\"]}]"), 1, "unmapped");
    finds(CASE("\"c0000000\",\"0\"", "\"error\":\"UnknownSubOp\""), 1, "UnknownOpcode");
    finds(CASE("\"c0000000\",\"0\"", "\"error_offset_dw\":1"), 1, "error_offset_dw");
    finds(CASE("\"c0000000\",\"0\"", "\"error_stream\":\"constant\""), 1, "error_stream");
    finds(CASE(FLIP, "\"flips\":[[1,2,1,20014547638972]]"), 0, "");
    finds(CASE(FLIP, "\"flips\":[[1,2,1,20014547638973]]"), 1, "flips");
    finds(CASE(DRAW3, "\"state\":{\"num_instances\":2}"), 1, "num_instances");
    finds(CASE(DRAW3, "\"counters\":{\"ce\":1,\"de\":0}"), 1, "ce");
    finds("[{\"builder\":\"AgcCbNop\",\"args\":[\"0x2\"],\"dwords\":[\"c0001000\",\"00000001\"],\"size_"
          "bytes\":8}]",
          1, "dword 1");
    finds("[{\"builder\":\"AgcCbNop\",\"args\":[\"0x2\"],\"dwords\":[\"c0001000\",\"00000000\"],\"size_"
          "bytes\":12}]",
          1, "size_bytes");
    finds("[{\"builder\":\"AgcNothing\",\"args\":[],\"dwords\":[],\"size_bytes\":0}]", 1, "AgcNothing");
}
END_TEST

START_TEST(malformed_input_is_unusable)
{
    static const char *const texts[] = {
        "",
        "{",
        "5",
        "{}",
        "{\"commands\":5,\"expect\":{}}",
        "{\"commands\":[\"zz\"],\"expect\":{}}",
        "{\"commands\":[\"100000000\"],\"expect\":{}}",
        "{\"commands\":[],\"expect\":5}",
        "{\"commands\":[],\"expect\":{\"nonsense\":1}}",
        "{\"commands\":[],\"memory\":[{\"words\":[]}],\"expect\":{}}",
        "{\"commands\":[],\"memory\":[{\"address\":\"0x2\",\"words\":[\"0\"]}],\"expect\":{}}",
        "{\"commands\":[],\"memory\":[{\"address\":\"0xfffffffffffffffc\",\"words\":[\"0\",\"0\"]}],"
        "\"expect\":{}}",
        "{\"commands\":[],\"expect\":{\"status\":\"complete\"},\"resume\":[{\"patch_commands\":[[1,\"0\"]]}]"
        "}",
        "{\"commands\":[],\"expect\":{\"status\":\"complete\"},\"resume\":[{\"memory\":[{\"address\":\"0x4\","
        "\"words\":[\"0\"]}]}]}",
        "{\"commands\":[],\"expect\":{\"registers\":{\"nowhere\":{}}}}",
        "[{\"builder\":\"AgcCbNop\",\"args\":[\"x\"],\"dwords\":[]}]",
        "[{\"builder\":\"AgcCbNop\",\"args\":[\"1\",\"2\"],\"dwords\":[]}]"};
    for (size_t i = 0; i < ET_COUNT(texts); i++) {
        struct et_pm4_verdict verdict;
        unsigned cases;
        et_pm4_check(texts[i], &cases, &verdict);
        ck_assert_msg(verdict.code == ET_PM4_UNUSABLE, "case %zu: %d %s", i, verdict.code, verdict.text);
    }
}
END_TEST

/* Overlapping and adjacent memory entries join. */
START_TEST(memory_entries_join)
{
    finds("{\"commands\":[\"c0044000\",\"00110202\",\"00005000\",\"00000001\",\"00005008\",\"00000001\"],"
          "\"memory\":["
          "{\"address\":\"0x100005004\",\"words\":[\"00000002\",\"00000003\",\"00000004\"]},"
          "{\"address\":\"0x100005000\",\"words\":[\"00000001\"]},"
          "{\"address\":\"0x100005008\",\"words\":[\"00000009\"]}],"
          "\"expect\":{\"status\":\"complete\",\"memory\":[{\"address\":\"0x100005000\",\"words\":["
          "\"00000001\","
          "\"00000002\",\"00000001\",\"00000002\"]}]}}",
          0, "");
}
END_TEST

START_TEST(tool_exit_codes)
{
    char good[1024], vectors[1024];
    ck_assert(freopen("/dev/null", "w", stdout) != NULL);
    ck_assert(freopen("/dev/null", "w", stderr) != NULL);
    snprintf(good, sizeof good, "%s/conformance/pm4/streams/ce_dump_then_de_waits.json", suite_srcdir());
    snprintf(vectors, sizeof vectors, "%s/conformance/pm4/builder-vectors.json.zst", suite_srcdir());
    const char *check[] = {"pm4", "--check", good, vectors, NULL};
    ck_assert_int_eq(et_tool_pm4(4, (char **)check), ET_TOOL_OK);
    const char *decode[] = {"pm4", good, NULL};
    ck_assert_int_eq(et_tool_pm4(2, (char **)decode), ET_TOOL_OK);
    const char *run[] = {"pm4", "--run", "--registers", "--profile", "console", good, NULL};
    ck_assert_int_eq(et_tool_pm4(6, (char **)run), ET_TOOL_OK);
    const char *missing[] = {"pm4", "--check", "/nonexistent/file", NULL};
    ck_assert_int_eq(et_tool_pm4(3, (char **)missing), ET_TOOL_USAGE);
    const char *nothing[] = {"pm4", NULL};
    ck_assert_int_eq(et_tool_pm4(1, (char **)nothing), ET_TOOL_USAGE);
    const char *option[] = {"pm4", "--profile", "desktop", good, NULL};
    ck_assert_int_eq(et_tool_pm4(4, (char **)option), ET_TOOL_USAGE);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("pm4 streams");
    TCase *streams = tcase_create("streams");
    tcase_set_timeout(streams, 60);
    tcase_add_test(streams, stream_cases);
    tcase_add_test(streams, real_streams);
    tcase_add_test(streams, builder_vectors);
    tcase_add_test(streams, differences_are_found);
    tcase_add_test(streams, malformed_input_is_unusable);
    tcase_add_test(streams, memory_entries_join);
    tcase_add_test(streams, tool_exit_codes);
    suite_add_tcase(suite, streams);
    return suite_run(suite);
}
