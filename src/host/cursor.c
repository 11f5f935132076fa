/* The pushbuffer cursor: segments, headers, runs. It stops and goes on at any word. [DOC: dev_pbdma, class
 * headers] */
#include "host/internal.h"

#include "base/alloc.h"

#define WINDOW 1024u /* words looked at in one piece */

enum etalon_status et_channel_push(struct et_channel *channel, uint64_t va, uint32_t dwords, bool no_prefetch,
                                   struct etalon_error *error)
{
    const struct et_segment segment = {.va = va, .dwords = dwords, .wait = no_prefetch};
    if (va & 3) {
        et_at_channel(error, channel->number);
        et_at_address(error, va);
        return et_fail(error, ETALON_MISALIGNED, "a segment at 0x%llx", (unsigned long long)va);
    }
    if (channel->head && channel->head + channel->count == channel->capacity) {
        memmove(channel->segments, channel->segments + channel->head, channel->count * sizeof segment);
        channel->head = 0;
    }
    if (!et_grow(&channel->segments, &channel->capacity, channel->head + channel->count + 1, sizeof segment))
        return et_fail(error, ETALON_NO_MEMORY, "no memory for the segment queue");
    channel->segments[channel->head + channel->count++] = segment;
    return ETALON_OK;
}

/* LENGTH 0 is a control entry: NOP, ILLEGAL, and two checksums that nothing here keeps. FETCH CONDITIONAL is
 * taken as unconditional: the one device's sub-device mask is active. SUBROUTINE only keeps progress from
 * being reported. */
enum etalon_status et_channel_gpfifo(struct et_channel *channel, const uint32_t (*entries)[2], size_t count,
                                     struct etalon_error *error)
{
    for (size_t i = 0; i < count; i++) {
        const uint32_t low = entries[i][0], high = entries[i][1];
        const uint32_t length = et_bits(high, 30, 10);
        if (!length) {
            if (et_bits(high, 7, 0) == 0)
                continue;
            et_at_channel(error, channel->number);
            et_at_value(error, high);
            return et_fail(error, et_bits(high, 7, 0) == 1 ? ETALON_TRAP : ETALON_UNSUPPORTED,
                           "GPFIFO control entry 0x%08x 0x%08x", high, low);
        }
        const enum etalon_status status = et_channel_push(
            channel, (uint64_t)et_bits(high, 7, 0) << 32 | (low & ~3u), length, high >> 31, error);
        if (status)
            return status;
        channel->segments[channel->head + channel->count - 1].subroutine = high >> 9 & 1;
    }
    return ETALON_OK;
}

uint64_t et_channel_get(const struct et_channel *channel)
{
    return channel->count ? channel->segments[channel->head].va + 4 * (uint64_t)channel->position : 0;
}

uint64_t et_channel_top_level_get(const struct et_channel *channel)
{
    return channel->top_level_get;
}

static void next_segment(struct et_channel *channel)
{
    channel->head++;
    channel->position = 0;
    if (!--channel->count)
        channel->head = 0;
}

static void advance(struct et_channel *channel, size_t words)
{
    const struct et_segment *segment = &channel->segments[channel->head];
    channel->position += (uint32_t)words;
    channel->words += words;
    if (!segment->subroutine)
        channel->top_level_get = segment->va + 4 * (uint64_t)channel->position;
    if (channel->position >= segment->dwords)
        next_segment(channel);
}

/* Starts a run. The old formats are Maxwell's alone. */
static void start_run(struct et_channel *channel, uint32_t header, bool old, enum et_run_mode mode)
{
    channel->run = (struct et_run){.left = old ? et_bits(header, 28, 18) : et_bits(header, 28, 16),
                                   .method = old ? header & 0x1ffc : et_bits(header, 11, 0) << 2,
                                   .subchannel = (uint8_t)et_bits(header, 15, 13),
                                   .mode = (uint8_t)mode};
}

static enum etalon_status illegal(struct et_channel *channel, uint32_t header, struct etalon_error *error)
{
    et_at_channel(error, channel->number);
    et_at_value(error, header);
    et_at_address(error, et_channel_get(channel));
    return et_fail(error, ETALON_BAD_HEADER, "pushbuffer header 0x%08x", header);
}

