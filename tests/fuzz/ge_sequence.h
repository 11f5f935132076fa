/* A random sequence of calls and list words for the GE, the same for the same seed. */
#ifndef ET_TESTS_FUZZ_GE_SEQUENCE_H
#define ET_TESTS_FUZZ_GE_SEQUENCE_H

#include <stdint.h>
#include <stddef.h>

/* Plays sequence `seed` and checks the invariants after every call. True if all held; else `text` says which
 * did not. */
int ge_sequence(uint64_t seed, char *text, size_t size);

#endif
