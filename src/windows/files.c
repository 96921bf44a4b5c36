/* SPDX-License-Identifier: MIT */
/*
 * Files and folders with names in UTF-8. Every file is opened so that it can be renamed and removed meanwhile, as on
 * other systems: atomic replacement and temporary files depend on it.
 */
#include "wide.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <windows.h>

/* --- Opening ------------------------------------------------------------------------ */

static DWORD access_of(int flags) {
    const int mode = flags & (_O_RDONLY | _O_WRONLY | _O_RDWR);
    return mode == _O_WRONLY ? GENERIC_WRITE : mode == _O_RDWR ? GENERIC_READ | GENERIC_WRITE : GENERIC_READ;
}

static DWORD disposition_of(int flags) {
    if (flags & _O_CREAT) {
        return flags & _O_EXCL ? CREATE_NEW : flags & _O_TRUNC ? CREATE_ALWAYS : OPEN_ALWAYS;
    }
    return flags & _O_TRUNC ? TRUNCATE_EXISTING : OPEN_EXISTING;
}

int posix_open(const char *path, int flags, ...) {
    wchar_t *wide = wide_from_utf8(path);
    if (!wide) {
        return -1;
    }
    const DWORD share = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
    const HANDLE file =
        CreateFileW(wide, access_of(flags), share, NULL, disposition_of(flags), FILE_ATTRIBUTE_NORMAL, NULL);
    free(wide);
    if (file == INVALID_HANDLE_VALUE) {
        return wide_fail();
    }
    const int descriptor = _open_osfhandle((intptr_t)file, (flags & (_O_APPEND | _O_NOINHERIT)) | _O_BINARY);
    if (descriptor < 0) {
        CloseHandle(file);
    }
    return descriptor;
}

FILE *posix_fopen(const char *path, const char *mode) {
    const bool both = strchr(mode, '+') != NULL;
    const int flags = mode[0] == 'r'   ? (both ? _O_RDWR : _O_RDONLY)
                      : mode[0] == 'w' ? (both ? _O_RDWR : _O_WRONLY) | _O_CREAT | _O_TRUNC
                                       : (both ? _O_RDWR : _O_WRONLY) | _O_CREAT | _O_APPEND;
    const int descriptor = posix_open(path, flags | _O_NOINHERIT);
    FILE *stream = descriptor >= 0 ? _fdopen(descriptor, mode) : NULL;
    if (descriptor >= 0 && !stream) {
        _close(descriptor);
    }
    return stream;
}

/* --- Questions ---------------------------------------------------------------------- */

static void set_identity(struct posix_stat *about, HANDLE file) {
    BY_HANDLE_FILE_INFORMATION info;
    if (GetFileInformationByHandle(file, &info)) {
        about->st_dev = info.dwVolumeSerialNumber;
        about->st_ino = (uint64_t)info.nFileIndexHigh << 32 | info.nFileIndexLow;
    }
}

int posix_fstat(int descriptor, struct posix_stat *about) {
    struct _stat64 found;
    const int result = _fstat64(descriptor, &found);
    if (result == 0) {
        *about = (struct posix_stat){.st_size = found.st_size, .st_mode = found.st_mode};
        set_identity(about, (HANDLE)_get_osfhandle(descriptor));
    }
    return result;
}

int posix_stat(const char *path, struct posix_stat *about) {
    wchar_t *wide = wide_from_utf8(path);
    struct _stat64 found;
    const int result = wide ? _wstat64(wide, &found) : -1;
    if (result == 0) {
        *about = (struct posix_stat){.st_size = found.st_size, .st_mode = found.st_mode};
        const HANDLE file = CreateFileW(wide, 0, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
                                        OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL);
        if (file != INVALID_HANDLE_VALUE) {
            set_identity(about, file);
            CloseHandle(file);
        }
    }
    free(wide);
    return result;
}

int posix_access(const char *path, int mode) {
    wchar_t *wide = wide_from_utf8(path);
    const int result = wide ? _waccess(wide, mode) : -1;
    free(wide);
    return result;
}

/* --- Changing ----------------------------------------------------------------------- */

