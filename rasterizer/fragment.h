/* Between quads (fragment.c) and cells (cell.c): both become fragment warps of one worker, in order. */
#ifndef ET_RASTERIZER_FRAGMENT_H
#define ET_RASTERIZER_FRAGMENT_H

#include "rasterizer/output.h"

/* Queues a quad for a warp, behind the cells that wait. */
enum etalon_status et_fragment_enqueue(const struct et_raster_plan *plan, struct et_raster_worker *worker,
                                       struct et_raster_primitive *primitive, int32_t x, int32_t y,
                                       const uint16_t coverage[4], const uint16_t shown[4], uint8_t sample,
                                       struct etalon_error *error);
/* Late tests and output of the queue's warp, which has run; cell: what the queue is, or NULL. */
enum etalon_status et_fragment_finish(const struct et_raster_plan *plan, struct et_raster_worker *worker,
                                      const struct et_warp_io *io, const struct et_cell *cell,
                                      struct etalon_error *error);
/* Runs the cells that wait. */
enum etalon_status et_cells_run(const struct et_raster_plan *plan, struct et_raster_worker *worker,
                                struct etalon_error *error);

#endif
