/* What stands behind a subcommand's name, by the table of what it takes. */
#include "base/bits.h"
#include "tool/tool.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int et_tool_usage(const char *name, const char *format, ...)
{
    va_list args;
    fprintf(stderr, "etalon %s: ", name);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fprintf(stderr, "; see `etalon %s --help`\n", name);
    return ET_TOOL_USAGE;
}

bool et_tool_number(const char *text, unsigned long long *value)
{
    char *end;
    errno = 0;
    *value = strtoull(text, &end, 0);
    return *text && *text != '-' && !*end && !errno;
}

static bool is_option(const char *text)
{
    return text[0] == '-' && text[1];
}

/* The option that an argument names, and in *value what follows its '='; NULL when there is none. */
static const struct et_tool_option *find(const struct et_tool_syntax *syntax, const char *text,
                                         const char **value)
{
    const char *equals = strchr(text, '=');
    const size_t length = equals ? (size_t)(equals - text) : strlen(text);
    *value = equals ? equals + 1 : NULL;
    for (size_t i = 0; i < syntax->option_count; i++) {
        const char *name = syntax->options[i].name;
        if (strlen(name) == length && !memcmp(name, text, length))
            return &syntax->options[i];
    }
    return NULL;
}

static bool is_choice(const char *const *choices, const char *value)
{
    while (*choices && strcmp(*choices, value) != 0)
        choices++;
    return *choices;
}

static int set_text(const struct et_tool_syntax *syntax, const struct et_tool_option *option,
                    const char *value)
{
    char list[200];
    int n = 0;
    if (!option->choices || is_choice(option->choices, value)) {
        *(const char **)option->value = value;
        return ET_TOOL_GO;
    }
    for (size_t i = 0; option->choices[i] && n < (int)sizeof list; i++)
        n += snprintf(list + n, sizeof list - (size_t)n, "%s%s", i ? " or " : "", option->choices[i]);
    return et_tool_usage(syntax->name, "%s takes %s", option->name, list);
}

static int set_number(const struct et_tool_syntax *syntax, const struct et_tool_option *option,
                      const char *value)
{
    unsigned long long number;
    const unsigned long long most = option->most ? option->most : ULLONG_MAX;
    if (et_tool_number(value, &number) && number >= option->least && number <= most) {
        *(unsigned long long *)option->value = number;
        return ET_TOOL_GO;
    }
    if (option->most)
        return et_tool_usage(syntax->name, "%s takes %llu to %llu", option->name, option->least, most);
    return et_tool_usage(syntax->name, "%s takes a number", option->name);
}

static int set(const struct et_tool_syntax *syntax, const struct et_tool_option *option, const char *value)
{
    const char **texts = option->value;
    switch (option->kind) {
    case ET_TOOL_TEXT:
        return set_text(syntax, option, value);
    case ET_TOOL_NUMBER:
        return set_number(syntax, option, value);
    case ET_TOOL_TEXTS:
        for (size_t i = 0; i < option->most; i++)
            if (!texts[i]) {
                texts[i] = value;
                return ET_TOOL_GO;
            }
        return et_tool_usage(syntax->name, "%s may stand %llu times", option->name, option->most);
    default:
        *(bool *)option->value = true;
        return ET_TOOL_GO;
    }
}

/* The option at argv[*i], with its value; *i moves to the last argument that was taken. */
static int take(const struct et_tool_syntax *syntax, char **argv, int *i)
{
    const char *text = argv[*i], *value;
    const struct et_tool_option *option = find(syntax, text, &value);
    if (!option)
        return et_tool_usage(syntax->name, "unexpected '%s'", text);
    if (option->kind == ET_TOOL_FLAG && value)
        return et_tool_usage(syntax->name, "%s takes no value", option->name);
    if (option->kind != ET_TOOL_FLAG && !value) {
        value = argv[*i + 1];
        if (!value)
            return et_tool_usage(syntax->name, "%s takes a value", option->name);
        ++*i;
    }
    return set(syntax, option, value);
}

int et_tool_arguments(const struct et_tool_syntax *syntax, int argc, char **argv, int *left)
{
    bool ended = false;
    *left = 0;
    for (int i = 1; i < argc; i++) {
        if (ended || !is_option(argv[i])) {
            ended |= syntax->program;
            argv[(*left)++] = argv[i];
        } else if (!strcmp(argv[i], "--")) {
            ended = true;
        } else if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h")) {
            fputs(syntax->help, stdout);
            return ET_TOOL_OK;
        } else {
            const int result = take(syntax, argv, &i);
            if (result != ET_TOOL_GO)
                return result;
        }
    }
    argv[*left] = NULL;
    if (!*left && syntax->wanted)
        return et_tool_usage(syntax->name, "%s is needed", syntax->wanted);
    if (syntax->most && *left > syntax->most)
        return et_tool_usage(syntax->name, "unexpected '%s'", argv[syntax->most]);
    return ET_TOOL_GO;
}
