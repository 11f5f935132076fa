#include "tool/tool.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void append(char *text, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));
static void append(char *text, size_t size, const char *format, ...)
{
    const size_t used = strlen(text);
    va_list args;
    va_start(args, format);
    vsnprintf(text + used, size - used, format, args);
    va_end(args);
}

void et_tool_error_text(const struct etalon_error *error, char *text, size_t size)
{
    snprintf(text, size, "%s (%s", error->text, etalon_status_name(error->status));
    if (error->at & ETALON_AT_CHANNEL)
        append(text, size, ", channel %u", error->channel);
    if (error->at & ETALON_AT_METHOD)
        append(text, size, ", class 0x%04x method 0x%04x", error->klass, error->method);
    if (error->at & ETALON_AT_VALUE)
        append(text, size, ", value 0x%08x", error->value);
    if (error->at & ETALON_AT_EVENT)
        append(text, size, ", event %llu", (unsigned long long)error->event);
    if (error->at & ETALON_AT_ADDRESS)
        append(text, size, ", address 0x%llx", (unsigned long long)error->address);
    if (error->at & ETALON_AT_WARP)
        append(text, size, ", warp %u", error->warp);
    if (error->at & ETALON_AT_LANE)
        append(text, size, ", lane %u", error->lane);
    if (error->at & ETALON_AT_PC)
        append(text, size, ", pc 0x%llx", (unsigned long long)error->pc);
    if (error->at & ETALON_AT_OFFSET)
        append(text, size, ", byte %llu", (unsigned long long)error->offset);
    append(text, size, ")");
}

int et_tool_error(const char *name, const struct etalon_error *error)
{
    char text[640];
    et_tool_error_text(error, text, sizeof text);
    fprintf(stderr, "etalon %s: %s\n", name, text);
    return ET_TOOL_USAGE;
}
