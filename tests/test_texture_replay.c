/* Replays what an H200 answered for textures, samplers, coordinates and gradients through the texture unit.
 *
 * Data: the pack conformance/silicon/texture/replay.bin.zst, or, with ETALON_TEXTURE_DATA=FOLDER, the
 * experiments' own files in full. `--pack FOLDER OUT` writes a pack from such a folder. */
#include "support/texture_scene.h"
#include "support/texture_world.h"

#include <stdio.h>

static void bilinear(void)
{
    static const char *const formats[] = {"rgba8", "r8", "r16", "srgb", "rgba16f", "rgba32f"};
    for (size_t i = 0; i < ET_COUNT(formats); i++) {
        char scene[40];
        snprintf(scene, sizeof scene, "tex_linear_%s", formats[i]);
        if (!scene_load(scene))
            continue;
        scene_replay(&(struct job){scene, "", .coords = 1, .filter = 1, .wrap = ET_WRAP_EDGE, .rows = 16});
        scene_replay(&(struct job){scene, "repeat", .coords = 1, .filter = 1, .rows = 16});
    }
    if (scene_load("p_bilin"))
        for (unsigned i = 1; i < scene_record_count; i++) {
            char tag[60];
            snprintf(tag, sizeof tag, "%u_%.30s", i - 1, scene_records[i].format);
            scene_replay(&(struct job){"p_bilin", tag, .texture = i, .filter = 1, .rows = 24});
            if (i <= 4) {
                snprintf(tag, sizeof tag, "%u_n", i - 1);
                scene_replay(&(struct job){"p_bilin", tag, .texture = i, .rows = 4});
            }
        }
    if (scene_load("p_srgbpair"))
        for (unsigned i = 0; i < 4; i++) {
            static const char *const tags[] = {"w255", "w128", "w200", "w0"};
            scene_replay(&(struct job){"p_srgbpair", tags[i], .coords = 1 + i, .filter = 1,
                                       .wrap = ET_WRAP_EDGE, .rows = 2});
        }
}

START_TEST(filters)
{
    bilinear();
}
END_TEST

START_TEST(weights)
{
    static const char *const flat[] = {"u8", "f32", "f16"};
    unsigned at = 1;
    char tag[40];
    if (!scene_load("p_weights"))
        return;
    for (unsigned k = 0; k < 3; k++)
        for (unsigned l = 0; l < 2; l++, at += 2) {
            snprintf(tag, sizeof tag, "d2_%s_l%u", flat[k], l);
            scene_replay(&(struct job){"p_weights", tag, .texture = at, .levels = 2, .filter = 1,
                                       .mip = ET_MIP_LINEAR, .wrap = ET_WRAP_EDGE, .rows = 4});
        }
    const unsigned line = at++;
    for (unsigned l = 0; l < 2; l++, at += 2) {
        snprintf(tag, sizeof tag, "d1_l%u", l);
        scene_replay(&(struct job){"p_weights", tag, .coords = line, .texture = at, .levels = 2, .filter = 1,
                                   .mip = ET_MIP_LINEAR, .wrap = ET_WRAP_EDGE, .rows = 4});
    }
    const unsigned volume = at++;
    for (unsigned k = 0; k < 2; k++)
        for (unsigned l = 0; l < 2; l++)
            for (unsigned z = 0; z < 2; z++, at += 2) {
                snprintf(tag, sizeof tag, "d3_%s_l%u_z%u", flat[k], l, z);
                scene_replay(&(struct job){"p_weights", tag, .coords = volume, .texture = at, .levels = 2,
                                           .filter = 1, .mip = ET_MIP_LINEAR, .wrap = ET_WRAP_EDGE,
                                           .rows = 4});
            }
}
END_TEST

