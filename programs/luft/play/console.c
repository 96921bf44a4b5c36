/* SPDX-License-Identifier: MIT */
/*
 * A thread gets the signals (util/interrupt.h). It either stops the engine or writes a byte into a pipe, which poll()
 * waits for together with standard input.
 */
#define _POSIX_C_SOURCE 200809L

#include "console.h"

#include "util/clock.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

enum { READ_SIZE = 4096 };

/* --- Signals ----------------------------------------------------------------- */

/* Repeats the stop, so that it also reaches a search that is just about to start. */
static void stop_thinker(console *keys, luft_engine *engine, unsigned search) {
    while (atomic_load(&keys->thinker) == engine && atomic_load(&keys->searches) == search &&
           !interrupt_is_due(&keys->signals)) {
        luft_engine_stop(engine);
        clock_sleep_ms(20);
    }
}

static void on_signal(void *payload, int number) {
    console *keys = payload;
    const unsigned search = atomic_load(&keys->searches);
    luft_engine *engine = atomic_load(&keys->thinker);
    if (!engine || number != SIGINT) {
        const char event = number == SIGINT ? 'i' : 'h';
        while (write(keys->events[1], &event, 1) < 0 && errno == EINTR) {
        }
    }
    if (engine) {
        stop_thinker(keys, engine, search);
    }
}

static void start_watching(console *keys) {
    if (pipe(keys->events) != 0) {
        keys->events[0] = keys->events[1] = -1;
        return;
    }
    interrupt_start(&keys->signals, on_signal, keys);
}

static void stop_watching(console *keys) {
    interrupt_stop(&keys->signals);
    for (int i = 0; i < 2; i++) {
        if (keys->events[i] >= 0) {
            close(keys->events[i]);
        }
    }
}

void console_set_thinker(console *keys, luft_engine *engine) {
    atomic_fetch_add(&keys->searches, 1);
    atomic_store(&keys->thinker, engine);
}

/* --- Lines ------------------------------------------------------------------- */

/* A terminal that does not know that its text is UTF-8 would erase a figurine byte by byte. */
static void let_erase_whole_characters(console *keys) {
#ifdef IUTF8
    struct termios modes;
    if (tcgetattr(STDIN_FILENO, &modes) == 0 && !(modes.c_iflag & IUTF8)) {
        keys->modes = modes;
        modes.c_iflag |= IUTF8;
        keys->changed_modes = tcsetattr(STDIN_FILENO, TCSANOW, &modes) == 0;
    }
#else
    (void)keys;
#endif
}

void console_open(console *keys, bool is_utf8) {
    *keys = (console){.is_terminal = isatty(STDIN_FILENO)};
    if (keys->is_terminal && is_utf8) {
        let_erase_whole_characters(keys);
    }
    start_watching(keys);
}

void console_close(console *keys) {
    stop_watching(keys);
    if (keys->changed_modes) {
        tcsetattr(STDIN_FILENO, TCSANOW, &keys->modes);
    }
    buffer_free(&keys->typed);
}

/* Returns the line of the next `rest` bytes, its line feed included if it has one. */
static void take_line(console *keys, size_t rest, bool has_feed, const char **line, size_t *length) {
    *line = keys->typed.data + keys->used;
    *length = rest - has_feed;
    keys->used += rest;
    keys->scanned = 0;
    if (*length > 0 && (*line)[*length - 1] == '\r') {
        --*length;
    }
    if (!keys->begun && *length >= 3 && memcmp(*line, "\xef\xbb\xbf", 3) == 0) {
        *line += 3;
        *length -= 3;
    }
    keys->begun = true;
}

static bool next_line(console *keys, const char **line, size_t *length) {
    const size_t rest = keys->typed.length - keys->used;
    if (rest == 0) {
        return false;
    }
    const char *begin = keys->typed.data + keys->used;
    const char *feed = memchr(begin + keys->scanned, '\n', rest - keys->scanned);
    if (feed) {
        take_line(keys, (size_t)(feed - begin) + 1, true, line, length);
        return true;
    }
    keys->scanned = rest;
    if (keys->ended) {
        take_line(keys, rest, false, line, length);
        return true;
    }
    return false;
}

static void fill(console *keys) {
    buffer_remove_front(&keys->typed, keys->used);
    keys->used = 0;
    char *room = buffer_reserve(&keys->typed, READ_SIZE);
    if (!room) {
        keys->ended = true; /* the missing rest of the line may change its meaning: ignore all of it */
        keys->typed.length = keys->scanned = 0;
        return;
    }
    const ssize_t count = read(STDIN_FILENO, room, READ_SIZE);
    if (count > 0) {
        keys->typed.length += (size_t)count;
    } else if (count == 0 || (errno != EINTR && errno != EAGAIN)) { /* another process may have read it: poll again */
        keys->ended = true;
    }
}

static console_event take_event(console *keys) {
    char event = 'i';
    keys->hung_up |= read(keys->events[0], &event, 1) == 1 && event == 'h';
    return keys->hung_up ? CONSOLE_HANGUP : CONSOLE_INTERRUPT;
}

/* How long poll() may wait, in milliseconds. */
static int poll_time(int64_t deadline) {
    const int64_t left = (deadline - clock_microseconds() + 999) / 1000;
    return left <= 0 ? 0 : left < 3600000 ? (int)left : 3600000;
}

console_event console_read(console *keys, int64_t timeout_ms, const char **line, size_t *length) {
    const bool has_deadline = timeout_ms >= 0;
    const int64_t deadline = clock_microseconds() + timeout_ms * 1000;
    for (;;) {
        struct pollfd files[2] = {{.fd = keys->events[0], .events = POLLIN}, {.fd = STDIN_FILENO, .events = POLLIN}};
        const bool has_line = !keys->hung_up && next_line(keys, line, length);
        if (has_line || keys->hung_up || keys->ended) {
            return has_line ? CONSOLE_LINE : keys->hung_up ? CONSOLE_HANGUP : CONSOLE_END;
        }
        const int ready = poll(files, 2, has_deadline ? poll_time(deadline) : -1);
        if (ready > 0 && files[0].revents) {
            return take_event(keys);
        }
        if (ready > 0) {
            fill(keys);
        } else if (ready < 0 && errno != EINTR) {
            keys->ended = true;
        } else if (has_deadline && clock_microseconds() >= deadline) {
            return CONSOLE_TIMEOUT;
        }
    }
}
