/* The `etalon` command: one file a subcommand, and what they share. Exit codes: 0 fine or equal, 1 different
 * or failed as asked, 2 unusable arguments or input. */
#ifndef ET_TOOL_TOOL_H
#define ET_TOOL_TOOL_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

enum { ET_TOOL_OK = 0, ET_TOOL_DIFFERENT = 1, ET_TOOL_USAGE = 2 };

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