START_TEST(mips)
{
    static const char *const tags[] = {"nn", "ln", "nl", "ll"};
    static const float clamps[5][3] = {
        {0.3f, 0, 0}, {-1.7f, 0, 0}, {0, 0.7f, 2.6f}, {0.123f, 1.3f, 1.9f}, {0, 0, 0.25f}};
    char tag[60];
    if (scene_load("tex_mip")) {
        for (unsigned i = 0; i < 4; i++)
            scene_replay(&(struct job){"tex_mip", tags[i], .texture = 7, .levels = 6, .filter = i & 1,
                                       .mip = i & 2 ? ET_MIP_LINEAR : ET_MIP_POINT, .rows = 8});
        scene_replay(&(struct job){"tex_mip", "", .texture = 1, .levels = 6, .filter = 1,
                                   .mip = ET_MIP_LINEAR, .rows = 8});
        scene_replay(&(struct job){"tex_mip", "level_ln", .texture = 1, .levels = 6, .filter = 1,
                                   .mip = ET_MIP_POINT, .rows = 8});
        scene_replay(
            &(struct job){"tex_mip", "level_nl", .texture = 1, .levels = 6, .mip = ET_MIP_LINEAR, .rows = 8});
        for (unsigned i = 0; i < 5; i++) {
            snprintf(tag, sizeof tag, "clamp%u", i);
            scene_replay(&(struct job){"tex_mip", tag, .texture = 1, .levels = 6, .filter = 1,
                                       .mip = ET_MIP_LINEAR, .bias = clamps[i][0], .least = clamps[i][1],
                                       .most = clamps[i][2], .rows = 8});
        }
    }
    if (scene_load("p_trilin")) {
        for (unsigned i = 0; i < 9; i++) {
            snprintf(tag, sizeof tag, "%u_%.30s", i, scene_records[2 + 5 * i].format);
            scene_replay(&(struct job){"p_trilin", tag, .texture = 2 + 5 * i, .levels = 3, .filter = 1,
                                       .mip = ET_MIP_LINEAR, .rows = 8});
            snprintf(tag, sizeof tag, "%u_%.30s_3d", i, scene_records[2 + 5 * i].format);
            scene_replay(&(struct job){"p_trilin", tag, .coords = 1, .texture = 5 + 5 * i, .levels = 2,
                                       .filter = 1, .mip = ET_MIP_LINEAR, .rows = 8});
        }
        scene_replay(&(struct job){"p_trilin", "shadow", ASKS_SHADOW,
                                   .coords = (unsigned)scene_record_count - 1, .texture = 47, .levels = 3,
                                   .filter = 1, .mip = ET_MIP_LINEAR, .function = 4, .rows = 8});
    }
    if (scene_load("tex_3d_array")) {
        scene_replay(&(struct job){"tex_3d_array", "", .texture = 1, .levels = 2, .filter = 1,
                                   .mip = ET_MIP_LINEAR, .rows = 16});
        scene_replay(&(struct job){"tex_3d_array", "nearest", .texture = 1, .levels = 2, .mip = ET_MIP_POINT,
                                   .wrap = ET_WRAP_EDGE, .rows = 16});
        scene_replay(&(struct job){"tex_3d_array", "array", ASKS_ARRAY, .coords = 8, .texture = 3,
                                   .layers = 5, .filter = 1, .rows = 64});
    }
}
END_TEST

START_TEST(coordinates)
{
    static const unsigned wraps[] = {ET_WRAP_REPEAT, ET_WRAP_MIRROR, ET_WRAP_EDGE, ET_WRAP_MIRROR_ONCE_EDGE};
    static const char *const wrap_names[] = {"rep", "mir", "cla", "mce"};
    char tag[40];
    if (scene_load("tex_nearest")) {
        scene_replay(&(struct job){"tex_nearest", "", .texture = 1});
        scene_replay(&(struct job){"tex_nearest", "clamp", .texture = 1, .wrap = ET_WRAP_EDGE});
    }
    if (scene_load("p_coord"))
        for (unsigned i = 0; i + 1 < scene_record_count; i += 2)
            for (unsigned l = 0; l < 2; l++) {
                snprintf(tag, sizeof tag, "w%u_%c", scene_records[i + 1].width, l ? 'l' : 'n');
                scene_replay(&(struct job){"p_coord", tag, .coords = i, .texture = i + 1, .filter = l,
                                           .wrap = ET_WRAP_EDGE,
                                           .rows = scene_records[i + 1].width > 4000 ? 2 : 8});
            }
    if (scene_load("p_coordl"))
        for (unsigned i = 0; i + 1 < scene_record_count; i += 2)
            for (unsigned m = 0; m < 4; m++)
                for (unsigned l = 0; l < 2; l++) {
                    snprintf(tag, sizeof tag, "w%u_%s_%c", scene_records[i + 1].width, wrap_names[m],
                             l ? 'l' : 'n');
                    scene_replay(&(struct job){"p_coordl", tag, .coords = i, .texture = i + 1, .filter = l,
                                               .wrap = wraps[m], .rows = 8});
                }
}
END_TEST

