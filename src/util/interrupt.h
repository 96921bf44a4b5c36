/* SPDX-License-Identifier: MIT */
/*
 * The signals by which people and the system end a program (^C, SIGTERM, SIGHUP), for a thread
 * that waits for them: then nothing happens in a signal handler and no global is needed. The
 * caller creates that thread after signals_take, and it calls sigwait.
 */
#ifndef LUFT_UTIL_INTERRUPT_H
#define LUFT_UTIL_INTERRUPT_H

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>

/*
 * Blocks the signals in the calling thread and all that it starts. Those that whoever started the program chose to
 * ignore, as nohup does, stay ignored; false if that is all of them.
 */
bool signals_take(sigset_t *taken);
void signals_give_back(const sigset_t *taken);

/* Does one of them wait for the calling thread? */
bool signals_are_pending(const sigset_t *taken);

/* Wakes a thread that waits for them. */
void signals_wake(const sigset_t *taken, pthread_t thread);

#endif
