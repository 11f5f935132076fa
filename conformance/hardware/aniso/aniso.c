/* aniso OUT: samples the footprints of footprints.h and writes the answers, set after set.
 * Build: ../vk/shaders.sh aniso.glsl > shaders.h; cc -O1 -ffp-contract=off -I. -I../vk aniso.c -lvulkan -lm
 */
#include "vkcore.inc"

#include "footprints.h"

static const VkFormat formats[] = {VK_FORMAT_R8G8B8A8_UNORM,      VK_FORMAT_R8G8B8A8_SRGB,
                                   VK_FORMAT_R8G8B8A8_SNORM,      VK_FORMAT_R16G16B16A16_UNORM,
                                   VK_FORMAT_R16G16B16A16_SFLOAT, VK_FORMAT_R32G32B32A32_SFLOAT,
                                   VK_FORMAT_D32_SFLOAT};

static Img texture(const struct aniso_set *set, uint32_t number)
{
    const uint32_t layers = set->kind == ANISO_CUBE ? 6 : set->kind == ANISO_ARRAY ? 2 : 1;
    const uint32_t depth = set->kind == ANISO_VOLUME ? ANISO_SIZE : 1;
    const int use = U_TEX | (set->kind == ANISO_CUBE     ? U_CUBE | U_ARR
                             : set->kind == ANISO_ARRAY  ? U_ARR
                             : set->kind == ANISO_VOLUME ? U_3D
                                                         : 0);
    Img made = img4(formats[set->format], ANISO_SIZE, ANISO_SIZE, depth, layers, ANISO_LEVELS, 1, use);
    const uint32_t bytes = aniso_bytes(set);
    uint8_t *data = malloc((size_t)ANISO_SIZE * ANISO_SIZE * depth * bytes);
    for (uint32_t level = 0; level < ANISO_LEVELS; level++)
        for (uint32_t layer = 0; layer < layers; layer++) {
            const uint32_t side = ANISO_SIZE >> level, deep = mx1(depth >> level);
            uint8_t *at = data;
            for (uint32_t z = 0; z < deep; z++)
                for (uint32_t y = 0; y < side; y++)
                    for (uint32_t x = 0; x < side; x++, at += bytes)
                        aniso_texel(set, number, level, layer, x, y, z, at);
            upload(&made, data, (VkDeviceSize)(at - data), level, layer);
        }
    free(data);
    return made;
}

static Buf ask(const struct aniso_set *set)
{
    static const char *const shader[] = {"taps.comp", "taps.comp",   "flat.comp",  "array.comp",
                                         "cube.comp", "volume.comp", "shadow.comp"};
    const uint32_t count = aniso_footprints(set);
    Buf requests = buf(count * sizeof(struct aniso_footprint), NULL);
    Buf answers = buf(count * aniso_words(set) * 4, NULL);
    for (uint32_t i = 0; i < count; i++)
        ((struct aniso_footprint *)requests.p)[i] = aniso_footprint(set, i);
    const VkSampler s = sampler_ci((VkSamplerCreateInfo){.magFilter = set->linear,
                                                         .minFilter = set->linear,
                                                         .mipmapMode = set->mip_linear,
                                                         .addressModeU = VK_SAMPLER_ADDRESS_MODE_REPEAT,
                                                         .addressModeV = VK_SAMPLER_ADDRESS_MODE_REPEAT,
                                                         .addressModeW = VK_SAMPLER_ADDRESS_MODE_REPEAT,
                                                         .anisotropyEnable = 1,
                                                         .maxAnisotropy = set->most,
                                                         .compareEnable = set->kind == ANISO_SHADOW,
                                                         .compareOp = VK_COMPARE_OP_LESS,
                                                         .mipLodBias = set->bias,
                                                         .minLod = set->least,
                                                         .maxLod = set->greatest});
    Img texture_of[8];
    for (uint32_t k = 0; k < (set->kind <= ANISO_ROWS ? 8 : 1); k++)
        texture_of[k] = texture(set, k);
    for (uint32_t k = 0; k < (set->kind <= ANISO_ROWS ? 8 : 1); k++)
        ds_tex(texture_of[k].v, s);
    ds_buf(requests);
    ds_buf(answers);
    const Ds ds = ds_end();
    compute(shader[set->kind], ds, NULL, 0, count / 64, 1, 1);
    return answers;
}

int main(int argc, char **argv)
{
    Buf answers[ANISO_SETS];
    if (argc != 2)
        return 2;
    init();
    for (uint32_t i = 0; i < ANISO_SETS; i++)
        answers[i] = ask(&aniso_sets[i]);
    submit();
    FILE *out = fopen(argv[1], "wb");
    for (uint32_t i = 0; i < ANISO_SETS; i++)
        if (!out || fwrite(answers[i].p, answers[i].size, 1, out) != 1)
            die("cannot write %s", argv[1]);
    if (fclose(out))
        die("cannot write %s", argv[1]);
    printf("%s: done\n", props.deviceName);
    return 0;
}