START_TEST(wraps_borders_and_views)
{
    static const struct {
        const char *tag;
        unsigned wrap, border;
    } wraps[] = {{"", ET_WRAP_REPEAT, 0},          {"mirror", ET_WRAP_MIRROR, 0},
                 {"clamp", ET_WRAP_EDGE, 0},       {"mirrorclamp", ET_WRAP_MIRROR_ONCE_EDGE, 0},
                 {"border_tb", ET_WRAP_BORDER, 0}, {"border_ob", ET_WRAP_BORDER, 1},
                 {"border_ow", ET_WRAP_BORDER, 2}};
    static const uint8_t swizzle0[4] = {4, 0, 7, 2}, swizzle1[4] = {5, 5, 3, 7};
    for (unsigned l = 0; l < 2; l++)
        if (scene_load(l ? "tex_wrap_linear" : "tex_wrap_nearest"))
            for (size_t i = 0; i < ET_COUNT(wraps); i++)
                scene_replay(&(struct job){l ? "tex_wrap_linear" : "tex_wrap_nearest", wraps[i].tag,
                                           .texture = 1, .filter = l, .wrap = wraps[i].wrap,
                                           .border = wraps[i].border, .rows = 32});
    if (!scene_load("tex_misc"))
        return;
    scene_replay(&(struct job){"tex_misc", "", ASKS_OFFSET, .coords = 1, .filter = 1, .rows = 32});
    scene_replay(&(struct job){"tex_misc", "mirror_nearest", ASKS_OFFSET, .coords = 1, .wrap = ET_WRAP_MIRROR,
                               .rows = 32});
    scene_replay(&(struct job){"tex_misc", "swizzle0", .coords = 1, .wrap = ET_WRAP_BORDER, .border = 1,
                               .sources = swizzle0, .rows = 32});
    scene_replay(&(struct job){"tex_misc", "swizzle1", .coords = 1, .filter = 1, .wrap = ET_WRAP_BORDER,
                               .border = 1, .sources = swizzle1, .rows = 32});
    scene_replay(&(struct job){"tex_misc", "unnorm_n", .coords = 2, .wrap = ET_WRAP_EDGE,
                               .unnormalized = true, .rows = 32});
    scene_replay(&(struct job){"tex_misc", "unnorm_l", .coords = 2, .filter = 1, .wrap = ET_WRAP_EDGE,
                               .unnormalized = true, .rows = 32});
}
END_TEST

START_TEST(gathers_and_comparisons)
{
    static const char *const tags[] = {"", "g", "b_offset", "a"}, *const widths[] = {"w8", "w7", "w100"};
    char tag[40];
    if (scene_load("tex_gather"))
        for (unsigned c = 0; c < 4; c++)
            scene_replay(&(struct job){"tex_gather", tags[c], c == 2 ? ASKS_GATHER_OFFSET : ASKS_GATHER,
                                       .texture = 1, .filter = 1, .component = c, .rows = 32});
    if (scene_load("p_gather"))
        for (unsigned i = 0; i < 3; i++)
            scene_replay(&(struct job){"p_gather", widths[i], ASKS_GATHER, .coords = 2 * i + 1,
                                       .texture = 2 * i, .filter = 1, .wrap = ET_WRAP_EDGE, .rows = 16});
    if (scene_load("tex_shadow_d32"))
        for (unsigned f = 0; f < 8; f++) {
            snprintf(tag, sizeof tag, "op%u", f);
            scene_replay(&(struct job){"tex_shadow_d32", f == 1 ? "" : tag, ASKS_SHADOW, .texture = 1,
                                       .filter = 1, .wrap = ET_WRAP_EDGE, .function = f + 1, .rows = 16});
        }
    if (scene_load("tex_shadow_d32"))
        scene_replay(&(struct job){"tex_shadow_d32", "nearest", ASKS_SHADOW, .texture = 1,
                                   .wrap = ET_WRAP_EDGE, .function = 4, .rows = 16});
}
END_TEST

START_TEST(compressed_blocks)
{
    if (scene_load("tex_bc"))
        for (unsigned i = 0; i < scene_record_count; i++)
            scene_replay(&(struct job){"tex_bc", i ? scene_records[i].format : "", ASKS_FETCH, .texture = i});
}
END_TEST

