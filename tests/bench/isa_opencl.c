/* OpenCL as a peer, without its headers or library at build time: entry points are looked up at run time. */
#include "bench/isa_peers.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef int (*get_platforms_fn)(unsigned, void **, unsigned *);
typedef int (*get_devices_fn)(void *, uint64_t, unsigned, void **, unsigned *);
typedef int (*device_info_fn)(void *, unsigned, size_t, void *, size_t *);
typedef void *(*create_context_fn)(const void *, unsigned, void **, void *, void *, int *);
typedef void *(*create_queue_fn)(void *, void *, uint64_t, int *);
typedef void *(*create_program_fn)(void *, unsigned, const char **, const size_t *, int *);
typedef int (*build_fn)(void *, unsigned, void **, const char *, void *, void *);
typedef void *(*create_kernel_fn)(void *, const char *, int *);
typedef void *(*create_buffer_fn)(void *, uint64_t, size_t, void *, int *);
typedef int (*write_fn)(void *, void *, unsigned, size_t, size_t, const void *, unsigned, const void *,
                        void *);
typedef int (*set_arg_fn)(void *, unsigned, size_t, const void *);
typedef int (*run_fn)(void *, void *, unsigned, const size_t *, const size_t *, const size_t *, unsigned,
                      const void *, void *);
typedef int (*one_fn)(void *);

struct isa_opencl {
    void *library, *device, *context, *queue, *program;
    char name[256];
    create_kernel_fn create_kernel;
    create_buffer_fn create_buffer;
    write_fn write;
    set_arg_fn set_arg;
    run_fn run;
    one_fn finish, release_buffer, release_kernel;
};

static const char source[] =
    "__kernel void ffma(__global float *m) { uint i = get_global_id(0); float a = m[i], b = a, c = a, d = "
    "a;\n"
    "  for (int n = 0; n < 256; n++) { a = fma(a, 0.999f, 0.001f); b = fma(b, 0.999f, 0.001f); c = fma(c, "
    "0.999f, 0.001f);\n"
    "    d = fma(d, 0.999f, 0.001f); } m[i] = a + b + c + d; }\n"
    "#define R(x, n) rotate(x, (uint)(32 - n))\n"
    "__kernel void sha256(__global uint *m, __constant uint *k) { uint i = get_global_id(0), w[16], s[8], "
    "sum = 0;\n"
    "  for (uint n = 0; n < 16; n++) w[n] = i * 16 + n; for (uint n = 0; n < 8; n++) s[n] = k[64 + n];\n"
    "  for (uint n = 0; n < 64; n++) { if (n >= 16) { uint x = w[(n + 1) & 15], y = w[(n + 14) & 15];\n"
    "    w[n & 15] += w[(n + 9) & 15] + (R(x, 7) ^ R(x, 18) ^ x >> 3) + (R(y, 17) ^ R(y, 19) ^ y >> 10); }\n"
    "    uint t = s[7] + (R(s[4], 6) ^ R(s[4], 11) ^ R(s[4], 25)) + bitselect(s[6], s[5], s[4]) + k[n] + w[n "
    "& 15];\n"
    "    uint u = (R(s[0], 2) ^ R(s[0], 13) ^ R(s[0], 22)) + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & "
    "s[2]));\n"
    "    s[7] = s[6]; s[6] = s[5]; s[5] = s[4]; s[4] = s[3] + t; s[3] = s[2]; s[2] = s[1]; s[1] = s[0]; s[0] "
    "= t + u; }\n"
    "  for (uint n = 0; n < 8; n++) sum += s[n] + k[64 + n]; m[i] = sum; }\n"
    "__kernel void copy(__global uint *m) { uint i = get_global_id(0); for (uint n = 0; n < 128; n++)\n"
    "  m[i + n * 16384 + 8388608] = m[i + n * 16384]; }\n"
    "__kernel void diverge(__global uint *m) { uint i = get_global_id(0), n = i + 1, c = 0;\n"
    "  while (n != 1) { n = n & 1 ? 3 * n + 1 : n >> 1; c++; } m[i] = c; }\n"
    "__kernel void matmul(__global float *m) { __local float a[16][16], b[16][16]; uint x = get_local_id(0) "
    "& 15,\n"
    "  y = get_local_id(0) >> 4, r = (get_group_id(0) >> 4) * 16 + y, c = (get_group_id(0) & 15) * 16 + x; "
    "float s = 0;\n"
    "  for (uint t = 0; t < 16; t++) { a[y][x] = m[r * 256 + t * 16 + x]; b[y][x] = m[65536 + (t * 16 + y) * "
    "256 + c];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE); for (uint k = 0; k < 16; k++) s = fma(a[y][k], b[k][x], s);\n"
    "    barrier(CLK_LOCAL_MEM_FENCE); } m[131072 + r * 256 + c] = s; }\n";

