/* A fragment warp's colours into targets. */
#ifndef ET_RASTERIZER_OUTPUT_H
#define ET_RASTERIZER_OUTPUT_H

#include "rasterizer/raster.h"

/* Shader output `output` of a lane; components that it does not write are 0, 0, 0, 1. */
void et_output_read(const struct et_raster_plan *plan, const uint32_t (*registers)[ET_LANES], unsigned lane,
                    unsigned output, uint32_t color[4]);

/* A smooth line's alpha times the part of the pixel that it covers. [DOC: OpenGL 4.6 compatibility 17.1] */
void et_output_fade(const struct et_raster_state *state, const struct et_fragment_queue *queue, unsigned lane,
                    uint32_t color[4]);

/* Writes the colours of the queue's lanes: coverage[lane] holds the samples that take them. whole: the cell
 * that the queue is, or NULL. The scalar path is the specification; the wide ones give the same bytes. */
enum etalon_status et_output_colors(const struct et_raster_plan *plan, struct et_raster_worker *worker,
                                    const uint32_t (*registers)[ET_LANES], const uint16_t coverage[ET_LANES],
                                    const struct et_cell *whole, struct etalon_error *error);
/* Whether cells may go by et_output_cells. */
bool et_output_takes_cells(const struct et_raster_plan *plan);
/* Writes the colours of cells, to what is left of each: register n of cell k is registers[n * cells + k]. */
enum etalon_status et_output_cells(const struct et_raster_plan *plan, struct et_raster_worker *worker,
                                   const struct et_cell *cell, unsigned cells,
                                   const uint32_t (*registers)[ET_LANES], struct etalon_error *error);
/* The scalar path alone. */
enum etalon_status et_output_colors_scalar(const struct et_raster_plan *plan, struct et_raster_worker *worker,
                                           const uint32_t (*registers)[ET_LANES],
                                           const uint16_t coverage[ET_LANES], struct etalon_error *error);

#endif