START_TEST(gradients)
{
    char tag[20];
    if (scene_load("tex_grad")) {
        scene_replay(&(struct job){"tex_grad", "", ASKS_GRADIENT, .texture = 2, .levels = 7, .filter = 1,
                                   .mip = ET_MIP_LINEAR, .table = 1, .rows = 32});
        scene_replay(&(struct job){"tex_grad", "nearestmip", ASKS_GRADIENT, .texture = 2, .levels = 7,
                                   .filter = 1, .mip = ET_MIP_POINT, .table = 1, .rows = 32});
        scene_replay(&(struct job){"tex_grad", "noise", ASKS_GRADIENT, .texture = 9, .levels = 7, .filter = 1,
                                   .mip = ET_MIP_LINEAR, .table = 1, .rows = 32});
    }
    if (scene_load("p_lod")) { /* tables are the scene_records of 256x256, in order */
        unsigned t[10], n = 0;
        for (unsigned i = 0; i < scene_record_count && n < 10; i++)
            if (scene_records[i].width == 256)
                t[n++] = i;
        ck_assert_uint_eq(n, 10);
        const struct job flat = {"p_lod",     "",          ASKS_IMPLICIT,        .coords = t[7],
                                 .levels = 7, .filter = 1, .mip = ET_MIP_LINEAR, .rows = 8};
        struct job job = flat;
        job.tag = "sweep", job.asks = ASKS_GRADIENT, job.coords = t[0], job.table = t[1];
        scene_replay(&job);
        job.tag = "rand", job.table = t[2];
        scene_replay(&job);
        job = flat, job.tag = "impl";
        scene_replay(&job);
        job.tag = "qlod", job.asks = ASKS_QUERY;
        scene_replay(&job);
        job.tag = "qlod_aniso8", job.anisotropy = 4;
        scene_replay(&job);
        job.tag = "impl_aniso8", job.asks = ASKS_IMPLICIT;
        scene_replay(&job);
        job = flat, job.tag = "bias", job.asks = ASKS_BIAS, job.bias = 0.37f, job.least = 0.4f,
        job.most = 4.6f;
        scene_replay(&job);
        job.tag = "qlodbias", job.asks = ASKS_QUERY;
        scene_replay(&job);
        job = flat, job.texture = 7, job.tag = "rand3d", job.asks = ASKS_GRADIENT3, job.coords = t[3],
        job.table = t[4], job.table2 = t[5];
        scene_replay(&job);
        job.tag = "qlod3d", job.asks = ASKS_QUERY, job.coords = t[8];
        scene_replay(&job);
        job = flat, job.texture = 14, job.layers = 6, job.wrap = ET_WRAP_EDGE, job.tag = "randcube",
        job.asks = ASKS_GRADIENT_CUBE, job.coords = t[6], job.table = t[4], job.table2 = t[5];
        scene_replay(&job);
        job.tag = "qlodcube", job.asks = ASKS_QUERY, job.coords = t[9], scene_replay(&job);
    }
    if (scene_load("p_lodnp"))
        scene_replay(&(struct job){"p_lodnp", "", ASKS_GRADIENT, .coords = 6, .table = 7, .levels = 6,
                                   .filter = 1, .mip = ET_MIP_LINEAR, .rows = 16});
    if (scene_load("p_lod3"))
        scene_replay(&(struct job){"p_lod3", "one", ASKS_GRADIENT3, .coords = 7, .table = 8, .table2 = 9,
                                   .levels = 7, .filter = 1, .mip = ET_MIP_LINEAR, .rows = 8});
    if (scene_load("p_lodnp2"))
        for (unsigned i = 1; i < scene_record_count;) {
            unsigned levels = 0;
            while (scene_records[i + levels].width != 128)
                levels++;
            snprintf(tag, sizeof tag, "w%u", scene_records[i].width);
            scene_replay(&(struct job){"p_lodnp2", tag, ASKS_GRADIENT, .texture = i, .levels = levels,
                                       .table = i + levels, .filter = 1, .mip = ET_MIP_LINEAR, .rows = 8});
            i += levels + 1;
        }
}
END_TEST

