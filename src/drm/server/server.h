/* The server: one RAM for all its clients, an open file's address space, channels, buffers and fences; one
 * event loop. */
#ifndef ET_DRM_SERVER_H
#define ET_DRM_SERVER_H

#include "drm/protocol.h"
#include "drm/transport.h"
#include "host/host.h"

#include <signal.h>
#include <sys/types.h>

/* What the node says of a chip to its clients. */
struct et_drm_card {
    const char *chip;   /* et_chip's name */
    const char *kernel; /* as nouveau names it */
    const char *marketing;
    uint16_t chipset;
    uint16_t pci_device; /* 0: a platform device */
    uint8_t family, gpcs, tpcs, rops;
};
const struct et_drm_card *et_drm_card_by_chip(const char *chip);

/* Buffer objects: ranges of RAM, shared by handles, mappings and exported descriptors. */
struct et_drm_bo {
    uint32_t number; /* unique in the server */
    uint64_t offset, size;
    uint32_t domain, tile_mode, tile_flags;
    unsigned references, handles;
    uint32_t name; /* flink; 0: none. It goes with the last handle. */
};

/* RAM's free ranges, sorted. */
struct et_drm_heap {
    struct et_drm_range {
        uint64_t offset, size;
    } * free;
    size_t count, capacity;
    int fd;
};
enum etalon_status et_drm_heap_init(struct et_drm_heap *heap, int fd, uint64_t size);
void et_drm_heap_finish(struct et_drm_heap *heap);
/* 64 KiB aligned, zeroed; 0 when there is no room (offset 0 is never handed out). */
uint64_t et_drm_heap_take(struct et_drm_heap *heap, uint64_t size);
void et_drm_heap_give(struct et_drm_heap *heap, uint64_t offset, uint64_t size);

/* Fences and what holds them. */
struct et_drm_fence {
    unsigned references;
    bool signalled;
};
struct et_drm_fence *et_drm_fence_create(bool signalled);
struct et_drm_fence *et_drm_fence_reference(struct et_drm_fence *fence);
void et_drm_fence_drop(struct et_drm_fence *fence);

struct et_drm_syncobj {
    unsigned references;
    struct et_drm_fence *fence; /* the last; NULL: none was ever put in */
    uint64_t signalled;         /* highest timeline point reached */
    struct et_drm_point {
        uint64_t value;
        struct et_drm_fence *fence;
    } * points; /* pending ones, ascending */
    size_t point_count, point_capacity;
};
struct et_drm_syncobj *et_drm_syncobj_create(bool signalled);
void et_drm_syncobj_drop(struct et_drm_syncobj *object);
/* Moves what is signalled from the pending points into `signalled`. */
void et_drm_syncobj_settle(struct et_drm_syncobj *object);
/* Puts a fence in: as the binary one (point 0), or at a timeline point. 0 when memory is refused. */
bool et_drm_syncobj_put(struct et_drm_syncobj *object, uint64_t point, struct et_drm_fence *fence);
/* The fence of a point (0: the binary one), referenced; NULL: nothing was submitted for it. */
struct et_drm_fence *et_drm_syncobj_find(struct et_drm_syncobj *object, uint64_t point);

/* Limits of what a client may have the server hold for it. */
#define ET_DRM_CHANNELS    256u
#define ET_DRM_HANDLES     65536u
#define ET_DRM_JOBS        1024u /* more wait in the client, as for room in a ring */
#define ET_DRM_POINTS      65536u
#define ET_DRM_FILES       4096u
#define ET_DRM_CONNECTIONS 4096u
#define ET_DRM_TOKENS      65536u

/* One submission, in its channel's order; a change of mappings is one of a queue of its own. */
#define ET_DRM_BIND_QUEUE ET_DRM_CHANNELS
struct et_drm_job {
    struct et_drm_job *next;
    uint32_t channel; /* or ET_DRM_BIND_QUEUE */
    struct nouveau_exec_push *pushes;
    uint32_t push_count;
    struct et_drm_bind {
        struct nouveau_vm_bind_op op;
        struct et_drm_bo *bo; /* referenced; NULL: none */
    } * binds;
    uint32_t bind_count;
    struct et_drm_fence **waits;
    uint32_t wait_count;
    struct et_drm_fence *done;
    bool pushed; /* its words are queued in the channel */
};

