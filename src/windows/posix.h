/* SPDX-License-Identifier: MIT */
/*
 * The part of POSIX that Luft uses and Windows lacks, for the build with mingw-w64. The compiler includes this file first
 * (mk/windows.mk), so the sources are those of every other system; headers that mingw-w64 does not have are in include/.
 *
 * Paths and arguments are UTF-8. Files are binary, can be renamed and removed while they are open, and have an identity.
 */
#ifndef LUFT_WINDOWS_POSIX_H
#define LUFT_WINDOWS_POSIX_H

#include <dirent.h>
#include <fcntl.h>
#include <io.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

/* --- Files ------------------------------------------------------------------------ */

#define O_CLOEXEC _O_NOINHERIT
#define O_NONBLOCK 0
#define O_NOCTTY 0
#define AT_FDCWD (-100)
#define AT_EACCESS 0

int posix_open(const char *path, int flags, ...);
FILE *posix_fopen(const char *path, const char *mode);
struct posix_stat {
    uint64_t st_dev, st_ino; /* together the identity of a file */
    int64_t st_size;
    mode_t st_mode;
};
int posix_stat(const char *path, struct posix_stat *about);
int posix_fstat(int descriptor, struct posix_stat *about);
int posix_rename(const char *from, const char *to);
int posix_unlink(const char *path);
int posix_mkdir(const char *path);
int posix_access(const char *path, int mode);
int posix_fsync(int descriptor);
ssize_t posix_read(int descriptor, void *bytes, size_t size);
ssize_t posix_pread(int descriptor, void *bytes, size_t size, off_t offset);
ssize_t posix_pwrite(int descriptor, const void *bytes, size_t size, off_t offset);
int posix_pipe(int descriptors[2]);

#define open posix_open
#define fopen posix_fopen
#undef stat
#undef fstat
#define stat posix_stat /* the function and the struct */
#define lstat posix_stat
#define fstat posix_fstat
#define rename posix_rename
#define unlink posix_unlink
#define mkdir(path, mode) posix_mkdir(path)
#define faccessat(directory, path, mode, flags) posix_access(path, mode)
#define fsync posix_fsync
#define fdatasync posix_fsync
#define read posix_read
#define pread posix_pread
#define pwrite posix_pwrite
#define pipe posix_pipe
#define flockfile(stream) _lock_file(stream)
#define funlockfile(stream) _unlock_file(stream)

/* Permissions are those of the folder. */
static inline int fchmod(int descriptor, mode_t mode) {
    (void)descriptor, (void)mode;
    return 0;
}

/* The system follows links itself. */
static inline ssize_t readlink(const char *path, char *target, size_t size) {
    (void)path, (void)target, (void)size;
    return -1;
}

/* --- Folders ---------------------------------------------------------------------- */

struct posix_entry {
    char d_name[3 * 260];
};
typedef struct posix_folder posix_folder;

posix_folder *posix_opendir(const char *path);
struct posix_entry *posix_readdir(posix_folder *folder);
int posix_closedir(posix_folder *folder);

#define DIR posix_folder
#define dirent posix_entry
#define opendir posix_opendir
#define readdir posix_readdir
#define closedir posix_closedir

/* --- Locks of files --------------------------------------------------------------- */

#define F_SETLK 6
#define F_WRLCK 1
struct flock {
    short l_type, l_whence;
};
int posix_lock(int descriptor); /* the whole file, for writing, without waiting */
#define fcntl(descriptor, command, lock) ((void)(lock), posix_lock(descriptor))
#define LOCK_EX 2
#define LOCK_NB 4
#define flock(descriptor, operation) posix_lock(descriptor)

/* --- Text --------------------------------------------------------------------------- */

char *posix_strndup(const char *text, size_t length);
#define strndup posix_strndup

/* --- Signals, processors, the main function --------------------------------------- */

#define SIGHUP 1
#define _SC_NPROCESSORS_ONLN 84
long posix_processors(void);
#define sysconf(name) posix_processors()

/* start.c has the real one, which converts the arguments. */
#define main posix_main
int posix_main(int argc, char **argv);

#endif
