/* Random sequences of calls and list words: `fuzz-ge [COUNT [FIRST]]`, 10,000 from 0 by default. */
#include "fuzz/ge_sequence.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    const uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 0) : 10000;
    const uint64_t first = argc > 2 ? strtoull(argv[2], NULL, 0) : 0;
    unsigned failed = 0;
    for (uint64_t seed = first; seed < first + count && failed < 10; seed++) {
        char text[256];
        if (ge_sequence(seed, text, sizeof text))
            continue;
        printf("sequence %llu: %s\n", (unsigned long long)seed, text);
        failed++;
    }
    printf("%llu sequences from %llu: %u failed\n", (unsigned long long)count, (unsigned long long)first,
           failed);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
