/* SPDX-License-Identifier: MIT */
/* What the files of this folder share. */
#ifndef LUFT_WINDOWS_WIDE_H
#define LUFT_WINDOWS_WIDE_H

#include <wchar.h>

/* A UTF-8 text as UTF-16, to be freed; NULL with errno set. */
wchar_t *wide_from_utf8(const char *text);

/* The opposite. */
char *wide_to_utf8(const wchar_t *text);

/* Sets errno from the last error of Windows and returns -1. */
int wide_fail(void);

#endif
