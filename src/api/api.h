/* What the public handles are made of. */
#ifndef ET_API_API_H
#define ET_API_API_H

#include "etalon.h"
#include "host/host.h"

#include <stdatomic.h>

struct etalon_space {
    struct etalon_device *device;
    struct etalon_space *next;
    struct et_pagemap map;
};

struct etalon_channel {
    struct etalon_space *space;
    struct etalon_channel *next;
    struct et_channel *channel;
};

struct etalon_device {
    struct et_ram ram;
    struct et_device *device;
    struct etalon_space *spaces;
    struct etalon_channel *channels;
    struct etalon_callbacks callbacks;
    atomic_int cancelled;
};

#endif
