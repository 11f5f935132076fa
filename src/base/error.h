/* Filling a struct etalon_error. The first cause wins: a record that already holds one is left alone. */
#ifndef ET_BASE_ERROR_H
#define ET_BASE_ERROR_H

#include "etalon-error.h"

#include <stdarg.h>

/* Records status and a printf-style text, unless `error` is NULL or already holds a status; returns status.
 */
enum etalon_status et_fail(struct etalon_error *error, enum etalon_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Forgets what `error` holds. */
void et_error_clear(struct etalon_error *error);

/* Places: each marks its field; a field already marked is kept (the innermost place wins). NULL is allowed.
 */
void et_at_channel(struct etalon_error *error, uint32_t channel);
void et_at_address(struct etalon_error *error, uint64_t address);
void et_at_method(struct etalon_error *error, uint32_t klass, uint32_t method);
void et_at_value(struct etalon_error *error, uint32_t value);
void et_at_event(struct etalon_error *error, uint64_t event);
void et_at_warp(struct etalon_error *error, uint32_t warp);
void et_at_lane(struct etalon_error *error, uint32_t lane);
void et_at_pc(struct etalon_error *error, uint64_t pc);
void et_at_offset(struct etalon_error *error, uint64_t offset);

#endif
