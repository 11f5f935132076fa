/* samples DIR: draws the lists of samples.h and writes samples0.bin (depth of one and two samples),
 * samples1.bin (of four), samples2.bin (of eight), samples3.bin (bias and lines), samples4.bin (values). A
 * row holds the samples of a pixel side by side; depth is float bits, 0 where nothing was drawn, values are
 * four floats, -12345 there. Build: ../vk/shaders.sh samples.glsl > shaders.h; cc -O1 -ffp-contract=off -I.
 * -I../vk samples.c -lvulkan -lm */
#include "vkcore.inc"

#include "samples.h"

/* A picture's samples side by side. */
static void spread(Img *m, VkFormat format)
{
    Img o = img(format, m->w * m->samples, m->h, U_RT);
    const int n = (int)m->samples;
    P p = P_DEF;
    Ds ds;
    ds_tex(m->v, samp_nearest());
    ds = ds_end();
    pass1(&o, 0, CLEAR);
    p.vs = "full.vert";
    p.fs = "msfetch.frag";
    p.novb = 1;
    pipe_ds(&p, ds);
    push(ds.pl, &n, 4);
    draw(0, 3);
    endpass();
    output(&o, 0);
}

static void draw_list(unsigned number)
{
    const struct samples_draw *d = &samples_draws[number];
    const int use = d->samples > 1 ? U_TEX : 0;
    const VkFormat format = d->values ? VK_FORMAT_R32G32B32A32_SFLOAT : VK_FORMAT_D32_SFLOAT;
    Img m = imgms(format, SAMPLES_WIDTH, SAMPLES_HEIGHT(d), d->samples, (d->values ? U_RT : U_DS) | use);
    P p = P_DEF;
    Buf vertices;
    vreset();
    for (uint32_t n = 0; n < SAMPLES_TRIANGLES(d); n++) {
        const struct samples_triangle t = samples_triangle(number, n);
        for (int k = 0; k < 3; k++)
            vraw(t.position[k][0], t.position[k][1], d->values ? 0.5f : t.value[0][k], 1, t.value[0][k],
                 t.value[1][k], t.value[2][k], t.value[3][k], n);
    }
    vertices = vbuf();
    p.vs = "samples.vert";
    p.zclamp = 1;
    if (d->values) {
        pass1(&m, 0, CLEAR);
        p.fs = "value.frag";
        p.sshade = 1;
    } else {
        pass1(0, &m, CLEAR);
        p.fs = "depth.frag";
        p.ztest = p.zwrite = 1;
        p.zop = VK_COMPARE_OP_ALWAYS;
        p.bias = d->bias[0] != 0 || d->bias[1] != 0;
        p.bc = d->bias[0];
        p.bs = d->bias[1];
        p.bcl = d->bias[2];
        if (d->lines)
            p.poly = VK_POLYGON_MODE_LINE;
    }
    pipe0(&p);
    bindvb(vertices);
    draw(0, nv);
    endpass();
    if (d->samples > 1)
        spread(&m, d->values ? format : VK_FORMAT_R32_SFLOAT);
    else
        output(&m, 0);
}

int main(int argc, char **argv)
{
    static const unsigned first[] = {0, 5, 8, 11, 16, SAMPLES_DRAWS};
    if (argc != 2)
        return 2;
    init();
    memset(clr, 0, sizeof clr);
    for (int c = 0; c < 4; c++)
        clr[0].color.float32[c] = -12345;
    for (unsigned i = 0; i < SAMPLES_DRAWS; i++)
        draw_list(i);
    submit();
    for (unsigned f = 0; f < 5; f++) {
        char name[512];
        FILE *out;
        snprintf(name, sizeof name, "%s/samples%u.bin", argv[1], f);
        out = fopen(name, "wb");
        if (!out)
            die("cannot write %s", name);
        for (unsigned i = first[f]; i < first[f + 1]; i++)
            if (fwrite(outs[i].b.p, (size_t)outs[i].bytes, (size_t)outs[i].w * outs[i].h, out) !=
                (size_t)outs[i].w * outs[i].h)
                die("write");
        fclose(out);
    }
    printf("%s: %d images\n", props.deviceName, nouts);
    return 0;
}
