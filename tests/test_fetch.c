/* Vertex attributes: every width and type against the value that its definition gives, and how streams are
 * addressed. The widths and their fields are those of the classes' headers. [DOC] */
#include "base/bits.h"
#include "pipeline/fetch.h"
#include "support/suite.h"

#include <stdlib.h>
#include <string.h>

enum { SNORM = 1, UNORM, SINT, UINT, USCALED, SSCALED, FLOAT, TYPES };
enum { BYTES = 0x20000, STREAM = 0x10000, LIMIT = STREAM + 0x1000 };

/* R[31:0] G[63:32]: bits of each component in an element. */
static const struct {
    uint8_t value, bytes;
    const char *fields;
} widths[] = {
    {0x01, 16, "R[31:0] G[63:32] B[95:64] A[127:96]"},
    {0x02, 12, "R[31:0] G[63:32] B[95:64]"},
    {0x03, 8, "R[15:0] G[31:16] B[47:32] A[63:48]"},
    {0x04, 8, "R[31:0] G[63:32]"},
    {0x05, 6, "R[15:0] G[31:16] B[47:32]"},
    {0x0a, 4, "R[7:0] G[15:8] B[23:16] A[31:24]"},
    {0x0f, 4, "R[15:0] G[31:16]"},
    {0x12, 4, "R[31:0]"},
    {0x13, 3, "R[7:0] G[15:8] B[23:16]"},
    {0x18, 2, "R[7:0] G[15:8]"},
    {0x1b, 2, "R[15:0]"},
    {0x1d, 1, "R[7:0]"},
    {0x2f, 4, "R[7:0] G[15:8] B[23:16] A[31:24]"},
    {0x30, 4, "R[9:0] G[19:10] B[29:20] A[31:30]"},
    {0x31, 4, "R[10:0] G[21:11] B[31:22]"},
    {0x32, 2, "R[7:0] G[15:8]"},
    {0x33, 4, "R[7:0] G[15:8] B[23:16]"},
    {0x34, 1, "A[7:0]"},
};

/* A pattern of a component's bits, and its value by type; integers as they are. NONE: no such floats. */
#define NONE 0xdeadbeef
static const struct pattern {
    unsigned bits;
    uint32_t pattern;
    double snorm, unorm;
    int32_t sint;
    double uscaled, sscaled;
    uint32_t floating;
} patterns[] = {
    {2, 0x1, 1, 1.0 / 3, 1, 1, 1, NONE},
    {2, 0x2, -1, 2.0 / 3, -2, 2, -2, NONE},
    {2, 0x3, -1, 1, -1, 3, -1, NONE},
    {8, 0x7f, 1, 127.0 / 255, 127, 127, 127, NONE},
    {8, 0x80, -1, 128.0 / 255, -128, 128, -128, NONE},
    {8, 0x81, -1, 129.0 / 255, -127, 129, -127, NONE},
    {8, 0xc3, -61.0 / 127, 195.0 / 255, -61, 195, -61, NONE},
    {10, 0x1ff, 1, 511.0 / 1023, 511, 511, 511, 0x3ffc0000 /* five bits of exponent, five of mantissa */},
    {10, 0x200, -1, 512.0 / 1023, -512, 512, -512, 0x40000000},
    {10, 0x3e0, -32.0 / 511, 992.0 / 1023, -32, 992, -32, 0x7f800000},
    {10, 0x1e0, 480.0 / 511, 480.0 / 1023, 480, 480, 480, 0x3f800000},
    {10, 0x001, 1.0 / 511, 1.0 / 1023, 1, 1, 1, 0x36000000 /* 2^-19 */},
    {11, 0x3ff, 1, 1023.0 / 2047, 1023, 1023, 1023, 0x3ffe0000},
    {11, 0x400, -1, 1024.0 / 2047, -1024, 1024, -1024, 0x40000000},
    {11, 0x7c0, -64.0 / 1023, 1984.0 / 2047, -64, 1984, -64, 0x7f800000},
    {11, 0x3c0, 960.0 / 1023, 960.0 / 2047, 960, 960, 960, 0x3f800000},
    {16, 0x7fff, 1, 32767.0 / 65535, 32767, 32767, 32767, NONE /* a NaN: its bits are not defined here */},
    {16, 0x8000, -1, 32768.0 / 65535, -32768, 32768, -32768, 0x80000000},
    {16, 0xc001, -16383.0 / 32767, 49153.0 / 65535, -16383, 49153, -16383, 0xc0002000},
    {16, 0x0001, 1.0 / 32767, 1.0 / 65535, 1, 1, 1, 0x33800000 /* 2^-24 */},
    {32, 0x7fffffff, 1, 2147483647.0 / 4294967295.0, 2147483647, 2147483647.0, 2147483647.0, 0x7fffffff},
    {32, 0x80000000, -1, 2147483648.0 / 4294967295.0, INT32_MIN, 2147483648.0, -2147483648.0, 0x80000000},
    {32, 0xc0200001, -1071644671.0 / 2147483647.0, 3223322625.0 / 4294967295.0, -1071644671, 3223322625.0,
     -1071644671.0, 0xc0200001},
};