/* A function pointer from dlsym, by way of the object pointer's bytes. */
static int find(void *library, const char *name, void *function)
{
    void *const symbol = dlsym(library, name);
    memcpy(function, &symbol, sizeof symbol);
    return symbol != NULL;
}

static int start(struct isa_opencl *cl)
{
    get_platforms_fn platforms;
    get_devices_fn devices;
    device_info_fn info;
    create_context_fn context;
    create_queue_fn queue;
    create_program_fn program;
    build_fn build;
    const char *text = source;
    void *platform;
    unsigned count = 0;
    int code = 0;
    if (!find(cl->library, "clGetPlatformIDs", &platforms) ||
        !find(cl->library, "clGetDeviceIDs", &devices) || !find(cl->library, "clGetDeviceInfo", &info) ||
        !find(cl->library, "clCreateContext", &context) ||
        !find(cl->library, "clCreateCommandQueue", &queue) ||
        !find(cl->library, "clCreateProgramWithSource", &program) ||
        !find(cl->library, "clBuildProgram", &build) ||
        !find(cl->library, "clCreateKernel", &cl->create_kernel) ||
        !find(cl->library, "clCreateBuffer", &cl->create_buffer) ||
        !find(cl->library, "clEnqueueWriteBuffer", &cl->write) ||
        !find(cl->library, "clSetKernelArg", &cl->set_arg) ||
        !find(cl->library, "clEnqueueNDRangeKernel", &cl->run) ||
        !find(cl->library, "clFinish", &cl->finish) ||
        !find(cl->library, "clReleaseMemObject", &cl->release_buffer) ||
        !find(cl->library, "clReleaseKernel", &cl->release_kernel))
        return 0;
    if (platforms(1, &platform, &count) || !count || devices(platform, 0xffffffff, 1, &cl->device, &count) ||
        !count)
        return 0;
    info(cl->device, 0x102b /* name */, sizeof cl->name - 1, cl->name, NULL);
    cl->context = context(NULL, 1, &cl->device, NULL, NULL, &code);
    cl->queue = cl->context ? queue(cl->context, cl->device, 0, &code) : NULL;
    cl->program = cl->queue ? program(cl->context, 1, &text, NULL, &code) : NULL;
    return cl->program && !build(cl->program, 1, &cl->device, "", NULL, NULL);
}

struct isa_opencl *isa_opencl_open(const char **device)
{
    struct isa_opencl *cl = calloc(1, sizeof *cl);
    /* One core, as the others. */
    setenv("POCL_MAX_PTHREAD_COUNT", "1", 0);
    if (cl && (cl->library = dlopen("libOpenCL.so.1", RTLD_NOW)) && start(cl)) {
        *device = cl->name;
        return cl;
    }
    isa_opencl_close(cl);
    return NULL;
}

void isa_opencl_close(struct isa_opencl *cl)
{
    if (cl && cl->library)
        dlclose(cl->library);
    free(cl);
}

double isa_opencl_run(struct isa_opencl *cl, enum isa_work work, unsigned tries)
{
    const size_t bytes = 64 << 20, local = 256,
                 global = work == ISA_MATRIX ? (size_t)MATRIX_BLOCKS * 256 : THREADS;
    uint32_t *const memory = malloc(bytes), constants[72];
    int code = 0;
    void *const kernel = cl->create_kernel(cl->program, isa_names[work], &code);
    void *const buffer = cl->create_buffer(cl->context, 1 /* read and write */, bytes, NULL, &code);
    void *const table = cl->create_buffer(cl->context, 1, sizeof constants, NULL, &code);
    double best = 0;
    memcpy(constants, isa_sha_round, sizeof isa_sha_round);
    memcpy(constants + 64, isa_sha_start, sizeof isa_sha_start);
    if (memory && kernel && buffer && table) {
        cl->set_arg(kernel, 0, sizeof buffer, &buffer);
        if (work == ISA_SHA)
            cl->set_arg(kernel, 1, sizeof table, &table);
        cl->write(cl->queue, table, 1, 0, sizeof constants, constants, 0, NULL, NULL);
        for (unsigned n = 0; n <= tries; n++) { /* the first one compiles */
            struct timespec a, b;
            double time;
            isa_fill(work, memory, bytes / 4);
            cl->write(cl->queue, buffer, 1, 0, bytes, memory, 0, NULL, NULL);
            clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &a);
            if (cl->run(cl->queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL) || cl->finish(cl->queue))
                break;
            clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &b);
            time = (double)(b.tv_sec - a.tv_sec) + (double)(b.tv_nsec - a.tv_nsec) * 1e-9;
            if (n && (best <= 0 || time < best))
                best = time;
        }
    }
    if (kernel)
        cl->release_kernel(kernel);
    if (buffer)
        cl->release_buffer(buffer);
    if (table)
        cl->release_buffer(table);
    free(memory);
    return best;
}
