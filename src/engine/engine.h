/* Engines: objects that take runs of methods. One file a class; what they share is here. */
#ifndef ET_ENGINE_ENGINE_H
#define ET_ENGINE_ENGINE_H

#include "engine/chip.h"
#include "engine/class.h"
#include "engine/registers.h"
#include "memory/pagemap.h"

struct et_draw; /* pipeline/draw.h */
struct et_pipeline;
struct et_shader_cache; /* shader/cache.h */

/* What happened, in order; an event number each. */
enum et_trigger_kind {
    ET_TRIGGER_DRAW,
    ET_TRIGGER_CLEAR,
    ET_TRIGGER_DISPATCH,
    ET_TRIGGER_COPY,      /* copy engine */
    ET_TRIGGER_BLIT,      /* 2D: pixels from memory */
    ET_TRIGGER_FILL,      /* 2D: solid primitives and pixels from the CPU */
    ET_TRIGGER_INLINE,    /* inline-to-memory, in any class */
    ET_TRIGGER_CONSTANTS, /* constant-buffer loads */
    ET_TRIGGER_REPORT,    /* reports, semaphore releases and notifiers */
    ET_TRIGGER_KINDS
};
const char *et_trigger_kind_name(enum et_trigger_kind kind);

/* One trigger: as frozen before it acts, and with its status afterwards. */
struct et_trigger {
    uint64_t event;
    enum et_trigger_kind kind;
    uint32_t channel, subchannel;
    uint16_t klass, method; /* method: bytes; 0 and below 0x100: the host's */
    uint32_t value;         /* the word that triggered */
    uint64_t address;       /* of that word in the pushbuffer; of the macro's call when in_macro */
    bool in_macro;
    uint64_t target, bytes; /* memory written by copies, inline data, constants, reports */
    uint32_t
        count[3]; /* draw: vertices or indices, instances, first; dispatch: grid; copy: length, lines, 0 */
    const struct et_registers *registers; /* frozen; et_registers_share keeps them */
    const struct et_draw *draw;           /* draws and clears */
    enum etalon_status status;            /* after it acted */
    const struct etalon_error *error;     /* when status is not ETALON_OK */
};

/* One method as an engine or the host takes it. */
struct et_method_event {
    uint32_t channel, subchannel;
    uint16_t klass;  /* 0 where the subchannel is empty */
    uint16_t method; /* bytes */
    uint32_t value;
    uint64_t address; /* of the word in the pushbuffer; of the macro's call when depth > 0 */
    unsigned depth;   /* 0: from the pushbuffer; 1: sent by a macro */
};

/* Who listens. Any function may be NULL. They run on the thread that runs the device and must not enter it.
 */
struct et_listener {
    void *context;
    void (*trigger)(void *context, const struct et_trigger *trigger); /* frozen, before it acts */
    void (*done)(void *context, const struct et_trigger *trigger);    /* after it acted */
    void (*method)(void *context, const struct et_method_event *event);
    void (*fault)(void *context, uint32_t channel, const struct etalon_error *error);
    void (*interrupt)(void *context, uint32_t channel,
                      uint32_t method); /* awaken, non-stall, trap handlers */
    int (*cancelled)(void *context); /* not 0: the run ends in ETALON_CANCELLED at the next word or yield */
};

/* A wait that is not met: blocked is a state. */
struct et_wait {
    bool blocked;
    bool syncpoint; /* address is a syncpoint's index */
    uint64_t address, wanted, seen;
};

/* Which triggers end in no effect on memory (a bit 1 << enum et_trigger_kind each): decoders skip the heavy
 * ones. */
typedef uint32_t et_skip;

/* What the device and the channel lend an engine. */
struct et_environment {
    const struct et_chip *chip;
    struct et_view view; /* of the channel's address space; its event is the current trigger's */
    uint32_t channel, subchannel;
    uint64_t *event;                        /* the device's counter */
    uint64_t (*clock)(void *clock_context); /* timer units */
    void *clock_context;
    const struct et_listener *listener;
    et_skip skip;
    int threads;
    struct et_budget budget;
    struct et_shader_cache *shaders; /* of dispatches */
    struct et_pipeline *pipeline;    /* runs draws and clears */
    struct et_counts *executed;      /* shaders add what they ran; NULL: nobody asks */
    uint32_t *scratch;               /* MME shadow scratch of the channel; SET_FALCON04 answers there */
    uint32_t privileged_raster;      /* register ET_PRIVILEGED_RASTER: see threed_state.c */
    uint64_t address;                /* of the word being executed */
    bool in_macro;
    bool keep_going; /* an unsupported trigger is reported and passed over instead of faulting */
    struct et_wait wait;
    void (*sync_point)(void *device, uint32_t index); /* increments one */
    void *device;
    uint64_t unsupported; /* triggers passed over */
    struct etalon_error first_unsupported;
};

/* The privileged registers that the firmware writes and that change pixels. */
enum { ET_PRIVILEGED_RASTER = 0x418800 };