struct machine {
    struct et_ram ram;
    struct et_pagemap map;
    struct et_draw draw;
    struct et_sph sph;
    struct et_view view;
};

static void start(struct machine *m)
{
    *m = (struct machine){0};
    ck_assert(!et_ram_create(&m->ram, BYTES, ET_RAM_TRACKED, NULL));
    et_pagemap_init(&m->map, &m->ram, 40);
    ck_assert(!et_pagemap_map(&m->map, 0x1000, BYTES - 0x1000, 0x1000, ET_READ | ET_WRITE, 0, NULL));
    m->draw.map = &m->map;
    m->draw.stream[3] =
        (struct et_vertex_stream){.enable = true, .address = STREAM, .limit = LIMIT, .stride = 20};
    m->sph.input[ET_WORD_GENERIC / 32] = 0xf; /* attribute 0 */
    et_view_init(&m->view, &m->map, 1);
}

static void finish(struct machine *m)
{
    et_pagemap_finish(&m->map);
    et_ram_destroy(&m->ram);
}

static uint32_t attribute(unsigned width, unsigned type, uint32_t offset, bool swap)
{
    return 3 | offset << 7 | width << 21 | type << 27 | (uint32_t)swap << 31;
}

static struct et_columns columns __attribute__((aligned(64)));

static enum etalon_status fetch(struct machine *m, const struct et_fetch_vertex *vertex, uint32_t out[4])
{
    struct et_fetch_plan plan;
    struct etalon_error error = {0};
    enum etalon_status status = et_fetch_plan_make(&plan, &m->draw, &m->sph, &error);
    memset(&columns, 0xa5, sizeof columns);
    if (!status)
        status = et_fetch(&plan, &m->view, vertex, 1, &columns, 0, &error);
    for (unsigned c = 0; c < 4; c++)
        out[c] = columns.word[ET_WORD_GENERIC + c][0];
    return status;
}

static uint32_t bits_of(double value)
{
    const float rounded = (float)value;
    uint32_t bits;
    memcpy(&bits, &rounded, sizeof bits);
    return bits;
}

static uint32_t value_of(const struct pattern *p, unsigned type)
{
    switch (type) {
    case SNORM:
        return bits_of(p->snorm);
    case UNORM:
        return bits_of(p->unorm);
    case SINT:
        return (uint32_t)p->sint;
    case UINT:
        return p->pattern;
    case USCALED:
        return bits_of(p->uscaled);
    case SSCALED:
        return bits_of(p->sscaled);
    default:
        return p->floating;
    }
}

/* Pattern number `i` (cyclically) of a component of that many bits. */
static const struct pattern *pick(unsigned bits, unsigned i)
{
    unsigned count = 0;
    for (size_t p = 0; p < ET_COUNT(patterns); p++)
        count += patterns[p].bits == bits;
    ck_assert_uint_gt(count, 0);
    i %= count;
    for (size_t p = 0;; p++)
        if (patterns[p].bits == bits && i-- == 0)
            return &patterns[p];
}

