/* The 3D engine's object. */
#ifndef ET_ENGINE_THREED_H
#define ET_ENGINE_THREED_H

#include "engine/internal.h"
#include "pipeline/draw.h"

#define ET_BIND_GROUPS 5u
#define ET_BIND_SLOTS  18u
#define ET_ROOT_TABLES 8u
#define ET_ROOT_BANK   24u /* of table 0 */

/* A draw that waits for the next BEGIN: instances of one draw come one BEGIN each on Maxwell, and are run as
 * one. */
struct et_pending_draw {
    bool any;
    uint32_t method, value, instances;
    uint64_t address;
    bool in_macro;
    enum et_draw_source source;
    uint32_t topology, first, count, first_instance;
    bool continues_primitives; /* BEGIN PRIMITIVE_ID UNCHANGED */
    bool ignores_base_vertex, ignores_base_instance;
    int32_t index_size; /* of the short index draws; -1: the register's */
    uint32_t begin;     /* number of the BEGIN that it came after; 0: a whole draw in one method */
    uint32_t last;      /* how many of the instances that BEGIN added */
};

struct et_threed {
    struct et_engine engine;
    struct et_draw_bank bank[ET_BIND_GROUPS][ET_BANKS];
    bool banks_dirty;
    uint8_t root_table[ET_ROOT_TABLES][256];

    /* BEGIN to END. */
    bool begun, edge_inner; /* edge_inner: SET_EDGE_FLAG is off */
    uint32_t begin, instance;
    bool instance_from_begin; /* the first draw of this BEGIN has not come */
    uint32_t primitive_id;    /* of the next draw that keeps counting */
    bool apart;               /* a draw of this BEGIN has run: what comes counts primitives on */
    uint32_t begins;          /* number of this BEGIN */
    /* Inline indices, and what several draws between BEGIN and END come to. */
    uint32_t *inline_index;
    uint8_t *inline_inner; /* edge flags that are off */
    size_t inline_count, inline_capacity, inner_capacity;
    struct et_pending_draw pending;

    struct et_draw draw; /* kept between draws: only what changed is filled again */
    bool filled;
    uint32_t privileged_raster; /* the environment's, as it was filled */
    struct et_draw_results results;
};

/* Brings threed->draw's state up to date with the registers; all of it when `all`. */
void et_threed_fill(struct et_threed *threed, bool all);
/* The rectangle and targets of CLEAR_SURFACE. */
void et_threed_fill_clear(struct et_threed *threed, uint32_t surface, struct et_clear *clear);

/* The registers as a channel finds them. */
enum etalon_status et_threed_reset(struct et_engine *engine, struct etalon_error *error);

#endif
