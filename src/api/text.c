#include "etalon.h"

#include "base/alloc.h"
#include "base/error.h"
#include "isa/isa.h"

struct etalon_isa {
    struct et_isa *isa;
    enum etalon_isa_kind kind;
};

enum etalon_status etalon_isa_open(struct etalon_isa **isa, enum etalon_isa_kind kind,
                                   struct etalon_error *error)
{
    enum etalon_status status;
    *isa = NULL;
    if (kind != ETALON_MAXWELL && kind != ETALON_AMPERE)
        return et_fail(error, ETALON_INVALID, "no instruction set has number %d", (int)kind);
    *isa = et_calloc(1, sizeof **isa);
    if (!*isa)
        return et_fail(error, ETALON_NO_MEMORY, "no memory for an instruction set");
    (*isa)->kind = kind;
    status = et_isa_open(et_isa_def_for(kind == ETALON_MAXWELL ? ET_ISA_MAXWELL : ET_ISA_AMPERE),
                         &(*isa)->isa, error);
    if (status) {
        et_free(*isa);
        *isa = NULL;
    }
    return status;
}

void etalon_isa_close(struct etalon_isa *isa)
{
    if (isa)
        et_isa_close(isa->isa);
    et_free(isa);
}

unsigned etalon_isa_bytes(const struct etalon_isa *isa)
{
    return et_isa_def_of(isa->isa)->word_bits / 8;
}

enum etalon_status etalon_disassemble(const struct etalon_isa *isa, const void *code, size_t bytes, size_t pc,
                                      char *text, size_t text_size, struct etalon_error *error)
{
    struct et_insn insn;
    uint64_t word[2];
    uint32_t control;
    int is_sched;
    enum etalon_status status;
    if (text_size)
        *text = 0;
    status = et_isa_fetch(isa->isa, code, bytes, pc, word, &control, &is_sched, error);
    if (!status && is_sched)
        return ETALON_OK;
    if (!status)
        status = et_isa_decode(isa->isa, word, control, pc, &insn, error);
    if (status) {
        et_at_pc(error, pc);
        return status;
    }
    et_isa_disasm(isa->isa, &insn, NULL, text, text_size);
    return ETALON_OK;
}

enum etalon_status etalon_assemble(const struct etalon_isa *isa, const char *text, size_t pc,
                                   uint64_t word[2], struct etalon_error *error)
{
    uint32_t control;
    word[0] = word[1] = 0;
    return et_isa_assemble(isa->isa, text, pc, NULL, word, &control, error);
}
