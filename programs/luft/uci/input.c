/* SPDX-License-Identifier: MIT */
/*
 * Lines of standard input, read with read(2): stdio would wait until its buffer is
 * full, but a GUI waits for an answer to every line.
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

/* read(2) that waits: the client may have made the input non-blocking. */
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

/* Reads more bytes. Gives the line up if out of memory. False at the end of the input. */
static bool fill(uci_input *input) {
    assert(input->room >= FIRST_ROOM);
    if (input->used > 0) {
        memmove(input->bytes, input->bytes + input->used, input->filled - input->used);
        input->filled -= input->used;
        input->used = 0;
    }
    if (input->filled == input->room) {
        char *bytes = input->is_cut ? NULL : realloc(input->bytes, 2 * input->room);
        if (bytes) {
            input->bytes = bytes;
            input->room *= 2;
        } else {
            input->is_cut = true; /* the rest of the line overwrites its begin */
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
    size_t looked = 0; /* bytes without a line feed */
    input->is_cut = false;
    for (;;) {
        size_t rest = input->filled - input->used;
        const char *feed = rest > looked ? memchr(input->bytes + input->used + looked, '\n', rest - looked) : NULL;
        if (!feed && fill(input)) {
            looked = input->filled > rest ? rest : 0; /* none if the line was given up */
            continue;
        }
        rest = input->filled - input->used;
        if (!feed && rest == 0 && !input->is_cut) {
            return false;
        }
        const char *begin = input->bytes + input->used;
        *line = begin;
        *length = feed ? (size_t)(feed - begin) : rest;
        input->used += *length + (feed != NULL);
        if (*length > 0 && begin[*length - 1] == '\r') {
            --*length;
        }
        if (!input->has_begun && *length >= 3 && memcmp(begin, "\xef\xbb\xbf", 3) == 0) {
            *line += 3;
            *length -= 3;
        }
        input->has_begun = true;
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

void uci_input_free(uci_input *input) {
    free(input->bytes);
}
