/* SPDX-License-Identifier: MIT */
/* Conversion between UTF-8 and UTF-16, and of error codes. */
#include "wide.h"

#include <errno.h>
#include <string.h>
#include <windows.h>

wchar_t *wide_from_utf8(const char *text) {
    const int length = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text, -1, NULL, 0);
    wchar_t *wide = length > 0 ? malloc((size_t)length * sizeof *wide) : NULL;
    if (!wide) {
        errno = length > 0 ? ENOMEM : EILSEQ;
        return NULL;
    }
    MultiByteToWideChar(CP_UTF8, 0, text, -1, wide, length);
    return wide;
}

char *wide_to_utf8(const wchar_t *text) {
    const int length = WideCharToMultiByte(CP_UTF8, 0, text, -1, NULL, 0, NULL, NULL);
    char *bytes = length > 0 ? malloc((size_t)length) : NULL;
    if (!bytes) {
        errno = length > 0 ? ENOMEM : EILSEQ;
        return NULL;
    }
    WideCharToMultiByte(CP_UTF8, 0, text, -1, bytes, length, NULL, NULL);
    return bytes;
}

char *posix_strndup(const char *text, size_t length) {
    const char *end = memchr(text, '\0', length);
    const size_t size = end ? (size_t)(end - text) : length;
    char *copy = malloc(size + 1);
    if (copy) {
        memcpy(copy, text, size);
        copy[size] = '\0';
    }
    return copy;
}

int wide_fail(void) {
    switch (GetLastError()) {
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND:
    case ERROR_INVALID_NAME:
    case ERROR_BAD_PATHNAME: errno = ENOENT; break;
    case ERROR_FILE_EXISTS:
    case ERROR_ALREADY_EXISTS: errno = EEXIST; break;
    case ERROR_ACCESS_DENIED:
    case ERROR_SHARING_VIOLATION:
    case ERROR_LOCK_VIOLATION:
    case ERROR_WRITE_PROTECT: errno = EACCES; break;
    case ERROR_DISK_FULL:
    case ERROR_HANDLE_DISK_FULL: errno = ENOSPC; break;
    case ERROR_NOT_ENOUGH_MEMORY:
    case ERROR_OUTOFMEMORY: errno = ENOMEM; break;
    case ERROR_FILENAME_EXCED_RANGE: errno = ENAMETOOLONG; break;
    default: errno = EIO; break;
    }
    return -1;
}
