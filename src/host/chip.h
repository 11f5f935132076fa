/* The chip rows live with the engines, which need them too. */
#ifndef ET_HOST_CHIP_H
#define ET_HOST_CHIP_H

#include "engine/chip.h"

#endif
