/* Streams to text: packets, fields, registers and their fields by name. */
#include "pm4/tables.h"

#include "base/bits.h"
#include "base/error.h"

#include <stdio.h>

struct decoder {
    etalon_pm4_line *line;
    void *user;
    struct etalon_pm4_decoded *decoded;
    uint32_t offset;  /* of the dword in hand */
    unsigned engines; /* that read the stream, set of enum et_pm4_engine */
    bool compute;
};

static void emit(const struct decoder *at, unsigned indent, const char *text)
{
    if (at->line)
        at->line(at->user, at->offset, indent, text);
}

/* " NAME=value(VALUE_NAME)" of one field appended to text. */
static size_t append_field(char *text, size_t used, size_t size, const struct et_pm4_field *field,
                           uint32_t word)
{
    char name[64];
    uint32_t value = et_bits(word, field->hi, field->lo);
    /* An address's low bits are left out of its field: shown in place, it is the address. */
    if (field->hi == 31 && field->lo <= 8 && !*field->values)
        value <<= field->lo;
    if (used >= size)
        return used;
    int n;
    if (et_pm4_value_name(field->values, value, name, sizeof name))
        n = snprintf(text + used, size - used, " %s=%s", field->name, name);
    else
        n = snprintf(text + used, size - used, value < 10 ? " %s=%u" : " %s=0x%x", field->name, value);
    return n < 0 ? used : used + (size_t)n;
}

static void show_register(struct decoder *at, enum etalon_pm4_space space, uint32_t offset, uint32_t value)
{
    char text[1024];
    const struct et_pm4_register *reg = et_pm4_register_at(space, offset);
    size_t used;
    if (!reg) {
        at->decoded->unknown_registers++;
        snprintf(text, sizeof text, "%s 0x%03x = %08x", et_pm4_spaces[space].name, offset, value);
        emit(at, 1, text);
        return;
    }
    used = (size_t)snprintf(text, sizeof text, "%s 0x%03x %s = %08x", et_pm4_spaces[space].name, offset,
                            reg->name, value);
    for (unsigned i = 0; at->line && i < reg->fields; i++) {
        const struct et_pm4_field *field = et_pm4_register_fields(reg) + i;
        if (et_bits(value, field->hi, field->lo))
            used = append_field(text, used, sizeof text, field, value);
    }
    emit(at, 1, text);
}

/* Whether a packet's first body dword names registers whose values follow. */
static bool is_register_write(uint32_t header, enum etalon_pm4_space *space)
{
    switch (header >> 8 & 0xFF) {
    case 0x68:
        *space = ETALON_PM4_CONFIG;
        return true;
    case 0x69:
        *space = ETALON_PM4_CONTEXT;
        return true;
    case 0x76:
    case 0x9B:
        *space = ETALON_PM4_SH;
        return true;
    case 0x79:
    case 0x7A:
        *space = ETALON_PM4_UCONFIG;
        return true;
    default:
        return false;
    }
}

static void show_registers(struct decoder *at, enum etalon_pm4_space space, const uint32_t *body,
                           uint32_t count)
{
    /* The console's pseudo registers keep bit 31; the selector above bit 27 names no register. */
    const uint32_t start = body[0] >> 31 && et_pm4_register_at(space, body[0]) ? body[0] : body[0] & 0xFFFF;
    for (uint32_t i = 1; i < count; i++) {
        at->offset++;
        show_register(at, space, start + i - 1, body[i]);
    }
}

/* Fields of a dword in the stream's engine, or in any when that engine lists none; no bit is shown twice. */
static void show_dword(struct decoder *at, const struct et_pm4_packet *packet, unsigned engines,
                       uint32_t dword, uint32_t word)
{
    const struct et_pm4_packet_field *fields = et_pm4_packet_fields(packet);
    char text[1024];
    uint64_t shown = 0;
    size_t used = (size_t)snprintf(text, sizeof text, "%08x", word);
    for (unsigned pass = 0; pass < 2 && !shown; pass++)
        for (unsigned i = 0; i < packet->fields; i++) {
            const struct et_pm4_field *field = &fields[i].field;
            const uint64_t bits = (UINT64_C(2) << field->hi) - (UINT64_C(1) << field->lo);
            if (fields[i].dword != dword || (!pass && !(fields[i].engines & engines)) || shown & bits)
                continue;
            shown |= bits;
            used = append_field(text, used, sizeof text, field, word);
        }
    emit(at, 1, text);
}

