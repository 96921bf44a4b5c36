/* SPDX-License-Identifier: MIT */
/*
 * What a person does at the keyboard: lines of any length, ^C, the end of the input,
 * and the wish of the system that the program ends. All of it comes in by one
 * function, which can also be told to wait no longer than a clock allows.
 */
#ifndef LUFT_PROGRAM_PLAY_CONSOLE_H
#define LUFT_PROGRAM_PLAY_CONSOLE_H

#include "util/buffer.h"
#include "util/interrupt.h"

#include "engine/engine.h"

#include <termios.h>

typedef enum console_event {
    CONSOLE_LINE,
    CONSOLE_END,       /* of the input */
    CONSOLE_INTERRUPT, /* ^C */
    CONSOLE_HANGUP,    /* the system asks the program to end: SIGTERM, SIGHUP */
    CONSOLE_TIMEOUT
} console_event;

#define CONSOLE_FOREVER ((int64_t)-1)

typedef struct console {
    bool is_terminal; /* standard input is one */
    /* Private: */
    bytes buffer;
    size_t used;   /* bytes of the lines already taken */
    size_t looked; /* bytes after those that hold no line feed */
    bool begun;    /* a byte order mark was looked for */
    bool ended;
    bool hung_up;
    int events[2]; /* a pipe from the watcher; -1 for none */
    pthread_t watcher;
    bool watching;
    sigset_t signals; /* those that the watcher waits for */
    atomic_bool over; /* the watcher is to end */
    _Atomic(luft_engine *) thinker;
    atomic_uint searches; /* tells one search of the thinker from the next */
    struct termios modes; /* to restore; only where `changed_modes` */
    bool changed_modes;
} console;

/* What console_close may be given too. */
#define CONSOLE_CLOSED ((console){.events = {-1, -1}})

/*
 * Takes over ^C until console_close. Threads that are started before it would still get the signal, so create engines
 * after it. If the system refuses, there are lines all the same and ^C does what it always does.
 */
void console_open(console *keys, bool is_utf8);
void console_close(console *keys);

/* Waits for the next event; the line, without its end, holds until the next call. A negative time is for ever. */
console_event console_read(console *keys, int64_t timeout_ms, const char **line, size_t *length);

/* Before `engine` thinks: ^C makes it move at once and is no event. NULL when it has finished. */
void console_set_thinker(console *keys, luft_engine *engine);

#endif