/* Writes an element of patterns from number `turn` on; gives the components expected of it. */
static bool compose(const char *fields, unsigned type, unsigned turn, uint8_t *element, uint32_t expected[4])
{
    static const char names[] = "RGBA";
    bool known = true;
    memcpy(expected, (uint32_t[]){0, 0, 0, type == SINT || type == UINT ? 1 : 0x3f800000}, 16);
    while (*fields) {
        char *end;
        const char *component = strchr(names, *fields);
        const unsigned long high = strtoul(fields + 2, &end, 10), low = strtoul(end + 1, &end, 10);
        const struct pattern *p = pick((unsigned)(high - low + 1), turn++);
        ck_assert_ptr_nonnull(component);
        for (unsigned long b = low; b <= high; b++)
            element[b / 8] |= (uint8_t)((p->pattern >> (b - low) & 1) << b % 8);
        expected[component - names] = value_of(p, type);
        known &= type != FLOAT || p->floating != NONE;
        fields = *(end + 1) ? end + 2 : end + 1;
    }
    return known;
}

START_TEST(every_width_and_type)
{
    const unsigned type = (unsigned)_i;
    struct machine m;
    unsigned compared = 0;
    start(&m);
    for (size_t w = 0; w < ET_COUNT(widths); w++)
        for (unsigned turn = 0; turn < 8; turn++) {
            const bool swap = turn & 1;
            uint8_t element[16] = {0};
            uint32_t expected[4], got[4];
            const bool known = compose(widths[w].fields, type, turn, element, expected);
            /* Bits around the element are set: none may get in. */
            memset(m.ram.base + STREAM, 0xff, 0x100);
            memcpy(m.ram.base + STREAM + 2 * 20 + 9, element, widths[w].bytes);
            m.draw.attribute[0] = attribute(widths[w].value, type, 9, swap);
            if (!known)
                continue;
            ck_assert_msg(!fetch(&m, &(struct et_fetch_vertex){.number = 2}, got), "width 0x%x type %u",
                          widths[w].value, type);
            for (unsigned c = 0; c < 4; c++) {
                const unsigned from = swap && c != 1 && c != 3 ? 2 - c : c;
                ck_assert_msg(got[c] == expected[from],
                              "width 0x%x type %u turn %u component %u: 0x%08x, expected 0x%08x",
                              widths[w].value, type, turn, c, got[c], expected[from]);
            }
            compared++;
        }
    ck_assert_uint_ge(compared, type == FLOAT ? 40 : 8 * ET_COUNT(widths));
    finish(&m);
}
END_TEST

/* Every row of the code is one of the list above, and the other numbers are refused. */
START_TEST(no_other_widths)
{
    struct machine m;
    uint32_t out[4];
    start(&m);
    for (unsigned value = 0; value < 64; value++) {
        bool listed = false;
        for (size_t w = 0; w < ET_COUNT(widths); w++)
            listed |= widths[w].value == value;
        m.draw.attribute[0] = attribute(value, UNORM, 0, false);
        ck_assert_int_eq(fetch(&m, &(struct et_fetch_vertex){0}, out), listed ? ETALON_OK : ETALON_BAD_VALUE);
        m.draw.attribute[0] = attribute(value, 0, 0, false);
        ck_assert_int_eq(fetch(&m, &(struct et_fetch_vertex){0}, out), ETALON_BAD_VALUE);
    }
    m.draw.attribute[0] = attribute(0x0a, FLOAT, 0, false);
    ck_assert_int_eq(fetch(&m, &(struct et_fetch_vertex){0}, out), ETALON_BAD_VALUE);
    finish(&m);
}
END_TEST

