/* Who could release a wait: scans what blocked queues have not executed yet for a packet that writes the
 * awaited address, and follows queue to queue for a cycle. Streams are only read; what the scan does not know
 * is left out. */
#include "pm4/processor.h"

struct scan {
    const struct etalon_pm4 *pm4;
    uint64_t address, end; /* the awaited bytes */
    uint32_t budget;       /* packets left to look at */
    uint32_t *buffer;      /* one packet of a buffer that is not contiguous */
};

static bool hits(const struct scan *scan, uint64_t address, uint64_t bytes)
{
    return bytes && address < scan->end && scan->address - address < bytes + (scan->end - scan->address) &&
           address + bytes > scan->address;
}

/* Bytes that a label's data selector writes. */
static uint64_t label_bytes(uint32_t select, uint32_t data)
{
    return select == 1 || select == 7 ? 4 : select == 5 ? (uint64_t)(data >> 16) * 4 : select ? 8 : 0;
}

/* Whether a packet, executed, writes the awaited bytes. */
static bool writes(const struct scan *scan, uint32_t header, const uint32_t *body, uint32_t count)
{
    switch (header >> 8 & 0xFF) {
    case 0x10: /* release, flip with a label */
        if ((header >> 2 & 0x3F) == 0x18 && count >= 7)
            return hits(scan, et_pm4_address(body[2] & ~3u, body[3]), label_bytes(body[1] >> 29, body[4]));
        return !(header >> 2 & 0x3F) && count >= 4 && (body[0] & 0xFFFF0000) == 0x68750000 &&
               hits(scan, et_pm4_address(body[1], body[2]), 4);
    case 0x49:
        return count >= 6 &&
               hits(scan, et_pm4_address(body[2] & ~3u, body[3]), label_bytes(body[1] >> 29, body[4]));
    case 0x1E:
        return count >= 8 && hits(scan, et_pm4_address(body[1] & ~3u, body[2]), body[0] >> 5 & 1 ? 8 : 4);
    case 0x37:
        return count >= 4 && hits(scan, et_pm4_address(body[1] & ~3u, body[2]), (uint64_t)(count - 3) * 4);
    case 0x39:
        return count >= 3 && body[2] >> 29 == 6 && hits(scan, et_pm4_address(body[0] & ~7u, body[1]), 8);
    case 0x40:
        return count >= 5 && hits(scan, et_pm4_address(body[3] & ~3u, body[4]), body[0] >> 16 & 1 ? 8 : 4);
    case 0x45:
        return count >= 8 && hits(scan, et_pm4_address(body[5] & ~3u, body[6]), 4);
    case 0x47:
        return count >= 5 && hits(scan, et_pm4_address(body[1] & ~3u, body[2] & 0xFFFF),
                                  label_bytes(body[2] >> 29, body[3]));
    case 0x48:
        return count >= 4 && hits(scan, et_pm4_address(body[1] & ~3u, body[2] & 0xFFFF),
                                  label_bytes(body[2] >> 29 == 1 ? 5 : 1, body[3]));
    case 0x50:
        return count >= 6 && hits(scan, et_pm4_address(body[3], body[4]), body[5] & 0x03FFFFFF);
    case 0x83:
        return count >= 4 && hits(scan, et_pm4_address(body[2], body[3]), (uint64_t)(body[1] & 0x7FFF) * 4);
    default:
        return false;
    }
}

static const uint32_t *words_at(const struct scan *scan, const struct et_pm4_cursor *cursor, uint32_t dwords)
{
    if (cursor->host)
        return cursor->host + cursor->offset;
    const uint64_t address = cursor->address + (uint64_t)cursor->offset * 4;
    return et_pm4_read(&scan->pm4->memory, address, scan->buffer, (uint64_t)dwords * 4) ? scan->buffer : NULL;
}

