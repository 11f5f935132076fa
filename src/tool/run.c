/* `etalon run` and `etalon capture`: a program on Mesa's own drivers, with Etalon as the GPU. */
#include "tool/tool.h"

#include "base/bits.h"
#include "drm/server/server.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static const char run_help[] =
    "usage: etalon run [OPTION ...] -- PROGRAM [ARGUMENT ...]\n"
    "\n"
    "Runs a Vulkan or OpenGL program on Mesa's NVK, zink or nvc0 driver, as the system ships it, with Etalon "
    "as the\n"
    "GPU behind a nouveau render node that only this program and its children see.\n"
    "\n"
    "  --chip NAME      gm204, gm20b, ga102 (default: what NOUVEAU_CHIPSET names, else ga102)\n"
    "  --driver NAME    of OpenGL programs: nvc0 or zink (default: zink on ga102, nvc0 else); Vulkan is "
    "always NVK\n"
    "  --ram MIB        memory of the GPU (default 16384, committed as it is used)\n"
    "  --threads N      threads (default: all)\n"
    "  --clock host|fixed  timestamps (default: host)\n"
    "  --capture DIR    record a capture that `etalon render` replays\n"
    "  --log FILE       a line a draw, dispatch and copy (- for stderr)\n"
    "  --stats          at exit: submissions, draws, clears, dispatches, copies, warps' instructions, "
    "faults\n"
    "  --require        exit 1 when nothing was executed\n"
    "Exit: the program's own; 1 with --require when nothing was executed; 2 when it could not be run. A GPU "
    "fault is a\n"
    "lost device to the program, and a line on stderr.\n";

static const char capture_help[] =
    "usage: etalon capture -o DIR [OPTION ...] -- PROGRAM [ARGUMENT ...]\n"
    "\n"
    "As `etalon run`, and records what the program submits: a capture for `etalon render`.\n"
    "With a fixed clock, so that the replay gives the same bytes.\n";

struct options {
    const char *chip, *driver, *capture, *log;
    unsigned long long ram, threads;
    bool host_clock, stats, require;
    char **program;
};

struct session {
    const struct options *options;
    FILE *log;
};

static void on_message(void *context, const char *text)
{
    (void)context;
    fprintf(stderr, "etalon: %s\n", text);
}

static void on_trigger(void *context, const struct et_trigger *trigger, const struct et_drm_file *file)
{
    const struct session *session = context;
    if (session->log)
        fprintf(session->log,
                "file %u event %" PRIu64 " %s channel %u class %04x method %04x count %u %u %u\n",
                file->number, trigger->event, et_trigger_kind_name(trigger->kind), trigger->channel,
                trigger->klass, trigger->method, trigger->count[0], trigger->count[1], trigger->count[2]);
}

/* The shim: beside the command when it runs from its build folder, else where it was installed. */
static bool find_shim(char *path, size_t size)
{
    char self[PATH_MAX];
    const char *given = getenv("ETALON_DRM_LIBRARY");
    const ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    char *slash;
    if (given) {
        snprintf(path, size, "%s", given);
        return !access(path, R_OK);
    }
    if (n > 0) {
        static const char *const places[] = {"/.libs/libetalon-drm.so", "/libetalon-drm.so",
                                             "/../libetalon-drm.so"};
        self[n] = 0;
        slash = strrchr(self, '/');
        if (slash)
            *slash = 0;
        for (size_t i = 0; i < ET_COUNT(places); i++) {
            snprintf(path, size, "%s%s", self, places[i]);
            if (!access(path, R_OK))
                return true;
        }
    }
    snprintf(path, size, "%s/libetalon-drm.so", PKGLIBDIR);
    return !access(path, R_OK);
}

static void add_preload(const char *shim)
{
    const char *old = getenv("LD_PRELOAD");
    char list[2 * PATH_MAX];
    snprintf(list, sizeof list, "%s%s%s", shim, old && *old ? ":" : "", old ? old : "");
    setenv("LD_PRELOAD", list, 1);
}

/* Which drivers the program's loaders take. */
static void choose_drivers(const struct options *options, const struct et_chip *chip)
{
    static const char *const icds[] = {"/usr/share/vulkan/icd.d/nouveau_icd.x86_64.json",
                                       "/usr/share/vulkan/icd.d/nouveau_icd.json"};
    const char *driver = options->driver;
    if (!driver)
        driver = chip->isa == ET_ISA_AMPERE ? "zink" : "nvc0";
    for (size_t i = 0; i < ET_COUNT(icds); i++)
        if (!access(icds[i], R_OK)) {
            setenv("VK_DRIVER_FILES", icds[i], 1);
            setenv("VK_ICD_FILENAMES", icds[i], 1);
        }
    setenv("NVK_I_WANT_A_BROKEN_VULKAN_DRIVER", "1", 1);
    /* There is no display hardware: frames go to the window system as images. The user may say otherwise. */
    setenv("MESA_VK_WSI_DEBUG", "sw", 0);
    /* An X server without DRI3 takes images too; zink must be told. */
    setenv("LIBGL_KOPPER_DRI2", "1", 0);
    setenv("MESA_LOADER_DRIVER_OVERRIDE", !strcmp(driver, "nvc0") ? "nouveau" : driver, 1);
    setenv("GALLIUM_DRIVER", !strcmp(driver, "nvc0") ? "nouveau" : driver, 1);
}

