/* cut DIR: draws the lists of cut.h and writes cut0.bin .. cut3.bin: lists 0 to 5, 6 to 11, 12 to 15, the
 * skewed planes; cut far DIR: those of far.h, far0.bin and far1.bin: lists 0 to 5, 6 to 11. Build:
 * ../vk/shaders.sh cut.glsl > shaders.h; cc -O1 -ffp-contract=off -I. -I../vk cut.c -lvulkan -lm A list's
 * texels: x and w of the perspective values, gl_FragCoord.z and w; then the noperspective values. */
#include "vkcore.inc"

#include "far.h"
#include "skewed.h"

static const VkVertexInputBindingDescription binding = {0, sizeof(V), VK_VERTEX_INPUT_RATE_VERTEX};
static const VkVertexInputAttributeDescription attributes[4] = {{0, 0, VK_FORMAT_R32G32B32A32_SFLOAT, 0},
                                                                {1, 0, VK_FORMAT_R32G32B32A32_SFLOAT, 16},
                                                                {2, 0, VK_FORMAT_R32_UINT, 32},
                                                                {3, 0, VK_FORMAT_R32G32_SFLOAT, 36}};
static const VkPipelineVertexInputStateCreateInfo input = {
    VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO, 0, 0, 1, &binding, 4, attributes};

static void put(FILE *out, const Out *o)
{
    if (fwrite(o->b.p, o->bytes, (size_t)o->w * o->h, out) != (size_t)o->w * o->h)
        die("write");
}

static void draw_list(bool (*triangle)(unsigned, uint32_t, struct cut_triangle *), unsigned list, bool clamp,
                      unsigned distances, bool negative, const float depths[2])
{
    Img a = img(VK_FORMAT_R32G32B32A32_SFLOAT, CUT_SIZE, CUT_SIZE, U_RT);
    Img b = img(VK_FORMAT_R32G32B32A32_SFLOAT, CUT_SIZE, CUT_SIZE, U_RT);
    Img *m[2] = {&a, &b};
    unsigned none = 0;
    vreset();
    for (uint32_t n = 0; n < CUT_TRIANGLES; n++) {
        struct cut_triangle t;
        if (!triangle(list, n, &t)) {
            none++;
            continue;
        }
        for (int k = 0; k < 3; k++) {
            const struct cut_vertex *v = &t.vertex[k];
            vraw(v->position[0], v->position[1], v->position[2], v->position[3], v->value[0], v->value[1],
                 v->value[2], v->value[3], n);
            memcpy(vl[nv - 1].pad, v->distance, 8);
        }
    }
    Buf vertices = vbuf();
    pass(2, m, 0, CLEAR);
    P p = P_DEF;
    p.vs = distances == 0 ? "cut.vert" : distances == 1 ? "cut1.vert" : "cut2.vert";
    p.fs = "block.frag";
    p.vi = &input;
    p.zclamp = clamp;
    p.negz = negative;
    p.nvp = 1;
    p.vp[0] = (VkViewport){0, 0, CUT_SIZE, CUT_SIZE, depths[0], depths[1]};
    p.scis[0] = (VkRect2D){{0, 0}, {CUT_SIZE, CUT_SIZE}};
    pipe0(&p);
    bindvb(vertices);
    draw(0, nv);
    endpass();
    output(&a, 0);
    output(&b, 0);
    printf("list %u: %u not found\n", list, none);
}

static void draw_skewed(unsigned number)
{
    const uint32_t samples = number < 12 ? 1 : 4, size = samples == 1 ? 256 : 64;
    Img a = imgms(VK_FORMAT_R32G32B32A32_SFLOAT, size, size, samples, U_RT | (samples > 1 ? U_TEX : 0));
    static const float xy[3][2] = {{0, 0}, {1024, 0}, {0, 1024}};
    float value[4][3];
    for (unsigned c = 0; c < 4; c++)
        cut_skewed(number, c, value[c]);
    vreset();
    for (int k = 0; k < 3; k++)
        vraw(xy[k][0] * 2 / size - 1, xy[k][1] * 2 / size - 1, 0, 1, value[0][k], value[1][k], value[2][k],
             value[3][k], 0);
    Buf vertices = vbuf();
    pass1(&a, 0, CLEAR);
    P p = P_DEF;
    p.vs = "cut.vert";
    p.fs = samples == 1 ? "whole.frag" : "samples.frag";
    p.sshade = samples > 1;
    p.vi = &input;
    pipe0(&p);
    bindvb(vertices);
    draw(0, nv);
    endpass();
    if (samples == 1) {
        output(&a, 0);
        return;
    }
    Img o = img(VK_FORMAT_R32G32B32A32_SFLOAT, size * samples, size, U_RT);
    ds_tex(a.v, samp_nearest());
    Ds ds = ds_end();
    pass1(&o, 0, CLEAR);
    P q = P_DEF;
    q.vs = "full.vert";
    q.fs = "msfetch.frag";
    q.novb = 1;
    pipe_ds(&q, ds);
    int n = (int)samples;
    push(ds.pl, &n, 4);
    draw(0, 3);
    endpass();
    output(&o, 0);
}

int main(int argc, char **argv)
{
    const bool far = argc == 3 && !strcmp(argv[1], "far");
    if (argc != 2 && !far)
        return 2;
    want_negz = far;
    init();
    memset(clr, 0, sizeof clr);
    for (int i = 0; i < 2; i++)
        for (int c = 0; c < 4; c++)
            clr[i].color.float32[c] = -12345;
    for (unsigned list = 0; list < (far ? FAR_LISTS : CUT_LISTS); list++) {
        float depths[2] = {0, 1};
        if (far) {
            far_depths(list, depths);
            draw_list(far_triangle, list, far_clamps(list), 0, far_is_negative(list), depths);
        } else {
            draw_list(cut_triangle, list, cut_lists[list].clamp, cut_lists[list].distances, false, depths);
        }
    }
    for (unsigned i = 0; i < CUT_SKEWED && !far; i++)
        draw_skewed(i);
    submit();
    FILE *out = 0;
    for (int i = 0; i < nouts; i++) {
        char name[512];
        const int file = i < 12 ? 0 : far || i < 24 ? 1 : i < 32 ? 2 : 3;
        const bool first = i == 0 || i == 12 || (!far && (i == 24 || i == 32));
        snprintf(name, sizeof name, "%s/%s%d.bin", argv[argc - 1], far ? "far" : "cut", file);
        out = fopen(name, first ? "wb" : "ab");
        if (!out)
            die("cannot write %s", name);
        put(out, &outs[i]);
        fclose(out);
    }
    printf("%s: %d images\n", props.deviceName, nouts);
    return 0;
}
