#include "mme/machine.h"

#include "base/alloc.h"

#define DEFAULT_STEPS  UINT64_C(0xffffff)
#define POLL_STEPS     4096 /* between two looks for cancellation; a power of two */
#define MAX_PARAMETERS (1u << 20)

static uint32_t code_unit(const struct et_mme *mme)
{
    return mme->kind == ET_MME_TURING ? 3 : 1;
}

struct et_mme *et_mme_create(enum et_mme_kind kind, uint64_t steps, struct etalon_error *error)
{
    struct et_mme *mme = et_calloc(1, sizeof *mme);
    if (!mme) {
        et_fail(error, ETALON_NO_MEMORY, "no memory for a macro processor");
        return NULL;
    }
    mme->kind = kind;
    mme->steps = steps ? steps : DEFAULT_STEPS;
    mme->code_words = kind == ET_MME_TURING ? ET_MME_CODE_TURING : ET_MME_CODE_FERMI;
    mme->code = et_calloc(mme->code_words, sizeof *mme->code);
    if (!mme->code) {
        et_free(mme);
        et_fail(error, ETALON_NO_MEMORY, "no memory for macro code");
        return NULL;
    }
    return mme;
}

void et_mme_destroy(struct et_mme *mme)
{
    if (!mme)
        return;
    et_free(mme->parameters.word);
    et_free(mme->fifo.word);
    et_free(mme->code);
    et_free(mme);
}

static size_t words_put(struct et_mme_words *queue, const uint32_t *words, size_t count)
{
    if (queue->head && queue->head + queue->count + count > queue->capacity) {
        memmove(queue->word, queue->word + queue->head, queue->count * sizeof *words);
        queue->head = 0;
    }
    if (!et_grow(&queue->word, &queue->capacity, queue->head + queue->count + count, sizeof *words))
        return 0;
    memcpy(queue->word + queue->head + queue->count, words, count * sizeof *words);
    queue->count += count;
    return count;
}

static uint32_t words_take(struct et_mme_words *queue)
{
    const uint32_t word = queue->word[queue->head++];
    if (!--queue->count)
        queue->head = 0;
    return word;
}

/* Words read by DMA come before those of the pushbuffer. [DRV: note d] */
size_t et_mme_available(const struct et_mme *mme)
{
    return mme->fifo.count + mme->parameters.count;
}

uint32_t et_mme_take(struct et_mme *mme)
{
    mme->taken += !mme->fifo.count;
    return words_take(mme->fifo.count ? &mme->fifo : &mme->parameters);
}

enum et_step et_mme_fault(struct et_mme *mme, struct etalon_error *error, const char *what)
{
    et_fail(error, ETALON_MACRO, "macro %u: %s", mme->macro, what);
    et_at_pc(error, (uint64_t)mme->pc * code_unit(mme) * 4);
    return ET_STEP_FAULT;
}

void et_mme_set_code_pointer(struct et_mme *mme, uint32_t pointer)
{
    /* Counts instructions, as the start addresses do: words on Maxwell, groups from Turing on. nvc0 packs its
     * macros so; NVK leaves gaps. [DRV: captures] */
    mme->code_pointer = pointer < mme->code_words ? pointer * code_unit(mme) : mme->code_words;
}

enum etalon_status et_mme_load_code(struct et_mme *mme, const uint32_t *words, size_t count,
                                    struct etalon_error *error)
{
    if (count > mme->code_words - ET_MIN(mme->code_pointer, mme->code_words))
        return et_fail(error, ETALON_MACRO, "macro code past the end of the code RAM (word %u of %u)",
                       mme->code_pointer, mme->code_words);
    memcpy(mme->code + mme->code_pointer, words, count * sizeof *words);
    mme->code_pointer += (uint32_t)count;
    mme->code_end = ET_MAX(mme->code_end, mme->code_pointer);
    return ETALON_OK;
}

void et_mme_set_start_pointer(struct et_mme *mme, uint32_t entry)
{
    mme->start_pointer = entry;
}

enum etalon_status et_mme_load_starts(struct et_mme *mme, const uint32_t *words, size_t count,
                                      struct etalon_error *error)
{
    for (size_t i = 0; i < count; i++) {
        if (mme->start_pointer >= ET_MME_STARTS)
            return et_fail(error, ETALON_MACRO, "macro number %u past the start address RAM",
                           mme->start_pointer);
        mme->start[mme->start_pointer++] = words[i];
    }
    return ETALON_OK;
}