struct et_drm_record; /* a capture in the making */

/* An open file of the node. */
struct et_drm_file {
    struct et_drm_server *server;
    struct et_drm_file *next;
    uint32_t number;
    int socket; /* our end; closed by the client: the file is gone */
    struct et_pagemap map;
    struct et_device *device;
    bool managed; /* VM_INIT: the client maps; else every buffer is kept mapped */
    uint64_t next_va;
    bool lost; /* a fault killed it: every submission fails from then on */
    struct et_drm_bo **handles;
    struct et_drm_syncobj **syncobjs;
    uint32_t last_handle, last_syncobj;
    uint8_t channels[ET_DRM_CHANNELS]; /* in use */
    struct et_drm_mapping {
        uint64_t va, size, bo_offset;
        struct et_drm_bo *bo;
        uint32_t kind;
        bool closed; /* legacy: goes when the file is idle, since its last handle is gone */
    } * mappings;    /* sorted by va; they hold references */
    size_t mapping_count, mapping_capacity;
    struct et_drm_job *jobs, **last_job;
    uint32_t job_count;
    bool blocked, any_closed;
    struct et_drm_record *record;
};

/* Exported buffers, fences and syncobjs: sockets, by the inode of the client's end. Our end hears when the
 * last copy of that is closed, and the token goes. */
enum et_drm_token_kind { ET_DRM_TOKEN_BUFFER, ET_DRM_TOKEN_FENCE, ET_DRM_TOKEN_SYNCOBJ };
struct et_drm_token {
    uint64_t number; /* unique in the server */
    int socket;
    ino_t inode;
    enum et_drm_token_kind kind;
    bool told; /* the client's end is readable */
    struct et_drm_bo *bo;
    struct et_drm_fence *fence;
    struct et_drm_syncobj *syncobj;
};

/* A fence that is signalled when all of its parts are. */
struct et_drm_merge {
    struct et_drm_fence *done, **parts;
    size_t count;
};

/* A conversation with a process; a message comes in and goes out in as many pieces as it likes. */
struct et_drm_connection {
    int socket;
    struct et_drm_request request;
    struct et_drm_reply reply;
    uint8_t *body; /* then the arrays */
    enum { ET_DRM_HEADER, ET_DRM_BODY, ET_DRM_REPLY } state;
    struct et_drm_transfer transfer;
    /* What came with the request: an exported object's number (0: none), or an eventfd (-1: none). Other
     * descriptors are not kept: one may be, or hold, the only other end of this conversation. */
    uint64_t token;
    int eventfd;
};

/* An eventfd that wants to hear of a point. */
struct et_drm_watch {
    int fd;
    struct et_drm_fence *fence;
};

struct et_drm_statistics {
    uint64_t draws, dispatches, copies, clears, submissions, faults;
    uint64_t instructions; /* a warp's, of files that are closed */
};

struct et_drm_options {
    const char *chip;
    uint64_t ram_bytes, vram_bytes; /* 0: defaults */
    int threads;
    bool host_clock;
    const char *capture;                              /* folder to record into; NULL: none */
    void (*message)(void *context, const char *text); /* faults and the like, a line */
    void *message_context;
    void (*trigger)(void *context, const struct et_trigger *trigger, const struct et_drm_file *file);
    void *trigger_context;
};

