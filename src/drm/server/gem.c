/* Buffer objects, their handles and descriptors, and the address space's mappings. */
#include "drm/server/server.h"

#include "base/alloc.h"
#include "base/bits.h"

#include <errno.h>

#define LEGACY_VA_START UINT64_C(0x100000)
#define LEGACY_VA_END   (UINT64_C(1) << 40)

struct et_drm_bo *et_drm_bo_create(struct et_drm_server *server, uint64_t size)
{
    struct et_drm_bo *bo;
    const uint64_t offset = size && size <= server->ram.size ? et_drm_heap_take(&server->heap, size) : 0;
    if (!offset)
        return NULL;
    bo = et_calloc(1, sizeof *bo);
    if (!bo) {
        et_drm_heap_give(&server->heap, offset, size);
        return NULL;
    }
    *bo = (struct et_drm_bo){.number = server->next_bo++, .offset = offset, .size = size, .references = 1};
    server->bytes_live += size;
    return bo;
}

void et_drm_bo_drop(struct et_drm_server *server, struct et_drm_bo *bo)
{
    if (!bo || --bo->references)
        return;
    server->bytes_live -= bo->size;
    et_drm_heap_give(&server->heap, bo->offset, bo->size);
    et_free(bo);
}

struct et_drm_bo *et_drm_bo_of(const struct et_drm_file *file, uint32_t handle)
{
    return handle < ET_DRM_HANDLES ? file->handles[handle] : NULL;
}

void et_drm_drop_handle(struct et_drm_file *file, uint32_t handle)
{
    struct et_drm_bo *bo = file->handles[handle];
    file->handles[handle] = NULL;
    if (!--bo->handles && bo->name) {
        file->server->names[bo->name - 1] = NULL;
        bo->name = 0;
    }
    et_drm_bo_drop(file->server, bo);
}

/* A new handle; it takes over the caller's reference. */
static uint32_t new_handle(struct et_drm_file *file, struct et_drm_bo *bo)
{
    for (uint32_t n = 0; n < ET_DRM_HANDLES; n++) {
        const uint32_t handle = (file->last_handle + 1 + n) % ET_DRM_HANDLES;
        if (handle && !file->handles[handle]) {
            file->handles[handle] = bo;
            file->last_handle = handle;
            bo->handles++;
            return handle;
        }
    }
    return 0;
}

/* There is room for it. */
static void add_mapping(struct et_drm_file *file, const struct et_drm_mapping *mapping)
{
    size_t at = file->mapping_count;
    while (at && file->mappings[at - 1].va > mapping->va)
        at--;
    memmove(file->mappings + at + 1, file->mappings + at,
            (file->mapping_count - at) * sizeof *file->mappings);
    file->mappings[at] = *mapping;
    file->mapping_count++;
    mapping->bo->references++;
}

static void remove_mapping(struct et_drm_file *file, size_t at)
{
    struct et_drm_bo *bo = file->mappings[at].bo;
    memmove(file->mappings + at, file->mappings + at + 1,
            (file->mapping_count - at - 1) * sizeof *file->mappings);
    file->mapping_count--;
    et_drm_bo_drop(file->server, bo);
}

/* Drops what the list says of va..va+size, keeping what sticks out on either side; there is room for two
 * more. */
static void cut_mappings(struct et_drm_file *file, uint64_t va, uint64_t size)
{
    const uint64_t end = va + size;
    size_t i = 0;
    while (i < file->mapping_count && file->mappings[i].va + file->mappings[i].size <= va)
        i++;
    while (i < file->mapping_count && file->mappings[i].va < end) {
        const struct et_drm_mapping old = file->mappings[i];
        struct et_drm_mapping left = old, right = old;
        old.bo->references++;
        remove_mapping(file, i);
        left.size = old.va < va ? va - old.va : 0;
        right.va = end;
        right.size = old.va + old.size > end ? old.va + old.size - end : 0;
        right.bo_offset += end - old.va;
        if (left.size) {
            add_mapping(file, &left);
            i++;
        }
        if (right.size)
            add_mapping(file, &right);
        et_drm_bo_drop(file->server, old.bo);
    }
}

static bool room_for_mappings(struct et_drm_file *file)
{
    return et_grow(&file->mappings, &file->mapping_capacity, file->mapping_count + 3, sizeof *file->mappings);
}

static int status_errno(enum etalon_status status)
{
    return status == ETALON_OK ? 0 : status == ETALON_NO_MEMORY ? -ENOMEM : -EINVAL;
}

