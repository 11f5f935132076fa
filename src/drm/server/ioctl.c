/* ioctls by number: sizes are checked here, once. */
#include "drm/server/server.h"

#include "base/alloc.h"
#include "base/bits.h"

#include <errno.h>
#include <stdio.h>
#include <time.h>

void *et_drm_call_array(const struct et_drm_call *call, unsigned index, uint32_t *count)
{
    size_t at = 0;
    *count = 0;
    for (size_t i = 0; i < ET_DRM_TABLE_SIZE(et_drm_arrays); i++) {
        const struct et_drm_array *array = &et_drm_arrays[i];
        uint32_t elements;
        size_t bytes;
        if (array->nr != call->nr)
            continue;
        memcpy(&elements, (const uint8_t *)call->body + array->count, sizeof elements);
        bytes = et_drm_array_room(elements, array->element);
        if (bytes > call->array_bytes - at)
            return NULL;
        if (!index--) {
            *count = elements;
            return call->arrays + at;
        }
        at += bytes;
    }
    return NULL;
}

static uint64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

/* [DRV: what Mesa asks; unknown parameters are EINVAL] */
static int getparam(const struct et_drm_server *server, struct nouveau_getparam_args *args)
{
    const struct et_drm_card *card = server->card;
    switch (args->param) {
    case 3: /* PCI_VENDOR */
        args->value = card->pci_device ? 0x10de : 0;
        return 0;
    case 4: /* PCI_DEVICE */
        args->value = card->pci_device;
        return 0;
    case 5: /* BUS_TYPE: 2 PCIe, 3 platform */
        args->value = card->pci_device ? 2 : 3;
        return 0;
    case 8: /* FB_SIZE */
        args->value = server->options.vram_bytes;
        return 0;
    case 9: /* AGP_SIZE */
        args->value = server->ram.size;
        return 0;
    case 11: /* CHIPSET_ID */
        args->value = card->chipset;
        return 0;
    case 12: /* VM_VRAM_BASE */
        args->value = 0;
        return 0;
    case 13: /* GRAPH_UNITS */
        args->value = card->gpcs | (uint64_t)card->tpcs << 8 | (uint64_t)card->rops << 32;
        return 0;
    case 14: /* PTIMER_TIME */
        args->value = now();
        return 0;
    case 15: /* HAS_BO_USAGE */
    case 16: /* HAS_PAGEFLIP */
    case 20: /* HAS_VMA_TILEMODE */
        args->value = 1;
        return 0;
    case 17: /* EXEC_PUSH_MAX */
        args->value = 511;
        return 0;
    case 18: /* VRAM_BAR_SIZE */
        args->value = server->options.vram_bytes;
        return 0;
    case 19: /* VRAM_USED */
        args->value = server->bytes_live + (16u << 20);
        return 0;
    default:
        return -EINVAL;
    }
}

static int get_cap(struct drm_cap_args *args)
{
    switch (args->capability) {
    case 0x5: /* PRIME: import and export */
        args->value = 3;
        return 0;
    case 0x6:  /* TIMESTAMP_MONOTONIC */
    case 0x13: /* SYNCOBJ */
    case 0x14: /* SYNCOBJ_TIMELINE */
        args->value = 1;
        return 0;
    case 0x1:  /* DUMB_BUFFER */
    case 0x10: /* ADDFB2_MODIFIERS */
        args->value = 0;
        return 0;
    default:
        args->value = 0;
        return -EOPNOTSUPP;
    }
}

static int sclass(const struct et_drm_server *server, const struct nvif_args *head, struct nvif_sclass *list,
                  size_t room)
{
    const struct et_chip *chip = server->chip;
    const uint16_t channel[] = {chip->channel_class};
    const uint16_t objects[] = {chip->twod, chip->inline_to_memory, chip->threed, chip->compute, chip->copy};
    const bool of_channel = head->route == NVIF_ROUTE_CHANNEL;
    const uint16_t *classes = of_channel ? objects : channel;
    const uint8_t count = of_channel ? ET_COUNT(objects) : 1;
    const size_t fits = ET_MIN((size_t)list->count, room / sizeof list->item[0]);
    for (uint8_t i = 0; i < count && i < fits; i++) {
        list->item[i].oclass = classes[i];
        list->item[i].min_version = list->item[i].max_version = of_channel ? -1 : 0;
    }
    list->count = count;
    return 0;
}