enum etalon_status et_mme_call(struct et_mme *mme, unsigned macro, uint32_t parameter,
                               struct etalon_error *error)
{
    if (mme->active)
        return et_fail(error, ETALON_MACRO, "macro %u is called while macro %u wants parameters", macro,
                       mme->macro);
    mme->macro = macro;
    if (!words_put(&mme->parameters, &parameter, 1))
        return et_fail(error, ETALON_NO_MEMORY, "no memory for macro parameters");
    mme->active = true;
    mme->spent = 0;
    mme->taken = 0;
    mme->pc = mme->start[macro];
    memset(mme->reg, 0, sizeof mme->reg);
    mme->method_address = mme->method_increment = 0;
    mme->sends = mme->sent = 0;
    mme->finishing = mme->carry = mme->slot_branch = mme->looping = false;
    if (mme->kind == ET_MME_FERMI)
        mme->reg[1] = et_mme_take(mme);
    return ETALON_OK;
}

enum etalon_status et_mme_data(struct et_mme *mme, unsigned macro, const uint32_t *words, size_t count,
                               struct etalon_error *error)
{
    if (!mme->active || mme->macro != macro)
        return et_fail(error, ETALON_MACRO, "data for macro %u, which is not running", macro);
    if (mme->parameters.count + count > MAX_PARAMETERS)
        return et_fail(error, ETALON_BUDGET, "more than %u waiting macro parameters", MAX_PARAMETERS);
    if (count && !words_put(&mme->parameters, words, count))
        return et_fail(error, ETALON_NO_MEMORY, "no memory for macro parameters");
    return ETALON_OK;
}

bool et_mme_active(const struct et_mme *mme, unsigned *macro)
{
    if (macro)
        *macro = mme->macro;
    return mme->active;
}

void et_mme_abort(struct et_mme *mme)
{
    mme->active = false;
    mme->parameters.head = mme->parameters.count = 0;
    mme->fifo.head = mme->fifo.count = 0;
    mme->sends = mme->sent = 0;
}

static enum etalon_status finish(struct et_mme *mme, struct etalon_error *error)
{
    /* The word of the call itself need not be taken. [DRV: captures] */
    const size_t left = mme->parameters.count - (mme->parameters.count && !mme->taken);
    et_mme_abort(mme);
    if (left)
        return et_fail(error, ETALON_MACRO, "macro %u ended before %zu of its parameters", mme->macro, left);
    return ETALON_OK;
}

static enum etalon_status flush(struct et_mme *mme, const struct et_mme_port *port, bool *blocked,
                                struct etalon_error *error)
{
    while (mme->sent < mme->sends) {
        const enum etalon_status status = port->send(port->context, mme->send[mme->sent].method,
                                                     mme->send[mme->sent].value, blocked, error);
        if (status || *blocked)
            return status;
        mme->sent++;
    }
    mme->sends = mme->sent = 0;
    return ETALON_OK;
}

enum etalon_status et_mme_run(struct et_mme *mme, const struct et_mme_port *port, bool *blocked,
                              struct etalon_error *error)
{
    *blocked = false;
    while (mme->active) {
        const enum etalon_status status = flush(mme, port, blocked, error);
        if (status || *blocked)
            return status;
        if (!(mme->spent & (POLL_STEPS - 1)) && port->cancelled && port->cancelled(port->context))
            return et_fail(error, ETALON_CANCELLED, "macro %u was cancelled", mme->macro);
        if (mme->spent++ >= mme->steps) {
            et_fail(error, ETALON_BUDGET, "macro %u took more than %llu steps", mme->macro,
                    (unsigned long long)mme->steps);
            et_at_pc(error, (uint64_t)mme->pc * code_unit(mme) * 4);
            return ETALON_BUDGET;
        }
        const enum et_step step = mme->kind == ET_MME_TURING ? et_mme_turing_step(mme, port, error)
                                                             : et_mme_fermi_step(mme, port, error);
        if (step == ET_STEP_FAULT)
            return error ? error->status : ETALON_MACRO;
        if (step == ET_STEP_STARVED)
            return ETALON_OK;
        if (step == ET_STEP_END) {
            const enum etalon_status last = flush(mme, port, blocked, error);
            if (last)
                return last;
            if (*blocked) { /* the end is taken again once the word has gone */
                mme->finishing = true;
                mme->pc = mme->code_words;
                return ETALON_OK;
            }
            return finish(mme, error);
        }
    }
    return ETALON_OK;
}