int et_drm_map(struct et_drm_file *file, uint64_t va, uint64_t size, struct et_drm_bo *bo, uint64_t bo_offset,
               uint32_t kind)
{
    const struct et_drm_mapping mapping = {va, size, bo_offset, bo, kind, false};
    struct etalon_error error = {0};
    int result;
    if (bo_offset > bo->size || size > bo->size - bo_offset)
        return -EINVAL;
    if (!room_for_mappings(file))
        return -ENOMEM;
    result = status_errno(
        et_pagemap_map(&file->map, va, size, bo->offset + bo_offset, ET_READ | ET_WRITE, kind, &error));
    if (result)
        return result;
    bo->references++; /* it may be what is cut */
    cut_mappings(file, va, size);
    add_mapping(file, &mapping);
    et_drm_bo_drop(file->server, bo);
    if (file->record)
        et_drm_record_map(file->record, VM_BIND_MAP, va, size, bo, bo_offset, kind);
    return 0;
}

static int map_sparse(struct et_drm_file *file, uint64_t va, uint64_t size)
{
    struct etalon_error error = {0};
    int result;
    if (!room_for_mappings(file))
        return -ENOMEM;
    result = status_errno(et_pagemap_map_sparse(&file->map, va, size, &error));
    if (result)
        return result;
    cut_mappings(file, va, size);
    if (file->record)
        et_drm_record_map(file->record, VM_BIND_MAP | VM_BIND_SPARSE, va, size, NULL, 0, 0);
    return 0;
}

int et_drm_unmap(struct et_drm_file *file, uint64_t va, uint64_t size)
{
    struct etalon_error error = {0};
    int result;
    if (!room_for_mappings(file))
        return -ENOMEM;
    result = status_errno(et_pagemap_unmap(&file->map, va, size, &error));
    if (result)
        return result;
    if (file->record)
        et_drm_record_map(file->record, VM_BIND_UNMAP, va, size, NULL, 0, 0);
    cut_mappings(file, va, size);
    return 0;
}

static struct et_drm_mapping *legacy_mapping(const struct et_drm_file *file, const struct et_drm_bo *bo)
{
    for (size_t i = 0; i < file->mapping_count; i++)
        if (file->mappings[i].bo == bo)
            return &file->mappings[i];
    return NULL;
}

uint64_t et_drm_legacy_va(const struct et_drm_file *file, const struct et_drm_bo *bo)
{
    const struct et_drm_mapping *mapping = file->managed ? NULL : legacy_mapping(file, bo);
    return mapping ? mapping->va : 0;
}

void et_drm_reap_closed(struct et_drm_file *file)
{
    for (size_t i = 0; file->any_closed && i < file->mapping_count;) {
        const struct et_drm_mapping mapping = file->mappings[i];
        if (!mapping.closed || et_drm_unmap(file, mapping.va, mapping.size))
            i++;
    }
    file->any_closed = false;
}

static void fill_info(const struct et_drm_file *file, struct nouveau_gem_info *info,
                      const struct et_drm_bo *bo, uint32_t handle)
{
    *info = (struct nouveau_gem_info){.handle = handle,
                                      .domain = bo->domain & DOMAIN_VRAM ? DOMAIN_VRAM : DOMAIN_GART,
                                      .size = bo->size,
                                      .offset = et_drm_legacy_va(file, bo),
                                      .map_handle = bo->offset,
                                      .tile_mode = bo->tile_mode,
                                      .tile_flags = bo->tile_flags};
}

/* A free range of the legacy space: after the last one that was given, else the first from the start. */
static uint64_t find_va(const struct et_drm_file *file, uint64_t size, uint64_t unit)
{
    const uint64_t starts[] = {ET_MAX(file->next_va, LEGACY_VA_START), LEGACY_VA_START};
    for (size_t turn = 0; turn < ET_COUNT(starts); turn++) {
        uint64_t va = et_align_up(starts[turn], unit);
        for (size_t i = 0; i < file->mapping_count; i++) {
            const struct et_drm_mapping *mapping = &file->mappings[i];
            if (mapping->va + mapping->size <= va)
                continue;
            if (mapping->va >= va && mapping->va - va >= size)
                break;
            va = et_align_up(mapping->va + mapping->size, unit);
        }
        if (va <= LEGACY_VA_END && size <= LEGACY_VA_END - va)
            return va;
    }
    return 0;
}

/* The legacy interface keeps each buffer mapped where the kernel puts it. */
static int map_legacy(struct et_drm_file *file, struct et_drm_bo *bo, uint32_t align)
{
    const uint64_t unit =
        ET_MAX(ET_MAX(align, UINT32_C(0x10000)), bo->size >= 1 << 20 ? UINT32_C(0x20000) : 0u);
    const uint64_t size = et_align_up(bo->size, 4096);
    struct et_drm_mapping *old = legacy_mapping(file, bo);
    uint64_t va;
    int result;
    if (old) { /* closed, and opened again before it went */
        old->closed = false;
        return 0;
    }
    if (unit & (unit - 1))
        return -EINVAL;
    va = find_va(file, size, unit);
    if (!va)
        return -ENOMEM;
    result = et_drm_map(file, va, size, bo, 0, bo->tile_flags >> 8 & 0xff);
    if (!result)
        file->next_va = va + size;
    return result;
}

