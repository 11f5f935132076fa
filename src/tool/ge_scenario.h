/* Scenarios of the PSP's display-list queue: one JSON object is a fresh queue, some memory and a list of
 * calls with what they have to answer. conformance/ge/README.md has the format. */
#ifndef ET_TOOL_GE_SCENARIO_H
#define ET_TOOL_GE_SCENARIO_H

#include "base/error.h"

#include <stdio.h>

struct cJSON;

/* When the GE runs. EAGER: before a call returns. LAZY: when the scenario says `advance`. SEEDED: anything
 * between, and callbacks that end later than their hook, by a generator that starts from the seed. */
enum et_ge_timing { ET_GE_EAGER, ET_GE_LAZY, ET_GE_SEEDED };

struct et_ge_play {
    enum et_ge_timing timing;
    uint64_t seed;
    FILE *trace; /* calls, events and commands are told there; NULL for silence */
};

/* Plays a scenario. ETALON_OK: every expectation held. ETALON_BAD_VALUE: `error` tells the first that did
 * not. ETALON_FORMAT: the scenario itself is not usable; `error` tells where. ETALON_NO_MEMORY. */
enum etalon_status et_ge_play(const struct cJSON *scenario, const struct et_ge_play *options,
                              struct etalon_error *error);
/* The scenario's name, or "unnamed". */
const char *et_ge_scenario_name(const struct cJSON *scenario);

/* Scenarios of one file: a JSON object or array of them, or a .tar.zst of such. Calls `use` for each until it
 * returns another status than ETALON_OK, which is returned. */
enum etalon_status et_ge_scenarios(const char *path,
                                   enum etalon_status (*use)(void *context, const struct cJSON *scenario,
                                                             struct etalon_error *error),
                                   void *context, struct etalon_error *error);

#endif
