/* Compute: launch descriptors of every version, releases, dependents, and a program that is run. */
#include "engine/qmd.h"
#include "isa/isa.h"
#include "shader/cache.h"
#include "support/engine_world.h"

#define QMD    (WORLD_VA + 0x10000)
#define REPORT (WORLD_VA + 0x20000)
#define CODE   (WORLD_VA + 0x30000)
#define OUT    (WORLD_VA + 0x40000)
#define BUFFER (WORLD_VA + 0x50000)

static const struct et_qmd_version *version;
static uint32_t words[ET_QMD_WORDS];

static void start(uint32_t klass, unsigned major, unsigned minor)
{
    unsigned count;
    const struct et_qmd_version *all = et_qmd_versions(&count);
    world_start(klass == 0xb1c0 ? "gm204" : "ga102", klass);
    world.environment.shaders = et_shader_cache_create();
    memset(words, 0, sizeof words);
    version = NULL;
    for (unsigned i = 0; i < count; i++)
        if (all[i].major == major && all[i].minor == minor)
            version = &all[i];
    ck_assert_ptr_nonnull(version);
    words[18] = major << 4 | minor;
}

static void stop(void)
{
    et_shader_cache_destroy(world.environment.shaders);
    world_stop();
}

static void put(const char *name, unsigned i, uint64_t value)
{
    ck_assert_msg(et_qmd_set(version, words, name, i, value), "%s", name);
    ck_assert_uint_eq(et_qmd_get(version, words, name, i), value);
}

static enum etalon_status launch(uint64_t va)
{
    memcpy(world_at(va), words, sizeof words);
    world_set(0x2b4, (uint32_t)(va >> 8));
    return world.engine->klass->number == 0xb1c0 ? world_method(0x2bc, 3) : world_method(0x2c0, 3);
}

START_TEST(fields)
{
    start(0xc7c0, 3, 0);
    put("CTA_RASTER_WIDTH", 0, 0x12345);
    put("CONSTANT_BUFFER_ADDR_UPPER", 7, 0x1ffff);
    put("CONSTANT_BUFFER_VALID", 5, 1);
    ck_assert_uint_eq(words[12], 0x12345);
    ck_assert_uint_eq(words[33 + 14] & 0x1ffff, 0x1ffff);
    ck_assert_uint_eq(words[20], 1 << 5);
    ck_assert_uint_eq(et_qmd_get(version, words, "NO_SUCH_FIELD", 0), 0);
    ck_assert(!et_qmd_set(version, words, "CONSTANT_BUFFER_VALID", 8, 1));
    stop();
}
END_TEST

START_TEST(versions)
{
    start(0xb1c0, 1, 7);
    words[18] = 0x42;
    ck_assert_int_eq(launch(QMD), ETALON_UNSUPPORTED);
    ck_assert_ptr_nonnull(strstr(world.error.text, "4.2"));
    ck_assert_uint_eq(world.opened[ET_TRIGGER_DISPATCH], 1);
    world_set(0x2b4, 1); /* unmapped */
    ck_assert_int_eq(world_method(0x2bc, 3), ETALON_UNMAPPED);
    world_set(0x2bc, 1); /* invalidate only */
    stop();
}
END_TEST

/* An empty grid runs no program, and its releases are written. */
START_TEST(releases)
{
    static const struct {
        uint32_t klass;
        unsigned major, minor;
    } cases[] = {{0xb1c0, 0, 6}, {0xb1c0, 1, 7}, {0xc7c0, 2, 3}, {0xc7c0, 2, 4}, {0xc7c0, 3, 0}};
    for (unsigned i = 0; i < ET_COUNT(cases); i++) {
        const bool three = cases[i].major == 3;
        start(cases[i].klass, cases[i].major, cases[i].minor);
        world.clock = 99;
        put(three ? "RELEASE0_ENABLE" : "SEMAPHORE_RELEASE_ENABLE0", 0, 1);
        put("RELEASE0_ADDRESS_LOWER", 0, REPORT);
        put("RELEASE0_STRUCTURE_SIZE", 0, 1);
        put(three ? "RELEASE0_PAYLOAD_LOWER" : "RELEASE0_PAYLOAD", 0, 0x1234);
        put(three ? "RELEASE1_ENABLE" : "SEMAPHORE_RELEASE_ENABLE1", 0, 1);
        put("RELEASE1_ADDRESS_LOWER", 0, REPORT + 16);
        put(three ? "RELEASE1_PAYLOAD_LOWER" : "RELEASE1_PAYLOAD", 0, 0x5678);
        ck_assert_msg(launch(QMD) == ETALON_OK, "%s", world.error.text);
        ck_assert_uint_eq(world_load(REPORT), 0x1234);
        ck_assert_uint_eq(world_load(REPORT + 4), 0);
        ck_assert_uint_eq(world_load(REPORT + 16), 0x5678);
        ck_assert_uint_eq(world_load(REPORT + 24), 99);
        put("RELEASE0_REDUCTION_ENABLE", 0, 1);
        put("RELEASE0_REDUCTION_OP", 0, 0);
        ck_assert_int_eq(launch(QMD), ETALON_OK);
        ck_assert_uint_eq(world_load(REPORT), 0x2468);
        stop();
    }
}
END_TEST

