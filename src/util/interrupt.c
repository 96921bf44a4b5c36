/* SPDX-License-Identifier: MIT */
/* The thread that waits for signals; see interrupt.h. */
#define _POSIX_C_SOURCE 200809L

#include "interrupt.h"

#include <unistd.h>

static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
enum { COUNT = sizeof numbers / sizeof numbers[0] };

static sigset_t set_of(unsigned handled) {
    sigset_t set;
    sigemptyset(&set);
    for (int i = 0; i < COUNT; i++) {
        if (handled >> i & 1) {
            sigaddset(&set, numbers[i]);
        }
    }
    return set;
}

/* The signals that are not ignored. */
static unsigned find_handled(void) {
    unsigned handled = 0;
    for (int i = 0; i < COUNT; i++) {
        struct sigaction action;
        if (sigaction(numbers[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN) {
            handled |= 1u << i;
        }
    }
    return handled;
}

static void *wait_for_signals(void *argument) {
    interrupt *watch = argument;
    const sigset_t set = set_of(watch->handled);
    for (int number; sigwait(&set, &number) == 0 && !atomic_load(&watch->over);) {
        watch->handle(watch->payload, number);
    }
    return NULL;
}

void interrupt_start(interrupt *watch, void (*handle)(void *payload, int number), void *payload) {
    watch->handle = handle;
    watch->payload = payload;
    watch->watching = false;
    watch->handled = find_handled();
    atomic_init(&watch->over, false);
    const sigset_t set = set_of(watch->handled);
    if (watch->handled != 0 && pthread_sigmask(SIG_BLOCK, &set, NULL) == 0) {
        watch->watching = pthread_create(&watch->watcher, NULL, wait_for_signals, watch) == 0;
        if (!watch->watching) {
            pthread_sigmask(SIG_UNBLOCK, &set, NULL);
        }
    }
}

void interrupt_stop(interrupt *watch) {
    if (!watch->watching) {
        return;
    }
    const sigset_t set = set_of(watch->handled);
    atomic_store(&watch->over, true);
    for (int i = 0; i < COUNT; i++) {
        if (watch->handled >> i & 1) {
            pthread_kill(watch->watcher, numbers[i]); /* wakes sigwait */
            break;
        }
    }
    pthread_join(watch->watcher, NULL);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    watch->watching = false;
}

bool interrupt_is_due(const interrupt *watch) {
    sigset_t waiting;
    bool found = atomic_load(&watch->over);
    sigemptyset(&waiting);
    sigpending(&waiting);
    for (int i = 0; i < COUNT; i++) {
        found |= watch->handled >> i & 1 && sigismember(&waiting, numbers[i]) == 1;
    }
    return found;
}

_Noreturn void interrupt_exit(int number, const char *path) {
    if (path) {
        unlink(path);
    }
    _exit(128 + number);
}