/* The element that a vertex addresses, by a number stored in each. */
START_TEST(stream_elements)
{
    static const struct {
        struct et_vertex_stream stream;
        uint32_t base_instance;
        struct et_fetch_vertex vertex;
        uint32_t element; /* STREAM + 4 * element is what is read; 0: zero is */
    } cases[] = {
        {{.stride = 4}, 9, {.number = 5, .instance = 2}, 5},
        {{.stride = 0}, 0, {.number = 5}, 7}, /* attribute offset alone: see below */
        {{.stride = 4, .per_instance = true, .divisor = 1}, 0, {.number = 5, .instance = 3}, 3},
        {{.stride = 4, .per_instance = true, .divisor = 1}, 10, {.number = 5, .instance = 3}, 13},
        {{.stride = 4, .per_instance = true, .divisor = 3}, 10, {.number = 5, .instance = 8}, 12},
        {{.stride = 4, .per_instance = true, .divisor = 3}, 10, {.number = 5, .instance = 2}, 10},
        {{.stride = 4, .per_instance = true, .divisor = 0}, 10, {.number = 5, .instance = 8}, 10},
        {{.stride = 8, .per_instance = true, .divisor = 2}, 1, {.number = 5, .instance = 6}, 8},
        {{.stride = 4}, 0, {.number = 1023}, 1023},
        {{.stride = 4}, 0, {.number = 1024}, 0},
        {{.stride = 4095}, 0, {.number = 0xffffffff}, 0},
        {{.stride = 4}, 0, {.number = 0xfffffffe}, 0},
    };
    struct machine m;
    start(&m);
    for (uint32_t i = 0; i < 2048; i++)
        memcpy(m.ram.base + STREAM + 4 * i, &(uint32_t){i}, 4);
    for (size_t c = 0; c < ET_COUNT(cases); c++) {
        uint32_t out[4];
        m.draw.stream[3] = cases[c].stream;
        m.draw.stream[3].enable = true;
        m.draw.stream[3].address = STREAM;
        m.draw.stream[3].limit = LIMIT;
        m.draw.base_instance = cases[c].base_instance;
        m.draw.attribute[0] = attribute(0x12, UINT, cases[c].stream.stride ? 0 : 28, false);
        ck_assert(!fetch(&m, &cases[c].vertex, out));
        ck_assert_msg(out[0] == cases[c].element, "case %zu: element %u", c, out[0]);
        ck_assert_uint_eq(out[3], 1);
        m.draw.stream[3].enable = false;
        ck_assert(!fetch(&m, &cases[c].vertex, out));
        ck_assert_uint_eq(out[0], 0);
    }
    finish(&m);
}
END_TEST

/* An element that the limit cuts is zero as a whole, and memory past it is not touched. */
START_TEST(limits)
{
    struct machine m;
    uint32_t out[4];
    start(&m);
    memset(m.ram.base + STREAM, 0xff, 0x2000);
    m.draw.stream[3].stride = 16;
    m.draw.attribute[0] = attribute(0x01, UINT, 0, false);
    for (uint32_t cut = 0; cut <= 16; cut++) {
        m.draw.stream[3].limit = STREAM + 16 + cut;
        ck_assert(!fetch(&m, &(struct et_fetch_vertex){.number = 1}, out));
        for (unsigned c = 0; c < 4; c++)
            ck_assert_uint_eq(out[c], cut == 16 ? 0xffffffff : 0);
    }
    m.draw.stream[3].address = BYTES - 32; /* the map ends with the second element */
    m.draw.stream[3].limit = BYTES;
    ck_assert(!fetch(&m, &(struct et_fetch_vertex){.number = 1}, out));
    ck_assert(!fetch(&m, &(struct et_fetch_vertex){.number = 2}, out));
    m.draw.stream[3].limit = BYTES + 16;
    ck_assert_int_eq(fetch(&m, &(struct et_fetch_vertex){.number = 2}, out), ETALON_UNMAPPED);
    m.draw.stream[3].limit = STREAM; /* below the start: empty */
    ck_assert(!fetch(&m, &(struct et_fetch_vertex){.number = 0}, out));
    ck_assert_uint_eq(out[0], 0);
    finish(&m);
}
END_TEST

/* SOURCE INACTIVE: GENERIC_VECTOR of SET_ATTRIBUTE_DEFAULT, bit 2. */
/* The vertex id may come from an attribute's word, which the program need not read itself; from no other
 * word. */