int posix_rename(const char *from, const char *to) {
    wchar_t *wide_from = wide_from_utf8(from), *wide_to = wide_from_utf8(to);
    int result = -1;
    if (wide_from && wide_to) {
        result = MoveFileExW(wide_from, wide_to, MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH) ? 0 : wide_fail();
    }
    free(wide_from);
    free(wide_to);
    return result;
}

int posix_unlink(const char *path) {
    wchar_t *wide = wide_from_utf8(path);
    const int result = wide ? (DeleteFileW(wide) ? 0 : wide_fail()) : -1;
    free(wide);
    return result;
}

int posix_mkdir(const char *path) {
    wchar_t *wide = wide_from_utf8(path);
    const int result = wide ? (CreateDirectoryW(wide, NULL) ? 0 : wide_fail()) : -1;
    free(wide);
    return result;
}

int posix_fsync(int descriptor) {
    return _commit(descriptor);
}

ssize_t posix_pread(int descriptor, void *bytes, size_t size, off_t offset) {
    OVERLAPPED place = {.Offset = (DWORD)offset, .OffsetHigh = (DWORD)((uint64_t)offset >> 32)};
    DWORD count = 0;
    const DWORD wanted = size > INT32_MAX ? INT32_MAX : (DWORD)size;
    if (!ReadFile((HANDLE)_get_osfhandle(descriptor), bytes, wanted, &count, &place)) {
        return GetLastError() == ERROR_HANDLE_EOF ? 0 : wide_fail();
    }
    return (ssize_t)count;
}

ssize_t posix_pwrite(int descriptor, const void *bytes, size_t size, off_t offset) {
    OVERLAPPED place = {.Offset = (DWORD)offset, .OffsetHigh = (DWORD)((uint64_t)offset >> 32)};
    DWORD count = 0;
    const DWORD wanted = size > INT32_MAX ? INT32_MAX : (DWORD)size;
    const bool good = WriteFile((HANDLE)_get_osfhandle(descriptor), bytes, wanted, &count, &place);
    return good ? (ssize_t)count : wide_fail();
}

int posix_pipe(int descriptors[2]) {
    return _pipe(descriptors, 4096, _O_BINARY | _O_NOINHERIT);
}

int posix_lock(int descriptor) {
    OVERLAPPED place = {0};
    const HANDLE file = (HANDLE)_get_osfhandle(descriptor);
    /* One byte far beyond the end: a lock of the text itself would keep this program from reading it, too. */
    place.OffsetHigh = INT32_MAX;
    return LockFileEx(file, LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &place) ? 0 : wide_fail();
}

/* --- Folders ------------------------------------------------------------------------ */

struct posix_folder {
    HANDLE search;
    WIN32_FIND_DATAW found;
    bool is_first;
    struct posix_entry entry;
};

posix_folder *posix_opendir(const char *path) {
    const size_t length = strlen(path);
    char *pattern = malloc(length + 3);
    posix_folder *folder = calloc(1, sizeof *folder);
    if (pattern && folder) {
        memcpy(pattern, path, length);
        memcpy(pattern + length, "/*", 3);
        wchar_t *wide = wide_from_utf8(pattern);
        folder->search = wide ? FindFirstFileW(wide, &folder->found) : INVALID_HANDLE_VALUE;
        folder->is_first = true;
        if (folder->search == INVALID_HANDLE_VALUE) {
            wide_fail();
            free(folder);
            folder = NULL;
        }
        free(wide);
    } else {
        free(folder);
        folder = NULL;
    }
    free(pattern);
    return folder;
}

struct posix_entry *posix_readdir(posix_folder *folder) {
    if (!folder->is_first && !FindNextFileW(folder->search, &folder->found)) {
        return NULL;
    }
    folder->is_first = false;
    WideCharToMultiByte(CP_UTF8, 0, folder->found.cFileName, -1, folder->entry.d_name, sizeof folder->entry.d_name,
                        NULL, NULL);
    return &folder->entry;
}

int posix_closedir(posix_folder *folder) {
    FindClose(folder->search);
    free(folder);
    return 0;
}
