/* The command buffer (B2..B4), the walk of the layouts, and the table of functions with names and NIDs. */
#include "pm4/agc.h"

#include "base/bits.h"

#include <string.h>

/* ---- the buffer ---- */

static uint32_t available(const struct etalon_agc_buffer *buf)
{
    const int64_t free_dwords = (buf->cursor_down - buf->cursor_up) - (int64_t)buf->reserved_dw;
    return free_dwords <= 0 ? 0 : free_dwords > UINT32_MAX ? UINT32_MAX : (uint32_t)free_dwords;
}

bool et_agc_reserve(struct etalon_agc_buffer *buf, uint32_t dwords)
{
    if (!buf)
        return false;
    if (dwords <= available(buf))
        return true;
    return buf->callback && buf->callback(buf, dwords + buf->reserved_dw, buf->user_data) &&
           dwords <= available(buf);
}

uint32_t *et_agc_allocate(struct etalon_agc_buffer *buf, uint32_t dwords)
{
    if (!dwords || !et_agc_reserve(buf, dwords))
        return NULL;
    uint32_t *start = buf->cursor_up;
    buf->cursor_up += dwords;
    return start;
}

/* ---- walking a layout ---- */

static bool prepare(const struct et_agc_layout *layout, struct et_agc_call *call,
                    const struct etalon_agc_argument *arguments, size_t count)
{
    if (count != strlen(layout->signature) && !(count == 1 && !layout->signature[0]))
        return false;
    for (size_t i = 0; i < count && i < ET_AGC_ARGUMENTS; i++) {
        call->value[i] = arguments[i].value;
        call->data[i] = arguments[i].data;
    }
    return !layout->prepare || layout->prepare(call);
}

static uint32_t length_of(const struct et_agc_layout *layout, const struct et_agc_call *call)
{
    return layout->length ? layout->length(call->value[layout->sized_by]) : layout->count;
}

uint32_t *et_agc_build(enum et_agc_builder builder, struct etalon_agc_buffer *buf,
                       const struct etalon_agc_argument *arguments, size_t count)
{
    const struct et_agc_layout *layout = &et_agc_layouts[builder];
    struct et_agc_call call = {0};
    if (!buf || !prepare(layout, &call, arguments, count))
        return NULL;
    if (layout->build)
        return layout->build(&call, buf);
    const uint32_t length = length_of(layout, &call);
    uint32_t *out = et_agc_allocate(buf, length);
    if (!out)
        return NULL;
    if (layout->fill) {
        if (builder != ET_CB_SET_SH_REGISTER_RANGE_DIRECT) /* whose payload may be left for patching */
            memset(out, 0, (size_t)length * sizeof *out);
        layout->fill(&call, out, length);
        return out;
    }
    memcpy(out, layout->words, (size_t)length * sizeof *out);
    for (const struct et_agc_term *term = layout->terms; term->width; term++)
        out[term->dword] |=
            (uint32_t)(et_bits64(call.value[term->argument], term->from, term->width) << term->at);
    return out;
}

/* ---- sizes ---- */

/* Where a size comes from: the layout of a builder (its argument is the builder's `sized_by`), or dwords
 * alone for packets that no known builder emits. [DRV] where the console's size differs from its emulator's
 * packet, the console's stands. */
static const struct {
    const char *builder;
    uint32_t dwords;
} sizes[ET_AGC_SIZE_COUNT] = {
    [ET_CB_QUEUE_END_OF_PIPE_ACTION_GET_SIZE] = {"AgcCbReleaseMem", 0},
    [ET_DCB_WAIT_ON_ADDRESS_GET_SIZE] = {"AgcDcbWaitRegMem", 0},
    [ET_ACB_WAIT_ON_ADDRESS_GET_SIZE] = {"AgcAcbWaitRegMem", 0},
    [ET_DCB_SET_BASE_DRAW_INDIRECT_ARGS_GET_SIZE] = {"AgcDcbSetBaseIndirectArgs", 0},
    [ET_DCB_SET_BASE_DISPATCH_INDIRECT_ARGS_GET_SIZE] = {"AgcDcbSetBaseIndirectArgs", 0},
    [ET_DCB_SET_PREDICATION_DISABLE_GET_SIZE] = {"AgcDcbSetPredication", 0},
    [ET_DCB_SET_BOOL_PREDICATION_ENABLE_GET_SIZE] = {"AgcDcbSetPredication", 0},
    [ET_DCB_SET_ZPASS_PREDICATION_ENABLE_GET_SIZE] = {"AgcDcbSetPredication", 0},
    [ET_DCB_QUEUE_END_OF_SHADER_ACTION_GET_SIZE] = {"AgcCbReleaseMem", 0},
    [ET_ACB_QUEUE_END_OF_SHADER_ACTION_GET_SIZE] = {"AgcCbReleaseMem", 0},
    [ET_DCB_DRAW_INDEX_INDIRECT_MULTI_GET_SIZE] = {NULL, 16}, /* B9 */
    [ET_ACB_ATOMIC_MEM_GET_SIZE] = {NULL, 9},
    [ET_DCB_ATOMIC_MEM_GET_SIZE] = {NULL, 9},
    [ET_ACB_ATOMIC_GDS_GET_SIZE] = {NULL, 11},
    [ET_DCB_ATOMIC_GDS_GET_SIZE] = {NULL, 11},
    [ET_CB_COND_WRITE_GET_SIZE] = {NULL, 9},
    [ET_DCB_PRIME_UTCL2_GET_SIZE] = {NULL, 5},
    [ET_ACB_PRIME_UTCL2_GET_SIZE] = {NULL, 5},
    [ET_DCB_END_OCCLUSION_QUERY_GET_SIZE] = {NULL, 4},
    [ET_DCB_SET_INDEX_INDIRECT_ARGS_GET_SIZE] = {NULL, 4},
};

