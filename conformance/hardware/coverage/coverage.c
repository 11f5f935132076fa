/* coverage SAMPLES OUT: draws the list of triangles.h and writes two words a triangle: the sum of coverage_mix over its
 * pixels, and its covered samples. Build: ../vk/shaders.sh coverage.glsl > shaders.h;
 * cc -O1 -ffp-contract=off -I. -I../vk coverage.c -lvulkan -lm */
#include "vkcore.inc"

#include "triangles.h"

int main(int argc, char **argv)
{
    const uint32_t samples = argc == 3 ? (uint32_t)atoi(argv[1]) : 0;
    if (samples != 1 && samples != 4)
        return 2;
    init();
    vreset();
    for (uint32_t i = 0; i < COVERAGE_TRIANGLES; i++) {
        const struct coverage_triangle t = coverage_triangle(i);
        for (int v = 0; v < 3; v++)
            vraw(t.position[v][0], t.position[v][1], t.position[v][2], t.position[v][3], 0, 0, 0, 0, i);
    }
    Buf hashes = buf(COVERAGE_TRIANGLES * 8, NULL);
    memset(hashes.p, 0, COVERAGE_TRIANGLES * 8);
    Img target = imgms(VK_FORMAT_R8G8B8A8_UNORM, COVERAGE_SIZE, COVERAGE_SIZE, samples, U_RT);
    ds_buf(hashes);
    Ds ds = ds_end();
    Buf vertices = vbuf();
    pass1(&target, NULL, CLEAR);
    P p = P_DEF;
    p.vs = "coverage.vert";
    p.fs = "coverage.frag";
    pipe_ds(&p, ds);
    bindvb(vertices);
    draw(0, nv);
    endpass();
    submit();
    FILE *out = fopen(argv[2], "wb");
    if (!out || fwrite(hashes.p, 8, COVERAGE_TRIANGLES, out) != COVERAGE_TRIANGLES || fclose(out))
        die("cannot write %s", argv[2]);
    printf("%s, %u samples: done\n", props.deviceName, samples);
    return 0;
}
