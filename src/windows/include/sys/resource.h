/* SPDX-License-Identifier: MIT */
/* How many files a program may have open: the limit of the C library of Windows. */
#ifndef LUFT_WINDOWS_RESOURCE_H
#define LUFT_WINDOWS_RESOURCE_H

enum { RLIMIT_NOFILE = 7 };
typedef unsigned long long rlim_t;
#define RLIM_INFINITY (~(rlim_t)0)

struct rlimit {
    rlim_t rlim_cur, rlim_max;
};

static inline int getrlimit(int resource, struct rlimit *limit) {
    enum { FILES_MAX = 2048 };
    (void)resource;
    *limit = (struct rlimit){FILES_MAX, FILES_MAX};
    return 0;
}

#endif
