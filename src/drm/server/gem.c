/* Buffer objects, their handles and descriptors, and the address space's mappings. */
#include "drm/server/server.h"

#include "base/alloc.h"
#include "base/bits.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

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

static bool add_mapping(struct et_drm_file *file, const struct et_drm_mapping *mapping)
{
    size_t at = file->mapping_count;
    if (!et_grow(&file->mappings, &file->mapping_capacity, at + 1, sizeof *file->mappings))
        return false;
    while (at && file->mappings[at - 1].va > mapping->va)
        at--;
    memmove(file->mappings + at + 1, file->mappings + at,
            (file->mapping_count - at) * sizeof *file->mappings);
    file->mappings[at] = *mapping;
    file->mapping_count++;
    mapping->bo->references++;
    return true;
}

static void remove_mapping(struct et_drm_file *file, size_t at)
{
    struct et_drm_bo *bo = file->mappings[at].bo;
    memmove(file->mappings + at, file->mappings + at + 1,
            (file->mapping_count - at - 1) * sizeof *file->mappings);
    file->mapping_count--;
    et_drm_bo_drop(file->server, bo);
}

/* Drops what the list says of va..va+size, keeping what sticks out on either side. */
static bool cut_mappings(struct et_drm_file *file, uint64_t va, uint64_t size)
{
    const uint64_t end = va + size;
    for (size_t i = 0; i < file->mapping_count;) {
        const struct et_drm_mapping old = file->mappings[i];
        struct et_drm_mapping left = old, right = old;
        if (old.va >= end)
            break;
        if (old.va + old.size <= va) {
            i++;
            continue;
        }
        old.bo->references++;
        remove_mapping(file, i);
        left.size = old.va < va ? va - old.va : 0;
        right.va = end;
        right.size = old.va + old.size > end ? old.va + old.size - end : 0;
        right.bo_offset += end - old.va;
        const bool fine =
            (!left.size || add_mapping(file, &left)) && (!right.size || add_mapping(file, &right));
        et_drm_bo_drop(file->server, old.bo);
        if (!fine)
            return false;
        i = 0;
    }
    return true;
}

static int status_errno(enum etalon_status status)
{
    return status == ETALON_OK ? 0 : status == ETALON_NO_MEMORY ? -ENOMEM : -EINVAL;
}

int et_drm_map(struct et_drm_file *file, uint64_t va, uint64_t size, struct et_drm_bo *bo, uint64_t bo_offset,
               uint32_t kind)
{
    const struct et_drm_mapping mapping = {va, size, bo_offset, bo, kind};
    struct etalon_error error = {0};
    int result;
    if (bo_offset > bo->size || size > bo->size - bo_offset)
        return -EINVAL;
    bo->references++;
    result = status_errno(
        et_pagemap_map(&file->map, va, size, bo->offset + bo_offset, ET_READ | ET_WRITE, kind, &error));
    if (!result && !(cut_mappings(file, va, size) && add_mapping(file, &mapping)))
        result = -ENOMEM;
    et_drm_bo_drop(file->server, bo);
    if (!result && file->record)
        et_drm_record_map(file->record, VM_BIND_MAP, va, size, bo, bo_offset, kind);
    return result;
}

int et_drm_unmap(struct et_drm_file *file, uint64_t va, uint64_t size)
{
    struct etalon_error error = {0};
    const int result = status_errno(et_pagemap_unmap(&file->map, va, size, &error));
    if (result)
        return result;
    if (file->record)
        et_drm_record_map(file->record, VM_BIND_UNMAP, va, size, NULL, 0, 0);
    return cut_mappings(file, va, size) ? 0 : -ENOMEM;
}

static void fill_info(const struct et_drm_file *file, struct nouveau_gem_info *info,
                      const struct et_drm_bo *bo, uint32_t handle)
{
    *info = (struct nouveau_gem_info){.handle = handle,
                                      .domain = bo->domain & DOMAIN_VRAM ? DOMAIN_VRAM : DOMAIN_GART,
                                      .size = bo->size,
                                      .offset = file->managed ? 0 : bo->va,
                                      .map_handle = bo->offset,
                                      .tile_mode = bo->tile_mode,
                                      .tile_flags = bo->tile_flags};
}

