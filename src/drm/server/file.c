/* An open file of the node: its device, address space and handles. */
#include "drm/server/server.h"

#include "base/alloc.h"
#include "base/bits.h"

#include <unistd.h>

static void count_trigger(void *context, const struct et_trigger *trigger)
{
    struct et_drm_file *file = context;
    struct et_drm_server *server = file->server;
    struct et_drm_statistics *statistics = &server->statistics;
    statistics->draws += trigger->kind == ET_TRIGGER_DRAW;
    statistics->clears += trigger->kind == ET_TRIGGER_CLEAR;
    statistics->dispatches += trigger->kind == ET_TRIGGER_DISPATCH;
    statistics->copies += trigger->kind == ET_TRIGGER_COPY || trigger->kind == ET_TRIGGER_BLIT;
    if (file->record)
        et_drm_record_trigger(file->record, trigger);
    if (server->options.trigger)
        server->options.trigger(server->options.trigger_context, trigger, file);
}

struct et_drm_file *et_drm_file_create(struct et_drm_server *server, int socket)
{
    struct et_drm_file *file = et_calloc(1, sizeof *file);
    struct et_device_options options = {.chip = server->chip,
                                        .threads = server->options.threads,
                                        .host_clock = server->options.host_clock,
                                        .listener = {.context = file, .trigger = count_trigger}};
    struct etalon_error error = {0};
    if (!file)
        return NULL;
    file->server = server;
    file->socket = socket;
    file->number = server->next_file++;
    file->last_job = &file->jobs;
    file->handles = et_calloc(ET_DRM_HANDLES, sizeof *file->handles);
    file->syncobjs = et_calloc(ET_DRM_HANDLES, sizeof *file->syncobjs);
    et_pagemap_init(&file->map, &server->ram, server->chip->va_bits);
    if (!file->handles || !file->syncobjs || et_device_create(&file->device, &options, &error)) {
        file->socket = -1;
        et_drm_file_destroy(file);
        return NULL;
    }
    if (server->options.capture)
        file->record = et_drm_record_create(file);
    return file;
}

static void drop_jobs(struct et_drm_file *file)
{
    file->lost = true; /* every job ends at once, its fence signalled for those who share it */
    while (et_drm_file_run(file))
        ;
}

void et_drm_file_destroy(struct et_drm_file *file)
{
    drop_jobs(file);
    if (file->record)
        et_drm_record_destroy(file->record);
    if (file->device) {
        file->server->statistics.instructions += et_device_executed(file->device).instructions;
        et_device_destroy(file->device);
    }
    for (size_t i = 0; i < file->mapping_count; i++)
        et_drm_bo_drop(file->server, file->mappings[i].bo);
    for (uint32_t h = 0; file->handles && h < ET_DRM_HANDLES; h++)
        if (file->handles[h])
            et_drm_drop_handle(file, h);
    for (uint32_t h = 0; file->syncobjs && h < ET_DRM_HANDLES; h++)
        et_drm_syncobj_drop(file->syncobjs[h]);
    et_free(file->handles);
    et_free(file->syncobjs);
    et_free(file->mappings);
    et_pagemap_finish(&file->map);
    if (file->socket >= 0)
        close(file->socket);
    et_free(file);
}
