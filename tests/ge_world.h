/* A GE over a little memory, with hooks that write down what they are told. */
#ifndef ET_TESTS_GE_WORLD_H
#define ET_TESTS_GE_WORLD_H

#include "etalon-ge.h"

#include <check.h>
#include <string.h>

#define GE_RAM_BASE UINT32_C(0x08800000)
#define GE_RAM_SIZE 0x10000u
#define GE_LIST     GE_RAM_BASE
#define GE_SDK_NEW  UINT32_C(0x06060010)
#define GE_SDK_OLD  UINT32_C(0x01000010)

#define GE_END          UINT32_C(0x0c000000)
#define GE_FINISH(v)    (UINT32_C(0x0f000000) | (v))
#define GE_SIGNAL(b, v) (UINT32_C(0x0e000000) | (uint32_t)(b) << 16 | (v))
/* JUMP, CALL and the like need BASE 0x10080000 for addresses in RAM. */
#define GE_BASE08       UINT32_C(0x10080000)
#define GE_LOW(address) ((address)&UINT32_C(0xffffff))

struct ge_world {
    uint8_t ram[GE_RAM_SIZE];
    struct etalon_ge *ge;
    struct etalon_ge_config config;
    struct etalon_ge_region region;

    struct etalon_ge_callback_call calls[64];
    unsigned call_count;
    uint64_t wakes[64];
    unsigned wake_count;
    unsigned fault_count, written_count;
    uint32_t written_address, written_size;
    /* What the callback hook does beside writing down. */
    void (*act)(struct ge_world *world, const struct etalon_ge_callback_call *call);
    enum etalon_ge_callback_answer answer;
    /* What the snapshot hook does. */
    void (*look)(struct ge_world *world, const struct etalon_ge_snapshot *snapshot);
    unsigned look_count;
};

/* Zeroes the world and creates its GE; `eager` as in the configuration. */
void ge_world_open(struct ge_world *world, uint32_t sdk, bool eager);
void ge_world_close(struct ge_world *world);
/* Stores words at an address of RAM. */
void ge_world_put(struct ge_world *world, uint32_t address, const uint32_t *words, size_t count);
#define GE_PUT(world, address, ...)                                                                          \
    ge_world_put(world, address, (const uint32_t[]){__VA_ARGS__},                                            \
                 sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))
uint32_t ge_world_word(const struct ge_world *world, uint32_t address);
/* Sets a callback of both kinds; functions 1 and 2, arguments 11 and 12. Its id. */
int32_t ge_world_callback(struct ge_world *world);
/* Fails the test unless the GE's invariants hold. */
void ge_world_verify(const struct ge_world *world);

#endif