static enum etalon_status immediate(struct et_channel *channel, uint32_t header, struct etalon_error *error)
{
    const uint32_t value = et_bits(header, 28, 16);
    size_t done;
    const enum etalon_status status =
        et_host_methods(channel, et_bits(header, 15, 13), et_bits(header, 11, 0) << 2, ET_RUN_CONSTANT,
                        &value, 1, &done, error);
    if (done)
        advance(channel, 1);
    return status;
}

static enum etalon_status take_header(struct et_channel *channel, uint32_t header, struct etalon_error *error)
{
    const bool maxwell = channel->device->options.chip->channel_class == 0xb06f;
    channel->environment.address = et_channel_get(channel);
    switch (header >> 29) {
    case 0:
        /* Group 0 by 17:16: increasing; set, store, use the sub-device mask, of which one device makes
         * nothing. */
        if (!header || (maxwell && et_bits(header, 17, 16)))
            break;
        if (!maxwell)
            return illegal(channel, header, error);
        start_run(channel, header, true, ET_RUN_INCREASING);
        break;
    case 1:
        start_run(channel, header, false, ET_RUN_INCREASING);
        break;
    case 2:
        if (!maxwell || et_bits(header, 17, 16))
            return illegal(channel, header, error);
        start_run(channel, header, true, ET_RUN_CONSTANT);
        break;
    case 3:
        start_run(channel, header, false, ET_RUN_CONSTANT);
        break;
    case 4:
        return immediate(channel, header, error);
    case 5:
        start_run(channel, header, false, ET_RUN_INCREASE_ONCE);
        break;
    case 7: /* END_PB_SEGMENT: what follows in the segment is not fetched */
        advance(channel, channel->segments[channel->head].dwords - channel->position);
        return ETALON_OK;
    default:
        return illegal(channel, header, error);
    }
    advance(channel, 1);
    return ETALON_OK;
}

static enum etalon_status take_data(struct et_channel *channel, const uint32_t *words, size_t count,
                                    struct etalon_error *error)
{
    struct et_run *run = &channel->run;
    size_t done;
    count = ET_MIN(count, (size_t)run->left);
    channel->environment.address = et_channel_get(channel);
    const enum etalon_status status = et_host_methods(
        channel, run->subchannel, run->method, (enum et_run_mode)run->mode, words, count, &done, error);
    run->left -= (uint32_t)done;
    if (done) {
        run->method = et_run_method(run->method, (enum et_run_mode)run->mode, done);
        if (run->mode == ET_RUN_INCREASE_ONCE)
            run->mode = ET_RUN_CONSTANT;
        if (run->method >= 0x10000)
            run->method = 0xfffc; /* stays outside every class */
        advance(channel, done);
    }
    return status;
}

/* Takes up to WINDOW words; ETALON_OK with wait.blocked set when it cannot go on. */
enum etalon_status et_channel_step(struct et_channel *channel, struct etalon_error *error)
{
    uint32_t words[WINDOW];
    channel->environment.wait.blocked = false;
    if (channel->running) {
        const enum etalon_status status = et_host_resume(channel, error);
        if (status || channel->environment.wait.blocked)
            return status;
    }
    if (!channel->count)
        return ETALON_OK;
    const struct et_segment *segment = &channel->segments[channel->head];
    const uint32_t count = ET_MIN(segment->dwords - channel->position, WINDOW);
    if (!count) {
        next_segment(channel);
        return ETALON_OK;
    }
    const uint64_t start = et_channel_get(channel);
    enum etalon_status status =
        et_view_read(&channel->environment.view, start, words, 4 * (uint64_t)count, error);
    if (status)
        et_at_channel(error, channel->number);
    /* A trigger may have rewritten words ahead of the cursor: those of this window were fetched, as prefetch
     * does. */
    while (!status && !channel->environment.wait.blocked && !channel->yield) {
        const uint64_t at = (et_channel_get(channel) - start) / 4;
        if (!channel->count || et_channel_get(channel) < start || at >= count ||
            segment != &channel->segments[channel->head])
            break;
        status = channel->run.left ? take_data(channel, words + at, (size_t)(count - at), error)
                                   : take_header(channel, words[at], error);
    }
    return status ? status : et_host_flush(channel, NULL, error);
}
