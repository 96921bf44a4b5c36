/* SPDX-License-Identifier: MIT */
/*
 * Lines of standard input, read with read(2): stdio would keep back what has come
 * until its buffer is full, and a GUI waits for an answer to every line.
 */
#define _POSIX_C_SOURCE 200809L

#include "input.h"

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FIRST_ROOM = 65536 };

/* read(2) that waits: the other side may have left the input non-blocking. */
static ssize_t read_some(char *bytes, size_t room) {
    for (;;) {
        const ssize_t count = read(STDIN_FILENO, bytes, room);
        if (count >= 0 || (errno != EINTR && errno != EAGAIN)) {
            return count;
        }
        if (errno != EINTR) {
            struct pollfd file = {.fd = STDIN_FILENO, .events = POLLIN};
            poll(&file, 1, -1);
        }
    }
}

bool uci_input_begin(uci_input *input) {
    *input = (uci_input){.bytes = malloc(FIRST_ROOM), .room = FIRST_ROOM};
    return input->bytes != NULL;
}

/* More bytes behind those that are there. Without memory for them the line is given up. False at the end of the input. */
static bool fill(uci_input *input) {
    assert(input->room >= FIRST_ROOM);
    if (input->used > 0) {
        memmove(input->bytes, input->bytes + input->used, input->filled - input->used);
        input->filled -= input->used;
        input->used = 0;
    }
    if (input->filled == input->room) {
        char *bytes = input->cut ? NULL : realloc(input->bytes, 2 * input->room);
        if (bytes) {
            input->bytes = bytes;
            input->room *= 2;
        } else {
            input->cut = true; /* what is there of it makes room for the rest, up to its end */
            input->filled = 0;
        }
    }
    const ssize_t count = read_some(input->bytes + input->filled, input->room - input->filled);
    if (count <= 0) {
        return false;
    }
    input->filled += (size_t)count;
    return true;
}

bool uci_input_next(uci_input *input, const char **line, size_t *length) {
    size_t looked = 0; /* bytes known to hold no line feed */
    input->cut = false;
    for (;;) {
        size_t rest = input->filled - input->used;
        const char *feed = rest > looked ? memchr(input->bytes + input->used + looked, '\n', rest - looked) : NULL;
        if (!feed && fill(input)) {
            looked = input->filled > rest ? rest : 0; /* none if the line was given up */
            continue;
        }
        rest = input->filled - input->used;
        if (!feed && rest == 0 && !input->cut) {
            return false;
        }
        const char *begin = input->bytes + input->used;
        input->last = input->used;
        *line = begin;
        *length = feed ? (size_t)(feed - begin) : rest;
        input->used += *length + (feed != NULL);
        if (*length > 0 && begin[*length - 1] == '\r') {
            --*length;
        }
        if (!input->begun && *length >= 3 && memcmp(begin, "\xef\xbb\xbf", 3) == 0) {
            *line += 3;
            *length -= 3;
        }
        input->begun = true;
        return true;
    }
}

bool uci_input_is_ready(const uci_input *input, int milliseconds) {
    if (input->filled > input->used) {
        return true;
    }
    struct pollfd file = {.fd = STDIN_FILENO, .events = POLLIN};
    return poll(&file, 1, milliseconds) > 0;
}

bool uci_input_ends(uci_input *input, int milliseconds) {
    return input->filled == input->used && uci_input_is_ready(input, milliseconds) && !fill(input);
}

bool uci_input_postpone(uci_input *input, const char *line, size_t length) {
    const size_t needed = input->postponed_end + length + 1;
    if (needed > input->postponed_room) {
        char *bytes = realloc(input->postponed, 2 * needed);
        if (!bytes) {
            return false;
        }
        input->postponed = bytes;
        input->postponed_room = 2 * needed;
    }
    memcpy(input->postponed + input->postponed_end, line, length);
    input->postponed[needed - 1] = '\n';
    input->postponed_end = needed;
    return true;
}

void uci_input_put_back(uci_input *input) {
    input->used = input->last;
}

bool uci_input_has_postponed(const uci_input *input) {
    return input->postponed_begin < input->postponed_end;
}

void uci_input_take_postponed(uci_input *input, const char **line, size_t *length) {
    *line = input->postponed + input->postponed_begin;
    *length = (size_t)((const char *)memchr(*line, '\n', input->postponed_end - input->postponed_begin) - *line);
    input->postponed_begin += *length + 1;
    if (!uci_input_has_postponed(input)) {
        input->postponed_begin = input->postponed_end = 0;
    }
}

void uci_input_free(uci_input *input) {
    free(input->bytes);
    free(input->postponed);
}
