/* SPDX-License-Identifier: MIT */
/*
 * The keyboard of a game: lines of any length, ^C, the end of the input, and signals to end the program. One function
 * returns them all, as events, and can wait no longer than a clock allows.
 */
#ifndef LUFT_PROGRAM_PLAY_CONSOLE_H
#define LUFT_PROGRAM_PLAY_CONSOLE_H

#include "util/buffer.h"
#include "util/interrupt.h"

#include "luft/engine.h"

#include <termios.h>

typedef enum console_event {
    CONSOLE_LINE,
    CONSOLE_END,       /* of the input */
    CONSOLE_INTERRUPT, /* ^C */
    CONSOLE_HANGUP,    /* the program is to end: SIGTERM, SIGHUP */
    CONSOLE_TIMEOUT
} console_event;

#define CONSOLE_FOREVER ((int64_t)-1)

typedef struct console {
    bool is_terminal; /* standard input is one */
    /* Private: */
    buffer typed;
    size_t used;    /* bytes of the lines already returned */
    size_t scanned; /* bytes after those that hold no line feed */
    bool begun;     /* a byte order mark was looked for */
    bool ended;
    bool hung_up;
    int events[2]; /* a pipe from the thread that gets the signals; -1 for none */
    interrupt signals;
    _Atomic(luft_engine *) thinker;
    atomic_uint searches; /* counts the searches of the thinker */
    struct termios modes; /* to restore; only where `changed_modes` */
    bool changed_modes;
} console;

/* A console for which console_close does nothing. */
#define CONSOLE_CLOSED ((console){.events = {-1, -1}})

/*
 * Handles ^C until console_close. Create engines after it: threads started before would still get the signal. If the
 * system refuses, lines are read all the same and ^C ends the program.
 */
void console_open(console *keys, bool is_utf8);
void console_close(console *keys);

/* Waits for the next event; the line, without its end, is valid until the next call. A negative time means for ever. */
console_event console_read(console *keys, int64_t timeout_ms, const char **line, size_t *length);

/* Call before `engine` searches: ^C then makes it move at once and is not an event. NULL after the search. */
void console_set_thinker(console *keys, luft_engine *engine);

#endif
