/* SPDX-License-Identifier: MIT */
/*
 * The part of util/interrupt.h on Windows, in place of util/interrupt.c. There are no signals; the console reports ^C,
 * ^Break and its end by calling a function in a thread of the system. That function only counts; the watcher calls the
 * handler, one event at a time.
 */
#include "util/interrupt.h"

#include <windows.h>

enum { CLOSE_WAIT_MS = 5000 }; /* the system ends the program soon after */

/* The system calls without a payload, so its events are global. */
static struct {
    atomic_int interrupts, ends;
    HANDLE happened;
} console;

static BOOL WINAPI on_console_event(DWORD event) {
    const bool is_interrupt = event == CTRL_C_EVENT || event == CTRL_BREAK_EVENT;
    atomic_fetch_add(is_interrupt ? &console.interrupts : &console.ends, 1);
    SetEvent(console.happened);
    if (!is_interrupt) {
        Sleep(CLOSE_WAIT_MS);
    }
    return TRUE;
}

static int take_event(void) {
    if (atomic_exchange(&console.ends, 0) > 0) {
        return SIGHUP;
    }
    return atomic_exchange(&console.interrupts, 0) > 0 ? SIGINT : 0;
}

static void *wait_for_events(void *argument) {
    interrupt *watch = argument;
    while (!atomic_load(&watch->over)) {
        const int number = take_event();
        if (number != 0) {
            watch->handle(watch->payload, number);
        } else {
            WaitForSingleObject(console.happened, INFINITE);
        }
    }
    return NULL;
}

void interrupt_start(interrupt *watch, void (*handle)(void *payload, int number), void *payload) {
    *watch = (interrupt){.handle = handle, .payload = payload};
    atomic_init(&watch->over, false);
    console.happened = console.happened ? console.happened : CreateEventW(NULL, FALSE, FALSE, NULL);
    take_event();
    if (console.happened && SetConsoleCtrlHandler(on_console_event, TRUE)) {
        watch->watching = pthread_create(&watch->watcher, NULL, wait_for_events, watch) == 0;
        if (!watch->watching) {
            SetConsoleCtrlHandler(on_console_event, FALSE);
        }
    }
}

void interrupt_stop(interrupt *watch) {
    if (watch->watching) {
        atomic_store(&watch->over, true);
        SetEvent(console.happened);
        pthread_join(watch->watcher, NULL);
        SetConsoleCtrlHandler(on_console_event, FALSE);
        watch->watching = false;
    }
}

bool interrupt_is_due(const interrupt *watch) {
    return atomic_load(&watch->over) || atomic_load(&console.interrupts) > 0 || atomic_load(&console.ends) > 0;
}

_Noreturn void interrupt_exit(int number, const char *path) {
    if (path) {
        unlink(path);
    }
    _exit(128 + number);
}