static void show_packet(struct decoder *at, const struct et_pm4_packet *packet, uint32_t header,
                        const uint32_t *body, uint32_t count)
{
    enum etalon_pm4_space space;
    const uint32_t opcode = header >> 8 & 0xFF;
    char text[160];
    snprintf(text, sizeof text, "%s, %u dwords%s%s%s", packet->name, count + 1,
             header & 1 ? ", predicated" : "", opcode != 0x10 && header & 2 ? ", compute" : "",
             opcode != 0x10 && header & 4 ? ", reset filter" : "");
    if (opcode == 0x46) {
        const size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, ", %s", et_pm4_event_name(body[0] & 0x3F));
    }
    emit(at, 0, text);
    if (is_register_write(header, &space)) {
        at->offset++;
        show_registers(at, space, body, count);
        return;
    }
    /* The compute form of the indirect dispatch is told by its length on any queue. */
    const unsigned engines = opcode == 0x16 && count == 3 ? ET_PM4_MEC : at->engines;
    for (uint32_t i = 0; at->line && i < count; i++) {
        at->offset++;
        show_dword(at, packet, engines, i + 1, body[i]);
    }
}

static enum etalon_status bad(const struct decoder *at, struct etalon_error *error, enum etalon_status status,
                              uint32_t word, const char *why)
{
    et_at_offset(error, (uint64_t)at->offset * 4);
    et_at_value(error, word);
    return et_fail(error, status, "dword %u (%08x): %s", at->offset, word, why);
}

/* Type 0 writes registers by absolute number. */
static void show_type0(struct decoder *at, uint32_t header, const uint32_t *body, uint32_t count)
{
    char text[96];
    snprintf(text, sizeof text, "type 0, %u dwords", count + 1);
    emit(at, 0, text);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t number = (header & 0xFFFF) + i;
        unsigned space = 0;
        while (space < ETALON_PM4_SPACES && number - et_pm4_spaces[space].base >= et_pm4_spaces[space].size)
            space++;
        at->offset++;
        if (space < ETALON_PM4_SPACES)
            show_register(at, (enum etalon_pm4_space)space, number - et_pm4_spaces[space].base, body[i]);
        else
            at->decoded->unknown_registers++;
    }
}

enum etalon_status etalon_pm4_decode(const uint32_t *words, uint32_t dwords, uint32_t queue, bool constant,
                                     etalon_pm4_line *line, void *user, struct etalon_pm4_decoded *decoded,
                                     struct etalon_error *error)
{
    struct etalon_pm4_decoded unused;
    struct decoder at = {.line = line,
                         .user = user,
                         .decoded = decoded ? decoded : &unused,
                         .engines = constant ? ET_PM4_CE
                                    : queue  ? ET_PM4_MEC
                                             : ET_PM4_PFP | ET_PM4_ME,
                         .compute = queue != 0};
    *at.decoded = (struct etalon_pm4_decoded){0};
    for (uint32_t offset = 0; offset < dwords;) {
        const uint32_t header = words[offset], length = (header >> 16 & 0x3FFF) + 2;
        at.offset = offset;
        if (header >> 30 == 2 || (header & 0xFFFFFF00) == 0xFFFF1000) {
            emit(&at, 0, header >> 30 == 2 ? "filler" : "NOP, header only");
            at.decoded->packets++;
            offset++;
            continue;
        }
        if (header >> 30 == 1)
            return bad(&at, error, ETALON_FORMAT, header, "type 1 is reserved");
        if (length > dwords - offset)
            return bad(&at, error, ETALON_TRUNCATED, header, "the stream ends within the packet");
        const struct et_pm4_packet *packet = header >> 30 ? et_pm4_packet_of(header, at.compute) : NULL;
        at.decoded->packets++;
        if (!(header >> 30)) {
            show_type0(&at, header, words + offset + 1, length - 1);
        } else if (packet) {
            show_packet(&at, packet, header, words + offset + 1, length - 1);
        } else {
            char text[64];
            at.decoded->unknown_opcodes++;
            snprintf(text, sizeof text, "unknown opcode 0x%02x, %u dwords", header >> 8 & 0xFF, length);
            emit(&at, 0, text);
        }
        offset += length;
    }
    return ETALON_OK;
}
