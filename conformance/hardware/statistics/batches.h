/* Which draws of equal patches batches.c makes. */
#ifndef BATCHES_H
#define BATCHES_H

#include <stdint.h>

#define BATCHES_PATCHES 160

/* Invocations of the control programs; a draw for each patch size from 1 to 32 each. */
static const uint8_t batches_threads[] = {1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 32};

#define BATCHES_DRAWS (32 * sizeof batches_threads)

#endif
