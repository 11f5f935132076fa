/* The PSP's display-list queue: scenarios at every timing, unit tests, and the table of rules. */
#include "ge_units.h"

#include "base/alloc.h"
#include "base/bits.h"
#include "base/error.h"
#include "capture/tar.h"
#include "fuzz/ge_sequence.h"
#include "support/suite.h"
#include "tool/ge_scenario.h"

#include <cjson/cJSON.h>
#include <dirent.h>
#include <stdio.h>
#include <string.h>

#define SEEDS 30
#define RULES 120

/* ---- All scenarios ---- */

struct scenarios {
    cJSON **items; /* duplicates, owned */
    size_t count, capacity;
};

static enum etalon_status collect(void *context, const cJSON *scenario, struct etalon_error *error)
{
    struct scenarios *scenarios = context;
    (void)error;
    ck_assert(et_grow(&scenarios->items, &scenarios->capacity, scenarios->count + 1, sizeof(cJSON *)));
    scenarios->items[scenarios->count++] = cJSON_Duplicate(scenario, 1);
    return ETALON_OK;
}

static void load(struct scenarios *scenarios, const char *name)
{
    struct etalon_error error = {0};
    char path[1024];
    snprintf(path, sizeof path, "%s/conformance/ge/%s", suite_srcdir(), name);
    ck_assert_msg(et_ge_scenarios(path, collect, scenarios, &error) == ETALON_OK, "%s", error.text);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(et_ge_scenario_name(*(cJSON *const *)a), et_ge_scenario_name(*(cJSON *const *)b));
}

static void load_own(struct scenarios *scenarios)
{
    char path[1024];
    struct dirent *entry;
    DIR *folder;
    snprintf(path, sizeof path, "%s/conformance/ge/own", suite_srcdir());
    folder = opendir(path);
    ck_assert_ptr_nonnull(folder);
    while ((entry = readdir(folder))) {
        char name[512];
        if (!strstr(entry->d_name, ".json"))
            continue;
        snprintf(name, sizeof name, "own/%s", entry->d_name);
        load(scenarios, name);
    }
    closedir(folder);
}

/* Sorted by name, each name once. */
static void load_all(struct scenarios *scenarios)
{
    load(scenarios, "recorded.tar.zst");
    ck_assert_uint_eq(scenarios->count, 79);
    load(scenarios, "derived.tar.zst");
    ck_assert_uint_eq(scenarios->count, 79 + 46);
    load_own(scenarios);
    qsort(scenarios->items, scenarios->count, sizeof *scenarios->items, by_name);
    for (size_t i = 1; i < scenarios->count; i++)
        ck_assert_str_ne(et_ge_scenario_name(scenarios->items[i - 1]),
                         et_ge_scenario_name(scenarios->items[i]));
}

static void forget(struct scenarios *scenarios)
{
    for (size_t i = 0; i < scenarios->count; i++)
        cJSON_Delete(scenarios->items[i]);
    et_free(scenarios->items);
}

/* Eagerly, lazily, then by seeds; number 0 to SEEDS + 1. */
static struct et_ge_play timing(int number)
{
    struct et_ge_play play = {.timing = number == 0 ? ET_GE_EAGER : number == 1 ? ET_GE_LAZY : ET_GE_SEEDED};
    play.seed = number < 2 ? 0 : (uint64_t)number - 2;
    return play;
}

START_TEST(scenarios_hold_at_this_timing)
{
    const struct et_ge_play play = timing(_i);
    struct scenarios scenarios = {0};
    load_all(&scenarios);
    for (size_t i = 0; i < scenarios.count; i++) {
        struct etalon_error error = {0};
        ck_assert_msg(et_ge_play(scenarios.items[i], &play, &error) == ETALON_OK, "%s: %s",
                      et_ge_scenario_name(scenarios.items[i]), error.text);
    }
    forget(&scenarios);
}
END_TEST

/* ---- The harness itself: no expectation may be wrong unnoticed ---- */

static size_t spoiled;

static void must_fail(const cJSON *scenario, const cJSON *leaf)
{
    const struct et_ge_play play = {.timing = ET_GE_EAGER};
    struct etalon_error error = {0};
    const enum etalon_status status = et_ge_play(scenario, &play, &error);
    ck_assert_msg(status == ETALON_BAD_VALUE, "%s passes with '%s' spoiled", et_ge_scenario_name(scenario),
                  leaf->string ? leaf->string : "a word");
    spoiled++;
}

static void spoil_text(const cJSON *scenario, cJSON *leaf)
{
    char *const kept = leaf->valuestring;
    char text[32];
    if (!strcmp(kept, "id"))
        snprintf(text, sizeof text, "0x80000001");
    else if (!strcmp(kept, "waiting") || !strcmp(kept, "ended"))
        snprintf(text, sizeof text, "%s", kept[0] == 'w' ? "ended" : "waiting");
    else if (!strncmp(kept, "0x", 2))
        snprintf(text, sizeof text, "0x%08lx", strtoul(kept, NULL, 16) ^ 0x10);
    else
        snprintf(text, sizeof text, "0x12345678"); /* a label */
    leaf->valuestring = text;
    must_fail(scenario, leaf);
    leaf->valuestring = kept;
}

