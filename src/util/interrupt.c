/* SPDX-License-Identifier: MIT */
/*
 * A set of signals cannot be asked whether it is empty or what is in it, so each function
 * goes through the few that can be.
 */
#define _POSIX_C_SOURCE 200809L

#include "interrupt.h"

static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
enum { COUNT = sizeof numbers / sizeof numbers[0] };

bool signals_take(sigset_t *taken) {
    bool has_any = false;
    sigemptyset(taken);
    for (int i = 0; i < COUNT; i++) {
        struct sigaction action;
        if (sigaction(numbers[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN) {
            has_any |= sigaddset(taken, numbers[i]) == 0;
        }
    }
    return has_any && pthread_sigmask(SIG_BLOCK, taken, NULL) == 0;
}

void signals_give_back(const sigset_t *taken) {
    pthread_sigmask(SIG_UNBLOCK, taken, NULL);
}

bool signals_are_pending(const sigset_t *taken) {
    sigset_t waiting;
    bool found = false;
    sigemptyset(&waiting);
    sigpending(&waiting);
    for (int i = 0; i < COUNT; i++) {
        found |= sigismember(taken, numbers[i]) == 1 && sigismember(&waiting, numbers[i]) == 1;
    }
    return found;
}

void signals_wake(const sigset_t *taken, pthread_t thread) {
    for (int i = 0; i < COUNT; i++) {
        if (sigismember(taken, numbers[i]) == 1) {
            pthread_kill(thread, numbers[i]);
            return;
        }
    }
}
