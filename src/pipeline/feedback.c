/* Transform feedback: whole primitives, while they fit in every buffer of their stream. */
#include "pipeline/pipeline.h"

#include "base/bits.h"

enum { SKIP = 0xff };

static bool takes(const struct et_xfb_buffer *buffer, unsigned stream)
{
    return buffer->enable && buffer->stream == stream;
}

static bool fits(const struct et_run *run, unsigned stream, unsigned vertices)
{
    for (unsigned b = 0; b < ET_XFB_BUFFERS; b++) {
        const struct et_xfb_buffer *buffer = &run->draw->xfb[b];
        if (takes(buffer, stream) &&
            run->results->xfb_written[b] + (uint64_t)buffer->stride * vertices > buffer->size)
            return false;
    }
    return true;
}

/* Components go out in runs; skipped ones leave memory alone. */
static enum etalon_status write_vertex(struct et_run *run, const struct et_xfb_buffer *buffer,
                                       uint64_t address, const struct et_vertex_record *record)
{
    const unsigned components = ET_MIN(buffer->components, (unsigned)ET_COUNT(buffer->layout));
    uint32_t words[ET_COUNT(buffer->layout)];
    enum etalon_status status = ETALON_OK;
    for (unsigned i = 0; i < components && !status;) {
        const unsigned first = i;
        for (; i < components && buffer->layout[i] != SKIP; i++)
            words[i - first] = record->word[buffer->layout[i]];
        if (i > first)
            status = et_view_write(&run->pipeline->worker[0].view, address + first * 4, words,
                                   (i - first) * 4, run->error);
        else
            i++;
    }
    return status;
}

static enum etalon_status capture(struct et_run *run, const struct et_vertex_record *const *vertex,
                                  unsigned vertices, unsigned stream)
{
    enum etalon_status status = ETALON_OK;
    for (unsigned b = 0; b < ET_XFB_BUFFERS; b++) {
        const struct et_xfb_buffer *buffer = &run->draw->xfb[b];
        for (unsigned k = 0; k < vertices && takes(buffer, stream) && !status; k++) {
            status = write_vertex(run, buffer, buffer->address + run->results->xfb_written[b], vertex[k]);
            run->results->xfb_written[b] += buffer->stride;
        }
    }
    return status;
}

enum etalon_status et_run_feedback(struct et_run *run, const struct et_mesh *mesh)
{
    enum etalon_status status = ETALON_OK;
    for (size_t i = 0; i < mesh->primitives && !status; i++) {
        struct et_raster_input input;
        const unsigned stream = mesh->primitive[i].stream;
        et_mesh_corners(mesh, i, &input);
        run->results->counters.streaming_needed[stream]++;
        if (!fits(run, stream, input.corners))
            continue;
        status = capture(run, input.vertex, input.corners, stream);
        run->results->counters.streaming_succeeded[stream]++;
    }
    return status;
}
