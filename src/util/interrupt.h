/* SPDX-License-Identifier: MIT */
/*
 * The signals that ask a program to end: SIGINT (^C), SIGTERM and SIGHUP.
 *
 * A thread of its own waits for them and calls a handler. So the handler is ordinary code, not code in a signal
 * handler, and no global variable is needed. Signals that the parent chose to ignore, as nohup does, stay ignored.
 */
#ifndef LUFT_UTIL_INTERRUPT_H
#define LUFT_UTIL_INTERRUPT_H

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>

typedef struct interrupt {
    /* Private: */
    void (*handle)(void *payload, int number);
    void *payload;
    unsigned handled; /* a bit for each of the three signals: it is not ignored */
    pthread_t watcher;
    bool watching;
    atomic_bool over; /* the watcher is to end */
} interrupt;

/*
 * From here to interrupt_stop, calls `handle` with each signal. Blocks the signals in the calling thread and in all
 * that it starts later: call it before other threads are started. If the system refuses, signals keep their effect.
 */
void interrupt_start(interrupt *watch, void (*handle)(void *payload, int number), void *payload);

/* Fine after a start that failed, and with all zeros. */
void interrupt_stop(interrupt *watch);

/* For a handler that repeats its work: another signal waits, or interrupt_stop waits for the handler to return. */
bool interrupt_is_due(const interrupt *watch);

/* Ends the program as a shell expects after this signal, without its exit handlers; first removes `path` if not NULL. */
_Noreturn void interrupt_exit(int number, const char *path);

#endif
