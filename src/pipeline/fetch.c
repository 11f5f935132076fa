#include "pipeline/fetch.h"

#include "base/bits.h"
#include "texture/format.h"

enum type { SNORM = 1, UNORM, SINT, UINT, USCALED, SSCALED, FLOAT };

/* All start at bit 0 in the order given; an underscore in a name lists memory order, the others run from the
 * most significant end. [DOC] */
static const struct et_attribute_format formats[] = {
    {0x01, 16, {32, 32, 32, 32}, {0, 1, 2, 3}, "R32_G32_B32_A32"},
    {0x02, 12, {32, 32, 32}, {0, 1, 2}, "R32_G32_B32"},
    {0x03, 8, {16, 16, 16, 16}, {0, 1, 2, 3}, "R16_G16_B16_A16"},
    {0x04, 8, {32, 32}, {0, 1}, "R32_G32"},
    {0x05, 6, {16, 16, 16}, {0, 1, 2}, "R16_G16_B16"},
    {0x0a, 4, {8, 8, 8, 8}, {0, 1, 2, 3}, "R8_G8_B8_A8"},
    {0x0f, 4, {16, 16}, {0, 1}, "R16_G16"},
    {0x12, 4, {32}, {0}, "R32"},
    {0x13, 3, {8, 8, 8}, {0, 1, 2}, "R8_G8_B8"},
    {0x18, 2, {8, 8}, {0, 1}, "R8_G8"},
    {0x1b, 2, {16}, {0}, "R16"},
    {0x1d, 1, {8}, {0}, "R8"},
    {0x2f, 4, {8, 8, 8, 8}, {0, 1, 2, 3}, "A8B8G8R8"},
    {0x30, 4, {10, 10, 10, 2}, {0, 1, 2, 3}, "A2B10G10R10"},
    {0x31, 4, {11, 11, 10}, {0, 1, 2}, "B10G11R11"},
    {0x32, 2, {8, 8}, {0, 1}, "G8R8"},
    {0x33, 4, {8, 8, 8}, {0, 1, 2}, "X8B8G8R8"},
    {0x34, 1, {8}, {3}, "A8"},
};

const struct et_attribute_format *et_attribute_format_row(unsigned i)
{
    return i < ET_COUNT(formats) ? &formats[i] : NULL;
}

static const struct et_attribute_format *find_format(uint32_t value)
{
    for (size_t i = 0; i < ET_COUNT(formats); i++)
        if (formats[i].value == value)
            return &formats[i];
    return NULL;
}

static inline __attribute__((always_inline)) uint32_t decode_component(unsigned type, unsigned width,
                                                                       uint32_t bits)
{
    const int64_t value = et_sign_extend(bits, width);
    switch (type) {
    case SNORM: {
        const double scaled = (double)value / (double)((UINT64_C(1) << (width - 1)) - 1);
        return et_float_bits((float)(scaled < -1 ? -1 : scaled));
    }
    case UNORM:
        return et_float_bits((float)((double)bits / (double)((UINT64_C(1) << width) - 1)));
    case SINT:
        return (uint32_t)value;
    case USCALED:
        return et_float_bits((float)bits);
    case SSCALED:
        return et_float_bits((float)value);
    case FLOAT:
        return width == 16  ? et_half_to_float(bits)
               : width < 16 ? et_half_to_float(bits << (15 - width))
                            : bits;
    default:
        return bits;
    }
}

void et_attribute_decode(const struct et_attribute_format *format, unsigned type, bool swap,
                         const uint8_t *bytes, uint32_t out[4])
{
    uint32_t word[4] = {0};
    unsigned low = 0;
    memcpy(word, bytes, format->bytes);
    out[0] = out[1] = out[2] = 0;
    out[3] = type == SINT || type == UINT ? 1 : 0x3f800000;
    for (unsigned i = 0; i < 4 && format->width[i]; i++) {
        const uint32_t bits = (uint32_t)et_bits_of_words(word, low, format->width[i]);
        out[format->target[i]] = decode_component(type, format->width[i], bits);
        low += format->width[i];
    }
    if (swap) {
        const uint32_t red = out[0];
        out[0] = out[2];
        out[2] = red;
    }
}

/* The vector of an inactive attribute. */
static void set_default(struct et_fetch_attribute *attribute, uint32_t raw)
{
    memset(attribute->fixed, 0, sizeof attribute->fixed);
    if (raw >> 2 & 1) /* GENERIC_VECTOR is 0001 */
        attribute->fixed[3] = 0x3f800000;
}

