#include "tool/kernel.h"

#include "base/alloc.h"
#include "base/bits.h"
#include "base/hash.h"
#include "memory/pagemap.h"
#include "tool/cubin.h"
#include "tool/tool.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Addresses that a launch sees: windows, then buffers with a hole behind each. */
#define SHARED_WINDOW UINT64_C(0x01000000)
#define LOCAL_WINDOW  UINT64_C(0x02000000)
#define WINDOW_BYTES  UINT64_C(0x01000000)
#define GLOBAL_BASE   UINT64_C(0x0000000100000000)
#define HOLE          UINT64_C(0x10000)

struct buffer {
    const char *name;
    uint64_t address, ram, size;
};

struct launch {
    const struct et_kernel_files *files;
    const cJSON *manifest;
    struct et_kernel_result *result;
    struct etalon_error error;
    uint8_t *cubin_bytes;
    struct et_cubin cubin;
    struct et_ram ram;
    struct et_pagemap map;
    struct buffer *buffers;
    size_t buffer_count;
    uint64_t top; /* of RAM, while addresses are given out */
    uint8_t *bank0;
    uint32_t bank0_size;
    struct et_program *program;
};

static const cJSON *get(const cJSON *object, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(object, name);
}

static uint64_t number(const cJSON *object, const char *name, uint64_t missing)
{
    const cJSON *item = get(object, name);
    return cJSON_IsNumber(item) && item->valuedouble >= 0 && item->valuedouble < 0x1p64
               ? (uint64_t)item->valuedouble
               : missing;
}

static const char *string(const cJSON *object, const char *name)
{
    const cJSON *item = get(object, name);
    return cJSON_IsString(item) ? item->valuestring : NULL;
}

/* A file of the manifest, copied. */
static enum etalon_status read_file(struct launch *l, const char *name, uint8_t **bytes, size_t *size)
{
    char path[4096];
    const struct et_tar_file *member;
    *bytes = NULL;
    if (!name || strchr(name, '/'))
        return et_fail(&l->error, ETALON_FORMAT, "manifest: a file's name");
    if (l->files->folder) {
        if (snprintf(path, sizeof path, "%s/%s", l->files->folder, name) >= (int)sizeof path)
            return et_fail(&l->error, ETALON_INVALID, "the path to %s is too long", name);
        return et_file_read(path, UINT64_C(1) << 30, bytes, size, &l->error);
    }
    member = et_tar_find(l->files->list, name);
    if (!member)
        return et_fail(&l->error, ETALON_IO, "no %s in the archive", name);
    *bytes = et_calloc(member->size + 1, 1);
    if (!*bytes)
        return et_fail(&l->error, ETALON_NO_MEMORY, "%s", name);
    memcpy(*bytes, member->bytes, member->size);
    *size = member->size;
    return ETALON_OK;
}

/* Gives out RAM and an address. */
static void place(struct launch *l, struct buffer *buffer, const char *name, uint64_t size)
{
    buffer->name = name;
    buffer->size = size;
    buffer->ram = l->top;
    buffer->address = GLOBAL_BASE + l->top + (l->buffer_count + 1) * HOLE;
    l->top += et_align_up(size ? size : 1, HOLE);
    l->buffer_count++;
}

static const struct buffer *find_buffer(const struct launch *l, const char *name)
{
    for (size_t n = 0; name && n < l->buffer_count; n++)
        if (l->buffers[n].name && !strcmp(l->buffers[n].name, name))
            return &l->buffers[n];
    return NULL;
}

