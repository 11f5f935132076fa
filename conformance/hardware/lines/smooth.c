/* smooth DIR: draws the lists of smooth.h and writes DIR/smoothN.bin, N the list's number: the alpha of its
 * pixels (samples side by side), -1 where nothing was drawn, then their values, 0 there. The pixel program
 * gives an alpha of 1. Build: sh ../vk/shaders.sh smooth.glsl > shaders.h; cc -O1 -ffp-contract=off -I.
 * -I../vk smooth.c -lvulkan -lm */
#include "vkcore.inc"

#include "smooth.h"

static PFN_vkCmdSetLineStippleEXT set_stipple;

static void draw_lines(unsigned list)
{
    for (uint32_t n = 0; n < SMOOTH_LINES; n++) {
        const struct smooth_line line = smooth_line(list, n);
        const VkRect2D cell = {{(int)(n & 31) * SMOOTH_CELL, (int)(n >> 5) * SMOOTH_CELL},
                               {SMOOTH_CELL, SMOOTH_CELL}};
        vkCmdSetScissor(cb, 0, 1, &cell);
        vkCmdSetLineWidth(cb, line.width);
        if (smooth_lists[list].stippled)
            set_stipple(cb, line.factor, line.pattern);
        draw(2 * n, 2);
    }
}

static void draw_list(unsigned list)
{
    static const VkDynamicState states[] = {VK_DYNAMIC_STATE_SCISSOR, VK_DYNAMIC_STATE_LINE_WIDTH,
                                            VK_DYNAMIC_STATE_LINE_STIPPLE_EXT};
    const struct smooth_list *l = &smooth_lists[list];
    const VkPipelineDynamicStateCreateInfo dyn = {VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO, 0, 0,
                                                  l->stippled ? 3 : 2, states};
    const VkPipelineRasterizationLineStateCreateInfoEXT mode = {
        VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_LINE_STATE_CREATE_INFO_EXT,
        0,
        VK_LINE_RASTERIZATION_MODE_RECTANGULAR_SMOOTH_EXT,
        l->stippled,
        1,
        0xffff};
    Img m = imgms(VK_FORMAT_R32G32B32A32_SFLOAT, SMOOTH_SIZE, SMOOTH_SIZE, l->samples,
                  U_RT | (l->samples > 1 ? U_TEX : 0));
    P p = P_DEF;
    Buf vertices;
    vreset();
    for (uint32_t n = 0; n < SMOOTH_LINES; n++) {
        const struct smooth_line line = smooth_line(list, n);
        for (int k = 0; k < 2; k++)
            vraw(line.position[k][0] * 2 / SMOOTH_SIZE - 1, line.position[k][1] * 2 / SMOOTH_SIZE - 1, 0.5f,
                 1, line.value[k], 0, 0, 1, n);
    }
    vertices = vbuf();
    pass1(&m, 0, CLEAR);
    p.vs = "value.vert";
    p.fs = "value.frag";
    p.topo = VK_PRIMITIVE_TOPOLOGY_LINE_LIST;
    p.rsn = &mode;
    p.dyn = &dyn;
    pipe0(&p);
    bindvb(vertices);
    draw_lines(list);
    endpass();
    if (l->samples > 1) {
        Img o = img(m.f, m.w * m.samples, m.h, U_RT);
        const int n = (int)m.samples;
        P q = P_DEF;
        Ds ds;
        ds_tex(m.v, samp_nearest());
        ds = ds_end();
        pass1(&o, 0, CLEAR);
        q.vs = "full.vert";
        q.fs = "msfetch.frag";
        q.novb = 1;
        pipe_ds(&q, ds);
        push(ds.pl, &n, 4);
        draw(0, 3);
        endpass();
        output(&o, 0);
    } else
        output(&m, 0);
}

static void write_list(FILE *file, const Out *out)
{
    const float *texel = out->b.p;
    for (size_t i = 0; i < (size_t)out->w * out->h; i++)
        fwrite(texel + 4 * i + 3, 4, 1, file);
    for (size_t i = 0; i < (size_t)out->w * out->h; i++)
        fwrite(texel + 4 * i, 4, 1, file);
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return 2;
    want_lines = 1;
    init();
    set_stipple = (PFN_vkCmdSetLineStippleEXT)vkGetDeviceProcAddr(dev, "vkCmdSetLineStippleEXT");
    memset(clr, 0, sizeof clr);
    clr[0].color.float32[3] = -1;
    for (unsigned i = 0; i < SMOOTH_LISTS; i++)
        draw_list(i);
    submit();
    for (unsigned f = 0; f < SMOOTH_LISTS; f++) {
        char name[512];
        FILE *file;
        snprintf(name, sizeof name, "%s/smooth%u.bin", argv[1], f);
        file = fopen(name, "wb");
        if (!file)
            die("cannot write %s", name);
        write_list(file, &outs[f]);
        if (fclose(file))
            die("write");
    }
    printf("%s: %d pictures\n", props.deviceName, nouts);
    return 0;
}
