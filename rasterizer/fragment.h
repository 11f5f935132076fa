/* Between quads (fragment.c) and cells (cell.c): both become fragment warps of one worker, in order. */
#ifndef ET_RASTERIZER_FRAGMENT_H
#define ET_RASTERIZER_FRAGMENT_H

#include "rasterizer/output.h"

/* Queues a quad of fragments of 2^(rate & 15) x 2^(rate >> 4) pixels for a warp, behind the cells that wait.
 */
enum etalon_status et_fragment_enqueue(const struct et_raster_plan *plan, struct et_raster_worker *worker,
                                       struct et_raster_primitive *primitive, int32_t x, int32_t y,
                                       const uint16_t coverage[4], const uint16_t shown[4], uint8_t sample,
                                       uint8_t rate, struct etalon_error *error);
/* A pixel's samples without those that the primitive's depth cuts off, and those that pass the early tests.
 */
uint16_t et_fragment_cut(const struct et_raster_plan *plan, const struct et_raster_primitive *primitive,
                         int32_t x, int32_t y, uint16_t coverage);
uint16_t et_fragment_test(const struct et_raster_plan *plan, struct et_raster_worker *worker,
                          const struct et_raster_primitive *primitive, int32_t x, int32_t y,
                          uint16_t coverage, struct etalon_error *error);
/* Late tests and output of the queue's warp, all of rate 0, which has run; cell: what the queue is, or NULL.
 */
enum etalon_status et_fragment_finish(const struct et_raster_plan *plan, struct et_raster_worker *worker,
                                      const struct et_warp_io *io, const struct et_cell *cell,
                                      struct etalon_error *error);
/* The same of a queue with coarse quads: pixel by pixel. */
enum etalon_status et_fragment_spread(const struct et_raster_plan *plan, struct et_raster_worker *worker,
                                      const struct et_warp_io *io, struct etalon_error *error);
/* Runs the cells that wait. */
enum etalon_status et_cells_run(const struct et_raster_plan *plan, struct et_raster_worker *worker,
                                struct etalon_error *error);

#endif
