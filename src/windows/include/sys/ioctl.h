/* SPDX-License-Identifier: MIT */
/* The size of the console. */
#ifndef LUFT_WINDOWS_IOCTL_H
#define LUFT_WINDOWS_IOCTL_H

enum { TIOCGWINSZ = 1 };

struct winsize {
    unsigned short ws_row, ws_col;
};

int ioctl(int descriptor, int request, struct winsize *size);

#endif
