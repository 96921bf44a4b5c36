/* SPDX-License-Identifier: MIT */
/* Fills the places of standard files that are closed. */
#define _POSIX_C_SOURCE 200809L

#include "standard_files.h"

#include <fcntl.h>
#include <unistd.h>

void keep_standard_files(void) {
    for (int number = STDIN_FILENO; number <= STDERR_FILENO; number++) {
        if (fcntl(number, F_GETFD) < 0 && open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY) != number) {
            return; /* no /dev/null here: nothing more can be done */
        }
    }
}
