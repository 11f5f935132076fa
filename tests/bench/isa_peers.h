/* The same work by other means, for bench-isa. */
#ifndef ET_BENCH_ISA_PEERS_H
#define ET_BENCH_ISA_PEERS_H

#include <stddef.h>
#include <stdint.h>

enum {
    THREADS = 16384,
    FFMA_ROUNDS = 256,
    COPY_WORDS = 128,
    MATRIX = 256,
    MATRIX_TILES_BITS = 4,
    MATRIX_BLOCKS = 256
};

enum isa_work { ISA_FFMA, ISA_SHA, ISA_COPY, ISA_DIVERGE, ISA_MATRIX, ISA_WORKS };
extern const char *const isa_names[ISA_WORKS];
extern const uint32_t isa_sha_start[8], isa_sha_round[64];

/* What memory holds before the work. */
void isa_fill(enum isa_work work, uint32_t *memory, size_t words);
/* Plain C at -O3 on this core. */
void isa_plain(enum isa_work work, uint32_t *memory, size_t words);
/* Seconds that a bare dispatched FFMA takes for so many instructions; level: enum level; 0: none for this
 * CPU. */
double isa_bare(int level, uint64_t instructions, unsigned tries);

/* OpenCL, loaded at run time; NULL without a driver. */
struct isa_opencl;
struct isa_opencl *isa_opencl_open(const char **device);
double isa_opencl_run(struct isa_opencl *cl, enum isa_work work, unsigned tries);
void isa_opencl_close(struct isa_opencl *cl);

#endif