static int nvif_method(const struct et_drm_server *server, struct nvif_method *method, size_t room)
{
    if (method->method == 0 && room >= sizeof(struct nvif_device_info)) { /* device information */
        struct nvif_device_info info = {.platform = server->card->pci_device ? 3 : 4,
                                        .chipset = server->card->chipset,
                                        .revision = 0xa1,
                                        .family = server->card->family,
                                        .ram_size = server->options.vram_bytes,
                                        .ram_user = server->options.vram_bytes};
        snprintf(info.chip, sizeof info.chip, "%s", server->card->kernel);
        snprintf(info.name, sizeof info.name, "%s", server->card->marketing);
        memcpy(method + 1, &info, sizeof info);
        return 0;
    }
    if (method->method == 1 && room >= sizeof(struct nvif_device_time)) {
        const struct nvif_device_time time = {.time = now()};
        memcpy(method + 1, &time, sizeof time);
        return 0;
    }
    return -EINVAL;
}

int et_drm_nvif_ioctl(struct et_drm_file *file, void *body, size_t size)
{
    struct nvif_args *head = body;
    void *data = head + 1;
    size_t room;
    if (size < sizeof *head)
        return -EINVAL;
    room = size - sizeof *head;
    switch (head->type) {
    case NVIF_NOP:
    case NVIF_DEL:
        return 0;
    case NVIF_SCLASS:
        if (room < sizeof(struct nvif_sclass))
            return -EINVAL;
        return sclass(file->server, head, data, room - sizeof(struct nvif_sclass));
    case NVIF_NEW:
        return room >= sizeof(struct nvif_new) ? 0 : -EINVAL;
    case NVIF_MTHD:
        if (room < sizeof(struct nvif_method))
            return -EINVAL;
        return nvif_method(file->server, data, room - sizeof(struct nvif_method));
    default:
        return -ENOSYS;
    }
}

static int channel_alloc(struct et_drm_file *file, struct nouveau_channel_alloc_args *args)
{
    for (unsigned i = 0; i < ET_DRM_CHANNELS; i++) {
        struct et_channel *channel;
        struct etalon_error error = {0};
        if (file->channels[i])
            continue;
        if (et_channel_create(file->device, i, &file->map, &channel, &error))
            return -ENOMEM;
        file->channels[i] = 1;
        args->channel = (int32_t)i;
        args->pushbuf_domains = DOMAIN_VRAM | DOMAIN_GART;
        args->notifier = 0;
        args->subchannels = 0;
        return 0;
    }
    return -ENOSPC;
}

static int channel_free(struct et_drm_file *file, int32_t number)
{
    if (number < 0 || (uint32_t)number >= ET_DRM_CHANNELS || !file->channels[number])
        return -ENOENT;
    while (et_drm_file_run(file))
        ;
    et_drm_cancel_jobs(file, (uint32_t)number);
    et_channel_destroy(et_device_channel(file->device, (uint32_t)number));
    file->channels[number] = 0;
    return 0;
}

static int pending(const struct et_drm_file *file, const struct et_drm_call *call)
{
    *call->extra = *file->server->progress;
    return ET_DRM_PENDING;
}

static int exec(struct et_drm_file *file, const struct et_drm_call *call)
{
    const struct nouveau_exec_args *args = call->body;
    uint32_t waits, signals, pushes;
    const struct nouveau_sync *wait = et_drm_call_array(call, 0, &waits);
    const struct nouveau_sync *signal = et_drm_call_array(call, 1, &signals);
    const struct nouveau_exec_push *push = et_drm_call_array(call, 2, &pushes);
    if (!file->managed)
        return -ENOSYS;
    if ((args->wait_count && !wait) || (args->signal_count && !signal) || (args->push_count && !push))
        return -EINVAL;
    if (file->job_count >= ET_DRM_JOBS)
        return pending(file, call);
    return et_drm_submit(file, args->channel, push, pushes, wait, waits, signal, signals);
}