enum et_run_mode { ET_RUN_INCREASING, ET_RUN_CONSTANT, ET_RUN_INCREASE_ONCE };

/* Byte offset of word i of a run that starts at `method`. */
static inline uint32_t et_run_method(uint32_t method, enum et_run_mode mode, size_t i)
{
    switch (mode) {
    case ET_RUN_INCREASING:
        return (uint32_t)(method + 4 * i);
    case ET_RUN_INCREASE_ONCE:
        return method + (i ? 4 : 0);
    default:
        return method;
    }
}

struct et_engine;

/* Does what an acting method does; its register already holds the value. i: index in the method's array. */
typedef enum etalon_status (*et_action)(struct et_engine *engine, uint32_t method, unsigned i, uint32_t value,
                                        struct etalon_error *error);

struct et_action_row {
    const char *method; /* its name; NULL ends a list */
    et_action act;
};

/* An engine's own part. */
struct et_engine_type {
    size_t size; /* of the struct that begins with struct et_engine */
    const struct et_action_row *actions;
    enum etalon_status (*init)(struct et_engine *engine, struct etalon_error *error); /* may be NULL */
    void (*finish)(struct et_engine *engine);                                         /* may be NULL */
    /* Takes words of a run to a method that uploads (constants, inline data); returns how many it took, 0:
     * none, the run goes on word by word. May be NULL. */
    size_t (*upload)(struct et_engine *engine, uint32_t method, enum et_run_mode mode, const uint32_t *words,
                     size_t count, enum etalon_status *status, struct etalon_error *error);
    /* The value of a report counter; ETALON_BAD_VALUE. NULL: the class counts nothing. */
    enum etalon_status (*counter)(struct et_engine *engine, uint32_t report, uint32_t sub_report,
                                  uint64_t *value, struct etalon_error *error);
    /* Runs what waits for more (a draw for its next instances); called before anything else happens. May be
     * NULL. */
    enum etalon_status (*flush)(struct et_engine *engine, struct etalon_error *error);
    /* Whether this write may come while something waits. Goes with flush. */
    bool (*keeps_pending)(const struct et_engine *engine, const struct et_method *row, uint32_t method,
                          uint32_t value);
};

/* Inline-to-memory in progress. */
struct et_inline {
    bool open;
    struct et_trigger trigger;
    uint64_t line, byte; /* position in the image */
};

/* The common head of every engine object. */
struct et_engine {
    const struct et_engine_type *type;
    const struct et_class *klass;
    struct et_environment *environment;
    struct et_registers registers;
    struct et_inline upload;
    bool render_enabled, render_enabled_globally; /* what the SET_*RENDER_ENABLE_C methods found */
    uint16_t override;                            /* SET_RENDER_ENABLE_OVERRIDE, 0: the class has none */
    et_action *actions;                           /* by row of the class; NULL where nothing acts here */
    uint16_t index[ET_METHODS];                   /* row + 1 by dword method */
};

/* The type that serves a class, or NULL. */
const struct et_engine_type *et_engine_type_of(uint32_t klass);
/* Acting methods that the host executes before they come here: the macro processor's and SET_OBJECT. */
bool et_engine_is_front_end(const struct et_method *method);

/* An object of a class; ETALON_UNKNOWN_CLASS. The environment must outlive it. */
enum etalon_status et_engine_create(struct et_engine **engine, uint32_t klass,
                                    struct et_environment *environment, struct etalon_error *error);
void et_engine_destroy(struct et_engine *engine);

/* Executes a run; *done gets the words taken. Stops early with ETALON_OK when environment->wait.blocked
 * became set: word *done is to be offered again. On an error, word *done is the one at fault and the error
 * names class, method, value. Word i is at environment->address + 4 * i unless environment->in_macro. */
enum etalon_status et_engine_methods(struct et_engine *engine, uint32_t method, enum et_run_mode mode,
                                     const uint32_t *words, size_t count, size_t *done,
                                     struct etalon_error *error);

/* Runs what an engine still holds back. */
enum etalon_status et_engine_flush(struct et_engine *engine, struct etalon_error *error);

/* Opens a trigger: numbers it, freezes `engine` (NULL: the host), tells the listener. Returns false when its
 * kind is to be skipped. et_trigger_close ends it with its status, and returns the status to go on with: an
 * unsupported trigger may be passed over. The caller may set target, bytes, count and draw before it opens
 * the trigger. */
bool et_trigger_open(struct et_environment *environment, const struct et_engine *engine,
                     struct et_trigger *trigger, enum et_trigger_kind kind, uint32_t method, uint32_t value);
enum etalon_status et_trigger_close(struct et_environment *environment, struct et_trigger *trigger,
                                    enum etalon_status status, struct etalon_error *error);

/* Whether draws, clears, blits and launches are enabled: conditional rendering with its override. */
bool et_engine_renders(const struct et_engine *engine);

#endif