static void spoil_leaf(const cJSON *scenario, cJSON *leaf)
{
    if (cJSON_IsString(leaf))
        spoil_text(scenario, leaf);
    else if (cJSON_IsNumber(leaf)) {
        leaf->valuedouble++;
        must_fail(scenario, leaf);
        leaf->valuedouble--;
    } else if (cJSON_IsBool(leaf)) {
        leaf->type ^= cJSON_True ^ cJSON_False;
        must_fail(scenario, leaf);
        leaf->type ^= cJSON_True ^ cJSON_False;
    }
}

static void spoil_steps(const cJSON *scenario, cJSON *steps);

static void spoil_event(const cJSON *scenario, cJSON *event)
{
    cJSON *member;
    cJSON_ArrayForEach(member, event)
    {
        if (!strcmp(member->string, "steps"))
            spoil_steps(scenario, member);
        else
            spoil_leaf(scenario, member);
    }
}

static void spoil_steps(const cJSON *scenario, cJSON *steps)
{
    cJSON *step, *item, *entry;
    cJSON_ArrayForEach(step, steps) cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(step, "expect"))
    {
        if (!strcmp(item->string, "events"))
            cJSON_ArrayForEach(entry, item) spoil_event(scenario, entry);
        else if (cJSON_IsArray(item))
            cJSON_ArrayForEach(entry, item) spoil_leaf(scenario, entry);
        else
            spoil_leaf(scenario, item);
    }
}

START_TEST(a_wrong_expectation_is_found)
{
    struct scenarios scenarios = {0};
    load_all(&scenarios);
    for (size_t i = 0; i < scenarios.count; i++)
        spoil_steps(scenarios.items[i], cJSON_GetObjectItemCaseSensitive(scenarios.items[i], "steps"));
    ck_assert_uint_gt(spoiled, 2500);
    forget(&scenarios);
}
END_TEST

START_TEST(a_scenario_that_is_none_is_named)
{
    static const struct {
        const char *text, *part;
    } bad[] = {
        {"{}", "no steps"},
        {"{\"steps\": [{}]}", "step 0 ?: no call ''"},
        {"{\"steps\": [{\"call\": \"dance\"}]}", "no call 'dance'"},
        {"{\"steps\": [{\"call\": \"list_sync\", \"args\": {\"list\": \"L9\", \"mode\": 1}}]}", "'L9'"},
        {"{\"steps\": [{\"call\": \"break\", \"args\": {\"mode\": 5e9}}]}", "32 bits"},
        {"{\"steps\": [{\"call\": \"thread_state\", \"args\": {\"thread\": \"T\"}}]}", "no string"},
        {"{\"steps\": [], \"memory\": [{\"addr\": \"0x20\", \"words\": [1]}]}", "no memory at 0x00000020"},
    };
    const struct et_ge_play play = {.timing = ET_GE_EAGER};
    for (size_t i = 0; i < ET_COUNT(bad); i++) {
        struct etalon_error error = {0};
        cJSON *json = cJSON_Parse(bad[i].text);
        ck_assert_int_eq(et_ge_play(json, &play, &error), ETALON_FORMAT);
        ck_assert_msg(strstr(error.text, bad[i].part) != NULL, "%s", error.text);
        cJSON_Delete(json);
    }
}
END_TEST

/* ---- The table ---- */

struct text {
    char *bytes;
    size_t size, capacity;
};

static void add(struct text *text, const char *part)
{
    const size_t length = strlen(part);
    ck_assert(et_grow(&text->bytes, &text->capacity, text->size + length + 1, 1));
    memcpy(text->bytes + text->size, part, length + 1);
    text->size += length;
}

static bool scenario_cites(const cJSON *scenario, const char *rule)
{
    const cJSON *item;
    cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(
                                 scenario, "rules")) if (cJSON_IsString(item) &&
                                                         !strcmp(item->valuestring, rule)) return true;
    return false;
}

/* The nth of all unit tests, or NULL. */
static const struct ge_unit *unit_number(size_t n)
{
    if (n < ge_unit_count)
        return &ge_units[n];
    n -= ge_unit_count;
    return n < ge_draw_unit_count ? &ge_draw_units[n] : NULL;
}

static bool unit_cites(const struct ge_unit *unit, const char *rule)
{
    const size_t length = strlen(rule);
    for (const char *at = unit->rules; (at = strstr(at, rule)); at += length)
        if (at[length] == 0 || at[length] == ' ')
            return true;
    return false;
}

static bool holds_everywhere(const cJSON *scenario)
{
    for (int number = 0; number < SEEDS + 2; number++) {
        const struct et_ge_play play = timing(number);
        if (et_ge_play(scenario, &play, NULL) != ETALON_OK)
            return false;
    }
    return true;
}

