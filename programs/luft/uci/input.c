/* SPDX-License-Identifier: MIT */
/*
 * Lines of standard input, read with read(2): stdio would wait until its buffer is
 * full, but a GUI waits for an answer to every line.
 */
#define _POSIX_C_SOURCE 200809L

#include "input.h"

#include "util/clock.h"

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FIRST_ROOM = 65536, ERRORS = POLLERR | POLLHUP | POLLNVAL };

typedef enum input_event { NOTHING, INPUT, NOBODY_READS } input_event;

/* Waits for input, or until nobody can read the answers; at most so long, -1 for any time. */
static input_event wait_for_event(const uci_input *input, int milliseconds) {
    struct pollfd files[] = {{.fd = STDIN_FILENO, .events = POLLIN}, {.fd = STDOUT_FILENO}, {.fd = input->lost_output}};
    const int count = poll(files, 3, milliseconds);
    if (count == 0 || (count < 0 && errno == EINTR)) {
        return NOTHING;
    }
    return files[1].revents & ERRORS || files[2].revents & ERRORS ? NOBODY_READS : INPUT;
}

/* read(2) that waits: the client may have made the input non-blocking. 0 at the end, and if nobody reads the answers. */
static ssize_t read_some(const uci_input *input, char *bytes, size_t room) {
    for (;;) {
        const input_event event = wait_for_event(input, -1);
        const ssize_t count = event == INPUT ? read(STDIN_FILENO, bytes, room) : 0;
        if (event == NOBODY_READS || (event == INPUT && (count >= 0 || (errno != EINTR && errno != EAGAIN)))) {
            return count;
        }
    }
}

bool uci_input_begin(uci_input *input, int lost_output) {
    *input = (uci_input){.bytes = malloc(FIRST_ROOM), .room = FIRST_ROOM, .lost_output = lost_output};
    return input->bytes != NULL;
}

/* Reads more bytes. Drops the line if out of memory. False at the end of the input. */
static bool fill(uci_input *input) {
    assert(input->room >= FIRST_ROOM);
    if (input->has_ended) {
        return false;
    }
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
            input->is_cut = true; /* the rest of the line overwrites its beginning */
            input->filled = 0;
        }
    }
    const ssize_t count = read_some(input, input->bytes + input->filled, input->room - input->filled);
    input->has_ended = count <= 0;
    input->filled += count > 0 ? (size_t)count : 0;
    return !input->has_ended;
}

bool uci_input_next(uci_input *input, const char **line, size_t *length) {
    size_t looked = 0; /* bytes without a line feed */
    input->is_cut = false;
    for (;;) {
        size_t rest = input->filled - input->used;
        const char *feed = rest > looked ? memchr(input->bytes + input->used + looked, '\n', rest - looked) : NULL;
        if (!feed && fill(input)) {
            looked = input->filled > rest ? rest : 0; /* none if the line was dropped */
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
    return input->filled > input->used || wait_for_event(input, milliseconds) != NOTHING;
}

bool uci_input_ends(uci_input *input, int milliseconds) {
    enum { REST_MAX = 1024 };
    const int64_t end = clock_microseconds() + (int64_t)milliseconds * 1000;
    for (int64_t left = milliseconds; !input->has_ended && left >= 0 && input->filled - input->used < REST_MAX;) {
        if (wait_for_event(input, (int)left) != NOTHING) {
            fill(input);
        }
        left = (end - clock_microseconds()) / 1000;
    }
    return input->has_ended;
}

void uci_input_free(uci_input *input) {
    free(input->bytes);
}
