/* tess SET OUT [RAW]: tessellates the patches of a set of patches.h and writes a word a patch: the hash of
 * its vertices' coordinates in the order in which transform feedback records them. RAW gets two words a
 * vertex: u | patch << 17, and v, in 1/65536. Build: sh ../vk/shaders.sh tess.glsl > shaders.h; cc -O1
 * -ffp-contract=off -I. -I../vk tess.c -lvulkan -lm */
#include "vkcore.inc"

#include "patches.h"

#define BYTES (96u << 20)

static void tessellate(uint32_t number, FILE *out, FILE *raw)
{
    static const char *const domain[] = {"isolines", "triangles", "quads"};
    static const char *const spacing[] = {"equal", "fractional_odd", "fractional_even"};
    static uint32_t hash[TESS_PATCHES];
    const struct tess_set set = tess_set(number);
    char name[80];
    snprintf(name, sizeof name, "%s_%s_spacing%s%s.tese", domain[set.domain], spacing[set.spacing],
             set.points ? "_points" : "", set.clockwise ? "_cw" : "");
    vreset();
    for (uint32_t i = 0; i < TESS_PATCHES; i++) {
        const struct tess_patch p = tess_patch(number, i);
        vraw(0, 0, 0, 1, p.outer[0], p.outer[1], p.outer[2], p.outer[3], 0);
        vraw(0, 0, 0, 1, p.inner[0], p.inner[1], 0, 0, 0);
    }
    Buf vertices = vbuf(), feedback = buf(BYTES, NULL), counter = buf(16, NULL);
    Img target = img(VK_FORMAT_R8G8B8A8_UNORM, 16, 16, U_RT);
    pass1(&target, NULL, CLEAR);
    P p = P_DEF;
    p.vs = "tess.vert";
    p.tcs = "tess.tesc";
    p.tes = name;
    p.fs = NULL;
    p.discard = 1;
    p.patch = 2;
    p.topo = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST;
    pipe0(&p);
    bindvb(vertices);
    VkDeviceSize zero = 0, size = BYTES;
    pBindXfb(cb, 0, 1, &feedback.b, &zero, &size);
    pBeginXfb(cb, 0, 1, &counter.b, &zero);
    draw(0, nv);
    pEndXfb(cb, 0, 1, &counter.b, &zero);
    endpass();
    submit();
    const uint32_t used = *(uint32_t *)counter.p, vertices_out = used / 12;
    const float *f = feedback.p;
    uint32_t inexact = 0;
    for (uint32_t i = 0; i < vertices_out; i++, f += 3) {
        const uint32_t u = (uint32_t)(f[0] * 65536), v = (uint32_t)(f[1] * 65536), id = f2u(f[2]);
        const uint32_t pair[2] = {u | id << 17, v};
        if (id >= TESS_PATCHES)
            die("patch %u of %u", id, TESS_PATCHES);
        hash[id] = tess_mix(hash[id], u, v);
        inexact += (float)u != f[0] * 65536 || (float)v != f[1] * 65536;
        if (raw)
            fwrite(pair, 8, 1, raw);
    }
    fwrite(hash, sizeof hash, 1, out);
    printf("set %u %s: %u vertices%s, %u inexact\n", number, name, vertices_out,
           used > BYTES - 65536 ? " FULL" : "", inexact);
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    want_xfb = 1;
    init();
    FILE *out = fopen(argv[2], "wb"), *raw = argc > 3 ? fopen(argv[3], "wb") : NULL;
    tessellate((uint32_t)atoi(argv[1]), out, raw);
    if (fclose(out) || (raw && fclose(raw)))
        die("cannot write");
    return 0;
}