START_TEST(cubes)
{
    if (scene_load("tex_cube")) {
        scene_replay(&(struct job){"tex_cube", "", ASKS_CUBE, .texture = 1, .levels = 3, .layers = 6,
                                   .filter = 1, .mip = ET_MIP_LINEAR, .wrap = ET_WRAP_EDGE, .rows = 32});
        scene_replay(&(struct job){"tex_cube", "nearest", ASKS_CUBE, .texture = 1, .levels = 3, .layers = 6,
                                   .mip = ET_MIP_POINT, .wrap = ET_WRAP_EDGE, .rows = 32});
    }
    if (scene_load("p_cube")) {
        const struct job job = {
            "p_cube", "", ASKS_CUBE, .coords = 7, .layers = 6, .filter = 1, .wrap = ET_WRAP_EDGE, .rows = 32};
        struct job one = job;
        if (!scene_data.packing && scene_records[1].size) { /* 256x256 faces: only in the whole data */
            one.coords = 0, one.texture = 1, one.tag = "n", one.filter = 0;
            scene_replay(&one);
            one.tag = "l", one.filter = 1;
            scene_replay(&one);
        }
        one = job, one.texture = 8, one.tag = "face_pos";
        scene_replay(&one);
        one.texture = 14, one.tag = "face_neg";
        scene_replay(&one);
        one.texture = 20, one.tag = "noise_u8";
        scene_replay(&one);
        one.texture = 26, one.tag = "noise_f16";
        scene_replay(&one);
    }
}
END_TEST

START_TEST(anisotropy)
{
    char tag[40];
    for (unsigned b = 0; b < 2; b++) {
        const char *scene = b ? "p_antapr" : "p_antap";
        if (!scene_load(scene))
            continue;
        for (unsigned k = 0; k < 8; k++) {
            snprintf(tag, sizeof tag, "%c%u", k < 4 ? 'w' : 'p', k & 3);
            scene_replay(&(struct job){scene, tag, ASKS_GRADIENT, .table = 1, .texture = 10 + k, .filter = 1,
                                       .wrap = ET_WRAP_EDGE, .anisotropy = 7, .most = 1 / 256.f,
                                       .rows = k % 4 ? 2 : 8});
        }
        scene_replay(&(struct job){scene, "lod", ASKS_GRADIENT, .table = 1, .texture = 2, .levels = 8,
                                   .filter = 1, .mip = ET_MIP_LINEAR, .wrap = ET_WRAP_EDGE, .anisotropy = 7,
                                   .rows = 8});
    }
    if (scene_load("p_anaxis")) {
        static const struct {
            const char *tag;
            unsigned texture, anisotropy;
        } axes[] = {{"x2", 12, 1}, {"y2", 13, 1}, {"x4", 12, 2}, {"y4", 13, 2}};
        for (size_t i = 0; i < ET_COUNT(axes); i++)
            scene_replay(&(struct job){"p_anaxis", axes[i].tag, ASKS_GRADIENT, .coords = 10, .table = 11,
                                       .texture = axes[i].texture, .filter = 1, .wrap = ET_WRAP_EDGE,
                                       .anisotropy = axes[i].anisotropy, .most = 1 / 256.f, .rows = 8});
        static const char *const lods[] = {"lod1", "lod4", "lod16"};
        static const uint8_t most[] = {0, 2, 7};
        for (unsigned i = 0; i < 3; i++)
            scene_replay(&(struct job){"p_anaxis", lods[i], ASKS_GRADIENT, .coords = 10, .table = 11,
                                       .texture = 2, .levels = 8, .filter = 1, .mip = ET_MIP_LINEAR,
                                       .wrap = ET_WRAP_EDGE, .anisotropy = most[i], .rows = 8});
    }
    if (scene_load("p_aniso")) {
        static const uint8_t fields[] = {1, 2, 4, 7}, ratios[] = {2, 4, 8, 16};
        for (unsigned i = 0; i < 4; i++) {
            snprintf(tag, sizeof tag, "a%u", ratios[i]);
            scene_replay(&(struct job){"p_aniso", tag, ASKS_GRADIENT, .coords = 1, .table = 2, .filter = 1,
                                       .wrap = ET_WRAP_EDGE, .anisotropy = fields[i], .most = 1 / 256.f,
                                       .rows = 16});
            snprintf(tag, sizeof tag, "lod_a%u", ratios[i]);
            scene_replay(&(struct job){"p_aniso", tag, ASKS_GRADIENT, .coords = 3, .table = 4, .texture = 5,
                                       .levels = 7, .filter = 1, .mip = ET_MIP_LINEAR,
                                       .anisotropy = fields[i], .rows = 16});
        }
        scene_replay(&(struct job){"p_aniso", "pos_a16", ASKS_GRADIENT, .coords = 3, .table = 4, .filter = 1,
                                   .wrap = ET_WRAP_EDGE, .anisotropy = 7, .most = 1 / 256.f, .rows = 16});
        scene_replay(&(struct job){"p_aniso", "noise_a16", ASKS_GRADIENT, .coords = 3, .table = 4,
                                   .texture = 12, .levels = 7, .filter = 1, .mip = ET_MIP_LINEAR,
                                   .anisotropy = 7, .rows = 16});
    }
    if (scene_load("tex_aniso")) {
        static const uint8_t fields[] = {1, 2, 7}, ratios[] = {2, 4, 16};
        for (unsigned i = 0; i < 3; i++) {
            snprintf(tag, sizeof tag, "level%u", ratios[i]);
            scene_replay(&(struct job){"tex_aniso", i ? tag : "", ASKS_GRADIENT, .table = 1, .texture = 2,
                                       .levels = 7, .filter = 1, .mip = ET_MIP_LINEAR,
                                       .anisotropy = fields[i], .rows = 16});
            snprintf(tag, sizeof tag, "noise%u", ratios[i]);
            scene_replay(&(struct job){"tex_aniso", tag, ASKS_GRADIENT, .table = 1, .texture = 9, .levels = 7,
                                       .filter = 1, .mip = ET_MIP_LINEAR, .anisotropy = fields[i],
                                       .rows = 16});
        }
    }
}
END_TEST

