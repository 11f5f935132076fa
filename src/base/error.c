#include "base/error.h"

#include <stdio.h>
#include <string.h>

const char *etalon_status_name(enum etalon_status status)
{
    static const char *const names[] = {
#define NAME(name, text) text,
        ETALON_STATUSES(NAME)
#undef NAME
    };
    return (unsigned)status < ETALON_STATUS_COUNT ? names[status] : "unknown status";
}

enum etalon_status et_fail(struct etalon_error *error, enum etalon_status status, const char *format, ...)
{
    if (error && error->status == ETALON_OK) {
        va_list args;
        error->status = status;
        va_start(args, format);
        vsnprintf(error->text, sizeof error->text, format, args);
        va_end(args);
    }
    return status;
}

void et_error_clear(struct etalon_error *error)
{
    if (error)
        memset(error, 0, sizeof *error);
}

static int unmarked(struct etalon_error *error, uint32_t place)
{
    if (!error || (error->at & place))
        return 0;
    error->at |= place;
    return 1;
}

void et_at_channel(struct etalon_error *error, uint32_t channel)
{
    if (unmarked(error, ETALON_AT_CHANNEL))
        error->channel = channel;
}

void et_at_address(struct etalon_error *error, uint64_t address)
{
    if (unmarked(error, ETALON_AT_ADDRESS))
        error->address = address;
}

void et_at_method(struct etalon_error *error, uint32_t klass, uint32_t method)
{
    if (unmarked(error, ETALON_AT_METHOD)) {
        error->klass = klass;
        error->method = method;
    }
}

void et_at_value(struct etalon_error *error, uint32_t value)
{
    if (unmarked(error, ETALON_AT_VALUE))
        error->value = value;
}

void et_at_event(struct etalon_error *error, uint64_t event)
{
    if (unmarked(error, ETALON_AT_EVENT))
        error->event = event;
}

void et_at_warp(struct etalon_error *error, uint32_t warp)
{
    if (unmarked(error, ETALON_AT_WARP))
        error->warp = warp;
}

void et_at_lane(struct etalon_error *error, uint32_t lane)
{
    if (unmarked(error, ETALON_AT_LANE))
        error->lane = lane;
}

void et_at_pc(struct etalon_error *error, uint64_t pc)
{
    if (unmarked(error, ETALON_AT_PC))
        error->pc = pc;
}

void et_at_offset(struct etalon_error *error, uint64_t offset)
{
    if (unmarked(error, ETALON_AT_OFFSET))
        error->offset = offset;
}