/* Fills a generated buffer whose rule needs no file. */
static bool generate(const char *kind, uint64_t seed, uint8_t *to, uint64_t size)
{
    uint64_t s = seed * UINT64_C(0x9E3779B97F4A7C15) + 1;
    if (!strcmp(kind, "zero")) {
        memset(to, 0, (size_t)size);
        return true;
    }
    if (!strcmp(kind, "fill")) {
        memset(to, 0x5a, (size_t)size);
        return true;
    }
    if (strcmp(kind, "r") && strcmp(kind, "u"))
        return false;
    for (uint64_t at = 0; at + 4 <= size; at += 4) {
        uint32_t word;
        s = s * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        word = (uint32_t)(s >> 32);
        et_store32(to + at, kind[0] == 'r' ? word : et_float_bits((float)(word >> 8) * 0x1p-24f));
    }
    return true;
}

static enum etalon_status fill_buffer(struct launch *l, const cJSON *item, const struct buffer *buffer)
{
    uint8_t *const to = l->ram.base + buffer->ram, *bytes = NULL;
    const char *file = string(item, "file"), *kind = string(item, "generator"), *sum = string(item, "sha256");
    struct et_sha256 sha;
    uint8_t digest[32];
    char text[65];
    size_t size;
    if (file) {
        if (read_file(l, file, &bytes, &size) != ETALON_OK)
            return l->error.status;
        memcpy(to, bytes, (size_t)ET_MIN(size, buffer->size));
        et_free(bytes);
    } else if (!kind || !generate(kind, number(item, "seed", 0), to, buffer->size)) {
        return et_fail(&l->error, ETALON_FORMAT,
                       "manifest: buffer %s has neither a file nor a known generator", buffer->name);
    }
    if (!sum)
        return ETALON_OK;
    et_sha256_start(&sha);
    et_sha256_add(&sha, to, (size_t)buffer->size);
    et_sha256_end(&sha, digest);
    et_sha256_text(digest, text);
    return strcmp(text, sum)
               ? et_fail(&l->error, ETALON_FORMAT, "buffer %s is not what its sha256 says", buffer->name)
               : ETALON_OK;
}

static bool is_global(const struct et_cubin_section *section)
{
    return !strncmp(section->name, ".nv.global", 10) && strncmp(section->name, ".nv.global.relocs", 17);
}

/* Memory of buffers and global variables, mapped and filled; relocations applied. */
static enum etalon_status lay_memory(struct launch *l)
{
    const cJSON *list = get(l->manifest, "buffers"), *item;
    const size_t declared = (size_t)cJSON_GetArraySize(list);
    size_t first_global, n = 0;
    l->buffers = et_calloc(declared + l->cubin.count + 1, sizeof *l->buffers);
    if (!l->buffers)
        return et_fail(&l->error, ETALON_NO_MEMORY, "buffers");
    cJSON_ArrayForEach(item, list)
    {
        const uint64_t size = number(item, "bytes", 0);
        if (!string(item, "name") || size > UINT64_C(1) << 30)
            return et_fail(&l->error, ETALON_FORMAT, "manifest: a buffer's name or size");
        place(l, &l->buffers[l->buffer_count], string(item, "name"), size);
    }
    first_global = l->buffer_count;
    for (size_t k = 0; k < l->cubin.count; k++)
        if (is_global(&l->cubin.sections[k])) {
            place(l, &l->buffers[l->buffer_count], NULL, l->cubin.sections[k].size);
            l->cubin.sections[k].address = l->buffers[l->buffer_count - 1].address;
        }
    if (et_cubin_relocate(&l->cubin, &l->error) != ETALON_OK ||
        et_ram_create(&l->ram, l->top + HOLE, ET_RAM_TRACKED, &l->error) != ETALON_OK)
        return l->error.status;
    et_pagemap_init(&l->map, &l->ram, 40);
    for (size_t k = 0; k < l->buffer_count; k++)
        if (et_pagemap_map(&l->map, l->buffers[k].address, et_align_up(l->buffers[k].size, ET_PAGE_SIZE),
                           l->buffers[k].ram, ET_READ | ET_WRITE, 0, &l->error) != ETALON_OK)
            return l->error.status;
    cJSON_ArrayForEach(item, list)
    {
        if (fill_buffer(l, item, &l->buffers[n++]) != ETALON_OK)
            return l->error.status;
    }
    for (size_t k = 0, g = first_global; k < l->cubin.count; k++)
        if (is_global(&l->cubin.sections[k]))
            memcpy(l->ram.base + l->buffers[g++].ram, l->cubin.sections[k].bytes, l->cubin.sections[k].size);
    return ETALON_OK;
}

