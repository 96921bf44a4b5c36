/* SPDX-License-Identifier: MIT */
/*
 * Lines that wait until perft or bench has ended, first in, first out. The queue is bounded, so that a client that
 * does not wait cannot use up the memory.
 */
#ifndef LUFT_UCI_QUEUE_H
#define LUFT_UCI_QUEUE_H

#include "line.h"

enum { UCI_QUEUE_MAX_BYTES = 16 << 20 }; /* of all lines, with a few bytes for each */

/* Zeroed, it is empty. */
typedef struct uci_queue {
    char *bytes; /* each line behind its length */
    size_t begin, end, room;
    size_t count;   /* lines that wait */
    size_t stopped; /* of these, the first so many came before a `stop` */
} uci_queue;

/* Copies a line to the end. False if the queue is full or out of memory. */
bool uci_queue_push(uci_queue *queue, uci_text line);

/*
 * Removes the first line of a queue that is not empty; `stopped` if a `stop` came after it. The line is valid until the
 * next push.
 */
uci_text uci_queue_pop(uci_queue *queue, bool *stopped);

/* `stop` was received: it counts for all lines that wait. */
void uci_queue_stop(uci_queue *queue);

void uci_queue_free(uci_queue *queue);

#endif