struct et_drm_server {
    struct et_drm_options options;
    const struct et_chip *chip;
    const struct et_drm_card *card;
    struct et_ram ram;
    int ram_fd, progress_fd, listener;
    uint32_t *progress;
    bool deaf; /* no descriptor was left for a connection: the listener rests for a turn */
    char folder[256], socket_path[300];
    struct et_drm_heap heap;
    struct et_drm_file *files;
    size_t file_count;
    struct et_drm_bo **names; /* flink: by name - 1; without a reference */
    size_t name_count, name_capacity;
    struct et_drm_token *tokens;
    size_t token_count, token_capacity;
    struct et_drm_watch *watches;
    size_t watch_count, watch_capacity;
    struct et_drm_merge *merges;
    size_t merge_count, merge_capacity;
    struct et_drm_connection **connections;
    size_t connection_count, connection_capacity;
    uint32_t next_file, next_bo;
    uint64_t next_token;
    unsigned captures; /* written */
    struct et_drm_statistics statistics;
    uint64_t bytes_live; /* of buffers */
};

/* Makes RAM, the tree of /dev and /sys, and the listening socket, in a folder of its own. */
enum etalon_status et_drm_server_create(struct et_drm_server *server, const struct et_drm_options *options,
                                        struct etalon_error *error);
void et_drm_server_destroy(struct et_drm_server *server);
/* The signals that are passed on to the program while it runs; the caller blocks them before it starts it. */
void et_drm_server_signals(sigset_t *set);
/* Serves until the child `pid` has ended and all that it and its children held is closed; *wait_status as
 * waitpid gives it. */
void et_drm_server_run(struct et_drm_server *server, pid_t pid, int *wait_status);

/* --- between the server's files --- */

/* The node's folder: /dev/dri and the sysfs of one device. */
bool et_drm_tree_make(const char *folder, const struct et_drm_card *card);

/* Takes one pending connection; false when there is none, or no room for it. */
bool et_drm_connection_accept(struct et_drm_server *server);
void et_drm_connection_destroy(struct et_drm_connection *connection);
/* Moves what can be moved without waiting, and answers a request that is complete; false: it is over. */
bool et_drm_connection_serve(struct et_drm_server *server, struct et_drm_connection *connection);
/* Ends of a socket pair, `*theirs` bound to the name of object `number`; false: no descriptors. */
bool et_drm_pair(const struct et_drm_server *server, const char *prefix, uint64_t number, int *ours,
                 int *theirs);

struct et_drm_file *et_drm_file_create(struct et_drm_server *server, int socket);
void et_drm_file_destroy(struct et_drm_file *file);
struct et_drm_bo *et_drm_bo_create(struct et_drm_server *server, uint64_t size);
void et_drm_bo_drop(struct et_drm_server *server, struct et_drm_bo *bo);
int et_drm_map(struct et_drm_file *file, uint64_t va, uint64_t size, struct et_drm_bo *bo, uint64_t bo_offset,
               uint32_t kind);
int et_drm_unmap(struct et_drm_file *file, uint64_t va, uint64_t size);
/* One operation of VM_BIND. */
int et_drm_bind(struct et_drm_file *file, const struct et_drm_bind *bind);
/* Where the legacy interface keeps a buffer mapped; 0: nowhere. */
uint64_t et_drm_legacy_va(const struct et_drm_file *file, const struct et_drm_bo *bo);
/* Unmaps what was closed while work was queued. */
void et_drm_reap_closed(struct et_drm_file *file);
/* Takes a handle away, and its reference. */
void et_drm_drop_handle(struct et_drm_file *file, uint32_t handle);

/* One ioctl: a result >= 0 or negative errno; *reply_fd goes back. */
struct et_drm_call {
    struct et_drm_file *file;
    uint32_t nr;
    void *body;
    size_t size;
    uint8_t *arrays;
    size_t array_bytes;
    const struct et_drm_token *token; /* of the descriptor that came along; NULL: none */
    int eventfd, *reply_fd;
    uint64_t *extra;
};
int et_drm_ioctl(struct et_drm_server *server, const struct et_drm_call *call);
int et_drm_gem_ioctl(struct et_drm_file *file, const struct et_drm_call *call);
int et_drm_sync_ioctl(struct et_drm_file *file, const struct et_drm_call *call);
int et_drm_nvif_ioctl(struct et_drm_file *file, void *body, size_t size);
/* Array `index` of the call (in et_drm_arrays' order for its nr); NULL when it is shorter than the counts
 * say. */
