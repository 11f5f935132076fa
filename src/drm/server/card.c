#include "drm/server/server.h"

#include <string.h>

/* [DRV: what nouveau reports of such boards] */
static const struct et_drm_card cards[] = {
    {"gm204", "GM204", "NVIDIA GeForce GTX 980", 0x124, 0x13c0, 9, 4, 16, 64},
    {"gm20b", "GM20B", "NVIDIA Tegra X1", 0x12b, 0, 9, 1, 2, 16},
    {"ga102", "GA102", "NVIDIA GeForce RTX 3080", 0x172, 0x2206, 13, 6, 34, 96},
};

const struct et_drm_card *et_drm_card_by_chip(const char *chip)
{
    for (size_t i = 0; i < ET_DRM_TABLE_SIZE(cards); i++)
        if (!strcmp(cards[i].chip, chip))
            return &cards[i];
    return NULL;
}
