/* Statuses and the error record shared by every public header.
 *
 * A function that can fail returns enum etalon_status and, where it takes one, fills a caller-owned
 * struct etalon_error with the place. Nothing written before the error is lost. */
#ifndef ETALON_ERROR_H
#define ETALON_ERROR_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define ETALON_API __attribute__((visibility("default")))
#else
#define ETALON_API
#endif

/* One status a cause; names: etalon_status_name. */
#define ETALON_STATUSES(X)                                                                                   \
    X(OK, "ok")                                                                                              \
    X(INVALID, "invalid argument")                                                                           \
    X(NO_MEMORY, "out of memory")                                                                            \
    X(IO, "input or output failed")                                                                          \
    X(FORMAT, "malformed input")                                                                             \
    X(TRUNCATED, "truncated input")                                                                          \
    X(UNSUPPORTED, "unsupported")                                                                            \
    X(UNMAPPED, "unmapped address")                                                                          \
    X(READ_ONLY, "write to read-only memory")                                                                \
    X(MISALIGNED, "misaligned address")                                                                      \
    X(BOUNDS, "out of bounds")                                                                               \
    X(BAD_HEADER, "illegal pushbuffer header")                                                               \
    X(UNKNOWN_CLASS, "unknown class")                                                                        \
    X(UNKNOWN_METHOD, "unknown method")                                                                      \
    X(EMPTY_SUBCHANNEL, "no object bound to the subchannel")                                                 \
    X(BAD_VALUE, "value outside the field's enumeration")                                                    \
    X(MACRO, "macro fault")                                                                                  \
    X(BAD_SHADER, "malformed shader program")                                                                \
    X(ILLEGAL_INSTRUCTION, "illegal instruction")                                                            \
    X(STACK, "call or convergence stack fault")                                                              \
    X(BUDGET, "budget exhausted")                                                                            \
    X(DEADLOCK, "deadlock")                                                                                  \
    X(TRAP, "trap")                                                                                          \
    X(CANCELLED, "cancelled")                                                                                \
    X(INTERNAL, "internal invariant broken")

enum etalon_status {
#define ETALON_STATUS_ENUM(name, text) ETALON_##name,
    ETALON_STATUSES(ETALON_STATUS_ENUM)
#undef ETALON_STATUS_ENUM
        ETALON_STATUS_COUNT
};

/* Which of the place's fields below are meaningful. */
enum etalon_place {
    ETALON_AT_CHANNEL = 1 << 0,
    ETALON_AT_ADDRESS = 1 << 1,
    ETALON_AT_METHOD = 1 << 2,
    ETALON_AT_VALUE = 1 << 3,
    ETALON_AT_EVENT = 1 << 4,
    ETALON_AT_WARP = 1 << 5,
    ETALON_AT_LANE = 1 << 6,
    ETALON_AT_PC = 1 << 7,
    ETALON_AT_OFFSET = 1 << 8
};

/* Caller-owned; zero-initialise. `text` is one line without a newline, always terminated. */
struct etalon_error {
    enum etalon_status status;
    uint32_t at;      /* set of enum etalon_place */
    uint32_t channel; /* channel (or queue) number */
    uint32_t klass;   /* class that owns the method, 0 for the host */
    uint64_t address; /* GPU virtual address of the word, or of the access that failed */
    uint32_t method;  /* byte offset of the method */
    uint32_t value;   /* the word written */
    uint64_t event;   /* number of the trigger (draw, dispatch, copy ...) */
    uint32_t warp;    /* warp within the launch */
    uint32_t lane;    /* lane within the warp */
    uint64_t pc;      /* byte offset of the instruction in its program */
    uint64_t offset;  /* byte offset in the input file */
    char text[256];
};

/* The status's name in plain words; "unknown status" outside the enumeration. Never NULL. */
ETALON_API const char *etalon_status_name(enum etalon_status status);

#ifdef __cplusplus
}
#endif
#endif
