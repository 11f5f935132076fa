/* Text of macro code, in the words of the notes on both engines. */
#include "base/bits.h"
#include "mme/mme.h"
#include "mme/turing.h"

#include <stdarg.h>
#include <stdio.h>

struct text {
    char *at;
    size_t left;
    int length;
};

static void __attribute__((format(printf, 2, 3))) put(struct text *text, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    const int n = vsnprintf(text->at, text->left, format, list);
    va_end(list);
    const size_t step = ET_MIN((size_t)(n > 0 ? n : 0), text->left);
    text->at = text->left ? text->at + step : text->at;
    text->left -= step;
    text->length += n;
}

static void fermi(struct text *text, uint32_t word, uint32_t address)
{
    static const char *const ops[] = {"add", "adc", "sub", "sbb",  "alu.4", "alu.5",  "alu.6",  "alu.7",
                                      "xor", "or",  "and", "andn", "nand",  "alu.13", "alu.14", "alu.15"};
    static const char *const assigns[] = {
        "load",      "move",       "move maddr",           "load send",
        "move send", "load maddr", "move maddr load send", "move maddr sendhigh"};
    const unsigned a = et_bits(word, 13, 11), b = et_bits(word, 16, 14), op = et_bits(word, 21, 17);
    const int32_t immediate = (int32_t)et_sign_extend(word >> 14, 18);
    if ((word & 7) == 7) {
        put(text, "%s%s r%u 0x%x", word >> 4 & 1 ? "bnz" : "bz", word >> 5 & 1 ? ".annul" : "", a,
            address + (uint32_t)immediate);
    } else {
        put(text, "%s r%u = ", assigns[et_bits(word, 6, 4)], et_bits(word, 10, 8));
        switch (word & 7) {
        case 0:
            put(text, "%s r%u r%u", op < 16 ? ops[op] : "alu.high", a, b);
            break;
        case 1:
            put(text, "add r%u %d", a, immediate);
            break;
        case 2:
            put(text, "merge r%u r%u from %u size %u to %u", a, b, op, et_bits(word, 26, 22),
                et_bits(word, 31, 27));
            break;
        case 3:
            put(text, "extract r%u at r%u size %u to %u", b, a, et_bits(word, 26, 22), et_bits(word, 31, 27));
            break;
        case 4:
            put(text, "extract r%u from %u size %u to r%u", b, op, et_bits(word, 26, 22), a);
            break;
        case 5:
            put(text, "state r%u 0x%x", a, (uint32_t)immediate & 0xfff);
            break;
        default:
            put(text, "illegal 0x%08x", word);
            break;
        }
    }
    if (word >> 7 & 1)
        put(text, " exit");
}

static void operand(struct text *text, const struct et_mme_group *group, unsigned alu, unsigned src)
{
    if (src < ET_MME_ZERO)
        put(text, " r%u", src);
    else if (src == ET_MME_ZERO)
        put(text, " 0");
    else if (src == ET_MME_IMMEDIATE || src == ET_MME_IMMEDIATE_PAIR)
        put(text, " %d", (int16_t)group->immediate[src == ET_MME_IMMEDIATE ? alu : 1 - alu]);
    else if (src == ET_MME_IMMEDIATE_32)
        put(text, " 0x%x", (uint32_t)group->immediate[0] << 16 | group->immediate[1]);
    else if (src < ET_MME_LOAD0 + 2)
        put(text, " load%u", src - ET_MME_LOAD0);
    else
        put(text, " operand.%u", src);
}

static void output(struct text *text, const struct et_mme_group *group, const char *what, unsigned select)
{
    static const char *const names[] = {"none", "alu0", "alu1", "load0", "load1"};
    if (select < ET_COUNT(names))
        put(text, " %s(%s)", what, names[select]);
    else if (select < 7)
        put(text, " %s(0x%x)", what, group->immediate[select - ET_MME_OUT_IMMEDIATE0]);
    else if (select == 8 || select == 9)
        put(text, " %s(0x%x)", what, group->immediate[select - ET_MME_OUT_HIGH0] >> 12);
    else if (select == ET_MME_OUT_IMMEDIATE_32)
        put(text, " %s(0x%x)", what, (uint32_t)group->immediate[0] << 16 | group->immediate[1]);
    else
        put(text, " %s(reserved.%u)", what, select);
}

static void alu(struct text *text, const struct et_mme_group *group, unsigned i, uint32_t address)
{
    static const char *const ops[] = {"add",   "addc", "sub",  "subb", "mul",  "mulh", "mulu",  "extended",
                                      "clz",   "sll",  "srl",  "sra",  "and",  "nand", "or",    "xor",
                                      "merge", "slt",  "sltu", "sle",  "sleu", "seq",  "state", "loop",
                                      "jal",   "blt",  "bltu", "ble",  "bleu", "beq",  "dread", "dwrite"};
    const unsigned op = group->alu[i].op, dst = group->alu[i].dst;
    const uint16_t immediate = group->immediate[i];
    if (dst < ET_MME_ZERO)
        put(text, "r%u = ", dst);
    put(text, "%s%s", ops[op], op >= ET_MME_BLT && op <= ET_MME_BEQ && !(immediate >> 15) ? ".not" : "");
    operand(text, group, i, group->alu[i].src[0]);
    operand(text, group, i, group->alu[i].src[1]);
    if (op == ET_MME_MERGE)
        put(text, " from %u size %u to %u", immediate & 31, immediate >> 5 & 31, immediate >> 10);
    else if (op == ET_MME_LOOP)
        put(text, " to 0x%x", address + immediate - 1);
    else if (op == ET_MME_JAL)
        put(text, " 0x%x", address + (uint32_t)et_sign_extend(immediate & 0x7fff, 15));
    else if (op >= ET_MME_BLT && op <= ET_MME_BEQ && (immediate & 0x1fff) == 0x1000)
        put(text, " leave");
    else if (op >= ET_MME_BLT && op <= ET_MME_BEQ)
        put(text, " 0x%x", address + (uint32_t)et_sign_extend(immediate & 0x1fff, 13));
}

static void turing(struct text *text, const uint32_t *words, uint32_t address)
{
    struct et_mme_group group;
    et_mme_turing_decode(words, &group);
    if (group.predicate_mode) {
        put(text, "@%s", et_mme_predicates[group.predicate_mode]);
        operand(text, &group, 0, group.predicate);
        put(text, " ");
    }
    for (unsigned i = 0; i < 2; i++) {
        /* add with nothing to write is how builders leave an ALU idle */
        const bool idle = group.alu[i].op == ET_MME_ADD && group.alu[i].dst == ET_MME_ZERO &&
                          group.alu[i].src[0] == ET_MME_ZERO && group.alu[i].src[1] == ET_MME_ZERO;
        if (i)
            put(text, " | ");
        if (idle)
            put(text, "-");
        else
            alu(text, &group, i, address);
    }
    for (unsigned i = 0; i < 2; i++) {
        if (group.out[i].method || group.out[i].emit)
            put(text, " |");
        if (group.out[i].method)
            output(text, &group, "method", group.out[i].method);
        if (group.out[i].emit)
            output(text, &group, "send", group.out[i].emit);
    }
    if (group.end_next)
        put(text, " | end next");
}

int et_mme_disassemble(enum et_mme_kind kind, const uint32_t *words, uint32_t address, char *text,
                       size_t size)
{
    struct text out = {text, size, 0};
    if (size)
        *text = 0;
    if (kind == ET_MME_TURING)
        turing(&out, words, address);
    else
        fermi(&out, *words, address);
    return out.length;
}
