#include "rasterizer/samples.h"

#include "base/bits.h"

/* Positions go with the places of samples: the orders of one size are permutations of one set. [DRV] */
static const struct et_sample_layout layouts[] = {
    {0, 1, 0, 0, {{8, 8}}},
    {1, 2, 1, 0, {{4, 4}, {12, 12}}},
    {2, 4, 1, 1, {{6, 2}, {14, 6}, {2, 10}, {10, 14}}},
    {3, 8, 2, 1, {{1, 7}, {5, 3}, {3, 13}, {7, 11}, {9, 5}, {15, 1}, {11, 15}, {13, 9}}},
    {4, 8, 2, 1, {{9, 5}, {7, 11}, {13, 9}, {5, 3}, {3, 13}, {1, 7}, {11, 15}, {15, 1}}},
    {5, 2, 1, 0, {{12, 12}, {4, 4}}},
    {6,
     16,
     2,
     2,
     {{9, 9},
      {7, 5},
      {5, 10},
      {12, 7},
      {3, 6},
      {10, 13},
      {13, 11},
      {11, 3},
      {6, 14},
      {8, 1},
      {4, 2},
      {2, 12},
      {0, 8},
      {15, 4},
      {14, 15},
      {1, 0}}},
};

const struct et_sample_layout *et_sample_layout_find(uint32_t mode)
{
    for (size_t i = 0; i < ET_COUNT(layouts); i++)
        if (layouts[i].mode == mode)
            return &layouts[i];
    return NULL;
}

void et_sample_positions(const struct et_sample_state *state, const struct et_sample_layout *layout,
                         uint8_t position[4][ET_SAMPLES_MAX][2])
{
    bool set = false;
    for (unsigned i = 0; i < 16; i++)
        set |= state->location[i] != 0;
    for (unsigned pixel = 0; pixel < 4; pixel++)
        for (unsigned s = 0; s < layout->samples; s++) {
            const uint8_t location = state->location[(pixel * layout->samples + s) & 15];
            position[pixel][s][0] = set ? location & 15 : layout->position[s][0];
            position[pixel][s][1] = set ? location >> 4 : layout->position[s][1];
        }
}

/* The number of samples is that of steps of 256 / n above an offset of the pixel's place in a 2x2 tile; which
 * samples they are is a table a place. */
uint32_t et_alpha_coverage(uint32_t alpha, unsigned samples, int32_t x, int32_t y, bool dither)
{
    static const uint8_t offset[4] = {1, 5, 7, 3};
    static const uint8_t two[4][3] = {{0, 1, 3}, {0, 2, 3}, {0, 2, 3}, {0, 1, 3}};
    static const uint8_t four[5] = {0x0, 0x8, 0x9, 0xb, 0xf};
    static const uint8_t eight[4][9] = {{0, 0x40, 0x50, 0xd0, 0xd8, 0xda, 0xde, 0xdf, 0xff},
                                        {0, 0x80, 0x88, 0xc8, 0xd8, 0xd9, 0xf9, 0xfd, 0xff},
                                        {0, 0x10, 0x50, 0x58, 0xd8, 0xda, 0xde, 0xfe, 0xff},
                                        {0, 0x08, 0x88, 0x98, 0xd8, 0xd9, 0xf9, 0xfb, 0xff}};
    const unsigned place = dither ? (unsigned)(y & 1) * 2 + (unsigned)(x & 1) : 0;
    const int32_t above = (int32_t)alpha - offset[place] * 32 / (int32_t)samples;
    const unsigned count = above < 0 ? 0 : ET_MIN((unsigned)above / (256 / samples) + 1, samples);
    switch (samples) {
    case 1:
        return count;
    case 2:
        return two[place][count];
    case 4:
        return four[count];
    case 8:
        return eight[place][count];
    default:
        return (1u << count) - 1; /* 16 samples: not measured [INF] */
    }
}
