/* The main of every Check program: one suite, run forked, exit 1 on a failure. */
#ifndef ET_TESTS_SUITE_H
#define ET_TESTS_SUITE_H

#include <check.h>
#include <stdlib.h>

static inline int suite_run(Suite *suite)
{
    SRunner *runner = srunner_create(suite);
    int failed;
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner) || srunner_ntests_run(runner) == 0;
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* The folder of the sources: data files are named from there. */
static inline const char *suite_srcdir(void)
{
    const char *dir = getenv("srcdir");
    return dir ? dir : ".";
}

#endif
