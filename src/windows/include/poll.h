/* SPDX-License-Identifier: MIT */
/* poll() of Windows: see src/windows/poll.c. */
#ifndef LUFT_WINDOWS_POLL_H
#define LUFT_WINDOWS_POLL_H

enum { POLLIN = 1, POLLERR = 8, POLLHUP = 16, POLLNVAL = 32 };

struct pollfd {
    int fd;
    short events, revents;
};

int poll(struct pollfd *files, unsigned long count, int milliseconds);

#endif