static pid_t start(const struct options *options, const struct et_drm_server *server, const char *shim)
{
    sigset_t signals;
    pid_t pid;
    et_drm_server_signals(&signals);
    sigprocmask(SIG_BLOCK, &signals, NULL);
    pid = fork();
    if (pid)
        return pid;
    sigprocmask(SIG_UNBLOCK, &signals, NULL);
    signal(SIGINT, SIG_DFL);
    signal(SIGPIPE, SIG_DFL);
    setenv(ET_DRM_SOCKET, server->socket_path, 1);
    setenv(ET_DRM_TREE, server->folder, 1);
    if (options->capture)
        setenv(ET_DRM_RECORDS, "1", 1);
    choose_drivers(options, server->chip);
    add_preload(shim);
    execvp(options->program[0], options->program);
    fprintf(stderr, "etalon: cannot run %s: %s\n", options->program[0], strerror(errno));
    _exit(127);
}

static void print_statistics(const struct et_drm_statistics *s)
{
    fprintf(stderr,
            "etalon: %" PRIu64 " submissions, %" PRIu64 " draws, %" PRIu64 " clears, %" PRIu64
            " dispatches, %" PRIu64 " copies, %" PRIu64 " instructions, %" PRIu64 " faults\n",
            s->submissions, s->draws, s->clears, s->dispatches, s->copies, s->instructions, s->faults);
}

static int finish(const struct options *options, const struct et_drm_server *server, int wait_status)
{
    const struct et_drm_statistics *s = &server->statistics;
    if (options->stats)
        print_statistics(s);
    if (options->require && !(s->draws + s->dispatches + s->copies + s->clears)) {
        fprintf(stderr, "etalon: nothing was executed\n");
        return ET_TOOL_DIFFERENT;
    }
    if (WIFSIGNALED(wait_status))
        return 128 + WTERMSIG(wait_status);
    return WEXITSTATUS(wait_status) == 127 ? ET_TOOL_USAGE : WEXITSTATUS(wait_status);
}

static int run(const char *name, const struct options *options)
{
    struct session session = {.options = options};
    struct et_drm_options server_options = {.chip = options->chip,
                                            .ram_bytes = options->ram << 20,
                                            .threads = (int)options->threads,
                                            .host_clock = options->host_clock,
                                            .capture = options->capture,
                                            .message = on_message,
                                            .trigger = on_trigger,
                                            .trigger_context = &session};
    struct et_drm_server server;
    struct etalon_error error = {0};
    char shim[PATH_MAX];
    int wait_status = 0, result;
    pid_t pid;
    if (!find_shim(shim, sizeof shim))
        return et_tool_usage(name, "libetalon-drm.so is not where it was built or installed");
    if (options->log && !(session.log = !strcmp(options->log, "-") ? stderr : fopen(options->log, "w")))
        return et_tool_usage(name, "cannot write %s: %s", options->log, strerror(errno));
    if (et_drm_server_create(&server, &server_options, &error)) {
        if (session.log && session.log != stderr)
            fclose(session.log);
        return et_tool_error(name, &error);
    }
    signal(SIGPIPE, SIG_IGN);
    signal(SIGINT, SIG_IGN); /* the program gets it, and its end is ours */
    fprintf(stderr, "etalon: %s (3D %04X, compute %04X)\n", server.chip->title, server.chip->threed,
            server.chip->compute);
    pid = start(options, &server, shim);
    if (pid > 0)
        et_drm_server_run(&server, pid, &wait_status);
    result = pid > 0 ? finish(options, &server, wait_status) : ET_TOOL_USAGE;
    et_drm_server_destroy(&server);
    if (session.log && session.log != stderr)
        fclose(session.log);
    return result;
}

static const char *default_chip(void)
{
    const char *chipset = getenv("NOUVEAU_CHIPSET");
    const struct et_chip *chip = chipset ? et_chip_by_chipset((uint32_t)strtoul(chipset, NULL, 16)) : NULL;
    return chip ? chip->name : "ga102";
}

static int parse(const char *name, const char *help, int argc, char **argv, struct options *options)
{
    static const char *const drivers[] = {"nvc0", "zink", NULL}, *const clocks[] = {"host", "fixed", NULL};
    const char *clock = options->host_clock ? "host" : "fixed";
    const struct et_tool_option known[] = {
        et_option_text("--chip", &options->chip),
        et_option_choice("--driver", &options->driver, drivers),
        et_option_text("--capture", &options->capture),
        et_option_text("-o", &options->capture),
        et_option_text("--log", &options->log),
        et_option_flag("--stats", &options->stats),
        et_option_flag("--require", &options->require),
        et_option_choice("--clock", &clock, clocks),
        et_option_number("--ram", &options->ram, 64, 1 << 20),
        et_option_number("--threads", &options->threads, 1, ET_TOOL_THREADS)};
    const struct et_tool_syntax syntax = {.name = name,
                                          .help = help,
                                          .options = known,
                                          .option_count = ET_COUNT(known),
                                          .wanted = "a program",
                                          .program = true};
    int count;
    const int result = et_tool_arguments(&syntax, argc, argv, &count);
    options->host_clock = !strcmp(clock, "host");
    options->program = argv;
    return result;
}

int et_tool_run(int argc, char **argv)
{
    struct options options = {.chip = default_chip(), .host_clock = true};
    const int result = parse("run", run_help, argc, argv, &options);
    return result != ET_TOOL_GO ? result : run("run", &options);
}

int et_tool_capture(int argc, char **argv)
{
    struct options options = {.chip = default_chip()};
    const int result = parse("capture", capture_help, argc, argv, &options);
    if (result != ET_TOOL_GO)
        return result;
    return options.capture ? run("capture", &options) : et_tool_usage("capture", "-o DIR is needed");
}