/* The legacy submission names buffers and offsets in them; buffers stay where the kernel mapped them. */
static int pushbuf(struct et_drm_file *file, const struct et_drm_call *call)
{
    struct nouveau_pushbuf_args *args = call->body;
    uint32_t buffers, pushes;
    const struct nouveau_pushbuf_bo *buffer = et_drm_call_array(call, 0, &buffers);
    const struct nouveau_pushbuf_push *push = et_drm_call_array(call, 1, &pushes);
    struct nouveau_exec_push *list;
    int result = 0;
    args->vram_available = file->server->options.vram_bytes ? file->server->options.vram_bytes : 1u << 30;
    args->gart_available = file->server->ram.size;
    args->suffix0 = args->suffix1 = 0;
    if (args->channel >= ET_DRM_CHANNELS || !file->channels[args->channel])
        return -ENOENT;
    if (!args->push_count)
        return file->lost ? -ENODEV : 0;
    if (args->reloc_count || !buffer || !push)
        return -EINVAL;
    if (file->job_count >= ET_DRM_JOBS)
        return pending(file, call);
    list = et_calloc(pushes, sizeof *list);
    if (!list)
        return -ENOMEM;
    for (uint32_t i = 0; !result && i < pushes; i++) {
        const struct et_drm_bo *bo =
            push[i].bo_index < buffers ? et_drm_bo_of(file, buffer[push[i].bo_index].handle) : NULL;
        const uint64_t bytes = push[i].length & ~PUSHBUF_NO_PREFETCH;
        if (!bo || push[i].offset > bo->size || bytes > bo->size - push[i].offset)
            result = bo ? -EINVAL : -ENOENT;
        else
            list[i] =
                (struct nouveau_exec_push){et_drm_legacy_va(file, bo) + push[i].offset, (uint32_t)bytes,
                                           push[i].length & PUSHBUF_NO_PREFETCH ? EXEC_PUSH_NO_PREFETCH : 0};
    }
    if (!result)
        result = et_drm_submit(file, args->channel, list, pushes, NULL, 0, NULL, 0);
    et_free(list);
    return result;
}

static int cpu_prep(struct et_drm_file *file, const struct nouveau_cpu_prep_args *args,
                    const struct et_drm_call *call)
{
    if (!et_drm_bo_of(file, args->handle))
        return -ENOENT;
    if (et_drm_file_idle(file))
        return 0;
    if (args->flags & 1) /* do not wait */
        return -EBUSY;
    return pending(file, call);
}

