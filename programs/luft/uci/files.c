/* SPDX-License-Identifier: MIT */
/*
 * The callbacks of the UCI session in the program. One lock separates the lines of two threads, in the output and in
 * the log. It is not that of stdout, which the sanitizer of data races does not know.
 */
#define _POSIX_C_SOURCE 200809L

#include "files.h"

#include "util/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- Lines -------------------------------------------------------------------------- */

static bool write_line(const char *text) {
    return puts(text) >= 0 && fflush(stdout) == 0;
}

/* Input is marked with >>, output with <<. If the file cannot grow, the log ends with an error line. */
static void write_log(uci_files *files, const char *mark, uci_text text) {
    if (!files->log) {
        return;
    }
    while (text.length > 0) {
        const char *feed = memchr(text.text, '\n', text.length);
        const size_t length = feed ? (size_t)(feed - text.text) : text.length;
        fprintf(files->log, "%s ", mark);
        fwrite(text.text, 1, length, files->log);
        fputc('\n', files->log);
        text.text += length + (feed != NULL);
        text.length -= length + (feed != NULL);
    }
    fflush(files->log);
    if (ferror(files->log)) {
        fclose(files->log);
        files->log = NULL;
        write_line("info string error: option Debug Log File: cannot write any more, the log ends here");
    }
}

static void close_file(int *number) {
    if (*number >= 0) {
        close(*number);
        *number = -1;
    }
}

static bool write_output(void *payload, const char *text) {
    uci_files *files = payload;
    pthread_mutex_lock(&files->lock);
    const bool good = write_line(text);
    if (!good) {
        close_file(&files->lost[1]);
    }
    write_log(files, "<<", (uci_text){text, strlen(text)});
    pthread_mutex_unlock(&files->lock);
    return good;
}

void uci_files_log_input(uci_files *files, uci_text line) {
    pthread_mutex_lock(&files->lock);
    write_log(files, ">>", line);
    pthread_mutex_unlock(&files->lock);
}

static void replace_log(uci_files *files, FILE *log) {
    pthread_mutex_lock(&files->lock);
    if (files->log) {
        fclose(files->log);
    }
    files->log = log;
    pthread_mutex_unlock(&files->lock);
}

void uci_files_open(uci_files *files) {
    *files = (uci_files){.lock = PTHREAD_MUTEX_INITIALIZER};
    if (pipe(files->lost) != 0) { /* the output itself is still watched */
        files->lost[0] = files->lost[1] = -1;
    }
}

void uci_files_close(uci_files *files) {
    replace_log(files, NULL);
    close_file(&files->lost[0]);
    close_file(&files->lost[1]);
    pthread_mutex_destroy(&files->lock);
}

/* --- Files -------------------------------------------------------------------------- */

/* Opens a regular file only: a pipe without a reader or a writer would block the session. */
static FILE *open_regular_file(const char *path, int flags, const char *mode) {
    const int number = open(path, flags | O_CLOEXEC | O_NONBLOCK, 0666);
    struct stat about;
    FILE *file = NULL;
    if (number >= 0 && fstat(number, &about) == 0) {
        errno = S_ISDIR(about.st_mode) ? EISDIR : EINVAL;
        file = S_ISREG(about.st_mode) ? fdopen(number, mode) : NULL;
    }
    if (number >= 0 && !file) {
        const int error = errno;
        close(number);
        errno = error;
    }
    return file;
}

static bool set_log(void *payload, const char *path, char *reason) {
    FILE *log = path ? open_regular_file(path, O_WRONLY | O_APPEND | O_CREAT, "a") : NULL;
    if (path && !log) {
        snprintf(reason, UCI_REASON_SIZE, "%s", strerror(errno));
        return false;
    }
    replace_log(payload, log);
    return true;
}

static uint8_t *read_file(void *payload, const char *path, size_t limit, size_t *length, char *reason) {
    (void)payload;
    FILE *file = open_regular_file(path, O_RDONLY, "rb");
    struct stat about;
    if (file && fstat(fileno(file), &about) == 0 && (uint64_t)about.st_size < limit) {
        limit = (size_t)about.st_size;
    }
    uint8_t *bytes = file ? malloc(limit > 0 ? limit : 1) : NULL;
    if (!bytes) {
        snprintf(reason, UCI_REASON_SIZE, "%s", file ? "out of memory" : strerror(errno));
    } else {
        errno = 0;
        *length = fread(bytes, 1, limit, file);
        if (ferror(file)) {
            snprintf(reason, UCI_REASON_SIZE, "%s", strerror(errno));
            free(bytes);
            bytes = NULL;
        }
    }
    if (file) {
        fclose(file);
    }
    return bytes;
}

/* --- The host ------------------------------------------------------------------------- */

static int64_t now_us(void *payload) {
    (void)payload;
    return clock_microseconds();
}

uci_host uci_files_host(uci_files *files) {
    return (uci_host){
        .write = write_output, .now_us = now_us, .read_file = read_file, .set_log = set_log, .payload = files};
}