static bool scan_buffer(struct scan *scan, struct et_pm4_cursor cursor, unsigned depth)
{
    while (cursor.offset < cursor.size && scan->budget--) {
        const uint32_t *packet = words_at(scan, &cursor, 1);
        const uint32_t header = packet ? *packet : 0, length = (header >> 16 & 0x3FFF) + 2;
        if (!packet)
            return false;
        if (header >> 30 == 2 || (header & 0xFFFFFF00) == 0xFFFF1000) {
            cursor.offset++;
            continue;
        }
        if (header >> 30 != 3 || length > cursor.size - cursor.offset)
            return false;
        packet = words_at(scan, &cursor, length);
        if (!packet)
            return false;
        if (writes(scan, header, packet + 1, length - 1))
            return true;
        if ((header >> 8 & 0xFF) == 0x3F && length == 4 && depth < scan->pm4->max_depth) {
            const struct et_pm4_cursor called = {.address = et_pm4_address(packet[1] & ~3u, packet[2]),
                                                 .size = packet[3] & 0xFFFFF};
            const bool chain = packet[3] >> 20 & 1;
            if (called.address && scan_buffer(scan, called, depth + 1))
                return true;
            if (chain)
                return false;
        }
        cursor.offset += length;
    }
    return false;
}

static bool queue_writes(struct scan *scan, const struct et_pm4_queue *queue)
{
    for (const struct et_pm4_submission *at = queue->front; at; at = at->next)
        for (unsigned stream = 0; stream < 2; stream++) {
            const struct et_pm4_execution *execution = &at->execution[stream];
            const struct et_pm4_cursor whole = {.host = at->address[stream] ? NULL : at->words[stream],
                                                .address = at->address[stream],
                                                .size = at->dwords[stream]};
            if (!at->started && whole.size && scan_buffer(scan, whole, 0))
                return true;
            for (unsigned i = 0; at->started && i < execution->depth; i++)
                if (scan_buffer(scan, execution->stack[i], i))
                    return true;
        }
    return false;
}

uint32_t et_pm4_find_writer(const struct etalon_pm4 *pm4, uint64_t address, uint32_t bytes, uint32_t except)
{
    struct scan scan = {.pm4 = pm4, .address = address, .end = address + bytes, .budget = 1 << 16};
    uint32_t found = ETALON_PM4_NO_QUEUE;
    scan.buffer = et_calloc(0x4002, sizeof *scan.buffer);
    for (uint32_t i = 0; scan.buffer && i < ETALON_PM4_QUEUES && found == ETALON_PM4_NO_QUEUE; i++) {
        const uint32_t queue = (except + 1 + i) % ETALON_PM4_QUEUES; /* the waiting queue itself comes last */
        if (!pm4->queue[queue].faulted && queue_writes(&scan, &pm4->queue[queue]))
            found = queue;
    }
    et_free(scan.buffer);
    return found;
}

/* The stream that a blocked queue is said to wait in: the draw stream unless it is complete. */
static const struct etalon_pm4_wait *wait_of(const struct et_pm4_submission *submission)
{
    return &submission->execution[submission->execution[0].complete ? 1 : 0].wait;
}

void et_pm4_report_waits(struct etalon_pm4 *pm4, struct etalon_pm4_report *report)
{
    uint32_t next[ETALON_PM4_QUEUES], seen[ETALON_PM4_QUEUES] = {0};
    report->waits = report->cycle = 0;
    for (uint32_t i = 0; i < ETALON_PM4_QUEUES; i++) {
        const struct et_pm4_submission *front = pm4->queue[i].front;
        next[i] = ETALON_PM4_NO_QUEUE;
        if (!front || !front->started || pm4->queue[i].faulted)
            continue;
        struct etalon_pm4_wait *wait = &report->wait[report->waits++];
        *wait = *wait_of(front);
        if (wait->kind == ETALON_PM4_WAIT_NONE) { /* not blocked: it has not been tried since it last moved */
            report->waits--;
            continue;
        }
        const bool wide = wait->at.header >> 8 == 0xC00793;
        const bool memory = wait->kind == ETALON_PM4_WAIT_MEMORY || wait->kind == ETALON_PM4_WAIT_SEMAPHORE ||
                            wait->kind == ETALON_PM4_WAIT_ATOMIC || wait->kind == ETALON_PM4_WAIT_PREDICATE;
        if (memory)
            wait->writer = et_pm4_find_writer(pm4, wait->address, wide ? 8 : 4, i);
        next[i] = wait->writer;
    }
    for (uint32_t i = 0; i < ETALON_PM4_QUEUES && !report->cycle; i++) {
        uint32_t at = i;
        while (at != ETALON_PM4_NO_QUEUE && !seen[at]) {
            seen[at] = i + 1;
            at = next[at];
        }
        if (at == ETALON_PM4_NO_QUEUE || seen[at] != i + 1)
            continue;
        uint32_t round = at;
        do {
            report->cycle_queue[report->cycle++] = round;
            round = next[round];
        } while (round != at);
    }
}