static enum etalon_status resolve(struct et_fetch_attribute *attribute, const struct et_draw *draw,
                                  unsigned index, struct etalon_error *error)
{
    const uint32_t raw = draw->attribute[index];
    attribute->word = (uint8_t)(ET_WORD_GENERIC + 4 * index);
    attribute->stream = (uint8_t)et_bits(raw, 4, 0);
    attribute->offset = et_bits(raw, 20, 7);
    attribute->type = (uint8_t)et_bits(raw, 29, 27);
    attribute->swap = raw >> 31;
    if (raw >> 6 & 1) {
        set_default(attribute, draw->attribute_default);
        return ETALON_OK;
    }
    attribute->format = find_format(et_bits(raw, 26, 21));
    if (!attribute->format || attribute->type == 0) {
        et_at_value(error, raw);
        return et_fail(error, ETALON_BAD_VALUE, "vertex attribute %u has width 0x%x and type %u", index,
                       et_bits(raw, 26, 21), attribute->type);
    }
    if (attribute->type == FLOAT && attribute->format->width[0] < 11) {
        et_at_value(error, raw);
        return et_fail(error, ETALON_BAD_VALUE, "vertex attribute %u: %s has no floats", index,
                       attribute->format->name);
    }
    return ETALON_OK;
}

enum etalon_status et_fetch_plan_make(struct et_fetch_plan *plan, const struct et_draw *draw,
                                      const struct et_sph *vertex, struct etalon_error *error)
{
    *plan = (struct et_fetch_plan){.draw = draw, .gather = et_interp_gather()};
    plan->instance_id = et_sph_has(vertex->input, ET_WORD_INSTANCE_ID);
    plan->instanced = plan->instance_id;
    plan->vertex_id = et_sph_has(vertex->input, ET_WORD_VERTEX_ID);
    /* [DRV: nvc0 feeds the ids of vertices that it reorders through an attribute] */
    if (plan->vertex_id && draw->vertex_id_copy & 1)
        plan->vertex_id_word = (uint16_t)et_bits(draw->vertex_id_copy, 11, 4);
    if (plan->vertex_id_word && (plan->vertex_id_word < ET_WORD_GENERIC ||
                                 plan->vertex_id_word >= ET_WORD_GENERIC + 4 * ET_ATTRIBUTES))
        return et_fail(error, ETALON_BAD_VALUE, "the vertex id is copied from word 0x%x, no attribute's",
                       plan->vertex_id_word);
    for (unsigned i = 0; i < ET_ATTRIBUTES; i++) {
        struct et_fetch_attribute *attribute = &plan->attribute[plan->count];
        enum etalon_status status;
        attribute->mask = (uint8_t)et_bits_of_words(vertex->input, ET_WORD_GENERIC + 4 * i, 4);
        if (plan->vertex_id_word / 4 == ET_WORD_GENERIC / 4 + i)
            attribute->mask |= (uint8_t)(1 << plan->vertex_id_word % 4);
        if (!attribute->mask)
            continue;
        status = resolve(attribute, draw, i, error);
        if (status)
            return status;
        plan->instanced |= attribute->format && draw->stream[attribute->stream].per_instance;
        plan->count++;
    }
    return ETALON_OK;
}

static uint64_t element_of(const struct et_draw *draw, const struct et_vertex_stream *stream,
                           const struct et_fetch_vertex *vertex)
{
    if (!stream->per_instance)
        return vertex->number;
    return (uint64_t)draw->base_instance + (stream->divisor ? vertex->instance / stream->divisor : 0);
}

/* Bytes past the stream's limit, and those of a disabled stream, are zero. */
static enum etalon_status fetch_element(const struct et_fetch_plan *plan,
                                        const struct et_fetch_attribute *attribute, struct et_view *view,
                                        const struct et_fetch_vertex *vertex, uint32_t out[4],
                                        struct etalon_error *error)
{
    const struct et_vertex_stream *stream = &plan->draw->stream[attribute->stream];
    const struct et_attribute_format *format = attribute->format;
    const uint64_t element = element_of(plan->draw, stream, vertex);
    const uint64_t address = stream->address + element * stream->stride + attribute->offset;
    uint8_t copy[16] = {0};
    const uint8_t *bytes = copy;
    if (stream->enable && address >= stream->address && address < stream->limit &&
        stream->limit - address >= format->bytes) {
        bytes = et_view_pointer(view, address, format->bytes);
        if (!bytes) {
            const enum etalon_status status = et_view_read(view, address, copy, format->bytes, error);
            if (status)
                return status;
            bytes = copy;
        }
    }
    et_attribute_decode(format, attribute->type, attribute->swap, bytes, out);
    return ETALON_OK;
}