START_TEST(dependents)
{
    start(0xc7c0, 3, 0);
    put("RELEASE0_ENABLE", 0, 1);
    put("RELEASE0_ADDRESS_LOWER", 0, REPORT);
    put("RELEASE0_STRUCTURE_SIZE", 0, 1);
    put("RELEASE0_PAYLOAD_LOWER", 0, 1);
    put("RELEASE0_REDUCTION_ENABLE", 0, 1);
    memcpy(world_at(QMD + 0x100), words, sizeof words);
    put("DEPENDENT_QMD0_ENABLE", 0, 1);
    put("DEPENDENT_QMD0_ACTION", 0, 1);
    put("DEPENDENT_QMD0_POINTER", 0, (QMD + 0x100) >> 8);
    ck_assert_int_eq(launch(QMD), ETALON_OK);
    ck_assert_uint_eq(world_load(REPORT), 2);
    ck_assert_uint_eq(world.opened[ET_TRIGGER_DISPATCH], 2);
    put("DEPENDENT_QMD0_POINTER", 0, QMD >> 8); /* a ring */
    ck_assert_int_eq(launch(QMD), ETALON_BUDGET);
    put("DEPENDENT_QMD0_ACTION", 0, 4);
    ck_assert_int_eq(launch(QMD), ETALON_UNSUPPORTED);
    put("IS_QUEUE", 0, 1);
    ck_assert_int_eq(launch(QMD), ETALON_UNSUPPORTED);
    stop();
}
END_TEST

/* The words of a descriptor as methods; the last one launches it. */
START_TEST(inline_descriptor)
{
    size_t done;
    start(0xc7c0, 3, 0);
    put("RELEASE0_ENABLE", 0, 1);
    put("RELEASE0_ADDRESS_LOWER", 0, REPORT);
    put("RELEASE0_STRUCTURE_SIZE", 0, 1);
    put("RELEASE0_PAYLOAD_LOWER", 0, 55);
    world_set(0x318, 0);
    world_set(0x31c, (uint32_t)(QMD >> 8));
    ck_assert_int_eq(
        et_engine_methods(world.engine, 0x320, ET_RUN_INCREASING, words, ET_QMD_WORDS, &done, &world.error),
        ETALON_OK);
    ck_assert_uint_eq(world_load(REPORT), 55);
    ck_assert_uint_eq(world_load(QMD + 4 * 18), 0x30);
    stop();
}
END_TEST

/* Assembles Ampere code at CODE. */
static void assemble(const char *const *lines, unsigned count)
{
    struct et_isa *isa;
    ck_assert_int_eq(et_isa_open(&et_isa_ampere, &isa, &world.error), ETALON_OK);
    for (unsigned i = 0; i < count; i++) {
        const struct et_isa_labels labels = {0};
        uint64_t word[2] = {0};
        uint32_t control = 0;
        ck_assert_msg(et_isa_assemble(isa, lines[i], 16 * i, &labels, word, &control, &world.error) ==
                          ETALON_OK,
                      "%s: %s", lines[i], world.error.text);
        memcpy(world_at(CODE + 16 * i), word, 16);
    }
    et_isa_close(isa);
}

START_TEST(a_program)
{
    static const char *const lines[] = {"S2R R0, SR_TID.X",
                                        "S2R R1, SR_CTAID.X",
                                        "IMAD R0, R1, 0x20, R0",
                                        "SHF.L.U32 R4, R0, 0x2, RZ",
                                        "MOV R2, c[0x0][0x10]",
                                        "IADD3 R2, R2, R4, RZ",
                                        "MOV R3, RZ",
                                        "IADD3 R0, R0, 0x64, RZ",
                                        "STG.E [R2.64], R0",
                                        "EXIT"};
    start(0xc7c0, 3, 0);
    assemble(lines, ET_COUNT(lines));
    put("PROGRAM_ADDRESS_LOWER", 0, CODE);
    put("CTA_RASTER_WIDTH", 0, 3);
    put("CTA_RASTER_HEIGHT", 0, 1);
    put("CTA_RASTER_DEPTH", 0, 1);
    put("CTA_THREAD_DIMENSION0", 0, 32);
    put("CTA_THREAD_DIMENSION1", 0, 1);
    put("CTA_THREAD_DIMENSION2", 0, 1);
    put("REGISTER_COUNT_V", 0, 16);
    put("CONSTANT_BUFFER_VALID", 0, 1);
    put("CONSTANT_BUFFER_ADDR_LOWER", 0, BUFFER);
    put("CONSTANT_BUFFER_SIZE_SHIFTED4", 0, 4);
    et_store32(world_at(BUFFER + 0x10), (uint32_t)OUT);
    ck_assert_msg(launch(QMD) == ETALON_OK, "%s", world.error.text);
    for (uint32_t i = 0; i < 96; i++)
        ck_assert_uint_eq(world_load(OUT + 4 * i), 100 + i);
    ck_assert_uint_eq(world_load(OUT + 4 * 96), 0);
    put("CTA_THREAD_DIMENSION1", 0, 64);
    ck_assert_int_eq(launch(QMD), ETALON_BAD_VALUE); /* 2,048 threads */
    stop();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("engine-compute");
    TCase *tcase = tcase_create("compute");
    tcase_add_test(tcase, fields);
    tcase_add_test(tcase, versions);
    tcase_add_test(tcase, releases);
    tcase_add_test(tcase, dependents);
    tcase_add_test(tcase, inline_descriptor);
    tcase_add_test(tcase, a_program);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
