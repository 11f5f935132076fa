#include "pm4/tables.h"

#include "base/bits.h"

#include <stdlib.h>
#include <string.h>

#include "pm4/packet_table.inc"
#include "pm4/register_table.inc"

/* [DRV] Linux amdgpu and Mesa: byte bases 0x28000, 0xB000, 0x30000, 0x8000. */
const struct et_pm4_space et_pm4_spaces[ETALON_PM4_SPACES] = {
    [ETALON_PM4_CONTEXT] = {"context", 0xA000, 0x400, known_context},
    [ETALON_PM4_SH] = {"sh", 0x2C00, 0x400, known_sh},
    [ETALON_PM4_UCONFIG] = {"uconfig", 0xC000, 0x4000, known_uconfig},
    [ETALON_PM4_CONFIG] = {"config", 0x2000, 0xC00, known_config},
};

/* [DOC] VGT event numbers. */
static const char *const event_names[64] = {
    "Reserved_0x00",
    "SAMPLE_STREAMOUTSTATS1",
    "SAMPLE_STREAMOUTSTATS2",
    "SAMPLE_STREAMOUTSTATS3",
    "CACHE_FLUSH_TS",
    "CONTEXT_DONE",
    "CACHE_FLUSH",
    "CS_PARTIAL_FLUSH",
    "VGT_STREAMOUT_SYNC",
    "SET_FE_ID",
    "VGT_STREAMOUT_RESET",
    "END_OF_PIPE_INCR_DE",
    "END_OF_PIPE_IB_END",
    "RST_PIX_CNT",
    "BREAK_BATCH",
    "VS_PARTIAL_FLUSH",
    "PS_PARTIAL_FLUSH",
    "FLUSH_HS_OUTPUT",
    "FLUSH_DFSM",
    "RESET_TO_LOWEST_VGT",
    "CACHE_FLUSH_AND_INV_TS_EVENT",
    "ZPASS_DONE",
    "CACHE_FLUSH_AND_INV_EVENT",
    "PERFCOUNTER_START",
    "PERFCOUNTER_STOP",
    "PIPELINESTAT_START",
    "PIPELINESTAT_STOP",
    "PERFCOUNTER_SAMPLE",
    "FLUSH_ES_OUTPUT",
    "BIN_CONF_OVERRIDE_CHECK",
    "SAMPLE_PIPELINESTAT",
    "SO_VGTSTREAMOUT_FLUSH",
    "SAMPLE_STREAMOUTSTATS",
    "RESET_VTX_CNT",
    "BLOCK_CONTEXT_DONE",
    "CS_CONTEXT_DONE",
    "VGT_FLUSH",
    "TGID_ROLLOVER",
    "SQ_NON_EVENT",
    "SC_SEND_DB_VPZ",
    "BOTTOM_OF_PIPE_TS",
    "FLUSH_SX_TS",
    "DB_CACHE_FLUSH_AND_INV",
    "FLUSH_AND_INV_DB_DATA_TS",
    "FLUSH_AND_INV_DB_META",
    "FLUSH_AND_INV_CB_DATA_TS",
    "FLUSH_AND_INV_CB_META",
    "CS_DONE",
    "PS_DONE",
    "FLUSH_AND_INV_CB_PIXEL_DATA",
    "SX_CB_RAT_ACK_REQUEST",
    "THREAD_TRACE_START",
    "THREAD_TRACE_STOP",
    "THREAD_TRACE_MARKER",
    "THREAD_TRACE_DRAW",
    "THREAD_TRACE_FINISH",
    "PIXEL_PIPE_STAT_CONTROL",
    "PIXEL_PIPE_STAT_DUMP",
    "PIXEL_PIPE_STAT_RESET",
    "CONTEXT_SUSPEND",
    "OFFCHIP_HS_DEALLOC",
    "ENABLE_NGG_PIPELINE",
    "ENABLE_LEGACY_PIPELINE",
    "DRAW_DONE",
};

static const char *const wait_names[] = {"none",      "memory",     "register",   "rewind",
                                         "valid bit", "CE counter", "DE counter", "predicate",
                                         "semaphore", "atomic",     "flip"};

#define FAULT_TEXT(name, text, status) text,
static const char *const fault_names[] = {ETALON_PM4_FAULTS(FAULT_TEXT)};

const char *etalon_pm4_fault_name(enum etalon_pm4_fault fault)
{
    return (unsigned)fault < ETALON_PM4_FAULT_COUNT ? fault_names[fault] : "unknown fault";
}