/* ---- a warp's lanes at once ---- */

/* Where the elements of a warp's lanes lie that one stream gives. */
struct places {
    uint64_t first;            /* address of the lowest element */
    uint64_t span;             /* from it to the highest one */
    uint32_t offset[ET_LANES]; /* from it to a lane's; lanes that do not run have one that runs */
};

static void elements_of(const struct et_draw *draw, const struct et_vertex_stream *stream,
                        const struct et_fetch_vertex *vertex, unsigned count, uint64_t element[ET_LANES])
{
    if (!stream->per_instance) {
        for (unsigned l = 0; l < count; l++)
            element[l] = vertex[l].number;
        return;
    }
    for (unsigned l = 0; l < count; l++) /* mostly one instance */
        element[l] = l && vertex[l].instance == vertex[l - 1].instance ? element[l - 1]
                                                                       : element_of(draw, stream, &vertex[l]);
}

/* Whether the lanes lie within 2 GiB. */
static bool find_places(const struct et_draw *draw, const struct et_vertex_stream *stream,
                        const struct et_fetch_vertex *vertex, unsigned count, struct places *p)
{
    uint64_t element[ET_LANES], low = UINT64_MAX, high = 0;
    elements_of(draw, stream, vertex, count, element);
    for (unsigned l = 0; l < count; l++) {
        low = ET_MIN(low, element[l]);
        high = ET_MAX(high, element[l]);
    }
    p->first = stream->address + low * stream->stride;
    p->span = (high - low) * stream->stride;
    if (p->span > INT32_MAX)
        return false;
    for (unsigned l = 0; l < ET_LANES; l++)
        p->offset[l] = (uint32_t)(element[l < count ? l : 0] - low) * stream->stride;
    return true;
}

/* The lowest lane's element in host memory, where all lie within the stream and in one piece; else NULL. */
static const uint8_t *whole_piece(const struct et_vertex_stream *stream,
                                  const struct et_fetch_attribute *attribute, const struct places *p,
                                  struct et_view *view)
{
    const uint64_t low = p->first + attribute->offset, high = low + p->span, bytes = attribute->format->bytes;
    if (!stream->enable || low < stream->address || high < low || high >= stream->limit ||
        stream->limit - high < bytes)
        return NULL;
    return et_view_pointer(view, low, p->span + bytes);
}

/* Elements of whole words or less. */
static void gather_bytes(const uint8_t *base, const uint32_t offset[ET_LANES], unsigned bytes,
                         uint32_t raw[4][ET_LANES])
{
    for (unsigned l = 0; l < ET_LANES; l++) {
        uint32_t word[2] = {0, 0};
        switch (bytes) {
        case 1:
            word[0] = base[offset[l]];
            break;
        case 2:
            memcpy(word, base + offset[l], 2);
            break;
        case 3:
            memcpy(word, base + offset[l], 3);
            break;
        default:
            memcpy(word, base + offset[l], 6);
            break;
        }
        raw[0][l] = word[0];
        raw[1][l] = word[1];
    }
}

#define DECODE(type)                                                                                         \
    case type:                                                                                               \
        for (unsigned l = 0; l < ET_LANES; l++)                                                              \
            out[l] = decode_component(type, width, bits[l]);                                                 \
        break

static void decode_column(unsigned type, unsigned width, const uint32_t bits[ET_LANES], uint32_t *out)
{
    switch (type) {
        DECODE(SNORM);
        DECODE(UNORM);
        DECODE(SINT);
        DECODE(USCALED);
        DECODE(SSCALED);
        DECODE(FLOAT);
        DECODE(UINT);
    default:
        break;
    }
}

static void fill_column(uint32_t *column, uint32_t value)
{
    for (unsigned l = 0; l < ET_LANES; l++)
        column[l] = value;
}

