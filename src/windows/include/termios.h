/* SPDX-License-Identifier: MIT */
/* Consoles have no modes that Luft would change. */
#ifndef LUFT_WINDOWS_TERMIOS_H
#define LUFT_WINDOWS_TERMIOS_H

enum { TCSANOW = 0 };

struct termios {
    unsigned c_iflag;
};

static inline int tcsetattr(int descriptor, int when, const struct termios *modes) {
    (void)descriptor, (void)when, (void)modes;
    return -1;
}

#endif
