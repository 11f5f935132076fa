/* The nouveau kernel interface as its clients see it: numbers and layouts. [DOC: Linux uapi, nouveau_drm.h,
 * drm.h, and libdrm's nvif headers; facts restated, since the headers that Debian 12 ships are older than the
 * drivers] */
#ifndef ET_DRM_UAPI_H
#define ET_DRM_UAPI_H

#include <stdint.h>

#define DRM_IOCTL_TYPE 'd'

/* ioctl numbers. Driver ones start at 0x40. */
enum {
    DRM_VERSION = 0x00,
    DRM_GET_UNIQUE = 0x01,
    DRM_GET_MAGIC = 0x02,
    DRM_SET_VERSION = 0x07,
    DRM_GEM_CLOSE = 0x09,
    DRM_GEM_FLINK = 0x0a,
    DRM_GEM_OPEN = 0x0b,
    DRM_GET_CAP = 0x0c,
    DRM_SET_CLIENT_CAP = 0x0d,
    DRM_PRIME_HANDLE_TO_FD = 0x2d,
    DRM_PRIME_FD_TO_HANDLE = 0x2e,
    DRM_NOUVEAU_GETPARAM = 0x40,
    DRM_NOUVEAU_CHANNEL_ALLOC = 0x42,
    DRM_NOUVEAU_CHANNEL_FREE = 0x43,
    DRM_NOUVEAU_NOTIFIEROBJ_ALLOC = 0x45,
    DRM_NOUVEAU_GPUOBJ_FREE = 0x46,
    DRM_NOUVEAU_NVIF = 0x47,
    DRM_NOUVEAU_VM_INIT = 0x50,
    DRM_NOUVEAU_VM_BIND = 0x51,
    DRM_NOUVEAU_EXEC = 0x52,
    DRM_NOUVEAU_GET_ZCULL_INFO = 0x53,
    DRM_NOUVEAU_GEM_NEW = 0x80,
    DRM_NOUVEAU_GEM_PUSHBUF = 0x81,
    DRM_NOUVEAU_GEM_CPU_PREP = 0x82,
    DRM_NOUVEAU_GEM_CPU_FINI = 0x83,
    DRM_NOUVEAU_GEM_INFO = 0x84,
    DRM_SYNCOBJ_CREATE = 0xbf,
    DRM_SYNCOBJ_DESTROY = 0xc0,
    DRM_SYNCOBJ_HANDLE_TO_FD = 0xc1,
    DRM_SYNCOBJ_FD_TO_HANDLE = 0xc2,
    DRM_SYNCOBJ_WAIT = 0xc3,
    DRM_SYNCOBJ_RESET = 0xc4,
    DRM_SYNCOBJ_SIGNAL = 0xc5,
    DRM_SYNCOBJ_TIMELINE_WAIT = 0xca,
    DRM_SYNCOBJ_QUERY = 0xcb,
    DRM_SYNCOBJ_TRANSFER = 0xcc,
    DRM_SYNCOBJ_TIMELINE_SIGNAL = 0xcd,
    DRM_SYNCOBJ_EVENTFD = 0xcf
};

enum { DOMAIN_VRAM = 2, DOMAIN_GART = 4, DOMAIN_MAPPABLE = 8, DOMAIN_COHERENT = 16 };
enum { VM_BIND_MAP, VM_BIND_UNMAP };
enum { VM_BIND_SPARSE = 1 << 8 };
enum { VM_BIND_RUN_ASYNC = 1 };
enum { EXEC_PUSH_NO_PREFETCH = 1 };
enum { SYNC_SYNCOBJ = 0, SYNC_TIMELINE = 1, SYNC_TYPE_MASK = 0xf };
enum { WAIT_ALL = 1, WAIT_FOR_SUBMIT = 2, WAIT_AVAILABLE = 4 };
enum { SYNCOBJ_CREATE_SIGNALED = 1, SYNCOBJ_SYNC_FILE = 1, SYNCOBJ_QUERY_LAST_SUBMITTED = 1 };
#define PUSHBUF_NO_PREFETCH (UINT64_C(1) << 23)

struct drm_gem_close_args {
    uint32_t handle, pad;
};
struct drm_gem_flink_args {
    uint32_t handle, name;
};
struct drm_gem_open_args {
    uint32_t name, handle;
    uint64_t size;
};
struct drm_cap_args {
    uint64_t capability, value;
};
struct drm_prime_args {
    uint32_t handle, flags;
    int32_t fd;
};
struct drm_version_args {
    int32_t major, minor, patch;
    uint64_t name_length, name, date_length, date, desc_length, desc;
};
struct drm_unique_args {
    uint64_t length, unique;
};