/* What et_attribute_decode does, of a warp's lanes. */
static void decode_lanes(const struct et_fetch_plan *plan, const struct et_fetch_attribute *attribute,
                         const uint8_t *base, const struct places *p, uint32_t *column)
{
    const struct et_attribute_format *format = attribute->format;
    const unsigned type = attribute->type;
    const bool as_is =
        format->width[0] == 32 && (type == SINT || type == UINT || type == FLOAT) && !attribute->swap;
    uint32_t raw[4][ET_LANES] __attribute__((aligned(64))), bits[ET_LANES];
    unsigned low = 0, done = 0; /* done: a bit a target */
    if (format->bytes % 4)
        gather_bytes(base, p->offset, format->bytes, raw);
    else if (as_is)
        plan->gather(base, p->offset, format->bytes / 4u, column, ET_COLUMN_STEP);
    else
        plan->gather(base, p->offset, format->bytes / 4u, raw[0], ET_LANES);
    for (unsigned i = 0; i < 4 && format->width[i]; i++) {
        const unsigned width = format->width[i], shift = low % 32, target = format->target[i],
                       to = attribute->swap && target != 1 && target != 3 ? 2 - target : target;
        const uint32_t *word = raw[low / 32], ones = UINT32_MAX >> (32 - width);
        low += width;
        done |= 1u << to;
        if (as_is)
            continue;
        for (unsigned l = 0; l < ET_LANES; l++)
            bits[l] = word[l] >> shift & ones;
        decode_column(type, width, bits, column + to * ET_COLUMN_STEP);
    }
    for (unsigned c = 0; c < 4; c++)
        if (!(done >> c & 1))
            fill_column(column + c * ET_COLUMN_STEP, c < 3                          ? 0
                                                     : type == SINT || type == UINT ? 1
                                                                                    : 0x3f800000);
}

/* A lane at a time. */
static enum etalon_status fetch_lanes(const struct et_fetch_plan *plan,
                                      const struct et_fetch_attribute *attribute, struct et_view *view,
                                      const struct et_fetch_vertex *vertex, unsigned count, uint32_t *column,
                                      struct etalon_error *error)
{
    for (unsigned l = 0; l < count; l++) {
        uint32_t out[4];
        const enum etalon_status status = fetch_element(plan, attribute, view, &vertex[l], out, error);
        if (status)
            return status;
        for (unsigned c = 0; c < 4; c++)
            column[c * ET_COLUMN_STEP + l] = out[c];
    }
    return ETALON_OK;
}

static void fill_ids(const struct et_fetch_plan *plan, const struct et_fetch_vertex *vertex, unsigned count,
                     struct et_columns *columns, unsigned lane)
{
    uint32_t *const instance = columns->word[ET_WORD_INSTANCE_ID] + lane,
                    *const id = columns->word[ET_WORD_VERTEX_ID] + lane;
    for (unsigned l = 0; l < count; l++) {
        instance[l] = vertex[l].instance;
        id[l] = vertex[l].id;
    }
    if (plan->vertex_id_word)
        memcpy(id, columns->word[plan->vertex_id_word] + lane, ET_LANES * sizeof *id);
}

static void mark(uint32_t *set, unsigned word)
{
    set[word / 32] |= 1u << word % 32;
}

void et_fetch_start(const struct et_fetch_plan *plan, struct et_columns *columns)
{
    uint32_t fills[ET_COUNT(columns->filled)] = {0};
    mark(fills, ET_WORD_INSTANCE_ID);
    mark(fills, ET_WORD_VERTEX_ID);
    for (unsigned a = 0; a < plan->count; a++)
        for (unsigned c = 0; c < 4; c++)
            mark(fills, plan->attribute[a].word + c);
    for (unsigned n = 0; n < ET_COUNT(fills); n++) {
        for (uint32_t stale = columns->filled[n] & ~fills[n]; stale; stale &= stale - 1)
            memset(columns->word[n * 32 + (unsigned)__builtin_ctz(stale)], 0, sizeof columns->word[0]);
        columns->filled[n] = fills[n];
    }
}

enum etalon_status et_fetch(const struct et_fetch_plan *plan, struct et_view *view,
                            const struct et_fetch_vertex *vertex, unsigned count, struct et_columns *columns,
                            unsigned lane, struct etalon_error *error)
{
    struct places places;
    int placed = -1; /* the stream that they are of */
    bool near = false;
    for (unsigned a = 0; a < plan->count; a++) {
        const struct et_fetch_attribute *attribute = &plan->attribute[a];
        const struct et_vertex_stream *stream = &plan->draw->stream[attribute->stream];
        uint32_t *const column = columns->word[attribute->word] + lane;
        enum etalon_status status = ETALON_OK;
        const uint8_t *base;
        if (!attribute->format) {
            for (unsigned c = 0; c < 4; c++)
                fill_column(column + c * ET_COLUMN_STEP, attribute->fixed[c]);
            continue;
        }
        if (placed != attribute->stream)
            near = find_places(plan->draw, stream, vertex, count, &places);
        placed = attribute->stream;
        base = near ? whole_piece(stream, attribute, &places, view) : NULL;
        if (base)
            decode_lanes(plan, attribute, base, &places, column);
        else
            status = fetch_lanes(plan, attribute, view, vertex, count, column, error);
        if (status)
            return status;
    }
    fill_ids(plan, vertex, count, columns, lane);
    return ETALON_OK;
}
