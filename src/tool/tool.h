/* The `etalon` command: one file a subcommand, and what they share. Exit codes: 0 fine or equal, 1 different
 * or failed as asked, 2 unusable arguments or input. */
#ifndef ET_TOOL_TOOL_H
#define ET_TOOL_TOOL_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

enum { ET_TOOL_OK = 0, ET_TOOL_DIFFERENT = 1, ET_TOOL_USAGE = 2 };
#define ET_TOOL_GO      (-1) /* no exit code: go on */
#define ET_TOOL_THREADS 1024 /* at most, of --threads */

/* The subcommands; a new one is declared here and gets a row in main.c. argv[0] is its name. */
int et_tool_capture(int argc, char **argv);
int et_tool_asm(int argc, char **argv);
int et_tool_compare(int argc, char **argv);
int et_tool_conformance(int argc, char **argv);
int et_tool_disasm(int argc, char **argv);
int et_tool_ge(int argc, char **argv);
int et_tool_decode(int argc, char **argv);
int et_tool_info(int argc, char **argv);
int et_tool_launch(int argc, char **argv);
int et_tool_pm4(int argc, char **argv);
int et_tool_render(int argc, char **argv);
int et_tool_run(int argc, char **argv);

/* Prints "etalon NAME: text (status; places)" to stderr; returns ET_TOOL_USAGE. */
int et_tool_error(const char *name, const struct etalon_error *error);
/* Prints "etalon NAME: message, see --help" to stderr; returns ET_TOOL_USAGE. */
int et_tool_usage(const char *name, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A decimal or 0x number; false when the text is none. */
bool et_tool_number(const char *text, unsigned long long *value);
/* What an option does to its value. */
enum et_tool_kind {
    ET_TOOL_FLAG,  /* bool: true */
    ET_TOOL_TEXT,  /* const char * */
    ET_TOOL_TEXTS, /* `most` const char *, the first that is NULL */
    ET_TOOL_NUMBER /* unsigned long long, least to most */
};
struct et_tool_option {
    const char *name; /* with its dashes */
    enum et_tool_kind kind;
    void *value;
    unsigned long long least, most; /* most 0: any number */
    const char *const *choices;     /* of a text, up to NULL; NULL: any */
};
static inline struct et_tool_option et_option_flag(const char *name, bool *value)
{
    return (struct et_tool_option){.name = name, .kind = ET_TOOL_FLAG, .value = value};
}
static inline struct et_tool_option et_option_text(const char *name, const char **value)
{
    return (struct et_tool_option){.name = name, .kind = ET_TOOL_TEXT, .value = value};
}
static inline struct et_tool_option et_option_choice(const char *name, const char **value,
                                                     const char *const *choices)
{
    return (struct et_tool_option){.name = name, .kind = ET_TOOL_TEXT, .value = value, .choices = choices};
}
static inline struct et_tool_option et_option_texts(const char *name, const char **values, unsigned room)
{
    return (struct et_tool_option){.name = name, .kind = ET_TOOL_TEXTS, .value = values, .most = room};
}
static inline struct et_tool_option et_option_number(const char *name, unsigned long long *value,
                                                     unsigned long long least, unsigned long long most)
{
    return (struct et_tool_option){
        .name = name, .kind = ET_TOOL_NUMBER, .value = value, .least = least, .most = most};
}

/* What a subcommand takes. */
struct et_tool_syntax {
    const char *name, *help;
    const struct et_tool_option *options;
    size_t option_count;
    const char *wanted; /* what the other arguments are, when one must be there */
    int most;           /* of them; 0: any number */
    bool program;       /* from the first of them on all are a program's */
};
/* Reads options, "--name value" or "--name=value", wherever they stand up to "--", and moves the other
 * arguments to argv[0] and on, *left of them, NULL behind. ET_TOOL_GO, or what to exit with: after --help (or
 * -h), or when something is wrong, which has then been said. */
int et_tool_arguments(const struct et_tool_syntax *syntax, int argc, char **argv, int *left);
/* Formats the error with its places into one line. */
void et_tool_error_text(const struct etalon_error *error, char *text, size_t size);

/* A picture of 8-bit RGBA, top row first. */
struct et_picture {
    unsigned width, height;
    uint8_t *rgba;
};
struct et_png_text {
    const char *key, *value;
};
enum etalon_status et_png_write(const char *path, const struct et_picture *picture,
                                const struct et_png_text *texts, size_t text_count,
                                struct etalon_error *error);
/* Any PNG, widened to RGBA8 (16-bit channels keep their high byte). The caller frees rgba with et_free. */
enum etalon_status et_png_read(const char *path, struct et_picture *picture, struct etalon_error *error);

#endif
