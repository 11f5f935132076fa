/* exact LIST OUT: draws a list of exact.h and writes a bit a triangle: whether it covered its sample. Build:
 * ../vk/shaders.sh exact.glsl > shaders.h; cc -O1 -ffp-contract=off -I. -I../vk exact.c -lvulkan -lm */
#include "vkcore.inc"

#include "exact.h"

int main(int argc, char **argv)
{
    const unsigned list = argc == 3 ? (unsigned)atoi(argv[1]) : EXACT_VIEWS;
    if (list >= EXACT_VIEWS)
        return 2;
    const struct exact_view *view = &exact_view[list];
    init();
    vreset();
    for (uint32_t i = 0; i < EXACT_TRIANGLES; i++) {
        const struct coverage_triangle t = exact_triangle(list, i);
        const struct exact_point s = exact_sample(list, i);
        for (int v = 0; v < 3; v++)
            vraw(t.position[v][0], t.position[v][1], t.position[v][2], t.position[v][3], (float)s.x / 256,
                 (float)s.y / 256, 0, 0, i);
    }
    Buf bits = buf(EXACT_TRIANGLES / 8, NULL);
    Img target = img(VK_FORMAT_R8G8B8A8_UNORM, (uint32_t)view->size, (uint32_t)view->size, U_RT);
    ds_buf(bits);
    Ds ds = ds_end();
    Buf vertices = vbuf();
    pass1(&target, NULL, CLEAR);
    P p = P_DEF;
    p.vs = "exact.vert";
    p.fs = "exact.frag";
    p.nvp = 1;
    p.vp[0] = (VkViewport){view->x, view->y, view->viewport, view->viewport, 0, 1};
    p.scis[0] = (VkRect2D){{view->left, view->top},
                           {(uint32_t)(view->right - view->left), (uint32_t)(view->bottom - view->top)}};
    pipe_ds(&p, ds);
    bindvb(vertices);
    draw(0, nv);
    endpass();
    submit();
    FILE *out = fopen(argv[2], "wb");
    if (!out || fwrite(bits.p, EXACT_TRIANGLES / 8, 1, out) != 1 || fclose(out))
        die("cannot write %s", argv[2]);
    printf("%s, list %u: done\n", props.deviceName, list);
    return 0;
}
