/* Reads a test's data file that is packed with zstd. */
#ifndef ET_TESTS_PACKED_H
#define ET_TESTS_PACKED_H

#include "support/suite.h"

#include <stdio.h>
#include <zstd.h>

/* The unpacked text of a file named from the sources' folder, terminated; the caller frees it. Fails the test
 * when it cannot. */
static inline char *packed_text(const char *name, size_t *size)
{
    char path[1024], *packed, *text;
    unsigned long long plain;
    size_t length;
    FILE *file;
    snprintf(path, sizeof path, "%s/%s", suite_srcdir(), name);
    file = fopen(path, "rb");
    ck_assert_msg(file != NULL, "%s is missing", path);
    fseek(file, 0, SEEK_END);
    length = (size_t)ftell(file);
    rewind(file);
    packed = malloc(length);
    ck_assert_ptr_nonnull(packed);
    ck_assert_uint_eq(fread(packed, 1, length, file), length);
    fclose(file);
    plain = ZSTD_getFrameContentSize(packed, length);
    ck_assert_msg(plain < ((unsigned long long)1 << 31), "%s has no size", path);
    text = malloc((size_t)plain + 1);
    ck_assert_ptr_nonnull(text);
    *size = ZSTD_decompress(text, (size_t)plain, packed, length);
    ck_assert_msg(*size == plain, "%s is damaged", path);
    text[plain] = 0;
    free(packed);
    return text;
}

#endif