static void put(struct launch *l, uint32_t offset, uint64_t value, unsigned bytes)
{
    if (offset + bytes <= l->bank0_size)
        memcpy(l->bank0 + offset, &value, bytes);
}

/* Driver-made words of c[0x0] below the parameters: a convention of each compiler's ABI [HW]. */
static void lay_driver_words(struct launch *l, const struct et_grid *grid, uint32_t stack)
{
    const bool maxwell = l->cubin.sm < 70;
    for (unsigned n = 0; n < 3; n++) {
        put(l, (maxwell ? 0x08 : 0x00) + 4 * n, grid->block[n], 4);
        put(l, (maxwell ? 0x14 : 0x0c) + 4 * n, grid->grid[n], 4);
    }
    if (maxwell) {
        put(l, 0x00, SHARED_WINDOW, 4);
        put(l, 0x04, LOCAL_WINDOW, 4);
        put(l, 0x20, stack, 4);
        put(l, 0xd0, LOCAL_WINDOW + WINDOW_BYTES, 8);
    } else {
        put(l, 0x18, SHARED_WINDOW, 8);
        put(l, 0x20, LOCAL_WINDOW, 8);
        put(l, 0x28, stack, 4);
        put(l, 0x50, LOCAL_WINDOW + WINDOW_BYTES, 8);
    }
}

static int hex_digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

static enum etalon_status lay_parameters(struct launch *l)
{
    const uint32_t base =
        (uint32_t)number(l->manifest, "const0_param_base", l->cubin.sm < 70 ? 0x140 : 0x160);
    const cJSON *item;
    cJSON_ArrayForEach(item, get(l->manifest, "params"))
    {
        const uint32_t offset = base + (uint32_t)number(item, "offset", 0),
                       size = (uint32_t)number(item, "size", 0);
        const char *name = string(item, "buffer"), *bytes = string(item, "bytes");
        if (offset > l->bank0_size || size > l->bank0_size - offset)
            return et_fail(&l->error, ETALON_FORMAT, "manifest: a parameter outside the constant bank");
        if (name) {
            const struct buffer *buffer = find_buffer(l, name);
            if (!buffer)
                return et_fail(&l->error, ETALON_FORMAT, "manifest: no buffer %s", name);
            put(l, offset, buffer->address, (unsigned)ET_MIN(size, 8u));
            continue;
        }
        for (uint32_t n = 0; bytes && n < size; n++) {
            const int high = hex_digit(bytes[2 * n]), low = high < 0 ? -1 : hex_digit(bytes[2 * n + 1]);
            if (low < 0)
                return et_fail(&l->error, ETALON_FORMAT, "manifest: a parameter's bytes");
            l->bank0[offset + n] = (uint8_t)(high << 4 | low);
        }
    }
    return ETALON_OK;
}

static enum etalon_status lay_banks(struct launch *l, struct et_launch *launch, const char *entry,
                                    const struct et_grid *grid)
{
    const struct et_cubin_section *zero = et_cubin_find(&l->cubin, ".nv.constant0.", entry);
    const uint64_t wanted =
        number(l->manifest, "const0_param_base", 0x160) + number(l->manifest, "const0_param_size", 0);
    l->bank0_size = (uint32_t)ET_MAX(zero ? zero->size : 0, ET_MIN(wanted, UINT64_C(65536)));
    l->bank0 = et_calloc(l->bank0_size + 1u, 1);
    if (!l->bank0)
        return et_fail(&l->error, ETALON_NO_MEMORY, "constants");
    if (zero)
        memcpy(l->bank0, zero->bytes, zero->size);
    for (unsigned n = 1; n < ET_BANKS; n++) {
        char name[32];
        const struct et_cubin_section *section;
        snprintf(name, sizeof name, ".nv.constant%u", n);
        section = et_cubin_find(&l->cubin, name, "");
        if (!section) {
            snprintf(name, sizeof name, ".nv.constant%u.", n);
            section = et_cubin_find(&l->cubin, name, entry);
        }
        if (section)
            launch->banks[n] = (struct et_bank){section->bytes, (uint32_t)section->size};
    }
    launch->banks[0] = (struct et_bank){l->bank0, l->bank0_size};
    lay_driver_words(l, grid, launch->local_bytes);
    return lay_parameters(l);
}

