/* The shader cache: programs in one extent or across several, what a hit is, and what both sets share. */
#include "support/assembly.h"
#include "support/isas.h"

#include "base/alloc.h"
#include "shader/cache.h"

enum { PAGE = 4096 };

static struct {
    struct et_ram ram;
    struct et_pagemap map;
    struct et_view view;
    struct et_shader_cache *cache;
    struct etalon_error error;
} world;

/* Two extents side by side whose pages lie apart in RAM, the second one of `pages` pages. */
static void open_world(unsigned pages)
{
    memset(&world, 0, sizeof world);
    open_isas();
    ck_assert_int_eq(et_ram_create(&world.ram, 64 * PAGE, ET_RAM_TRACKED, &world.error), ETALON_OK);
    et_pagemap_init(&world.map, &world.ram, 40);
    ck_assert_int_eq(et_pagemap_map(&world.map, ASM_BASE, PAGE, 0, ET_READ | ET_WRITE, 0, &world.error),
                     ETALON_OK);
    if (pages)
        ck_assert_int_eq(et_pagemap_map(&world.map, ASM_BASE + PAGE, pages * PAGE, 32 * PAGE,
                                        ET_READ | ET_WRITE, 0, &world.error),
                         ETALON_OK);
    et_view_init(&world.view, &world.map, 1);
    world.cache = et_shader_cache_create();
    ck_assert_ptr_nonnull(world.cache);
}

static void close_world(void)
{
    et_shader_cache_destroy(world.cache);
    et_pagemap_finish(&world.map);
    et_ram_destroy(&world.ram);
    close_isas();
}

/* Puts assembled text at an address; its bytes. */
static size_t put(enum et_isa_kind kind, uint64_t address, const char *text)
{
    static uint64_t code[2048];
    size_t count = 0, size;
    memset(code, 0, sizeof code);
    asm_append(isas[kind], text, code, ET_COUNT(code), &count);
    size = asm_finish(isas[kind], code, ET_COUNT(code), count);
    ck_assert_int_eq(et_view_write(&world.view, address, code, size, &world.error), ETALON_OK);
    return size;
}

static const struct et_shader *get(enum et_isa_kind kind, uint64_t address)
{
    const struct et_shader *shader = NULL;
    ck_assert_msg(et_shader_cache_get_code(world.cache, &world.view, address, ASM_BASE, kind, &shader,
                                           &world.error) == ETALON_OK,
                  "%s", world.error.text);
    return shader;
}

#define TEN "NOP\nNOP\nNOP\nNOP\nNOP\nNOP\nNOP\nNOP\nNOP\nNOP\n"

/* However much of it lies behind the boundary, even all but its first instruction. */
START_TEST(a_program_across_extents)
{
    const enum et_isa_kind kind = (enum et_isa_kind)_i;
    const uint64_t bundle = kind == ET_ISA_MAXWELL ? 32 : 16;
    for (uint64_t before = bundle; before <= 4 * bundle; before += bundle) {
        open_world(2);
        const uint64_t at = ASM_BASE + PAGE - before;
        const size_t size = put(kind, at, TEN "EXIT\n");
        const struct et_shader *shader = get(kind, at);
        ck_assert_uint_eq(shader->info->instructions, 11);
        ck_assert_uint_le(shader->info->bytes, size);
        ck_assert_uint_gt(shader->info->bytes, size - bundle);
        ck_assert_ptr_eq(get(kind, at), shader);
        /* a change behind the boundary is seen, and its end there too */
        put(kind, at, TEN "NOP\nEXIT\n");
        ck_assert_ptr_ne(get(kind, at), shader);
        ck_assert_uint_eq(get(kind, at)->info->instructions, 12);
        close_world();
    }
}
END_TEST

/* What ends inside one extent is the same program wherever it lies, across a boundary or not. */
START_TEST(equal_bytes_are_one_program)
{
    const enum et_isa_kind kind = (enum et_isa_kind)_i;
    open_world(2);
    put(kind, ASM_BASE, TEN "EXIT\n");
    put(kind, ASM_BASE + PAGE - 64, TEN "EXIT\n");
    put(kind, ASM_BASE + 2 * PAGE, TEN "EXIT\n");
    const struct et_shader *shader = get(kind, ASM_BASE);
    ck_assert_ptr_eq(get(kind, ASM_BASE + PAGE - 64), shader);
    ck_assert_ptr_eq(get(kind, ASM_BASE + 2 * PAGE), shader);
    close_world();
}
END_TEST