/* The legacy interface keeps each buffer mapped where the kernel puts it. */
static int map_legacy(struct et_drm_file *file, struct et_drm_bo *bo, uint32_t align)
{
    const uint64_t unit =
        ET_MAX(ET_MAX(align, UINT32_C(0x10000)), bo->size >= 1 << 20 ? UINT32_C(0x20000) : 0u);
    uint64_t va;
    if (unit & (unit - 1))
        return -EINVAL;
    va = et_align_up(ET_MAX(file->next_va, LEGACY_VA_START), unit);
    if (va > LEGACY_VA_END || bo->size > LEGACY_VA_END - va)
        return -ENOMEM;
    file->next_va = va + et_align_up(bo->size, 4096);
    bo->va = va;
    return et_drm_map(file, va, et_align_up(bo->size, 4096), bo, 0, bo->tile_flags >> 8 & 0xff);
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
    fill_info(file, &args->info, bo, handle);
    return result;
}

static int gem_close(struct et_drm_file *file, uint32_t handle)
{
    struct et_drm_bo *bo = et_drm_bo_of(file, handle);
    bool other = false;
    if (!bo)
        return -EINVAL;
    file->handles[handle] = NULL;
    bo->handles--;
    for (uint32_t h = 1; bo->handles && h < ET_DRM_HANDLES && !other; h++)
        other = file->handles[h] == bo;
    if (!file->managed && !other && bo->va)
        for (size_t i = 0; i < file->mapping_count; i++)
            if (file->mappings[i].bo == bo) {
                et_drm_unmap(file, file->mappings[i].va, file->mappings[i].size);
                break;
            }
    et_drm_bo_drop(file->server, bo);
    return 0;
}

/* A handle of this file for a buffer of any: the one it has, or a new one. */
static int import(struct et_drm_file *file, struct et_drm_bo *bo, uint32_t *handle)
{
    for (*handle = 1; *handle < ET_DRM_HANDLES; ++*handle)
        if (file->handles[*handle] == bo)
            return 0;
    *handle = new_handle(file, bo);
    if (!*handle)
        return -ENOMEM;
    bo->references++;
    return file->managed ? 0 : map_legacy(file, bo, 0);
}

static int flink(struct et_drm_file *file, struct drm_gem_flink_args *args)
{
    struct et_drm_server *server = file->server;
    struct et_drm_bo *bo = et_drm_bo_of(file, args->handle);
    if (!bo)
        return -ENOENT;
    for (size_t i = 0; i < server->name_count; i++)
        if (server->names[i] == bo) {
            args->name = (uint32_t)i + 1;
            return 0;
        }
    if (!et_grow(&server->names, &server->name_capacity, server->name_count + 1, sizeof *server->names))
        return -ENOMEM;
    bo->references++;
    server->names[server->name_count++] = bo;
    args->name = (uint32_t)server->name_count;
    return 0;
}

static int open_name(struct et_drm_file *file, struct drm_gem_open_args *args)
{
    if (!args->name || args->name > file->server->name_count)
        return -ENOENT;
    args->size = file->server->names[args->name - 1]->size;
    return import(file, file->server->names[args->name - 1], &args->handle);
}

int et_drm_token_create(struct et_drm_server *server, const struct et_drm_token *token, uint64_t size)
{
    struct et_drm_token entry = *token;
    struct stat info;
    const int fd =
        memfd_create(token->kind == ET_DRM_TOKEN_BUFFER ? "etalon-buffer" : "etalon-sync", MFD_CLOEXEC);
    if (fd < 0)
        return -1;
    if (fchmod(fd, token->kind == ET_DRM_TOKEN_BUFFER ? ET_DRM_BUFFER_MODE : ET_DRM_SYNC_MODE) ||
        (size && ftruncate(fd, (off_t)size)) || fstat(fd, &info) ||
        !et_grow(&server->tokens, &server->token_capacity, server->token_count + 1, sizeof *server->tokens)) {
        close(fd);
        return -1;
    }
    entry.device = info.st_dev;
    entry.inode = info.st_ino;
    server->tokens[server->token_count++] = entry;
    return fd;
}