START_TEST(stores)
{
    static const char *const formats[] = {"R8G8B8A8_UNORM",
                                          "R8G8B8A8_SNORM",
                                          "R16G16B16A16_UNORM",
                                          "R16G16B16A16_SNORM",
                                          "A2B10G10R10_UNORM_PACK32",
                                          "B10G11R11_UFLOAT_PACK32",
                                          "R16G16B16A16_SFLOAT",
                                          "R16_UNORM",
                                          "R8_UNORM",
                                          "R16_SFLOAT",
                                          "B8G8R8A8_UNORM"};
    if (scene_load("p_store"))
        for (size_t i = 0; i < ET_COUNT(formats); i++)
            scene_replay_store("p_store", formats[i], 64);
    if (scene_load("p_store_ramp"))
        for (size_t i = 0; i < 6; i++)
            scene_replay_store("p_store_ramp", formats[i], 16);
}
END_TEST

/* Last, when all the others have said what they need. */
START_TEST(keep_records)
{
    scene_keep_records();
}
END_TEST

int main(int argc, char **argv)
{
    char pack[400];
    const char *folder = getenv("ETALON_TEXTURE_DATA");
    Suite *suite;
    TCase *tcase;
    int failed;
    if (argc == 4 && !strcmp(argv[1], "--pack"))
        folder = argv[2];
    else if (argc != 1)
        return EXIT_FAILURE;
    snprintf(pack, sizeof pack, "%s/conformance/silicon/texture/replay.bin.zst", suite_srcdir());
    if (!replay_open(&scene_data, folder, pack)) {
        fprintf(stderr, "can't read %s\n", pack);
        return EXIT_FAILURE;
    }
    scene_data.packing = argc == 4;
    suite = suite_create("texture replay");
    tcase = tcase_create("silicon");
    tcase_set_timeout(tcase, 900);
    tcase_add_test(tcase, filters);
    tcase_add_test(tcase, weights);
    tcase_add_test(tcase, mips);
    tcase_add_test(tcase, coordinates);
    tcase_add_test(tcase, wraps_borders_and_views);
    tcase_add_test(tcase, gathers_and_comparisons);
    tcase_add_test(tcase, compressed_blocks);
    tcase_add_test(tcase, gradients);
    tcase_add_test(tcase, cubes);
    tcase_add_test(tcase, anisotropy);
    tcase_add_test(tcase, stores);
    if (scene_data.packing)
        tcase_add_test(tcase, keep_records);
    suite_add_tcase(suite, tcase);
    if (scene_data.packing) {
        SRunner *runner = srunner_create(suite);
        srunner_set_fork_status(runner, CK_NOFORK);
        srunner_run_all(runner, CK_ENV);
        failed = srunner_ntests_failed(runner) > 0;
        srunner_free(runner);
        if (!replay_write(&scene_data, argv[3]))
            failed = 1;
    } else {
        failed = suite_run(suite) != EXIT_SUCCESS;
    }
    replay_close(&scene_data);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