START_TEST(vertex_ids_are_copied)
{
    struct machine m;
    struct et_fetch_plan plan;
    struct etalon_error error = {0};
    const struct et_fetch_vertex vertex = {.number = 2, .id = 77};
    start(&m);
    m.draw.attribute[0] = attribute(0x04, UINT, 0, false);
    m.sph.input[ET_WORD_GENERIC / 32] = 0;
    m.sph.input[ET_WORD_VERTEX_ID / 32] |= 1u << ET_WORD_VERTEX_ID % 32;
    et_store32(m.ram.base + STREAM + 2 * 20 + 4, 4711);
    for (uint32_t enable = 0; enable < 2; enable++) {
        m.draw.vertex_id_copy = enable | (ET_WORD_GENERIC + 1) << 4;
        ck_assert(!et_fetch_plan_make(&plan, &m.draw, &m.sph, &error));
        ck_assert(!et_fetch(&plan, &m.view, &vertex, 1, &columns, 0, &error));
        ck_assert_uint_eq(columns.word[ET_WORD_VERTEX_ID][0], enable ? 4711 : 77);
    }
    m.draw.vertex_id_copy = 1 | ET_WORD_POSITION << 4;
    ck_assert_int_eq(et_fetch_plan_make(&plan, &m.draw, &m.sph, &error), ETALON_BAD_VALUE);
    finish(&m);
}
END_TEST

START_TEST(inactive_attributes)
{
    struct machine m;
    uint32_t out[4];
    start(&m);
    m.draw.attribute[0] = attribute(0x12, FLOAT, 0, false) | 1u << 6;
    ck_assert(!fetch(&m, &(struct et_fetch_vertex){0}, out));
    ck_assert_uint_eq(out[3], 0);
    m.draw.attribute_default = 4;
    ck_assert(!fetch(&m, &(struct et_fetch_vertex){0}, out));
    ck_assert_uint_eq(out[0] | out[1] | out[2], 0);
    ck_assert_uint_eq(out[3], 0x3f800000);
    finish(&m);
}
END_TEST

/* ---- warps */

static uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state ^ *state >> 15;
}

/* What one lane gets by the definition: no vectors, no bounds but its own. */
static void expected_lane(const struct machine *m, const struct et_fetch_attribute *attribute,
                          const struct et_fetch_vertex *vertex, uint32_t out[4])
{
    const struct et_vertex_stream *stream = &m->draw.stream[attribute->stream];
    const uint64_t element = !stream->per_instance ? vertex->number
                             : stream->divisor ? m->draw.base_instance + vertex->instance / stream->divisor
                                               : m->draw.base_instance;
    const uint64_t at = stream->address + element * stream->stride + attribute->offset;
    uint8_t bytes[16] = {0};
    if (stream->enable && at >= stream->address && at + attribute->format->bytes <= stream->limit)
        et_view_read((struct et_view *)&m->view, at, bytes, attribute->format->bytes, NULL);
    et_attribute_decode(attribute->format, attribute->type, attribute->swap, bytes, out);
}

/* A stream that may end within the warp, lie across two mappings, or step by instances. */
static void random_stream(struct et_vertex_stream *stream, uint32_t *random)
{
    const uint32_t r = next_random(random);
    *stream = (struct et_vertex_stream){.enable = r % 16 != 0,
                                        .address = STREAM + (r >> 4) % 0x1000,
                                        .stride = r >> 16 & 1 ? (r >> 17) % 40 : 4 * ((r >> 17) % 10),
                                        .per_instance = r >> 24 & 1,
                                        .divisor = (r >> 25) % 3};
    stream->limit = stream->address + (next_random(random) % 4 ? 0x4000 : next_random(random) % 0x400);
}

static void random_attribute(struct machine *m, unsigned n, uint32_t *random)
{
    struct et_attribute_format const *format;
    unsigned type;
    do {
        format = et_attribute_format_row(next_random(random) % 24);
        type = SNORM + next_random(random) % (TYPES - 1);
    } while (!format || (type == FLOAT && format->width[0] < 11));
    m->draw.attribute[n] = next_random(random) % 3 | next_random(random) % 32 << 7 |
                           (uint32_t)format->value << 21 | type << 27 | next_random(random) << 31;
}

