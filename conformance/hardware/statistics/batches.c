/* batches OUT: draws BATCHES_PATCHES equal patches of 1 to 32 vertices by control programs of
 * batches_threads[] invocations (batches.h) and writes the vertex invocations that a statistics query counts,
 * a word a draw. Build: sh
 * ../vk/shaders.sh statistics.glsl > shaders.h; cc -O1 -I. -I../vk batches.c -lvulkan -lm */
#include "vkcore.inc"

#include "batches.h"

/* pass.tesc with another count of invocations. */
static VkShaderModule with_threads(uint32_t threads)
{
    VkShaderModule made = 0;
    for (int i = 0; i < N_ELEM(spvs) && !made; i++) {
        uint32_t *words = malloc(spvs[i].bytes);
        memcpy(words, spvs[i].words, spvs[i].bytes);
        for (uint32_t at = 5; at < spvs[i].bytes / 4; at += words[at] >> 16)
            if ((words[at] & 0xffff) == 16 && words[at + 2] == 26) /* OpExecutionMode OutputVertices */
                words[at + 3] = threads;
        VkShaderModuleCreateInfo ci = {VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, 0, 0, spvs[i].bytes,
                                       words};
        if (!strcmp(spvs[i].name, "pass.tesc"))
            CK(vkCreateShaderModule(dev, &ci, 0, &made));
        free(words);
    }
    return made;
}

int main(int argc, char **argv)
{
    static uint64_t answer[BATCHES_DRAWS];
    static uint16_t index[33][32 * BATCHES_PATCHES];
    const VkVertexInputBindingDescription binding = {0, sizeof(V), VK_VERTEX_INPUT_RATE_VERTEX};
    const VkVertexInputAttributeDescription position = {0, 0, VK_FORMAT_R32G32B32A32_SFLOAT, 0};
    const VkPipelineVertexInputStateCreateInfo vi = {
        VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO, 0, 0, 1, &binding, 1, &position};
    VkQueryPool queries;
    uint32_t draws = 0;
    FILE *out;
    if (argc != 2)
        return 2;
    init();
    VkQueryPoolCreateInfo qi = {VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                0,
                                0,
                                VK_QUERY_TYPE_PIPELINE_STATISTICS,
                                BATCHES_DRAWS,
                                VK_QUERY_PIPELINE_STATISTIC_VERTEX_SHADER_INVOCATIONS_BIT};
    CK(vkCreateQueryPool(dev, &qi, 0, &queries));
    vkCmdResetQueryPool(cb, queries, 0, BATCHES_DRAWS);
    for (uint32_t size = 1; size <= 32; size++)
        for (uint32_t i = 0; i < size * BATCHES_PATCHES; i++)
            index[size][i] = (uint16_t)(i % size);
    Buf indices = buf(sizeof index, index);
    vreset();
    for (int i = 0; i < 32; i++)
        vraw(0.02f * (float)i, 0.01f * (float)(i * i % 32), 0, 1, 0, 0, 0, 1, 0);
    Buf vertices = vbuf();
    Img target = img(VK_FORMAT_R8G8B8A8_UNORM, 64, 64, U_RT);
    pass1(&target, NULL, CLEAR);
    bindvb(vertices);
    for (uint32_t t = 0; t < sizeof batches_threads; t++) {
        tesc_module = with_threads(batches_threads[t]);
        for (uint32_t size = 1; size <= 32; size++) {
            P p = P_DEF;
            p.vs = "count.vert";
            p.tcs = "pass.tesc";
            p.tes = "pass.tese";
            p.fs = "none.frag";
            p.topo = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST;
            p.patch = size;
            p.vi = &vi;
            pipe0(&p);
            vkCmdBindIndexBuffer(cb, indices.b, size * sizeof index[0], VK_INDEX_TYPE_UINT16);
            vkCmdBeginQuery(cb, queries, draws, 0);
            vkCmdDrawIndexed(cb, size * BATCHES_PATCHES, 1, 0, 0, 0);
            vkCmdEndQuery(cb, queries, draws++);
        }
    }
    endpass();
    submit();
    CK(vkGetQueryPoolResults(dev, queries, 0, BATCHES_DRAWS, sizeof answer, answer, sizeof answer[0],
                             VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT));
    out = fopen(argv[1], "wb");
    for (uint32_t i = 0; out && i < BATCHES_DRAWS; i++) {
        const uint32_t word = (uint32_t)answer[i];
        fwrite(&word, 4, 1, out);
    }
    if (!out || fclose(out))
        die("cannot write %s", argv[1]);
    printf("%s: %u queries\n", props.deviceName, draws);
    return 0;
}