/* A row a rule: the rule, how many scenarios of those that pin it hold, their names, the unit tests. */
static void write_row(struct text *table, const char *rule, const struct scenarios *scenarios,
                      const bool *holds)
{
    struct text names = {0};
    unsigned cited = 0, held = 0, units = 0;
    char cell[64];
    add(&names, "");
    for (size_t i = 0; i < scenarios->count; i++)
        if (scenario_cites(scenarios->items[i], rule)) {
            cited++;
            held += holds[i];
            add(&names, names.size ? " " : "");
            add(&names, et_ge_scenario_name(scenarios->items[i]));
        }
    for (size_t i = 0; unit_number(i); i++)
        if (unit_cites(unit_number(i), rule)) {
            units++;
            add(&names, names.size ? " test:" : "test:");
            add(&names, unit_number(i)->name);
        }
    ck_assert_msg(cited + units > 0, "nothing pins %s", rule);
    snprintf(cell, sizeof cell, "%s\t%s\t%u of %u\t%u\t", rule, held == cited ? "pass" : "fail", held, cited,
             units);
    add(table, cell);
    add(table, names.bytes);
    add(table, "\n");
    et_free(names.bytes);
}

/* Every rule of rules.md has its line there, R1 to R120. */
static void check_rules_text(void)
{
    char path[1024], start[32];
    uint8_t *bytes;
    size_t size;
    ck_assert_int_eq(snprintf(path, sizeof path, "%s/conformance/ge/rules.md", suite_srcdir()) > 0, 1);
    ck_assert_int_eq(et_file_read(path, 1 << 20, &bytes, &size, NULL), ETALON_OK);
    for (int rule = 1; rule <= RULES; rule++) {
        bool found = false;
        const int length = snprintf(start, sizeof start, "\n* **R%d** ", rule);
        for (size_t i = 0; !found && i + (size_t)length <= size; i++)
            found = !memcmp(bytes + i, start, (size_t)length);
        ck_assert_msg(found, "rules.md lacks R%d", rule);
    }
    et_free(bytes);
}

/* The table is written with ETALON_REBASE=1 and otherwise compared: complete, and true. */
START_TEST(the_table_of_rules_is_true)
{
    struct scenarios scenarios = {0};
    struct text table = {0};
    char path[1024];
    bool *holds;
    load_all(&scenarios);
    check_rules_text();
    holds = et_calloc(scenarios.count, sizeof *holds);
    for (size_t i = 0; i < scenarios.count; i++)
        holds[i] = holds_everywhere(scenarios.items[i]);
    add(&table, "rule\tresult\tscenarios that hold\tunit tests\tpinned by\n");
    for (int rule = 1; rule <= RULES; rule++) {
        char name[16];
        snprintf(name, sizeof name, "R%d", rule);
        write_row(&table, name, &scenarios, holds);
    }
    snprintf(path, sizeof path, "%s/conformance/ge/table.tsv", suite_srcdir());
    if (getenv("ETALON_REBASE"))
        ck_assert_int_eq(et_file_write(path, table.bytes, table.size, NULL), ETALON_OK);
    else {
        uint8_t *bytes;
        size_t size;
        ck_assert_int_eq(et_file_read(path, 1 << 20, &bytes, &size, NULL), ETALON_OK);
        ck_assert_msg(size == table.size && !memcmp(bytes, table.bytes, size),
                      "conformance/ge/table.tsv is not what the tests show; ETALON_REBASE=1 writes it");
        et_free(bytes);
    }
    ck_assert_msg(!strstr(table.bytes, "\tfail\t"), "a rule does not hold:\n%s", table.bytes);
    et_free(holds);
    et_free(table.bytes);
    forget(&scenarios);
}
END_TEST

/* ---- Random sequences: fuzz-ge plays more ---- */

START_TEST(random_sequences_keep_the_invariants)
{
    for (uint64_t seed = 0; seed < 480; seed++) {
        char text[256];
        ck_assert_msg(ge_sequence(seed, text, sizeof text), "sequence %u: %s", (unsigned)seed, text);
    }
}
END_TEST

/* ---- Units ---- */

START_TEST(unit)
{
    unit_number((size_t)_i)->run();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("ge");
    TCase *scenarios = tcase_create("scenarios"), *table = tcase_create("table");
    tcase_add_loop_test(scenarios, scenarios_hold_at_this_timing, 0, SEEDS + 2);
    tcase_add_test(scenarios, a_wrong_expectation_is_found);
    tcase_add_test(scenarios, random_sequences_keep_the_invariants);
    tcase_add_test(scenarios, a_scenario_that_is_none_is_named);
    tcase_set_timeout(scenarios, 120);
    tcase_add_test(table, the_table_of_rules_is_true);
    tcase_set_timeout(table, 240);
    suite_add_tcase(suite, scenarios);
    suite_add_tcase(suite, table);
    for (size_t i = 0; unit_number(i); i++) {
        TCase *one = tcase_create(unit_number(i)->name);
        tcase_add_loop_test(one, unit, (int)i, (int)i + 1);
        suite_add_tcase(suite, one);
    }
    return suite_run(suite);
}