void *et_drm_call_array(const struct et_drm_call *call, unsigned index, uint32_t *count);

/* Submissions. */
int et_drm_submit(struct et_drm_file *file, uint32_t channel, const struct nouveau_exec_push *pushes,
                  uint32_t push_count, const struct nouveau_sync *waits, uint32_t wait_count,
                  const struct nouveau_sync *signals, uint32_t signal_count);
/* Takes over the binds: they happen when the waits are met. */
int et_drm_submit_binds(struct et_drm_file *file, struct et_drm_bind *binds, uint32_t count,
                        const struct nouveau_sync *waits, uint32_t wait_count,
                        const struct nouveau_sync *signals, uint32_t signal_count);
void et_drm_free_binds(struct et_drm_server *server, struct et_drm_bind *binds, uint32_t count);
/* 1: every wait of the list is met, 0: not yet, negative errno: one is unknown or was never submitted. */
int et_drm_waits_met(struct et_drm_file *file, const struct nouveau_sync *waits, uint32_t count);
/* Ends a channel's jobs undone; their fences are signalled. */
void et_drm_cancel_jobs(struct et_drm_file *file, uint32_t channel);
/* Runs what can run; true when something moved. */
bool et_drm_file_run(struct et_drm_file *file);
bool et_drm_file_idle(const struct et_drm_file *file);
/* Puts a fence into the syncobjs of a list; negative errno when one is unknown. */
int et_drm_put_signals(struct et_drm_file *file, const struct nouveau_sync *signals, uint32_t count,
                       struct et_drm_fence *fence);
/* A fence was signalled somewhere: settles, tells eventfds, moves the progress count. */
void et_drm_progress(struct et_drm_server *server);

struct et_drm_syncobj *et_drm_syncobj_of(const struct et_drm_file *file, uint32_t handle);
struct et_drm_bo *et_drm_bo_of(const struct et_drm_file *file, uint32_t handle);
/* A descriptor that stands for an object, whose reference it takes over also when it fails; -1: no room. */
int et_drm_token_create(struct et_drm_server *server, const struct et_drm_token *token);
struct et_drm_token *et_drm_token_of(const struct et_drm_server *server, int fd);
struct et_drm_token *et_drm_token_by_number(const struct et_drm_server *server, uint64_t number);
void et_drm_token_remove(struct et_drm_server *server, size_t index);
/* Makes the descriptors of signalled fences readable. */
void et_drm_tell_tokens(struct et_drm_server *server);
/* A fence (with a reference for the caller) for when all of `parts` are signalled; takes over their
 * references and frees the list. NULL: no memory. */
struct et_drm_fence *et_drm_fence_merge(struct et_drm_server *server, struct et_drm_fence **parts,
                                        size_t count);
/* Signals merged fences whose parts are. */
void et_drm_settle_merges(struct et_drm_server *server);
void et_drm_free_merge(struct et_drm_merge *merge);

/* Recording (record.c). */
struct et_drm_record *et_drm_record_create(struct et_drm_file *file);
void et_drm_record_destroy(struct et_drm_record *record);
void et_drm_record_map(struct et_drm_record *record, uint32_t op, uint64_t va, uint64_t size,
                       const struct et_drm_bo *bo, uint64_t bo_offset, uint32_t kind);
/* Before the job's words run: the CPU's changes and the pushes; after: what the GPU wrote is known. */
void et_drm_record_before(struct et_drm_record *record, const struct et_drm_job *job);
void et_drm_record_after(struct et_drm_record *record);
/* The program wrote a range of RAM to a file: a result. False when no buffer of the recording has it. */
bool et_drm_record_output(struct et_drm_record *record, uint64_t offset, uint64_t size, const char *name);
void et_drm_record_trigger(struct et_drm_record *record, const struct et_trigger *trigger);

#endif
