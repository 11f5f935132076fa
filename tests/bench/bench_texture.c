/* Processor nanoseconds a lane of the texture unit's common requests, one core. */
#include <stdlib.h>

#define WORLD_CHECK(condition) ((condition) ? (void)0 : exit(EXIT_FAILURE))
#include "support/texture_world.h"

#include <stdio.h>
#include <time.h>

#define SIZE 256

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void bench(struct world *world, const char *name, uint32_t sizes, uint32_t type, uint32_t filter,
                  uint32_t mip, uint8_t op, uint8_t lod)
{
    static struct et_tex_lanes lanes;
    static uint32_t out[4][ET_LANES];
    uint32_t header[8], sampler[8];
    const struct et_tex_instruction instruction = {.op = op, .dim = ET_TEX_2D, .lod = lod};
    const double start = seconds();
    double end = start;
    unsigned long done = 0;
    world_header(header, sizes, type, ET_TEXTURE_2D, SIZE, SIZE, 1);
    world_levels(header, mip ? 8 : 1);
    world_set(header, 101, 99, 4);
    world_sampler(sampler, filter, mip ? mip : ET_MIP_NONE, ET_WRAP_REPEAT);
    if (filter == ET_FILTER_ANISO)
        world_set(sampler, 22, 20, 4);
    world_bind(world, header, sampler);
    while (end - start < 0.3) {
        for (unsigned y = 0; y < 64; y += 2)
            for (unsigned x = 0; x < 1024; x += 16) {
                for (unsigned lane = 0; lane < ET_LANES; lane++) {
                    const unsigned px = x + lane / 4 * 2 + (lane & 1), py = y + (lane >> 1 & 1);
                    if (op == ET_TEX_FETCH) {
                        lanes.coord[0][lane] = px % SIZE;
                        lanes.coord[1][lane] = py % SIZE;
                    } else {
                        lanes.coord[0][lane] = et_float_bits((float)px * (1.3f / SIZE) + 0.013f);
                        lanes.coord[1][lane] = et_float_bits((float)py * (3.1f / SIZE) + 0.017f);
                    }
                }
                world_run(world, &instruction, &lanes, out);
                done += ET_LANES;
            }
        end = seconds();
    }
    printf("%-28s %7.2f ns a lane\n", name, (end - start) * 1e9 / (double)done);
}

int main(void)
{
    struct world world;
    world_open(&world, 16 << 20, true);
    for (uint64_t i = WORLD_TEXELS; i < 16 << 20; i += 4)
        et_store32(world.ram.base + i, (uint32_t)(i * 2654435761u) & 0x3f3f3f3f);
    bench(&world, "fetch rgba8", 0x08, ET_TYPE_UNORM, 1, 0, ET_TEX_FETCH, ET_LOD_ZERO);
    bench(&world, "nearest rgba8", 0x08, ET_TYPE_UNORM, 1, 0, ET_TEX_SAMPLE, ET_LOD_AUTO);
    bench(&world, "bilinear rgba8", 0x08, ET_TYPE_UNORM, 2, 0, ET_TEX_SAMPLE, ET_LOD_AUTO);
    bench(&world, "bilinear rgba8, mips by lod", 0x08, ET_TYPE_UNORM, 2, ET_MIP_POINT, ET_TEX_SAMPLE,
          ET_LOD_AUTO);
    bench(&world, "trilinear rgba8", 0x08, ET_TYPE_UNORM, 2, ET_MIP_LINEAR, ET_TEX_SAMPLE, ET_LOD_AUTO);
    bench(&world, "anisotropic rgba8, 8 to 1", 0x08, ET_TYPE_UNORM, 3, ET_MIP_LINEAR, ET_TEX_SAMPLE,
          ET_LOD_AUTO);
    bench(&world, "bilinear rgba16f", 0x03, ET_TYPE_FLOAT, 2, 0, ET_TEX_SAMPLE, ET_LOD_AUTO);
    bench(&world, "bilinear rgba32f", 0x01, ET_TYPE_FLOAT, 2, 0, ET_TEX_SAMPLE, ET_LOD_AUTO);
    bench(&world, "bilinear bc1", 0x24, ET_TYPE_UNORM, 2, 0, ET_TEX_SAMPLE, ET_LOD_AUTO);
    bench(&world, "bilinear bc7", 0x17, ET_TYPE_UNORM, 2, 0, ET_TEX_SAMPLE, ET_LOD_AUTO);
    bench(&world, "bilinear astc 6x6", 0x42, ET_TYPE_UNORM, 2, 0, ET_TEX_SAMPLE, ET_LOD_AUTO);
    world_close(&world);
    return EXIT_SUCCESS;
}
