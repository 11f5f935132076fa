/* The allocation hook: every allocation of the library goes through it, so tests can fail any of them. */
#ifndef ET_BASE_ALLOC_H
#define ET_BASE_ALLOC_H

#include <stddef.h>

/* Zeroed memory for count elements of size bytes; NULL when refused or when the product overflows. */
void *et_calloc(size_t count, size_t size);
/* As realloc, for count elements; new bytes are not zeroed; NULL leaves `old` valid. */
void *et_realloc(void *old, size_t count, size_t size);
/* Zeroed memory aligned to a power of two >= sizeof(void *); free with et_free. */
void *et_aligned_calloc(size_t alignment, size_t count, size_t size);
/* Copies a string; NULL when refused. */
char *et_strdup(const char *text);
void et_free(void *memory);

/* Doubles *items (elements of size bytes) until it holds `need`; 0 on failure with *items and *capacity
 * unchanged. */
int et_grow(void *items, size_t *capacity, size_t need, size_t size);

/* Tests: the nth (from 1) allocation of this thread from now fails, and those after it; 0 turns it off. */
void et_alloc_fail_after(size_t nth);

#endif
