/* Names of registers, packets and their fields, generated from conformance/pm4 by generate.c. */
#ifndef ET_PM4_TABLES_H
#define ET_PM4_TABLES_H

#include "etalon-pm4.h"

struct et_pm4_field {
    const char *name;
    uint8_t hi, lo;
    const char *values; /* "0=NAME 1=NAME ...", may be empty */
};

struct et_pm4_register {
    const char *name;
    uint32_t offset; /* dwords within its space; bit 31 marks the console's pseudo registers */
    uint8_t space;   /* enum etalon_pm4_space */
    uint16_t first, fields;
};

/* Engines that carry a packet field. */
enum et_pm4_engine { ET_PM4_PFP = 1, ET_PM4_ME = 2, ET_PM4_CE = 4, ET_PM4_MEC = 8 };

struct et_pm4_packet_field {
    struct et_pm4_field field;
    uint8_t dword;
    uint8_t engines; /* set of enum et_pm4_engine */
};

struct et_pm4_packet {
    const char *name;
    uint8_t opcode;
    int16_t r; /* sub-operation of a NOP, -1: none */
    uint16_t first, fields;
};

/* Where a space begins in absolute register numbers (dwords), and its size. */
struct et_pm4_space {
    const char *name;
    uint32_t base, size;
    const uint64_t *known; /* a bit a register that has a name */
};
extern const struct et_pm4_space et_pm4_spaces[ETALON_PM4_SPACES];

/* NULL when there is none. */
const struct et_pm4_register *et_pm4_register_at(enum etalon_pm4_space space, uint32_t offset);
const struct et_pm4_field *et_pm4_register_fields(const struct et_pm4_register *reg);
/* The form of a packet: by opcode, NOP sub-operation, whole length in dwords, and queue kind. NULL: unknown
 * opcode. */
const struct et_pm4_packet *et_pm4_packet_of(uint32_t header, bool compute);
const struct et_pm4_packet_field *et_pm4_packet_fields(const struct et_pm4_packet *packet);
/* Name of VGT event 0..63. */
const char *et_pm4_event_name(unsigned type);
/* Copies the name that a field's list gives `value` into text; false when the list has none. */
bool et_pm4_value_name(const char *values, uint64_t value, char *text, size_t size);

/* True when all `count` registers from `offset` are named. */
static inline bool et_pm4_known(const struct et_pm4_space *space, uint32_t offset, uint32_t count)
{
    if (count == 1)
        return space->known[offset >> 6] >> (offset & 63) & 1;
    for (; count && (offset & 63); offset++, count--)
        if (!(space->known[offset >> 6] >> (offset & 63) & 1))
            return false;
    for (; count >= 64; offset += 64, count -= 64)
        if (~space->known[offset >> 6])
            return false;
    return !count || !(~space->known[offset >> 6] & ((UINT64_C(1) << count) - 1));
}

#endif