static void random_vertices(struct et_fetch_vertex vertex[ET_LANES], uint32_t *random)
{
    const uint32_t first = next_random(random) % 64, order = next_random(random) % 4;
    for (uint32_t l = 0; l < ET_LANES; l++)
        vertex[l] = (struct et_fetch_vertex){.number = order == 0 ? next_random(random) % 256 : first + l,
                                             .id = next_random(random),
                                             .instance = order == 1 ? next_random(random) % 8
                                                                    : first / 8 + (order == 2 && l > 11)};
    if (order == 3) /* one far off */
        vertex[next_random(random) % ET_LANES].number = next_random(random);
}

static void equal_lane(const struct machine *m, const struct et_fetch_plan *plan,
                       const struct et_fetch_vertex *vertex, unsigned lane, unsigned round)
{
    bool same = columns.word[ET_WORD_VERTEX_ID][lane] == vertex->id &&
                columns.word[ET_WORD_INSTANCE_ID][lane] == vertex->instance;
    for (unsigned n = 0, a = 0; n < 3; n++) {
        uint32_t expected[4] = {0};
        if (m->sph.input[ET_WORD_GENERIC / 32] >> 4 * n & 15)
            expected_lane(m, &plan->attribute[a++], vertex, expected);
        for (unsigned c = 0; c < 4; c++)
            same &= columns.word[ET_WORD_GENERIC + 4 * n + c][lane] == expected[c];
    }
    ck_assert_msg(same, "round %u lane %u", round, lane);
}

/* Warps' columns are what each lane gets alone, at each level; those of other words are zero. */
START_TEST(warps_equal_lanes)
{
    static const char *const disabled[] = {"", "v4", "v3,v4", "v2,v3,v4"};
    struct machine m;
    uint32_t random = 77;
    setenv("ETALON_DISABLE", disabled[_i], 1);
    start(&m);
    et_pagemap_finish(&m.map); /* two pieces, the second one first */
    et_pagemap_init(&m.map, &m.ram, 40);
    ck_assert(!et_pagemap_map(&m.map, 0x1000, STREAM + 0x1000, 0xf000, ET_READ, 0, NULL));
    ck_assert(!et_pagemap_map(&m.map, STREAM + 0x2000, 0xe000, 0x1000, ET_READ, 0, NULL));
    et_view_init(&m.view, &m.map, 1);
    for (unsigned n = 0; n < BYTES; n++)
        m.ram.base[n] = (uint8_t)next_random(&random);
    memset(&columns, 0, sizeof columns);
    for (unsigned round = 0; round < 1000; round++) {
        const unsigned lane = ET_LANES * (round % ET_TEAM),
                       count = round % 3 ? ET_LANES : 1 + next_random(&random) % ET_LANES;
        struct et_fetch_vertex vertex[ET_LANES];
        struct et_fetch_plan plan;
        m.draw.base_instance = next_random(&random) % 4;
        m.sph.input[ET_WORD_GENERIC / 32] = next_random(&random) & 0xfff;
        for (unsigned n = 0; n < 3; n++) {
            random_stream(&m.draw.stream[n], &random);
            random_attribute(&m, n, &random);
        }
        random_vertices(vertex, &random);
        ck_assert(!et_fetch_plan_make(&plan, &m.draw, &m.sph, NULL));
        et_fetch_start(&plan, &columns);
        ck_assert(!et_fetch(&plan, &m.view, vertex, count, &columns, lane, NULL));
        for (unsigned l = 0; l < count; l++)
            equal_lane(&m, &plan, &vertex[l], lane + l, round);
    }
    finish(&m);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("fetch");
    TCase *attributes = tcase_create("attributes");
    tcase_add_loop_test(attributes, every_width_and_type, SNORM, TYPES);
    tcase_add_test(attributes, no_other_widths);
    tcase_add_test(attributes, stream_elements);
    tcase_add_test(attributes, limits);
    tcase_add_test(attributes, inactive_attributes);
    tcase_add_test(attributes, vertex_ids_are_copied);
    tcase_add_loop_test(attributes, warps_equal_lanes, 0, 4);
    suite_add_tcase(suite, attributes);
    return suite_run(suite);
}