static int gem_new(struct et_drm_file *file, struct nouveau_gem_new_args *args)
{
    struct et_drm_bo *bo;
    uint32_t handle;
    int result = 0;
    if (args->info.size > file->server->ram.size)
        return -ENOMEM;
    bo = et_drm_bo_create(file->server, et_align_up(args->info.size ? args->info.size : 1, 4096));
    if (!bo)
        return -ENOMEM;
    bo->domain = args->info.domain;
    bo->tile_mode = args->info.tile_mode;
    bo->tile_flags = args->info.tile_flags;
    handle = new_handle(file, bo);
    if (!handle) {
        et_drm_bo_drop(file->server, bo);
        return -ENOMEM;
    }
    if (!file->managed)
        result = map_legacy(file, bo, args->align);
    if (result)
        et_drm_drop_handle(file, handle);
    else
        fill_info(file, &args->info, bo, handle);
    return result;
}

/* The kernel unmaps a legacy buffer with the file's last handle of it, once the work in flight is over. */
static void close_mapping(struct et_drm_file *file, const struct et_drm_bo *bo)
{
    struct et_drm_mapping *mapping = legacy_mapping(file, bo);
    for (uint32_t h = 1; h < ET_DRM_HANDLES; h++)
        if (file->handles[h] == bo)
            return;
    if (mapping)
        mapping->closed = file->any_closed = true;
    if (et_drm_file_idle(file))
        et_drm_reap_closed(file);
}

static int gem_close(struct et_drm_file *file, uint32_t handle)
{
    struct et_drm_bo *bo = et_drm_bo_of(file, handle);
    if (!bo)
        return -EINVAL;
    bo->references++;
    et_drm_drop_handle(file, handle);
    if (!file->managed)
        close_mapping(file, bo);
    et_drm_bo_drop(file->server, bo);
    return 0;
}

/* A handle of this file for a buffer of any: the one it has, or a new one. */
static int import(struct et_drm_file *file, struct et_drm_bo *bo, uint32_t *handle)
{
    int result;
    for (*handle = 1; *handle < ET_DRM_HANDLES; ++*handle)
        if (file->handles[*handle] == bo)
            return 0;
    *handle = new_handle(file, bo);
    if (!*handle)
        return -ENOMEM;
    bo->references++;
    result = file->managed ? 0 : map_legacy(file, bo, 0);
    if (result)
        et_drm_drop_handle(file, *handle);
    return result;
}

static int flink(struct et_drm_file *file, struct drm_gem_flink_args *args)
{
    struct et_drm_server *server = file->server;
    struct et_drm_bo *bo = et_drm_bo_of(file, args->handle);
    size_t i = 0;
    if (!bo)
        return -ENOENT;
    while (!bo->name && i < server->name_count && server->names[i])
        i++;
    if (!bo->name && i == server->name_count) {
        if (!et_grow(&server->names, &server->name_capacity, i + 1, sizeof *server->names))
            return -ENOMEM;
        server->name_count++;
    }
    if (!bo->name) {
        server->names[i] = bo;
        bo->name = (uint32_t)i + 1;
    }
    args->name = bo->name;
    return 0;
}

static int open_name(struct et_drm_file *file, struct drm_gem_open_args *args)
{
    struct et_drm_bo *bo =
        args->name && args->name <= file->server->name_count ? file->server->names[args->name - 1] : NULL;
    if (!bo)
        return -ENOENT;
    args->size = bo->size;
    return import(file, bo, &args->handle);
}

static int export_buffer(struct et_drm_file *file, const struct drm_prime_args *args,
                         const struct et_drm_call *call)
{
    struct et_drm_bo *bo = et_drm_bo_of(file, args->handle);
    const struct et_drm_token token = {.kind = ET_DRM_TOKEN_BUFFER, .bo = bo};
    if (!bo)
        return -ENOENT;
    bo->references++;
    *call->reply_fd = et_drm_token_create(file->server, &token);
    return *call->reply_fd < 0 ? -EMFILE : 0;
}

static int import_buffer(struct et_drm_file *file, struct drm_prime_args *args,
                         const struct et_drm_call *call)
{
    return call->token && call->token->bo ? import(file, call->token->bo, &args->handle) : -EINVAL;
}

