/* statistics OUT RECORDS FLAT: draws what statistics.h lists, a pipeline-statistics query each, and writes the
 * eleven statistics as words: of STATISTICS_DRAWS sequences, then of STATISTICS_PRIMITIVES primitives;
 * FLAT gets the fragments of STATISTICS_FLAT triangles, a word each.
 * RECORDS gets of each sequence (none for programs INSTANCE and WIDE) the count of vertex invocations, then two words each: the warp's serial
 * number << 8 | lane, and the vertex. Build: sh ../vk/shaders.sh statistics.glsl > shaders.h; cc -O1 -I.
 * -I../vk statistics.c -lvulkan -lm */
#include "vkcore.inc"

#include "statistics.h"

#define WORDS 11
#define ROOM  1024

static VkQueryPool queries;

static VkPipelineVertexInputStateCreateInfo input(int stride, VkVertexInputRate rate, int attributes)
{
    static VkVertexInputBindingDescription binding[4];
    static VkVertexInputAttributeDescription attribute[2] = {
        {0, 0, VK_FORMAT_R32G32B32A32_SFLOAT, 0}, {1, 0, VK_FORMAT_R32G32B32A32_SFLOAT, 16}};
    binding[rate + 2 * (attributes - 1)] = (VkVertexInputBindingDescription){0, stride, rate};
    return (VkPipelineVertexInputStateCreateInfo){
        VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO, 0, 0, 1,
        &binding[rate + 2 * (attributes - 1)], attributes, attribute};
}

static void draw_sequence(uint32_t number, VkDeviceSize at, Buf indices)
{
    const struct statistics_draw d = statistics_draw(number);
    vkCmdBindIndexBuffer(cb, indices.b, at, VK_INDEX_TYPE_UINT16);
    for (uint32_t k = 0; k < d.draws; k++)
        if (d.kind == STATISTICS_ARRAYS)
            vkCmdDraw(cb, d.count, d.instances, k * d.count + d.base, 0);
        else
            vkCmdDrawIndexed(cb, d.count, d.instances, k * d.count, d.base, 0);
}

static void sequences(Ds ds)
{
    static const char *const geometry[] = {"points.geom", "lines.geom", 0, "triangles.geom",
                                           "triangles.geom", 0, "adjacency.geom", 0, "ring.geom"};
    static const char *const vertex[] = {"count.vert", "instance.vert", "count.vert",
                                         "wide.vert",  "count.vert",    "count.vert"};
    static uint16_t all[STATISTICS_DRAWS][STATISTICS_MOST];
    for (uint32_t i = 0; i < STATISTICS_DRAWS; i++)
        statistics_indices(i, all[i]);
    Buf indices = buf(sizeof all, all);
    for (uint32_t i = 0; i < STATISTICS_DRAWS; i++) {
        const struct statistics_draw d = statistics_draw(i);
        const VkPipelineVertexInputStateCreateInfo vi =
            input(16, d.program == STATISTICS_ATTRIBUTE ? VK_VERTEX_INPUT_RATE_INSTANCE : VK_VERTEX_INPUT_RATE_VERTEX, 1);
        P p = P_DEF;
        p.vs = vertex[d.program];
        p.fs = "none.frag";
        p.topo = d.topology;
        p.restart = d.restart != 0;
        p.patch = d.patch;
        p.vi = &vi;
        if (d.program == STATISTICS_GEOMETRY)
            p.gs = geometry[d.topology];
        if (d.program == STATISTICS_TESSELLATION) {
            p.tcs = "pass.tesc";
            p.tes = "pass.tese";
        }
        pipe_ds(&p, ds);
        vkCmdBeginQuery(cb, queries, i, 0);
        draw_sequence(i, i * sizeof all[0], indices);
        vkCmdEndQuery(cb, queries, i);
        if (d.program == STATISTICS_INSTANCE || d.program == STATISTICS_WIDE)
            continue;
        p.vs = "record.vert";
        pipe_ds(&p, ds);
        push(ds.pl, &i, 4);
        draw_sequence(i, i * sizeof all[0], indices);
    }
}