const char *etalon_pm4_wait_name(enum etalon_pm4_wait_kind kind)
{
    return (unsigned)kind < ET_COUNT(wait_names) ? wait_names[kind] : "unknown";
}

const char *etalon_pm4_space_name(enum etalon_pm4_space space)
{
    return (unsigned)space < ETALON_PM4_SPACES ? et_pm4_spaces[space].name : NULL;
}

uint32_t etalon_pm4_space_size(enum etalon_pm4_space space)
{
    return (unsigned)space < ETALON_PM4_SPACES ? et_pm4_spaces[space].size : 0;
}

const struct et_pm4_register *et_pm4_register_at(enum etalon_pm4_space space, uint32_t offset)
{
    size_t low = 0, high = ET_COUNT(registers);
    const uint64_t key = (uint64_t)space << 32 | offset;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        const uint64_t at = (uint64_t)registers[middle].space << 32 | registers[middle].offset;
        if (at == key)
            return &registers[middle];
        if (at < key)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

const struct et_pm4_field *et_pm4_register_fields(const struct et_pm4_register *reg)
{
    return &register_fields[reg->first];
}

const char *etalon_pm4_register_name(enum etalon_pm4_space space, uint32_t offset)
{
    const struct et_pm4_register *reg =
        (unsigned)space < ETALON_PM4_SPACES ? et_pm4_register_at(space, offset) : NULL;
    return reg ? reg->name : NULL;
}

bool etalon_pm4_register_find(const char *name, enum etalon_pm4_space *space, uint32_t *offset)
{
    for (size_t i = 0; name && i < ET_COUNT(registers); i++)
        if (!strcmp(registers[i].name, name)) {
            *space = registers[i].space;
            *offset = registers[i].offset;
            return true;
        }
    return false;
}

bool etalon_pm4_register_field(enum etalon_pm4_space space, uint32_t offset, uint32_t i, const char **name,
                               unsigned *hi, unsigned *lo, const char **values)
{
    const struct et_pm4_register *reg =
        (unsigned)space < ETALON_PM4_SPACES ? et_pm4_register_at(space, offset) : NULL;
    if (!reg || i >= reg->fields)
        return false;
    const struct et_pm4_field *field = et_pm4_register_fields(reg) + i;
    *name = field->name;
    *hi = field->hi;
    *lo = field->lo;
    *values = field->values;
    return true;
}

/* Which of the forms that share an opcode a header means. */
static bool form_fits(const struct et_pm4_packet *packet, uint32_t header, bool compute)
{
    const uint32_t opcode = header >> 8 & 0xFF, length = (header >> 16 & 0x3FFF) + 2;
    switch (opcode) {
    case 0x10: {
        const uint32_t r = header >> 2 & 0x3F;
        if (!strcmp(packet->name, "NOP"))
            return r != 0 || length == 0x4001;
        return packet->r == (int)r;
    }
    case 0x33:
    case 0x3F:
        return (strncmp(packet->name, "COND_", 5) == 0) == (length == 14);
    case 0x8C:
    case 0x8D: {
        const size_t n = strlen(packet->name);
        return (n > 4 && !strcmp(packet->name + n - 4, "_ACE")) == compute;
    }
    default:
        return true;
    }
}

const struct et_pm4_packet *et_pm4_packet_of(uint32_t header, bool compute)
{
    const struct et_pm4_packet *fallback = NULL;
    for (size_t i = 0; i < ET_COUNT(packets); i++) {
        if (packets[i].opcode != (header >> 8 & 0xFF) || !form_fits(&packets[i], header, compute))
            continue;
        if (strcmp(packets[i].name, "NOP") != 0)
            return &packets[i];
        fallback = &packets[i];
    }
    return fallback;
}

const struct et_pm4_packet_field *et_pm4_packet_fields(const struct et_pm4_packet *packet)
{
    return &packet_fields[packet->first];
}

const char *et_pm4_event_name(unsigned type)
{
    return type < ET_COUNT(event_names) ? event_names[type] : "?";
}

bool et_pm4_value_name(const char *values, uint64_t value, char *text, size_t size)
{
    for (const char *at = values; *at;) {
        char *end;
        const unsigned long long number = strtoull(at, &end, 0);
        const size_t length = strcspn(end, " ");
        if (end != at && *end == '=' && number == value && size) {
            const size_t n = ET_MIN(length - 1, size - 1);
            memcpy(text, end + 1, n);
            text[n] = 0;
            return true;
        }
        at = end + length;
        at += strspn(at, " ");
    }
    return false;
}
