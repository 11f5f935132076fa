/* What the cases of drm-client share. */
#ifndef ET_TESTS_DRM_CASE_H
#define ET_TESTS_DRM_CASE_H

#include "drm/node.h"

#include <errno.h>
#include <stdio.h>

#define WANT(condition)                                                                                      \
    do {                                                                                                     \
        if (!(condition)) {                                                                                  \
            fprintf(stderr, "%s:%d: not so: %s (errno %d)\n", __FILE__, __LINE__, #condition, errno);        \
            return 1;                                                                                        \
        }                                                                                                    \
    } while (0)

#define PAGE   UINT64_C(0x10000)
#define LONG   INT64_C(60000000000)
#define SHORT  INT64_C(20000000)
#define RESULT 1024 /* the word of a buffer that its pushes write */

/* A release of `value` into the buffer's own result word, submitted and waited for. */
int write_word(const struct node *node, const struct node_bo *bo, uint32_t value);
/* A whole life of a client: open, allocate, submit, wait, look. */
int live(bool managed, uint32_t value);

/* Cases of lifetimes, and of clients that behave as none should (hostile.c). */
int case_stalled(char **arguments);
int case_exported(char **arguments);
int case_merged(char **arguments);
int case_names(char **arguments);
int case_queued(char **arguments);
int case_released(char **arguments);
int case_shared_legacy(char **arguments);
int case_sealed(char **arguments);
int case_closed(char **arguments);
int case_crowd(char **arguments);
int case_nonsense(char **arguments);

#endif
