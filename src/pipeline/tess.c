/* Tessellation. */
#include "pipeline/pipeline.h"

void et_tess_scratch_destroy(struct et_tess_scratch *scratch)
{
    (void)scratch;
}

enum etalon_status et_run_tessellation(struct et_run *run, const struct et_mesh *in, struct et_mesh *out)
{
    (void)in;
    (void)out;
    return et_fail(run->error, ETALON_UNSUPPORTED, "tessellation");
}
