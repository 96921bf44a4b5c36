/* SPDX-License-Identifier: MIT */
/* The monotonic clock of POSIX. */
#define _POSIX_C_SOURCE 200809L

#include "clock.h"

#include <time.h>

int64_t clock_microseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

double clock_seconds(void) {
    return (double)clock_microseconds() * 1e-6;
}

void clock_sleep_ms(int milliseconds) {
    const struct timespec pause = {.tv_sec = milliseconds / 1000, .tv_nsec = milliseconds % 1000 * 1000000L};
    nanosleep(&pause, NULL);
}
