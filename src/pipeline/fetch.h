/* Vertex fetch: attributes of streams into input records. */
#ifndef ET_PIPELINE_FETCH_H
#define ET_PIPELINE_FETCH_H

#include "isa/interp/columns.h"
#include "pipeline/draw.h"
#include "shader/sph.h"

/* A width of vertex attributes: component sizes from the least significant bit. */
struct et_attribute_format {
    uint8_t value; /* COMPONENT_BIT_WIDTHS */
    uint8_t bytes;
    uint8_t width[4];  /* bits of the components in memory order; 0: none */
    uint8_t target[4]; /* component r g b a that each one is */
    const char *name;
};
/* Row i of the table, NULL past its end. */
const struct et_attribute_format *et_attribute_format_row(unsigned i);

/* Components of one element as registers get them; type: NUMERICAL_TYPE. Missing ones are 0 0 0 1. */
void et_attribute_decode(const struct et_attribute_format *format, unsigned type, bool swap,
                         const uint8_t *bytes, uint32_t out[4]);

struct et_fetch_attribute {
    const struct et_attribute_format *format; /* NULL: not fetched, `fixed` instead */
    uint8_t word, type, stream;
    uint8_t mask; /* components that the program reads */
    bool swap;
    uint32_t offset;
    uint32_t fixed[4];
};

struct et_fetch_plan {
    const struct et_draw *draw;
    unsigned count;
    struct et_fetch_attribute attribute[ET_ATTRIBUTES];
    bool instance_id, vertex_id;
    bool instanced;          /* something that is read differs between instances */
    uint16_t vertex_id_word; /* the attribute word that the vertex id is; 0: none */
    et_gather_fn *gather;
};

/* Which vertex a lane fetches. */
struct et_fetch_vertex {
    uint32_t number;   /* addresses per-vertex streams: base vertex included */
    uint32_t id;       /* as the program sees it */
    uint32_t instance; /* without the base instance */
};

/* ETALON_BAD_VALUE for an attribute whose format or type means nothing. */
enum etalon_status et_fetch_plan_make(struct et_fetch_plan *plan, const struct et_draw *draw,
                                      const struct et_sph *vertex, struct etalon_error *error);
/* Makes columns ready for the plan's vertices: words that it does not fill are zero. */
void et_fetch_start(const struct et_fetch_plan *plan, struct et_columns *columns);
/* Fills the words that the program reads of lanes 0..count - 1 (a warp's at most) of lane; those behind them
 * are left with anything. lane: a warp's first in columns (a multiple of ET_LANES). */
enum etalon_status et_fetch(const struct et_fetch_plan *plan, struct et_view *view,
                            const struct et_fetch_vertex *vertex, unsigned count, struct et_columns *columns,
                            unsigned lane, struct etalon_error *error);

#endif