/* Smallest structure of an ioctl. */
static const struct {
    uint16_t nr, size;
} sizes[] = {
    {DRM_GEM_CLOSE, sizeof(struct drm_gem_close_args)},
    {DRM_GEM_FLINK, sizeof(struct drm_gem_flink_args)},
    {DRM_GEM_OPEN, sizeof(struct drm_gem_open_args)},
    {DRM_GET_CAP, sizeof(struct drm_cap_args)},
    {DRM_PRIME_HANDLE_TO_FD, sizeof(struct drm_prime_args)},
    {DRM_PRIME_FD_TO_HANDLE, sizeof(struct drm_prime_args)},
    {DRM_SYNCOBJ_CREATE, sizeof(struct syncobj_create_args)},
    {DRM_SYNCOBJ_DESTROY, sizeof(struct syncobj_destroy_args)},
    {DRM_SYNCOBJ_HANDLE_TO_FD, offsetof(struct syncobj_handle_args, point)},
    {DRM_SYNCOBJ_FD_TO_HANDLE, offsetof(struct syncobj_handle_args, point)},
    {DRM_SYNCOBJ_WAIT, sizeof(struct syncobj_wait_args)},
    {DRM_SYNCOBJ_RESET, sizeof(struct syncobj_array_args)},
    {DRM_SYNCOBJ_SIGNAL, sizeof(struct syncobj_array_args)},
    {DRM_SYNCOBJ_TIMELINE_WAIT, sizeof(struct syncobj_timeline_wait_args)},
    {DRM_SYNCOBJ_QUERY, sizeof(struct syncobj_timeline_array_args)},
    {DRM_SYNCOBJ_TRANSFER, sizeof(struct syncobj_transfer_args)},
    {DRM_SYNCOBJ_TIMELINE_SIGNAL, sizeof(struct syncobj_timeline_array_args)},
    {DRM_SYNCOBJ_EVENTFD, sizeof(struct syncobj_eventfd_args)},
    {DRM_NOUVEAU_GETPARAM, sizeof(struct nouveau_getparam_args)},
    {DRM_NOUVEAU_CHANNEL_ALLOC, sizeof(struct nouveau_channel_alloc_args)},
    {DRM_NOUVEAU_CHANNEL_FREE, sizeof(struct nouveau_channel_free_args)},
    {DRM_NOUVEAU_VM_INIT, sizeof(struct nouveau_vm_init_args)},
    {DRM_NOUVEAU_VM_BIND, sizeof(struct nouveau_vm_bind_args)},
    {DRM_NOUVEAU_EXEC, sizeof(struct nouveau_exec_args)},
    {DRM_NOUVEAU_GEM_NEW, sizeof(struct nouveau_gem_new_args)},
    {DRM_NOUVEAU_GEM_PUSHBUF, sizeof(struct nouveau_pushbuf_args)},
    {DRM_NOUVEAU_GEM_CPU_PREP, sizeof(struct nouveau_cpu_prep_args)},
    {DRM_NOUVEAU_GEM_INFO, sizeof(struct nouveau_gem_info)},
};

static int vm_init(struct et_drm_file *file)
{
    if (file->managed)
        return -EBUSY;
    if (file->mapping_count) /* buffers were mapped for it already */
        return -ENOSYS;
    file->managed = true;
    return 0;
}

int et_drm_ioctl(struct et_drm_server *server, const struct et_drm_call *call)
{
    struct et_drm_file *file = call->file;
    for (size_t i = 0; i < ET_COUNT(sizes); i++)
        if (sizes[i].nr == call->nr && call->size < sizes[i].size)
            return -EINVAL;
    switch (call->nr) {
    case DRM_GET_MAGIC:
    case DRM_SET_VERSION:
    case DRM_SET_CLIENT_CAP:
    case DRM_NOUVEAU_GPUOBJ_FREE:
    case DRM_NOUVEAU_NOTIFIEROBJ_ALLOC:
    case DRM_NOUVEAU_GEM_CPU_FINI:
        return 0;
    case DRM_GET_CAP:
        return get_cap(call->body);
    case DRM_NOUVEAU_GETPARAM:
        return getparam(server, call->body);
    case DRM_NOUVEAU_CHANNEL_ALLOC:
        return channel_alloc(file, call->body);
    case DRM_NOUVEAU_CHANNEL_FREE:
        return channel_free(file, ((struct nouveau_channel_free_args *)call->body)->channel);
    case DRM_NOUVEAU_NVIF:
        return et_drm_nvif_ioctl(file, call->body, call->size);
    case DRM_NOUVEAU_VM_INIT:
        return vm_init(file);
    case DRM_NOUVEAU_EXEC:
        return exec(file, call);
    case DRM_NOUVEAU_GEM_PUSHBUF:
        return pushbuf(file, call);
    case DRM_NOUVEAU_GEM_CPU_PREP:
        return cpu_prep(file, call->body, call);
    default:
        break;
    }
    const int result = et_drm_gem_ioctl(file, call);
    return result == -ENOTTY ? et_drm_sync_ioctl(file, call) : result;
}
