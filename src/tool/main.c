#include "tool/tool.h"

#include "base/bits.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *about;
} subcommands[] = {
    {"render", et_tool_render, "replay a capture; write its result as PNG, its outputs raw"},
    {"conformance", et_tool_conformance, "replay a set of captures and hold them to silicon"},
    {"run", et_tool_run, "run a program on Mesa's drivers, with Etalon as the GPU"},
    {"capture", et_tool_capture, "the same, recording what it submits"},
    {"decode", et_tool_decode, "print a command stream as methods and fields, macros expanded"},
    {"info", et_tool_info, "say what a capture holds"},
    {"ge", et_tool_ge, "run PSP display-list scenarios or a raw list"},
    {"launch", et_tool_launch, "run compiled kernels by their manifests"},
    {"disasm", et_tool_disasm, "machine code to NVIDIA's text"},
    {"asm", et_tool_asm, "NVIDIA's text to machine code"},
    {"pm4", et_tool_pm4, "check, decode and run AMD PM4 streams"},
    {"compare", et_tool_compare, "compare two pictures or raw files exactly"},
};

static void help(FILE *to)
{
    fprintf(to,
            "usage: etalon SUBCOMMAND [ARGUMENT ...]\n\nA GPU made of software: Maxwell and Ampere command "
            "streams, bit for bit.\n\n");
    for (size_t i = 0; i < ET_COUNT(subcommands); i++)
        fprintf(to, "  %-12s %s\n", subcommands[i].name, subcommands[i].about);
    fprintf(to, "\n`etalon SUBCOMMAND --help` tells more; `etalon --version` prints the version.\n");
}

/* libgomp's threads spin at the end of a region: on a busy machine a spinning thread holds the processor that the
 * region's last thread needs. It reads the policy as it is loaded, so the program starts once more with it set. */
static void wait_passively(char **argv)
{
#ifdef _OPENMP
    if (getenv("OMP_WAIT_POLICY") || getenv("GOMP_SPINCOUNT") || setenv("OMP_WAIT_POLICY", "passive", 1))
        return;
    execv("/proc/self/exe", argv); /* where that fails, the work is done without */
#else
    (void)argv;
#endif
}

int main(int argc, char **argv)
{
    wait_passively(argv);
    if (argc >= 2 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help"))) {
        help(stdout);
        return ET_TOOL_OK;
    }
    if (argc >= 2 && !strcmp(argv[1], "--version")) {
        puts("etalon " PACKAGE_VERSION);
        return ET_TOOL_OK;
    }
    for (size_t i = 0; argc >= 2 && i < ET_COUNT(subcommands); i++)
        if (!strcmp(argv[1], subcommands[i].name))
            return subcommands[i].run(argc - 1, argv + 1);
    if (argc >= 2)
        fprintf(stderr, "etalon: no subcommand '%s'\n\n", argv[1]);
    help(stderr);
    return ET_TOOL_USAGE;
}
