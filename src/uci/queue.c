/* SPDX-License-Identifier: MIT */
/* Queued lines in one growing block of memory. */
#include "queue.h"

#include <assert.h>
#include <stdlib.h>

/* Makes room for so many bytes at the end: by moving the lines to the front where half of the block is free, else by growing. */
static bool reserve(uci_queue *queue, size_t needed) {
    const size_t used = queue->end - queue->begin;
    if (needed <= queue->room - queue->end) {
        return true;
    }
    if (used + needed <= queue->room && queue->begin >= queue->room / 2) {
        memmove(queue->bytes, queue->bytes + queue->begin, used);
        queue->begin = 0;
        queue->end = used;
        return true;
    }
    const size_t room = 2 * (queue->end + needed);
    char *bytes = realloc(queue->bytes, room);
    if (!bytes) {
        return false;
    }
    queue->bytes = bytes;
    queue->room = room;
    return true;
}

bool uci_queue_push(uci_queue *queue, uci_text line) {
    const size_t used = queue->end - queue->begin;
    if (line.length > UCI_QUEUE_MAX_BYTES || used + sizeof line.length + line.length > UCI_QUEUE_MAX_BYTES ||
        !reserve(queue, sizeof line.length + line.length)) {
        return false;
    }
    memcpy(queue->bytes + queue->end, &line.length, sizeof line.length);
    memcpy(queue->bytes + queue->end + sizeof line.length, line.text, line.length);
    queue->end += sizeof line.length + line.length;
    queue->count++;
    return true;
}

uci_text uci_queue_pop(uci_queue *queue, bool *stopped) {
    assert(queue->count > 0);
    uci_text line;
    memcpy(&line.length, queue->bytes + queue->begin, sizeof line.length);
    line.text = queue->bytes + queue->begin + sizeof line.length;
    queue->begin += sizeof line.length + line.length;
    *stopped = queue->stopped > 0;
    queue->stopped -= *stopped;
    if (--queue->count == 0) {
        queue->begin = queue->end = 0;
    }
    return line;
}

void uci_queue_stop(uci_queue *queue) {
    queue->stopped = queue->count;
}

void uci_queue_free(uci_queue *queue) {
    free(queue->bytes);
    *queue = (uci_queue){0};
}