static void triple(const cJSON *list, uint32_t out[3])
{
    for (int n = 0; n < 3; n++) {
        const cJSON *item = cJSON_GetArrayItem(list, n);
        out[n] = cJSON_IsNumber(item) && item->valuedouble >= 0 ? (uint32_t)item->valuedouble : 1;
    }
}

/* Compares the outputs with their truth files. */
static enum etalon_status compare(struct launch *l)
{
    struct et_kernel_result *result = l->result;
    const cJSON *item;
    result->verdict = ET_KERNEL_EQUAL;
    cJSON_ArrayForEach(item, get(l->manifest, "outputs"))
    {
        const struct buffer *buffer = find_buffer(l, string(item, "buffer"));
        uint8_t *truth = NULL;
        size_t size = 0;
        if (!buffer)
            return et_fail(&l->error, ETALON_FORMAT, "manifest: an output that is no buffer");
        if (read_file(l, string(item, "file"), &truth, &size) != ETALON_OK)
            return l->error.status;
        if (size != buffer->size) {
            et_free(truth);
            return et_fail(&l->error, ETALON_FORMAT, "the truth of %s has %zu bytes of %llu", buffer->name,
                           size, (unsigned long long)buffer->size);
        }
        result->words += size / 4;
        for (size_t at = 0; at < size; at += 4) {
            uint32_t want = 0, have = 0;
            memcpy(&want, truth + at, ET_MIN(4, size - at));
            memcpy(&have, l->ram.base + buffer->ram + at, ET_MIN(4, size - at));
            if (want == have)
                continue;
            if (!result->different++)
                snprintf(result->text, sizeof result->text, "%s[%zu]: 0x%08x, silicon gave 0x%08x",
                         buffer->name, at / 4, have, want);
            result->verdict = ET_KERNEL_DIFFERENT;
        }
        et_free(truth);
    }
    return ETALON_OK;
}

static void take_outputs(struct launch *l, struct et_kernel_output **outputs, size_t *count)
{
    const cJSON *list = get(l->manifest, "outputs"), *item;
    size_t n = 0;
    *outputs = et_calloc((size_t)cJSON_GetArraySize(list) + 1, sizeof **outputs);
    *count = 0;
    if (!*outputs)
        return;
    cJSON_ArrayForEach(item, list)
    {
        const struct buffer *buffer = find_buffer(l, string(item, "buffer"));
        struct et_kernel_output *output = &(*outputs)[n];
        if (!buffer || !(output->bytes = et_calloc((size_t)buffer->size + 1, 1)))
            continue;
        snprintf(output->name, sizeof output->name, "%s", buffer->name);
        memcpy(output->bytes, l->ram.base + buffer->ram, (size_t)buffer->size);
        output->size = (size_t)buffer->size;
        n++;
    }
    *count = n;
}

void et_kernel_outputs_free(struct et_kernel_output *outputs, size_t count)
{
    for (size_t n = 0; outputs && n < count; n++)
        et_free(outputs[n].bytes);
    et_free(outputs);
}

