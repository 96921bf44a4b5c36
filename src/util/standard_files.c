/* SPDX-License-Identifier: MIT */
/* Prepares the standard files; see standard_files.h. */
#define _XOPEN_SOURCE 700

#include "standard_files.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

void standard_files_prepare(void) {
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    /* Another program may have left the output non-blocking: what it does not take at once would be lost. Programs that
     * share the output block now too, which loses nothing. */
    for (int number = STDOUT_FILENO; number <= STDERR_FILENO; number++) {
        const int flags = fcntl(number, F_GETFL);
        if (flags >= 0 && flags & O_NONBLOCK) {
            fcntl(number, F_SETFL, flags & ~O_NONBLOCK);
        }
    }
    for (int number = STDIN_FILENO; number <= STDERR_FILENO; number++) {
        if (fcntl(number, F_GETFD) < 0 && open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY) != number) {
            return; /* no /dev/null: nothing more can be done */
        }
    }
}