int et_drm_bind(struct et_drm_file *file, const struct et_drm_bind *bind)
{
    const struct nouveau_vm_bind_op *op = &bind->op;
    if ((op->address | op->range | op->bo_offset) & 0xfff)
        return -EINVAL;
    if (op->op == VM_BIND_UNMAP)
        return et_drm_unmap(file, op->address, op->range);
    if (op->op != VM_BIND_MAP)
        return -EINVAL;
    /* NVK unbinds part of a sparse range by mapping handle 0: the range stays sparse. */
    if (op->flags & VM_BIND_SPARSE || !op->handle)
        return map_sparse(file, op->address, op->range);
    return bind->bo ? et_drm_map(file, op->address, op->range, bind->bo, op->bo_offset, op->flags & 0xff)
                    : -ENOENT;
}

void et_drm_free_binds(struct et_drm_server *server, struct et_drm_bind *binds, uint32_t count)
{
    for (uint32_t i = 0; binds && i < count; i++)
        et_drm_bo_drop(server, binds[i].bo);
    et_free(binds);
}

/* The operations with the buffers that they name now. */
static struct et_drm_bind *take_binds(const struct et_drm_file *file, const struct nouveau_vm_bind_op *ops,
                                      uint32_t count)
{
    struct et_drm_bind *binds = et_calloc(count ? count : 1, sizeof *binds);
    for (uint32_t i = 0; binds && i < count; i++) {
        binds[i].op = ops[i];
        binds[i].bo = et_drm_bo_of(file, ops[i].handle);
        if (binds[i].bo)
            binds[i].bo->references++;
    }
    return binds;
}

static int bind_now(struct et_drm_file *file, struct et_drm_bind *binds, uint32_t count,
                    const struct nouveau_sync *signals, uint32_t signal_count)
{
    struct et_drm_fence *fence;
    int result = 0;
    /* What was submitted before sees the mappings of before. */
    while (et_drm_file_run(file))
        ;
    for (uint32_t i = 0; !result && i < count; i++)
        result = et_drm_bind(file, &binds[i]);
    et_drm_free_binds(file->server, binds, count);
    fence = result ? NULL : et_drm_fence_create(true);
    if (fence) {
        result = et_drm_put_signals(file, signals, signal_count, fence);
        et_drm_fence_drop(fence);
        et_drm_progress(file->server);
    }
    return result;
}

static int vm_bind(struct et_drm_file *file, const struct et_drm_call *call)
{
    const struct nouveau_vm_bind_args *args = call->body;
    uint32_t count, wait_count, signal_count;
    const struct nouveau_sync *waits = et_drm_call_array(call, 0, &wait_count);
    const struct nouveau_sync *signals = et_drm_call_array(call, 1, &signal_count);
    const struct nouveau_vm_bind_op *ops = et_drm_call_array(call, 2, &count);
    struct et_drm_bind *binds;
    int met;
    if (!file->managed)
        return -ENOSYS;
    if ((args->op_count && !ops) || (args->signal_count && !signals) || (args->wait_count && !waits))
        return -EINVAL;
    met = et_drm_waits_met(file, waits, wait_count);
    if (met < 0)
        return met;
    if (!met && (!(args->flags & VM_BIND_RUN_ASYNC) || file->job_count >= ET_DRM_JOBS)) {
        *call->extra = *file->server->progress;
        return ET_DRM_PENDING;
    }
    binds = take_binds(file, ops, count);
    if (!binds)
        return -ENOMEM;
    return met ? bind_now(file, binds, count, signals, signal_count)
               : et_drm_submit_binds(file, binds, count, waits, wait_count, signals, signal_count);
}

static int get_info(struct et_drm_file *file, struct nouveau_gem_info *info)
{
    const struct et_drm_bo *bo = et_drm_bo_of(file, info->handle);
    if (!bo)
        return -ENOENT;
    fill_info(file, info, bo, info->handle);
    return 0;
}

int et_drm_gem_ioctl(struct et_drm_file *file, const struct et_drm_call *call)
{
    switch (call->nr) {
    case DRM_GEM_CLOSE:
        return gem_close(file, ((struct drm_gem_close_args *)call->body)->handle);
    case DRM_GEM_FLINK:
        return flink(file, call->body);
    case DRM_GEM_OPEN:
        return open_name(file, call->body);
    case DRM_PRIME_HANDLE_TO_FD:
        return export_buffer(file, call->body, call);
    case DRM_PRIME_FD_TO_HANDLE:
        return import_buffer(file, call->body, call);
    case DRM_NOUVEAU_GEM_NEW:
        return gem_new(file, call->body);
    case DRM_NOUVEAU_GEM_INFO:
        return get_info(file, call->body);
    case DRM_NOUVEAU_VM_BIND:
        return vm_bind(file, call);
    default:
        return -ENOTTY;
    }
}