static enum etalon_status execute(struct launch *l, const char *entry, int threads)
{
    struct et_launch launch = {.map = &l->map,
                               .event = 1,
                               .stage = ET_STAGE_COMPUTE,
                               .bindless_bank = -1,
                               .shared_window = SHARED_WINDOW,
                               .local_window = LOCAL_WINDOW,
                               .window_bytes = WINDOW_BYTES,
                               .sm_count = 1};
    struct et_grid grid = {.threads = threads};
    const struct et_cubin_section *text = et_cubin_find(&l->cubin, ".text.", entry);
    const bool maxwell = l->cubin.sm < 70;
    if (!text)
        return et_fail(&l->error, ETALON_FORMAT, "cubin: no code for %s", entry);
    triple(get(l->manifest, "grid"), grid.grid);
    triple(get(l->manifest, "block"), grid.block);
    grid.shared_bytes =
        (uint32_t)(number(l->manifest, "shared_static", 0) + number(l->manifest, "shared_dynamic", 0));
    /* What the manifest suggests, and room for calls. */
    launch.local_bytes =
        (uint32_t)ET_MAX(ET_MIN(number(l->manifest, "local_alloc_bytes", 1024), UINT64_C(1) << 19), 4096);
    if (lay_banks(l, &launch, entry, &grid) != ETALON_OK ||
        et_program_create(&l->program, maxwell ? ET_ISA_MAXWELL : ET_ISA_AMPERE, text->bytes, text->size, 0,
                          &l->error) != ETALON_OK)
        return l->error.status;
    if (!strcmp(l->result->expect, "none")) {
        l->result->verdict = ET_KERNEL_DECODED;
        return ETALON_OK;
    }
    launch.program = l->program;
    launch.budget.instructions = UINT64_C(1) << 31;
    l->result->verdict = ET_KERNEL_EQUAL;
    return et_run_grid(&launch, &grid, &l->result->counts, &l->error);
}

static void copy_text(char *to, size_t size, const char *from)
{
    snprintf(to, size, "%s", from ? from : "?");
}

void et_kernel_run(const struct et_kernel_files *files, const char *manifest, int threads,
                   struct et_kernel_result *result, struct et_kernel_output **outputs, size_t *count)
{
    struct launch l = {.files = files, .result = result};
    cJSON *root = cJSON_Parse(manifest);
    const char *entry = string(root, "entry");
    enum etalon_status status = ETALON_OK;
    size_t size = 0;
    memset(result, 0, sizeof *result);
    result->verdict = ET_KERNEL_FAILED;
    l.manifest = root;
    copy_text(result->kernel, sizeof result->kernel, string(root, "kernel"));
    copy_text(result->arch, sizeof result->arch, string(root, "arch"));
    copy_text(result->expect, sizeof result->expect, string(get(root, "truth"), "expect"));
    if (!root || !entry)
        status = et_fail(&l.error, ETALON_FORMAT, "the manifest is no JSON object with an entry");
    if (status == ETALON_OK)
        status = read_file(&l, string(root, "cubin"), &l.cubin_bytes, &size);
    if (status == ETALON_OK)
        status = et_cubin_open(&l.cubin, l.cubin_bytes, size, &l.error);
    if (status == ETALON_OK)
        status = lay_memory(&l);
    result->unusable = status != ETALON_OK;
    if (status == ETALON_OK)
        status = execute(&l, entry, threads);
    if (status == ETALON_OK && result->verdict != ET_KERNEL_DECODED)
        status = outputs ? (take_outputs(&l, outputs, count), ETALON_OK) : compare(&l);
    if (status != ETALON_OK) {
        result->verdict = ET_KERNEL_FAILED;
        et_tool_error_text(&l.error, result->text, sizeof result->text);
    }
    et_program_destroy(l.program);
    et_pagemap_finish(&l.map);
    et_ram_destroy(&l.ram);
    et_cubin_close(&l.cubin);
    et_free(l.cubin_bytes);
    et_free(l.buffers);
    et_free(l.bank0);
    cJSON_Delete(root);
}
