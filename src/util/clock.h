/* SPDX-License-Identifier: MIT */
/* The clock of the programs: monotonic, so only differences between two readings mean anything. */
#ifndef LUFT_UTIL_CLOCK_H
#define LUFT_UTIL_CLOCK_H

#include <stdint.h>

double clock_seconds(void);
int64_t clock_microseconds(void);

/* Suspends the calling thread for at least so long. */
void clock_sleep_ms(int milliseconds);

#endif
