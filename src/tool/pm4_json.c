#include "tool/pm4.h"

#include "base/alloc.h"
#include "capture/tar.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

int et_pm4_say(struct et_pm4_verdict *verdict, int code, const char *format, ...)
{
    va_list args;
    verdict->code = code;
    va_start(args, format);
    vsnprintf(verdict->text, sizeof verdict->text, format, args);
    va_end(args);
    return code;
}

static char *unpack(char *packed, size_t *size, struct et_pm4_verdict *verdict)
{
    const unsigned long long length = ZSTD_getFrameContentSize(packed, *size);
    char *text = length < (1u << 30) ? et_calloc(length + 1, 1) : NULL;
    const size_t got = text ? ZSTD_decompress(text, length, packed, *size) : 0;
    if (!text || ZSTD_isError(got) || got != length) {
        et_pm4_say(verdict, ET_PM4_UNUSABLE, "cannot be unpacked");
        et_free(text);
        text = NULL;
    }
    et_free(packed);
    *size = got;
    return text;
}

char *et_pm4_read_file(const char *path, size_t *size, struct et_pm4_verdict *verdict)
{
    struct etalon_error error = {0};
    uint8_t *read;
    if (et_file_read(strcmp(path, "-") ? path : "/dev/stdin", UINT64_C(1) << 30, &read, size, &error)) {
        et_pm4_say(verdict, ET_PM4_UNUSABLE, "%s", error.text);
        return NULL;
    }
    char *bytes = (char *)read;
    if (*size >= 4 && !memcmp(bytes, "\x28\xB5\x2F\xFD", 4))
        return unpack(bytes, size, verdict);
    return bytes;
}

bool et_pm4_number(const struct cJSON *item, bool bare_hex, uint64_t *value)
{
    if (cJSON_IsNumber(item)) {
        const double number = item->valuedouble;
        if (!(number > -9.3e18 && number < 1.85e19))
            return false;
        *value = number < 0 ? (uint64_t)(int64_t)number : (uint64_t)number;
        return true;
    }
    if (cJSON_IsBool(item)) {
        *value = cJSON_IsTrue(item);
        return true;
    }
    if (!cJSON_IsString(item) || !item->valuestring[0])
        return false;
    char *end;
    const char *text = item->valuestring;
    const bool minus = *text == '-';
    text += minus;
    errno = 0;
    const unsigned long long number = strtoull(text, &end, bare_hex ? 16 : 0);
    if (errno || end == text || *end || *text == '-' || *text == '+')
        return false;
    *value = minus ? 0 - (uint64_t)number : number;
    return true;
}

uint32_t *et_pm4_words(const struct cJSON *list, uint32_t *dwords, struct et_pm4_verdict *verdict)
{
    *dwords = 0;
    if (list && !cJSON_IsArray(list)) {
        et_pm4_say(verdict, ET_PM4_UNUSABLE, "'%s' is not a list", list->string ? list->string : "words");
        return NULL;
    }
    const int count = list ? cJSON_GetArraySize(list) : 0;
    uint32_t *words = et_calloc((size_t)count + 1, sizeof *words);
    const cJSON *item;
    if (!words) {
        et_pm4_say(verdict, ET_PM4_UNUSABLE, "out of memory");
        return NULL;
    }
    cJSON_ArrayForEach(item, list)
    {
        uint64_t value;
        if (!et_pm4_number(item, cJSON_IsString(item), &value) || value > UINT32_MAX) {
            et_pm4_say(verdict, ET_PM4_UNUSABLE, "word %u is not a dword", *dwords);
            et_free(words);
            return NULL;
        }
        words[(*dwords)++] = (uint32_t)value;
    }
    return words;
}