static enum etalon_status read_fifoed(struct et_mme *mme, const struct et_mme_port *port, uint32_t count,
                                      struct etalon_error *error)
{
    uint32_t chunk[256];
    if (!mme->active)
        return et_fail(error, ETALON_MACRO, "MME_DMA_READ_FIFOED from a pushbuffer");
    if (count > mme->fifo_words - ET_MIN(mme->fifo.count, mme->fifo_words))
        return et_fail(error, ETALON_MACRO, "MME_DMA_READ_FIFOED of %u words overflows the FIFO of %u", count,
                       mme->fifo_words);
    while (count) {
        const uint32_t part = ET_MIN(count, (uint32_t)ET_COUNT(chunk));
        const enum etalon_status status =
            et_view_read(port->view, mme->memory_address, chunk, part * 4, error);
        if (status)
            return status;
        if (!words_put(&mme->fifo, chunk, part))
            return et_fail(error, ETALON_NO_MEMORY, "no memory for the macro data FIFO");
        mme->memory_address += part * 4;
        count -= part;
    }
    return ETALON_OK;
}

static enum etalon_status data_range(struct et_mme *mme, uint32_t count, struct etalon_error *error)
{
    const uint32_t words = ET_MME_DATA_WORDS - mme->fifo_words;
    if (mme->data_pointer > words || count > words - mme->data_pointer)
        return et_fail(error, ETALON_MACRO, "macro DMA of %u words at %u outside the data RAM of %u", count,
                       mme->data_pointer, words);
    return ETALON_OK;
}

static enum etalon_status configure_fifo(struct et_mme *mme, uint32_t value, struct etalon_error *error)
{
    if ((value & 7) > 4)
        return et_fail(error, ETALON_BAD_VALUE, "illegal macro FIFO size %u", value & 7);
    if (mme->fifo.count)
        return et_fail(error, ETALON_MACRO, "the macro FIFO is resized while it holds data");
    mme->fifo_words = (value & 7) * 1024;
    return ETALON_OK;
}

/* Combines memory with the data RAM's words at the data pointer. [INF: the header names the operation only]
 */
static enum etalon_status reduce(struct et_mme *mme, const struct et_mme_port *port, uint32_t value,
                                 struct etalon_error *error)
{
    const bool wide = value >> 8 & 1, is_signed = et_bits(value, 5, 4) == 1;
    uint64_t old = 0;
    enum etalon_status status = data_range(mme, wide ? 2 : 1, error);
    if (!status)
        status = et_view_read(port->view, mme->memory_address, &old, wide ? 8 : 4, error);
    if (status)
        return status;
    uint64_t operand = mme->data[mme->data_pointer];
    if (wide)
        operand |= (uint64_t)mme->data[mme->data_pointer + 1] << 32;
    const uint64_t new =
        et_reduce(et_reduction_by_number(value & 7), old, operand, wide ? 64 : 32, is_signed);
    return et_view_write(port->view, mme->memory_address, &new, wide ? 8 : 4, error);
}

enum etalon_status et_mme_memory_method(struct et_mme *mme, const struct et_mme_port *port, uint32_t method,
                                        uint32_t value, struct etalon_error *error)
{
    enum etalon_status status = ETALON_OK;
    switch (method) {
    case 0x550: /* SET_MME_MEM_ADDRESS_A, UPPER 24:0 */
        mme->memory_address = (mme->memory_address & 0xffffffff) | (uint64_t)(value & 0x1ffffff) << 32;
        return ETALON_OK;
    case 0x554: /* SET_MME_MEM_ADDRESS_B */
        mme->memory_address = (mme->memory_address & ~UINT64_C(0xffffffff)) | value;
        return ETALON_OK;
    case 0x558: /* SET_MME_DATA_RAM_ADDRESS */
        mme->data_pointer = value;
        return ETALON_OK;
    case 0x55c: /* MME_DMA_READ */
    case 0x564: /* MME_DMA_WRITE */
        status = data_range(mme, value, error);
        if (status || !value)
            return status;
        if (method == 0x55c)
            status = et_view_read(port->view, mme->memory_address, mme->data + mme->data_pointer,
                                  (uint64_t)value * 4, error);
        else
            status = et_view_write(port->view, mme->memory_address, mme->data + mme->data_pointer,
                                   (uint64_t)value * 4, error);
        return status;
    case 0x560: /* MME_DMA_READ_FIFOED */
        return read_fifoed(mme, port, value, error);
    case 0x568: /* MME_DMA_REDUCTION */
        return reduce(mme, port, value, error);
    case 0x574: /* SET_MME_DATA_FIFO_CONFIG */
        return configure_fifo(mme, value, error);
    default: /* MME_DMA_SYSMEMBAR, MME_DMA_SYNC, MME_DMA_WRITE_METHOD_BARRIER: everything is in order */
        return ETALON_OK;
    }
}

const uint32_t *et_mme_code(const struct et_mme *mme, uint32_t *count)
{
    *count = mme->code_end;
    return mme->code;
}

uint32_t et_mme_start(const struct et_mme *mme, unsigned macro)
{
    return macro < ET_MME_STARTS ? mme->start[macro] * code_unit(mme) : 0;
}
