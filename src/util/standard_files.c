/* SPDX-License-Identifier: MIT */
/* Fills the places of standard files that are closed, and lets writing wait. */
#define _POSIX_C_SOURCE 200809L

#include "standard_files.h"

#include <fcntl.h>
#include <unistd.h>

void keep_standard_files(void) {
    /*
     * Where another program has left the output non-blocking, what it does not take at once would be lost. Whoever
     * shares the output waits now too: that is the lesser evil.
     */
    for (int number = STDOUT_FILENO; number <= STDERR_FILENO; number++) {
        const int flags = fcntl(number, F_GETFL);
        if (flags >= 0 && flags & O_NONBLOCK) {
            fcntl(number, F_SETFL, flags & ~O_NONBLOCK);
        }
    }
    for (int number = STDIN_FILENO; number <= STDERR_FILENO; number++) {
        if (fcntl(number, F_GETFD) < 0 && open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY) != number) {
            return; /* no /dev/null here: nothing more can be done */
        }
    }
}