/* A jump into the next extent is followed there. */
START_TEST(a_jump_across_extents)
{
    open_world(2);
    put(ET_ISA_AMPERE, ASM_BASE, "BRA 0x1000\n");
    put(ET_ISA_AMPERE, ASM_BASE + PAGE, TEN "EXIT\n");
    ck_assert_uint_eq(get(ET_ISA_AMPERE, ASM_BASE)->info->instructions, 12);
    close_world();
}
END_TEST

/* Where nothing follows, what there is is the program: to run past its end is an error of the run. */
START_TEST(a_program_cut_by_the_mapping)
{
    open_world(0);
    put(ET_ISA_AMPERE, ASM_BASE + PAGE - 160, TEN);
    const struct et_shader *shader = get(ET_ISA_AMPERE, ASM_BASE + PAGE - 160);
    ck_assert_uint_eq(shader->info->instructions, 10);
    ck_assert(shader->info->cut);
    ck_assert_ptr_eq(get(ET_ISA_AMPERE, ASM_BASE + PAGE - 160), shader);
    ck_assert_int_eq(et_shader_cache_get(world.cache, &world.view, ASM_BASE + PAGE - 16, ASM_BASE,
                                         ET_ISA_AMPERE, true, &shader, &world.error),
                     ETALON_UNMAPPED);
    ck_assert_uint_eq(world.error.address, ASM_BASE + PAGE);
    close_world();
}
END_TEST

/* An indirect jump may reach any instruction of what is mapped. */
START_TEST(an_indirect_jump_across_extents)
{
    open_world(1);
    put(ET_ISA_AMPERE, ASM_BASE + PAGE - 32, "BRX R2 0x0\nNOP\n" TEN "EXIT\n");
    ck_assert_uint_eq(get(ET_ISA_AMPERE, ASM_BASE + PAGE - 32)->info->instructions, 2 + PAGE / 16);
    close_world();
}
END_TEST

/* Each refusal of memory is a named error, and the next call succeeds. */
START_TEST(memory_is_refused)
{
    const enum et_isa_kind kind = (enum et_isa_kind)_i;
    enum etalon_status status = ETALON_NO_MEMORY;
    size_t refused = 0;
    open_world(2);
    put(kind, ASM_BASE + PAGE - 64, TEN "EXIT\n");
    while (status == ETALON_NO_MEMORY) {
        const struct et_shader *shader = NULL;
        struct etalon_error error = {0};
        et_shader_cache_destroy(world.cache);
        world.cache = et_shader_cache_create();
        ck_assert_ptr_nonnull(world.cache);
        et_alloc_fail_after(refused + 1);
        status = et_shader_cache_get_code(world.cache, &world.view, ASM_BASE + PAGE - 64, ASM_BASE, kind,
                                          &shader, &error);
        et_alloc_fail_after(0);
        ck_assert_int_eq(error.status, status);
        refused += status == ETALON_NO_MEMORY;
        ck_assert_uint_eq(get(kind, ASM_BASE + PAGE - 64)->info->instructions, 11);
    }
    ck_assert_int_eq(status, ETALON_OK);
    ck_assert_uint_gt(refused, 20);
    close_world();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("shader");
    TCase *tcase = tcase_create("cache");
    tcase_add_loop_test(tcase, a_program_across_extents, 0, ET_ISA_COUNT);
    tcase_add_loop_test(tcase, equal_bytes_are_one_program, 0, ET_ISA_COUNT);
    tcase_add_test(tcase, a_jump_across_extents);
    tcase_add_test(tcase, a_program_cut_by_the_mapping);
    tcase_add_test(tcase, an_indirect_jump_across_extents);
    tcase_add_loop_test(tcase, memory_is_refused, 0, ET_ISA_COUNT);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