static void primitives(Ds ds)
{
    enum { BOTH = STATISTICS_PRIMITIVES + STATISTICS_FLAT };
    static float vertices[BOTH][3][8];
    const VkPipelineVertexInputStateCreateInfo vi = input(32, VK_VERTEX_INPUT_RATE_VERTEX, 2);
    for (uint32_t i = 0; i < BOTH; i++) {
        const struct statistics_primitive s =
            i < STATISTICS_PRIMITIVES ? statistics_primitive(i) : statistics_flat(i - STATISTICS_PRIMITIVES);
        for (int k = 0; k < 3; k++) {
            memcpy(vertices[i][k], s.position[k], 16);
            memcpy(vertices[i][k] + 4, s.distance[k], 16);
        }
    }
    Buf b = buf(sizeof vertices, vertices);
    bindvb(b);
    for (uint32_t i = 0; i < BOTH; i++) {
        const struct statistics_primitive s =
            i < STATISTICS_PRIMITIVES ? statistics_primitive(i) : statistics_flat(i - STATISTICS_PRIMITIVES);
        P p = P_DEF;
        p.vs = s.distances ? "distances.vert" : "position.vert";
        p.fs = "none.frag";
        p.topo = s.topology;
        p.cull = s.cull;
        p.poly = s.polygon;
        p.zclamp = s.clamp;
        p.ff = s.clockwise;
        p.vi = &vi;
        pipe_ds(&p, ds);
        vkCmdBeginQuery(cb, queries, STATISTICS_DRAWS + i, 0);
        draw(3 * i, s.topology == 3 ? 3 : s.topology == 1 ? 2 : 1);
        vkCmdEndQuery(cb, queries, STATISTICS_DRAWS + i);
    }
}

int main(int argc, char **argv)
{
    enum { FIRST = STATISTICS_DRAWS + STATISTICS_PRIMITIVES, ALL = FIRST + STATISTICS_FLAT };
    static uint64_t answer[ALL][WORDS];
    if (argc < 4)
        return 2;
    init();
    VkQueryPoolCreateInfo qi = {VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO, 0, 0,
                                VK_QUERY_TYPE_PIPELINE_STATISTICS, ALL, 0x7ff};
    CK(vkCreateQueryPool(dev, &qi, 0, &queries));
    vkCmdResetQueryPool(cb, queries, 0, ALL);
    Buf counts = buf(STATISTICS_DRAWS * 8, NULL), records = buf(STATISTICS_DRAWS * ROOM * 8, NULL);
    ds_buf(counts);
    ds_buf(records);
    Ds ds = ds_end();
    vreset();
    seed(1);
    for (int i = 0; i < 512; i++)
        vraw(rndf(-1, 1), rndf(-1, 1), 0, 1, rndf(-1, 1), rndf(-1, 1), 0, 1, 0);
    Buf vertices = vbuf();
    Img target = img(VK_FORMAT_R8G8B8A8_UNORM, 64, 64, U_RT);
    pass1(&target, NULL, CLEAR);
    bindvb(vertices);
    sequences(ds);
    primitives(ds);
    endpass();
    submit();
    CK(vkGetQueryPoolResults(dev, queries, 0, ALL, sizeof answer, answer, sizeof answer[0],
                             VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT));
    FILE *out = fopen(argv[1], "wb"), *raw = fopen(argv[2], "wb"), *flat = fopen(argv[3], "wb");
    for (int i = 0; i < FIRST; i++)
        for (int k = 0; k < WORDS; k++) {
            const uint32_t word = (uint32_t)answer[i][k];
            fwrite(&word, 4, 1, out);
        }
    for (uint32_t i = 0; i < STATISTICS_DRAWS; i++) {
        const uint32_t n = ((uint32_t *)counts.p)[2 * i];
        fwrite(&n, 4, 1, raw);
        fwrite((uint8_t *)records.p + (size_t)i * ROOM * 8, 8, n < ROOM ? n : ROOM, raw);
    }
    for (int i = FIRST; i < ALL; i++) {
        const uint32_t word = (uint32_t)answer[i][7];
        fwrite(&word, 4, 1, flat);
    }
    if (fclose(out) || fclose(raw) || fclose(flat))
        die("cannot write");
    printf("%s: %d queries\n", props.deviceName, ALL);
    return 0;
}