struct et_drm_token *et_drm_token_of(struct et_drm_server *server, int fd)
{
    struct stat info;
    if (fd < 0 || fstat(fd, &info))
        return NULL;
    for (size_t i = 0; i < server->token_count; i++)
        if (server->tokens[i].inode == info.st_ino && server->tokens[i].device == info.st_dev)
            return &server->tokens[i];
    return NULL;
}

static int export_buffer(struct et_drm_file *file, const struct drm_prime_args *args,
                         const struct et_drm_call *call)
{
    struct et_drm_bo *bo = et_drm_bo_of(file, args->handle);
    const struct et_drm_token token = {.kind = ET_DRM_TOKEN_BUFFER, .bo = bo};
    if (!bo)
        return -ENOENT;
    *call->reply_fd = et_drm_token_create(file->server, &token, bo->size);
    if (*call->reply_fd < 0)
        return -EMFILE;
    bo->references++;
    return 0;
}

static int import_buffer(struct et_drm_file *file, struct drm_prime_args *args,
                         const struct et_drm_call *call)
{
    const struct et_drm_token *token = et_drm_token_of(file->server, call->fd);
    return token && token->bo ? import(file, token->bo, &args->handle) : -EINVAL;
}

static int bind(struct et_drm_file *file, const struct nouveau_vm_bind_op *op)
{
    struct etalon_error error = {0};
    struct et_drm_bo *bo;
    if ((op->address | op->range | op->bo_offset) & 0xfff)
        return -EINVAL;
    if (op->op == VM_BIND_UNMAP)
        return et_drm_unmap(file, op->address, op->range);
    if (op->op != VM_BIND_MAP)
        return -EINVAL;
    if (op->flags & VM_BIND_SPARSE) {
        if (file->record)
            et_drm_record_map(file->record, VM_BIND_MAP | VM_BIND_SPARSE, op->address, op->range, NULL, 0, 0);
        return cut_mappings(file, op->address, op->range)
                   ? status_errno(et_pagemap_map_sparse(&file->map, op->address, op->range, &error))
                   : -ENOMEM;
    }
    /* NVK unbinds part of a sparse range by mapping handle 0: the range stays sparse. */
    if (!op->handle)
        return cut_mappings(file, op->address, op->range)
                   ? status_errno(et_pagemap_map_sparse(&file->map, op->address, op->range, &error))
                   : -ENOMEM;
    bo = et_drm_bo_of(file, op->handle);
    if (!bo)
        return -ENOENT;
    return et_drm_map(file, op->address, op->range, bo, op->bo_offset, op->flags & 0xff);
}

static int vm_bind(struct et_drm_file *file, const struct et_drm_call *call)
{
    uint32_t count, signal_count;
    const struct nouveau_sync *signals = et_drm_call_array(call, 1, &signal_count);
    const struct nouveau_vm_bind_op *ops = et_drm_call_array(call, 2, &count);
    struct et_drm_fence *fence;
    int result = 0;
    if (!file->managed)
        return -ENOSYS;
    if ((count && !ops) || (signal_count && !signals))
        return -EINVAL;
    /* What was submitted before sees the mappings of before. */
    while (et_drm_file_run(file))
        ;
    for (uint32_t i = 0; !result && i < count; i++)
        result = bind(file, &ops[i]);
    fence = result ? NULL : et_drm_fence_create(true);
    if (fence) {
        result = et_drm_put_signals(file, signals, signal_count, fence);
        et_drm_fence_drop(fence);
        et_drm_progress(file->server);
    }
    return result;
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