#define NAME(id, name) #name,
static const char *const size_names[] = {ET_AGC_SIZES(NAME)};
#undef NAME

static const struct et_agc_layout *layout_named(const char *name, size_t length)
{
    for (size_t i = 0; i < ET_AGC_BUILDER_COUNT; i++)
        if (strlen(et_agc_layouts[i].name) == length && !strncmp(et_agc_layouts[i].name, name, length))
            return &et_agc_layouts[i];
    return NULL;
}

uint64_t et_agc_size(enum et_agc_size size, uint64_t argument)
{
    const char *name = size_names[size];
    if (sizes[size].dwords)
        return (uint64_t)sizes[size].dwords * 4;
    /* A size function bears its builder's name, unless the table above says otherwise. */
    const struct et_agc_layout *layout = sizes[size].builder
                                             ? layout_named(sizes[size].builder, strlen(sizes[size].builder))
                                             : layout_named(name, strlen(name) - strlen("GetSize"));
    if (!layout)
        return 0;
    return (uint64_t)(layout->length ? layout->length(argument) : layout->count) * 4;
}

/* ---- by name ---- */

static const struct etalon_agc_function functions[] = {
#include "pm4/agc_table.inc"
};

const struct etalon_agc_function *etalon_agc_function(size_t i)
{
    return i < ET_COUNT(functions) ? &functions[i] : NULL;
}

static bool has_nid(const char *nids, const char *nid)
{
    const size_t length = strlen(nid);
    for (const char *at = nids; *at;) {
        const size_t n = strcspn(at, ";");
        if (n == length && !strncmp(at, nid, n))
            return true;
        at += n + (at[n] == ';');
    }
    return false;
}

const struct etalon_agc_function *etalon_agc_find(const char *name)
{
    for (size_t i = 0; name && i < ET_COUNT(functions); i++)
        if (!strcmp(functions[i].name, name) || !strcmp(functions[i].exported, name) ||
            has_nid(functions[i].nids, name))
            return &functions[i];
    return NULL;
}

/* The layout of a builder by any of its names; NULL. */
static const struct et_agc_layout *find_layout(const char *name)
{
    const struct etalon_agc_function *function = etalon_agc_find(name);
    return function ? layout_named(function->name, strlen(function->name)) : NULL;
}

const char *etalon_agc_signature(const char *name)
{
    const struct et_agc_layout *layout = find_layout(name);
    return layout ? layout->signature : NULL;
}

uint32_t *etalon_agc_call(const char *name, struct etalon_agc_buffer *buf,
                          const struct etalon_agc_argument *arguments, size_t count)
{
    const struct et_agc_layout *layout = find_layout(name);
    return layout ? et_agc_build((enum et_agc_builder)(layout - et_agc_layouts), buf, arguments, count)
                  : NULL;
}

uint64_t etalon_agc_emitted(const char *name, const struct etalon_agc_argument *arguments, size_t count)
{
    const struct et_agc_layout *layout = find_layout(name);
    struct et_agc_call call = {0};
    if (!layout || !prepare(layout, &call, arguments, count))
        return 0;
    return (uint64_t)(layout->emitted ? layout->emitted(&call) : length_of(layout, &call)) * 4;
}

bool etalon_agc_size(const char *name, uint32_t argument, uint64_t *bytes)
{
    const struct etalon_agc_function *function = etalon_agc_find(name);
    for (size_t i = 0; function && i < ET_AGC_SIZE_COUNT; i++)
        if (!strcmp(size_names[i], function->name)) {
            *bytes = et_agc_size((enum et_agc_size)i, argument);
            return true;
        }
    return false;
}