struct syncobj_create_args {
    uint32_t handle, flags;
};
struct syncobj_destroy_args {
    uint32_t handle, pad;
};
struct syncobj_handle_args {
    uint32_t handle, flags;
    int32_t fd;
    uint32_t pad;
    uint64_t point; /* newer kernels */
};
struct syncobj_wait_args {
    uint64_t handles;
    int64_t timeout;
    uint32_t count, flags, first_signaled, pad;
};
struct syncobj_timeline_wait_args {
    uint64_t handles, points;
    int64_t timeout;
    uint32_t count, flags, first_signaled, pad;
};
struct syncobj_array_args {
    uint64_t handles;
    uint32_t count, pad;
};
struct syncobj_timeline_array_args {
    uint64_t handles, points;
    uint32_t count, flags;
};
struct syncobj_transfer_args {
    uint32_t source, dest;
    uint64_t source_point, dest_point;
    uint32_t flags, pad;
};
struct syncobj_eventfd_args {
    uint32_t handle, flags;
    uint64_t point;
    int32_t fd;
    uint32_t pad;
};

struct nouveau_getparam_args {
    uint64_t param, value;
};
struct nouveau_channel_alloc_args {
    uint32_t fb, tt;
    int32_t channel;
    uint32_t pushbuf_domains, notifier;
    struct {
        uint32_t handle, klass;
    } subchannel[8];
    uint32_t subchannels;
};
struct nouveau_channel_free_args {
    int32_t channel;
};
struct nouveau_gem_info {
    uint32_t handle, domain;
    uint64_t size, offset, map_handle;
    uint32_t tile_mode, tile_flags;
};
struct nouveau_gem_new_args {
    struct nouveau_gem_info info;
    uint32_t channel_hint, align;
};
struct nouveau_pushbuf_bo {
    uint64_t user;
    uint32_t handle, read, write, valid;
    uint32_t presumed_valid, presumed_domain;
    uint64_t presumed_offset;
};
struct nouveau_pushbuf_push {
    uint32_t bo_index, pad;
    uint64_t offset, length;
};
struct nouveau_pushbuf_args {
    uint32_t channel, buffer_count;
    uint64_t buffers;
    uint32_t reloc_count, push_count;
    uint64_t relocs, pushes;
    uint32_t suffix0, suffix1;
    uint64_t vram_available, gart_available;
};
struct nouveau_cpu_prep_args {
    uint32_t handle, flags;
};
struct nouveau_sync {
    uint32_t flags, handle;
    uint64_t value;
};
struct nouveau_vm_init_args {
    uint64_t address, size;
};
struct nouveau_vm_bind_op {
    uint32_t op, flags, handle, pad;
    uint64_t address, bo_offset, range;
};
struct nouveau_vm_bind_args {
    uint32_t op_count, flags, wait_count, signal_count;
    uint64_t waits, signals, ops;
};
struct nouveau_exec_push {
    uint64_t va;
    uint32_t bytes, flags;
};
struct nouveau_exec_args {
    uint32_t channel, push_count, wait_count, signal_count;
    uint64_t waits, signals, pushes;
};

/* NVIF: a header, then data by type. */
enum { NVIF_NOP = 0, NVIF_SCLASS = 1, NVIF_NEW = 2, NVIF_DEL = 3, NVIF_MTHD = 4 };
#define NVIF_ROUTE_CHANNEL 0xff
struct nvif_args {
    uint8_t version, type, pad[4], owner, route;
    uint64_t token, object;
};
struct nvif_sclass {
    uint8_t version, count, pad[6];
    struct {
        int32_t oclass;
        int16_t min_version, max_version;
    } item[];
};
struct nvif_new {
    uint8_t version, pad[6], route;
    uint64_t token, object;
    uint32_t handle;
    int32_t oclass;
};
struct nvif_method {
    uint8_t version, method, pad[6];
};
struct nvif_device_info {
    uint8_t version, platform;
    uint16_t chipset;
    uint8_t revision, family, pad[2];
    uint64_t ram_size, ram_user;
    char chip[16], name[64];
};
struct nvif_device_time {
    uint8_t version, pad[7];
    uint64_t time;
};

#endif
